//! A kernel for several elements and tiles: a list of its instances, of which a launch names one.

use layout_algebra::prelude::*;
use layout_algebra::tensor::CoordinateIn;
use layout_nvidia::device::{self, SharedElement, SharedTile, SharedTiles, kernel};
use layout_nvidia::hopper::HasDescriptor;

/// Reverses each tile of `to`, a thread for each element.
///
/// # Safety
/// A tile of elements for each block is at the pointer.
#[kernel(
    threads = Tile,
    shared = (SharedTile<T, Tile>,),
    instances(<f32, Layout!(256)>, <u8, Layout!((32, 4))>, <f64, Layout!(1024)>)
)]
pub unsafe fn turn<T, Tile>(to: *mut T)
where
    T: Copy + SharedElement,
    Tile: StaticLayout + HasDescriptor,
    usize: CoordinateIn<Tile>,
{
    let i = device::thread_index();
    // SAFETY: the caller's promise; shared memory is read after the barrier and written before it.
    unsafe {
        let element = to.add(Tile::SIZE * device::block_index().0 + i);
        let (mut tile,) = <(SharedTile<T, Tile>,)>::make_tensors();
        tile[i] = *element;
        device::sync_threads();
        *element = tile[Tile::SIZE - 1 - i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_nvidia::device::Entry;
    use layout_nvidia::launch::Kernel;

    fn turned<T: Copy, const N: usize>(all: &[T]) -> Vec<T> {
        all.chunks(N).flat_map(|tile| tile.iter().rev().copied()).collect()
    }

    #[test]
    fn each_instance_has_its_own_name_and_numbers() {
        assert_eq!(turn::<f32, Layout!(256)>::NAME, "turn_f32_Layout_256");
        assert_eq!(turn::<u8, Layout!((32, 4))>::NAME, "turn_u8_Layout_32_4");
        assert_eq!(
            (
                <turn<f32, Layout!(256)> as Entry>::THREADS,
                <turn<f32, Layout!(256)> as Entry>::SHARED
            ),
            (256, 1024)
        );
        assert_eq!(
            (
                <turn<f64, Layout!(1024)> as Entry>::THREADS,
                <turn<f64, Layout!(1024)> as Entry>::SHARED
            ),
            (1024, 8192)
        );
    }
    #[test]
    fn each_instance_turns_its_tiles() {
        let floats: Vec<f32> = (0..768).map(|i| i as f32).collect();
        let mut there = floats.clone();
        // SAFETY: three tiles of 256.
        unsafe {
            layout_nvidia::host::launch::<turn<f32, Layout!(256)>>((3, 1), (&mut there[..],))
        };
        assert_eq!(there, turned::<_, 256>(&floats));
        let bytes: Vec<u8> = (0..=255).collect();
        let mut there = bytes.clone();
        // SAFETY: two tiles of 128.
        unsafe {
            layout_nvidia::host::launch::<turn<u8, Layout!((32, 4))>>((2, 1), (&mut there[..],))
        };
        assert_eq!(there, turned::<_, 128>(&bytes));
    }
}
