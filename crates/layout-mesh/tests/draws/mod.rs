//! Distributions drawn at random, and what they mean, worked out element by element and by no code
//! of the package.

use layout_algebra::prelude::*;
use layout_mesh::{
    BlockCyclic, Distribution, Mesh, MeshMode, MeshModes, Placement, Replicate, Shard, StridedShard,
};

/// Numbers that look random (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % end as u64) as usize
    }
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
    fn order(&mut self, length: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..length).collect();
        (1..length).for_each(|k| order.swap(k, self.below(k + 1)));
        order
    }
}

/// The seed of this run, another one each day, and how many draws: `LAYOUT_SEED` and `LAYOUT_DRAWS`
/// say otherwise.
pub fn seed_and_draws(draws: usize) -> (u64, usize) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let day = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs() / 86400);
    (
        number("LAYOUT_SEED").unwrap_or(day),
        number("LAYOUT_DRAWS").map_or(draws, |draws| draws as usize),
    )
}

fn tuple(numbers: &[usize]) -> DynShape {
    DynShape::tuple(numbers.iter().map(|&number| DynShape::from(number))).expect("at least one")
}

/// A mesh: extents, strides, and the rank that it begins at.
#[derive(Clone, Debug)]
struct SomeMesh {
    extents: Vec<usize>,
    strides: Vec<usize>,
    first: usize,
}

impl SomeMesh {
    fn draw(random: &mut Random, ranks: usize) -> SomeMesh {
        let modes = 1 + random.below(3);
        let (mut extents, mut left) = (Vec::new(), ranks);
        for _ in 0..modes {
            let extent = 1 + random.below(left.min(4));
            extents.push(extent);
            left /= extent;
        }
        // Compact in any order of the modes, or with gaps between them.
        let (mut strides, mut step) = (vec![0; modes], 1);
        let gap = if random.below(4) == 0 { 1 + random.below(left) } else { 1 };
        for mode in random.order(modes) {
            strides[mode] = step;
            step *= extents[mode];
            if mode == 0 {
                step *= gap;
            }
        }
        let reach: usize =
            extents.iter().zip(&strides).map(|(extent, stride)| (extent - 1) * stride).sum();
        let first = if random.below(3) == 0 { random.below(ranks - reach) } else { 0 };
        SomeMesh { extents, strides, first }
    }

    /// Made by the package: one that begins elsewhere is a slice of a larger one.
    fn seen(&self, ranks: usize, rank: usize) -> Mesh {
        let layout = |extents: &[usize], strides: &[usize]| {
            DynLayout::new(tuple(extents), tuple(strides)).expect("small")
        };
        if self.first == 0 {
            return Mesh::on_paper(ranks, rank, layout(&self.extents, &self.strides))
                .expect("as many ranks");
        }
        // A mode of two more, of which the second is taken, in a world that has as many ranks as it
        // takes.
        let (mut extents, mut strides) = (self.extents.clone(), self.strides.clone());
        extents.push(2);
        strides.push(self.first);
        match Mesh::on_paper(ranks, rank, layout(&extents, &strides)) {
            Ok(mesh) => mesh.slice(extents.len() - 1, 1).expect("a coordinate of the mode"),
            // They overlap, or lead nowhere: from 0 on then.
            Err(_) => Mesh::on_paper(ranks, rank, layout(&self.extents, &self.strides))
                .expect("as many ranks"),
        }
    }

    fn coordinates(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for &extent in &self.extents {
            all = all
                .iter()
                .flat_map(|at| (0..extent).map(move |i| at.iter().copied().chain([i]).collect()))
                .collect();
        }
        all
    }
}

/// One step of how a mode is placed.
#[derive(Clone, Debug)]
enum Step {
    /// A shard of each of some chunks.
    Chunks(usize, usize),
    /// Blocks in turns.
    Blocks(Vec<usize>, usize),
}

/// How one mode of the tensor is placed.
#[derive(Clone, Debug)]
struct SomeMode {
    extent: usize,
    steps: Vec<Step>,
}

/// A distribution of a tensor, and in which order its modes are in memory.
#[derive(Clone, Debug)]
pub struct Drawn {
    ranks: usize,
    mesh: SomeMesh,
    modes: Vec<SomeMode>,
    order: Vec<usize>,
}

/// The extents of a tensor of at most `most` elements.
pub fn some_shape(random: &mut Random, most: usize) -> Vec<usize> {
    let (modes, mut size, mut shape) = (1 + random.below(4), 1, Vec::new());
    for _ in 0..modes {
        let extent = random.of(&[0, 1, 1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 17, 24, 31, 64]);
        let extent = if size * extent > most { 1 + random.below(2) } else { extent };
        size *= extent.max(1);
        shape.push(extent);
    }
    shape
}

