// A choice between arrays of different sizes was made element by element, and had the size of the first one.
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.two.npy '<f8' '(2,)' 3 5
// DEFINE: %{both} = --entry=chosen --input=%t.none.npy --input=%t.two.npy
// RUN: ad-opt run %s %{both} --input=true | FileCheck %s --check-prefix=FIRST
// RUN: ad-opt run %s %{both} --input=false | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt run %s %{both} --input=false --target=gpu-emulate | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt check %s %{both} --input=true
// RUN: ad-opt check %s %{both} --input=false
// RUN: ad-opt check %s %{both} --input=false --engine=interpreter
// FIRST: {{^\[\] *$}}
// SECOND: [9.0, 25.0]

func.func @chosen(%a: tensor<?xf64>, %b: tensor<?xf64>, %c: i1) -> tensor<?xf64> {
  %x = scf.if %c -> tensor<?xf64> {
    scf.yield %a : tensor<?xf64>
  } else {
    scf.yield %b : tensor<?xf64>
  }
  %squares = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %s = arith.mulf %e, %e : f64
    soac.yield %s : f64
  }
  return %squares : tensor<?xf64>
}
