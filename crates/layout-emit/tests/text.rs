//! The emitted text: names that are refused, and arbitrary text in place of a layout.

use layout_emit::{EmitError, Index, Language, Module, NamedLayout, Partition, RelayoutKernel};

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
        assert!(
            matches!(error, EmitError::Input(_)) && error.to_string().contains(word),
            "{language}: {error}"
        );
        // A parameter of this name is refused too.
        let named = format!("(4,{word}):({word},1)").parse::<NamedLayout>().expect(word);
        assert!(Index::of(&named).bounds().emit(language).is_err(), "{language}: {word}");
    }
    for (language, name) in [
        (Language::Glsl, "gl_tile"),
        (Language::Glsl, "a__b"),
        (Language::C, "__x"),
        (Language::C, ""),
    ] {
        assert!(Index::of(&layout).name(name).emit(language).is_err(), "{name}");
    }
    // One name has two meanings.
    let named: NamedLayout = "(f,n):(n,1)".parse().expect("a layout");
    assert!(Index::of(&named).name("n").emit(Language::C).is_err());
    // Local names of the function are renamed.
    let code = Index::of("(i,t0,offset):(t0,1,i)".parse::<NamedLayout>().expect("a layout"))
        .flat()
        .emit(Language::Rust);
    assert!(code.is_ok(), "{code:?}");
}

/// Names with a hidden meaning: `Some` would call itself, `linux` is a macro for 1, and a kernel
/// calls `select`.
#[test]
fn names_of_preludes_and_headers_are_no_names() {
    let layout: NamedLayout = "(4,6):(6,1)".parse().expect("a layout");
    let names = [
        (Language::Rust, "Some None Ok Err Option main drop usize"),
        (
            Language::C,
            "linux unix INT32_MAX UINT32_C SIZE_MAX PRIu32 _Bool _Decimal32 memcpy printf size_t sqrt I",
        ),
        (
            Language::Cuda,
            "linux min make_uint2 uint4 dim3 std cudaMalloc __ldg INT32_MAX atomicAdd",
        ),
        (Language::Hip, "hipMalloc threadIdx max"),
        (
            Language::OpenCl,
            "select get_global_id uint16 clamp convert_uint CLK_LOCAL_MEM_FENCE image3d_t",
        ),
        (
            Language::Wgsl,
            "select min insertBits vec4u mat2x2f workgroupBarrier atomicAnd read_write storage texture_2d",
        ),
        (
            Language::Glsl,
            "dmat2 isampler2D sampler2DShadow image2DArray min clamp packed uimage2D bitfieldInsert",
        ),
        (
            Language::Hlsl,
            "uint4x4 float3 min16uint2 lerp saturate WaveGetLaneIndex RWTexture2DArray",
        ),
        (Language::Msl, "uint4 packed_float3 metal min simd_sum half4x4 clamp ulong"),
        (Language::Python, "None lambda print len"),
    ];
    for (language, names) in names {
        for name in names.split(' ') {
            let error = Index::of(&layout).name(name).emit(language).expect_err(name).to_string();
            assert!(error.contains(&format!("`{name}`")), "{language}: {error}");
        }
    }
    // An argument may have the name of a function if the code does not call this function.
    let named: NamedLayout = "(4,time):(time,1)".parse().expect("a layout");
    assert!(Index::of(&named).emit(Language::C).is_ok());
    assert!(Index::of(&layout).name("time").emit(Language::C).is_err());
    let words = "select min insertBits extractBits workgroup read_write workgroupBarrier \
                 arrayLength atomicOr";
    for name in words.split_whitespace() {
        let to = "(4,6)".parse::<NamedLayout>().expect("a layout");
        let kernel = RelayoutKernel::new(&layout, to, 1).expect("a kernel");
        assert!(kernel.name(name).emit(Language::Wgsl).is_err(), "{name}");
    }
}

