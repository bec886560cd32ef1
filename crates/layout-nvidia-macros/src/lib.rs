//! The attribute `#[kernel]` of `layout-nvidia`, which re-exports it: there is no reason to depend
//! on this crate directly.
//!
//! ```text
//! tokens.rs      where a type ends, and what belongs into a group
//! function.rs    the head of a function, and every mistake in it
//! arguments.rs   what stands in the parentheses of the attribute
//! emit.rs        what is made of both
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
    // One mistake, one error: the function stays, so that what names it finds it.
    kernel.unwrap_or_else(|mistake| match mistake.alone {
        true => mistake.tokens(),
        false => [mistake.tokens(), whole].into_iter().collect(),
    })
}
