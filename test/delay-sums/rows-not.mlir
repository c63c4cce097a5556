// Which sums of rows stay in the loop (rows.mlir): each function but the first one breaks one condition.
// RUN: ad-opt %s --ad-delay-sums --canonicalize --cse | FileCheck %s

// Nothing is in the way.
// CHECK-LABEL: func.func @behind
// CHECK: scf.for {{.*}} -> (tensor<?x6x4xf64>)
// CHECK: scf.yield
// CHECK: soac.reduce
// CHECK: return
func.func @behind(%x: tensor<6x4xf64>, %S: tensor<5xf64>, %n: index) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %empty = tensor.empty(%n) : tensor<?x6x4xf64>
  %sum, %all = scf.for %t = %c0 to %n step %c1 iter_args(%s = %S, %kept = %empty) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
    %number = arith.index_cast %t : index to i64
    %factor = arith.sitofp %number : i64 to f64
    %splat = tensor.splat %factor : tensor<6x4xf64>
    %new = arith.mulf %x, %splat : tensor<6x4xf64>
    %sums = soac.reduce ins(%new : tensor<6x4xf64>) neutral(%zeros : tensor<4xf64>) (%p: tensor<4xf64>, %q: tensor<4xf64>) {
      %pq = soac.map ins(%p, %q : tensor<4xf64>, tensor<4xf64>) (%p_j: f64, %q_j: f64) -> tensor<4xf64> {
        %both = arith.addf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<4xf64>
    }
    %old = tensor.extract_slice %s[0] [4] [1] : tensor<5xf64> to tensor<4xf64>
    %part = arith.addf %old, %sums : tensor<4xf64>
    %next = tensor.insert_slice %part into %s[0] [4] [1] : tensor<4xf64> into tensor<5xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, 6, 4] [1, 1, 1] : tensor<6x4xf64> into tensor<?x6x4xf64>
    scf.yield %next, %keep : tensor<5xf64>, tensor<?x6x4xf64>
  }
  return %sum, %all : tensor<5xf64>, tensor<?x6x4xf64>
}

// Other rows are kept than are added up.
// CHECK-LABEL: func.func @other_rows
// CHECK: scf.for {{.*}} -> (tensor<5xf64>, tensor<?x6x4xf64>)
// CHECK: scf.yield
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @other_rows(%x: tensor<6x4xf64>, %S: tensor<5xf64>, %n: index) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %empty = tensor.empty(%n) : tensor<?x6x4xf64>
  %sum, %all = scf.for %t = %c0 to %n step %c1 iter_args(%s = %S, %kept = %empty) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
    %number = arith.index_cast %t : index to i64
    %factor = arith.sitofp %number : i64 to f64
    %splat = tensor.splat %factor : tensor<6x4xf64>
    %new = arith.mulf %x, %splat : tensor<6x4xf64>
    %others = arith.addf %new, %splat : tensor<6x4xf64>
    %sums = soac.reduce ins(%others : tensor<6x4xf64>) neutral(%zeros : tensor<4xf64>) (%p: tensor<4xf64>, %q: tensor<4xf64>) {
      %pq = soac.map ins(%p, %q : tensor<4xf64>, tensor<4xf64>) (%p_j: f64, %q_j: f64) -> tensor<4xf64> {
        %both = arith.addf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<4xf64>
    }
    %old = tensor.extract_slice %s[0] [4] [1] : tensor<5xf64> to tensor<4xf64>
    %part = arith.addf %old, %sums : tensor<4xf64>
    %next = tensor.insert_slice %part into %s[0] [4] [1] : tensor<4xf64> into tensor<5xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, 6, 4] [1, 1, 1] : tensor<6x4xf64> into tensor<?x6x4xf64>
    scf.yield %next, %keep : tensor<5xf64>, tensor<?x6x4xf64>
  }
  return %sum, %all : tensor<5xf64>, tensor<?x6x4xf64>
}

