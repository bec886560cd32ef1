//! A file of many functions.

use super::Index;
use super::function::Function;
use super::print::{print_file, print_header, type_of_results};
use crate::error::EmitError;
use crate::language::Language;

/// A file of several functions: the common definitions once, then each function.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_emit::{Index, Language, Module};
/// // In a build script the code becomes the file `tiles.rs` in OUT_DIR.
/// let (a, b): (DynLayout, DynLayout) = ("(128,32):(32,1)".parse()?, "(32,128):(1,32)".parse()?);
/// let [a, b] = [Index::of(&a).name("a_tile"), Index::of(&b).name("b_tile")];
/// let module = Module::new(Language::C).with(a).with(b);
/// let code = module.emit()?;
/// assert!(code.starts_with("#include <stdbool.h>\n#include <stdint.h>\n\n"));
/// assert!(code.contains("uint32_t a_tile(") && code.contains("uint32_t b_tile("));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Module {
    language: Language,
    functions: Vec<Index>,
}

impl Module {
    /// A file without functions.
    ///
    /// ```
    /// use layout_emit::{Language, Module};
    /// assert_eq!(Module::new(Language::Rust).emit()?, "");
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn new(language: Language) -> Self {
        Module { language, functions: Vec::new() }
    }
    /// Adds a function.
    ///
    /// ```
    /// use layout_emit::{Index, Language, Module, NamedLayout};
    /// let rows = Index::of("(m,n):(n,1)".parse::<NamedLayout>()?).name("rows");
    /// assert!(Module::new(Language::Python).with(rows).emit()?.contains("def rows(i, j, n):"));
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn with(mut self, function: Index) -> Self {
        self.functions.push(function);
        self
    }
    /// The text of the file.
    ///
    /// # Errors
    /// The errors of [`Index::emit`]; [`EmitError::Input`] if two functions, or a function and a
    /// type of results, have the same name.
    pub fn emit(&self) -> Result<String, EmitError> {
        print_file(&self.functions()?, self.language)
    }
    /// The text of a header of C, CUDA C++ or HIP, which may be included more than once. A header
    /// of CUDA or HIP also compiles with a host compiler such as g++: `LAYOUT_FUNCTION` expands to
    /// the specifiers of a function.
    ///
    /// # Errors
    /// The errors of [`emit`](Self::emit); [`EmitError::Refused`] for languages without headers.
    ///
    /// ```
    /// use layout_emit::{Index, Language, Module, NamedLayout};
    /// let rows = Index::of("(m,n):(n,1)".parse::<NamedLayout>()?).name("rows");
    /// let header = Module::new(Language::Cuda).with(rows.clone()).header()?;
    /// assert!(header.starts_with("#pragma once\n"));
    /// assert!(header.contains("LAYOUT_FUNCTION unsigned int rows(unsigned int i, "));
    /// assert!(Module::new(Language::Wgsl).with(rows).header().is_err());
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn header(&self) -> Result<String, EmitError> {
        print_header(&self.functions()?, self.language)
    }
    fn functions(&self) -> Result<Vec<Function>, EmitError> {
        let functions =
            self.functions.iter().map(Index::function).collect::<Result<Vec<_>, _>>()?;
        let types =
            functions.iter().filter_map(|function| type_of_results(function, self.language));
        let mut names: Vec<String> =
            functions.iter().map(|function| function.name.clone()).chain(types).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return EmitError::input(format!(
                "two functions or types of results have the name `{}`",
                twice[0]
            ));
        }
        Ok(functions)
    }
}
