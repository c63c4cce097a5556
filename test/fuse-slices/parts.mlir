// Which slices are put together at once, and what stays as it is (F45).
// RUN: ad-opt %s --ad-fuse-slices --canonicalize --cse | FileCheck %s
// RUN: %python %S/../bench/Inputs/random_npy.py %t.u.npy '<f8' '(7, 9)' -1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.v.npy '<f8' '(7, 9)' -1 1 2
// DEFINE: %{entry} = halo
// DEFINE: %{same} = ad-opt run %s --entry=%{entry} --input=%t.u.npy --input=%t.v.npy > %t.cpu && ad-opt run %s --entry=%{entry} --input=%t.u.npy --input=%t.v.npy --target=gpu-emulate > %t.gpu && %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-15
// RUN: %{same}
// REDEFINE: %{entry} = both
// RUN: %{same}
// REDEFINE: %{entry} = read
// RUN: %{same}
// REDEFINE: %{entry} = border
// RUN: %{same}
// REDEFINE: %{entry} = maps
// RUN: %{same}

// The rows at both ends come from the other end, then the inside from what is around it: one map, which reads the array alone.
// CHECK-LABEL: func.func @halo(
// CHECK-NOT:   tensor.insert_slice
// CHECK:       soac.map
// CHECK-NOT:   linalg.
// CHECK:       return
func.func @halo(%u: tensor<7x9xf64>, %v: tensor<7x9xf64>) -> tensor<7x9xf64> {
  %last = tensor.extract_slice %u[5, 0] [1, 9] [1, 1] : tensor<7x9xf64> to tensor<1x9xf64>
  %w = tensor.insert_slice %last into %u[0, 0] [1, 9] [1, 1] : tensor<1x9xf64> into tensor<7x9xf64>
  %first = tensor.extract_slice %u[1, 0] [1, 9] [1, 1] : tensor<7x9xf64> to tensor<1x9xf64>
  %x = tensor.insert_slice %first into %w[6, 0] [1, 9] [1, 1] : tensor<1x9xf64> into tensor<7x9xf64>
  %above = tensor.extract_slice %x[0, 0] [5, 9] [1, 1] : tensor<7x9xf64> to tensor<5x9xf64>
  %below = tensor.extract_slice %x[2, 0] [5, 9] [1, 1] : tensor<7x9xf64> to tensor<5x9xf64>
  %sum = arith.addf %above, %below : tensor<5x9xf64>
  %y = tensor.insert_slice %sum into %x[1, 0] [5, 9] [1, 1] : tensor<5x9xf64> into tensor<7x9xf64>
  return %y : tensor<7x9xf64>
}

