//===- MatrixKernel.cpp - Tiles by matrix instructions ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixKernel.h"

#include "MatrixFactor.h"
#include "MatrixScratch.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Transforms/Utils/SumOfProducts.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::GPUMatrixInstruction;
using ::convoy::LaneMap;
using ::convoy::MatrixStage;

namespace {
/// Writes one kernel.
class MatrixKernel {
public:
  explicit MatrixKernel(ContractionTile &tile)
      : tile(tile), geometry(tile.getGeometry()),
        workgroupTile(tile.getLoops().tile),
        instruction(*workgroupTile.getMatrixInstruction()),
        stage(::convoy::getMatrixStage(instruction, geometry.getNumTerms())),
        unsignedFactors(areFactorsUnsigned(tile.getLoops().contraction)),
        areLanesInA(instruction.resultRow.step == 1),
        isCooperative(instruction.op == GPUMatrixInstruction::Op::Cooperative) {
  }

  FailureOr<Value> build(OpBuilder &host, gpu::GPUModuleOp module,
                         StringRef name);

private:
  using Values = SmallVector<Value>;
  /// Fragments of both factors, in registers.
  struct Reads {
    Values rows, lanes;
  };
  static constexpr int64_t kLines = GPUMatrixInstruction::kLines;

  int64_t getLaneWaves() {
    return geometry.getLanes().volume / workgroupTile.getItemLanes();
  }
  int64_t getRowWaves() {
    return geometry.getRows().volume / workgroupTile.getItemRows();
  }
  /// Elements of a lane that lie along the result's lanes.
  int64_t getRun() { return areLanesInA ? kVectorLanes : 1; }

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(*builder, kernel->getLoc(), value);
  }
  Value add(Value left, Value right) {
    return builder->createOrFold<arith::AddIOp>(kernel->getLoc(), left, right);
  }
  Value addNumber(Value left, int64_t right) {
    return add(left, constant(right));
  }
  Value divide(Value value, int64_t divisor);
  Value getRemainder(Value value, int64_t divisor);
  /// A coordinate of element `number` of the lane.
  Value emitCoordinate(const LaneMap &map, int64_t number);

  void emitWave();
  /// The type of a cooperative matrix that is `operand`, as in `AOp`.
  gpu::MMAMatrixType getMatrixType(StringRef operand) {
    return getCooperativeType(instruction, builder->getContext(), operand,
                              unsignedFactors[0]);
  }
  /// Places the element of a run, which begins at `start` of a cooperative
  /// matrix, that is `lane` lanes after its first.
  void placeRun(int64_t rowFragment, int64_t laneFragment,
                const MatrixScratch::Place &start, int64_t lane);
  Values emitMatrixInits(ElementEmitter &emitter);
  void emitMatrixResults(ElementEmitter &emitter, const Values &sums);
  /// Places the element `number` of a fragment, or the one `lane` lanes after
  /// it in its run.
  void place(int64_t rowFragment, int64_t laneFragment, int64_t number,
             int64_t lane);
  Values emitInits(ElementEmitter &emitter);
  Values emitSteps(Values sums);
  /// Adds the step's terms to the sums; the first are read already.
  Values emitStep(Reads next, Values sums);
  /// Keeps LLVM from moving instructions to the other side.
  void emitSchedulingBarrier();
  /// Reads the wave's fragments of the terms from `terms` on.
  Reads emitReads(int64_t terms);
  /// Adds the terms that were read to all sums.
  void emitProducts(const Reads &reads, Values &sums);
  Value emitProduct(Value row, Value lane, Value sum);
  /// The operand of the instruction number `number` of those that `read` is
  /// for.
  Value emitOperand(Value read, int64_t number);
  void emitResults(ElementEmitter &emitter, const Values &sums);

  ContractionTile &tile;
  TileGeometry &geometry;
  WorkgroupTileAttr workgroupTile;
  const GPUMatrixInstruction &instruction;
  MatrixStage stage;
  std::array<bool, 2> unsignedFactors; ///< both alike in cooperative matrices
  /// Whether lanes of the result are rows of D, which then lie side by side in
  /// a lane of the wave; else they are its columns, one for each lane.
  bool areLanesInA;
  /// Whether the instruction takes cooperative matrices: rows of the result are
  /// rows of D, its lanes are columns.
  bool isCooperative;

