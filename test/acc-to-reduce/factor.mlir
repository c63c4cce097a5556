// What all terms of a sum over a map are multiplied by is multiplied by once.
// RUN: ad-opt %s --ad-acc-to-reduce --canonicalize --cse --ad-simplify --canonicalize | FileCheck %s

// The cotangent of what is subtracted from all points before a triangle is applied to them: the sum over the points is
// a row of numbers. Without points nothing is added, not even a product of zero and infinity.
// CHECK-LABEL: func.func @triangle(
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<?x?xf64>, %[[Q:[a-z0-9]+]]: tensor<?x?xf64>, %[[START:[a-z0-9]+]]: tensor<?xf64>
// CHECK: %[[T:.*]] = soac.map
// CHECK:   soac.reduce
// CHECK: %[[R:.*]] = soac.with_acc ins(%[[START]] : tensor<?xf64>) (%[[ACC:[a-z0-9]+]]:
// CHECK-NOT: %[[S]]
// CHECK:   scf.if %{{.*}} -> (!soac.acc<tensor<?xf64>>) {
// CHECK:     soac.map ins(%{{.*}}, %[[T]] : {{.*}}) accs(%[[ACC]] : {{.*}}) (%[[J:[a-z0-9]+]]: index, %[[TJ:[a-z0-9]+]]: f64, %{{.*}}) -> !soac.acc<tensor<?xf64>> {
// CHECK:       %[[NEG:.*]] = arith.negf %[[TJ]]
// CHECK:       soac.map {{.*}} (%[[L:[a-z0-9]+]]: index, %[[A:[a-z0-9]+]]: !soac.acc<tensor<?xf64>>)
// CHECK:         %[[QJL:.*]] = tensor.extract %[[Q]][%[[J]], %[[L]]]
// CHECK:         %[[P:.*]] = arith.mulf %[[NEG]], %[[QJL]]
// CHECK:         soac.update_acc %[[A]][%[[L]]], %[[P]]
// CHECK:   } else {
// CHECK:     scf.yield %[[ACC]]
// CHECK: return %[[R]]
func.func @triangle(%s: tensor<?x?xf64>, %q: tensor<?x?xf64>, %start: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %s, %c1 : tensor<?x?xf64>
  %js = soac.iota %d : tensor<?xindex>
  %r = soac.with_acc ins(%start : tensor<?xf64>) (%a: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %1 = soac.map ins(%s : tensor<?x?xf64>) accs(%a : !soac.acc<tensor<?xf64>>) (%si: tensor<?xf64>, %b: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %2 = soac.map ins(%js, %si : tensor<?xindex>, tensor<?xf64>) accs(%b : !soac.acc<tensor<?xf64>>) (%j: index, %sij: f64, %c: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
        %width = arith.addi %j, %c1 : index
        %ls = soac.iota %width : tensor<?xindex>
        %3 = soac.map ins(%ls : tensor<?xindex>) accs(%c : !soac.acc<tensor<?xf64>>) (%l: index, %e: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
          %qjl = tensor.extract %q[%j, %l] : tensor<?x?xf64>
          %p = arith.mulf %sij, %qjl : f64
          %n = arith.negf %p : f64
          %4 = soac.update_acc %e[%l], %n : !soac.acc<tensor<?xf64>>, f64
          soac.yield %4 : !soac.acc<tensor<?xf64>>
        }
        soac.yield %3 : !soac.acc<tensor<?xf64>>
      }
      soac.yield %2 : !soac.acc<tensor<?xf64>>
    }
    soac.yield %1 : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// Rows without numbers, of static size; a factor of no level, and two that change. What was a sum of products for each
// row and column is one of sums.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<7x4xf32>, %[[W:[a-z0-9]+]]: tensor<7xf32>, %[[Q:[a-z0-9]+]]: tensor<4x3xf32>, %[[G:[a-z0-9]+]]: f32
// CHECK: %[[T:.*]] = soac.map
// CHECK-SAME: -> tensor<4xf32>
// CHECK:   soac.map
// CHECK:   soac.reduce
// CHECK-NOT: %[[S]]
// CHECK: soac.map {{.*}} -> tensor<3xf32>
// CHECK: return
func.func @rows(%s: tensor<7x4xf32>, %w: tensor<7xf32>, %q: tensor<4x3xf32>, %g: f32) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = tensor.splat %zero : tensor<3xf32>
  %ls = soac.iota : tensor<3xindex>
  %r = soac.with_acc ins(%zeros : tensor<3xf32>) (%a: !soac.acc<tensor<3xf32>>) -> tensor<3xf32> {
    %1 = soac.map ins(%s, %w : tensor<7x4xf32>, tensor<7xf32>) accs(%a : !soac.acc<tensor<3xf32>>) (%si: tensor<4xf32>, %wi: f32, %b: !soac.acc<tensor<3xf32>>) -> !soac.acc<tensor<3xf32>> {
      %2 = soac.map ins(%si, %q : tensor<4xf32>, tensor<4x3xf32>) accs(%b : !soac.acc<tensor<3xf32>>) (%sij: f32, %qj: tensor<3xf32>, %c: !soac.acc<tensor<3xf32>>) -> !soac.acc<tensor<3xf32>> {
        %3 = soac.map ins(%qj, %ls : tensor<3xf32>, tensor<3xindex>) accs(%c : !soac.acc<tensor<3xf32>>) (%qjl: f32, %l: index, %e: !soac.acc<tensor<3xf32>>) -> !soac.acc<tensor<3xf32>> {
          %p = arith.mulf %sij, %qjl : f32
          %x = arith.mulf %wi, %g : f32
          %y = arith.mulf %p, %x : f32
          %4 = soac.update_acc %e[%l], %y : !soac.acc<tensor<3xf32>>, f32
          soac.yield %4 : !soac.acc<tensor<3xf32>>
        }
        soac.yield %3 : !soac.acc<tensor<3xf32>>
      }
      soac.yield %2 : !soac.acc<tensor<3xf32>>
    }
    soac.yield %1 : !soac.acc<tensor<3xf32>>
  }
  return %r : tensor<3xf32>
}

// All that is added is the same for all elements, and expensive: one number is summed.
// CHECK-LABEL: func.func @number(
// CHECK-SAME: %[[U:[a-z0-9]+]]: tensor<9xf64>, %[[START:[a-z0-9]+]]: tensor<8xf64>
// CHECK: soac.map ins(%[[U]] : tensor<9xf64>)
// CHECK:   math.exp
// CHECK: %[[SUM:.*]] = soac.reduce
// CHECK: soac.map
// CHECK-NOT: math.exp
// CHECK: arith.addf %{{.*}}, %[[SUM]]
// CHECK: return
func.func @number(%us: tensor<9xf64>, %t: tensor<8xf64>) -> tensor<8xf64> {
  %is = soac.iota : tensor<8xindex>
  %r = soac.with_acc ins(%t : tensor<8xf64>) (%a: !soac.acc<tensor<8xf64>>) -> tensor<8xf64> {
    %b = soac.map ins(%us : tensor<9xf64>) accs(%a : !soac.acc<tensor<8xf64>>) (%u: f64, %c: !soac.acc<tensor<8xf64>>) -> !soac.acc<tensor<8xf64>> {
      %v = math.exp %u : f64
      %d = soac.map ins(%is : tensor<8xindex>) accs(%c : !soac.acc<tensor<8xf64>>) (%j: index, %e: !soac.acc<tensor<8xf64>>) -> !soac.acc<tensor<8xf64>> {
        %f = soac.update_acc %e[%j], %v : !soac.acc<tensor<8xf64>>, f64
        soac.yield %f : !soac.acc<tensor<8xf64>>
      }
      soac.yield %d : !soac.acc<tensor<8xf64>>
    }
    soac.yield %b : !soac.acc<tensor<8xf64>>
  }
  return %r : tensor<8xf64>
}

// How many elements get something depends on the row: there is no common sum.
// CHECK-LABEL: func.func @other_widths(
// CHECK: soac.with_acc
// CHECK-NOT: soac.with_acc
// CHECK: soac.map
// CHECK:   %[[E:.*]] = math.exp
// CHECK:   soac.map
// CHECK:     soac.update_acc {{.*}}, %[[E]]
func.func @other_widths(%us: tensor<?xf64>, %widths: tensor<?xindex>, %t: tensor<?xf64>) -> tensor<?xf64> {
  %r = soac.with_acc ins(%t : tensor<?xf64>) (%a: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %b = soac.map ins(%us, %widths : tensor<?xf64>, tensor<?xindex>) accs(%a : !soac.acc<tensor<?xf64>>) (%u: f64, %n: index, %c: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %v = math.exp %u : f64
      %is = soac.iota %n : tensor<?xindex>
      %d = soac.map ins(%is : tensor<?xindex>) accs(%c : !soac.acc<tensor<?xf64>>) (%j: index, %e: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
        %f = soac.update_acc %e[%j], %v : !soac.acc<tensor<?xf64>>, f64
        soac.yield %f : !soac.acc<tensor<?xf64>>
      }
      soac.yield %d : !soac.acc<tensor<?xf64>>
    }
    soac.yield %b : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}
