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
  }];
}

#endif // AD_AD_DIALECT
