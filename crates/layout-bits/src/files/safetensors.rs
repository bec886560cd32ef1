//! Safetensors files.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

use ::safetensors::tensor::TensorInfo;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::stored::{Source, StoredBytes, StoredTensor};
use super::{FileError, MOST_HEADER};
use crate::format::{Format, FormatError, Number};
use crate::formats;

/// A tensor, as the header has it.
///
/// ```
/// use layout_bits::safetensors::Header;
/// let text = r#"{"norm":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
/// let bytes = [&(text.len() as u64).to_le_bytes()[..], text.as_bytes(), &[0; 8]].concat();
/// let header = Header::read(&bytes[..], bytes.len() as u64)?;
/// let tensor = &header.tensors()[0];
/// assert_eq!((&*tensor.name, &*tensor.dtype, &*tensor.shape), ("norm", "F32", &[2][..]));
/// assert_eq!(tensor.bytes, 65..73);
/// # Ok::<(), layout_bits::FileError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// Its name, which is unique in the file.
    pub name: String,
    /// The name of its type, in capitals.
    pub dtype: String,
    /// The extents, the fastest last.
    pub shape: Vec<usize>,
    /// Where its bytes lie in the file.
    pub bytes: Range<u64>,
}

/// The header of a file: its tensors, which cover the bytes after the header, each byte once.
///
/// ```
/// let bytes = [&[2, 0, 0, 0, 0, 0, 0, 0][..], b"{}"].concat();
/// let header = layout_bits::safetensors::Header::read(&bytes[..], 10)?;
/// assert_eq!((header.tensors().len(), header.length()), (0, 10));
/// # Ok::<(), layout_bits::FileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Header {
    length: u64,
    metadata: Vec<(String, String)>,
    tensors: Vec<Entry>,
}

impl Header {
    /// Reads the header of a file of this length in bytes, and nothing behind the header.
    ///
    /// # Errors
    /// If the header is no JSON of tensors or longer than 100,000,000 bytes, if two tensors have
    /// one name, if a tensor has other bytes than its shape needs, and if the tensors do not fill
    /// the file, each byte once.
    ///
    /// ```
    /// use layout_bits::safetensors::Header;
    /// let error = Header::read(&[0xff; 8][..], 8).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "its header has 18446744073709551615 bytes behind the first 8, and the file has 8 in all"
    /// );
    /// ```
    pub fn read(mut from: impl Read, length: u64) -> Result<Self, FileError> {
        let short = || {
            FileError::header(format!(
                "the file has {length} bytes, and the length of its header has 8"
            ))
        };
        let mut size = [0; 8];
        if length < 8 {
            return Err(short());
        }
        from.read_exact(&mut size)?;
        let size = u64::from_le_bytes(size);
        if size > length - 8 {
            let why = format!(
                "its header has {size} bytes behind the first 8, and the file has {length} in all"
            );
            return Err(FileError::header(why));
        }
        if size > MOST_HEADER {
            return Err(FileError::header(format!(
                "its header has {size} bytes, of which {MOST_HEADER} are read"
            )));
        }
        let mut text = Vec::new();
        let read = from.take(size).read_to_end(&mut text)? as u64;
        if read < size {
            return Err(FileError::header(format!(
                "it ends at byte {}, within its header",
                read + 8
            )));
        }
        let parsed: Parsed = serde_json::from_slice(&text).map_err(|error| {
            FileError::header(format!("its header is none of tensors: {error}"))
        })?;
        let mut tensors = Vec::new();
        let mut at = 0_u64;
        let mut sorted = parsed.tensors;
        // Empty tensors come before others that begin at the same offset.
        sorted.sort_by_key(|(_, info)| info.data_offsets);
        for (name, TensorInfo { dtype, shape, data_offsets: (start, end) }) in sorted {
            let bits =
                shape.iter().try_fold(dtype.bitsize(), |bits, &extent| bits.checked_mul(extent));
            let bits = if shape.contains(&0) { Some(0) } else { bits };
            if end < start || bits != (end - start).checked_mul(8) {
                let of = format!("{name:?} is {dtype:?} of the shape {shape:?}");
                return Err(FileError::header(format!(
                    "{of}, whose bytes are not those from {start} to {end}"
                )));
            }
            let (start, end) = (start as u64, end as u64);
            if start != at {
                let why = match start > at {
                    true => format!("the bytes from {at} to {start} of its data are of no tensor"),
                    false => {
                        format!("byte {start} of its data is of {name:?} and of another tensor")
                    }
                };
                return Err(FileError::header(why));
            }
            at = end;
            let bytes = size + 8 + start..size + 8 + end;
            tensors.push(Entry { name, dtype: format!("{dtype:?}"), shape, bytes });
        }
        if at != length - 8 - size {
            let data = length - 8 - size;
            return Err(FileError::header(format!(
                "its tensors have {at} bytes, and behind its header are {data}"
            )));
        }
        Ok(Header { length: size + 8, metadata: parsed.metadata, tensors })
    }

