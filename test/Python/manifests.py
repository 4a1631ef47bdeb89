"""Manifests with some numbers, texts, keys or words changed."""

import copy

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
        found = places(manifest, [])
        if not found:
            break
        holder, key = rng.choice(found)
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
