// Rows that are so few, and so long, that one block for each would leave most of a GPU idle, are reduced in parts by several
// blocks, and those by another one (F45): also one reduction after the other, in order, and with numbers of elements. How
// many parts there are depends on sizes; short rows and many rows are as before.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../bench/Inputs/random_npy.py %t.few.npy '<f8' '(3,30001)' 0.999 1.001
// RUN: %python %S/../bench/Inputs/random_npy.py %t.many.npy '<f8' '(600,5000)' 0.999 1.001 2
// RUN: %python %S/../bench/Inputs/random_npy.py %t.short.npy '<f8' '(5,4000)' 0.999 1.001 3
// RUN: %python %S/../bench/Inputs/random_npy.py %t.none.npy '<f8' '(0,9000)' 0.999 1.001 4
// DEFINE: %{entry} = moments
// DEFINE: %{x} = few
// DEFINE: %{launches} = LAUNCHES4
// DEFINE: %{both} = ad-opt run %s --entry=%{entry} --input=%t.%{x}.npy > %t.cpu && \
// DEFINE:   ad-opt run %s --entry=%{entry} --input=%t.%{x}.npy --target=gpu-emulate --repeat=1 > %t.gpu 2> %t.report && \
// DEFINE:   %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-12 && FileCheck %s --check-prefix=%{launches} < %t.report
// RUN: %{both}
// REDEFINE: %{launches} = LAUNCHES2
// REDEFINE: %{entry} = last
// RUN: %{both}
// REDEFINE: %{entry} = composed
// RUN: %{both}
// REDEFINE: %{entry} = moments
// REDEFINE: %{launches} = LAUNCHES1
// REDEFINE: %{x} = many
// RUN: %{both}
// REDEFINE: %{x} = short
// RUN: %{both}
// RUN: ad-opt run %s --entry=last --input=%t.none.npy --target=gpu-emulate | FileCheck %s --check-prefix=NONE
//
// NONE: []
// LAUNCHES1: "launches":1,
// LAUNCHES2: "launches":2,
// LAUNCHES4: "launches":4,

// The mean and the variance of each row: the second sum depends on the first one.
func.func @moments(%x: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %size = tensor.dim %x, %c1 : tensor<?x?xf64>
  %integer = arith.index_cast %size : index to i64
  %n = arith.sitofp %integer : i64 to f64
  %means, %variances = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
    %sum = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %mean = arith.divf %sum, %n : f64
    %squares = soac.map ins(%row : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
      %d = arith.subf %e, %mean : f64
      %q = arith.mulf %d, %d : f64
      soac.yield %q : f64
    }
    %total = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %variance = arith.divf %total, %n : f64
    soac.yield %mean, %variance : f64, f64
  }
  return %means, %variances : tensor<?xf64>, tensor<?xf64>
}

// Of equal elements the last one, by its number.
func.func @last(%x: tensor<?x?xf64>) -> tensor<?xindex> {
  %c1 = arith.constant 1 : index
  %least = arith.constant 0xFFF0000000000000 : f64
  %none = arith.constant -1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?xf64>
  %numbers = soac.iota %n : tensor<?xindex>
  %places = soac.map ins(%x : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xindex> {
    %v, %k = soac.reduce ins(%row, %numbers : tensor<?xf64>, tensor<?xindex>) neutral(%least, %none : f64, index)
        (%l: f64, %i: index, %r: f64, %j: index) {
      %c = arith.cmpf ogt, %l, %r : f64
      %a = arith.select %c, %l, %r : f64
      %b = arith.select %c, %i, %j : index
      soac.yield %a, %b : f64, index
    }
    soac.yield %k : index
  }
  return %places : tensor<?xindex>
}

// Functions x -> a x + b, one after the other: an operator that does not commute. Three rows of 30001 are in 14 parts each.
// CHECK-LABEL: func.func @composed(
// CHECK:         %[[PARTS:.*]]:2 = scf.forall (%{{.*}}, %{{.*}}) in (3, 14) {{.*}} -> (tensor<3x14xf64>, tensor<3x14xf64>)
// CHECK:           mapping = [#gpu.thread<linear_dim_0>]
// CHECK:         mapping = [#gpu.block<linear_dim_0>, #gpu.block<linear_dim_1>]
// CHECK:         scf.forall (%{{.*}}) in (3) {{.*}} -> (tensor<3xf64>, tensor<3xf64>)
// CHECK-NOT:     scf.if {{.*}} -> (tensor
// CHECK:         return
func.func @composed(%x: tensor<3x30001xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %a, %b = soac.map ins(%x : tensor<3x30001xf64>) (%row: tensor<30001xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
    %p, %q = soac.reduce ins(%row, %row : tensor<30001xf64>, tensor<30001xf64>) neutral(%one, %zero : f64, f64)
        (%la: f64, %lb: f64, %ra: f64, %rb: f64) {
      %c = arith.mulf %la, %ra : f64
      %d = arith.mulf %ra, %lb : f64
      %e = arith.addf %d, %rb : f64
      soac.yield %c, %e : f64, f64
    }
    soac.yield %p, %q : f64, f64
  }
  return %a, %b : tensor<3xf64>, tensor<3xf64>
}
