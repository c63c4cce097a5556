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
