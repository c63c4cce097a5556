//! What iterations combine a carried number with: in one operation or several, always or sometimes.
//!
//! ```text
//! s + a - b        if c { s + a } else { s }        select c, s + a, s
//! ```

use std::collections::HashMap;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use crate::support::{
    builder::Builder,
    region::{ValueMap, all_inside, beside, clone_op, is_within, renamed},
};

/// One step of what becomes of a number in an iteration.
pub enum Step<'c> {
    /// It is combined with a value, which may be subtracted.
    Term(Val<'c>, bool),
    /// It is combined with a value if a condition is what is said.
    Chosen { condition: Val<'c>, when: bool, term: (Val<'c>, bool) },
    /// Branches combine it, each in steps of its own, and have it at a position among their results.
    Branches { branch: Op<'c>, position: usize, steps: [Vec<Step<'c>>; 2] },
}

/// The steps of a number in an iteration, all by one operation.
pub struct Path<'c> {
    pub steps: Vec<Step<'c>>,
    /// One of the operations.
    pub by: Op<'c>,
    /// The operations of the loop's body itself that are nothing but steps.
    pub own: Vec<Op<'c>>,
}

impl<'c> Path<'c> {
    /// The steps from a value of a block to the end of it, if nothing else is done with the value; with where it is among the
    /// operands of the end.
    pub fn of(value: Val<'c>, block: Blk<'c>) -> Option<(Self, usize)> {
        let mut found = Steps { list: vec![], operations: vec![] };
        let (own, position) = found.follow(value, block)?;
        let by = *found.operations.first()?;
        let is_one = found.operations.iter().all(|&op| operation(op) == operation(by));
        is_one.then_some((Self { steps: found.list, by, own }, position))
    }

    /// What the steps combine the number with, all in one, by the names that values have; there are copies of branches.
    pub fn build(&self, b: &Builder<'c>, neutral: Val<'c>, copies: &Copies<'c>) -> Val<'c> {
        Build { by: self.by, neutral, copies }.all(b, &self.steps)
    }
}

/// Steps that are being found.
struct Steps<'c> {
    list: Vec<Step<'c>>,
    operations: Vec<Op<'c>>,
}

impl<'c> Steps<'c> {
    /// Follows a value to the end of a block; returns the operations of the block that are nothing but steps, and where the value
    /// is among the operands of the end.
    fn follow(&mut self, mut value: Val<'c>, block: Blk<'c>) -> Option<(Vec<Op<'c>>, usize)> {
        let end = block.term()?.key();
        let mut own = vec![];
        loop {
            let mut uses = value.uses();
            uses.retain(|(user, _)| beside(*user, Some(block)).is_some());
            let (user, operand) = *uses.first()?;
            let place = beside(user, Some(block))?;
            let is_here = user.key() == place.key();
            value = match uses[..] {
                [_] if user.key() == end => return Some((own, operand)),
                [_] if is_here => {
                    let (term, is_negative) = term(user, operand)?;
                    self.list.push(Step::Term(term, is_negative));
                    self.operations.push(user);
                    own.push(user);
                    user.res(0)?
                }
                [one, other] if is_here => {
                    let both = self.choice(value, block, one, other)?;
                    own.extend(both);
                    both[1].res(0)?
                }
                _ if uses.iter().all(|(user, _)| is_inside(*user, place)) => {
                    self.branches(value, place)?
                }
                _ => return None,
            };
        }
    }

