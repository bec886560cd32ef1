// The sizes of both buffers are multiples of 16 bytes.
// Launch: dispatch_workgroups($x$, $y$, 1).
$memory$@group(0) @binding(0) var<storage, read> from_: array<$from_kind$>;
@group(0) @binding(1) var<storage, read_write> to_: array<$to_kind$>;
