// What a buffer held is an input like any other, and every buffer a result.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
#map = affine_map<(d0) -> (d0)>
// CHECK-DAG: different: @in_place_reverse: element [3]: the second function lacks argument2[3]
func.func @in_place_reverse(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>) {
  %0 = bufferization.to_tensor %arg2 restrict : memref<4xf32> to tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %0 : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.addf %in, %in_0 : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %2 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
// CHECK-DAG: certified: @in_place_same: equal for all finite values
func.func @in_place_same(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>) {
  %0 = bufferization.to_tensor %arg2 restrict : memref<4xf32> to tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %0 : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.addf %in, %in_0 : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %2 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @copy_order: {{.*}}bufferization.to_tensor: a buffer that is used before the copy
func.func @copy_order(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>) {
  %0 = bufferization.to_buffer %arg0 read_only : tensor<4xf32> to memref<4xf32>
  memref.copy %0, %arg2 : memref<4xf32> to memref<4xf32>
  %1 = bufferization.to_tensor %arg2 restrict : memref<4xf32> to tensor<4xf32>
  %2 = tensor.empty() : tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %1 : tensor<4xf32>, tensor<4xf32>) outs(%2 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %4 = arith.addf %in, %in_0 : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %3 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
// CHECK-DAG: undecided: @read_after_write: {{.*}}bufferization.to_tensor: a tensor read from a buffer after it was written
func.func @read_after_write(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>, %arg3: memref<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.addf %in, %in_0 : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  %2 = bufferization.to_tensor %arg2 restrict : memref<4xf32> to tensor<4xf32>
  bufferization.materialize_in_destination %2 in restrict writable %arg3 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
// CHECK-DAG: different: @outputs_swapped: element [3]: the second function lacks argument1[3]
func.func @outputs_swapped(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>, %arg3: memref<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %2 = arith.addf %in, %in_0 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %arg0 in restrict writable %arg3 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
// CHECK-DAG: different: @buffers_swapped_args: element [3]: the second function lacks argument1[3]
func.func @buffers_swapped_args(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>, %arg3: memref<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %2 = arith.addf %in, %in_0 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %arg0 in restrict writable %arg3 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
// CHECK-DAG: certified: @buffers_reordered_writes: equal for all finite values
func.func @buffers_reordered_writes(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>, %arg3: memref<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %2 = arith.addf %in, %in_0 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %arg0 in restrict writable %arg3 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
// CHECK-DAG: different: @args_order: the functions have other arguments or results
func.func @args_order(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %2 = arith.addf %in, %in_0 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
// CHECK-DAG: different: @returned_reverse: element [1]: the first function has argument0[1], and has argument0[2] instead
func.func @returned_reverse(%arg0: memref<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.to_tensor %arg0 restrict : memref<4xf32> to tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %2 in restrict writable %arg0 : (tensor<4xf32>, memref<4xf32>) -> ()
  return %2 : tensor<4xf32>
}
// CHECK-DAG: undecided: @buffer_read_only_reverse: {{.*}}func.func: a buffer that is not written
func.func @buffer_read_only_reverse(%arg0: memref<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.to_tensor %arg0 restrict : memref<4xf32> to tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
// CHECK-DAG: undecided: @tensor_arg_written: {{.*}}func.func: a buffer that must not be written
func.func @tensor_arg_written(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
// CHECK-DAG: undecided: @tensor_arg_materialized: {{.*}}bufferization.materialize_in_destination: an effect that results do not show
func.func @tensor_arg_materialized(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}

//--- after.mlir
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (-d0 + 3)>
func.func @in_place_reverse(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>) {
  %0 = bufferization.to_tensor %arg2 restrict : memref<4xf32> to tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel"]} ins(%arg0, %0 : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.addf %in, %in_0 : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %2 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @in_place_same(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>) {
  %0 = bufferization.to_tensor %arg2 restrict : memref<4xf32> to tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%0, %arg0 : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.addf %in, %in_0 : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %2 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @copy_order(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>) {
  %0 = bufferization.to_tensor %arg2 restrict : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %arg0 read_only : tensor<4xf32> to memref<4xf32>
  memref.copy %1, %arg2 : memref<4xf32> to memref<4xf32>
  %2 = tensor.empty() : tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %0 : tensor<4xf32>, tensor<4xf32>) outs(%2 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %4 = arith.addf %in, %in_0 : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %3 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @read_after_write(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>, %arg3: memref<4xf32>) {
  %0 = bufferization.to_tensor %arg2 restrict : memref<4xf32> to tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.addf %in, %in_0 : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %2 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %0 in restrict writable %arg3 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @outputs_swapped(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>, %arg3: memref<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %2 = arith.addf %in, %in_0 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %arg0 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %1 in restrict writable %arg3 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @buffers_swapped_args(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>, %arg3: memref<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %2 = arith.addf %in, %in_0 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %arg3 : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %arg0 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @buffers_reordered_writes(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: memref<4xf32>, %arg3: memref<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %2 = arith.addf %in, %in_0 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %arg0 in restrict writable %arg3 : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %1 in restrict writable %arg2 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @args_order(%arg0: memref<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg1, %arg2 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %2 = arith.addf %in, %in_0 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %arg0 : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @returned_reverse(%arg0: memref<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.to_tensor %arg0 restrict : memref<4xf32> to tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %2 in restrict writable %arg0 : (tensor<4xf32>, memref<4xf32>) -> ()
  return %2 : tensor<4xf32>
}
func.func @buffer_read_only_reverse(%arg0: memref<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.to_tensor %arg0 restrict : memref<4xf32> to tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @tensor_arg_written(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.to_buffer %arg0 : tensor<4xf32> to memref<4xf32>
  %c0 = arith.constant 0 : index
  %cst = arith.constant 1.000000e+00 : f32
  memref.store %cst, %0[%c0] : memref<4xf32>
  return %arg0 : tensor<4xf32>
}
func.func @tensor_arg_materialized(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.to_buffer %arg0 : tensor<4xf32> to memref<4xf32>
  bufferization.materialize_in_destination %arg1 in restrict writable %0 : (tensor<4xf32>, memref<4xf32>) -> ()
  return %arg0 : tensor<4xf32>
}
