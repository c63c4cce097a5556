//===- AdSplitRecords.cpp - records as their fields -----------------------===//
//
// `ad-split-records`: a record is the values of its fields, in their order, and
// so is its derivative, without those that have none [ZYG 3.2, 4.2]. To read a
// field or to set one is to choose among these values.
//
//===----------------------------------------------------------------------===//

#include "Ad.h"
#include "SplitValues.h"

#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace ad::request;

namespace ad {
#define GEN_PASS_DEF_ADSPLITRECORDS
#include "Passes.h.inc"
} // namespace ad

namespace {

/// What has more elements is an array, of which each is not a value.
constexpr unsigned mostElements = 64;

/// The types of the fields of a type that is split.
std::optional<SmallVector<Type>> fieldsOf(Type type) {
  if (isa<RecordType, TupleType>(type))
    return SmallVector<Type>(fieldTypes(type));
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type);
      record && !record.isOpaque())
    return SmallVector<Type>(record.getBody());
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type);
      array && array.getNumElements() <= mostElements)
    return SmallVector<Type>(array.getNumElements(), array.getElementType());
  return std::nullopt;
}

/// Which parts of a value a field of a field of it is.
struct Place {
  size_t first = 0;
  size_t count;

  Place(const TypeConverter &types, Type type, ArrayRef<int64_t> position) {
    for (int64_t number : position) {
      SmallVector<Type> fields = *fieldsOf(type);
      for (Type before : ArrayRef(fields).take_front(number))
        first += ad::partsOf(types, before).size();
      type = fields[number];
    }
    count = ad::partsOf(types, type).size();
  }
};

//===----------------------------------------------------------------------===//
// Where something else needs the record
//===----------------------------------------------------------------------===//

/// A record of the fields, each of which is null if it cannot be had.
Value makeRecord(OpBuilder &builder, Location loc, Type type,
                 ArrayRef<Value> fields) {
  if (llvm::is_contained(fields, Value()))
    return {};
  if (isa<RecordType, TupleType>(type))
    return RecordOp::create(builder, loc, type, fields);
  Value record = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [number, field] : llvm::enumerate(fields))
    record = LLVM::InsertValueOp::create(builder, loc, record, field, number);
  return record;
}

Value join(const TypeConverter &types, OpBuilder &builder, Location loc,
           Type type, ValueRange parts) {
  std::optional<SmallVector<Type>> fields = fieldsOf(type);
  if (!fields)
    return parts.front().getType() == type ? parts.front() : Value();
  SmallVector<Value> values;
  for (Type field : *fields) {
    size_t count = ad::partsOf(types, field).size();
    values.push_back(join(types, builder, loc, field, parts.take_front(count)));
    parts = parts.drop_front(count);
  }
  return makeRecord(builder, loc, type, values);
}

void split(OpBuilder &builder, Location loc, Value value,
           SmallVectorImpl<Value> &parts) {
  std::optional<SmallVector<Type>> fields = fieldsOf(value.getType());
  if (!fields) {
    parts.push_back(value);
    return;
  }
  for (auto [number, type] : llvm::enumerate(*fields)) {
    Value field;
    if (isa<RecordType, TupleType>(value.getType()))
      field = GetOp::create(builder, loc, type, value, number);
    else
      field = LLVM::ExtractValueOp::create(builder, loc, value, number);
    split(builder, loc, field, parts);
  }
}

//===----------------------------------------------------------------------===//
// Operations on records
//===----------------------------------------------------------------------===//

struct SplitRecord : OpConversionPattern<RecordOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(RecordOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ad::replaceByParts(rewriter, op, ad::flattened(adaptor.getFields()));
    return success();
  }
};

/// A field of a record.
void replaceByField(ConversionPatternRewriter &rewriter, Operation *op,
                    Place place, ValueRange record) {
  ad::replaceByParts(
      rewriter, op,
      SmallVector<Value>(record.slice(place.first, place.count)));
}

/// A record with another value of a field.
void replaceByRecord(ConversionPatternRewriter &rewriter, Operation *op,
                     Place place, ValueRange record, ValueRange value) {
  SmallVector<Value> parts(record);
  llvm::copy(value, parts.begin() + place.first);
  ad::replaceByParts(rewriter, op, std::move(parts));
}

struct SplitGet : OpConversionPattern<GetOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(GetOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    int64_t position = op.getPosition();
    Place place(*getTypeConverter(), op.getRecord().getType(), position);
    replaceByField(rewriter, op, place, adaptor.getRecord());
    return success();
  }
};

struct SplitSet : OpConversionPattern<SetOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SetOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    int64_t position = op.getPosition();
    Place place(*getTypeConverter(), op.getRecord().getType(), position);
    replaceByRecord(rewriter, op, place, adaptor.getRecord(),
                    adaptor.getValue());
    return success();
  }
};

struct SplitExtractValue : OpConversionPattern<LLVM::ExtractValueOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LLVM::ExtractValueOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Place place(*getTypeConverter(), op.getContainer().getType(),
                op.getPosition());
    replaceByField(rewriter, op, place, adaptor.getContainer());
    return success();
  }
};

struct SplitInsertValue : OpConversionPattern<LLVM::InsertValueOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LLVM::InsertValueOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Place place(*getTypeConverter(), op.getContainer().getType(),
                op.getPosition());
    replaceByRecord(rewriter, op, place, adaptor.getContainer(),
                    adaptor.getValue());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Constants of the LLVM dialect, which become those of `arith`
//===----------------------------------------------------------------------===//

/// What `arith` has constants of.
bool isNumber(Type type) {
  return isa<IntegerType, FloatType, VectorType>(type);
}

