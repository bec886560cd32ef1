//! The kernels of a device.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use layout_emit::{NamedLayout, RelayoutKernel};

use crate::error::RelayoutError;
use crate::kernel::{Kernel, Plan, Source};

/// The runs of a pair of layouts from which on it has a kernel of its own.
const OWN_FROM: usize = 2;

/// Both layouts as text, and the bytes of an element.
type Pair = (String, String, usize);

/// What is kept of a pair.
#[derive(Default)]
struct Kept {
    runs: usize,
    general: Option<Arc<Kernel>>,
    own: Option<Arc<Kernel>>,
}

/// Moves elements from one layout to another on one device, and keeps plans and pipelines.
///
/// Law: after a run, `target[TO(c)] == source[FROM(c)]` for every coordinate `c`, and whatever else
/// is in the target is as it was. Offsets are counted from the element of the least offset.
///
/// The first run of a pair of layouts takes a general kernel, which is compiled once for all pairs
/// of as wide elements and goes element by element; from the second run on the pair has a kernel of
/// its own. So a thousand shapes that are met once are one compilation.
/// [`with_own_from`](Self::with_own_from) sets another number of runs. Pairs whose kernels are the
/// same code share a pipeline, as `(4,6):(6,1)` to `(4,6):(1,4)` and `(2,2,6):(6,12,1)` to
/// `(2,2,6):(1,2,4)` do.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_relayout_gpu::RelayoutCache;
/// # fn gpu() -> Option<(wgpu::Device, wgpu::Queue)> {
/// #     let adapter = pollster::block_on(wgpu::Instance::default().request_adapter(&Default::default())).ok()?;
/// #     pollster::block_on(adapter.request_device(&Default::default())).ok()
/// # }
/// # let Some((device, queue)) = gpu() else { return Ok(()) };
/// let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
/// let buffer = || device.create_buffer(&wgpu::BufferDescriptor {
///     label: None,
///     size: 1024 * 768 * 4,
///     usage,
///     mapped_at_creation: false,
/// });
/// let (source, target) = (buffer(), buffer());
/// let rows: DynLayout = "(1024,768):(768,1)".parse()?;
/// let columns: DynLayout = "(1024,768):(1,1024)".parse()?;
/// let cache = RelayoutCache::new(&device);
/// cache.run(&queue, &rows, &columns, 4, &source, &target)?;
/// // What does not fit is refused, and nothing is encoded.
/// let error = cache.run(&queue, &rows, &columns, 8, &source, &target).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the source has 3145728 bytes, and (1024,768):(768,1) of elements of 8 bytes takes 6291456"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RelayoutCache {
    device: wgpu::Device,
    own_from: usize,
    pairs: Mutex<HashMap<Pair, Kept>>,
    pipelines: Mutex<HashMap<String, Arc<wgpu::ComputePipeline>>>,
}

impl RelayoutCache {
    /// A cache for a device, with no kernel in it.
    pub fn new(device: &wgpu::Device) -> Self {
        RelayoutCache {
            device: device.clone(),
            own_from: OWN_FROM,
            pairs: Mutex::default(),
            pipelines: Mutex::default(),
        }
    }

    /// The number of the run from which on a pair of layouts has a kernel of its own: 1 is the
    /// first one.
    pub fn with_own_from(mut self, run: usize) -> Self {
        self.own_from = run;
        self
    }

