//! The common axes of two layouts: the arguments of the general kernel.

use layout_algebra::prelude::*;

/// One loop over both layouts. Strides in the target are not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Axis {
    pub extent: u64,
    pub from: i64,
    pub to: i64,
}

/// The loops of the general kernel, the target's fastest axis first. Pairs of layouts that are the
/// same function from offsets to offsets have equal axes, for any grouping and direction of modes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Axes(Vec<Axis>);

impl Axes {
    /// The axes of two layouts of one size, which is not 0. `None` if they have no common axes, or
    /// a stride is an XOR stride.
    pub fn new(from: &DynLayout, to: &DynLayout) -> Option<Axes> {
        let [from, to]: [DynLayout; 2] =
            DynLayout::mutual_refinement(&[from, to]).ok()?.try_into().ok()?;
        let signed = |stride: DynStride| match stride {
            DynStride::Natural(stride) => i64::try_from(stride).ok(),
            DynStride::Negative(stride) => i64::try_from(stride).ok().map(|stride| -stride),
            DynStride::Xor(_) => None,
        };
        let mut axes = Vec::new();
        let strides = from.strides().zip(to.strides());
        for (&extent, (from, to)) in from.shape().leaves().iter().zip(strides) {
            let (from, to) = (signed(from)?, signed(to)?);
            // Reversing the axis negates both strides.
            let sign = if (to, from) < (0, 0) { -1 } else { 1 };
            axes.push(Axis { extent: extent as u64, from: sign * from, to: sign * to });
        }
        axes.retain(|axis| axis.extent > 1);
        axes.sort_by_key(|axis| (axis.to, axis.from));
        // Two axes are merged if the second continues the first in both layouts.
        let goes_on = |a: &Axis, b: &Axis| {
            let after = |step: i64| i128::from(step) * i128::from(a.extent);
            after(a.from) == b.from.into() && after(a.to) == b.to.into()
        };
        let next = |axes: &[Axis]| {
            let mut pairs = (0..axes.len()).flat_map(|a| (0..axes.len()).map(move |b| (a, b)));
            pairs.find(|&(a, b)| a != b && goes_on(&axes[a], &axes[b]))
        };
        while let Some((a, b)) = next(&axes) {
            axes[a].extent = axes[a].extent.checked_mul(axes[b].extent)?;
            axes.remove(b);
        }
        Some(Axes(axes))
    }

    /// The axes, the target's fastest first.
    pub fn list(&self) -> &[Axis] {
        &self.0
    }

    /// The largest offset relative to the least one, on both sides.
    pub fn reach(&self) -> u128 {
        let side = |of: &dyn Fn(&Axis) -> i64| -> u128 {
            let span =
                |axis: &Axis| u128::from(of(axis).unsigned_abs()) * u128::from(axis.extent - 1);
            self.0.iter().map(span).sum()
        };
        side(&|axis| axis.from).max(side(&|axis| axis.to))
    }

    /// The number of elements.
    pub fn elements(&self) -> u128 {
        self.0.iter().map(|axis| u128::from(axis.extent)).product()
    }

    /// The offset of the first element in the source, relative to the least one. In the target it
    /// is 0.
    pub fn first(&self) -> i128 {
        let back = |axis: &Axis| i128::from(axis.from.min(0)) * (1 - i128::from(axis.extent));
        self.0.iter().map(back).sum()
    }

    /// The axes for vectors of up to `most` elements, a power of two, that are contiguous on both
    /// sides. Returns the elements of a vector, and the axes.
    #[cfg(any(feature = "cuda", test))]
    pub fn widened(&self, most: u64) -> (u64, Axes) {
        let mut axes = self.clone();
        let mut times = 1;
        while let Some(run) = axes.0.iter().position(|axis| (axis.from, axis.to) == (1, 1)) {
            let others = axes.0.iter().enumerate().filter(|(k, _)| *k != run);
            let steps = others.fold(0, |steps, (_, axis)| steps | axis.from | axis.to);
            let is_whole = (steps | axes.0[run].extent as i64) & 1 == 0;
            if times >= most || !is_whole {
                break;
            }
            times *= 2;
            axes.0[run].extent /= 2;
            for (k, axis) in axes.0.iter_mut().enumerate() {
                if k != run {
                    (axis.from, axis.to) = (axis.from / 2, axis.to / 2);
                }
            }
            axes.0.retain(|axis| axis.extent > 1);
        }
        (times, axes)
    }

