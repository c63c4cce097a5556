//! Reverse mode: block inversion.
//!
//! Primal: blocks, each with arguments, operations and a branch.
//! Forward sweep: the same blocks; a block that several edges lead to gets a record of the edge (`path`).
//! Return sweep:
//! ```text
//! return block of B (adjoints of what the blocks after B read, and of their arguments):
//!   adjoints of the arguments of the next block are added to those of what B hands on
//!   pure operations of B again; what else is read of the primal comes from `residual`
//!   return sweep of the operations of B
//!   go to the return block of the block that B was entered from
//! ```
//! Source: [ZYG 3.1]. The paper has a stack of alphas per block; here the operations of a block run again and only what
//! they read is kept, if it has to be.
//! Requires: the normal form (`normal`).
//! Ensures: one return block per block that can reach the exit; no tape without a loop; nothing is added to the adjoint of
//! a value on a path that does not use it.
//! Edge cases: an edge along which an adjoint is missing hands on a zero with a mask, so that this zero is never multiplied;
//! a block that runs once on every path is not run again.
//! Tests: test/ad/vjp/cf-*.mlir, test/ad/numeric/cf-*.mlir.

mod again;
mod branches;
mod buffers;
mod keep;

use std::collections::{HashMap, HashSet};

use ad_dialect::{
    blocks::{add_argument, add_block, deciding, region_of, successors},
    capi::{is_trivially_dead, memory_effects},
    ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, ValueKey, text_of},
};
use melior::{
    Context,
    ir::{BlockLike, TypeLike, ValueLike, operation::OperationLike},
};

use super::{
    Blocks, at_front, copy_branch,
    dead::erase_dead,
    halves::mark,
    path::Record,
    prune::prune,
    reach::{Values, reaching},
    residual::{self, STAND_IN, StandIn, is_plain},
    undo::undo,
};
use crate::{
    ad::{
        Session, Task,
        activity::is_shared,
        memory::{handed_through, is_buffer, keeps_what_is_given, reads_what_is_given},
        pick,
        rules::tape::cotangent_tape,
        vjp::{Sweep, Vjp},
    },
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        region::free_values,
    },
};

/// The adjoint of a value where a return block ends or begins.
#[derive(Clone, Copy)]
struct Bar<'c> {
    /// The value of the source.
    of: Val<'c>,
    bar: Val<'c>,
    /// The bit without which it is zero because the value was not used.
    mask: Option<Val<'c>>,
}

/// The state of one block inversion.
pub struct Reverse<'s, 'c> {
    /// What the rules work with.
    pub vjp: Vjp<'s, 'c>,
    /// The source.
    source: Op<'c>,
    /// Whether memory that the function is given is only read.
    keeps_given: bool,
    /// Whether blocks get buffers with shadows as arguments.
    hands_on_buffers: bool,
    /// The blocks of the source.
    pub blocks: Blocks<'c>,
    /// The derivative.
    pub target: Op<'c>,
    /// The copy of each block.
    pub forward: Vec<Blk<'c>>,
    /// The return block of each block that has one. That of the exit is its copy.
    pub back: Vec<Option<Blk<'c>>>,
    /// What stands for values of the forward blocks.
    pub stand_ins: Vec<StandIn<'c>>,
    task: Task<'c>,
    /// How each block tells by which edge it was entered.
    pub records: Vec<Record>,
    sweep: Option<Sweep<'c>>,
    read: HashMap<(usize, ValueKey), Val<'c>>,
    /// What a return block gets, for the adjoints at the end of the block; for one with one edge, for those at the start
    /// of the next block.
    begins: Vec<Vec<Bar<'c>>>,
    /// The adjoints where a return block ends.
    ends: Vec<Vec<Bar<'c>>>,
    /// What may arrive along edges back, for blocks whose return block is not there yet.
    promised: Vec<Option<Vec<Val<'c>>>>,
    /// The tapes of cotangents that all return blocks use.
    tapes: Vec<Val<'c>>,
    /// Operations that run again; their copies are marked with the place here.
    again: Vec<Op<'c>>,
    /// Calls, each with its block and the call of the inverse in the return block.
    pub undone: Vec<(usize, Op<'c>, Op<'c>)>,
}

