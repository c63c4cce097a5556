// All commands read a program from standard input if its file is named `-`, as `ad-opt` does: text and bytecode. What is
// wrong with it is reported at its line.
// RUN: ad-opt run - --entry=f --input=2.0 < %s | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt %s --emit-bytecode | ad-opt run - --entry=f --input=2.0 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt check - --entry=f --input=2.0 < %s | FileCheck %s --check-prefix=CHECKED
// RUN: ad-opt jacobian - --entry=f --input=2.0 < %s | FileCheck %s --check-prefix=JACOBIAN
// RUN: ad-opt compile - --entry=f -o %t.so < %s
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t.h
// RUN: echo 'func.func @f(%%x: f64) -> f64 { return %%y : f64 }' | not ad-opt run - --entry=f --input=2.0 2>&1 | FileCheck %s --check-prefix=WRONG

// VALUE: 4.0
// CHECKED: 0 f64 {{.*}} ok
// JACOBIAN: 1 1 4.0
// Names of arguments are read again from the file, which there is none of.
// HEADER: double f(double arg0);
// WRONG: <stdin>:1:{{[0-9]+}}: error: use of undeclared SSA value name
// WRONG: ad-opt: error: - is not a valid module
func.func @f(%x: f64) -> f64 {
  %square = arith.mulf %x, %x : f64
  return %square : f64
}
