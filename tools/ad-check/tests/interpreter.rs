//! Programs with values worked out by hand.

use ad_check::decode::{Options, decode};
use ad_check::{Counts, Outcome, Tensor, Value, run};
use melior::Context;
use melior::ir::Module;

fn execute(context: &Context, source: &str, inputs: &[Value]) -> Result<Outcome, String> {
    let module = Module::parse(context, source).ok_or("does not parse")?;
    let program = decode(&module, "main", Options::default()).map_err(|f| f.to_string())?;
    run(&program, "main", inputs).map_err(|f| f.to_string())
}

fn results(source: &str, inputs: &[Value]) -> Vec<Value> {
    let context = ad_dialect::context();
    execute(&context, source, inputs).unwrap().results
}

fn failure(source: &str, inputs: &[Value]) -> String {
    let context = ad_dialect::context();
    execute(&context, source, inputs).unwrap_err()
}

fn counts(source: &str, inputs: &[Value]) -> Counts {
    let context = ad_dialect::context();
    execute(&context, source, inputs).unwrap().counts
}

fn floats(x: &[f64]) -> Value {
    Value::Tensor(Tensor::from_floats(&[x.len()], x.to_vec()))
}

fn matrix(rows: usize, columns: usize, x: &[f64]) -> Value {
    Value::Tensor(Tensor::from_floats(&[rows, columns], x.to_vec()))
}

fn ints(x: &[i64]) -> Value {
    Value::Tensor(Tensor::from_ints(&[x.len()], x.to_vec()))
}

#[test]
fn a_map_over_nothing_keeps_the_size_that_its_body_shows() {
    let source = r#"
    func.func @main(%m: tensor<?x?xf64>, %y: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?x2xf64>) {
      %r:3 = soac.map ins(%m : tensor<?x?xf64>) (%row: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?x2xf64>) {
        %squares = soac.map ins(%row : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
          %0 = arith.mulf %x, %x : f64
          soac.yield %0 : f64
        }
        %sum = arith.addf %squares, %row : tensor<?xf64>
        %pairs = soac.map ins(%sum : tensor<?xf64>) (%x: f64) -> tensor<?x2xf64> {
          %0 = tensor.from_elements %x, %x : tensor<2xf64>
          soac.yield %0 : tensor<2xf64>
        }
        soac.yield %sum, %y, %pairs : tensor<?xf64>, tensor<?xf64>, tensor<?x2xf64>
      }
      return %r#0, %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?x2xf64>
    }"#;
    let got = results(source, &[matrix(0, 3, &[]), floats(&[1.0; 4])]);
    assert_eq!(got[0], matrix(0, 3, &[]));
    assert_eq!(got[1], matrix(0, 4, &[]));
    let pairs = got[2].tensor().unwrap();
    assert_eq!((pairs.rank(), pairs.shape()[0], pairs.shape()[2]), (3, 0, 2));
}

