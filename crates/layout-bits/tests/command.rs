//! The command `layout-repack`: files there and back, and files that lie.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
fn repack(from: &Path, to: &Path, packing: &str) -> Output {
    let command = env!("CARGO_BIN_EXE_layout-repack");
    Command::new(command).args([from, to]).args(["--to", packing, "--quiet"]).output().unwrap()
}
fn random(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as u8
    };
    (0..count).map(|_| next()).collect()
}

/// A file of four tensors: one of floats, two of Q4_0, one of Q6_K, and values of all sorts.
fn gguf() -> Vec<u8> {
    let mut bytes = b"GGUF\x03\0\0\0".to_vec();
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.bytes());
    };
    bytes.extend(4_u64.to_le_bytes());
    bytes.extend(3_u64.to_le_bytes());
    text(&mut bytes, "general.alignment");
    bytes.extend([4_u32, 64].map(u32::to_le_bytes).concat());
    text(&mut bytes, "general.name");
    bytes.extend(8_u32.to_le_bytes());
    text(&mut bytes, "a small one");
    text(&mut bytes, "tokens");
    bytes.extend([9_u32, 8].map(u32::to_le_bytes).concat());
    bytes.extend(2_u64.to_le_bytes());
    text(&mut bytes, "to");
    text(&mut bytes, "ken");
    let tensors: [(&str, &[u64], u32, usize); 4] = [
        ("norm", &[10], 0, 40),
        ("up", &[128, 64], 2, 128 * 64 / 32 * 18),
        ("down", &[64, 64, 2], 2, 64 * 128 / 32 * 18),
        ("six", &[256, 3], 14, 630),
    ];
    let mut data = Vec::new();
    for (name, extents, kind, size) in tensors {
        text(&mut bytes, name);
        bytes.extend((extents.len() as u32).to_le_bytes());
        extents.iter().for_each(|extent| bytes.extend(extent.to_le_bytes()));
        bytes.extend(kind.to_le_bytes());
        bytes.extend((data.len() as u64).to_le_bytes());
        data.extend(random(kind.into(), size));
        if name != "six" {
            data.resize(data.len().next_multiple_of(64), 0);
        }
    }
    bytes.resize(bytes.len().next_multiple_of(64), 0);
    bytes.extend(data);
    bytes
}

fn only(folder: &Path, files: usize) {
    let names: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names.len(), files, "{names:?}");
}

#[test]
fn a_model_goes_round() {
    let folder = folder("round");
    let at = |name: &str| folder.join(name);
    fs::write(at("model.gguf"), gguf()).unwrap();
    let steps = [
        ("model.gguf", "rows.safetensors", "nibbles"),
        ("rows.safetensors", "tiles.safetensors", "marlin"),
        ("model.gguf", "tiles-at-once.safetensors", "marlin"),
        ("tiles.safetensors", "rows-again.safetensors", "nibbles"),
        ("tiles.safetensors", "again.gguf", "q4_0"),
        ("rows.safetensors", "and-again.gguf", "q4_0"),
    ];
    for (from, to, packing) in steps {
        let output = repack(&at(from), &at(to), packing);
        assert!(output.status.success(), "{from} to {to}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let read = |name: &str| fs::read(at(name)).unwrap();
    assert!(read("again.gguf") == gguf() && read("and-again.gguf") == gguf());
    for (a, b) in [("rows.safetensors", "rows-again.safetensors"), ("tiles.safetensors", "tiles-at-once.safetensors")] {
        let (a, b) = (read(a), read(b));
        let (a, b) =
            (safetensors::SafeTensors::deserialize(&a).unwrap(), safetensors::SafeTensors::deserialize(&b).unwrap());
        assert_eq!(a.len(), 6);
        a.names().iter().for_each(|name| assert_eq!(a.tensor(name).unwrap(), b.tensor(name).unwrap()));
    }
    only(&folder, 7);
}

#[test]
fn files_that_lie_are_refused() {
    let folder = folder("lies");
    let (from, to) = (folder.join("from"), folder.join("to"));
    let refused = |bytes: &[u8], packing: &str| {
        fs::write(&from, bytes).unwrap();
        let output = repack(&from, &to, packing);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1), "{packing}: {said}");
        only(&folder, 1);
        said
    };
    let whole = gguf();
    fs::write(&from, &whole).unwrap();
    let rows = folder.join("rows");
    assert!(repack(&from, &rows, "nibbles").status.success());
    let tensors = fs::read(&rows).unwrap();
    fs::remove_file(&rows).unwrap();
    for k in 0..12 {
        refused(&whole[..whole.len() * k / 12], "nibbles");
        refused(&tensors[..tensors.len() * k / 12], "marlin");
    }
    assert!(refused(&whole[..whole.len() - 1], "nibbles").contains("lie beyond its end"));
    assert!(refused(&[&tensors[..], b"\0"].concat(), "marlin").contains("announces"));
    assert!(refused(&whole, "q4_0").contains("nothing to do"));
    // More tensors, longer names, larger extents than there is room for.
    let at = |text: &[u8]| whole.windows(text.len()).position(|window| window == text).unwrap();
    for place in [8, 16, 24, at(b"up") - 8, at(b"up") + 2 + 4, at(b"up") + 2 + 12, at(b"up") + 2 + 24] {
        let mut lie = whole.clone();
        lie[place..place + 8].copy_from_slice(&(u64::MAX / 3).to_le_bytes());
        refused(&lie, "nibbles");
    }
}

/// Bytes changed at random: an answer or a refusal, never a panic, and nothing half written.
#[test]
fn hostile_headers() {
    let folder = folder("hostile");
    let (from, to) = (folder.join("from"), folder.join("to"));
    let whole = gguf();
    fs::write(&from, &whole).unwrap();
    assert!(repack(&from, &to, "nibbles").status.success());
    let tensors = fs::read(&to).unwrap();
    fs::remove_file(&to).unwrap();
    let places = random(1, 1200);
    for (k, place) in places.chunks_exact(6).enumerate() {
        let (original, packing) =
            if k % 2 == 0 { (&whole, "marlin") } else { (&tensors, ["marlin", "q4_0"][k / 2 % 2]) };
        let mut bytes = original.clone();
        let header = if k % 2 == 0 { 400 } else { 2400 };
        for change in place.chunks_exact(3).take(1 + k % 2) {
            let at = usize::from(change[0]) * 256 + usize::from(change[1]);
            bytes[at % header] = change[2];
        }
        fs::write(&from, bytes).unwrap();
        let output = repack(&from, &to, packing);
        match output.status.code() {
            Some(0) => fs::remove_file(&to).unwrap(),
            Some(1) => {}
            code => panic!("{k}: {code:?}: {}", String::from_utf8_lossy(&output.stderr)),
        }
        only(&folder, 1);
    }
}
