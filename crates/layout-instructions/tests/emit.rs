//! The table of atoms of `layout-emit`: its layouts are those of the instructions here.

use std::fmt::Write;
use std::path::Path;

use layout_instructions::{Instruction, Visitor, mma};

struct Rows(String);
impl Visitor for Rows {
    fn visit_instruction<I: Instruction>(&mut self) {
        let (a, b, c) = (I::ALayout::default(), I::BLayout::default(), I::CLayout::default());
        let _ = writeln!(self.0, "{} {} {} {} {a:#} {b:#} {c:#}", I::NAME, I::M, I::N, I::K);
    }
}

#[test]
fn the_table_of_layout_emit_is_this_catalogue() {
    let mut rows = Rows(String::new());
    mma::visit_all(&mut rows);
    mma::gmma::visit_all(&mut rows);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../layout-emit/src/atoms.txt");
    if std::env::var_os("EMIT_UPDATE").is_some() {
        std::fs::write(&path, &rows.0).expect("written");
    }
    let table = std::fs::read_to_string(&path).expect("the table");
    assert!(table == rows.0, "EMIT_UPDATE=1 writes {}", path.display());
}
