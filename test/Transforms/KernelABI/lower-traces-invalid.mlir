// RUN: convoy-opt %s --convoy-lower-traces --split-input-file --verify-diagnostics

func.func @same_name(%x: tensor<7xf32>) -> tensor<7xf32> {
  // expected-note @below {{the first of that name is here}}
  %0 = convoy.trace "abs" %x : tensor<7xf32>
  // expected-error @below {{expected a name that no other trace or result has, but got "abs"}}
  %1 = convoy.trace "abs" %0 : tensor<7xf32>
  return %1 : tensor<7xf32>
}

// -----

// expected-note @below {{the first of that name is here}}
func.func @name_of_result(%x: tensor<7xf32>) -> (tensor<7xf32> {convoy.name = "y"}) {
  // expected-error @below {{expected a name that no other trace or result has, but got "y"}}
  %0 = convoy.trace "y" %x : tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @in_loop(%x: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %0 = scf.for %i = %n to %n step %n iter_args(%y = %x) -> tensor<7xf32> {
    // expected-error @below {{expected a trace in the only block of a function}}
    %z = convoy.trace "z" %y : tensor<7xf32>
    scf.yield %z : tensor<7xf32>
  }
  return %0 : tensor<7xf32>
}

// -----

func.func @several_blocks(%x: tensor<7xf32>) -> tensor<7xf32> {
  cf.br ^bb1
^bb1:
  // expected-error @below {{expected a trace in the only block of a function}}
  %0 = convoy.trace "z" %x : tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func private @private(%x: tensor<7xf32>) -> tensor<7xf32> {
  // expected-error @below {{expected a trace in a public function that nothing calls, but got one in 'private'}}
  %0 = convoy.trace "z" %x : tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @called(%x: tensor<7xf32>) -> tensor<7xf32> {
  // expected-error @below {{expected a trace in a public function that nothing calls, but got one in 'called'}}
  %0 = convoy.trace "z" %x : tensor<7xf32>
  return %0 : tensor<7xf32>
}
func.func @caller(%x: tensor<7xf32>) -> tensor<7xf32> {
  %0 = func.call @called(%x) : (tensor<7xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
