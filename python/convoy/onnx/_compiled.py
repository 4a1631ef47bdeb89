"""Models that were compiled before: their library, with ONNX Runtime for the rest."""

import hashlib
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx

from convoy import _library
from convoy._arrays import Argument
from convoy._checks import check_number, check_path, get_reason, show
from convoy._library import LoadedKernel, ManifestError, get_field, get_shape, get_texts
from convoy._native import MAX_THREADS, Error
from convoy.onnx._runtime import Runner, Value, as_stored, prepare_inputs, take_output


def _get_dtype(name: str) -> np.dtype[Any]:
    try:
        return np.dtype(name)
    except (TypeError, ValueError):
        raise ManifestError(f"has {show(name)} for a type") from None


class _Chain:
    """A function of the library that runs kernels one after the other."""

    def __init__(self, kernel: LoadedKernel, step: dict[str, Any]) -> None:
        self._kernel = kernel
        self._inputs = get_texts(step, "inputs")
        self._outputs = get_texts(step, "outputs")
        self._types = [_get_dtype(name) for name in get_texts(step, "types")]

    def run(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The values that it makes, as they lie."""
        found = self._kernel(*(as_stored(values[name]) for name in self._inputs))
        results = found if isinstance(found, tuple) else (found,)
        return {
            name: result.view(dtype)
            for name, result, dtype in zip(self._outputs, results, self._types)
        }


def _read_part(folder: str, step: dict[str, Any], threads: int) -> Runner:
    path = os.path.join(folder, get_field(step, "file", str))
    try:
        with open(path, "rb") as file:
            content = file.read()
    except (OSError, ValueError) as error:
        raise Error(f"cannot read '{path}': {get_reason(error)}") from None
    found = hashlib.sha256(content).hexdigest()
    wanted = get_field(step, "sha256", str)
    if found != wanted:
        raise Error(f"expected '{path}' to have the SHA-256 {wanted}, but got {found}")
    return Runner(onnx.ModelProto.FromString(content), threads)


def _read_input(name: str, known: dict[str, Any] | None) -> Argument | None:
    if known is None:
        return None
    return Argument(name, _get_dtype(get_field(known, "type", str)), "", get_shape(known))


class CompiledModel:
    """A model that was compiled before: see `convoy.onnx.load_compiled`.

    Threads may run one at once.
    """

    def __init__(
        self, library: _library.Library, model: dict[str, Any], folder: str, threads: int
    ) -> None:
        #: What the model's file was called.
        self.name = get_field(model, "name", str)
        self._outputs = get_texts(model, "outputs")
        self._inputs = {
            name: _read_input(name, known)
            for name, known in get_field(model, "inputs", dict).items()
        }
        self._steps: list[_Chain | Runner] = [
            _Chain(library[get_field(step, "chain", str)], step)
            if isinstance(step, dict) and "chain" in step
            else _read_part(folder, step, threads)
            for step in get_field(model, "steps", list)
        ]

    @property
    def inputs(self) -> dict[str, tuple[int, ...] | None]:
        """The shapes of the inputs by name; None for what is no tensor."""
        return {name: known.shape if known else None for name, known in self._inputs.items()}

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs."""
        return tuple(self._outputs)

    def run(self, inputs: Mapping[str, object]) -> dict[str, Value]:
        """Runs the model on arrays by the names of its inputs; returns its outputs
        by their names, as new arrays, as `Session.run` does."""
        values = prepare_inputs(inputs, self._inputs)
        for step in self._steps:
            values.update(step.run(values))
        return {name: take_output(values[name], name in self._inputs) for name in self._outputs}


def load_compiled(
    library: str | os.PathLike[str], manifest: str | os.PathLike[str], *, threads: int = 1
) -> CompiledModel:
    """Loads a model that `Model.save`, `Session.save` or convoy-import-onnx wrote: the
    shared object `library`, for this CPU, the manifest, and the files beside that for
    ONNX Runtime, which gets `threads`. Nothing is compiled.

    Raises `convoy.Error` where a file cannot be read, or where they do not belong
    together.
    """
    path = check_path(manifest, "manifest")
    number = check_number(threads, "threads", 1, MAX_THREADS)
    model = _library.read_manifest(path).get("model")
    if not isinstance(model, dict):
        raise Error(f"expected the manifest of a model, but '{path}' has kernels alone")
    loaded = _library.load(check_path(library, "library"), path)
    try:
        return CompiledModel(loaded, model, os.path.dirname(path), number)
    except ManifestError as error:
        raise Error(
            f"expected a manifest of a model that was saved, but '{path}' {error}"
        ) from None