/// The shape of the result of `@main(%m, %y, %n)`, a map over `%m`, which is empty, with this body.
fn shape_of_no_rows(body: &str) -> Vec<usize> {
    let source = format!(
        r#"
    func.func private @doubled(%x: tensor<?xf64>) -> tensor<?xf64> {{
      %r = tensor.concat dim(0) %x, %x : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      return %r : tensor<?xf64>
    }}
    func.func private @forever(%x: tensor<?xf64>) -> tensor<?xf64> {{
      %r = func.call @forever(%x) : (tensor<?xf64>) -> tensor<?xf64>
      return %r : tensor<?xf64>
    }}
    func.func @main(%m: tensor<?x?xf64>, %y: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {{
      %zero = arith.constant 0.0 : f64
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %r = soac.map ins(%m : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?x?xf64> {{
        {body}
        soac.yield %made : tensor<?xf64>
      }}
      return %r : tensor<?x?xf64>
    }}"#
    );
    let got = results(&source, &[matrix(0, 3, &[]), floats(&[1.0; 4]), Value::Int(5)]);
    got[0].tensor().unwrap().shape().to_vec()
}

#[test]
fn rows_of_none_have_sizes_that_the_body_computes() {
    let sums = "%d = tensor.dim %row, %c0 : tensor<?xf64>
        %k = arith.addi %d, %n : index
        %made = tensor.splat %zero[%k] : tensor<?xf64>";
    assert_eq!(shape_of_no_rows(sums), [0, 8]);
    let call = "%made = func.call @doubled(%y) : (tensor<?xf64>) -> tensor<?xf64>";
    assert_eq!(shape_of_no_rows(call), [0, 8]);
    let slice = "%0 = tensor.extract_slice %row[1] [%c2] [1] : tensor<?xf64> to tensor<?xf64>
        %made = tensor.insert_slice %0 into %y[1] [%c2] [1] : tensor<?xf64> into tensor<?xf64>";
    assert_eq!(shape_of_no_rows(slice), [0, 4]);
    let scan = "%rows = soac.replicate %y, %c0 : tensor<?xf64> -> tensor<?x?xf64>
        %prefixes = soac.scan ins(%rows : tensor<?x?xf64>) neutral(%y : tensor<?xf64>) (%l: tensor<?xf64>, %r: tensor<?xf64>) {
          soac.yield %l : tensor<?xf64>
        }
        %d = tensor.dim %prefixes, %c1 : tensor<?x?xf64>
        %made = tensor.splat %zero[%d] : tensor<?xf64>";
    assert_eq!(shape_of_no_rows(scan), [0, 4]);
    let nested = "%none = tensor.empty(%c0) : tensor<?xf64>
        %rows = soac.map ins(%none : tensor<?xf64>) (%x: f64) -> tensor<?x?xf64> {
          %0 = tensor.splat %x[%n] : tensor<?xf64>
          soac.yield %0 : tensor<?xf64>
        }
        %d = tensor.dim %rows, %c1 : tensor<?x?xf64>
        %made = tensor.splat %zero[%d] : tensor<?xf64>";
    assert_eq!(shape_of_no_rows(nested), [0, 5]);
}

#[test]
fn rows_of_none_have_sizes_of_branches_and_loops() {
    let branch = "%x = tensor.extract %row[%c0] : tensor<?xf64>
        %positive = arith.cmpf ogt, %x, %zero : f64
        %made = scf.if %positive -> (tensor<?xf64>) {
          %0 = soac.replicate %x, %n : f64 -> tensor<?xf64>
          scf.yield %0 : tensor<?xf64>
        } else {
          %0 = tensor.splat %zero[%n] : tensor<?xf64>
          scf.yield %0 : tensor<?xf64>
        }";
    assert_eq!(shape_of_no_rows(branch), [0, 5]);
    let loops = "%made = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %row) -> (tensor<?xf64>) {
          %0 = func.call @doubled(%a) : (tensor<?xf64>) -> tensor<?xf64>
          scf.yield %0 : tensor<?xf64>
        }";
    assert_eq!(shape_of_no_rows(loops), [0, 12]);
    let whiles = "%made, %k = scf.while (%a = %row, %i = %c0) : (tensor<?xf64>, index) -> (tensor<?xf64>, index) {
          %goes_on = arith.cmpi slt, %i, %c1 : index
          scf.condition(%goes_on) %a, %i : tensor<?xf64>, index
        } do {
        ^bb0(%a: tensor<?xf64>, %i: index):
          %0 = func.call @doubled(%a) : (tensor<?xf64>) -> tensor<?xf64>
          %1 = arith.addi %i, %c1 : index
          scf.yield %0, %1 : tensor<?xf64>, index
        }";
    assert_eq!(shape_of_no_rows(whiles), [0, 6]);
}

