//! One mode of a tensor, placed: which shard has an element, and as which of its own.
//!
//! ```text
//! one step     from (shard, (within a block, which block)) to the index    (P, (b, C)) : (b, (1, b * P))
//! several      each is a step of the elements that the one before leaves to a shard
//! ```
//!
//! `b` is the size of a block, `P` the number of ranks that the mode is placed on, `C` the number
//! of blocks of each.

use alloc::vec::Vec;

use layout_algebra::prelude::*;

use crate::error::Error;
use crate::placement::Split;

/// One mode of a tensor, placed.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PlacedMode {
    /// The extent of the whole.
    pub(crate) extent: usize,
    /// The number of shards: of ranks that have different elements.
    pub(crate) shards: usize,
    /// The modes of the mesh that it is placed on, the last fastest.
    pub(crate) mesh: Vec<usize>,
    /// The steps, one at least.
    pub(crate) steps: Vec<Step>,
}

/// One step: the number of ranks, and what each of them has.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    shards: usize,
    /// The size of a block, or else of how many chunks there are.
    split: Result<usize, usize>,
}

/// Where an element is on one side: the shard, its number there, and how many elements go on so
/// from it on.
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

    /// How many of `length` in blocks of `block` a shard has.
    fn in_turns(self, length: usize, block: usize, shard: usize) -> usize {
        match block.checked_mul(self.shards) {
            Some(period) => {
                let rest = (length % period).saturating_sub(shard * block);
                length / period * block + rest.min(block)
            }
            None => length.saturating_sub(shard.saturating_mul(block)).min(block),
        }
    }

    /// The size of a chunk of `extent`, and how many are full.
    fn chunks(extent: usize, number: usize) -> (usize, usize) {
        let size = extent.div_ceil(number).max(1);
        (size, extent / size)
    }

    /// How many of `extent` elements a shard has.
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

    /// Where an element of `extent` is.
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
    /// Steps over some ranks each, in the order of the modes of the mesh that are given.
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
        // Shards of shards without a remainder are blocks, and a shard is a block each.
        let even = steps.iter().all(|step| step.split == Err(1)) && extent % shards == 0;
        if steps.len() < 2 && steps.iter().all(|step| step.split == Err(1)) || even {
            steps = [Step { shards, split: Ok(extent.div_ceil(shards).max(1)) }].into();
        }
        Ok(PlacedMode { extent, shards, mesh, steps })
    }

    /// The size of its blocks, if it is one step of blocks: then the closed forms hold.
    pub(crate) fn blocks_of(&self) -> Option<usize> {
        match self.steps[..] {
            [Step { split: Ok(block), .. }] => Some(block),
            _ => None,
        }
    }

    /// The blocks of each shard; one that is there for the sake of the layout if the mode is empty.
    fn blocks(&self, block: usize) -> usize {
        self.extent.div_ceil(block).div_ceil(self.shards).max(1)
    }

    /// `(P, (b, C)):(b, (1, b * P))`, times `stride`.
    pub(crate) fn layout(&self, stride: usize) -> Result<DynLayout, Error> {
        let block = self.blocks_of().ok_or(Error::NoLayout)?;
        let (step, turn) =
            (block.checked_mul(stride), self.period().and_then(|turn| turn.checked_mul(stride)));
        // A stride beyond `usize` is not taken where there is one block: the layout says so
        // otherwise.
        let (step, turn) = (step.unwrap_or(usize::MAX), turn.unwrap_or(usize::MAX));
        Ok(DynLayout::new((self.shards, (block, self.blocks(block))), (step, (stride, turn)))?)
    }

    /// How far apart two blocks of a shard lie.
    pub(crate) fn period(&self) -> Option<usize> {
        self.blocks_of()?.checked_mul(self.shards)
    }

    /// The extent rounded up to whole turns; as it is, where shards are no blocks.
    pub(crate) fn padded(&self) -> Option<usize> {
        match self.blocks_of() {
            Some(block) => self.period()?.checked_mul(self.blocks(block)),
            None => Some(self.extent),
        }
    }

    /// Which shard has the element, and as which of its own.
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

    /// The steps with the extent of each, and the shard's number in it.
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

    /// How many elements a shard has.
    pub(crate) fn count(&self, shard: usize) -> usize {
        self.digits(shard)
            .last()
            .map_or(self.extent, |&(step, extent, digit)| step.count(extent, digit))
    }

    /// The runs of neighbours that a shard has, as they come: global start, local start, length.
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

    /// Writes the coordinate of the mesh that a shard stands at, in the modes that this one is
    /// placed on.
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
