// What the body of a map does with whole arrays is done by threads for each element, where the map is not wide.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,ad-canonicalize,cse)' | FileCheck %s
// RUN: ad-opt run %s --entry=parts --input=3 --input=400 --output-dir=%t.cpu
// RUN: ad-opt run %s --entry=parts --input=3 --input=400 --output-dir=%t.gpu --target=gpu-emulate --emulate-report=%t.json
// RUN: cmp %t.cpu/0.npy %t.gpu/0.npy
// RUN: ad-opt run %s --entry=parts --input=3 --input=0 --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// NONE: [] # shape (3, 0)

// No kernel has a thread for each row only: that would be one block.
// RUN: FileCheck %s --input-file=%t.json --check-prefix=THREADS
// THREADS-NOT: "threads": 256

// The columns of copies are copies: a block does not make the array to sum one.
// RUN: ad-opt run %s --entry=columns --input=2 --input=200 --target=gpu-emulate | FileCheck %s --check-prefix=COLUMNS
// COLUMNS: {{\[\[}}0.0, 0.0, 0.0],
// COLUMNS-NEXT: [200.0, 200.0, 200.0]]

// CHECK-LABEL: func.func @parts(
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in
// CHECK-NOT: tensor.insert_slice %{{.*}} into %{{.*}}[%{{.*}}] [%
// CHECK: return
func.func @parts(%n: index, %m: index) -> tensor<?x?xf64> {
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %half = arith.divui %m, %c2 : index
  %quarter = arith.divui %half, %c2 : index
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota %m : tensor<?xindex>
  %ks = soac.iota %half : tensor<?xindex>
  %ys = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?x?xf64> {
    %all = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %s = arith.addi %i, %j : index
      %t = arith.index_cast %s : index to i64
      %x = arith.sitofp %t : i64 to f64
      soac.yield %x : f64
    }
    %part = soac.map ins(%ks : tensor<?xindex>) (%k: index) -> tensor<?xf64> {
      %s = arith.muli %i, %k : index
      %t = arith.index_cast %s : index to i64
      %x = arith.sitofp %t : i64 to f64
      soac.yield %x : f64
    }
    %set = tensor.insert_slice %part into %all[%quarter] [%half] [1] : tensor<?xf64> into tensor<?xf64>
    %sum = arith.addf %set, %all : tensor<?xf64>
    soac.yield %sum : tensor<?xf64>
  }
  return %ys : tensor<?x?xf64>
}

func.func @columns(%n: index, %m: index) -> tensor<?x3xf64> {
  %zero = arith.constant 0.0 : f64
  %is = soac.iota %n : tensor<?xindex>
  %js = soac.iota : tensor<3xindex>
  %ys = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?x3xf64> {
    %t = arith.index_cast %i : index to i64
    %x = arith.sitofp %t : i64 to f64
    %row = soac.replicate %x, %m : f64 -> tensor<?xf64>
    %rows = soac.replicate %row, %m : tensor<?xf64> -> tensor<?x?xf64>
    %sums = soac.map ins(%js : tensor<3xindex>) (%j: index) -> tensor<3xf64> {
      %column = tensor.extract_slice %rows[0, %j] [%m, 1] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %s = soac.reduce ins(%column : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      soac.yield %s : f64
    }
    soac.yield %sums : tensor<3xf64>
  }
  return %ys : tensor<?x3xf64>
}
