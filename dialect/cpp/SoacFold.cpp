//===- SoacFold.cpp - folds of reductions and accumulators
//--------------------===//

#include "Soac.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ad::soac;

static YieldOp getYield(Region &body) {
  return cast<YieldOp>(body.front().getTerminator());
}

namespace {

/// An array that the body only hands on, or whose accumulated contents nobody
/// reads, needs no accumulator; without any, the body is inlined.
struct DropIdleAccs : OpRewritePattern<WithAccOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(WithAccOp op,
                                PatternRewriter &rewriter) const final {
    YieldOp yield = getYield(op.getBody());
    Block &body = op.getBody().front();
    unsigned n = op.getArrays().size();
    llvm::BitVector idle(op.getNumResults());
    for (unsigned i = 0; i < n; ++i)
      if (op.getResult(i).use_empty() ||
          yield.getValues()[i] == body.getArgument(i))
        idle.set(i);
    if (idle.none())
      return failure();
    SmallVector<Value> arrays, values, results(op.getNumResults());
    SmallVector<Type> types;
    rewriter.setInsertionPoint(op);
    for (unsigned i = 0; i < op.getNumResults(); ++i) {
      if (!idle.test(i)) {
        values.push_back(yield.getValues()[i]);
        types.push_back(op.getResult(i).getType());
        if (i < n)
          arrays.push_back(op.getArrays()[i]);
        continue;
      }
      results[i] = op.getArrays()[i];
      auto type = cast<AccType>(body.getArgument(i).getType());
      rewriter.replaceAllUsesWith(
          body.getArgument(i), NullAccOp::create(rewriter, op.getLoc(), type));
    }
    // What replaces a result that stays.
    auto fill = [&](ValueRange kept) {
      for (unsigned i = 0, k = 0; i < op.getNumResults(); ++i)
        if (!idle.test(i))
          results[i] = kept[k++];
    };
    if (arrays.empty()) {
      SmallVector<Value> nulls;
      for (BlockArgument arg : body.getArguments())
        nulls.push_back(NullAccOp::create(rewriter, op.getLoc(),
                                          cast<AccType>(arg.getType())));
      rewriter.inlineBlockBefore(&body, op, nulls);
      fill(values);
      rewriter.eraseOp(yield);
    } else {
      rewriter.modifyOpInPlace(
          yield, [&] { yield.getValuesMutable().assign(values); });
      idle.resize(n);
      rewriter.modifyOpInPlace(op, [&] { body.eraseArguments(idle); });
      auto kept = WithAccOp::create(rewriter, op.getLoc(), types, arrays);
      kept->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      rewriter.inlineRegionBefore(op.getBody(), kept.getBody(),
                                  kept.getBody().end());
      fill(kept.getResults());
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// `reduce` of an array with static size zero is its neutral element.
struct ReduceOfEmpty : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const final {
    if (!llvm::any_of(op.getInputs(), [](Value input) {
          return cast<RankedTensorType>(input.getType()).getDimSize(0) == 0;
        }))
      return failure();
    rewriter.replaceOp(op, op.getNeutrals());
    return success();
  }
};

} // namespace

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<ReduceOfEmpty>(context);
}

void WithAccOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<DropIdleAccs>(context);
}

OpFoldResult UpdateAccOp::fold(FoldAdaptor) {
  // An update of a null accumulator is forgotten.
  if (getAcc().getDefiningOp<NullAccOp>())
    return getAcc();
  return {};
}
