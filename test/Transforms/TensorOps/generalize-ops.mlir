// RUN: convoy-opt %s --convoy-generalize-ops | FileCheck %s

// CHECK-LABEL: func @named(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<3xf32>, %[[E:.*]]: tensor<2x3xf32>
// CHECK:         %[[ROWS:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<3xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[ROWS]] :
// CHECK:           math.powf
// CHECK-NOT:     linalg.broadcast
func.func @named(%x: tensor<2x3xf32>, %b: tensor<3xf32>, %e: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %rows = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<2x3xf32>) dimensions = [0]
  %power = linalg.powf ins(%x, %rows : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %power : tensor<2x3xf32>
}

// A fill says more than its body.
// CHECK-LABEL: func @fill(
// CHECK:         linalg.fill ins(%{{.*}} : f32)
// CHECK-NOT:     linalg.generic
func.func @fill(%value: f32, %e: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.fill ins(%value : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func @map_reduce_transpose(
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK:           math.absf
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:           arith.maximumf
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.{{map|reduce|transpose}}
func.func @map_reduce_transpose(%x: tensor<2x3xf32>, %init: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<3x2xf32>) {
  %e = tensor.empty() : tensor<2x3xf32>
  %abs = linalg.map { math.absf } ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>)
  %max = linalg.reduce { arith.maximumf } ins(%abs : tensor<2x3xf32>) outs(%init : tensor<2xf32>) dimensions = [1]
  %t = tensor.empty() : tensor<3x2xf32>
  %transposed = linalg.transpose ins(%abs : tensor<2x3xf32>) outs(%t : tensor<3x2xf32>) permutation = [1, 0]
  return %max, %transposed : tensor<2xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: func @softmax(
// CHECK-COUNT-4: linalg.generic
// CHECK-NOT:     linalg.softmax
func.func @softmax(%x: tensor<2x3xf32>, %e: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func @packing(
// CHECK-SAME:    %[[X:.*]]: tensor<5x7xf32>
// CHECK:         tensor.pad %[[X]]
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic
// CHECK:         tensor.extract_slice
// CHECK-NOT:     linalg.{{pack|unpack}}
func.func @packing(%x: tensor<5x7xf32>, %zero: f32) -> tensor<5x7xf32> {
  %e = tensor.empty() : tensor<3x2x2x4xf32>
  %packed = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %e
      : tensor<5x7xf32> -> tensor<3x2x2x4xf32>
  %u = tensor.empty() : tensor<5x7xf32>
  %unpacked = linalg.unpack %packed inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %u
      : tensor<3x2x2x4xf32> -> tensor<5x7xf32>
  return %unpacked : tensor<5x7xf32>
}

// CHECK-LABEL: func @arithmetic(
// CHECK-SAME:    %[[X:.*]]: tensor<2x?xf32>, %[[Y:.*]]: tensor<2x?xf32>, %[[C:.*]]: i1
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[Y]] :
// CHECK:           arith.addf
// CHECK:         %[[CONDITION:.*]] = linalg.fill ins(%[[C]] : i1)
// CHECK:         linalg.generic {{.*}} ins(%[[CONDITION]], %[[SUM]], %[[X]] :
// CHECK:           arith.select
func.func @arithmetic(%x: tensor<2x?xf32>, %y: tensor<2x?xf32>, %c: i1) -> tensor<2x?xf32> {
  %sum = arith.addf %x, %y : tensor<2x?xf32>
  %chosen = arith.select %c, %sum, %x : tensor<2x?xf32>
  return %chosen : tensor<2x?xf32>
}

// CHECK-LABEL: func @elements(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[I:.*]]: index
// CHECK:         linalg.fill ins(%[[A]] : f32) outs(%{{.*}} : tensor<4xf32>)
// CHECK:         %[[FIRST:.*]] = linalg.fill ins(%[[A]] : f32) outs(%{{.*}} : tensor<1x1xf32>)
// CHECK:         tensor.insert_slice %[[FIRST]] into %{{.*}}[0, 0] [1, 1] [1, 1]
// CHECK:         %[[SECOND:.*]] = linalg.fill ins(%[[B]] : f32) outs(%{{.*}} : tensor<1x1xf32>)
// CHECK:         tensor.insert_slice %[[SECOND]] into %{{.*}}[1, 0] [1, 1] [1, 1]
// CHECK:         tensor.insert_slice %{{.*}} into %{{.*}}[%[[I]]] [1] [1]
// CHECK-NOT:     tensor.{{splat|from_elements|insert }}
func.func @elements(%a: f32, %b: f32, %i: index) -> (tensor<4xf32>, tensor<2x1xf32>, tensor<4xf32>) {
  %same = tensor.splat %a : tensor<4xf32>
  %two = tensor.from_elements %a, %b : tensor<2x1xf32>
  %changed = tensor.insert %b into %same[%i] : tensor<4xf32>
  return %same, %two, %changed : tensor<4xf32>, tensor<2x1xf32>, tensor<4xf32>
}

// Shapes are no data.
// CHECK-LABEL: func @shapes(
// CHECK:         tensor.from_elements
// CHECK:         tensor.reshape
func.func @shapes(%x: tensor<?xf32>, %n: index) -> tensor<?x?xf32> {
  %shape = tensor.from_elements %n, %n : tensor<2xindex>
  %0 = tensor.reshape %x(%shape) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @reshapes(
// CHECK-SAME:    %[[X:.*]]: tensor<2x6xf32>, %[[ONE:.*]]: tensor<f32>
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
// CHECK:         tensor.expand_shape %[[FLAT]] {{\[}}[0, 1]] output_shape [4, 3]
// CHECK:         tensor.expand_shape %[[ONE]] [] output_shape [1]
// CHECK-NOT:     tensor.reshape
func.func @reshapes(%x: tensor<2x6xf32>, %one: tensor<f32>) -> (tensor<4x3xf32>, tensor<1xf32>) {
  %shape = arith.constant dense<[4, 3]> : tensor<2xi64>
  %0 = tensor.reshape %x(%shape) : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  %single = arith.constant dense<1> : tensor<1xi64>
  %1 = tensor.reshape %one(%single) : (tensor<f32>, tensor<1xi64>) -> tensor<1xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<1xf32>
}

// CHECK-LABEL: func @concat(
// CHECK-COUNT-2: tensor.insert_slice
// CHECK-NOT:     tensor.concat
func.func @concat(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) -> tensor<2x7xf32> {
  %0 = tensor.concat dim(1) %x, %y : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  return %0 : tensor<2x7xf32>
}

// CHECK-LABEL: func @generate(
// CHECK:         linalg.generic
// CHECK:           linalg.index 0
// CHECK-NOT:     tensor.generate
func.func @generate() -> tensor<5xi32> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    %number = arith.index_cast %i : index to i32
    tensor.yield %number : i32
  } : tensor<5xi32>
  return %0 : tensor<5xi32>
}

// What is overwritten is not copied before; what is read stays.
// CHECK-LABEL: func @inits(
// CHECK-SAME:    %[[X:.*]]: tensor<3xf32>, %[[Y:.*]]: tensor<3xf32>
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<3xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<3xf32>) outs(%[[EMPTY]] : tensor<3xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<3xf32>) outs(%[[Y]] : tensor<3xf32>)
func.func @inits(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = linalg.negf ins(%x : tensor<3xf32>) outs(%y : tensor<3xf32>) -> tensor<3xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%y : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// An init keeps what no iteration overwrites: those of 0 rows, and odd elements.
// CHECK-LABEL: func @holes(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xf32>, %[[Y:.*]]: tensor<3xf32>, %[[Z:.*]]: tensor<5xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<?x3xf32>) outs(%[[Y]] : tensor<3xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[Y]] : tensor<3xf32>) outs(%[[Z]] : tensor<5xf32>)
func.func @holes(%x: tensor<?x3xf32>, %y: tensor<3xf32>, %z: tensor<5xf32>) -> (tensor<3xf32>, tensor<5xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x3xf32>) outs(%y : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<3xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2 * i)>], iterator_types = ["parallel"]}
      ins(%y : tensor<3xf32>) outs(%z : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<5xf32>
  return %0, %1 : tensor<3xf32>, tensor<5xf32>
}

// CHECK-LABEL: func @sum_of_nothing(
// CHECK-SAME:    %{{.*}}: tensor<3x0xf32>, %[[Y:.*]]: tensor<3xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @sum_of_nothing(%x: tensor<3x0xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.reduce ins(%x : tensor<3x0xf32>) outs(%y : tensor<3xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %sum = arith.addf %a, %b : f32
      linalg.yield %sum : f32
    }
  return %0 : tensor<3xf32>
}
