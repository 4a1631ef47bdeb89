// RUN: convoy-opt %s --convoy-insert-trace --convoy-certify-each | FileCheck %s
// RUN: convoy-opt %s --convoy-insert-trace --mlir-disable-threading | FileCheck %s
// RUN: convoy-opt %s --convoy-insert-trace=ops=math,tensor.cast | FileCheck %s --check-prefix=OPS
// RUN: convoy-opt %s --convoy-insert-trace=names=root | FileCheck %s --check-prefix=NAMES
// RUN: convoy-opt %s --convoy-insert-trace=every=2 | FileCheck %s --check-prefix=EVERY
// RUN: convoy-opt %s --convoy-insert-trace=every=0 | FileCheck %s --check-prefix=NONE
// NONE-NOT: convoy.trace "{{absf|layer|for}}

// Names come from locations, else from ops. What depends on no argument is not
// traced.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[X:.*]]: tensor<7xf32>)
// CHECK:         %[[ONES:.*]] = arith.constant
// CHECK-NOT:     convoy.trace
// CHECK:         %[[ABS:.*]] = math.absf %[[X]]
// CHECK-NEXT:    %[[TRACED:.*]] = convoy.trace "absf_0" %[[ABS]] : tensor<7xf32>
// CHECK-NEXT:    %[[ROOT:.*]] = math.sqrt %[[TRACED]]
// CHECK-NEXT:    %[[TRACED:.*]] = convoy.trace "root" %[[ROOT]]
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[TRACED]], %[[ONES]]
// CHECK-NEXT:    %[[TRACED:.*]] = convoy.trace "layer_1_0" %[[SUM]]
// CHECK-NEXT:    %[[ABS:.*]] = math.absf %[[TRACED]]
// CHECK-NEXT:    %[[TRACED:.*]] = convoy.trace "absf_1" %[[ABS]]
// CHECK-NEXT:    return %[[TRACED]]

// OPS-LABEL:   func.func @chain(
// OPS:           convoy.trace "absf_0"
// OPS:           convoy.trace "root"
// OPS:           arith.addf
// OPS-NEXT:      math.absf
// OPS-NEXT:      convoy.trace "absf_1"

// NAMES-LABEL: func.func @chain(
// NAMES:         math.absf
// NAMES-NEXT:    math.sqrt
// NAMES-NEXT:    convoy.trace "root"
// NAMES-NEXT:    arith.addf
// NAMES-NEXT:    math.absf
// NAMES-NEXT:    return

// EVERY-LABEL: func.func @chain(
// EVERY:         math.absf
// EVERY-NEXT:    math.sqrt
// EVERY-NEXT:    convoy.trace "root"
// EVERY-NEXT:    arith.addf
// EVERY-NEXT:    math.absf
// EVERY-NEXT:    convoy.trace "absf_0"
func.func @chain(%x: tensor<7xf32>) -> tensor<7xf32> {
  %ones = arith.constant dense<1.0> : tensor<7xf32>
  %two = arith.addf %ones, %ones : tensor<7xf32>
  %0 = math.absf %x : tensor<7xf32>
  %1 = math.sqrt %0 : tensor<7xf32> loc("root")
  %2 = arith.addf %1, %ones : tensor<7xf32> loc("layer.1-0")
  %3 = math.absf %2 : tensor<7xf32>
  return %3 : tensor<7xf32>
}

// A value is traced once, a name given once, and a location's name is numbered
// where it is taken.
// CHECK-LABEL: func.func @traced(
// CHECK:         math.absf
// CHECK-NEXT:    convoy.trace "root"
// CHECK-NEXT:    math.sqrt
// CHECK-NEXT:    convoy.trace "root_0"
// CHECK-NEXT:    return
func.func @traced(%x: tensor<7xf32>) -> tensor<7xf32> {
  %0 = math.absf %x : tensor<7xf32>
  %1 = convoy.trace "root" %0 : tensor<7xf32>
  %2 = math.sqrt %1 : tensor<7xf32> loc("root")
  return %2 : tensor<7xf32>
}

// The names of other functions are free, whichever a pass ran on before.
// CHECK-LABEL: func.func @again(
// CHECK:         math.absf
// CHECK-NEXT:    convoy.trace "absf_0"
// CHECK-NEXT:    math.sqrt
// CHECK-NEXT:    convoy.trace "root"
func.func @again(%x: tensor<7xf32>) -> tensor<7xf32> {
  %0 = math.absf %x : tensor<7xf32>
  %1 = math.sqrt %0 : tensor<7xf32> loc("root")
  return %1 : tensor<7xf32>
}

// No trace holds a number, or a tensor of indices.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     convoy.trace
// CHECK:         return
func.func @others(%x: tensor<7xf32>, %i: index) -> (f32, tensor<2xindex>) {
  %0 = tensor.extract %x[%i] : tensor<7xf32>
  %1 = tensor.from_elements %i, %i : tensor<2xindex>
  return %0, %1 : f32, tensor<2xindex>
}

// Nor what holds nothing yet.
// CHECK-LABEL: func.func @empty(
// CHECK:         tensor.empty
// CHECK-NEXT:    linalg.fill
// CHECK-NEXT:    convoy.trace "fill_0"
// CHECK-NEXT:    return
func.func @empty(%n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// What stands in a loop is not traced, the loop's own results are.
// CHECK-LABEL: func.func @loop(
// CHECK:         scf.for
// CHECK:           math.absf
// CHECK-NEXT:      scf.yield
// CHECK:         convoy.trace "for_0"
func.func @loop(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%y = %x) -> tensor<7xf32> {
    %z = math.absf %y : tensor<7xf32>
    scf.yield %z : tensor<7xf32>
  }
  return %0 : tensor<7xf32>
}

// CHECK: func.func private @declared
func.func private @declared(tensor<7xf32>) -> tensor<7xf32>

// No kernel gives conditions.
// CHECK-LABEL: func.func @condition(
// CHECK:         arith.cmpf
// CHECK-NEXT:    arith.select
// CHECK-NEXT:    convoy.trace "select_0"
func.func @condition(%x: tensor<7xf32>, %y: tensor<7xf32>) -> tensor<7xf32> {
  %0 = arith.cmpf ogt, %x, %y : tensor<7xf32>
  %1 = arith.select %0, %x, %y : tensor<7xi1>, tensor<7xf32>
  return %1 : tensor<7xf32>
}

// Names that nothing has are told.
// RUN: convoy-opt %s --convoy-insert-trace=ops=no.op 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: convoy-opt %s --convoy-insert-trace=names=nobody 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: convoy-opt %s --convoy-insert-trace --convoy-insert-trace=names=root 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: remark: traces nothing: traced already is what is called 'root'
// NOTHING: remark: traces nothing: no op whose value depends on an argument is called 'no.op'
// NOBODY: remark: traces nothing: no op whose value depends on an argument is called 'nobody'
