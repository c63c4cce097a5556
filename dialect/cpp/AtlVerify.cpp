//===- AtlVerify.cpp - constraints of the atl operations ------------------===//
//
// The numbers (C1), (C2), ... are those of the descriptions in AtlOps.td.
//
//===----------------------------------------------------------------------===//

#include "AtlDetail.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ad::atl;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool ad::atl::isValueType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getRank() > 0 &&
           isa<FloatType, PairType>(tensor.getElementType());
  return isa<FloatType, PairType>(type);
}

Type ad::atl::dropDimensions(RankedTensorType type, size_t count) {
  if (static_cast<size_t>(type.getRank()) <= count)
    return type.getElementType();
  return RankedTensorType::get(type.getShape().drop_front(count),
                               type.getElementType());
}

LogicalResult PairType::verify(function_ref<InFlightDiagnostic()> emitError,
                               Type first, Type second) {
  for (Type type : {first, second})
    if (!isValueType(type)) // pair_type_c1
      return emitError()
             << "pair of " << type
             << ": must be a float, a pair, or a tensor of rank one "
                "or more of floats or pairs";
  return success();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

static bool isScalar(Type type) { return type.isIntOrIndexOrFloat(); }

bool ad::atl::mayBeInBody(Operation *op) {
  if (isa_and_present<AtlDialect>(op->getDialect()) || isa<tensor::DimOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return (isa_and_present<arith::ArithDialect, math::MathDialect>(
              op->getDialect()) ||
          isa<func::CallOp>(op)) &&
         llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

/// gen_c5, sum_c4, exists_c4, bracket_c3
static LogicalResult verifyOperations(Operation *op, Block &body) {
  for (Operation &inner : body)
    if (!mayBeInBody(&inner))
      return inner.emitOpError("cannot be in the body of '")
             << op->getName()
             << "', which has 'atl' operations, constants, 'arith' and 'math' "
                "on scalars, 'tensor.dim', and 'func.call' on scalars only; do "
                "it outside";
  return success();
}

static LogicalResult verifyYield(Operation *op, Block &body, Type expected) {
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield)
    return op->emitOpError("body must end in 'atl.yield'");
  if (yield.getValue().getType() != expected)
    return yield.emitOpError("yields ")
           << yield.getValue().getType() << " but the body of '"
           << op->getName() << "' should yield " << expected;
  return success();
}

/// What gen, sum and exists have in common.
template <typename OpTy>
static LogicalResult verifyIndexed(OpTy op, Type yielded) {
  Block &body = op.getBody().front();
  SmallVector<Type> indices(op.getSizes().size(),
                            IndexType::get(op.getContext()));
  if (indices.empty()) // gen_c1, sum_c1, exists_c1
    return op.emitOpError("needs at least one index");
  if (body.getArgumentTypes() !=
      TypeRange(indices)) // gen_c1, sum_c1, exists_c1
    return op.emitOpError("body takes (")
           << body.getArgumentTypes() << ") but should take (" << indices
           << ")";
  for (Value size : op.getSizes())
    if (!isSize(size)) { // gen_c4, sum_c3, exists_c3
      InFlightDiagnostic error = op.emitOpError(
          "size is computed inside of an 'atl' operation: compute it outside, "
          "or let a bracket with a comparison say which indices count");
      error.attachNote(size.getLoc()) << "computed here";
      return error;
    }
  if (failed(verifyYield(op, body, yielded))) // gen_c3, sum_c2, exists_c2
    return failure();
  return verifyOperations(op, body); // gen_c5, sum_c4, exists_c4
}

LogicalResult GenOp::verify() {
  RankedTensorType type = getResult().getType();
  if (static_cast<size_t>(type.getRank()) < getSizes().size()) // gen_c2
    return emitOpError("result ") << type << " has fewer dimensions than the "
                                  << getSizes().size() << " indices";
  for (auto [i, size] : llvm::enumerate(getSizes())) {
    APInt constant;
    if (!type.isDynamicDim(i) && matchPattern(size, m_ConstantInt(&constant)) &&
        constant.getSExtValue() != type.getDimSize(i)) // gen_c2
      return emitOpError("result has size ")
             << type.getDimSize(i) << " in dimension " << i
             << " but the index goes to " << constant.getSExtValue();
  }
  if (!isValueType(type)) // gen_c3
    return emitOpError("elements of the result must be floats or pairs: ")
           << type;
  return success();
}

LogicalResult GenOp::verifyRegions() {
  return verifyIndexed(
      *this, dropDimensions(getResult().getType(), getSizes().size()));
}

LogicalResult SumOp::verify() {
  if (!isa<FloatType>(getType())) // sum_c2
    return emitOpError("adds up floats, not ")
           << getType() << ": generate a tensor of sums instead";
  return success();
}

LogicalResult SumOp::verifyRegions() { return verifyIndexed(*this, getType()); }

LogicalResult ExistsOp::verify() { return success(); }
LogicalResult ExistsOp::verifyRegions() {
  return verifyIndexed(*this, getType());
}

LogicalResult BracketOp::verify() {
  if (!isValueType(getType())) // bracket_c1
    return emitOpError(
               "result must be a float, a pair, or a tensor of rank one "
               "or more of floats or pairs: ")
           << getType();
  return success();
}

LogicalResult BracketOp::verifyRegions() {
  Block &body = getBody().front();
  if (body.getNumArguments() != 0) // bracket_c2
    return emitOpError("body takes (")
           << body.getArgumentTypes() << ") but should take ()";
  if (failed(verifyYield(*this, body, getType()))) // bracket_c2
    return failure();
  return verifyOperations(*this, body); // bracket_c3
}
