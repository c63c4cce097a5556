// Where nothing can be compared, a check does not pass, and says why.
// RUN: not ad-opt check %s --entry=log --input=0 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not ad-opt check %s --entry=log --input=-1 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not ad-opt check %s --entry=id --input=nan 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not ad-opt check %s --entry=id --input=inf 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not ad-opt check %s --entry=root --input=0 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: not ad-opt check %s --entry=steep --input=0 2>&1 | FileCheck %s --check-prefix=STEEP
// RUN: not ad-opt check %s --entry=power --input=3 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not ad-opt check %s --entry=partly --input=1.5 2>&1 | FileCheck %s --check-prefix=PARTLY

// INFINITE: {{^}}0 f64 - {{.*}} inconclusive (results are not finite)
// INFINITE: error: the check of @{{.*}} is inconclusive: for argument 0 results are not finite
func.func @log(%x: f64) -> f64 {
  %y = math.log %x : f64
  return %y : f64
}
func.func @id(%x: f64) -> f64 {
  return %x : f64
}

// BESIDE: {{^}}0 f64 - {{.*}} inconclusive (results are not finite beside the inputs)
func.func @root(%x: f64) -> f64 {
  %y = math.sqrt %x : f64
  return %y : f64
}

// STEEP: {{^}}0 f64 - {{.*}} inconclusive (differences do not converge)
func.func @steep(%x: f64) -> f64 {
  %y = math.cbrt %x : f64
  return %y : f64
}

// Powers of a negative number are numbers at integers only: there is no derivative, and the cotangent is NaN.
// POWER: {{^}}0 f64 {{.*}} inconclusive (results are not finite beside the inputs)
func.func @power(%p: f64) -> f64 {
  %x = arith.constant -2.0 : f64
  %y = math.powf %x, %p : f64
  return %y : f64
}

// The cotangent adds up both, of which one is NaN.
// PARTLY: {{^}}0 f64 {{.*}} inconclusive (results are not finite)
func.func @partly(%x: f64) -> (f64, f64) {
  %y = math.sin %x : f64
  %z = math.asin %x : f64
  return %y, %z : f64, f64
}
