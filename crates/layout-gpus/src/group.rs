//! A group: the devices of its ranks, with peer access.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cudarc::driver::{CudaContext, CudaFunction, CudaStream, sys};
use cudarc::nvrtc::{CompileOptions, Ptx, compile_ptx_with_opts};
use layout_algebra::prelude::*;
use layout_mesh::Mesh;

use crate::driver::{Failures, has_cuda, reach};
use crate::error::Error;
use crate::piece::THREADS;
use crate::push_plan::MOST_RANKS;

/// The time that a rank waits for another one by default.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The devices of a group of ranks: rank `k` is on the `k`-th device. Several ranks may share a
/// device.
///
/// All devices of a group access all of its memory, over NVLink or PCIe: planning enables peer
/// access. A group belongs to one process; one thread may launch for all ranks, since launches do
/// not block.
///
/// ```no_run
/// use layout_algebra::layout;
/// use layout_gpus::Gpus;
/// let gpus = Gpus::new(&[0, 1, 2, 3])?;
/// let mesh = gpus.mesh(layout!((2, 2): right))?;
/// assert_eq!(mesh.world_size(), gpus.ranks());
/// # Ok::<(), layout_gpus::Error>(())
/// ```
#[derive(Clone)]
pub struct Gpus {
    shared: Arc<Shared>,
}

struct Shared {
    /// The contexts of the ranks; ranks on one device share one.
    contexts: Vec<Arc<CudaContext>>,
    streams: Vec<Arc<CudaStream>>,
    kernels: Mutex<HashMap<u32, Vec<Kernel>>>,
    failed: Failures,
    limit: AtomicU64,
}

/// A kernel on the device of a rank, and the number of its blocks that are resident for each rank
/// of the device.
#[derive(Clone)]
pub(crate) struct Kernel {
    pub(crate) function: CudaFunction,
    pub(crate) blocks: u32,
}

impl Gpus {
    /// The group whose rank `k` is on the CUDA device `devices[k]`.
    ///
    /// # Errors
    /// If there are no ranks or more than 32, there is no CUDA or no such device, or two devices
    /// have no peer access.
    ///
    /// ```no_run
    /// let gpus = layout_gpus::Gpus::new(&[0, 0, 0, 0])?; // four ranks on one device
    /// assert_eq!(gpus.ranks(), 4);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn new(devices: &[usize]) -> Result<Gpus, Error> {
        let ranks = devices.len();
        if ranks == 0 || ranks > MOST_RANKS {
            let needed = format!("at least 1 and at most {MOST_RANKS}");
            return Err(Error::Ranks { given: ranks, needed });
        }
        if !has_cuda() {
            return Err(Error::Cuda("there is no libcuda, or no libnvrtc".into()));
        }
        let mut contexts: Vec<Arc<CudaContext>> = Vec::new();
        for &device in devices {
            let same = contexts.iter().find(|context| context.ordinal() == device).cloned();
            contexts.push(match same {
                Some(context) => context,
                None => CudaContext::new(device)?,
            });
        }
        reach(&contexts)?;
        let streams = contexts.iter().map(|context| context.new_stream());
        let streams = streams.collect::<Result<Vec<_>, _>>()?;
        let failed = Failures::new(&contexts[0])?;
        let limit = AtomicU64::new(TIME_LIMIT.as_nanos() as u64);
        let kernels = Mutex::default();
        Ok(Gpus { shared: Arc::new(Shared { contexts, streams, kernels, failed, limit }) })
    }

    /// The number of ranks.
    ///
    /// ```no_run
    /// assert_eq!(layout_gpus::Gpus::new(&[0, 1])?.ranks(), 2);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn ranks(&self) -> usize {
        self.shared.contexts.len()
    }

    /// A mesh of the ranks of the group.
    ///
    /// # Errors
    /// Those of [`Mesh::on_paper`].
    ///
    /// ```no_run
    /// use layout_algebra::layout;
    /// use layout_gpus::Gpus;
    /// let mesh = Gpus::new(&[0, 1, 2, 3])?.mesh(layout!((2, 2): right))?;
    /// assert_eq!(mesh.rank_at(&[1, 0])?, 2);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn mesh(&self, layout: impl IntoDynLayout) -> Result<Mesh, Error> {
        Ok(Mesh::on_paper(self.ranks(), 0, layout)?)
    }

    /// A stream of the group for each rank. Work on these streams is in order with each other, not
    /// with that on other streams.
    ///
    /// ```no_run
    /// assert_eq!(layout_gpus::Gpus::new(&[0, 1])?.streams().len(), 2);
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn streams(&self) -> &[Arc<CudaStream>] {
        &self.shared.streams
    }

    /// The time that a rank waits for another one in a redistribution, by default 30 s. All work
    /// launched before on the streams of the others has to end in that time.
    ///
    /// ```no_run
    /// use std::time::Duration;
    /// let gpus = layout_gpus::Gpus::new(&[0, 1])?;
    /// gpus.set_time_limit(Duration::from_millis(500));
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn set_time_limit(&self, limit: Duration) {
        let nanoseconds = u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX);
        self.shared.limit.store(nanoseconds, Ordering::Relaxed);
    }

    /// Waits for all work on the devices of the group.
    ///
    /// # Errors
    /// If a rank has reached the time limit in any redistribution of the group; if a device fails.
    ///
    /// ```no_run
    /// layout_gpus::Gpus::new(&[0, 1])?.synchronize()?;
    /// # Ok::<(), layout_gpus::Error>(())
    /// ```
    pub fn synchronize(&self) -> Result<(), Error> {
        self.shared.wait()?;
        self.check()
    }

    /// Checks that no rank has reached the time limit so far, without waiting.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let limit = Duration::from_nanos(self.limit());
        for rank in 0..self.ranks() {
            if let Some(peer) = self.shared.failed.peer(rank) {
                return Err(Error::TimeLimit { rank, peer, limit });
            }
        }
        Ok(())
    }

    pub(crate) fn limit(&self) -> u64 {
        self.shared.limit.load(Ordering::Relaxed)
    }

    pub(crate) fn contexts(&self) -> &[Arc<CudaContext>] {
        &self.shared.contexts
    }

    /// The word that says whether a rank has failed, as its kernels write it.
    pub(crate) fn failed_word(&self, rank: usize) -> u64 {
        self.shared.failed.address() + 4 * rank as u64
    }

    pub(crate) fn is_same(&self, other: &Gpus) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// The kernel for pieces of some forms, on the device of each rank, compiled once and cached.
    pub(crate) fn find_kernels(&self, forms: u32) -> Result<Vec<Kernel>, Error> {
        let forms = rounded_up(forms);
        let mut kept = self.shared.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernels) = kept.get(&forms) {
            return Ok(kernels.clone());
        }
        let contexts = self.contexts();
        let mut kernels: Vec<Kernel> = Vec::new();
        for (rank, context) in contexts.iter().enumerate() {
            let same = contexts[..rank].iter().position(|other| Arc::ptr_eq(other, context));
            let here = contexts.iter().filter(|other| Arc::ptr_eq(other, context)).count();
            kernels.push(match same {
                Some(same) => kernels[same].clone(),
                None => compile(context, forms, here as u32)?,
            });
        }
        kept.insert(forms, kernels.clone());
        Ok(kernels)
    }
}

