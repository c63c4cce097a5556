//===- AdRecord.cpp - records: constraints and folds --------------------===//
//
// The numbers (C1), (C2), ... are those of the descriptions in AdTypes.td and
// AdRecordOps.td.
//
//===----------------------------------------------------------------------===//

#include "Ad.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace ad::request;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult
RecordType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   ArrayRef<StringAttr> names, ArrayRef<Type> types) {
  if (names.size() != types.size())
    return emitError() << "a record has " << names.size() << " names for "
                       << types.size() << " fields";
  SmallPtrSet<Attribute, 8> seen;
  for (StringAttr name : names) { // record_type_c1
    if (name.empty())
      return emitError() << "a field of a record has an empty name";
    if (!seen.insert(name).second)
      return emitError() << "a record has two fields " << name;
  }
  return success();
}

ArrayRef<Type> ad::request::fieldTypes(Type type) {
  if (auto record = dyn_cast_or_null<RecordType>(type))
    return record.getTypes();
  if (auto tuple = dyn_cast_or_null<TupleType>(type))
    return tuple.getTypes();
  return {};
}

Type ad::request::derivativeOf(Type type, function_ref<bool(Type)> isPart) {
  MLIRContext *context = type.getContext();
  SmallVector<Type> parts;
  if (auto record = dyn_cast<RecordType>(type)) {
    SmallVector<StringAttr> names;
    for (auto [name, field] :
         llvm::zip_equal(record.getNames(), record.getTypes()))
      if (Type part = derivativeOf(field, isPart)) {
        names.push_back(name);
        parts.push_back(part);
      }
    return parts.empty() ? Type() : RecordType::get(context, names, parts);
  }
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    Type part = derivativeOf(array.getElementType(), isPart);
    return part ? LLVM::LLVMArrayType::get(part, array.getNumElements())
                : Type();
  }
  auto tuple = dyn_cast<TupleType>(type);
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (!tuple && (!structure || structure.isOpaque()))
    return isPart(type) ? type : Type();
  for (Type field : tuple ? tuple.getTypes() : structure.getBody())
    if (Type part = derivativeOf(field, isPart))
      parts.push_back(part);
  if (parts.empty())
    return {};
  if (tuple)
    return TupleType::get(context, parts);
  return LLVM::LLVMStructType::getLiteral(context, parts,
                                          structure.isPacked());
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

LogicalResult GetOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  Type type = adaptor.getRecord().getType();
  if (adaptor.getPosition() >= fieldTypes(type).size()) // get_c1
    return emitOptionalError(location, type, " has no field ",
                             adaptor.getPosition());
  types.push_back(fieldTypes(type)[adaptor.getPosition()]);
  return success();
}

LogicalResult SetOp::verify() { // set_c1
  Type type = getRecord().getType();
  if (getPosition() >= fieldTypes(type).size())
    return emitOpError() << type << " has no field " << getPosition();
  Type field = fieldTypes(type)[getPosition()];
  if (field != getValue().getType())
    return emitOpError("sets a field of type ")
           << field << " to a value of type " << getValue().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

OpFoldResult RecordOp::fold(FoldAdaptor) {
  // All fields of a record in their places are that record.
  Value whole;
  for (auto [position, field] : llvm::enumerate(getFields())) {
    auto get = field.getDefiningOp<GetOp>();
    if (!get || get.getPosition() != position ||
        (whole && get.getRecord() != whole))
      return {};
    whole = get.getRecord();
  }
  return whole && whole.getType() == getType() ? whole : Value();
}

OpFoldResult GetOp::fold(FoldAdaptor) {
  if (auto record = getRecord().getDefiningOp<RecordOp>())
    return record.getFields()[getPosition()];
  auto set = getRecord().getDefiningOp<SetOp>();
  if (!set)
    return {};
  if (set.getPosition() == getPosition())
    return set.getValue();
  getRecordMutable().assign(set.getRecord());
  return getResult();
}

OpFoldResult SetOp::fold(FoldAdaptor) {
  // To set a field to what it is changes nothing.
  auto get = getValue().getDefiningOp<GetOp>();
  if (get && get.getRecord() == getRecord() &&
      get.getPosition() == getPosition())
    return getRecord();
  auto earlier = getRecord().getDefiningOp<SetOp>();
  if (!earlier || earlier.getPosition() != getPosition())
    return {};
  getRecordMutable().assign(earlier.getRecord());
  return getResult();
}
