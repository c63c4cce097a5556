//===- UpliftLoops.cpp - loops that count become scf.for ------------------===//
//
// `ad-uplift-loops`. Upstream has the rewrite, but no pass for it; it trusts
// that steps are positive, and that nobody asks for the number behind the loop.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace ad {
#define GEN_PASS_DEF_ADUPLIFTLOOPS
#include "Passes.h.inc"
} // namespace ad

namespace {
/// How a loop counts: from what, as long as it is less than what, and by what
/// positive constant.
struct Range {
  BlockArgument number;
  Value lower, upper;
  APInt step;
};

/// The value that the condition hands on for an argument of the other block.
Value handedOn(scf::WhileOp loop, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != loop.getAfterBody())
    return value;
  return loop.getConditionOp().getArgs()[argument.getArgNumber()];
}

std::optional<Range> rangeOf(scf::WhileOp loop) {
  auto compare =
      loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare->getBlock() != loop.getBeforeBody())
    return std::nullopt;
  Value less = compare.getLhs(), more = compare.getRhs();
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    std::swap(less, more);
  else if (compare.getPredicate() != arith::CmpIPredicate::slt)
    return std::nullopt;
  auto number = dyn_cast<BlockArgument>(less);
  if (!number || number.getOwner() != loop.getBeforeBody() ||
      loop->isAncestor(more.getParentBlock()->getParentOp()))
    return std::nullopt;
  Value next = loop.getYieldOp().getOperand(number.getArgNumber());
  auto sum = next.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return std::nullopt;
  for (auto [one, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                            std::pair(sum.getRhs(), sum.getLhs())}) {
    APInt step;
    if (handedOn(loop, one) == number &&
        matchPattern(other, m_ConstantInt(&step)) && step.isStrictlyPositive())
      return Range{number, loop.getInits()[number.getArgNumber()], more, step};
  }
  return std::nullopt;
}

/// Lets a loop that counts down by ones, as long as its number is positive,
/// count up to what that starts from:
///
///   while (n = s) n > 0 { .. n .. }  =>  while (k = 0) k < s { .. s - k .. }
void countUp(RewriterBase &rewriter, scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare->getBlock() != loop.getBeforeBody() ||
      compare.getPredicate() != arith::CmpIPredicate::sgt ||
      !matchPattern(compare.getRhs(), m_Zero()))
    return;
  auto number = dyn_cast<BlockArgument>(compare.getLhs());
  if (!number || number.getOwner() != loop.getBeforeBody())
    return;
  unsigned position = number.getArgNumber();
  auto next = loop.getYieldOp()
                  .getOperand(position)
                  .getDefiningOp<arith::SubIOp>();
  auto handed = next ? dyn_cast<BlockArgument>(next.getLhs()) : nullptr;
  if (!handed || handed == number || handedOn(loop, handed) != number ||
      !matchPattern(next.getRhs(), m_One()))
    return;
  Location loc = loop.getLoc();
  Value start = loop.getInits()[position];
  rewriter.setInsertionPoint(loop);
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(start.getType()));
  // What the number is, given what is counted instead.
  SmallVector<Operation *> made;
  auto countFrom = [&](Value counted) {
    Operation *rest = arith::SubIOp::create(rewriter, loc, start, counted);
    rewriter.replaceAllUsesExcept(counted, rest->getResult(0), rest);
    made.push_back(rest);
  };
  rewriter.setInsertionPointToStart(loop.getBeforeBody());
  countFrom(number);
  rewriter.setInsertionPointToStart(loop.getAfterBody());
  countFrom(handed);
  rewriter.setInsertionPointAfter(loop);
  countFrom(loop.getResult(handed.getArgNumber()));
  rewriter.setInsertionPoint(condition);
  Value goesOn = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::slt, number, start);
  rewriter.setInsertionPoint(loop.getYieldOp());
  Value up = arith::AddIOp::create(rewriter, loc, handed, next.getRhs());
  rewriter.modifyOpInPlace(condition, [&] {
    condition.getConditionMutable().set(goesOn);
    condition.getArgsMutable()[handed.getArgNumber()].set(number);
  });
  rewriter.modifyOpInPlace(loop.getYieldOp(), [&] {
    loop.getYieldOp()->setOperand(position, up);
  });
  rewriter.modifyOpInPlace(
      loop, [&] { loop.getInitsMutable()[position].set(zero); });
  // Nothing but the comparison is in front of the condition, mostly.
  made.append({compare, next});
  for (Operation *op : llvm::reverse(made))
    if (op->use_empty())
      rewriter.eraseOp(op);
}

