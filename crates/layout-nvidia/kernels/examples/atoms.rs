//! Every instruction of this device, each in a warp: the results equal the CPU's, which computes
//! them from the layouts. `PTX=ptx87 ./build atoms` makes the program.

#[path = "../../../layout-instructions/tests/sample/mod.rs"]
mod sample;

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream};
use generic_array::GenericArray;
use generic_array::sequence::GenericSequence;
use layout_algebra::atom::{MmaAtom, Values, copy};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::{Global, Shared};
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia::{Atom, host};
use layout_nvidia_kernels::atoms::{self, Kernels};
use sample::{Numbers, number, word};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const THREADS: usize = 32;
const ROUNDS: usize = 4;

struct Device {
    stream: Arc<CudaStream>,
    program: Program,
    right: usize,
    wrong: Vec<String>,
}
/// The values of D of one thread.
type DOf<I> = Values<<I as MmaAtom>::C, <I as MmaAtom>::CLayout>;

impl Device {
    fn judge(&mut self, name: &str, outcome: Outcome<bool>) {
        match outcome {
            Ok(true) => self.right += 1,
            Ok(false) => self.wrong.push(format!("{name}: another answer than the CPU's")),
            Err(error) => self.wrong.push(format!("{name}: {error}")),
        }
    }
    /// The results of an instruction's kernel for these values.
    fn multiply<K, I: Atom>(
        &self,
        a: &[Values<<I as MmaAtom>::A, <I as MmaAtom>::ALayout>],
        b: &[Values<<I as MmaAtom>::B, <I as MmaAtom>::BLayout>],
        c: &[Values<<I as MmaAtom>::C, <I as MmaAtom>::CLayout>],
    ) -> Outcome<Vec<DOf<I>>>
    where
        K: Kernel<Parameters = (*const u8, *const u8, *const u8, *mut u8)>,
    {
        let (a, b) = (self.stream.clone_htod(bytes(a))?, self.stream.clone_htod(bytes(b))?);
        let mut d = self.stream.clone_htod(&vec![0xff_u8; size_of_val(c)])?;
        let c = self.stream.clone_htod(bytes(c))?;
        let kernel = self.program.get_kernel::<K>()?;
        // SAFETY: there is memory for the values of 32 threads.
        unsafe { kernel.launch(&self.stream, &Launch::of_kernel::<K>(), (&a, &b, &c, &mut d))? };
        let d = self.stream.clone_dtoh(&d)?;
        // SAFETY: as many bytes as values take, which are numbers: any bits are one.
        Ok((0..THREADS)
            .map(|t| unsafe { d.as_ptr().cast::<DOf<I>>().add(t).read_unaligned() })
            .collect())
    }
    /// The results of a copy's kernel.
    fn copy<K: Kernel<Parameters = (*const u16, *mut u16)>>(
        &self,
        from: &[u16],
        written: usize,
    ) -> Outcome<Vec<u16>> {
        let (from, mut to) = (
            self.stream.clone_htod(from)?,
            self.stream.clone_htod(&vec![7_u16; written * THREADS])?,
        );
        let kernel = self.program.get_kernel::<K>()?;
        // SAFETY: there is memory for what 32 threads read and write.
        unsafe { kernel.launch(&self.stream, &Launch::of_kernel::<K>(), (&from, &mut to))? };
        Ok(self.stream.clone_dtoh(&to)?)
    }
}
/// Numbers as bytes.
fn bytes<T>(values: &[T]) -> &[u8] {
    // SAFETY: the values of atoms are numbers without gaps.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

impl Kernels for Device {
    fn visit_kernel<K, I: Atom>(&mut self)
    where
        K: Kernel<Parameters = (*const u8, *const u8, *const u8, *mut u8)>,
    {
        for round in 0..ROUNDS {
            let mut numbers = Numbers::new(&format!("{} {round}", I::NAME));
            let a: Vec<_> =
                (0..THREADS).map(|_| GenericArray::generate(|_| word(&mut numbers))).collect();
            let b: Vec<_> =
                (0..THREADS).map(|_| GenericArray::generate(|_| word(&mut numbers))).collect();
            let c: Vec<_> =
                (0..THREADS).map(|_| GenericArray::generate(|_| numbers.sum())).collect();
            let expected =
                host::run_threads(THREADS, |t| I::default().fma(&a[t], &b[t], c[t].clone()));
            let outcome = self.multiply::<K, I>(&a, &b, &c).map(|d| {
                let all = d.iter().flatten().zip(expected.iter().flatten());
                all.into_iter().all(|(d, expected)| number(*d) == number(*expected))
            });
            self.judge(I::NAME, outcome);
        }
    }
}

/// Copies of each kind, computed by the same atoms on the CPU: the elements that threads read, and
/// their results.
macro_rules! copies {
    ($device:ident; $($kernel:ident, $atom:expr, $reads:literal => $writes:literal: $from:ident $to:ident;)*) => { $({
        let from: Vec<u16> = (0..$reads * THREADS).map(|i| i as u16).collect();
        let expected: Vec<_> = host::run_threads(THREADS, |t| {
            let mine = Tensor::fixed(std::array::from_fn::<u16, $reads, _>(|i| from[$reads * t + i]), layout!($reads));
            let mut moved = Tensor::fixed([u16::MAX; $writes], layout!($writes));
            let atom: fn(usize) -> _ = $atom;
            copies!(@ atom(t), mine $from, moved $to);
            moved.into_storage()
        });
        let outcome = $device.copy::<atoms::$kernel>(&from, $writes).map(|got| got == expected.concat());
        $device.judge(stringify!($kernel), outcome);
    })* };
    (@ $atom:expr, $mine:ident Registers, $moved:ident Registers) => { copy(&$atom, &$mine, &mut $moved).unwrap() };
    (@ $atom:expr, $mine:ident Registers, $moved:ident Shared) => {
        copy(&$atom, &$mine, &mut $moved.in_space_mut::<Shared>()).unwrap()
    };
    (@ $atom:expr, $mine:ident $from:ident, $moved:ident Registers) => {
        copy(&$atom, &$mine.in_space::<$from>(), &mut $moved).unwrap()
    };
    (@ $atom:expr, $mine:ident $from:ident, $moved:ident Shared) => {
        copy(&$atom, &$mine.in_space::<$from>(), &mut $moved.in_space_mut::<Shared>()).unwrap()
    };
}

fn main() -> Outcome {
    let context = CudaContext::new(0)?;
    println!("{}", context.name()?);
    let folder = std::env::var_os("LAYOUT_NVIDIA_PTX").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/programs")),
        PathBuf::from,
    );
    let program = Program::load_file(&context, folder.join("atoms.ptx"))?;
    let mut device =
        Device { stream: context.default_stream(), program, right: 0, wrong: Vec::new() };
    atoms::visit_kernels(&mut device);
    use layout_nvidia::copy::*;
    copies! { device;
        SM75_U32x1_LDSM_N, |_| SM75_U32x1_LDSM_N::new(), 8 => 2: Shared Registers;
        SM75_U32x2_LDSM_N, |_| SM75_U32x2_LDSM_N::new(), 8 => 4: Shared Registers;
        SM75_U32x4_LDSM_N, |_| SM75_U32x4_LDSM_N::new(), 8 => 8: Shared Registers;
        SM75_U16x2_LDSM_T, |_| SM75_U16x2_LDSM_T::new(), 8 => 2: Shared Registers;
        SM75_U16x4_LDSM_T, |_| SM75_U16x4_LDSM_T::new(), 8 => 4: Shared Registers;
        SM75_U16x8_LDSM_T, |_| SM75_U16x8_LDSM_T::new(), 8 => 8: Shared Registers;
        SM90_U32x1_STSM_N, |_| SM90_U32x1_STSM_N::new(), 2 => 8: Registers Shared;
        SM90_U32x2_STSM_N, |_| SM90_U32x2_STSM_N::new(), 4 => 8: Registers Shared;
        SM90_U32x4_STSM_N, |_| SM90_U32x4_STSM_N::new(), 8 => 8: Registers Shared;
        SM90_U16x2_STSM_T, |_| SM90_U16x2_STSM_T::new(), 2 => 8: Registers Shared;
        SM90_U16x4_STSM_T, |_| SM90_U16x4_STSM_T::new(), 4 => 8: Registers Shared;
        SM90_U16x8_STSM_T, |_| SM90_U16x8_STSM_T::new(), 8 => 8: Registers Shared;
        SM75_U32x1_MOVM_T, |_| SM75_U32x1_MOVM_T::new(), 2 => 2: Registers Registers;
        SM50_Shuffle_U32_2x2Trans_XOR1, |_| SM50_Shuffle_U32_2x2Trans_XOR1::new(), 4 => 4: Registers Registers;
        SM50_Shuffle_U32_2x2Trans_XOR4, |_| SM50_Shuffle_U32_2x2Trans_XOR4::new(), 4 => 4: Registers Registers;
        SM80_CP_ASYNC_CACHEALWAYS_4, |_| SM80_CP_ASYNC_CACHEALWAYS::<u32, _>::new(), 8 => 8: Global Shared;
        SM80_CP_ASYNC_CACHEALWAYS_8, |_| SM80_CP_ASYNC_CACHEALWAYS::<u64, _>::new(), 8 => 8: Global Shared;
        SM80_CP_ASYNC_CACHEALWAYS_16, |_| SM80_CP_ASYNC_CACHEALWAYS::<u128, _>::new(), 8 => 8: Global Shared;
        SM80_CP_ASYNC_CACHEGLOBAL_16, |_| SM80_CP_ASYNC_CACHEGLOBAL::<u128, _>::new(), 8 => 8: Global Shared;
        SM80_CP_ASYNC_CACHEALWAYS_ZFILL_8,
            |t| SM80_CP_ASYNC_CACHEALWAYS_ZFILL::<u64, _>::new().with_predicate(t % 3 != 0), 8 => 8: Global Shared;
        SM80_CP_ASYNC_CACHEGLOBAL_ZFILL_16,
            |t| SM80_CP_ASYNC_CACHEGLOBAL_ZFILL::<u128, _>::new().with_predicate(t % 3 != 0), 8 => 8: Global Shared;
    }
    println!(
        "{} answers are the CPU's ({ROUNDS} of each instruction that multiplies)",
        device.right
    );
    match device.wrong.as_slice() {
        [] => Ok(()),
        wrong => Err(wrong.join("\n").into()),
    }
}
