//! Dot products of one thread. CuTe's `mma_traits_sm61.hpp`.

instructions! {
[1 x 1 x 4, 1:0, A (1, 4):(0, 1), B (1, 4):(0, 1), C (1, 1):(0, 0)] {
    SM61_DP4A (i32: i8, i8; Wrapped; dp4a);
}
[1 x 1 x 2, 1:0, A (1, 2):(0, 1), B (1, 2):(0, 1), C (1, 1):(0, 0)] {
    SM61_DP2A (i32: i16, i16; Wrapped; dp2a);
}
}
