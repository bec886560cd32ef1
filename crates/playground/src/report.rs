//! An evaluated expression as JSON, for the page.

use std::fmt::Write;

use layout_cli::{AnyLayout, Link};

use crate::breaks::Breaks;
use crate::evaluate::{Evaluated, Part};
use crate::operation::operations as all;
use crate::picture::Picture;
use crate::value::{Banks, Value};

/// An object under construction.
struct Object(String);

impl Object {
    fn new() -> Self {
        Object("{".into())
    }

    /// A property whose value is JSON.
    fn raw(mut self, name: &str, json: impl std::fmt::Display) -> Self {
        // Writing to a `String` never fails.
        let _ = write!(self.0, "{}\"{name}\":{json}", if self.0.len() > 1 { "," } else { "" });
        self
    }

    fn text(self, name: &str, text: &str) -> Self {
        self.raw(name, quoted(text))
    }

    fn close(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// Text as JSON.
pub fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            '\n' => json.push_str("\\n"),
            c if c < ' ' => {
                let _ = write!(json, "\\u{:04x}", c as u32);
            }
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

fn list(items: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(","))
}

/// Converts a byte position to UTF-16 units, as in JavaScript.
fn place(text: &str, byte: usize) -> usize {
    let end = (0..=byte.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text[..end].encode_utf16().count()
}

fn span(text: &str, range: &std::ops::Range<usize>) -> String {
    list([place(text, range.start), place(text, range.end)])
}

/// A number; as digits from 2^53 on, where JavaScript's numbers are not exact.
fn exact(number: usize) -> String {
    if (number as u64) < 1 << 53 { number.to_string() } else { quoted(&number.to_string()) }
}

/// The properties of a layout in the page's summary.
fn facts(memory: &AnyLayout) -> String {
    let layout = memory.strided();
    let object = Object::new()
        .raw("size", exact(memory.size()))
        .raw("cosize", exact(memory.cosize()))
        .raw("rank", layout.rank())
        .raw("depth", layout.depth());
    match memory {
        AnyLayout::Plain(plain) if memory.is_quick() => {
            let object = object.raw("injective", plain.is_injective());
            match plain.try_is_surjective() {
                Ok(surjective) => object.raw("surjective", surjective).close(),
                Err(_) => object.close(),
            }
        }
        _ => object.close(),
    }
}

fn banks(banks: &Banks) -> String {
    let found = &banks.found;
    let mut object = Object::new()
        .raw("instructions", found.instructions)
        .raw("phases", found.phases)
        .raw("passes", found.passes)
        .raw("conflicts", found.conflicts)
        .raw("ways", found.ways)
        .raw("elementBits", banks.element_bits)
        .raw("accessBits", banks.access_bits);
    if let Some(worst) = &found.worst {
        // The elements that the threads of the worst phase access in the worst bank.
        let elements = banks.access_bits / banks.element_bits;
        let count = banks.threads.modes().next().map_or(1, |mode| mode.size());
        let threads = &worst.threads[..worst.count];
        let indices = threads
            .iter()
            .flat_map(|thread| {
                (0..elements).map(move |k| thread + (worst.access * elements + k) * count)
            })
            .map(|index| banks.threads.index(index));
        object = object
            .raw("bank", worst.bank)
            .raw("threads", list(threads))
            .raw("cells", list(indices))
            .text("sentence", &worst.to_string());
    }
    object.close()
}

fn link(link: Link) -> &'static str {
    match link {
        Link::Offset => "offset",
        Link::Composition => "composition",
        Link::Inverse => "inverse",
        Link::Index => "index",
        Link::Nothing => "nothing",
    }
}

fn picture(picture: &Picture) -> String {
    let object = Object::new()
        .raw("size", picture.size)
        .raw("rows", picture.rows)
        .raw("columns", picture.columns)
        .raw("lines", picture.lines)
        .raw("modes", list(picture.modes.iter().map(|mode| list([mode.extent, mode.down.into()]))))
        .raw("rowModes", list(&picture.row_modes))
        .raw("columnModes", list(&picture.column_modes));
    match picture.threads() {
        Some(threads) => object.raw("threads", threads).close(),
        None => object.close(),
    }
}

fn part(
    text: &str,
    part: &Part,
    drawn: Option<&Picture>,
    memory: Option<(usize, &Picture)>,
) -> String {
    let kind = match &part.operand.value {
        Value::Function(..) => "function",
        Value::Memory(_) | Value::Part(..) => "layout",
        Value::ThreadValues(..) => "threads",
        Value::Banks(_) => "banks",
        Value::Swizzle(_) => "swizzle",
        Value::Tiler(_) => "tiler",
        Value::Slice(_) => "slice",
        Value::Shape(_) => "shape",
        Value::Number(_) => "number",
        Value::Bool(_) => "answer",
    };
    let mut object = Object::new()
        .text("kind", kind)
        .text("text", &part.operand.value.to_string())
        .raw("span", span(text, &part.operand.span));
    if let Some((row, operands)) = &part.from {
        object = object
            .text("operation", row.name)
            .raw("operands", list(operands))
            .text("link", link(row.link))
            .text("law", row.law);
    }
    match &part.operand.value {
        Value::Memory(memory) => object = object.raw("facts", facts(memory)),
        Value::Part(memory, begin) => {
            object = object.raw("facts", facts(memory)).raw("begin", exact(*begin))
        }
        Value::ThreadValues(layout, _) => {
            object = object.raw("facts", facts(&AnyLayout::Plain(layout.clone())))
        }
        Value::Banks(found) => {
            object = object.raw("facts", facts(&found.memory)).raw("banks", banks(found))
        }
        _ => {}
    }
    if let Some(drawn) = drawn {
        object = object.raw("picture", picture(drawn));
    }
    if let Some((id, memory)) = memory {
        object = object.raw("memory", picture(memory)).raw("memoryId", id);
    }
    object.close()
}

/// The steps of the last composition or division, from `explain`.
fn steps(evaluated: &Evaluated) -> Option<String> {
    let (row, operands) = match &evaluated.refused {
        Some((row, operands)) => (*row, operands),
        None => evaluated.parts.last()?.from.as_ref().map(|(row, operands)| (*row, operands))?,
    };
    let operand = |index: usize| &evaluated.parts[operands[index]].operand;
    let explained = match row.verb {
        "compose" => {
            let (left, right) = (operand(0).layout().ok()?, operand(1).tiler().ok()?);
            // The derivation with its rules of the proof, if there is one.
            if let Some((derivation, _)) =
                right.as_layout().and_then(|right| layout_cli::prove(&left, &right))
            {
                return Some(derivation.trim_end().into());
            }
            left.explain_compose(&right)
        }
        "divide" => operand(0).layout().ok()?.explain_logical_divide(&operand(1).tiler().ok()?),
        _ => return None,
    };
    Some(explained.to_string())
}

/// The page's data for `text`.
pub fn report(
    text: &str,
    evaluated: &Evaluated,
    breaks: &Breaks,
    pictures: &[Option<Picture>],
) -> String {
    // Pictures of memory come after those of the parts and the function.
    let before = evaluated.parts.len() + usize::from(evaluated.function.is_some());
    let memory = |id: usize| Some((before + id, pictures.get(before + id)?.as_ref()?));
    let parts = evaluated.parts.iter().enumerate();
    let parts = parts.map(|(id, each)| part(text, each, pictures[id].as_ref(), memory(id)));
    let mut object = Object::new().raw("parts", list(parts));
    if let Some(trouble) = &evaluated.trouble {
        let kind = trouble.refusal.as_ref().map_or("page", |error| error.kind().as_str());
        let marks = breaks.marks.iter().map(|mark| span(text, mark));
        let mut wrong = Object::new()
            .text("sentence", &trouble.sentence)
            .text("kind", kind)
            .raw("span", span(text, &trouble.span))
            .raw("marks", list(marks))
            .raw("path", list(&breaks.path));
        if let Some((row, operands)) = &evaluated.refused {
            wrong = wrong
                .text("operation", row.name)
                .raw("operands", list(operands))
                .text("law", row.law);
        }
        if let Some(cells) = &breaks.cells {
            let cells = [cells.part, cells.before, cells.extent, cells.from];
            wrong = wrong.raw("cells", list(cells));
        }
        if let Some(function) =
            pictures[..before].get(evaluated.parts.len()).and_then(Option::as_ref)
        {
            wrong = wrong.raw("function", picture(function));
        }
        object = object.raw("trouble", wrong.close());
    }
    if let Some(steps) = steps(evaluated) {
        object = object.text("steps", &steps);
    }
    let pasted = evaluated.pasted();
    let mut rust = Object::new().text("code", &pasted.code);
    if let Some(line) = &pasted.line {
        rust = rust.text("line", line);
    }
    if let Some(error) = &pasted.error {
        rust = rust.text("error", error);
    }
    if let Some(note) = pasted.note {
        rust = rust.text("note", note);
    }
    object.raw("rust", rust.close()).close()
}

/// The available operations.
pub fn operations() -> String {
    list(all().map(|row| {
        // The operands after the receiver.
        let names = row.operands.iter().skip(1).map(|operand| quoted(operand.name));
        Object::new()
            .text("name", row.name)
            .text("group", row.group)
            .text("law", row.law)
            .text("example", row.example)
            .raw("operands", list(names))
            .close()
    }))
}
