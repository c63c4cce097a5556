// A program that asks for more memory than there is.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1000000000000000 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: the compiled program was stopped: it asked for 80000000000000{{[0-9]+}} bytes of memory, which are not there
func.func @f(%n: index) -> tensor<?xf64> {
  %x = arith.constant 1.0 : f64
  %xs = tensor.splat %x[%n] : tensor<?xf64>
  return %xs : tensor<?xf64>
}
