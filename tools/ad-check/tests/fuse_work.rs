//! Fusion never makes a program execute more, counted by the interpreter.
//!
//! Shows the checklist row F64 by number.

use std::path::Path;

use ad_check::decode::{Options, decode};
use ad_check::{Counts, Tensor, Value, run};
use melior::ir::Module;

fn counts(pipeline: &str, source: &str, entry: &str, arguments: &[Value]) -> Counts {
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, source).expect("the program parses");
    ad_passes::pipeline::run(&context, &mut module, pipeline).expect("the pipeline runs");
    let program = decode(&module, entry, Options::default()).expect("it decodes");
    run(&program, entry, arguments).expect("it runs").counts
}

/// The steps of `ad-optimize` in front of the fusion.
fn without_fusion() -> String {
    let pipeline = ad_passes::pipeline::by_name("ad-optimize").expect("there is one");
    let (before, _) = pipeline.text.split_once("ad-fuse").expect("it fuses");
    before.trim_end_matches(',').to_owned()
}

fn tensor(shape: &[usize]) -> Value {
    let elements = (0..shape.iter().product()).map(|i: usize| (i * 37 % 101) as f64 / 97.0 - 0.5);
    Value::Tensor(Tensor::from_floats(shape, elements.collect()))
}

#[test]
fn fusion_costs_nothing() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/gmm.mlir");
    let gmm = std::fs::read_to_string(path).expect("the example is there");
    let arguments = [
        tensor(&[3]),
        tensor(&[3, 4]),
        tensor(&[3, 10]),
        tensor(&[20, 4]),
        Value::Float(0.5),
        Value::Int(2),
    ];
    for entry in ["objective", "gradient"] {
        let before = counts(&without_fusion(), &gmm, entry, &arguments);
        let after = counts("ad-optimize", &gmm, entry, &arguments);
        for (what, before, after) in [
            ("float", before.float_ops, after.float_ops),
            ("math", before.math_ops, after.math_ops),
            ("int", before.int_ops, after.int_ops),
            ("updates", before.updates, after.updates),
            ("reads", before.reads, after.reads),
            ("writes", before.writes, after.writes),
            ("allocations", before.allocations, after.allocations),
        ] {
            assert!(after <= before, "{entry}: {what}: {after} after {before}");
        }
    }
}

const COMPOSITION: &str = r#"
func.func @composition(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = math.sin %x : f64
    soac.yield %y : f64
  }
  %zs = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %z = math.exp %y : f64
    soac.yield %z : f64
  }
  return %zs : tensor<?xf64>
}
func.func @gradient(%xs: tensor<?xf64>, %seed: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.vjp @composition(%xs) seed(%seed)
      : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
"#;

/// Values and adjoints come from one pass: the inputs are read once, nothing is stored
/// but the results.
#[test]
fn values_and_adjoints_in_one_pass() {
    let n = 50;
    let counts = counts("ad-optimize", COMPOSITION, "gradient", &[tensor(&[n]), tensor(&[n])]);
    let n = n as u64;
    assert_eq!((counts.reads, counts.writes, counts.allocations), (2 * n, 2 * n, 2 * n));
    assert_eq!((counts.math_ops, counts.float_ops), (3 * n, 2 * n), "{counts:?}");
}
