// What is added to an array and, in the same places, to fresh rows that are kept is the sum of the rows [F47]. The values
// are those of the program with its accumulators, for arrays that are as long as the rows, longer and shorter.
// RUN: ad-opt %s --ad-acc-to-reduce --canonicalize --cse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ad-opt run %t.mlir --entry=values > %t.values
// RUN: FileCheck %s --check-prefix=VALUES --input-file=%t.values

!acc = !soac.acc<tensor<?xf64>>
!tile = !soac.acc<tensor<?x?xf64>>

// Twice as many places as iterations, one half behind the other one: the lengths of a row and of the array are unknown.
// CHECK-LABEL: func.func private @halves
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?xf64>, %[[M:[a-z0-9]+]]: index
// CHECK: %[[ROWS:.*]] = soac.map ins(%{{[a-z0-9]+}} : tensor<?x?xf64>)
// CHECK: soac.with_acc
// CHECK-COUNT-2: soac.update_acc
// CHECK-NOT: soac.update_acc
// CHECK: %[[SUM:.*]] = soac.reduce ins(%[[ROWS]] : tensor<?x?xf64>)
// CHECK: %[[N:.*]] = tensor.dim %[[A]]
// CHECK: %[[LEAST:.*]] = arith.minsi %[[N]], %[[M]]
// CHECK: %[[ADDED:.*]] = tensor.extract_slice %[[SUM]][0] [%[[LEAST]]] [1]
// CHECK: %[[OLD:.*]] = tensor.extract_slice %[[A]][0] [%[[LEAST]]] [1]
// CHECK: %[[NEW:.*]] = soac.map ins(%[[OLD]], %[[ADDED]]
// CHECK: %[[ALL:.*]] = tensor.insert_slice %[[NEW]] into %[[A]][0] [%[[LEAST]]] [1]
// CHECK: return %[[ALL]], %[[ROWS]]
func.func private @halves(%xs: tensor<?x?xf64>, %a: tensor<?xf64>, %m: index)
    -> (tensor<?xf64>, tensor<?x?xf64>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c1 : tensor<?x?xf64>
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%m) : tensor<?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %sum, %rows = soac.with_acc ins(%a : tensor<?xf64>) (%s: !acc) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %r, %s_n = soac.map ins(%xs : tensor<?x?xf64>) accs(%s : !acc) (%x: tensor<?xf64>, %s_i: !acc) -> (tensor<?x?xf64>, !acc) {
      %row, %s_j = soac.with_acc ins(%zeros : tensor<?xf64>) (%f: !acc) -> (tensor<?xf64>, !acc) {
        %f_n, %s_m = soac.map ins(%js, %x : tensor<?xindex>, tensor<?xf64>) accs(%f, %s_i : !acc, !acc)
            (%j: index, %x_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
          %k = arith.addi %h, %j : index
          %v = math.sqrt %x_j : f64
          %w = arith.negf %v : f64
          %f_2 = soac.update_acc %f_1[%k], %v : !acc, f64
          %s_2 = soac.update_acc %s_1[%k], %v : !acc, f64
          %s_3 = soac.update_acc %s_2[%j], %w : !acc, f64
          %f_3 = soac.update_acc %f_2[%j], %w : !acc, f64
          soac.yield %f_3, %s_3 : !acc, !acc
        }
        soac.yield %f_n, %s_m : !acc, !acc
      }
      soac.yield %row, %s_j : tensor<?xf64>, !acc
    }
    soac.yield %s_n, %r : !acc, tensor<?x?xf64>
  }
  return %sum, %rows : tensor<?xf64>, tensor<?x?xf64>
}

