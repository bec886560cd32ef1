//! Tensors of files: found by name, with the format, the shape and the numbers that whoever wrote
//! them meant.

use layout_bits::*;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
fn random(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e3779b97f4a7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..count).map(|_| next()).collect()
}
/// As bits; a NaN is one whatever its bits.
fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() }).collect()
}

/// A GGUF file of these tensors: a name, extents, the number of the type, and bytes.
fn gguf_file(tensors: &[(&str, &[u64], u32, Vec<u8>)]) -> Vec<u8> {
    let mut bytes =
        [&b"GGUF\x03\0\0\0"[..], &(tensors.len() as u64).to_le_bytes(), &[0; 8]].concat();
    let mut data = Vec::new();
    for (name, extents, kind, of) in tensors {
        bytes.extend((name.len() as u64).to_le_bytes());
        bytes.extend(name.bytes());
        bytes.extend((extents.len() as u32).to_le_bytes());
        extents.iter().for_each(|extent| bytes.extend(extent.to_le_bytes()));
        bytes.extend(kind.to_le_bytes());
        bytes.extend((data.len() as u64).to_le_bytes());
        data.extend(of);
        data.resize(data.len().next_multiple_of(32), 0);
    }
    bytes.resize(bytes.len().next_multiple_of(32), 0);
    bytes.extend(data);
    bytes
}
/// A safetensors file of these: a name, a type, a shape and bytes.
fn safetensors_file(tensors: &[(&str, &str, &[usize], Vec<u8>)], metadata: &str) -> Vec<u8> {
    let (mut entries, mut data) = (vec![format!("\"__metadata__\":{{{metadata}}}")], Vec::new());
    for (name, dtype, shape, of) in tensors {
        let (first, end) = (data.len(), data.len() + of.len());
        entries.push(format!(
            r#""{name}":{{"dtype":"{dtype}","shape":{shape:?},"data_offsets":[{first},{end}]}}"#
        ));
        data.extend(of);
    }
    let text = format!("{{{}}}", entries.join(","));
    [&(text.len() as u64).to_le_bytes()[..], text.as_bytes(), &data].concat()
}

#[test]
fn tensors_of_ggml() {
    let path = folder("gguf").join("model.gguf");
    let kinds: [(u32, Format); 16] = [
        (0, formats::plain(Number::F32, 32).unwrap()),
        (1, formats::plain(Number::F16, 16).unwrap()),
        (2, formats::q4_0()),
        (3, formats::q4_1()),
        (6, formats::q5_0()),
        (7, formats::q5_1()),
        (8, formats::q8_0()),
        (10, formats::q2_k()),
        (11, formats::q3_k()),
        (12, formats::q4_k()),
        (13, formats::q5_k()),
        (14, formats::q6_k()),
        (20, formats::iq4_nl()),
        (30, formats::plain(Number::Bf16, 16).unwrap()),
        (39, formats::mxfp4()),
        (40, formats::nvfp4()),
    ];
    let names: Vec<_> = kinds.iter().map(|(kind, _)| format!("blk.{kind}.weight")).collect();
    let mut tensors: Vec<(&str, &[u64], u32, Vec<u8>)> = Vec::new();
    for ((kind, format), name) in kinds.iter().zip(&names) {
        let count = 512 * 3 / format.elements() * format.bytes();
        tensors.push((name, &[512, 3], *kind, random(u64::from(*kind), count)));
    }
    tensors.push(("one", &[], 0, 1.5_f32.to_le_bytes().into()));
    tensors.push(("empty", &[32, 0], 2, Vec::new()));
    tensors.push(("other", &[256], 16, random(3, 66)));
    tensors.push(("long", &[2], 27, vec![0; 16]));
    fs::write(&path, gguf_file(&tensors)).unwrap();
    let check = |file: &gguf::GgufFile| {
        for ((kind, format), (name, _, _, bytes)) in kinds.iter().zip(&tensors) {
            let tensor = file.tensor(name).unwrap();
            assert_eq!((tensor.name(), tensor.format().name()), (*name, format.name()), "{kind}");
            assert_eq!((tensor.shape(), tensor.bytes()), (&[3, 512][..], &bytes[..]), "{name}");
            assert_eq!(
                bits(&tensor.dequantize().unwrap()),
                bits(&format.dequantize(bytes).unwrap()),
                "{name}"
            );
        }
        assert_eq!(file.tensor("one").unwrap().dequantize().unwrap(), [1.5]);
        assert!(file.tensor("one").unwrap().shape().is_empty());
        assert_eq!(file.tensor("empty").unwrap().shape(), [0, 32]);
        let said = |name: &str| file.tensor(name).unwrap_err().to_string();
        assert_eq!(said("other"), "other: it is of type iq2_xxs, which is no layout of bits here");
        assert_eq!(said("long"), "long: it is of type i64, which is no layout of bits here");
        assert_eq!(said("blk"), "blk: the file has no tensor of this name among its 20");
        assert_eq!(file.bytes("other").unwrap(), random(3, 66));
    };
    let file = gguf::open(&path).unwrap();
    check(&file);
    #[cfg(feature = "mmap")]
    {
        // SAFETY: nobody else knows the file, and it is changed after this.
        let mapped = unsafe { gguf::map(&path).unwrap() };
        check(&mapped);
        // A tensor keeps the file, which is gone here.
        let tensor = mapped.tensor("blk.2.weight").unwrap();
        drop(mapped);
        assert_eq!(tensor.bytes(), tensors[2].3);
    }
    // A file that becomes shorter meanwhile is an error.
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(2000).unwrap();
    assert!(file.tensor("blk.14.weight").unwrap_err().to_string().starts_with("blk.14.weight: "));
    let said = gguf::open(&path).unwrap_err().to_string();
    assert!(
        said.starts_with(&format!("{}: ", path.display())) && said.contains("2000 in all"),
        "{said}"
    );
    assert!(
        gguf::open(path.with_file_name("none"))
            .unwrap_err()
            .to_string()
            .contains("none: No such file")
    );
    assert!(
        gguf::open(path.parent().unwrap())
            .unwrap_err()
            .to_string()
            .contains("no file with a length")
    );
}

