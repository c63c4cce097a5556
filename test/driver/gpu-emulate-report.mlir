// What kernels ask of memory, counted: 1000 elements of 8 bytes that neighbours write.
// RUN: ad-opt run %s --entry=squares --input=1000 --target=gpu-emulate --emulate-report=%t.json --output-dir=%t.out
// RUN: FileCheck %s --input-file=%t.json
// RUN: ad-opt run %s --entry=squares --input=1000 --target=gpu-emulate --emulate-races=false --emulate-report=%t.again.json --output-dir=%t.out
// RUN: diff %t.json %t.again.json

// RUN: not ad-opt run %s --entry=squares --input=1000 --emulate-report=%t.none.json 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not ad-opt run %s --entry=squares --input=1000 --target=gpu-emulate --emulate-report=%t.none/file 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not ad-opt run %s --entry=squares --input=1000 --emulate-seed=3 2>&1 | FileCheck %s --check-prefix=NO-SEED
// RUN: not ad-opt run %s --entry=squares --input=1000 --emulate-races=false 2>&1 | FileCheck %s --check-prefix=NO-RACES
// NO-SEED: error: --emulate-seed is for --target=gpu-emulate only
// NO-RACES: error: --emulate-races is for --target=gpu-emulate only
// TARGET: error: --emulate-report is for --target=gpu-emulate only
// FOLDER: error: cannot write

// CHECK: "squares_kernel.squares_kernel": {
// CHECK-DAG: "launches": 1
// CHECK-DAG: "threads": 1024
// CHECK-DAG: "requests": 32
// CHECK-DAG: "bytes": 8000
// CHECK-DAG: "moved_bytes": 8000
// CHECK-DAG: "touched_bytes": 8000
// CHECK-DAG: "atomics": 0
// CHECK-DAG: "shared_requests": 0
func.func @squares(%n: index) -> tensor<?xi64> {
  %is = soac.iota %n : tensor<?xindex>
  %ys = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xi64> {
    %x = arith.index_cast %i : index to i64
    %y = arith.muli %x, %x : i64
    soac.yield %y : i64
  }
  return %ys : tensor<?xi64>
}
