// RUN: convoy-opt %s --convoy-pair-rows --canonicalize --split-input-file | FileCheck %s

// Loops carry blocks: of two rows of the same columns, and of the third one, which
// is computed twice. Sums that start as one constant are blocks as they are.
module attributes {convoy.target = #convoy.target<dot = ["neon_bfmmla"]>} {
  // CHECK-LABEL: func.func @loops
  // CHECK-SAME: (%[[X:.*]]: memref<?xi64>, %[[W:.*]]: memref<?x4xi64>
  func.func @loops(%x: memref<?xi64>, %w: memref<?x4xi64>, %n: index) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i64
    // CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00>
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    // CHECK: %[[OUTER:.*]]:4 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[ZEROS]], %[[B:.*]] = %[[ZEROS]], %[[C:.*]] = %[[ZEROS]], %[[D:.*]] = %[[ZEROS]])
    // CHECK-NEXT: %[[INNER:.*]]:4 = scf.for {{.*}} iter_args(%[[LOW:.*]] = %[[A]], %[[HIGH:.*]] = %[[B]], %[[LOW_ALONE:.*]] = %[[C]], %[[HIGH_ALONE:.*]] = %[[D]])
    // CHECK: %[[ROWS:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 4] : vector<4xi64>, vector<4xi64>
    // CHECK: %[[ROW_PARTS:.*]] = vector.bitcast %[[ROWS]] : vector<2xi64> to vector<8xbf16>
    // CHECK: %[[LOW1:.*]] = llvm.call_intrinsic "llvm.aarch64.neon.bfmmla"(%[[LOW]], %[[ROW_PARTS]], %{{.*}}) : (vector<4xf32>, vector<8xbf16>, vector<8xbf16>) -> vector<4xf32>
    // CHECK: %[[HIGH1:.*]] = llvm.call_intrinsic "llvm.aarch64.neon.bfmmla"(%[[HIGH]], %[[ROW_PARTS]], %{{.*}})
    // CHECK: %[[ALONE:.*]] = vector.broadcast %{{.*}} : i64 to vector<2xi64>
    // CHECK: vector.bitcast %[[ALONE]] : vector<2xi64> to vector<8xbf16>
    // CHECK: %[[LOW2:.*]] = llvm.call_intrinsic "llvm.aarch64.neon.bfmmla"(%[[LOW_ALONE]],
    // CHECK: %[[HIGH2:.*]] = llvm.call_intrinsic "llvm.aarch64.neon.bfmmla"(%[[HIGH_ALONE]],
    // CHECK-NEXT: scf.yield %[[LOW1]], %[[HIGH1]], %[[LOW2]], %[[HIGH2]] :
    // CHECK: scf.yield %[[INNER]]#0, %[[INNER]]#1, %[[INNER]]#2, %[[INNER]]#3
    // CHECK-DAG: %[[R:.*]] = vector.shuffle %[[OUTER]]#0, %[[OUTER]]#1 [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
    // CHECK-DAG: %[[S:.*]] = vector.shuffle %[[OUTER]]#0, %[[OUTER]]#1 [2, 3, 6, 7] : vector<4xf32>, vector<4xf32>
    // CHECK-DAG: %[[T:.*]] = vector.shuffle %[[OUTER]]#2, %[[OUTER]]#3 [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
    // CHECK: return %[[R]], %[[S]], %[[T]]
    %outer:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a0 = %zeros, %b0 = %zeros, %d0 = %zeros) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
      %inner:3 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %a0, %b = %b0, %d = %d0) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
        %c16 = arith.constant dense<16> : vector<4xi64>
        %c32 = arith.constant dense<32> : vector<4xi64>
        %c48 = arith.constant dense<48> : vector<4xi64>
        %ws = vector.transfer_read %w[%j, %c0], %zero {in_bounds = [true]} : memref<?x4xi64>, vector<4xi64>
        %wn0 = arith.trunci %ws : vector<4xi64> to vector<4xi16>
        %wb0 = arith.bitcast %wn0 : vector<4xi16> to vector<4xbf16>
        %w0 = arith.extf %wb0 : vector<4xbf16> to vector<4xf32>
        %ws1 = arith.shrui %ws, %c16 : vector<4xi64>
        %wn1 = arith.trunci %ws1 : vector<4xi64> to vector<4xi16>
        %wb1 = arith.bitcast %wn1 : vector<4xi16> to vector<4xbf16>
        %w1 = arith.extf %wb1 : vector<4xbf16> to vector<4xf32>
        %ws2 = arith.shrui %ws, %c32 : vector<4xi64>
        %wn2 = arith.trunci %ws2 : vector<4xi64> to vector<4xi16>
        %wb2 = arith.bitcast %wn2 : vector<4xi16> to vector<4xbf16>
        %w2 = arith.extf %wb2 : vector<4xbf16> to vector<4xf32>
        %ws3 = arith.shrui %ws, %c48 : vector<4xi64>
        %wn3 = arith.trunci %ws3 : vector<4xi64> to vector<4xi16>
        %wb3 = arith.bitcast %wn3 : vector<4xi16> to vector<4xbf16>
        %w3 = arith.extf %wb3 : vector<4xbf16> to vector<4xf32>
        %xi = arith.addi %j, %c0 : index
        %xw = memref.load %x[%xi] : memref<?xi64>
        %xv = vector.broadcast %xw : i64 to vector<4xi64>
        %xn0 = arith.trunci %xv : vector<4xi64> to vector<4xi16>
        %xb0 = arith.bitcast %xn0 : vector<4xi16> to vector<4xbf16>
        %x0 = arith.extf %xb0 : vector<4xbf16> to vector<4xf32>
        %xs1 = arith.shrui %xv, %c16 : vector<4xi64>
        %xn1 = arith.trunci %xs1 : vector<4xi64> to vector<4xi16>
        %xb1 = arith.bitcast %xn1 : vector<4xi16> to vector<4xbf16>
        %x1 = arith.extf %xb1 : vector<4xbf16> to vector<4xf32>
        %xs2 = arith.shrui %xv, %c32 : vector<4xi64>
        %xn2 = arith.trunci %xs2 : vector<4xi64> to vector<4xi16>
        %xb2 = arith.bitcast %xn2 : vector<4xi16> to vector<4xbf16>
        %x2 = arith.extf %xb2 : vector<4xbf16> to vector<4xf32>
        %xs3 = arith.shrui %xv, %c48 : vector<4xi64>
        %xn3 = arith.trunci %xs3 : vector<4xi64> to vector<4xi16>
        %xb3 = arith.bitcast %xn3 : vector<4xi16> to vector<4xbf16>
        %x3 = arith.extf %xb3 : vector<4xbf16> to vector<4xf32>
        %rx_3 = vector.fma %x3, %w3, %a : vector<4xf32>
        %rx_2 = vector.fma %x2, %w2, %rx_3 : vector<4xf32>
        %rx_1 = vector.fma %x1, %w1, %rx_2 : vector<4xf32>
        %rx = vector.fma %x0, %w0, %rx_1 : vector<4xf32>
        %yi = arith.addi %j, %c1 : index
        %yw = memref.load %x[%yi] : memref<?xi64>
        %yv = vector.broadcast %yw : i64 to vector<4xi64>
        %yn0 = arith.trunci %yv : vector<4xi64> to vector<4xi16>
        %yb0 = arith.bitcast %yn0 : vector<4xi16> to vector<4xbf16>
        %y0 = arith.extf %yb0 : vector<4xbf16> to vector<4xf32>
        %ys1 = arith.shrui %yv, %c16 : vector<4xi64>
        %yn1 = arith.trunci %ys1 : vector<4xi64> to vector<4xi16>
        %yb1 = arith.bitcast %yn1 : vector<4xi16> to vector<4xbf16>
        %y1 = arith.extf %yb1 : vector<4xbf16> to vector<4xf32>
        %ys2 = arith.shrui %yv, %c32 : vector<4xi64>
        %yn2 = arith.trunci %ys2 : vector<4xi64> to vector<4xi16>
        %yb2 = arith.bitcast %yn2 : vector<4xi16> to vector<4xbf16>
        %y2 = arith.extf %yb2 : vector<4xbf16> to vector<4xf32>
        %ys3 = arith.shrui %yv, %c48 : vector<4xi64>
        %yn3 = arith.trunci %ys3 : vector<4xi64> to vector<4xi16>
        %yb3 = arith.bitcast %yn3 : vector<4xi16> to vector<4xbf16>
        %y3 = arith.extf %yb3 : vector<4xbf16> to vector<4xf32>
        %ry_3 = vector.fma %y3, %w3, %b : vector<4xf32>
        %ry_2 = vector.fma %y2, %w2, %ry_3 : vector<4xf32>
        %ry_1 = vector.fma %y1, %w1, %ry_2 : vector<4xf32>
        %ry = vector.fma %y0, %w0, %ry_1 : vector<4xf32>
        %zi = arith.addi %j, %c2 : index
        %zw = memref.load %x[%zi] : memref<?xi64>
        %zv = vector.broadcast %zw : i64 to vector<4xi64>
        %zn0 = arith.trunci %zv : vector<4xi64> to vector<4xi16>
        %zb0 = arith.bitcast %zn0 : vector<4xi16> to vector<4xbf16>
        %z0 = arith.extf %zb0 : vector<4xbf16> to vector<4xf32>
        %zs1 = arith.shrui %zv, %c16 : vector<4xi64>
        %zn1 = arith.trunci %zs1 : vector<4xi64> to vector<4xi16>
        %zb1 = arith.bitcast %zn1 : vector<4xi16> to vector<4xbf16>
        %z1 = arith.extf %zb1 : vector<4xbf16> to vector<4xf32>
        %zs2 = arith.shrui %zv, %c32 : vector<4xi64>
        %zn2 = arith.trunci %zs2 : vector<4xi64> to vector<4xi16>
        %zb2 = arith.bitcast %zn2 : vector<4xi16> to vector<4xbf16>
        %z2 = arith.extf %zb2 : vector<4xbf16> to vector<4xf32>
        %zs3 = arith.shrui %zv, %c48 : vector<4xi64>
        %zn3 = arith.trunci %zs3 : vector<4xi64> to vector<4xi16>
        %zb3 = arith.bitcast %zn3 : vector<4xi16> to vector<4xbf16>
        %z3 = arith.extf %zb3 : vector<4xbf16> to vector<4xf32>
        %rz_3 = vector.fma %z3, %w3, %d : vector<4xf32>
        %rz_2 = vector.fma %z2, %w2, %rz_3 : vector<4xf32>
        %rz_1 = vector.fma %z1, %w1, %rz_2 : vector<4xf32>
        %rz = vector.fma %z0, %w0, %rz_1 : vector<4xf32>
        scf.yield %rx, %ry, %rz : vector<4xf32>, vector<4xf32>, vector<4xf32>
      }
      scf.yield %inner#0, %inner#1, %inner#2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
    }
    return %outer#0, %outer#1, %outer#2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
  }

  // What meets other columns, or is used before the other row is computed, is no
  // pair: each row is computed twice.
  // CHECK-LABEL: func.func @other_columns
  // CHECK-COUNT-4: llvm.call_intrinsic
  // CHECK: return
  func.func @other_columns(%x: i64, %w: vector<4xi64>, %v: vector<4xi64>, %a: vector<4xf32>, %b: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
    %c16 = arith.constant dense<16> : vector<4xi64>
    %c32 = arith.constant dense<32> : vector<4xi64>
    %c48 = arith.constant dense<48> : vector<4xi64>
    %xv = vector.broadcast %x : i64 to vector<4xi64>
    %wn0 = arith.trunci %w : vector<4xi64> to vector<4xi16>
    %wb0 = arith.bitcast %wn0 : vector<4xi16> to vector<4xbf16>
    %w0 = arith.extf %wb0 : vector<4xbf16> to vector<4xf32>
    %ws1 = arith.shrui %w, %c16 : vector<4xi64>
    %wn1 = arith.trunci %ws1 : vector<4xi64> to vector<4xi16>
    %wb1 = arith.bitcast %wn1 : vector<4xi16> to vector<4xbf16>
    %w1 = arith.extf %wb1 : vector<4xbf16> to vector<4xf32>
    %ws2 = arith.shrui %w, %c32 : vector<4xi64>
    %wn2 = arith.trunci %ws2 : vector<4xi64> to vector<4xi16>
    %wb2 = arith.bitcast %wn2 : vector<4xi16> to vector<4xbf16>
    %w2 = arith.extf %wb2 : vector<4xbf16> to vector<4xf32>
    %ws3 = arith.shrui %w, %c48 : vector<4xi64>
    %wn3 = arith.trunci %ws3 : vector<4xi64> to vector<4xi16>
    %wb3 = arith.bitcast %wn3 : vector<4xi16> to vector<4xbf16>
    %w3 = arith.extf %wb3 : vector<4xbf16> to vector<4xf32>
    %vn0 = arith.trunci %v : vector<4xi64> to vector<4xi16>
    %vb0 = arith.bitcast %vn0 : vector<4xi16> to vector<4xbf16>
    %v0 = arith.extf %vb0 : vector<4xbf16> to vector<4xf32>
    %vs1 = arith.shrui %v, %c16 : vector<4xi64>
    %vn1 = arith.trunci %vs1 : vector<4xi64> to vector<4xi16>
    %vb1 = arith.bitcast %vn1 : vector<4xi16> to vector<4xbf16>
    %v1 = arith.extf %vb1 : vector<4xbf16> to vector<4xf32>
    %vs2 = arith.shrui %v, %c32 : vector<4xi64>
    %vn2 = arith.trunci %vs2 : vector<4xi64> to vector<4xi16>
    %vb2 = arith.bitcast %vn2 : vector<4xi16> to vector<4xbf16>
    %v2 = arith.extf %vb2 : vector<4xbf16> to vector<4xf32>
    %vs3 = arith.shrui %v, %c48 : vector<4xi64>
    %vn3 = arith.trunci %vs3 : vector<4xi64> to vector<4xi16>
    %vb3 = arith.bitcast %vn3 : vector<4xi16> to vector<4xbf16>
    %v3 = arith.extf %vb3 : vector<4xbf16> to vector<4xf32>
    %xn0 = arith.trunci %xv : vector<4xi64> to vector<4xi16>
    %xb0 = arith.bitcast %xn0 : vector<4xi16> to vector<4xbf16>
    %x0 = arith.extf %xb0 : vector<4xbf16> to vector<4xf32>
    %xs1 = arith.shrui %xv, %c16 : vector<4xi64>
    %xn1 = arith.trunci %xs1 : vector<4xi64> to vector<4xi16>
    %xb1 = arith.bitcast %xn1 : vector<4xi16> to vector<4xbf16>
    %x1 = arith.extf %xb1 : vector<4xbf16> to vector<4xf32>
    %xs2 = arith.shrui %xv, %c32 : vector<4xi64>
    %xn2 = arith.trunci %xs2 : vector<4xi64> to vector<4xi16>
    %xb2 = arith.bitcast %xn2 : vector<4xi16> to vector<4xbf16>
    %x2 = arith.extf %xb2 : vector<4xbf16> to vector<4xf32>
    %xs3 = arith.shrui %xv, %c48 : vector<4xi64>
    %xn3 = arith.trunci %xs3 : vector<4xi64> to vector<4xi16>
    %xb3 = arith.bitcast %xn3 : vector<4xi16> to vector<4xbf16>
    %x3 = arith.extf %xb3 : vector<4xbf16> to vector<4xf32>
    %r3 = vector.fma %x3, %w3, %a : vector<4xf32>
    %r2 = vector.fma %x2, %w2, %r3 : vector<4xf32>
    %r1 = vector.fma %x1, %w1, %r2 : vector<4xf32>
    %r = vector.fma %x0, %w0, %r1 : vector<4xf32>
    %s3 = vector.fma %x3, %v3, %b : vector<4xf32>
    %s2 = vector.fma %x2, %v2, %s3 : vector<4xf32>
    %s1 = vector.fma %x1, %v1, %s2 : vector<4xf32>
    %s = vector.fma %x0, %v0, %s1 : vector<4xf32>
    return %r, %s : vector<4xf32>, vector<4xf32>
  }

  // CHECK-LABEL: func.func @used_before
  // CHECK-SAME: %[[B:[a-z0-9]*]]: vector<4xf32>)
  // CHECK-COUNT-2: llvm.call_intrinsic
  // CHECK: %[[R:.*]] = vector.shuffle %{{.*}} [0, 1, 4, 5]
  // CHECK: arith.addf %[[B]], %[[R]]
  // CHECK-COUNT-2: llvm.call_intrinsic
  func.func @used_before(%x: i64, %w: vector<4xi64>, %a: vector<4xf32>, %b: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
    %c16 = arith.constant dense<16> : vector<4xi64>
    %c32 = arith.constant dense<32> : vector<4xi64>
    %c48 = arith.constant dense<48> : vector<4xi64>
    %xv = vector.broadcast %x : i64 to vector<4xi64>
    %wn0 = arith.trunci %w : vector<4xi64> to vector<4xi16>
    %wb0 = arith.bitcast %wn0 : vector<4xi16> to vector<4xbf16>
    %w0 = arith.extf %wb0 : vector<4xbf16> to vector<4xf32>
    %ws1 = arith.shrui %w, %c16 : vector<4xi64>
    %wn1 = arith.trunci %ws1 : vector<4xi64> to vector<4xi16>
    %wb1 = arith.bitcast %wn1 : vector<4xi16> to vector<4xbf16>
    %w1 = arith.extf %wb1 : vector<4xbf16> to vector<4xf32>
    %ws2 = arith.shrui %w, %c32 : vector<4xi64>
    %wn2 = arith.trunci %ws2 : vector<4xi64> to vector<4xi16>
    %wb2 = arith.bitcast %wn2 : vector<4xi16> to vector<4xbf16>
    %w2 = arith.extf %wb2 : vector<4xbf16> to vector<4xf32>
    %ws3 = arith.shrui %w, %c48 : vector<4xi64>
    %wn3 = arith.trunci %ws3 : vector<4xi64> to vector<4xi16>
    %wb3 = arith.bitcast %wn3 : vector<4xi16> to vector<4xbf16>
    %w3 = arith.extf %wb3 : vector<4xbf16> to vector<4xf32>
    %xn0 = arith.trunci %xv : vector<4xi64> to vector<4xi16>
    %xb0 = arith.bitcast %xn0 : vector<4xi16> to vector<4xbf16>
    %x0 = arith.extf %xb0 : vector<4xbf16> to vector<4xf32>
    %xs1 = arith.shrui %xv, %c16 : vector<4xi64>
    %xn1 = arith.trunci %xs1 : vector<4xi64> to vector<4xi16>
    %xb1 = arith.bitcast %xn1 : vector<4xi16> to vector<4xbf16>
    %x1 = arith.extf %xb1 : vector<4xbf16> to vector<4xf32>
    %xs2 = arith.shrui %xv, %c32 : vector<4xi64>
    %xn2 = arith.trunci %xs2 : vector<4xi64> to vector<4xi16>
    %xb2 = arith.bitcast %xn2 : vector<4xi16> to vector<4xbf16>
    %x2 = arith.extf %xb2 : vector<4xbf16> to vector<4xf32>
    %xs3 = arith.shrui %xv, %c48 : vector<4xi64>
    %xn3 = arith.trunci %xs3 : vector<4xi64> to vector<4xi16>
    %xb3 = arith.bitcast %xn3 : vector<4xi16> to vector<4xbf16>
    %x3 = arith.extf %xb3 : vector<4xbf16> to vector<4xf32>
    %r3 = vector.fma %x3, %w3, %a : vector<4xf32>
    %r2 = vector.fma %x2, %w2, %r3 : vector<4xf32>
    %r1 = vector.fma %x1, %w1, %r2 : vector<4xf32>
    %r = vector.fma %x0, %w0, %r1 : vector<4xf32>
    %t = arith.addf %b, %r : vector<4xf32>
    %s3 = vector.fma %x3, %w3, %t : vector<4xf32>
    %s2 = vector.fma %x2, %w2, %s3 : vector<4xf32>
    %s1 = vector.fma %x1, %w1, %s2 : vector<4xf32>
    %s = vector.fma %x0, %w0, %s1 : vector<4xf32>
    return %r, %s : vector<4xf32>, vector<4xf32>
  }

  // What is no row stays.
  // CHECK-LABEL: func.func @vectors
  // CHECK-NOT: llvm.call_intrinsic
  func.func @vectors(%x: vector<4xi64>, %y: vector<4xi64>, %w: vector<4xi64>, %a: vector<4xf32>, %b: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
    %c16 = arith.constant dense<16> : vector<4xi64>
    %c32 = arith.constant dense<32> : vector<4xi64>
    %c48 = arith.constant dense<48> : vector<4xi64>
    %wn0 = arith.trunci %w : vector<4xi64> to vector<4xi16>
    %wb0 = arith.bitcast %wn0 : vector<4xi16> to vector<4xbf16>
    %w0 = arith.extf %wb0 : vector<4xbf16> to vector<4xf32>
    %ws1 = arith.shrui %w, %c16 : vector<4xi64>
    %wn1 = arith.trunci %ws1 : vector<4xi64> to vector<4xi16>
    %wb1 = arith.bitcast %wn1 : vector<4xi16> to vector<4xbf16>
    %w1 = arith.extf %wb1 : vector<4xbf16> to vector<4xf32>
    %ws2 = arith.shrui %w, %c32 : vector<4xi64>
    %wn2 = arith.trunci %ws2 : vector<4xi64> to vector<4xi16>
    %wb2 = arith.bitcast %wn2 : vector<4xi16> to vector<4xbf16>
    %w2 = arith.extf %wb2 : vector<4xbf16> to vector<4xf32>
    %ws3 = arith.shrui %w, %c48 : vector<4xi64>
    %wn3 = arith.trunci %ws3 : vector<4xi64> to vector<4xi16>
    %wb3 = arith.bitcast %wn3 : vector<4xi16> to vector<4xbf16>
    %w3 = arith.extf %wb3 : vector<4xbf16> to vector<4xf32>
    %xn0 = arith.trunci %x : vector<4xi64> to vector<4xi16>
    %xb0 = arith.bitcast %xn0 : vector<4xi16> to vector<4xbf16>
    %x0 = arith.extf %xb0 : vector<4xbf16> to vector<4xf32>
    %xs1 = arith.shrui %x, %c16 : vector<4xi64>
    %xn1 = arith.trunci %xs1 : vector<4xi64> to vector<4xi16>
    %xb1 = arith.bitcast %xn1 : vector<4xi16> to vector<4xbf16>
    %x1 = arith.extf %xb1 : vector<4xbf16> to vector<4xf32>
    %xs2 = arith.shrui %x, %c32 : vector<4xi64>
    %xn2 = arith.trunci %xs2 : vector<4xi64> to vector<4xi16>
    %xb2 = arith.bitcast %xn2 : vector<4xi16> to vector<4xbf16>
    %x2 = arith.extf %xb2 : vector<4xbf16> to vector<4xf32>
    %xs3 = arith.shrui %x, %c48 : vector<4xi64>
    %xn3 = arith.trunci %xs3 : vector<4xi64> to vector<4xi16>
    %xb3 = arith.bitcast %xn3 : vector<4xi16> to vector<4xbf16>
    %x3 = arith.extf %xb3 : vector<4xbf16> to vector<4xf32>
    %yn0 = arith.trunci %y : vector<4xi64> to vector<4xi16>
    %yb0 = arith.bitcast %yn0 : vector<4xi16> to vector<4xbf16>
    %y0 = arith.extf %yb0 : vector<4xbf16> to vector<4xf32>
    %ys1 = arith.shrui %y, %c16 : vector<4xi64>
    %yn1 = arith.trunci %ys1 : vector<4xi64> to vector<4xi16>
    %yb1 = arith.bitcast %yn1 : vector<4xi16> to vector<4xbf16>
    %y1 = arith.extf %yb1 : vector<4xbf16> to vector<4xf32>
    %ys2 = arith.shrui %y, %c32 : vector<4xi64>
    %yn2 = arith.trunci %ys2 : vector<4xi64> to vector<4xi16>
    %yb2 = arith.bitcast %yn2 : vector<4xi16> to vector<4xbf16>
    %y2 = arith.extf %yb2 : vector<4xbf16> to vector<4xf32>
    %ys3 = arith.shrui %y, %c48 : vector<4xi64>
    %yn3 = arith.trunci %ys3 : vector<4xi64> to vector<4xi16>
    %yb3 = arith.bitcast %yn3 : vector<4xi16> to vector<4xbf16>
    %y3 = arith.extf %yb3 : vector<4xbf16> to vector<4xf32>
    %r3 = vector.fma %x3, %w3, %a : vector<4xf32>
    %r2 = vector.fma %x2, %w2, %r3 : vector<4xf32>
    %r1 = vector.fma %x1, %w1, %r2 : vector<4xf32>
    %r = vector.fma %x0, %w0, %r1 : vector<4xf32>
    %s3 = vector.fma %y3, %w3, %b : vector<4xf32>
    %s2 = vector.fma %y2, %w2, %s3 : vector<4xf32>
    %s1 = vector.fma %y1, %w1, %s2 : vector<4xf32>
    %s = vector.fma %y0, %w0, %s1 : vector<4xf32>
    return %r, %s : vector<4xf32>, vector<4xf32>
  }

  // Two columns are one block, and three fill two.
  // CHECK-LABEL: func.func @two_columns
  // CHECK-SAME: %[[W:[a-z0-9]*]]: vector<2xi64>, %[[A:[a-z0-9]*]]: vector<2xf32>, %[[B:[a-z0-9]*]]: vector<2xf32>)
  // CHECK: %[[BLOCK:.*]] = vector.shuffle %[[A]], %[[B]] [0, 1, 2, 3] : vector<2xf32>, vector<2xf32>
  // CHECK: vector.bitcast %[[W]] : vector<2xi64> to vector<8xbf16>
  // CHECK: %[[SUMS:.*]] = llvm.call_intrinsic "llvm.aarch64.neon.bfmmla"(%[[BLOCK]],
  // CHECK: vector.shuffle %[[SUMS]], %[[SUMS]] [0, 1] : vector<4xf32>, vector<4xf32>
  // CHECK: vector.shuffle %[[SUMS]], %[[SUMS]] [2, 3] : vector<4xf32>, vector<4xf32>
  func.func @two_columns(%x: i64, %w: vector<2xi64>, %a: vector<2xf32>, %b: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>) {
    %c16 = arith.constant dense<16> : vector<2xi64>
    %c32 = arith.constant dense<32> : vector<2xi64>
    %c48 = arith.constant dense<48> : vector<2xi64>
    %xv = vector.broadcast %x : i64 to vector<2xi64>
    %wn0 = arith.trunci %w : vector<2xi64> to vector<2xi16>
    %wb0 = arith.bitcast %wn0 : vector<2xi16> to vector<2xbf16>
    %w0 = arith.extf %wb0 : vector<2xbf16> to vector<2xf32>
    %ws1 = arith.shrui %w, %c16 : vector<2xi64>
    %wn1 = arith.trunci %ws1 : vector<2xi64> to vector<2xi16>
    %wb1 = arith.bitcast %wn1 : vector<2xi16> to vector<2xbf16>
    %w1 = arith.extf %wb1 : vector<2xbf16> to vector<2xf32>
    %ws2 = arith.shrui %w, %c32 : vector<2xi64>
    %wn2 = arith.trunci %ws2 : vector<2xi64> to vector<2xi16>
    %wb2 = arith.bitcast %wn2 : vector<2xi16> to vector<2xbf16>
    %w2 = arith.extf %wb2 : vector<2xbf16> to vector<2xf32>
    %ws3 = arith.shrui %w, %c48 : vector<2xi64>
    %wn3 = arith.trunci %ws3 : vector<2xi64> to vector<2xi16>
    %wb3 = arith.bitcast %wn3 : vector<2xi16> to vector<2xbf16>
    %w3 = arith.extf %wb3 : vector<2xbf16> to vector<2xf32>
    %xn0 = arith.trunci %xv : vector<2xi64> to vector<2xi16>
    %xb0 = arith.bitcast %xn0 : vector<2xi16> to vector<2xbf16>
    %x0 = arith.extf %xb0 : vector<2xbf16> to vector<2xf32>
    %xs1 = arith.shrui %xv, %c16 : vector<2xi64>
    %xn1 = arith.trunci %xs1 : vector<2xi64> to vector<2xi16>
    %xb1 = arith.bitcast %xn1 : vector<2xi16> to vector<2xbf16>
    %x1 = arith.extf %xb1 : vector<2xbf16> to vector<2xf32>
    %xs2 = arith.shrui %xv, %c32 : vector<2xi64>
    %xn2 = arith.trunci %xs2 : vector<2xi64> to vector<2xi16>
    %xb2 = arith.bitcast %xn2 : vector<2xi16> to vector<2xbf16>
    %x2 = arith.extf %xb2 : vector<2xbf16> to vector<2xf32>
    %xs3 = arith.shrui %xv, %c48 : vector<2xi64>
    %xn3 = arith.trunci %xs3 : vector<2xi64> to vector<2xi16>
    %xb3 = arith.bitcast %xn3 : vector<2xi16> to vector<2xbf16>
    %x3 = arith.extf %xb3 : vector<2xbf16> to vector<2xf32>
    %r3 = vector.fma %x3, %w3, %a : vector<2xf32>
    %r2 = vector.fma %x2, %w2, %r3 : vector<2xf32>
    %r1 = vector.fma %x1, %w1, %r2 : vector<2xf32>
    %r = vector.fma %x0, %w0, %r1 : vector<2xf32>
    %s3 = vector.fma %x3, %w3, %b : vector<2xf32>
    %s2 = vector.fma %x2, %w2, %s3 : vector<2xf32>
    %s1 = vector.fma %x1, %w1, %s2 : vector<2xf32>
    %s = vector.fma %x0, %w0, %s1 : vector<2xf32>
    return %r, %s : vector<2xf32>, vector<2xf32>
  }

  // CHECK-LABEL: func.func @three_columns
  // CHECK-SAME: %[[W:[a-z0-9]*]]: vector<3xi64>, %[[A:[a-z0-9]*]]: vector<3xf32>, %[[B:[a-z0-9]*]]: vector<3xf32>)
  // CHECK-DAG: %[[LOW:.*]] = vector.shuffle %[[A]], %[[B]] [0, 1, 3, 4] : vector<3xf32>, vector<3xf32>
  // CHECK-DAG: %[[HIGH:.*]] = vector.shuffle %[[A]], %[[B]] [2, 2, 5, 5] : vector<3xf32>, vector<3xf32>
  // CHECK-DAG: %[[LOW1:.*]] = llvm.call_intrinsic "llvm.aarch64.neon.bfmmla"(%[[LOW]],
  // CHECK-DAG: vector.shuffle %[[W]], %[[W]] [2, 2] : vector<3xi64>, vector<3xi64>
  // CHECK-DAG: %[[HIGH1:.*]] = llvm.call_intrinsic "llvm.aarch64.neon.bfmmla"(%[[HIGH]],
  // CHECK: vector.shuffle %[[LOW1]], %[[HIGH1]] [0, 1, 4] : vector<4xf32>, vector<4xf32>
  // CHECK: vector.shuffle %[[LOW1]], %[[HIGH1]] [2, 3, 6] : vector<4xf32>, vector<4xf32>
  func.func @three_columns(%x: i64, %w: vector<3xi64>, %a: vector<3xf32>, %b: vector<3xf32>) -> (vector<3xf32>, vector<3xf32>) {
    %c16 = arith.constant dense<16> : vector<3xi64>
    %c32 = arith.constant dense<32> : vector<3xi64>
    %c48 = arith.constant dense<48> : vector<3xi64>
    %xv = vector.broadcast %x : i64 to vector<3xi64>
    %wn0 = arith.trunci %w : vector<3xi64> to vector<3xi16>
    %wb0 = arith.bitcast %wn0 : vector<3xi16> to vector<3xbf16>
    %w0 = arith.extf %wb0 : vector<3xbf16> to vector<3xf32>
    %ws1 = arith.shrui %w, %c16 : vector<3xi64>
    %wn1 = arith.trunci %ws1 : vector<3xi64> to vector<3xi16>
    %wb1 = arith.bitcast %wn1 : vector<3xi16> to vector<3xbf16>
    %w1 = arith.extf %wb1 : vector<3xbf16> to vector<3xf32>
    %ws2 = arith.shrui %w, %c32 : vector<3xi64>
    %wn2 = arith.trunci %ws2 : vector<3xi64> to vector<3xi16>
    %wb2 = arith.bitcast %wn2 : vector<3xi16> to vector<3xbf16>
    %w2 = arith.extf %wb2 : vector<3xbf16> to vector<3xf32>
    %ws3 = arith.shrui %w, %c48 : vector<3xi64>
    %wn3 = arith.trunci %ws3 : vector<3xi64> to vector<3xi16>
    %wb3 = arith.bitcast %wn3 : vector<3xi16> to vector<3xbf16>
    %w3 = arith.extf %wb3 : vector<3xbf16> to vector<3xf32>
    %xn0 = arith.trunci %xv : vector<3xi64> to vector<3xi16>
    %xb0 = arith.bitcast %xn0 : vector<3xi16> to vector<3xbf16>
    %x0 = arith.extf %xb0 : vector<3xbf16> to vector<3xf32>
    %xs1 = arith.shrui %xv, %c16 : vector<3xi64>
    %xn1 = arith.trunci %xs1 : vector<3xi64> to vector<3xi16>
    %xb1 = arith.bitcast %xn1 : vector<3xi16> to vector<3xbf16>
    %x1 = arith.extf %xb1 : vector<3xbf16> to vector<3xf32>
    %xs2 = arith.shrui %xv, %c32 : vector<3xi64>
    %xn2 = arith.trunci %xs2 : vector<3xi64> to vector<3xi16>
    %xb2 = arith.bitcast %xn2 : vector<3xi16> to vector<3xbf16>
    %x2 = arith.extf %xb2 : vector<3xbf16> to vector<3xf32>
    %xs3 = arith.shrui %xv, %c48 : vector<3xi64>
    %xn3 = arith.trunci %xs3 : vector<3xi64> to vector<3xi16>
    %xb3 = arith.bitcast %xn3 : vector<3xi16> to vector<3xbf16>
    %x3 = arith.extf %xb3 : vector<3xbf16> to vector<3xf32>
    %r3 = vector.fma %x3, %w3, %a : vector<3xf32>
    %r2 = vector.fma %x2, %w2, %r3 : vector<3xf32>
    %r1 = vector.fma %x1, %w1, %r2 : vector<3xf32>
    %r = vector.fma %x0, %w0, %r1 : vector<3xf32>
    %s3 = vector.fma %x3, %w3, %b : vector<3xf32>
    %s2 = vector.fma %x2, %w2, %s3 : vector<3xf32>
    %s1 = vector.fma %x1, %w1, %s2 : vector<3xf32>
    %s = vector.fma %x0, %w0, %s1 : vector<3xf32>
    return %r, %s : vector<3xf32>, vector<3xf32>
  }
}