    /// Both layouts, with one mode for each axis.
    pub fn layouts(&self) -> Result<[DynLayout; 2], LayoutError> {
        let list = |numbers: Vec<String>| match numbers.len() {
            0 => "1".to_string(),
            _ => format!("({})", numbers.join(",")),
        };
        let numbers = |of: &dyn Fn(&Axis) -> String| list(self.0.iter().map(of).collect());
        let extents = numbers(&|axis| axis.extent.to_string());
        let layout = |strides| format!("{extents}:{strides}").parse();
        let from = layout(numbers(&|axis| axis.from.to_string()))?;
        Ok([from, layout(numbers(&|axis| axis.to.to_string()))?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(from: &str, to: &str) -> Option<Vec<[i64; 3]>> {
        let [from, to] = [from, to].map(|text| text.parse::<DynLayout>().expect(text));
        let list = |axes: Axes| {
            axes.0.iter().map(|axis| [axis.extent as i64, axis.from, axis.to]).collect()
        };
        Axes::new(&from, &to).map(list)
    }

    #[test]
    fn pairs_of_one_function_have_equal_axes() {
        let transposed = axes("(4,6):(6,1)", "(4,6):(1,4)");
        assert_eq!(transposed, Some(vec![[4, 6, 1], [6, 1, 4]]));
        assert_eq!(axes("((2,2),6):((6,12),1)", "((2,2),6):((1,2),4)"), transposed);
        assert_eq!(axes("(4,1,(3,2)):(6,7,(1,3))", "(4,1,(3,2)):(1,9,(4,12))"), transposed);
        assert_eq!(axes("(4,6):(-6,-1)", "(4,6):(-1,-4)"), transposed);
        assert_eq!(axes("(4,6):(1,4)", "(4,6):(-1,-4)"), Some(vec![[24, -1, 1]]));
        assert_eq!(axes("(4,6):(0,1)", "(4,6):(-1,4)"), Some(vec![[4, 0, 1], [6, 1, 4]]));
        assert_eq!(axes("(1,1):(1,1)", "(1,1):(5,7)"), Some(vec![]));
        assert_eq!(axes("(4,6):(1,4)", "((2,2),6):((^1,^3),4)"), None);
        assert_eq!(axes("(35,99):(99,1)", "(21,165):(165,1)"), None);
    }

    #[test]
    fn wide_elements_are_whole_runs() {
        let widened = |from: &str, to: &str, most| {
            let [from, to] = [from, to].map(|text| text.parse().expect(text));
            let (times, axes) = Axes::new(&from, &to).expect("common axes").widened(most);
            (times, axes.0.iter().map(|axis| [axis.extent as i64, axis.from, axis.to]).collect())
        };
        let heads = ("(5,3,24):(72,24,1)", "(5,3,24):(24,120,1)");
        assert_eq!(widened(heads.0, heads.1, 16), (8, vec![[3, 1, 1], [5, 9, 3], [3, 3, 15]]));
        assert_eq!(widened(heads.0, heads.1, 4).0, 4);
        assert_eq!(widened("(4,6):(6,1)", "(4,6):(1,4)", 16).0, 1);
        assert_eq!(widened("16:1", "16:1", 16), (16, vec![]));
        assert_eq!(widened("(16,2):(1,-18)", "(16,2):(1,16)", 8), (2, vec![[8, 1, 1], [2, -9, 8]]));
    }

    #[test]
    fn layouts_of_axes_have_these_axes() {
        let pairs =
            [("(4,6):(6,1)", "(4,6):(1,4)"), ("(4,6):(1,4)", "(4,6):(-1,-4)"), ("1:0", "1:0")];
        for [from, to] in pairs.map(|(from, to)| [from, to].map(|text| text.parse().expect(text))) {
            let axes = Axes::new(&from, &to).expect("common axes");
            let [from, to] = axes.layouts().expect("layouts");
            assert_eq!(Axes::new(&from, &to), Some(axes));
        }
    }
}
