//! MMA and copy instructions by CuTe's names: which thread has which element of A, B and C.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use layout_algebra::prelude::*;
use layout_cli::AnyLayout;
use layout_instructions::{Instruction, Visitor, amd, intel, mma as nvidia};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::classes::{Layout, hash_of};
use crate::convert::{count, maybe};
use crate::error::{Answer, Error};
use crate::picture::Picture;

/// A row of the catalogue.
#[derive(Clone)]
struct Row {
    ptx: &'static str,
    /// M, N, K.
    sides: [usize; 3],
    threads: String,
    operands: [String; 3],
}

struct Catalogue(BTreeMap<&'static str, Row>);

impl Visitor for Catalogue {
    fn visit_instruction<I: Instruction>(&mut self) {
        let operands = [
            format!("{:#}", I::ALayout::default()),
            format!("{:#}", I::BLayout::default()),
            format!("{:#}", I::CLayout::default()),
        ];
        let threads = format!("{:#}", I::ThrId::default());
        self.0.insert(I::NAME, Row { ptx: I::PTX, sides: [I::M, I::N, I::K], threads, operands });
    }
}

fn catalogue() -> &'static BTreeMap<&'static str, Row> {
    static ALL: OnceLock<BTreeMap<&'static str, Row>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Catalogue(BTreeMap::new());
        nvidia::visit_all(&mut all);
        nvidia::gmma::visit_all(&mut all);
        amd::visit_all(&mut all);
        intel::visit_all(&mut all);
        all.0
    })
}

/// A matrix multiply-accumulate instruction, tiled over atoms side by side: D(m,n) = C(m,n) + sum
/// over k of A(m,k) * B(n,k).
///
/// ``a``, ``b`` and ``c`` are thread-value layouts, (thread, value) to the index of an element,
/// ``m + M * k``, ``n + N * k`` and ``m + M * n``. ``mma(name)`` makes one.
///
/// >>> mma("SM80_16x8x16_F32F16F16F32_TN").c
/// Layout('((4,8),(2,2)):((32,1),(16,8))')
#[pyclass(frozen, module = "layout_algebra")]
pub(crate) struct Mma {
    name: &'static str,
    row: &'static Row,
    atoms: [usize; 3],
}

impl Mma {
    /// Which of M, N, K (0, 1, 2) are the sides of an operand: A is M x K, B is N x K, C is M x N.
    fn sides(operand: usize) -> (usize, usize) {
        [(0, 2), (1, 2), (0, 1)][operand]
    }

    fn number(operand: &str) -> Answer<usize> {
        let number = ["A", "B", "C"].iter().position(|name| name.eq_ignore_ascii_case(operand));
        number.ok_or_else(|| {
            Error::Reason("parse", format!("an operand is A, B or C, and this is {operand}"))
        })
    }

    fn tile(&self, operand: usize) -> (usize, usize) {
        let (down, across) = Mma::sides(operand);
        let side = |side: usize| self.row.sides[side] * self.atoms[side];
        (side(down), side(across))
    }

    /// The thread-value layout of all atoms: the atom's layout in the larger tile, with the atoms
    /// as a second mode of threads.
    fn operand(&self, operand: usize) -> Answer<DynLayout> {
        let atom: DynLayout = self.row.operands[operand].parse()?;
        if self.atoms == [1, 1, 1] {
            return Ok(atom);
        }
        let ((down, across), (rows, _)) = (Mma::sides(operand), self.tile(operand));
        let place = DynLayout::new((self.row.sides[down], self.row.sides[across]), (1, rows))?
            .compose(&atom)?;
        let mut strides = [0; 3];
        (strides[down], strides[across]) = (self.row.sides[down], self.row.sides[across] * rows);
        let [m, n, k] = self.atoms;
        let atoms = DynLayout::new((m, n, k), (strides[0], strides[1], strides[2]))?;
        Ok(DynLayout::tuple(&[DynLayout::tuple(&[place.mode(0)?, atoms])?, place.mode(1)?])?)
    }

