#!/bin/sh
# Compiles and runs all programs beside this script with nvcc, as many at once as there are processors.
cd "$(dirname "$0")" || exit 2
one='nvcc -arch=native -o "$1.out" "$1" && "./$1.out"'
ls program*.cu | xargs -P "$(nproc)" -I{} sh -c "$one || echo FAILED {}" sh {} >log 2>&1
awk '/ kernels, /{all += $1; wrong += $3} END {print all " kernels, " wrong " wrong"}' log
grep -E "^(WRONG|FAILED)|error" log
! grep -qE "^(WRONG|FAILED)" log
