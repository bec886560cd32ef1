"""What PyTorch's DeviceMesh answers, as every rank sees it: `python answers.py >answers.txt`.

Takes PyTorch of 2.10 or later, no GPU, and one process: the backend `fake` stands for the other ranks. A line is

    ranks rank | layout of the mesh, names | what is done with it | shape | ranks of it | coordinate | its groups

The meshes and what is done with them are those of PyTorch's documentation (`DeviceMesh`, `__getitem__`,
`get_local_rank`, `_flatten`, `_unflatten`) and of its tests in `test/distributed/test_device_mesh.py`, which are named.

A mesh on a rank outside of it has no coordinate and no groups.
"""

import warnings

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh
from torch.testing._internal.distributed.fake_pg import FakeStore

CASES = [
    # DeviceMesh's documentation: "mesh = DeviceMesh(device_type="cuda", mesh=[[0, 1, 2, 3],[4, 5, 6, 7]])", its two
    # groups of reductions, and `get_local_rank`; test_get_item_2d.
    (8, (2, 4), (4, 1), "dp,tp", [[], ["submesh dp"], ["submesh tp"], ["submesh tp,dp"]]),
    # `__getitem__`: "The order of the mesh_dim_names provided determines the order of dimensions in the submesh."
    (
        8,
        (2, 2, 2),
        (4, 2, 1),
        "dp,pp,cp",
        [[], ["submesh dp,cp"], ["submesh cp,dp"], ["submesh pp,cp"], ["submesh dp,cp", "submesh cp"]],
    ),
    # test_get_item_3d, test_get_item_3d_noncontiguous_slicing.
    (8, (2, 2, 2), (4, 2, 1), "Replicate,Shard,TP", [["submesh Shard,TP"], ["submesh Replicate,TP"]]),
    # test_flatten_mesh_3d, test_flatten_mesh_4d, test_cache_and_reuse_submesh_slice_result: neighbours and others.
    (
        8,
        (2, 2, 2),
        (4, 2, 1),
        "dp,cp,tp",
        [
            ["flatten dp,cp dp_cp", "submesh dp_cp"],
            ["flatten cp,tp cp_tp", "submesh cp_tp"],
            ["flatten dp,tp dp_tp", "submesh dp_tp"],
            ["flatten dp,cp dp_cp", "submesh dp_cp,tp"],
            ["flatten cp,tp cp_tp", "submesh dp,cp_tp"],
            ["flatten dp,cp,tp all", "submesh all"],
        ],
    ),
    (8, (2, 2, 2, 1), (4, 2, 1, 1), "r,s,cp,tp", [["flatten r,s rs", "submesh rs"], ["flatten s,cp sc", "submesh sc"]]),
    # test_unflatten_mesh_2d, test_unflatten_mesh_3d.
    (8, (8,), (1,), "world", [["unflatten world 2,2,2 dp,pp,cp"], ["unflatten world 4,2 a,b", "submesh a"]]),
    (8, (4, 2), (2, 1), "dp,tp", [["unflatten dp 2,2 r,s"], ["unflatten dp 2,2 r,s", "submesh r,tp"]]),
    # DeviceMesh from a tensor of ranks: test_device_mesh_2d, test_device_mesh_nd; columns first, and some ranks only.
    (4, (2, 2), (2, 1), "a,b", [[]]),
    (8, (2, 4), (1, 2), "a,b", [[], ["submesh a"], ["submesh b"], ["flatten a,b ab", "submesh ab"]]),
    (8, (2, 2, 2), (1, 2, 4), "a,b,c", [[], ["submesh c,a"], ["flatten a,c ac", "submesh ac"]]),
    (6, (2, 3), (3, 1), "a,b", [[], ["submesh a"], ["submesh b"]]),
    (12, (2, 3, 2), (6, 2, 1), "a,b,c", [["submesh a,c"], ["flatten b,c bc", "submesh bc"], ["unflatten a 1,2 x,y"]]),
    (8, (2, 2), (2, 1), "a,b", [[]]),
]


def apply(mesh, steps):
    flat = {}
    for step in steps:
        verb, *words = step.split()
        if verb == "submesh":
            names = tuple(words[0].split(","))
            alone = flat.get(names[0]) if len(names) == 1 else None
            mesh = alone or mesh[names[0] if len(names) == 1 else names]
        elif verb == "flatten":
            # The flattened mode is one of the mesh from here on; by itself it is what `_flatten` returns.
            flat[words[1]] = mesh[tuple(words[0].split(","))]._flatten(words[1])
        else:
            sizes = tuple(int(size) for size in words[1].split(","))
            number = mesh.mesh_dim_names.index(words[0])
            mesh = mesh._unflatten(number, sizes, tuple(words[2].split(",")))
    return mesh


def numbers(these):
    return ",".join(str(number) for number in these)


def main():
    warnings.simplefilter("ignore")
    print(f"# PyTorch {torch.__version__}, by answers.py")
    for ranks, shape, stride, names, programs in CASES:
        layout = f"({numbers(shape)}):({numbers(stride)}) {names}"
        for rank in range(ranks):
            dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=ranks)
            reach = 1 + sum((n - 1) * d for n, d in zip(shape, stride))
            for steps in programs:
                line = f"{ranks} {rank} | {layout} | {', '.join(steps) or '-'} | "
                tensor = torch.arange(reach).as_strided(shape, stride)
                try:
                    mesh = apply(DeviceMesh("cpu", tensor, mesh_dim_names=tuple(names.split(","))), steps)
                except (KeyError, NotImplementedError) as error:
                    print(f"{line}refused: {error.args[0]}")
                    continue
                answer = [numbers(mesh.mesh.shape), numbers(mesh.mesh.flatten().tolist())]
                at = mesh.get_coordinate()
                if at is None:
                    answer += ["none", "none"]
                else:
                    # In ascending order, whatever that of the mode is.
                    groups = [sorted(dist.get_process_group_ranks(mesh.get_group(k))) for k in range(mesh.ndim)]
                    answer += [numbers(at), "; ".join(numbers(group) for group in groups)]
                print(line + " | ".join(answer))
            dist.destroy_process_group()


main()