    fn layout(&self, operand: usize) -> Answer<Layout> {
        Ok(Layout(AnyLayout::Plain(self.operand(operand)?)))
    }
}

#[pymethods]
impl Mma {
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// The instruction's name in PTX, or how other instructions make it up.
    ///
    /// >>> mma("SM80_16x8x16_F32F16F16F32_TN").ptx
    /// 'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32'
    #[getter]
    fn ptx(&self) -> &'static str {
        self.row.ptx
    }

    /// (M, N, K) of all atoms together.
    ///
    /// >>> mma("SM80_16x8x16_F32F16F16F32_TN", atoms=(2, 2, 1)).shape
    /// (32, 16, 16)
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        let side = |side: usize| self.row.sides[side] * self.atoms[side];
        (side(0), side(1), side(2))
    }

    /// The threads of one atom: index in the atom to index in the block.
    ///
    /// >>> mma("SM70_8x8x4_F32F16F16F32_TN").threads
    /// Layout('(4,2):(1,16)')
    #[getter]
    fn threads(&self) -> Answer<Layout> {
        Ok(Layout(AnyLayout::Plain(self.row.threads.parse()?)))
    }

    #[getter]
    fn a(&self) -> Answer<Layout> {
        self.layout(0)
    }

    #[getter]
    fn b(&self) -> Answer<Layout> {
        self.layout(1)
    }

    #[getter]
    fn c(&self) -> Answer<Layout> {
        self.layout(2)
    }

    /// The thread and value that hold the element at a row and a column of an operand, ``"A"`` (m,
    /// k), ``"B"`` (n, k) or ``"C"`` (m, n); the first thread, if several hold it.
    ///
    /// >>> m = mma("SM80_16x8x16_F32F16F16F32_TN")
    /// >>> m.thread_of("C", 3, 5), m.c(*m.thread_of("C", 3, 5)) == 3 + 16 * 5
    /// ((14, 1), True)
    fn thread_of(
        &self,
        operand: &str,
        row: &Bound<'_, PyAny>,
        column: &Bound<'_, PyAny>,
    ) -> Answer<(usize, usize)> {
        let number = Mma::number(operand)?;
        let ((rows, columns), (row, column)) = (self.tile(number), (count(row)?, count(column)?));
        if row >= rows || column >= columns {
            let tile = format!("{} is {rows} x {columns}", operand.to_ascii_uppercase());
            return Err(Error::Reason(
                "bounds",
                format!("there is no element ({row},{column}): {tile}"),
            ));
        }
        let (layout, element) = (self.operand(number)?, row + rows * column);
        let held = (0..layout.size()).find(|&index| layout.index(index) == element);
        let nobody =
            || Error::Reason("bounds", format!("no thread holds the element ({row},{column})"));
        let (index, threads) = (held.ok_or_else(nobody)?, layout.mode(0)?.size());
        Ok((index % threads, index / threads))
    }

    /// Which thread has which element of an operand, ``"A"``, ``"B"`` or ``"C"``; ``thread`` is
    /// outlined.
    ///
    /// >>> print(mma("SM80_16x8x16_F32F16F16F32_TN").draw("C", thread=6)) # doctest: +ELLIPSIS
    /// ((4,8),(2,2)):((32,1),(16,8)) in (16,8)...
    #[pyo3(signature = (operand = "C", thread = None))]
    fn draw(
        &self,
        operand: &str,
        #[pyo3(from_py_with = maybe)] thread: Option<usize>,
    ) -> Answer<Picture> {
        let number = Mma::number(operand)?;
        let (rows, columns) = self.tile(number);
        Picture::of_threads(&self.operand(number)?, &DynShape::from((rows, columns)), thread)
    }

    /// The pictures of A, B and C.
    fn _repr_html_(&self) -> Answer<String> {
        let svgs = ["A", "B", "C"].into_iter().map(|name| {
            let svg = self.draw(name, None)?.svg(None);
            Ok(format!(
                "<figure style=\"display:inline-block\"><figcaption>{name}</figcaption>{svg}</\
                 figure>"
            ))
        });
        Ok(svgs.collect::<Answer<Vec<_>>>()?.concat())
    }

    fn __repr__(&self) -> String {
        match self.atoms {
            [1, 1, 1] => format!("mma('{}')", self.name),
            [m, n, k] => format!("mma('{}', ({m}, {n}, {k}))", self.name),
        }
    }

    fn __eq__(&self, other: &Mma) -> bool {
        (other.name, other.atoms) == (self.name, self.atoms)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(self.name, self.atoms))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (py.import("layout_algebra")?.getattr("mma")?, (self.name, self.atoms)).into_pyobject(py)
    }
}

