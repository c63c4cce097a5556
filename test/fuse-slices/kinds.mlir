// What is put together of slices and of operations of other forms: several results, of which each is made, arrays of fewer dimensions,
// and products of all pairs in a row, which are not computed element by element (F45).
// RUN: ad-opt %s --ad-fuse-slices --canonicalize --cse | FileCheck %s
// RUN: %python %S/../bench/Inputs/random_npy.py %t.u.npy '<f8' '(8,)' -1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.a.npy '<f8' '(8, 3)' -1 1 2
// RUN: %python %S/../bench/Inputs/random_npy.py %t.b.npy '<f8' '(8, 3, 3)' -1 1 3
// DEFINE: %{run} =
// DEFINE: %{same} = %{run} > %t.cpu && %{run} --target=gpu-emulate > %t.gpu && %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-15
// REDEFINE: %{run} = ad-opt run %s --entry=two_results --input=%t.u.npy
// RUN: %{same}
// REDEFINE: %{run} = ad-opt run %s --entry=of_fewer_dimensions --input=%t.u.npy --input=%t.a.npy
// RUN: %{same}
// REDEFINE: %{run} = ad-opt run %s --entry=of_other_shapes --input=%t.u.npy --input=%t.a.npy
// RUN: %{same}
// REDEFINE: %{run} = ad-opt run %s --entry=pairs --input=%t.a.npy --input=%t.b.npy
// RUN: %{same}

// CHECK-LABEL: func.func @two_results(
// CHECK-NOT:   tensor.insert_slice
// CHECK:       %[[BOTH:.*]]:2 = soac.map ins(%{{.*}} : tensor<8xindex>)
// CHECK-NOT:   soac.map
// CHECK:       return %[[BOTH]]#0, %[[BOTH]]#1
func.func @two_results(%u: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) {
  %a = tensor.extract_slice %u[0] [6] [1] : tensor<8xf64> to tensor<6xf64>
  %w = tensor.insert_slice %a into %u[1] [6] [1] : tensor<6xf64> into tensor<8xf64>
  %r:2 = soac.map ins(%w : tensor<8xf64>) (%x: f64) -> (tensor<8xf64>, tensor<8xf64>) {
    %m = arith.mulf %x, %x : f64
    %c = arith.addf %x, %x : f64
    soac.yield %m, %c : f64, f64
  }
  return %r#0, %r#1 : tensor<8xf64>, tensor<8xf64>
}

// CHECK-LABEL: func.func @of_fewer_dimensions(
// CHECK-NOT:   tensor.insert_slice
// CHECK:       return
func.func @of_fewer_dimensions(%v: tensor<8xf64>, %u: tensor<8x3xf64>) -> tensor<8x3xf64> {
  %t = tensor.extract_slice %v[0] [7] [1] : tensor<8xf64> to tensor<7xf64>
  %w = tensor.insert_slice %t into %v[1] [7] [1] : tensor<7xf64> into tensor<8xf64>
  %s = soac.map ins(%w, %u : tensor<8xf64>, tensor<8x3xf64>) (%a: f64, %b: tensor<3xf64>) -> tensor<8x3xf64> {
    %q = soac.map ins(%b : tensor<3xf64>) (%p: f64) -> tensor<3xf64> {
      %m = arith.mulf %p, %a : f64
      soac.yield %m : f64
    }
    soac.yield %q : tensor<3xf64>
  }
  return %s : tensor<8x3xf64>
}

// A map whose results have other shapes than each other makes them as before.
// CHECK-LABEL: func.func @of_other_shapes(
// CHECK:       soac.map ins(%{{.*}}, %{{.*}} : tensor<8xf64>, tensor<8x3xf64>)
// CHECK:       return
func.func @of_other_shapes(%v: tensor<8xf64>, %u: tensor<8x3xf64>) -> tensor<8x3xf64> {
  %r:2 = soac.map ins(%v, %u : tensor<8xf64>, tensor<8x3xf64>) (%e: f64, %row: tensor<3xf64>)
      -> (tensor<8xf64>, tensor<8x3xf64>) {
    %c = arith.addf %e, %e : f64
    %q = soac.map ins(%row : tensor<3xf64>) (%p: f64) -> tensor<3xf64> {
      %m = arith.mulf %p, %e : f64
      soac.yield %m : f64
    }
    soac.yield %c, %q : f64, tensor<3xf64>
  }
  %t = tensor.extract_slice %r#0[0] [7] [1] : tensor<8xf64> to tensor<7xf64>
  %w = tensor.insert_slice %t into %v[1] [7] [1] : tensor<7xf64> into tensor<8xf64>
  %s = soac.map ins(%w, %r#1 : tensor<8xf64>, tensor<8x3xf64>) (%a: f64, %b: tensor<3xf64>) -> tensor<8x3xf64> {
    %q = soac.map ins(%b : tensor<3xf64>) (%p: f64) -> tensor<3xf64> {
      %m = arith.mulf %p, %a : f64
      soac.yield %m : f64
    }
    soac.yield %q : tensor<3xf64>
  }
  return %s : tensor<8x3xf64>
}

// CHECK-LABEL: func.func @pairs(
// CHECK:       soac.map ins(%[[ROW:.*]] : tensor<3xf64>) (%[[P:.*]]: f64) -> tensor<3x3xf64>
// CHECK:         soac.map ins(%[[ROW]] : tensor<3xf64>) (%[[Z:.*]]: f64) -> tensor<3xf64>
// CHECK:           arith.mulf %[[P]], %[[Z]]
// CHECK:       return
func.func @pairs(%u: tensor<8x3xf64>, %v: tensor<8x3x3xf64>) -> tensor<8x3x3xf64> {
  %t = tensor.extract_slice %v[0, 0, 0] [8, 2, 3] [1, 1, 1] : tensor<8x3x3xf64> to tensor<8x2x3xf64>
  %x = tensor.insert_slice %t into %v[0, 1, 0] [8, 2, 3] [1, 1, 1] : tensor<8x2x3xf64> into tensor<8x3x3xf64>
  %o = soac.map ins(%u : tensor<8x3xf64>) (%row: tensor<3xf64>) -> tensor<8x3x3xf64> {
    %q = soac.map ins(%row : tensor<3xf64>) (%p: f64) -> tensor<3x3xf64> {
      %qq = soac.map ins(%row : tensor<3xf64>) (%z: f64) -> tensor<3xf64> {
        %m = arith.mulf %p, %z : f64
        soac.yield %m : f64
      }
      soac.yield %qq : tensor<3xf64>
    }
    soac.yield %q : tensor<3x3xf64>
  }
  %r = arith.addf %x, %o : tensor<8x3x3xf64>
  return %r : tensor<8x3x3xf64>
}
