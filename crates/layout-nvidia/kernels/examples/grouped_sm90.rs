//! Products of groups of any number of rows in one launch, beside cuBLAS: one product after the
//! other, on four streams, and its own grouped product.

mod bench;

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use bench::product::{Element, OperandMajor, Product};
use bench::{Bench, Outcome, Work, accept, numbers, relative};
use cudarc::cublas::sys::{
    cublasComputeType_t, cublasGemmAlgo_t, cublasGemmGroupedBatchedEx, cublasOperation_t,
};
use cudarc::cublas::{CudaBlas, result};
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DevicePtrMut};
use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_nvidia::hopper::{Map, MapElement, MapMut, TensorMap};
use layout_nvidia::launch::{Argument, ArgumentList, Kernel, Launch, Program};
use layout_nvidia_kernels::grouped_few::grouped_few;
use layout_nvidia_kernels::grouped_sm90::{BoxAB, BoxC, StagesA, StagesB, StagesC, grouped_sm90};

/// Groups, rows of all of them, columns of the result and depth: both halves of the experts of
/// Mixtral and DeepSeek.
const MODELS: [(usize, usize, usize, usize); 6] = [
    (8, 8192, 14336, 4096),
    (8, 8192, 4096, 14336),
    (64, 16384, 2048, 7168),
    (128, 4096, 2048, 7168),
    (128, 16384, 2048, 7168),
    (128, 16384, 7168, 2048),
];

fn main() -> Outcome {
    println!(
        "grouped_sm90: stages of A {:#}, of B {:#}, parts of C {:#}",
        StagesA::default(),
        StagesB::default(),
        StagesC::default()
    );
    let bench = Bench::new()?;
    let program = bench.program("grouped_sm90")?;
    ragged::<f16, grouped_sm90<f16>, Eight<f16>, Sixteen<f16>, Wide<f16>>(&bench, &program, 4e-4)?;
    ragged::<bf16, grouped_sm90<bf16>, Eight<bf16>, Sixteen<bf16>, Wide<bf16>>(
        &bench, &program, 3e-3,
    )?;
    if !bench.check {
        for (groups, rows, n, k) in
            MODELS.into_iter().filter(|&(_, rows, n, k)| bench.wants((rows, n, k)))
        {
            for (name, share) in [("even", even as fn(usize) -> f64), ("Zipf", zipf)] {
                let case = Case { rows: dealt(groups, rows, share), n, k };
                beside_cublas::<bf16, grouped_sm90<bf16>, Eight<bf16>, Sixteen<bf16>, Wide<bf16>>(
                    &bench, &program, &case, name, 3e-3,
                )?;
            }
        }
        // Few rows, also groups of one row; and odd sizes, which no kernel was tuned for.
        for (groups, rows, n, k) in [
            (1, 1, 8192, 8192),
            (1, 16, 8192, 8192),
            (8, 16, 14336, 4096),
            (1, 5, 4104, 14336),
            (5, 901, 3000, 4104),
        ] {
            let case = Case { rows: dealt(groups, rows, even), n, k };
            beside_cublas::<bf16, grouped_sm90<bf16>, Eight<bf16>, Sixteen<bf16>, Wide<bf16>>(
                &bench, &program, &case, "even", 3e-3,
            )?;
        }
        let case = Case { rows: dealt(8, 8192, even), n: 14336, k: 4096 };
        beside_cublas::<f16, grouped_sm90<f16>, Eight<f16>, Sixteen<f16>, Wide<f16>>(
            &bench, &program, &case, "even", 4e-4,
        )?;
    }
    Ok(())
}

/// The relative probability of a row for a group.
fn even(_: usize) -> f64 {
    1.0
}
fn zipf(group: usize) -> f64 {
    1.0 / (group + 1) as f64
}
/// Distributes rows randomly to groups.
fn dealt(groups: usize, rows: usize, share: fn(usize) -> f64) -> Vec<usize> {
    let whole: f64 = (0..groups).map(share).sum();
    let mut of = vec![0; groups];
    for number in numbers(rows, 7) {
        let mut left = f64::midpoint(f64::from(number), 1.0) * whole;
        let group = (0..groups - 1).find(|group| {
            left -= share(*group);
            left < 0.0
        });
        // Large groups are at any position among the others.
        of[group.unwrap_or(groups - 1) * 37 % groups] += 1;
    }
    of
}

