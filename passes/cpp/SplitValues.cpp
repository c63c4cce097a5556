//===- SplitValues.cpp - one value as several -----------------------------===//

#include "SplitValues.h"

#include "Ad.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace ad::request;

SmallVector<Value> ad::flattened(ArrayRef<ValueRange> groups) {
  SmallVector<Value> values;
  for (ValueRange group : groups)
    llvm::append_range(values, group);
  return values;
}

SmallVector<Type> ad::partsOf(const TypeConverter &types, Type type) {
  SmallVector<Type> parts;
  if (failed(types.convertType(type, parts)))
    parts.push_back(type);
  return parts;
}

void ad::replaceByParts(ConversionPatternRewriter &rewriter, Operation *op,
                        SmallVector<Value> parts) {
  SmallVector<SmallVector<Value>> groups;
  groups.push_back(std::move(parts));
  rewriter.replaceOpWithMultiple(op, std::move(groups));
}

namespace {

/// The results of an operation that gives the parts of those of another one.
SmallVector<ValueRange> grouped(const TypeConverter &types, Operation *op,
                                ValueRange parts) {
  SmallVector<ValueRange> groups;
  for (Type type : op->getResultTypes()) {
    size_t count = ad::partsOf(types, type).size();
    groups.push_back(parts.take_front(count));
    parts = parts.drop_front(count);
  }
  return groups;
}

/// A request: what it lists by position moves with the arguments before, and of
/// an argument in parts those are meant that have a derivative.
template <typename OpTy>
struct SplitRequest : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &types = *this->getTypeConverter();
    SmallVector<Type> results;
    if (failed(types.convertTypes(op.getResultTypes(), results)))
      return failure();
    DenseI64ArrayAttr wrt = op.getWrtAttr();
    if (wrt) {
      SmallVector<int64_t> positions;
      for (int64_t position : wrt.asArrayRef()) {
        int64_t part = 0;
        for (ValueRange before : adaptor.getArgs().take_front(position))
          part += before.size();
        for (Value value : adaptor.getArgs()[position]) {
          if (hasDerivative(value.getType()))
            positions.push_back(part);
          ++part;
        }
      }
      wrt = rewriter.getDenseI64ArrayAttr(positions);
    }
    auto split = OpTy::create(rewriter, op.getLoc(), results, op.getCalleeAttr(),
                              ad::flattened(adaptor.getArgs()),
                              ad::flattened(adaptor.getSeeds()), wrt);
    split->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOpWithMultiple(op,
                                   grouped(types, op, split->getResults()));
    return success();
  }
};

/// An operation on functions that are values, which is the same for any types.
struct SplitOperands : ConversionPattern {
  SplitOperands(const TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, MatchAnyOpTypeTag(), 1, context) {}

  static bool applies(Operation *op) {
    return isa<ClosureOp, CallOp, LambdaOp, YieldOp, func::ConstantOp,
               func::CallIndirectOp>(op);
  }

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> results;
    if (!applies(op) ||
        failed(getTypeConverter()->convertTypes(op->getResultTypes(), results)))
      return failure();
    OperationState state(op->getLoc(), op->getName(), ad::flattened(operands),
                         results, op->getAttrs());
    for (unsigned region = 0; region < op->getNumRegions(); ++region)
      state.addRegion();
    Operation *split = rewriter.create(state);
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), split->getRegions())) {
      rewriter.inlineRegionBefore(from, to, to.end());
      if (failed(rewriter.convertRegionTypes(&to, *getTypeConverter())))
        return failure();
    }
    rewriter.replaceOpWithMultiple(
        op, grouped(*getTypeConverter(), op, split->getResults()));
    return success();
  }
};

/// Upstream's patterns leave it out.
struct SplitSwitch : OpConversionPattern<cf::SwitchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(cf::SwitchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<SmallVector<Value>> cases;
    for (ArrayRef<ValueRange> operands : adaptor.getCaseOperands())
      cases.push_back(ad::flattened(operands));
    auto split = cf::SwitchOp::create(
        rewriter, op.getLoc(), op.getFlag(), op.getDefaultDestination(),
        ad::flattened(adaptor.getDefaultOperands()), op.getCaseValuesAttr(),
        op.getCaseDestinations(), llvm::to_vector_of<ValueRange>(cases));
    split->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.eraseOp(op);
    return success();
  }
};

struct SplitSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (auto [one, other] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(arith::SelectOp::create(
          rewriter, op.getLoc(), op.getCondition(), one, other));
    ad::replaceByParts(rewriter, op, std::move(parts));
    return success();
  }
};