/// What fails on zeros, what never ends and what fills the memory.
#[test]
fn rows_of_none_survive_what_their_body_does_to_zeros() {
    let fails = "%x = tensor.extract %row[%n] : tensor<?xf64>
        %never = arith.cmpf one, %x, %x : f64
        cf.assert %never, \"not reached\"
        %0 = arith.divui %n, %c0 : index
        %1 = tensor.extract_slice %row[%n] [%n] [1] : tensor<?xf64> to tensor<?xf64>
        %made = arith.mulf %1, %1 : tensor<?xf64>";
    assert_eq!(shape_of_no_rows(fails), [0, 5]);
    let endless = "%true = arith.constant true
        %made = scf.while (%a = %row) : (tensor<?xf64>) -> (tensor<?xf64>) {
          scf.condition(%true) %a : tensor<?xf64>
        } do {
        ^bb0(%a: tensor<?xf64>):
          scf.yield %a : tensor<?xf64>
        }";
    assert_eq!(shape_of_no_rows(endless), [0, 3]);
    let recursive = "%0 = func.call @forever(%row) : (tensor<?xf64>) -> tensor<?xf64>
        %made = arith.addf %row, %0 : tensor<?xf64>";
    assert_eq!(shape_of_no_rows(recursive), [0, 3]);
    let huge = "%k = arith.constant 1000000000000 : index
        %0 = tensor.splat %zero[%k] : tensor<?xf64>
        %d = tensor.dim %0, %c0 : tensor<?xf64>
        %made = tensor.splat %zero[%d] : tensor<?xf64>";
    assert_eq!(shape_of_no_rows(huge), [0, 0]);
}

#[test]
fn rows_of_none_cost_nothing_and_update_nothing() {
    let source = |inner: &str| {
        format!(
            r#"
    func.func @main(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>) {{
      %c0 = arith.constant 0 : index
      %r:2 = soac.with_acc ins(%y : tensor<?xf64>) (%a: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, tensor<?x?xf64>) {{
        %m, %b = soac.map ins(%x : tensor<?xf64>) accs(%a : !soac.acc<tensor<?xf64>>) (%e: f64, %c: !soac.acc<tensor<?xf64>>) -> (tensor<?x?xf64>, !soac.acc<tensor<?xf64>>) {{
          {inner}
          soac.yield %0, %d : tensor<?xf64>, !soac.acc<tensor<?xf64>>
        }}
        soac.yield %b, %m : !soac.acc<tensor<?xf64>>, tensor<?x?xf64>
      }}
      return %r#1, %r#0 : tensor<?x?xf64>, tensor<?xf64>
    }}"#
        )
    };
    let busy = source(
        "%one = arith.constant 1.0 : f64
          %d = soac.update_acc %c[%c0], %one : !soac.acc<tensor<?xf64>>, f64
          %0 = arith.addf %y, %y : tensor<?xf64>",
    );
    let idle = source("%d, %0 = func.call @same(%c, %y) : (!soac.acc<tensor<?xf64>>, tensor<?xf64>) -> (!soac.acc<tensor<?xf64>>, tensor<?xf64>)")
        + "func.func private @same(%c: !soac.acc<tensor<?xf64>>, %y: tensor<?xf64>) -> (!soac.acc<tensor<?xf64>>, tensor<?xf64>) {
             return %c, %y : !soac.acc<tensor<?xf64>>, tensor<?xf64>
           }";
    let inputs = [floats(&[]), floats(&[2.0, 3.0])];
    let want = [matrix(0, 2, &[]), floats(&[2.0, 3.0])];
    assert_eq!(results(&busy, &inputs), want);
    assert_eq!(results(&idle, &inputs), want);
    assert_eq!(counts(&busy, &inputs), counts(&idle, &inputs));
    assert_eq!(counts(&busy, &inputs).allocations, 0);
}

#[test]
fn maps_and_reductions() {
    let source = r#"
    func.func @main(%m: tensor<?x?xf64>, %n: index) -> (f64, tensor<?xf64>, tensor<?xindex>) {
      %zero = arith.constant 0.0 : f64
      %i = soac.iota %n : tensor<?xindex>
      %sums = soac.map ins(%m, %i : tensor<?x?xf64>, tensor<?xindex>) (%row: tensor<?xf64>, %k: index) -> tensor<?xf64> {
        %s = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
          %0 = arith.addf %l, %r : f64
          soac.yield %0 : f64
        }
        %c = arith.index_cast %k : index to i64
        %f = arith.sitofp %c : i64 to f64
        %p = arith.mulf %s, %f : f64
        soac.yield %p : f64
      }
      %total = soac.reduce ins(%sums : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %0 = arith.addf %l, %r : f64
        soac.yield %0 : f64
      }
      return %total, %sums, %i : f64, tensor<?xf64>, tensor<?xindex>
    }"#;
    let m = matrix(3, 2, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let got = results(source, &[m, Value::Int(3)]);
    assert_eq!(got, [Value::Float(29.0), floats(&[0.0, 7.0, 22.0]), ints(&[0, 1, 2])]);
    let empty = results(source, &[matrix(0, 2, &[]), Value::Int(0)]);
    assert_eq!(empty, [Value::Float(0.0), floats(&[]), ints(&[])]);
}

