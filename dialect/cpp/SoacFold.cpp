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

/// A body whose accumulated arrays nobody reads runs with null accumulators; a
/// body that updates nothing needs no accumulators. Either way it is inlined.
struct InlineIdleWithAcc : OpRewritePattern<WithAccOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(WithAccOp op,
                                PatternRewriter &rewriter) const final {
    YieldOp yield = getYield(op.getBody());
    Block &body = op.getBody().front();
    unsigned n = op.getArrays().size();
    for (unsigned i = 0; i < n; ++i)
      if (!op.getResult(i).use_empty() &&
          yield.getValues()[i] != body.getArgument(i))
        return failure();
    SmallVector<Value> nulls, results(op.getArrays());
    for (BlockArgument arg : body.getArguments())
      nulls.push_back(NullAccOp::create(rewriter, op.getLoc(),
                                        cast<AccType>(arg.getType())));
    llvm::append_range(results, yield.getValues().drop_front(n));
    rewriter.inlineBlockBefore(&body, op, nulls);
    rewriter.eraseOp(yield);
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
  patterns.add<InlineIdleWithAcc>(context);
}

OpFoldResult UpdateAccOp::fold(FoldAdaptor) {
  // An update of a null accumulator is forgotten.
  if (getAcc().getDefiningOp<NullAccOp>())
    return getAcc();
  return {};
}
