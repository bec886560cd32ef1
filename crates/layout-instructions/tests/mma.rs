//! The multiply instructions: their rows agree with CuTe's, and they compute the product.

use layout_algebra::atom::{MmaAtom, gemm, make_tiled_mma};
use layout_algebra::notation;
use layout_algebra::prelude::*;
use layout_instructions::{Elements, Instruction, Visitor, host, mma};

mod sample;
use sample::{Numbers, elements, expected, number, word};

/// Layouts of CuTe's headers that differ from the instruction and leave out elements of the
/// operand: the layout there, and the layout here.
const MISPRINTS: [(&str, &str, &str); 1] = [
    // The two strides of PTX's figure for `.s4` and `.u4`, m16n8k32: a thread has 8 contiguous
    // elements along K, not 4.
    ("SM80_16x8x32_S32", "((4,8),8):((32,1),8)", "((4,8),8):((64,1),8)"),
];

struct Cute {
    rows: Vec<Vec<&'static str>>,
    seen: usize,
}
impl Visitor for Cute {
    fn visit_instruction<I: Instruction>(&mut self) {
        self.seen += 1;
        let row = self
            .rows
            .iter()
            .find(|row| row[0] == I::NAME)
            .unwrap_or_else(|| panic!("CuTe has no {}", I::NAME));
        let plain = |layout: &str| {
            let layout = layout.replace("((16,8))", "(16,8)").replace("(8)", "8"); // tuples of one
            let misprint = MISPRINTS
                .iter()
                .find(|(name, there, _)| row[0].starts_with(name) && *there == layout);
            misprint.map_or(layout.clone(), |(_, _, here)| here.to_string())
        };
        assert_eq!(row[1], format!("({},{},{})", I::M, I::N, I::K));
        assert_eq!(row[1], format!("{:#}", notation(I::ShapeMnk::default())));
        assert_eq!(row[2], format!("{:#}", I::ThrId::default()), "{}", I::NAME);
        assert_eq!(plain(row[3]), format!("{:#}", I::ALayout::default()), "A of {}", I::NAME);
        assert_eq!(plain(row[4]), format!("{:#}", I::BLayout::default()), "B of {}", I::NAME);
        assert_eq!(plain(row[5]), format!("{:#}", I::CLayout::default()), "C of {}", I::NAME);
        // `dp2a` multiplies 16 bits by 8, and PTX has only `.lo` and `.hi`.
        if row[6] != "-" && I::NAME != "SM61_DP2A" {
            assert_eq!(row[6], I::PTX);
        }
    }
}

#[test]
fn the_rows_are_those_of_cute() {
    let rows = include_str!("cute.txt").lines().filter(|line| !line.starts_with('#'));
    let mut cute = Cute { rows: rows.map(|row| row.split(' ').collect()).collect(), seen: 0 };
    mma::visit_all(&mut cute);
    assert_eq!((cute.seen, cute.rows.len()), (91, 91));
}

