// An op of linalg that always runs stays within its operands, or else the first
// function is undefined: what is made of it may rely on that, but only where
// its loops run.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @tiled:
func.func @tiled(%x: tensor<?xf32>, %w: tensor<3xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<3xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
// CHECK-DAG: undecided: @tile_too_long: {{.*}}tensor.extract_slice: dimension 0 of a tensor may be accessed outside
func.func @tile_too_long(%x: tensor<?xf32>, %w: tensor<3xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<3xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
// CHECK-DAG: different: @tile_twice: element {{.*}}adds twice
func.func @tile_twice(%x: tensor<?xf32>, %w: tensor<3xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<3xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
// Without taps or results nothing is read, and the input may be too small for
// the tile.
// CHECK-DAG: certified: @no_access: equal for all finite values where no argument is empty
func.func @no_access(%x: tensor<?xf32>, %w: tensor<?xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
// CHECK-DAG: certified: @access:
func.func @access(%x: tensor<?xf32>, %w: tensor<2xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %y = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<2xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// What runs in a branch may never run.
// CHECK-DAG: undecided: @in_branch: {{.*}}dimension 0 of a tensor may be accessed outside
func.func @in_branch(%x: tensor<?xf32>, %w: tensor<2xf32>, %init: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %runs = arith.cmpi eq, %n, %c0 : index
  %y = scf.if %runs -> tensor<4xf32> {
    %sum = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<2xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %sum : tensor<4xf32>
  } else {
    scf.yield %init : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
// What runs backwards reads nothing below the start either.
// CHECK-DAG: certified: @backwards:
func.func @backwards(%x: tensor<?xf32>, %w: tensor<2xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i - k + 1)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<?xf32>, tensor<2xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}

//--- after.mlir
#rest = affine_map<(i)[n] -> (n - i, 4)>
func.func @tiled(%x: tensor<?xf32>, %w: tensor<3xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %init, %c0 : tensor<?xf32>
  %y = scf.for %i = %c0 to %n step %c4 iter_args(%old = %init) -> (tensor<?xf32>) {
    %size = affine.min #rest(%i)[%n]
    %read = affine.apply affine_map<(n) -> (n + 2)>(%size)
    %part = tensor.extract_slice %x[%i] [%read] [1] : tensor<?xf32> to tensor<?xf32>
    %sums = tensor.extract_slice %old[%i] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    %new = linalg.conv_1d ins(%part, %w : tensor<?xf32>, tensor<3xf32>) outs(%sums : tensor<?xf32>) -> tensor<?xf32>
    %next = tensor.insert_slice %new into %old[%i] [%size] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}
func.func @tile_too_long(%x: tensor<?xf32>, %w: tensor<3xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %init, %c0 : tensor<?xf32>
  %y = scf.for %i = %c0 to %n step %c4 iter_args(%old = %init) -> (tensor<?xf32>) {
    %size = affine.min #rest(%i)[%n]
    %read = affine.apply affine_map<(n) -> (n + 3)>(%size)
    %part = tensor.extract_slice %x[%i] [%read] [1] : tensor<?xf32> to tensor<?xf32>
    %sums = tensor.extract_slice %old[%i] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    %new = linalg.conv_1d ins(%part, %w : tensor<?xf32>, tensor<3xf32>) outs(%sums : tensor<?xf32>) -> tensor<?xf32>
    %next = tensor.insert_slice %new into %old[%i] [%size] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}
func.func @tile_twice(%x: tensor<?xf32>, %w: tensor<3xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %init, %c0 : tensor<?xf32>
  %y = scf.for %i = %c0 to %n step %c3 iter_args(%old = %init) -> (tensor<?xf32>) {
    %size = affine.min #rest(%i)[%n]
    %read = affine.apply affine_map<(n) -> (n + 2)>(%size)
    %part = tensor.extract_slice %x[%i] [%read] [1] : tensor<?xf32> to tensor<?xf32>
    %sums = tensor.extract_slice %old[%i] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    %new = linalg.conv_1d ins(%part, %w : tensor<?xf32>, tensor<3xf32>) outs(%sums : tensor<?xf32>) -> tensor<?xf32>
    %next = tensor.insert_slice %new into %old[%i] [%size] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}
func.func @no_access(%x: tensor<?xf32>, %w: tensor<?xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %first = tensor.extract_slice %x[0] [1] [1] : tensor<?xf32> to tensor<1xf32>
  %y = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @access(%x: tensor<?xf32>, %w: tensor<2xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %last = tensor.extract_slice %x[4] [1] [1] : tensor<?xf32> to tensor<1xf32>
  %y = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<2xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @in_branch(%x: tensor<?xf32>, %w: tensor<2xf32>, %init: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %runs = arith.cmpi eq, %n, %c0 : index
  %last = tensor.extract_slice %x[4] [1] [1] : tensor<?xf32> to tensor<1xf32>
  %y = scf.if %runs -> tensor<4xf32> {
    %sum = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<2xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %sum : tensor<4xf32>
  } else {
    scf.yield %init : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
func.func @backwards(%x: tensor<?xf32>, %w: tensor<2xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i - k + 1)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<?xf32>, tensor<2xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %b, %a : f32
    %s = arith.addf %p, %sum : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}
