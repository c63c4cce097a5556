/* Differentiates a module by the interface of MLIR for C, and prints it. */

#include <ad-opt.h>
#include <mlir-c/Pass.h>
#include <mlir-c/RegisterEverything.h>

#include <stdio.h>

static const char *const source =
    "func.func private @square(%x: f64) -> f64 {\n"
    "  %y = arith.mulf %x, %x : f64\n"
    "  return %y : f64\n"
    "}\n"
    "func.func @slope(%x: f64, %y_dot: f64) -> f64 {\n"
    "  %y:2 = ad.jvp @square(%x) seed(%y_dot) : (f64), (f64) -> (f64, f64)\n"
    "  return %y#1 : f64\n"
    "}\n";

static MlirStringRef text(const char *characters) {
  return mlirStringRefCreateFromCString(characters);
}

static void print(MlirStringRef part, void *data) {
  (void)data;
  fwrite(part.data, 1, part.length, stdout);
}

static int differentiate(MlirContext context, MlirModule module) {
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirLogicalResult result =
      mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                            text("builtin.module(ad-differentiate,inline,ad-simplify)"), print, NULL);
  if (mlirLogicalResultIsSuccess(result))
    result = mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(manager);
  return mlirLogicalResultIsSuccess(result);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  ad_register_dialects(registry);
  mlirRegisterAllPasses();
  ad_register_all_passes();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  MlirModule module = mlirModuleCreateParse(context, text(source));
  int is_done = !mlirModuleIsNull(module) && differentiate(context, module);
  if (is_done)
    mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return !is_done;
}
