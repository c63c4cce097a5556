//! The engine of inference takes new properties, from outside of the crate (M22).

use ad_dialect::ir::{BlkExt, Op, OpExt, handle};
use ad_passes::infer::{
    Engine,
    constants::{Constants, known},
    property::{Conflict, Facts, Property},
};
use melior::ir::{Module, Type};

/// Whether an integer is even.
struct Parity;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Is {
    Even,
    Odd,
    Unknown,
}

impl Property for Parity {
    type Fact = Is;

    fn of_type(&self, _type: Type<'_>) -> Is {
        Is::Unknown
    }

    fn join(&self, a: &Is, b: &Is) -> Is {
        if a == b { *a } else { Is::Unknown }
    }

    fn transfer<'c>(&self, op: Op<'c>, facts: &Facts<'c>) -> Result<Option<Vec<Is>>, Conflict> {
        let is = |i: usize| {
            let value = op.operand_list()[i];
            // Other properties may be asked.
            match known(value, facts) {
                Some(number) if number % 2 == 0 => Is::Even,
                Some(_) => Is::Odd,
                None => facts.get::<Parity>(value).unwrap_or(Is::Unknown),
            }
        };
        let fact = match op.op_name() {
            "arith.muli" if is(0) == Is::Even || is(1) == Is::Even => Is::Even,
            "arith.addi" => match (is(0), is(1)) {
                (Is::Unknown, _) | (_, Is::Unknown) => Is::Unknown,
                (a, b) => {
                    if a == b {
                        Is::Even
                    } else {
                        Is::Odd
                    }
                }
            },
            "arith.divsi" if is(1) == Is::Even => return Err("is divided by an even number".into()),
            _ => return Ok(None),
        };
        Ok(Some(vec![fact]))
    }
}

/// What the two properties say of what `@f` returns.
fn of_result(source: &str) -> Option<(Option<i64>, Is)> {
    let context = ad_dialect::context();
    context.attach_diagnostic_handler(|_| true);
    let module = Module::parse(&context, source).expect("the source parses");
    let operation = module.as_operation();
    let mut engine = Engine::new(handle(operation));
    engine.add(Constants);
    engine.add(Parity);
    engine.run().ok()?;
    let (_, instance) = engine.instances().next()?;
    let end = instance.function.blocks().last()?.term()?;
    let value = end.operand_list()[0];
    Some((instance.facts.get::<Constants>(value)?, instance.facts.get::<Parity>(value)?))
}

#[test]
fn a_new_property_passes_through_operations_and_branches() {
    let branch = |one: &str| {
        format!(
            "func.func @f(%n: i64, %c: i1) -> i64 {{
               %two = arith.constant 2 : i64
               %one = arith.constant 1 : i64
               %a = arith.muli %n, %two : i64
               %r = scf.if %c -> i64 {{
                 %b = arith.addi %a, {one} : i64
                 scf.yield %b : i64
               }} else {{
                 scf.yield %a : i64
               }}
               return %r : i64
             }}"
        )
    };
    assert_eq!(of_result(&branch("%two")), Some((None, Is::Even)));
    assert_eq!(of_result(&branch("%one")), Some((None, Is::Unknown)));
}

#[test]
fn it_holds_in_loops_as_long_as_every_iteration_keeps_it() {
    let source = |step: &str| {
        format!(
            "func.func @f(%n: index) -> i64 {{
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %zero = arith.constant 0 : i64
               %step = arith.constant {step} : i64
               %s = arith.addi %zero, %zero : i64
               %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> i64 {{
                 %b = arith.addi %a, %step : i64
                 scf.yield %b : i64
               }}
               return %r : i64
             }}"
        )
    };
    assert_eq!(of_result(&source("4")), Some((None, Is::Even)));
    assert_eq!(of_result(&source("3")), Some((None, Is::Unknown)));
}

#[test]
fn a_conflict_is_an_error() {
    let source = "func.func @f(%n: i64) -> i64 {
        %two = arith.constant 2 : i64
        %r = arith.divsi %n, %two : i64
        return %r : i64
      }";
    assert_eq!(of_result(source), None);
}
