// RUN: convoy-opt %s --convoy-decompose-sampling | FileCheck %s

// A coordinate of a sample is read where its slice of the grid lies.
// CHECK-DAG:   #[[SLICE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG:   #[[SAMPLES:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG:   #[[ANY_ORDER:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d0, d2)>

// CHECK-LABEL: func.func @nearest(
// CHECK-SAME:      %[[IMAGE:[^:]*]]: tensor<1x9x7x4xf32>, %[[GRID:[^:]*]]: tensor<1x5x6x2xf32>)
// CHECK:         %[[Y:.*]] = tensor.extract_slice %[[GRID]][0, 0, 0, 1] [1, 5, 6, 1] [1, 1, 1, 1] : tensor<1x5x6x2xf32> to tensor<1x5x6xf32>
// CHECK:         %[[X:.*]] = tensor.extract_slice %[[GRID]][0, 0, 0, 0] [1, 5, 6, 1] [1, 1, 1, 1] : tensor<1x5x6x2xf32> to tensor<1x5x6xf32>
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<1x5x6x4xf32>
// CHECK:         linalg.generic
// CHECK-SAME:        indexing_maps = [#[[SLICE]], #[[SLICE]], #[[SAMPLES]]]
// CHECK-SAME:        ins(%[[Y]], %[[X]] : {{.*}}) outs(%[[EMPTY]] : {{.*}})
// CHECK:         ^bb0(%[[COORDINATE:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32):
// What is not a number is -1.
// CHECK:           %[[BITS:.*]] = arith.bitcast %[[COORDINATE]] : f32 to i32
// CHECK:           %[[MAGNITUDE:.*]] = arith.andi %[[BITS]], %{{.*}} : i32
// CHECK:           %[[IS_NAN:.*]] = arith.cmpi ugt, %[[MAGNITUDE]], %{{.*}} : i32
// CHECK:           %[[NUMBER:.*]] = arith.select %[[IS_NAN]], %{{.*}}, %[[COORDINATE]] : f32
// CHECK:           arith.cmpf olt, %[[NUMBER]]
// CHECK:           %[[NEAR:.*]] = arith.select
// CHECK:           arith.cmpf ogt, %[[NEAR]]
// CHECK:           %[[NEAR:.*]] = arith.select
// ((x + 1) * 9 - 1) / 2, of which nothing is contracted.
// CHECK:           %[[FROM_LOW:.*]] = arith.addf %[[NEAR]], %{{.*}} {convoy.uncontracted} : f32
// CHECK:           %[[SIZE:.*]] = arith.constant 9.0
// CHECK:           %[[EDGES:.*]] = arith.mulf %[[FROM_LOW]], %[[SIZE]] {convoy.uncontracted} : f32
// CHECK:           %[[CENTERS:.*]] = arith.subf %[[EDGES]], %{{.*}} {convoy.uncontracted} : f32
// CHECK:           arith.mulf %[[CENTERS]], %{{.*}} {convoy.uncontracted} : f32
// Rounded down, and the rest.
// CHECK:           %[[CUT:.*]] = arith.fptosi %[[POSITION:.*]] : f32 to i32
// CHECK:           %[[CUT_NUMBER:.*]] = arith.sitofp %[[CUT]] : i32 to f32
// CHECK:           %[[IS_ABOVE:.*]] = arith.cmpf ogt, %[[CUT_NUMBER]], %[[POSITION]] : f32
// CHECK:           %[[WHOLE:.*]] = arith.select %[[IS_ABOVE]], %{{.*}}, %[[CUT]] : i32
// CHECK:           %[[WHOLE_NUMBER:.*]] = arith.select %[[IS_ABOVE]], %{{.*}}, %[[CUT_NUMBER]] : f32
// CHECK:           %[[REST:.*]] = arith.subf %[[POSITION]], %[[WHOLE_NUMBER]] {convoy.uncontracted} : f32
// Ties to even.
// CHECK:           %[[IS_UPPER:.*]] = arith.cmpf ogt, %[[REST]], %[[HALF:.*]] : f32
// CHECK:           %[[IS_TIE:.*]] = arith.cmpf oeq, %[[REST]], %[[HALF]] : f32
// CHECK:           %[[IS_ODD:.*]] = arith.andi %[[WHOLE]], %{{.*}} : i32
// CHECK:           %[[STEP_OF_TIE:.*]] = arith.select %[[IS_TIE]], %[[IS_ODD]], %{{.*}} : i32
// CHECK:           %[[STEP:.*]] = arith.select %[[IS_UPPER]], %{{.*}}, %[[STEP_OF_TIE]] : i32
// CHECK:           %[[NEAREST:.*]] = arith.addi %[[WHOLE]], %[[STEP]] : i32
// CHECK:           arith.minsi %[[NEAREST]]
// CHECK:           %[[INSIDE:.*]] = arith.maxsi
// CHECK:           %[[N:.*]] = linalg.index 0
// CHECK:           %[[ROW:.*]] = arith.index_cast %[[INSIDE]] : i32 to index
// CHECK:           %[[COLUMN:.*]] = arith.index_cast
// CHECK:           %[[C:.*]] = linalg.index 3
// CHECK:           %[[ELEMENT:.*]] = tensor.extract %[[IMAGE]][%[[N]], %[[ROW]], %[[COLUMN]], %[[C]]]
// CHECK:           linalg.yield %[[ELEMENT]]
// CHECK-NOT:     convoy.grid_sample
func.func @nearest(%image: tensor<1x9x7x4xf32>, %grid: tensor<1x5x6x2xf32>)
    -> tensor<1x5x6x4xf32> {
  %0 = convoy.grid_sample %image, %grid layout(nhwc x nhwc -> nhwc)
      mode(nearest) padding(border)
      : tensor<1x9x7x4xf32>, tensor<1x5x6x2xf32> -> tensor<1x5x6x4xf32>
  return %0 : tensor<1x5x6x4xf32>
}

