//! The command `layout-repack` on checkpoints: weights of GPTQ, AWQ and Marlin, and scale factors.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use layout_bits::{safetensors, scales};

type Tensors = Vec<(String, &'static str, Vec<usize>, Vec<u8>)>;

struct Folder(PathBuf);
impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.at(name)).unwrap()
    }
    /// Whether it succeeded, and what it said.
    fn repack(&self, from: &str, to: &str, arguments: &str) -> (bool, String) {
        let command = env!("CARGO_BIN_EXE_layout-repack");
        let output = Command::new(command)
            .args([self.at(from), self.at(to)])
            .args(["--quiet", "--to"])
            .args(arguments.split(' '))
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{said}");
        (output.status.success(), said)
    }
    fn succeeds(&self, from: &str, to: &str, arguments: &str) -> String {
        let (done, said) = self.repack(from, to, arguments);
        assert!(done, "{from} to {to}, {arguments}: {said}");
        said
    }
    fn fails(&self, from: &str, arguments: &str) -> String {
        let (done, said) = self.repack(from, "not", arguments);
        assert!(!done && said.lines().count() == 1, "{from} {arguments}: {said}");
        assert!(!self.at("not").exists(), "{said}");
        said
    }
    fn numbers(&self, file: &str, name: &str) -> Vec<u32> {
        let tensor = safetensors::open(self.at(file)).unwrap().tensor(name).unwrap();
        tensor.dequantize().unwrap().iter().map(|x| x.to_bits()).collect()
    }
}

/// A file of these tensors, in this order.
fn file(tensors: &Tensors, metadata: &str) -> Vec<u8> {
    let mut at = 0;
    let mut entries = vec![format!("\"__metadata__\": {{{metadata}}}")];
    for (name, dtype, shape, bytes) in tensors {
        let end = at + bytes.len();
        entries.push(format!(
            "\"{name}\": {{\"dtype\": \"{dtype}\", \"shape\": {shape:?}, \"data_offsets\": [{at}, \
             {end}]}}"
        ));
        at = end;
    }
    let mut text = format!("{{{}}}", entries.join(",\n")).into_bytes();
    text.resize(text.len().next_multiple_of(8) + 16, b' ');
    let data = tensors.iter().flat_map(|tensor| tensor.3.clone());
    (text.len() as u64).to_le_bytes().into_iter().chain(text).chain(data).collect()
}

struct Random(u64);
impl Random {
    fn new() -> Self {
        let now = || std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as u64);
        let seed =
            std::env::var("PROPTEST_RNG_SEED").map_or_else(|_| now(), |seed| seed.parse().unwrap());
        println!("the seed of what is drawn: PROPTEST_RNG_SEED={seed}");
        Random(seed)
    }
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.below(256) as u8).collect()
    }
    /// Halves of either kind that are finite.
    fn halves(&mut self, count: usize) -> Vec<u8> {
        (0..count).flat_map(|_| [self.below(256) as u8, 0x30]).collect()
    }
    /// In an order that is drawn.
    fn shuffle<T>(&mut self, list: &mut [T]) {
        (1..list.len()).rev().for_each(|k| list.swap(k, self.below(k + 1)));
    }
}

/// The three tensors of a matrix, whose zeros are these nibbles.
fn matrix(
    random: &mut Random,
    name: &str,
    is_awq: bool,
    [k, n, group]: [usize; 3],
    zero: impl Fn(&mut Random) -> u8,
) -> Tensors {
    let shape = if is_awq { vec![k, n / 8] } else { vec![k / 8, n] };
    let zeros = (0..k / group * n / 2).map(|_| zero(random) | zero(random) << 4).collect();
    let kind = ["F16", "BF16"][random.below(2)];
    vec![
        (format!("{name}.qweight"), "I32", shape, random.bytes(k * n / 2)),
        (format!("{name}.qzeros"), "I32", vec![k / group, n / 8], zeros),
        (format!("{name}.scales"), kind, vec![k / group, n], random.halves(k / group * n)),
    ]
}
fn g_idx(name: &str, k: usize, group: usize) -> Tensors {
    let rows = (0..k).flat_map(|row| ((row / group) as u32).to_le_bytes()).collect();
    vec![(format!("{name}.g_idx"), "I32", vec![k], rows)]
}

