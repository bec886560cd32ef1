//! Images of bytes as planes of f32, normalized by channel: on one thread and on all threads.
//!
//! `cargo run --release --features rayon --example images`

use std::time::Instant;

use layout_algebra::prelude::*;
use layout_relayout::{Relayout, RelayoutError};

/// The shortest of some runs, in seconds.
fn shortest(mut run: impl FnMut() -> Result<(), RelayoutError>) -> Result<f64, RelayoutError> {
    (0..20).try_fold(f64::INFINITY, |best, _| {
        let begin = Instant::now();
        run()?;
        Ok(best.min(begin.elapsed().as_secs_f64()))
    })
}

fn main() -> Result<(), RelayoutError> {
    // ImageNet's mean and deviation.
    let (mean, deviation) = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]);
    let scale: [f32; 3] = std::array::from_fn(|c| 1.0 / (255.0 * deviation[c]));
    let bias: [f32; 3] = std::array::from_fn(|c| -mean[c] / deviation[c]);
    for (images, height, width) in [(32, 224, 224), (1, 1080, 1920), (1, 2160, 3840)] {
        // Coordinates (n, c, h, w): pixels of three bytes, and three planes, of each image.
        let (row, image) = (3 * width, 3 * width * height);
        let pixels = layout!((images, 3, height, width):(image, 1, row, 3));
        let planes = layout!((images, 3, height, width): right);
        let plan = Relayout::plan(&pixels, &planes, 1)?;
        let from: Vec<u8> = (0..images * image).map(|k| (k % 251) as u8).collect();
        let mut to = vec![[0.0; 2]; from.len()].into_flattened();
        let (to, to_in_parts) = to.split_at_mut(from.len());
        let one = shortest(|| plan.run_by_channel(&from, 1, &scale, &bias, to))?;
        let all = shortest(|| plan.run_by_channel_parallel(&from, 1, &scale, &bias, to_in_parts))?;
        assert!(to == to_in_parts, "all threads write what one does");
        let rate = |seconds: f64| 5.0 * from.len() as f64 / seconds / 1e9;
        println!(
            "{images} x {height} x {width}: {:.1} GB read and written a second, {:.1} on {} threads",
            rate(one),
            rate(all),
            rayon::current_num_threads(),
        );
    }
    Ok(())
}
