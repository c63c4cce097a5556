// The named pipelines as flags, and a program that goes all the way to the LLVM dialect.
// RUN: ad-opt %s --ad-optimize | FileCheck --check-prefix=OPTIMIZED %s
// RUN: ad-opt %s --ad-lower-to-llvm | FileCheck --check-prefix=LLVM %s
// RUN: ad-opt %s --ad-lower-to-llvm | mlir-translate --mlir-to-llvmir | FileCheck --check-prefix=IR %s

// OPTIMIZED-LABEL: func.func @sum
// OPTIMIZED: scf.for
// LLVM-LABEL: llvm.func @sum
// LLVM-NOT: unrealized_conversion_cast
// IR-LABEL: define double @sum
func.func @sum(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %zero : tensor<?xf64>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> f64 {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %e = math.exp %x : f64
    %t = arith.addf %s, %e : f64
    scf.yield %t : f64
  }
  return %sum : f64
}
