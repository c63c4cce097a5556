// A neutral element with a tangent counts once, however many threads or blocks fold parts: with all tangents 1, the product of
// n ones has the tangent n + 1. In a histogram it does not count: the destination takes its place.
// DEFINE: %{entry} =
// DEFINE: %{run} = ad-opt run %s --entry=%{entry} --input=40000
// DEFINE: %{all} = %{run} > %t.1 && %{run} --threads=2 > %t.2 && %{run} --target=gpu-emulate > %t.3 && cat %t.1 %t.2 %t.3
// REDEFINE: %{entry} = reduce_jvp
// RUN: %{all} | FileCheck %s --check-prefix=REDUCE
// REDUCE-COUNT-3: {{^}}40001.0{{$}}
// REDUCE-NOT: {{.}}
// REDEFINE: %{entry} = inclusive_jvp
// RUN: %{all} | FileCheck %s --check-prefix=INCLUSIVE
// INCLUSIVE-COUNT-3: {{^}}[2.0, 3.0, {{.*}}, 40000.0, 40001.0]{{$}}
// REDEFINE: %{entry} = exclusive_jvp
// RUN: %{all} | FileCheck %s --check-prefix=EXCLUSIVE
// EXCLUSIVE-COUNT-3: {{^}}[40000.0, 39999.0, {{.*}}, 2.0, 1.0]{{$}}
// REDEFINE: %{entry} = hist_jvp
// RUN: %{all} | FileCheck %s --check-prefix=HIST
// HIST-COUNT-3: {{^}}[40001.0]{{$}}

func.func @reduce(%xs: tensor<?xf64>, %e: f64) -> f64 {
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  return %y : f64
}
func.func @reduce_jvp(%n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %xs = tensor.splat %one[%n] : tensor<?xf64>
  %y:2 = ad.jvp @reduce(%xs, %one) seed(%xs, %one) : (tensor<?xf64>, f64), (tensor<?xf64>, f64) -> (f64, f64)
  return %y#1 : f64
}

func.func @inclusive(%xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = soac.scan ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  return %y : tensor<?xf64>
}
func.func @inclusive_jvp(%n: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %xs = tensor.splat %one[%n] : tensor<?xf64>
  %y:2 = ad.jvp @inclusive(%xs, %one) seed(%xs, %one) : (tensor<?xf64>, f64), (tensor<?xf64>, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %y#1 : tensor<?xf64>
}

func.func @exclusive(%xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = soac.scan ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) attributes {exclusive, reverse} {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  return %y : tensor<?xf64>
}
func.func @exclusive_jvp(%n: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %xs = tensor.splat %one[%n] : tensor<?xf64>
  %y:2 = ad.jvp @exclusive(%xs, %one) seed(%xs, %one) : (tensor<?xf64>, f64), (tensor<?xf64>, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %y#1 : tensor<?xf64>
}

// All in one bin, whose destination moves, too.
func.func @hist(%xs: tensor<?xf64>, %d: tensor<1xf64>, %e: f64) -> tensor<1xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %is = soac.replicate %c0, %n : index -> tensor<?xindex>
  %y = soac.hist at(%is : tensor<?xindex>) ins(%xs : tensor<?xf64>) into(%d : tensor<1xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  return %y : tensor<1xf64>
}
func.func @hist_jvp(%n: index) -> tensor<1xf64> {
  %one = arith.constant 1.0 : f64
  %xs = tensor.splat %one[%n] : tensor<?xf64>
  %d = tensor.from_elements %one : tensor<1xf64>
  %y:2 = ad.jvp @hist(%xs, %d, %one) seed(%xs, %d, %one) : (tensor<?xf64>, tensor<1xf64>, f64), (tensor<?xf64>, tensor<1xf64>, f64) -> (tensor<1xf64>, tensor<1xf64>)
  return %y#1 : tensor<1xf64>
}
