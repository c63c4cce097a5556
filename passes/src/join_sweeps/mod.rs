//! `ad-join-sweeps`: a loop that runs again for what it computes, and its return loop, become one.
//!
//! ```text
//! s = for i < n, with s = 0:  s + f x[i]
//! map (\i -> let j = n - 1 - i in            ==>  s = for j < n, with s = 0:
//!   x'[j] += g (f x[j]))  (iota n)                  y = f x[j];  x'[j] += g y;  s + y
//! ```
//! What a loop adds up depends on its values, the cotangents of those on none of the sums. So the return loop need not
//! wait, and where both compute the same at some cost, it is computed once (`numbers.rs`). A loop that
//! goes backwards and only adds goes forwards then: its sums are added in another order.
//!
//! Branches on one condition meet then; upstream canonicalisation joins them, and a second run of this pass the loops
//! in them. Run it where it is decided what runs in parallel, before combinators become loops.

mod numbers;

use std::collections::HashMap;

use ad_dialect::{
    capi::is_trivially_dead,
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, int_of},
};
use melior::{
    Context,
    ir::{BlockLike, TypeLike, ValueLike, operation::OperationLike},
};

use crate::{
    simplify::meet,
    support::{
        atomic::ADD_FLOAT,
        builder::{Builder, same_value},
        combinator::{BOUNDS, array_result_count, constant_index, input_count},
        fastmath::allows,
        region::{
            blocks_of, is_of_values, move_before, move_body, needed_between, replace, what,
            with_more, yield_more,
        },
        weight::{DIVISION, weight, weight_with_regions},
    },
};
use numbers::Numbers;

/// How many loops back one may join another.
const REACH: usize = 8;

/// Runs the pass, on all loops or on those in the iterations of parallel ones; returns how many loops joined others.
pub fn run<'c>(context: &'c Context, module: Op<'c>, in_kernels: bool) -> u64 {
    let blocks = blocks_of(module, in_kernels);
    let joined = blocks.into_iter().rev().map(|block| in_block(context, block)).sum();
    if joined > 0 {
        meet(context, module);
    }
    joined
}

/// Joins the loops of a block; returns how many.
fn in_block<'c>(context: &'c Context, block: Blk<'c>) -> u64 {
    let mut loops: Vec<Op<'c>> = vec![];
    let mut joined = 0;
    for op in block.body_ops() {
        if !matches!(op.op_name(), "scf.for" | "soac.map") {
            continue;
        }
        let joint = loops.iter().enumerate().rev().take(REACH).find_map(|(i, first)| {
            let sweeps = Sweeps::of(*first, op)?;
            Some((i, sweeps.join(context, block)))
        });
        match joint {
            Some((i, joint)) => {
                loops[i] = joint;
                joined += 1;
            }
            None => loops.extend((op.op_name() == "scf.for").then_some(op)),
        }
    }
    joined
}

/// Two loops that can be one.
struct Sweeps<'c> {
    first: Op<'c>,
    second: Op<'c>,
    /// What the second one needs of what is between.
    needed: Vec<Op<'c>>,
    /// Whether the second one has to go the other way.
    is_turned: bool,
    numbers: Numbers,
    iterations: usize,
}

impl<'c> Sweeps<'c> {
    /// Two loops of a block, the second of which may be a map, if they can and should be one.
    fn of(first: Op<'c>, second: Op<'c>) -> Option<Self> {
        if ![first, second].into_iter().all(is_plain) {
            return None;
        }
        let needed = needed_between(first, second)?;
        let is_needed = |op: &Op<'c>| needed.iter().any(|other| other.key() == op.key());
        let between = std::iter::successors(first.next(), |op| op.next());
        let stay = between.take_while(|op| op.key() != second.key()).filter(|op| !is_needed(op));
        let is_pure = is_of_values(second);
        // What may stop the program, such as an assertion, may be there so that the second one is not reached.
        let may_pass =
            |op: Op<'c>| if is_pure { is_trivially_dead(op) } else { adds_to_memory(op) };
        let may_go = (is_pure || adds_to_memory(second) && is_of_values(first))
            && is_trivially_dead(first)
            && needed.iter().all(|op| is_of_values(*op))
            && stay.into_iter().all(may_pass);
        if !may_go {
            return None;
        }
        let (is_turned, numbers, iterations) = [false, true].into_iter().find_map(|is_turned| {
            let mut numbers = Numbers::default();
            let iterations = numbers.count(first, false)?;
            let may_be = numbers.count(second, is_turned)? == iterations
                && (!is_turned || may_turn(second))
                && is_worth_it(&mut numbers, first, second);
            may_be.then_some((is_turned, numbers, iterations))
        })?;
        Some(Self { first, second, needed, is_turned, numbers, iterations })
    }

