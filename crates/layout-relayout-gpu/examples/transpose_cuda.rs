//! Transposes a matrix on a GPU through CUDA, twice: by the general kernel, and by the pair's own.
//!
//! ```sh
//! cargo run --release --no-default-features --features cuda --example transpose_cuda
//! ```

use cudarc::driver::CudaContext;
use layout_algebra::prelude::*;
use layout_relayout_gpu::cuda::RelayoutCache;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = CudaContext::new(0)?;
    let stream = context.new_stream()?;
    let source = stream.clone_htod(&(0..1000 * 700).map(|i| i as f32).collect::<Vec<_>>())?;
    let mut target = stream.alloc_zeros::<f32>(1000 * 700)?;

    let rows: DynLayout = "(1000,700):(700,1)".parse()?;
    let columns: DynLayout = "(1000,700):(1,1000)".parse()?;
    let cache = RelayoutCache::new(&context)?;
    for run in 1..=2 {
        cache.run(&stream, &rows, &columns, 4, &source, &mut target)?;
        let found = stream.clone_dtoh(&target)?;
        let is_right = |i: usize, j: usize| found[i + 1000 * j] == (700 * i + j) as f32;
        assert!((0..1000).all(|i| (0..700).all(|j| is_right(i, j))));
        println!("run {run} on {}: right, {} programs", context.name()?, cache.programs());
    }
    Ok(())
}
