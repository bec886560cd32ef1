@compute @workgroup_size($threads$)
fn $name$(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let block = group.x + group.y * 65535u;
