//! The tables of the kernels of all ranks for a redistribution, computed without a GPU.
//!
//! ```text
//! moves    a rank writes each of its pieces into the parts of all ranks that receive it
//! sums     the ranks that receive the same sums divide them: each reads the summands of its share
//!          from all peers, adds them, and writes the sums into the parts of all
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use bytemuck::cast_slice;
use half::{bf16, f16};
use layout_mesh::{BoxCopy, Distribution, Plan};

use crate::element::Element;
use crate::error::Error;
use crate::piece::{Form, Piece, pieces_of};

/// The most ranks of a group, as in `kernel.cu`.
pub(crate) const MOST_RANKS: usize = 32;
/// The most tiles of a rank.
const MOST_TILES: u64 = 1 << 30;
/// Shares of sums start at multiples of this number of vectors: 128 bytes of the widest vectors.
const SHARE: u32 = 8;

/// The plan of all ranks for a redistribution. A plan needs no GPU and contains no data.
///
/// ```
/// use layout_algebra::layout;
/// use layout_gpus::{Element, PushPlan};
/// use layout_mesh::{Distribution, Mesh, Replicate, Shard};
/// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
/// let rows = Distribution::new(&mesh, (2, 4), (Shard(0), Replicate))?; // 0 2 4 6 and 1 3 5 7
/// let columns = Distribution::new(&mesh, (2, 4), (Replicate, Shard(0)))?; // 0 1 2 3 and 4 5 6 7
/// let plan = PushPlan::new(&rows, &columns, Element::U8)?;
/// let mut parts = vec![vec![0; 4]; 2];
/// plan.run_on_host(&[vec![0, 2, 4, 6], vec![1, 3, 5, 7]], &mut parts)?;
/// assert_eq!(parts, [[0, 1, 2, 3], [4, 5, 6, 7]]);
/// assert_eq!(plan.bytes_sent(0), 2);
/// # Ok::<(), layout_gpus::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PushPlan {
    from: Distribution,
    to: Distribution,
    element: Element,
    /// The bytes of each rank's part, before and after.
    bytes: Vec<[usize; 2]>,
    tables: Vec<Table>,
}

/// The table of one rank's kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) pieces: Vec<Piece>,
    /// The inclusive prefix sums of the pieces' tiles.
    pub(crate) ends: Vec<u32>,
    /// Ranks: the sources and the targets of the pieces.
    pub(crate) list: Vec<u32>,
    /// The number of positions at which the list of tiles is read in turn.
    pub(crate) lanes: u32,
}

impl Table {
    fn push(&mut self, pieces: &[Piece], sources: &[usize], targets: &[usize]) {
        let first_source = self.list.len() as u32;
        let ranks = sources.iter().chain(targets).map(|&rank| rank as u32);
        self.list.extend(ranks);
        for &(mut piece) in pieces {
            (piece.sources, piece.targets) = (sources.len() as u32, targets.len() as u32);
            (piece.first_source, piece.first_target) = (first_source, first_source + piece.sources);
            self.pieces.push(piece);
        }
    }

    fn finish(&mut self) -> Result<(), Error> {
        let mut end = 0u64;
        for piece in &self.pieces {
            end += u64::from(piece.tiles());
            if end > MOST_TILES {
                return Err(Error::TooLarge(format!(
                    "a rank has more tiles in a redistribution than {MOST_TILES}"
                )));
            }
            self.ends.push(end as u32);
        }
        Ok(())
    }

    pub(crate) fn tiles(&self) -> u32 {
        self.ends.last().copied().unwrap_or(0)
    }

    fn ranks(&self, first: u32, count: u32) -> &[u32] {
        &self.list[first as usize..][..count as usize]
    }
}

/// A box as a key: offsets before and after, and modes.
type Key = (usize, usize, Vec<(usize, usize, usize)>);

