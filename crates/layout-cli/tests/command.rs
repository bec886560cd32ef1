//! The built command: what it prints, where, and with which exit code.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use layout_cli::{Form, OPERATIONS, Operation, find};

fn layout(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
    command.args(arguments).env_remove("NO_COLOR").output().expect("the command runs")
}

/// What goes to the standard output of a run that ends well.
fn answer(arguments: &[&str]) -> String {
    let output = layout(arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{arguments:?}");
    out
}

/// What goes to the standard error of a run that ends with this code, with nothing on the standard
/// output.
fn failure(code: i32, arguments: &[&str]) -> String {
    let output = layout(arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!((output.status.code(), out.as_str()), (Some(code), ""), "{arguments:?}: {err}");
    assert!(!err.contains("panicked"), "{err}");
    err
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// What the table says of types is there: the text of the crate has each alias, constant and trait
/// of a row.
#[test]
fn the_types_of_the_table_exist() {
    fn texts(folder: &Path, all: &mut String) {
        for entry in std::fs::read_dir(folder).expect("the source of the crate") {
            let path = entry.expect("readable").path();
            match path.is_dir() {
                true => texts(&path, all),
                false => *all += &std::fs::read_to_string(&path).expect("text"),
            }
        }
    }
    let mut source = String::new();
    texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src"), &mut source);
    let is_declared = |form: &str| {
        let ends =
            |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        source.match_indices(form).any(|(at, _)| ends(&source[at + form.len()..]))
    };
    for row in OPERATIONS {
        let (name, forms) = match row.form {
            Form::Alias(name) | Form::Indexed(name) | Form::OfShape(name) => {
                (name, ["-> ", "type ", "struct "])
            }
            Form::Relation(name) => (name, ["trait ", "trait ", "trait "]),
            Form::Constant(name) => (name, ["const ", "const ", "const "]),
            Form::Method | Form::Dynamic => continue,
        };
        let is_there = forms.iter().any(|form| is_declared(&format!("{form}{name}")));
        assert!(is_there, "{}: the crate has no {name}", row.name);
    }
}

/// What is not decided in time is refused with a sentence, and does not end in a panic.
#[test]
fn undecided_questions_are_refused() {
    let error = failure(1, &["is-surjective", "(3000000,4):(^1,^1)"]);
    assert!(error.contains("was not decided"), "{error}");
    let error = failure(1, &["cosize", "Sw<4,1,16> o 4194305 o 8589934593:^17"]);
    assert!(error.contains("the largest offset was not found"), "{error}");
    let error = failure(1, &["cosize", "Sw<0,0,0> o 18446744073709551615 o 1:1"]);
    assert!(error.contains("beyond 18446744073709551615"), "{error}");
    let leaves = |number: &dyn Fn(u32) -> u64| {
        (0..40).map(|k| number(k).to_string()).collect::<Vec<_>>().join(",")
    };
    let wide = format!("Sw<1,0,1> o 0 o ({}):({})", leaves(&|_| 2), leaves(&|k| 3u64.pow(k)));
    let error = failure(1, &["cosize", &wide]);
    assert!(error.contains("more than 32 modes"), "{error}");
}

#[test]
fn operations_print_their_results() {
    let a = "(4,6):(1,4)";
    let results = [
        (&["compose", a, "(2,3):(2,8)"][..], "(2,3):(2,8)"),
        (&["compose", "(4,6):(6,1)", "<2,3>"], "(2,3):(6,1)"),
        (&["compose", "(8,8):(^1,^9)", "<4,2>"], "(4,2):(^1,^9)"),
        (&["index", "(8,8):(^1,^9)", "(1,1)"], "8"),
        (&["divide", a, "<2,3>"], "((2,2),(3,2)):((1,2),(4,12))"),
        (&["logical-divide", a, "8"], "(8,3):(1,8)"),
        (&["zipped-divide", a, "<2,3>"], "((2,3),(2,2)):((1,4),(2,12))"),
        (&["tiled-divide", a, "<2,3>"], "((2,3),2,2):((1,4),2,12)"),
        (&["flat-divide", a, "<2,3>"], "(2,3,2,2):(1,4,2,12)"),
        (&["product", "(2,2):(1,2)", "3"], "((2,2),3):((1,2),4)"),
        (&["zipped-product", "(2,2):(1,2)", "(3,2):(1,3)"], "((2,2),(3,2)):((1,2),(4,12))"),
        (&["tiled-product", "(2,2):(1,2)", "(3,2):(1,3)"], "((2,2),3,2):((1,2),4,12)"),
        (&["flat-product", "(2,2):(1,2)", "(3,2):(1,3)"], "(2,2,3,2):(1,2,4,12)"),
        (&["blocked-product", "(2,2):(1,2)", "(3,2):(1,3)"], "((2,3),(2,2)):((1,4),(2,12))"),
        (&["raked-product", "(2,2):(1,2)", "(3,2):(1,3)"], "((3,2),(2,2)):((4,1),(12,2))"),
        (&["tile-to-shape", "(2,2):(1,2)", "(4,4)"], "((2,2),(2,2)):((1,4),(2,8))"),
        (&["local-tile", a, "<2,3>", "(1,0)"], "(2,3):(1,4) at offset 2"),
        (&["round-up", "(5,7):(7,1)", "<2,4>"], "(6,8):(7,1)"),
        (&["complement", "4:2", "24"], "(2,3):(1,8)"),
        (&["complement-ceil", "4:2", "20"], "(2,3):(1,8)"),
        (&["coalesce", a], "24:1"),
        (&["coalesce-by", "((2,2),6):((1,2),4)", "(1,1)"], "(4,6):(1,4)"),
        (&["coalesce-z", "(4,1):(1,5)"], "(4,1):(1,5)"),
        (&["filter", "(4,6):(1,0)"], "4:1"),
        (&["filter-by", "((2,2),(3,2)):((1,0),(2,0))", "(1,1)"], "(2,3):(1,2)"),
        (&["layout-like", "(4,6):(100,3)"], "(4,6):(6,1)"),
        (&["flatten", "((2,2),6):((1,2),4)"], "(2,2,6):(1,2,4)"),
        (&["right-inverse", "(4,6):(6,1)"], "(6,4):(4,1)"),
        (&["left-inverse", "(4,6):(6,1)"], "(6,4):(4,1)"),
        (&["nullspace", "(4,6):(0,1)"], "4:1"),
        (&["max-common-layout", a, a], "24:1"),
        (&["max-common-vector", a, "(4,6):(1,8)"], "4"),
        (&["add", a, a], "24:2"),
        (&["greatest-common-domain", "12", "(4,3)"], "(4,3):(1,4)"),
        (&["upcast", "(4,6):(1,4)", "2"], "(2,6):(1,2)"),
        (&["downcast", "(4,6):(1,4)", "2"], "(8,6):(1,8)"),
        (&["recast", "(4,6):(1,4)", "16", "32"], "(2,6):(1,2)"),
        (&["with-shape", "24:1", "(4,6)"], "(4,6):(1,4)"),
        (&["mode", a, "1"], "6:4"),
        (&["select", "(2,3,4):(1,2,6)", "(2,0)"], "(4,2):(6,1)"),
        (
            &["composition", "Sw<3,3,3> o 0 o (8,64):(64,1)", "<4,_>"],
            "Sw<3,3,3> o 0 o (4,64):(64,1)",
        ),
        (&["apply", "Sw<3,0,3>", "43"], "46"),
        (&["compatible", "(4,6)", "((2,2),6)"], "true"),
        (&["size", "Sw<3,3,3> o 0 o (8,64):(64,1)"], "512"),
        (&["cosize", "(4,6):(8,1)"], "30"),
        (&["rank", a], "2"),
        (&["depth", "((2,2),6):((1,2),4)"], "2"),
        (&["congruent", "(4,6)", "(2,2)"], "true"),
        (&["weakly-congruent", "(4,6)", "((2,2),3)"], "true"),
        (&["is-injective", "(4,6):(1,2)"], "false"),
        (&["is-surjective", "(4,6):(1,2)"], "true"),
        (&["is-surjective", "Sw<1,0,1> o 4 o (2,2,2):(-2,-2,1)"], "true"),
        (&["is-surjective", "Sw<1,3,33> o 144115188075855872 o (6,(5)):(-4,(4))"], "false"),
        (&["is-bijective", a], "true"),
        (&["is-compact", "(4,6):(1,0)"], "true"),
        (&["take", "(2,3,4):(1,2,6)", "1", "3"], "(3,4):(2,6)"),
        (&["group", "(2,3,4):(1,2,6)", "0", "2"], "((2,3),4):((1,2),6)"),
        (&["ungroup", "((2,3),4):((1,2),6)", "0"], "(2,3,4):(1,2,6)"),
        (&["append", a, "2:24"], "(4,6,2):(1,4,24)"),
        (&["prepend", a, "2:24"], "(2,4,6):(24,1,4)"),
        (&["replace", a, "1", "2:24"], "(4,2):(1,24)"),
        (&["reverse", a], "(6,4):(4,1)"),
        (&["transpose", a], "(6,4):(4,1)"),
        (&["slice", a, "(1,_)"], "6:4 at offset 1"),
        (&["index", a, "(2,3)"], "14"),
        (&["coordinate", "(4,6)", "14"], "(2,3)"),
        (&["left", "(4,6)"], "(4,6):(1,4)"),
        (&["right", "(4,6)"], "(4,6):(6,1)"),
        (&["with-strides", "(4,6)", "(6,1)"], "(4,6):(6,1)"),
        (&["ordered", "(4,6)", "(1,0)"], "(4,6):(6,1)"),
    ];
    for (arguments, result) in results {
        assert_eq!(answer(arguments), format!("{result}\n"), "{arguments:?}");
    }
    // The library's own spelling is understood too.
    assert_eq!(answer(&["zipped_divide", a, "<2,3>"]), answer(&["zipped-divide", a, "<2,3>"]));
    assert_eq!(answer(&["logical_divide", "(4,6)", "<2,3>"]), answer(&["divide", a, "<2,3>"]));
    assert_eq!(
        answer(&["explain", "logical_divide", "(4,6)", "2"]),
        answer(&["explain", "divide", a, "2"])
    );
    // All of them are there.
    let asked = |row: &Operation| {
        results.iter().any(|it| find(&it.0[0].replace('-', "_")).unwrap().name == row.name)
    };
    let missing: Vec<_> = OPERATIONS.iter().filter(|row| !asked(row)).map(|row| row.name).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn what_the_algebra_refuses_ends_with_1_and_its_sentence() {
    for (arguments, sentence) in [
        (
            &["divide", "(4,6):(1,4)", "<2,4>"][..],
            "cannot divide (4,6):(1,4) by <2,4>: extent 6 is not a multiple of the span 4",
        ),
        (
            &["compose", "(4,6):(1,5)", "5:3"],
            "cannot compose (4,6):(1,5) with 5:3: the right mode 5:3 leaves the mode 4:1 of the \
             left layout after 2 steps, and 2 does not divide 5",
        ),
        (
            &["show", "(1000,1000):(1,1000)"],
            "cannot draw (1000,1000):(1,1000): there are 1000000 cells, and pictures have at most \
             262144",
        ),
        (
            &["mode", "(4,6):(1,4)", "2"],
            "cannot take a mode of (4,6):(1,4): there is no mode 2 in rank 2",
        ),
        (
            &["draw", "threads", "(2,2):(1,2)", "(2,2)", "--thread", "2"],
            "cannot draw (2,2):(1,2) in (2,2): there is no thread 2 among 2",
        ),
        (
            &["draw", "threads", "(2,2):(1,2)", "3"],
            "cannot draw (2,2):(1,2) in 3: 4 elements are reached, and there are 3",
        ),
        (
            &["banks", "(32,32):(32,1)", "(8,4):(4,1)", "--access", "128"],
            "cannot draw the accesses to (32,32):(32,1) by the threads (8,4):(4,1): 128 bits at \
             once are asked for, and neighbours that begin at a multiple of their size are at \
             most 32",
        ),
        (
            &["banks", "(2,2):(1,9223372036854775807)", "(2,4):(1,2)"],
            "cannot draw the accesses to (2,2):(1,9223372036854775807) by the threads \
             (2,4):(1,2): 8 elements are reached, and there are 4",
        ),
        (
            &["svg", "memory", "2:9223372036854775807"],
            "cannot draw 2:9223372036854775807: there are 9223372036854775808 cells, and pictures \
             have at most 262144",
        ),
        (
            &["left", "(4294967296,4294967296)"],
            "cannot lay out shape (4294967296,4294967296): a number grows beyond \
             18446744073709551615, the largest there is",
        ),
        (
            &["append", "4:1", "2:18446744073709551614"],
            "cannot append to 4:1 the mode 2:18446744073709551614: a number grows beyond \
             18446744073709551615, the largest there is",
        ),
    ] {
        assert_eq!(failure(1, arguments), format!("{sentence}\n"));
    }
}

#[test]
fn what_cannot_be_read_ends_with_2_and_a_caret_under_the_place() {
    for (arguments, lines) in [
        (&["show", "(4,6:(1,4)"][..], ["expected `,` or `)` at byte 4", "  (4,6:(1,4)", "      ^"]),
        (&["show", ""], ["expected a number or `(` at byte 0", "  ", "  ^"]),
        (
            &["compose", "4:1", "<2,"],
            ["expected a number, `_`, `(` or `<` at byte 3", "  <2,", "     ^"],
        ),
        (&["show", "Sw<1,2"], ["expected `,` at byte 6", "  Sw<1,2", "        ^"]),
        (&["left", "(4,x)"], ["expected a number or `(` at byte 3", "  (4,x)", "     ^"]),
        (
            &["show", "99999999999999999999:1"],
            ["the number at byte 0 is larger", "  99999999999999999999:1", "  ^"],
        ),
    ] {
        let error = failure(2, arguments);
        let found: Vec<_> = error.lines().take(3).collect();
        assert!(found[0].contains(lines[0]), "{error}");
        assert_eq!(found[1..], lines[1..], "{error}");
    }
    let error = failure(2, &["show", "(99999999999,99999999999):(1,1)"]);
    assert!(
        error.contains("a number grows beyond 18446744073709551615, the largest there is"),
        "{error}"
    );
}

#[test]
fn what_is_no_command_ends_with_2() {
    for (arguments, sentence) in [
        (&["complemnt", "4:1", "8"][..], "unrecognized subcommand 'complemnt'"),
        (&["divide", "4:1"], "the following required arguments were not provided:\n  <TILER>"),
        (&["complement", "4:1", "-8"], "unexpected argument '-8'"),
        (&["complement", "4:1", "x"], "invalid value 'x' for '<EXTENT>'"),
        (&["banks", "32:1", "(1,0):(1,0)"], "THREADS has no thread or no value"),
        (&["banks", "32:1", "(0,4):(1,0)"], "THREADS has no thread or no value"),
        (
            &["banks", "32:1", "(4,2):(-1,4)"],
            "THREADS has natural strides, or XOR strides that are a swizzle of these",
        ),
        (
            &["banks", "32:1", "(4,2):(^3,^3)"],
            "THREADS has natural strides, or XOR strides that are a swizzle of these",
        ),
        (&["banks", "32:1", "32:1"], "THREADS is a layout of two modes: (thread, value)"),
        (&["banks", "32:1", "(8,4):(4,1)", "--element", "24"], "8, 16, 32, 64 or 128 bits"),
        (
            &["banks", "32:1", "(8,4):(4,1)", "--element", "32", "--access", "16"],
            "an access is of whole elements",
        ),
        (
            &["banks", "32:1", "(8,3):(3,1)", "--access", "64"],
            "what a thread has is no whole number of accesses",
        ),
    ] {
        let error = failure(2, arguments);
        assert!(error.contains(sentence), "{arguments:?}: {error}");
    }
}

#[test]
fn a_layout_is_shown_with_what_there_is_to_say_of_it() {
    let table = "\
((2,2),3):((1,6),2)
          0    1    2
       +----+----+----+
(0,0)  |  0 |  2 |  4 |
       +----+----+----+
(1,0)  |  1 |  3 |  5 |
       +----+----+----+
(0,1)  |  6 |  8 | 10 |
       +----+----+----+
(1,1)  |  7 |  9 | 11 |
       +----+----+----+
size 12, cosize 12, rank 2, depth 2, injective, compact
";
    assert_eq!(answer(&["show", "((2,2),3):((1,6),2)"]), table);
    assert_eq!(
        answer(&["draw", "layout", "((2,2),3):((1,6),2)"]) + table.lines().last().unwrap() + "\n",
        table
    );
    assert!(answer(&["show", "(4,6):(1,2)"]).ends_with("size 24, cosize 14, rank 2, depth 1\n"));
    // A shape alone is column-major; the modes behind the first one go across.
    let three = answer(&["show", "(2,3,4)"]);
    assert!(
        three.starts_with("(2,3,4):(1,2,6)\n")
            && three.ends_with("\nsize 24, cosize 24, rank 3, depth 1, injective, compact\n")
    );
    assert!(
        answer(&["show", "Sw<1,0,1> o 0 o (2,2,2):(4,2,1)"])
            .starts_with("Sw<1,0,1> o 0 o (2,2,2):(4,2,1)\n")
    );
    assert!(
        answer(&["show", "(4,0):(1,4)"])
            .ends_with("size 0, cosize 0, rank 2, depth 1, injective, compact\n")
    );
    assert!(
        answer(&["show", "Sw<2,0,2> o 0 o (4,4):(4,1)"]).contains(" 1  |  5 |  4 |  7 |  6 |\n")
    );
}

#[test]
fn colours_are_for_terminals_and_for_whoever_asks() {
    let (plain, colored) =
        (answer(&["show", "4:1"]), answer(&["show", "4:1", "--color", "always"]));
    assert!(!plain.contains('\x1b') && colored.contains("\x1b[30;48;5;153m 0 \x1b[0m"));
    assert_eq!(answer(&["--color", "never", "show", "4:1"]), plain);
}

#[test]
fn steps_are_explained_and_refusals_too() {
    let steps = answer(&["explain", "compose", "(4,3):(1,8)", "6:2"]);
    assert!(
        steps.starts_with("(4,3):(1,8) o 6:2\n") && steps.ends_with("result (2,3):(2,8)\n"),
        "{steps}"
    );
    let output = layout(&["explain", "divide", "(4,6):(1,4)", "<2,4>"]);
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(1), ""));
    assert!(
        text(&output.stdout)
            .ends_with("refused, divisibility: extent 6 is not a multiple of the span 4\n")
    );
}

#[test]
fn banks_are_counted_without_a_swizzle_and_with_it() {
    let column = "(32,1):(1,0)";
    let plain = answer(&["banks", "(32,32):(32,1)", column]);
    let two = answer(&["banks", "(32,32):(32,1)", "(32,2):(1,32)"]);
    assert!(two.starts_with("2 accesses in 64 cycles, 2 at best\n"), "{two}");
    assert!(
        plain.starts_with(
            "1 access in 32 cycles, 1 at best\n32-way bank conflict: threads 0-31 each "
        ),
        "{plain}"
    );
    let padded = answer(&["banks", "(32,32):(33,1)", column]);
    assert_eq!(padded, "1 access in 1 cycle, 1 at best\nfree of bank conflicts\n");
    let swizzled = answer(&["banks", "Sw<5,0,5> o 0 o (32,32):(32,1)", column]);
    assert_eq!(swizzled, format!("without the swizzle: {plain}with it: {padded}"));
    let rows = answer(&[
        "banks",
        "Sw<3,3,3> o 0 o (8,64):(64,1)",
        "(8,8):(1,8)",
        "--element",
        "16",
        "--ldmatrix",
        "1",
    ]);
    assert!(rows.starts_with("without the swizzle: 1 access in 8 cycles, 1 at best\n"), "{rows}");
    assert!(
        rows.ends_with("with it: 1 access in 1 cycle, 1 at best\nfree of bank conflicts\n"),
        "{rows}"
    );
    assert!(answer(&["draw", "banks", "(32,32):(32,1)", column]).contains(" T31! |"));
}

#[test]
fn pictures_are_written_to_the_standard_output_or_a_file() {
    let arguments = ["svg", "divide", "(4,6):(1,4)", "<2,3>"];
    let svg = answer(&arguments);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    // A layout needs no word for what is drawn.
    for what in ["svg", "draw"] {
        let [short, long] =
            [&[what, "(4,6):(1,4)"][..], &[what, "layout", "(4,6):(1,4)"][..]].map(answer);
        assert_eq!(short, long);
    }
    let path = std::env::temp_dir().join(format!("layout-command-{}.svg", std::process::id()));
    let with_file = [&["svg", "-o", path.to_str().unwrap()][..], &arguments[1..]].concat();
    assert_eq!(answer(&with_file), "");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), svg);
    std::fs::remove_file(&path).unwrap();
    let nowhere = path.join("no-such-folder");
    let error = failure(1, &["svg", "memory", "4:1", "--output", nowhere.to_str().unwrap()]);
    assert!(error.starts_with("cannot write "), "{error}");
    assert!(!answer(&["svg", "layout", "(128,128):(1,128)"]).contains(">16383<"));
    assert!(answer(&["svg", "layout", "(128,128):(1,128)", "--cell", "32"]).contains(">16383<"));
    let blocks = answer(&["draw", "blocked-product", "(2,2)", "(2,3)"]);
    assert!(blocks.contains("\nblocked_product = ((2,2),(2,3)):((1,4),(2,8))\n"), "{blocks}");
    assert!(answer(&["draw", "product", "(2,2)", "3"]).contains("\nzipped_product = "));
    for what in [
        &["raked_product", "(2,2)", "(2,3)"][..],
        &["threads", "(2,2):(1,2)", "(2,2)"],
        &["compose", "(4,6):(6,1)", "2"],
        &["memory", "(2,2):(4,1)"],
    ] {
        assert!(answer(&[&["svg"], what].concat()).starts_with("<svg "));
    }
}

