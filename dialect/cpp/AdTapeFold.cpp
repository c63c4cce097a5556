//===- AdTapeFold.cpp - what nobody reads is kept on no tape --------------===//

#include "Ad.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace ad::request;

namespace {

/// Components that no pop reads go; with the last of them, or without any pop,
/// the tape goes, too.
struct UnreadComponents : OpRewritePattern<TapeCreateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TapeCreateOp create,
                                PatternRewriter &rewriter) const final {
    ArrayRef<Type> components = create.getTape().getType().getComponents();
    llvm::SmallBitVector read(components.size());
    SmallVector<Operation *> users(create->getUsers());
    for (Operation *user : users) {
      if (!isa<TapePushOp, TapePopOp, TapeFreeOp>(user))
        return failure();
      if (auto pop = dyn_cast<TapePopOp>(user))
        for (OpResult value : pop.getValues())
          if (!value.use_empty())
            read.set(value.getResultNumber());
    }
    if (read.none()) {
      for (Operation *user : users)
        rewriter.eraseOp(user);
      rewriter.eraseOp(create);
      return success();
    }
    if (read.all())
      return failure();
    SmallVector<Type> types;
    for (unsigned i : read.set_bits())
      types.push_back(components[i]);
    auto tape = TapeCreateOp::create(rewriter, create.getLoc(),
                                     TapeType::get(getContext(), types));
    for (Operation *user : users)
      keep(rewriter, user, tape, read);
    rewriter.eraseOp(create);
    return success();
  }

private:
  /// What is done with the tape is done with the one of these components only.
  static void keep(PatternRewriter &rewriter, Operation *user, Value tape,
                   const llvm::SmallBitVector &read) {
    rewriter.setInsertionPoint(user);
    if (auto push = dyn_cast<TapePushOp>(user)) {
      SmallVector<Value> values;
      for (unsigned i : read.set_bits())
        values.push_back(push.getValues()[i]);
      rewriter.replaceOpWithNewOp<TapePushOp>(push, tape, values);
    } else if (auto pop = dyn_cast<TapePopOp>(user)) {
      SmallVector<Type> types;
      for (unsigned i : read.set_bits())
        types.push_back(pop.getValues()[i].getType());
      auto kept = TapePopOp::create(rewriter, pop.getLoc(), types, tape);
      for (auto [value, i] : llvm::zip(kept.getValues(), read.set_bits()))
        rewriter.replaceAllUsesWith(pop.getValues()[i], value);
      rewriter.eraseOp(pop);
    } else {
      rewriter.replaceOpWithNewOp<TapeFreeOp>(user, tape);
    }
  }
};

/// Whether the operation may push to or pop from some tape.
bool mayUseTapes(Operation *op) {
  auto effects = getEffectsRecursively(op);
  return !effects || llvm::any_of(*effects, [](const auto &effect) {
    return effect.getResource() == TapeResource::get();
  });
}

/// An entry that is taken right after it was put there never is.
struct PopOfPush : OpRewritePattern<TapePopOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TapePopOp pop,
                                PatternRewriter &rewriter) const final {
    Operation *before = pop->getPrevNode();
    while (before && !mayUseTapes(before))
      before = before->getPrevNode();
    auto push = dyn_cast_or_null<TapePushOp>(before);
    // A buffer may have changed since it was copied to the tape.
    if (!push || push.getTape() != pop.getTape() ||
        push.getValues().getTypes() != pop.getValues().getTypes() ||
        llvm::any_of(push.getValues().getTypes(), llvm::IsaPred<MemRefType>))
      return failure();
    rewriter.replaceOp(pop, push.getValues());
    rewriter.eraseOp(push);
    return success();
  }
};

} // namespace

void TapeCreateOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  patterns.add<UnreadComponents>(context);
}

void TapePopOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<PopOfPush>(context);
}
