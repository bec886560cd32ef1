"""pycute's, tensor-layouts' and CuTe DSL's own tests with their import replaced (`peers/names.py`), and why some fail.

Their packages contain no tests; clones of their repositories do. A variable for each package names its tests; without
the variable they are skipped:

    PYCUTE_TESTS=cutlass/test/python/pycute
    TENSOR_LAYOUTS_TESTS=tensor-layouts/tests
    CUTE_DSL_NOTEBOOK=cutlass/examples/python/CuTeDSL/notebooks/cute_layout_algebra.ipynb
"""

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
from collections import Counter
from xml.etree import ElementTree

import pytest
from layout_algebra import check

PEERS = pathlib.Path(__file__).with_name("peers")

# The test expects a wrong layout: the operation, its operands, the expected layout, and the coordinate where it is wrong,
# or the right value. None if the operation has no result: a tile reaches outside the layout, or a negative offset is no
# coordinate.
WRONG = {
    "test_complement": ("complement_ceil", ("(4,6):(1,6)", 1), "1:0", 4),
    "test_complement_pycute": ("complement_ceil", ("(4,6):(1,6)", 34), "1:0", 4),
    "test_complement_non_contiguous": ("complement_ceil", ("(4,6):(1,6)", 34), "1:0", 4),
    "test_complement_pycute_extra": ("complement_ceil", ("(4,10):(1,10)", 94), "2:4", 8),
    "test_complement_dynamic": ("complement_ceil", ("(3,6):(1,10)", 53), "3:3", 9),
    "test_complement_rejects_zero_sized_shapes": ("complement_ceil", ("0:1", 16), "16:1", 0),
    "test_table7_complement_padded": ("complement_ceil", ("(4,8):(1,5)", 39), "1:0", 4),
    "test_make_ordered_layout_3d": ("make_ordered_layout", ((2, 3, 4), (2, 0, 1)), "(2,3,4):(4,8,1)", (1, 0, 0)),
    "test_divide_1d_tiler_on_2d_layout": ("logical_divide", ("(8,6)", 2), "((2,4),6):((1,2),8)", (2, 24)),
    "test_logical_divide_canonicalizes_unit_extent_modes": ("logical_divide", ("2:5", 4), "(4,1):(5,0)", None),
    "test_logical_divide_non_divisible_tuple_tiler": (
        "logical_divide", ("(5,8):(1,5)", (2, 4)), "((2,3),(4,2)):((1,2),(5,20))", None,
    ),
    "test_logical_divide_dynamic": ("logical_divide", ("2:1", 32), "(32,1):(1,0)", None),
    "test_compose_negative_stride_matches_cute": ("compose", ("(2,3):(2,1)", "6:-1"), "(2,3):(-2,-1)", None),
}  # fmt: skip

# The test expects an exception, although there is a result, which is the last entry.
REFUSED = {
    "test_composition_truncation": ("compose", ("(8,8):(8,1)", "2:3"), "2:24"),
    "test_complement_rejects_negative_strides": ("complement_ceil", ("4:-1", 4), "1:0"),
    "test_tile_to_shape_rejects_target_rank_mismatch": (
        "tile_to_shape", ("(2,3):(1,2)", (4, 6, 8)), "((2,2),(3,2),(1,8)):((1,6),(2,12),(0,24))",
    ),
}  # fmt: skip

# The test expects the same function in other modes, which are the last entry.
OTHER_MODES = {
    "test_coalesce_by_mode_with_profile": ("coalesce_by", ("(2,4,2,2):(1,2,8,16)", (4, 4)), "(8,4):(1,8)"),
    "test_upcast_transpose_layout": (
        "upcast", ("((4,8),(16,2)):((256,16),(1,128))", 16), "((4,8),(1,2)):((16,1),(1,8))",
    ),
    "test_fig5_slice_inner_row_and_first_col_modes": ("coalesce", ("(2,2,2):(1,2,100)",), "(2,(2,2)):(1,(2,100))"),
    "test_layout_slice": ("coalesce", ("4:1",), "(4):(1)"),
}  # fmt: skip

