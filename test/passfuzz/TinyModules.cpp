//===- TinyModules.cpp - Each pass on hardly anything -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassFuzzer.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::convoy::test;

static const char *const kModules[] = {
    "module {}",
    "func.func @f() { return }",
    "func.func private @f()",
    "func.func private @f(memref<2xf32>, i64) -> i32",
    "func.func @f(%a: f32) -> f32 { return %a : f32 }",
    R"(func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
         return %a : tensor<2xf32>
       })",
    R"(func.func @f(%a: memref<?xf32>, %i: index) -> f32 {
         %x = memref.load %a[%i] : memref<?xf32>
         return %x : f32
       })",
    R"(func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
         %x = arith.addf %a, %b : tensor<2xf32>
         return %x : tensor<2xf32>
       })",
    R"(func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>,
                    %c: tensor<2x5xf32>) -> tensor<2x5xf32> {
         %x = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x5xf32>)
             outs(%c : tensor<2x5xf32>) -> tensor<2x5xf32>
         return %x : tensor<2x5xf32>
       })",
    R"(func.func @f(%a: tensor<1x5x2xf32>, %b: tensor<3x2x4xf32>,
                    %c: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
         %x = convoy.conv ins(%a, %b : tensor<1x5x2xf32>, tensor<3x2x4xf32>)
             outs(%c : tensor<1x3x4xf32>) layout(nwc x wcf -> nwf)
         return %x : tensor<1x3x4xf32>
       })",
    R"(func.func @f(%a: tensor<1x5x2xf32>) -> tensor<1x3x3x2xf32> {
         %x = convoy.im2col %a layout(nwc, nw|wc)
             : tensor<1x5x2xf32> -> tensor<1x3x3x2xf32>
         return %x : tensor<1x3x3x2xf32>
       })",
    R"(func.func @f(%a: memref<4xf32>) {
         %c0 = arith.constant 0 : index
         %c1 = arith.constant 1 : index
         %c4 = arith.constant 4 : index
         scf.for %i = %c0 to %c4 step %c1 {
           %x = memref.load %a[%i] : memref<4xf32>
           %y = math.exp %x : f32
           memref.store %y, %a[%i] : memref<4xf32>
         }
         return
       })",
    R"("a.b"() ({
       ^bb0(%x: f32):
         "a.c"(%x) : (f32) -> ()
       }) : () -> ())",
    R"(gpu.module @m {
         gpu.func @f(%a: memref<4xf32>) kernel {
           gpu.return
         }
       })",
    R"(llvm.func @f(%a: !llvm.ptr, %b: i64) -> i32 {
         %x = llvm.load %a : !llvm.ptr -> i32
         llvm.return %x : i32
       })",
};
static_assert(std::size(kModules) == 15, "an empty module and 14 tiny ones");

unsigned mlir::convoy::test::tryTinyModules(const DialectRegistry &registry,
                                            const Limits &limits) {
  auto &slot = *static_cast<Slot *>(allocateShared(sizeof(Slot)));
  unsigned numFindings = 0, numTries = 0;
  std::vector<std::string> passes = listPasses();
  for (const std::string &pass : passes)
    for (const char *text : kModules) {
      ++numTries;
      std::optional<Crash> crash =
          attemptForked(text, {pass}, registry, limits, slot);
      if (!crash)
        continue;
      ++numFindings;
      llvm::outs() << crash->kind << ": --" << pass << " on\n" << text << '\n';
    }
  llvm::outs() << "fuzz: " << passes.size() << " passes and pipelines, "
               << numTries << " tries, " << numFindings << " findings\n";
  return numFindings;
}