// -----

// A CPU without instructions for matrices.
module attributes {convoy.target = #convoy.target<dot = ["neon_bfdot"]>} {
  // CHECK-LABEL: func.func @no_matrices
  // CHECK-NOT: llvm.call_intrinsic
  func.func @no_matrices(%x: i64, %w: vector<4xi64>, %a: vector<4xf32>, %b: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
    %c16 = arith.constant dense<16> : vector<4xi64>
    %c32 = arith.constant dense<32> : vector<4xi64>
    %c48 = arith.constant dense<48> : vector<4xi64>
    %xv = vector.broadcast %x : i64 to vector<4xi64>
    %wn0 = arith.trunci %w : vector<4xi64> to vector<4xi16>
    %wb0 = arith.bitcast %wn0 : vector<4xi16> to vector<4xbf16>
    %w0 = arith.extf %wb0 : vector<4xbf16> to vector<4xf32>
    %ws1 = arith.shrui %w, %c16 : vector<4xi64>
    %wn1 = arith.trunci %ws1 : vector<4xi64> to vector<4xi16>
    %wb1 = arith.bitcast %wn1 : vector<4xi16> to vector<4xbf16>
    %w1 = arith.extf %wb1 : vector<4xbf16> to vector<4xf32>
    %ws2 = arith.shrui %w, %c32 : vector<4xi64>
    %wn2 = arith.trunci %ws2 : vector<4xi64> to vector<4xi16>
    %wb2 = arith.bitcast %wn2 : vector<4xi16> to vector<4xbf16>
    %w2 = arith.extf %wb2 : vector<4xbf16> to vector<4xf32>
    %ws3 = arith.shrui %w, %c48 : vector<4xi64>
    %wn3 = arith.trunci %ws3 : vector<4xi64> to vector<4xi16>
    %wb3 = arith.bitcast %wn3 : vector<4xi16> to vector<4xbf16>
    %w3 = arith.extf %wb3 : vector<4xbf16> to vector<4xf32>
    %xn0 = arith.trunci %xv : vector<4xi64> to vector<4xi16>
    %xb0 = arith.bitcast %xn0 : vector<4xi16> to vector<4xbf16>
    %x0 = arith.extf %xb0 : vector<4xbf16> to vector<4xf32>
    %xs1 = arith.shrui %xv, %c16 : vector<4xi64>
    %xn1 = arith.trunci %xs1 : vector<4xi64> to vector<4xi16>
    %xb1 = arith.bitcast %xn1 : vector<4xi16> to vector<4xbf16>
    %x1 = arith.extf %xb1 : vector<4xbf16> to vector<4xf32>
    %xs2 = arith.shrui %xv, %c32 : vector<4xi64>
    %xn2 = arith.trunci %xs2 : vector<4xi64> to vector<4xi16>
    %xb2 = arith.bitcast %xn2 : vector<4xi16> to vector<4xbf16>
    %x2 = arith.extf %xb2 : vector<4xbf16> to vector<4xf32>
    %xs3 = arith.shrui %xv, %c48 : vector<4xi64>
    %xn3 = arith.trunci %xs3 : vector<4xi64> to vector<4xi16>
    %xb3 = arith.bitcast %xn3 : vector<4xi16> to vector<4xbf16>
    %x3 = arith.extf %xb3 : vector<4xbf16> to vector<4xf32>
    %r3 = vector.fma %x3, %w3, %a : vector<4xf32>
    %r2 = vector.fma %x2, %w2, %r3 : vector<4xf32>
    %r1 = vector.fma %x1, %w1, %r2 : vector<4xf32>
    %r = vector.fma %x0, %w0, %r1 : vector<4xf32>
    %s3 = vector.fma %x3, %w3, %b : vector<4xf32>
    %s2 = vector.fma %x2, %w2, %s3 : vector<4xf32>
    %s1 = vector.fma %x1, %w1, %s2 : vector<4xf32>
    %s = vector.fma %x0, %w0, %s1 : vector<4xf32>
    return %r, %s : vector<4xf32>, vector<4xf32>
  }
}
