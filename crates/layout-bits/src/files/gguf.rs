//! GGUF files, as ggml writes them.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

use super::stored::{Source, StoredTensor};
use super::{FileError, MOST_HEADER};
use crate::format::{Format, Number};
use crate::formats;

/// A type of ggml: its number, its name, and the elements and bytes of a block.
struct Kind(u32, &'static str, u64, u64);
const KINDS: &[Kind] = &[
    Kind(0, "f32", 1, 4),
    Kind(1, "f16", 1, 2),
    Kind(2, "q4_0", 32, 18),
    Kind(3, "q4_1", 32, 20),
    Kind(6, "q5_0", 32, 22),
    Kind(7, "q5_1", 32, 24),
    Kind(8, "q8_0", 32, 34),
    Kind(9, "q8_1", 32, 36),
    Kind(10, "q2_K", 256, 84),
    Kind(11, "q3_K", 256, 110),
    Kind(12, "q4_K", 256, 144),
    Kind(13, "q5_K", 256, 176),
    Kind(14, "q6_K", 256, 210),
    Kind(15, "q8_K", 256, 292),
    Kind(16, "iq2_xxs", 256, 66),
    Kind(17, "iq2_xs", 256, 74),
    Kind(18, "iq3_xxs", 256, 98),
    Kind(19, "iq1_s", 256, 50),
    Kind(20, "iq4_nl", 32, 18),
    Kind(21, "iq3_s", 256, 110),
    Kind(22, "iq2_s", 256, 82),
    Kind(23, "iq4_xs", 256, 136),
    Kind(24, "i8", 1, 1),
    Kind(25, "i16", 1, 2),
    Kind(26, "i32", 1, 4),
    Kind(27, "i64", 1, 8),
    Kind(28, "f64", 1, 8),
    Kind(29, "iq1_m", 256, 56),
    Kind(30, "bf16", 1, 2),
    Kind(34, "tq1_0", 256, 54),
    Kind(35, "tq2_0", 256, 66),
    Kind(39, "mxfp4", 32, 17),
    Kind(40, "nvfp4", 64, 36),
];

/// A tensor, as the header has it.
///
/// ```
/// # fn text(text: &str) -> Vec<u8> { [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat() }
/// use layout_bits::gguf::Header;
/// // A file of one tensor of two floats, and no other values.
/// let mut bytes = [&b"GGUF\x03\0\0\0"[..], &1_u64.to_le_bytes(), &0_u64.to_le_bytes(), &text("norm")].concat();
/// bytes.extend([&1_u32.to_le_bytes()[..], &2_u64.to_le_bytes(), &0_u32.to_le_bytes(), &0_u64.to_le_bytes()].concat());
/// bytes.resize(64 + 8, 0);
/// let header = Header::read(&bytes[..], 72)?;
/// let tensor = &header.tensors()[0];
/// assert_eq!((&*tensor.name, &*tensor.extents, tensor.bytes.clone()), ("norm", &[2_u64][..], 64..72));
/// # Ok::<(), layout_bits::FileError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// Its name, which is unique in the file.
    pub name: String,
    /// The extents, the fastest first.
    pub extents: Vec<u64>,
    /// The number of its type.
    pub kind: u32,
    /// Where its bytes lie in the file. The bytes of two tensors never overlap.
    pub bytes: Range<u64>,
}
impl Entry {
    fn described(&self) -> Option<&'static Kind> {
        KINDS.iter().find(|kind| kind.0 == self.kind)
    }
    /// The name of its type.
    ///
    /// ```
    /// fn count(header: &layout_bits::gguf::Header) -> usize {
    ///     header.tensors().iter().filter(|tensor| tensor.type_name() == "q4_K").count()
    /// }
    /// ```
    pub fn type_name(&self) -> &'static str {
        self.described().map_or("unknown", |kind| kind.1)
    }
}

/// The header of a file: its tensors, each of which lies within the file and overlaps no other.
///
/// ```
/// use layout_bits::gguf::Header;
/// let empty = [&b"GGUF\x03\0\0\0"[..], &[0; 16]].concat();
/// let header = Header::read(&empty[..], 24)?;
/// assert_eq!((header.tensors().len(), header.length()), (0, 24));
/// # Ok::<(), layout_bits::FileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Header {
    length: u64,
    alignment: u64,
    tensors: Vec<Entry>,
}