/// Products of the threads of a block, of tensors twice as large as the instruction in each mode: 2
/// x 2 atoms, two along K.
macro_rules! tiled_products {
    ($atom:ident: $($m:literal x $n:literal x $k:literal: $($name:ident)*;)*) => {$($(
        #[test]
        #[allow(non_snake_case, reason = "CuTe's name")]
        fn $name() -> Result<(), LayoutError> {
            type Atom = $atom<mma::$name>;
            type A = <Atom as MmaAtom>::A;
            type B = <Atom as MmaAtom>::B;
            type C = <Atom as MmaAtom>::C;
            let mut numbers = Numbers::new(stringify!($name));
            let a = Tensor::fixed(std::array::from_fn::<A, { $m * $k }, _>(|_| word(&mut numbers)),
                layout!(($m, $k)));
            let b = Tensor::fixed(std::array::from_fn::<B, { $n * $k }, _>(|_| word(&mut numbers)),
                layout!(($n, $k)));
            let c = Tensor::fixed(std::array::from_fn::<C, { $m * $n }, _>(|_| numbers.sum()),
                layout!(($m, $n)));

            let mma = make_tiled_mma(Atom::default(), layout!((2, 2, 1)), tiler!(_, _, _));
            let sums = host::run_threads(mma.size(), |thread| {
                let thread = mma.get_slice(thread).unwrap();
                let mut sum = thread.partition_fragment_c(&c);
                sum.copy_from(&thread.partition_c(&c)?)?;
                gemm(&mma, &thread.partition_a(&a)?, &thread.partition_b(&b)?, &mut sum);
                Ok::<_, LayoutError>(sum)
            });
            let mut d = Tensor::fixed([C::default(); { $m * $n }], layout!(($m, $n)));
            for (thread, sum) in sums.into_iter().enumerate() {
                mma.get_slice(thread).unwrap().partition_c_mut(&mut d)?.copy_from(&sum?)?;
            }

            for (m, n) in (0..$m).flat_map(|m| (0..$n).map(move |n| (m, n))) {
                let row = (0..$k)
                    .flat_map(|k| elements(a[(m, k)]))
                    .zip((0..$k).flat_map(|k| elements(b[(n, k)])));
                let row: Vec<_> = row.collect();
                let atoms = row.chunks(<mma::$name as Instruction>::K);
                let sum = atoms.fold(number(c[(m, n)]), |sum, row| {
                    expected::<C>(stringify!($name), sum, row)
                });
                assert_eq!(number(d[(m, n)]), sum, "({m}, {n})");
            }
            Ok(())
        }
    )*)*};
}
type Itself<I> = I;
tiled_products! { Itself:
    2 x 2 x 8:
        SM61_DP4A;
    2 x 2 x 4:
        SM61_DP2A;
    16 x 16 x 8:
        SM70_8x8x4_F16F16F16F16_TN SM70_8x8x4_F16F16F16F16_NT SM70_8x8x4_F16F16F16F16_NN
        SM70_8x8x4_F16F16F16F16_TT SM70_8x8x4_F32F16F16F32_TN SM70_8x8x4_F32F16F16F32_NT
        SM70_8x8x4_F32F16F16F32_NN SM70_8x8x4_F32F16F16F32_TT SM80_8x8x4_F64F64F64F64_TN
        SM80_8x8x4_C64C64C64C64_TN SM80_8x8x4_GC64C64C64GC64_TN SM80_8x8x32_S32S4S4S32_TN
        SM80_8x8x32_S32S4S4S32_TN_SATURATE SM80_8x8x32_S32S4U4S32_TN
        SM80_8x8x32_S32S4U4S32_TN_SATURATE SM80_8x8x32_S32U4S4S32_TN
        SM80_8x8x32_S32U4S4S32_TN_SATURATE SM80_8x8x32_S32U4U4S32_TN
        SM80_8x8x32_S32U4U4S32_TN_SATURATE SM80_8x8x128_S32U1U1S32_TN_XORPOPC
        SM80_8x8x128_S32U1U1S32_TN_ANDPOPC;
    32 x 16 x 16:
        SM75_16x8x8_F32F16F16F32_TN SM80_16x8x8_F16F16F16F16_TN SM80_16x8x8_F32F16F16F32_TN
        SM80_16x8x8_F32BF16BF16F32_TN SM80_16x8x8_F32TF32TF32F32_TN SM80_16x8x64_S32S4S4S32_TN
        SM80_16x8x64_S32S4S4S32_TN_SATURATE SM80_16x8x64_S32S4U4S32_TN
        SM80_16x8x64_S32S4U4S32_TN_SATURATE SM80_16x8x64_S32U4S4S32_TN
        SM80_16x8x64_S32U4S4S32_TN_SATURATE SM80_16x8x64_S32U4U4S32_TN
        SM80_16x8x64_S32U4U4S32_TN_SATURATE SM80_16x8x256_S32U1U1S32_TN_XORPOPC
        SM80_16x8x256_S32U1U1S32_TN_ANDPOPC SM90_16x8x8_F64F64F64F64_TN SM90_16x8x8_C64C64C64C64_TN;
    16 x 16 x 32:
        SM75_8x8x16_S32S8S8S32_TN SM80_8x8x16_S32S8S8S32_TN SM80_8x8x16_S32S8S8S32_TN_SATURATE
        SM80_8x8x16_S32S8U8S32_TN SM80_8x8x16_S32S8U8S32_TN_SATURATE SM80_8x8x16_S32U8S8S32_TN
        SM80_8x8x16_S32U8S8S32_TN_SATURATE SM80_8x8x16_S32U8U8S32_TN
        SM80_8x8x16_S32U8U8S32_TN_SATURATE;
    32 x 16 x 32:
        SM80_16x8x16_F16F16F16F16_TN SM80_16x8x16_F32F16F16F32_TN SM80_16x8x16_F32BF16BF16F32_TN
        SM80_16x8x16_S32S8S8S32_TN SM80_16x8x16_S32S8S8S32_TN_SATURATE SM80_16x8x16_S32S8U8S32_TN
        SM80_16x8x16_S32S8U8S32_TN_SATURATE SM80_16x8x16_S32U8S8S32_TN
        SM80_16x8x16_S32U8S8S32_TN_SATURATE SM80_16x8x16_S32U8U8S32_TN
        SM80_16x8x16_S32U8U8S32_TN_SATURATE SM90_16x8x16_F64F64F64F64_TN
        SM90_16x8x16_C64C64C64C64_TN;
    32 x 16 x 8:
        SM80_16x8x4_F32TF32TF32F32_TN SM80_16x8x32_S32S4S4S32_TN SM80_16x8x32_S32S4S4S32_TN_SATURATE
        SM80_16x8x32_S32S4U4S32_TN SM80_16x8x32_S32S4U4S32_TN_SATURATE SM80_16x8x32_S32U4S4S32_TN
        SM80_16x8x32_S32U4S4S32_TN_SATURATE SM80_16x8x32_S32U4U4S32_TN
        SM80_16x8x32_S32U4U4S32_TN_SATURATE SM80_16x8x128_S32U1U1S32_TN_XORPOPC
        SM80_16x8x128_S32U1U1S32_TN_ANDPOPC SM90_16x8x4_F64F64F64F64_TN SM90_16x8x4_C64C64C64C64_TN;
    32 x 16 x 64:
        SM80_16x8x32_S32S8S8S32_TN SM80_16x8x32_S32S8S8S32_TN_SATURATE SM80_16x8x32_S32S8U8S32_TN
        SM80_16x8x32_S32S8U8S32_TN_SATURATE SM80_16x8x32_S32U8S8S32_TN
        SM80_16x8x32_S32U8S8S32_TN_SATURATE SM80_16x8x32_S32U8U8S32_TN
        SM80_16x8x32_S32U8U8S32_TN_SATURATE SM89_16x8x32_F32E4M3E4M3F32_TN
        SM89_16x8x32_F32E4M3E5M2F32_TN SM89_16x8x32_F32E5M2E5M2F32_TN SM89_16x8x32_F32E5M2E4M3F32_TN
        SM89_16x8x32_F16E4M3E4M3F16_TN SM89_16x8x32_F16E4M3E5M2F16_TN SM89_16x8x32_F16E5M2E5M2F16_TN
        SM89_16x8x32_F16E5M2E4M3F16_TN;
}

