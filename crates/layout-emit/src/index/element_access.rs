//! Elements of less than a word in a buffer of words, for WGSL, which has no type for them.

use super::Index;
use crate::error::EmitError;
use crate::language::Language;

/// Functions in WGSL that read and write an element of 1 or 2 bytes at a coordinate, in a buffer
/// that is an array of words. The lowest bits of a word are its first element, as in memory.
///
/// Law: `NAME_load(c)` is the element at the offset of `c`. After `NAME_store(c, x)` this element
/// is the lowest bits of `x`, and all other elements are unchanged, even if other threads write
/// them concurrently.
///
/// ```
/// use layout_emit::{ElementAccess, Index, NamedLayout};
/// let image: NamedLayout = "(64,48):(48,1)".parse()?;
/// let index = Index::of(image).coordinates(["y", "x"]).name("pixel");
/// let code = ElementAccess::new(index, "pixels", 1)?.emit()?;
/// assert!(code.ends_with("\
/// // The element of 1 byte at (y, x): `pixels` is a global variable of the type array<u32>.
/// fn pixel_load(y: u32, x: u32) -> u32 {
///     let at = pixel(y, x);
///     return extractBits(pixels[at / 4u], at % 4u * 8u, 8u);
/// }
/// "), "{code}");
/// # Ok::<(), layout_emit::EmitError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ElementAccess {
    index: Index,
    buffer: String,
    bytes: usize,
    writes: bool,
}

impl ElementAccess {
    /// Access to elements of 1 or 2 bytes, at the offsets of this index, in the global variable
    /// `buffer`.
    ///
    /// # Errors
    /// [`EmitError::Input`] if an element does not have 1 or 2 bytes.
    ///
    /// ```
    /// use layout_emit::{ElementAccess, Index, NamedLayout};
    /// let index = Index::of("(4,6)".parse::<NamedLayout>()?);
    /// let error = ElementAccess::new(index, "buffer", 4).unwrap_err();
    /// assert_eq!(error.to_string(), "elements of 1 or 2 bytes lie in words, and not of 4");
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn new(index: Index, buffer: &str, bytes: usize) -> Result<Self, EmitError> {
        if !matches!(bytes, 1 | 2) {
            return EmitError::input(format!(
                "elements of 1 or 2 bytes lie in words, and not of {bytes}"
            ));
        }
        Ok(ElementAccess { index, buffer: buffer.into(), bytes, writes: false })
    }
    /// Adds a store function. The buffer then has the type `array<atomic<u32>>`, since two threads
    /// may write elements of one word.
    ///
    /// ```
    /// use layout_emit::{ElementAccess, Index, NamedLayout};
    /// let index = Index::of("(4,6):(6,1)".parse::<NamedLayout>()?).name("at");
    /// let code = ElementAccess::new(index, "bytes", 2)?.writing().emit()?;
    /// assert!(code.contains("fn at_store(i: u32, j: u32, element: u32) {"), "{code}");
    /// assert!(code.contains("atomicOr(&bytes[at_ / 2u], "), "{code}");
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn writing(mut self) -> Self {
        self.writes = true;
        self
    }

    /// The index function, followed by the functions that load and store.
    ///
    /// # Errors
    /// The errors of [`Index::emit`]; [`EmitError::Input`] if the index is an inverse or has
    /// bounds, or the buffer's name is already used; [`EmitError::Refused`] if offsets may be
    /// negative.
    pub fn emit(&self) -> Result<String, EmitError> {
        let function = self.index.function()?;
        let text = self.index.emit(Language::Wgsl)?;
        let (name, buffer, each) = (&function.name, &self.buffer, 4 / self.bytes);
        let is_offset = function.values.len() == 1 && function.values[0].0 == "offset";
        if !is_offset || function.inside.is_some() {
            return EmitError::input(
                "an element is at an offset: the index is neither a way back nor with bounds",
            );
        }
        if function.signed || function.inputs.iter().any(|input| input.1) {
            return EmitError::refused(
                "offsets of this index may be negative, and no element lies there",
            );
        }
        let functions = [format!("{name}_load"), format!("{name}_store")];
        Language::Wgsl.check_function(buffer)?;
        functions.iter().try_for_each(|name| Language::Wgsl.check_function(name))?;
        let arguments: Vec<_> = function.inputs.iter().map(|input| input.0.clone()).collect();
        let mut own: Vec<_> = arguments.iter().chain(&functions).chain([name]).collect();
        if own.contains(&buffer) {
            return EmitError::input(format!(
                "`{buffer}` is the name of the buffer and of something else"
            ));
        }
        own.push(buffer);
        // Unused names.
        let free = |begin: &str| {
            let mut name = begin.to_string();
            while own.iter().any(|other| **other == name) {
                name += "_";
            }
            name
        };
        let (at, element) = (free("at"), free("element"));
        let word = free("shift");
        let typed: Vec<_> = arguments.iter().map(|name| format!("{name}: u32")).collect();
        let (typed, call) = (typed.join(", "), format!("{name}({})", arguments.join(", ")));
        let (bits, load) = (8 * self.bytes, &functions[0]);
        let (kind, read) = match self.writes {
            true => ("array<atomic<u32>>", format!("atomicLoad(&{buffer}[{at} / {each}u])")),
            false => ("array<u32>", format!("{buffer}[{at} / {each}u]")),
        };
        let size = if self.bytes == 1 { "1 byte" } else { "2 bytes" };
        let tuple = match &arguments[..] {
            [one] => one.clone(),
            _ => format!("({})", arguments.join(", ")),
        };
        let mut text = format!(
            "{text}\n// The element of {size} at {tuple}: `{buffer}` is a global variable of the type {kind}.\n\
             fn {load}({typed}) -> u32 {{\n    let {at} = {call};\n    \
             return extractBits({read}, {at} % {each}u * {bits}u, {bits}u);\n}}\n"
        );
        if self.writes {
            let (store, most) = (&functions[1], (1_u64 << bits) - 1);
            text += &format!(
                "\n// Makes the lowest bits of `{element}` that element.\n\
                 fn {store}({typed}, {element}: u32) {{\n    let {at} = {call};\n    \
                 let {word} = {at} % {each}u * {bits}u;\n    \
                 atomicAnd(&{buffer}[{at} / {each}u], ~({most}u << {word}));\n    \
                 atomicOr(&{buffer}[{at} / {each}u], ({element} & {most}u) << {word});\n}}\n"
            );
        }
        Ok(text)
    }
}
