// An array that a loop updates in each iteration is in one buffer: an iteration does not copy it, which would be more work
// than the program does (F43, F45, F65).
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
//
// DEFINE: %{random} = %python %S/../bench/Inputs/random_npy.py
// DEFINE: %{entry} = hist
// DEFINE: %{steps} = 5
// DEFINE: %{make} = %{random} %t.x.npy '<f8' '(3000,)' -1 1 1 && %{random} %t.i.npy '<i8' '(%{steps},7)' 0 2999 2
// DEFINE: %{run} = ad-opt run %s --entry=%{entry} --input=%t.x.npy --input=%t.i.npy
// DEFINE: %{both} = %{run} > %t.cpu && %{run} --target=gpu-emulate > %t.gpu && \
// DEFINE:           %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
// RUN: %{make} && %{both}
// REDEFINE: %{entry} = scatter
// RUN: %{both}
// REDEFINE: %{entry} = sometimes
// RUN: %{both}
// REDEFINE: %{entry} = read
// RUN: %{both}
// REDEFINE: %{entry} = read_later
// RUN: %{both}
// REDEFINE: %{entry} = twice
// RUN: %{both}
// REDEFINE: %{entry} = nested
// RUN: %{both}
// REDEFINE: %{entry} = gradient
// RUN: %{both}
// REDEFINE: %{steps} = 0
// RUN: %{make} && %{both}
// REDEFINE: %{entry} = hist
// RUN: %{both}
//
// One kernel reads 3000 x 8 bytes and writes as many, once; the others touch what changes.
// REDEFINE: %{steps} = 5
// RUN: %{make}
// RUN: %{run} --target=gpu-emulate --emulate-report=%t.report
// RUN: FileCheck %s --check-prefix=ONCE --input-file=%t.report
// ONCE: "bytes": 48000
// ONCE-NOT: "bytes": {{[0-9][0-9][0-9][0-9][0-9]}}
// REDEFINE: %{entry} = read
// RUN: %{run} --target=gpu-emulate --emulate-report=%t.report
// RUN: FileCheck %s --check-prefix=ONCE --input-file=%t.report
// REDEFINE: %{entry} = sometimes
// RUN: %{run} --target=gpu-emulate --emulate-report=%t.report
// RUN: FileCheck %s --check-prefix=ONCE --input-file=%t.report

