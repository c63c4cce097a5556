#left = affine_map<(i, j, k) -> (k, i)>
#right = affine_map<(i, j, k) -> (j, k)>
#sums = affine_map<(i, j, k) -> (i, j)>

// A step of a cell with gates: what it makes of the four parts of a row.
func.func @gates_f32(%hidden: tensor<?x?xf32>, %U: tensor<?x?xf32>, %x: tensor<?x?xf32>, %cell: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %h = tensor.dim %cell, %c1 : tensor<?x?xf32>
  %h2 = arith.muli %h, %c2 : index
  %h3 = arith.muli %h, %c3 : index
  %z = linalg.matmul ins(%hidden, %U : tensor<?x?xf32>, tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  %new, %cells = soac.map ins(%z, %cell : tensor<?x?xf32>, tensor<?x?xf32>) (%row: tensor<?xf32>, %olds: tensor<?xf32>)
      -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %js = soac.iota %h : tensor<?xindex>
    %outs, %news = soac.map ins(%js, %olds : tensor<?xindex>, tensor<?xf32>) (%j: index, %old: f32) -> (tensor<?xf32>, tensor<?xf32>) {
      %j1 = arith.addi %h, %j : index
      %j2 = arith.addi %j, %h2 : index
      %j3 = arith.addi %h3, %j : index
      %z0 = tensor.extract %row[%j] : tensor<?xf32>
      %z1 = tensor.extract %row[%j1] : tensor<?xf32>
      %z2 = tensor.extract %row[%j2] : tensor<?xf32>
      %z3 = tensor.extract %row[%j3] : tensor<?xf32>
      %candidate = math.tanh %z0 : f32
      %kept = arith.mulf %z1, %old : f32
      %added = arith.mulf %candidate, %z2 : f32
      %next = arith.addf %kept, %added : f32
      %out = arith.mulf %z3, %next : f32
      soac.yield %out, %next : f32, f32
    }
    soac.yield %outs, %news : tensor<?xf32>, tensor<?xf32>
  }
  return %new, %cells : tensor<?x?xf32>, tensor<?x?xf32>
}

// The same in double precision.
func.func @gates_f64(%hidden: tensor<70x40xf64>, %U: tensor<40x160xf64>, %x: tensor<70x160xf64>, %cell: tensor<70x40xf64>)
    -> (tensor<70x40xf64>, tensor<70x40xf64>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %h = arith.constant 40 : index
  %h2 = arith.muli %h, %c2 : index
  %h3 = arith.muli %h, %c3 : index
  %z = linalg.matmul ins(%hidden, %U : tensor<70x40xf64>, tensor<40x160xf64>) outs(%x : tensor<70x160xf64>) -> tensor<70x160xf64>
  %new, %cells = soac.map ins(%z, %cell : tensor<70x160xf64>, tensor<70x40xf64>) (%row: tensor<160xf64>, %olds: tensor<40xf64>)
      -> (tensor<70x40xf64>, tensor<70x40xf64>) {
    %js = soac.iota : tensor<40xindex>
    %outs, %news = soac.map ins(%js, %olds : tensor<40xindex>, tensor<40xf64>) (%j: index, %old: f64) -> (tensor<40xf64>, tensor<40xf64>) {
      %j1 = arith.addi %h, %j : index
      %j2 = arith.addi %j, %h2 : index
      %j3 = arith.addi %h3, %j : index
      %z0 = tensor.extract %row[%j] : tensor<160xf64>
      %z1 = tensor.extract %row[%j1] : tensor<160xf64>
      %z2 = tensor.extract %row[%j2] : tensor<160xf64>
      %z3 = tensor.extract %row[%j3] : tensor<160xf64>
      %candidate = math.tanh %z0 : f64
      %kept = arith.mulf %z1, %old : f64
      %added = arith.mulf %candidate, %z2 : f64
      %next = arith.addf %kept, %added : f64
      %out = arith.mulf %z3, %next : f64
      soac.yield %out, %next : f64, f64
    }
    soac.yield %outs, %news : tensor<40xf64>, tensor<40xf64>
  }
  return %new, %cells : tensor<70x40xf64>, tensor<70x40xf64>
}

