//! The text of an operation as a tree.
//!
//! ```text
//! text       = expression { ";" expression }, side by side
//! expression = chain { ( "o" | "∘" | "/" ) chain }
//! chain      = term { "." name "(" [ expression { "," expression } ] ")" }
//! term       = name "(" [ expression { "," expression } ] ")" | literal
//! literal    = what the library reads: a layout, a shape, a tiler, a slice, a swizzle, a composed layout
//! ```
//!
//! One expression of Rust is read, too, so that a line can be pasted:
//!
//! ```text
//! statement  = [ "let" name [ ":" type ] "=" ] expression [ ";" ]
//! term       = "&" term | macro "!" "(" .. ")" | "Swizzle::<" numbers ">::new()" | string
//! chain      = .. also "?", ".parse::<..>()", ".unwrap()" and the like, which change nothing, and ".mode::<1>()"
//! ```
//!
//! And CuTe's spelling: `make_layout((4,6), (1,4))`, `make_layout((4,6), stride=(1,4))`, `(_4,_6):(_1,_4)`,
//! `Layout<Shape<_4,_6>,Stride<_1,_4>>{}`.
//!
//! A literal is kept as text until it is known what an operation wants: `4` is a number, a shape,
//! and the tile `4:1`.

use std::ops::Range;

/// The longest text that is read.
pub const LONGEST: usize = 10_000;
/// How deep operations may stand within one another.
const DEEPEST: usize = 64;
/// The most expressions with `;` between them.
const SIDE_BY_SIDE: usize = 8;

/// A part of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// The kind of the part.
    pub kind: NodeKind,
}

/// The kind of a part of the text.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// Text for the library's own readers.
    Literal,
    /// The same in CuTe's spelling, as the library writes it.
    Written(String),
    /// What stands between the parentheses of a macro; of a tiler, or a swizzle's parameters, with
    /// what is around it.
    Macro(Macro),
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

/// What Rust writes as a macro, or with parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Macro {
    /// `layout!((4, 6):(1, 4))`
    Layout,
    /// `tiler!(2, 3)`
    Tiler,
    /// `shape!((4, 6))`, `int!(4)`
    Shape,
    /// `Swizzle::<3, 3, 3>::new()`
    Swizzle,
}

/// Methods of Rust that change nothing here.
const UNCHANGED: [&str; 8] =
    ["parse", "unwrap", "expect", "clone", "into", "to_dynamic", "as_ref", "view"];

/// Text that is no expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Unread {
    /// Where, in bytes.
    pub span: Range<usize>,
    /// The error, as a sentence.
    pub sentence: String,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Operations that are open.
    depth: usize,
}

/// The trees of `text`: of one expression, or of several side by side.
pub fn read(text: &str) -> Result<Vec<Node>, Unread> {
    if text.len() > LONGEST {
        let sentence = format!(
            "this text has {} bytes, and {LONGEST} is the most that is read here",
            text.len()
        );
        return Err(Unread { span: LONGEST..text.len(), sentence });
    }
    let mut reader = Reader { text, at: 0, depth: 0 };
    let mut nodes = Vec::new();
    loop {
        reader.accept_let();
        nodes.push(reader.expression()?);
        let goes_on = reader.accept(';');
        match reader.peek() {
            None => return Ok(nodes),
            Some(_) if !goes_on => {
                return reader.fail("expected `.`, `o`, `;` or the end of the text");
            }
            Some(_) if nodes.len() == SIDE_BY_SIDE => {
                return reader
                    .fail("expected the end of the text: 8 expressions stand side by side");
            }
            Some(_) => {}
        }
    }
}

