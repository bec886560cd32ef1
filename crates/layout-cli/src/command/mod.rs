//! The command `layout`: its arguments and its output.
//!
//! Exit codes: 0, success; 1, an error of the algebra; 2, the arguments are no command or no
//! layout.

// Arguments as structs and enums.
mod arguments;

// Operations, pictures and errors.
mod operations;

mod drawing;
mod failure;

// Explanations and derivations; JSON.
mod json;
mod laws;

// Layouts as source code.
mod emitting;

use std::ffi::OsString;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::error::ErrorKind;
use clap::{ArgMatches, Command};
use clap_complete::Shell;
use layout_algebra::prelude::*;

use layout_draw::{Draw, Picture};

use crate::{AnyLayout, Value, read_layout};
use arguments::{Arguments, arguments, subcommands, values};
use drawing::{BankAccess, Drawn, Grid};
use emitting::Emitted;
use failure::Failure;
use operations::{Operation, entry, list, listed, wrapped};

const ABOUT: &str = "CuTe's layout algebra: exact, or refused with the reason";
const LONG_ABOUT: &str = "\
CuTe's layout algebra: exact, or refused with the reason.

A layout is a shape and a stride, (4,6):(1,4), and takes a coordinate to an offset: (i,j) to i*1 + \
                          j*4. Modes may be nested: ((2,2),6):((1,2),4). A tiler goes mode by \
                          mode, <2,3> or <2:2,_>. Put them in quotes, since the shell has uses of \
                          its own for parentheses and angles.";

arguments! {
    struct Everywhere {
        /// Colours in tables: in a terminal, unless NO_COLOR is set
        color: When = preset.long("color").global(true).default_value("auto").value_name("WHEN");
        /// An object of JSON in a line: {"result": ..}, {"text": ..} or {"error": ..}
        json: bool = flag.global(true);
        /// Exits with 1 if the answer to a question is false
        check: bool = flag.global(true);
    }
}

/// The width of lines: COLUMNS, or the width of the terminal; unlimited elsewhere.
fn width() -> usize {
    let set = std::env::var("COLUMNS").ok().and_then(|width| width.parse().ok());
    let shown =
        || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0.into());
    set.or_else(shown).filter(|&width| width > 0).unwrap_or(usize::MAX)
}

/// A text with its lines wrapped at spaces.
fn in_lines(text: &str) -> String {
    text.lines().map(|line| wrapped(line, 10, width()) + "\n").collect()
}

/// The command with all subcommands.
fn command() -> Command {
    let command = Command::new("layout")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .long_about(LONG_ABOUT);
    let width = width();
    let command = command.term_width(if width == usize::MAX { 0 } else { width });
    let command = command.help_template(template(width)).after_help(examples(width));
    Everywhere::added(Operation::added(What::added(command)))
}

/// The help, with the operations in groups after the other commands.
fn template(width: usize) -> String {
    format!(
        "{{about-with-newline}}\n{{usage-heading}} \
         {{usage}}\n\nCommands:\n{{subcommands}}\n{}\nOptions:\n{{options}}{{after-help}}",
        list(width)
    )
}

/// The end of the help.
fn examples(width: usize) -> String {
    let lines = EXAMPLES.iter().map(|(line, what)| match what.is_empty() {
        true => format!("  {}\n", wrapped(line, 4, width.saturating_sub(2))),
        false => entry(line, 50, what, width),
    });
    format!("Examples:\n{}\n{}", lines.collect::<String>(), wrapped(CODES, 0, width))
}

const EXAMPLES: &[(&str, &str)] = &[
    ("layout show '(4,6):(1,4)'", "its offsets as a table"),
    ("layout show '(2,3,4)'", "a shape alone is column-major"),
    ("layout divide '(4,6):(1,4)' '<2,3>'", "((2,2),(3,2)):((1,2),(4,12))"),
    ("layout compose '(4,6):(1,4)' '(2,3):(2,8)'", "every second row and column"),
    ("layout explain compose '(4,3):(1,8)' 6", "the steps, and where the rule breaks"),
    (
        "layout prove compose '(4,6):(6,1)' '8:2'",
        "the same, with the rules of the proof; or '(4,6):(6,1)' o '8:2'",
    ),
    ("layout banks '(32,32):(32,1)' '(32,1):(1,0)'", "a warp reads a column: 32 cycles"),
    ("layout banks 'Sw<5,0,5> o 0 o (32,32):(32,1)' '(32,1):(1,0)'", ""),
    ("layout draw threads '((4,8),(2,2)):((32,1),(16,8))' '(16,8)' --thread 6", ""),
    ("layout svg '(4,6):(1,4)' -o layout.svg", ""),
    ("layout svg -o division.svg divide '(4,6):(1,4)' '<2,3>'", ""),
    ("layout emit index --language wgsl --name a_tile '((4,8),(2,2)):((32,1),(16,8))'", ""),
    ("layout show \"$(layout right '(8,8)')\"", "a result is the next operand"),
    ("layout mma SM80_16x8x16_F32F16F16F32_TN", "its thread-value layouts of A, B and C"),
    (
        "layout swizzle search '(32,32):(32,1)' '(32,32):(1,32)' '(32,32):(32,1)'",
        "the best swizzle for writes and reads",
    ),
    ("layout right '(8,8)' | layout show -", "- is the standard input"),
];
const CODES: &str = "Exit codes: 0 done; 1 the algebra refuses, and says why, or --check finds \
                     false; 2 no such command, or no layout.";

