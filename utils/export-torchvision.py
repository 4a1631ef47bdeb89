"""Writes networks of torchvision, with random weights, as models of ONNX.

usage: export-torchvision.py DIR [NAME...]

Needs torch and torchvision (scripts/cross-check installs them). Sizes of inputs are
free, but for channels; weights follow from the name. docs/Onnx.md runs them.
"""

import pathlib
import sys
import warnings

import torch
from torch import nn
from torchvision import models

#: What is made, and how many spatial dimensions the input has.
NETWORKS = {
    "convnext": (models.convnext_tiny, 2),
    "lraspp": (models.segmentation.lraspp_mobilenet_v3_large, 2),
    "mobilenet": (models.mobilenet_v3_large, 2),
    "r3d": (models.video.r3d_18, 3),
    "resnet": (models.resnet50, 2),
}
OPSET = 17


class Plain(nn.Module):
    """A network whose output is one tensor."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        y = self.network(x)
        return y["out"] if isinstance(y, dict) else y


def randomize(network):
    """Statistics that normalizations could have: those of new ones do nothing."""
    for module in network.modules():
        if isinstance(module, (nn.BatchNorm2d, nn.BatchNorm3d)):
            nn.init.normal_(module.running_mean, 0, 0.1)
            nn.init.uniform_(module.running_var, 0.5, 1.5)


def export(name, path):
    make, rank = NETWORKS[name]
    torch.manual_seed(list(NETWORKS).index(name))
    weights = {"weights": None}
    if name == "lraspp":
        weights["weights_backbone"] = None
    network = Plain(make(**weights)).eval()
    randomize(network)
    axes = {0: "n"} | {axis + 2: letter for axis, letter in enumerate("dhw"[3 - rank :])}
    x = torch.randn(1, 3, *(32,) * rank)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # The exporter that needs no other packages.
        torch.onnx.export(
            network,
            (x,),
            path,
            dynamo=False,
            opset_version=OPSET,
            input_names=["x"],
            output_names=["y"],
            dynamic_axes={"x": axes},
        )


def main(words):
    if not words or not set(words[1:]) <= set(NETWORKS):
        sys.exit(f"usage: export-torchvision.py DIR [NAME...], of {', '.join(NETWORKS)}")
    folder = pathlib.Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name in words[1:] or NETWORKS:
        path = folder / f"{name}.onnx"
        export(name, path)
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
