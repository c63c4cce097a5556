//! What the files of the tensor language say, by the interpreter, which runs them as they are written, and by compiled
//! code, which is lowered.

use std::{fs, path::Path};

use ad_check::{
    Tensor, Value,
    decode::{function_names, signature},
    executor::{Executor, Interpreter},
    numbers::{Rng, magnitude, results_distance},
    program::{Elem, Type},
};
use ad_passes::pipeline::run;
use ad_run::{Options, executor::Jit};
use melior::{Context, ir::Module};

/// Dynamic sizes, and what sizes are that are arguments.
const SIZE: usize = 3;

#[test]
fn the_interpreter_and_compiled_code_agree_on_the_files_of_the_language() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test");
    let (mut ran, mut differ) = (0, vec![]);
    for path in ["atl", "atl/cost", "atl/verify-form", "lower"] {
        let folder = fs::read_dir(tests.join(path)).expect("a folder");
        let mut files: Vec<_> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "mlir")) {
            let text = fs::read_to_string(file).expect("a file");
            for part in text.split("// -----").filter(|part| part.contains("atl.")) {
                for (entry, distance) in distances(part) {
                    ran += 1;
                    if distance > 1e-5 {
                        differ.push(format!("{} @{entry} by {distance:.1e}", file.display()));
                    }
                }
            }
        }
    }
    assert!(differ.is_empty(), "{differ:#?}");
    assert!(ran >= 60, "only {ran} functions ran");
}

/// How far the results of each function that can be run are apart.
fn distances(text: &str) -> Vec<(String, f64)> {
    let context = ad_dialect::context();
    context.attach_diagnostic_handler(|_| true);
    let Some(mut module) = Module::parse(&context, text) else { return vec![] };
    // Files of what is refused have other parts that are not.
    if run(&context, &mut module, "atl-split-pairs,ad-differentiate").is_err() {
        return vec![];
    }
    let functions = function_names(&module).into_iter().filter(|(_, has_body)| *has_body);
    functions
        .filter_map(|(name, _)| Some((name.clone(), distance(&context, &module, &name)?)))
        .collect()
}

/// None if the function cannot be run from outside or has no value for these inputs.
fn distance(context: &Context, module: &Module, entry: &str) -> Option<f64> {
    ad_run::signature(module, entry).ok()?;
    let (types, _) = signature(module, entry).ok()?;
    let mut rng = Rng::new(7);
    let inputs: Vec<Value> = types.iter().map(|ty| input(ty, &mut rng)).collect();
    let expected = Interpreter::default().load(module, &[entry]).expect("it decodes");
    let expected = { expected }.run(entry, &inputs).ok()?;
    let jit = Jit::new(context, Options::default());
    let found = jit.load(module, &[entry]).expect("it compiles").run(entry, &inputs);
    let floor = magnitude(&inputs).max(magnitude(&expected));
    Some(results_distance(&expected, &found.expect("it runs"), floor))
}

fn input(ty: &Type, rng: &mut Rng) -> Value {
    let float = |rng: &mut Rng| ty.elem().float_kind().round(rng.uniform(0.5, 2.0));
    let integer = |rng: &mut Rng| match ty.elem() {
        Elem::Int(1) => rng.below(2) as i64,
        _ => rng.below(SIZE) as i64,
    };
    match ty {
        Type::Scalar(elem) if elem.is_float() => Value::Float(float(rng)),
        Type::Scalar(Elem::Int(1)) => Value::Int(1),
        Type::Scalar(_) => Value::Int(SIZE as i64),
        of => {
            let shape: Vec<usize> = of.dims().iter().map(|size| size.unwrap_or(SIZE)).collect();
            let count = shape.iter().product();
            Value::Tensor(if of.elem().is_float() {
                Tensor::from_floats(&shape, (0..count).map(|_| float(rng)).collect())
            } else {
                Tensor::from_ints(&shape, (0..count).map(|_| integer(rng)).collect())
            })
        }
    }
}
