//! The attribute `#[kernel]` of `layout-nvidia`, which re-exports it: there is no reason to depend
//! on this crate directly.
//!
//! ```text
//! tokens.rs      token streams
//! function.rs    the signature of a function, and its errors
//! arguments.rs   the arguments of the attribute
//! emit.rs        the expansion
//! ```

mod tokens;

mod arguments;
mod function;

mod emit;

use proc_macro::TokenStream;

/// Documented where it is re-exported: `layout_nvidia::device::kernel`.
#[proc_macro_attribute]
pub fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let whole = item.clone();
    let kernel = function::parse(item).and_then(|function| {
        let arguments = arguments::parse(arguments, &function)?;
        Ok(emit::kernel(&function, &arguments))
    });
    // The function is kept, so that its uses are no further errors.
    kernel.unwrap_or_else(|mistake| match mistake.alone {
        true => mistake.tokens(),
        false => [mistake.tokens(), whole].into_iter().collect(),
    })
}
