//! Descriptors: against CuTe's `make_gmma_desc`, and walked element by element.

use layout_algebra::prelude::*;
use layout_algebra::{DynLayout, FlatLayout};
use layout_nvidia::hopper::{Form, Major, NoDescriptor, SwizzleMode};

/// Pseudo-random numbers: xorshift.
struct Random(u64);
impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// CuTe's `make_gmma_desc`, of an operand `(MN, K)` in units of 16 bytes: the leading and the
/// stride offset in units.
fn make_gmma_desc(major: Major, bits: u32, units: &DynLayout) -> (usize, usize) {
    let w = 1 << bits;
    let (rows, columns) = if major == Major::K { (8, 2) } else { (w, 8) };
    let canonical = units.logical_divide(tiler!(rows, columns)).unwrap();
    let of = |mode: usize, part: usize| canonical.mode(mode).unwrap().mode(part).unwrap();
    let stride = |mode, part| if of(mode, part).size() > 1 { of(mode, part).index(1) } else { 0 };
    match major {
        Major::K => {
            assert_eq!(stride(0, 0), w);
            assert!(bits == 0 || stride(1, 0) == 1);
            (stride(1, 0), stride(0, 1))
        }
        Major::Mn => {
            assert!(w == 1 || stride(0, 0) == 1);
            assert_eq!(stride(1, 0), w);
            if bits == 0 { (stride(1, 1), stride(0, 1)) } else { (stride(0, 1), stride(1, 1)) }
        }
    }
}

/// The swizzle of `bits` bits, for elements of `bytes` bytes.
fn swizzle(bits: u32, bytes: usize) -> (u32, u32, i32) {
    if bits == 0 { (0, 0, 0) } else { (bits, (16 / bytes).ilog2(), 3) }
}
/// Where the layout has an element, in bytes.
fn swizzled(
    layout: &FlatLayout,
    (bits, base, shift): (u32, u32, i32),
    bytes: usize,
    v: usize,
    part: usize,
) -> usize {
    let offset = layout.of_thread(v, part);
    let offset =
        if bits == 0 { offset } else { DynSwizzle::new(bits, base, shift).unwrap().apply(offset) };
    offset * bytes
}
/// Whether the descriptors of this form, one for each part, lead to the elements that the layout
/// has.
fn leads(
    form: &Form,
    layout: &FlatLayout,
    of: (u32, u32, i32),
    bytes: usize,
    (mn, k): (usize, usize),
) -> bool {
    (0..layout.values()).all(|part| {
        let start = swizzled(layout, of, bytes, 0, part);
        (0..mn * k).all(|v| {
            let address =
                form.swizzle.swizzle_offset(start + form.byte_offset(bytes, v % mn, v / mn));
            address == swizzled(layout, of, bytes, v, part)
        })
    })
}

/// A tile of `r` x `c` of CuTe's atoms of shared memory, one after the other along the rows or
/// along K.
fn tile(
    major: Major,
    bits: u32,
    bytes: usize,
    (r, c): (usize, usize),
    rows_first: bool,
) -> DynLayout {
    let row = (16 << bits) / bytes;
    let (down, along) = if rows_first { (8 * row, 8 * row * r) } else { (8 * row * c, 8 * row) };
    match major {
        Major::K => layout!(((8, r), (row, c)):((row, down), (1, along))).to_dynamic(),
        Major::Mn => layout!(((row, r), (8, c)):((1, down), (row, along))).to_dynamic(),
    }
}

