//! The mutable paths to the elements of one tensor. Each element is a number that its owner writes;
//! a plain vector beside the tensor, and offsets from the formula
//! `offset = swizzle(begin + sum c_k * d_k)`, say after every step what each element has to be. A
//! step that the crate takes changes the elements of its part, each exactly once, and no other.

use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_algebra::tensor::{
    Addressable, Contiguous, CoordinateIn, Exclusive, Numbering, PartsOf, SameShape, SliceIn,
    StorageMut, TileMut,
};
use rayon::prelude::*;

/// Reads choices from the fuzzer's bytes; 0 when they are used up.
struct Choices<'a> {
    bytes: &'a [u8],
    /// How many elements were written and compared.
    written: usize,
}

impl Choices<'_> {
    fn below(&mut self, end: usize) -> usize {
        let Some((&first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(first) % end
    }
}

/// A mode: its leaves, each an extent and a stride.
type Mode = Vec<(usize, usize)>;

/// What a part is, independent of the crate: its modes, where it begins, and the swizzle over all.
#[derive(Clone, Debug)]
struct Model {
    begin: usize,
    modes: Vec<Mode>,
    /// How many bits, from which one on, are changed by the bits how far above.
    swizzle: Option<(u32, u32, u32)>,
}

impl Model {
    /// The offsets of all coordinates, the leftmost fastest.
    fn offsets(&self) -> Vec<usize> {
        let leaves: Vec<_> = self.modes.iter().flatten().copied().collect();
        let size = leaves.iter().map(|leaf| leaf.0).product();
        let offset = |mut i: usize| {
            let mut sum = self.begin;
            for (extent, stride) in &leaves {
                sum += i % extent * stride;
                i /= extent;
            }
            self.swizzled(sum)
        };
        (0..size).map(offset).collect()
    }

    fn swizzled(&self, x: usize) -> usize {
        match self.swizzle {
            None => x,
            Some((bits, base, shift)) => {
                let mask = ((1 << bits) - 1) << (base + shift);
                x ^ (x & mask) >> shift
            }
        }
    }

    fn of(&self, modes: Vec<Mode>, moved: usize) -> Self {
        Model { begin: self.begin + moved, modes, ..self.clone() }
    }

    /// The modes without mode `k`, which stands at `i`.
    fn fixed(&self, k: usize, i: usize) -> Self {
        let (mut modes, mut moved, mut rest) = (self.modes.clone(), 0, i);
        for (extent, stride) in modes.remove(k) {
            moved += rest % extent * stride;
            rest /= extent;
        }
        self.of(modes, moved)
    }

    /// All tiles of `tile[k] : step[k]` elements of mode `k`, the leftmost fastest. `step` is 1, or
    /// so many that the tile spans the mode.
    fn tiles(&self, tile: &[usize], steps: &[usize]) -> Vec<Model> {
        let mut tiles = vec![self.of(Vec::new(), 0)];
        for (k, mode) in self.modes.iter().enumerate() {
            let (extent, stride) = mode[0];
            let between = if steps[k] == 1 { tile[k] } else { 1 };
            let numbers = 0..extent / tile[k];
            let place = |number: usize, other: &Model| {
                let mut modes = other.modes.clone();
                modes.push(vec![(tile[k], stride * steps[k])]);
                other.of(modes, number * between * stride)
            };
            tiles = numbers
                .flat_map(|number| tiles.iter().map(move |other| place(number, other)))
                .collect();
        }
        tiles
    }

    /// So many elements of each mode, which is one leaf, from `first` on.
    fn window(&self, first: &[usize], extents: &[usize]) -> Self {
        let (mut modes, mut moved) = (self.modes.clone(), 0);
        for (k, mode) in modes.iter_mut().enumerate() {
            moved += first[k] * mode[0].1;
            mode[0].0 = extents[k];
        }
        self.of(modes, moved)
    }

    /// All blocks of `tile[k]` elements of mode `k`, the leftmost fastest; those at the end of a
    /// mode are smaller.
    fn blocks(&self, tile: &[usize]) -> Vec<Model> {
        let mut all = vec![(Vec::new(), Vec::new())];
        for (mode, &n) in self.modes.iter().zip(tile) {
            let extent = mode[0].0;
            let blocks = (0..extent).step_by(n).map(|begin| (begin, n.min(extent - begin)));
            let longer = |(begin, length): (usize, usize), other: &(Vec<usize>, Vec<usize>)| {
                ([&other.0[..], &[begin]].concat(), [&other.1[..], &[length]].concat())
            };
            all = blocks
                .flat_map(|block| all.iter().map(move |other| longer(block, other)))
                .collect();
        }
        all.iter().map(|(first, extents)| self.window(first, extents)).collect()
    }

    fn text(&self) -> String {
        let list = |of: fn(&(usize, usize)) -> usize| {
            let mode = |mode: &Mode| {
                let leaves: Vec<_> = mode.iter().map(|leaf| of(leaf).to_string()).collect();
                if leaves.len() == 1 {
                    leaves[0].clone()
                } else {
                    format!("({})", leaves.join(","))
                }
            };
            format!("({})", self.modes.iter().map(mode).collect::<Vec<_>>().join(","))
        };
        format!("{}:{}", list(|leaf| leaf.0), list(|leaf| leaf.1))
    }

    /// The layout of the modes.
    fn layout(&self) -> DynLayout {
        self.text().parse().unwrap()
    }

    fn sizes(&self) -> Vec<usize> {
        self.modes.iter().map(|mode| mode.iter().map(|leaf| leaf.0).product()).collect()
    }
}

/// The elements as they have to be, and the last number written.
struct Memory {
    elements: Vec<u64>,
    last: u64,
}

impl Memory {
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Fails unless the tensor's elements are those at the model's offsets.
    fn compare<S: StorageMut<Item = u64>, L: Addressable>(
        &self,
        t: &Tensor<S, L>,
        model: &Model,
        step: &str,
    ) {
        let expected: Vec<u64> =
            model.offsets().into_iter().map(|offset| self.elements[offset]).collect();
        let found: Vec<u64> = t.iter().copied().collect();
        assert_eq!(found, expected, "{step} of {}", model.text());
    }

    /// Writes each element of the model through the tensor, in one of the ways that there are.
    fn write<S, L>(&mut self, t: &mut Tensor<S, L>, model: &Model, choices: &mut Choices<'_>)
    where
        S: StorageMut<Item = u64>,
        L: Addressable + SameShape<L>,
        usize: CoordinateIn<L>,
    {
        let offsets = model.offsets();
        choices.written += offsets.len();
        let step = match choices.below(5) {
            0 => {
                let value = self.next();
                t.fill(value);
                offsets.iter().for_each(|&offset| self.elements[offset] = value);
                "fill"
            }
            1 => {
                t.transform(|x| x.wrapping_mul(5));
                offsets.iter().for_each(|&offset| {
                    self.elements[offset] = self.elements[offset].wrapping_mul(5)
                });
                "transform"
            }
            2 => {
                let mut places = offsets.iter();
                t.for_each_mut(|_, x| {
                    let place = *places.next().expect("no more elements than coordinates");
                    assert_eq!(*x, self.elements[place]);
                    self.last += 1;
                    self.elements[place] = self.last;
                    *x = self.last;
                });
                assert!(places.next().is_none(), "fewer elements than coordinates");
                "for_each_mut"
            }
            3 => {
                for (i, &offset) in offsets.iter().enumerate() {
                    self.elements[offset] = self.next();
                    t[i] = self.elements[offset];
                }
                assert!(t.get_mut(offsets.len()).is_none());
                "index_mut"
            }
            _ => {
                let first = self.last + 1;
                self.last += offsets.len() as u64;
                let length = t.layout().reach().expect("a small layout");
                let mut source =
                    Tensor::new(vec![0; length], t.layout().clone()).expect("it ends there");
                offsets.iter().enumerate().for_each(|(i, &offset)| {
                    source[i] = first + i as u64;
                    self.elements[offset] = source[i];
                });
                t.copy_from(&source).expect("the same shape");
                "copy_from"
            }
        };
        self.compare(t, model, step);
    }
}

/// Two modes in the other order.
fn swapped(model: &Model) -> Model {
    model.of(model.modes.iter().rev().cloned().collect(), 0)
}

/// A tiler that divides the modes, each of one leaf: how many elements of each, and how far apart
/// they are.
fn tiler(model: &Model, choices: &mut Choices<'_>) -> Option<(Vec<usize>, Vec<usize>)> {
    let (mut tile, mut steps) = (Vec::new(), Vec::new());
    for mode in &model.modes {
        let [(extent, _)] = mode[..] else { return None };
        let all: Vec<usize> = (1..=extent).filter(|n| extent % n == 0).collect();
        tile.push(all[choices.below(all.len())]);
        steps.push(if choices.below(3) == 0 { extent / tile[tile.len() - 1] } else { 1 });
    }
    Some((tile, steps))
}

/// A part of modes of one leaf each that is not empty: where it begins, and its extents.
fn within(model: &Model, choices: &mut Choices<'_>) -> Option<(Vec<usize>, Vec<usize>)> {
    let (mut first, mut extents) = (Vec::new(), Vec::new());
    for mode in &model.modes {
        let [(extent, _)] = mode[..] else { return None };
        first.push(choices.below(extent));
        extents.push(1 + choices.below(extent - first[first.len() - 1]));
    }
    Some((first, extents))
}

fn numbers(list: &[usize]) -> DynShape {
    DynShape::tuple(list.iter().map(|&number| DynShape::from(number))).expect("a tuple")
}

fn tiler_text(tile: &[usize], steps: &[usize]) -> DynTiler {
    let modes: Vec<_> = tile.iter().zip(steps).map(|(n, step)| format!("{n}:{step}")).collect();
    format!("<{}>", modes.join(",")).parse().expect("a tiler")
}

/// What is done with the tiles of tensors under the layout `$layout`: `$under` makes one of the
/// modes of a `DynLayout`, with all else as it is.
macro_rules! player {
    ($play:ident $deal:ident: $layout:ty, $under:expr) => {
        /// A few steps on a tile.
        fn $play(
            t: &mut Tensor<TileMut<'_, u64>, $layout>,
            model: &Model,
            memory: &mut Memory,
            choices: &mut Choices<'_>,
            depth: usize,
        ) {
            let under: fn(&$layout, DynLayout) -> $layout = $under;
            let (rank, sizes) = (model.modes.len(), model.sizes());
            for _ in 0..1 + choices.below(3) {
                match if depth > 3 || rank < 2 { 0 } else { choices.below(14) } {
                    1 => {
                        let i = choices.below(sizes[0]);
                        let mut row =
                            if rank == 2 { t.slice_mut((i, ..)) } else { t.slice_mut((i, .., ..)) };
                        $play(&mut row, &model.fixed(0, i), memory, choices, depth + 1);
                    }
                    2 => {
                        let j = choices.below(sizes[rank - 1]);
                        let mut column =
                            if rank == 2 { t.slice_mut((.., j)) } else { t.slice_mut((.., .., j)) };
                        $play(&mut column, &model.fixed(rank - 1, j), memory, choices, depth + 1);
                    }
                    3 => {
                        let Some((tile, steps)) = tiler(model, choices) else { continue };
                        let tiles = model.tiles(&tile, &steps);
                        let parts =
                            t.try_tiles_mut(tiler_text(&tile, &steps)).expect("tiles that divide");
                        $deal(parts, &tiles, memory, choices, depth + 1);
                    }
                    4 if rank == 2 => {
                        let other = swapped(model);
                        let layout = under(t.layout(), other.layout());
                        let rows: Vec<_> = (0..sizes[1]).map(|i| other.fixed(0, i)).collect();
                        let mut view = t.view_mut().with_layout(layout).expect("the same elements");
                        let threads = DynLayout::left(&view.shape());
                        let parts = view.partitions_mut(threads).expect("all elements");
                        $deal(parts, &rows, memory, choices, depth + 1);
                    }
                    5 if rank == 2 => {
                        let rows: Vec<_> = (0..sizes[0]).map(|i| model.fixed(0, i)).collect();
                        let threads = DynLayout::left(&t.shape());
                        let parts = t.partitions_mut(threads).expect("all elements");
                        $deal(parts, &rows, memory, choices, depth + 1);
                    }
                    6 => {
                        let other = swapped(model);
                        let layout = under(t.layout(), other.layout());
                        let mut view = t.view_mut().with_layout(layout).expect("the same elements");
                        $play(&mut view, &other, memory, choices, depth + 1);
                    }
                    7 => {
                        // A part of the elements, where the tile takes that.
                        let mut part = model.clone();
                        for mode in &mut part.modes {
                            mode[0].0 = 1 + choices.below(mode[0].0);
                        }
                        let layout = under(t.layout(), part.layout());
                        if let Ok(mut view) = t.view_mut().with_layout(layout) {
                            $play(&mut view, &part, memory, choices, depth + 1);
                        }
                    }
                    8 if rank == 2 => {
                        let (other, i) = (swapped(model), choices.below(sizes[1]));
                        let layout = under(t.layout(), other.layout());
                        let mut row = t.cut_mut(layout, (i, ..)).expect("the same elements");
                        $play(&mut row, &other.fixed(0, i), memory, choices, depth + 1);
                    }
                    9 => {
                        let Some((tile, steps)) = tiler(model, choices) else { continue };
                        let tiles = model.tiles(&tile, &steps);
                        let mut at = choices.below(tiles.len());
                        let place = tiles[at].clone();
                        let mut numbers = Vec::new();
                        for (size, n) in sizes.iter().zip(&tile) {
                            numbers.push((at % (size / n)).to_string());
                            at /= size / n;
                        }
                        let place_text = format!("({})", numbers.join(","));
                        let coordinate: DynSlice = place_text.parse().expect("a coordinate");
                        let mut tile = t
                            .local_tile_mut(tiler_text(&tile, &steps), coordinate)
                            .expect("a tile");
                        $play(&mut tile, &place, memory, choices, depth + 1);
                    }
                    10 => {
                        let Some((first, extents)) = within(model, choices) else { continue };
                        let range = |(first, extent): (&usize, &usize)| {
                            format!("{first}..{}", first + extent)
                        };
                        let text: Vec<_> = first.iter().zip(&extents).map(range).collect();
                        let slice: DynSlice =
                            format!("({})", text.join(",")).parse().expect("ranges");
                        let mut part = t.slice_mut(&slice);
                        $play(
                            &mut part,
                            &model.window(&first, &extents),
                            memory,
                            choices,
                            depth + 1,
                        );
                    }
                    11 => {
                        let Some((first, extents)) = within(model, choices) else { continue };
                        let mut part = t.window_mut(numbers(&first), numbers(&extents));
                        $play(
                            &mut part,
                            &model.window(&first, &extents),
                            memory,
                            choices,
                            depth + 1,
                        );
                    }
                    12 => {
                        if model.modes.iter().any(|mode| mode.len() > 1) {
                            continue;
                        }
                        let tile: Vec<usize> =
                            sizes.iter().map(|size| 1 + choices.below(size + 1)).collect();
                        let text: Vec<_> = tile.iter().map(|n| n.to_string()).collect();
                        let tiler: DynTiler =
                            format!("<{}>", text.join(",")).parse().expect("numbers");
                        let parts = t.try_ragged_tiles_mut(&tiler).expect("blocks");
                        $deal(parts, &model.blocks(&tile), memory, choices, depth + 1);
                    }
                    13 => {
                        let [(extent, _)] = model.modes[1][..] else { continue };
                        let at = 1 + choices.below(extent);
                        if at == extent {
                            continue;
                        }
                        let (mut left, mut right) = t.try_split_at_mut::<1>(at).expect("two sides");
                        let (mut before, mut behind) = (model.modes.clone(), model.modes.clone());
                        (before[1][0].0, behind[1][0].0) = (at, extent - at);
                        let (before, behind) =
                            (model.of(before, 0), model.of(behind, at * model.modes[1][0].1));
                        memory.write(&mut left, &before, choices);
                        $play(&mut right, &behind, memory, choices, depth + 1);
                        memory.compare(&left, &before, "the other side");
                    }
                    _ => memory.write(t, model, choices),
                }
                memory.compare(t, model, "after a step");
            }
        }

        /// Parts in some order, some of them on other threads; each is one of `models`.
        fn $deal(
            parts: PartsOf<
                Exclusive<'_, u64>,
                $layout,
                impl Numbering<$layout, Coordinate: SliceIn<$layout, Output = $layout>> + Send,
            >,
            models: &[Model],
            memory: &mut Memory,
            choices: &mut Choices<'_>,
            depth: usize,
        ) {
            assert_eq!(parts.len(), models.len());
            let count = models.len();
            match choices.below(4) {
                0 => {
                    // From both ends.
                    let (mut parts, mut first, mut last) = (parts, 0, count);
                    while first < last {
                        let i = if choices.below(2) == 0 { first } else { last - 1 };
                        let part = if i == first { parts.next() } else { parts.next_back() };
                        if i == first {
                            first += 1
                        } else {
                            last -= 1
                        }
                        $play(
                            &mut part.expect("as many as there are"),
                            &models[i],
                            memory,
                            choices,
                            depth,
                        );
                    }
                    assert!(parts.next().is_none() && parts.next_back().is_none());
                }
                1 => {
                    let middle = choices.below(count + 2);
                    let (left, right) = parts.split_at(middle);
                    let (first, last) = models.split_at(middle.min(count));
                    assert_eq!((left.len(), right.len()), (first.len(), last.len()));
                    for (mut part, model) in right.zip(last).chain(left.zip(first)) {
                        memory.write(&mut part, model, choices);
                    }
                }
                2 => {
                    // All at once: none of them is another's.
                    let mut all: Vec<_> = parts.collect();
                    for _ in 0..count.min(8) {
                        let i = choices.below(count);
                        memory.write(&mut all[i], &models[i], choices);
                    }
                    all.iter()
                        .zip(models)
                        .for_each(|(part, model)| memory.compare(part, model, "one of all"));
                }
                _ => {
                    let first = memory.last + 1;
                    memory.last += count as u64;
                    parts
                        .into_par_iter()
                        .enumerate()
                        .for_each(|(i, mut part)| part.fill(first + i as u64));
                    for (i, offset) in models
                        .iter()
                        .enumerate()
                        .flat_map(|(i, m)| m.offsets().into_iter().map(move |o| (i, o)))
                    {
                        memory.elements[offset] = first + i as u64;
                        choices.written += 1;
                    }
                }
            }
        }
    };
}
player! { play deal: DynLayout, |_, layout| layout }
player! { play_swizzled deal_swizzled: DynComposedLayout, |like, layout| {
    ComposedLayout::const_new(like.outer(), like.offset(), layout)
} }

/// Modes that share nothing, in some order of strides, with gaps.
fn random_modes(choices: &mut Choices<'_>) -> Vec<Mode> {
    const EXTENTS: [usize; 8] = [1, 2, 2, 3, 4, 4, 6, 8];
    let rank = 2 + choices.below(2);
    let mut modes: Vec<Mode> = Vec::new();
    for _ in 0..rank {
        let leaves = 1 + choices.below(5) / 4;
        modes.push((0..leaves).map(|_| (EXTENTS[choices.below(EXTENTS.len())], 0)).collect());
    }
    let mut places: Vec<(usize, usize)> = Vec::new();
    for (k, mode) in modes.iter().enumerate() {
        (0..mode.len()).for_each(|leaf| places.insert(choices.below(places.len() + 1), (k, leaf)));
    }
    let mut stride = 1 + choices.below(2);
    for (k, leaf) in places {
        modes[k][leaf].1 = stride;
        stride = stride * modes[k][leaf].0 + choices.below(3) % 2;
    }
    modes
}

/// A tensor on `storage`, under the layout of the model, as one tile; and the tensor's own slices.
fn on<S: Contiguous<Item = u64> + StorageMut>(
    storage: S,
    model: &Model,
    memory: &mut Memory,
    choices: &mut Choices<'_>,
) {
    let mut t = Tensor::new(storage, model.layout()).expect("it ends within");
    memory.write(&mut t, model, choices);
    let (rank, sizes) = (model.modes.len(), model.sizes());
    let i = choices.below(sizes[0]);
    let mut row = if rank == 2 { t.slice_mut((i, ..)) } else { t.slice_mut((i, .., ..)) };
    memory.write(&mut row, &model.fixed(0, i), choices);
    drop(row);
    let mut other = t.view_mut().with_layout(swapped(model).layout()).expect("the same elements");
    memory.write(&mut other, &swapped(model), choices);
    drop(other);
    if let Some((tile, steps)) = tiler(model, choices) {
        let tiles = model.tiles(&tile, &steps);
        let parts = t.try_tiles_mut(tiler_text(&tile, &steps)).expect("tiles that divide");
        deal(parts, &tiles, memory, choices, 1);
    }
    play(&mut t.as_tile_mut(), model, memory, choices, 0);
    memory.compare(&t, model, "all steps");
    // What lies between the elements, too.
    let all: DynLayout = format!("({}):(1)", memory.elements.len()).parse().expect("all");
    assert!(
        t.with_layout(all).expect("it ends within").iter().eq(&memory.elements),
        "an element of nobody was written"
    );
}

/// The same under a swizzle.
fn under_a_swizzle(model: &Model, memory: &mut Memory, choices: &mut Choices<'_>) {
    let (bits, base, shift) = model.swizzle.expect("a swizzle");
    let shift = i32::try_from(shift).expect("a small number");
    let swizzle = DynSwizzle::new(bits, base, shift).expect("a swizzle");
    let layout = ComposedLayout::const_new(swizzle, model.begin, model.layout());
    let mut t = Tensor::new(memory.elements.clone(), layout).expect("it ends within");
    memory.write(&mut t, model, choices);
    play_swizzled(&mut t.as_tile_mut(), model, memory, choices, 0);
    memory.compare(&t, model, "all steps");
    assert_eq!(t.into_storage(), memory.elements, "an element of nobody was written");
}

/// What is done with a matrix whose extents are multiples of 4 and of 6, known to the types or not:
/// tiles, ragged tiles, and the shares of threads.
macro_rules! matrix {
    ($storage:expr, $layout:expr, $model:expr, $memory:expr, $choices:expr) => {{
        let storage = $storage;
        let (model, memory, choices): (&Model, &mut Memory, &mut Choices<'_>) =
            ($model, $memory, $choices);
        let mut t = Tensor::new(storage, $layout).expect("it ends within");
        memory.write(&mut t, model, choices);
        let tiles = model.tiles(&[2, 3], &[1, 1]);
        for (mut tile, model) in t.try_tiles_mut(tiler!(2, 3)).expect("tiles").zip(&tiles) {
            memory.write(&mut tile, model, choices);
            let j = choices.below(3);
            memory.write(&mut tile.slice_mut((.., j)), &model.fixed(1, j), choices);
            // Tiles of tiles.
            for (mut one, model) in
                tile.try_tiles_mut(tiler!(1, 3)).expect("tiles").zip(&model.tiles(&[1, 3], &[1, 1]))
            {
                memory.write(&mut one, model, choices);
            }
        }
        memory.compare(&t, model, "tiles");
        // Blocks, those at the edges smaller, all of them alive; then a window, a range, and both
        // sides of a number.
        let blocks = model.blocks(&[3, 5]);
        let mut all: Vec<_> = t.ragged_tiles_mut(tiler!(3, 5)).collect();
        assert_eq!(all.len(), blocks.len());
        for (block, model) in all.iter_mut().zip(&blocks) {
            memory.write(block, model, choices);
        }
        let (i, j) = (choices.below(3), choices.below(4));
        memory.write(
            &mut t.window_mut((i, j), shape!((2, 3))),
            &model.window(&[i, j], &[2, 3]),
            choices,
        );
        memory.write(
            &mut t.slice_mut((i..4, j..=5)),
            &model.window(&[i, j], &[4 - i, 6 - j]),
            choices,
        );
        let columns = model.modes[1][0].0;
        let rows = model.modes[0][0].0;
        let (mut left, mut right) = t.split_at_mut::<1>(j + 1);
        memory.write(&mut right, &model.window(&[0, j + 1], &[rows, columns - j - 1]), choices);
        memory.write(&mut left, &model.window(&[0, 0], &[rows, j + 1]), choices);
        memory.compare(&t, model, "parts");
        // Two threads down, each with three values side by side, in all tiles of 2 x 3.
        let atom = UniversalCopy::<u64, Int<3>>::new();
        let tiled = make_tiled_copy(atom, layout!((2, 1)), layout!((1, 3))).expect("a tiled copy");
        let [(m, d), (n, e)] = [model.modes[0][0], model.modes[1][0]];
        for i in 0..2 {
            let thread = tiled.get_slice(i).expect("a thread");
            let share =
                model.of(vec![vec![(3, e)], vec![(m / 2, 2 * d)], vec![(n / 3, 3 * e)]], i * d);
            memory.write(&mut thread.partition_d_mut(&mut t).expect("a share"), &share, choices);
            memory.write(&mut thread.partition_s_mut(&mut t).expect("a share"), &share, choices);
        }
        for i in 0..4 {
            let share =
                model.of(vec![vec![(m / 2, 2 * d)], vec![(n / 2, 2 * e)]], i % 2 * d + i / 2 * e);
            let mut mine = t.local_partition_mut(layout!((2, 2)), i).expect("a share");
            memory.write(&mut mine, &share, choices);
        }
        // Tiles of 3 x 5 hang over the edge.
        for (i, j) in (0..n.div_ceil(5)).flat_map(|j| (0..m.div_ceil(3)).map(move |i| (i, j))) {
            let value = memory.next();
            let mut tile = t.ragged_tile_mut(tiler!(3, 5), (i, j)).expect("a tile");
            tile.for_each_mut(|_, x| *x = value);
            for (row, column) in (0..5).flat_map(|y| (0..3).map(move |x| (3 * i + x, 5 * j + y))) {
                if row < m && column < n {
                    memory.elements[model.swizzled(model.begin + row * d + column * e)] = value;
                    choices.written += 1;
                }
            }
        }
        memory.compare(&t, model, "all steps");
        let storage = t.into_storage();
        assert_eq!(storage[..], memory.elements[..], "an element of nobody was written");
    }};
}

/// Runs the steps, and returns how many elements were written and compared.
pub(crate) fn mutable(bytes: &[u8]) -> usize {
    let mut choices = Choices { bytes, written: 0 };
    let kind = choices.below(8);
    let plain = |modes: Vec<Mode>| Model { begin: 0, modes, swizzle: None };
    let memory = |model: &Model, more: usize| {
        let length = model.offsets().into_iter().max().map_or(0, |last| last + 1) + more;
        Memory { elements: (0..length as u64).map(|i| i << 32).collect(), last: 0 }
    };
    match kind {
        0 | 1 => {
            let model = plain(random_modes(&mut choices));
            let mut memory = memory(&model, choices.below(4));
            on(memory.elements.clone(), &model, &mut memory, &mut choices);
        }
        2 => {
            // The middle of a vector, whose ends stay.
            let model = plain(random_modes(&mut choices));
            let mut memory = memory(&model, choices.below(4));
            let mut all = vec![u64::MAX; memory.elements.len() + 7];
            let middle = 3..3 + memory.elements.len();
            all[middle.clone()].copy_from_slice(&memory.elements);
            on(&mut all[middle.clone()], &model, &mut memory, &mut choices);
            assert!(
                all.iter().enumerate().all(|(i, x)| middle.contains(&i) || *x == u64::MAX),
                "beyond the slice"
            );
            assert_eq!(all[middle], memory.elements);
        }
        3 | 4 => {
            let swizzle =
                (1 + choices.below(3) as u32, choices.below(3) as u32, 3 + choices.below(2) as u32);
            let model = Model {
                begin: choices.below(5),
                modes: random_modes(&mut choices),
                swizzle: Some(swizzle),
            };
            let mut memory = memory(&model, choices.below(4));
            under_a_swizzle(&model, &mut memory, &mut choices);
        }
        5 => {
            let model = plain(vec![vec![(4, 6)], vec![(6, 1)]]);
            let mut memory = memory(&model, 0);
            let array: [u64; 24] = memory.elements.clone().try_into().expect("24 elements");
            matrix!(array, layout!((4, 6): right), &model, &mut memory, &mut choices);
        }
        6 => {
            let (m, n, pad) =
                (4 * (1 + choices.below(3)), 6 * (1 + choices.below(2)), choices.below(3));
            let pitch = m + pad;
            let model = plain(vec![vec![(m, 1)], vec![(n, pitch)]]);
            let mut memory = memory(&model, pad);
            matrix!(
                memory.elements.clone(),
                layout!((m, n):(1, pitch)),
                &model,
                &mut memory,
                &mut choices
            );
            let model = plain(vec![vec![(4, 1)], vec![(n, 5)]]);
            let mut memory = self::Memory { elements: vec![9; 5 * n], last: 0 };
            matrix!(
                memory.elements.clone(),
                layout!((4, n):(1, 5)),
                &model,
                &mut memory,
                &mut choices
            );
        }
        _ => {
            let model = Model {
                begin: 0,
                modes: vec![vec![(8, 12)], vec![(12, 1)]],
                swizzle: Some((2, 0, 3)),
            };
            let mut memory = Memory { elements: (0..128).map(|i| i << 32).collect(), last: 0 };
            let layout = Swizzle::<2, 0, 3>::new().compose(layout!((8, 12): right));
            matrix!(memory.elements.clone(), layout, &model, &mut memory, &mut choices);
        }
    }
    choices.written
}
