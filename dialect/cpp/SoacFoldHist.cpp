//===- SoacFoldHist.cpp - canonicalisations of hist and scatter -----------===//

#include "Soac.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ad::soac;

/// Whether no array has another static size in a dimension. A program where one
/// has is wrong, but that must show at run time, not in the verifier.
static bool mayHaveSize(ValueRange arrays, int64_t dimension, int64_t size) {
  return llvm::all_of(arrays, [&](Value array) {
    int64_t own = cast<RankedTensorType>(array.getType()).getDimSize(dimension);
    return ShapedType::isDynamic(own) || own == size;
  });
}

/// Whether a destination may have the type it had before a cast.
static bool isMoreStatic(ValueRange dests, RankedTensorType before,
                         RankedTensorType after, unsigned indexed) {
  for (unsigned d = 0; d < indexed; ++d) {
    int64_t size = before.getDimSize(d);
    if (ShapedType::isDynamic(size) ? !after.isDynamicDim(d)
                                    : !mayHaveSize(dests, d, size))
      return false;
  }
  return before != after;
}

namespace {

/// Without values or without bins the destinations stay as they are.
template <typename OpTy> struct NothingToUpdate : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const final {
    auto isEmpty = [](Value array, int64_t dimensions) {
      auto shape = cast<RankedTensorType>(array.getType()).getShape();
      return llvm::is_contained(shape.take_front(dimensions), 0);
    };
    int64_t indexed = op.getIndices().size();
    bool nothing =
        llvm::any_of(op.getIndices(), [&](Value v) { return isEmpty(v, 1); }) ||
        llvm::any_of(op.getInputs(), [&](Value v) { return isEmpty(v, 1); }) ||
        llvm::any_of(op.getDests(),
                     [&](Value v) { return isEmpty(v, indexed); });
    if (!nothing)
      return failure();
    rewriter.replaceOp(op, op.getDests());
    return success();
  }
};

/// Reads an index or value array before a cast that forgets its length.
template <typename OpTy> struct ReadBeforeCast : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const final {
    unsigned read = op.getIndices().size() + op.getInputs().size();
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands().take_front(read)) {
      auto cast = operand.get().getDefiningOp<tensor::CastOp>();
      if (!cast)
        continue;
      auto before = dyn_cast<RankedTensorType>(cast.getSource().getType());
      auto after = dyn_cast<RankedTensorType>(cast.getType());
      if (!before || !after || before.isDynamicDim(0) ||
          !mayHaveSize(op->getOperands().take_front(read), 0,
                       before.getDimSize(0)) ||
          before.getShape().drop_front() != after.getShape().drop_front())
        continue;
      rewriter.modifyOpInPlace(op, [&] { operand.set(cast.getSource()); });
      changed = true;
    }
    return success(changed);
  }
};

/// Updates a destination before a cast that forgets its sizes.
template <typename OpTy> struct UpdateBeforeCast : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const final {
    unsigned indexed = op.getIndices().size();
    for (auto [i, dest] : llvm::enumerate(op.getDests())) {
      auto cast = dest.template getDefiningOp<tensor::CastOp>();
      if (!cast)
        continue;
      auto before = dyn_cast<RankedTensorType>(cast.getSource().getType());
      auto after = dyn_cast<RankedTensorType>(cast.getType());
      if (!before || !after ||
          before.getShape().drop_front(indexed) !=
              after.getShape().drop_front(indexed) ||
          !isMoreStatic(op.getDests(), before, after, indexed))
        continue;
      Value result = op->getResult(i);
      unsigned position = indexed + op.getInputs().size() + i;
      rewriter.setInsertionPointAfter(op);
      auto back = tensor::CastOp::create(rewriter, op.getLoc(), after, result);
      rewriter.replaceAllUsesExcept(result, back, back);
      rewriter.modifyOpInPlace(op, [&] {
        op->setOperand(position, cast.getSource());
        result.setType(before);
      });
      return success();
    }
    return failure();
  }
};

/// Drops the arrays of a scatter whose results nobody reads.
struct DropUnreadScatter : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterOp op,
                                PatternRewriter &rewriter) const final {
    SmallVector<Value> inputs, dests, replaced;
    for (auto [input, dest, result] :
         llvm::zip(op.getInputs(), op.getDests(), op.getResults())) {
      if (result.use_empty())
        continue;
      inputs.push_back(input);
      dests.push_back(dest);
      replaced.push_back(result);
    }
    if (dests.empty() || dests.size() == op.getNumResults())
      return failure();
    auto scatter =
        ScatterOp::create(rewriter, op.getLoc(), TypeRange(ValueRange(dests)),
                          op.getIndices(), inputs, dests);
    scatter->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    for (auto [from, to] : llvm::zip(replaced, scatter.getResults()))
      rewriter.replaceAllUsesWith(from, to);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void HistOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<NothingToUpdate<HistOp>, ReadBeforeCast<HistOp>,
               UpdateBeforeCast<HistOp>>(context);
}

void ScatterOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<NothingToUpdate<ScatterOp>, ReadBeforeCast<ScatterOp>,
               UpdateBeforeCast<ScatterOp>, DropUnreadScatter>(context);
}
