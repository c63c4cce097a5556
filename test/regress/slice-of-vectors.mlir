// Slices of tensors of vectors, as the tapes of inner loops that carry vectors are: the interpreter has the elements of a
// vector as innermost dimensions, and took them for dimensions of the slice.
// RUN: ad-opt check %s --entry=rows --input=3.0 --engine=interpreter | FileCheck %s
// RUN: ad-opt check %s --entry=rows --input=3.0 | FileCheck %s
// RUN: ad-opt run %s --entry=rows --input=3.0 | FileCheck %s --check-prefix=VALUE

// CHECK: {{^}}0 {{.*}} ok
// 3 + 6 from the row that was inserted, and 1 from the one that was there.
// VALUE: {{^}}10.0
func.func @rows(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ones = arith.constant dense<1.0> : vector<2xf64>
  %two = arith.constant 2.0 : f64
  %double = arith.mulf %x, %two : f64
  %pair = vector.from_elements %x, %double : vector<2xf64>
  %row = tensor.splat %pair[%c3] : tensor<?xvector<2xf64>>
  %all = tensor.splat %ones[%c2, %c3] : tensor<?x?xvector<2xf64>>
  %new = tensor.insert_slice %row into %all[%c1, 0] [1, %c3] [1, 1] : tensor<?xvector<2xf64>> into tensor<?x?xvector<2xf64>>
  %first = tensor.extract_slice %new[%c0, %c1] [1, %c2] [1, 1] : tensor<?x?xvector<2xf64>> to tensor<?xvector<2xf64>>
  %last = tensor.extract_slice %new[%c1, %c1] [1, %c2] [1, 1] : tensor<?x?xvector<2xf64>> to tensor<?xvector<2xf64>>
  %old = tensor.extract %first[%c0] : tensor<?xvector<2xf64>>
  %other = tensor.extract %last[%c1] : tensor<?xvector<2xf64>>
  %a = vector.extract %old[1] : f64 from vector<2xf64>
  %b = vector.reduction <add>, %other : vector<2xf64> into f64
  %y = arith.addf %a, %b : f64
  return %y : f64
}
