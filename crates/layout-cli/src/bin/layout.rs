//! `layout`: the layout algebra on the command line. What it answers is in the library.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let answer = layout_cli::command::answer(std::env::args_os());
    // Where standard error is closed, nobody reads why.
    let _ = std::io::stderr().write_all(answer.error.as_bytes());
    match write(&answer.output) {
        Ok(()) => ExitCode::from(answer.code),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "cannot write to the standard output: {error}");
            ExitCode::from(1)
        }
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