    /// The bytes of the header.
    ///
    /// ```
    /// let bytes = [&[3, 0, 0, 0, 0, 0, 0, 0][..], b"{ }"].concat();
    /// assert_eq!(layout_bits::safetensors::Header::read(&bytes[..], 11)?.length(), 11);
    /// # Ok::<(), layout_bits::FileError>(())
    /// ```
    pub fn length(&self) -> u64 {
        self.length
    }
    /// The tensors, in the order of their bytes.
    ///
    /// ```
    /// fn names(header: &layout_bits::safetensors::Header) -> Vec<&str> {
    ///     header.tensors().iter().map(|tensor| &*tensor.name).collect()
    /// }
    /// ```
    pub fn tensors(&self) -> &[Entry] {
        &self.tensors
    }
    /// All keys of the metadata with their texts, in the order of the file.
    ///
    /// ```
    /// let text = br#"{"__metadata__":{"format":"pt"}}"#;
    /// let bytes = [&[32, 0, 0, 0, 0, 0, 0, 0][..], text].concat();
    /// let header = layout_bits::safetensors::Header::read(&bytes[..], 40)?;
    /// assert_eq!(header.texts().collect::<Vec<_>>(), [("format", "pt")]);
    /// # Ok::<(), layout_bits::FileError>(())
    /// ```
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.metadata.iter().map(|pair| (&*pair.0, &*pair.1))
    }
    /// The text of this key of the metadata.
    ///
    /// ```
    /// let text = br#"{"__metadata__":{"format":"pt"}}"#;
    /// let bytes = [&[32, 0, 0, 0, 0, 0, 0, 0][..], text].concat();
    /// let header = layout_bits::safetensors::Header::read(&bytes[..], 40)?;
    /// assert_eq!((header.metadata("format"), header.metadata("none")), (Some("pt"), None));
    /// # Ok::<(), layout_bits::FileError>(())
    /// ```
    pub fn metadata(&self, key: &str) -> Option<&str> {
        self.metadata.iter().find(|pair| pair.0 == key).map(|pair| &*pair.1)
    }
}

/// The name of the metadata in a header.
const METADATA: &str = "__metadata__";

/// A parsed header, in the order of the text.
#[derive(Default)]
struct Parsed {
    metadata: Vec<(String, String)>,
    tensors: Vec<(String, TensorInfo)>,
}
impl<'de> Deserialize<'de> for Parsed {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Parsed;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("tensors by their names")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parsed, A::Error> {
                let (mut parsed, mut names) = (Parsed::default(), HashSet::new());
                while let Some(name) = map.next_key::<String>()? {
                    if !names.insert(name.clone()) {
                        return Err(A::Error::custom(format!(
                            "two tensors have the name {name:?}"
                        )));
                    }
                    match &*name {
                        METADATA => {
                            parsed.metadata =
                                map.next_value::<Option<Texts>>()?.unwrap_or_default().0
                        }
                        _ => parsed.tensors.push((name, map.next_value()?)),
                    }
                }
                Ok(parsed)
            }
        }
        from.deserialize_map(Names)
    }
}

