use layout_draw::Draw;

fn main() {
    (4, 6).draw(layout_draw::ColorBy::Offset).unwrap();
}
