"""_native.pyi says what the module in C++ has: the same names and arguments."""

import ast
import pathlib

import pytest

import convoy
from convoy import _native

STUB = ast.parse(pathlib.Path(convoy.__file__).with_name("_native.pyi").read_text())
CLASSES = [node for node in STUB.body if isinstance(node, ast.ClassDef)]
FUNCTIONS = [node for node in STUB.body if isinstance(node, ast.FunctionDef)]


def get_arguments(function):
    """The names of a function's arguments, by nanobind's signature of it."""
    (signature, *_), *others = function.__nb_signature__
    assert not others
    (node,) = ast.parse(signature + ": ...").body
    return [argument.arg for argument in node.args.args]


def expect_same_arguments(stub, function):
    assert [argument.arg for argument in stub.args.args] == get_arguments(function)


def is_property(node):
    return any(isinstance(name, ast.Name) and name.id == "property" for name in node.decorator_list)


def test_names():
    names = {node.name for node in CLASSES + FUNCTIONS} | {"MAX_THREADS"}
    assert names == {name for name in vars(_native) if not name.startswith("__")}


@pytest.mark.parametrize("stub", FUNCTIONS, ids=lambda node: node.name)
def test_functions(stub):
    expect_same_arguments(stub, getattr(_native, stub.name))


@pytest.mark.parametrize("stub", CLASSES, ids=lambda node: node.name)
def test_classes(stub):
    runtime = getattr(_native, stub.name)
    members = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    public = {name for name in vars(runtime) if not name.startswith("_")}
    assert {name for name in members if not name.startswith("_")} == public
    for name, member in members.items():
        if is_property(member):
            assert isinstance(vars(runtime)[name], property)
        else:
            expect_same_arguments(member, vars(runtime)[name])
