//! C = A * B for matrices in any order: five loops around a register block. Each loop runs over the
//! tiles of one layout, and a tile is a layout again:
//!
//! ```text
//! matrix             (m,k):(1,m)                                  column-major; row-major is (m,k):(k,1)
//! blocks             ((mc,kc),(m/mc,k/kc)):((1,m),(mc,kc*m))      zipped_divide(matrix, <mc,kc>): a block fits a cache
//! panels             ((MR,kc),(mc/MR,1)):((1,m),(MR,0))           zipped_divide(block, <MR,kc>)
//! packed panels      ((MR,kc),(mc/MR,1)):((1,MR),(MR*kc,0))       the same shape, compact
//! register block     ((LEN,MV),NR):((1,LEN),m)                    compose(tile of C, <(LEN,MV),NR>)
//! ```
//!
//! Read `tiles` first, then this file, `block`, `kernel` and `pack`; the registers are those of
//! `layout-registers`. `fixed` is the product of matrices whose layouts are static, `cores` the one
//! on several cores.

mod block;
pub mod caches;
pub mod cores;
pub mod fixed;
mod kernel;
mod pack;
pub mod tiles;
pub use layout_registers as vector;

use block::Output;
use caches::Caches;
pub use kernel::Blocks;
use kernel::{Kernel, Panels};
use layout_algebra::prelude::*;
use tiles::{Matrix, Tiles, dynamic, fits, transposed, unit_rows};
use vector::{Element, Isa};

/// The instruction sets that there is a register block for, the fastest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    Avx512,
    Avx2,
    Portable,
}
impl InstructionSet {
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Portable];

    /// Whether this processor has it.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        match self {
            Self::Avx512 => return vector::Avx512::detect().is_some(),
            Self::Avx2 => return vector::Avx2::detect().is_some(),
            Self::Portable => {}
        }
        self == Self::Portable
    }
    /// Those that this processor has.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|set| set.is_available())
    }
}

/// How large the blocks are, and when a block is worth packing.
#[derive(Clone, Copy, Debug)]
pub struct Blocking {
    /// The most rows, steps of k and columns of a block.
    pub mc: usize,
    pub kc: usize,
    pub nc: usize,
    /// A block is packed if it is read more often than this, and if its order asks for it.
    pub reads: usize,
}
impl Blocking {
    /// For this machine. Only the registers of AVX-512 are faster than the third-level cache: for
    /// narrower ones large blocks are best, whatever the second-level cache is. (On an EPYC with
    /// 512 KiB, blocks that fit it take 1.1 to 1.3 times as long at 1024 and 2048.)
    pub fn of<E: Element>(set: InstructionSet) -> Self {
        let caches =
            if set == InstructionSet::Avx512 { Caches::of_this_machine() } else { Caches::LARGE };
        Self::within::<E>(caches)
    }

    /// A panel of B, `kc` steps of some columns, is read for each panel of A and has to stay in the
    /// first-level cache: 384 steps for 32 KiB, 512 for 48 KiB. A block of A takes at most half of
    /// the second-level cache: `mc` rows of 512 steps.
    pub fn within<E: Element>(Caches { first, second }: Caches) -> Self {
        let kc = (first / 96).next_multiple_of(128).clamp(128, 512);
        let mc = (second / 2 / 512 / size_of::<E>()).max(32);
        Blocking { mc, kc, nc: 4096, reads: 16 }
    }
}

/// The bytes of a page.
const PAGE: usize = 4096;

/// Memory for packed panels, kept from product to product: fresh pages cost more than a small
/// product.
#[derive(Default)]
pub struct Workspace<E>(Vec<E>);
impl<E: Element> Workspace<E> {
    /// Two pieces, each of which begins a page.
    fn pieces(&mut self, first: usize, second: usize) -> (&mut [E], &mut [E]) {
        let first_pages = first.next_multiple_of(PAGE / size_of::<E>());
        let length = first_pages + second + PAGE / size_of::<E>();
        if self.0.len() < length {
            self.0 = vec![E::default(); length];
        }
        let start = self.0.as_ptr().align_offset(PAGE);
        self.0[start..].split_at_mut(first_pages)
    }
}

/// Runs code with `$K` the register block for a C of `$m` rows.
macro_rules! with_kernel {
    ($set:expr, $E:ident, $m:expr, $K:ident => $run:expr) => {
        match $set {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 if $m <= <$E as Blocks>::Avx512Short::MR => {
                type $K<$E> = <$E as Blocks>::Avx512Short;
                $run
            }
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => {
                type $K<$E> = <$E as Blocks>::Avx512Tall;
                $run
            }
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => {
                type $K<$E> = <$E as Blocks>::Avx2;
                $run
            }
            _ => {
                type $K<$E> = <$E as Blocks>::Portable;
                $run
            }
        }
    };
}