impl Header {
    /// Reads the header of a file of this length in bytes, and nothing behind the header.
    ///
    /// # Errors
    /// If a number contradicts the length of the file, a type is unknown, two tensors have one name
    /// or share a byte, or the header is longer than 100,000,000 bytes.
    ///
    /// ```
    /// use layout_bits::gguf::Header;
    /// let lie = [&b"GGUF\x03\0\0\0"[..], &[0xff; 16]].concat();
    /// assert_eq!(
    ///     Header::read(&lie[..], 24).unwrap_err().to_string(),
    ///     "the file has 24 bytes, and the length of a key ends at byte 32"
    /// );
    /// ```
    pub fn read(from: impl Read, length: u64) -> Result<Self, FileError> {
        let mut reader = Reader { from: BufReader::with_capacity(1 << 16, from), at: 0, length };
        if reader.bytes(4, "the 4 bytes of GGUF")? != b"GGUF" {
            return Err(FileError::header("it does not begin with GGUF"));
        }
        let version = reader.u32("the version")?;
        if (2..=3).contains(&version.swap_bytes()) {
            let version = version.swap_bytes();
            let why = format!(
                "its numbers are of version {version} with the highest byte first, which is not \
                 read"
            );
            return Err(FileError::header(why));
        }
        if !(2..=3).contains(&version) {
            return Err(FileError::header(format!("version {version} of GGUF is neither 2 nor 3")));
        }
        let (tensors, values) =
            (reader.u64("the number of tensors")?, reader.u64("the number of values")?);
        let (mut alignment, mut keys) = (32, HashSet::new());
        for _ in 0..values {
            let key = reader.text("a key")?;
            let kind = reader.u32("the type of a value")?;
            let value = reader.value(kind, 0)?;
            if key == b"general.alignment" {
                alignment = match value {
                    Some(value) if value.is_power_of_two() => u64::from(value),
                    Some(value) => {
                        return Err(FileError::header(format!(
                            "its alignment {value} is no power of two"
                        )));
                    }
                    None => {
                        let why = format!(
                            "its alignment is of type {kind}, and not an integer of 32 bits, type \
                             4"
                        );
                        return Err(FileError::header(why));
                    }
                };
            }
            let text = String::from_utf8_lossy(&key).into_owned();
            if !keys.insert(key) {
                return Err(FileError::header(format!("two values have the key {text:?}")));
            }
        }
        let (mut list, mut names) = (Vec::new(), HashSet::new());
        for _ in 0..tensors {
            let entry = reader.entry(alignment)?;
            if !names.insert(entry.name.clone()) {
                return Err(FileError::header(format!(
                    "two tensors have the name {:?}",
                    entry.name
                )));
            }
            list.push(entry);
        }
        let mut header = Header { length: reader.at, alignment, tensors: list };
        header.place(length)?;
        Ok(header)
    }

    /// Adds the header's length to the tensors' offsets, and checks that the tensors lie within the
    /// file and do not overlap.
    fn place(&mut self, length: u64) -> Result<(), FileError> {
        let data = self.length.next_multiple_of(self.alignment);
        for entry in &mut self.tensors {
            let Range { start, end } = entry.bytes;
            let (name, size) = (&entry.name, end - start);
            // An empty tensor may lie after the padding, which a file may lack at its end.
            let room = if size == 0 { length.saturating_add(self.alignment) } else { length };
            let end = start
                .checked_add(data)
                .and_then(|start| start.checked_add(size))
                .filter(|&end| end <= room);
            let Some(end) = end else {
                let why =
                    format!("the {size} bytes of {name:?} begin {start} bytes behind byte {data}");
                return Err(FileError::header(format!("{why}, and the file has {length} in all")));
            };
            entry.bytes = end - size..end;
        }
        let mut order: Vec<_> =
            self.tensors.iter().filter(|entry| !entry.bytes.is_empty()).collect();
        order.sort_by_key(|entry| entry.bytes.start);
        match order.windows(2).find(|pair| pair[0].bytes.end > pair[1].bytes.start) {
            None => Ok(()),
            Some(pair) => {
                let [one, other] = [pair[0], pair[1]].map(|entry| (&entry.name, &entry.bytes));
                let why = format!(
                    "{:?} has the bytes {:?}, and {:?} {:?}",
                    one.0, one.1, other.0, other.1
                );
                Err(FileError::header(why))
            }
        }
    }

