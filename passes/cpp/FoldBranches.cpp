//===- FoldBranches.cpp - branches that are known to go one way -----------===//
//
// `ad-fold-branches`. Upstream's `canonicalize` does this while it rewrites
// blocks that are no longer reached, and may go on for ever in one that is a
// loop: without the edge into it, its number is what it was plus one.
//
//===----------------------------------------------------------------------===//

#include "Soac.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace ad {
#define GEN_PASS_DEF_ADFOLDBRANCHES
#include "Passes.h.inc"
} // namespace ad

namespace {
/// Which successor a branch goes to, if its operands say so.
std::optional<unsigned> knownSuccessor(BranchOpInterface branch) {
  SmallVector<Attribute> constants;
  for (Value operand : branch->getOperands()) {
    Attribute constant;
    matchPattern(operand, m_Constant(&constant));
    constants.push_back(constant);
  }
  Block *known = branch.getSuccessorForOperands(constants);
  // The same block with other operands is another way.
  if (!known || llvm::count(branch->getSuccessors(), known) != 1)
    return std::nullopt;
  return llvm::find(branch->getSuccessors(), known).getIndex();
}

struct AdFoldBranchesPass : ad::impl::AdFoldBranchesBase<AdFoldBranchesPass> {
  void runOnOperation() override {
    SmallVector<BranchOpInterface> branches;
    bool hasBlocks = false;
    getOperation()->walk([&](Operation *op) {
      for (Region &region : op->getRegions())
        hasBlocks |= !region.empty() && !region.hasOneBlock();
      if (isa<cf::CondBranchOp, cf::SwitchOp>(op))
        branches.push_back(cast<BranchOpInterface>(op));
    });
    if (!hasBlocks)
      return;
    IRRewriter rewriter(&getContext());
    for (BranchOpInterface branch : branches) {
      std::optional<unsigned> known = knownSuccessor(branch);
      if (!known)
        continue;
      OperandRange operands =
          branch.getSuccessorOperands(*known).getForwardedOperands();
      rewriter.setInsertionPoint(branch);
      rewriter.replaceOpWithNewOp<cf::BranchOp>(
          branch, branch->getSuccessor(*known), operands);
      ++folded;
    }
    (void)eraseUnreachableBlocks(rewriter, getOperation()->getRegions());
  }
};
} // namespace
