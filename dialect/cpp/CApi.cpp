//===- CApi.cpp - C interface of the soac and ad dialects -----------------===//

#include "CApi.h"

#include "Ad.h"
#include "Atl.h"
#include "Soac.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Soac, soac, ad::soac::SoacDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Atl, atl, ad::atl::AtlDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Ad, ad, ad::request::AdDialect)

bool adTypeIsAcc(MlirType type) { return isa<ad::soac::AccType>(unwrap(type)); }

MlirType adAccTypeGet(MlirType array) {
  auto tensor = cast<RankedTensorType>(unwrap(array));
  return wrap(ad::soac::AccType::get(tensor.getContext(), tensor));
}

MlirType adAccTypeGetArray(MlirType acc) {
  return wrap(cast<ad::soac::AccType>(unwrap(acc)).getArray());
}

bool adTypeIsPair(MlirType type) {
  return isa<ad::atl::PairType>(unwrap(type));
}

MlirType adPairTypeGet(MlirType first, MlirType second) {
  return wrap(ad::atl::PairType::get(unwrap(first).getContext(), unwrap(first),
                                     unwrap(second)));
}

MlirType adPairTypeGetFirst(MlirType pair) {
  return wrap(cast<ad::atl::PairType>(unwrap(pair)).getFirst());
}

MlirType adPairTypeGetSecond(MlirType pair) {
  return wrap(cast<ad::atl::PairType>(unwrap(pair)).getSecond());
}

bool adTypeIsTape(MlirType type) {
  return isa<ad::request::TapeType>(unwrap(type));
}

MlirType adTapeTypeGet(MlirContext context, intptr_t count,
                       MlirType const *components) {
  SmallVector<Type> types;
  return wrap(ad::request::TapeType::get(
      unwrap(context), unwrapList(count, components, types)));
}

intptr_t adTapeTypeGetNumComponents(MlirType tape) {
  return cast<ad::request::TapeType>(unwrap(tape)).getComponents().size();
}

MlirType adTapeTypeGetComponent(MlirType tape, intptr_t position) {
  return wrap(
      cast<ad::request::TapeType>(unwrap(tape)).getComponents()[position]);
}

bool adTypeIsClosure(MlirType type) {
  return isa<ad::request::ClosureType>(unwrap(type));
}

MlirType adClosureTypeGetFunction(MlirType closure) {
  return wrap(cast<ad::request::ClosureType>(unwrap(closure)).getFunction());
}

MlirType adClosureTypeGet(MlirType function) {
  auto type = cast<FunctionType>(unwrap(function));
  return wrap(ad::request::ClosureType::get(type.getContext(), type));
}

intptr_t adTypeGetNumFields(MlirType type) {
  bool isRecord = isa<ad::request::RecordType, TupleType>(unwrap(type));
  return isRecord ? ad::request::fieldTypes(unwrap(type)).size() : -1;
}

MlirType adTypeGetField(MlirType record, intptr_t position) {
  return wrap(ad::request::fieldTypes(unwrap(record))[position]);
}

MlirType adDerivativeType(MlirType type, bool values, bool buffers) {
  return wrap(ad::request::derivativeOf(unwrap(type), [=](Type part) {
    return (values && ad::request::isDifferentiable(part)) ||
           (buffers && ad::request::isBuffer(part));
  }));
}

MlirStringRef adElementBytes(MlirAttribute attribute) {
  ArrayRef<char> bytes;
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(unwrap(attribute)))
    bytes = dense.getRawData();
  else if (auto resource =
               dyn_cast<DenseResourceElementsAttr>(unwrap(attribute)))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      bytes = blob->getData();
  return wrap(StringRef(bytes.data(), bytes.size()));
}

void adEmitError(MlirLocation location, MlirStringRef message, intptr_t count,
                 MlirLocation const *noteLocations,
                 MlirStringRef const *notes) {
  InFlightDiagnostic diagnostic = emitError(unwrap(location), unwrap(message));
  for (intptr_t i = 0; i < count; ++i)
    diagnostic.attachNote(unwrap(noteLocations[i])) << unwrap(notes[i]);
}

void adEmitRemark(MlirLocation location, bool missed, MlirStringRef category,
                  MlirStringRef name, intptr_t count, MlirStringRef const *keys,
                  MlirStringRef const *values) {
  auto options =
      remark::RemarkOpts::name(unwrap(name)).category(unwrap(category));
  auto remark = missed ? remark::missed(unwrap(location), options)
                       : remark::analysis(unwrap(location), options);
  for (intptr_t i = 0; i < count; ++i)
    remark << remark::metric(unwrap(keys[i]), unwrap(values[i]).str());
}

bool adOperationIsTriviallyDead(MlirOperation operation) {
  return wouldOpBeTriviallyDead(unwrap(operation));
}

int adOperationMemoryEffects(MlirOperation operation) {
  Operation *op = unwrap(operation);
  if (isa<cf::AssertOp>(op))
    return 0;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    bool isUnknown = !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
                     (isa<CallOpInterface>(op) ||
                      llvm::any_of(op->getOperandTypes(),
                                   llvm::IsaPred<BaseMemRefType>));
    return isUnknown ? 3 : 0;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  int found = 0;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      found |= 1;
    else if (isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect()))
      found |= 2;
  }
  return found;
}

void adForEachOperationName(MlirContext context, MlirStringRef dialect,
                            MlirStringCallback callback, void *userData) {
  for (RegisteredOperationName name :
       unwrap(context)->getRegisteredOperations())
    if (name.getDialectNamespace() == unwrap(dialect))
      callback(wrap(name.getStringRef()), userData);
}
