//! Brute force: the definition of a layout, independent of the engine.
//!
//! A `Plain` layout is a pair of trees; everything is computed by walking all coordinates. Nothing
//! here calls an operation of the crate.

use layout_algebra::prelude::*;

/// A nested tuple of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    Leaf(usize),
    Tuple(Vec<Tree>),
}

impl Tree {
    pub(crate) fn leaves(&self) -> Vec<usize> {
        match self {
            Tree::Leaf(n) => vec![*n],
            Tree::Tuple(ts) => ts.iter().flat_map(Tree::leaves).collect(),
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.leaves().into_iter().product()
    }

    pub(crate) fn children(&self) -> Vec<Tree> {
        match self {
            Tree::Leaf(_) => vec![self.clone()],
            Tree::Tuple(ts) => ts.clone(),
        }
    }

    pub(crate) fn depth(&self) -> usize {
        match self {
            Tree::Leaf(_) => 0,
            Tree::Tuple(ts) => 1 + ts.iter().map(Tree::depth).max().unwrap_or(0),
        }
    }

    /// The same profile with other leaves.
    pub(crate) fn filled(&self, leaves: &mut impl Iterator<Item = usize>) -> Tree {
        match self {
            Tree::Leaf(_) => Tree::Leaf(leaves.next().expect("a leaf for each leaf")),
            Tree::Tuple(ts) => Tree::Tuple(ts.iter().map(|t| t.filled(leaves)).collect()),
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Tree::Leaf(n) => n.to_string(),
            Tree::Tuple(ts) => {
                format!("({})", ts.iter().map(Tree::text).collect::<Vec<_>>().join(","))
            }
        }
    }

    pub(crate) fn of(shape: &DynShape) -> Tree {
        match shape.as_leaf() {
            Some(n) => Tree::Leaf(n),
            None => Tree::Tuple(shape.children().map(|child| Tree::of(&child)).collect()),
        }
    }

    pub(crate) fn to_shape(&self) -> DynShape {
        self.text().parse().expect("a tree prints as a tree")
    }
}

/// `b` refines shape `a`.
pub(crate) fn compatible(a: &Tree, b: &Tree) -> bool {
    match (a, b) {
        (Tree::Leaf(n), _) => *n == b.size(),
        (Tree::Tuple(xs), Tree::Tuple(ys)) => {
            xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| compatible(x, y))
        }
        _ => false,
    }
}

/// The profile of `a` coarsens that of `b`.
pub(crate) fn weakly_congruent(a: &Tree, b: &Tree) -> bool {
    match (a, b) {
        (Tree::Leaf(_), _) => true,
        (Tree::Tuple(xs), Tree::Tuple(ys)) => {
            xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| weakly_congruent(x, y))
        }
        _ => false,
    }
}

/// Colexicographic; the last mode takes the whole quotient.
pub(crate) fn idx2crd(i: usize, shape: &Tree) -> Tree {
    let Tree::Tuple(ts) = shape else { return Tree::Leaf(i) };
    let (mut i, mut out) = (i, Vec::new());
    for (k, t) in ts.iter().enumerate() {
        let last = k + 1 == ts.len();
        out.push(idx2crd(if last { i } else { i % t.size() }, t));
        i /= if last { 1 } else { t.size() };
    }
    Tree::Tuple(out)
}

/// The offset of a coordinate.
pub(crate) fn crd2idx(c: &Tree, shape: &Tree, stride: &Tree) -> usize {
    match (c, shape, stride) {
        (Tree::Leaf(n), Tree::Leaf(_), Tree::Leaf(d)) => n * d,
        (Tree::Leaf(n), _, _) => crd2idx(&idx2crd(*n, shape), shape, stride),
        (Tree::Tuple(cs), Tree::Tuple(ss), Tree::Tuple(ds)) => {
            cs.iter().zip(ss).zip(ds).map(|((c, s), d)| crd2idx(c, s, d)).sum()
        }
        _ => panic!("{} does not weakly match {}", c.text(), shape.text()),
    }
}

/// A layout as a pair of trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    pub(crate) shape: Tree,
    pub(crate) stride: Tree,
}

