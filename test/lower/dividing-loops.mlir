// Loops that divide by what is not constant are not for LLVM to vectorise, nor are loops around these; others are.
// RUN: ad-opt %s --lower-dividing-loops | FileCheck %s

// CHECK: #loop_vectorize = #llvm.loop_vectorize<disable = true>
// CHECK: #loop_annotation = #llvm.loop_annotation<vectorize = #loop_vectorize>

// CHECK-LABEL: llvm.func @nest(
// CHECK:       ^bb3(
// CHECK:         llvm.urem
// CHECK:         llvm.cond_br %{{.*}}, ^bb3({{.*}}), ^bb4 {loop_annotation = #loop_annotation}
// CHECK:       ^bb4:
// CHECK:         llvm.cond_br %{{.*}}, ^bb1({{.*}}), ^bb5({{.*}}) {loop_annotation = #loop_annotation}
// CHECK:       ^bb5(
// CHECK:         llvm.urem %{{.*}}, %{{.*}}
// CHECK:         llvm.cond_br %{{.*}}, ^bb5({{.*}}), ^bb6{{$}}
// CHECK:         llvm.sdiv
llvm.func @nest(%n: i64, %m: i64) -> i64 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %ten = llvm.mlir.constant(10 : i64) : i64
  llvm.br ^outer(%zero : i64)
^outer(%i: i64):
  llvm.br ^next
^next:
  llvm.br ^inner(%zero : i64)
^inner(%j: i64):
  %r = llvm.urem %j, %m : i64
  %j1 = llvm.add %j, %one : i64
  %again = llvm.icmp "slt" %r, %n : i64
  llvm.cond_br %again, ^inner(%j1 : i64), ^latch
^latch:
  %i1 = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %i1, %n : i64
  llvm.cond_br %more, ^outer(%i1 : i64), ^other(%zero : i64)
^other(%k: i64):
  %s = llvm.urem %k, %ten : i64
  %k1 = llvm.add %k, %one : i64
  %still = llvm.icmp "slt" %s, %n : i64
  llvm.cond_br %still, ^other(%k1 : i64), ^end
^end:
  %d = llvm.sdiv %n, %m : i64
  llvm.return %d : i64
}

// So are loops that each thread runs.
// CHECK-LABEL: llvm.func @threads(
// CHECK:         omp.parallel
// CHECK:           llvm.urem
// CHECK:           llvm.cond_br %{{.*}}, ^bb1({{.*}}), ^bb2 {loop_annotation = #loop_annotation}
llvm.func @threads(%n: i64, %m: i64, %p: !llvm.ptr) {
  omp.parallel {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    llvm.br ^loop(%zero : i64)
  ^loop(%i: i64):
    %r = llvm.urem %n, %m : i64
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %r, %q : i64, !llvm.ptr
    %next = llvm.add %i, %one : i64
    %more = llvm.icmp "slt" %next, %n : i64
    llvm.cond_br %more, ^loop(%next : i64), ^end
  ^end:
    omp.terminator
  }
  llvm.return
}
