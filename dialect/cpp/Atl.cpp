//===- Atl.cpp - dialect, types, syntax of the operations -----------------===//

#include "AtlDetail.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ad::atl;

#include "AtlDialect.cpp.inc"
#include "AtlEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "AtlTypes.cpp.inc"
#define GET_OP_CLASSES
#include "AtlOps.cpp.inc"

namespace {
/// Our operations may be inlined anywhere but into bodies: there an argument
/// that they take for a size may turn out to be an index. Functions of numbers
/// may be inlined into bodies, unless they choose or compute with anything else:
/// what they are called for is then a number that the language can have.
struct AtlInliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *callee, bool,
                       IRMapping &) const final {
    return callee->hasOneBlock() &&
           llvm::all_of(
               callee->front().without_terminator(), [](Operation &op) {
                 auto isNumber = [](Type type) { return isa<FloatType>(type); };
                 return mayBeInBody(&op) && !isa<AtlDialect>(op.getDialect()) &&
                        llvm::all_of(op.getOperandTypes(), isNumber) &&
                        llvm::all_of(op.getResultTypes(), isNumber);
               });
  }
};
} // namespace

void AtlDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "AtlTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "AtlOps.cpp.inc"
      >();
  addInterfaces<AtlInliner>();
}

SmallVector<Region *> GenOp::getLoopRegions() { return {&getBody()}; }
SmallVector<Region *> SumOp::getLoopRegions() { return {&getBody()}; }
SmallVector<Region *> ExistsOp::getLoopRegions() { return {&getBody()}; }

bool MemberOp::isDense() {
  return getRelation().size() == 1 &&
         cast<RankedTensorType>(getRelation()[0].getType())
             .getElementType()
             .isInteger(1);
}

//===----------------------------------------------------------------------===//
// Syntax of gen, sum and exists:
//   `(` index `in` size (`,` index `in` size)* `)` (`->` type)? attr-dict?
//   region
//===----------------------------------------------------------------------===//

static ParseResult parseIndexed(OpAsmParser &parser, OperationState &result,
                                bool explicitResult) {
  Builder &builder = parser.getBuilder();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> sizes;
  auto parseIndex = [&]() -> ParseResult {
    arguments.emplace_back().type = builder.getIndexType();
    return failure(parser.parseOperand(arguments.back().ssaName,
                                       /*allowResultNumber=*/false) ||
                   parser.parseKeyword("in") ||
                   parser.parseOperand(sizes.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseIndex))
    return failure();
  Type type = builder.getI1Type();
  if (explicitResult && parser.parseArrowTypeList(result.types))
    return failure();
  if (!explicitResult)
    result.addTypes(type);
  if (parser.resolveOperands(sizes, builder.getIndexType(), result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

static void printIndexed(OpAsmPrinter &printer, Operation *op, Region &body,
                         bool explicitResult) {
  printer << " (";
  llvm::interleaveComma(llvm::zip(body.getArguments(), op->getOperands()),
                        printer, [&](auto pair) {
                          printer << std::get<0>(pair) << " in "
                                  << std::get<1>(pair);
                        });
  printer << ')';
  if (explicitResult)
    printer.printArrowTypeList(op->getResultTypes());
  printer.printOptionalAttrDictWithKeyword(op->getAttrs());
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult GenOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseIndexed(parser, result, true);
}
void GenOp::print(OpAsmPrinter &printer) {
  printIndexed(printer, *this, getBody(), true);
}

ParseResult SumOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseIndexed(parser, result, true);
}
void SumOp::print(OpAsmPrinter &printer) {
  printIndexed(printer, *this, getBody(), true);
}

ParseResult ExistsOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseIndexed(parser, result, false);
}
void ExistsOp::print(OpAsmPrinter &printer) {
  printIndexed(printer, *this, getBody(), false);
}

ParseResult BracketOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand condition;
  Type i1 = parser.getBuilder().getI1Type();
  return failure(parser.parseOperand(condition) ||
                 parser.resolveOperand(condition, i1, result.operands) ||
                 parser.parseArrowTypeList(result.types) ||
                 parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseRegion(*result.addRegion()));
}
void BracketOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getCondition();
  printer.printArrowTypeList(getOperation()->getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}
