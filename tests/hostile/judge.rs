//! The accepted outcomes of a case.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// So large that its square leaves `usize`; and a quarter of all numbers there are.
pub(crate) const LARGE: usize = 1 << (usize::BITS / 2 + 1);
pub(crate) const QUARTER: usize = 1 << (usize::BITS - 2);

/// The text of a panic.
pub(crate) fn text(payload: &(dyn Any + Send)) -> String {
    let owned = payload.downcast_ref::<String>().cloned();
    owned
        .or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}

/// The words of Rust itself where arithmetic or an index fails. The crate refuses in words of its
/// own.
const WORDS: [&str; 9] = [
    "attempt to",
    "divisor of zero",
    "divide by zero",
    "unsafe precondition",
    "index out of bounds",
    "out of range for slice",
    "`Option::unwrap()`",
    "`Result::unwrap()`",
    "unreachable code",
];

/// Collects the complaints of one test, so that all are seen at once.
#[derive(Default)]
pub(crate) struct Complaints(Vec<String>);

impl Complaints {
    pub(crate) fn add(&mut self, complaint: String) {
        self.0.push(complaint);
    }

    /// Notes that `what` does not hold.
    pub(crate) fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.add(what());
        }
    }

    /// What `f` returns; `None` if it panics in the crate's words. A panic in the words of Rust is
    /// noted.
    pub(crate) fn calm<T>(
        &mut self,
        what: impl FnOnce() -> String,
        f: impl FnOnce() -> T,
    ) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(f)) {
            Ok(value) => Some(value),
            Err(payload) => {
                let text = text(&*payload);
                if text.is_empty() || WORDS.iter().any(|word| text.contains(word)) {
                    self.add(format!("{}: {text}", what()));
                }
                None
            }
        }
    }

    /// Panics with the first complaints, if there are any.
    pub(crate) fn done(self) {
        let first: Vec<_> = self.0.iter().take(12).cloned().collect();
        assert!(
            self.0.is_empty(),
            "{} complaints, among them:\n{}",
            self.0.len(),
            first.join("\n")
        );
    }
}

/// Fails unless the slice begins at a place where a slice may begin: not null, aligned, and within
/// `memory` or at its end.
pub(crate) fn assert_real<T, U>(slice: &[T], memory: &[U]) {
    let address = std::hint::black_box(slice.as_ptr() as usize);
    assert!(address != 0, "a slice at the address 0");
    assert!(std::hint::black_box(Some(slice)).is_some(), "a slice that `Option` takes for none");
    assert_eq!(address % align_of::<T>(), 0, "a slice that is not aligned");
    if size_of::<T>() > 0 {
        let whole = memory.as_ptr() as usize..=memory.as_ptr() as usize + size_of_val(memory);
        assert!(
            whole.contains(&address),
            "an empty slice at {address:#x}, outside of the memory {whole:x?}"
        );
    }
}