struct SplitStopGradient : OpConversionPattern<StopGradientOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StopGradientOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (Value part : adaptor.getValue())
      parts.push_back(StopGradientOp::create(rewriter, op.getLoc(), part));
    ad::replaceByParts(rewriter, op, std::move(parts));
    return success();
  }
};

struct SplitPoison : OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (Type type : ad::partsOf(*getTypeConverter(), op.getType()))
      parts.push_back(ub::PoisonOp::create(rewriter, op.getLoc(), type));
    ad::replaceByParts(rewriter, op, std::move(parts));
    return success();
  }
};

/// Attributes of arguments or results stay with those that are not split; what
/// the dialect of requests says of others holds for all of their parts.
ArrayAttr splitAttributes(const TypeConverter &types, TypeRange before,
                          ArrayAttr attributes) {
  if (!attributes)
    return attributes;
  SmallVector<Attribute> split;
  for (auto [type, attribute] : llvm::zip_equal(before, attributes)) {
    SmallVector<NamedAttribute> kept(cast<DictionaryAttr>(attribute).getValue());
    if (!types.isLegal(type))
      llvm::erase_if(kept, [](NamedAttribute named) {
        return !isa_and_nonnull<AdDialect>(named.getNameDialect());
      });
    split.append(ad::partsOf(types, type).size(),
                 DictionaryAttr::get(attributes.getContext(), kept));
  }
  return ArrayAttr::get(attributes.getContext(), split);
}

struct SplitFunction : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(func::FuncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &types = *getTypeConverter();
    FunctionType type = op.getFunctionType();
    TypeConverter::SignatureConversion arguments(type.getNumInputs());
    SmallVector<Type> results;
    if (failed(types.convertSignatureArgs(type.getInputs(), arguments)) ||
        failed(types.convertTypes(type.getResults(), results)) ||
        failed(rewriter.convertRegionTypes(&op.getBody(), types, &arguments)))
      return failure();
    ArrayAttr ofArguments =
        splitAttributes(types, type.getInputs(), op.getArgAttrsAttr());
    ArrayAttr ofResults =
        splitAttributes(types, type.getResults(), op.getResAttrsAttr());
    rewriter.modifyOpInPlace(op, [&] {
      op.setType(rewriter.getFunctionType(arguments.getConvertedTypes(),
                                          results));
      if (ofArguments)
        op.setArgAttrsAttr(ofArguments);
      if (ofResults)
        op.setResAttrsAttr(ofResults);
    });
    return success();
  }
};

/// Functions that are values take and give parts, too.
void addFunctionTypes(TypeConverter &types) {
  auto split = [&types](FunctionType type) -> FunctionType {
    SmallVector<Type> inputs, results;
    if (failed(types.convertTypes(type.getInputs(), inputs)) ||
        failed(types.convertTypes(type.getResults(), results)))
      return {};
    return FunctionType::get(type.getContext(), inputs, results);
  };
  types.addConversion([split](FunctionType type) { return split(type); });
  types.addConversion([split](ClosureType type) -> Type {
    FunctionType function = split(type.getFunction());
    return function ? ClosureType::get(type.getContext(), function) : Type();
  });
}

} // namespace

LogicalResult ad::splitValues(Operation *module, TypeConverter &types,
                              RewritePatternSet patterns,
                              ConversionTarget &target) {
  addFunctionTypes(types);
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
    return types.isSignatureLegal(op.getFunctionType()) &&
           types.isLegal(&op.getBody());
  });
  target.addDynamicallyLegalOp<
      func::CallOp, func::ReturnOp, func::ConstantOp, func::CallIndirectOp,
      arith::SelectOp, cf::SwitchOp, ub::PoisonOp, VjpOp, JvpOp, StopGradientOp, ClosureOp,
      CallOp, LambdaOp, YieldOp>(
      [&](Operation *op) { return types.isLegal(op); });
  populateCallOpTypeConversionPattern(patterns, types);
  populateReturnOpTypeConversionPattern(patterns, types);
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
  cf::populateCFStructuralTypeConversionsAndLegality(types, patterns, target);
  patterns.add<SplitFunction, SplitRequest<VjpOp>, SplitRequest<JvpOp>,
               SplitOperands, SplitSwitch, SplitSelect, SplitStopGradient, SplitPoison>(
      types, module->getContext());
  return applyPartialConversion(module, target, std::move(patterns));
}
