//! The text of an operation as a tree.
//!
//! ```text
//! expression = chain { "o" chain }
//! chain      = term { "." name "(" [ expression { "," expression } ] ")" }
//! term       = name "(" [ expression { "," expression } ] ")" | literal
//! literal    = what the library reads: a layout, a shape, a tiler, a slice, a swizzle, a composed layout
//! ```
//!
//! A literal is kept as text until it is known what an operation wants: `4` is a number, a shape, and the tile `4:1`.

use std::ops::Range;

/// The longest text that is read.
pub const LONGEST: usize = 10_000;
/// How deep operations may stand within one another.
const DEEPEST: usize = 64;

/// A part of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// What it is.
    pub kind: NodeKind,
}

/// What a part of the text is.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// Text for the library's own readers.
    Literal,
    /// An operation and its operands, the layout that it is a method of first.
    Call {
        /// Its name.
        name: String,
        /// Where the name stands.
        name_span: Range<usize>,
        /// The operands.
        operands: Vec<Node>,
    },
}

/// Text that is no expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Unread {
    /// Where, in bytes.
    pub span: Range<usize>,
    /// What is wrong, as a sentence.
    pub sentence: String,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Operations that are open.
    depth: usize,
}

/// The tree of `text`.
pub fn read(text: &str) -> Result<Node, Unread> {
    if text.len() > LONGEST {
        let sentence = format!("this text has {} bytes, and {LONGEST} is the most that is read here", text.len());
        return Err(Unread { span: LONGEST..text.len(), sentence });
    }
    let mut reader = Reader { text, at: 0, depth: 0 };
    let node = reader.expression()?;
    if reader.peek().is_some() {
        return reader.fail("expected `.`, `o` or the end of the text");
    }
    Ok(node)
}

