//===- SoacLinear.cpp - accumulators are linear values --------------------===//

#include "Soac.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ad::soac;

/// Whether `op` runs each of its regions at most once per run of `op`.
static bool runsRegionsAtMostOnce(Operation *op) {
  return isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp, WithAccOp>(
      op);
}

/// Whether two uses can never both be reached: they lie in different regions of
/// one conditional.
static bool areExclusive(Operation *a, Operation *b) {
  for (Region *ra = a->getParentRegion(); ra; ra = ra->getParentRegion())
    for (Region *rb = b->getParentRegion(); rb; rb = rb->getParentRegion())
      if (ra != rb && ra->getParentOp() == rb->getParentOp())
        return isa_and_nonnull<scf::IfOp, scf::IndexSwitchOp>(
            ra->getParentOp());
  return false;
}

/// Whether use `a` of an accumulator comes before use `b`, as far as the blocks
/// between them and the accumulator tell.
static bool isBefore(Operation *a, Operation *b, Value acc) {
  Block *block = acc.getParentBlock();
  Operation *outerA = block->findAncestorOpInBlock(*a);
  Operation *outerB = block->findAncestorOpInBlock(*b);
  if (outerA && outerB && outerA != outerB)
    return outerA->isBeforeInBlock(outerB);
  return a->getBlock() == b->getBlock() && a->isBeforeInBlock(b);
}

LogicalResult ad::soac::verifyLinear(Value acc) {
  if (!isa<AccType>(acc.getType()) || acc.getDefiningOp<NullAccOp>())
    return success();
  SmallVector<Operation *> users;
  for (OpOperand &use : acc.getUses()) {
    Operation *user = use.getOwner();
    for (Region *region = user->getParentRegion();
         region && region != acc.getParentRegion();
         region = region->getParentRegion())
      if (Operation *parent = region->getParentOp();
          !runsRegionsAtMostOnce(parent))
        return user->emitOpError("consumes an accumulator from outside '")
               << parent->getName()
               << "', which runs its body many times; pass it in and yield it";
    for (Operation *other : users)
      if (!areExclusive(other, user)) {
        Operation *late = isBefore(user, other, acc) ? other : user;
        return late->emitOpError("uses an accumulator after its consumption: "
                                 "accumulators are linear");
      }
    users.push_back(user);
  }
  return success();
}

LogicalResult ad::soac::verifyAccumulators(Operation *op) {
  auto check = [](auto &&values) {
    for (Value value : values)
      if (failed(verifyLinear(value)))
        return failure();
    return success();
  };
  if (failed(check(op->getOperands())) || failed(check(op->getResults())))
    return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(check(block.getArguments())))
        return failure();
  return success();
}
