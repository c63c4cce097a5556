// Products on emulated tensor cores have the values of the CPU: exactly for f64, but for the order of sums, and as far as
// 10 bits of mantissa go for tf32. Sizes are odd, 1 and 0, sums are empty, long and split, and layouts are any.
//
// DEFINE: %{random} = %python %S/../bench/Inputs/random_npy.py
// DEFINE: %{type} = <f8
// DEFINE: %{entry} = transposed
// DEFINE: %{tolerance} = 1e-12
// DEFINE: %{a} =
// DEFINE: %{b} =
// DEFINE: %{c} =
// DEFINE: %{call} = %s --entry=%{entry} --input=%t.a.npy --input=%t.b.npy --input=%t.c.npy
// DEFINE: %{both} = %{random} %t.a.npy '%{type}' '%{a}' -9 10 1 && %{random} %t.b.npy '%{type}' '%{b}' -9 10 2 && \
// DEFINE:           %{random} %t.c.npy '%{type}' '%{c}' -9 10 3 && ad-opt run %{call} > %t.cpu && \
// DEFINE:           ad-opt run %{call} --target=gpu-emulate --tensor-cores=f64,tf32,f16,bf16 > %t.gpu && \
// DEFINE:           %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu %{tolerance}
//
// Of f64: less than a tile, a whole one, parts of several, a split sum, and sizes at which tensor cores take no part.
// REDEFINE: %{a} = (65,33)
// REDEFINE: %{b} = (40,65)
// REDEFINE: %{c} = (40,33)
// RUN: %{both}
// REDEFINE: %{a} = (16,64)
// REDEFINE: %{b} = (64,16)
// REDEFINE: %{c} = (64,64)
// RUN: %{both}
// REDEFINE: %{a} = (8,200)
// REDEFINE: %{b} = (65,8)
// REDEFINE: %{c} = (65,200)
// RUN: %{both}
// REDEFINE: %{a} = (1,65)
// REDEFINE: %{b} = (200,1)
// REDEFINE: %{c} = (200,65)
// RUN: %{both}
// REDEFINE: %{a} = (1001,65)
// REDEFINE: %{b} = (41,1001)
// REDEFINE: %{c} = (41,65)
// RUN: %{both}
// REDEFINE: %{a} = (200,7)
// REDEFINE: %{b} = (65,200)
// REDEFINE: %{c} = (65,7)
// RUN: %{both}
// REDEFINE: %{a} = (1,1)
// REDEFINE: %{b} = (1,1)
// REDEFINE: %{c} = (1,1)
// RUN: %{both}
// REDEFINE: %{a} = (0,40)
// REDEFINE: %{b} = (41,0)
// REDEFINE: %{c} = (41,40)
// RUN: %{both}
//
// Of f32, as they come.
// REDEFINE: %{entry} = plain
// REDEFINE: %{type} = <f4
// REDEFINE: %{tolerance} = 1e-3
// REDEFINE: %{a} = (65,7)
// REDEFINE: %{b} = (7,200)
// REDEFINE: %{c} = (65,200)
// RUN: %{both}
// REDEFINE: %{a} = (65,40)
// REDEFINE: %{b} = (40,70)
// REDEFINE: %{c} = (65,70)
// RUN: %{both}
// REDEFINE: %{a} = (33,700)
// REDEFINE: %{b} = (700,33)
// REDEFINE: %{c} = (33,33)
// RUN: %{both}
// REDEFINE: %{a} = (65,0)
// REDEFINE: %{b} = (0,65)
// REDEFINE: %{c} = (65,65)
// RUN: %{both}
//
// Of f16, which are added up in f32.
// REDEFINE: %{entry} = mixed
// REDEFINE: %{tolerance} = 1e-6
// REDEFINE: %{a} = (35,40)
// REDEFINE: %{b} = (39,40)
// REDEFINE: %{c} = (35,39)
// RUN: %{both}
// REDEFINE: %{a} = (80,301)
// REDEFINE: %{b} = (65,301)
// REDEFINE: %{c} = (80,65)
// RUN: %{both}
//
// Of bf16, which are numbers of TF32.
// REDEFINE: %{entry} = brain
// RUN: %{both}
// REDEFINE: %{a} = (35,40)
// REDEFINE: %{b} = (39,40)
// REDEFINE: %{c} = (35,39)
// RUN: %{both}
//
// The largest tiles, of which there have to be many: 9 x 8 of 128 x 128.
// REDEFINE: %{entry} = weighted
// REDEFINE: %{type} = <i4
// REDEFINE: %{tolerance} = 0
// REDEFINE: %{a} = (1030,9)
// REDEFINE: %{b} = (9,1000)
// REDEFINE: %{c} = (1030,1000)
// RUN: %{both}
//
// A batch, and a sum over two indices.
// REDEFINE: %{entry} = batch
// REDEFINE: %{type} = <f8
// REDEFINE: %{tolerance} = 1e-12
// REDEFINE: %{a} = (130,2,40)
// REDEFINE: %{b} = (39,130,2)
// REDEFINE: %{c} = (40,2,39)
// RUN: %{both}
// REDEFINE: %{entry} = two
// REDEFINE: %{type} = <f4
// REDEFINE: %{tolerance} = 1e-3
// REDEFINE: %{a} = (7,40,9)
// REDEFINE: %{b} = (9,7,33)
// REDEFINE: %{c} = (33,40)
// RUN: %{both}
//
// Threads and blocks in another order.
// RUN: ad-opt run %{call} --target=gpu-emulate --tensor-cores=tf32 --emulate-seed=5 > %t.5 && cmp %t.5 %t.gpu
//
// What is added up eight times is rounded to 10 bits of mantissa, to the larger number of two that are equally near. What is
// too large becomes infinite; NaN and infinity stay.
// RUN: ad-opt run %s --entry=eightfold --input=1.00048828125 | FileCheck %s --check-prefix=EXACT
// EXACT: {{^8.003906$}}
// DEFINE: %{eightfold} = ad-opt run %s --entry=eightfold --target=gpu-emulate --tensor-cores=tf32
// RUN: %{eightfold} --input=1.00048828125 | FileCheck %s --check-prefix=NEXT
// NEXT: {{^8.0078125$}}
// RUN: %{eightfold} --input=1.00048816204071045 | FileCheck %s --check-prefix=DOWN
// DOWN: {{^8(\.0)?$}}
// RUN: %{eightfold} --input=1.00146484375 | FileCheck %s --check-prefix=UP
// UP: {{^8.015625$}}
// RUN: %{eightfold} --input=-1.0004892349243164 | FileCheck %s --check-prefix=NEAR
// NEAR: {{^-8.0078125$}}
// RUN: %{eightfold} --input=3.4028e38 | FileCheck %s --check-prefix=INFINITE
// INFINITE: {{^inf$}}
// RUN: %{eightfold} --input=inf | FileCheck %s --check-prefix=INFINITE
// RUN: %{eightfold} --input=nan | FileCheck %s --check-prefix=NAN
// NAN: {{^nan$}}
#ki = affine_map<(i, j, k) -> (k, i)>
#ik = affine_map<(i, j, k) -> (i, k)>
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