subcommands! {
    enum What {
        /// A layout as a table, with its size and cosize
        Show(Grid) = "show";
        /// The cost of a warp's accesses to shared memory, in cycles
        ///
        /// A warp reads a column of 32 words of a tile of 32 x 32, and the same with a padded row:
        ///     layout banks '(32,32):(32,1)' '(32,1):(1,0)'
        ///     layout banks '(32,32):(33,1)' '(32,1):(1,0)'
        /// Rows of an ldmatrix in halves, without a swizzle and with it:
        ///     layout banks 'Sw<3,3,3> o 0 o (8,64):(64,1)' '(8,8):(1,8)' --element 16 --ldmatrix 1
        Banks(BankAccess) = "banks";
        /// The derivation of a result, or of the refusal, step by step
        Explain(Asked) = "explain";
        /// The derivation with the rules of the proof, or the law computed at every coordinate
        Prove(Asked) = "prove";
        /// A picture in the terminal: of a layout, or of the named operation
        Draw(Drawn) = "draw";
        /// The same picture as an SVG file, in light and dark
        Svg(Svg) = "svg";
        /// Source code: index functions, partitions, and kernels that move elements
        Emit(Emitted) = "emit";
        /// An MMA instruction, by CuTe's name: its thread-value layouts of A, B and C
        ///
        /// With an operand, the operand's picture; without a name, all names:
        ///     layout mma SM80_16x8x16_F32F16F16F32_TN c --thread 6
        Mma(MmaOf) = "mma";
        /// Swizzles of shared memory
        Swizzle(Swizzles) = "swizzle";
        /// The manual page, for man: layout man > layout.1
        Man(Nothing) = "man";
        /// Completions for a shell
        ///
        /// For bash: layout completions bash > ~/.local/share/bash-completion/completions/layout
        Completions(Completions) = "completions";
    }
}

arguments! {
    struct Proved {
        /// The left layout, A
        left: DynLayout = one.value_name("LAYOUT").value_parser(read_layout);
        /// The operation: o, a composition; /, a divide; complement
        operation: String = one.value_name("OPERATION").value_parser(SIGNS.map(|name| PossibleValue::new(name).hide(name == SIGN)));
        /// The right operand: a layout after o, a tiler after /, a number after complement
        right: String = one.value_name("RIGHT");
    }
}

/// The sign between operands. `complement` is replaced by the last one, for otherwise it would be
/// an operation with its operands after it.
const SIGNS: [&str; 4] = ["o", "/", "complement", SIGN];
const SIGN: &str = "\u{2201}";

/// An operation and its operands; a sign between operands names it too: A o B, A / T.
struct Asked {
    operation: Option<Operation>,
    infix: Option<Proved>,
}
impl Arguments for Asked {
    fn added(command: Command) -> Command {
        let command = Operation::added(Proved::added(command)).subcommand_negates_reqs(true);
        let name = command.get_name().to_string();
        command
            .override_usage(format!(
                "layout {name} <OPERATION> <OPERANDS>..\n       layout {name} <LAYOUT> \
                 <o|/|complement> <RIGHT>"
            ))
            .after_help("OPERATION is one of `layout --help`: compose, divide, coalesce, ..")
    }
    fn read(matches: &ArgMatches) -> Option<Self> {
        let operation = Operation::read(matches);
        let infix = Proved::read(matches);
        (operation.is_some() || infix.is_some()).then_some(Asked { operation, infix })
    }
}
impl Asked {
    fn operation(self) -> Result<Operation, Failure> {
        let missing = || Failure::usage("an operation and its operands are missing");
        match self.operation {
            Some(_) if self.infix.is_some() => {
                Err(Failure::usage("an operation stands before its operands, or between them"))
            }
            Some(operation) => Ok(operation),
            None => self.infix.ok_or_else(missing)?.operation(),
        }
    }
}

