// RUN: convoy-opt %s --convoy-vectorize-copies --canonicalize --cse --split-input-file | FileCheck %s
// RUN: convoy-opt %s --convoy-attach-target=masked-bytes=128 --convoy-vectorize-copies --split-input-file | FileCheck %s --check-prefix=UNMASKED

// The loops over h and w go through both buffers as one; the rest of a vector
// copies some elements again.
// CHECK-LABEL: @one_run
// CHECK-SAME: %[[A:.+]]: memref<2x3x5xf32>, %[[B:.+]]: memref<2x3x5xf32, strided<[20, 5, 1]>>
// CHECK-DAG: %[[FROM:.+]] = memref.collapse_shape %[[A]] {{\[}}[0], [1, 2]]
// CHECK-DAG: %[[TO:.+]] = memref.collapse_shape %[[B]] {{\[}}[0], [1, 2]]
// CHECK: scf.for %[[N:.+]] =
// CHECK: scf.for %[[I:.+]] = %{{.+}} to %c12 step %c4
// CHECK: vector.load %[[FROM]][%[[N]], %[[I]]] : {{.*}}, vector<4xf32>
// CHECK: vector.store {{.*}}, %[[TO]][%[[N]], %[[I]]]
// CHECK: vector.load %[[FROM]][%[[N]], %c11] : {{.*}}, vector<4xf32>
// CHECK: vector.store {{.*}}, %[[TO]][%[[N]], %c11]
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16>} {
  func.func @one_run(%a: memref<2x3x5xf32>, %b: memref<2x3x5xf32, strided<[20, 5, 1]>>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%a : memref<2x3x5xf32>) outs(%b : memref<2x3x5xf32, strided<[20, 5, 1]>>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}

// -----

// Blocks of 2x2 are transposed; rests of one row or one lane are read and
// written as short vectors.
// CHECK-LABEL: @transposed
// CHECK-SAME: %[[A:.+]]: memref<3x5xf32>, %[[B:.+]]: memref<5x3xf32>
// CHECK: scf.for %[[I:.+]] = %c0 to %c4 step %c2
// CHECK: %[[R0:.+]] = vector.load %[[A]][%c0, %[[I]]] : {{.*}}, vector<2xf32>
// CHECK: %[[R1:.+]] = vector.load %[[A]][%c1, %[[I]]] : {{.*}}, vector<2xf32>
// CHECK-DAG: %[[C0:.+]] = vector.shuffle %[[R0]], %[[R1]] [0, 2]
// CHECK-DAG: %[[C1:.+]] = vector.shuffle %[[R0]], %[[R1]] [1, 3]
// CHECK-DAG: vector.store %[[C0]], %[[B]][%[[I]], %c0]
// CHECK-DAG: vector.store %[[C1]], %[[B]][%{{.+}}, %c0]
// CHECK: vector.load %[[A]][%c0, %c4] : {{.*}}, vector<1xf32>
// CHECK: scf.for %[[J:.+]] = %c0 to %c4 step %c2
// CHECK: vector.load %[[A]][%c2, %[[J]]] : {{.*}}, vector<2xf32>
// CHECK: vector.store {{.*}} vector<1xf32>
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 16>} {
  func.func @transposed(%a: memref<3x5xf32>, %b: memref<5x3xf32>) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<3x5xf32>) outs(%b : memref<5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}

// -----

// Rounds of a transposition interleave within 16 bytes, then collect these. What
// does not fill a vector is read and written under a mask.
// CHECK-LABEL: @pieces
// CHECK-SAME: %[[A:.+]]: memref<16x14xf32>, %[[B:.+]]: memref<14x16xf32>
// CHECK: %[[MASK:.+]] = vector.constant_mask [14] : vector<16xi1>
// CHECK: %[[R0:.+]] = vector.maskedload %[[A]][%c0, %c0], %[[MASK]]
// CHECK: %[[R1:.+]] = vector.maskedload %[[A]][%c1, %c0], %[[MASK]]
// CHECK: vector.shuffle %[[R0]], %[[R1]] [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29]
// CHECK: vector.shuffle %[[R0]], %[[R1]] [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31]
// CHECK: vector.shuffle {{.*}} [0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29]
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
// CHECK: vector.shuffle {{.*}} [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]
// CHECK-COUNT-14: vector.store {{.*}}, %[[B]][{{.*}}] : memref<14x16xf32>, vector<16xf32>
// CHECK-NOT: vector.store
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32>} {
  func.func @pieces(%a: memref<16x14xf32>, %b: memref<14x16xf32>) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<16x14xf32>) outs(%b : memref<14x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}

