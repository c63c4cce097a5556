// A map in a loop yields an array from in front of the loop, which another map made by tanh: the return sweep took it for
// a value that the map makes, and read it from its results in front of the loop.
// RUN: ad-opt check %s --entry=main --input=0.3 --input=3 | FileCheck %s
// RUN: ad-opt check %s --entry=main --input=0.3 --input=0 | FileCheck %s
// RUN: ad-opt %s --ad-differentiate --verify-each -o /dev/null

// CHECK: {{^}}0 {{.*}} ok
func.func @main(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %xs = tensor.splat %x[%n] : tensor<?xf64>
  %ts = soac.map ins(%xs : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %t = math.tanh %a : f64
    soac.yield %t : f64
  }
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%rows = %ts) -> (tensor<?xf64>) {
    %all, %more = soac.map ins(%rows : tensor<?xf64>) (%a: f64) -> (tensor<?x?xf64>, tensor<?xf64>) {
      %b = arith.mulf %a, %x : f64
      soac.yield %ts, %b : tensor<?xf64>, f64
    }
    %row = tensor.extract_slice %all[%i, 0] [1, %n] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %next = soac.map ins(%row, %more : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
      %s = arith.addf %a, %b : f64
      soac.yield %s : f64
    }
    scf.yield %next : tensor<?xf64>
  }
  %sum = soac.reduce ins(%last : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %sum : f64
}

func.func @gradient(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @main(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %x_bar : f64
}
