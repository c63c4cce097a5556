//! Sizes of what control flow gives: loops, branches, and whether an operation runs at all.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{BlockLike, ValueLike, attribute::StringAttribute, operation::OperationLike};

use super::{CHANGES, DIFFER, Found, Obstacle, Sizes, UNKNOWN, is_elementwise, same_size};
use crate::{
    lower::soac_to_loops::input_count,
    support::{
        builder::{Builder, CMP_EQ, CMP_SGT, CMP_SLT},
        combinator::strip_casts,
        extent::{Extent, extent_of},
        symbol,
    },
};

impl<'c> Sizes<'_, 'c> {
    /// What an `scf.for` carries.
    pub(super) fn dim_of_carried(&mut self, op: Op<'c>, k: usize, d: usize) -> Found<'c> {
        let argument = op.body(0).and_then(|body| body.arg_list().get(k + 1).copied());
        self.dim_of_loop(op, argument, [k + 3, 0, k], d)
    }

    /// What a function returns, if its size is that of an argument, or an argument.
    pub(super) fn dim_of_call(&mut self, op: Op<'c>, k: usize, d: usize) -> Found<'c> {
        let argument = |value: Val<'c>, callee: Op<'c>| {
            let entry = callee.body(0).filter(|entry| value.owner_block() == Some(*entry));
            entry.map(|_| value.position())
        };
        let returned = callee(op).and_then(|callee| {
            let mut ends = callee.blocks().into_iter().filter_map(|block| block.term());
            let end = ends.find(|end| end.op_name() == "func.return")?;
            let is_only = !ends.any(|end| end.op_name() == "func.return");
            end.opnd(k).filter(|_| is_only).map(|value| (callee, extent_of(value, d)))
        });
        match returned {
            Some((_, Extent::Known(size))) => return Ok(self.b.index(size)),
            Some((callee, Extent::Value(size))) => {
                if let Some(position) = argument(size, callee) {
                    return self.operand_scalar(op, position);
                }
            }
            Some((callee, Extent::Dim(array, i))) => {
                if let Some(position) = argument(array, callee) {
                    return self.operand_dim(op, position, i);
                }
            }
            None => {}
        }
        Err(Obstacle { op: Some(op), why: UNKNOWN })
    }

    /// A loop may not change the size of what it carries, which is checked in front of it where
    /// sizes are not the same by construction: an argument that begins as an operand
    /// of the loop and goes on as what a region yields at a position.
    fn dim_of_loop(
        &mut self,
        op: Op<'c>,
        argument: Option<Val<'c>>,
        [operand, region, position]: [usize; 3],
        d: usize,
    ) -> Found<'c> {
        let Some(argument) = argument else { return Err(Obstacle { op: Some(op), why: UNKNOWN }) };
        let key = (argument.key(), d);
        if let Some(&known) = self.dims.get(&key) {
            return Ok(known);
        }
        let start = self.operand_dim(op, operand, d)?;
        self.dims.insert(key, start);
        match self.yielded_dim(op, region, position, d) {
            Ok(next) if same_size(start, next) || self.stays(op, region, start, next) => Ok(start),
            _ => {
                self.dims.remove(&key);
                Err(Obstacle { op: Some(op), why: CHANGES })
            }
        }
    }

    /// Requires that an iteration, if there is one, gives the size that it is given, unless it
    /// is computed from that and so another one.
    fn stays(&mut self, op: Op<'c>, region: usize, start: Val<'c>, next: Val<'c>) -> bool {
        let body = op.body(region).filter(|_| self.is_required && !is_computed_from(next, start));
        let Some((body, end)) = body.and_then(|body| Some((body, body.term()?))) else {
            return false;
        };
        self.require(end, body, start, next)
    }

    /// Where an iteration chooses between two rows.
    pub(super) fn dim_of_branches(&mut self, op: Op<'c>, k: usize, d: usize) -> Found<'c> {
        let (yes, no) = (self.yielded_dim(op, 0, k, d)?, self.yielded_dim(op, 1, k, d)?);
        if same_size(yes, no) {
            return Ok(yes);
        }
        // All inputs of a map are equally long, so any of them may match.
        let (all_yes, all_no) =
            (self.yielded_widths(op, 0, k, d), self.yielded_widths(op, 1, k, d));
        let is_other =
            |yes: &&Val<'c>| same_size(**yes, no) || all_no.iter().any(|&no| same_size(**yes, no));
        if all_no.iter().any(|&no| same_size(yes, no)) {
            return Ok(yes);
        }
        if let Some(&size) = all_yes.iter().find(is_other) {
            return Ok(size);
        }
        match self.operand_scalar(op, 0) {
            Ok(condition) => Ok(self.b.select(condition, yes, no)),
            Err(obstacle) => match op.body(1).filter(|_| self.is_required) {
                Some(other) if self.require(op, other, yes, no) => Ok(yes),
                _ => Err(obstacle),
            },
        }
    }

    /// Checks at run time that both branches of an operation, if it is reached, yield
    /// rows of one size.
    fn require_same(&mut self, op: Op<'c>, yes: Val<'c>, no: Val<'c>) -> Result<(), Obstacle<'c>> {
        let reached = self.reached(op)?;
        let same = self.b.compare(CMP_EQ, yes, no);
        let skipped = self.b.same("arith.xori", &[reached, self.b.truth(true)]);
        assert_same_rows(&self.b, self.b.same("arith.ori", &[skipped, same]));
        Ok(())
    }

    /// Requires that two sizes are equal: in front of the loop if it can be known there whether
    /// an operation is reached that needs it, else where a block ends.
    fn require(&mut self, needs: Op<'c>, block: Blk<'c>, x: Val<'c>, y: Val<'c>) -> bool {
        if self.require_same(needs, x, y).is_ok() {
            return true;
        }
        let Some(end) = block.term() else { return false };
        let b = Builder::before(self.b.context(), end, block);
        assert_same_rows(&b, b.compare(CMP_EQ, x, y));
        true
    }

    /// Asks for sizes that may depend on the iteration.
    fn optionally<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.is_required, false);
        let answer = ask(self);
        self.is_required = before;
        answer
    }

    /// The sizes that must all be that of what a region yields: of the inputs of a map, or of
    /// the operands of an elementwise operation.
    fn yielded_widths(&mut self, op: Op<'c>, region: usize, k: usize, d: usize) -> Vec<Val<'c>> {
        let end = op.body(region).and_then(|body| body.term());
        let equal = end.and_then(|end| end.opnd(k)).and_then(|value| {
            let op = strip_casts(value).defining_op()?;
            match op.op_name() {
                "soac.map" if d == 0 => Some((op, 0..input_count(op))),
                name if is_elementwise(name) => Some((op, 0..op.operand_count())),
                _ => None,
            }
        });
        let Some((op, operands)) = equal else { return vec![] };
        let is_array = |i: &usize| op.opnd(*i).is_some_and(|x| x.r#type().shape().len() > d);
        let operands: Vec<_> = operands.filter(is_array).collect();
        self.optionally(|this| {
            operands.into_iter().filter_map(|i| this.operand_dim(op, i, d).ok()).collect()
        })
    }

    /// What the second region of an `scf.while` is given, which is its result in the end.
    pub(super) fn dim_of_while_result(&mut self, op: Op<'c>, k: usize, d: usize) -> Found<'c> {
        self.yielded_dim(op, 0, k + 1, d)
    }

    /// What an argument of a region of an `scf.while` has.
    pub(super) fn dim_of_while_argument(
        &mut self,
        op: Op<'c>,
        argument: Val<'c>,
        d: usize,
    ) -> Found<'c> {
        let k = argument.position();
        if argument.owner_block() == op.body(0) {
            self.dim_of_loop(op, Some(argument), [k, 1, k], d)
        } else {
            self.dim_of_while_result(op, k, d)
        }
    }

    /// All cases of an `scf.index_switch` must agree.
    pub(super) fn dim_of_switch(&mut self, op: Op<'c>, k: usize, d: usize) -> Found<'c> {
        let first = self.yielded_dim(op, 0, k, d)?;
        for region in 1..op.region_count() {
            if !same_size(first, self.yielded_dim(op, region, k, d)?) {
                return Err(Obstacle { op: Some(op), why: DIFFER });
            }
        }
        Ok(first)
    }

    /// Whether the operation runs at all: every loop and map around it has an
    /// iteration, and every branch is taken.
    pub(super) fn reached(&mut self, op: Op<'c>) -> Found<'c> {
        self.optionally(|this| this.reached_now(op))
    }

    fn reached_now(&mut self, op: Op<'c>) -> Found<'c> {
        let unknown = || Obstacle { op: Some(op), why: UNKNOWN };
        let always = self.b.truth(true);
        let mut reached = always;
        let mut block = op.block().ok_or_else(unknown)?;
        while !self.around.contains(&block.key()) {
            let parent = block.parent_operation().ok_or_else(unknown)?;
            let condition = match parent.op_name() {
                "soac.map" | "soac.reduce" | "soac.scan" => {
                    let width = self.operand_dim(parent, 0, 0)?;
                    self.b.compare(CMP_SGT, width, self.b.index(0))
                }
                "scf.for" => {
                    let lower = self.operand_scalar(parent, 0)?;
                    let upper = self.operand_scalar(parent, 1)?;
                    self.b.compare(CMP_SLT, lower, upper)
                }
                "scf.if" => {
                    let condition = self.operand_scalar(parent, 0)?;
                    if parent.body(0).is_some_and(|then| then.key() == block.key()) {
                        condition
                    } else {
                        self.b.same("arith.xori", &[condition, always])
                    }
                }
                // Whether it runs is not known before its condition is computed.
                "scf.while" => always,
                _ => return Err(unknown()),
            };
            reached = self.b.same("arith.andi", &[reached, condition]);
            block = parent.block().ok_or_else(unknown)?;
        }
        Ok(reached)
    }
}

/// Checks at run time that rows have one size.
fn assert_same_rows<'c>(b: &Builder<'c>, are_same: Val<'c>) {
    let text = "the rows of a soac.map have different sizes; give all rows one size";
    let message = StringAttribute::new(b.context(), text).into();
    b.op_with("cf.assert", &[are_same], &[], &[("msg", message)], &[]);
}

/// Whether a size is the result of arithmetic on another.
fn is_computed_from(size: Val<'_>, other: Val<'_>) -> bool {
    let op = size.defining_op().filter(|op| op.op_name().starts_with("arith."));
    let operands = op.map(|op| op.operand_list()).unwrap_or_default();
    operands.into_iter().any(|x| same_size(x, other) || is_computed_from(x, other))
}

/// The function of the module that is called.
fn callee(call: Op<'_>) -> Option<Op<'_>> {
    symbol::find(symbol::top_of(call)?, &symbol::callee_of(call)?)
}
