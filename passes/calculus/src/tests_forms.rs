//! The rules of the normal forms, one by one [ATL Figures 7 to 12].

use crate::affine::Affine;
use crate::convert::Builder;
use crate::expr::{
    Expr, Half, Type, Var, access, add, bind, bracket, constant, generate, mul, pair, project, sum,
    var,
};
use crate::forward::differentiate_forward;
use crate::functions::Functions;
use crate::let_lift::lift_lets;
use crate::pairs::{eliminate_pairs, restore};
use crate::predicate::Predicate;
use crate::push_out::push_out_gens;
use crate::ssa::Request;
use crate::testing::show::show;
use crate::testing::terms::{at, f, index, n, names, range};

const X: Var = Var(0);
const Y: Var = Var(1);
const T: Var = Var(2);
const U: Var = Var(3);
const V: Var = Var(4);

fn first() -> Predicate {
    Predicate::equal(&index(0), &Affine::constant(0))
}

fn small() -> Predicate {
    Predicate::less(&index(0), &Affine::constant(3))
}

/// T24: what is bound comes out of every operation [ATL 5.1-5.10].
#[test]
fn lets_are_lifted_out_of_everything() {
    let lifted = |expr: &Expr| show(&lift_lets(expr, &mut names()));
    let bound = bind(T, f(var(X)), mul(var(T), var(T)));
    let inside = bind(T, f(at(X, 0)), mul(var(T), var(T)));
    let rules = [
        // (5.1)
        (add(bound.clone(), var(Y)), "let t0 = f0(x0) in ((t0 * t0) + x1)"),
        // (5.2)
        (mul(bound.clone(), var(Y)), "let t0 = f0(x0) in ((t0 * t0) * x1)"),
        // (5.3)
        (f(bound.clone()), "let t0 = f0(x0) in f0((t0 * t0))"),
        // (5.4)
        (pair(bound.clone(), var(Y)), "let t0 = f0(x0) in <(t0 * t0); x1>"),
        // (5.5)
        (
            project(Half::First, bind(T, f(var(X)), pair(var(T), var(T)))),
            "let t0 = f0(x0) in <t0; t0>.0",
        ),
        // (5.6)
        (
            generate(range(0), inside.clone()),
            "let t0 = gen i0<n0. f0(x0[i0]) in gen i0<n0. (t0[i0] * t0[i0])",
        ),
        // (5.7)
        (
            sum(range(0), inside.clone()),
            "let t0 = gen i0<n0. f0(x0[i0]) in sum i0<n0. (t0[i0] * t0[i0])",
        ),
        // (5.8)
        (
            access(bind(T, f(var(Y)), generate(range(0), mul(var(T), at(X, 0)))), n()),
            "let t0 = f0(x1) in gen i0<n0. (t0 * x0[i0])[n0]",
        ),
        // (5.9), in the scope of an index
        (
            generate(range(0), bracket(first(), inside)),
            "let t0 = gen i0<n0. [i0 = 0] f0(x0[i0]) in gen i0<n0. [i0 = 0] (t0[i0] * t0[i0])",
        ),
        // (5.10)
        (bind(U, bound, f(var(U))), "let t0 = f0(x0) in let t1 = (t0 * t0) in f0(t1)"),
    ];
    for (expr, wanted) in rules {
        assert_eq!(lifted(&expr), wanted);
    }
}

