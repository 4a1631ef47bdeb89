"""Shared objects with kernels, and the manifests that describe them."""

import json
import os
from typing import Any, TypeVar

from convoy import _arrays, _native
from convoy._arrays import Argument, Array
from convoy._checks import get_reason, show
from convoy._native import Error

Kind = TypeVar("Kind")

#: What manifests call how their kernels are called; see docs/Kernels.md.
_ABI = 1
#: The most bytes of a workspace and elements of a dimension.
_MOST = 2**62


class ManifestError(Exception):
    """What a manifest has that convoy-compile does not write, as in "has 7 for 'type'"."""


def get_field(entry: object, name: str, kind: type[Kind]) -> Kind:
    """The field `name` of an object of a manifest."""
    if not isinstance(entry, dict):
        raise ManifestError(f"has {show(entry)} where an object with '{name}' stands")
    if name not in entry:
        raise ManifestError(f"lacks '{name}'")
    value = entry[name]
    # A bool is an int to Python.
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ManifestError(f"has {show(value)} for '{name}'")
    return value


def _get_number(entry: object, name: str) -> int:
    number = get_field(entry, name, int)
    if not 0 <= number < _MOST:
        raise ManifestError(f"has {show(number)} for '{name}'")
    return number


def get_shape(entry: object) -> tuple[int, ...]:
    """The field `shape`, the sizes of an array."""
    shape = get_field(entry, "shape", list)
    return tuple(_get_number({"shape": size}, "shape") for size in shape)


def get_texts(entry: object, name: str) -> list[str]:
    """The field `name`, a list of texts."""
    return [get_field({name: text}, name, str) for text in get_field(entry, name, list)]


class LoadedKernel:
    """A kernel of a shared object: see `convoy.load`."""

    def __init__(self, library: _native.Library, entry: dict[str, Any]) -> None:
        self.name = get_field(entry, "entry", str)
        if get_field(entry, "sizes", list):
            raise Error(
                f"expected kernels of static sizes, but '{self.name}' has sizes that a call gives"
            )
        self._library = library
        types = _get_problem_types(entry)
        fields = get_field(entry, "arguments", list)
        arguments = [_read_argument(self.name, argument, types) for argument in fields]
        writes = [get_field(argument, "access", str) == "write" for argument in fields]
        self._inputs = [one for one, is_written in zip(arguments, writes) if not is_written]
        self._outputs = [one for one, is_written in zip(arguments, writes) if is_written]
        library.add(self.name, _get_number(get_field(entry, "workspace", dict), "bytes"))

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The operands in the order of a call, then the results."""
        return (*self._inputs, *self._outputs)

    def __call__(self, *operands: object, out: object = None) -> Array | tuple[Array, ...]:
        """Runs the kernel, as `convoy.Kernel.__call__` does. Several results are
        a tuple, and `out` is one as well."""
        inputs = _arrays.prepare_inputs(operands, self._inputs)
        outputs = _arrays.prepare_outputs(out, self._outputs, inputs)
        arrays = [*inputs, *outputs]
        sizes = [array.nbytes for array in arrays]
        self._library.launch(self.name, _arrays.get_addresses(arrays), sizes)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)


class Library:
    """The kernels of a shared object by their names: see `convoy.load`."""

    def __init__(self, kernels: dict[str, LoadedKernel]) -> None:
        self._kernels = kernels

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names of all kernels, in the order of the manifest."""
        return tuple(self._kernels)

    def __getitem__(self, name: str) -> LoadedKernel:
        """The kernel of that name. Raises `convoy.Error` where there is none."""
        if name in self._kernels:
            return self._kernels[name]
        raise Error(f"expected one of {', '.join(self._kernels)}, but got '{name}'")

    def __call__(
        self, name: str, *operands: object, out: object = None
    ) -> Array | tuple[Array, ...]:
        """Calls the kernel of that name: see `LoadedKernel.__call__`."""
        return self[name](*operands, out=out)


def _get_problem_types(entry: dict[str, Any]) -> dict[str, str]:
    """The types of a problem's arguments by their names: a manifest does not
    tell unsigned bytes from others."""
    if "problem" not in entry:
        return {}
    problem = _native.Problem(get_field(entry, "problem", str), [])
    return {argument.name: argument.type for argument in problem.arguments}


def _read_argument(kernel: str, entry: dict[str, Any], types: dict[str, str]) -> Argument:
    name, type_name = get_field(entry, "name", str), get_field(entry, "type", str)
    if "shape" not in entry:
        raise Error(f"expected arrays as operands of '{kernel}', but '{name}' is a number")
    try:
        dtype = _arrays.get_dtype(types.get(name, type_name))
    except KeyError:
        raise ManifestError(f"has {show(type_name)} for 'type'") from None
    layout = get_field(entry, "layout", str) if "layout" in entry else ""
    return Argument(name, dtype, layout, get_shape(entry))


def read_manifest(path: str) -> dict[str, Any]:
    """The manifest in a file, which is of kernels for the CPU."""
    try:
        with open(path, encoding="utf-8") as file:
            manifest = json.load(file)
    except (OSError, ValueError) as error:
        raise Error(f"cannot read '{path}': {get_reason(error)}") from None
    if not isinstance(manifest, dict) or not {"abi", "kernels", "sha256", "target"} <= manifest.keys():
        raise Error(f"expected a manifest that convoy-compile wrote, but got '{path}'")
    if manifest["abi"] != _ABI:
        raise Error(f"expected kernels of ABI {_ABI}, but '{path}' has {show(manifest['abi'])}")
    if manifest["target"] != "cpu":
        target = manifest["target"]
        shown = target if isinstance(target, str) and target.isalnum() else show(target)
        raise Error(f"expected kernels for cpu, but '{path}' has some for {shown}")
    return manifest


def load(path: str | os.PathLike[str], manifest: str | os.PathLike[str]) -> Library:
    """Loads the shared object `path`, with kernels for this CPU, and the manifest
    that was written with it, by `Kernel.save` or by convoy-compile.

    Raises `convoy.Error` where a file cannot be read, where they do not belong
    together, or where kernels may have instructions that this CPU lacks. Kernels
    have static sizes.
    """
    description = read_manifest(os.fspath(manifest))
    try:
        library = _native.Library(
            os.fspath(path),
            get_field(description, "sha256", str),
            get_field(description, "triple", str),
            get_texts(description, "features"),
        )
        entries = get_field(description, "kernels", list)
        kernels = [LoadedKernel(library, entry) for entry in entries]
    except ManifestError as error:
        raise Error(
            f"expected a manifest that convoy-compile wrote, but '{os.fspath(manifest)}' {error}"
        ) from None
    return Library({kernel.name: kernel for kernel in kernels})
