//! The rules of meaning and cost, one by one [ATL Figures 4 to 6].

use crate::affine::{Affine, Index, Size};
use crate::cost::{cost, cost_of_type};
use crate::eval::{Environment, Fault, Value, evaluate};
use crate::expr::{
    Expr, Function, Half, Type, Var, access, add, bind, bracket, call, constant, generate, mul,
    pair, project, sum, sum_all, var,
};
use crate::functions::Functions;
use crate::predicate::{Predicate, Range, Relation};
use crate::testing::random::TestWorld;

const X: Var = Var(0);
const T: Var = Var(1);

fn world() -> TestWorld {
    let mut functions = Functions::default();
    functions.given(1);
    TestWorld::new(vec![4, 0], functions)
}

/// x is 1 2 3 4.
fn environment() -> Environment {
    let size = Affine::size(Size(0));
    let value = Value::Tensor([1.0, 2.0, 3.0, 4.0].map(Value::Number).to_vec());
    let mut environment = Environment::default();
    environment.vars.insert(X, (Type::tensor(&[size], Type::Number), value));
    environment
}

fn cost_of(expr: &Expr) -> u64 {
    cost(expr, &mut environment(), &mut world()).unwrap()
}

fn value_of(expr: &Expr) -> Vec<f64> {
    evaluate(expr, &mut environment(), &mut world()).unwrap().numbers()
}

fn range(name: u32) -> Range {
    Range::new(Index(name), Affine::size(Size(0)))
}

fn index(name: u32) -> Affine {
    Affine::index(Index(name))
}

fn at(place: u32) -> Expr {
    access(var(X), index(place))
}

fn is(place: u32, value: i64) -> Predicate {
    Predicate::equal(&index(place), &Affine::constant(value))
}

/// The function is a^2 + a + 2.
fn f(argument: Expr) -> Expr {
    call(Function(0), vec![argument])
}

/// T21: the cost of each operation [ATL 4.22-4.34].
#[test]
fn each_operation_has_its_cost() {
    let one = || constant(1.0);
    // (4.22), (4.23)
    assert_eq!([cost_of(&var(X)), cost_of(&one())], [0, 0]);
    // (4.24): where both brackets hold, at 2 alone.
    let low = bracket(Predicate::less(&index(0), &Affine::constant(3)), one());
    let high = bracket(Predicate::not_negative(index(0).plus_constant(-2)), one());
    assert_eq!(cost_of(&generate(range(0), add(low.clone(), high.clone()))), 1);
    assert_eq!(cost_of(&generate(range(0), add(low.clone(), one()))), 3);
    assert_eq!(cost_of(&generate(range(0), add(one(), high.clone()))), 2);
    // A bracket that is not immediately under the addition is no guard of it.
    let deeper = bracket(Predicate::True, mul(high, one()));
    assert_eq!(cost_of(&generate(range(0), add(low, deeper))), 3 + 4);
    assert_eq!(cost_of(&add(one(), one())), 1);
    // (4.25), (4.26)
    assert_eq!(cost_of(&mul(one(), f(one()))), 2);
    // (4.27), (4.28)
    assert_eq!(cost_of(&project(Half::First, pair(one(), f(one())))), 1);
    // (4.29), (4.31)
    assert_eq!(cost_of(&generate(range(0), f(at(0)))), 4);
    assert_eq!(cost_of(&access(generate(range(0), f(at(0))), Affine::constant(1))), 4);
    // (4.30): four terms take three additions, none without a term and for one.
    assert_eq!(cost_of(&sum(range(0), f(at(0)))), 7);
    assert_eq!(cost_of(&sum(range(0), bracket(is(0, 2), f(at(0))))), 1);
    assert_eq!(cost_of(&sum(range(0), bracket(is(0, 9), f(at(0))))), 0);
    let empty = Range::new(Index(0), Affine::size(Size(1)));
    assert_eq!(cost_of(&sum(empty, one())), 0);
    // Nested sums count as one: four terms of sixteen, not a sum of four sums.
    let diagonal = bracket(Predicate::equal(&index(0), &index(1)), at(0));
    assert_eq!(cost_of(&sum_all(&[range(0), range(1)], diagonal.clone())), 3);
    assert_eq!(cost_of(&sum_all(&[range(0), range(1)], f(at(0)))), 16 + 15);
    // As one: rows without a term are no zeros to be added.
    let row = || bracket(is(0, 2), at(1));
    assert_eq!(cost_of(&sum_all(&[range(0), range(1)], row())), 3);
    assert_eq!(cost_of(&sum(range(0), mul(one(), sum(range(1), row())))), 3 + 4 + 3);
    let empty = [Range::new(Index(0), Affine::size(Size(1))), range(1)];
    assert_eq!(cost_of(&sum_all(&empty, f(at(1)))), 0);
    // What is between sums ends it: four sums of four, of one term, of three.
    let inner = || sum(range(1), f(at(1)));
    assert_eq!(cost_of(&sum(range(0), mul(one(), inner()))), 4 * (1 + 7) + 3);
    assert_eq!(cost_of(&sum(range(0), bracket(is(0, 2), inner()))), 7);
    // The relation holds where the indices are 1 apart from a multiple of 3.
    let related = Predicate::Related(Relation(0), vec![index(0), index(1)]);
    let related = bracket(related, f(at(0)));
    assert_eq!(cost_of(&sum_all(&[range(0), range(1)], related)), 5 + 4);
    // (4.32)
    assert_eq!(cost_of(&bind(T, f(one()), mul(var(T), var(T)))), 2);
    // (4.33), (4.34)
    assert_eq!(cost_of(&generate(range(0), bracket(is(0, 1), f(at(0))))), 1);
    // The zero of a pair or a tensor costs nothing, and what is none all of it.
    let both = || pair(f(one()), generate(range(0), f(at(0))));
    assert_eq!(cost_of(&bracket(Predicate::False, both())), 0);
    assert_eq!(cost_of(&bracket(Predicate::True, both())), 5);
    let rows = || generate(range(1), bracket(is(1, 2), generate(range(0), f(at(0)))));
    assert_eq!(cost_of(&rows()), 4);
    assert_eq!(cost_of(&access(rows(), Affine::constant(0))), 4);
}

