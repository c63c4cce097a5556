// Results print with all their digits, one after the other.
// RUN: ad-opt run %s --entry=scalars --input=0.1 --input=-7 --input=true --input=1-2j --input=3 --input=1.5 | FileCheck %s --check-prefix=SCALARS
// RUN: ad-opt run %s --entry=specials --input=inf --input=-inf --input=nan --input=-0 | FileCheck %s --check-prefix=SPECIALS
// RUN: ad-opt run %s --entry=arrays | FileCheck %s --check-prefix=ARRAYS --match-full-lines --strict-whitespace
// RUN: ad-opt run %s --entry=nothing | count 0
// RUN: ad-opt run %s --entry=long --input=200000 2>&1 | FileCheck %s --check-prefix=LONG

// SCALARS: {{^}}0.1{{$}}
// SCALARS-NEXT: {{^}}-7{{$}}
// SCALARS-NEXT: {{^}}true{{$}}
// SCALARS-NEXT: {{^}}1.0-2.0j{{$}}
// SCALARS-NEXT: {{^}}3{{$}}
// SCALARS-NEXT: {{^}}1.5{{$}}
func.func @scalars(%a: f64, %b: i16, %c: i1, %d: complex<f32>, %e: index, %f: bf16)
    -> (f64, i16, i1, complex<f32>, index, bf16) {
  return %a, %b, %c, %d, %e, %f : f64, i16, i1, complex<f32>, index, bf16
}

// SPECIALS: inf
// SPECIALS-NEXT: -inf
// SPECIALS-NEXT: nan
// SPECIALS-NEXT: -0.0
func.func @specials(%a: f64, %b: f32, %c: f16, %d: f64) -> (f64, f32, f16, f64) {
  return %a, %b, %c, %d : f64, f32, f16, f64
}

//      ARRAYS:{{\[\[}}1.0, 2.0],
// ARRAYS-NEXT: [3.0, 0.1]]
// ARRAYS-NEXT:{{\[\[\[}}1],
// ARRAYS-NEXT:  [2]],
// ARRAYS-EMPTY:
// ARRAYS-NEXT: {{\[\[}}3],
// ARRAYS-NEXT:  [4]]]
// ARRAYS-NEXT:[true, false]
// ARRAYS-NEXT:[]
// ARRAYS-NEXT:[]  # shape (0, 3)
// ARRAYS-NEXT:5.5
func.func @arrays() -> (tensor<2x2xf32>, tensor<2x2x1xi8>, tensor<2xi1>, tensor<0xf64>, tensor<0x3xf64>, tensor<f64>) {
  %0 = arith.constant dense<[[1.0, 2.0], [3.0, 0.1]]> : tensor<2x2xf32>
  %1 = arith.constant dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi8>
  %2 = arith.constant dense<[true, false]> : tensor<2xi1>
  %3 = arith.constant dense<> : tensor<0xf64>
  %4 = arith.constant dense<> : tensor<0x3xf64>
  %5 = arith.constant dense<5.5> : tensor<f64>
  return %0, %1, %2, %3, %4, %5
    : tensor<2x2xf32>, tensor<2x2x1xi8>, tensor<2xi1>, tensor<0xf64>, tensor<0x3xf64>, tensor<f64>
}

func.func @nothing() {
  return
}

// LONG-DAG: [0, 1, 2, ..., 199997, 199998, 199999]
// LONG-DAG: note: result 0 is elided; --output-dir=DIR writes all of it
func.func @long(%n: index) -> tensor<?xindex> {
  %0 = soac.iota %n : tensor<?xindex>
  return %0 : tensor<?xindex>
}
