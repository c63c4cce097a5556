//! Rules that a program outside of the crate of the passes registers, in Rust and by the C interface (M07).

#![allow(unsafe_code)]

use std::{cell::RefCell, ffi::c_void, rc::Rc};

use ad_check::{Value, decode};
use ad_dialect::ir::{Op, OpExt};
use ad_passes::{
    ad::{
        jvp::Jvp,
        rules::{
            Rule,
            callback::{AdRule, ad_register_rule},
            register::{is_call_of, register},
        },
        vjp::Vjp,
    },
    pipeline::run,
    support::diag::Result,
};
use melior::{Context, StringRef, ir::Module};
use mlir_sys as sys;

/// `y = x^3` by a function that has no body.
struct Cube;

impl Rule for Cube {
    fn applies(&self, op: Op<'_>) -> bool {
        is_call_of(op, "cube")
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let (x, y) = (op.operand_list()[0], op.result_list()[0]);
        jvp.copy(op);
        let x_new = jvp.primal(x);
        let slope = jvp.b.mul(jvp.b.float_like(x_new, 3.0), jvp.b.mul(x_new, x_new));
        let y_dot = jvp.b.mul(slope, jvp.tangent_or_zero(x));
        jvp.set_tangent(y, y_dot);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (x, y) = (op.operand_list()[0], op.result_list()[0]);
        let Some(y_bar) = vjp.cotangents.take(y) else { return Ok(()) };
        let x_new = vjp.primal(x);
        let slope = vjp.b.mul(vjp.b.float_like(x_new, 3.0), vjp.b.mul(x_new, x_new));
        let x_bar = vjp.product(y_bar, slope);
        vjp.add_dense(x, x_bar)
    }
}

/// Differentiates a module with functions without bodies, gives them bodies, and runs it.
fn value(source: &str, bodies: &[(&str, &str)], entry: &str, inputs: &[f64]) -> String {
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, source).expect("the source parses");
    run(&context, &mut module, "ad-differentiate,inline,canonicalize,cse").expect("differentiates");
    let mut text = module.as_operation().to_string();
    for (declaration, definition) in bodies {
        assert!(text.contains(declaration), "{text}");
        text = text.replace(declaration, definition);
    }
    let module = Module::parse(&context, &text).expect("the result parses");
    let options = decode::Options { promote: false };
    let program = decode::decode(&module, entry, options).expect("decodes");
    let inputs: Vec<_> = inputs.iter().map(|&x| Value::Float(x)).collect();
    let outcome = ad_check::run(&program, entry, &inputs).expect("runs");
    format!("{:?}", outcome.results)
}

