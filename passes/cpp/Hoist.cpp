//===- Hoist.cpp - loop-invariant code motion that does not fail ----------===//
//
// `ad-hoist`. Upstream's pass takes whatever has no effects as harmless
// wherever its operands are known. Before a loop that does not run, places may
// be out of range, arrays that are read together may have different sizes, and
// divisors may be zero.
//
//===----------------------------------------------------------------------===//

#include "Soac.h"
#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace ad {
#define GEN_PASS_DEF_ADHOIST
#include "Passes.h.inc"
} // namespace ad

namespace {

/// Whether an operation or one in it is of a kind.
template <typename Predicate> bool has(Operation *op, Predicate predicate) {
  return op
      ->walk([&](Operation *inner) {
        return predicate(inner) ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether an operation may touch a place that not every tensor of its type
/// has.
bool mayBeOutOfRange(Operation *op) {
  auto isPlace = [](auto pair) {
    auto [index, size] = pair;
    std::optional<int64_t> place = getConstantIntValue(index);
    return place && *place >= 0 && !ShapedType::isDynamic(size) &&
           *place < size;
  };
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return !llvm::all_of(
        llvm::zip_equal(extract.getIndices(),
                        extract.getTensor().getType().getShape()),
        isPlace);
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return !llvm::all_of(llvm::zip_equal(insert.getIndices(),
                                         insert.getDest().getType().getShape()),
                         isPlace);
  return isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
}

/// Whether an operation is one of the divisions of integers that MLIR takes to
/// be defined everywhere, of numbers for which it may not be.
bool mayDivideByZero(Operation *op) {
  if (isa<arith::RemUIOp>(op))
    return !matchPattern(op->getOperand(1), m_IntRangeWithoutZeroU());
  if (isa<arith::RemSIOp, arith::FloorDivSIOp>(op))
    return !matchPattern(op->getOperand(1), m_IntRangeWithoutZeroS()) ||
           !matchPattern(op->getOperand(1), m_IntRangeWithoutNegOneS());
  return false;
}

/// Whether a value is a tensor with a size that its type does not say.
bool isDynamic(Value value) {
  auto tensor = dyn_cast<TensorType>(value.getType());
  return tensor && (!tensor.hasRank() || !tensor.hasStaticShape());
}

/// Whether an operation reads arrays that must be equally large, and may not be
/// if it does not run.
bool sizesMayDiffer(Operation *op) {
  if (!isa<linalg::LinalgOp, ad::soac::MapOp, ad::soac::ReduceOp,
           ad::soac::ScanOp, ad::soac::HistOp, ad::soac::ScatterOp>(op) &&
      !op->hasTrait<OpTrait::Elementwise>())
    return false;
  auto arrays = llvm::make_filter_range(op->getOperands(), isDynamic);
  return !arrays.empty() && !llvm::all_equal(arrays);
}

/// Whether an operation makes an array of sizes that it may not have if it does
/// not run.
bool mayReshapeWrongly(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::ReshapeOp>(op))
    return isDynamic(op->getResult(0));
  return isa<tensor::CastOp>(op) && isDynamic(op->getOperand(0));
}

/// Whether an operation may touch what is not there, or divide by zero.
bool mayFail(Operation *op) {
  return has(op, [](Operation *inner) {
    return mayDivideByZero(inner) || sizesMayDiffer(inner) ||
           mayReshapeWrongly(inner) || mayBeOutOfRange(inner);
  });
}

/// Whether a branch in front of an operation costs little beside it.
bool isCostly(Operation *op) {
  return has(op, [](Operation *inner) {
    return isa<LoopLikeOpInterface, linalg::LinalgOp>(inner) ||
           isa<math::MathDialect>(inner->getDialect()) ||
           (inner->hasTrait<OpTrait::Elementwise>() &&
            isa<TensorType>(inner->getResult(0).getType()));
  });
}

/// Whether `makeUnread` knows a value of a type.
bool hasZero(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  return type.isIntOrIndexOrFloat();
}

/// The size of a dimension of an array that some operations make, as far as it
/// is known without them.
Value makeSize(OpBuilder &builder, Location loc, Value array, int64_t d,
               ArrayRef<Operation *> ops) {
  Operation *op = array.getDefiningOp();
  auto isMade = [&](Value value) {
    return llvm::is_contained(ops, value.getDefiningOp());
  };
  auto plain = [&](Value size) { return isMade(size) ? Value() : size; };
  auto like = [&](Value other, int64_t dimension) {
    return makeSize(builder, loc, other, dimension, ops);
  };
  auto type = cast<RankedTensorType>(array.getType());
  if (!type.isDynamicDim(d))
    return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(d));
  if (!isMade(array))
    return tensor::DimOp::create(builder, loc, array, d);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return plain(empty.getDynamicSize(d));
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return plain(splat.getDynamicSizes()[splat.getType().getDynamicDimIndex(d)]);
  auto result = cast<OpResult>(array);
  if (auto updated = dyn_cast<DestinationStyleOpInterface>(op))
    return like(updated.getTiedOpOperand(result)->get(), d);
  if (auto hist = dyn_cast<ad::soac::HistOp>(op))
    return like(hist.getDests()[result.getResultNumber()], d);
  if (auto scatter = dyn_cast<ad::soac::ScatterOp>(op))
    return like(scatter.getDests()[result.getResultNumber()], d);
  bool isOfOperand = result.getResultNumber() < op->getNumOperands();
  if (isa<ad::soac::ScanOp>(op) ||
      (isa<ad::soac::WithAccOp>(op) && isOfOperand))
    return like(op->getOperand(result.getResultNumber()), d);
  if (isa<ad::soac::MapOp>(op) && d == 0)
    return like(op->getOperand(0), d);
  if (isa<tensor::CastOp>(op) || op->hasTrait<OpTrait::Elementwise>()) {
    Value operand = op->getOperand(op->getNumOperands() - 1);
    auto given = dyn_cast<RankedTensorType>(operand.getType());
    if (given && given.getRank() == type.getRank())
      return like(operand, d);
  }
  return {};
}

/// A value that nothing reads: an array, with its sizes as far as they are known
/// without the operations that would make it, and no elements otherwise, or a
/// zero.
Value makeUnread(OpBuilder &builder, Value value, ArrayRef<Operation *> ops) {
  Location loc = value.getLoc();
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor)
    return arith::ConstantOp::create(builder, loc,
                                     builder.getZeroAttr(value.getType()));
  SmallVector<Value> sizes;
  for (int64_t d : llvm::seq(tensor.getRank())) {
    if (!tensor.isDynamicDim(d))
      continue;
    Value size = makeSize(builder, loc, value, d, ops);
    sizes.push_back(
        size ? size : arith::ConstantIndexOp::create(builder, loc, 0));
  }
  return tensor::EmptyOp::create(builder, loc, tensor, sizes);
}

/// Whether the iterations of a loop are the elements of its first operand.
bool runsOverOperand(Operation *loop) {
  return isa<ad::soac::MapOp, ad::soac::ReduceOp, ad::soac::ScanOp>(loop);
}

/// Whether a region of a loop runs whatever the values of the loop's operands.
bool surelyRuns(LoopLikeOpInterface loop, Region *region) {
  if (auto counted = dyn_cast<scf::ForOp>(*loop)) {
    auto lower = getConstantIntValue(counted.getLowerBound());
    auto upper = getConstantIntValue(counted.getUpperBound());
    return lower && upper && *lower < *upper;
  }
  if (auto conditional = dyn_cast<scf::WhileOp>(*loop))
    return region == &conditional.getBefore();
  if (!runsOverOperand(loop))
    return false;
  auto type = cast<RankedTensorType>(loop->getOperand(0).getType());
  return !type.isDynamicDim(0) && type.getDimSize(0) > 0;
}

/// Whether a loop has an iteration, as a value in front of it; null for loops
/// that do not know it before they run.
Value makeRuns(OpBuilder &builder, LoopLikeOpInterface loop) {
  Location loc = loop.getLoc();
  if (auto counted = dyn_cast<scf::ForOp>(*loop))
    return arith::CmpIOp::create(
        builder, loc,
        counted.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                 : arith::CmpIPredicate::slt,
        counted.getLowerBound(), counted.getUpperBound());
  if (!runsOverOperand(loop))
    return nullptr;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value size = tensor::DimOp::create(builder, loc, loop->getOperand(0), zero);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, size,
                               zero);
}

