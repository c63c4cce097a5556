//===- AdOps.td - operations of the ad dialect ------------------*- tablegen -*-===//

#ifndef AD_AD_OPS
#define AD_AD_OPS

include "AdClosureOps.td"
include "AdDialect.td"
include "AdRecordOps.td"
include "AdTapeOps.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Ad_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ad_Dialect, mnemonic, traits>;

class Ad_RequestOp<string mnemonic> : Ad_Op<mnemonic, [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<AnyType>:$args,
                       Variadic<AnyType>:$seeds,
                       OptionalAttr<DenseI64ArrayAttr>:$wrt);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $callee `(` $args `)` `seed` `(` $seeds `)` attr-dict `:`
    custom<Types>(type($args)) `,` custom<Types>(type($seeds)) `->`
    custom<Types>(type($outputs))
  }];
}

def Ad_VjpOp : Ad_RequestOp<"vjp"> {
  let summary = "Ask for a vector-Jacobian product (reverse mode).";
  let description = [{
    Gives the results of the callee, then one cotangent per argument listed in
    `wrt` (FUT 2.0.2). There is one seed per differentiable result.

    ```mlir
    %y, %x_bar = ad.vjp @f(%x, %n) seed(%y_bar) {wrt = array<i64: 0>}
        : (tensor<?xf64>, index), (f64) -> (f64, tensor<?xf64>)
    ```

    (C1) The callee is a function of the module whose arguments have the types
         of the operands.
    (C2) `wrt` lists distinct positions of differentiable arguments; without it
         all of them are meant, and there must be one at least.
    (C3) There is one seed per differentiable result, of that result's type, then
         one shadow per buffer in `wrt`, in its order, of that buffer's type.
    (C4) The results are the callee's results, then the types of the arguments
         in `wrt` that are no buffers, in its order.

    *Requires*: a seed has the sizes of its result, and a shadow those of its buffer,
    also where the type leaves them open. The interpreter says if a seed has not. So
    does code that `ad-opt run` and `ad-opt compile` make, for seeds and shadows,
    where the sizes follow from those of the arguments of a public function and the
    request is not in a branch (`ad-note-sizes`).

    A record is differentiable if a field is. Its seed or cotangent is a record of
    those of its differentiable fields: of `!ad.record<w: f64, n: index>` it is
    `!ad.record<w: f64>`. For (C3) and (C4) a record in `wrt` with buffers among its
    fields is two: a record of its buffers, and one of its other fields.

    ```mlir
    %y, %layer_bar = ad.vjp @f(%layer) seed(%y_bar)
        : (!ad.record<w: f64, n: index>), (f64) -> (f64, !ad.record<w: f64>)
    ```

    A buffer of floats (`memref`) is differentiable, too. What is in it before and
    after the call are one argument and one result, which share its *shadow*: the
    shadow holds the cotangent of the contents after the call, which becomes that
    of the contents before the call in place. The buffer itself is left as the
    callee leaves it. Buffers that share memory have shadows that share memory in
    the same places, and all or none of them are in `wrt`. What is written to
    buffers that are not in `wrt` counts as no result. The seed of a buffer among
    the results is only read; the buffer itself belongs to the caller.

    ```mlir
    ad.vjp @square(%m) seed(%m_bar) {wrt = array<i64: 0>}
        : (memref<?xf64>), (memref<?xf64>) -> ()
    ```
  }];
}

def Ad_JvpOp : Ad_RequestOp<"jvp"> {
  let summary = "Ask for a Jacobian-vector product (forward mode).";
  let description = [{
    Gives the results of the callee, then one tangent per differentiable result
    (FUT 2.0.1). There is one seed per argument listed in `wrt`; a constant zero
    means that the argument is kept fixed.

    ```mlir
    %y, %y_dot = ad.jvp @f(%x, %n) seed(%x_dot) {wrt = array<i64: 0>}
        : (tensor<?xf64>, index), (tensor<?xf64>) -> (f64, f64)
    ```

    (C1) The callee is a function of the module whose arguments have the types
         of the operands.
    (C2) `wrt` lists distinct positions of differentiable arguments; without it
         all of them are meant, and there must be one at least.
    (C3) There is one seed per argument in `wrt`, of that argument's type.
    (C4) The results are the callee's results, then the types of its
         differentiable results.

    *Requires*: a seed has the sizes of its argument, also where the type leaves them
    open. Who says if it has not is as for `ad.vjp`.

    The seed and the tangent of a record are records of those of its differentiable
    fields.

    The seed of a buffer of floats (`memref`) holds the tangent of its contents
    before the call, and afterwards that of its contents after the call. Buffers
    that share memory have seeds that share memory in the same places, and all or
    none of them are in `wrt`.
  }];
}

def Ad_StopGradientOp : Ad_Op<"stop_gradient", [Pure, SameOperandsAndResultType]> {
  let summary = "The identity, with derivative zero.";
  let description = [{
    The value passes, its tangent and cotangent do not. The lowering removes the
    op.

    ```mlir
    %y = ad.stop_gradient %x : tensor<?xf64>
    ```
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasFolder = 1;
}

#endif // AD_AD_OPS
