//! A fused element-wise operation: `d = a b + c`, tile by tile, the fragments in registers.

use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy, transform};
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, Trap, kernel};

/// The threads of a block.
pub type Threads = Layout!(256);
/// The tile of a block: 4 vectors of 4 for each thread.
pub type Tile = Tiler!(4096);

/// `d = a b + c`, of multiples of 4096 elements: a block for each tile.
///
/// # Safety
/// `n` elements lie behind each pointer, and 16 divides all of them.
#[kernel(threads = Threads)]
pub unsafe fn multiply_add(
    n: u32,
    a: *const f32,
    b: *const f32,
    c: *const f32,
    d: *mut f32,
) -> Result<(), Trap> {
    let all = layout!((Multiple::<Int<4096>>::new(n as usize)?));
    // SAFETY: the caller's promise; each block writes its own tile.
    let (a, b, c, mut d) = unsafe {
        let of = |from| Tensor::from_global_ref(from, all);
        (of(a), of(b), of(c), Tensor::from_global(d, all))
    };
    let tiled =
        make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), Threads::default(), layout!(4))?;
    let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };
    let at = (device::block_index().0,);
    let (a, b, c) = (
        a.local_tile(Tile::default(), at)?,
        b.local_tile(Tile::default(), at)?,
        c.local_tile(Tile::default(), at)?,
    );
    let mut d = d.local_tile_mut(Tile::default(), at)?;
    let (a, b, c) = (thread.partition_s(&a)?, thread.partition_s(&b)?, thread.partition_s(&c)?);
    // ((4, 1), 4)
    let (mut x, mut y, mut z) =
        (a.fragment_like::<f32>(), b.fragment_like::<f32>(), c.fragment_like::<f32>());
    copy(&tiled, &a, &mut x)?;
    copy(&tiled, &b, &mut y)?;
    copy(&tiled, &c, &mut z)?;
    z.zip_values_mut((&x, &y), |z, (x, y)| *z = device::multiply_add(*x, *y, *z));
    copy(&tiled, &z, &mut thread.partition_d_mut(&mut d)?)?;
    Ok(())
}

/// `d = a + b`, as above: [`transform`] writes a fragment of its own.
///
/// # Safety
/// That of [`multiply_add`](fn@multiply_add).
#[kernel(threads = Threads)]
pub unsafe fn add(n: u32, a: *const f32, b: *const f32, d: *mut f32) -> Result<(), Trap> {
    let all = layout!((Multiple::<Int<4096>>::new(n as usize)?));
    // SAFETY: the caller's promise; each block writes its own tile.
    let (a, b, mut d) = unsafe {
        (
            Tensor::from_global_ref(a, all),
            Tensor::from_global_ref(b, all),
            Tensor::from_global(d, all),
        )
    };
    let tiled =
        make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), Threads::default(), layout!(4))?;
    let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };
    let at = (device::block_index().0,);
    let (a, b) = (a.local_tile(Tile::default(), at)?, b.local_tile(Tile::default(), at)?);
    let mut d = d.local_tile_mut(Tile::default(), at)?;
    let (a, b) = (thread.partition_s(&a)?, thread.partition_s(&b)?);
    let (mut x, mut y, mut z) =
        (a.fragment_like::<f32>(), b.fragment_like::<f32>(), a.fragment_like::<f32>());
    copy(&tiled, &a, &mut x)?;
    copy(&tiled, &b, &mut y)?;
    transform((&x, &y), &mut z, |(x, y)| x + y);
    copy(&tiled, &z, &mut thread.partition_d_mut(&mut d)?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_nvidia::host;

    #[test]
    fn each_element_is_computed() {
        let n = 2 * 4096;
        let [a, b, c] =
            [3, 5, 7].map(|k| (0..n).map(|i| (i % (10 * k)) as f32).collect::<Vec<_>>());
        let mut d = vec![f32::NAN; n];
        // SAFETY: `n` elements each.
        unsafe { host::launch::<multiply_add>(2, (n as u32, &a[..], &b[..], &c[..], &mut d[..])) };
        assert!((0..n).all(|i| d[i] == a[i] * b[i] + c[i]));
        // SAFETY: `n` elements each.
        unsafe { host::launch::<add>(2, (n as u32, &a[..], &b[..], &mut d[..])) };
        assert!((0..n).all(|i| d[i] == a[i] + b[i]));
    }
}
