//! The rules of simplification and inlining, one by one.

use crate::affine::{Affine, Index, Size};
use crate::expr::{
    Expr, Function, Var, access, access_all, add, bind, bracket, call, constant, generate,
    generate_all, mul, sum, sum_all, var,
};
use crate::inline::optimise;
use crate::known::Known;
use crate::predicate::{Predicate, Range};
use crate::simplify::simplify;
use crate::testing::FourierMotzkin;
use crate::testing::show::show;
use crate::testing::terms::{index, n, names};

const X: Var = Var(0);
const Y: Var = Var(1);

fn simple(expr: &Expr) -> String {
    show(&simplify(expr, &FourierMotzkin, &mut names()))
}

fn optimal(expr: &Expr) -> String {
    show(&optimise(expr, &FourierMotzkin, &mut names()))
}

fn m() -> Affine {
    Affine::size(Size(1))
}

fn number(value: i64) -> Affine {
    Affine::constant(value)
}

fn range(name: u32, size: Affine) -> Range {
    Range::new(Index(name), size)
}

fn at(name: Var, place: &Affine) -> Expr {
    access(var(name), place.clone())
}

fn equal(left: &Affine, right: &Affine) -> Predicate {
    Predicate::equal(left, right)
}

fn not_negative(value: &Affine) -> Predicate {
    Predicate::not_negative(value.clone())
}

#[test]
fn what_is_known_is_left_out() {
    let i = index(0);
    let known = Predicate::and([not_negative(&i), Predicate::less(&i, &n().plus_constant(3))]);
    let expr = generate(range(0, n()), bracket(known, at(X, &i)));
    assert_eq!(simple(&expr), "gen i0<n0. x0[i0]");
    let twice = bracket(not_negative(&i.plus_constant(-1)), at(X, &i));
    let expr = generate(range(0, n()), bracket(not_negative(&i.plus_constant(-2)), twice));
    assert_eq!(simple(&expr), "gen i0<n0. [0 <= i0 - 2] x0[i0]");
}

#[test]
fn contradictions_are_zero() {
    let i = index(0);
    let never = equal(&i, &number(-1));
    let expr = generate(range(0, n()), bracket(never.clone(), at(X, &i)));
    assert_eq!(simple(&expr), "gen i0<n0. [false] 0");
    let zero = sum(range(0, n()), bracket(never, at(X, &i)));
    assert_eq!(simple(&add(zero.clone(), var(Y))), "x1");
    assert_eq!(simple(&add(mul(var(Y), zero.clone()), var(Y))), "x1");
    assert_eq!(simple(&call(Function(0), vec![zero])), "f0(0)");
    let none = sum(range(0, number(0)), at(X, &i));
    assert_eq!(simple(&none), "[false] 0");
    // A number that is zero may be multiplied with what is not finite.
    assert_eq!(simple(&mul(constant(0.0), var(Y))), "(0 * x1)");
    assert_eq!(simple(&add(constant(0.0), var(Y))), "(0 + x1)");
}

#[test]
fn products_are_inside_of_brackets() {
    let (i, j) = (index(0), index(1));
    let left = bracket(not_negative(&i.plus_constant(-1)), at(X, &i));
    let right = bracket(not_negative(&i.plus_constant(-2)), at(Y, &i));
    let expr = generate(range(0, n()), mul(left, right));
    assert_eq!(simple(&expr), "gen i0<n0. [0 <= i0 - 2] (x0[i0] * x1[i0])");
    let sum = sum(range(1, n()), bracket(equal(&i, &number(2)), at(X, &j)));
    let expr = generate(range(0, n()), mul(var(Y), mul(constant(1.0), sum)));
    assert_eq!(simple(&expr), "gen i0<n0. [i0 - 2 = 0] (x1 * sum i1<n0. x0[i1])");
}

#[test]
fn additions_are_inside_of_what_both_need() {
    let i = index(0);
    let one = |least: i64| Predicate::less(&number(least - 1), &i);
    let both = Predicate::Related(crate::predicate::Relation(0), vec![i.clone()]);
    let guarded = |own: Predicate, name| bracket(Predicate::and([own, both.clone()]), at(name, &i));
    let expr = generate(range(0, n()), add(guarded(one(1), X), guarded(one(2), Y)));
    let wanted = "gen i0<n0. [R0(i0)] ([0 <= i0 - 1] x0[i0] + [0 <= i0 - 2] x1[i0])";
    assert_eq!(simple(&expr), wanted);
    // What excludes each other stays: the addition is none.
    let first = bracket(equal(&i, &number(0)), at(X, &i));
    let last = bracket(equal(&i, &n().plus_constant(-1)), at(X, &i));
    let expr = generate(range(0, n()), add(first, last));
    let wanted = "gen i0<n0. ([i0 = 0] x0[0] + [i0 - n0 + 1 = 0] x0[n0 - 1])";
    assert_eq!(simple(&expr), wanted);
}

