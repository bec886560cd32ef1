//! What the examples share: the device, numbers to compute with, how time is taken, and how results
//! are written down.
#![allow(dead_code, reason = "each example needs a part of it")]

pub mod lt;
pub mod peer;
pub mod product;

use std::error::Error;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use cudarc::driver::sys::{
    CUdevice_attribute, CUevent_flags, CUgraphInstantiate_flags, CUstreamCaptureMode,
};
use cudarc::driver::{CudaContext, CudaGraph, CudaSlice, CudaStream, DeviceRepr};
use layout_nvidia::launch::{Arguments, Kernel, Launch, Limits, Program};

pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// A kernel of these parameters, to be launched.
pub type Early<'a, P> = Box<dyn Fn(usize, &mut dyn Arguments<P>) -> Outcome + 'a>;

/// The device, and how the example was called.
pub struct Bench {
    pub context: Arc<CudaContext>,
    pub stream: Arc<CudaStream>,
    /// `--check`: small sizes, no times and no peers: what a memory checker can watch.
    pub check: bool,
}

/// Milliseconds of one launch: of several rounds the middle one, the shortest and the longest.
#[derive(Clone, Copy)]
pub struct Time {
    pub median: f64,
    pub least: f64,
    pub most: f64,
}

/// What a kernel does in one launch, which over a time is a rate.
#[derive(Clone, Copy)]
pub enum Work {
    Bytes(usize),
    Flops(usize),
}
impl Work {
    fn rate(self, milliseconds: f64) -> f64 {
        match self {
            Work::Bytes(bytes) => bytes as f64 / milliseconds / 1e6,
            Work::Flops(flops) => flops as f64 / milliseconds / 1e9,
        }
    }
    fn unit(self) -> &'static str {
        match self {
            Work::Bytes(_) => "GB/s",
            Work::Flops(_) => "TFLOP/s",
        }
    }
}

