//! Arguments as structs and enums: a field is an argument, a variant a subcommand, their comments
//! are the help texts.
//!
//! The part of clap's derive macro that is needed here; building that macro takes longer than
//! building the command.

use clap::{ArgMatches, Command};

/// A type that is parsed from a command's arguments.
pub trait Arguments: Sized {
    /// Adds the arguments or the subcommands to the command.
    fn added(command: Command) -> Command;
    /// The parsed values; `None` if one is missing, for which clap has already reported an error.
    fn read(matches: &ArgMatches) -> Option<Self>;
}

/// Adds the help to the command: the first line of a comment, and for `--help` all lines.
pub fn described(command: Command, comment: &[&str]) -> Command {
    let lines: Vec<_> = comment.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    match &lines[..] {
        [] => command,
        [one] => command.about(one.to_string()),
        [first, ..] => command.about(first.to_string()).long_about(lines.join("\n")),
    }
}

/// A struct of arguments. After its type a field has its kind: `one` (required), `maybe` (an
/// `Option`), `preset` (with a default value) or `flag`; then further calls on its `clap::Arg`.
macro_rules! arguments {
    ($(#[$about:meta])* $visible:vis struct $name:ident {$(
        #[doc = $help:literal] $field:ident: $type:ty = $count:ident $(.$method:ident($($value:tt)*))*;
    )*}) => {
        $(#[$about])*
        $visible struct $name { $(pub $field: arguments!(@type $count $type)),* }
        impl $crate::command::arguments::Arguments for $name {
            fn added(command: clap::Command) -> clap::Command {
                command$(.arg(
                    arguments!(@arg $count $type, stringify!($field)).help($help.trim())$(.$method($($value)*))*
                ))*
            }
            fn read(matches: &clap::ArgMatches) -> Option<Self> {
                Some($name { $($field: arguments!(@read $count $type, matches, stringify!($field))),* })
            }
        }
    };
    (@type one $type:ty) => { $type };
    (@type preset $type:ty) => { $type };
    (@type maybe $type:ty) => { Option<$type> };
    (@type flag $type:ty) => { $type };
    (@arg one $type:ty, $name:expr) => { arguments!(@arg maybe $type, $name).required(true) };
    (@arg preset $type:ty, $name:expr) => { arguments!(@arg maybe $type, $name) };
    (@arg maybe $type:ty, $name:expr) => { clap::Arg::new($name).value_parser(clap::value_parser!($type)) };
    (@arg flag $type:ty, $name:expr) => { clap::Arg::new($name).long($name).action(clap::ArgAction::SetTrue) };
    (@read one $type:ty, $matches:ident, $name:expr) => { $matches.get_one::<$type>($name).cloned()? };
    (@read preset $type:ty, $matches:ident, $name:expr) => { arguments!(@read one $type, $matches, $name) };
    (@read maybe $type:ty, $matches:ident, $name:expr) => { $matches.get_one::<$type>($name).cloned() };
    (@read flag $type:ty, $matches:ident, $name:expr) => { $matches.get_flag($name) };
}

/// An enum of subcommands, each with its name and aliases.
macro_rules! subcommands {
    ($(#[$about:meta])* $visible:vis enum $enum:ident {$(
        $(#[doc = $help:literal])+ $variant:ident($arguments:ty) = $name:literal $(.$method:ident($($value:tt)*))*;
    )*}) => {
        $(#[$about])*
        #[allow(clippy::large_enum_variant, reason = "one is made, of one command line")]
        $visible enum $enum { $($variant($arguments)),* }
        impl $crate::command::arguments::Arguments for $enum {
            fn added(command: clap::Command) -> clap::Command {
                command.subcommand_required(true).arg_required_else_help(true)$(.subcommand({
                    let command = $crate::command::arguments::described(clap::Command::new($name), &[$($help),+]);
                    <$arguments as $crate::command::arguments::Arguments>::added(command)$(.$method($($value)*))*
                }))*
            }
            fn read(matches: &clap::ArgMatches) -> Option<Self> {
                match matches.subcommand()? {
                    $(($name, matches) => $crate::command::arguments::Arguments::read(matches).map($enum::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

/// An enum of the possible values of an argument.
macro_rules! values {
    ($(#[$about:meta])* $visible:vis enum $enum:ident {$( $(#[doc = $help:literal])? $value:ident = $name:literal; )*}) => {
        $(#[$about])*
        #[derive(Clone, Copy)]
        $visible enum $enum { $($value),* }
        impl clap::ValueEnum for $enum {
            fn value_variants<'a>() -> &'a [Self] {
                &[$($enum::$value),*]
            }
            fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
                Some(match self {
                    $($enum::$value => clap::builder::PossibleValue::new($name)$(.help($help.trim()))?,)*
                })
            }
        }
    };
}
pub(super) use {arguments, subcommands, values};
