//! What the tests of the engines share: programs checked by the oracle, and counted.

use ad_check::executor::Interpreter;
use ad_check::oracle::{Check, check};
use ad_check::{Tensor, Value};
use ad_passes::pipeline::run;
use melior::ir::Module;

/// Checks `@entry` of the source; panics with the report when it fails.
pub fn passes(source: &str, entry: &str, inputs: &[Value]) {
    let context = ad_dialect::context();
    let module = Module::parse(&context, source).expect("the source parses");
    let request = Check {
        context: &context,
        module: &module,
        entry,
        inputs,
        wrt: None,
        seed: 7,
        tolerance: None,
    };
    let executor = Interpreter::default();
    match check(
        &request,
        &|module| run(&context, module, "ad-differentiate,canonicalize,cse"),
        &executor,
    ) {
        Ok(report) => assert!(report.passed(), "@{entry}\n{report}"),
        Err(error) => panic!("@{entry}: {error}"),
    }
}

pub fn vector(values: &[f64]) -> Value {
    Value::Tensor(Tensor::from_floats(&[values.len()], values.to_vec()))
}

pub fn indices(values: &[i64]) -> Value {
    Value::Tensor(Tensor::from_ints(&[values.len()], values.to_vec()))
}

/// What `@entry` costs after differentiation and simplification, with a destination of
/// its own for every writer, as compiled code has it.
pub fn cost(source: &str, entry: &str, inputs: &[Value]) -> ad_check::Counts {
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, source).expect("the source parses");
    run(&context, &mut module, "ad-optimize,lower-own-destinations")
        .expect("differentiation succeeds");
    let options = ad_check::decode::Options { promote: false };
    let program = ad_check::decode::decode(&module, entry, options).expect("decodes");
    ad_check::run(&program, entry, inputs).expect("runs").counts
}
