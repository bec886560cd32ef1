//! The search for left inverses, where sorting finds none.
//!
//! ```text
//! R(L(i)) = i
//!         R reads an offset in the mixed radix of places 1 | P_1 | P_2 | .., a stride for each digit
//! ```
//!
//! A place is the product of the extents before a digit. Where the places are known, `R` is an inverse if and only if
//! its strides solve an equation for each offset of `L`, a linear one in integers if none is an XOR stride. A finer
//! chain of places leaves more freedom than a coarser one, so steps by primes cover all natural and negative
//! strides, and steps by 2 and odd numbers cover all XOR strides beside natural ones. For layouts with few offsets all
//! chains are tried, and an inverse that is not found does not exist.
//!
//! For layouts with many offsets, only those places are tried at which digits of the offsets of `L` add up without a
//! carry, which is the case if and only if the remainders of its strides do: `sum (n_k - 1) * (d_k mod P) < P`. Between
//! such places, one equation for each mode is enough.

use alloc::vec::Vec;

use super::linear::domain_modes;
use super::modes::{KindMode, KindModes, offset};
use super::stride::{DynStride, DynStrideKind};
use crate::dynamic::layout::{DynLayout, from_every};
use crate::error::{Fault, LayoutError};

/// The limits of the search: the most offsets for which XOR strides are tried; the largest offset for which all chains
/// are tried, and for which any are; and the most chains.
const FEWEST_OFFSETS: usize = 1 << 6;
const FEW_OFFSETS: usize = 1 << 10;
const MOST_OFFSETS: usize = 1 << 16;
const MOST_CHAINS: usize = 1 << 17;

/// A mode of prime extent: `(extent, stride, step in the domain)`.
type PrimeMode = (usize, usize, i128);

/// The modes of a layout in steps of primes, the least ones first.
fn prime_modes(layout: &DynLayout) -> Vec<PrimeMode> {
    let mut modes = Vec::new();
    for of in domain_modes(&layout.every_mode()) {
        let (mut rest, mut stride, mut step) = (of.mode.extent, of.mode.stride.number(), of.step);
        let mut prime = 2;
        while rest > 1 {
            if prime * prime > rest {
                prime = rest;
            }
            if rest % prime == 0 {
                // A step in the domain, whose size fits.
                modes.push((prime, stride, step as i128));
                (rest, stride, step) = (rest / prime, stride * prime, step * prime);
            } else {
                prime += 1;
            }
        }
    }
    modes
}

/// Integers `r` with `rows * r = wanted`, if there are any: columns are added to one another until each row has one
/// entry behind those that are settled.
fn solve(rows: &[Vec<i128>], wanted: &[i128]) -> Option<Vec<i128>> {
    let unknowns = rows.first().map_or(0, Vec::len);
    let mut columns: Vec<Vec<i128>> = (0..unknowns).map(|j| rows.iter().map(|row| row[j]).collect()).collect();
    let mut made: Vec<Vec<i128>> = (0..unknowns).map(|j| (0..unknowns).map(|k| i128::from(j == k)).collect()).collect();
    let subtract = |from: &mut Vec<i128>, what: &[i128], times: i128| -> Option<()> {
        for (a, b) in from.iter_mut().zip(what) {
            *a = a.checked_sub(times.checked_mul(*b)?)?;
        }
        Some(())
    };
    let (mut settled, mut rest, mut solution) = (0, wanted.to_vec(), alloc::vec![0; unknowns]);
    for row in 0..rows.len() {
        // Euclid over the entries of this row.
        loop {
            let entries = (settled..unknowns).filter(|&j| columns[j][row] != 0);
            let Some(least) = entries.min_by_key(|&j| columns[j][row].unsigned_abs()) else { break };
            columns.swap(settled, least);
            made.swap(settled, least);
            let Some(other) = (settled + 1..unknowns).find(|&j| columns[j][row] != 0) else { break };
            let times = columns[other][row] / columns[settled][row];
            let (pivot, of_pivot) = (columns[settled].clone(), made[settled].clone());
            subtract(&mut columns[other], &pivot, times)?;
            subtract(&mut made[other], &of_pivot, times)?;
        }
        let pivot = columns.get(settled).map_or(0, |column| column[row]);
        if pivot == 0 {
            if rest[row] != 0 {
                return None;
            }
            continue;
        }
        if rest[row] % pivot != 0 {
            return None;
        }
        let times = rest[row] / pivot;
        subtract(&mut rest, &columns[settled], times)?;
        subtract(&mut solution, &made[settled], -times)?;
        settled += 1;
    }
    Some(solution)
}

/// Tries all longest chains that `next` continues; whether one of them is accepted.
fn any_chain(
    next: &dyn Fn(usize) -> Vec<usize>,
    chain: &mut Vec<usize>,
    left: &mut usize,
    accept: &mut dyn FnMut(&[usize]) -> bool,
) -> bool {
    let places = next(*chain.last().unwrap_or(&1));
    if places.is_empty() {
        *left = left.saturating_sub(1);
        return accept(chain);
    }
    places.into_iter().any(|place| {
        chain.push(place);
        let found = *left > 0 && any_chain(next, chain, left, accept);
        chain.pop();
        found
    })
}