/// What the number is behind the loop, which upstream takes for what it is in
/// the last iteration.
void replaceEnds(RewriterBase &rewriter, scf::WhileOp loop,
                 const Range &range) {
  for (auto [result, value] :
       llvm::zip(loop.getResults(), loop.getConditionOp().getArgs())) {
    if (value != range.number || result.use_empty())
      continue;
    Location loc = loop.getLoc();
    Type type = result.getType();
    auto number = [&](const APInt &value) -> Value {
      return arith::ConstantOp::create(rewriter, loc,
                                       rewriter.getIntegerAttr(type, value));
    };
    Value step = number(range.step);
    Value zero = number(APInt::getZero(range.step.getBitWidth()));
    Value length =
        arith::SubIOp::create(rewriter, loc, range.upper, range.lower);
    length = arith::MaxSIOp::create(rewriter, loc, length, zero);
    Value count = arith::CeilDivSIOp::create(rewriter, loc, length, step);
    Value all = arith::MulIOp::create(rewriter, loc, count, step);
    rewriter.replaceAllUsesWith(
        result, arith::AddIOp::create(rewriter, loc, range.lower, all));
  }
}

/// Whether all numbers of a type are indices.
bool fitsIndex(Type type) {
  return type.isIndex() ||
         (type.isInteger() && type.getIntOrFloatBitWidth() <= 64);
}

/// The same loop with an index for its number.
void countInIndices(RewriterBase &rewriter, scf::ForOp loop) {
  Type type = loop.getInductionVar().getType();
  if (type.isIndex() || !fitsIndex(type))
    return;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  auto index = [&](Value bound) -> Value {
    if (std::optional<int64_t> constant = getConstantIntValue(bound))
      return arith::ConstantIndexOp::create(rewriter, loc, *constant);
    return arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                      bound);
  };
  auto made = scf::ForOp::create(
      rewriter, loc, index(loop.getLowerBound()), index(loop.getUpperBound()),
      index(loop.getStep()), loop.getInitArgs());
  if (loop.getInitArgs().empty())
    rewriter.eraseOp(made.getBody()->getTerminator());
  rewriter.setInsertionPointToStart(made.getBody());
  Value number = arith::IndexCastOp::create(
      rewriter, loc, loop.getInductionVar().getType(), made.getInductionVar());
  for (Operation *user :
       llvm::make_early_inc_range(loop.getInductionVar().getUsers()))
    if (isa<arith::IndexCastOp>(user))
      rewriter.replaceOp(user, made.getInductionVar());
  SmallVector<Value> arguments{number};
  llvm::append_range(arguments, made.getRegionIterArgs());
  rewriter.mergeBlocks(loop.getBody(), made.getBody(), arguments);
  rewriter.replaceOp(loop, made);
}

/// Lets what a loop adds up by a constant without overflow be computed of its
/// number, as an index, too, as far as that starts from nothing negative.
void countByNumber(RewriterBase &rewriter, scf::ForOp loop,
                   DenseMap<Value, Value> &known) {
  if (!loop.getInductionVar().getType().isIndex() ||
      !matchPattern(loop.getLowerBound(), m_Zero()) ||
      !matchPattern(loop.getStep(), m_One()))
    return;
  Location loc = loop.getLoc();
  for (auto [value, init, next] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInits(),
                 loop.getYieldedValues())) {
    auto sum = next.getDefiningOp<arith::AddIOp>();
    APInt start, step;
    if (!sum || sum.getLhs() != value ||
        !matchPattern(sum.getRhs(), m_ConstantInt(&step)) ||
        !matchPattern(init, m_ConstantInt(&start)) || start.isNegative() ||
        !step.isStrictlyPositive() || !fitsIndex(value.getType()) ||
        (!value.getType().isIndex() &&
         !bitEnumContainsAll(sum.getOverflowFlags(),
                             arith::IntegerOverflowFlags::nsw)))
      continue;
    rewriter.setInsertionPointToStart(loop.getBody());
    auto constant = [&](const APInt &number) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc,
                                            number.getSExtValue());
    };
    arith::IntegerOverflowFlags flags = sum.getOverflowFlags();
    Value at = arith::MulIOp::create(rewriter, loc, loop.getInductionVar(),
                                     constant(step), flags);
    at = arith::AddIOp::create(rewriter, loc, at, constant(start), flags);
    Value own = at;
    if (!value.getType().isIndex()) {
      own = arith::IndexCastOp::create(rewriter, loc, value.getType(), at);
      known[own] = at;
    }
    rewriter.replaceAllUsesWith(value, own);
  }
}

