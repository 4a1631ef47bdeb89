// An element read at a place that is computed is the same only where the place
// is computed alike, bit for bit. This function reads between two columns,
// zeros beside the image, in the row that is next, at most the last.
// RUN: rm -rf %t && split-file %s %t
// RUN: sed 's/addf %left, %right/addf %right, %left/; s/mulf %at_next, %rest/mulf %rest, %at_next/' %t/sample.mlir > %t/same.mlir
// RUN: sed -i 's/%weight = arith.subf %one, %rest/%weight_alike = arith.subf %one, %rest/; s/mulf %at_k, %weight/mulf %at_k, %weight_alike/' %t/same.mlir
// RUN: convoy-certify %t/sample.mlir %t/same.mlir | FileCheck %s --check-prefix=SAME
// SAME: certified: @sample: equal for all finite values

// Rounded to the next column, not cut off.
// RUN: sed 's/%cut = arith.fptosi %x_kept/%round = math.roundeven %x_kept : f32\n%cut = arith.fptosi %round/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// Cut off towards zero, not down.
// RUN: sed 's/arith.select %is_above, %cut_below, %cut /arith.select %is_above, %cut, %cut /' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// One less at columns themselves, too.
// RUN: sed 's/cmpf ogt, %cut_number/cmpf oge, %cut_number/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// The axes are swapped.
// RUN: sed 's/(%x_given: f32, %y_given: f32/(%y_given: f32, %x_given: f32/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// Another element of the grid.
// RUN: sed 's/%ys = tensor.extract_slice %grid\[0, 1\]/%ys = tensor.extract_slice %grid[0, 0]/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// The column before instead of the one behind.
// RUN: sed 's/%k_next = arith.addi/%k_next = arith.subi/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// The weights are swapped.
// RUN: sed 's/mulf %at_k, %weight/mulf %at_k, %rest/; s/mulf %at_next, %rest/mulf %at_next, %weight/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// Rows end one earlier.
// RUN: sed 's/%last = arith.constant 4/%last = arith.constant 3/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// The border instead of zeros: one of two masks is dropped.
// RUN: sed 's/arith.select %is_inside, %element, %zero/arith.select %is_inside, %element, %element/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// The mask is that of the other column.
// RUN: sed 's/arith.select %is_inside, %element, %zero/arith.select %is_next_inside, %element, %zero/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// Corners are aligned.
// RUN: sed 's/%width = arith.constant 7.0/%width = arith.constant 6.0/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// The position is contracted to a multiply-add.
// RUN: sed 's/%x_less = arith.subf %x_scaled, %one {convoy.uncontracted}/%x_less = math.fma %x_above, %width, %minus_one/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// The position's factors are multiplied in another order.
// RUN: sed 's/mulf %y_above, %half/mulf %half, %height/; s/mulf %first, %height/mulf %first, %y_above/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// Far positions end elsewhere.
// RUN: sed 's/%far = arith.constant 1073741824.0/%far = arith.constant 1073741952.0/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// What is no number is another element.
// RUN: sed 's/arith.select %has_no_x, %minus_one/arith.select %has_no_x, %one/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=FAULT --implicit-check-not=certified
// What stands deep in a term is not printed.
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=DEEP
// DEEP: undecided: @sample: {{.*}}minimumf(1.07374182E+9, 0.5 * (... - 1))
// FAULT: {{different|undecided}}: @sample: {{.*}}

// What is asked of a place that nothing limits.
// RUN: sed 's/arith.minsi %j, %last/arith.minsi %j, %j/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=OUTSIDE
// RUN: sed 's/arith.cmpi ult, %k,/arith.cmpi ule, %k,/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: undecided: @sample: {{.*}}tensor.extract: an element that may lie outside its tensor

// Sums that may be formed in any order are no places: they would be rounded to
// others.
// RUN: sed 's/ {convoy.uncontracted}//' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=ORDER
// ORDER: undecided: @sample: {{.*}}tensor.extract: a computed place whose sums may be rounded in any order

// Nor are numbers that no integer is, or what may be none: a maximum of that,
// and what it is cut off to, may be anything.
// RUN: sed 's/arith.select %has_no_x, %minus_one, %x_given/arith.select %has_no_x, %x_given, %x_given/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=NUMBER
// RUN: sed 's/arith.minimumf %x_halved, %far/arith.minimumf %x_halved, %x_halved/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=NUMBER
// RUN: sed 's/cmpf uno, %y_given, %y_given/cmpf uno, %y_given, %x_given/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=NUMBER
// NUMBER: undecided: @sample: {{.*}}tensor.extract: a computed place of what may be no number, or a large one

// RUN: sed 's/%row = arith.index_cast %j_kept/%row = arith.index_castui %j_kept/' %t/sample.mlir > %t/edited.mlir
// RUN: not convoy-certify %t/sample.mlir %t/edited.mlir | FileCheck %s --check-prefix=UNSIGNED
// UNSIGNED: undecided: @sample: {{.*}}tensor.extract: a place that is computed as no integer of 32 bits

