//! What the gradient of the main example costs, counted by the interpreter: its work stays within a
//! constant of the objective's whatever the sizes, and its memory holds no tape.
//!
//! Shows the checklist rows F62 and F65 for this program by number.

use std::path::Path;

use ad_check::decode::{Options, decode};
use ad_check::{Counts, Program, Tensor, Value, run};
use melior::ir::Module;

/// The decoded objective and gradient, optimised as `ad-opt run` does before lowering.
fn programs() -> [Program; 2] {
    let context = ad_dialect::context();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/gmm.mlir");
    let source = std::fs::read_to_string(path).expect("the example is there");
    let mut module = Module::parse(&context, &source).expect("the example parses");
    ad_passes::pipeline::run(&context, &mut module, "ad-optimize").expect("the pipeline runs");
    ["objective", "gradient"].map(|entry| {
        decode(&module, entry, Options::default()).unwrap_or_else(|fault| panic!("{fault:?}"))
    })
}

/// Made-up parameters and points; the counts do not depend on the values.
fn arguments(n: usize, components: usize, d: usize) -> Vec<Value> {
    let tensor = |shape: &[usize]| {
        let count = shape.iter().product();
        let elements = (0..count).map(|i: usize| ((i * 37 % 101) as f64 - 50.0) / 97.0).collect();
        Value::Tensor(Tensor::from_floats(shape, elements))
    };
    vec![
        tensor(&[components]),
        tensor(&[components, d]),
        tensor(&[components, d * (d + 1) / 2]),
        tensor(&[n, d]),
        Value::Float(0.5),
        Value::Int(2),
    ]
}

fn counts(program: &Program, entry: &str, arguments: &[Value]) -> Counts {
    run(program, entry, arguments).unwrap_or_else(|fault| panic!("{fault:?}")).counts
}

#[test]
fn gradient_stays_within_a_constant_of_the_objective() {
    let [objective, gradient] = programs();
    for (n, components, d) in [(10, 3, 4), (200, 3, 4), (10, 60, 4), (10, 3, 60), (60, 20, 20)] {
        let arguments = arguments(n, components, d);
        let primal = counts(&objective, "objective", &arguments);
        let derived = counts(&gradient, "gradient", &arguments);
        let sizes = format!("n {n}, K {components}, d {d}");
        let ratio = derived.work() as f64 / primal.work() as f64;
        println!("{sizes}: work {ratio:.2}, largest {}", derived.largest_allocation);
        assert!(ratio < 4.0, "{sizes}: {ratio} times the work\n{primal:?}\n{derived:?}");
        // Terms and cotangents of terms, factors and parameters: never n x d x d, nor n x K x d.
        let parameters = components * d * (d + 1) / 2;
        let allowed = (n * components).max(parameters).max(d * d) as u64;
        let largest = derived.largest_allocation;
        assert!(largest <= allowed, "{sizes}: an array of {largest} elements");
    }
}