impl Proved {
    fn operation(self) -> Result<Operation, Failure> {
        let Proved { left, operation, right } = self;
        let operation = if operation == SIGN { "complement".into() } else { operation };
        let unread = |what: &str, why: &dyn std::fmt::Display| {
            Failure::Usage(format!("{operation} takes {what} to its right, not {right:?}: {why}"))
        };
        let (name, right) = match operation.as_str() {
            "/" => {
                let tiler = right.parse().map_err(|why: LayoutError| unread("a tiler", &why))?;
                ("logical_divide", Value::Tile(tiler))
            }
            "complement" => {
                let extent = right.parse();
                let extent =
                    extent.map_err(|why: std::num::ParseIntError| unread("a number", &why))?;
                ("complement", Value::Number(extent))
            }
            _ => {
                let layout = read_layout(&right).map_err(|why| unread("a layout", &why))?;
                ("compose", Value::Tile(layout.into()))
            }
        };
        let left = Value::Layout(AnyLayout::Plain(left));
        Operation::of(name, vec![left, right])
            .ok_or_else(|| Failure::usage("there is no such operation"))
    }
}

arguments! {
    struct MmaOf {
        /// The instruction's name, in upper or lower case
        name: String = maybe.value_name("NAME");
        /// Draws the threads and values of an operand: a (m x k), b (n x k) or c (m x n)
        operand: String = maybe.value_name("OPERAND").value_parser(["a", "b", "c", "A", "B", "C"]);
        /// Highlights a thread
        thread: usize = maybe.long("thread").value_name("NUMBER").requires("operand");
    }
}

/// A row of the atoms: name, extents M, N and K, and the thread-value layouts of A, B and C.
fn atom(name: &str) -> Result<(&'static str, [usize; 3], [DynLayout; 3]), Failure> {
    let none = || {
        let shared = |row: &&str| {
            let letters = row.bytes().zip(name.bytes());
            letters.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
        };
        let near = layout_emit::ATOMS.lines().max_by_key(shared).unwrap_or_default();
        let near = near.split(' ').next().unwrap_or_default();
        Failure::Usage(format!(
            "there is no instruction {name}; near it is {near}; `layout mma` lists all"
        ))
    };
    let mut rows = layout_emit::ATOMS.lines().map(|row| row.split(' ').collect::<Vec<_>>());
    let row = rows.find(|row| row[0].eq_ignore_ascii_case(name)).ok_or_else(none)?;
    let number = |k: usize| row[k].parse().unwrap_or(0);
    let layout = |k: usize| row[k].parse::<DynLayout>();
    Ok((row[0], [number(1), number(2), number(3)], [layout(4)?, layout(5)?, layout(6)?]))
}

impl MmaOf {
    fn answer(self, table: impl Fn(Picture) -> String) -> Result<String, Failure> {
        let Some(name) = self.name else {
            let names = layout_emit::ATOMS.lines().filter_map(|row| row.split(' ').next());
            return Ok(names.map(|name| format!("{name}\n")).collect());
        };
        let (name, [m, n, k], layouts) = atom(&name)?;
        let sides = [("A", m, k), ("B", n, k), ("C", m, n)];
        if let Some(operand) = self.operand {
            let at =
                sides.iter().position(|side| side.0.eq_ignore_ascii_case(&operand)).unwrap_or(0);
            let tile = DynShape::from((sides[at].1, sides[at].2));
            return Ok(table(layouts[at].draw_thread_values(&tile, self.thread)?));
        }
        let line = |((operand, rows, columns), layout): ((&str, usize, usize), DynLayout)| {
            format!("{operand}, {rows} x {columns}: {layout}\n")
        };
        let lines = sides.into_iter().zip(layouts).map(line);
        Ok(format!("{name}, {m} x {n} x {k}\n{}", lines.collect::<String>()))
    }
}

subcommands! {
    enum Swizzles {
        /// The swizzle under which writes and reads of a tile take the fewest accesses, then the fewest bank conflicts
        ///
        /// A transpose through shared memory:
        ///     layout swizzle search '(32,32):(32,1)' '(32,32):(1,32)' '(32,32):(32,1)'
        Search(Search) = "search";
    }
}

arguments! {
    struct Search {
        /// The layout of shared memory, without a swizzle
        memory: DynLayout = one.value_name("LAYOUT").value_parser(read_layout);
        /// The writes: (thread, value) -> index of a coordinate of the layout
        writes: DynLayout = one.value_name("WRITES").value_parser(read_layout);
        /// The reads, in the same form
        reads: DynLayout = one.value_name("READS").value_parser(read_layout);
        /// Bits of an element
        element: usize = preset.long("element").value_name("BITS").default_value("32").value_parser(drawing::bits);
    }
}

