// Random threads and values, both permutations, and a tensor of a few tiles. The atom's vector
// divides the mode of values that counts fastest.
table! {
    random_00: 1, ((2, 3):(1, 2)), ((1, 4):(1, 1)), ((4, 12));
    random_01: 1, ((4, 8):(8, 1)), ((3, 1):(1, 1)), ((12, 24));
    random_02: 1, ((1, 3):(3, 1)), ((2, 1):(1, 2)), ((6, 6));
    random_03: 1, ((3, 3):(3, 1)), ((3, 1):(1, 3)), ((27, 6));
}
#[cfg(feature = "thorough")]
table! {
    random_04: 3, ((2, 4):(1, 2)), ((3, 1):(1, 1)), ((18, 8));
    random_05: 1, ((8, 2):(2, 1)), ((4, 4):(4, 1)), ((96, 16));
    random_06: 3, ((2, 3):(3, 1)), ((3, 1):(1, 1)), ((6, 3));
    random_07: 1, ((3, 2):(2, 1)), ((2, 1):(1, 1)), ((12, 2));
    random_08: 3, ((3, 4):(1, 3)), ((3, 2):(1, 3)), ((18, 8));
    random_09: 1, ((8, 8):(8, 1)), ((2, 1):(1, 1)), ((32, 8));
}
