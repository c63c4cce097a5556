//! What an operation computes and a later one computes again, where the two cannot be one, is read from there.
//!
//! Reading order: `maps`, then `structured`, which have values by their numbers: equal ones have equal numbers.

mod maps;
mod structured;

use std::collections::HashMap;

use ad_dialect::{
    ir::{Blk, Op, OpExt, Val, ValExt, ValueKey},
    linalg::Expr,
};
use melior::{Context, ir::operation::OperationLike};

use crate::support::{diag::Result, region::what};

/// Shares values among the operations of a block; returns how many of them read more than before.
pub fn share_all<'c>(context: &'c Context, block: Blk<'c>) -> Result<u64> {
    Ok(maps::share_all(context, block)? + structured::share_all(context, block)?)
}

/// What a value is, at one point of an iteration space.
#[derive(PartialEq, Eq, Hash)]
enum Term {
    /// The element of an array, at a place that the loops say if there are several.
    Element(ValueKey, Vec<Expr>),
    /// What is the same for all elements.
    Outside(ValueKey),
    /// The result of an operation, with its attributes and type, on values.
    Made(String, Vec<usize>),
}

/// The numbers of the values in a body, as far as they are arithmetic on scalars.
type Known = HashMap<ValueKey, usize>;

#[derive(Default)]
struct Numbers(HashMap<Term, usize>);

impl Numbers {
    fn number(&mut self, term: Term) -> usize {
        let next = self.0.len();
        *self.0.entry(term).or_insert(next)
    }

    /// The number of what an operation in a body makes, and those of its operands, if it is arithmetic.
    fn of_op<'c>(
        &mut self,
        op: Op<'c>,
        body: Blk<'c>,
        known: &mut Known,
    ) -> Option<(usize, Vec<usize>)> {
        let name = op.op_name();
        let is_arithmetic = name.starts_with("arith.") || name.starts_with("math.");
        let result = op.res(0).filter(|_| is_arithmetic && op.result_count() == 1)?;
        let of_operand = |operand: Val<'c>| match known.get(&operand.key()) {
            Some(&number) => Some(number),
            None if operand.parent_block() == Some(body) => None,
            None => Some(self.number(Term::Outside(operand.key()))),
        };
        let operands = op.operand_list().into_iter().map(of_operand).collect::<Option<Vec<_>>>()?;
        let number = self.number(Term::Made(what(op), operands.clone()));
        known.insert(result.key(), number);
        Some((number, operands))
    }
}
