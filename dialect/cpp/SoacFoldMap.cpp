//===- SoacFoldMap.cpp - canonicalisations of soac.map
//------------------------===//

#include "Soac.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ad::soac;

/// Rebuilds a map with the given operands and result types around its own body.
static MapOp rebuildMap(MapOp op, ValueRange inputs, ValueRange accs,
                        TypeRange results, PatternRewriter &rewriter) {
  auto map = MapOp::create(rewriter, op.getLoc(), results, inputs, accs);
  map->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(op.getBody(), map.getBody(), map.getBody().end());
  return map;
}

static YieldOp getYield(Region &body) {
  return cast<YieldOp>(body.front().getTerminator());
}

static bool isOutside(Value value, Operation *op) {
  return !op->isAncestor(value.getParentRegion()->getParentOp());
}

namespace {

/// Drops inputs that the body does not read, reads a repeated input once, and
/// reads a replicated value directly. One input stays to give the width.
struct SimplifyMapInputs : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const final {
    Block &body = op.getBody().front();
    SmallVector<Value> inputs(op.getInputs());
    llvm::BitVector drop(body.getNumArguments());
    bool changed = false;
    for (unsigned i = 0; i < inputs.size(); ++i) {
      BlockArgument arg = body.getArgument(i);
      if (auto replicate = inputs[i].getDefiningOp<ReplicateOp>();
          replicate && !arg.use_empty()) {
        rewriter.replaceAllUsesWith(arg, replicate.getValue());
        changed = true;
      }
      auto *first = llvm::find(inputs, inputs[i]);
      if (unsigned k = first - inputs.begin(); k < i && !arg.use_empty()) {
        rewriter.replaceAllUsesWith(arg, body.getArgument(k));
        changed = true;
      }
    }
    // Only now: an argument may have taken over the uses of a later one.
    for (unsigned i = 0; i < inputs.size(); ++i)
      if (body.getArgument(i).use_empty())
        drop.set(i);
    if (drop.count() ==
        inputs.size()) // The width comes from an iota, or else the first.
      drop.reset(llvm::find_if(inputs,
                               [](Value v) {
                                 return v.getDefiningOp<IotaOp>() != nullptr;
                               }) == inputs.end()
                     ? 0
                     : llvm::find_if(inputs, [](Value v) {
                         return v.getDefiningOp<IotaOp>() != nullptr;
                       }) - inputs.begin());
    if (drop.none())
      return success(changed);
    // Invariant: a static width stays visible in the remaining inputs.
    SmallVector<Value> kept;
    for (unsigned i = 0; i < inputs.size(); ++i)
      if (!drop.test(i))
        kept.push_back(inputs[i]);
    auto isStatic = [](Value v) {
      return !cast<RankedTensorType>(v.getType()).isDynamicDim(0);
    };
    if (llvm::any_of(inputs, isStatic) && llvm::none_of(kept, isStatic))
      return success(changed);
    rewriter.modifyOpInPlace(op, [&] { body.eraseArguments(drop); });
    MapOp map =
        rebuildMap(op, kept, op.getAccs(), op.getResultTypes(), rewriter);
    rewriter.replaceOp(op, map.getResults());
    return success();
  }
};

/// Drops array results that nobody reads, and forwards a result that is one of
/// the inputs or the same value in every iteration.
struct SimplifyMapResults : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const final {
    YieldOp yield = getYield(op.getBody());
    bool changed = false;
    llvm::BitVector drop(op.getNumResults());
    for (unsigned i = 0, n = op.getNumArrayResults(); i < n; ++i) {
      Value result = op.getResult(i), value = yield.getValues()[i];
      if (!result.use_empty())
        if (Value same = forwarded(op, result, value, rewriter)) {
          rewriter.replaceAllUsesWith(result, same);
          changed = true;
        }
      if (result.use_empty())
        drop.set(i);
    }
    if (drop.none())
      return success(changed);
    SmallVector<Type> types;
    SmallVector<Value> values, replaced;
    for (unsigned i = 0; i < op.getNumResults(); ++i)
      if (!drop.test(i)) {
        types.push_back(op.getResult(i).getType());
        values.push_back(yield.getValues()[i]);
        replaced.push_back(op.getResult(i));
      }
    if (types.empty()) // The whole op is dead, or lives by its effects only.
      return success(changed);
    rewriter.modifyOpInPlace(yield,
                             [&] { yield.getValuesMutable().assign(values); });
    MapOp map = rebuildMap(op, op.getInputs(), op.getAccs(), types, rewriter);
    for (auto [from, to] : llvm::zip(replaced, map.getResults()))
      rewriter.replaceAllUsesWith(from, to);
    rewriter.eraseOp(op);
    return success();
  }

  Value forwarded(MapOp op, Value result, Value value,
                  PatternRewriter &rewriter) const {
    if (auto arg = dyn_cast<BlockArgument>(value);
        arg && arg.getOwner() == &op.getBody().front()) {
      if (arg.getArgNumber() < op.getInputs().size() &&
          op.getInputs()[arg.getArgNumber()].getType() == result.getType())
        return op.getInputs()[arg.getArgNumber()];
      return {};
    }
    if (!isOutside(value, op))
      return {};
    auto type = cast<RankedTensorType>(result.getType());
    Value size;
    if (type.isDynamicDim(0))
      size = tensor::DimOp::create(rewriter, op.getLoc(), op.getInputs()[0], 0);
    return ReplicateOp::create(rewriter, op.getLoc(), type, value, size);
  }
};

/// Takes out accumulators that are null or that the body only hands on.
struct SimplifyMapAccs : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const final {
    Block &body = op.getBody().front();
    YieldOp yield = getYield(op.getBody());
    unsigned inputs = op.getInputs().size(), arrays = op.getNumArrayResults();
    for (auto [i, acc] : llvm::enumerate(op.getAccs())) {
      BlockArgument arg = body.getArgument(inputs + i);
      bool isNull = acc.getDefiningOp<NullAccOp>() != nullptr;
      if (!isNull && yield.getValues()[arrays + i] != arg)
        continue;
      SmallVector<Value> accs(op.getAccs()), values(yield.getValues());
      SmallVector<Type> types(op.getResultTypes());
      accs.erase(accs.begin() + i);
      values.erase(values.begin() + arrays + i);
      types.erase(types.begin() + arrays + i);
      if (types.empty()) { // Nothing but this accumulator.
        rewriter.replaceOp(op, acc);
        return success();
      }
      rewriter.modifyOpInPlace(
          yield, [&] { yield.getValuesMutable().assign(values); });
      rewriter.replaceAllUsesWith(arg, acc);
      rewriter.modifyOpInPlace(op, [&] { body.eraseArgument(inputs + i); });
      MapOp map = rebuildMap(op, op.getInputs(), accs, types, rewriter);
      SmallVector<Value> results(map.getResults());
      results.insert(results.begin() + arrays + i, acc);
      rewriter.replaceOp(op, results);
      return success();
    }
    return failure();
  }
};

} // namespace

void MapOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<SimplifyMapInputs, SimplifyMapResults, SimplifyMapAccs>(context);
}
