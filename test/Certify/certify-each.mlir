// Each pass is proved, whatever pass manager it runs in.
// RUN: rm -rf %t && split-file %s %t

// RUN: convoy-opt %t/gradient.mlir --convoy-certify-each --pass-pipeline='builtin.module(func.func(convoy-decompose-backward,canonicalize),convoy-to-tiles-pipeline)' -o %t/tiles.mlir 2>&1 | FileCheck %s --check-prefix=GOOD --implicit-check-not=@gradient
// RUN: convoy-certify %t/gradient.mlir %t/tiles.mlir | FileCheck %s --check-prefix=WHOLE
// GOOD: convoy-opt: certified {{[0-9]+}} changes of functions in
// WHOLE: certified: @gradient:

// The first pass that changed the meaning is named, and both sides are kept.
// Passes stop there.
// RUN: bash -c 'convoy-test-opt %t/gradient.mlir --convoy-certify-each --convoy-certify-folder=%t/sides --pass-pipeline="builtin.module(func.func(convoy-decompose-backward,test-convoy-forget-transpose),convoy-to-tiles-pipeline)" -o %t/none.mlir; test $? = 2' 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not ls %t/none.mlir
// RUN: bash -c 'convoy-certify %t/sides/gradient.0.test-convoy-forget-transpose.before.mlir %t/sides/gradient.0.test-convoy-forget-transpose.after.mlir; test $? = 2' | FileCheck %s --check-prefix=SIDES
// BAD: gradient.mlir:1:1: error: test-convoy-forget-transpose changed what @gradient computes: 'convoy.conv': element [{{.*}}]: the second function lacks {{.*}} instead; both sides are in '{{.*}}/sides/gradient.0.test-convoy-forget-transpose.before.mlir' and '{{.*}}/sides/gradient.0.test-convoy-forget-transpose.after.mlir'
// BAD: note: at this op
// BAD: convoy-opt: certified 1 change of functions, but not all in
// SIDES: different: @gradient:

// Where the folder cannot be made, the error says so as well.
// RUN: not convoy-test-opt %t/gradient.mlir --convoy-certify-each --convoy-certify-folder=%t/gradient.mlir/sides --test-convoy-forget-transpose --convoy-decompose-backward --test-convoy-forget-transpose 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: test-convoy-forget-transpose changed {{.*}}; cannot make the folder '{{.*}}gradient.mlir/sides': Not a directory

// The whole way down: tensors, vectors and buffers are certified up to LLVM's
// part, which is said not to be.
// RUN: convoy-opt %t/gradient.mlir --convoy-certify-each --convoy-to-llvm-pipeline -o %t/llvm.mlir 2>&1 | FileCheck %s --check-prefix=STOP --implicit-check-not=remark:
// STOP: gradient.mlir:1:1: remark: certified @gradient up to convert-scf-to-cf ({{[0-9]+}} changes proved), whose 'func.func' has several blocks: what follows is not compared

// A function that is below tensors before anything is proved is undecided, and
// so is an op that is not understood; passes go on.
// RUN: bash -c 'convoy-opt %t/two_buffers.mlir --convoy-certify-each --convoy-certify-folder=%t/sides --canonicalize -o %t/out.mlir; test $? = 4' 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: bash -c 'convoy-opt %t/unknown.mlir --convoy-certify-each --convoy-certify-folder=%t/sides --tosa-to-tensor --linalg-generalize-named-ops -o %t/known.mlir; test $? = 4' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: FileCheck %s --check-prefix=WRITTEN < %t/known.mlir
// BELOW: error: canonicalize is undecided on @two_buffers: 'func.func': is not understood (buffers that may be the same memory); both sides are in
// BELOW: convoy-opt: certified 0 changes of functions, but not all
// UNKNOWN: unknown.mlir:1:1: error: tosa-to-tensor is undecided on @unknown: 'tosa.slice': an op whose meaning is not known
// UNKNOWN: convoy-opt: certified 1 change of functions, but not all
// WRITTEN: linalg.generic

