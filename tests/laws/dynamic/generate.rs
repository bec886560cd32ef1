//! Random layouts that shrink: to fewer modes, to flat ones, to smaller extents, to compact
//! strides.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::brute::{Plain, Tree};

/// Small extents, prime and composite, the frequent ones more than once.
const EXTENTS: [usize; 9] = [1, 2, 2, 3, 4, 4, 5, 6, 8];

/// A nesting of `leaves` leaves; `choices` 0 is a flat tuple.
fn nesting(leaves: usize, choices: &mut u64) -> Tree {
    let mut choose = |below: usize| {
        let choice = *choices % below as u64;
        *choices /= below as u64;
        choice as usize
    };
    if leaves == 1 {
        return if choose(4) == 1 { Tree::Tuple(vec![Tree::Leaf(0)]) } else { Tree::Leaf(0) };
    }
    // The first part; 0 and 1 are the same flat tuple, so that nesting is not the rule.
    let cut = choose(leaves + 1);
    if cut < 2 {
        return Tree::Tuple(vec![Tree::Leaf(0); leaves]);
    }
    if cut >= leaves {
        return Tree::Tuple(vec![nesting_of_rest(leaves - 1, choices), Tree::Leaf(0)]);
    }
    Tree::Tuple(vec![nesting_of_rest(cut, choices), nesting_of_rest(leaves - cut, choices)])
}

fn nesting_of_rest(leaves: usize, choices: &mut u64) -> Tree {
    if leaves == 1 { Tree::Leaf(0) } else { nesting(leaves, choices) }
}

/// How strides are chosen.
#[derive(Clone, Debug)]
enum Strides {
    /// Compact in some order; below each mode `padding` times the room; a mode is broadcast.
    Compact { order: Vec<usize>, padding: Vec<usize>, broadcast: Option<usize> },
    /// Any at all.
    Any(Vec<usize>),
}

fn strides(modes: usize) -> impl Strategy<Value = Strides> {
    let order = Just((0..modes).collect::<Vec<_>>()).prop_shuffle();
    let padding = vec(select(vec![1usize, 1, 1, 2, 3, 4]), modes);
    let broadcast = prop_oneof![3 => Just(None), 1 => (0..modes).prop_map(Some)];
    prop_oneof![
        4 => (order, padding, broadcast)
            .prop_map(|(order, padding, broadcast)| Strides::Compact { order, padding, broadcast }),
        1 => vec(select(vec![0usize, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24]), modes).prop_map(Strides::Any),
    ]
}

impl Strides {
    fn of(&self, extents: &[usize]) -> Vec<usize> {
        match self {
            Strides::Any(strides) => strides.clone(),
            Strides::Compact { order, padding, broadcast } => {
                let (mut strides, mut run) = (vec![0; extents.len()], 1);
                for &k in order {
                    run *= padding[k];
                    strides[k] = run;
                    run *= extents[k];
                }
                broadcast.iter().for_each(|&k| strides[k] = 0);
                strides
            }
        }
    }
}

/// A layout of up to `most` leaves.
pub(crate) fn layout(most: usize) -> impl Strategy<Value = Plain> {
    (1..=most)
        .prop_flat_map(|modes| (vec(select(EXTENTS.to_vec()), modes), strides(modes), any::<u64>()))
        .prop_map(|(extents, strides, mut choices)| {
            let tree = nesting(extents.len(), &mut choices);
            let strides = strides.of(&extents);
            Plain {
                shape: tree.filled(&mut extents.into_iter()),
                stride: tree.filled(&mut strides.into_iter()),
            }
        })
}

/// A layout of at most 96 coordinates, for laws that compare all pairs of them.
pub(crate) fn small_layout(most: usize) -> impl Strategy<Value = Plain> {
    layout(most).prop_filter("at most 96 coordinates", |l| l.size() <= 96)
}

/// A shape of up to `most` leaves.
pub(crate) fn shape(most: usize) -> impl Strategy<Value = Tree> {
    layout(most).prop_map(|l| l.shape)
}

/// A mode `n:d` that often divides a layout of `size`.
pub(crate) fn tile(size: usize) -> impl Strategy<Value = Plain> {
    let divisors: Vec<usize> = (1..=size).filter(|n| size % n == 0).collect();
    (select(divisors.clone()), select(divisors))
        .prop_map(|(n, d)| Plain { shape: Tree::Leaf(n), stride: Tree::Leaf(d) })
}

/// A layout, and a right operand for it: another layout, or a tile that often divides it.
pub(crate) fn pair() -> impl Strategy<Value = (Plain, Plain)> {
    small_layout(4).prop_flat_map(|a| {
        let size = a.size();
        (Just(a), prop_oneof![small_layout(3), tile(size)])
    })
}