/// T26: pairs are left at inputs and results [ATL 5.11-5.20].
#[test]
fn pairs_are_eliminated() {
    let both = Type::Pair(Box::new(Type::Number), Box::new(Type::Number));
    let records = Type::tensor(&[n()], both.clone());
    let type_of = |name: Var| match name {
        V => records.clone(),
        _ => Type::tensor(&[n()], Type::Number),
    };
    let split = |expr: &Expr| show(&eliminate_pairs(expr, &type_of, &mut names()));
    let record = |place: u32| pair(at(X, place), f(at(Y, place)));
    let half = |expr: Expr| project(Half::Second, expr);
    let rules = [
        // (5.11)
        (sum(range(0), half(record(0))), "sum i0<n0. f0(x1[i0])"),
        // (5.12), (5.13)
        (half(generate(range(0), record(0))), "gen i0<n0. f0(x1[i0])"),
        // (5.14)
        (sum(range(0), half(at(V, 0))), "sum i0<n0. x4.1[i0]"),
        // (5.15)
        (
            generate(range(1), half(access(generate(range(0), record(0)), index(1)))),
            "gen i0<n0. gen i1<n0. f0(x1[i1])[i0]",
        ),
        // (5.16), (5.17)
        (generate(range(0), half(bracket(first(), record(0)))), "gen i0<n0. [i0 = 0] f0(x1[i0])"),
        // (5.18)-(5.20)
        (
            bind(T, generate(range(0), record(0)), sum(range(1), half(at(T, 1)))),
            "let t0 = gen i0<n0. x0[i0] in let t1 = gen i0<n0. f0(x1[i0]) in sum i0<n0. t1[i0]",
        ),
        // The result is a pair of tensors.
        (generate(range(0), record(0)), "<gen i0<n0. x0[i0]; gen i1<n0. f0(x1[i1])>"),
    ];
    for (expr, wanted) in rules {
        assert_eq!(split(&expr), wanted);
    }
    let parts = eliminate_pairs(&generate(range(0), record(0)), &type_of, &mut names());
    assert_eq!(
        show(&restore(&parts, &records, &mut names())),
        "let t0 = gen i0<n0. x0[i0] in let t1 = gen i0<n0. f0(x1[i0]) in gen i0<n0. <t0[i0]; t1[i0]>",
    );
}

/// T28: generations come outermost [ATL 5.21-5.24].
#[test]
fn generations_are_pushed_out() {
    let pushed = |expr: &Expr| show(&push_out_gens(expr, &mut names()));
    let squares = |place: u32| generate(range(place), mul(at(X, place), at(X, place)));
    let rules = [
        // (5.21)
        (
            sum(range(1), access(squares(0), index(1).plus_constant(1))),
            "sum i0<n0. (x0[i0 + 1] * x0[i0 + 1])",
        ),
        // (5.22)
        (
            generate(range(0), access(bracket(first(), squares(1)), index(0))),
            "gen i0<n0. [i0 = 0] (x0[i0] * x0[i0])",
        ),
        // (5.23)
        (
            generate(range(0), bracket(first(), squares(1))),
            "gen i0<n0. gen i1<n0. [i0 = 0] (x0[i1] * x0[i1])",
        ),
        // (5.24)
        (
            generate(range(0), bracket(first(), bracket(small(), at(X, 0)))),
            "gen i0<n0. [i0 = 0 and 0 <= -i0 + 2] x0[i0]",
        ),
    ];
    for (expr, wanted) in rules {
        assert_eq!(pushed(&expr), wanted);
    }
}

/// The text of a program in Tensor SSA, whose inputs are tensors.
fn ssa(body: &Expr) -> String {
    let tensor = Type::tensor(&[n()], Type::Number);
    let inputs = [X, Y].map(|name| (name, tensor.clone()));
    let mut builder = Builder::new(inputs.to_vec(), names());
    let results = builder.convert(body);
    let (ssa, mut names) = builder.finish(results);
    show(&ssa.to_expr(&mut names))
}

