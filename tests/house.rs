//! The house as CONTRIBUTING describes it, counted: who imports whom, what a chapter may weigh, and where unsafe code
//! stands.
//!
//! A file imports what a `use` line of it names. What a `mod.rs` hands on by `pub use` of its own files is no import: it
//! is a list of names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The chapters of `src/` in reading order, each with the code lines that it may have. Chapters that share a budget
/// stand in one row.
const CHAPTERS: &[(&[&str], usize)] = &[
    (&["operations"], 240),
    (&["pad", "error", "list", "number"], 2250),
    (&["reasons"], 450),
    (&["tuple", "swizzle", "layout"], 4150),
    (&["algebra"], 5250),
    (&["dynamic"], 5650),
    (&["strides"], 1200),
    (&["composed"], 2050),
    (&["serial", "analysis", "tensor", "atom"], 12300),
];

/// What all of it may have.
const LINES_OF_SRC: usize = 34_000;
const TRAITS_OF_SRC: usize = 550;
const LINES_OF_TESTS: usize = 17_000;
const PROGRAMS_OF_UI_TESTS: usize = 280;
const FOLDERS: &[&str] =
    &["benches", "crates", "examples", "fuzz", "layout-macros", "pictures", "src", "tests", "ui-tests"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the repository").to_path_buf()
}

/// The Rust files below a folder, without what is built or hidden.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("a readable entry").path();
            let name = path.file_name().expect("entries have names").to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "target" && name != "node_modules" && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The lines of a file that are neither blank nor comment.
fn code(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).map(String::from).collect()
}

fn code_lines<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> usize {
    files.into_iter().map(|file| code(file).len()).sum()
}

fn traits(lines: &[String]) -> usize {
    let is_trait = |line: &String| {
        let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub") || *word == "unsafe");
        words.next() == Some("trait")
    };
    lines.iter().filter(|line| is_trait(line)).count()
}

// ---- who imports whom ---------------------------------------------------------------------------------------------

/// The files of one crate by module path: `src/a/b.rs` is `a::b`, `src/a/mod.rs` is `a`, the root is empty.
struct Crate {
    files: BTreeMap<String, PathBuf>,
}

impl Crate {
    /// The crate whose root file, `lib.rs` or `main.rs`, stands in the folder.
    fn read(folder: &Path) -> Crate {
        let module = |file: &Path| {
            let path = file.strip_prefix(folder).expect("found below it").with_extension("");
            let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            match parts.split_last() {
                Some((last, [])) if last == "lib" || last == "main" => String::new(),
                Some((last, above)) if last == "mod" => above.join("::"),
                _ => parts.join("::"),
            }
        };
        let mut files: BTreeMap<_, _> = rust_files(folder).into_iter().map(|file| (module(&file), file)).collect();
        // A file that another one declares as its module by `#[path = ".."]` belongs there.
        for (above, file) in files.clone() {
            let lines = code(&file);
            for (attribute, declared) in lines.iter().zip(lines.iter().skip(1)) {
                let Some(path) = attribute.strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]")) else {
                    continue;
                };
                let Some((_, name)) = declared.trim_end_matches(';').rsplit_once("mod ") else { continue };
                let at = file.parent().expect("a file has a folder").join(path);
                let Some(at) = at.canonicalize().ok().filter(|at| at.starts_with(folder)) else { continue };
                files.remove(&module(&at));
                files.insert(format!("{above}::{name}"), at);
            }
        }
        Crate { files }
    }

    /// The modules that a module imports, by its `use` lines.
    fn imports(&self, module: &str) -> BTreeSet<&str> {
        let file = &self.files[module];
        let hands_on = file.ends_with("mod.rs") || module.is_empty();
        let mut found = BTreeSet::new();
        for (public, tree) in use_lines(&code(file)) {
            for path in leaves(&tree) {
                let Some(target) = self.resolve(module, &path) else { continue };
                let own = hands_on && public && (module.is_empty() || target.starts_with(&format!("{module}::")));
                if target != module && !own {
                    found.insert(target);
                }
            }
        }
        found
    }

    /// The module that a path of a `use` line names, or that the item which it names stands in.
    fn resolve(&self, module: &str, path: &str) -> Option<&str> {
        let mut at: Vec<&str> = module.split("::").filter(|part| !part.is_empty()).collect();
        let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
        match *parts.first()? {
            "crate" => {
                at.clear();
                parts.remove(0);
            }
            "self" => {
                parts.remove(0);
            }
            "super" => {
                while parts.first() == Some(&"super") {
                    at.pop()?;
                    parts.remove(0);
                }
            }
            // A module of this one, or another crate.
            first if self.files.contains_key([&at[..], &[first]].concat().join("::").as_str()) => {}
            _ => return None,
        }
        at.extend(parts);
        while !at.is_empty() {
            if let Some((name, _)) = self.files.get_key_value(at.join("::").as_str()) {
                return Some(name);
            }
            at.pop();
        }
        None
    }

    /// A circle of imports, if there is one: each module imports the next, and the last one the first.
    fn circle(&self) -> Option<Vec<String>> {
        let mut done = BTreeSet::new();
        for start in self.files.keys() {
            if let Some(circle) = self.circle_from(start, &mut Vec::new(), &mut done) {
                return Some(circle);
            }
        }
        None
    }

    fn circle_from(&self, module: &str, way: &mut Vec<String>, done: &mut BTreeSet<String>) -> Option<Vec<String>> {
        if let Some(at) = way.iter().position(|before| before == module) {
            return Some(way[at..].to_vec());
        }
        if done.contains(module) {
            return None;
        }
        way.push(module.to_string());
        for next in self.imports(module) {
            if let Some(circle) = self.circle_from(next, way, done) {
                return Some(circle);
            }
        }
        way.pop();
        done.insert(module.to_string());
        None
    }
}

