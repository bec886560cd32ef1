//! What layouts cost: no instruction in a program, a budget of the compiler's time, no memory for
//! an index.

mod compile_budget;
mod dynamic_memory;
mod static_cost;
mod tensor_cost;
mod tiled_example;

/// All that stands on the one build of the library in release mode: a single test, so that others
/// run beside it where several would wait for that build together.
#[test]
fn in_release_mode() {
    static_cost::instructions();
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    tensor_cost::no_check_is_left_in_loops_over_the_extents();
    #[cfg(target_arch = "x86_64")]
    tensor_cost::copies_by_vectors_are_the_loop_by_hand();
    tiled_example::large_ragged_sizes();
}
