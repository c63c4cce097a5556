// The host reads no number that only kernels use, and late what it needs: it would wait for all kernels before.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 1 2 5
// DEFINE: %{run} = ad-opt run %s --input=%t.npy --target=gpu-emulate --repeat=1
// RUN: %{run} --entry=shifted 2>&1 | FileCheck %s --check-prefix=SHIFTED
// RUN: %{run} --entry=normalised 2>&1 | FileCheck %s --check-prefix=NORMALISED
// RUN: %{run} --entry=several 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: %{run} --entry=carried --input=3 --input=0.5 2>&1 | FileCheck %s --check-prefix=CARRIED
// RUN: %{run} --entry=carried --input=0 --input=0.5 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %{run} --entry=nested --input=2 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: %{run} --entry=elements 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// RUN: %{run} --entry=two 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: %{run} --entry=overwritten 2>&1 | FileCheck %s --check-prefix=OVERWRITTEN
// RUN: %{run} --entry=condition 2>&1 | FileCheck %s --check-prefix=CONDITION

// Quick arithmetic is done by each thread. The result has 24 bytes, which are all that goes to the host.
// CHECK-LABEL: func.func @shifted(
// CHECK: %[[LARGEST:.*]] = scf.forall (%{{.*}}) in (1) shared_outs
// CHECK-NOT: tensor.extract %[[LARGEST]]
// CHECK: scf.forall {{.*}} in (%dim) shared_outs
// CHECK-NEXT: %[[READ:.*]] = tensor.extract %[[LARGEST]][%c0]
// CHECK-NEXT: %[[SHIFT:.*]] = arith.addf %[[READ]], %{{.*}}
// CHECK: arith.subf %{{.*}}, %[[SHIFT]]
// SHIFTED: [-5.0, -4.0, -1.0]
// SHIFTED: "to_host_bytes":24}
func.func @shifted(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %low = arith.constant 0xFFF0000000000000 : f64
  %m = soac.reduce ins(%x : tensor<?xf64>) neutral(%low : f64) (%a: f64, %b: f64) {
    %c = arith.maximumf %a, %b : f64
    soac.yield %c : f64
  }
  %shift = arith.addf %m, %one : f64
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %d = arith.subf %a, %shift : f64
    soac.yield %d : f64
  }
  return %y : tensor<?xf64>
}

// What takes long is done once, by a kernel of one thread.
// CHECK-LABEL: func.func @normalised(
// CHECK: %[[SUM:.*]] = scf.forall (%{{.*}}) in (1) shared_outs
// CHECK: %[[INVERSE:.*]] = scf.forall (%{{.*}}) in (1) shared_outs
// CHECK: %[[READ:.*]] = tensor.extract %[[SUM]][%c0]
// CHECK: arith.divf %{{.*}}, %[[READ]]
// CHECK: scf.forall {{.*}} in (%dim) shared_outs
// CHECK-NEXT: %[[FACTOR:.*]] = tensor.extract %[[INVERSE]][%c0]
// CHECK-NOT: arith.divf
// CHECK: arith.mulf %{{.*}}, %[[FACTOR]]
// NORMALISED: [0.125, 0.25, 0.625]
// NORMALISED: "to_host_bytes":24}
func.func @normalised(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %inverse = arith.divf %one, %s : f64
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %d = arith.mulf %a, %inverse : f64
    soac.yield %d : f64
  }
  return %y : tensor<?xf64>
}

// Several numbers are made of one that is read: 8 + 9 + 64 more than each element.
// SEVERAL: [82.0, 83.0, 86.0]
// SEVERAL: "to_host_bytes":24}
func.func @several(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %t = arith.addf %s, %one : f64
  %u = arith.mulf %s, %s : f64
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %p = arith.addf %a, %s : f64
    %q = arith.addf %p, %t : f64
    %r = arith.addf %q, %u : f64
    soac.yield %r : f64
  }
  return %y : tensor<?xf64>
}