/// The trees of the `use` lines, and whether each is handed on. A line begins an import with `use `, after `pub` or
/// `pub(..)` at most, and the lines up to the semicolon belong to it: a sentence in a string or a row of a table that
/// has the word is none.
fn use_lines(lines: &[String]) -> Vec<(bool, String)> {
    let tree = |line: &str| {
        let (public, rest) = match line.strip_prefix("pub") {
            Some(rest) if rest.starts_with('(') => (true, rest.split_once(')')?.1.trim_start().to_string()),
            Some(rest) => (true, rest.trim_start().to_string()),
            None => (false, line.to_string()),
        };
        Some((public, rest.strip_prefix("use ")?.to_string()))
    };
    let mut found = Vec::new();
    let mut lines = lines.iter();
    while let Some(line) = lines.next() {
        let Some((public, mut tree)) = tree(line) else { continue };
        while !tree.contains(';') {
            let Some(line) = lines.next() else { break };
            tree = format!("{tree} {line}");
        }
        // Text of several lines in a string has no path before the semicolon that closes all its braces.
        let Some((tree, _)) = tree.split_once(';') else { continue };
        if tree.matches('{').count() == tree.matches('}').count() {
            found.push((public, tree.to_string()));
        }
    }
    found
}

/// The paths of a `use` tree, without what they are renamed to.
fn leaves(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        return vec![tree.split(" as ").next().unwrap_or(tree).trim().to_string()];
    };
    let (before, inside) = (&tree[..open], &tree[open + 1..tree.rfind('}').expect("braces close")]);
    let (mut depth, mut from, mut items) = (0, 0, Vec::new());
    for (at, char) in inside.char_indices() {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&inside[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    items.push(&inside[from..]);
    let items = items.into_iter().filter(|item| !item.trim().is_empty());
    items.flat_map(leaves).map(|item| format!("{before}{item}")).collect()
}

/// The folders of the repository that a crate's root file stands in.
fn crates() -> Vec<PathBuf> {
    let root = root();
    let is_root = |file: &PathBuf| file.ends_with("lib.rs") || file.ends_with("main.rs");
    let files = rust_files(&root).into_iter().filter(is_root);
    files
        .map(|file| file.parent().expect("a file has a folder").to_path_buf())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

#[test]
fn no_files_import_one_another() {
    let crates = crates();
    assert!(crates.contains(&root().join("src")) && crates.len() > 10, "the crates that were found: {crates:?}");
    for folder in crates {
        let circle = Crate::read(&folder).circle();
        assert_eq!(circle, None, "a circle of imports in {}", folder.display());
    }
}

#[test]
fn chapters_import_from_chapters_above() {
    let order: Vec<&str> = CHAPTERS.iter().flat_map(|(chapters, _)| chapters.iter().copied()).collect();
    let place = |module: &str| {
        let chapter = module.split("::").next().unwrap_or(module);
        order.iter().position(|name| *name == chapter)
    };
    let house = Crate::read(&root().join("src"));
    let mut imports = 0;
    for module in house.files.keys() {
        for target in house.imports(module) {
            let (Some(from), Some(to)) = (place(module), place(target)) else { continue };
            assert!(to <= from, "{module} imports {target}, which stands below it");
            imports += 1;
        }
    }
    assert!(imports > 500, "only {imports} imports were found");
}

#[test]
fn sentences_are_no_imports() {
    let lines = [
        "const WHY: &str = \"no digits: pad it, or use `DynLayout` {\";",
        "use crate::a::{",
        "    A,",
        "};",
        "\"or use {}\"; use",
        "pub(crate) use super::b;",
        "pub use c::C;",
        "user::run();",
    ];
    let found = use_lines(&lines.map(str::to_string));
    let found: Vec<_> = found.iter().map(|(public, tree)| (*public, tree.replace(' ', ""))).collect();
    let expected = [(false, "crate::a::{A,}"), (true, "super::b"), (true, "c::C")];
    assert_eq!(found, expected.map(|(public, tree)| (public, tree.to_string())));
}

#[test]
fn a_circle_is_found_where_there_is_one() {
    let folder = std::env::temp_dir().join(format!("house-{}", std::process::id()));
    fs::create_dir_all(folder.join("b")).expect("a folder of its own");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("written");
    write("lib.rs", "mod a;\nmod b;\npub use a::A;\n");
    write("a.rs", "use crate::b::c::{C, D as E};\npub struct A;\n");
    write("b/mod.rs", "pub mod c;\npub use c::C;\n");
    write("b/c.rs", "// use crate::nothing;\nuse super::super::a::A;\n");
    let circle = Crate::read(&folder).circle();
    fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(circle, Some(vec!["a".to_string(), "b::c".to_string()]));
}

// ---- what it weighs -----------------------------------------------------------------------------------------------

#[test]
fn budgets() {
    let root = root();
    let src = root.join("src");
    let files = rust_files(&src);
    let chapter = |file: &Path| {
        let path = file.strip_prefix(&src).expect("found below it").with_extension("");
        path.iter().next().expect("a name").to_string_lossy().into_owned()
    };
    for (chapters, budget) in CHAPTERS {
        let own: Vec<_> = files.iter().filter(|file| chapters.contains(&chapter(file).as_str())).collect();
        assert!(!own.is_empty(), "no files of {chapters:?}");
        let lines = code_lines(own);
        assert!(lines <= *budget, "{chapters:?} have {lines} code lines, of {budget}");
    }
    let lines = code_lines(&files);
    assert!(lines <= LINES_OF_SRC, "src has {lines} code lines, of {LINES_OF_SRC}");
    let traits: usize = files.iter().map(|file| traits(&code(file))).sum();
    assert!(traits <= TRAITS_OF_SRC, "src has {traits} traits, of {TRAITS_OF_SRC}");
    let lines = code_lines(&rust_files(&root.join("tests")));
    assert!(lines <= LINES_OF_TESTS, "tests has {lines} code lines, of {LINES_OF_TESTS}");
    let programs = fs::read_dir(root.join("ui-tests")).expect("readable");
    let is_program = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let programs = programs.map(|entry| entry.expect("readable").path()).filter(is_program).count();
    assert!(programs <= PROGRAMS_OF_UI_TESTS, "ui-tests has {programs} programs, of {PROGRAMS_OF_UI_TESTS}");
}

#[test]
fn folders_of_the_root() {
    let entries = fs::read_dir(root()).expect("readable").map(|entry| entry.expect("readable").path());
    let names = entries
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().expect("named").to_string_lossy().into_owned());
    let found: BTreeSet<_> = names.filter(|name| !name.starts_with('.') && name != "target").collect();
    assert_eq!(found, FOLDERS.iter().map(|name| name.to_string()).collect());
}

#[test]
fn unsafe_code_stands_in_storage() {
    let src = root().join("src");
    let mut found = 0;
    for file in rust_files(&src) {
        let lines = code(&file);
        let is_unsafe =
            |line: &&String| line.contains("unsafe {") || line.contains("unsafe impl") || line.contains("unsafe fn");
        let count = lines.iter().filter(is_unsafe).count();
        let home = file.starts_with(src.join("tensor/storage"));
        assert!(home || count == 0, "{} has unsafe code", file.display());
        found += count;
    }
    assert!(found > 20, "only {found} places of unsafe code were found");
}

// ---- what unsafe code believes ------------------------------------------------------------------------------------

/// The safe public traits that files with unsafe blocks name as bounds: where each is declared, and why no block believes
/// what somebody else's impl says. A promise that a block needs is an `unsafe trait`.
const SAFE_TRAITS: &[(&str, &str, &str)] = &[
    (
        "no other crate can name it, so none implements it",
        "src/",
        "Below Concat Cuts FragmentLength FragmentShape Gives Length Natural Nested Node Place RangeInFront Ranges \
         SameNesting Show SliceWithin SplitAt StaticInt StaticShape Turns Unroll Untangle",
    ),
    ("no other crate can name it, so none implements it", "crates/layout-registers", "AtLeastAvx2 AtLeastAvx512"),
    ("sealed: a private trait is asked for", "src/", "DynCoordinate IntTuple IntoDynSlice Number Space"),
    ("sealed: a private trait is asked for", "crates/layout-nvidia", "LentMemory Sealed"),
    ("sealed: a private trait is asked for", "crates/layout-bits", "Output"),
    ("sealed: a private trait is asked for", "crates/layout-mpi", "Sendable"),
    (
        "what it yields is `Addressable` or a value of this crate's, and the storage is asked whether it accepts that",
        "src/",
        "IntoDynShape IntoDynTiler IntoMemory LayoutAlgebra Partition RaggedDivide Slice Threads Tiled TiledOperands \
         TiledTv WindowIn ZippedDivide",
    ),
    (
        "offsets are those that the unsafe traits `Addressable`, `CoordinateIn` and `SwizzleOfMemory` promise",
        "src/",
        "CoordinateOf InnerLayout Layout OffsetMap SameShape StaticCosize StaticLayout ToFlat TvLayout",
    ),
    ("no trait: other packages have items of these names", "src/", "Group Offset Outcome Permutation Range RowOf"),
    ("text alone", "src/", "Notation"),
    ("the layouts that are asked for it are this crate's", "src/", "ToDynamic"),
    ("its supertrait, ndarray's, is sealed, so none can be added", "crates/layout-arrays", "Axes"),
    ("what it gives is a tensor, or a mean of values", "crates/layout-arrays", "AsTensor Mean"),
    ("its function is unsafe: who writes a wrong one breaks the promise itself", "src/", "Deals"),
    ("a safe function of values: elements are read and written by tensors, which check", "src/", "CopyAtom MmaAtom"),
    (
        "a safe function of values, which are written where a tensor has room for them",
        "crates/layout-nvidia",
        "Atom Half Instruction Narrow Nibbles Outcome Packed",
    ),
    (
        "the copy engine compares coordinates with its map, and leaves out what is beyond",
        "crates/layout-nvidia",
        "Coordinates",
    ),
    ("the bytes that are copied are compared with the layout's", "crates/layout-nvidia", "OfAccess"),
    ("answers go through slices, which check", "crates/layout-bits", "Bytes BytesMut"),
    ("the token is asked for, which `detect` alone makes", "crates/layout-registers", "Holds Isa Task"),
    (
        "kernels are unsafe functions, whose instances are those that their attribute names",
        "crates/layout-nvidia/kernels",
        "Form Half Head Kernels Length OperandMajor RaggedOperand Rows Sizes",
    ),
];

/// The names that stand in a file where a bound stands: behind a colon, a plus, `as`, `impl` and `dyn`.
fn bounds_in(text: &str) -> BTreeSet<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = BTreeSet::new();
    let begins = text.match_indices([':', '+']).map(|(at, _)| at + 1);
    let words = [" as ", "<as ", "impl ", "dyn "].into_iter().flat_map(|word| text.match_indices(word));
    for begin in begins.chain(words.map(|(at, word)| at + word.len())) {
        let mut rest = text[begin..].trim_start_matches([' ', '(']);
        // The last name of a path.
        while let Some((_, behind)) = rest.split_once("::").filter(|(before, _)| before.chars().all(is_name)) {
            rest = behind;
        }
        let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        if name.starts_with(char::is_uppercase) {
            found.insert(name);
        }
    }
    found
}

