// What threads.rs and test/driver/threads.test run: programs in which every number is an integer that floats represent exactly, so that the order of sums does not matter.

func.func private @data(%n: index) -> tensor<?xf64> {
  %is = soac.iota %n : tensor<?xi64>
  %xs = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?xf64> {
    %c7 = arith.constant 7 : i64
    %c8 = arith.constant 8 : i64
    %c17 = arith.constant 17 : i64
    %k = arith.muli %i, %c7 : i64
    %m = arith.remui %k, %c17 : i64
    %d = arith.subi %m, %c8 : i64
    %x = arith.sitofp %d : i64 to f64
    soac.yield %x : f64
  }
  return %xs : tensor<?xf64>
}

func.func @maps(%n: index) -> (tensor<?xf64>, tensor<?x2xf32>, tensor<?x?xf64>, tensor<?xf64>) {
  %xs = call @data(%n) : (index) -> tensor<?xf64>
  %a, %b = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> (tensor<?xf64>, tensor<?x2xf32>) {
    %y = arith.mulf %x, %x : f64
    %f = arith.truncf %x : f64 to f32
    %g = arith.truncf %y : f64 to f32
    %r = tensor.from_elements %f, %g : tensor<2xf32>
    soac.yield %y, %r : f64, tensor<2xf32>
  }
  %five = arith.constant 5 : index
  %c = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?x?xf64> {
    %js = soac.iota %five : tensor<?xindex>
    %row = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %k = arith.remui %j, %n : index
      %y = tensor.extract %xs[%k] : tensor<?xf64>
      %z = arith.mulf %x, %y : f64
      soac.yield %z : f64
    }
    soac.yield %row : tensor<?xf64>
  }
  %d = arith.addf %a, %xs : tensor<?xf64>
  return %a, %b, %c, %d : tensor<?xf64>, tensor<?x2xf32>, tensor<?x?xf64>, tensor<?xf64>
}

// The operator of the last reduction does not commute: it keeps the last element.
func.func @reductions(%n: index) -> (f64, f32, f64, index, tensor<3xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %zero32 = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<3xf64>
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %none = arith.constant -1 : index
  %xs = call @data(%n) : (index) -> tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %squares = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  %sum = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %narrow = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf32> {
    %y = arith.truncf %x : f64 to f32
    soac.yield %y : f32
  }
  %sum32 = soac.reduce ins(%narrow : tensor<?xf32>) neutral(%zero32 : f32) (%l: f32, %r: f32) {
    %s = arith.addf %l, %r : f32
    soac.yield %s : f32
  }
  %max:2 = soac.reduce ins(%xs, %is : tensor<?xf64>, tensor<?xindex>) neutral(%lowest, %none : f64, index)
      (%l: f64, %li: index, %r: f64, %ri: index) {
    %more = arith.cmpf ogt, %r, %l : f64
    %m = arith.select %more, %r, %l : f64
    %i = arith.select %more, %ri, %li : index
    soac.yield %m, %i : f64, index
  }
  %rows = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?x3xf64> {
    %y = arith.mulf %x, %x : f64
    %z = arith.addf %x, %y : f64
    %r = tensor.from_elements %x, %y, %z : tensor<3xf64>
    soac.yield %r : tensor<3xf64>
  }
  %sums = soac.reduce ins(%rows : tensor<?x3xf64>) neutral(%zeros : tensor<3xf64>)
      (%l: tensor<3xf64>, %r: tensor<3xf64>) {
    %s = arith.addf %l, %r : tensor<3xf64>
    soac.yield %s : tensor<3xf64>
  }
  %last:2 = soac.reduce ins(%xs, %is : tensor<?xf64>, tensor<?xindex>) neutral(%zero, %none : f64, index)
      (%l: f64, %li: index, %r: f64, %ri: index) {
    %is_none = arith.cmpi eq, %ri, %none : index
    %m = arith.select %is_none, %l, %r : f64
    %i = arith.select %is_none, %li, %ri : index
    soac.yield %m, %i : f64, index
  }
  return %sum, %sum32, %max#0, %max#1, %sums, %last#0 : f64, f32, f64, index, tensor<3xf64>, f64
}

