//===- AdRecordOps.td - records ---------------------------------*- tablegen -*-===//

#ifndef AD_AD_RECORD_OPS
#define AD_AD_RECORD_OPS

include "AdTypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Fields have names in a record and numbers in a tuple.
def Ad_AnyRecord : AnyTypeOf<[Ad_RecordType, AnyTuple]>;
def Ad_FieldAttr : ConfinedAttr<I64Attr, [IntNonNegative]>;

class Ad_RecordBaseOp<string mnemonic, list<Trait> traits = []>
    : Op<Ad_Dialect, mnemonic, !listconcat(traits, [Pure])>;

def Ad_RecordOp : Ad_RecordBaseOp<"record", [
    RangedTypesMatchWith<"fields have the types that the record has", "record",
                         "fields", "::ad::request::fieldTypes($_self)">]> {
  let summary = "A record or a tuple of its fields.";
  let description = [{
    ```mlir
    %layer = ad.record(%w, %n) : !ad.record<weights: tensor<?xf64>, count: index>
    %pair = ad.record(%x, %y) : tuple<f64, f64>
    ```

    (C1) There is one value for each field, of its type.
  }];
  let arguments = (ins Variadic<AnyType>:$fields);
  let results = (outs Ad_AnyRecord:$record);
  let assemblyFormat = "`(` $fields `)` attr-dict `:` qualified(type($record))";
  let hasFolder = 1;
}

def Ad_GetOp : Ad_RecordBaseOp<"get", [InferTypeOpAdaptor]> {
  let summary = "A field of a record.";
  let description = [{
    The field of a name, or that of a number, which counts from 0, of a tuple.

    ```mlir
    %w = ad.get %layer[weights] : !ad.record<weights: tensor<?xf64>, count: index>
    %y = ad.get %pair[1] : tuple<f64, f64>
    ```

    (C1) The record has such a field; its type is that of the result.
  }];
  let arguments = (ins Ad_AnyRecord:$record, Ad_FieldAttr:$position);
  let results = (outs AnyType:$field);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
}

def Ad_SetOp : Ad_RecordBaseOp<"set", [AllTypesMatch<["record", "result"]>]> {
  let summary = "A record with another value of a field.";
  let description = [{
    Gives a record that is the operand but for one field; the operand stays what it
    is.

    ```mlir
    %next = ad.set %layer[count] = %m
        : !ad.record<weights: tensor<?xf64>, count: index>
    ```

    (C1) The record has such a field, of the type of the value.
  }];
  let arguments = (ins Ad_AnyRecord:$record, AnyType:$value,
                       Ad_FieldAttr:$position);
  let results = (outs Ad_AnyRecord:$result);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // AD_AD_RECORD_OPS