/// Boxes with the ranks of each, in the order of insertion.
#[derive(Default)]
struct Boxes {
    places: HashMap<(Key, Vec<usize>), usize>,
    all: Vec<(BoxCopy, Vec<usize>, Vec<usize>)>,
}

impl Boxes {
    /// Adds a rank to the ranks of a box whose other ranks are `with`.
    fn add(&mut self, of: BoxCopy, with: &[usize], rank: usize) {
        let key = ((of.from, of.to, of.modes.clone()), with.to_vec());
        let place = *self.places.entry(key).or_insert(self.all.len());
        if place == self.all.len() {
            self.all.push((of, with.to_vec(), Vec::new()));
        }
        self.all[place].2.push(rank);
    }
}

impl PushPlan {
    /// The plan of a redistribution of `from` to `to`, the same for any rank of their meshes.
    ///
    /// # Errors
    /// Those of [`Plan::new`]; elements of no bytes, sums of [`Element::Bytes`], more than 32
    /// ranks.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_gpus::{Element, PushPlan};
    /// use layout_mesh::{BlockCyclic, Distribution, Mesh, Shard};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// let from = Distribution::new(&mesh, 4096, [BlockCyclic(0, 64)])?;
    /// let to = Distribution::new(&mesh, 4096, [BlockCyclic(0, 128)])?;
    /// assert_eq!(PushPlan::new(&from, &to, Element::F16)?.bytes_sent(1), 2 * 1024);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn new(from: &Distribution, to: &Distribution, element: Element) -> Result<Self, Error> {
        Self::of_plans(from, to, element, Plan::new)
    }

    /// The plan of a reshape: the elements in the order with the first mode fastest, in another
    /// shape.
    ///
    /// # Errors
    /// Those of [`Plan::reshaped`] and [`new`](PushPlan::new).
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_gpus::{Element, PushPlan};
    /// use layout_mesh::{Distribution, Mesh, Replicate, Shard};
    /// let mesh = Mesh::on_paper(4, 0, layout!(4))?;
    /// let from = Distribution::new(&mesh, (12, 8), (Shard(0), Replicate))?;
    /// let to = Distribution::new(&mesh, (16, 6), (Shard(0), Replicate))?;
    /// let plan = PushPlan::reshaped(&from, &to, Element::U8)?;
    /// assert_eq!((0..4).map(|rank| plan.bytes_sent(rank)).sum::<usize>(), 72);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn reshaped(
        from: &Distribution,
        to: &Distribution,
        element: Element,
    ) -> Result<Self, Error> {
        Self::of_plans(from, to, element, Plan::reshaped)
    }

    /// The plan of a slice: start, end and step for each mode.
    ///
    /// # Errors
    /// Those of [`Plan::sliced`] and [`new`](PushPlan::new).
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_gpus::{Element, PushPlan};
    /// use layout_mesh::{Distribution, Mesh, Shard};
    /// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
    /// let from = Distribution::new(&mesh, 8, [Shard(0)])?;
    /// let odd = Distribution::new(&mesh, 4, [Shard(0)])?;
    /// let plan = PushPlan::sliced(&from, &[[1, 8, 2]], &odd, Element::U8)?;
    /// let mut parts = vec![vec![0; 2]; 2];
    /// plan.run_on_host(&[vec![0, 1, 2, 3], vec![4, 5, 6, 7]], &mut parts)?;
    /// assert_eq!(parts, [[1, 3], [5, 7]]);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn sliced(
        from: &Distribution,
        slices: &[[usize; 3]],
        to: &Distribution,
        element: Element,
    ) -> Result<Self, Error> {
        Self::of_plans(from, to, element, |from, to| Plan::sliced(from, slices, to))
    }

    fn of_plans(
        from: &Distribution,
        to: &Distribution,
        element: Element,
        plan: impl Fn(&Distribution, &Distribution) -> Result<Plan, layout_mesh::Error>,
    ) -> Result<Self, Error> {
        let ranks = from.mesh().world_size();
        if ranks > MOST_RANKS {
            return Err(Error::Ranks { given: ranks, needed: format!("at most {MOST_RANKS}") });
        }
        let is_bytes = matches!(element, Element::Bytes(_));
        if element.bytes() == 0 || from.is_partial() && is_bytes {
            return Err(Error::Element(element));
        }
        let ranks = 0..ranks.max(to.mesh().world_size());
        let plans = ranks
            .clone()
            .map(|rank| plan(&from.seen_from(rank)?, &to.seen_from(rank)?))
            .collect::<Result<Vec<Plan>, _>>()?;
        let size = |side: &Distribution| {
            let size = side.local_shape().iter().try_fold(element.bytes(), |size, &extent| {
                size.checked_mul(extent).filter(|&size| isize::try_from(size).is_ok())
            });
            size.ok_or_else(|| Error::TooLarge(format!("a part of {side} has too many bytes")))
        };
        let bytes = plans.iter().map(|plan| Ok([size(plan.from())?, size(plan.to())?]));
        let bytes = bytes.collect::<Result<Vec<_>, Error>>()?;
        let mut tables = vec![Table { lanes: 1, ..Table::default() }; ranks.len()];
        if from.is_partial() {
            add_up(&plans, element, &mut tables);
        } else {
            for (rank, (plan, table)) in plans.iter().zip(&mut tables).enumerate() {
                let mut boxes = Boxes::default();
                for transfer in plan.sends() {
                    plan.boxes_sent(transfer)
                        .into_iter()
                        .for_each(|of| boxes.add(of, &[], transfer.rank()));
                }
                for (of, _, targets) in boxes.all {
                    table.push(&pieces_of(&of, element, false), &[rank], &targets);
                }
                table.lanes = plan.sends().len().max(1) as u32;
            }
        }
        tables.iter_mut().try_for_each(Table::finish)?;
        Ok(PushPlan { from: from.clone(), to: to.clone(), element, bytes, tables })
    }

    /// The distribution before.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_gpus::{Element, PushPlan};
    /// use layout_mesh::{Distribution, Mesh, Shard};
    /// let whole = Distribution::new(&Mesh::on_paper(2, 0, layout!(2))?, 8, [Shard(0)])?;
    /// assert_eq!(PushPlan::new(&whole, &whole, Element::U8)?.from(), &whole);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn from(&self) -> &Distribution {
        &self.from
    }

    /// The distribution after.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_gpus::{Element, PushPlan};
    /// use layout_mesh::{Distribution, Mesh, Shard};
    /// let whole = Distribution::new(&Mesh::on_paper(2, 0, layout!(2))?, 8, [Shard(0)])?;
    /// assert_eq!(PushPlan::new(&whole, &whole, Element::U8)?.to(), &whole);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn to(&self) -> &Distribution {
        &self.to
    }

    /// The elements.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_gpus::{Element, PushPlan};
    /// use layout_mesh::{Distribution, Mesh, Shard};
    /// let whole = Distribution::new(&Mesh::on_paper(2, 0, layout!(2))?, 8, [Shard(0)])?;
    /// assert_eq!(PushPlan::new(&whole, &whole, Element::U8)?.element(), Element::U8);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn element(&self) -> Element {
        self.element
    }

    /// The bytes that the kernel of a rank writes to its peers and reads from them.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_gpus::{Element, PushPlan};
    /// use layout_mesh::{Distribution, Mesh, Replicate};
    /// let whole = Distribution::new(&Mesh::on_paper(4, 0, layout!(4))?, 4096, [Replicate])?;
    /// let plan = PushPlan::new(&whole.clone().partial(0)?, &whole, Element::F32)?;
    /// assert_eq!(plan.bytes_sent(0), 4096 * 6); // an all-reduce: a quarter, to three, from three
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such rank.
    pub fn bytes_sent(&self, rank: usize) -> usize {
        let (table, mut sent) = (&self.tables[rank], 0);
        for piece in &table.pieces {
            let others = |first, count| {
                let ranks = table.ranks(first, count);
                ranks.iter().filter(|&&other| other as usize != rank).count()
            };
            let peers = others(piece.first_source, piece.sources)
                + others(piece.first_target, piece.targets);
            sent += piece.bytes() * peers;
        }
        sent
    }

    pub(crate) fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Executes the tables on the host: `from` and `to` are the bytes of all ranks' parts.
    ///
    /// # Errors
    /// If the number of parts is not that of the ranks, or a part has the wrong number of bytes.
    ///
    /// ```
    /// use layout_algebra::layout;
    /// use layout_gpus::{Element, PushPlan};
    /// use layout_mesh::{Distribution, Mesh, Replicate};
    /// let whole = Distribution::new(&Mesh::on_paper(2, 0, layout!(2))?, 1, [Replicate])?;
    /// let plan = PushPlan::new(&whole.clone().partial(0)?, &whole, Element::F32)?;
    /// let parts = [1.5f32, 2.0].map(|part| part.to_le_bytes().to_vec());
    /// let mut sums = vec![vec![0; 4]; 2];
    /// plan.run_on_host(&parts, &mut sums)?;
    /// assert_eq!(sums, [3.5f32.to_le_bytes(); 2]);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn run_on_host(&self, from: &[Vec<u8>], to: &mut [Vec<u8>]) -> Result<(), Error> {
        let parts = from.iter().map(|part| (part.len(), 0));
        let parts = parts.chain(to.iter().map(|part| (part.len(), 1)));
        if from.len() != self.bytes.len() || to.len() != self.bytes.len() {
            let needed = self.bytes.len().to_string();
            return Err(Error::Ranks { given: from.len().min(to.len()), needed });
        }
        for (k, (given, side)) in parts.enumerate() {
            let rank = k % self.bytes.len();
            self.check_part(rank, side, given)?;
        }
        for table in &self.tables {
            for piece in &table.pieces {
                let sources = table.ranks(piece.first_source, piece.sources);
                let targets = table.ranks(piece.first_target, piece.targets);
                for number in piece.first..piece.first + piece.units {
                    piece.for_each_run(number, |before, after, bytes| {
                        let of = |&rank: &u32| &from[rank as usize][before..before + bytes];
                        let moved = match piece.form() {
                            Form::Sums(element, _) => sum(sources.iter().map(of), element),
                            _ => of(&sources[0]).to_vec(),
                        };
                        for &rank in targets {
                            to[rank as usize][after..after + bytes].copy_from_slice(&moved);
                        }
                    });
                }
            }
        }
        Ok(())
    }

    /// Checks that the rank's part has this number of bytes: the part before if `side` is 0,
    /// otherwise the part after.
    pub(crate) fn check_part(&self, rank: usize, side: usize, given: usize) -> Result<(), Error> {
        let needed = self.bytes[rank][side];
        if given == needed {
            return Ok(());
        }
        let side = ["before", "after"][side];
        Err(Error::Tensor(format!("rank {rank} has {needed} bytes {side}, and not {given}")))
    }
}