/// An offset in the mixed radix of a chain.
fn digits(offset: usize, chain: &[usize]) -> Vec<i128> {
    let begins = core::iter::once(1).chain(chain.iter().copied());
    let ends = chain.iter().map(|&place| Some(place)).chain([None]);
    begins.zip(ends).map(|(place, end)| (end.map_or(offset, |end| offset % end) / place) as i128).collect()
}

/// The modes of a chain that reads offsets up to `largest`.
fn modes_of(chain: &[usize], largest: usize, strides: impl Iterator<Item = DynStride>) -> KindModes {
    let last = chain.last().map_or(1, |&place| place);
    let mut place = 1;
    let ends = chain.iter().copied().chain([(largest / last + 1) * last]);
    ends.zip(strides).map(|(end, stride)| KindMode::new(end / core::mem::replace(&mut place, end), stride)).collect()
}

/// Natural or negative strides of a chain that take each offset to the wanted number. If those of the first
/// `few` have no solution, there is none.
fn signed(chain: &[usize], wanted: &[(usize, i128)], few: usize) -> Option<Vec<DynStride>> {
    let solved = |wanted: &[(usize, i128)]| {
        let rows: Vec<Vec<i128>> = wanted.iter().map(|&(offset, _)| digits(offset, chain)).collect();
        solve(&rows, &wanted.iter().map(|&(_, number)| number).collect::<Vec<_>>())
    };
    let mut strides = solved(&wanted[..few])?;
    if few < wanted.len() {
        strides = solved(wanted)?;
    }
    strides.into_iter().map(DynStride::signed).collect()
}

/// The kind of stride `k`: XOR where `xor` has a bit.
fn kind(xor: u32, k: usize) -> DynStrideKind {
    if xor >> k & 1 == 1 { DynStrideKind::Xor } else { DynStrideKind::Natural }
}

/// Natural strides, and XOR strides where `xor` has a bit, that take row `i` of digits to `i`. The strides are tried
/// bit by bit, as long as the bits so far are right.
fn by_bits(rows: &[Vec<i128>], xor: u32, place: u32, strides: &mut Vec<u128>) -> bool {
    let rest: Vec<i128> = (0..rows.len())
        .map(|i| {
            let terms = rows[i].iter().zip(&*strides).enumerate();
            // They are below twice the number of rows, and digits below the few offsets.
            let terms =
                terms.map(|(k, (&digit, &stride))| (digit as usize, DynStride::of(kind(xor, k), stride as usize)));
            i as i128 - offset(terms).unwrap_or(0)
        })
        .collect();
    if rows.len() <= 1 << place && rest.iter().all(|&rest| rest == 0) {
        return true;
    }
    // Bits that cancel each other go no further, by Cramer's rule over polynomials.
    let most = |k: usize| rows.iter().map(|row| row[k] as usize).max().unwrap_or(0);
    let degrees: u32 = (0..strides.len()).filter(|k| xor >> k & 1 == 1).map(|k| most(k).max(1).ilog2()).sum();
    if rows.len().next_power_of_two() << degrees <= 1 << place {
        return false;
    }
    let odd: Vec<u32> =
        rows.iter().map(|row| row.iter().rev().fold(0, |all, &digit| all << 1 | (digit & 1) as u32)).collect();
    let used = rows.iter().flatten().enumerate().filter(|(_, digit)| **digit != 0);
    let used = used.fold(0u32, |all, (at, _)| all | 1 << (at % strides.len()));
    (0..1u32 << strides.len()).filter(|with| with & !used == 0).any(|with| {
        let fits = odd.iter().zip(&rest).all(|(odd, rest)| (odd & with).count_ones() & 1 == (rest >> place & 1) as u32);
        let add = |strides: &mut Vec<u128>| {
            strides.iter_mut().enumerate().for_each(|(k, stride)| *stride ^= u128::from(with >> k & 1) << place);
        };
        if !fits {
            return false;
        }
        add(strides);
        let found = by_bits(rows, xor, place + 1, strides);
        if !found {
            add(strides);
        }
        found
    })
}

