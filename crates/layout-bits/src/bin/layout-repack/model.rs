//! A GGUF model in a GGUF or safetensors file: the GGUF header, and where the bytes of each tensor
//! lie.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::rc::Rc;

use clap::ValueEnum;
use layout_bits::{Format, Repack, formats, gguf, safetensors};

use crate::Failure;

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Packing {
    /// A GGUF file with blocks of Q4_0.
    #[value(name = "q4_0")]
    Q4_0,
    /// Rows of nibbles, as compressed-tensors packs them.
    Nibbles,
    /// Tiles of 16 x 64, interleaved, as Marlin's kernel reads them.
    Marlin,
    /// Marlin's tiles with a zero for each group, as vLLM's kernel reads them.
    MarlinZeros,
    /// Words of 8 rows, as GPTQ's checkpoints have them.
    Gptq,
    /// Words of 8 columns, as AWQ's checkpoints have them.
    Awq,
    /// Weights unchanged; scale factors of NVFP4 and MXFP8 in blocks of 128 rows, as tensor cores
    /// read them.
    BlockedScales,
    /// Weights unchanged; the powers of two that scale 128 x 128 blocks in words of four, as
    /// DeepGEMM reads them.
    DeepGemmScales,
    /// Weights unchanged; scale factors in row-major order.
    PlainScales,
}
impl Packing {
    const GROUP: usize = 32;
    fn format(self, [k, n]: [usize; 2]) -> Result<Format, Failure> {
        match self {
            Packing::Q4_0 => Ok(formats::q4_0()),
            Packing::Nibbles => Ok(formats::compressed_tensors(k, n, Self::GROUP)?),
            Packing::Marlin => Ok(formats::marlin(k, n, Self::GROUP)?),
            _ => Err(Failure(format!(
                "{} is how checkpoints of GPTQ and AWQ are packed, and no GGUF file",
                self.name()
            ))),
        }
    }
    /// The shapes of codes, in words of 32 bits, and of scales.
    fn shapes(self, [k, n]: [usize; 2]) -> [Vec<usize>; 2] {
        match self {
            Packing::Marlin => [vec![k / 16, 2 * n], vec![k / Self::GROUP, n]],
            _ => [vec![n, k / 8], vec![n, k / Self::GROUP]],
        }
    }
    pub fn name(self) -> &'static str {
        match self {
            Packing::Q4_0 => "q4_0",
            Packing::Nibbles => "nibbles",
            Packing::Marlin => "marlin",
            Packing::MarlinZeros => "marlin-zeros",
            Packing::Gptq => "gptq",
            Packing::Awq => "awq",
            Packing::BlockedScales => "blocked-scales",
            Packing::DeepGemmScales => "deep-gemm-scales",
            Packing::PlainScales => "plain-scales",
        }
    }
}

/// The number of the type Q4_0 in a GGUF file.
const Q4_0: u32 = 2;
const CODES: &str = ".weight_packed";
const SCALES: &str = ".weight_scale";
/// The tensor with the bytes between the GGUF file's tensors, if these are not zeros.
const GAPS: &str = "gguf.gaps";
/// The name of the metadata in a safetensors header, which no tensor may have.
const METADATA: &str = "__metadata__";

/// Bytes of the input file.
#[derive(Clone, Copy)]
pub struct Span {
    pub first: u64,
    pub bytes: u64,
}
/// A piece of the output, in order.
pub enum Piece {
    Raw(Vec<u8>),
    Copy(Span),
    Zeros(u64),
    /// The concatenation of these spans, repacked.
    Repack(Vec<Span>, Box<Repack>),
    /// A range of the bytes of a changed tensor.
    Changed(Rc<Changed>, Range<usize>),
}
/// Tensors of the input, and the change to apply to them.
pub struct Changed {
    pub name: String,
    pub from: Vec<Span>,
    pub change: Change,
}
pub enum Change {
    Repack(Repack),
    /// Scale factors of matrices with the rows and columns of `matrix`.
    Scales {
        matrix: [usize; 2],
        order: Order,
        /// Whether the change is to this order or from it.
        there: bool,
    },
}
/// An order of scale factors other than row-major.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// In blocks of 128 rows.
    Blocked,
    /// In words of four, of blocks with this many rows.
    DeepGemm(usize),
}
fn size(tensor: &gguf::Entry) -> u64 {
    tensor.bytes.end - tensor.bytes.start
}

