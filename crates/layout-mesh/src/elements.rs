//! Plans of reshapes and slices: they enumerate the elements of a rank, and merge them into boxes.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use crate::distribution::Distribution;
use crate::error::{Error, MOST_ELEMENTS, tuple};
use crate::plan::Plan;

/// How the elements of two tensors correspond.
enum Through<'a> {
    /// A reshape: the same elements with the first mode fastest, in another shape.
    Reshape,
    /// A slice: start, end and step in each mode.
    Slice(&'a [[usize; 3]]),
}

impl Through<'_> {
    /// The coordinate after, if the slice contains the element.
    fn forward(&self, global: &[usize], from: &[usize], to: &[usize]) -> Option<Vec<usize>> {
        match self {
            Through::Reshape => Some(coordinate(number(global, from), to)),
            Through::Slice(slices) => {
                let one = |(&g, &[start, end, step]): (&usize, &[usize; 3])| {
                    let is_in = (start..end).contains(&g) && (g - start) % step == 0;
                    is_in.then(|| (g - start) / step)
                };
                global.iter().zip(*slices).map(one).collect()
            }
        }
    }

    /// The coordinate before.
    fn back(&self, global: &[usize], from: &[usize], to: &[usize]) -> Vec<usize> {
        match self {
            Through::Reshape => coordinate(number(global, to), from),
            Through::Slice(slices) => {
                global.iter().zip(*slices).map(|(g, &[start, _, step])| start + g * step).collect()
            }
        }
    }
}

fn number(coordinate: &[usize], shape: &[usize]) -> usize {
    coordinate.iter().zip(shape).rev().fold(0, |number, (c, extent)| number * extent + c)
}

fn coordinate(mut number: usize, shape: &[usize]) -> Vec<usize> {
    let digit = |&extent: &usize| {
        let digit = number % extent;
        number /= extent;
        digit
    };
    shape.iter().map(digit).collect()
}

impl Plan {
    /// The plan of a reshape: from a tensor to one of another shape of the same size. Elements are
    /// in the order with the first mode fastest on both sides. For equal shapes it is
    /// [`new`](Plan::new).
    ///
    /// # Errors
    /// If the sizes differ, or a rank has more than 2^24 elements, which are enumerated; the errors
    /// of [`new`](Plan::new).
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, Mesh, Plan, Replicate, Shard};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// let from = Distribution::new(&mesh, (12, 8), (Shard(0), Replicate))?;
    /// let to = Distribution::new(&mesh, (16, 6), (Shard(0), Replicate))?;
    /// let plan = Plan::reshaped(&from, &to)?; // 24 of all 96 elements stay, 6 of them here
    /// assert_eq!(plan.elements_sent(), 18);
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn reshaped(from: &Distribution, to: &Distribution) -> Result<Plan, Error> {
        let (before, after) = (from.shape(), to.shape());
        if before == after {
            return Plan::new(from, to);
        }
        let size = |shape: &[usize]| shape.iter().product::<usize>();
        if size(&before) != size(&after) {
            return Err(Error::Shapes { from: tuple(&before), to: tuple(&after) });
        }
        by_elements(from, to, &Through::Reshape)
    }

    /// The plan of a slice: start, end and step for each mode.
    /// `[[1, 8, 2], [0, 4, 1]]` is NumPy's `[1:8:2, 0:4]`.
    ///
    /// # Errors
    /// If the number of slices is not that of the modes, a step is 0, a slice exceeds its mode, or
    /// the shape of `to` is not that of the slices; if a rank has more than 2^24 elements, which
    /// are enumerated; the errors of [`new`](Plan::new).
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_mesh::{Distribution, Mesh, Plan, Shard};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let from = Distribution::new(&mesh, 10, [Shard(0)])?;
    /// let odd = Distribution::new(&mesh, 5, [Shard(0)])?; // 1 3 5 and 7 9
    /// let plan = Plan::sliced(&from, &[[1, 10, 2]], &odd)?;
    /// assert_eq!((plan.elements_sent(), plan.receives().len()), (0, 2));
    /// # Ok::<(), layout_mesh::Error>(())
    /// ```
    pub fn sliced(
        from: &Distribution,
        slices: &[[usize; 3]],
        to: &Distribution,
    ) -> Result<Plan, Error> {
        let (shape, given) = (from.shape(), slices.len());
        if given != shape.len() {
            return Err(Error::Modes { what: "slices", given, needed: shape.len() });
        }
        let of = |(mode, (&slice, &extent)): (usize, (&[usize; 3], &usize))| match slice {
            [start, end, step] if step > 0 && start <= end && end <= extent => {
                Ok((end - start).div_ceil(step))
            }
            _ => Err(Error::Slice { mode, slice, extent }),
        };
        let sliced: Vec<usize> =
            slices.iter().zip(&shape).enumerate().map(of).collect::<Result<_, _>>()?;
        if sliced != to.shape() {
            return Err(Error::Shapes { from: tuple(&sliced), to: tuple(&to.shape()) });
        }
        by_elements(from, to, &Through::Slice(slices))
    }
}

