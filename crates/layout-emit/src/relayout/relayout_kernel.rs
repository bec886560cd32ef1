//! Kernels that move all elements from one layout to another.
//!
//! ```text
//! to[TO(i)] = from[FROM(i)]  for all i < size
//! ```

use std::fmt;

use super::kernel::{Written, write_cuda, write_wgsl};
use super::plan::{LINE, TILE_BYTES};
use super::tiling::Kernel;
use crate::error::EmitError;
use crate::language::Language;
use crate::source::NamedLayout;
use layout_algebra::DynShape;

/// The default limit of a kernel's workgroup memory in WGSL: the limit of Mesa's drivers and
/// Apple's GPUs.
const WORKGROUP_BYTES: u64 = 32 << 10;

/// The names that kernels in WGSL declare, besides the name of the kernel.
const WGSL_NAMES: &str = "\
    from_ to_ tile word element width each sector beyond by_row pitch down lanes by across \
    joined rotated source_word words vector vectors groups wide next period extent bits shifted \
    source begin moving all pad place split around";

/// Whether two shapes have the same coordinates, mode by mode: an integer mode matches any mode of
/// the same size.
fn share_coordinates(a: &DynShape, b: &DynShape) -> bool {
    match (a.as_leaf(), b.as_leaf()) {
        (None, None) => {
            a.rank() == b.rank()
                && a.children().zip(b.children()).all(|(a, b)| share_coordinates(&a, &b))
        }
        _ => a.try_size().ok() == b.try_size().ok(),
    }
}

/// A kernel that moves all elements from one layout to another.
///
/// Law: after the kernel, `to[TO(i)] == from[FROM(i)]` for every coordinate number `i` of both
/// layouts. If strides are negative, memory begins with the element of the least offset.
///
/// On an H200 (driver 580.159.04), common transposes of f16, f32 and f64 have 0.90 to 0.99 of the
/// device's copy of the same bytes, which has 3,900 to 4,270 GB/s, and of u8 0.82 to 0.95. Of two
/// lists of 200 random permutations (2 to 10 modes, 1 to 256 MiB, elements of 1 to 8 bytes; a share
/// above 1, from the cache, counts as 1) the means are 0.91 and 0.90; 18 of each have less than
/// 0.7, all but 4 of 1 or 2 bytes, and the least is 0.44. Small odd modes are slower:
/// (31,33,35,37,40), the first mode the fastest, reversed has 0.90 for f64, 0.92 for f32, 0.86 for
/// f16 and 0.75 for u8, and 16 modes of 3 reversed 0.83, 0.76, 0.59 and 0.52. Offsets beyond 31
/// bits: 65536 x 65537 bytes have 0.67 to 0.85, 50000 x 50001 halves 0.80. The example
/// `measure_cuda` of `layout-relayout-gpu` measures these lists.
///
/// In WGSL, through wgpu 30 on Vulkan with its checks of indices, without zeroed workgroup memory,
/// by the GPU's clock (the program `measure` in the package's folder `gpu`: runs in one pass, each
/// to its own target), beside PyTorch's copy of the same bytes, the better of a stream and a graph:
/// on an H100, all 45 kernels of the example `relayouts` have 0.82 to 1.19. On an H200, whose copy
/// is 1.4 times as fast with the same multiprocessors, 43 have 0.80 to 1.19; bytes of five odd
/// modes have 0.79, and bytes of windows 0.70. (Windows of f32 have 56 images, because a buffer has
/// at most 2 GiB.) Some of the 45 have used tiles of runs since: f32 of three channels to pixels
/// has 0.97 of a copy by a shader, f32 of 4001 x 8003 0.79, of five odd modes 0.76. Of the first
/// list of permutations in WGSL on the H200, beside the faster of wgpu's own copy and a shader's
/// (the example `measure_wgpu` of `layout-relayout-gpu`), the mean is 0.71: f64 has 0.85, f32 0.79,
/// f16 0.65 and u8 0.54. 80 have less than 0.7, 71 of them of 1 or 2 bytes, and the least is 0.25.
/// Parts of 32-byte sectors of the target cost most: in prototypes of three kernels of bytes whose
/// reads lay side by side the speed stayed at 0.29 to 0.41 of a copy, and with writes side by side
/// it was 0.70 to 0.77. Copies through tiles of 2 to 16 KiB of shared memory have 0.95 to 1.01.
/// Without checks of indices kernels are 0 to 4 % faster. An idle GPU lowers its clock: the GPU
/// must be busy before a timing. Two buffers of less than 64 MiB in one block of wgpu's memory can
/// be a quarter slower than in separate blocks, which `MemoryHints` requests. A kernel takes up to
/// 32 KiB of shared memory, and WebGPU promises 16 KiB: a comment of the kernel says
/// how much to request from the device. The sizes of both buffers must be multiples of 16 bytes.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_emit::{Language, NamedLayout, RelayoutKernel};
/// let from: DynLayout = "(4096,4096):(4096,1)".parse()?;
/// let to: DynLayout = "(4096,4096):(1,4096)".parse()?;
/// let code = RelayoutKernel::new(&from, &to, 2)?.name("transpose").emit(Language::Cuda)?;
/// assert!(code.contains("__global__ void __launch_bounds__(256) transpose("), "{code}");
/// assert!(code.contains("no linear layout has fewer passes"), "{code}");
/// // WGSL has words: halves lie side by side in shared memory, and a function reads one.
/// let code = RelayoutKernel::new(&from, &to, 2)?.emit(Language::Wgsl)?;
/// assert!(code.contains("fn element(place: u32)"), "{code}");
/// // Layouts without common axes go element by element: a swizzle, XOR or negative strides, an
/// // extent of 5 that meets one of 4.
/// let from: NamedLayout = "Sw<3,3,3> o 0 o (64,64):(64,1)".parse()?;
/// let to: DynLayout = "(64,64):(-64,1)".parse()?;
/// let code = RelayoutKernel::new(from, &to, 2)?.emit(Language::Wgsl)?;
/// assert!(code.contains("Elements go one by one"), "{code}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RelayoutKernel {
    pub(super) from: NamedLayout,
    pub(super) to: NamedLayout,
    pub(super) bytes: usize,
    pub(super) name: String,
    pub(super) workgroup_bytes: u64,
}

