// Parts of long sums are added four, two and one at a time (F49): of 1 to 9 parts of 64 summands or more, whose numbers are whole,
// the sums are those on the CPU.
// DEFINE: %{summands} = 64
// DEFINE: %{same} = ad-opt run %s --entry=product --input=%{summands} > %t.cpu && ad-opt run %s --entry=product --input=%{summands} --target=gpu-emulate > %t.gpu && diff %t.cpu %t.gpu
// RUN: %{same}
// REDEFINE: %{summands} = 128
// RUN: %{same}
// REDEFINE: %{summands} = 200
// RUN: %{same}
// REDEFINE: %{summands} = 256
// RUN: %{same}
// REDEFINE: %{summands} = 330
// RUN: %{same}
// REDEFINE: %{summands} = 400
// RUN: %{same}
// REDEFINE: %{summands} = 470
// RUN: %{same}
// REDEFINE: %{summands} = 600
// RUN: %{same}
//
// One kernel for each factor, one for the parts, and one that adds them.
// RUN: ad-opt run %s --entry=product --input=470 --target=gpu-emulate --emulate-report=%t.json > /dev/null && FileCheck %s --input-file=%t.json
// CHECK: "product_kernel_2.product_kernel_2":
func.func @product(%k: index) -> tensor<24x20xf64> {
  %zero = arith.constant 0.0 : f64
  %c3 = arith.constant 3 : index
  %c11 = arith.constant 11 : index
  %a = tensor.generate %k {
  ^bb0(%i: index, %l: index):
    %t = arith.muli %l, %c3 : index
    %s = arith.addi %i, %t : index
    %r = arith.remui %s, %c11 : index
    %n = arith.index_cast %r : index to i64
    %x = arith.sitofp %n : i64 to f64
    tensor.yield %x : f64
  } : tensor<24x?xf64>
  %b = tensor.generate %k {
  ^bb0(%l: index, %j: index):
    %t = arith.muli %j, %c3 : index
    %s = arith.addi %l, %t : index
    %r = arith.remui %s, %c11 : index
    %n = arith.index_cast %r : index to i64
    %x = arith.sitofp %n : i64 to f64
    tensor.yield %x : f64
  } : tensor<?x20xf64>
  %e = tensor.empty() : tensor<24x20xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<24x20xf64>) -> tensor<24x20xf64>
  %c = linalg.matmul ins(%a, %b : tensor<24x?xf64>, tensor<?x20xf64>) outs(%z : tensor<24x20xf64>) -> tensor<24x20xf64>
  return %c : tensor<24x20xf64>
}
