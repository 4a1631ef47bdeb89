#!/usr/bin/env python3
"""Compiles a problem for chips and checks the code objects that come out.

usage: code_objects.py LLVM_BIN FOLDER CHIP[,...] WORDS...

WORDS are convoy-compile's: a problem or @FILE and its flags. For each chip, in
FOLDER, with LLVM's programs in LLVM_BIN:
- the code is disassembled whole, and what was disassembled assembles to the same
  bytes (LLVM can write instructions that its assembler refuses);
- no symbol is undefined, and each kernel that is launched is there;
- no launch binds what it writes twice (LLVM was told so);
- the metadata, as llvm-readelf reads it, equals the manifest;
- waves, registers, LDS and workgroups are within the chip's limits;
- nothing is spilled, and no work-item has memory of its own;
- matrix instructions are executed by whole waves, under no mask of lanes.

Prints one line for each chip, and exits with 1 where one is wrong.
"""

import json
import pathlib
import re
import subprocess
import sys

# Work-items in a wave, registers of a work-item and of a wave, bytes of LDS.
CHIPS = {
    "gfx90a": (64, 512, 102, 65536),
    "gfx942": (64, 512, 102, 65536),
    "gfx950": (64, 512, 102, 163840),
    "gfx1100": (32, 256, 106, 65536),
    "gfx1201": (32, 256, 106, 65536),
}
# Registers that the metadata of gfx9 counts beside those of the kernel: VCC,
# FLAT_SCRATCH and XNACK_MASK.
SPECIAL_SGPRS = 6
# The manifest's words for the metadata's.
FIELDS = {
    "wave_size": "wavefront_size",
    "workgroup_items": "max_flat_workgroup_size",
    "lds_bytes": "group_segment_fixed_size",
    "scratch_bytes": "private_segment_fixed_size",
    "argument_bytes": "kernarg_segment_size",
    "vgprs": "vgpr_count",
    "sgprs": "sgpr_count",
    "vgpr_spills": "vgpr_spill_count",
    "sgpr_spills": "sgpr_spill_count",
}


