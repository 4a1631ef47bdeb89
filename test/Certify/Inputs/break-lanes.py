"""Breaks the kernel of waves.mlir in one place after another, and prints what
convoy-certify says of each: break-lanes.py BEFORE AFTER OUT."""

from broken_kernels import Kernel

change = Kernel().replace

NUMBERS = "dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>"
change("another row in upper lanes", ("%line = arith.muli %low", "%line = arith.muli %other"))
change(
    "another column in upper lanes",
    ("%column = arith.muli %low", "%column = arith.muli %other"),
)
change(
    "rows of MFMA",
    ("%twice = arith.muli %e, %c2", "%twice = arith.muli %high, %c8"),
    ("addi %twice, %high", "addi %twice, %e"),
)
change(
    "rows and columns",
    ("%lines = arith.muli %row", "%lines = arith.muli %low"),
    ("addi %lines, %low", "addi %lines, %row"),
)
change("factors exchanged", ("%x * %y", "%y * %x"))
change("the same terms", ("%in_b = arith.addi %column, %terms", "%in_b = arith.addi %column, %c0"))
change("not read", ("      scf.yield %product", "      amdgpu.lds_barrier\n      scf.yield %product"))
change("half a wave", ("subgroup = 32", "subgroup = 16"))
change("along two dimensions", ("i32: 32, 1, 1", "i32: 16, 2, 1"))
change("begins with other numbers", ("dense<0.0>", NUMBERS))
OF_LANES = """    %lane = gpu.lane_id
    %wide = arith.index_cast %lane : index to i32
    %of_lane = arith.sitofp %wide : i32 to f32
    %many = vector.broadcast %of_lane : f32 to vector<8xf32>
    %sums ="""
change("begins with numbers of lanes", ("    %sums =", OF_LANES), ("= %zero)", "= %many)"))
change(
    "adds numbers of lanes",
    ("    %sums =", OF_LANES),
    ("%y + %sum", "%y + %many"),
)
