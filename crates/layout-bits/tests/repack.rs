//! Repacking gives the same numbers, and the way back the same bytes.

use layout_bits::{Field, Format, FormatError, Number, Part, Repack, formats};

fn random(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as u8
    };
    (0..count).map(|_| next()).collect()
}

/// The bits of the numbers: NaN is what it was, too.
fn numbers(format: &Format, bytes: &[u8]) -> Vec<u32> {
    format
        .dequantize(bytes)
        .unwrap()
        .iter()
        .map(|x| if x.is_nan() { 0 } else { x.to_bits() })
        .collect()
}

fn there_and_back(from: &Format, to: &Format, blocks: usize, way: &str) {
    let (there, back) = (Repack::plan(from, to).unwrap(), Repack::plan(to, from).unwrap());
    assert!(there.to_string().contains(way) && back.to_string().contains(way), "{there}{back}");
    let bytes = random(blocks as u64, from.bytes() * blocks);
    let packed = there.run(&bytes).unwrap();
    assert_eq!(numbers(to, &packed), numbers(from, &bytes), "{there}");
    assert_eq!(back.run(&packed).unwrap(), bytes, "{back}");
    // What was there before does not shine through.
    let mut again = random(3, packed.len());
    there.run_into(&bytes, &mut again).unwrap();
    assert_eq!(again, packed, "{there}");
}

#[test]
fn ggml_to_matrices_and_back() {
    let ggml = formats::q4_0();
    // The last one is moved in chunks.
    for (k, n) in [(32, 64), (128, 64), (96, 192), (512, 320), (2048, 128), (4096, 256)] {
        let (nibbles, tiles) =
            (formats::compressed_tensors(k, n, 32).unwrap(), formats::marlin(k, n, 32).unwrap());
        let blocks = k * n / 32;
        there_and_back(&ggml, &nibbles, blocks, "words of 64 bits");
        there_and_back(&ggml, &tiles, blocks, "words of 64 bits");
        there_and_back(&nibbles, &tiles, 2, "words of 64 bits");
    }
    for (k, n) in [(8, 1), (24, 5), (40, 3)] {
        let nibbles = formats::compressed_tensors(k, n, 8).unwrap();
        there_and_back(&nibbles, &nibbles, 3, "exchanges");
    }
    there_and_back(&formats::compressed_tensors(32, 7, 32).unwrap(), &ggml, 3, "words of 64 bits");
    there_and_back(
        &formats::gptq(64, 64, 32).unwrap(),
        &formats::gptq(64, 64, 32).unwrap(),
        1,
        "words of 64 bits",
    );
    there_and_back(
        &formats::awq(64, 64, 32).unwrap(),
        &formats::awq(64, 64, 32).unwrap(),
        1,
        "words of 64 bits",
    );
}

/// A format of other parts: Q5_0's codes side by side, and its scales in the end.
#[test]
fn fields_in_other_parts() {
    let part = |width, at, text: &str| Part::new(width, at, text.parse().unwrap());
    let fields = [
        Field::new("q", Number::Unsigned { minus: 16 }, [part(5, 0, "64:5")]),
        Field::new("d", Number::F16, [part(16, 320, "(32,2):(0,16)")]),
    ];
    let dense = Format::new("dense", 64, &[("dense", 44)], fields, "d * q").unwrap();
    there_and_back(&formats::q5_0(), &dense, 6, "bits at a time");
    for format in [
        formats::q2_k(),
        formats::q3_k(),
        formats::q4_k(),
        formats::q6_k(),
        formats::mxfp4(),
        formats::nvfp4(),
    ] {
        there_and_back(&format, &format, 3, "");
    }
    // Two groups of 32 that have one scale each become one group of 64 only where these are one.
    let fields = [
        Field::new("q", Number::Unsigned { minus: 16 }, [part(5, 0, "64:5")]),
        Field::new("d", Number::F16, [part(16, 320, "64:0")]),
    ];
    let wide = Format::new("wide", 64, &[("wide", 42)], fields, "d * q").unwrap();
    assert!(Repack::plan(&formats::q5_0(), &wide).is_err());
    let narrow = Repack::plan(&wide, &formats::q5_0()).unwrap();
    let bytes = random(5, 84);
    assert_eq!(numbers(&formats::q5_0(), &narrow.run(&bytes).unwrap()), numbers(&wide, &bytes));
}

#[test]
fn mistakes() {
    let said = |from: &Format, to: &Format| Repack::plan(from, to).unwrap_err().to_string();
    assert_eq!(
        said(&formats::q4_0(), &formats::iq4_nl()),
        "no repacking of q4_0 to iq4_nl: q is u - 8 of 4 bits, and [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, \
         38, 53, 69, 89, 113] of 4 bits there"
    );
    assert!(
        said(&formats::q4_0(), &formats::gptq(64, 64, 32).unwrap())
            .contains("d * q is not scale * (q - zero)")
    );
    let (k, n) = (64, 64);
    let plan = Repack::plan(&formats::q4_0(), &formats::marlin(k, n, 32).unwrap()).unwrap();
    assert!(matches!(
        plan.run(&[0; 18]).unwrap_err(),
        FormatError::Length { block: 2304, given: 18, .. }
    ));
    assert!(matches!(
        plan.run_into(&[0; 2304], &mut [0; 2303]).unwrap_err(),
        FormatError::Room { needed: 2304, .. }
    ));
    assert!(plan.run(&[]).unwrap().is_empty());
    // One number of two elements has no place of its own in each.
    let shared = |layout: &str| {
        let q = Field::new("q", Number::Signed, [Part::new(4, 0, layout.parse().unwrap())]);
        Format::new("shared", 4, &[("block", 2)], [q], "q").unwrap()
    };
    assert!(said(&shared("4:4"), &shared("(2,2):(4,4)")).contains("bits of q overlap there"));
}
