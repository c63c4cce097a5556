// A reduction of arrays by an operator on their elements is a reduction for each element.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<f4' '(3, 2)' 1 2 3 4 5 6
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f4' '(0, 2)'
// RUN: %python %S/../driver/Inputs/npy.py %t.start.npy '<f4' '(2,)' 10 20
// RUN: %python %S/../driver/Inputs/npy.py %t.cube.npy '<i8' '(2, 2, 3)' 1 2 3 4 5 6 7 8 9 10 11 12
// RUN: %python %S/../driver/Inputs/npy.py %t.square.npy '<i8' '(2, 3)' 0 0 0 0 9 99
// RUN: ad-opt run %s --entry=rows --input=%t.rows.npy --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=ROWS
// RUN: ad-opt run %s --entry=rows --input=%t.none.npy --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=long --input=300 --input=10 --target=gpu-emulate | FileCheck %s --check-prefix=LONG
// RUN: ad-opt run %s --entry=long --input=3 --input=10 --target=gpu-emulate | FileCheck %s --check-prefix=SHORT
// RUN: ad-opt run %s --entry=both --input=%t.cube.npy --input=%t.square.npy --target=gpu-emulate | FileCheck %s --check-prefix=BOTH

// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[XSS:[a-z0-9]+]]: tensor<?x2xf32> {ad.unchanged}, %[[START:[a-z0-9]+]]: tensor<2xf32>
// CHECK: scf.forall (%[[J:.*]]) in (2)
// CHECK: arith.addf %{{.*}} : f32
// CHECK-NOT: arith.addf %{{.*}} : tensor
// CHECK: return
// ROWS: [19.0, 32.0]
// NONE: [10.0, 20.0]
func.func @rows(%xss: tensor<?x2xf32>, %start: tensor<2xf32>) -> tensor<2xf32> {
  %sum = soac.reduce ins(%xss : tensor<?x2xf32>) neutral(%start : tensor<2xf32>) (%l: tensor<2xf32>, %r: tensor<2xf32>) {
    %s = arith.addf %l, %r : tensor<2xf32>
    soac.yield %s : tensor<2xf32>
  }
  return %sum : tensor<2xf32>
}

// A few long columns have a block each, others a thread.
// CHECK-LABEL: func.func @long(
// CHECK: scf.if
// CHECK: scf.forall
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK: } {mapping = [#gpu.block<linear_dim_0>]}
// CHECK: } else {
// CHECK: scf.forall
// CHECK: return
// LONG: [44850, 45150, 45450, {{.*}}, 47550]
// SHORT: [3, 6, 9, {{.*}}, 30]
func.func @long(%n: index, %m: index) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %is = soac.iota %n : tensor<?xi64>
  %js = soac.iota %m : tensor<?xi64>
  %zeros = soac.replicate %zero, %m : i64 -> tensor<?xi64>
  %xss = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?x?xi64> {
    %xs = soac.map ins(%js : tensor<?xi64>) (%j: i64) -> tensor<?xi64> {
      %x = arith.addi %i, %j : i64
      soac.yield %x : i64
    }
    soac.yield %xs : tensor<?xi64>
  }
  %sums = soac.reduce ins(%xss : tensor<?x?xi64>) neutral(%zeros : tensor<?xi64>) (%ls: tensor<?xi64>, %rs: tensor<?xi64>) {
    %ss = soac.map ins(%ls, %rs : tensor<?xi64>, tensor<?xi64>) (%l: i64, %r: i64) -> tensor<?xi64> {
      %s = arith.addi %l, %r : i64
      soac.yield %s : i64
    }
    soac.yield %ss : tensor<?xi64>
  }
  return %sums : tensor<?xi64>
}

// Two dimensions and two components: the sums, and the greatest elements.
// CHECK-LABEL: func.func @both(
// CHECK: scf.forall {{.*}} -> (tensor<2x3xi64>, tensor<2x3xi64>) {
// CHECK: return
// BOTH: {{\[}}[8, 10, 12],
// BOTH-NEXT: [14, 25, 117]]
// BOTH-NEXT: {{\[}}[7, 8, 9],
// BOTH-NEXT: [10, 11, 99]]
func.func @both(%xss: tensor<?x2x3xi64>, %start: tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>) {
  %sums, %tops = soac.reduce ins(%xss, %xss : tensor<?x2x3xi64>, tensor<?x2x3xi64>) neutral(%start, %start : tensor<2x3xi64>, tensor<2x3xi64>)
      (%l: tensor<2x3xi64>, %t: tensor<2x3xi64>, %r: tensor<2x3xi64>, %u: tensor<2x3xi64>) {
    %s = soac.map ins(%l, %r : tensor<2x3xi64>, tensor<2x3xi64>) (%a: tensor<3xi64>, %b: tensor<3xi64>) -> tensor<2x3xi64> {
      %c = soac.map ins(%a, %b : tensor<3xi64>, tensor<3xi64>) (%x: i64, %y: i64) -> tensor<3xi64> {
        %z = arith.addi %x, %y : i64
        soac.yield %z : i64
      }
      soac.yield %c : tensor<3xi64>
    }
    %v = arith.maxsi %t, %u : tensor<2x3xi64>
    soac.yield %s, %v : tensor<2x3xi64>, tensor<2x3xi64>
  }
  return %sums, %tops : tensor<2x3xi64>, tensor<2x3xi64>
}
