//! Boxes of elements, with strides in the memory of both sides, and lists of elements as boxes.

use alloc::vec::Vec;

/// A box of elements, with its offsets in the local memory before and after.
///
/// ```
/// use layout_algebra::layout;
/// use layout_mesh::{BlockCyclic, Distribution, Mesh, Plan, Shard};
/// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
/// let from = Distribution::new(&mesh, 8, [Shard(0)])?;
/// let to = Distribution::new(&mesh, 8, [BlockCyclic(0, 1)])?;
/// let plan = Plan::new(&from, &to)?;
/// let other = plan.sends().iter().find(|transfer| transfer.rank() == 1).unwrap();
/// let boxes = plan.boxes_sent(other); // 1 and 3 of 0 1 2 3, which become the first two of 1 3 5 7
/// assert_eq!((boxes[0].from, boxes[0].to, &boxes[0].modes[..]), (1, 0, &[(2, 2, 1)][..]));
/// # Ok::<(), layout_mesh::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxCopy {
    /// The offset of the first element before.
    pub from: usize,
    /// The offset of the first element after.
    pub to: usize,
    /// Extent, stride before, stride after.
    pub modes: Vec<(usize, usize, usize)>,
}

impl BoxCopy {
    /// The number of elements.
    ///
    /// ```
    /// let of = layout_mesh::BoxCopy { from: 0, to: 0, modes: vec![(2, 1, 4), (3, 2, 1)] };
    /// assert_eq!(of.size(), 6);
    /// ```
    pub fn size(&self) -> usize {
        self.modes.iter().map(|mode| mode.0).product()
    }
}

/// Pairs of offsets, before and after, as boxes in the same order.
pub(crate) fn boxes(pairs: &[(usize, usize)]) -> Vec<BoxCopy> {
    let runs = pairs.iter().map(|&(from, to)| BoxCopy { from, to, modes: Vec::new() });
    // Elements at constant strides become a mode, and boxes at constant strides one more mode.
    repeated(repeated(repeated(runs.collect())))
}

/// Merges boxes of equal modes at constant strides into one box with one more mode.
pub(crate) fn repeated(boxes: Vec<BoxCopy>) -> Vec<BoxCopy> {
    let mut all: Vec<BoxCopy> = Vec::new();
    // The mode that the last box of `all` is extended along: its number, and the position of the
    // next box.
    let mut open: Option<(usize, usize, usize)> = None;
    for one in boxes {
        let last = all.last_mut().filter(|last| one.from >= last.from && one.to >= last.to);
        match (last, &mut open) {
            (Some(last), Some((modes, from, to)))
                if last.modes.len() > *modes
                    && last.modes[..*modes] == one.modes[..]
                    && (*from, *to) == (one.from, one.to) =>
            {
                let mode = last.modes.last_mut().expect("one mode more");
                mode.0 += 1;
                (*from, *to) = (one.from + mode.1, one.to + mode.2);
            }
            (Some(last), Some((modes, ..)))
                if last.modes.len() == *modes && last.modes == one.modes =>
            {
                let (before, after) = (one.from - last.from, one.to - last.to);
                last.modes.push((2, before, after));
                open = Some((one.modes.len(), one.from + before, one.to + after));
            }
            _ => {
                open = Some((one.modes.len(), usize::MAX, usize::MAX));
                all.push(one);
            }
        }
    }
    all
}
