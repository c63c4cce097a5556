// The two sweeps give what they give as one function, on the CPU and on a GPU.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/../driver/Inputs/npy.py %t/x.npy '<f8' '(2, 3)' 0.3 -0.4 1.1 0.9 -1.2 0.2
// RUN: %python %S/../driver/Inputs/npy.py %t/w.npy '<f8' '(3, 3)' 0.5 0.1 -0.7 0.2 0.8 -0.3 -0.6 0.4 0.9
// RUN: %python %S/../driver/Inputs/npy.py %t/seed.npy '<f8' '(2, 3)' 1.0 0.5 -2.0 0.25 1.5 -1.0
// RUN: ad-opt %s --ad-generate="function=cell mode=split wrt=0,1" --ad-optimize -o %t/split.mlir
// RUN: ad-opt run %s --entry=cell --input=%t/x.npy --input=%t/w.npy --input=5 >%t/values
// RUN: ad-opt run %s --entry=bars --input=%t/x.npy --input=%t/w.npy --input=5 --input=%t/seed.npy --input=0.5 >%t/bars

// DEFINE: %{target} =
// DEFINE: %{forward} = ad-opt run %t/split.mlir --target=%{target} --entry=cell_forward --input=%t/x.npy --input=%t/w.npy --input=5
// DEFINE: %{backward} = ad-opt run %t/split.mlir --target=%{target} --entry=cell_backward --input=%t/x.npy --input=%t/w.npy --input=5 --input=%t/%{target}/0.npy --input=%t/%{target}/1.npy --input=%t/%{target}/2.npy --input=%t/%{target}/3.npy --input=%t/seed.npy --input=0.5
// DEFINE: %{compare} = %python %S/../bench/Inputs/compare.py

// REDEFINE: %{target} = cpu
// RUN: %{forward} --output-dir=%t/%{target} && %{forward} | head -n 3 >%t/forward
// RUN: %{backward} >%t/backward
// RUN: %{compare} %t/values %t/forward 1e-13
// RUN: %{compare} %t/bars %t/backward 1e-13

// REDEFINE: %{target} = gpu-emulate
// RUN: %{forward} --output-dir=%t/%{target} && %{forward} | head -n 3 >%t/forward
// RUN: %{backward} >%t/backward
// RUN: %{compare} %t/values %t/forward 1e-13
// RUN: %{compare} %t/bars %t/backward 1e-13

// n times x = tanh(x w) + x; the rows of x, and the sum of the squares of the last.
func.func @cell(%x: tensor<?x?xf64>, %w: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = tensor.dim %x, %c0 : tensor<?x?xf64>
  %columns = tensor.dim %w, %c1 : tensor<?x?xf64>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> tensor<?x?xf64> {
    %empty = tensor.empty(%rows, %columns) : tensor<?x?xf64>
    %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?xf64>) -> tensor<?x?xf64>
    %product = linalg.matmul ins(%p, %w : tensor<?x?xf64>, tensor<?x?xf64>) outs(%zeros : tensor<?x?xf64>) -> tensor<?x?xf64>
    %t = math.tanh %product : tensor<?x?xf64>
    %q = arith.addf %t, %p : tensor<?x?xf64>
    scf.yield %q : tensor<?x?xf64>
  }
  %squares = arith.mulf %end, %end : tensor<?x?xf64>
  %sums = soac.map ins(%squares : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %sum = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %sum : f64
  }
  %sum = soac.reduce ins(%sums : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %end, %sum : tensor<?x?xf64>, f64
}
func.func @bars(%x: tensor<?x?xf64>, %w: tensor<?x?xf64>, %n: index, %end_bar: tensor<?x?xf64>, %sum_bar: f64)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %end, %sum, %x_bar, %w_bar = ad.vjp @cell(%x, %w, %n) seed(%end_bar, %sum_bar) {wrt = array<i64: 0, 1>}
      : (tensor<?x?xf64>, tensor<?x?xf64>, index), (tensor<?x?xf64>, f64)
      -> (tensor<?x?xf64>, f64, tensor<?x?xf64>, tensor<?x?xf64>)
  return %x_bar, %w_bar : tensor<?x?xf64>, tensor<?x?xf64>
}

// A function that holds a request is split like any other: what goes back takes the derivative of a derivative.
// RUN: ad-opt %s --ad-generate="function=slope mode=split" --ad-optimize -o %t/slope.mlir
// RUN: ad-opt run %t/slope.mlir --entry=slope_forward --input=0.5 | FileCheck %s --check-prefix=SLOPE
// The derivative of x sin x at 0.5 is sin 0.5 + 0.5 cos 0.5, and that of this 2 cos 0.5 - 0.5 sin 0.5.
// SLOPE: 0.918216{{[0-9]+}}
// RUN: ad-opt %t/slope.mlir --ad-generate="function=slope_backward mode=jvp wrt=1 name=linear" -o %t/linear.mlir
// RUN: FileCheck %s --check-prefix=LINEAR --input-file=%t/linear.mlir
// LINEAR: func.func @linear(
func.func @curve(%x: f64) -> f64 {
  %s = math.sin %x : f64
  %y = arith.mulf %x, %s : f64
  return %y : f64
}
func.func @slope(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @curve(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