/// The rows of each group, and the common sizes.
struct Case {
    rows: Vec<usize>,
    n: usize,
    k: usize,
}
impl Case {
    /// The first row of each group, and the end of the last group.
    fn offsets(&self) -> Vec<usize> {
        let ends = self.rows.iter().scan(0, |end, rows| {
            *end += rows;
            Some(*end)
        });
        std::iter::once(0).chain(ends).collect()
    }
    fn total(&self) -> usize {
        self.rows.iter().sum()
    }
    fn flops(&self) -> usize {
        2 * self.total() * self.n * self.k
    }
    /// Group `g` of B is these numbers of one random row.
    fn of_b(&self, group: usize) -> std::ops::Range<usize> {
        1024 * group..1024 * group + self.n * self.k
    }
}

/// A case in the device's memory.
struct Operands<'b, T> {
    bench: &'b Bench,
    case: &'b Case,
    x: Vec<T>,
    y: Vec<T>,
    a: CudaSlice<T>,
    b: CudaSlice<T>,
    c: CudaSlice<T>,
}
impl<'b, T: Element> Operands<'b, T> {
    /// C has more rows than needed, and is filled with a marker.
    fn new(bench: &'b Bench, case: &'b Case) -> Outcome<Self> {
        let (n, k, groups) = (case.n, case.k, case.rows.len());
        let random =
            |count, seed| -> Vec<T> { numbers(count, seed).into_iter().map(T::of).collect() };
        let (x, y) =
            (random(case.total().max(1) * k, 5), random(case.of_b(groups.max(1) - 1).end, 6));
        let (a, row) = (bench.upload(&x)?, bench.upload(&y)?);
        // SAFETY: all of it is written before it is read.
        let mut b = unsafe { bench.stream.alloc::<T>(groups.max(1) * n * k)? };
        for group in 0..groups {
            let mut here = b.slice_mut(group * n * k..(group + 1) * n * k);
            bench.stream.memcpy_dtod(&row.slice(case.of_b(group)), &mut here)?;
        }
        let c = bench.upload(&vec![T::of(f32::NAN); (case.total() + 256) * n])?;
        Ok(Operands { bench, case, x, y, a, b, c })
    }
    fn poison(&mut self) -> Outcome {
        Ok(self.bench.stream.memcpy_htod(&vec![T::of(f32::NAN); self.c.len()], &mut self.c)?)
    }
    /// One number of C in float64.
    fn exact(&self, group: usize, row: usize, column: usize) -> f64 {
        let k = self.case.k;
        let (a, b) = (&self.x[row * k..][..k], &self.y[self.case.of_b(group)][column * k..][..k]);
        a.iter().zip(b).map(|(a, b)| a.exact() * b.exact()).sum()
    }
}

/// The parameters of the kernel for any groups.
type Parameters<T> = (
    u32,
    u32,
    u32,
    u32,
    *const u32,
    Map<T, BoxAB, 3>,
    Map<T, BoxAB, 3>,
    MapMut<T, BoxC>,
    *mut T,
    *mut f32,
    *mut u32,
);

/// The pointer to the memory of a map that the same launch is given.
struct OfMap(u64);
// SAFETY: the map's memory, which the launch has by the map, lent to be written.
unsafe impl<T> Argument<*mut T> for OfMap {
    fn push_argument<'a>(&'a mut self, list: &mut ArgumentList<'a>) {
        list.push_word(self.0);
    }
}
/// Those of the kernel for few rows.
type Few<T> = (u32, u32, u32, u32, *const u32, *const T, *const T, *mut T);
/// Of 8 rows at a time, of 16, and of 16 by 32 columns.
type Eight<T> = grouped_few<T, 8, 1, 4>;
type Sixteen<T> = grouped_few<T, 16, 1, 3>;
type Wide<T> = grouped_few<T, 16, 2, 2>;
/// So many rows of all groups are few: more of them take longer than B takes to be read.
const FEW: usize = 16;

/// A launch of the first groups, as many as its argument says. Of groups without a row nothing is
/// launched.
type Groupwise<'a> = Box<dyn FnMut(usize) -> Outcome + 'a>;