// What is made of all rows of a product, and of all columns: each element counts for both. All
// numbers are small and integers, which tensor cores multiply and add exactly.
func.func @weighted(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %c: tensor<?x?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.constant 0 : i32
  %u = arith.sitofp %a : tensor<?x?xi32> to tensor<?x?xf32>
  %v = arith.sitofp %b : tensor<?x?xi32> to tensor<?x?xf32>
  %w = arith.sitofp %c : tensor<?x?xi32> to tensor<?x?xf32>
  %f = linalg.matmul ins(%u, %v : tensor<?x?xf32>, tensor<?x?xf32>) outs(%w : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = arith.fptosi %f : tensor<?x?xf32> to tensor<?x?xi32>
  %rows = tensor.dim %r, %c0 : tensor<?x?xi32>
  %columns = tensor.dim %r, %c1 : tensor<?x?xi32>
  %left = tensor.splat %0[%rows] : tensor<?xi32>
  %top = tensor.splat %0[%columns] : tensor<?xi32>
  %of_rows = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%r : tensor<?x?xi32>) outs(%left : tensor<?xi32>) {
  ^bb0(%x: i32, %s: i32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %p = arith.muli %x, %n : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<?xi32>
  %of_columns = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%r : tensor<?x?xi32>) outs(%top : tensor<?xi32>) {
  ^bb0(%x: i32, %s: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %p = arith.muli %x, %n : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<?xi32>
  return %of_rows, %of_columns : tensor<?xi32>, tensor<?xi32>
}

func.func @plain(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @mixed(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a16 = arith.truncf %a : tensor<?x?xf32> to tensor<?x?xf16>
  %b16 = arith.truncf %b : tensor<?x?xf32> to tensor<?x?xf16>
  %r = linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a16, %b16 : tensor<?x?xf16>, tensor<?x?xf16>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %u = arith.extf %x : f16 to f32
    %v = arith.extf %y : f16 to f32
    %p = arith.mulf %u, %v : f32
    %t = arith.addf %p, %s : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @brain(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a_b = arith.truncf %a : tensor<?x?xf32> to tensor<?x?xbf16>
  %b16 = arith.truncf %b : tensor<?x?xf32> to tensor<?x?xbf16>
  %r = linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a_b, %b16 : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = arith.mulf %u, %v : f32
    %t = arith.addf %p, %s : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
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

func.func @two(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j, k, l) -> (l, i, k)>, affine_map<(i, j, k, l) -> (k, l, j)>, affine_map<(i, j, k, l) -> (j, i)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %y, %x : f32
    %t = arith.addf %p, %s : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @eightfold(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %last = arith.constant 39 : index
  %a = tensor.splat %x : tensor<40x8xf32>
  %b = tensor.splat %one : tensor<8x40xf32>
  %c = tensor.splat %zero : tensor<40x40xf32>
  %r = linalg.matmul ins(%a, %b : tensor<40x8xf32>, tensor<8x40xf32>) outs(%c : tensor<40x40xf32>) -> tensor<40x40xf32>
  %y = tensor.extract %r[%last, %last] : tensor<40x40xf32>
  return %y : f32
}