/// C = A * B: layouts of (m, k), (k, n) and (m, n), and the memory that they map to. C has to be
/// row- or column-major.
///
/// # Panics
/// If the shapes do not match, or a layout leaves its memory.
pub fn product<E: Blocks>(
    set: InstructionSet,
    blocking: Blocking,
    workspace: &mut Workspace<E>,
    a: (&[E], Matrix),
    b: (&[E], Matrix),
    c: (&mut [E], Matrix),
) {
    any_product(set, blocking, workspace, a, b, c, false);
}

/// C += A * B, else as [`product`].
#[allow(
    dead_code,
    reason = "for products in parts, as `crates/layout-mpi/examples/summa.rs` has them"
)]
pub fn add_product<E: Blocks>(
    set: InstructionSet,
    blocking: Blocking,
    workspace: &mut Workspace<E>,
    a: (&[E], Matrix),
    b: (&[E], Matrix),
    c: (&mut [E], Matrix),
) {
    any_product(set, blocking, workspace, a, b, c, true);
}

/// [`add_product`] if `add`, else [`product`].
fn any_product<E: Blocks>(
    set: InstructionSet,
    blocking: Blocking,
    workspace: &mut Workspace<E>,
    (a, la): (&[E], Matrix),
    (b, lb): (&[E], Matrix),
    (c, lc): (&mut [E], Matrix),
    add: bool,
) {
    let ((m, n), (_, k)) = (lc.shape(), la.shape());
    assert!(la.shape() == (m, k) && lb.shape() == (k, n), "A is (m, k), B is (k, n), C is (m, n)");
    assert!(
        fits(la, a.len()) && fits(lb, b.len()) && fits(lc, c.len()),
        "each layout fits its memory"
    );
    if lc.stride().0 != 1 {
        // C^T = B^T * A^T
        assert!(lc.stride().1 == 1, "C is row- or column-major");
        return any_product(
            set,
            blocking,
            workspace,
            (b, transposed(lb)),
            (a, transposed(la)),
            (c, transposed(lc)),
            add,
        );
    }
    if (m, n).size() == 0 || k == 0 && add {
        return;
    }
    if k == 0 {
        lc.coords().for_each(|at| c[lc.index(at)] = E::default());
        return;
    }
    let mut c = Tensor::new(c, unit_rows(lc)).expect("each layout fits its memory");
    product_to(set, blocking, workspace, (a, la), (b, lb), c.as_tile_mut(), add);
}

/// [`any_product`] to a column-major C that may be a part of another, none of the sizes being 0.
fn product_to<E: Blocks>(
    set: InstructionSet,
    blocking: Blocking,
    workspace: &mut Workspace<E>,
    a: (&[E], Matrix),
    (b, lb): (&[E], Matrix),
    c: Output<'_, E>,
    add: bool,
) {
    // B as (n, k): k is the last mode of both.
    let job = Job { blocking, workspace, a, b: (b, transposed(lb)), c, add };
    with_kernel!(set, E, job.c.shape().0, K => job.run::<K<E>>())
}

/// How many rows and columns the register block has for a C of `m` rows.
fn register_block<E: Blocks>(set: InstructionSet, m: usize) -> (usize, usize) {
    with_kernel!(set, E, m, K => (<K<E> as Kernel>::MR, <K<E> as Kernel>::NR))
}

