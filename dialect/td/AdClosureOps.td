//===- AdClosureOps.td - functions as values --------------------*- tablegen -*-===//

#ifndef AD_AD_CLOSURE_OPS
#define AD_AD_CLOSURE_OPS

include "AdTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Ad_ClosureBaseOp<string mnemonic, list<Trait> traits = []>
    : Op<Ad_Dialect, mnemonic, traits>;

def Ad_ClosureOp : Ad_ClosureBaseOp<"closure", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A function, some of whose arguments are known.";
  let description = [{
    A value that is a function: the callee, whose first arguments are the
    captured values [MYIA 3.2]. To call the closure gives the others.

    ```mlir
    %f = ad.closure @scale(%a) : (f64) -> !ad.closure<(f64) -> f64>
    ```

    Captured values have cotangents like any argument; a closure may be captured,
    passed, returned and chosen.

    (C1) The callee is a function of the module.
    (C2) Its arguments have the types of the captured values, then of the
         closure's arguments; its results are those of the closure.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$captured);
  let results = (outs Ad_ClosureType:$closure);
  let assemblyFormat = [{
    $callee `(` $captured `)` attr-dict `:` functional-type($captured, $closure)
  }];
}

def Ad_LambdaOp : Ad_ClosureBaseOp<"lambda", [
    Pure, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "A function that is written where it is made.";
  let description = [{
    A value that is a function, whose body reads values from around it directly:
    what it captures is implied by what it uses [MYIA 3.1].

    ```mlir
    %f = ad.lambda (%x : f64) -> f64 {
      %y = arith.mulf %a, %x : f64
      ad.yield %y : f64
    }
    ```

    (C1) The arguments of the body and what it yields have the types of the
         closure's arguments and results.
  }];
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Ad_ClosureType:$closure);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Ad_YieldOp : Ad_ClosureBaseOp<"yield", [
    Pure, Terminator, ReturnLike, HasParent<"LambdaOp">]> {
  let summary = "What a lambda returns.";
  let description = [{
    Ends the body of an `ad.lambda`.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [OpBuilder<(ins), [{ /* nothing to do */ }]>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Ad_CallOp : Ad_ClosureBaseOp<"call"> {
  let summary = "Call a closure.";
  let description = [{
    Calls a function that is a value, as `func.call_indirect` does for functions
    that capture nothing.

    ```mlir
    %y = ad.call %f(%x) : !ad.closure<(f64) -> f64>
    ```

    (C1) Operands and results have the types of the closure's arguments and
         results.
  }];
  let arguments = (ins Ad_ClosureType:$closure, Variadic<AnyType>:$args);
  let results = (outs Variadic<AnyType>:$outputs);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // AD_AD_CLOSURE_OPS