/// Where the bytes of a tensor lie.
enum Stored {
    /// Unchanged, as in a GGUF file.
    Raw(Span),
    Packed(Packing, [Span; 2]),
}

pub struct Model {
    /// The header of the GGUF file.
    header: Vec<u8>,
    tensors: Vec<gguf::Entry>,
    stored: Vec<Stored>,
    /// The length of the GGUF file, and the bytes between its tensors and after the last one,
    /// unless these are zeros.
    length: u64,
    gaps: Option<Vec<Span>>,
    remarks: Vec<String>,
}

impl Model {
    pub fn read(file: &mut File, packing: Packing) -> Result<Self, Failure> {
        let length = file.metadata()?.len();
        let mut magic = Vec::new();
        file.by_ref().take(4).read_to_end(&mut magic)?;
        file.seek(SeekFrom::Start(0))?;
        match (&magic[..], packing) {
            (b"GGUF", Packing::Q4_0) => Err(Failure::new(
                "it is a GGUF file, and q4_0 is how one is packed: there is nothing to do",
            )),
            (b"GGUF", _) => Model::of_gguf(file, length),
            _ if length < 8 => Err(Failure::new(format!(
                "its {length} bytes are neither a GGUF file nor a safetensors file"
            ))),
            _ => Model::of_safetensors(file, length),
        }
    }

    fn of_gguf(file: &mut File, length: u64) -> Result<Self, Failure> {
        let header = gguf::Header::read(&mut *file, length)?;
        let bytes = read(file, &[Span { first: 0, bytes: header.length() }])?;
        let tensors = header.tensors().to_vec();
        let raw = |tensor: &gguf::Entry| {
            Stored::Raw(Span { first: tensor.bytes.start, bytes: size(tensor) })
        };
        let stored = tensors.iter().map(raw).collect();
        let gaps: Vec<_> =
            between(header.length(), &tensors, length).iter().map(|part| part.0).collect();
        let all = gaps.iter().map(|gap| gap.bytes).sum::<u64>();
        let zeros = all <= most_zeros(header.length(), &tensors) && are_zeros(file, &gaps)?;
        let gaps = if zeros { None } else { Some(gaps) };
        Ok(Model { header: bytes, tensors, stored, length, gaps, remarks: Vec::new() })
    }