// Four elements with products of weights; zeros where they lie outside; the sum
// in f32. Loops in the order of the samples, whatever the other layouts are.
// CHECK-LABEL: func.func @linear(
// CHECK-SAME:      %[[IMAGE:[^:]*]]: tensor<1x4x9x7xf16>, %[[GRID:[^:]*]]: tensor<2x6x1x5xbf16>)
// CHECK:         tensor.extract_slice %[[GRID]][1, 0, 0, 0] [1, 6, 1, 5] [1, 1, 1, 1] : tensor<2x6x1x5xbf16> to tensor<6x1x5xbf16>
// CHECK:         linalg.generic
// CHECK-SAME:        indexing_maps = [#[[ANY_ORDER]], #[[ANY_ORDER]], #[[SAMPLES]]]
// CHECK:         ^bb0(%[[Y:.*]]: bf16, %[[X:.*]]: bf16, %{{.*}}: f16):
// CHECK:           arith.extf %[[Y]] : bf16 to f32
// (x + 1) / 2 * (9 - 1)
// CHECK:           %[[PART:.*]] = arith.mulf %{{.*}}, %{{.*}} {convoy.uncontracted} : f32
// CHECK:           %[[LAST:.*]] = arith.constant 8.0
// CHECK:           arith.mulf %[[PART]], %[[LAST]] {convoy.uncontracted} : f32
// CHECK:           arith.fptosi
// CHECK:           arith.select %{{.*}} : i32
// CHECK:           %[[FLOOR:.*]] = arith.select %{{.*}} : f32
// CHECK:           %[[Y1:.*]] = arith.subf %{{.*}}, %[[FLOOR]] {convoy.uncontracted} : f32
// CHECK:           arith.extf %[[X]] : bf16 to f32
// CHECK:           arith.fptosi
// CHECK:           arith.select %{{.*}} : i32
// CHECK:           %[[FLOOR:.*]] = arith.select %{{.*}} : f32
// CHECK:           %[[X1:.*]] = arith.subf %{{.*}}, %[[FLOOR]] {convoy.uncontracted} : f32
// CHECK:           %[[Y0:.*]] = arith.subf %{{.*}}, %[[Y1]] {convoy.uncontracted} : f32
// CHECK:           %[[HAS_ROW0:.*]] = arith.cmpi ult
// CHECK:           %[[HAS_ROW1:.*]] = arith.cmpi ult
// CHECK:           %[[X0:.*]] = arith.subf %{{.*}}, %[[X1]] {convoy.uncontracted} : f32
// CHECK:           %[[HAS_COLUMN0:.*]] = arith.cmpi ult
// CHECK:           %[[HAS_COLUMN1:.*]] = arith.cmpi ult
// CHECK:           %[[IS_THERE:.*]] = arith.andi %[[HAS_ROW0]], %[[HAS_COLUMN0]] : i1
// CHECK:           %[[WEIGHT:.*]] = arith.mulf %[[Y0]], %[[X0]] {convoy.uncontracted} : f32
// CHECK:           arith.andi %[[HAS_ROW0]], %[[HAS_COLUMN1]] : i1
// CHECK:           arith.mulf %[[Y0]], %[[X1]] {convoy.uncontracted} : f32
// CHECK:           arith.andi %[[HAS_ROW1]], %[[HAS_COLUMN0]] : i1
// CHECK:           arith.mulf %[[Y1]], %[[X0]] {convoy.uncontracted} : f32
// CHECK:           %[[IS_LAST_THERE:.*]] = arith.andi %[[HAS_ROW1]], %[[HAS_COLUMN1]] : i1
// CHECK:           %[[LAST_WEIGHT:.*]] = arith.mulf %[[Y1]], %[[X1]] {convoy.uncontracted} : f32
// CHECK:           %[[READ:.*]] = tensor.extract %[[IMAGE]]
// CHECK:           %[[ELEMENT:.*]] = arith.select %[[IS_THERE]], %[[READ]], %{{.*}} : f16
// CHECK:           %[[WIDE:.*]] = arith.extf %[[ELEMENT]] : f16 to f32
// CHECK:           %[[FIRST:.*]] = arith.mulf %[[WIDE]], %[[WEIGHT]] : f32
// CHECK:           %[[SECOND:.*]] = arith.mulf %{{.*}}, %{{[^ ]*}} : f32
// CHECK:           arith.addf %[[FIRST]], %[[SECOND]] : f32
// CHECK:           arith.select %[[IS_LAST_THERE]]
// CHECK:           %[[LAST:.*]] = arith.mulf %{{.*}}, %[[LAST_WEIGHT]] : f32
// CHECK:           %[[SUM:.*]] = arith.addf %{{.*}}, %[[LAST]] : f32
// CHECK:           %[[RESULT:.*]] = arith.truncf %[[SUM]] : f32 to f16
// CHECK:           linalg.yield %[[RESULT]]
func.func @linear(%image: tensor<1x4x9x7xf16>, %grid: tensor<2x6x1x5xbf16>)
    -> tensor<1x4x5x6xf16> {
  %0 = convoy.grid_sample %image, %grid layout(nchw x cwnh -> nchw)
      mode(linear) padding(zeros) align_corners
      : tensor<1x4x9x7xf16>, tensor<2x6x1x5xbf16> -> tensor<1x4x5x6xf16>
  return %0 : tensor<1x4x5x6xf16>
}

