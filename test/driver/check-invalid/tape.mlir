// The interpreter tells what machine code would do to memory: an entry that is not there, a tape that stays [Z15].
// RUN: not ad-opt check %s --entry=empty --input=1 --engine=interpreter 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not ad-opt check %s --entry=stays --input=1 --engine=interpreter 2>&1 | FileCheck %s --check-prefix=STAYS

// EMPTY: [[#@LINE+3]]:{{[0-9]+}}: error: 'ad.tape_pop' op takes an entry off a tape that is empty
func.func @empty(%x: f64) -> f64 {
  %t = ad.tape_create : !ad.tape<f64>
  %y = ad.tape_pop %t : !ad.tape<f64>
  ad.tape_push %t, %x : !ad.tape<f64>
  ad.tape_free %t : !ad.tape<f64>
  %z = arith.addf %x, %y : f64
  return %z : f64
}

// STAYS: error: a tape is never freed
func.func @stays(%x: f64) -> f64 {
  %t = ad.tape_create : !ad.tape<f64>
  ad.tape_push %t, %x : !ad.tape<f64>
  func.call @look() : () -> ()
  %y = ad.tape_pop %t : !ad.tape<f64>
  return %y : f64
}
func.func private @look() attributes {no_inline} {
  return
}