/// Texts by their keys.
#[derive(Default)]
struct Texts(Vec<(String, String)>);
impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Texts;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("texts by their keys")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Texts, A::Error> {
                let (mut texts, mut keys) = (Vec::new(), HashSet::new());
                while let Some((key, text)) = map.next_entry::<String, String>()? {
                    if !keys.insert(key.clone()) {
                        return Err(A::Error::custom(format!("the metadata has {key:?} twice")));
                    }
                    texts.push((key, text));
                }
                Ok(Texts(texts))
            }
        }
        from.deserialize_map(Keys)
    }
}

/// A safetensors file that is open.
///
/// ```no_run
/// let file = layout_bits::safetensors::open("model.safetensors")?;
/// // A tensor of floats, or of the three tensors `.qweight`, `.qzeros` and `.scales` of GPTQ or AWQ.
/// let weights = file.tensor("model.layers.0.self_attn.q_proj")?.dequantize()?;
/// # Ok::<(), layout_bits::FileError>(())
/// ```
#[derive(Debug)]
pub struct SafetensorsFile {
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
/// # let path = env::temp_dir().join(format!("layout-bits-{}.safetensors", std::process::id()));
/// # let text = r#"{"norm":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}"#;
/// # fs::write(&path, [&(text.len() as u64).to_le_bytes()[..], text.as_bytes(), &[0x80, 0x3f, 0, 0xc0]].concat())?;
/// let tensor = layout_bits::safetensors::open(&path)?.tensor("norm")?;
/// assert_eq!((tensor.format().name(), tensor.shape()), ("bf16", &[2][..]));
/// assert_eq!(tensor.dequantize()?, [1.0, -2.0]);
/// # fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open(path: impl AsRef<Path>) -> Result<SafetensorsFile, FileError> {
    FileError::of(path.as_ref(), |path| of(Source::open(path)?.0))
}

/// [`open`] for a file that is open already. It moves the file's position.
///
/// # Errors
/// If the file cannot be read, and those of [`Header::read`].
///
/// ```
/// # let path = std::env::temp_dir().join(format!("layout-bits-of-{}.safetensors", std::process::id()));
/// # std::fs::write(&path, [&[2, 0, 0, 0, 0, 0, 0, 0][..], b"{}"].concat())?;
/// let file = layout_bits::safetensors::of(std::fs::File::open(&path)?)?;
/// assert!(file.header().tensors().is_empty());
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of(mut file: File) -> Result<SafetensorsFile, FileError> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(0))?;
    let header = Header::read(BufReader::new(&file), length)?;
    Ok(SafetensorsFile::new(header, Source::Read(Mutex::new(file))))
}

/// [`open`], with the file mapped into memory by the crate `memmap2`. The bytes of a tensor are not
/// copied, unless several tensors of the file make up one tensor here.
///
/// # Safety
/// As long as the [`SafetensorsFile`] or a tensor of it exists, no process may change or truncate
/// the file.
///
/// # Errors
/// As [`open`], and if the system does not map the file.
///
/// ```no_run
/// // SAFETY: the file is one that nobody writes.
/// let file = unsafe { layout_bits::safetensors::map("model.safetensors")? };
/// let bytes = file.tensor("model.norm.weight")?.bytes().len();
/// # Ok::<(), layout_bits::FileError>(())
/// ```
#[cfg(feature = "mmap")]
pub unsafe fn map(path: impl AsRef<Path>) -> Result<SafetensorsFile, FileError> {
    FileError::of(path.as_ref(), |path| {
        // SAFETY: as this function's.
        let map = unsafe { Source::map(path)? };
        let header = Header::read(&map[..], map.len() as u64)?;
        Ok(SafetensorsFile::new(header, Source::Mapped(map)))
    })
}

/// The rows and columns of a block with a scale.
const BLOCK: usize = 128;

/// The greatest common divisor.
fn common(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common(b, a % b) }
}

/// A tensor or a matrix: its format, and the file's tensors that make it up.
struct Found<'a> {
    format: Format,
    shape: Vec<usize>,
    planes: Vec<&'a Entry>,
    conversion: Conversion,
}
/// How the bytes of the file become those of the format.
enum Conversion {
    Unchanged,
    /// The matrix of words, of these rows and columns, is transposed.
    Transposed(usize, usize),
    /// Each scale is repeated: the extents of blocks in the file, and in the format.
    Ragged {
        rows: [usize; 2],
        columns: [usize; 2],
    },
}

