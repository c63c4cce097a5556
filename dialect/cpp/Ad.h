//===- Ad.h - the ad dialect --------------------------------------*- C++
//-*-===//

#ifndef AD_AD_H
#define AD_AD_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "AdDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "AdTypes.h.inc"

namespace ad::request {

/// What is on tapes.
struct TapeResource : mlir::SideEffects::Resource::Base<TapeResource> {
  llvm::StringRef getName() final { return "Tape"; }
};

/// The type of a tape, then, after bufferisation, those of the values.
mlir::ParseResult parseTapeTypes(mlir::OpAsmParser &parser, mlir::Type &tape,
                                 llvm::SmallVectorImpl<mlir::Type> &values);
void printTapeTypes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                    mlir::Type tape, mlir::TypeRange values);

/// The types of the fields of a record or a tuple; none for other types.
mlir::ArrayRef<mlir::Type> fieldTypes(mlir::Type type);

} // namespace ad::request

#define GET_OP_CLASSES
#include "AdOps.h.inc"

namespace ad::request {

/// Whether values of the type have derivatives: floats, complex numbers, pairs
/// of the tensor language, and ranked tensors of them.
bool isDifferentiable(mlir::Type type);

/// Whether values of the type are buffers of such, whose derivatives are in other
/// buffers.
bool isBuffer(mlir::Type type);

/// Whether values of the type are either.
bool hasDerivative(mlir::Type type);

/// The type of the derivative: the type itself if `isPart` says that it is a part
/// of it; for a record, one of the derivatives of its fields. Null if there is
/// none.
mlir::Type derivativeOf(mlir::Type type,
                        mlir::function_ref<bool(mlir::Type)> isPart);

} // namespace ad::request

#endif // AD_AD_H