#[test]
fn code_is_emitted_or_refused_with_a_sentence() {
    let tile = "((4,8),(2,2)):((32,1),(16,8))";
    let code = answer(&["emit", "index", "--language", "wgsl", "--name", "a_tile", tile]);
    let body = "fn a_tile(i: u32, j: u32) -> u32 {\n    return ((i & 3u) << 5u) + (i >> 2u) + ((j \
                & 1u) << 4u) + ((j & 2u) << 2u);\n}\n";
    assert!(code.ends_with(body), "{code}");
    let code = answer(&["emit", "index", "-l", "python", "--flat", "--bounds", "(m,n):(n,1)"]);
    assert!(code.contains("def offset_of(i, m, n):") && code.contains("i < (m * n)"), "{code}");
    let back = answer(&[
        "emit",
        "index",
        "-l",
        "c",
        "--coordinate",
        "--bits",
        "64",
        "Sw<3,3,3> o 0 o (8,64):(64,1)",
    ]);
    assert!(back.contains("coordinate_of_t coordinate_of(uint64_t offset)"), "{back}");
    let code = answer(&[
        "emit",
        "partition",
        "-l",
        "cuda",
        "SM80_16x8x16_F32F16F16F32_TN",
        "--operand",
        "c",
    ]);
    assert!(code.contains("element_of(unsigned int thread, unsigned int value)"), "{code}");
    let header =
        answer(&["emit", "index", "-l", "cuda", "--header", "--coordinate", "(8,w):(1,8)"]);
    assert!(
        header.starts_with("#pragma once\n") && header.contains("{ offset & 7u, offset >> 3 }"),
        "{header}"
    );
    assert!(
        answer(&["emit", "partition", "-l", "hip", "--header", tile, "(16,8)"])
            .contains("LAYOUT_FUNCTION")
    );
    answer(&["emit", "partition", "-l", "rust", tile, "(16,8)"]);
    answer(&["emit", "partition", "-l", "glsl", "--copy", "(32,8):(8,1)", "(1,4):(4,1)"]);
    let kernel =
        ["emit", "relayout", "-l", "cuda", "--element", "f16", "(64,96):(96,1)", "(64,96):(1,64)"];
    assert!(
        answer(&kernel)
            .contains("relayout_launch(const void *from, void *to, cudaStream_t stream)")
    );
    // From any layout to any other.
    assert_eq!(
        answer(&[
            "emit",
            "relayout",
            "-l",
            "wgsl",
            "-e",
            "f32",
            "--launch",
            "(64,96):(96,1)",
            "(64,96):(1,64)"
        ]),
        "{\"entry\":\"relayout\",\"groups\":[2,1,1],\"threads\":192,\"workgroup_bytes\":12528,\"\
         buffer_bytes\":[24576,24576]}\n"
    );
    let reshape =
        ["emit", "relayout", "-l", "cuda", "-e", "f32", "--by-number", "(4,6):(6,1)", "(6,4)"];
    assert!(answer(&reshape).contains("to[(6,4):(1,6)] = from[(4,6):(6,1)]"));
    let kernel = ["emit", "relayout", "-l", "wgsl", "-e", "u8", "(8,8):(-8,1)", "(8,8):(^9,^1)"];
    assert!(answer(&kernel).contains("the least of them is -56: from[0] has it"));
    let wrong = [
        (&["index", "-l", "rust", "--name", "match", "4:1"][..], "`match` is a word of Rust"),
        (&["index", "-l", "c", "--name", "2x", "4:1"], "`2x` is no name"),
        (&["index", "-l", "wgsl", "(n,m):(fn,1)"], "`fn` is a word of WGSL"),
        (&["index", "-l", "fortran", "4:1"], "no language `fortran`"),
        (&["index", "-l", "c", "(4,n:1"], "as (m,(4,n)) is, at byte 4 of `(4,n:1`"),
        (&["index", "-l", "c", "--bits", "16", "4:1"], "numbers have 32 or 64 bits, not 16"),
        (&["partition", "-l", "c", "SM80_16x8x16_F32F16F16F32_TN"], "asks for --operand a, b or c"),
        (&["partition", "-l", "c", "SM80", "--operand", "d"], "no operand `d`"),
        (&["relayout", "-l", "cuda", "-e", "f24", "4:1", "4:1"], "8, 16, 32, 64 or 128 bits"),
        (
            &["relayout", "-l", "cuda", "-e", "f32", "4:1", "5:1"],
            "4:1 has 4 coordinates, and 5:1 has 5",
        ),
        (
            &[
                "relayout",
                "-l",
                "cuda",
                "-e",
                "f32",
                "(2,4,8,8):(256,1,32,4)",
                "(2,8,8,4):(256,32,4,1)",
            ],
            "do not have the same coordinates; a relayout by number",
        ),
        (
            &["relayout", "-l", "rust", "-e", "f32", "4:1", "4:1"],
            "kernels are written in cuda and wgsl, not in rust",
        ),
    ];
    for (arguments, sentence) in wrong {
        let error = failure(2, &[&["emit"], arguments].concat());
        assert!(error.contains(sentence), "{arguments:?}: {error}");
    }
    let refused = [
        (&["index", "-l", "wgsl", "(4,4):(5000000000,1)"][..], "WGSL has no numbers of 64 bits"),
        (
            &["index", "-l", "c", "--coordinate", "(4,4):(0,1)"],
            "4 coordinates of a mode of stride 0 share each offset",
        ),
        (&["index", "-l", "c", "--coordinate", "(3,2):(2,3)"], "so that they interlock"),
        (&["index", "-l", "c", "(4,0):(1,4)"], "has no coordinate"),
        (
            &["index", "-l", "c", "--bits", "32", "(4,4):(5000000000,1)"],
            "has numbers beyond 32 bits",
        ),
        (
            &["relayout", "-l", "cuda", "-e", "u8", "(4,4):(1,4)", "(4,4):(1,3)"],
            "two elements go to one place: (4,4):(1,3)",
        ),
    ];
    for (arguments, sentence) in refused {
        let error = failure(1, &[&["emit"], arguments].concat());
        assert!(error.contains(sentence), "{arguments:?}: {error}");
    }
}

