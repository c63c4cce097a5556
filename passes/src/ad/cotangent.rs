//! The adjoints of primal variables during the return sweep, and the only place
//! where cotangents are summed.
//!
//! The adjoint of a variable is absent (a symbolic zero, for which no code
//! exists), a value, an accumulator, or sparse. It is an accumulator while the
//! return sweep is inside a map and the variable is an array from outside (FUT 5.4).
//! It is sparse, some rows outside of which it is zero, as long as nothing but rows,
//! single or as many as an array has, has been added to it (FUT 5.1.1). Only results of a map
//! are kept sparse, and only in the scope that defines them: the map's rule then
//! differentiates the iterations of these rows. All other rules find a value, because
//! the engine makes one before it calls them.
//! Accumulators among the primal variables have the array of their cotangents
//! as adjoint, which is only read.

mod sparse;

use std::collections::HashMap;

use ad_dialect::ir::{TyExt, Val, ValExt, ValueKey};
use melior::ir::ValueLike;

pub use sparse::{Piece, Point, Rows};

use crate::support::{builder::Builder, diag::Result, slice::Slice};

/// What one use adds to an adjoint.
pub enum Contribution<'a, 'c> {
    /// A value of the variable's type.
    Dense(Val<'c>),
    /// A scalar at one index of an array.
    Element(&'a [Val<'c>], Val<'c>),
    /// A sub-array at a slice.
    Slice(&'a Slice<'c>, Val<'c>),
    /// Rows of an array.
    Piece(Piece<'c>),
}

/// An adjoint that is sparse holds at most so many pieces: for each of them the body of
/// the map is differentiated once more.
const MOST_PIECES: usize = 8;

/// The adjoint of one variable.
enum Adjoint<'c> {
    /// A value or an accumulator.
    Whole(Val<'c>),
    /// The sum of pieces; zero elsewhere.
    Sparse(Vec<Piece<'c>>),
}

/// The adjoint of every primal variable that has one so far.
#[derive(Default)]
pub struct Cotangents<'c> {
    adjoints: HashMap<ValueKey, Adjoint<'c>>,
    /// How many of them are sparse.
    sparse: usize,
}

impl<'c> Cotangents<'c> {
    /// The adjoint, if it is a value or an accumulator.
    pub fn get(&self, variable: Val<'c>) -> Option<Val<'c>> {
        match self.adjoints.get(&variable.key())? {
            Adjoint::Whole(value) => Some(*value),
            Adjoint::Sparse(_) => None,
        }
    }

    /// Whether the adjoint is anything but a symbolic zero.
    pub fn has(&self, variable: Val<'c>) -> bool {
        self.adjoints.contains_key(&variable.key())
    }

    /// Whether any adjoint is sparse.
    pub fn any_sparse(&self) -> bool {
        self.sparse > 0
    }

    /// Whether the adjoint of the variable is sparse.
    pub fn is_sparse(&self, variable: Val<'c>) -> bool {
        matches!(self.adjoints.get(&variable.key()), Some(Adjoint::Sparse(_)))
    }

    /// Removes the adjoint and returns it, if it is a value or an accumulator.
    pub fn take(&mut self, variable: Val<'c>) -> Option<Val<'c>> {
        match self.adjoints.remove(&variable.key())? {
            Adjoint::Whole(value) => Some(value),
            Adjoint::Sparse(_) => {
                self.sparse -= 1;
                None
            }
        }
    }

    /// Removes a sparse adjoint and returns its pieces.
    pub fn take_pieces(&mut self, variable: Val<'c>) -> Vec<Piece<'c>> {
        if !self.is_sparse(variable) {
            return vec![];
        }
        self.sparse -= 1;
        match self.adjoints.remove(&variable.key()) {
            Some(Adjoint::Sparse(pieces)) => pieces,
            _ => vec![],
        }
    }

    /// Removes the adjoint and returns it, if it is an array: for an operation that
    /// adds to it in place, and whose result the caller sets as the adjoint.
    pub fn take_array(&mut self, variable: Val<'c>) -> Option<Val<'c>> {
        self.get(variable).filter(|adjoint| adjoint.r#type().as_tensor().is_some())?;
        self.take(variable)
    }

    /// Replaces the adjoint.
    pub fn set(&mut self, variable: Val<'c>, adjoint: Option<Val<'c>>) {
        self.take(variable);
        if let Some(adjoint) = adjoint {
            self.adjoints.insert(variable.key(), Adjoint::Whole(adjoint));
        }
    }

    /// Adds a piece to an adjoint that is absent or sparse; returns whether it was.
    pub fn add_piece(&mut self, variable: Val<'c>, piece: Piece<'c>) -> bool {
        match self.adjoints.get_mut(&variable.key()) {
            None => {
                self.adjoints.insert(variable.key(), Adjoint::Sparse(vec![piece]));
                self.sparse += 1;
                true
            }
            Some(Adjoint::Sparse(pieces)) if pieces.len() < MOST_PIECES => {
                pieces.push(piece);
                true
            }
            Some(_) => false,
        }
    }

    /// Makes a value of a sparse adjoint.
    pub fn settle(&mut self, b: &Builder<'c>, variable: Val<'c>, primal: Val<'c>) -> Result<()> {
        for piece in self.take_pieces(variable) {
            self.add(b, variable, primal, Contribution::Piece(piece))?;
        }
        Ok(())
    }

    /// Adds a contribution; `primal` is the variable's value in the new code,
    /// which gives the sizes of a zero.
    pub fn add(
        &mut self,
        b: &Builder<'c>,
        variable: Val<'c>,
        primal: Val<'c>,
        contribution: Contribution<'_, 'c>,
    ) -> Result<()> {
        if variable.r#type().is_acc() {
            // The adjoint of an accumulator is the same array all its life.
            if let Contribution::Dense(array) = contribution
                && !self.has(variable)
            {
                self.set(variable, Some(array));
            }
            return Ok(());
        }
        let pieces = self.take_pieces(variable);
        let sum = match (self.get(variable), contribution) {
            (None, Contribution::Dense(value)) => value,
            (Some(old), Contribution::Dense(value)) if old.r#type().is_acc() => {
                let scalar = value.r#type().shape().is_empty();
                b.update_acc(old, &[], if scalar { b.extract(value, &[]) } else { value })
            }
            (Some(old), Contribution::Dense(value)) => b.add(old, value),
            (Some(old), Contribution::Element(indices, value)) if old.r#type().is_acc() => {
                b.update_acc(old, indices, value)
            }
            (old, Contribution::Element(indices, value)) => {
                let array = old.unwrap_or_else(|| b.zeros_like(primal));
                let sum = match old {
                    Some(_) => b.add(b.extract(array, indices), value),
                    None => value,
                };
                b.insert_element(sum, array, indices)
            }
            (old, Contribution::Piece(piece)) => piece.added_to(b, old, primal)?,
            (Some(old), Contribution::Slice(slice, part)) if old.r#type().is_acc() => {
                slice.accumulate(b, old, part)?
            }
            (old, Contribution::Slice(slice, part)) => {
                let array = old.unwrap_or_else(|| b.zeros_like(primal));
                let sum = match old {
                    Some(_) => b.add(slice.extract(b, array, part.r#type()), part),
                    None => part,
                };
                slice.insert(b, sum, array)
            }
        };
        self.set(variable, Some(sum));
        for piece in pieces {
            self.add(b, variable, primal, Contribution::Piece(piece))?;
        }
        Ok(())
    }

    /// Sets each variable's adjoint to the given one and returns what they were.
    pub fn swap(
        &mut self,
        variables: &[Val<'c>],
        adjoints: Vec<Option<Val<'c>>>,
    ) -> Vec<Option<Val<'c>>> {
        let before = variables.iter().map(|&variable| self.get(variable)).collect();
        for (&variable, adjoint) in variables.iter().zip(adjoints) {
            self.set(variable, adjoint);
        }
        before
    }
}