/// By the kernel for few rows.
fn few<'a, T: Element, F: Kernel<Parameters = Few<T>> + 'static>(
    program: &Program,
    of: &'a mut Operands<'_, T>,
) -> Outcome<Groupwise<'a>> {
    let kernel = program.get_kernel::<F>()?;
    let (bench, n, k) = (of.bench, u32::try_from(of.case.n)?, u32::try_from(of.case.k)?);
    let rows: Vec<u32> =
        of.case.offsets().into_iter().map(u32::try_from).collect::<Result<_, _>>()?;
    let offsets = bench.upload(&rows)?;
    let blocks = 2 * bench.processors()?;
    let launch =
        Launch::of_kernel::<F>().with_blocks(blocks as usize).programmatic_dependent_launch();
    let (a, b, c) = (&of.a, &of.b, &mut of.c);
    Ok(Box::new(move |groups: usize| {
        if rows[groups] == 0 {
            return Ok(());
        }
        let arguments = (u32::try_from(groups)?, n, k, blocks, &offsets, a, b, &mut *c);
        // SAFETY: the matrices have the rows that the offsets say.
        unsafe { kernel.launch(&bench.stream, &launch, arguments)? };
        Ok(())
    }))
}
/// By the kernel for any.
fn launcher<'a, T, K>(program: &Program, of: &'a mut Operands<'_, T>) -> Outcome<Groupwise<'a>>
where
    T: Element + MapElement,
    K: Kernel<Parameters = Parameters<T>> + 'static,
{
    let kernel = program.get_kernel::<K>()?;
    let (bench, case) = (of.bench, of.case);
    let (stream, groups, total, n, k) =
        (&bench.stream, case.rows.len(), case.total(), case.n, case.k);
    if total == 0 {
        return Ok(Box::new(|_| Ok(())));
    }
    let rows: Vec<u32> = case.offsets().into_iter().map(u32::try_from).collect::<Result<_, _>>()?;
    let offsets = bench.upload(&rows)?;
    // Each 128 rows of A below one another.
    let of_a =
        layout!((total.min(128), k, total.saturating_sub(127).max(1)):(k, 1, k)).to_dynamic();
    let ma = TensorMap::<T, BoxAB, 3>::new(stream, &of.a, &of_a)?;
    let of_b = layout!((n, k, groups):(k, 1, n * k)).to_dynamic();
    let mb = TensorMap::<T, BoxAB, 3>::new(stream, &of.b, &of_b)?;
    // All rows that are there: the kernel keeps to those of its groups.
    let of_c = layout!((total + 256, n):(n, 1)).to_dynamic();
    let clusters = bench.processors()? / 2;
    let launch = Launch::of_kernel::<K>().with_blocks(2 * clusters as usize);
    let (n, depth) = (u32::try_from(n)?, u32::try_from(k.div_ceil(64))?);
    // What clusters leave to one another of tiles that are cut along K.
    let mut left = bench.upload(&vec![f32::NAN; 65536 * clusters as usize])?;
    let mut flags = bench.upload(&vec![0_u32; 4 * clusters as usize])?;
    let c = &mut of.c;
    Ok(Box::new(move |groups: usize| {
        if rows[groups] == 0 {
            return Ok(());
        }
        let groups = u32::try_from(groups)?;
        let mut mc = TensorMap::<T, BoxC>::new(stream, &mut *c, &of_c)?;
        let pointer = OfMap(mc.device_address());
        let arguments = (
            groups, n, depth, clusters, &offsets, &ma, &mb, &mut mc, pointer, &mut left, &mut flags,
        );
        // SAFETY: the maps are those of the matrices, which have the rows that the offsets say.
        unsafe { kernel.launch(stream, &launch, arguments)? };
        Ok(())
    }))
}

/// What makes a launch.
type Launcher<T> = for<'a> fn(&Program, &'a mut Operands<'_, T>) -> Outcome<Groupwise<'a>>;