    /// The bytes of the header itself, without the padding behind it.
    ///
    /// ```
    /// let empty = [&b"GGUF\x02\0\0\0"[..], &[0; 16]].concat();
    /// assert_eq!(layout_bits::gguf::Header::read(&empty[..], 24)?.length(), 24);
    /// # Ok::<(), layout_bits::FileError>(())
    /// ```
    pub fn length(&self) -> u64 {
        self.length
    }
    /// The tensors, in the order of the header.
    ///
    /// ```
    /// fn names(header: &layout_bits::gguf::Header) -> Vec<&str> {
    ///     header.tensors().iter().map(|tensor| &*tensor.name).collect()
    /// }
    /// ```
    pub fn tensors(&self) -> &[Entry] {
        &self.tensors
    }
}

/// Reads a header and counts its bytes.
struct Reader<R> {
    from: BufReader<R>,
    at: u64,
    length: u64,
}
impl<R: Read> Reader<R> {
    /// The position after `count` more bytes, checked against the file's length and the limit of a
    /// header.
    fn end(&self, count: u64, what: &str) -> Result<u64, FileError> {
        let end = u128::from(self.at) + u128::from(count);
        if end > u128::from(self.length) {
            let why = format!("the file has {} bytes, and {what} ends at byte {end}", self.length);
            return Err(FileError::header(why.replace("GGUF ends", "GGUF end")));
        }
        if end > u128::from(MOST_HEADER) {
            let why =
                format!("{what} ends at byte {end}, and of a header {MOST_HEADER} bytes are read");
            return Err(FileError::header(why));
        }
        Ok(end as u64)
    }
    fn short(&self, what: &str, read: u64) -> FileError {
        FileError::header(format!("it ends at byte {}, within {what}", self.at + read))
    }
    fn bytes(&mut self, count: u64, what: &str) -> Result<Vec<u8>, FileError> {
        let (end, mut bytes) = (self.end(count, what)?, Vec::new());
        let read = (&mut self.from).take(count).read_to_end(&mut bytes)? as u64;
        if read < count {
            return Err(self.short(what, read));
        }
        self.at = end;
        Ok(bytes)
    }
    fn skip(&mut self, count: u64, what: &str) -> Result<(), FileError> {
        let end = self.end(count, what)?;
        let read = io::copy(&mut (&mut self.from).take(count), &mut io::sink())?;
        if read < count {
            return Err(self.short(what, read));
        }
        self.at = end;
        Ok(())
    }
    fn number<const N: usize>(&mut self, what: &str) -> Result<[u8; N], FileError> {
        let (end, mut bytes) = (self.end(N as u64, what)?, [0; N]);
        self.from.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.short(what, 0),
            _ => error.into(),
        })?;
        self.at = end;
        Ok(bytes)
    }
    fn u32(&mut self, what: &str) -> Result<u32, FileError> {
        self.number(what).map(u32::from_le_bytes)
    }
    fn u64(&mut self, what: &str) -> Result<u64, FileError> {
        self.number(what).map(u64::from_le_bytes)
    }
    fn text(&mut self, what: &str) -> Result<Vec<u8>, FileError> {
        let length = self.u64(&format!("the length of {what}"))?;
        self.bytes(length, what)
    }
    /// Skips a value, and returns it if it is an integer of 32 bits.
    fn value(&mut self, kind: u32, depth: usize) -> Result<Option<u32>, FileError> {
        const WHAT: &str = "a value";
        let size = |kind| match kind {
            0 | 1 | 7 => Some(1),
            2 | 3 => Some(2),
            4..=6 => Some(4),
            10..=12 => Some(8),
            _ => None,
        };
        match (kind, size(kind)) {
            (4, _) => return self.u32(WHAT).map(Some),
            (_, Some(size)) => self.skip(size, WHAT)?,
            (8, _) => {
                let length = self.u64("the length of a value")?;
                self.skip(length, WHAT)?;
            }
            (9, _) if depth < 4 => {
                let (kind, count) =
                    (self.u32("the type of a list")?, self.u64("the length of a list")?);
                match size(kind) {
                    Some(size) => self.skip(count.saturating_mul(size), "a list")?,
                    None => (0..count).try_for_each(|_| self.value(kind, depth + 1).map(drop))?,
                }
            }
            (9, _) => return Err(FileError::header("a list lies in lists five deep")),
            _ => return Err(FileError::header(format!("there is no value of type {kind}"))),
        }
        Ok(None)
    }
    /// A tensor, whose byte range is still relative to the end of the header.
    fn entry(&mut self, alignment: u64) -> Result<Entry, FileError> {
        let name = String::from_utf8(self.text("the name of a tensor")?).map_err(|error| {
            FileError::header(format!(
                "the name {:?} is no text in UTF-8",
                String::from_utf8_lossy(error.as_bytes())
            ))
        })?;
        let rank = self.u32("the rank of a tensor")?;
        if rank > 4 {
            return Err(FileError::header(format!(
                "{name:?} has {rank} extents, and there are 4 at most"
            )));
        }
        let extents = (0..rank).map(|_| self.u64("an extent")).collect::<Result<Vec<_>, _>>()?;
        let (number, start) =
            (self.u32("the type of a tensor")?, self.u64("the place of a tensor")?);
        let Some(&Kind(_, kind, block, size)) = KINDS.iter().find(|kind| kind.0 == number) else {
            return Err(FileError::header(format!(
                "{name:?} is of type {number}, which is unknown"
            )));
        };
        let row = extents.first().copied().unwrap_or(1);
        if row % block != 0 {
            let why = format!(
                "{name:?} has rows of {row} elements, no multiple of {block} as {kind} has to have"
            );
            return Err(FileError::header(why));
        }
        if start % alignment != 0 {
            let why = format!(
                "{name:?} begins at {start}, which is no multiple of the alignment {alignment}"
            );
            return Err(FileError::header(why));
        }
        let elements = extents.iter().try_fold(1_u64, |n, &extent| n.checked_mul(extent));
        // With an extent of 0 there are no elements, even if the product of the others overflows.
        let elements = if extents.contains(&0) { Some(0) } else { elements };
        let end = elements
            .and_then(|n| (n / block).checked_mul(size))
            .and_then(|bytes| start.checked_add(bytes));
        let end = end.ok_or_else(|| {
            FileError::header(format!(
                "{name:?} has the extents {extents:?} at {start}: more bytes than a file has"
            ))
        })?;
        Ok(Entry { name, extents, kind: number, bytes: start..end })
    }
}

