// RUN: convoy-opt %s --convoy-vectorize-reductions --canonicalize --cse --split-input-file | FileCheck %s

// Elements that lie side by side are reduced at once, four vectors at a time, then
// what is left: one vector, and shorter ones for the last three. What the result is
// filled with is what vectors begin with.
// CHECK-DAG:   #[[WINDOW:.*]] = affine_map<(d0, d1) -> (d0 * 2 + d1)>
// CHECK-LABEL: func @pool(
// CHECK-SAME:  %[[X:.*]]: memref<2x11x23xf32>, %{{.*}}: memref<3xf32>, %[[R:.*]]: memref<2x5x23xf32>)
// CHECK-NOT:   linalg.fill
// CHECK-DAG:   %[[LEAST:.*]] = arith.constant dense<0xFF800000> : vector<4xf32>
// CHECK-DAG:   %[[PAIR:.*]] = arith.constant dense<0xFF800000> : vector<2xf32>
// CHECK-DAG:   %[[ONE:.*]] = arith.constant dense<0xFF800000> : vector<1xf32>
// CHECK:       scf.for %[[N:.*]] = %c0 to %c2
// CHECK:         scf.for %[[W:.*]] = %c0 to %c5
// CHECK:           %[[MAX:.*]]:4 = scf.for %[[T:.*]] = %c0 to %c3 step %c1 iter_args(%[[A:.*]] = %[[LEAST]], %{{.*}} = %[[LEAST]], %{{.*}} = %[[LEAST]], %[[D:.*]] = %[[LEAST]])
// CHECK:             %[[AT:.*]] = affine.apply #[[WINDOW]](%[[W]], %[[T]])
// CHECK:             %[[V:.*]] = vector.load %[[X]][%[[N]], %[[AT]], %c0] : memref<2x11x23xf32>, vector<4xf32>
// CHECK:             arith.maximumf %[[A]], %[[V]] : vector<4xf32>
// CHECK:             %[[V:.*]] = vector.load %[[X]][%[[N]], %[[AT]], %c12]
// CHECK:             arith.maximumf %[[D]], %[[V]]
// CHECK:           vector.store %[[MAX]]#0, %[[R]][%[[N]], %[[W]], %c0] : memref<2x5x23xf32>, vector<4xf32>
// CHECK:           vector.store %[[MAX]]#3, %[[R]][%[[N]], %[[W]], %c12]
// CHECK:           %[[MAX:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}} = %[[LEAST]], %{{.*}} = %[[PAIR]], %{{.*}} = %[[ONE]])
// CHECK:           vector.store %[[MAX]]#0, %[[R]][%[[N]], %[[W]], %c16] : memref<2x5x23xf32>, vector<4xf32>
// CHECK:           vector.store %[[MAX]]#1, %[[R]][%[[N]], %[[W]], %c20] : memref<2x5x23xf32>, vector<2xf32>
// CHECK:           vector.store %[[MAX]]#2, %[[R]][%[[N]], %[[W]], %c22] : memref<2x5x23xf32>, vector<1xf32>
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16>} {
  func.func @pool(%x: memref<2x11x23xf32>, %taps: memref<3xf32>, %r: memref<2x5x23xf32>) {
    %least = arith.constant 0xFF800000 : f32
    linalg.fill ins(%least : f32) outs(%r : memref<2x5x23xf32>)
    linalg.generic {indexing_maps = [affine_map<(n, w, c, t) -> (n, w * 2 + t, c)>, affine_map<(n, w, c, t) -> (t)>, affine_map<(n, w, c, t) -> (n, w, c)>],
                    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%x, %taps : memref<2x11x23xf32>, memref<3xf32>) outs(%r : memref<2x5x23xf32>) {
    ^bb0(%in: f32, %tap: f32, %old: f32):
      %max = arith.maximumf %old, %in : f32
      linalg.yield %max : f32
    }
    return
  }
}

// -----