    /// Both as one, where the first one was.
    fn join(mut self, context: &'c Context, block: Blk<'c>) -> Op<'c> {
        for op in &self.needed {
            move_before(context, block, *op, self.first);
        }
        let (second, is_map) = (self.second, self.second.op_name() == "soac.map");
        let inits = second.operand_list().split_off(if is_map { counters(second) } else { BOUNDS });
        let types: Vec<_> = inits.iter().map(|init| init.r#type()).collect();
        let before = self.first.result_count();
        let joint = with_more(context, self.first, &inits, &types);
        let (Some(body), Some(later)) = (joint.body(0), second.body(0)) else { return joint };
        let Some(end) = body.term() else { return joint };
        let known = body.body_ops();
        let b = Builder::before(context, end, body).with_location(second.location());
        let number = self.counter(&b, joint, body);
        let mut there = HashMap::from([(self.numbers.iteration(self.iterations), number)]);
        for value in known.iter().filter(|op| is_trivially_dead(**op)).filter_map(|op| op.res(0)) {
            there.entry(self.numbers.of(value)).or_insert(value);
        }
        let carried: Vec<_> =
            types.iter().map(|t| body.add_argument(*t, second.location())).collect();
        let own = self.own_counter(&b, joint, number);
        let moved = later.body_ops();
        // What these are is asked for before the counter has another name.
        let numbers: Vec<_> =
            moved.iter().map(|op| op.res(0).map(|result| self.numbers.of(result))).collect();
        let arguments = [&vec![own; counters(second)][..], &carried].concat();
        let more = move_body(&b, later, &arguments);
        yield_more(body, &more);
        for (op, number) in moved.into_iter().zip(numbers) {
            let is_alone = op.result_count() == 1 && is_trivially_dead(op);
            if let Some(same) = number.filter(|_| is_alone).and_then(|number| there.get(&number)) {
                replace(op, &[*same]);
            }
        }
        let results = joint.result_list().split_off(before);
        replace(second, &results);
        share_carried(joint, before);
        joint
    }