/// Whether a value is used by anything but some operations and what is in them.
bool isUsedOutside(Value value, ArrayRef<Operation *> ops) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return llvm::none_of(
        ops, [&](Operation *op) { return op->isAncestor(user); });
  });
}

/// The operations of a block of a loop that could move in front of it if they
/// do not fail there, in order.
SmallVector<Operation *> findInvariant(LoopLikeOpInterface loop, Block &block) {
  SmallVector<Operation *> found;
  DenseSet<Value> known;
  for (Operation &op : block.without_terminator()) {
    auto isKnown = [&](Value value) {
      return known.contains(value) || loop.isDefinedOutsideOfLoop(value) ||
             op.isAncestor(value.getParentBlock()->getParentOp());
    };
    if (!isMemoryEffectFree(&op) || !isSpeculatable(&op) ||
        !llvm::all_of(op.getResultTypes(), hasZero) ||
        has(&op, [&](Operation *inner) {
          return !llvm::all_of(inner->getOperands(), isKnown);
        }))
      continue;
    known.insert_range(op.getResults());
    found.push_back(&op);
  }
  return found;
}

/// Those of some operations in order that are costly, and what these need of
/// them.
SmallVector<Operation *> keepCostly(ArrayRef<Operation *> ops) {
  DenseSet<Operation *> needed;
  for (Operation *op : llvm::reverse(ops)) {
    if (!needed.contains(op) && !isCostly(op))
      continue;
    needed.insert(op);
    op->walk([&](Operation *inner) {
      for (Value value : inner->getOperands())
        if (Operation *maker = value.getDefiningOp())
          needed.insert(maker);
    });
  }
  return llvm::filter_to_vector(
      ops, [&](Operation *op) { return needed.contains(op); });
}