// Of what is no fill, vectors begin with the elements that are there, also where
// somebody may read what was filled; what is the same for all lanes is read once.
// CHECK-LABEL: func @weighted(
// CHECK-SAME:  %[[X:.*]]: memref<3x8xi32>, %[[W:.*]]: memref<3xi32>, %[[R:.*]]: memref<8xi32>, %[[OTHER:.*]]: memref<8xi32>)
// CHECK:       linalg.fill
// CHECK:       memref.copy
// CHECK-DAG:   %[[LOW:.*]] = vector.load %[[R]][%c0] : memref<8xi32>, vector<4xi32>
// CHECK-DAG:   %[[HIGH:.*]] = vector.load %[[R]][%c4] : memref<8xi32>, vector<4xi32>
// CHECK:       %[[SUM:.*]]:2 = scf.for %[[T:.*]] = %c0 to %c3 step %c1 iter_args(%[[A:.*]] = %[[LOW]], %[[B:.*]] = %[[HIGH]])
// CHECK-DAG:     %[[ROW:.*]] = vector.load %[[X]][%[[T]], %c0]
// CHECK-DAG:     %[[WEIGHT:.*]] = memref.load %[[W]][%[[T]]]
// CHECK-DAG:     %[[WEIGHTS:.*]] = vector.broadcast %[[WEIGHT]] : i32 to vector<4xi32>
// CHECK:         %[[PRODUCT:.*]] = arith.muli %[[ROW]], %[[WEIGHTS]]
// CHECK:         arith.addi %[[A]], %[[PRODUCT]]
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16>} {
  func.func @weighted(%x: memref<3x8xi32>, %weights: memref<3xi32>, %r: memref<8xi32>, %other: memref<8xi32>) {
    %zero = arith.constant 0 : i32
    linalg.fill ins(%zero : i32) outs(%r : memref<8xi32>)
    memref.copy %r, %other : memref<8xi32> to memref<8xi32>
    linalg.generic {indexing_maps = [affine_map<(c, t) -> (t, c)>, affine_map<(c, t) -> (t)>, affine_map<(c, t) -> (c)>],
                    iterator_types = ["parallel", "reduction"]}
        ins(%x, %weights : memref<3x8xi32>, memref<3xi32>) outs(%r : memref<8xi32>) {
    ^bb0(%in: i32, %weight: i32, %sum: i32):
      %product = arith.muli %in, %weight : i32
      %next = arith.addi %sum, %product : i32
      linalg.yield %next : i32
    }
    return
  }
}

// -----