/// The layouts of a product as text, in the order of its loops.
pub fn describe<E: Blocks>(
    set: InstructionSet,
    blocking: Blocking,
    a: Matrix,
    b: Matrix,
    c: Matrix,
) -> Vec<Line> {
    if c.stride().0 != 1 {
        let swapped = "so C^T = B^T * A^T is computed, all modes swapped: A^T is B below";
        let mut lines = vec![("C is row-major", swapped.to_string())];
        lines.extend(describe::<E>(set, blocking, transposed(b), transposed(a), transposed(c)));
        return lines;
    }
    with_kernel!(set, E, c.shape().0, K => {
        Plan::new::<K<E>>(blocking, a, transposed(b), c).describe::<K<E>>()
    })
}
/// A layout's name, and its text.
pub type Line = (&'static str, String);

/// The layouts of one product, chosen for its size and orders.
struct Plan {
    /// `((mc,kc),(m/mc,k/kc))`, `((nc,kc),(n/nc,k/kc))`, `((mc,nc),(m/mc,n/nc))`.
    a: Tiles,
    b: Tiles,
    c: Tiles,
    pack_a: bool,
    pack_b: bool,
    /// C is asked for ahead of time.
    ahead: bool,
}
impl Plan {
    /// For A of (m, k), B of (n, k) and C of (m, n).
    fn new<K: Kernel>(blocking: Blocking, a: Matrix, b: Matrix, c: Matrix) -> Self {
        let ((m, n), (_, k)) = (c.shape(), a.shape());
        // Even blocks: 1025 is 344 + 344 + 337 rather than 512 + 512 + 1.
        let even = |x: usize, most: usize, unit: usize| {
            x.div_ceil(x.div_ceil(most)).next_multiple_of(unit)
        };
        let kc = even(k, blocking.kc, 8).min(k);
        // A shallow block of A fits the first-level cache whole, if it is short.
        let mc = even(m, if kc <= 128 { blocking.mc.div_ceil(4) } else { blocking.mc }, K::MR);
        let nc = even(n, blocking.nc, K::NR);

        // A is read once per panel of B, and has to have its rows side by side; if each step of k
        // leaves the page, it costs more: least if it goes but a page further, and most if the
        // steps of k are whole pages, which share a few lines of the cache.
        let bytes = |elements: usize| elements * size_of::<K::Element>();
        let (step_m, step_k) = a.stride();
        let reads = match bytes(step_k) {
            _ if step_k < 1000 => blocking.reads,
            step if step < 2 * PAGE && step % PAGE != 0 => blocking.reads / 3,
            _ => blocking.reads / 8,
        };
        let pack_a = step_m != 1 || m % K::WHOLE_ROWS != 0 || n.div_ceil(K::NR) > reads;
        // B is read once per panel of A, one element at a time. If the steps of k are side by
        // side, packing hardly ever pays.
        let reads = if b.stride().1 == 1 { 8 * blocking.reads } else { blocking.reads.min(2) };
        let pack_b = m.div_ceil(K::MR) > reads;

        // C comes from memory, and once per few steps of k. The processor foresees by
        // itself what follows within a page.
        let ahead = kc <= 256 && bytes(c.stride().1) >= 2048 && bytes(m * n) >= 1 << 20;
        Plan {
            a: Tiles::new(a, mc, kc),
            b: Tiles::new(b, nc, kc),
            c: Tiles::new(c, mc, nc),
            pack_a,
            pack_b,
            ahead,
        }
    }
}

impl Plan {
    fn describe<K: Kernel>(&self) -> Vec<Line> {
        let ((mc, kc), (nc, _)) = (self.a.layout.shape().0, self.b.layout.shape().0);
        let panels =
            |tiles: Tiles, width| Tiles::new(tiles.tile(0, 0).0, width, kc).layout.to_string();
        let [packed_a, packed_b, block] = K::describe(mc, nc, kc, self.c.layout.stride().0.1);
        let in_place = || "not packed: it is read too seldom to be worth it".to_string();
        vec![
            ("blocks of A", self.a.layout.to_string()),
            ("blocks of B^T", self.b.layout.to_string()),
            ("blocks of C", self.c.layout.to_string()),
            ("panels of A", panels(self.a, K::MR)),
            ("packed", if self.pack_a { packed_a } else { in_place() }),
            ("panels of B^T", panels(self.b, K::NR)),
            ("packed", if self.pack_b { packed_b } else { in_place() }),
            ("register block of C", block),
        ]
    }
}

/// A product to be computed, with B as (n, k) and C column-major.
struct Job<'x, E> {
    blocking: Blocking,
    workspace: &'x mut Workspace<E>,
    a: (&'x [E], Matrix),
    b: (&'x [E], Matrix),
    c: Output<'x, E>,
    /// C is added to.
    add: bool,
}
impl<E: Blocks> Job<'_, E> {
    fn run<K: Kernel<Element = E>>(self) {
        let Self { blocking, workspace, a: (a, la), b: (b, lb), mut c, add } = self;
        let isa = K::Isa::detect().expect("this processor has the instruction set");
        let plan = Plan::new::<K>(blocking, la, lb, dynamic(*c.layout()));
        let room = |pack: bool, tiles: Tiles| if pack { tiles.layout.shape().0.size() } else { 0 };
        let (room_a, room_b) =
            workspace.pieces(room(plan.pack_a, plan.a), room(plan.pack_b, plan.b));

        let ((count_m, count_k), (count_n, _)) = (plan.a.count(), plan.b.count());
        for (j, p) in (0..count_n).flat_map(|j| (0..count_k).map(move |p| (j, p))) {
            let (block_b, at) = plan.b.tile(j, p);
            let k = block_b.shape().1;
            let (mut b, mut panels_b) = (&b[at..], Tiles::new(block_b, K::NR, k));
            if plan.pack_b {
                panels_b = K::pack_b(isa, b, panels_b, room_b);
                b = room_b;
            }
            for i in 0..count_m {
                let (block_a, at) = plan.a.tile(i, p);
                let (mut a, mut panels_a) = (&a[at..], Tiles::new(block_a, K::MR, k));
                if plan.pack_a {
                    panels_a = K::pack_a(isa, a, panels_a, room_a);
                    a = room_a;
                }
                let c = c.window_mut(plan.c.begin(i, j), plan.c.extent(i, j));
                let (tiles_c, a, b) =
                    (Tiles::new(dynamic(*c.layout()), K::MR, K::NR), (a, panels_a), (b, panels_b));
                isa.run(Panels::<K> {
                    isa,
                    a,
                    b,
                    c: (c, tiles_c),
                    accumulate: add || p > 0,
                    ahead: plan.ahead,
                });
            }
        }
    }
}