/// The same with single elements, for the instructions whose registers hold several.
mod of_elements {
    use super::*;

    tiled_products! { Elements:
        16 x 16 x 64:
            SM80_8x8x32_S32S4S4S32_TN SM80_8x8x32_S32S4S4S32_TN_SATURATE SM80_8x8x32_S32S4U4S32_TN
            SM80_8x8x32_S32S4U4S32_TN_SATURATE SM80_8x8x32_S32U4S4S32_TN
            SM80_8x8x32_S32U4S4S32_TN_SATURATE SM80_8x8x32_S32U4U4S32_TN
            SM80_8x8x32_S32U4U4S32_TN_SATURATE;
        32 x 16 x 64:
            SM80_16x8x32_S32S4S4S32_TN SM80_16x8x32_S32S4S4S32_TN_SATURATE
            SM80_16x8x32_S32S4U4S32_TN SM80_16x8x32_S32S4U4S32_TN_SATURATE
            SM80_16x8x32_S32U4S4S32_TN SM80_16x8x32_S32U4S4S32_TN_SATURATE
            SM80_16x8x32_S32U4U4S32_TN SM80_16x8x32_S32U4U4S32_TN_SATURATE;
        32 x 16 x 128:
            SM80_16x8x64_S32S4S4S32_TN SM80_16x8x64_S32S4S4S32_TN_SATURATE
            SM80_16x8x64_S32S4U4S32_TN SM80_16x8x64_S32S4U4S32_TN_SATURATE
            SM80_16x8x64_S32U4S4S32_TN SM80_16x8x64_S32U4S4S32_TN_SATURATE
            SM80_16x8x64_S32U4U4S32_TN SM80_16x8x64_S32U4U4S32_TN_SATURATE;
        32 x 16 x 512:
            SM80_16x8x256_S32U1U1S32_TN_XORPOPC SM80_16x8x256_S32U1U1S32_TN_ANDPOPC;
        16 x 16 x 256:
            SM80_8x8x128_S32U1U1S32_TN_XORPOPC SM80_8x8x128_S32U1U1S32_TN_ANDPOPC;
        32 x 16 x 256:
            SM80_16x8x128_S32U1U1S32_TN_XORPOPC SM80_16x8x128_S32U1U1S32_TN_ANDPOPC;
    }
}
