//! Programs with one mistake each: what the compiler says about them is part of the crate.
//!
//! A file of `ui-tests` is named after its mistake and has the expected message beside it.
//! `TRYBUILD=overwrite` writes the messages anew; read them before they are committed.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use measure::Compiler;

#[path = "../../benches/compile_cost/measure.rs"]
#[allow(dead_code, reason = "the bench uses all of it")]
mod measure;

/// What the first three lines of a message must not show: typenum's bits, and what the library
/// keeps to itself.
const HIDDEN: &[&str] =
    &["UInt<", "UTerm", "B0", "B1", "__private", "the trait bound", "overflow evaluating"];

/// The folder of the crate.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder above that of the programs")
}

/// The programs of `ui-tests`, sorted by name.
fn programs() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("ui-tests")).expect("the folder of programs");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut programs: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "rs")).collect();
    programs.sort();
    assert!(!programs.is_empty(), "no programs in ui-tests");
    programs
}

/// Every program fails to compile with exactly the message beside it.
///
/// All of them are compiled as one file first, a module each, which costs the compiler what a few
/// of them cost: loading the library is most of it. A program that gets its message there is as it
/// should be. An error of one may keep the compiler from looking at others, so what is left is
/// compiled again, as long as that settles any. Any other program is compiled by itself. What does
/// not get its message there either goes to trybuild, which decides, and shows how they differ; so
/// do all of them with `TRYBUILD=overwrite`.
#[test]
fn messages() {
    let pinned =
        fs::read_to_string(root().join("rust-toolchain.toml")).expect("the pinned toolchain");
    let pinned = pinned
        .lines()
        .find_map(|line| line.strip_prefix("channel = "))
        .expect("a channel")
        .trim_matches('"');
    let version = Command::new(measure::rustc()).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8(version.stdout).expect("a version in UTF-8");
    assert!(
        version.starts_with(&format!("rustc {pinned} ")),
        "the messages are those of rustc {pinned}, not of {version}: run this test with the pinned toolchain"
    );
    let all = programs();
    // What is about another package than the library is compiled by trybuild.
    let (mut left, others) = all
        .iter()
        .cloned()
        .partition::<Vec<_>, _>(|program| !name(program).starts_with("rearrange-"));
    if std::env::var_os("TRYBUILD").is_none()
        && !std::env::args().any(|argument| argument.starts_with("trybuild="))
    {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages");
        let rust = Compiler::rust(&folder);
        loop {
            let before = left.len();
            let said = together(&rust, &left);
            left.retain(|program| !settled(program, &said));
            if left.is_empty() || left.len() == before {
                break;
            }
        }
        println!("{} programs, {} of them compiled by themselves", all.len(), left.len());
        left.retain(|program| !settled(program, &together(&rust, std::slice::from_ref(program))));
    }
    left.extend(others);
    if !left.is_empty() {
        let tests = trybuild::TestCases::new();
        for program in left {
            tests.compile_fail(name(&program));
        }
    }
}

fn name(program: &Path) -> &str {
    program.file_name().and_then(|name| name.to_str()).expect("a name of letters")
}

/// Whether what is said of the program is the message beside it.
fn settled(program: &Path, said: &BTreeMap<OsString, Vec<String>>) -> bool {
    let message = fs::read_to_string(program.with_extension("stderr")).unwrap_or_default();
    said.get(program.file_name().expect("a file name")) == Some(&essence(&message))
}

/// What the compiler says of each of the programs, compiled as one file.
fn together(rust: &Compiler, programs: &[PathBuf]) -> BTreeMap<OsString, Vec<String>> {
    let mut file = String::from("#![allow(warnings)]\n");
    for (number, program) in programs.iter().enumerate() {
        file += &format!("#[path = {program:?}]\nmod program_{number};\n");
    }
    let errors = rust.errors("all", &file).unwrap_or_default();
    let mut said = BTreeMap::<_, Vec<_>>::new();
    for error in errors.split("\n\n") {
        let place = error.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
        let place =
            place.and_then(|place| Path::new(place).file_name()?.to_str()?.split(':').next());
        if let Some(place) = place {
            said.entry(place.into()).or_default().extend(essence(error));
        }
    }
    said
}

