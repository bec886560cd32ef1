//! The languages, a row each.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::error::EmitError;

/// A language that code is written in.
///
/// ```
/// use layout_emit::Language;
/// assert_eq!("wgsl".parse::<Language>()?, Language::Wgsl);
/// assert_eq!(Language::OpenCl.to_string(), "opencl");
/// assert!("fortran".parse::<Language>().is_err());
/// assert_eq!(Language::ALL.len(), 10);
/// # Ok::<(), layout_emit::EmitError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C99.
    C,
    /// CUDA C++, for nvcc and NVRTC.
    Cuda,
    /// HIP C++.
    Hip,
    /// OpenCL C.
    OpenCl,
    /// The language of WebGPU.
    Wgsl,
    /// GLSL 4.50, as Vulkan takes it.
    Glsl,
    /// HLSL of shader model 6.
    Hlsl,
    /// The language of Metal.
    Msl,
    /// Rust.
    Rust,
    /// Python: of numbers, of NumPy's arrays and of Triton's tensors. Of these, an offset that may be negative or none of
    /// the layout's has 64 bits.
    Python,
}

impl Language {
    /// All of them.
    ///
    /// ```
    /// use layout_emit::Language;
    /// assert!(Language::ALL.iter().all(|language| language.to_string().parse() == Ok(*language)));
    /// ```
    pub const ALL: [Language; 10] = {
        use Language::*;
        [C, Cuda, Hip, OpenCl, Wgsl, Glsl, Hlsl, Msl, Rust, Python]
    };

    pub(crate) fn syntax(self) -> &'static Syntax {
        &TABLE[self as usize]
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.syntax().flag)
    }
}
impl FromStr for Language {
    type Err = EmitError;
    fn from_str(text: &str) -> Result<Self, EmitError> {
        let found = Language::ALL.into_iter().find(|language| language.syntax().flag == text);
        found.ok_or_else(|| {
            let all: Vec<_> = TABLE.iter().map(|syntax| syntax.flag).collect();
            EmitError::Input(format!("no language `{text}`: {}", all.join(", ")))
        })
    }
}

/// What the printer has to know of a language. In the patterns `{t}` is a type, `{n}` a name, `{v}` a value, `{p}` the
/// parameters, `{r}` the result.
#[derive(Debug)]
pub struct Syntax {
    pub name: &'static str,
    pub flag: &'static str,
    /// Unsigned of 32 and 64 bits, signed of 32 and 64 bits; empty where there is none.
    pub types: Vec<&'static str>,
    pub bool: &'static str,
    /// What follows a number of 32 or 64 bits, and the number of places that one is shifted.
    pub suffix: Vec<&'static str>,
    pub comment: String,
    pub head: String,
    pub parameter: String,
    pub local: String,
    pub cast: String,
    /// How several results are given: the type `{k}` with the fields `{f}`, a field, and what makes it of the values, with
    /// a name `{l}` that is free.
    pub several: [String; 3],
    /// What an argument that is not read needs.
    pub unused: String,
    /// What stands above the functions of a file.
    pub prologue: String,
    /// The same where numbers have 64 bits.
    pub wide_prologue: String,
    /// The lists of its words, which are no names of functions or arguments.
    pub words: Vec<&'static str>,
}

/// The words of languages, lists of lines that begin with the name of the list.
const WORDS: &str = include_str!("words.txt");

/// A paragraph for each language, in the order of [`Language`]: its flag, the language that it is as but for what follows,
/// and its properties.
const LANGUAGES: &str = include_str!("languages.txt");

static TABLE: LazyLock<Vec<Syntax>> = LazyLock::new(|| LANGUAGES.trim_end().split("\n\n").map(Syntax::of).collect());

fn property(own: &'static str, key: &str) -> &'static str {
    let is_end = |rest: &&str| rest.is_empty() || rest.starts_with(' ');
    let line = |key| own.lines().skip(1).find_map(|line| line.strip_prefix(key).filter(is_end)).map(str::trim);
    let is_as = |other: &&str| other.lines().next() == line("as");
    line(key).unwrap_or_else(|| property(LANGUAGES.split("\n\n").find(is_as).expect("a language"), key))
}

impl Syntax {
    fn of(own: &'static str) -> Syntax {
        let list = |key: &str| property(own, key).split('|').map(str::trim).collect();
        let text = |key: &str| property(own, key).replace("\\n", "\n");
        Syntax {
            name: property(own, "name"),
            flag: own.lines().next().unwrap_or_default(),
            types: list("types"),
            bool: property(own, "bool"),
            suffix: list("suffix"),
            comment: text("comment") + " ",
            head: text("head"),
            parameter: text("parameter"),
            local: text("local"),
            cast: text("cast"),
            several: [text("type"), format!("    {}", text("field")), text("made")],
            unused: text("unused"),
            prologue: text("prologue"),
            wide_prologue: text("wide_prologue"),
            words: list("words"),
        }
    }
    /// Refuses what is no name, or a word of the language.
    pub fn check(&self, name: &str) -> Result<(), EmitError> {
        let language = self.name;
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || name == "_" {
            return EmitError::input(format!("`{name}` is no name: letters, digits and `_`, and no digit first"));
        }
        if name.starts_with("__") || self.flag == "glsl" && (name.contains("__") || name.starts_with("gl_")) {
            return EmitError::input(format!("`{name}` belongs to {language} itself, as names of that form do"));
        }
        let reserved =
            WORDS.lines().filter_map(|line| line.split_once(' ')).filter(|(list, _)| self.words.contains(list));
        if reserved.into_iter().any(|(_, words)| words.split(' ').any(|word| word == name)) {
            return EmitError::input(format!("`{name}` is a word of {language}: another name, for instance `{name}_`"));
        }
        Ok(())
    }
}
