//! Gen pushout [ATL 5.3]: generations come outermost in lets and results.

use crate::affine::Affine;
use crate::expr::{Expr, Names, Node, access, bracket, generate, map_operands, replace_index};
use crate::predicate::Predicate;

/// An expression without pairs whose generations are outermost in what lets bind
/// and in the results, so that tensors are accessed that have names only.
pub fn push_out_gens(expr: &Expr, names: &mut Names) -> Expr {
    let pushed = map_operands(expr, &mut |operand| push_out_gens(operand, names));
    match &*pushed {
        Node::Access(inner, place) => accessed(inner, place, names),
        Node::Bracket(predicate, inner) => guarded(predicate, inner),
        _ => pushed,
    }
}

fn accessed(inner: &Expr, place: &Affine, names: &mut Names) -> Expr {
    match &**inner {
        // (5.21)
        Node::Gen(range, body) => replace_index(body, range.index, place, names),
        // (5.22)
        Node::Bracket(predicate, body) => guarded(predicate, &accessed(body, place, names)),
        _ => access(inner.clone(), place.clone()),
    }
}

fn guarded(predicate: &Predicate, inner: &Expr) -> Expr {
    match &**inner {
        // (5.23)
        Node::Gen(range, body) => generate(range.clone(), guarded(predicate, body)),
        // (5.24)
        Node::Bracket(other, body) => {
            bracket(Predicate::and([predicate.clone(), other.clone()]), body.clone())
        }
        _ => bracket(predicate.clone(), inner.clone()),
    }
}