/// Every number, and of the first so many groups no row beyond them.
fn ragged<T, K, F, G, H>(bench: &Bench, program: &Program, most: f64) -> Outcome
where
    T: Element + MapElement,
    K: Kernel<Parameters = Parameters<T>> + 'static,
    F: Kernel<Parameters = Few<T>> + 'static,
    G: Kernel<Parameters = Few<T>> + 'static,
    H: Kernel<Parameters = Few<T>> + 'static,
{
    println!("{}: {} bytes of shared memory", K::NAME, K::SHARED);
    let cases = [
        Case { rows: vec![0, 1, 63, 64, 65, 127, 128, 129, 0, 0, 300, 7], n: 520, k: 200 },
        Case { rows: vec![512, 512], n: 512, k: 64 },
        Case { rows: vec![0, 0, 5, 0], n: 1032, k: 392 },
        Case { rows: vec![33; 70], n: 256, k: 128 },
        // No rows; no groups.
        Case { rows: vec![0; 3], n: 256, k: 128 },
        Case { rows: vec![], n: 256, k: 128 },
        // Tiles that are cut along K.
        Case { rows: vec![3, 0, 130], n: 600, k: 4104 },
    ];
    for case in &cases {
        let (n, k, offsets) = (case.n, case.k, case.offsets());
        let mut of = Operands::<T>::new(bench, case)?;
        let mut exact = Vec::new();
        for (group, rows) in case.rows.iter().enumerate() {
            // C is row-major: column-major it is its transpose, the product of B and A.
            let product =
                Product { m: n, n: *rows, k, a: OperandMajor::KMajor, b: OperandMajor::KMajor };
            if *rows > 0 {
                exact.extend(product.exact(
                    &of.y[case.of_b(group)],
                    &of.x[offsets[group] * k..offsets[group + 1] * k],
                ));
            }
        }
        for (name, launch) in [
            (K::NAME, launcher::<T, K> as Launcher<T>),
            (F::NAME, few::<T, F>),
            (G::NAME, few::<T, G>),
            (H::NAME, few::<T, H>),
        ] {
            let mut worst = 0.0_f64;
            // Sixteen prefixes at most, the whole among them; four where tiles are many.
            let every = case.rows.len().div_ceil(if name == K::NAME { 16 } else { 4 }).max(1);
            for groups in (0..=case.rows.len()).rev().step_by(every) {
                of.poison()?;
                launch(program, &mut of)?(groups)?;
                let computed = bench.download(&of.c)?;
                let (there, beyond) = computed.split_at(offsets[groups] * n);
                if let Some(written) = beyond.iter().position(|x| !x.exact().is_nan()) {
                    let row = offsets[groups] + written / n;
                    return Err(format!("{name}: {groups} groups, and row {row} is written").into());
                }
                if !there.is_empty() {
                    worst =
                        worst.max(relative(there.iter().map(|x| x.exact()), exact.iter().copied()));
                }
            }
            println!("{name} {:?} rows x {n} x {k}: the error is {worst:.1e}", case.rows);
            accept(name, worst, most)?;
        }
    }
    Ok(())
}