#[test]
fn sums_over_one_value_are_that_value() {
    let (i, j) = (index(0), index(1));
    // [ATL 2.1]: the range that the index had is checked.
    let body = bracket(equal(&i.minus(&j), &number(2)), at(X, &j));
    let expr = generate(range(0, n()), sum(range(1, m()), body));
    assert_eq!(simple(&expr), "gen i0<n0. [0 <= -i0 + n1 + 1 and 0 <= i0 - 2] x0[i0 - 2]");
    // Of two it is the larger.
    for (first, second) in [(3, 5), (5, 3)] {
        let body = bracket(equal(&i, &j), mul(at(X, &i), at(Y, &j)));
        let sums = [range(0, number(first)), range(1, number(second))];
        assert_eq!(simple(&sum_all(&sums, body)), "sum i0<3. (x0[i0] * x1[i0])");
    }
    // Not every number is three times an index.
    let body = bracket(equal(&i, &j.times(3)), at(X, &j));
    let expr = generate(range(0, n()), sum(range(1, m()), body));
    assert_eq!(simple(&expr), "gen i0<n0. sum i1<n1. [i0 - 3*i1 = 0] x0[i1]");
    assert_eq!(simple(&sum(range(0, number(1)), at(X, &i))), "x0[0]");
    // Bounds may leave one value.
    let body = bracket(not_negative(&i.times(-1)), at(X, &i));
    assert_eq!(simple(&sum(range(0, n()), body)), "[0 <= n0 - 1] x0[0]");
}

/// A quantifier that says which indices are multiples becomes a sum over the factors.
#[test]
fn sums_over_multiples_take_strides() {
    let (i, k) = (index(0), index(1));
    let multiple = Predicate::exists(&[range(1, m())], equal(&i, &k.times(3).plus_constant(1)));
    let expr = sum(range(0, n()), bracket(multiple, at(X, &i)));
    assert_eq!(simple(&expr), "sum i0<n1. [0 <= -3*i0 + n0 - 2] x0[3*i0 + 1]");
}

#[test]
fn what_disjunctions_say_is_known() {
    let i = index(0);
    let known = Known::nothing(&FourierMotzkin).inside(&range(0, n()));
    let at = |value| equal(&i, &number(value));
    let from = |least: i64| not_negative(&i.plus_constant(-least));
    let shown = |parts: &[Predicate]| {
        let (either, rest) = parts.split_at(2);
        let all = [&[Predicate::or(either.iter().cloned())], rest].concat();
        known.simplify(&Predicate::and(all)).to_string()
    };
    // Intervals that touch are one.
    assert_eq!(shown(&[at(2), at(3)]), "0 <= -i0 + 3 and 0 <= i0 - 2");
    assert_eq!(shown(&[at(0), from(1)]), "true");
    assert_eq!(shown(&[at(0), at(2)]), "i0 - 2 = 0 or i0 = 0");
    // What holds of each part is not said again, what holds of none is not there.
    assert_eq!(shown(&[at(2), at(4), from(1)]), "i0 - 4 = 0 or i0 - 2 = 0");
    assert_eq!(shown(&[at(2), at(4), from(5)]), "false");
    assert_eq!(shown(&[at(2), at(4), from(3)]), "i0 - 4 = 0");
}

/// Names of bound indices do not make predicates differ.
#[test]
fn quantifiers_are_not_said_twice() {
    let i = index(0);
    let related = |name: u32| {
        let place = vec![i.clone(), index(name)];
        let related = Predicate::Related(crate::predicate::Relation(0), place);
        Predicate::exists(&[range(name, m())], related)
    };
    let once = "exists i1 in n1: (R0(i0, i1))";
    assert_eq!(Predicate::and([related(1), related(2)]).to_string(), once);
    assert_eq!(Predicate::or([related(1), related(2)]).to_string(), once);
    // A part that is known makes a disjunction true, and an index of another place none.
    let known = Known::nothing(&FourierMotzkin).and(&related(1));
    let other = equal(&i, &number(5));
    assert_eq!(known.simplify(&Predicate::or([related(2), other])), Predicate::True);
    let other_way = Predicate::Related(crate::predicate::Relation(0), vec![index(3), i.clone()]);
    let other_way = Predicate::exists(&[range(3, m())], other_way);
    assert!(!known.implies(&other_way));
    assert!(!related(1).is_like(&Predicate::exists(
        &[range(2, n())],
        Predicate::Related(crate::predicate::Relation(0), vec![i.clone(), index(2)])
    )));
}

