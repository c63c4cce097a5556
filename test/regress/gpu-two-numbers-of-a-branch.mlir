// Two numbers of a branch that a map in it reads are brought out of it, one after the other: what the first one gave is gone
// when the second one has made another branch.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(1,)' -0.57
// DEFINE: %{run} = ad-opt run %s --entry=g --input=%t.npy --input=-0.145 --input=1
// RUN: %{run} > %t.cpu && %{run} --target=gpu-emulate > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-12
// RUN: FileCheck %s < %t.gpu
// CHECK: [0.0]
// CHECK: -0.77360484737

func.func @main(%a0: tensor<1xf64>, %a1: f64, %a2: index) -> (f64) {
  %a3 = tensor.empty(%a2) : tensor<?xf64>
  %a4 = scf.forall (%a5) in (%a2) shared_outs(%a6 = %a3) -> (tensor<?xf64>) {
    %a7 = tensor.generate %a2 {
      ^bb0(%a8: index):
      %a9 = arith.constant 0.5 : f64
      %a10 = arith.mulf %a9, %a9 : f64
      %a11 = arith.constant 1.0 : f64
      %a12 = arith.addf %a10, %a11 : f64
      %a13 = arith.divf %a1, %a12 : f64
      tensor.yield %a13 : f64
    } : tensor<?xf64>
    %a14 = arith.constant 0.0 : f64
    %a15 = soac.reduce ins(%a7 : tensor<?xf64>) neutral(%a14 : f64) (%a16: f64, %a17: f64) {
      %a18 = arith.addf %a16, %a17 : f64
      soac.yield %a18 : f64
    }
    %a19 = tensor.from_elements %a15 : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a19 into %a6[%a5] [1] [1] : tensor<1xf64> into tensor<?xf64>
    }
  }
  %a20 = soac.iota  : tensor<1xindex>
  %a21 = soac.map ins(%a0, %a20 : tensor<1xf64>, tensor<1xindex>) (%a22: f64, %a23: index) -> (tensor<1xf64>) {
    %a24 = arith.cmpf oge, %a22, %a1 : f64
    %a25 = scf.if %a24 -> (f64) {
      scf.yield %a22 : f64
    } else {
      %a26 = arith.constant 0.5 : f64
      %a27 = tensor.splat %a26 : tensor<3xf64>
      %a28 = tensor.concat dim(0) %a27, %a4 : (tensor<3xf64>, tensor<?xf64>) -> tensor<?xf64>
      %a29 = tensor.cast %a28 : tensor<?xf64> to tensor<4xf64>
      %a30 = arith.constant 0.0 : f64
      %a31 = soac.reduce ins(%a29 : tensor<4xf64>) neutral(%a30 : f64) (%a32: f64, %a33: f64) {
        %a34 = arith.addf %a32, %a33 : f64
        soac.yield %a34 : f64
      }
      %a35 = arith.constant 0.0 : f64
      %a36 = soac.reduce ins(%a27 : tensor<3xf64>) neutral(%a35 : f64) (%a37: f64, %a38: f64) {
        %a39 = arith.addf %a37, %a38 : f64
        soac.yield %a39 : f64
      }
      %a40 = arith.addf %a31, %a36 : f64
      %a41 = math.sin %a40 : f64
      scf.yield %a41 : f64
    }
    soac.yield %a25 : f64
  }
  %a42 = arith.constant 0.0 : f64
  %a43 = soac.reduce ins(%a21 : tensor<1xf64>) neutral(%a42 : f64) (%a44: f64, %a45: f64) {
    %a46 = arith.addf %a44, %a45 : f64
    soac.yield %a46 : f64
  }
  %a47 = arith.constant 0.5 : f64
  %a48 = arith.addf %a43, %a47 : f64
  return %a48 : f64
}
func.func @g(%a0: tensor<1xf64>, %a1: f64, %a2: index) -> (tensor<1xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %y, %a, %b = ad.vjp @main(%a0, %a1, %a2) seed(%one) : (tensor<1xf64>, f64, index), (f64) -> (f64, tensor<1xf64>, f64)
  return %a, %b : tensor<1xf64>, f64
}
