//! The header of a GGUF file: which tensors there are, and where. Every count and size is held against the file's.

use std::io::{self, Read};

use crate::Failure;

/// A tensor of a GGUF file.
pub struct Tensor {
    pub name: String,
    /// The extents, the fastest first.
    pub extents: Vec<u64>,
    pub kind: u32,
    /// Its first byte in the file, and how many there are.
    pub first: u64,
    pub bytes: u64,
}

/// The number of a type, the elements and bytes of a block, and the type of safetensors, if it is one.
pub const Q4_0: u32 = 2;
const KINDS: &[(u32, u64, u64)] = &[
    (0, 1, 4),
    (1, 1, 2),
    (2, 32, 18),
    (3, 32, 20),
    (6, 32, 22),
    (7, 32, 24),
    (8, 32, 34),
    (9, 32, 36),
    (10, 256, 84),
    (11, 256, 110),
    (12, 256, 144),
    (13, 256, 176),
    (14, 256, 210),
    (15, 256, 292),
    (16, 256, 66),
    (17, 256, 74),
    (18, 256, 98),
    (19, 256, 50),
    (20, 32, 18),
    (21, 256, 110),
    (22, 256, 82),
    (23, 256, 136),
    (24, 1, 1),
    (25, 1, 2),
    (26, 1, 4),
    (27, 1, 8),
    (28, 1, 8),
    (29, 256, 56),
    (30, 1, 2),
    (34, 256, 54),
    (35, 256, 66),
    (39, 32, 17),
    (40, 64, 36),
];

struct Reader<'a> {
    bytes: &'a [u8],
}
impl Reader<'_> {
    fn take(&mut self, count: u64) -> Result<&[u8], Failure> {
        let count = usize::try_from(count).ok().filter(|&count| count <= self.bytes.len());
        let Some(count) = count else { return Err(Failure::new("the header ends before what it announces")) };
        let (taken, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        Ok(taken)
    }
    fn u32(&mut self) -> Result<u32, Failure> {
        Ok(u32::from_le_bytes(self.take(4)?.try_into().expect("four bytes")))
    }
    fn u64(&mut self) -> Result<u64, Failure> {
        Ok(u64::from_le_bytes(self.take(8)?.try_into().expect("eight bytes")))
    }
    fn text(&mut self) -> Result<String, Failure> {
        let length = self.u64()?;
        String::from_utf8(self.take(length)?.to_vec()).map_err(|_| Failure::new("a name is no UTF-8"))
    }
    /// Skips a value, and returns it if it is an integer of 32 bits.
    fn value(&mut self, kind: u32, depth: usize) -> Result<Option<u32>, Failure> {
        match kind {
            0 | 1 | 7 => self.take(1).map(|_| None),
            2 | 3 => self.take(2).map(|_| None),
            4 => self.u32().map(Some),
            5 | 6 => self.take(4).map(|_| None),
            10..=12 => self.take(8).map(|_| None),
            8 => {
                let length = self.u64()?;
                self.take(length).map(|_| None)
            }
            9 if depth < 4 => {
                let (kind, count) = (self.u32()?, self.u64()?);
                // Each element has a byte at least.
                if count > self.bytes.len() as u64 {
                    return Err(Failure::new(format!("a list of {count} elements lies in {} bytes", self.bytes.len())));
                }
                (0..count).try_for_each(|_| self.value(kind, depth + 1).map(drop))?;
                Ok(None)
            }
            _ => Err(Failure::new(format!("there is no value of type {kind}"))),
        }
    }
}

/// The bytes of the header, of a file of so many, and the tensors.
pub fn read(file: &mut impl Read, length: u64) -> Result<(Vec<u8>, Vec<Tensor>), Failure> {
    // The header has no length of its own: it is read in larger and larger parts until it is whole.
    let (mut bytes, mut part) = (Vec::new(), 1 << 20);
    loop {
        let read = file.take(part).read_to_end(&mut bytes).map_err(|error| Failure::new(error.to_string()))?;
        match parse(&bytes, length) {
            Err(_) if read as u64 == part => part *= 2,
            Err(failure) => return Err(failure),
            Ok((size, tensors)) => {
                bytes.truncate(size);
                return Ok((bytes, tensors));
            }
        }
    }
}

/// The size of the header, padding included, and the tensors.
pub fn parse(bytes: &[u8], length: u64) -> Result<(usize, Vec<Tensor>), Failure> {
    let mut reader = Reader { bytes };
    if reader.take(4)? != b"GGUF" {
        return Err(Failure::new("it does not begin with GGUF"));
    }
    let version = reader.u32()?;
    if !(2..=3).contains(&version) {
        return Err(Failure::new(format!("version {version} of GGUF is not 2 or 3")));
    }
    let (tensors, values) = (reader.u64()?, reader.u64()?);
    let mut alignment = 32;
    for _ in 0..values {
        let (key, kind) = (reader.text()?, reader.u32()?);
        let value = reader.value(kind, 0)?;
        if key == "general.alignment" {
            alignment = u64::from(value.filter(|n| n.is_power_of_two()).ok_or(Failure::new("the alignment is none"))?);
        }
    }
    let mut list = Vec::new();
    for _ in 0..tensors {
        let (name, rank) = (reader.text()?, reader.u32()?);
        if rank > 4 {
            return Err(Failure::new(format!("{name} has {rank} extents")));
        }
        let extents = (0..rank).map(|_| reader.u64()).collect::<Result<Vec<_>, _>>()?;
        let (kind, offset) = (reader.u32()?, reader.u64()?);
        let Some(&(_, block, size)) = KINDS.iter().find(|row| row.0 == kind) else {
            return Err(Failure::new(format!("{name} is of type {kind}, which is unknown")));
        };
        let elements = extents.iter().try_fold(1_u64, |n, &extent| n.checked_mul(extent));
        if extents.first().is_some_and(|extent| extent % block != 0) || offset % alignment != 0 {
            return Err(Failure::new(format!(
                "{name} is no whole number of blocks, or lies at no multiple of {alignment}"
            )));
        }
        let bytes = elements.and_then(|n| (n / block).checked_mul(size));
        let bytes = bytes.ok_or_else(|| Failure::new(format!("{name} has more elements than can be counted")))?;
        list.push(Tensor { name, extents, kind, first: offset, bytes });
    }
    let size = (bytes.len() - reader.bytes.len()).next_multiple_of(alignment as usize);
    let mut ends: Vec<_> = list.iter().map(|tensor| (tensor.first, tensor.bytes)).collect();
    ends.sort();
    let mut last = 0;
    for (first, bytes) in ends {
        let end = first.checked_add(bytes).and_then(|end| end.checked_add(size as u64)).filter(|&end| end <= length);
        if first < last || end.is_none() {
            return Err(Failure::new(format!(
                "{bytes} bytes at {first} of its data overlap others or lie beyond its end: it has {length} bytes in all"
            )));
        }
        last = first + bytes;
    }
    list.iter_mut().for_each(|tensor| tensor.first += size as u64);
    if bytes.len() < size && (size as u64) < length {
        return Err(Failure::new("the header ends before what it announces"));
    }
    Ok((size.min(bytes.len()), list))
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::new(error.to_string())
    }
}
