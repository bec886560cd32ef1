use layout_algebra::prelude::*;

fn main() {
    let a = layout!((4, 6):(1, 8)).compose(layout!(3:2));
    let b = a.zipped_divide(int!(2));
    println!("{} {}", b.size(), a.coalesce().index((1,)) + a.cosize());
}
