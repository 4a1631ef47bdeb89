// A workspace is no buffer: each view of it is one, as long as no two of them share
// bytes at the same time, in one thread or in several.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @apart:
// CHECK-DAG: certified: @in_turn:
// CHECK-DAG: undecided: @overlapping: {{.*}}what a part of a workspace holds behind another's use of it
// CHECK-DAG: undecided: @same_place: {{.*}}what a part of a workspace holds behind another's use of it
// CHECK-DAG: certified: @again:
// CHECK-DAG: certified: @again_in_parts:
// CHECK-DAG: undecided: @again_partly: {{.*}}what a part of a workspace holds behind another's use of it
// CHECK-DAG: undecided: @left_in_both: {{.*}}what a part of a workspace holds behind another's use of it
// CHECK-DAG: undecided: @left_by_another: {{.*}}what a part of a workspace holds behind another's use of it
// CHECK-DAG: certified: @last_byte:
// CHECK-DAG: undecided: @outside: {{.*}}memref.view: a part of a workspace that may lie outside
// CHECK-DAG: undecided: @negative: {{.*}}memref.view: a part of a workspace that may lie outside
// CHECK-DAG: undecided: @in_one_loop: {{.*}}memref.view: a part of a workspace that another may change
// CHECK-DAG: certified: @own_of_threads:
// CHECK-DAG: certified: @threads_in_turn:
// CHECK-DAG: undecided: @left_by_turn: {{.*}}what a part of a workspace holds behind another's use of it
// CHECK-DAG: undecided: @threads_of_threads: {{.*}}memref.view: a part of a workspace in a loop that others run beside
// CHECK-DAG: undecided: @threads_too_near: {{.*}}memref.view: a part of a workspace that iterations may share
// CHECK-DAG: undecided: @one_for_all: {{.*}}memref.view: a part of a workspace that iterations may share
// CHECK-DAG: undecided: @last_thread_outside: {{.*}}memref.view: a part of a workspace that may lie outside
// CHECK-DAG: certified: @behind_shared:
// CHECK-DAG: undecided: @in_shared: {{.*}}memref.view: a part of a workspace that another may change
// CHECK-DAG: certified: @after_shared:
// CHECK-DAG: undecided: @hoisted_view: {{.*}}linalg.copy: an element that an iteration in parallel may write meanwhile
// CHECK-DAG: undecided: @carried: {{.*}}scf.for: an op that passes on a part of a workspace
// CHECK-DAG: different: @not_written: element [5]: the second function never writes it; the first writes argument0[5]
// CHECK-DAG: undecided: @bytes: {{.*}}memref.store: a workspace that is no views alone
// CHECK-DAG: undecided: @of_bits: {{.*}}memref.view: a part of a workspace whose size is not known
// CHECK-DAG: certified: @all_in_other_order:
// CHECK-DAG: certified: @no_workspace:

