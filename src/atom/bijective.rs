//! Whether the layouts of a product deal each element once, said when the program is built.

use crate::layout::flat::{FlatLayout, Message};

/// Stops the build with what is wrong.
pub(super) const fn assert_fits(wrong: &Option<Message>) {
    if let Some(message) = wrong {
        panic!("{}", message.as_str())
    }
}

/// What is wrong with the atom's layout of an operand of `tile` elements, unless it deals each of
/// them once. Where threads may `share`, those along modes with stride 0 have the same values.
pub(super) const fn not_dealt_once(
    layout: &FlatLayout,
    tile: usize,
    operand: &str,
    share: bool,
) -> Option<Message> {
    let message =
        Message::new().text("cannot make a tiled product: in the atom's layout of ").text(operand);
    let (span, size) = match span_apart(layout, message, if share { layout.lead } else { 0 }) {
        Ok(found) => found,
        Err(overlap) => return Some(overlap),
    };
    if span > tile {
        let text = message
            .text(" the largest number is ")
            .number(span - 1)
            .text(", and the tile has ")
            .number(tile);
        return Some(text.text(" elements"));
    }
    // Numbers that differ, all of them below the tile's: each is there if they are as many.
    if size < tile {
        return Some(
            message
                .text(" threads have ")
                .number(size)
                .text(" elements, and the tile has ")
                .number(tile),
        );
    }
    None
}

/// Which mode overlaps with others, if one does.
pub(super) const fn overlap(layout: &FlatLayout, message: Message) -> Option<Message> {
    match span_apart(layout, message, 0) {
        Ok(_) => None,
        Err(overlap) => Some(overlap),
    }
}

/// One more than the largest number, and how many numbers there are, if no two modes overlap. Of
/// the first `shared` modes those with stride 0 are left out.
#[allow(clippy::result_large_err, reason = "a constant cannot put the message on a heap")]
const fn span_apart(
    layout: &FlatLayout,
    message: Message,
    shared: usize,
) -> Result<(usize, usize), Message> {
    let (extents, strides) = (&layout.modes.extents, &layout.modes.strides);
    let (mut span, mut size, mut done) = (1_usize, 1, 0_u32);
    loop {
        // The mode with the least stride of those that are left.
        let (mut next, mut k) = (None, 0);
        while k < layout.modes.count {
            let left = extents[k] > 1 && !(k < shared && strides[k] == 0) && done >> k & 1 == 0;
            next = match next {
                Some(least) if !left || strides[k] >= strides[least] => Some(least),
                None if !left => None,
                _ => Some(k),
            };
            k += 1;
        }
        let Some(next) = next else { return Ok((span, size)) };
        let (extent, stride) = (extents[next], strides[next]);
        done |= 1 << next;
        if stride == 0 {
            let text = message
                .text(" the mode ")
                .number(extent)
                .text(":0 has one number for ")
                .number(extent);
            return Err(text.text(" coordinates"));
        }
        if stride < span {
            let text = message
                .text(" the mode ")
                .number(extent)
                .text(":")
                .number(stride)
                .text(" overlaps the ")
                .number(span);
            return Err(text.text(" numbers that the modes below it span"));
        }
        (span, size) = (span.saturating_add((extent - 1).saturating_mul(stride)), size * extent);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::layout::flat::Modes;
    use std::vec::Vec;
    use std::{println, vec};

    fn flat(modes: &[(usize, usize)], lead: usize) -> FlatLayout {
        FlatLayout::strided(
            modes.iter().fold(Modes::NONE, |all, &(extent, stride)| all.push(extent, stride)),
            lead,
        )
    }

    #[test]
    fn each_way_to_be_wrong_has_a_sentence() {
        let message = |modes: &[(usize, usize)], tile, share| {
            not_dealt_once(&flat(modes, 1), tile, "B", share)
                .map(|message| std::string::String::from(message.as_str()))
        };
        let head = "cannot make a tiled product: in the atom's layout of B ";
        let of = |rest: &str| Some(std::format!("{head}{rest}"));
        assert_eq!(message(&[(4, 2), (2, 1)], 8, true), None);
        assert_eq!(message(&[(4, 0), (8, 1)], 8, true), None);
        assert_eq!(
            message(&[(4, 0), (8, 1)], 8, false),
            of("the mode 4:0 has one number for 4 coordinates")
        );
        assert_eq!(
            message(&[(4, 2), (2, 0)], 8, true),
            of("the mode 2:0 has one number for 2 coordinates")
        );
        assert_eq!(
            message(&[(4, 1), (2, 1)], 8, true),
            of("the mode 2:1 overlaps the 4 numbers that the modes below it span")
        );
        assert_eq!(
            message(&[(1, 0), (2, 10)], 2, true),
            of("the largest number is 10, and the tile has 2 elements")
        );
        assert_eq!(
            message(&[(2, 1), (2, 0)], 2, false),
            of("the mode 2:0 has one number for 2 coordinates")
        );
        assert_eq!(
            message(&[(2, 1), (1, 0)], 4, true),
            of("threads have 2 elements, and the tile has 4")
        );
        assert_eq!(
            message(&[(2, 2), (1, 0)], 4, true),
            of("threads have 2 elements, and the tile has 4")
        );
    }

    /// Random layouts, counted element by element: another seed each day, printed.
    #[test]
    fn each_element_is_counted() {
        let day = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |t| t.as_secs() / 86400);
        println!("seed {day}");
        let mut state = day ^ 0x9e37_79b9_7f4a_7c15;
        let mut below = |n: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) % n
        };
        let mut fit = 0;
        for _ in 0..20_000 {
            let lead = 1 + below(2) as usize;
            let mut modes: Vec<(usize, usize)> = (0..lead + 1 + below(2) as usize)
                .map(|_| (1 + below(4) as usize, [0, 1, 2, 3, 4, 6, 8][below(7) as usize]))
                .collect();
            if below(2) == 0 {
                // Compact in some order, now and then with one stride moved.
                let mut stride = 1;
                for k in 0..modes.len() {
                    let at = (k + below(2) as usize) % modes.len();
                    modes[at].1 = stride;
                    stride *= modes[at].0;
                }
            }
            let share = below(2) == 0;
            let kept: Vec<_> = modes
                .iter()
                .enumerate()
                .filter(|(k, mode)| !(share && *k < lead && mode.1 == 0))
                .map(|(_, mode)| *mode)
                .collect();
            let all: usize = kept.iter().map(|mode| mode.0).product();
            let tile = if below(3) == 0 { 1 + below(32) as usize } else { all };
            let mut times = vec![0; tile];
            let mut beyond = false;
            for i in 0..all {
                let mut rest = i;
                let element: usize = kept
                    .iter()
                    .map(|(extent, stride)| {
                        let digit = rest % extent;
                        rest /= extent;
                        digit * stride
                    })
                    .sum();
                match times.get_mut(element) {
                    Some(times) => *times += 1,
                    None => beyond = true,
                }
            }
            let once = !beyond && times.iter().all(|times| *times == 1);
            fit += usize::from(once);
            assert_eq!(
                not_dealt_once(&flat(&modes, lead), tile, "A", share).is_none(),
                once,
                "{modes:?}, {lead}, {tile}, {share}"
            );
        }
        assert!(fit > 1000, "only {fit} of the layouts fit");
    }
}