class Fault(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Fault(text)


def run(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    expect(result.returncode == 0, f"{command[0]}: {result.stderr.strip()}")
    return result.stdout


class CodeObject:
    def __init__(self, tools, chip, path, manifest):
        self.tools, self.chip, self.path = tools, chip, path
        self.manifest = json.loads(manifest.read_text())

    def tool(self, name, *arguments, **options):
        return run(str(self.tools / name), *arguments, **options)

    def check(self):
        self.check_symbols()
        self.check_metadata()
        self.check_limits()
        return self.check_code()

    def check_symbols(self):
        undefined = self.tool("llvm-nm", "-D", "--undefined-only", self.path)
        expect(not undefined.strip(), f"undefined: {undefined.split()}")
        defined = {
            line.split()[-1]
            for line in self.tool("llvm-nm", "-D", self.path).splitlines()
        }
        kernels = {kernel["symbol"]: kernel for kernel in self.manifest["resources"]}
        for entry in self.manifest["kernels"]:
            for launch in entry["launches"]:
                symbol = launch["symbol"]
                expect({symbol, symbol + ".kd"} <= defined, f"no symbol {symbol}")
                x, y, z = launch["workgroup_size"]
                items = kernels[symbol]["workgroup_items"]
                expect(items == x * y * z, f"{symbol} is for {items} work-items")
                bytes_ = kernels[symbol]["argument_bytes"]
                expect(
                    bytes_ == 8 * len(launch["bindings"]),
                    f"{symbol} takes {bytes_} bytes of arguments",
                )

    def check_metadata(self):
        notes = self.tool("llvm-readelf", "--notes", self.path)
        read, accesses = {}, {}
        for text in re.split(r"^  - ", notes.split("amdhsa.kernels:")[1], flags=re.M):
            fields = dict(re.findall(r"^ *\.(\w+): +(\S+)$", text, flags=re.M))
            if "symbol" in fields:
                symbol = fields["symbol"].strip("'").removesuffix(".kd")
                read[symbol] = fields
                accesses[symbol] = [
                    "read_only" in argument
                    for argument in re.split(r"^ {6}- ", text, flags=re.M)
                    if ".value_kind:" in argument
                ]
        kernels = {kernel["symbol"]: kernel for kernel in self.manifest["resources"]}
        expect(read.keys() == kernels.keys(), f"metadata of {sorted(read)}")
        self.check_bindings(accesses)
        for symbol, fields in read.items():
            for word, field in FIELDS.items():
                expect(
                    kernels[symbol][word] == int(fields[field]),
                    f"{symbol}: {word} is {kernels[symbol][word]} and {fields[field]}",
                )
            agprs = int(fields.get("agpr_count", 0))
            expect(kernels[symbol]["agprs"] == agprs, f"{symbol}: {agprs} agprs")

    def check_bindings(self, accesses):
        """`accesses` says for each kernel which of its arguments are only read."""
        for entry in self.manifest["kernels"]:
            for launch in entry["launches"]:
                symbol = launch["symbol"]
                ranges = [
                    (
                        binding.get("argument"),
                        binding["offset"],
                        binding["offset"] + binding["bytes"],
                        isRead,
                    )
                    for binding, isRead in zip(
                        launch["bindings"], accesses[symbol], strict=True
                    )
                ]
                for number, (buffer, begin, end, isRead) in enumerate(ranges):
                    for other, otherBegin, otherEnd, isOtherRead in ranges[:number]:
                        apart = other != buffer or end <= otherBegin or otherEnd <= begin
                        expect(
                            apart or (isRead and isOtherRead),
                            f"{symbol} writes what it binds twice",
                        )

    def check_limits(self):
        wave, vgprs, sgprs, lds = CHIPS[self.chip]
        for kernel in self.manifest["resources"]:
            for word, least, most in [
                ("wave_size", wave, wave),
                ("vgprs", 1, vgprs),
                ("vgprs_allocated", kernel["vgprs"], vgprs),
                ("sgprs", 1, sgprs + SPECIAL_SGPRS),
                ("lds_bytes", 0, lds),
                ("workgroup_items", 1, 1024),
                ("scratch_bytes", 0, 0),
                ("vgpr_spills", 0, 0),
                ("sgpr_spills", 0, 0),
            ]:
                expect(
                    least <= kernel[word] <= most,
                    f"{kernel['symbol']}: {word} = {kernel[word]}",
                )

    def check_code(self):
        """Returns how many instructions there are."""
        text = self.tool("llvm-objdump", "-d", f"--mcpu={self.chip}", self.path)
        lines = re.findall(r"^\t(.+?)\s*// ([0-9A-F]+): ([0-9A-F ]+)", text, re.M)
        codes, assembly = [], []
        for instruction, _, code in lines:
            expect(
                not re.match(r"\.|<unknown>", instruction),
                f"not an instruction: {instruction}",
            )
            assembly.append(instruction)
            codes.append(
                [
                    byte
                    for word in code.split()
                    for byte in int(word, 16).to_bytes(len(word) // 2, "little")
                ]
            )
        expect(codes, "no instruction")
        encoded = self.tool(
            "llvm-mc",
            "--triple=amdgcn-amd-amdhsa",
            f"--mcpu={self.chip}",
            "--show-encoding",
            input="\n".join(assembly) + "\n",
        )
        again = [
            [int(byte, 16) for byte in group.split(",")]
            for group in re.findall(r"encoding: \[([^\]]*)\]", encoded)
        ]
        expect(len(codes) == len(again), "some instructions assemble to none")
        for instruction, code, other in zip(assembly, codes, again):
            # A literal of 16 bits has 32 in the code, the upper of which LLVM
            # sets to the sign, and its assembler to zeros.
            if code != other and re.match(r"\w+16(_e\d+)? .*0x", instruction):
                code, other = code[:-2], other[:-2]
            expect(code == other, f"{instruction} assembles to other bytes")
        self.check_masks(assembly)
        return len(lines)

    def check_masks(self, assembly):
        isMasked = False
        for instruction in assembly:
            if re.match(r"s_and\w*_saveexec|s_(xor|and\w*)_b(32|64) exec", instruction):
                isMasked = True
            elif re.match(
                r"s_or_saveexec|s_(or|mov)_b(32|64) exec|s_branch|s_endpgm", instruction
            ):
                isMasked = False
            matrix = re.match(r"v_(mfma|wmma)_", instruction)
            expect(not (isMasked and matrix), f"{instruction} of some lanes alone")


def main():
    tools, folder, chips, *words = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    status = 0
    for chip in chips.split(","):
        path, manifest = folder / f"{chip}.hsaco", folder / f"{chip}.json"
        try:
            run(
                *("convoy-compile", *words, "--target=rocm", f"--chip={chip}"),
                *("-o", str(path), "--manifest", str(manifest)),
            )
            code = CodeObject(pathlib.Path(tools), chip, path, manifest)
            instructions = code.check()
            kernels = code.manifest["resources"]
            most = max(kernel["vgprs"] for kernel in kernels)
            print(f"{chip}: {len(kernels)} kernels, {instructions} instructions,"
                  f" up to {most} VGPRs")
        except Fault as fault:
            print(f"{chip}: {fault}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