/// Whether a number is that of a loop that counts in indices, all of whose
/// numbers have so many bits.
bool isNumberOfLoop(arith::IndexCastOp cast) {
  auto number = dyn_cast<BlockArgument>(cast.getIn());
  if (!number || !number.getType().isIndex() || number.getArgNumber() != 0)
    return false;
  auto loop = dyn_cast<scf::ForOp>(number.getOwner()->getParentOp());
  unsigned width = cast.getType().getIntOrFloatBitWidth();
  auto fits = [&](Value bound) {
    if (std::optional<int64_t> constant = getConstantIntValue(bound))
      return llvm::isIntN(width, *constant);
    auto made = bound.getDefiningOp<arith::IndexCastOp>();
    return made && made.getIn().getType().isInteger() &&
           made.getIn().getType().getIntOrFloatBitWidth() <= width;
  };
  return loop && fits(loop.getLowerBound()) && fits(loop.getUpperBound());
}

/// An integer as an index; what is computed without overflow is computed of
/// indices.
Value inIndices(RewriterBase &rewriter, Value value,
                DenseMap<Value, Value> &known) {
  auto [found, isNew] = known.try_emplace(value);
  if (!isNew)
    return found->second;
  Location loc = value.getLoc();
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i) {
    return inIndices(rewriter, op->getOperand(i), known);
  };
  auto exact = dyn_cast_or_null<arith::ArithIntegerOverflowFlagsInterface>(op);
  auto cast = dyn_cast_or_null<arith::IndexCastOp>(op);
  Value made;
  if (cast && isNumberOfLoop(cast)) {
    made = cast.getIn();
  } else if (isa_and_nonnull<arith::ExtSIOp>(op)) {
    made = operand(0);
  } else if (exact && exact.hasNoSignedWrap() &&
             isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) {
    Value left = operand(0), right = operand(1);
    rewriter.setInsertionPoint(op);
    OperationState state(loc, op->getName(), {left, right},
                         {rewriter.getIndexType()},
                         op->getAttrDictionary().getValue());
    made = rewriter.create(state)->getResult(0);
  } else {
    rewriter.setInsertionPointAfterValue(value);
    made = arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                      value);
  }
  return known[value] = made;
}

/// Computes indices of indices, where they are computed of integers without
/// overflow: so it is seen of what they are sums.
void computeInIndices(RewriterBase &rewriter, Operation *root,
                      DenseMap<Value, Value> &known) {
  SmallVector<arith::IndexCastOp> casts;
  root->walk([&](arith::IndexCastOp cast) {
    if (cast.getType().isIndex())
      casts.push_back(cast);
  });
  for (arith::IndexCastOp cast : casts) {
    Operation *made = cast.getIn().getDefiningOp();
    if (made && fitsIndex(cast.getIn().getType()) &&
        isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp,
            arith::IndexCastOp>(made))
      rewriter.replaceOp(cast, inIndices(rewriter, cast.getIn(), known));
  }
}

struct AdUpliftLoopsPass : ad::impl::AdUpliftLoopsBase<AdUpliftLoopsPass> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation()->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::WhileOp loop : loops) {
      countUp(rewriter, loop);
      std::optional<Range> range = rangeOf(loop);
      if (!range)
        continue;
      rewriter.setInsertionPoint(loop);
      replaceEnds(rewriter, loop, *range);
      FailureOr<scf::ForOp> made = scf::upliftWhileToForLoop(rewriter, loop);
      if (failed(made))
        continue;
      countInIndices(rewriter, *made);
      ++uplifted;
    }
    DenseMap<Value, Value> known;
    getOperation()->walk(
        [&](scf::ForOp loop) { countByNumber(rewriter, loop, known); });
    computeInIndices(rewriter, getOperation(), known);
  }
};
} // namespace
