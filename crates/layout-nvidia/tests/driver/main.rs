//! What the host's side asks of the driver, whose place a library of C takes that says what it is
//! asked: no card is needed.
//!
//! Each test runs itself once more, with that library where the driver is looked for.

#![cfg(all(feature = "launch", target_os = "linux"))]

use std::path::PathBuf;
use std::process::Command;

use layout_algebra::prelude::*;
use layout_nvidia::device::kernel;
use layout_nvidia::hopper::{Map, MapMut, TensorMap};
use layout_nvidia::launch::{Device, DeviceTensor, Kernel, Launch, Program};

type Outcome = Result<(), Box<dyn std::error::Error>>;
type Rows = ComposedLayout<Swizzle<3, 2, 3>, Int<0>, Layout!((64, 32):(32, 1))>;

/// # Safety
/// Nothing is reached, here and below.
#[kernel(threads = Layout!(32))]
unsafe fn four(_a: u64, _b: u64, _c: u64, _d: u64) {}
/// # Safety
/// As above.
#[kernel(threads = Layout!(32))]
unsafe fn narrow(_a: u64, _b: u32) {}
/// # Safety
/// As above; the program's has two words.
#[kernel(threads = Layout!(32))]
unsafe fn other(_a: u64, _b: u32) {}
/// # Safety
/// As above; the program's has three parameters.
#[kernel(threads = Layout!(32))]
unsafe fn more(_a: u64, _b: u32) {}
/// # Safety
/// As above.
#[kernel(threads = Layout!(32))]
unsafe fn by_pointer(_of: *const f32) {}
/// # Safety
/// As above.
#[kernel(threads = Layout!(32))]
unsafe fn by_map(_map: Map<f32, Rows>) {}
/// # Safety
/// As above.
#[kernel(threads = Layout!(32))]
unsafe fn by_map_mut(_map: MapMut<f32, Rows>) {}
/// # Safety
/// As above.
#[kernel(threads = Layout!(32))]
unsafe fn nothing_at_all() {}

