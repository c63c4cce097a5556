//! An estimate of what vectorising a loop gains, in operations.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{
    GAIN,
    apart::may_run_apart,
    carried::Carried,
    plan::{Class, Facts},
};
use crate::{
    lower::vector_math::InstructionSet,
    support::{
        builder::same_value,
        combinator::constant_index,
        region::{is_outside, reads},
        weight::{CALL, weight},
    },
};

/// What it costs to begin and to end a loop that LLVM vectorises.
const START: f64 = 10.0;

/// How often a loop of unknown length runs.
const TRIPS: f64 = 16.0;

/// What a loop gains that LLVM vectorises with more effort: less than any loop around it.
const BARELY: f64 = 1.01 * GAIN;

/// How many pairs of arrays LLVM should have to tell apart before it runs a loop on vectors.
const COMPARISONS: usize = 8;

/// How many registers a vector fills where an inner loop adds up a sum.
pub const REGISTERS: usize = 4;

/// How many operations a body may have to keep its values in registers.
const SMALL: usize = 40;

/// How wide a vector is.
#[derive(Clone, Copy)]
pub struct Width {
    /// Iterations at once.
    pub lanes: usize,
    /// How many of them fit into a register.
    pub register: usize,
}

/// Iterations one by one against several at once.
struct Estimate<'a, 'c> {
    facts: &'a Facts<'c>,
    lanes: f64,
    /// What an operation on vectors costs, as a multiple of one on scalars.
    vector: f64,
    /// How many lanes a register has.
    register: f64,
}

/// How many times as fast a loop is when it is vectorised; none for a loop that LLVM vectorises as well.
pub fn gain<'c>(root: Op<'c>, facts: &Facts<'c>, width: Width, is_masked: bool) -> Option<f64> {
    let trips = trips(root).unwrap_or(f64::INFINITY);
    if trips < width.lanes as f64 {
        return None;
    }
    if is_for_llvm(root, facts) {
        if facts.carried.has_turns() {
            return None;
        }
        return (is_masked || comparisons(root) > COMPARISONS).then_some(BARELY);
    }
    Estimate::new(facts, width).gain(root)
}

/// The same if every register takes its time: several save time only where operations wait for each other,
/// which says nothing about which of two loops is better. Least for a loop that LLVM vectorises, too.
pub fn gain_per_register<'c>(root: Op<'c>, facts: &Facts<'c>, width: Width) -> Option<f64> {
    let registers = (width.lanes / width.register) as f64;
    let estimate = Estimate { vector: registers, ..Estimate::new(facts, width) };
    if is_for_llvm(root, facts) { Some(0.0) } else { estimate.gain(root) }
}

/// Whether an inner loop is faster lane by lane.
pub fn runs_apart<'c>(facts: &Facts<'c>, width: Width, op: Op<'c>) -> bool {
    let estimate = Estimate::new(facts, width);
    may_run_apart(facts, op) && estimate.apart(op) < estimate.together(op)
}

/// How many registers a vector should fill: several where an inner loop adds up few sums, each step of
/// which waits for the one before, or sums over the lanes, which take as many steps more for each vector
/// and keep two rows of them (see `jam::rows`), for which half of the registers are free;
/// two for functions that become arithmetic, whose steps wait, too; one
/// where a body is large otherwise, has branches, or runs too seldom.
pub fn registers<'c>(root: Op<'c>, facts: &Facts<'c>, lanes: usize, set: InstructionSet) -> usize {
    let (mut sums, mut has_control, mut calls, mut steps) = (0, false, 0, 0);
    let (mut largest, mut adds_lanes) = (0, false);
    root.for_each(&mut |op| {
        let is_inner = op.key() != root.key();
        if op.op_name() == "scf.for" {
            if is_inner {
                sums = op.result_count().max(sums);
                adds_lanes |= op.body(0).is_some_and(|body| adds_lanes_up(body, facts));
            }
            largest = op.body(0).map_or(0, |body| body.ops().len()).max(largest);
        }
        has_control |= is_inner && matches!(op.op_name(), "scf.for" | "scf.if");
        calls += usize::from(weight(op) == CALL);
        steps += usize::from(matches!(op.op_name(), "math.exp" | "math.tanh"));
    });
    let is_long = trips(root).is_none_or(|trips| trips >= 2.0 * lanes as f64);
    match () {
        () if matches!(sums, 1 | 2) && largest <= SMALL => REGISTERS,
        () if sums == 0 && adds_lanes && largest <= SMALL => set.registers() / 4,
        () if matches!(sums, 3 | 4) && largest <= SMALL => REGISTERS / 2,
        () if !has_control && steps > 0 && steps == calls && is_long => 2,
        () => 1,
    }
}