// Two arrays are put together of what one operation makes: by one map with two results.
// CHECK-LABEL: func.func @both(
// CHECK-NOT:   tensor.insert_slice
// CHECK:       %[[BOTH:.*]]:2 = soac.map
// CHECK:       return %[[BOTH]]#1, %[[BOTH]]#0
#all = affine_map<(i, j) -> (i, j)>
func.func @both(%u: tensor<7x9xf64>, %v: tensor<7x9xf64>) -> (tensor<7x9xf64>, tensor<7x9xf64>) {
  %a = tensor.extract_slice %u[0, 1] [5, 7] [1, 1] : tensor<7x9xf64> to tensor<5x7xf64>
  %b = tensor.extract_slice %v[2, 1] [5, 7] [1, 1] : tensor<7x9xf64> to tensor<5x7xf64>
  %e = tensor.empty() : tensor<5x7xf64>
  %r:2 = linalg.generic {indexing_maps = [#all, #all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<5x7xf64>, tensor<5x7xf64>) outs(%e, %e : tensor<5x7xf64>, tensor<5x7xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64, %p: f64):
    %s = arith.addf %x, %y : f64
    %m = arith.mulf %x, %y : f64
    linalg.yield %s, %m : f64, f64
  } -> (tensor<5x7xf64>, tensor<5x7xf64>)
  %s = tensor.insert_slice %r#0 into %u[1, 1] [5, 7] [1, 1] : tensor<5x7xf64> into tensor<7x9xf64>
  %t = tensor.insert_slice %r#1 into %v[1, 1] [5, 7] [1, 1] : tensor<5x7xf64> into tensor<7x9xf64>
  return %s, %t : tensor<7x9xf64>, tensor<7x9xf64>
}

// What is put into an array is read behind that, too: from the array.
// CHECK-LABEL: func.func @read(
// CHECK:       %[[W:.*]] = soac.map
// CHECK:       %[[SUM:.*]] = tensor.extract_slice %[[W]][1, 0] [6, 9] [1, 1]
// CHECK:       return %[[W]], %[[SUM]]
func.func @read(%u: tensor<7x9xf64>, %v: tensor<7x9xf64>) -> (tensor<7x9xf64>, tensor<6x9xf64>) {
  %a = tensor.extract_slice %u[0, 0] [6, 9] [1, 1] : tensor<7x9xf64> to tensor<6x9xf64>
  %b = tensor.extract_slice %v[1, 0] [6, 9] [1, 1] : tensor<7x9xf64> to tensor<6x9xf64>
  %s = arith.addf %a, %b : tensor<6x9xf64>
  %w = tensor.insert_slice %s into %u[1, 0] [6, 9] [1, 1] : tensor<6x9xf64> into tensor<7x9xf64>
  return %w, %s : tensor<7x9xf64>, tensor<6x9xf64>
}

// Two rows of seven: most of the array stays where it is.
// CHECK-LABEL: func.func @border(
// CHECK-NOT:   soac.map
// CHECK:       tensor.insert_slice
// CHECK:       return
func.func @border(%u: tensor<7x9xf64>, %v: tensor<7x9xf64>) -> tensor<7x9xf64> {
  %a = tensor.extract_slice %u[5, 0] [2, 9] [1, 1] : tensor<7x9xf64> to tensor<2x9xf64>
  %s = arith.addf %a, %a : tensor<2x9xf64>
  %w = tensor.insert_slice %s into %v[0, 0] [2, 9] [1, 1] : tensor<2x9xf64> into tensor<7x9xf64>
  return %w : tensor<7x9xf64>
}

// Maps are looked into, and the result of arithmetic is one of the group as well.
// CHECK-LABEL: func.func @maps(
// CHECK-NOT:   tensor.insert_slice
// CHECK:       soac.map
// CHECK:         soac.map
// CHECK:           math.sin
// CHECK:           arith.mulf
// CHECK-NOT:     soac.map
// CHECK:       return
func.func @maps(%u: tensor<7x9xf64>, %v: tensor<7x9xf64>) -> tensor<7x9xf64> {
  %a = tensor.extract_slice %u[0, 2] [7, 7] [1, 1] : tensor<7x9xf64> to tensor<7x7xf64>
  %s = soac.map ins(%a : tensor<7x7xf64>) (%row: tensor<7xf64>) -> tensor<7x7xf64> {
    %r = soac.map ins(%row : tensor<7xf64>) (%x: f64) -> tensor<7xf64> {
      %y = math.sin %x : f64
      soac.yield %y : f64
    }
    soac.yield %r : tensor<7xf64>
  }
  %w = tensor.insert_slice %s into %v[0, 1] [7, 7] [1, 1] : tensor<7x7xf64> into tensor<7x9xf64>
  %p = arith.mulf %w, %v : tensor<7x9xf64>
  return %p : tensor<7x9xf64>
}

// How much of the array the part is is not known.
// CHECK-LABEL: func.func @unknown(
// CHECK-NOT:   soac.map
// CHECK:       tensor.insert_slice
// CHECK:       return
func.func @unknown(%u: tensor<?xf64>, %m: index) -> tensor<?xf64> {
  %a = tensor.extract_slice %u[1] [%m] [1] : tensor<?xf64> to tensor<?xf64>
  %s = arith.addf %a, %a : tensor<?xf64>
  %w = tensor.insert_slice %s into %u[0] [%m] [1] : tensor<?xf64> into tensor<?xf64>
  return %w : tensor<?xf64>
}

// The other array is put together of what the first one is needed for.
// CHECK-LABEL: func.func @needed(
// CHECK:       %[[A:.*]] = tensor.insert_slice
// CHECK:       %[[USED:.*]] = call @use(%[[A]])
// CHECK:       tensor.insert_slice %{{.*}} into %[[USED]]
// CHECK:       return
func.func private @use(tensor<8xf64>) -> tensor<8xf64>
#one = affine_map<(i) -> (i)>
func.func @needed(%u: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) {
  %a = tensor.extract_slice %u[1] [6] [1] : tensor<8xf64> to tensor<6xf64>
  %e = tensor.empty() : tensor<6xf64>
  %r:2 = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
      ins(%a : tensor<6xf64>) outs(%e, %e : tensor<6xf64>, tensor<6xf64>) {
  ^bb0(%x: f64, %o: f64, %p: f64):
    %s = math.sin %x : f64
    %c = math.cos %x : f64
    linalg.yield %s, %c : f64, f64
  } -> (tensor<6xf64>, tensor<6xf64>)
  %s = tensor.insert_slice %r#0 into %u[1] [6] [1] : tensor<6xf64> into tensor<8xf64>
  %used = func.call @use(%s) : (tensor<8xf64>) -> tensor<8xf64>
  %t = tensor.insert_slice %r#1 into %used[1] [6] [1] : tensor<6xf64> into tensor<8xf64>
  return %s, %t : tensor<8xf64>, tensor<8xf64>
}

// Each of four steps reads two places of the one before: computed at once, it would be 81 reads. They are two maps.
// CHECK-LABEL: func.func @steps(
// CHECK-NOT:   tensor.insert_slice
// CHECK-COUNT-2: soac.map
// CHECK-NOT:   soac.map
// CHECK:       return
func.func @steps(%u: tensor<64xf64>) -> tensor<64xf64> {
  %l0 = tensor.extract_slice %u[0] [62] [1] : tensor<64xf64> to tensor<62xf64>
  %r0 = tensor.extract_slice %u[2] [62] [1] : tensor<64xf64> to tensor<62xf64>
  %s0 = arith.mulf %l0, %r0 : tensor<62xf64>
  %w0 = tensor.insert_slice %s0 into %u[1] [62] [1] : tensor<62xf64> into tensor<64xf64>
  %l1 = tensor.extract_slice %w0[0] [62] [1] : tensor<64xf64> to tensor<62xf64>
  %r1 = tensor.extract_slice %w0[2] [62] [1] : tensor<64xf64> to tensor<62xf64>
  %s1 = arith.mulf %l1, %r1 : tensor<62xf64>
  %w1 = tensor.insert_slice %s1 into %w0[1] [62] [1] : tensor<62xf64> into tensor<64xf64>
  %l2 = tensor.extract_slice %w1[0] [62] [1] : tensor<64xf64> to tensor<62xf64>
  %r2 = tensor.extract_slice %w1[2] [62] [1] : tensor<64xf64> to tensor<62xf64>
  %s2 = arith.mulf %l2, %r2 : tensor<62xf64>
  %w2 = tensor.insert_slice %s2 into %w1[1] [62] [1] : tensor<62xf64> into tensor<64xf64>
  %l3 = tensor.extract_slice %w2[0] [62] [1] : tensor<64xf64> to tensor<62xf64>
  %r3 = tensor.extract_slice %w2[2] [62] [1] : tensor<64xf64> to tensor<62xf64>
  %s3 = arith.mulf %l3, %r3 : tensor<62xf64>
  %w3 = tensor.insert_slice %s3 into %w2[1] [62] [1] : tensor<62xf64> into tensor<64xf64>
  return %w3 : tensor<64xf64>
}