#[test]
fn reductions_of_tuples_and_rows() {
    let source = r#"
    func.func @main(%x: tensor<3xf64>, %m: tensor<2x3xf64>) -> (f64, f64, tensor<3xf64>) {
      %zero = arith.constant 0.0 : f64
      %one = arith.constant 1.0 : f64
      %a, %b = soac.reduce ins(%x, %x : tensor<3xf64>, tensor<3xf64>) neutral(%one, %zero : f64, f64)
          (%a1: f64, %b1: f64, %a2: f64, %b2: f64) {
        %p = arith.mulf %a1, %a2 : f64
        %q = arith.mulf %b1, %a2 : f64
        %r = arith.addf %q, %b2 : f64
        soac.yield %p, %r : f64, f64
      }
      %zeros = soac.replicate %zero : f64 -> tensor<3xf64>
      %v = soac.reduce ins(%m : tensor<2x3xf64>) neutral(%zeros : tensor<3xf64>) (%l: tensor<3xf64>, %r: tensor<3xf64>) {
        %s = soac.map ins(%l, %r : tensor<3xf64>, tensor<3xf64>) (%p: f64, %q: f64) -> tensor<3xf64> {
          %0 = arith.addf %p, %q : f64
          soac.yield %0 : f64
        }
        soac.yield %s : tensor<3xf64>
      }
      return %a, %b, %v : f64, f64, tensor<3xf64>
    }"#;
    let got =
        results(source, &[floats(&[2.0, 3.0, 5.0]), matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])]);
    // ((0*2+2)*3+3)*5+5
    assert_eq!(got, [Value::Float(30.0), Value::Float(50.0), floats(&[5.0, 7.0, 9.0])]);
}

const HISTOGRAM: &str = r#"
    func.func @main(%a: tensor<?xf64>, %is: tensor<?xindex>, %v: tensor<?xf64>) -> (tensor<?xf64>, f64) {
      %e = arith.constant 7.0 : f64
      %b, %f = soac.with_acc ins(%a : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, f64) {
        %c = soac.map ins(%is, %v : tensor<?xindex>, tensor<?xf64>) accs(%acc : !soac.acc<tensor<?xf64>>)
            (%i: index, %x: f64, %in: !soac.acc<tensor<?xf64>>) -> (!soac.acc<tensor<?xf64>>) {
          %out = soac.update_acc %in[%i], %x : !soac.acc<tensor<?xf64>>, f64
          soac.yield %out : !soac.acc<tensor<?xf64>>
        }
        soac.yield %c, %e : !soac.acc<tensor<?xf64>>, f64
      }
      return %b, %f : tensor<?xf64>, f64
    }"#;

#[test]
fn accumulators_add_and_leave_their_array_alone() {
    let inputs = [floats(&[1.0, 2.0, 3.0]), ints(&[2, 0, 2]), floats(&[10.0, 20.0, 30.0])];
    assert_eq!(results(HISTOGRAM, &inputs), [floats(&[21.0, 2.0, 43.0]), Value::Float(7.0)]);
    let message = failure(HISTOGRAM, &[floats(&[1.0]), ints(&[1]), floats(&[1.0])]);
    assert!(
        message.contains("'soac.update_acc' op index 1 is out of bounds for dimension 0 of size 1"),
        "{message}"
    );
    assert!(message.contains(":7:18: error:"), "{message}");
}

#[test]
fn updates_of_an_accumulator_do_not_copy_it() {
    let n = 1000;
    let inputs = [floats(&vec![0.0; n]), ints(&vec![5; n]), floats(&vec![1.0; n])];
    let counts = counts(HISTOGRAM, &inputs);
    assert_eq!(counts.updates, n as u64);
    // One copy of the argument, which the caller still holds.
    assert_eq!(counts.allocations, n as u64);
}

