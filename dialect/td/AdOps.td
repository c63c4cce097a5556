//===- AdOps.td - operations of the ad dialect ------------------*- tablegen -*-===//

#ifndef AD_AD_OPS
#define AD_AD_OPS

include "AdClosureOps.td"
include "AdDialect.td"
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
    (C3) There is one seed per differentiable result, of that result's type.
    (C4) The results are the callee's results, then the types of the arguments
         in `wrt`, in its order.
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
