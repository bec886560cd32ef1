//! The languages, a row each.

use std::fmt;
use std::str::FromStr;

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
    pub types: [&'static str; 4],
    pub bool: &'static str,
    /// What follows a number of 32 or 64 bits, and the number of places that one is shifted.
    pub suffix: [&'static str; 3],
    pub comment: &'static str,
    pub head: &'static str,
    pub parameter: &'static str,
    pub local: &'static str,
    pub cast: &'static str,
    /// How several results are given: the type `{k}` with the fields `{f}`, a field, and what makes it of the values, with
    /// a name `{l}` that is free.
    pub several: [&'static str; 3],
    /// What an argument that is not read needs.
    pub unused: &'static str,
    /// What stands above the functions of a file.
    pub prologue: &'static str,
    /// The same where numbers have 64 bits.
    pub wide_prologue: &'static str,
    /// The lists of its words, which are no names of functions or arguments.
    pub words: [&'static str; 2],
}

/// The words of languages, lists of lines that begin with the name of the list.
const WORDS: &str = include_str!("words.txt");

const C: Syntax = Syntax {
    name: "C",
    flag: "c",
    types: ["uint32_t", "uint64_t", "int32_t", "int64_t"],
    bool: "bool",
    suffix: ["u", "ull", ""],
    comment: "// ",
    head: "static inline {r} {n}({p}) {",
    parameter: "{t} {n}",
    local: "const {t} {n} = {v};",
    cast: "({t}){v}",
    several: ["typedef struct {\n{f}} {k};\n", "    {t} {n};\n", "return ({k}){ {v} };"],
    unused: "(void){n};",
    prologue: "",
    wide_prologue: "",
    words: ["c", ""],
};
const CUDA: Syntax = Syntax {
    name: "CUDA C++",
    flag: "cuda",
    types: ["unsigned int", "unsigned long long", "int", "long long"],
    head: "static __host__ __device__ __forceinline__ {r} {n}({p}) {",
    several: ["struct {k} {\n{f}};\n", C.several[1], "return { {v} };"],
    words: ["cpp", ""],
    ..C
};
const GLSL: Syntax = Syntax {
    name: "GLSL",
    flag: "glsl",
    types: ["uint", "uint64_t", "int", "int64_t"],
    suffix: ["u", "ul", ""],
    head: "{r} {n}({p}) {",
    cast: "{t}({v})",
    several: [CUDA.several[0], C.several[1], "return {k}({v});"],
    unused: "",
    wide_prologue: "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n",
    words: ["glsl", ""],
    ..C
};

/// In the order of [`Language`].
static TABLE: [Syntax; 10] = [
    Syntax { prologue: "#include <stdbool.h>\n#include <stdint.h>\n", ..C },
    CUDA,
    Syntax { name: "HIP", flag: "hip", head: CUDA.head, ..CUDA },
    Syntax {
        name: "OpenCL C",
        flag: "opencl",
        types: ["uint", "ulong", "int", "long"],
        suffix: ["u", "ul", ""],
        head: "inline static {r} {n}({p}) {",
        words: ["opencl", ""],
        ..C
    },
    Syntax {
        name: "WGSL",
        flag: "wgsl",
        types: ["u32", "", "i32", ""],
        suffix: ["u", "", "u"],
        head: "fn {n}({p}) -> {r} {",
        parameter: "{n}: {t}",
        local: "let {n} = {v};",
        several: ["struct {k} {\n{f}}\n", "    {n}: {t},\n", GLSL.several[2]],
        words: ["wgsl", ""],
        ..GLSL
    },
    GLSL,
    Syntax {
        name: "HLSL",
        flag: "hlsl",
        suffix: ["u", "ull", ""],
        several: [CUDA.several[0], C.several[1], "{k} {l} = { {v} };\nreturn {l};"],
        wide_prologue: "",
        words: ["hlsl", ""],
        ..GLSL
    },
    Syntax {
        name: "Metal",
        flag: "msl",
        types: ["uint", "ulong", "int", "long"],
        suffix: ["u", "ul", ""],
        head: "inline {r} {n}({p}) {",
        several: CUDA.several,
        words: ["cpp", "msl"],
        ..C
    },
    Syntax {
        name: "Rust",
        flag: "rust",
        types: ["u32", "u64", "i32", "i64"],
        suffix: ["", "", ""],
        comment: "/// ",
        head: "#[inline]\npub const fn {n}({p}) -> {r} {",
        parameter: "{n}: {t}",
        local: "let {n} = {v};",
        cast: "({v} as {t})",
        several: ["", "", ""],
        unused: "let _ = {n};",
        words: ["rust", ""],
        ..C
    },
    Syntax {
        name: "Python",
        flag: "python",
        types: [""; 4],
        bool: "",
        suffix: [""; 3],
        comment: "# ",
        head: "def {n}({p}):",
        parameter: "{n}",
        local: "{n} = {v}",
        cast: "{v}",
        several: ["", "", "return {v}"],
        unused: "",
        words: ["python", ""],
        ..C
    },
];

impl Syntax {
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
