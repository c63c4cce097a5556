// Sums of the tensor language as loops over what their predicates leave open [ATL 4.3] (T45).
// RUN: ad-opt %s --lower-atl-to-soac --canonicalize | FileCheck %s
// RUN: ad-opt run %s --entry=strides --input=7 | FileCheck %s --check-prefix=STRIDES
// RUN: ad-opt run %s --entry=strides --input=0 | FileCheck %s --check-prefix=NOTHING
// RUN: ad-opt run %s --entry=outside --input=7 | FileCheck %s --check-prefix=OUTSIDE
// RUN: ad-opt run %s --entry=triangle --input=4 | FileCheck %s --check-prefix=TRIANGLE
// RUN: ad-opt run %s --entry=relations | FileCheck %s --check-prefix=RELATIONS
// RUN: ad-opt run %s --entry=quantified --input=6 | FileCheck %s --check-prefix=QUANTIFIED
// RUN: ad-opt run %s --entry=beside --input=3 | FileCheck %s --check-prefix=BESIDE

func.func private @float(%i: index) -> f32 {
  %integer = arith.index_cast %i : index to i64
  %float = arith.sitofp %integer : i64 to f32
  return %float : f32
}

// 0 1 2 ... as numbers.
func.func private @numbers(%n: index) -> tensor<?xf32> {
  %indices = soac.iota %n : tensor<?xindex>
  %xs = soac.map ins(%indices : tensor<?xindex>) (%i: index) -> tensor<?xf32> {
    %x = func.call @float(%i) : (index) -> f32
    soac.yield %x : f32
  }
  return %xs : tensor<?xf32>
}

// The only j with 3 j = i + 1, without a loop: i is 2 or 5.
// STRIDES: [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]
// NOTHING: []
func.func @strides(%n: index) -> tensor<?xf32> {
  %x = call @numbers(%n) : (index) -> tensor<?xf32>
  %y = call @third(%x, %n) : (tensor<?xf32>, index) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
// CHECK-LABEL: func.func private @third(
// CHECK: soac.map
// CHECK-NOT: soac.map
// CHECK: arith.floordivsi
// CHECK-NOT: soac.map
// CHECK-LABEL: func.func
func.func private @third(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %y = atl.gen (%i in %n) -> tensor<?xf32> {
    %s = atl.sum (%j in %n) -> f32 {
      %p = atl.compare 3 * %j = %i + 1
      %e = atl.bracket %p -> f32 {
        %t = atl.access %x[%j - 1] : tensor<?xf32>
        atl.yield %t : f32
      }
      atl.yield %e : f32
    }
    atl.yield %s : f32
  }
  return %y : tensor<?xf32>
}

// The only j with 3 j = i - 4, if it is in range: for i = 1 it would be -1.
// OUTSIDE: [0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]
func.func @outside(%n: index) -> tensor<?xf32> {
  %x = call @numbers(%n) : (index) -> tensor<?xf32>
  %y = atl.gen (%i in %n) -> tensor<?xf32> {
    %s = atl.sum (%j in %n) -> f32 {
      %p = atl.compare 3 * %j = %i - 4
      %e = atl.bracket %p -> f32 {
        %t = atl.access %x[%j + 2] : tensor<?xf32>
        atl.yield %t : f32
      }
      atl.yield %e : f32
    }
    atl.yield %s : f32
  }
  return %y : tensor<?xf32>
}

// Sums of the elements before each and of those from it on: bounds of loops.
// TRIANGLE: [0.0, 0.0, 1.0, 3.0]
// TRIANGLE: [6.0, 6.0, 5.0, 3.0]
func.func @triangle(%n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %x = call @numbers(%n) : (index) -> tensor<?xf32>
  %before, %after = call @parts(%x, %n) : (tensor<?xf32>, index) -> (tensor<?xf32>, tensor<?xf32>)
  return %before, %after : tensor<?xf32>, tensor<?xf32>
}
// CHECK: arith.minsi
// CHECK-NOT: scf.if
// CHECK: arith.maxsi
// CHECK-NOT: scf.if
// CHECK-LABEL: func.func @relations
func.func private @parts(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %before = atl.gen (%i in %n) -> tensor<?xf32> {
    %s = atl.sum (%j in %n) -> f32 {
      %p = atl.compare %j < %i
      %e = atl.bracket %p -> f32 {
        %t = atl.access %x[%j] : tensor<?xf32>
        atl.yield %t : f32
      }
      atl.yield %e : f32
    }
    atl.yield %s : f32
  }
  %after = atl.gen (%i in %n) -> tensor<?xf32> {
    %s = atl.sum (%j in %n) -> f32 {
      %p = atl.compare %i <= %j
      %e = atl.bracket %p -> f32 {
        %t = atl.access %x[%j] : tensor<?xf32>
        atl.yield %t : f32
      }
      atl.yield %e : f32
    }
    atl.yield %s : f32
  }
  return %before, %after : tensor<?xf32>, tensor<?xf32>
}

// A mask, whose outside is false; a list; and one of both or the other.
// RELATIONS: [1.0, 0.0, 1.0, 0.0]
// RELATIONS: [0.0, 1.0, 1.0, 0.0]
// RELATIONS: [1.0, 1.0, 1.0, 0.0]
func.func @relations() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %mask = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %list = arith.constant dense<[2, 1, 2]> : tensor<3xi64>
  %n = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %masked = atl.gen (%i in %n) -> tensor<4xf32> {
    %p = atl.member %mask[%i] : tensor<3xi1>
    %e = atl.bracket %p -> f32 {
      atl.yield %one : f32
    }
    atl.yield %e : f32
  }
  %listed = atl.gen (%i in %n) -> tensor<4xf32> {
    %p = atl.member (%list)[%i] : tensor<3xi64>
    %e = atl.bracket %p -> f32 {
      atl.yield %one : f32
    }
    atl.yield %e : f32
  }
  %either = atl.gen (%i in %n) -> tensor<4xf32> {
    %p = atl.member %mask[%i] : tensor<3xi1>
    %q = atl.member (%list)[%i] : tensor<3xi64>
    %r = arith.ori %p, %q : i1
    %e = atl.bracket %r -> f32 {
      atl.yield %one : f32
    }
    atl.yield %e : f32
  }
  return %masked, %listed, %either : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// The even numbers: those that are twice some number below n.
// QUANTIFIED: [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]
func.func @quantified(%n: index) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f32
  %y = atl.gen (%i in %n) -> tensor<?xf32> {
    %p = atl.exists (%j in %n) {
      %q = atl.compare %i = 2 * %j
      atl.yield %q : i1
    }
    %e = atl.bracket %p -> f32 {
      atl.yield %one : f32
    }
    atl.yield %e : f32
  }
  return %y : tensor<?xf32>
}

