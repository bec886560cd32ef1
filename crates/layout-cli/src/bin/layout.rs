//! `layout`: the layout algebra on the command line. The library has the implementation.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Runs the command of another package: `layout repack` is `layout-repack` of `layout-bits`, in the
/// directory of this command or in `PATH`.
fn other(arguments: impl Iterator<Item = std::ffi::OsString>) -> ExitCode {
    const NAME: &str = "layout-repack";
    let beside = std::env::current_exe()
        .ok()
        .map(|path| path.with_file_name(NAME))
        .filter(|path| path.exists());
    match std::process::Command::new(beside.unwrap_or(NAME.into())).args(arguments).status() {
        Ok(status) => {
            ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
        }
        Err(error) => {
            let how = "cargo install --path crates/layout-bits --features cli";
            let _ =
                writeln!(std::io::stderr(), "cannot run {NAME}, which `{how}` installs: {error}");
            ExitCode::from(1)
        }
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == "repack") {
        return other(arguments);
    }
    let answer = layout_cli::command::answer(std::env::args_os());
    // If standard error is closed, the message is lost.
    let _ = std::io::stderr().write_all(answer.error.as_bytes());
    match write(&answer.output) {
        Ok(()) => ExitCode::from(answer.code),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "cannot write to the standard output: {error}");
            ExitCode::from(1)
        }
    }
}

/// Writes to the standard output. A closed pipe, as with `head`, is no error.
fn write(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
