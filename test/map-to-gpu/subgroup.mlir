// Subgroups combine numbers of any type in registers: 32 or 64 bits are moved at a time.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: ad-opt run %s --entry=greatest --input=3000 --target=gpu-emulate | FileCheck %s --check-prefix=GREATEST
// RUN: ad-opt run %s --entry=all --input=3000 --target=gpu-emulate | FileCheck %s --check-prefix=ALL
// RUN: ad-opt run %s --entry=least --input=3000 --target=gpu-emulate | FileCheck %s --check-prefix=LEAST
// RUN: ad-opt run %s --entry=count --input=3000 --target=gpu-emulate | FileCheck %s --check-prefix=COUNT
// RUN: ad-opt run %s --entry=rotation --input=3002 --target=gpu-emulate | FileCheck %s --check-prefix=ROTATION
// RUN: ad-opt run %s --entry=wide --input=3000 --target=gpu-emulate | FileCheck %s --check-prefix=SUM128

// CHECK-LABEL: func.func @greatest(
// CHECK: gpu.shuffle down %{{.*}}, %{{.*}}, %c32_i32 : i64
// GREATEST: {{^}}2999{{$}}
func.func @greatest(%n: index) -> index {
  %zero = arith.constant 0 : index
  %is = soac.iota %n : tensor<?xindex>
  %s = soac.reduce ins(%is : tensor<?xindex>) neutral(%zero : index) (%l: index, %r: index) {
    %t = arith.maxui %l, %r : index
    soac.yield %t : index
  }
  return %s : index
}

// CHECK-LABEL: func.func @all(
// CHECK: %[[WIDE:.*]] = arith.extui %{{.*}} : i1 to i32
// CHECK: %[[OTHER:.*]], %{{.*}} = gpu.shuffle down %[[WIDE]]
// CHECK: arith.trunci %[[OTHER]] : i32 to i1
// ALL: {{^}}{{false|False|0}}{{$}}
func.func @all(%n: index) -> i1 {
  %true = arith.constant true
  %last = arith.constant 2998 : index
  %is = soac.iota %n : tensor<?xindex>
  %cs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xi1> {
    %c = arith.cmpi ne, %i, %last : index
    soac.yield %c : i1
  }
  %s = soac.reduce ins(%cs : tensor<?xi1>) neutral(%true : i1) (%l: i1, %r: i1) {
    %t = arith.andi %l, %r : i1
    soac.yield %t : i1
  }
  return %s : i1
}

// CHECK-LABEL: func.func @least(
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f16 to i16
// CHECK: %[[WIDE:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK: %[[OTHER:.*]], %{{.*}} = gpu.shuffle down %[[WIDE]]
// CHECK: %[[NARROW:.*]] = arith.trunci %[[OTHER]] : i32 to i16
// CHECK: arith.bitcast %[[NARROW]] : i16 to f16
// LEAST: {{^}}-1000{{$}}
func.func @least(%n: index) -> i64 {
  %inf = arith.constant 0x7C00 : f16
  %k = arith.constant 1000 : i64
  %is = soac.iota %n : tensor<?xi64>
  %xs = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?xf16> {
    %j = arith.remui %i, %k : i64
    %d = arith.subi %j, %k : i64
    %x = arith.sitofp %d : i64 to f16
    soac.yield %x : f16
  }
  %s = soac.reduce ins(%xs : tensor<?xf16>) neutral(%inf : f16) (%l: f16, %r: f16) {
    %t = arith.minimumf %l, %r : f16
    soac.yield %t : f16
  }
  %i = arith.fptosi %s : f16 to i64
  return %i : i64
}

// CHECK-LABEL: func.func @count(
// CHECK: arith.extui %{{.*}} : i8 to i32
// 3000 modulo 256.
// COUNT: {{^}}-72{{$}}
func.func @count(%n: index) -> i8 {
  %zero = arith.constant 0 : i8
  %is = soac.iota %n : tensor<?xi8>
  %two = arith.constant 2 : i8
  %xs = soac.map ins(%is : tensor<?xi8>) (%i: i8) -> tensor<?xi8> {
    %even = arith.remui %i, %two : i8
    %x = arith.addi %even, %even : i8
    soac.yield %x : i8
  }
  %s = soac.reduce ins(%xs : tensor<?xi8>) neutral(%zero : i8) (%l: i8, %r: i8) {
    %t = arith.addi %l, %r : i8
    soac.yield %t : i8
  }
  return %s : i8
}

// 2001 turns by a right angle.
// CHECK-LABEL: func.func @rotation(
// CHECK: %[[RE:.*]] = complex.re
// CHECK: %[[OTHER_RE:.*]], %{{.*}} = gpu.shuffle down %[[RE]]
// CHECK: %[[IM:.*]] = complex.im
// CHECK: %[[OTHER_IM:.*]], %{{.*}} = gpu.shuffle down %[[IM]]
// CHECK: complex.create %[[OTHER_RE]], %[[OTHER_IM]]
// ROTATION: {{^}}0{{$}}
// ROTATION-NEXT: {{^}}1{{$}}
func.func @rotation(%n: index) -> (i64, i64) {
  %one = complex.constant [1.0, 0.0] : complex<f64>
  %i = complex.constant [0.0, 1.0] : complex<f64>
  %three = arith.constant 3 : index
  %zero = arith.constant 0 : index
  %is = soac.iota %n : tensor<?xindex>
  %zs = soac.map ins(%is : tensor<?xindex>) (%k: index) -> tensor<?xcomplex<f64>> {
    %r = arith.remui %k, %three : index
    %c = arith.cmpi eq, %r, %zero : index
    %z = arith.select %c, %one, %i : complex<f64>
    soac.yield %z : complex<f64>
  }
  %p = soac.reduce ins(%zs : tensor<?xcomplex<f64>>) neutral(%one : complex<f64>) (%l: complex<f64>, %r: complex<f64>) {
    %t = complex.mul %l, %r : complex<f64>
    soac.yield %t : complex<f64>
  }
  %re = complex.re %p : complex<f64>
  %im = complex.im %p : complex<f64>
  %x = arith.fptosi %re : f64 to i64
  %y = arith.fptosi %im : f64 to i64
  return %x, %y : i64, i64
}

// There are no shuffles of 128 bits: one thread combines what the threads have.
// CHECK-LABEL: func.func @wide(
// CHECK: scf.forall {{.*}} in (256)
// CHECK-NOT: gpu.shuffle
// CHECK: scf.forall {{.*}} in (1)
// CHECK: scf.for %{{.*}} = %c1 to %c256 step %c1
// SUM128: {{^}}4498500{{$}}
func.func @wide(%n: index) -> i64 {
  %zero = arith.constant 0 : i128
  %is = soac.iota %n : tensor<?xi128>
  %s = soac.reduce ins(%is : tensor<?xi128>) neutral(%zero : i128) (%l: i128, %r: i128) {
    %t = arith.addi %l, %r : i128
    soac.yield %t : i128
  }
  %t = arith.trunci %s : i128 to i64
  return %t : i64
}