/// The lines of a message, without what depends on where the files lie, on the numbers of the
/// library's lines, and so on how far the text is indented; of a path the last name alone, since
/// how much more the compiler writes depends on what else there is.
fn essence(message: &str) -> Vec<String> {
    let summary = [
        "error: aborting due to",
        "error: could not compile",
        "For more information",
        "Some errors have",
    ];
    let lines = message
        .lines()
        .filter(|line| !line.is_empty() && !summary.iter().any(|start| line.starts_with(start)));
    // Of a list, trybuild writes the first 8 items, and how many others there are.
    let mut items = 0;
    let lines = lines.filter(move |line| {
        let item = line.starts_with("            ") && !line.contains('|');
        items = if item { items + 1 } else { 0 };
        items <= 8 && !(line.trim_start().starts_with("and ") && line.ends_with(" others"))
    });
    let line = |line: &str| {
        let text = line.trim_start_matches(|letter: char| letter == ' ' || letter.is_ascii_digit());
        if let Some((arrow, place)) =
            text.split_once(' ').filter(|(arrow, _)| ["-->", ":::"].contains(arrow))
        {
            let file = place.rsplit('/').next().unwrap_or_default();
            // A program's own lines count.
            let own = place.contains("ui-tests/") || !place.contains('/');
            return format!(
                "{arrow} {}",
                if own { file } else { file.split(':').next().unwrap_or_default() }
            );
        }
        let text = if text.starts_with(['|', '=']) { text } else { line };
        let names = text
            .split_inclusive(|letter: char| !(letter.is_alphanumeric() || "_:".contains(letter)));
        let names: String =
            names.map(|name| name.rsplit("::").next().unwrap_or_default()).collect();
        names.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    lines.map(line).collect()
}

/// The constructors and functions whose signatures say what they give, so that the compiler goes on
/// with a result of a wrong argument; and the programs in which it then says more. All other
/// programs have one error.
const FOLLOWED: &[(&str, &str)] = &[
    ("StridedLayout::new", "incongruent-and-composed layout-of-i32-and-a-literal-used-further"),
    ("StridedLayout::left", "compact-layout-of-i32-and-coalesced"),
    ("StridedLayout::ordered", "ordered-layout-by-a-string"),
    (
        "ComposedLayout::new",
        "composed-layout-of-a-shape-and-indexed composed-layout-under-a-number-and-indexed",
    ),
    ("Swizzle::compose", "swizzle-of-a-shape-and-indexed swizzle-of-a-swizzled-layout-in-a-tensor"),
    ("Tiler::new", "tiler-of-a-string-used-further"),
    ("identity", "identity-of-a-layout-used-further identity-of-i32"),
    ("idx2crd", "idx2crd-of-i32"),
    ("crd2idx", "crd2idx-in-i32"),
    ("crd2crd", "crd2crd-of-i32"),
    ("Tensor::new", "tensor-of-a-number-and-composed tensor-of-a-shape-and-indexed"),
    ("Tensor::fixed", "tensor-fixed-on-a-number-and-sliced"),
    ("Tensor::filled", "tensor-filled-under-a-shape-and-indexed"),
    ("Tensor::from_raw", "tensor-from-raw-under-an-identity-layout"),
    ("Tensor::with_layout", "with-layout-of-a-number"),
    ("Tensor::partition_tv", "partition-tv-by-a-number"),
    ("Tensor::local_tile", "tensor-local-tile-without-a-bound"),
    ("Tensor::local_tile_by", "tensor-step-of-another-rank"),
    ("make_layout_tv", "layout-tv-of-a-number layout-tv-of-dynamic-threads"),
    ("make_tiled_copy", "atom-tiled-copy-of-dynamic-threads"),
    ("make_tiled_mma", "atom-tiled-mma-of-a-number atom-tiled-mma-permuted-by-a-tuple"),
];

/// The files of `ui-tests/kinds`: many mistakes of one kind, a module each.
fn kinds() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("ui-tests/kinds")).expect("the folder of kinds");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut kinds: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "rs")).collect();
    kinds.sort();
    kinds
}

/// First lines in which rustc names a type in full, and no attribute of a trait has a say.
const OF_RUSTC: &[&str] = &["cannot assign to data in an index of"];