//--- before.mlir
func.func @apart(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @again(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @again_partly(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @left_in_both(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %s = memref.subview %a[1] [5] [1] : memref<6xf32> to memref<5xf32, strided<[1], offset: 1>>
  %ob = arith.constant 4 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  memref.copy %out, %b : memref<6xf32> to memref<6xf32>
  memref.copy %b, %out : memref<6xf32> to memref<6xf32>
  %os = memref.subview %out[1] [5] [1] : memref<6xf32> to memref<5xf32, strided<[1], offset: 1>>
  memref.copy %os, %s : memref<5xf32, strided<[1], offset: 1>> to memref<5xf32, strided<[1], offset: 1>>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @left_by_another(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %ob = arith.constant 0 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %x, %out : memref<6xf32> to memref<6xf32>
  memref.copy %b, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @again_in_parts(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @in_turn(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @overlapping(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @same_place(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @last_byte(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @outside(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @negative(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @in_one_loop(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @own_of_threads(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @threads_in_turn(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @left_by_turn(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @threads_of_threads(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @threads_too_near(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @one_for_all(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @last_thread_outside(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @behind_shared(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @in_shared(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @after_shared(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @hoisted_view(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @carried(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @not_written(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @bytes(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @of_bits(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @all_in_other_order(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
func.func @no_workspace(%x: tensor<6xf32>, %out: memref<6xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}]} {
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}

//--- after.mlir
func.func @apart(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %ob = arith.constant 24 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %x, %b : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  memref.copy %b, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @again(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %s = memref.subview %a[1] [5] [1] : memref<6xf32> to memref<5xf32, strided<[1], offset: 1>>
  %ob = arith.constant 4 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  memref.copy %out, %b : memref<6xf32> to memref<6xf32>
  memref.copy %b, %out : memref<6xf32> to memref<6xf32>
  memref.copy %out, %a : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @again_partly(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %s = memref.subview %a[1] [5] [1] : memref<6xf32> to memref<5xf32, strided<[1], offset: 1>>
  %ob = arith.constant 4 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  memref.copy %out, %b : memref<6xf32> to memref<6xf32>
  memref.copy %b, %out : memref<6xf32> to memref<6xf32>
  %os = memref.subview %out[1] [5] [1] : memref<6xf32> to memref<5xf32, strided<[1], offset: 1>>
  memref.copy %os, %s : memref<5xf32, strided<[1], offset: 1>> to memref<5xf32, strided<[1], offset: 1>>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @left_in_both(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %s = memref.subview %a[1] [5] [1] : memref<6xf32> to memref<5xf32, strided<[1], offset: 1>>
  %ob = arith.constant 4 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  memref.copy %x, %b : memref<6xf32> to memref<6xf32>
  memref.copy %b, %out : memref<6xf32> to memref<6xf32>
  %os = memref.subview %out[1] [5] [1] : memref<6xf32> to memref<5xf32, strided<[1], offset: 1>>
  memref.copy %os, %s : memref<5xf32, strided<[1], offset: 1>> to memref<5xf32, strided<[1], offset: 1>>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @left_by_another(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %ob = arith.constant 0 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  memref.copy %out, %a : memref<6xf32> to memref<6xf32>
  memref.copy %x, %out : memref<6xf32> to memref<6xf32>
  memref.copy %b, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @again_in_parts(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %low = memref.subview %a[0] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1]>>
  %ob = arith.constant 4 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  %xlow = memref.subview %x[0] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1]>>
  %xhigh = memref.subview %x[3] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: 3>>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  memref.copy %out, %b : memref<6xf32> to memref<6xf32>
  memref.copy %b, %out : memref<6xf32> to memref<6xf32>
  memref.copy %xlow, %low : memref<3xf32, strided<[1]>> to memref<3xf32, strided<[1]>>
  %high = memref.subview %a[3] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: 3>>
  memref.copy %xhigh, %high : memref<3xf32, strided<[1], offset: 3>> to memref<3xf32, strided<[1], offset: 3>>
  %again = memref.subview %a[0] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1]>>
  memref.copy %xlow, %again : memref<3xf32, strided<[1]>> to memref<3xf32, strided<[1]>>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @in_turn(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %ob = arith.constant 0 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  memref.copy %out, %b : memref<6xf32> to memref<6xf32>
  memref.copy %b, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @overlapping(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %ob = arith.constant 20 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %x, %b : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @same_place(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %ob = arith.constant 0 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %x, %b : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @last_byte(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 40 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @outside(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 44 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @negative(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant -4 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @in_one_loop(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %ob = arith.constant 0 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    memref.copy %x, %a : memref<6xf32> to memref<6xf32>
    memref.copy %a, %out : memref<6xf32> to memref<6xf32>
    memref.copy %out, %b : memref<6xf32> to memref<6xf32>
  }
  return
}
func.func @own_of_threads(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 2 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    %m = arith.constant 12 : index
    %base = arith.constant 40 : index
    %mt = arith.muli %t, %m : index
    %off = arith.addi %mt, %base : index
    %p = memref.view %w[%off][] : memref<?xi8> to memref<3xf32>
    %from = arith.muli %t, %c3 : index
    %xs = memref.subview %x[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    %os = memref.subview %out[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    memref.copy %xs, %p : memref<3xf32, strided<[1], offset: ?>> to memref<3xf32>
    memref.copy %p, %os : memref<3xf32> to memref<3xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @threads_in_turn(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.parallel (%t) = (%c0) to (%c3) step (%c1) {
      %off = arith.muli %t, %c4 : index
      %p = memref.view %w[%off][] : memref<?xi8> to memref<1xf32>
      %turn = arith.muli %i, %c3 : index
      %from = arith.addi %turn, %t : index
      %xs = memref.subview %x[%from] [1] [1] : memref<6xf32> to memref<1xf32, strided<[1], offset: ?>>
      %os = memref.subview %out[%from] [1] [1] : memref<6xf32> to memref<1xf32, strided<[1], offset: ?>>
      memref.copy %xs, %p : memref<1xf32, strided<[1], offset: ?>> to memref<1xf32>
      memref.copy %p, %os : memref<1xf32> to memref<1xf32, strided<[1], offset: ?>>
    }
  }
  return
}
func.func @left_by_turn(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.parallel (%t) = (%c0) to (%c3) step (%c1) {
      %off = arith.muli %t, %c4 : index
      %p = memref.view %w[%off][] : memref<?xi8> to memref<1xf32>
      %turn = arith.muli %i, %c3 : index
      %from = arith.addi %turn, %t : index
      %xs = memref.subview %x[%from] [1] [1] : memref<6xf32> to memref<1xf32, strided<[1], offset: ?>>
      %os = memref.subview %out[%from] [1] [1] : memref<6xf32> to memref<1xf32, strided<[1], offset: ?>>
      memref.copy %p, %os : memref<1xf32> to memref<1xf32, strided<[1], offset: ?>>
      memref.copy %xs, %p : memref<1xf32, strided<[1], offset: ?>> to memref<1xf32>
    }
  }
  return
}
func.func @threads_of_threads(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c3) step (%c1) {
      %off = arith.muli %t, %c4 : index
      %p = memref.view %w[%off][] : memref<?xi8> to memref<1xf32>
      %turn = arith.muli %i, %c3 : index
      %from = arith.addi %turn, %t : index
      %xs = memref.subview %x[%from] [1] [1] : memref<6xf32> to memref<1xf32, strided<[1], offset: ?>>
      %os = memref.subview %out[%from] [1] [1] : memref<6xf32> to memref<1xf32, strided<[1], offset: ?>>
      memref.copy %xs, %p : memref<1xf32, strided<[1], offset: ?>> to memref<1xf32>
      memref.copy %p, %os : memref<1xf32> to memref<1xf32, strided<[1], offset: ?>>
    }
  }
  return
}
func.func @threads_too_near(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 2 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    %m = arith.constant 8 : index
    %base = arith.constant 0 : index
    %mt = arith.muli %t, %m : index
    %off = arith.addi %mt, %base : index
    %p = memref.view %w[%off][] : memref<?xi8> to memref<3xf32>
    %from = arith.muli %t, %c3 : index
    %xs = memref.subview %x[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    %os = memref.subview %out[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    memref.copy %xs, %p : memref<3xf32, strided<[1], offset: ?>> to memref<3xf32>
    memref.copy %p, %os : memref<3xf32> to memref<3xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @one_for_all(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 2 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    %m = arith.constant 0 : index
    %base = arith.constant 0 : index
    %mt = arith.muli %t, %m : index
    %off = arith.addi %mt, %base : index
    %p = memref.view %w[%off][] : memref<?xi8> to memref<3xf32>
    %from = arith.muli %t, %c3 : index
    %xs = memref.subview %x[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    %os = memref.subview %out[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    memref.copy %xs, %p : memref<3xf32, strided<[1], offset: ?>> to memref<3xf32>
    memref.copy %p, %os : memref<3xf32> to memref<3xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @last_thread_outside(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 2 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    %m = arith.constant 32 : index
    %base = arith.constant 24 : index
    %mt = arith.muli %t, %m : index
    %off = arith.addi %mt, %base : index
    %p = memref.view %w[%off][] : memref<?xi8> to memref<3xf32>
    %from = arith.muli %t, %c3 : index
    %xs = memref.subview %x[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    %os = memref.subview %out[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    memref.copy %xs, %p : memref<3xf32, strided<[1], offset: ?>> to memref<3xf32>
    memref.copy %p, %os : memref<3xf32> to memref<3xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @behind_shared(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 2 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    %m = arith.constant 12 : index
    %base = arith.constant 24 : index
    %mt = arith.muli %t, %m : index
    %off = arith.addi %mt, %base : index
    %p = memref.view %w[%off][] : memref<?xi8> to memref<3xf32>
    %from = arith.muli %t, %c3 : index
    %xs = memref.subview %a[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    %os = memref.subview %out[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    memref.copy %xs, %p : memref<3xf32, strided<[1], offset: ?>> to memref<3xf32>
    memref.copy %p, %os : memref<3xf32> to memref<3xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @in_shared(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 2 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    %m = arith.constant 12 : index
    %base = arith.constant 20 : index
    %mt = arith.muli %t, %m : index
    %off = arith.addi %mt, %base : index
    %p = memref.view %w[%off][] : memref<?xi8> to memref<3xf32>
    %from = arith.muli %t, %c3 : index
    %xs = memref.subview %a[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    %os = memref.subview %out[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    memref.copy %xs, %p : memref<3xf32, strided<[1], offset: ?>> to memref<3xf32>
    memref.copy %p, %os : memref<3xf32> to memref<3xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @after_shared(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 2 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    %m = arith.constant 12 : index
    %base = arith.constant 0 : index
    %mt = arith.muli %t, %m : index
    %off = arith.addi %mt, %base : index
    %p = memref.view %w[%off][] : memref<?xi8> to memref<3xf32>
    %from = arith.muli %t, %c3 : index
    %xs = memref.subview %x[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    %os = memref.subview %out[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    memref.copy %xs, %p : memref<3xf32, strided<[1], offset: ?>> to memref<3xf32>
    memref.copy %p, %os : memref<3xf32> to memref<3xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @hoisted_view(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %c0 = arith.constant 0 : index
  %p = memref.view %w[%c0][] : memref<?xi8> to memref<3xf32>
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 2 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    %from = arith.muli %t, %c3 : index
    %xs = memref.subview %x[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    %os = memref.subview %out[%from] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: ?>>
    memref.copy %xs, %p : memref<3xf32, strided<[1], offset: ?>> to memref<3xf32>
    memref.copy %p, %os : memref<3xf32> to memref<3xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @carried(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%b = %a) -> (memref<6xf32>) {
    memref.copy %x, %b : memref<6xf32> to memref<6xf32>
    scf.yield %b : memref<6xf32>
  }
  memref.copy %r, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @not_written(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @bytes(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  memref.store %v, %w[%c0] : memref<?xi8>
  memref.copy %x, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @of_bits(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %c0 = arith.constant 0 : index
  %b = memref.view %w[%c0][] : memref<?xi8> to memref<6xi1>
  memref.copy %x, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @all_in_other_order(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  %oa = arith.constant 0 : index
  %a = memref.view %w[%oa][] : memref<?xi8> to memref<6xf32>
  %ob = arith.constant 0 : index
  %b = memref.view %w[%ob][] : memref<?xi8> to memref<6xf32>
  memref.copy %x, %b : memref<6xf32> to memref<6xf32>
  memref.copy %b, %out : memref<6xf32> to memref<6xf32>
  memref.copy %out, %a : memref<6xf32> to memref<6xf32>
  memref.copy %a, %out : memref<6xf32> to memref<6xf32>
  return
}
func.func @no_workspace(%x: memref<6xf32>, %out: memref<6xf32>, %w: memref<?xi8>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<6xf32>, written = false}, {layout = "c", name = "out", type = tensor<6xf32>, written = true}], convoy.workspace = 64 : i64} {
  memref.copy %x, %out : memref<6xf32> to memref<6xf32>
  return
}
