//===- Ad.h - the ad dialect --------------------------------------*- C++
//-*-===//

#ifndef AD_AD_H
#define AD_AD_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "AdDialect.h.inc"

#define GET_OP_CLASSES
#include "AdOps.h.inc"

namespace ad::request {

/// Whether values of the type have derivatives: floats, complex numbers, pairs
/// of the tensor language, and ranked tensors of them.
bool isDifferentiable(mlir::Type type);

} // namespace ad::request

#endif // AD_AD_H
