//! Pages that quote code of other files: each quotation is in its file.

use std::path::Path;

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Without what depends on where lines end: white space, the slashes of comments, trailing commas.
fn characters(text: &str) -> String {
    let words: String = text.split_whitespace().collect();
    words.replace("//", "").replace(",)", ")")
}

/// `## N. ..` shows lines of the kernel `step_N_..`, or of the types above all kernels; the last
/// one those of `hgemm_sm90`, and of what it takes from the library.
#[test]
fn the_steps_to_wgmma_are_those_of_the_kernels() {
    let page = file("src/guide/from_index_to_wgmma.md");
    let (steps, last) = (
        file("crates/layout-nvidia/kernels/src/steps.rs"),
        file("crates/layout-nvidia/kernels/src/hgemm_sm90.rs"),
    );
    let kernels: Vec<&str> = steps.split("pub unsafe fn step_").collect();
    let (last_types, _) = last.split_once("pub unsafe fn hgemm_sm90").unwrap();
    let shared = ["main_loop", "epilogue"]
        .map(|name| file(&format!("crates/layout-nvidia/src/hopper/pipeline/{name}.rs")));
    let (mut shown, mut sections) = (0, 0);
    for (number, section) in
        (1..=6).map(|n| (n, page.split(&format!("\n## {n}. ")).nth(1).unwrap()))
    {
        let section = section.split("\n## ").next().unwrap();
        let source = match kernels.get(number) {
            Some(kernel) => characters(&[last_types, kernels[0], kernel].join("\n")),
            None => characters(&[last.as_str(), &shared[0], &shared[1]].join("\n")),
        };
        for block in section.split("\n```rust,ignore\n").skip(1) {
            let block = characters(block.split("\n```").next().unwrap());
            assert!(source.contains(&block), "step {number}: this is not in its source:\n{block}");
            shown += 1;
        }
        sections += 1;
    }
    assert!(
        kernels.len() == 6 && sections == 6 && shown > 10,
        "{} kernels, {shown} blocks",
        kernels.len() - 1
    );
}

/// The figures are those of the run that is written down.
#[test]
fn the_figures_of_the_steps_are_those_of_the_run() {
    let page = file("src/guide/from_index_to_wgmma.md");
    let results = file("crates/layout-nvidia/results/nvidia-h200-steps.jsonl");
    let of = |line: &str, name: &str| -> f64 {
        let value = line
            .split(&format!("\"{name}\": "))
            .nth(1)
            .unwrap_or_else(|| panic!("{name} in {line}"));
        value.split([',', '}']).next().unwrap().parse().unwrap()
    };
    let mut rows = 0;
    for line in results.lines().filter(|line| line.contains("\"rate\"")) {
        let kernel =
            line.split("\"kernel\": \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        let said = format!("| `{kernel}` | {:.1} | {:.1e} |", of(line, "rate"), of(line, "error"));
        assert!(page.contains(&said), "the page does not say {said}");
        let (_, peer) = line.split_once("cuBLAS").unwrap();
        assert!(page.contains(&format!("cuBLAS has {:.1}", of(peer, "rate"))), "what cuBLAS has");
        rows += 1;
    }
    assert_eq!(rows, 6);
}

/// Without what lines are moved in by.
fn lines(text: &str) -> String {
    text.lines().map(|line| line.trim().to_owned() + "\n").collect()
}

/// Every block shows lines that stand side by side in a file of the package, in the order of the
/// kernel.
#[test]
fn the_first_kernel_is_the_examples() {
    let page = file("src/guide/your_first_kernel.md");
    let folder = "crates/layout-nvidia/examples/kernel_of_ones_own";
    let sources = ["Cargo.toml", "build.rs", "src/lib.rs", "src/main.rs"]
        .map(|name| lines(&file(&format!("{folder}/{name}"))));
    let code = |source: &String| {
        source.lines().filter(|line| !line.is_empty() && !line.starts_with("//")).count()
    };
    let mut shown = [0; 4];
    for language in ["toml", "rust,ignore"] {
        for block in page.split(&format!("\n```{language}\n")).skip(1) {
            let block = lines(block.split("\n```").next().unwrap());
            let at =
                sources.iter().position(|source| characters(source).contains(&characters(&block)));
            shown[at.unwrap_or_else(|| panic!("this is in no file of {folder}:\n{block}"))] +=
                code(&block);
        }
    }
    // The kernel is shown but for its imports, and `build.rs` as a whole.
    let (library, _) = sources[2].split_once("\n#[cfg(test)]").unwrap();
    let library = library.to_string();
    assert_eq!((shown[1], code(&sources[1])), (3, 3));
    assert!(shown[0] > 4 && shown[3] > 8 && shown[2] + 4 > code(&library), "{shown:?}");
    let all = code(&library) + code(&sources[1]) + code(&sources[3]);
    assert!(all <= 80, "the package has {all} lines, and the page says 80");
}

/// Every block of code that is not run shows lines of the kernels.
#[test]
fn the_pages_on_kernels_show_the_kernels() {
    let recipes = "crates/layout-nvidia/examples/recipes";
    let modules = "fused halo histogram long_rows overlap product rows scan short_rows transpose"
        .split(' ')
        .map(|name| format!("{recipes}/src/{name}.rs"));
    let recipes: String =
        modules.chain([format!("{recipes}/build.rs")]).map(|name| file(&name)).collect();
    let product = file("crates/layout-nvidia/kernels/src/hgemm.rs");
    for (name, source, least) in
        [("a_product_on_mma_sync", product, 8), ("recipes_for_kernels", recipes, 20)]
    {
        let (page, source) = (file(&format!("src/guide/{name}.md")), characters(&source));
        let blocks: Vec<&str> = page.split("\n```rust,ignore\n").skip(1).collect();
        for block in &blocks {
            let block = characters(block.split("\n```").next().unwrap());
            assert!(source.contains(&block), "{name}: this is not in its source:\n{block}");
        }
        assert!(blocks.len() >= least, "{name}: {} blocks", blocks.len());
    }
}

#[test]
fn the_programs_of_the_dictionary_are_tested() {
    let (page, source) =
        (file("src/guide/dictionary.md"), characters(&file("tests/tensor/dictionary.rs")));
    let blocks: Vec<_> = page
        .split("\n```rust,ignore\n")
        .skip(1)
        .map(|rest| rest.split("\n```").next().unwrap())
        .collect();
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        assert!(source.contains(&characters(block)), "this is in no test:\n{block}");
    }
}