// Integers that lie side by side along a reduction are summed in lanes: four
// vectors at a time, then what is left, and lanes last.
// CHECK-LABEL: func @rows(
// CHECK-SAME:  %[[X:.*]]: memref<2x5x39xi8>, %[[R:.*]]: memref<5xi32>)
// CHECK-NOT:   linalg.fill
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG:   %[[ZEROS:.*]] = arith.constant dense<0> : vector<4xi32>
// CHECK-DAG:   %[[PAIR:.*]] = arith.constant dense<0> : vector<2xi32>
// CHECK:       scf.for %[[C:.*]] = %c0 to %c5
// CHECK:         %[[S:.*]]:7 = scf.for %[[T:.*]] = %c0 to %c2 step %c1 iter_args(%[[A:.*]] = %[[ZEROS]], %{{.*}} = %[[ZEROS]], %{{.*}} = %[[ZEROS]], %{{.*}} = %[[ZEROS]], %[[E:.*]] = %[[ZEROS]], %[[F:.*]] = %[[PAIR]], %{{.*}} = %{{.*}})
// CHECK:           %[[W:.*]]:4 = scf.for %[[I:.*]] = %c0 to %c32 step %c16 iter_args(%[[B:.*]] = %[[A]]
// CHECK:             %[[V:.*]] = vector.load %[[X]][%[[T]], %[[C]], %[[I]]] : memref<2x5x39xi8>, vector<4xi8>
// CHECK:             %[[WIDE:.*]] = arith.extsi %[[V]]
// CHECK:             arith.addi %[[B]], %[[WIDE]]
// CHECK:           vector.load %[[X]][%[[T]], %[[C]], %c32] : memref<2x5x39xi8>, vector<4xi8>
// CHECK:           arith.addi %[[E]]
// CHECK:           vector.load %[[X]][%[[T]], %[[C]], %c36] : memref<2x5x39xi8>, vector<2xi8>
// CHECK:           vector.load %[[X]][%[[T]], %[[C]], %c38] : memref<2x5x39xi8>, vector<1xi8>
// CHECK:         %[[TWO:.*]] = vector.reduction <add>, %[[S]]#5, %[[ZERO]] : vector<2xi32> into i32
// CHECK:         %[[ONE:.*]] = vector.extract %[[S]]#6[0]
// CHECK:         %[[REST:.*]] = arith.addi %[[ONE]], %[[TWO]]
// CHECK:         %[[LAST:.*]] = vector.reduction <add>, %{{.*}}, %[[REST]] : vector<4xi32> into i32
// CHECK:         memref.store %[[LAST]], %[[R]][%[[C]]]
// What was there before is added once; what is the same for all lanes is read
// once.
// CHECK-LABEL: func @weighted_rows(
// CHECK:         %[[S:.*]]:2 = scf.for
// CHECK:           memref.load
// CHECK:         %[[OLD:.*]] = memref.load %{{.*}}[%{{.*}}] : memref<5xi32>
// CHECK:         vector.reduction <add>, %{{.*}}, %[[OLD]] : vector<4xi32> into i32
// Floats are added in their order, integers that must not wrap around, too; few
// are not worth a vector; and so are sums that are read twice.
// CHECK-LABEL: func @floats(
// CHECK:         linalg.generic
// CHECK-LABEL: func @no_wrap(
// CHECK:         linalg.generic
// CHECK-LABEL: func @short_rows(
// CHECK:         linalg.generic
// CHECK-LABEL: func @squares(
// CHECK:         linalg.generic
// CHECK-LABEL: func @apart(
// CHECK:         linalg.generic
#row = affine_map<(c, t, i) -> (t, c, i)>
#sum = affine_map<(c, t, i) -> (c)>
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16>} {
  func.func @rows(%x: memref<2x5x39xi8>, %r: memref<5xi32>) {
    %zero = arith.constant 0 : i32
    linalg.fill ins(%zero : i32) outs(%r : memref<5xi32>)
    linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction", "reduction"]}
        ins(%x : memref<2x5x39xi8>) outs(%r : memref<5xi32>) {
    ^bb0(%in: i8, %sum: i32):
      %wide = arith.extsi %in : i8 to i32
      %next = arith.addi %sum, %wide : i32
      linalg.yield %next : i32
    }
    return
  }
  func.func @weighted_rows(%x: memref<2x5x8xi32>, %w: memref<2xi32>, %r: memref<5xi32>) {
    linalg.generic {indexing_maps = [#row, affine_map<(c, t, i) -> (t)>, #sum], iterator_types = ["parallel", "reduction", "reduction"]}
        ins(%x, %w : memref<2x5x8xi32>, memref<2xi32>) outs(%r : memref<5xi32>) {
    ^bb0(%in: i32, %weight: i32, %sum: i32):
      %product = arith.muli %in, %weight : i32
      %next = arith.addi %sum, %product : i32
      linalg.yield %next : i32
    }
    return
  }
  func.func @floats(%x: memref<2x5x8xf32>, %r: memref<5xf32>) {
    linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction", "reduction"]}
        ins(%x : memref<2x5x8xf32>) outs(%r : memref<5xf32>) {
    ^bb0(%in: f32, %sum: f32):
      %next = arith.addf %sum, %in : f32
      linalg.yield %next : f32
    }
    return
  }
  func.func @no_wrap(%x: memref<2x5x8xi32>, %r: memref<5xi32>) {
    linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction", "reduction"]}
        ins(%x : memref<2x5x8xi32>) outs(%r : memref<5xi32>) {
    ^bb0(%in: i32, %sum: i32):
      %next = arith.addi %sum, %in overflow<nsw> : i32
      linalg.yield %next : i32
    }
    return
  }
  func.func @short_rows(%x: memref<2x5x7xi32>, %r: memref<5xi32>) {
    linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction", "reduction"]}
        ins(%x : memref<2x5x7xi32>) outs(%r : memref<5xi32>) {
    ^bb0(%in: i32, %sum: i32):
      %next = arith.addi %sum, %in : i32
      linalg.yield %next : i32
    }
    return
  }
  func.func @squares(%x: memref<2x5x8xi32>, %r: memref<5xi32>) {
    linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction", "reduction"]}
        ins(%x : memref<2x5x8xi32>) outs(%r : memref<5xi32>) {
    ^bb0(%in: i32, %sum: i32):
      %product = arith.muli %in, %sum : i32
      %next = arith.addi %sum, %product : i32
      linalg.yield %next : i32
    }
    return
  }
  func.func @apart(%x: memref<2x5x8xi32>, %y: memref<8x2xi32>, %r: memref<5xi32>) {
    linalg.generic {indexing_maps = [#row, affine_map<(c, t, i) -> (i, t)>, #sum], iterator_types = ["parallel", "reduction", "reduction"]}
        ins(%x, %y : memref<2x5x8xi32>, memref<8x2xi32>) outs(%r : memref<5xi32>) {
    ^bb0(%in: i32, %other: i32, %sum: i32):
      %product = arith.muli %in, %other : i32
      %next = arith.addi %sum, %product : i32
      linalg.yield %next : i32
    }
    return
  }
}

// -----

// Left are elements at computed places, ops with two results, sums of what is
// reduced, lanes of unknown number, and rows that lie apart.
// CHECK-LABEL: func @numbered(
// CHECK:         linalg.generic
// CHECK-LABEL: func @two_results(
// CHECK:         linalg.generic
// CHECK-LABEL: func @own_result(
// CHECK:         linalg.generic
// CHECK-LABEL: func @dynamic(
// CHECK:         linalg.generic
// CHECK-LABEL: func @strided(
// CHECK:         linalg.generic
module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16>} {
  func.func @numbered(%x: memref<3x8xi32>, %r: memref<8xi32>) {
    linalg.generic {indexing_maps = [affine_map<(c, t) -> (t, c)>, affine_map<(c, t) -> (c)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<3x8xi32>) outs(%r : memref<8xi32>) {
    ^bb0(%in: i32, %sum: i32):
      %i = linalg.index 1 : index
      %number = arith.index_cast %i : index to i32
      %next = arith.addi %sum, %number : i32
      linalg.yield %next : i32
    }
    return
  }
  func.func @two_results(%x: memref<3x8xi32>, %r: memref<8xi32>) {
    linalg.generic {indexing_maps = [affine_map<(c, t) -> (t, c)>, affine_map<(c, t) -> (c)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<3x8xi32>) outs(%r : memref<8xi32>) {
    ^bb0(%in: i32, %sum: i32):
      %low, %high = arith.mulsi_extended %in, %in : i32
      %next = arith.addi %sum, %high : i32
      linalg.yield %next : i32
    }
    return
  }
  func.func @own_result(%r: memref<3x8xi32>) {
    %row = memref.subview %r[0, 0] [1, 8] [1, 1] : memref<3x8xi32> to memref<8xi32, strided<[1]>>
    linalg.generic {indexing_maps = [affine_map<(c, t) -> (c)>, affine_map<(c, t) -> (t, c)>, affine_map<(c, t) -> (c)>], iterator_types = ["parallel", "reduction"]}
        ins(%row, %r : memref<8xi32, strided<[1]>>, memref<3x8xi32>) outs(%row : memref<8xi32, strided<[1]>>) {
    ^bb0(%own: i32, %in: i32, %sum: i32):
      %product = arith.muli %own, %in : i32
      %next = arith.addi %sum, %product : i32
      linalg.yield %next : i32
    }
    return
  }
  func.func @dynamic(%x: memref<3x?xf32>, %r: memref<?xf32>) {
    linalg.generic {indexing_maps = [affine_map<(c, t) -> (t, c)>, affine_map<(c, t) -> (c)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<3x?xf32>) outs(%r : memref<?xf32>) {
    ^bb0(%in: f32, %sum: f32):
      %next = arith.addf %sum, %in : f32
      linalg.yield %next : f32
    }
    return
  }
  func.func @strided(%x: memref<3x8xf32, strided<[16, 2]>>, %r: memref<8xf32>) {
    linalg.generic {indexing_maps = [affine_map<(c, t) -> (t, c)>, affine_map<(c, t) -> (c)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<3x8xf32, strided<[16, 2]>>) outs(%r : memref<8xf32>) {
    ^bb0(%in: f32, %sum: f32):
      %next = arith.addf %sum, %in : f32
      linalg.yield %next : f32
    }
    return
  }
}
