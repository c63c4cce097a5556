//===- SoacTypes.td - the accumulator type ---------------------*- tablegen -*-===//

#ifndef AD_SOAC_TYPES
#define AD_SOAC_TYPES

include "SoacDialect.td"
include "mlir/IR/AttrTypeBase.td"

def Soac_AccType : TypeDef<Soac_Dialect, "Acc"> {
  let mnemonic = "acc";
  let summary = "accumulator";
  let description = [{
    `!soac.acc<tensor<?xf64>>` is the accumulator of an array of that type
    (FUT 5.4). Semantically it is the list of updates made so far; operationally
    it has no representation of its own, because an update adds to the
    underlying array at once.

    (C1) The element type is a float, a complex or an integer type.

    Accumulators are linear: see `soac.with_acc`.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$array);
  let assemblyFormat = "`<` $array `>`";
  let genVerifyDecl = 1;
}

#endif // AD_SOAC_TYPES
