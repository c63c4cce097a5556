//===- HoistBuffers.cpp - upstream's hoisting, where nobody else frees ----===//
//
// `ad-hoist-buffers`. Upstream moves allocations out of loops and branches, and
// leaves what frees them where it is.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace ad {
#define GEN_PASS_DEF_ADHOISTBUFFERS
#include "Passes.h.inc"
} // namespace ad

namespace {
struct AdHoistBuffersPass
    : ad::impl::AdHoistBuffersBase<AdHoistBuffersPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    StringRef mark = bufferization::BufferizationDialect::kManualDeallocation;
    bool isFreedInside =
        function
            .walk([&](memref::AllocOp alloc) {
              bool isInside = alloc->getBlock() != &function.getBody().front();
              return alloc->hasAttr(mark) && isInside ? WalkResult::interrupt()
                                                      : WalkResult::advance();
            })
            .wasInterrupted();
    if (isFreedInside)
      return;
    OpPassManager pipeline(func::FuncOp::getOperationName());
    pipeline.addPass(bufferization::createBufferHoistingPass());
    pipeline.addPass(bufferization::createBufferLoopHoistingPass());
    if (failed(runPipeline(pipeline, function)))
      signalPassFailure();
  }
};
} // namespace
