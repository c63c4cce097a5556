//===- Ad.cpp - derivative requests: constraints and folds ----------------===//
//
// The numbers (C1), (C2), ... are those of the descriptions in AdOps.td.
//
//===----------------------------------------------------------------------===//

#include "Ad.h"
#include "Atl.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ad::request;

/// Types in parentheses; there may be none.
static ParseResult parseTypes(OpAsmParser &parser,
                              SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&] {
    return parser.parseType(types.emplace_back());
  });
}

static void printTypes(OpAsmPrinter &printer, Operation *, TypeRange types) {
  printer << '(' << types << ')';
}

#include "AdDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "AdTypes.cpp.inc"
#define GET_OP_CLASSES
#include "AdOps.cpp.inc"

namespace {
/// Requests may be inlined anywhere.
struct AdInliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void AdDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "AdTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "AdOps.cpp.inc"
      >();
  addInterfaces<AdInliner>();
}

bool ad::request::isDifferentiable(Type type) {
  if (isa<TensorType, VectorType>(type))
    type = cast<ShapedType>(type).getElementType();
  return isa<FloatType, ComplexType, atl::PairType>(type);
}

bool ad::request::isBuffer(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  return buffer && isDifferentiable(buffer.getElementType());
}

bool ad::request::hasDerivative(Type type) {
  return isDifferentiable(type) || isBuffer(type);
}

/// The derivatives of those types that have any.
static SmallVector<Type> derivativesOf(TypeRange types,
                                       function_ref<bool(Type)> isPart) {
  SmallVector<Type> derivatives;
  for (Type type : types)
    if (Type derivative = derivativeOf(type, isPart))
      derivatives.push_back(derivative);
  return derivatives;
}

/// The types of the arguments in `wrt`, or failure after an error.
template <typename OpTy>
static FailureOr<SmallVector<Type>> getWrtTypes(OpTy op, FunctionType callee) {
  SmallVector<Type> types;
  if (!op.getWrt()) {
    llvm::copy_if(callee.getInputs(), std::back_inserter(types), [](Type type) {
      return derivativeOf(type, hasDerivative);
    });
    if (types.empty()) // vjp_c2, jvp_c2
      return op.emitOpError("callee has no differentiable argument");
    return types;
  }
  llvm::SmallBitVector seen(callee.getNumInputs());
  for (int64_t position : *op.getWrt()) { // vjp_c2, jvp_c2
    if (position < 0 || position >= callee.getNumInputs())
      return op.emitOpError("'wrt' position ")
             << position << " is out of range: the callee has "
             << callee.getNumInputs() << " arguments";
    if (seen.test(position))
      return op.emitOpError("'wrt' lists position ") << position << " twice";
    seen.set(position);
    types.push_back(callee.getInput(position));
    if (!derivativeOf(types.back(), hasDerivative))
      return op.emitOpError("'wrt' position ")
             << position << " has the non-differentiable type " << types.back();
  }
  if (types.empty()) // vjp_c2, jvp_c2
    return op.emitOpError("'wrt' lists no argument");
  return types;
}

static LogicalResult verifyTypes(Operation *op, StringRef what,
                                 TypeRange actual, TypeRange expected) {
  if (actual.size() != expected.size())
    return op->emitOpError("has ")
           << actual.size() << " " << what << " but needs " << expected.size();
  for (auto [i, pair] : llvm::enumerate(llvm::zip(actual, expected)))
    if (std::get<0>(pair) != std::get<1>(pair))
      return op->emitOpError()
             << what << " " << i << " has type " << std::get<0>(pair)
             << " but needs " << std::get<1>(pair);
  return success();
}

template <typename OpTy>
static LogicalResult verifyRequest(OpTy op, SymbolTableCollection &symbols) {
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(op, op.getCalleeAttr());
  if (!callee) // vjp_c1, jvp_c1
    return op.emitOpError("'")
           << op.getCallee() << "' is not a function of this module";
  FunctionType type = callee.getFunctionType();
  if (failed(verifyTypes(op, "operands", op.getArgs().getTypes(),
                         type.getInputs()))) // vjp_c1, jvp_c1
    return failure();
  FailureOr<SmallVector<Type>> wrt = getWrtTypes(op, type);
  if (failed(wrt))
    return failure();
  SmallVector<Type> seeds = derivativesOf(*wrt, hasDerivative);
  SmallVector<Type> derivatives =
      derivativesOf(type.getResults(), hasDerivative);
  if (std::is_same_v<OpTy, VjpOp>) {
    seeds = derivatives;
    llvm::append_range(seeds, derivativesOf(*wrt, isBuffer));
    derivatives = derivativesOf(*wrt, isDifferentiable);
  }
  if (failed(verifyTypes(op, "seeds", op.getSeeds().getTypes(),
                         seeds))) // vjp_c3, jvp_c3
    return failure();
  SmallVector<Type> results(type.getResults());
  llvm::append_range(results, derivatives);
  return verifyTypes(op, "results", op.getResultTypes(),
                     results); // vjp_c4, jvp_c4
}

LogicalResult VjpOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyRequest(*this, symbols);
}

LogicalResult JvpOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyRequest(*this, symbols);
}

OpFoldResult StopGradientOp::fold(FoldAdaptor) {
  // A constant has no gradient to stop, and stopping it once is enough.
  if (matchPattern(getValue(), m_Constant()) ||
      getValue().getDefiningOp<StopGradientOp>())
    return getValue();
  return {};
}
