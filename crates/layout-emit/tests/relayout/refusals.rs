//! Random refusals: each number in a message is in the request, is a limit that the message names,
//! or is a quantity that the message names and the test computes again.

use std::collections::BTreeSet;

use layout_emit::{EmitError, Index, Language, Module, NamedLayout, RelayoutKernel};

use super::layouts::{Random, layout, seed};

/// How many refusals the test reads, unless `EMIT_REFUSALS` sets another number.
const REFUSALS: usize = 10_000;

/// The numbers in a text, without the digits of names.
fn numbers(text: &str) -> BTreeSet<u128> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter_map(|word| word.parse().ok())
        .collect()
}

/// The text of a layout, valid or not: of every kind, with names, of another size, or broken.
fn draw_text(random: &mut Random) -> String {
    let text = match random.below(5) {
        0..3 => layout(random).named().to_string(),
        3 => {
            let [a, b, c] = [0; 3].map(|_| random.below(12).to_string());
            let names = ["n".to_string(), "m".into(), "4*k".into(), "-n".into(), "^3".into()];
            let mut draw = |number: &str| match random.below(4) {
                0 => names[random.below(names.len())].clone(),
                _ => number.into(),
            };
            format!("({},{}):({},{})", draw(&a), draw(&b), draw(&c), draw("1"))
        }
        _ => {
            let extents: Vec<_> = (0..1 + random.below(3)).map(|_| random.below(9)).collect();
            let far = 1u128 << random.below(70);
            let strides: Vec<_> = extents.iter().map(|n| far * *n as u128).collect();
            let join = |numbers: Vec<String>| format!("({})", numbers.join(","));
            let write = |number: &u128| number.to_string();
            let extents = extents.iter().map(|n| n.to_string()).collect();
            format!("{}:{}", join(extents), join(strides.iter().map(write).collect()))
        }
    };
    if random.chance(12) {
        let cut = random.below(text.len().max(1));
        return text[..cut].into();
    }
    text
}

/// The numbers of a message that are not in the request, computed from their names in the message.
fn computed(sentence: &str, texts: &[&str]) -> BTreeSet<u128> {
    let mut known = BTreeSet::new();
    let says = |words: &str| sentence.contains(words);
    // A shape alone means the layout with its natural strides.
    for layout in texts.iter().filter_map(|text| text.parse::<NamedLayout>().ok()) {
        known.extend(numbers(&layout.to_string()));
    }
    if says(" coordinates, and ") || says("a tile of") {
        for layout in texts.iter().filter_map(|text| text.parse::<NamedLayout>().ok()) {
            let shape = layout.to_string();
            let shape = shape.rsplit(" o ").next().expect("a layout").split(':').next();
            known.insert(numbers_in_order(shape.expect("a shape")).into_iter().product());
        }
    }
    if says("the modes below the stride ") {
        let words = sentence.rsplit_once("the modes below the stride ").expect("said").1;
        let said = numbers_in_order(words);
        for layout in texts.iter().filter_map(|text| text.rsplit(" o ").next()) {
            let Some((shape, stride)) = layout.split_once(':') else { continue };
            let modes = numbers_in_order(shape).into_iter().zip(numbers_in_order(stride));
            let below = modes.filter(|&(extent, stride)| extent > 1 && stride < said[0]);
            known.insert(below.map(|(extent, stride)| (extent - 1) * stride).sum());
        }
    }
    if says("an element has 1, 2, 4, 8 or 16 bytes") {
        known.extend([1, 2, 4, 8, 16]);
    }
    if says("numbers have 32 or 64 bits") || says("WGSL has no numbers of 64 bits") {
        known.extend([32, 64]);
    }
    if says(" bits") && says("has numbers beyond") {
        known.extend([32, 64]);
    }
    // A bit in offsets of both kinds of strides, as the message says.
    if let Some((_, bit)) = sentence.split_once(": bit ") {
        known.extend(numbers_in_order(bit).first().filter(|bit| **bit < 64));
    }
    if says("at byte ") {
        let length = texts.iter().map(|text| text.len()).max().expect("a text");
        known.extend(0..=length as u128);
        // The message shows the syntax of a layout.
        known.insert(4);
    }
    if says(", the largest that fits") || says(", the largest there is") {
        known.insert(u64::MAX.into());
    }
    if says("below 2^64") || says("beyond 2^64") || says("below 1") {
        known.extend([1, 2, 64]);
    }
    known
}

fn numbers_in_order(text: &str) -> Vec<u128> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

/// Requests a function or a kernel, and returns the request.
fn ask(random: &mut Random, texts: [&str; 2]) -> (Result<String, EmitError>, String) {
    let language = random.one_of(&Language::ALL);
    let bits = random.one_of(&[0, 16, 32, 64, 65, 128]);
    let bytes = random.one_of(&[1, 2, 4, 8, 16, 0, 3, 12, 17, 32]);
    let name = random.one_of(&["f", "while", "f 1", "7up", "i", "from", "tile", "_4"]);
    let by_number = random.chance(3);
    let asked = format!("{} {} {language} {bits} {bytes} {name}", texts[0], texts[1]);
    let read = |text: &str| text.parse::<NamedLayout>();
    let result = match random.below(4) {
        0 => read(texts[0]).and_then(|layout| Index::of(&layout).name(name).emit(language)),
        1 => read(texts[0]).and_then(|layout| {
            let index = Index::of(&layout).coordinate().bounds();
            let index = if bits > 0 { index.bits(bits) } else { index };
            Module::new(language).with(index.name(name)).emit()
        }),
        _ => read(texts[0]).and_then(|from| {
            let to = read(texts[1])?;
            let make = if by_number { RelayoutKernel::by_number } else { RelayoutKernel::new };
            let language = if language == Language::Wgsl { language } else { Language::Cuda };
            make(&from, &to, bytes)?.name(name).emit(language)
        }),
    };
    (result, asked)
}

#[test]
fn every_number_of_a_refusal_was_asked_for_or_is_said_to_be_computed() {
    let seed = seed();
    println!("EMIT_SEED={seed}");
    let mut random = Random(seed ^ 0x5eed);
    let (mut refusals, mut openings) = (0, BTreeSet::new());
    let wanted = super::number_of("EMIT_REFUSALS", REFUSALS);
    while refusals < wanted {
        let texts = [draw_text(&mut random), draw_text(&mut random)];
        let texts = if random.chance(4) { [texts[0].clone(), texts[0].clone()] } else { texts };
        let texts = [texts[0].as_str(), texts[1].as_str()];
        let (result, asked) = ask(&mut random, texts);
        let Err(error) = result else { continue };
        refusals += 1;
        // The following lines show a part of the text.
        let sentence = error.to_string().lines().next().expect("a sentence").to_string();
        let known = &numbers(&asked) | &computed(&sentence, &texts);
        let unknown: Vec<_> = numbers(&sentence).difference(&known).copied().collect();
        assert!(
            unknown.is_empty(),
            "EMIT_SEED={seed}: nobody wrote {unknown:?}, and nothing says what they are: \
             {sentence}\nasked for: {asked}"
        );
        assert!(sentence.len() > 15 && !sentence.contains("()"), "{sentence}");
        openings.insert(sentence.split_once(' ').map(|(_, rest)| rest.chars().take(9).collect()));
    }
    let openings: BTreeSet<Option<String>> = openings;
    assert!(openings.len() > 12, "{openings:?}");
}