// Two maps around the row, which is all of the array, and nothing that it is added to.
// CHECK-LABEL: func.func @nested
// CHECK-NOT: soac.with_acc
// CHECK: %[[ROWS:.*]] = soac.map
// CHECK: %[[LAST:.*]] = soac.reduce ins(%[[ROWS]] : tensor<?x?x?xf64>)
// CHECK: %[[SUM:.*]] = soac.reduce ins(%[[LAST]] : tensor<?x?xf64>)
// CHECK: return %[[SUM]], %[[ROWS]]
func.func @nested(%xs: tensor<?x?x?xf64>) -> (tensor<?xf64>, tensor<?x?x?xf64>) {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %h = tensor.dim %xs, %c2 : tensor<?x?x?xf64>
  %js = soac.iota %h : tensor<?xindex>
  %empty = tensor.empty(%h) : tensor<?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %sum, %rows = soac.with_acc ins(%zeros : tensor<?xf64>) (%s: !acc) -> (tensor<?xf64>, tensor<?x?x?xf64>) {
    %r, %s_n = soac.map ins(%xs : tensor<?x?x?xf64>) accs(%s : !acc) (%x: tensor<?x?xf64>, %s_h: !acc) -> (tensor<?x?x?xf64>, !acc) {
      %q, %s_m = soac.map ins(%x : tensor<?x?xf64>) accs(%s_h : !acc) (%y: tensor<?xf64>, %s_i: !acc) -> (tensor<?x?xf64>, !acc) {
        %row, %s_j = soac.with_acc ins(%zeros : tensor<?xf64>) (%f: !acc) -> (tensor<?xf64>, !acc) {
          %f_n, %s_k = soac.map ins(%js, %y : tensor<?xindex>, tensor<?xf64>) accs(%f, %s_i : !acc, !acc)
              (%j: index, %y_j: f64, %f_1: !acc, %s_1: !acc) -> (!acc, !acc) {
            %v = math.sqrt %y_j : f64
            %f_2 = soac.update_acc %f_1[%j], %v : !acc, f64
            %s_2 = soac.update_acc %s_1[%j], %v : !acc, f64
            soac.yield %f_2, %s_2 : !acc, !acc
          }
          soac.yield %f_n, %s_k : !acc, !acc
        }
        soac.yield %row, %s_j : tensor<?xf64>, !acc
      }
      soac.yield %q, %s_m : tensor<?x?xf64>, !acc
    }
    soac.yield %s_n, %r : !acc, tensor<?x?x?xf64>
  }
  return %sum, %rows : tensor<?xf64>, tensor<?x?x?xf64>
}

// Tiles in place of rows. Another update of the array, outside of what is kept, stays.
// CHECK-LABEL: func.func private @tiles
// CHECK: %[[A:.*]]:2 = soac.with_acc
// CHECK-NEXT: soac.map ins(%{{[a-z0-9]+}} : tensor<?x?x?xf64>) accs(
// CHECK: soac.update_acc %{{.*}}[%c0, %c0], %{{.*}} : !soac.acc<tensor<2x?xf64>>, f64
// CHECK-NOT: soac.update_acc
// CHECK: %[[SUM:.*]] = soac.reduce ins(%[[A]]#1
// CHECK: %[[ROWS:.*]] = arith.minsi %{{.*}}, %c2
// CHECK: %[[COLUMNS:.*]] = arith.minsi
// CHECK: tensor.extract_slice %[[SUM]][0, 0] [%[[ROWS]], %[[COLUMNS]]] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %[[A]]#0[0, 0] [%[[ROWS]], %[[COLUMNS]]] [1, 1]
func.func private @tiles(%xs: tensor<?x?x?xf64>, %a: tensor<2x?xf64>) -> (tensor<2x?xf64>, tensor<?x?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %rows = tensor.dim %xs, %c1 : tensor<?x?x?xf64>
  %columns = tensor.dim %xs, %c2 : tensor<?x?x?xf64>
  %is = soac.iota %rows : tensor<?xindex>
  %js = soac.iota %columns : tensor<?xindex>
  %empty = tensor.empty(%rows, %columns) : tensor<?x?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?xf64>) -> tensor<?x?xf64>
  %sum, %all = soac.with_acc ins(%a : tensor<2x?xf64>) (%s: !soac.acc<tensor<2x?xf64>>) -> (tensor<2x?xf64>, tensor<?x?x?xf64>) {
    %t, %s_n = soac.map ins(%xs : tensor<?x?x?xf64>) accs(%s : !soac.acc<tensor<2x?xf64>>)
        (%x: tensor<?x?xf64>, %s_i: !soac.acc<tensor<2x?xf64>>) -> (tensor<?x?x?xf64>, !soac.acc<tensor<2x?xf64>>) {
      %tile, %s_j = soac.with_acc ins(%zeros : tensor<?x?xf64>) (%f: !tile) -> (tensor<?x?xf64>, !soac.acc<tensor<2x?xf64>>) {
        %f_n, %s_m = soac.map ins(%is, %x : tensor<?xindex>, tensor<?x?xf64>) accs(%f, %s_i : !tile, !soac.acc<tensor<2x?xf64>>)
            (%i: index, %x_i: tensor<?xf64>, %f_i: !tile, %s_k: !soac.acc<tensor<2x?xf64>>) -> (!tile, !soac.acc<tensor<2x?xf64>>) {
          %f_m, %s_l = soac.map ins(%js, %x_i : tensor<?xindex>, tensor<?xf64>) accs(%f_i, %s_k : !tile, !soac.acc<tensor<2x?xf64>>)
              (%j: index, %x_j: f64, %f_1: !tile, %s_1: !soac.acc<tensor<2x?xf64>>) -> (!tile, !soac.acc<tensor<2x?xf64>>) {
            %v = math.sqrt %x_j : f64
            %f_2 = soac.update_acc %f_1[%i, %j], %v : !tile, f64
            %s_2 = soac.update_acc %s_1[%i, %j], %v : !soac.acc<tensor<2x?xf64>>, f64
            soac.yield %f_2, %s_2 : !tile, !soac.acc<tensor<2x?xf64>>
          }
          soac.yield %f_m, %s_l : !tile, !soac.acc<tensor<2x?xf64>>
        }
        soac.yield %f_n, %s_m : !tile, !soac.acc<tensor<2x?xf64>>
      }
      %corner = tensor.extract %tile[%c0, %c0] : tensor<?x?xf64>
      %root = math.sqrt %corner : f64
      %s_o = soac.update_acc %s_j[%c0, %c0], %root : !soac.acc<tensor<2x?xf64>>, f64
      soac.yield %tile, %s_o : tensor<?x?xf64>, !soac.acc<tensor<2x?xf64>>
    }
    soac.yield %s_n, %t : !soac.acc<tensor<2x?xf64>>, tensor<?x?x?xf64>
  }
  return %sum, %all : tensor<2x?xf64>, tensor<?x?x?xf64>
}