//--- sample.mlir
#of_grid = affine_map<(c, o) -> (o, 0)>
#of_sample = affine_map<(c, o) -> (c, o)>

func.func @sample(%image: tensor<3x5x7xf32>, %grid: tensor<4x2xf32>) -> tensor<3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus_one = arith.constant -1.0 : f32
  %half = arith.constant 0.5 : f32
  %width = arith.constant 7.0 : f32
  %height = arith.constant 4.0 : f32
  %far = arith.constant 1073741824.0 : f32
  %minus_far = arith.constant -1073741824.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %last = arith.constant 4 : i32
  %columns = arith.constant 7 : i32
  %xs = tensor.extract_slice %grid[0, 0] [4, 1] [1, 1] : tensor<4x2xf32> to tensor<4x1xf32>
  %ys = tensor.extract_slice %grid[0, 1] [4, 1] [1, 1] : tensor<4x2xf32> to tensor<4x1xf32>
  %empty = tensor.empty() : tensor<3x4xf32>
  %samples = linalg.generic {indexing_maps = [#of_grid, #of_grid, #of_sample], iterator_types = ["parallel", "parallel"]}
      ins(%xs, %ys : tensor<4x1xf32>, tensor<4x1xf32>) outs(%empty : tensor<3x4xf32>) {
  ^bb0(%x_given: f32, %y_given: f32, %unused: f32):
    %channel = linalg.index 0 : index
    %has_no_x = arith.cmpf uno, %x_given, %x_given : f32
    %x_number = arith.select %has_no_x, %minus_one, %x_given : f32
    %x_low = arith.minimumf %x_number, %far : f32
    %x = arith.maximumf %x_low, %minus_far : f32
    %has_no_y = arith.cmpf uno, %y_given, %y_given : f32
    %y_number = arith.select %has_no_y, %minus_one, %y_given : f32
    %y_low = arith.minimumf %y_number, %far : f32
    %y = arith.maximumf %y_low, %minus_far : f32
    %x_above = arith.addf %x, %one {convoy.uncontracted} : f32
    %x_scaled = arith.mulf %x_above, %width {convoy.uncontracted} : f32
    %x_less = arith.subf %x_scaled, %one {convoy.uncontracted} : f32
    %x_halved = arith.mulf %x_less, %half {convoy.uncontracted} : f32
    %x_at_most = arith.minimumf %x_halved, %far : f32
    %x_kept = arith.maximumf %x_at_most, %minus_far : f32
    %cut = arith.fptosi %x_kept : f32 to i32
    %cut_number = arith.sitofp %cut : i32 to f32
    %is_above = arith.cmpf ogt, %cut_number, %x_kept : f32
    %cut_below = arith.subi %cut, %c1 : i32
    %number_below = arith.subf %cut_number, %one {convoy.uncontracted} : f32
    %k = arith.select %is_above, %cut_below, %cut : i32
    %k_number = arith.select %is_above, %number_below, %cut_number : f32
    %rest = arith.subf %x_kept, %k_number {convoy.uncontracted} : f32
    %weight = arith.subf %one, %rest {convoy.uncontracted} : f32
    %k_next = arith.addi %k, %c1 : i32
    %is_inside = arith.cmpi ult, %k, %columns : i32
    %k_kept = arith.select %is_inside, %k, %c0 : i32
    %is_next_inside = arith.cmpi ult, %k_next, %columns : i32
    %next_kept = arith.select %is_next_inside, %k_next, %c0 : i32
    %y_above = arith.addf %y, %one {convoy.uncontracted} : f32
    %first = arith.mulf %y_above, %half {convoy.uncontracted} : f32
    %y_scaled = arith.mulf %first, %height {convoy.uncontracted} : f32
    %y_at_most = arith.minimumf %y_scaled, %far : f32
    %y_kept = arith.maximumf %y_at_most, %minus_far : f32
    %y_round = math.roundeven %y_kept : f32
    %j = arith.fptosi %y_round : f32 to i32
    %j_at_most = arith.minsi %j, %last : i32
    %j_kept = arith.maxsi %j_at_most, %c0 : i32
    %row = arith.index_cast %j_kept : i32 to index
    %column = arith.index_cast %k_kept : i32 to index
    %next_column = arith.index_cast %next_kept : i32 to index
    %element = tensor.extract %image[%channel, %row, %column] : tensor<3x5x7xf32>
    %at_k = arith.select %is_inside, %element, %zero : f32
    %next_element = tensor.extract %image[%channel, %row, %next_column] : tensor<3x5x7xf32>
    %at_next = arith.select %is_next_inside, %next_element, %zero : f32
    %left = arith.mulf %at_k, %weight : f32
    %right = arith.mulf %at_next, %rest : f32
    %sample = arith.addf %left, %right : f32
    linalg.yield %sample : f32
  } -> tensor<3x4xf32>
  return %samples : tensor<3x4xf32>
}
