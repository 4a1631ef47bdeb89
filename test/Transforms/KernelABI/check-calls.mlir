// RUN: convoy-opt %s --convoy-check-calls --split-input-file --verify-diagnostics

func.func private @log(memref<3xf32>)
func.func @external(%x: memref<3xf32>) {
  // expected-error @below {{calls 'log', which has no body}}
  func.call @log(%x) : (memref<3xf32>) -> ()
  return
}

// -----

func.func @indirect(%x: memref<3xf32>) {
  %callee = func.constant @indirect : (memref<3xf32>) -> ()
  // expected-error @below {{calls what is not known when compiling}}
  func.call_indirect %callee(%x) : (memref<3xf32>) -> ()
  return
}

// -----

func.func @asserts(%isRight: i1) {
  // expected-error @below {{asserts, but a kernel has nobody to tell}}
  cf.assert %isRight, "expected the right one"
  return
}

// -----

func.func @allocates(%n: index) {
  // expected-error @below {{allocates, but a kernel has its workspace alone}}
  %x = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

func.func private @helper(%x: memref<3xf32>) {
  return
}
func.func @known(%x: memref<3xf32>) {
  func.call @helper(%x) : (memref<3xf32>) -> ()
  return
}

// -----

// expected-error @below {{calls itself, so that no kernel of it would end}}
func.func @endless(%x: memref<3xf32>) {
  func.call @endless(%x) : (memref<3xf32>) -> ()
  return
}
