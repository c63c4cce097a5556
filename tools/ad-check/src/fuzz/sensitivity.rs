//! What the results of a program owe to rounding.

use crate::executor::{Interpreted, Loaded};
use crate::numbers::{map_floats, results_distance};
use crate::value::Value;

/// Rounding in another order is like moving the inputs by so many units.
const ROUNDINGS: f64 = 1e3;

/// Runs with noise, of which each draws anew how every result is rounded.
const DRAWS: u64 = 16;

/// What was drawn is not the worst that may happen.
const SPREAD: f64 = 10.0;

/// How far apart results may be, relative to themselves, that differ in rounding only: by more than any tolerance where a
/// program is chaotic, or compares numbers that are equal but for rounding.
pub fn allowance(
    subject: &mut Interpreted,
    entry: &str,
    inputs: &[Value],
    unit: f64,
    floor: f64,
) -> f64 {
    let moved = ROUNDINGS * sensitivity(subject, entry, inputs, unit, floor);
    moved.max(SPREAD * spread(subject, entry, inputs, floor))
}

/// How far results move if the inputs move by a unit of rounding.
fn sensitivity(
    subject: &mut Interpreted,
    entry: &str,
    inputs: &[Value],
    unit: f64,
    floor: f64,
) -> f64 {
    let mut at = |signs: [f64; 2]| {
        let mut signs = signs.into_iter().cycle();
        let mut moved = |x: f64| x * (1.0 + unit * signs.next().unwrap_or(1.0));
        let inputs: Vec<Value> = inputs.iter().map(|v| map_floats(v, &mut moved)).collect();
        subject.run(entry, &inputs).unwrap_or_default()
    };
    let here = at([0.0, 0.0]);
    largest([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(&mut at), &here, floor)
}

/// How far results move if those of all operations inside do so by a unit of rounding.
fn spread(subject: &mut Interpreted, entry: &str, inputs: &[Value], floor: f64) -> f64 {
    let mut with = |noise| {
        subject.noise = noise;
        subject.run(entry, inputs).unwrap_or_default()
    };
    let noisy: Vec<_> = (0..DRAWS).map(|seed| with(Some(seed))).collect();
    largest(noisy, &with(None), floor)
}

/// The largest distance that there is, to results that may have another number of elements or be no numbers.
fn largest(all: impl IntoIterator<Item = Vec<Value>>, here: &[Value], floor: f64) -> f64 {
    all.into_iter()
        .map(|there| results_distance(here, &there, floor))
        .filter(|distance| distance.is_finite())
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::Interpreter;
    use melior::ir::Module;

    /// What a function of one number owes to rounding: of its argument, and inside of it.
    fn of(body: &str, x: f64) -> [f64; 2] {
        let context = ad_dialect::context();
        let text = format!("func.func @f(%x: f64) -> f64 {{ {body} }}");
        let module = Module::parse(&context, &text).unwrap();
        let mut subject = Interpreter::default().decode(&module, &["f"]).unwrap();
        let inputs = [Value::Float(x)];
        let moved = sensitivity(&mut subject, "f", &inputs, f64::EPSILON, 0.0);
        [moved, spread(&mut subject, "f", &inputs, 0.0)].map(|distance| distance / f64::EPSILON)
    }

    #[test]
    fn smooth_functions_move_as_their_arguments_and_operations_do() {
        let [moved, spread] = of("%y = arith.mulf %x, %x : f64 return %y : f64", 0.7);
        assert!((1.0..4.0).contains(&moved), "{moved:e}");
        assert!((0.5..2.0).contains(&spread), "{spread:e}");
    }

    #[test]
    fn chaos_is_told_from_mistakes() {
        // The logistic map doubles a difference in each of its iterations.
        let chaotic = of(
            "%c0 = arith.constant 0 : index
             %c1 = arith.constant 1 : index
             %n = arith.constant 30 : index
             %one = arith.constant 1.0 : f64
             %four = arith.constant 4.0 : f64
             %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f64) {
               %b = arith.subf %one, %a : f64
               %c = arith.mulf %a, %b : f64
               %d = arith.mulf %four, %c : f64
               scf.yield %d : f64
             }
             return %y : f64",
            0.3,
        );
        assert!(chaotic.iter().all(|&distance| distance > 1e6), "{chaotic:?}");
    }

    #[test]
    fn comparisons_that_rounding_decides_are_told_from_others() {
        let compared = |second: &str| {
            let text = format!(
                "%c = arith.constant 1.25 : f64
                 %y = math.tanh %x : f64
                 %z = {second} : f64
                 %less = arith.cmpf olt, %y, %z : f64
                 %w = arith.select %less, %c, %y : f64
                 return %w : f64"
            );
            of(&text, 0.7)
        };
        let [moved, spread] = compared("math.tanh %x");
        assert!(moved < 4.0 && spread > 1e6, "{moved:e} {spread:e}");
        let [moved, spread] = compared("math.sin %x");
        assert!(moved < 4.0 && spread < 4.0, "{moved:e} {spread:e}");
    }

    #[test]
    fn exact_results_stay() {
        let [_, spread] = of(
            "%c = arith.constant 1.25 : f64
             %half = arith.constant 0.5 : f64
             %y = arith.mulf %x, %half : f64
             %z = arith.divf %x, %c : f64
             %less = arith.cmpf olt, %y, %half : f64
             %w = arith.select %less, %z, %y : f64
             return %w : f64",
            1.0,
        );
        assert_eq!(spread, 0.0);
    }
}
