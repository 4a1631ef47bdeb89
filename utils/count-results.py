#!/usr/bin/env python3
"""Sums lit's results into one line: `N passed, N failed[, N skipped]`.

Exits with 1 if a test failed or none passed.
"""

import json
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main(path):
    try:
        with open(path) as file:
            codes = [test["code"] for test in json.load(file)["tests"]]
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"error: {path} holds no results of lit: {error}")
    passed = sum(code in PASSED for code in codes)
    skipped = sum(code in SKIPPED for code in codes)
    failed = len(codes) - passed - skipped
    line = f"{passed} passed, {failed} failed"
    print(f"{line}, {skipped} skipped" if skipped else line)
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: count-results.py RESULTS.json")
    sys.exit(main(sys.argv[1]))
