//! The placement of one mode of a tensor: the shard of each index, and the local index there.
//!
//! ```text
//! one step     from (shard, (within a block, which block)) to the index    (P, (b, C)) : (b, (1, b * P))
//! several      each step divides the local indices of the step before
//! ```
//!
//! `b` is the size of a block, `P` the number of shards, `C` the number of blocks of a shard.

use alloc::vec::Vec;

use layout_algebra::prelude::*;

use crate::error::Error;
use crate::placement::Split;

/// The placement of one mode of a tensor.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PlacedMode {
    /// The global extent.
    pub(crate) extent: usize,
    /// The number of shards.
    pub(crate) shards: usize,
    /// The modes of the mesh that the mode is placed on, the last fastest.
    pub(crate) mesh: Vec<usize>,
    /// The steps, at least one.
    pub(crate) steps: Vec<Step>,
}

/// One step: the number of ranks, and how it divides an extent among them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    shards: usize,
    /// The size of a block, or the number of chunks.
    split: Result<usize, usize>,
}

/// The position of an element: the shard, the local index, and the number of elements from there
/// that are contiguous in the shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) shard: usize,
    pub(crate) local: usize,
    pub(crate) run: usize,
}

impl Step {
    /// The blocks of one chunk of `length`: one for each shard.
    fn block(self, length: usize) -> usize {
        length.div_ceil(self.shards).max(1)
    }

    /// The number of elements of a shard, of `length` elements in blocks of `block`.
    fn in_turns(self, length: usize, block: usize, shard: usize) -> usize {
        match block.checked_mul(self.shards) {
            Some(period) => {
                let rest = (length % period).saturating_sub(shard * block);
                length / period * block + rest.min(block)
            }
            None => length.saturating_sub(shard.saturating_mul(block)).min(block),
        }
    }

    /// The size of a chunk of `extent`, and the number of full chunks.
    fn chunks(extent: usize, number: usize) -> (usize, usize) {
        let size = extent.div_ceil(number).max(1);
        (size, extent / size)
    }

    /// The number of elements of a shard, of `extent` elements.
    fn count(self, extent: usize, shard: usize) -> usize {
        match self.split {
            Ok(block) => self.in_turns(extent, block, shard),
            Err(number) => {
                let (size, full) = Step::chunks(extent, number);
                let one = |length: usize| self.in_turns(length, self.block(length), shard);
                full * one(size) + one(extent - full * size)
            }
        }
    }

    /// The position of an element of `extent`.
    fn locate(self, extent: usize, index: usize) -> Place {
        let turns = |length: usize, block: usize, index: usize| {
            let (number, within) = (index / block, index % block);
            let local = number / self.shards * block + within;
            Place { shard: number % self.shards, local, run: (block - within).min(length - index) }
        };
        match self.split {
            Ok(block) => turns(extent, block, index),
            Err(number) => {
                let (size, full) = Step::chunks(extent, number);
                let (chunk, within) = (index / size, index % size);
                let length = if chunk < full { size } else { extent - full * size };
                let place = turns(length, self.block(length), within);
                let before = chunk * self.in_turns(size, self.block(size), place.shard);
                Place { local: place.local + before, ..place }
            }
        }
    }

    /// The index of an element of a shard.
    fn global(self, extent: usize, shard: usize, local: usize) -> usize {
        let turns = |block: usize, local: usize| {
            (local / block * self.shards + shard) * block + local % block
        };
        match self.split {
            Ok(block) => turns(block, local),
            Err(number) => {
                let (size, full) = Step::chunks(extent, number);
                let each = self.in_turns(size, self.block(size), shard);
                let chunk = local.checked_div(each).map_or(full, |chunk| chunk.min(full));
                let length = if chunk < full { size } else { extent - full * size };
                chunk * size + turns(self.block(length), local - chunk * each)
            }
        }
    }
}

impl PlacedMode {
    /// The placement of the given steps, in the order of their modes of the mesh.
    pub(crate) fn new(
        extent: usize,
        mesh: Vec<usize>,
        steps: &[(usize, Split)],
    ) -> Result<PlacedMode, Error> {
        let shards = steps.iter().map(|step| step.0).product();
        let step = |&(shards, split): &(usize, Split)| match split {
            Split::Blocks(0) => Err(Error::EmptyBlock),
            Split::Chunks(0) => Err(Error::NoChunks),
            Split::Blocks(size) => Ok(Step { shards, split: Ok(size) }),
            Split::Chunks(number) => Ok(Step { shards, split: Err(number) }),
        };
        let mut steps: Vec<Step> = steps.iter().map(step).collect::<Result<_, _>>()?;
        // Shards of shards without a remainder are one step of blocks, with one block for each
        // shard.
        let even = steps.iter().all(|step| step.split == Err(1)) && extent % shards == 0;
        if steps.len() < 2 && steps.iter().all(|step| step.split == Err(1)) || even {
            steps = [Step { shards, split: Ok(extent.div_ceil(shards).max(1)) }].into();
        }
        Ok(PlacedMode { extent, shards, mesh, steps })
    }

