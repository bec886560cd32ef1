"""Every public name has a docstring; the examples of docstrings, of the guide and of the README run."""

import doctest
import inspect
import re

import layout_algebra as la
import pytest

from conftest import ROOT

CLASSES = [la.Layout, la.Swizzle, la.Tiler, la.Xor, la.Picture, la.Mma, la.Verdict]
CLASSES += [la.BankModel, la.CopyAtom, la.formats.Format]
# Members that the example of their class shows.
SHOWN = {
    "Layout": {"rank", "depth"}, "Swizzle": {"bits", "base", "shift"}, "Tiler": {"rank", "depth"}, "Xor": {"number"},
    "Picture": {"show"}, "Mma": {"name", "a", "b", "c"}, "Verdict": set(), "BankModel": {"lanes", "banks"},
    "CopyAtom": {"name", "threads", "source", "destination"}, "Format": {"name", "elements", "bytes"},
}  # fmt: skip


def docs():
    yield "layout_algebra", la.__doc__
    for name in la.__all__:
        yield name, getattr(la, name).__doc__
    for kind in CLASSES:
        for name, member in vars(kind).items():
            if not name.startswith("_"):
                yield f"{kind.__name__}.{name}", member.__doc__


@pytest.mark.parametrize("name,text", list(docs()), ids=lambda value: value if value and "\n" not in value else "doc")
def test_examples_run(name, text):
    kind, _, member = name.partition(".")
    if not text or ">>>" not in text:
        assert member in SHOWN.get(kind, ()) or name in ("operations", "copy_atom_names"), f"{name} has no example"
        return
    found = doctest.DocTestParser().get_doctest(inspect.cleandoc(text), dict(vars(la)), name, None, 0)
    out = []
    failed, tried = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(found, out=out.append)
    assert tried > 0 and failed == 0, "".join(out)


@pytest.mark.parametrize("page", ["src/guide/from_python.md", "crates/layout-python/README.md"])
def test_programs_of_a_page_run(page):
    programs = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
    assert programs
    names = {}
    for program in programs:
        exec(compile(program, page, "exec"), names)
