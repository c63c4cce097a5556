//===- SoacOps.td - operations of the soac dialect --------------*- tablegen -*-===//

#ifndef AD_SOAC_OPS
#define AD_SOAC_OPS

include "SoacBufferOps.td"
include "SoacTypes.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Soac_Op<string mnemonic, list<Trait> traits = []>
    : Op<Soac_Dialect, mnemonic, traits>;

/// A combinator with one body block that ends in soac.yield.
class Soac_BodyOp<string mnemonic, list<Trait> traits = []>
    : Soac_Op<mnemonic, !listconcat([
        RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock], traits)> {
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Soac_AnyIndexLike : AnyTypeOf<[Index, AnySignlessInteger]>;

def Soac_MapOp : Soac_BodyOp<"map", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getLoopRegions"]>]> {
  let summary = "Apply a function to every element of one or more arrays.";
  let description = [{
    `ys = map f xs` with `ys[i] = f(xs[i])` (FUT 5.4), for several arrays and
    several results at once. Iterations are independent. Accumulators may be
    passed through: every iteration receives them, and the result holds the
    updates of all iterations.

    ```mlir
    %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %y = arith.mulf %x, %x : f64
      soac.yield %y : f64
    }
    ```

    (C1) There is at least one input array, each of rank one or more.
    (C2) The static outer sizes of inputs and array results agree; at run time
         all inputs have the same outer size, the width of the map.
    (C3) The body takes the element of every input, then every accumulator.
    (C4) The body yields one element per array result, then one accumulator per
         accumulator operand, of the types that the results say.
    (C5) Accumulators are used linearly.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<Soac_AccType>:$accs);
  let results = (outs Variadic<AnyType>:$outputs);
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The number of array results, which come before the accumulators.
    unsigned getNumArrayResults() { return getNumResults() - getAccs().size(); }
  }];
}

def Soac_ReduceOp : Soac_BodyOp<"reduce", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getLoopRegions"]>]> {
  let summary = "Combine the elements of arrays with an associative operator.";
  let description = [{
    `s = reduce op neutral xs`, that is `neutral op x0 op x1 ...` (FUT 5.1). The
    operator works on tuples when there are several arrays. The result of an
    empty array is `neutral`.

    ```mlir
    %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %0 = arith.addf %l, %r : f64
      soac.yield %0 : f64
    }
    ```

    The operator must be associative and `neutral` its neutral element; the
    operator need not be commutative. Both are taken on trust: a neutral element
    may be used any number of times.

    (C1) There is at least one input array, each of rank one or more, and as
         many neutral elements as inputs.
    (C2) The static outer sizes of the inputs agree; at run time all inputs have
         the same outer size.
    (C3) The element of input i has the type of neutral element i.
    (C4) The body takes all left operands, then all right operands, and yields
         the combined tuple.
    (C5) The result types are those of the neutral elements.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyType>:$neutrals);
  let results = (outs Variadic<AnyType>:$outputs);
  let hasCanonicalizer = 1;
}

