//! The laws of the dynamic engine on random layouts, and of the parts that it shares with the
//! static engine: coordinates, the trait, the macros.
#![allow(clippy::type_complexity, reason = "a layout is spelled out where a test is about it")]

mod coordinates;
mod dynamic;
mod eight_modes;
mod fuzz_corpus;
mod identity;
mod macros;
mod one_trait;
mod serial;
mod show;
mod strides;
mod vocabulary;
