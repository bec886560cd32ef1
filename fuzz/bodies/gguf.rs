//! The header of a GGUF file: read, with tensors that lie in the file and apart, or refused in a
//! sentence.

use std::collections::HashSet;

use layout_bits::gguf::Header;

use crate::draw::Draw;

/// Reads these bytes as a file, and a file that they draw, sound or spoiled; how many of them are
/// headers.
pub(crate) fn gguf(bytes: &[u8]) -> usize {
    let mut draw = Draw::new(bytes);
    let mut file = model(&mut draw);
    let header = file.len().min(800);
    draw.spoil(&mut file, header);
    usize::from(check(bytes)) + usize::from(check(&file))
}

fn check(file: &[u8]) -> bool {
    let length = file.len() as u64;
    // Of a file that is longer than what is read of it.
    let _ = Header::read(file, u64::MAX);
    match Header::read(file, length) {
        Ok(header) => {
            let mut order: Vec<_> =
                header.tensors().iter().filter(|tensor| !tensor.bytes.is_empty()).collect();
            order.sort_by_key(|tensor| tensor.bytes.start);
            let mut last = header.length();
            for tensor in order {
                assert!(last <= tensor.bytes.start && tensor.bytes.end <= length, "{header:?}");
                last = tensor.bytes.end;
            }
            let names: HashSet<_> = header.tensors().iter().map(|tensor| &tensor.name).collect();
            assert_eq!(names.len(), header.tensors().len());
            // Nothing behind the header is looked at.
            let alone = Header::read(&file[..header.length() as usize], length)
                .expect("the header is all that is read");
            assert_eq!(format!("{alone:?}"), format!("{header:?}"));
            true
        }
        Err(error) => {
            let said = error.to_string();
            // A sentence of ours, unless a name in the file has these words.
            let words = b"fill whole buffer";
            let is_named = file.windows(words.len()).any(|bytes| bytes == words);
            assert!(
                said.len() > 10 && (is_named || !said.contains("fill whole buffer")),
                "{said:?}"
            );
            false
        }
    }
}

fn text(bytes: &mut Vec<u8>, text: &[u8]) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text);
}

/// A file of some tensors and values of all types.
pub(crate) fn model(draw: &mut Draw<'_>) -> Vec<u8> {
    let (values, tensors) = (draw.below(5), draw.below(6));
    let mut bytes = [&b"GGUF"[..], &draw.of(&[3_u32, 3, 2]).to_le_bytes()].concat();
    bytes.extend((tensors as u64).to_le_bytes());
    bytes.extend((values as u64).to_le_bytes());
    let mut alignment = 32_u64;
    for k in 0..values {
        if draw.one_in(4) {
            alignment = draw.of(&[8, 16, 32, 64, 128, 1, 4096]);
            text(&mut bytes, b"general.alignment");
            bytes.extend([4, alignment as u32].map(u32::to_le_bytes).concat());
            // A second one is refused.
            continue;
        }
        text(&mut bytes, format!("key.{k}").as_bytes());
        value(draw, &mut bytes, 0);
    }
    let mut data = Vec::new();
    for k in 0..tensors {
        let name = if draw.one_in(12) { "t0".into() } else { format!("t{k}") };
        let (kind, block, size) = draw.of(&[
            (0_u32, 1, 4),
            (2, 32, 18),
            (12, 256, 144),
            (8, 32, 34),
            (30, 1, 2),
            (2, 32, 18),
        ]);
        let rank = draw.below(4);
        let mut extents: Vec<u64> = (0..rank).map(|_| draw.below(5) as u64 + 1).collect();
        match extents.first_mut() {
            Some(first) => *first *= block,
            None if block > 1 => extents.push(block),
            None => {}
        }
        if draw.one_in(20) {
            extents.push(0);
        }
        text(&mut bytes, name.as_bytes());
        bytes.extend((extents.len() as u32).to_le_bytes());
        extents.iter().for_each(|extent| bytes.extend(extent.to_le_bytes()));
        bytes.extend(kind.to_le_bytes());
        data.resize(
            data.len().next_multiple_of(alignment as usize),
            if draw.one_in(9) { 7 } else { 0 },
        );
        bytes.extend((data.len() as u64).to_le_bytes());
        let count = extents.iter().product::<u64>() / block * size;
        let fill = draw.byte();
        data.extend((0..count).map(|n| fill.wrapping_mul(31).wrapping_add(n as u8)));
    }
    bytes.resize(bytes.len().next_multiple_of(alignment as usize), 0);
    bytes.extend(data);
    // Whole, or as the last tensor leaves it, or with something behind.
    match draw.below(3) {
        0 => bytes.resize(bytes.len().next_multiple_of(alignment as usize), 0),
        1 => {}
        _ => bytes.extend(draw.bytes(7)),
    }
    bytes
}

fn value(draw: &mut Draw<'_>, bytes: &mut Vec<u8>, depth: usize) {
    let kind = draw.of(&[0_u32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    bytes.extend(kind.to_le_bytes());
    let scalar = |draw: &mut Draw<'_>, bytes: &mut Vec<u8>, kind: u32| {
        let size = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8][kind as usize];
        match kind {
            8 => {
                let word = draw.bytes(3);
                text(bytes, &word);
            }
            _ => bytes.extend(draw.bytes(size)),
        }
    };
    match kind {
        9 if depth < 2 => {
            let (of, count) = (draw.of(&[0_u32, 4, 8, 10]), draw.below(4));
            bytes.extend(of.to_le_bytes());
            bytes.extend((count as u64).to_le_bytes());
            (0..count).for_each(|_| scalar(draw, bytes, of));
        }
        9 => bytes.extend([0; 12]),
        _ => scalar(draw, bytes, kind),
    }
}