impl Plain {
    pub(crate) fn of(layout: &DynLayout) -> Plain {
        Plain { shape: Tree::of(&layout.shape()), stride: Tree::of(&layout.stride()) }
    }

    pub(crate) fn text(&self) -> String {
        format!("{}:{}", self.shape.text(), self.stride.text())
    }

    pub(crate) fn to_layout(&self) -> DynLayout {
        self.text().parse().expect("a layout prints as a layout")
    }

    pub(crate) fn size(&self) -> usize {
        self.shape.size()
    }

    pub(crate) fn at(&self, i: usize) -> usize {
        crd2idx(&Tree::Leaf(i), &self.shape, &self.stride)
    }

    /// The offsets of all coordinates, in order: those of the modes so far, once for each number of
    /// the next mode.
    pub(crate) fn offsets(&self) -> Vec<usize> {
        if self.size() == 0 {
            return vec![];
        }
        let mut offsets = vec![0];
        for (extent, step) in self.modes() {
            let before = offsets.len();
            for number in 1..extent {
                for k in 0..before {
                    offsets.push(offsets[k] + number * step);
                }
            }
        }
        offsets
    }

    pub(crate) fn modes(&self) -> Vec<(usize, usize)> {
        self.shape.leaves().into_iter().zip(self.stride.leaves()).collect()
    }

    /// Mode `k`.
    pub(crate) fn mode(&self, k: usize) -> Plain {
        Plain { shape: self.shape.children()[k].clone(), stride: self.stride.children()[k].clone() }
    }
}

/// The offsets of a layout of the engine, by brute force.
pub(crate) fn offsets(layout: &DynLayout) -> Vec<usize> {
    Plain::of(layout).offsets()
}

pub(crate) fn sorted(mut values: Vec<usize>) -> Vec<usize> {
    values.sort_unstable();
    values
}

/// All different values, sorted.
pub(crate) fn image(values: Vec<usize>) -> Vec<usize> {
    let mut values = sorted(values);
    values.dedup();
    values
}

/// Are all values different?
pub(crate) fn is_injective(values: &[usize]) -> bool {
    image(values.to_vec()).len() == values.len()
}

/// Is this sequence of offsets a layout function? Its first coalesced mode is the longest linear
/// run.
pub(crate) fn representable(values: &[usize]) -> bool {
    let mut values = values.to_vec();
    if values[0] != 0 {
        return false;
    }
    while values.len() > 1 {
        let run = (1..values.len()).take_while(|&k| values[k] == k * values[1]).count() + 1;
        if values.len() % run != 0 {
            return false;
        }
        let rest: Vec<usize> = values.iter().copied().step_by(run).collect();
        if (0..values.len()).any(|i| values[i] != values[i % run] + rest[i / run]) {
            return false;
        }
        values = rest;
    }
    true
}

/// Does any `R` with `R(c) = A(B(c))` and a compatible shape exist?
pub(crate) fn composable(a: &Plain, b: &Plain) -> bool {
    let parts: Vec<Vec<usize>> =
        b.modes().iter().map(|&(s, d)| (0..s).map(|i| a.at(i * d)).collect()).collect();
    let extents = Tree::Tuple(b.shape.leaves().into_iter().map(Tree::Leaf).collect());
    parts.iter().all(|part| representable(part))
        && (0..b.size()).all(|i| {
            let c = idx2crd(i, &extents).leaves();
            a.at(b.at(i)) == parts.iter().zip(c).map(|(part, k)| part[k]).sum::<usize>()
        })
}

#[test]
fn offsets_in_order_are_those_of_the_coordinates() {
    let tree = |text: &str| Tree::of(&text.parse().expect("a tree"));
    for (shape, stride) in [
        ("5", "3"),
        ("(4,1,3)", "(2,7,9)"),
        ("((2,3),(4,(5,2)))", "((1,0),(6,(4,2)))"),
        ("(3,0)", "(1,1)"),
    ] {
        let plain = Plain { shape: tree(shape), stride: tree(stride) };
        assert_eq!(
            plain.offsets(),
            (0..plain.size()).map(|i| plain.at(i)).collect::<Vec<_>>(),
            "{}",
            plain.text()
        );
    }
}