// Sixteen elements.
// CHECK-LABEL: func.func @cubic(
// CHECK:         linalg.generic
// CHECK-COUNT-16: tensor.extract %
// CHECK-NOT:       tensor.extract %
// CHECK:           linalg.yield
func.func @cubic(%image: tensor<1x9x7x4xf32>, %grid: tensor<1x5x6x2xf32>)
    -> tensor<1x5x6x4xf32> {
  %0 = convoy.grid_sample %image, %grid layout(nhwc x nhwc -> nhwc)
      mode(cubic) padding(zeros)
      : tensor<1x9x7x4xf32>, tensor<1x5x6x2xf32> -> tensor<1x5x6x4xf32>
  return %0 : tensor<1x5x6x4xf32>
}

// Reflections of three dimensions: each is unfolded with remainders of integers
// that are not negative, by a period that is not 0.
// CHECK-LABEL: func.func @reflected(
// CHECK:         linalg.generic
// CHECK-SAME:        ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>)
// CHECK:           %[[PERIOD:.*]] = arith.maxsi
// CHECK:           arith.remui %{{.*}}, %[[PERIOD]] : i32
// CHECK-COUNT-7:   tensor.extract %
// CHECK:           tensor.extract %
// CHECK-NOT:       tensor.extract %
// CHECK:           linalg.yield
func.func @reflected(%image: tensor<1x1x7x8x9xf32>,
                     %grid: tensor<1x2x3x4x3xf32>) -> tensor<1x1x2x3x4xf32> {
  %0 = convoy.grid_sample %image, %grid layout(ncdhw x ndhwc -> ncdhw)
      mode(linear) padding(reflection) align_corners
      : tensor<1x1x7x8x9xf32>, tensor<1x2x3x4x3xf32> -> tensor<1x1x2x3x4xf32>
  return %0 : tensor<1x1x2x3x4xf32>
}

// Sizes that are not known are numbers of f32 as they are of i32.
// CHECK-LABEL: func.func @any_size(
// CHECK:         %[[H:.*]] = tensor.dim
// CHECK:         linalg.generic
// CHECK:           %[[SIZE:.*]] = arith.index_cast %[[H]] : index to i32
// CHECK:           %[[COUNT:.*]] = arith.subi %[[SIZE]], %{{.*}} : i32
// CHECK:           %[[NUMBER:.*]] = arith.sitofp %[[COUNT]] : i32 to f32
// CHECK:           arith.mulf %{{.*}}, %[[NUMBER]] {convoy.uncontracted} : f32
func.func @any_size(%image: tensor<?x?x?x?xf32>, %grid: tensor<?x?x?x2xf32>)
    -> tensor<?x?x?x?xf32> {
  %0 = convoy.grid_sample %image, %grid layout(nhwc x nhwc -> nhwc)
      mode(nearest) padding(border)
      : tensor<?x?x?x?xf32>, tensor<?x?x?x2xf32> -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}
