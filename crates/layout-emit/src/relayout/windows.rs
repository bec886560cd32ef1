//! Windows and pixels of bytes and halves in WGSL: the fastest axes of the target are a period,
//! which moves along the source with the next axis.
//!
//! Two or four adjacent threads take as many periods as their vectors have elements: whole vectors
//! of the target, which the threads write alternately, so that they write whole sectors. Each
//! thread reads all runs of the source in these periods word by word, joins words of the target by
//! known shifts, and writes its own vectors. The kernel uses no shared memory, because drivers give
//! a multiprocessor little.

use super::plan::{Axis, WIDEST};

/// The most words that a thread reads for each element of a period.
const MOST_WORDS: i128 = 9;

/// The code of each of `lanes` threads, where `at` is the offset in the source of their first
/// period, and `to` is the number of the thread's first vector. The elements of a period have these
/// `offsets`. `None` if the threads would read more than 9 words for each element of a period, or
/// for `most` elements; if the next axis ends twice among their periods; or for four threads and
/// bytes, which need too many shifts.
pub fn write_windows(
    lanes: i128,
    offsets: &[i128],
    next: &Axis,
    bytes: i128,
    most: i128,
) -> Option<(i128, String)> {
    let (width, each, elements) = (WIDEST / bytes, 4 / bytes, offsets.len() as i128);
    // The runs of the source in the periods: the first offset, and the words of the run plus one.
    let (mut sorted, mut runs) = (offsets.to_vec(), Vec::<(i128, i128)>::new());
    sorted.sort_unstable();
    for offset in sorted {
        let words =
            |first: i128| (offset - first + next.step[0] * (lanes * width - 1) + each) / each + 1;
        match runs.last_mut() {
            Some(run) if offset <= run.0 + run.1 * each => run.1 = words(run.0),
            _ => runs.push((offset, words(offset))),
        }
    }
    let all: i128 = runs.iter().map(|run| run.1).sum();
    if bytes < lanes / 2 && lanes > 2
        || next.extent < lanes * width
        || all > MOST_WORDS * elements.min(most)
    {
        return None;
    }
    let mut text = String::new();
    for (r, (first, words)) in runs.iter().enumerate() {
        text += &format!(
            "        let at{r} = at + {first}u;\n        let by{r} = at{r} % {each}u * bits;\n"
        );
        for q in 0..*words {
            text += &format!("        let word{r}_{q} = from_[at{r} / {each}u + {q}u];\n");
        }
        for q in 1..*words {
            text += &format!(
                "        let x{r}_{0} = shifted(word{r}_{0}, word{r}_{q}, by{r});\n",
                q - 1
            );
        }
    }
    // The run of an element of the target, the word in the run, and the position in the word.
    let place = |n: i128| {
        let offset = offsets[(n % elements) as usize];
        let r = runs.iter().rposition(|run| run.0 <= offset).unwrap_or(0);
        let at = offset - runs[r].0 + n / elements * next.step[0];
        (r, at / each, at % each)
    };
    let word = |word: i128| {
        let places: Vec<_> = (word * each..(word + 1) * each).map(place).collect();
        let (mut text, mut n) = (String::new(), 0);
        for run in places.chunk_by(|a, b| *b == (a.0, a.1, a.2 + 1)) {
            let ((r, q, first), length) = (run[0], run.len());
            let value = format!("x{r}_{q} >> ({first}u * bits)");
            let insert = |text: String| {
                format!("insertBits({text}, {value}, {n}u * bits, {length}u * bits)")
            };
            (text, n) = (if n == 0 { value.clone() } else { insert(text) }, n + length);
        }
        text
    };
    let vector = |k: i128| {
        format!("vec4<u32>({})", (4 * k..4 * k + 4).map(word).collect::<Vec<_>>().join(", "))
    };
    for k in (0..lanes * elements).step_by(lanes as usize) {
        let chosen = |all, n| format!("select({all}, {}, t % lanes == {n}u)", vector(k + n));
        let value = (1..lanes).fold(vector(k), chosen);
        text += &format!(
            "        if (({k}u + t % lanes) * width + width <= rest) \
             {{ to_[to + {k}u] = {value}; }}\n"
        );
    }
    Some((lanes, text))
}
