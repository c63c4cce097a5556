// What the loops compute, also for empty arrays.
// RUN: ad-opt run %s --entry=sizes --input=3 | FileCheck --check-prefix=THREE %s
// RUN: ad-opt run %s --entry=sizes --input=0 | FileCheck --check-prefix=NONE %s
// RUN: ad-opt run %s --entry=histogram | FileCheck --check-prefix=HISTOGRAM %s
// RUN: ad-opt run %s --entry=untouched | FileCheck --check-prefix=UNTOUCHED %s
// RUN: ad-opt run %s --entry=powers --input=3 | FileCheck --check-prefix=POWERS %s

// THREE: [0, 1, 2]
// THREE-NEXT: {{\[}}[0, 1, 2],
// THREE-NEXT: [1, 2, 3],
// THREE-NEXT: [2, 3, 4]]
// THREE-NEXT: 3
// NONE: []
// NONE: 0
func.func @sizes(%n: index) -> (tensor<?xindex>, tensor<?x?xindex>, index) {
  %c0 = arith.constant 0 : index
  %is = soac.iota %n : tensor<?xindex>
  %r = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?x?xindex> {
    %row = soac.map ins(%is : tensor<?xindex>) (%j: index) -> tensor<?xindex> {
      %a = arith.addi %i, %j : index
      soac.yield %a : index
    }
    soac.yield %row : tensor<?xindex>
  }
  %sum = soac.reduce ins(%is : tensor<?xindex>) neutral(%c0 : index) (%a: index, %b: index) {
    %c = arith.addi %a, %b : index
    soac.yield %c : index
  }
  return %is, %r, %sum : tensor<?xindex>, tensor<?x?xindex>, index
}

// HISTOGRAM: [1{{(\.0)?}}, 2{{(\.0)?}}, 7{{(\.0)?}}]
func.func @histogram() -> tensor<3xf64> {
  %xs = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %is = arith.constant dense<[0, 1, 2, 2]> : tensor<4xindex>
  %z = arith.constant dense<0.0> : tensor<3xf64>
  %r = soac.with_acc ins(%z : tensor<3xf64>) (%acc: !soac.acc<tensor<3xf64>>) -> (tensor<3xf64>) {
    %a1 = soac.map ins(%xs, %is : tensor<4xf64>, tensor<4xindex>) accs(%acc : !soac.acc<tensor<3xf64>>)
        (%x: f64, %i: index, %a: !soac.acc<tensor<3xf64>>) -> (!soac.acc<tensor<3xf64>>) {
      %a2 = soac.update_acc %a[%i], %x : !soac.acc<tensor<3xf64>>, f64
      soac.yield %a2 : !soac.acc<tensor<3xf64>>
    }
    soac.yield %a1 : !soac.acc<tensor<3xf64>>
  }
  return %r : tensor<3xf64>
}

// An update leaves the old array as it was for those who still read it.
// UNTOUCHED: [9{{(\.0)?}}, 2{{(\.0)?}}]
// UNTOUCHED: [1{{(\.0)?}}, 2{{(\.0)?}}]
// UNTOUCHED: [9{{(\.0)?}}, 2{{(\.0)?}}]
func.func @untouched() -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %x = tensor.from_elements %one, %two : tensor<2xf64>
  %y = tensor.insert %nine into %x[%c0] : tensor<2xf64>
  return %y, %x, %y : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}

// A loop whose next array reads the whole previous one.
// POWERS: [8{{(\.0)?}}, 16{{(\.0)?}}, 24{{(\.0)?}}]
func.func @powers(%t: index) -> tensor<3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %start = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %is = soac.iota : tensor<3xindex>
  %r = scf.for %i = %c0 to %t step %c1 iter_args(%x = %start) -> tensor<3xf64> {
    %y = soac.map ins(%is : tensor<3xindex>) (%k: index) -> tensor<3xf64> {
      %a = tensor.extract %x[%k] : tensor<3xf64>
      %k2 = arith.subi %c2, %k : index
      %b = tensor.extract %x[%k2] : tensor<3xf64>
      %ab = arith.addf %a, %b : f64
      %half = arith.subf %ab, %b : f64
      %z = arith.addf %half, %a : f64
      soac.yield %z : f64
    }
    scf.yield %y : tensor<3xf64>
  }
  return %r : tensor<3xf64>
}