/// Whether a block adds the sum of all lanes to one element.
fn adds_lanes_up<'c>(body: Blk<'c>, facts: &Facts<'c>) -> bool {
    body.body_ops().into_iter().any(|op| {
        let stored = op.operand_list();
        let place = |array, at: &[Val<'c>]| Some(facts.class_of_place(&facts.place(array, at)?));
        facts.addition(op).is_some()
            && stored.get(2..).is_some_and(|at| place(stored[1], at) == Some(Class::Same))
    })
}

/// Whether the values of an inner loop can stay in registers.
pub fn is_small(op: Op<'_>) -> bool {
    op.body(0).is_some_and(|body| body.ops().len() <= SMALL)
}

/// The number of iterations of a loop, if it is static.
pub fn trips(op: Op<'_>) -> Option<f64> {
    let bound = |i: usize| op.opnd(i).and_then(constant_index);
    Some(((bound(1)? - bound(0)?) as f64 / bound(2)? as f64).max(0.0))
}

/// Whether a loop calls functions, so that a scalar iteration costs as much as one on vectors.
pub fn has_calls(root: Op<'_>) -> bool {
    let mut has_calls = false;
    root.for_each(&mut |op| has_calls |= weight(op) == CALL);
    has_calls
}

/// Whether there are loops in a loop, so that an iteration may take long.
pub fn has_loops(root: Op<'_>) -> bool {
    let mut loops = 0;
    root.for_each(&mut |op| loops += usize::from(op.op_name() == "scf.for"));
    loops > 1
}

/// Whether there are loops in a loop, all of which are small.
pub fn has_small_loops(root: Op<'_>) -> bool {
    let mut is_small = true;
    root.for_each(&mut |op| is_small &= op.op_name() != "scf.for" || self::is_small(op));
    is_small && has_loops(root)
}

/// Whether there are loops in a loop, and those without loops inside add up, in any order, what they read
/// along rows: LLVM runs several of their iterations at once.
pub fn sums_along_rows(root: Op<'_>) -> bool {
    let mut innermost = vec![];
    root.for_each(&mut |op| {
        if op.op_name() == "scf.for" && !has_loops(op) {
            innermost.push(op);
        }
    });
    has_loops(root) && innermost.into_iter().all(sums_along_a_row)
}

fn sums_along_a_row(op: Op<'_>) -> bool {
    let mut facts = Facts::new(op);
    let is_free = op.result_count() > 0 && facts.find_classes().is_some();
    is_free
        && facts.carried.kinds.iter().all(|kind| *kind == Carried::Sum)
        && op.body(0).is_some_and(|body| {
            body.body_ops().into_iter().all(|inner| match inner.op_name() {
                "memref.load" => {
                    let operands = inner.operand_list();
                    let place = operands.split_first().and_then(|(&a, at)| facts.place(a, at));
                    place.is_some_and(|place| facts.class_of_place(&place) == Class::Next)
                }
                name => name.starts_with("arith."),
            })
        })
}

/// Whether a loop writes to memory.
fn stores(op: Op<'_>) -> bool {
    op.body(0).is_some_and(|body| body.body_ops().iter().any(|op| op.op_name() == "memref.store"))
}

