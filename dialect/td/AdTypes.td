//===- AdTypes.td - the type of tapes ---------------------------*- tablegen -*-===//

#ifndef AD_AD_TYPES
#define AD_AD_TYPES

include "AdDialect.td"
include "mlir/IR/AttrTypeBase.td"

def Ad_TapeType : TypeDef<Ad_Dialect, "Tape"> {
  let mnemonic = "tape";
  let summary = "tape";
  let description = [{
    `!ad.tape<f64, index, tensor<?xf64>>` is a stack of entries that have one
    value of each of these types [ZYG 3.1]. A value of the type is a handle:
    all that have it push to and pop from the same stack.

    (C1) A component is a float, an integer, an index, a complex number, a
         vector of those, or a ranked tensor of any of these.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$components);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // AD_AD_TYPES
