//! Properties of the normal forms and derivatives, on random programs.

use crate::adjoint::differentiate_reverse;
use crate::cost::cost_of_type;
use crate::eval::Value;
use crate::expr::{Half, Type, Var, type_of};
use crate::forward::differentiate_forward;
use crate::functions::Functions;
use crate::ssa::Request;
use crate::testing::{
    FourierMotzkin, MOST_STEPS, Run, count, extended, forms, is_small, normalise,
    random::{Program, program},
    steps,
};

/// T25, T27, T34: the normal forms mean the same and cost no more.
#[test]
fn normal_forms_are_the_program() {
    let mut compared = 0;
    for seed in 0..count() {
        let program = program(seed);
        let run = Run::new(seed, &program.inputs);
        let mut normal = normalise(&program);
        let last = normal.ssa.to_expr(&mut normal.names);
        if steps(&last, &run.sizes) > MOST_STEPS {
            continue;
        }
        let wanted = run.value(&program.body, &program.functions).unwrap();
        if !is_small(&wanted) {
            continue;
        }
        compared += 1;
        let [lifted, split, pushed] = forms(&program, &mut program.names.clone());
        let forms = [&lifted, &split, &pushed, &last];
        let mut budget = run.cost(&program.body, &program.functions);
        for (step, form) in forms.into_iter().enumerate() {
            let value = run.value(form, &program.functions).unwrap();
            assert_eq!(wanted.numbers(), value.numbers(), "seed {seed}, step {step}");
            let cost = run.cost(form, &program.functions);
            assert!(cost <= budget, "seed {seed}, step {step}: {cost} > {budget}");
            budget = cost;
        }
    }
    assert!(compared * 5 > count() * 4);
}

/// The inner product of values.
fn dot(left: &Value, right: &Value) -> f64 {
    let products = left.numbers().into_iter().zip(right.numbers());
    products.map(|(left, right)| left * right).sum()
}

pub fn halves(value: &Value) -> [&Value; 2] {
    match value {
        Value::Pair(first, second) => [first, second],
        other => panic!("no pair: {other:?}"),
    }
}

fn size_of_type(run: &Run, of: &Type) -> u64 {
    cost_of_type(of, &run.environment(), &run.world(&Functions::default()))
}

