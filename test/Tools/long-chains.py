"""Prints a function that is a chain of COUNT elementwise ops."""

import sys

MAPS = ", ".join(["affine_map<(i, j) -> (i, j)>"] * 3)
STEP = """  %v{next} = linalg.generic {{indexing_maps = [{maps}],
      iterator_types = ["parallel", "parallel"]}}
      ins(%v{this}, %w : tensor<7x9xf32>, tensor<7x9xf32>)
      outs(%e : tensor<7x9xf32>) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.{op} %a, %b : f32
    linalg.yield %s : f32
  }} -> tensor<7x9xf32>"""

count = int(sys.argv[1])
print("func.func @chain(%v0: tensor<7x9xf32>, %w: tensor<7x9xf32>)")
print("    -> tensor<7x9xf32> {")
print("  %e = tensor.empty() : tensor<7x9xf32>")
for number in range(count):
    print(STEP.format(maps=MAPS, this=number, next=number + 1, op=("addf", "mulf")[number % 2]))
print(f"  return %v{count} : tensor<7x9xf32>\n}}")
