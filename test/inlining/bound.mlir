// Functions of which each calls the next one twice are inlined up to some size: what they stand for doubles with each, and what
// there is of them does not (M18).
// RUN: %python %S/Inputs/chain.py 40 > %t.mlir
// RUN: ad-opt %t.mlir --ad-bound-inlining | FileCheck %s
// RUN: ad-opt %t.mlir --ad-bound-inlining --inline --mlir-print-op-generic | grep -c '"math.sin"' | FileCheck %s --check-prefix=SINES
// RUN: ad-opt compile %t.mlir --entry=gradient -o %t.so
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t.h
// HEADER: double gradient(double x);

// A function has five operations of its own and twice those of the next one: the eleventh from the end has more than 4096, and
// the tenth before each that stays.
// CHECK-NOT: no_inline
// CHECK: func.func private @f9({{.*}} attributes {no_inline}
// CHECK-NOT: no_inline
// CHECK: func.func private @f19({{.*}} attributes {no_inline}
// CHECK-NOT: no_inline
// CHECK: func.func private @f29({{.*}} attributes {no_inline}
// CHECK-NOT: no_inline
// SINES: {{^}}1024{{$}}

// Fourteen of them, which can be run: the value is that of 8192 sines.
// RUN: %python %S/Inputs/chain.py 14 > %t.short.mlir
// RUN: ad-opt run %t.short.mlir --entry=value --input=0.5 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %t.short.mlir --entry=value --input=0.5 --target=gpu-emulate | FileCheck %s --check-prefix=VALUE
// VALUE: 0.69481969{{[0-9]+}}

// One of 1019 operations is long if it is called 64 times, and not if it is called 16 times.
// RUN: %python %S/Inputs/chain.py 8 64 | ad-opt --ad-bound-inlining | FileCheck %s --check-prefix=OFTEN
// RUN: %python %S/Inputs/chain.py 8 16 | ad-opt --ad-bound-inlining | FileCheck %s --check-prefix=SELDOM
// OFTEN: func.func private @f0({{.*}} attributes {no_inline}
// OFTEN-NOT: no_inline
// SELDOM-NOT: no_inline
// SELDOM: func.func @value

// A derivative of few.
// RUN: %python %S/Inputs/chain.py 4 > %t.four.mlir
// RUN: ad-opt check %t.four.mlir --entry=value --input=0.5
