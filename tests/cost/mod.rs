//! What layouts cost: no instruction in a program, a budget of the compiler's time, no memory for an index.

mod compile_budget;
mod dynamic_memory;
mod static_cost;
mod tensor_cost;
mod tiled_example;
