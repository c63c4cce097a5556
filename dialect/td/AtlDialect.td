//===- AtlDialect.td - a tensor language ------------------------*- tablegen -*-===//

#ifndef AD_ATL_DIALECT
#define AD_ATL_DIALECT

include "mlir/IR/OpBase.td"

def Atl_Dialect : Dialect {
  let name = "atl";
  let cppNamespace = "::ad::atl";
  let summary = "A tensor language: generation, summation, access, brackets, pairs.";
  let description = [{
    The `atl` dialect is the tensor language of ATL 4.1: every value is built by
    tensor generation, summation, access to tensors at affine indices, pairs, and
    Iverson brackets, whose predicates say where a value is zero. There is no
    mutation and no loop-carried value, so that all of it is parallel, and
    sparsity is in the text of the program: `[p] . e` costs nothing where p is
    false.

    | In the paper | Here |
    |---|---|
    | a number, `R` | a float type |
    | `T0 x T1` | `!atl.pair<T0, T1>` |
    | `[n]T`, `[n][m]T` | `tensor<?xT>`, `tensor<?x?xT>`; T is a float or a pair |
    | `e0 + e1`, `e0 . e1`, `f(e0, ...)` | operations of `arith` and `math` on scalars, `func.call` |
    | `(e0, e1)`, `pi_0 e`, `pi_1 e` | `atl.pair`, `atl.project` |
    | generation, summation | `atl.gen`, `atl.sum` |
    | `e[a]` | `atl.access` |
    | `[p] . e` | `atl.bracket` |
    | `let x = e0 in e1` | an SSA value: what is used twice is computed once |
    | `a0 < a1`, `a0 <= a1`, `a0 = a1` | `atl.compare` |
    | `R(a0, ...)` | `atl.member` |
    | and, or, bounded exists | `arith.andi`, `arith.ori`, `atl.exists` |

    A tensor of tensors is one tensor of higher rank, so that its rows have one
    size. Values of the language are floats, pairs and tensors of rank one or more
    whose elements are floats or pairs; below, *a value type*.

    **Index expressions** are affine: sums of indices, sizes and integer
    constants, each times an integer constant (ATL 4.1, `a`). They are written in
    place, `%x[2 * %i - %j + 1]`, and are attributes of the operation. Indices
    are the arguments of the surrounding `atl.gen`, `atl.sum` and `atl.exists`.
    Sizes are all other values of type `index`; they must not depend on what
    happens in a body, and so are defined outside of every operation of this
    dialect, or by a constant.

    **Bodies** have operations of this dialect, constants, operations of `arith`
    and `math` on scalars, `tensor.dim`, and calls of functions on scalars, which
    are taken to be pure. Everything else stays outside. Bodies may read any value
    that is defined in front of them.

    An access out of range has no value; it is an error when it runs. A bracket
    around it, whose body is evaluated only if the predicate holds, keeps it from
    running. No pass may move the access out of the bracket, and so an access is
    not speculatable unless it is in range by its type.

    Sizes may be zero: a sum of nothing is zero, and nothing exists. Negative
    sizes are errors.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let hasCanonicalizer = 1;
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
}

#endif // AD_ATL_DIALECT