#[test]
fn loops_and_branches() {
    let source = r#"
    func.func @main(%x: f64, %n: index, %t: tensor<4xf64>) -> (f64, i32, tensor<4xf64>) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %i0 = arith.constant 0 : i32
      %y, %k, %u = scf.for %i = %c0 to %n step %c2 iter_args(%a = %x, %b = %i0, %v = %t) -> (f64, i32, tensor<4xf64>) {
        %a2 = arith.mulf %a, %x : f64
        %one = arith.constant 1 : i32
        %b2 = arith.addi %b, %one : i32
        %in = arith.cmpi ult, %i, %c4 : index
        %v2 = scf.if %in -> tensor<4xf64> {
          %w = tensor.insert %a2 into %v[%i] : tensor<4xf64>
          scf.yield %w : tensor<4xf64>
        } else {
          scf.yield %v : tensor<4xf64>
        }
        scf.yield %a2, %b2, %v2 : f64, i32, tensor<4xf64>
      }
      return %y, %k, %u : f64, i32, tensor<4xf64>
    }"#;
    let t = floats(&[0.0; 4]);
    let got = results(source, &[Value::Float(2.0), Value::Int(5), t.clone()]);
    assert_eq!(got, [Value::Float(16.0), Value::Int(3), floats(&[4.0, 0.0, 8.0, 0.0])]);
    assert_eq!(results(source, &[Value::Float(2.0), Value::Int(0), t.clone()])[2], t);
    let copied = counts(source, &[Value::Float(2.0), Value::Int(5), t]);
    assert_eq!(copied.allocations, 4);
}

#[test]
fn while_loops_and_recursion() {
    let source = r#"
    func.func private @fact(%n: i64) -> i64 {
      %c1 = arith.constant 1 : i64
      %small = arith.cmpi sle, %n, %c1 : i64
      %r = scf.if %small -> i64 {
        scf.yield %c1 : i64
      } else {
        %m = arith.subi %n, %c1 : i64
        %f = func.call @fact(%m) : (i64) -> i64
        %p = arith.muli %n, %f : i64
        scf.yield %p : i64
      }
      return %r : i64
    }
    func.func @main(%n: i64) -> (i64, i64) {
      %c0 = arith.constant 0 : i64
      %c2 = arith.constant 2 : i64
      %steps, %rest = scf.while (%s = %c0, %x = %n) : (i64, i64) -> (i64, i64) {
        %go = arith.cmpi sgt, %x, %c0 : i64
        scf.condition(%go) %s, %x : i64, i64
      } do {
      ^bb0(%s: i64, %x: i64):
        %c1 = arith.constant 1 : i64
        %s2 = arith.addi %s, %c1 : i64
        %x2 = arith.divsi %x, %c2 : i64
        scf.yield %s2, %x2 : i64, i64
      }
      %f = func.call @fact(%n) : (i64) -> i64
      return %f, %steps : i64, i64
    }"#;
    assert_eq!(results(source, &[Value::Int(10)]), [Value::Int(3_628_800), Value::Int(4)]);
    assert!(failure(source, &[Value::Int(100_000)]).contains("calls nest deeper than"));
}