/// The pages of the guide, by name.
fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for folder in ["src/guide", "src/guide/cookbook"] {
        let entries =
            std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder))
                .unwrap();
        for name in entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
            if name.ends_with(".md") && !["links.md", "README.md"].contains(&name.as_str()) {
                let page = file(&format!("{folder}/{name}"));
                pages.push((format!("{folder}/{name}"), page));
            }
        }
    }
    assert!(pages.len() > 30);
    pages
}

/// Every page leads to the glossary. A page of the cookbook has a title, what one has to know, a
/// question, and the next page.
#[test]
fn pages_of_the_guide_have_their_parts() {
    let mut faults = Vec::new();
    for (name, page) in pages() {
        let mut parts = vec!["# ", "words]: "];
        if name.contains("/cookbook/") {
            parts.extend([
                "\n*Before this page: ",
                "\n## A question\n",
                "\n### Answer\n",
                "Next: [",
            ]);
        }
        // The glossary itself, and the last page of the cookbook.
        parts.retain(|part| !(name.ends_with("/words.md") && *part == "words]: "));
        parts.retain(|part| !(name.ends_with("/layout_of_bits.md") && *part == "Next: ["));
        faults.extend(
            parts
                .iter()
                .filter(|part| !page.contains(**part))
                .map(|part| format!("{name}: no {part:?}")),
        );
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A program of the guide runs as it is copied: nothing that it needs is hidden, and the page names
/// the crates beside this one.
#[test]
fn programs_of_the_guide_are_complete() {
    let (mut faults, mut programs) = (Vec::new(), 0);
    for (name, page) in pages() {
        for program in
            page.split("\n```rust\n").skip(1).map(|rest| rest.split("\n```").next().unwrap())
        {
            programs += 1;
            for hidden in program.lines().filter(|line| line.starts_with("# ")) {
                // The type of the error for `?`, and a program that only runs with a feature.
                if !["# Ok::<", "# #[cfg(feature", "# {", "# }"]
                    .iter()
                    .any(|begin| hidden.starts_with(begin))
                {
                    faults.push(format!("{name}: hidden: {hidden}"));
                }
            }
            let paths = program
                .lines()
                .filter_map(|line| line.trim_start_matches("use ").split_once("::"))
                .map(|it| it.0);
            for name_of_crate in ["rayon", "serde", "static_assertions", "ndarray", "bytemuck"] {
                if paths.clone().any(|path| path == name_of_crate)
                    && !page.contains(&format!("cargo add {name_of_crate}"))
                {
                    faults.push(format!("{name}: no `cargo add {name_of_crate}`"));
                }
            }
        }
    }
    assert!(programs > 150, "{programs} programs");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The targets of `[text](target)` and of `[name]: target` outside of code.
fn targets(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut prose = Vec::new();
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        if !in_code && !fence {
            // Every other part stands between backticks.
            prose.push(line.split('`').step_by(2).collect::<String>());
        }
    }
    let inline = prose
        .iter()
        .flat_map(|line| line.split("](").skip(1))
        .filter_map(|rest| rest.split(')').next());
    let named = prose
        .iter()
        .filter_map(|line| line.strip_prefix('[')?.split_once("]: ").map(|(_, target)| target));
    inline.chain(named).map(str::to_owned).collect()
}

/// Every link of a page to a file leads to one, as a code host follows it.
#[test]
fn links_between_files_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![".", "benches", "src/guide", "src/guide/cookbook"]
        .into_iter()
        .map(|it| root.join(it))
        .collect::<Vec<_>>();
    folders.extend(
        std::fs::read_dir(root.join("crates")).unwrap().map(|package| package.unwrap().path()),
    );
    let files = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()));
    let pages = files.filter(|path| {
        path.extension().is_some_and(|end| end == "md") && !path.ends_with("links.md")
    });
    let (mut followed, mut lost) = (0, Vec::new());
    for page in pages {
        for target in targets(&std::fs::read_to_string(&page).unwrap()) {
            let file = target.split('#').next().unwrap();
            if file.is_empty()
                || target.contains("://")
                || target.contains("::")
                || target.contains(' ')
            {
                continue;
            }
            followed += 1;
            if !page.with_file_name("").join(file).exists() {
                lost.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(followed > 100, "only {followed} links");
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

#[test]
fn targets_are_those_outside_of_code() {
    let text = "[a](b.md), `[t](i)` and [c](d.md#e)\n```\n[x](y)\n```\n[name]: ../f.svg\n";
    assert_eq!(targets(text), ["b.md", "d.md#e", "../f.svg"]);
}
