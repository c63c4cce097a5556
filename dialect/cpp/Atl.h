//===- Atl.h - the atl dialect -----------------------------------*- C++
//-*-===//

#ifndef AD_ATL_H
#define AD_ATL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "AtlDialect.h.inc"
#include "AtlEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "AtlTypes.h.inc"

#define GET_OP_CLASSES
#include "AtlOps.h.inc"

namespace ad::atl {

/// Whether values of the language may have the type: a float, a pair, or a
/// tensor of rank one or more whose elements are floats or pairs.
bool isValueType(mlir::Type type);

/// What is left of a tensor type after `count` dimensions: a tensor, or the
/// element if there are no more.
mlir::Type dropDimensions(mlir::RankedTensorType type, size_t count);

} // namespace ad::atl

#endif // AD_ATL_H
