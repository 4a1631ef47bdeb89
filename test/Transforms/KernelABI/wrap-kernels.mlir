// RUN: convoy-opt %s --convoy-wrap-kernels --split-input-file | FileCheck %s

// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME:    %[[X:.*]]: !llvm.ptr {llvm.noalias}, %[[S:.*]]: f32, %[[Y:.*]]: !llvm.ptr {llvm.noalias}, %[[W:.*]]: !llvm.ptr {llvm.noalias}) -> i32
// CHECK-DAG:     %[[C3:.*]] = llvm.mlir.constant(3 : i64)
// CHECK-DAG:     %[[C63:.*]] = llvm.mlir.constant(63 : i64)
// CHECK-DAG:     %[[ADDRESS:.*]] = llvm.ptrtoint %[[X]]
// CHECK-DAG:     llvm.and %[[ADDRESS]], %[[C3]]
// CHECK-DAG:     %[[AT:.*]] = llvm.ptrtoint %[[W]]
// CHECK-DAG:     llvm.and %[[AT]], %[[C63]]
// CHECK:         llvm.cond_br %{{.*}}, ^[[NULL:.*]], ^[[NEXT:.*]]
// CHECK:       ^[[NULL]]:
// CHECK:         %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK:         llvm.return %[[ONE]]
// CHECK:       ^[[NEXT]]:
// CHECK:         llvm.cond_br %{{.*}}, ^[[MISALIGNED:.*]], ^[[CALL:.*]]
// CHECK:       ^[[MISALIGNED]]:
// CHECK:         %[[TWO:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK:         llvm.return %[[TWO]]
// CHECK:       ^[[CALL]]:
// CHECK:         llvm.call @kernel.body(%[[X]], %[[X]], %{{.*}}, %{{.*}}, %{{.*}}, %[[S]], %[[Y]], %[[Y]],
// CHECK:         %[[ZERO:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK:         llvm.return %[[ZERO]]
// CHECK:       llvm.func internal @kernel.body({{.*}}) attributes {always_inline
llvm.func @kernel(%x: !llvm.ptr, %x_aligned: !llvm.ptr, %x_offset: i64, %x_size: i64, %x_stride: i64,
                  %s: f32,
                  %y: !llvm.ptr, %y_aligned: !llvm.ptr, %y_offset: i64, %y_size: i64, %y_stride: i64,
                  %w: !llvm.ptr, %w_aligned: !llvm.ptr, %w_offset: i64, %w_size: i64, %w_stride: i64)
    attributes {convoy.arguments = [
        {layout = "", name = "x", type = tensor<7xf32>, written = false},
        {layout = "", name = "s", type = f32, written = false},
        {layout = "", name = "y", type = tensor<5xf64>, written = true}],
        convoy.workspace = 64 : i64} {
  llvm.return
}

// -----

// Dynamic sizes come last and give the strides; a workspace of unknown size is
// checked, one of no bytes is not.
// CHECK-LABEL: llvm.func @dynamic(
// CHECK-SAME:    %[[X:.*]]: !llvm.ptr {llvm.noalias}, %[[W:.*]]: !llvm.ptr {llvm.noalias}, %[[N:.*]]: i64, %[[C:.*]]: i64) -> i32
// CHECK-NOT:     llvm.ptrtoint %[[W]]
// CHECK:         %[[BOTH:.*]] = llvm.or %[[N]], %[[C]]
// CHECK:         %[[NEGATIVE:.*]] = llvm.icmp "slt" %[[BOTH]], %{{.*}}
// CHECK:         llvm.cond_br %[[NEGATIVE]], ^[[WRONG:.*]], ^
// CHECK:       ^[[WRONG]]:
// CHECK:         %[[THREE:.*]] = llvm.mlir.constant(3 : i32) : i32
// CHECK:         llvm.return %[[THREE]]
// CHECK:         %[[STRIDE:.*]] = llvm.mul %{{.*}}, %[[C]]
// CHECK:         llvm.call @dynamic.body(%[[X]], %[[X]], %{{.*}}, %[[N]], %[[C]], %[[STRIDE]], %{{.*}},
llvm.func @dynamic(%x: !llvm.ptr, %x_aligned: !llvm.ptr, %x_offset: i64,
                   %n: i64, %c: i64, %stride_n: i64, %stride_c: i64,
                   %w: !llvm.ptr, %w_aligned: !llvm.ptr, %w_offset: i64, %w_size: i64, %w_stride: i64)
    attributes {convoy.arguments = [
        {layout = "nc", name = "x", type = tensor<?x?xf32>, written = true}],
        convoy.workspace = 0 : i64} {
  llvm.return
}

// -----

// The sizes are checked before the body sees them.
// CHECK-LABEL: llvm.func @checked(
// CHECK:         %[[AGREE:.*]] = llvm.call @checked.sizes(%[[N:.*]]) : (i64) -> i1
// CHECK:         %[[DISAGREE:.*]] = llvm.icmp "eq" %[[AGREE]], %{{.*}}
// CHECK:         llvm.cond_br %[[DISAGREE]], ^[[WRONG:.*]], ^
// CHECK:       ^[[WRONG]]:
// CHECK:         llvm.mlir.constant(3 : i32) : i32
// CHECK:         llvm.call @checked.body(
// CHECK:       llvm.func internal @checked.sizes(
llvm.func @checked(%x: !llvm.ptr, %x_aligned: !llvm.ptr, %x_offset: i64, %n: i64, %stride: i64,
                   %w: !llvm.ptr, %w_aligned: !llvm.ptr, %w_offset: i64, %w_size: i64, %w_stride: i64)
    attributes {convoy.arguments = [{layout = "n", name = "x", type = tensor<?xf32>, written = true}],
                convoy.workspace = 0 : i64} {
  llvm.return
}
llvm.func @checked.sizes(%n: i64) -> i1 {
  %two = llvm.mlir.constant(2 : i64) : i64
  %right = llvm.icmp "sge" %n, %two : i64
  llvm.return %right : i1
}

// -----

// 16-bit floats are passed as their bits, whichever way the body takes them.
// CHECK-LABEL: llvm.func @narrow_scalars(
// CHECK-SAME:    %[[H:.*]]: i16, %[[B:.*]]: i16, %{{.*}}: !llvm.ptr {llvm.noalias}) -> i32
// CHECK:         %[[HALF:.*]] = llvm.bitcast %[[H]] : i16 to f16
// CHECK:         llvm.call @narrow_scalars.body(%[[HALF]], %[[B]],
llvm.func @narrow_scalars(%h: f16, %b: i16,
                          %w: !llvm.ptr, %w_aligned: !llvm.ptr, %w_offset: i64, %w_size: i64, %w_stride: i64)
    attributes {convoy.arguments = [
        {layout = "", name = "h", type = f16, written = false},
        {layout = "", name = "b", type = bf16, written = false}],
        convoy.workspace = 0 : i64} {
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @not_a_kernel()
// CHECK-NOT:   .body
llvm.func @not_a_kernel() {
  llvm.return
}

// -----

// What a loop says to LLVM becomes what its branch says.
// CHECK-LABEL: llvm.func @loop()
// CHECK:         llvm.br ^bb1 {loop_annotation = #
llvm.func @loop() {
  llvm.br ^bb1
^bb1:
  llvm.br ^bb1 {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
}