/// The format of a type of ggml, if this crate has it.
fn format(kind: u32) -> Option<Format> {
    use formats::*;
    let plain = |number, bits| formats::plain(number, bits).expect("numbers of 8, 16 and 32 bits");
    Some(match kind {
        0 => plain(Number::F32, 32),
        1 => plain(Number::F16, 16),
        2 => q4_0(),
        3 => q4_1(),
        6 => q5_0(),
        7 => q5_1(),
        8 => q8_0(),
        10 => q2_k(),
        11 => q3_k(),
        12 => q4_k(),
        13 => q5_k(),
        14 => q6_k(),
        20 => iq4_nl(),
        24 => plain(Number::Signed, 8),
        25 => plain(Number::Signed, 16),
        30 => plain(Number::Bf16, 16),
        39 => mxfp4(),
        40 => nvfp4(),
        _ => return None,
    })
}

/// A GGUF file that is open.
///
/// ```no_run
/// let file = layout_bits::gguf::open("model.gguf")?;
/// let weights = file.tensor("blk.0.attn_q.weight")?.dequantize()?;
/// # Ok::<(), layout_bits::FileError>(())
/// ```
#[derive(Debug)]
pub struct GgufFile {
    header: Header,
    numbers: HashMap<String, usize>,
    source: Source,
}

/// Opens a file and reads its header. The bytes of a tensor are read when the tensor is requested,
/// so that a file which others change meanwhile gives an error, or other numbers.
///
/// # Errors
/// If the file cannot be read, and those of [`Header::read`].
///
/// ```
/// # use std::{fs, env};
/// # let path = env::temp_dir().join(format!("layout-bits-{}.gguf", std::process::id()));
/// # let text = |text: &str| [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat();
/// # let mut bytes = [&b"GGUF\x03\0\0\0"[..], &1_u64.to_le_bytes(), &0_u64.to_le_bytes(), &text("w")].concat();
/// # bytes.extend([&2_u32.to_le_bytes()[..], &32_u64.to_le_bytes(), &1_u64.to_le_bytes()].concat());
/// # bytes.extend([&2_u32.to_le_bytes()[..], &0_u64.to_le_bytes()].concat());
/// # bytes.resize(96, 0);
/// # bytes.extend([0x00, 0x3c]);
/// # bytes.extend([0x98; 16]);
/// # fs::write(&path, bytes)?;
/// // A file with a matrix `w` of one row of 32 elements in Q4_0.
/// let tensor = layout_bits::gguf::open(&path)?.tensor("w")?;
/// assert_eq!((tensor.format().name(), tensor.shape(), tensor.bytes().len()), ("q4_0", &[1, 32][..], 18));
/// assert_eq!(tensor.dequantize()?[15..17], [0.0, 1.0]);
/// # fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open(path: impl AsRef<Path>) -> Result<GgufFile, FileError> {
    FileError::of(path.as_ref(), |path| {
        let (file, length) = Source::open(path)?;
        let header = Header::read(&file, length)?;
        Ok(GgufFile::new(header, Source::Read(Mutex::new(file))))
    })
}

