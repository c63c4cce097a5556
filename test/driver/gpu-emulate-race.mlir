// Threads that write to the same place race, unless there is one of them.
// RUN: %python %S/Inputs/npy.py %t.npy '<i8' '(3,)' 1 3 5
// RUN: %python %S/Inputs/npy.py %t.f.npy '<f8' '(8,)' 1 3 5 7 2 4 6 8
// RUN: not ad-opt run %s --entry=racy --input=%t.npy --input=2 --target=gpu-emulate 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not ad-opt run %s --entry=racy --input=%t.npy --input=300 --target=gpu-emulate 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not ad-opt run %s --entry=racy --input=%t.npy --input=300 --target=gpu-emulate --emulate-seed=5 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: ad-opt run %s --entry=racy --input=%t.npy --input=1 --target=gpu-emulate | count 0
// RUN: ad-opt run %s --entry=racy --input=%t.npy --input=300 --target=gpu-emulate --emulate-races=false | count 0
// RUN: not ad-opt run %s --entry=vectors --input=%t.f.npy --input=3 --target=gpu-emulate 2>&1 | FileCheck %s --check-prefix=VECTORS
// RUN: ad-opt run %s --entry=vectors --input=%t.f.npy --input=4 --target=gpu-emulate | count 0
// RUN: ad-opt run %s --entry=atomic --input=%t.npy --input=300 --target=gpu-emulate | FileCheck %s --check-prefix=ATOMIC

// RACE: error: kernels failed:
// RACE-NEXT: race in @racy_kernel.racy_kernel: thread {{.*}} of block {{.*}} writes what thread {{.*}} of block {{.*}} wrote (line [[#@LINE + 5]] and line [[#@LINE + 5]])
func.func @racy(%xs: memref<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (%n) {
    %v = arith.index_cast %i : index to i64
    memref.store %v, %xs[%c0] : memref<?xi64>
  }
  return
}

// So do those that write several numbers at a time, unless these are apart.
// VECTORS: race in @vectors_kernel.vectors_kernel: thread {{.*}} {{reads|writes}} what thread {{.*}} {{read|wrote}} (line
func.func @vectors(%xs: memref<?xf64>, %apart: index) {
  %c2 = arith.constant 2 : index
  scf.forall (%i) in (%c2) {
    %at = arith.muli %i, %apart : index
    %v = vector.load %xs[%at] : memref<?xf64>, vector<4xf64>
    %w = arith.addf %v, %v : vector<4xf64>
    vector.store %w, %xs[%at] : memref<?xf64>, vector<4xf64>
  }
  return
}

// Atomic updates of one place do not race.
// ATOMIC: {{^}}301{{$}}
func.func @atomic(%xs: memref<?xi64>, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  scf.forall (%i) in (%n) {
    %0 = memref.atomic_rmw addi %one, %xs[%c0] : (i64, memref<?xi64>) -> i64
  }
  %r = memref.load %xs[%c0] : memref<?xi64>
  return %r : i64
}
