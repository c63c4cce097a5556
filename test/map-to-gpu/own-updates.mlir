// Updates of elements that each are one thread's, and are updated once, are stores; zeros are written only where nothing is
// stored (F45).
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,canonicalize,cse)' | FileCheck %s
// DEFINE: %{entry} = halves
// DEFINE: %{sizes} = --input=3 --input=2 --input=4
// DEFINE: %{run} = ad-opt run %s --entry=%{entry} %{sizes}
// DEFINE: %{same} = %{run} > %t.cpu && %{run} --target=gpu-emulate > %t.gpu && diff %t.cpu %t.gpu
// RUN: %{same}
// RUN: %{run} --target=gpu-emulate | FileCheck %s --check-prefix=WHOLE
// WHOLE: {{\[\[}}0.0, 1.0, 0.0, -1.0],
// WHOLE-NEXT: [10.0, 11.0, -10.0, -11.0],
// WHOLE-NEXT: [20.0, 21.0, -20.0, -21.0]]
// Elements behind the halves, of two of three rows and of none, and no elements in the halves.
// REDEFINE: %{sizes} = --input=2 --input=1 --input=5
// RUN: %{same}
// RUN: %{run} --target=gpu-emulate | FileCheck %s --check-prefix=BEHIND
// BEHIND: {{\[\[}}0.0, 0.0, 0.0, 0.0, 0.0],
// BEHIND-NEXT: [10.0, -10.0, 0.0, 0.0, 0.0]]
// REDEFINE: %{sizes} = --input=2 --input=0 --input=3
// RUN: %{same}
// REDEFINE: %{sizes} = --input=0 --input=3 --input=6
// RUN: %{same}
// REDEFINE: %{sizes} = --input=300 --input=33 --input=66
// RUN: %{same}
// REDEFINE: %{sizes} =
// REDEFINE: %{entry} = thirds
// RUN: %{same}
// REDEFINE: %{entry} = chosen
// RUN: %{same}
// REDEFINE: %{entry} = complex
// RUN: %{same}
// REDEFINE: %{entry} = overlapping
// RUN: %{same}
// REDEFINE: %{entry} = twice
// RUN: %{same}
// REDEFINE: %{entry} = crossed
// RUN: %{same}
// REDEFINE: %{entry} = started
// RUN: %{same}