    fn of_safetensors(file: &mut File, length: u64) -> Result<Self, Failure> {
        let outer = safetensors::Header::read(&mut *file, length)?;
        let old = match outer.metadata("packing") {
            Some("nibbles") => Packing::Nibbles,
            Some("marlin") => Packing::Marlin,
            _ => return Err(Failure::new("its metadata names no packing that this command wrote")),
        };
        let mut header = outer.metadata("gguf").and_then(from_hex).ok_or_else(|| {
            Failure::new(
                "its metadata has no header of a GGUF file, so that this command did not write it",
            )
        })?;
        let mut remarks = Vec::new();
        let length = match outer.metadata("gguf_length") {
            Some(text) => {
                let length = text
                    .parse()
                    .map_err(|error| format!("the length {text:?} of its GGUF file: {error}"));
                length.map_err(Failure)?
            }
            None => u64::MAX,
        };
        let inner = gguf::Header::read(&header[..], length)
            .map_err(|error| Failure(format!("of the GGUF file that it was made of, {error}")))?;
        let tensors = inner.tensors().to_vec();
        let length = if length < u64::MAX {
            length
        } else {
            remarks.push(
                "its metadata has no length of the GGUF file, which ends with its last tensor"
                    .to_string(),
            );
            tensors.iter().map(|tensor| tensor.bytes.end).max().unwrap_or(0).max(inner.length())
        };
        if header.split_off(inner.length() as usize).iter().any(|&byte| byte != 0) {
            return Err(Failure::new(
                "behind the header of its GGUF file are bytes that are no padding",
            ));
        }
        let mut left: HashMap<_, _> =
            outer.tensors().iter().map(|tensor| (&*tensor.name, tensor)).collect();
        let mut take = |name: &str| {
            let tensor = left.remove(name)?;
            let Range { start, end } = tensor.bytes;
            Some((tensor, Span { first: start, bytes: end - start }))
        };
        let mut stored = Vec::new();
        for tensor in &tensors {
            let name = &tensor.name;
            if let Some((_, span)) = take(name) {
                if span.bytes != size(tensor) {
                    let of = [span.bytes, size(tensor)];
                    let why = format!(
                        "{name} has {} bytes, and {} in the header of the GGUF file",
                        of[0], of[1]
                    );
                    return Err(Failure(why));
                }
                stored.push(Stored::Raw(span));
                continue;
            }
            let planes = [CODES, SCALES].map(|plane| take(&format!("{name}{plane}")));
            let (Some(extents), [Some(codes), Some(scales)]) = (matrix(tensor), planes) else {
                return Err(Failure(format!(
                    "there is no tensor {name}, which the header of the GGUF file has"
                )));
            };
            let format = old.format(extents)?;
            let shapes = old.shapes(extents);
            for ((plane, span), (shape, (_, bytes))) in
                [&codes, &scales].into_iter().zip(shapes.iter().zip(format.planes()))
            {
                if plane.shape != *shape || span.bytes != *bytes as u64 {
                    let (name, given) = (&plane.name, &plane.shape);
                    let why = format!("{name} has the shape {given:?} and {} bytes", span.bytes);
                    return Err(Failure(format!(
                        "{why}, and by the header of the GGUF file {shape:?} and {bytes}"
                    )));
                }
            }
            stored.push(Stored::Packed(old, [codes.1, scales.1]));
        }
        let gaps: Vec<_> =
            between(inner.length(), &tensors, length).iter().map(|part| part.0).collect();
        let all = gaps.iter().map(|gap| gap.bytes).sum::<u64>();
        let gaps = match take(GAPS) {
            Some((_, span)) if span.bytes == all => {
                let mut first = span.first;
                let spans = gaps.iter().map(|gap| {
                    first += gap.bytes;
                    Span { first: first - gap.bytes, bytes: gap.bytes }
                });
                Some(spans.collect())
            }
            Some((_, span)) => {
                let why = format!(
                    "{GAPS} has {} bytes, and between the tensors of the GGUF file are {all}",
                    span.bytes
                );
                return Err(Failure(why));
            }
            None if all > most_zeros(inner.length(), &tensors) => {
                let why = format!(
                    "of the {length} bytes of its GGUF file {all} are of no tensor, and it has no \
                     {GAPS}"
                );
                return Err(Failure(why));
            }
            None => None,
        };
        if let Some(name) = left.keys().min() {
            return Err(Failure(format!(
                "{name} is no tensor of the GGUF file that it was made of, and would be lost"
            )));
        }
        Ok(Model { header, tensors, stored, length, gaps, remarks })
    }

    /// The pieces to write for this packing, and remarks for the user.
    pub fn pieces(
        self,
        packing: Packing,
        skip_unfit: bool,
    ) -> Result<(Vec<Piece>, Vec<String>), Failure> {
        match packing {
            Packing::Q4_0 => self.into_gguf(),
            _ => self.into_safetensors(packing, skip_unfit),
        }
    }

    fn into_gguf(mut self) -> Result<(Vec<Piece>, Vec<String>), Failure> {
        let parts = between(self.header.len() as u64, &self.tensors, self.length);
        let mut pieces = vec![Piece::Raw(std::mem::take(&mut self.header))];
        for (k, (gap, tensor)) in parts.into_iter().enumerate() {
            pieces.push(match &self.gaps {
                None => Piece::Zeros(gap.bytes),
                Some(gaps) => Piece::Copy(gaps[k]),
            });
            if let Some(at) = tensor {
                pieces.push(self.raw(at)?);
            }
        }
        Ok((pieces, self.remarks))
    }

