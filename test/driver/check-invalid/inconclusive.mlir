// Where nothing can be compared, a check does not pass, and says why.
// RUN: not ad-opt check %s --entry=log --input=0 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not ad-opt check %s --entry=log --input=-1 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not ad-opt check %s --entry=id --input=nan 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not ad-opt check %s --entry=id --input=inf 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not ad-opt check %s --entry=root --input=0 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: not ad-opt check %s --entry=steep --input=0 2>&1 | FileCheck %s --check-prefix=STEEP

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
