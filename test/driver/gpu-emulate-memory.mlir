// A process that may not have many addresses has an emulated device all the same; who asks for more than there is, is told.
// RUN: sh -c 'ulimit -v 8000000 && exec ad-opt run %s --entry=written --input=1000 --target=gpu-emulate' | FileCheck %s
// CHECK: {{^3.0$}}
// RUN: not ad-opt run %s --entry=written --input=1000000000000000 --target=gpu-emulate 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: the compiled program was stopped: it asked for {{[0-9]+}} bytes of memory, which are not there
func.func @written(%n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %three = arith.constant 3.0 : f64
  %all = tensor.splat %one[%n] : tensor<?xf64>
  %at = tensor.splat %c0 : tensor<1xindex>
  %threes = tensor.splat %three : tensor<1xf64>
  %written = soac.scatter at(%at : tensor<1xindex>) ins(%threes : tensor<1xf64>) into(%all : tensor<?xf64>)
  %first = tensor.extract %written[%c0] : tensor<?xf64>
  return %first : f64
}
