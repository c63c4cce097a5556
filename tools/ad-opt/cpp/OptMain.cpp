//===- OptMain.cpp - MLIR's own driver with everything registered
//----------===//

#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;

extern "C" void ad_register_dialects(MlirDialectRegistry registry);
extern "C" void ad_register_all_passes();

/// Behaves as `mlir-opt` does, with our dialects and passes added.
extern "C" int ad_opt_main(int argc, char **argv, char const *version) {
  llvm::cl::AddExtraVersionPrinter([version](raw_ostream &os) {
    os << "ad-opt version " << version << '\n';
  });
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllGPUToLLVMIRTranslations(registry);
  ad_register_dialects(wrap(&registry));
  registerAllPasses();
  ad_register_all_passes();
  return asMainReturnCode(MlirOptMain(
      argc, argv,
      "ad-opt: automatic differentiation and MLIR modular optimizer driver\n",
      registry));
}
