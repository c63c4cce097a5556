//===- SoacVirtual.cpp - canonicalisations of virtual arrays
//------------------===//

#include "SoacDetail.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ad::soac;

namespace {

/// The size of an operation with a constant size operand becomes static.
template <typename OpTy> struct StaticSize : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const final {
    APInt size;
    if (!op.getSize() || !matchPattern(op.getSize(), m_ConstantInt(&size)) ||
        size.isNegative())
      return failure();
    auto type = cast<RankedTensorType>(op.getResult().getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = size.getSExtValue();
    auto fixed = RankedTensorType::get(shape, type.getElementType());
    rewriter.modifyOpInPlace(op, [&] { op.getSizeMutable().clear(); });
    rewriter.setInsertionPointAfter(op);
    auto cast =
        tensor::CastOp::create(rewriter, op.getLoc(), type, op.getResult());
    rewriter.modifyOpInPlace(op, [&] { op.getResult().setType(fixed); });
    rewriter.replaceAllUsesExcept(op.getResult(), cast, cast);
    return success();
  }
};

/// Reading an element of a virtual array reads nothing from memory.
struct ExtractOfVirtual : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const final {
    Value source = stripCasts(op.getTensor());
    if (source.getDefiningOp<IotaOp>()) {
      if (op.getType().isIndex())
        rewriter.replaceOp(op, op.getIndices()[0]);
      else
        rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, op.getType(),
                                                        op.getIndices()[0]);
      return success();
    }
    auto replicate = source.getDefiningOp<ReplicateOp>();
    if (!replicate)
      return failure();
    if (op.getIndices().size() == 1)
      rewriter.replaceOp(op, replicate.getValue());
    else
      rewriter.replaceOpWithNewOp<tensor::ExtractOp>(
          op, replicate.getValue(), op.getIndices().drop_front());
    return success();
  }

  static Value stripCasts(Value value) {
    while (auto cast = value.getDefiningOp<tensor::CastOp>())
      value = cast.getSource();
    return value;
  }
};

/// The size of a combinator's result, where it is known without running it.
struct DimOfSoac : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const final {
    std::optional<int64_t> dim = op.getConstantIndex();
    Operation *source = op.getSource().getDefiningOp();
    if (!dim || !source)
      return failure();
    if (auto withAcc = dyn_cast<WithAccOp>(source)) {
      unsigned number = cast<OpResult>(op.getSource()).getResultNumber();
      if (number >= withAcc.getArrays().size())
        return failure();
      return replaceByDim(op, withAcc.getArrays()[number], *dim, rewriter);
    }
    if (auto scan = dyn_cast<ScanOp>(source))
      return replaceByDim(
          op,
          scan.getInputs()[cast<OpResult>(op.getSource()).getResultNumber()],
          *dim, rewriter);
    unsigned k = cast<OpResult>(op.getSource()).getResultNumber();
    if (auto hist = dyn_cast<HistOp>(source))
      return replaceByDim(op, hist.getDests()[k], *dim, rewriter);
    if (auto scatter = dyn_cast<ScatterOp>(source))
      return replaceByDim(op, scatter.getDests()[k], *dim, rewriter);
    if (auto map = dyn_cast<MapOp>(source); map && *dim == 0)
      return replaceByDim(op, map.getInputs()[0], 0, rewriter);
    if (auto iota = dyn_cast<IotaOp>(source); iota && iota.getSize()) {
      rewriter.replaceOp(op, iota.getSize());
      return success();
    }
    auto replicate = dyn_cast<ReplicateOp>(source);
    if (!replicate)
      return failure();
    if (*dim > 0)
      return replaceByDim(op, replicate.getValue(), *dim - 1, rewriter);
    if (!replicate.getSize())
      return failure();
    rewriter.replaceOp(op, replicate.getSize());
    return success();
  }

  static LogicalResult replaceByDim(tensor::DimOp op, Value array, int64_t dim,
                                    PatternRewriter &rewriter) {
    rewriter.replaceOp(
        op,
        tensor::DimOp::create(rewriter, op.getLoc(), array, dim).getResult());
    return success();
  }
};

} // namespace

void SoacDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  patterns.add<ExtractOfVirtual, DimOfSoac>(getContext());
  populateSlicePatterns(patterns);
}

void IotaOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<StaticSize<IotaOp>>(context);
}

void ReplicateOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<StaticSize<ReplicateOp>>(context);
}
