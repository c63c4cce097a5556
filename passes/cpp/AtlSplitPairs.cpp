//===- AtlSplitPairs.cpp - pairs at boundaries as several values -----------===//
//
// `atl-split-pairs`, by upstream's conversion of one value to several: a pair is
// its halves, and a tensor of pairs the tensors of their halves, which are
// isomorphic [ATL 5.2].
//
//===----------------------------------------------------------------------===//

#include "Atl.h"
#include "SplitValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace ad::atl;

namespace ad {
#define GEN_PASS_DEF_ATLSPLITPAIRS
#include "Passes.h.inc"
} // namespace ad

namespace {

/// The type of a tensor whose elements are pairs, null for any other.
RankedTensorType tensorOfPairs(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<PairType>(tensor.getElementType()) ? tensor : nullptr;
}

/// Appends the types of all numbers and tensors of numbers in a value.
void addLeaves(Type type, SmallVectorImpl<Type> &leaves) {
  if (auto pair = dyn_cast<PairType>(type)) {
    addLeaves(pair.getFirst(), leaves);
    addLeaves(pair.getSecond(), leaves);
    return;
  }
  RankedTensorType outer = tensorOfPairs(type);
  if (!outer) {
    leaves.push_back(type);
    return;
  }
  SmallVector<Type> inner;
  addLeaves(outer.getElementType(), inner);
  for (Type leaf : inner) {
    SmallVector<int64_t> shape(outer.getShape());
    auto tensor = dyn_cast<RankedTensorType>(leaf);
    if (tensor)
      llvm::append_range(shape, tensor.getShape());
    leaves.push_back(RankedTensorType::get(
        shape, tensor ? tensor.getElementType() : leaf));
  }
}

size_t countLeaves(Type type) {
  SmallVector<Type> leaves;
  addLeaves(type, leaves);
  return leaves.size();
}

/// A tensor of the size of `like` in its first dimensions, of elements that
/// `element` makes for indices.
Value generate(OpBuilder &builder, Location loc, RankedTensorType type,
               Value like, int64_t rank,
               function_ref<Value(ValueRange)> element) {
  SmallVector<Value> sizes;
  for (int64_t dimension = 0; dimension < rank; ++dimension) {
    int64_t size = type.getDimSize(dimension);
    sizes.push_back(
        ShapedType::isDynamic(size)
            ? Value(tensor::DimOp::create(builder, loc, like, dimension))
            : Value(arith::ConstantIndexOp::create(builder, loc, size)));
  }
  auto gen = GenOp::create(builder, loc, type, sizes);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types(rank, builder.getIndexType());
  SmallVector<Location> locations(rank, loc);
  Block *body =
      builder.createBlock(&gen.getBody(), gen.getBody().end(), types, locations);
  YieldOp::create(builder, loc, element(body->getArguments()));
  return gen;
}

Value accessAt(OpBuilder &builder, Location loc, Value tensor,
               ValueRange indices) {
  AffineMap map = builder.getMultiDimIdentityMap(indices.size());
  Type type =
      dropDimensions(cast<RankedTensorType>(tensor.getType()), indices.size());
  return AccessOp::create(builder, loc, type, tensor, indices, map);
}

/// The value of a type that has the given leaves.
Value joinLeaves(OpBuilder &builder, Type type, ValueRange leaves,
                 Location loc) {
  if (auto pair = dyn_cast<PairType>(type)) {
    size_t count = countLeaves(pair.getFirst());
    Value first =
        joinLeaves(builder, pair.getFirst(), leaves.take_front(count), loc);
    Value second =
        joinLeaves(builder, pair.getSecond(), leaves.drop_front(count), loc);
    return PairOp::create(builder, loc, type, first, second);
  }
  RankedTensorType outer = tensorOfPairs(type);
  if (!outer)
    return leaves.front();
  return generate(
      builder, loc, outer, leaves.front(), outer.getRank(),
      [&](ValueRange indices) {
        SmallVector<Value> elements;
        for (Value leaf : leaves)
          elements.push_back(accessAt(builder, loc, leaf, indices));
        return joinLeaves(builder, outer.getElementType(), elements, loc);
      });
}

/// Appends the leaves of a value.
void splitLeaves(OpBuilder &builder, Value value, Location loc,
                 SmallVectorImpl<Value> &leaves) {
  if (auto pair = dyn_cast<PairType>(value.getType())) {
    for (int64_t half : {0, 1}) {
      Type type = half == 0 ? pair.getFirst() : pair.getSecond();
      auto number = builder.getI64IntegerAttr(half);
      Value part = ProjectOp::create(builder, loc, type, value, number);
      splitLeaves(builder, part, loc, leaves);
    }
    return;
  }
  RankedTensorType outer = tensorOfPairs(value.getType());
  if (!outer) {
    leaves.push_back(value);
    return;
  }
  SmallVector<Type> types;
  addLeaves(outer, types);
  for (auto [position, type] : llvm::enumerate(types))
    leaves.push_back(generate(
        builder, loc, cast<RankedTensorType>(type), value, outer.getRank(),
        [&, position = position](ValueRange indices) {
          SmallVector<Value> parts;
          Value element = accessAt(builder, loc, value, indices);
          splitLeaves(builder, element, loc, parts);
          return parts[position];
        }));
}

struct AtlSplitPairsPass : ad::impl::AtlSplitPairsBase<AtlSplitPairsPass> {
  void runOnOperation() override {
    TypeConverter types;
    types.addConversion([](Type type) { return type; });
    types.addConversion([](Type type, SmallVectorImpl<Type> &leaves)
                            -> std::optional<LogicalResult> {
      if (!isa<PairType>(type) && !tensorOfPairs(type))
        return std::nullopt;
      addLeaves(type, leaves);
      return success();
    });
    types.addSourceMaterialization(joinLeaves);
    types.addTargetMaterialization([](OpBuilder &builder, TypeRange,
                                      ValueRange values, Location loc) {
      SmallVector<Value> leaves;
      for (Value value : values)
        splitLeaves(builder, value, loc, leaves);
      return leaves;
    });

    ConversionTarget target(getContext());
    if (failed(ad::splitValues(getOperation(), types,
                               RewritePatternSet(&getContext()), target)))
      signalPassFailure();
  }
};

} // namespace