func.func @scans(%n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x2xf32>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %zeros = arith.constant dense<0.0> : tensor<2xf32>
  %xs = call @data(%n) : (index) -> tensor<?xf64>
  %is = soac.iota %n : tensor<?xi64>
  %signs = soac.map ins(%is : tensor<?xi64>) (%i: i64) -> tensor<?xf64> {
    %c1 = arith.constant 1 : i64
    %c3 = arith.constant 3 : i64
    %k = arith.remui %i, %c3 : i64
    %s = arith.subi %c1, %k : i64
    %x = arith.sitofp %s : i64 to f64
    soac.yield %x : f64
  }
  %inclusive = soac.scan ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %exclusive = soac.scan ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64)
      attributes {exclusive} {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  // y[i] = a[i] y[i-1] + x[i], and the same from the end; the slopes are read in the last one only.
  %linear:2 = soac.scan ins(%signs, %xs : tensor<?xf64>, tensor<?xf64>) neutral(%one, %zero : f64, f64)
      (%a: f64, %p: f64, %c: f64, %q: f64) {
    %slope = arith.mulf %a, %c : f64
    %t = arith.mulf %c, %p : f64
    %s = arith.addf %t, %q : f64
    soac.yield %slope, %s : f64, f64
  }
  %back:2 = soac.scan ins(%signs, %xs : tensor<?xf64>, tensor<?xf64>) neutral(%one, %zero : f64, f64)
      (%a: f64, %p: f64, %c: f64, %q: f64) attributes {exclusive, reverse} {
    %slope = arith.mulf %a, %c : f64
    %t = arith.mulf %a, %q : f64
    %s = arith.addf %p, %t : f64
    soac.yield %slope, %s : f64, f64
  }
  %rows = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?x2xf32> {
    %y = arith.truncf %x : f64 to f32
    %r = tensor.from_elements %y, %y : tensor<2xf32>
    soac.yield %r : tensor<2xf32>
  }
  %vectors = soac.scan ins(%rows : tensor<?x2xf32>) neutral(%zeros : tensor<2xf32>)
      (%l: tensor<2xf32>, %r: tensor<2xf32>) attributes {reverse} {
    %s = arith.addf %l, %r : tensor<2xf32>
    soac.yield %s : tensor<2xf32>
  }
  return %inclusive, %exclusive, %linear#1, %back#0, %back#1, %vectors
      : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?x2xf32>
}

