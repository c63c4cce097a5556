//===- AtlSyntax.cpp - syntax of access, compare and member ---------------===//

#include "AtlDetail.h"

using namespace mlir;
using namespace ad::atl;

/// The affine map of what was parsed.
static AffineMapAttr makeMap(OpAsmParser &parser,
                             const AffineOperands &operands,
                             ArrayRef<AffineExpr> exprs) {
  return AffineMapAttr::get(
      AffineMap::get(operands.size(), 0, exprs, parser.getContext()));
}

ParseResult AccessOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand tensor;
  AffineOperands operands;
  SmallVector<AffineExpr> exprs;
  RankedTensorType type;
  SMLoc loc;
  if (parser.parseOperand(tensor) || parseAffineList(parser, operands, exprs) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.getCurrentLocation(&loc) || parser.parseType(type) ||
      parser.resolveOperand(tensor, type, result.operands) ||
      parser.resolveOperands(operands, parser.getBuilder().getIndexType(),
                             result.operands))
    return failure();
  auto &properties = result.getOrAddProperties<AccessOp::Properties>();
  properties.map = makeMap(parser, operands, exprs);
  if (exprs.size() > static_cast<size_t>(type.getRank())) // access_c1
    return parser.emitError(loc, "has fewer dimensions than there are indices");
  result.addTypes(dropDimensions(type, exprs.size()));
  return success();
}

void AccessOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getTensor();
  printAffineList(printer, getMap().getResults(), getIndices());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"map"});
  printer << " : " << getTensor().getType();
}

ParseResult CompareOp::parse(OpAsmParser &parser, OperationState &result) {
  AffineOperands operands;
  AffineExpr left, right;
  Comparison comparison = Comparison::eq;
  if (parseAffine(parser, operands, left))
    return failure();
  if (succeeded(parser.parseOptionalLess()))
    comparison = succeeded(parser.parseOptionalEqual()) ? Comparison::le
                                                        : Comparison::lt;
  else if (failed(parser.parseOptionalEqual()))
    return parser.emitError(parser.getCurrentLocation(),
                            "expected '<', '<=' or '='");
  if (parseAffine(parser, operands, right) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.resolveOperands(operands, parser.getBuilder().getIndexType(),
                             result.operands))
    return failure();
  auto &properties = result.getOrAddProperties<CompareOp::Properties>();
  properties.map = makeMap(parser, operands, {left, right});
  properties.comparison = ComparisonAttr::get(parser.getContext(), comparison);
  result.addTypes(parser.getBuilder().getI1Type());
  return success();
}

void CompareOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printAffine(printer, getMap().getResult(0), getIndices());
  printer << ' ' << stringifyComparison(getComparison()) << ' ';
  printAffine(printer, getMap().getResult(1), getIndices());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"map", "comparison"});
}

ParseResult MemberOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> relation;
  AffineOperands operands;
  SmallVector<AffineExpr> exprs;
  SmallVector<Type> types;
  auto &properties = result.getOrAddProperties<MemberOp::Properties>();
  bool isList = succeeded(parser.parseOptionalLParen());
  if (isList && succeeded(parser.parseOptionalKeyword("compressed")))
    properties.compressed = parser.getBuilder().getUnitAttr();
  if (isList && (parser.parseOperandList(relation) || parser.parseRParen()))
    return failure();
  if (!isList && parser.parseOperand(relation.emplace_back()))
    return failure();
  if (parseAffineList(parser, operands, exprs))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("at"))) {
    if (parseAffine(parser, operands, exprs.emplace_back()))
      return failure();
    properties.at = parser.getBuilder().getUnitAttr();
  }
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonTypeList(types) ||
      parser.resolveOperands(relation, types, loc, result.operands) ||
      parser.resolveOperands(operands, parser.getBuilder().getIndexType(),
                             result.operands))
    return failure();
  auto first = types.empty() ? RankedTensorType()
                             : dyn_cast<RankedTensorType>(types.front());
  if (first && isList == first.getElementType().isInteger(1))
    return parser.emitError(loc, "a tensor of 'i1' is written without "
                                 "parentheses, a list of tuples with them");
  properties.map = makeMap(parser, operands, exprs);
  properties.operandSegmentSizes = {static_cast<int32_t>(relation.size()),
                                    static_cast<int32_t>(operands.size())};
  result.addTypes(parser.getBuilder().getI1Type());
  return success();
}

void MemberOp::print(OpAsmPrinter &printer) {
  ArrayRef<AffineExpr> exprs = getMap().getResults();
  if (isDense())
    printer << ' ' << getRelation();
  else
    printer << (getCompressed() ? " (compressed " : " (") << getRelation()
            << ')';
  printAffineList(printer, getAt() ? exprs.drop_back() : exprs, getIndices());
  if (getAt()) {
    printer << " at ";
    printAffine(printer, exprs.back(), getIndices());
  }
  printer.printOptionalAttrDict(
      (*this)->getAttrs(), {"map", "at", "compressed", "operandSegmentSizes"});
  printer << " : " << getRelation().getTypes();
}
