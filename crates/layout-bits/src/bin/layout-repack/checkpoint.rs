//! A safetensors file that does not come from a GGUF file: weights of GPTQ, AWQ, Marlin or
//! compressed-tensors, and scale factors.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::rc::Rc;

use layout_bits::safetensors::{Entry, Header, SafetensorsFile};
use layout_bits::{Format, Repack, formats, safetensors};

use crate::Failure;
use crate::model::{Change, Changed, Order, Packing, Piece, Span, Tensors, from_hex, read, to_hex};
use crate::output::change;

/// The metadata's keys for the header of the original file, and for the order of the scale factors.
const ORIGINAL: &str = "checkpoint";
const SCALES: &str = "scales";

/// A tensor to write, and where its bytes come from.
struct Made {
    of: String,
    name: String,
    dtype: String,
    shape: Vec<usize>,
    bytes: u64,
    piece: Piece,
}

/// The names of a matrix's tensors, and the tensors that replace them.
struct Repacked {
    planes: Vec<String>,
    made: Vec<Made>,
}

pub struct Checkpoint {
    file: SafetensorsFile,
    /// The header of the original file, which may be this one.
    original: Vec<u8>,
    remarks: Vec<String>,
}

/// How a matrix is packed: the packing, the bits of a code, the extents, and the rows of a group.
#[derive(Clone, Copy)]
struct Matrix {
    packing: Packing,
    bits: usize,
    k: usize,
    n: usize,
    group: usize,
}
impl Matrix {
    /// The packing of a format that was recognised by the names of its planes; `None` for other
    /// formats.
    fn of(format: &Format, shape: &[usize]) -> Option<Self> {
        let packing = match format.name() {
            "gptq" => Packing::Gptq,
            "awq" => Packing::Awq,
            "marlin" => Packing::Marlin,
            "marlin with zeros" => Packing::MarlinZeros,
            "compressed-tensors" => Packing::Nibbles,
            _ => return None,
        };
        let &[n, k] = shape else { return None };
        let (bits, scales) = (format.fields()[0].width(), format.planes().last()?.1);
        let group = k.checked_div(scales / 2 / n)?;
        Some(Matrix { packing, bits, k, n, group })
    }
    fn packed(self, packing: Packing) -> Self {
        Matrix { packing, ..self }
    }
    /// The format, with scales of 16 bits of any kind.
    fn format(self) -> Result<Format, Failure> {
        let Matrix { packing, bits, k, n, group } = self;
        if bits != 4 && packing != Packing::Gptq && packing != Packing::Nibbles {
            let name = packing.name();
            return Err(Failure(format!(
                "its numbers have {bits} bits, and those of {name} have 4"
            )));
        }
        Ok(match packing {
            Packing::Gptq => formats::gptq_of(bits, k, n, group)?,
            Packing::Nibbles => formats::compressed_tensors_of(bits, k, n, group)?,
            Packing::Awq => formats::awq(k, n, group)?,
            Packing::MarlinZeros => formats::marlin_with_zeros(k, n, group)?,
            _ => formats::marlin(k, n, group)?,
        })
    }
    /// The tensors that are its planes: the suffix of the name, whether it consists of words, the
    /// shape.
    fn planes(self) -> Vec<(&'static str, bool, Vec<usize>)> {
        let Matrix { packing, bits, k, n, group } = self;
        let each = 32 / bits;
        match packing {
            Packing::Gptq => vec![
                (".qweight", true, vec![k / each, n]),
                (".qzeros", true, vec![k / group, n / each]),
                (".scales", false, vec![k / group, n]),
            ],
            Packing::Awq => vec![
                (".qweight", true, vec![k, n / 8]),
                (".qzeros", true, vec![k / group, n / 8]),
                (".scales", false, vec![k / group, n]),
            ],
            Packing::MarlinZeros => vec![
                (".B", true, vec![k / 16, 2 * n]),
                (".zeros", true, vec![k / group, n / 8]),
                (".s", false, vec![k / group, n]),
            ],
            Packing::Nibbles => vec![
                (".weight_packed", true, vec![n, k / each]),
                (".weight_scale", false, vec![n, k / group]),
            ],
            _ => vec![(".B", true, vec![k / 16, 2 * n]), (".s", false, vec![k / group, n])],
        }
    }
}

