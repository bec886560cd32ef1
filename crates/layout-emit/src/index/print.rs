//! Prints functions in a language, by the table of languages.

use super::expr::{Graph, Node, Op};
use super::function::Function;
use crate::error::EmitError;
use crate::language::Language;

/// The function as text, without the common definitions of a file.
///
/// # Errors
/// If a name is a word of the language, or the language has no numbers of 64 bits.
pub fn print_function(function: &Function, language: Language) -> Result<String, EmitError> {
    print_with_head(function, language, "head")
}

/// The function, with this pattern for its first line.
fn print_with_head(
    function: &Function,
    language: Language,
    head: &'static str,
) -> Result<String, EmitError> {
    let own = type_of_results(function, language);
    let names = std::iter::once(&function.name)
        .chain(function.inputs.iter().map(|(name, _)| name))
        .chain(&own);
    let all: Vec<&String> = names.collect();
    function.inputs.iter().try_for_each(|(name, _)| language.check_argument(name))?;
    std::iter::once(&function.name)
        .chain(&own)
        .try_for_each(|name| language.check_function(name))?;
    if let Some(twice) =
        all.iter().enumerate().find_map(|(at, name)| all[..at].contains(name).then_some(name))
    {
        return EmitError::input(format!(
            "`{twice}` is the name of two of these: the function, its arguments, the type of its \
             result"
        ));
    }
    if function.word.bits == 64 && language == Language::Wgsl {
        return EmitError::refused("WGSL has no numbers of 64 bits, which the layout needs");
    }
    Ok(Printer::new(function, language).function(head))
}

/// The type for several results, in a language without arrays or tuples.
pub fn type_of_results(function: &Function, language: Language) -> Option<String> {
    let is_own = !language.property_of("type").is_empty();
    let is_one = function.values.len() == 1 && function.inside.is_none();
    (is_own && !is_one).then(|| format!("{}_t", function.name))
}

/// The values of a function within another function: lines that define shared expressions, and an
/// expression for each value. The arguments are names of the outer function.
pub fn print_inline(function: &Function, language: Language) -> (Vec<String>, Vec<String>) {
    let printer = Printer::new(function, language);
    (
        printer.define_locals(&function.result_nodes(), &[]),
        function.values.iter().map(|(_, node)| printer.whole(*node)).collect(),
    )
}

/// A sentence as lines of a comment.
pub fn wrap_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() <= 115 => *line += &format!(" {word}"),
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// A file of functions: the common definitions once, then each function.
pub fn print_file(functions: &[Function], language: Language) -> Result<String, EmitError> {
    let is_wide = functions.iter().any(|function| function.word.bits == 64);
    let wide = if is_wide { language.text("wide_prologue") } else { String::new() };
    let above = Some(wide + &language.text("prologue")).filter(|above| !above.is_empty());
    let texts = functions.iter().map(|function| print_function(function, language));
    Ok(above.map(Ok).into_iter().chain(texts).collect::<Result<Vec<_>, _>>()?.join("\n"))
}

/// The macro in headers for the specifiers of a function.
const HEADER_MACRO: &str = "LAYOUT_FUNCTION";

/// A header of functions, which may be included twice, by compilers for GPUs and for hosts.
pub fn print_header(functions: &[Function], language: Language) -> Result<String, EmitError> {
    let above = language.text("header");
    if above.is_empty() {
        let name = language.property_of("name");
        return EmitError::refused(format!("{name} has no headers: C, CUDA C++ and HIP have"));
    }
    for function in functions {
        let mut names = function.inputs.iter().map(|(name, _)| name).chain([&function.name]);
        if names.any(|name| name == HEADER_MACRO) {
            return EmitError::input(format!(
                "`{HEADER_MACRO}` is a macro of the header: another name"
            ));
        }
    }
    let texts = functions.iter().map(|function| print_with_head(function, language, "header_head"));
    Ok([Ok(above)].into_iter().chain(texts).collect::<Result<Vec<_>, _>>()?.join("\n"))
}

/// The precedence of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Whole,
    Product,
    Sum,
    Xor,
    Answer,
    Both,
    Loose,
}

struct Printer<'a> {
    function: &'a Function,
    language: Language,
    types: Vec<&'static str>,
    suffix: Vec<&'static str>,
    /// Nodes that are used more than once, by name.
    locals: Vec<(Node, String)>,
    /// An unused name for additions.
    free: String,
}

impl<'a> Printer<'a> {
    fn new(function: &'a Function, language: Language) -> Self {
        let graph = &function.graph;
        let roots = function.result_nodes();
        let mut uses: std::collections::HashMap<Node, usize> = std::collections::HashMap::new();
        let reached = graph.nodes_reached(&roots);
        let parts = reached.iter().flat_map(|&node| graph.operation_of(node).split_items());
        parts.chain(roots.iter().copied()).for_each(|part| *uses.entry(part).or_default() += 1);
        let is_named = |name: &str| {
            function.name == name || function.inputs.iter().any(|(input, _)| input == name)
        };
        let mut prefix = String::from("t");
        while (0..=reached.len()).any(|k| is_named(&format!("{prefix}{k}"))) {
            prefix.push('_');
        }
        let is_plain =
            |node: &Node| matches!(graph.operation_of(*node), Op::Input(_) | Op::Number(_));
        let shared = reached.into_iter().filter(|node| uses[node] > 1 && !is_plain(node));
        let locals: Vec<_> =
            shared.enumerate().map(|(k, node)| (node, format!("{prefix}{k}"))).collect();
        let free = format!("{prefix}{}", locals.len());
        let (types, suffix) = (language.list("types"), language.list("suffix"));
        Printer { function, language, types, suffix, locals, free }
    }

