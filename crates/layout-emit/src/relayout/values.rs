//! Functions of the numbers of blocks, threads and rounds.

use crate::error::EmitError;
use crate::index::Graph;
use crate::index::Work;
use crate::index::function::{Function, Word};
use crate::index::offset::offset;
use crate::source::NamedLayout;

/// A value of a function: a number plus or minus the offset of a layout.
pub type Value = (i128, bool, NamedLayout);

/// The function with these values, for arguments up to these numbers.
pub fn function(
    word: Word,
    arguments: &[(&str, i128)],
    values: &[Value],
) -> Result<Function, EmitError> {
    let mut graph = Graph::default();
    let inputs: Vec<_> =
        arguments.iter().map(|(name, last)| graph.insert_input(name, 0, *last)).collect();
    let mut results = Vec::new();
    for (number, is_less, layout) in values {
        let mut work = Work { graph: &mut graph, names: &[], limit: word.limit() };
        let offset = offset(&mut work, &inputs, layout)?.0;
        let number = graph.insert_number(*number);
        let value = if *is_less {
            graph.subtract_nodes(number, offset)
        } else {
            graph.add_nodes(offset, number)
        };
        results.push((String::new(), value));
    }
    let inputs = arguments.iter().map(|(name, _)| (name.to_string(), false)).collect();
    let (name, comment) = (String::new(), Vec::new());
    Ok(Function {
        name,
        comment,
        graph,
        word,
        inputs,
        values: results,
        signed: false,
        inside: None,
    })
}
