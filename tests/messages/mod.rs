//! Messages about mistakes: one message for a mistake, in words and decimals, the same at compile
//! time and at run time. The programs with one mistake each are in the package `ui-tests`.

mod guide;
mod same_fault;
mod same_numbers;
mod used_further;
mod wrong_operands;

use std::collections::BTreeMap;

/// The errors of each line of a program.
fn errors_by_line(text: &str) -> BTreeMap<usize, Vec<&str>> {
    let mut errors: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    let mut lines = text.lines();
    while let Some(error) = lines.find(|line| line.starts_with("error")) {
        if error.starts_with("error: aborting due to") {
            continue;
        }
        let place = lines.next().unwrap_or_default();
        let line = place.rsplit(':').nth(1).and_then(|line| line.parse().ok());
        errors
            .entry(line.unwrap_or_else(|| panic!("no line in {place:?} after {error:?}")))
            .or_default()
            .push(error);
    }
    errors
}
