//! Windows in WGSL, of narrow elements: a target whose fastest axes, a period, move along the source with the next axis.
//!
//! A thread has as many periods as a vector has elements, so that they are whole vectors of the target. It reads the runs
//! of the source that these have, word by word, and puts words of the target together of them by shifts that are known.

use crate::plan::{THREADS, WIDEST};
use crate::tiling::Period;

/// The threads of a workgroup, whose periods take 20 KiB at most; an odd number of vectors for each, so that their banks
/// differ.
pub fn threads(elements: i128) -> i128 {
    THREADS.min((20 << 10) / (WIDEST * (elements | 1)) / 32 * 32)
}

/// The runs of the source that the periods of a thread have: the first offset of each, and how many elements.
fn runs(period: &Period, width: i128) -> Vec<(i128, i128)> {
    let mut sorted = period.offsets.clone();
    sorted.sort_unstable();
    let mut runs: Vec<(i128, i128)> = Vec::new();
    for offset in sorted {
        match runs.last_mut() {
            Some((_, last)) if offset - *last <= width => *last = offset,
            _ => runs.push((offset, offset)),
        }
    }
    runs.into_iter().map(|(first, last)| (first, last - first + period.step * (width - 1) + 1)).collect()
}

/// What a thread does for its periods, of which the first one begins at the offset `at` of the tile. `None` if it would read
/// more words than it writes, or the next axis is short.
pub fn windows(period: &Period, bytes: i128) -> Option<String> {
    let (width, each, bits) = (WIDEST / bytes, 4 / bytes, 8 * bytes);
    let runs = runs(period, width);
    let words = |length: i128| (length + each - 1) / each;
    let all: i128 = runs.iter().map(|run| words(run.1) + 1).sum();
    if bytes > 2 || threads(period.elements) == 0 || period.extent < width || period.windows == 0 || all > 4 * period.elements {
        return None;
    }
    let mut text = String::new();
    for (r, (first, length)) in runs.iter().enumerate() {
        text += &format!("        let at{r} = at + {first}u;\n        let by{r} = at{r} % {each}u * {bits}u;\n");
        for q in 0..=words(*length) {
            text += &format!("        let word{r}_{q} = word(at{r} / {each}u + {q}u);\n");
        }
        for q in 0..words(*length) {
            let next = format!("((word{r}_{} << (31u - by{r})) << 1u)", q + 1);
            text += &format!("        let x{r}_{q} = (word{r}_{q} >> by{r}) | {next};\n");
        }
    }
    // The run of an element of the target, the word there and the place in it.
    let place = |n: i128| {
        let offset = period.offsets[(n % period.elements) as usize];
        let r = runs.iter().rposition(|run| run.0 <= offset).unwrap_or(0);
        let at = offset - runs[r].0 + n / period.elements * period.step;
        (r, at / each, at % each)
    };
    let word = |word: i128| {
        let (mut text, mut n) = (String::new(), 0);
        while n < each {
            let (r, q, first) = place(word * each + n);
            let length = (1..each - n).find(|k| place(word * each + n + k) != (r, q, first + k)).unwrap_or(each - n);
            let value = if first > 0 { format!("x{r}_{q} >> {}u", first * bits) } else { format!("x{r}_{q}") };
            let insert = |text| format!("insertBits({text}, {value}, {}u, {}u)", n * bits, length * bits);
            text = if n == 0 { value } else { insert(text) };
            n += length;
        }
        text
    };
    for k in 0..period.elements {
        let words = (4 * k..4 * k + 4).map(word).collect::<Vec<_>>().join(", ");
        text += &format!("        tile[t * apart + {k}u] = vec4<u32>({words});\n");
    }
    Some(text)
}