/// [`open`], with the file mapped into memory by the crate `memmap2`: the bytes of tensors are
/// those of the file, and nothing is copied.
///
/// # Safety
/// As long as the [`GgufFile`] or a tensor of it exists, no process may change or truncate the
/// file.
///
/// # Errors
/// As [`open`], and if the system does not map the file.
///
/// ```no_run
/// // SAFETY: the file is one that nobody writes.
/// let file = unsafe { layout_bits::gguf::map("model.gguf")? };
/// let bytes = file.tensor("blk.0.attn_q.weight")?.bytes().len();
/// # Ok::<(), layout_bits::FileError>(())
/// ```
#[cfg(feature = "mmap")]
pub unsafe fn map(path: impl AsRef<Path>) -> Result<GgufFile, FileError> {
    FileError::of(path.as_ref(), |path| {
        // SAFETY: as this function's.
        let map = unsafe { Source::map(path)? };
        let header = Header::read(&map[..], map.len() as u64)?;
        Ok(GgufFile::new(header, Source::Mapped(map)))
    })
}

impl GgufFile {
    fn new(header: Header, source: Source) -> Self {
        let numbers =
            header.tensors.iter().enumerate().map(|(k, entry)| (entry.name.clone(), k)).collect();
        GgufFile { header, numbers, source }
    }
    fn entry(&self, name: &str) -> Result<&Entry, FileError> {
        let found = self.numbers.get(name).map(|&k| &self.header.tensors[k]);
        found.ok_or_else(|| FileError::none(name, self.header.tensors.len()))
    }
    /// The header: names, extents and types of all tensors.
    ///
    /// ```no_run
    /// for tensor in layout_bits::gguf::open("model.gguf")?.header().tensors() {
    ///     println!("{}: {} of {:?}", tensor.name, tensor.type_name(), tensor.extents);
    /// }
    /// # Ok::<(), layout_bits::FileError>(())
    /// ```
    pub fn header(&self) -> &Header {
        &self.header
    }
    /// The tensor of this name.
    ///
    /// # Errors
    /// If there is none, or its type has no [`Format`], and if its bytes cannot be read.
    ///
    /// ```no_run
    /// let tensor = layout_bits::gguf::open("model.gguf")?.tensor("output_norm.weight")?;
    /// assert_eq!(tensor.format().name(), "f32");
    /// # Ok::<(), layout_bits::FileError>(())
    /// ```
    pub fn tensor(&self, name: &str) -> Result<StoredTensor, FileError> {
        let entry = self.entry(name)?;
        let Some(format) = format(entry.kind) else {
            let why =
                format!("it is of type {}, which is no layout of bits here", entry.type_name());
            return Err(FileError::tensor(name, why));
        };
        let shape = entry.extents.iter().rev().map(|&extent| usize::try_from(extent));
        let shape = shape.collect::<Result<Vec<_>, _>>().map_err(|_| {
            let why = format!("its extents {:?} are beyond this machine's numbers", entry.extents);
            FileError::tensor(name, why)
        })?;
        let bytes =
            self.source.bytes(entry.bytes.clone()).map_err(|error| error.of_tensor(name))?;
        StoredTensor::new(name, format, shape, bytes)
    }
    /// The bytes of the tensor of this name, of any type.
    ///
    /// # Errors
    /// If there is none, and if its bytes cannot be read.
    ///
    /// ```no_run
    /// let codes = layout_bits::gguf::open("model.gguf")?.bytes("blk.0.ffn_up.weight")?; // of type iq2_xxs
    /// # Ok::<(), layout_bits::FileError>(())
    /// ```
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, FileError> {
        Ok(self.source.bytes(self.entry(name)?.bytes.clone())?.into_vec())
    }
}