// The rows are not kept where those of the iteration are.
// CHECK-LABEL: func.func @elsewhere
// CHECK: scf.for {{.*}} -> (tensor<5xf64>, tensor<?x6x4xf64>)
// CHECK: scf.yield
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @elsewhere(%x: tensor<6x4xf64>, %S: tensor<5xf64>, %n: index) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %empty = tensor.empty(%n) : tensor<?x6x4xf64>
  %sum, %all = scf.for %t = %c0 to %n step %c1 iter_args(%s = %S, %kept = %empty) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
    %number = arith.index_cast %t : index to i64
    %factor = arith.sitofp %number : i64 to f64
    %splat = tensor.splat %factor : tensor<6x4xf64>
    %new = arith.mulf %x, %splat : tensor<6x4xf64>
    %sums = soac.reduce ins(%new : tensor<6x4xf64>) neutral(%zeros : tensor<4xf64>) (%p: tensor<4xf64>, %q: tensor<4xf64>) {
      %pq = soac.map ins(%p, %q : tensor<4xf64>, tensor<4xf64>) (%p_j: f64, %q_j: f64) -> tensor<4xf64> {
        %both = arith.addf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<4xf64>
    }
    %old = tensor.extract_slice %s[0] [4] [1] : tensor<5xf64> to tensor<4xf64>
    %part = arith.addf %old, %sums : tensor<4xf64>
    %next = tensor.insert_slice %part into %s[0] [4] [1] : tensor<4xf64> into tensor<5xf64>
    %keep = tensor.insert_slice %new into %kept[%c0, 0, 0] [1, 6, 4] [1, 1, 1] : tensor<6x4xf64> into tensor<?x6x4xf64>
    scf.yield %next, %keep : tensor<5xf64>, tensor<?x6x4xf64>
  }
  return %sum, %all : tensor<5xf64>, tensor<?x6x4xf64>
}

// The sum of an iteration does not start from zero.
// CHECK-LABEL: func.func @neutral
// CHECK: scf.for {{.*}} -> (tensor<5xf64>, tensor<?x6x4xf64>)
// CHECK: scf.yield
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @neutral(%x: tensor<6x4xf64>, %S: tensor<5xf64>, %n: index, %start: tensor<4xf64>) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %empty = tensor.empty(%n) : tensor<?x6x4xf64>
  %sum, %all = scf.for %t = %c0 to %n step %c1 iter_args(%s = %S, %kept = %empty) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
    %number = arith.index_cast %t : index to i64
    %factor = arith.sitofp %number : i64 to f64
    %splat = tensor.splat %factor : tensor<6x4xf64>
    %new = arith.mulf %x, %splat : tensor<6x4xf64>
    %sums = soac.reduce ins(%new : tensor<6x4xf64>) neutral(%start : tensor<4xf64>) (%p: tensor<4xf64>, %q: tensor<4xf64>) {
      %pq = soac.map ins(%p, %q : tensor<4xf64>, tensor<4xf64>) (%p_j: f64, %q_j: f64) -> tensor<4xf64> {
        %both = arith.addf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<4xf64>
    }
    %old = tensor.extract_slice %s[0] [4] [1] : tensor<5xf64> to tensor<4xf64>
    %part = arith.addf %old, %sums : tensor<4xf64>
    %next = tensor.insert_slice %part into %s[0] [4] [1] : tensor<4xf64> into tensor<5xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, 6, 4] [1, 1, 1] : tensor<6x4xf64> into tensor<?x6x4xf64>
    scf.yield %next, %keep : tensor<5xf64>, tensor<?x6x4xf64>
  }
  return %sum, %all : tensor<5xf64>, tensor<?x6x4xf64>
}

// It is no sum.
// CHECK-LABEL: func.func @product
// CHECK: scf.for {{.*}} -> (tensor<5xf64>, tensor<?x6x4xf64>)
// CHECK: scf.yield
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @product(%x: tensor<6x4xf64>, %S: tensor<5xf64>, %n: index) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %empty = tensor.empty(%n) : tensor<?x6x4xf64>
  %sum, %all = scf.for %t = %c0 to %n step %c1 iter_args(%s = %S, %kept = %empty) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
    %number = arith.index_cast %t : index to i64
    %factor = arith.sitofp %number : i64 to f64
    %splat = tensor.splat %factor : tensor<6x4xf64>
    %new = arith.mulf %x, %splat : tensor<6x4xf64>
    %sums = soac.reduce ins(%new : tensor<6x4xf64>) neutral(%zeros : tensor<4xf64>) (%p: tensor<4xf64>, %q: tensor<4xf64>) {
      %pq = soac.map ins(%p, %q : tensor<4xf64>, tensor<4xf64>) (%p_j: f64, %q_j: f64) -> tensor<4xf64> {
        %both = arith.mulf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<4xf64>
    }
    %old = tensor.extract_slice %s[0] [4] [1] : tensor<5xf64> to tensor<4xf64>
    %part = arith.addf %old, %sums : tensor<4xf64>
    %next = tensor.insert_slice %part into %s[0] [4] [1] : tensor<4xf64> into tensor<5xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, 6, 4] [1, 1, 1] : tensor<6x4xf64> into tensor<?x6x4xf64>
    scf.yield %next, %keep : tensor<5xf64>, tensor<?x6x4xf64>
  }
  return %sum, %all : tensor<5xf64>, tensor<?x6x4xf64>
}

