//! The house as CONTRIBUTING describes it, counted: imports between files, the size of chapters,
//! and the places of unsafe code.
//!
//! A file imports what a `use` line or a path within its code names, and of what a `mod.rs` hands
//! on, the file that has it. What a `mod.rs` hands on by `pub use` of its own files is no import:
//! it is a list of names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The chapters of `src/` in reading order, each with the code lines of 100 columns that it may
/// have. Chapters that share a budget stand in one row.
const CHAPTERS: &[(&[&str], usize)] = &[
    (&["operations"], 240),
    (&["pad", "error", "list", "number"], 2320),
    (&["reasons"], 400),
    (&["tuple", "swizzle", "layout"], 4100),
    (&["algebra"], 5026),
    (&["dynamic"], 6020),
    (&["strides"], 1150),
    (&["composed"], 2000),
    (&["serial", "analysis", "tensor", "atom"], 12670),
];

/// What all of it may have.
const LINES_OF_SRC: usize = 33_938;
const TRAITS_OF_SRC: usize = 506;
const LINES_OF_TESTS: usize = 18_780;
const PROGRAMS_OF_UI_TESTS: usize = 280;
const FOLDERS: &[&str] = &[
    "benches",
    "crates",
    "examples",
    "fuzz",
    "layout-macros",
    "pictures",
    "src",
    "tests",
    "ui-tests",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package lies in the repository")
        .to_path_buf()
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
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .map(String::from)
        .collect()
}

fn code_lines<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> usize {
    files.into_iter().map(|file| code(file).len()).sum()
}

fn traits(lines: &[String]) -> usize {
    let is_trait = |line: &String| {
        let mut words =
            line.split_whitespace().skip_while(|word| word.starts_with("pub") || *word == "unsafe");
        words.next() == Some("trait")
    };
    lines.iter().filter(|line| is_trait(line)).count()
}

// ---- who imports whom ---------------------------------------------------------------------------

/// The files of one crate by module path: `src/a/b.rs` is `a::b`, `src/a/mod.rs` is `a`, the root
/// is empty.
struct Crate {
    files: BTreeMap<String, PathBuf>,
    /// Of each module, the names that it hands on, each with the path that it has there; none if
    /// they are not followed.
    hands_on: BTreeMap<String, BTreeMap<String, String>>,
}

impl Crate {
    /// The crate whose root file, `lib.rs` or `main.rs`, stands in the folder.
    fn read(folder: &Path) -> Crate {
        let module = |file: &Path| {
            let path = file.strip_prefix(folder).expect("found below it").with_extension("");
            let parts: Vec<_> =
                path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            match parts.split_last() {
                Some((last, [])) if last == "lib" || last == "main" => String::new(),
                Some((last, above)) if last == "mod" => above.join("::"),
                _ => parts.join("::"),
            }
        };
        let files = rust_files(folder).into_iter().map(|file| (module(&file), file)).collect();
        Crate { files, hands_on: BTreeMap::new() }
    }

    /// The crate, of which names that a module hands on are followed to the file that has them.
    fn read_through(folder: &Path) -> Crate {
        let mut all = Crate::read(folder);
        for (module, file) in &all.files {
            let mut names = BTreeMap::new();
            for (_, tree) in use_lines(&code(file)).into_iter().filter(|(public, _)| *public) {
                for path in leaves(&tree) {
                    let name = path.rsplit("::").next().unwrap_or_default().to_string();
                    // What the root itself has stands again in its prelude, which is no file.
                    if path != format!("crate::{name}") {
                        names.insert(name, path);
                    }
                }
            }
            all.hands_on.insert(module.clone(), names);
        }
        all
    }

