use layout_algebra::draw;

fn main() {
    draw::layout(&(4, 6), draw::ColorBy::Offset).unwrap();
}
