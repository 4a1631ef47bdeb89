"""Memory that the results of kernels share."""

import itertools

import numpy as np
from graphs import draw_normal, make_model
from onnx import helper

import convoy.onnx


def make_network():
    """Convolutions one behind the other, a sum of the first and the last, and outputs
    in the middle."""
    names = "xabcde"
    nodes = [
        helper.make_node("Conv", [read, f"w{write}"], [write], write, pads=[1, 1, 1, 1])
        for read, write in itertools.pairwise(names)
    ]
    nodes.append(helper.make_node("Add", ["e", "a"], ["y"]))
    constants = {f"w{name}": draw_normal((3, 3, 3, 3), 7 + ord(name)) for name in names[1:]}
    return make_model(nodes, {"x": (1, 3, 9, 7)}, constants, ["c", "y"])


def test_results_take_the_place_of_others():
    x = draw_normal((1, 3, 9, 7), 5)
    session = convoy.onnx.compile(make_network())
    addresses = {step.result.ctypes.data for step in session.steps}
    # The sum with the first is the fifth kernel's.
    assert len(session.steps) == 5 and len(addresses) == 4
    assert all(address % 64 == 0 for address in addresses)
    expected = session.run_reference({"x": x})
    first = session.run({"x": x})
    session.run({"x": 2 * x})
    for name, value in session.run({"x": x}).items():
        np.testing.assert_allclose(value, expected[name], rtol=1e-4, atol=1e-4)
        np.testing.assert_array_equal(value, first[name])


def test_traced_values_are_kept():
    x = draw_normal((1, 3, 9, 7), 5)
    network = make_network()
    traced = convoy.onnx.compile(network).trace({"x": x}, ["all"])
    for name in "abcd":
        alone = make_network()
        del alone.graph.output[:]
        alone.graph.output.append(helper.make_tensor_value_info(name, 1, None))
        found = convoy.onnx.compile(alone).run({"x": x})[name]
        np.testing.assert_array_equal(traced[name], found)