    /// The modules that a module imports.
    fn imports(&self, module: &str) -> BTreeSet<&str> {
        let file = &self.files[module];
        let is_list = file.ends_with("mod.rs") || module.is_empty();
        let lines = code(file);
        let mut named: Vec<_> = paths(&lines).into_iter().map(|path| (false, path)).collect();
        for (public, tree) in use_lines(&lines) {
            named.extend(leaves(&tree).into_iter().map(|path| (public, path)));
        }
        let mut found = BTreeSet::new();
        for (public, path) in named {
            let Some(target) = self.resolve(module, &path) else { continue };
            let own = is_list
                && public
                && (module.is_empty() || target.starts_with(&format!("{module}::")));
            if target != module && !target.is_empty() && !own {
                found.insert(target);
            }
        }
        found
    }

    /// The module that a path names, or that the item which it names stands in.
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
        let mut item = None;
        loop {
            if let Some((name, _)) = self.files.get_key_value(at.join("::").as_str()) {
                let elsewhere = item.and_then(|item| self.hands_on.get(name)?.get(item));
                let elsewhere = elsewhere.and_then(|path| self.resolve(name, path));
                return elsewhere.or(Some(name));
            }
            item = Some(at.pop()?);
        }
    }

    /// The modules in reading order: that of the `mod` lines, each before what it lists.
    fn reading_order(&self, module: &str, order: &mut Vec<String>) {
        order.push(module.to_string());
        for line in code(&self.files[module]) {
            let Some((_, name)) = line.strip_suffix(';').and_then(|line| line.rsplit_once("mod "))
            else {
                continue;
            };
            let child = [module, name].join("::");
            if self.files.contains_key(&child) {
                self.reading_order(&child, order);
            }
        }
    }

    /// A circle of imports, if there is one: each module imports the next, and the last one the
    /// first.
    fn circle(&self) -> Option<Vec<String>> {
        let mut done = BTreeSet::new();
        for start in self.files.keys() {
            if let Some(circle) = self.circle_from(start, &mut Vec::new(), &mut done) {
                return Some(circle);
            }
        }
        None
    }

    fn circle_from(
        &self,
        module: &str,
        way: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> Option<Vec<String>> {
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

/// What a line that begins an import has of its tree, and whether it is handed on.
fn begun_use(line: &str) -> Option<(bool, String)> {
    let (public, rest) = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => (true, rest.split_once(')')?.1.trim_start()),
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    };
    Some((public, rest.strip_prefix("use ")?.to_string()))
}

/// The trees of the `use` lines, and whether each is handed on. A line begins an import with
/// `use `, after `pub` or `pub(..)` at most, and the lines up to the semicolon belong to it: a
/// sentence in a string or a row of a table that has the word is none.
fn use_lines(lines: &[String]) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    let mut lines = lines.iter();
    while let Some(line) = lines.next() {
        let Some((public, mut tree)) = begun_use(line) else { continue };
        while !tree.contains(';') {
            let Some(line) = lines.next() else { break };
            tree = format!("{tree} {line}");
        }
        // Text of several lines in a string has no path before the semicolon that closes all its
        // braces.
        let Some((tree, _)) = tree.split_once(';') else { continue };
        if tree.matches('{').count() == tree.matches('}').count() {
            found.push((public, tree.to_string()));
        }
    }
    found
}

