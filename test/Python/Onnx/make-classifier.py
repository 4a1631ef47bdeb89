"""Writes a small model that begins like PP-OCR's classifier: a stem and a depthwise
convolution, squeeze and excitation, and behind it layers with a residual. What is left
to others, and the names of values, are those of the real one.

usage: make-classifier.py FILE
"""

import sys

import onnx
from graphs import draw_normal, make_model
from onnx import helper

CONSTANTS = {}


def conv(reads, made, shape, seed, **attributes):
    filter, bias = f"filter{seed}", f"bias{seed}"
    CONSTANTS[filter] = draw_normal(shape, seed) / (shape[1] * shape[2] * shape[3]) ** 0.5
    CONSTANTS[bias] = draw_normal(shape[:1], 100 + seed)
    return helper.make_node("Conv", [reads, filter, bias], [made], **attributes)


def node(op, reads, made, **attributes):
    return helper.make_node(op, reads.split(), [made], **attributes)


NODES = [
    conv("x", "a0", (8, 3, 3, 3), 0, strides=[2, 2], pads=[1, 1, 1, 1]),
    node("HardSwish", "a0", "hardswish_0.tmp_0"),
    conv("hardswish_0.tmp_0", "a1", (8, 8, 1, 1), 1),
    node("Relu", "a1", "relu_0.tmp_0"),
    conv("relu_0.tmp_0", "a2", (8, 1, 3, 3), 2, group=8, strides=[2, 1], pads=[1, 1, 1, 1]),
    node("Relu", "a2", "relu_1.tmp_0"),
    node("GlobalAveragePool", "relu_1.tmp_0", "pool2d_0.tmp_0"),
    conv("pool2d_0.tmp_0", "a3", (2, 8, 1, 1), 3),
    node("Relu", "a3", "relu_2.tmp_0"),
    conv("relu_2.tmp_0", "a4", (8, 2, 1, 1), 4),
    node("HardSigmoid", "a4", "hardsigmoid_0.tmp_0"),
    node("Mul", "relu_1.tmp_0 hardsigmoid_0.tmp_0", "tmp_0"),
    conv("tmp_0", "batch_norm_3.tmp_2", (6, 8, 1, 1), 5),
    conv("batch_norm_3.tmp_2", "a6", (24, 6, 1, 1), 6),
    node("Relu", "a6", "relu_3.tmp_0"),
    conv("relu_3.tmp_0", "a7", (24, 1, 3, 3), 7, group=24, pads=[1, 1, 1, 1]),
    node("Relu", "a7", "relu_4.tmp_0"),
    conv("relu_4.tmp_0", "a8", (6, 24, 1, 1), 8),
    node("Add", "a8 batch_norm_3.tmp_2", "elementwise_add_0"),
    conv("elementwise_add_0", "a9", (16, 6, 1, 1), 9),
    node("HardSwish", "a9", "hardswish_2.tmp_0"),
    node("GlobalAveragePool", "hardswish_2.tmp_0", "pool2d_10.tmp_0"),
    node("Softmax", "pool2d_10.tmp_0", "y", axis=1),
]

model = make_model(NODES, {"x": (1, 3, 12, 20)}, CONSTANTS, ["y"])
onnx.save(model, sys.argv[1])