impl RelayoutKernel {
    /// A kernel between two layouts with the same coordinates, for elements of `bytes` bytes.
    ///
    /// The coordinates must agree mode by mode: an integer mode matches any mode of the same size,
    /// as in `(12,5)` and `((4,3),5)`. [`by_number`](Self::by_number) takes any two shapes.
    ///
    /// # Errors
    /// [`EmitError::Input`] if the shapes do not have the same coordinates, or an element does not
    /// have 1, 2, 4, 8 or 16 bytes; [`EmitError::Refused`] if a layout has more than 1,000 extents.
    ///
    /// ```
    /// use layout_emit::{NamedLayout, RelayoutKernel};
    /// let (from, to): (NamedLayout, NamedLayout) = ("(4,6)".parse()?, "(4,5)".parse()?);
    /// let error = RelayoutKernel::new(&from, &to, 4).unwrap_err();
    /// assert_eq!(error.to_string(), "(4,6):(1,4) has 24 coordinates, and (4,5):(1,4) has 20");
    /// let error = RelayoutKernel::new(from, "(6,4)".parse::<NamedLayout>()?, 4).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "(4,6):(1,4) and (6,4):(1,6) do not have the same coordinates; a relayout by number pairs \
    ///      those of one number"
    /// );
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn new(
        from: impl Into<NamedLayout>,
        to: impl Into<NamedLayout>,
        bytes: usize,
    ) -> Result<Self, EmitError> {
        let relayout = Self::by_number(from, to, bytes)?;
        let [from, to] = [&relayout.from, &relayout.to];
        let shapes = [from, to].map(|layout| layout.plain.as_ref().map(|plain| plain.shape()));
        match shapes {
            [Some(a), Some(b)] if !share_coordinates(&a, &b) => EmitError::input(format!(
                "{from} and {to} do not have the same coordinates; a relayout by number pairs \
                 those of one number"
            )),
            _ => Ok(relayout),
        }
    }