// -----

// UNMASKED-LABEL: @masked_columns
// UNMASKED-NOT: masked
// UNMASKED: return
// CHECK-LABEL: @masked_columns
// CHECK: %[[MASK:.+]] = vector.constant_mask [9] : vector<16xi1>
// CHECK-COUNT-16: vector.maskedstore {{.*}}, %[[MASK]], {{.*}} : memref<16x9xf32>
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32>} {
  func.func @masked_columns(%a: memref<9x16xf32>, %b: memref<16x9xf32>) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<9x16xf32>) outs(%b : memref<16x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}

// -----

// Every second element, in two vectors of which the second ends with the last.
// Floats of 16 bits are moved as integers.
// CHECK-LABEL: @every_second
// CHECK-SAME: %[[A:.+]]: memref<9xbf16>, %[[B:.+]]: memref<4xbf16>
// CHECK: %[[V0:.+]] = vector.load %[[A]][%c1]
// CHECK: %[[I0:.+]] = vector.bitcast %[[V0]] : vector<4xbf16> to vector<4xi16>
// CHECK: %[[V1:.+]] = vector.load %[[A]][%c4]
// CHECK: %[[I1:.+]] = vector.bitcast %[[V1]] : vector<4xbf16> to vector<4xi16>
// CHECK: vector.shuffle %{{.+}}, %[[I1]] [0, 1, 5, 7]
// CHECK: vector.store
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 16>} {
  func.func @every_second(%a: memref<9xbf16>, %b: memref<4xbf16>) {
    linalg.generic {indexing_maps = [affine_map<(d0) -> (2 * d0 + 1)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%a : memref<9xbf16>) outs(%b : memref<4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    }
    return
  }
}

// -----

// A destination whose elements lie apart, sizes that are dynamic and ops that
// broadcast are left.
// CHECK-LABEL: @left
// CHECK-COUNT-2: linalg.generic
// CHECK: linalg.broadcast
#id = affine_map<(d0) -> (d0)>
func.func @left(%a: memref<4xf32>, %b: memref<4xf32, strided<[2]>>, %c: memref<?xf32>, %d: memref<?xf32>, %e: memref<3x4xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%b : memref<4xf32, strided<[2]>>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : memref<?xf32>) outs(%d : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  linalg.broadcast ins(%a : memref<4xf32>) outs(%e : memref<3x4xf32>) dimensions = [0]
  return
}

// -----

// Two streams are written in turn: a vector of each makes two vectors. What is
// left of a row is written again.
// CHECK-LABEL: @interleaved
// CHECK-SAME: %[[A:.+]]: memref<2x3x7xf32>, %[[B:.+]]: memref<3x7x2xf32, strided<[28, 2, 1]>>
// CHECK: %[[TO:.+]] = memref.collapse_shape %[[B]] {{\[}}[0], [1, 2]]
// CHECK: %[[R0:.+]] = vector.load %[[A]][%c0, %[[I:.+]], %c0] : {{.*}}, vector<4xf32>
// CHECK: %[[R1:.+]] = vector.load %[[A]][%c1, %[[I]], %c0] : {{.*}}, vector<4xf32>
// CHECK: %[[LOW:.+]] = vector.shuffle %[[R0]], %[[R1]] [0, 4, 1, 5]
// CHECK: vector.store %[[LOW]], %[[TO]][%[[I]], %c0]
// CHECK: %[[HIGH:.+]] = vector.shuffle %[[R0]], %[[R1]] [2, 6, 3, 7]
// CHECK: vector.store %[[HIGH]], %[[TO]][%[[I]], %c4]
// CHECK: vector.load %[[A]][%c0, %[[I]], %c3] : {{.*}}, vector<4xf32>
// CHECK: vector.store {{.*}}, %[[TO]][%[[I]], %c6]
// CHECK: vector.store {{.*}}, %[[TO]][%[[I]], %c10]
// CHECK-NOT: vector.store
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16>} {
  func.func @interleaved(%a: memref<2x3x7xf32>, %b: memref<3x7x2xf32, strided<[28, 2, 1]>>) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%a : memref<2x3x7xf32>) outs(%b : memref<3x7x2xf32, strided<[28, 2, 1]>>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}

// -----

// Of three streams each vector takes two merges.
// CHECK-LABEL: @three_streams
// CHECK: vector.shuffle {{.*}} [0, 8, -1, 1, 9, -1, 2, 10]
// CHECK: vector.shuffle {{.*}} [0, 1, 8, 3, 4, 9, 6, 7]
// CHECK-COUNT-3: vector.store {{.*}} vector<8xf32>
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @three_streams(%a: memref<3x8xf32>, %b: memref<8x3xf32>) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<3x8xf32>) outs(%b : memref<8x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}

