#!/usr/bin/env bash
# What the GPU of this machine counts for each line of addresses.txt. Needs nvcc and ncu; about a minute for 400 lines.
set -euo pipefail
cd "$(dirname "$0")"
out=${1:-counters.csv}
build=$(mktemp -d)
nvcc -O2 -arch="${ARCH:-sm_90}" -o "$build/measure" measure.cu
names=()
for op in ld st; do
    names+=("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum" "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$op.sum")
    names+=("l1tex__t_sectors_pipe_lsu_mem_global_op_$op.sum" "l1tex__t_set_accesses_pipe_lsu_mem_global_op_$op.sum")
done
# The clocks stay as they are: only counts are asked for.
ncu --clock-control none --cache-control none --csv --page raw --metrics "$(IFS=,; echo "${names[*]}")" \
    "$build/measure" addresses.txt > "$out"
