// A map whose results are only gathered runs on the rows that are read, if they are few.
// RUN: ad-opt %s --ad-gather-first --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @gathered(
// CHECK-SAME: %[[XS:.*]]: tensor<?x3xf64>, %[[IS:.*]]: tensor<?xi64>
// CHECK: %[[FEW:.*]] = arith.cmpi sle
// CHECK: %[[COUNT:.*]] = arith.select %[[FEW]]
// CHECK: %[[CHOSEN:.*]] = scf.if %[[FEW]]
// CHECK:   %[[FIRST:.*]] = tensor.extract_slice %[[IS]][0] [%[[COUNT]]] [1]
// CHECK:   %[[AT:.*]] = soac.map ins(%[[FIRST]] : tensor<?xi64>)
// CHECK:     arith.minui
// CHECK:   %[[ROWS:.*]] = soac.map ins(%[[AT]] : tensor<?xindex>)
// CHECK:     tensor.extract_slice %[[XS]]
// CHECK:   scf.yield %[[ROWS]]
// CHECK:   scf.yield %[[XS]]
// CHECK: %[[YS:.*]] = soac.map ins(%[[CHOSEN]] : tensor<?x3xf64>)
// CHECK: soac.map ins(%[[IS]], %{{.*}} : tensor<?xi64>, tensor<?xindex>) (%[[I:.*]]: i64, %[[NUMBER:.*]]: index)
// CHECK:   %[[AT_I:.*]] = arith.index_cast %[[I]]
// CHECK:   %[[ROW:.*]] = arith.select %[[FEW]], %[[NUMBER]], %[[AT_I]]
// CHECK:   tensor.extract %[[YS]][%[[ROW]]]
func.func @gathered(%xs: tensor<?x3xf64>, %is: tensor<?xi64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%xs : tensor<?x3xf64>) (%x: tensor<3xf64>) -> tensor<?xf64> {
    %y = soac.reduce ins(%x : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %y : f64
  }
  %zs = soac.map ins(%is : tensor<?xi64>) (%id: i64) -> tensor<?xf64> {
    %i = arith.index_cast %id : i64 to index
    %y = tensor.extract %ys[%i] : tensor<?xf64>
    %z = math.sin %y : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}

// Where the sizes are known, so is the answer: 4 of 5 rows are not few.
// CHECK-LABEL: func.func @known(
// CHECK-NOT: scf.if
// CHECK: soac.map ins(%{{.*}} : tensor<5x3xf64>)
// CHECK-NOT: scf.if
// CHECK: return
func.func @known(%xs: tensor<5x3xf64>, %is: tensor<4xindex>) -> tensor<4xf64> {
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%xs : tensor<5x3xf64>) (%x: tensor<3xf64>) -> tensor<5xf64> {
    %y = soac.reduce ins(%x : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %y : f64
  }
  %zs = soac.map ins(%is : tensor<4xindex>) (%i: index) -> tensor<4xf64> {
    %y = tensor.extract %ys[%i] : tensor<5xf64>
    soac.yield %y : f64
  }
  return %zs : tensor<4xf64>
}

// Over seeds, the rows are chosen once.
// RUN: ad-opt %s --ad-gather-first --canonicalize --cse --ad-hoist | FileCheck %s --check-prefix=SEEDS
// SEEDS-LABEL: func.func @seeds(
// SEEDS: scf.if
// SEEDS: soac.map
// SEEDS-NOT: scf.if
// SEEDS: return
func.func @seeds(%seeds: tensor<?xf64>, %xs: tensor<?x3xf64>, %is: tensor<?xindex>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %all = soac.map ins(%seeds : tensor<?xf64>) (%seed: f64) -> tensor<?x?xf64> {
    %ys = soac.map ins(%xs : tensor<?x3xf64>) (%x: tensor<3xf64>) -> tensor<?xf64> {
      %y = soac.reduce ins(%x : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      %p = arith.mulf %y, %seed : f64
      soac.yield %p : f64
    }
    %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %y = tensor.extract %ys[%i] : tensor<?xf64>
      soac.yield %y : f64
    }
    soac.yield %zs : tensor<?xf64>
  }
  return %all : tensor<?x?xf64>
}

// What another map makes for this one alone, for all seeds, it makes of the same rows.
// RUN: ad-opt %s --ad-gather-first --canonicalize --cse --ad-hoist | FileCheck %s --check-prefix=MAKERS
// MAKERS-LABEL: func.func @makers(
// MAKERS-SAME: %{{.*}}: tensor<?xf64>, %[[XS:.*]]: tensor<?x3xf64>
// MAKERS: %[[CHOSEN:.*]] = scf.if
// MAKERS:   scf.yield %[[XS]]
// MAKERS: %[[NORMS:.*]] = soac.map ins(%[[CHOSEN]] : tensor<?x3xf64>)
// MAKERS-NOT: scf.if
// MAKERS: soac.map
// MAKERS:   soac.map ins(%[[CHOSEN]], %[[NORMS]] : tensor<?x3xf64>, tensor<?xf64>)
// MAKERS-NOT: scf.if
// MAKERS: return
func.func @makers(%seeds: tensor<?xf64>, %xs: tensor<?x3xf64>, %is: tensor<?xindex>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %norms = soac.map ins(%xs : tensor<?x3xf64>) (%x: tensor<3xf64>) -> tensor<?xf64> {
    %y = soac.reduce ins(%x : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %y : f64
  }
  %all = soac.map ins(%seeds : tensor<?xf64>) (%seed: f64) -> tensor<?x?xf64> {
    %ys = soac.map ins(%xs, %norms : tensor<?x3xf64>, tensor<?xf64>) (%x: tensor<3xf64>, %norm: f64) -> tensor<?xf64> {
      %y = soac.reduce ins(%x : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %d = arith.mulf %b, %seed : f64
        %c = arith.addf %a, %d : f64
        soac.yield %c : f64
      }
      %p = arith.mulf %y, %norm : f64
      soac.yield %p : f64
    }
    %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %y = tensor.extract %ys[%i] : tensor<?xf64>
      soac.yield %y : f64
    }
    soac.yield %zs : tensor<?xf64>
  }
  return %all : tensor<?x?xf64>
}

// But not if something else reads it, or if an input differs between the seeds.
// MAKERS-LABEL: func.func @shared(
// MAKERS-SAME: %{{.*}}: tensor<?xf64>, %[[XS:.*]]: tensor<?x3xf64>
// MAKERS: soac.map ins(%[[XS]] : tensor<?x3xf64>)
func.func @shared(%seeds: tensor<?xf64>, %xs: tensor<?x3xf64>, %is: tensor<?xindex>) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %norms = soac.map ins(%xs : tensor<?x3xf64>) (%x: tensor<3xf64>) -> tensor<?xf64> {
    %y = soac.reduce ins(%x : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %y : f64
  }
  %all = soac.map ins(%seeds : tensor<?xf64>) (%seed: f64) -> tensor<?x?xf64> {
    %ys = soac.map ins(%xs, %norms : tensor<?x3xf64>, tensor<?xf64>) (%x: tensor<3xf64>, %norm: f64) -> tensor<?xf64> {
      %y = soac.reduce ins(%x : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %d = arith.mulf %b, %seed : f64
        %c = arith.addf %a, %d : f64
        soac.yield %c : f64
      }
      %p = arith.mulf %y, %norm : f64
      soac.yield %p : f64
    }
    %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %y = tensor.extract %ys[%i] : tensor<?xf64>
      soac.yield %y : f64
    }
    soac.yield %zs : tensor<?xf64>
  }
  return %all, %norms : tensor<?x?xf64>, tensor<?xf64>
}
// MAKERS-LABEL: func.func @differs(
// MAKERS-SAME: %{{.*}}: tensor<?x?xf64>, %[[XS:.*]]: tensor<?x3xf64>
// MAKERS: soac.map ins(%[[XS]] : tensor<?x3xf64>)
func.func @differs(%seeds: tensor<?x?xf64>, %xs: tensor<?x3xf64>, %is: tensor<?xindex>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %norms = soac.map ins(%xs : tensor<?x3xf64>) (%x: tensor<3xf64>) -> tensor<?xf64> {
    %y = soac.reduce ins(%x : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %y : f64
  }
  %all = soac.map ins(%seeds : tensor<?x?xf64>) (%seed: tensor<?xf64>) -> tensor<?x?xf64> {
    %ys = soac.map ins(%seed, %xs, %norms : tensor<?xf64>, tensor<?x3xf64>, tensor<?xf64>) (%s: f64, %x: tensor<3xf64>, %norm: f64) -> tensor<?xf64> {
      %y = soac.reduce ins(%x : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      %d = arith.mulf %y, %s : f64
      %p = arith.mulf %d, %norm : f64
      soac.yield %p : f64
    }
    %zs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %y = tensor.extract %ys[%i] : tensor<?xf64>
      soac.yield %y : f64
    }
    soac.yield %zs : tensor<?xf64>
  }
  return %all : tensor<?x?xf64>
}
