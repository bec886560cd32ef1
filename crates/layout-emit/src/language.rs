//! The languages, one row each.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::error::EmitError;

/// A language of generated code.
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
    /// The shading language of WebGPU.
    Wgsl,
    /// GLSL 4.50, for Vulkan.
    Glsl,
    /// HLSL of shader model 6.
    Hlsl,
    /// The shading language of Metal.
    Msl,
    /// Rust.
    Rust,
    /// Python, with numbers, NumPy's arrays or Triton's tensors. With NumPy and Triton, an offset
    /// that may be negative or out of range has 64 bits.
    Python,
}

impl Language {
    /// All languages.
    ///
    /// ```
    /// use layout_emit::Language;
    /// assert!(Language::ALL.iter().all(|language| language.to_string().parse() == Ok(*language)));
    /// ```
    pub const ALL: [Language; 10] = {
        use Language::*;
        [C, Cuda, Hip, OpenCl, Wgsl, Glsl, Hlsl, Msl, Rust, Python]
    };

    /// A property of a language for the printer: a line of the language's paragraph, or of the
    /// paragraph of its base language. In the patterns `{t}` is a type, `{n}` a name, `{v}` a
    /// value, `{p}` the parameters, `{r}` the result, `{k}` a type of several results, `{f}` its
    /// fields, and `{l}` an unused name.
    pub(crate) fn property_of(self, key: &str) -> &'static str {
        let own = &TABLE[self as usize];
        own.get(key).map_or_else(
            || own["as"].parse::<Language>().expect("a language").property_of(key),
            |value| value.trim(),
        )
    }
    /// A property, with `\n` replaced by line ends.
    pub(crate) fn text(self, key: &str) -> String {
        self.property_of(key).replace("\\n", "\n")
    }
    /// A property that is a list: `types` are the unsigned types of 32 and 64 bits and the signed
    /// types of 32 and 64 bits, empty if a type does not exist; `suffix` are the suffixes of
    /// literals of 32 and 64 bits, and of a shift count; `words` name the lists of words that
    /// cannot be names of functions or arguments, `functions` those that cannot be names of
    /// functions.
    pub(crate) fn list(self, key: &str) -> Vec<&'static str> {
        self.property_of(key).split('|').map(str::trim).collect()
    }
    /// Refuses a name that an argument cannot have: a word of the language, a type or a macro of
    /// its headers.
    pub(crate) fn check_argument(self, name: &str) -> Result<(), EmitError> {
        let language = self.property_of("name");
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || name == "_" {
            return EmitError::input(format!(
                "`{}` is no name: letters, digits and `_`, and no digit first",
                name.escape_debug()
            ));
        }
        let is_glsl = self == Language::Glsl && (name.contains("__") || name.starts_with("gl_"));
        let is_c = !matches!(self, Language::Wgsl | Language::Rust | Language::Python);
        let is_reserved = is_c
            && name.starts_with('_')
            && name[1..].starts_with(|c: char| c.is_ascii_uppercase());
        if name.starts_with("__") || is_glsl || is_reserved {
            return EmitError::input(format!(
                "`{name}` belongs to {language} itself, as names of that form do"
            ));
        }
        if self.has_word("words", name) {
            return EmitError::input(format!(
                "`{name}` is a word of {language}: another name, for instance `{name}_`"
            ));
        }
        Ok(())
    }
    /// Refuses a name that a function or a type cannot have: a name that an argument cannot have,
    /// or a function of the language, since the code may call it.
    pub(crate) fn check_function(self, name: &str) -> Result<(), EmitError> {
        self.check_argument(name)?;
        if self.has_word("functions", name) {
            let language = self.property_of("name");
            return EmitError::input(format!(
                "`{name}` is something else in {language}: another name, for instance `{name}_`"
            ));
        }
        Ok(())
    }
    /// Whether the name is in the lists that the property names. A word that ends with `*` matches
    /// every name with this beginning.
    fn has_word(self, property: &str, name: &str) -> bool {
        let lists = self.list(property);
        let is_name = |word: &str| {
            word.strip_suffix('*').map_or(word == name, |begin| name.starts_with(begin))
        };
        let lines = WORDS
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter(|(list, _)| lists.contains(list));
        lines.into_iter().any(|(_, words)| words.split(' ').any(is_name))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.property_of("flag"))
    }
}
impl FromStr for Language {
    type Err = EmitError;
    fn from_str(text: &str) -> Result<Self, EmitError> {
        let flags = Language::ALL.map(|language| language.property_of("flag"));
        let found = flags.iter().position(|flag| *flag == text).map(|at| Language::ALL[at]);
        found.ok_or_else(|| EmitError::Input(format!("no language `{text}`: {}", flags.join(", "))))
    }
}

/// The words of languages: lines that begin with the name of a list.
const WORDS: &str = if cfg!(feature = "words") { include_str!("words.txt") } else { "" };

/// A paragraph for each language, in the order of [`Language`]: its flag, its base language, and
/// the properties in which it differs.
const LANGUAGES: &str = include_str!("languages.txt");

static TABLE: LazyLock<Vec<HashMap<&str, &str>>> = LazyLock::new(|| {
    let properties = |own: &'static str| {
        let lines = own.lines().map(|line| line.split_once(' ').unwrap_or((line, "")));
        lines.chain([("flag", own.lines().next().unwrap_or_default())]).collect()
    };
    LANGUAGES.trim_end().split("\n\n").map(properties).collect()
});