#[test]
fn every_canonical_tile_has_the_descriptor_of_cute() {
    let mut seen = 0;
    for (bits, bytes, major) in (0..4).flat_map(|bits| {
        [1, 2, 4]
            .into_iter()
            .flat_map(move |bytes| [(bits, bytes, Major::K), (bits, bytes, Major::Mn)])
    }) {
        if major == Major::Mn && bytes != 2 {
            continue;
        }
        let (row, k) = ((16 << bits) / bytes, 32 / bytes);
        let extents = if major == Major::K { (8, row) } else { (row, 8) };
        for mn in [8, 16, 64, 96, 128, 256] {
            for (times_mn, times_k) in [(1, 1), (2, 1), (1, 4), (2, 2)] {
                let (rows, columns) = (mn * times_mn, k * times_k);
                if rows % extents.0 != 0 || columns % extents.1 != 0 || mn % extents.0 != 0 {
                    continue;
                }
                for rows_first in [true, false] {
                    let tile = tile(
                        major,
                        bits,
                        bytes,
                        (rows / extents.0, columns / extents.1),
                        rows_first,
                    );
                    let parts = tile.zipped_divide(tiler!(mn, k)).unwrap();
                    let (flat, of) = (FlatLayout::of(&parts), swizzle(bits, bytes));
                    let what = format!(
                        "{major:?}-major, {bits} bits, {bytes} bytes, {mn} x {k} of {tile:#}"
                    );
                    let form = Form::read_layout(&flat, of, bytes, mn, k)
                        .unwrap_or_else(|error| panic!("{what}: {error}"));
                    assert_eq!((form.major, form.swizzle.swizzle_bits()), (major, bits), "{what}");
                    assert!(leads(&form, &flat, of, bytes, (mn, k)), "{what}: {form:?}");
                    let units = parts.mode(0).unwrap().upcast(16 / bytes).unwrap();
                    let (leading, stride) = make_gmma_desc(major, bits, &units);
                    assert_eq!((form.leading, form.stride), (16 * leading, 16 * stride), "{what}");
                    let descriptor = form.encode_descriptor(0x1_2400);
                    assert_eq!(descriptor & 0x3fff, 0x1_2400 >> 4, "{what}");
                    assert_eq!(
                        (descriptor >> 16 & 0x3fff, descriptor >> 32 & 0x3fff),
                        (leading as u64, stride as u64)
                    );
                    assert_eq!(descriptor >> 62, [0, 3, 2, 1][bits as usize], "{what}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn a_form_leads_to_the_elements_and_none_is_refused_that_would() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut forms, mut refused) = (0, 0);
    for _ in 0..600 {
        let (bits, bytes) = (random.below(4) as u32, [2, 2, 1, 4][random.below(4)]);
        let (mn, k, unit) = (16, 32 / bytes, 16 / bytes);
        // Strides that are nearly right.
        let near = |random: &mut Random| match random.below(8) {
            0 => 1,
            1 => unit,
            2 => unit << bits,
            3 => (8 * unit) << bits,
            4 => 2 * unit,
            5 => 8 * unit * (1 + random.below(3)),
            6 => random.below(40),
            _ => unit << random.below(6),
        };
        let unit_rows = random.below(2) == 0 && bytes == 2;
        let layout = if unit_rows {
            let (a, b, c) = (near(&mut random), near(&mut random), near(&mut random));
            layout!((((8, 2), (8, 2)), 2):(((1, a), (b, c)), 4096)).to_dynamic()
        } else {
            let (a, b, c) = (near(&mut random), near(&mut random), near(&mut random));
            layout!((((8, 2), (unit, 2)), 2):(((a, b), (1, c)), 4096)).to_dynamic()
        };
        let (flat, of) = (FlatLayout::of(&layout), swizzle(bits, bytes));
        let leads = |form: &Form| leads(form, &flat, of, bytes, (mn, k));
        match Form::read_layout(&flat, of, bytes, mn, k) {
            Ok(form) => {
                forms += 1;
                assert!(leads(&form), "{layout:#} with {bits} bits of {bytes} bytes: {form:?}");
            }
            Err(because) => {
                refused += 1;
                let swizzle = SwizzleMode::from_bits(bits).unwrap();
                for (leading, stride) in
                    (0..=160).flat_map(|l| (0..=160).map(move |s| (16 * l, 16 * s)))
                {
                    // Both offsets matter to few forms: the others need not be tried again.
                    if leading != 16 && swizzle != SwizzleMode::None && !unit_rows {
                        continue;
                    }
                    for major in [Major::K, Major::Mn] {
                        let form = Form { major, swizzle, leading, stride };
                        let allowed = major == Major::K || bytes == 2;
                        // The first row and column tell most of them apart.
                        let quick = [1, 8 % mn, mn, mn * unit % (mn * k)].iter().all(|&v| {
                            form.swizzle.swizzle_offset(form.byte_offset(bytes, v % mn, v / mn))
                                == swizzled(&flat, of, bytes, v, 0)
                        });
                        assert!(
                            !(allowed && quick && leads(&form)),
                            "{layout:#}: {because}, but {form:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(forms > 10 && refused > 100, "{forms} forms, {refused} refused");
}

#[test]
fn what_has_no_descriptor_is_refused_with_the_mode_at_fault() {
    let read = |layout: DynLayout, bits, bytes, mn, k| {
        Form::read_layout(&FlatLayout::of(&layout), swizzle(bits, bytes), bytes, mn, k).unwrap_err()
    };
    // Rows of 80 halves: 160 bytes apart.
    let rows = read(layout!(((64, 16), 1):((80, 1), 0)).to_dynamic(), 0, 2, 64, 16);
    assert_eq!(rows, NoDescriptor::Rows(SwizzleMode::None));
    let rows = read(layout!(((64, 16), 1):((80, 1), 0)).to_dynamic(), 3, 2, 64, 16);
    assert_eq!(rows, NoDescriptor::Rows(SwizzleMode::Bytes128));
    // The second unit of a row is elsewhere.
    let k = read(layout!(((64, (8, 2)), 1):((64, (1, 4096)), 0)).to_dynamic(), 3, 2, 64, 16);
    assert_eq!(k, NoDescriptor::K(SwizzleMode::Bytes128));
    assert_eq!(
        read(layout!(((64, 16), 1):((16, 2), 0)).to_dynamic(), 0, 2, 64, 16),
        NoDescriptor::Major
    );
    assert_eq!(
        read(layout!(((64, 32), 1):((1, 64), 0)).to_dynamic(), 2, 1, 64, 32),
        NoDescriptor::Transposed
    );
    assert_eq!(
        read(layout!(((64, 8), 1):((8, 1), 0)).to_dynamic(), 0, 2, 64, 16),
        NoDescriptor::Size
    );
    // A swizzle of units of 8 bytes; one of 4 bits.
    let flat = FlatLayout::of(&layout!(((64, 16), 1):((64, 1), 0)));
    assert_eq!(Form::read_layout(&flat, (3, 2, 3), 2, 64, 16).unwrap_err(), NoDescriptor::Swizzle);
    assert_eq!(Form::read_layout(&flat, (4, 3, 4), 2, 64, 16).unwrap_err(), NoDescriptor::Swizzle);
    // Groups of 8 rows 24 bytes apart, or 2^18.
    let odd = read(layout!((((8, 8), 16), 1):(((64, 516), 1), 0)).to_dynamic(), 3, 2, 64, 16);
    assert_eq!(odd, NoDescriptor::Offset);
    let far = read(layout!((((8, 8), 16), 1):(((64, 1 << 17), 1), 0)).to_dynamic(), 3, 2, 64, 16);
    assert_eq!(far, NoDescriptor::Offset);
    // The second part begins at row 4 of a pattern of 8.
    assert_eq!(
        read(layout!(((64, 16), 2):((64, 1), 256)).to_dynamic(), 3, 2, 64, 16),
        NoDescriptor::Start
    );
}
