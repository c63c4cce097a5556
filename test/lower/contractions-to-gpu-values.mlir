// Contractions on an emulated GPU have the values of the CPU, in tiles of both sizes and with a thread for each element,
// for factors and results of any layout (F49): sizes are odd, 1 and 0, sums are empty, long and split.
//
// DEFINE: %{targets} = %python %S/../bench/Inputs/compare_targets.py %s
//
// A thread for each element, a small tile, large ones, and split sums of all; sizes of 1 and of 0, where what there is stays as
// it was; then whole tiles, whose neighbours lie side by side, at multiples of 16 bytes and elsewhere.
// RUN: %{targets} --entry=transposed --tolerance=1e-13 '<f8(5,7) <f8(6,5) <f8(6,7)' '<f8(33,17) <f8(15,33) <f8(15,17)' \
// RUN:   '<f8(20,40) <f8(67,20) <f8(67,40)' '<f8(1001,3) <f8(1,1001) <f8(1,3)' '<f8(301,65) <f8(33,301) <f8(33,65)' \
// RUN:   '<f8(1,1) <f8(1,1) <f8(1,1)' '<f8(0,40) <f8(41,0) <f8(41,40)' '<f8(200,0) <f8(9,200) <f8(9,0)' \
// RUN:   '<f8(16,128) <f8(64,16) <f8(64,128)' '<f8(16,127) <f8(64,16) <f8(64,127)'
//
// As they come, in single precision.
// RUN: %{targets} --entry=plain --tolerance=1e-6 '<f4(65,40) <f4(40,70) <f4(65,70)' '<f4(9,700) <f4(700,33) <f4(9,33)'
//
// Integers; the largest tiles, of which there have to be many: 9 x 8 of 128 x 128, and 5 x 15 of 128 x 64.
// RUN: %{targets} --entry=integers --tolerance=0 '<i4(200,9) <i4(200,10) <i4(9,10)' '<i4(35,40) <i4(35,66) <i4(40,66)'
// RUN: %{targets} --entry=weighted --tolerance=0 '<i4(1030,33) <i4(33,1000) <i4(1030,1000)' \
// RUN:   '<i4(600,17) <i4(17,900) <i4(600,900)'
//
// A batch: small tiles, and a split sum of large ones. Or the batch is the last index of the result, so that neighbours of a
// column do not lie side by side.
// RUN: %{targets} --entry=batch --tolerance=1e-13 '<f8(20,3,9) <f8(19,20,3) <f8(9,3,19)' \
// RUN:   '<f8(130,2,40) <f8(39,130,2) <f8(40,2,39)'
// RUN: %{targets} --entry=batch_last --tolerance=1e-13 '<f8(64,16,4) <f8(16,64,4) <f8(64,64,4)'
//
// A sum over two indices of something else than products.
// RUN: %{targets} --entry=distances --tolerance=1e-13 '<f8(7,40,9) <f8(9,7,33) <f8(33,40)'
//
// One factor has no index of its own, or none has.
// RUN: %{targets} --entry=vector --tolerance=1e-13 '<f8(30,500) <f8(500,) <f8(30,)'
// RUN: %{targets} --entry=dot --tolerance=1e-13 '<f8(1000,) <f8(1000,) <f8()'
//
// Factors of 16 bits that are added up in 32.
// RUN: %{targets} --entry=mixed --tolerance=1e-6 '<f4(35,40) <f4(39,40) <f4(35,39)'
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
