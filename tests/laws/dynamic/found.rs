//! Left inverses are found exactly where there are any: all small layouts, against all inverses that there may be.
//!
//! ```text
//! R(L(i)) = i for i < size(L), R a layout
//! ```
//!
//! Which `R` have to be tried? An extent `a * b` with the natural stride `d` is the extents `a` and `b` with the strides
//! `d` and `a * d`, and if `a` is a power of two the same holds for XOR strides. So an extent may be taken to be a prime
//! if its stride is natural, and 2 or an odd number if it is an XOR stride. The last mode has no end, and can be
//! followed on until its digits are 0 and 1: until no place beyond it is an offset of `L`. That leaves finitely many
//! shapes. The strides of natural and negative leaves solve linear equations in integers. Where one is an XOR stride,
//! none is negative, and the natural part and the XOR part of `i` have no bit in common: a natural stride that is used is
//! no larger than the largest `i`. The XOR strides solve linear equations over polynomials (a number is one, its bits
//! are the coefficients), and by Cramer's rule their degrees are at most that of `i` and those of all other digits.

use layout_algebra::DynStride::{self, Natural, Negative, Xor};
use layout_algebra::prelude::*;

/// The extents of all layouts that read offsets up to `largest` and cannot be made finer.
fn shapes(largest: usize) -> Vec<Vec<usize>> {
    fn longer(shape: &mut Vec<usize>, rest: usize, all: &mut Vec<Vec<usize>>) {
        if rest < 2 {
            return all.push(shape.iter().copied().chain([2]).collect());
        }
        for extent in (2..=rest).filter(|extent| *extent == 2 || extent % 2 == 1) {
            shape.push(extent);
            longer(shape, rest / extent, all);
            shape.pop();
        }
    }
    let mut all = Vec::new();
    longer(&mut Vec::new(), largest, &mut all);
    all
}

fn digits(mut offset: usize, shape: &[usize]) -> Vec<usize> {
    let mut digit = |extent: &usize| {
        let digit = offset % extent;
        offset /= extent;
        digit
    };
    shape.iter().map(&mut digit).collect()
}

/// Are there integers with `sum digits * stride = i` in each row? The columns are a lattice, and Euclid makes them a
/// staircase, that the right sides have to be in.
fn has_integers(rows: &[Vec<usize>]) -> bool {
    let mut columns: Vec<Vec<i64>> =
        (0..rows[0].len()).map(|k| rows.iter().map(|row| row[k] as i64).collect()).collect();
    let mut rest: Vec<i64> = (0..rows.len() as i64).collect();
    let subtract = |from: &mut Vec<i64>, what: &[i64], times: i64| {
        from.iter_mut().zip(what).for_each(|(a, b)| *a -= times * b);
    };
    for row in 0..rows.len() {
        let (mut other, here): (Vec<_>, Vec<_>) = columns.into_iter().partition(|column| column[row] == 0);
        let step = here.into_iter().reduce(|mut a, mut b| {
            while b[row] != 0 {
                let times = a[row] / b[row];
                subtract(&mut a, &b, times);
                (a, b) = (b, a);
            }
            other.push(b);
            a
        });
        if let Some(step) = step.filter(|step| rest[row] % step[row] == 0) {
            let times = rest[row] / step[row];
            subtract(&mut rest, &step, times);
        }
        if rest[row] != 0 {
            return false;
        }
        columns = other;
    }
    true
}

fn value(digits: &[usize], strides: &[Option<DynStride>]) -> Option<(usize, usize)> {
    let mut parts = (0, 0);
    for (&digit, stride) in digits.iter().zip(strides).filter(|(digit, _)| **digit != 0) {
        match (*stride)? {
            Natural(d) => parts.0 += digit * d,
            Xor(d) => parts.1 ^= (0..8).filter(|k| digit >> k & 1 == 1).fold(0, |all, k| all ^ d << k),
            Negative(_) => unreachable!("none is tried"),
        }
    }
    Some(parts)
}

/// Goes on with all strides of the digits that are used and have none yet, those first that a row needs alone.
fn has_strides(rows: &[Vec<usize>], xor: u32, most: usize, strides: &mut [Option<DynStride>], shape: &[usize]) -> bool {
    let open = |row: &[usize]| (0..row.len()).filter(|&k| row[k] != 0 && strides[k].is_none()).collect::<Vec<_>>();
    let next = rows.iter().map(|row| open(row)).filter(|open| !open.is_empty()).min_by_key(Vec::len);
    let Some(next) = next else {
        let strides = strides.iter().map(|stride| stride.unwrap_or(Natural(0)));
        let text: String = shape.iter().map(|extent| format!("{extent},")).collect();
        return DynLayout::with_strides(format!("({text})").parse::<DynShape>().unwrap(), strides).is_ok();
    };
    let (k, below) = (next[0], rows.len().next_power_of_two());
    let any = if xor >> k & 1 == 1 { 0..most } else { 0..below };
    any.into_iter().any(|d| {
        strides[k] = Some(if xor >> k & 1 == 1 { Xor(d) } else { Natural(d) });
        let right =
            |(i, row): (usize, &Vec<usize>)| value(row, strides).is_none_or(|(sum, without)| sum + without == i);
        // The rows without this digit are as they were.
        let of_digit = |(_, row): &(usize, &Vec<usize>)| row[k] != 0;
        let found = rows.iter().enumerate().filter(of_digit).all(right) && has_strides(rows, xor, most, strides, shape);
        strides[k] = None;
        found
    })
}