fn beside_cublas<T, K, F, G, H>(
    bench: &Bench,
    program: &Program,
    case: &Case,
    name: &str,
    most: f64,
) -> Outcome
where
    T: Element + MapElement,
    K: Kernel<Parameters = Parameters<T>> + 'static,
    F: Kernel<Parameters = Few<T>> + 'static,
    G: Kernel<Parameters = Few<T>> + 'static,
    H: Kernel<Parameters = Few<T>> + 'static,
{
    let (n, groups, offsets) = (case.n, case.rows.len(), case.offsets());
    let (least, largest) = (case.rows.iter().min(), case.rows.iter().max());
    let (kernel, launcher) = match case.total() {
        0..=8 => (F::NAME, few::<T, F> as Launcher<T>),
        // Groups of few rows each leave a tile's rows idle, and want more stages.
        9..=FEW if groups > 1 => (G::NAME, few::<T, G> as _),
        9..=FEW => (H::NAME, few::<T, H> as _),
        _ => (K::NAME, launcher::<T, K> as _),
    };
    let mut of = Operands::<T>::new(bench, case)?;
    let other = bench.upload(&vec![T::of(f32::NAN); case.total() * n])?;
    let mut cublas = Groups::new(&of, other)?;
    cublas.one_by_one(1)?;
    let theirs = bench.download(&cublas.c)?;
    launcher(program, &mut of)?(groups)?;
    let computed = bench.download(&of.c)?;
    // All of it against cuBLAS's, and some of it, in every group, against float64.
    let apart = relative(
        computed.iter().take(theirs.len()).map(|x| x.exact()),
        theirs.iter().map(|x| x.exact()),
    );
    let some: Vec<_> = (0..groups)
        .filter(|group| case.rows[*group] > 0)
        .flat_map(|group| (0..64).map(move |i| (group, i)))
        .map(|(group, i)| {
            (group, offsets[group] + (i * 7919) % case.rows[group], (i * 104_729) % n)
        })
        .collect();
    let error = relative(
        some.iter().map(|(_, row, column)| computed[row * n + column].exact()),
        some.iter().map(|(group, row, column)| of.exact(*group, *row, *column)),
    );
    println!(
        "{} {groups} groups of {least:?} to {largest:?} rows: the error is {error:.1e}, \
         {apart:.1e} from cuBLAS's",
        kernel
    );
    accept(kernel, error, most)?;
    accept(kernel, apart, 2.0 * most)?;
    if computed[theirs.len()..].iter().any(|x| !x.exact().is_nan()) {
        return Err(format!("{}: rows beyond the last group are written", kernel).into());
    }
    cublas.poison()?;
    let grouped = cublas.grouped();
    if let Err(error) = &grouped {
        println!("  cuBLAS has no grouped product of these: {error}");
    } else {
        let computed = bench.download(&cublas.c)?;
        let apart = relative(computed.iter().map(|x| x.exact()), theirs.iter().map(|x| x.exact()));
        println!("  cuBLAS's grouped product is {apart:.1e} from its single ones");
    }
    drop((computed, theirs));
    let cublas = std::cell::RefCell::new(cublas);
    let mut launch = launcher(program, &mut of)?;
    let mut ours = || launch(groups);
    let mut looped = || cublas.borrow_mut().one_by_one(1);
    let mut streams = || cublas.borrow_mut().one_by_one(4);
    let mut together = || cublas.borrow_mut().grouped();
    let shape = format!("{groups} {name}: {} x {n} x {}", case.total(), case.k);
    let work = Work::Flops(case.flops());
    if grouped.is_ok() {
        let [a, b, c, d] = bench.time([&mut ours, &mut looped, &mut streams, &mut together])?;
        let peers = [("cuBLAS, a loop", b), ("cuBLAS, four streams", c), ("cuBLAS, grouped", d)];
        bench.report(kernel, &shape, work, error, a, &peers)
    } else {
        let [a, b, c] = bench.time([&mut ours, &mut looped, &mut streams])?;
        bench.report(
            kernel,
            &shape,
            work,
            error,
            a,
            &[("cuBLAS, a loop", b), ("cuBLAS, four streams", c)],
        )
    }
}

