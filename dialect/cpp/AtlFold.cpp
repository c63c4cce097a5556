//===- AtlFold.cpp - folds and canonicalisations of the atl operations ----===//

#include "AtlDetail.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ad::atl;

Operation *AtlDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

OpFoldResult ProjectOp::fold(FoldAdaptor) {
  auto pair = getPair().getDefiningOp<PairOp>();
  if (!pair)
    return {};
  return getNumber() == 0 ? pair.getFirst() : pair.getSecond();
}

OpFoldResult CompareOp::fold(FoldAdaptor) {
  auto difference = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
      getMap().getResult(1) - getMap().getResult(0), getMap().getNumDims(), 0));
  if (!difference)
    return {};
  int64_t value = difference.getValue();
  bool holds = getComparison() == Comparison::lt   ? value > 0
               : getComparison() == Comparison::le ? value >= 0
                                                   : value == 0;
  return BoolAttr::get(getContext(), holds);
}

namespace {

/// Constants become part of the affine expressions; each operand is there once,
/// and is used.
template <typename OpTy> struct SimplerOperands : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const final {
    AffineMap map = op.getMap();
    SmallVector<Value> kept;
    SmallVector<AffineExpr> replacements;
    for (auto [i, operand] : llvm::enumerate(op.getIndices())) {
      APInt constant;
      if (matchPattern(operand, m_ConstantInt(&constant))) {
        replacements.push_back(
            rewriter.getAffineConstantExpr(constant.getSExtValue()));
        continue;
      }
      auto known = llvm::find(kept, operand);
      replacements.push_back(rewriter.getAffineDimExpr(known - kept.begin()));
      if (known == kept.end() && map.isFunctionOfDim(i))
        kept.push_back(operand);
      else if (known == kept.end())
        replacements.back() = rewriter.getAffineConstantExpr(0);
    }
    if (kept.size() == op.getIndices().size())
      return failure();
    AffineMap simpler =
        map.replaceDimsAndSymbols(replacements, {}, kept.size(), 0);
    rewriter.modifyOpInPlace(op, [&] {
      op.getIndicesMutable().assign(kept);
      op.setMap(simpler);
    });
    return success();
  }
};

/// The bracket of a predicate that always holds is its body.
struct BracketOfTrue : OpRewritePattern<BracketOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BracketOp op,
                                PatternRewriter &rewriter) const final {
    if (!matchPattern(op.getCondition(), m_One()))
      return failure();
    auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
    Value value = yield.getValue();
    rewriter.inlineBlockBefore(&op.getBody().front(), op);
    rewriter.eraseOp(yield);
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// The bracket of a predicate that never holds is zero. A tensor of dynamic
/// size stays, because its sizes are those of the body's value; so does one of
/// pairs, of which there is no constant.
struct BracketOfFalse : OpRewritePattern<BracketOp> {
  using OpRewritePattern::OpRewritePattern;

  static bool hasConstantZero(Type type) {
    if (auto pair = dyn_cast<PairType>(type))
      return hasConstantZero(pair.getFirst()) &&
             hasConstantZero(pair.getSecond());
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return tensor.hasStaticShape() && isa<FloatType>(tensor.getElementType());
    return isa<FloatType>(type);
  }

  static Value makeZero(OpBuilder &builder, Location loc, Type type) {
    if (auto pair = dyn_cast<PairType>(type)) {
      Value first = makeZero(builder, loc, pair.getFirst());
      Value second = makeZero(builder, loc, pair.getSecond());
      return PairOp::create(builder, loc, first, second);
    }
    return arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
  }

  LogicalResult matchAndRewrite(BracketOp op,
                                PatternRewriter &rewriter) const final {
    if (!matchPattern(op.getCondition(), m_Zero()) ||
        !hasConstantZero(op.getType()))
      return failure();
    rewriter.replaceOp(op, makeZero(rewriter, op.getLoc(), op.getType()));
    return success();
  }
};

/// The size of a generated tensor, or of a part of a tensor.
struct DimOfAtl : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const final {
    std::optional<int64_t> dim = op.getConstantIndex();
    if (!dim || *dim < 0)
      return failure();
    if (auto gen = op.getSource().getDefiningOp<GenOp>();
        gen && static_cast<size_t>(*dim) < gen.getSizes().size()) {
      rewriter.replaceOp(op, gen.getSizes()[*dim]);
      return success();
    }
    auto access = op.getSource().getDefiningOp<AccessOp>();
    if (!access)
      return failure();
    rewriter.replaceOpWithNewOp<tensor::DimOp>(
        op, access.getTensor(), *dim + access.getMap().getNumResults());
    return success();
  }
};

} // namespace

void AtlDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  patterns.add<DimOfAtl>(getContext());
}

void AccessOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<SimplerOperands<AccessOp>>(context);
}

void CompareOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<SimplerOperands<CompareOp>>(context);
}

void MemberOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<SimplerOperands<MemberOp>>(context);
}

void BracketOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<BracketOfTrue, BracketOfFalse>(context);
}