/// The layout is in a comment, which ends with the line.
#[test]
fn the_text_of_a_layout_is_one_line() {
    let layout: NamedLayout = "(m,\n\r n):(n\u{2028},\t1)".parse().expect("a layout");
    for language in Language::ALL {
        let code = Index::of(&layout).emit(language).expect("code");
        assert_eq!(
            code.lines().filter(|line| line.contains("(m, n):(n , 1)")).count(),
            1,
            "{code}"
        );
    }
    assert!("(m,n\n):(n;1)".parse::<NamedLayout>().is_err());
    let error = Index::of(&layout).name("a\nb").emit(Language::C).expect_err("no name").to_string();
    assert_eq!(error, "`a\\nb` is no name: letters, digits and `_`, and no digit first");
}

#[test]
fn negative_strides_have_functions_and_say_from_where_offsets_count() {
    let emit = |text: &str, language| {
        Index::of(text.parse::<NamedLayout>().expect(text)).emit(language).expect(text)
    };
    let code = emit("(8,w):(-1,8)", Language::C);
    assert!(
        code.contains("return (int32_t)((j << 3) - i);")
            && code.contains("the least of them is -7."),
        "{code}"
    );
    let code = emit("(h,w):(-w,1)", Language::Python);
    assert!(
        code.contains("return j - i * w") && code.contains("the least of them is -(h - 1)*w."),
        "{code}"
    );
    let code = emit("(4,n,k):(-3,-2*n,-1)", Language::Wgsl);
    assert!(code.contains("the least of them is -(n - 1)*2*n - (k - 1) - 9."), "{code}");
    // A negative stride of an extent of 1 makes no offset negative.
    let code = emit("(4,(1,6),(2)):(n,(-48,1),(m))", Language::C);
    assert!(code.contains("uint32_t offset_of(") && !code.contains("the least"), "{code}");
    let back = "(1,(5,3)):(5,(1,5))".parse::<NamedLayout>().expect("a layout");
    assert!(Index::of(&back).coordinate().bounds().emit(Language::C).is_ok());
    let rows = "(4,6):(6,1)".parse::<NamedLayout>().expect("a layout");
    let relayout =
        RelayoutKernel::new("(4,6):(-1,4)".parse::<NamedLayout>().expect("a layout"), &rows, 4);
    let code = relayout.expect("a kernel").emit(Language::Cuda).expect("code");
    let sentence = "// Offsets count from the element of coordinate 0, and the least of them is -3: from[0] has it.\n";
    assert!(code.contains(sentence), "{code}");
}

#[test]
fn layouts_of_many_modes_are_refused() {
    let many = |n: usize| format!("({0}):({0})", vec!["1"; n].join(","));
    let layout: layout_algebra::prelude::DynLayout = many(5000).parse().expect("a layout");
    let sentence = "a layout of 5000 numbers and as many strides has more than 1000";
    let errors = [
        Index::of(&layout).emit(Language::C).expect_err("many"),
        RelayoutKernel::new(&layout, &layout, 4).expect_err("many"),
        Partition::of_copy(&layout, &layout).expect_err("many"),
    ];
    errors.iter().for_each(|error| assert_eq!(error.to_string(), sentence));
    assert!(
        Index::of(many(1000).parse::<NamedLayout>().expect("a layout")).emit(Language::C).is_ok()
    );
}

/// The result type is a name too, and so are the pointers and the tile of a kernel.
#[test]
fn names_that_the_code_defines_are_no_names() {
    let layout: NamedLayout = "(4,6):(1,4)".parse().expect("a layout");
    let back = |name: &str| Index::of(&layout).name(name).coordinate();
    for (language, name) in [
        (Language::C, "uint32"),
        (Language::Cuda, "wchar"),
        (Language::OpenCl, "size"),
        (Language::Glsl, "a_"),
    ] {
        let error = back(name).emit(language).expect_err(name);
        assert!(
            matches!(&error, EmitError::Input(text) if text.contains(&format!("{name}_t"))),
            "{language}: {error}"
        );
    }
    // Functions in Rust and Python define no type.
    assert!(
        back("uint32").emit(Language::Rust).is_ok()
            && back("uint32").emit(Language::Python).is_ok()
    );
    let named: NamedLayout = "(4,n):(f_t,1)".parse().expect("a layout");
    assert!(Index::of(&named).name("f").emit(Language::C).is_ok());
    assert!(Index::of(&named).name("f").bounds().emit(Language::C).is_err());
    let result: NamedLayout = "(4,n):(result,1)".parse().expect("a layout");
    let code = Index::of(&result).bounds().emit(Language::C).expect("code");
    assert!(code.contains("uint32_t result)"), "{code}");
    for (language, is_refused) in
        [(Language::C, true), (Language::Wgsl, true), (Language::Rust, false)]
    {
        let module = Module::new(language).with(back("f")).with(Index::of(&layout).name("f_t"));
        assert_eq!(module.emit().is_err(), is_refused, "{language}");
    }
    let (from, to): (NamedLayout, NamedLayout) =
        ("(64,64):(64,1)".parse().expect("a layout"), "(64,64):(1,64)".parse().expect("a layout"));
    for (language, name) in
        [(Language::Cuda, "from"), (Language::Cuda, "stream"), (Language::Wgsl, "tile")]
    {
        let kernel = RelayoutKernel::new(&from, &to, 4).expect("a kernel").name(name);
        assert!(matches!(kernel.emit(language), Err(EmitError::Input(_))), "{language}: {name}");
    }
}