    /// A tensor in the form of the GGUF file.
    fn raw(&self, at: usize) -> Result<Piece, Failure> {
        match &self.stored[at] {
            Stored::Raw(span) => Ok(Piece::Copy(*span)),
            Stored::Packed(packing, spans) => {
                let from = packing
                    .format(matrix(&self.tensors[at]).ok_or(Failure::new("it is no matrix"))?)?;
                Ok(Piece::Repack(spans.to_vec(), Box::new(Repack::plan(&from, &formats::q4_0())?)))
            }
        }
    }

    fn into_safetensors(
        mut self,
        packing: Packing,
        skip_unfit: bool,
    ) -> Result<(Vec<Piece>, Vec<String>), Failure> {
        let mut out = Tensors::default();
        for (at, tensor) in self.tensors.iter().enumerate() {
            let name = &tensor.name;
            if let Some(extents) = matrix(tensor) {
                match packing.format(extents) {
                    Ok(format) => {
                        let piece = match &self.stored[at] {
                            Stored::Raw(span) => (formats::q4_0(), vec![*span]),
                            Stored::Packed(old, spans) => (old.format(extents)?, spans.to_vec()),
                        };
                        for ((plane, dtype), (shape, (_, bytes))) in
                            [(CODES, "I32"), (SCALES, "F16")]
                                .into_iter()
                                .zip(packing.shapes(extents).iter().zip(format.planes()))
                        {
                            out.add(name, format!("{name}{plane}"), dtype, shape, *bytes as u64)?;
                        }
                        out.pieces.push(Piece::Repack(
                            piece.1,
                            Box::new(Repack::plan(&piece.0, &format)?),
                        ));
                        continue;
                    }
                    Err(Failure(why)) if skip_unfit => {
                        self.remarks.push(format!("{name} is copied as blocks of Q4_0: {why}"));
                    }
                    Err(Failure(why)) => {
                        let help = "--skip-unfit copies such tensors as they are in the GGUF file";
                        return Err(Failure(format!("{name}: {why}; {help}")));
                    }
                }
            }
            let dtype = match tensor.kind {
                0 => "F32",
                1 => "F16",
                30 => "BF16",
                _ => "U8",
            };
            let shape: Option<Vec<_>> = match dtype {
                "U8" => usize::try_from(size(tensor)).ok().map(|bytes| vec![bytes]),
                _ => tensor
                    .extents
                    .iter()
                    .rev()
                    .map(|&extent| usize::try_from(extent).ok())
                    .collect(),
            };
            let shape = shape.ok_or_else(|| {
                Failure(format!("{name} has more elements than this machine counts"))
            })?;
            out.add(name, name.clone(), dtype, &shape, size(tensor))?;
            out.pieces.push(self.raw(at)?);
        }
        if let Some(gaps) = &self.gaps {
            let all = gaps.iter().map(|gap| gap.bytes).sum();
            out.add("what lies between tensors", GAPS.into(), "U8", &[all as usize], all)?;
            out.pieces.extend(gaps.iter().copied().map(Piece::Copy));
        }
        let about = BTreeMap::from([
            ("gguf", to_hex(&self.header)),
            ("gguf_length", self.length.to_string()),
            ("packing", packing.name().to_string()),
        ]);
        Ok((out.finish(&about)?, self.remarks))
    }
}

/// The gap before each non-empty tensor, in the order of the GGUF file, and after the last one.
fn between(header: u64, tensors: &[gguf::Entry], length: u64) -> Vec<(Span, Option<usize>)> {
    let mut order: Vec<_> =
        tensors.iter().enumerate().filter(|(_, tensor)| size(tensor) > 0).collect();
    order.sort_by_key(|(_, tensor)| tensor.bytes.start);
    let ends = order
        .iter()
        .map(|(k, tensor)| (tensor.bytes.clone(), Some(*k)))
        .chain([(length..length, None)]);
    let mut first = header;
    let gap = |(Range { start, end }, tensor): (Range<u64>, _)| {
        let gap = Span { first, bytes: start - first };
        first = end;
        (gap, tensor)
    };
    ends.map(gap).collect()
}

