"""Writes a model of four nodes.

usage: make-model.py FILE
"""

import sys

import onnx
from graphs import draw_normal, make_model
from onnx import helper

NODES = [
    helper.make_node("Conv", ["x", "w"], ["a"], "layer"),
    helper.make_node("Sigmoid", ["a"], ["s"]),
    helper.make_node("Mul", ["a", "s"], ["b"]),
    helper.make_node("LpPool", ["b"], ["y"], "pool", kernel_shape=[2, 2], p=1),
]

model = make_model(NODES, {"x": ("n", 3, "h", "w")}, {"w": draw_normal((5, 3, 3, 2))}, ["y"])
onnx.save(model, sys.argv[1])