/// A reader that closes the pipe early is no error, however much there is to write.
#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [
        &["show", "(500,500):(1,500)"][..],
        &["completions", "bash"],
        &["svg", "layout", "(400,400):(1,400)"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut first = [0; 8];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), text(&output.stderr).as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn help_teaches_and_completions_know_the_commands() {
    let help = answer(&["--help"]);
    for words in [
        "a shape and a stride",
        "layout divide '(4,6):(1,4)' '<2,3>'",
        "Exit codes: 0 done; 1 the algebra refuses",
    ] {
        assert!(help.contains(words), "{help}");
    }
    // The operations stand in their groups, and operands are described.
    let groups: BTreeSet<_> = OPERATIONS.iter().map(|row| row.group).collect();
    assert!(groups.iter().all(|group| help.contains(&format!("\n\n{group}:\n  "))), "{help}");
    for row in OPERATIONS {
        let name = row.name.replace('_', "-");
        assert!(help.contains(&format!("\n  {name} ")), "{name}");
        let described = |line: &str| {
            line.strip_prefix("  <").is_some_and(|it| it.split_once('>').unwrap().1.len() > 2)
        };
        let help = answer(&[&name, "--help"]);
        assert_eq!(
            help.lines().filter(|line| described(line)).count(),
            row.operands.len(),
            "{help}"
        );
    }
    // Each example of the help does what it shows.
    assert_eq!(answer(&["divide", "(4,6):(1,4)", "<2,3>"]), "((2,2),(3,2)):((1,2),(4,12))\n");
    assert!(answer(&["banks", "--help"]).contains("layout banks '(32,32):(33,1)' '(32,1):(1,0)'"));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(answer(&["completions", shell]).contains("zipped-divide"), "{shell}");
    }
}

