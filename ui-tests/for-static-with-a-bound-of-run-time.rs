use layout_algebra::for_static;

fn main() {
    let n = 4;
    let mut sum = 0;
    for_static!(K in 0..n, {
        sum += K;
    });
    assert_eq!(sum, 6);
}
