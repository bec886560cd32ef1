//! Relayouts through wgpu.

use std::sync::Arc;

use layout_emit::NamedLayout;

use crate::error::RelayoutError;
use crate::pairs::{KeptPair, OWN_FROM, Pairs, Programs};

mod kernel;
use kernel::{Kernel, Plan};

/// The size of a buffer for a WGSL kernel is a multiple of this number of bytes.
const PIECE: u64 = 16;

/// Moves elements from one layout to another on one device, and caches plans and pipelines.
///
/// Law: after a run, `target[TO(c)] == source[FROM(c)]` for every coordinate `c`, and all other
/// elements of the target are unchanged. Offsets are relative to the least offset.
///
/// The first run of a pair of layouts uses a general kernel, which is compiled once for all pairs
/// with this width of elements and moves element by element. From the second run on the pair has a
/// specialized kernel. So a thousand shapes that run once need one compilation.
/// [`with_own_from`](Self::with_own_from) sets another number of runs. Pairs that are the same
/// function are one pair: `(4,6):(6,1)` to `(4,6):(1,4)` and `(2,2,6):(6,12,1)` to
/// `(2,2,6):(1,2,4)`. A run that fails does not count.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_relayout_gpu::wgpu::RelayoutCache;
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
/// // A buffer that is too small is an error, and nothing is encoded.
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
    pairs: Pairs<Kernel>,
    pipelines: Programs<Arc<wgpu::ComputePipeline>>,
}

impl RelayoutCache {
    /// An empty cache for a device.
    pub fn new(device: &wgpu::Device) -> Self {
        RelayoutCache {
            device: device.clone(),
            own_from: OWN_FROM,
            pairs: Pairs::default(),
            pipelines: Programs::default(),
        }
    }

    /// The first run of a pair of layouts with a specialized kernel, counted from 1.
    pub fn with_own_from(mut self, run: usize) -> Self {
        self.own_from = run;
        self
    }

    /// The number of compiled pipelines.
    pub fn pipelines(&self) -> usize {
        self.pipelines.len()
    }

    /// Clears the cache.
    pub fn clear(&self) {
        self.pairs.clear();
        self.pipelines.clear();
    }

    /// Moves all elements, of `bytes` bytes, in one submission.
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

    /// Encodes the move of all elements, of `bytes` bytes, in a compute pass of its own. Empty
    /// layouts encode an empty pass.
    ///
    /// # Errors
    /// Those of [`encode_in`](Self::encode_in).
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        from: impl Into<NamedLayout>,
        to: impl Into<NamedLayout>,
        bytes: usize,
        source: &wgpu::Buffer,
        target: &wgpu::Buffer,
    ) -> Result<(), RelayoutError> {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        self.encode_in(&mut pass, from, to, bytes, source, target)
    }

    /// Encodes the move of all elements, of `bytes` bytes, in the caller's compute pass. Moves in
    /// one pass may run at once if none reads or writes another's target. Empty layouts encode
    /// nothing.
    ///
    /// # Errors
    /// [`RelayoutError::Layouts`] if the shapes do not have the same coordinates, two elements have
    /// one offset in the target, offsets exceed 32 bits, or elements do not have 1, 2, 4, 8 or 16
    /// bytes. [`RelayoutError::Buffer`] if a buffer is smaller than its layout, rounded up to 16
    /// bytes, is no storage buffer, or is both source and target. [`RelayoutError::Limit`] if a
    /// limit of the device is too low.
    pub fn encode_in(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        from: impl Into<NamedLayout>,
        to: impl Into<NamedLayout>,
        bytes: usize,
        source: &wgpu::Buffer,
        target: &wgpu::Buffer,
    ) -> Result<(), RelayoutError> {
        let (from, to) = (from.into(), to.into());
        let Some(pair) = self.pairs.find(&from, &to, bytes)? else { return Ok(()) };
        if source == target {
            return Err(RelayoutError::Buffer("one buffer is both source and target".into()));
        }
        let most = self.device.limits().max_storage_buffer_binding_size;
        let sides = [("source", source, &from), ("target", target, &to)];
        for ((side, buffer, layout), needed) in sides.into_iter().zip(pair.buffer_bytes) {
            let size = buffer.size();
            let needed = needed.div_ceil(PIECE).saturating_mul(PIECE);
            if size < needed {
                return Err(RelayoutError::Buffer(format!(
                    "the {side} has {size} bytes, and {layout} of elements of {bytes} bytes takes \
                     {needed}"
                )));
            }
            if !buffer.usage().contains(wgpu::BufferUsages::STORAGE) {
                return Err(RelayoutError::Buffer(format!("the {side} has not the usage STORAGE")));
            }
            if size % PIECE != 0 {
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
        self.find_kernel(&pair)?.encode(&self.device, pass, source, target);
        pair.count_run();
        Ok(())
    }

    /// The kernel of the pair's next run.
    fn find_kernel<'a>(&self, pair: &'a KeptPair<Kernel>) -> Result<&'a Kernel, RelayoutError> {
        let make = |plan: Plan| {
            let compile = || Ok(Arc::new(plan.source.compile(&self.device)?));
            let pipeline = self.pipelines.find(&plan.source.text, compile)?;
            Ok(plan.with_pipeline(&self.device, pipeline))
        };
        let most = self.device.limits().max_compute_workgroup_storage_size;
        pair.find_kernel(
            self.own_from,
            |axes| Plan::general(axes, pair.bytes).map(make).transpose(),
            |relayout| make(Plan::own(&relayout.clone().with_workgroup_bytes(most.into()))?),
        )
    }
}
