fn main() {
    layout_nvidia_build::Kernels::new("sm_80")
        .programs(["fused", "histogram", "rows", "scan", "transpose"])
        .build();
}
