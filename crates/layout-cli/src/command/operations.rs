//! The operations of the algebra, a subcommand for each row of their table.
//!
//! Help lists them in the groups of the table. clap has one list of subcommands, so they are hidden there.

use std::fmt::Write;

use crate::{Kind, OPERATIONS, Operation as Row, Parameter, Value};
use clap::{Arg, ArgMatches, Command};
use layout_algebra::prelude::*;

use super::arguments::Arguments;

/// An operation and its operands.
pub struct Operation {
    row: &'static Row,
    operands: Vec<Value>,
}

/// A name as commands are written: `zipped-divide`.
fn dashed(name: &str) -> String {
    name.replace('_', "-")
}

/// What help says of an operand.
fn description(kind: Kind) -> &'static str {
    match kind {
        Kind::AnyLayout => {
            "A layout, swizzled or not: (4,6):(1,4), Sw<3,0,3> o 0 o (8,8):(8,1), (4,6) for column-major"
        }
        Kind::Layout => "A layout: (4,6):(1,4), or (4,6) for column-major",
        Kind::Tile => "A tiler that goes mode by mode, a layout or a number: <2,3>, (2,2):(1,8), 4",
        Kind::Shape => "Numbers in parentheses: (4,(2,3))",
        Kind::Number => "A number from 0 on",
        Kind::Modes => "Numbers of modes, counted from 0: (1,0)",
        Kind::Slice => "A coordinate with _ or a range for what is kept: (1,_)",
        Kind::Swizzle => "A swizzle: Sw<3,3,3>",
    }
}

fn argument(&Parameter { name, kind }: &'static Parameter) -> Arg {
    let argument =
        Arg::new(name).value_name(name.to_uppercase()).help(description(kind)).required(true);
    argument.value_parser(move |text: &str| kind.read(text))
}

fn command(row: &'static Row) -> Command {
    // The library's own spelling is understood too: `zipped_divide`.
    let names = || [row.name].into_iter().chain(row.others.iter().copied());
    let others = row.others.iter().map(|name| dashed(name));
    let underscored = names().filter(|name| name.contains('_'));
    let command =
        Command::new(dashed(row.name)).about(row.law).visible_aliases(others).aliases(underscored);
    command.hide(true).args(row.operands.iter().map(argument))
}

/// The operations as help lists them, group by group.
pub fn list() -> String {
    let (mut list, mut group) = (String::new(), "");
    let width = OPERATIONS.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for row in OPERATIONS {
        if row.group != group {
            group = row.group;
            let _ = writeln!(list, "\n{group}:");
        }
        let others: Vec<_> = row.others.iter().map(|name| dashed(name)).collect();
        let others = if others.is_empty() {
            String::new()
        } else {
            format!(" [also: {}]", others.join(", "))
        };
        let _ = writeln!(list, "  {:width$}  {}{others}", dashed(row.name), row.law);
    }
    list
}

/// The command as completions see it: with the operations in its list.
pub fn listed(command: Command) -> Command {
    OPERATIONS
        .iter()
        .fold(command, |command, row| command.mut_subcommand(dashed(row.name), |it| it.hide(false)))
}

impl Arguments for Operation {
    fn added(all: Command) -> Command {
        all.subcommands(OPERATIONS.iter().map(command))
    }
    fn read(matches: &ArgMatches) -> Option<Self> {
        let (name, matches) = matches.subcommand()?;
        let row = OPERATIONS.iter().find(|row| dashed(row.name) == name)?;
        let operands =
            row.operands.iter().map(|operand| matches.get_one::<Value>(operand.name).cloned());
        Some(Operation { row, operands: operands.collect::<Option<_>>()? })
    }
}

impl Operation {
    /// The result as text.
    pub fn run(self) -> Result<String, LayoutError> {
        let result = (self.row.call)(&self.operands)
            .expect("the arguments are read as the kinds of the row");
        Ok(format!("{}\n", result?))
    }
}