/// The paths within code that begin with `crate`, `self` or `super`: neither those of `use` lines
/// nor those in strings.
fn paths(lines: &[String]) -> Vec<String> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut found = Vec::new();
    let mut is_import = false;
    for line in lines {
        is_import |= begun_use(line).is_some();
        if is_import {
            is_import = !line.contains(';');
            continue;
        }
        // Every second piece between quotes is text.
        for piece in line.split('"').step_by(2) {
            let words = piece.split(|c| !is_path(c)).filter(|word| word.contains("::"));
            let own = |word: &&str| {
                ["crate::", "self::", "super::"].iter().any(|root| word.starts_with(root))
            };
            found.extend(words.filter(own).map(String::from));
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
    assert!(
        crates.contains(&root().join("src")) && crates.len() > 10,
        "the crates that were found: {crates:?}"
    );
    for folder in crates {
        let all = if folder == root().join("src") {
            Crate::read_through(&folder)
        } else {
            Crate::read(&folder)
        };
        let circle = all.circle();
        assert_eq!(circle, None, "a circle of imports in {}", folder.display());
    }
}

#[test]
fn chapters_import_from_chapters_above() {
    let order: Vec<&str> =
        CHAPTERS.iter().flat_map(|(chapters, _)| chapters.iter().copied()).collect();
    let place = |module: &str| {
        let chapter = module.split("::").next().unwrap_or(module);
        order.iter().position(|name| *name == chapter)
    };
    let house = Crate::read_through(&root().join("src"));
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

/// The imports within `tensor/` that go to a file further down in reading order, most of them from
/// how a tensor is made.
const ARROWS_BACK: usize = 3;

#[test]
fn tensors_are_read_from_top_to_bottom() {
    let house = Crate::read_through(&root().join("src"));
    let mut order = Vec::new();
    house.reading_order("tensor", &mut order);
    let place = |module: &str| order.iter().position(|name| name == module);
    let (mut arrows, mut back) = (0, Vec::new());
    for (from, module) in order.iter().enumerate() {
        for target in house.imports(module) {
            let Some(to) = place(target) else { continue };
            arrows += 1;
            if to > from {
                back.push(format!("{module} imports {target}"));
            }
        }
    }
    assert!(arrows > 100, "only {arrows} imports within `tensor` were found");
    assert!(back.len() <= ARROWS_BACK, "{} of {arrows} run back: {back:#?}", back.len());
}

/// A file stands in the chapter that it belongs to.
#[test]
fn no_module_lies_elsewhere() {
    for file in rust_files(&root().join("src")) {
        let elsewhere = code(&file).into_iter().find(|line| line.starts_with("#[path"));
        assert_eq!(elsewhere, None, "{} declares a file of another folder", file.display());
    }
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
    let found: Vec<_> =
        found.iter().map(|(public, tree)| (*public, tree.replace(' ', ""))).collect();
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
    let circle_by = |back: &str| {
        write("b/c.rs", &format!("// use crate::nothing;\n{back}\n"));
        Crate::read_through(&folder).circle()
    };
    let here = Some(vec!["a".to_string(), "b::c".to_string()]);
    assert_eq!(circle_by("use super::super::a::A;"), here);
    // By a path without `use`, and by a name that the root hands on.
    assert_eq!(circle_by("fn f() -> crate::a::A {"), here);
    assert_eq!(circle_by("fn f() -> crate::A {"), here);
    assert_eq!(circle_by("const TEXT: &str = \"crate::a::A\";"), None);
    fs::remove_dir_all(&folder).expect("removed");
}

// ---- what it weighs -----------------------------------------------------------------------------

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
        let own: Vec<_> =
            files.iter().filter(|file| chapters.contains(&chapter(file).as_str())).collect();
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
    assert!(
        programs <= PROGRAMS_OF_UI_TESTS,
        "ui-tests has {programs} programs, of {PROGRAMS_OF_UI_TESTS}"
    );
}

#[test]
fn folders_of_the_root() {
    let entries =
        fs::read_dir(root()).expect("readable").map(|entry| entry.expect("readable").path());
    let names = entries
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().expect("named").to_string_lossy().into_owned());
    let found: BTreeSet<_> =
        names.filter(|name| !name.starts_with('.') && name != "target").collect();
    assert_eq!(found, FOLDERS.iter().map(|name| name.to_string()).collect());
}

/// The files of `src/` with unsafe code.
const UNSAFE_FILES: &[&str] = &[
    "atom/unchecked.rs",
    "error/stop.rs",
    "tensor/memory/access.rs",
    "tensor/memory/composed.rs",
    "tensor/memory/copy.rs",
    "tensor/memory/dynamic.rs",
    "tensor/memory/machine.rs",
    "tensor/memory/make.rs",
    "tensor/memory/mod.rs",
    "tensor/memory/promise.rs",
    "tensor/memory/tile.rs",
    "tensor/memory/values.rs",
    "tensor/memory/vector.rs",
    "tensor/memory/view.rs",
    "tensor/parts/disjoint.rs",
    "tensor/parts/grid.rs",
    "tensor/parts/numbered.rs",
    "tensor/unchecked.rs",
    "tensor/whole/iter_mut.rs",
    "tuple/constant.rs",
];