// CHECK-LABEL: func.func @halves(
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f64
// CHECK: %[[ARRAY:.*]] = bufferization.alloc_tensor(%{{.*}}, %[[WIDTH:.*]])
// CHECK: %[[BOTH:.*]] = arith.muli %[[M]], %c2
// CHECK: %[[END:.*]] = arith.minsi %[[BOTH]], %[[WIDTH]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[WIDTH]], %[[END]]
// CHECK: %[[REST:.*]] = tensor.extract_slice %[[ARRAY]][0, %[[END]]] [%{{.*}}, %[[LEFT]]]
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%{{.*}}) outs(%[[REST]]
// CHECK: %[[START:.*]] = tensor.insert_slice %[[ZEROS]] into %[[ARRAY]][0, %[[END]]]
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[START]]
// CHECK: scf.forall (%[[I:[a-z0-9]+]], %[[J:[a-z0-9]+]]) in (%[[N]], %[[M]]) {
// CHECK: %[[K:.*]] = arith.addi %{{.*}} : index
// CHECK: %[[X:.*]] = arith.addf %{{.*}}, %[[ZERO]] : f64
// CHECK: memref.store %[[X]], %[[BUFFER]][%[[I]], %[[J]]]
// CHECK: memref.store %{{.*}}, %[[BUFFER]][%[[I]], %[[K]]]
// CHECK-NOT: atomic_rmw
// CHECK: return
func.func @halves(%n: index, %m: index, %w: index) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %zeros = tensor.splat %zero[%n, %w] : tensor<?x?xf64>
  %rows = soac.iota %n : tensor<?xindex>
  %units = soac.iota %m : tensor<?xindex>
  %r = soac.with_acc ins(%zeros : tensor<?x?xf64>) (%acc: !soac.acc<tensor<?x?xf64>>) -> tensor<?x?xf64> {
    %all = soac.map ins(%rows : tensor<?xindex>) accs(%acc : !soac.acc<tensor<?x?xf64>>)
        (%i: index, %a: !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>> {
      %row = soac.map ins(%units : tensor<?xindex>) accs(%a : !soac.acc<tensor<?x?xf64>>)
          (%j: index, %b: !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>> {
        %x = func.call @number(%i, %j) : (index, index) -> f64
        %y = arith.negf %x : f64
        %k = arith.addi %m, %j : index
        %c = soac.update_acc %b[%i, %j], %x : !soac.acc<tensor<?x?xf64>>, f64
        %d = soac.update_acc %c[%i, %k], %y : !soac.acc<tensor<?x?xf64>>, f64
        soac.yield %d : !soac.acc<tensor<?x?xf64>>
      }
      soac.yield %row : !soac.acc<tensor<?x?xf64>>
    }
    soac.yield %all : !soac.acc<tensor<?x?xf64>>
  }
  return %r : tensor<?x?xf64>
}

func.func private @number(%i: index, %j: index) -> f64 {
  %c10 = arith.constant 10 : index
  %tens = arith.muli %i, %c10 : index
  %n = arith.addi %tens, %j : index
  %integer = arith.index_cast %n : index to i64
  %x = arith.sitofp %integer : i64 to f64
  return %x : f64
}

// Three parts are all there is, in any order: nothing is filled.
// CHECK-LABEL: func.func @thirds(
// CHECK-NOT: linalg.fill
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer
// CHECK: scf.forall
// CHECK-COUNT-3: memref.store %{{.*}}, %[[BUFFER]][
// CHECK-NOT: atomic_rmw
// CHECK: return
func.func @thirds() -> tensor<12xi32> {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %start = arith.constant 0 : i32
  %zeros = tensor.splat %start : tensor<12xi32>
  %units = soac.iota : tensor<4xindex>
  %r = soac.with_acc ins(%zeros : tensor<12xi32>) (%acc: !soac.acc<tensor<12xi32>>) -> tensor<12xi32> {
    %all = soac.map ins(%units : tensor<4xindex>) accs(%acc : !soac.acc<tensor<12xi32>>)
        (%j: index, %a: !soac.acc<tensor<12xi32>>) -> !soac.acc<tensor<12xi32>> {
      %x = arith.index_cast %j : index to i32
      %y = arith.addi %x, %x : i32
      %z = arith.addi %x, %y : i32
      %second = arith.addi %j, %c4 : index
      %third = arith.addi %j, %c8 : index
      %b = soac.update_acc %a[%third], %z : !soac.acc<tensor<12xi32>>, i32
      %c = soac.update_acc %b[%j], %x : !soac.acc<tensor<12xi32>>, i32
      %d = soac.update_acc %c[%second], %y : !soac.acc<tensor<12xi32>>, i32
      soac.yield %d : !soac.acc<tensor<12xi32>>
    }
    soac.yield %all : !soac.acc<tensor<12xi32>>
  }
  return %r : tensor<12xi32>
}

// Some elements are not updated, so that all are zero before.
// CHECK-LABEL: func.func @chosen(
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[ZEROS]]
// CHECK: scf.forall
// CHECK: memref.store %{{.*}}, %[[BUFFER]][
// CHECK: scf.if
// CHECK-NEXT: memref.store %{{.*}}, %[[BUFFER]][
// CHECK-NOT: atomic_rmw
// CHECK: return
func.func @chosen() -> tensor<8xf32> {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %start = arith.constant 0.0 : f32
  %zeros = tensor.splat %start : tensor<8xf32>
  %units = soac.iota : tensor<4xindex>
  %r = soac.with_acc ins(%zeros : tensor<8xf32>) (%acc: !soac.acc<tensor<8xf32>>) -> tensor<8xf32> {
    %all = soac.map ins(%units : tensor<4xindex>) accs(%acc : !soac.acc<tensor<8xf32>>)
        (%j: index, %a: !soac.acc<tensor<8xf32>>) -> !soac.acc<tensor<8xf32>> {
      %k = arith.addi %j, %c4 : index
      %is_high = arith.cmpi uge, %j, %c2 : index
      %b = soac.update_acc %a[%j], %one : !soac.acc<tensor<8xf32>>, f32
      %c = scf.if %is_high -> !soac.acc<tensor<8xf32>> {
        %d = soac.update_acc %b[%k], %two : !soac.acc<tensor<8xf32>>, f32
        scf.yield %d : !soac.acc<tensor<8xf32>>
      } else {
        scf.yield %b : !soac.acc<tensor<8xf32>>
      }
      soac.yield %c : !soac.acc<tensor<8xf32>>
    }
    soac.yield %all : !soac.acc<tensor<8xf32>>
  }
  return %r : tensor<8xf32>
}

