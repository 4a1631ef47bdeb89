"""Kernels, constants and the plan of a model as files."""

import json
import os
from typing import Any

import numpy as np
import onnx

from convoy._native import Error
from convoy.onnx._emit import Operand
from convoy.onnx._graph import Graph
from convoy.onnx._kernel import Kernel, Part
from convoy.onnx._plan import Plan


def _describe_operand(kernel: Kernel, operand: Operand) -> dict[str, Any]:
    described: dict[str, Any] = {"name": operand.name, "shape": list(operand.shape)}
    if operand.constant is not None:
        return described | {"file": _get_file(kernel, operand)}
    return described | {"value": operand.value, "channels": operand.order}


def _get_file(kernel: Kernel, operand: Operand) -> str:
    return f"{kernel.name}.{operand.name}.npy"


def _describe_kernel(kernel: Kernel) -> dict[str, Any]:
    operands = [_describe_operand(kernel, operand) for operand in kernel.operands]
    return {
        "kernel": kernel.name,
        "file": f"{kernel.name}.mlir",
        "nodes": list(kernel.nodes),
        "folded": list(kernel.folded),
        "operands": operands[:-1],
        "result": operands[-1],
    }


def _describe_part(part: Part, name: str) -> dict[str, Any]:
    return {
        "file": name,
        "nodes": list(part.nodes),
        "inputs": list(part.inputs),
        "outputs": list(part.outputs),
    }


def _write_kernel(kernel: Kernel, folder: str) -> None:
    with open(os.path.join(folder, f"{kernel.name}.mlir"), "w", encoding="utf-8") as file:
        file.write(kernel.text)
    for operand in kernel.operands:
        if operand.constant is not None:
            path = os.path.join(folder, _get_file(kernel, operand))
            np.save(path, np.ascontiguousarray(operand.constant))


def _write_steps(plan: Plan, folder: str) -> list[dict[str, Any]]:
    steps = []
    for step in plan.steps:
        if isinstance(step, Kernel):
            _write_kernel(step, folder)
            steps.append(_describe_kernel(step))
            continue
        name = f"part{plan.parts.index(step)}.onnx"
        onnx.save(plan.make_model(step), os.path.join(folder, name))
        steps.append(_describe_part(step, name))
    return steps


def export(graph: Graph, plan: Plan, model: str, folder: str) -> None:
    """Writes all files of a model into `folder`, which is made. The plan is the
    last."""
    try:
        os.makedirs(folder, exist_ok=True)
        description = {
            "model": model,
            "inputs": {name: graph.get_shape(name) for name in graph.inputs},
            "outputs": graph.outputs,
            "steps": _write_steps(plan, folder),
            "left": plan.refusals,
        }
        with open(os.path.join(folder, "plan.json"), "w", encoding="utf-8") as file:
            json.dump(description, file, indent=2)
            file.write("\n")
    except OSError as error:
        raise Error(f"cannot write '{error.filename or folder}': {error.strerror}") from None