/// The name of a matrix, and its tensors of codes and of scales.
struct Planes<'n, 'a> {
    name: &'n str,
    codes: &'a Entry,
    scales: &'a Entry,
}
impl Planes<'_, '_> {
    fn refused(&self, why: impl Into<String>) -> FileError {
        FileError::tensor(self.name, why)
    }
    /// The two extents of a tensor of words.
    fn words(&self, entry: &Entry) -> Result<[usize; 2], FileError> {
        match (&*entry.dtype, &entry.shape[..]) {
            ("I32" | "U32", &[rows, columns]) => Ok([rows, columns]),
            (dtype, shape) => {
                let why = format!(
                    "{} is {dtype} of the shape {shape:?}, and no matrix of I32",
                    entry.name
                );
                Err(self.refused(why))
            }
        }
    }
    /// The two extents of the scales, and their type.
    fn scales(&self) -> Result<([usize; 2], Number), FileError> {
        let Entry { name, dtype, shape, .. } = self.scales;
        match (&**dtype, &shape[..]) {
            ("F16", &[rows, columns]) => Ok(([rows, columns], Number::F16)),
            ("BF16", &[rows, columns]) => Ok(([rows, columns], Number::Bf16)),
            (dtype, shape) => {
                let why = format!(
                    "{name} is {dtype} of the shape {shape:?}, and no matrix of F16 or BF16"
                );
                Err(self.refused(why))
            }
        }
    }
    /// Checks the shapes of tensors against the extents of the matrix.
    fn shapes(&self, of: &[(&Entry, [Option<usize>; 2])]) -> Result<(), FileError> {
        for (entry, shape) in of {
            let same = shape.iter().zip(&entry.shape).all(|(a, b)| *a == Some(*b))
                && entry.shape.len() == 2;
            if !same {
                let shape = shape
                    .map(|extent| extent.map_or("?".into(), |extent| extent.to_string()))
                    .join(", ");
                let why = format!(
                    "{} has the shape {:?}, and [{shape}] by the others",
                    entry.name, entry.shape
                );
                return Err(self.refused(why));
            }
        }
        Ok(())
    }
}

impl SafetensorsFile {
    fn new(header: Header, source: Source) -> Self {
        let numbers =
            header.tensors.iter().enumerate().map(|(k, entry)| (entry.name.clone(), k)).collect();
        SafetensorsFile { header, numbers, source }
    }
    fn find(&self, name: &str) -> Option<&Entry> {
        self.numbers.get(name).map(|&k| &self.header.tensors[k])
    }
    /// The header: names, shapes and types of all tensors, and the metadata.
    ///
    /// ```no_run
    /// for tensor in layout_bits::safetensors::open("model.safetensors")?.header().tensors() {
    ///     println!("{}: {} of {:?}", tensor.name, tensor.dtype, tensor.shape);
    /// }
    /// # Ok::<(), layout_bits::FileError>(())
    /// ```
    pub fn header(&self) -> &Header {
        &self.header
    }
    /// The bytes of the tensor of this name, of any type.
    ///
    /// # Errors
    /// If there is none, and if its bytes cannot be read.
    ///
    /// ```no_run
    /// let order = layout_bits::safetensors::open("model.safetensors")?.bytes("model.layers.0.mlp.up_proj.g_idx")?;
    /// # Ok::<(), layout_bits::FileError>(())
    /// ```
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, FileError> {
        let entry =
            self.find(name).ok_or_else(|| FileError::none(name, self.header.tensors.len()))?;
        Ok(self.source.bytes(entry.bytes.clone())?.into_vec())
    }