/// The instruction with this name, CuTe's or PTX's, in upper or lower case. ``atoms`` repeats it
/// along M, N and K, each copy with threads of its own.
///
/// >>> m = mma("SM80_16x8x16_F32F16F16F32_TN")
/// >>> m.shape, m.a
/// ((16, 8, 16), Layout('((4,8),(2,2,2)):((32,1),(16,8,128))'))
/// >>> mma("SM80_16x8x16_F32F16F16F32_TN", atoms=(2, 1, 1)).c.size
/// 256
#[pyfunction]
#[pyo3(signature = (name, atoms = [1, 1, 1]), text_signature = "(name, atoms=(1, 1, 1))")]
pub(crate) fn mma(name: &str, atoms: [usize; 3]) -> Answer<Mma> {
    let is_it = |(key, row): &(&&'static str, &'static Row)| {
        key.eq_ignore_ascii_case(name) || row.ptx.eq_ignore_ascii_case(name)
    };
    let Some((name, row)) = catalogue().iter().find(is_it) else {
        let shared =
            |key: &&&str| key.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
        let near = catalogue().keys().max_by_key(shared).copied().unwrap_or_default();
        return Err(Error::Reason(
            "parse",
            format!("there is no instruction {name}; the nearest of mma_names() is {near}"),
        ));
    };
    let mma = Mma { name, row, atoms };
    let most = 1 << 20;
    let sizes = atoms.iter().try_fold(1usize, |product, atoms| product.checked_mul(*atoms));
    if !sizes.is_some_and(|size| (1..=most).contains(&size)) {
        return Err(Error::Reason(
            "bounds",
            format!("an mma has 1 to {most} atoms, and not {atoms:?}"),
        ));
    }
    Ok(mma)
}

/// The names of all instructions of the catalogue.
///
/// >>> len(mma_names()), mma_names()[0]
/// (432, 'SM61_DP2A')
#[pyfunction]
pub(crate) fn mma_names() -> Vec<&'static str> {
    catalogue().keys().copied().collect()
}

/// A copy instruction: ``source`` and ``destination`` are thread-value layouts to the index of a
/// bit; ``upcast(16)`` gives the layouts for elements of 16 bits. ``copy_atom(name)`` makes one.
///
/// >>> c = copy_atom("SM75_U32x4_LDSM_N")
/// >>> c.source, c.destination.upcast(16)
/// (Layout('(32,128):(128,1)'), Layout('(32,(2,4)):(2,(1,64))'))
#[pyclass(frozen, module = "layout_algebra")]
pub(crate) struct CopyAtom {
    name: String,
    ptx: String,
    layouts: [DynLayout; 3],
}

/// The layouts of a copy atom for bytes, converted to bits.
fn in_bits(texts: [String; 3]) -> Result<[DynLayout; 3], LayoutError> {
    let [threads, source, destination] = texts.map(|text| text.parse::<DynLayout>());
    Ok([threads?, source?.downcast(8)?, destination?.downcast(8)?])
}