#[test]
fn derivations_name_the_rules_of_the_proof() {
    let steps = answer(&["prove", "(4,6):(6,1)", "o", "8:2"]);
    let rules = [
        "[coalesce: coalesce_z_same_function]",
        "[run_digits]",
        "[run: linear_without_carry]",
        "[carry]",
    ];
    rules.iter().for_each(|rule| assert!(steps.contains(rule), "{rule}\n{steps}"));
    assert!(
        steps.ends_with("for R = (2,4):(12,1), at every coordinate c of B  [composition_sound]\n"),
        "{steps}"
    );
    // The last line of each refusal: exact by its left layout, or up to strides that cancel out.
    let ends = [
        ("(4,6):(6,1)", "3:3", "[composition_exact_two_modes]\n"),
        ("(4,2,2):(1,8,20)", "(2,2):(2,2)", "[composition_exact_monotone]\n"),
        (
            "(3,2,2):(1,0,3)",
            "4:2",
            "unless strides of A cancel out  [refused_only_by_cancellation]\n",
        ),
        // Its strides gain and lose, but 12:1 has all of its numbers.
        ("(3,2,2):(1,5,1)", "(4,3):(1,4)", "[composition_exact_reordering]\n"),
    ];
    for (a, b, end) in ends {
        let output = layout(&["prove", a, "o", b]);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(said.contains("[composition_finds_runs]") && said.ends_with(end), "{said}");
    }
    assert!(failure(2, &["prove", "(8,8):(^1,^9)", "o", "4:2"]).contains("natural strides"));
}

