//! Packed tensors against vectors of one element each.

use layout_algebra::prelude::*;
use layout_bits::{E2m3, Element, Packed, PackedError, S4, U1, U2, U4, U6};

/// Numbers without a pattern.
struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }
    fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }
}

/// Element `n` of the bytes, bit by bit.
fn bit_by_bit<E: Element>(bytes: &[u8], n: usize) -> E {
    let bit = |b: usize| bytes[b / 8] >> (b % 8) & 1;
    E::from_bits((0..E::BITS).map(|k| bit(n * E::BITS + k) << k).sum())
}

fn against_a_vector<E: Element>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..50 {
        let extents = [1 + random.below(5), 1 + random.below(4), 1 + random.below(3)];
        // Injective, with gaps: strides in a random order.
        let mut order = [0, 1, 2];
        order.swap(0, random.below(3));
        let (mut strides, mut reach) = ([0; 3], 1 + random.below(2));
        for k in order {
            strides[k] = reach;
            reach = reach * extents[k] + random.below(2);
        }
        let layout = DynLayout::new(
            (extents[0], extents[1], extents[2]),
            (strides[0], strides[1], strides[2]),
        )
        .unwrap();
        let bytes: Vec<u8> =
            (0..(layout.cosize() * E::BITS).div_ceil(8)).map(|_| random.next() as u8).collect();
        let mut t = Packed::<E, _, _>::from_bytes(bytes.clone(), layout.clone()).unwrap();
        let mut model: Vec<E> = (0..layout.cosize()).map(|n| bit_by_bit(&bytes, n)).collect();
        for _ in 0..40 {
            let (c, x) =
                ([0, 1, 2].map(|k| random.below(extents[k])), E::from_bits(random.next() as u8));
            let c = (c[0], c[1], c[2]);
            t.set(c, x);
            model[layout.index(&DynShape::from(c))] = x;
        }
        for (n, &x) in model.iter().enumerate() {
            assert_eq!(bit_by_bit::<E>(t.as_bytes(), n), x, "{layout}: element {n}");
        }
        let expected: Vec<E> = (0..layout.size()).map(|i| model[layout.at(i)]).collect();
        assert_eq!(t.iter().collect::<Vec<_>>(), expected);
        assert_eq!(t.unpack::<E>(), expected);
        let mode = random.below(extents[1]);
        let slice = t.slice((.., mode, ..));
        let expected = (0..extents[0] * extents[2])
            .map(|i| t.get((i % extents[0], mode, i / extents[0])).unwrap());
        assert_eq!(slice.unpack::<E>(), expected.collect::<Vec<_>>());
        let mut copy = Packed::<E, _, _>::zeroed(DynLayout::right(&layout.shape()));
        copy.copy_from(&t).unwrap();
        assert_eq!(copy.unpack::<E>(), t.unpack::<E>());
        // Bits that are no elements stay as they were.
        let before = t.as_bytes().to_vec();
        let elements = t.unpack::<E>();
        t.fill(E::from_bits(0));
        elements.iter().enumerate().for_each(|(i, &x)| t.set(i, x));
        assert_eq!(t.as_bytes(), before);
    }
}

#[test]
fn elements_of_every_size() {
    against_a_vector::<U1>(1);
    against_a_vector::<U2>(2);
    against_a_vector::<U4>(3);
    against_a_vector::<S4>(4);
    against_a_vector::<U6>(5);
    against_a_vector::<E2m3>(6);
    against_a_vector::<u8>(7);
}

#[test]
fn empty_and_single_ones() {
    let empty =
        Packed::<U4, _, _>::from_bytes([], "(0,4):(1,1)".parse::<DynLayout>().unwrap()).unwrap();
    assert_eq!((empty.iter().count(), empty.get((0, 0))), (0, None));
    let mut one = Packed::<U6, _, _>::zeroed(layout!(1));
    one.set(0, U6::MAX);
    assert_eq!(one.as_bytes(), [63]);
    let far = DynLayout::new((2, 1), (usize::MAX / 16, 0)).unwrap();
    let overflow = Packed::<U6, _, _>::from_bytes([0; 4], far.clone()).unwrap_err();
    assert!(
        matches!(overflow, PackedError::Length { .. } | PackedError::Overflow { .. }),
        "{overflow}"
    );
    let far = DynLayout::new((2, 1), (usize::MAX / 4, 0)).unwrap();
    assert_eq!(
        Packed::<U6, _, _>::from_bytes([0; 4], far).unwrap_err(),
        PackedError::Overflow { bits: 6 }
    );
    let backwards = Packed::<U4, _, _>::from_bytes([0x21], layout!(2:-1)).unwrap();
    assert_eq!(backwards.unpack::<u8>(), [2, 1]);
}