    /// The tensor of this name; or the matrix whose tensors have this name, with or without a
    /// `.weight` behind it, and behind that
    ///
    /// | | |
    /// |---|---|
    /// | `.qweight`, `.qzeros`, `.scales` | [`gptq_of`](formats::gptq_of) or [`awq`](formats::awq), by their shapes; of 3 bits [`gptq_across`](formats::gptq_across), the words turned |
    /// | `.weight_packed`, `.weight_scale` | [`compressed_tensors_of`](formats::compressed_tensors_of), or [`marlin`](formats::marlin) if the metadata of `layout repack` says so |
    /// | `.B`, `.s` | [`marlin`](formats::marlin) |
    /// | `.B`, `.zeros`, `.s` | [`marlin_with_zeros`](formats::marlin_with_zeros) |
    ///
    /// A tensor with scales beside it, `NAME_scale_inv` or `NAME_scale`, is
    /// [`scaled`](formats::scaled) by them. Where the last block of 128 rows or columns is smaller,
    /// its format has blocks of the greatest common divisor, and a scale for each of these.
    ///
    /// The shape of a matrix is `[outputs, inputs]`, as PyTorch has it.
    ///
    /// # Errors
    /// If there is none, or it has no [`Format`](crate::Format): its type, shapes that do not
    /// belong together, zeros where compressed-tensors has no format with zeros, a `g_idx` with
    /// rows that are not in the order of their groups, see [`act_order`](formats::act_order). And
    /// if its bytes cannot be read.
    ///
    /// ```no_run
    /// let tensor = layout_bits::safetensors::open("model.safetensors")?.tensor("model.layers.0.self_attn.q_proj")?;
    /// assert_eq!((tensor.format().name(), tensor.shape()), ("gptq", &[4096, 4096][..]));
    /// # Ok::<(), layout_bits::FileError>(())
    /// ```
    pub fn tensor(&self, name: &str) -> Result<StoredTensor, FileError> {
        let found = self.named(name).and_then(|found| self.read(name, found));
        found.map_err(|error| error.of_tensor(name))
    }