// VALUES: [-3.0, -5.0, 5.0, 7.0]
// VALUES: [-3.0, -5.0, 5.0, 7.0, 1.0, 1.0]
// VALUES: [-3.0, -5.0, 5.0, 7.0]
// VALUES{LITERAL}: [[-1.0, -2.0, 1.0, 2.0, 0.0],
// VALUES: [-3.0, -4.0, 3.0, 4.0, 0.0]]
// VALUES: [1.0, 1.0, 1.0, 1.0]
// VALUES: [3.0, 3.0]
// VALUES{LITERAL}: [[3.0, 3.0],
// VALUES: [4.0, 5.0]]
func.func @values() -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>,
                        tensor<?xf64>, tensor<2x?xf64>) {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %x = arith.constant dense<[[1.0, 4.0], [9.0, 16.0]]> : tensor<2x2xf64>
  %four = arith.constant dense<1.0> : tensor<4xf64>
  %six = arith.constant dense<1.0> : tensor<6xf64>
  %xs = tensor.cast %x : tensor<2x2xf64> to tensor<?x?xf64>
  %a4 = tensor.cast %four : tensor<4xf64> to tensor<?xf64>
  %a6 = tensor.cast %six : tensor<6xf64> to tensor<?xf64>
  %equal, %r4 = call @halves(%xs, %a4, %c4) : (tensor<?x?xf64>, tensor<?xf64>, index) -> (tensor<?xf64>, tensor<?x?xf64>)
  %longer, %r5 = call @halves(%xs, %a6, %c5) : (tensor<?x?xf64>, tensor<?xf64>, index) -> (tensor<?xf64>, tensor<?x?xf64>)
  %shorter, %r6 = call @halves(%xs, %a4, %c5) : (tensor<?x?xf64>, tensor<?xf64>, index) -> (tensor<?xf64>, tensor<?x?xf64>)
  %no = tensor.extract_slice %x[0, 0] [0, 2] [1, 1] : tensor<2x2xf64> to tensor<0x2xf64>
  %nothing = tensor.cast %no : tensor<0x2xf64> to tensor<?x?xf64>
  %empty, %r0 = call @halves(%nothing, %a4, %c5) : (tensor<?x?xf64>, tensor<?xf64>, index) -> (tensor<?xf64>, tensor<?x?xf64>)
  %y = arith.constant dense<[[[1.0, 1.0]], [[4.0, 4.0]]]> : tensor<2x1x2xf64>
  %ys = tensor.cast %y : tensor<2x1x2xf64> to tensor<?x?x?xf64>
  %nested, %rn = call @nested(%ys) : (tensor<?x?x?xf64>) -> (tensor<?xf64>, tensor<?x?x?xf64>)
  %z = arith.constant dense<[[[1.0, 4.0], [9.0, 16.0]]]> : tensor<1x2x2xf64>
  %zs = tensor.cast %z : tensor<1x2x2xf64> to tensor<?x?x?xf64>
  %ones = arith.constant dense<1.0> : tensor<2x2xf64>
  %a2 = tensor.cast %ones : tensor<2x2xf64> to tensor<2x?xf64>
  %tiles, %rt = call @tiles(%zs, %a2) : (tensor<?x?x?xf64>, tensor<2x?xf64>) -> (tensor<2x?xf64>, tensor<?x?x?xf64>)
  return %equal, %longer, %shorter, %r5, %empty, %nested, %tiles
      : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<2x?xf64>
}
