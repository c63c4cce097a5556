// What cannot be split is an error at the function or the operation, and nothing is written.
// RUN: not ad-opt %s --split-input-file --ad-split-sweeps 2>&1 >%t | FileCheck %s
// RUN: not ad-opt %s --ad-generate="function=f mode=split" --split-input-file 2>&1 >%t | FileCheck %s --check-prefix=NONE

// A result that depends on a seed.
// CHECK: :[[# @LINE + 2]]:8: error: 'arith.mulf' op is needed for a result, and depends on a seed: the function cannot be split
func.func @late(%x: f64, %seed: f64 {ad.seed}) -> (f64, f64 {ad.cotangent}) attributes {ad.split = "f"} {
  %y = arith.mulf %x, %seed : f64
  return %y, %x : f64, f64
}

// -----

// A result that is read from memory when a seed has been written.
// CHECK: :[[# @LINE + 3]]:8: error: 'memref.load' op is needed for a result, and reads or writes memory when the way back has begun to: the function cannot be split
func.func @memory(%x: memref<f64>, %seed: f64 {ad.seed}) -> f64 attributes {ad.split = "f"} {
  memref.store %seed, %x[] : memref<f64>
  %y = memref.load %x[] : memref<f64>
  return %y : f64
}

// -----

// CHECK: :[[# @LINE + 2]]:1: error: 'func.func' op is not split: there is a symbol '@f_backward' already
// NONE: error: {{.*}}has no function '@f'
func.func @taken(%x: f64, %seed: f64 {ad.seed}) -> (f64, f64 {ad.cotangent}) attributes {ad.split = "f"} {
  return %x, %seed : f64, f64
}
func.func @f_backward() {
  return
}

// -----

// CHECK: :[[# @LINE + 1]]:1: error: 'func.func' op is not split: it has no body
func.func private @outside(f64, f64 {ad.seed}) -> (f64, f64 {ad.cotangent}) attributes {ad.split = "f"}

// -----

// CHECK: :[[# @LINE + 1]]:1: error: 'func.func' op needs a text as 'ad.split'
func.func @number(%x: f64) -> f64 attributes {ad.split = 5 : i64} {
  return %x : f64
}
