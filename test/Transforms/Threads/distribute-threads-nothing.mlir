// RUN: convoy-opt %s --convoy-distribute-threads=threads=2 --verify-diagnostics -o /dev/null
// RUN: sed /expected/d %s | convoy-opt --convoy-distribute-threads -o /dev/null 2>&1 | count 0

func.func @shared(%x: memref<4xf32>, %value: f32) {
  scf.forall (%i) in (4) {
    memref.store %value, %x[%i] : memref<4xf32>
  }
  return
}

// expected-remark @below {{2 threads have nothing to share in 'one_by_one': it has no loop with several iterations that are independent}}
func.func @one_by_one(%x: memref<4xf32>, %value: f32) {
  %c0 = arith.constant 0 : index
  memref.store %value, %x[%c0] : memref<4xf32>
  return
}

func.func private @elsewhere(memref<4xf32>)
