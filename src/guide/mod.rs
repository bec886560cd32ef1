//! The guide: layouts with a pencil, from the first stride to the types inside.
//!
//! ![A layout of 8 x 12 with nested modes: blocks of blocks, the offset in each
//! cell][layout-nested]
//!
//! The guide is for an engineer who knows Rust and has never seen CuTe. It takes an evening. [Its
//! table][readme] says for each page how long it takes and which features it needs. Each chapter
//! ends with three questions and their answers; answer them on paper before you read on. The box *Try
//! it* in chapter 1 makes a program in which every program of the guide runs.
//!
//! 1. [A layout is a function](chapter_1_a_layout_is_a_function): shape, stride, coordinate, offset
//! 2. [Coalesce and compose](chapter_2_coalesce_and_compose): fewer modes, and one layout after another, by hand
//! 3. [Complement, divide, product](chapter_3_complement_divide_product): what is left free, tiles, and copies
//! 4. [Tensors, tiles and threads](chapter_4_tensors_tiles_and_threads): elements under a layout, and who has which
//! 5. [Swizzles and banks](chapter_5_swizzles_and_banks): shared memory without bank conflicts
//!
//! Then there is the [cookbook], a page for each task, each a program that runs, and [words and
//! spellings](words): a glossary, and what `4`, `{T}`, `int!(4)`, `Int<4>`, `_4` and `N<4>` are. As
//! you need them:
//!
//! - 6: [When it does not compile](chapter_6_when_it_does_not_compile): the rules, the messages, and what to do;
//! - 7: [Inside](chapter_7_inside): the types beside the loops, and why the recipes are right;
//! - [XOR strides](xor_strides): swizzles as strides, and the best layout of shared memory, with a proof;
//! - [Write your own atom](write_your_own_atom): an instruction that copies, and one that multiplies;
//! - [Your first kernel](your_first_kernel): a package with a kernel for a GPU, from `cargo new` on;
//! - [A product on `mma.sync`](a_product_on_mma_sync): `ldmatrix`, `cp.async` and a swizzle, from layouts to tensor cores;
//! - [Recipes for kernels](recipes_for_kernels): reductions, long and short rows, halos, transposes, scans, histograms;
//! - [From `index` to `wgmma`](from_index_to_wgmma): a matrix product for a GPU in six steps, each with its speed;
//! - [from registers to a cluster](from_registers_to_a_cluster): the lines of chapter 4 for blocks, devices and ranks;
//! - [from Python](from_python): the same operations in Python, NumPy's arrays, and notebooks;
//! - the [dictionary]: what CuTe, pycute, Mojo, mdspan, Triton and ndarray call it, and where their answers differ.
//!
//! [readme]: https://github.com/layout-algebra/layout-algebra/blob/main/src/guide/README.md
//!
#![doc = include_str!("pictures/layout-nested.md")]
#![doc = include_str!("pictures/themes.html")]

