// Accumulators are linear: consumed at most once on every path, handed into loops
// and maps, and the array is not available before the end [F44].
// RUN: ad-opt %s --split-input-file --verify-diagnostics | FileCheck %s

func.func @used_twice(%as: tensor<?xf64>, %i: index, %v: f64) -> tensor<?xf64> {
  %r = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %a = soac.update_acc %acc[%i], %v : !soac.acc<tensor<?xf64>>, f64
    // expected-error @+1 {{'soac.update_acc' op uses an accumulator after its consumption: accumulators are linear}}
    %b = soac.update_acc %acc[%i], %v : !soac.acc<tensor<?xf64>>, f64
    soac.yield %b : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// -----

func.func @yielded_after_use(%as: tensor<?xf64>, %i: index, %v: f64) -> tensor<?xf64> {
  %r = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %a = soac.update_acc %acc[%i], %v : !soac.acc<tensor<?xf64>>, f64
    // expected-error @+1 {{'soac.yield' op uses an accumulator after its consumption}}
    soac.yield %acc : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// -----

func.func @captured_by_map(%as: tensor<?xf64>, %is: tensor<?xindex>, %v: f64) -> tensor<?xf64> {
  %r = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %n = soac.null_acc : !soac.acc<tensor<?xf64>>
    %m = soac.map ins(%is : tensor<?xindex>) accs(%n : !soac.acc<tensor<?xf64>>)
        (%i: index, %a: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      // expected-error @+1 {{'soac.update_acc' op consumes an accumulator from outside 'soac.map', which runs its body many times; pass it in and yield it}}
      %u = soac.update_acc %acc[%i], %v : !soac.acc<tensor<?xf64>>, f64
      soac.yield %u : !soac.acc<tensor<?xf64>>
    }
    soac.yield %m : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// -----

func.func @captured_by_loop(%as: tensor<?xf64>, %n: index, %v: f64) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %null = soac.null_acc : !soac.acc<tensor<?xf64>>
    %l = scf.for %i = %zero to %n step %one iter_args(%a = %null) -> !soac.acc<tensor<?xf64>> {
      // expected-error @+1 {{'soac.update_acc' op consumes an accumulator from outside 'scf.for', which runs its body many times}}
      %u = soac.update_acc %acc[%i], %v : !soac.acc<tensor<?xf64>>, f64
      scf.yield %u : !soac.acc<tensor<?xf64>>
    }
    soac.yield %l : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// -----

func.func @map_argument_used_twice(%as: tensor<?xf64>, %is: tensor<?xindex>, %v: f64) -> tensor<?xf64> {
  %r = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %m = soac.map ins(%is : tensor<?xindex>) accs(%acc : !soac.acc<tensor<?xf64>>)
        (%i: index, %a: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %u = soac.update_acc %a[%i], %v : !soac.acc<tensor<?xf64>>, f64
      // expected-error @+1 {{'soac.yield' op uses an accumulator after its consumption}}
      soac.yield %a : !soac.acc<tensor<?xf64>>
    }
    soac.yield %m : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// -----

func.func @used_after_branch(%as: tensor<?xf64>, %i: index, %v: f64, %c: i1) -> tensor<?xf64> {
  %r = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %a = scf.if %c -> !soac.acc<tensor<?xf64>> {
      %u = soac.update_acc %acc[%i], %v : !soac.acc<tensor<?xf64>>, f64
      scf.yield %u : !soac.acc<tensor<?xf64>>
    } else {
      %null = soac.null_acc : !soac.acc<tensor<?xf64>>
      scf.yield %null : !soac.acc<tensor<?xf64>>
    }
    // expected-error @+1 {{'soac.yield' op uses an accumulator after its consumption}}
    soac.yield %acc : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// -----

// Each branch may consume it: only one of them runs.
// CHECK-LABEL: func.func @either_branch(
// CHECK: scf.if
func.func @either_branch(%as: tensor<?xf64>, %i: index, %v: f64, %c: i1) -> tensor<?xf64> {
  %r = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %a = scf.if %c -> !soac.acc<tensor<?xf64>> {
      %u = soac.update_acc %acc[%i], %v : !soac.acc<tensor<?xf64>>, f64
      scf.yield %u : !soac.acc<tensor<?xf64>>
    } else {
      scf.yield %acc : !soac.acc<tensor<?xf64>>
    }
    soac.yield %a : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// -----

// Write-only: nothing reads an element of an accumulator.
func.func @no_read(%as: tensor<?xf64>, %i: index) -> tensor<?xf64> {
  %r = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    // expected-error @+1 {{invalid kind of type specified}}
    %v = tensor.extract %acc[%i] : !soac.acc<tensor<?xf64>>
    soac.yield %acc : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}
