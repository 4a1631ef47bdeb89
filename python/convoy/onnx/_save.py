"""A model as one object or library for other programs."""

import hashlib
import json
import os
import warnings
from typing import Any, NamedTuple

import onnx

from convoy import _native
from convoy._checks import LIBRARY_ENDS, check_path
from convoy._native import Error
from convoy.onnx import _runtime
from convoy.onnx._graph import Graph
from convoy.onnx._kernel import Part
from convoy.onnx._network import Chain, Network
from convoy.onnx._plan import Plan


class Paths(NamedTuple):
    """Where files go; the header and the manifest may be empty."""

    output: str
    header: str
    manifest: str


def check_paths(output: object, header: object, manifest: object) -> Paths:
    """What a user says of files, checked."""
    paths = Paths(
        check_path(output, "output"),
        check_path(header, "header"),
        check_path(manifest, "manifest"),
    )
    if not paths.output.endswith(LIBRARY_ENDS):
        raise Error(f"expected a name that ends in .o, .a or .so, but got '{paths.output}'")
    return paths


class _Parts:
    """The files of what is left to ONNX Runtime, beside the manifest."""

    def __init__(self, manifest: str) -> None:
        folder, name = os.path.split(manifest)
        self._folder = folder
        self._stem = os.path.splitext(name)[0]
        #: Their content by path.
        self.files: dict[str, bytes] = {}

    def add(self, model: onnx.ModelProto) -> dict[str, Any]:
        """Adds a model; returns what the manifest says of it."""
        name = f"{self._stem}.part{len(self.files)}.onnx"
        content = model.SerializeToString()
        self.files[os.path.join(self._folder, name)] = content
        return {
            "file": name,
            "sha256": hashlib.sha256(content).hexdigest(),
            "inputs": [value.name for value in model.graph.input],
            "outputs": [value.name for value in model.graph.output],
        }


def _describe_step(
    step: Chain | Part, graph: Graph, plan: Plan, parts: _Parts
) -> dict[str, Any]:
    if isinstance(step, Chain):
        types = [graph.types[output].dtype.name for output in step.outputs]
        described = {"chain": step.name, "inputs": step.inputs, "outputs": step.outputs}
        return described | {"types": types}
    return parts.add(plan.make_model(step)) | {"nodes": step.nodes}


def _describe(
    graph: Graph, plan: Plan, network: Network, name: str, parts: _Parts
) -> dict[str, Any]:
    """What a manifest says of the model, whose parts are put into `parts`."""
    steps = [_describe_step(step, graph, plan, parts) for step in network.steps]
    constants = [output for output in graph.outputs if graph.is_constant(output)]
    if constants:
        steps.append(parts.add(_runtime.make_constants(graph, constants)))
    inputs = {
        name: known and {"type": known.dtype.name, "shape": known.shape}
        for name, known in _runtime.describe_inputs(graph).items()
    }
    return {
        "name": name,
        "inputs": inputs,
        "outputs": graph.outputs,
        "steps": steps,
        "left": plan.refusals,
    }


def save(
    graph: Graph,
    plan: Plan,
    name: str,
    paths: Paths,
    cpu: str,
    triple: str,
    threads: int,
    algorithm: str,
) -> None:
    """Compiles the kernels of a model and writes them, with what is left beside the
    manifest."""
    if not plan.kernels:
        raise Error("expected a convolution or samples to compile, but the model has none")
    stem = os.path.splitext(os.path.basename(paths.output))[0]
    network = Network(graph, plan, stem)
    parts = _Parts(paths.manifest)
    description = _describe(graph, plan, network, name, parts)
    lines = _native.save_network(
        network.text,
        name or stem,
        {
            key: (array.ctypes.data, array.nbytes)
            for key, array in network.constants.items()
        },
        json.dumps(description),
        cpu,
        triple,
        threads,
        algorithm,
        *paths,
        parts.files if paths.manifest else {},
    )
    for line in lines:
        warnings.warn(line, stacklevel=3)
