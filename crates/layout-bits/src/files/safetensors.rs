//! Safetensors files.

use std::collections::HashSet;
use std::fmt;
use std::io::Read;
use std::ops::Range;

use ::safetensors::tensor::TensorInfo;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::{FileError, MOST_HEADER};

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
    /// Its name, which no other one has.
    pub name: String,
    /// The name of its type, in capitals.
    pub dtype: String,
    /// The extents, the fastest last.
    pub shape: Vec<usize>,
    /// Where its bytes lie in the file.
    pub bytes: Range<u64>,
}

/// The header of a file: its tensors, which fill what lies behind the header, each byte once.
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
    /// Reads the header of a file of so many bytes, and no more of it than that.
    ///
    /// # Errors
    /// If the header is no JSON of tensors or longer than 100,000,000 bytes, if two tensors have one name, if a tensor
    /// has other bytes than its shape needs, and if the tensors do not fill the file, each byte once.
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
        let short = || FileError::header(format!("the file has {length} bytes, and the length of its header has 8"));
        let mut size = [0; 8];
        if length < 8 {
            return Err(short());
        }
        from.read_exact(&mut size)?;
        let size = u64::from_le_bytes(size);
        if size > length - 8 {
            let why = format!("its header has {size} bytes behind the first 8, and the file has {length} in all");
            return Err(FileError::header(why));
        }
        if size > MOST_HEADER {
            return Err(FileError::header(format!("its header has {size} bytes, of which {MOST_HEADER} are read")));
        }
        let mut text = Vec::new();
        let read = from.take(size).read_to_end(&mut text)? as u64;
        if read < size {
            return Err(FileError::header(format!("it ends at byte {}, within its header", read + 8)));
        }
        let parsed: Parsed = serde_json::from_slice(&text)
            .map_err(|error| FileError::header(format!("its header is none of tensors: {error}")))?;
        let mut tensors = Vec::new();
        let mut at = 0_u64;
        let mut sorted = parsed.tensors;
        // Those without bytes first where several begin at one.
        sorted.sort_by_key(|(_, info)| info.data_offsets);
        for (name, TensorInfo { dtype, shape, data_offsets: (start, end) }) in sorted {
            let bits = shape.iter().try_fold(dtype.bitsize(), |bits, &extent| bits.checked_mul(extent));
            let bits = if shape.contains(&0) { Some(0) } else { bits };
            if end < start || bits != (end - start).checked_mul(8) {
                let of = format!("{name:?} is {dtype:?} of the shape {shape:?}");
                return Err(FileError::header(format!("{of}, whose bytes are not those from {start} to {end}")));
            }
            let (start, end) = (start as u64, end as u64);
            if start != at {
                let why = match start > at {
                    true => format!("the bytes from {at} to {start} of its data are of no tensor"),
                    false => format!("byte {start} of its data is of {name:?} and of another tensor"),
                };
                return Err(FileError::header(why));
            }
            at = end;
            let bytes = size + 8 + start..size + 8 + end;
            tensors.push(Entry { name, dtype: format!("{dtype:?}"), shape, bytes });
        }
        if at != length - 8 - size {
            let data = length - 8 - size;
            return Err(FileError::header(format!("its tensors have {at} bytes, and behind its header are {data}")));
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

/// The name under which safetensors has its metadata.
const METADATA: &str = "__metadata__";

/// A header as its text has it, in that order.
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
                        return Err(A::Error::custom(format!("two tensors have the name {name:?}")));
                    }
                    match &*name {
                        METADATA => parsed.metadata = map.next_value::<Option<Texts>>()?.unwrap_or_default().0,
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