/// Each module of a kind has as many errors as it says, and the file has the messages beside it:
/// the mistakes that are too many for a file each. `TRYBUILD=overwrite` writes the messages.
#[test]
fn mistakes_by_kind() {
    let rust = Compiler::rust(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("kinds"));
    let (mut faults, mut mistakes) = (Vec::new(), 0);
    for kind in kinds() {
        let name = kind.file_stem().expect("a name").to_string_lossy().into_owned();
        let source = fs::read_to_string(&kind).expect("a file of mistakes");
        let text = rust.errors(&name, &source).unwrap_or_default();
        let lines: Vec<_> = source.lines().collect();
        // The line of each module, its name, and how many errors it says.
        let mut modules: Vec<(usize, &str, usize, usize)> = Vec::new();
        for (at, pair) in lines.windows(2).enumerate() {
            let Some(module) =
                pair[1].strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {"))
            else {
                continue;
            };
            let said =
                pair[0].strip_prefix("// ").and_then(|rest| rest.split(' ').next()?.parse().ok());
            modules.push((
                at + 2,
                module,
                said.unwrap_or_else(|| panic!("{name}: {module} says no count")),
                0,
            ));
        }
        mistakes += modules.len();
        let own = format!("{name}.rs:");
        let mut expected = Vec::new();
        for error in
            text.split("\n\n").filter(|error| error.starts_with("error") && error.contains("--> "))
        {
            let first = error.lines().next().unwrap_or_default();
            let place = error
                .split(own.as_str())
                .nth(1)
                .and_then(|rest| rest.split(':').next()?.parse().ok());
            let line: usize =
                place.unwrap_or_else(|| panic!("{name}: an error without a place: {error}"));
            let module = modules.partition_point(|(begin, ..)| *begin <= line) - 1;
            modules[module].3 += 1;
            expected.extend(essence(error));
            if ["UInt<", "RefusedLayout"].iter().any(|bits| first.contains(bits))
                && !of_rustc(first)
            {
                faults.push(format!("{name}, {}: {first}", modules[module].1));
            }
        }
        let counts = modules.iter().filter(|(.., said, errors)| said != errors);
        faults.extend(counts.map(|(_, module, said, errors)| {
            format!("{name}, {module}: {errors} errors, not {said}")
        }));
        let beside = kind.with_extension("stderr");
        if std::env::var("TRYBUILD").is_ok_and(|mode| mode == "overwrite") {
            fs::write(&beside, expected.join("\n") + "\n").expect("the messages are written");
        }
        let message = fs::read_to_string(&beside).unwrap_or_default();
        let found: Vec<_> = message.lines().collect();
        if let Some(at) = (0..found.len().max(expected.len()))
            .find(|at| found.get(*at).copied() != expected.get(*at).map(|line| line.as_str()))
        {
            faults.push(format!(
                "{name}: the messages differ from line {} on: {:?}",
                at + 1,
                expected.get(at)
            ));
        }
    }
    assert!(mistakes >= 66, "only {mistakes} mistakes were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
fn of_rustc(first: &str) -> bool {
    OF_RUSTC.iter().any(|start| first.contains(start))
}

/// No message begins with typenum's bits, or with what stands in for a refused layout.
#[test]
fn no_bits_in_any_first_line() {
    for program in programs().into_iter().chain(kinds()) {
        let message = fs::read_to_string(program.with_extension("stderr"))
            .expect("a message beside each program");
        let first = message.lines().next().unwrap_or_default();
        let hidden =
            ["UInt<", "UTerm", "RefusedLayout"].iter().any(|hidden| first.contains(hidden));
        assert!(first.starts_with("error") && !hidden, "{}: {first}", program.display());
    }
}

/// No two public types or traits have one name: rustc would write the paths of both, and speak of *different
/// versions of a crate*.
#[test]
fn public_names_are_unique() {
    let mut places = BTreeMap::<_, BTreeSet<_>>::new();
    let spaces = ["Registers", "Shared", "Global", "Generic", "Anywhere"];
    let spaces = spaces.map(|space| (root().join("src/tensor/space"), space.to_owned()));
    for (module, name) in exported().into_iter().chain(spaces) {
        let declares = |source: &str| {
            let row = format!("\n    {name}: ");
            let word = |rest: &str| !rest.starts_with(|letter: char| letter.is_alphanumeric());
            let kinds = ["struct", "enum", "trait"].map(|kind| format!("pub {kind} {name}"));
            (module.ends_with("space") && source.contains(&row))
                || kinds.iter().any(|kind| source.split(kind.as_str()).skip(1).any(word))
        };
        // A public module hands on what one of its files declares.
        let declaring = files(&module)
            .into_iter()
            .filter(|file| declares(&fs::read_to_string(file).expect("a source")));
        places.entry(name.clone()).or_default().extend(declaring);
    }
    assert!(places["Shared"].len() == 1, "the spaces are read");
    let twice: Vec<_> = places.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
}
/// The files of the module at this path: its own, and those of its folder.
fn files(module: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> =
        Some(module.with_extension("rs")).into_iter().filter(|file| file.exists()).collect();
    for entry in fs::read_dir(module).into_iter().flatten() {
        all.extend(files(&entry.expect("an entry of a module").path().with_extension("")));
    }
    all
}

/// One mistake, in a program short enough to see it, gives one error, and its first line speaks the
/// user's language.
#[test]
fn one_mistake_one_error() {
    let mut faults = Vec::new();
    for program in programs() {
        let name = program.file_name().expect("a file name").to_string_lossy().into_owned();
        let source = fs::read_to_string(&program).expect("a program");
        if source.lines().count() > 10 {
            faults.push(format!("{name}: more than ten lines"));
        }
        let Ok(message) = fs::read_to_string(program.with_extension("stderr")) else {
            faults.push(format!("{name}: no message beside it"));
            continue;
        };
        let errors = message.lines().filter(|line| line.starts_with("error")).count();
        let stem = name.trim_end_matches(".rs");
        let followed =
            FOLLOWED.iter().any(|(_, programs)| programs.split(' ').any(|program| program == stem));
        if (errors > 1) != followed || errors == 0 {
            faults.push(format!("{name}: {errors} errors"));
        }
        let first = message.lines().next().unwrap_or_default();
        if !first.starts_with("error") {
            faults.push(format!("{name}: begins with `{first}`"));
        }
        for line in message.lines().take(3) {
            for hidden in HIDDEN.iter().filter(|hidden| line.contains(**hidden)) {
                faults.push(format!("{name}: `{hidden}` in the first lines"));
            }
            // A public name is written with its crate, a private one with its module.
            let mut paths = line.split("layout_algebra::").skip(1);
            if paths.any(|path| path.starts_with(|letter: char| letter.is_lowercase())) {
                faults.push(format!("{name}: the path of a module in the first lines"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Each reason of the table has a program whose message it is.
#[test]
fn every_reason_has_a_program() {
    let table =
        fs::read_to_string(root().join("src/reasons/table.rs")).expect("the table of reasons");
    let table = table.split("// TEMPORARY").next().expect("the rows before");
    let rows = table.lines().filter_map(|line| line.strip_prefix("    ")?.split_once('('));
    let reasons: Vec<_> =
        rows.map(|(name, _)| name).filter(|name| name.chars().all(char::is_alphanumeric)).collect();
    assert!(reasons.len() > 30, "{reasons:?}: the rows of the table are read");
    let messages: Vec<_> = programs()
        .iter()
        .map(|program| {
            fs::read_to_string(program.with_extension("stderr"))
                .expect("a message beside each program")
        })
        .collect();
    let met = |reason: &str| {
        let named = [format!("::{reason}<"), format!("::{reason}`")];
        messages.iter().any(|message| named.iter().any(|name| message.contains(name.as_str())))
    };
    let unmet: Vec<_> = reasons.into_iter().filter(|reason| !met(reason)).collect();
    assert!(unmet.is_empty(), "no program has a message of {unmet:?}");
}

/// The public modules: the file that says what is exported, and the folder that the paths in it
/// start from.
const FACES: &[(&str, &str)] = &[
    ("src/lib.rs", "src"),
    ("src/tensor/mod.rs", "src/tensor"),
    ("src/analysis/mod.rs", "src/analysis"),
    ("src/atom/mod.rs", "src/atom"),
];

/// The names that a user can write, each with the path of the module that it is exported from.
fn exported() -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    for (face, folder) in FACES {
        let text = fs::read_to_string(root().join(face)).expect("a public module");
        for item in text.split("pub use ").skip(1).filter_map(|item| item.split(';').next()) {
            let (module, names) = item.rsplit_once("::").unwrap_or((item, ""));
            let module = root().join(folder).join(module.replace("::", "/"));
            let names = names.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            all.extend(
                names.filter(|name| !name.is_empty()).map(|name| (module.clone(), name.to_owned())),
            );
        }
    }
    assert!(all.len() > 100, "the exported names are read from the public modules");
    all
}

/// Every trait that a user can name, and so fail to satisfy, says in words what it wants: with a
/// message, a label and a note.
#[test]
fn every_public_trait_explains_itself() {
    let nothing_to_fail = [
        ("LayoutAlgebra", "holds for every layout: its methods have the bounds"),
        ("ProfileQuestions", "holds for every integer tuple, and that one explains itself"),
        ("WindowIn", "holds where `SliceIn` does, and that one explains itself"),
        ("RejectedCoordinates", "holds for what was refused, and has nothing to say of that"),
        ("RejectedTile", "holds for what was refused, and has nothing to say of that"),
    ];
    let names = exported();
    for (name, why) in nothing_to_fail {
        assert!(
            names.iter().any(|(_, exported)| exported == name),
            "{name} is exported no more, though it {why}"
        );
    }
    let mut faults = Vec::new();
    for (module, name) in
        names.iter().filter(|(_, name)| !nothing_to_fail.iter().any(|(free, _)| free == name))
    {
        if sources(module).iter().any(|source| is_silent(name, source)) {
            faults.push(name);
        }
    }
    assert!(faults.is_empty(), "no message, label and note above the traits {faults:?}");
}

/// The traits and types that the library keeps to itself: declared in `src`, and exported nowhere.
fn helpers() -> Vec<String> {
    let exported = exported();
    let mut helpers = Vec::new();
    for source in sources(&root().join("src")) {
        for line in source.lines().map(str::trim) {
            let declared = ["pub trait ", "pub struct ", "pub enum "]
                .iter()
                .find_map(|kind| line.strip_prefix(kind));
            let name = declared.map(|rest| {
                rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default()
            });
            let Some(name) = name.filter(|name| !name.is_empty()) else { continue };
            if !exported.iter().any(|(_, exported)| exported == name) {
                helpers.push(name.to_owned());
            }
        }
    }
    assert!(helpers.len() > 100, "the helpers are read from the sources");
    helpers.sort();
    helpers.dedup();
    helpers
}

/// What the compiler says first speaks of the user's types alone.
#[test]
fn no_helper_in_the_first_lines() {
    // `core` has this name too.
    let of_core = ["Range"];
    let helpers: Vec<_> =
        helpers().into_iter().filter(|helper| !of_core.contains(&helper.as_str())).collect();
    let mut faults = Vec::new();
    for program in programs() {
        let message = fs::read_to_string(program.with_extension("stderr"))
            .expect("a message beside each program");
        let first = message
            .lines()
            .take(3)
            .flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric()));
        for word in first.filter(|word| helpers.iter().any(|helper| helper == word)) {
            faults.push(format!("{}: {word}", program.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Is the trait declared in this source without message, label and note above it?
fn is_silent(name: &str, source: &str) -> bool {
    let lines: Vec<_> = source.lines().collect();
    lines.iter().enumerate().any(|(at, line)| {
        let line = line.trim().trim_start_matches("pub ").trim_start_matches("unsafe ");
        let Some(rest) = line.strip_prefix("trait ").and_then(|rest| rest.strip_prefix(name))
        else {
            return false;
        };
        let above: Vec<_> =
            lines[..at].iter().rev().take_while(|line| !line.trim().is_empty()).collect();
        let says = |what: &str| above.iter().any(|line| line.trim().starts_with(what));
        let explained = says("message =") && says("label =") && says("note =");
        !explained && !rest.starts_with(char::is_alphanumeric)
    })
}

/// The text of the module at this path: its file, and those of its folder.
fn sources(module: &Path) -> Vec<String> {
    let mut texts: Vec<_> = fs::read_to_string(module.with_extension("rs")).into_iter().collect();
    for entry in fs::read_dir(module).into_iter().flatten() {
        texts.extend(sources(&entry.expect("an entry of a module").path().with_extension("")));
    }
    texts
}
