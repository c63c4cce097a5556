//===- AdTape.cpp - tapes: syntax, constraints, effects -------------------===//
//
// The numbers (C1), (C2), ... are those of the descriptions in AdTypes.td and
// AdTapeOps.td.
//
//===----------------------------------------------------------------------===//

#include "Ad.h"

using namespace mlir;
using namespace ad::request;

LogicalResult
TapeType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 ArrayRef<Type> components) {
  for (Type component : components) {
    Type element = component;
    if (auto tensor = dyn_cast<RankedTensorType>(element);
        tensor && !tensor.getEncoding())
      element = tensor.getElementType();
    if (auto vector = dyn_cast<VectorType>(element);
        vector && !vector.isScalable())
      element = vector.getElementType();
    if (!isa<FloatType, ComplexType, IntegerType, IndexType, MemRefType>(
            element)) // tape_c1
      return emitError() << "a tape has no component of type " << component;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

Type TapeType::parse(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<Type> components;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::LessGreater,
          [&] { return parser.parseType(components.emplace_back()); }))
    return {};
  return getChecked([&] { return parser.emitError(location); },
                    parser.getContext(), ArrayRef<Type>(components));
}

void TapeType::print(AsmPrinter &printer) const {
  printer << '<' << getComponents() << '>';
}

ParseResult ad::request::parseTapeTypes(OpAsmParser &parser, Type &tape,
                                        SmallVectorImpl<Type> &values) {
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseType(tape))
    return failure();
  auto type = dyn_cast<TapeType>(tape);
  if (!type)
    return parser.emitError(location, "expected the type of a tape");
  if (succeeded(parser.parseOptionalComma()))
    return parser.parseTypeList(values);
  llvm::append_range(values, type.getComponents());
  return success();
}

void ad::request::printTapeTypes(OpAsmPrinter &printer, Operation *, Type tape,
                                 TypeRange values) {
  printer << tape;
  if (!llvm::equal(values, cast<TapeType>(tape).getComponents()))
    printer << ", " << values;
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// Whether a value of the type is a buffer in place of a tensor.
static bool isStandIn(Type component, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(component);
  auto buffer = dyn_cast<MemRefType>(type);
  return tensor && buffer && tensor.getShape() == buffer.getShape() &&
         tensor.getElementType() == buffer.getElementType();
}

/// Whether a value of the type, or a buffer in its place, is of a component.
static bool isOf(Type component, Type type) {
  return component == type || isStandIn(component, type);
}

static LogicalResult verifyValues(Operation *op, TapeType tape, StringRef what,
                                  TypeRange values) { // tape_push_c1,
                                                      // tape_pop_c1
  ArrayRef<Type> components = tape.getComponents();
  if (values.size() != components.size())
    return op->emitOpError("has ")
           << values.size() << " " << what << "s, but the tape has "
           << components.size() << " components";
  for (auto [i, component, type] : llvm::enumerate(components, values))
    if (!isOf(component, type))
      return op->emitOpError() << what << " " << i << " has type " << type
                               << ", but the tape keeps " << component;
  return success();
}

LogicalResult TapePushOp::verify() {
  return verifyValues(*this, getTape().getType(), "value",
                      getValues().getTypes());
}

LogicalResult TapePopOp::verify() {
  return verifyValues(*this, getTape().getType(), "result",
                      getValues().getTypes());
}

//===----------------------------------------------------------------------===//
// Effects: all that is done with tapes stays in its order. A buffer that is
// popped in place of a tensor belongs to the program; that it is also written to keeps upstream from
// removing the pop where nobody reads one of its buffers.
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void TapePushOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getTapeMutable(),
                       TapeResource::get());
  for (auto [value, component] :
       llvm::zip_equal(getValuesMutable(), getTape().getType().getComponents()))
    if (isStandIn(component, value.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &value,
                           SideEffects::DefaultResource::get());
}

void TapePopOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getTapeMutable(),
                       TapeResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getTapeMutable(),
                       TapeResource::get());
  for (auto [value, component] :
       llvm::zip_equal(getValues(), getTape().getType().getComponents()))
    if (isStandIn(component, value.getType())) {
      effects.emplace_back(MemoryEffects::Allocate::get(), value,
                           SideEffects::DefaultResource::get());
      effects.emplace_back(MemoryEffects::Write::get(), value,
                           SideEffects::DefaultResource::get());
    }
}