// A public function that a pass removes is missed; a private one is not.
// RUN: bash -c 'convoy-opt %t/removed.mlir --convoy-certify-each --pass-pipeline="builtin.module(symbol-dce)" -o -; test $? = 0' 2>&1 | FileCheck %s --check-prefix=REMOVED
// REMOVED-NOT: error
// REMOVED: func.func @kept
// REMOVED-NOT: @unused
// RUN: bash -c 'convoy-test-opt %t/kept.mlir --convoy-certify-each --canonicalize --test-convoy-break=kind=remove -o %t/none.mlir; test $? = 4' 2>&1 | FileCheck %s --check-prefix=MISSED
// MISSED: kept.mlir:{{.*}} error: test-convoy-break is undecided on @kept: it is no longer there
// One that nobody sees any more is missed where it is hidden.
// RUN: bash -c 'convoy-opt %t/hidden.mlir --convoy-certify-each --convoy-certify-folder=%t/sides --pass-pipeline="builtin.module(symbol-privatize{exclude=kept},symbol-dce)" -o %t/none.mlir; test $? = 4' 2>&1 | FileCheck %s --check-prefix=HIDDEN
// HIDDEN: hidden.mlir:{{.*}} error: symbol-privatize is undecided on @hidden: 'func.func': a function that only the first one's module shows to others

// A pass that fails is an error as ever; what it left is not compared.
// RUN: bash -c 'convoy-opt %t/failing.mlir --convoy-certify-each --convoy-decompose-im2col --convoy-split-phases --convoy-vectorize-tiles --convoy-wrap-kernels --convoy-add-destinations; test $? = 1' 2>&1 | FileCheck %s --check-prefix=FAILS --implicit-check-not=undecided
// FAILS: error: 'func.func' op expected argument 0

// In a nest of pipelines the pass is blamed, not what it stands in.
// RUN: bash -c '(echo "module @outer { module @inner {"; cat %t/gradient.mlir; echo "}}") > %t/nested.mlir; convoy-test-opt %t/nested.mlir --convoy-certify-each --convoy-certify-folder=%t/sides --pass-pipeline="builtin.module(builtin.module(func.func(convoy-decompose-backward),any(test-convoy-forget-transpose)),canonicalize)" -o %t/none.mlir; test $? = 2' 2>&1 | FileCheck %s --check-prefix=NEST --implicit-check-not=error:
// NEST: error: test-convoy-forget-transpose changed what @outer::inner::gradient computes

// Of several inputs in a file a difference counts for more than what is
// undecided, and that for more than nothing, in any order.
// RUN: cat %t/unknown.mlir %t/separator %t/gradient.mlir %t/separator %t/kept.mlir > %t/split-1.mlir
// RUN: cat %t/gradient.mlir %t/separator %t/kept.mlir %t/separator %t/unknown.mlir > %t/split-2.mlir
// RUN: cat %t/unknown.mlir %t/separator %t/kept.mlir > %t/split-3.mlir
// RUN: bash -c 'convoy-test-opt %t/split-1.mlir --split-input-file --convoy-certify-each --convoy-certify-folder=%t/sides --convoy-decompose-backward --tosa-to-tensor --test-convoy-forget-transpose -o %t/none.mlir; test $? = 2' 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: bash -c 'convoy-test-opt %t/split-2.mlir --split-input-file --convoy-certify-each --convoy-certify-folder=%t/sides --convoy-decompose-backward --tosa-to-tensor --test-convoy-forget-transpose -o %t/none.mlir; test $? = 2' 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: bash -c 'convoy-test-opt %t/split-3.mlir --split-input-file --convoy-certify-each --convoy-certify-folder=%t/sides --convoy-decompose-backward --tosa-to-tensor --test-convoy-forget-transpose -o %t/none.mlir; test $? = 4' 2>&1 | FileCheck %s --check-prefix=SPLIT
// SPLIT: , but not all in

// No proof takes less than no time.
// RUN: bash -c 'convoy-opt %t/gradient.mlir --convoy-certify-each --convoy-certify-folder=%t/sides --convoy-certify-time-limit=0 --convoy-decompose-backward -o %t/out.mlir; test $? = 4' 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: error: convoy-decompose-backward is undecided on @gradient: 'func.func': no decision within 0.00 seconds

// What a private function does is part of what its callers do, whichever buffers it is given.
// RUN: convoy-opt %t/called.mlir --convoy-certify-each --canonicalize -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=CALLED --implicit-check-not=error
// CALLED: certified 1 change of functions
// RUN: bash -c 'convoy-test-opt %t/called.mlir --convoy-certify-each --convoy-certify-folder=%t/sides --pass-pipeline="builtin.module(func.func(convoy-decompose-backward),func.func(test-convoy-forget-transpose))" -o %t/none.mlir; test $? = 2' 2>&1 | FileCheck %s --check-prefix=BAD-CALLED
// BAD-CALLED: called.mlir:[[#]]:1: error: test-convoy-forget-transpose changed what @caller computes: 'convoy.conv': element

