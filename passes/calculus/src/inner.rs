//! Inner products with differentials, which the adjoint derivative rewrites
//! \[ATL Figures 14 and 17\].

use crate::affine::Affine;
use crate::cost::{cost, cost_of_type};
use crate::eval::{Environment, Fault, World, zero};
use crate::expr::{
    Expr, Half, Names, Type, Var, access, access_all, add, bind, bracket, constant, mul, project,
    sum, sum_all, type_of,
};
use crate::predicate::{Predicate, Range};
use crate::ssa::places;

/// Lets around a sum of inner products.
#[derive(Clone, Debug)]
pub enum Linear {
    /// The body, in which the variable, which may be a differential, is the
    /// expression.
    Let(Var, Expr, Box<Linear>),
    /// A sum, which is zero without a term.
    Sum(Vec<Inner>),
}

/// An inner product.
#[derive(Clone, Debug)]
pub enum Inner {
    /// None.
    Zero,
    /// `<e0|e1>` of values of any type.
    Whole(Expr, Expr),
    /// `<e0|e1>_[p]` of tensors of numbers, over the places for which a predicate
    /// holds.
    Where(Vec<Range>, Predicate, Expr, Expr),
}

impl Linear {
    /// `lets`, the first outermost, around a sum.
    pub fn new(lets: Vec<(Var, Expr)>, terms: Vec<Inner>) -> Linear {
        lets.into_iter().rev().fold(Linear::Sum(terms), |body, (name, value)| {
            Linear::Let(name, value, Box::new(body))
        })
    }

    /// The cost: that of all expressions, and the size of what is not zero between
    /// the two sides of each inner product.
    pub fn cost(&self, environment: &mut Environment, world: &mut dyn World) -> Result<u64, Fault> {
        match self {
            // (6.30)
            Linear::Let(name, value, body) => {
                let value_cost = cost(value, environment, world)?;
                let bound_type = environment.type_of(value);
                let placeholder = zero(&Type::Number, environment, world);
                environment.vars.insert(*name, (bound_type, placeholder));
                Ok(value_cost + body.cost(environment, world)?)
            }
            // (6.31)
            Linear::Sum(terms) => {
                let costs = terms.iter().map(|term| term.cost(environment, world));
                costs.sum()
            }
        }
    }

    /// What it stands for in the language itself.
    pub fn desugared(&self, type_of_var: &dyn Fn(Var) -> Type, names: &mut Names) -> Expr {
        match self {
            Linear::Let(name, value, body) => {
                let bound = type_of(value, type_of_var);
                let inside = |other| match other == *name {
                    true => bound.clone(),
                    false => type_of_var(other),
                };
                bind(*name, value.clone(), body.desugared(&inside, names))
            }
            Linear::Sum(terms) => {
                let terms = terms.iter().map(|term| term.desugared(type_of_var, names));
                terms.reduce(add).unwrap_or_else(|| constant(0.0))
            }
        }
    }
}

impl Inner {
    /// The cost.
    pub fn cost(&self, environment: &mut Environment, world: &mut dyn World) -> Result<u64, Fault> {
        let (interface, sides) = match self {
            // (6.32)
            Inner::Zero => return Ok(0),
            // (6.33)
            Inner::Whole(left, right) => {
                let of = environment.type_of(left);
                (cost_of_type(&of, environment, world), [left, right])
            }
            // (6.34)
            Inner::Where(ranges, predicate, left, right) => {
                (count(ranges, predicate, environment, world)?, [left, right])
            }
        };
        let [left, right] = sides.map(|side| cost(side, environment, world));
        Ok(interface + left? + right?)
    }

    /// What it stands for in the language itself.
    pub fn desugared(&self, type_of_var: &dyn Fn(Var) -> Type, names: &mut Names) -> Expr {
        match self {
            Inner::Zero => constant(0.0),
            Inner::Whole(left, right) => {
                whole(&type_of(left, type_of_var), left.clone(), right.clone(), names)
            }
            Inner::Where(ranges, predicate, left, right) => {
                let at = |side: &Expr| access_all(side.clone(), &places(ranges));
                sum_all(ranges, bracket(predicate.clone(), mul(at(left), at(right))))
            }
        }
    }
}

/// `#(p)`: how many values of `ranges` make a predicate true.
pub fn count(
    ranges: &[Range],
    predicate: &Predicate,
    environment: &mut Environment,
    world: &mut dyn World,
) -> Result<u64, Fault> {
    let Some((range, rest)) = ranges.split_first() else {
        return Ok(u64::from(environment.holds(predicate, world)));
    };
    let counts = environment
        .for_each(range, world, |environment, world| count(rest, predicate, environment, world))?;
    Ok(counts.iter().sum())
}

/// The inner product of two values of a type.
fn whole(of: &Type, left: Expr, right: Expr, names: &mut Names) -> Expr {
    match of {
        Type::Number => mul(left, right),
        Type::Pair(first, second) => {
            let halves = [(Half::First, first), (Half::Second, second)];
            let [first, second] = halves.map(|(half, of)| {
                whole(of, project(half, left.clone()), project(half, right.clone()), names)
            });
            add(first, second)
        }
        Type::Tensor(size, element) => {
            let range = names.range(size);
            let place = Affine::index(range.index);
            let at = |side: Expr| access(side, place.clone());
            sum(range.clone(), whole(element, at(left), at(right), names))
        }
    }
}
