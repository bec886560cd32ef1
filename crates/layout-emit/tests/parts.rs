//! Relayouts in chunks, and elements of less than a word, compared with the layouts; with EMIT_GPU,
//! the program of the folder `gpu`, also as shaders.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use layout_algebra::{DynLayout, DynShape};
use layout_emit::{ElementAccess, Index, Language, NamedLayout, RelayoutKernel};

struct Random(u64);
impl Random {
    fn new() -> Self {
        let now = || std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as u64);
        let seed =
            env::var("EMIT_SEED").map_or_else(|_| now(), |seed| seed.parse().expect("a seed"));
        println!("EMIT_SEED={seed}");
        Random(seed)
    }
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }
    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.below(256) as u8).collect()
    }
    /// A layout of this shape, whose modes follow one another in a random order, sometimes with
    /// gaps.
    fn layout(&mut self, shape: &[usize]) -> DynLayout {
        let mut order: Vec<_> = (0..shape.len()).collect();
        (1..order.len()).rev().for_each(|k| order.swap(k, self.below(k + 1)));
        let (mut strides, mut reach) = (vec![0; shape.len()], 1);
        for k in order {
            strides[k] = reach;
            reach = reach * shape[k] + self.of(&[0, 0, 0, 3, 64]);
        }
        let tuple =
            |list: &[usize]| DynShape::tuple(list.iter().map(|&n| DynShape::from(n))).unwrap();
        DynLayout::new(tuple(shape), tuple(&strides)).unwrap()
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
fn run(folder: &Path, gpu: &str, arguments: &[&str]) {
    let ran = Command::new(gpu).args(arguments).current_dir(folder).output().expect(gpu);
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// The offset of each element of a layout without names, in bytes.
fn places(text: &str, bytes: usize) -> Vec<usize> {
    let layout: DynLayout = text.parse().unwrap();
    (0..layout.size()).map(|i| layout.index(i) * bytes).collect()
}
/// The two layouts of a kernel, from its comment.
fn layouts(kernel: &RelayoutKernel) -> [String; 2] {
    let code = kernel.emit(Language::Wgsl).unwrap();
    let comment: String =
        code.lines().map(|line| line.trim_start_matches("// ").to_string() + " ").collect();
    let (_, rest) = comment.split_once("to[").unwrap();
    let (to, rest) = rest.split_once("] = from[").unwrap();
    [rest.split_once(']').unwrap().0.replace(' ', ""), to.replace(' ', "")]
}

#[test]
fn chunks_move_each_element_once() {
    let (mut random, gpu) = (Random::new(), env::var("EMIT_GPU").ok());
    let folder = folder("chunks");
    let draws = if gpu.is_some() { 12 } else { 150 };
    let (mut done, mut several) = (0, 0);
    while done < draws {
        let rank = 1 + random.below(3);
        let shape: Vec<_> = (0..rank).map(|_| random.of(&[2, 8, 16, 32, 33, 64, 100])).collect();
        let (from, to) = (random.layout(&shape), random.layout(&shape));
        let bytes = random.of(&[1, 2, 4, 8, 16]);
        let whole = RelayoutKernel::new(&from, &to, bytes).unwrap().name("whole");
        let most = from.cosize().max(to.cosize()) * bytes;
        if most > 1 << 20 {
            continue;
        }
        let limit = (256 + random.below(most)) as u64;
        let Ok(chunks) = whole.chunks(limit) else { continue };
        if chunks.len() > 40 || chunks.len() == 1 && random.below(4) > 0 {
            continue;
        }
        done += 1;
        several += usize::from(chunks.len() > 1);
        let sides = [&from, &to].map(|layout| (layout.cosize() * bytes).next_multiple_of(16));
        let (source, target) = (random.bytes(sides[0]), random.bytes(sides[1]));
        let (mut made, mut moved) = (target.clone(), 0);
        for chunk in &chunks {
            let launch = chunk.kernel.launch(Language::Wgsl).unwrap();
            let [first, there] = chunk.first_bytes.map(|byte| byte as usize);
            assert!(first % 256 == 0 && there % 256 == 0);
            for (side, &size) in launch.buffer_bytes.iter().enumerate() {
                assert!(size <= limit && chunk.first_bytes[side] + size <= sides[side] as u64);
            }
            let ends = launch.buffer_bytes.map(|size| size as usize);
            match &gpu {
                None => {
                    let [of, at] = layouts(&chunk.kernel).map(|text| places(&text, bytes));
                    assert_eq!(of.len(), at.len());
                    moved += of.len();
                    for (of, at) in of.into_iter().zip(at) {
                        made[there + at..][..bytes].copy_from_slice(&source[first + of..][..bytes]);
                    }
                }
                Some(gpu) => {
                    fs::write(folder.join("k.wgsl"), chunk.kernel.emit(Language::Wgsl).unwrap())
                        .unwrap();
                    fs::write(folder.join("from"), &source[first..][..ends[0]]).unwrap();
                    fs::write(folder.join("to"), &made[there..][..ends[1]]).unwrap();
                    let [x, y, z] = launch.groups.map(|groups| groups.to_string());
                    assert_eq!(z, "1");
                    run(&folder, gpu, &["--kernel", "whole", &x, &y, "k.wgsl", "from", "to"]);
                    made[there..][..ends[1]].copy_from_slice(&fs::read(folder.join("to")).unwrap());
                    moved = from.size();
                }
            }
        }
        assert_eq!(moved, from.size(), "{from} to {to}, {limit}");
        let mut expected = target;
        for i in 0..from.size() {
            let (of, at) = (from.index(i) * bytes, to.index(i) * bytes);
            expected[at..][..bytes].copy_from_slice(&source[of..][..bytes]);
        }
        assert!(made == expected, "{from} to {to} of {bytes} bytes, {limit}");
    }
    assert!(several > draws / 8, "{several} of {draws}");
}

#[test]
fn chunks_that_there_are_not() {
    let kernel = |from: &str, to: &str| {
        let [from, to] = [from, to].map(|text| text.parse::<NamedLayout>().unwrap());
        RelayoutKernel::new(from, to, 4).unwrap()
    };
    let said =
        |from: &str, to: &str, limit| kernel(from, to).chunks(limit).unwrap_err().to_string();
    assert_eq!(said("64:1", "64:1", 255), "a binding has 256 bytes or more, not 255");
    assert!(said("64:-1", "64:1", 256).contains("are not both layouts of natural strides"));
    assert!(said("Sw<2,2,3> o 0 o (8,8):(8,1)", "(8,8)", 256).contains("natural strides"));
    // Rows of 3 elements: 64 rows are the fewest rows of a multiple of 256 bytes.
    assert_eq!(
        said("(100,3):(3,1)", "(100,3):(1,100)", 512),
        "chunks of (100,3):(3,1) that begin at multiples of 256 bytes have 768 bytes or more, and a binding has 512"
    );
    assert_eq!(kernel("(100,3):(3,1)", "(100,3):(3,1)").chunks(768).unwrap().len(), 2);
    assert!(said("16777216:1", "16777216:1", 256).contains("262144 chunks are more than 65536"));
}

#[test]
fn coordinates_have_names() {
    let index = |text: &str| Index::of(text.parse::<NamedLayout>().unwrap()).name("at");
    let code = |index: Index| index.emit(Language::Rust);
    let named = index("((4,8),n):((32,1),m)").coordinates(["thread", "value"]);
    assert!(code(named.clone()).unwrap().contains("fn at(thread: u32, value: u32, m: u32)"));
    assert!(code(named).unwrap().contains("The offset of (thread, value) in"));
    let back = index("(4,6):(6,1)").coordinates(["row", "column"]).coordinate();
    assert!(code(back.clone()).unwrap().contains("(row, column) of the offset in"));
    assert!(back.emit(Language::Wgsl).unwrap().contains("row: u32,"));
    assert!(
        code(index("(4,6):(6,1)").flat().coordinates(["number"]))
            .unwrap()
            .contains("fn at(number: u32)")
    );
    let said = |names: &[&str]| {
        code(index("(4,6):(n,1)").coordinates(names.to_vec())).unwrap_err().to_string()
    };
    assert_eq!(said(&["a", "b", "c"]), "3 names are given for 2 coordinates");
    assert_eq!(said(&[]), "0 names are given for 2 coordinates");
    for names in [["a", "a"], ["a", "n"], ["at", "b"], ["offset", "b"]] {
        assert!(
            said(&names).contains("is the name of a coordinate and of something else"),
            "{names:?}"
        );
    }
    assert!(said(&["fn", "b"]).contains("`fn` is a word of Rust"));
    assert!(said(&["a b", "b"]).contains("is no name"));
}

/// Elements of 1 and 2 bytes in words: one thread reads, changes and writes each element.
#[test]
fn elements_of_less_than_a_word() {
    let index = |layout: &DynLayout| Index::of(layout).coordinates(["row", "column"]).name("place");
    let layout: DynLayout = "(4,6):(6,1)".parse().unwrap();
    let said = |index: Index, buffer: &str| {
        ElementAccess::new(index, buffer, 1)
            .and_then(|access| access.emit())
            .unwrap_err()
            .to_string()
    };
    assert!(
        said(index(&layout).coordinate(), "bytes").contains("neither a way back nor with bounds")
    );
    assert!(said(index(&layout).bounds(), "bytes").contains("neither a way back nor with bounds"));
    assert!(
        said(Index::of("(4,n):(1,-4)".parse::<NamedLayout>().unwrap()), "bytes")
            .contains("may be negative")
    );
    for buffer in ["row", "place", "place_load", "place_store"] {
        assert!(
            said(index(&layout), buffer).contains("the name of the buffer and of something else"),
            "{buffer}"
        );
    }
    assert!(said(index(&layout), "fn").contains("is a word of WGSL"));
    // The caller may use the names that the functions would have.
    let taken = Index::of(&layout).coordinates(["at", "element"]).name("shift");
    let code = ElementAccess::new(taken, "at_", 2).unwrap().writing().emit().unwrap();
    assert!(
        code.contains("let at__ = shift(at, element);") && code.contains("element_: u32"),
        "{code}"
    );

    let Ok(gpu) = env::var("EMIT_GPU") else {
        println!("EMIT_GPU names no program that runs shaders");
        return;
    };
    let (folder, mut random) = (self::folder("elements"), Random::new());
    for _ in 0..12 {
        let shape = [1 + random.below(40), 1 + random.below(40)];
        let (from, to) = (random.layout(&shape), random.layout(&shape));
        let bytes = random.of(&[1, 2]);
        let read = ElementAccess::new(Index::of(&from).name("here"), "source", bytes).unwrap();
        let write =
            ElementAccess::new(Index::of(&to).name("there"), "target_", bytes).unwrap().writing();
        let [rows, columns] = shape;
        let code = format!(
            "{}\n{}\n@group(0) @binding(0) var<storage, read> source: array<u32>;\n\
             @group(0) @binding(1) var<storage, read_write> target_: array<atomic<u32>>;\n\
             @compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) id: vec3<u32>) {{\n    \
             let (i, j) = 0;\n}}\n",
            read.emit().unwrap(),
            write.emit().unwrap()
        );
        let code = code.replace(
            "    let (i, j) = 0;\n",
            &format!(
                "    let i = id.x % {rows}u;\n    let j = id.x / {rows}u;\n    \
                 if (j < {columns}u) {{ there_store(i, j, here_load(i, j) + there_load(i, j) + 0xabcd0000u); }}\n"
            ),
        );
        fs::write(folder.join("k.wgsl"), code).unwrap();
        let sides = [&from, &to].map(|layout| (layout.cosize() * bytes).next_multiple_of(16));
        let (source, target) = (random.bytes(sides[0]), random.bytes(sides[1]));
        fs::write(folder.join("from"), &source).unwrap();
        fs::write(folder.join("to"), &target).unwrap();
        let groups = (rows * columns).div_ceil(64).to_string();
        run(&folder, &gpu, &["--kernel", "main", &groups, "1", "k.wgsl", "from", "to"]);
        let mut expected = target;
        let number =
            |bytes: &[u8]| bytes.iter().rev().fold(0_u32, |n, &byte| n << 8 | u32::from(byte));
        for i in 0..rows * columns {
            let (of, at) = (from.index(i) * bytes, to.index(i) * bytes);
            let sum = number(&source[of..][..bytes]).wrapping_add(number(&expected[at..][..bytes]));
            expected[at..][..bytes].copy_from_slice(&sum.to_le_bytes()[..bytes]);
        }
        assert!(fs::read(folder.join("to")).unwrap() == expected, "{from} to {to}, {bytes}");
    }
}
