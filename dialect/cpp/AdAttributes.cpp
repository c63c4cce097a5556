//===- AdAttributes.cpp - attributes of the ad dialect on loops -----------===//
//
// What each means is in the description of the dialect (AdDialect.td).
//
//===----------------------------------------------------------------------===//

#include "Ad.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ad::request;

/// The attribute belongs to one operation only.
static LogicalResult verifyOwner(Operation *op, NamedAttribute attribute,
                                 StringRef owner) {
  if (op->getName().getStringRef() == owner)
    return success();
  return op->emitOpError("has attribute '")
         << attribute.getName().getValue() << "', which belongs on '" << owner
         << "'";
}

/// One positive integer, or (with `list`) an array of at least one.
static LogicalResult verifyPositive(Operation *op, NamedAttribute attribute,
                                    bool list) {
  SmallVector<int64_t> numbers;
  if (auto number = dyn_cast<IntegerAttr>(attribute.getValue()))
    numbers.push_back(number.getInt());
  else if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
           array && list)
    llvm::append_range(numbers, array.asArrayRef());
  if (numbers.empty())
    return op->emitOpError("attribute '")
           << attribute.getName().getValue() << "' must be a positive integer"
           << (list ? " or an array of them, such as array<i64: 16, 8>" : "");
  for (int64_t number : numbers)
    if (number <= 0)
      return op->emitOpError("attribute '")
             << attribute.getName().getValue() << "' holds " << number
             << ", which is not positive";
  return success();
}

/// A unit attribute, or one truth value for each loop-carried value. Upstream
/// may drop carried values and keep the attribute; what then reads it sees by
/// the number.
static LogicalResult verifyFlags(Operation *op, NamedAttribute attribute) {
  if (isa<UnitAttr, DenseBoolArrayAttr>(attribute.getValue()))
    return success();
  return op->emitOpError("attribute '")
         << attribute.getName().getValue()
         << "' must be 'unit' or say for each loop-carried value whether it is "
            "meant, such as array<i1: true, false>";
}

LogicalResult AdDialect::verifyOperationAttribute(Operation *op,
                                                  NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == "ad.strip_mine") {
    if (failed(verifyOwner(op, attribute, "scf.for")))
      return failure();
    return verifyPositive(op, attribute, /*list=*/true);
  }
  if (name == "ad.no_false_dependencies") {
    if (failed(verifyOwner(op, attribute, "scf.for")))
      return failure();
    return verifyFlags(op, attribute);
  }
  if (name == "ad.bound") {
    if (failed(verifyOwner(op, attribute, "scf.while")))
      return failure();
    return verifyPositive(op, attribute, /*list=*/false);
  }
  // A misspelt annotation must not be lost unnoticed.
  if (op->getName().getDialectNamespace() == "scf")
    return op->emitOpError("has the unknown attribute '")
           << name << "'; loops take 'ad.strip_mine', "
           << "'ad.no_false_dependencies' and 'ad.bound'";
  return success();
}
