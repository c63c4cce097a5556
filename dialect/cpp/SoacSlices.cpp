//===- SoacSlices.cpp - canonicalisations of slices of lower rank ---------===//

#include "SoacDetail.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace ad::soac;

// Constants among the numbers of a slice become static upstream, too, but the
// type of a slice of lower rank is inferred there anew, with the first
// dimensions of size one dropped: `1x?` of `1x?x1` becomes `?x1`, and a cast
// between the two is right only where the size is one. These patterns come
// before those and drop the dimensions that the operation drops.

namespace {

/// The type of what the numbers take, without the dimensions that `op` drops.
template <typename OpTy>
RankedTensorType takenType(OpTy op, RankedTensorType whole,
                           ArrayRef<OpFoldResult> sizes) {
  RankedTensorType full =
      tensor::ExtractSliceOp::inferResultType(whole, sizes);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<int64_t> shape;
  for (auto [number, size] : llvm::enumerate(full.getShape()))
    if (!dropped.test(number))
      shape.push_back(size);
  return full.clone(shape);
}

Value castTo(OpBuilder &builder, Location loc, Type type, Value value) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(builder, loc, type, value);
}

struct ExtractedType {
  RankedTensorType operator()(tensor::ExtractSliceOp op,
                              ArrayRef<OpFoldResult> /*offsets*/,
                              ArrayRef<OpFoldResult> sizes,
                              ArrayRef<OpFoldResult> /*strides*/) {
    return takenType(op, op.getSourceType(), sizes);
  }
};

struct CastExtracted {
  void operator()(PatternRewriter &rewriter, tensor::ExtractSliceOp op,
                  tensor::ExtractSliceOp taken) {
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), op.getType(), taken));
  }
};

using ExtractConstants = OpWithOffsetSizesAndStridesConstantArgumentFolder<
    tensor::ExtractSliceOp, ExtractedType, CastExtracted>;

/// The same of what is inserted.
template <typename OpTy> struct InsertConstants : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const final {
    SmallVector<OpFoldResult> offsets(op.getMixedOffsets());
    SmallVector<OpFoldResult> sizes(op.getMixedSizes());
    SmallVector<OpFoldResult> strides(op.getMixedStrides());
    bool folds = succeeded(foldDynamicOffsetSizeList(offsets));
    folds |= succeeded(foldDynamicOffsetSizeList(sizes));
    folds |= succeeded(foldDynamicStrideList(strides));
    RankedTensorType whole = op.getDestType();
    if (!folds ||
        !verifyInBoundsSlice(whole.getShape(), offsets, sizes, strides).isValid)
      return failure();
    // What a parallel loop inserts is computed in front of its terminator.
    if (isa<InParallelOpInterface>(op->getParentOp()))
      rewriter.setInsertionPoint(op->getParentOp());
    Value source = castTo(rewriter, op.getLoc(), takenType(op, whole, sizes),
                          op.getSource());
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<OpTy>(op, source, op.getDest(), offsets, sizes,
                                      strides);
    return success();
  }
};

} // namespace

void ad::soac::populateSlicePatterns(RewritePatternSet &patterns) {
  patterns.add<ExtractConstants, InsertConstants<tensor::InsertSliceOp>,
               InsertConstants<tensor::ParallelInsertSliceOp>>(
      patterns.getContext(), /*benefit=*/2);
}
