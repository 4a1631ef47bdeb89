// Vectors of the lanes of a wave that are a matrix together, in a kernel of an
// AMD GPU where it is launched: of RDNA 3 lanes that are 16 apart hold the same
// factors.
// RUN: rm -rf %t && split-file %s %t
// RUN: convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK: certified: @wave: equal for all finite values

// Those of RDNA 4 hold half of the terms each, and successive rows of the result.
// RUN: convoy-certify %t/before.mlir %t/rdna4.mlir | FileCheck %s
// RUN: sed 's/%%row = .*/%%twice = arith.muli %%e, %%c2 : index\n%%row = arith.addi %%twice, %%high : index/' %t/rdna4.mlir > %t/rows-of-rdna3.mlir
// RUN: not convoy-certify %t/before.mlir %t/rows-of-rdna3.mlir | FileCheck %s --check-prefix=ROWS
// ROWS: different: @wave: element
// RUN: sed 's/%%in_b = .*/%%other = arith.subi %%c8, %%half : index\n%%those = arith.addi %%both, %%other : index\n%%in_b = arith.addi %%column, %%those : index/' %t/rdna4.mlir > %t/other-half.mlir
// RUN: not convoy-certify %t/before.mlir %t/other-half.mlir | FileCheck %s --check-prefix=ROWS
// RUN: sed 's/%%in_a = .*/%%in_a = arith.addi %%line, %%both : index/' %t/rdna4.mlir > %t/same-half.mlir
// RUN: not convoy-certify %t/before.mlir %t/same-half.mlir | FileCheck %s --check-prefix=ROWS

// RUN: %python %S/Inputs/break-lanes.py %t/before.mlir %t/after.mlir %t/wrong.mlir | FileCheck %s --check-prefix=WRONG --implicit-check-not=certified
// WRONG: another row in upper lanes: undecided: {{.*}}: a factor of which lanes must hold the same, but may not
// WRONG-NEXT: another column in upper lanes: undecided: {{.*}}: a factor of which lanes must hold the same, but may not
// WRONG-NEXT: rows of MFMA: different: @wave: element
// WRONG-NEXT: rows and columns: different: @wave: element
// WRONG-NEXT: factors exchanged: different: @wave: element
// WRONG-NEXT: the same terms: different: @wave: element
// WRONG-NEXT: not read: undecided: {{.*}}(amdgpu.lds_barrier at {{.*}}: an op whose meaning is not known)
// WRONG-NEXT: half a wave: undecided: {{.*}}(amdgpu.wmma at {{.*}}: waves of another size, or work-items along more dimensions)
// WRONG-NEXT: along two dimensions: undecided: {{.*}}(amdgpu.wmma at {{.*}}: waves of another size, or work-items along more dimensions)
// WRONG-NEXT: begins with other numbers: different: @wave: element
// WRONG-NEXT: begins with numbers of lanes: undecided: {{.*}}(scf.for at {{.*}}: a loop that carries what is not known)
// WRONG-NEXT: adds numbers of lanes: undecided: {{.*}}(amdgpu.wmma at {{.*}}: an operand that work-items do not hold)

//--- before.mlir
func.func @wave(%a: tensor<16x32xf16>, %b: tensor<16x32xf16>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<16x32xf16>, tensor<16x32xf16>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %wx = arith.extf %x : f16 to f32
    %wy = arith.extf %y : f16 to f32
    %one = arith.mulf %wx, %wy : f32
    %next = arith.addf %sum, %one : f32
    linalg.yield %next : f32
  } -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

