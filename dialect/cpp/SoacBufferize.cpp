//===- SoacBufferize.cpp - bufferisation of row_major ---------------------===//

#include "Soac.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace ad::soac;

static MemRefType getRowMajor(Type tensor) {
  return cast<MemRefType>(getMemRefTypeWithStaticIdentityLayout(
      cast<RankedTensorType>(tensor)));
}

bool RowMajorOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) {
  return false;
}

bool RowMajorOp::bufferizesToMemoryWrite(OpOperand &, const AnalysisState &) {
  return false;
}

bool RowMajorOp::resultBufferizesToMemoryWrite(OpResult,
                                               const AnalysisState &) {
  return false;
}

/// It writes nothing: who writes later copies.
bool RowMajorOp::mustBufferizeInPlace(OpOperand &, const AnalysisState &) {
  return true;
}

AliasingValueList RowMajorOp::getAliasingValues(OpOperand &,
                                                const AnalysisState &) {
  return {{getResult(), BufferRelation::Equivalent}};
}

FailureOr<BufferLikeType>
RowMajorOp::getBufferType(Value value, const BufferizationOptions &,
                          const BufferizationState &, SmallVector<Value> &) {
  return cast<BufferLikeType>(getRowMajor(value.getType()));
}

LogicalResult RowMajorOp::bufferize(RewriterBase &rewriter,
                                    const BufferizationOptions &options,
                                    BufferizationState &state) {
  FailureOr<Value> buffer = getBuffer(rewriter, getArray(), options, state);
  if (failed(buffer))
    return failure();
  if (MemRefType type = getRowMajor(getArray().getType());
      buffer->getType() != type)
    buffer = castOrReallocMemRefValue(rewriter, *buffer, type, options);
  if (failed(buffer))
    return failure();
  replaceOpWithBufferizedValues(rewriter, *this, *buffer);
  return success();
}
