//! Progress of long tasks on the standard error: a bar with a rate in a terminal, otherwise a plain
//! line now and then. Tasks of less than two seconds leave no output.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// After how long the first plain line is written, and the next ones.
const FIRST: Duration = Duration::from_secs(2);
const NEXT: Duration = Duration::from_secs(10);

/// How much of some work is done.
pub struct Progress {
    what: &'static str,
    bar: ProgressBar,
    start: Instant,
    /// When the next plain line is due.
    due: Cell<Instant>,
}

impl Progress {
    /// Work of `total` parts, of which nothing is done.
    pub fn new(what: &'static str, total: usize) -> Self {
        let style = "{msg} [{bar:40}] {human_pos} of {human_len}, {per_sec}, {eta} left";
        let style = ProgressStyle::with_template(style)
            .expect("the names are those of indicatif")
            .progress_chars("#> ");
        let start = Instant::now();
        Progress {
            what,
            bar: ProgressBar::new(total as u64).with_style(style).with_message(what),
            start,
            due: Cell::new(start + FIRST),
        }
    }

    /// So many more parts are done.
    pub fn advance(&self, parts: usize) {
        self.bar.inc(parts as u64);
        let now = Instant::now();
        if self.bar.is_hidden() && now >= self.due.get() {
            self.due.set(now + NEXT);
            let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let rate = done as f64 / (now - self.start).as_secs_f64();
            eprintln!("{}: {done} of {total}, {rate:.1} a second", self.what);
        }
    }

    /// Writes with the bar out of the way.
    #[allow(dead_code, reason = "not every program has results before its end")]
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
