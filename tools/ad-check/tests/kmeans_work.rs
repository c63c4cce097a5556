//! What k-means costs, counted by the interpreter: gradient and Hessian diagonal stay within a
//! constant of the objective; with sparse points the work grows with the stored entries, not with the
//! size of the matrix.
//!
//! Shows the checklist rows F58 and F59 by number.

use std::path::Path;

use ad_check::decode::{Options, decode};
use ad_check::{Program, Tensor, Value, run};
use melior::ir::Module;

/// The decoded objective and derivative, optimised as `ad-opt run` does before lowering.
fn programs(name: &str) -> [Program; 2] {
    let context = ad_dialect::context();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/programs").join(name);
    let source = std::fs::read_to_string(path).expect("the program is there");
    let mut module = Module::parse(&context, &source).expect("the program parses");
    ad_passes::pipeline::run(&context, &mut module, "ad-optimize").expect("the pipeline runs");
    ["objective", "gradient_hessian"].map(|entry| {
        decode(&module, entry, Options::default()).unwrap_or_else(|fault| panic!("{fault:?}"))
    })
}

fn numbers(shape: &[usize]) -> Value {
    let count = shape.iter().product();
    let elements = (0..count).map(|i: usize| ((i * 37 % 101) as f64 - 50.0) / 97.0).collect();
    Value::Tensor(Tensor::from_floats(shape, elements))
}

/// The work of the objective and of the derivative.
fn work([objective, derivative]: &[Program; 2], arguments: &[Value]) -> [u64; 2] {
    [(objective, "objective"), (derivative, "gradient_hessian")].map(|(program, entry)| {
        run(program, entry, arguments).unwrap_or_else(|fault| panic!("{fault:?}")).counts.work()
    })
}

#[test]
fn dense_stays_within_a_constant() {
    let programs = programs("kmeans.mlir");
    for (k, n, d) in [(3, 10, 4), (3, 200, 4), (40, 10, 4), (3, 10, 60)] {
        let [primal, derived] = work(&programs, &[numbers(&[k, d]), numbers(&[n, d])]);
        let ratio = derived as f64 / primal as f64;
        println!("k {k}, n {n}, d {d}: {ratio:.2}");
        assert!(ratio < 5.0, "k {k}, n {n}, d {d}: {ratio} times the work");
    }
}

/// n points in d dimensions with `per` entries each.
fn sparse_arguments(k: usize, n: usize, d: usize, per: usize) -> Vec<Value> {
    let integers = |list: Vec<i64>| Value::Tensor(Tensor::from_ints(&[list.len()], list));
    let cols = (0..n * per).map(|e| ((e * 7) % d) as i64).collect();
    let rows = (0..=n).map(|i| (i * per) as i64).collect();
    vec![numbers(&[k, d]), numbers(&[n * per]), integers(cols), integers(rows)]
}

#[test]
fn sparse_grows_with_the_stored_entries() {
    let programs = programs("kmeans_sparse.mlir");
    let at = |n, d, per| work(&programs, &sparse_arguments(3, n, d, per));
    let (base, more_entries, wider) = (at(40, 50, 20), at(40, 50, 40), at(40, 500, 20));
    for which in 0..2 {
        let slope = more_entries[which] as f64 / base[which] as f64;
        println!("{which}: slope {slope:.2}, {} to {}", base[which], wider[which]);
        assert!(slope < 2.0, "twice the entries take {slope} times the work");
        // Ten times as wide: k d numbers more to square, add and return, but not n d.
        let added = wider[which] - base[which];
        assert!(added < 20 * 3 * 450, "{added} operations more for a wider matrix");
    }
    let ratio = base[1] as f64 / base[0] as f64;
    assert!(ratio < 5.0, "{ratio} times the work of the objective");
}