/// Whether LLVM leaves a loop along rows as it is, because there are so many arrays to tell apart.
pub fn is_wide(root: Op<'_>) -> bool {
    is_plain(root) && comparisons(root) > COMPARISONS
}

/// How many pairs of arrays there are in a loop of which one is written to.
fn comparisons(root: Op<'_>) -> usize {
    let (mut read, mut written) = (HashSet::new(), HashSet::new());
    root.for_each(&mut |op| match op.op_name() {
        "memref.load" => read.extend(op.opnd(0).map(|array| array.key())),
        "memref.store" => written.extend(op.opnd(1).map(|array| array.key())),
        _ => {}
    });
    let others = read.difference(&written).count();
    written.len() * others + written.len() * written.len().saturating_sub(1) / 2
}

/// Whether LLVM vectorises a loop, with all that it carries.
fn is_for_llvm<'c>(root: Op<'c>, facts: &Facts<'c>) -> bool {
    is_plain(root) && !facts.carried.has_places()
}

/// Whether LLVM vectorises a loop: an innermost one without branches, that walks through memory.
fn is_plain(root: Op<'_>) -> bool {
    let Some(body) = root.body(0) else { return false };
    let Some(&number) = body.arg_list().first() else { return false };
    let is_number = |value: &Val<'_>| {
        let sum = value.defining_op().filter(|op| op.op_name() == "arith.addi");
        let from_start = |terms: &[Val<'_>]| {
            let is_start =
                |i: usize| is_outside(root, terms[i]) && same_value(terms[1 - i], number);
            is_start(0) || is_start(1)
        };
        same_value(*value, number) || sum.is_some_and(|sum| from_start(&sum.operand_list()))
    };
    body.body_ops().into_iter().all(|op| match op.op_name() {
        "memref.load" | "memref.store" => {
            let operands = op.operand_list();
            let first = usize::from(op.op_name() == "memref.store");
            let (array, at) = (operands[first], &operands[first + 1..]);
            let is_fixed = |value: &Val<'_>| is_outside(root, *value);
            is_fixed(&array)
                && at.split_last().is_none_or(|(last, rest)| {
                    rest.iter().all(is_fixed) && (is_fixed(last) || is_number(last))
                })
        }
        name => name.starts_with("arith.") || name.starts_with("math."),
    })
}

