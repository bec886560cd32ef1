//! Random pairs of distributions, and what their parts hold: printed seeds, no list of shapes.

use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_gpus::Element;
use layout_mesh::{
    BlockCyclic, Distribution, Error, Mesh, MeshMode, Placement, Replicate, Shard, StridedShard,
};

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A pair of distributions of a tensor over some ranks.
pub struct Draw {
    pub from: Distribution,
    pub to: Distribution,
    pub element: Element,
    /// The modes of the mesh along which `from` is a sum.
    pub summed: Vec<usize>,
}

/// A mesh of all ranks or of some of them.
fn mesh(random: &mut Random, ranks: usize) -> Result<Mesh, Error> {
    let size = if random.below(8) == 0 { 1 + random.below(ranks) } else { ranks };
    let whole = Mesh::on_paper(ranks, random.below(ranks), DynLayout::new(size, 1)?)?;
    let first = random.one_of(&[1, 2, 2, size]);
    if size % first > 0 || random.below(3) == 0 {
        return Ok(whole);
    }
    if random.below(2) == 0 {
        return whole.split(0, [first, size / first], ["a", "b"]);
    }
    Mesh::on_paper(ranks, 0, DynLayout::left(&DynShape::from((first, size / first))))?
        .seen_from(whole.rank())
}

/// Each mode of the tensor placed on modes of the mesh that are left, and memory in any order.
fn distribution(
    random: &mut Random,
    mesh: &Mesh,
    shape: &[usize],
) -> Result<(Distribution, Vec<usize>), Error> {
    let mut left: Vec<usize> = (0..mesh.extents().len()).collect();
    let mut take = |random: &mut Random| {
        let mode = left.swap_remove(random.below(left.len()));
        (mode, left.len())
    };
    let mut placements: Vec<Placement> = Vec::new();
    let mut more = mesh.extents().len();
    for &extent in shape {
        let mut one = |random: &mut Random, more: &mut usize| {
            let (mode, rest) = take(random);
            *more = rest;
            mode
        };
        placements.push(match random.below(5) {
            0 | 1 if more > 0 => Shard(one(random, &mut more)).into(),
            2 if more > 0 => {
                let block = random.one_of(&[1, 2, 3, 8, 16, 1 + extent / 3]);
                BlockCyclic(one(random, &mut more), block).into()
            }
            3 if more > 1 => {
                let modes: [MeshMode; 2] =
                    [one(random, &mut more), one(random, &mut more)].map(Into::into);
                Shard(modes).into()
            }
            3 if more > 0 => StridedShard(one(random, &mut more), 1 + random.below(4)).into(),
            _ => Replicate.into(),
        });
    }
    // The modes of memory are a permutation of those of the tensor.
    let mut order: Vec<usize> = (0..shape.len()).collect();
    for k in (1..order.len()).rev() {
        order.swap(k, random.below(k + 1));
    }
    let tuple = |numbers: Vec<usize>| DynShape::tuple(numbers.into_iter().map(DynShape::from));
    let memory = tuple(order.iter().map(|&mode| shape[mode]).collect())?;
    let placed: Vec<Placement> = order.iter().map(|&mode| placements[mode].clone()).collect();
    let back: Vec<usize> = (0..shape.len())
        .map(|mode| order.iter().position(|&other| other == mode).expect("a permutation"))
        .collect();
    Ok((Distribution::new(mesh, memory, placed)?.select(&back)?, left))
}

impl Draw {
    /// Tensors of at most so many elements.
    pub fn new(seed: u64, ranks: usize, most: usize) -> Result<Draw, Error> {
        let mut random = Random(seed);
        let random = &mut random;
        let (mut shape, mut room) = (Vec::new(), most);
        for _ in 0..1 + random.below(3) {
            let extent = match random.below(6) {
                0 => random.below(4),
                1 => 16 << random.below(5),
                2 => 8 * random.below(20),
                3 => random.below(600),
                _ => random.below(100),
            };
            shape.push(extent.min(room));
            room /= shape[shape.len() - 1].max(1);
        }
        let (before, after) = (mesh(random, ranks)?, mesh(random, ranks)?.seen_from(0)?);
        let before = before.seen_from(0)?;
        let (mut from, left) = distribution(random, &before, &shape)?;
        let (to, _) = distribution(random, &after, &shape)?;
        let mut element = random.one_of(&[
            Element::U8,
            Element::F16,
            Element::Bf16,
            Element::F32,
            Element::Bytes(8),
            Element::Bytes(16),
            Element::Bytes(12),
            Element::Bytes(3),
        ]);
        let mut summed = Vec::new();
        if !left.is_empty() && random.below(2) == 0 {
            summed.push(random.one_of(&left));
            if random.below(2) == 0 {
                summed = left;
            }
            element = random.one_of(&[Element::F16, Element::Bf16, Element::F32]);
            for &mode in &summed {
                from = from.partial(mode)?;
            }
        }
        Ok(Draw { from, to, element, summed })
    }

