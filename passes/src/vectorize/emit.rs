//! The vectorised loop.

use std::collections::HashMap;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey};
use melior::{
    Context,
    ir::{Attribute, ShapedTypeLike, Type, ValueLike, operation::OperationLike},
};

use super::{
    carried::Carried,
    cost,
    plan::{Class, Facts, Plan, Rest},
    rows::Row,
    tiles::Tile,
};
use crate::support::{
    builder::{Builder, CMP_EQ, CMP_SLT},
    diag::{Reported, Result, internal_error},
    memory,
    region::clone_with,
    rest::{end_of_overlapping, end_of_several},
};

/// A value for all iterations that run at once.
#[derive(Clone, Copy)]
pub(super) enum Lanes<'c> {
    /// It is the same in all.
    Same(Val<'c>),
    /// The index in the first one; each has one more than the one before.
    Next(Val<'c>),
    /// A vector with a value for each.
    Each(Val<'c>),
}

/// Puts a loop over vectors in front of one, which is left with the remaining iterations; or, where those
/// run on a vector with a mask, returns what takes the place of all that the loop returns.
pub fn replace<'c>(context: &'c Context, plan: &Plan<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let Plan { original, copy, facts, lanes, register, rest, .. } = plan;
    let malformed = || internal_error(*original, "a loop cannot be vectorised");
    let b = original.block().map(|block| Builder::before(context, *original, block));
    if cost::is_wide(*copy) {
        facts.load_first(context);
    }
    let (b, body) = b.zip(copy.body(0)).ok_or_else(malformed)?;
    let operands = copy.operand_list();
    let ([low, high, _], inits) = operands.split_first_chunk().ok_or_else(malformed)?;
    let width = b.index(*lanes as i64);
    // Where there are too few, the loop over vectors has none, and the loop as it was has all.
    let mut one_by_one = *low;
    if plan.is_for_many {
        let count = b.sub(*high, *low);
        let are_few = b.compare(CMP_SLT, count, b.index(*register as i64));
        one_by_one = b.select(are_few, *high, *low);
    }
    let low = &one_by_one;
    let (middle, left) = match rest {
        Rest::Overlaps => (end_of_overlapping(&b, *low, *high, width), width),
        _ => end_of_several(&b, *low, *high, width),
    };
    let middle = facts
        .guarded_sizes()
        .into_iter()
        .fold(middle, |middle, size| b.select(b.compare(CMP_EQ, size, b.index(0)), *low, middle));
    let emitter = || Emitter {
        facts,
        lanes: *lanes,
        register: *register,
        mask: None,
        last: None,
        values: HashMap::new(),
        rows: vec![],
        columns: HashMap::new(),
        tiles: vec![],
    };
    let kinds = &facts.carried.kinds;
    let start = |(&init, kind): (&Val<'c>, &Carried)| match kind {
        Carried::Sum => emitter().zeros(&b, init),
        Carried::Extreme(_) | Carried::Place(_) => emitter().spread(&b, Lanes::Same(init)),
        Carried::InTurn => init,
    };
    let starts: Vec<_> = inits.iter().zip(kinds).map(start).collect();
    let new = b.for_loop([*low, middle, width], &starts, |inner, first, partial| {
        let first = match rest {
            Rest::Overlaps => inner.same("arith.minsi", &[first, inner.sub(*high, width)]),
            _ => first,
        };
        emitter().iterations(inner, body, first, partial)
    })?;
    let mut partial = new.result_list();
    if *rest == Rest::Masked {
        partial = plan.masked_rest(&b, emitter, (middle, left), &partial)?;
    }
    let totals = facts.carried.totals(&b, &partial, inits);
    copy.erase();
    if plan.is_for_many {
        original.set_operand(1, *low);
        return Ok(None);
    }
    if *rest == Rest::Masked {
        return Ok(Some(totals));
    }
    for (i, total) in totals.into_iter().enumerate() {
        original.set_operand(3 + i, total);
    }
    original.set_operand(0, middle);
    Ok(None)
}

pub(super) struct Emitter<'a, 'c> {
    pub(super) facts: &'a Facts<'c>,
    pub(super) lanes: usize,
    /// Lanes in a register.
    pub(super) register: usize,
    /// Which lanes run, unless all do.
    pub(super) mask: Option<Val<'c>>,
    /// Where the last register with lanes that run begins, and which of its lanes do, if all before do.
    pub(super) last: Option<(usize, Val<'c>)>,
    values: HashMap<ValueKey, Lanes<'c>>,
    /// Sums that wait for those of neighbouring elements.
    pub(super) rows: Vec<Row<'c>>,
    /// What loads are going to read in the next iterations of an inner loop, the last one first.
    pub(super) columns: HashMap<OpKey, Vec<Val<'c>>>,
    /// What lanes write to rows of their own in several iterations of an inner loop.
    pub(super) tiles: Vec<Tile<'c>>,
}

impl<'c> Emitter<'_, 'c> {
    /// As many iterations as there are lanes; takes and returns what the loop carries.
    pub(super) fn iterations(
        mut self,
        b: Builder<'c>,
        body: Blk<'c>,
        first: Val<'c>,
        partial: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let arguments = body.arg_list();
        self.set(arguments[0], Lanes::Next(first));
        for (&argument, &partial) in arguments[1..].iter().zip(partial) {
            self.set(argument, Lanes::Each(partial));
        }
        self.block(b, body)?;
        Ok(self.take_turns(&b, body, partial))
    }

    fn width(&self) -> cost::Width {
        cost::Width { lanes: self.lanes, register: self.register }
    }

    pub(super) fn set(&mut self, value: Val<'c>, lanes: Lanes<'c>) {
        self.values.insert(value.key(), lanes);
    }

    /// What has been emitted for a value.
    pub(super) fn get(&self, value: Val<'c>) -> Option<Lanes<'c>> {
        self.values.get(&value.key()).copied()
    }

    pub(super) fn lanes(&self, value: Val<'c>) -> Lanes<'c> {
        self.get(value).unwrap_or(Lanes::Same(value))
    }

    /// A value that is the same in all iterations.
    pub(super) fn scalar(&self, value: Val<'c>) -> Val<'c> {
        match self.lanes(value) {
            Lanes::Same(new) | Lanes::Next(new) | Lanes::Each(new) => new,
        }
    }

    /// The type of a vector with so many lanes.
    pub(super) fn vector_type(&self, scalar: Type<'c>) -> Type<'c> {
        Type::vector(&[self.lanes as u64], scalar)
    }

    fn zeros(&self, b: &Builder<'c>, like: Val<'c>) -> Val<'c> {
        let zero = b.zero_scalar(like.r#type());
        b.val("vector.broadcast", &[zero], self.vector_type(like.r#type()))
    }

    /// A value as a vector.
    pub(super) fn vector(&self, b: &Builder<'c>, value: Val<'c>) -> Val<'c> {
        self.spread(b, self.lanes(value))
    }

    pub(super) fn spread(&self, b: &Builder<'c>, value: Lanes<'c>) -> Val<'c> {
        match value {
            Lanes::Each(vector) => vector,
            Lanes::Same(scalar) => {
                b.val("vector.broadcast", &[scalar], self.vector_type(scalar.r#type()))
            }
            Lanes::Next(first) => {
                let ty = self.vector_type(first.r#type());
                let all = b.val("vector.broadcast", &[first], ty);
                let steps = b.val("vector.step", &[], ty);
                b.val("arith.addi", &[all, steps], ty)
            }
        }
    }

    /// The value of one lane.
    pub(super) fn lane(&self, b: &Builder<'c>, value: Lanes<'c>, lane: usize) -> Val<'c> {
        match value {
            Lanes::Same(scalar) => scalar,
            Lanes::Next(first) if lane == 0 => first,
            Lanes::Next(first) => {
                b.val("arith.addi", &[first, b.index(lane as i64)], first.r#type())
            }
            Lanes::Each(vector) => {
                let position = [("static_position", b.i64s_attr(&[lane as i64]))];
                b.val_with("vector.extract", &[vector], vector.r#type().scalar(), &position)
            }
        }
    }

    /// A vector of the values of all lanes.
    pub(super) fn gather(&self, b: &Builder<'c>, lanes: &[Val<'c>]) -> Lanes<'c> {
        let ty = self.vector_type(lanes[0].r#type());
        Lanes::Each(b.val("vector.from_elements", lanes, ty))
    }

    pub(super) fn block(&mut self, b: Builder<'c>, block: Blk<'c>) -> Result<()> {
        block.body_ops().into_iter().try_for_each(|op| self.op(b.with_location(op.location()), op))
    }

    fn op(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        match op.op_name() {
            "scf.for" if !self.tiles.is_empty() => self.short_loop(b, op),
            "scf.for" if cost::runs_apart(self.facts, self.width(), op) => self.apart(b, op),
            "scf.if" if self.facts.is_in_turn(op) => self.apart(b, op),
            "scf.for" => self.inner_loop(b, op),
            "scf.if" if op.opnd(0).is_some_and(|c| self.facts.class(c) == Class::Same) => {
                self.branch(b, op)
            }
            "scf.if" => self.both(b, op),
            _ if self.facts.is_in_addition(op) || self.facts.carried.is_in_turn(op) => Ok(()),
            "memref.load" | "memref.store" if self.facts.records.has(op) => self.pieces(&b, op),
            "memref.load" => self.load(&b, op),
            "memref.store" => self.store(&b, op),
            "memref.subview" | "memref.cast" if !self.is_kept(op) => Ok(()),
            name if name.starts_with("memref.") => {
                self.of_array(&b, op);
                Ok(())
            }
            "cf.assert" => {
                let condition = op.opnd(0).ok_or_else(|| malformed(op))?;
                let condition = match self.lanes(condition) {
                    Lanes::Each(all) => {
                        let kind = Attribute::parse(b.context(), "#vector.kind<and>");
                        let kind = kind.map(|kind| ("kind", kind));
                        b.val_with("vector.reduction", &[all], b.bool_type(), kind.as_slice())
                    }
                    Lanes::Same(one) | Lanes::Next(one) => one,
                };
                let message = op.attr("msg").map(|message| ("msg", message));
                b.op_with("cf.assert", &[condition], &[], message.as_slice(), &[]);
                Ok(())
            }
            _ => {
                self.elementwise(&b, op);
                Ok(())
            }
        }
    }

    /// Whether a view is needed: others are seen through by the accesses.
    fn is_kept(&self, op: Op<'c>) -> bool {
        let same = |value: &Val<'c>| self.facts.class(*value) == Class::Same;
        op.operand_list().iter().skip(1).all(same)
            && op
                .opnd(0)
                .is_some_and(|array| self.facts.is_private(array) || self.facts.is_fixed(array))
    }

    /// An operation of `arith` or `math`.
    fn elementwise(&mut self, b: &Builder<'c>, op: Op<'c>) {
        let operands: Vec<_> = op.operand_list().iter().map(|&v| self.lanes(v)).collect();
        let class = op.res(0).map_or(Class::Same, |result| self.facts.class(result));
        let results = op.result_list();
        if class != Class::Each {
            let scalars: Vec<_> = op.operand_list().iter().map(|&v| self.scalar(v)).collect();
            let new = copy(b, op, &scalars, &types(&results));
            for (&old, new) in results.iter().zip(new) {
                let lanes = if class == Class::Next { Lanes::Next(new) } else { Lanes::Same(new) };
                self.set(old, lanes);
            }
            return;
        }
        if cost::is_whole(op) {
            let mut vectors: Vec<_> = operands.iter().map(|&v| self.spread(b, v)).collect();
            if let ("arith.select", Some(Lanes::Same(condition))) = (op.op_name(), operands.first())
            {
                vectors[0] = *condition;
            }
            let wide: Vec<_> = types(&results).into_iter().map(|t| self.vector_type(t)).collect();
            for (&old, new) in results.iter().zip(copy(b, op, &vectors, &wide)) {
                self.set(old, Lanes::Each(new));
            }
            return;
        }
        let mut parts = vec![vec![]; results.len()];
        for lane in 0..self.lanes {
            let scalars: Vec<_> = operands.iter().map(|&v| self.lane(b, v, lane)).collect();
            for (part, new) in parts.iter_mut().zip(copy(b, op, &scalars, &types(&results))) {
                part.push(new);
            }
        }
        for (&old, part) in results.iter().zip(parts) {
            let all = self.gather(b, &part);
            self.set(old, all);
        }
    }

    /// An allocation, a view or a size.
    fn of_array(&mut self, b: &Builder<'c>, op: Op<'c>) {
        let operands: Vec<_> = op.operand_list().iter().map(|&v| self.scalar(v)).collect();
        let results = op.result_list();
        let own: Vec<_> = results.iter().map(|&r| self.array_type(r)).collect();
        for (&old, new) in results.iter().zip(copy(b, op, &operands, &own)) {
            self.set(old, Lanes::Same(new));
        }
    }

    /// The type of a value, which for an array of the loop's own may have vectors for elements.
    fn array_type(&self, value: Val<'c>) -> Type<'c> {
        let own = memory::array_type(value).filter(|_| self.facts.elements(value) != Class::Same);
        match own {
            None if memory::is_array(value) || self.facts.class(value) == Class::Same => {
                value.r#type()
            }
            None => self.vector_type(value.r#type()),
            Some(array) => memory::with_element(array, self.vector_type(array.element())),
        }
    }

    /// A branch that is the same in all lanes.
    fn branch(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let condition = op.opnd(0).map(|c| self.scalar(c)).ok_or_else(|| malformed(op))?;
        let results = op.result_list();
        let types: Vec<_> = results.iter().map(|&result| self.array_type(result)).collect();
        let new = b.if_else(condition, &types, |inner, taken| {
            let Some(block) = op.body(usize::from(!taken)) else { return Ok(vec![]) };
            self.block(inner, block)?;
            let ends = block.ends();
            let as_result = |(end, &result): (Val<'c>, &Val<'c>)| match self.facts.class(result) {
                Class::Each => self.vector(&inner, end),
                _ => self.scalar(end),
            };
            Ok(ends.into_iter().zip(&results).map(as_result).collect())
        })?;
        for (&old, new) in results.iter().zip(new.result_list()) {
            let lanes = match self.facts.class(old) {
                Class::Each => Lanes::Each(new),
                _ => Lanes::Same(new),
            };
            self.set(old, lanes);
        }
        Ok(())
    }

    /// A branch that differs between lanes: both sides, then a choice. See `guards` for what the first one may read.
    fn both(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let condition = op.opnd(0).map(|c| self.vector(&b, c)).ok_or_else(|| malformed(op))?;
        let mut sides = vec![];
        let mut guard = self.facts.guard(op).map(|guard| (guard.index, self.lanes(guard.index)));
        if let Some((index, lanes)) = guard {
            let all = self.spread(&b, lanes);
            let inside = b.select(condition, all, self.zeros(&b, index));
            self.set(index, Lanes::Each(inside));
        }
        for block in op.blocks() {
            self.block(b, block)?;
            let ends = block.ends();
            sides.push(ends.into_iter().map(|end| self.vector(&b, end)).collect::<Vec<_>>());
            if let Some((index, lanes)) = guard.take() {
                self.set(index, lanes);
            }
        }
        for (i, result) in op.result_list().into_iter().enumerate() {
            let [then, other] = &sides[..] else { return Err(malformed(op)) };
            self.set(result, Lanes::Each(b.select(condition, then[i], other[i])));
        }
        Ok(())
    }
}

pub(super) fn malformed(op: Op<'_>) -> Reported {
    internal_error(op, "an operation cannot be vectorised")
}

pub(super) fn types<'c>(values: &[Val<'c>]) -> Vec<Type<'c>> {
    values.iter().map(|value| value.r#type()).collect()
}

/// The results of an operation like another one, with its attributes.
pub(super) fn copy<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    operands: &[Val<'c>],
    results: &[Type<'c>],
) -> Vec<Val<'c>> {
    clone_with(b, op, operands, results).result_list()
}
