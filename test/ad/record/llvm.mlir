// Aggregates of the LLVM dialect, as front ends have them, are records by the same rule [Z20].
// RUN: ad-opt %s --ad-split-records | FileCheck %s
// RUN: ad-opt check %s --entry=filled --input=0.7 --input=-0.4 --input=3
// RUN: ad-opt check %s --entry=filled --input=0.7 --input=-0.4 --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=carried --input=0.7 --input=-0.4 --input=3 --input=0.2 --input=0.3
// RUN: ad-opt check %s --entry=constants --input=0.7
// RUN: ad-opt run %s --entry=gradient --input=3.0 --input=5.0 --input=7 | FileCheck %s --check-prefix=VALUES

!inner = !llvm.struct<(f64, array<2 x f64>)>
!outer = !llvm.struct<"outer", (i64, struct<(f64, array<2 x f64>)>)>

// CHECK-LABEL: func.func @filled(
// CHECK-NOT: llvm
// CHECK-LABEL: func.func @carried(
func.func @filled(%x: f64, %y: f64, %n: i64) -> !outer {
  %u = llvm.mlir.undef : !outer
  %a = llvm.insertvalue %n, %u[0] : !outer
  %b = llvm.insertvalue %x, %a[1, 0] : !outer
  %i = llvm.extractvalue %b[1] : !outer
  %xy = arith.mulf %x, %y : f64
  %j = llvm.insertvalue %xy, %i[1, 0] : !inner
  %k = llvm.insertvalue %y, %j[1, 1] : !inner
  %c = llvm.insertvalue %k, %b[1] : !outer
  %v = llvm.extractvalue %c[1, 1, 0] : !outer
  %w = llvm.extractvalue %c[1, 1] : !outer
  %s = math.sin %v : f64
  %z = llvm.insertvalue %s, %w[0] : !llvm.array<2 x f64>
  %d = llvm.insertvalue %z, %c[1, 1] : !outer
  return %d : !outer
}

// A struct in a loop and in blocks; what is undefined at first is set before it is read.
// CHECK: scf.for {{.*}} -> (f64, f64, f64)
// CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}}, %{{.*}}, %{{.*}} : f64, f64, f64), ^bb2(%{{.*}}, %{{.*}}, %{{.*}} : f64, f64, f64)
func.func @carried(%x: f64, %y: f64, %n: index, %p: !llvm.struct<(f64, f64)>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %u = llvm.mlir.poison : !inner
  %first = llvm.insertvalue %x, %u[0] : !inner
  %second = llvm.insertvalue %y, %first[1, 0] : !inner
  %zero = llvm.mlir.zero : !llvm.struct<(f64)>
  %nought = llvm.extractvalue %zero[0] : !llvm.struct<(f64)>
  %start = llvm.insertvalue %nought, %second[1, 1] : !inner
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%s = %start) -> !inner {
    %a = llvm.extractvalue %s[0] : !inner
    %b = llvm.extractvalue %s[1, 0] : !inner
    %c = llvm.extractvalue %s[1, 1] : !inner
    %d = math.sin %b : f64
    %e = arith.mulf %a, %d : f64
    %f = arith.addf %c, %e : f64
    %t = llvm.insertvalue %f, %s[1, 1] : !inner
    %g = arith.mulf %b, %half : f64
    %v = llvm.insertvalue %g, %t[1, 0] : !inner
    scf.yield %v : !inner
  }
  %q = llvm.extractvalue %p[1] : !llvm.struct<(f64, f64)>
  %less = arith.cmpf olt, %q, %x : f64
  cf.cond_br %less, ^less(%end : !inner), ^done(%end : !inner)
^less(%l: !inner):
  %h = llvm.insertvalue %q, %l[0] : !inner
  cf.br ^done(%h : !inner)
^done(%r: !inner):
  %m = llvm.extractvalue %r[0] : !inner
  %o = llvm.extractvalue %r[1, 1] : !inner
  %y2 = arith.mulf %m, %o : f64
  return %y2 : f64
}

// CHECK-LABEL: func.func @constants(
// CHECK-NOT: llvm
// CHECK-LABEL: func.func @product(
func.func @constants(%x: f64) -> f64 {
  %a = llvm.mlir.constant(dense<[2.0, 3.0]> : tensor<2xf64>) : !llvm.array<2 x f64>
  %b = llvm.mlir.constant([4.0, 5 : i32]) : !llvm.struct<(f64, i32)>
  %p = llvm.extractvalue %a[1] : !llvm.array<2 x f64>
  %q = llvm.extractvalue %b[0] : !llvm.struct<(f64, i32)>
  %px = arith.mulf %p, %x : f64
  %y = arith.mulf %q, %px : f64
  return %y : f64
}

// Of n x y: n y and n x, in a struct without the integer [Z33].
!point = !llvm.struct<(f64, f64, i64)>
!point_bar = !llvm.struct<(f64, f64)>
func.func @product(%p: !point) -> f64 {
  %x = llvm.extractvalue %p[0] : !point
  %y = llvm.extractvalue %p[1] : !point
  %n = llvm.extractvalue %p[2] : !point
  %m = arith.sitofp %n : i64 to f64
  %xy = arith.mulf %x, %y : f64
  %z = arith.mulf %m, %xy : f64
  return %z : f64
}
// VALUES: 35.0
// VALUES-NEXT: 21.0
func.func @gradient(%p: !point) -> !point_bar {
  %one = arith.constant 1.0 : f64
  %z, %p_bar = ad.vjp @product(%p) seed(%one) : (!point), (f64) -> (f64, !point_bar)
  return %p_bar : !point_bar
}

// What is undefined is zero, in each field, also where only a part can be a number; a function that is not known gets the
// whole.
// CHECK-LABEL: func.func @mixed(
// CHECK-SAME: %{{[^ ]*}}: f64, %{{[^ ]*}}: !llvm.ptr, %{{[^ ]*}}: f64, %{{[^ ]*}}: f64, %{{[^ ]*}}: i1)
// CHECK-NOT: undef
// CHECK: llvm.mlir.zero : !llvm.ptr
// CHECK-NOT: undef
// CHECK: llvm.call @outside(%{{.*}}) : (!llvm.struct<"node", (f64, ptr, array<2 x f64>)>)
!node = !llvm.struct<"node", (f64, ptr, array<2 x f64>)>
llvm.func @outside(%n: !node) {
  llvm.return
}
func.func @mixed(%n: !node, %c: i1) -> f64 {
  %u = llvm.mlir.undef : !node
  %k = arith.select %c, %n, %u : !node
  %y = llvm.extractvalue %k[2, 1] : !node
  llvm.call @outside(%k) : (!node) -> ()
  return %y : f64
}

// What has many elements stays, and so does what is lowered.
// CHECK-LABEL: func.func @long(
// CHECK-SAME: %{{.*}}: !llvm.array<65 x f64>
// CHECK: llvm.extractvalue
func.func @long(%a: !llvm.array<65 x f64>) -> f64 {
  %x = llvm.extractvalue %a[64] : !llvm.array<65 x f64>
  return %x : f64
}
// CHECK-LABEL: llvm.func @lowered(
// CHECK: llvm.insertvalue
llvm.func @lowered(%x: f64, %p: !llvm.struct<(f64, i64)>) -> !llvm.struct<(f64, i64)> {
  %q = llvm.insertvalue %x, %p[0] : !llvm.struct<(f64, i64)>
  llvm.return %q : !llvm.struct<(f64, i64)>
}
