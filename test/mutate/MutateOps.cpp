//===- MutateOps.cpp - Faults in windows, layouts and bodies ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
/// A window whose lists have an entry for each spatial dimension.
struct WholeWindow {
  SmallVector<int64_t> stride, dilation, padLow, padHigh, inputDilation;
  SmallVector<bool> reverse;

  WholeWindow(WindowAttr window, size_t rank)
      : stride(fill(window.getStride(), rank, int64_t(1))),
        dilation(fill(window.getDilation(), rank, int64_t(1))),
        padLow(fill(window.getPadLow(), rank, int64_t(0))),
        padHigh(fill(window.getPadHigh(), rank, int64_t(0))),
        inputDilation(fill(window.getInputDilation(), rank, int64_t(1))),
        reverse(fill(window.getReverse(), rank, false)) {}

  WindowAttr get(MLIRContext *context) const {
    return WindowAttr::get(context, stride, dilation, padLow, padHigh,
                           inputDilation, reverse);
  }

private:
  template <typename T>
  static SmallVector<T> fill(ArrayRef<T> list, size_t rank, T standard) {
    return list.empty() ? SmallVector<T>(rank, standard)
                        : llvm::to_vector(list);
  }
};
} // namespace

static void mutateWindow(Operation *op, WindowAttr attr, StringRef letters,
                         Mutations &mutations) {
  size_t rank = llvm::count_if(
      letters, [](char letter) { return StringRef("dhw").contains(letter); });
  auto add = [&](StringRef kind, const Twine &text, const WholeWindow &window) {
    WindowAttr changed = window.get(op->getContext());
    mutations.push_back(
        {kind, text.str(), op, [=] { op->setAttr("window", changed); }});
  };
  using List = SmallVector<int64_t> WholeWindow::*;
  for (size_t dim = 0; dim < rank; ++dim) {
    for (int64_t delta : {-1, 1}) {
      std::string text = "spatial dimension " + std::to_string(dim) + " by " +
                         std::to_string(delta);
      auto change = [&](StringRef kind, List list, int64_t least) {
        WholeWindow window(attr, rank);
        (window.*list)[dim] += delta;
        if ((window.*list)[dim] >= least)
          add(kind, text, window);
      };
      constexpr int64_t Any = std::numeric_limits<int64_t>::min();
      change("change a stride", &WholeWindow::stride, 1);
      change("change a dilation", &WholeWindow::dilation, 1);
      change("change an input dilation", &WholeWindow::inputDilation, 1);
      change("change padding", &WholeWindow::padLow, Any);
      change("change padding", &WholeWindow::padHigh, Any);
      WholeWindow moved(attr, rank);
      moved.padLow[dim] += delta;
      moved.padHigh[dim] -= delta;
      add("move padding to the other side", text, moved);
    }
    WholeWindow reversed(attr, rank);
    reversed.reverse[dim] = !reversed.reverse[dim];
    add("flip a reversal", "spatial dimension " + Twine(dim), reversed);
  }
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// A layout of `parameters`, or null where they make none.
template <typename LayoutAttr, typename... Parameters>
static LayoutAttr getLayout(MLIRContext *context,
                            const Parameters &...parameters) {
  ScopedDiagnosticHandler silent(context, [](Diagnostic &) {});
  return LayoutAttr::getChecked(
      [&] { return emitError(UnknownLoc::get(context)); }, context,
      parameters...);
}

/// Calls `set` with `word` after each exchange of two of its letters.
static void
mutateWord(Operation *op, StringRef word, Mutations &mutations,
           const std::function<Attribute(StringRef, MLIRContext *)> &get) {
  for (size_t a = 0; a < word.size(); ++a)
    for (size_t b = a + 1; b < word.size(); ++b) {
      std::string changed = word.str();
      std::swap(changed[a], changed[b]);
      mutations.push_back({"swap two letters of a layout",
                           word.str() + " to " + changed, op, [=] {
                             if (Attribute layout =
                                     get(changed, op->getContext()))
                               op->setAttr("layout", layout);
                           }});
    }
}

static void mutateLayout(ConvolutionOpInterface op, Mutations &mutations) {
  ConvLayoutAttr layout = op.getLayout();
  StringRef x = layout.getInput(), w = layout.getFilter(),
            y = layout.getOutput();
  mutateWord(op, x, mutations, [=](StringRef word, MLIRContext *context) {
    return getLayout<ConvLayoutAttr>(context, word, w, y);
  });
  mutateWord(op, w, mutations, [=](StringRef word, MLIRContext *context) {
    return getLayout<ConvLayoutAttr>(context, x, word, y);
  });
  mutateWord(op, y, mutations, [=](StringRef word, MLIRContext *context) {
    return getLayout<ConvLayoutAttr>(context, x, w, word);
  });
}

static void mutateLayout(Im2colOp op, Mutations &mutations) {
  Im2colLayoutAttr layout = op.getLayout();
  StringRef x = layout.getInput(), p = layout.getPositions(),
            w = layout.getWindow();
  int64_t windowDim = layout.getWindowDim();
  mutateWord(op, x, mutations, [=](StringRef word, MLIRContext *context) {
    return getLayout<Im2colLayoutAttr>(context, word, p, w, windowDim);
  });
  mutateWord(op, p, mutations, [=](StringRef word, MLIRContext *context) {
    return getLayout<Im2colLayoutAttr>(context, x, word, w, windowDim);
  });
  mutateWord(op, w, mutations, [=](StringRef word, MLIRContext *context) {
    return getLayout<Im2colLayoutAttr>(context, x, p, word, windowDim);
  });
}

static void mutateSigns(ConvolutionOpInterface op, Mutations &mutations) {
  if (!getElementTypeOrSelf(op->getOperand(0).getType()).isInteger())
    return;
  for (bool isInput : {true, false})
    mutations.push_back(
        {"change a sign", isInput ? "the first operand" : "the second operand",
         op, [=]() mutable {
           NumericsAttr old = op.getNumerics();
           op.setNumericsAttr(NumericsAttr::get(
               op.getContext(), old.getInputUnsigned() != isInput,
               old.getFilterUnsigned() == isInput, old.getAccumulator(),
               old.getPolicy(), old.getInputRange(), old.getFilterRange()));
         }});
}

//===----------------------------------------------------------------------===//
// Scalar ops
//===----------------------------------------------------------------------===//

/// Puts an op `name` in the place of `op`.
static void replaceOp(Operation *op, StringRef name, ValueRange operands) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), name, operands, op->getResultTypes());
  op->replaceAllUsesWith(builder.create(state));
  op->erase();
}