/// T07, T37, T42: the derivatives are each other's transposes and the forward
/// one is what differences say; both cost at most four times as much as the
/// program, with inputs and results in the reverse one.
#[test]
fn derivatives_are_right_and_cheap() {
    let mut compared = 0;
    for seed in 0..count() {
        let program = program(seed);
        let mut functions = program.functions.clone();
        let run = Run::new(seed, &program.inputs);
        let normal = normalise(&program);
        let wrt: Vec<Var> = program.inputs.iter().map(|(name, _)| *name).collect();
        let request = Request { wrt: &wrt, count: 1, of: &[0] };
        let names = normal.names.clone();
        let (forward, mut names) =
            differentiate_forward(&normal.ssa, request, &mut functions, names);
        let forward_expr = forward.to_expr(&mut names);
        let (reverse, mut names) = differentiate_reverse(
            &normal.ssa,
            request,
            &FourierMotzkin,
            &mut functions,
            normal.names.clone(),
        );
        let reverse_expr = reverse.to_expr(&mut names);

        if steps(&reverse_expr, &run.sizes).max(steps(&forward_expr, &run.sizes)) > MOST_STEPS {
            continue;
        }
        let primal = run.value(&program.body, &functions).unwrap();
        let forward_run = extended(&run, &forward, seed + 7);
        let reverse_run = extended(&run, &reverse, seed + 9);
        let forward_value = forward_run.value(&forward_expr, &functions).unwrap();
        let reverse_value = reverse_run.value(&reverse_expr, &functions).unwrap();
        if !is_small(&forward_value) || !is_small(&reverse_value) {
            continue;
        }
        compared += 1;
        let [again, tangents] = halves(&forward_value);
        assert_eq!(primal.numbers(), again.numbers(), "seed {seed}");
        let [again, cotangents] = halves(&reverse_value);
        assert_eq!(primal.numbers(), again.numbers(), "seed {seed}");
        let seeds = forward_run.values[program.inputs.len()..].iter();
        let seeds: Vec<f64> = seeds.flat_map(|(_, of, value)| split_numbers(of, value)).collect();
        let left = dot(&reverse_run.values.last().unwrap().2, tangents);
        let products = seeds.iter().zip(cotangents.numbers());
        let right: f64 = products.map(|(seed, cotangent)| seed * cotangent).sum();
        assert_eq!(left, right, "seed {seed}: not transposes");

        let differences = differences(&program, &run, &forward_run);
        for (difference, tangent) in differences.iter().zip(tangents.numbers()) {
            let error = (difference - tangent).abs();
            assert!(error <= 1e-3 * (1.0 + tangent.abs()), "seed {seed}: {difference} {tangent}");
        }

        let mut names = normal.names.clone();
        let budget = run.cost(&normal.ssa.to_expr(&mut names), &functions);
        let cost = forward_run.cost(&forward_expr, &functions);
        assert!(cost <= 4 * budget, "seed {seed}: forward {cost} > 4 * {budget}");
        let inputs = program.inputs.iter().map(|(_, of)| size_of_type(&run, of));
        let interface = inputs.sum::<u64>() + size_of_type(&run, &normal.ssa.result_type());
        let cost = reverse_run.cost(&reverse_expr, &functions);
        let (whole, allowed) = (cost + interface, 4 * (budget + interface));
        assert!(whole <= allowed, "seed {seed}: reverse {whole} > {allowed}");
    }
    assert!(compared * 4 > count() * 3);
}

/// The numbers of a value in the order of pairs of tensors.
pub fn split_numbers(of: &Type, value: &Value) -> Vec<f64> {
    fn at(value: &Value, path: &[Half]) -> Vec<f64> {
        match (value, path) {
            (Value::Tensor(elements), _) => {
                elements.iter().flat_map(|element| at(element, path)).collect()
            }
            (Value::Pair(first, _), [Half::First, rest @ ..]) => at(first, rest),
            (Value::Pair(_, second), [_, rest @ ..]) => at(second, rest),
            (value, _) => value.numbers(),
        }
    }
    of.leaves().iter().flat_map(|path| at(value, path)).collect()
}

/// Central differences of a program in the direction of the tangents.
fn differences(program: &Program, run: &Run, forward: &Run) -> Vec<f64> {
    let step = 1e-5;
    let at = |factor: f64| {
        let mut moved = Run { sizes: run.sizes.clone(), values: run.values.clone() };
        let count = run.values.len();
        for (place, (_, _, value)) in moved.values.iter_mut().enumerate() {
            *value = moved_by(value, &forward.values[count + place].2, factor);
        }
        let body = moved.value(&program.body, &program.functions).unwrap();
        let of = type_of(&program.body, &|name| {
            moved.values.iter().find(|(input, ..)| *input == name).unwrap().1.clone()
        });
        split_numbers(&of, &body)
    };
    let (above, below) = (at(step), at(-step));
    let pairs = above.into_iter().zip(below);
    pairs.map(|(above, below)| (above - below) / (2.0 * step)).collect()
}

fn moved_by(value: &Value, by: &Value, factor: f64) -> Value {
    match (value, by) {
        (Value::Number(number), Value::Number(by)) => Value::Number(number + factor * by),
        (Value::Pair(first, second), Value::Pair(first_by, second_by)) => Value::Pair(
            Box::new(moved_by(first, first_by, factor)),
            Box::new(moved_by(second, second_by, factor)),
        ),
        (Value::Tensor(elements), Value::Tensor(by)) => {
            let pairs = elements.iter().zip(by);
            Value::Tensor(pairs.map(|(element, by)| moved_by(element, by, factor)).collect())
        }
        _ => panic!("values of different types"),
    }
}