// It is compared alone where no caller is compared, as those are not that launch kernels which are not read.
// RUN: bash -c 'convoy-test-opt %t/launching.mlir --convoy-certify-each --convoy-certify-folder=%t/sides --pass-pipeline="builtin.module(func.func(convoy-decompose-backward),func.func(test-convoy-forget-transpose))" -o %t/none.mlir; test $? = 2' 2>&1 | FileCheck %s --check-prefix=LAUNCHING
// LAUNCHING: error: test-convoy-forget-transpose changed what @part computes: 'convoy.conv': element

//--- separator
// -----
//--- kept.mlir
func.func @kept(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
//--- hidden.mlir
func.func @kept(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
func.func @hidden(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
//--- gradient.mlir
func.func @gradient(%dy: tensor<1x5x4xf32>, %filter: tensor<4x2x4xf32>, %init: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %dx = convoy.conv_backward_data ins(%dy, %filter : tensor<1x5x4xf32>, tensor<4x2x4xf32>)
      outs(%init : tensor<1x6x4xf32>) layout(nwc x cwf -> nwf)
  return %dx : tensor<1x6x4xf32>
}
//--- called.mlir
func.func @copies(%x: memref<4xf32>, %out: memref<4xf32>) attributes {convoy.arguments = [{layout = "c", name = "x", type = tensor<4xf32>, written = false}, {layout = "c", name = "out", type = tensor<4xf32>, written = true}]} {
  func.call @copy(%x, %out) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func private @copy(%from: memref<4xf32>, %to: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = arith.addi %c0, %c1 : index
  %a = memref.load %from[%sum] : memref<4xf32>
  memref.store %a, %to[%c0] : memref<4xf32>
  return
}
func.func @caller(%dy: tensor<1x5x4xf32>, %filter: tensor<4x2x4xf32>, %init: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %dx = func.call @part(%dy, %filter, %init) : (tensor<1x5x4xf32>, tensor<4x2x4xf32>, tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %dx : tensor<1x6x4xf32>
}
func.func private @part(%dy: tensor<1x5x4xf32>, %filter: tensor<4x2x4xf32>, %init: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %dx = convoy.conv_backward_data ins(%dy, %filter : tensor<1x5x4xf32>, tensor<4x2x4xf32>)
      outs(%init : tensor<1x6x4xf32>) layout(nwc x cwf -> nwf)
  return %dx : tensor<1x6x4xf32>
}
//--- launching.mlir
func.func @h(%dy: tensor<1x5x4xf32>, %filter: tensor<4x2x4xf32>, %init: tensor<1x6x4xf32>, %x: tensor<70xf32>, %e: tensor<70xf32>) -> (tensor<1x6x4xf32>, tensor<70xf32>) {
  %k = convoy.launch @kernels::@foo grid [7, 1, 1] ins(%x : tensor<70xf32>) outs(%e : tensor<70xf32>) -> tensor<70xf32>
  %r = func.call @part(%dy, %filter, %init) : (tensor<1x5x4xf32>, tensor<4x2x4xf32>, tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %r, %k : tensor<1x6x4xf32>, tensor<70xf32>
}
func.func private @part(%dy: tensor<1x5x4xf32>, %filter: tensor<4x2x4xf32>, %init: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %dx = convoy.conv_backward_data ins(%dy, %filter : tensor<1x5x4xf32>, tensor<4x2x4xf32>)
      outs(%init : tensor<1x6x4xf32>) layout(nwc x cwf -> nwf)
  return %dx : tensor<1x6x4xf32>
}
gpu.module @kernels {
  gpu.func @foo(%a: memref<70xf32>, %b: memref<70xf32>) kernel { gpu.return }
}
//--- two_buffers.mlir
func.func @two_buffers(%from: memref<4xf32>, %to: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = arith.addi %c0, %c1 : index
  %a = memref.load %from[%sum] : memref<4xf32>
  memref.store %a, %to[%c0] : memref<4xf32>
  return
}
//--- unknown.mlir
func.func @unknown(%a: tensor<4xf32>, %b: tensor<4xf32>, %init: tensor<f32>) -> (tensor<2xf32>, tensor<f32>) {
  %start = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %size = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %part = tosa.slice %a, %start, %size : (tensor<4xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<2xf32>
  %dot = linalg.dot ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %part, %dot : tensor<2xf32>, tensor<f32>
}
//--- removed.mlir
func.func @kept(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
func.func private @unused(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
//--- failing.mlir
func.func @f(%x: memref<4xf32>) { return }