/// Moves costly operations that may fail, with what they need, in front of a
/// loop, into a branch on whether the loop runs.
void moveGuarded(LoopLikeOpInterface loop) {
  SmallVector<Operation *> ops;
  for (Region *region : loop.getLoopRegions())
    if (region->hasOneBlock())
      llvm::append_range(ops, keepCostly(findInvariant(loop, region->front())));
  if (ops.empty())
    return;
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value runs = makeRuns(builder, loop);
  if (!runs)
    return;
  SmallVector<Value> results;
  for (Operation *op : ops)
    llvm::copy_if(op->getResults(), std::back_inserter(results),
                  [&](Value value) { return isUsedOutside(value, ops); });
  auto branch =
      scf::IfOp::create(builder, loc, ValueRange(results).getTypes(), runs,
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [value, result] : llvm::zip_equal(results, branch.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return llvm::none_of(
          ops, [&](Operation *op) { return op->isAncestor(use.getOwner()); });
    });
  builder.setInsertionPointToEnd(branch.thenBlock());
  auto yield = scf::YieldOp::create(builder, loc, results);
  for (Operation *op : ops)
    op->moveBefore(yield);
  builder.setInsertionPointToEnd(branch.elseBlock());
  auto unread = llvm::map_to_vector(results, [&](Value value) {
    return makeUnread(builder, value, ops);
  });
  scf::YieldOp::create(builder, loc, unread);
}

/// Whether an operation reads the only element of a buffer, which is there in
/// front of a loop and to which nothing in the loop writes.
bool readsWhatStays(Operation *op, LoopLikeOpInterface loop,
                    AliasAnalysis &aliases) {
  auto load = dyn_cast<memref::LoadOp>(op);
  if (!load || !load.getIndices().empty())
    return false;
  Value buffer = load.getMemRef();
  auto isFreedBefore = [&](Operation *user) {
    if (!isa<memref::DeallocOp>(user))
      return false;
    Operation *around = user->getBlock()->findAncestorOpInBlock(*loop);
    return !around || user->isBeforeInBlock(around);
  };
  if (!isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
          buffer.getDefiningOp()) ||
      llvm::any_of(buffer.getUsers(), isFreedBefore))
    return false;
  return !has(loop, [&](Operation *inner) {
    return inner->getNumRegions() == 0 &&
           aliases.getModRef(inner, buffer).isMod();
  });
}

/// Gives each iteration an array of its own again to write to: one in front of
/// the loop would be shared, and would have to be copied first.
void moveBack(tensor::EmptyOp empty, LoopLikeOpInterface loop) {
  for (OpOperand &use : llvm::make_early_inc_range(empty->getUses())) {
    if (!loop->isProperAncestor(use.getOwner()))
      continue;
    OpBuilder builder(use.getOwner());
    use.set(builder.clone(*empty)->getResult(0));
  }
  if (empty->use_empty())
    empty->erase();
}

struct AdHoistPass : ad::impl::AdHoistBase<AdHoistPass> {
  void runOnOperation() override {
    auto &aliases = getAnalysis<AliasAnalysis>();
    getOperation()->walk([&](LoopLikeOpInterface loop) {
      SmallVector<tensor::EmptyOp> empty;
      moveLoopInvariantCode(
          loop.getLoopRegions(),
          [&](Value value, Region *) {
            return loop.isDefinedOutsideOfLoop(value);
          },
          [&](Operation *op, Region *region) {
            if (readsWhatStays(op, loop, aliases))
              return true;
            return isMemoryEffectFree(op) && isSpeculatable(op) &&
                   (!mayFail(op) || surelyRuns(loop, region));
          },
          [&](Operation *op, Region *) {
            loop.moveOutOfLoop(op);
            if (auto array = dyn_cast<tensor::EmptyOp>(op))
              empty.push_back(array);
          });
      moveGuarded(loop);
      for (tensor::EmptyOp array : empty)
        moveBack(array, loop);
    });
  }
};

} // namespace
