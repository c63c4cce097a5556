//! The reverse engine (FUT 4): a forward sweep and a return sweep per scope.
//!
//! `Vjp` holds what a rule needs: the builder, the primal value of every source
//! value in the new code, and the adjoints. The forward sweep of a block copies
//! its operations; the return sweep visits them in the opposite order and asks
//! the rule of each to distribute the cotangents of its results. A rule for an
//! operation with regions opens a new scope: it makes the derived operation and
//! calls `forward_block` again inside, so that the scope's values are there
//! without a tape (redundant execution, FUT 4.1), then `reverse_block`.
//!
//! Invariant: source IR is never changed; only the new code is.

use std::{collections::HashMap, rc::Rc};

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, OpParts, TyExt, Val, ValExt, create_op};
use melior::{
    Context,
    ir::{BlockLike, Type, ValueLike, operation::OperationLike},
};

use super::{
    Session, Task,
    activity::{Activity, is_shared},
    cotangent::{Contribution, Cotangents, Piece, Point},
    mask::Masks,
    rules,
};
use crate::support::{
    builder::{Builder, same_value},
    diag::{Result, internal_error},
    region::{ValueMap, clone_op, free_values, renamed, with_more},
};

/// The state of one reverse differentiation.
pub struct Vjp<'s, 'c> {
    /// Functions generated so far, errors.
    pub session: &'s mut Session<'c>,
    /// Where new code goes.
    pub b: Builder<'c>,
    /// The adjoints of source values.
    pub cotangents: Cotangents<'c>,
    /// Which cotangents are zero because a value was not chosen.
    pub masks: Masks<'c>,
    /// The final contents of arrays that a loop fills without false dependencies, by
    /// source value: whatever the loop reads from them is there [FUT 6.2].
    pub frozen: ValueMap<'c>,
    /// The return sweeps of loops and branches in the loop whose return sweep is built, by
    /// source operation.
    pub returned: HashMap<OpKey, Returned<'c>>,
    /// Whether this is the return sweep of a loop, which can save what is not to be computed again.
    pub is_in_loop: bool,
    /// The shadows of buffers, by source value.
    pub shadows: ValueMap<'c>,
    /// Where the shadows of what is allocated are made, unless it is beside them.
    pub front: Option<Builder<'c>>,
    /// Shadows that the end of the function frees.
    pub early_shadows: Vec<Val<'c>>,
    /// Values that inverses have found in the return sweep, by those of the forward sweep that they equal.
    pub found: ValueMap<'c>,
    /// Calls of the source, with the calls of inverses that find their arguments.
    pub undone: Vec<(Op<'c>, Op<'c>)>,
    primals: ValueMap<'c>,
    activity: Rc<Activity>,
    copies: HashMap<OpKey, Op<'c>>,
    /// The source block that the return sweep is in.
    scope: Option<Blk<'c>>,
    /// Source code that rules have written.
    written: Vec<Op<'c>>,
}

/// What a forward sweep left: primal values and copies of operations.
pub struct Sweep<'c> {
    primals: ValueMap<'c>,
    shadows: ValueMap<'c>,
    copies: HashMap<OpKey, Op<'c>>,
}

/// The return sweep of a loop or a branch.
pub struct Returned<'c> {
    /// The loop or branch.
    pub op: Op<'c>,
    /// Positions of loop-carried values that the return loop puts back as they were at the
    /// entry of the loop, each with the number of the result.
    pub restored: Vec<(usize, usize)>,
}

impl<'s, 'c> Vjp<'s, 'c> {
    /// An engine that builds at a position.
    pub fn new(session: &'s mut Session<'c>, b: Builder<'c>, activity: Activity) -> Self {
        Self {
            session,
            b,
            cotangents: Cotangents::default(),
            masks: Masks::default(),
            frozen: ValueMap::new(),
            returned: HashMap::new(),
            is_in_loop: false,
            shadows: ValueMap::new(),
            front: None,
            early_shadows: vec![],
            found: ValueMap::new(),
            undone: vec![],
            primals: ValueMap::new(),
            activity: Rc::new(activity),
            copies: HashMap::new(),
            scope: None,
            written: vec![],
        }
    }

