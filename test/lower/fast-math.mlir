// What may be assumed about float arithmetic, in the primal and in derivatives alike.
// RUN: ad-opt %s --lower-fast-math | FileCheck %s
// RUN: ad-opt %s --ad-optimize --lower-fast-math | FileCheck %s --check-prefix=DERIVATIVE
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-fast-math{flags=none})' | FileCheck %s --check-prefix=NONE
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-fast-math{flags=nnan,contract})' | FileCheck %s --check-prefix=SOME
// RUN: not ad-opt %s --pass-pipeline='builtin.module(lower-fast-math{flags=quick})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: ad-opt run %s --entry=gap --input=134217729.0 --input=18014398777917440.0 | FileCheck %s --check-prefix=ONCE
// RUN: ad-opt run %s --entry=gap --input=134217729.0 --input=18014398777917440.0 --fast-math=none | FileCheck %s --check-prefix=TWICE
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-fast-math{flags=limited-range})' | FileCheck %s --check-prefix=RANGE
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-fast-math{flags=fast})' | FileCheck %s --check-prefix=FAST
// RUN: ad-opt run %s --entry=quotient --input=1.0+2.0j --input=3.0-4.0j --fast-math=limited-range | FileCheck %s --check-prefix=QUOTIENT
// RUN: ad-opt run %s --entry=quotient --input=1.0+2.0j --input=3.0-4.0j | FileCheck %s --check-prefix=QUOTIENT
// RUN: ad-opt run %s --entry=quotient --input=1e200+1e200j --input=1e200+1e200j | FileCheck %s --check-prefix=WIDE
// RUN: ad-opt run %s --entry=quotient --input=1e200+1e200j --input=1e200+1e200j --fast-math=limited-range | FileCheck %s --check-prefix=OVERFLOW
// RUN: not ad-opt run %s --entry=gap --input=1.0 --input=1.0 --fast-math=quick 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: no fast-math flag 'quick'; there are none, reassoc, nnan, ninf, nsz, arcp, contract, afn, fast, reductions, limited-range, flush-subnormals

// The flags that are there stay; only what combines the elements of a reduction may be regrouped.
// CHECK-LABEL: func.func @norm
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract> : f64
// CHECK: math.sqrt %{{.*}} fastmath<ninf,contract> : f64
// NONE-LABEL: func.func @norm
// NONE-NOT: contract
// NONE: return
// SOME-LABEL: func.func @norm
// SOME: arith.addf %{{.*}}, %{{.*}} fastmath<nnan,contract> : f64
func.func @norm(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %squares = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %b = arith.mulf %a, %a : f64
    soac.yield %b : f64
  }
  %sum = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %norm = math.sqrt %sum fastmath<ninf> : f64
  return %norm : f64
}

// What a structured operation makes of an element of its result has no order either; what it computes of others has.
// CHECK-LABEL: func.func @squares
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract> : f64
// CHECK: linalg.yield
// NONE-LABEL: func.func @squares
// NONE-NOT: fastmath
// NONE: return
func.func @squares(%x: tensor<?x?xf64>, %init: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf64>) outs(%init : tensor<?xf64>) {
    ^bb0(%a: f64, %sum: f64):
      %square = arith.mulf %a, %a : f64
      %term = arith.addf %square, %a : f64
      %next = arith.addf %term, %sum : f64
      linalg.yield %next : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// What is taken off is added with the other sign, if the result is that of a reduction; what is left of something else is not.
// CHECK-LABEL: func.func @taken_off
// CHECK: %[[OPPOSITE:.*]] = arith.negf %[[A:.*]] fastmath<contract> : f64
// CHECK: %[[SUM:.*]] = arith.addf %[[OWN:.*]], %[[OPPOSITE]] fastmath<reassoc,contract> : f64
// CHECK: %[[LEFT:.*]] = arith.subf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK: linalg.yield %[[SUM]], %[[LEFT]]
// NONE-LABEL: func.func @taken_off
// NONE-COUNT-2: arith.subf
// NONE-NOT: fastmath
// NONE: return
func.func @taken_off(%x: tensor<?x?xf64>, %init: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf64>) outs(%init, %init : tensor<?xf64>, tensor<?xf64>) {
    ^bb0(%a: f64, %sum: f64, %other: f64):
      %next = arith.subf %sum, %a : f64
      %left = arith.subf %a, %other : f64
      linalg.yield %next, %left : f64, f64
  } -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// DERIVATIVE-LABEL: func.func @gradient
// DERIVATIVE: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract>
// DERIVATIVE: arith.divf %{{.*}}, %{{.*}} fastmath<{{.*}}contract>
// DERIVATIVE: return
func.func @gradient(%x: tensor<?xf64>, %seed: f64) -> (f64, tensor<?xf64>) {
  %r:2 = ad.vjp @norm(%x) seed(%seed) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#0, %r#1 : f64, tensor<?xf64>
}

// x^2 minus x^2 rounded: what rounding took away, unless the product is rounded, too.
// ONCE: 1.0
// TWICE: 0.0
func.func @gap(%x: f64, %rounded: f64) -> f64 {
  %square = arith.mulf %x, %x : f64
  %gap = arith.subf %square, %rounded : f64
  return %gap : f64
}

// (1 + 2i) / (3 - 4i) = (-5 + 10i) / 25. The plain formula overflows where the square of the divisor does.
// CHECK-LABEL: func.func @quotient
// CHECK: complex.div
// RANGE-LABEL: func.func @quotient
// RANGE-SAME: %[[X:[a-z0-9]+]]: complex<f64>, %[[Y:[a-z0-9]+]]: complex<f64>
// RANGE: %[[A:.*]] = complex.re %[[X]]
// RANGE: %[[B:.*]] = complex.im %[[X]]
// RANGE: %[[C:.*]] = complex.re %[[Y]]
// RANGE: %[[D:.*]] = complex.im %[[Y]]
// RANGE-NOT: complex.div
// RANGE: %[[RE:.*]] = arith.divf
// RANGE: %[[BC:.*]] = arith.mulf %[[B]], %[[C]] : f64
// RANGE: %[[AD:.*]] = arith.mulf %[[A]], %[[D]] : f64
// RANGE: arith.subf %[[BC]], %[[AD]] : f64
// RANGE: %[[IM:.*]] = arith.divf
// RANGE: complex.create %[[RE]], %[[IM]]
// FAST-LABEL: func.func @quotient
// FAST-NOT: complex.div
// FAST: arith.divf %{{.*}}, %{{.*}} fastmath<fast> : f64
// QUOTIENT: {{^}}-0.2+0.4j
// WIDE: {{^}}1.0+0.0j
// OVERFLOW: nan+nanj
func.func @quotient(%x: complex<f64>, %y: complex<f64>) -> complex<f64> {
  %z = complex.div %x, %y : complex<f64>
  return %z : complex<f64>
}
