// When the sum of rows is not what is added to an array in the same places (twins.mlir): each function breaks one condition.
// RUN: ad-opt %s --ad-acc-to-reduce --canonicalize --cse | FileCheck %s

!acc = !soac.acc<tensor<?xf64>>
!vec = tensor<?xf64>
!mat = tensor<?x?xf64>

// The row does not start from zeros.
// CHECK-LABEL: func.func @start
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x?xf64>, %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.with_acc ins(%[[A]]
func.func @start(%xs: !mat, %a: !vec, %m: index, %b: !vec) -> (!vec, !mat) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c1 : !mat
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%m) : !vec
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : !vec) -> !vec
  %sum, %all = soac.with_acc ins(%a : !vec) (%s: !acc) -> (!vec, !mat) {
    %r, %s_n = soac.map ins(%xs : !mat) accs(%s : !acc) (%x: !vec, %s_i: !acc) -> (!mat, !acc) {
      %row, %s_j = soac.with_acc ins(%b : !vec) (%f: !acc) -> (!vec, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<?xindex>, !vec) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %k = arith.addi %h, %j : index
          %v = math.sqrt %x_j : f64
          %f_2 = soac.update_acc %f_1[%k], %v : !acc, f64
          %s_2 = soac.update_acc %s_1[%k], %v : !acc, f64
          %f_3 = soac.update_acc %f_2[%j], %v : !acc, f64
          %s_3 = soac.update_acc %s_2[%j], %v : !acc, f64
          soac.yield %f_3, %s_3 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      soac.yield %row, %s_j : !vec, !acc
    }
    soac.yield %s_n, %r : !acc, !mat
  }
  return %sum, %all : !vec, !mat
}

// The rows are not kept, but only one element of each: there would be as many updates as before.
// CHECK-LABEL: func.func @not_kept
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x?xf64>, %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.with_acc ins(%[[A]]
func.func @not_kept(%xs: !mat, %a: !vec, %m: index) -> (!vec, !vec) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c1 : !mat
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%m) : !vec
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : !vec) -> !vec
  %sum, %all = soac.with_acc ins(%a : !vec) (%s: !acc) -> (!vec, !vec) {
    %r, %s_n = soac.map ins(%xs : !mat) accs(%s : !acc) (%x: !vec, %s_i: !acc) -> (!vec, !acc) {
      %row, %s_j = soac.with_acc ins(%zeros : !vec) (%f: !acc) -> (!vec, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<?xindex>, !vec) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %k = arith.addi %h, %j : index
          %v = math.sqrt %x_j : f64
          %f_2 = soac.update_acc %f_1[%k], %v : !acc, f64
          %s_2 = soac.update_acc %s_1[%k], %v : !acc, f64
          %f_3 = soac.update_acc %f_2[%j], %v : !acc, f64
          %s_3 = soac.update_acc %s_2[%j], %v : !acc, f64
          soac.yield %f_3, %s_3 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      %first = tensor.extract %row[%c1] : !vec
      soac.yield %first, %s_j : f64, !acc
    }
    soac.yield %s_n, %r : !acc, !vec
  }
  return %sum, %all : !vec, !vec
}

// One of the values is another one.
// CHECK-LABEL: func.func @other_value
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x?xf64>, %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.with_acc ins(%[[A]]
func.func @other_value(%xs: !mat, %a: !vec, %m: index) -> (!vec, !mat) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c1 : !mat
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%m) : !vec
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : !vec) -> !vec
  %sum, %all = soac.with_acc ins(%a : !vec) (%s: !acc) -> (!vec, !mat) {
    %r, %s_n = soac.map ins(%xs : !mat) accs(%s : !acc) (%x: !vec, %s_i: !acc) -> (!mat, !acc) {
      %row, %s_j = soac.with_acc ins(%zeros : !vec) (%f: !acc) -> (!vec, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<?xindex>, !vec) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %k = arith.addi %h, %j : index
          %v = math.sqrt %x_j : f64
          %w = arith.negf %v : f64
          %f_2 = soac.update_acc %f_1[%k], %v : !acc, f64
          %s_2 = soac.update_acc %s_1[%k], %v : !acc, f64
          %f_3 = soac.update_acc %f_2[%j], %v : !acc, f64
          %s_3 = soac.update_acc %s_2[%j], %w : !acc, f64
          soac.yield %f_3, %s_3 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      soac.yield %row, %s_j : !vec, !acc
    }
    soac.yield %s_n, %r : !acc, !mat
  }
  return %sum, %all : !vec, !mat
}

