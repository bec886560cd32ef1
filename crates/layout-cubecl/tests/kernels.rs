//! Kernels whose views have layouts, run on whatever GPU there is, Mesa's software one included, at every coordinate.

use cubecl::prelude::*;
use cubecl::wgpu::WgpuRuntime;
use cubecl_std::tensor::launch::ViewArg;
use cubecl_std::tensor::layout::{Coords1d, Coords2d};
use cubecl_std::tensor::{AsViewMut, AsViewMutExpand, View};
use layout_algebra::prelude::*;
use layout_cubecl::{Argument, CubeLayout};

#[path = "../../layout-emit/tests/run/layouts.rs"]
#[allow(dead_code, reason = "the functions of its layouts are another test's")]
mod layouts;
use layouts::{Oracle, Random};

type Client = ComputeClient<WgpuRuntime>;

fn client() -> Client {
    WgpuRuntime::client(&Default::default())
}
fn array(client: &Client, numbers: &[u32]) -> ArrayArg<WgpuRuntime> {
    // SAFETY: the buffer has as many numbers.
    unsafe { ArrayArg::from_raw_parts(client.create_from_slice(u32::as_bytes(numbers)), numbers.len()) }
}
fn read(client: &Client, handle: cubecl::server::Handle) -> Vec<u32> {
    u32::from_bytes(&client.read_one_unchecked(handle)).to_vec()
}

/// `to[i] = from[i]` of a view, and behind all coordinates what a checked read gives there.
#[cube(launch_unchecked)]
fn gather(from: View<u32, Coords1d>, to: &mut Array<u32>) {
    let i = ABSOLUTE_POS;
    if i < to.len() {
        to[i] = if i < from.shape() { from[i] } else { from.read_checked(i) + 7u32 };
    }
}

fn gathered(layout: &Oracle, argument: Argument) -> Vec<u32> {
    let client = client();
    let memory: Vec<u32> = (0..layout.room() as u32).map(|n| n + 1).collect();
    let size = layout.inner().size() + 3;
    let to = client.empty(4 * size);
    let from = ViewArg::new_array::<CubeLayout<Coords1d>>(array(&client, &memory), argument);
    let cubes = CubeCount::new_1d(size.div_ceil(64) as u32);
    // SAFETY: the memory is as long as the layout reaches, and the array has `size` numbers.
    unsafe {
        gather::launch_unchecked::<WgpuRuntime>(
            &client,
            cubes,
            CubeDim::new_1d(64),
            from,
            ArrayArg::from_raw_parts(to.clone(), size),
        );
    }
    read(&client, to)
}

#[test]
fn views_have_the_offsets_of_their_layouts() {
    let mut random = Random(9);
    let (mut count, mut kinds) = (0, [0; 2]);
    while count < 60 {
        let layout = layouts::layout(&mut random);
        let (lo, hi) = if layout.inner().size() > 0 { layout.reach() } else { continue };
        if hi - lo >= 1 << 16 {
            continue;
        }
        let (of, constant) = match &layout {
            Oracle::Plain(plain) => (Argument::of(plain), Argument::constant(plain)),
            Oracle::Swizzled(swizzled) => (Argument::of(swizzled), Argument::constant(swizzled)),
        };
        let expected = (0..layout.inner().size()).map(|i| (layout.at(i) - lo) as u32 + 1);
        let expected: Vec<u32> = expected.chain([7; 3]).collect();
        for (kind, argument) in [of, constant].into_iter().enumerate() {
            let argument = argument.unwrap_or_else(|error| panic!("{}: {error}", layout.named()));
            assert_eq!(gathered(&layout, argument), expected, "{}", layout.named());
            kinds[kind] += 1;
        }
        count += 1;
    }
    println!("{} layouts as arguments, {} as constants", kinds[0], kinds[1]);
}

/// A transpose of tiles of 32 x 32 through shared memory, whose layout is a constant of the kernel.
#[cube(launch_unchecked)]
fn transpose(from: View<u32, Coords2d>, mut to: View<u32, Coords2d, ReadWrite>, #[comptime] tile: Argument) {
    let mut memory = SharedMemory::<u32>::new(1024usize);
    let mut tile = memory.view_mut(CubeLayout::<Coords2d>::constant(tile));
    let (row, column) = (CUBE_POS_X * 32, CUBE_POS_Y * 32);
    for k in 0..4u32 {
        let i = UNIT_POS_Y + 8 * k;
        let place = (row + i, column + UNIT_POS_X);
        if from.is_in_bounds(place) {
            tile[(i, UNIT_POS_X)] = from[place];
        }
    }
    sync_cube();
    for k in 0..4u32 {
        let j = UNIT_POS_Y + 8 * k;
        let place = (row + UNIT_POS_X, column + j);
        if to.is_in_bounds(place) {
            to[place] = tile[(UNIT_POS_X, j)];
        }
    }
}

#[test]
fn a_tile_of_shared_memory_is_swizzled() {
    let client = client();
    let tile = Swizzle::<5, 0, 5>::new().compose(layout!((32, 32):(32, 1)));
    let tile = Argument::constant(&tile).expect("a layout");
    // Of any size: both are arguments of one kernel.
    for (rows, columns) in [(64, 96), (50, 70), (1, 33)] {
        let memory: Vec<u32> = (0..(rows * columns) as u32).collect();
        let (from, to) = (layout!((rows, columns):(columns, 1)), layout!((rows, columns):(1, rows)));
        let target = client.empty(4 * rows * columns);
        let view = |array, layout| ViewArg::new_array::<CubeLayout<Coords2d>>(array, layout);
        // SAFETY: both arrays have an element for each coordinate.
        unsafe {
            transpose::launch_unchecked::<WgpuRuntime>(
                &client,
                CubeCount::new_2d(rows.div_ceil(32) as u32, columns.div_ceil(32) as u32),
                CubeDim::new_2d(32, 8),
                view(array(&client, &memory), Argument::of(&from).expect("a layout")),
                view(ArrayArg::from_raw_parts(target.clone(), rows * columns), Argument::of(&to).expect("a layout")),
                tile.clone(),
            );
        }
        let found = read(&client, target);
        for i in 0..from.size() {
            assert_eq!(found[to.index(i)], memory[from.index(i)], "{rows} x {columns} at {i}");
        }
    }
}

#[test]
fn numbers_beyond_32_bits_are_refused() {
    let error = Argument::of(&"(4,6):(1,5000000000)".parse::<DynLayout>().expect("a layout")).expect_err("too far");
    assert!(error.to_string().contains("beyond 32 bits"), "{error}");
    let error = Argument::of(&"(4,0):(1,4)".parse::<DynLayout>().expect("a layout")).expect_err("empty");
    assert!(error.to_string().contains("no coordinate"), "{error}");
}
