//! What simplification and inlining leave of programs and their derivatives.

use crate::adjoint::differentiate_reverse;
use crate::expr::Var;
use crate::inline::optimise;
use crate::oracle::FourierMotzkin;
use crate::random::program;
use crate::show::show;
use crate::simplify::simplify;
use crate::ssa::Request;
use crate::tests::{MOST_STEPS, Run, count, extended, is_small, normalise, steps};

mod examples;
mod rules;

/// T34: simplified and optimised programs, and derivatives, are the same, cost
/// no more.
#[test]
fn optimised_programs_are_the_programs() {
    let mut compared = 0;
    for seed in 0..count() / 8 {
        let program = program(seed);
        let mut functions = program.functions.clone();
        let run = Run::new(seed, &program.inputs);
        let mut normal = normalise(&program);
        let wrt: Vec<Var> = program.inputs.iter().map(|(name, _)| *name).collect();
        let request = Request { wrt: &wrt, count: 1, of: &[0] };
        let names = normal.names.clone();
        let (reverse, mut reverse_names) =
            differentiate_reverse(&normal.ssa, request, &mut functions, names);
        let primal = normal.ssa.to_expr(&mut normal.names);
        let derivative = reverse.to_expr(&mut reverse_names);
        let derivative_run = extended(&run, &reverse, seed + 9);
        let cases =
            [(primal, &run, &mut normal.names), (derivative, &derivative_run, &mut reverse_names)];
        for (expr, run, names) in cases {
            if steps(&expr, &run.sizes) > MOST_STEPS {
                continue;
            }
            let wanted = run.value(&expr, &functions).unwrap();
            if !is_small(&wanted) {
                continue;
            }
            compared += 1;
            let simple = simplify(&expr, &FourierMotzkin, names);
            let optimal = optimise(&expr, &FourierMotzkin, names);
            let mut budget = run.cost(&expr, &functions);
            for form in [simple, optimal] {
                let value = run.value(&form, &functions);
                let value = value.unwrap_or_else(|fault| panic!("seed {seed}: {fault:?}"));
                let text = || format!("seed {seed}:\n{}\n{}", show(&expr), show(&form));
                assert_eq!(wanted.numbers(), value.numbers(), "{}", text());
                let cost = run.cost(&form, &functions);
                assert!(cost <= budget, "{cost} > {budget}, {}", text());
                budget = cost;
            }
        }
    }
    assert!(compared * 2 > count() / 8 * 3);
}
