// Numbers that become others by their bits: words of parts, and bf16 as the upper
// half of an f32. Names say what is wrong.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s
// CHECK-DAG: certified: @words:
// CHECK-DAG: different: @words_other_pair: element [5]: the first function has argument0[7], and has argument0[5] instead
// CHECK-DAG: different: @words_swapped: element [1]: the first function has argument0[0], and has argument0[1] instead
// CHECK-DAG: undecided: @word_of_undefined: {{.*}}vector.transfer_write: terms that differ as they are written, but perhaps not in value
// CHECK-DAG: undecided: @low_half_lost: {{.*}}vector.transfer_write: terms that differ as they are written, but perhaps not in value
// CHECK-DAG: certified: @computed_words:
// CHECK-DAG: certified: @widened:
// CHECK-DAG: undecided: @widened_by_15: {{.*}}arith.bitcast: terms that differ as they are written, but perhaps not in value
// CHECK-DAG: certified: @rounded:
// CHECK-DAG: undecided: @rounded_up: {{.*}}arith.bitcast: terms that differ as they are written, but perhaps not in value
// CHECK-DAG: undecided: @rounded_by_two_places: {{.*}}arith.bitcast: terms that differ as they are written, but perhaps not in value
// CHECK-DAG: undecided: @rounded_infinity_for_nan: {{.*}}arith.bitcast: terms that differ as they are written, but perhaps not in value
// CHECK-DAG: undecided: @rounded_numbers_to_nan: {{.*}}arith.bitcast: terms that differ as they are written, but perhaps not in value
// CHECK-DAG: undecided: @rounded_lower_half: {{.*}}arith.bitcast: terms that differ as they are written, but perhaps not in value

//--- before.mlir
func.func @words(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : bf16
  %e = tensor.empty() : tensor<8xbf16>
  %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<8xbf16>, vector<8xbf16>
  %w = vector.shuffle %v, %v [2, 3, 0, 1, 6, 7, 4, 5] : vector<8xbf16>, vector<8xbf16>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xbf16>, tensor<8xbf16>
  return %r : tensor<8xbf16>
}

func.func @words_other_pair(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : bf16
  %e = tensor.empty() : tensor<8xbf16>
  %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<8xbf16>, vector<8xbf16>
  %w = vector.shuffle %v, %v [2, 3, 0, 1, 6, 7, 4, 5] : vector<8xbf16>, vector<8xbf16>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xbf16>, tensor<8xbf16>
  return %r : tensor<8xbf16>
}

func.func @words_swapped(%x: tensor<8xi8>) -> tensor<8xi8> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : i8
  %e = tensor.empty() : tensor<8xi8>
  %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<8xi8>, vector<8xi8>
  %w = vector.shuffle %v, %v [1, 0, 3, 2, 5, 4, 7, 6] : vector<8xi8>, vector<8xi8>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi8>, tensor<8xi8>
  return %r : tensor<8xi8>
}

func.func @word_of_undefined(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : bf16
  %e = tensor.empty() : tensor<8xbf16>
  %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<8xbf16>, vector<8xbf16>
  %w = vector.shuffle %v, %v [0, 1, 2, 3, 4, 5, 6, 7] : vector<8xbf16>, vector<8xbf16>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xbf16>, tensor<8xbf16>
  return %r : tensor<8xbf16>
}

func.func @low_half_lost(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : f32
  %e = tensor.empty() : tensor<4xf32>
  %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %n = arith.truncf %v : vector<4xf32> to vector<4xbf16>
  %w = arith.extf %n : vector<4xbf16> to vector<4xf32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @computed_words(%x: tensor<8xf32>) -> tensor<8xf16> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : f32
  %e = tensor.empty() : tensor<8xf16>
  %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %s = arith.mulf %v, %v : vector<8xf32>
  %w = arith.truncf %s : vector<8xf32> to vector<8xf16>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xf16>, tensor<8xf16>
  return %r : tensor<8xf16>
}

