// The adjoint of a matrix product is two nests of the shape of matrix products, without
// accumulators [F46].
// RUN: ad-opt %s --ad-optimize | FileCheck %s --implicit-check-not=acc --implicit-check-not=scf.for
// RUN: ad-opt run %s --entry=values | FileCheck %s --check-prefix=VALUES

// As the paper writes it, by indices: as_bar[i, k] sums over j, bs_bar[k, j] over i.
// CHECK-LABEL: func.func @indices_vjp(
// CHECK-SAME: %[[AS:[a-z0-9]+]]: tensor<4x5xf64>, %[[BS:[a-z0-9]+]]: tensor<5x6xf64>, %[[CS_BAR:[a-z0-9]+]]: tensor<4x6xf64>)
// CHECK: %[[BS_BAR:.*]] = soac.map ins(%{{.*}} : tensor<5xindex>) (%[[K:[a-z0-9]+]]: index) -> tensor<5x6xf64>
// CHECK: soac.map ins(%{{.*}} : tensor<6xindex>) (%[[J:[a-z0-9]+]]: index) -> tensor<6xf64>
// CHECK: soac.map ins(%[[CS_BAR]], %{{.*}} : tensor<4x6xf64>, tensor<4xindex>) (%[[ROW:[a-z0-9]+]]: tensor<6xf64>, %[[I:[a-z0-9]+]]: index)
// CHECK-DAG: %[[C:.*]] = tensor.extract %[[ROW]][%[[J]]]
// CHECK-DAG: %[[A:.*]] = tensor.extract %[[AS]][%[[I]], %[[K]]]
// CHECK: arith.mulf %[[C]], %[[A]]
// CHECK: soac.reduce
// CHECK: arith.addf
// CHECK: %[[AS_BAR:.*]] = soac.map ins(%[[CS_BAR]] : tensor<4x6xf64>) (%[[ROW2:[a-z0-9]+]]: tensor<6xf64>) -> tensor<4x5xf64>
// CHECK: soac.map ins(%{{.*}} : tensor<5xindex>) (%[[K2:[a-z0-9]+]]: index) -> tensor<5xf64>
// CHECK: soac.map ins(%[[ROW2]], %{{.*}} : tensor<6xf64>, tensor<6xindex>) (%[[C2:[a-z0-9]+]]: f64, %[[J2:[a-z0-9]+]]: index)
// CHECK: %[[B:.*]] = tensor.extract %[[BS]][%[[K2]], %[[J2]]]
// CHECK: arith.mulf %[[C2]], %[[B]]
// CHECK: soac.reduce
// CHECK: arith.addf
// CHECK: return %[[AS_BAR]], %[[BS_BAR]]
func.func private @indices(%as: tensor<4x5xf64>, %bs: tensor<5x6xf64>) -> tensor<4x6xf64> {
  %zero = arith.constant 0.0 : f64
  %is = soac.iota : tensor<4xindex>
  %js = soac.iota : tensor<6xindex>
  %ks = soac.iota : tensor<5xindex>
  %cs = soac.map ins(%is : tensor<4xindex>) (%i: index) -> tensor<4x6xf64> {
    %row = soac.map ins(%js : tensor<6xindex>) (%j: index) -> tensor<6xf64> {
      %ps = soac.map ins(%ks : tensor<5xindex>) (%k: index) -> tensor<5xf64> {
        %a = tensor.extract %as[%i, %k] : tensor<4x5xf64>
        %b = tensor.extract %bs[%k, %j] : tensor<5x6xf64>
        %p = arith.mulf %a, %b : f64
        soac.yield %p : f64
      }
      %s = soac.reduce ins(%ps : tensor<5xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %t = arith.addf %l, %r : f64
        soac.yield %t : f64
      }
      soac.yield %s : f64
    }
    soac.yield %row : tensor<6xf64>
  }
  return %cs : tensor<4x6xf64>
}
func.func @indices_vjp(%as: tensor<4x5xf64>, %bs: tensor<5x6xf64>, %cs_bar: tensor<4x6xf64>)
    -> (tensor<4x5xf64>, tensor<5x6xf64>) {
  %r:3 = ad.vjp @indices(%as, %bs) seed(%cs_bar)
      : (tensor<4x5xf64>, tensor<5x6xf64>), (tensor<4x6xf64>)
      -> (tensor<4x6xf64>, tensor<4x5xf64>, tensor<5x6xf64>)
  return %r#1, %r#2 : tensor<4x5xf64>, tensor<5x6xf64>
}

// By rows of as and of the transpose of bs, with sizes that only the program's input tells.
// CHECK-LABEL: func.func @rows_vjp(
// CHECK-COUNT-2: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-NOT: soac.reduce
// CHECK: return
func.func private @rows(%as: tensor<?x?xf64>, %bts: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %cs = soac.map ins(%as : tensor<?x?xf64>) (%a: tensor<?xf64>) -> tensor<?x?xf64> {
    %row = soac.map ins(%bts : tensor<?x?xf64>) (%b: tensor<?xf64>) -> tensor<?xf64> {
      %ps = soac.map ins(%a, %b : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
        %p = arith.mulf %x, %y : f64
        soac.yield %p : f64
      }
      %s = soac.reduce ins(%ps : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %t = arith.addf %l, %r : f64
        soac.yield %t : f64
      }
      soac.yield %s : f64
    }
    soac.yield %row : tensor<?xf64>
  }
  return %cs : tensor<?x?xf64>
}
func.func @rows_vjp(%as: tensor<?x?xf64>, %bts: tensor<?x?xf64>, %cs_bar: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %r:3 = ad.vjp @rows(%as, %bts) seed(%cs_bar)
      : (tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>
}

// as_bar = cs_bar bs^T and bs^T_bar = cs_bar^T as, by hand.
// CHECK-LABEL: func.func @values
// VALUES: {{\[\[}}5.0, 11.0, 6.0],
// VALUES-NEXT: [11.0, 25.0, 14.0]]
// VALUES: {{\[\[}}13.0, 17.0, 21.0],
// VALUES-NEXT: [18.0, 24.0, 30.0]]
func.func @values() -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %as = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %bts = arith.constant dense<[[1.0, 3.0, 2.0], [2.0, 4.0, 2.0]]> : tensor<2x3xf64>
  %seed = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %a = tensor.cast %as : tensor<2x3xf64> to tensor<?x?xf64>
  %b = tensor.cast %bts : tensor<2x3xf64> to tensor<?x?xf64>
  %s = tensor.cast %seed : tensor<2x2xf64> to tensor<?x?xf64>
  %r:2 = call @rows_vjp(%a, %b, %s) : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#0, %r#1 : tensor<?x?xf64>, tensor<?x?xf64>
}
