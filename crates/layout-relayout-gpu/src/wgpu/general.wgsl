@group(0) @binding(0) var<storage, read> from_: array<$from_kind$>;
@group(0) @binding(1) var<storage, read_write> to_: array<$to_kind$>;
// The numbers of elements and of axes, the offset of the first element in the source; for each axis
// its extent and both strides.
@group(0) @binding(2) var<storage, read> numbers: array<u32>;

@compute @workgroup_size($threads$)
fn relayout(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let i = (group.x + group.y * $widest$u) * $threads$u + t;
    if (i >= numbers[0]) {
        return;
    }
    var rest = i;
    var source = numbers[2];
    var place = 0u;
    for (var axis = 0u; axis < numbers[1]; axis++) {
        let at = 3u + 3u * axis;
        let coordinate = rest % numbers[at];
        rest /= numbers[at];
        source += coordinate * numbers[at + 1u];
        place += coordinate * numbers[at + 2u];
    }
$move$}
