// A random program: LLVM 22 crashed on a vector of math.sincos.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(0,)'
// RUN: ad-opt check %s --entry=main --input=%t.npy --input=-0.34643359136735286 --input=0.04905703514725013 --input=4

func.func @main(%v1: tensor<0xf64>, %v2: f64, %v3: f64, %n0: index) -> (f64, tensor<?xf64>) {
  %t1 = tensor.empty(%n0) : tensor<?xf64>
  %v62 = scf.forall (%v4) in (%n0) shared_outs(%t2 = %t1) -> (tensor<?xf64>) {
    %t3 = tensor.from_elements %v3 : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t3 into %t2[%v4] [1] [1] : tensor<1xf64> into tensor<?xf64>
    }
  }
  %t4 = arith.constant -1000.0 : f64
  %v63 = soac.reduce ins(%v62 : tensor<?xf64>) neutral(%t4 : f64) (%t6: f64, %t7: f64) {
    %t8 = arith.maximumf %t6, %t7 : f64
    soac.yield %t8 : f64
  }
  %t9 = arith.constant 1 : index
  %t10 = arith.constant 2 : index
  %t11 = arith.subi %n0, %t9 : index
  %v74, %v75 = scf.for %v64 = %t10 to %n0 step %t9 iter_args(%t12 = %v62, %v66 = %v63) -> (tensor<?xf64>, f64) {
    %t13 = arith.subi %v64, %t10 : index
    %v65 = tensor.extract %t12[%t13] : tensor<?xf64>
    %v68, %v69 = math.sincos %v65 : f64
    %v70 = arith.addf %v69, %v68 : f64
    %v71 = math.sin %v70 : f64
    %v72 = math.tanh %v70 : f64
    %v73 = arith.addf %v71, %v72 : f64
    %t14 = tensor.insert %v71 into %t12[%v64] : tensor<?xf64>
    scf.yield %t14, %v73 : tensor<?xf64>, f64
  } {ad.no_false_dependencies = array<i1: true, false>}
  %t15 = tensor.empty(%n0) : tensor<?xf64>
  %v86 = scf.forall (%v76) in (%n0) shared_outs(%t16 = %t15) -> (tensor<?xf64>) {
    %t18 = arith.constant 1 : index
    %t19 = arith.addi %n0, %t18 : index
    %t20 = arith.constant 1 : index
    %t21 = arith.constant 1 : index
    %t22 = soac.iota %n0 : tensor<?xindex>
    %t23 = soac.map ins(%t22 : tensor<?xindex>) (%t24: index) -> tensor<?xindex> {
      %t25 = arith.muli %t24, %t20 : index
      %t26 = arith.addi %t25, %t21 : index
      %t27 = arith.remui %t26, %t19 : index
      soac.yield %t27 : index
    }
    %t28 = arith.constant 0.0 : f64
    %v77 = soac.hist at(%t23 : tensor<?xindex>) ins(%v74 : tensor<?xf64>) into(%v62 : tensor<?xf64>) neutral(%t28 : f64) (%t30: f64, %t31: f64) {
      %t32 = arith.addf %t30, %t31 : f64
      soac.yield %t32 : f64
    }
    %t33 = arith.mulf %v75, %v75 : f64
    %t34 = arith.constant 1.0 : f64
    %t36 = arith.addf %t33, %t34 : f64
    %v78 = math.atan2 %v3, %t36 : f64
    %v81 = soac.map ins(%v77 : tensor<?xf64>) (%v79: f64) -> (tensor<?xf64>) {
      %v80 = math.sin %v79 : f64
      soac.yield %v80 : f64
    }
    %t37 = arith.constant 0.0 : f64
    %v82 = soac.reduce ins(%v81 : tensor<?xf64>) neutral(%t37 : f64) (%t39: f64, %t40: f64) {
      %t41 = arith.addf %t39, %t40 : f64
      soac.yield %t41 : f64
    }
    %v83 = math.tanh %v82 : f64
    %v84 = arith.addf %v78, %v83 : f64
    %v85 = math.tanh %v84 : f64
    %t17 = tensor.from_elements %v85 : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t17 into %t16[%v76] [1] [1] : tensor<1xf64> into tensor<?xf64>
    }
  }
  %t42 = arith.constant 0.0 : f64
  %v87 = soac.reduce ins(%v86 : tensor<?xf64>) neutral(%t42 : f64) (%t44: f64, %t45: f64) {
    %t46 = arith.addf %t44, %t45 : f64
    soac.yield %t46 : f64
  }
  %v88 = math.tanh %v87 : f64
  %v89 = arith.addf %v75, %v88 : f64
  %v90 = math.sin %v89 : f64
  return %v90, %v86 : f64, tensor<?xf64>
}