    /// Notes that a value is combined, and that this or the value is chosen.
    fn choice(
        &mut self,
        value: Val<'c>,
        block: Blk<'c>,
        one: (Op<'c>, usize),
        other: (Op<'c>, usize),
    ) -> Option<[Op<'c>; 2]> {
        let is_choice = one.0.op_name() == "arith.select";
        let ((combine, operand), (choice, _)) = if is_choice { (other, one) } else { (one, other) };
        let made = combine.res(0).filter(|made| made.users().len() == 1)?;
        let [condition, yes, no] = choice.operand_list()[..] else { return None };
        let when = yes.key() == made.key();
        let kept = if when { no } else { yes };
        let fits = choice.op_name() == "arith.select"
            && [yes, no].iter().any(|chosen| chosen.key() == made.key())
            && kept.key() == value.key()
            && [combine, choice].iter().all(|op| op.block() == Some(block));
        let term = term(combine, operand).filter(|_| fits)?;
        self.list.push(Step::Chosen { condition, when, term });
        self.operations.push(combine);
        Some([combine, choice])
    }

    /// Notes what both branches do with a value; returns what becomes of it.
    fn branches(&mut self, value: Val<'c>, branch: Op<'c>) -> Option<Val<'c>> {
        let [yes, no] = branch.blocks()[..] else { return None };
        if branch.op_name() != "scf.if" {
            return None;
        }
        let mut follow = |block| {
            let mut inner = Steps { list: vec![], operations: vec![] };
            let (_, position) = inner.follow(value, block)?;
            self.operations.extend(inner.operations);
            Some((inner.list, position))
        };
        let ((yes, position), (no, other)) = (follow(yes)?, follow(no)?);
        self.list.push(Step::Branches { branch, position, steps: [yes, no] });
        branch.res(position).filter(|_| position == other)
    }
}

/// Whether an operation is inside of another one, not that itself.
fn is_inside(op: Op<'_>, around: Op<'_>) -> bool {
    op.key() != around.key() && is_within(op, around)
}

/// What an operation combines one of its operands with, and whether that is subtracted.
pub fn term<'c>(op: Op<'c>, operand: usize) -> Option<(Val<'c>, bool)> {
    let is_negative = operation(op) != op.op_name();
    let fits = op.operand_count() == 2 && (operand == 0 || !is_negative);
    Some((op.opnd(1 - operand).filter(|_| fits)?, is_negative))
}

/// The operation that an operation combines by, maybe with a negative number.
pub fn operation<'c>(op: Op<'c>) -> &'c str {
    match op.op_name() {
        "arith.subf" => "arith.addf",
        "arith.subi" => "arith.addi",
        name => name,
    }
}

/// Two numbers combined as by an operation, with its fast-math flags.
pub fn combine<'c>(b: &Builder<'c>, by: Op<'c>, pair: &[Val<'c>]) -> Val<'c> {
    let b = b.with_fastmath_of(by);
    let is_float = pair[0].r#type().is_float_type();
    if is_float { b.float_op(operation(by), pair) } else { b.same(operation(by), pair) }
}

/// Copies of operations, and of what is in their regions.
#[derive(Default)]
pub struct Copies<'c> {
    /// What values are called in copies.
    pub names: ValueMap<'c>,
    ops: HashMap<OpKey, Op<'c>>,
}

impl<'c> Copies<'c> {
    /// Copies an operation.
    pub fn copy(&mut self, b: &Builder<'c>, op: Op<'c>) {
        let copy = clone_op(b, op, &mut self.names);
        for (old, new) in all_inside(op).into_iter().zip(all_inside(copy)) {
            self.ops.insert(old.key(), new);
            let results = old.result_list().into_iter().zip(new.result_list());
            self.names.extend(results.map(|(old, new)| (old.key(), new)));
        }
    }

    /// A value, or one that is subtracted.
    pub fn term(&self, b: &Builder<'c>, (value, is_negative): (Val<'c>, bool)) -> Val<'c> {
        let value = renamed(&self.names, value);
        if is_negative { b.sub(b.zero_scalar(value.r#type()), value) } else { value }
    }
}

/// What is needed to build terms.
struct Build<'a, 'c> {
    by: Op<'c>,
    neutral: Val<'c>,
    copies: &'a Copies<'c>,
}

impl<'c> Build<'_, 'c> {
    /// What steps combine a number with.
    fn all(&self, b: &Builder<'c>, steps: &[Step<'c>]) -> Val<'c> {
        let values = steps.iter().map(|step| self.one(b, step));
        values.reduce(|all, value| combine(b, self.by, &[all, value])).unwrap_or(self.neutral)
    }

    fn one(&self, b: &Builder<'c>, step: &Step<'c>) -> Val<'c> {
        match step {
            Step::Term(value, is_negative) => self.copies.term(b, (*value, *is_negative)),
            Step::Chosen { condition, when, term } => {
                let value = self.copies.term(b, *term);
                let condition = renamed(&self.copies.names, *condition);
                let [yes, no] = if *when { [value, self.neutral] } else { [self.neutral, value] };
                b.select(condition, yes, no)
            }
            Step::Branches { branch, position, steps } => {
                for (block, steps) in branch.blocks().into_iter().zip(steps) {
                    let end = block.term().and_then(|end| self.copies.ops.get(&end.key()));
                    let Some(&end) = end else { continue };
                    let inner = Builder::before(b.context(), end, b.block());
                    end.set_operand(*position, self.all(&inner, steps));
                }
                branch.res(*position).map_or(self.neutral, |made| renamed(&self.copies.names, made))
            }
        }
    }
}
