// error[E0277]: extent N<8589934592> is not a multiple of the span N<3>
use layout_algebra::prelude::*;
use layout_algebra::typenum::Prod;

fn main() {
    type Large = Prod<Int!(65536), Int!(131072)>;
    let _ = <Layout!(Large:1)>::default().logical_divide(int!(3));
}
