//! Short names for what tests write most.

use crate::affine::{Affine, Index, Size};
use crate::expr::{Expr, Function, Names, Var, access, call, var};
use crate::predicate::Range;

/// Names beyond those that tests use.
pub(crate) fn names() -> Names {
    let mut names = Names::default();
    for _ in 0..10 {
        names.var();
        names.index();
    }
    names
}

/// The first size.
pub(crate) fn n() -> Affine {
    Affine::size(Size(0))
}

/// An index.
pub(crate) fn index(name: u32) -> Affine {
    Affine::index(Index(name))
}

/// An index below the first size.
pub(crate) fn range(name: u32) -> Range {
    Range::new(Index(name), n())
}

/// The element of a tensor at an index.
pub(crate) fn at(name: Var, place: u32) -> Expr {
    access(var(name), index(place))
}

/// The value of the first function.
pub(crate) fn f(argument: Expr) -> Expr {
    call(Function(0), vec![argument])
}
