"""Runs convoy-example-vulkan with mutated manifests and SPIR-V.

usage: mutate.py PROGRAM FILE.spv MANIFEST FOLDER COUNT [SEED]

Each mutant has some numbers, texts, keys or words changed; the manifest's digest
fits the file, so that what comes behind that check is reached. Whatever it is
given, the program ends by itself within 20 s and says in one line what is wrong.
Prints how often it ended with which code; fails where it ended otherwise.
"""

import collections
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[3] / "Python"))
sys.dont_write_bytecode = True
from manifests import NUMBERS, mutate_manifest


def mutate_binary(binary, rng):
    words = bytearray(binary)
    for _ in range(rng.choice([1, 1, 2, 4])):
        place = rng.randrange(len(words) // 4) * 4
        kind = rng.random()
        if kind < 0.4:
            words[place + rng.randrange(4)] ^= 1 << rng.randrange(8)
        elif kind < 0.7:
            other = rng.randrange(len(words) // 4) * 4
            words[place : place + 4] = words[other : other + 4]
        elif kind < 0.9:
            words[place : place + 4] = rng.choice(NUMBERS[:11]).to_bytes(4, "little")
        else:
            del words[place : place + rng.choice([4, 16])]
    return bytes(words)


def main(program, binary_path, manifest_path, folder, count, seed=0):
    rng = random.Random(int(seed))
    with open(binary_path, "rb") as file:
        binary = file.read()
    with open(manifest_path) as file:
        manifest = json.load(file)
    os.makedirs(folder, exist_ok=True)
    paths = os.path.join(folder, "mutant.spv"), os.path.join(folder, "mutant.json")
    environment = {**os.environ, "CONVOY_VULKAN_TIMEOUT": "2"}
    codes = collections.Counter()
    for number in range(int(count)):
        spirv, described = binary, manifest
        if rng.random() < 0.6:
            described = mutate_manifest(manifest, rng)
        else:
            spirv = mutate_binary(binary, rng)
        if isinstance(described.get("sha256"), str):
            described = {**described, "sha256": hashlib.sha256(spirv).hexdigest()}
        with open(paths[0], "wb") as file:
            file.write(spirv)
        with open(paths[1], "w") as file:
            json.dump(described, file)
        try:
            ended = subprocess.run(
                [program, *paths], capture_output=True, timeout=20, env=environment
            )
        except subprocess.TimeoutExpired:
            sys.exit(f"mutant {number} of seed {seed} did not end: see {folder}")
        lines = ended.stderr.decode(errors="replace").count("\n")
        code = ended.returncode
        if code not in (0, 1, 2, 3) or (code in (1, 3) and lines != 1):
            print(ended.stderr.decode(errors="replace"))
            sys.exit(f"mutant {number} of seed {seed} ended with {code}: see {folder}")
        codes[code] += 1
    print(" ".join(f"{code}: {times}" for code, times in sorted(codes.items())))
    print(f"{count} mutants ended as they should")


main(*sys.argv[1:])
