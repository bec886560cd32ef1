//! The guide: layouts with a pencil, from the first stride to the types inside.
//!
//! It is for an engineer who knows Rust and no CuTe, and takes an evening. Each chapter ends with three questions and
//! their answers; do them on paper before you read on.
//!
//! 1. [A layout is a function](chapter_1_a_layout_is_a_function): shape, stride, coordinate, offset
//! 2. [Coalesce and compose](chapter_2_coalesce_and_compose): fewer modes, and one layout after another, by hand
//! 3. [Complement, divide, product](chapter_3_complement_divide_product): what is left free, tiles, and copies
//! 4. [Tensors, tiles and threads](chapter_4_tensors_tiles_and_threads): elements under a layout, and who has which
//! 5. [Swizzles and banks](chapter_5_swizzles_and_banks): the offsets of shared memory exchanged
//! 6. [When it does not compile](chapter_6_when_it_does_not_compile): the rules, the messages, and what to do
//! 7. [Inside](chapter_7_inside): the types beside the loops, and the glossary
//!
//! Then there are
//!
//! - the [cookbook]: a page for each task, each a program that runs;
//! - [from registers to a cluster](from_registers_to_a_cluster): the lines of chapter 4 for blocks, devices and ranks;
//! - the [dictionary]: what CuTe, pycute, Mojo, mdspan, Triton and ndarray call it, and where their answers differ.

pub mod chapter_1_a_layout_is_a_function {
    #![doc = include_str!("a_layout_is_a_function.md")]
}

pub mod chapter_2_coalesce_and_compose {
    #![doc = include_str!("coalesce_and_compose.md")]
}

pub mod chapter_3_complement_divide_product {
    #![doc = include_str!("complement_divide_product.md")]
}

pub mod chapter_4_tensors_tiles_and_threads {
    #![doc = include_str!("tensors_tiles_and_threads.md")]
}

pub mod chapter_5_swizzles_and_banks {
    #![doc = include_str!("swizzles_and_banks.md")]
}

pub mod chapter_6_when_it_does_not_compile {
    #![doc = include_str!("when_it_does_not_compile.md")]
}

pub mod chapter_7_inside {
    #![doc = include_str!("inside.md")]
}

pub mod from_registers_to_a_cluster {
    #![doc = include_str!("from_registers_to_a_cluster.md")]
}

pub mod dictionary {
    #![doc = include_str!("dictionary.md")]
}

pub mod cookbook {
    //! The cookbook: a page for each task. Each is a program that runs, and compares its answer with plain loops.
    //!
    //! | page | of the library |
    //! |---|---|
    //! | [Frames in a ring](frames_in_a_ring) | a stride of 0, a mode without end |
    //! | [Channels in blocks: NCHW to NC/32HW32 and back](channels_in_blocks) | a mode of two modes, `copy_from` |
    //! | [im2col] | modes of equal strides, `gemm` |
    //! | [Morton order](morton_order) | modes of 2, `blocked_product`, `DynLayout` |
    //! | [A parallel transpose with ragged edges](parallel_transpose) | `ragged_tiles_mut`, `into_par_iter` |
    //! | [A stencil with halo](stencil_with_halo) | `window`, tiles that overlap to be read |
    //! | [Images with pitch, and rectangles in them](images) | `slice`, `try_window_mut` |
    //! | [Layouts from a configuration file](configuration_file) | `parse`, `TryFrom`, `serde` |
    //! | [A struct with a tensor in it](struct_with_a_tensor) | the names of types |
    //! | [A generic function](generic_function) | the bounds `Tiled` and `Injective` |
    //! | [Checks of banks and vectors in constants](checks_in_constants) | `analysis` |
    //! | [Without the standard library](without_std) | `no_std` |
    //!
    //! Back to the [guide](super).

    pub mod frames_in_a_ring {
        #![doc = include_str!("cookbook/frames_in_a_ring.md")]
    }

    pub mod channels_in_blocks {
        #![doc = include_str!("cookbook/channels_in_blocks.md")]
    }

    pub mod im2col {
        #![doc = include_str!("cookbook/im2col.md")]
    }

    pub mod morton_order {
        #![doc = include_str!("cookbook/morton_order.md")]
    }

    pub mod parallel_transpose {
        #![doc = include_str!("cookbook/parallel_transpose.md")]
    }

    pub mod stencil_with_halo {
        #![doc = include_str!("cookbook/stencil_with_halo.md")]
    }

    pub mod images {
        #![doc = include_str!("cookbook/images.md")]
    }

    pub mod configuration_file {
        #![doc = include_str!("cookbook/configuration_file.md")]
    }

    pub mod struct_with_a_tensor {
        #![doc = include_str!("cookbook/struct_with_a_tensor.md")]
    }

    pub mod generic_function {
        #![doc = include_str!("cookbook/generic_function.md")]
    }

    pub mod checks_in_constants {
        #![doc = include_str!("cookbook/checks_in_constants.md")]
    }

    pub mod without_std {
        #![doc = include_str!("cookbook/without_std.md")]
    }
}