    /// How many pipelines were compiled.
    pub fn pipelines(&self) -> usize {
        self.pipelines.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Forgets all kernels.
    pub fn clear(&self) {
        self.pairs.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.pipelines.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Moves all elements, of `bytes` bytes, in a submission of its own.
    ///
    /// # Errors
    /// Those of [`encode`](Self::encode).
    pub fn run(
        &self,
        queue: &wgpu::Queue,
        from: impl Into<NamedLayout>,
        to: impl Into<NamedLayout>,
        bytes: usize,
        source: &wgpu::Buffer,
        target: &wgpu::Buffer,
    ) -> Result<(), RelayoutError> {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.encode(&mut encoder, from, to, bytes, source, target)?;
        queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Encodes the move of all elements, of `bytes` bytes, in a pass of its own. Layouts without
    /// elements encode nothing.
    ///
    /// # Errors
    /// [`RelayoutError::Layouts`] if the shapes do not have the same coordinates, two elements go to
    /// one place, offsets are beyond 32 bits, or elements do not have 1, 2, 4, 8 or 16 bytes.
    /// [`RelayoutError::Buffer`] if a buffer has fewer bytes than its layout, rounded up to 16, is
    /// no storage, or is both source and target. [`RelayoutError::Limit`] if the device was made
    /// with a limit that is too low.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        from: impl Into<NamedLayout>,
        to: impl Into<NamedLayout>,
        bytes: usize,
        source: &wgpu::Buffer,
        target: &wgpu::Buffer,
    ) -> Result<(), RelayoutError> {
        let (from, to) = (from.into(), to.into());
        let sizes = [&from, &to].map(|layout| layout.as_dynamic().map(|plain| plain.size()));
        if sizes == [Some(0), Some(0)] {
            return Ok(());
        }
        let kernel = self.find_kernel(&from, &to, bytes)?;
        if source == target {
            return Err(RelayoutError::Buffer("one buffer is both source and target".into()));
        }
        let most = self.device.limits().max_storage_buffer_binding_size;
        let sides = [("source", source, &from), ("target", target, &to)];
        for ((side, buffer, layout), needed) in sides.into_iter().zip(kernel.buffer_bytes) {
            let size = buffer.size();
            if size < needed {
                return Err(RelayoutError::Buffer(format!(
                    "the {side} has {size} bytes, and {layout} of elements of {bytes} bytes takes \
                     {needed}"
                )));
            }
            if !buffer.usage().contains(wgpu::BufferUsages::STORAGE) {
                return Err(RelayoutError::Buffer(format!("the {side} has not the usage STORAGE")));
            }
            if size % 16 != 0 {
                return Err(RelayoutError::Buffer(format!(
                    "the {side} has {size} bytes, which is no multiple of 16"
                )));
            }
            if size > most {
                return Err(RelayoutError::Limit(format!(
                    "the {side} has {size} bytes, and max_storage_buffer_binding_size of the \
                     device is {most}"
                )));
            }
        }
        kernel.encode(&self.device, encoder, source, target);
        Ok(())
    }

    /// The kernel of the pair's next run.
    fn find_kernel(
        &self,
        from: &NamedLayout,
        to: &NamedLayout,
        bytes: usize,
    ) -> Result<Arc<Kernel>, RelayoutError> {
        let pair = (from.to_string(), to.to_string(), bytes);
        let mut runs = 1;
        if let Some(kept) = self.pairs.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&pair)
        {
            kept.runs += 1;
            runs = kept.runs;
            let general = kept.general.as_ref().filter(|_| runs < self.own_from);
            if let Some(kernel) = kept.own.as_ref().or(general) {
                return Ok(kernel.clone());
            }
        }
        // Others need not wait for the compiler: nothing is locked.
        let most = self.device.limits().max_compute_workgroup_storage_size;
        let own = RelayoutKernel::new(from, to, bytes)?.with_workgroup_bytes(most.into());
        let general = if runs < self.own_from { Plan::general(from, to, bytes) } else { None };
        let is_general = general.is_some();
        let plan = general.map_or_else(|| Plan::own(&own), Ok)?;
        let pipeline = self.find_pipeline(&plan.source)?;
        let kernel = Arc::new(plan.with_pipeline(&self.device, pipeline));
        let mut pairs = self.pairs.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = pairs.entry(pair).or_default();
        kept.runs = kept.runs.max(runs);
        let place = if is_general { &mut kept.general } else { &mut kept.own };
        *place = Some(kernel.clone());
        Ok(kernel)
    }

    fn find_pipeline(&self, source: &Source) -> Result<Arc<wgpu::ComputePipeline>, RelayoutError> {
        let kept = self
            .pipelines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&source.text)
            .cloned();
        if let Some(pipeline) = kept {
            return Ok(pipeline);
        }
        let pipeline = Arc::new(source.compile(&self.device)?);
        let mut pipelines = self.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(pipelines.entry(source.text.clone()).or_insert(pipeline).clone())
    }
}
