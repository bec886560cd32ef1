//! What is written: words that are refused, and any text in place of a layout.

use layout_emit::{EmitError, Index, Language, NamedLayout};

#[test]
fn words_of_the_language_are_no_names() {
    let words = [
        (Language::C, "restrict"),
        (Language::C, "uint32_t"),
        (Language::Cuda, "operator"),
        (Language::Hip, "template"),
        (Language::OpenCl, "__kernel"),
        (Language::Wgsl, "fn"),
        (Language::Glsl, "buffer"),
        (Language::Hlsl, "cbuffer"),
        (Language::Msl, "threadgroup"),
        (Language::Rust, "match"),
        (Language::Python, "lambda"),
    ];
    let layout: NamedLayout = "(4,6):(1,4)".parse().expect("a layout");
    for (language, word) in words {
        let error = Index::of(&layout).name(word).emit(language).expect_err(word);
        assert!(matches!(error, EmitError::Input(_)) && error.to_string().contains(word), "{language}: {error}");
        // As a parameter it is refused too.
        let named = format!("(4,{word}):({word},1)").parse::<NamedLayout>().expect(word);
        assert!(Index::of(&named).bounds().emit(language).is_err(), "{language}: {word}");
    }
    for (language, name) in
        [(Language::Glsl, "gl_tile"), (Language::Glsl, "a__b"), (Language::C, "__x"), (Language::C, "")]
    {
        assert!(Index::of(&layout).name(name).emit(language).is_err(), "{name}");
    }
    // One name for two things.
    let named: NamedLayout = "(f,n):(n,1)".parse().expect("a layout");
    assert!(Index::of(&named).name("n").emit(Language::C).is_err());
    // Names that the function has itself give way.
    let code =
        Index::of("(i,t0,offset):(t0,1,i)".parse::<NamedLayout>().expect("a layout")).flat().emit(Language::Rust);
    assert!(code.is_ok(), "{code:?}");
}

#[test]
fn any_text_is_a_layout_or_refused() {
    let parts =
        ["(", ")", ",", ":", "4", "n", "*", "-", "^", "Sw<", "2,0,2>", " o ", "3", "_x", "18446744073709551616", "é"];
    let mut state = 1u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut read = 0;
    for round in 0..6_000 {
        let text: String = match round % 2 {
            0 => (0..1 + next(9)).map(|_| parts[next(parts.len())]).collect(),
            // Nearly right.
            _ => {
                let atom = ["4", "n", "2*m", "-3", "^5", "0", "(2,n)", "7"];
                format!("({},{}):({},{})", atom[next(8)], atom[next(8)], atom[next(8)], atom[next(8)])
            }
        };
        let Ok(layout) = text.parse::<NamedLayout>() else { continue };
        read += 1;
        for language in Language::ALL {
            for index in [Index::of(&layout), Index::of(&layout).flat().bounds(), Index::of(&layout).coordinate()] {
                let _ = index.emit(language);
            }
        }
    }
    assert!(read > 300, "{read} layouts");
    let deep = format!("{}n{}:1", "(".repeat(5000), ")".repeat(5000));
    assert!(deep.parse::<NamedLayout>().is_err());
}