/// The bytes of all ranks by form: the forms determine the speed of a plan.
///
/// ```
/// use layout_algebra::layout;
/// use layout_gpus::{Element, PushPlan};
/// use layout_mesh::{Distribution, Mesh, Replicate, Shard};
/// let mesh = Mesh::on_paper(2, 0, layout!(2))?;
/// let rows = Distribution::new(&mesh, (64, 65), (Shard(0), Replicate))?;
/// let columns = Distribution::new(&mesh, (64, 65), (Replicate, Shard(0)))?;
/// let plan = PushPlan::new(&rows, &columns, Element::U8)?;
/// assert_eq!(plan.to_string(), "vectors of 16 bytes: 4160 bytes");
/// let turned = Distribution::new(&mesh, (65, 64), (Replicate, Shard(0)))?.select(&[1, 0])?;
/// let plan = PushPlan::new(&rows, &turned, Element::U8)?;
/// assert_eq!(plan.to_string(), "transposes of 1 byte: 4160 bytes");
/// # Ok::<(), layout_gpus::Error>(())
/// ```
impl fmt::Display for PushPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut forms = BTreeMap::new();
        for piece in self.tables.iter().flat_map(|table| &table.pieces) {
            let bytes = forms.entry(piece.form_bit()).or_insert((piece.form(), 0));
            bytes.1 += piece.bytes() * piece.targets as usize;
        }
        for (k, (form, bytes)) in forms.values().enumerate() {
            f.write_str(if k > 0 { "; " } else { "" })?;
            let (word, unit) = match form {
                Form::Vectors(unit) => ("vectors", unit),
                Form::Rows(unit) => ("shifted rows", unit),
                Form::Transpose(unit) => ("transposes", unit),
                Form::Sums(_, unit) => ("sums", unit),
            };
            let plural = if *unit == 1 { "" } else { "s" };
            write!(f, "{word} of {unit} byte{plural}: {bytes} bytes")?;
        }
        Ok(())
    }
}

