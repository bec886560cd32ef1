//! Answers operations, one a line: the name and the operands between tabs. The answer is the
//! result, or the kind of the error and its sentence.
//!
//!     printf 'compose\t(4,6):(1,4)\t<2,3>\n' | cargo run -q -p layout-cli --example answers
//!
//! The tests of `crates/layout-python` hold what Python gives against it.

use std::io::{self, BufRead, Write};

use layout_cli::{AnyLayout, Kind, Value, find, read_layout};

fn answer(line: &str) -> String {
    let mut words = line.split('\t');
    let Some(row) = words.next().and_then(find) else { return "no operation".into() };
    // Offsets below 0, which the command refuses, are none to the operations.
    let read = |kind: Kind, text: &str| match kind {
        Kind::AnyLayout if !text.starts_with('S') => {
            let layout = read_layout(text).map_err(|error| error.to_string())?;
            Ok(Value::Layout(AnyLayout::Plain(layout)))
        }
        kind => kind.read(text),
    };
    let operands = row.operands.iter().zip(words).map(|(operand, text)| read(operand.kind, text));
    let operands = match operands.collect::<Result<Vec<Value>, String>>() {
        Ok(operands) => operands,
        Err(sentence) => return sentence,
    };
    match (row.call)(&operands) {
        None => "no operands of the operation".into(),
        Some(Ok(result)) => result.to_string(),
        Some(Err(error)) => format!("{}: {error}", error.kind()),
    }
}

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    io::stdin()
        .lock()
        .lines()
        .try_for_each(|line| writeln!(out, "{}", answer(&line?).replace('\n', " ")))
}