/// T42: the numbers in a value [ATL 6.33].
#[test]
fn a_type_costs_its_numbers() {
    let row = Type::tensor(&[Affine::size(Size(0))], Type::Number);
    let of = Type::Pair(Box::new(row), Box::new(Type::Number));
    assert_eq!(cost_of_type(&of, &environment(), &world()), 5);
}

/// T20: what operations and predicates mean [ATL 4.1-4.21].
#[test]
fn each_operation_has_its_meaning() {
    assert_eq!(value_of(&add(constant(2.0), mul(constant(3.0), f(constant(1.0))))), [14.0]);
    assert_eq!(value_of(&generate(range(0), at(0))), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(value_of(&sum(range(0), at(0))), [10.0]);
    assert_eq!(value_of(&bind(T, constant(5.0), mul(var(T), var(T)))), [25.0]);
    assert_eq!(value_of(&project(Half::Second, pair(constant(1.0), var(X)))).len(), 4);
    // A false bracket is the zero of any type, and reads nothing.
    let outside = access(var(X), Affine::constant(9));
    let both = pair(outside, generate(range(0), at(0)));
    assert_eq!(value_of(&bracket(Predicate::False, both.clone())), [0.0; 5]);
    let fault = evaluate(&both, &mut environment(), &mut world());
    assert_eq!(fault, Err(Fault::OutOfRange { place: 9, size: 4 }));
    let holds = |predicate: Predicate| value_of(&bracket(predicate, constant(1.0))) == [1.0];
    let number = Affine::constant;
    assert!(holds(Predicate::less(&number(1), &number(2))));
    assert!(!holds(Predicate::less(&number(2), &number(2))));
    assert!(holds(Predicate::or([Predicate::False, Predicate::equal(&number(2), &number(2))])));
    // The relation of the tests holds for 2 and 2.
    assert!(holds(Predicate::Related(Relation(0), vec![number(2), number(2)])));
    assert!(!holds(Predicate::Related(Relation(0), vec![number(2), number(1)])));
    assert!(holds(Predicate::exists(&[range(0)], is(0, 3))));
    assert!(!holds(Predicate::exists(&[range(0)], is(0, 4))));
}
