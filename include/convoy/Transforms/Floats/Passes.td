//===- Passes.td - Floats that hardware lacks --------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_FLOATS_PASSES_TD
#define CONVOY_TRANSFORMS_FLOATS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SplitF64ConversionsPass : Pass<"convoy-split-f64-conversions"> {
  let summary = "Convert between f64 and 16-bit floats through f32";
  let description = [{
    - Needs: `arith.extf` from f16 or bf16 to f64, and `arith.truncf` back.
    - Leaves: conversions by way of f32.

    It is for CPUs on which LLVM would call a library. Results are the same: on
    the way down, f32 is rounded to odd (towards zero, with its last bit set
    where that is not exact), so that rounding it again gives what rounding
    once would have given.
    ```mlir
    %narrow = arith.truncf %x : f64 to f16
    ```
    becomes
    ```mlir
    %single = arith.truncf %x : f64 to f32
    ..
    %odd = arith.bitcast %bits : i32 to f32
    %narrow = arith.truncf %odd : f32 to f16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandF16Pass : Pass<"convoy-expand-f16"> {
  let summary = "Convert f16 by integer arithmetic";
  let description = [{
    - Needs: `arith.extf` from f16 to f32, and `arith.truncf` back.
    - Leaves: integer arithmetic on their bits.

    It is for CPUs on which LLVM would call a library. Results are the same:
    exact, or rounded to nearest, ties to even. A NaN keeps its sign and the
    leading bits of its payload.
    ```mlir
    %wide = arith.extf %x : f16 to f32
    ```
    becomes
    ```mlir
    %bits = arith.bitcast %x : f16 to i16
    ..
    %wide = arith.bitcast %result : i32 to f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ApproximateFunctionsPass : Pass<"convoy-approximate-functions"> {
  let summary = "Compute functions by vectors";
  let description = [{
    - Needs: functions of the math dialect in f32.
    - Leaves: arithmetic in the place of `exp`, `exp2`, `expm1`, `log`, `log1p`,
      `tanh` and `erf`; other functions and types stay.

    LLVM would call C's library for each element of a vector. Here vectors stay
    vectors: arguments are reduced and polynomials, or their quotients, taken.
    [Numerics](Numerics.md#functions-around-convolutions) has how far off they
    are. Single numbers are computed in the same way, so that an element does
    not depend on whether it lies in a vector.
    ```mlir
    %y = math.tanh %x : vector<8xf32>
    ```
    becomes
    ```mlir
    %square = arith.mulf %size, %size : vector<8xf32>
    ..
    %quotient = arith.divf %p, %q : vector<8xf32>
    ..
    %y = math.copysign %limited, %x : vector<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def CallMathFunctionsPass : Pass<"convoy-call-math-functions", "::mlir::ModuleOp"> {
  let summary = "Call C's library for functions that LLVM lacks";
  let description = [{
    - Needs: functions of the math dialect in f32 and f64.
    - Leaves: calls of C's mathematical library for those that LLVM has no
      operation for, or a less exact one; the rest stays.

    C's library is called for what LLVM has no operation for (`erf`, `erfc`,
    `cbrt`, `asinh`, `acosh`, `atanh`), or would make of others with larger
    errors (`expm1`, `log1p`). Vectors are called element by element. The rest
    stays; functions that are in neither are refused.
    ```mlir
    %y = math.erf %x : f32
    ```
    becomes
    ```mlir
    %y = call @erff(%x) : (f32) -> f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::vector::VectorDialect"];
}

def StoreFloatsAsBitsPass : Pass<"convoy-store-floats-as-bits"> {
  let summary = "Move 16-bit floats as integers";
  let description = [{
    - Needs: functions in LLVM's dialect, or kernels on buffers, in which bf16
      and f16 are loaded, stored and moved, and in which nothing is computed
      with them.
    - Leaves: i16 in their place.

    Where a CPU has no instructions for these types, LLVM moves their vectors
    element by element through f32, and calls a library to come back; Vulkan
    does not know bf16 at all.
    ```mlir
    %x = llvm.load %p : !llvm.ptr -> bf16
    %bits = llvm.bitcast %x : bf16 to i16
    ```
    becomes
    ```mlir
    %x = llvm.load %p : !llvm.ptr -> i16
    %bits = llvm.bitcast %x : i16 to i16
    ```
  }];
  let options = [
    Option<"keepF16", "keep-f16", "bool", /*default=*/"false",
           "Leave f16 as it is, for machines that convert it">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ContractFloatsPass : Pass<"convoy-contract-floats"> {
  let summary = "Let products be added without being rounded";
  let description = [{
    - Needs: kernels with `arith.mulf` and `arith.addf` of floats.
    - Leaves: the same ops with the flag `contract`.

    With the flag a product and a sum become one multiply-add. Our bounds of
    errors hold with it and without. What is `convoy.uncontracted` stays as it is.
    ```mlir
    %p = arith.mulf %x, %y : vector<4xf32>
    %r = arith.addf %p, %s : vector<4xf32>
    ```
    becomes
    ```mlir
    %p = arith.mulf %x, %y fastmath<contract> : vector<4xf32>
    %r = arith.addf %p, %s fastmath<contract> : vector<4xf32>
    ```
  }];
}

def EmulateNarrowFloatsPass : Pass<"convoy-emulate-narrow-floats"> {
  let summary = "Compute with floats that a device lacks in f32";
  let description = [{
    - Needs: kernels on buffers, in a module with `#convoy.vulkan_profile`.
    - Leaves: them without bf16, and without f16 where the profile has no
      arithmetic for it.

    Vulkan does not know bf16. Such floats are stored, moved and selected as
    i16, computed with in f32, and rounded to nearest by integer arithmetic, as
    `arith-emulate-unsupported-floats`, `arith-expand`, `convoy-expand-f16` and
    `convoy-store-floats-as-bits` do. Results are the same. Functions of the
    math dialect but `math.fma` are computed in f32 in any case, and rounded.
    ```mlir
    %y = arith.addf %x, %x : f16
    ```
    becomes
    ```mlir
    %single = .. : f32
    %sum = arith.addf %single, %single : f32
    %y = .. : i16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandMathFunctionsPass : Pass<"convoy-expand-math-functions"> {
  let summary = "Compute functions that SPIR-V lacks by others";
  let description = [{
    - Needs: kernels with functions of the math dialect.
    - Leaves: those that SPIR-V has, in f16 and f32, or that upstream's
      conversion makes of such.

    `trunc` becomes `ceil` or `floor`, `erf` and `erfc` in f32 become
    upstream's polynomials ([Numerics](Numerics.md) says how exact they are).
    Other functions, and those of f64 but the exact ones, are refused.
    ```mlir
    %whole = math.trunc %x : f32
    ```
    becomes
    ```mlir
    %isNegative = arith.cmpf olt, %x, %zero : f32
    %up = math.ceil %x : f32
    %down = math.floor %x : f32
    %whole = arith.select %isNegative, %up, %down : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def DeclareFloatControlsPass : Pass<"convoy-declare-float-controls"> {
  let summary = "Ask for rounding to nearest and for signed zeros";
  let description = [{
    - Needs: SPIR-V with entry points, in a module with
      `#convoy.vulkan_profile`.
    - Leaves: execution modes for each width of floats that an entry point has.

    The modes are `RoundingModeRTE` and `SignedZeroInfNanPreserve`, where the
    profile offers them.
    ```mlir
    spirv.ExecutionMode @f "RoundingModeRTE", 32
    spirv.ExecutionMode @f "SignedZeroInfNanPreserve", 32
    ```
  }];
  let dependentDialects = ["::mlir::spirv::SPIRVDialect"];
}

#endif // CONVOY_TRANSFORMS_FLOATS_PASSES_TD