/// The most elements of a search over swizzles.
const SEARCHED: usize = 1 << 19;

impl Search {
    fn answer(self) -> Result<String, Failure> {
        let Search { memory, writes, reads, element } = self;
        let size = memory.size();
        for (what, side) in [("WRITES", &writes), ("READS", &reads)] {
            if side.rank() != 2 || side.size() == 0 {
                let sentence =
                    format!("{what} is a layout of two modes, (thread, value), and this is {side}");
                return Err(Failure::Usage(sentence));
            }
            if side.cosize() > size {
                let sentence =
                    format!("{what} reaches {} elements, and {memory} has {size}", side.cosize());
                return Err(Failure::Usage(sentence));
            }
        }
        if size.max(writes.size()).max(reads.size()) > SEARCHED {
            let sentence = format!(
                "all swizzles are tried on up to {SEARCHED} elements, and there are {size}"
            );
            return Err(Failure::Usage(sentence));
        }
        let flat = |what: &str, layout: DynLayout| {
            let needed = "has up to 32 leaves and natural strides, or XOR strides that are a \
                          swizzle of these";
            AnyLayout::Plain(layout)
                .flat()
                .ok_or_else(|| Failure::Usage(format!("{what} {needed}")))
        };
        let of_threads =
            |what, layout: DynLayout| flat(what, layout.coalesce_by(&DynShape::from((1, 1)))?);
        let found = flat("LAYOUT", memory.clone())?.best_swizzle(
            &of_threads("WRITES", writes)?,
            &of_threads("READS", reads)?,
            element,
        );
        Ok(format!(
            "{} o 0 o {memory}\nwrites of {} bits and reads of {} bits, {} bank conflicts\n",
            found.swizzle, found.write_bits, found.read_bits, found.conflicts
        ))
    }
}

/// No arguments.
struct Nothing;
impl Arguments for Nothing {
    fn added(command: Command) -> Command {
        command
    }
    fn read(_matches: &ArgMatches) -> Option<Self> {
        Some(Nothing)
    }
}

struct Svg {
    drawn: Drawn,
    file: SvgFile,
}
impl Arguments for Svg {
    fn added(command: Command) -> Command {
        SvgFile::added(Drawn::added(command))
    }
    fn read(matches: &ArgMatches) -> Option<Self> {
        Some(Svg { drawn: Drawn::read(matches)?, file: SvgFile::read(matches)? })
    }
}

arguments! {
    struct SvgFile {
        /// The file, instead of the standard output
        output: PathBuf = maybe.short('o').long("output").value_name("FILE").global(true);
        /// Pixels of a cell, instead of the size for the labels
        cell: usize = maybe.long("cell").value_name("PIXELS").global(true);
    }
}

arguments! {
    struct Completions {
        /// The shell
        shell: Shell = one.value_name("SHELL");
    }
}

values! {
    enum When {
        Auto = "auto";
        Always = "always";
        Never = "never";
    }
}

impl When {
    fn colors(self) -> bool {
        match self {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                std::io::stdout().is_terminal() && !refused
            }
        }
    }
}

/// The output of the command, and its exit code.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// 0, 1 or 2.
    pub code: u8,
    /// For the standard output.
    pub output: String,
    /// For the standard error.
    pub error: String,
}

/// The arguments, with `-` replaced by the standard input, except after `-o`.
fn with_input(arguments: impl IntoIterator<Item = OsString>) -> Result<Vec<OsString>, String> {
    let mut all: Vec<OsString> = arguments.into_iter().collect();
    for at in 1..all.len().saturating_sub(2) {
        let is_asked = all[at] == "prove" || all[at] == "explain";
        if is_asked && all[at + 2] == "complement" {
            all[at + 2] = SIGN.into();
        }
    }
    let is_input = |at: &usize| all[*at] == "-" && all[at - 1] != "-o" && all[at - 1] != "--output";
    let places: Vec<usize> = (1..all.len()).filter(is_input).collect();
    let [place] = places[..] else {
        return if places.is_empty() {
            Ok(all)
        } else {
            Err("- stands once: the standard input is read once".into())
        };
    };
    let text = std::io::read_to_string(std::io::stdin());
    let text = text.map_err(|error| format!("cannot read the standard input: {error}"))?;
    if text.trim().is_empty() {
        return Err("the standard input is empty".into());
    }
    all[place] = text.trim().into();
    Ok(all)
}

