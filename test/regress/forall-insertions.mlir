// What an iteration inserts was overwritten by its other insertions, or by what was computed in its place, before it was
// inserted: upstream's bufferisation makes copies of insertions that follow each other.
// RUN: %python %S/../driver/Inputs/npy.py %t.a.npy '<f8' '(4,)' 1 2 3 4
// RUN: %python %S/../driver/Inputs/npy.py %t.b.npy '<f8' '(4,)' 0 0 0 0
// RUN: ad-opt run %s --entry=exchange --input=%t.a.npy --input=%t.b.npy | FileCheck %s --check-prefix=EXCHANGE
// RUN: ad-opt run %s --entry=exchange --input=%t.a.npy --input=%t.b.npy --target=gpu-emulate | FileCheck %s --check-prefix=EXCHANGE
// RUN: ad-opt run %s --entry=reverse --input=%t.a.npy | FileCheck %s --check-prefix=REVERSE
// RUN: ad-opt run %s --entry=reverse --input=%t.a.npy --target=gpu-emulate | FileCheck %s --check-prefix=REVERSE
// RUN: ad-opt run %s --entry=both --input=%t.a.npy | FileCheck %s --check-prefix=BOTH
// RUN: ad-opt run %s --entry=both --input=%t.a.npy --target=gpu-emulate | FileCheck %s --check-prefix=BOTH
// RUN: ad-opt run %s --entry=before --input=%t.a.npy --input=1 | FileCheck %s --check-prefix=BEFORE
// RUN: ad-opt run %s --entry=before --input=%t.a.npy --input=1 --target=gpu-emulate | FileCheck %s --check-prefix=BEFORE
// RUN: %python %S/../driver/Inputs/npy.py %t.m.npy '<f8' '(2,2)' 1 2 3 4
// RUN: ad-opt run %s --entry=chosen --input=%t.m.npy --input=2.5 | FileCheck %s --check-prefix=CHOSEN
// RUN: ad-opt run %s --entry=chosen --input=%t.m.npy --input=2.5 --target=gpu-emulate | FileCheck %s --check-prefix=CHOSEN
// RUN: ad-opt check %s --entry=before --input=%t.a.npy --input=1
// RUN: ad-opt check %s --entry=exchange --input=%t.a.npy --input=%t.b.npy
// RUN: ad-opt check %s --entry=reverse --input=%t.a.npy
// RUN: ad-opt check %s --entry=both --input=%t.a.npy
// RUN: ad-opt %s --lower-own-destinations | FileCheck %s

// EXCHANGE:      [0.0, 0.0, 0.0, 0.0]
// EXCHANGE-NEXT: [1.0, 2.0, 3.0, 4.0]
func.func @exchange(%a: tensor<4xf64>, %b: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:2 = scf.forall (%i) in (4) shared_outs(%o = %a, %p = %b) -> (tensor<4xf64>, tensor<4xf64>) {
    %x = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf64> to tensor<1xf64>
    %y = tensor.extract_slice %p[%i] [1] [1] : tensor<4xf64> to tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf64> into tensor<4xf64>
      tensor.parallel_insert_slice %x into %p[%i] [1] [1] : tensor<1xf64> into tensor<4xf64>
    }
  }
  return %r#0, %r#1 : tensor<4xf64>, tensor<4xf64>
}

// REVERSE: [4.0, 3.0, 2.0, 1.0]
func.func @reverse(%a: tensor<4xf64>) -> tensor<4xf64> {
  %c3 = arith.constant 3 : index
  %r = scf.forall (%i) in (2) shared_outs(%o = %a) -> (tensor<4xf64>) {
    %j = arith.subi %c3, %i : index
    %x = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf64> to tensor<1xf64>
    %y = tensor.extract_slice %o[%j] [1] [1] : tensor<4xf64> to tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf64> into tensor<4xf64>
      tensor.parallel_insert_slice %x into %o[%j] [1] [1] : tensor<1xf64> into tensor<4xf64>
    }
  }
  return %r : tensor<4xf64>
}

// BOTH:      [0.410781290502{{[0-9]*}}, 0.893854954912{{[0-9]*}}, 0.944471008926{{[0-9]*}}, -0.928767936243{{[0-9]*}}]
// BOTH-NEXT: [2.718281828459{{[0-9]*}}, 7.389056098930{{[0-9]*}}, 20.08553692318{{[0-9]*}}, 54.5981500331{{[0-9]*}}]
func.func @both(%a: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %e = tensor.empty() : tensor<4xf64>
  %r:2 = scf.forall (%i) = (0) to (4) step (2) shared_outs(%o = %e, %p = %e) -> (tensor<4xf64>, tensor<4xf64>) {
    %x = tensor.extract_slice %a[%i] [2] [1] : tensor<4xf64> to tensor<2xf64>
    %own = tensor.extract_slice %o[%i] [2] [1] : tensor<4xf64> to tensor<2xf64>
    %m = linalg.exp ins(%x : tensor<2xf64>) outs(%own : tensor<2xf64>) -> tensor<2xf64>
    %s = math.sin %m : tensor<2xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [2] [1] : tensor<2xf64> into tensor<4xf64>
      tensor.parallel_insert_slice %m into %p[%i] [2] [1] : tensor<2xf64> into tensor<4xf64>
    }
  }
  return %r#0, %r#1 : tensor<4xf64>, tensor<4xf64>
}