/// The package that a file belongs to: `src/`, or the folder of its `src`.
fn package(file: &Path) -> String {
    let path = file.strip_prefix(root()).expect("found below it").to_string_lossy().into_owned();
    path.split_once("/src/").map_or_else(|| "src/".into(), |(package, _)| package.into())
}

#[test]
fn unsafe_code_believes_no_safe_trait() {
    let below = |folder: &str| rust_files(&root().join(folder));
    let files: Vec<_> = below("src").into_iter().chain(below("crates")).collect();
    let files: Vec<_> = files.into_iter().filter(|file| file.iter().any(|part| part == "src")).collect();
    let (mut declared, mut promised) = (BTreeMap::<String, BTreeSet<String>>::new(), BTreeSet::new());
    for file in &files {
        for line in code(file) {
            let name = |rest: &str| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_string();
            promised.extend(line.strip_prefix("pub unsafe trait ").map(name));
            if let Some(name) = line.strip_prefix("pub trait ").map(name).filter(|name| !name.is_empty()) {
                declared.entry(name).or_default().insert(package(file));
            }
        }
    }
    let mut listed: BTreeMap<(String, String), bool> = BTreeMap::new();
    for (reason, home, names) in SAFE_TRAITS {
        assert!(reason.len() > 8, "{names} have a reason");
        listed.extend(names.split_whitespace().map(|name| ((home.to_string(), name.to_string()), false)));
    }
    let (mut blocks, mut missing) = (0, Vec::new());
    for file in &files {
        let text = code(file).join("\n");
        let is_unsafe = ["unsafe {", "unsafe impl", "unsafe fn"].iter().any(|word| text.contains(word));
        blocks += usize::from(is_unsafe);
        // What comes from elsewhere, as the `Range` of `std`, is another item of the name.
        let imported: Vec<String> = use_lines(&code(file)).iter().flat_map(|(_, tree)| leaves(tree)).collect();
        let elsewhere = |name: &str| {
            let of = |path: &&String| path.trim().rsplit("::").next() == Some(name);
            imported.iter().find(of).is_some_and(|path| ["std::", "core::"].iter().any(|root| path.starts_with(root)))
        };
        for name in bounds_in(&text).into_iter().filter(|_| is_unsafe) {
            let Some(homes) = declared.get(name) else { continue };
            // The trait of the file's own package, or the crate's, unless an unsafe one has this name.
            let here = package(file);
            let home = if homes.contains(&here) { here } else { "src/".to_string() };
            if !homes.contains(&home) || promised.contains(name) || elsewhere(name) {
                continue;
            }
            match listed.get_mut(&(home.clone(), name.to_string())) {
                Some(found) => *found = true,
                None => missing.push(format!("{name} of {home} in {}", file.display())),
            }
        }
    }
    assert!(
        missing.is_empty(),
        "unsafe code has these safe traits as bounds, and anybody implements them as they like. Make each an `unsafe trait`, \
         seal it, or say in `SAFE_TRAITS` why no block believes it: {missing:#?}"
    );
    assert!(blocks > 60, "only {blocks} files with unsafe code were found");
    let stale: Vec<_> = listed.iter().filter(|(_, found)| !**found).map(|(name, _)| name).collect();
    assert!(stale.is_empty(), "no unsafe code names these: {stale:?}");
}