#[test]
fn quantifiers_are_eliminated() {
    let (i, k) = (index(0), index(1));
    let known = Known::nothing(&FourierMotzkin).inside(&range(0, n()));
    let shown =
        |inner: Predicate| known.simplify(&Predicate::exists(&[range(1, m())], inner)).to_string();
    // By an equality.
    assert_eq!(shown(equal(&k, &i.plus_constant(1))), "0 <= -i0 + n1 - 2");
    // By bounds: i + 1 <= k < m, and 2 k <= i.
    assert_eq!(shown(Predicate::less(&i, &k)), "0 <= -i0 + n1 - 2");
    assert_eq!(shown(not_negative(&i.minus(&k.times(2)))), "0 <= n1 - 1");
    // Not by bounds between which there may be no integer: i <= 2 k <= i.
    let between = [not_negative(&k.times(3).minus(&i)), not_negative(&i.minus(&k.times(2)))];
    let kept = shown(Predicate::and(between));
    assert!(kept.contains("exists"), "{kept}");
    let related = Predicate::Related(crate::predicate::Relation(0), vec![k.clone()]);
    assert!(shown(related).contains("exists"));
    // Part by part.
    let either = [equal(&k, &i.plus_constant(1)), equal(&k, &i.minus(&number(1)))];
    assert_eq!(
        shown(Predicate::or(either)),
        "0 <= -i0 + n1 - 2 or (0 <= -i0 + n1 and 0 <= i0 - 1)"
    );
    // An index of no use must have a value.
    assert_eq!(shown(Predicate::True), "0 <= n1 - 1");
    // Of two, the inner equality fixes the outer one.
    let inner = Predicate::and([equal(&k, &index(2).times(2)), equal(&index(2), &i)]);
    let inner = Predicate::exists(&[range(2, n())], inner);
    assert_eq!(shown(inner), "0 <= -2*i0 + n1 - 1");
}

/// `gen i<n. f(x[i])`
fn mapped() -> Expr {
    generate(range(0, n()), call(Function(0), vec![at(X, &index(0))]))
}

#[test]
fn what_is_read_once_is_inlined() {
    let t = Var(2);
    let (j, k) = (index(1), index(2));
    let expr = bind(t, mapped(), sum(range(1, n()), mul(at(t, &j), at(Y, &j))));
    assert_eq!(optimal(&expr), "sum i0<n0. (f0(x0[i0]) * x1[i0])");
    // Backwards, and for two indices of which one is the other.
    let back = n().minus(&j).plus_constant(-1);
    let expr = bind(t, mapped(), generate(range(1, n()), at(t, &back)));
    assert_eq!(optimal(&expr), "gen i0<n0. f0(x0[-i0 + n0 - 1])");
    let same = bracket(equal(&j, &k), at(t, &j));
    let expr = bind(t, mapped(), generate_all(&[range(1, n()), range(2, n())], same));
    assert_eq!(optimal(&expr), "gen i0<n0. gen i1<n0. [i0 - i1 = 0] f0(x0[i0])");
}

#[test]
fn what_is_read_again_keeps_its_tensor() {
    let t = Var(2);
    let (j, k) = (index(1), index(2));
    let wanted = "let t0 = gen i0<n0. f0(x0[i0]) in ";
    let rows = generate_all(&[range(1, n()), range(2, n())], at(t, &k));
    assert_eq!(optimal(&bind(t, mapped(), rows)), format!("{wanted}gen i0<n0. gen i1<n0. t0[i1]"));
    let inside = range(0, n()).contains(&j.minus(&k));
    let stencil = sum(range(2, m()), bracket(inside, at(t, &j.minus(&k))));
    let stencil = generate(range(1, n()), stencil);
    let shown = optimal(&bind(t, mapped(), stencil));
    assert_eq!(shown, format!("{wanted}gen i0<n0. sum i1<n1. [0 <= i0 - i1] t0[i0 - i1]"));
    let square = sum(range(1, n()), mul(at(t, &j), at(t, &j)));
    let shown = optimal(&bind(t, mapped(), square));
    assert_eq!(shown, format!("{wanted}sum i0<n0. (t0[i0] * t0[i0])"));
}

#[test]
fn what_costs_nothing_is_inlined() {
    let t = Var(2);
    let (j, k) = (index(1), index(2));
    // The diagonal, which a sum takes.
    let sum =
        sum(range(2, n()), bracket(equal(&j, &k), access_all(var(X), &[k.clone(), j.clone()])));
    let body = mul(at(t, &number(0)), at(t, &number(1)));
    let has_two = bracket(not_negative(&n().plus_constant(-2)), body);
    let expr = bind(t, generate(range(1, n()), sum), has_two);
    assert_eq!(optimal(&expr), "[0 <= n0 - 2] (x0[0][0] * x0[1][1])");
}

#[test]
fn a_diagonal_takes_the_memory_of_a_vector() {
    let t = Var(2);
    let (i, j) = (index(0), index(1));
    let value = bracket(equal(&i, &j), call(Function(0), vec![at(X, &j)]));
    let diagonal = generate_all(&[range(0, n()), range(1, n())], value);
    let (k, l) = (index(2), index(3));
    let [row, column] =
        [[&k, &l], [&l, &k]].map(|places| access_all(var(t), &places.map(Affine::clone)));
    let expr = bind(t, diagonal, sum_all(&[range(2, n()), range(3, n())], mul(row, column)));
    let wanted = "let t0 = gen i0<n0. f0(x0[i0]) in sum i0<n0. (t0[i0] * t0[i0])";
    assert_eq!(optimal(&expr), wanted);
}