/// Symmetric GPTQ as all others and back: the same bytes. AWQ as GPTQ and as tiles with zeros, and
/// back. Each file has the numbers of the one that it was made of.
#[test]
fn drawn_checkpoints_go_round() {
    let (folder, mut random) = (Folder::new("checkpoints"), Random::new());
    for draw in 0..12 {
        let is_awq = draw % 2 == 1;
        let mut tensors: Tensors = vec![
            ("norm".into(), "BF16", vec![8], random.halves(8)),
            ("bias".into(), "F32", vec![0], vec![]),
            ("of.B".into(), "F16", vec![2], random.halves(2)),
        ];
        let names = ["model.layers.0.up", "b\\u00e4r", "c"];
        for name in &names[..1 + random.below(3)] {
            let group = [16, 32, 64][random.below(3)];
            let [k, n] = [group * (1 + random.below(3)), 64 * (1 + random.below(3))];
            // AWQ's zeros that GPTQ has too, or GPTQ's that is 8.
            let zero = |random: &mut Random| if is_awq { 1 + random.below(15) as u8 } else { 7 };
            tensors.extend(matrix(&mut random, name, is_awq, [k, n, group], zero));
            if !is_awq && random.below(2) == 0 {
                tensors.extend(g_idx(name, k, group));
            }
        }
        random.shuffle(&mut tensors);
        fs::write(folder.at("from"), file(&tensors, r#""format": "pt", "b": "ä""#)).unwrap();
        let (own, others): (_, &[_]) = if is_awq {
            ("awq", &["gptq", "marlin-zeros"])
        } else {
            ("gptq", &["marlin", "nibbles", "awq"])
        };
        let from = safetensors::open(folder.at("from")).unwrap();
        let bases: Vec<_> = from
            .header()
            .tensors()
            .iter()
            .filter_map(|entry| entry.name.strip_suffix(".qweight"))
            .collect();
        let same = |file: &str| {
            bases.iter().for_each(|base| {
                assert_eq!(folder.numbers(file, base), folder.numbers("from", base), "{base}");
            });
            let file = safetensors::open(folder.at(file)).unwrap();
            for name in ["norm", "bias", "of.B"] {
                assert_eq!(file.bytes(name).unwrap(), from.bytes(name).unwrap());
            }
            assert_eq!(file.header().metadata("b"), Some("ä"));
        };
        for other in others {
            folder.succeeds("from", "there", other);
            same("there");
            folder.succeeds("there", "back", own);
            assert!(folder.read("back") == folder.read("from"), "{other}, {draw}");
        }
        // From one to the next, and then back.
        folder.succeeds("from", "0", others[0]);
        for (k, other) in others[1..].iter().enumerate() {
            folder.succeeds(&k.to_string(), &(k + 1).to_string(), other);
            same(&(k + 1).to_string());
        }
        folder.succeeds(&(others.len() - 1).to_string(), "back", own);
        assert!(folder.read("back") == folder.read("from"), "{draw}");
    }
}

#[test]
fn what_cannot_be_carried() {
    let (folder, mut random) = (Folder::new("carried"), Random::new());
    let write = |tensors: &Tensors| fs::write(folder.at("from"), file(tensors, "")).unwrap();
    let sizes = [64, 64, 32];
    // A zero of 0, in the first group of column 2: the second nibble of AWQ's word.
    let mut awq = matrix(&mut random, "a.up", true, sizes, |random| 1 + random.below(15) as u8);
    awq.extend(matrix(&mut random, "a.down", true, sizes, |_| 3));
    awq[1].3[0] &= 15;
    write(&awq);
    assert!(
        folder.fails("from", "gptq").contains("from to ")
            && folder.fails("from", "gptq").ends_with(
                "not: a.up: no repacking of awq to gptq: the zero of element 128 is 0, and there \
                 it is u + 1 of 4 bits\n"
            )
    );
    let said = folder.succeeds("from", "half", "gptq --skip-unfit");
    assert!(
        said.contains(
            "a.up is copied as it is: no repacking of awq to gptq: the zero of element 128 is 0"
        ),
        "{said}"
    );
    let names = |name: &str| {
        let tensor = safetensors::open(folder.at("half")).unwrap().tensor(name).unwrap();
        tensor.format().name().to_string()
    };
    assert_eq!([names("a.up"), names("a.down")], ["awq", "gptq"]);
    folder.succeeds("half", "whole", "awq");
    assert!(folder.read("whole") == folder.read("from"));
    folder.succeeds("from", "tiles", "marlin-zeros");
    let said = folder.fails("from", "marlin");
    assert!(
        said.contains("no repacking of awq to marlin: the zero of element ")
            && said.contains("and there is none there, so that all have to be 8"),
        "{said}"
    );
    // GPTQ's zero of 16 is none of AWQ's.
    write(&matrix(&mut random, "g", false, sizes, |_| 15));
    let said = folder.fails("from", "awq");
    assert!(
        said.contains(
            "g: no repacking of gptq to awq: the zero of element 0 is 16, and there it is u of 4 \
             bits"
        ),
        "{said}"
    );
    // Rows in another order, other widths, and what is none of a matrix: refused, or copied.
    let mut act = matrix(&mut random, "act", false, sizes, |_| 7);
    act.extend(g_idx("act", 64, 2));
    act.extend(matrix(&mut random, "ok", false, sizes, |_| 7));
    for (suffix, shape) in [("qweight", [16, 64]), ("qzeros", [2, 16])] {
        act.push((
            format!("eight.{suffix}"),
            "I32",
            shape.into(),
            random.bytes(shape[0] * shape[1] * 4),
        ));
    }
    act.push(("eight.scales".into(), "F16", vec![2, 64], random.halves(128)));
    act.push(("odd.B".into(), "I32", vec![3, 5], random.bytes(60)));
    act.push(("odd.s".into(), "F16", vec![3, 5], random.halves(15)));
    write(&act);
    let said = folder.fails("from", "marlin");
    assert!(
        said.contains("act: the rows of act.g_idx are not in the order of groups of 32")
            && said.contains("--skip-unfit copies"),
        "{said}"
    );
    let said = folder.succeeds("from", "there", "marlin --skip-unfit");
    assert_eq!(said.lines().count(), 3, "{said}");
    assert!(
        said.contains(
            "eight is copied as it is: its numbers have 8 bits, and those of marlin have 4"
        ),
        "{said}"
    );
    assert!(said.contains("odd is copied as it is: odd.B has the shape"), "{said}");
    folder.succeeds("there", "back", "gptq --skip-unfit");
    assert!(folder.read("back") == folder.read("from"));
    // Eight bits as rows.
    write(&act[act.len() - 5..act.len() - 2].to_vec());
    let said = folder.fails("from", "nibbles");
    assert!(said.contains("all have to be 128"), "{said}");
    // Nothing to do, and other files.
    write(&matrix(&mut random, "a", true, sizes, |_| 8));
    assert!(folder.fails("from", "awq").contains(
        "no matrix of GPTQ, AWQ, Marlin or compressed-tensors that would be another as awq"
    ));
    assert!(folder.fails("from", "q4_0").contains("made of no GGUF file"));
    assert!(folder.fails("from", "blocked-scales").contains("no scale factors"));
    // A matrix and a tensor of one name.
    let mut both = matrix(&mut random, "a", true, sizes, |_| 8);
    both.push(("a.B".into(), "F32", vec![1], vec![0; 4]));
    write(&both);
    assert!(folder.fails("from", "marlin").contains("would both be stored under the name a.B"));
    fs::write(folder.at("from"), file(&both, r#""checkpoint": "0g""#)).unwrap();
    assert!(folder.fails("from", "gptq").contains("checkpoint of its metadata is no header"));
    // A header that is another file's: what is made has one of its own.
    for lie in ["00", "ffffffffffffffff7b7d", "02000000000000007b7d"] {
        fs::write(
            folder.at("from"),
            file(
                &matrix(&mut random, "a", true, sizes, |_| 8),
                &format!(r#""checkpoint": "{lie}""#),
            ),
        )
        .unwrap();
        folder.succeeds("from", "there", "gptq");
        assert_eq!(folder.numbers("there", "a"), folder.numbers("from", "a"));
    }
}

/// NVFP4's and MXFP8's scale factors in blocks, as `scales` has them, and back: the same bytes.
#[test]
fn scale_factors_go_round() {
    let (folder, mut random) = (Folder::new("scales"), Random::new());
    for _ in 0..8 {
        let (rows, groups) = (1 + random.below(300), 1 + random.below(9));
        let mut tensors: Tensors = vec![
            ("n.weight".into(), "U8", vec![rows, groups * 8], random.bytes(rows * groups * 8)),
            ("n.weight_scale".into(), "F8_E4M3", vec![rows, groups], random.bytes(rows * groups)),
            ("n.weight_scale_2".into(), "F32", vec![], vec![0; 4]),
            (
                "c.weight_packed".into(),
                "U8",
                vec![2, rows, groups * 8],
                random.bytes(2 * rows * groups * 8),
            ),
            (
                "c.weight_scale".into(),
                "F8_E4M3",
                vec![2, rows, groups],
                random.bytes(2 * rows * groups),
            ),
            (
                "m.weight".into(),
                "F8_E4M3",
                vec![rows, groups * 32],
                random.bytes(rows * groups * 32),
            ),
            ("m.weight_scale".into(), "F8_E8M0", vec![rows, groups], random.bytes(rows * groups)),
            ("t.weight".into(), "F8_E4M3", vec![3, 5], random.bytes(15)),
            ("t.weight_scale".into(), "F32", vec![], vec![0; 4]),
        ];
        random.shuffle(&mut tensors);
        fs::write(folder.at("from"), file(&tensors, r#""format":"pt""#)).unwrap();
        folder.succeeds("from", "there", "blocked-scales");
        let there = safetensors::open(folder.at("there")).unwrap();
        let shapes: HashMap<_, _> =
            there.header().tensors().iter().map(|entry| (&*entry.name, &entry.shape[..])).collect();
        let padded = [rows.next_multiple_of(128), groups.next_multiple_of(4)];
        assert_eq!(shapes["c.weight_scale"], [&[2][..], &padded].concat());
        for (name, _, shape, bytes) in &tensors {
            let blocked = match shape.len() > 1 && name.ends_with("_scale") {
                true => bytes
                    .chunks(rows * groups)
                    .flat_map(|bytes| scales::to_blocked(bytes, rows, groups).unwrap())
                    .collect(),
                false => bytes.clone(),
            };
            assert!(there.bytes(name).unwrap() == blocked, "{name}");
        }
        assert!(
            folder.fails("there", "blocked-scales").contains("are blocked; plain-scales puts them")
        );
        folder.succeeds("there", "back", "plain-scales");
        assert!(folder.read("back") == folder.read("from"));
        // What is padded is nothing, or it would be lost.
        let mut bytes = folder.read("there");
        let of_n =
            there.header().tensors().iter().find(|entry| entry.name == "n.weight_scale").unwrap();
        let layout = scales::block_scaled(rows, groups, 1, 1).unwrap();
        if padded != [rows, groups] {
            let last = layout.index((padded[0] - 1, padded[1] - 1, 0));
            bytes[of_n.bytes.start as usize + last] = 1;
            fs::write(folder.at("there"), bytes).unwrap();
            let said = folder.fails("there", "plain-scales");
            assert!(
                said.contains(&format!(
                    "n.weight_scale: beyond its {rows} rows of {groups} scale factors are others \
                     than zeros"
                )),
                "{said}"
            );
        }
    }
    // Powers of two of blocks of 128 x 128, of which the last may be smaller, in words of four.
    for _ in 0..8 {
        let [rows, elements] = [0, 0].map(|_| 1 + random.below(600));
        let [down, across] = [rows, elements].map(|extent| extent.div_ceil(128));
        let mut factor = || 2.0_f32.powi(random.below(200) as i32 - 100);
        let factors: Vec<_> = (0..2 * down * across).map(|_| factor()).collect();
        let bytes = factors.iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut tensors: Tensors = vec![
            ("w".into(), "F8_E4M3", vec![2, rows, elements], random.bytes(2 * rows * elements)),
            ("w_scale_inv".into(), "F32", vec![2, down, across], bytes),
            ("t.weight_scale".into(), "F32", vec![], vec![0; 4]),
        ];
        random.shuffle(&mut tensors);
        fs::write(folder.at("from"), file(&tensors, "")).unwrap();
        folder.succeeds("from", "there", "deep-gemm-scales");
        let there = safetensors::open(folder.at("there")).unwrap();
        let words: Vec<u8> = factors
            .chunks(down * across)
            .flat_map(|of_one| scales::to_deep_gemm(of_one, rows, across, 128).unwrap())
            .collect();
        let entry =
            there.header().tensors().iter().find(|entry| entry.name == "w_scale_inv").unwrap();
        assert_eq!(
            (&*entry.dtype, &entry.shape[..]),
            ("I32", &[2, across.div_ceil(4), rows.next_multiple_of(4)][..])
        );
        assert!(there.bytes("w_scale_inv").unwrap() == words);
        folder.succeeds("there", "back", "plain-scales");
        assert!(folder.read("back") == folder.read("from"));
    }
    let tensors: Tensors = vec![
        ("w".into(), "F8_E4M3", vec![1, 1], vec![0]),
        ("w_scale_inv".into(), "F32", vec![1, 1], 3.0_f32.to_le_bytes().to_vec()),
    ];
    fs::write(folder.at("from"), file(&tensors, "")).unwrap();
    let said = folder.fails("from", "deep-gemm-scales");
    assert!(
        said.contains("w_scale_inv: ") && said.contains("its number 3e0 is no power of two"),
        "{said}"
    );
    let mut tensors = tensors;
    tensors.push(("v".into(), "F8_E4M3", vec![1, 1], vec![0]));
    tensors.push(("v_scale_inv".into(), "F32", vec![1, 1], 2.0_f32.to_le_bytes().to_vec()));
    fs::write(folder.at("from"), file(&tensors, "")).unwrap();
    let said = folder.succeeds("from", "there", "deep-gemm-scales --skip-unfit");
    assert!(
        said.contains("w_scale_inv is copied as it is: ") && said.lines().count() == 1,
        "{said}"
    );
    folder.succeeds("there", "back", "plain-scales --skip-unfit");
    assert!(folder.read("back") == folder.read("from"));
    let tensors: Tensors = vec![
        ("n.weight".into(), "U8", vec![4, 64], vec![0; 256]),
        ("n.weight_scale".into(), "F8_E4M3", vec![4, 9], vec![0; 36]),
    ];
    fs::write(folder.at("from"), file(&tensors, "")).unwrap();
    let said = folder.fails("from", "blocked-scales");
    assert!(
        said.contains(
            "n.weight_scale: its shape is [4, 9], and n.weight of U8 and the shape [4, 64] has \
             [4, 8] of them"
        ),
        "{said}"
    );
}

/// Bytes of the header changed at random: an answer or a refusal, never a panic, and no file where
/// there is none.
#[test]
fn hostile_headers() {
    let (folder, mut random) = (Folder::new("hostile-checkpoints"), Random::new());
    let mut tensors = matrix(&mut random, "a", false, [32, 64, 32], |_| 7);
    tensors.extend(matrix(&mut random, "b", true, [32, 64, 32], |_| 8));
    tensors.extend([
        ("n".into(), "U8", vec![4, 16], vec![0; 64]),
        ("n_scale".into(), "F8_E4M3", vec![4, 2], vec![7; 8]),
        ("w".into(), "F8_E4M3", vec![4, 4], vec![0; 16]),
        ("w_scale_inv".into(), "F32", vec![1, 1], 1.0_f32.to_le_bytes().to_vec()),
    ]);
    fs::write(folder.at("plain"), file(&tensors, "")).unwrap();
    folder.succeeds("plain", "tiles", "marlin");
    folder.succeeds("plain", "blocked", "blocked-scales");
    let packings = [
        "gptq",
        "awq",
        "marlin",
        "marlin-zeros",
        "nibbles",
        "blocked-scales",
        "deep-gemm-scales",
        "plain-scales",
        "q4_0",
    ];
    let (mut done, digits) = (0, b"0123456789,[]\"{}:_aFIU");
    for _ in 0..300 {
        let mut bytes = folder.read(["plain", "tiles", "blocked"][random.below(3)]);
        let end = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        for _ in 0..1 + random.below(2) {
            let at = random.below(end);
            bytes[at] =
                if at < 8 { random.below(256) as u8 } else { digits[random.below(digits.len())] };
        }
        fs::write(folder.at("from"), bytes).unwrap();
        let skip = ["", " --skip-unfit"][random.below(2)];
        let (succeeded, said) = folder.repack(
            "from",
            "not",
            &format!("{}{skip}", packings[random.below(packings.len())]),
        );
        assert_eq!(folder.at("not").exists(), succeeded, "{said}");
        if succeeded {
            done += 1;
            safetensors::open(folder.at("not")).unwrap();
            fs::remove_file(folder.at("not")).unwrap();
        }
    }
    assert!(done > 3, "{done}");
}