  KernelBuilder *kernel = nullptr;
  OpBuilder *builder = nullptr;
  MatrixFactor *rows = nullptr, *lanes = nullptr;
  MatrixScratch *scratch = nullptr; ///< of cooperative matrices
  Value item;
  /// The work-item's number in its wave, modulo 16 and divided by it.
  Value low, high;
  /// The first row and the first lane of the wave.
  Value firstRow, firstLane;
};
} // namespace

Value MatrixKernel::divide(Value value, int64_t divisor) {
  return builder->createOrFold<arith::DivUIOp>(kernel->getLoc(), value,
                                               constant(divisor));
}

Value MatrixKernel::getRemainder(Value value, int64_t divisor) {
  return builder->createOrFold<arith::RemUIOp>(kernel->getLoc(), value,
                                               constant(divisor));
}

Value MatrixKernel::emitCoordinate(const LaneMap &map, int64_t number) {
  return addNumber(add(scale(*builder, kernel->getLoc(), low, map.low),
                       scale(*builder, kernel->getLoc(), high, map.high)),
                   map.at(0, number));
}

void MatrixKernel::emitWave() {
  Value lane = getRemainder(item, instruction.wave);
  Value wave =
      isCooperative ? kernel->getSubgroup() : divide(item, instruction.wave);
  low = getRemainder(lane, LaneMap::kLanes);
  high = divide(lane, LaneMap::kLanes);
  firstLane =
      scale(*builder, kernel->getLoc(), getRemainder(wave, getLaneWaves()),
            workgroupTile.getItemLanes());
  firstRow = scale(*builder, kernel->getLoc(), divide(wave, getLaneWaves()),
                   workgroupTile.getItemRows());
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void MatrixKernel::place(int64_t rowFragment, int64_t laneFragment,
                         int64_t number, int64_t lane) {
  Location loc = kernel->getLoc();
  Value rowOfD = emitCoordinate(instruction.resultRow, number);
  Value columnOfD = emitCoordinate(instruction.resultColumn, number);
  Value row = add(addNumber(firstRow, rowFragment * kLines),
                  areLanesInA ? columnOfD : rowOfD);
  Value first = add(addNumber(firstLane, laneFragment * kLines),
                    areLanesInA ? rowOfD : columnOfD);
  geometry.setLine(*builder, loc, geometry.getRows(), row);
  if (areLanesInA)
    geometry.setElement(*builder, loc, geometry.getLanes(),
                        divide(first, kVectorLanes), lane);
  else
    geometry.setLine(*builder, loc, geometry.getLanes(), first);
}

MatrixKernel::Values MatrixKernel::emitInits(ElementEmitter &emitter) {
  if (isCooperative)
    return emitMatrixInits(emitter);
  Location loc = kernel->getLoc();
  int64_t elements = instruction.resultElements;
  int64_t run = tile.hasConstantInit() ? elements : getRun();
  auto type = VectorType::get({elements}, tile.getSumType());
  Values inits;
  for (int64_t row = 0; row < workgroupTile.getItemRows() / kLines; ++row)
    for (int64_t lane = 0; lane < workgroupTile.getItemLanes() / kLines;
         ++lane) {
      Values parts;
      for (int64_t number = 0; number < elements; number += run) {
        Value init =
            tile.emitInit(*kernel, emitter, run, [&](int64_t laneOfRun) {
              place(row, lane, number, laneOfRun);
            });
        for (int64_t next = 0; next < run; ++next)
          parts.push_back(vector::ExtractOp::create(*builder, loc, init, next));
      }
      inits.push_back(
          vector::FromElementsOp::create(*builder, loc, type, parts));
    }
  return inits;
}

void MatrixKernel::emitResults(ElementEmitter &emitter, const Values &sums) {
  if (isCooperative)
    return emitMatrixResults(emitter, sums);
  Location loc = kernel->getLoc();
  int64_t laneFragments = workgroupTile.getItemLanes() / kLines;
  for (auto [fragment, sum] : llvm::enumerate(sums))
    for (int64_t number = 0; number < instruction.resultElements;
         number += getRun()) {
      auto part =
          llvm::to_vector(llvm::seq<int64_t>(number, number + getRun()));
      Value run = vector::ShuffleOp::create(*builder, loc, sum, sum, part);
      tile.emitResult(*kernel, emitter, run, [&](int64_t lane) {
        place(int64_t(fragment) / laneFragments,
              int64_t(fragment) % laneFragments, number, lane);
      });
    }
}

//===----------------------------------------------------------------------===//
// Sums in cooperative matrices
//===----------------------------------------------------------------------===//

void MatrixKernel::placeRun(int64_t rowFragment, int64_t laneFragment,
                            const MatrixScratch::Place &start, int64_t lane) {
  Location loc = kernel->getLoc();
  geometry.setLine(*builder, loc, geometry.getRows(),
                   add(addNumber(firstRow, rowFragment * kLines), start.row));
  Value group =
      divide(addNumber(firstLane, laneFragment * kLines), kVectorLanes);
  geometry.setElement(*builder, loc, geometry.getLanes(),
                      add(group, start.group), lane);
}

MatrixKernel::Values MatrixKernel::emitMatrixInits(ElementEmitter &emitter) {
  Location loc = kernel->getLoc();
  Values inits;
  for (int64_t row = 0; row < workgroupTile.getItemRows() / kLines; ++row)
    for (int64_t lane = 0; lane < workgroupTile.getItemLanes() / kLines;
         ++lane) {
      SmallVector<MatrixScratch::Place> starts = scratch->emitPlaces(*builder);
      if (tile.hasConstantInit()) {
        Value init = tile.emitInit(*kernel, emitter, 1, [&](int64_t next) {
          placeRun(row, lane, starts.front(), next);
        });
        inits.push_back(gpu::SubgroupMmaConstantMatrixOp::create(
            *builder, loc, getMatrixType("COp"),
            vector::ExtractOp::create(*builder, loc, init, 0)));
        continue;
      }
      Values runs;
      for (const MatrixScratch::Place &start : starts)
        runs.push_back(
            tile.emitInit(*kernel, emitter, kVectorLanes, [&](int64_t next) {
              placeRun(row, lane, start, next);
            }));
      inits.push_back(scratch->emitMatrix(*builder, runs));
    }
  return inits;
}

void MatrixKernel::emitMatrixResults(ElementEmitter &emitter,
                                     const Values &sums) {
  int64_t laneFragments = workgroupTile.getItemLanes() / kLines;
  for (auto [fragment, sum] : llvm::enumerate(sums)) {
    Values runs = scratch->emitRuns(*builder, sum);
    for (auto [run, start] :
         llvm::zip_equal(runs, scratch->emitPlaces(*builder)))
      tile.emitResult(*kernel, emitter, run, [&, start = start](int64_t lane) {
        placeRun(int64_t(fragment) / laneFragments,
                 int64_t(fragment) % laneFragments, start, lane);
      });
  }
}

//===----------------------------------------------------------------------===//
// The reduction
//===----------------------------------------------------------------------===//

Value MatrixKernel::emitOperand(Value read, int64_t number) {
  if (isCooperative)
    return read;
  Location loc = kernel->getLoc();
  int64_t elements = instruction.operandElements;
  // Of one element it is a scalar.
  if (elements == 1)
    return vector::ExtractOp::create(*builder, loc, read, number);
  if (elements == stage.readTerms)
    return read;
  auto part = llvm::to_vector(
      llvm::seq<int64_t>(number * elements, (number + 1) * elements));
  return vector::ShuffleOp::create(*builder, loc, read, read, part);
}

Value MatrixKernel::emitProduct(Value row, Value lane, Value sum) {
  Location loc = kernel->getLoc();
  if (isCooperative) {
    auto product = gpu::SubgroupMmaComputeOp::create(
        *builder, loc, sum.getType(), row, lane, sum,
        /*a_transpose=*/UnitAttr(), /*b_transpose=*/UnitAttr());
    if (instruction.operand == ::convoy::ElementType::BF16)
      product->setAttr(kBF16FactorsAttrName, builder->getUnitAttr());
    return product;
  }
  Value a = areLanesInA ? lane : row, b = areLanesInA ? row : lane;
  if (instruction.op == GPUMatrixInstruction::Op::Wmma) {
    auto product = amdgpu::WMMAOp::create(*builder, loc, sum.getType(), kLines,
                                          kLines, instruction.terms, a, b, sum);
    unsigned factorOfA =
        (areLanesInA ? geometry.getLanes() : geometry.getRows()).factor;
    product.setUnsignedA(unsignedFactors[factorOfA]);
    product.setUnsignedB(unsignedFactors[1 - factorOfA]);
    return product;
  }
  return amdgpu::MFMAOp::create(*builder, loc, sum.getType(), kLines, kLines,
                                instruction.terms, /*blocks=*/1, a, b, sum);
}

void MatrixKernel::emitProducts(const Reads &reads, Values &sums) {
  for (int64_t number = 0; number < stage.getInstructions(instruction);
       ++number) {
    auto getOperands = [&](const Values &side) {
      return llvm::map_to_vector(
          side, [&](Value read) { return emitOperand(read, number); });
    };
    Values rowOperands = getOperands(reads.rows),
           laneOperands = getOperands(reads.lanes);
    Value *sum = sums.begin();
    for (Value row : rowOperands)
      for (Value lane : laneOperands) {
        *sum = emitProduct(row, lane, *sum);
        ++sum;
      }
  }
}

MatrixKernel::Reads MatrixKernel::emitReads(int64_t terms) {
  auto loadMatrices = [&](MatrixFactor &factor, Value first, int64_t lines,
                          StringRef operand) {
    Value address = factor.emitAddress(*builder, first, constant(0));
    Values reads;
    for (int64_t next = 0; next < lines; next += kLines)
      reads.push_back(factor.emitMatrix(*builder, address, next, terms,
                                        getMatrixType(operand),
                                        /*areColumns=*/operand == "BOp"));
    return reads;
  };
  if (isCooperative)
    return {
        loadMatrices(*rows, firstRow, workgroupTile.getItemRows(), "AOp"),
        loadMatrices(*lanes, firstLane, workgroupTile.getItemLanes(), "BOp")};
  // Lanes of the wave read alike from both factors.
  Value line = emitCoordinate(instruction.operandLine, 0);
  Value term = emitCoordinate(stage.firstTerm, 0);
  auto load = [&](MatrixFactor &factor, Value first, int64_t lines) {
    Value address = factor.emitAddress(*builder, add(first, line), term);
    Values reads;
    for (int64_t next = 0; next < lines; next += kLines)
      reads.push_back(factor.emitLoad(*builder, address, next, terms));
    return reads;
  };
  return {load(*rows, firstRow, workgroupTile.getItemRows()),
          load(*lanes, firstLane, workgroupTile.getItemLanes())};
}

MatrixKernel::Values MatrixKernel::emitStep(Reads next, Values sums) {
  int64_t readTerms = stage.getInstructions(instruction) * instruction.terms;
  for (int64_t terms = 0; terms < stage.terms; terms += readTerms) {
    Reads reads = std::move(next);
    bool isLast = terms + readTerms == stage.terms;
    // What comes next is asked for before, and no more of it.
    if (!isLast) {
      next = emitReads(terms + readTerms);
      emitSchedulingBarrier();
    }
    emitProducts(reads, sums);
    if (!isLast)
      emitSchedulingBarrier();
  }
  return sums;
}

void MatrixKernel::emitSchedulingBarrier() {
  if (isCooperative)
    return;
  auto none = amdgpu::sched_barrier_opt_enumAttr::get(
      builder->getContext(), amdgpu::sched_barrier_opt_enum::none);
  amdgpu::SchedBarrierOp::create(*builder, kernel->getLoc(), none);
}

MatrixKernel::Values MatrixKernel::emitSteps(Values sums) {
  Location loc = kernel->getLoc();
  std::array<MatrixFactor *, 2> factors = {lanes, rows};
  auto read = [&](Value step) {
    geometry.setStep(*builder, loc, step);
    return llvm::map_to_vector(factors, [&](MatrixFactor *factor) {
      return factor->emitRead(*builder, item);
    });
  };
  auto setBuffer = [&](Value step) {
    for (MatrixFactor *factor : factors)
      factor->setBuffer(*builder, step);
  };
  auto write = [&](Value step, ArrayRef<Values> values) {
    setBuffer(step);
    for (auto [factor, own] : llvm::zip_equal(factors, values))
      factor->emitWrite(*builder, item, own);
  };
  write(constant(0), read(constant(0)));
  gpu::BarrierOp::create(*builder, loc);
  Value steps = geometry.emitNumSteps(*builder, loc);
  Value last = builder->createOrFold<arith::SubIOp>(loc, steps, constant(1));
  if (geometry.getNumSteps() > 1) {
    // While a step is computed, what the next needs is on its way to registers:
    // it is asked for before, and waited for after that.
    auto loop =
        scf::ForOp::create(*builder, loc, constant(0), last, constant(1), sums);
    OpBuilder::InsertionGuard restore(*builder);
    builder->setInsertionPointToStart(loop.getBody());
    // The first fragments are on their way while addresses are computed.
    setBuffer(loop.getInductionVar());
    Reads first = emitReads(0);
    Operation *lastRead = &loop.getBody()->back();
    Value nextStep = addNumber(loop.getInductionVar(), 1);
    SmallVector<Values> next = read(nextStep);
    SetVector<Operation *> later = getUsersOfLoads(lastRead);
    emitSchedulingBarrier();
    sums = emitStep(first, Values(loop.getRegionIterArgs()));
    emitSchedulingBarrier();
    // The other buffer was read in the last step, before a barrier.
    if (workgroupTile.getBuffers() == 1)
      gpu::BarrierOp::create(*builder, loc);
    for (Operation *op : later)
      op->moveBefore(loop.getBody(), loop.getBody()->end());
    write(nextStep, next);
    gpu::BarrierOp::create(*builder, loc);
    scf::YieldOp::create(*builder, loc, sums);
    sums = Values(loop.getResults());
  }
  setBuffer(last);
  return emitStep(emitReads(0), sums);
}

FailureOr<Value> MatrixKernel::build(OpBuilder &host, gpu::GPUModuleOp module,
                                     StringRef name) {
  const ElementStore &store = tile.getStore();
  KernelBuilder kernelBuilder(module, name, store.source.getLoc(),
                              store.target);
  kernel = &kernelBuilder;
  tile.getSpace().setKernel(kernelBuilder);
  builder = &kernelBuilder.getBuilder();
  auto getBuffer = [&](Value base, AffineExpr address) {
    return tile.getBuffer(kernelBuilder, base, address);
  };
  ElementEmitter emitter(tile.getSpace(), getBuffer);
  int64_t items = getLaneWaves() * getRowWaves() * instruction.wave;
  Type shared = getSharedType(instruction, builder->getContext());
  geometry.setTile(kernelBuilder);
  item = kernel->getItem(gpu::Dimension::x, items);
  auto makeFactor = [&](const TileSide &side) {
    return MatrixFactor(kernelBuilder, geometry, emitter, side,
                        tile.getFactor(side.factor), shared, stage, items,
                        workgroupTile.getBuffers());
  };
  MatrixFactor laneFactor = makeFactor(geometry.getLanes());
  MatrixFactor rowFactor = makeFactor(geometry.getRows());
  lanes = &laneFactor;
  rows = &rowFactor;
  std::optional<MatrixScratch> sums;
  if (isCooperative)
    scratch = &sums.emplace(kernelBuilder, getMatrixType("COp"),
                            getLaneWaves() * getRowWaves(), instruction.wave);
  emitWave();
  emitResults(emitter, geometry.emitReduction(
                           *builder, kernel->getLoc(), emitInits(emitter),
                           [&](Values sums) { return emitSteps(sums); }));
  return kernel
      ->finish(host, {items, 1, 1}, geometry.getGrid(),
               tile.getStore().getWritten())
      .getResults()[0];
}

FailureOr<Value> mlir::convoy::buildMatrixKernel(ContractionTile &tile,
                                                 OpBuilder &host,
                                                 gpu::GPUModuleOp module,
                                                 StringRef name) {
  return MatrixKernel(tile).build(host, module, name);
}