/// Fills the vjp of a function in normal form.
pub fn function<'c>(session: &mut Session<'c>, source: Op<'c>, mut task: Task<'c>) -> Result<()> {
    let blocks = Blocks::of(source)?;
    let Some(target) = task.to.parent_operation() else {
        return Err(internal_error(source, "derivative without function"));
    };
    let context = session.context();
    let activity = std::mem::take(&mut task.activity);
    let b = Builder::at_end(context, task.to, task.location);
    let mut handed_on = blocks.list[1..].iter().flat_map(|block| block.arg_list());
    let hands_on_buffers = handed_on.any(|value| activity.is_active(value) && is_buffer(value));
    let count = blocks.list.len();
    let mut engine = Reverse {
        vjp: Vjp::new(session, b, activity),
        source,
        keeps_given: keeps_what_is_given(source),
        hands_on_buffers,
        records: (0..count).map(|block| Record::of(&blocks, block)).collect(),
        blocks,
        target,
        forward: vec![],
        back: vec![None; count],
        stand_ins: vec![],
        task,
        sweep: None,
        read: HashMap::new(),
        begins: vec![vec![]; count],
        ends: vec![vec![]; count],
        promised: vec![None; count],
        tapes: vec![],
        again: vec![],
        undone: vec![],
    };
    engine.forward_blocks()?;
    engine.cotangent_tapes();
    engine.return_blocks()?;
    engine.branches();
    engine.erase_dead();
    undo(&mut engine);
    engine.erase_dead();
    engine.keep_dear();
    engine.erase_dead();
    engine.compute_again();
    engine.erase_dead();
    residual::resolve(&mut engine)?;
    prune(context, target);
    erase_dead(context, target, &[]);
    Ok(())
}

