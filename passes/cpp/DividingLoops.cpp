//===- DividingLoops.cpp - loops that LLVM must not vectorise -------------===//
//
// `lower-dividing-loops`. LLVM 22 makes a division that is the same in each
// iteration, in a branch of a loop, once for several iterations at a time, if
// the first of these takes the branch, and addresses memory by it for all. It
// also moves divisions into branches first. Signed ones become unsigned where
// nothing is negative.
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace ad {
#define GEN_PASS_DEF_LOWERDIVIDINGLOOPS
#include "Passes.h.inc"
} // namespace ad

namespace {
/// Whether an operation is a division of integers by what is not constant.
bool divides(Operation &op) {
  return isa<LLVM::UDivOp, LLVM::URemOp, LLVM::SDivOp, LLVM::SRemOp>(op) &&
         !matchPattern(op.getOperand(1), m_Constant());
}

struct LowerDividingLoopsPass
    : ad::impl::LowerDividingLoopsBase<LowerDividingLoopsPass> {
  void runOnOperation() override {
    DominanceInfo dominance;
    getOperation()->walk([&](Operation *op) {
      for (Region &body : op->getRegions())
        annotateLoops(body, dominance);
    });
  }

  /// Annotates loops of a region, which may be what each thread does.
  void annotateLoops(Region &body, DominanceInfo &dominance) {
    if (body.empty() || body.hasOneBlock())
      return;
    std::optional<CFGLoopInfo> loops;
    for (Block &block : body) {
      if (llvm::none_of(block, divides))
        continue;
      if (!loops)
        loops.emplace(dominance.getDomTree(&body));
      for (CFGLoop *loop = loops->getLoopFor(&block); loop;
           loop = loop->getParentLoop())
        annotate(loop);
    }
  }

  void annotate(CFGLoop *loop) {
    MLIRContext *context = &getContext();
    auto vectorize = LLVM::LoopVectorizeAttr::get(
        context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
    auto annotation =
        LLVM::LoopAnnotationAttr::get(context, {}, vectorize, {}, {}, {}, {},
                                      {}, {}, {}, {}, {}, {}, {}, {}, {});
    SmallVector<Block *> latches;
    loop->getLoopLatches(latches);
    for (Block *latch : latches) {
      Operation *end = latch->getTerminator();
      if (!isa<LLVM::BrOp, LLVM::CondBrOp>(end) ||
          end->getAttr("loop_annotation") == annotation)
        continue;
      end->setAttr("loop_annotation", annotation);
      ++annotated;
    }
  }
};
} // namespace
