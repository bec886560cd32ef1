//! The cookbook's pages about emitted code: they show the program that the tests run, and the
//! functions that the crate emits.

use std::fs;
use std::path::PathBuf;

use layout_algebra::prelude::*;
use layout_emit::{Index, Language, Module, NamedLayout, Operand, Partition, RelayoutKernel};

fn text(path: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_page_of_wgpu_has_the_program() {
    let program = text("gpu/src/bin/transpose.rs");
    let (_, program) = program.split_once("\n\n").expect("a head");
    assert!(
        text("../../src/guide/cookbook/wgsl_with_wgpu.md").contains(program),
        "the page has another program"
    );
    assert!(program.lines().count() <= 80);
}

#[test]
fn the_page_of_cuda_calls_what_there_is() {
    let page = text("../../src/guide/cookbook/call_it_from_cuda.md");
    let matrix: NamedLayout = "(m,n):(ld,1)".parse().expect("a layout");
    let tile = Swizzle::<3, 3, 3>::new().compose(layout!((64, 64):(64, 1))).to_dynamic();
    let module = Module::new(Language::Cuda)
        .with(Index::of(&matrix).name("c_at").bounds())
        .with(Index::of(&tile).name("tile_at"))
        .emit()
        .expect("functions");
    let element =
        Partition::of_atom("SM80_16x8x16_F32F16F16F32_TN", Operand::C).expect("an instruction");
    let element = element.name("c_element").emit(Language::Cuda).expect("a function");
    for (code, head, call) in [
        (
            &module,
            "c_at(unsigned int i, unsigned int j, unsigned int m, unsigned int n, unsigned int ld)",
            "c_at(m0 + ",
        ),
        (
            &element,
            "c_element(unsigned int thread, unsigned int value)",
            "c_element(threadIdx.x % 32, value)",
        ),
    ] {
        assert!(code.contains(head) && page.contains(call), "{code}");
    }
    let [from, to] =
        ["(64,256,3136):(802816,3136,1)", "(64,256,3136):(802816,1,256)"].map(|layout| {
            assert!(page.contains(layout));
            layout.parse::<NamedLayout>().expect(layout)
        });
    let kernel = RelayoutKernel::new(&from, &to, 2)
        .expect("a kernel")
        .name("to_channels_last")
        .emit(Language::Cuda);
    assert!(
        kernel
            .expect("a kernel")
            .contains("to_channels_last_launch(const void *from, void *to, cudaStream_t stream)")
    );
}