#[test]
fn any_text_is_a_layout_or_refused() {
    let parts = [
        "(",
        ")",
        ",",
        ":",
        "4",
        "n",
        "*",
        "-",
        "^",
        "Sw<",
        "2,0,2>",
        " o ",
        "3",
        "_x",
        "18446744073709551616",
        "é",
    ];
    let mut state = 1u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut read = 0;
    for round in 0..6_000 {
        let text: String = match round % 2 {
            0 => (0..1 + next(9)).map(|_| parts[next(parts.len())]).collect(),
            // Almost valid text.
            _ => {
                let atom = ["4", "n", "2*m", "-3", "^5", "0", "(2,n)", "7"];
                format!(
                    "({},{}):({},{})",
                    atom[next(8)],
                    atom[next(8)],
                    atom[next(8)],
                    atom[next(8)]
                )
            }
        };
        let Ok(layout) = text.parse::<NamedLayout>() else { continue };
        read += 1;
        for language in Language::ALL {
            for index in [
                Index::of(&layout),
                Index::of(&layout).flat().bounds(),
                Index::of(&layout).coordinate(),
            ] {
                let _ = index.emit(language);
            }
        }
    }
    assert!(read > 300, "{read} layouts");
    let deep = format!("{}n{}:1", "(".repeat(5000), ")".repeat(5000));
    assert!(deep.parse::<NamedLayout>().is_err());
}

/// A kernel in WGSL that gathers single elements has a fifth of the speed of other kernels.
#[test]
fn windows_and_pixels_are_not_gathered() {
    let windows = |high: usize, wide: usize, columns: usize, step: usize| {
        let (area, row) = (high * wide, (step * (columns - 1) + wide).next_multiple_of(32));
        let shape = format!("({wide},{high},{columns},100)");
        let from = format!("{shape}:(1,{row},{step},{row})");
        (from, format!("{shape}:(1,{wide},{area},{})", area * columns))
    };
    let pixels = |channels: usize| {
        let shape = format!("(8,{channels},65536)");
        let whole = channels << 16;
        (format!("{shape}:({whole},65536,1)"), format!("{shape}:({whole},1,{channels})"))
    };
    let sizes = [
        (3, 3, 1022, 1),
        (3, 3, 26, 1),
        (3, 3, 14, 1),
        (5, 5, 508, 1),
        (7, 7, 112, 2),
        (11, 11, 55, 4),
    ];
    let all = sizes.map(|(high, wide, columns, step)| windows(high, wide, columns, step));
    for (from, to) in all.into_iter().chain((2..80).map(pixels)) {
        let layouts = [&from, &to].map(|text| text.parse::<NamedLayout>().expect(text));
        for bytes in [1, 2, 4] {
            let relayout =
                RelayoutKernel::new(layouts[0].clone(), layouts[1].clone(), bytes).expect(&from);
            let code = relayout.emit(Language::Wgsl).expect(&from);
            assert!(!code.contains("var word = 0u;"), "{from} to {to}, {bytes} bytes:\n{code}");
        }
    }
}