// CHECK-LABEL: func.func @hist(
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?xf64>
// CHECK: %[[copy:.*]] = bufferization.alloc_tensor() copy(%[[XS]])
// CHECK: %[[buffer:.*]] = bufferization.to_buffer %[[copy]]
// CHECK: scf.for
// CHECK-NOT: alloc_tensor
// CHECK: memref.atomic_rmw addf %{{.*}}, %[[buffer]]
// CHECK-NOT: to_tensor
// CHECK: }
// CHECK: %[[sums:.*]] = bufferization.to_tensor %[[buffer]] restrict writable
// CHECK: return %[[sums]]
func.func @hist(%xs: tensor<?xf64>, %is: tensor<?x7xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %is, %c0 : tensor<?x7xindex>
  %sums = scf.for %t = %c0 to %n step %c1 iter_args(%all = %xs) -> (tensor<?xf64>) {
    %at = tensor.extract_slice %is[%t, 0] [1, 7] [1, 1] : tensor<?x7xindex> to tensor<7xindex>
    %vs = soac.map ins(%at : tensor<7xindex>) (%i: index) -> tensor<7xf64> {
      %x = tensor.extract %xs[%i] : tensor<?xf64>
      %v = math.sin %x : f64
      soac.yield %v : f64
    }
    %next = soac.hist at(%at : tensor<7xindex>) ins(%vs : tensor<7xf64>)
        into(%all : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    scf.yield %next : tensor<?xf64>
  }
  return %sums : tensor<?xf64>
}

// CHECK-LABEL: func.func @scatter(
// CHECK: alloc_tensor() copy
// CHECK: scf.for
// CHECK-NOT: alloc_tensor() copy
// CHECK: return
func.func @scatter(%xs: tensor<?xf64>, %is: tensor<?x7xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %is, %c0 : tensor<?x7xindex>
  %ys = scf.for %t = %c0 to %n step %c1 iter_args(%all = %xs) -> (tensor<?xf64>) {
    %at = tensor.extract_slice %is[%t, 0] [1, 7] [1, 1] : tensor<?x7xindex> to tensor<7xindex>
    %vs = soac.map ins(%at : tensor<7xindex>) (%i: index) -> tensor<7xf64> {
      %x = tensor.extract %xs[%i] : tensor<?xf64>
      %v = math.cos %x : f64
      soac.yield %v : f64
    }
    %next = soac.scatter at(%at : tensor<7xindex>) ins(%vs : tensor<7xf64>) into(%all : tensor<?xf64>)
    scf.yield %next : tensor<?xf64>
  }
  return %ys : tensor<?xf64>
}

// In a branch whose other one leaves the array as it is.
// CHECK-LABEL: func.func @sometimes(
// CHECK: %[[copy:.*]] = bufferization.alloc_tensor() copy
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NOT: alloc_tensor
// CHECK: memref.atomic_rmw
// CHECK: return
func.func @sometimes(%xs: tensor<?xf64>, %is: tensor<?x7xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %is, %c0 : tensor<?x7xindex>
  %sums = scf.for %t = %c0 to %n step %c1 iter_args(%all = %xs) -> (tensor<?xf64>) {
    %half = arith.remui %t, %c2 : index
    %odd = arith.cmpi eq, %half, %c1 : index
    %new = scf.if %odd -> (tensor<?xf64>) {
      %at = tensor.extract_slice %is[%t, 0] [1, 7] [1, 1] : tensor<?x7xindex> to tensor<7xindex>
      %vs = soac.map ins(%at : tensor<7xindex>) (%i: index) -> tensor<7xf64> {
        %x = tensor.extract %xs[%i] : tensor<?xf64>
        soac.yield %x : f64
      }
      %next = soac.hist at(%at : tensor<7xindex>) ins(%vs : tensor<7xf64>)
          into(%all : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      scf.yield %next : tensor<?xf64>
    } else {
      scf.yield %all : tensor<?xf64>
    }
    scf.yield %new : tensor<?xf64>
  }
  return %sums : tensor<?xf64>
}

// In a loop in a loop: in front of both.
// CHECK-LABEL: func.func @nested(
// CHECK: alloc_tensor() copy
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: alloc_tensor() copy
// CHECK: return
func.func @nested(%xs: tensor<?xf64>, %is: tensor<?x7xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %is, %c0 : tensor<?x7xindex>
  %sums = scf.for %k = %c0 to %c3 step %c1 iter_args(%some = %xs) -> (tensor<?xf64>) {
    %new = scf.for %t = %c0 to %n step %c1 iter_args(%all = %some) -> (tensor<?xf64>) {
      %at = tensor.extract_slice %is[%t, 0] [1, 7] [1, 1] : tensor<?x7xindex> to tensor<7xindex>
      %vs = soac.map ins(%at : tensor<7xindex>) (%i: index) -> tensor<7xf64> {
        %x = tensor.extract %xs[%i] : tensor<?xf64>
        soac.yield %x : f64
      }
      %next = soac.hist at(%at : tensor<7xindex>) ins(%vs : tensor<7xf64>)
          into(%all : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      scf.yield %next : tensor<?xf64>
    }
    scf.yield %new : tensor<?xf64>
  }
  return %sums : tensor<?xf64>
}

// An iteration reads what was there before it: a kernel of its own reads the buffer, before another one updates it.
// CHECK-LABEL: func.func @read(
// CHECK: alloc_tensor() copy
// CHECK: %[[buffer:.*]] = bufferization.to_buffer
// CHECK: scf.for
// CHECK-NOT: alloc_tensor() copy
// CHECK: %[[now:.*]] = bufferization.to_tensor %[[buffer]] restrict :
// CHECK: %[[values:.*]] = scf.forall
// CHECK: tensor.extract %[[now]]
// CHECK: scf.forall
// CHECK: tensor.extract %[[values]]
// CHECK: memref.atomic_rmw addf %{{.*}}, %[[buffer]]
// CHECK: return
func.func @read(%xs: tensor<?xf64>, %is: tensor<?x7xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %is, %c0 : tensor<?x7xindex>
  %sums = scf.for %t = %c0 to %n step %c1 iter_args(%all = %xs) -> (tensor<?xf64>) {
    %at = tensor.extract_slice %is[%t, 0] [1, 7] [1, 1] : tensor<?x7xindex> to tensor<7xindex>
    %vs = soac.map ins(%at : tensor<7xindex>) (%i: index) -> tensor<7xf64> {
      %x = tensor.extract %all[%i] : tensor<?xf64>
      %v = math.sin %x : f64
      soac.yield %v : f64
    }
    %next = soac.hist at(%at : tensor<7xindex>) ins(%vs : tensor<7xf64>)
        into(%all : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    scf.yield %next : tensor<?xf64>
  }
  return %sums : tensor<?xf64>
}

// What is read after the update is what was there before it: each iteration has a copy.
// CHECK-LABEL: func.func @read_later(
// CHECK: scf.for
// CHECK: alloc_tensor() copy
// CHECK: return
func.func @read_later(%xs: tensor<?xf64>, %is: tensor<?x7xindex>) -> (tensor<?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %is, %c0 : tensor<?x7xindex>
  %sums:2 = scf.for %t = %c0 to %n step %c1 iter_args(%all = %xs, %sum = %one) -> (tensor<?xf64>, f64) {
    %at = tensor.extract_slice %is[%t, 0] [1, 7] [1, 1] : tensor<?x7xindex> to tensor<7xindex>
    %vs = soac.replicate %sum : f64 -> tensor<7xf64>
    %next = soac.hist at(%at : tensor<7xindex>) ins(%vs : tensor<7xf64>)
        into(%all : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %first = tensor.extract %next[%t] : tensor<?xf64>
    %before = soac.map ins(%at : tensor<7xindex>) (%i: index) -> tensor<7xf64> {
      %x = tensor.extract %all[%i] : tensor<?xf64>
      %v = arith.mulf %x, %first : f64
      soac.yield %v : f64
    }
    %r = soac.reduce ins(%before : tensor<7xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %s = arith.addf %sum, %r : f64
    scf.yield %next, %s : tensor<?xf64>, f64
  }
  return %sums#0, %sums#1 : tensor<?xf64>, f64
}

// Two updates, one after the other, and a kernel that reads what has become of the array: all in one buffer.
// CHECK-LABEL: func.func @twice(
// CHECK: alloc_tensor() copy
// CHECK: %[[buffer:.*]] = bufferization.to_buffer
// CHECK: scf.for
// CHECK-NOT: alloc_tensor() copy
// CHECK: memref.atomic_rmw assign %{{.*}}, %[[buffer]]
// CHECK-NOT: alloc_tensor() copy
// CHECK: memref.atomic_rmw addf %{{.*}}, %[[buffer]]
// CHECK-NOT: alloc_tensor() copy
// CHECK: bufferization.to_tensor %[[buffer]] restrict :
// CHECK-NOT: alloc_tensor() copy
// CHECK: return
func.func @twice(%xs: tensor<?xf64>, %is: tensor<?x7xindex>) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %is, %c0 : tensor<?x7xindex>
  %sums:2 = scf.for %t = %c0 to %n step %c1 iter_args(%all = %xs, %sum = %zero) -> (tensor<?xf64>, f64) {
    %at = tensor.extract_slice %is[%t, 0] [1, 7] [1, 1] : tensor<?x7xindex> to tensor<7xindex>
    %zeros = soac.replicate %zero : f64 -> tensor<7xf64>
    %cleared = soac.scatter at(%at : tensor<7xindex>) ins(%zeros : tensor<7xf64>) into(%all : tensor<?xf64>)
    %next = soac.with_acc ins(%cleared : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
      %done = soac.map ins(%at : tensor<7xindex>) accs(%acc : !soac.acc<tensor<?xf64>>)
          (%i: index, %own: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
        %x = tensor.extract %xs[%i] : tensor<?xf64>
        %u = soac.update_acc %own[%i], %x : !soac.acc<tensor<?xf64>>, f64
        soac.yield %u : !soac.acc<tensor<?xf64>>
      }
      soac.yield %done : !soac.acc<tensor<?xf64>>
    }
    %now = soac.map ins(%at : tensor<7xindex>) (%i: index) -> tensor<7xf64> {
      %x = tensor.extract %next[%i] : tensor<?xf64>
      %v = math.sin %x : f64
      soac.yield %v : f64
    }
    %r = soac.reduce ins(%now : tensor<7xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %s = arith.addf %sum, %r : f64
    scf.yield %next, %s : tensor<?xf64>, f64
  }
  return %sums#0, %sums#1 : tensor<?xf64>, f64
}

// The cotangent of a table that a loop reads in some places.
func.func @gradient(%xs: tensor<?xf64>, %is: tensor<?x7xindex>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %r, %xs_bar = ad.vjp @lookups(%xs, %is) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?x7xindex>), (f64) -> (f64, tensor<?xf64>)
  return %xs_bar : tensor<?xf64>
}

func.func private @lookups(%xs: tensor<?xf64>, %is: tensor<?x7xindex>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %is, %c0 : tensor<?x7xindex>
  %end = scf.for %t = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %at = tensor.extract_slice %is[%t, 0] [1, 7] [1, 1] : tensor<?x7xindex> to tensor<7xindex>
    %vs = soac.map ins(%at : tensor<7xindex>) (%i: index) -> tensor<7xf64> {
      %x = tensor.extract %xs[%i] : tensor<?xf64>
      %y = arith.addf %x, %s : f64
      %v = math.sin %y : f64
      soac.yield %v : f64
    }
    %sum = soac.reduce ins(%vs : tensor<7xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    scf.yield %sum : f64
  }
  return %end : f64
}
