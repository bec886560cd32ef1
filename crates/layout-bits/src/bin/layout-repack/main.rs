//! `layout repack IN OUT --to PACKING`: the 4-bit weights of a file as another one packs them, bit by bit the same
//! numbers.
//!
//! | from | to |
//! |---|---|
//! | GGUF, tensors of Q4_0 | safetensors: `NAME.weight_packed` and `NAME.weight_scale` as rows of nibbles or Marlin's tiles |
//! | such safetensors | the other packing, or the GGUF file again, byte by byte |
//!
//! All other tensors are copied. The header of the GGUF file stands in the metadata of the safetensors file.

mod gguf;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use layout_bits::{Format, Repack, formats};
use safetensors::tensor::{Dtype, Metadata, TensorInfo};

/// Repacks the 4-bit weights of a GGUF or safetensors file without decoding them.
#[derive(Parser)]
#[command(name = "layout repack", version)]
struct Arguments {
    /// The file to read: GGUF, or safetensors that this command wrote.
    from: PathBuf,
    /// The file to write. It is there when all of it has been written, and not before.
    to: PathBuf,
    /// How weights are packed in it.
    #[arg(long = "to", value_enum)]
    packing: Packing,
    /// No progress bar.
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Packing {
    /// A GGUF file with blocks of Q4_0.
    #[value(name = "q4_0")]
    Q4_0,
    /// Rows of nibbles, as compressed-tensors packs them.
    Nibbles,
    /// Tiles of 16 x 64, interleaved, as Marlin's kernel reads them.
    Marlin,
}
impl Packing {
    const GROUP: usize = 32;
    fn format(self, [k, n]: [usize; 2]) -> Result<Format, Failure> {
        match self {
            Packing::Q4_0 => Ok(formats::q4_0()),
            Packing::Nibbles => Ok(formats::compressed_tensors(k, n, Self::GROUP)?),
            Packing::Marlin => Ok(formats::marlin(k, n, Self::GROUP)?),
        }
    }
    /// The shapes of codes, in words of 32 bits, and of scales.
    fn shapes(self, [k, n]: [usize; 2]) -> [Vec<usize>; 2] {
        match self {
            Packing::Marlin => [vec![k / 16, 2 * n], vec![k / Self::GROUP, n]],
            _ => [vec![n, k / 8], vec![n, k / Self::GROUP]],
        }
    }
    /// The extents of a matrix with codes of this shape.
    fn extents(self, shape: &[usize]) -> Option<[usize; 2]> {
        match (self, shape) {
            (Packing::Marlin, &[a, b]) => Some([a.checked_mul(16)?, b / 2]),
            (Packing::Nibbles, &[n, a]) => Some([a.checked_mul(8)?, n]),
            _ => None,
        }
    }
    fn name(self) -> &'static str {
        match self {
            Packing::Q4_0 => "q4_0",
            Packing::Nibbles => "nibbles",
            Packing::Marlin => "marlin",
        }
    }
}

/// Why nothing was written, in a sentence.
#[derive(Debug)]
struct Failure(String);
impl Failure {
    fn new(why: impl Into<String>) -> Self {
        Failure(why.into())
    }
}
impl From<layout_bits::FormatError> for Failure {
    fn from(error: layout_bits::FormatError) -> Self {
        Failure(error.to_string())
    }
}

const CODES: &str = ".weight_packed";
const SCALES: &str = ".weight_scale";

/// Bytes of the file that is read.
#[derive(Clone, Copy)]
struct Span {
    first: u64,
    bytes: u64,
}
/// What is written, in this order.
enum Piece {
    Raw(Vec<u8>),
    Copy(Span),
    /// Zeros up to a place in the file.
    PadTo(u64),
    /// What lies in these, one behind the other, repacked.
    Repack(Vec<Span>, Box<Repack>),
}

