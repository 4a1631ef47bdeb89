"""Counts the bytes of the Workgroup variables of SPIR-V.

usage: workgroup-bytes.py LIMIT FILE...

A driver may give a workgroup all variables of a module. Prints the bytes of each
file, and fails where one has none or more than LIMIT.
"""

import struct
import sys

BOOL, INT, FLOAT, VECTOR, ARRAY, STRUCT, POINTER = 20, 21, 22, 23, 28, 30, 32
CONSTANT, VARIABLE = 43, 59
WORKGROUP = 4


def count(data):
    words = struct.unpack(f"<{len(data) // 4}I", data)
    sizes, constants, pointees, total = {}, {}, {}, 0
    place = 5
    while place < len(words):
        length, opcode = words[place] >> 16, words[place] & 0xFFFF
        operands = words[place + 1 : place + length]
        place += length
        if opcode in (BOOL, INT, FLOAT):
            sizes[operands[0]] = 4 if opcode == BOOL else operands[1] // 8
        elif opcode == VECTOR:
            sizes[operands[0]] = sizes[operands[1]] * operands[2]
        elif opcode == ARRAY:
            sizes[operands[0]] = sizes[operands[1]] * constants[operands[2]]
        elif opcode == STRUCT:
            sizes[operands[0]] = sum(sizes.get(member, 0) for member in operands[1:])
        elif opcode == POINTER:
            pointees[operands[0]] = operands[2]
        elif opcode == CONSTANT:
            constants[operands[1]] = operands[2]
        elif opcode == VARIABLE and operands[2] == WORKGROUP:
            total += sizes[pointees[operands[0]]]
    return total


def main(limit, paths):
    for path in paths:
        with open(path, "rb") as file:
            total = count(file.read())
        print(f"{total} bytes")
        if not 0 < total <= limit:
            sys.exit(f"expected from 1 to {limit} bytes in {path}")


main(int(sys.argv[1]), sys.argv[2:])
