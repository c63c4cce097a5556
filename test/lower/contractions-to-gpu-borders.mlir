// Contractions whose terms end at a border, are made of several arrays, or have parts that are the same for all of a sum,
// have the values of the CPU on an emulated GPU (F49): in tiles of all shapes, with whole and split sums.
//
// DEFINE: %{targets} = %python %S/../bench/Inputs/compare_targets.py %s --range=-1:1
//
// A thread for each element; few rows and many columns, or few of both; large tiles that the border cuts, and some behind it;
// split sums; sizes of 1.
// RUN: %{targets} --entry=lower --tolerance=1e-13 '<f8(1,2,2) <f8(3,2) <f8(1,2) <f8(1,3,2)' \
// RUN:   '<f8(3,20,20) <f8(70,20) <f8(3,20) <f8(3,70,20)' '<f8(2,66,66) <f8(130,66) <f8(2,66) <f8(2,130,66)' \
// RUN:   '<f8(1,9,9) <f8(700,9) <f8(1,9) <f8(1,700,9)' '<f8(1,1,1) <f8(1,1) <f8(1,1) <f8(1,1,1)'
// RUN: %{targets} --entry=strict --tolerance=1e-13 '<f8(1,2,2) <f8(3,2) <f8(1,2) <f8(1,3,2)' \
// RUN:   '<f8(3,20,20) <f8(70,20) <f8(3,20) <f8(3,70,20)' '<f8(2,66,66) <f8(130,66) <f8(2,66) <f8(2,130,66)' \
// RUN:   '<f8(1,9,9) <f8(700,9) <f8(1,9) <f8(1,700,9)' '<f8(1,1,1) <f8(1,1) <f8(1,1) <f8(1,1,1)'
// RUN: %{targets} --entry=gram --tolerance=1e-13 '<f8(1,3) <f8(3,2) <f8(1,2) <f8(1,2,2)' \
// RUN:   '<f8(3,70) <f8(70,20) <f8(3,20) <f8(3,20,20)' '<f8(2,130) <f8(130,66) <f8(2,66) <f8(2,66,66)' \
// RUN:   '<f8(1,700) <f8(700,9) <f8(1,9) <f8(1,9,9)' '<f8(1,1) <f8(1,1) <f8(1,1) <f8(1,1,1)'
// RUN: %{targets} --entry=moment --tolerance=1e-13 '<f8(1,3) <f8(3,2) <f8(1,2) <f8(1,2)' \
// RUN:   '<f8(3,70) <f8(70,20) <f8(3,20) <f8(3,20)' '<f8(2,130) <f8(130,66) <f8(2,66) <f8(2,66)' \
// RUN:   '<f8(1,700) <f8(700,9) <f8(1,9) <f8(1,9)' '<f8(1,1) <f8(1,1) <f8(1,1) <f8(1,1)'
// RUN: %{targets} --entry=both --tolerance=1e-13 '<f8(1,2,2) <f8(1,2,2) <f8(1,2,2)' '<f8(3,20,20) <f8(3,20,20) <f8(3,20,20)' \
// RUN:   '<f8(2,66,66) <f8(2,66,66) <f8(2,66,66)' '<f8(1,9,9) <f8(1,9,9) <f8(1,9,9)' '<f8(1,1,1) <f8(1,1,1) <f8(1,1,1)'
//
// On tensor cores, which add whole fragments: behind a border there are zeros. Subgroups whose rows end before the tile of
// summands leave it out.
// RUN: ad-opt %s --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries=1},lower-contractions-to-gpu{tensor-cores=f64})' \
// RUN:   | FileCheck %s
// CHECK-LABEL: func.func @lower(
// CHECK: scf.if %{{[0-9]+}} -> (!gpu.mma_matrix<8x8xf64, "COp">,
// CHECK: gpu.subgroup_mma_compute
// CHECK: } else {
// CHECK-NEXT: scf.yield {{.*}}!gpu.mma_matrix<8x8xf64, "COp">
// CHECK-LABEL: func.func @strict(
// CHECK: gpu.subgroup_mma_compute
// What is in a result with a border is read behind the loop, where its elements are asked for.
// CHECK-LABEL: func.func @gram(
// CHECK: gpu.launch
// CHECK-NOT: memref.load {{.*}} : memref<?x?x?xf64
// CHECK: gpu.subgroup_mma_compute
// CHECK: gpu.subgroup_mma_extract_thread_local
// CHECK: memref.load {{.*}} : memref<?x?x?xf64
// CHECK-NEXT: scf.yield
// CHECK-LABEL: func.func @both(
// CHECK: gpu.subgroup_mma_compute
// RUN: %{targets} --entry=lower --tolerance=1e-12 --tensor-cores=f64 '<f8(2,66,66) <f8(130,66) <f8(2,66) <f8(2,130,66)'
// RUN: %{targets} --entry=strict --tolerance=1e-12 --tensor-cores=f64 '<f8(2,66,66) <f8(130,66) <f8(2,66) <f8(2,130,66)'
// RUN: %{targets} --entry=gram --tolerance=1e-12 --tensor-cores=f64 '<f8(2,130) <f8(130,66) <f8(2,66) <f8(2,66,66)'
// RUN: %{targets} --entry=both --tolerance=1e-12 --tensor-cores=f64 '<f8(2,66,66) <f8(2,66,66) <f8(2,66,66)'