impl Reader<'_> {
    fn fail<T>(&self, sentence: &str) -> Result<T, Unread> {
        let end =
            self.text[self.at..].chars().next().map_or(self.at, |next| self.at + next.len_utf8());
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

    /// The next name, if there is one here.
    fn name(&mut self) -> Option<Range<usize>> {
        self.peek().filter(|first| first.is_ascii_alphabetic())?;
        let rest = &self.text[self.at..];
        let length =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
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

    /// The operation of the next sign.
    fn accept_infix(&mut self) -> Option<&'static str> {
        match () {
            () if self.accept('/') => Some("logical_divide"),
            () if self.accept('∘') || self.accept_composition() => Some("compose"),
            () => None,
        }
    }

    fn expression(&mut self) -> Result<Node, Unread> {
        let mut left = self.chain()?;
        loop {
            self.peek();
            let start = self.at;
            let Some(name) = self.accept_infix() else { return Ok(left) };
            let name_span = start..self.at;
            let right = self.chain()?;
            let (span, name) = (left.span.start..right.span.end, name.to_string());
            left = Node {
                span,
                kind: NodeKind::Call { name, name_span, operands: vec![left, right] },
            };
        }
    }

    /// Skips `let r: R =`.
    fn accept_let(&mut self) {
        let start = self.at;
        let found = self.name().is_some_and(|name| &self.text[name] == "let");
        match self.text[self.at..].find('=') {
            Some(length) if found => self.at += length + 1,
            _ => self.at = start,
        }
    }

    /// The text between `open` and its matching `close`, if `open` is next.
    fn enclosed(&mut self, open: char, close: char) -> Result<Option<Range<usize>>, Unread> {
        if !self.accept(open) {
            return Ok(None);
        }
        let (text, start, mut depth) = (self.text, self.at, 1usize);
        for (at, c) in text[start..].char_indices() {
            match c {
                // First, since quotes are their own closing characters.
                c if c == close => depth -= 1,
                c if c == open => depth += 1,
                _ => {}
            }
            if depth == 0 {
                self.at = start + at + 1;
                return Ok(Some(start..start + at));
            }
        }
        self.at = self.text.len();
        self.fail(&format!("expected `{close}`"))
    }

    /// The parameters after `::`, as in `.mode::<1>()`.
    fn parameters(&mut self) -> Result<Option<Range<usize>>, Unread> {
        match self.text[self.at..].starts_with("::<") {
            true => {
                self.at += 2;
                self.enclosed('<', '>')
            }
            false => Ok(None),
        }
    }

    fn chain(&mut self) -> Result<Node, Unread> {
        let mut node = self.term()?;
        loop {
            if self.accept('?') {
                continue;
            }
            if !self.accept('.') {
                return Ok(node);
            }
            let Some(name) = self.name() else {
                return self.fail("expected the name of an operation");
            };
            let parameters = self.parameters()?;
            if UNCHANGED.contains(&&self.text[name.clone()]) {
                if self.enclosed('(', ')')?.is_none() {
                    return self.fail("expected `()`");
                }
                continue;
            }
            let receiver = node.span.start;
            let mut operands = vec![node];
            let mut start = parameters.as_ref().map_or(0, |parameters| parameters.start);
            for number in
                parameters.iter().flat_map(|parameters| self.text[parameters.clone()].split(','))
            {
                operands.push(Node {
                    span: start..start + number.len(),
                    kind: NodeKind::Macro(Macro::Shape),
                });
                start += number.len() + 1;
            }
            node = self.call(name, receiver, operands)?;
        }
    }

    fn term(&mut self) -> Result<Node, Unread> {
        while self.accept('&') {}
        if let Some(span) = self.enclosed('"', '"')? {
            return Ok(Node { span, kind: NodeKind::Literal });
        }
        let start = self.at;
        match self.name() {
            Some(name) if self.text[self.at..].starts_with('!') => {
                self.at += 1;
                self.of_macro(name)
            }
            Some(name) if &self.text[name.clone()] == "Swizzle" => {
                let Some(numbers) = self.parameters()? else { return self.fail("expected `::<`") };
                self.at += if self.text[self.at..].starts_with("::") { 2 } else { 0 };
                if self.name().is_none() || self.enclosed('(', ')')?.is_none() {
                    return self.fail("expected `::new()`");
                }
                Ok(Node {
                    span: numbers.start - 1..numbers.end + 1,
                    kind: NodeKind::Macro(Macro::Swizzle),
                })
            }
            Some(name)
                if &self.text[name.clone()] == "Layout"
                    && self.text[self.at..].starts_with('<') =>
            {
                self.of_template(name.start)
            }
            Some(name) if &self.text[name.clone()] != "Sw" => {
                self.call(name.clone(), name.start, Vec::new())
            }
            _ => {
                self.at = start;
                self.literal()
            }
        }
    }

    /// The result of a macro of values or of types.
    fn of_macro(&mut self, name: Range<usize>) -> Result<Node, Unread> {
        let Some(inside) = self.enclosed('(', ')')? else { return self.fail("expected `(`") };
        let (kind, around) = match &self.text[name.clone()] {
            "layout" | "Layout" => (Macro::Layout, 0),
            "tiler" | "Tiler" => (Macro::Tiler, 1),
            "shape" | "Shape" | "int" | "Int" => (Macro::Shape, 0),
            _ => {
                let sentence = "`layout!`, `tiler!`, `shape!` and `int!` are read here".into();
                return Err(Unread { span: name, sentence });
            }
        };
        Ok(Node { span: inside.start - around..inside.end + around, kind: NodeKind::Macro(kind) })
    }

    /// A layout of CuTe as a type, after its name: its shape and its optional stride.
    fn of_template(&mut self, start: usize) -> Result<Node, Unread> {
        let Some(inside) = self.enclosed('<', '>')? else { return self.fail("expected `<`") };
        for (open, close) in [('{', '}'), ('(', ')')] {
            self.enclosed(open, close)?;
        }
        let written = numbers(&self.text[inside]);
        Ok(Node { span: start..self.at, kind: NodeKind::Written(written) })
    }

    /// The operands of an operation, in parentheses.
    fn call(
        &mut self,
        name_span: Range<usize>,
        start: usize,
        mut operands: Vec<Node>,
    ) -> Result<Node, Unread> {
        if !self.accept('(') {
            let named = if operands.is_empty() { ", or a layout in place of the name" } else { "" };
            return self.fail(&format!("expected `(` and the operands{named}"));
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail("expected less nesting: operations may stand 64 deep");
        }
        while !self.accept(')') {
            self.accept_keyword();
            operands.push(self.expression()?);
            if !self.accept(',') && self.peek() != Some(')') {
                return self.fail("expected `,` or `)`");
            }
        }
        self.depth -= 1;
        // CuTe uses this name also for a shape without a stride.
        let name = match &self.text[name_span.clone()] {
            "make_layout" if operands.len() == 2 => "with_strides".to_string(),
            name => name.to_string(),
        };
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
            // A swizzle, and its layout: `Sw<3,3,3> o 0 o L` is one layout, and so is `Sw<3,3,3> o
            // L`.
            for _ in 0..2 {
                let end = self.at;
                if !self.accept_composition() {
                    break;
                }
                self.peek();
                let (from, literal) =
                    (self.at, self.peek().is_some_and(|c| c == '(' || c.is_ascii_digit()));
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
        let text = &self.text[start..self.at];
        let plain = without_underscores(text);
        let kind = if plain == text { NodeKind::Literal } else { NodeKind::Written(plain) };
        Ok(Node { span: start..self.at, kind })
    }

    /// `stride=`, the keyword of the next operand.
    fn accept_keyword(&mut self) {
        let start = self.at;
        if self.name().is_none() || !self.accept('=') {
            self.at = start;
        }
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
                b',' | b';' | b'?' | b'/' if open == 0 => return,
                _ if open == 0 && bytes[self.at..].starts_with("∘".as_bytes()) => return,
                b'.' if open == 0 && next != b'.' && last != b'.' => return,
                b'o' if open == 0
                    && !last.is_ascii_alphanumeric()
                    && !next.is_ascii_alphanumeric() =>
                {
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}

/// `Shape<..>,Stride<..>` in the library's notation: `Int<4>` becomes 4, and any other name with
/// angle brackets a tuple.
fn numbers(text: &str) -> String {
    let (mut written, mut name, mut closing) = (String::new(), String::new(), Vec::new());
    for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
        match letter {
            '<' => {
                let is_number = matches!(name.trim_start_matches("cute::"), "Int" | "C");
                if name.ends_with("Stride") && closing.is_empty() && written.ends_with(',') {
                    written.pop();
                    written.push(':');
                }
                written += if is_number { "" } else { "(" };
                closing.push(if is_number { "" } else { ")" });
                name.clear();
            }
            '>' | ',' => {
                written += &name;
                name.clear();
                match letter {
                    '>' => written += closing.pop().unwrap_or(">"),
                    _ => written.push(','),
                }
            }
            letter => name.push(letter),
        }
    }
    without_underscores(&(written + &name))
}

/// CuTe's static numbers, `_4`, as numbers.
fn without_underscores(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let of_number = letter == '_'
            && letters.peek().is_some_and(char::is_ascii_digit)
            && !plain.ends_with(|before: char| before.is_ascii_alphanumeric());
        if !of_number {
            plain.push(letter);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree with parentheses.
    fn shown(text: &str) -> String {
        fn show(text: &str, node: &Node) -> String {
            match &node.kind {
                NodeKind::Literal => text[node.span.clone()].into(),
                NodeKind::Written(written) => format!("written {written}"),
                NodeKind::Macro(kind) => {
                    format!("{} {}", format!("{kind:?}").to_lowercase(), &text[node.span.clone()])
                }
                NodeKind::Call { name, operands, .. } => {
                    let operands: Vec<String> =
                        operands.iter().map(|operand| show(text, operand)).collect();
                    format!("[{name} {}]", operands.join(" | "))
                }
            }
        }
        match read(text) {
            Ok(nodes) => nodes.iter().map(|node| show(text, node)).collect::<Vec<_>>().join("; "),
            Err(unread) => {
                format!("{}..{}: {}", unread.span.start, unread.span.end, unread.sentence)
            }
        }
    }

    #[test]
    fn literals_end_where_operations_begin() {
        assert_eq!(shown(" (4,6):(1,4) "), "(4,6):(1,4)");
        assert_eq!(
            shown("(4,6):(1,4).zipped_divide(<2,3>)"),
            "[zipped_divide (4,6):(1,4) | <2,3>]"
        );
        assert_eq!(
            shown("zipped_divide((4, 6):(1, 4), <2, 3>)"),
            "[zipped_divide (4, 6):(1, 4) | <2, 3>]"
        );
        assert_eq!(shown("12.complement( 24 ).size()"), "[size [complement 12 | 24]]");
        assert_eq!(shown("(8,8).slice((1..3,..))"), "[slice (8,8) | (1..3,..)]");
        assert_eq!(
            shown("(4,6) o 4:2 o 2.coalesce()"),
            "[compose [compose (4,6) | 4:2] | [coalesce 2]]"
        );
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
    fn a_line_of_rust_is_read() {
        let divided = "[zipped_divide layout (4, 6):(1, 4) | tiler (2, <3, _>)]";
        assert_eq!(shown("layout!((4, 6):(1, 4)).zipped_divide(tiler!(2, <3, _>))"), divided);
        assert_eq!(
            shown("let r = &layout!((4, 6):(1, 4))\n    .zipped_divide(&tiler!(2, <3, _>))?;\n"),
            divided
        );
        assert_eq!(
            shown("let r: R = layout!((4, 6):(1, 4)).zipped_divide(tiler!(2, <3, _>)).unwrap();"),
            divided
        );
        assert_eq!(
            shown("layout!((2, 3)).take::<0, 1>()"),
            "[take layout (2, 3) | shape 0 | shape  1]"
        );
        assert_eq!(
            shown("4:2.complement(int!(24)).flatten( )"),
            "[flatten [complement 4:2 | shape 24]]"
        );
        assert_eq!(shown("\"4:2\".parse::<DynLayout>()?.compose(2)?"), "[compose 4:2 | 2]");
        assert_eq!(
            shown("Swizzle::<3, 3, -3>::new().compose(4)"),
            "[compose swizzle <3, 3, -3> | 4]"
        );
        assert_eq!(shown("left(shape!((4, 6)))"), "[left shape (4, 6)]");
        assert_eq!(shown("layout!(4; 5)"), "layout 4; 5");
        assert_eq!(shown("layout!((4, 6)"), "14..14: expected `)` at byte 14");
        assert_eq!(
            shown("layout"),
            "6..6: expected `(` and the operands, or a layout in place of the name at byte 6"
        );
        assert_eq!(
            shown("vec!(4)"),
            "0..3: `layout!`, `tiler!`, `shape!` and `int!` are read here"
        );
        assert_eq!(
            shown(&"4; ".repeat(9)),
            "24..25: expected the end of the text: 8 expressions stand side by side at byte 24"
        );
        assert_eq!(shown("4; (2,3).size();"), "4; [size (2,3)]");
        assert_eq!(shown("4.mode::<"), "9..9: expected `>` at byte 9");
        assert_eq!(shown("\"4"), "2..2: expected `\"` at byte 2");
        assert_eq!(shown("Swizzle::<3, 3, 3>"), "18..18: expected `::new()` at byte 18");
    }

    #[test]
    fn signs_and_the_spelling_of_cute() {
        assert_eq!(shown("(4,6):(1,4) / <2,3>"), "[logical_divide (4,6):(1,4) | <2,3>]");
        assert_eq!(shown("(4,6) ∘ (2,3) ∘ 2"), "[compose [compose (4,6) | (2,3)] | 2]");
        assert_eq!(shown("12:1/4.coalesce()"), "[logical_divide 12:1 | [coalesce 4]]");
        for text in ["make_layout((4,6), (1,4))", "make_layout((4,6), stride=(1,4))"] {
            assert_eq!(shown(text), "[with_strides (4,6) | (1,4)]");
        }
        assert_eq!(shown("make_layout((4,6))"), "[make_layout (4,6)]");
        assert_eq!(shown("(_4,(_2,3)):(_1,(12,_4))"), "written (4,(2,3)):(1,(12,4))");
        for (text, written) in [
            ("Layout<Shape<_4,_6>,Stride<_1,_4>>{}", "(4,6):(1,4)"),
            (
                "Layout<Shape<_4, Shape<_2, _3>>, Stride<_1, Stride<_12, _4>>>",
                "(4,(2,3)):(1,(12,4))",
            ),
            ("Layout<Shape<Int<4>,C<6>>>{}", "(4,6)"),
            ("Layout<_8, Stride<_1>>{}", "8:(1)"),
        ] {
            assert_eq!(shown(text), format!("written {written}"), "{text}");
        }
        // A slice's `_` is not a number.
        assert_eq!(shown("(4,6).slice((_,2))"), "[slice (4,6) | (_,2)]");
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        assert_eq!(
            shown(""),
            "0..0: expected a layout, as `(4,6):(1,4)`, or an operation at byte 0"
        );
        assert_eq!(shown("4:1."), "4..4: expected the name of an operation at byte 4");
        assert_eq!(shown("4:1.size"), "8..8: expected `(` and the operands at byte 8");
        assert_eq!(
            shown("a.size()"),
            "1..2: expected `(` and the operands, or a layout in place of the name at byte 1"
        );
        assert_eq!(shown("size(4:1"), "8..8: expected `,` or `)` at byte 8");
        assert_eq!(
            shown("size(4:1))"),
            "9..10: expected `.`, `o`, `;` or the end of the text at byte 9"
        );
        assert_eq!(
            shown("size(,)"),
            "5..6: expected a layout, as `(4,6):(1,4)`, or an operation at byte 5"
        );
        // The library reads text that is not an operation, and reports what it expected.
        assert_eq!(shown("<script>alert</script>"), "<script>alert</script>");
        assert_eq!(shown("é"), "é");
        assert!(shown(&"size(".repeat(2000)).contains("less nesting"));
        assert!(shown(&"(".repeat(20_000)).contains("20000 bytes"));
    }
}