    /// The kernel of a reshape between layouts of the same size, for elements of `bytes` bytes:
    /// pairs coordinates by their numbers, the leftmost mode the fastest, whatever the shapes are.
    ///
    /// # Errors
    /// [`EmitError::Input`] if the sizes differ; and as [`new`](Self::new), except for the shapes.
    ///
    /// ```
    /// use layout_emit::{Language, NamedLayout, RelayoutKernel};
    /// let (from, to): (NamedLayout, NamedLayout) = ("(4,6):(6,1)".parse()?, "(6,4)".parse()?);
    /// let code = RelayoutKernel::by_number(&from, &to, 4)?.emit(Language::Cuda)?;
    /// assert!(code.contains("to[(6,4):(1,6)] = from[(4,6):(6,1)]"), "{code}");
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn by_number(
        from: impl Into<NamedLayout>,
        to: impl Into<NamedLayout>,
        bytes: usize,
    ) -> Result<Self, EmitError> {
        let (from, to) = (from.into(), to.into());
        [&from, &to].iter().try_for_each(|layout| layout.check_leaves())?;
        let size = |layout: &NamedLayout| layout.plain.as_ref().map(|plain| plain.size());
        if !matches!(bytes, 1 | 2 | 4 | 8 | 16) {
            return EmitError::input(format!("an element has 1, 2, 4, 8 or 16 bytes, not {bytes}"));
        }
        match (size(&from), size(&to)) {
            (Some(a), Some(b)) if a == b && a > 0 => {
                let (name, workgroup_bytes) = ("relayout".into(), WORKGROUP_BYTES);
                Ok(RelayoutKernel { from, to, bytes, name, workgroup_bytes })
            }
            (Some(0), Some(0)) => {
                EmitError::refused(format!("{from} has no coordinate, so there is nothing to move"))
            }
            (Some(a), Some(b)) => {
                EmitError::input(format!("{from} has {a} coordinates, and {to} has {b}"))
            }
            _ => EmitError::input("a kernel is made for layouts of numbers, without names"),
        }
    }

