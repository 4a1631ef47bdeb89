"""ONNX's own cases of convolutions, deformable ones too, samples and Col2Im."""

import pathlib
import warnings

import numpy as np
import onnx
import pytest
from onnx.backend.test.case.node import collect_testcases
from onnx.backend.test.loader import load_model_tests

import convoy.onnx

# What ONNX Runtime has none of.
REFUSED = {"test_convinteger_with_padding": "Non per-tensor quantization is not supported"}

OPS = {"Col2Im", "Conv", "ConvInteger", "ConvTranspose", "DeformConv", "GridSample", "QLinearConv"}


def load_tensors(folder, kind):
    count = len(list(folder.glob(f"{kind}_*.pb")))
    tensors = [onnx.load_tensor(folder / f"{kind}_{i}.pb") for i in range(count)]
    return [onnx.numpy_helper.to_array(tensor) for tensor in tensors]


def keep_sizes(model, data_sets):
    """A Col2Im reads sizes, which are inputs of the cases: makes constants of these,
    which kernels want to know."""
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    kept = [value.type.tensor_type.elem_type != onnx.TensorProto.INT64 for value in model.graph.input]
    for value, array, is_kept in zip(model.graph.input, data_sets[0][0], kept):
        if not is_kept:
            changed.graph.input.remove(value)
            changed.graph.initializer.append(onnx.numpy_helper.from_array(array, value.name))
    return changed, [
        ([array for array, is_kept in zip(inputs, kept) if is_kept], outputs)
        for inputs, outputs in data_sets
    ]


def collect_cases():
    """Those of nodes, and the models that ONNX took over from PyTorch."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other cases, whose inputs overflow
        cases = collect_testcases(None)
    for case in cases:
        if case.model and OPS & {node.op_type for node in case.model.graph.node}:
            yield pytest.param(case.model, case.data_sets, case.rtol, case.atol, REFUSED.get(case.name), id=case.name)
    for kind in ("pytorch-converted", "pytorch-operator"):
        for case in sorted(load_model_tests(kind=kind), key=lambda case: case.name):
            folder = pathlib.Path(case.model_dir)
            model = onnx.load(folder / "model.onnx")
            if not OPS & {node.op_type for node in model.graph.node}:
                continue
            data = [
                (load_tensors(path, "input"), load_tensors(path, "output"))
                for path in sorted(folder.glob("test_data_set_*"))
            ]
            yield pytest.param(model, data, case.rtol, case.atol, REFUSED.get(case.name), id=case.name)


@pytest.mark.parametrize("target", ("cpu", "vulkan", "rocm-sim"))
@pytest.mark.parametrize("model, data_sets, rtol, atol, refused", list(collect_cases()))
def test_case(model, data_sets, rtol, atol, refused, target):
    if model.graph.node[0].op_type == "Col2Im":
        model, data_sets = keep_sizes(model, data_sets)
    # Opsets before these, and the one that is not out yet, mean the same here.
    version = model.opset_import[0].version
    version = min(max(version, convoy.onnx.OPSETS[0]), convoy.onnx.OPSETS[-1])
    model.opset_import[0].version = version
    session = convoy.onnx.compile(model, target=target)
    assert session.plan.kernels and not session.plan.refusals
    for inputs, outputs in data_sets:
        given = dict(zip(convoy.onnx.load(model).inputs, inputs, strict=True))
        found = session.run(given)
        for value, right in zip(found.values(), outputs, strict=True):
            np.testing.assert_allclose(value, right, rtol=rtol, atol=atol)
        if refused:
            with pytest.raises(convoy.Error, match=refused):
                session.check(given)
        else:
            assert all(report.passed for report in session.check(given))