const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// What the driver was asked while the test ran in a process of its own; `None` in that process.
fn asked(test: &str, old: bool) -> Option<String> {
    if std::env::var_os("LAYOUT_NVIDIA_STAND_IN").is_some() {
        return None;
    }
    let folder =
        std::env::temp_dir().join(format!("layout-nvidia-{}-{test}-{old}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder of its own");
    let source = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/driver/libcuda.c"));
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-w", "-o"])
        .arg(folder.join("libcuda.so"))
        .arg(source)
        .args(old.then_some("-DOLD"));
    assert!(cc.status().expect("a C compiler, which Rust links with").success());
    let mut again = Command::new(std::env::current_exe().expect("this test"));
    again
        .args([test, "--exact", "--nocapture"])
        .env("LAYOUT_NVIDIA_STAND_IN", "1")
        .env("LD_LIBRARY_PATH", &folder);
    let output = again.output().expect("it runs");
    std::fs::remove_dir_all(&folder).expect("removed");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    // The first line may stand behind the name of the test.
    Some(
        said.lines()
            .filter_map(|line| line.split_once("driver: "))
            .map(|(_, asked)| format!("{asked}\n"))
            .collect(),
    )
}

/// The sentence of a kernel that the program has with other parameters.
fn refused<K: Kernel + std::fmt::Debug>(program: &Program) -> String {
    program.get_kernel::<K>().expect_err("its parameters are others").to_string()
}

#[test]
fn a_kernel_has_the_parameters_of_its_program() -> Outcome {
    if let Some(asked) = asked("a_kernel_has_the_parameters_of_its_program", false) {
        assert_eq!(
            asked,
            "four 1 2 3 4\nlaunched\nnarrow 5 6\nlaunched\nnothing_at_all\nlaunched\n"
        );
        return Ok(());
    }
    let (device, text) = (Device::first_available()?, HEAD);
    let (program, stream) = (device.load_program(("p", text))?, device.create_stream()?);
    // SAFETY: the kernels reach nothing.
    unsafe {
        program.get_kernel::<four>()?.launch(
            &stream,
            &Launch::of_kernel::<four>(),
            (1_u64, 2_u64, 3_u64, 4_u64),
        )?;
        program.get_kernel::<narrow>()?.launch(
            &stream,
            &Launch::of_kernel::<narrow>(),
            (5_u64, 6_u32),
        )?;
        program.get_kernel::<nothing_at_all>()?.launch(
            &stream,
            &Launch::of_kernel::<nothing_at_all>(),
            (),
        )?;
    }
    let of = |kernel: &str, found: &str| {
        format!(
            "{kernel}: its parameters have [8, 4] bytes, and those of p's kernel of this name \
             {found}: the program is of another version, or of another package"
        )
    };
    assert_eq!(refused::<other>(&program), of("other", "[8, 8]"));
    assert_eq!(refused::<more>(&program), of("more", "[8, 4, 4]"));
    // SAFETY: as above.
    let unlike = unsafe {
        program.get_kernel::<narrow>()?.launch(
            &stream,
            &Launch::new("narrow", 64, 0),
            (5_u64, 6_u32),
        )
    };
    assert_eq!(
        unlike.unwrap_err().to_string(),
        "narrow: its blocks have 32 threads and 0 bytes of shared memory, and the launch is of 64 \
         and 0: `Launch::of` says what a kernel has"
    );
    Ok(())
}

#[test]
fn an_old_driver_says_nothing_and_the_text_does() -> Outcome {
    if let Some(asked) = asked("an_old_driver_says_nothing_and_the_text_does", true) {
        assert_eq!(asked, "narrow 5 6\nlaunched\n");
        return Ok(());
    }
    let device = Device::first_available()?;
    let heads = ".visible .entry narrow(\n\t.param .u64 narrow_param_0,\n\t.param .u32 \
                 narrow_param_1\n)\n{\n}\n.visible .entry other(\n\t.param .u64 \
                 other_param_0,\n\t.param .u64 other_param_1\n)\n{\n}\n";
    let text = format!("{HEAD}{heads}");
    let (program, stream) = (device.load_program(("p", &text))?, device.create_stream()?);
    // SAFETY: the kernel reaches nothing.
    unsafe {
        program.get_kernel::<narrow>()?.launch(
            &stream,
            &Launch::of_kernel::<narrow>(),
            (5_u64, 6_u32),
        )?
    };
    assert!(
        refused::<other>(&program)
            .contains("[8, 4] bytes, and those of p's kernel of this name [8, 8]")
    );
    assert_eq!(
        refused::<more>(&program),
        "more: neither the driver, which is older than CUDA 12.4, nor the text of p says what its \
         parameters are"
    );
    Ok(())
}

/// A launch on one stream that is given a map waits for a copy on another one, as if it were given
/// a pointer; a copy waits for a launch that may write.
#[test]
fn a_map_brings_its_memory() -> Outcome {
    if let Some(asked) = asked("a_map_brings_its_memory", false) {
        let of_pointer = asked.split("launched\n").next().unwrap_or_default().to_string();
        let rest: Vec<_> = asked.split("launched\n").collect();
        assert!(
            of_pointer.contains("copy on stream 1")
                && of_pointer.contains("stream 2 waits for event"),
            "{asked}"
        );
        // The launch by a map, and the one that writes: each has waited, and is recorded behind.
        for (name, part) in [("by_map 64\n", rest[1]), ("by_map_mut 64\n", rest[2])] {
            let (before, _) = part.split_once(name).unwrap_or_else(|| panic!("{name} in {asked}"));
            assert!(before.contains("stream 2 waits for event"), "{name}: {asked}");
        }
        assert!(rest[3].contains("event") && rest[3].contains("on stream 2"), "{asked}");
        // What is written on stream 2 is copied to on stream 1 behind it.
        let (before, _) =
            rest[3].split_once("copy on stream 1").unwrap_or_else(|| panic!("a copy in {asked}"));
        assert!(before.contains("stream 1 waits for event"), "{asked}");
        return Ok(());
    }
    let device = Device::first_available()?;
    let program = device.load_program(("p", HEAD))?;
    let (one, two) = (device.create_stream()?, device.create_stream()?);
    let numbers = vec![0_f32; 64 * 64];
    let whole = layout!((64, 64): right).to_dynamic();
    let upload = || DeviceTensor::upload(&one, &numbers, layout!((64, 64): right));
    let tensor = upload()?;
    // SAFETY: the kernels reach nothing.
    unsafe {
        program.get_kernel::<by_pointer>()?.launch(
            &two,
            &Launch::of_kernel::<by_pointer>(),
            (&tensor,),
        )?
    };
    let read = one.clone_htod(&numbers)?;
    let map = TensorMap::<f32, Rows>::new(&one, &read, &whole)?;
    // SAFETY: as above.
    unsafe {
        program.get_kernel::<by_map>()?.launch(&two, &Launch::of_kernel::<by_map>(), (&map,))?
    };
    let mut written = one.clone_htod(&numbers)?;
    let mut map = TensorMap::<f32, Rows>::new(&one, &mut written, &whole)?;
    // SAFETY: as above.
    unsafe {
        program.get_kernel::<by_map_mut>()?.launch(
            &two,
            &Launch::of_kernel::<by_map_mut>(),
            (&mut map,),
        )?
    };
    one.memcpy_htod(&numbers, &mut written)?;
    Ok(())
}

/// A tensor without an element has a map where nothing is launched: no block, or nothing to write.
#[test]
fn nothing_is_launched_for_nothing() -> Outcome {
    if let Some(asked) = asked("nothing_is_launched_for_nothing", false) {
        assert!(!asked.contains("launched"), "{asked}");
        return Ok(());
    }
    let device = Device::first_available()?;
    let (program, stream) = (device.load_program(("p", HEAD))?, device.create_stream()?);
    let mut memory = stream.clone_htod(&vec![0_f32; 64])?;
    let rows = 0;
    let none = layout!((rows, 64):(64, 1)).to_dynamic();
    let map = TensorMap::<f32, Rows>::new(&stream, &memory, &none)?;
    let (read, no_block) = (
        program.get_kernel::<by_map>()?,
        Launch::of_kernel::<by_map>().over_tiles(&none, tiler!(64, 32))?,
    );
    assert!(no_block.is_empty());
    // SAFETY: the kernels reach nothing, here and below.
    unsafe { read.launch(&stream, &no_block, (&map,))? };
    // SAFETY: as above.
    let refused = unsafe { read.launch(&stream, &Launch::of_kernel::<by_map>(), (&map,)) };
    assert_eq!(
        refused.unwrap_err().to_string(),
        "by_map: the map of (0,64):(64,1), which has no element, is given to blocks that may read \
         it"
    );
    let mut map = TensorMap::<f32, Rows>::new(&stream, &mut memory, &none)?;
    // SAFETY: as above.
    unsafe {
        program.get_kernel::<by_map_mut>()?.launch(
            &stream,
            &Launch::of_kernel::<by_map_mut>(),
            (&mut map,),
        )?
    };
    Ok(())
}