/// The values of the parts of a constant; false if not all are known.
bool addConstants(const TypeConverter &types, Type type, Attribute value,
                  SmallVectorImpl<TypedAttr> &parts) {
  std::optional<SmallVector<Type>> fields = fieldsOf(type);
  if (!fields) {
    parts.push_back(dyn_cast<TypedAttr>(value));
    return parts.back() && parts.back().getType() == type && isNumber(type);
  }
  SmallVector<Attribute> values;
  if (auto list = dyn_cast<ArrayAttr>(value)) {
    llvm::append_range(values, list);
  } else if (auto elements = dyn_cast<DenseElementsAttr>(value)) {
    // Elements of arrays in arrays follow each other.
    llvm::append_range(values, elements.getValues<Attribute>());
    *fields = ad::partsOf(types, type);
  }
  return values.size() == fields->size() &&
         llvm::all_of(llvm::zip(*fields, values), [&](auto field) {
           return addConstants(types, std::get<0>(field), std::get<1>(field),
                               parts);
         });
}

/// The same for what is zero, which what is undefined may be, too; null stands for
/// the zero of another dialect.
bool addZeros(const TypeConverter &types, Type type,
              SmallVectorImpl<TypedAttr> &parts) {
  for (Type part : ad::partsOf(types, type))
    parts.push_back(isNumber(part)
                        ? Builder(type.getContext()).getZeroAttr(part)
                        : TypedAttr());
  return fieldsOf(type) || isNumber(type);
}

struct SplitConstant : ConversionPattern {
  SplitConstant(const TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, MatchAnyOpTypeTag(), 1, context) {}

  static bool constants(const TypeConverter &types, Operation *op,
                        SmallVectorImpl<TypedAttr> &parts) {
    Type type = op->getResult(0).getType();
    if (auto constant = dyn_cast<LLVM::ConstantOp>(op))
      return addConstants(types, type, constant.getValue(), parts);
    return isa<LLVM::UndefOp, LLVM::PoisonOp, LLVM::ZeroOp>(op) &&
           addZeros(types, type, parts);
  }

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange>,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<TypedAttr> constant;
    if (op->getNumResults() != 1 ||
        !constants(*getTypeConverter(), op, constant))
      return failure();
    SmallVector<Value> parts;
    for (auto [part, type] : llvm::zip_equal(
             constant,
             ad::partsOf(*getTypeConverter(), op->getResult(0).getType())))
      if (part)
        parts.push_back(
            arith::ConstantOp::create(rewriter, op->getLoc(), part));
      else
        parts.push_back(LLVM::ZeroOp::create(rewriter, op->getLoc(), type));
    ad::replaceByParts(rewriter, op, std::move(parts));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

bool hasRecord(Type type) {
  return type
      .walk([](Type part) {
        return isa<RecordType, TupleType>(part) ? WalkResult::interrupt()
                                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether all operations do without records.
LogicalResult refuseRecords(Operation *module) {
  LogicalResult result = success();
  module->walk([&](Operation *op) {
    if (isa<RecordOp, GetOp, SetOp>(op))
      return;
    auto values = llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                     SmallVector<Type>(op->getResultTypes()));
    for (Type type : values)
      if (hasRecord(type)) {
        op->emitOpError("has a value of type ")
            << type << ", whose records cannot be split into their fields";
        result = failure();
        return;
      }
  });
  return result;
}

/// Functions of the LLVM dialect are nobody's business here.
bool isLowered(Operation *op) {
  return op->getParentOfType<LLVM::LLVMFuncOp>();
}

LogicalResult splitRecords(Operation *module) {
  MLIRContext *context = module->getContext();
  TypeConverter types;
  types.addConversion([](Type type) { return type; });
  types.addConversion([&types](Type type, SmallVectorImpl<Type> &parts)
                          -> std::optional<LogicalResult> {
    std::optional<SmallVector<Type>> fields = fieldsOf(type);
    if (!fields)
      return std::nullopt;
    return types.convertTypes(*fields, parts);
  });
  types.addSourceMaterialization([&types](OpBuilder &builder, Type type,
                                          ValueRange parts, Location loc) {
    return join(types, builder, loc, type, parts);
  });
  types.addTargetMaterialization([](OpBuilder &builder, TypeRange,
                                    ValueRange values, Location loc) {
    SmallVector<Value> parts;
    for (Value value : values)
      split(builder, loc, value, parts);
    return parts;
  });
  RewritePatternSet patterns(context);
  patterns.add<SplitRecord, SplitGet, SplitSet, SplitExtractValue,
               SplitInsertValue, SplitConstant>(types, context);
  ConversionTarget target(*context);
  target.addDynamicallyLegalOp<RecordOp, GetOp, SetOp, LLVM::ExtractValueOp,
                               LLVM::InsertValueOp>(
      [&](Operation *op) { return isLowered(op) || types.isLegal(op); });
  target.addDynamicallyLegalOp<LLVM::ConstantOp, LLVM::UndefOp, LLVM::PoisonOp,
                               LLVM::ZeroOp>([&](Operation *op) {
    SmallVector<TypedAttr> parts;
    return isLowered(op) || !SplitConstant::constants(types, op, parts);
  });
  if (failed(ad::splitValues(module, types, std::move(patterns), target)))
    return failure();
  return refuseRecords(module);
}

struct AdSplitRecordsPass : ad::impl::AdSplitRecordsBase<AdSplitRecordsPass> {
  void runOnOperation() override {
    if (failed(splitRecords(getOperation())))
      signalPassFailure();
  }
};

} // namespace

extern "C" {
/// Splits the records of a module; false after an error that was reported.
bool ad_split_records(MlirOperation module) {
  return succeeded(splitRecords(unwrap(module)));
}
}