fn by_elements(
    from: &Distribution,
    to: &Distribution,
    through: &Through<'_>,
) -> Result<Plan, Error> {
    let mut plan = Plan::empty(from, to)?;
    for side in [from, to] {
        let elements = side.local_shape().iter().product();
        if elements > MOST_ELEMENTS {
            return Err(Error::Elements { elements });
        }
    }
    let (before, after) = (from.shape(), to.shape());
    // The offset of an element in the memory of the rank at this coordinate of the mesh.
    let offset = |side: &Distribution, at: &[usize], global: &[usize]| -> usize {
        let strides = side.local_strides(&side.local_shape_at(at));
        side.modes()
            .iter()
            .zip(global)
            .zip(strides)
            .map(|((mode, &g), stride)| mode.locate(g).local * stride)
            .sum()
    };
    let place = |side: &Distribution, global: &[usize], coordinate: &mut [usize]| {
        let extents = side.mesh().extents();
        for (mode, &g) in side.modes().iter().zip(global) {
            mode.write_shard(mode.locate(g).shard, &extents, coordinate);
        }
    };
    let mut found: [BTreeMap<usize, Vec<(usize, usize)>>; 2] = Default::default();
    if let Some(own) = from.mesh().coordinates() {
        let copies = to.copied();
        let extents = to.mesh().extents();
        in_order(from, |global| {
            let Some(there) = through.forward(global, &before, &after) else { return };
            let start = offset(from, &own, global);
            let mut at = vec![0; extents.len()];
            place(to, &there, &mut at);
            let count: usize = copies.iter().map(|&mode| extents[mode]).product();
            for mut number in 0..count {
                for &mode in &copies {
                    at[mode] = number % extents[mode];
                    number /= extents[mode];
                }
                let receiver = to.mesh().rank_at(&at).expect("a coordinate of the mesh");
                if plan.sends_to(&own, receiver) {
                    found[0].entry(receiver).or_default().push((start, offset(to, &at, &there)));
                }
            }
        });
    }
    if let Some(own) = to.mesh().coordinates() {
        in_order(to, |global| {
            let (there, end) = (through.back(global, &before, &after), offset(to, &own, global));
            plan.for_each_sender(to.mesh().rank(), |at| {
                place(from, &there, at);
                let sender = from.mesh().rank_at(at).expect("a coordinate of the mesh");
                found[1].entry(sender).or_default().push((offset(from, at, &there), end));
            });
        });
    }
    let [sends, receives] = found;
    plan.list(sends, receives);
    Ok(plan)
}

/// All elements of this rank, by their global coordinate, the first mode fastest.
fn in_order(side: &Distribution, mut f: impl FnMut(&[usize])) {
    let places: Vec<usize> = (0..side.modes().len()).collect();
    let straight = side.in_order_of(&places);
    straight.for_each_coordinate(|_, global| f(global));
}
