//===- SoacHist.cpp - syntax and constraints of hist and scatter ----------===//

#include "SoacDetail.h"

using namespace mlir;
using namespace ad::soac;

//===----------------------------------------------------------------------===//
// Syntax: `at` (indices) `ins` (inputs) `into` (dests) [`neutral` (neutrals)]
//===----------------------------------------------------------------------===//

/// Parses the groups of operands; the results have the types of the
/// destinations.
template <typename OpTy>
static ParseResult parseGroups(OpAsmParser &parser, OperationState &result,
                               ArrayRef<StringRef> keywords) {
  SmallVector<int32_t> segments;
  for (StringRef keyword : keywords) {
    SmallVector<Type> types;
    SMLoc loc = parser.getCurrentLocation();
    FailureOr<int> count = parseGroup(parser, result, keyword, types);
    if (failed(count))
      return failure();
    if (*count < 0)
      return parser.emitError(loc, "expected '") << keyword << "'";
    segments.push_back(*count);
    if (keyword == "into")
      result.addTypes(types);
  }
  llvm::copy(segments, result.getOrAddProperties<typename OpTy::Properties>()
                           .operandSegmentSizes.begin());
  return success();
}

ParseResult HistOp::parse(OpAsmParser &parser, OperationState &result) {
  if (parseGroups<HistOp>(parser, result, {"at", "ins", "into", "neutral"}))
    return failure();
  return parseBody(parser, result, /*explicitResults=*/false);
}

void HistOp::print(OpAsmPrinter &printer) {
  printGroup(printer, "at", getIndices());
  printGroup(printer, "ins", getInputs());
  printGroup(printer, "into", getDests());
  printGroup(printer, "neutral", getNeutrals());
  printBody(printer, *this, getBody(), /*explicitResults=*/false);
}

ParseResult ScatterOp::parse(OpAsmParser &parser, OperationState &result) {
  if (parseGroups<ScatterOp>(parser, result, {"at", "ins", "into"}))
    return failure();
  return parser.parseOptionalAttrDict(result.attributes);
}

void ScatterOp::print(OpAsmPrinter &printer) {
  printGroup(printer, "at", getIndices());
  printGroup(printer, "ins", getInputs());
  printGroup(printer, "into", getDests());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

static LogicalResult verifyIndices(Operation *op, OperandRange indices) {
  if (indices.empty()) // hist_c1, scatter_c1
    return op->emitOpError("needs at least one index array");
  for (Value array : indices) {
    auto type = cast<RankedTensorType>(array.getType());
    Type element = type.getElementType();
    bool isIndex = element.isIndex() || (element.isSignlessInteger() &&
                                         !element.isSignlessInteger(1));
    if (type.getRank() != 1 || !isIndex) // hist_c1, scatter_c1
      return op->emitOpError(
                 "index array must be a vector of index or signless "
                 "integers of more than one bit, but is ")
             << type;
  }
  return success();
}

/// The element of an array below its first `indexed` dimensions.
static Type getElementBelow(RankedTensorType array, int64_t indexed) {
  if (array.getRank() == indexed)
    return array.getElementType();
  return RankedTensorType::get(array.getShape().drop_front(indexed),
                               array.getElementType());
}

/// What hist and scatter have in common.
template <typename OpTy> static LogicalResult verifyUpdate(OpTy op) {
  if (failed(verifyIndices(op, op.getIndices())))
    return failure();
  int64_t indexed = op.getIndices().size(), count = op.getInputs().size();
  if (count == 0) // hist_c2, scatter_c2
    return op.emitOpError("needs at least one value array");
  if (count !=
      static_cast<int64_t>(op.getDests().size())) // hist_c2, scatter_c2
    return op.emitOpError("has ") << count << " value arrays but "
                                  << op.getDests().size() << " destinations";
  int64_t width;
  OperandRange read = op->getOperands().take_front(indexed + count);
  if (failed(verifyInputs(op, read, width))) // c2 and c3 of both
    return failure();
  SmallVector<int64_t> bins(indexed, ShapedType::kDynamic);
  for (auto [input, dest] : llvm::zip(op.getInputs(), op.getDests())) {
    auto type = cast<RankedTensorType>(dest.getType());
    if (type.getRank() < indexed) // hist_c4, scatter_c4
      return op.emitOpError("has ")
             << indexed << " index arrays but destination " << type
             << " has fewer dimensions";
    Type element = getElementOfArray(cast<RankedTensorType>(input.getType()));
    if (getElementBelow(type, indexed) != element) // hist_c4, scatter_c4
      return op.emitOpError("destination has elements of type ")
             << getElementBelow(type, indexed)
             << " but the value array's element is " << element;
    for (int64_t d = 0; d < indexed; ++d) {
      int64_t size = type.getDimSize(d);
      if (ShapedType::isDynamic(size))
        continue;
      if (!ShapedType::isDynamic(bins[d]) && bins[d] != size) // c5 of both
        return op.emitOpError("destinations have different sizes in dimension ")
               << d << ": " << bins[d] << " and " << size;
      bins[d] = size;
    }
  }
  if (op->getResultTypes() != op.getDests().getTypes()) // hist_c7, scatter_c6
    return op.emitOpError("result types differ from the destinations' types");
  return success();
}

LogicalResult ScatterOp::verify() { return verifyUpdate(*this); }

LogicalResult HistOp::verify() {
  if (failed(verifyUpdate(*this)))
    return failure();
  if (getInputs().size() != getNeutrals().size()) // hist_c2
    return emitOpError("has ") << getInputs().size() << " value arrays but "
                               << getNeutrals().size() << " neutral elements";
  for (auto [input, neutral] : llvm::zip(getInputs(), getNeutrals())) {
    Type element = getElementOfArray(cast<RankedTensorType>(input.getType()));
    if (element != neutral.getType()) // hist_c4
      return emitOpError("neutral element has type ")
             << neutral.getType() << " but the value array's element is "
             << element;
  }
  return success();
}