    /// The size of the blocks, if the placement is one step of blocks: then the closed forms hold.
    pub(crate) fn blocks_of(&self) -> Option<usize> {
        match self.steps[..] {
            [Step { split: Ok(block), .. }] => Some(block),
            _ => None,
        }
    }

    /// The number of blocks of each shard, at least one, for the layout of an empty mode.
    fn blocks(&self, block: usize) -> usize {
        self.extent.div_ceil(block).div_ceil(self.shards).max(1)
    }

    /// `(P, (b, C)):(b, (1, b * P))`, times `stride`.
    pub(crate) fn layout(&self, stride: usize) -> Result<DynLayout, Error> {
        let block = self.blocks_of().ok_or(Error::NoLayout)?;
        let (step, turn) =
            (block.checked_mul(stride), self.period().and_then(|turn| turn.checked_mul(stride)));
        // With one block the stride does not matter, and may exceed `usize`.
        let (step, turn) = (step.unwrap_or(usize::MAX), turn.unwrap_or(usize::MAX));
        Ok(DynLayout::new((self.shards, (block, self.blocks(block))), (step, (stride, turn)))?)
    }

    /// The distance between the blocks of a shard.
    pub(crate) fn period(&self) -> Option<usize> {
        self.blocks_of()?.checked_mul(self.shards)
    }

    /// The extent rounded up to whole rounds of blocks; unchanged if shards are not blocks.
    pub(crate) fn padded(&self) -> Option<usize> {
        match self.blocks_of() {
            Some(block) => self.period()?.checked_mul(self.blocks(block)),
            None => Some(self.extent),
        }
    }

    /// The shard and the local index of an element.
    pub(crate) fn locate(&self, global: usize) -> Place {
        let (mut place, mut extent) =
            (Place { shard: 0, local: global, run: usize::MAX }, self.extent);
        for step in &self.steps {
            let next = step.locate(extent, place.local);
            extent = step.count(extent, next.shard);
            let shard = place.shard * step.shards + next.shard;
            place = Place { shard, local: next.local, run: place.run.min(next.run) };
        }
        place
    }

    /// The steps, each with its extent and the shard's number in it.
    fn digits(&self, mut shard: usize) -> Vec<(Step, usize, usize)> {
        let mut digits: Vec<usize> = Vec::new();
        for step in self.steps.iter().rev() {
            digits.push(shard % step.shards);
            shard /= step.shards;
        }
        let mut extent = self.extent;
        let with = |(&step, digit): (&Step, usize)| {
            let (before, after) = (extent, step.count(extent, digit));
            extent = after;
            (step, before, digit)
        };
        self.steps.iter().zip(digits.into_iter().rev()).map(with).collect()
    }

    /// The global index of an element of a shard.
    pub(crate) fn global(&self, shard: usize, local: usize) -> usize {
        let back = |local: usize, (step, extent, digit): (Step, usize, usize)| {
            step.global(extent, digit, local)
        };
        self.digits(shard).into_iter().rev().fold(local, back)
    }

    /// The number of elements of a shard.
    pub(crate) fn count(&self, shard: usize) -> usize {
        self.digits(shard)
            .last()
            .map_or(self.extent, |&(step, extent, digit)| step.count(extent, digit))
    }

    /// The contiguous runs of a shard, in ascending order: global start, local start, length.
    pub(crate) fn runs(&self, shard: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let (count, mut local) = (self.count(shard), 0);
        core::iter::from_fn(move || {
            (local < count).then(|| {
                let start = self.global(shard, local);
                let run = self.locate(start).run;
                let one = (start, local, run);
                local += run;
                one
            })
        })
    }

    /// The shard of a coordinate of the mesh.
    pub(crate) fn shard(&self, coordinate: &[usize], extents: &[usize]) -> usize {
        self.mesh.iter().fold(0, |shard, &mode| shard * extents[mode] + coordinate[mode])
    }

    /// Writes the coordinates of a shard in the modes of the mesh that this mode is placed on.
    pub(crate) fn write_shard(
        &self,
        mut shard: usize,
        extents: &[usize],
        coordinate: &mut [usize],
    ) {
        for &mode in self.mesh.iter().rev() {
            coordinate[mode] = shard % extents[mode];
            shard /= extents[mode];
        }
    }
}