#[test]
fn unsafe_code_stands_in_these_files() {
    let src = root().join("src");
    let words = ["unsafe {", "unsafe impl", "unsafe fn", "unsafe extern"];
    let is_unsafe = |line: &String| words.iter().any(|word| line.contains(word));
    let files = rust_files(&src).into_iter().filter(|file| code(file).iter().any(is_unsafe));
    let found =
        files.map(|file| file.strip_prefix(&src).expect("below it").to_string_lossy().into_owned());
    assert_eq!(
        found.collect::<Vec<_>>(),
        UNSAFE_FILES,
        "the files with unsafe code, and the list of them"
    );
}

/// What a `SAFETY` comment relies on by name is there under this name.
#[test]
fn safety_comments_name_what_there_is() {
    let files = rust_files(&root().join("src"));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let lines: Vec<_> = files.iter().flat_map(|file| code(file)).collect();
    let words: BTreeSet<&str> = lines.iter().flat_map(|line| line.split(|c| !is_part(c))).collect();
    let (mut names, mut stale) = (0, Vec::new());
    for file in &files {
        let text = fs::read_to_string(file).expect("readable");
        let mut in_proof = false;
        for (number, line) in text.lines().map(str::trim).enumerate() {
            in_proof = line.starts_with("//") && (in_proof || line.contains("SAFETY"));
            // Every second piece between backticks is a name, or an expression of names.
            let quoted = line.split('`').skip(1).step_by(2).filter(|_| in_proof);
            for name in quoted
                .flat_map(|quoted| quoted.split(|c| !is_part(c)))
                .filter(|name| !name.is_empty())
            {
                names += 1;
                if !words.contains(name) {
                    stale.push(format!("{}:{}: {name}", file.display(), number + 1));
                }
            }
        }
    }
    assert!(names > 100, "only {names} names were found");
    assert!(stale.is_empty(), "no code has these names: {stale:#?}");
}

// ---- what unsafe code believes ------------------------------------------------------------------

/// The safe public traits that files with unsafe blocks name as bounds: where each is declared, and
/// why no block believes what somebody else's impl says. A promise that a block needs is an
/// `unsafe trait`.
const SAFE_TRAITS: &[(&str, &str, &str)] = &[
    (
        "no other crate can name it, so none implements it",
        "src/",
        "Below Concat Cuts FragmentLength FragmentShape Gives Length Natural Nested Node Place RangeInFront Ranges \
         SameNesting Show SplitAt StaticInt StaticShape Turns Unroll Untangle",
    ),
    (
        "no other crate can name it, so none implements it",
        "crates/layout-registers",
        "AtLeastAvx2 AtLeastAvx512",
    ),
    (
        "sealed: a private trait is asked for",
        "src/",
        "DynCoordinate IntTuple IntoDynSlice Number Space",
    ),
    ("sealed: a private trait is asked for", "crates/layout-nvidia", "LentMemory Sealed"),
    ("sealed: a private trait is asked for", "crates/layout-bits", "Output"),
    ("sealed: a private trait is asked for", "crates/layout-mpi", "Sendable"),
    (
        "sealed: a private trait is asked for",
        "crates/layout-relayout-gpu",
        "DeviceBuffer DeviceBufferMut",
    ),
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
    (
        "no trait: other packages have items of these names",
        "src/",
        "Group Offset Outcome Permutation Range RowOf",
    ),
    ("text alone", "src/", "Notation"),
    ("the layouts that are asked for it are this crate's", "src/", "ToDynamic"),
    ("its supertrait, ndarray's, is sealed, so none can be added", "crates/layout-arrays", "Axes"),
    ("what it gives is a tensor, or a mean of values", "crates/layout-arrays", "AsTensor Mean"),
    ("its function is unsafe: who writes a wrong one breaks the promise itself", "src/", "Deals"),
    (
        "a safe function of values: elements are read and written by tensors, which check",
        "src/",
        "CopyAtom MmaAtom",
    ),
    (
        "a safe function of values, which are written where a tensor has room for them",
        "crates/layout-instructions",
        "Packed",
    ),
    (
        "a safe function of values, which are written where a tensor has room for them",
        "crates/layout-nvidia",
        "Half Narrow Nibbles Outcome",
    ),
    (
        "the copy engine compares coordinates with its map, and leaves out what is beyond",
        "crates/layout-nvidia",
        "Coordinates",
    ),
    (
        "the bytes that are copied are compared with the layout's",
        "crates/layout-instructions",
        "OfAccess",
    ),
    ("answers go through slices, which check", "crates/layout-bits", "Bytes BytesMut"),
    (
        "the token is asked for, which `detect` alone makes",
        "crates/layout-registers",
        "Holds Isa Task",
    ),
    (
        "kernels are unsafe functions, whose instances are those that their attribute names",
        "crates/layout-nvidia/kernels",
        "Form Half Head Kernels Length OperandMajor RaggedOperand Rows Sizes",
    ),
];

