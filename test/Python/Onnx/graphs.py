"""Small models, and runs of them."""

import numpy as np
import onnx
from onnx import helper, numpy_helper

import convoy.onnx


def make_model(nodes, inputs, constants, outputs, opset=None, domains=()):
    """A model; `inputs` are shapes, or types and shapes, by names, and `outputs` names,
    or types by names."""
    opset = opset or convoy.onnx.OPSETS[-1]
    values = []
    for name, shape in inputs.items():
        dtype = np.dtype(np.float32)
        if isinstance(shape, tuple) and shape and not isinstance(shape[0], (int, str)):
            dtype, shape = np.dtype(shape[0]), shape[1]
        number = helper.np_dtype_to_tensor_dtype(dtype)
        values.append(helper.make_tensor_value_info(name, number, shape))
    imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(one, 1) for one in domains)]
    graph = helper.make_graph(
        list(nodes),
        "graph",
        values,
        [onnx.ValueInfoProto(name=name) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    for output in graph.output:
        dtype = np.dtype(outputs[output.name] if isinstance(outputs, dict) else np.float32)
        output.type.tensor_type.elem_type = helper.np_dtype_to_tensor_dtype(dtype)
    model = helper.make_model(graph, opset_imports=imports)
    model.ir_version = helper.find_min_ir_version_for(imports[:1])
    return model


def draw_integers(shape, seed=0, most=3, dtype=np.float32):
    """Small whole numbers, sums of which are exact."""
    return np.random.default_rng(seed).integers(-most, most + 1, shape).astype(dtype)


def draw_normal(shape, seed=0, dtype=np.float32):
    """Numbers around zero."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def draw_inputs(model, draw=draw_integers):
    """An array for each input of a model of convoy."""
    return {name: draw(shape, seed) for seed, (name, shape) in enumerate(model.inputs.items(), 1)}


def run_both(proto, inputs=None, draw=draw_integers, **options):
    """The session of a model, its outputs, and those of ONNX Runtime."""
    model = convoy.onnx.load(proto, shapes=options.pop("shapes", None))
    session = model.compile(**options)
    inputs = inputs or draw_inputs(model, draw)
    return session, session.run(inputs), session.run_reference(inputs)


def check_equal(proto, inputs=None, draw=draw_integers, **options):
    """Runs a model; its outputs are ONNX Runtime's, bit for bit. Returns the plan."""
    session, found, expected = run_both(proto, inputs, draw, **options)
    assert found.keys() == expected.keys()
    for name in expected:
        np.testing.assert_array_equal(found[name], expected[name])
        assert found[name].dtype == expected[name].dtype
    return session.plan


def check_within_bounds(proto, inputs=None, draw=draw_normal, **options):
    """Each kernel of a model is within its error bounds. Returns the plan."""
    model = convoy.onnx.load(proto, shapes=options.pop("shapes", None))
    session = model.compile(**options)
    reports = session.check(inputs or draw_inputs(model, draw))
    assert [report.kernel for report in reports] == [one.name for one in session.plan.kernels]
    for report in reports:
        assert report.passed, str(report)
    return session.plan
