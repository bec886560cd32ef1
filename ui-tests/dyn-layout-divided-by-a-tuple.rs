use layout_algebra::prelude::*;

fn main() {
    let l: DynLayout = "(4,6):(1,4)".parse().unwrap();
    println!("{}", l.zipped_divide((2, 3)).unwrap());
}
