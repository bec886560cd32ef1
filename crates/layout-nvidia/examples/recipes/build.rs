fn main() {
    layout_nvidia_build::Kernels::new("sm_80")
        .programs([
            "fused",
            "halo",
            "histogram",
            "long_rows",
            "product",
            "rows",
            "scan",
            "short_rows",
            "transpose",
        ])
        .build();
}
