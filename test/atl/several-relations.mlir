// Several relations in one sum: the tuples of one are gone through, and for each those of the other that
// have the same value in a place, which the rows of a compressed list are, and a list is sorted for. A
// sum over a list without numbers takes equal tuples once (T17, T45).
// RUN: ad-opt %s --lower-atl-to-soac --canonicalize --cse | FileCheck %s
// RUN: ad-opt %s --ad-differentiate --lower-atl-to-soac --remarks-filter-analyse=lower-atl-to-soac -o /dev/null 2>&1 \
// RUN:     | FileCheck %s --check-prefix=REMARK
// RUN: ad-opt run %s --entry=main | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=main --target=gpu-emulate | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt check %s --entry=checked --input=0.5 --input=-1.25 | FileCheck %s --check-prefix=SLOPES
// RUN: ad-opt check %s --entry=checked --input=0.5 --input=-1.25 --engine=interpreter | FileCheck %s --check-prefix=SLOPES

// REMARK-DAG: sort | Category:lower-atl-to-soac | Reason="the tuples of a list that have a known value
// REMARK-DAG: distinct | Category:lower-atl-to-soac | Reason="the tuples of a list are sorted

// SLOPES: 0 f64 {{.*}} ok
// SLOPES-NEXT: 1 f64 {{.*}} ok

