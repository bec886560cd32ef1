// error[E0277]: cannot divide: extent N<8589934592> is not a multiple of N<3>, what the tile spans
use layout_algebra::prelude::*;
use layout_algebra::typenum::Prod;

fn main() {
    type Large = Prod<Int!(65536), Int!(131072)>;
    let _ = <Layout!(Large:1)>::default().logical_divide(int!(3));
}