#[test]
fn recast_is_the_same_bytes() {
    let bytes: Vec<u8> = (1..=24).collect();
    let t = Packed::<U6, _, _>::from_bytes(&bytes[..], layout!((8, 4))).unwrap();
    assert_eq!(t.recast::<u8>().unwrap().unpack::<u8>(), bytes);
    let twos = t.recast::<U2>().unwrap();
    assert_eq!(twos.layout().size(), 96);
    for (i, x) in twos.iter().enumerate() {
        assert_eq!(u8::from(x), bytes[i / 4] >> (i % 4 * 2) & 3);
    }
    assert_eq!(twos.recast::<U6>().unwrap().unpack::<u8>(), t.unpack::<u8>());
    let nibbles = Packed::<U4, _, _>::from_bytes(&bytes[..], layout!((6, 8))).unwrap();
    let error = nibbles.slice((1..5, ..)).recast::<u8>().unwrap_err();
    assert_eq!(error.to_string(), "bit 4, where the slice begins, begins no element of 8 bits");
    assert!(nibbles.slice((2..6, ..)).recast::<u8>().is_ok());
    assert!(
        Packed::<U4, _, _>::from_bytes(&bytes[..], "(3,8):(1,3)".parse::<DynLayout>().unwrap())
            .unwrap()
            .slice((.., 0..1))
            .as_bytes()
            .len()
            == 24
    );
    let odd = "(3,2):(1,3)".parse::<DynLayout>().unwrap();
    assert_eq!(odd.upcast(2).unwrap_err().kind().as_str(), "divisibility");
}

/// Matrices laid over one another at any place, clipped, flipped, their modes nested in any way.
fn blits<E: Element>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..200 {
        let matrix = |random: &mut Random| {
            let [a, b, c, d] = [
                1 + random.below(3),
                1 + random.below(4),
                1 + random.below(3),
                1 + random.below(3),
            ];
            let (shape, extents) = match random.below(4) {
                0 => (DynShape::from((a, b)), [a, b]),
                1 => (DynShape::from((a, (b, c))), [a, b * c]),
                2 => (DynShape::from(((a, d), b)), [a * d, b]),
                _ => (DynShape::from(((a, d), (b, c))), [a * d, b * c]),
            };
            let layout = if random.below(2) == 0 {
                DynLayout::left(&shape)
            } else {
                DynLayout::right(&shape)
            };
            let bytes: Vec<u8> =
                (0..(layout.cosize() * E::BITS).div_ceil(8)).map(|_| random.next() as u8).collect();
            (Packed::<E, _, _>::from_bytes(bytes, layout).unwrap(), extents)
        };
        let (mut to, [h, w]) = matrix(&mut random);
        let (from, [rows, columns]) = matrix(&mut random);
        let at = [0, 1].map(|_| random.below(20) as isize - 10);
        let before: Vec<E> = to.iter().collect();
        let flipped = [random.below(2) == 1, random.below(2) == 1];
        match flipped {
            [false, false] => to.blit((at[0], at[1]), &from),
            [true, false] => to.blit((at[0], at[1]), &from.flip::<0>()),
            [false, true] => to.blit((at[0], at[1]), &from.flip::<1>()),
            [true, true] => to.flip_mut::<0>().blit((at[0], at[1]), &from.flip::<1>()),
        }
        for i in 0..h {
            for j in 0..w {
                // Both are flipped along one mode each: the destination counts rows from the other
                // end.
                let row = if flipped == [true, true] { h - 1 - i } else { i };
                let (x, y) = (row as isize - at[0], j as isize - at[1]);
                let inside = (0..rows as isize).contains(&x) && (0..columns as isize).contains(&y);
                let expected = if inside {
                    let x =
                        if flipped == [true, false] { rows - 1 - x as usize } else { x as usize };
                    let y = if flipped[1] { columns - 1 - y as usize } else { y as usize };
                    from.get((x, y)).unwrap()
                } else {
                    before[i + h * j]
                };
                assert_eq!(
                    to.get((i, j)),
                    Some(expected),
                    "({i}, {j}) of {} and {}",
                    to.layout(),
                    from.layout()
                );
            }
        }
    }
}