/// An inverse of a layout without negative offsets, or `None` if there is none; a fault if the search ended at a limit.
fn search(layout: &DynLayout) -> Result<Option<KindModes>, Fault> {
    let largest = layout.cosize().saturating_sub(1);
    if largest > if layout.has_natural_strides() { MOST_OFFSETS } else { FEW_OFFSETS } {
        return Err(Fault::InverseUndecided { most: FEW_OFFSETS });
    }
    let modes = if layout.has_natural_strides() { prime_modes(layout) } else { Vec::new() };
    let mut wanted: Vec<(usize, i128)> = modes.iter().map(|&(_, stride, step)| (stride, step)).collect();
    if largest <= FEW_OFFSETS {
        wanted.extend((0..layout.size()).map(|i| (layout.index(i), i as i128)));
    }
    // All primes, or the places at which no digit carries, none of which leaves room for another one between.
    let is_prime = |p: &usize| (2..*p).take_while(|q| q * q <= *p).all(|q| p % q != 0);
    let primes: Vec<usize> = (2..=largest.min(FEW_OFFSETS)).filter(is_prime).collect();
    let evenly = |place: &usize| {
        let sum = modes.iter().fold(0usize, |sum, &(n, d, _)| sum.saturating_add((n - 1) * (d % place)));
        sum < *place
    };
    let places: Vec<usize> = if largest <= FEW_OFFSETS { Vec::new() } else { (2..=largest).filter(evenly).collect() };
    let next = |place: usize| -> Vec<usize> {
        if largest <= FEW_OFFSETS {
            return primes.iter().map(|prime| place * prime).take_while(|&next| next <= largest).collect();
        }
        let next: Vec<usize> = places.iter().copied().filter(|&p| p > place && p % place == 0).collect();
        let nearest = |&(index, p): &(usize, usize)| next[..index].iter().all(|&between| p % between != 0);
        next.iter().copied().enumerate().filter(nearest).map(|(_, p)| p).collect()
    };
    let (mut found, mut left) = (None, MOST_CHAINS);
    let few = wanted.len().min(3 * modes.len() + 8);
    any_chain(&next, &mut Vec::new(), &mut left, &mut |chain| {
        let Some(strides) = signed(chain, &wanted, few) else { return false };
        let natural = strides.iter().all(|stride| stride.kind() == DynStrideKind::Natural);
        if natural || found.is_none() {
            found = Some(modes_of(chain, largest, strides.into_iter()));
        }
        natural
    });
    if found.is_none() && largest < FEWEST_OFFSETS {
        let steps: Vec<usize> = (2..=largest).filter(|step| *step == 2 || step % 2 == 1).collect();
        let next = |place: usize| steps.iter().map(|step| place * step).take_while(|&next| next <= largest).collect();
        any_chain(&next, &mut Vec::new(), &mut left, &mut |chain| {
            let rows: Vec<Vec<i128>> = (0..layout.size()).map(|i| digits(layout.index(i), chain)).collect();
            (1..1u32 << (chain.len() + 1)).any(|xor| {
                let mut strides = alloc::vec![0; chain.len() + 1];
                let solved = by_bits(&rows, xor, 0, &mut strides);
                let strides =
                    strides.iter().enumerate().map(|(k, &stride)| DynStride::of(kind(xor, k), stride as usize));
                found = solved.then(|| modes_of(chain, largest, strides)).filter(|modes| from_every(modes).is_ok());
                found.is_some()
            })
        });
    }
    match found {
        None if largest >= FEWEST_OFFSETS || left == 0 => Err(Fault::InverseUndecided { most: FEWEST_OFFSETS }),
        found => Ok(found),
    }
}

fn found(layout: &DynLayout) -> Result<DynLayout, Fault> {
    let fault = match layout.left_inverse() {
        Ok(inverse) => return Ok(inverse),
        Err(error) => error.fault(),
    };
    // A negative offset is no coordinate.
    if !layout.is_injective() || layout.base() != 0 {
        return Err(fault);
    }
    // A layout that is linear in bits has an inverse that is.
    if let Ok(inverse) = layout.linear().and_then(|linear| linear.left_inverse()) {
        return Ok(inverse.natural().unwrap_or(inverse));
    }
    let modes = search(layout)?.ok_or(Fault::NoLeftInverse)?;
    Ok(from_every(&modes)?.coalesce())
}

impl DynLayout {
    /// An `R` with `R(L(i)) = i`, with strides of any kind: the result of [`left_inverse`](Self::left_inverse),
    /// or that of a search if `left_inverse` refuses an injective layout.
    ///
    /// Law: `R(L(i)) = i` for `i < size(L)`, where `L` is injective. Natural strides are preferred, then
    /// negative ones. Up to 64 offsets all layouts are tried; up to 1,024 all with natural and negative strides; up to
    /// 65,536, if `L` has natural strides, those in whose digits its offsets add up without a carry.
    ///
    /// # Errors
    /// Those of [`left_inverse`](Self::left_inverse) if the layout is not injective, or has negative offsets; `overlap`
    /// if no layout is a left inverse; `overflow` if the search ended at a limit.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let l: DynLayout = "(2,2):(2,3)".parse()?;
    /// assert_eq!(l.left_inverse().unwrap_err().kind().as_str(), "overlap");
    /// assert_eq!(l.find_left_inverse()?.to_string(), "(2,4):(1,1)"); // 0, 2, 3 and 5 to 0, 1, 2 and 3
    ///
    /// // Natural strides do not, negative ones do.
    /// let l: DynLayout = "(4,8,3):(5,24,4)".parse()?;
    /// let r = l.find_left_inverse()?;
    /// assert!((0..l.size()).all(|i| r.signed_index(l.index(i)) == i as isize));
    ///
    /// let none = "(4,6):(3,4)".parse::<DynLayout>()?.find_left_inverse().unwrap_err();
    /// assert!(none.to_string().ends_with("no layout takes its offsets back"), "{none}");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn find_left_inverse(&self) -> Result<DynLayout, LayoutError> {
        found(self).map_err(|fault| LayoutError::new("left_inverse", fault).with_operand(self))
    }
}
