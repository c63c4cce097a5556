//! Gradients of what is raised to the tensor language cost as much as the numbers that are not zero,
//! counted by the interpreter.
//!
//! Shows the checklist rows T01 and T02 by number.

use std::path::Path;

use ad_check::decode::{Options, decode};
use ad_check::{Tensor, Value, run};
use melior::ir::Module;

/// The work of an entry of the test of diagonal matrices on a vector of `size` numbers.
fn work(pipeline: &str, entry: &str, size: usize) -> u64 {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/atl/raise/diag-trace.mlir");
    let source = std::fs::read_to_string(path).expect("the program is there");
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, &source).expect("the program parses");
    ad_passes::pipeline::run(&context, &mut module, pipeline).expect("the pipeline runs");
    let program = decode(&module, entry, Options::default()).expect("it decodes");
    let numbers = (0..size).map(|i| i as f64 / 7.0).collect();
    let vector = Value::Tensor(Tensor::from_floats(&[size], numbers));
    run(&program, entry, &[vector]).expect("it runs").counts.work()
}

#[test]
fn gradients_of_diagonal_matrices_are_linear() {
    for entry in ["product_gradient", "traces_gradient"] {
        let [one, two] = [40, 80].map(|size| work("raise-to-atl,ad-optimize", entry, size));
        assert!(two < 3 * one, "{entry}: {one} and {two}: more than linear");
        let [plain_one, plain_two] = [40, 80].map(|size| work("ad-optimize", entry, size));
        assert!(plain_two > 3 * plain_one, "{entry}: {plain_one} and {plain_two} without it");
        assert!(10 * two < plain_two, "{entry}: {two}, and {plain_two} without it");
    }
}