// One dimension of bins, two, rows as elements, and tuples; indices may be out of range.
func.func @histograms(%n: index) -> (tensor<3xf64>, tensor<3x?xf64>, tensor<3x2xf32>, tensor<3xf64>, tensor<3xindex>) {
  %zero = arith.constant 0.0 : f64
  %zeros = arith.constant dense<0.0> : tensor<2xf32>
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %none = arith.constant -1 : index
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %xs = call @data(%n) : (index) -> tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %at = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xindex> {
    %k = arith.remui %i, %four : index
    soac.yield %k : index
  }
  %halves = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xindex> {
    %k = arith.remui %i, %two : index
    soac.yield %k : index
  }
  %start = arith.constant dense<1.0> : tensor<3xf64>
  %start2 = tensor.splat %zero[%two] : tensor<3x?xf64>
  %start3 = arith.constant dense<1.0> : tensor<3x2xf32>
  %start4 = arith.constant dense<-100.0> : tensor<3xf64>
  %start5 = arith.constant dense<7> : tensor<3xindex>
  %a = soac.hist at(%at : tensor<?xindex>) ins(%xs : tensor<?xf64>) into(%start : tensor<3xf64>)
      neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %b = soac.hist at(%at, %halves : tensor<?xindex>, tensor<?xindex>) ins(%xs : tensor<?xf64>)
      into(%start2 : tensor<3x?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  %rows = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?x2xf32> {
    %y = arith.truncf %x : f64 to f32
    %r = tensor.from_elements %y, %y : tensor<2xf32>
    soac.yield %r : tensor<2xf32>
  }
  %c = soac.hist at(%at : tensor<?xindex>) ins(%rows : tensor<?x2xf32>) into(%start3 : tensor<3x2xf32>)
      neutral(%zeros : tensor<2xf32>) (%l: tensor<2xf32>, %r: tensor<2xf32>) {
    %s = arith.addf %l, %r : tensor<2xf32>
    soac.yield %s : tensor<2xf32>
  }
  %d:2 = soac.hist at(%at : tensor<?xindex>) ins(%xs, %is : tensor<?xf64>, tensor<?xindex>)
      into(%start4, %start5 : tensor<3xf64>, tensor<3xindex>) neutral(%lowest, %none : f64, index)
      (%l: f64, %li: index, %r: f64, %ri: index) {
    %more = arith.cmpf ogt, %r, %l : f64
    %m = arith.select %more, %r, %l : f64
    %i = arith.select %more, %ri, %li : index
    soac.yield %m, %i : f64, index
  }
  return %a, %b, %c, %d#0, %d#1 : tensor<3xf64>, tensor<3x?xf64>, tensor<3x2xf32>, tensor<3xf64>, tensor<3xindex>
}

// Accumulators in another order than in the map, one of them of rows, and a result besides.
func.func @accumulators(%n: index) -> (tensor<4xf64>, tensor<4x?xf32>, tensor<?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %one32 = arith.constant 1.0 : f32
  %xs = call @data(%n) : (index) -> tensor<?xf64>
  %start = arith.constant dense<1.0> : tensor<4xf64>
  %start2 = tensor.splat %one32[%three] : tensor<4x?xf32>
  %r:4 = soac.with_acc ins(%start, %start2 : tensor<4xf64>, tensor<4x?xf32>)
      (%p: !soac.acc<tensor<4xf64>>, %q: !soac.acc<tensor<4x?xf32>>) -> (tensor<4xf64>, tensor<4x?xf32>, tensor<?xf64>, f64) {
    %is = soac.iota %n : tensor<?xindex>
    %w:3 = soac.map ins(%xs, %is : tensor<?xf64>, tensor<?xindex>)
        accs(%q, %p : !soac.acc<tensor<4x?xf32>>, !soac.acc<tensor<4xf64>>)
        (%x: f64, %i: index, %u: !soac.acc<tensor<4x?xf32>>, %v: !soac.acc<tensor<4xf64>>)
        -> (tensor<?xf64>, !soac.acc<tensor<4x?xf32>>, !soac.acc<tensor<4xf64>>) {
      %k = arith.remui %i, %four : index
      %s = arith.mulf %x, %x : f64
      %f = arith.truncf %x : f64 to f32
      %row = tensor.splat %f[%three] : tensor<?xf32>
      %u2 = soac.update_acc %u[%k], %row : !soac.acc<tensor<4x?xf32>>, tensor<?xf32>
      %v2 = soac.update_acc %v[%k], %s : !soac.acc<tensor<4xf64>>, f64
      soac.yield %s, %u2, %v2 : f64, !soac.acc<tensor<4x?xf32>>, !soac.acc<tensor<4xf64>>
    }
    soac.yield %w#2, %w#1, %w#0, %one : !soac.acc<tensor<4xf64>>, !soac.acc<tensor<4x?xf32>>, tensor<?xf64>, f64
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<4xf64>, tensor<4x?xf32>, tensor<?xf64>, f64
}

// Products of matrices, also with a sum per column, and a loop with a parallel operation inside.
func.func @contractions(%n: index) -> (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %xs = call @data(%n) : (index) -> tensor<?xf64>
  %a = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?x?xf64> {
    %row = soac.map ins(%xs : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
      %z = arith.addf %x, %y : f64
      soac.yield %z : f64
    }
    soac.yield %row : tensor<?xf64>
  }
  %empty = tensor.empty(%n, %n) : tensor<?x?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?xf64>) -> tensor<?x?xf64>
  %b = linalg.matmul ins(%a, %a : tensor<?x?xf64>, tensor<?x?xf64>) outs(%zeros : tensor<?x?xf64>) -> tensor<?x?xf64>
  %row = tensor.empty(%n) : tensor<?xf64>
  %none = linalg.fill ins(%zero : f64) outs(%row : tensor<?xf64>) -> tensor<?xf64>
  %c = linalg.matvec ins(%a, %xs : tensor<?x?xf64>, tensor<?xf64>) outs(%none : tensor<?xf64>) -> tensor<?xf64>
  %d = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%a : tensor<?x?xf64>) outs(%none : tensor<?xf64>) {
    ^bb0(%x: f64, %s: f64):
      %t = arith.addf %x, %s : f64
      linalg.yield %t : f64
  } -> tensor<?xf64>
  %e = scf.for %k = %c0 to %c3 step %c1 iter_args(%sum = %zero) -> f64 {
    %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%sum : f64) (%l: f64, %r: f64) {
      %t = arith.maximumf %l, %r : f64
      soac.yield %t : f64
    }
    scf.yield %s : f64
  }
  return %b, %c, %d, %e : tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, f64
}

// The gradient of sum((x[at[i]] x[i])^2), whose adjoint adds to x[at[i]].
func.func private @objective(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %ys = soac.map ins(%xs, %is : tensor<?xf64>, tensor<?xindex>) (%x: f64, %i: index) -> tensor<?xf64> {
    %k = arith.divui %i, %c5 : index
    %y = tensor.extract %xs[%k] : tensor<?xf64>
    %z = arith.mulf %x, %y : f64
    %s = arith.mulf %z, %z : f64
    soac.yield %s : f64
  }
  %sum = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %sum : f64
}
func.func @gradient(%n: index) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %xs = call @data(%n) : (index) -> tensor<?xf64>
  %y, %dx = ad.vjp @objective(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  %squares = soac.map ins(%dx : tensor<?xf64>) (%d: f64) -> tensor<?xf64> {
    %s = arith.mulf %d, %d : f64
    soac.yield %s : f64
  }
  %sum = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %y, %sum : f64, f64
}