/// Is there a layout that takes these offsets back?
fn has_inverse(offsets: &[usize]) -> bool {
    let largest = offsets.iter().copied().max().unwrap_or(0);
    shapes(largest).iter().any(|shape| {
        let rows: Vec<Vec<usize>> = offsets.iter().map(|&offset| digits(offset, shape)).collect();
        let most = |k: usize| rows.iter().map(|row| row[k]).max().unwrap_or(0);
        let kinds = (1..1u32 << shape.len()).map(|xor| (xor, (0..shape.len()).filter(move |k| xor >> k & 1 == 1)));
        // A digit that is never used needs no XOR stride.
        let mut kinds = kinds.filter(|(_, without)| without.clone().all(|k| most(k) != 0));
        has_integers(&rows)
            || kinds.any(|(xor, without)| {
                let degrees: u32 = without.map(|k| most(k).ilog2()).sum();
                let most = rows.len().next_power_of_two() << degrees;
                has_strides(&rows, xor, most, &mut vec![None; shape.len()], shape)
            })
    })
}

/// All layouts of these extents with strides of all kinds up to `most`.
fn layouts(shape: &str, most: usize) -> Vec<DynLayout> {
    let shape: DynShape = shape.parse().unwrap();
    let strides: Vec<_> = (1..=most).map(Natural).chain((1..=most).map(Xor)).collect();
    let rank = shape.leaves().len();
    (0..strides.len().pow(rank as u32))
        .filter_map(|number| {
            let stride = (0..rank).map(|k| strides[number / strides.len().pow(k as u32) % strides.len()]);
            DynLayout::with_strides(&shape, stride).ok()
        })
        .collect()
}

#[test]
fn a_left_inverse_is_found_where_there_is_one() {
    const TWO: [(&str, usize); 10] = [
        ("(2,2)", 20),
        ("(2,3)", 12),
        ("(3,2)", 12),
        ("(2,4)", 10),
        ("(4,2)", 10),
        ("(3,3)", 9),
        ("(2,5)", 7),
        ("(5,2)", 7),
        ("(3,4)", 6),
        ("(4,3)", 6),
    ];
    const OTHERS: [(&str, usize); 9] = [
        ("5", 12),
        ("6", 12),
        ("7", 9),
        ("8", 9),
        ("9", 7),
        ("(2,2,2)", 6),
        ("(2,2,3)", 4),
        ("(2,3,2)", 4),
        ("(3,2,2)", 4),
    ];
    let (mut found, mut none) = (0, 0);
    for (shape, most) in TWO.into_iter().chain(OTHERS) {
        for l in layouts(shape, most).into_iter().filter(DynLayout::is_injective) {
            match l.find_left_inverse() {
                Ok(r) => {
                    assert!((0..l.size()).all(|i| r.signed_index(l.index(i)) == i as isize), "{l}: {r}");
                    found += 1;
                }
                Err(error) => {
                    let all: Vec<usize> = (0..l.size()).map(|i| l.index(i)).collect();
                    assert!(error.fault() == Fault::NoLeftInverse && !has_inverse(&all), "{error}");
                    none += 1;
                }
            }
        }
    }
    assert_eq!((found, none), (2611, 185));
}

#[test]
fn what_was_not_decided_is_said() {
    // Some of what is found has strides of two kinds, some of what is looked for has no inverse of natural ones.
    for (text, inverse) in
        [("(3,3):(3,5)", true), ("(3,2):(^7,^1)", true), ("(3,2):(^1,^4)", true), ("(4,6):(3,4)", false)]
    {
        let l: DynLayout = text.parse().unwrap();
        assert_eq!(l.find_left_inverse().is_ok(), inverse, "{l}");
    }
    for text in ["(4,6):(30,40)", "(3,2):(^7,^4096)", "(64,2000):(3000,7)"] {
        let error = text.parse::<DynLayout>().unwrap().find_left_inverse().unwrap_err();
        assert!(matches!(error.fault(), Fault::InverseUndecided { .. }), "{error}");
    }
    // Nothing negative is a coordinate, and no layout tells coordinates of one offset apart.
    for (text, kind) in [("(4,6):(-1,4)", "stride"), ("(4,6):(2,4)", "overlap")] {
        assert_eq!(text.parse::<DynLayout>().unwrap().find_left_inverse().unwrap_err().kind().as_str(), kind, "{text}");
    }
}