#[test]
fn slices_and_shapes() {
    let source = r#"
    func.func @main(%m: tensor<3x4xf64>, %i: index, %n: index) -> (tensor<?xf64>, tensor<3x4xf64>, tensor<12xf64>, tensor<2x6xf64>, index) {
      %row = tensor.extract_slice %m[%i, 1] [1, %n] [1, 1] : tensor<3x4xf64> to tensor<?xf64>
      %col = tensor.extract_slice %m[0, 0] [3, 1] [1, 1] : tensor<3x4xf64> to tensor<3xf64>
      %m2 = tensor.insert_slice %col into %m[0, 3] [3, 1] [1, 1] : tensor<3xf64> into tensor<3x4xf64>
      %flat = tensor.collapse_shape %m [[0, 1]] : tensor<3x4xf64> into tensor<12xf64>
      %two = tensor.expand_shape %flat [[0, 1]] output_shape [2, 6] : tensor<12xf64> into tensor<2x6xf64>
      %c1 = arith.constant 1 : index
      %d = tensor.dim %two, %c1 : tensor<2x6xf64>
      return %row, %m2, %flat, %two, %d : tensor<?xf64>, tensor<3x4xf64>, tensor<12xf64>, tensor<2x6xf64>, index
    }"#;
    let x: Vec<f64> = (0..12).map(f64::from).collect();
    let got = results(source, &[matrix(3, 4, &x), Value::Int(1), Value::Int(3)]);
    assert_eq!(got[0], floats(&[5.0, 6.0, 7.0]));
    assert_eq!(got[1], matrix(3, 4, &[0., 1., 2., 0., 4., 5., 6., 4., 8., 9., 10., 8.]));
    assert_eq!((&got[2], &got[3], &got[4]), (&floats(&x), &matrix(2, 6, &x), &Value::Int(6)));
    let message = failure(source, &[matrix(3, 4, &x), Value::Int(3), Value::Int(3)]);
    assert!(message.contains("out of bounds for dimension 0 of size 3"), "{message}");
    let message = failure(source, &[matrix(3, 4, &x), Value::Int(0), Value::Int(4)]);
    assert!(message.contains("out of bounds for dimension 1 of size 4"), "{message}");
}

#[test]
fn tensors_made_from_nothing() {
    let source = r#"
    func.func @main(%n: index, %x: f64) -> (tensor<?x2xindex>, tensor<3xf64>, tensor<?xf64>, tensor<2xi1>, tensor<2x2xf64>) {
      %g = tensor.generate %n {
      ^bb0(%i: index, %j: index):
        %s = arith.addi %i, %j : index
        tensor.yield %s : index
      } : tensor<?x2xindex>
      %e = tensor.from_elements %x, %x, %x : tensor<3xf64>
      %empty = tensor.empty(%n) : tensor<?xf64>
      %f = linalg.fill ins(%x : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
      %d = arith.constant dense<[true, false]> : tensor<2xi1>
      %s = tensor.splat %x : tensor<2x2xf64>
      %sum = arith.addf %s, %s : tensor<2x2xf64>
      return %g, %e, %f, %d, %sum : tensor<?x2xindex>, tensor<3xf64>, tensor<?xf64>, tensor<2xi1>, tensor<2x2xf64>
    }"#;
    let got = results(source, &[Value::Int(2), Value::Float(1.5)]);
    assert_eq!(got[0], Value::Tensor(Tensor::from_ints(&[2, 2], vec![0, 1, 1, 2])));
    assert_eq!(got[1..4], [floats(&[1.5; 3]), floats(&[1.5; 2]), ints(&[1, 0])]);
    assert_eq!(got[4], matrix(2, 2, &[3.0; 4]));
}

#[test]
fn linalg_by_its_definition() {
    let source = r#"
    #a = affine_map<(i, j, k) -> (i, k)>
    #b = affine_map<(i, j, k) -> (k, j)>
    #c = affine_map<(i, j, k) -> (i, j)>
    func.func @main(%a: tensor<2x3xf64>, %b: tensor<3x2xf64>, %c: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<3x2xf64>) {
      %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b : tensor<2x3xf64>, tensor<3x2xf64>) outs(%c : tensor<2x2xf64>) {
      ^bb0(%x: f64, %y: f64, %s: f64):
        %m = arith.mulf %x, %y : f64
        %t = arith.addf %s, %m : f64
        linalg.yield %t : f64
      } -> tensor<2x2xf64>
      %e = tensor.empty() : tensor<3x2xf64>
      %t = linalg.transpose ins(%a : tensor<2x3xf64>) outs(%e : tensor<3x2xf64>) permutation = [1, 0]
      return %p, %t : tensor<2x2xf64>, tensor<3x2xf64>
    }"#;
    let a = matrix(2, 3, &[1., 2., 3., 4., 5., 6.]);
    let b = matrix(3, 2, &[1., 0., 0., 1., 1., 1.]);
    let got = results(source, &[a, b, matrix(2, 2, &[1.0; 4])]);
    assert_eq!(got[0], matrix(2, 2, &[5., 6., 11., 12.]));
    assert_eq!(got[1], matrix(3, 2, &[1., 4., 2., 5., 3., 6.]));
}

