//! The device, and its time for work.

use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaContext, CudaStream};

use crate::launch::{LaunchError, Limits, Program};

/// A device, for loading programs and creating streams.
#[derive(Clone, Debug)]
pub struct Device {
    context: Arc<CudaContext>,
}
impl Device {
    /// The first device of this machine.
    ///
    /// # Errors
    /// A message, if there is no driver or no device.
    pub fn first_available() -> Result<Self, LaunchError> {
        // SAFETY: the library, if there is one, is the driver's.
        if !unsafe { cudarc::driver::sys::is_culib_present() } {
            return Err(LaunchError::NoDriver);
        }
        Ok(Device { context: CudaContext::new(0)? })
    }
    /// A stream: its work runs in order and asynchronously. Several streams wait for one another
    /// only if they share memory.
    ///
    /// # Errors
    /// The driver's.
    pub fn create_stream(&self) -> Result<Arc<CudaStream>, LaunchError> {
        Ok(self.context.new_stream()?)
    }
    /// A program of kernels, as [`program!`](crate::program) embeds it.
    ///
    /// # Errors
    /// If the program is for other devices, or if the driver refuses it.
    pub fn load_program(&self, (name, text): (&str, &str)) -> Result<Program, LaunchError> {
        Program::from_ptx(&self.context, name, text.into())
    }
    /// The name of the device, `NVIDIA H100 80GB HBM3`.
    ///
    /// # Errors
    /// The driver's.
    pub fn device_name(&self) -> Result<String, LaunchError> {
        Ok(self.context.name()?)
    }
    /// The limits of the device.
    ///
    /// # Errors
    /// The driver's.
    pub fn query_limits(&self) -> Result<Limits, LaunchError> {
        Limits::query_device(&self.context)
    }
    /// The context, for everything that this library does not wrap.
    #[must_use]
    pub fn driver_context(&self) -> &Arc<CudaContext> {
        &self.context
    }
}

/// The program of this package's kernels, for [`Device::load_program`]: the output of its build
/// script, `layout_nvidia_build`. Of several programs, `program!("rows")` is the one of this name.
#[macro_export]
macro_rules! program {
    () => {
        (
            env!("CARGO_PKG_NAME"),
            include!(env!(
                "LAYOUT_NVIDIA_PROGRAM",
                "this package has no program: \
                 `layout_nvidia_build::Kernels::new(\"sm_80\").build();` in its build.rs makes it"
            )),
        )
    };
    ($name:literal) => {
        (
            $name,
            include!(env!(
                concat!("LAYOUT_NVIDIA_PROGRAM_", $name),
                "this package has no program of this name: `programs([..])` in its build.rs makes \
                 one for each feature"
            )),
        )
    };
}

/// The milliseconds that each of several pieces of work takes on a stream: the median of 21 rounds
/// of 10 calls each, in turns, so that all of them meet the same clocks, after a warm-up round.
///
/// # Errors
/// Those of the work; the driver's.
pub fn milliseconds<const N: usize>(
    stream: &Arc<CudaStream>,
    work: [&mut dyn FnMut() -> Result<(), LaunchError>; N],
) -> Result<[f64; N], LaunchError> {
    milliseconds_with_rests(stream, Duration::ZERO, work)
}

/// [`milliseconds`] with a rest before each round of each piece. A product draws so much power that
/// the clock falls within milliseconds: 50 ms of rest show the time at full clock, and no rest the
/// sustained time.
///
/// The errors of the work; the driver's.
/// Those of the work; the driver's.
pub fn milliseconds_with_rests<const N: usize>(
    stream: &Arc<CudaStream>,
    rest: Duration,
    mut work: [&mut dyn FnMut() -> Result<(), LaunchError>; N],
) -> Result<[f64; N], LaunchError> {
    const ROUNDS: usize = 21;
    const IN_A_ROUND: usize = 10;
    let mut times = [[0.0; ROUNDS]; N];
    // Round 0 is the warm-up round.
    for round in 0..=ROUNDS {
        for (work, times) in work.iter_mut().zip(&mut times) {
            std::thread::sleep(rest);
            let from = stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))?;
            for _ in 0..IN_A_ROUND {
                work()?;
            }
            let to = stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))?;
            to.synchronize()?;
            let time = f64::from(from.elapsed_ms(&to)?) / IN_A_ROUND as f64;
            if let Some(place) = round.checked_sub(1) {
                times[place] = time;
            }
        }
    }
    Ok(times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    }))
}