const CUBES: &str = r#"
func.func private @cube(f64) -> f64
func.func private @f(%x: f64) -> f64 {
  %a = func.call @cube(%x) : (f64) -> f64
  %b = arith.mulf %a, %x : f64
  return %b : f64
}
func.func @slope(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @f(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func @curvature(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.jvp @slope(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
"#;
const CUBE: (&str, &str) = (
    "func.func private @cube(f64) -> f64",
    "func.func private @cube(%x: f64) -> f64 {
       %a = arith.mulf %x, %x : f64
       %b = arith.mulf %a, %x : f64
       return %b : f64
     }",
);

#[test]
fn a_rule_for_calls_of_a_function_in_both_modes() {
    register("func.call", Cube);
    // x^4 at 2: 4 x^3 and 12 x^2.
    assert_eq!(value(CUBES, &[CUBE], "slope", &[2.0]), "[Float(32.0)]");
    assert_eq!(value(CUBES, &[CUBE], "curvature", &[2.0]), "[Float(48.0)]");
}

/// A module whose function `g` requests a derivative, by `ad.jvp` or `ad.vjp`, of an operation from a number to a number.
fn requesting(mode: &str, operation: &str) -> String {
    format!(
        "func.func private @broken(f64) -> f64
         func.func private @f(%x: f64) -> f64 {{
           %y = {operation}(%x) : (f64) -> f64
           return %y : f64
         }}
         func.func @g(%x: f64) -> (f64, f64) {{
           %r:2 = ad.{mode} @f(%x) seed(%x) : (f64), (f64) -> (f64, f64)
           return %r#0, %r#1 : f64, f64
         }}"
    )
}

unsafe extern "C" fn is_product(op: sys::MlirOperation, data: *mut c_void) -> bool {
    // SAFETY: the operation is valid, and the data is the name below.
    let (op, name) = unsafe { (Op::from_raw(op), &*data.cast::<&str>()) };
    is_call_of(op, name)
}

/// What a C program does by `mlir-c`: `x_bar = z_bar y`, and none for `y`.
unsafe extern "C" fn product_vjp(
    op: sys::MlirOperation,
    block: sys::MlirBlock,
    cotangents: *mut sys::MlirValue,
    _data: *mut c_void,
) -> bool {
    // SAFETY: the header says what the block and the array hold.
    unsafe {
        assert_eq!(sys::mlirBlockGetNumArguments(block), 4);
        let y = sys::mlirBlockGetArgument(block, 1);
        let z_bar = sys::mlirBlockGetArgument(block, 3);
        let mut state = sys::mlirOperationStateGet(
            StringRef::new("arith.mulf").to_raw(),
            sys::mlirOperationGetLocation(op),
        );
        sys::mlirOperationStateAddOperands(&mut state, 2, [z_bar, y].as_ptr());
        sys::mlirOperationStateAddResults(&mut state, 1, &sys::mlirValueGetType(y));
        let product = sys::mlirOperationCreate(&mut state);
        sys::mlirBlockAppendOwnedOperation(block, product);
        *cotangents = sys::mlirOperationGetResult(product, 0);
    }
    true
}

unsafe extern "C" fn fails(
    _op: sys::MlirOperation,
    _block: sys::MlirBlock,
    _derivatives: *mut sys::MlirValue,
    _data: *mut c_void,
) -> bool {
    false
}

#[test]
fn a_callback_of_the_c_interface() {
    static NAME: &str = "product";
    let data = std::ptr::from_ref(&NAME).cast_mut().cast();
    let rule = AdRule { data, applies: Some(is_product), jvp: Some(fails), vjp: Some(product_vjp) };
    // SAFETY: name and rule are valid, and the data is static.
    unsafe { ad_register_rule(StringRef::new("func.call").to_raw(), &rule) };
    let declaration = "func.func private @product(f64, f64) -> f64";
    let definition = "func.func private @product(%x: f64, %y: f64) -> f64 {
       %z = arith.mulf %x, %y : f64
       return %z : f64
     }";
    let source = |mode: &str| {
        format!(
            "{declaration}
             func.func private @f(%x: f64, %y: f64) -> f64 {{
               %z = func.call @product(%x, %y) : (f64, f64) -> f64
               return %z : f64
             }}
             func.func @bars(%x: f64, %y: f64) -> (f64, f64) {{
               {mode}
             }}"
        )
    };
    let reverse = source(
        "%one = arith.constant 1.0 : f64
         %r:3 = ad.vjp @f(%x, %y) seed(%one) : (f64, f64), (f64) -> (f64, f64, f64)
         return %r#1, %r#2 : f64, f64",
    );
    let bodies = [(declaration, definition)];
    assert_eq!(value(&reverse, &bodies, "bars", &[2.0, 5.0]), "[Float(5.0), Float(0.0)]");
    // A callback that fails is an error at the operation.
    let forward = source(
        "%r:2 = ad.jvp @f(%x, %y) seed(%x, %y) : (f64, f64), (f64, f64) -> (f64, f64)
         return %r#0, %r#1 : f64, f64",
    );
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, &forward).expect("the source parses");
    assert!(run(&context, &mut module, "ad-differentiate").is_err());
}

/// What a callback does that its header forbids.
unsafe extern "C" fn misuse(
    op: sys::MlirOperation,
    block: sys::MlirBlock,
    derivatives: *mut sys::MlirValue,
    data: *mut c_void,
) -> bool {
    let append = |name: &str, operand: sys::MlirValue| {
        // SAFETY: operation, block and operand are valid.
        unsafe {
            let mut state = sys::mlirOperationStateGet(
                StringRef::new(name).to_raw(),
                sys::mlirOperationGetLocation(op),
            );
            sys::mlirOperationStateAddOperands(&mut state, 1, &operand);
            if name != "func.return" {
                sys::mlirOperationStateAddResults(&mut state, 1, &sys::mlirValueGetType(operand));
            }
            let made = sys::mlirOperationCreate(&mut state);
            sys::mlirBlockAppendOwnedOperation(block, made);
            made
        }
    };
    // SAFETY: the header says what the block and the array hold; the data is the text below.
    unsafe {
        let (outside, seed) =
            (sys::mlirOperationGetOperand(op, 0), sys::mlirBlockGetArgument(block, 2));
        *derivatives = match *data.cast::<&str>() {
            "gives" => outside,
            "reads" => sys::mlirOperationGetResult(append("math.sin", outside), 0),
            _ => {
                append("func.return", seed);
                seed
            }
        };
    }
    true
}

/// A rule that panics.
struct Broken;

impl Rule for Broken {
    fn applies(&self, op: Op<'_>) -> bool {
        is_call_of(op, "broken")
    }

    fn jvp<'c>(&self, _: Op<'c>, _: &mut Jvp<'_, 'c>) -> Result<()> {
        panic!("out of {}", "cheese")
    }

    fn vjp<'c>(&self, _: Op<'c>, _: &mut Vjp<'_, 'c>) -> Result<()> {
        panic!("out of {}", "wine")
    }
}

