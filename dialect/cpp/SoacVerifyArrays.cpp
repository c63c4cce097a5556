//===- SoacVerifyArrays.cpp - constraints of types and simple operations --===//
//
// The numbers (C1), (C2), ... are those of the descriptions in SoacOps.td.
//
//===----------------------------------------------------------------------===//

#include "Soac.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace ad::soac;

LogicalResult AccType::verify(function_ref<InFlightDiagnostic()> emitError,
                              RankedTensorType array) {
  Type element = array.getElementType(); // acc_c1
  if (isa<FloatType, ComplexType, IntegerType>(element))
    return success();
  return emitError() << "accumulator of " << element
                     << ": element must be a float, complex or integer type";
}

LogicalResult UpdateAccOp::verify() {
  RankedTensorType array = getAcc().getType().getArray();
  int64_t count = getIndices().size();
  if (count > array.getRank()) // update_acc_c1
    return emitOpError("has ")
           << count << " indices but the array has rank " << array.getRank();
  Type expected = array.getElementType();
  if (count < array.getRank())
    expected = RankedTensorType::get(array.getShape().drop_front(count),
                                     array.getElementType());
  auto tensor = dyn_cast<RankedTensorType>(getValue().getType());
  bool compatible = tensor && isa<RankedTensorType>(expected)
                        ? tensor.getElementType() == array.getElementType() &&
                              succeeded(verifyCompatibleShape(tensor, expected))
                        : getValue().getType() == expected;
  if (!compatible) // update_acc_c2
    return emitOpError("adds a value of type ")
           << getValue().getType() << " where " << expected << " is expected";
  return verifyAccumulators(*this); // update_acc_c3
}

LogicalResult IotaOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (type.getRank() != 1 || !(type.getElementType().isIndex() ||
                               type.getElementType().isSignlessInteger()))
    return emitOpError(
               "result must be a vector of index or signless integers, " // iota_c1
               "but is ")
           << type;
  if (type.isDynamicDim(0) != static_cast<bool>(getSize())) // iota_c2
    return emitOpError("takes a size exactly when the result size is dynamic");
  return success();
}

LogicalResult ReplicateOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (type.getRank() == 0 || getElementOfArray(type) != getValue().getType())
    return emitOpError("element of ") // replicate_c1
           << type << " is not " << getValue().getType();
  if (type.isDynamicDim(0) != static_cast<bool>(getSize())) // replicate_c2
    return emitOpError("takes a size exactly when the outer size is dynamic");
  return success();
}
