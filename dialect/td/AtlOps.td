//===- AtlOps.td - operations of the atl dialect ----------------*- tablegen -*-===//

#ifndef AD_ATL_OPS
#define AD_ATL_OPS

include "AtlTypes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Atl_Op<string mnemonic, list<Trait> traits = []>
    : Op<Atl_Dialect, mnemonic, traits>;

/// An operation with one body block that ends in atl.yield.
class Atl_BodyOp<string mnemonic, list<Trait> traits = []>
    : Atl_Op<mnemonic, !listconcat([
        RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock], traits)> {
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

/// One whose body takes an index below each size.
class Atl_IndexedOp<string mnemonic, list<Trait> traits = []>
    : Atl_BodyOp<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getLoopRegions"]>],
        traits)> {
  let arguments = (ins Variadic<Index>:$sizes);
}

def Atl_GenOp : Atl_IndexedOp<"gen"> {
  let summary = "Make a tensor from its elements.";
  let description = [{
    The tensor whose element at `i, j` is the value of the body (ATL 4.1, rule
    4.7). The body yields a scalar, a pair, or a tensor, which becomes the inner
    dimensions.

    ```mlir
    %y = atl.gen (%i in %n, %j in %m) -> tensor<?x?xf64> {
      %e = atl.access %x[%j, %i] : tensor<?x?xf64>
      atl.yield %e : f64
    }
    ```

    (C1) There is at least one index, and the body takes one argument of type
         `index` for each size.
    (C2) The result has a dimension for each size; the static ones agree with
         constant sizes.
    (C3) The body yields the rest of the result: its element, or the tensor of its
         inner dimensions. It is of a value type.
    (C4) Sizes are constants or defined outside of all operations of the dialect.
    (C5) The body has operations of the dialect, constants, `arith` and `math` on
         scalars, `tensor.dim`, and `func.call` on scalars only.
  }];
  let results = (outs AnyRankedTensor:$result);
}

def Atl_SumOp : Atl_IndexedOp<"sum"> {
  let summary = "Add up the values of a body.";
  let description = [{
    The sum of the body over all indices (ATL 4.1, rule 4.8), zero if there are
    none. Only scalars are added up: the sum of tensors is a tensor of sums.

    ```mlir
    %s = atl.sum (%i in %n) -> f64 {
      %e = atl.access %x[%i, %i] : tensor<?x?xf64>
      atl.yield %e : f64
    }
    ```

    The order of the additions is not fixed.

    (C1) There is at least one index, and the body takes one argument of type
         `index` for each size.
    (C2) The result is a float, which the body yields.
    (C3) Sizes are constants or defined outside of all operations of the dialect.
    (C4) The body has operations of the dialect, constants, `arith` and `math` on
         scalars, `tensor.dim`, and `func.call` on scalars only.
  }];
  let results = (outs AnyType:$result);
}

def Atl_ExistsOp : Atl_IndexedOp<"exists", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Whether a predicate holds for some index.";
  let description = [{
    The disjunction of the body over all indices (ATL 4.1, rule 4.21), false if
    there are none.

    ```mlir
    %p = atl.exists (%k in %n) {
      %q = atl.member (%rows, %cols)[%i, %j] at %k : tensor<?xindex>, tensor<?xindex>
      atl.yield %q : i1
    }
    ```

    (C1) There is at least one index, and the body takes one argument of type
         `index` for each size.
    (C2) The body yields an `i1`.
    (C3) Sizes are constants or defined outside of all operations of the dialect.
    (C4) The body has operations of the dialect, constants, `arith` and `math` on
         scalars, `tensor.dim`, and `func.call` on scalars only.
  }];
  let results = (outs I1:$result);
}

def Atl_BracketOp : Atl_BodyOp<"bracket"> {
  let summary = "A value where a predicate holds, zero elsewhere.";
  let description = [{
    The Iverson bracket `[p] . e` (ATL 4.1, rule 4.12): the value of the body if
    the predicate holds, and otherwise the zero of that type, which for pairs and
    tensors is made of zeros. The body is evaluated only if the predicate holds,
    so that what it reads may be out of range elsewhere.

    ```mlir
    %p = atl.compare %i + 1 < %n
    %e = atl.bracket %p -> f64 {
      %x1 = atl.access %x[%i + 1] : tensor<?xf64>
      atl.yield %x1 : f64
    }
    ```

    A zero tensor has the sizes that the value of the body would have. They can
    be told without evaluating it, because sizes do not depend on indices.

    (C1) The result is of a value type.
    (C2) The body takes nothing and yields a value of the type of the result.
    (C3) The body has operations of the dialect, constants, `arith` and `math` on
         scalars, `tensor.dim`, and `func.call` on scalars only.
  }];
  let arguments = (ins I1:$condition);
  let results = (outs AnyType:$result);
  let hasCanonicalizer = 1;
}

