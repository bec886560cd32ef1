//! Functions in the text that `rustc --emit asm` writes, made comparable.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// What begins a comment; on other machines than x86, `#` begins a number.
const COMMENT: char = if cfg!(target_arch = "x86_64") { '#' } else { ';' };

/// The functions of a file of assembly.
pub struct Assembly {
    /// As the file names it: `rustc version 1.95.0 (..)`.
    pub compiler: String,
    /// Instructions and labels of each function, trimmed.
    bodies: BTreeMap<String, Vec<String>>,
    /// Functions that LLVM found equal to another one, and merged: `ours_x = hand_x`.
    merged: HashMap<String, String>,
}

/// `ours_x` and `hand_x`.
pub struct Pair {
    pub name: String,
    /// With labels, constants and registers numbered by first use.
    pub ours: String,
    /// The same of the other one: equal texts are equal instructions.
    pub hand: String,
    /// `hand_x` with its registers as they are, to read.
    pub text: String,
}

impl Assembly {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Self {
        let mut assembly =
            Assembly { compiler: String::new(), bodies: BTreeMap::new(), merged: HashMap::new() };
        let mut current: Option<(String, Vec<String>)> = None;
        for line in text.lines() {
            let line = line.split(COMMENT).next().unwrap_or_default().trim_end();
            let (indented, line) = (line.starts_with(char::is_whitespace), line.trim());
            if let Some(compiler) = line.strip_prefix(".ident") {
                assembly.compiler = compiler.trim().trim_matches('"').to_owned();
            } else if let Some((alias, function)) = alias(line) {
                assembly.merged.insert(plain(alias).to_owned(), plain(function).to_owned());
            } else if let Some(name) =
                line.strip_suffix(':').filter(|name| !indented && is_function(name))
            {
                assembly.keep(current.replace((plain(name).to_owned(), Vec::new())));
            } else if line.starts_with(".Lfunc_end")
                || line.starts_with("Lfunc_end")
                || line.starts_with(".cfi_endproc")
            {
                assembly.keep(current.take());
            } else if let Some((_, body)) = &mut current {
                // Directives say nothing about what is executed; labels do.
                if line.ends_with(':') || !line.starts_with('.') && !line.is_empty() {
                    body.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
                }
            }
        }
        assembly.keep(current);
        assembly
    }

    fn keep(&mut self, function: Option<(String, Vec<String>)>) {
        let Some((name, body)) = function else { return };
        match &body[..] {
            // A merged function may also be nothing but a jump to the other one.
            [jump] if jump_target(jump).is_some_and(is_function) => {
                self.merged.insert(name, plain(jump_target(jump).unwrap_or_default()).to_owned());
            }
            _ => drop(self.bodies.insert(name, body)),
        }
    }

    /// Every `ours_x` with its `hand_x`.
    pub fn pairs(&self) -> Vec<Pair> {
        let names = self.bodies.keys().chain(self.merged.keys());
        let mut names: Vec<_> = names.filter_map(|name| name.strip_prefix("ours_")).collect();
        names.sort_unstable();
        let pair = |name: &str| Pair {
            name: name.to_owned(),
            ours: normal(self.body(&format!("ours_{name}")), true),
            hand: normal(self.body(&format!("hand_{name}")), true),
            text: normal(self.body(&format!("hand_{name}")), false),
        };
        names.into_iter().map(pair).collect()
    }

    /// How many instructions of each kind a function has.
    pub fn kinds(&self, name: &str) -> BTreeMap<&str, usize> {
        let mut kinds = BTreeMap::new();
        let instructions = self.body(name).iter().filter(|line| !line.ends_with(':'));
        for kind in instructions.filter_map(|line| line.split_whitespace().next()) {
            *kinds.entry(kind).or_default() += 1;
        }
        kinds
    }

    /// The addresses that a function reads and writes on x86-64, sorted: `268(%rsi,%rax)`. Its
    /// arguments are in the same registers as those of any other function of the same type.
    pub fn addresses(&self, name: &str) -> Vec<&str> {
        let words = self
            .body(name)
            .iter()
            .filter(|line| !line.ends_with(':'))
            .flat_map(|line| line.split_inclusive(')'));
        let mut addresses: Vec<_> = words
            .filter(|text| text.ends_with(')'))
            .filter_map(|text| text.rsplit_once(' ').map(|(_, address)| address))
            .collect();
        addresses.sort_unstable();
        addresses
    }

    fn body(&self, name: &str) -> &[String] {
        let name = self.merged.get(name).map_or(name, String::as_str);
        self.bodies.get(name).unwrap_or_else(|| panic!("the assembly has no function {name}"))
    }
}

impl Pair {
    /// Both, for a person to compare.
    pub fn side_by_side(&self) -> String {
        side_by_side(
            (&format!("ours_{}", self.name), &self.ours),
            (&format!("hand_{}", self.name), &self.hand),
        )
    }
}

