// Structured operations on buffers, `affine` and atomic additions: loops of loads and stores in both modes. An array that a
// product reads and something overwrites later is no longer what it was: what was read is kept [Z21, Z23].
// RUN: ad-opt check %s --entry=product --input=0.7 --input=0.4
// RUN: ad-opt check %s --entry=product --input=0.7 --input=0.4 --engine=interpreter
// RUN: ad-opt check %s --entry=stencil --input=0.9
// RUN: ad-opt check %s --entry=bins --input=0.6 --input=7
// RUN: ad-opt check %s --entry=bins --input=0.6 --input=7 --engine=interpreter
// RUN: ad-opt check %s --entry=parallel --input=0.6

func.func @product(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %a = memref.alloc() : memref<2x2xf64>
  %b = memref.alloc() : memref<2x2xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<2x2xf64>)
  memref.store %y, %a[%c0, %c1] : memref<2x2xf64>
  linalg.fill ins(%zero : f64) outs(%b : memref<2x2xf64>)
  linalg.matmul ins(%a, %a : memref<2x2xf64>, memref<2x2xf64>) outs(%b : memref<2x2xf64>)
  // The factor is overwritten by the product, and by sines.
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<2x2xf64>) outs(%a : memref<2x2xf64>) {
    ^bb0(%e: f64, %old: f64):
      %s = math.sin %e : f64
      %p = arith.mulf %s, %old : f64
      linalg.yield %p : f64
  }
  %c = memref.alloc() : memref<2x2xf64>
  memref.copy %a, %c : memref<2x2xf64> to memref<2x2xf64>
  linalg.matmul ins(%a, %b : memref<2x2xf64>, memref<2x2xf64>) outs(%c : memref<2x2xf64>)
  %r = memref.load %c[%c1, %c0] : memref<2x2xf64>
  memref.dealloc %a : memref<2x2xf64>
  memref.dealloc %b : memref<2x2xf64>
  memref.dealloc %c : memref<2x2xf64>
  return %r : f64
}

func.func @stencil(%x: f64) -> f64 {
  %m = memref.alloc() : memref<8xf64>
  affine.for %i = 0 to 8 {
    affine.store %x, %m[%i] : memref<8xf64>
  }
  affine.for %t = 0 to 2 {
    affine.for %i = 1 to 7 {
      %l = affine.load %m[%i - 1] : memref<8xf64>
      %r = affine.load %m[%i + 1] : memref<8xf64>
      %p = arith.mulf %l, %r : f64
      affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) {
        %s = math.sin %p : f64
        affine.store %s, %m[%i] : memref<8xf64>
      } else {
        affine.store %p, %m[%i] : memref<8xf64>
      }
    }
  }
  %y = affine.load %m[5] : memref<8xf64>
  memref.dealloc %m : memref<8xf64>
  return %y : f64
}

func.func @bins(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloca() : memref<3xf64>
  linalg.fill ins(%x : f64) outs(%m : memref<3xf64>)
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.remui %i, %c3 : index
    %e = memref.load %m[%c1] : memref<3xf64>
    %ee = arith.mulf %e, %x : f64
    %old = memref.atomic_rmw addf %ee, %m[%k] : (f64, memref<3xf64>) -> f64
    %s = math.sin %old : f64
    memref.store %s, %m[%c0] : memref<3xf64>
  }
  %a = memref.load %m[%c0] : memref<3xf64>
  %b = memref.load %m[%c1] : memref<3xf64>
  %ab = arith.mulf %a, %b : f64
  return %ab : f64
}

func.func @parallel(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xf64>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %p = arith.mulf %f, %x : f64
    %s = math.sin %p : f64
    memref.store %s, %m[%i] : memref<4xf64>
  }
  %a = memref.load %m[%c1] : memref<4xf64>
  %three = arith.constant 3 : index
  %b = memref.load %m[%three] : memref<4xf64>
  %ab = arith.mulf %a, %b : f64
  memref.dealloc %m : memref<4xf64>
  return %ab : f64
}