    /// Sets the name of the kernel.
    ///
    /// ```
    /// use layout_emit::{Language, NamedLayout, RelayoutKernel};
    /// let (from, to): (NamedLayout, NamedLayout) = ("(4,6)".parse()?, "(4,6):(6,1)".parse()?);
    /// let code = RelayoutKernel::new(&from, &to, 4)?.name("rows").emit(Language::Wgsl)?;
    /// assert!(code.contains("fn rows("), "{code}");
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn name(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the most bytes of workgroup memory in WGSL, if tiles of any size fit: a device's
    /// `maxComputeWorkgroupStorageSize`. The default is 32 KiB.
    ///
    /// ```
    /// use layout_emit::{Language, NamedLayout, RelayoutKernel};
    /// let from: NamedLayout = "(4096,4096):(4096,1)".parse()?;
    /// let kernel = RelayoutKernel::new(from, "(4096,4096)".parse::<NamedLayout>()?, 4)?;
    /// let bytes = |most| {
    ///     let kernel = kernel.clone().with_workgroup_bytes(most);
    ///     Ok::<_, layout_emit::EmitError>(kernel.launch(Language::Wgsl)?.workgroup_bytes)
    /// };
    /// assert_eq!((bytes(32 << 10)?, bytes(8 << 10)?), (16_384, 8_192));
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn with_workgroup_bytes(mut self, most: u64) -> Self {
        self.workgroup_bytes = most;
        self
    }

    /// The elements of memory of the source and of the target, from the least offset to the
    /// largest. Makes no plan.
    ///
    /// ```
    /// use layout_emit::{NamedLayout, RelayoutKernel};
    /// let (from, to): (NamedLayout, NamedLayout) = ("(4,6):(-8,1)".parse()?, "(4,6)".parse()?);
    /// assert_eq!(RelayoutKernel::new(from, to, 4)?.cosizes(), [30, 24]);
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn cosizes(&self) -> [u128; 2] {
        [&self.from, &self.to].map(|layout| layout.cosize().unsigned_abs())
    }

    /// The kernel, with its launch.
    ///
    /// # Errors
    /// [`EmitError::Input`] if the name is a word of the language or of the kernel itself, or if
    /// the language is neither CUDA nor WGSL. [`EmitError::Refused`] if two elements have one
    /// offset in the target; in WGSL, if offsets exceed 32 bits.
    pub fn emit(&self, language: Language) -> Result<String, EmitError> {
        Ok(self.write(language)?.text)
    }

    /// The launch of the kernel in a language.
    ///
    /// # Errors
    /// Those of [`emit`](Self::emit); [`EmitError::Refused`] if a buffer has more than 2^64 - 1
    /// bytes.
    ///
    /// ```
    /// use layout_emit::{Language, NamedLayout, RelayoutKernel};
    /// let from: NamedLayout = "(64,96):(96,1)".parse()?;
    /// let kernel = RelayoutKernel::new(from, "(64,96):(1,64)".parse::<NamedLayout>()?, 4)?;
    /// let launch = kernel.launch(Language::Wgsl)?;
    /// assert_eq!((launch.entry.as_str(), launch.groups, launch.threads), ("relayout", [2, 1, 1], 192));
    /// assert_eq!((launch.workgroup_bytes, launch.buffer_bytes), (12_528, [24_576; 2]));
    /// # Ok::<(), layout_emit::EmitError>(())
    /// ```
    pub fn launch(&self, language: Language) -> Result<Launch, EmitError> {
        let written = self.write(language)?;
        let fit = |number: i128| {
            u64::try_from(number).or_else(|_| {
                EmitError::refused(format!("a launch of {} takes numbers beyond 2^64", self.name))
            })
        };
        let bytes = |cosize: u128| fit((cosize as i128 * self.bytes as i128 + 15) / 16 * 16);
        let ([x, y, z], [from, to]) = (written.groups, self.cosizes());
        Ok(Launch {
            entry: self.name.clone(),
            groups: [fit(x)?, fit(y)?, fit(z)?],
            threads: fit(written.threads)?,
            workgroup_bytes: fit(written.workgroup_bytes)?,
            buffer_bytes: [bytes(from)?, bytes(to)?],
        })
    }

    fn write(&self, language: Language) -> Result<Written, EmitError> {
        language.check_function(&self.name)?;
        let own = if language == Language::Wgsl { WGSL_NAMES } else { "from to stream" };
        if own.split(' ').any(|own| own == self.name) {
            return EmitError::input(format!(
                "`{}` is a name that the kernel itself has",
                self.name
            ));
        }
        let plan = |tile_bytes| {
            let is_words = language == Language::Wgsl;
            Kernel::new(&self.from, &self.to, self.bytes as i128, tile_bytes, is_words)
        };
        match language {
            Language::Cuda => write_cuda(&plan(TILE_BYTES)?, &self.name),
            Language::Wgsl => {
                let mut tile_bytes = TILE_BYTES;
                let mut written = write_wgsl(&plan(tile_bytes)?, &self.name)?;
                // Padding can exceed the tile itself.
                while written.workgroup_bytes > self.workgroup_bytes.into() && tile_bytes > LINE {
                    tile_bytes /= 2;
                    written = write_wgsl(&plan(tile_bytes)?, &self.name)?;
                }
                Ok(written)
            }
            _ => {
                EmitError::input(format!("kernels are written in cuda and wgsl, not in {language}"))
            }
        }
    }
}

/// The launch of a kernel: [`RelayoutKernel::launch`]. `{}` prints JSON.
///
/// ```
/// use layout_emit::{Language, NamedLayout, RelayoutKernel};
/// let layout: NamedLayout = "64:1".parse()?;
/// let launch = RelayoutKernel::new(&layout, &layout, 4)?.name("copy").launch(Language::Cuda)?;
/// assert_eq!(
///     launch.to_string(),
///     r#"{"entry":"copy","groups":[1,1,1],"threads":256,"workgroup_bytes":0,"buffer_bytes":[256,256]}"#
/// );
/// # Ok::<(), layout_emit::EmitError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The entry point.
    pub entry: String,
    /// Groups (blocks in CUDA) in each direction.
    pub groups: [u64; 3],
    /// Threads of a group.
    pub threads: u64,
    /// Bytes of workgroup memory. In WGSL, the bytes to request from the device, if they exceed the
    /// 16,384 that WebGPU promises. In CUDA 0: the kernel declares its shared memory, and a launch
    /// adds none.
    pub workgroup_bytes: u64,
    /// Bytes of the source and of the target, multiples of 16.
    pub buffer_bytes: [u64; 2],
}

impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Launch { entry, threads, workgroup_bytes, .. } = self;
        let ([x, y, z], [from, to]) = (self.groups, self.buffer_bytes);
        // An identifier needs no escapes.
        write!(f, r#"{{"entry":"{entry}","groups":[{x},{y},{z}],"threads":{threads},"#)?;
        write!(f, r#""workgroup_bytes":{workgroup_bytes},"buffer_bytes":[{from},{to}]}}"#)
    }
}
