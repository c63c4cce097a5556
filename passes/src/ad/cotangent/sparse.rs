//! What sparse adjoints consist of.

use ad_dialect::ir::{OpExt, TyExt, Val};
use melior::ir::ValueLike;

use crate::support::{builder::Builder, diag::Result};

/// Part of an adjoint that is zero elsewhere.
#[derive(Clone, Copy)]
pub enum Piece<'c> {
    /// One row.
    Row(Point<'c>),
    /// Several.
    Rows(Rows<'c>),
}

/// A row of an adjoint: an element, or a tensor of the trailing dimensions.
#[derive(Clone, Copy)]
pub struct Point<'c> {
    /// Which row.
    pub index: Val<'c>,
    /// What it is.
    pub value: Val<'c>,
    /// Without this condition there is no such row, and the index means nothing.
    pub guard: Option<Val<'c>>,
}

/// Rows of an adjoint; how many is known when the program runs.
#[derive(Clone, Copy)]
pub struct Rows<'c> {
    /// Their indices, pairwise distinct where in range; what is out of range, also negative, is no row.
    pub at: Val<'c>,
    /// What they are.
    pub values: Val<'c>,
}

impl<'c> Piece<'c> {
    /// The adjoint of `primal` with the piece added; the adjoint is absent, an array or an accumulator.
    pub fn added_to(
        self,
        b: &Builder<'c>,
        adjoint: Option<Val<'c>>,
        primal: Val<'c>,
    ) -> Result<Val<'c>> {
        match (self, adjoint) {
            (Piece::Row(point), adjoint) => point.added_to(b, adjoint, primal),
            (Piece::Rows(rows), None) => {
                Ok(b.scatter(&[rows.at], &[rows.values], &[b.zeros_like(primal)])[0])
            }
            (Piece::Rows(rows), Some(acc)) if acc.r#type().is_acc() => {
                rows.accumulated(b, acc, primal)
            }
            (Piece::Rows(rows), Some(array)) => {
                let zero = b.zero_element(array, 1);
                let sum = b.hist(&[rows.at], &[rows.values], &[array], &[zero], |b, args| {
                    Ok(vec![b.add(args[0], args[1])])
                })?;
                Ok(sum[0])
            }
        }
    }
}

impl<'c> Point<'c> {
    fn added_to(
        &self,
        b: &Builder<'c>,
        adjoint: Option<Val<'c>>,
        primal: Val<'c>,
    ) -> Result<Val<'c>> {
        if let Some(acc) = adjoint.filter(|adjoint| adjoint.r#type().is_acc()) {
            return guarded(b, self.guard, acc, |b| b.update_acc(acc, &[self.index], self.value));
        }
        let array = adjoint.unwrap_or_else(|| b.zeros_like(primal));
        guarded(b, self.guard, array, |b| {
            let sum = match adjoint {
                Some(_) => b.add(b.row(array, self.index), self.value),
                None => self.value,
            };
            b.insert_row(sum, array, self.index)
        })
    }
}

impl<'c> Rows<'c> {
    /// The accumulator with the rows added.
    fn accumulated(&self, b: &Builder<'c>, acc: Val<'c>, primal: Val<'c>) -> Result<Val<'c>> {
        let done = b.map(&[self.at, self.values], &[acc], &[acc.r#type()], |b, args| {
            let (index, inside) = b.in_range(&args[..1], primal);
            let changed = |b: &Builder<'c>| b.update_acc(args[2], &index, args[1]);
            Ok(vec![guarded(&b, Some(inside), args[2], changed)?])
        })?;
        Ok(done[0])
    }
}

/// What `changed` makes of an adjoint if the guard holds, or is absent, else the adjoint.
fn guarded<'c>(
    b: &Builder<'c>,
    guard: Option<Val<'c>>,
    adjoint: Val<'c>,
    changed: impl Fn(&Builder<'c>) -> Val<'c>,
) -> Result<Val<'c>> {
    let Some(guard) = guard else { return Ok(changed(b)) };
    let both = b.if_else(guard, &[adjoint.r#type()], |inner, taken| {
        Ok(vec![if taken { changed(&inner) } else { adjoint }])
    })?;
    Ok(both.res(0).unwrap_or(adjoint))
}
