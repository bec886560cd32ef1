use layout_algebra::tensor::elem_less;

fn main() {
    assert!(elem_less((1, 2), (3, (4, 5))));
}
