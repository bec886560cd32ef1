//! The operations of the algebra, a subcommand for each row of their table.

use clap::{Arg, ArgMatches, Command, Error, FromArgMatches, Subcommand};
use layout_algebra::prelude::*;
use layout_cli::{Kind, OPERATIONS, Operation as Row, Parameter, Value};

/// An operation and its operands.
pub struct Operation {
    row: &'static Row,
    operands: Vec<Value>,
}

/// A name as commands are written: `zipped-divide`.
fn dashed(name: &str) -> String {
    name.replace('_', "-")
}

/// An operand of this kind.
fn read(text: &str, kind: Kind) -> Result<Value, String> {
    fn of<T: std::str::FromStr<Err: ToString>>(text: &str) -> Result<T, String> {
        text.parse().map_err(|error: T::Err| error.to_string())
    }
    Ok(match kind {
        Kind::AnyLayout => Value::Layout(of(text)?),
        Kind::Layout => Value::Layout(layout_cli::AnyLayout::Plain(of(text)?)),
        Kind::Tile => Value::Tile(of(text)?),
        Kind::Shape => Value::Shape(of(text)?),
        Kind::Number => Value::Number(of(text)?),
        Kind::Modes => match of::<DynShape>(text)? {
            modes if modes.depth() < 2 => Value::Shape(modes),
            _ => return Err("numbers of modes are on one level: (1,0)".into()),
        },
        Kind::Slice => Value::Slice(of(text)?),
        Kind::Swizzle => Value::Swizzle(of(text)?),
    })
}

fn argument(&Parameter { name, kind }: &'static Parameter) -> Arg {
    Arg::new(name).value_name(name.to_uppercase()).required(true).value_parser(move |text: &str| read(text, kind))
}

fn command(row: &'static Row) -> Command {
    let others = row.others.iter().map(|name| dashed(name));
    Command::new(dashed(row.name)).about(row.law).visible_aliases(others).args(row.operands.iter().map(argument))
}

impl Subcommand for Operation {
    fn augment_subcommands(all: Command) -> Command {
        all.subcommands(OPERATIONS.iter().map(command))
    }
    fn augment_subcommands_for_update(all: Command) -> Command {
        Self::augment_subcommands(all)
    }
    fn has_subcommand(name: &str) -> bool {
        OPERATIONS.iter().any(|row| dashed(row.name) == name)
    }
}

impl FromArgMatches for Operation {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let missing = || Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let row = OPERATIONS.iter().find(|row| dashed(row.name) == name).ok_or_else(missing)?;
        let operands = row.operands.iter().map(|operand| matches.get_one::<Value>(operand.name).cloned());
        Ok(Operation { row, operands: operands.collect::<Option<_>>().ok_or_else(missing)? })
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Operation {
    /// The result as text.
    pub fn run(self) -> Result<String, LayoutError> {
        let result = (self.row.call)(&self.operands).expect("the arguments are read as the kinds of the row");
        Ok(format!("{}\n", result?))
    }
}