impl Drawn {
    pub fn draw(random: &mut Random, ranks: usize, shape: &[usize]) -> Drawn {
        let mut mesh = SomeMesh::draw(random, ranks);
        let mut modes: Vec<SomeMode> =
            shape.iter().map(|&extent| SomeMode { extent, steps: Vec::new() }).collect();
        // Each mode of the mesh has shards of one of the tensor's, or copies.
        for mode in random.order(mesh.extents.len()) {
            let which = random.below(shape.len() + 1);
            let Some(placed) = modes.get_mut(which) else { continue };
            let block = random.of(&[1, 1, 2, 3, 4, 5, 8, 64]);
            match (random.below(3), placed.steps.last_mut()) {
                // Blocks over one mode more.
                (0, Some(Step::Blocks(over, _))) => over.push(mode),
                (0 | 1, _) => placed.steps.push(Step::Blocks(vec![mode], block)),
                _ => placed.steps.push(Step::Chunks(mode, random.of(&[1, 1, 1, 2, 3, 5]))),
            }
        }
        let order = if random.below(2) == 0 {
            (0..shape.len()).collect()
        } else {
            random.order(shape.len())
        };
        if mesh.first > 0 && mesh.seen(ranks, 0).first() == 0 {
            mesh.first = 0;
        }
        Drawn { ranks, mesh, modes, order }
    }

    /// Made by the package, as one rank sees it.
    pub fn seen(&self, rank: usize) -> Distribution {
        let mesh = self.mesh.seen(self.ranks, rank);
        let place = |mode: &SomeMode| {
            mode.steps.iter().fold(Placement::from(Replicate), |placed, step| match step {
                Step::Chunks(mode, 1) => placed.then(Shard(*mode)),
                Step::Chunks(mode, chunks) => {
                    placed.then(StridedShard(MeshMode::from(*mode), *chunks))
                }
                Step::Blocks(modes, size) => placed.then(BlockCyclic(
                    MeshModes(modes.iter().map(|&mode| mode.into()).collect()),
                    *size,
                )),
            })
        };
        // In the order of memory first, and then seen in that of the tensor.
        let (shape, placements): (Vec<usize>, Vec<Placement>) = self
            .order
            .iter()
            .map(|&mode| (self.modes[mode].extent, place(&self.modes[mode])))
            .unzip();
        let made = Distribution::new(&mesh, tuple(&shape), placements);
        let places: Vec<usize> = (0..shape.len())
            .map(|mode| self.order.iter().position(|&at| at == mode).expect("a mode"))
            .collect();
        made.expect("small").select(&places).expect("each mode once")
    }

    /// The global coordinates of each rank's elements in the order of its memory, as numbers with
    /// the first mode fastest.
    pub fn elements(&self) -> Vec<Vec<usize>> {
        let mut of = vec![Vec::new(); self.ranks];
        for at in self.mesh.coordinates() {
            let rank = self.mesh.first
                + at.iter().zip(&self.mesh.strides).map(|(i, stride)| i * stride).sum::<usize>();
            // What it has of each mode: the indices whose block is its turn.
            let indices = self.modes.iter().map(|mode| {
                let all: Vec<usize> = (0..mode.extent).collect();
                mode.steps.iter().fold(all, |left, step| match step {
                    // `torch.chunk` of each chunk.
                    &Step::Chunks(k, chunks) => {
                        let chunks = left.chunks(left.len().div_ceil(chunks).max(1));
                        let own = chunks.filter_map(|chunk| {
                            chunk
                                .chunks(chunk.len().div_ceil(self.mesh.extents[k]).max(1))
                                .nth(at[k])
                        });
                        own.flatten().copied().collect()
                    }
                    Step::Blocks(modes, block) => {
                        let (mut parts, mut part) = (1, 0);
                        for &k in modes {
                            part = part * self.mesh.extents[k] + at[k];
                            parts *= self.mesh.extents[k];
                        }
                        let turns = left
                            .iter()
                            .enumerate()
                            .filter(|(index, _)| index / block % parts == part);
                        turns.map(|(_, &index)| index).collect()
                    }
                })
            });
            let indices: Vec<Vec<usize>> = indices.collect();
            let mut numbers = vec![0];
            for &mode in self.order.iter().rev() {
                let pitch: usize = self.modes[..mode].iter().map(|mode| mode.extent).product();
                let own = &indices[mode];
                numbers = numbers
                    .iter()
                    .flat_map(|n| own.iter().map(move |index| n + pitch * index))
                    .collect();
            }
            of[rank] = numbers;
        }
        of
    }
}
