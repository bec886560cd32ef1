//! A program in CUDA that runs generated kernels at full size: `cargo run -p layout-emit --example
//! relayouts > relayouts.cu`.
//!
//! Each kernel is checked at every element, and so is the memory around the target; then it is
//! timed beside the device's own copy of as many bytes. With `small`, small tensors and no times,
//! for `compute-sanitizer`; with `wgsl DIR` the kernels as files, and a line for each that says how
//! to run it; with `only CASE` one of the cases.

use layout_algebra::prelude::*;
use layout_emit::{Language, RelayoutKernel};

/// A row-major tensor and the order of its modes in the result, as PyTorch's `permute` has it.
const PERMUTED: [(&str, &[usize], &[usize]); 12] = [
    ("transpose", &[8192, 8192], &[1, 0]),
    ("transpose_wide", &[4096, 65536], &[1, 0]),
    ("odd", &[4001, 8003], &[1, 0]),
    ("nchw_nhwc", &[64, 256, 56, 56], &[0, 2, 3, 1]),
    ("nhwc_nchw", &[64, 56, 56, 256], &[0, 3, 1, 2]),
    ("p210", &[512, 384, 320], &[2, 1, 0]),
    ("p021", &[512, 384, 320], &[0, 2, 1]),
    ("p102", &[512, 384, 320], &[1, 0, 2]),
    ("six", &[20, 20, 20, 20, 20, 20], &[5, 3, 1, 4, 2, 0]),
    ("five", &[27, 21, 33, 29, 70], &[3, 0, 4, 1, 2]),
    ("heads", &[16, 4096, 32, 128], &[0, 2, 1, 3]),
    ("rgb", &[64, 3, 512, 512], &[0, 2, 3, 1]),
];

/// Layouts that are no permutation: channels in groups of 32, windows of an image, and the operand
/// of a tensor core, tile by tile in the order of threads and values.
const OTHERS: [(&str, &str, &str); 3] = [
    (
        "nc32hw32",
        "(64,(32,8),3136):(802816,(3136,100352),1)",
        "(64,(32,8),3136):(802816,(1,100352),32)",
    ),
    (
        "im2col",
        "(3,3,1022,1022,64):(1,1024,1,1024,1048576)",
        "(3,3,1022,1022,64):(1,3,9,9198,9400356)",
    ),
    (
        "fragments",
        "((8,2,512),(2,4,2,512)):((8192,65536,131072),(1,2,8,16))",
        "((8,2,512),(2,4,2,512)):((32,2,131072),(1,8,4,256))",
    ),
];

fn permuted(shape: &[usize], order: &[usize]) -> (DynLayout, DynLayout) {
    let modes = DynShape::tuple(shape.iter().copied().map(DynShape::from)).expect("a shape");
    let from = DynLayout::right(&modes);
    let (mut strides, mut next) = (vec![0; shape.len()], 1);
    for &mode in order.iter().rev() {
        strides[mode] = next;
        next *= shape[mode];
    }
    let strides = DynShape::tuple(strides.into_iter().map(DynShape::from)).expect("strides");
    (from, DynLayout::new(modes, strides).expect("a layout"))
}

fn cases(is_small: bool) -> Vec<(String, DynLayout, DynLayout)> {
    let few = |shape: &[usize]| -> Vec<usize> {
        let most = if shape.len() > 4 { 12 } else { 100 };
        shape
            .iter()
            .map(
                |&extent| if is_small { (extent % most).max(extent.min(most) / 2) } else { extent },
            )
            .collect()
    };
    let all = PERMUTED.iter().map(|(name, shape, order)| {
        let (from, to) = permuted(&few(shape), order);
        (name.to_string(), from, to)
    });
    let others = OTHERS.iter().filter(|_| !is_small).map(|(name, from, to)| {
        (name.to_string(), from.parse().expect(from), to.parse().expect(to))
    });
    all.chain(others).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let folder = words.get(1).filter(|_| words[0] == "wgsl");
    if let Some(folder) = folder {
        for (name, from, to) in cases(false) {
            for bytes in [4, 2, 1] {
                // A buffer of wgpu has 2 GiB at most: windows of fewer images.
                let images = if to.cosize() * bytes > 1 << 31 { ",56):" } else { ",64):" };
                let few = |layout: &DynLayout| {
                    layout.to_string().replace(",64):", images).parse::<DynLayout>()
                };
                let (from, to) = (few(&from)?, few(&to)?);
                let Ok(code) =
                    RelayoutKernel::new(&from, &to, bytes)?.name("run").emit(Language::Wgsl)
                else {
                    continue;
                };
                let groups = code.split_once("dispatch_workgroups(").ok_or("no launch")?.1;
                let groups: Vec<&str> = groups.split(", ").take(2).collect();
                std::fs::write(format!("{folder}/{name}_{bytes}.wgsl"), &code)?;
                println!("{name} {bytes} {} {} {from} {to}", groups[0], groups[1]);
            }
        }
        return Ok(());
    }
    let is_small = words.first().is_some_and(|word| word == "small");
    let only = words.get(1).filter(|_| words[0] == "only");
    let (mut kernels, mut rows) = (String::new(), String::new());
    for (name, from, to) in
        cases(is_small).into_iter().filter(|(name, ..)| only.is_none_or(|only| only == name))
    {
        let elements: &[usize] = if is_small { &[1, 2, 4, 8, 16] } else { &[4, 2, 1] };
        for &bytes in elements {
            let name = format!("{name}_{bytes}");
            kernels += &RelayoutKernel::new(&from, &to, bytes)?.name(&name).emit(Language::Cuda)?;
            let (from, to) = (from.flatten(), to.flatten());
            let list = |shape: DynShape| {
                shape.leaves().iter().map(|n| format!("{n}u")).collect::<Vec<_>>().join(", ")
            };
            let (extents, [a, b]) =
                (list(from.shape()), [&from, &to].map(|layout| list(layout.stride())));
            rows += &format!(
                "    {{\"{name}\", {name}_launch, {bytes}, {}, {{{extents}}}, {{{a}}}, {{{b}}}, {}ull, {}ull, {}ull}},\n",
                from.rank(),
                from.size(),
                from.cosize(),
                to.cosize()
            );
        }
    }
    let times = if is_small { 0 } else { 20 };
    print!(
        "{}",
        PROGRAM
            .replace("KERNELS", &kernels)
            .replace("ROWS", &rows)
            .replace("TIMES", &times.to_string())
    );
    Ok(())
}