// One of the places is another one.
// CHECK-LABEL: func.func @other_place
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x?xf64>, %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.with_acc ins(%[[A]]
func.func @other_place(%xs: !mat, %a: !vec, %m: index) -> (!vec, !mat) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c1 : !mat
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%m) : !vec
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : !vec) -> !vec
  %sum, %all = soac.with_acc ins(%a : !vec) (%s: !acc) -> (!vec, !mat) {
    %r, %s_n = soac.map ins(%xs : !mat) accs(%s : !acc) (%x: !vec, %s_i: !acc) -> (!mat, !acc) {
      %row, %s_j = soac.with_acc ins(%zeros : !vec) (%f: !acc) -> (!vec, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<?xindex>, !vec) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %k = arith.addi %h, %j : index
          %v = math.sqrt %x_j : f64
          %l = arith.addi %k, %c1 : index
          %f_2 = soac.update_acc %f_1[%k], %v : !acc, f64
          %s_2 = soac.update_acc %s_1[%k], %v : !acc, f64
          %f_3 = soac.update_acc %f_2[%j], %v : !acc, f64
          %s_3 = soac.update_acc %s_2[%l], %v : !acc, f64
          soac.yield %f_3, %s_3 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      soac.yield %row, %s_j : !vec, !acc
    }
    soac.yield %s_n, %r : !acc, !mat
  }
  return %sum, %all : !vec, !mat
}

// Something more is added to the row.
// CHECK-LABEL: func.func @more_in_row
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x?xf64>, %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.with_acc ins(%[[A]]
func.func @more_in_row(%xs: !mat, %a: !vec, %m: index) -> (!vec, !mat) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c1 : !mat
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%m) : !vec
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : !vec) -> !vec
  %sum, %all = soac.with_acc ins(%a : !vec) (%s: !acc) -> (!vec, !mat) {
    %r, %s_n = soac.map ins(%xs : !mat) accs(%s : !acc) (%x: !vec, %s_i: !acc) -> (!mat, !acc) {
      %row, %s_j = soac.with_acc ins(%zeros : !vec) (%f: !acc) -> (!vec, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<?xindex>, !vec) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %k = arith.addi %h, %j : index
          %v = math.sqrt %x_j : f64
          %f_2 = soac.update_acc %f_1[%k], %v : !acc, f64
          %s_2 = soac.update_acc %s_1[%k], %v : !acc, f64
          %f_3 = soac.update_acc %f_2[%j], %v : !acc, f64
          soac.yield %f_3, %s_2 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      soac.yield %row, %s_j : !vec, !acc
    }
    soac.yield %s_n, %r : !acc, !mat
  }
  return %sum, %all : !vec, !mat
}

// Something more is added to the array, in the nest of the row: it would stay an accumulator.
// CHECK-LABEL: func.func @more_in_array
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x?xf64>, %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.with_acc ins(%[[A]]
func.func @more_in_array(%xs: !mat, %a: !vec, %m: index) -> (!vec, !mat) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c1 : !mat
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%m) : !vec
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : !vec) -> !vec
  %sum, %all = soac.with_acc ins(%a : !vec) (%s: !acc) -> (!vec, !mat) {
    %r, %s_n = soac.map ins(%xs : !mat) accs(%s : !acc) (%x: !vec, %s_i: !acc) -> (!mat, !acc) {
      %row, %s_j = soac.with_acc ins(%zeros : !vec) (%f: !acc) -> (!vec, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<?xindex>, !vec) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %k = arith.addi %h, %j : index
          %v = math.sqrt %x_j : f64
          %w = arith.negf %v : f64
          %f_2 = soac.update_acc %f_1[%k], %v : !acc, f64
          %s_2 = soac.update_acc %s_1[%k], %v : !acc, f64
          %f_3 = soac.update_acc %f_2[%j], %v : !acc, f64
          %s_3 = soac.update_acc %s_2[%j], %v : !acc, f64
          %s_4 = soac.update_acc %s_3[%j], %w : !acc, f64
          soac.yield %f_3, %s_4 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      soac.yield %row, %s_j : !vec, !acc
    }
    soac.yield %s_n, %r : !acc, !mat
  }
  return %sum, %all : !vec, !mat
}

