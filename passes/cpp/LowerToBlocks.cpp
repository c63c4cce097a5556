//===- LowerToBlocks.cpp - structured control flow as blocks --------------===//
//
// What reverse mode must not run again is in blocks: upstream's patterns, for
// what passes/src/ad/memory/lower.rs marks, in a copy of a function.
//
//===----------------------------------------------------------------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

static bool convert(Operation *function, ConversionTarget &target,
                    RewritePatternSet patterns) {
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return succeeded(applyPartialConversion(function, target,
                                          std::move(patterns)));
}

/// `affine` as `scf`, `arith`, `memref` and `vector`.
extern "C" bool ad_lower_affine(MlirOperation function) {
  MLIRContext *context = unwrap(function)->getContext();
  RewritePatternSet patterns(context);
  populateAffineToStdConversionPatterns(patterns);
  populateAffineToVectorConversionPatterns(patterns);
  affine::populateAffineExpandIndexOpsPatterns(patterns);
  ConversionTarget target(*context);
  target.addIllegalDialect<affine::AffineDialect>();
  return convert(unwrap(function), target, std::move(patterns));
}

/// Structured operations on buffers as loops, but those that fill one.
extern "C" bool ad_lower_linalg(MlirOperation function) {
  SmallVector<linalg::LinalgOp> found;
  unwrap(function)->walk([&](linalg::LinalgOp op) {
    if (op.hasPureBufferSemantics() && !isa<linalg::FillOp>(op))
      found.push_back(op);
  });
  IRRewriter rewriter(unwrap(function)->getContext());
  for (linalg::LinalgOp op : found) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return false;
    rewriter.eraseOp(op);
  }
  return true;
}

/// The body of a function in place of a call of it.
extern "C" bool ad_inline_call(MlirOperation call, MlirOperation function) {
  auto callOp = cast<func::CallOp>(unwrap(call));
  auto callee = cast<func::FuncOp>(unwrap(function));
  InlinerInterface interface(callOp.getContext());
  InlinerConfig config;
  // What is not to be inlined is what the user calls, not its derivative.
  bool noInline = callee.getNoInline();
  callee.setNoInline(false);
  callOp.setNoInline(false);
  LogicalResult inlined = inlineCall(interface, config.getCloneCallback(),
                                     callOp, callee, &callee.getBody());
  callee.setNoInline(noInline);
  if (failed(inlined))
    return false;
  callOp.erase();
  return true;
}

/// The operations of `scf` with an attribute as blocks. An `scf.forall` becomes
/// an `scf.parallel` first, whose pattern refuses those that another one made.
extern "C" bool ad_lower_marked(MlirOperation function, MlirStringRef mark) {
  MLIRContext *context = unwrap(function)->getContext();
  StringRef name = unwrap(mark);
  IRRewriter rewriter(context);
  SmallVector<scf::ForallOp> loops;
  unwrap(function)->walk([&](scf::ForallOp op) {
    if (op->hasAttr(name) && op.getOutputs().empty())
      loops.push_back(op);
  });
  for (scf::ForallOp op : loops) {
    scf::ParallelOp made;
    rewriter.setInsertionPoint(op);
    if (failed(scf::forallToParallelLoop(rewriter, op, &made)))
      return false;
    made->setAttr(name, rewriter.getUnitAttr());
  }
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.addDynamicallyLegalDialect<scf::SCFDialect>(
      [=](Operation *op) -> std::optional<bool> { return !op->hasAttr(name); });
  return convert(unwrap(function), target, std::move(patterns));
}