// The loop reads the sum.
// CHECK-LABEL: func.func @read
// CHECK: scf.for {{.*}} -> (tensor<5xf64>, tensor<?x6x4xf64>)
// CHECK: scf.yield
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @read(%x: tensor<6x4xf64>, %S: tensor<5xf64>, %n: index) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %empty = tensor.empty(%n) : tensor<?x6x4xf64>
  %sum, %all = scf.for %t = %c0 to %n step %c1 iter_args(%s = %S, %kept = %empty) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
    %number = arith.index_cast %t : index to i64
    %factor = arith.sitofp %number : i64 to f64
    %splat = tensor.splat %factor : tensor<6x4xf64>
    %new = arith.mulf %x, %splat : tensor<6x4xf64>
    %sums = soac.reduce ins(%new : tensor<6x4xf64>) neutral(%zeros : tensor<4xf64>) (%p: tensor<4xf64>, %q: tensor<4xf64>) {
      %pq = soac.map ins(%p, %q : tensor<4xf64>, tensor<4xf64>) (%p_j: f64, %q_j: f64) -> tensor<4xf64> {
        %both = arith.addf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<4xf64>
    }
    %first = tensor.extract %s[%c0] : tensor<5xf64>
    %firsts = tensor.splat %first : tensor<4xf64>
    %more = arith.addf %sums, %firsts : tensor<4xf64>
    %old = tensor.extract_slice %s[0] [4] [1] : tensor<5xf64> to tensor<4xf64>
    %part = arith.addf %old, %more : tensor<4xf64>
    %next = tensor.insert_slice %part into %s[0] [4] [1] : tensor<4xf64> into tensor<5xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, 6, 4] [1, 1, 1] : tensor<6x4xf64> into tensor<?x6x4xf64>
    scf.yield %next, %keep : tensor<5xf64>, tensor<?x6x4xf64>
  }
  return %sum, %all : tensor<5xf64>, tensor<?x6x4xf64>
}

// The part does not begin where the array begins: nothing says that it fits where the loop does not run.
// CHECK-LABEL: func.func @offset
// CHECK: scf.for {{.*}} -> (tensor<5xf64>, tensor<?x6x4xf64>)
// CHECK: scf.yield
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @offset(%x: tensor<6x4xf64>, %S: tensor<5xf64>, %n: index) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %empty = tensor.empty(%n) : tensor<?x6x4xf64>
  %sum, %all = scf.for %t = %c0 to %n step %c1 iter_args(%s = %S, %kept = %empty) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
    %number = arith.index_cast %t : index to i64
    %factor = arith.sitofp %number : i64 to f64
    %splat = tensor.splat %factor : tensor<6x4xf64>
    %new = arith.mulf %x, %splat : tensor<6x4xf64>
    %sums = soac.reduce ins(%new : tensor<6x4xf64>) neutral(%zeros : tensor<4xf64>) (%p: tensor<4xf64>, %q: tensor<4xf64>) {
      %pq = soac.map ins(%p, %q : tensor<4xf64>, tensor<4xf64>) (%p_j: f64, %q_j: f64) -> tensor<4xf64> {
        %both = arith.addf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<4xf64>
    }
    %old = tensor.extract_slice %s[1] [4] [1] : tensor<5xf64> to tensor<4xf64>
    %part = arith.addf %old, %sums : tensor<4xf64>
    %next = tensor.insert_slice %part into %s[1] [4] [1] : tensor<4xf64> into tensor<5xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, 6, 4] [1, 1, 1] : tensor<6x4xf64> into tensor<?x6x4xf64>
    scf.yield %next, %keep : tensor<5xf64>, tensor<?x6x4xf64>
  }
  return %sum, %all : tensor<5xf64>, tensor<?x6x4xf64>
}

