"""Breaks the kernel of matrices.mlir in one place after another, and prints what
convoy-certify says of each: break-steps.py BEFORE AFTER OUT."""

from broken_kernels import Kernel

change = Kernel().replace

STORE = "    gpu.subgroup_mma_store_matrix %result"
change(
    "no barrier before the loop",
    ("    gpu.barrier\n    %start", "    %start"),
)
change("no barrier in the loop", ("      gpu.barrier\n", ""))
change("copied to the same buffer", ("%in_sa, %other_a", "%in_sa, %tile_a"))
change(
    "one buffer",
    ("remui %k, %c2", "remui %k, %c1"),
    ("remui %next, %c2", "remui %next, %c1"),
    ("addi %c512, %rows", "addi %c0, %rows"),
    ("%sb[%c256]", "%sb[%c0]"),
)
change("read of the other buffer", ("addi %c512, %rows", "addi %c0, %rows"))
change("lost sums", ("%la, %lb, %sums", "%la, %lb, %start"))
change("sums of the last step alone", ("%ma, %mb, %sum :", "%ma, %mb, %start :"))
change(
    "by columns",
    ("%sb[%c256] {leadDimension = 16 : index", "%sb[%c256] {leadDimension = 16 : index, transpose"),
)
change("closer lines", ("%c[%rows] {leadDimension = 16", "%c[%rows] {leadDimension = 15"))
change(
    "not stored by all",
    (STORE, "    %few = arith.cmpi ult, %t, %c16 : index\n    scf.if %few {\n" + STORE),
    ("memref<512xf32>\n    gpu.return", "memref<512xf32>\n    }\n    gpu.return"),
)
change(
    "iterations of each item",
    ("    %sums = scf.for", "    %few = arith.minui %t, %c3 : index\n    %sums = scf.for"),
    ("%c0 to %c3", "%c0 to %few"),
)
change("a place of each item", ("%sb[%c256]", "%sb[%t]"))
change(
    "a subgroup by its items",
    (
        STORE,
        "    %c32 = arith.constant 32 : index\n"
        "    %wave = arith.divui %t, %c32 : index\n"
        "    %mine = arith.muli %wave, %c256 : index\n" + STORE,
    ),
    ("%c[%rows]", "%c[%mine]"),
)
change(
    "a number of each item",
    (
        "    %start =",
        "    %one = vector.extract %first_a[0] : f16 from vector<8xf16>\n"
        "    %wide = arith.extf %one : f16 to f32\n    %start =",
    ),
    ("constant_matrix %zero", "constant_matrix %wide"),
)
change("half a subgroup", ("i32: 64, 1, 1", "i32: 48, 1, 1"))
SUM = '!gpu.mma_matrix<16x16xf32, "COp">'
change(
    "twice the sums",
    (
        STORE,
        "    %twice = gpu.subgroup_mma_elementwise addf %result, %result : "
        f"({SUM}, {SUM}) -> {SUM}\n" + STORE.replace("%result", "%twice"),
    ),
)
change(
    "an op that is not read",
    (
        "    %start = gpu.subgroup_mma_constant_matrix %zero",
        "    %all = gpu.subgroup_reduce add %zero : (f32) -> f32\n"
        "    %start = gpu.subgroup_mma_constant_matrix %all",
    ),
)
