//! What expressions cost: the additions, multiplications and calls of functions
//! that evaluating them takes [ATL Figure 6].

use crate::eval::{Environment, Fault, World, zero};
use crate::expr::{Expr, Node, Type};
use crate::predicate::{Predicate, Range};

/// The cost of an expression. Variables of `environment` need types only; their
/// values do not matter.
pub fn cost(
    expr: &Expr,
    environment: &mut Environment,
    world: &mut dyn World,
) -> Result<u64, Fault> {
    Ok(match &**expr {
        // (4.22), (4.23)
        Node::Var(_) | Node::Constant(_) => 0,
        // (4.24): an addition of a zero that a bracket says is none.
        Node::Add(left, right) => {
            let is_both = environment.holds(guard_of(left), world)
                && environment.holds(guard_of(right), world);
            let operands = cost(left, environment, world)? + cost(right, environment, world)?;
            operands + u64::from(is_both)
        }
        // (4.25)
        Node::Mul(left, right) => {
            1 + cost(left, environment, world)? + cost(right, environment, world)?
        }
        // (4.26)
        Node::Call(_, arguments) => {
            let mut total = 1;
            for argument in arguments {
                total += cost(argument, environment, world)?;
            }
            total
        }
        // (4.27)
        Node::Pair(first, second) => {
            cost(first, environment, world)? + cost(second, environment, world)?
        }
        // (4.28), (4.31)
        Node::Project(_, inner) | Node::Access(inner, _) => cost(inner, environment, world)?,
        // (4.29)
        Node::Gen(range, inner) => {
            let costs = environment
                .for_each(range, world, |environment, world| cost(inner, environment, world))?;
            costs.iter().sum()
        }
        // (4.30), for all sums that are around one predicate at once.
        Node::Sum(..) => {
            let (ranges, inner) = nested_sums(expr);
            let terms = terms_of_sum(&ranges, inner, environment, world)?;
            let count = terms.len() as u64;
            terms.iter().sum::<u64>() + count.saturating_sub(1)
        }
        // (4.33), (4.34)
        Node::Bracket(predicate, inner) => match environment.holds(predicate, world) {
            true => cost(inner, environment, world)?,
            false => 0,
        },
        // (4.32)
        Node::Let(name, value, body) => {
            let value_cost = cost(value, environment, world)?;
            let bound_type = environment.type_of(value);
            let placeholder = zero(&Type::Number, environment, world);
            environment.vars.insert(*name, (bound_type, placeholder));
            value_cost + cost(body, environment, world)?
        }
    })
}

/// The numbers in a value of a type [ATL 6.33].
pub fn cost_of_type(of: &Type, environment: &Environment, world: &dyn World) -> u64 {
    match of {
        Type::Number => 1,
        Type::Pair(first, second) => {
            cost_of_type(first, environment, world) + cost_of_type(second, environment, world)
        }
        Type::Tensor(size, element) => {
            let size = environment.affine(size, world).max(0) as u64;
            size * cost_of_type(element, environment, world)
        }
    }
}

/// The predicate around an operand, true if there is none.
pub fn guard_of(operand: &Expr) -> &Predicate {
    match &**operand {
        Node::Bracket(predicate, _) => predicate,
        _ => &Predicate::True,
    }
}

/// The ranges of sums that are one in the other, and what they are around.
pub fn nested_sums(expr: &Expr) -> (Vec<&Range>, &Expr) {
    let mut ranges = Vec::new();
    let mut inner = expr;
    while let Node::Sum(range, body) = &**inner {
        ranges.push(range);
        inner = body;
    }
    (ranges, inner)
}

/// The costs of the terms of a sum for which its predicate holds.
fn terms_of_sum(
    ranges: &[&Range],
    inner: &Expr,
    environment: &mut Environment,
    world: &mut dyn World,
) -> Result<Vec<u64>, Fault> {
    let Some((range, rest)) = ranges.split_first() else {
        return Ok(match environment.holds(guard_of(inner), world) {
            true => vec![cost(inner, environment, world)?],
            false => vec![],
        });
    };
    let terms = environment.for_each(range, world, |environment, world| {
        terms_of_sum(rest, inner, environment, world)
    })?;
    Ok(terms.concat())
}