/// Two titled texts next to one another, lines that differ marked.
pub fn side_by_side(
    (left_title, left): (&str, &str),
    (right_title, right): (&str, &str),
) -> String {
    let (left, right): (Vec<_>, Vec<_>) = (left.lines().collect(), right.lines().collect());
    let mut text = format!("   {left_title:<55} {right_title}\n");
    for i in 0..left.len().max(right.len()) {
        let (l, r) = (left.get(i).unwrap_or(&""), right.get(i).unwrap_or(&""));
        writeln!(text, "{}  {l:<55} {r}", if l == r { ' ' } else { '!' }).unwrap();
    }
    text
}

/// `ours_x = hand_x` or `.set ours_x, hand_x`.
fn alias(line: &str) -> Option<(&str, &str)> {
    let (alias, function) = match line.strip_prefix(".set") {
        Some(rest) => rest.split_once(',')?,
        None => line.split_once('=')?,
    };
    let (alias, function) = (alias.trim(), function.trim());
    (is_function(alias) && is_function(function)).then_some((alias, function))
}

/// Where an instruction jumps to, if it is a jump.
fn jump_target(instruction: &str) -> Option<&str> {
    instruction.strip_prefix("jmp ").or(instruction.strip_prefix("b "))
}

/// Without the underscore that some systems put before every name.
fn plain(name: &str) -> &str {
    name.strip_prefix('_').unwrap_or(name)
}

fn is_function(name: &str) -> bool {
    ["ours_", "hand_", "product_by_"].iter().any(|start| plain(name).starts_with(start))
}

/// Instructions with labels and constants numbered by first use, and registers too if asked for.
fn normal(body: &[String], registers: bool) -> String {
    let mut names = Names { registers, ..Names::default() };
    let mut text = String::new();
    for line in body {
        match line.strip_suffix(':') {
            Some(label) => writeln!(text, "{}:", names.name(label, "L")).unwrap(),
            None => writeln!(text, "    {}", names.line(line)).unwrap(),
        }
    }
    text
}

#[derive(Default)]
struct Names {
    registers: bool,
    known: HashMap<String, String>,
    counts: HashMap<&'static str, usize>,
}

impl Names {
    fn name(&mut self, word: &str, kind: &'static str) -> String {
        let count = self.counts.entry(kind).or_default();
        self.known
            .entry(word.to_owned())
            .or_insert_with(|| {
                *count += 1;
                format!("{kind}{}", *count - 1)
            })
            .clone()
    }

    /// A line with its registers, labels and constants named.
    fn line(&mut self, line: &str) -> String {
        let mut text = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let (head, tail) =
                rest.split_at(word.max(rest.chars().next().map_or(0, char::len_utf8)));
            let named = match register(head).filter(|_| self.registers) {
                Some((register, width)) => format!("{}{width}", self.name(&register, "%r")),
                None if ["anon", "LCPI"].iter().any(|it| head.contains(it)) => {
                    self.name(head, "constant")
                }
                None if [".LBB", "LBB"].iter().any(|it| head.starts_with(it)) => {
                    self.name(head, "L")
                }
                None => head.to_owned(),
            };
            text.push_str(&named);
            rest = tail;
        }
        text
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '%' | '.' | '_' | '$' | '@')
}

/// An x86-64 register: the whole of it, and a suffix for the part that is meant. `%eax` is a part
/// of `%rax`, `%xmm3` of `%zmm3`.
fn register(word: &str) -> Option<(String, &'static str)> {
    let name = word.strip_prefix('%')?;
    if let Some(number) = ["xmm", "ymm", "zmm"].iter().find_map(|kind| name.strip_prefix(kind)) {
        let width = match &name[..1] {
            "x" => "x",
            "y" => "y",
            _ => "z",
        };
        return Some((format!("v{number}"), width));
    }
    if let Some(number) =
        name.strip_prefix('r').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        let digits = number.trim_end_matches(char::is_alphabetic);
        return Some((format!("r{digits}"), part(number.strip_prefix(digits)?)?));
    }
    const LETTERED: [[&str; 4]; 8] = [
        ["rax", "eax", "ax", "al"],
        ["rbx", "ebx", "bx", "bl"],
        ["rcx", "ecx", "cx", "cl"],
        ["rdx", "edx", "dx", "dl"],
        ["rsi", "esi", "si", "sil"],
        ["rdi", "edi", "di", "dil"],
        ["rbp", "ebp", "bp", "bpl"],
        ["rsp", "esp", "sp", "spl"],
    ];
    LETTERED.iter().find_map(|names| {
        let width = names.iter().position(|&it| it == name)?;
        Some((names[0].to_owned(), part(["", "d", "w", "b"][width])?))
    })
}

/// The suffix of a part of a general register.
fn part(suffix: &str) -> Option<&'static str> {
    ["", "d", "w", "b"].into_iter().find(|&it| it == suffix)
}