// A loop carries an array of one element, and adds to it in place: 0.5 + 3 (8) = 24.5 and, of 8 bytes, one number is read.
// CHECK-LABEL: func.func @carried(
// CHECK: %[[START:.*]] = scf.forall (%{{.*}}) in (1) shared_outs
// CHECK: %[[END:.*]] = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %[[START]]) -> (tensor<1xf64>) {
// CHECK: %[[STEP:.*]] = scf.forall (%{{.*}}) in (1) shared_outs
// CHECK: %[[NEXT:.*]] = scf.forall (%{{.*}}) in (1) shared_outs(%[[OUT:.*]] = %[[BEFORE]])
// CHECK-NOT: %[[BEFORE]]
// CHECK: tensor.extract %[[OUT]][%c0]
// CHECK-NOT: %[[BEFORE]]
// CHECK: scf.yield %[[NEXT]] : tensor<1xf64>
// CHECK: %[[RESULT:.*]] = tensor.extract %[[END]][%c0]
// CHECK-NEXT: return %[[RESULT]]
// CARRIED: {{^}}24.5
// CARRIED: "to_host_bytes":8}
// NONE: {{^}}0.5
// NONE: "to_host_bytes":8}
func.func @carried(%x: tensor<?xf64>, %n: index, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> f64 {
    %s = soac.reduce ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %next = arith.addf %t, %s : f64
    scf.yield %next : f64
  }
  return %total : f64
}

// Loops in loops; what they carry is read by kernels, and by their own updates: ((0 + 16) 2 + 16) 2 = 96.
// NESTED: {{^}}96.0
// NESTED: "to_host_bytes":8}
func.func @nested(%x: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> f64 {
    %inner = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %t) -> f64 {
      %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
        %p = arith.mulf %u, %zero : f64
        %q = arith.addf %a, %p : f64
        soac.yield %q : f64
      }
      %s = soac.reduce ins(%y : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      %next = arith.addf %u, %s : f64
      scf.yield %next : f64
    }
    %twice = arith.addf %inner, %inner : f64
    scf.yield %twice : f64
  }
  return %total : f64
}

// What the host needs of two numbers is made on the device, too: 8 - 5.
// TWO: {{^}}3.0
// TWO: "to_host_bytes":8}
func.func @two(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %m = soac.reduce ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.maximumf %a, %b : f64
    soac.yield %c : f64
  }
  %difference = arith.subf %s, %m : f64
  return %difference : f64
}

// The number is read before the array is overwritten, which is known only in front of that: 1 for each element.
// CHECK-LABEL: func.func @overwritten(
// CHECK: %[[FIRST:.*]] = tensor.extract %[[ARRAY:.*]][%c0]
// CHECK: tensor.insert %{{.*}} into %[[ARRAY]]
// OVERWRITTEN: [1.0, 1.0, 1.0]
// OVERWRITTEN: [9.0, 2.0, 5.0]
func.func @overwritten(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9.0 : f64
  %copy = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    soac.yield %a : f64
  }
  %first = tensor.extract %copy[%c0] : tensor<?xf64>
  %other = tensor.insert %nine into %copy[%c0] : tensor<?xf64>
  %y = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    soac.yield %first : f64
  }
  return %y, %other : tensor<?xf64>, tensor<?xf64>
}

// The host decides, and has to read for that; its branch adds 8 to each element.
// CONDITION: [9.0, 10.0, 13.0]
// CONDITION: "to_host_bytes":32}
func.func @condition(%x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %is_positive = arith.cmpf ogt, %s, %zero : f64
  %y = scf.if %is_positive -> tensor<?xf64> {
    %more = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
      %d = arith.addf %a, %s : f64
      soac.yield %d : f64
    }
    scf.yield %more : tensor<?xf64>
  } else {
    scf.yield %x : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// A loop without kernels of its own, whose iterations need each other, becomes one kernel, not one for each iteration.
// ELEMENTS: {{^}}13.0
// ELEMENTS: "launches":1,{{.*}}"to_host_bytes":8}
func.func @elements(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> f64 {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    %twice = arith.mulf %t, %two : f64
    %next = arith.addf %twice, %a : f64
    scf.yield %next : f64
  }
  return %total : f64
}

// What nobody uses goes, with what is in it.
// CHECK-LABEL: func.func @dead(
// CHECK-NOT: scf.if
// CHECK: return
func.func @dead(%x: tensor<?xf64>, %is_one: i1, %is_other: i1) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %y = scf.if %is_one -> f64 {
    %z = scf.if %is_other -> f64 {
      %a = tensor.extract %x[%c0] : tensor<?xf64>
      scf.yield %a : f64
    } else {
      scf.yield %zero : f64
    }
    scf.yield %z : f64
  } else {
    scf.yield %zero : f64
  }
  return %zero : f64
}
