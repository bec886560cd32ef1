//! The PTX version that a program needs, from its instructions: the compiler writes the oldest
//! version that has the architecture, but `asm!` may contain newer instructions.

/// The instructions of each version, by the PTX ISA notes: a line needs the version if it has all
/// of the words.
const YOUNGER: &[(u32, &str)] = &[
    (64, "mma.sync m8n8k4"),
    (65, "mma.sync m16n8k8"),
    (65, "mma.sync m8n8k16"),
    (65, "mma.sync m8n8k32"),
    (65, "ldmatrix."),
    (70, "mma.sync m16n8k4"),
    (70, "mma.sync m16n8k16"),
    (70, "mma.sync m16n8k32"),
    (70, "mma.sync m16n8k64"),
    (70, "mma.sync m16n8k128"),
    (70, "mma.sync m16n8k256"),
    (70, "mma.sync m8n8k128"),
    (70, "mma.sync .bf16"),
    (70, "mma.sync .f64"),
    (70, "cp.async."),
    (70, "mbarrier."),
    (70, "redux.sync"),
    (70, "tanh.approx"),
    (70, "cvt.rn.f16x2.f32"),
    (70, "cvt.rn.bf16"),
    (71, "mma.sync .and.popc"),
    (74, ".L1::"),
    (74, ".L2::"),
    (74, "createpolicy"),
    (77, "cvta.param"),
    (78, "mma.sync m16n8k4 .f64"),
    (78, "mma.sync m16n8k8 .f64"),
    (78, "mma.sync m16n8k16 .f64"),
    (78, "stmatrix."),
    (78, "movmatrix."),
    (78, "griddepcontrol"),
    (78, "barrier.cluster"),
    (78, "mapa."),
    (78, ".shared::cluster"),
    (78, "%cluster_"),
    (78, ".reqnctapercluster"),
    (78, "mbarrier.try_wait"),
    (78, "add.bf16x2"),
    (78, "sub.bf16x2"),
    (78, "mul.bf16x2"),
    (80, "wgmma."),
    (80, "cp.async.bulk"),
    (80, "cp.reduce.async.bulk"),
    (80, "expect_tx"),
    (80, "fence.proxy.async"),
    (80, "fence.mbarrier_init"),
    (80, "setmaxnreg"),
    (80, "elect.sync"),
    (80, "prefetch.tensormap"),
    (84, "mma.sync .e4m3"),
    (84, "mma.sync .e5m2"),
    (87, "mma.sync .f16.e4m3"),
    (87, "mma.sync .f16.e5m2"),
];

/// The program with the version that it needs, if that is newer than its own.
///
/// ```
/// let sm_80 = ".version 7.0\n.target sm_80\n\tcp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16, 16;\n";
/// assert!(layout_nvidia_build::with_version(sm_80).starts_with(".version 7.4\n"));
/// let sm_90 = ".version 7.8\n.target sm_90\n\tcp.async.wait_all;\n";
/// assert_eq!(layout_nvidia_build::with_version(sm_90), sm_90);
/// ```
#[must_use]
pub fn with_version(ptx: &str) -> String {
    let of = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        let here = |(_, words): &&(u32, &str)| words.split(' ').all(|word| code.contains(word));
        YOUNGER.iter().filter(here).map(|(version, _)| *version).max().unwrap_or(0)
    };
    let needed = ptx.lines().map(of).max().unwrap_or(0);
    let version = |line: &str| {
        let (major, minor) = line.strip_prefix(".version ")?.trim().split_once('.')?;
        Some(10 * major.parse::<u32>().ok()? + minor.parse::<u32>().ok()?)
    };
    match ptx.lines().find(|line| version(line).is_some_and(|there| there < needed)) {
        Some(line) => ptx.replacen(line, &format!(".version {}.{}", needed / 10, needed % 10), 1),
        None => ptx.into(),
    }
}
