// RUN: convoy-opt %s --split-input-file --convoy-detach-target | FileCheck %s --implicit-check-not=convoy.target

// CHECK: module @cpu {
module @cpu attributes {convoy.target = #convoy.target<vector_bytes = 8>} {}

// -----

// CHECK: module @other attributes {convoy.rocm_chip = "gfx942"} {
module @other attributes {convoy.rocm_chip = "gfx942"} {}
