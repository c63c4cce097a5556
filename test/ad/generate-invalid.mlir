// Wrong options of ad-generate are errors, and nothing is written [M15].
// RUN: not ad-opt %s --ad-generate="function=nowhere mode=vjp" 2>&1 >%t | FileCheck %s --check-prefix=FUNCTION
// RUN: FileCheck %s --check-prefix=NOTHING --allow-empty --input-file=%t
// RUN: not ad-opt %s --ad-generate="mode=vjp" 2>&1 >%t | FileCheck %s --check-prefix=MISSING
// RUN: not ad-opt %s --ad-generate="function=f mode=backwards" 2>&1 >%t | FileCheck %s --check-prefix=MODE
// RUN: not ad-opt %s --ad-generate="function=f mode=vjp wrt=7" 2>&1 >%t | FileCheck %s --check-prefix=RANGE
// RUN: not ad-opt %s --ad-generate="function=f mode=vjp wrt=-1" 2>&1 >%t | FileCheck %s --check-prefix=NEGATIVE
// RUN: not ad-opt %s --ad-generate="function=f mode=vjp wrt=0,0" 2>&1 >%t | FileCheck %s --check-prefix=TWICE
// RUN: not ad-opt %s --ad-generate="function=f mode=vjp wrt=1" 2>&1 >%t | FileCheck %s --check-prefix=INTEGER
// RUN: not ad-opt %s --ad-generate="function=f mode=vjp name=taken" 2>&1 >%t | FileCheck %s --check-prefix=NAME
// RUN: not ad-opt %s --ad-generate="function=integers mode=vjp" 2>&1 >%t | FileCheck %s --check-prefix=NONE
// RUN: not ad-opt %s --ad-generate="function=two mode=gradient" 2>&1 >%t | FileCheck %s --check-prefix=GRADIENT
// RUN: not ad-opt %s --ad-generate="function=array mode=gradient" 2>&1 >%t | FileCheck %s --check-prefix=GRADIENT
// RUN: not ad-opt %s --ad-generate="function=global mode=vjp" 2>&1 >%t | FileCheck %s --check-prefix=KIND
// RUN: not ad-opt %s --ad-generate="function=external mode=vjp" 2>&1 >%t | FileCheck %s --check-prefix=BODY
// RUN: not ad-opt %s --ad-generate="function=f wrt=x" 2>&1 >%t | FileCheck %s --check-prefix=NUMBER
// RUN: not ad-opt %s --ad-generate="function=f speed=high" 2>&1 >%t | FileCheck %s --check-prefix=OPTION

// NOTHING-NOT: func.func
// FUNCTION: error: {{.*}}has no function '@nowhere'
// MISSING: error: {{.*}}needs the name of a function: function=NAME
// MODE: error: {{.*}}mode 'backwards' is not one of vjp, jvp, gradient
// RANGE: :[[# @LINE + 11]]:1: error: 'func.func' op 'wrt' position 7 is out of range
// NEGATIVE: error: 'func.func' op 'wrt' position -1 is out of range
// TWICE: error: 'func.func' op 'wrt' position 0 is listed twice
// INTEGER: error: 'func.func' op 'wrt' position 1 is not a differentiable argument
// NAME: error: {{.*}}already has a symbol '@taken'
// NONE: :[[# @LINE + 9]]:1: error: 'func.func' op has no differentiable argument
// GRADIENT: error: 'func.func' op has no gradient: it must have one float result; use mode=vjp
// KIND: error: 'memref.global' op is not a function
// BODY: :[[# @LINE + 19]]:1: error: {{.*}}'@external' has no body
// NUMBER: for the --wrt option: 'x' value invalid
// OPTION: no such option speed
func.func @f(%x: f64, %n: index) -> f64 {
  return %x : f64
}
func.func @integers(%n: index) -> index {
  return %n : index
}
func.func @two(%x: f64) -> (f64, f64) {
  return %x, %x : f64, f64
}
func.func @array(%x: tensor<4xf64>) -> tensor<4xf64> {
  return %x : tensor<4xf64>
}
func.func @taken() {
  return
}
memref.global @global : memref<4xf64>
func.func private @external(f64) -> f64
