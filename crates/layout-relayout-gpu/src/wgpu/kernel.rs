//! A kernel on a device, with the arguments of a launch without the buffers.

use std::sync::Arc;

use layout_emit::{Language, RelayoutKernel};
use wgpu::util::DeviceExt;

use crate::axes::Axes;
use crate::error::RelayoutError;
use crate::pairs::without_comments;

/// Threads of a workgroup of the general kernel.
const THREADS: u32 = 256;

/// The widest grid in one direction that WebGPU promises.
const WIDEST_GRID: u64 = 65_535;

/// The source of a pipeline.
pub(crate) struct Source {
    pub text: String,
    threads: u64,
    workgroup_bytes: u64,
}

/// A kernel of a pair of layouts.
pub(crate) struct Kernel {
    pub pipeline: Arc<wgpu::ComputePipeline>,
    /// The numbers that the general kernel takes.
    numbers: Option<wgpu::Buffer>,
    groups: [u32; 2],
}

/// The parts of a kernel without its pipeline.
pub(crate) struct Plan {
    pub source: Source,
    numbers: Option<Vec<u32>>,
    groups: [u32; 2],
}

impl Plan {
    /// The general kernel, with extents and strides as arguments: one pipeline for all pairs whose
    /// elements have this number of bytes. `None` if an offset exceeds 32 bits.
    pub fn general(axes: &Axes, bytes: usize) -> Option<Plan> {
        let numbers = numbers(axes)?;
        let kind = match bytes {
            8 => "vec2<u32>",
            16 => "vec4<u32>",
            _ => "u32",
        };
        // Other threads write other bytes of the same word.
        let (to_kind, step) = if bytes < 4 {
            let word = format!(
                "extractBits(from_[source / {0}u], source % {0}u * {1}u, {1}u)",
                4 / bytes,
                8 * bytes
            );
            let step = format!(
                "    let shift = place % {0}u * {1}u;\n    \
                 atomicAnd(&to_[place / {0}u], insertBits(~0u, 0u, shift, {1}u));\n    \
                 atomicOr(&to_[place / {0}u], {word} << shift);\n",
                4 / bytes,
                8 * bytes
            );
            ("atomic<u32>", step)
        } else {
            (kind, "    to_[place] = from_[source];\n".into())
        };
        let text = include_str!("general.wgsl")
            .replace("$from_kind$", kind)
            .replace("$to_kind$", to_kind)
            .replace("$threads$", &THREADS.to_string())
            .replace("$widest$", &WIDEST_GRID.to_string())
            .replace("$move$", &step);
        let groups = axes.elements().div_ceil(THREADS.into()) as u64;
        Some(Plan {
            source: Source { text, threads: THREADS.into(), workgroup_bytes: 0 },
            numbers: Some(numbers),
            groups: [groups.min(WIDEST_GRID) as u32, groups.div_ceil(WIDEST_GRID) as u32],
        })
    }

    /// The specialized kernel of the pair.
    pub fn own(kernel: &RelayoutKernel) -> Result<Plan, RelayoutError> {
        let (text, launch) = (kernel.emit(Language::Wgsl)?, kernel.launch(Language::Wgsl)?);
        let [x, y, _] = launch.groups;
        let fit = |groups: u64| {
            u32::try_from(groups).map_err(|_| {
                RelayoutError::Limit(format!("a launch of {groups} workgroups in one direction"))
            })
        };
        Ok(Plan {
            source: Source {
                text: without_comments(&text),
                threads: launch.threads,
                workgroup_bytes: launch.workgroup_bytes,
            },
            numbers: None,
            groups: [fit(x)?, fit(y)?],
        })
    }

    /// The kernel with its pipeline.
    pub fn with_pipeline(
        self,
        device: &wgpu::Device,
        pipeline: Arc<wgpu::ComputePipeline>,
    ) -> Kernel {
        let numbers = self.numbers.map(|numbers| {
            let contents: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("axes of a relayout"),
                contents: &contents,
                usage: wgpu::BufferUsages::STORAGE,
            })
        });
        Kernel { pipeline, numbers, groups: self.groups }
    }
}

/// The arguments of the general kernel; `None` if one of them exceeds 32 bits.
fn numbers(axes: &Axes) -> Option<Vec<u32>> {
    let list = axes.list();
    if axes.reach() >= 1 << 32 {
        return None;
    }
    let mut numbers = vec![
        u32::try_from(axes.elements()).ok()?,
        u32::try_from(list.len()).ok()?,
        u32::try_from(axes.first()).ok()?,
    ];
    for axis in list {
        // Negative strides wrap around 2^32, as the sums of the kernel do.
        numbers.extend([axis.extent as u32, axis.from as u32, axis.to as u32]);
    }
    Some(numbers)
}

impl Source {
    /// The pipeline, if the device's limits allow it.
    pub fn compile(&self, device: &wgpu::Device) -> Result<wgpu::ComputePipeline, RelayoutError> {
        let limits = device.limits();
        let all = [
            (
                self.workgroup_bytes,
                limits.max_compute_workgroup_storage_size,
                "max_compute_workgroup_storage_size",
            ),
            (
                self.threads,
                limits.max_compute_invocations_per_workgroup,
                "max_compute_invocations_per_workgroup",
            ),
            (self.threads, limits.max_compute_workgroup_size_x, "max_compute_workgroup_size_x"),
        ];
        for (needed, most, name) in all {
            if needed > most.into() {
                return Err(RelayoutError::Limit(format!(
                    "the kernel needs {needed} of {name}, and the device has {most}"
                )));
            }
        }
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("relayout"),
            source: wgpu::ShaderSource::Wgsl(self.text.as_str().into()),
        });
        Ok(device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("relayout"),
            layout: None,
            module: &module,
            entry_point: Some("relayout"),
            // A kernel reads only what it has written there.
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        }))
    }
}

impl Kernel {
    /// Encodes the launch in a compute pass.
    pub fn encode(
        &self,
        device: &wgpu::Device,
        pass: &mut wgpu::ComputePass<'_>,
        source: &wgpu::Buffer,
        target: &wgpu::Buffer,
    ) {
        let buffers = [Some(source), Some(target), self.numbers.as_ref()];
        let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
            .zip(buffers.into_iter().flatten())
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("relayout"),
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
    }
}
