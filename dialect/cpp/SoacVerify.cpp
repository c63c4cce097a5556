//===- SoacVerify.cpp - constraints of the soac operations ----------------===//
//
// The numbers (C1), (C2), ... are those of the descriptions in SoacOps.td.
//
//===----------------------------------------------------------------------===//

#include "SoacDetail.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace ad::soac;

//===----------------------------------------------------------------------===//
// Shared checks of bodies
//===----------------------------------------------------------------------===//

LogicalResult ad::soac::verifyInputs(Operation *op, OperandRange inputs,
                                     int64_t &width) {
  if (inputs.empty()) // map_c1, reduce_c1
    return op->emitOpError("needs at least one input array");
  width = ShapedType::kDynamic;
  for (Value input : inputs) {
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getRank() == 0) // map_c1, reduce_c1
      return op->emitOpError("input of rank zero has no elements: ") << type;
    int64_t size = type.getDimSize(0);
    if (ShapedType::isDynamic(size))
      continue;
    if (!ShapedType::isDynamic(width) && size != width) // map_c2, reduce_c2
      return op->emitOpError("inputs have different outer sizes: ")
             << width << " and " << size;
    width = size;
  }
  return success();
}

LogicalResult ad::soac::verifyBodyArguments(Operation *op, Region &body,
                                            ArrayRef<Type> expected) {
  TypeRange actual = body.front().getArgumentTypes();
  if (actual != TypeRange(expected))
    return op->emitOpError("body takes (")
           << actual << ") but should take (" << expected << ")";
  return success();
}

LogicalResult ad::soac::verifyYield(Operation *op, Region &body,
                                    ArrayRef<Type> expected) {
  Operation *yield = body.front().getTerminator();
  if (!isa<YieldOp>(yield))
    return op->emitOpError("body must end in 'soac.yield'");
  if (yield->getOperandTypes() != TypeRange(expected))
    return yield->emitOpError("yields (")
           << yield->getOperandTypes() << ") but the body of '" << op->getName()
           << "' should yield (" << expected << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// The operations
//===----------------------------------------------------------------------===//

LogicalResult MapOp::verify() {
  int64_t width;
  if (failed(verifyInputs(*this, getInputs(), width)))
    return failure();
  if (getNumResults() < getAccs().size()) // map_c4
    return emitOpError("returns fewer results than it takes accumulators");
  for (unsigned i = 0, n = getNumArrayResults(); i < n; ++i) {
    auto type = dyn_cast<RankedTensorType>(getResult(i).getType());
    if (!type || type.getRank() == 0) // map_c4
      return emitOpError("result ")
             << i << " must be a tensor of rank one or more";
    int64_t size = type.getDimSize(0);
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(width) &&
        size != width) // map_c2
      return emitOpError("result ") << i << " has outer size " << size
                                    << " but the inputs have " << width;
  }
  return success();
}

LogicalResult MapOp::verifyRegions() {
  SmallVector<Type> arguments, yielded;
  for (Value input : getInputs())
    arguments.push_back(
        getElementOfArray(cast<RankedTensorType>(input.getType())));
  llvm::append_range(arguments, getAccs().getTypes());
  if (failed(verifyBodyArguments(*this, getBody(), arguments))) // map_c3
    return failure();
  for (unsigned i = 0, n = getNumArrayResults(); i < n; ++i)
    yielded.push_back(
        getElementOfArray(cast<RankedTensorType>(getResult(i).getType())));
  for (unsigned i = 0, n = getAccs().size(); i < n; ++i)
    if (getResult(getNumArrayResults() + i).getType() != getAccs()[i].getType())
      return emitOpError("accumulator ") // map_c4
             << i << " changes its type from " << getAccs()[i].getType()
             << " to " << getResult(getNumArrayResults() + i).getType();
  llvm::append_range(yielded, getAccs().getTypes());
  if (failed(verifyYield(*this, getBody(), yielded))) // map_c4
    return failure();
  return verifyAccumulators(*this); // map_c5
}

/// What reductions and scans have in common.
template <typename OpTy>
static LogicalResult verifyFold(OpTy op, ValueTypeRange<ResultRange> results,
                                TypeRange expected) {
  int64_t width;
  if (failed(verifyInputs(op, op.getInputs(), width)))
    return failure();
  if (op.getInputs().size() != op.getNeutrals().size()) // reduce_c1, scan_c1
    return op.emitOpError("has ")
           << op.getInputs().size() << " inputs but " << op.getNeutrals().size()
           << " neutral elements";
  for (auto [input, neutral] : llvm::zip(op.getInputs(), op.getNeutrals())) {
    Type element = getElementOfArray(cast<RankedTensorType>(input.getType()));
    if (element != neutral.getType()) // reduce_c3, scan_c3
      return op.emitOpError("neutral element has type ")
             << neutral.getType() << " but the input's element is " << element;
  }
  if (TypeRange(results) != expected) // reduce_c5, scan_c5
    return op.emitOpError("result types differ from the ")
           << (std::is_same_v<OpTy, ScanOp> ? "inputs'" : "neutral elements'")
           << " types";
  return success();
}

/// The body combines two tuples of the neutral elements' types.
template <typename OpTy> static LogicalResult verifyOperator(OpTy op) {
  SmallVector<Type> tuple(op.getNeutrals().getTypes()), arguments(tuple);
  llvm::append_range(arguments, tuple);
  if (failed(verifyBodyArguments(op, op.getBody(),
                                 arguments))) // reduce_c4, scan_c4
    return failure();
  return verifyYield(op, op.getBody(), tuple); // reduce_c4, scan_c4
}

LogicalResult ReduceOp::verify() {
  return verifyFold(*this, getResultTypes(), getNeutrals().getTypes());
}

LogicalResult ReduceOp::verifyRegions() { return verifyOperator(*this); }

LogicalResult ScanOp::verify() {
  return verifyFold(*this, getResultTypes(), getInputs().getTypes());
}

LogicalResult ScanOp::verifyRegions() { return verifyOperator(*this); }

LogicalResult HistOp::verifyRegions() {
  return verifyOperator(*this);
} // hist_c6

LogicalResult WithAccOp::verify() {
  if (getArrays().empty()) // with_acc_c1
    return emitOpError("needs at least one array");
  if (getNumResults() < getArrays().size() ||
      TypeRange(getResultTypes()).take_front(getArrays().size()) !=
          TypeRange(getArrays().getTypes())) // with_acc_c3
    return emitOpError("results must begin with the types of the arrays");
  return success();
}

LogicalResult WithAccOp::verifyRegions() {
  SmallVector<Type> accs;
  for (Value array : getArrays())
    accs.push_back(
        AccType::get(getContext(), cast<RankedTensorType>(array.getType())));
  if (failed(verifyBodyArguments(*this, getBody(), accs))) // with_acc_c1
    return failure();
  llvm::append_range(
      accs, TypeRange(getResultTypes()).drop_front(getArrays().size()));
  if (failed(verifyYield(*this, getBody(), accs))) // with_acc_c2
    return failure();
  return verifyAccumulators(*this); // with_acc_c4
}
