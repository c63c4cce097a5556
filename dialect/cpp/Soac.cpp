//===- Soac.cpp - dialect, syntax of the body operations ------------------===//

#include "SoacDetail.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ad::soac;

#include "SoacDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "SoacTypes.cpp.inc"
#define GET_OP_CLASSES
#include "SoacOps.cpp.inc"

namespace {
/// Every operation of the dialect may be inlined anywhere.
struct SoacInliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void SoacDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "SoacTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "SoacOps.cpp.inc"
      >();
  addInterfaces<SoacInliner>();
}

Type ad::soac::getElementOfArray(RankedTensorType array) {
  if (array.getRank() == 1)
    return array.getElementType();
  return RankedTensorType::get(array.getShape().drop_front(),
                               array.getElementType());
}

SmallVector<Region *> MapOp::getLoopRegions() { return {&getBody()}; }
SmallVector<Region *> ReduceOp::getLoopRegions() { return {&getBody()}; }
SmallVector<Region *> ScanOp::getLoopRegions() { return {&getBody()}; }
SmallVector<Region *> HistOp::getLoopRegions() { return {&getBody()}; }

//===----------------------------------------------------------------------===//
// Syntax shared by the operations with a body:
//   (keyword `(` operands `:` types `)`)* `(` block-arguments `)`
//   (`->` result-types)? attr-dict? region
//===----------------------------------------------------------------------===//

FailureOr<int> ad::soac::parseGroup(OpAsmParser &parser, OperationState &result,
                                    StringRef keyword,
                                    SmallVectorImpl<Type> &types) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return -1;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen())
    return failure();
  if (succeeded(parser.parseOptionalRParen()))
    return 0;
  if (parser.parseOperandList(operands) || parser.parseColonTypeList(types) ||
      parser.parseRParen() ||
      parser.resolveOperands(operands, types, loc, result.operands))
    return failure();
  return static_cast<int>(operands.size());
}

ParseResult ad::soac::parseBody(OpAsmParser &parser, OperationState &result,
                                bool explicitResults) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return failure();
  if (explicitResults && parser.parseArrowTypeList(result.types))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

template <typename OpTy>
static ParseResult parseBodyOp(OpAsmParser &parser, OperationState &result,
                               StringRef first, StringRef second,
                               bool explicitResults) {
  SmallVector<Type> firstTypes, secondTypes;
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<int> count = parseGroup(parser, result, first, firstTypes);
  if (failed(count))
    return failure();
  if (*count < 0)
    return parser.emitError(loc, "expected '") << first << "'";
  if constexpr (OpTy::template hasTrait<OpTrait::AttrSizedOperandSegments>()) {
    FailureOr<int> more = parseGroup(parser, result, second, secondTypes);
    if (failed(more))
      return failure();
    if (*more < 0 && !explicitResults)
      return parser.emitError(parser.getCurrentLocation(), "expected '")
             << second << "'";
    result.getOrAddProperties<typename OpTy::Properties>()
        .operandSegmentSizes = {*count, std::max(*more, 0)};
  }
  if (!explicitResults)
    result.addTypes(std::is_same_v<OpTy, ScanOp> ? firstTypes : secondTypes);
  return parseBody(parser, result, explicitResults);
}

void ad::soac::printGroup(OpAsmPrinter &printer, StringRef keyword,
                          OperandRange operands) {
  printer << ' ' << keyword << '(' << operands;
  if (!operands.empty())
    printer << " : " << operands.getTypes();
  printer << ')';
}

void ad::soac::printBody(OpAsmPrinter &printer, Operation *op, Region &body,
                         bool explicitResults) {
  printer << " (";
  if (!body.empty())
    llvm::interleaveComma(body.getArguments(), printer, [&](BlockArgument arg) {
      printer.printRegionArgument(arg);
    });
  printer << ')';
  if (explicitResults)
    printer.printArrowTypeList(op->getResultTypes());
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(),
                                           {"operandSegmentSizes"});
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult MapOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseBodyOp<MapOp>(parser, result, "ins", "accs", true);
}

void MapOp::print(OpAsmPrinter &printer) {
  printGroup(printer, "ins", getInputs());
  if (!getAccs().empty())
    printGroup(printer, "accs", getAccs());
  printBody(printer, *this, getBody(), true);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseBodyOp<ReduceOp>(parser, result, "ins", "neutral", false);
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printGroup(printer, "ins", getInputs());
  printGroup(printer, "neutral", getNeutrals());
  printBody(printer, *this, getBody(), false);
}

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseBodyOp<ScanOp>(parser, result, "ins", "neutral", false);
}

void ScanOp::print(OpAsmPrinter &printer) {
  printGroup(printer, "ins", getInputs());
  printGroup(printer, "neutral", getNeutrals());
  printBody(printer, *this, getBody(), false);
}

ParseResult WithAccOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseBodyOp<WithAccOp>(parser, result, "ins", "", true);
}

void WithAccOp::print(OpAsmPrinter &printer) {
  printGroup(printer, "ins", getArrays());
  printBody(printer, *this, getBody(), true);
}