impl<'c> Reverse<'_, 'c> {
    fn context(&self) -> &'c Context {
        self.vjp.session.context()
    }

    /// The forward sweep: every block with records of the edges.
    fn forward_blocks(&mut self) -> Result<()> {
        let (to, location) = (self.task.to, self.task.location);
        let Some(region) = region_of(to) else {
            return Err(internal_error(self.target, "function without body"));
        };
        self.forward.push(to);
        self.vjp.open(&self.task)?;
        for number in 1..self.blocks.list.len() {
            let arguments = self.blocks.list[number].arg_list();
            let types: Vec<_> = arguments
                .iter()
                .map(|argument| argument.r#type())
                .chain(self.buffers(&arguments).iter().map(|buffer| buffer.r#type()))
                .chain(self.records[number].r#type(&self.vjp.b))
                .collect();
            let made = add_block(region, &types, location);
            self.vjp.set_primals(&arguments, &made.arg_list());
            let shadows = made.arg_list().into_iter().skip(arguments.len());
            for (buffer, shadow) in self.buffers(&arguments).into_iter().zip(shadows) {
                self.vjp.set_shadow(buffer, shadow);
            }
            self.forward.push(made);
        }
        for number in self.blocks.graph.order() {
            let block = self.blocks.list[number];
            self.vjp.b = Builder::at_end(self.context(), self.forward[number], location);
            self.early_shadows(number);
            self.vjp.forward_block(block)?;
            let Some(end) = block.term().filter(|_| number != self.blocks.exit) else { continue };
            self.vjp.b = self.vjp.b.with_location(end.location());
            if successors(end).is_empty() {
                self.vjp.copy(end);
                continue;
            }
            let mut edges = vec![];
            for (edge, &to) in self.blocks.graph.next(number).iter().enumerate() {
                let mut values = self.vjp.primal_list(&self.blocks.handed(number, edge));
                let arguments = self.blocks.list[to].arg_list();
                let handed = self.blocks.handed(number, edge);
                for (value, argument) in handed.into_iter().zip(arguments) {
                    if is_buffer(argument) && self.vjp.is_active(argument) {
                        values.push(self.vjp.shadow(end, value)?);
                    }
                }
                values.extend(self.recorded(number, edge, to));
                edges.push((self.forward[to], values));
            }
            let decides = deciding(end).map(|value| self.vjp.primal(value));
            copy_branch(&self.vjp.b, end, decides, &edges);
        }
        self.vjp.front = None;
        self.sweep = Some(self.vjp.sweep());
        Ok(())
    }

    /// A tape of cotangents for each tape of a block that is not run again: all return blocks use it, until `finish`. Where
    /// there is one block, the rule makes and frees them.
    fn cotangent_tapes(&mut self) {
        if self.blocks.list.len() == 1 {
            return;
        }
        let b = self.vjp.b;
        self.vjp.b = at_front(self.context(), self.forward[0], &b);
        let once = (0..self.blocks.list.len()).filter(|&block| !self.blocks.runs_again(block));
        for create in once.flat_map(|block| self.blocks.list[block].ops()).collect::<Vec<_>>() {
            if create.op_name() == "ad.tape_create" && self.vjp.activity().is_on_shared(create) {
                for tape in create.result_list() {
                    self.tapes.push(cotangent_tape(&mut self.vjp, tape));
                }
            }
        }
        self.vjp.b = b;
    }

    /// What an edge tells the block that it leads to.
    fn recorded(&self, from: usize, edge: usize, to: usize) -> Option<Val<'c>> {
        let b = &self.vjp.b;
        let number = || {
            let edges = self.blocks.incoming(to);
            edges.iter().position(|other| *other == (from, edge)).unwrap_or(0)
        };
        match &self.records[to] {
            Record::None => None,
            Record::Edge(2) => Some(b.truth(number() == 0)),
            Record::Edge(_) => Some(b.i32(number() as i64)),
            Record::Count { back, .. } if number() == *back => {
                Some(b.add(self.record(to)?, b.index(1)))
            }
            Record::Count { .. } => Some(b.index(0)),
        }
    }

    /// The record that the copy of a block has as an argument.
    fn record(&self, block: usize) -> Option<Val<'c>> {
        self.forward[block].arg_list().last().copied()
    }

    /// A value of the forward blocks, in a return block.
    pub fn read(&mut self, reader: usize, value: Val<'c>, home: usize) -> Val<'c> {
        if is_plain(&self.blocks, home, reader) {
            return value;
        }
        if let Some(known) = self.read.get(&(reader, value.key())) {
            return *known;
        }
        let back = self.back[reader].unwrap_or(self.forward[reader]);
        let front = at_front(self.context(), back, &self.vjp.b);
        let constant = value.defining_op().filter(|op| op.op_name() == "arith.constant");
        let is = match constant.map(|op| op.clone_detached()) {
            Some(copy) => {
                front.insert(copy);
                copy.res(0).unwrap_or(value)
            }
            None => {
                let is = front.val(STAND_IN, &[], value.r#type());
                self.stand_ins.push(StandIn { reader, value, home, is });
                is
            }
        };
        self.read.insert((reader, value.key()), is);
        is
    }

    /// What a source value is in the forward blocks.
    pub fn forward_value(&self, value: Val<'c>) -> Val<'c> {
        self.sweep.as_ref().map_or(value, |sweep| sweep.primal(value))
    }

    /// The primal of a source value, in a return block.
    fn primal_in(&mut self, reader: usize, value: Val<'c>) -> Val<'c> {
        let new = self.forward_value(value);
        match self.blocks.home(value) {
            Some(home) => self.read(reader, new, home),
            None => new,
        }
    }

    /// The return sweep, without its branches.
    fn return_blocks(&mut self) -> Result<()> {
        let seeded = pick(&self.task.results, &self.task.of);
        let reaching = reaching(&self.blocks, self.vjp.activity(), &seeded);
        let order: Vec<_> = self.blocks.graph.order().into_iter().rev().collect();
        let mut failure = Ok(());
        let mut done = vec![false; self.blocks.list.len()];
        for block in
            order.into_iter().filter(|&block| self.blocks.returns(block)).collect::<Vec<_>>()
        {
            if let &[next] = self.blocks.graph.next(block)
                && !done[next]
                && self.promised[next].is_none()
            {
                self.promised[next] = Some(reaching[next].clone());
            }
            failure = self.return_block(block).and(failure);
            done[block] = true;
        }
        failure
    }

    fn return_block(&mut self, number: usize) -> Result<()> {
        let block = self.blocks.list[number];
        let location = block.term().map_or(self.task.location, |end| end.location());
        let back = match region_of(self.task.to) {
            Some(region) if number != self.blocks.exit => add_block(region, &[], location),
            _ => self.forward[number],
        };
        self.back[number] = Some(back);
        self.vjp.b = Builder::at_end(self.context(), back, location);
        if let Some(sweep) = &self.sweep {
            self.vjp.restore(sweep);
        }
        self.run_again(number)?;
        self.begin(number)?;
        self.vjp.reverse_block(block)?;
        self.vjp.found.clear();
        let undone = std::mem::take(&mut self.vjp.undone);
        self.undone.extend(undone.into_iter().map(|(call, inverse)| (number, call, inverse)));
        let read = Values::of(block.arg_list().into_iter().chain(free_values(&[block])));
        let handed = (0..self.blocks.graph.next(number).len())
            .flat_map(|edge| self.blocks.handed(number, edge))
            .chain(self.begins[number].iter().map(|bar| bar.of).collect::<Vec<_>>());
        let bars = self.collect(read.and(handed), |this, value| {
            this.blocks.home(value) != Some(number) || value.owner_block() == Some(block)
        })?;
        if number == 0 {
            self.finish(&bars)?;
        } else {
            self.ends[number] = self.end(number, bars)?;
        }
        if self.blocks.runs_once(number) {
            self.follow_replaced(number);
        }
        Ok(())
    }

    /// Rules may have replaced copies of the operations of a block in the forward sweep, which other return blocks read.
    fn follow_replaced(&mut self, number: usize) {
        let sweep = self.vjp.sweep();
        let mut replaced = HashMap::new();
        for op in self.blocks.list[number].body_ops() {
            for value in op.result_list() {
                let old = self.sweep.as_ref().map_or(value, |sweep| sweep.primal(value));
                replaced.insert(old.key(), sweep.primal(value));
            }
        }
        for stand_in in &mut self.stand_ins {
            if let Some(&new) = replaced.get(&stand_in.value.key()) {
                stand_in.value = new;
            }
        }
        self.remember_read();
        self.sweep = Some(sweep);
    }

    fn remember_read(&mut self) {
        let entry = |s: &StandIn<'c>| ((s.reader, s.value.key()), s.is);
        self.read = self.stand_ins.iter().map(entry).collect();
    }

    /// The pure operations of a block once more, unless the block runs once on every path; other values are read.
    fn run_again(&mut self, number: usize) -> Result<()> {
        if self.blocks.runs_once(number) {
            return Ok(());
        }
        let block = self.blocks.list[number];
        for value in block.arg_list().into_iter().chain(free_values(&[block])) {
            self.bring(number, value)?;
        }
        for op in block.body_ops() {
            self.vjp.b = self.vjp.b.with_location(op.location());
            if self.may_run_again(op)? {
                let copy = self.vjp.copy(op);
                copy.set_attr(
                    self.context(),
                    keep::AGAIN,
                    self.vjp.b.i64_attr(self.again.len() as i64),
                );
                self.again.push(op);
                self.vjp.make_shadow(op)?;
                continue;
            }
            let is_active = op.result_list().iter().any(|&result| self.vjp.is_active(result));
            if is_active && !op.blocks().is_empty() {
                let message = "has no vjp rule: it has effects and is run several times";
                return Err(self.vjp.session.refuse(op, message));
            }
            for result in op.result_list() {
                self.bring(number, result)?;
            }
        }
        Ok(())
    }

    /// Whether an operation may run again. Assertions in it hold again; what it reads may have been
    /// written to since.
    fn may_run_again(&mut self, op: Op<'c>) -> Result<bool> {
        let gives_buffer = op.result_list().iter().any(|result| result.r#type().is_mem_ref());
        if gives_buffer && handed_through(op).is_none() {
            return Ok(false);
        }
        if is_trivially_dead(op) {
            let reads_constant = self.keeps_given && reads_what_is_given(op, self.source);
            return Ok(!memory_effects(op).reads || reads_constant);
        }
        if op.op_name() == "func.call" {
            let callee = op.attr("callee").and_then(text_of).unwrap_or_default();
            return Ok(self.vjp.session.custom_split(&callee)?.is_some());
        }
        let session = &self.vjp.session;
        let is_pure_call = |inner: Op<'c>| {
            let callee = inner.attr("callee").and_then(text_of).unwrap_or_default();
            inner.op_name() == "func.call" && !session.touches_memory(&callee)
        };
        let mut has_effects = false;
        op.for_each(&mut |inner| {
            let effects = memory_effects(inner);
            let is_known = inner.op_name() == "cf.assert" || inner.op_name().ends_with(".yield");
            has_effects |= match inner.blocks().is_empty() {
                true => !is_known && !is_pure_call(inner) && !is_trivially_dead(inner),
                false => effects.reads || effects.writes,
            };
        });
        Ok(!op.blocks().is_empty() && !has_effects)
    }

    /// What a return block gets; the adjoints of the arguments of the next block go to what is handed to them.
    fn begin(&mut self, number: usize) -> Result<()> {
        if number == self.blocks.exit {
            if self.task.is_cut {
                mark(&self.vjp.b);
            }
            return self.vjp.seed(&self.task);
        }
        let next = self.blocks.graph.next(number).to_vec();
        let wanted: Vec<(Val<'c>, bool)> = match next[..] {
            [next] => match &self.promised[next] {
                Some(values) => values.iter().map(|&value| (value, false)).collect(),
                None => self.ends[next].iter().map(|bar| (bar.of, bar.mask.is_some())).collect(),
            },
            _ => self.union(&next),
        };
        let back = self.back[number].unwrap_or(self.forward[number]);
        let location = self.vjp.b.location();
        for (of, is_masked) in wanted {
            let bar = add_argument(back, of.r#type(), location);
            let mask = is_masked.then(|| add_argument(back, self.vjp.b.bool_type(), location));
            self.begins[number].push(Bar { of, bar, mask });
        }
        let to = (next.len() == 1).then(|| self.blocks.list[next[0]]);
        self.distribute(self.begins[number].clone(), to, |this| this.blocks.handed(number, 0))
    }

    /// Makes adjoints known; those of the arguments of a block as adjoints of what is handed to them.
    fn distribute(
        &mut self,
        bars: Vec<Bar<'c>>,
        to: Option<Blk<'c>>,
        handed: impl Fn(&Self) -> Vec<Val<'c>>,
    ) -> Result<()> {
        let is_argument = |bar: &Bar<'c>| to.is_some() && bar.of.owner_block() == to;
        let (arguments, others): (Vec<_>, Vec<_>) = bars.into_iter().partition(is_argument);
        let handed = handed(self);
        for bar in others.iter().chain(&arguments) {
            if let Some(mask) = bar.mask {
                self.vjp.masks.set(bar.bar, mask);
            }
        }
        for bar in others {
            self.vjp.cotangents.set(bar.of, Some(bar.bar));
        }
        for bar in arguments {
            if let Some(&value) = handed.get(bar.of.position()) {
                self.vjp.add_dense(value, bar.bar)?;
            }
        }
        Ok(())
    }

    /// The adjoints that any of several blocks, entered from here only, hands on, and whether they are masked.
    fn union(&self, next: &[usize]) -> Vec<(Val<'c>, bool)> {
        let ways: Vec<_> = next.iter().filter(|&&to| self.blocks.returns(to)).collect();
        let all = Values::of(ways.iter().flat_map(|&&to| self.ends[to].iter().map(|bar| bar.of)));
        let is_masked = |value: &Val<'c>| {
            ways.iter().any(|&&to| {
                let bar = self.ends[to].iter().find(|bar| bar.of.key() == value.key());
                bar.is_none_or(|bar| bar.mask.is_some())
            })
        };
        let plain = self.vjp.session.options.plain_ieee;
        all.list.iter().map(|value| (*value, !plain && is_masked(value))).collect()
    }

    /// Takes the adjoints of some values, and forgets those of all.
    fn collect(
        &mut self,
        values: Values<'c>,
        is_wanted: impl Fn(&Self, Val<'c>) -> bool,
    ) -> Result<Vec<Bar<'c>>> {
        let mut bars = vec![];
        for of in values.list.into_iter().filter(|of| !is_shared(*of)) {
            self.vjp.settle(of)?;
            let Some(bar) = self.vjp.cotangents.take(of) else { continue };
            let bit = self.vjp.b.bool_type();
            let mask = self.vjp.masks.get(bar).filter(|mask| mask.r#type() == bit);
            if is_wanted(self, of) {
                bars.push(Bar { of, bar, mask });
            }
        }
        Ok(bars)
    }

    /// The adjoints where a return block ends, in terms of the block or blocks that the way back leads to.
    fn end(&mut self, number: usize, bars: Vec<Bar<'c>>) -> Result<Vec<Bar<'c>>> {
        if let Some(promised) = self.promised[number].clone() {
            let mut kept = vec![];
            for of in promised {
                let there = bars.iter().find(|bar| bar.of.key() == of.key());
                let bar = match there {
                    Some(bar) => bar.bar,
                    None => self.zero(number, of),
                };
                kept.push(Bar { of, bar, mask: None });
            }
            return Ok(kept);
        }
        let (from, edge) = match self.blocks.incoming(number)[..] {
            [(from, edge)] if self.blocks.graph.next(from).len() > 1 => (from, edge),
            _ => return Ok(bars),
        };
        let handed = self.blocks.handed(from, edge);
        let others = Values::of(bars.iter().map(|bar| bar.of)).and(handed.iter().copied());
        let block = self.blocks.list[number];
        self.distribute(bars, Some(block), |_| handed.clone())?;
        self.collect(others, |_, _| true)
    }

    fn zero(&mut self, number: usize, value: Val<'c>) -> Val<'c> {
        let like = self.primal_in(number, value);
        self.vjp.b.zeros_like(like)
    }

    /// The end of the derivative.
    fn finish(&mut self, bars: &[Bar<'c>]) -> Result<()> {
        let mut returned = self.vjp.primal_list(&self.task.results);
        for buffer in self.task.handed_out() {
            returned.push(self.vjp.shadow(self.task.terminator, buffer)?);
        }
        self.vjp.free_early();
        for bars in std::mem::take(&mut self.tapes) {
            self.vjp.b.op("ad.tape_free", &[bars], &[]);
        }
        for argument in self.task.wrt.clone().into_iter().filter(|value| !is_shared(*value)) {
            let bar = bars.iter().find(|bar| bar.of.key() == argument.key());
            let bar = match bar {
                Some(bar) => bar.bar,
                None => self.zero(0, argument),
            };
            returned.push(bar);
        }
        self.vjp.b = self.vjp.b.with_location(self.task.terminator.location());
        self.vjp.b.op("func.return", &returned, &[]);
        Ok(())
    }

    /// Erases what is dead in the return blocks, and forgets the stand-ins that go with it: others may get their keys. What
    /// the forward blocks have may be read yet.
    fn erase_dead(&mut self) {
        erase_dead(self.context(), self.target, &self.forward);
        let ops = self.target.blocks().into_iter().flat_map(|block| block.ops());
        let there: HashSet<ValueKey> = ops
            .filter(|op| op.op_name() == STAND_IN)
            .flat_map(|op| op.result_list())
            .map(|value| value.key())
            .collect();
        self.stand_ins.retain(|stand_in| there.contains(&stand_in.is.key()));
        self.remember_read();
    }
}

impl<'c> Values<'c> {
    /// Several values.
    fn of(values: impl IntoIterator<Item = Val<'c>>) -> Self {
        Self::default().and(values)
    }

    /// With more values.
    fn and(mut self, values: impl IntoIterator<Item = Val<'c>>) -> Self {
        values.into_iter().for_each(|value| self.add(value));
        self
    }
}