/// Runs the command. The first argument is the name of the program.
pub fn answer(arguments: impl IntoIterator<Item = OsString>) -> Answer {
    let usage = |error: clap::Error| {
        // clap does not wrap the lines of a usage.
        let (code, text) = (error.exit_code() as u8, in_lines(&error.render().to_string()));
        match error.use_stderr() {
            true => Answer { code, output: String::new(), error: text },
            false => Answer { code, output: text, error: String::new() },
        }
    };
    let wrong = |text: String| usage(command().error(ErrorKind::ValueValidation, text));
    let arguments = match with_input(arguments) {
        Ok(arguments) => arguments,
        Err(text) => return wrong(text),
    };
    let matches = match command().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => return usage(error),
    };
    let missing = || Failure::usage("an argument is missing");
    let Some(Everywhere { color, json, check }) = Everywhere::read(&matches) else {
        return wrong("an argument is missing".into());
    };
    let done = |output: String| Answer { code: 0, output, error: String::new() };
    let asked = || match What::read(&matches) {
        Some(_) if check => {
            Err(Failure::usage("--check is for questions, whose answer is true or false"))
        }
        Some(what) => {
            run(what, color).map(|text| done(if json { json::text("text", &text) } else { text }))
        }
        None => {
            let operation = Operation::read(&matches).ok_or_else(missing)?;
            let result = operation.result()?;
            let code = match result {
                Value::Bool(answer) => u8::from(check && !answer),
                _ if check => {
                    return Err(Failure::usage(
                        "--check is for questions, whose answer is true or false",
                    ));
                }
                _ => 0,
            };
            let output = if json { json::result(&result) } else { format!("{result}\n") };
            Ok(Answer { code, output, error: operation.note().unwrap_or_default() })
        }
    };
    let refused = |error: String| match json {
        true => Answer { code: 1, output: json::text("error", &error), error: String::new() },
        false => Answer { code: 1, output: String::new(), error },
    };
    match asked() {
        Ok(answer) => answer,
        Err(Failure::Refused(error)) => refused(error),
        Err(Failure::Explained(text)) => {
            let output = if json { json::text("text", &text) } else { text };
            Answer { code: 1, output, error: String::new() }
        }
        Err(Failure::Usage(text)) => wrong(text),
    }
}

/// Checks that the name of a file does not have the extension of another format than SVG.
fn is_svg(path: &Path) -> Result<(), Failure> {
    match path.extension().and_then(|end| end.to_str()) {
        Some(end) if !end.eq_ignore_ascii_case("svg") => Err(Failure::Usage(format!(
            "pictures are written as SVG, and {} is no name of one: name it .svg, and let a \
             browser or rsvg-convert make another format of it",
            path.display()
        ))),
        _ => Ok(()),
    }
}

fn run(what: What, color: When) -> Result<String, Failure> {
    let table = |picture: Picture| {
        let table = picture.table().within(width());
        if color.colors() { table.colored().to_string() } else { table.to_string() }
    };
    match what {
        What::Show(grid) => Ok(table(grid.picture()?) + &in_lines(&grid.facts())),
        What::Banks(access) => Ok(in_lines(&access.costs()?)),
        What::Explain(asked) => asked.operation()?.explained(),
        What::Prove(asked) => asked.operation()?.proven(),
        What::Draw(drawn) => Ok(table(drawn.picture()?)),
        What::Mma(mma) => mma.answer(table),
        What::Swizzle(Swizzles::Search(search)) => search.answer(),
        What::Man(Nothing) => {
            let mut page = Vec::new();
            let rendered = clap_mangen::Man::new(listed(command())).render(&mut page);
            rendered
                .map_err(|error| Failure::Refused(format!("cannot write the page: {error}\n")))?;
            Ok(String::from_utf8_lossy(&page).into_owned())
        }
        What::Svg(Svg { drawn, file: SvgFile { output, cell } }) => {
            output.as_deref().map_or(Ok(()), is_svg)?;
            let picture = drawn.picture()?;
            let svg = match cell {
                Some(pixels) => picture.with_cell_size(pixels).svg(),
                None => picture.svg(),
            };
            let Some(path) = output.filter(|path| path.as_os_str() != "-") else { return Ok(svg) };
            let failed =
                |error| Failure::Refused(format!("cannot write {}: {error}\n", path.display()));
            fs::write(&path, svg).map(|()| String::new()).map_err(failed)
        }
        What::Emit(emitted) => emitted.code(),
        What::Completions(Completions { shell }) => {
            // Into memory first: `generate` panics if its writer fails.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut listed(command()), "layout", &mut script);
            Ok(String::from_utf8_lossy(&script).into_owned())
        }
    }
}
