// RUN: convoy-opt %s --convoy-outline-size-checks --verify-diagnostics

func.func @size_from_data(%x: memref<?xi64>) attributes {convoy.arguments = [
    {layout = "", name = "x", type = tensor<?xi64>, written = false}]} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  // expected-error @below {{'memref.load' op decides a size, but depends on more than the sizes of arguments}}
  %size = memref.load %x[%c0] : memref<?xi64>
  %right = arith.cmpi sge, %size, %zero : i64
  cf.assert %right, "not negative"
  return
}