// -----

// Where more than six copies transpose, whole blocks are transposed by a
// function that they share.
// CHECK-LABEL: @seven_transposed
// CHECK-COUNT-7: call @transpose(%{{.+}}, %{{.+}}) : (memref<7xf32, strided<[1], offset: ?>>, memref<5xf32, strided<[1], offset: ?>>) -> ()
// CHECK: func.func private @transpose(%[[A:.+]]: memref<7xf32{{.*}}>, %[[B:.+]]: memref<5xf32{{.*}}>) attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
// CHECK: memref.prefetch %[[A]][%c4]
// CHECK: %[[R0:.+]] = vector.load %[[A]][%c0] : {{.*}}, vector<2xf32>
// CHECK: %[[R1:.+]] = vector.load %[[A]][%c5] : {{.*}}, vector<2xf32>
// CHECK-DAG: %[[C0:.+]] = vector.shuffle %[[R0]], %[[R1]] [0, 2]
// CHECK-DAG: %[[C1:.+]] = vector.shuffle %[[R0]], %[[R1]] [1, 3]
// CHECK-DAG: vector.store %[[C0]], %[[B]][%c0]
// CHECK-DAG: vector.store %[[C1]], %[[B]][%c3]
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 16>} {
  func.func @seven_transposed(%a: memref<3x5xf32>, %b0: memref<5x3xf32>, %b1: memref<5x3xf32>, %b2: memref<5x3xf32>, %b3: memref<5x3xf32>, %b4: memref<5x3xf32>, %b5: memref<5x3xf32>, %b6: memref<5x3xf32>) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<3x5xf32>) outs(%b0 : memref<5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<3x5xf32>) outs(%b1 : memref<5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<3x5xf32>) outs(%b2 : memref<5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<3x5xf32>) outs(%b3 : memref<5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<3x5xf32>) outs(%b4 : memref<5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<3x5xf32>) outs(%b5 : memref<5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<3x5xf32>) outs(%b6 : memref<5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}

// -----

// A vector packs elements of 24 bits, a buffer does not.
// CHECK-LABEL: @packed
// CHECK-NOT: vector.load
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @packed(%a: memref<40x40xi24>, %b: memref<40x40xi24>) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<40x40xi24>) outs(%b : memref<40x40xi24>) {
    ^bb0(%in: i24, %out: i24):
      linalg.yield %in : i24
    }
    return
  }
}

// -----

// Elements wider than what instructions keep together.
// CHECK-LABEL: @wide_elements
// CHECK: vector.shuffle %{{.+}}, %{{.+}} [0, 2] : vector<2xi256>, vector<2xi256>
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 16>} {
  func.func @wide_elements(%a: memref<4x8xi256>, %b: memref<8x4xi256>) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<4x8xi256>) outs(%b : memref<8x4xi256>) {
    ^bb0(%in: i256, %out: i256):
      linalg.yield %in : i256
    }
    return
  }
}

// -----