// Both parts of complex numbers.
// CHECK-LABEL: func.func @complex(
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %{{.*}} : tensor<6x2xf64>
// CHECK: scf.forall
// CHECK-COUNT-4: memref.store %{{.*}}, %[[BUFFER]][
// CHECK-NOT: atomic_rmw
// CHECK: return
func.func @complex() -> tensor<6xcomplex<f64>> {
  %c3 = arith.constant 3 : index
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %x = complex.constant [1.0, 2.0] : complex<f64>
  %zeros = tensor.splat %zero : tensor<6xcomplex<f64>>
  %units = soac.iota : tensor<3xindex>
  %r = soac.with_acc ins(%zeros : tensor<6xcomplex<f64>>) (%acc: !soac.acc<tensor<6xcomplex<f64>>>)
      -> tensor<6xcomplex<f64>> {
    %all = soac.map ins(%units : tensor<3xindex>) accs(%acc : !soac.acc<tensor<6xcomplex<f64>>>)
        (%j: index, %a: !soac.acc<tensor<6xcomplex<f64>>>) -> !soac.acc<tensor<6xcomplex<f64>>> {
      %k = arith.addi %j, %c3 : index
      %y = complex.mul %x, %x : complex<f64>
      %b = soac.update_acc %a[%j], %x : !soac.acc<tensor<6xcomplex<f64>>>, complex<f64>
      %c = soac.update_acc %b[%k], %y : !soac.acc<tensor<6xcomplex<f64>>>, complex<f64>
      soac.yield %c : !soac.acc<tensor<6xcomplex<f64>>>
    }
    soac.yield %all : !soac.acc<tensor<6xcomplex<f64>>>
  }
  return %r : tensor<6xcomplex<f64>>
}

// The parts have an element in common.
// CHECK-LABEL: func.func @overlapping(
// CHECK-COUNT-2: atomic_rmw
// CHECK: return
func.func @overlapping() -> tensor<7xf32> {
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %start = arith.constant 0.0 : f32
  %zeros = tensor.splat %start : tensor<7xf32>
  %units = soac.iota : tensor<4xindex>
  %r = soac.with_acc ins(%zeros : tensor<7xf32>) (%acc: !soac.acc<tensor<7xf32>>) -> tensor<7xf32> {
    %all = soac.map ins(%units : tensor<4xindex>) accs(%acc : !soac.acc<tensor<7xf32>>)
        (%j: index, %a: !soac.acc<tensor<7xf32>>) -> !soac.acc<tensor<7xf32>> {
      %k = arith.addi %j, %c3 : index
      %b = soac.update_acc %a[%j], %one : !soac.acc<tensor<7xf32>>, f32
      %c = soac.update_acc %b[%k], %two : !soac.acc<tensor<7xf32>>, f32
      soac.yield %c : !soac.acc<tensor<7xf32>>
    }
    soac.yield %all : !soac.acc<tensor<7xf32>>
  }
  return %r : tensor<7xf32>
}

