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

/// The comparison that a loop makes to see whether it goes on.
arith::CmpIOp comparisonOf(scf::WhileOp loop) {
  auto compare =
      loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  return compare && compare->getBlock() == loop.getBeforeBody() ? compare
                                                                : nullptr;
}

/// The values of which a comparison asks whether the first is less than the
/// second.
std::optional<std::pair<Value, Value>> lessAndMore(arith::CmpIOp compare) {
  if (!compare)
    return std::nullopt;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
    return std::pair(compare.getLhs(), compare.getRhs());
  case arith::CmpIPredicate::sgt:
    return std::pair(compare.getRhs(), compare.getLhs());
  default:
    return std::nullopt;
  }
}

std::optional<Range> rangeOf(scf::WhileOp loop) {
  auto asked = lessAndMore(comparisonOf(loop));
  if (!asked)
    return std::nullopt;
  auto [less, more] = *asked;
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
  arith::CmpIOp compare = comparisonOf(loop);
  auto asked = lessAndMore(compare);
  if (!asked || !matchPattern(asked->first, m_Zero()))
    return;
  auto number = dyn_cast<BlockArgument>(asked->second);
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

/// The branch that a loop is in, if that is taken where one number is less than
/// another.
scf::IfOp guardOf(Operation *loop, Value less, Value more) {
  auto guard = dyn_cast<scf::IfOp>(loop->getParentOp());
  if (!guard || loop->getBlock() != guard.thenBlock())
    return nullptr;
  auto asked =
      lessAndMore(guard.getCondition().getDefiningOp<arith::CmpIOp>());
  return asked == std::pair(less, more) ? guard : nullptr;
}

/// How a loop counts that goes on as long as the next number is less than a
/// bound, or differs from it where it comes by there: the number is an argument
/// of the block that does all.
std::optional<Range> rangeOfTested(scf::WhileOp loop) {
  arith::CmpIOp compare = comparisonOf(loop);
  if (!compare || !llvm::hasSingleElement(*loop.getAfterBody()))
    return std::nullopt;
  auto counts = [&](Value next, Value bound) -> std::optional<Range> {
    auto sum = next.getDefiningOp<arith::AddIOp>();
    auto number = sum ? dyn_cast<BlockArgument>(sum.getLhs()) : nullptr;
    APInt step;
    if (!number || number.getOwner() != loop.getBeforeBody() ||
        loop->isAncestor(bound.getParentBlock()->getParentOp()) ||
        !matchPattern(sum.getRhs(), m_ConstantInt(&step)) ||
        !step.isStrictlyPositive())
      return std::nullopt;
    unsigned position = number.getArgNumber();
    if (handedOn(loop, loop.getYieldOp().getOperand(position)) != next)
      return std::nullopt;
    bool comesBy = step.isOne() && bitEnumContainsAny(
                                       sum.getOverflowFlags(),
                                       arith::IntegerOverflowFlags::nsw);
    if (compare.getPredicate() == arith::CmpIPredicate::ne && !comesBy)
      return std::nullopt;
    return Range{number, loop.getInits()[position], bound, step};
  };
  if (auto asked = lessAndMore(compare))
    return counts(asked->first, asked->second);
  if (compare.getPredicate() != arith::CmpIPredicate::ne)
    return std::nullopt;
  if (auto range = counts(compare.getLhs(), compare.getRhs()))
    return range;
  return counts(compare.getRhs(), compare.getLhs());
}

/// Lets a loop that counts, and tests behind each iteration, test before it,
/// where the first one passes:
///
///   do { .. } while (++n < m)  =>  while (n < max(m, n0 + 1)) { .. ++n }
///
/// The bound is m itself in a branch that is taken where n0 is less.
scf::WhileOp testFirst(RewriterBase &rewriter, scf::WhileOp loop) {
  std::optional<Range> range = rangeOfTested(loop);
  if (!range)
    return loop;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  // What the loop gives, among what iterations hand on, or beside it.
  SmallVector<Value> inits(loop.getInits());
  SmallVector<unsigned> beside, places(loop.getNumResults());
  for (OpResult result : loop.getResults()) {
    unsigned k = result.getResultNumber();
    auto handed = llvm::find(loop.getYieldOp().getOperands(),
                             loop.getAfterArguments()[k]);
    places[k] = std::distance(loop.getYieldOp().getOperands().begin(), handed);
    if (places[k] < loop.getInits().size() || result.use_empty())
      continue;
    Type type = result.getType();
    if (!type.isIntOrIndexOrFloat())
      return loop;
    places[k] = inits.size();
    beside.push_back(k);
    inits.push_back(arith::ConstantOp::create(rewriter, loc,
                                              rewriter.getZeroAttr(type)));
  }
  Value bound = range->upper;
  if (!guardOf(loop, range->lower, bound)) {
    Value one = arith::ConstantOp::create(
        rewriter, loc, rewriter.getIntegerAttr(bound.getType(), 1));
    Value second = arith::AddIOp::create(rewriter, loc, range->lower, one);
    bound = arith::MaxSIOp::create(rewriter, loc, bound, second);
  }
  SmallVector<Type> types(ValueRange(inits).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto made = scf::WhileOp::create(rewriter, loc, types, inits);
  Block *before = rewriter.createBlock(&made.getBefore(), {}, types, locs);
  Value goesOn = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::slt,
      before->getArgument(range->number.getArgNumber()), bound);
  scf::ConditionOp::create(rewriter, loc, goesOn, before->getArguments());
  Block *after = rewriter.createBlock(&made.getAfter(), {}, types, locs);
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<Value> next;
  for (Value value : loop.getYieldOp().getOperands())
    next.push_back(handedOn(loop, value));
  for (unsigned k : beside)
    next.push_back(condition.getArgs()[k]);
  rewriter.setInsertionPoint(condition);
  scf::YieldOp::create(rewriter, loc, next);
  rewriter.eraseOp(condition);
  rewriter.mergeBlocks(
      loop.getBeforeBody(), after,
      after->getArguments().take_front(loop.getInits().size()));
  for (OpResult result : loop.getResults())
    if (!result.use_empty())
      rewriter.replaceAllUsesWith(
          result, made.getResult(places[result.getResultNumber()]));
  rewriter.eraseOp(loop);
  return made;
}

/// Takes a loop out of a branch that is taken where the loop has iterations, if
/// what the other branch gives is what the loop starts from.
void dropGuard(RewriterBase &rewriter, scf::IfOp guard, scf::ForOp loop) {
  if (guard.elseBlock() && !llvm::hasSingleElement(*guard.elseBlock()))
    return;
  for (Operation &op : *guard.thenBlock())
    if (&op != loop && &op != guard.thenYield() && !isPure(&op))
      return;
  for (unsigned k : llvm::seq(guard.getNumResults())) {
    Value taken = guard.thenYield().getOperand(k);
    Value other = guard.elseYield().getOperand(k);
    auto result = dyn_cast<OpResult>(taken);
    bool isOfLoop = result && result.getOwner() == loop;
    if ((isOfLoop ? loop.getInitArgs()[result.getResultNumber()] : taken) !=
        other)
      return;
  }
  scf::YieldOp yield = guard.thenYield();
  SmallVector<Value> values(yield.getOperands());
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(guard.thenBlock(), guard);
  rewriter.replaceOp(guard, values);
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
scf::ForOp countInIndices(RewriterBase &rewriter, scf::ForOp loop) {
  Type type = loop.getInductionVar().getType();
  if (type.isIndex() || !fitsIndex(type))
    return loop;
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
  return made;
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
      loop = testFirst(rewriter, loop);
      countUp(rewriter, loop);
      std::optional<Range> range = rangeOf(loop);
      if (!range)
        continue;
      scf::IfOp guard = guardOf(loop, range->lower, range->upper);
      rewriter.setInsertionPoint(loop);
      replaceEnds(rewriter, loop, *range);
      FailureOr<scf::ForOp> made = scf::upliftWhileToForLoop(rewriter, loop);
      if (failed(made))
        continue;
      scf::ForOp counted = countInIndices(rewriter, *made);
      if (guard)
        dropGuard(rewriter, guard, counted);
      ++uplifted;
    }
    DenseMap<Value, Value> known;
    getOperation()->walk(
        [&](scf::ForOp loop) { countByNumber(rewriter, loop, known); });
    computeInIndices(rewriter, getOperation(), known);
  }
};
} // namespace
