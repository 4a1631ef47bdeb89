"""What compare-code.py and estimate-arm.py found in kernels for AMD's GPUs and
ARM's CPUs."""

import json
import pathlib

from bench_cases import grouped, layer_name, mean, table

MACHINE_CODE = """\
Nothing is run: `utils/compare-code.py` compiles ResNet-50's forward layers, in nhwc with hwcf, and IREE does. Numbers are ours / IREE's
of the kernel with the most work, from its metadata and from the code of its inner loop, the innermost with the most operations (all
of a kernel without loops): operations of a wave for each byte that a lane loads there (ours loads memory outside of that loop where nothing
is said), and the part of the peak of multiply-adds, on matrix units where the chip has them for the type, that one wave alone would
reach by llvm-mca, which knows neither of other waves nor of the time of memory, and lets WMMA follow each other faster than the peak. Loads of global
memory (ours) are given to it as loads of buffers (IREE's): it takes the former for LDS's, too. Means are geometric, of layers that have the number.

"""

MACHINE_CODE_CAUSES = """
Where IREE's number is better, found by leaving instructions out of what llvm-mca is given:

- **% of peak, 1x1 layers in f16** (in f32 layer1.0.conv1, layer1.0.conv3 and layer2.0.conv3): our reduction, or its part, has one step of LDS or two, and no loop is left. What is measured is the whole
  kernel, with its first loads, addresses and stores, against IREE's loop. Of kernels with two steps in f16, the step that loads the next one reaches 54 to 71 % of gfx942's peak, IREE's loop 50 to 56 %,
  and 110 % of gfx1100's, IREE's loop 105 to 109 %. Parts are that short so that a batch of one image has workgroups for a whole GPU.
- **% of peak, 1x1 layers with loops on gfx942**: in a step of 64 matrix instructions in f32 (512 cycles) both spend some 60 cycles on loads, LDS and barriers; ours 35 to 55 more on 29 to 44 vector
  instructions, for addresses and for the transposition of the filter on its way to LDS, IREE's 13 on 8. For these ours reads LDS by 16 vectors, IREE's by 36 smaller reads, of the filter as it lies in
  memory. Where IREE has 128 instructions in a step and ours 64 (layers 2.1 to 4.0), its tiles are larger: see the next point. Of layer4.0.conv1 in f16 the same holds.
- **Matrix instructions in a step, a byte from LDS, a byte from memory**: smaller where our tiles are. Tiles of 32 x 128 elements, not 64 x 128, are twice as many workgroups, for layers of 14x14 pixels;
  on gfx1100 a wave has 32 x 16 or 32 x 32 elements. So ours takes 70 to 179 VGPRs there, IREE's 116 to 256, and 4 to 16 waves a SIMD can cover each other's waits, IREE's 2 to 12. Where IREE takes
  all 256 VGPRs, its loops have spills, and reach 13 to 22 % of the peak (70 % at layer2.0.conv3).
- **% of peak, loops on gfx1100** (conv1, layer1.0.conv2, layer3.1.conv2): without address arithmetic both take 420 to 440 cycles a step (IREE's layer3.1.conv2 743) for the loads, LDS and barriers of a wave
  alone, whatever is multiplied in it: 4 to 12 WMMA in ours, 8 to 16 in IREE's. Other waves, of which ours has more room for in each of them, fill that time.
- **Waves a SIMD**: on gfx942 ours has half as many in 3x3 layers, conv1 and layer3.0.downsample, since its steps are longer and take more LDS, and yet reaches 82 / 83 % of the peak or more than IREE's. In
  f32 on gfx1100, which has no matrix instruction for it, IREE's kernels keep no tile in registers.
"""


def pairs_of(rows, number, format_one):
    """The geometric means of a number of our rows and of IREE's, as one cell."""
    means = [mean(number(row[who]) for row in rows) for who in ("Convoy", "IREE")]
    return " / ".join(format_one(one) if one else "-" for one in means)