/// The same by cuBLAS.
struct Groups<'b, T> {
    bench: &'b Bench,
    streams: Vec<(Arc<CudaStream>, CudaBlas)>,
    blas: CudaBlas,
    case: &'b Case,
    a: u64,
    b: u64,
    c: CudaSlice<T>,
    /// Addresses of A, B and C of those groups that have rows, and how many these have.
    addresses: [CudaSlice<u64>; 3],
    rows: Vec<c_int>,
}
impl<'b, T: Element> Groups<'b, T> {
    fn new(of: &Operands<'b, T>, mut c: CudaSlice<T>) -> Outcome<Self> {
        let (bench, case) = (of.bench, of.case);
        let of_stream = |stream: Arc<CudaStream>| -> Outcome<_> {
            Ok((stream.clone(), CudaBlas::new(stream)?))
        };
        let streams =
            (0..4).map(|_| of_stream(bench.context.new_stream()?)).collect::<Outcome<_>>()?;
        let (a, b) = (of.a.device_ptr(&bench.stream).0, of.b.device_ptr(&bench.stream).0);
        let to = c.device_ptr_mut(&bench.stream).0;
        let offsets = case.offsets();
        let there: Vec<usize> =
            (0..case.rows.len()).filter(|group| case.rows[*group] > 0).collect();
        let addresses = |from: u64, place: &dyn Fn(usize) -> usize| {
            let of: Vec<u64> =
                there.iter().map(|group| from + (place(*group) * size_of::<T>()) as u64).collect();
            bench.upload(&of)
        };
        let addresses = [
            addresses(a, &|group| offsets[group] * case.k)?,
            addresses(b, &|group| group * case.n * case.k)?,
            addresses(to, &|group| offsets[group] * case.n)?,
        ];
        let rows = there
            .iter()
            .map(|group| c_int::try_from(case.rows[*group]))
            .collect::<Result<_, _>>()?;
        Ok(Groups {
            bench,
            streams,
            blas: CudaBlas::new(bench.stream.clone())?,
            case,
            a,
            b,
            c,
            addresses,
            rows,
        })
    }
    fn poison(&mut self) -> Outcome {
        Ok(self.bench.stream.memcpy_htod(&vec![T::of(f32::NAN); self.c.len()], &mut self.c)?)
    }
    /// A product for each group, on so many streams in turns; one is the bench's own.
    fn one_by_one(&mut self, streams: usize) -> Outcome {
        let (n, k) = (self.case.n, self.case.k);
        let main = &self.bench.stream;
        if streams > 1 {
            self.streams.iter().try_for_each(|(stream, _)| stream.join(main))?;
        }
        let mut first = 0;
        for (group, rows) in self.case.rows.iter().enumerate() {
            let blas = if streams > 1 { &self.streams[group % streams].1 } else { &self.blas };
            if *rows > 0 {
                let place =
                    |at: u64, number: usize| (at + (number * size_of::<T>()) as u64) as *mut c_void;
                let (one, zero) = (1.0_f32, 0.0_f32);
                // SAFETY: the operands have these sizes.
                unsafe {
                    result::gemm_ex(
                        *blas.handle(),
                        cublasOperation_t::CUBLAS_OP_T,
                        cublasOperation_t::CUBLAS_OP_N,
                        c_int::try_from(n)?,
                        c_int::try_from(*rows)?,
                        c_int::try_from(k)?,
                        (&raw const one).cast(),
                        place(self.b, group * n * k),
                        T::TYPE,
                        c_int::try_from(k)?,
                        place(self.a, first * k),
                        T::TYPE,
                        c_int::try_from(k)?,
                        (&raw const zero).cast(),
                        place(self.c.device_ptr_mut(main).0, first * n),
                        T::TYPE,
                        c_int::try_from(n)?,
                        cublasComputeType_t::CUBLAS_COMPUTE_32F,
                        cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT,
                    )?;
                }
            }
            first += rows;
        }
        if streams > 1 {
            self.streams.iter().try_for_each(|(stream, _)| main.join(stream))?;
        }
        Ok(())
    }
    /// All of them in one call.
    fn grouped(&mut self) -> Outcome {
        let groups = self.rows.len();
        let all =
            |number: usize| -> Outcome<Vec<c_int>> { Ok(vec![c_int::try_from(number)?; groups]) };
        let (n, k, ones) = (all(self.case.n)?, all(self.case.k)?, all(1)?);
        let (one, zero) = (vec![1.0_f32; groups], vec![0.0_f32; groups]);
        let (turned, straight) = (
            vec![cublasOperation_t::CUBLAS_OP_T; groups],
            vec![cublasOperation_t::CUBLAS_OP_N; groups],
        );
        let stream = &self.bench.stream;
        let [a, b, c] = [0, 1, 2].map(|i| self.addresses[i].device_ptr(stream).0);
        // SAFETY: an entry for each group in each of them.
        unsafe {
            cublasGemmGroupedBatchedEx(
                *self.blas.handle(),
                turned.as_ptr(),
                straight.as_ptr(),
                n.as_ptr(),
                self.rows.as_ptr(),
                k.as_ptr(),
                one.as_ptr().cast(),
                b as *const *const c_void,
                T::TYPE,
                k.as_ptr(),
                a as *const *const c_void,
                T::TYPE,
                k.as_ptr(),
                zero.as_ptr().cast(),
                c as *const *mut c_void,
                T::TYPE,
                n.as_ptr(),
                c_int::try_from(groups)?,
                ones.as_ptr(),
                cublasComputeType_t::CUBLAS_COMPUTE_32F,
            )
            .result()?;
        }
        Ok(())
    }
}
