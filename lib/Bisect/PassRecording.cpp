//===- PassRecording.cpp - What each pass of a pipeline leaves --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassRecording.h"

#include "convoy/Driver/ChildProcess.h"
#include "convoy/Driver/Import.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/DenseMap.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;

/// What the texts from the child begin with: each is one letter, then a field.
enum : char {
  kNumber = 'n',   ///< a pass begins; its number
  kPass = 'p',     ///< its name with options
  kPipeline = 'l', ///< the same alone, as a pipeline
  kOp = 'o',       ///< what it runs on
  kAfter = 'a',    ///< the innermost pass is done; the module after it
  kFailed = 'f',   ///< the innermost pass has failed
  kWarning = 'w',  ///< what a pass warns of
  kError = 'e',    ///< all is done, or else the first error
};

static Operation *getRoot(Operation *op) {
  while (Operation *parent = op->getParentOp())
    op = parent;
  return op;
}

static std::string writeBytecode(Operation *op) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  // Fails for versions that are asked for alone.
  (void)writeBytecodeToFile(op, os);
  return bytes;
}

/// `pass` with its options.
static std::string getPassText(Pass *pass) {
  std::string text;
  llvm::raw_string_ostream os(text);
  pass->printAsTextualPipeline(os);
  return text;
}

/// `func.func(pass)`, for a pass that runs on the module around `op`.
static std::string nest(StringRef pass, Operation *op) {
  std::string text = pass.str();
  for (; op->getParentOp(); op = op->getParentOp())
    text = (op->getName().getStringRef() + "(" + text + ")").str();
  return text;
}

/// `func.func @conv`
static std::string getOpText(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  if (auto name =
          op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
    text += " @" + name.getValue().str();
  return text;
}

namespace {
/// Sends what each pass does. Nested pipelines are passes without a name.
class Recorder final : public PassInstrumentation {
public:
  /// `passes` are those of the pipeline, as `splitPipeline` gives them.
  Recorder(TextSender &sender, std::vector<std::string> passes)
      : sender(sender), passes(std::move(passes)) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (pass->getArgument().empty())
      return;
    std::string text = getPassText(pass), nested = nest(text, op);
    if (depth++ == 0)
      number = findNumber(pass, nested);
    send(kNumber, std::to_string(number));
    send(kPass, text);
    send(kPipeline, joinPipeline(nested));
    send(kOp, getOpText(op));
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (pass->getArgument().empty())
      return;
    --depth;
    send(kAfter, writeBytecode(getRoot(op)));
  }
  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (pass->getArgument().empty())
      return;
    --depth;
    send(kFailed, "");
  }
  void send(char kind, StringRef text) {
    std::string message(1, kind);
    message += text;
    sender.send(message);
  }

private:
  /// The number of `pass`, which begins. One that runs on several ops does so
  /// several times.
  size_t findNumber(Pass *pass, StringRef nested) {
    auto [it, isNew] = numbers.try_emplace(pass, last);
    if (!isNew)
      return it->second;
    auto found = std::find(passes.begin() + last, passes.end(), nested);
    if (found != passes.end())
      it->second = last = found - passes.begin() + 1;
    return it->second;
  }

  TextSender &sender;
  std::vector<std::string> passes;
  llvm::DenseMap<Pass *, size_t> numbers;
  size_t last = 0;   ///< the highest number so far
  size_t number = 0; ///< of what runs, with the passes that it runs itself
  int depth = 0;     ///< of passes that run others
};

/// Puts together what a Recorder has sent.
class RecordingBuilder {
public:
  explicit RecordingBuilder(PassRecording &recording) : recording(recording) {}

  void read(StringRef text) {
    StringRef field = text.drop_front();
    switch (text.front()) {
    case kNumber:
      open.emplace_back();
      field.getAsInteger(10, open.back().number);
      break;
    case kPass:
      open.back().pass = field.str();
      break;
    case kPipeline:
      open.back().pipeline = field.str();
      break;
    case kOp:
      open.back().op = field.str();
      break;
    case kAfter:
      finish(field);
      break;
    case kFailed:
      // Passes that run others fail with them.
      if (!failed)
        failed = open.back();
      open.pop_back();
      break;
    case kWarning:
      recording.warnings.push_back(field.str());
      break;
    case kError:
      error = field.str();
      break;
    }
  }

  /// What did not end; where several run in each other, the innermost.
  std::optional<PassRun> getLast() const {
    if (failed || open.empty())
      return failed;
    return open.back();
  }
  const std::optional<std::string> &getError() const { return error; }

private:
  void finish(StringRef bytecode) {
    bool hasChanged = bytecode != recording.getBytecode(recording.runs.size());
    recording.runs.push_back(
        {std::move(open.back()), bytecode.str(), hasChanged});
    open.pop_back();
  }

  PassRecording &recording;
  std::vector<PassRun> open;
  std::optional<PassRun> failed;
  std::optional<std::string> error;
};
} // namespace

OwningOpRef<ModuleOp> mlir::convoy::readStage(MLIRContext *context,
                                              const std::string &bytecode) {
  return parseSourceString<ModuleOp>(bytecode, context);
}

std::optional<PassRecording> mlir::convoy::recordPasses(ModuleOp module,
                                                        StringRef pipeline,
                                                        unsigned seconds,
                                                        std::string &error) {
  std::optional<std::vector<std::string>> split =
      splitPipeline(pipeline, error);
  if (!split)
    return std::nullopt;
  PassRecording recording;
  recording.numPasses = split->size();
  recording.input = writeBytecode(module);
  auto runPasses = [&](TextSender &sender) {
    Recorder *sending = nullptr;
    FirstErrorHandler errors(
        module.getContext(), [&](DiagnosticSeverity severity, StringRef line) {
          if (sending && severity == DiagnosticSeverity::Warning)
            sending->send(kWarning, line);
        });
    PassManager pm(module.getContext(), ModuleOp::getOperationName());
    auto recorder = std::make_unique<Recorder>(sender, *split);
    sending = recorder.get();
    pm.addInstrumentation(std::move(recorder));
    FailureOr<OpPassManager> passes = parsePassPipeline(joinPipeline(*split));
    if (succeeded(passes))
      static_cast<OpPassManager &>(pm) = std::move(*passes);
    bool isDone = succeeded(passes) && succeeded(pm.run(module));
    sending->send(kError, isDone ? "" : errors.getError());
  };
  std::optional<ChildOutcome> outcome = runInChild(seconds, runPasses, error);
  if (!outcome)
    return std::nullopt;
  RecordingBuilder builder(recording);
  for (StringRef text : outcome->texts)
    builder.read(text);
  std::optional<PassRun> last = builder.getLast();
  if (outcome->crash.empty() && !last) {
    error = builder.getError().value_or("");
    return error.empty() ? std::optional(std::move(recording)) : std::nullopt;
  }
  if (!last) {
    error = "the pipeline " + outcome->crash;
    return std::nullopt;
  }
  recording.last = std::move(*last);
  bool isCrash = !outcome->crash.empty();
  recording.end =
      isCrash ? PassRecording::End::Crashed : PassRecording::End::Failed;
  recording.message =
      isCrash ? outcome->crash : builder.getError().value_or("");
  return recording;
}