// The same where factors are narrower than sums.
func.func @gates_f16(%hidden: tensor<70x40xf16>, %U: tensor<40x160xf16>, %x: tensor<70x160xf32>, %cell: tensor<70x40xf32>)
    -> (tensor<70x40xf32>, tensor<70x40xf32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %h = arith.constant 40 : index
  %h2 = arith.muli %h, %c2 : index
  %h3 = arith.muli %h, %c3 : index
  %z = linalg.matmul ins(%hidden, %U : tensor<70x40xf16>, tensor<40x160xf16>) outs(%x : tensor<70x160xf32>) -> tensor<70x160xf32>
  %new, %cells = soac.map ins(%z, %cell : tensor<70x160xf32>, tensor<70x40xf32>) (%row: tensor<160xf32>, %olds: tensor<40xf32>)
      -> (tensor<70x40xf32>, tensor<70x40xf32>) {
    %js = soac.iota : tensor<40xindex>
    %outs, %news = soac.map ins(%js, %olds : tensor<40xindex>, tensor<40xf32>) (%j: index, %old: f32) -> (tensor<40xf32>, tensor<40xf32>) {
      %j1 = arith.addi %h, %j : index
      %j2 = arith.addi %j, %h2 : index
      %j3 = arith.addi %h3, %j : index
      %z0 = tensor.extract %row[%j] : tensor<160xf32>
      %z1 = tensor.extract %row[%j1] : tensor<160xf32>
      %z2 = tensor.extract %row[%j2] : tensor<160xf32>
      %z3 = tensor.extract %row[%j3] : tensor<160xf32>
      %candidate = math.tanh %z0 : f32
      %kept = arith.mulf %z1, %old : f32
      %added = arith.mulf %candidate, %z2 : f32
      %next = arith.addf %kept, %added : f32
      %out = arith.mulf %z3, %next : f32
      soac.yield %out, %next : f32, f32
    }
    soac.yield %outs, %news : tensor<40xf32>, tensor<40xf32>
  }
  return %new, %cells : tensor<70x40xf32>, tensor<70x40xf32>
}

// The same of transposes, whose caller gets the product, too.
func.func @gates_kept(%hidden: tensor<40x70xf32>, %U: tensor<160x40xf32>, %x: tensor<70x160xf32>, %cell: tensor<70x40xf32>)
    -> (tensor<70x40xf32>, tensor<70x40xf32>, tensor<70x160xf32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %h = arith.constant 40 : index
  %h2 = arith.muli %h, %c2 : index
  %h3 = arith.muli %h, %c3 : index
  %z = linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%hidden, %U : tensor<40x70xf32>, tensor<160x40xf32>) outs(%x : tensor<70x160xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<70x160xf32>
  %new, %cells = soac.map ins(%z, %cell : tensor<70x160xf32>, tensor<70x40xf32>) (%row: tensor<160xf32>, %olds: tensor<40xf32>)
      -> (tensor<70x40xf32>, tensor<70x40xf32>) {
    %js = soac.iota : tensor<40xindex>
    %outs, %news = soac.map ins(%js, %olds : tensor<40xindex>, tensor<40xf32>) (%j: index, %old: f32) -> (tensor<40xf32>, tensor<40xf32>) {
      %j1 = arith.addi %h, %j : index
      %j2 = arith.addi %j, %h2 : index
      %j3 = arith.addi %h3, %j : index
      %z0 = tensor.extract %row[%j] : tensor<160xf32>
      %z1 = tensor.extract %row[%j1] : tensor<160xf32>
      %z2 = tensor.extract %row[%j2] : tensor<160xf32>
      %z3 = tensor.extract %row[%j3] : tensor<160xf32>
      %candidate = math.tanh %z0 : f32
      %kept = arith.mulf %z1, %old : f32
      %added = arith.mulf %candidate, %z2 : f32
      %next = arith.addf %kept, %added : f32
      %out = arith.mulf %z3, %next : f32
      soac.yield %out, %next : f32, f32
    }
    soac.yield %outs, %news : tensor<40xf32>, tensor<40xf32>
  }
  return %new, %cells, %z : tensor<70x40xf32>, tensor<70x40xf32>, tensor<70x160xf32>
}

