// y = x + d + s + h + b + i, with a scalar of each type.
func.func @add_scalars(%x: tensor<3xf32> {convoy.name = "x"}, %d: f64, %s: f32, %h: f16, %b: bf16, %i: i8) -> tensor<3xf32> {
  %dd = arith.truncf %d : f64 to f32
  %hh = arith.extf %h : f16 to f32
  %bb = arith.extf %b : bf16 to f32
  %ii = arith.sitofp %i : i8 to f32
  %ds = arith.addf %dd, %s : f32
  %dsh = arith.addf %ds, %hh : f32
  %dshb = arith.addf %dsh, %bb : f32
  %sum = arith.addf %dshb, %ii : f32
  %empty = tensor.empty() : tensor<3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%empty : tensor<3xf32>) {
  ^bb0(%element: f32, %out: f32):
    %r = arith.addf %element, %sum : f32
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %y : tensor<3xf32>
}