impl Bench {
    /// The first device, or a sentence that says what is missing.
    pub fn new() -> Outcome<Self> {
        // SAFETY: the library, if there is one, is the driver's.
        if !unsafe { cudarc::driver::sys::is_culib_present() } {
            return Err("there is no CUDA driver here: `libcuda.so` is not found".into());
        }
        let context = CudaContext::new(0)
            .map_err(|error| format!("there is no CUDA device here: {error:?}"))?;
        // SAFETY: everything here runs on one stream, in order.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream()?;
        let limits = Limits::query_device(&context)?;
        println!("{}, sm_{}{}", context.name()?, limits.capability.0, limits.capability.1);
        Ok(Bench { context, stream, check: std::env::args().any(|argument| argument == "--check") })
    }
    /// The program of a kernel: PTX that `crates/layout-nvidia/build` made, in `LAYOUT_NVIDIA_PTX`
    /// or where it puts it.
    pub fn program(&self, name: &str) -> Outcome<Program> {
        let folder = std::env::var_os("LAYOUT_NVIDIA_PTX").map_or_else(
            || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/programs")),
            PathBuf::from,
        );
        Ok(Program::load_file(&self.context, folder.join(name).with_extension("ptx"))?)
    }
    /// One of several kernels with the same parameters: it is launched early, on so many blocks.
    ///
    /// # Safety
    /// The kernel's own contract.
    pub unsafe fn dependent_launch<'a, K: Kernel<Parameters: 'a> + 'a>(
        &'a self,
        program: &Program,
    ) -> Outcome<Early<'a, K::Parameters>> {
        let kernel = program.get_kernel::<K>()?;
        Ok(Box::new(move |blocks, arguments| {
            // SAFETY: the caller's promise.
            unsafe {
                kernel.launch(
                    &self.stream,
                    &Launch::of_kernel::<K>().with_blocks(blocks).programmatic_dependent_launch(),
                    arguments,
                )?
            };
            Ok(())
        }))
    }
    /// Its multiprocessors.
    pub fn processors(&self) -> Outcome<u32> {
        let processors = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        Ok(self.context.attribute(processors)?.unsigned_abs())
    }
    /// Is this size to be measured? `LAYOUT_NVIDIA_SHAPES` names some,
    /// `2048x1024x1024 1x8192x8192`; else all are.
    pub fn wants(&self, (m, n, k): (usize, usize, usize)) -> bool {
        let wanted = std::env::var("LAYOUT_NVIDIA_SHAPES").unwrap_or_default();
        wanted.is_empty() || wanted.split(' ').any(|shape| shape == format!("{m}x{n}x{k}"))
    }
    /// Memory of the device with these numbers.
    pub fn upload<T: DeviceRepr>(&self, numbers: &[T]) -> Outcome<CudaSlice<T>> {
        Ok(self.stream.clone_htod(numbers)?)
    }
    /// The numbers in memory of the device.
    pub fn download<T: DeviceRepr>(&self, memory: &CudaSlice<T>) -> Outcome<Vec<T>> {
        let numbers = self.stream.clone_dtoh(memory)?;
        self.stream.synchronize()?;
        Ok(numbers)
    }
    /// The times of several launches each, in turns, so that all of them meet the same clocks:
    /// rounds of about 5 ms, and a rest before each that is ten times as long, so that the device's
    /// power does not set the clocks.
    pub fn time<const N: usize>(
        &self,
        launches: [&mut dyn FnMut() -> Outcome; N],
    ) -> Outcome<[Time; N]> {
        let mut rounds: Vec<Box<dyn FnMut() -> Outcome<f64> + '_>> = Vec::new();
        for launch in launches {
            rounds.push(self.round(launch)?);
        }
        let times = in_turns(&mut rounds)?;
        times.try_into().map_err(|_| "a time for each".into())
    }
    /// A round of launches, as many as take about 5 ms: it gives the milliseconds of one.
    pub fn round<'a>(
        &'a self,
        launch: &'a mut dyn FnMut() -> Outcome,
    ) -> Outcome<Box<dyn FnMut() -> Outcome<f64> + 'a>> {
        for _ in 0..3 {
            launch()?;
        }
        let one = self.once(launch, 3)?;
        let count = ((5.0 / one) as usize).clamp(1, 100);
        // What takes less time than to ask for it is recorded, ours and the peer's, so that the
        // device is measured.
        let graph = if one < 0.1 { self.recorded(launch, count) } else { None };
        Ok(Box::new(move || match &graph {
            Some(graph) => Ok(self.once(&mut || Ok(graph.launch()?), 1)? / count as f64),
            None => self.once(launch, count),
        }))
    }
    /// So many launches in a graph, if they can be recorded.
    fn recorded(&self, launch: &mut dyn FnMut() -> Outcome, count: usize) -> Option<CudaGraph> {
        self.stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED).ok()?;
        let done = (0..count).try_for_each(|_| launch());
        let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
        let graph = self.stream.end_capture(flags).ok().flatten()?;
        done.ok()?;
        // What happens once, happens here.
        graph.launch().ok()?;
        Some(graph)
    }
    fn once(&self, launch: &mut dyn FnMut() -> Outcome, count: usize) -> Outcome<f64> {
        let from = self.stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))?;
        for _ in 0..count {
            launch()?;
        }
        let to = self.stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))?;
        to.synchronize()?;
        Ok(f64::from(from.elapsed_ms(&to)?) / count as f64)
    }
    /// A line for the reader, and one of JSON for `LAYOUT_NVIDIA_RESULTS`.
    pub fn report(
        &self,
        kernel: &str,
        shape: &str,
        work: Work,
        error: f64,
        ours: Time,
        peers: &[(&str, Time)],
    ) -> Outcome {
        let unit = work.unit();
        let spread =
            |time: Time| format!("{:.1} to {:.1}", work.rate(time.most), work.rate(time.least));
        println!(
            "{kernel:18} {shape:22} {:9.1} {unit} ({}), error {error:.1e}",
            work.rate(ours.median),
            spread(ours)
        );
        let mut json = format!(
            "{{\"kernel\": \"{kernel}\", \"shape\": \"{shape}\", \"unit\": \"{unit}\", \"error\": \
             {error:e}, \"rate\": {:.2}, \"least\": {:.2}, \"most\": {:.2}, \"peers\": [",
            work.rate(ours.median),
            work.rate(ours.most),
            work.rate(ours.least)
        );
        for (i, (peer, time)) in peers.iter().enumerate() {
            let ratio = time.median / ours.median;
            println!(
                "  beside {peer:30} {:9.1} {unit} ({}): {ratio:.3} of it",
                work.rate(time.median),
                spread(*time)
            );
            let comma = if i == 0 { "" } else { ", " };
            json += &format!(
                "{comma}{{\"name\": \"{peer}\", \"rate\": {:.2}, \"least\": {:.2}, \"most\": \
                 {:.2}, \"ratio\": {ratio:.4}}}",
                work.rate(time.median),
                work.rate(time.most),
                work.rate(time.least)
            );
        }
        json += "]}\n";
        if let Some(file) = std::env::var_os("LAYOUT_NVIDIA_RESULTS") {
            OpenOptions::new().append(true).create(true).open(file)?.write_all(json.as_bytes())?;
        }
        Ok(())
    }
}

/// The times of several kinds of rounds, each of which gives the milliseconds of one launch: in
/// turns, after rests.
pub fn in_turns(rounds: &mut [Box<dyn FnMut() -> Outcome<f64> + '_>]) -> Outcome<Vec<Time>> {
    // `LAYOUT_NVIDIA_ROUNDS` says how many for a short look.
    let count =
        std::env::var("LAYOUT_NVIDIA_ROUNDS").map_or(Ok(5), |count| count.parse::<usize>())?.max(1);
    let mut times = vec![Vec::new(); rounds.len()];
    for _ in 0..count {
        for (round, times) in rounds.iter_mut().zip(&mut times) {
            std::thread::sleep(std::time::Duration::from_millis(50));
            times.push(round()?);
        }
    }
    Ok(times
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            Time { median: times[count / 2], least: times[0], most: times[count - 1] }
        })
        .collect())
}

/// Numbers from -1 to 1 that look random: xorshift.
pub fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// `|computed - exact| / |exact|`, of all numbers together, and 0 if they are equal; not a number
/// is infinitely wrong.
pub fn relative(computed: impl Iterator<Item = f64>, exact: impl Iterator<Item = f64>) -> f64 {
    let (mut difference, mut size) = (0.0, 0.0);
    for (x, y) in computed.zip(exact) {
        difference += (x - y) * (x - y);
        size += y * y;
    }
    if difference == 0.0 {
        return 0.0;
    }
    let error: f64 = f64::sqrt(difference / size);
    if error.is_nan() { f64::INFINITY } else { error }
}

/// Fails if the error is larger than what the sums in fp32 explain.
pub fn accept(kernel: &str, error: f64, most: f64) -> Outcome {
    if error <= most {
        Ok(())
    } else {
        Err(format!("{kernel}: the error is {error:e}, and {most:e} is allowed").into())
    }
}
