#!/usr/bin/env python3
"""Prints the document of a page with something of every kind.

usage: document.py CASES
"""

import json
import math
import sys


def errors():
    def ratio(row, column):
        if (row, column) == (3, 4):
            return "inf"
        return None if row == 0 else 10.0 ** -(row + column)

    ratios = [ratio(row, column) for row in range(5) for column in range(6)]
    return {
        "case": "</script><b>worst</b>",
        "zero": 7,
        "infinite": 1,
        "bins": [{"from": 10.0**power, "to": 10.0 ** (power + 0.25), "count": 3} for power in (-9, -2)],
        "axes": [{"name": "h", "size": 5, "bins": 5}, {"name": "f", "size": 12, "bins": 6}],
        "views": [
            {"rows": 0, "columns": 1, "ratios": ratios},
            {"rows": 1, "columns": 0, "ratios": [ratios[row * 6 + column] for column in range(6) for row in range(5)]},
        ],
    }


def case(number):
    row = {
        "case": f"case {number}",
        "status": "failed" if number % 1000 == 7 else "passed",
        "fraction": number / 16384,
        "reproduce": f"convoy-run 'case {number}'",
    }
    if number != 5:
        row["worst_ratio"] = None if number == 6 else number % 100 / 128
    return row


def main(count):
    layers = [
        {"name": "conv1", "introduced": 1e-3, "inherited": 0},
        {"name": "conv2", "introduced": 2e-5, "inherited": 3e-3},
        {"name": "conv3", "introduced": None, "inherited": 2e-3},
    ]
    speeds = [
        {"problem": "a", "threads": 1, "gflops": 100, "intensity": 20, "peak_gflops": 200, "bandwidth_gbs": 10, "peer_gflops": {"onednn": 90}},
        {"problem": "b", "threads": 1, "gflops": 5, "intensity": 0.5, "peak_gflops": 200, "bandwidth_gbs": 10},
        {"problem": "c", "threads": 1, "error": "not timed"},
    ]
    summary = {"cpu <b>": {"passed": count, "errors": errors()}, "vulkan": {"passed": 3}}
    cases = [case(number) for number in range(count)]
    json.dump({"summary": summary, "layers": layers, "speeds": speeds, "cases": cases}, sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]))