// Of six lanes four are taken.
// CHECK-LABEL: @six_lanes
// CHECK: vector.shuffle {{.*}} : vector<4xf32>, vector<4xf32>
module attributes {convoy.target = #convoy.target<vector_bytes = 24, registers = 16>} {
  func.func @six_lanes(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}

// -----

// What has no elements cannot be collapsed.
// CHECK-LABEL: func @interleaved_without_elements
func.func @interleaved_without_elements(%a: memref<2x3x7xf32>, %b: memref<3x7x0xf32, strided<[28, 2, 1]>>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : memref<2x3x7xf32>) outs(%b : memref<3x7x0xf32, strided<[28, 2, 1]>>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  // CHECK: return
  return
}

// Nothing is copied where there are no elements.
// CHECK-LABEL: func.func @no_elements
func.func @no_elements(%from: memref<0x3x5xf32>, %to: memref<0x3x5xf32, strided<[20, 5, 1]>>) {
  // CHECK-NEXT: return
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%from : memref<0x3x5xf32>) outs(%to : memref<0x3x5xf32, strided<[20, 5, 1]>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// Taps along w and all channels go through both buffers as one loop would, since
// the image has its channels innermost: runs of 9 elements, 6 apart.
// CHECK-DAG: #[[BEGIN:.+]] = affine_map<(d0) -> (d0 * 6)>
// CHECK-LABEL: @taps_and_channels
// CHECK-SAME: %[[A:.+]]: memref<2x13x3xf32>, %[[B:.+]]: memref<2x5x3x3xf32>
// CHECK-DAG: %[[FROM:.+]] = memref.collapse_shape %[[A]] {{\[}}[0], [1, 2]]
// CHECK-DAG: %[[TO:.+]] = memref.collapse_shape %[[B]] {{\[}}[0], [1], [2, 3]]
// CHECK: scf.for %[[N:.+]] =
// CHECK: scf.for %[[W:.+]] =
// CHECK: %[[AT:.+]] = affine.apply #[[BEGIN]](%[[W]])
// CHECK: vector.load %[[FROM]][%[[N]], %[[AT]]] : {{.*}}, vector<8xf32>
// CHECK: vector.store {{.*}}, %[[TO]][%[[N]], %[[W]], %c0]
// CHECK: vector.load %[[FROM]]{{.*}}, vector<8xf32>
// CHECK: vector.store {{.*}}, %[[TO]][%[[N]], %[[W]], %c1]
module attributes {convoy.target = #convoy.target<vector_bytes = 32, registers = 16>} {
  func.func @taps_and_channels(%a: memref<2x13x3xf32>, %b: memref<2x5x3x3xf32>) {
    linalg.generic {indexing_maps = [affine_map<(n, w, k, c) -> (n, w * 2 + k, c)>, affine_map<(n, w, k, c) -> (n, w, k, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%a : memref<2x13x3xf32>) outs(%b : memref<2x5x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}

// -----

// Not one loop: taps two elements apart, and in reverse.
// CHECK-LABEL: @taps_apart
// CHECK-NOT: memref.collapse_shape
// CHECK: return
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16>} {
  func.func @taps_apart(%a: memref<13x4xf32>, %c: memref<5x3x4xf32>) {
    linalg.generic {indexing_maps = [affine_map<(w, k, c) -> (w + k * 2, c)>, affine_map<(w, k, c) -> (w, k, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%a : memref<13x4xf32>) outs(%c : memref<5x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    linalg.generic {indexing_maps = [affine_map<(w, k, c) -> (w * 2 - k + 2, c)>, affine_map<(w, k, c) -> (w, k, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%a : memref<13x4xf32>) outs(%c : memref<5x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}

// -----

// Of a result that no cache holds whole lines are written side by side; otherwise
// the loop along the rows of the source is innermost.
// CHECK-LABEL: @side_by_side
// CHECK: scf.for %[[H:.+]] = %c0 to %c4 step %c1
// CHECK: scf.for %[[W:.+]] = %c0 to %c64 step %c16
// CHECK: scf.for %[[C:.+]] = %c0 to %c32 step %c16
// CHECK: scf.for %[[H:.+]] = %c0 to %c2 step %c1
// CHECK: scf.for %[[C:.+]] = %c0 to %c32 step %c16
// CHECK: scf.for %[[W:.+]] = %c0 to %c64 step %c16
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l2_bytes = 16384, last_level_bytes = 16384>} {
  func.func @side_by_side(%a: memref<4x32x64xf32>, %b: memref<4x64x32xf32>, %c: memref<2x32x64xf32>, %d: memref<2x64x32xf32>) {
    linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, c, w)>, affine_map<(h, w, c) -> (h, w, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%a : memref<4x32x64xf32>) outs(%b : memref<4x64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, c, w)>, affine_map<(h, w, c) -> (h, w, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%c : memref<2x32x64xf32>) outs(%d : memref<2x64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}

// -----

// A mask has no more lanes than it takes.
// CHECK-LABEL: @three_of_sixteen
// CHECK-SAME: %[[A:.+]]: memref<16x3xf32>, %[[B:.+]]: memref<3x16xf32>
// CHECK: %[[MASK:.+]] = vector.constant_mask [3] : vector<4xi1>
// CHECK: %[[ROW:.+]] = vector.maskedload %[[A]][%c0, %c0], %[[MASK]], {{.*}} into vector<4xf32>
// CHECK: vector.shuffle %[[ROW]], %[[ROW]] [0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
// CHECK-COUNT-3: vector.store {{.*}}, %[[B]][{{.*}}] : memref<3x16xf32>, vector<16xf32>
module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32>} {
  func.func @three_of_sixteen(%a: memref<16x3xf32>, %b: memref<3x16xf32>) {
    linalg.generic {indexing_maps = [affine_map<(k, c) -> (c, k)>, affine_map<(k, c) -> (k, c)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<16x3xf32>) outs(%b : memref<3x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}