impl Checkpoint {
    /// `None` if the file is a GGUF file, comes from one, or is no safetensors file.
    pub fn read(from: &mut File) -> Result<Option<Self>, Failure> {
        let mut magic = Vec::new();
        from.by_ref().take(8).read_to_end(&mut magic)?;
        from.seek(SeekFrom::Start(0))?;
        if magic.starts_with(b"GGUF") || magic.len() < 8 {
            return Ok(None);
        }
        let file = safetensors::of(from.try_clone()?)?;
        let header = file.header();
        if ["gguf", "packing"].iter().any(|key| header.metadata(key).is_some()) {
            from.seek(SeekFrom::Start(0))?;
            return Ok(None);
        }
        let original = match header.metadata(ORIGINAL) {
            None => read(from, &[Span { first: 0, bytes: header.length() }])?,
            Some(text) => from_hex(text).ok_or_else(|| {
                Failure(format!(
                    "the {ORIGINAL} of its metadata is no header that this command wrote"
                ))
            })?,
        };
        Ok(Some(Checkpoint { file, original, remarks: Vec::new() }))
    }

    /// The pieces to write for this packing, and remarks for the user.
    pub fn pieces(
        mut self,
        packing: Packing,
        skip_unfit: bool,
    ) -> Result<(Vec<Piece>, Vec<String>), Failure> {
        let made = match packing {
            Packing::Q4_0 => {
                return Err(Failure::new("it was made of no GGUF file, and becomes none"));
            }
            Packing::BlockedScales | Packing::DeepGemmScales | Packing::PlainScales => {
                self.scales(packing, skip_unfit)?
            }
            _ => self.weights(packing, skip_unfit)?,
        };
        let remarks = std::mem::take(&mut self.remarks);
        if let Some(pieces) = self.as_it_was(&made) {
            // The pieces of the original file, in its order.
            let mut made: HashMap<_, _> =
                made.into_iter().map(|tensor| (tensor.name.clone(), tensor.piece)).collect();
            let taken = pieces.iter().filter_map(|name| made.remove(name)).collect::<Vec<_>>();
            let mut all = vec![Piece::Raw(self.original)];
            all.extend(taken);
            return Ok((all, remarks));
        }
        let mut out = Tensors::default();
        for Made { of, name, dtype, shape, bytes, piece } in made {
            out.add(&of, name, &dtype, &shape, bytes)?;
            out.pieces.push(piece);
        }
        let own = self.file.header().texts().filter(|(key, _)| ![ORIGINAL, SCALES].contains(key));
        let mut about: BTreeMap<_, _> = own.map(|(key, text)| (key, text.to_string())).collect();
        about.insert(ORIGINAL, to_hex(&self.original));
        let scales = match packing {
            Packing::BlockedScales => Some("blocked"),
            Packing::DeepGemmScales => Some("deep-gemm"),
            Packing::PlainScales => None,
            _ => self.file.header().metadata(SCALES),
        };
        if let Some(scales) = scales {
            about.insert(SCALES, scales.to_string());
        }
        Ok((out.finish(&about)?, remarks))
    }

    /// The names of the original file's tensors, in its order, if `made` is exactly these tensors.
    fn as_it_was(&self, made: &[Made]) -> Option<Vec<String>> {
        self.file.header().metadata(ORIGINAL)?;
        let data = made.iter().try_fold(0_u64, |sum, tensor| sum.checked_add(tensor.bytes))?;
        let length = data.checked_add(self.original.len() as u64)?;
        let header = Header::read(&self.original[..], length).ok()?;
        let by_name: HashMap<_, _> = made.iter().map(|tensor| (&*tensor.name, tensor)).collect();
        let same = |entry: &Entry| {
            by_name.get(&*entry.name).is_some_and(|tensor| {
                let bytes = entry.bytes.end - entry.bytes.start;
                (&tensor.dtype, &tensor.shape, tensor.bytes) == (&entry.dtype, &entry.shape, bytes)
            })
        };
        let all = header.length() == self.original.len() as u64
            && header.tensors().len() == made.len()
            && by_name.len() == made.len()
            && header.tensors().iter().all(same);
        all.then(|| header.tensors().iter().map(|entry| entry.name.clone()).collect())
    }

