//! Conversions of elements are those of `ml_dtypes`: every value of each, and every float of 32
//! bits.
//!
//! `fixtures/conversions.txt`, which `.ci/test-bits` makes again, has of each type its values, and
//! of the 2^32 floats in the order of their bits the first one of each run that becomes one code.

use layout_bits::{E2m1, E2m3, E3m2, E4m3, E5m2, E8m0, Element, S4, U1, U2, U4, U6};

const FIXTURE: &str = include_str!("fixtures/conversions.txt");

fn line<'a>(name: &str, what: &str) -> impl Iterator<Item = &'a str> {
    let line = FIXTURE.lines().find_map(|line| line.strip_prefix(&format!("{name} {what} ")));
    line.unwrap_or_else(|| panic!("no {what} of {name}")).split(' ')
}

fn hex(text: &str) -> u32 {
    u32::from_str_radix(text, 16).unwrap()
}

fn runs(name: &str) -> Vec<(u32, u8)> {
    line(name, "runs")
        .map(|run| run.split_once(':').unwrap())
        .map(|(at, code)| (hex(at), hex(code) as u8))
        .collect()
}

/// All the floats of a step: that many apart, and the first and last two of each run.
fn check<E: Element + Into<f32>>(name: &str, new: fn(f32) -> E, step: usize) {
    let values: Vec<u32> = line(name, "values").map(hex).collect();
    assert_eq!(values.len(), 1 << E::BITS);
    for (code, &bits) in values.iter().enumerate() {
        let (ours, theirs): (f32, _) = (E::from_bits(code as u8).into(), f32::from_bits(bits));
        assert!(
            ours.to_bits() == bits || ours.is_nan() && theirs.is_nan(),
            "{name} {code}: {ours}, not {theirs}"
        );
        assert_eq!(E::from_bits(code as u8).to_bits(), code as u8);
    }
    let runs = runs(name);
    let mut checked = 0_u64;
    for (k, &(first, code)) in runs.iter().enumerate() {
        let end = runs.get(k + 1).map_or(1 << 32, |next| u64::from(next.0));
        let all = u64::from(first)..end;
        let edges = [all.start + 1, end.saturating_sub(2), end - 1]
            .into_iter()
            .filter(|bits| all.contains(bits));
        for bits in all.clone().step_by(step).chain(edges).map(|bits| bits as u32) {
            let ours = new(f32::from_bits(bits)).to_bits();
            assert_eq!(ours, code, "{name} of {} ({bits:#x})", f32::from_bits(bits));
            checked += 1;
        }
    }
    assert!(checked as usize > (1 << 32) / step, "{name}: {checked} floats");
}

fn all(step: usize) {
    check("E2m1", E2m1::new, step);
    check("E2m3", E2m3::new, step);
    check("E3m2", E3m2::new, step);
    check("E8m0", E8m0::new, step);
    check("E4m3", E4m3::new, step);
    check("E5m2", E5m2::new, step);
}

#[test]
fn floats_are_those_of_ml_dtypes() {
    all(9973);
}

/// `cargo test --release -p layout-bits --test elements -- --ignored`: minutes.
#[test]
#[ignore = "all 2^32 floats"]
fn all_floats_are_those_of_ml_dtypes() {
    all(1);
}

#[test]
fn beyond_the_range() {
    for x in [449.0, 464.1, 1e30, f32::INFINITY] {
        assert_eq!((E4m3::saturating(x).to_bits(), E4m3::saturating(-x).to_bits()), (0x7e, 0xfe));
        assert_eq!(E8m0::saturating(-x).to_bits(), 255);
    }
    assert_eq!(
        (E5m2::saturating(1e9).to_bits(), E8m0::saturating(f32::INFINITY).to_bits()),
        (0x7b, 254)
    );
    assert_eq!(E2m1::saturating(1e9), E2m1::new(6.0));
    assert!(f32::from(E4m3::saturating(f32::NAN)).is_nan());
}

#[test]
fn integers_have_their_range_and_no_other() {
    fn check<E: Element>(numbers: impl Iterator<Item = i64>, number: fn(E) -> i64) {
        for (code, n) in numbers.enumerate() {
            let x = E::from_bits(code as u8 | !(0xff >> (8 - E::BITS)));
            assert_eq!(number(x), n);
            assert_eq!(x.to_bits(), code as u8);
        }
    }
    check::<U1>(0..2, |x| x.into());
    check::<U2>(0..4, |x| x.into());
    check::<U4>(0..16, |x| x.into());
    check::<U6>(0..64, |x| x.into());
    check::<S4>((0..8).chain(-8..0), |x| x.into());
    for n in i8::MIN..=i8::MAX {
        assert_eq!(S4::checked(n).map(i8::from), (-8..8).contains(&n).then_some(n));
    }
    for n in 0..=u8::MAX {
        assert_eq!(U1::checked(n).map(u8::from), (n < 2).then_some(n));
        assert_eq!(U6::checked(n).map(u8::from), (n < 64).then_some(n));
    }
    let panic = std::panic::catch_unwind(|| U4::new(std::hint::black_box(16))).unwrap_err();
    assert_eq!(*panic.downcast_ref::<&str>().unwrap(), "a number of u4 is in 0..=15");
}