// A gated layer, whose rows have two parts.
func.func @gated(%x: tensor<70x40xf32>, %w: tensor<40x70xf32>) -> tensor<70x35xf32> {
  %zero = arith.constant 0.0 : f32
  %h = arith.constant 35 : index
  %js = soac.iota : tensor<35xindex>
  %e = tensor.empty() : tensor<70x70xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<70x70xf32>) -> tensor<70x70xf32>
  %z = linalg.matmul ins(%x, %w : tensor<70x40xf32>, tensor<40x70xf32>) outs(%f : tensor<70x70xf32>) -> tensor<70x70xf32>
  %ys = soac.map ins(%z : tensor<70x70xf32>) (%row: tensor<70xf32>) -> tensor<70x35xf32> {
    %y = soac.map ins(%js : tensor<35xindex>) (%j: index) -> tensor<35xf32> {
      %j1 = arith.addi %h, %j : index
      %a = tensor.extract %row[%j] : tensor<70xf32>
      %b = tensor.extract %row[%j1] : tensor<70xf32>
      %t = math.tanh %b : f32
      %p = arith.mulf %a, %t : f32
      soac.yield %p : f32
    }
    soac.yield %y : tensor<35xf32>
  }
  return %ys : tensor<70x35xf32>
}

// Each step takes the place of the one before: what is made of the product must not be written to its factor.
func.func @steps(%x: tensor<70x40xf64>, %w: tensor<40x80xf64>) -> tensor<70x40xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %h = arith.constant 40 : index
  %js = soac.iota : tensor<40xindex>
  %e = tensor.empty() : tensor<70x80xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<70x80xf64>) -> tensor<70x80xf64>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> tensor<70x40xf64> {
    %z = linalg.matmul ins(%y, %w : tensor<70x40xf64>, tensor<40x80xf64>) outs(%f : tensor<70x80xf64>) -> tensor<70x80xf64>
    %next = soac.map ins(%z, %y : tensor<70x80xf64>, tensor<70x40xf64>) (%row: tensor<80xf64>, %old: tensor<40xf64>) -> tensor<70x40xf64> {
      %new = soac.map ins(%js, %old : tensor<40xindex>, tensor<40xf64>) (%j: index, %o: f64) -> tensor<40xf64> {
        %j1 = arith.addi %h, %j : index
        %a = tensor.extract %row[%j] : tensor<80xf64>
        %b = tensor.extract %row[%j1] : tensor<80xf64>
        %t = math.tanh %b : f64
        %p = arith.mulf %a, %t : f64
        %s = arith.addf %p, %o : f64
        soac.yield %s : f64
      }
      soac.yield %new : tensor<40xf64>
    }
    scf.yield %next : tensor<70x40xf64>
  }
  return %r : tensor<70x40xf64>
}

// A product of the first rows of an array, of which something is made and written to others of its rows: if these are read
// for the product, only when all of it is there.
func.func @own_rows(%all: memref<192x40xf32>, %w: memref<40x80xf32>, %z: memref<64x80xf32>, %first: index) -> memref<192x40xf32> {
  %h = arith.constant 40 : index
  %a = memref.subview %all[0, 0] [64, 40] [1, 1] : memref<192x40xf32> to memref<64x40xf32, strided<[40, 1]>>
  %d = memref.subview %all[%first, 0] [64, 40] [1, 1] : memref<192x40xf32> to memref<64x40xf32, strided<[40, 1], offset: ?>>
  linalg.matmul ins(%a, %w : memref<64x40xf32, strided<[40, 1]>>, memref<40x80xf32>) outs(%z : memref<64x80xf32>)
  scf.forall (%i, %j) in (64, 40) {
    %j1 = arith.addi %j, %h : index
    %y0 = memref.load %z[%i, %j] : memref<64x80xf32>
    %y1 = memref.load %z[%i, %j1] : memref<64x80xf32>
    %s = arith.mulf %y0, %y1 : f32
    memref.store %s, %d[%i, %j] : memref<64x40xf32, strided<[40, 1], offset: ?>>
  }
  return %all : memref<192x40xf32>
}
