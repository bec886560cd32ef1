//! A line that shows, from the second second on, that the program is alive; where there is no
//! terminal, a line for each step.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Shows a line until it is dropped.
pub struct Progress(Option<(Sender<&'static str>, JoinHandle<()>)>);

impl Progress {
    pub fn start() -> Self {
        let (sender, receiver) = channel();
        let thread = std::thread::spawn(move || {
            let (start, mut step, terminal) = (Instant::now(), "", std::io::stderr().is_terminal());
            let mut length = 0;
            loop {
                match receiver.recv_timeout(Duration::from_millis(250)) {
                    Ok(next) => {
                        step = next;
                        if !terminal && start.elapsed() > Duration::from_secs(1) {
                            eprintln!("{step} ({} s)", start.elapsed().as_secs());
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if terminal && start.elapsed() > Duration::from_secs(1) {
                    let line = format!("{step} ({} s)", start.elapsed().as_secs());
                    eprint!("\r{line:length$}");
                    length = line.len();
                    let _ = std::io::stderr().flush();
                }
            }
            if length > 0 {
                eprint!("\r{:length$}\r", "");
            }
        });
        Progress(Some((sender, thread)))
    }

    /// What is being done from now on.
    pub fn step(&self, step: &'static str) {
        if let Some((sender, _)) = &self.0 {
            // The thread ends only after the sender.
            let _ = sender.send(step);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.0.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}
