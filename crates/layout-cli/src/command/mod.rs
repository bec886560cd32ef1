//! The command `layout`: its arguments, and what it answers.
//!
//! Exit codes: 0, done; 1, the algebra refuses, with the library's sentence; 2, what was typed is no command, or no
//! layout.

// Arguments as structs and enums.
mod arguments;

// What can be asked, an operation a row; what can be drawn; and the answers.
mod operations;

mod drawing;
mod failure;

// Layouts as source code.
mod emitting;

use std::ffi::OsString;
use std::fs;
use std::io::IsTerminal;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command};
use clap_complete::Shell;
use layout_algebra::prelude::*;

use crate::proving::{prove, prove_complement, prove_divide};
use crate::read_layout;
use arguments::{Arguments, arguments, subcommands, values};
use drawing::{BankAccess, Composed, Divided, Drawn, Grid};
use emitting::Emitted;
use failure::Failure;
use operations::{Operation, list, listed};

const ABOUT: &str = "CuTe's layout algebra: exact, or refused with the reason";
const LONG_ABOUT: &str = "\
CuTe's layout algebra: exact, or refused with the reason.

A layout is a shape and a stride, (4,6):(1,4), and takes a coordinate to an offset: (i,j) to i*1 + j*4. Modes may be \
nested: ((2,2),6):((1,2),4). A tiler goes mode by mode, <2,3> or <2:2,_>. Put them in quotes, since the shell has uses of \
its own for parentheses and angles.";

arguments! {
    struct Everywhere {
        /// Colours in tables: in a terminal, unless NO_COLOR is set
        color: When = preset.long("color").global(true).default_value("auto").value_name("WHEN");
    }
}

/// The command with all that can be asked.
fn command() -> Command {
    let command = Command::new("layout")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .long_about(LONG_ABOUT);
    let command = command.help_template(template()).after_help(EXAMPLES);
    Everywhere::added(Operation::added(What::added(command)))
}

/// Help, with the operations in groups behind the other commands.
fn template() -> String {
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\nCommands:\n{{subcommands}}\n{}\nOptions:\n\
         {{options}}{{after-help}}",
        list()
    )
}

const EXAMPLES: &str = "\
Examples:
  layout show '(4,6):(1,4)'                          its offsets as a table
  layout show '(2,3,4)'                              a shape alone is column-major
  layout divide '(4,6):(1,4)' '<2,3>'                ((2,2),(3,2)):((1,2),(4,12))
  layout compose '(4,6):(1,4)' '(2,3):(2,8)'         every second row and column
  layout explain compose '(4,3):(1,8)' 6             the steps, and where the rule breaks
  layout prove '(4,6):(6,1)' o '8:2'                 the same, with the rules of the proof
  layout prove '(4,6):(1,4)' / '<2,3>'
  layout prove '4:2' complement 24
  layout banks '(32,32):(32,1)' '(32,1):(1,0)'       a warp reads a column: 32 cycles
  layout banks 'Sw<5,0,5> o 0 o (32,32):(32,1)' '(32,1):(1,0)'
  layout draw threads '((4,8),(2,2)):((32,1),(16,8))' '(16,8)' --thread 6
  layout svg '(4,6):(1,4)' -o layout.svg
  layout svg -o division.svg divide '(4,6):(1,4)' '<2,3>'
  layout emit index --language wgsl --name a_tile '((4,8),(2,2)):((32,1),(16,8))'
  layout show \"$(layout right '(8,8)')\"              a result is the next operand

Exit codes: 0 done; 1 the algebra refuses, and says why; 2 no such command, or no layout.";

subcommands! {
    enum What {
        /// A layout as a table, with its size and cosize
        Show(Grid) = "show";
        /// What a warp's accesses to shared memory cost, in cycles
        ///
        /// A warp reads a column of 32 words of a tile of 32 x 32, and the same with a padded row:
        ///     layout banks '(32,32):(32,1)' '(32,1):(1,0)'
        ///     layout banks '(32,32):(33,1)' '(32,1):(1,0)'
        /// Rows of an ldmatrix in halves, without a swizzle and with it:
        ///     layout banks 'Sw<3,3,3> o 0 o (8,64):(64,1)' '(8,8):(1,8)' --element 16 --ldmatrix 1
        Banks(BankAccess) = "banks";
        /// How a result comes about, step by step, and why there is none
        Explain(Explain) = "explain";
        /// The derivation of A o B, A / T or A complement M, each step with its rule in the proof
        Prove(Proved) = "prove";
        /// A picture in the terminal: of a layout, or of what is named
        Draw(Drawn) = "draw";
        /// The same picture as SVG, in light and dark, a file of its own
        Svg(Svg) = "svg";
        /// Source code: index functions, partitions, and kernels that move elements
        Emit(Emitted) = "emit";
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
        /// What is proven: o, a composition; /, a divide; complement
        operation: String = one.value_name("OPERATION").value_parser(["o", "/", "complement"]);
        /// The right operand: a layout behind o, a tiler behind /, a number behind complement
        right: String = one.value_name("RIGHT");
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
        /// Where it is written, instead of the standard output
        output: PathBuf = maybe.short('o').long("output").value_name("FILE").global(true);
        /// Pixels of a cell, instead of what the labels ask for
        cell: usize = maybe.long("cell").value_name("PIXELS").global(true);
    }
}

