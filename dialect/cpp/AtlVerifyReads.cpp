//===- AtlVerifyReads.cpp - constraints of access, compare and member -----===//
//
// The numbers (C1), (C2), ... are those of the descriptions in AtlOps.td.
//
//===----------------------------------------------------------------------===//

#include "AtlDetail.h"

using namespace mlir;
using namespace ad::atl;

LogicalResult AccessOp::verify() {
  if (getMap().getNumResults() == 0) // access_c1
    return emitOpError("needs at least one index");
  if (!isValueType(getTensor().getType())) // access_c1
    return emitOpError("elements of the tensor must be floats or pairs: ")
           << getTensor().getType();
  return verifyAffine(*this, getMap(), getIndices());
}

LogicalResult CompareOp::verify() {
  if (getMap().getNumResults() != 2) // compare_c1
    return emitOpError("compares two expressions, not ")
           << getMap().getNumResults();
  return verifyAffine(*this, getMap(), getIndices());
}

LogicalResult MemberOp::verify() {
  size_t results = getMap().getNumResults();
  if (getAt() ? results < 2 : results < 1) // member_c1
    return emitOpError("needs at least one index");
  size_t places = getAt() ? results - 1 : results;
  if (getRelation().empty()) // member_c1
    return emitOpError("needs a relation");
  if (isDense()) {
    auto type = cast<RankedTensorType>(getRelation()[0].getType());
    if (static_cast<size_t>(type.getRank()) != places) // member_c1
      return emitOpError("relation ") << type << " needs " << type.getRank()
                                      << " indices, not " << places;
    if (getAt()) // member_c3
      return emitOpError("has no numbered tuples: ") << type;
    if (getCompressed()) // member_c6
      return emitOpError("is no list that could be compressed: ") << type;
    return verifyAffine(*this, getMap(), getIndices());
  }
  if (getRelation().size() != places) // member_c1
    return emitOpError("relation of ")
           << getRelation().size() << " arrays needs as many indices, not "
           << places;
  int64_t size = ShapedType::kDynamic;
  for (Value array : getRelation()) {
    auto type = cast<RankedTensorType>(array.getType());
    Type element = type.getElementType();
    if (type.getRank() != 1 || !(element.isIndex() || element.isInteger(32) ||
                                 element.isInteger(64))) // member_c1
      return emitOpError("relation must be a tensor of 'i1', or arrays of "
                         "'index', 'i32' or 'i64' of rank one: ")
             << type;
    if (type.isDynamicDim(0))
      continue;
    if (getCompressed() && array == getRelation().front()) {
      if (type.getDimSize(0) == 0) // member_c2
        return emitOpError("compressed list has no number behind its last "
                           "tuple: ")
               << type;
      continue;
    }
    if (!ShapedType::isDynamic(size) && type.getDimSize(0) != size) // member_c2
      return emitOpError("arrays of the list have different sizes: ")
             << size << " and " << type.getDimSize(0);
    size = type.getDimSize(0);
  }
  return verifyAffine(*this, getMap(), getIndices());
}
