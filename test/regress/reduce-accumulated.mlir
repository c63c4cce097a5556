// A reduction of what the maps before it have accumulated, which others read, too, runs behind them: an
// iteration of the map has no element of it. (a, b) = (3, 4), twice: (6, 8), and their sum 14.
// RUN: ad-opt %s --lower-soac-to-loops | FileCheck %s --check-prefix=LOOPS
// RUN: ad-opt run %s --entry=main | FileCheck %s
// LOOPS-COUNT-3: scf.for
// LOOPS-NOT: scf.for
// CHECK:      [6.0, 8.0]
// CHECK-NEXT: 14.0
func.func @main() -> (tensor<2xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %ab = arith.constant dense<[3.0, 4.0]> : tensor<2xf64>
  %twice = soac.iota : tensor<2xindex>
  %sum = soac.with_acc ins(%zeros : tensor<2xf64>) (%acc: !soac.acc<tensor<2xf64>>) -> tensor<2xf64> {
    %all = soac.map ins(%twice : tensor<2xindex>) accs(%acc : !soac.acc<tensor<2xf64>>)
        (%i: index, %a: !soac.acc<tensor<2xf64>>) -> !soac.acc<tensor<2xf64>> {
      %b = soac.update_acc %a[], %ab : !soac.acc<tensor<2xf64>>, tensor<2xf64>
      soac.yield %b : !soac.acc<tensor<2xf64>>
    }
    soac.yield %all : !soac.acc<tensor<2xf64>>
  }
  %total = soac.reduce ins(%sum : tensor<2xf64>) neutral(%zero : f64) (%x: f64, %y: f64) {
    %z = arith.addf %x, %y : f64
    soac.yield %z : f64
  }
  return %sum, %total : tensor<2xf64>, f64
}
