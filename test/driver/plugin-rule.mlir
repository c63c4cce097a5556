// A library in C, compiled against ad-opt.h, gives the stock mlir-opt a rule for calls of a function without a body [M07].
// REQUIRES: plugin, clang
// RUN: clang -std=c11 -Wall -Wextra -Werror -shared -fPIC -I%root/tools/ad-plugin/include -isystem %prefix/include \
// RUN:   %S/Inputs/rule.c -o %t.so %plugin %prefix/lib/libMLIRCAPIIR.a -L%prefix/lib -lMLIR -lLLVM -lstdc++
// RUN: mlir-opt-22 %load-plugin --load-dialect-plugin=%t.so %s \
// RUN:   --pass-pipeline='builtin.module(ad-differentiate,inline,canonicalize,cse)' | FileCheck %s
// Without it there is no rule.
// RUN: not mlir-opt-22 %load-plugin %s --pass-pipeline='builtin.module(ad-differentiate)' 2>&1 | FileCheck %s --check-prefix=NONE

func.func private @cube(f64) -> f64

func.func private @f(%x: f64) -> f64 {
  // NONE: [[@LINE+1]]:{{[0-9]+}}: error: 'func.call' op
  %y = func.call @cube(%x) : (f64) -> f64
  return %y : f64
}

// CHECK-LABEL: func.func @reverse(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y_BAR:.*]]: f64)
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3.0
// CHECK-DAG: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[PARTIAL:.*]] = arith.mulf %[[SQUARE]], %[[THREE]]
// CHECK: %[[X_BAR:.*]] = arith.mulf %[[PARTIAL]], %[[Y_BAR]]
// CHECK: return %[[X_BAR]]
func.func @reverse(%x: f64, %y_bar: f64) -> f64 {
  %r:2 = ad.vjp @f(%x) seed(%y_bar) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// CHECK-LABEL: func.func @forward(
// CHECK: %[[Y_DOT:.*]] = arith.mulf
// CHECK: return %{{.*}}, %{{.*}} : f64, f64
func.func @forward(%x: f64, %x_dot: f64) -> (f64, f64) {
  %r:2 = ad.jvp @f(%x) seed(%x_dot) : (f64), (f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