    /// The number of an iteration.
    fn counter(&self, b: &Builder<'c>, joint: Op<'c>, body: Blk<'c>) -> Val<'c> {
        let counter = body.arg_list()[0];
        match joint.opnd(0).filter(|from| constant_index(*from) != Some(0)) {
            Some(from) => b.sub(counter, from),
            None => counter,
        }
    }

    /// What the second loop calls it.
    fn own_counter(&self, b: &Builder<'c>, joint: Op<'c>, number: Val<'c>) -> Val<'c> {
        let bounds = joint.operand_list();
        if self.is_turned {
            let last = b.sub(b.sub(bounds[1], bounds[0]), b.index(1));
            return b.sub(last, number);
        }
        match start_of(self.second) {
            Some(start) => b.add(start, number),
            None => number,
        }
    }
}

/// How many arguments of the body of a loop or map count its iterations.
fn counters(op: Op<'_>) -> usize {
    if op.op_name() == "soac.map" { input_count(op) } else { 1 }
}

/// Where a loop starts, if that is not 0.
fn start_of(op: Op<'_>) -> Option<Val<'_>> {
    let start = op.opnd(0).filter(|_| op.op_name() == "scf.for");
    start.filter(|start| constant_index(*start) != Some(0))
}

/// Lets what a loop carries from some position on be what it carries in front of that, where both start alike and are
/// made alike from then on.
fn share_carried(root: Op<'_>, from: usize) {
    let Some(body) = root.body(0) else { return };
    let (arguments, ends) = (body.arg_list().split_off(1), body.ends());
    let inits = root.operand_list().split_off(BOUNDS);
    for later in from..ends.len() {
        let is_alike = |first: &usize| {
            let (Some(a), Some(b)) = (ends[*first].defining_op(), ends[later].defining_op()) else {
                return false;
            };
            let is_same = |(x, y): (&Val<'_>, &Val<'_>)| {
                same_value(*x, *y)
                    || same_value(*x, arguments[*first]) && same_value(*y, arguments[later])
            };
            let (of_a, of_b) = (a.operand_list(), b.operand_list());
            same_value(inits[*first], inits[later])
                && ends[*first].position() == ends[later].position()
                && a.region_count() == 0
                && what(a) == what(b)
                && of_a.len() == of_b.len()
                && of_a.iter().zip(&of_b).all(is_same)
        };
        if let Some(first) = (0..from).find(is_alike) {
            let results = root.result_list();
            results[later].replace_all_uses(results[first]);
            arguments[later].replace_all_uses(arguments[first]);
        }
    }
}

/// Whether an operation is a loop, or a map that makes no array, about which nothing else is said.
fn is_plain(op: Op<'_>) -> bool {
    let is_map = op.op_name() == "soac.map";
    op.discardable_attrs().is_empty() && (!is_map || array_result_count(op) == 0)
}

/// Whether a loop may go the other way: all that its iterations give to later ones is added to.
fn may_turn(op: Op<'_>) -> bool {
    let Some(body) = op.body(0).filter(|_| start_of(op).is_none()) else { return false };
    let is_sum = |(mut sum, end): (Val<'_>, Val<'_>)| {
        // What it becomes on the way has one use, too, until it is handed on.
        while !same_value(sum, end) {
            let [(user, operand)] = sum.uses()[..] else { return false };
            let adds = match user.op_name() {
                "arith.addi" => true,
                "arith.subi" => operand == 0,
                "arith.addf" | "complex.add" => allows_any(user),
                "arith.subf" | "complex.sub" => operand == 0 && allows_any(user),
                _ => false,
            };
            match user.res(0).filter(|_| adds && user.block() == Some(body)) {
                Some(next) => sum = next,
                None => return false,
            }
        }
        sum.uses().len() == 1
    };
    let carried = body.arg_list().split_off(counters(op));
    carried
        .into_iter()
        .zip(body.ends())
        .all(|(sum, end)| sum.r#type().is_acc() || is_sum((sum, end)))
}

/// Whether an operation on floats need not be exactly what it says: otherwise sums keep their order, too.
fn allows_any(op: Op<'_>) -> bool {
    ["contract", "reassoc"].iter().any(|flag| allows(op, flag))
}

/// Whether what both loops compute costs enough of the first one.
fn is_worth_it(numbers: &mut Numbers, first: Op<'_>, second: Op<'_>) -> bool {
    let mut costly = |op: Op<'_>| {
        let mut all: HashMap<usize, f64> = HashMap::new();
        op.for_each(&mut |inner| {
            numbers.count_inner(inner);
            let cost = weight(inner);
            if let Some(result) = inner.res(0).filter(|_| cost > 0.0) {
                all.insert(numbers.of(result), cost);
            }
        });
        all
    };
    let (first_costs, second_costs) = (costly(first), costly(second));
    let shared = first_costs.iter().filter(|(number, _)| second_costs.contains_key(number));
    let shared: f64 = shared.map(|(_, cost)| cost).sum();
    shared >= DIVISION && 4.0 * shared >= weight_with_regions(first)
}

/// Whether the one thing that an operation does is to add to memory, if anything: any two such can change places.
fn adds_to_memory(op: Op<'_>) -> bool {
    let mut only_adds = true;
    op.for_each(&mut |inner| {
        let is_unread = || inner.result_list().iter().all(|result| result.users().is_empty());
        let name = inner.op_name();
        let adds =
            name == "memref.atomic_rmw" && inner.attr("kind").and_then(int_of) == Some(ADD_FLOAT);
        let is_control = name.starts_with("scf.") || name.starts_with("soac.");
        only_adds &= adds && is_unread()
            || inner.operand_list().iter().all(|x| !x.r#type().is_mem_ref())
                && (is_control || is_trivially_dead(inner));
    });
    only_adds
}
