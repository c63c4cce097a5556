// What slices are put together of is made at once, element by element (F45): a step of a stencil and one of its derivative are a
// kernel each, in place of one for each operation.
// RUN: ad-opt %s --ad-fuse-slices --canonicalize --cse | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-optimize,ad-make-kernels)' | FileCheck %s --check-prefix=KERNELS
// DEFINE: %{n} = 2
// DEFINE: %{same} = %python %S/../bench/Inputs/random_npy.py %t.u.npy '<f8' '(%{n},)' -1 1 && ad-opt run %s --entry=gradient --input=%t.u.npy --input=0.2 --input=5 > %t.cpu && ad-opt run %s --entry=gradient --input=%t.u.npy --input=0.2 --input=5 --target=gpu-emulate --repeat=1 > %t.gpu 2> %t.launches && %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-12
// There is nothing inside, or one element; several blocks.
// RUN: %{same}
// REDEFINE: %{n} = 3
// RUN: %{same}
// REDEFINE: %{n} = 1000
// RUN: %{same}
// Five for each of five steps: a step and a copy of what is kept; on the way back a copy of that, a step and terms of a sum.
// RUN: FileCheck %s --check-prefix=LAUNCHES < %t.launches
// LAUNCHES: "launches":29,

#all = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @step(
// CHECK-SAME:  %[[U:[a-z0-9]+]]: tensor<?xf64>, %[[C:[a-z0-9]+]]: f64
// CHECK-NOT:   tensor.insert_slice
// CHECK:       %[[IS:.*]] = soac.iota %[[N:.*]] :
// CHECK:       soac.map ins(%[[IS]] : {{.*}}) (%[[I:.*]]: index)
// CHECK:         %[[J:.*]] = arith.subi %[[I]], %c1
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult, %[[J]], %{{.*}}
// CHECK:         %[[OLD:.*]] = tensor.extract %[[U]][%[[I]]]
// CHECK:         scf.if %[[INSIDE]]
// CHECK:           tensor.extract %[[U]][%[[J]]]
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[OLD]]
// CHECK:       return
// KERNELS-LABEL: func.func @gradient(
// KERNELS-COUNT-2: scf.for
// KERNELS-NOT: linalg.generic
func.func @step(%u: tensor<?xf64>, %c: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %two = arith.constant 2.0 : f64
  %n = tensor.dim %u, %c0 : tensor<?xf64>
  %m = arith.subi %n, %c2 : index
  %l = tensor.extract_slice %u[0] [%m] [1] : tensor<?xf64> to tensor<?xf64>
  %o = tensor.extract_slice %u[1] [%m] [1] : tensor<?xf64> to tensor<?xf64>
  %r = tensor.extract_slice %u[2] [%m] [1] : tensor<?xf64> to tensor<?xf64>
  %e = tensor.empty(%m) : tensor<?xf64>
  %new = linalg.generic {indexing_maps = [#all, #all, #all, #all], iterator_types = ["parallel"]}
      ins(%l, %o, %r : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) outs(%e : tensor<?xf64>) {
  ^bb0(%a: f64, %b: f64, %d: f64, %out: f64):
    %s = arith.addf %a, %d : f64
    %b2 = arith.mulf %two, %b : f64
    %q = arith.subf %s, %b2 : f64
    %cq = arith.mulf %c, %q : f64
    %x = arith.addf %b, %cq : f64
    linalg.yield %x : f64
  } -> tensor<?xf64>
  %w = tensor.insert_slice %new into %u[1] [%m] [1] : tensor<?xf64> into tensor<?xf64>
  return %w : tensor<?xf64>
}

func.func private @loss(%u0: tensor<?xf64>, %c: f64, %steps: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %u = scf.for %t = %c0 to %steps step %c1 iter_args(%v = %u0) -> (tensor<?xf64>) {
    %w = func.call @step(%v, %c) : (tensor<?xf64>, f64) -> tensor<?xf64>
    scf.yield %w : tensor<?xf64>
  }
  %squares = soac.map ins(%u : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  %sum = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  return %sum : f64
}

func.func @gradient(%u: tensor<?xf64>, %c: f64, %steps: index) -> (tensor<?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %y, %ub, %cb = ad.vjp @loss(%u, %c, %steps) seed(%one) : (tensor<?xf64>, f64, index), (f64) -> (f64, tensor<?xf64>, f64)
  return %ub, %cb : tensor<?xf64>, f64
}