# The rest are differences of convention.
OTHERWISE = {
    "what is no operand is refused by another exception, or is one here": """test_layout_type_validation
        test_layout_rejects_negative_shape_extents test_compose_divisibility_failures_match_pycute
        test_coordinate_validation test_logical_divide_rejects_over_rank_tiler test_tile_type_checking
        test_logical_product_rejects_nondivisible_complement_path test_make_ordered_layout_rejects_invalid_order
        test_make_ordered_layout_scalar_rejects_invalid_order test_s3_3_3_stride_violation_raises
        test_s3_3_3_apparent_violation_fail_left_raises test_s3_3_3_apparent_violation_fail_right_raises""",
    "the text or the object is another": """test_tile_repr test_layout_repr_scalar test_layout_repr_tuple
        test_layout_repr_hierarchical test_layout_repr_swizzled test_layout_str_scalar test_layout_str_tuple
        test_layout_str_swizzled test_composed_layout_repr test_logical_product_none""",
    "a layout has one mode at least": """test_tuple_empty test_is_empty test_layout_basic test_layout_squeeze
        test_layout_filter test_sort_layouts test_coalesce_layouts""",
    "a bound that is a shape is its size, and is not rounded up by mode": "test_complement_layouts",
    "len, iteration, rank of a number and idx2crd are those of CuTe": """test_layout_len test_layout_iter_protocol
        test_tuple_scalar test_idx2crd_crd2flat_crd2offset test_idx2crd_accepts_layout""",
    "a swizzled operand is refused, and linear() names one that is not": """
        test_complement_consumes_corrected_swizzled_cosize test_right_inverse_preserves_embedded_swizzle
        test_left_inverse_preserves_embedded_swizzle test_compose_layout_with_swizzled_layout
        test_compose_layout_with_swizzled_layout_nontrivial
        test_max_common_swizzled_vs_plain_is_representation_invariant
        test_max_common_identical_swizzles_match_across_representations
        test_max_common_reverse_swizzle_exact_form_matches_plain_layout
        test_table5_right_inverse_binary_swizzle test_table6_left_inverse_binary_swizzle""",
    "a tiler has a mode for each of the layout's, None to keep one": """test_compose_tile_partial_modes
        test_compose_shape_tiler_variants""",
    "make_layout_like is CuTe's, of one layout": """test_make_layout_like_basic test_make_layout_like_partial
        test_make_layout_like_with_layout_tiler test_make_layout_like_int_tiler
        test_make_layout_like_rejects_incompatible_tiler_shape
        test_make_layout_like_rejects_incompatible_nested_tiler_shape""",
}
KNOWN = {name: sentence for sentence, names in OTHERWISE.items() for name in names.split()}
KNOWN.update({name: "theirs is wrong" for name in (*WRONG, *REFUSED)})
KNOWN.update({name: "the same function, in other modes" for name in OTHER_MODES})


def test_theirs_is_wrong():
    for name, (operation, operands, theirs, at) in WRONG.items():
        verdict = check(operation, operands, theirs)
        assert not verdict and at == (verdict.expected if verdict.coordinate is None else verdict.coordinate), name
    for name, case in {**REFUSED, **OTHER_MODES}.items():
        assert check(*case), name


def named(variable):
    path = os.environ.get(variable)
    if path is None or not pathlib.Path(path).exists():
        pytest.skip(f"{variable} names no tests to run")
    return pathlib.Path(path)


@pytest.mark.parametrize("variable,files", [
    ("PYCUTE_TESTS", "test_*.py"),
    ("TENSOR_LAYOUTS_TESTS", "layouts.py external.py paper_examples.py"),
])  # fmt: skip
def test_suite(variable, files, tmp_path):
    folder, report = named(variable), tmp_path / "report.xml"
    paths = [path for pattern in files.split() for path in sorted(folder.glob(pattern))]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "names", f"--junitxml={report}", *paths]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(PEERS)}, stdout=subprocess.DEVNULL)
    counts, unknown = Counter(), {}
    for case in ElementTree.parse(report).iter("testcase"):
        name, failure = case.get("name").partition("[")[0], case.find("failure")
        if case.find("error") is not None or (failure is None and case.find("skipped") is not None):
            unknown[name] = "it did not run"
        elif failure is None:
            counts["passed"] += 1
        elif name in KNOWN:
            counts[KNOWN[name]] += 1
        elif failure.get("message").startswith(("names.NotOurs", "NameError", "AttributeError")):
            counts["not of this module"] += 1
        else:
            unknown[name] = failure.get("message")
    print(sum(counts.values()), dict(counts))
    assert counts["passed"] > 0 and not unknown, unknown


def test_notebook():
    """The cells' output against CuTe DSL's, except for lines with values unknown at compile time."""
    cells = json.loads(named("CUTE_DSL_NOTEBOOK").read_text())["cells"]
    sys.path.insert(0, str(PEERS))
    before, compared = set(sys.modules), 0
    try:
        import names

        own = {}
        for cell in cells:
            if cell["cell_type"] == "code":
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec("".join(cell["source"]), own)
                theirs = "".join(text for output in cell["outputs"] for text in output["text"]).splitlines()
                ours = out.getvalue().splitlines()
                assert len(ours) == len(theirs)
                for line, mine in zip(sorted(theirs), sorted(ours)):
                    if "(?" not in line and "?)" not in line and "<cutlass" not in line:
                        compared += 1
                        # CuTe keeps dynamic modes of extent 1.
                        (name, _, layout), (own_name, _, own_layout) = line.rpartition(" "), mine.rpartition(" ")
                        assert line == mine or name == own_name and check("coalesce", own_layout, layout), (line, mine)
    finally:
        sys.path.remove(str(PEERS))
        for name in set(sys.modules) - before:
            del sys.modules[name]
    print(compared, "lines")
    assert compared > 0
