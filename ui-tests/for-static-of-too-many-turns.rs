use layout_algebra::for_static;

fn main() {
    let mut sum = 0;
    for_static!(K in 0..100_000, {
        sum += K;
    });
    assert_eq!(sum, 6);
}