impl Reader<'_> {
    fn fail<T>(&self, sentence: &str) -> Result<T, Unread> {
        let end = self.text[self.at..].chars().next().map_or(self.at, |next| self.at + next.len_utf8());
        Err(Unread { span: self.at..end, sentence: format!("{sentence} at byte {}", self.at) })
    }

    /// The next character that is no white space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn accept(&mut self, token: char) -> bool {
        let found = self.peek() == Some(token);
        self.at += if found { token.len_utf8() } else { 0 };
        found
    }

    /// The name that stands here, if one does.
    fn name(&mut self) -> Option<Range<usize>> {
        self.peek().filter(|first| first.is_ascii_alphabetic())?;
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += length;
        Some(self.at - length..self.at)
    }

    /// The infix `o`.
    fn accept_composition(&mut self) -> bool {
        let start = self.at;
        if self.name().is_some_and(|name| &self.text[name] == "o") {
            return true;
        }
        self.at = start;
        false
    }

    fn expression(&mut self) -> Result<Node, Unread> {
        let mut left = self.chain()?;
        loop {
            self.peek();
            let name_span = self.at..self.at + 1;
            if !self.accept_composition() {
                return Ok(left);
            }
            let right = self.chain()?;
            let (span, name) = (left.span.start..right.span.end, "compose".into());
            left = Node { span, kind: NodeKind::Call { name, name_span, operands: vec![left, right] } };
        }
    }

    fn chain(&mut self) -> Result<Node, Unread> {
        let mut node = self.term()?;
        while self.accept('.') {
            let Some(name) = self.name() else { return self.fail("expected the name of an operation") };
            node = self.call(name, Some(node))?;
        }
        Ok(node)
    }

    fn term(&mut self) -> Result<Node, Unread> {
        let start = self.at;
        match self.name() {
            Some(name) if &self.text[name.clone()] != "Sw" => self.call(name, None),
            _ => {
                self.at = start;
                self.literal()
            }
        }
    }

    /// The operands of an operation, in parentheses.
    fn call(&mut self, name_span: Range<usize>, receiver: Option<Node>) -> Result<Node, Unread> {
        let start = receiver.as_ref().map_or(name_span.start, |receiver| receiver.span.start);
        let mut operands: Vec<Node> = receiver.into_iter().collect();
        if !self.accept('(') {
            return self.fail("expected `(` and the operands");
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail("expected less nesting: operations may stand 64 deep");
        }
        while !self.accept(')') {
            operands.push(self.expression()?);
            if !self.accept(',') && self.peek() != Some(')') {
                return self.fail("expected `,` or `)`");
            }
        }
        self.depth -= 1;
        let name = self.text[name_span.clone()].to_string();
        Ok(Node { span: start..self.at, kind: NodeKind::Call { name, name_span, operands } })
    }

    /// Text up to what ends it on its own level: a comma, a closing parenthesis, a method, `o`.
    fn literal(&mut self) -> Result<Node, Unread> {
        let Some(first) = self.peek() else {
            return self.fail("expected a layout, as `(4,6):(1,4)`, or an operation");
        };
        let start = self.at;
        self.tree();
        if first == 'S' {
            // A swizzle, and what it swizzles: `Sw<3,3,3> o 0 o L` is one layout, and so is `Sw<3,3,3> o L`.
            for _ in 0..2 {
                let end = self.at;
                if !self.accept_composition() {
                    break;
                }
                self.peek();
                let (from, literal) = (self.at, self.peek().is_some_and(|c| c == '(' || c.is_ascii_digit()));
                self.tree();
                if !literal {
                    self.at = end;
                    break;
                }
                if self.text[from..self.at].contains(':') {
                    break;
                }
            }
        }
        let trimmed = self.text[start..self.at].trim_end().len();
        self.at = start + trimmed;
        if trimmed == 0 {
            return self.fail("expected a layout, as `(4,6):(1,4)`, or an operation");
        }
        Ok(Node { span: start..self.at, kind: NodeKind::Literal })
    }

    /// Balanced text.
    fn tree(&mut self) {
        let mut open = 0usize;
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            let next = bytes.get(self.at + 1).copied().unwrap_or(0);
            let last = if self.at > 0 { bytes[self.at - 1] } else { b' ' };
            match byte {
                b'(' | b'<' => open += 1,
                b')' | b'>' if open == 0 => return,
                b')' | b'>' => open -= 1,
                b',' if open == 0 => return,
                b'.' if open == 0 && next != b'.' && last != b'.' => return,
                b'o' if open == 0 && !last.is_ascii_alphanumeric() && !next.is_ascii_alphanumeric() => return,
                _ => {}
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree in parentheses.
    fn shown(text: &str) -> String {
        fn show(text: &str, node: &Node) -> String {
            match &node.kind {
                NodeKind::Literal => text[node.span.clone()].into(),
                NodeKind::Call { name, operands, .. } => {
                    let operands: Vec<String> = operands.iter().map(|operand| show(text, operand)).collect();
                    format!("[{name} {}]", operands.join(" | "))
                }
            }
        }
        match read(text) {
            Ok(node) => show(text, &node),
            Err(unread) => format!("{}..{}: {}", unread.span.start, unread.span.end, unread.sentence),
        }
    }

    #[test]
    fn literals_end_where_operations_begin() {
        assert_eq!(shown(" (4,6):(1,4) "), "(4,6):(1,4)");
        assert_eq!(shown("(4,6):(1,4).zipped_divide(<2,3>)"), "[zipped_divide (4,6):(1,4) | <2,3>]");
        assert_eq!(shown("zipped_divide((4, 6):(1, 4), <2, 3>)"), "[zipped_divide (4, 6):(1, 4) | <2, 3>]");
        assert_eq!(shown("12.complement( 24 ).size()"), "[size [complement 12 | 24]]");
        assert_eq!(shown("(8,8).slice((1..3,..))"), "[slice (8,8) | (1..3,..)]");
        assert_eq!(shown("(4,6) o 4:2 o 2.coalesce()"), "[compose [compose (4,6) | 4:2] | [coalesce 2]]");
    }

    #[test]
    fn a_swizzled_layout_is_one_literal() {
        let text = "Sw<3,3,-3> o 0 o (8,64):(64,1)";
        assert_eq!(shown(text), text);
        assert_eq!(shown("Sw<3,3,3> o (8,64):(64,1).size()"), "[size Sw<3,3,3> o (8,64):(64,1)]");
        assert_eq!(shown("Sw<3,3,3> o 8 o 64:1 o 4:2"), "[compose Sw<3,3,3> o 8 o 64:1 | 4:2]");
        assert_eq!(shown("Sw<3,3,3>.apply(64)"), "[apply Sw<3,3,3> | 64]");
        assert_eq!(shown("Sw<3,3,3> o left((8,64))"), "[compose Sw<3,3,3> | [left (8,64)]]");
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        assert_eq!(shown(""), "0..0: expected a layout, as `(4,6):(1,4)`, or an operation at byte 0");
        assert_eq!(shown("4:1."), "4..4: expected the name of an operation at byte 4");
        assert_eq!(shown("4:1.size"), "8..8: expected `(` and the operands at byte 8");
        assert_eq!(shown("size(4:1"), "8..8: expected `,` or `)` at byte 8");
        assert_eq!(shown("size(4:1))"), "9..10: expected `.`, `o` or the end of the text at byte 9");
        assert_eq!(shown("size(,)"), "5..6: expected a layout, as `(4,6):(1,4)`, or an operation at byte 5");
        // What is no operation goes to the library, which says what it expected.
        assert_eq!(shown("<script>alert</script>"), "<script>alert</script>");
        assert_eq!(shown("é"), "é");
        assert!(shown(&"size(".repeat(2000)).contains("less nesting"));
        assert!(shown(&"(".repeat(20_000)).contains("20000 bytes"));
    }
}
