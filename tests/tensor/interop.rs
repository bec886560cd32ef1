//! Tensors seen as elements of another size: the same bytes.

use layout_algebra::prelude::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_recast_tensor_has_the_bytes_of_the_old_one(bytes in proptest::collection::vec(any::<u8>(), 64)) {
        let bytes: [u8; 64] = bytes.try_into().unwrap();
        let words: [u32; 16] = bytemuck_words(bytes);
        let t = Tensor::fixed(words, layout!((4, 4): right));
        let halves = t.recast::<u16>().unwrap();
        for i in 0..4 {
            for j in 0..8 {
                let half = u16::from_ne_bytes([bytes[16 * i + 2 * j], bytes[16 * i + 2 * j + 1]]);
                prop_assert_eq!(halves[(i, j)], half);
            }
        }
        let again = halves.recast::<u32>().unwrap();
        prop_assert_eq!(again.iter().collect::<Vec<_>>(), t.iter().collect::<Vec<_>>());
    }
}

fn bytemuck_words(bytes: [u8; 64]) -> [u32; 16] {
    std::array::from_fn(|k| u32::from_ne_bytes([0, 1, 2, 3].map(|b| bytes[4 * k + b])))
}

/// The text of an error that was to come.
fn error<T>(result: Result<T, LayoutError>) -> String {
    result.err().map_or("no error".to_owned(), |error| error.to_string())
}

#[test]
fn what_cannot_be_recast_is_refused_with_its_reason() {
    // An upcast whose last element would reach beyond the storage.
    let gaps = Tensor::fixed([0u8; 13], layout!(4:4));
    assert!(
        error(gaps.recast::<u32>()).contains("multiple of 4 bytes")
            || error(gaps.recast::<u32>()).contains("reaches 4 elements")
    );
    // One of four bytes in a row is at a multiple of 4.
    let bytes = [0u8; 8];
    let at = |k: usize| error(Tensor::new(&bytes[k..k + 4], layout!(4:1)).unwrap().recast::<u32>());
    assert_eq!((0..4).filter(|&k| at(k) == "no error").count(), 1);
    assert!((0..4).any(|k| at(k).ends_with("an address that is not a multiple of 4 bytes")));
}
