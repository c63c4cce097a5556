//===- SoacDialect.td - second-order array combinators ---------*- tablegen -*-===//

#ifndef AD_SOAC_DIALECT
#define AD_SOAC_DIALECT

include "mlir/IR/OpBase.td"

def Soac_Dialect : Dialect {
  let name = "soac";
  let cppNamespace = "::ad::soac";
  let summary = "Second-order array combinators on ranked tensors.";
  let description = [{
    The `soac` dialect has the bulk-parallel operators of a data-parallel array
    language (FUT 2.1) with value semantics on builtin ranked tensors.

    A combinator consumes its array operands along their outermost dimension.
    The *element* of `tensor<NxMxT>` is `tensor<MxT>`, that of `tensor<NxT>` is
    the scalar `T`. Every combinator is variadic: an array of tuples is written
    as several arrays. Bodies may read any enclosing value; those are the *free
    variables* of the body.

    Sequential control flow is that of `scf`, indexing that of `tensor`.

    Accumulators (FUT 5.4) are write-only views of arrays. They are linear
    values: along every path an accumulator is consumed at most once.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let hasCanonicalizer = 1;
  let useDefaultTypePrinterParser = 1;
}

#endif // AD_SOAC_DIALECT