#[test]
fn derivations_of_divides_and_complements() {
    let steps = answer(&["prove", "(4,6):(1,4)", "/", "<2,3>"]);
    assert!(steps.contains("rest: the complement of 2:1 in 4 is 2:2"), "{steps}");
    assert!(
        steps.contains("[complement_modes: complement_bijection]")
            && steps.contains("[run_digits]"),
        "{steps}"
    );
    assert!(steps.ends_with("occurs as often as before  [logical_divide_offsets]\n"), "{steps}");
    assert!(
        steps.contains(
            "so mode 0 of each mode that is cut is that mode o its tile  [nested_divide_tile]"
        ),
        "{steps}"
    );
    let twice = answer(&["prove", "4:1", "/", "(2,2):(1,0)"]);
    assert!(twice.contains("so mode 0 is A o T  [nested_divide_tile]"), "{twice}");
    assert!(twice.ends_with("times the extents at stride 0 in T  [divide_offsets]\n"), "{twice}");
    assert_eq!(
        answer(&["prove", "(2,4,3):(24,2,0)", "complement", "96"]),
        "\
complement of (2,4,3):(24,2,0) in 96
  modes that move, by stride: 4:2 2:24                      [sort_by: moving]
  mode 4:2 leaves 2 steps of 1 free, and with it 8 are spanned  [gaps_of]
  mode 2:24 leaves 3 steps of 8 free, and with it 48 are spanned  [gaps_of]
  above, 2 steps of 48 are free                             [complement_modes]
result (2,3,2):(1,8,48)
so every number below 96 is the sum of an offset of R = (2,3,2):(1,8,48) and one of the modes that \
         move, in one way only  [complement_bijection]
and nothing else is free  [complement_only]
"
    );
    assert!(answer(&["prove", "5:0", "complement", "3"]).contains("by stride: none"));
    for (arguments, words) in [
        (
            ["(4,6):(1,4)", "/", "<2,4>"],
            "no layout and no other function is what T leaves free  [complement_exact]\n",
        ),
        (["(4,6):(6,1)", "/", "6:1"], "no layout is A o (T, rest)  [divide_exact]\n"),
        (["(2,2):(2,3)", "complement", "12"], "[gaps_of: Overlap]\n"),
        (["(2,2):(2,5)", "complement", "12"], "[gaps_of: Divisibility]\n"),
        (["(2,2):(1,2)", "complement", "13"], "[complement_modes: Divisibility]\n"),
        (["2305843009213693952:8", "complement", "13"], "refused, overflow"),
        (["(4,6):(1,4)", "/", "<2,3,4>"], "refused, rank"),
    ] {
        let output = layout(&[&["prove"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(said.contains(words), "{said}");
    }
    for (arguments, words) in [
        (["4:1", "complement", "two"], "complement takes a number to its right, not \"two\""),
        (["4:1", "complement", "0"], "numbers from 1"),
        (["4:1", "/", "<2"], "/ takes a tiler to its right, not \"<2\""),
        (["4:1", "/", "<0,_>"], "extents and numbers from 1"),
        (["4:1", "/", "(2,2):(^1,^2)"], "natural strides"),
        (["4:1", "o", "<2>"], "o takes a layout to its right, not \"<2>\""),
        (["4:1", "x", "2"], "possible values: o, /, complement"),
        (["0:1", "o", "2"], "extents and numbers from 1"),
    ] {
        let error = failure(2, &[&["prove"], &arguments[..]].concat());
        assert!(error.contains(words), "{error}");
    }
}

/// Each name in brackets is one that the proof has; each theorem is checked for what it rests on.
#[test]
fn derivations_name_theorems_that_there_are() {
    let proof = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../proof");
    let theorems = std::fs::read_to_string(proof.join("Theorems.v")).unwrap();
    let files = std::fs::read_dir(&proof).unwrap().map(|file| file.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "v"));
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_owned).collect()
    };
    let known: BTreeSet<String> =
        files.flat_map(|path| words(&std::fs::read_to_string(path).unwrap())).collect();
    let source = include_str!("../src/proving.rs");
    let rules =
        source.split("RULES: &[(&str, &str)] = &[").nth(1).unwrap().split("];").next().unwrap();
    let rules = rules.lines().filter_map(|line| line.split('"').nth(3));
    let steps = source
        .lines()
        .filter_map(|line| line.trim_end_matches(");").rsplit_once(", \""))
        .map(|(_, rule)| rule);
    let steps = steps.filter(|rule| rule.ends_with('"'));
    let ends = source.split('[').filter_map(|rest| rest.split_once(']')).map(|(name, _)| name);
    let ends = ends.filter(|name| {
        name.contains('_') && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    });
    let named: Vec<&str> = rules.chain(steps).chain(ends).collect();
    assert!(named.len() > 20, "{named:?}");
    for name in named.iter().flat_map(|rule| words(rule)).filter(|name| name.contains('_')) {
        assert!(known.contains(&name), "{name}");
        let theorem =
            ["_exact", "_sound", "_offsets", "_bijection", "_only", "_function", "_runs", "_tile"];
        assert!(
            !theorem.iter().any(|end| name.ends_with(end))
                || theorems.contains(&format!("Print Assumptions {name}.")),
            "{name}"
        );
    }
}