// An operation of the language in a loop of another kind: 0 + 1 + 2, three times.
// BESIDE: 9.0
func.func @beside(%n: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = call @numbers(%n) : (index) -> tensor<?xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%so_far = %zero) -> f32 {
    %s = atl.sum (%i in %n) -> f32 {
      %e = atl.access %x[%i] : tensor<?xf32>
      atl.yield %e : f32
    }
    %next = arith.addf %so_far, %s : f32
    scf.yield %next : f32
  }
  return %sum : f32
}

// That a column is in front of the end of an array is one comparison of numbers without signs, since no array has a negative
// size; a tuple is in the list if its first array has it, whichever says where it adds.
// CHECK-LABEL: func.func @scattered(
// CHECK-SAME:  %[[ROWS:.+]]: tensor<?xi64>, %{{.+}}: tensor<?xi64>, %{{.+}}: tensor<?xf64>, %[[X:.+]]: tensor<?xf64>)
// CHECK:         %[[N:.+]] = tensor.dim %[[X]]
// CHECK:         soac.map
// CHECK:           %[[TUPLES:.+]] = tensor.dim %[[ROWS]]
// CHECK-NEXT:      arith.cmpi ult, %{{.*}}, %[[TUPLES]]
// CHECK:           %[[AGAIN:.+]] = tensor.dim %[[ROWS]]
// CHECK-NEXT:      arith.cmpi ult, %{{.*}}, %[[AGAIN]]
// CHECK-NOT:       arith.cmpi
// CHECK:           arith.cmpi ult, %{{.*}}, %[[N]]
// CHECK-NEXT:      scf.if
// CHECK-NEXT:      arith.cmpi ult, %{{.*}}, %[[N]]
// CHECK-NOT:       arith.cmpi
// CHECK:         soac.hist
func.func @scattered(%rows: tensor<?xi64>, %columns: tensor<?xi64>, %values: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %entries = tensor.dim %values, %c0 : tensor<?xf64>
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = atl.gen (%j in %n) -> tensor<?xf64> {
    %sum = atl.sum (%i in %n, %k in %entries) -> f64 {
      %is_entry = atl.member (%rows, %columns)[%i, %j] at %k : tensor<?xi64>, tensor<?xi64>
      %term = atl.bracket %is_entry -> f64 {
        %v = atl.access %values[%k] : tensor<?xf64>
        %xi = atl.access %x[%i] : tensor<?xf64>
        %product = arith.mulf %v, %xi : f64
        atl.yield %product : f64
      }
      atl.yield %term : f64
    }
    atl.yield %sum : f64
  }
  return %y : tensor<?xf64>
}

// A number that somebody gives may be negative.
// CHECK-LABEL: func.func @bounded(
// CHECK:         arith.cmpi sge
// CHECK:         arith.cmpi sge
// CHECK-NOT:     arith.cmpi ult
// CHECK:         return
func.func @bounded(%i: index, %n: index, %y: f64) -> f64 {
  %from = atl.compare 0 <= %i
  %to = atl.compare %i < %n
  %both = arith.andi %from, %to : i1
  %z = atl.bracket %both -> f64 {
    atl.yield %y : f64
  }
  return %z : f64
}
