// RUN: convoy-opt %s --verify-roundtrip

// Attributes that no other test has in what it reads: passes leave them for
// later ones.

func.func private @workspaces() attributes {convoy.image_workspace = 768 : i64, convoy.workspace = 256 : i64}

func.func @barrier_for_buffers() {
  gpu.barrier {convoy.buffer_barrier}
  return
}