// One update of the row for two of the array.
// CHECK-LABEL: func.func @twice
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x?xf64>, %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.with_acc ins(%[[A]]
func.func @twice(%xs: !mat, %a: !vec, %m: index) -> (!vec, !mat) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c1 : !mat
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%m) : !vec
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : !vec) -> !vec
  %sum, %all = soac.with_acc ins(%a : !vec) (%s: !acc) -> (!vec, !mat) {
    %r, %s_n = soac.map ins(%xs : !mat) accs(%s : !acc) (%x: !vec, %s_i: !acc) -> (!mat, !acc) {
      %row, %s_j = soac.with_acc ins(%zeros : !vec) (%f: !acc) -> (!vec, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<?xindex>, !vec) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %k = arith.addi %h, %j : index
          %v = math.sqrt %x_j : f64
          %f_2 = soac.update_acc %f_1[%k], %v : !acc, f64
          %s_2 = soac.update_acc %s_1[%k], %v : !acc, f64
          %f_3 = soac.update_acc %f_2[%j], %v : !acc, f64
          %s_3 = soac.update_acc %s_2[%j], %v : !acc, f64
          %s_4 = soac.update_acc %s_3[%j], %v : !acc, f64
          soac.yield %f_3, %s_4 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      soac.yield %row, %s_j : !vec, !acc
    }
    soac.yield %s_n, %r : !acc, !mat
  }
  return %sum, %all : !vec, !mat
}

// The places are read, so that there may be few of them in a long row.
// CHECK-LABEL: func.func @read
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x?xf64>, %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.with_acc ins(%[[A]]
func.func @read(%xs: !mat, %a: !vec, %m: index, %where: tensor<?xindex>) -> (!vec, !mat) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c1 : !mat
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%m) : !vec
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : !vec) -> !vec
  %sum, %all = soac.with_acc ins(%a : !vec) (%s: !acc) -> (!vec, !mat) {
    %r, %s_n = soac.map ins(%xs : !mat) accs(%s : !acc) (%x: !vec, %s_i: !acc) -> (!mat, !acc) {
      %row, %s_j = soac.with_acc ins(%zeros : !vec) (%f: !acc) -> (!vec, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<?xindex>, !vec) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %k = tensor.extract %where[%j] : tensor<?xindex>
          %v = math.sqrt %x_j : f64
          %f_2 = soac.update_acc %f_1[%k], %v : !acc, f64
          %s_2 = soac.update_acc %s_1[%k], %v : !acc, f64
          soac.yield %f_2, %s_2 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      soac.yield %row, %s_j : !vec, !acc
    }
    soac.yield %s_n, %r : !acc, !mat
  }
  return %sum, %all : !vec, !mat
}

// One part of a row, as far as is known.
// CHECK-LABEL: func.func @some
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x?xf64>, %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.with_acc ins(%[[A]]
func.func @some(%xs: !mat, %a: !vec, %m: index) -> (!vec, !mat) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c1 : !mat
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%m) : !vec
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : !vec) -> !vec
  %sum, %all = soac.with_acc ins(%a : !vec) (%s: !acc) -> (!vec, !mat) {
    %r, %s_n = soac.map ins(%xs : !mat) accs(%s : !acc) (%x: !vec, %s_i: !acc) -> (!mat, !acc) {
      %row, %s_j = soac.with_acc ins(%zeros : !vec) (%f: !acc) -> (!vec, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<?xindex>, !vec) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %v = math.sqrt %x_j : f64
          %f_2 = soac.update_acc %f_1[%j], %v : !acc, f64
          %s_2 = soac.update_acc %s_1[%j], %v : !acc, f64
          soac.yield %f_2, %s_2 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      soac.yield %row, %s_j : !vec, !acc
    }
    soac.yield %s_n, %r : !acc, !mat
  }
  return %sum, %all : !vec, !mat
}

