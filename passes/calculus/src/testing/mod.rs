//! Random programs, and what must be the same before and after they are changed;
//! an oracle for tests that have no library of integer sets.
//!
//! This is part of the library, as the passes' tests try their oracle with it, and a
//! feature for them would compile all that uses the calculus twice.

mod fourier_motzkin;
pub mod random;
pub(crate) mod show;
#[cfg(test)]
pub(crate) mod terms;

use crate::adjoint::differentiate_reverse;
use crate::convert::Builder;
use crate::cost::cost;
use crate::eval::{Environment, Fault, Value, evaluate};
use crate::expr::{Expr, Names, Node, Type, Var, operands, type_of_input};
use crate::functions::Functions;
use crate::inline::optimise;
use crate::let_lift::lift_lets;
use crate::oracle::Oracle;
use crate::pairs::eliminate_pairs;
use crate::push_out::push_out_gens;
use crate::simplify::simplify;
use crate::ssa::{Request, Ssa};
pub use fourier_motzkin::FourierMotzkin;
use random::{Program, Random, SIZES, TestWorld, program, value};
use show::show;

/// A program with values for its inputs.
pub(crate) struct Run {
    pub(crate) sizes: Vec<i64>,
    pub(crate) values: Vec<(Var, Type, Value)>,
}

impl Run {
    pub(crate) fn new(seed: u64, inputs: &[(Var, Type)]) -> Run {
        let mut random = Random::new(seed ^ 0xABCD);
        let mut sizes: Vec<i64> = (0..SIZES).map(|_| random.below(4) as i64).collect();
        sizes.push(random.below(5) as i64 - 2);
        let world = TestWorld::new(sizes.clone(), Functions::default());
        let values =
            inputs.iter().map(|(name, of)| (*name, of.clone(), value(&mut random, of, &world)));
        let values = values.collect();
        Run { sizes, values }
    }

    pub(crate) fn environment(&self) -> Environment {
        let vars = self.values.iter();
        let vars = vars.map(|(name, of, value)| (*name, (of.clone(), value.clone())));
        Environment { vars: vars.collect(), ..Environment::default() }
    }

    pub(crate) fn world(&self, functions: &Functions) -> TestWorld {
        TestWorld::new(self.sizes.clone(), functions.clone())
    }

    pub(crate) fn value(&self, expr: &Expr, functions: &Functions) -> Result<Value, Fault> {
        evaluate(expr, &mut self.environment(), &mut self.world(functions))
    }

    pub(crate) fn cost(&self, expr: &Expr, functions: &Functions) -> u64 {
        let cost = cost(expr, &mut self.environment(), &mut self.world(functions));
        cost.expect("no access is out of range")
    }
}

/// A program in Tensor SSA.
pub(crate) struct Normal {
    pub(crate) ssa: Ssa,
    pub(crate) names: Names,
}

/// A program in the normal forms before the last.
pub(crate) fn forms(program: &Program, names: &mut Names) -> [Expr; 3] {
    let type_of_input = |name: Var| type_of_input(&program.inputs, name);
    let lifted = lift_lets(&program.body, names);
    let split = eliminate_pairs(&lifted, &type_of_input, names);
    let pushed = push_out_gens(&split, names);
    [lifted, split, pushed]
}

pub(crate) fn normalise(program: &Program) -> Normal {
    let mut names = program.names.clone();
    let [.., pushed] = forms(program, &mut names);
    let mut builder = Builder::new(program.inputs.clone(), names);
    let results = builder.convert(&pushed);
    let (ssa, names) = builder.finish(results);
    Normal { ssa, names }
}

/// How many random programs a test tries.
pub fn count() -> u64 {
    let wanted = std::env::var("ATL_PROGRAMS").ok();
    wanted.and_then(|count| count.parse().ok()).unwrap_or(2000)
}

/// No program whose evaluation takes more steps than this is tried.
pub(crate) const MOST_STEPS: i64 = 20_000;

/// The steps that evaluating an expression takes, from above.
pub(crate) fn steps(expr: &Expr, sizes: &[i64]) -> i64 {
    let inner = operands(expr).into_iter().map(|operand| steps(operand, sizes));
    let inner = inner.fold(1, i64::saturating_add);
    match &**expr {
        Node::Gen(range, _) | Node::Sum(range, _) => {
            let world = TestWorld::new(sizes.to_vec(), Functions::default());
            let size = Environment::default().affine(&range.size, &world);
            inner.saturating_mul(size.max(1))
        }
        _ => inner,
    }
}

pub(crate) fn is_small(value: &Value) -> bool {
    value.numbers().iter().all(|number| number.abs() < 1e12)
}

/// A run with values for the inputs that a derivative adds.
pub(crate) fn extended(run: &Run, derivative: &Ssa, seed: u64) -> Run {
    let mut random = Random::new(seed);
    let world = run.world(&Functions::default());
    let added = derivative.inputs[run.values.len()..].iter();
    let added = added.map(|(name, of)| (*name, of.clone(), value(&mut random, of, &world)));
    Run { sizes: run.sizes.clone(), values: run.values.iter().cloned().chain(added).collect() }
}

/// T34: simplified and optimised programs, and derivatives, are the same, cost
/// no more. A panic says where that is not so.
pub fn optimised_programs_are_the_programs(oracle: &dyn Oracle, count: u64) {
    let mut compared = 0;
    for seed in 0..count {
        let program = program(seed);
        let mut functions = program.functions.clone();
        let run = Run::new(seed, &program.inputs);
        let mut normal = normalise(&program);
        let wrt: Vec<Var> = program.inputs.iter().map(|(name, _)| *name).collect();
        let request = Request { wrt: &wrt, count: 1, of: &[0] };
        let names = normal.names.clone();
        let (reverse, mut reverse_names) =
            differentiate_reverse(&normal.ssa, request, oracle, &mut functions, names);
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
            let simple = simplify(&expr, oracle, names);
            let optimal = optimise(&expr, oracle, names);
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
    assert!(compared * 2 > count * 3);
}