func.func @widened(%x: tensor<5xbf16>) -> tensor<5xf32> {
  %r = arith.extf %x : tensor<5xbf16> to tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @widened_by_15(%x: tensor<5xbf16>) -> tensor<5xf32> {
  %r = arith.extf %x : tensor<5xbf16> to tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @rounded(%x: tensor<5xf32>) -> tensor<5xbf16> {
  %r = arith.truncf %x : tensor<5xf32> to tensor<5xbf16>
  return %r : tensor<5xbf16>
}

func.func @rounded_up(%x: tensor<5xf32>) -> tensor<5xbf16> {
  %r = arith.truncf %x : tensor<5xf32> to tensor<5xbf16>
  return %r : tensor<5xbf16>
}

func.func @rounded_by_two_places(%x: tensor<5xf32>) -> tensor<5xbf16> {
  %r = arith.truncf %x : tensor<5xf32> to tensor<5xbf16>
  return %r : tensor<5xbf16>
}

func.func @rounded_infinity_for_nan(%x: tensor<5xf32>) -> tensor<5xbf16> {
  %r = arith.truncf %x : tensor<5xf32> to tensor<5xbf16>
  return %r : tensor<5xbf16>
}

func.func @rounded_numbers_to_nan(%x: tensor<5xf32>) -> tensor<5xbf16> {
  %r = arith.truncf %x : tensor<5xf32> to tensor<5xbf16>
  return %r : tensor<5xbf16>
}

func.func @rounded_lower_half(%x: tensor<5xf32>) -> tensor<5xbf16> {
  %r = arith.truncf %x : tensor<5xf32> to tensor<5xbf16>
  return %r : tensor<5xbf16>
}

//--- after.mlir
func.func @words(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : bf16
  %e = tensor.empty() : tensor<8xbf16>
  %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<8xbf16>, vector<8xbf16>
  %b = vector.bitcast %v : vector<8xbf16> to vector<4xi32>
  %s = vector.shuffle %b, %b [1, 0, 3, 2] : vector<4xi32>, vector<4xi32>
  %w = vector.bitcast %s : vector<4xi32> to vector<8xbf16>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xbf16>, tensor<8xbf16>
  return %r : tensor<8xbf16>
}

func.func @words_other_pair(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : bf16
  %e = tensor.empty() : tensor<8xbf16>
  %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<8xbf16>, vector<8xbf16>
  %b = vector.bitcast %v : vector<8xbf16> to vector<4xi32>
  %s = vector.shuffle %b, %b [1, 0, 2, 3] : vector<4xi32>, vector<4xi32>
  %w = vector.bitcast %s : vector<4xi32> to vector<8xbf16>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xbf16>, tensor<8xbf16>
  return %r : tensor<8xbf16>
}

func.func @words_swapped(%x: tensor<8xi8>) -> tensor<8xi8> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : i8
  %e = tensor.empty() : tensor<8xi8>
  %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<8xi8>, vector<8xi8>
  %b = vector.bitcast %v : vector<8xi8> to vector<4xi16>
  %w = vector.bitcast %b : vector<4xi16> to vector<8xi8>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xi8>, tensor<8xi8>
  return %r : tensor<8xi8>
}

func.func @word_of_undefined(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : bf16
  %e = tensor.empty() : tensor<8xbf16>
  %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<8xbf16>, vector<8xbf16>
  %p = vector.shuffle %v, %v [0, -1, 2, -1, 4, -1, 6, -1] : vector<8xbf16>, vector<8xbf16>
  %q = vector.shuffle %v, %v [1, -1, 3, -1, 5, -1, 7, -1] : vector<8xbf16>, vector<8xbf16>
  %b = vector.bitcast %p : vector<8xbf16> to vector<4xi32>
  %c = vector.bitcast %b : vector<4xi32> to vector<8xbf16>
  %d = vector.bitcast %q : vector<8xbf16> to vector<4xi32>
  %f = vector.bitcast %d : vector<4xi32> to vector<8xbf16>
  %w = vector.shuffle %c, %f [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xbf16>, vector<8xbf16>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xbf16>, tensor<8xbf16>
  return %r : tensor<8xbf16>
}

func.func @low_half_lost(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : f32
  %e = tensor.empty() : tensor<4xf32>
  %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %b = vector.bitcast %v : vector<4xf32> to vector<8xbf16>
  %h = vector.shuffle %b, %b [1, 3, 5, 7] : vector<8xbf16>, vector<8xbf16>
  %w = arith.extf %h : vector<4xbf16> to vector<4xf32>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @computed_words(%x: tensor<8xf32>) -> tensor<8xf16> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : f32
  %e = tensor.empty() : tensor<8xf16>
  %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %s = arith.mulf %v, %v : vector<8xf32>
  %t = arith.truncf %s : vector<8xf32> to vector<8xf16>
  %b = vector.bitcast %t : vector<8xf16> to vector<2xi64>
  %w = vector.bitcast %b : vector<2xi64> to vector<8xf16>
  %r = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<8xf16>, tensor<8xf16>
  return %r : tensor<8xf16>
}

func.func @widened(%x: tensor<5xbf16>) -> tensor<5xf32> {
  %n = arith.constant dense<16> : tensor<5xi32>
  %b = arith.bitcast %x : tensor<5xbf16> to tensor<5xi16>
  %i = arith.extui %b : tensor<5xi16> to tensor<5xi32>
  %s = arith.shli %i, %n : tensor<5xi32>
  %r = arith.bitcast %s : tensor<5xi32> to tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @widened_by_15(%x: tensor<5xbf16>) -> tensor<5xf32> {
  %n = arith.constant dense<15> : tensor<5xi32>
  %b = arith.bitcast %x : tensor<5xbf16> to tensor<5xi16>
  %i = arith.extui %b : tensor<5xi16> to tensor<5xi32>
  %s = arith.shli %i, %n : tensor<5xi32>
  %r = arith.bitcast %s : tensor<5xi32> to tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @rounded(%x: tensor<5xf32>) -> tensor<5xbf16> {
  %half = arith.constant dense<32767> : tensor<5xi32>
  %one = arith.constant dense<1> : tensor<5xi32>
  %by = arith.constant dense<16> : tensor<5xi32>
  %off = arith.constant dense<16> : tensor<5xi32>
  %nan = arith.constant dense<32704> : tensor<5xi16>
  %isnan = arith.cmpf une, %x, %x : tensor<5xf32>
  %bits = arith.bitcast %x : tensor<5xf32> to tensor<5xi32>
  %up = arith.shrui %bits, %by : tensor<5xi32>
  %last = arith.andi %up, %one : tensor<5xi32>
  %bias = arith.addi %last, %half : tensor<5xi32>
  %sum = arith.addi %bits, %bias : tensor<5xi32>
  %cut = arith.shrui %sum, %off : tensor<5xi32>
  %low = arith.trunci %cut : tensor<5xi32> to tensor<5xi16>
  %all = arith.select %isnan, %nan, %low : tensor<5xi1>, tensor<5xi16>
  %r = arith.bitcast %all : tensor<5xi16> to tensor<5xbf16>
  return %r : tensor<5xbf16>
}

func.func @rounded_up(%x: tensor<5xf32>) -> tensor<5xbf16> {
  %half = arith.constant dense<32768> : tensor<5xi32>
  %one = arith.constant dense<1> : tensor<5xi32>
  %by = arith.constant dense<16> : tensor<5xi32>
  %off = arith.constant dense<16> : tensor<5xi32>
  %nan = arith.constant dense<32704> : tensor<5xi16>
  %isnan = arith.cmpf une, %x, %x : tensor<5xf32>
  %bits = arith.bitcast %x : tensor<5xf32> to tensor<5xi32>
  %up = arith.shrui %bits, %by : tensor<5xi32>
  %last = arith.andi %up, %one : tensor<5xi32>
  %bias = arith.addi %last, %half : tensor<5xi32>
  %sum = arith.addi %bits, %bias : tensor<5xi32>
  %cut = arith.shrui %sum, %off : tensor<5xi32>
  %low = arith.trunci %cut : tensor<5xi32> to tensor<5xi16>
  %all = arith.select %isnan, %nan, %low : tensor<5xi1>, tensor<5xi16>
  %r = arith.bitcast %all : tensor<5xi16> to tensor<5xbf16>
  return %r : tensor<5xbf16>
}

func.func @rounded_by_two_places(%x: tensor<5xf32>) -> tensor<5xbf16> {
  %half = arith.constant dense<32767> : tensor<5xi32>
  %one = arith.constant dense<3> : tensor<5xi32>
  %by = arith.constant dense<16> : tensor<5xi32>
  %off = arith.constant dense<16> : tensor<5xi32>
  %nan = arith.constant dense<32704> : tensor<5xi16>
  %isnan = arith.cmpf une, %x, %x : tensor<5xf32>
  %bits = arith.bitcast %x : tensor<5xf32> to tensor<5xi32>
  %up = arith.shrui %bits, %by : tensor<5xi32>
  %last = arith.andi %up, %one : tensor<5xi32>
  %bias = arith.addi %last, %half : tensor<5xi32>
  %sum = arith.addi %bits, %bias : tensor<5xi32>
  %cut = arith.shrui %sum, %off : tensor<5xi32>
  %low = arith.trunci %cut : tensor<5xi32> to tensor<5xi16>
  %all = arith.select %isnan, %nan, %low : tensor<5xi1>, tensor<5xi16>
  %r = arith.bitcast %all : tensor<5xi16> to tensor<5xbf16>
  return %r : tensor<5xbf16>
}

func.func @rounded_infinity_for_nan(%x: tensor<5xf32>) -> tensor<5xbf16> {
  %half = arith.constant dense<32767> : tensor<5xi32>
  %one = arith.constant dense<1> : tensor<5xi32>
  %by = arith.constant dense<16> : tensor<5xi32>
  %off = arith.constant dense<16> : tensor<5xi32>
  %nan = arith.constant dense<32640> : tensor<5xi16>
  %isnan = arith.cmpf une, %x, %x : tensor<5xf32>
  %bits = arith.bitcast %x : tensor<5xf32> to tensor<5xi32>
  %up = arith.shrui %bits, %by : tensor<5xi32>
  %last = arith.andi %up, %one : tensor<5xi32>
  %bias = arith.addi %last, %half : tensor<5xi32>
  %sum = arith.addi %bits, %bias : tensor<5xi32>
  %cut = arith.shrui %sum, %off : tensor<5xi32>
  %low = arith.trunci %cut : tensor<5xi32> to tensor<5xi16>
  %all = arith.select %isnan, %nan, %low : tensor<5xi1>, tensor<5xi16>
  %r = arith.bitcast %all : tensor<5xi16> to tensor<5xbf16>
  return %r : tensor<5xbf16>
}

func.func @rounded_numbers_to_nan(%x: tensor<5xf32>) -> tensor<5xbf16> {
  %half = arith.constant dense<32767> : tensor<5xi32>
  %one = arith.constant dense<1> : tensor<5xi32>
  %by = arith.constant dense<16> : tensor<5xi32>
  %off = arith.constant dense<16> : tensor<5xi32>
  %nan = arith.constant dense<32704> : tensor<5xi16>
  %isnan = arith.cmpf ueq, %x, %x : tensor<5xf32>
  %bits = arith.bitcast %x : tensor<5xf32> to tensor<5xi32>
  %up = arith.shrui %bits, %by : tensor<5xi32>
  %last = arith.andi %up, %one : tensor<5xi32>
  %bias = arith.addi %last, %half : tensor<5xi32>
  %sum = arith.addi %bits, %bias : tensor<5xi32>
  %cut = arith.shrui %sum, %off : tensor<5xi32>
  %low = arith.trunci %cut : tensor<5xi32> to tensor<5xi16>
  %all = arith.select %isnan, %nan, %low : tensor<5xi1>, tensor<5xi16>
  %r = arith.bitcast %all : tensor<5xi16> to tensor<5xbf16>
  return %r : tensor<5xbf16>
}

func.func @rounded_lower_half(%x: tensor<5xf32>) -> tensor<5xbf16> {
  %half = arith.constant dense<32767> : tensor<5xi32>
  %one = arith.constant dense<1> : tensor<5xi32>
  %by = arith.constant dense<16> : tensor<5xi32>
  %off = arith.constant dense<15> : tensor<5xi32>
  %nan = arith.constant dense<32704> : tensor<5xi16>
  %isnan = arith.cmpf une, %x, %x : tensor<5xf32>
  %bits = arith.bitcast %x : tensor<5xf32> to tensor<5xi32>
  %up = arith.shrui %bits, %by : tensor<5xi32>
  %last = arith.andi %up, %one : tensor<5xi32>
  %bias = arith.addi %last, %half : tensor<5xi32>
  %sum = arith.addi %bits, %bias : tensor<5xi32>
  %cut = arith.shrui %sum, %off : tensor<5xi32>
  %low = arith.trunci %cut : tensor<5xi32> to tensor<5xi16>
  %all = arith.select %isnan, %nan, %low : tensor<5xi1>, tensor<5xi16>
  %r = arith.bitcast %all : tensor<5xi16> to tensor<5xbf16>
  return %r : tensor<5xbf16>
}
