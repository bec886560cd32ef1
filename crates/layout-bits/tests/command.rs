//! The command `layout-repack`: files there and back, and files that lie.

#[path = "../../../fuzz/bodies/draw.rs"]
mod draw;
#[allow(dead_code, reason = "the files, and not their reader")]
#[path = "../../../fuzz/bodies/gguf.rs"]
mod model;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use draw::Draw;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
fn repack(from: &Path, to: &Path, packing: &str) -> Output {
    let command = env!("CARGO_BIN_EXE_layout-repack");
    Command::new(command)
        .args([from, to])
        .args(["--quiet", "--to"])
        .args(packing.split(' '))
        .output()
        .unwrap()
}
fn succeeds(from: &Path, to: &Path, packing: &str) -> String {
    let output = repack(from, to, packing);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{packing}: {said}");
    said
}
fn fails(from: &Path, to: &Path, packing: &str) -> String {
    let output = repack(from, to, packing);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{packing}: {said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    said
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
    let names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name()).collect();
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
        assert!(
            output.status.success(),
            "{from} to {to}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let read = |name: &str| fs::read(at(name)).unwrap();
    assert!(read("again.gguf") == gguf() && read("and-again.gguf") == gguf());
    for (a, b) in [
        ("rows.safetensors", "rows-again.safetensors"),
        ("tiles.safetensors", "tiles-at-once.safetensors"),
    ] {
        let (a, b) = (read(a), read(b));
        let (a, b) = (
            safetensors::SafeTensors::deserialize(&a).unwrap(),
            safetensors::SafeTensors::deserialize(&b).unwrap(),
        );
        assert_eq!(a.len(), 6);
        a.names()
            .iter()
            .for_each(|name| assert_eq!(a.tensor(name).unwrap(), b.tensor(name).unwrap()));
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
    assert!(refused(&whole[..whole.len() - 1], "nibbles").contains("and the file has"));
    assert!(
        refused(&[&tensors[..], b"\0"].concat(), "marlin").contains("and behind its header are")
    );
    assert!(refused(&whole, "q4_0").contains("nothing to do"));
    // More tensors, longer names, larger extents than there is room for.
    let at = |text: &[u8]| whole.windows(text.len()).position(|window| window == text).unwrap();
    for place in
        [8, 16, 24, at(b"up") - 8, at(b"up") + 2 + 4, at(b"up") + 2 + 12, at(b"up") + 2 + 24]
    {
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

/// The header of a file of these tensors, each a name, extents, a type and a place.
fn header(tensors: &[(&str, &[u64], u32, u64)]) -> Vec<u8> {
    let mut bytes =
        [&b"GGUF\x03\0\0\0"[..], &(tensors.len() as u64).to_le_bytes(), &[0; 8]].concat();
    for (name, extents, kind, place) in tensors {
        bytes.extend((name.len() as u64).to_le_bytes());
        bytes.extend(name.bytes());
        bytes.extend((extents.len() as u32).to_le_bytes());
        extents.iter().for_each(|extent| bytes.extend(extent.to_le_bytes()));
        bytes.extend(kind.to_le_bytes());
        bytes.extend(place.to_le_bytes());
    }
    bytes
}
fn file(tensors: &[(&str, &[u64], u32, u64)], data: usize) -> Vec<u8> {
    let mut bytes = header(tensors);
    bytes.resize(bytes.len().next_multiple_of(32), 0);
    bytes.extend(random(5, data));
    bytes
}

/// Files of all sorts, there and back by both packings: the same bytes, and equal runs make equal
/// files.
#[test]
fn drawn_files_go_round() {
    let folder = folder("drawn");
    let [from, rows, again, tiles, back] =
        ["from", "rows", "again", "tiles", "back"].map(|name| folder.join(name));
    let read = |path: &Path| fs::read(path).unwrap();
    let day = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs() / 86400);
    let seed = std::env::var("PROPTEST_RNG_SEED").map_or(day, |seed| seed.parse().unwrap());
    println!("the seed of what is drawn: PROPTEST_RNG_SEED={seed}");
    let (mut round, mut refused) = (0, 0);
    for k in 0..60 {
        let bytes =
            model::model(&mut Draw::new(&random(seed.wrapping_mul(1000).wrapping_add(k), 600)));
        fs::write(&from, &bytes).unwrap();
        if layout_bits::gguf::Header::read(&bytes[..], bytes.len() as u64).is_err() {
            fails(&from, &rows, "nibbles --skip-unfit");
            refused += 1;
            continue;
        }
        succeeds(&from, &rows, "nibbles");
        succeeds(&from, &again, "nibbles");
        assert!(read(&rows) == read(&again), "two runs differ, draw {k}");
        succeeds(&rows, &tiles, "marlin --skip-unfit");
        for packed in [&rows, &tiles] {
            succeeds(packed, &back, "q4_0");
            assert!(read(&back) == bytes, "draw {k}");
        }
        succeeds(&tiles, &again, "nibbles");
        assert!(read(&rows) == read(&again), "draw {k}");
        round += 1;
    }
    println!("{round} files went round, {refused} were refused");
    assert!(round > 20, "{round}");
}

#[test]
fn a_stored_header_that_lies() {
    let folder = folder("stored");
    let (from, to) = (folder.join("from"), folder.join("to"));
    let stored = |place: u64, more: &str| {
        let mut gguf = header(&[("a", &[4], 0, place)]);
        gguf.resize(gguf.len().next_multiple_of(32), 0);
        let gguf: String = gguf.iter().map(|byte| format!("{byte:02x}")).collect();
        let tensor = r#""a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}"#;
        let text =
            format!(r#"{{"__metadata__":{{"gguf":"{gguf}","packing":"nibbles"{more}}},{tensor}}}"#);
        let bytes = [&(text.len() as u64).to_le_bytes()[..], text.as_bytes(), &[7; 16]].concat();
        fs::write(&from, bytes).unwrap();
    };
    for place in [1 << 62, 1 << 40, 1 << 31, 1 << 12] {
        for more in [
            "".into(),
            format!(r#","gguf_length":"{}""#, place + 80),
            r#","gguf_length":"112""#.into(),
        ] {
            stored(place, &more);
            // With little memory, and a limit to what is written.
            let command = format!(
                "ulimit -v 4000000 -f 100 -c 0; exec {} {} {} --to q4_0 --quiet",
                env!("CARGO_BIN_EXE_layout-repack"),
                from.display(),
                to.display()
            );
            let output = Command::new("sh").args(["-c", &command]).output().unwrap();
            assert_eq!(
                output.status.code(),
                Some(1),
                "{place} {}",
                String::from_utf8_lossy(&output.stderr)
            );
            only(&folder, 1);
        }
    }
    stored(0, "");
    assert!(
        succeeds(&from, &to, "q4_0")
            .contains("has no length of the GGUF file, which ends with its last tensor")
    );
    assert_eq!(fs::read(&to).unwrap().len(), 64 + 16);
}

#[test]
fn names_that_collide() {
    let folder = folder("names");
    let (from, to) = (folder.join("from"), folder.join("to"));
    let said = |tensors: &[(&str, &[u64], u32, u64)], data: usize| {
        fs::write(&from, file(tensors, data)).unwrap();
        let said = fails(&from, &to, "nibbles");
        only(&folder, 1);
        said
    };
    assert!(
        said(&[("a", &[4], 0, 0), ("a", &[8], 0, 32)], 64)
            .contains("two tensors have the name \"a\"")
    );
    let many: Vec<_> = (0..300).map(|_| ("a", &[0_u64][..], 0, 0)).collect();
    assert!(said(&many, 0).contains("two tensors have the name \"a\""));
    let planes = said(&[("a", &[32], 2, 0), ("a.weight_packed", &[4], 0, 32)], 48);
    assert!(
        planes
            .contains("a and a.weight_packed would both be stored under the name a.weight_packed"),
        "{planes}"
    );
    assert!(
        said(&[("__metadata__", &[4], 0, 0)], 16).contains("__metadata__ is the name of a tensor")
    );
    // Names of planes where there is no matrix are names like any other.
    let bytes = file(
        &[("a", &[4], 0, 0), ("a.weight_packed", &[4], 0, 32), ("gguf.gaps", &[2], 0, 64)],
        72,
    );
    let bytes = [
        &bytes[..bytes.len() - 72],
        &[&[1; 16][..], &[0; 16], &[2; 16], &[0; 16], &[3; 8]].concat(),
    ]
    .concat();
    fs::write(&from, &bytes).unwrap();
    let back = folder.join("back");
    succeeds(&from, &to, "marlin");
    succeeds(&to, &back, "q4_0");
    assert!(fs::read(&back).unwrap() == bytes);
}

/// A matrix that the packing does not fit is named, or copied and named.
#[test]
fn matrices_that_do_not_fit() {
    let folder = folder("unfit");
    let [from, to, back] = ["from", "to", "back"].map(|name| folder.join(name));
    let bytes = file(&[("wide", &[64, 64], 2, 0), ("narrow", &[32, 3], 2, 2304)], 2304 + 54);
    fs::write(&from, &bytes).unwrap();
    let said = fails(&from, &to, "marlin");
    let why = "narrow: no format marlin: 3 columns are no multiple of 64; --skip-unfit copies \
               such tensors";
    assert!(said.contains(why), "{said}");
    only(&folder, 1);
    let said = succeeds(&from, &to, "marlin --skip-unfit");
    assert!(
        said.contains("narrow is copied as blocks of Q4_0: no format marlin: 3 columns are"),
        "{said}"
    );
    let tensors = fs::read(&to).unwrap();
    let tensors = safetensors::SafeTensors::deserialize(&tensors).unwrap();
    assert_eq!(tensors.tensor("narrow").unwrap().data(), &bytes[bytes.len() - 54..]);
    assert_eq!(tensors.tensor("wide.weight_packed").unwrap().shape(), [4, 128]);
    succeeds(&to, &back, "q4_0");
    assert!(fs::read(&back).unwrap() == bytes);
    // Rows of nibbles fit both.
    assert_eq!(succeeds(&to, &back, "nibbles"), "");
    succeeds(&from, &to, "nibbles");
    assert!(fs::read(&back).unwrap() == fs::read(&to).unwrap());
}

/// What is said of files that are no files of weights.
#[test]
fn sentences() {
    let folder = folder("sentences");
    let (from, to) = (folder.join("from"), folder.join("to"));
    let said = |bytes: &[u8]| {
        fs::write(&from, bytes).unwrap();
        fails(&from, &to, "nibbles")
    };
    assert!(said(b"").contains("its 0 bytes are neither a GGUF file nor a safetensors file"));
    assert!(said(b"GG").contains("its 2 bytes are neither"));
    let version = |version: u32| [&b"GGUF"[..], &version.to_le_bytes(), &[0; 16]].concat();
    assert!(
        said(&version(50331648))
            .contains("its numbers are of version 3 with the highest byte first")
    );
    assert!(said(&version(4)).contains("version 4 of GGUF is neither 2 nor 3"));
    let alignment = |kind: u32, value: u32| {
        let mut bytes = [&b"GGUF\x03\0\0\0"[..], &[0; 8], &1_u64.to_le_bytes()].concat();
        bytes.extend(17_u64.to_le_bytes());
        bytes.extend(b"general.alignment");
        bytes.extend([kind, value].map(u32::to_le_bytes).concat());
        said(&bytes)
    };
    assert!(alignment(4, 24).contains("its alignment 24 is no power of two"));
    assert!(alignment(4, 0).contains("its alignment 0 is no power of two"));
    assert!(
        alignment(5, 32)
            .contains("its alignment is of type 5, and not an integer of 32 bits, type 4")
    );
    let escape = said(&file(&[("a\n\x1b[2J", &[4], 0, 64)], 16));
    assert!(
        escape.contains("the 16 bytes of \"a\\n\\u{1b}[2J\" begin 64 bytes behind byte"),
        "{escape}"
    );
    assert!(said(&file(&[("__metadata__\n", &[33], 2, 0)], 32)).contains("rows of 33 elements"));
    let scalar = header(&[("a", &[], 2, 0)]);
    assert!(
        said(&scalar)
            .contains("\"a\" has rows of 1 elements, no multiple of 32 as q4_0 has to have")
    );
    assert!(fails(&folder, &to, "nibbles").contains("it is no file with a length of its own"));
    assert!(fails(&folder.join("none"), &to, "nibbles").contains("No such file"));
    fs::write(&from, file(&[], 0)).unwrap();
    assert!(fails(&from, &folder, "nibbles").contains("what is to be written is a folder"));
    assert!(fails(&from, &folder.join("none/to"), "nibbles").contains("none/to: No such file"));
}

/// Of a file whose header is wrong, no more than the header is read.
#[cfg(target_os = "linux")]
#[test]
fn headers_of_large_files() {
    let folder = folder("large");
    let (from, to) = (folder.join("from"), folder.join("to"));
    let wrong: [(&[u8], &str); 3] = [
        (&file(&[("a", &[4], 99, 0)], 16), "is of type 99, which is unknown"),
        (
            &[&b"GGUF\x03\0\0\0"[..], &[0; 8], &u64::MAX.to_le_bytes()].concat(),
            "two values have the key \"\"",
        ),
        (&[&(1_u64 << 32).to_le_bytes()[..], b"{"].concat(), "of which 100000000 are read"),
    ];
    for (bytes, why) in wrong {
        fs::write(&from, bytes).unwrap();
        fs::OpenOptions::new().write(true).open(&from).unwrap().set_len(6 << 30).unwrap();
        let command = format!(
            "ulimit -v 400000; exec {} {} {} --to nibbles --quiet",
            env!("CARGO_BIN_EXE_layout-repack"),
            from.display(),
            to.display()
        );
        let output = Command::new("sh").args(["-c", &command]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains(why), "{said}");
        only(&folder, 1);
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::os::unix::process::ExitStatusExt;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }
    fn chmod(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn outputs_keep_what_they_are() {
        let folder = folder("outputs");
        let [from, to, link, pipe] = ["from", "to", "link", "pipe"].map(|name| folder.join(name));
        fs::write(&from, gguf()).unwrap();
        for (of, there, expected) in [
            (0o600, None, 0o600),
            (0o640, None, 0o640),
            (0o600, Some(0o644), 0o600),
            (0o644, Some(0o600), 0o600),
        ] {
            let _ = fs::remove_file(&to);
            chmod(&from, of);
            if let Some(there) = there {
                fs::write(&to, b"").unwrap();
                chmod(&to, there);
            }
            succeeds(&from, &to, "nibbles");
            assert_eq!(mode(&to), expected, "{of:o} {there:?}");
        }
        let rows = fs::read(&to).unwrap();
        // Behind a link is a file.
        fs::write(&to, b"").unwrap();
        symlink(&to, &link).unwrap();
        succeeds(&from, &link, "nibbles");
        assert!(
            fs::symlink_metadata(&link).unwrap().is_symlink() && fs::read(&to).unwrap() == rows
        );
        fs::remove_file(&to).unwrap();
        assert!(fails(&from, &link, "nibbles").contains("a link to a file that is not there"));
        fs::remove_file(&link).unwrap();
        // A pipe has what is written to it, and stays a pipe.
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader =
            Command::new("cat").arg(&pipe).stdout(std::process::Stdio::piped()).spawn().unwrap();
        succeeds(&from, &pipe, "nibbles");
        assert!(reader.wait_with_output().unwrap().stdout == rows);
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
        assert!(fails(&pipe, &to, "nibbles").contains("no file with a length of its own"));
        // So does a device; only root makes one.
        let null = folder.join("null");
        if Command::new("mknod").arg(&null).args(["c", "1", "3"]).output().unwrap().status.success()
        {
            succeeds(&from, &null, "nibbles");
            assert!(fs::symlink_metadata(&null).unwrap().file_type().is_char_device());
            fs::remove_file(&null).unwrap();
        }
        only(&folder, 2);
    }

    #[test]
    fn signals_remove_what_is_half_written() {
        let folder = folder("signals");
        let (from, to) = (folder.join("from"), folder.join("to"));
        // All of it is a hole, which is copied as zeros.
        let floats: u64 = 64 << 20;
        fs::write(&from, file(&[("a", &[floats], 0, 0)], 0)).unwrap();
        let length = fs::metadata(&from).unwrap().len() + 4 * floats;
        fs::OpenOptions::new().write(true).open(&from).unwrap().set_len(length).unwrap();
        let signal = |name: &str, id: u32| {
            assert!(Command::new("kill").args([name, &id.to_string()]).status().unwrap().success());
        };
        // What a shell that starts jobs in the background ignores, as SIGINT, stays ignored.
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
        for (name, number) in [("-INT", 2), ("-TERM", 15)] {
            if ignored >> (number - 1) & 1 == 1 {
                continue;
            }
            let command = Command::new(env!("CARGO_BIN_EXE_layout-repack"))
                .args([&from, &to])
                .args(["--to", "nibbles", "--quiet"])
                .spawn();
            let mut child = command.unwrap();
            let parts = || fs::read_dir(&folder).unwrap().count();
            while parts() < 2 && child.try_wait().unwrap().is_none() {
                std::thread::yield_now();
            }
            signal("-STOP", child.id());
            assert!(parts() == 2 && !to.exists(), "it was stopped while it wrote");
            signal(name, child.id());
            signal("-CONT", child.id());
            assert_eq!(child.wait().unwrap().signal(), Some(number));
            only(&folder, 1);
        }
    }
}