static void mutateScalar(Operation *op, Mutations &mutations) {
  auto rename = [&](StringRef kind, StringRef name) {
    mutations.push_back({kind,
                         (op->getName().getStringRef() + " to " + name).str(),
                         op, [=] { replaceOp(op, name, op->getOperands()); }});
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](arith::ExtSIOp) { rename("change a sign", "arith.extui"); })
      .Case([&](arith::ExtUIOp) { rename("change a sign", "arith.extsi"); })
      .Case([&](arith::MulFOp) { rename("change an op", "arith.addf"); })
      .Case([&](arith::MulIOp) { rename("change an op", "arith.addi"); })
      .Case([&](arith::AddFOp) {
        rename("change an op", "arith.subf");
        rename("change an op", "arith.mulf");
      })
      .Case([&](arith::AddIOp) {
        rename("change an op", "arith.subi");
        rename("change an op", "arith.muli");
      })
      .Case<arith::SubFOp, arith::SubIOp>([&](Operation *op) {
        rename("change an op",
               isa<arith::SubFOp>(op) ? "arith.addf" : "arith.addi");
      });
  if (op->getNumOperands() != 2 ||
      op->getOperand(0).getType() != op->getOperand(1).getType())
    return;
  mutations.push_back({"swap operands", "of a scalar op", op, [=] {
                         Value first = op->getOperand(0);
                         op->setOperand(0, op->getOperand(1));
                         op->setOperand(1, first);
                       }});
  for (unsigned number : {0, 1})
    mutations.push_back({"take one operand twice", "of a scalar op", op, [=] {
                           op->setOperand(number, op->getOperand(1 - number));
                         }});
}

static void mutateConstant(arith::ConstantOp op, Mutations &mutations) {
  for (int64_t delta : {-1, 1}) {
    TypedAttr changed;
    if (auto number = dyn_cast<IntegerAttr>(op.getValue()))
      changed = IntegerAttr::get(op.getType(), number.getInt() + delta);
    else if (auto number = dyn_cast<FloatAttr>(op.getValue()))
      changed = FloatAttr::get(op.getType(),
                               number.getValueAsDouble() + double(delta));
    if (!changed || op.getType().isInteger(1))
      continue;
    mutations.push_back({"change a constant", "by " + std::to_string(delta), op,
                         [=]() mutable { op.setValueAttr(changed); }});
  }
}

//===----------------------------------------------------------------------===//
// Whole ops
//===----------------------------------------------------------------------===//

