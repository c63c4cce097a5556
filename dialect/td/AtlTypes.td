//===- AtlTypes.td - the type of pairs --------------------------*- tablegen -*-===//

#ifndef AD_ATL_TYPES
#define AD_ATL_TYPES

include "AtlDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def Atl_PairType : TypeDef<Atl_Dialect, "Pair"> {
  let mnemonic = "pair";
  let summary = "pair of two values";
  let description = [{
    `!atl.pair<T0, T1>` is `T0 x T1` of ATL 4.1. It may be the element of a
    tensor: `tensor<?x!atl.pair<f64, f64>>`.

    (C1) Both types are value types: floats, pairs, or tensors of rank one or
         more whose elements are floats or pairs.
  }];
  let parameters = (ins "::mlir::Type":$first, "::mlir::Type":$second);
  let assemblyFormat = "`<` $first `,` $second `>`";
  let genVerifyDecl = 1;
}

#endif // AD_ATL_TYPES
