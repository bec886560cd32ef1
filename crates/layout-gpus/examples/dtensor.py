"""The lines of `measure.rs` in PyTorch: milliseconds of DTensor's redistributions, and microseconds of
NCCL's all-reduce. `torchrun --nproc-per-node 4 dtensor.py`; SIZE is the extent, 16384 else."""

import os

os.environ["NCCL_NVLS_ENABLE"] = "0"  # NVLink multicast stays off

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, zeros

RUNS = 20


def milliseconds(run, runs=RUNS):
    """The slowest rank's time of a run, the best of four rounds."""
    best = float("inf")
    for _ in range(4):
        run()
        torch.cuda.synchronize()
        dist.barrier()
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(runs):
            run()
        end.record()
        torch.cuda.synchronize()
        time = torch.tensor([begin.elapsed_time(end) / runs], device="cuda")
        dist.all_reduce(time, op=dist.ReduceOp.MAX)
        best = min(best, time.item())
    return best


def main():
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    ranks, size = dist.get_world_size(), int(os.environ.get("SIZE", "16384"))
    s0, s1, r = Shard(0), Shard(1), Replicate()
    row = init_device_mesh("cuda", (ranks,))
    lines = [
        ("[S0] -> [S1]", row, [s0], [s1]),
        ("[S1] -> [S0]", row, [s1], [s0]),
        ("[S0] -> [R]", row, [s0], [r]),
    ]
    if ranks == 4:
        square = init_device_mesh("cuda", (2, 2))
        lines += [
            ("[S0, S1] -> [S1, S0]", square, [s0, s1], [s1, s0]),
            ("[S0, S0] -> [S1, S1]", square, [s0, s0], [s1, s1]),
            ("[S0, R] -> [R, S0]", square, [s0, r], [r, s0]),
            ("[S0, R] -> [R, S1]", square, [s0, r], [r, s1]),
            ("[S0, S1] -> [S0, S0]", square, [s0, s1], [s0, s0]),
            ("[S1, S0] -> [S0, S0]", square, [s1, s0], [s0, s0]),
        ]

    def say(text):
        if rank == 0:
            print(text, flush=True)

    say(f"{ranks} ranks, {size} x {size}, torch {torch.__version__}")
    for name, mesh, before, after in lines:
        for kind in (torch.float16, torch.float32, torch.uint8):
            x = zeros((size, size), dtype=kind, device_mesh=mesh, placements=before)
            time = milliseconds(lambda: x.redistribute(placements=after))
            say(f"{name:36} {str(kind)[6:]:8} {time:9.4f} ms")
            del x
    for elements in (8 << 10, 128 << 10, 1 << 20, 16 << 20):
        x = torch.zeros(elements, dtype=torch.bfloat16, device="cuda")
        time = milliseconds(lambda: dist.all_reduce(x), 100)
        say(f"all-reduce of {elements:8} bfloat16 {time * 1e3:8.1f} us")
    dist.destroy_process_group()


main()