    fn graph(&self) -> &Graph {
        &self.function.graph
    }
    fn kind(&self, signed: bool) -> &'static str {
        self.types[usize::from(self.function.word.bits == 64) + if signed { 2 } else { 0 }]
    }
    fn number(&self, value: i128) -> String {
        format!("{value}{}", self.suffix[usize::from(self.function.word.bits == 64)])
    }
    /// Whether the node needs a wrapping operation in Rust, where `+`, `-` and `*` check for
    /// overflow.
    fn is_wrapping(&self, node: Node) -> bool {
        let graph = self.graph();
        let limit = self.function.word.limit();
        let leaves = |node: Node| graph.range_of(node).lo < 0 || graph.range_of(node).hi > limit;
        self.language == Language::Rust
            && (leaves(node) || graph.operation_of(node).split_items().any(leaves))
    }

    /// An expression where a name or parentheses are needed.
    fn whole(&self, node: Node) -> String {
        self.within(node, &[])
    }
    /// An expression where operators of these precedences need no parentheses.
    fn within(&self, node: Node, allowed: &[Holds]) -> String {
        match self.print_expression(node, false) {
            (text, holds) if holds == Holds::Whole || allowed.contains(&holds) => text,
            (text, _) => format!("({text})"),
        }
    }

    /// The expression of a node, or the name of the node unless it `is_defined` here.
    fn print_expression(&self, node: Node, is_defined: bool) -> (String, Holds) {
        use Holds::{Answer, Both, Loose, Product, Sum, Whole, Xor};
        if let (Some((_, name)), false) =
            (self.locals.iter().find(|(local, _)| *local == node), is_defined)
        {
            return (name.clone(), Whole);
        }
        let divide = if self.language == Language::Python { "//" } else { "/" };
        let wraps = self.is_wrapping(node);
        let method = |name: &str, a: Node, b: String| {
            let a = match self.graph().operation_of(a) {
                Op::Number(value) => format!("{value}_{}", self.kind(false)),
                _ => self.whole(a),
            };
            (format!("{a}.wrapping_{name}({b})"), Whole)
        };
        match *self.graph().operation_of(node) {
            Op::Input(ref name) => {
                let signed =
                    self.function.inputs.iter().any(|(input, signed)| input == name && *signed);
                (if signed { self.cast(name, self.kind(false)) } else { name.clone() }, Whole)
            }
            Op::Number(value) => (self.number(value), Whole),
            Op::Add(a, b) if wraps => method("add", a, self.within(b, &[Product, Sum])),
            Op::Sub(a, b) if wraps => method("sub", a, self.within(b, &[Product, Sum])),
            Op::Mul(a, b) if wraps => method("mul", a, self.whole(b)),
            Op::Shl(a, n) if wraps => method("mul", a, (1u128 << n).to_string()),
            Op::Add(a, b) => (
                format!("{} + {}", self.within(a, &[Product, Sum]), self.within(b, &[Product])),
                Sum,
            ),
            Op::Sub(a, b) => (
                format!("{} - {}", self.within(a, &[Product, Sum]), self.within(b, &[Product])),
                Sum,
            ),
            Op::Mul(a, b) => (format!("{} * {}", self.whole(a), self.whole(b)), Product),
            Op::Div(a, b) => (format!("{} {divide} {}", self.whole(a), self.whole(b)), Product),
            Op::Rem(a, b) => (format!("{} % {}", self.whole(a), self.whole(b)), Product),
            Op::Shl(a, n) => (format!("{} << {n}{}", self.whole(a), self.suffix[2]), Loose),
            Op::Shr(a, n) => (format!("{} >> {n}{}", self.whole(a), self.suffix[2]), Loose),
            // A word truncates to these bits anyway.
            Op::And(a, mask)
                if mask as i128 == self.function.word.limit()
                    && self.language != Language::Python =>
            {
                self.print_expression(a, false)
            }
            Op::And(a, mask) => {
                (format!("{} & {}", self.whole(a), self.number(mask as i128)), Loose)
            }
            Op::Xor(a, b) => (format!("{} ^ {}", self.within(a, &[Xor]), self.whole(b)), Xor),
            Op::Less(a, b) => (format!("{} < {}", self.whole(a), self.whole(b)), Answer),
            Op::Equal(a, b) => (format!("{} == {}", self.whole(a), self.whole(b)), Answer),
            Op::Both(a, b) if self.language == Language::Python => {
                (format!("{} & {}", self.within(a, &[Both]), self.whole(b)), Both)
            }
            Op::Both(a, b) => (
                format!("{} && {}", self.within(a, &[Answer, Both]), self.within(b, &[Answer])),
                Both,
            ),
        }
    }

    fn cast(&self, value: &str, kind: &str) -> String {
        self.language.text("cast").replace("{t}", kind).replace("{v}", value)
    }
    /// A result. Only results are converted to signed numbers.
    fn value(&self, node: Node) -> String {
        if !self.function.signed || self.types[0].is_empty() {
            return self.print_expression(node, false).0;
        }
        self.cast(&self.whole(node), self.kind(true))
    }

    /// The definitions of the locals that `roots` need, except those that `before` has already
    /// defined.
    fn define_locals(&self, roots: &[Node], before: &[Node]) -> Vec<String> {
        let [reached, written] = [roots, before].map(|roots| self.graph().nodes_reached(roots));
        let own = self
            .locals
            .iter()
            .filter(|(node, _)| reached.contains(node) && !written.contains(node));
        let line = |(node, name): &(Node, String)| {
            let kind = match self.graph().operation_of(*node) {
                Op::Less(..) | Op::Equal(..) | Op::Both(..) => self.language.property_of("bool"),
                _ => self.kind(false),
            };
            let value = self.print_expression(*node, true).0;
            self.language
                .text("local")
                .replace("{t}", kind)
                .replace("{n}", name)
                .replace("{v}", &value)
        };
        own.map(line).collect()
    }

    fn function(&self, head: &str) -> String {
        let Function { name, comment, inputs, values, signed, inside, .. } = self.function;
        let language = self.language;
        let mut text: String = comment
            .iter()
            .map(|line| format!("{} {line}\n", language.property_of("comment")))
            .collect();
        let unused = inputs.iter().filter(|(n, _)| !self.function.reads(n));
        let unused = unused.map(|(n, _)| language.text("unused").replace("{n}", n));
        let mut lines: Vec<String> = unused.filter(|line| !line.is_empty()).collect();
        let end = if matches!(language, Language::Rust | Language::Python) { "" } else { ";" };
        let one = self.kind(*signed).to_string();
        let answer = inside.map(|inside| match inside {
            Some(inside) => self.print_expression(inside, false).0,
            None => if language == Language::Python { "True" } else { "true" }.into(),
        });
        let all: Vec<_> = values.iter().map(|(_, node)| self.value(*node)).collect();
        let result = match (language, &answer, &all[..]) {
            (Language::Rust, ..) => {
                let is_one = all.len() == 1;
                let kind = if is_one { one } else { format!("[{one}; {}]", all.len()) };
                let value = if is_one { all[0].clone() } else { format!("[{}]", all.join(", ")) };
                // Outside the bounds the function computes nothing, so nothing overflows.
                let asked = inside.flatten().into_iter().collect::<Vec<_>>();
                lines.extend(self.define_locals(&asked, &[]));
                let own = self.define_locals(&self.function.result_nodes(), &asked);
                if let Some(answer) = answer {
                    lines.push(format!("if {answer} {{"));
                    lines.extend(own.iter().map(|line| format!("    {line}")));
                    lines.push(format!("    Some({value})\n    }} else {{\n        None\n    }}"));
                    format!("Option<{kind}>")
                } else {
                    lines.extend(own.into_iter().chain([value]));
                    kind
                }
            }
            (_, None, [value]) => {
                lines.extend(self.define_locals(&self.function.result_nodes(), &[]));
                lines.push(format!("return {value}{end}"));
                one
            }
            (..) => {
                lines.extend(self.define_locals(&self.function.result_nodes(), &[]));
                let kind = format!("{name}_t");
                let [define, field, made] = ["type", "field", "made"].map(|key| language.text(key));
                let fields = values.iter().map(|(field, _)| (&field[..], &one[..]));
                let fields =
                    fields.chain(answer.iter().map(|_| ("inside", language.property_of("bool"))));
                let field =
                    |(name, kind)| format!("    {field}").replace("{t}", kind).replace("{n}", name);
                text += &define
                    .replace("{f}", &fields.map(field).collect::<String>())
                    .replace("{k}", &kind);
                let all = all.iter().chain(&answer).cloned().collect::<Vec<_>>().join(", ");
                let made =
                    made.replace("{l}", &self.free).replace("{k}", &kind).replace("{v}", &all);
                lines.extend(made.lines().map(String::from));
                kind
            }
        };
        let parameter = language.text("parameter");
        let parameter = |(name, signed): &(String, bool)| {
            parameter.replace("{t}", self.kind(*signed)).replace("{n}", name)
        };
        let parameters = inputs.iter().map(parameter).collect::<Vec<_>>().join(", ");
        text += &language
            .text(head)
            .replace("{r}", &result)
            .replace("{n}", name)
            .replace("{p}", &parameters);
        text.push('\n');
        text.extend(lines.iter().map(|line| format!("    {line}\n")));
        text + if language == Language::Python { "" } else { "}\n" }
    }
}