    /// The bytes of an element of the whole; a summand of it, where ranks have those: small numbers
    /// in multiples of a half, whose sums are exact in each type, or with `rough` any others.
    fn value(&self, global: usize, summand: usize, rough: bool) -> Vec<u8> {
        let bits = mixed((global as u64) << 8 | summand as u64);
        let small =
            if rough { (bits % 2000) as f32 / 7.0 - 100.0 } else { (bits % 17) as f32 / 2.0 - 4.0 };
        match self.element {
            _ if self.summed.is_empty() => {
                let bits = bits.to_le_bytes();
                (0..self.element.bytes()).map(|k| bits[k % 8] ^ k as u8).collect()
            }
            Element::F16 => f16::from_f32(small).to_le_bytes().to_vec(),
            Element::Bf16 => bf16::from_f32(small).to_le_bytes().to_vec(),
            _ => small.to_le_bytes().to_vec(),
        }
    }

    /// The number of a global coordinate, and which summand a rank has.
    fn number(&self, global: &[usize]) -> usize {
        global.iter().zip(self.from.shape()).rev().fold(0, |n, (&at, extent)| n * extent + at)
    }

    fn summand(&self, rank: usize) -> usize {
        let coordinate = self.from.mesh().coordinates_of(rank).unwrap_or_default();
        let extents = self.from.mesh().extents();
        if coordinate.is_empty() {
            return 0;
        }
        self.summed.iter().fold(0, |n, &mode| n * extents[mode] + coordinate[mode])
    }

    /// The bytes of each rank's part before.
    pub fn parts(&self, rough: bool) -> Vec<Vec<u8>> {
        let part = |rank| {
            let (mut bytes, summand) = (Vec::new(), self.summand(rank));
            let own = self.from.seen_from(rank).expect("a rank");
            own.for_each_coordinate(|_, global| {
                bytes.extend(self.value(self.number(global), summand, rough));
            });
            bytes
        };
        (0..self.from.mesh().world_size()).map(part).collect()
    }

    /// The bytes of each rank's part after: element by element, by no plan. Summands are added in
    /// the order of their ranks.
    pub fn expected(&self, rough: bool) -> Vec<Vec<u8>> {
        // One rank for each summand, in ascending order.
        let mut ranks: Vec<usize> = self.from.mesh().ranks().collect();
        ranks.sort_unstable();
        let mut summands: Vec<usize> = Vec::new();
        for rank in ranks {
            let one = self.summand(rank);
            if !summands.contains(&one) {
                summands.push(one);
            }
        }
        let read = |bytes: &[u8]| match self.element {
            Element::F16 => f16::from_le_bytes([bytes[0], bytes[1]]).to_f32(),
            Element::Bf16 => bf16::from_le_bytes([bytes[0], bytes[1]]).to_f32(),
            _ => f32::from_le_bytes(bytes.try_into().expect("4 bytes")),
        };
        let element = |global: usize| {
            if self.summed.is_empty() {
                return self.value(global, 0, rough);
            }
            let all = summands.iter().map(|&summand| read(&self.value(global, summand, rough)));
            let sum = all.reduce(|sum, one| sum + one).expect("one summand at least");
            match self.element {
                Element::F16 => f16::from_f32(sum).to_le_bytes().to_vec(),
                Element::Bf16 => bf16::from_f32(sum).to_le_bytes().to_vec(),
                _ => sum.to_le_bytes().to_vec(),
            }
        };
        let part = |rank| {
            let mut bytes = Vec::new();
            let own = self.to.seen_from(rank).expect("a rank");
            own.for_each_coordinate(|_, global| bytes.extend(element(self.number(global))));
            bytes
        };
        (0..self.to.mesh().world_size()).map(part).collect()
    }
}

/// A number of the environment, `DRAWS` or `SEED`.
pub fn number_of(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}