// What is added to is no part of the sum.
// CHECK-LABEL: func.func @other_part
// CHECK: scf.for {{.*}} -> (tensor<5xf64>, tensor<?x6x4xf64>)
// CHECK: scf.yield
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @other_part(%x: tensor<6x4xf64>, %S: tensor<5xf64>, %n: index) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %empty = tensor.empty(%n) : tensor<?x6x4xf64>
  %sum, %all = scf.for %t = %c0 to %n step %c1 iter_args(%s = %S, %kept = %empty) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
    %number = arith.index_cast %t : index to i64
    %factor = arith.sitofp %number : i64 to f64
    %splat = tensor.splat %factor : tensor<6x4xf64>
    %new = arith.mulf %x, %splat : tensor<6x4xf64>
    %sums = soac.reduce ins(%new : tensor<6x4xf64>) neutral(%zeros : tensor<4xf64>) (%p: tensor<4xf64>, %q: tensor<4xf64>) {
      %pq = soac.map ins(%p, %q : tensor<4xf64>, tensor<4xf64>) (%p_j: f64, %q_j: f64) -> tensor<4xf64> {
        %both = arith.addf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<4xf64>
    }
    %old = tensor.extract_slice %S[0] [4] [1] : tensor<5xf64> to tensor<4xf64>
    %part = arith.addf %old, %sums : tensor<4xf64>
    %next = tensor.insert_slice %part into %s[0] [4] [1] : tensor<4xf64> into tensor<5xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, 6, 4] [1, 1, 1] : tensor<6x4xf64> into tensor<?x6x4xf64>
    scf.yield %next, %keep : tensor<5xf64>, tensor<?x6x4xf64>
  }
  return %sum, %all : tensor<5xf64>, tensor<?x6x4xf64>
}

// Every other iteration.
// CHECK-LABEL: func.func @odd
// CHECK: scf.for {{.*}} -> (tensor<5xf64>, tensor<?x6x4xf64>)
// CHECK: scf.yield
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @odd(%x: tensor<6x4xf64>, %S: tensor<5xf64>, %n: index) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %empty = tensor.empty(%n) : tensor<?x6x4xf64>
  %sum, %all = scf.for %t = %c0 to %n step %c2 iter_args(%s = %S, %kept = %empty) -> (tensor<5xf64>, tensor<?x6x4xf64>) {
    %number = arith.index_cast %t : index to i64
    %factor = arith.sitofp %number : i64 to f64
    %splat = tensor.splat %factor : tensor<6x4xf64>
    %new = arith.mulf %x, %splat : tensor<6x4xf64>
    %sums = soac.reduce ins(%new : tensor<6x4xf64>) neutral(%zeros : tensor<4xf64>) (%p: tensor<4xf64>, %q: tensor<4xf64>) {
      %pq = soac.map ins(%p, %q : tensor<4xf64>, tensor<4xf64>) (%p_j: f64, %q_j: f64) -> tensor<4xf64> {
        %both = arith.addf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<4xf64>
    }
    %old = tensor.extract_slice %s[0] [4] [1] : tensor<5xf64> to tensor<4xf64>
    %part = arith.addf %old, %sums : tensor<4xf64>
    %next = tensor.insert_slice %part into %s[0] [4] [1] : tensor<4xf64> into tensor<5xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, 6, 4] [1, 1, 1] : tensor<6x4xf64> into tensor<?x6x4xf64>
    scf.yield %next, %keep : tensor<5xf64>, tensor<?x6x4xf64>
  }
  return %sum, %all : tensor<5xf64>, tensor<?x6x4xf64>
}

// Single rows are added in the order of the iterations: nothing says that these additions are associative.
// CHECK-LABEL: func.func @in_order
// CHECK: scf.for {{.*}} -> (tensor<5xf64>, tensor<?x4xf64>)
// CHECK: scf.yield
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @in_order(%x: tensor<4xf64>, %S: tensor<5xf64>, %n: index) -> (tensor<5xf64>, tensor<?x4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<4xf64>
  %empty = tensor.empty(%n) : tensor<?x4xf64>
  %sum, %all = scf.for %t = %c0 to %n step %c1 iter_args(%s = %S, %kept = %empty) -> (tensor<5xf64>, tensor<?x4xf64>) {
    %number = arith.index_cast %t : index to i64
    %factor = arith.sitofp %number : i64 to f64
    %splat = tensor.splat %factor : tensor<4xf64>
    %new = arith.mulf %x, %splat : tensor<4xf64>
    %old = tensor.extract_slice %s[0] [4] [1] : tensor<5xf64> to tensor<4xf64>
    %part = arith.addf %old, %new : tensor<4xf64>
    %next = tensor.insert_slice %part into %s[0] [4] [1] : tensor<4xf64> into tensor<5xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0] [1, 4] [1, 1] : tensor<4xf64> into tensor<?x4xf64>
    scf.yield %next, %keep : tensor<5xf64>, tensor<?x4xf64>
  }
  return %sum, %all : tensor<5xf64>, tensor<?x4xf64>
}

