// A failed assertion stops the program, says what it is and where; nothing is written. It may be one that was made of the
// program: an array that a loop carries changes its size.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=false --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not ad-opt run %s --entry=inlined --input=false --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not ad-opt run %s --entry=f --input=false --output-dir=%t.out --target=gpu-emulate 2>&1 | FileCheck %s
// RUN: not ad-opt run %s --entry=odd --input=3 --output-dir=%t.out 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not ad-opt run %s --entry=odd --input=5 --output-dir=%t.out --threads=2 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not test -e %t.out

// CHECK: error: the compiled program was stopped: an assertion failed: must hold ({{.*}}stopped-assertion.mlir:[[#@LINE+2]])
func.func @f(%x: i1) -> i1 {
  cf.assert %x, "must hold"
  return %x : i1
}

func.func @inlined(%x: i1) -> i1 {
  %y = call @f(%x) : (i1) -> i1
  return %y : i1
}

// ODD: error: the compiled program was stopped: an assertion failed: "even" \ 100% ({{.*}}stopped-assertion.mlir:[[#@LINE+7]])
func.func @odd(%n: index) -> tensor<?xi1> {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %even = tensor.generate %n {
  ^bb0(%i: index):
    %b = arith.cmpi ne, %i, %c1 : index
    cf.assert %b, "\"even\" \\ 100%"
    tensor.yield %b : i1
  } : tensor<?xi1>
  return %even : tensor<?xi1>
}