//--- after.mlir
module attributes {convoy.target = #convoy.target<subgroup = 32, workgroup_bytes = 65536, workgroup_items = 1024>} {
func.func @wave(%a: tensor<16x32xf16>, %b: tensor<16x32xf16>) -> tensor<16x16xf32> {
  %i = tensor.empty() : tensor<16x16xf32>
  %r = convoy.launch @kernels::@wave grid [1, 1, 1] ins(%a, %b : tensor<16x32xf16>, tensor<16x32xf16>) outs(%i : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
gpu.module @kernels {
  gpu.func @wave(%a: memref<512xf16>, %b: memref<512xf16>, %c: memref<256xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c15 = arith.constant 15 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %t = gpu.thread_id x
    %low = arith.remui %t, %c16 : index
    %high = arith.divui %t, %c16 : index
    %isLow = arith.cmpi eq, %high, %c0 : index
    %rest = arith.subi %c15, %low : index
    %other = arith.select %isLow, %low, %rest : index
    %line = arith.muli %low, %c32 : index
    %column = arith.muli %low, %c32 : index
    %sums = scf.for %k = %c0 to %c2 step %c1 iter_args(%sum = %zero) -> (vector<8xf32>) {
      %terms = arith.muli %k, %c16 : index
      %in_a = arith.addi %line, %terms : index
      %in_b = arith.addi %column, %terms : index
      %x = vector.load %a[%in_a] : memref<512xf16>, vector<16xf16>
      %y = vector.load %b[%in_b] : memref<512xf16>, vector<16xf16>
      %product = amdgpu.wmma 16x16x16 %x * %y + %sum : vector<16xf16>, vector<16xf16>, vector<8xf32>
      scf.yield %product : vector<8xf32>
    }
    %c8 = arith.constant 8 : index
    scf.for %e = %c0 to %c8 step %c1 {
      %number = vector.extract %sums[%e] : f32 from vector<8xf32>
      %twice = arith.muli %e, %c2 : index
      %row = arith.addi %twice, %high : index
      %lines = arith.muli %row, %c16 : index
      %place = arith.addi %lines, %low : index
      memref.store %number, %c[%place] : memref<256xf32>
    }
    gpu.return
  }
}
}

//--- rdna4.mlir
module attributes {convoy.target = #convoy.target<subgroup = 32, workgroup_bytes = 65536, workgroup_items = 1024>} {
func.func @wave(%a: tensor<16x32xf16>, %b: tensor<16x32xf16>) -> tensor<16x16xf32> {
  %i = tensor.empty() : tensor<16x16xf32>
  %r = convoy.launch @kernels::@wave grid [1, 1, 1] ins(%a, %b : tensor<16x32xf16>, tensor<16x32xf16>) outs(%i : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
gpu.module @kernels {
  gpu.func @wave(%a: memref<512xf16>, %b: memref<512xf16>, %c: memref<256xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %t = gpu.thread_id x
    %low = arith.remui %t, %c16 : index
    %high = arith.divui %t, %c16 : index
    %line = arith.muli %low, %c32 : index
    %column = arith.muli %low, %c32 : index
    %c8 = arith.constant 8 : index
    %half = arith.muli %high, %c8 : index
    %sums = scf.for %k = %c0 to %c2 step %c1 iter_args(%sum = %zero) -> (vector<8xf32>) {
      %both = arith.muli %k, %c16 : index
      %terms = arith.addi %both, %half : index
      %in_a = arith.addi %line, %terms : index
      %in_b = arith.addi %column, %terms : index
      %x = vector.load %a[%in_a] : memref<512xf16>, vector<8xf16>
      %y = vector.load %b[%in_b] : memref<512xf16>, vector<8xf16>
      %product = amdgpu.wmma 16x16x16 %x * %y + %sum : vector<8xf16>, vector<8xf16>, vector<8xf32>
      scf.yield %product : vector<8xf32>
    }
    scf.for %e = %c0 to %c8 step %c1 {
      %number = vector.extract %sums[%e] : f32 from vector<8xf32>
      %row = arith.addi %e, %half : index
      %lines = arith.muli %row, %c16 : index
      %place = arith.addi %lines, %low : index
      memref.store %number, %c[%place] : memref<256xf32>
    }
    gpu.return
  }
}
}
