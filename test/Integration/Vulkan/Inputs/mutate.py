"""Runs convoy-example-vulkan with mutated manifests and SPIR-V.

usage: mutate.py PROGRAM FILE.spv MANIFEST FOLDER COUNT [SEED]

Each mutant has some numbers, texts, keys or words changed; the manifest's digest
fits the file, so that what comes behind that check is reached. Whatever it is
given, the program ends by itself within 20 s and says in one line what is wrong.
Prints how often it ended with which code; fails where it ended otherwise.
"""

import collections
import copy
import hashlib
import json
import os
import random
import subprocess
import sys

NUMBERS = [0, 1, 2, 3, 7, 255, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32]
NUMBERS += [2**40, 2**63 - 1, 2**63, 2**64 - 1, 10**30, -1, -(2**63), 0.5, 1e300]
OTHERS = [None, True, False, "", "f32", "nchw", "x" * 300, [], {}, [0], {"a": 1}]


def places(value, found):
    """All containers of `value` with each of their keys."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        found.append((value, key))
        if isinstance(inner, (dict, list)):
            places(inner, found)
    return found


def mutate_manifest(manifest, rng):
    manifest = copy.deepcopy(manifest)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        holder, key = rng.choice(places(manifest, []))
        kind = rng.random()
        if kind < 0.15:
            del holder[key]
        elif kind < 0.3:
            holder[key] = rng.choice(OTHERS)
        elif kind < 0.45 and isinstance(holder[key], str) and holder[key]:
            letters = list(holder[key])
            rng.shuffle(letters)
            holder[key] = "".join(letters)
        elif kind < 0.55:
            holder[key] = [copy.deepcopy(holder[key])] * rng.choice([1, 2, 1000])
        else:
            holder[key] = rng.choice(NUMBERS)
    return manifest


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
