// Blocks make rows of copies, of as many elements as are left for them, and exchange values, which one thread could not do: each
// block has a part of one buffer, as large as the largest row. Found by a random program [F49].
// RUN: %python %S/../bench/Inputs/compare_targets.py %s --entry=main --tolerance=1e-9 '<f8(1,) 0' '<f8(1,) 3' '<f8(1,) 300' '<f8(1,) 5000'
func.func @f0(%v1: tensor<1x?x1xf64>, %v2: tensor<?x1x1xf64>, %v3: f64, %n2: index) -> (f64, tensor<?xf64>) {
  %n1 = arith.constant 1 : index
  %v33 = soac.map ins(%v2 : tensor<?x1x1xf64>) (%v4: tensor<1x1xf64>) -> (tensor<?xf64>) {
    %v23, %v24 = soac.map ins(%v4 : tensor<1x1xf64>) (%v7: tensor<1xf64>) -> (tensor<1xf64>, tensor<1x?xf64>) {
      %v8 = soac.replicate %v7 : tensor<1xf64> -> tensor<1x1xf64>
      %t1 = arith.constant 1 : index
      %t2 = arith.addi %n1, %t1 : index
      %t3 = arith.constant 0 : index
      %t4 = arith.constant 0 : index
      %t5 = soac.iota  : tensor<1xindex>
      %t6 = soac.map ins(%t5 : tensor<1xindex>) (%t7: index) -> tensor<1xindex> {
        %t8 = arith.muli %t7, %t3 : index
        %t9 = arith.addi %t8, %t4 : index
        %t10 = arith.remui %t9, %t2 : index
        soac.yield %t10 : index
      }
      %v9 = soac.scatter at(%t6 : tensor<1xindex>) ins(%v8 : tensor<1x1xf64>) into(%v4 : tensor<1x1xf64>)
      %t11 = arith.constant 0.0 : f64
      %t12 = tensor.splat %t11 : tensor<1xf64>
      %v10 = soac.reduce ins(%v9 : tensor<1x1xf64>) neutral(%t12 : tensor<1xf64>) (%t13: tensor<1xf64>, %t14: tensor<1xf64>) {
        %t15 = soac.map ins(%t13, %t14 : tensor<1xf64>, tensor<1xf64>) (%t16: f64, %t17: f64) -> tensor<1xf64> {
          %t18 = arith.addf %t16, %t17 : f64
          soac.yield %t18 : f64
        }
        soac.yield %t15 : tensor<1xf64>
      }
      %t19 = arith.constant 0.0 : f64
      %v11 = soac.reduce ins(%v10 : tensor<1xf64>) neutral(%t19 : f64) (%t21: f64, %t22: f64) {
        %t23 = arith.addf %t21, %t22 : f64
        soac.yield %t23 : f64
      }
      %v13 = arith.addf %v3, %v11 : f64
      %v18 = arith.constant 0.5 : f64
      %v20 = arith.addf %v13, %v18 : f64
      %v22 = soac.replicate %v20, %n2 : f64 -> tensor<?xf64>
      soac.yield %v20, %v22 : f64, tensor<?xf64>
    }
    %t24 = arith.constant 0.0 : f64
    %t25 = tensor.splat %t24[%n2] : tensor<?xf64>
    %v25 = soac.reduce ins(%v24 : tensor<1x?xf64>) neutral(%t25 : tensor<?xf64>) (%t26: tensor<?xf64>, %t27: tensor<?xf64>) {
      %t28 = soac.map ins(%t26, %t27 : tensor<?xf64>, tensor<?xf64>) (%t29: f64, %t30: f64) -> tensor<?xf64> {
        %t31 = arith.addf %t29, %t30 : f64
        soac.yield %t31 : f64
      }
      soac.yield %t28 : tensor<?xf64>
    }
    %t32 = arith.constant 0.0 : f64
    %v26 = soac.reduce ins(%v25 : tensor<?xf64>) neutral(%t32 : f64) (%t34: f64, %t35: f64) {
      %t36 = arith.addf %t34, %t35 : f64
      soac.yield %t36 : f64
    }
    %v27 = math.sin %v26 : f64
    %v29 = arith.constant 0.5 : f64
    %v30 = arith.addf %v27, %v29 : f64
    %v31 = arith.addf %v30, %v3 : f64
    soac.yield %v31 : f64
  }
  %v4294967019 = arith.constant 0.5 : f64
  %v69 = tensor.splat %v4294967019[%n2] : tensor<?xf64>
  %t37 = arith.constant 0.0 : f64
  %v73 = soac.reduce ins(%v33 : tensor<?xf64>) neutral(%t37 : f64) (%t39: f64, %t40: f64) {
    %t41 = arith.addf %t39, %t40 : f64
    soac.yield %t41 : f64
  }
  return %v73, %v69 : f64, tensor<?xf64>
}
func.func @main(%v77: tensor<1xf64>, %n2: index) -> (f64) {
  %v129 = soac.map ins(%v77 : tensor<1xf64>) (%v78: f64) -> (tensor<1xf64>) {
    %v4294966823 = arith.constant 0.5 : f64
    %v118 = tensor.splat %v4294966823[%n2] : tensor<?xf64>
    %v119 = tensor.splat %v78[%n2] : tensor<1x?x1xf64>
    %v120 = arith.constant 1.5 : f64
    %v121 = tensor.splat %v120 : tensor<1x1xf64>
    %v122 = soac.replicate %v121, %n2 : tensor<1x1xf64> -> tensor<?x1x1xf64>
    %v123, %v124, %v125, %v126, %v127 = ad.vjp @f0(%v119, %v122, %v78, %n2) seed(%v78, %v118) : (tensor<1x?x1xf64>, tensor<?x1x1xf64>, f64, index), (f64, tensor<?xf64>) -> (f64, tensor<?xf64>, tensor<1x?x1xf64>, tensor<?x1x1xf64>, f64)
    soac.yield %v127 : f64
  }
  %t1 = arith.constant 0.0 : f64
  %v131 = soac.reduce ins(%v129 : tensor<1xf64>) neutral(%t1 : f64) (%t3: f64, %t4: f64) {
    %t5 = arith.addf %t3, %t4 : f64
    soac.yield %t5 : f64
  }
  return %v131 : f64
}
