//! Windows in WGSL, of narrow elements: a target whose fastest axes, a period, move along the source with the next axis.
//!
//! A few threads side by side have as many periods as their vectors have elements: whole vectors of the target, dealt to
//! them in turns, so that sectors are written whole. All of them read the runs of the source that these have, word by word,
//! and put words of the target together by shifts that are known; each writes its own. There is nothing in shared memory,
//! of which drivers give a multiprocessor little.

use crate::plan::{Axis, WIDEST};

/// Threads side by side: where bytes are put together, more of them take longer than sectors in pairs save.
pub fn lanes(bytes: i128) -> i128 {
    (2 * bytes).min(4)
}

/// What a thread does, where `at` is the offset in the source of the first period and `to` its first vector. A period has its
/// elements at these offsets. `None` if much would be read twice, or the next axis is short.
pub fn windows(offsets: &[i128], next: &Axis, bytes: i128) -> Option<String> {
    let (width, each, lanes, elements) = (WIDEST / bytes, 4 / bytes, lanes(bytes), offsets.len() as i128);
    // The runs of the source that the periods have: the first offset of each, and how many words with one more.
    let (mut sorted, mut runs) = (offsets.to_vec(), Vec::<(i128, i128)>::new());
    sorted.sort_unstable();
    let reach = next.step[0] * (lanes * width - 1);
    for offset in sorted {
        let first = runs.last().map(|run| run.0).filter(|first| offset <= first + reach);
        runs.truncate(runs.len() - usize::from(first.is_some()));
        let first = first.unwrap_or(offset);
        runs.push((first, (offset - first + reach + each) / each + 1));
    }
    let all: i128 = runs.iter().map(|run| run.1).sum();
    if elements > 32 || next.extent < lanes * width || all > 8 * elements.min(8) {
        return None;
    }
    let mut text = String::new();
    for (r, (first, words)) in runs.iter().enumerate() {
        text += &format!("        let at{r} = at + {first}u;\n        let by{r} = at{r} % {each}u * bits;\n");
        for q in 0..*words {
            text += &format!("        let word{r}_{q} = from_[at{r} / {each}u + {q}u];\n");
        }
        for q in 1..*words {
            let (before, next) = (q - 1, format!("((word{r}_{q} << (31u - by{r})) << 1u)"));
            text += &format!("        let x{r}_{before} = (word{r}_{before} >> by{r}) | {next};\n");
        }
    }
    // The run of an element of the target, the word there and the place in it.
    let place = |n: i128| {
        let offset = offsets[(n % elements) as usize];
        let r = runs.iter().rposition(|run| run.0 <= offset).unwrap_or(0);
        let at = offset - runs[r].0 + n / elements * next.step[0];
        (r, at / each, at % each)
    };
    let word = |word: i128| {
        let (mut text, mut n) = (String::new(), 0);
        while n < each {
            let (r, q, first) = place(word * each + n);
            let length = (1..each - n).find(|k| place(word * each + n + k) != (r, q, first + k)).unwrap_or(each - n);
            let value = format!("x{r}_{q} >> ({first}u * bits)");
            let insert = |text| format!("insertBits({text}, {value}, {n}u * bits, {length}u * bits)");
            text = if n == 0 { value } else { insert(text) };
            n += length;
        }
        text
    };
    let vector = |k: i128| format!("vec4<u32>({})", (4 * k..4 * k + 4).map(word).collect::<Vec<_>>().join(", "));
    for k in (0..lanes * elements).step_by(lanes as usize) {
        let chosen = |all, n| format!("select({all}, {}, t % lanes == {n}u)", vector(k + n));
        let value = (1..lanes).fold(vector(k), chosen);
        text += &format!("        if (({k}u + t % lanes) * width + width <= rest) {{ to_[to + {k}u] = {value}; }}\n");
    }
    Some(text)
}
