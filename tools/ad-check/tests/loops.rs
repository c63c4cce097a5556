//! What derivatives of loops cost, counted by the interpreter.
//!
//! Shows the checklist rows F08, F20, F50, F54 and F66 by number.

use ad_check::{Counts, Tensor, Value};
use ad_passes::pipeline::run;
use melior::ir::Module;

/// What `@entry` costs after differentiation and simplification.
fn cost(source: &str, entry: &str, inputs: &[Value]) -> Counts {
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, source).expect("the source parses");
    run(&context, &mut module, "ad-optimize").expect("differentiation succeeds");
    let options = ad_check::decode::Options { promote: false };
    let program = ad_check::decode::decode(&module, entry, options).expect("decodes");
    ad_check::run(&program, entry, inputs).unwrap_or_else(|fault| panic!("{fault:?}")).counts
}

fn matrix(n: usize) -> Value {
    let elements = (0..n * n).map(|i| (i % 7) as f64 / 8.0 + 0.1).collect();
    Value::Tensor(Tensor::from_floats(&[n, n], elements))
}

fn vector(n: usize) -> Value {
    Value::Tensor(Tensor::from_floats(&[n], vec![0.5; n]))
}

/// The paper's loop with a product for its sum, so that the return sweep reads the array.
/// `ATTRIBUTES` is a promise or nothing; `INDEX` is the row that is written.
const GRID: &str = r#"
func.func @f(%x: tensor<?x?xf64>, %ass: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%xs = %x) -> tensor<?x?xf64> {
    %p = arith.subi %i, %c1 : index
    %row = INDEX : index
    %q = scf.for %j = %c0 to %m step %c1 iter_args(%ys = %xs) -> tensor<?x?xf64> {
      %a = tensor.extract %ass[%i, %j] : tensor<?x?xf64>
      %b = tensor.extract %ys[%p, %j] : tensor<?x?xf64>
      %s = arith.mulf %a, %b : f64
      %zs = tensor.insert %s into %ys[%row, %j] : tensor<?x?xf64>
      scf.yield %zs : tensor<?x?xf64>
    }
    scf.yield %q : tensor<?x?xf64>
  } ATTRIBUTES
  return %r : tensor<?x?xf64>
}
func.func @grad(%x: tensor<?x?xf64>, %ass: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %r:3 = ad.vjp @f(%x, %ass) seed(%x) : (tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>
}
"#;

/// F50: without false dependencies, promised or proven, work stays that of the primal and
/// nothing is allocated per iteration.
#[test]
fn in_place_nests_keep_work() {
    for (index, attributes) in
        [("arith.addi %i, %c0", ""), ("arith.remsi %i, %n", "{ad.no_false_dependencies}")]
    {
        let program = GRID.replace("INDEX", index).replace("ATTRIBUTES", attributes);
        let primal = cost(&program, "f", &[matrix(48), matrix(48)]);
        let small = cost(&program, "grad", &[matrix(12), matrix(12)]);
        let large = cost(&program, "grad", &[matrix(48), matrix(48)]);
        println!("{index} {attributes}: {} {} {}", primal.work(), small.work(), large.work());
        // 16 times the elements.
        assert!(large.work() <= 20 * small.work(), "{small:?}\n{large:?}");
        assert!(large.work() <= 15 * primal.work(), "{primal:?}\n{large:?}");
        // Copies of the arguments, and cotangents.
        assert!(large.allocations <= 6 * 48 * 48, "{large:?}");
    }
}

/// F50: with neither the promise nor the proof the return loops put the array back, so that
/// it is not copied in the nest, however deep it is.
#[test]
fn unproven_nests_keep_work() {
    let program = GRID.replace("INDEX", "arith.remsi %i, %n").replace("ATTRIBUTES", "");
    let primal = cost(&program, "f", &[matrix(48), matrix(48)]);
    let small = cost(&program, "grad", &[matrix(12), matrix(12)]);
    let large = cost(&program, "grad", &[matrix(48), matrix(48)]);
    println!("{} {} {} {}", primal.work(), small.work(), large.work(), large.allocations);
    // 16 times the elements.
    assert!(large.work() <= 20 * small.work(), "{small:?}\n{large:?}");
    assert!(large.work() <= 15 * primal.work(), "{primal:?}\n{large:?}");
    // Copies of the arguments, cotangents, the tape, and a row of it per iteration.
    assert!(large.allocations <= 8 * 48 * 48, "{large:?}");
}

/// A relaxation of a cube in a nest of three loops, with a branch in the middle, two inner
/// loops one after the other, and reads of what is overwritten.
const CUBE: &str = r#"
func.func @f(%x: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<?x?x?xf64> {
    %i0 = arith.remsi %i, %n : index
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%ys = %xs) -> tensor<?x?x?xf64> {
      %even = arith.remsi %j, %c2 : index
      %c = arith.cmpi eq, %even, %c0 : index
      %first = scf.for %k = %c1 to %n step %c1 iter_args(%zs = %ys) -> tensor<?x?x?xf64> {
        %p = arith.subi %k, %c1 : index
        %a = tensor.extract %zs[%i0, %j, %k] : tensor<?x?x?xf64>
        %b = tensor.extract %zs[%j, %i0, %p] : tensor<?x?x?xf64>
        %s = arith.mulf %a, %b : f64
        %t = math.sin %s : f64
        %us = tensor.insert %t into %zs[%i0, %j, %k] : tensor<?x?x?xf64>
        scf.yield %us : tensor<?x?x?xf64>
      }
      %second = scf.if %c -> tensor<?x?x?xf64> {
        %d = tensor.extract %first[%i0, %j, %c0] : tensor<?x?x?xf64>
        %e = arith.mulf %d, %d : f64
        %vs = tensor.insert %e into %first[%i0, %j, %c0] : tensor<?x?x?xf64>
        %ws = scf.for %k = %c0 to %n step %c1 iter_args(%zs = %vs) -> tensor<?x?x?xf64> {
          %a = tensor.extract %zs[%i0, %j, %k] : tensor<?x?x?xf64>
          %s = arith.mulf %a, %e : f64
          %us = tensor.insert %s into %zs[%i0, %j, %k] : tensor<?x?x?xf64>
          scf.yield %us : tensor<?x?x?xf64>
        }
        scf.yield %ws : tensor<?x?x?xf64>
      } else {
        scf.yield %first : tensor<?x?x?xf64>
      }
      %third = scf.for %k = %c0 to %n step %c1 iter_args(%zs = %second) -> tensor<?x?x?xf64> {
        %a = tensor.extract %zs[%i0, %j, %k] : tensor<?x?x?xf64>
        %s = arith.mulf %a, %a : f64
        %us = tensor.insert %s into %zs[%i0, %j, %k] : tensor<?x?x?xf64>
        scf.yield %us : tensor<?x?x?xf64>
      }
      scf.yield %third : tensor<?x?x?xf64>
    }
    scf.yield %q : tensor<?x?x?xf64>
  }
  return %r : tensor<?x?x?xf64>
}
func.func @grad(%x: tensor<?x?x?xf64>, %bar: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %r:2 = ad.vjp @f(%x) seed(%bar) : (tensor<?x?x?xf64>), (tensor<?x?x?xf64>)
      -> (tensor<?x?x?xf64>, tensor<?x?x?xf64>)
  return %r#1 : tensor<?x?x?xf64>
}
"#;

