//! Checks at compile time whether a GPU can launch the blocks of a kernel.

/// The most threads of a block, on every GPU.
const MOST_THREADS: usize = 1024;
/// The most bytes of shared memory that any GPU gives to a block: 227 KiB.
const MOST_SHARED: usize = 227 * 1024;

/// Stops the build if no GPU launches blocks of `threads` threads with `shared` bytes of shared
/// memory.
#[doc(hidden)]
pub const fn check_block(threads: usize, shared: usize) {
    if threads == 0 {
        panic!("a block of this kernel has 0 threads, and 1 is the least")
    }
    assert_at_most(threads, MOST_THREADS, " threads, and 1024 is the most of a block");
    assert_at_most(
        shared,
        MOST_SHARED,
        " bytes of shared memory, and 232448 are the most of a block on any GPU",
    );
}

const fn assert_at_most(number: usize, most: usize, said: &str) {
    if number > most {
        let begin = "a block of this kernel has ";
        let (mut text, length) = append_text(([0; 160], 0), begin.as_bytes());
        let (mut power, mut end) = (1, length);
        while number / power >= 10 {
            power *= 10;
        }
        while power > 0 {
            text[end] = b'0' + (number / power % 10) as u8;
            (power, end) = (power / 10, end + 1);
        }
        let (text, length) = append_text((text, end), said.as_bytes());
        match core::str::from_utf8(text.split_at(length).0) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("a block of this kernel is too large"),
        }
    }
}

const fn append_text(
    (mut text, mut length): ([u8; 160], usize),
    more: &[u8],
) -> ([u8; 160], usize) {
    let mut k = 0;
    while k < more.len() {
        text[length] = more[k];
        (length, k) = (length + 1, k + 1);
    }
    (text, length)
}
