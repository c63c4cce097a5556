//! What the derivatives of reductions cost, counted by the interpreter: the work and span of the
//! special rules, and of sparse adjoints.

use ad_check::decode::{Options, decode};
use ad_check::{Counts, Tensor, Value, run};
use ad_passes::pipeline;
use melior::ir::Module;

/// What `@entry` costs after differentiation and simplification.
fn cost(source: &str, entry: &str, inputs: &[Value]) -> Counts {
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, source).expect("the source parses");
    pipeline::run(&context, &mut module, "ad-optimize").expect("differentiation succeeds");
    let program = decode(&module, entry, Options { promote: false }).expect("decodes");
    run(&program, entry, inputs).expect("runs").counts
}

/// Numbers without order and without ties.
fn numbers(shape: &[usize]) -> Value {
    let count: usize = shape.iter().product();
    let numbers = (0..count).map(|i| ((i * 37 % 8191) as f64 - 4000.5) / 4096.0);
    Value::Tensor(Tensor::from_floats(shape, numbers.collect()))
}

const PRODUCT: &str = r#"
func.func @f(%xs: tensor<?xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  return %y : f64
}
func.func @gradient(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @f(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
"#;

/// F26, F27, F28, F65: with no, one and many zeros the gradient of a product keeps work and span;
/// without zeros and with one, one pass forward and one back are all there is, and no scan.
#[test]
fn the_gradient_of_a_product_keeps_work_and_span() {
    let with_zeros = |n: usize, zeros: usize| {
        let number = |i| if i < zeros { 0.0 } else { 1.0 + 1.0 / (i + 2) as f64 };
        Value::Tensor(Tensor::from_floats(&[n], (0..n).map(number).collect()))
    };
    for zeros in [0, 1, 2, 100] {
        let small = cost(PRODUCT, "gradient", &[with_zeros(128, zeros)]);
        let large = cost(PRODUCT, "gradient", &[with_zeros(4096, zeros)]);
        let primal = cost(PRODUCT, "f", &[with_zeros(4096, zeros)]);
        assert!(large.work() <= 33 * small.work(), "{zeros}: {small:?}\n{large:?}");
        assert!(large.span <= 2 * small.span, "{zeros}: {small:?}\n{large:?}");
        assert!(large.work() <= 12 * primal.work(), "{zeros}: {primal:?}\n{large:?}");
        assert!(large.span <= 12 * primal.span, "{zeros}: {primal:?}\n{large:?}");
        if zeros < 2 {
            // A comparison and two products forward; a comparison, a quotient and a product back.
            assert!(large.float_ops <= 6 * 4096 + 8, "{zeros}: {large:?}");
        }
    }
}

/// The greatest of the sines, and the least and the greatest of them.
const EXTREMA: &str = r#"
func.func private @greatest(%xs: tensor<?xf64>) -> f64 {
  %e = arith.constant 0xFFF0000000000000 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %m = arith.maximumf %l, %r : f64
    soac.yield %m : f64
  }
  return %y : f64
}
func.func private @least(%xs: tensor<?xf64>) -> f64 {
  %e = arith.constant 0x7FF0000000000000 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%e : f64) (%l: f64, %r: f64) {
    %m = arith.minimumf %l, %r : f64
    soac.yield %m : f64
  }
  return %y : f64
}
func.func private @sines(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.sin %x : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
func.func @one(%xs: tensor<?xf64>) -> f64 {
  %ys = func.call @sines(%xs) : (tensor<?xf64>) -> tensor<?xf64>
  %m = func.call @greatest(%ys) : (tensor<?xf64>) -> f64
  return %m : f64
}
func.func @two(%xs: tensor<?xf64>) -> f64 {
  %ys = func.call @sines(%xs) : (tensor<?xf64>) -> tensor<?xf64>
  %zs = func.call @sines(%ys) : (tensor<?xf64>) -> tensor<?xf64>
  %m = func.call @greatest(%zs) : (tensor<?xf64>) -> f64
  %n = func.call @least(%zs) : (tensor<?xf64>) -> f64
  %p = arith.mulf %m, %n : f64
  return %p : f64
}
func.func @one_gradient(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @one(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
func.func @two_gradient(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @two(%xs) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
"#;

/// F31: of the map that feeds a minimum or maximum the return sweep differentiates one iteration per
/// reduction, also through a map of a map: beyond the forward sweep with its n sines per map, and the
/// comparisons of argmin, it executes a fixed number of functions and float operations.
#[test]
fn only_touched_iterations_are_differentiated() {
    let beyond = |entry: &str, n: usize, maps: u64, reductions: u64| {
        let counts = cost(EXTREMA, entry, &[numbers(&[n])]);
        // Per element and reduction: two comparisons and the operation itself.
        let n = n as u64;
        (counts.math_ops - maps * n, counts.float_ops - reductions * 3 * n)
    };
    let one = beyond("one_gradient", 10, 1, 1);
    assert_eq!(one, beyond("one_gradient", 1000, 1, 1));
    assert!(one.0 <= 2 && one.1 <= 2, "{one:?}");
    let two = beyond("two_gradient", 10, 2, 2);
    assert_eq!(two, beyond("two_gradient", 1000, 2, 2));
    assert!(two.0 <= 8 && two.1 <= 12, "{two:?}");
}

/// The cost function of k-means.
const NEAREST: &str = r#"
func.func @f(%points: tensor<?x?xf64>, %clusters: tensor<?x?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %ds = soac.map ins(%points : tensor<?x?xf64>) (%p: tensor<?xf64>) -> tensor<?xf64> {
    %cs = soac.map ins(%clusters : tensor<?x?xf64>) (%c: tensor<?xf64>) -> tensor<?xf64> {
      %sq = soac.map ins(%p, %c : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
        %d = arith.subf %x, %y : f64
        %e = arith.mulf %d, %d : f64
        soac.yield %e : f64
      }
      %s = soac.reduce ins(%sq : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %t = arith.addf %l, %r : f64
        soac.yield %t : f64
      }
      soac.yield %s : f64
    }
    %m = soac.reduce ins(%cs : tensor<?xf64>) neutral(%inf : f64) (%l: f64, %r: f64) {
      %t = arith.minimumf %l, %r : f64
      soac.yield %t : f64
    }
    soac.yield %m : f64
  }
  %s = soac.reduce ins(%ds : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %s : f64
}
func.func @gradient(%points: tensor<?x?xf64>, %clusters: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @f(%points, %clusters) seed(%one) {wrt = array<i64: 1>}
      : (tensor<?x?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}
"#;

/// F31: per point the return sweep touches the nearest cluster only, d numbers and not k d.
#[test]
fn only_the_nearest_cluster_is_touched() {
    let (n, d) = (20, 7);
    for k in [5, 50] {
        let counts = cost(NEAREST, "gradient", &[numbers(&[n, d]), numbers(&[k, d])]);
        assert_eq!(counts.updates, (n * d) as u64);
        // Forward 3 per number and 4 per comparison of distances; back at most 4 per number of the
        // nearest cluster.
        let (n, k, d) = (n as u64, k as u64, d as u64);
        assert!(counts.float_ops <= n * k * (3 * d + 4) + 4 * n * d, "{k}: {counts:?}");
    }
}

/// F65: a minimum keeps its span: a tree forward, and a constant back.
#[test]
fn minima_keep_their_span() {
    let small = cost(EXTREMA, "one_gradient", &[numbers(&[128])]);
    let large = cost(EXTREMA, "one_gradient", &[numbers(&[4096])]);
    assert!(large.work() <= 33 * small.work(), "{small:?}\n{large:?}");
    assert!(large.span <= 2 * small.span, "{small:?}\n{large:?}");
}