/// The forms that a kernel is compiled for: one form, or all forms of a kind, so that few kernels
/// are compiled for all plans.
fn rounded_up(forms: u32) -> u32 {
    let kinds = [0x1f, 0xff, 0xfff, 7 << 12, 15 << 15, 15 << 19];
    if forms.count_ones() < 2 {
        return forms.max(1);
    }
    kinds.into_iter().find(|kind| forms & !kind == 0).expect("sums are of one type")
}

/// Kernels as PTX, by the compute capability and the forms: groups of one process share them.
static COMPILED: Mutex<Vec<(Key, Ptx)>> = Mutex::new(Vec::new());
type Key = (i32, i32, u32);

fn compile_text(major: i32, minor: i32, forms: u32) -> Result<Ptx, Error> {
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (major, minor, forms);
    if let Some((_, ptx)) = compiled.iter().find(|one| one.0 == key) {
        return Ok(ptx.clone());
    }
    let options = CompileOptions {
        options: vec![
            format!("--gpu-architecture=compute_{major}{minor}"),
            format!("--define-macro=FORMS={forms}"),
        ],
        ..CompileOptions::default()
    };
    let ptx =
        compile_ptx_with_opts(concat!(include_str!("ptx.cu"), include_str!("kernel.cu")), options)
            .map_err(|error| Error::Cuda(format!("the compiler: {error}")))?;
    compiled.push((key, ptx.clone()));
    Ok(ptx)
}

fn compile(context: &Arc<CudaContext>, forms: u32, ranks: u32) -> Result<Kernel, Error> {
    let (major, minor) = context.compute_capability()?;
    let ptx = compile_text(major, minor, forms)?;
    let function = context.load_module(ptx)?.load_function("redistribute")?;
    // Kernels that wait for one another have to be resident together.
    let each = function.occupancy_max_active_blocks_per_multiprocessor(THREADS, 0, None)?;
    let count = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
    let blocks = each * context.attribute(count)? as u32 / ranks;
    if blocks == 0 {
        return Err(Error::Cuda(format!("the device holds no {ranks} kernels at a time")));
    }
    Ok(Kernel { function, blocks })
}

impl Shared {
    fn wait(&self) -> Result<(), Error> {
        self.contexts.iter().try_for_each(|context| Ok(context.synchronize()?))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Kernels that run write to `failed`.
        if let Err(error) = self.contexts.iter().try_for_each(|context| context.synchronize()) {
            self.contexts[0].record_err::<()>(Err(error));
        }
    }
}