// Known to be few of many.
// CHECK-LABEL: func.func @few
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x?xf64>, %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.with_acc ins(%[[A]]
func.func @few(%xs: !mat, %a: !vec, %m: index) -> (!vec, !mat) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %c100 = arith.constant 100 : index
  %js = soac.iota : tensor<3xindex>
  %empty = tensor.empty(%c100) : !vec
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : !vec) -> !vec
  %sum, %all = soac.with_acc ins(%a : !vec) (%s: !acc) -> (!vec, !mat) {
    %r, %s_n = soac.map ins(%xs : !mat) accs(%s : !acc) (%x: !vec, %s_i: !acc) -> (!mat, !acc) {
      %row, %s_j = soac.with_acc ins(%zeros : !vec) (%f: !acc) -> (!vec, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<3xindex>, !vec) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %v = math.sqrt %x_j : f64
          %f_2 = soac.update_acc %f_1[%j], %v : !acc, f64
          %s_2 = soac.update_acc %s_1[%j], %v : !acc, f64
          soac.yield %f_2, %s_2 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      soac.yield %row, %s_j : !vec, !acc
    }
    soac.yield %s_n, %r : !acc, !mat
  }
  return %sum, %all : !vec, !mat
}

// The second part of a row does not begin where the first one ends.
// CHECK-LABEL: func.func @gap
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x?xf64>, %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.with_acc ins(%[[A]]
func.func @gap(%xs: !mat, %a: !vec, %m: index) -> (!vec, !mat) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c1 : !mat
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%m) : !vec
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : !vec) -> !vec
  %sum, %all = soac.with_acc ins(%a : !vec) (%s: !acc) -> (!vec, !mat) {
    %r, %s_n = soac.map ins(%xs : !mat) accs(%s : !acc) (%x: !vec, %s_i: !acc) -> (!mat, !acc) {
      %row, %s_j = soac.with_acc ins(%zeros : !vec) (%f: !acc) -> (!vec, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<?xindex>, !vec) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %h3 = arith.addi %h, %h : index
          %k = arith.addi %h3, %j : index
          %v = math.sqrt %x_j : f64
          %f_2 = soac.update_acc %f_1[%k], %v : !acc, f64
          %s_2 = soac.update_acc %s_1[%k], %v : !acc, f64
          %f_3 = soac.update_acc %f_2[%j], %v : !acc, f64
          %s_3 = soac.update_acc %s_2[%j], %v : !acc, f64
          soac.yield %f_3, %s_3 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      soac.yield %row, %s_j : !vec, !acc
    }
    soac.yield %s_n, %r : !acc, !mat
  }
  return %sum, %all : !vec, !mat
}

// A branch may leave most of a row out.
// CHECK-LABEL: func.func @guarded
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<?x?xf64>, %[[A:[a-z0-9]+]]: tensor<?xf64>
// CHECK: soac.with_acc ins(%[[A]]
func.func @guarded(%xs: !mat, %a: !vec, %m: index) -> (!vec, !mat) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c1 : !mat
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%m) : !vec
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : !vec) -> !vec
  %sum, %all = soac.with_acc ins(%a : !vec) (%s: !acc) -> (!vec, !mat) {
    %r, %s_n = soac.map ins(%xs : !mat) accs(%s : !acc) (%x: !vec, %s_i: !acc) -> (!mat, !acc) {
      %row, %s_j = soac.with_acc ins(%zeros : !vec) (%f: !acc) -> (!vec, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<?xindex>, !vec) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %k = arith.addi %h, %j : index
          %v = math.sqrt %x_j : f64
          %is = arith.cmpf ogt, %v, %zero : f64
          %f_3, %s_3 = scf.if %is -> (!acc, !acc) {
            %f_2 = soac.update_acc %f_1[%k], %v : !acc, f64
            %s_2 = soac.update_acc %s_1[%k], %v : !acc, f64
            %f_4 = soac.update_acc %f_2[%j], %v : !acc, f64
            %s_4 = soac.update_acc %s_2[%j], %v : !acc, f64
            scf.yield %f_4, %s_4 : !acc, !acc
          } else {
            scf.yield %f_1, %s_1 : !acc, !acc
          }
          soac.yield %f_3, %s_3 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      soac.yield %row, %s_j : !vec, !acc
    }
    soac.yield %s_n, %r : !acc, !mat
  }
  return %sum, %all : !vec, !mat
}
