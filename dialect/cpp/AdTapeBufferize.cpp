//===- AdTapeBufferize.cpp - buffers in place of tensors on tapes ---------===//
//
// A push copies its operands, a pop gives new buffers. The type of the tape
// goes on to say tensors.
//
//===----------------------------------------------------------------------===//

#include "Ad.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace ad::request;

bool TapePushOp::bufferizesToAllocation(Value) { return false; }

bool TapePushOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) {
  return true;
}

bool TapePushOp::bufferizesToMemoryWrite(OpOperand &, const AnalysisState &) {
  return false;
}

AliasingValueList TapePushOp::getAliasingValues(OpOperand &,
                                                const AnalysisState &) {
  return {};
}

FailureOr<BufferLikeType>
TapePushOp::getBufferType(Value, const BufferizationOptions &,
                          const BufferizationState &, SmallVector<Value> &) {
  return failure();
}

LogicalResult TapePushOp::bufferize(RewriterBase &rewriter,
                                    const BufferizationOptions &options,
                                    BufferizationState &state) {
  SmallVector<Value> values;
  for (Value value : getValues()) {
    if (isa<TensorType>(value.getType())) {
      FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
      if (failed(buffer))
        return failure();
      value = *buffer;
    }
    values.push_back(value);
  }
  replaceOpWithNewBufferizedOp<TapePushOp>(rewriter, *this, getTape(), values);
  return success();
}

bool TapePopOp::bufferizesToAllocation(Value) { return true; }

bool TapePopOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) {
  return false;
}

bool TapePopOp::bufferizesToMemoryWrite(OpOperand &, const AnalysisState &) {
  return false;
}

AliasingValueList TapePopOp::getAliasingValues(OpOperand &,
                                               const AnalysisState &) {
  return {};
}

FailureOr<BufferLikeType>
TapePopOp::getBufferType(Value value, const BufferizationOptions &,
                         const BufferizationState &, SmallVector<Value> &) {
  return cast<BufferLikeType>(getMemRefTypeWithStaticIdentityLayout(
      cast<RankedTensorType>(value.getType())));
}

LogicalResult TapePopOp::bufferize(RewriterBase &rewriter,
                                   const BufferizationOptions &,
                                   BufferizationState &) {
  SmallVector<Type> types;
  for (Type type : getValues().getTypes())
    types.push_back(isa<RankedTensorType>(type)
                        ? getMemRefTypeWithStaticIdentityLayout(
                              cast<RankedTensorType>(type))
                        : type);
  auto pop = TapePopOp::create(rewriter, getLoc(), types, getTape());
  replaceOpWithBufferizedValues(rewriter, *this, pop.getValues());
  return success();
}