/// A page: the pictures that its text names, as `cargo run --example pictures` writes them, and the
/// text. On GitHub the names stand for files; here the first definition counts, which is the
/// picture itself. Its colours are those of the theme of the documentation. Names of other pages
/// are files there, and modules here, by `links.md`.
macro_rules! page {
    ($page:ident: $text:literal, $($picture:literal)*) => {
        pub mod $page {
            $(#![doc = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/pictures/", $picture, ".md"))])*
            #![doc = include_str!("links.md")]
            #![doc = include_str!($text)]
            #![doc = include_str!("pictures/themes.html")]
        }
    };
}

page! { chapter_1_a_layout_is_a_function: "a_layout_is_a_function.md",
    "layout" "memory" "layout-blocks" "memory-blocks"
}
page! { chapter_2_coalesce_and_compose: "coalesce_and_compose.md",
    "walk-with-a-carry" "composition-steps" "composition" "composition-tiler" "transpose"
}
page! { chapter_3_complement_divide_product: "complement_divide_product.md",
    "complement-copies" "division-strided" "division" "product-blocked" "product-raked" "inverse-right" "inverse-left"
}
page! { chapter_4_tensors_tiles_and_threads: "tensors_tiles_and_threads.md",
    "threads-cyclic" "threads-blocked" "thread-values" "thread-values-tile" "copy" "mma"
}
page! { chapter_5_swizzles_and_banks: "swizzles_and_banks.md", "banks-8" "banks-8-padded" "swizzle-8" "swizzle" }
page! { chapter_6_when_it_does_not_compile: "when_it_does_not_compile.md",
    "refused-divisibility" "division-rounded" "refused-steps" "refused-carry" "composition-carry" "refused-overlap"
    "refused-rank" "refused-unit-stride"
}
page! { chapter_7_inside: "inside.md", "composition-steps" }
page! { words: "words.md", "layout" }
page! { xor_strides: "xor_strides.md", "swizzle-8" }
page! { write_your_own_atom: "write_your_own_atom.md", "copy" "mma" }
page! { your_first_kernel: "your_first_kernel.md", "transpose" }
page! { a_product_on_mma_sync: "a_product_on_mma_sync.md", "mma" }
page! { recipes_for_kernels: "recipes_for_kernels.md", "transpose" }
page! { from_index_to_wgmma: "from_index_to_wgmma.md",
    "wgmma-banks" "wgmma-units" "wgmma-sums" "wgmma-stages" "wgmma-cluster" "wgmma-fp8" "wgmma-keys" "wgmma-v"
    "wgmma-grouped"
}
page! { from_registers_to_a_cluster: "from_registers_to_a_cluster.md", "threads" }
page! { from_python: "from_python.md", "division" }
page! { dictionary: "dictionary.md", "threads" }

pub mod cookbook {
    //! The cookbook: a page for each task, with programs that run, and compare their answers with
    //! plain loops.
    //!
    //! | page | of the library |
    //! |---|---|
    //! | [From NumPy and ndarray](from_numpy) | their line beside ours: slices, strides, reshapes, tiles |
    //! | [A matrix with const parameters](const_parameters) | `Matrix<const R: usize, const C: usize>` on static layouts |
    //! | [Frames in a ring](frames_in_a_ring) | a stride of 0, a mode without end |
    //! | [Channels in blocks: NCHW to NC/32HW32 and back](channels_in_blocks) | a mode of two modes, `copy_from` |
    //! | [im2col] | modes of equal strides, `gemm` |
    //! | [Morton order](morton_order) | modes of 2, `blocked_product`, `DynLayout` |
    //! | [A parallel transpose with ragged edges](parallel_transpose) | `ragged_tiles_mut`, `into_par_iter` |
    //! | [Move data between two layouts][relayout] | any permutation: the package `layout-relayout` |
    //! | [A stencil with halo](stencil_with_halo) | `window`, tiles that overlap to be read |
    //! | [Images with pitch, and rectangles in them](images) | `slice`, `try_window_mut` |
    //! | [Layouts from a configuration file](configuration_file) | `parse`, `TryFrom`, `serde` |
    //! | [A struct with a tensor in it](struct_with_a_tensor) | the names of types |
    //! | [A generic function](generic_function) | the bounds `Tiled` and `CoordinateIn`, `impl Layout` |
    //! | [Checks of banks and vectors in constants](checks_in_constants) | `analysis` |
    //! | [Without the standard library](without_std) | `no_std` |
    //! | [A WGSL kernel with wgpu](wgsl_with_wgpu) | the package `layout-emit`, `Relayout` |
    //! | [Call it from CUDA C++](call_it_from_cuda) | the package `layout-emit`, `Index`, `Partition` |
    //! | [A layout of bits](layout_of_bits) | nested modes, strides of 0, the package `layout-bits` |
    //! | [A display of one bit a pixel][display] | bytes of 8 rows, `blit`, `flip`: the package `layout-bits` |
    //! | [Weights out of a GGUF or safetensors file][weights] | open, find, dequantize: the package `layout-bits` |
    //!
    //! ![Morton order, one of the pages: blocks of 2 x 2 in blocks of 4 x 4 in blocks of 8 x
    //! 8][morton]
    //!
    //! Back to the [guide](super).
    //!
    //! [display]: https://github.com/layout-algebra/layout-algebra/blob/main/crates/layout-bits/docs/display.md
    //! [weights]: https://github.com/layout-algebra/layout-algebra/blob/main/crates/layout-bits/README.md#weights-out-of-a-file
    //! [relayout]: https://github.com/layout-algebra/layout-algebra/blob/main/crates/layout-relayout/README.md
    //!
    #![doc = include_str!("pictures/morton.md")]
    #![doc = include_str!("pictures/themes.html")]

    page! { from_numpy: "cookbook/from_numpy.md", "division-rows" }
    page! { const_parameters: "cookbook/const_parameters.md", "layout" }
    page! { frames_in_a_ring: "cookbook/frames_in_a_ring.md", "ring" }
    page! { channels_in_blocks: "cookbook/channels_in_blocks.md", "channels-in-blocks" }
    page! { im2col: "cookbook/im2col.md", "im2col" }
    page! { morton_order: "cookbook/morton_order.md", "morton" }
    page! { parallel_transpose: "cookbook/parallel_transpose.md", "transpose" }
    page! { stencil_with_halo: "cookbook/stencil_with_halo.md", "stencil" }
    page! { images: "cookbook/images.md", "image" }
    page! { configuration_file: "cookbook/configuration_file.md", "division" }
    page! { struct_with_a_tensor: "cookbook/struct_with_a_tensor.md", "division-rows" }
    page! { generic_function: "cookbook/generic_function.md", "division-rows" }
    page! { checks_in_constants: "cookbook/checks_in_constants.md", "banks-swizzled" }
    page! { without_std: "cookbook/without_std.md", "sensor" }
    page! { wgsl_with_wgpu: "cookbook/wgsl_with_wgpu.md", "transpose" }
    page! { call_it_from_cuda: "cookbook/call_it_from_cuda.md", "mma" }
    page! { layout_of_bits: "cookbook/layout_of_bits.md", "bits" }
}