// ---- where an operation stands ------------------------------------------------------------------------------------

/// The operations of the table in `src/operations.rs`: the name of each method and of its trait.
fn operations() -> Vec<(String, String)> {
    let lines = code(&root().join("src/operations.rs"));
    let row = |line: &String| {
        let (method, rest) = line.split_once(", try_")?;
        let (_, names) = rest.strip_prefix(method)?.split_once("): ")?;
        Some((method.to_string(), names.split_once(" -> ")?.0.to_string()))
    };
    lines.iter().filter_map(row).collect()
}

/// Whether a text has a word, or words: no letter, digit or underscore stands around them.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        let ends_here = !word.ends_with(is_part) || !behind.starts_with(is_part);
        !before.ends_with(is_part) && ends_here
    })
}

/// What no compiler asks for. A row of the table makes the methods, the traits and their messages, and has to have its
/// loop in `src/dynamic/`; the tests that read the table take it from there. These places have a line for each.
#[test]
fn an_operation_stands_in_every_place() {
    let operations = operations();
    assert!(operations.len() > 30, "only {} operations were found", operations.len());
    let read = |paths: &[PathBuf]| paths.iter().map(|path| code(path).join("\n")).collect::<Vec<_>>().join("\n");
    let file = |path: &str| read(&[root().join(path)]);
    let python = read(&rust_files(&root().join("crates/layout-python/src")));
    let stub = file("crates/layout-python/python/layout_algebra/__init__.pyi");
    let command = file("crates/layout-cli/src/table.rs");
    // Behind the imports, and before what is done with the lists.
    let (strides, spec) = (file("src/strides/algebra.rs"), file("tests/spec/static.py"));
    let (_, strides) = strides.split_once("macro_rules! of_one_layout").expect("the first table of operations");
    let (spec, _) = spec.split_once("CARGO").expect("the program behind the lists");
    let mut missing = Vec::new();
    for (method, name) in &operations {
        let mut ask = |place: &str, text: &str, what: &str| {
            if !what.split('|').any(|what| has_word(text, what)) {
                missing.push(format!("{method}: no `{what}` in {place}"));
            }
        };
        let row = format!("{method}(layout:");
        let of_python = ["either", "plain", "always", "fn"].map(|word| format!("{word} {method}(")).join("|");
        let (def, quoted) = (format!("def {method}("), format!("\"{method}\""));
        ask("src/strides/algebra.rs, for layouts of other strides: as it is, or refused", strides, name);
        ask("crates/layout-cli/src/table.rs, the command and the page", &command, &row);
        ask("crates/layout-python/src, the module for Python", &python, &of_python);
        ask("crates/layout-python/python/layout_algebra/__init__.pyi, its types", &stub, &def);
        ask("tests/spec/static.py, types beside `DynLayout`", spec, &quoted);
    }
    assert!(missing.is_empty(), "operations are missing: {missing:#?}");
}

