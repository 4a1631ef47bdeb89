// RUN: convoy-opt %s --convoy-check-vulkan-limits --split-input-file --verify-diagnostics | FileCheck %s

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small", features = [i64]>} {
  gpu.module @kernels {
    // The sum differs among work-items, how often they add to it does not.
    // CHECK-LABEL: gpu.func @uniform(
    gpu.func @uniform(%a: memref<77xf32>, %counts: memref<7xi32>, %batch: i32)
        workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %item = gpu.thread_id x
      %group = gpu.block_id x
      %size = gpu.block_dim x
      %n = arith.index_cast %batch : i32 to index
      %count32 = memref.load %counts[%group] : memref<7xi32>
      %count = arith.index_cast %count32 : i32 to index
      %first = arith.cmpi eq, %group, %c0 : index
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %j = %c0) -> (f32, index) {
        %x = memref.load %a[%item] : memref<77xf32>
        memref.store %x, %s[%item] : memref<64xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %y = memref.load %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
        %new = arith.addf %sum, %x : f32
        scf.for %k = %c0 to %j step %size {
          gpu.barrier
        }
        scf.if %first {
          gpu.barrier
        }
        %next = arith.addi %j, %count : index
        scf.yield %new, %next : f32, index
      }
      %is_last = arith.cmpi ult, %item, %c1 : index
      scf.if %is_last {
        memref.store %r#0, %a[%item] : memref<77xf32>
      }
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel condition cannot run with profile small: a barrier that some work-items of a workgroup may not reach}}
    gpu.func @condition() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c7 = arith.constant 7 : index
      %item = gpu.thread_id x
      %is_inside = arith.cmpi ult, %item, %c7 : index
      // expected-note @below {{they may decide differently at this scf.if}}
      scf.if %is_inside {
        gpu.barrier
      }
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel bound cannot run with profile small: a barrier that some}}
    gpu.func @bound(%n: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %item = gpu.thread_id y
      %end32 = memref.load %n[%item] : memref<64xi32>
      %end = arith.index_cast %end32 : i32 to index
      // expected-note @below {{they may decide differently at this scf.for}}
      scf.for %i = %c0 to %end step %c1 {
        scf.for %j = %c0 to %c1 step %c1 {
          gpu.barrier
        }
      }
      gpu.return
    }
  }
}

// -----

// What a loop carries becomes different in its second iteration.
module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel carried cannot run with profile small: a barrier that some}}
    gpu.func @carried(%batch: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %item = gpu.thread_id x
      %n = arith.index_cast %batch : i32 to index
      scf.for %i = %c0 to %n step %c1 iter_args(%end = %c1) -> index {
        // expected-note @below {{they may decide differently at this scf.for}}
        scf.for %j = %c0 to %end step %c1 {
          gpu.barrier
        }
        scf.yield %item : index
      }
      gpu.return
    }
  }
}

// -----

// Constants that work-items choose between.
module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel chosen cannot run with profile small: a barrier that some}}
    gpu.func @chosen() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %item = gpu.thread_id x
      %is_first = arith.cmpi eq, %item, %c0 : index
      %end = scf.if %is_first -> index {
        scf.yield %c1 : index
      } else {
        scf.yield %c0 : index
      }
      // expected-note @below {{they may decide differently at this scf.for}}
      scf.for %j = %c0 to %end step %c1 {
        gpu.barrier
      }
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel own cannot run with profile small: a barrier that some}}
    gpu.func @own() private(%p: memref<1xi1, #gpu.address_space<private>>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %is_set = memref.load %p[%c0] : memref<1xi1, #gpu.address_space<private>>
      // expected-note @below {{they may decide differently at this scf.if}}
      scf.if %is_set {
        gpu.barrier
      }
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel waiting cannot run with profile small: a barrier that some}}
    gpu.func @waiting(%a: memref<1xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1_i32 = arith.constant 1 : i32
      // expected-note @below {{they may decide differently at this scf.while}}
      scf.while : () -> () {
        %old = memref.atomic_rmw addi %c1_i32, %a[%c0] : (i32, memref<1xi32>) -> i32
        %is_first = arith.cmpi eq, %old, %c1_i32 : i32
        scf.condition(%is_first)
      } do {
        gpu.barrier
        scf.yield
      }
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    // expected-error @below {{kernel blocks cannot run with profile small: a barrier that some}}
    gpu.func @blocks() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c7 = arith.constant 7 : index
      %item = gpu.thread_id x
      gpu.barrier
      %is_inside = arith.cmpi ult, %item, %c7 : index
      // expected-note @below {{they may decide differently at this cf.cond_br}}
      cf.cond_br %is_inside, ^inside, ^end
    ^inside:
      gpu.barrier
      cf.br ^end
    ^end:
      gpu.return
    }
  }
}

// -----

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "small">} {
  gpu.module @kernels {
    gpu.func @uniform_blocks(%batch: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c7 = arith.constant 7 : i32
      %is_small = arith.cmpi ult, %batch, %c7 : i32
      cf.cond_br %is_small, ^small, ^end
    ^small:
      gpu.barrier
      cf.br ^end
    ^end:
      gpu.return
    }
  }
}
