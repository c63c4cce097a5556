// What depends on kernels and is inserted, or not, is inserted by a kernel of one thread, which reads the numbers itself: the
// host does not wait.
// RUN: ad-opt %s --pass-pipeline='builtin.module(inline,symbol-dce,ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(inline,symbol-dce,ad-make-kernels,ad-lower-to-kernels)' | FileCheck %s --check-prefix=HOST
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(4,)' 1 7 -2 5
// RUN: %python %S/../driver/Inputs/npy.py %t.0.npy '<f8' '(0,)'
// DEFINE: %{run} = ad-opt run %s --target=gpu-emulate
// RUN: %{run} --entry=marked --input=%t.npy | FileCheck %s --check-prefix=MARKED
// RUN: %{run} --entry=marked --input=%t.0.npy | FileCheck %s --check-prefix=NONE
// RUN: %{run} --entry=two --input=%t.npy | FileCheck %s --check-prefix=TWO
// RUN: %{run} --entry=alone --input=%t.npy --input=%t.npy | FileCheck %s --check-prefix=ALONE
// RUN: %{run} --entry=in_loop --input=%t.npy --input=3 | FileCheck %s --check-prefix=LOOP
// RUN: %{run} --entry=read_later --input=%t.npy | FileCheck %s --check-prefix=LATER

// CHECK-LABEL: func.func @marked(
// CHECK: %[[FIRST:[0-9]+]] = scf.forall (%{{.*}}) in (1) {{.*}} -> (tensor<1xindex>)
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK-NOT: tensor.extract
// CHECK: scf.forall (%{{.*}}) in (1) shared_outs(%[[ALL:.*]] = %[[ZEROS]])
// CHECK: %[[I:.*]] = tensor.extract %[[FIRST]][%c0]
// CHECK: %[[IS:.*]] = arith.cmpi sge, %[[I]], %c0
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[ALL]]
// CHECK: scf.if %[[IS]]
// CHECK: tensor.insert %{{.*}} into %[[PART]][%[[I]]]
// CHECK: scf.yield %[[PART]]
// HOST-LABEL: func.func private @marked.on_device(
// HOST-NOT: mgpuMemcpy
// HOST: return
// MARKED: [0.0, 1.0, 0.0, 0.0]
// NONE: []
func.func @marked(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %largest:2 = func.call @largest(%x) : (tensor<?xf64>) -> (f64, index)
  %is = arith.cmpi sge, %largest#1, %c0 : index
  %empty = tensor.empty(%n) : tensor<?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %y = scf.if %is -> tensor<?xf64> {
    %set = tensor.insert %one into %zeros[%largest#1] : tensor<?xf64>
    scf.yield %set : tensor<?xf64>
  } else {
    scf.yield %zeros : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

func.func private @largest(%x: tensor<?xf64>) -> (f64, index) {
  %low = arith.constant 0xFFF0000000000000 : f64
  %none = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %m:2 = soac.reduce ins(%x, %is : tensor<?xf64>, tensor<?xindex>) neutral(%low, %none : f64, index)
      (%a: f64, %i: index, %b: f64, %j: index) {
    %less = arith.cmpf olt, %a, %b : f64
    %c = arith.select %less, %b, %a : f64
    %k = arith.select %less, %j, %i : index
    soac.yield %c, %k : f64, index
  }
  return %m#0, %m#1 : f64, index
}

// Two arrays, several elements, in both branches.
// HOST-LABEL: func.func private @two.on_device(
// HOST-NOT: mgpuMemcpy
// HOST: return
// TWO: [7.0, 1.0, 7.0, 1.0]
// TWO: [2.0, 0.0, 0.0, 0.0]
func.func @two(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %largest:2 = func.call @largest(%x) : (tensor<?xf64>) -> (f64, index)
  %is = arith.cmpf ogt, %largest#0, %two : f64
  %empty = tensor.empty(%n) : tensor<?xf64>
  %ones = linalg.fill ins(%one : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %empty2 = tensor.empty(%n) : tensor<?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty2 : tensor<?xf64>) -> tensor<?xf64>
  %y:2 = scf.if %is -> (tensor<?xf64>, tensor<?xf64>) {
    %set = tensor.insert %largest#0 into %ones[%c0] : tensor<?xf64>
    %more = tensor.insert %largest#0 into %set[%c2] : tensor<?xf64>
    %other = tensor.insert %two into %zeros[%c0] : tensor<?xf64>
    scf.yield %more, %other : tensor<?xf64>, tensor<?xf64>
  } else {
    %other = tensor.insert %one into %zeros[%largest#1] : tensor<?xf64>
    scf.yield %ones, %other : tensor<?xf64>, tensor<?xf64>
  }
  return %y#0, %y#1 : tensor<?xf64>, tensor<?xf64>
}

// HOST-LABEL: func.func private @alone.on_device(
// HOST-NOT: mgpuMemcpy
// HOST: return
// ALONE: [1.0, 7.0, -2.0, 7.0]
func.func @alone(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %c3 = arith.constant 3 : index
  %largest:2 = func.call @largest(%x) : (tensor<?xf64>) -> (f64, index)
  %z = tensor.insert %largest#0 into %y[%c3] : tensor<?xf64>
  return %z : tensor<?xf64>
}

// In a loop: the largest one is halved each time. The array is updated in its place, and nothing is waited for.
// HOST-LABEL: func.func private @in_loop.on_device(
// HOST-NOT: mgpuMemcpy
// HOST: scf.for
// HOST-NOT: gpu.memcpy
// HOST-NOT: mgpuMemcpy
// HOST: return
// LOOP: [1.0, 1.75, -2.0, 2.5]
func.func @in_loop(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %half = arith.constant 0.5 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<?xf64> {
    %largest:2 = func.call @largest(%y) : (tensor<?xf64>) -> (f64, index)
    %less = arith.mulf %largest#0, %half : f64
    %z = tensor.insert %less into %y[%largest#1] : tensor<?xf64>
    scf.yield %z : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// The array as it was is needed, too.
// LATER: [1.0, 8.0, -2.0, 5.0]
// LATER: [2.0, 14.0, -4.0, 10.0]
func.func @read_later(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %largest:2 = func.call @largest(%x) : (tensor<?xf64>) -> (f64, index)
  %more = arith.addf %largest#0, %one : f64
  %y = tensor.insert %more into %x[%largest#1] : tensor<?xf64>
  %z = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %b = arith.addf %a, %a : f64
    soac.yield %b : f64
  }
  return %y, %z : tensor<?xf64>, tensor<?xf64>
}
