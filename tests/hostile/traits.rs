//! The traits of tensors: safe code cannot implement traits that memory safety relies on, and what
//! it can implement is checked.

use std::cell::Cell;

use layout_algebra::Number;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Space;
use layout_algebra::tensor::{
    Addressable, Contiguous, CoordinateIn, Inner, IntoMemory, Numbering, Partition, Parts,
    PartsMemory, RaggedDivide, Rows, SliceIn, SplitMode, Storage, ThreadValue, Tile, TileMut,
};
use layout_arrays::HasAxes;
use static_assertions::{assert_impl_all, assert_not_impl_any};

use crate::judge::{Complaints, LARGE, QUARTER};

/// A type of the user's own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Liar;

/// What memory relies on is implemented by no type of a user's, nor for one: a layout, a
/// coordinate, a slice, storage, a map behind a layout.
#[test]
fn nothing_of_a_users_own_reaches_memory() {
    type Whole = Layout!((4, 6));
    assert_impl_all!(Whole: Addressable);
    assert_not_impl_any!(Liar: Addressable, Layout, IntTuple, OffsetMap, Number, Storage, Contiguous);
    assert_not_impl_any!(Liar: CoordinateIn<Whole>, SliceIn<Whole>, CoordinateIn<DynLayout>, SliceIn<DynLayout>);
    assert_not_impl_any!((usize, Liar): CoordinateIn<Whole>, SliceIn<Whole>, SliceIn<DynLayout>);
    assert_not_impl_any!(ComposedLayout<Liar, usize, Whole>: Addressable);
    assert_not_impl_any!(ComposedLayout<Whole, usize, Whole>: Addressable);
    assert_not_impl_any!(Identity<Shape!((4, 6))>: Addressable);
    assert_not_impl_any!(Liar: Space, HasAxes, SplitMode<0>, Numbering<Whole>, PartsMemory, ThreadValue);
    // Its own layouts and coordinates are none that memory is reached through.
    assert_impl_all!(Far: Layout, IntoMemory);
    assert_not_impl_any!(Far: Addressable);
    assert_impl_all!(Liar: CoordinateOf<Whole>);
    // A mutable view is no one's to copy, and views of what no thread may share go to no thread.
    assert_not_impl_any!(TileMut<'static, u8>: Clone);
    assert_not_impl_any!(Tensor<TileMut<'static, u8>, Whole>: Clone);
    assert_not_impl_any!(Tile<'static, Cell<u8>>: Send);
    assert_not_impl_any!(TileMut<'static, Cell<u8>>: Sync);
    assert_not_impl_any!(TileMut<'static, std::rc::Rc<u8>>: Send);
    assert_not_impl_any!(Parts<'static, std::rc::Rc<u8>, Whole, Rows>: Send, Sync);
    assert_impl_all!(Parts<'static, Cell<u8>, Whole, Rows>: Send);
}

/// What a liar hands out: a million elements.
type Wild = StridedLayout<(usize, usize), (usize, usize)>;
const WILD: Wild = StridedLayout::new((1000, 1000), (1, 1000));

/// A layout of one element that becomes one of a million.
#[derive(Clone, Copy, Debug)]
struct Far;
impl Layout for Far {
    type Shape = usize;
    type Stride = usize;
    type Coordinate = usize;
    type Coordinates = core::ops::Range<usize>;
    type Offset = usize;
    fn shape(&self) -> usize {
        1
    }
    fn stride(&self) -> usize {
        1
    }
    fn rank(&self) -> usize {
        1
    }
    fn mode_size(&self, _: usize) -> usize {
        1
    }
    fn depth(&self) -> usize {
        0
    }
    fn size(&self) -> usize {
        1
    }
    fn cosize(&self) -> usize {
        1
    }
    fn at(&self, _: usize) -> usize {
        usize::MAX
    }
    fn locate(&self, _: usize) -> usize {
        usize::MAX
    }
    fn coords(&self) -> core::ops::Range<usize> {
        0..usize::MAX
    }
}
impl IntoMemory for Far {
    type InMemory = Wild;
    const REACH: Option<usize> = Some(1);
    fn in_memory(self) -> Result<Wild, LayoutError> {
        Ok(WILD)
    }
}
impl CoordinateOf<Layout!((4, 6))> for Liar {
    fn offset_in(self, _: &Layout!((4, 6))) -> usize {
        usize::MAX
    }
}

/// A layout that says it reaches one element is asked once more when it has become another.
#[test]
fn a_layout_that_becomes_another() {
    let mut memory = [0u64; 4];
    assert!(Tensor::new(&mut memory, Far).is_err());
    let fixed = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| {
        let mut t = Tensor::fixed(&mut memory, Far);
        t[(999, 999)] = 1;
    }));
    assert!(fixed.is_err() && memory == [0; 4]);
    assert!(std::panic::catch_unwind(|| Tensor::fixed([0u64; 4], Far)[(0, 999)]).is_err());
    assert!(Tensor::new(&memory[..], layout!((2, 2))).unwrap().with_layout(Far).is_err());
    assert_eq!(Tensor::filled(Far, 1u8).iter().count(), 1_000_000); // as much memory as it takes
}

/// Operands that say what becomes of a layout: tilers, of which the tiles lie elsewhere.
#[derive(Clone, Copy, Debug)]
struct Wide;
#[derive(Clone, Copy, Debug)]
struct Wider;
type Whole = Layout!((4, 6));
impl ZippedDivide<Wide> for Whole {
    type Output = Wild;
    type Tile = Whole;
    type Rest = Whole;
    fn evaluated(_: Self, _: Wide) -> Result<Wild, LayoutError> {
        Ok(WILD)
    }
    fn tile_and_rest(_: Wild) -> (Whole, Whole) {
        Default::default()
    }
}
impl Compose<Wide> for Whole {
    type Output = Wild;
    fn evaluated(_: Self, _: Wide) -> Result<Wild, LayoutError> {
        Ok(WILD)
    }
}
impl RaggedDivide<Wide> for Whole {
    type Grid = Rows;
    fn grid(&self, _: Wide) -> Result<Rows, LayoutError> {
        Ok(Rows)
    }
}
impl<C> Partition<Wider, Inner<C>> for Whole {
    type Divided = Wild;
    type At = (usize, core::ops::RangeFull);
    type Part = StridedLayout<usize, usize>;
    fn partition(self, _: Wider, _: Inner<C>) -> Result<(Wild, Self::At), LayoutError> {
        Ok((WILD, (999, ..)))
    }
}

/// What an operand of the user's own makes of a layout is looked at before an element is reached.
#[test]
fn operands_that_lead_elsewhere() {
    let mut t = Tensor::new(vec![7u8; 24], Whole::default()).unwrap();
    assert!(t.try_tiles(Wide).is_err() && t.try_tiles_mut(Wide).is_err());
    assert!(t.local_tile(Wide, 0).is_err() && t.local_tile(Wide, 999).is_err());
    assert!(t.outer_partition(Wide, 999).is_err() && t.local_tile_mut(Wide, 999).is_err());
    assert!(t.view().try_compose(Wide).is_err() && t.view().try_zipped_divide(Wide).is_err());
    assert!(t.local_tile(Wider, 0).is_err() && t.local_tile_mut(Wider, 0).is_err());
    // The numbering is the crate's: rows, each once.
    let sums: Vec<u32> =
        t.ragged_tiles_mut(Wide).map(|row| row.iter().map(|x| u32::from(*x)).sum()).collect();
    assert_eq!(sums, [42; 4]);
    for mut tile in t.tiles_mut(tiler!(4, 3)) {
        assert!(tile.view().with_layout(Far).is_err() && tile.view_mut().with_layout(Far).is_err());
    }
}

/// A tiler that is another one each time it is asked.
#[derive(Clone, Debug)]
struct Moody<'a>(&'a Cell<usize>);
impl From<Moody<'_>> for DynTiler {
    fn from(moody: Moody<'_>) -> DynTiler {
        let turn = moody.0.get();
        moody.0.set(turn + 1);
        let all = [
            "<2,3>",
            "<4,6>",
            "<1,1>",
            "4",
            "<2:3,_>",
            "<(2,2):(1,2),_>",
            "<0,1>",
            "(4,6):(9,1)",
            "<8,8>",
            "_",
            "24:0",
            "<_,_,_>",
        ];
        all[turn % all.len()].parse().unwrap()
    }
}

/// A shape that is another one each time it is asked.
#[derive(Clone, Debug)]
struct Fickle<'a>(&'a Cell<usize>, [&'static str; 5]);
impl From<Fickle<'_>> for DynShape {
    fn from(fickle: Fickle<'_>) -> DynShape {
        let turn = fickle.0.get();
        fickle.0.set(turn + 1);
        fickle.1[turn % 5].parse().unwrap()
    }
}

/// Windows and blocks of operands that change their mind are errors, or parts of the tensor and of
/// nothing else.
#[test]
fn windows_that_change_their_mind() {
    let turn = Cell::new(0);
    let (mut errors, mut windows, mut blocks) = (0, 0, 0);
    for round in 0..2000 {
        turn.set(round / 7 + round % 13);
        let layout: DynLayout = "(4,6):(1,4)".parse().unwrap();
        // The tensor is the middle of the memory.
        let mut memory = [0u8; 72];
        {
            let mut t = Tensor::new(&mut memory[24..48], layout).unwrap();
            let origin = Fickle(&turn, ["(0,0)", "(3,5)", "(9,0)", "2", "(1,1)"]);
            let shape = Fickle(&turn, ["(4,6)", "(1,1)", "(2,(1,1))", "(2,2)", "(9,9)"]);
            match t.try_window_mut(origin.clone(), shape.clone()) {
                Ok(mut window) => {
                    window.transform(|x| x + 1);
                    windows += 1;
                }
                Err(_) => errors += 1,
            }
            if let Ok(mut part) = t.try_slice_mut(layout_algebra::Window::new(origin, shape)) {
                part.fill(1);
            }
            let parts =
                t.try_ragged_tiles_mut(Moody(&turn)).into_iter().flatten().collect::<Vec<_>>();
            for mut part in parts {
                part.transform(|x| x + 100);
                blocks += 1;
            }
            assert!(t.iter().all(|x| *x < 200), "an element was in two blocks");
        }
        assert!(memory[..24].iter().chain(&memory[48..]).all(|x| *x == 0), "beyond the tensor");
    }
    assert!(errors > 100 && windows > 100 && blocks > 100, "{errors} {windows} {blocks}");
}

/// Tiles by such a tiler are an error, or tiles of the tensor.
#[test]
fn a_tiler_that_changes_its_answer() {
    let turn = Cell::new(0);
    let (mut errors, mut tiles) = (0, 0);
    for _ in 0..240 {
        let layout: DynLayout = "(4,6):(1,4)".parse().unwrap();
        let mut t = Tensor::new(vec![0u8; 24], layout).unwrap();
        let before = turn.get();
        match t.try_tiles_mut(Moody(&turn)) {
            Ok(parts) => {
                for mut tile in parts {
                    tile.transform(|x| x + 1);
                }
                tiles += 1;
                assert!(t.iter().all(|x| *x <= 1), "an element was in two tiles");
            }
            Err(_) => errors += 1,
        }
        assert!(turn.get() > before);
        match t.local_tile_mut(Moody(&turn), (0, 0)) {
            Ok(mut tile) => tile.fill(3),
            Err(_) => errors += 1,
        }
        assert!(t.iter().all(|x| *x <= 3));
        turn.set(turn.get() + 1);
    }
    assert!(errors > 20 && tiles > 20, "{errors} errors and {tiles} times tiles prove little");
}

/// The modes of a `DynShape` come from an iterator that lies about how many there are.
#[test]
fn an_iterator_that_lies_about_its_length() {
    struct Short(usize);
    impl Iterator for Short {
        type Item = DynShape;
        fn next(&mut self) -> Option<DynShape> {
            self.0 = self.0.checked_sub(1)?;
            Some(DynShape::from(2))
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            (self.0 / 2, Some(self.0 / 2))
        }
    }
    for n in [1, 3, 9, 12] {
        let shape = DynShape::tuple(Short(n)).unwrap();
        assert_eq!((shape.leaves().len(), shape.size()), (n, 1 << n));
        let layout = DynLayout::left(&shape);
        let t = Tensor::new(vec![0u8; 1 << n], layout).unwrap();
        assert_eq!(t.iter().count(), 1 << n);
    }
}

/// Threads that are no permutation, or not there, have no share.
#[test]
fn threads_that_lie() {
    let t = Tensor::new((0..24).collect::<Vec<_>>(), layout!((4, 6))).unwrap();
    let (two, zero, one, three, far, most) = (2, 0, 1, 3, 7, usize::MAX);
    for thread in [0, 1, 3, 4, 5, 6, 7, usize::MAX] {
        for threads in [
            layout!((two, three):(zero, one)),
            layout!((two, three):(one, one)),
            layout!((two, three):(far, one)),
            layout!((two, three):(most, most)),
            layout!((zero, three):(one, one)),
            layout!((most, most):(one, zero)),
        ] {
            assert!(t.local_partition(threads, thread).is_err(), "thread {thread} of {threads}");
        }
        let share = t.local_partition(layout!((two, three):(one, two)), thread);
        assert_eq!(share.is_ok(), thread < 6);
    }
}

/// Where the swizzle leads to the last number there is, no memory ends behind it: the layout is
/// refused, or the tensor is an error.
#[test]
fn a_swizzle_that_leads_to_the_last_number() {
    let swizzle = DynSwizzle::new(1, 0, usize::BITS as i32 - 1).unwrap();
    let mut complaints = Complaints::default();
    for offset in [usize::MAX, usize::MAX - 1, usize::MAX - 2, usize::MAX / 2, usize::MAX / 2 + 1] {
        for extent in [1, 2, 3] {
            let what = || format!("{extent} from {offset} on");
            let layout = complaints
                .calm(what, || ComposedLayout::new(swizzle, offset, layout!((extent, 1))));
            if let Some(layout) = layout {
                let made = std::panic::catch_unwind(|| Tensor::new(vec![7u8; 8], layout).is_err());
                complaints.expect(matches!(made, Ok(true)), || {
                    format!("{}: no error, but {made:?}", what())
                });
            }
            let inner: DynLayout = format!("({extent},1):(1,0)").parse().unwrap();
            if let Some(layout) =
                complaints.calm(what, || ComposedLayout::new(swizzle, offset, inner))
            {
                let made = std::panic::catch_unwind(|| Tensor::new(vec![7u8; 8], layout).is_err());
                complaints.expect(matches!(made, Ok(true)), || {
                    format!("{} at run time: {made:?}", what())
                });
            }
        }
    }
    complaints.done();
}

/// Numbers that leave `usize` on the way are refused where a tensor is made.
#[test]
fn layouts_that_wrap_round() {
    let (root, most) = (LARGE / 2, usize::MAX);
    let numbers =
        [0, 1, 2, 3, root / 2, root, root + 1, LARGE, QUARTER, 2 * QUARTER, most - 1, most];
    let mut made = 0;
    for (m, n) in numbers.iter().flat_map(|m| numbers.iter().map(move |n| (*m, *n))) {
        for (d, e) in numbers.iter().flat_map(|d| numbers.iter().map(move |e| (*d, *e))) {
            let wide = |x: usize| x as u128;
            let empty = m == 0 || n == 0;
            let last = if empty {
                0
            } else {
                (wide(m - 1) * wide(d)).saturating_add(wide(n - 1) * wide(e)).saturating_add(1)
            };
            let fits = empty || (last <= 64 && wide(m) * wide(n) <= wide(usize::MAX));
            let t = Tensor::new(vec![7u8; 64], layout!((m, n):(d, e)));
            assert_eq!(t.is_ok(), fits, "({m},{n}):({d},{e})");
            let Ok(t) = t else { continue };
            made += 1;
            if !empty {
                assert_eq!((t[(m - 1, n - 1)], t.get((m, 0)), t.get((0, n))), (7, None, None));
            }
            assert_eq!(t.get((usize::MAX, usize::MAX)), None);
        }
    }
    assert!(made > 100, "{made} tensors prove little");
}

/// A flip that leads elsewhere, and a slice.
impl layout_algebra::composed::FlipInMemory<0> for Far {
    type InMemory = Wild;
    fn flipped_in_memory(self) -> Result<Wild, Fault> {
        Ok(WILD)
    }
}
impl Slice<Wider> for Whole {
    type Output = Wild;
    fn try_sliced(_: Self, _: Wider) -> Result<(Wild, usize), LayoutError> {
        Ok((WILD, usize::MAX))
    }
}

/// What a liar makes of layouts is a layout: no tensor is flipped or sliced by it.
#[test]
fn flips_and_slices_of_liars_reach_no_memory() {
    assert_eq!(Whole::default().slice(Wider).1, usize::MAX);
    assert_not_impl_any!(Wider: SliceIn<Whole>, CoordinateIn<Whole>);
    assert_not_impl_any!(Far: Addressable);
    let mut memory = [7u8; 24];
    let mut t = Tensor::new(&mut memory, Whole::default()).unwrap();
    assert!(t.view_mut().with_layout(Whole::default().slice(Wider).0).is_err());
    assert!(
        t.view()
            .with_layout(
                layout_algebra::composed::FlipInMemory::<0>::flipped_in_memory(Far).unwrap()
            )
            .is_err()
    );
}

/// An operand of a fragment's loop that has other values than it says, for numbers beyond its size
/// too.
struct Boundless;
impl layout_algebra::atom::ZipOperand for Boundless {
    type Item = usize;
    const SIZE: usize = 4;
    fn item(&self, i: usize) -> Option<usize> {
        (i != 1).then_some(usize::MAX - i)
    }
}

/// A value is written where the fragment has one, and where the operand does.
#[test]
fn an_operand_of_another_size_than_it_says() {
    let mut values = Tensor::fixed([7usize; 4], layout!(4));
    values.zip_values_mut(Boundless, |to, item| *to = item);
    assert_eq!(values.into_storage(), [usize::MAX, 7, usize::MAX - 2, usize::MAX - 3]);
}

/// Public traits of which no answer leads to an element: why, and which.
const NO_WAY_TO_AN_ELEMENT: &[(&str, &[&str])] = &[
    (
        "what they give is a layout, a tiler or a coordinate, which the storage is asked about again",
        &[
            "Flip",
            "Group",
            "ModeOf",
            "Replace",
            "Take",
            "Ungroup",
            "IntoStepped",
            "LayoutTv",
            "MakeLayoutTv",
            "Permutation",
            "TileMode",
            "TiledOperands",
            "TiledTv",
            "HoldsSlice",
            "CutCoordinates",
            "StridesIn",
            "ToDynamic",
            "CompactAtRunTime",
            "StaticLayout",
        ],
    ),
    (
        "they take `Addressable` layouts for `Self` or ask for it, which is a promise",
        &["GemmFragments", "StaticCosize", "CompactLike", "Threads", "TvLayout"],
    ),
    (
        "a method of theirs is unsafe to implement, or has a type that has no public name",
        &["Deals", "OffsetMap", "Bijection", "StaticOffsetMap", "InnerLayout", "ToFlat"],
    ),
    ("the promise is that of another crate: `Pod`", &["ByteSize"]),
    (
        "they are tables, counts, marks and bounds without a method",
        &["HasTable", "Access", "Apart", "IsStep", "IsTiler", "Tiled"],
    ),
    (
        "they stand for what was refused, and end the build",
        &["RejectedCoordinates", "RejectedTile"],
    ),
    ("their super-trait is sealed", &["ThreadValue"]),
];

/// Every public trait is unsafe, sealed, implemented for all types already, implemented by a liar
/// in this folder, or listed above.
#[test]
fn every_public_trait_is_accounted_for() {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => files(&path, found),
                false if path.extension().is_some_and(|extension| extension == "rs") => {
                    found.push(path)
                }
                false => {}
            }
        }
    }
    let code = |folder: &str| {
        let mut all = Vec::new();
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut all);
        let text =
            all.iter().map(|file| fs::read_to_string(file).unwrap()).collect::<Vec<_>>().join("\n");
        text.lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let words = |text: &str| text.split(|c| !is_name(c)).map(str::to_owned).collect::<Vec<_>>();
    let (source, liars) = (code("../src"), code("hostile"));
    // What has a public path: the names behind `pub use` in the root and in the public modules.
    let mut public = BTreeSet::<String>::new();
    for module in ["lib", "tensor/mod", "atom/mod", "analysis/mod", "composed/mod", "strides/mod"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../src/{module}.rs"));
        let text =
            fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        public.extend(
            text.split("pub use ").skip(1).flat_map(|rest| words(rest.split(';').next().unwrap())),
        );
    }
    // `impl<..> NAME<..> for TYPE`: for which types, by the first word.
    let implemented = |text: &str, name: &str| {
        let heads = text.split("\nimpl").skip(1).chain(text.split("\n        impl").skip(1));
        let heads = heads.filter_map(|rest| rest.split(['{', ';']).next()?.split_once(" for "));
        let of_it = heads.filter(|(head, _)| words(head).iter().any(|word| word == name));
        of_it.map(|(_, of)| words(of.trim_start())[0].clone()).collect::<Vec<_>>()
    };
    let listed = |name: &str| NO_WAY_TO_AN_ELEMENT.iter().any(|(_, names)| names.contains(&name));
    let (mut missing, mut counted, mut seen) = (Vec::new(), 0, BTreeSet::new());
    for declaration in source.split("\npub ").skip(1) {
        let declaration = declaration.split('{').next().unwrap();
        let Some(rest) = declaration.strip_prefix("trait ") else {
            counted += usize::from(declaration.starts_with("unsafe trait "));
            continue;
        };
        let name = words(rest)[0].clone();
        if !public.contains(&name) {
            continue;
        }
        counted += 1;
        seen.insert(name.clone());
        let is_sealed = rest.contains("ealed");
        // One letter is a parameter: all types that fit the bounds have it, and no type of a user's
        // can have another.
        let is_blanket = implemented(&source, &name).iter().any(|of| of.len() == 1);
        let is_lied_about = !implemented(&liars, &name).is_empty();
        if !(is_sealed || is_blanket || is_lied_about || listed(&name)) {
            missing.push(name);
        }
    }
    assert!(counted > 80, "only {counted} public traits were found");
    let names = NO_WAY_TO_AN_ELEMENT.iter().flat_map(|(_, names)| *names);
    let stale: Vec<_> = names.filter(|name| !seen.contains(**name)).collect();
    assert!(stale.is_empty(), "listed, and no public traits: {stale:?}");
    assert!(missing.is_empty(), "public traits that no liar implements: {missing:?}");
}
