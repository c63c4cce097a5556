// Each row of an array divided by the square root of one more than the sum of its squares, in a parallel loop.
func.func @rows(%x: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x3xf64>
  %e = tensor.empty(%n) : tensor<?x3xf64>
  %y = scf.forall (%i) in (%n) shared_outs(%o = %e) -> (tensor<?x3xf64>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 3] [1, 1] : tensor<?x3xf64> to tensor<3xf64>
    %a = tensor.extract %row[%c0] : tensor<3xf64>
    %b = tensor.extract %row[%c1] : tensor<3xf64>
    %c = tensor.extract %row[%c2] : tensor<3xf64>
    %aa = arith.mulf %a, %a : f64
    %bb = arith.mulf %b, %b : f64
    %cc = arith.mulf %c, %c : f64
    %aabb = arith.addf %aa, %bb : f64
    %square = arith.addf %aabb, %cc : f64
    %more = arith.addf %square, %one : f64
    %length = math.sqrt %more : f64
    %lengths = tensor.splat %length : tensor<3xf64>
    %unit = arith.divf %row, %lengths : tensor<3xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %unit into %o[%i, 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<?x3xf64>
    }
  }
  return %y : tensor<?x3xf64>
}

func.func @rows_gradient(%x: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %r:2 = ad.vjp @rows(%x) seed(%x) : (tensor<?x3xf64>), (tensor<?x3xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>)
  %s:2 = ad.jvp @rows(%x) seed(%r#0) : (tensor<?x3xf64>), (tensor<?x3xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>)
  %t:2 = ad.vjp @rows(%x) seed(%s#1) : (tensor<?x3xf64>), (tensor<?x3xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>)
  %sum = arith.addf %r#1, %t#1 : tensor<?x3xf64>
  return %sum : tensor<?x3xf64>
}

func.func @sum(%x: tensor<?x3xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x3xf64>
  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c3) step (%c1, %c1) init (%zero) -> f64 {
    %a = tensor.extract %x[%i, %j] : tensor<?x3xf64>
    %e = math.exp %a : f64
    scf.reduce(%e : f64) {
    ^bb0(%p: f64, %q: f64):
      %s = arith.addf %p, %q : f64
      scf.reduce.return %s : f64
    }
  }
  return %r : f64
}

func.func @stores(%x: tensor<?x3xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf64>
  %y = memref.alloc(%n) : memref<?xf64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = tensor.extract %x[%i, %c1] : tensor<?x3xf64>
    %e = math.exp %a : f64
    memref.store %e, %y[%i] : memref<?xf64>
  }
  %r = bufferization.to_tensor %y restrict : memref<?xf64> to tensor<?xf64>
  return %r : tensor<?xf64>
}

func.func @softmax(%x: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %y = linalg.softmax dimension(0) ins(%x : tensor<?x3xf64>) outs(%x : tensor<?x3xf64>) -> tensor<?x3xf64>
  return %y : tensor<?x3xf64>
}

func.func @moments(%x: tensor<?x3xf64>) -> (tensor<f64>, tensor<f64>) {
  %zero = arith.constant dense<0.0> : tensor<f64>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<?x3xf64>) outs(%zero, %zero : tensor<f64>, tensor<f64>) {
    ^bb0(%a: f64, %o: f64, %p: f64):
      %q = arith.mulf %a, %a : f64
      %s = arith.addf %a, %o : f64
      %t = arith.addf %q, %p : f64
      linalg.yield %s, %t : f64, f64
  } -> (tensor<f64>, tensor<f64>)
  return %r#0, %r#1 : tensor<f64>, tensor<f64>
}
