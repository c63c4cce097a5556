//===- AdDialect.td - derivative requests -----------------------*- tablegen -*-===//

#ifndef AD_AD_DIALECT
#define AD_AD_DIALECT

include "mlir/IR/OpBase.td"

def Ad_Dialect : Dialect {
  let name = "ad";
  let cppNamespace = "::ad::request";
  let summary = "Requests for derivatives.";
  let description = [{
    The `ad` dialect asks for derivatives of functions; the pass
    `ad-differentiate` answers, innermost request first, and leaves no request
    behind. Floats, complex numbers and ranked tensors of them are
    *differentiable types*; arguments and results of any other type have no
    seed and no derivative.

    Derivatives of control-flow graphs keep values of earlier iterations on
    tapes, `!ad.tape<...>`, which programs may use, too.

    Values of several fields are records, `!ad.record<...>`, tuples, and the `struct`
    and `array` of the LLVM dialect. The *derivative* of such a type, as of a seed
    or a cotangent, is one of the same kind with the derivatives of those fields
    that have any, nested likewise: an integer in a record has no gradient, not a
    gradient of zero.

    Functions that are values are of type `!ad.closure<...>`, with what they
    capture, or of a function type, as those of `func.constant`.

    Discardable attributes on loops say how a derivative treats them:

    * `ad.strip_mine = array<i64: 16, 8>` (or one integer) on `scf.for`: before
      reverse mode the loop becomes a nest with one more level per factor
      [FUT 4.3]. Here the innermost loop does up to 8 iterations, the one around
      it up to 16 of those, and the outermost the rest. A loop of `m^(k+1)`
      iterations with k factors `m` saves about `m * (k+1)` versions of its
      loop-carried values instead of `m^(k+1)`, and runs the body k + 2 times
      instead of twice. Trip counts may be dynamic and need not be multiples.
    * `ad.no_false_dependencies` on `scf.for`, for all loop-carried tensors or, as
      `array<i1: true, false>` with one truth value for each loop-carried value, for
      some: no element of the tensor is overwritten in the
      loop (nest) after it has been read or written there [FUT 6.2]. Then reverse
      mode saves nothing per iteration: whatever the loop reads is still in its
      result. It is a promise: if it is broken the derivative is wrong. A list whose
      length is not that of the carried values any more, because a pass has dropped
      some, promises nothing.
    * `ad.bound = 100 : i64` on `scf.while`: the loop does at most so many
      iterations. Reverse mode runs a loop of so many iterations and asserts that
      they were enough [FUT 6.2]; without the attribute, iterations are counted
      first.
  }];
  let hasOperationAttrVerify = 1;
  let useDefaultTypePrinterParser = 1;
}

#endif // AD_AD_DIALECT