    /// The format of the tensor or matrix of this name, its shape, and the file's tensors that are
    /// the planes of the format, in order. [`tensor`](Self::tensor) reads their bytes; this does
    /// not.
    ///
    /// # Errors
    /// As [`tensor`](Self::tensor); and if the file's bytes have to be converted to those of the
    /// format: numbers of 3 bits, and scales of blocks of which the last one is smaller.
    ///
    /// ```
    /// # use std::{fs, env};
    /// # let path = env::temp_dir().join(format!("layout-bits-planes-{}.safetensors", std::process::id()));
    /// # let text = r#"{"up.B":{"dtype":"I32","shape":[1,128],"data_offsets":[0,512]},"up.s":{"dtype":"F16","shape":[1,64],"data_offsets":[512,640]}}"#;
    /// # fs::write(&path, [&(text.len() as u64).to_le_bytes()[..], text.as_bytes(), &[0; 640]].concat())?;
    /// let file = layout_bits::safetensors::open(&path)?;
    /// let (format, shape, planes) = file.planes("up")?;
    /// assert_eq!((format.name(), &shape[..]), ("marlin", &[64, 16][..]));
    /// assert_eq!(planes.iter().map(|plane| &*plane.name).collect::<Vec<_>>(), ["up.B", "up.s"]);
    /// # fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn planes(&self, name: &str) -> Result<(Format, Vec<usize>, Vec<&Entry>), FileError> {
        let found = self.named(name).map_err(|error| error.of_tensor(name))?;
        let why = match found.conversion {
            Conversion::Unchanged => return Ok((found.format, found.shape, found.planes)),
            Conversion::Transposed(..) => "its numbers go across words",
            Conversion::Ragged { .. } => "the scales of its last block are those of a smaller one",
        };
        Err(FileError::tensor(name, format!("{why}, so that its bytes are no planes of a format")))
    }

    /// Reads the bytes, and converts them to those of the format.
    fn read(&self, name: &str, found: Found<'_>) -> Result<StoredTensor, FileError> {
        let Found { format, shape, planes, conversion } = found;
        let ranges: Vec<_> = planes.iter().map(|entry| entry.bytes.clone()).collect();
        let bytes = match conversion {
            Conversion::Unchanged => self.source.concatenated(&ranges)?,
            Conversion::Transposed(rows, columns) => {
                let mut bytes = self.source.concatenated(&ranges)?.into_vec();
                let words = formats::turn_words(&bytes[..4 * rows * columns], rows, columns)?;
                bytes[..4 * rows * columns].copy_from_slice(&words);
                StoredBytes::Read(bytes)
            }
            Conversion::Ragged { rows, columns } => {
                let [n, k] = [shape[0], shape[1]];
                let [of_codes, of_scales] =
                    [&ranges[0], &ranges[1]].map(|range| self.source.bytes(range.clone()));
                let (mut bytes, of_scales) = (of_codes?.into_vec(), of_scales?.into_vec());
                let size = of_scales.len() / (k.div_ceil(rows[0]) * n.div_ceil(columns[0]));
                let (blocks, of) = (format.bytes() - bytes.len(), "bytes");
                bytes.try_reserve_exact(blocks).map_err(|_| FormatError::Memory {
                    format: format.name().into(),
                    blocks,
                    each: 1,
                    of,
                })?;
                for column in (0..n).step_by(columns[1]) {
                    let first = column / columns[0] * k.div_ceil(rows[0]);
                    for row in (0..k).step_by(rows[1]) {
                        let scale = first + row / rows[0];
                        bytes.extend_from_slice(&of_scales[scale * size..][..size]);
                    }
                }
                StoredBytes::Read(bytes)
            }
        };
        StoredTensor::new(name, format, shape, bytes)
    }

    fn named(&self, name: &str) -> Result<Found<'_>, FileError> {
        if let Some(entry) = self.find(name) {
            let number = match &*entry.dtype {
                "F32" => (Number::F32, 32),
                "F16" => (Number::F16, 16),
                "BF16" => (Number::Bf16, 16),
                "F8_E4M3" => (Number::E4m3, 8),
                "F8_E5M2" => (Number::E5m2, 8),
                "F8_E8M0" => (Number::E8m0, 8),
                "I8" => (Number::Signed, 8),
                "U8" | "BOOL" => (Number::Unsigned { minus: 0 }, 8),
                "I16" => (Number::Signed, 16),
                "U16" => (Number::Unsigned { minus: 0 }, 16),
                dtype => {
                    let why = format!(
                        "it is of type {dtype}, which has numbers that are no floats of 32 bits"
                    );
                    return Err(FileError::tensor(name, why));
                }
            };
            for suffix in ["_scale_inv", "_scale"] {
                if let Some(scales) = self.find(&format!("{name}{suffix}")) {
                    let planes = Planes { name, codes: entry, scales };
                    return self.scaled(&planes, number.0, suffix == "_scale_inv");
                }
            }
            let format = formats::plain(number.0, number.1)?;
            let (shape, planes) = (entry.shape.clone(), vec![entry]);
            return Ok(Found { format, shape, planes, conversion: Conversion::Unchanged });
        }
        let base = name.strip_suffix(".weight").unwrap_or(name);
        let plane = |suffix: &str| self.find(&format!("{base}{suffix}"));
        let two =
            |codes, scales| Some(Planes { name, codes: plane(codes)?, scales: plane(scales)? });
        if let Some(planes) = two(".qweight", ".scales") {
            return match plane(".qzeros") {
                Some(zeros) => self.with_zeros(&planes, zeros, plane(".g_idx")),
                None => Err(planes.refused(format!("it has {base}.qweight, and no {base}.qzeros"))),
            };
        }
        let is_marlin = self.header.metadata("packing") == Some("marlin");
        if let Some(planes) =
            two(".B", ".s").or(two(".weight_packed", ".weight_scale").filter(|_| is_marlin))
        {
            let ([tiles, _], ([groups, n], number)) =
                (planes.words(planes.codes)?, planes.scales()?);
            planes.shapes(&[(planes.codes, [Some(tiles), n.checked_mul(2)])])?;
            let k = tiles.saturating_mul(16);
            let group = k.checked_div(groups).unwrap_or(0);
            if let Some(zeros) = plane(".zeros") {
                planes.words(zeros)?;
                planes.shapes(&[(zeros, [Some(groups), Some(n / 8)])])?;
                let format =
                    formats::marlin_with_zeros(k, n, group)?.with_number("scale", number)?;
                return self.matrix(&planes, format, [n, k], &[planes.codes, zeros, planes.scales]);
            }
            let format = formats::marlin(k, n, group)?.with_number("d", number)?;
            return self.matrix(&planes, format, [n, k], &[planes.codes, planes.scales]);
        }
        if let Some(planes) = two(".weight_packed", ".weight_scale") {
            if plane(".weight_zero_point").is_some() || plane(".weight_g_idx").is_some() {
                return Err(planes.refused(
                    "it has zeros or an order of rows, for which compressed-tensors has no format \
                     here",
                ));
            }
            let ([_, words], ([n, groups], number)) =
                (planes.words(planes.codes)?, planes.scales()?);
            planes.shapes(&[(planes.codes, [Some(n), Some(words)])])?;
            let shape =
                plane(".weight_shape").map(|entry| self.shape_of(&planes, entry)).transpose()?;
            // Without a shape, nibbles.
            let k = shape.map_or(words.saturating_mul(8), |shape| shape[1]);
            // Words of 7-bit and of 8-bit codes have equally many codes: 8 bits are assumed.
            let bits =
                [4, 8, 2, 1, 3, 5, 6].into_iter().find(|bits| k.div_ceil(32 / bits) == words);
            let Some(bits) = bits.filter(|_| shape.is_none_or(|shape| shape[0] == n)) else {
                let shape = shape.unwrap_or([n, k]);
                let why = format!(
                    "{words} words of a row are not what {} elements need: its shape is {shape:?}",
                    shape[1]
                );
                return Err(planes.refused(why));
            };
            let group = k.checked_div(groups).unwrap_or(0);
            let format =
                formats::compressed_tensors_of(bits, k, n, group)?.with_number("d", number)?;
            return self.matrix(&planes, format, [n, k], &[planes.codes, planes.scales]);
        }
        Err(FileError::none(name, self.header.tensors.len()))
    }

    /// Floats of 8 bits with a scale for each 128 x 128 block (the last ones may be smaller), for
    /// each row, or for all.
    fn scaled<'a>(
        &self,
        planes: &Planes<'_, 'a>,
        number: Number,
        in_blocks: bool,
    ) -> Result<Found<'a>, FileError> {
        let Planes { codes, scales, .. } = planes;
        let refused = || {
            let of = format!("{} of the shape {:?} and {}", codes.dtype, codes.shape, scales.name);
            planes.refused(format!(
                "{of} of {} and the shape {:?} make no matrix with scales",
                scales.dtype, scales.shape
            ))
        };
        let scale = match &*scales.dtype {
            "F32" => Number::F32,
            "BF16" => Number::Bf16,
            "F16" => Number::F16,
            _ => return Err(refused()),
        };
        let &[n, k] = &codes.shape[..] else { return Err(refused()) };
        // A single block has any size. If the last block is smaller, the scales have no layout, and
        // the format has smaller blocks, into which all blocks divide.
        let block = |extent: usize, count: usize| match count {
            1 => Some([extent, extent]),
            _ if extent.div_ceil(BLOCK) == count => Some([BLOCK, common(extent, BLOCK)]),
            _ => None,
        };
        let blocks = match (in_blocks, &scales.shape[..]) {
            (true, &[down, across]) => block(k, across).zip(block(n, down)),
            (false, []) | (false, [1]) => Some(([k, k], [n, n])),
            (false, &[rows]) | (false, &[rows, 1]) if rows == n => Some(([k, k], [1, 1])),
            _ => None,
        };
        let (rows, columns) = blocks.ok_or_else(refused)?;
        let format = formats::scaled(number, k, n, [rows[1], columns[1]], scale)?;
        if rows[0] == rows[1] && columns[0] == columns[1] {
            return self.matrix(planes, format, [n, k], &[codes, scales]);
        }
        let (shape, planes) = (vec![n, k], vec![*codes, *scales]);
        Ok(Found { format, shape, planes, conversion: Conversion::Ragged { rows, columns } })
    }

    /// GPTQ's and AWQ's three tensors.
    fn with_zeros<'a>(
        &self,
        planes: &Planes<'_, 'a>,
        zeros: &'a Entry,
        g_idx: Option<&Entry>,
    ) -> Result<Found<'a>, FileError> {
        let ([a, b], ([groups, n], number)) = (planes.words(planes.codes)?, planes.scales()?);
        let [_, of_zeros] = planes.words(zeros)?;
        // Words along the rows, or along the columns.
        let is_awq = b != n && b.checked_mul(8) == Some(n);
        let bits = if is_awq {
            4
        } else {
            (of_zeros as u128 * 32).checked_div(n as u128).unwrap_or(0) as usize
        };
        if !(1..=8).contains(&bits) {
            let why =
                format!("{} has {of_zeros} words for {n} columns: {bits} bits each", zeros.name);
            return Err(planes.refused(why));
        }
        // Codes of 3, 5, 6 or 7 bits straddle words.
        let across = !is_awq && 32 % bits != 0;
        let rows = if is_awq { Some(a) } else { a.checked_mul(32).map(|all| all / bits) };
        let k = rows.ok_or_else(|| {
            planes.refused(format!("{a} rows of words are more than can be counted"))
        })?;
        let columns = (n as u128 * bits as u128 / 32) as usize;
        planes.shapes(&[
            (planes.codes, [Some(a), Some(if is_awq { columns } else { n })]),
            (zeros, [Some(groups), Some(columns)]),
        ])?;
        let group = k.checked_div(groups).unwrap_or(0);
        let format = match (is_awq, across) {
            (true, _) => formats::awq(k, n, group)?,
            (_, true) => formats::gptq_across(bits, k, n, group)?,
            _ => formats::gptq_of(bits, k, n, group)?,
        };
        if let Some(g_idx) = g_idx {
            let bytes = self.source.bytes(g_idx.bytes.clone())?.into_vec();
            let list = bytes
                .chunks_exact(4)
                .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
            let in_order =
                list.len() == k && list.enumerate().all(|(row, of)| of as usize == row / group);
            if g_idx.dtype != "I32" || !in_order {
                let why = format!(
                    "the rows of {} are not in the order of groups of {group}: see \
                     formats::act_order",
                    g_idx.name
                );
                return Err(planes.refused(why));
            }
        }
        let format = format.with_number("scale", number)?;
        let of = [planes.codes, zeros, planes.scales];
        let mut found = self.matrix(planes, format, [n, k], &of)?;
        if across {
            found.conversion = Conversion::Transposed(a, n);
        }
        Ok(found)
    }

    /// # Errors
    /// If the planes have other bytes than those of the format.
    fn matrix<'a>(
        &self,
        planes: &Planes<'_, 'a>,
        format: Format,
        shape: [usize; 2],
        of: &[&'a Entry],
    ) -> Result<Found<'a>, FileError> {
        for (entry, (_, bytes)) in of.iter().zip(format.planes()) {
            let given = entry.bytes.end - entry.bytes.start;
            if given != *bytes as u64 {
                let why = format!(
                    "{} has {given} bytes, and {bytes} by the shapes of the others",
                    entry.name
                );
                return Err(planes.refused(why));
            }
        }
        Ok(Found {
            format,
            shape: shape.into(),
            planes: of.to_vec(),
            conversion: Conversion::Unchanged,
        })
    }

    /// The two extents in a tensor `.weight_shape`.
    fn shape_of(&self, planes: &Planes<'_, '_>, entry: &Entry) -> Result<[usize; 2], FileError> {
        let bytes = self.source.bytes(entry.bytes.clone())?.into_vec();
        let numbers = match &*entry.dtype {
            "I64" => bytes
                .chunks_exact(8)
                .map(|n| n.try_into().map_or(0, u64::from_le_bytes))
                .collect::<Vec<_>>(),
            _ => bytes
                .chunks_exact(4)
                .map(|n| n.try_into().map_or(0, u32::from_le_bytes).into())
                .collect(),
        };
        match numbers.iter().map(|&n| usize::try_from(n)).collect::<Result<Vec<_>, _>>().as_deref()
        {
            Ok(&[n, k]) if matches!(&*entry.dtype, "I64" | "I32") => Ok([n, k]),
            _ => Err(planes.refused(format!(
                "{} is {} with {numbers:?}, and no two extents",
                entry.name, entry.dtype
            ))),
        }
    }
}
