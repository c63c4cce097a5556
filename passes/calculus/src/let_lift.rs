//! Let-lifting [ATL 5.1]: all lets come outermost.

use crate::affine::Affine;
use crate::expr::{
    Expr, Names, Node, Var, access, bind_all, bracket, generate, map_operands, replace_index,
    substitute_vars,
};
use crate::predicate::Range;

type Lets = Vec<(Var, Expr)>;

/// An expression that is the same, costs no more and has lets only outermost.
pub fn lift_lets(expr: &Expr, names: &mut Names) -> Expr {
    let (lets, body) = lift(expr, names);
    bind_all(lets, body)
}

/// The lets of an expression, the outermost first, and what they are around.
pub fn split_lets(expr: &Expr) -> (Lets, Expr) {
    let mut lets = Vec::new();
    let mut body = expr;
    while let Node::Let(name, value, inner) = &**body {
        lets.push((*name, value.clone()));
        body = inner;
    }
    (lets, body.clone())
}

fn lift(expr: &Expr, names: &mut Names) -> (Lets, Expr) {
    let mut lets = Vec::new();
    // (5.1)-(5.5), (5.8): out of operands.
    let lifted = match &**expr {
        // (5.10)
        Node::Let(name, value, body) => {
            let (mut lets, value) = lift(value, names);
            lets.push((*name, value));
            let (inner, body) = lift(body, names);
            lets.extend(inner);
            return (lets, body);
        }
        _ => map_operands(expr, &mut |operand| {
            let (inner, operand) = lift(operand, names);
            lets.extend(inner);
            operand
        }),
    };
    match &*lifted {
        _ if lets.is_empty() => (lets, lifted),
        // (5.6), (5.7): what differs from index to index becomes a tensor. (The
        // paper's 5.7 has a sum in its place, which cannot be indexed.)
        Node::Gen(range, _) | Node::Sum(range, _) => over_range(range, lets, &lifted, names),
        // (5.9): the bracket is needed on what is bound, or it would cost more.
        Node::Bracket(predicate, _) => {
            let lets = lets.into_iter();
            let lets = lets.map(|(name, value)| (name, bracket(predicate.clone(), value)));
            (lets.collect(), lifted)
        }
        _ => (lets, lifted),
    }
}

/// `lets`, which are in the scope of a range, as tensors outside of it.
fn over_range(range: &Range, lets: Lets, around: &Expr, names: &mut Names) -> (Lets, Expr) {
    let bound: Vec<Var> = lets.iter().map(|(name, _)| *name).collect();
    let at = |expr: &Expr, place: &Affine| {
        substitute_vars(expr, &|name| {
            let is_bound = bound.contains(&name);
            is_bound.then(|| access(crate::expr::var(name), place.clone()))
        })
    };
    let lets = lets.into_iter().map(|(name, value)| {
        let own = names.range(&range.size);
        let place = Affine::index(own.index);
        let value = replace_index(&value, range.index, &place, names);
        (name, generate(own, at(&value, &place)))
    });
    let lets = lets.collect();
    let place = Affine::index(range.index);
    (lets, map_operands(around, &mut |inner| at(inner, &place)))
}
