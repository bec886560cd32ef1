//! Programs and kernels on a device.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUfunction_attribute, CUlaunchAttributeID};
use cudarc::driver::{CudaContext, CudaFunction, CudaModule, CudaStream};
use cudarc::nvrtc::Ptx;

use crate::device::Parameters;
use crate::launch::parameters::{bytes_in_driver, bytes_in_text};
use crate::launch::{ArgumentList, Arguments, Kernel, Launch, LaunchError, Limits};
use crate::trap_record::attach_page;

/// A program of kernels that the driver has compiled for a device.
#[derive(Clone, Debug)]
pub struct Program {
    name: String,
    text: Arc<str>,
    module: Arc<CudaModule>,
    limits: Limits,
}
impl Program {
    /// Loads PTX that `crates/layout-nvidia/build` made.
    ///
    /// # Errors
    /// If the file cannot be read, if it is for other devices, or if the driver refuses it.
    pub fn load_file(
        context: &Arc<CudaContext>,
        file: impl AsRef<Path>,
    ) -> Result<Self, LaunchError> {
        let name = file.as_ref().display().to_string();
        let text = std::fs::read_to_string(&file).map_err(|error| LaunchError::Unreadable {
            file: name.clone(),
            reason: error.to_string(),
        })?;
        Program::from_ptx(context, &name, text)
    }
    /// Loads PTX.
    ///
    /// # Errors
    /// If there is no text, if it is for other devices, or if the driver refuses it.
    pub fn from_ptx(
        context: &Arc<CudaContext>,
        name: &str,
        text: String,
    ) -> Result<Self, LaunchError> {
        if text.is_empty() {
            return Err(LaunchError::NoKernels { program: name.into() });
        }
        let limits = Limits::query_device(context)?;
        let target = text
            .lines()
            .find_map(|line| line.strip_prefix(".target "))
            .unwrap_or("nothing that it names");
        let target = target.split([',', ' ']).next().unwrap_or_default().trim();
        if !limits.runs_target(target) {
            let (major, minor) = limits.capability;
            return Err(LaunchError::Architecture {
                target: target.into(),
                device: format!("sm_{major}{minor}"),
            });
        }
        let module = context.load_module(Ptx::from_src(&text))?;
        attach_page(context, &module, &text)?;
        Ok(Program { name: name.into(), text: text.into(), module, limits })
    }
    /// A kernel of the program.
    ///
    /// # Errors
    /// If the program has no kernel of this name, or one with other parameters; if a block exceeds
    /// the limits of the device.
    pub fn get_kernel<K: Kernel>(&self) -> Result<Loaded<K>, LaunchError> {
        let function = self
            .module
            .load_function(K::NAME)
            .map_err(|_| LaunchError::Missing { kernel: K::NAME, program: self.name.clone() })?;
        let (kernel, wanted, program) = (K::NAME, K::Parameters::BYTES, || self.name.clone());
        // SAFETY: the driver returned the function, and its module is alive.
        let found = unsafe { bytes_in_driver(function.cu_function()) };
        match found.or_else(|| bytes_in_text(&self.text, kernel)) {
            Some(found) if found == wanted => {}
            Some(found) => {
                return Err(LaunchError::Parameters { kernel, program: program(), wanted, found });
            }
            None => return Err(LaunchError::Unknown { kernel, program: program() }),
        }
        Launch::of_kernel::<K>().check_limits(&self.limits)?;
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let bytes = i32::try_from(K::SHARED).map_err(|_| LaunchError::Shared {
            kernel: K::NAME,
            bytes: K::SHARED,
            most: self.limits.shared,
        })?;
        function.set_attribute(attribute, bytes)?;
        Ok(Loaded { function, limits: self.limits, kernel: PhantomData })
    }
}

/// A kernel on a device.
#[derive(Clone, Debug)]
pub struct Loaded<K> {
    function: CudaFunction,
    limits: Limits,
    kernel: PhantomData<K>,
}
impl<K: Kernel> Loaded<K> {
    /// The registers of a thread.
    ///
    /// # Errors
    /// The driver's.
    pub fn registers_per_thread(&self) -> Result<usize, LaunchError> {
        Ok(self.function.num_regs()?.unsigned_abs() as usize)
    }
    /// Launches the kernel on a stream. An empty grid launches nothing.
    ///
    /// # Errors
    /// If the launch exceeds the limits of the device; the driver's.
    ///
    /// # Safety
    /// The kernel's own contract: its sizes are those of the memory in the arguments. The program
    /// is the one that `K` is compiled into: only the sizes of the parameters are compared, not
    /// their types.
    pub unsafe fn launch<A: Arguments<K::Parameters>>(
        &self,
        stream: &CudaStream,
        launch: &Launch,
        mut arguments: A,
    ) -> Result<(), LaunchError> {
        launch.check_limits(&self.limits)?;
        let (wanted, given) =
            ((K::THREADS, K::SHARED), (launch.block_threads(), launch.shared_bytes()));
        if given != wanted {
            return Err(LaunchError::Unlike { kernel: K::NAME, wanted, given });
        }
        let most = self.function.max_threads_per_block()?.unsigned_abs() as usize;
        if launch.block_threads() > most {
            let because = "as the driver has compiled it, with its registers, a block has at most";
            return Err(LaunchError::Threads {
                kernel: K::NAME,
                threads: launch.block_threads(),
                most,
                because,
            });
        }
        if launch.is_empty() {
            return Ok(());
        }
        let mut list = ArgumentList::new(stream);
        arguments.push_argument(&mut list);
        if list
            .nothing_to_write()
            .map_err(|layout| LaunchError::Empty { kernel: K::NAME, layout })?
        {
            return Ok(());
        }
        let mut dependent = sys::CUlaunchAttribute {
            id: CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
            pad: [0; 4],
            value: sys::CUlaunchAttributeValue { programmaticStreamSerializationAllowed: 1 },
        };
        // No number is truncated: each is within the limits of the device.
        let [x, y, z] = launch.grid_blocks().map(|blocks| blocks as u32);
        let config = sys::CUlaunchConfig {
            gridDimX: x,
            gridDimY: y,
            gridDimZ: z,
            blockDimX: launch.block_threads() as u32,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: launch.shared_bytes() as u32,
            hStream: stream.cu_stream(),
            attrs: &raw mut dependent,
            numAttrs: u32::from(launch.is_programmatic_dependent_launch()),
        };
        stream.context().bind_to_thread()?;
        let function = self.function.cu_function();
        // SAFETY: the arguments have the types of the parameters (`Kernel`, `Argument`), a word for
        // each, which the driver has read when this returns; the rest is the caller's promise.
        unsafe {
            sys::cuLaunchKernelEx(
                &raw const config,
                function,
                list.argument_pointers().as_mut_ptr(),
                std::ptr::null_mut(),
            )
        }
        .result()?;
        Ok(())
    }
}
