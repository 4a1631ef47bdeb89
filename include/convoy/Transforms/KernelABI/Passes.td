//===- Passes.td - Arguments, sizes and names of kernels ---*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_KERNELABI_PASSES_TD
#define CONVOY_TRANSFORMS_KERNELABI_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerTracesPass : Pass<"convoy-lower-traces", "::mlir::ModuleOp"> {
  let summary = "Hand traced values to the caller";
  let description = [{
    - Needs: `convoy.trace`, each under a name of its own, in the only block of
      public functions that nothing calls.
    - Leaves: these with a result for each trace behind their own, in the order
      of the traces; no traces.

    Such a result has the trace's name as its `convoy.name`, which header and
    manifest show, and `convoy.traced`, which tells it from a result that the
    function is there for. Calls are to be inlined before. All pipelines to
    kernels begin with this pass.
    ```mlir
    func.func @f(%x: tensor<7xf32>) -> tensor<7xf32> {
      %0 = math.absf %x : tensor<7xf32>
      %1 = convoy.trace "abs" %0 : tensor<7xf32>
      %2 = math.sqrt %1 : tensor<7xf32>
      return %2 : tensor<7xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<7xf32>)
        -> (tensor<7xf32>, tensor<7xf32> {convoy.name = "abs", convoy.traced}) {
      %0 = math.absf %x : tensor<7xf32>
      %1 = math.sqrt %0 : tensor<7xf32>
      return %1, %0 : tensor<7xf32>, tensor<7xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect"];
}

def ScalarsToTensorsPass : Pass<"convoy-scalars-to-tensors", "::mlir::func::FuncOp"> {
  let summary = "Take numbers as tensors";
  let description = [{
    - Needs: public functions on tensors, before `convoy-add-destinations`.
    - Leaves: tensors of rank 0 in the place of arguments that are numbers.

    The only element of such a tensor is read where the number was used.
    Kernels of GPUs take all data in buffers. Declarations and what
    `convoy-add-destinations` has seen stay as they are.
    ```mlir
    func.func @scale(%x: tensor<3xf32>, %alpha: f32) -> tensor<3xf32>
    ```
    becomes
    ```mlir
    func.func @scale(%x: tensor<3xf32>, %alpha: tensor<f32>) -> tensor<3xf32> {
      %0 = tensor.extract %alpha[] : tensor<f32>
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def AddDestinationsPass : Pass<"convoy-add-destinations", "::mlir::func::FuncOp"> {
  let summary = "Write results into buffers that the caller gives";
  let description = [{
    - Needs: functions on tensors.
    - Leaves: functions without results, with a memref argument for each result
      that was, and `convoy.arguments`.

    Tensor arguments are only read. What a caller must know of each argument is
    kept in the attribute `convoy.arguments`: its name, type, layout, and
    whether it is written. Names and layouts come from the attributes
    `convoy.name` and `convoy.layout` of arguments and results, else from the
    convolution that uses them. A name that is taken, such as `workspace`, gets
    a number. Where ops add to an argument, as convolutions do to an init, the
    buffer starts as its copy. A result that is reshaped, reduced or put
    together of parts is computed in its buffer from the start. Names of
    functions and arguments that a header for C and C++ cannot declare are
    refused.
    ```mlir
    func.func @f(%x: tensor<7xf32>) -> tensor<5xf32> { .. return %r }
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<7xf32>, %out: memref<5xf32>) {
      ..
      bufferization.materialize_in_destination %r in restrict writable %out
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
}

def AssertSizesPass : Pass<"convoy-assert-sizes", "::mlir::func::FuncOp"> {
  let summary = "Assert that dynamic sizes agree";
  let description = [{
    - Needs: kernels on tensors (`convoy-add-destinations`).
    - Leaves: assertions of what ops take for granted of their dynamic sizes,
      before each convolution, linalg op, sample and write of a result.

    Dimensions of one letter or loop are equal, and windows reach no further
    than the padding.
    ```mlir
    %y = convoy.conv ins(%x, %w : tensor<?x9x4xf32>, ..) outs(%init : tensor<?x7x6xf32>) ..
    ```
    becomes
    ```mlir
    %n0 = tensor.dim %x, %c0 : tensor<?x9x4xf32>
    %n1 = tensor.dim %init, %c0 : tensor<?x7x6xf32>
    %equal = arith.cmpi eq, %n0, %n1 : index
    cf.assert %equal, "expected equal sizes of one dimension"
    %y = convoy.conv ..
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def OutlineSizeChecksPass : Pass<"convoy-outline-size-checks", "::mlir::ModuleOp"> {
  let summary = "Check sizes before a kernel runs";
  let description = [{
    - Needs: kernels on buffers, whose assertions outside of loops follow from
      the sizes of arguments.
    - Leaves: them without these assertions, and with a function `name.sizes`
      that says whether all hold.

    The function takes the sizes of arguments; `convoy-wrap-kernels` calls it.
    ```mlir
    func.func @f(%x: memref<?xf32>, %y: memref<?xf32>) {
      ..
      cf.assert %equal, ".."
    ```
    becomes
    ```mlir
    func.func @f.sizes(%x_0: i64, %y_0: i64) -> i1 { .. return %equal : i1 }
    func.func @f(%x: memref<?xf32>, %y: memref<?xf32>) {
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def WrapKernelsPass : Pass<"convoy-wrap-kernels", "::mlir::ModuleOp"> {
  let summary = "Give kernels their C interface";
  let description = [{
    - Needs: `llvm.func` with `convoy.arguments`, as lowered from memrefs.
    - Leaves: for each a function of its name with the interface of C, and its
      body as an internal function.

    The interface is
    ```c
    int name(const T *input, .., T *output, void *workspace, int64_t sizes..)
    ```
    The body is to be inlined. A scalar f16 or bf16 is passed as the integer of
    its bits. The kernel returns 0, or 1 where a pointer is null, 2 where one
    is not aligned to its elements (the workspace: to 64 bytes), 3 where sizes
    are negative or contradict each other. What loops say to LLVM, as
    `llvm.loop_annotation` on their branches, becomes what these say.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def RequestTilesPass : Pass<"convoy-request-tiles", "::mlir::ModuleOp"> {
  let summary = "Ask Linux for permission to use AMX";
  let description = [{
    - Needs: functions in LLVM's dialect, for x86-64 and Linux.
    - Leaves: where one of them loads shapes of AMX's tiles, a constructor, which
      is called as a program begins or loads the kernels, and a function that
      asks, by `arch_prctl`. Linux ends a program that uses tiles without having
      asked.

    Permission is given to the whole process, once and for all, so that asking
    again does nothing.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def MarkPackedFiltersPass
    : Pass<"convoy-mark-packed-filters", "::mlir::func::FuncOp"> {
  let summary = "Say which arguments callers hand over packed";
  let description = [{
    - Needs: functions with convolutions on tensors.
    - Leaves: `convoy.prepacked` on the arguments that are filters of forward
      convolutions and of gradients of the input.

    A filter may be reshaped before it is used, and cut into parts that are
    known. A filter that is no argument, has other uses or dynamic sizes is an
    error. Gradients of filters and
    private functions stay as they are.
    ```mlir
    func.func @conv(%x: tensor<1x7x3xf32>, %w: tensor<2x3x5xf32>) ..
    ```
    becomes
    ```mlir
    func.func @conv(%x: tensor<1x7x3xf32>,
                    %w: tensor<2x3x5xf32> {convoy.prepacked}) ..
    ```
    `convoy-choose-tiles` then takes packing such a filter for free.
  }];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect"];
}

def CheckCallsPass : Pass<"convoy-check-calls"> {
  let summary = "Refuse calls of unknown code";
  let description = [{
    - Needs: functions on buffers.
    - Leaves: the IR as it is.

    Kernels call no library but C's mathematical one, for functions that have
    an op, and allocate nothing: calls of functions without a body, of
    functions that call themselves, assertions and allocations are errors.
    ```mlir
    func.func private @log(%x: memref<3xf32>)
    func.call @log(%x) : (memref<3xf32>) -> ()
    ```
    becomes the error `calls 'log', which has no body`.
  }];
}

def MeasureSumsPass : Pass<"convoy-measure-sums", "::mlir::func::FuncOp"> {
  let summary = "Count the roundings of results";
  let description = [{
    - Needs: functions on tensors, before `convoy-add-destinations` or after it.
    - Leaves: `convoy.sums` at the results of these, or `sums` in their
      `convoy.arguments`, and then no `convoy.independent`.

    The error of a sum of products is bounded by how many roundings a term
    passes on its way into the result: one of its product and one of each
    addition. Where terms are added one after the other, the first passes as
    many as there are terms; in a tree, their logarithm. Counts are of each
    type, at most, where results are sums of products of arguments alone, and
    where loops have constant bounds. Products that their type has exactly
    and additions to zero round nothing.

    Loops count as they stand, reductions of linalg for any order. What threads
    could share is one iteration's (`scf.forall`, and what
    `convoy-parallelize-tiles` marks as `convoy.independent`; a marked loop whose
    iterations plainly go on with sums of others is an error). Pipelines measure
    twice: before anything is lowered, and when the order of sums is settled. The
    second is the kernel's. That it rounds to f16 or bf16 where the first does
    not is an error. Where words of bf16 are multiplied, `sums` have `flushes`:
    the instruction takes subnormal numbers for zeros; and `rounds_to_odd` where
    that of `#convoy.target` rounds so (`bfdot`, `bfmmla`).
    ```mlir
    func.func @f(%x: tensor<8xf32>, %w: tensor<8xf32>, %y: tensor<f32>) -> tensor<f32> {
      %0 = linalg.dot ins(%x, %w : tensor<8xf32>, tensor<8xf32>) outs(%y : tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    ```
    becomes
    ```mlir
    func.func @f(..) -> (tensor<f32> {convoy.sums = {f32 = 9}}) {
    ```
  }];
  let dependentDialects = ["::mlir::convoy::ConvoyDialect"];
}

def GuardDivisionsPass : Pass<"convoy-guard-divisions"> {
  let summary = "Let no division end the program";
  let description = [{
    - Needs: kernels in LLVM's dialect.
    - Leaves: divisions of integers whose divisors are not 0, nor -1 where the
      smallest number is divided.

    These quotients are undefined, and x86's CPUs end a program that asks for
    one; a kernel is part of somebody's program. They become quotients by 1.
    Divisors that are known stay as they are.
    ```mlir
    %quotient = llvm.udiv %x, %y : i32
    ```
    becomes
    ```mlir
    %isWrong = llvm.icmp "eq" %y, %zero : i32
    %divisor = llvm.select %isWrong, %one, %y : i1, i32
    %quotient = llvm.udiv %x, %divisor : i32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // CONVOY_TRANSFORMS_KERNELABI_PASSES_TD
