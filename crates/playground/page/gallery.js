// Where to begin. `say` is one sentence for whoever is new; the rest is state.
const GALLERY = [
    ["Textbook", [
        { title: "Column-major", text: "(4,6):(1,4)" },
        { title: "Row-major", text: "(4,6):(6,1)" },
        { title: "Padded rows", text: "(4,6):(8,1)", memory: "1" },
        { title: "Nested modes", text: "((2,2),(2,3)):((1,4),(2,8))", cells: "coordinate" },
        { title: "Tiles of 2 x 3", text: "(4,6):(1,4).zipped_divide(<2,3>)" },
        { title: "Composition", text: "(4,6):(1,4) o (2,6):(2,1)" },
        { title: "Blocked product", text: "(2,2):(1,2).blocked_product((3,4):(1,3))" },
        { title: "Raked product", text: "(2,2):(1,2).raked_product((3,4):(1,3))" },
        { title: "Complement", text: "(2,2):(1,6).complement(24)" },
        { title: "Inverse", text: "(4,6):(6,1).right_inverse()" },
    ]],
    ["Refused", [
        { title: "A tile that does not fit", text: "(4,6):(1,4).zipped_divide(<2,4>)" },
        { title: "Steps that do not divide", text: "(4,6):(1,10) o 5:2" },
        { title: "A carry across modes", text: "(4,6):(1,8) o (2,2):(3,1)" },
    ]],
    ["Threads", [
        { title: "128 x 128 on 256 threads", text: "((16,16),(8,8)):((8,1024),(1,128)).thread_value_table((128,128))" },
        { title: "Copy: 4 values a thread", text: "((8,32),4):((4,32),1).thread_value_table((32,32))" },
        { title: "sm80 16x8x16: A, B and C", text: "mma(SM80_16x8x16_F32F16F16F32_TN)" },
        { title: "sm80 16x8x16, C", text: "((4,8),(2,2)):((32,1),(16,8)).thread_value_table((16,8))" },
        { title: "sm90 64x64, C", text: "((4,8,4),(2,2,8)):((128,1,16),(64,8,512)).thread_value_table((64,64))" },
    ]],
    ["Shared memory", [
        { title: "A column, 32-way conflict", text: "(32,32):(32,1).bank_conflicts((32,1):(1,0),32,32)" },
        { title: "Padded", text: "(32,32):(33,1).bank_conflicts((32,1):(1,0),32,32)" },
        { title: "Swizzled", text: "Sw<5,0,5> o 0 o (32,32):(32,1).bank_conflicts((32,1):(1,0),32,32)" },
        { title: "128-byte swizzle of halves", text: "Sw<3,3,3> o 0 o (8,64):(64,1)", colour: "bank", bits: "16" },
        { title: "Swizzled tile, 64 x 64", text: "Sw<3,3,3> o 0 o (8,64):(64,1).tile_to_shape((64,64))", colour: "bank", bits: "16" },
    ]],
    ["Orders and views", [
        { title: "Morton order", text: "((2,2,2),(2,2,2)):((1,4,16),(2,8,32))" },
        { title: "im2col, 3 x 3 in 8 x 8", text: "((3,3),(6,6)):((1,8),(1,8))" },
        { title: "Block-cyclic, 4 processes", text: "(4,(2,4)):(2,(1,8)).thread_value_table(32)" },
        { title: "NCHW to NHWC", text: "(2,3,4,4):(48,16,4,1).select((0,2,3,1))", down: "0.1" },
        { title: "A tensor of rank 3, in memory", text: "(4,5,3):(1,4,20)", down: "0.2", memory: "1" },
        { title: "256 x 256", text: "(256,256):(256,1).zipped_divide(<32,16>)" },
        { title: "A million elements", text: "(1024,1024):(1,1024)" },
    ]],
];
