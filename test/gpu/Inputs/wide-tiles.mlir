// Products of the columns of a matrix from one on, and of another matrix: each as it is (n) or transposed (t).
#ik = affine_map<(i, j, k) -> (i, k)>
#ki = affine_map<(i, j, k) -> (k, i)>
#kj = affine_map<(i, j, k) -> (k, j)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>

func.func @nn(%all: tensor<?x?xf32>, %b: tensor<?x?xf32>, %from: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %all, %c0 : tensor<?x?xf32>
  %all_columns = tensor.dim %all, %c1 : tensor<?x?xf32>
  %columns = arith.subi %all_columns, %from : index
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %a = tensor.extract_slice %all[0, %from] [%rows, %columns] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %c = tensor.splat %zero[%rows, %n] : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @nt(%all: tensor<?x?xf32>, %b: tensor<?x?xf32>, %from: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %all, %c0 : tensor<?x?xf32>
  %all_columns = tensor.dim %all, %c1 : tensor<?x?xf32>
  %columns = arith.subi %all_columns, %from : index
  %n = tensor.dim %b, %c0 : tensor<?x?xf32>
  %a = tensor.extract_slice %all[0, %from] [%rows, %columns] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %c = tensor.splat %zero[%rows, %n] : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @tn(%all: tensor<?x?xf32>, %b: tensor<?x?xf32>, %from: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %all, %c0 : tensor<?x?xf32>
  %all_columns = tensor.dim %all, %c1 : tensor<?x?xf32>
  %columns = arith.subi %all_columns, %from : index
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %a = tensor.extract_slice %all[0, %from] [%rows, %columns] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %c = tensor.splat %zero[%columns, %n] : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#ki, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @tt(%all: tensor<?x?xf32>, %b: tensor<?x?xf32>, %from: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %all, %c0 : tensor<?x?xf32>
  %all_columns = tensor.dim %all, %c1 : tensor<?x?xf32>
  %columns = arith.subi %all_columns, %from : index
  %n = tensor.dim %b, %c0 : tensor<?x?xf32>
  %a = tensor.extract_slice %all[0, %from] [%rows, %columns] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %c = tensor.splat %zero[%columns, %n] : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#ki, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @wide(%all: tensor<?x?xf64>, %b: tensor<?x?xf64>, %from: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = tensor.dim %all, %c0 : tensor<?x?xf64>
  %all_columns = tensor.dim %all, %c1 : tensor<?x?xf64>
  %columns = arith.subi %all_columns, %from : index
  %n = tensor.dim %b, %c0 : tensor<?x?xf64>
  %a = tensor.extract_slice %all[0, %from] [%rows, %columns] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  %c = tensor.splat %zero[%rows, %n] : tensor<?x?xf64>
  %r = linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%c : tensor<?x?xf64>) {
  ^bb0(%x: f64, %y: f64, %s: f64):
    %p = arith.mulf %x, %y : f64
    %t = arith.addf %s, %p : f64
    linalg.yield %t : f64
  } -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// Row i ends with summand i.
func.func @triangle(%all: tensor<?x?xf64>, %b: tensor<?x?xf64>, %from: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = tensor.dim %all, %c0 : tensor<?x?xf64>
  %all_columns = tensor.dim %all, %c1 : tensor<?x?xf64>
  %columns = arith.subi %all_columns, %from : index
  %n = tensor.dim %b, %c1 : tensor<?x?xf64>
  %a = tensor.extract_slice %all[0, %from] [%rows, %columns] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  %c = tensor.splat %zero[%rows, %n] : tensor<?x?xf64>
  %r = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%c : tensor<?x?xf64>) {
  ^bb0(%x: f64, %y: f64, %s: f64):
    %i = linalg.index 0 : index
    %k = linalg.index 2 : index
    %is_within = arith.cmpi sle, %k, %i : index
    %product = arith.mulf %x, %y : f64
    %p = arith.select %is_within, %product, %zero : f64
    %t = arith.addf %s, %p : f64
    linalg.yield %t : f64
  } -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// Of numbers that are rounded to f16 before.
func.func @half(%all: tensor<?x?xf32>, %all_b: tensor<?x?xf32>, %from: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %all, %c0 : tensor<?x?xf32>
  %n = tensor.dim %all_b, %c0 : tensor<?x?xf32>
  %a = arith.truncf %all : tensor<?x?xf32> to tensor<?x?xf16>
  %b = arith.truncf %all_b : tensor<?x?xf32> to tensor<?x?xf16>
  %c = tensor.splat %zero[%rows, %n] : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %u = arith.extf %x : f16 to f32
    %v = arith.extf %y : f16 to f32
    %p = arith.mulf %u, %v : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A real and a complex factor: what is made of four real numbers, which are read at once, is four complex ones.
func.func @real_and_complex(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %from: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %a, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %b, %c1 : tensor<?x?xf32>
  %z = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %start = tensor.splat %z[%rows, %columns] : tensor<?x?xcomplex<f32>>
  %p = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%start : tensor<?x?xcomplex<f32>>) {
  ^bb0(%x: f32, %y: f32, %s: complex<f32>):
    %u = complex.create %x, %zero : complex<f32>
    %y2 = arith.mulf %y, %y : f32
    %v = complex.create %y, %y2 : complex<f32>
    %t = complex.mul %u, %v : complex<f32>
    %r = complex.add %s, %t : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<?x?xcomplex<f32>>
  %re = tensor.generate %rows, %columns {
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %p[%i, %j] : tensor<?x?xcomplex<f32>>
    %r = complex.re %e : complex<f32>
    tensor.yield %r : f32
  } : tensor<?x?xf32>
  %im = tensor.generate %rows, %columns {
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %p[%i, %j] : tensor<?x?xcomplex<f32>>
    %r = complex.im %e : complex<f32>
    tensor.yield %r : f32
  } : tensor<?x?xf32>
  return %re, %im : tensor<?x?xf32>, tensor<?x?xf32>
}

// Of four bytes, which are read at once, there are 32 bytes.
func.func @doubles_of_bytes(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %p = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%c : tensor<?x?xf64>) {
  ^bb0(%x: i8, %y: i8, %s: f64):
    %u = arith.sitofp %x : i8 to f64
    %v = arith.sitofp %y : i8 to f64
    %t = arith.mulf %u, %v : f64
    %r = arith.addf %s, %t : f64
    linalg.yield %r : f64
  } -> tensor<?x?xf64>
  return %p : tensor<?x?xf64>
}