/// Negative strides are answered as the library answers: offsets below 0 are shown with their sign.
#[test]
fn strides_may_be_negative() {
    assert_eq!(answer(&["size", "4:-1"]), "4\n");
    assert_eq!(answer(&["rank", "(8,4):(-1,8)"]), "2\n");
    assert_eq!(answer(&["coalesce", "(2,2):(-1,-2)"]), "4:-1\n");
    assert_eq!(answer(&["compose", "(8,4):(-1,8)", "2"]), "2:-1\n");
    assert_eq!(answer(&["flatten", "(4,(2,2)):(-1,(4,-8))"]), "(4,2,2):(-1,4,-8)\n");
    assert_eq!(answer(&["recast", "(4,8):(-8,1)", "16", "32"]), "(4,4):(-4,1)\n");
    assert!(answer(&["show", "4:-1"]).contains("|  0 | -1 | -2 | -3 |"));
    assert!(answer(&["svg", "(3,4):(-4,1)"]).contains(">-8</text>"));
    assert!(answer(&["draw", "memory", "(2,2):(-2,1)"]).contains("from offset -2 on"));
    let error = failure(1, &["index", "4:-1", "2"]);
    assert!(error.contains("the offset -2 is negative"), "{error}");
}

/// What a run says that reads `input`, with this width of lines.
fn asked(arguments: &[&str], input: &str, columns: Option<usize>) -> (i32, String, String) {
    use std::io::Write;
    let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    match columns {
        Some(columns) => command.env("COLUMNS", columns.to_string()),
        None => command.env_remove("COLUMNS"),
    };
    let mut child = command.spawn().expect("the command runs");
    let mut stdin = child.stdin.take().expect("piped");
    // Who reads nothing closes the pipe.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the command ends");
    (output.status.code().expect("it ends by itself"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_dash_is_the_standard_input() {
    let (code, out, _) = asked(&["divide", "-", "<2,3>"], "(4,6):(1,4)\n", None);
    assert_eq!((code, out.as_str()), (0, "((2,2),(3,2)):((1,2),(4,12))\n"));
    assert_eq!(asked(&["divide", "(4,6)", "-"], "  <2,3> \n", None).1, out);
    for (arguments, input, words) in [
        (&["compose", "-", "-"][..], "8:1", "- stands once"),
        (&["show", "-"], " \n", "the standard input is empty"),
        (&["show", "-"], "(4,x)", "expected a number or `(` at byte 3"),
    ] {
        let (code, out, error) = asked(arguments, input, None);
        assert!(code == 2 && out.is_empty() && error.contains(words), "{error}");
    }
    // Behind -o it is the standard output.
    let (code, out, _) = asked(&["svg", "-o", "-", "(2,2)"], "", None);
    assert!(code == 0 && out.starts_with("<svg "));
}

#[test]
fn answers_for_programs() {
    for (arguments, line) in [
        (
            &["--json", "divide", "(4,6):(1,4)", "<2,3>"][..],
            r#"{"result":{"cosize":24,"layout":"((2,2),(3,2)):((1,2),(4,12))","shape":[[2,2],[3,2]],"size":24,"stride":[[1,2],[4,12]]}}"#,
        ),
        (
            &["slice", "Sw<1,0,1> o 0 o (2,2):(2,1)", "(1,_)", "--json"],
            r#"{"result":{"begin":0,"cosize":4,"layout":"Sw<1,0,1> o 2 o 2:1","offset":2,"shape":2,"size":2,"stride":1,"swizzle":"Sw<1,0,1>"}}"#,
        ),
        (&["--json", "select", "(2,2):(-1,^8)", "(1,0)"], r#"{"error":"cannot read"#),
        (&["--json", "size", "(4,6)"], r#"{"result":24}"#),
        (&["--json", "is-injective", "(4,6):(1,2)"], r#"{"result":false}"#),
        (&["--json", "coord", "(4,(2,3))", "9"], r#"{"result":[1,[0,1]]}"#),
        (
            &["--json", "divide", "12:1", "5"],
            r#"{"error":"cannot divide 12:1 by 5: extent 12 is not a multiple of the span 5"}"#,
        ),
        (
            &["--json", "banks", "(32,32):(33,1)", "(32,1):(1,0)"],
            r#"{"text":"1 access in 1 cycle, 1 at best\nfree of bank conflicts"}"#,
        ),
    ] {
        let output = layout(arguments);
        if line.contains("cannot read") {
            assert_eq!(output.status.code(), Some(2));
            continue;
        }
        let code = i32::from(line.contains("error"));
        let (out, error) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(
            (output.status.code(), out, error.as_str()),
            (Some(code), format!("{line}\n"), "")
        );
    }
}

#[test]
fn questions_have_an_exit_status() {
    assert_eq!(answer(&["--check", "is-injective", "(4,6):(1,4)"]), "true\n");
    let output = layout(&["is-injective", "(4,6):(1,2)", "--check"]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), "false\n"));
    assert_eq!(layout(&["is-injective", "(4,6):(1,2)"]).status.code(), Some(0));
    for arguments in [&["--check", "size", "(4,6)"][..], &["--check", "show", "(4,6)"]] {
        assert!(failure(2, arguments).contains("true or false"));
    }
}

#[test]
fn lines_have_the_width_of_the_terminal() {
    let longest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    for columns in [40, 60, 80] {
        for arguments in [
            &["--help"][..],
            &["-h"],
            &["banks", "--help"],
            &["draw", "--help"],
            &["show", "(8,32):(32,1)"],
            &["show", "(3,(4,5)):(20,(5,1))"],
            &["banks", "Sw<5,0,5> o 0 o (32,32):(32,1)", "(32,1):(1,0)"],
            &["draw", "banks", "(32,32):(32,1)", "(32,1):(1,0)"],
        ] {
            let (code, out, error) = asked(arguments, "", Some(columns));
            assert!(code == 0 && error.is_empty(), "{error}");
            assert!(longest(&out) <= columns, "{columns}: {arguments:?}\n{out}");
        }
    }
    // Every cell is there, in whatever lines.
    let (_, narrow, _) = asked(&["show", "(2,40):(40,1)"], "", Some(40));
    assert!((0..80).all(|offset| narrow.contains(&format!(" {offset} |"))), "{narrow}");
    let (_, wide, _) = asked(&["show", "(2,40):(40,1)"], "", None);
    assert_eq!(wide.lines().count(), 8);
}

/// Every operation is explained, and proven where there is a theorem or a law that can be computed.
#[test]
fn every_operation_is_explained_in_one_form() {
    let a = "(4,6):(1,4)";
    let (mut laws, mut none) = (0, Vec::new());
    for row in OPERATIONS {
        let first = match row.operands[0].kind {
            layout_cli::Kind::Shape => "(4,6)",
            layout_cli::Kind::Swizzle => "Sw<3,3,3>",
            _ => a,
        };
        // An example has its commas between operands, and within brackets too.
        let (mut words, mut depth) = (vec![String::new()], 0);
        for letter in row.example.chars() {
            depth += i32::from("(<".contains(letter)) - i32::from(")>".contains(letter));
            match letter {
                ',' if depth == 0 => words.push(String::new()),
                letter => words.last_mut().unwrap().push(letter),
            }
        }
        let name = row.name.replace('_', "-");
        let mut arguments = vec!["explain", &name, first];
        arguments.extend(words.iter().map(String::as_str).filter(|word| !word.is_empty()));
        let output = layout(&arguments);
        let said = text(&output.stdout);
        let ends = said.contains("result ") || said.contains("refused, ");
        assert!(
            ends && output.status.code() != Some(2),
            "{arguments:?}: {said}{}",
            text(&output.stderr)
        );
        assert!(!said.contains("FAILS"), "{said}");
        arguments[0] = "prove";
        let output = layout(&arguments);
        let (said, error) = (text(&output.stdout), text(&output.stderr));
        match output.status.code() {
            Some(0) => {
                laws += 1;
                assert!(
                    said.contains("[computed, by no theorem]") || said.contains("  ["),
                    "{said}"
                );
            }
            Some(2) if error.contains("neither a theorem nor a law") => none.push(row.name),
            _ => assert!(
                said.contains('[') || error.starts_with("cannot "),
                "{arguments:?}: {said}{error}"
            ),
        }
    }
    assert!(laws >= 18, "{laws}, and none: {none:?}");
    // The sign between operands is the same question.
    assert_eq!(answer(&["prove", "compose", a, "8:2"]), answer(&["prove", a, "o", "8:2"]));
    assert_eq!(answer(&["explain", "divide", a, "<2,3>"]), answer(&["explain", a, "/", "<2,3>"]));
    assert!(
        answer(&["prove", "right-inverse", "(4,6):(6,1)"])
            .contains("A(R(i)) = i holds at all 24 coordinates")
    );
    // A law that a wrong result would break, of each draw.
    let mut seed = 0x9e3779b97f4a7c15_u64 ^ u64::from(std::process::id());
    println!("seed {seed}");
    let mut draw = |most: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % most + 1
    };
    for _ in 0..30 {
        let layout =
            format!("({},{},{}):({},{},{})", draw(4), draw(4), draw(4), draw(9), draw(9), draw(9));
        for operation in
            ["coalesce", "flatten", "left-inverse", "right-inverse", "filter", "nullspace"]
        {
            let output = self::layout(&["prove", operation, &layout]);
            let said = text(&output.stdout) + &text(&output.stderr);
            assert!(
                said.contains(" holds at all ") || said.starts_with("cannot "),
                "{operation} {layout}: {said}"
            );
        }
    }
}

#[test]
fn instructions_swizzles_and_tiles_have_commands() {
    let name = "SM80_16x8x16_F32F16F16F32_TN";
    let said = answer(&["mma", &name.to_lowercase()]);
    assert_eq!(
        said,
        format!(
            "{name}, 16 x 8 x 16\nA, 16 x 16: ((4,8),(2,2,2)):((32,1),(16,8,128))\nB, 8 x 16: \
             ((4,8),(2,2)):((16,1),(8,64))\nC, 16 x 8: ((4,8),(2,2)):((32,1),(16,8))\n"
        )
    );
    let picture = answer(&["mma", name, "c", "--thread", "6"]);
    assert_eq!(
        picture,
        answer(&["draw", "threads", "((4,8),(2,2)):((32,1),(16,8))", "(16,8)", "--thread", "6"])
    );
    assert!(answer(&["mma"]).lines().any(|line| line == name));
    assert!(
        failure(2, &["mma", "SM80_16x8x16_F32F16F16F31_TN"])
            .contains(&format!("near it is {name}"))
    );
    let found =
        answer(&["swizzle", "search", "(32,32):(32,1)", "(32,32):(1,32)", "(32,32):(32,1)"]);
    assert!(found.starts_with("Sw<") && found.contains(" 0 bank conflicts"), "{found}");
    for (arguments, words) in [
        (["(32,32):(32,1)", "32:1", "(32,32):(32,1)"], "WRITES is a layout of two modes"),
        (["(32,32):(32,1)", "(32,32):(32,1)", "(32,64):(64,1)"], "READS reaches 2048 elements"),
        (["(1024,1024):(1024,1)", "(32,32):(32,1)", "(32,32):(32,1)"], "up to 524288 elements"),
    ] {
        assert!(failure(2, &[&["swizzle", "search"], &arguments[..]].concat()).contains(words));
    }
    assert_eq!(
        answer(&["local-tile", "(4,6):(1,4)", "<2,3>", "(1,_)"]),
        "((2,3),2):((1,4),12) at offset 2\n"
    );
}

#[test]
fn what_is_easily_overlooked_is_said() {
    let output = layout(&["index", "(4,6):(1,4)", "(1,7)"]);
    let note = "note: (1,7) is beyond the shape (4,6), whose last mode goes on\n";
    assert_eq!((text(&output.stdout).as_str(), text(&output.stderr).as_str()), ("29\n", note));
    assert_eq!(answer(&["index", "(4,6):(1,4)", "(3,5)"]), "23\n");
    assert!(
        answer(&["show", "Sw<3,3,3> o 0 o (8,8):(8,1)"])
            .ends_with("Sw<3,3,3> changes no offset of this layout\n")
    );
    assert!(!answer(&["show", "Sw<3,0,3> o 0 o (8,8):(8,1)"]).contains("changes no"));
    let banks = answer(&["banks", "Sw<3,3,7> o 0 o (32,4):(4,1)", "(32,1):(1,0)"]);
    assert!(banks.ends_with("changes no offset of this layout\n"), "{banks}");
    // What is marked is named by its mark: `!` in a table, an outline in SVG.
    let marked = ["banks", "(32,32):(32,1)", "(32,1):(1,0)"];
    let (table, svg) =
        (answer(&[&["draw"], &marked[..]].concat()), answer(&[&["svg"], &marked[..]].concat()));
    assert!(table.contains("!: words that wait") && !table.contains("outlined"), "{table}");
    assert!(svg.contains("outlined: words that wait"));
    for file in ["x.png", "x.PDF", "x.jpeg"] {
        assert!(failure(2, &["svg", "(4,6)", "-o", file]).contains("pictures are written as SVG"));
        assert!(!Path::new(file).exists());
    }
    assert!(
        failure(2, &["draw", "(4,6)", "divide", "(4,6)", "<2,3>"])
            .contains("stands before the word")
    );
    let man = answer(&["man"]);
    assert!(man.contains(".TH layout 1") && man.contains("zipped\\-divide"), "{}", &man[..200]);
}

/// A word means the same wherever it stands, and a picture is titled by what the operation prints.
#[test]
fn pictures_are_titled_by_the_operation_of_their_name() {
    let (a, tiler) = ("(4,6):(1,4)", "<2,3>");
    for (drawn, operation) in [
        ("divide", "logical-divide"),
        ("logical-divide", "logical-divide"),
        ("zipped-divide", "zipped-divide"),
        ("compose", "compose"),
        ("product", "zipped-product"),
        ("blocked-product", "blocked-product"),
        ("raked-product", "raked-product"),
    ] {
        let right = if drawn.contains("product") { "(2,2):(1,2)" } else { tiler };
        let result = answer(&[operation, a, right]);
        let title = format!(" = {result}");
        assert!(answer(&["draw", drawn, a, right]).contains(&title), "{drawn}");
        // There a long title is broken, behind a blank or a colon.
        let svg = answer(&["svg", drawn, a, right]);
        assert!(result.trim_end().split(':').all(|part| svg.contains(part)), "{drawn}: {svg}");
    }
    for layout in
        ["(2,3,4):(1,2,6)", "Sw<1,0,1> o 0 o (2,2,2):(4,2,1)", "((2,2),3):((1,6),2)", "4:1"]
    {
        assert!(answer(&["show", layout]).starts_with(&format!("{layout}\n")));
        let svg = answer(&["svg", layout]).replace("&lt;", "<").replace("&gt;", ">");
        assert!(svg.contains(&format!(">{layout}<")), "{svg}");
    }
    let swizzled = "Sw<3,0,3> o 0 o (8,8):(8,1)";
    let both = answer(&["draw", "swizzle", swizzled]);
    assert!(
        both.starts_with("(8,8):(8,1)\n") && both.contains(&format!("\n{swizzled}\n")),
        "{both}"
    );
    assert!(failure(2, &["draw", "swizzle", a]).contains("a swizzled layout is drawn"));
    // More categories than have colours of their own are named where cells have no letters.
    let legend = answer(&["svg", "(128,128):(128,1)", "--by", "bank"]);
    assert!((0..32).all(|bank| legend.contains(&format!(">{bank}</text>"))));
}

#[test]
fn help_says_when_64_bits_are_faster() {
    let help = answer(&["emit", "index", "--help"]);
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("in a loop on a CPU 64 can be faster"), "{help}");
}