def on_rocm(results):
    """What compare-code.py found: means for each chip and type, then layers."""
    path = pathlib.Path(results) / "machine-code" / "rocm.json"
    if not path.exists():
        return ""
    columns = [
        ("VGPRs", lambda code: code["vgprs"], "{:.0f}"),
        ("waves a SIMD", lambda code: code["waves"], "{:.1f}"),
        ("matrix instructions", lambda code: code["matrix_instructions"], "{:.0f}"),
        ("a byte from LDS", lambda code: rate(code, "lds_loaded"), "{:.0f}"),
        ("a byte from memory", lambda code: rate(code, "memory_loaded"), "{:.0f}"),
        ("% of peak", lambda code: 100 * (code["peak_part"] or 0), "{:.1f}"),
    ]

    def rate(code, memory):
        return code["operations"] / code[memory] if code[memory] else None

    def cells(rows):
        return [pairs_of(rows, number, text.format) for _, number, text in columns]

    rows = json.loads(path.read_text())
    groups = grouped(rows, lambda row: (row["chip"], row["type"]))
    means = [[chip, kind, *cells(same)] for (chip, kind), same in groups.items()]
    text = "## Machine code for AMD's GPUs\n" + MACHINE_CODE
    text += table(["chip", "type", *(name for name, *_ in columns)], means)
    text += MACHINE_CODE_CAUSES
    for (chip, kind), same in groups.items():
        text += f"\n### {chip}, {kind}\n"
        layers = [[layer_name(row["problem"]), *cells([row])] for row in same]
        text += table(["layer", *(name for name, *_ in columns)], layers)
    return text


ARM_CODE = """\
Nothing is run: `utils/estimate-arm.py` compiles ResNet-50's forward layers, in nhwc with packed filters, for CPUs that LLVM has a model of. These are estimates, of the inner loop with the most multiply-adds: how
many vector instructions multiply there for each one that loads, registers that are spilled in the loop, multiply-adds in a cycle, and the part of llvm-mca's peak that the loop reaches by llvm-mca, which takes all data to be in the L1
cache. The peak is what the CPU's instruction with the most multiply-adds reaches with nothing else, on the Neoverse cores `smmla` and `bfmmla`; for the Cortex-A55 it is at most one such instruction in a cycle, as its manual says (LLVM's model lets two of `fmla` start).

"""

ARM_CODE_CAUSES = """
- **Neoverse V1, 89 %**: four of 36 vector instructions of a step put the words of two rows side by side, for 32 that multiply.
- **Neoverse V2, 62 to 65 %**: LLVM's model lets six operations begin in a cycle, eight on the V1, and counts a load of two vectors as three of them. Tiles of 6 x 12 results would reach 69 to 75 %, but leave a vector over where channels are a power of two.
- **Cortex-A55, i8, 70 %**: by LLVM's model, loads of 128 bits take cycles of their own there.
- The least of all is conv1, whose 3 channels are no vector: each is read and multiplied alone.
"""


def on_arm(results):
    """What estimate-arm.py found: for each CPU and type, then for layers."""
    path = pathlib.Path(results) / "machine-code" / "arm.json"
    if not path.exists():
        return ""
    found = [row for row in json.loads(path.read_text()) if row["code"]]

    def part(row):
        return row["code"]["peak_part"]

    def describe(rows):
        threes = [row for row in rows if "_kh3" in row["problem"]]
        spilled = sum(row["code"]["spills"] > 0 for row in rows)
        speeds = [row["code"]["multiply_adds"] / row["code"]["cycles"] for row in threes]
        return [
            f"{mean(row['code']['products'] / row['code']['loads'] for row in rows):.1f}",
            f"{spilled} of {len(rows)}",
            f"{mean(speeds):.1f}",
            f"{100 * mean(map(part, threes)):.0f}",
            f"{100 * min(map(part, threes)):.0f}",
            f"{100 * mean(map(part, rows)):.0f}",
            f"{100 * min(map(part, rows)):.0f}",
        ]

    groups = grouped(found, lambda row: (row["cpu"], row["type"]))
    rows = [[cpu, kind, *describe(same)] for (cpu, kind), same in groups.items()]
    columns = ["multiply-adds a load", "loops with spills", "multiply-adds a cycle, 3x3", "% of peak, 3x3", "least", "% of peak, all", "least"]
    text = "## Machine code for ARM's CPUs\n" + ARM_CODE
    return text + table(["CPU", "type", *columns], rows) + ARM_CODE_CAUSES
