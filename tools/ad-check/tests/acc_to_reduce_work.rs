//! What replacing accumulators costs, counted by the interpreter.
//!
//! Shows the checklist rows F46 and F47 by number.

use ad_check::decode::{Options, decode};
use ad_check::{Counts, Tensor, Value, run};
use melior::ir::Module;

/// A matrix product by indices, as the paper writes it, and its gradients.
const MATMUL: &str = r#"
func.func @product(%as: tensor<?x?xf64>, %bs: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %as, %c0 : tensor<?x?xf64>
  %q = tensor.dim %as, %c1 : tensor<?x?xf64>
  %n = tensor.dim %bs, %c1 : tensor<?x?xf64>
  %is = soac.iota %m : tensor<?xindex>
  %js = soac.iota %n : tensor<?xindex>
  %ks = soac.iota %q : tensor<?xindex>
  %cs = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?x?xf64> {
    %row = soac.map ins(%js : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %ps = soac.map ins(%ks : tensor<?xindex>) (%k: index) -> tensor<?xf64> {
        %a = tensor.extract %as[%i, %k] : tensor<?x?xf64>
        %b = tensor.extract %bs[%k, %j] : tensor<?x?xf64>
        %p = arith.mulf %a, %b : f64
        soac.yield %p : f64
      }
      %s = soac.reduce ins(%ps : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %t = arith.addf %l, %r : f64
        soac.yield %t : f64
      }
      soac.yield %s : f64
    }
    soac.yield %row : tensor<?xf64>
  }
  return %cs : tensor<?x?xf64>
}
func.func @gradient(%as: tensor<?x?xf64>, %bs: tensor<?x?xf64>, %seed: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %r:3 = ad.vjp @product(%as, %bs) seed(%seed)
      : (tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>
}
"#;

const WITH_ACCUMULATORS: &str = "inline,canonicalize,cse,ad-differentiate,inline,canonicalize,cse,\
    ad-simplify,canonicalize,cse,ad-hoist,ad-simplify,canonicalize,cse,symbol-dce";

fn counts(pipeline: &str, [m, q, n]: [usize; 3]) -> (Vec<Value>, Counts) {
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, MATMUL).expect("the program parses");
    ad_passes::pipeline::run(&context, &mut module, pipeline).expect("the pipeline runs");
    let program = decode(&module, "gradient", Options::default()).expect("it decodes");
    let tensor = |shape: [usize; 2]| {
        let elements = (0..shape[0] * shape[1]).map(|i| (i * 37 % 101) as f64 / 8.0 - 6.0);
        Value::Tensor(Tensor::from_floats(&shape, elements.collect()))
    };
    let arguments = [tensor([m, q]), tensor([q, n]), tensor([m, n])];
    let outcome = run(&program, "gradient", &arguments).expect("it runs");
    (outcome.results, outcome.counts)
}

#[test]
fn sums_instead_of_accumulators_cost_no_more() {
    for sizes in [[8, 9, 10], [40, 3, 5], [3, 40, 5], [3, 5, 40], [1, 1, 1], [0, 3, 4], [3, 0, 4]] {
        let (expected, before) = counts(WITH_ACCUMULATORS, sizes);
        let (got, after) = counts("ad-optimize", sizes);
        assert_eq!(format!("{expected:?}"), format!("{got:?}"), "{sizes:?}");
        let [m, q, n] = sizes.map(|size| size as u64);
        assert_eq!(after.updates, 0, "{sizes:?}");
        if m * q * n > 0 {
            assert_eq!(before.updates, 2 * m * q * n, "{sizes:?}");
        }
        // One addition for each update.
        assert!(after.float_ops <= before.float_ops + before.updates, "{sizes:?}: {after:?}");
        // The seed is read in the innermost map of both nests, and the second one counts
        // its own iterations; the interpreter stores the terms of a sum and reads them.
        let repeated = 3 * m * q * n + before.updates + 2 * (m * q + q * n + m * n);
        assert!(after.reads <= before.reads + repeated, "{sizes:?}: {after:?}");
    }
}