// The part is as long as a number says, which might be negative where the loop does not run.
// CHECK-LABEL: func.func @number
// CHECK: scf.for {{.*}} -> (tensor<?xf64>, tensor<?x6x?xf64>)
// CHECK: scf.yield
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @number(%x: tensor<6x?xf64>, %S: tensor<?xf64>, %Z: tensor<?x6x?xf64>, %m: index)
    -> (tensor<?xf64>, tensor<?x6x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f0 = arith.constant 0.0 : f64
  %n = tensor.dim %Z, %c0 : tensor<?x6x?xf64>
  %width = tensor.dim %Z, %c2 : tensor<?x6x?xf64>
  %empty = tensor.empty(%width) : tensor<?xf64>
  %none = linalg.fill ins(%f0 : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %sum, %all = scf.for %t = %c0 to %n step %c1 iter_args(%s = %S, %kept = %Z) -> (tensor<?xf64>, tensor<?x6x?xf64>) {
    %new = math.tanh %x : tensor<6x?xf64>
    %sums = soac.reduce ins(%new : tensor<6x?xf64>) neutral(%none : tensor<?xf64>) (%p: tensor<?xf64>, %q: tensor<?xf64>) {
      %pq = soac.map ins(%p, %q : tensor<?xf64>, tensor<?xf64>) (%p_j: f64, %q_j: f64) -> tensor<?xf64> {
        %both = arith.addf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<?xf64>
    }
    %added = tensor.extract_slice %sums[0] [%m] [1] : tensor<?xf64> to tensor<?xf64>
    %old = tensor.extract_slice %s[0] [%m] [1] : tensor<?xf64> to tensor<?xf64>
    %part = arith.addf %old, %added : tensor<?xf64>
    %next = tensor.insert_slice %part into %s[0] [%m] [1] : tensor<?xf64> into tensor<?xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, 6, %width] [1, 1, 1] : tensor<6x?xf64> into tensor<?x6x?xf64>
    scf.yield %next, %keep : tensor<?xf64>, tensor<?x6x?xf64>
  }
  return %sum, %all : tensor<?xf64>, tensor<?x6x?xf64>
}

// What is added to has fewer dimensions than what is carried: a column of one.
// CHECK-LABEL: func.func @column
// CHECK: scf.for
// CHECK: soac.reduce
// CHECK: scf.yield
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @column(%x: tensor<?x7xf64>, %S: tensor<7x1xf64>, %n: index) -> (tensor<7x1xf64>, tensor<?x?x7xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<7xf64>
  %b = tensor.dim %x, %c0 : tensor<?x7xf64>
  %empty = tensor.empty(%n, %b) : tensor<?x?x7xf64>
  %sum, %y, %all = scf.for %t = %c0 to %n step %c1 iter_args(%s = %S, %z = %x, %kept = %empty)
      -> (tensor<7x1xf64>, tensor<?x7xf64>, tensor<?x?x7xf64>) {
    %new = math.tanh %z : tensor<?x7xf64>
    %rows = soac.reduce ins(%new : tensor<?x7xf64>) neutral(%zero : tensor<7xf64>) (%p: tensor<7xf64>, %q: tensor<7xf64>) {
      %pq = soac.map ins(%p, %q : tensor<7xf64>, tensor<7xf64>) (%p_j: f64, %q_j: f64) -> tensor<7xf64> {
        %both = arith.addf %p_j, %q_j : f64
        soac.yield %both : f64
      }
      soac.yield %pq : tensor<7xf64>
    }
    %old = tensor.extract_slice %s[0, 0] [7, 1] [1, 1] : tensor<7x1xf64> to tensor<7xf64>
    %part = arith.addf %rows, %old : tensor<7xf64>
    %next = tensor.insert_slice %part into %s[0, 0] [7, 1] [1, 1] : tensor<7xf64> into tensor<7x1xf64>
    %keep = tensor.insert_slice %new into %kept[%t, 0, 0] [1, %b, 7] [1, 1, 1] : tensor<?x7xf64> into tensor<?x?x7xf64>
    scf.yield %next, %new, %keep : tensor<7x1xf64>, tensor<?x7xf64>, tensor<?x?x7xf64>
  }
  return %sum, %all : tensor<7x1xf64>, tensor<?x?x7xf64>
}
