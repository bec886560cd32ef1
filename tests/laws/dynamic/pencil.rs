//! The recipes of chapters 2 and 3 of the guide, step by step as written there, compared with the
//! engine: the same modes, or a refusal by the same rule.

use proptest::prelude::*;
use proptest::sample::select;

use super::brute::Plain;
use super::generate::{layout, pair};
use layout_algebra::prelude::*;

type Modes = Vec<(usize, usize)>;

/// Chapter 2, coalesce: a mode of extent 1 goes away, and a mode that goes on where the one before
/// stops joins it.
fn coalesced(modes: &[(usize, usize)]) -> Modes {
    let mut list = Modes::new();
    for &(s, d) in modes.iter().filter(|mode| mode.0 != 1) {
        match list.last_mut() {
            Some(last) if last.0 * last.1 == d => last.0 *= s,
            _ => list.push((s, d)),
        }
    }
    list
}

/// Chapter 2, *The recipe*.
fn compose(a: &[(usize, usize)], b: &[(usize, usize)]) -> Result<Modes, ErrorKind> {
    // The last mode has no end, so it stays even if its extent is 1.
    let (last, before) = a.split_last().expect("a mode");
    let mut a = coalesced(before);
    match a.last_mut() {
        Some(mode) if mode.0 * mode.1 == last.1 => mode.0 *= last.0,
        _ => a.push(*last),
    }
    let bounded = a.len() - 1;
    let (mut written, mut sums) = (Modes::new(), vec![0; bounded]);
    for &(mut n, mut e) in b {
        loop {
            let mut rest = e;
            let mut digits: Vec<_> =
                a[..bounded].iter().map(|mode| (rest % mode.0, rest /= mode.0).0).collect();
            digits.push(rest);
            let held = digits
                .iter()
                .zip(&a[..bounded])
                .filter(|(c, _)| **c != 0)
                .map(|(c, mode)| mode.0.div_ceil(*c));
            let t = held.chain([n]).min().expect("at most n");
            written.push((t, digits.iter().zip(&a).map(|(c, mode)| c * mode.1).sum()));
            sums.iter_mut().zip(&digits).for_each(|(sum, c)| *sum += (t - 1) * c);
            if t == n {
                break;
            }
            if n % t != 0 {
                return Err(ErrorKind::Divisibility);
            }
            (n, e) = (n / t, t * e);
        }
    }
    if sums.iter().zip(&a).all(|(sum, mode)| *sum < mode.0) {
        Ok(written)
    } else {
        Err(ErrorKind::Carry)
    }
}

/// Chapter 3, *Complement*.
fn complement(modes: &[(usize, usize)], m: usize) -> Option<Modes> {
    let mut sorted: Modes = modes.iter().copied().filter(|&(s, d)| s != 1 && d != 0).collect();
    sorted.sort_by_key(|mode| mode.1);
    let (mut run, mut written) = (1, Modes::new());
    for (s, d) in sorted {
        if d < run || d % run != 0 {
            return None;
        }
        written.push((d / run, run));
        run = s * d;
    }
    (m % run == 0).then(|| {
        written.push((m / run, run));
        coalesced(&written)
    })
}

/// Chapter 3, *And back*: stride, step and extent of each mode, by stride; of equal strides the
/// left one first.
fn table(modes: &[(usize, usize)]) -> Vec<(usize, usize, usize)> {
    let mut p = 1;
    let steps = modes.iter().map(|&(s, d)| (d, (p, p *= s).0, s));
    let mut table: Vec<_> = steps.filter(|mode| mode.2 != 1).collect();
    table.sort();
    table
}

fn right_inverse(modes: &[(usize, usize)]) -> Modes {
    let (table, mut run, mut written) = (table(modes), 1, Modes::new());
    while let Some(&(_, p, s)) = table.iter().find(|mode| mode.0 == run) {
        written.push((s, p));
        run *= s;
    }
    coalesced(&written)
}

fn left_inverse(modes: &[(usize, usize)]) -> Option<Modes> {
    let table: Vec<_> = table(modes).into_iter().filter(|mode| mode.0 != 0).collect();
    let mut written: Modes =
        table.iter().take(1).filter(|mode| mode.0 > 1).map(|mode| (mode.0, 0)).collect();
    for pair in table.windows(2) {
        let ((d, p, s), next) = (pair[0], pair[1].0);
        if next % d != 0 || next < s * d {
            return None;
        }
        written.push((next / d, p));
    }
    written.extend(table.last().map(|&(_, p, s)| (s, p)));
    Some(coalesced(&written))
}

/// The modes of what the engine answers. A mode of extent 1 alone stands for no mode.
fn modes(l: &DynLayout) -> Modes {
    Plain::of(l).modes().into_iter().filter(|mode| mode.0 != 1).collect()
}

proptest! {
    #[test]
    fn compositions_by_pencil((a, b) in pair()) {
        let by_pencil = compose(&a.modes(), &b.modes());
        let found = a.to_layout().compose(b.to_layout()).map_err(|error| error.kind());
        let written = by_pencil.map(|all| all.into_iter().filter(|mode| mode.0 != 1).collect::<Modes>());
        prop_assert_eq!(found.map(|l| modes(&l)), written);
    }

    #[test]
    fn complements_by_pencil(a in layout(4), m in select(vec![12, 24, 36, 48, 60, 72, 144, 240])) {
        prop_assert_eq!(a.to_layout().complement(m).ok().map(|l| modes(&l)), complement(&a.modes(), m));
    }

    #[test]
    fn inverses_by_pencil(a in layout(4)) {
        let l = a.to_layout();
        prop_assert_eq!(modes(&l.right_inverse()), right_inverse(&a.modes()));
        prop_assert_eq!(l.left_inverse().ok().map(|l| modes(&l)), left_inverse(&a.modes()));
    }
}
