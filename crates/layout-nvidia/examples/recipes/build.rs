fn main() {
    let recipes = "fused halo histogram long_rows overlap product rows scan short_rows transpose";
    layout_nvidia_build::Kernels::new("sm_80").programs(recipes.split(' ')).build();
}
