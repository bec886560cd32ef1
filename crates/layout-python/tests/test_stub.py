"""The stub has every public name with its parameters, and no other."""

import ast
import inspect
import pathlib

import layout_algebra as la

HERE = pathlib.Path(la.__file__).parent


def parameters(function):
    names = function.args
    names = [name.arg for name in (*names.posonlyargs, *names.args, *filter(None, [names.vararg, names.kwarg]))]
    return [name for name in names if name not in ("self", "cls")]


def of(function):
    return [name for name in inspect.signature(function).parameters if name not in ("self", "_class")]


def test_names_and_parameters():
    assert (HERE / "py.typed").exists()
    tree = ast.parse((HERE / "__init__.pyi").read_text())
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    assert sorted([*functions, *classes]) == sorted({*la.__all__, "filter"} - {"formats"})
    # What type checkers take of `from layout_algebra import *`.
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    listed = {node.targets[0].id: node.value for node in assigned}["__all__"]
    assert ast.literal_eval(listed) == la.__all__
    for name, node in functions.items():
        assert parameters(node) == of(getattr(la, name)), name
    for name in ("Layout", "Swizzle", "Tiler", "Xor", "Picture", "Mma", "BankModel", "CopyAtom"):
        kind, members = getattr(la, name), {}
        for node in classes[name].body:
            members[node.name] = node
        public = {member for member in vars(kind) if not member.startswith("_")}
        assert public == {member for member in members if not member.startswith("_")}, name
        for member in public:
            if callable(getattr(kind, member)):
                assert parameters(members[member]) == of(getattr(kind, member)), f"{name}.{member}"