    /// The value that a source value has in the new code.
    pub fn primal(&self, value: Val<'c>) -> Val<'c> {
        renamed(&self.primals, value)
    }

    /// The values that several source values have in the new code.
    pub fn primal_list(&self, values: &[Val<'c>]) -> Vec<Val<'c>> {
        values.iter().map(|&value| self.primal(value)).collect()
    }

    /// Says what a source value is in the new code.
    pub fn set_primal(&mut self, value: Val<'c>, new: Val<'c>) {
        self.primals.insert(value.key(), new);
    }

    /// Says what several source values are in the new code.
    pub fn set_primals(&mut self, values: &[Val<'c>], new: &[Val<'c>]) {
        for (&value, &new) in values.iter().zip(new) {
            self.set_primal(value, new);
        }
    }

    /// The shadow of a buffer that an operation uses.
    pub fn shadow(&self, op: Op<'c>, buffer: Val<'c>) -> Result<Val<'c>> {
        let shadow = self.shadows.get(&buffer.key()).copied();
        shadow.ok_or_else(|| internal_error(op, "a buffer without shadow"))
    }

    /// Says what the shadow of a buffer is.
    pub fn set_shadow(&mut self, buffer: Val<'c>, shadow: Val<'c>) {
        self.shadows.insert(buffer.key(), shadow);
    }

    /// Whether a shadow is there for as long as the function runs.
    pub fn is_early(&self, shadow: Val<'c>) -> bool {
        self.early_shadows.iter().any(|early| early.key() == shadow.key())
    }

    /// Whether a source value needs a derivative.
    pub fn is_active(&self, value: Val<'c>) -> bool {
        self.activity.is_active(value)
    }

    /// What is active.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// Takes the arguments of a derivative: those of the function, then the seeds.
    pub fn open(&mut self, task: &Task<'c>) -> Result<()> {
        let parameters = task.to.arg_list();
        self.set_primals(&task.arguments, &parameters);
        let buffers = task.wrt.iter().filter(|value| is_shared(**value));
        let given = parameters.iter().skip(task.arguments.len() + task.seeded().len());
        for (buffer, shadow) in buffers.zip(given) {
            self.set_shadow(*buffer, *shadow);
        }
        self.make_shadows(&task.arguments);
        Ok(())
    }

    /// Gives the results of the function their cotangents.
    pub fn seed(&mut self, task: &Task<'c>) -> Result<()> {
        let seeds = task.to.arg_list().into_iter().skip(task.arguments.len());
        for (result, seed) in task.seeded().into_iter().zip(seeds) {
            match is_shared(result) {
                true => self.seed_shadow(task.terminator, result, seed)?,
                false => self.add_dense(result, seed)?,
            }
        }
        Ok(())
    }

    /// What the forward sweep has left so far.
    pub fn sweep(&self) -> Sweep<'c> {
        let shadows = self.shadows.clone();
        Sweep { primals: self.primals.clone(), shadows, copies: self.copies.clone() }
    }

    /// Goes back to what a forward sweep left.
    pub fn restore(&mut self, sweep: &Sweep<'c>) {
        self.primals.clone_from(&sweep.primals);
        self.shadows.clone_from(&sweep.shadows);
        self.copies.clone_from(&sweep.copies);
    }

    /// Runs with another idea of what is active.
    pub fn with_activity<T>(
        &mut self,
        activity: Activity,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outer = std::mem::replace(&mut self.activity, Rc::new(activity));
        let result = run(self);
        self.activity = outer;
        result
    }

    /// Runs with the builder at another position.
    pub fn at<T>(&mut self, b: Builder<'c>, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = std::mem::replace(&mut self.b, b);
        let result = run(self);
        self.b = outer;
        result
    }

    /// The active values of outside that the blocks read.
    pub fn active_free_values(&self, blocks: &[Blk<'c>]) -> Vec<Val<'c>> {
        free_values(blocks)
            .into_iter()
            .filter(|&value| self.is_active(value) && !value.r#type().is_acc())
            .collect()
    }

    /// Adds a contribution to the adjoint of a source value, if it is active.
    pub fn add(&mut self, value: Val<'c>, contribution: Contribution<'_, 'c>) -> Result<()> {
        if !self.is_active(value) {
            return Ok(());
        }
        let contribution = self.masked(value, contribution);
        let piece = match contribution {
            Contribution::Piece(piece) => Some(piece),
            Contribution::Element(&[index], value) => {
                Some(Piece::Row(Point { index, value, guard: None }))
            }
            _ => None,
        };
        if let Some(piece) = piece
            && self.may_be_sparse(value)
            && self.cotangents.add_piece(value, piece)
        {
            return Ok(());
        }
        let primal = self.primal(value);
        let condition = self.condition_of_sum(value, &contribution);
        self.cotangents.add(&self.b, value, primal, contribution)?;
        if let (Some(condition), Some(sum)) = (condition, self.cotangents.get(value)) {
            self.masks.set(sum, condition);
        }
        Ok(())
    }

    /// The condition without which a cotangent is still zero when a contribution is added to it: neither part is zero
    /// without its own.
    fn condition_of_sum(
        &self,
        value: Val<'c>,
        contribution: &Contribution<'_, 'c>,
    ) -> Option<Val<'c>> {
        let new = match contribution {
            Contribution::Dense(new)
            | Contribution::Element(_, new)
            | Contribution::Slice(_, new) => self.masks.get(*new)?,
            Contribution::Piece(_) => return None,
        };
        let is_dense = matches!(contribution, Contribution::Dense(_));
        if !is_dense && new.r#type() != self.b.bool_type() {
            return None;
        }
        if !self.cotangents.has(value) {
            return Some(new);
        }
        let old = self.cotangents.get(value).and_then(|old| self.masks.get(old));
        let old = old.filter(|old| old.r#type() == new.r#type())?;
        Some(either(&self.b, old, new))
    }

    /// Whether the adjoint of a source value may be sparse: a map's array, in the scope
    /// of the map.
    fn may_be_sparse(&self, value: Val<'c>) -> bool {
        value.defining_op().is_some_and(|op| {
            op.op_name() == "soac.map" && op.block().is_some() && op.block() == self.scope
        })
    }

    /// Makes a value of the adjoint if it is sparse.
    pub fn settle(&mut self, value: Val<'c>) -> Result<()> {
        let primal = self.primal(value);
        self.cotangents.settle(&self.b, value, primal)
    }

    /// Adds a cotangent of the value's own type.
    pub fn add_dense(&mut self, value: Val<'c>, cotangent: Val<'c>) -> Result<()> {
        self.add(value, Contribution::Dense(cotangent))
    }

    /// Says that a cotangent, which comes from another one, is zero unless the
    /// condition holds, and where the other one is zero.
    pub fn mask(&mut self, cotangent: Val<'c>, from: Val<'c>, condition: Val<'c>) {
        if self.session.options.plain_ieee {
            return;
        }
        let condition = match self.masks.get(from) {
            Some(outer) => both(&self.b, outer, condition),
            None => condition,
        };
        self.masks.set(cotangent, condition);
    }

    /// The product of a cotangent and a partial derivative; zero if the cotangent is
    /// zero because a value was not chosen.
    pub fn product(&self, y_bar: Val<'c>, partial: Val<'c>) -> Val<'c> {
        let product = self.b.mul(y_bar, partial);
        match self.masks.get(y_bar) {
            Some(condition) => self.b.select(condition, product, self.b.float_like(product, 0.0)),
            None => product,
        }
    }

    /// Removes the adjoint of a source value; zero is materialised.
    pub fn take_or_zero(&mut self, value: Val<'c>) -> Val<'c> {
        match self.cotangents.take(value) {
            Some(adjoint) => adjoint,
            None => self.b.zeros_like(self.primal(value)),
        }
    }

    /// The adjoint of a value, or its accumulator, as a sum that others are added to (`Builder::sum_type`); zero is
    /// materialised.
    pub fn sum_so_far(&self, value: Val<'c>) -> Val<'c> {
        let sum = self.b.sum_type(value.r#type());
        match self.cotangents.get(value) {
            Some(adjoint) if adjoint.r#type().is_acc() => adjoint,
            Some(adjoint) => self.b.as_term(adjoint, sum),
            None => self.b.zeros(sum, &self.b.dynamic_dims(self.primal(value))),
        }
    }

    fn take_as_sum(&mut self, value: Val<'c>) -> Val<'c> {
        let sum = self.sum_so_far(value);
        self.cotangents.take(value);
        sum
    }

    /// Copies an operation into the forward sweep.
    pub fn copy(&mut self, op: Op<'c>) -> Op<'c> {
        let copy = clone_op(&self.b, op, &mut self.primals);
        self.copies.insert(op.key(), copy);
        if !self.frozen.is_empty() {
            self.freeze(op, copy);
        }
        copy
    }

    /// In a copy, reads arrays that are frozen from their final contents.
    fn freeze(&mut self, op: Op<'c>, copy: Op<'c>) {
        for (old, new) in op.result_list().into_iter().zip(copy.result_list()) {
            if let Some(&last) = self.frozen.get(&old.key()) {
                new.replace_all_uses(last);
                self.set_primal(old, last);
            }
        }
        for (from, to) in op.blocks().into_iter().zip(copy.blocks()) {
            for (old, new) in from.arg_list().into_iter().zip(to.arg_list()) {
                if let Some(last) = self.frozen.get(&old.key()) {
                    new.replace_all_uses(*last);
                }
            }
            for (inner, inner_copy) in from.ops().into_iter().zip(to.ops()) {
                self.freeze(inner, inner_copy);
            }
        }
    }

    /// The copy of an operation that the forward sweep of the scope made.
    pub fn copy_of(&self, op: Op<'c>) -> Option<Op<'c>> {
        self.copies.get(&op.key()).copied()
    }

    /// Says that the copy of an operation has been replaced by another one,
    /// whose first results stand for the old ones.
    pub fn replace_copy(&mut self, op: Op<'c>, new: Op<'c>) {
        self.copies.insert(op.key(), new);
        self.set_primals(&op.result_list(), &new.result_list());
    }

    /// Where the forward sweep has its copy of an operation, with the location of the
    /// return sweep: there a rule puts what it computes instead.
    pub fn at_copy_of(&self, op: Op<'c>) -> Result<Builder<'c>> {
        match (self.copy_of(op), op.block()) {
            (Some(copy), Some(block)) => {
                let context = self.session.context();
                Ok(Builder::before(context, copy, block).with_location(self.b.location()))
            }
            _ => Err(internal_error(op, "operation without forward sweep")),
        }
    }

    /// Replaces the results of an operation in the new code; its copy is dead then.
    pub fn replace_results(&mut self, op: Op<'c>, new: &[Val<'c>]) {
        let copied = self.copy_of(op).map(|copy| copy.result_list()).unwrap_or_default();
        for (old, &new) in copied.into_iter().zip(new) {
            old.replace_all_uses(new);
        }
        self.set_primals(&op.result_list(), new);
    }

    /// A block of source code, to be differentiated in place of an operation. It lives
    /// as long as the engine, so that no other value gets the key of one of its own.
    pub fn source_block(
        &mut self,
        op: Op<'c>,
        arguments: &[Type<'c>],
        write: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Blk<'c>> {
        let parts = OpParts {
            name: "scf.execute_region",
            location: op.location(),
            operands: &[],
            results: &[],
            attributes: &[],
            regions: &[arguments.to_vec()],
            successors: &[],
        };
        let holder = create_op(self.session.context(), parts);
        self.written.push(holder);
        let Some(block) = holder.body(0) else {
            return Err(internal_error(op, "region without block"));
        };
        let b = Builder::at_end(self.session.context(), block, op.location());
        b.fill_body(holder, 0, "scf.yield", write)?;
        Ok(block)
    }

    /// The forward sweep of a block (FUT Fig. 3, vjp_stms).
    pub fn forward_block(&mut self, block: Blk<'c>) -> Result<()> {
        for op in block.body_ops() {
            self.b = self.b.with_location(op.location());
            self.copy(op);
            self.make_shadow(op)?;
        }
        Ok(())
    }

    /// The return sweep of a block, once its results have their cotangents.
    pub fn reverse_block(&mut self, block: Blk<'c>) -> Result<()> {
        let outer = self.scope.replace(block);
        let position = self.b;
        let mut failure = None;
        for op in block.body_ops().into_iter().rev() {
            let results = op.result_list();
            let has_cotangent = |&r: &Val<'c>| self.is_active(r) && self.cotangents.has(r);
            if !results.iter().any(has_cotangent) && !self.activity.is_on_shared(op) {
                continue;
            }
            self.b = self.b.deriving(op);
            if let Err(reported) = self.reverse_op(op) {
                failure = Some(reported);
            }
            for result in results {
                self.cotangents.take(result);
            }
        }
        self.scope = outer;
        self.b = self.b.deriving_as(position);
        failure.map_or(Ok(()), Err)
    }

    fn reverse_op(&mut self, op: Op<'c>) -> Result<()> {
        if self.cotangents.any_sparse() {
            // Only the rule for maps takes sparse adjoints; in the scopes of an
            // operation there are none.
            let results = if op.op_name() == "soac.map" { vec![] } else { op.result_list() };
            for value in results.into_iter().chain(free_values(&op.blocks())) {
                self.settle(value)?;
            }
        }
        let condition = self.condition_of(op);
        if let Some(condition) = condition {
            self.masks.enter(op, condition);
        }
        let done = rules::vjp(op, self);
        if condition.is_some() {
            self.masks.leave();
        }
        done
    }

    /// The condition without which nothing that an operation gives was chosen, if it is one bit. Branches do with the
    /// conditions of each of their results.
    fn condition_of(&self, op: Op<'c>) -> Option<Val<'c>> {
        if matches!(op.op_name(), "scf.if" | "scf.index_switch") {
            return None;
        }
        let results = op.result_list().into_iter().filter(|&result| self.cotangents.has(result));
        let condition = |result| {
            let condition = self.masks.get(self.cotangents.get(result)?)?;
            Some(condition).filter(|it| it.r#type() == self.b.bool_type())
        };
        let conditions: Option<Vec<_>> = results.map(condition).collect();
        conditions?.into_iter().reduce(|x, y| either(&self.b, x, y))
    }

    /// A contribution to a source value that is zero, whatever it was made of, if the operations that it comes from were not
    /// chosen.
    fn masked<'v>(
        &mut self,
        value: Val<'c>,
        contribution: Contribution<'v, 'c>,
    ) -> Contribution<'v, 'c> {
        let conditions = self.masks.of_contribution(value).into_iter();
        let Some(condition) = conditions.reduce(|x, y| both(&self.b, x, y)) else {
            return contribution;
        };
        let mut masked = |new| self.where_chosen(condition, new);
        match contribution {
            Contribution::Dense(new) => Contribution::Dense(masked(new)),
            Contribution::Element(at, new) => Contribution::Element(at, masked(new)),
            Contribution::Slice(at, new) => Contribution::Slice(at, masked(new)),
            Contribution::Piece(piece) => Contribution::Piece(piece),
        }
    }

    /// A cotangent where a condition holds, else zero, of which nothing is known yet.
    fn where_chosen(&mut self, condition: Val<'c>, new: Val<'c>) -> Val<'c> {
        let is_number = new.r#type().scalar().is_float_type();
        if !is_number || self.masks.get(new).is_some() {
            return new;
        }
        let copies = ["soac.replicate", "tensor.splat", "vector.broadcast"];
        let is_copy = new.defining_op().is_some_and(|op| copies.contains(&op.op_name()));
        let chosen = match is_copy {
            true => new,
            false => self.b.select(condition, new, self.b.zeros_like(new)),
        };
        self.masks.set(chosen, condition);
        chosen
    }

    /// Both sweeps of a body (FUT Fig. 3, vjp_body): `seeds` are the cotangents
    /// of the terminator's operands, none for a symbolic zero.
    ///
    /// The accumulators that the body finds outside of it were consumed when it ran first.
    pub fn body(&mut self, block: Blk<'c>, seeds: &[Option<Val<'c>>]) -> Result<()> {
        self.body_given(block, seeds, &[])
    }

    /// Both sweeps of a body of which some values are known, results of maps with their rows.
    pub fn body_given(
        &mut self,
        block: Blk<'c>,
        seeds: &[Option<Val<'c>>],
        known: &[(Val<'c>, Val<'c>)],
    ) -> Result<()> {
        for acc in free_values(&[block]).into_iter().filter(|value| value.r#type().is_acc()) {
            self.set_primal(acc, self.b.val("soac.null_acc", &[], acc.r#type()));
        }
        self.forward_block(block)?;
        for &(value, new) in known {
            let map = value.defining_op().filter(|op| op.op_name() == "soac.map");
            if let Some((map, copy)) = map.and_then(|map| Some((map, self.copy_of(map)?))) {
                let copy = with_known(self.session.context(), copy, value.position(), new);
                self.replace_copy(map, copy);
            }
        }
        for &(value, new) in known {
            self.primal(value).replace_all_uses(new);
            self.set_primal(value, new);
        }
        let Some(terminator) = block.term() else { return Ok(()) };
        for (value, seed) in terminator.operand_list().into_iter().zip(seeds) {
            if let Some(seed) = seed {
                self.add_dense(value, *seed)?;
            }
        }
        self.reverse_block(block)
    }

    /// A map whose body computes cotangents (FUT 5.4).
    ///
    /// `body` runs both sweeps of one iteration and returns the elements of the
    /// results. Of the active free variables `free`, scalars are bound per
    /// iteration and summed afterwards; arrays are accumulated into.
    pub fn adjoint_map(
        &mut self,
        inputs: &[Val<'c>],
        results: &[Type<'c>],
        free: &[Val<'c>],
        body: impl FnOnce(&mut Self, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        if results.is_empty() && free.is_empty() {
            return Ok(vec![]);
        }
        let (arrays, scalars): (Vec<_>, Vec<_>) =
            free.iter().partition(|value| value.r#type().as_tensor().is_some());
        let (inherited, own): (Vec<_>, Vec<_>) = arrays.into_iter().partition(|&array| {
            self.cotangents.get(array).is_some_and(|adjoint| adjoint.r#type().is_acc())
        });
        let width = inputs[0].r#type().shape()[0];
        let mut types = results.to_vec();
        let summed = |v: &Val<'c>| ad_dialect::ir::array_of(width, self.b.sum_type(v.r#type()));
        types.extend(scalars.iter().map(summed));
        let plan = MapPlan { inputs, types: &types, scalars: &scalars, inherited: &inherited };
        let mut outputs = if own.is_empty() {
            self.emit_map(&plan, &[], &[], body)?.1
        } else {
            self.emit_with_acc(&plan, &own, body)?
        };
        let contributions = outputs.split_off(results.len());
        for (&scalar, contribution) in scalars.iter().zip(contributions) {
            let sum = self.b.sum(contribution)?;
            self.add_dense(scalar, self.b.as_value(sum, scalar.r#type()))?;
        }
        Ok(outputs)
    }

    /// Code that contributes only where a condition holds, to the adjoints of `carried`,
    /// which thereby become values, and further results, which are zero rows of
    /// `arrays` elsewhere.
    pub fn when(
        &mut self,
        condition: Val<'c>,
        carried: &[Val<'c>],
        arrays: &[Val<'c>],
        body: impl FnOnce(&mut Self) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let before: Vec<_> = carried.iter().map(|&value| self.take_or_zero(value)).collect();
        let mut types: Vec<_> = before.iter().map(|adjoint| adjoint.r#type()).collect();
        types.extend(arrays.iter().map(|array| array.r#type().row()));
        let (b, mut body) = (self.b, Some(body));
        let both = b.if_else(condition, &types, |inner, taken| {
            let Some(body) = body.take().filter(|_| taken) else {
                let zeros = arrays.iter().map(|&array| inner.zero_element(array, 1));
                return Ok(before.iter().copied().chain(zeros).collect());
            };
            self.at(inner, |vjp| {
                vjp.cotangents.swap(carried, before.iter().map(|&bar| Some(bar)).collect());
                let rows = body(vjp)?;
                let mut yielded: Vec<_> =
                    carried.iter().map(|&value| vjp.take_or_zero(value)).collect();
                yielded.extend(rows);
                Ok(yielded)
            })
        })?;
        let mut adjoints = both.result_list();
        let rows = adjoints.split_off(carried.len());
        self.cotangents.swap(carried, adjoints.into_iter().map(Some).collect());
        Ok(rows)
    }

    /// The map inside a `with_acc` for the arrays that have no accumulator yet.
    fn emit_with_acc(
        &mut self,
        plan: &MapPlan<'_, 'c>,
        own: &[Val<'c>],
        body: impl FnOnce(&mut Self, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let arrays: Vec<_> = own.iter().map(|&array| self.take_as_sum(array)).collect();
        let mut extra = plan.types.to_vec();
        for &array in plan.inherited {
            extra.push(self.cotangents.get(array).unwrap_or(array).r#type());
        }
        let b = self.b;
        let mut results = b.with_acc(&arrays, &extra, |inner, accs| {
            self.at(inner, |vjp| {
                let (mut done, outputs) = vjp.emit_map(plan, own, accs, body)?;
                let inherited = done.split_off(own.len());
                done.extend(outputs);
                done.extend(inherited);
                Ok(done)
            })
        })?;
        let inherited = results.split_off(own.len() + plan.types.len());
        let outputs = results.split_off(own.len());
        for (&array, adjoint) in own.iter().zip(results) {
            let adjoint = self.b.as_value(adjoint, array.r#type());
            self.cotangents.set(array, Some(adjoint));
        }
        for (&array, acc) in plan.inherited.iter().zip(inherited) {
            self.cotangents.set(array, Some(acc));
        }
        Ok(outputs)
    }

    /// The map itself; returns the accumulators (own, then inherited), then the
    /// other results, and leaves the inherited ones as adjoints.
    fn emit_map(
        &mut self,
        plan: &MapPlan<'_, 'c>,
        own: &[Val<'c>],
        accs: &[Val<'c>],
        body: impl FnOnce(&mut Self, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<(Vec<Val<'c>>, Vec<Val<'c>>)> {
        let accumulated = [own, plan.inherited].concat();
        let mut carried = accs.to_vec();
        for &array in plan.inherited {
            carried.extend(self.cotangents.get(array));
        }
        let mut types = plan.types.to_vec();
        types.extend(carried.iter().map(|acc| acc.r#type()));
        let b = self.b;
        let mut outputs = b.map(plan.inputs, &carried, &types, |inner, arguments| {
            self.at(inner, |vjp| {
                let (elements, accs) = arguments.split_at(plan.inputs.len());
                let locals = accs.iter().map(|&acc| Some(acc)).collect();
                vjp.cotangents.swap(&accumulated, locals);
                let outer = vjp.cotangents.swap(plan.scalars, vec![None; plan.scalars.len()]);
                let mut yielded = body(vjp, elements)?;
                for &scalar in plan.scalars {
                    let bar = vjp.take_or_zero(scalar);
                    yielded.push(inner.as_term(bar, inner.sum_type(bar.r#type())));
                }
                vjp.cotangents.swap(plan.scalars, outer);
                yielded.extend(accumulated.iter().filter_map(|&a| vjp.cotangents.take(a)));
                Ok(yielded)
            })
        })?;
        let done = outputs.split_off(plan.types.len());
        for (&array, &acc) in accumulated.iter().zip(&done) {
            self.cotangents.set(array, Some(acc));
        }
        Ok((done, outputs))
    }
}

impl Drop for Vjp<'_, '_> {
    fn drop(&mut self) {
        // What was written later may use values of what was written before.
        for op in self.written.drain(..).rev() {
            op.erase();
        }
    }
}

/// Lets a map read an array instead of computing what it yields at a position.
fn with_known<'c>(context: &'c Context, map: Op<'c>, position: usize, array: Val<'c>) -> Op<'c> {
    let inputs = map.operand_count();
    let new = with_more(context, map, &[array], &[]);
    let b = Builder::before(context, new, new.block().unwrap_or_else(|| new.blocks()[0]));
    new.set_attr(context, "operandSegmentSizes", b.i32s_attr(&[inputs as i32 + 1, 0]));
    let Some(body) = new.body(0) else { return new };
    body.add_argument(array.r#type().row(), new.location());
    let (row, yielded) = (body.arg_list()[inputs], || body.term()?.opnd(position));
    if let Some(value) = yielded()
        && let Some(inner) = value.defining_op().filter(|op| op.op_name() == "soac.map")
    {
        with_known(context, inner, value.position(), row);
    }
    if let Some(value) = yielded() {
        value.replace_all_uses(row);
    }
    new
}

/// Whether one of two conditions holds.
fn either<'c>(b: &Builder<'c>, x: Val<'c>, y: Val<'c>) -> Val<'c> {
    if same_value(x, y) { x } else { b.same("arith.ori", &[x, y]) }
}

/// Both of two conditions, one of which may be a single bit for all elements.
fn both<'c>(b: &Builder<'c>, x: Val<'c>, y: Val<'c>) -> Val<'c> {
    let is_bit = |value: Val<'c>| value.r#type() == b.bool_type();
    match (is_bit(x), is_bit(y)) {
        (true, false) => b.select(x, y, b.int_like(y, 0)),
        (false, true) => b.select(y, x, b.int_like(x, 0)),
        _ => b.same("arith.andi", &[x, y]),
    }
}

impl<'c> Sweep<'c> {
    /// The value that a source value had.
    pub fn primal(&self, value: Val<'c>) -> Val<'c> {
        renamed(&self.primals, value)
    }

    /// The shadow that a buffer had.
    pub fn shadow(&self, buffer: Val<'c>) -> Option<Val<'c>> {
        self.shadows.get(&buffer.key()).copied()
    }
}

/// What the parts of `adjoint_map` share.
struct MapPlan<'a, 'c> {
    inputs: &'a [Val<'c>],
    types: &'a [Type<'c>],
    scalars: &'a [Val<'c>],
    inherited: &'a [Val<'c>],
}

/// Fills the vjp of a function: the target takes the primal arguments, then one
/// seed per result in `of`, and returns the primal results, then the cotangents of
/// the arguments in `wrt`.
pub fn function<'c>(session: &mut Session<'c>, mut task: Task<'c>) -> Result<()> {
    let b = Builder::at_end(session.context(), task.to, task.location);
    let activity = std::mem::take(&mut task.activity);
    let mut vjp = Vjp::new(session, b, activity);
    vjp.open(&task)?;
    vjp.forward_block(task.from)?;
    vjp.seed(&task)?;
    vjp.reverse_block(task.from)?;
    vjp.b = vjp.b.with_location(task.terminator.location());
    let mut returned = vjp.primal_list(&task.results);
    for argument in task.wrt.into_iter().filter(|value| !is_shared(*value)) {
        returned.push(vjp.take_or_zero(argument));
    }
    vjp.free_early();
    vjp.b.op("func.return", &returned, &[]);
    Ok(())
}