/// T30, T31: every operation becomes one of the six forms, with the predicate in
/// all of its operands [ATL 5.25-5.34].
#[test]
fn operations_are_converted() {
    let rules = [
        // (5.25), (5.26): a copy needs no binding.
        (
            bind(T, generate(range(0), at(X, 0)), sum(range(1), at(T, 1))),
            "let t0 = x0 in let t1 = sum i0<n0. t0[i0] in t1",
        ),
        // (5.27), (5.28), (5.33)
        (
            generate(range(0), bracket(first(), f(bracket(small(), at(X, 0))))),
            "let t0 = x0 in \
             let t1 = gen i0<n0. sum i1<n0. [i0 = 0 and i0 - i1 = 0 and 0 <= -i0 + 2] t0[i1] in \
             let t2 = gen i0<n0. [i0 = 0] f0(t1[i0]) in t2",
        ),
        // (5.29)
        (generate(range(0), constant(2.0)), "let t0 = gen i0<n0. 2 in t0"),
        // (5.30)
        (
            generate(range(0), access(var(X), index(0).plus_constant(-1))),
            "let t0 = x0 in let t1 = gen i0<n0. sum i1<n0. [i0 - i1 - 1 = 0] t0[i1] in t1",
        ),
        // (5.31)
        (
            generate(range(0), add(bracket(first(), at(X, 0)), at(Y, 0))),
            "let t0 = x0 in let t1 = gen i0<n0. sum i1<n0. [i0 = 0 and i0 - i1 = 0] t0[i1] in \
             let t2 = x1 in let t3 = gen i0<n0. ([i0 = 0] t1[i0] + t2[i0]) in t3",
        ),
        // (5.32)
        (
            generate(range(0), bracket(first(), mul(at(X, 0), at(Y, 0)))),
            "let t0 = x0 in let t1 = x1 in let t2 = gen i0<n0. sum i1<n0. sum i2<n0. \
             [i0 = 0 and i0 - i1 = 0 and i0 - i2 = 0] (t0[i1] * t1[i2]) in t2",
        ),
        // (5.34)
        (
            generate(range(0), sum(range(1), f(at(X, 1)))),
            "let t0 = x0 in let t1 = gen i0<n0. gen i1<n0. sum i2<n0. [i1 - i2 = 0] t0[i2] in \
             let t2 = gen i0<n0. gen i1<n0. f0(t1[i0][i1]) in \
             let t3 = gen i0<n0. sum i1<n0. sum i2<n0. [i0 - i1 = 0] t2[i1][i2] in t3",
        ),
    ];
    for (expr, wanted) in rules {
        assert_eq!(ssa(&expr), wanted);
    }
}

/// T32: equal operations are one, `e + e` is `2 e`, and operands have an order.
#[test]
fn equal_operations_are_shared() {
    let (left, right) = (sum(range(0), at(X, 0)), sum(range(1), at(X, 1)));
    assert_eq!(
        ssa(&f(add(left, right))),
        "let t0 = x0 in let t1 = sum i0<n0. t0[i0] in let t2 = 2 in let t3 = (t1 * t2) in \
         let t4 = f0(t3) in t4",
    );
    let (x, y) = (sum(range(0), at(X, 0)), sum(range(1), at(Y, 1)));
    let (z, w) = (sum(range(2), at(X, 2)), sum(range(3), at(Y, 3)));
    assert_eq!(
        ssa(&pair(mul(x, y), mul(w, z))),
        "let t0 = x0 in let t1 = sum i0<n0. t0[i0] in let t2 = x1 in \
         let t3 = sum i0<n0. t2[i0] in let t4 = (t1 * t3) in <t4; t4>",
    );
}

/// T36: the derivative of a product of many variables grows with their number, not
/// with its square [ATL 6.2].
#[test]
fn derivative_of_a_long_product_is_linear_in_size() {
    let bindings = |count: u32| {
        let factors = (0..count).map(|place| access(var(X), Affine::constant(i64::from(place))));
        let product = factors.reduce(mul).unwrap();
        let inputs = vec![(X, Type::tensor(&[n()], Type::Number))];
        let mut builder = Builder::new(inputs, names());
        let results = builder.convert(&product);
        let (ssa, names) = builder.finish(results);
        let request = Request { wrt: &[X], count: 1, of: &[0] };
        let (forward, _) = differentiate_forward(&ssa, request, &mut Functions::default(), names);
        forward.bindings.len()
    };
    let [small, middle, large] = [8, 16, 32].map(bindings);
    assert_eq!(large - middle, 2 * (middle - small));
}
