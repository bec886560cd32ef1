//! The operations of the algebra, a subcommand for each row of their table.
//!
//! The help lists them in the groups of the table. clap has only one list of subcommands, so they
//! are hidden in it.

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

/// The name of a subcommand: `zipped-divide`.
fn dashed(name: &str) -> String {
    name.replace('_', "-")
}

/// The help of an operand.
fn description(kind: Kind) -> &'static str {
    match kind {
        Kind::AnyLayout => {
            "A layout, swizzled or not: (4,6):(1,4), Sw<3,0,3> o 0 o (8,8):(8,1), (4,6) for \
             column-major"
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
    // The library's name is an alias: `zipped_divide`.
    let names = || [row.name].into_iter().chain(row.others.iter().copied());
    let others = row.others.iter().map(|name| dashed(name));
    let underscored = names().filter(|name| name.contains('_'));
    let command =
        Command::new(dashed(row.name)).about(row.law).visible_aliases(others).aliases(underscored);
    command.hide(true).args(row.operands.iter().map(argument))
}

/// A text in lines of at most `width` characters, all but the first one indented.
pub fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let mut used = text.len() - text.trim_start().len();
    let (mut lines, mut is_first) = (" ".repeat(used), true);
    for word in text.trim_start().split(' ') {
        let length = word.chars().count();
        match (std::mem::take(&mut is_first), used + 1 + length > width) {
            (true, _) => {}
            (false, true) => {
                let _ = write!(lines, "\n{:indent$}", "");
                used = indent;
            }
            (false, false) => {
                lines.push(' ');
                used += 1;
            }
        }
        lines += word;
        used += length;
    }
    lines
}

/// A name and its description, in two columns, or in lines below each other if `width` is too
/// small.
pub fn entry(name: &str, column: usize, text: &str, width: usize) -> String {
    if width < column + 24 {
        let name = wrapped(&format!("  {name}"), 4, width);
        return format!("{name}\n      {}\n", wrapped(text, 6, width.saturating_sub(6)));
    }
    let room = width.saturating_sub(column + 4);
    let text = wrapped(text, 0, room).replace('\n', &format!("\n{:1$}", "", column + 4));
    format!("  {name:column$}  {text}\n")
}

/// The list of operations in the help, group by group.
pub fn list(width: usize) -> String {
    let (mut list, mut group) = (String::new(), "");
    let column = OPERATIONS.iter().map(|row| row.name.len()).max().unwrap_or(0);
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
        list += &entry(&dashed(row.name), column, &format!("{}{others}", row.law), width);
    }
    list
}

/// The command for completions: the operations are in its list.
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
    /// An operation of the table, with its operands.
    pub fn of(name: &str, operands: Vec<Value>) -> Option<Self> {
        Some(Operation { row: crate::find(name)?, operands })
    }
    /// The library's name.
    pub fn name(&self) -> &'static str {
        self.row.name
    }
    /// Its law.
    pub fn law(&self) -> &'static str {
        self.row.law
    }
    /// The kinds of the operands.
    pub fn operands(&self) -> &[Value] {
        &self.operands
    }
    /// The operands as text.
    pub fn written(&self) -> String {
        self.operands.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
    }
    /// The result.
    pub fn result(&self) -> Result<Value, LayoutError> {
        (self.row.call)(&self.operands).expect("the arguments are read as the kinds of the row")
    }
    /// A note beside the result: a coordinate exceeds the shape, whose last mode is extended.
    pub fn note(&self) -> Option<String> {
        let [Value::Layout(layout), Value::Shape(at)] = &self.operands[..] else { return None };
        let shape = layout.strided().shape();
        let is_beyond = self.row.name == "index" && is_beyond(&shape, at);
        is_beyond
            .then(|| format!("note: {at} is beyond the shape {shape}, whose last mode goes on\n"))
    }
}

/// Does a component of the coordinate exceed its mode?
fn is_beyond(shape: &DynShape, at: &DynShape) -> bool {
    match at.as_leaf() {
        Some(number) => number >= shape.size(),
        None => shape.children().zip(at.children()).any(|(mode, at)| is_beyond(&mode, &at)),
    }
}