const PROGRAM: &str = r#"#include <algorithm>
#include <cstdio>
#include <cstdlib>
KERNELS
struct Job {
    const char *name;
    cudaError_t (*launch)(const void *, void *, cudaStream_t);
    unsigned bytes, rank, extents[8], from[8], to[8];
    unsigned long long size, from_size, to_size;
};
static const Job jobs[] = {
ROWS};
static void check(cudaError_t status, const char *what) {
    if (status != cudaSuccess) { printf("%s: %s\n", what, cudaGetErrorString(status)); exit(1); }
}
__global__ void fill(unsigned char *to, unsigned long long size) {
    for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < size; i += gridDim.x * 256ull) {
        unsigned long long z = (i + 1) * 0x9e3779b97f4a7c15ull;
        to[i] = (unsigned char)((z ^ z >> 29) * 0xbf58476d1ce4e5b9ull >> 56);
    }
}
// Elements that are not where they belong.
__global__ void compare(Job job, const unsigned char *from, const unsigned char *to, unsigned long long *wrong) {
    for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < job.size; i += gridDim.x * 256ull) {
        unsigned long long rest = i, a = 0, b = 0;
        for (unsigned k = 0; k < job.rank; k++) {
            unsigned c = rest % job.extents[k];
            rest /= job.extents[k];
            a += (unsigned long long)c * job.from[k];
            b += (unsigned long long)c * job.to[k];
        }
        for (unsigned k = 0; k < job.bytes; k++)
            if (from[a * job.bytes + k] != to[b * job.bytes + k]) { atomicAdd(wrong, 1ull); break; }
    }
}
// Bytes that are not as they were.
__global__ void touched(const unsigned char *at, unsigned long long size, unsigned long long *wrong) {
    for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < size; i += gridDim.x * 256ull)
        if (at[i] != 0xa5) atomicAdd(wrong, 1ull);
}
static float best(const Job &job, const void *from, void *to, unsigned long long bytes, bool copies) {
    cudaEvent_t start, end;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    float least = 1e30f;
    for (int round = 0; round < 4; round++) {
        cudaEventRecord(start);
        for (int k = 0; k < TIMES; k++) {
            if (copies) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, 0), "copy");
            else check(job.launch(from, to, 0), job.name);
        }
        cudaEventRecord(end);
        check(cudaEventSynchronize(end), job.name);
        float time;
        cudaEventElapsedTime(&time, start, end);
        least = std::min(least, time / 1e3f / (TIMES + !TIMES));
    }
    return least;
}
int main(int count, char **names) {
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0), "device");
    printf("%s\n", device.name);
    const unsigned long long around = 4096;
    unsigned long long *wrong, found;
    check(cudaMalloc(&wrong, 8), "memory");
    int failed = 0;
    for (const Job &job : jobs) {
        unsigned long long a = job.from_size * job.bytes, b = job.to_size * job.bytes;
        unsigned char *from, *to;
        check(cudaMalloc(&from, std::max(a, b)), "memory");
        check(cudaMalloc(&to, std::max(a, b) + 2 * around), "memory");
        fill<<<1024, 256>>>(from, a);
        check(cudaMemset(to, 0xa5, b + 2 * around), "memory");
        check(cudaMemset(wrong, 0, 8), "memory");
        check(job.launch(from, to + around, 0), job.name);
        check(cudaDeviceSynchronize(), job.name);
        compare<<<2048, 256>>>(job, from, to + around, wrong);
        touched<<<16, 256>>>(to, around, wrong);
        touched<<<16, 256>>>(to + around + b, around, wrong);
        check(cudaMemcpy(&found, wrong, 8, cudaMemcpyDeviceToHost), job.name);
        failed += found != 0;
        printf("%-18s %llu elements, %llu wrong", job.name, job.size, found);
        if (TIMES) {
            // As many bytes as are read once and written once.
            unsigned long long moved = job.size * job.bytes + std::min(a, job.size * job.bytes);
            float time = best(job, from, to + around, 0, false), copy = best(job, from, to + around, moved / 2, true);
            printf(", %.0f GB/s, copy %.0f GB/s, %.3f", moved / time / 1e9, moved / copy / 1e9, copy / time);
        }
        printf("\n");
        fflush(stdout);
        cudaFree(from);
        cudaFree(to);
    }
    return failed != 0;
}
"#;