/// The names that stand in a file where a bound stands: behind a colon, a plus, `as`, `impl` and
/// `dyn`.
fn bounds_in(text: &str) -> BTreeSet<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = BTreeSet::new();
    let begins = text.match_indices([':', '+']).map(|(at, _)| at + 1);
    let words =
        [" as ", "<as ", "impl ", "dyn "].into_iter().flat_map(|word| text.match_indices(word));
    for begin in begins.chain(words.map(|(at, word)| at + word.len())) {
        let mut rest = text[begin..].trim_start_matches([' ', '(']);
        // The last name of a path.
        while let Some((_, behind)) =
            rest.split_once("::").filter(|(before, _)| before.chars().all(is_name))
        {
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
    let files: Vec<_> =
        files.into_iter().filter(|file| file.iter().any(|part| part == "src")).collect();
    let (mut declared, mut promised) =
        (BTreeMap::<String, BTreeSet<String>>::new(), BTreeSet::new());
    for file in &files {
        for line in code(file) {
            let name = |rest: &str| {
                rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_string()
            };
            promised.extend(line.strip_prefix("pub unsafe trait ").map(name));
            if let Some(name) =
                line.strip_prefix("pub trait ").map(name).filter(|name| !name.is_empty())
            {
                declared.entry(name).or_default().insert(package(file));
            }
        }
    }
    let mut listed: BTreeMap<(String, String), bool> = BTreeMap::new();
    for (reason, home, names) in SAFE_TRAITS {
        assert!(reason.len() > 8, "{names} have a reason");
        listed.extend(
            names.split_whitespace().map(|name| ((home.to_string(), name.to_string()), false)),
        );
    }
    let (mut blocks, mut missing) = (0, Vec::new());
    for file in &files {
        let text = code(file).join("\n");
        let is_unsafe =
            ["unsafe {", "unsafe impl", "unsafe fn"].iter().any(|word| text.contains(word));
        blocks += usize::from(is_unsafe);
        // What comes from elsewhere, as the `Range` of `std`, is another item of the name.
        let imported: Vec<String> =
            use_lines(&code(file)).iter().flat_map(|(_, tree)| leaves(tree)).collect();
        let elsewhere = |name: &str| {
            let of = |path: &&String| path.trim().rsplit("::").next() == Some(name);
            imported
                .iter()
                .find(of)
                .is_some_and(|path| ["std::", "core::"].iter().any(|root| path.starts_with(root)))
        };
        for name in bounds_in(&text).into_iter().filter(|_| is_unsafe) {
            let Some(homes) = declared.get(name) else { continue };
            // The trait of the file's own package, or the crate's, unless an unsafe one has this
            // name.
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

// ---- where an operation stands ------------------------------------------------------------------

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

/// What no compiler asks for. A row of the table makes the methods, the traits and their messages,
/// and has to have its loop in `src/dynamic/`; the tests that read the table take it from there.
/// These places have a line for each.
#[test]
fn an_operation_stands_in_every_place() {
    let operations = operations();
    assert!(operations.len() > 30, "only {} operations were found", operations.len());
    let read = |paths: &[PathBuf]| {
        paths.iter().map(|path| code(path).join("\n")).collect::<Vec<_>>().join("\n")
    };
    let file = |path: &str| read(&[root().join(path)]);
    let python = read(&rust_files(&root().join("crates/layout-python/src")));
    let stub = file("crates/layout-python/python/layout_algebra/__init__.pyi");
    let command = file("crates/layout-cli/src/table.rs");
    // Behind the imports, and before what is done with the lists.
    let (strides, spec) = (file("src/strides/algebra.rs"), file("tests/spec/static.py"));
    let (_, strides) =
        strides.split_once("macro_rules! of_one_layout").expect("the first table of operations");
    let (spec, _) = spec.split_once("CARGO").expect("the program behind the lists");
    let mut missing = Vec::new();
    for (method, name) in &operations {
        let mut ask = |place: &str, text: &str, what: &str| {
            if !what.split('|').any(|what| has_word(text, what)) {
                missing.push(format!("{method}: no `{what}` in {place}"));
            }
        };
        let row = format!("{method}(layout:");
        let of_python =
            ["either", "plain", "always", "fn"].map(|word| format!("{word} {method}(")).join("|");
        let (def, quoted) = (format!("def {method}("), format!("\"{method}\""));
        ask(
            "src/strides/algebra.rs, for layouts of other strides: as it is, or refused",
            strides,
            name,
        );
        ask("crates/layout-cli/src/table.rs, the command and the page", &command, &row);
        ask("crates/layout-python/src, the module for Python", &python, &of_python);
        ask("crates/layout-python/python/layout_algebra/__init__.pyi, its types", &stub, &def);
        ask("tests/spec/static.py, types beside `DynLayout`", spec, &quoted);
    }
    assert!(missing.is_empty(), "operations are missing: {missing:#?}");
}

// ---- what is written ----------------------------------------------------------------------------

/// A column that a code host and rustdoc show without a bar to scroll by.
const COLUMNS_OF_CODE: usize = 100;

/// The lines of code in the documentation of a file that are too long: of a Rust file, what its
/// comments show.
fn long_lines_of_code(path: &Path) -> (usize, Vec<String>) {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let is_rust = path.extension().is_some_and(|extension| extension == "rs");
    let (mut in_code, mut blocks, mut long) = (false, 0, Vec::new());
    for (number, line) in text.lines().enumerate() {
        let doc = || {
            line.trim_start().strip_prefix("///").or_else(|| line.trim_start().strip_prefix("//!"))
        };
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
            long.push(format!(
                "{}:{}: {} columns",
                path.display(),
                number + 1,
                shown.chars().count()
            ));
        }
    }
    (blocks, long)
}

/// The numbers of the lines of more than 100 columns that are neither documentation, which another
/// test looks at, nor text or what a macro takes there: rustfmt does not break these.
fn long_lines(text: &str) -> Vec<usize> {
    let chars: Vec<char> = text.chars().collect();
    let (mut found, mut brackets, mut closes_text) = (Vec::new(), Vec::new(), None);
    let (mut at, mut line, mut first, mut in_comment, mut excused) = (0, 1, 0, false, false);
    while at < chars.len() {
        let rest = &chars[at..];
        let is_code = !in_comment && closes_text.is_none();
        let mut length = 1;
        match rest[0] {
            '\n' => {
                if at - first > 100 && !excused {
                    found.push(line);
                }
                (line, first, in_comment, excused) = (line + 1, at + 1, false, false);
            }
            '\\' if closes_text.as_deref() == Some(&['"'][..]) && rest[1] != '\n' => length = 2,
            '"' if is_code => {
                let hashes = chars[..at].iter().rev().take_while(|c| **c == '#').count();
                closes_text = Some([vec!['"'], vec!['#'; hashes]].concat());
            }
            '"' if closes_text.as_ref().is_some_and(|close| rest.starts_with(close)) => {
                closes_text = None;
            }
            '/' if is_code && rest[1] == '/' => {
                in_comment = true;
                excused |= matches!(rest[2], '/' | '!');
            }
            '\'' if is_code && rest[1] == '\\' => {
                length = 3 + rest[3..].iter().take_while(|c| **c != '\'').count();
            }
            '\'' if is_code && rest[2] == '\'' => length = 3,
            '(' | '[' | '{' if is_code => {
                let before: String = chars[first..at].iter().collect();
                let is_macro = before.trim_end().ends_with('!') || before.contains("macro_rules!");
                brackets.push(is_macro || brackets.last() == Some(&true));
            }
            ')' | ']' | '}' if is_code => drop(brackets.pop()),
            _ => {}
        }
        let in_macro = brackets.last() == Some(&true);
        excused |= at > first + 60 && at <= first + 100 && (closes_text.is_some() || in_macro);
        at += length;
    }
    found
}

/// What rustfmt itself writes beyond the hundredth column: bounds and results that it cannot break.
const LINES_OF_RUSTFMT: usize = 8;

#[test]
fn lines_have_100_columns() {
    // The compiler's messages, which lie beside these, show their lines.
    let is_shown =
        |file: &PathBuf| file.iter().any(|part| part == "ui-tests" || part == "mistakes");
    let mut long = Vec::new();
    for file in rust_files(&root()).iter().filter(|file| !is_shown(file)) {
        let text = fs::read_to_string(file).expect("readable");
        if text.lines().any(|line| line.len() > 100) {
            long.extend(long_lines(&text).iter().map(|line| format!("{}:{line}", file.display())));
        }
    }
    assert!(long.len() <= LINES_OF_RUSTFMT, "{} lines are longer: {long:#?}", long.len());
}

/// A newcomer reads a README to its end: what was measured and tried stands beside it.
#[test]
fn readmes_are_short() {
    let lines = |name: &str| fs::read_to_string(root().join(name)).expect(name).lines().count();
    let figures = ["relayout", "bits", "mpi"].map(|package| (package, 150, "FIGURES"));
    for (package, most, beside) in [("nvidia", 120, "INSTRUCTIONS")].into_iter().chain(figures) {
        let [readme, other] =
            ["README", beside].map(|name| lines(&format!("crates/layout-{package}/{name}.md")));
        assert!(readme <= most && other > 10, "the README of {package}: {readme} lines, of {most}");
    }
}

// ---- kernels of layout-nvidia -------------------------------------------------------------------

/// The part of a line that is code.
fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

/// Text up to where its brackets close, or up to a semicolon outside of them.
fn closed(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, char) in text.char_indices() {
        match char {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return at,
            ')' | ']' | '}' => depth -= 1,
            ';' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// What a statement has that makes a tensor.
const MAKERS: &[&str] = &[
    "Tensor::",
    ".slice(",
    ".slice_mut(",
    "slice_unchecked",
    ".partition_",
    "local_tile",
    "Fragment::<",
    "fragment_like",
    ".retile_",
    "make_tensors()",
    "with_layout",
];

/// Behind a `let` of a tensor stand the modes of the tensor, on the same line or on the next one.
/// Closures are none.
#[test]
fn tensors_of_kernels_have_their_modes_behind_them() {
    let mut tensors = 0;
    for file in rust_files(&root().join("crates/layout-nvidia/kernels/src")) {
        let text = fs::read_to_string(&file).expect("a readable file");
        let lines: Vec<&str> = text.lines().collect();
        for (first, line) in lines.iter().enumerate() {
            let Some(begun) = without_comment(line).trim_start().strip_prefix("let ") else {
                continue;
            };
            let code: Vec<&str> = std::iter::once(begun)
                .chain(lines[first + 1..].iter().map(|line| without_comment(line)))
                .collect();
            let code = code.join("\n");
            let code = &code[..closed(&code)];
            let Some((name, value)) = code.split_once('=') else { continue };
            let value = value.trim_start().trim_start_matches("move ");
            let makes = MAKERS.iter().any(|maker| value.contains(maker));
            if !makes || name.trim() == "_" || value.starts_with('|') {
                continue;
            }
            let last = first + code.matches('\n').count();
            let behind = [lines[last].split_once("; //"), lines[last + 1].split_once("//")];
            let has_modes =
                |comment: &&(&str, &str)| comment.1.trim_start().starts_with(['(', '[']);
            assert!(
                behind.iter().flatten().any(|comment| has_modes(&comment)),
                "{}:{}: `let {}` makes a tensor, and its modes do not stand behind it",
                file.display(),
                first + 1,
                name.trim()
            );
            tensors += 1;
        }
    }
    assert!(tensors > 150, "only {tensors} tensors were found");
}

/// The layouts of kernels whose strides somebody worked out, 64 and more: the others are made by
/// the algebra. Each has a comment that says why no operation gives it.
const WRITTEN_STRIDES: usize = 7;

#[test]
fn strides_of_kernels_are_made_by_the_algebra() {
    let mut written = Vec::new();
    let package = root().join("crates/layout-nvidia");
    let folders = ["src", "kernels/src"].map(|folder| package.join(folder));
    for file in folders.iter().flat_map(|folder| rust_files(folder)) {
        let text = fs::read_to_string(&file).expect("a readable file");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let code = text.lines().map(without_comment).collect::<Vec<_>>().join("\n");
        for (at, maker) in code.match_indices("ayout!(") {
            let layout = &code[at + maker.len()..];
            let Some((_, strides)) = layout[..closed(layout)].split_once(':') else { continue };
            let numbers = strides.split(|c: char| !c.is_alphanumeric() && c != '_');
            if numbers.filter_map(|number| number.parse::<usize>().ok()).any(|number| number >= 64)
            {
                written.push(format!("{}: {}", file.display(), &layout[..closed(layout)]));
                let line = code[..at].matches('\n').count();
                let is_reason = |line: &&str| line.contains("//") && line.contains("operation");
                assert!(lines[line - 6..line].iter().any(is_reason), "no reason for {written:?}");
            }
        }
    }
    assert!(written.len() <= WRITTEN_STRIDES, "{} layouts: {written:#?}", written.len());
}

/// The places of kernels that move a pointer: everywhere else an offset comes from a layout.
const MOVED_POINTERS: usize = 26;

#[test]
fn pointers_of_kernels_are_moved_by_layouts() {
    let mut moved = Vec::new();
    for file in rust_files(&root().join("crates/layout-nvidia/kernels/src")) {
        let text = fs::read_to_string(&file).expect("a readable file");
        for (number, line) in text.lines().map(without_comment).enumerate() {
            for method in ["wrapping_add(", "wrapping_offset(", ".add(", ".offset("] {
                let here = || format!("{}:{}: {}", file.display(), number + 1, line.trim());
                moved.extend(line.matches(method).map(|_| here()));
            }
        }
    }
    assert!(moved.len() <= MOVED_POINTERS, "{} places: {moved:#?}", moved.len());
}

#[test]
fn code_in_the_documentation_is_narrow() {
    let root = root();
    let markdown = |folder: PathBuf| {
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let files = entries.map(|entry| entry.expect("readable").path());
        files
            .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
            .collect::<Vec<_>>()
    };
    let mut files = rust_files(&root.join("src"));
    for folder in
        [".", "benches", "src/guide", "src/guide/cookbook", "layout-macros/docs", "tests/spec"]
    {
        files.extend(markdown(root.join(folder)));
    }
    for package in fs::read_dir(root.join("crates")).expect("readable") {
        files.extend(markdown(package.expect("readable").path()));
    }
    let (blocks, long): (Vec<_>, Vec<_>) =
        files.iter().map(|file| long_lines_of_code(file)).unzip();
    assert!(
        blocks.iter().sum::<usize>() > 800,
        "only {} blocks of code were found",
        blocks.iter().sum::<usize>()
    );
    let long: Vec<_> = long.into_iter().flatten().collect();
    assert!(long.is_empty(), "code of more than {COLUMNS_OF_CODE} columns:\n{}", long.join("\n"));
}