fn cube(n: usize) -> Value {
    let elements = (0..n * n * n).map(|i| (i % 11) as f64 / 12.0 + 0.1).collect();
    Value::Tensor(Tensor::from_floats(&[n, n, n], elements))
}

/// F50: the same for three loops, branches, and several loops one after the other.
#[test]
fn unproven_deep_nests_keep_work() {
    let primal = cost(CUBE, "f", &[cube(12)]);
    let small = cost(CUBE, "grad", &[cube(4), cube(4)]);
    let large = cost(CUBE, "grad", &[cube(12), cube(12)]);
    println!("{} {} {} {}", primal.work(), small.work(), large.work(), large.allocations);
    // 27 times the elements.
    assert!(large.work() <= 36 * small.work(), "{small:?}\n{large:?}");
    assert!(large.work() <= 15 * primal.work(), "{primal:?}\n{large:?}");
}

/// F54: a scatter saves the elements that it overwrites, not the array.
#[test]
fn scatters_save_what_they_overwrite() {
    let program = r#"
func.func @f(%x: tensor<?xf64>, %is: tensor<?xindex>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %vs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
      %v = tensor.extract %xs[%i] : tensor<?xf64>
      %s = math.sin %v : f64
      soac.yield %s : f64
    }
    %at = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xindex> {
      %j = arith.addi %i, %k : index
      soac.yield %j : index
    }
    %ys = soac.scatter at(%at : tensor<?xindex>) ins(%vs : tensor<?xf64>)
        into(%xs : tensor<?xf64>)
    scf.yield %ys : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
func.func @grad(%x: tensor<?xf64>, %is: tensor<?xindex>, %n: index) -> tensor<?xf64> {
  %r:2 = ad.vjp @f(%x, %is, %n) seed(%x) : (tensor<?xf64>, tensor<?xindex>, index), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
"#;
    let indices = || Value::Tensor(Tensor::from_ints(&[5], vec![3, 1, 4, 1, 50]));
    let small = cost(program, "grad", &[vector(100), indices(), Value::Int(40)]);
    let large = cost(program, "grad", &[vector(10_000), indices(), Value::Int(40)]);
    println!("{} {}", small.work(), large.work());
    // Some copies of the array at the ends of the loops, none in the 40 iterations; the
    // array in which the last writers are looked up is allocated but neither filled nor read.
    assert!(large.work() <= 5 * 10_000 + small.work(), "{small:?}\n{large:?}");
}

/// F54: an update in a branch saves the element and not the array.
#[test]
fn updates_in_branches_save_elements() {
    let program = r#"
func.func @f(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %v = tensor.extract %xs[%c1] : tensor<?xf64>
    %c = arith.cmpf olt, %v, %one : f64
    %ys = scf.if %c -> tensor<?xf64> {
      %s = math.sin %v : f64
      %u = tensor.insert %s into %xs[%c1] : tensor<?xf64>
      scf.yield %u : tensor<?xf64>
    } else {
      scf.yield %xs : tensor<?xf64>
    }
    scf.yield %ys : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
func.func @grad(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %r:2 = ad.vjp @f(%x, %n) seed(%x) : (tensor<?xf64>, index), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
"#;
    let small = cost(program, "grad", &[vector(100), Value::Int(200)]);
    let large = cost(program, "grad", &[vector(10_000), Value::Int(200)]);
    // Some copies of the array at the ends of the loops, none in the 200 iterations.
    assert!(large.allocations <= 5 * 10_000 + small.allocations, "{small:?}\n{large:?}");
}

/// F66: an array that is made anew in every iteration is saved whole, which is what the
/// remark says; its work is that of making it.
#[test]
fn arrays_made_anew_are_saved_whole() {
    let program = r#"
func.func @f(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%xs = %x) -> tensor<?xf64> {
    %ys = soac.map ins(%xs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
      %s = math.sin %v : f64
      soac.yield %s : f64
    }
    scf.yield %ys : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
func.func @grad(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %r:2 = ad.vjp @f(%x, %n) seed(%x) : (tensor<?xf64>, index), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
"#;
    let inputs = [vector(50), Value::Int(40)];
    let primal = cost(program, "f", &inputs);
    let derived = cost(program, "grad", &inputs);
    assert_eq!(derived.largest_allocation, 50 * 40);
    assert!(derived.work() <= 8 * primal.work(), "{primal:?}\n{derived:?}");
}

/// A loop with the attribute.
fn power(attribute: &str) -> String {
    r#"
func.func @f(%y0: f64, %p: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%y = %y0) -> f64 {
    %s = math.sin %y : f64
    %t = arith.mulf %p, %s : f64
    scf.yield %t : f64
  } ATTRIBUTE
  return %y : f64
}
func.func @grad(%y0: f64, %p: f64, %n: index) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @f(%y0, %p, %n) seed(%one) : (f64, f64, index), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}
"#
    .replace("ATTRIBUTE", attribute)
}

/// F20: k factors m let the body run k + 2 times, and save m versions per level.
#[test]
fn strip_mining_trades_memory_for_time() {
    let inputs = [Value::Float(0.5), Value::Float(1.1), Value::Int(1000)];
    for (attribute, k, versions) in [
        ("", 0, 1000),
        ("{ad.strip_mine = 32 : i64}", 1, 32),
        ("{ad.strip_mine = array<i64: 10, 10>}", 2, 10),
        ("{ad.strip_mine = array<i64: 6, 6, 6>}", 3, 6),
        ("{ad.strip_mine = array<i64: 4, 4, 4, 4>}", 4, 4),
    ] {
        let counts = cost(&power(attribute), "grad", &inputs);
        println!("{attribute}: {} {}", counts.math_ops, counts.largest_allocation);
        // Each execution of the body is a sine; the return sweep adds a cosine.
        assert!(counts.math_ops <= (k + 2) * 1000 + 1000, "{attribute}: {counts:?}");
        assert!(counts.math_ops > (k + 1) * 1000, "{attribute}: {counts:?}");
        assert!(counts.largest_allocation <= versions, "{attribute}: {counts:?}");
    }
}