    fn copied(entry: &Entry) -> Made {
        let bytes = entry.bytes.end - entry.bytes.start;
        Made {
            of: entry.name.clone(),
            name: entry.name.clone(),
            dtype: entry.dtype.clone(),
            shape: entry.shape.clone(),
            bytes,
            piece: Piece::Copy(Span { first: entry.bytes.start, bytes }),
        }
    }

    /// A tensor that the packing does not fit: a remark that it is copied, or a failure.
    fn unfit(&mut self, name: &str, why: &str, skip_unfit: bool) -> Result<(), Failure> {
        if skip_unfit {
            self.remarks.push(format!("{name} is copied as it is: {why}"));
            return Ok(());
        }
        Err(Failure(format!("{name}: {why}; --skip-unfit copies such tensors as they are")))
    }

    /// The weights in another packing, and all other tensors.
    fn weights(&mut self, packing: Packing, skip_unfit: bool) -> Result<Vec<Made>, Failure> {
        let tensors = self.file.header().tensors().to_vec();
        let names: HashSet<_> = tensors.iter().map(|entry| &*entry.name).collect();
        let (mut planes, mut matrices) = (HashSet::new(), HashMap::new());
        for entry in &tensors {
            let of = [(".qweight", ".scales"), (".B", ".s"), (".weight_packed", ".weight_scale")];
            let base = of.iter().find_map(|(codes, scales)| {
                let base = entry.name.strip_suffix(codes)?;
                names.contains(&*format!("{base}{scales}")).then_some(base)
            });
            let Some(base) = base else { continue };
            match self.matrix(base, packing, skip_unfit) {
                Ok(None) => {}
                Ok(Some(repacked)) => {
                    planes.extend(repacked.planes);
                    matrices.insert(entry.name.clone(), repacked.made);
                }
                Err(Failure(why)) => {
                    let why = why.strip_prefix(&format!("{base}: ")).unwrap_or(&why);
                    self.unfit(base, why, skip_unfit)?;
                }
            }
        }
        if matrices.is_empty() {
            return Err(Failure(format!(
                "it has no matrix of GPTQ, AWQ, Marlin or compressed-tensors that would be \
                 another as {}",
                packing.name()
            )));
        }
        let mut made = Vec::new();
        for entry in &tensors {
            match matrices.remove(&entry.name) {
                Some(of_matrix) => made.extend(of_matrix),
                None if planes.contains(&entry.name) => {}
                None => made.push(Self::copied(entry)),
            }
        }
        Ok(made)
    }

    /// The tensors of a matrix, and their replacements; `None` if the matrix has this packing
    /// already, or if the name belongs to no matrix.
    ///
    /// # Errors
    /// If the matrix does not fit the packing. With `skip_unfit` also if a number has no code in
    /// the packing, which is otherwise found while repacking.
    fn matrix(
        &self,
        base: &str,
        packing: Packing,
        skip_unfit: bool,
    ) -> Result<Option<Repacked>, Failure> {
        let (format, shape, planes) = self.file.planes(base)?;
        let Some(matrix) = Matrix::of(&format, &shape) else { return Ok(None) };
        if matrix.packing == packing {
            return Ok(None);
        }
        let there = matrix.packed(packing);
        let (from, to) = (matrix.format()?, there.format()?);
        let plan = Repack::plan(&from, &to)?;
        // Decides which matrices are copied before anything is written.
        if skip_unfit {
            plan.check(self.file.tensor(base)?.bytes())?;
        }
        let span = |entry: &&Entry| {
            let first = entry.bytes.start;
            Span { first, bytes: entry.bytes.end - first }
        };
        let changed = Rc::new(Changed {
            name: base.into(),
            from: planes.iter().map(span).collect(),
            change: Change::Repack(plan),
        });
        let scale = planes.last().map_or("F16", |entry| &entry.dtype);
        let word = planes.first().map_or("I32", |entry| &entry.dtype);
        let (mut first, mut made) = (0, Vec::new());
        for ((suffix, words, shape), (_, bytes)) in there.planes().into_iter().zip(to.planes()) {
            made.push(Made {
                of: base.into(),
                name: format!("{base}{suffix}"),
                dtype: if words { word.into() } else { scale.into() },
                shape,
                bytes: *bytes as u64,
                piece: Piece::Changed(changed.clone(), first..first + bytes),
            });
            first += bytes;
        }
        let planes = planes.iter().map(|entry| entry.name.clone()).collect();
        Ok(Some(Repacked { planes, made }))
    }

