// Products on emulated tensor cores have the values of the CPU: exactly for f64, but for the order of sums, and as far as
// 10 bits of mantissa go for tf32. Sizes are odd, 1 and 0, sums are empty, long and split, and layouts are any.
//
// DEFINE: %{targets} = %python %S/../bench/Inputs/compare_targets.py %s --tensor-cores=f64,tf32,f16,bf16
//
// Of f64: less than a tile, a whole one, parts of several, a split sum, and sizes at which tensor cores take no part.
// RUN: %{targets} --entry=transposed --tolerance=1e-12 '<f8(65,33) <f8(40,65) <f8(40,33)' '<f8(16,64) <f8(64,16) <f8(64,64)' \
// RUN:   '<f8(8,200) <f8(65,8) <f8(65,200)' '<f8(1,65) <f8(200,1) <f8(200,65)' '<f8(1001,65) <f8(41,1001) <f8(41,65)' \
// RUN:   '<f8(200,7) <f8(65,200) <f8(65,7)' '<f8(1,1) <f8(1,1) <f8(1,1)' '<f8(0,40) <f8(41,0) <f8(41,40)'
//
// Of f32, as they come.
// RUN: %{targets} --entry=plain --tolerance=1e-3 '<f4(65,7) <f4(7,200) <f4(65,200)' '<f4(65,40) <f4(40,70) <f4(65,70)' \
// RUN:   '<f4(33,700) <f4(700,33) <f4(33,33)' '<f4(65,0) <f4(0,65) <f4(65,65)'
//
// Of f16, which are added up in f32, and of bf16, which are numbers of TF32.
// RUN: %{targets} --entry=mixed --tolerance=1e-6 '<f4(35,40) <f4(39,40) <f4(35,39)' '<f4(80,301) <f4(65,301) <f4(80,65)'
// RUN: %{targets} --entry=brain --tolerance=1e-6 '<f4(80,301) <f4(65,301) <f4(80,65)' '<f4(35,40) <f4(39,40) <f4(35,39)'
//
// The largest tiles, of which there have to be many: 9 x 8 of 128 x 128. Two tiles of 16 summands are there at a time, another one,
// and 4 more summands.
// RUN: %{targets} --entry=weighted --tolerance=0 '<i4(1030,52) <i4(52,1000) <i4(1030,1000)'
//
// Those of 128 x 64, where there are too few of these: 9 x 10. Four tiles of 16 summands are there at a time, another one, and 4
// more summands. (`weighted_lines` is run by test/gpu/wide-tiles.test.)
// RUN: %{targets} --entry=weighted --tolerance=0 '<i4(1030,100) <i4(100,600) <i4(1030,600)'
//
// A batch.
// RUN: %{targets} --entry=batch --tolerance=1e-12 '<f8(130,2,40) <f8(39,130,2) <f8(40,2,39)'
//
// A sum over two indices, with threads and blocks in two orders.
// DEFINE: %{random} = %python %S/../bench/Inputs/random_npy.py
// DEFINE: %{two} = ad-opt run %s --entry=two --input=%t.a.npy --input=%t.b.npy --input=%t.c.npy
// RUN: %{random} %t.a.npy '<f4' '(7,40,9)' -9 10 1 && %{random} %t.b.npy '<f4' '(9,7,33)' -9 10 2 && %{random} %t.c.npy '<f4' '(33,40)' -9 10 3
// RUN: %{two} > %t.cpu && %{two} --target=gpu-emulate --tensor-cores=tf32 > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-3
// RUN: %{two} --target=gpu-emulate --tensor-cores=tf32 --emulate-seed=5 > %t.5 && cmp %t.5 %t.gpu
//
// What is added up eight times is rounded to 10 bits of mantissa, to the larger number of two that are equally near. What is
// too large becomes infinite; NaN and infinity stay.
// RUN: ad-opt run %s --entry=eightfold --input=1.00048828125 | FileCheck %s --check-prefix=EXACT
// EXACT: {{^8.003906$}}
// RUN: ad-opt run %s --entry=eightfold --target=gpu-emulate --tensor-cores=tf32 --calls=7 --input=1.00048828125 \
// RUN:   --input=1.00048816204071045 --input=1.00146484375 --input=-1.0004892349243164 --input=3.4028e38 --input=inf --input=nan \
// RUN:   | FileCheck %s --check-prefix=ROUNDED
// ROUNDED: {{^8.0078125$}}
// ROUNDED-NEXT: {{^8(\.0)?$}}
// ROUNDED-NEXT: {{^8.015625$}}
// ROUNDED-NEXT: {{^-8.0078125$}}
// ROUNDED-NEXT: {{^inf$}}
// ROUNDED-NEXT: {{^inf$}}
// ROUNDED-NEXT: {{^nan$}}
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
  %u = arith.sitofp %a : tensor<?x?xi32> to tensor<?x?xf32>
  %v = arith.sitofp %b : tensor<?x?xi32> to tensor<?x?xf32>
  %w = arith.sitofp %c : tensor<?x?xi32> to tensor<?x?xf32>
  %f = linalg.matmul ins(%u, %v : tensor<?x?xf32>, tensor<?x?xf32>) outs(%w : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r:2 = func.call @weigh(%f) : (tensor<?x?xf32>) -> (tensor<?xi32>, tensor<?xi32>)
  return %r#0, %r#1 : tensor<?xi32>, tensor<?xi32>
}

// The same where the second factor has the summands of a column side by side.
func.func @weighted_lines(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %c: tensor<?x?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %u = arith.sitofp %a : tensor<?x?xi32> to tensor<?x?xf32>
  %v = arith.sitofp %b : tensor<?x?xi32> to tensor<?x?xf32>
  %w = arith.sitofp %c : tensor<?x?xi32> to tensor<?x?xf32>
  %f = linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%u, %v : tensor<?x?xf32>, tensor<?x?xf32>) outs(%w : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %r:2 = func.call @weigh(%f) : (tensor<?x?xf32>) -> (tensor<?xi32>, tensor<?xi32>)
  return %r#0, %r#1 : tensor<?xi32>, tensor<?xi32>
}

func.func private @weigh(%f: tensor<?x?xf32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.constant 0 : i32
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
