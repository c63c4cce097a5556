//===- AtlAffine.cpp - affine expressions over SSA values -----------------===//
//
// The syntax is that of affine maps of SSA values upstream, without division,
// remainder and symbols, and with results of operations that have several.
//
//===----------------------------------------------------------------------===//

#include "AtlDetail.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ad::atl;

//===----------------------------------------------------------------------===//
// Syntax:  affine ::= term ((`+` | `-`) term)*
//          term   ::= `-` term | factor (`*` factor)*
//          factor ::= integer | operand | `(` affine `)`
//===----------------------------------------------------------------------===//

static ParseResult parseFactor(OpAsmParser &parser, AffineOperands &operands,
                               AffineExpr &expr) {
  MLIRContext *context = parser.getContext();
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parseAffine(parser, operands, expr) || parser.parseRParen());
  int64_t constant;
  OptionalParseResult number = parser.parseOptionalInteger(constant);
  if (number.has_value()) {
    expr = getAffineConstantExpr(constant, context);
    return *number;
  }
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult name = parser.parseOptionalOperand(operand);
  if (!name.has_value())
    return parser.emitError(parser.getCurrentLocation(),
                            "expected an index, a size or an integer");
  if (failed(*name))
    return failure();
  auto known = llvm::find_if(operands, [&](auto &other) {
    return other.name == operand.name && other.number == operand.number;
  });
  expr = getAffineDimExpr(known - operands.begin(), context);
  if (known == operands.end())
    operands.push_back(operand);
  return success();
}

static ParseResult parseTerm(OpAsmParser &parser, AffineOperands &operands,
                             AffineExpr &expr) {
  if (succeeded(parser.parseOptionalMinus())) {
    if (parseTerm(parser, operands, expr))
      return failure();
    expr = -expr;
    return success();
  }
  if (parseFactor(parser, operands, expr))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalStar())) {
    AffineExpr factor;
    if (parseFactor(parser, operands, factor))
      return failure();
    if (!isa<AffineConstantExpr>(expr) && !isa<AffineConstantExpr>(factor))
      return parser.emitError(loc, "not affine: one factor must be a constant");
    expr = expr * factor;
    loc = parser.getCurrentLocation();
  }
  StringRef division;
  if (succeeded(parser.parseOptionalKeyword(&division,
                                            {"mod", "floordiv", "ceildiv"})))
    return parser.emitError(loc, "not affine here: '") << division << "'";
  return success();
}

ParseResult ad::atl::parseAffine(OpAsmParser &parser, AffineOperands &operands,
                                 AffineExpr &expr) {
  if (parseTerm(parser, operands, expr))
    return failure();
  while (true) {
    bool minus = succeeded(parser.parseOptionalMinus());
    if (!minus && failed(parser.parseOptionalPlus()))
      return success();
    AffineExpr term;
    if (parseTerm(parser, operands, term))
      return failure();
    expr = minus ? expr - term : expr + term;
  }
}

ParseResult ad::atl::parseAffineList(OpAsmParser &parser,
                                     AffineOperands &operands,
                                     SmallVectorImpl<AffineExpr> &exprs) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
    return parseAffine(parser, operands, exprs.emplace_back());
  });
}

void ad::atl::printAffine(OpAsmPrinter &printer, AffineExpr expr,
                          ValueRange operands) {
  // Symbols are not ours, but an invalid operation must print, too.
  printer.printAffineExprOfSSAIds(expr, operands, operands);
}

void ad::atl::printAffineList(OpAsmPrinter &printer, ArrayRef<AffineExpr> exprs,
                              ValueRange operands) {
  printer << '[';
  llvm::interleaveComma(exprs, printer, [&](AffineExpr expr) {
    printAffine(printer, expr, operands);
  });
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The operation of the dialect that the value is defined in, if any.
static Operation *getSurrounding(Value value) {
  Region *region = value.getParentRegion();
  for (Operation *op = region ? region->getParentOp() : nullptr; op;
       op = op->getParentOp())
    if (isa<GenOp, SumOp, ExistsOp, BracketOp>(op))
      return op;
  return nullptr;
}

bool ad::atl::isSize(Value value) {
  return matchPattern(value, m_Constant()) || !getSurrounding(value);
}

/// Sums of dimensions and constants times constants.
static bool isLinear(AffineExpr expr) {
  if (isa<AffineDimExpr, AffineConstantExpr>(expr))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || !isLinear(binary.getLHS()) || !isLinear(binary.getRHS()))
    return false;
  return expr.getKind() == AffineExprKind::Add ||
         (expr.getKind() == AffineExprKind::Mul &&
          (isa<AffineConstantExpr>(binary.getLHS()) ||
           isa<AffineConstantExpr>(binary.getRHS())));
}

LogicalResult ad::atl::verifyAffine(Operation *op, AffineMap map,
                                    OperandRange operands) {
  // access_c2, compare_c2, member_c4
  if (map.getNumDims() != operands.size() || map.getNumSymbols() != 0)
    return op->emitOpError("map takes ")
           << map.getNumDims() << " dimensions and " << map.getNumSymbols()
           << " symbols but should take " << operands.size()
           << " dimensions, one for each operand, and no symbols";
  for (AffineExpr expr : map.getResults())
    if (!isLinear(expr)) {
      std::string text;
      llvm::raw_string_ostream(text) << expr;
      return op->emitOpError("expression is not a sum of indices, sizes and "
                             "constants times constants: ")
             << text;
    }
  // access_c3, compare_c3, member_c5
  for (Value operand : operands) {
    auto argument = dyn_cast<BlockArgument>(operand);
    bool isIndex = argument && isa_and_present<GenOp, SumOp, ExistsOp>(
                                   argument.getOwner()->getParentOp());
    if (isIndex || isSize(operand))
      continue;
    InFlightDiagnostic error = op->emitOpError(
        "operand of an affine expression is neither an index of a surrounding "
        "operation nor a size: write sums and multiples of indices in the "
        "expression itself, and compute sizes outside of 'atl' operations");
    error.attachNote(operand.getLoc()) << "computed here";
    return error;
  }
  return success();
}
