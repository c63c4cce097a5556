// Contractions on an emulated GPU have the values of the CPU, in tiles of both sizes and with a thread for each element,
// for factors and results of any layout (F49): sizes are odd, 1 and 0, sums are empty, long and split.
//
// DEFINE: %{random} = %python %S/../bench/Inputs/random_npy.py
// DEFINE: %{type} = <f8
// DEFINE: %{entry} = transposed
// DEFINE: %{tolerance} = 1e-13
// DEFINE: %{a} =
// DEFINE: %{b} =
// DEFINE: %{c} =
// DEFINE: %{call} = %s --entry=%{entry} --input=%t.a.npy --input=%t.b.npy --input=%t.c.npy
// DEFINE: %{both} = %{random} %t.a.npy '%{type}' '%{a}' -9 10 1 && %{random} %t.b.npy '%{type}' '%{b}' -9 10 2 && \
// DEFINE:           %{random} %t.c.npy '%{type}' '%{c}' -9 10 3 && \
// DEFINE:           ad-opt run %{call} > %t.cpu && ad-opt run %{call} --target=gpu-emulate > %t.gpu && \
// DEFINE:           %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu %{tolerance}
//
// A thread for each element, a small tile, large ones, and split sums of all.
// REDEFINE: %{a} = (5,7)
// REDEFINE: %{b} = (6,5)
// REDEFINE: %{c} = (6,7)
// RUN: %{both}
// REDEFINE: %{a} = (33,17)
// REDEFINE: %{b} = (15,33)
// REDEFINE: %{c} = (15,17)
// RUN: %{both}
// REDEFINE: %{a} = (20,40)
// REDEFINE: %{b} = (67,20)
// REDEFINE: %{c} = (67,40)
// RUN: %{both}
// REDEFINE: %{a} = (1001,3)
// REDEFINE: %{b} = (1,1001)
// REDEFINE: %{c} = (1,3)
// RUN: %{both}
// REDEFINE: %{a} = (301,65)
// REDEFINE: %{b} = (33,301)
// REDEFINE: %{c} = (33,65)
// RUN: %{both}
//
// Sizes of 1 and of 0: what there is stays as it was.
// REDEFINE: %{a} = (1,1)
// REDEFINE: %{b} = (1,1)
// REDEFINE: %{c} = (1,1)
// RUN: %{both}
// REDEFINE: %{a} = (0,40)
// REDEFINE: %{b} = (41,0)
// REDEFINE: %{c} = (41,40)
// RUN: %{both}
// REDEFINE: %{a} = (200,0)
// REDEFINE: %{b} = (9,200)
// REDEFINE: %{c} = (9,0)
// RUN: %{random} %t.a.npy '<f8' '(200,0)' 0 1 && %{random} %t.b.npy '<f8' '(9,200)' 0 1 && %{random} %t.c.npy '<f8' '(9,0)' 0 1
// RUN: ad-opt run %{call} --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// NONE: []
//
// As they come, in single precision.
// REDEFINE: %{entry} = plain
// REDEFINE: %{type} = <f4
// REDEFINE: %{tolerance} = 1e-6
// REDEFINE: %{a} = (65,40)
// REDEFINE: %{b} = (40,70)
// REDEFINE: %{c} = (65,70)
// RUN: %{both}
// REDEFINE: %{a} = (9,700)
// REDEFINE: %{b} = (700,33)
// REDEFINE: %{c} = (9,33)
// RUN: %{both}
//
// Integers.
// REDEFINE: %{entry} = integers
// REDEFINE: %{type} = <i4
// REDEFINE: %{tolerance} = 0
// REDEFINE: %{a} = (200,9)
// REDEFINE: %{b} = (200,10)
// REDEFINE: %{c} = (9,10)
// RUN: %{both}
// REDEFINE: %{a} = (35,40)
// REDEFINE: %{b} = (35,66)
// REDEFINE: %{c} = (40,66)
// RUN: %{both}
//
// The largest tiles, of which there have to be many: 9 x 8 of 128 x 128, and 5 x 15 of 128 x 64.
// REDEFINE: %{entry} = weighted
// REDEFINE: %{a} = (1030,33)
// REDEFINE: %{b} = (33,1000)
// REDEFINE: %{c} = (1030,1000)
// RUN: %{both}
// REDEFINE: %{a} = (600,17)
// REDEFINE: %{b} = (17,900)
// REDEFINE: %{c} = (600,900)
// RUN: %{both}
//
// A batch: small tiles, a split sum of large ones, and nothing in it.
// REDEFINE: %{entry} = batch
// REDEFINE: %{type} = <f8
// REDEFINE: %{tolerance} = 1e-13
// REDEFINE: %{a} = (20,3,9)
// REDEFINE: %{b} = (19,20,3)
// REDEFINE: %{c} = (9,3,19)
// RUN: %{both}
// REDEFINE: %{a} = (130,2,40)
// REDEFINE: %{b} = (39,130,2)
// REDEFINE: %{c} = (40,2,39)
// RUN: %{both}
//
// The batch is the last index of the result, so that neighbours of a column do not lie side by side; then whole tiles of which
// they do, at multiples of 16 bytes and elsewhere.
// REDEFINE: %{entry} = batch_last
// REDEFINE: %{a} = (64,16,4)
// REDEFINE: %{b} = (16,64,4)
// REDEFINE: %{c} = (64,64,4)
// RUN: %{both}
// REDEFINE: %{entry} = transposed
// REDEFINE: %{a} = (16,128)
// REDEFINE: %{b} = (64,16)
// REDEFINE: %{c} = (64,128)
// RUN: %{both}
// REDEFINE: %{a} = (16,127)
// REDEFINE: %{b} = (64,16)
// REDEFINE: %{c} = (64,127)
// RUN: %{both}
//
// A sum over two indices of something else than products.
// REDEFINE: %{entry} = distances
// REDEFINE: %{a} = (7,40,9)
// REDEFINE: %{b} = (9,7,33)
// REDEFINE: %{c} = (33,40)
// RUN: %{both}
//
// One factor has no index of its own, or none has.
// REDEFINE: %{entry} = vector
// REDEFINE: %{a} = (30,500)
// REDEFINE: %{b} = (500,)
// REDEFINE: %{c} = (30,)
// RUN: %{both}
// REDEFINE: %{entry} = dot
// REDEFINE: %{a} = (1000,)
// REDEFINE: %{b} = (1000,)
// REDEFINE: %{c} = ()
// RUN: %{both}
//
// Factors of 16 bits that are added up in 32.
// REDEFINE: %{entry} = mixed
// REDEFINE: %{type} = <f4
// REDEFINE: %{tolerance} = 1e-6
// REDEFINE: %{a} = (35,40)
// REDEFINE: %{b} = (39,40)
// REDEFINE: %{c} = (35,39)
// RUN: %{both}
#ik = affine_map<(i, j, k) -> (i, k)>
#ki = affine_map<(i, j, k) -> (k, i)>
#kj = affine_map<(i, j, k) -> (k, j)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
#ji = affine_map<(i, j, k) -> (j, i)>

