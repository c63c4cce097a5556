// A map without iterations adds rows to the cotangent of %x, which `ad-hoist` computes in a branch that is not taken: the sum
// of no rows is as long as a row would be. Found by a random program.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(1,)' -0.66
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: ad-opt check %s --entry=main --input=%t.x.npy --input=%t.none.npy --input=1

func.func @main(%v50: tensor<?xf64>, %v51: tensor<0xf64>, %n1: index) -> tensor<0xf64> {
  %v53 = arith.constant 1 : index
  %v83 = soac.map ins(%v51 : tensor<0xf64>) (%v69: f64) -> tensor<0xf64> {
    %v76 = soac.with_acc ins(%v50 : tensor<?xf64>) (%t1: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>) {
      %t4 = soac.map ins(%v51, %v51 : tensor<0xf64>, tensor<0xf64>) accs(%t1 : !soac.acc<tensor<?xf64>>) (%v71: f64, %v72: f64, %t2: !soac.acc<tensor<?xf64>>) -> (!soac.acc<tensor<?xf64>>) {
        %v75 = arith.constant -0.125 : f64
        %t5 = arith.remui %v53, %n1 : index
        %t3 = soac.update_acc %t2[%t5], %v75 : !soac.acc<tensor<?xf64>>, f64
        soac.yield %t3 : !soac.acc<tensor<?xf64>>
      }
      soac.yield %t4 : !soac.acc<tensor<?xf64>>
    }
    %v79 = soac.map ins(%v76 : tensor<?xf64>) (%v77: f64) -> (tensor<?xf64>) {
      %v78 = math.sin %v77 : f64
      soac.yield %v78 : f64
    }
    %t6 = arith.constant 0.0 : f64
    %v80 = soac.reduce ins(%v79 : tensor<?xf64>) neutral(%t6 : f64) (%t8: f64, %t9: f64) {
      %t10 = arith.addf %t8, %t9 : f64
      soac.yield %t10 : f64
    }
    soac.yield %v80 : f64
  }
  %t11 = arith.constant 0.0 : f64
  %v85 = soac.reduce ins(%v83 : tensor<0xf64>) neutral(%t11 : f64) (%t13: f64, %t14: f64) {
    %t15 = arith.addf %t13, %t14 : f64
    soac.yield %t15 : f64
  }
  %v92 = tensor.generate  {
    ^bb0(%v88: index):
    %v89 = arith.constant 0.5 : f64
    %v90 = arith.addf %v85, %v89 : f64
    tensor.yield %v90 : f64
  } : tensor<0xf64>
  return %v92 : tensor<0xf64>
}
