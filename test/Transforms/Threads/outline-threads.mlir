// RUN: convoy-opt %s --convoy-outline-threads --split-input-file | FileCheck %s

// All bodies take the same arguments: first those that are the function's own,
// then others, such as the index of a loop around.

// CHECK-LABEL: llvm.func @two_loops(
// CHECK-SAME:    %[[X:.*]]: !llvm.ptr, %[[N:.*]]: i64, %[[Y:.*]]: !llvm.ptr)
llvm.func @two_loops(%x: !llvm.ptr, %n: i64, %y: !llvm.ptr) {
  %threads = llvm.mlir.constant(2 : i32) : i32
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %row = llvm.getelementptr %x[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  // CHECK:     %[[FIRST:.*]] = llvm.mlir.addressof @two_loops.part : !llvm.ptr
  // CHECK:     llvm.call @two_loops.start(%[[FIRST]], %[[X]], %[[N]], %{{.*}}, %{{.*}})
  omp.parallel num_threads(%threads : i32) {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%c0) to (%c2) step (%c1) {
        %at = llvm.getelementptr %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        llvm.store %c2, %at : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.br ^loop(%c0 : i64)
// CHECK:     ^{{.*}}(%[[J:.*]]: i64):
^loop(%j: i64):
  // CHECK:     %[[SECOND:.*]] = llvm.mlir.addressof @two_loops.part_0 : !llvm.ptr
  // CHECK:     llvm.call @two_loops.start(%[[SECOND]], %{{.*}}, %{{.*}}, %[[Y]], %[[J]])
  // CHECK-NOT: omp
  omp.parallel num_threads(%threads : i32) {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%c0) to (%c2) step (%c1) {
        %at = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        llvm.br ^inside(%at : !llvm.ptr)
      ^inside(%to: !llvm.ptr):
        llvm.store %j, %to : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  %next = llvm.add %j, %c1 : i64
  %more = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  llvm.return
}
// CHECK:     llvm.func internal @two_loops.part(
// CHECK-SAME:    %[[I:.*]]: i64, %[[X:.*]]: !llvm.ptr, %[[N:.*]]: i64, %{{.*}}: !llvm.ptr, %{{.*}}: i64) {
// CHECK-DAG:     %[[ROW:.*]] = llvm.getelementptr %[[X]][%[[N]]]
// CHECK-DAG:     %[[TWO:.*]] = llvm.mlir.constant(2 : i64)
// CHECK:         %[[AT:.*]] = llvm.getelementptr %[[ROW]][%[[I]]]
// CHECK:         llvm.store %[[TWO]], %[[AT]]
// CHECK:         llvm.return
// CHECK:     llvm.func internal @two_loops.start(
// CHECK-SAME:    %[[BODY:.*]]: !llvm.ptr, %[[X:.*]]: !llvm.ptr, %[[N:.*]]: i64, %[[Y:.*]]: !llvm.ptr, %[[J:.*]]: i64) attributes {no_inline}
// CHECK:         omp.parallel num_threads(
// CHECK-NEXT:      omp.wsloop nowait {
// CHECK-NEXT:        omp.loop_nest (%[[I:.*]]) : i64 =
// CHECK-NEXT:          llvm.call %[[BODY]](%[[I]], %[[X]], %[[N]], %[[Y]], %[[J]]) : !llvm.ptr, (i64, !llvm.ptr, i64, !llvm.ptr, i64) -> ()
// CHECK-NEXT:          omp.yield
// CHECK:     llvm.func internal @two_loops.part_0(
// CHECK-SAME:    %[[I:.*]]: i64, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %[[Y:.*]]: !llvm.ptr, %[[J:.*]]: i64) {
// CHECK:         %[[AT:.*]] = llvm.getelementptr %[[Y]][%[[I]]]
// CHECK:         llvm.br ^[[INSIDE:.*]](%[[AT]] : !llvm.ptr)
// CHECK:       ^[[INSIDE]](%[[TO:.*]]: !llvm.ptr):
// CHECK:         llvm.store %[[J]], %[[TO]]

// -----

// What is read from memory is read before; the pointers that a kernel's buffers
// are read and written through are nobody else's.

// CHECK-LABEL: llvm.func @kernel(
// CHECK:         %[[READ:.*]] = llvm.load
// CHECK:         llvm.call @kernel.start(%{{.*}}, %arg2, %arg7, %[[READ]])
// CHECK:       llvm.func internal @kernel.part(
// CHECK-SAME:    %{{.*}}: i64, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: f32) {
llvm.func @kernel(%s: f32,
                  %x: !llvm.ptr, %x_aligned: !llvm.ptr, %x_offset: i64, %x_size: i64, %x_stride: i64,
                  %w: !llvm.ptr, %w_aligned: !llvm.ptr, %w_offset: i64, %w_size: i64, %w_stride: i64)
    attributes {convoy.arguments = [
        {layout = "", name = "s", type = f32, written = false},
        {layout = "", name = "x", type = tensor<7xf32>, written = true}],
        convoy.workspace = 64 : i64} {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %read = llvm.load %x_aligned : !llvm.ptr -> f32
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%c0) to (%c2) step (%c1) {
        %at = llvm.getelementptr %x_aligned[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %read, %at : f32, !llvm.ptr
        llvm.store %read, %w_aligned : f32, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @does_more(
// CHECK:         omp.parallel
// CHECK-NOT:   llvm.func
llvm.func @does_more(%x: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%c0) to (%c1) step (%c1) {
        llvm.store %i, %x : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.barrier
    omp.terminator
  }
  llvm.return
}

// -----

// A loop that runs more often than the one before it needs another starter.
// CHECK-LABEL: llvm.func @other_counts(
// CHECK:         llvm.call @other_counts.start
// CHECK:         omp.parallel
// CHECK:       llvm.func internal @other_counts.part(
// CHECK:       llvm.func internal @other_counts.start(
llvm.func @other_counts(%x: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%c0) to (%c1) step (%c1) {
        llvm.store %i, %x : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
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

// -----

// Loops with clauses stay, and so do those whose counts are not constants.
// CHECK-LABEL: llvm.func @inclusive(
// CHECK:         omp.loop_nest {{.*}} inclusive
llvm.func @inclusive(%x: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%c0) to (%c2) inclusive step (%c1) {
        llvm.store %i, %x : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// CHECK-LABEL: llvm.func @schedule(
// CHECK:         omp.wsloop schedule
llvm.func @schedule(%x: !llvm.ptr, %n: i64) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  omp.parallel {
    omp.wsloop schedule(static = %n : i64) {
      omp.loop_nest (%i) : i64 = (%c0) to (%c2) step (%c1) {
        llvm.store %i, %x : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// CHECK-LABEL: llvm.func @private(
// CHECK:         omp.parallel private
omp.private {type = private} @p : i64
llvm.func @private(%x: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  omp.parallel private(@p %c1 -> %q : i64) {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%c0) to (%c2) step (%c1) {
        llvm.store %q, %x : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// CHECK-LABEL: llvm.func @count(
// CHECK:         omp.loop_nest
// CHECK-NOT:   llvm.func
llvm.func @count(%x: !llvm.ptr, %n: i64) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%c0) to (%n) step (%c1) {
        llvm.store %i, %x : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// -----

// A loop in another's body stays in it.
// CHECK-LABEL: llvm.func @nested(
// CHECK:         llvm.call @nested.start
// CHECK-LABEL: llvm.func internal @nested.part(
// CHECK:         omp.parallel
llvm.func @nested(%x: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%c0) to (%c2) step (%c1) {
        omp.parallel {
          omp.wsloop {
            omp.loop_nest (%j) : i64 = (%c0) to (%c2) step (%c1) {
              llvm.store %j, %x : i64, !llvm.ptr
              omp.yield
            }
          }
          omp.terminator
        }
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// -----

// What a function cannot take is not handed over.
// CHECK-LABEL: llvm.func @memref(
// CHECK:         omp.parallel
llvm.func @memref(%x: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %m = memref.alloc() : memref<i64>
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%c0) to (%c2) step (%c1) {
        memref.store %c1, %m[] : memref<i64>
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// -----

// What is used twice is computed once.
// CHECK-LABEL: llvm.func internal @shared.part(
// CHECK-COUNT-24: llvm.add
// CHECK-NOT:      llvm.add
llvm.func @shared(%x: !llvm.ptr, %n: i64) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %a1 = llvm.add %n, %n : i64
  %a2 = llvm.add %a1, %a1 : i64
  %a3 = llvm.add %a2, %a2 : i64
  %a4 = llvm.add %a3, %a3 : i64
  %a5 = llvm.add %a4, %a4 : i64
  %a6 = llvm.add %a5, %a5 : i64
  %a7 = llvm.add %a6, %a6 : i64
  %a8 = llvm.add %a7, %a7 : i64
  %a9 = llvm.add %a8, %a8 : i64
  %a10 = llvm.add %a9, %a9 : i64
  %a11 = llvm.add %a10, %a10 : i64
  %a12 = llvm.add %a11, %a11 : i64
  %a13 = llvm.add %a12, %a12 : i64
  %a14 = llvm.add %a13, %a13 : i64
  %a15 = llvm.add %a14, %a14 : i64
  %a16 = llvm.add %a15, %a15 : i64
  %a17 = llvm.add %a16, %a16 : i64
  %a18 = llvm.add %a17, %a17 : i64
  %a19 = llvm.add %a18, %a18 : i64
  %a20 = llvm.add %a19, %a19 : i64
  %a21 = llvm.add %a20, %a20 : i64
  %a22 = llvm.add %a21, %a21 : i64
  %a23 = llvm.add %a22, %a22 : i64
  %a24 = llvm.add %a23, %a23 : i64
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%c0) to (%c2) step (%c1) {
        llvm.store %a24, %x : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// -----

// A pointer that may be a buffer's reaches what the buffer's own does.
// CHECK-LABEL: llvm.func internal @either.part(
// CHECK-NOT:     llvm.noalias
// CHECK:         llvm.store
llvm.func @either(%which: i1,
                  %x: !llvm.ptr, %x_aligned: !llvm.ptr, %x_offset: i64, %x_size: i64, %x_stride: i64,
                  %w: !llvm.ptr, %w_aligned: !llvm.ptr, %w_offset: i64, %w_size: i64, %w_stride: i64)
    attributes {convoy.arguments = [
        {layout = "", name = "which", type = i1, written = false},
        {layout = "", name = "x", type = tensor<7xi64>, written = true}],
        convoy.workspace = 64 : i64} {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  llvm.cond_br %which, ^next(%x_aligned : !llvm.ptr), ^next(%w_aligned : !llvm.ptr)
^next(%y: !llvm.ptr):
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%c0) to (%c2) step (%c1) {
        llvm.store %i, %y : i64, !llvm.ptr
        llvm.store %i, %x_aligned : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}
