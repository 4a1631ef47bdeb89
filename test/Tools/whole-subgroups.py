"""Fails where workgroups of a manifest's launches are no whole subgroups.

usage: whole-subgroups.py SIZE MANIFEST
"""

import json
import math
import pathlib
import sys

subgroup = int(sys.argv[1])
launches = [
    launch
    for kernel in json.loads(pathlib.Path(sys.argv[2]).read_text())["kernels"]
    for launch in kernel["launches"]
]
parts = [
    f"{launch['symbol']}: {launch['workgroup_size']}"
    for launch in launches
    if math.prod(launch["workgroup_size"]) % subgroup
]
print(f"{len(launches)} launches", *parts, sep="\n")
sys.exit(bool(parts) or not launches)
