"""Reads SPIR-V: how wide the kernels' accesses to memory are."""

import collections
import struct

BOOL, INT, FLOAT, VECTOR, POINTER = 20, 21, 22, 23, 32
ENTRY_POINT, FUNCTION, LOAD, STORE, ACCESS_CHAIN = 15, 54, 61, 62, 65
STORAGE_BUFFER = 12


def instructions(data):
    """Opcodes and operands of a module's bytes."""
    words = struct.unpack(f"<{len(data) // 4}I", data)
    place = 5
    while place < len(words):
        length = words[place] >> 16
        yield words[place] & 0xFFFF, words[place + 1 : place + length]
        place += length


def text(words):
    """The string that begins in the first of the words."""
    return struct.pack(f"<{len(words)}I", *words).split(b"\0")[0].decode()


class Accesses:
    """Reads and writes of buffers in a kernel's code, by their bytes."""

    def __init__(self):
        self.reads, self.writes = collections.Counter(), collections.Counter()


def count_accesses(data):
    """By entry point, the accesses of each kernel of a module."""
    sizes, buffers, chains, names = {}, {}, {}, {}
    found, current = {}, None
    for opcode, operands in instructions(data):
        if opcode in (BOOL, INT, FLOAT):
            sizes[operands[0]] = 4 if opcode == BOOL else operands[1] // 8
        elif opcode == VECTOR:
            sizes[operands[0]] = sizes[operands[1]] * operands[2]
        elif opcode == POINTER and operands[1] == STORAGE_BUFFER:
            buffers[operands[0]] = operands[2]
        elif opcode == ENTRY_POINT:
            names[operands[1]] = text(operands[2:])
        elif opcode == FUNCTION:
            current = found.setdefault(names.get(operands[1]), Accesses())
        elif opcode == ACCESS_CHAIN and operands[0] in buffers:
            chains[operands[1]] = sizes[buffers[operands[0]]]
        elif opcode == LOAD and operands[2] in chains:
            current.reads[chains[operands[2]]] += 1
        elif opcode == STORE and operands[0] in chains:
            current.writes[chains[operands[0]]] += 1
    return found