    /// The scale factors in another order, and all other tensors.
    fn scales(&mut self, packing: Packing, skip_unfit: bool) -> Result<Vec<Made>, Failure> {
        let plain = packing == Packing::PlainScales;
        if let (Some(order), false) = (self.file.header().metadata(SCALES), plain) {
            return Err(Failure(format!(
                "its metadata says that its scale factors are {order}; plain-scales puts them row \
                 after row"
            )));
        }
        let tensors = self.file.header().tensors().to_vec();
        let by_name: HashMap<_, _> = tensors.iter().map(|entry| (&*entry.name, entry)).collect();
        let (mut made, mut found) = (Vec::new(), 0);
        for entry in &tensors {
            let of_blocks = entry.name.strip_suffix("_scale_inv");
            let of_vectors = entry.name.strip_suffix("_scale");
            let (base, blocks) = match packing {
                Packing::BlockedScales => (of_vectors, false),
                Packing::DeepGemmScales => (of_blocks, true),
                _ => (of_blocks.or(of_vectors), of_blocks.is_some()),
            };
            let codes = base.and_then(|base| {
                by_name.get(base).or_else(|| by_name.get(&*format!("{base}_packed"))).copied()
            });
            let kinds: &[&str] = match (blocks, plain) {
                (false, _) => &["U8", "F8_E4M3", "F8_E8M0"],
                (true, false) => &["F32"],
                (true, true) => &["I32"],
            };
            let is_one = kinds.contains(&&*entry.dtype) && entry.shape.len() > 1;
            let Some(codes) = codes.filter(|_| is_one) else {
                made.push(Self::copied(entry));
                continue;
            };
            let factors = if blocks { of_blocks_of(codes) } else { of_vectors_of(codes, entry) };
            let changed = factors.and_then(|factors| factors.there(entry, codes, !plain));
            // Decides which scale factors are copied before anything is written.
            let changed = changed.and_then(|changed| {
                if skip_unfit {
                    let bytes = self.file.bytes(&entry.name).map_err(|error| error.to_string())?;
                    change(&bytes, &changed.0).map_err(|Failure(why)| why)?;
                }
                Ok(changed)
            });
            match changed {
                Ok((change, dtype, shape)) => {
                    found += 1;
                    let first = entry.bytes.start;
                    let from = vec![Span { first, bytes: entry.bytes.end - first }];
                    let name = entry.name.clone();
                    let size = if dtype.ends_with("32") { 4 } else { 1 };
                    let bytes = shape.iter().product::<usize>() * size;
                    let changed = Rc::new(Changed { name: name.clone(), from, change });
                    made.push(Made {
                        of: name.clone(),
                        name,
                        dtype,
                        shape,
                        bytes: bytes as u64,
                        piece: Piece::Changed(changed, 0..bytes),
                    });
                }
                Err(why) => {
                    self.unfit(&entry.name, &why, skip_unfit)?;
                    made.push(Self::copied(entry));
                }
            }
        }
        if found == 0 {
            return Err(Failure(format!(
                "it has no scale factors for {}: of vectors in a tensor NAME_scale of bytes, of \
                 blocks in one NAME_scale_inv, beside NAME or NAME_packed",
                packing.name()
            )));
        }
        Ok(made)
    }
}