/// Whether an operation on scalars is one on vectors, too.
pub fn is_whole(op: Op<'_>) -> bool {
    op.opnd(0).is_none_or(|x| InstructionSet::has(op.op_name(), x.r#type()))
}

impl<'a, 'c> Estimate<'a, 'c> {
    /// An operation on vectors costs what one on scalars does.
    fn new(facts: &'a Facts<'c>, width: Width) -> Self {
        let [lanes, register] = [width.lanes, width.register].map(|lanes| lanes as f64);
        Self { facts, lanes, vector: 1.0, register }
    }

    fn gain(&self, root: Op<'c>) -> Option<f64> {
        let body = root.body(0)?;
        Some(self.one_by_one(body) * self.lanes / self.at_once(body))
    }

    /// One iteration of a block, with inner loops as fast as LLVM makes them.
    fn one_by_one(&self, block: Blk<'c>) -> f64 {
        block.body_ops().into_iter().map(|op| self.op_one_by_one(op)).sum()
    }

    fn op_one_by_one(&self, op: Op<'c>) -> f64 {
        let inside = || op.blocks().into_iter().map(|b| self.one_by_one(b));
        match op.op_name() {
            "scf.for" => self.by_llvm(op, inside().sum::<f64>() + 1.0),
            "scf.if" => 1.0 + inside().fold(0.0, f64::max),
            _ => weight(op),
        }
    }

    /// A loop whose iterations cost so much, as fast as LLVM makes it.
    fn by_llvm(&self, op: Op<'c>, iteration: f64) -> f64 {
        let trips = trips(op);
        let one_by_one = trips.unwrap_or(TRIPS) * iteration;
        let bound = op.opnd(1).filter(|&bound| !self.is_from_loop_around(op, bound));
        if bound.is_none() || !is_plain(op) {
            return one_by_one;
        }
        match trips {
            Some(trips) if trips < 4.0 * self.lanes => {
                match stores(op) && trips >= self.register.max(TRIPS) {
                    true => (trips / self.register).ceil() * iteration + START,
                    // A sum of few terms is as slow vectorised.
                    false => one_by_one,
                }
            }
            _ => one_by_one / (self.lanes / 2.0),
        }
    }

    /// An inner loop or a branch, lane by lane.
    fn apart(&self, op: Op<'c>) -> f64 {
        self.lanes * (self.op_one_by_one(op) + 1.0)
    }

    /// An inner loop, in all lanes at once.
    fn together(&self, op: Op<'c>) -> f64 {
        let inside = op.blocks().into_iter().map(|block| self.at_once(block));
        trips(op).unwrap_or(TRIPS) * (inside.sum::<f64>() + 1.0)
    }

    /// Whether a bound of an inner loop depends on a loop around it, as of a triangle.
    fn is_from_loop_around(&self, op: Op<'c>, bound: Val<'c>) -> bool {
        op.parent()
            .is_some_and(|around| around.op_name() == "scf.for" && !is_outside(around, bound))
    }

    /// As many iterations of a block as there are lanes.
    fn at_once(&self, block: Blk<'c>) -> f64 {
        block.body_ops().into_iter().map(|op| self.op_at_once(op)).sum()
    }

    fn op_at_once(&self, op: Op<'c>) -> f64 {
        let inside = || op.blocks().into_iter().map(|block| self.at_once(block));
        let class = |value: Val<'c>| self.facts.class(value);
        let result = op.res(0).map_or(Class::Same, class);
        match op.op_name() {
            "scf.for" if may_run_apart(self.facts, op) => self.apart(op).min(self.together(op)),
            "scf.for" => self.together(op),
            "scf.if" if self.facts.is_in_turn(op) => {
                // Each lane takes its values out of vectors.
                let own = reads(op).into_iter().filter(|&value| class(value) == Class::Each);
                self.apart(op) + 2.0 * self.lanes * own.count() as f64
            }
            "scf.if" => {
                let is_same = op.opnd(0).is_some_and(|c| class(c) == Class::Same);
                let both = if is_same { inside().fold(0.0, f64::max) } else { inside().sum() };
                let guard = self.facts.guard(op).map_or(0.0, |_| self.lanes);
                1.0 + both + guard
            }
            _ if self.facts.is_in_addition(op) => 0.0,
            // Each waits for the one before.
            _ if self.facts.carried.is_in_turn(op) => 2.0 * self.lanes * weight(op),
            "memref.load" if result == Class::Same => 1.5,
            "memref.load" => self.access(op, 0),
            "memref.store" if self.facts.addition(op).is_some() => 4.0 + 2.0 * self.access(op, 1),
            "memref.store" => self.access(op, 1),
            _ if result != Class::Each => weight(op),
            _ if !is_whole(op) => self.lanes * (weight(op) + 1.0),
            _ => weight(op) * self.vector,
        }
    }

    /// An access to one element per iteration.
    fn access(&self, op: Op<'c>, array: usize) -> f64 {
        let operands = op.operand_list();
        let apart = if self.facts.records.has(op) { self.lanes } else { 2.0 * self.lanes };
        let (array, at) = (operands[array], &operands[array + 1..]);
        let same = |i: &Val<'c>| self.facts.class(*i) == Class::Same;
        if self.facts.is_private(array) {
            return if at.iter().all(same) { self.vector } else { apart };
        }
        match self.facts.place(array, at).map(|place| self.facts.class_of_place(&place)) {
            Some(Class::Same) => 1.0,
            Some(Class::Next) => self.vector,
            _ => apart,
        }
    }
}