/// Does `op` a second time on its own results, which take the place of `inits`.
static void duplicate(Operation *op, ArrayRef<unsigned> inits) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Operation *again = builder.clone(*op);
  op->replaceUsesWithIf(again->getResults(), [&](OpOperand &use) {
    return use.getOwner() != again;
  });
  for (auto [operand, result] : llvm::zip_equal(inits, op->getResults()))
    again->setOperand(operand, result);
}

/// The operands of `op` that its results continue; none if there are none.
static SmallVector<unsigned> getInits(Operation *op) {
  SmallVector<unsigned> inits;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    inits.push_back(insert.getDestMutable().getOperandNumber());
  else if (auto loop = dyn_cast<scf::ForOp>(op))
    for (OpOperand &init : loop.getInitArgsMutable())
      inits.push_back(init.getOperandNumber());
  else if (auto loop = dyn_cast<scf::ForallOp>(op))
    for (OpOperand &output : loop.getOutputsMutable())
      inits.push_back(output.getOperandNumber());
  else if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpOperand &init : destination.getDpsInitsMutable())
      inits.push_back(init.getOperandNumber());
  return inits;
}

static void mutateWhole(Operation *op, Mutations &mutations) {
  SmallVector<unsigned> inits = getInits(op);
  if (inits.empty() || inits.size() != op->getNumResults())
    return;
  mutations.push_back(
      {isa<LoopLikeOpInterface>(op) ? "do a loop twice" : "do an op twice",
       op->getName().getStringRef().str(), op, [=] { duplicate(op, inits); }});
  StringRef kind = isa<linalg::FillOp>(op)        ? "drop a fill"
                   : isa<LoopLikeOpInterface>(op) ? "drop a loop"
                                                  : "drop an op";
  mutations.push_back({kind, op->getName().getStringRef().str(), op, [=] {
                         for (auto [operand, result] :
                              llvm::zip_equal(inits, op->getResults()))
                           result.replaceAllUsesWith(op->getOperand(operand));
                         op->erase();
                       }});
}

/// Exchanges the first two inputs.
static void mutateInputs(Operation *op, Mutations &mutations) {
  if (op->getNumOperands() < 2 ||
      op->getOperand(0).getType() != op->getOperand(1).getType())
    return;
  mutations.push_back({"swap operands", "of an op on tensors", op, [=] {
                         Value first = op->getOperand(0);
                         op->setOperand(0, op->getOperand(1));
                         op->setOperand(1, first);
                       }});
}

void mlir::convoy::test::findOpMutations(Operation *op, Mutations &mutations) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ConvolutionOpInterface op) {
        mutateWindow(op, op.getWindow(), op.getLayout().getFilter(), mutations);
        mutateLayout(op, mutations);
        mutateSigns(op, mutations);
        mutateInputs(op, mutations);
      })
      .Case([&](Im2colOp op) {
        mutateWindow(op, op.getWindow(), op.getLayout().getInput(), mutations);
        mutateLayout(op, mutations);
      })
      .Case([&](arith::ConstantOp op) { mutateConstant(op, mutations); })
      .Case([&](linalg::LinalgOp op) { mutateInputs(op, mutations); })
      .Default([&](Operation *op) {
        if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
          mutateScalar(op, mutations);
      });
  mutateWhole(op, mutations);
}

std::optional<Mutation>
mlir::convoy::test::chooseMutation(const Mutations &mutations,
                                   ::convoy::RandomNumbers &random) {
  std::map<StringRef, std::vector<const Mutation *>> kinds;
  for (const Mutation &mutation : mutations)
    kinds[mutation.kind].push_back(&mutation);
  if (kinds.empty())
    return std::nullopt;
  const auto &kind =
      std::next(kinds.begin(), random.below(kinds.size()))->second;
  return *kind[random.below(kind.size())];
}

std::string mlir::convoy::test::print(Operation *op, OpPrintingFlags flags) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, flags);
  return text;
}

std::string mlir::convoy::test::describe(const Mutation &mutation) {
  return (mutation.kind + ": " + mutation.text + " in " +
          print(mutation.op, OpPrintingFlags().skipRegions()) + "\n")
      .str();
}

Mutations mlir::convoy::test::findMutations(func::FuncOp function,
                                            bool keepsMeaning) {
  Mutations mutations;
  function.getBody().walk([&](Operation *op) {
    if (keepsMeaning)
      return findForms(op, mutations);
    findIndexMutations(op, mutations);
    findOpMutations(op, mutations);
  });
  return mutations;
}
