//! The header of a safetensors file: read, with tensors that fill the file, or refused in a
//! sentence.

use std::collections::HashSet;

use layout_bits::safetensors::Header;

use crate::draw::Draw;

/// Reads these bytes as a file, and a file that they draw, sound or spoiled; how many of them are
/// headers.
pub(crate) fn safetensors(bytes: &[u8]) -> usize {
    let mut draw = Draw::new(bytes);
    let mut file = model(&mut draw);
    let header = file.len().min(600);
    draw.spoil(&mut file, header);
    usize::from(check(bytes)) + usize::from(check(&file))
}

fn check(file: &[u8]) -> bool {
    let length = file.len() as u64;
    let _ = Header::read(file, u64::MAX);
    match Header::read(file, length) {
        Ok(header) => {
            let mut at = header.length();
            for tensor in header.tensors() {
                assert_eq!(tensor.bytes.start, at, "{header:?}");
                at = tensor.bytes.end;
            }
            assert_eq!(at, length, "{header:?}");
            let names: HashSet<_> = header.tensors().iter().map(|tensor| &tensor.name).collect();
            assert_eq!(names.len(), header.tensors().len());
            assert!(
                Header::read(&file[..header.length() as usize], length).is_ok(),
                "the header is all that is read"
            );
            true
        }
        Err(error) => {
            let said = error.to_string();
            assert!(said.len() > 10 && !said.contains("fill whole buffer"), "{said:?}");
            false
        }
    }
}

fn model(draw: &mut Draw<'_>) -> Vec<u8> {
    let (mut entries, mut at) = (Vec::new(), 0);
    if draw.one_in(3) {
        entries.push(r#""__metadata__":{"format":"pt","a":"b"}"#.to_string());
    }
    for k in 0..draw.below(6) {
        let name = draw.of(&["a", "a.qweight", "\\u0061", "b", "__metadata__", "c", "d", "e"]);
        let name = if draw.one_in(4) { name.to_string() } else { format!("t{k}") };
        let (dtype, bits) = draw.of(&[
            ("F32", 32),
            ("F16", 16),
            ("I32", 32),
            ("U8", 8),
            ("F4", 4),
            ("BF16", 16),
            ("F5", 5),
        ]);
        let shape: Vec<_> = (0..draw.below(4)).map(|_| draw.below(5)).collect();
        let size = shape.iter().product::<usize>() * bits / 8;
        let start = if draw.one_in(20) { draw.lie(at as u64) } else { at as u64 };
        let end = if draw.one_in(20) { draw.lie(at as u64) } else { (at + size) as u64 };
        entries.push(format!(
            r#""{name}":{{"dtype":"{dtype}","shape":{shape:?},"data_offsets":[{start},{end}]}}"#
        ));
        at += size;
    }
    let text = format!("{{{}}}", entries.join(","));
    let text = format!("{text:width$}", width = text.len().next_multiple_of(draw.of(&[8, 1])));
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text.bytes());
    bytes.resize(bytes.len() + at, draw.byte());
    bytes
}