def Soac_ScanOp : Soac_BodyOp<"scan", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getLoopRegions"]>]> {
  let summary = "All prefixes of arrays under an associative operator.";
  let description = [{
    `ys = scan op neutral xs` with `ys[i] = x0 op ... op xi` (FUT 5.2). With
    `exclusive` the element itself is left out: `ys[i] = neutral op x0 op ... op
    x(i-1)`. With `reverse` the suffixes are taken, in the order of the array:
    `ys[i] = xi op ... op x(n-1)`.

    ```mlir
    %ys = soac.scan ins(%xs : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64)
        attributes {exclusive} {
      %0 = arith.mulf %l, %r : f64
      soac.yield %0 : f64
    }
    ```

    The operator must be associative and `neutral` its neutral element; the
    operator need not be commutative.

    (C1) There is at least one input array, each of rank one or more, and as
         many neutral elements as inputs.
    (C2) The static outer sizes of the inputs agree; at run time all inputs have
         the same outer size.
    (C3) The element of input i has the type of neutral element i.
    (C4) The body takes all left operands, then all right operands, and yields
         the combined tuple.
    (C5) The result types are those of the inputs.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyType>:$neutrals,
                       UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
}

def Soac_HistOp : Soac_BodyOp<"hist", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getLoopRegions"]>]> {
  let summary = "Combine values into the bins of arrays with an associative operator.";
  let description = [{
    A generalised histogram, also called reduce-by-index or multi-reduce (FUT
    5.1.2): `hs = hist op neutral is vs dest`, where `hs[b]` is `dest[b]`
    combined with every `vs[i]` whose `is[i]` is b, in the order of the array.
    The operator works on tuples when there are several value arrays.

    ```mlir
    %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>)
        into(%dest : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %0 = arith.addf %l, %r : f64
      soac.yield %0 : f64
    }
    ```

    With d index arrays the bins are indexed by the d leading dimensions of the
    destinations. A value whose index is out of range, also a negative one, is
    ignored. The destinations are updated in place when nothing else reads them.

    The operator must be associative and `neutral` its neutral element; the
    operator need not be commutative. Both are taken on trust: a neutral element
    may be used any number of times.

    (C1) There is at least one index array; all have rank one and elements that
         are `index` or signless integers of more than one bit, read as signed.
    (C2) There is at least one value array, each of rank one or more, and as many
         destinations and neutral elements as value arrays.
    (C3) The static outer sizes of index arrays and value arrays agree; at run
         time all have the same outer size.
    (C4) A destination has a dimension for each index array. What is left, the
         element of the destination, has the type of neutral element i, and so
         has the element of value array i.
    (C5) The static sizes of the indexed dimensions of the destinations agree; at
         run time all are indexed by the same sizes.
    (C6) The body takes all left operands, then all right operands, and yields
         the combined tuple.
    (C7) The result types are those of the destinations.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$indices,
                       Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$dests,
                       Variadic<AnyType>:$neutrals);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let hasCanonicalizer = 1;
}

def Soac_ScatterOp : Soac_Op<"scatter", [Pure, AttrSizedOperandSegments]> {
  let summary = "Overwrite the elements of arrays at given indices.";
  let description = [{
    `ys = scatter xs is vs` (FUT 5.3): `ys` is `xs` with `ys[is[i]] = vs[i]`, for
    several arrays at once.

    ```mlir
    %ys = soac.scatter at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>)
        into(%xs : tensor<?xf64>)
    ```

    With d index arrays the d leading dimensions of the destinations are indexed.
    A value whose index is out of range, also a negative one, is ignored. The
    destinations are updated in place when nothing else reads them, so that the
    work is proportional to the number of values.

    Among several values for one index the last one, that with the greatest i,
    is in the result, as if the values were written one after the other. The
    paper leaves duplicate indices undefined.

    (C1) There is at least one index array; all have rank one and elements that
         are `index` or signless integers of more than one bit, read as signed.
    (C2) There is at least one value array, each of rank one or more, and as many
         destinations as value arrays.
    (C3) The static outer sizes of index arrays and value arrays agree; at run
         time all have the same outer size.
    (C4) A destination has a dimension for each index array. What is left, the
         element of the destination, has the type of the element of value array i.
    (C5) The static sizes of the indexed dimensions of the destinations agree; at
         run time all are indexed by the same sizes.
    (C6) The result types are those of the destinations.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$indices,
                       Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$dests);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Soac_IotaOp : Soac_Op<"iota", [Pure]> {
  let summary = "The array 0, 1, ..., n-1.";
  let description = [{
    A virtual array: a combinator that reads it uses the iteration number, and
    nothing is stored.

    ```mlir
    %is = soac.iota %n : tensor<?xindex>
    %js = soac.iota : tensor<8xi64>
    ```

    (C1) The result has rank one and an `index` or signless integer element.
    (C2) The size operand is there exactly when the result size is dynamic.
  }];
  let arguments = (ins Optional<Index>:$size);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "($size^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Soac_ReplicateOp : Soac_Op<"replicate", [Pure]> {
  let summary = "The array with n copies of a value.";
  let description = [{
    A virtual array: a combinator that reads it uses the value itself. The value
    is a scalar or a tensor, which becomes the row of the result.

    ```mlir
    %r = soac.replicate %v, %n : f64 -> tensor<?xf64>
    %q = soac.replicate %row : tensor<?xf64> -> tensor<8x?xf64>
    ```

    (C1) The element of the result has the type of the value.
    (C2) The size operand is there exactly when the outer size is dynamic.
  }];
  let arguments = (ins AnyType:$value, Optional<Index>:$size);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat =
      "$value (`,` $size^)? attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Soac_WithAccOp : Soac_BodyOp<"with_acc"> {
  let summary = "Turn arrays into accumulators for the extent of a body.";
  let description = [{
    The body receives one accumulator per array and yields them back, followed
    by any further results. The op returns the arrays with all updates added in,
    and the further results (FUT 5.4).

    ```mlir
    %b, %e = soac.with_acc ins(%as : tensor<?xf64>)
        (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, f64) {
      %a = soac.update_acc %acc[%i], %v : !soac.acc<tensor<?xf64>>, f64
      soac.yield %a, %s : !soac.acc<tensor<?xf64>>, f64
    }
    ```

    (C1) There is at least one array, and array i of type T has the accumulator
         type `!soac.acc<T>` in the body.
    (C2) The body yields the accumulators in the order of the arrays, then the
         further results.
    (C3) The results are the types of the arrays, then of the further results.
    (C4) An accumulator is linear: along every path it is consumed at most once,
         and a consumer inside a loop or a map must have received it from there.
         The op does not read its arrays while the body runs.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$arrays);
  let results = (outs Variadic<AnyType>:$outputs);
  let hasCanonicalizer = 1;
}

def Soac_UpdateAccOp : Soac_Op<"update_acc", [Pure,
    AllTypesMatch<["acc", "result"]>]> {
  let summary = "Add a value into an accumulator.";
  let description = [{
    `acc[indices] += value`, as a function from accumulator to accumulator
    (the `upd` of FUT 5.4). With fewer indices than dimensions the value is the
    sub-array of the trailing dimensions. The indices must be in bounds.

    (C1) There are at most as many indices as dimensions.
    (C2) The value has the type of the indexed element or sub-array; dynamic and
         static sizes may meet.
    (C3) The accumulator is used linearly.

    The fast-math flags are those of the additions. With `reassoc` several of them
    may be made at once.
  }];
  let arguments = (ins Soac_AccType:$acc, Variadic<Index>:$indices,
                       AnyType:$value,
                       OptionalAttr<Arith_FastMathAttr>:$fastmath);
  let results = (outs Soac_AccType:$result);
  let assemblyFormat = [{
    $acc `[` $indices `]` `,` $value attr-dict
    `:` qualified(type($acc)) `,` type($value)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Soac_NullAccOp : Soac_Op<"null_acc", [Pure]> {
  let summary = "An accumulator that forgets its updates.";
  let description = [{
    Stands for an accumulator whose array nobody reads, for instance when a
    scope is executed again only for its other results. It may be used any number
    of times, and an update of it folds away.
  }];
  let results = (outs Soac_AccType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Soac_YieldOp : Soac_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["MapOp", "ReduceOp", "ScanOp", "HistOp", "WithAccOp"]>]> {
  let summary = "End a combinator's body.";
  let description = [{
    Yields the values of the surrounding combinator's body.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // AD_SOAC_OPS
