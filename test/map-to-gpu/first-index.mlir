// Reductions that find where the least element is combine in any order: of equal elements the first one is found.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: ad-opt run %s --entry=least --input=0 --input=7 --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=least --input=1 --input=7 --target=gpu-emulate | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=least --input=30000 --input=7 --target=gpu-emulate | FileCheck %s --check-prefix=SEVEN
// RUN: ad-opt run %s --entry=least --input=30000 --input=29999 --target=gpu-emulate | FileCheck %s --check-prefix=LAST
// RUN: %python %S/../driver/Inputs/npy.py %t.nan.npy '<f8' '(6,)' 2 1 nan 0 nan 0
// RUN: %python %S/../driver/Inputs/npy.py %t.zeros.npy '<f8' '(6,)' 2 0.0 1 -0.0 3 0.0
// RUN: %python %S/../driver/Inputs/npy.py %t.inf.npy '<f8' '(3,)' inf inf inf
// RUN: ad-opt run %s --entry=where --input=%t.nan.npy --target=gpu-emulate | FileCheck %s --check-prefix=NAN
// RUN: ad-opt run %s --entry=where --input=%t.nan.npy | FileCheck %s --check-prefix=NAN
// RUN: ad-opt run %s --entry=where --input=%t.zeros.npy --target=gpu-emulate | FileCheck %s --check-prefix=ZEROS
// RUN: ad-opt run %s --entry=where --input=%t.zeros.npy | FileCheck %s --check-prefix=ZEROS
// RUN: ad-opt run %s --entry=where --input=%t.inf.npy --target=gpu-emulate | FileCheck %s --check-prefix=INF
// RUN: ad-opt run %s --entry=where --input=%t.inf.npy | FileCheck %s --check-prefix=INF
// Neighbours read neighbours: 100000 elements of 8 bytes.
// RUN: %python %S/../driver/Inputs/npy.py %t.many.npy '<f8' '(100000,)' --vary=1
// RUN: ad-opt run %s --entry=where --input=%t.many.npy --target=gpu-emulate --emulate-races=false --emulate-report=%t.json
// RUN: FileCheck %s --check-prefix=MOVED --input-file=%t.json
// MOVED: "where_kernel.where_kernel": {
// MOVED: "moved_bytes": 80{{[0-9][0-9][0-9][0-9]}},
// MOVED: "where_kernel_0.where_kernel_0": {

// Many elements are equal.
// NONE: {{^}}inf{{$}}
// NONE-NEXT: {{^}}-1{{$}}
// ONE: {{^}}-0.0{{$}}
// ONE-NEXT: {{^}}0{{$}}
// SEVEN: {{^}}-6.0{{$}}
// SEVEN-NEXT: {{^}}6{{$}}
// LAST: {{^}}-29998.0{{$}}
// LAST-NEXT: {{^}}29998{{$}}
func.func @least(%n: index, %d: index) -> (f64, index) {
  %is = soac.iota %n : tensor<?xindex>
  %xs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %r = arith.remui %i, %d : index
    %k = arith.index_cast %r : index to i64
    %f = arith.sitofp %k : i64 to f64
    %zero = arith.constant 0.0 : f64
    %x = arith.subf %zero, %f : f64
    soac.yield %x : f64
  }
  %y, %at = func.call @where(%xs) : (tensor<?xf64>) -> (f64, index)
  return %y, %at : f64, index
}

// Each thread takes every so manieth element.
// CHECK-LABEL: func.func @where(
// CHECK: scf.forall {{.*}} in (256)
// CHECK: %[[FROM:.*]] = arith.addi
// CHECK: scf.for %[[I:.*]] = %[[FROM]] to %{{.*}} step %{{.*}} iter_args(%[[X:[a-z0-9]+]] = %{{[^,]*}}, %[[AT:[a-z0-9]+]] = %{{.*}})
// CHECK: %[[Y:.*]] = tensor.extract %{{.*}}[%[[I]]]
// CHECK-DAG: arith.cmpf ult, %[[Y]], %[[X]]
// CHECK-DAG: arith.cmpf ult, %[[X]], %[[Y]]
// CHECK: arith.cmpi slt, %[[I]], %[[AT]]
// CHECK: arith.select %{{.*}}, %[[I]], %[[AT]]
// Of NaNs and zeros, the first one, whatever its sign; none of what does not beat the neutral element.
// NAN: {{^}}nan{{$}}
// NAN-NEXT: {{^}}2{{$}}
// ZEROS: {{^}}-0.0{{$}}
// ZEROS-NEXT: {{^}}1{{$}}
// INF: {{^}}inf{{$}}
// INF-NEXT: {{^}}-1{{$}}
func.func @where(%xs: tensor<?xf64>) -> (f64, index) {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %none = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %y, %at = soac.reduce ins(%xs, %is : tensor<?xf64>, tensor<?xindex>) neutral(%inf, %none : f64, index)
      (%a: f64, %i: index, %b: f64, %j: index) {
    %is_number = arith.cmpf ord, %a, %a : f64
    %is_less = arith.cmpf ult, %b, %a : f64
    %wins = arith.andi %is_less, %is_number : i1
    %first = arith.select %wins, %j, %i : index
    %least = arith.minimumf %a, %b : f64
    soac.yield %least, %first : f64, index
  }
  return %y, %at : f64, index
}