func.func @transposed(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = linalg.generic {indexing_maps = [#ki, #jk, #ji], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%c : tensor<?x?xf64>) {
  ^bb0(%x: f64, %y: f64, %s: f64):
    %p = arith.mulf %x, %y : f64
    %t = arith.addf %s, %p : f64
    linalg.yield %t : f64
  } -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

func.func @plain(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @integers(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %r = linalg.generic {indexing_maps = [#ki, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%x: i32, %y: i32, %s: i32):
    %p = arith.muli %x, %y : i32
    %t = arith.addi %p, %s : i32
    linalg.yield %t : i32
  } -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// What is made of all rows of a product, and of all columns: each element counts for both.
func.func @weighted(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %c: tensor<?x?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.constant 0 : i32
  %r = linalg.matmul ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  %rows = tensor.dim %r, %c0 : tensor<?x?xi32>
  %columns = tensor.dim %r, %c1 : tensor<?x?xi32>
  %left = tensor.splat %0[%rows] : tensor<?xi32>
  %top = tensor.splat %0[%columns] : tensor<?xi32>
  %of_rows = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%r : tensor<?x?xi32>) outs(%left : tensor<?xi32>) {
  ^bb0(%x: i32, %s: i32):
    %j = linalg.index 1 : index
    %w = arith.index_cast %j : index to i32
    %p = arith.muli %x, %w : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<?xi32>
  %of_columns = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%r : tensor<?x?xi32>) outs(%top : tensor<?xi32>) {
  ^bb0(%x: i32, %s: i32):
    %i = linalg.index 0 : index
    %w = arith.index_cast %i : index to i32
    %p = arith.muli %x, %w : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<?xi32>
  return %of_rows, %of_columns : tensor<?xi32>, tensor<?xi32>
}

func.func @batch(%a: tensor<?x?x?xf64>, %b: tensor<?x?x?xf64>, %c: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(g, i, j, k) -> (k, g, i)>, affine_map<(g, i, j, k) -> (j, k, g)>, affine_map<(g, i, j, k) -> (i, g, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?x?xf64>, tensor<?x?x?xf64>) outs(%c : tensor<?x?x?xf64>) {
  ^bb0(%x: f64, %y: f64, %s: f64):
    %p = arith.mulf %x, %y : f64
    %t = arith.addf %s, %p : f64
    linalg.yield %t : f64
  } -> tensor<?x?x?xf64>
  return %r : tensor<?x?x?xf64>
}

func.func @batch_last(%a: tensor<?x?x?xf64>, %b: tensor<?x?x?xf64>, %c: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j, g, k) -> (i, k, g)>, affine_map<(i, j, g, k) -> (k, j, g)>, affine_map<(i, j, g, k) -> (i, j, g)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?x?xf64>, tensor<?x?x?xf64>) outs(%c : tensor<?x?x?xf64>) {
  ^bb0(%x: f64, %y: f64, %s: f64):
    %p = arith.mulf %x, %y : f64
    %t = arith.addf %s, %p : f64
    linalg.yield %t : f64
  } -> tensor<?x?x?xf64>
  return %r : tensor<?x?x?xf64>
}

func.func @distances(%a: tensor<?x?x?xf64>, %b: tensor<?x?x?xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j, k, l) -> (l, i, k)>, affine_map<(i, j, k, l) -> (k, l, j)>, affine_map<(i, j, k, l) -> (j, i)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<?x?x?xf64>, tensor<?x?x?xf64>) outs(%c : tensor<?x?xf64>) {
  ^bb0(%x: f64, %y: f64, %s: f64):
    %d = arith.subf %x, %y : f64
    %p = arith.mulf %d, %d : f64
    %t = arith.addf %s, %p : f64
    linalg.yield %t : f64
  } -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

func.func @vector(%a: tensor<?x?xf64>, %b: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.matvec ins(%a, %b : tensor<?x?xf64>, tensor<?xf64>) outs(%c : tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

func.func @dot(%a: tensor<?xf64>, %b: tensor<?xf64>, %c: tensor<f64>) -> tensor<f64> {
  %r = linalg.dot ins(%a, %b : tensor<?xf64>, tensor<?xf64>) outs(%c : tensor<f64>) -> tensor<f64>
  return %r : tensor<f64>
}

func.func @mixed(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a16 = arith.truncf %a : tensor<?x?xf32> to tensor<?x?xbf16>
  %b16 = arith.truncf %b : tensor<?x?xf32> to tensor<?x?xbf16>
  %r = linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a16, %b16 : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = arith.mulf %u, %v : f32
    %t = arith.addf %p, %s : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