arguments! {
    struct Completions {
        /// The shell that reads them
        shell: Shell = one.value_name("SHELL");
    }
}

subcommands! {
    enum Explain {
        /// A o B
        Compose(Composed) = "compose";
        /// A in tiles
        Divide(Divided) = "divide".visible_alias("logical-divide").alias("logical_divide");
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

/// What the command says, and its exit code.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// 0, 1 or 2.
    pub code: u8,
    /// For the standard output.
    pub output: String,
    /// For the standard error.
    pub error: String,
}

/// The answer to arguments, of which the first is the name of the program.
pub fn answer(arguments: impl IntoIterator<Item = OsString>) -> Answer {
    let usage = |error: clap::Error| {
        let (code, text) = (error.exit_code() as u8, error.render().to_string());
        match error.use_stderr() {
            true => Answer { code, output: String::new(), error: text },
            false => Answer { code, output: text, error: String::new() },
        }
    };
    let asked = |matches: ArgMatches| {
        let missing = || Failure::usage("an argument is missing");
        let Everywhere { color } = Everywhere::read(&matches).ok_or_else(missing)?;
        match What::read(&matches) {
            Some(what) => run(what, color),
            None => Ok(Operation::read(&matches).ok_or_else(missing)?.run()?),
        }
    };
    match command().try_get_matches_from(arguments).map(asked) {
        Ok(Ok(output)) => Answer { code: 0, output, error: String::new() },
        Ok(Err(Failure::Refused(error))) => Answer { code: 1, output: String::new(), error },
        Ok(Err(Failure::Explained(output))) => Answer { code: 1, output, error: String::new() },
        Ok(Err(Failure::Usage(text))) => usage(command().error(ErrorKind::ValueValidation, text)),
        Err(error) => usage(error),
    }
}

fn run(what: What, color: When) -> Result<String, Failure> {
    let table = |picture: layout_draw::Picture| match color.colors() {
        true => picture.table().colored().to_string(),
        false => picture.table().to_string(),
    };
    match what {
        What::Show(grid) => Ok(table(grid.picture()?) + &grid.facts()),
        What::Banks(access) => access.costs(),
        What::Explain(Explain::Compose(Composed { left, right })) => {
            explained(left.explain_compose(&right), left.compose(&right).is_ok())
        }
        What::Explain(Explain::Divide(Divided { layout, tiler })) => {
            explained(layout.explain_logical_divide(&tiler), layout.logical_divide(&tiler).is_ok())
        }
        What::Prove(Proved { left, operation, right }) => {
            let unread = |what: &str, why: &dyn std::fmt::Display| {
                Failure::Usage(format!(
                    "{operation} takes {what} to its right, not {right:?}: {why}"
                ))
            };
            let derivation = match operation.as_str() {
                "/" => {
                    let tiler: DynTiler =
                        right.parse().map_err(|why: LayoutError| unread("a tiler", &why))?;
                    prove_divide(&left, &tiler)
                }
                "complement" => {
                    let extent = right
                        .parse()
                        .map_err(|why: std::num::ParseIntError| unread("a number", &why))?;
                    prove_complement(&left, extent)
                }
                _ => prove(&left, &read_layout(&right).map_err(|why| unread("a layout", &why))?),
            };
            let beyond = "the proof has natural strides, and extents and numbers from 1 alone\n";
            let (text, is_there) = derivation.ok_or_else(|| Failure::usage(beyond))?;
            answered(text, is_there)
        }
        What::Draw(drawn) => Ok(table(drawn.picture()?)),
        What::Svg(Svg { drawn, file: SvgFile { output, cell } }) => {
            let picture = drawn.picture()?;
            let svg = match cell {
                Some(pixels) => picture.with_cell_size(pixels).svg(),
                None => picture.svg(),
            };
            let Some(path) = output else { return Ok(svg) };
            let failed =
                |error| Failure::Refused(format!("cannot write {}: {error}\n", path.display()));
            fs::write(&path, svg).map(|()| String::new()).map_err(failed)
        }
        What::Emit(emitted) => emitted.code(),
        What::Completions(Completions { shell }) => {
            // Into memory first: `generate` panics where its writer fails.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut listed(command()), "layout", &mut script);
            Ok(String::from_utf8_lossy(&script).into_owned())
        }
    }
}

fn explained(steps: Explanation, is_there: bool) -> Result<String, Failure> {
    answered(format!("{steps}\n"), is_there)
}

fn answered(text: String, is_there: bool) -> Result<String, Failure> {
    if is_there { Ok(text) } else { Err(Failure::Explained(text)) }
}