// An element that an iteration updates again and again, and others that it updates once.
// CHECK-LABEL: func.func @twice(
// CHECK: atomic_rmw
// CHECK: return
func.func @twice() -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %start = arith.constant 0.0 : f32
  %zeros = tensor.splat %start : tensor<8xf32>
  %units = soac.iota : tensor<4xindex>
  %r = soac.with_acc ins(%zeros : tensor<8xf32>) (%acc: !soac.acc<tensor<8xf32>>) -> tensor<8xf32> {
    %all = soac.map ins(%units : tensor<4xindex>) accs(%acc : !soac.acc<tensor<8xf32>>)
        (%j: index, %a: !soac.acc<tensor<8xf32>>) -> !soac.acc<tensor<8xf32>> {
      %k = arith.addi %j, %c4 : index
      %b = soac.update_acc %a[%k], %one : !soac.acc<tensor<8xf32>>, f32
      %c = scf.for %t = %c0 to %j step %c1 iter_args(%d = %b) -> !soac.acc<tensor<8xf32>> {
        %e = soac.update_acc %d[%j], %one : !soac.acc<tensor<8xf32>>, f32
        scf.yield %e : !soac.acc<tensor<8xf32>>
      }
      soac.yield %c : !soac.acc<tensor<8xf32>>
    }
    soac.yield %all : !soac.acc<tensor<8xf32>>
  }
  return %r : tensor<8xf32>
}

// Two iterations have an element in common: one in a row, the other in a column.
// CHECK-LABEL: func.func @crossed(
// CHECK-COUNT-2: atomic_rmw
// CHECK: return
func.func @crossed() -> tensor<3x3xf32> {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %start = arith.constant 0.0 : f32
  %zeros = tensor.splat %start : tensor<3x3xf32>
  %rows = soac.iota : tensor<3xindex>
  %r = soac.with_acc ins(%zeros : tensor<3x3xf32>) (%acc: !soac.acc<tensor<3x3xf32>>) -> tensor<3x3xf32> {
    %all = soac.map ins(%rows : tensor<3xindex>) accs(%acc : !soac.acc<tensor<3x3xf32>>)
        (%i: index, %a: !soac.acc<tensor<3x3xf32>>) -> !soac.acc<tensor<3x3xf32>> {
      %row = soac.map ins(%rows : tensor<3xindex>) accs(%a : !soac.acc<tensor<3x3xf32>>)
          (%j: index, %b: !soac.acc<tensor<3x3xf32>>) -> !soac.acc<tensor<3x3xf32>> {
        %c = soac.update_acc %b[%i, %j], %one : !soac.acc<tensor<3x3xf32>>, f32
        %d = soac.update_acc %c[%j, %i], %two : !soac.acc<tensor<3x3xf32>>, f32
        soac.yield %d : !soac.acc<tensor<3x3xf32>>
      }
      soac.yield %row : !soac.acc<tensor<3x3xf32>>
    }
    soac.yield %all : !soac.acc<tensor<3x3xf32>>
  }
  return %r : tensor<3x3xf32>
}

// What is added to is not zero.
// CHECK-LABEL: func.func @started(
// CHECK-COUNT-2: atomic_rmw
// CHECK: return
func.func @started() -> tensor<8xf32> {
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %start = arith.constant 1.0 : f32
  %ones = tensor.splat %start : tensor<8xf32>
  %units = soac.iota : tensor<4xindex>
  %r = soac.with_acc ins(%ones : tensor<8xf32>) (%acc: !soac.acc<tensor<8xf32>>) -> tensor<8xf32> {
    %all = soac.map ins(%units : tensor<4xindex>) accs(%acc : !soac.acc<tensor<8xf32>>)
        (%j: index, %a: !soac.acc<tensor<8xf32>>) -> !soac.acc<tensor<8xf32>> {
      %k = arith.addi %j, %c4 : index
      %b = soac.update_acc %a[%j], %one : !soac.acc<tensor<8xf32>>, f32
      %c = soac.update_acc %b[%k], %two : !soac.acc<tensor<8xf32>>, f32
      soac.yield %c : !soac.acc<tensor<8xf32>>
    }
    soac.yield %all : !soac.acc<tensor<8xf32>>
  }
  return %r : tensor<8xf32>
}