/// The scale factors of a tensor: rows and columns, an order, and the shapes and types in row-major
/// order and in that order.
struct Factors {
    matrix: [usize; 2],
    order: Order,
    shapes: [Vec<usize>; 2],
    dtypes: [String; 2],
}
impl Factors {
    /// The change of a tensor, its type and shape afterwards.
    ///
    /// # Errors
    /// If the tensor has not the shape that these scale factors have.
    fn there(
        self,
        scales: &Entry,
        codes: &Entry,
        there: bool,
    ) -> Result<(Change, String, Vec<usize>), String> {
        let Factors { matrix, order, shapes: [plain, ordered], dtypes: [dtype, ordered_dtype] } =
            self;
        let (from, to, dtype) =
            if there { (plain, ordered, ordered_dtype) } else { (ordered, plain, dtype) };
        let counted = to.iter().try_fold(4_usize, |count, &extent| count.checked_mul(extent));
        if scales.shape != from || counted.is_none_or(|count| count > isize::MAX as usize) {
            let (name, shape) = (&codes.name, &codes.shape);
            let needs =
                format!("{name} of {} and the shape {shape:?} has {from:?} of them", codes.dtype);
            return Err(format!("its shape is {:?}, and {needs}", scales.shape));
        }
        Ok((Change::Scales { matrix, order, there }, dtype, to))
    }
}

/// Scale factors of vectors: of 16 elements if they are E4m3, otherwise of 32.
///
/// # Errors
/// If a row of the codes is not a whole number of vectors.
fn of_vectors_of(codes: &Entry, scales: &Entry) -> Result<Factors, String> {
    let vector = if scales.dtype == "F8_E4M3" { 16 } else { 32 };
    let (batches, &[rows, bytes]) =
        codes.shape.split_last_chunk::<2>().ok_or("it is of no matrix")?;
    // A byte has two floats of 4 bits, or one of 8.
    let elements = match &*codes.dtype {
        "U8" | "I8" => bytes.checked_mul(2),
        "F8_E4M3" | "F8_E5M2" => Some(bytes),
        dtype => return Err(format!("{} is of {dtype}, and not of bytes", codes.name)),
    };
    let elements = elements.ok_or("its elements are more than can be counted")?;
    if !elements.is_multiple_of(vector) || elements == 0 || rows == 0 {
        let name = &codes.name;
        return Err(format!(
            "the {elements} elements of a row of {name} are no groups of {vector}"
        ));
    }
    let columns = elements / vector;
    let shape = |rows: usize, columns: usize| [batches, &[rows, columns]].concat();
    let padded =
        rows.checked_next_multiple_of(128).ok_or("its rows are more than can be counted")?;
    Ok(Factors {
        matrix: [rows, columns],
        order: Order::Blocked,
        shapes: [shape(rows, columns), shape(padded, columns.next_multiple_of(4))],
        dtypes: [scales.dtype.clone(), scales.dtype.clone()],
    })
}

/// Scale factors of blocks of 128 x 128, of which the last ones may be smaller.
///
/// # Errors
/// If the codes are no floats of 8 bits in a matrix.
fn of_blocks_of(codes: &Entry) -> Result<Factors, String> {
    const BLOCK: usize = 128;
    let (batches, &[rows, elements]) =
        codes.shape.split_last_chunk::<2>().ok_or("it is of no matrix")?;
    if !matches!(&*codes.dtype, "F8_E4M3" | "F8_E5M2") || rows == 0 || elements == 0 {
        let (name, shape) = (&codes.name, &codes.shape);
        return Err(format!(
            "{name} is {} of the shape {shape:?}, and no floats of 8 bits",
            codes.dtype
        ));
    }
    let shape = |a: usize, b: usize| [batches, &[a, b]].concat();
    let columns = elements.div_ceil(BLOCK);
    let padded = rows.checked_next_multiple_of(4).ok_or("its rows are more than can be counted")?;
    Ok(Factors {
        matrix: [rows, columns],
        order: Order::DeepGemm(BLOCK),
        shapes: [shape(rows.div_ceil(BLOCK), columns), shape(columns.div_ceil(4), padded)],
        dtypes: ["F32".into(), "I32".into()],
    })
}
