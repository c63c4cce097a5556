//===- Soac.h - the soac dialect ---------------------------------*- C++
//-*-===//

#ifndef AD_SOAC_H
#define AD_SOAC_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "SoacDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "SoacTypes.h.inc"

#define GET_OP_CLASSES
#include "SoacOps.h.inc"

namespace ad::soac {

/// The type of one element of an array: a scalar, or a tensor of the trailing
/// dimensions.
mlir::Type getElementOfArray(mlir::RankedTensorType array);

/// Reports an error at the consumer that makes `acc` non-linear, if there is
/// one.
mlir::LogicalResult verifyLinear(mlir::Value acc);

/// `verifyLinear` for the operands, results and block arguments of an
/// operation: (C4) of with_acc, (C5) of map, (C3) of update_acc.
mlir::LogicalResult verifyAccumulators(mlir::Operation *op);

} // namespace ad::soac

#endif // AD_SOAC_H