#[test]
fn matrices_are_laid_over_one_another() {
    blits::<U1>(21);
    blits::<U4>(22);
    blits::<U6>(23);
    // Far outside nothing is written.
    let mut t = Packed::<U4, _, _>::zeroed(layout!((2, 2)));
    let ones = Packed::<U4, _, _>::from_bytes([0xff; 2], layout!((2, 2))).unwrap();
    for at in [(isize::MIN, 0), (isize::MAX, isize::MIN), (2, 0), (0, -2), (isize::MAX, isize::MAX)]
    {
        t.blit(at, &ones);
    }
    assert_eq!(t.as_bytes(), [0, 0]);
}

#[test]
fn copies_of_other_shapes_are_refused() {
    let mut t = Packed::<U4, _, _>::zeroed("(2,3):(3,1)".parse::<DynLayout>().unwrap());
    let other = Packed::<U4, _, _>::zeroed("(3,2):(1,3)".parse::<DynLayout>().unwrap());
    let error = t.copy_from(&other).unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("(2,3):(3,1)")
            && said.contains("(3,2):(1,3)")
            && said.ends_with("their shapes differ"),
        "{said}"
    );
}

#[test]
fn tiles_of_threads() {
    let mut t = Packed::<U2, _, _>::zeroed(layout!((16, 8)));
    std::thread::scope(|scope| {
        for (i, mut tile) in t.tiles_mut(tiler!(4, 2)).enumerate() {
            scope.spawn(move || (0..8).for_each(|k| tile.set(k, U2::new((i % 4) as u8))));
        }
    });
    for (i, tile) in t.tiles(tiler!(4, 2)).enumerate() {
        assert!(tile.iter().all(|x| usize::from(x) == i % 4), "tile {i}");
    }
}

/// A tile has to be refused exactly where two of them have a byte in common.
#[test]
fn tiles_are_refused_exactly_where_they_share_a_byte() {
    let mut random = Random(11);
    let (mut shared, mut apart) = (0, 0);
    for _ in 0..400 {
        let extents = [[1, 2, 4][random.below(3)], [2, 4, 6][random.below(3)]];
        let layout = match random.below(3) {
            0 => DynLayout::left(&DynShape::from((extents[0], extents[1]))),
            1 => DynLayout::right(&DynShape::from((extents[0], extents[1]))),
            _ => {
                DynLayout::new((extents[0], extents[1]), (1 + random.below(3), 4 + random.below(5)))
                    .unwrap()
            }
        };
        let tiler = DynTiler::from(&DynLayout::left(&DynShape::from([1, 2][random.below(2)])));
        let mut t = Packed::<U6, _, _>::zeroed(layout.clone());
        let Ok(divided) = layout.zipped_divide(&tiler) else { continue };
        let bytes = |tile: usize| -> std::collections::BTreeSet<usize> {
            let of = |e| divided.index(&DynShape::from((e, tile))) * 6;
            (0..divided.mode_size(0)).flat_map(|e| [of(e) / 8, (of(e) + 5) / 8]).collect()
        };
        let count = divided.mode_size(1);
        let pair = (0..count).any(|a| (a + 1..count).any(|b| !bytes(a).is_disjoint(&bytes(b))));
        match t.try_tiles_mut(&tiler) {
            Ok(_) => (assert!(!pair, "{layout} by {tiler}"), apart += 1).0,
            Err(PackedError::SharedByte { byte, tiles, .. }) => {
                assert!(
                    tiles.iter().all(|&tile| bytes(tile).contains(&byte)) && tiles[0] != tiles[1]
                );
                shared += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(shared > 50 && apart > 50, "{shared} shared, {apart} apart");
}