#q = affine_map<(k, n, r, c) -> (k, r, c)>
#x = affine_map<(k, n, r, c) -> (n, c)>
#m = affine_map<(k, n, r, c) -> (k, c)>
#z = affine_map<(k, n, r, c) -> (k, n, r)>
// A sum for each row, up to its number; one factor is a difference.
func.func @lower(%q: tensor<?x?x?xf64>, %x: tensor<?x?xf64>, %m: tensor<?x?xf64>, %z: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = linalg.generic {indexing_maps = [#q, #x, #m, #z], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %x, %m : tensor<?x?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) outs(%z : tensor<?x?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %u = arith.subf %b, %c : f64
    %p = arith.mulf %a, %u : f64
    %row = linalg.index 2 : index
    %col = linalg.index 3 : index
    %in = arith.cmpi ule, %col, %row : index
    %t = arith.select %in, %p, %zero : f64
    %s = arith.addf %d, %t : f64
    linalg.yield %s : f64
  } -> tensor<?x?x?xf64>
  return %y : tensor<?x?x?xf64>
}
// The same without the diagonal.
func.func @strict(%q: tensor<?x?x?xf64>, %x: tensor<?x?xf64>, %m: tensor<?x?xf64>, %z: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = linalg.generic {indexing_maps = [#q, #x, #m, #z], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %x, %m : tensor<?x?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) outs(%z : tensor<?x?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %u = arith.subf %b, %c : f64
    %p = arith.mulf %a, %u : f64
    %row = linalg.index 2 : index
    %col = linalg.index 3 : index
    %in = arith.cmpi ult, %col, %row : index
    %t = arith.select %in, %p, %zero : f64
    %s = arith.addf %d, %t : f64
    linalg.yield %s : f64
  } -> tensor<?x?x?xf64>
  return %y : tensor<?x?x?xf64>
}
// Lower triangles of results.
#w = affine_map<(k, r, c, i) -> (k, i)>
#xr = affine_map<(k, r, c, i) -> (i, r)>
#mr = affine_map<(k, r, c, i) -> (k, r)>
#xc = affine_map<(k, r, c, i) -> (i, c)>
#mc = affine_map<(k, r, c, i) -> (k, c)>
#s = affine_map<(k, r, c, i) -> (k, r, c)>
func.func @gram(%w: tensor<?x?xf64>, %x: tensor<?x?xf64>, %m: tensor<?x?xf64>, %z: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = linalg.generic {indexing_maps = [#w, #xr, #mr, #xc, #mc, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %x, %m, %x, %m : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) outs(%z : tensor<?x?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64, %e: f64, %f: f64):
    %u = arith.subf %b, %c : f64
    %v = arith.subf %d, %e : f64
    %p = arith.mulf %a, %u : f64
    %t0 = arith.mulf %p, %v : f64
    %row = linalg.index 1 : index
    %col = linalg.index 2 : index
    %in = arith.cmpi ule, %col, %row : index
    %t = arith.select %in, %t0, %zero : f64
    %s = arith.addf %f, %t : f64
    linalg.yield %s : f64
  } -> tensor<?x?x?xf64>
  return %y : tensor<?x?x?xf64>
}
// What is subtracted is the same for all of a sum.
#mw = affine_map<(k, r, i) -> (k, i)>
#mx = affine_map<(k, r, i) -> (i, r)>
#mm = affine_map<(k, r, i) -> (k, r)>
func.func @moment(%w: tensor<?x?xf64>, %x: tensor<?x?xf64>, %m: tensor<?x?xf64>, %z: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %y = linalg.generic {indexing_maps = [#mw, #mx, #mm, #mm], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %x, %m : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) outs(%z : tensor<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %u = arith.subf %b, %c : f64
    %p = arith.mulf %a, %u : f64
    %s = arith.addf %d, %p : f64
    linalg.yield %s : f64
  } -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}
// Lower triangles of products of lower triangles: two borders.
#br = affine_map<(k, r, c, s) -> (k, r, s)>
#bc = affine_map<(k, r, c, s) -> (k, c, s)>
#bz = affine_map<(k, r, c, s) -> (k, r, c)>
func.func @both(%a: tensor<?x?x?xf64>, %b: tensor<?x?x?xf64>, %z: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = linalg.generic {indexing_maps = [#br, #bc, #bz], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?x?xf64>, tensor<?x?x?xf64>) outs(%z : tensor<?x?x?xf64>) {
  ^bb0(%p: f64, %q: f64, %d: f64):
    %pq = arith.mulf %p, %q : f64
    %r = linalg.index 1 : index
    %c = linalg.index 2 : index
    %s = linalg.index 3 : index
    %in_row = arith.cmpi ule, %c, %r : index
    %in_sum = arith.cmpi ule, %s, %r : index
    %in = arith.andi %in_row, %in_sum : i1
    %t = arith.select %in, %pq, %zero : f64
    %e = arith.addf %d, %t : f64
    linalg.yield %e : f64
  } -> tensor<?x?x?xf64>
  return %y : tensor<?x?x?xf64>
}