fn words(bytes: usize, seed: u64) -> Vec<u8> {
    random(seed, bytes)
}
/// Halves, none of which is infinite or none.
fn halves(count: usize, seed: u64) -> Vec<u8> {
    random(seed, count).into_iter().flat_map(|byte| [byte, 0x30]).collect()
}

#[test]
fn tensors_of_safetensors() {
    let path = folder("safetensors").join("model.safetensors");
    let (k, n, group) = (128, 64, 32);
    let groups = k / group;
    let order = |f: &dyn Fn(usize) -> usize| -> Vec<u8> {
        (0..k).flat_map(|row| (f(row) as u32).to_le_bytes()).collect()
    };
    let scales = halves(groups * n, 9);
    let shape = |n: u64, k: u64| [n, k].map(u64::to_le_bytes).concat();
    let tensors: Vec<(&str, &str, &[usize], Vec<u8>)> = vec![
        ("norm", "BF16", &[64], halves(64, 1)),
        ("bytes", "U8", &[2, 3], vec![0, 1, 2, 3, 254, 255]),
        ("long", "I64", &[1], vec![0; 8]),
        ("a.qweight", "I32", &[16, 64], words(k * n / 2, 2)),
        ("a.qzeros", "I32", &[4, 8], words(groups * n / 2, 3)),
        ("a.scales", "F16", &[4, 64], scales.clone()),
        ("a.g_idx", "I32", &[128], order(&|row| row / group)),
        ("b.qweight", "I32", &[128, 8], words(k * n / 2, 4)),
        ("b.qzeros", "I32", &[4, 8], words(groups * n / 2, 5)),
        ("b.scales", "F16", &[4, 64], scales.clone()),
        ("eight.qweight", "I32", &[32, 64], words(k * n, 6)),
        ("eight.qzeros", "I32", &[4, 16], words(groups * n, 7)),
        ("eight.scales", "BF16", &[4, 64], scales.clone()),
        ("c.weight_packed", "I32", &[64, 16], words(k * n / 2, 8)),
        ("c.weight_scale", "F16", &[64, 4], scales.clone()),
        ("d.weight_packed", "I32", &[64, 32], words(k * n, 9)),
        ("d.weight_scale", "BF16", &[64, 4], scales.clone()),
        ("d.weight_shape", "I64", &[2], shape(64, 128)),
        ("m.B", "I32", &[8, 128], words(k * n / 2, 10)),
        ("m.s", "F16", &[4, 64], scales.clone()),
        ("mz.B", "I32", &[8, 128], words(k * n / 2, 10)),
        ("mz.zeros", "I32", &[4, 8], words(groups * n / 2, 11)),
        ("mz.s", "F16", &[4, 64], scales.clone()),
        ("three.qweight", "I32", &[12, 64], words(12 * 64 * 4, 2)),
        ("three.qzeros", "I32", &[4, 6], words(4 * 6 * 4, 3)),
        ("three.scales", "F16", &[4, 64], scales.clone()),
        // Those that are refused.
        ("act.qweight", "I32", &[16, 64], words(k * n / 2, 2)),
        ("act.qzeros", "I32", &[4, 8], words(groups * n / 2, 3)),
        ("act.scales", "F16", &[4, 64], scales.clone()),
        ("act.g_idx", "I32", &[128], order(&|row| row % groups)),
        ("half.qweight", "I32", &[16, 64], words(k * n / 2, 2)),
        ("half.scales", "F16", &[4, 64], scales.clone()),
        ("odd.qweight", "I32", &[15, 64], words(15 * 64 * 4, 2)),
        ("odd.qzeros", "I32", &[4, 8], words(groups * n / 2, 3)),
        ("odd.scales", "F16", &[4, 64], scales.clone()),
        ("nine.qweight", "I32", &[12, 64], words(12 * 64 * 4, 2)),
        ("nine.qzeros", "I32", &[4, 18], words(4 * 18 * 4, 3)),
        ("nine.scales", "F16", &[4, 64], scales.clone()),
        ("float.qweight", "F32", &[16, 64], words(k * n / 2, 2)),
        ("float.qzeros", "I32", &[4, 8], words(groups * n / 2, 3)),
        ("float.scales", "F16", &[4, 64], scales.clone()),
        ("none.qweight", "I32", &[0, 0], vec![]),
        ("none.qzeros", "I32", &[0, 0], vec![]),
        ("none.scales", "F16", &[0, 0], vec![]),
        ("z.weight_packed", "I32", &[64, 16], words(k * n / 2, 8)),
        ("z.weight_scale", "F16", &[64, 4], scales.clone()),
        ("z.weight_zero_point", "I32", &[8, 4], words(128, 8)),
        ("s.weight_packed", "I32", &[64, 16], words(k * n / 2, 8)),
        ("s.weight_scale", "F16", &[64, 4], scales.clone()),
        ("s.weight_shape", "I64", &[2], shape(64, 1 << 40)),
        // Floats of 8 bits: alone, in blocks, by rows, all of one scale, and in blocks of which the
        // last is smaller.
        ("e4", "F8_E4M3", &[256], (0..=255).collect()),
        ("e5", "F8_E5M2", &[256], (0..=255).collect()),
        ("f.weight", "F8_E4M3", &[256, 128], random(11, 256 * 128)),
        ("f.weight_scale_inv", "F32", &[2, 1], [2.0_f32, 0.5].map(f32::to_le_bytes).concat()),
        ("r.weight", "F8_E5M2", &[3, 5], random(12, 15)),
        ("r.weight_scale", "BF16", &[3, 1], halves(3, 13)),
        ("t.weight", "F8_E4M3", &[3, 5], random(14, 15)),
        ("t.weight_scale", "F32", &[], 0.25_f32.to_le_bytes().into()),
        ("l.weight", "F8_E4M3", &[192, 128], random(15, 192 * 128)),
        ("l.weight_scale_inv", "F32", &[2, 1], [2.0_f32, 0.5].map(f32::to_le_bytes).concat()),
        ("l2.weight", "F8_E4M3", &[130, 576], random(16, 130 * 576)),
        ("l2.weight_scale_inv", "BF16", &[2, 5], halves(10, 17)),
        ("l3.weight", "F8_E4M3", &[257, 129], random(18, 257 * 129)),
        ("l3.weight_scale_inv", "F16", &[3, 2], halves(6, 19)),
        ("x.weight", "F8_E4M3", &[192, 128], random(15, 192 * 128)),
        ("x.weight_scale_inv", "F32", &[3, 1], vec![0; 12]),
    ];
    fs::write(&path, safetensors_file(&tensors, r#""format":"pt""#)).unwrap();
    let of = |names: &[&str]| -> Vec<u8> {
        names
            .iter()
            .flat_map(|name| tensors.iter().find(|tensor| tensor.0 == *name).unwrap().3.clone())
            .collect()
    };
    let check = |file: &safetensors::SafetensorsFile| {
        let same = |name: &str, format: Format, planes: &[&str], shape: &[usize]| {
            let (tensor, bytes) = (file.tensor(name).unwrap(), of(planes));
            assert_eq!((tensor.format().name(), tensor.shape()), (format.name(), shape), "{name}");
            assert_eq!(tensor.bytes(), bytes, "{name}");
            assert_eq!(
                bits(&tensor.dequantize().unwrap()),
                bits(&format.dequantize(&bytes).unwrap()),
                "{name}"
            );
        };
        same("norm", formats::plain(Number::Bf16, 16).unwrap(), &["norm"], &[64]);
        assert_eq!(
            file.tensor("bytes").unwrap().dequantize().unwrap(),
            [0.0, 1.0, 2.0, 3.0, 254.0, 255.0]
        );
        let gptq = || formats::gptq(k, n, group).unwrap();
        same("a", gptq(), &["a.qweight", "a.qzeros", "a.scales"], &[64, 128]);
        same("a.weight", gptq(), &["a.qweight", "a.qzeros", "a.scales"], &[64, 128]);
        same(
            "b",
            formats::awq(k, n, group).unwrap(),
            &["b.qweight", "b.qzeros", "b.scales"],
            &[64, 128],
        );
        same(
            "c",
            formats::compressed_tensors(k, n, group).unwrap(),
            &["c.weight_packed", "c.weight_scale"],
            &[64, 128],
        );
        same("m", formats::marlin(k, n, group).unwrap(), &["m.B", "m.s"], &[64, 128]);
        let with_zeros = formats::marlin_with_zeros(k, n, group).unwrap();
        same("mz", with_zeros, &["mz.B", "mz.zeros", "mz.s"], &[64, 128]);
        // Three bits: the words of a column follow one another.
        let (three, bytes) =
            (file.tensor("three").unwrap(), of(&["three.qweight", "three.qzeros", "three.scales"]));
        assert_eq!(
            three.format().to_string(),
            formats::gptq_across(3, k, n, group).unwrap().to_string()
        );
        let turned = formats::turn_words(&bytes[..12 * 64 * 4], 12, 64).unwrap();
        assert_eq!(three.bytes(), [&turned, &bytes[12 * 64 * 4..]].concat());
        // Scales of the other kind of half: the same codes, and numbers by another scale.
        for (name, format, scale) in [
            ("eight", formats::gptq_of(8, k, n, group).unwrap(), "scale"),
            ("d", formats::compressed_tensors_of(8, k, n, group).unwrap(), "d"),
        ] {
            let tensor = file.tensor(name).unwrap();
            let ours = tensor.format().fields().iter().find(|field| field.name() == scale).unwrap();
            assert_eq!((ours.number(), tensor.format().bytes()), (Number::Bf16, format.bytes()));
            assert_eq!(tensor.format().fields()[0].to_string(), format.fields()[0].to_string());
        }
        let floats = |name: &str| file.tensor(name).unwrap().dequantize().unwrap();
        let (e4, e5) = (
            (0..=255).map(E4m3::from_bits).map(f32::from),
            (0..=255).map(E5m2::from_bits).map(f32::from),
        );
        assert_eq!(bits(&floats("e4")), bits(&e4.clone().collect::<Vec<_>>()));
        assert_eq!(bits(&floats("e5")), bits(&e5.collect::<Vec<_>>()));
        let e4: Vec<_> = e4.collect();
        let by = |name: &str, scale: &dyn Fn(usize) -> f32| {
            let codes = of(&[name]);
            let expected: Vec<_> = codes
                .iter()
                .enumerate()
                .map(|(i, &code)| scale(i) * e4[usize::from(code)])
                .collect();
            assert_eq!(bits(&floats(name)), bits(&expected), "{name}");
        };
        by("f.weight", &|i| [2.0, 0.5][i / 128 / 128]);
        // Blocks of which the last is smaller: 64 rows; 2 rows and 64 columns; 1 and 1.
        by("l.weight", &|i| [2.0, 0.5][i / 128 / 128]);
        for (name, k, across, number) in
            [("l2.weight", 576, 5, Number::Bf16), ("l3.weight", 129, 2, Number::F16)]
        {
            let scales = of(&[&format!("{name}_scale_inv")]);
            by(name, &|i| {
                let at = 2 * (i / k / 128 * across + i % k / 128);
                number.decode(u16::from_le_bytes([scales[at], scales[at + 1]]).into(), 16)
            });
        }
        by("t.weight", &|_| 0.25);
        let scales: Vec<_> = of(&["r.weight_scale"])
            .chunks(2)
            .map(|b| Number::Bf16.decode(u16::from_le_bytes([b[0], b[1]]).into(), 16))
            .collect();
        let rows = of(&["r.weight"]);
        let expected: Vec<_> = rows
            .iter()
            .enumerate()
            .map(|(i, &code)| scales[i / 5] * f32::from(E5m2::from_bits(code)))
            .collect();
        assert_eq!(bits(&floats("r.weight")), bits(&expected));
        let said = |name: &str| file.tensor(name).unwrap_err().to_string();
        for (name, why) in [
            (
                "x.weight",
                "F8_E4M3 of the shape [192, 128] and x.weight_scale_inv of F32 and the shape [3, \
                 1] make no matrix",
            ),
            ("long", "long: it is of type I64, which has numbers that are no floats of 32 bits"),
            (
                "act",
                "the rows of act.g_idx are not in the order of groups of 32: see \
                 formats::act_order",
            ),
            ("half", "half: it has half.qweight, and no half.qzeros"),
            ("odd", "odd: no format gptq: 120 rows are no whole number of groups of 30"),
            ("nine", "nine: nine.qzeros has 18 words for 64 columns: 9 bits each"),
            ("float", "float.qweight is F32 of the shape [16, 64], and no matrix of I32"),
            ("none", "none: none.qzeros has 0 words for 0 columns: 0 bits each"),
            ("z", "z: it has zeros or an order of rows"),
            (
                "s",
                "s: 16 words of a row are not what 1099511627776 elements need: its shape is [64, \
                 1099511627776]",
            ),
            ("nobody", "nobody: the file has no tensor of this name among its 66"),
        ] {
            let said = said(name);
            if name == "odd" {
                assert!(said.starts_with("odd: no format gptq: "), "{said}");
                continue;
            }
            assert!(said.contains(why), "{said}");
        }
        assert_eq!(file.bytes("act.g_idx").unwrap().len(), 512);
        assert_eq!(file.header().metadata("format"), Some("pt"));
    };
    check(&safetensors::open(&path).unwrap());
    #[cfg(feature = "mmap")]
    // SAFETY: nobody else knows the file, and it is not changed.
    check(&unsafe { safetensors::map(&path).unwrap() });
    // What `layout repack` has written says which packing it is.
    let rows: Vec<(&str, &str, &[usize], Vec<u8>)> = vec![
        ("c.weight_packed", "I32", &[8, 128], words(k * n / 2, 8)),
        ("c.weight_scale", "F16", &[4, 64], scales),
    ];
    fs::write(&path, safetensors_file(&rows, r#""packing":"marlin""#)).unwrap();
    assert_eq!(safetensors::open(&path).unwrap().tensor("c").unwrap().format().name(), "marlin");
}

/// Files that `gguf` and `safetensors` for Python have written, which `.ci/test-bits` makes.
#[test]
fn files_of_others() {
    let Some(folder) = std::env::var_os("LAYOUT_BITS_FILES").map(PathBuf::from) else {
        println!("NOT RUN: files of others, which .ci/test-bits makes");
        return;
    };
    let (gguf, safetensors) = (folder.join("model.gguf"), folder.join("model.safetensors"));
    let (gguf, safetensors) = (gguf::open(gguf).unwrap(), safetensors::open(safetensors).unwrap());
    let mut compared = 0;
    for line in fs::read_to_string(folder.join("expected.txt")).unwrap().lines() {
        let [file, name, format, shape] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let tensor =
            if file == "gguf" { gguf.tensor(name) } else { safetensors.tensor(name) }.unwrap();
        let expected = fs::read(folder.join(format!("{file}-{name}.f32"))).unwrap();
        let expected: Vec<_> =
            expected.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        assert_eq!(
            (tensor.format().name(), format!("{:?}", tensor.shape())),
            (format, shape.replace(',', ", ")),
            "{line}"
        );
        assert_eq!(bits(&tensor.dequantize().unwrap()), bits(&expected), "{line}");
        compared += 1;
    }
    println!("{compared} tensors of others");
    assert!(compared > 15);
}