/// The copy atoms: `ldmatrix`, `stmatrix` and `cp.async`, with their names in PTX.
fn copies() -> Result<Vec<CopyAtom>, LayoutError> {
    use layout_algebra::atom::CopyAtom as Atom;
    use layout_instructions::copy::*;
    let mut all = Vec::new();
    macro_rules! matrices {
        ($ptx:literal: $($name:ident $how:literal)*) => {$(
            let ptx = concat!($ptx, ".sync.aligned.m8n8.", $how, ".shared.b16").into();
            let layouts = in_bits([
                format!("{:#}", <$name<u8> as Atom>::ThrId::default()),
                format!("{:#}", <$name<u8> as Atom>::SrcLayout::default()),
                format!("{:#}", <$name<u8> as Atom>::DstLayout::default()),
            ])?;
            all.push(CopyAtom { name: stringify!($name).into(), ptx, layouts });
        )*};
    }
    matrices! { "ldmatrix":
        SM75_U32x1_LDSM_N "x1" SM75_U32x2_LDSM_N "x2" SM75_U32x4_LDSM_N "x4"
        SM75_U16x2_LDSM_T "x1.trans" SM75_U16x4_LDSM_T "x2.trans" SM75_U16x8_LDSM_T "x4.trans"
    }
    matrices! { "stmatrix":
        SM90_U32x1_STSM_N "x1" SM90_U32x2_STSM_N "x2" SM90_U32x4_STSM_N "x4"
        SM90_U16x2_STSM_T "x1.trans" SM90_U16x4_STSM_T "x2.trans" SM90_U16x8_STSM_T "x4.trans"
    }
    for (cache, short, bytes) in [
        ("CACHEALWAYS", "ca", 4),
        ("CACHEALWAYS", "ca", 8),
        ("CACHEALWAYS", "ca", 16),
        ("CACHEGLOBAL", "cg", 16),
    ] {
        let line = DynLayout::left(&DynShape::from((1, 8 * bytes)));
        all.push(CopyAtom {
            name: format!("SM80_CP_ASYNC_{cache}_{bytes}B"),
            ptx: format!("cp.async.{short}.shared.global, {bytes}"),
            layouts: [DynLayout::left(&DynShape::from(1)), line.clone(), line],
        });
    }
    Ok(all)
}

#[pymethods]
impl CopyAtom {
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The instruction's name in PTX.
    ///
    /// >>> copy_atom("SM90_U32x2_STSM_N").ptx
    /// 'stmatrix.sync.aligned.m8n8.x2.shared.b16'
    #[getter]
    fn ptx(&self) -> &str {
        &self.ptx
    }

    #[getter]
    fn threads(&self) -> Layout {
        self.layouts[0].clone().into()
    }

    #[getter]
    fn source(&self) -> Layout {
        self.layouts[1].clone().into()
    }

    #[getter]
    fn destination(&self) -> Layout {
        self.layouts[2].clone().into()
    }

    fn __repr__(&self) -> String {
        format!("copy_atom('{}')", self.name)
    }
}

/// The copy instruction with this name, CuTe's or PTX's, in upper or lower case.
///
/// >>> copy_atom("ldmatrix.sync.aligned.m8n8.x4.shared.b16")
/// copy_atom('SM75_U32x4_LDSM_N')
#[pyfunction]
pub(crate) fn copy_atom(name: &str) -> Answer<CopyAtom> {
    let is_it = |atom: &CopyAtom| {
        atom.name.eq_ignore_ascii_case(name) || atom.ptx.eq_ignore_ascii_case(name)
    };
    copies()?.into_iter().find(is_it).ok_or_else(|| {
        let sentence =
            format!("there is no copy {name}; there are {}", copy_atom_names().join(", "));
        Error::Reason("parse", sentence)
    })
}

/// The names of all copy instructions.
///
/// >>> len(copy_atom_names())
/// 16
#[pyfunction]
pub(crate) fn copy_atom_names() -> Vec<String> {
    copies().map_or_else(|_| Vec::new(), |all| all.into_iter().map(|atom| atom.name).collect())
}