/// The most zeros to write that the input does not contain: a small header must not make a large
/// file.
fn most_zeros(header: u64, tensors: &[gguf::Entry]) -> u64 {
    tensors.iter().map(size).fold(header, u64::saturating_add)
}

fn are_zeros(file: &mut File, spans: &[Span]) -> Result<bool, Failure> {
    let mut buffer = vec![0; 1 << 16];
    for span in spans {
        file.seek(SeekFrom::Start(span.first))?;
        let mut left = span.bytes;
        while left > 0 {
            let part = &mut buffer[..left.min(1 << 16) as usize];
            file.read_exact(part)?;
            if part.iter().any(|&byte| byte != 0) {
                return Ok(false);
            }
            left -= part.len() as u64;
        }
    }
    Ok(true)
}

/// The rows and columns of a matrix of Q4_0: the fastest extent, and the product of all others.
fn matrix(tensor: &gguf::Entry) -> Option<[usize; 2]> {
    let (k, others) = tensor.extents.split_first()?;
    let n = others
        .iter()
        .try_fold(1_usize, |n, &extent| n.checked_mul(usize::try_from(extent).ok()?))?;
    let extents = [usize::try_from(*k).ok()?, n];
    (tensor.kind == Q4_0 && !extents.contains(&0)).then_some(extents)
}

/// The concatenation of these spans.
pub fn read(file: &mut File, spans: &[Span]) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    for span in spans {
        let room = usize::try_from(span.bytes)
            .ok()
            .filter(|&count| bytes.try_reserve_exact(count).is_ok());
        room.ok_or_else(|| Failure(format!("there is no memory for {} bytes", span.bytes)))?;
        file.seek(SeekFrom::Start(span.first))?;
        let read = file.take(span.bytes).read_to_end(&mut bytes)?;
        if read as u64 != span.bytes {
            return Err(Failure(format!(
                "{} bytes are missing at byte {}",
                span.bytes - read as u64,
                span.first
            )));
        }
    }
    Ok(bytes)
}

/// The tensors and pieces of a safetensors file to write.
#[derive(Default)]
pub struct Tensors {
    /// The names, each with the GGUF tensor that it comes from.
    names: HashMap<String, String>,
    entries: Vec<String>,
    length: u64,
    pub pieces: Vec<Piece>,
}
impl Tensors {
    pub fn add(
        &mut self,
        of: &str,
        name: String,
        dtype: &str,
        shape: &[usize],
        bytes: u64,
    ) -> Result<(), Failure> {
        if name == METADATA {
            return Err(Failure(format!(
                "{name} is the name of a tensor, which safetensors keeps for its metadata"
            )));
        }
        if let Some(other) = self.names.insert(name.clone(), of.to_string()) {
            return Err(Failure(format!(
                "{other} and {of} would both be stored under the name {name}"
            )));
        }
        let end = self.length.checked_add(bytes);
        let end = end.ok_or_else(|| Failure(format!("{name} ends beyond what can be counted")))?;
        let (name, first) = (serde_json::to_string(&name)?, self.length);
        let shape = serde_json::to_string(shape)?;
        let places =
            format!("\"dtype\":\"{dtype}\",\"shape\":{shape},\"data_offsets\":[{first},{end}]");
        self.entries.push(format!("{name}:{{{places}}}"));
        self.length = end;
        Ok(())
    }
    /// The header, then the pieces. The bytes depend only on the tensors and the metadata.
    pub fn finish(self, about: &BTreeMap<&str, String>) -> Result<Vec<Piece>, Failure> {
        let mut entries = vec![format!("{METADATA:?}:{}", serde_json::to_string(about)?)];
        entries.extend(self.entries);
        let mut text = format!("{{{}}}", entries.join(",")).into_bytes();
        text.resize(text.len().next_multiple_of(8), b' ');
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.append(&mut text);
        let mut pieces = vec![Piece::Raw(bytes)];
        pieces.extend(self.pieces);
        Ok(pieces)
    }
}

pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
