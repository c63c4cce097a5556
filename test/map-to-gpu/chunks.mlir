// Many arrays are reduced in chunks, by fewer and fewer threads.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.start.npy '<i8' '(3,)' 0 1 2
// RUN: ad-opt run %s --entry=turns --input=%t.start.npy --input=5000 --target=gpu-emulate | FileCheck %s --check-prefix=TURNS
// RUN: ad-opt run %s --entry=turns --input=%t.start.npy --input=40 --target=gpu-emulate | FileCheck %s --check-prefix=FEW
// RUN: ad-opt run %s --entry=known --input=%t.start.npy --target=gpu-emulate | FileCheck %s --check-prefix=KNOWN

// Permutations of arrays of a size that is not known: every other one is a turn.
// CHECK-LABEL: func.func @turns(
// CHECK: scf.if
// CHECK: %[[FIRST:.*]] = scf.forall (%{{.*}}) in (1024) {{.*}} -> (tensor<1024x?xi64>)
// CHECK: soac.reduce
// CHECK: %[[SECOND:.*]] = scf.forall (%{{.*}}) in (32) {{.*}} -> (tensor<32x?xi64>)
// CHECK: tensor.extract_slice %[[FIRST]]
// CHECK: soac.reduce
// CHECK: scf.forall (%{{.*}}) in (1)
// CHECK: soac.reduce ins(%[[SECOND]]
// CHECK: } else {
// CHECK: scf.forall (%{{.*}}) in (1)
// CHECK: soac.reduce
// TURNS: [1, 2, 0]
// FEW: [2, 0, 1]
func.func @turns(%start: tensor<?xi64>, %n: index) -> tensor<?xi64> {
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %size = tensor.dim %start, %c0 : tensor<?xi64>
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota %size : tensor<?xindex>
  %xss = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?x?xi64> {
    %odd = arith.remui %i, %two : index
    %xs = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xi64> {
      %k = arith.addi %j, %odd : index
      %m = arith.remui %k, %three : index
      %x = arith.index_cast %m : index to i64
      soac.yield %x : i64
    }
    soac.yield %xs : tensor<?xi64>
  }
  %r = soac.reduce ins(%xss : tensor<?x?xi64>) neutral(%start : tensor<?xi64>) (%l: tensor<?xi64>, %r: tensor<?xi64>) {
    %s = soac.map ins(%r : tensor<?xi64>) (%k: i64) -> tensor<?xi64> {
      %i = arith.index_cast %k : i64 to index
      %x = tensor.extract %l[%i] : tensor<?xi64>
      soac.yield %x : i64
    }
    soac.yield %s : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// A chunk has 32 arrays or more, which tells how many chunks there are.
// CHECK-LABEL: func.func @known(
// CHECK-NOT: scf.if
// CHECK: scf.forall (%{{.*}}) in (3) {{.*}} -> (tensor<3x?xi64>)
// CHECK: scf.forall (%{{.*}}) in (1)
// KNOWN: [1, 2, 0]
func.func @known(%start: tensor<?xi64>) -> tensor<?xi64> {
  %three = arith.constant 3 : index
  %one = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %size = tensor.dim %start, %c0 : tensor<?xi64>
  %is = soac.iota : tensor<100xindex>
  %js = soac.iota %size : tensor<?xindex>
  %xss = soac.map ins(%is : tensor<100xindex>) (%i: index) -> tensor<100x?xi64> {
    %xs = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xi64> {
      %k = arith.addi %j, %one : index
      %m = arith.remui %k, %three : index
      %x = arith.index_cast %m : index to i64
      soac.yield %x : i64
    }
    soac.yield %xs : tensor<?xi64>
  }
  %r = soac.reduce ins(%xss : tensor<100x?xi64>) neutral(%start : tensor<?xi64>) (%l: tensor<?xi64>, %r: tensor<?xi64>) {
    %s = soac.map ins(%r : tensor<?xi64>) (%k: i64) -> tensor<?xi64> {
      %i = arith.index_cast %k : i64 to index
      %x = tensor.extract %l[%i] : tensor<?xi64>
      soac.yield %x : i64
    }
    soac.yield %s : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}