// ---- what is written ----------------------------------------------------------------------------------------------

/// A column that a code host and rustdoc show without a bar to scroll by.
const COLUMNS_OF_CODE: usize = 100;

/// The lines of code in the documentation of a file that are too long: of a Rust file, what its comments show.
fn long_lines_of_code(path: &Path) -> (usize, Vec<String>) {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let is_rust = path.extension().is_some_and(|extension| extension == "rs");
    let (mut in_code, mut blocks, mut long) = (false, 0, Vec::new());
    for (number, line) in text.lines().enumerate() {
        let doc = || line.trim_start().strip_prefix("///").or_else(|| line.trim_start().strip_prefix("//!"));
        let shown = match is_rust {
            true => doc().map(|text| text.strip_prefix(' ').unwrap_or(text)),
            false => Some(line),
        };
        let Some(shown) = shown else {
            in_code = false;
            continue;
        };
        if shown.trim_start().starts_with("```") {
            in_code = !in_code;
            blocks += usize::from(in_code);
        } else if in_code && shown.chars().count() > COLUMNS_OF_CODE {
            long.push(format!("{}:{}: {} columns", path.display(), number + 1, shown.chars().count()));
        }
    }
    (blocks, long)
}

#[test]
fn code_in_the_documentation_is_narrow() {
    let root = root();
    let markdown = |folder: PathBuf| {
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let files = entries.map(|entry| entry.expect("readable").path());
        files.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect::<Vec<_>>()
    };
    let mut files = rust_files(&root.join("src"));
    for folder in [".", "benches", "src/guide", "src/guide/cookbook", "layout-macros/docs", "tests/spec"] {
        files.extend(markdown(root.join(folder)));
    }
    for package in fs::read_dir(root.join("crates")).expect("readable") {
        files.extend(markdown(package.expect("readable").path()));
    }
    let (blocks, long): (Vec<_>, Vec<_>) = files.iter().map(|file| long_lines_of_code(file)).unzip();
    assert!(blocks.iter().sum::<usize>() > 800, "only {} blocks of code were found", blocks.iter().sum::<usize>());
    let long: Vec<_> = long.into_iter().flatten().collect();
    assert!(long.is_empty(), "code of more than {COLUMNS_OF_CODE} columns:\n{}", long.join("\n"));
}
