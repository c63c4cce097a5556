//===- AdClosure.cpp - functions as values: syntax, constraints -----------===//
//
// The numbers (C1), (C2), ... are those of the descriptions in AdClosureOps.td.
//
//===----------------------------------------------------------------------===//

#include "Ad.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ad::request;

static LogicalResult verifyTypes(Operation *op, const Twine &what,
                                 TypeRange actual, TypeRange expected) {
  if (actual.size() != expected.size())
    return op->emitOpError("has ")
           << actual.size() << " " << what << "s but needs "
           << expected.size();
  for (auto [i, pair] : llvm::enumerate(llvm::zip(actual, expected)))
    if (std::get<0>(pair) != std::get<1>(pair))
      return op->emitOpError(what)
             << " " << i << " has type " << std::get<0>(pair) << " but needs "
             << std::get<1>(pair);
  return success();
}

//===----------------------------------------------------------------------===//
// closure
//===----------------------------------------------------------------------===//

LogicalResult ClosureOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getCalleeAttr());
  if (!callee) // closure_c1
    return emitOpError("'")
           << getCallee() << "' is not a function of this module";
  FunctionType type = callee.getFunctionType();
  SmallVector<Type> inputs(getCaptured().getTypes());
  llvm::append_range(inputs, getClosure().getType().getFunction().getInputs());
  if (type.getNumInputs() != inputs.size()) // closure_c2
    return emitOpError("captures ")
           << getCaptured().size() << " values, so that '" << getCallee()
           << "' should have " << inputs.size() << " arguments, not "
           << type.getNumInputs();
  if (failed(verifyTypes(*this, "captured or later argument", inputs,
                         type.getInputs()))) // closure_c2
    return failure();
  return verifyTypes(*this, "result",
                     getClosure().getType().getFunction().getResults(),
                     type.getResults()); // closure_c2
}

//===----------------------------------------------------------------------===//
// lambda
//===----------------------------------------------------------------------===//

ParseResult LambdaOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> inputs, results;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseOptionalArrowTypeList(results) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  for (const OpAsmParser::Argument &argument : arguments)
    inputs.push_back(argument.type);
  ensureTerminator(*result.regions.back(), parser.getBuilder(),
                   result.location);
  result.addTypes(ClosureType::get(
      parser.getContext(),
      FunctionType::get(parser.getContext(), inputs, results)));
  return success();
}

void LambdaOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getBody().getArguments(), printer,
                        [&](BlockArgument argument) {
                          printer.printRegionArgument(argument);
                        });
  printer << ')';
  printer.printOptionalArrowTypeList(
      getClosure().getType().getFunction().getResults());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult LambdaOp::verifyRegions() { // lambda_c1
  FunctionType type = getClosure().getType().getFunction();
  if (failed(verifyTypes(*this, "argument", getBody().getArgumentTypes(),
                         type.getInputs())))
    return failure();
  Operation *end = getBody().front().getTerminator();
  return verifyTypes(end, "value", end->getOperandTypes(), type.getResults());
}

//===----------------------------------------------------------------------===//
// call
//===----------------------------------------------------------------------===//

ParseResult CallOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand closure;
  SmallVector<OpAsmParser::UnresolvedOperand> arguments;
  ClosureType type;
  if (parser.parseOperand(closure) ||
      parser.parseOperandList(arguments, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseType(type) ||
      parser.resolveOperand(closure, type, result.operands) ||
      parser.resolveOperands(arguments, type.getFunction().getInputs(),
                             location, result.operands))
    return failure();
  result.addTypes(type.getFunction().getResults());
  return success();
}

void CallOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getClosure() << '(' << getArgs() << ')';
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getClosure().getType();
}

LogicalResult CallOp::verify() { // call_c1
  FunctionType type = getClosure().getType().getFunction();
  if (failed(verifyTypes(*this, "argument", getArgs().getTypes(),
                         type.getInputs())))
    return failure();
  return verifyTypes(*this, "result", getResultTypes(), type.getResults());
}