// The second matrix has rows: no list is sorted, and the innermost loop has the bounds of a row.
// CHECK-LABEL: func.func private @rows(
// CHECK-SAME: %[[AS:[a-z0-9]+]]: tensor<?xindex>, %[[AJ:[a-z0-9]+]]: tensor<?xindex>, %[[A:[a-z0-9]+]]: tensor<?xf64>, %[[STARTS:[a-z0-9]+]]: tensor<?xindex>
// CHECK-NOT: scf.for
// CHECK: soac.map
// CHECK: soac.map
// CHECK: tensor.extract %[[STARTS]][%{{.*}}] : tensor<?xindex>
// CHECK: tensor.extract %[[STARTS]][%{{.*}}] : tensor<?xindex>
// CHECK: soac.map
// CHECK-NOT: soac.map
// CHECK: return
func.func private @rows(%as: tensor<?xindex>, %aj: tensor<?xindex>, %a: tensor<?xf64>, %bs: tensor<?xindex>, %bk: tensor<?xindex>, %b: tensor<?xf64>, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %na = tensor.dim %a, %zero : tensor<?xf64>
  %nb = tensor.dim %b, %zero : tensor<?xf64>
  %s = atl.sum (%i in %n, %j in %n, %k in %n, %p in %na, %q in %nb) -> f64 {
    %in_a = atl.member (compressed %as, %aj)[%i, %j] at %p : tensor<?xindex>, tensor<?xindex>
    %in_b = atl.member (compressed %bs, %bk)[%j, %k] at %q : tensor<?xindex>, tensor<?xindex>
    %both = arith.andi %in_a, %in_b : i1
    %e = atl.bracket %both -> f64 {
      %x = atl.access %a[%p] : tensor<?xf64>
      %y = atl.access %b[%q] : tensor<?xf64>
      %t = arith.mulf %x, %y : f64
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %s : f64
}

// The list is sorted in front of all loops: what is searched in it is two positions.
// CHECK-LABEL: func.func private @lists(
// CHECK: scf.for
// CHECK: soac.scatter at
// CHECK: soac.map
// CHECK: scf.for
// CHECK: scf.for
// CHECK: soac.map
// CHECK-NOT: soac.map
// CHECK: return
func.func private @lists(%ai: tensor<?xindex>, %aj: tensor<?xindex>, %a: tensor<?xf64>, %bj: tensor<?xindex>, %bk: tensor<?xindex>, %b: tensor<?xf64>, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %na = tensor.dim %a, %zero : tensor<?xf64>
  %nb = tensor.dim %b, %zero : tensor<?xf64>
  %s = atl.sum (%i in %n, %j in %n, %k in %n, %p in %na, %q in %nb) -> f64 {
    %in_a = atl.member (%ai, %aj)[%i, %j] at %p : tensor<?xindex>, tensor<?xindex>
    %in_b = atl.member (%bj, %bk)[%j, %k] at %q : tensor<?xindex>, tensor<?xindex>
    %both = arith.andi %in_a, %in_b : i1
    %e = atl.bracket %both -> f64 {
      %x = atl.access %a[%p] : tensor<?xf64>
      %y = atl.access %b[%q] : tensor<?xf64>
      %t = arith.mulf %x, %y : f64
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %s : f64
}

// Dense matrices that count where lists say so. Tuple (2, 1) is there twice, and counts once.
func.func private @places(%ai: tensor<?xindex>, %aj: tensor<?xindex>, %bs: tensor<?xindex>, %bk: tensor<?xindex>, %x: tensor<?x?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?x?xf64>
  %s = atl.sum (%i in %n, %j in %n, %k in %n) -> f64 {
    %in_a = atl.member (%ai, %aj)[%i, %j] : tensor<?xindex>, tensor<?xindex>
    %in_b = atl.member (compressed %bs, %bk)[%j, %k] : tensor<?xindex>, tensor<?xindex>
    %both = arith.andi %in_a, %in_b : i1
    %e = atl.bracket %both -> f64 {
      %v = atl.access %x[%i, %j] : tensor<?x?xf64>
      %w = atl.access %x[%j, %k] : tensor<?x?xf64>
      %t = arith.mulf %v, %w : f64
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %s : f64
}

// A sum in a function of each row of a list: its tuples are those of the row.
func.func private @magnitudes(%ai: tensor<?xindex>, %aj: tensor<?xindex>, %a: tensor<?xf64>, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %na = tensor.dim %a, %zero : tensor<?xf64>
  %s = atl.sum (%i in %n) -> f64 {
    %row = atl.sum (%j in %n, %p in %na) -> f64 {
      %in_a = atl.member (%ai, %aj)[%i, %j] at %p : tensor<?xindex>, tensor<?xindex>
      %e = atl.bracket %in_a -> f64 {
        %x = atl.access %a[%p] : tensor<?xf64>
        atl.yield %x : f64
      }
      atl.yield %e : f64
    }
    %q = math.absf %row : f64
    atl.yield %q : f64
  }
  return %s : f64
}

// Which of 0, 1, 2, 3 are in the first places.
func.func private @is_in(%ai: tensor<?xindex>, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %p = atl.member (%ai)[%i] : tensor<?xindex>
    %e = atl.bracket %p -> f64 {
      %one = arith.constant 1.0 : f64
      atl.yield %one : f64
    }
    atl.yield %e : f64
  }
  return %y : tensor<?xf64>
}

// The first matrix is 1 2 0 / 0 0 0 / -2 (3 + 4) 0, once with its entries in rows and once without order,
// and the second one 10 0 20 / 0 30 0 / 0 0 0. The sums are 1 (10 + 20) + 2 30 + -2 (10 + 20) + 7 30 = 240.
// VALUES: 240.0
// VALUES: 240.0
// x is i + 2 j + 1: 1 3 5 / 2 4 6 / 3 5 7. 1 (1 + 5) + 3 4 + 3 (1 + 5) + 5 4 = 56.
// VALUES: 56.0
// VALUES: 8.0
// VALUES: [1.0, 0.0, 1.0, 0.0]
// Nothing at all.
// VALUES: 0.0
// VALUES: 0.0
// VALUES: [0.0, 0.0, 0.0, 0.0]
func.func @main() -> (f64, f64, f64, f64, tensor<?xf64>, f64, f64, tensor<?xf64>) {
  %n = arith.constant 3 : index
  %four = arith.constant 4 : index
  %as_ = arith.constant dense<[0, 2, 2, 5]> : tensor<4xindex>
  %aj_ = arith.constant dense<[0, 1, 1, 0, 1]> : tensor<5xindex>
  %a_ = arith.constant dense<[1.0, 2.0, 3.0, -2.0, 4.0]> : tensor<5xf64>
  %ri_ = arith.constant dense<[2, 0, 2, 0, 2]> : tensor<5xindex>
  %rj_ = arith.constant dense<[1, 1, 0, 0, 1]> : tensor<5xindex>
  %r_ = arith.constant dense<[3.0, 2.0, -2.0, 1.0, 4.0]> : tensor<5xf64>
  %bs_ = arith.constant dense<[0, 2, 3, 3]> : tensor<4xindex>
  %bj_ = arith.constant dense<[0, 0, 1]> : tensor<3xindex>
  %bk_ = arith.constant dense<[2, 0, 1]> : tensor<3xindex>
  %b_ = arith.constant dense<[20.0, 10.0, 30.0]> : tensor<3xf64>
  %x_ = arith.constant dense<[[1.0, 3.0, 5.0], [2.0, 4.0, 6.0], [3.0, 5.0, 7.0]]> : tensor<3x3xf64>
  %none_ = tensor.empty() : tensor<0xindex>
  %nothing_ = tensor.empty() : tensor<0xf64>
  %as = tensor.cast %as_ : tensor<4xindex> to tensor<?xindex>
  %aj = tensor.cast %aj_ : tensor<5xindex> to tensor<?xindex>
  %a = tensor.cast %a_ : tensor<5xf64> to tensor<?xf64>
  %ri = tensor.cast %ri_ : tensor<5xindex> to tensor<?xindex>
  %rj = tensor.cast %rj_ : tensor<5xindex> to tensor<?xindex>
  %r = tensor.cast %r_ : tensor<5xf64> to tensor<?xf64>
  %bs = tensor.cast %bs_ : tensor<4xindex> to tensor<?xindex>
  %bj = tensor.cast %bj_ : tensor<3xindex> to tensor<?xindex>
  %bk = tensor.cast %bk_ : tensor<3xindex> to tensor<?xindex>
  %b = tensor.cast %b_ : tensor<3xf64> to tensor<?xf64>
  %x = tensor.cast %x_ : tensor<3x3xf64> to tensor<?x?xf64>
  %none = tensor.cast %none_ : tensor<0xindex> to tensor<?xindex>
  %nothing = tensor.cast %nothing_ : tensor<0xf64> to tensor<?xf64>
  %0 = call @rows(%as, %aj, %a, %bs, %bk, %b, %n) : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, index) -> f64
  %1 = call @lists(%ri, %rj, %r, %bj, %bk, %b, %n) : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, index) -> f64
  %2 = call @places(%ri, %rj, %bs, %bk, %x) : (tensor<?xindex>, tensor<?xindex>, tensor<?xindex>, tensor<?xindex>, tensor<?x?xf64>) -> f64
  %3 = call @magnitudes(%ri, %rj, %r, %n) : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, index) -> f64
  %4 = call @is_in(%ri, %four) : (tensor<?xindex>, index) -> tensor<?xf64>
  %5 = call @lists(%ri, %rj, %r, %none, %none, %nothing, %n) : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, index) -> f64
  %6 = call @places(%none, %none, %bs, %bk, %x) : (tensor<?xindex>, tensor<?xindex>, tensor<?xindex>, tensor<?xindex>, tensor<?x?xf64>) -> f64
  %7 = call @is_in(%none, %four) : (tensor<?xindex>, index) -> tensor<?xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7 : f64, f64, f64, f64, tensor<?xf64>, f64, f64, tensor<?xf64>
}

func.func @checked(%u: f64, %v: f64) -> f64 {
  %n = arith.constant 3 : index
  %ri_ = arith.constant dense<[2, 0, 2, 0, 2]> : tensor<5xindex>
  %rj_ = arith.constant dense<[1, 1, 0, 0, 1]> : tensor<5xindex>
  %bj_ = arith.constant dense<[0, 0, 1]> : tensor<3xindex>
  %bk_ = arith.constant dense<[2, 0, 1]> : tensor<3xindex>
  %bs_ = arith.constant dense<[0, 2, 3, 3]> : tensor<4xindex>
  %one = arith.constant 1.0 : f64
  %r_ = tensor.from_elements %u, %v, %one, %v, %u : tensor<5xf64>
  %b_ = tensor.from_elements %v, %u, %one : tensor<3xf64>
  %x_ = tensor.from_elements %u, %v, %one, %v, %one, %u, %u, %u, %v : tensor<3x3xf64>
  %ri = tensor.cast %ri_ : tensor<5xindex> to tensor<?xindex>
  %rj = tensor.cast %rj_ : tensor<5xindex> to tensor<?xindex>
  %r = tensor.cast %r_ : tensor<5xf64> to tensor<?xf64>
  %bs = tensor.cast %bs_ : tensor<4xindex> to tensor<?xindex>
  %bj = tensor.cast %bj_ : tensor<3xindex> to tensor<?xindex>
  %bk = tensor.cast %bk_ : tensor<3xindex> to tensor<?xindex>
  %b = tensor.cast %b_ : tensor<3xf64> to tensor<?xf64>
  %x = tensor.cast %x_ : tensor<3x3xf64> to tensor<?x?xf64>
  %0 = call @lists(%ri, %rj, %r, %bj, %bk, %b, %n) : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, index) -> f64
  %1 = call @places(%ri, %rj, %bs, %bk, %x) : (tensor<?xindex>, tensor<?xindex>, tensor<?xindex>, tensor<?xindex>, tensor<?x?xf64>) -> f64
  %2 = call @magnitudes(%ri, %rj, %r, %n) : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, index) -> f64
  %3 = arith.addf %0, %1 : f64
  %4 = arith.addf %3, %2 : f64
  return %4 : f64
}
