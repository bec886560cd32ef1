//! Kernels whose views have layouts, run on whatever GPU there is, Mesa's software one included, at
//! every coordinate.

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
use layouts::{Oracle, Random, seed};

type Client = ComputeClient<WgpuRuntime>;

fn client() -> Client {
    WgpuRuntime::client(&Default::default())
}
fn array(client: &Client, numbers: &[u32]) -> ArrayArg<WgpuRuntime> {
    // SAFETY: the buffer has as many numbers.
    unsafe {
        ArrayArg::from_raw_parts(client.create_from_slice(u32::as_bytes(numbers)), numbers.len())
    }
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

fn gathered(layout: &Oracle, argument: Argument<Coords1d>) -> Vec<u32> {
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
    let seed = seed();
    println!("layouts of EMIT_SEED={seed}");
    let mut random = Random(seed);
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
fn transpose(
    from: View<u32, Coords2d>,
    mut to: View<u32, Coords2d, ReadWrite>,
    #[comptime] tile: Argument<Coords2d>,
) {
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
        let (from, to) =
            (layout!((rows, columns):(columns, 1)), layout!((rows, columns):(1, rows)));
        let target = client.empty(4 * rows * columns);
        let view = |array, layout| ViewArg::new_array::<CubeLayout<Coords2d>>(array, layout);
        // SAFETY: both arrays have an element for each coordinate.
        unsafe {
            transpose::launch_unchecked::<WgpuRuntime>(
                &client,
                CubeCount::new_2d(rows.div_ceil(32) as u32, columns.div_ceil(32) as u32),
                CubeDim::new_2d(32, 8),
                view(array(&client, &memory), Argument::of(&from).expect("a layout")),
                view(
                    ArrayArg::from_raw_parts(target.clone(), rows * columns),
                    Argument::of(&to).expect("a layout"),
                ),
                tile.clone(),
            );
        }
        let found = read(&client, target);
        for i in 0..from.size() {
            assert_eq!(found[to.index(i)], memory[from.index(i)], "{rows} x {columns} at {i}");
        }
    }
}

/// `to[i] = from[(i % rows, i / rows)]` of a view of two coordinates.
#[cube(launch_unchecked)]
fn gather_by_mode(from: View<u32, Coords2d>, to: &mut Array<u32>) {
    let i = ABSOLUTE_POS;
    if i < to.len() {
        let (rows, _columns) = from.shape();
        let i = i as u32;
        to[i as usize] = from[(i % rows, i / rows)];
    }
}

#[test]
fn views_of_two_coordinates_have_the_offsets_of_their_layouts() {
    let mut random = Random(seed() + 1);
    let client = client();
    let mut count = 0;
    while count < 40 {
        let layout = layouts::layout(&mut random);
        let inner = layout.inner();
        if inner.size() == 0 || inner.rank() != 2 || layout.room() >= 1 << 16 {
            continue;
        }
        let lo = layout.reach().0;
        let argument = match &layout {
            Oracle::Plain(plain) => Argument::of(plain),
            Oracle::Swizzled(swizzled) => Argument::of(swizzled),
        };
        let argument: Argument<Coords2d> =
            argument.unwrap_or_else(|error| panic!("{}: {error}", layout.named()));
        let memory: Vec<u32> = (0..layout.room() as u32).map(|n| n + 1).collect();
        let to = client.empty(4 * inner.size());
        let from = ViewArg::new_array::<CubeLayout<Coords2d>>(array(&client, &memory), argument);
        // SAFETY: the memory is as long as the layout reaches, and the array has a number for each
        // coordinate.
        unsafe {
            gather_by_mode::launch_unchecked::<WgpuRuntime>(
                &client,
                CubeCount::new_1d(inner.size().div_ceil(64) as u32),
                CubeDim::new_1d(64),
                from,
                ArrayArg::from_raw_parts(to.clone(), inner.size()),
            );
        }
        let expected: Vec<u32> =
            (0..inner.size()).map(|i| (layout.at(i) - lo) as u32 + 1).collect();
        assert_eq!(read(&client, to), expected, "{}", layout.named());
        count += 1;
    }
}

/// A constant of a kernel may have numbers of run time: the kernel is one for these numbers.
#[cube(launch_unchecked)]
fn fill(to: &mut Array<u32>, #[comptime] tile: Argument<Coords2d>) {
    let mut to = to.view_mut(CubeLayout::<Coords2d>::constant(tile));
    let place = (UNIT_POS_X, UNIT_POS_Y);
    if to.is_in_bounds(place) {
        to[place] = UNIT_POS_X * 100 + UNIT_POS_Y;
    }
}

#[test]
fn a_constant_may_have_numbers_of_run_time() {
    let client = client();
    for columns in [3, 5] {
        let layout = layout!((4, columns):(columns, 1));
        let to = client.empty(4 * 4 * columns);
        let size = CubeDim::new_2d(4, 6);
        let tile = Argument::of(&layout).expect("a layout");
        // SAFETY: the array has an element for each coordinate.
        unsafe {
            let array = ArrayArg::from_raw_parts(to.clone(), 4 * columns);
            fill::launch_unchecked::<WgpuRuntime>(
                &client,
                CubeCount::new_single(),
                size,
                array,
                tile,
            );
        }
        let found = read(&client, to);
        for (i, j) in (0..4).flat_map(|i| (0..columns).map(move |j| (i, j))) {
            assert_eq!(found[i * columns + j], (100 * i + j) as u32, "{columns} columns");
        }
    }
}

/// What does not fit a view is refused where its argument is made, before any kernel.
#[test]
fn arguments_that_are_no_views_are_refused() {
    let refused = |text: &str| {
        let layout = text.parse::<DynLayout>().expect(text);
        Argument::<Coords2d>::of(&layout).expect_err(text).to_string()
    };
    assert!(refused("(4,6):(1,5000000000)").contains("beyond 32 bits"));
    let broadcast = "(65536,65536):(0,0)".parse::<DynLayout>().expect("a layout");
    let error =
        Argument::<Coords1d>::of(&broadcast).expect_err("too many to be counted").to_string();
    assert!(error.contains("beyond 32 bits: 4294967296"), "{error}");
    assert!(Argument::<Coords2d>::of(&broadcast).is_ok());
    assert!(refused("(4,0):(1,4)").contains("no coordinate"));
    for text in ["(4,6,2):(1,4,24)", "(2,2,2,2):(-1,2,4,8)", "24:1"] {
        let modes = text.parse::<DynLayout>().expect(text).rank();
        assert_eq!(
            refused(text),
            format!("{text} has {modes} modes, and a coordinate of the view 2 numbers")
        );
    }
    let swizzled =
        "Sw<1,0,1> o 0 o (4,2,2):(1,4,8)".parse::<DynComposedLayout>().expect("a layout");
    assert!(
        Argument::<Coords2d>::constant(&swizzled)
            .expect_err("3 modes")
            .to_string()
            .contains("3 modes")
    );
}