#[test]
fn a_rule_that_panics_is_an_internal_error_of_the_pass() {
    register("func.call", Broken);
    for (mode, missing) in [("jvp", "cheese"), ("vjp", "wine")] {
        let context = ad_dialect::context();
        let errors = errors_of(&context);
        let source = requesting(mode, "func.call @broken");
        let mut module = Module::parse(&context, &source).expect("the source parses");
        assert!(run(&context, &mut module, "ad-differentiate").is_err());
        let expected = format!("internal error: out of {missing} at ");
        assert!(errors.borrow().iter().any(|said| said.contains(&expected)), "{errors:?}");
    }
}

/// Diagnostics of a context, from here on.
fn errors_of(context: &Context) -> Rc<RefCell<Vec<String>>> {
    let errors: Rc<RefCell<Vec<String>>> = Rc::default();
    let sink = errors.clone();
    context.attach_diagnostic_handler(move |diagnostic| {
        sink.borrow_mut().push(diagnostic.to_string());
        true
    });
    errors
}

#[test]
fn a_callback_that_breaks_its_contract_is_an_error_at_the_operation() {
    for (what, message) in [
        ("gives", "gives a derivative that is no value of its block"),
        ("reads", "reads a value from outside of its block, in 'math.sin'"),
        ("ends", "ends its block, with 'func.return'"),
    ] {
        let name: &'static &str = Box::leak(Box::new(what));
        let data = std::ptr::from_ref(name).cast_mut().cast();
        let rule = AdRule { data, applies: None, jvp: Some(misuse), vjp: Some(misuse) };
        let kernel = format!("test.{what}");
        // SAFETY: name and rule are valid, and the data is static.
        unsafe { ad_register_rule(StringRef::new(&kernel).to_raw(), &rule) };
        for mode in ["jvp", "vjp"] {
            let context = ad_dialect::context();
            context.set_allow_unregistered_dialects(true);
            let errors = errors_of(&context);
            let source = requesting(mode, &format!("\"{kernel}\""));
            let mut module = Module::parse(&context, &source).expect("the source parses");
            let before = module.as_operation().to_string();
            assert!(run(&context, &mut module, "ad-differentiate").is_err());
            let wanted = format!("'{kernel}' op has a registered rule that {message}");
            assert!(errors.borrow().iter().any(|e| e == &wanted), "{:?}", errors.borrow());
            assert_eq!(module.as_operation().to_string(), before);
        }
    }
}

#[test]
fn nothing_is_registered_for_an_empty_name() {
    let rule = AdRule { data: std::ptr::null_mut(), applies: None, jvp: None, vjp: None };
    let none = sys::MlirStringRef { data: std::ptr::null(), length: 0 };
    // SAFETY: an empty name has no text, and the rule is valid.
    unsafe {
        ad_register_rule(none, &rule);
        ad_register_rule(StringRef::new("").to_raw(), &rule);
    }
}