#[test]
fn narrow_floats_round_unless_promoted() {
    let source = r#"
    func.func @main(%x: f32) -> f32 {
      %c = arith.constant 3.0 : f32
      %y = arith.divf %x, %c : f32
      return %y : f32
    }"#;
    let context = ad_dialect::context();
    let module = Module::parse(&context, source).unwrap();
    let value = |promote| {
        let program = decode(&module, "main", Options { promote }).unwrap();
        run(&program, "main", &[Value::Float(1.0)]).unwrap().results[0].clone()
    };
    assert_eq!(value(false), Value::Float(f64::from(1.0f32 / 3.0f32)));
    assert_eq!(value(true), Value::Float(1.0 / 3.0));
}

#[test]
fn errors_name_the_op_and_the_place() {
    let call = "func.func private @g(f64) -> f64\n func.func @main(%x: f64) -> f64 {\n %y = func.call @g(%x) : (f64) -> f64\n return %y : f64\n}";
    assert!(
        failure(call, &[Value::Float(1.0)]).contains(":3:7: error: 'func.call' op 'g' has no body")
    );
    let unknown = "func.func @main(%x: vector<[2]xf64>) -> f64 {\n %y = vector.extract %x[0] : f64 from vector<[2]xf64>\n return %y : f64\n}";
    assert!(failure(unknown, &[]).contains("no values of type vector<[2]xf64>"));
    let request = "func.func @f(%x: f64) -> f64 {\n return %x : f64\n}\nfunc.func @main(%x: f64) -> f64 {\n %y, %d = ad.jvp @f(%x) seed(%x) : (f64), (f64) -> (f64, f64)\n return %d : f64\n}";
    let message = failure(request, &[Value::Float(1.0)]);
    assert!(message.contains("error: 'ad.jvp' op must be differentiated before"), "{message}");
    let division = "func.func @main(%x: i32, %y: i32) -> i32 {\n %z = arith.divsi %x, %y : i32\n return %z : i32\n}";
    assert!(
        failure(division, &[Value::Int(1), Value::Int(0)])
            .contains(":2:7: error: 'arith.divsi' op division by zero")
    );
    assert!(failure(division, &[Value::Int(1)]).contains("takes 2 arguments, got 1"));
    assert!(
        failure(division, &[Value::Float(1.0), Value::Int(0)])
            .contains("argument 0: expects i32, got a float")
    );
    let lengths = "func.func @main(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {\n %z = soac.map ins(%x, %y : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {\n soac.yield %a : f64\n }\n return %z : tensor<?xf64>\n}";
    assert!(
        failure(lengths, &[floats(&[1.0]), floats(&[1.0, 2.0])])
            .contains("'soac.map' op arrays of different lengths 1 and 2")
    );
}

#[test]
fn a_record_is_made_read_and_set() {
    let source = r#"
    !r = !ad.record<place: tuple<f64, i64>, speed: tensor<2xf64>>
    func.func private @next(%r: !r) -> !r {
      %place = ad.get %r[place] : !r
      %x = ad.get %place[0] : tuple<f64, i64>
      %n = ad.get %place[1] : tuple<f64, i64>
      %y = arith.addf %x, %x : f64
      %m = arith.addi %n, %n : i64
      %next = ad.record(%y, %m) : tuple<f64, i64>
      %s = ad.set %r[place] = %next : !r
      return %s : !r
    }
    func.func @main(%r: !r, %c: i1) -> (!r, !r) {
      %s = call @next(%r) : (!r) -> !r
      %t = arith.select %c, %r, %s : !r
      return %s, %t : !r, !r
    }"#;
    let record = |x: f64, n: i64| {
        let place = Value::Record(vec![Value::Float(x), Value::Int(n)]);
        Value::Record(vec![place, floats(&[1.0, 2.0])])
    };
    let results = results(source, &[record(1.5, 3), Value::Int(1)]);
    assert_eq!(results, [record(3.0, 6), record(1.5, 3)]);
    let wrong = Value::Record(vec![Value::Float(1.0)]);
    assert!(failure(source, &[wrong, Value::Int(1)]).contains("takes 2 arguments, got 1"));
}
