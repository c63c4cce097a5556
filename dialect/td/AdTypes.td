//===- AdTypes.td - the types of tapes, closures, records ---------*- tablegen -*-===//

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
         vector of those, a ranked tensor of any of these, or a ranked buffer.

    Of a tensor the tape keeps the elements, of a buffer which one it is.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$components);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Ad_ClosureType : TypeDef<Ad_Dialect, "Closure"> {
  let mnemonic = "closure";
  let summary = "closure";
  let description = [{
    `!ad.closure<(f64, index) -> f64>` is a function with the values that it
    captures [MYIA 3.1], of which the type says nothing.
  }];
  let parameters = (ins "::mlir::FunctionType":$function);
  let assemblyFormat = "`<` $function `>`";
}

def Ad_RecordType : TypeDef<Ad_Dialect, "Record"> {
  let mnemonic = "record";
  let summary = "record";
  let description = [{
    `!ad.record<weights: tensor<?xf64>, count: index>` has fields with names, of any
    types: numbers, arrays, buffers, functions and other records. A record whose
    fields have numbers is a `tuple<...>`. A name that is no identifier is quoted.

    (C1) No two fields have the same name, and none has an empty one.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names,
                        ArrayRefParameter<"::mlir::Type">:$types);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // AD_AD_TYPES