/// What a safetensors file is made of.
#[derive(Default)]
struct Tensors {
    list: Vec<(String, TensorInfo)>,
    length: usize,
    pieces: Vec<Piece>,
}
impl Tensors {
    fn add(&mut self, name: String, dtype: Dtype, shape: Vec<usize>, bytes: u64) -> Result<(), Failure> {
        let end = usize::try_from(bytes).ok().and_then(|bytes| self.length.checked_add(bytes));
        let end = end.ok_or_else(|| Failure::new(format!("{name} has more bytes than can be counted")))?;
        self.list.push((name, TensorInfo { dtype, shape, data_offsets: (self.length, end) }));
        self.length = end;
        Ok(())
    }
    /// A matrix of codes and scales.
    fn matrix(
        &mut self,
        name: &str,
        packing: Packing,
        extents: [usize; 2],
        from: (Format, Vec<Span>),
    ) -> Result<(), Failure> {
        let format = packing.format(extents)?;
        let [codes, scales] = packing.shapes(extents);
        self.add(format!("{name}{CODES}"), Dtype::I32, codes, format.planes()[0].1 as u64)?;
        self.add(format!("{name}{SCALES}"), Dtype::F16, scales, format.planes()[1].1 as u64)?;
        self.pieces.push(Piece::Repack(from.1, Box::new(Repack::plan(&from.0, &format)?)));
        Ok(())
    }
    /// The header, and the pieces.
    fn finish(self, packing: Packing, header: String) -> Result<Vec<Piece>, Failure> {
        let about = HashMap::from([("gguf".to_string(), header), ("packing".to_string(), packing.name().to_string())]);
        let metadata = Metadata::new(Some(about), self.list).map_err(|error| Failure::new(error.to_string()))?;
        let mut text = serde_json::to_vec(&metadata).map_err(|error| Failure::new(error.to_string()))?;
        text.resize(text.len().next_multiple_of(8), b' ');
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.append(&mut text);
        let mut pieces = vec![Piece::Raw(bytes)];
        pieces.extend(self.pieces);
        Ok(pieces)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// The rows and columns of a matrix of a GGUF file: elements side by side, and all others.
fn extents(tensor: &gguf::Tensor) -> Option<[usize; 2]> {
    let (k, others) = tensor.extents.split_first()?;
    let n = others.iter().try_fold(1_usize, |n, &extent| n.checked_mul(usize::try_from(extent).ok()?))?;
    Some([usize::try_from(*k).ok()?, n])
}

fn from_gguf(file: &mut File, length: u64, packing: Packing) -> Result<Vec<Piece>, Failure> {
    let (header, tensors) = gguf::read(file, length)?;
    if packing == Packing::Q4_0 {
        return Err(Failure::new("it is a GGUF file, and q4_0 is how one is packed: there is nothing to do"));
    }
    let mut out = Tensors::default();
    for tensor in tensors {
        let span = Span { first: tensor.first, bytes: tensor.bytes };
        match extents(&tensor).filter(|extents| tensor.kind == gguf::Q4_0 && !extents.contains(&0)) {
            Some(extents) => out.matrix(&tensor.name, packing, extents, (formats::q4_0(), vec![span]))?,
            None => {
                let dtype = match tensor.kind {
                    0 => Dtype::F32,
                    1 => Dtype::F16,
                    30 => Dtype::BF16,
                    _ => Dtype::U8,
                };
                let shape: Option<Vec<_>> = match dtype {
                    Dtype::U8 => usize::try_from(tensor.bytes).ok().map(|bytes| vec![bytes]),
                    _ => tensor.extents.iter().rev().map(|&extent| usize::try_from(extent).ok()).collect(),
                };
                let shape = shape.ok_or_else(|| Failure::new(format!("{} is too large", tensor.name)))?;
                out.add(tensor.name, dtype, shape, tensor.bytes)?;
                out.pieces.push(Piece::Copy(span));
            }
        }
    }
    out.finish(packing, hex(&header))
}

fn from_safetensors(file: &mut File, length: u64, packing: Packing) -> Result<Vec<Piece>, Failure> {
    let mut size = [0; 8];
    file.read_exact(&mut size)?;
    let size = u64::from_le_bytes(size).checked_add(8).filter(|&size| size <= length && size < 1 << 30);
    let size = size.ok_or_else(|| Failure::new(format!("its header is longer than its {length} bytes")))?;
    let mut header = vec![0; size as usize];
    file.seek(SeekFrom::Start(0))?;
    file.read_exact(&mut header)?;
    let metadata: Metadata = serde_json::from_slice(&header[8..]).map_err(|error| Failure::new(error.to_string()))?;
    let mut spans = Vec::new();
    for (name, info) in metadata.tensors() {
        let (first, end) = info.data_offsets;
        let bits = info.shape.iter().try_fold(info.dtype.bitsize(), |bits, &extent| bits.checked_mul(extent));
        if end < first || bits != (end - first).checked_mul(8) {
            return Err(Failure::new(format!("{name} lies at {first}..{end}, and its shape takes other bytes")));
        }
        spans.push((first, end));
    }
    spans.sort();
    let mut data = 0;
    for (first, end) in spans {
        if first != data {
            return Err(Failure::new(format!("the byte {} of its data is of no tensor, or of two", first.min(data))));
        }
        data = end;
    }
    if size.checked_add(data as u64) != Some(length) {
        return Err(Failure::new(format!(
            "its header announces {data} bytes behind {size}, and it has {length} in all"
        )));
    }
    let about = metadata.metadata().as_ref();
    let about = |key: &str| about.and_then(|about| about.get(key)).map(String::as_str);
    let old = match about("packing") {
        Some("nibbles") => Packing::Nibbles,
        Some("marlin") => Packing::Marlin,
        _ => return Err(Failure::new("its metadata names no packing that this command wrote")),
    };
    let tensors = metadata.tensors();
    let find = |name: String| match tensors.get(&name) {
        Some(info) => {
            let (first, end) = info.data_offsets;
            Ok((*info, Span { first: size + first as u64, bytes: (end - first) as u64 }))
        }
        None => Err(Failure::new(format!("there is no tensor {name}"))),
    };
    let matrix = |name: &str| -> Result<([usize; 2], Format, Vec<Span>), Failure> {
        let ((codes, first), (_, second)) = (find(format!("{name}{CODES}"))?, find(format!("{name}{SCALES}"))?);
        let extents = old.extents(&codes.shape).ok_or_else(|| Failure::new(format!("{name} is no matrix")))?;
        let format = old.format(extents)?;
        let planes = format.planes();
        if [first.bytes, second.bytes] != [planes[0].1 as u64, planes[1].1 as u64] {
            return Err(Failure::new(format!(
                "{name} has {} and {} bytes, and its shape other ones",
                first.bytes, second.bytes
            )));
        }
        Ok((extents, format, vec![first, second]))
    };
    let header = from_hex(about("gguf").unwrap_or_default());
    let header = header.ok_or_else(|| Failure::new("its metadata has no header of a GGUF file"))?;
    let (_, list) = gguf::parse(&header, u64::MAX)?;
    if packing == Packing::Q4_0 {
        let mut pieces = vec![Piece::Raw(header)];
        let mut order: Vec<_> = list.iter().collect();
        order.sort_by_key(|tensor| tensor.first);
        for tensor in order {
            pieces.push(Piece::PadTo(tensor.first));
            let span = if tensors.contains_key(&format!("{}{CODES}", tensor.name)) {
                let (extents, format, spans) = matrix(&tensor.name)?;
                if tensor.kind != gguf::Q4_0 || self::extents(tensor) != Some(extents) {
                    return Err(Failure::new(format!(
                        "{} is another matrix in the header of the GGUF file",
                        tensor.name
                    )));
                }
                pieces.push(Piece::Repack(spans, Box::new(Repack::plan(&format, &formats::q4_0())?)));
                continue;
            } else {
                find(tensor.name.clone())?.1
            };
            if span.bytes != tensor.bytes {
                let (name, bytes) = (&tensor.name, tensor.bytes);
                return Err(Failure::new(format!(
                    "{name} has {} bytes, and {bytes} in the header of the GGUF file",
                    span.bytes
                )));
            }
            pieces.push(Piece::Copy(span));
        }
        return Ok(pieces);
    }
    let mut out = Tensors::default();
    for tensor in &list {
        if tensors.contains_key(&format!("{}{CODES}", tensor.name)) {
            let (extents, format, spans) = matrix(&tensor.name)?;
            out.matrix(&tensor.name, packing, extents, (format, spans))?;
        } else {
            let (info, span) = find(tensor.name.clone())?;
            out.add(tensor.name.clone(), info.dtype, info.shape.clone(), span.bytes)?;
            out.pieces.push(Piece::Copy(span));
        }
    }
    out.finish(packing, hex(&header))
}

/// Writes the pieces beside `to`, and moves the file there when it is whole.
fn write(file: &mut File, pieces: &[Piece], to: &Path, bar: &ProgressBar) -> Result<(), Failure> {
    let mut name = to.file_name().ok_or_else(|| Failure::new("the file to write has no name"))?.to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = to.with_file_name(name);
    let written = fill(file, pieces, &part, bar).and_then(|()| Ok(fs::rename(&part, to)?));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}
fn fill(file: &mut File, pieces: &[Piece], part: &Path, bar: &ProgressBar) -> Result<(), Failure> {
    let mut out = BufWriter::new(File::create_new(part)?);
    let mut at = 0_u64;
    for piece in pieces {
        let bytes = match piece {
            Piece::Raw(bytes) => bytes.clone(),
            Piece::Copy(span) => read(file, &[*span])?,
            Piece::Repack(spans, plan) => plan.run(&read(file, spans)?)?,
            Piece::PadTo(place) => vec![0; place.saturating_sub(at) as usize],
        };
        out.write_all(&bytes)?;
        at += bytes.len() as u64;
        bar.inc(bytes.len() as u64);
    }
    out.into_inner().map_err(|error| error.into_error())?.sync_all()?;
    Ok(())
}
fn read(file: &mut File, spans: &[Span]) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    for span in spans {
        file.seek(SeekFrom::Start(span.first))?;
        let read = file.take(span.bytes).read_to_end(&mut bytes)?;
        if read as u64 != span.bytes {
            return Err(Failure::new(format!("{} bytes are missing at {}", span.bytes - read as u64, span.first)));
        }
    }
    Ok(bytes)
}

fn repack(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { from, to, packing, quiet } = arguments;
    let named = |failure: Failure| Failure(format!("{}: {}", from.display(), failure.0));
    let mut file = File::open(from).map_err(Failure::from).map_err(named)?;
    let length = file.metadata()?.len();
    let mut magic = [0; 4];
    file.read_exact(&mut magic).map_err(Failure::from).map_err(named)?;
    file.seek(SeekFrom::Start(0))?;
    let pieces = match &magic == b"GGUF" {
        true => from_gguf(&mut file, length, *packing),
        false => from_safetensors(&mut file, length, *packing),
    };
    let bar = if *quiet { ProgressBar::hidden() } else { ProgressBar::new(length) };
    let style = ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}");
    bar.set_style(style.unwrap_or(ProgressStyle::default_bar()));
    let written = pieces.map_err(named).and_then(|pieces| write(&mut file, &pieces, to, &bar));
    bar.finish_and_clear();
    written
}

fn main() -> ExitCode {
    match repack(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(why)) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
