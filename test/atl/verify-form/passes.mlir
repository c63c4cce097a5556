// Each pass leaves its form: of inputs that are tensors of pairs, of other tests of the language, and of
// their derivatives (T24, T26, T28, T29).
// RUN: ad-opt %s --atl-lift-lets --atl-verify-form=form=lets-lifted -o /dev/null
// RUN: ad-opt %s --atl-eliminate-pairs --atl-verify-form=form=pairs-eliminated -o /dev/null
// RUN: ad-opt %s --atl-push-out-gens --atl-verify-form=form=gens-pushed-out -o /dev/null
// RUN: ad-opt %s --atl-to-ssa --atl-verify-form -o /dev/null
// RUN: not ad-opt %s --atl-verify-form -o /dev/null

// RUN: ad-opt %S/../normal-forms.mlir --split-input-file --atl-lift-lets --atl-verify-form=form=lets-lifted -o /dev/null
// RUN: ad-opt %S/../normal-forms.mlir --split-input-file --atl-eliminate-pairs --atl-verify-form=form=pairs-eliminated -o /dev/null
// RUN: ad-opt %S/../normal-forms.mlir --split-input-file --atl-push-out-gens --atl-verify-form=form=gens-pushed-out -o /dev/null
// RUN: ad-opt %S/../normal-forms.mlir --split-input-file --atl-to-ssa --atl-verify-form -o /dev/null

// RUN: ad-opt %S/../convolution.mlir --atl-to-ssa --atl-verify-form -o /dev/null
// RUN: ad-opt %S/../convolution.mlir --ad-differentiate --atl-to-ssa --atl-verify-form -o /dev/null
// RUN: ad-opt %S/../diag.mlir --atl-to-ssa --atl-verify-form -o /dev/null
// RUN: ad-opt %S/../diag.mlir --ad-differentiate --atl-to-ssa --atl-verify-form -o /dev/null
// RUN: ad-opt %S/../offsets.mlir --atl-to-ssa --atl-verify-form -o /dev/null
// RUN: ad-opt %S/../sparse.mlir --atl-to-ssa --atl-verify-form -o /dev/null
// RUN: ad-opt %S/../sparse.mlir --ad-differentiate --atl-to-ssa --atl-verify-form -o /dev/null
// RUN: ad-opt %S/../tuples.mlir --atl-to-ssa --atl-verify-form -o /dev/null

!point = !atl.pair<f64, f64>

func.func @products(%points: tensor<?x!point>, %n: index) -> f64 {
  %s = atl.sum (%i in %n) -> f64 {
    %point = atl.access %points[%i] : tensor<?x!point>
    %a = atl.project %point[0] : !point
    %b = atl.project %point[1] : !point
    %ab = arith.mulf %a, %b : f64
    atl.yield %ab : f64
  }
  return %s : f64
}

func.func @copy(%points: tensor<?x!point>, %n: index) -> tensor<?x!point> {
  %s = atl.gen (%i in %n) -> tensor<?x!point> {
    %point = atl.access %points[%i] : tensor<?x!point>
    atl.yield %point : !point
  }
  return %s : tensor<?x!point>
}

// A generation in a generation, and a value that is used twice in a body, and in a deeper one.
func.func @nested(%x: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?x?xf64> {
    %e = atl.access %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %row = atl.gen (%j in %n) -> tensor<?xf64> {
      %g = atl.access %x[%j] : tensor<?xf64>
      %q = arith.mulf %f, %g : f64
      %s = arith.addf %q, %f : f64
      atl.yield %s : f64
    }
    atl.yield %row : tensor<?xf64>
  }
  return %y : tensor<?x?xf64>
}
