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

/// Symmetric GPTQ has zeros of 8 alone, and is what others have without zeros.
#[test]
fn zeros_that_are_all_the_same() {
    let (k, n) = (256, 128);
    let gptq = |group| formats::gptq(k, n, group).unwrap();
    for (group, others) in [
        (32, vec![formats::q4_0()]),
        (64, vec![formats::compressed_tensors(k, n, 64).unwrap()]),
        (64, vec![formats::marlin(k, n, 64).unwrap(), formats::awq(k, n, 64).unwrap()]),
        (k, vec![formats::marlin(k, n, k).unwrap()]),
    ] {
        let mut bytes = random(group as u64, gptq(group).bytes());
        let codes = k * n / 2;
        bytes[codes..][..k / group * n / 2].fill(0x77);
        for other in others {
            let (there, back) = (
                Repack::plan(&gptq(group), &other).unwrap(),
                Repack::plan(&other, &gptq(group)).unwrap(),
            );
            let packed = there.run(&bytes).unwrap();
            assert_eq!(numbers(&other, &packed), numbers(&gptq(group), &bytes), "{there}");
            assert_eq!(back.run(&packed).unwrap(), bytes, "{back}");
        }
        // One that is 7, of column 5 and the last group: nothing is written then.
        let last = codes + (k / group - 1) * n / 2 + 2;
        bytes[last] = 0x67;
        let plan = Repack::plan(&gptq(group), &formats::marlin(k, n, group).unwrap()).unwrap();
        let mut to = vec![
            3;
            plan.run(&random(1, 0)).unwrap().len()
                + formats::marlin(k, n, group).unwrap().bytes()
        ];
        assert_eq!(
            plan.run_into(&bytes, &mut to).unwrap_err().to_string(),
            format!(
                "no repacking of gptq to marlin: the zero of element {} is 7, and there is none \
                 there, so that all have to be 8",
                5 * k + k - group
            )
        );
        assert!(to.iter().all(|&byte| byte == 3));
    }
}

/// AWQ's checkpoints and GPTQ's, and Marlin's tiles with zeros.
#[test]
fn zeros_of_their_own() {
    for (k, n, group) in [(64, 64, 32), (128, 192, 128), (256, 64, 16)] {
        let awq = formats::awq(k, n, group).unwrap();
        let mut bytes = random(k as u64, awq.bytes());
        let zeros = k * n / 2..k * n / 2 + k / group * n / 2;
        // Without a zero of 0.
        bytes[zeros.clone()].iter_mut().for_each(|byte| {
            *byte |= if *byte & 15 == 0 { 1 } else { 0 } | if *byte >> 4 == 0 { 16 } else { 0 }
        });
        for other in
            [formats::gptq(k, n, group).unwrap(), formats::marlin_with_zeros(k, n, group).unwrap()]
        {
            let (there, back) =
                (Repack::plan(&awq, &other).unwrap(), Repack::plan(&other, &awq).unwrap());
            let packed = there.run(&bytes).unwrap();
            assert_eq!(numbers(&other, &packed), numbers(&awq, &bytes), "{there}");
            assert_eq!(back.run(&packed).unwrap(), bytes, "{back}");
        }
        // The second nibble of a word is column 2.
        bytes[zeros.start] &= 15;
        let plan = Repack::plan(&awq, &formats::gptq(k, n, group).unwrap()).unwrap();
        let said = plan.run(&bytes).unwrap_err().to_string();
        assert!(
            said.ends_with(&format!(
                "the zero of element {} is 0, and there it is u + 1 of 4 bits",
                2 * k
            )),
            "{said}"
        );
    }
}

#[test]
fn mistakes() {
    let said = |from: &Format, to: &Format| Repack::plan(from, to).unwrap_err().to_string();
    assert_eq!(
        said(&formats::q4_0(), &formats::iq4_nl()),
        "no repacking of q4_0 to iq4_nl: q is u - 8 of 4 bits, and [-127, -104, -83, -65, -49, \
         -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113] of 4 bits there"
    );
    assert!(
        said(&formats::q4_1(), &formats::gptq(64, 64, 32).unwrap())
            .contains("d * q + m is not scale * (q - zero)")
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
