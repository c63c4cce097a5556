//! The rules of total derivatives and of inner products, one by one \[ATL Figures
//! 13, 14 and 17\].

use crate::affine::Affine;
use crate::eval::{Environment, Value, evaluate};
use crate::expr::{
    Expr, Function, Half, Type, Var, access, add, bind, bracket, call, constant, generate, mul,
    pair, project, sum, var,
};
use crate::functions::Functions;
use crate::inner::{Inner, Linear};
use crate::predicate::Predicate;
use crate::testing::random::TestWorld;
use crate::testing::show::show;
use crate::testing::terms::{at, f, index, n, names, range};
use crate::total::Total;

const X: Var = Var(0);
const Y: Var = Var(1);
const DX: Var = Var(2);
const T: Var = Var(3);

fn vector() -> Type {
    Type::tensor(&[n()], Type::Number)
}

/// T35: each operation has its total derivative, and what is not differentiated
/// none [ATL 6.1-6.13].
#[test]
fn each_operation_has_its_total_derivative() {
    let derived = |expr: &Expr| {
        let mut functions = Functions::default();
        functions.given(1);
        functions.given(2);
        let types = [(X, vector()), (Y, vector()), (DX, vector())].into();
        let mut total = Total { types, functions: &mut functions, names: names() };
        let derived = total.derive(expr, &[(X, DX)].into());
        derived.map(|derived| show(&derived))
    };
    let both = |first, second| call(Function(1), vec![first, second]);
    let first = || Predicate::equal(&index(0), &Affine::constant(0));
    let rules = [
        // (6.1)
        (var(X), "x2"),
        // (6.4)
        (add(at(X, 0), at(X, 1)), "(x2[i0] + x2[i1])"),
        (add(at(X, 0), at(Y, 1)), "x2[i0]"),
        // (6.5)
        (mul(at(X, 0), at(X, 1)), "((x2[i0] * x0[i1]) + (x0[i0] * x2[i1]))"),
        (mul(at(Y, 0), at(X, 1)), "(x1[i0] * x2[i1])"),
        // (6.6)
        (f(at(X, 0)), "(f2(x0[i0]) * x2[i0])"),
        (both(at(X, 0), at(Y, 0)), "f2(x0[i0], x1[i0], x2[i0], 0)"),
        // (6.7)
        (pair(var(X), var(Y)), "<x2; gen i0<n0. 0>"),
        // (6.8)
        (project(Half::First, var(X)), "x2.0"),
        // (6.9), (6.11)
        (generate(range(0), at(X, 0)), "gen i0<n0. x2[i0]"),
        // (6.10), (6.12)
        (sum(range(0), bracket(first(), at(X, 0))), "sum i0<n0. [i0 = 0] x2[i0]"),
        // (6.13)
        (
            bind(T, f(at(X, 0)), mul(var(T), at(Y, 0))),
            "let t0 = f0(x0[i0]) in let t1 = (f2(x0[i0]) * x2[i0]) in (t1 * x1[i0])",
        ),
    ];
    for (expr, wanted) in rules {
        assert_eq!(derived(&expr).as_deref(), Some(wanted));
    }
    // (6.2), (6.3)
    assert_eq!(derived(&var(Y)), None);
    assert_eq!(derived(&bind(T, constant(2.0), mul(var(T), at(Y, 0)))), None);
}

/// T42: the cost and the meaning of each inner product [ATL Figures 14 and 17].
#[test]
fn each_inner_product_has_its_cost() {
    let mut functions = Functions::default();
    functions.given(1);
    let of_pair = Type::Pair(Box::new(vector()), Box::new(Type::Number));
    let numbers = |list: [f64; 3]| Value::Tensor(list.map(Value::Number).to_vec());
    let mut environment = Environment::default();
    environment.vars.insert(X, (vector(), numbers([1.0, 2.0, 3.0])));
    environment.vars.insert(DX, (vector(), numbers([1.0, 10.0, 100.0])));
    let both = Value::Pair(Box::new(numbers([1.0, 2.0, 3.0])), Box::new(Value::Number(4.0)));
    environment.vars.insert(Y, (of_pair, both));
    let check = |linear: Linear, wanted_cost: u64, wanted: f64| {
        let mut world = TestWorld::new(vec![3], functions.clone());
        assert_eq!(linear.cost(&mut environment.clone(), &mut world), Ok(wanted_cost));
        let types = environment.vars.clone();
        let meaning = linear.desugared(&|name| types[&name].0.clone(), &mut names());
        let found = evaluate(&meaning, &mut environment.clone(), &mut world).unwrap();
        assert_eq!(found, Value::Number(wanted));
    };
    let sum = |terms: Vec<Inner>| Linear::Sum(terms);
    let squares = || generate(range(0), mul(at(X, 0), at(X, 0)));
    let low = || Predicate::less(&index(1), &Affine::constant(2));
    // (6.30): the let costs its expression, also that of a differential.
    let whole = || Inner::Whole(at_first(X), at_first(DX));
    check(Linear::new(vec![(T, squares())], vec![whole()]), 3 + 1, 1.0);
    // (6.31), (6.32)
    check(sum(vec![Inner::Zero, whole(), whole()]), 2, 2.0);
    check(sum(vec![]), 0, 0.0);
    // (6.33): the numbers of a value of any type, and the cost of both sides.
    check(sum(vec![Inner::Whole(var(X), var(DX))]), 3, 321.0);
    check(sum(vec![Inner::Whole(var(Y), var(Y))]), 4, 30.0);
    check(sum(vec![Inner::Whole(squares(), squares())]), 3 + 6, 98.0);
    // (6.34): the places where the predicate holds.
    let guarded = |predicate, left| Inner::Where(vec![range(1)], predicate, left, var(DX));
    check(sum(vec![guarded(low(), var(X))]), 2, 21.0);
    check(sum(vec![guarded(low(), squares())]), 2 + 3, 41.0);
    check(sum(vec![guarded(Predicate::False, var(X))]), 0, 0.0);
}

fn at_first(name: Var) -> Expr {
    access(var(name), Affine::constant(0))
}