/// The tables of sums. A rank receives the same boxes from all ranks with summands, and ranks that
/// receive the same boxes divide the work.
fn add_up(plans: &[Plan], element: Element, tables: &mut [Table]) {
    let mut boxes = Boxes::default();
    for (rank, plan) in plans.iter().enumerate() {
        let mut summands = Boxes::default();
        for transfer in plan.receives() {
            let received = plan.boxes_received(transfer).into_iter();
            received.for_each(|of| summands.add(of, &[], transfer.rank()));
        }
        for (of, _, mut sources) in summands.all {
            sources.sort_unstable();
            boxes.add(of, &sources, rank);
        }
    }
    for (of, sources, targets) in boxes.all {
        for mut piece in pieces_of(&of, element, true) {
            let all = piece.units;
            let share = all.div_ceil(targets.len() as u32).next_multiple_of(SHARE);
            for (k, &rank) in targets.iter().enumerate() {
                piece.first = share.saturating_mul(k as u32).min(all);
                piece.units = share.min(all - piece.first);
                if piece.units > 0 {
                    // Each rank starts with another target.
                    let mut others = targets.clone();
                    others.rotate_left((k + 1) % targets.len());
                    tables[rank].push(&[piece], &sources, &others);
                }
            }
        }
    }
}

/// The sum of runs of elements, in 32-bit floats and in this order.
fn sum<'a>(runs: impl Iterator<Item = &'a [u8]>, element: Element) -> Vec<u8> {
    let values = |run: &[u8]| -> Vec<f32> {
        let pair = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
        match element {
            Element::F16 => run.chunks(2).map(|half| f16::from_bits(pair(half)).to_f32()).collect(),
            Element::Bf16 => {
                run.chunks(2).map(|half| bf16::from_bits(pair(half)).to_f32()).collect()
            }
            _ => run.chunks(4).map(bytemuck::pod_read_unaligned::<f32>).collect(),
        }
    };
    let add = |sum: Vec<f32>, one: Vec<f32>| sum.iter().zip(&one).map(|(a, b)| a + b).collect();
    let sums = runs.map(values).reduce(add).unwrap_or_default();
    let halves = |half: fn(f32) -> u16| {
        sums.iter().flat_map(|&sum| half(sum).to_le_bytes()).collect::<Vec<u8>>()
    };
    match element {
        Element::F16 => halves(|sum| f16::from_f32(sum).to_bits()),
        Element::Bf16 => halves(|sum| bf16::from_f32(sum).to_bits()),
        _ => cast_slice(&sums).to_vec(),
    }
}
