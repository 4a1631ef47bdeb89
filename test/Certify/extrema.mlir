// Maxima and minima are those of sets: any order, and as often as one likes.
// RUN: rm -rf %t && split-file %s %t
// RUN: not convoy-certify %t/before.mlir %t/after.mlir | FileCheck %s

//--- before.mlir
// CHECK-DAG: certified: @pool:
func.func @pool(%x: tensor<1x7x8x3xf32>) -> tensor<1x3x3x3xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x3x3x3xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  %y = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<1x7x8x3xf32>, tensor<3x3xf32>) outs(%init : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  return %y : tensor<1x3x3x3xf32>
}
// CHECK-DAG: certified: @unrolled:
func.func @unrolled(%x: tensor<5xi8>, %init: tensor<4xi8>) -> tensor<4xi8> {
  %window = tensor.empty() : tensor<2xi8>
  %y = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %window : tensor<5xi8>, tensor<2xi8>) outs(%init : tensor<4xi8>) {
  ^bb0(%in: i8, %w: i8, %out: i8):
    %m = arith.minui %out, %in : i8
    linalg.yield %m : i8
  } -> tensor<4xi8>
  return %y : tensor<4xi8>
}
// A loop that takes the maximum of each part.
// CHECK-DAG: certified: @loop:
func.func @loop(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
// Terms that stand there twice change nothing.
// CHECK-DAG: certified: @overlap:
func.func @overlap(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
// CHECK-DAG: certified: @pool_of_conv:
func.func @pool_of_conv(%x: tensor<6xf32>, %w: tensor<2xf32>, %zero: tensor<5xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %window = tensor.empty() : tensor<2xf32>
  %s = linalg.conv_1d ins(%x, %w : tensor<6xf32>, tensor<2xf32>) outs(%zero : tensor<5xf32>) -> tensor<5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%s, %window : tensor<5xf32>, tensor<2xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %v: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-DAG: different: @lacks_one: {{.*}}the second function lacks argument0[7]
func.func @lacks_one(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
// CHECK-NOT: certified: @minimum:
func.func @minimum(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
// What starts from 0 is no maximum of negative numbers.
// CHECK-NOT: certified: @other_init:
func.func @other_init(%x: tensor<8xf32>) -> tensor<f32> {
  %init = arith.constant dense<0xFF800000> : tensor<f32>
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
// Neither a sum nor a maximum, but both in turn.
// CHECK-DAG: undecided: @mixed: {{.*}}a reduction other than a sum, a maximum or a minimum
func.func @mixed(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    %m = arith.maximumf %in, %s : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
// With a sign and without.
// CHECK-NOT: certified: @unsigned:
func.func @unsigned(%x: tensor<8xi8>, %init: tensor<i8>) -> tensor<i8> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xi8>) outs(%init : tensor<i8>) {
  ^bb0(%in: i8, %out: i8):
    %m = arith.maxsi %in, %out : i8
    linalg.yield %m : i8
  } -> tensor<i8>
  return %most : tensor<i8>
}
// The sign of a zero is not that of a set's order.
// CHECK-NOT: certified: @sign:
func.func @sign(%x: tensor<8xf32>, %one: tensor<f32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maxnumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %y = math.copysign %one, %most : tensor<f32>
  return %y : tensor<f32>
}
// A sum of one term is that term, whose index no equation says.
// CHECK-DAG: certified: @one_tap:
func.func @one_tap(%x: tensor<1x1x4xf32>, %w: tensor<1x1x2xf32>, %y: tensor<1x1x2xf32>) -> tensor<1x1x2xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x1x2xf32>
  %s = convoy.conv ins(%x, %w : tensor<1x1x4xf32>, tensor<1x1x2xf32>) outs(%zeros : tensor<1x1x2xf32>) layout(ncw x fcw -> nfw) window(dilation = [2], pad = [[2, -2]])
  %abs = math.absf %s : tensor<1x1x2xf32>
  %r = arith.maximumf %abs, %y : tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}
// CHECK-DAG: certified: @one_tap_added:
func.func @one_tap_added(%x: tensor<1x1x4xf32>, %w: tensor<1x1x2xf32>, %y: tensor<1x1x2xf32>) -> tensor<1x1x2xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x1x2xf32>
  %s = convoy.conv ins(%x, %w : tensor<1x1x4xf32>, tensor<1x1x2xf32>) outs(%zeros : tensor<1x1x2xf32>) layout(ncw x fcw -> nfw) window(dilation = [2], pad = [[2, -2]])
  %abs = math.absf %s : tensor<1x1x2xf32>
  %r = arith.addf %abs, %y : tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}
// CHECK-DAG: undecided: @other_tap: {{.*}}the second math.absf(
func.func @other_tap(%x: tensor<1x1x4xf32>, %w: tensor<1x1x2xf32>, %y: tensor<1x1x2xf32>) -> tensor<1x1x2xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x1x2xf32>
  %s = convoy.conv ins(%x, %w : tensor<1x1x4xf32>, tensor<1x1x2xf32>) outs(%zeros : tensor<1x1x2xf32>) layout(ncw x fcw -> nfw) window(dilation = [2], pad = [[2, -2]])
  %abs = math.absf %s : tensor<1x1x2xf32>
  %r = arith.maximumf %abs, %y : tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

#in = affine_map<(w, t) -> (w + t)>
#taps = affine_map<(w, t) -> (t)>
#out = affine_map<(w, t) -> (w)>
// The least of all changes nothing: padding may be left out where an element is
// there, but not where none is.
// CHECK-DAG: certified: @left_out:
// CHECK-DAG: different: @other_element:
// CHECK-DAG: different: @nothing_there:
func.func @left_out(%x: tensor<4xf32>) -> tensor<4xf32> {
  %least = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %least : f32
  } : tensor<4xf32> to tensor<5xf32>
  %e = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %window = tensor.empty() : tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "reduction"]}
      ins(%padded, %window : tensor<5xf32>, tensor<2xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %w: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @other_element(%x: tensor<4xf32>) -> tensor<4xf32> {
  %least = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %least : f32
  } : tensor<4xf32> to tensor<5xf32>
  %e = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %window = tensor.empty() : tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "reduction"]}
      ins(%padded, %window : tensor<5xf32>, tensor<2xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %w: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @nothing_there(%x: tensor<4xf32>) -> tensor<5xf32> {
  %least = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %least : f32
  } : tensor<4xf32> to tensor<5xf32>
  %e = tensor.empty() : tensor<5xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %window = tensor.empty() : tensor<1xf32>
  %y = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "reduction"]}
      ins(%padded, %window : tensor<5xf32>, tensor<1xf32>) outs(%init : tensor<5xf32>) {
  ^bb0(%a: f32, %w: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<5xf32>
  return %y : tensor<5xf32>
}
//--- after.mlir
func.func @pool(%x: tensor<1x7x8x3xf32>) -> tensor<1x3x3x3xf32> {
  %least = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x3x3x3xf32>
  %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%so_far = %e) -> tensor<1x3x3x3xf32> {
    %row = affine.apply affine_map<(i) -> (i * 2)>(%i)
    %slice = tensor.extract_slice %x[0, %row, 0, 0] [1, 3, 8, 3] [1, 1, 1, 1] : tensor<1x7x8x3xf32> to tensor<1x3x8x3xf32>
    %part = tensor.empty() : tensor<1x1x3x3xf32>
    %init = linalg.fill ins(%least : f32) outs(%part : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
    %m = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%slice, %window : tensor<1x3x8x3xf32>, tensor<3x3xf32>) outs(%init : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
    %next = tensor.insert_slice %m into %so_far[0, %i, 0, 0] [1, 1, 3, 3] [1, 1, 1, 1] : tensor<1x1x3x3xf32> into tensor<1x3x3x3xf32>
    scf.yield %next : tensor<1x3x3x3xf32>
  }
  return %y : tensor<1x3x3x3xf32>
}
func.func @unrolled(%x: tensor<5xi8>, %init: tensor<4xi8>) -> tensor<4xi8> {
  %a = tensor.extract_slice %x[0] [4] [1] : tensor<5xi8> to tensor<4xi8>
  %b = tensor.extract_slice %x[1] [4] [1] : tensor<5xi8> to tensor<4xi8>
  %0 = arith.minui %b, %init : tensor<4xi8>
  %1 = arith.minui %a, %0 : tensor<4xi8>
  return %1 : tensor<4xi8>
}
func.func @loop(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %y = scf.for %i = %c0 to %c8 step %c4 iter_args(%so_far = %init) -> tensor<f32> {
    %part = tensor.extract_slice %x[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
        ins(%part : tensor<4xf32>) outs(%so_far : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %m = arith.maximumf %in, %out : f32
      linalg.yield %m : f32
    } -> tensor<f32>
    scf.yield %most : tensor<f32>
  }
  return %y : tensor<f32>
}
func.func @overlap(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %y = scf.for %i = %c0 to %c5 step %c2 iter_args(%so_far = %init) -> tensor<f32> {
    %part = tensor.extract_slice %x[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
        ins(%part : tensor<4xf32>) outs(%so_far : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %m = arith.maxnumf %in, %out : f32
      linalg.yield %m : f32
    } -> tensor<f32>
    scf.yield %most : tensor<f32>
  }
  return %y : tensor<f32>
}
func.func @pool_of_conv(%x: tensor<6xf32>, %w: tensor<2xf32>, %zero: tensor<5xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %s = linalg.conv_1d ins(%x, %w : tensor<6xf32>, tensor<2xf32>) outs(%zero : tensor<5xf32>) -> tensor<5xf32>
  %a = tensor.extract_slice %s[0] [4] [1] : tensor<5xf32> to tensor<4xf32>
  %b = tensor.extract_slice %s[1] [4] [1] : tensor<5xf32> to tensor<4xf32>
  %0 = arith.maximumf %b, %init : tensor<4xf32>
  %1 = arith.maximumf %0, %a : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @lacks_one(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %part = tensor.extract_slice %x[0] [7] [1] : tensor<8xf32> to tensor<7xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%part : tensor<7xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
func.func @minimum(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
func.func @other_init(%x: tensor<8xf32>) -> tensor<f32> {
  %init = arith.constant dense<0.0> : tensor<f32>
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
func.func @mixed(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    %m = arith.maximumf %in, %s : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %most : tensor<f32>
}
func.func @unsigned(%x: tensor<8xi8>, %init: tensor<i8>) -> tensor<i8> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xi8>) outs(%init : tensor<i8>) {
  ^bb0(%in: i8, %out: i8):
    %m = arith.maxui %in, %out : i8
    linalg.yield %m : i8
  } -> tensor<i8>
  return %most : tensor<i8>
}
func.func @sign(%x: tensor<8xf32>, %one: tensor<f32>, %init: tensor<f32>) -> tensor<f32> {
  %most = linalg.generic {indexing_maps = [affine_map<(i) -> (7 - i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %unused: f32, %out: f32):
    %m = arith.maxnumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %y = math.copysign %one, %most : tensor<f32>
  return %y : tensor<f32>
}
func.func @one_tap(%x: tensor<1x1x4xf32>, %w: tensor<1x1x2xf32>, %y: tensor<1x1x2xf32>) -> tensor<1x1x2xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x1x2xf32>
  %tap = tensor.extract_slice %w[0, 0, 1] [1, 1, 1] [1, 1, 1] : tensor<1x1x2xf32> to tensor<1x1x1xf32>
  %s = convoy.conv ins(%x, %tap : tensor<1x1x4xf32>, tensor<1x1x1xf32>) outs(%zeros : tensor<1x1x2xf32>) layout(ncw x fcw -> nfw) window(pad = [[0, -2]])
  %abs = math.absf %s : tensor<1x1x2xf32>
  %r = arith.maximumf %abs, %y : tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}
func.func @one_tap_added(%x: tensor<1x1x4xf32>, %w: tensor<1x1x2xf32>, %y: tensor<1x1x2xf32>) -> tensor<1x1x2xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x1x2xf32>
  %tap = tensor.extract_slice %w[0, 0, 1] [1, 1, 1] [1, 1, 1] : tensor<1x1x2xf32> to tensor<1x1x1xf32>
  %s = convoy.conv ins(%x, %tap : tensor<1x1x4xf32>, tensor<1x1x1xf32>) outs(%zeros : tensor<1x1x2xf32>) layout(ncw x fcw -> nfw) window(pad = [[0, -2]])
  %abs = math.absf %s : tensor<1x1x2xf32>
  %r = arith.addf %abs, %y : tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}
func.func @other_tap(%x: tensor<1x1x4xf32>, %w: tensor<1x1x2xf32>, %y: tensor<1x1x2xf32>) -> tensor<1x1x2xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x1x2xf32>
  %tap = tensor.extract_slice %w[0, 0, 0] [1, 1, 1] [1, 1, 1] : tensor<1x1x2xf32> to tensor<1x1x1xf32>
  %s = convoy.conv ins(%x, %tap : tensor<1x1x4xf32>, tensor<1x1x1xf32>) outs(%zeros : tensor<1x1x2xf32>) layout(ncw x fcw -> nfw) window(pad = [[0, -2]])
  %abs = math.absf %s : tensor<1x1x2xf32>
  %r = arith.maximumf %abs, %y : tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}
#in = affine_map<(w, t) -> (w + t)>
#taps = affine_map<(w, t) -> (t)>
#out = affine_map<(w, t) -> (w)>
func.func @left_out(%x: tensor<4xf32>) -> tensor<4xf32> {
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4xf32>
  %first = tensor.extract_slice %x[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %0 = tensor.insert_slice %first into %e[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
  %e1 = tensor.empty() : tensor<3xf32>
  %init = linalg.fill ins(%least : f32) outs(%e1 : tensor<3xf32>) -> tensor<3xf32>
  %window = tensor.empty() : tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %window : tensor<4xf32>, tensor<2xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%a: f32, %w: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  %1 = tensor.insert_slice %y into %0[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @other_element(%x: tensor<4xf32>) -> tensor<4xf32> {
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4xf32>
  %first = tensor.extract_slice %x[1] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %0 = tensor.insert_slice %first into %e[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
  %e1 = tensor.empty() : tensor<3xf32>
  %init = linalg.fill ins(%least : f32) outs(%e1 : tensor<3xf32>) -> tensor<3xf32>
  %window = tensor.empty() : tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %window : tensor<4xf32>, tensor<2xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%a: f32, %w: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  %1 = tensor.insert_slice %y into %0[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @nothing_there(%x: tensor<4xf32>) -> tensor<5xf32> {
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<5xf32>
  %first = tensor.extract_slice %x[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %0 = tensor.insert_slice %first into %e[0] [1] [1] : tensor<1xf32> into tensor<5xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%least : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %window = tensor.empty() : tensor<1xf32>
  %y = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %window : tensor<4xf32>, tensor<1xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %w: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  %1 = tensor.insert_slice %y into %0[1] [4] [1] : tensor<4xf32> into tensor<5xf32>
  return %1 : tensor<5xf32>
}