def Atl_AccessOp : Atl_Op<"access", [NoMemoryEffect,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Read an element or a part of a tensor.";
  let description = [{
    `e[a]` (ATL 4.1, rule 4.11) for one or more affine index expressions. With
    fewer of them than dimensions the result is the tensor of the remaining
    dimensions. Indices must be in range when the access runs.

    ```mlir
    %e = atl.access %x[%i - %j + 2, %k] : tensor<?x?xf64>
    %row = atl.access %x[%i] : tensor<?x?xf64>
    ```

    The attribute `map` takes the operands, in the order of their first use, to
    the indices.

    (C1) The tensor is of a value type and has at least as many dimensions as there
         are indices, of which there is at least one.
    (C2) The map has one dimension per operand and no symbols, and its results are
         sums of operands and constants times constants.
    (C3) The operands are indices of surrounding operations, constants, or defined
         outside of all operations of the dialect.
    (C4) The result is the element or the tensor of the remaining dimensions.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, Variadic<Index>:$indices,
                       AffineMapAttr:$map);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Atl_ComparisonAttr : I32EnumAttr<"Comparison", "", [
    I32EnumAttrCase<"lt", 0, "<">,
    I32EnumAttrCase<"le", 1, "<=">,
    I32EnumAttrCase<"eq", 2, "=">]> {
  let cppNamespace = "::ad::atl";
}

def Atl_CompareOp : Atl_Op<"compare", [Pure,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Compare two affine expressions.";
  let description = [{
    `a0 < a1`, `a0 <= a1` or `a0 = a1` (ATL 4.1, rule 4.18) as whole numbers,
    which may be negative.

    ```mlir
    %p = atl.compare 2 * %i + 1 <= %j
    ```

    (C1) The attribute `map` has two results, the two sides.
    (C2) The map has one dimension per operand and no symbols, and its results are
         sums of operands and constants times constants.
    (C3) The operands are indices of surrounding operations, constants, or defined
         outside of all operations of the dialect.
  }];
  let arguments = (ins Variadic<Index>:$indices, Atl_ComparisonAttr:$comparison,
                       AffineMapAttr:$map);
  let results = (outs I1:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Atl_MemberOp : Atl_Op<"member", [Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Whether indices are related by data.";
  let description = [{
    The data predicate `R(a0, a1, ...)` (ATL 4.1, rule 4.20). A relation is a
    dense tensor of `i1`, or a list of its tuples in one array per place:

    ```mlir
    %p = atl.member %mask[%i, %j] : tensor<?x?xi1>
    %q = atl.member (%rows, %cols)[%i, %j] : tensor<?xindex>, tensor<?xindex>
    %r = atl.member (%rows, %cols)[%i, %j] at %k : tensor<?xindex>, tensor<?xindex>
    %s = atl.member (compressed %starts, %cols)[%i, %j] at %k : tensor<?xindex>, tensor<?xindex>
    ```

    The second holds if `rows[k] = i` and `cols[k] = j` for some k, the third if
    they are for the given k. Indices are affine expressions. What is out of
    range is not related: nothing is a member outside of a mask, and no tuple has
    a number that the list has not. The paper leaves relations abstract.

    A list that is ordered by its first place may be compressed, as sparse rows
    (CSR) are: the first array then has, for each value of that place, the number
    of its first tuple, and at the end the number behind the last tuple. Tuple k
    has i in the first place if `starts[i] <= k < starts[i + 1]`. A sum over
    numbered tuples whose first place is known goes over those of that place
    only. The array must not decrease, which is an error when it runs; tuples
    in front of its first number and behind its last one are not in the relation.
    A compressed list of one array divides numbers into segments.

    The attribute `map` gives the indices and, with `at`, the number of the tuple
    as one more result.

    (C1) The relation is one tensor of `i1` with a dimension for each index, of
         which there is at least one, or one tensor of rank one for each index,
         whose elements are `index`, `i32` or `i64`, read as signed.
    (C2) The static sizes of the arrays of a list agree, apart from the first of a
         compressed one, which has at least one element; at run time all have the
         same size.
    (C3) Only a list has numbered tuples.
    (C4) The map has one dimension per operand and no symbols, and its results are
         sums of operands and constants times constants.
    (C5) The operands are indices of surrounding operations, constants, or defined
         outside of all operations of the dialect.
    (C6) Only a list is compressed.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$relation,
                       Variadic<Index>:$indices, AffineMapAttr:$map,
                       UnitAttr:$at, UnitAttr:$compressed);
  let results = (outs I1:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// Whether the relation is a tensor of truth values, and not a list.
    bool isDense();
  }];
}

def Atl_PairOp : Atl_Op<"pair", [Pure,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "A pair of two values.";
  let description = [{
    `(e0, e1)` (ATL 4.1, rule 4.6).

    ```mlir
    %p = atl.pair %a, %b : f64, tensor<?xf64>
    ```

    (C1) Both operands are of value types.
  }];
  let arguments = (ins AnyType:$first, AnyType:$second);
  let results = (outs Atl_PairType:$result);
  let assemblyFormat =
      "$first `,` $second attr-dict `:` type($first) `,` type($second)";
}

def Atl_ProjectOp : Atl_Op<"project", [Pure,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "One of the two values of a pair.";
  let description = [{
    `pi_0 e` and `pi_1 e` (ATL 4.1, rule 4.10). That of an `atl.pair` folds.

    ```mlir
    %a = atl.project %p[0] : !atl.pair<f64, tensor<?xf64>>
    ```

    (C1) The number is 0 or 1.
  }];
  let arguments = (ins Atl_PairType:$pair, I64Attr:$number);
  let results = (outs AnyType:$result);
  let assemblyFormat =
      "$pair `[` $number `]` attr-dict `:` qualified(type($pair))";
  let hasFolder = 1;
}

def Atl_YieldOp : Atl_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["GenOp", "SumOp", "ExistsOp", "BracketOp"]>]> {
  let summary = "End a body.";
  let description = [{
    Yields the value of the surrounding body.
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif // AD_ATL_OPS
