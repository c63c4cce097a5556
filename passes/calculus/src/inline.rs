//! Lets that need no tensor are inlined [ATL 2.1, 2.2].
//!
//! The normal forms name every operation; most of the names are of no use. A let
//! is inlined
//! - if its value costs nothing: an element is read or zero,
//! - if it is used once, and each element is read once at most: the loops around
//!   the use take each place once.
//!
//! A tensor that a predicate makes zero but where one index is a function of the
//! others, as a diagonal is, becomes a tensor without that dimension and one that
//! costs nothing.

use crate::affine::{Affine, Index, Term};
use crate::expr::{
    Expr, Names, Node, Var, access_all, bind_all, bracket, generate_all, map_operands, operands,
    replace_index, substitute_indices, var,
};
use crate::known::fixed_by;
use crate::oracle::Oracle;
use crate::predicate::{Predicate, Range};
use crate::push_out::push_out_gens;
use crate::simplify::simplify_new;
use std::collections::HashSet;

/// An expression that is the same, costs no more, and has as few tensors as that
/// allows. Lets must be outermost, then pairs of the results, then generations.
pub fn optimise(expr: &Expr, oracle: &dyn Oracle, names: &mut Names) -> Expr {
    let mut done = HashSet::new();
    let mut expr = simplify_new(expr, &mut done, oracle, names);
    // Each round leaves fewer lets or fewer dimensions of them.
    while let Some(next) = inline_lets(&expr, names) {
        expr = simplify_new(&next, &mut done, oracle, names);
    }
    expr
}

/// The expression with each let inlined that may be, if there is one.
fn inline_lets(expr: &Expr, names: &mut Names) -> Option<Expr> {
    let mut kept = Vec::new();
    let mut rest = expr.clone();
    let mut is_changed = false;
    while let Node::Let(name, value, body) = &*rest.clone() {
        let (ranges, element) = split_gens(value);
        let count = count_uses(body, *name);
        let is_inlined = is_free(&element) || (count == 1 && is_read_once(body, *name));
        rest = if count == 0 {
            is_changed = true;
            body.clone()
        } else if is_inlined {
            is_changed = true;
            inlined(body, *name, value, names)
        } else if let Some((position, at)) = fixed_dimension(&ranges, &element) {
            is_changed = true;
            let lower = names.var();
            let (smaller, wrapper) = without(&ranges, &element, position, &at, lower, names);
            kept.push((lower, smaller));
            inlined(body, *name, &wrapper, names)
        } else {
            kept.push((*name, value.clone()));
            body.clone()
        };
    }
    is_changed.then(|| bind_all(kept, rest))
}

/// The ranges of the generations around an expression, and what they are around.
fn split_gens(expr: &Expr) -> (Vec<Range>, Expr) {
    let mut ranges = Vec::new();
    let mut inner = expr;
    while let Node::Gen(range, element) = &**inner {
        ranges.push(range.clone());
        inner = element;
    }
    (ranges, inner.clone())
}

/// How often a variable is used.
fn count_uses(expr: &Expr, name: Var) -> usize {
    match &**expr {
        Node::Var(other) => usize::from(*other == name),
        _ => operands(expr).into_iter().map(|operand| count_uses(operand, name)).sum(),
    }
}

/// Whether an expression does nothing but read.
fn is_free(expr: &Expr) -> bool {
    match &**expr {
        Node::Var(_) | Node::Constant(_) => true,
        Node::Access(inner, _) | Node::Bracket(_, inner) | Node::Project(_, inner) => {
            is_free(inner)
        }
        _ => false,
    }
}

/// `expr` with a variable's value in its place.
fn inlined(expr: &Expr, name: Var, value: &Expr, names: &mut Names) -> Expr {
    push_out_gens(&replaced(expr, name, value, names), names)
}

/// The same, with the value as it is, with indices of its own each time.
fn replaced(expr: &Expr, name: Var, value: &Expr, names: &mut Names) -> Expr {
    match &**expr {
        Node::Var(other) if *other == name => substitute_indices(value, &|_| None, names),
        _ => map_operands(expr, &mut |operand| replaced(operand, name, value, names)),
    }
}

/// The loops and predicates around a place of an expression.
#[derive(Clone, Default)]
struct Around {
    loops: Vec<Index>,
    predicates: Vec<Predicate>,
}

/// Whether the one use of a variable reads no element of it twice.
fn is_read_once(expr: &Expr, name: Var) -> bool {
    fn visit(expr: &Expr, name: Var, around: &Around, places: &[Affine]) -> bool {
        let mut around = around.clone();
        match &**expr {
            Node::Var(other) if *other == name => return around.is_fixed_by(places),
            Node::Access(inner, place) => {
                return visit(
                    inner,
                    name,
                    &around,
                    &[places, std::slice::from_ref(place)].concat(),
                );
            }
            Node::Gen(range, _) | Node::Sum(range, _) => around.loops.push(range.index),
            Node::Bracket(predicate, _) => {
                around.predicates.extend_from_slice(predicate.conjuncts())
            }
            _ => {}
        }
        operands(expr).into_iter().all(|operand| visit(operand, name, &around, &[]))
    }
    visit(expr, name, &Around::default(), &[])
}

impl Around {
    /// Whether places, and equalities that hold, fix the indices of all loops.
    fn is_fixed_by(&self, places: &[Affine]) -> bool {
        let equalities = self.predicates.iter().filter_map(|part| match part {
            Predicate::Zero(value) => Some(value),
            _ => None,
        });
        let values: Vec<&Affine> = places.iter().chain(equalities).collect();
        let mut open = self.loops.clone();
        // A value of one index that is not fixed yet fixes it.
        while let Some(index) = values.iter().find_map(|value| {
            let mut unknown = value.indices().filter(|index| open.contains(index));
            let first = unknown.next()?;
            unknown.next().is_none().then_some(first)
        }) {
            open.retain(|other| *other != index);
        }
        open.is_empty()
    }
}

/// The position of a dimension outside of one value of which a tensor is zero,
/// and the value, of the other dimensions' indices.
fn fixed_dimension(ranges: &[Range], element: &Expr) -> Option<(usize, Affine)> {
    let Node::Bracket(predicate, _) = &**element else {
        return None;
    };
    ranges.iter().enumerate().rev().find_map(|(position, range)| {
        let fixed = |part| fixed_by(part, range.index);
        Some((position, predicate.conjuncts().iter().find_map(fixed)?))
    })
}

/// A tensor without a dimension, and the tensor with it, of the first, which is
/// called `lower`.
fn without(
    ranges: &[Range],
    element: &Expr,
    position: usize,
    at: &Affine,
    lower: Var,
    names: &mut Names,
) -> (Expr, Expr) {
    let range = &ranges[position];
    let mut others = ranges.to_vec();
    others.remove(position);
    let is_there = Predicate::zero(Affine::term(Term::Index(range.index)).minus(at));
    let places = others.iter().map(|range| Affine::index(range.index));
    let read = access_all(var(lower), &places.collect::<Vec<_>>());
    let wrapper = generate_all(ranges, bracket(is_there, read));
    let element = replace_index(element, range.index, at, names);
    let smaller = generate_all(&others, bracket(range.contains(at), element));
    (smaller, wrapper)
}
