// One compiled function is called several times: results follow each other, and each call has inputs of its own, of any size.
// RUN: %python %S/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: %python %S/Inputs/npy.py %t.three.npy '<f8' '(3,)' 1 2 3
// RUN: ad-opt run %s --entry=scaled --calls=3 --input=2 --input=%t.three.npy --input=5 --input=%t.none.npy --input=-1 --input=%t.three.npy \
// RUN:   | FileCheck %s
// CHECK: {{^\[2.0, 4.0, 6.0\]$}}
// CHECK-NEXT: {{^6.0$}}
// CHECK-NEXT: {{^\[\]$}}
// CHECK-NEXT: {{^0.0$}}
// CHECK-NEXT: {{^\[-1.0, -2.0, -3.0\]$}}
// CHECK-NEXT: {{^6.0$}}
// CHECK-NOT: {{.}}
//
// As files they are numbered on.
// RUN: rm -rf %t.out
// RUN: ad-opt run %s --entry=scaled --calls=2 --input=2 --input=%t.none.npy --input=3 --input=%t.three.npy --output-dir=%t.out
// RUN: ls %t.out | FileCheck %s --check-prefix=FILES
// FILES: 0.npy
// FILES-NEXT: 1.npy
// FILES-NEXT: 2.npy
// FILES-NEXT: 3.npy
//
// A function without arguments is called as often.
// RUN: ad-opt run %s --entry=seven --calls=3 | FileCheck %s --check-prefix=SEVEN
// SEVEN: {{^7$}}
// SEVEN-NEXT: {{^7$}}
// SEVEN-NEXT: {{^7$}}
// SEVEN-NOT: {{.}}
//
// A report of what kernels ask of memory is of the first call.
// RUN: ad-opt run %s --entry=scaled --calls=2 --input=2 --input=%t.three.npy --input=2 --input=%t.none.npy --target=gpu-emulate \
// RUN:   --emulate-report=%t.json | FileCheck %s --check-prefix=EMULATED
// EMULATED: {{^\[2.0, 4.0, 6.0\]$}}
// EMULATED-NEXT: {{^6.0$}}
// EMULATED-NEXT: {{^\[\]$}}
// EMULATED-NEXT: {{^0.0$}}
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// REPORT: "launches": 1,
func.func @scaled(%a: f64, %xs: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %a, %x : f64
    soac.yield %y : f64
  }
  %sum = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %ys, %sum : tensor<?xf64>, f64
}

func.func @seven() -> i64 {
  %c7 = arith.constant 7 : i64
  return %c7 : i64
}
