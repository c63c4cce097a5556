// A library that mlir-opt loads beside libad_opt.so, with a rule for calls of
// `cube`, which has no body: its derivatives are built by mlir-c.

#include <ad-opt.h>

#include <stdint.h>

// Appends `left * right`.
static MlirValue product(MlirOperation op, MlirBlock block, MlirValue left,
                         MlirValue right) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("arith.mulf"),
                            mlirOperationGetLocation(op));
  MlirValue operands[] = {left, right};
  MlirType type = mlirValueGetType(left);
  mlirOperationStateAddOperands(&state, 2, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation made = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(block, made);
  return mlirOperationGetResult(made, 0);
}

// Appends `3 x^2 dx`, with the text in `data` as the number 3.
static bool slope(MlirOperation op, MlirBlock block, MlirValue *derivatives,
                  void *data) {
  MlirContext context = mlirOperationGetContext(op);
  MlirValue x = mlirBlockGetArgument(block, 0);
  MlirValue dx = mlirBlockGetArgument(block, 2);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("arith.constant"),
                            mlirOperationGetLocation(op));
  MlirNamedAttribute value = mlirNamedAttributeGet(
      mlirIdentifierGet(context, mlirStringRefCreateFromCString("value")),
      mlirAttributeParseGet(context, mlirStringRefCreateFromCString(data)));
  MlirType type = mlirValueGetType(x);
  mlirOperationStateAddAttributes(&state, 1, &value);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation three = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(block, three);
  MlirValue square = product(op, block, x, x);
  MlirValue partial =
      product(op, block, mlirOperationGetResult(three, 0), square);
  derivatives[0] = product(op, block, partial, dx);
  return true;
}

static bool calls_cube(MlirOperation op, void *data) {
  (void)data;
  MlirAttribute callee = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("callee"));
  MlirAttribute cube = mlirAttributeParseGet(
      mlirOperationGetContext(op), mlirStringRefCreateFromCString("@cube"));
  return mlirAttributeEqual(callee, cube);
}

// mlir-opt asks a library that it loads what dialects it has: none.
struct PluginInfo {
  uint32_t api_version;
  char const *name, *version;
  void (*register_dialects)(void *);
};

static void register_rule(void *registry) {
  (void)registry;
  static char three[] = "3.0 : f64";
  AdRule const rule = {three, calls_cube, slope, slope};
  ad_register_rule(mlirStringRefCreateFromCString("func.call"), &rule);
}

struct PluginInfo mlirGetDialectPluginInfo(void) {
  return (struct PluginInfo){1, "rule", "1", register_rule};
}
