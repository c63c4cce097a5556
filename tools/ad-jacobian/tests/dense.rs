//! Sparse Jacobians beside dense ones, column by column, as the interpreter computes them (F03, F56).

use ad_check::{Tensor, Value, executor::Interpreter};
use ad_jacobian::{Coloring, Function, Pattern, Point, Side, entries, pattern};
use melior::ir::Module;

/// Compares all entries, by colours of either side, with the columns, and returns the pattern.
fn compare(source: &str, inputs: &[Value]) -> Pattern {
    let context = ad_dialect::context();
    let module = Module::parse(&context, source).expect("MLIR");
    let function = Function { context: &context, module: &module, entry: "f", inputs, wrt: None };
    let differentiate = |module: &mut Module| {
        ad_passes::pipeline::run(&context, module, "ad-differentiate").map_err(|e| e.to_string())
    };
    let mut point = Point::new(function, &differentiate, &Interpreter::default()).unwrap();
    let found = pattern(&mut point, &mut |_, _| ()).unwrap();
    let [height, width] = point.shape();
    let mut dense = vec![];
    for column in 0..width {
        let seed: Vec<_> = (0..width).map(|k| f64::from(u8::from(k == column))).collect();
        dense.push(point.along(Side::Columns, &seed).unwrap());
    }
    let best = Coloring::new(&found);
    for coloring in [best, Coloring::of(Side::Columns, &found), Coloring::of(Side::Rows, &found)] {
        assert!(coloring.fits(&found));
        let values = entries(&mut point, &found, &coloring, &mut |_, _| ()).unwrap();
        let mut rest = dense.clone();
        for ([row, column], value) in found.entries().zip(values) {
            let expected = std::mem::take(&mut rest[column][row]);
            assert!((value - expected).abs() <= 1e-12 * expected.abs(), "{row} {column}");
        }
        assert!(rest.iter().flatten().all(|value| *value == 0.0), "{height} x {width}: {rest:?}");
    }
    found
}

fn numbers(count: usize) -> Value {
    let elements = (0..count).map(|k| 0.5 + (k as f64 * 0.7).sin());
    Value::Tensor(Tensor::from_floats(&[count], elements.collect()))
}

/// x_i x_{index i}: a diagonal, and what the indices say.
const GATHERED: &str = "func.func @f(%x: tensor<?xf64>, %is: tensor<?xindex>) -> tensor<?xf64> {
  %r = soac.map ins(%x, %is : tensor<?xf64>, tensor<?xindex>) (%a: f64, %i: index) -> tensor<?xf64> {
    %b = tensor.extract %x[%i] : tensor<?xf64>
    %p = arith.mulf %a, %b : f64
    soac.yield %p : f64
  }
  return %r : tensor<?xf64>
}";

#[test]
fn indices_are_where_entries_are() {
    for count in [0, 1, 7, 8, 9, 64, 65, 200] {
        let targets: Vec<_> = (0..count).map(|k| (k * k + 3) % count).collect();
        let wanted = (0..count).flat_map(|row| [[row, row], [row, targets[row]]]).collect();
        let indices = targets.iter().map(|&target| target as i64).collect();
        let inputs = [numbers(count), Value::Tensor(Tensor::from_ints(&[count], indices))];
        let expected = Pattern::new([count, count], wanted).unwrap();
        assert_eq!(compare(GATHERED, &inputs), expected, "{count}");
    }
}

#[test]
fn sums_of_what_came_before_are_triangles() {
    let source = "func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
      %zero = arith.constant 0.0 : f64
      %s = soac.scan ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      return %s : tensor<?xf64>
    }";
    for count in [1, 10, 33] {
        let wanted = (0..count).flat_map(|row| (0..=row).map(move |column| [row, column]));
        let expected = Pattern::new([count, count], wanted.collect()).unwrap();
        assert_eq!(compare(source, &[numbers(count)]), expected, "{count}");
    }
}

#[test]
fn wide_and_tall_ones() {
    // One sum of each eight elements; and eight multiples of each element.
    let wide = "func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
      %w = tensor.cast %x : tensor<?xf64> to tensor<24xf64>
      %e = tensor.expand_shape %w [[0, 1]] output_shape [3, 8] : tensor<24xf64> into tensor<3x8xf64>
      %z = arith.constant dense<0.0> : tensor<3xf64>
      %s = linalg.reduce ins(%e : tensor<3x8xf64>) outs(%z : tensor<3xf64>) dimensions = [1]
        (%a: f64, %b: f64) {
          %aa = arith.mulf %a, %a : f64
          %c = arith.addf %aa, %b : f64
          linalg.yield %c : f64
        }
      %r = tensor.cast %s : tensor<3xf64> to tensor<?xf64>
      return %r : tensor<?xf64>
    }";
    let found = compare(wide, &[numbers(24), numbers(5)]);
    assert_eq!((found.shape(), found.count(), found.longest()), ([3, 29], 24, 8));
    assert_eq!(Coloring::new(&found).side, Side::Rows);

    let tall = "func.func @f(%x: tensor<?xf64>) -> (f64, tensor<?x8xf64>) {
      %c0 = arith.constant 0 : index
      %first = tensor.extract %x[%c0] : tensor<?xf64>
      %r = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?x8xf64> {
        %aa = arith.mulf %a, %a : f64
        %row = tensor.splat %aa : tensor<8xf64>
        soac.yield %row : tensor<8xf64>
      }
      return %first, %r : f64, tensor<?x8xf64>
    }";
    let found = compare(tall, &[numbers(5)]);
    assert_eq!((found.shape(), found.count(), found.longest()), ([41, 5], 41, 1));
    assert_eq!(Coloring::new(&found).side, Side::Columns);
}

#[test]
fn a_pattern_that_lacks_entries_is_refused() {
    let context = ad_dialect::context();
    let module = Module::parse(&context, GATHERED).expect("MLIR");
    let indices = Value::Tensor(Tensor::from_ints(&[3], vec![1, 2, 0]));
    let inputs = [numbers(3), indices];
    let function =
        Function { context: &context, module: &module, entry: "f", inputs: &inputs, wrt: None };
    let differentiate = |module: &mut Module| {
        ad_passes::pipeline::run(&context, module, "ad-differentiate").map_err(|e| e.to_string())
    };
    let mut point = Point::new(function, &differentiate, &Interpreter::default()).unwrap();
    let diagonal = Pattern::new([3, 3], (0..3).map(|k| [k, k]).collect()).unwrap();
    for (side, name) in [(Side::Columns, "row 0"), (Side::Rows, "column 0")] {
        let coloring = Coloring::of(side, &diagonal);
        let error = entries(&mut point, &diagonal, &coloring, &mut |_, _| ()).unwrap_err();
        assert!(error.starts_with(name), "{error}");
    }
}
