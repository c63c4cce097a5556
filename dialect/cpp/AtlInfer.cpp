//===- AtlInfer.cpp - result types and speculatability --------------------===//

#include "AtlDetail.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ad::atl;

/// Speculatable only if the type says that it is in range.
Speculation::Speculatability AccessOp::getSpeculatability() {
  RankedTensorType type = getTensor().getType();
  for (auto [i, expr] : llvm::enumerate(getMap().getResults())) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!constant || type.isDynamicDim(i) || constant.getValue() < 0 ||
        constant.getValue() >= type.getDimSize(i))
      return Speculation::NotSpeculatable;
  }
  return Speculation::Speculatable;
}

LogicalResult
AccessOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto type = dyn_cast<RankedTensorType>(adaptor.getTensor().getType());
  if (!type || !adaptor.getMapAttr())
    return failure();
  size_t count = adaptor.getMap().getNumResults();
  if (count > static_cast<size_t>(type.getRank())) // access_c1
    return emitOptionalError(location, "'atl.access' op has ", count,
                             " indices but the tensor has ", type.getRank(),
                             " dimensions");
  types.push_back(dropDimensions(type, count));
  return success();
}

LogicalResult PairOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> location,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  auto emitError = [&] {
    return mlir::emitError(location.value_or(UnknownLoc::get(context)))
           << "'atl.pair' op ";
  };
  Type type = PairType::getChecked(emitError, context, operands[0].getType(),
                                   operands[1].getType()); // pair_c1
  if (!type)
    return failure();
  types.push_back(type);
  return success();
}

LogicalResult
ProjectOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                            ValueRange operands, DictionaryAttr attributes,
                            OpaqueProperties properties, RegionRange regions,
                            SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto type = dyn_cast<PairType>(adaptor.getPair().getType());
  if (!type || !adaptor.getNumberAttr())
    return failure();
  uint64_t number = adaptor.getNumber();
  if (number > 1) // project_c1
    return emitOptionalError(location,
                             "'atl.project' op number must be 0 or 1, not ",
                             static_cast<int64_t>(number));
  types.push_back(number == 0 ? type.getFirst() : type.getSecond());
  return success();
}
