//! Recipes.
pub mod transpose;
