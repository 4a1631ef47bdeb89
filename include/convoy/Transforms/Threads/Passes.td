//===- Passes.td - Parts for threads -----------------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_THREADS_PASSES_TD
#define CONVOY_TRANSFORMS_THREADS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ParallelizeTilesPass : Pass<"convoy-parallelize-tiles"> {
  let summary = "Let threads share loops over tiles";
  let description = [{
    - Needs: `scf.forall` on tensors, as the passes that tile leave it where
      iterations are independent.
    - Leaves: those that threads share, and `scf.for` in the place of the
      others: of all of them where there is one thread.

    Loops are taken from outermost, where one copy of a packed factor serves
    most, unless `threads` could not share them evenly and can share loops
    inside them. Reductions are `scf.for` and stay as they are, so that results
    have the same bits for every number of threads. An `scf.forall` of which it
    is plain that iterations write the same elements is an error.

    Loops that threads can run one after the other without waiting for each
    other get a `#convoy.thread_region` in common: their iterations write
    disjoint parts of one tensor and read no more of what the others write. So
    do loops around them that are nothing else, such as those over blocks of a
    reduction, in which a thread comes back to slices that only it has written.
    ```mlir
    %r = scf.forall (%i) = (0) to (14) step (2) shared_outs(%t = %init) -> (tensor<14xf32>) {
      %s = tensor.extract_slice %t[%i] [2] [1] : tensor<14xf32> to tensor<2xf32>
      %u = linalg.fill ins(%x : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %u into %t[%i] [2] [1] : tensor<2xf32> into tensor<14xf32>
      }
    }
    ```
    becomes, without threads,
    ```mlir
    %r = scf.for %i = %c0 to %c14 step %c2 iter_args(%t = %init) -> (tensor<14xf32>) {
      %s = tensor.extract_slice %t[%i] [2] [1] : tensor<14xf32> to tensor<2xf32>
      %u = linalg.fill ins(%x : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
      %v = tensor.insert_slice %u into %t[%i] [2] [1] : tensor<2xf32> into tensor<14xf32>
      scf.yield %v : tensor<14xf32>
    }
    ```
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "1",
           "Number of threads that share the loops">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ParallelizeCopiesPass : Pass<"convoy-parallelize-copies"> {
  let summary = "Let threads share copies, fills and reductions of buffers";
  let description = [{
    - Needs: linalg ops on buffers, outside of `scf.forall`, of whose outer loops
      each iteration writes elements of its own: those of a pool, inside of which
      are its reductions, too.
    - Leaves: those that write 64 KiB or more as `scf.forall` over their outer
      loops. What a reduction writes counts as often as it does so, and a fill
      before it is part of the loops.

    An iteration writes 4 KiB or more. Where the outer loops have fewer than 8
    iterations, the next loop is cut into parts of 16 steps or more. Dynamic
    sizes count as 1.
    ```mlir
    linalg.fill ins(%x : f32) outs(%b : memref<8x9216xf32>)
    ```
    becomes
    ```mlir
    scf.forall (%i) in (8) {
      %row = memref.subview %b[%i, 0] [1, 9216] [1, 1]
      linalg.fill ins(%x : f32) outs(%row)
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def DistributeThreadsPass : Pass<"convoy-distribute-threads"> {
  let summary = "Give each thread its part of a parallel loop";
  let description = [{
    - Needs: `scf.forall` on buffers.
    - Leaves: `scf.parallel` with one iteration for each thread.

    A thread runs as many iterations of the former loop, one after the other,
    as any other thread, or one more. Loops of one region
    (`convoy-parallelize-tiles`) that still have nothing but views and indices
    between them share one `scf.parallel`. It is an error if one of them may
    write what another touches, or if what a loop touches of a buffer that it
    writes may change from one round of a loop around it to the next: threads
    would not wait. Buffers of arguments are taken for different ones. What is
    allocated inside is of the thread, and `convoy-allocate-workspace` gives
    each one room of its own. LLVM is told not to unroll the loops over
    iterations.
    ```mlir
    scf.forall (%i) in (5) { .. }
    ```
    becomes, with 2 threads,
    ```mlir
    scf.parallel (%thread) = (%c0) to (%c2) step (%c1) {
      %first = .. // %thread * 5 / 2
      %end = .. // (%thread + 1) * 5 / 2
      scf.for %i = %first to %end step %c1 { .. }
    }
    ```
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "1",
           "Number of threads that share each loop">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::scf::SCFDialect"];
}

def OutlineThreadsPass : Pass<"convoy-outline-threads", "::mlir::ModuleOp"> {
  let summary = "Let threads run functions of their own";
  let description = [{
    - Needs: `llvm.func` with `omp.parallel` around one loop and nothing else,
      as `convoy-distribute-threads` and upstream's conversions leave them.
    - Leaves: a function for each loop's body, and one for all loops of a
      function that lets threads run a body.

    Loops stay that do not run as often as the first, that have clauses, or of
    which it is not known how often they run. What a body needs it computes
    again as far as that takes no memory, and is handed the rest: all bodies of
    a function take the same arguments, since they are called through a
    pointer. Those that the kernel's buffers begin at are `llvm.noalias`, as in
    the kernel, unless the body is handed other pointers: a thread writes
    nothing that others read or write before all are done. Threads wait for
    each other once, at the end of the region.
    ```mlir
    llvm.func @f(%x: !llvm.ptr) {
      omp.parallel {
        omp.wsloop {
          omp.loop_nest (%i) : i64 = (%c0) to (%c2) step (%c1) {
            llvm.store %i, %x : i64, !llvm.ptr
            omp.yield
          }
        }
        omp.terminator
      }
      llvm.return
    }
    ```
    becomes
    ```mlir
    llvm.func @f(%x: !llvm.ptr) {
      %part = llvm.mlir.addressof @f.part : !llvm.ptr
      llvm.call @f.start(%part, %x) : (!llvm.ptr, !llvm.ptr) -> ()
      llvm.return
    }
    llvm.func internal @f.part(%i: i64, %x: !llvm.ptr) {
      llvm.store %i, %x : i64, !llvm.ptr
      llvm.return
    }
    llvm.func internal @f.start(%part: !llvm.ptr, %x: !llvm.ptr)
        attributes {no_inline} {
      omp.parallel {
        omp.wsloop nowait {
          omp.loop_nest (%i) : i64 = (%c0) to (%c2) step (%c1) {
            llvm.call %part(%i, %x) : !llvm.ptr, (i64, !llvm.ptr) -> ()
            omp.yield
          }
        }
        omp.terminator
      }
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::omp::OpenMPDialect"];
}

#endif // CONVOY_TRANSFORMS_THREADS_PASSES_TD
