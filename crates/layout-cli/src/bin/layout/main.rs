//! `layout`: the layout algebra on the command line.
//!
//! Exit codes: 0, done; 1, the algebra refuses, with the library's sentence; 2, what was typed is no command, or no
//! layout.

// What can be asked, an operation a row; what can be drawn; and the answers.
mod operations;

mod drawing;
mod failure;

mod command;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use command::Arguments;
use failure::Failure;

fn main() -> ExitCode {
    let failure = match command::run(Arguments::parse()) {
        Ok(text) => match write(&text) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => Failure::Refused(format!("cannot write to the standard output: {error}\n")),
        },
        Err(failure) => failure,
    };
    match failure {
        Failure::Refused(text) => {
            // Where standard error is closed, nobody reads why.
            let _ = std::io::stderr().write_all(text.as_bytes());
            ExitCode::from(1)
        }
        Failure::Explained(text) => match write(&text) {
            Ok(()) | Err(_) => ExitCode::from(1),
        },
        Failure::Usage(text) => Arguments::command().error(clap::error::ErrorKind::ValueValidation, text).exit(),
    }
}

/// Writes to the standard output. A reader that has read enough, as `head` has, is no error.
fn write(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