// Nothing is copied where tiles of two results are computed where they are going.
// CHECK-LABEL: func.func @tiles(
// CHECK-NOT: bufferization.alloc_tensor
// CHECK: return
func.func @tiles(%a: tensor<4xf64>, %b: tensor<4xf64>, %c: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %r:2 = scf.forall (%i) in (4) shared_outs(%o = %b, %p = %c) -> (tensor<4xf64>, tensor<4xf64>) {
    %x = tensor.extract_slice %a[%i] [1] [1] : tensor<4xf64> to tensor<1xf64>
    %first = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf64> to tensor<1xf64>
    %second = tensor.extract_slice %p[%i] [1] [1] : tensor<4xf64> to tensor<1xf64>
    %y = linalg.exp ins(%x : tensor<1xf64>) outs(%first : tensor<1xf64>) -> tensor<1xf64>
    %z = linalg.add ins(%x, %y : tensor<1xf64>, tensor<1xf64>) outs(%second : tensor<1xf64>) -> tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf64> into tensor<4xf64>
      tensor.parallel_insert_slice %z into %p[%i] [1] [1] : tensor<1xf64> into tensor<4xf64>
    }
  }
  return %r#0, %r#1 : tensor<4xf64>, tensor<4xf64>
}

// Nor where loops and branches make several slices at once, each in its place.
// CHECK-LABEL: func.func @carried(
// CHECK-NOT: bufferization.alloc_tensor
// CHECK: return
func.func @carried(%n: index, %a: tensor<?xf64>, %b: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 1.0 : f64
  %y = arith.constant 2.0 : f64
  %r:2 = scf.forall (%i) in (%n) shared_outs(%o = %a, %p = %b) -> (tensor<?xf64>, tensor<?xf64>) {
    %k = arith.muli %i, %c8 : index
    %first = tensor.extract_slice %o[%k] [8] [1] : tensor<?xf64> to tensor<8xf64>
    %second = tensor.extract_slice %p[%k] [8] [1] : tensor<?xf64> to tensor<8xf64>
    %inner:2 = scf.forall (%t) in (1) shared_outs(%q = %first, %u = %second) -> (tensor<8xf64>, tensor<8xf64>) {
      %loop:2 = scf.for %j = %c0 to %c8 step %c1 iter_args(%v = %q, %w = %u) -> (tensor<8xf64>, tensor<8xf64>) {
        %is = arith.cmpi ult, %j, %i : index
        %made:2 = scf.if %is -> (tensor<8xf64>, tensor<8xf64>) {
          %d = tensor.insert %x into %v[%j] : tensor<8xf64>
          %e = tensor.insert %y into %w[%j] : tensor<8xf64>
          scf.yield %d, %e : tensor<8xf64>, tensor<8xf64>
        } else {
          scf.yield %v, %w : tensor<8xf64>, tensor<8xf64>
        }
        scf.yield %made#0, %made#1 : tensor<8xf64>, tensor<8xf64>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %loop#0 into %q[0] [8] [1] : tensor<8xf64> into tensor<8xf64>
        tensor.parallel_insert_slice %loop#1 into %u[0] [8] [1] : tensor<8xf64> into tensor<8xf64>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %inner#0 into %o[%k] [8] [1] : tensor<8xf64> into tensor<?xf64>
      tensor.parallel_insert_slice %inner#1 into %p[%k] [8] [1] : tensor<8xf64> into tensor<?xf64>
    }
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// But where a loop exchanges them.
// CHECK-LABEL: func.func @exchanged(
// CHECK-COUNT-2: bufferization.alloc_tensor() copy
// CHECK: return
func.func @exchanged(%n: index, %a: tensor<?xf64>, %b: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.forall (%i) in (%n) shared_outs(%o = %a, %p = %b) -> (tensor<?xf64>, tensor<?xf64>) {
    %first = tensor.extract_slice %o[%i] [1] [1] : tensor<?xf64> to tensor<1xf64>
    %second = tensor.extract_slice %p[%i] [1] [1] : tensor<?xf64> to tensor<1xf64>
    %loop:2 = scf.for %j = %c0 to %i step %c1 iter_args(%v = %first, %w = %second) -> (tensor<1xf64>, tensor<1xf64>) {
      scf.yield %w, %v : tensor<1xf64>, tensor<1xf64>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %loop#0 into %o[%i] [1] [1] : tensor<1xf64> into tensor<?xf64>
      tensor.parallel_insert_slice %loop#1 into %p[%i] [1] [1] : tensor<1xf64> into tensor<?xf64>
    }
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// What branches fill is where it is inserted, so that upstream has no choice of what to put there.
// CHECK-LABEL: func.func @filled(
// CHECK: scf.forall {{.*}} shared_outs(%[[OUT:.*]] = %{{.*}})
// CHECK-NOT: tensor.empty
// CHECK: %[[SLOT:.*]] = tensor.extract_slice %[[OUT]][%{{.*}}] [8] [1]
// CHECK-NEXT: %[[X:.*]] = scf.if
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f64) outs(%[[SLOT]] :
// CHECK: linalg.fill ins(%{{.*}} : f64) outs(%[[SLOT]] :
// CHECK: tensor.parallel_insert_slice %[[X]] into %[[OUT]]
func.func @filled(%n: index, %c: i1, %a: tensor<?xf64>) -> tensor<?xf64> {
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %r = scf.forall (%i) in (%n) shared_outs(%o = %a) -> (tensor<?xf64>) {
    %e = tensor.empty() : tensor<8xf64>
    %x = scf.if %c -> tensor<8xf64> {
      %y = linalg.fill ins(%one : f64) outs(%e : tensor<8xf64>) -> tensor<8xf64>
      scf.yield %y : tensor<8xf64>
    } else {
      %y = linalg.fill ins(%two : f64) outs(%e : tensor<8xf64>) -> tensor<8xf64>
      scf.yield %y : tensor<8xf64>
    }
    %k = arith.muli %i, %c8 : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%k] [8] [1] : tensor<8xf64> into tensor<?xf64>
    }
  }
  return %r : tensor<?xf64>
}

// Rows as they are, and with a zero, which were made where the latter go: all rows had the zero.
// BEFORE:      {{\[\[}}1.0, 0.0, 1.0, 1.0],
// BEFORE:      [4.0, 0.0, 4.0, 4.0]]
// BEFORE-NEXT: {{\[\[}}1.0, 1.0, 1.0, 1.0],
// BEFORE:      [4.0, 4.0, 4.0, 4.0]]
// CHECK-LABEL: func.func @before(
func.func @before(%v: tensor<?xf64>, %times: index) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %v, %c0 : tensor<?xf64>
  %e = tensor.empty(%n) : tensor<?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %changed, %rows = soac.map ins(%v : tensor<?xf64>) (%x: f64) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
    %row = scf.for %i = %c0 to %times step %c1 iter_args(%w = %zeros) -> (tensor<?xf64>) {
      %next = soac.map ins(%w : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
        %sum = arith.addf %x, %y : f64
        soac.yield %sum : f64
      }
      scf.yield %next : tensor<?xf64>
    }
    %new = tensor.insert %zero into %row[%c1] : tensor<?xf64>
    soac.yield %new, %row : tensor<?xf64>, tensor<?xf64>
  }
  return %changed, %rows : tensor<?x?xf64>, tensor<?x?xf64>
}

// The row that is chosen may be the one that the other insertion changes: twice the row where that begins with less than a
// number, and else the row; and twice the row with a nine.
// CHOSEN:      {{\[\[}}2.0, 4.0],
// CHOSEN-NEXT: [3.0, 4.0]]
// CHOSEN-NEXT: {{\[\[}}2.0, 9.0],
// CHOSEN-NEXT: [6.0, 9.0]]
// CHECK-LABEL: func.func @chosen(
func.func @chosen(%a: tensor<?x?xf64>, %most: f64) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nine = arith.constant 9.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %m = tensor.dim %a, %c1 : tensor<?x?xf64>
  %o = tensor.empty(%n, %m) : tensor<?x?xf64>
  %p = tensor.empty(%n, %m) : tensor<?x?xf64>
  %r:2 = scf.forall (%i) in (%n) shared_outs(%x = %o, %y = %p) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
    %row = tensor.extract_slice %a[%i, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %first = tensor.extract %row[%c0] : tensor<?xf64>
    %twice = soac.map ins(%row : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
      %sum = arith.addf %v, %v : f64
      soac.yield %sum : f64
    }
    %less = arith.cmpf olt, %first, %most : f64
    %some = scf.if %less -> tensor<?xf64> {
      scf.yield %twice : tensor<?xf64>
    } else {
      scf.yield %row : tensor<?xf64>
    }
    %changed = tensor.insert %nine into %twice[%c1] : tensor<?xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %some into %x[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
      tensor.parallel_insert_slice %changed into %y[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    }
  }
  return %r#0, %r#1 : tensor<?x?xf64>, tensor<?x?xf64>
}
