//! Arrays that a loop only updates in place: what it overwrites is saved, and the return
//! sweep puts it back.
//!
//! ```text
//! loop (xs) = (xs0) for k = 0 .. n-1 do          loop (xs) = (xs_n) for k = n-1 .. 0 do
//!   old[k] = xs[i];  at[k] = i                     xs = xs with [at[k]] <- old[k]
//!   xs with [i] <- v                               ... reads xs as it was in iteration k
//! ```
//! So an update costs its own size and not that of the array, and work stays that of the
//! primal [FUT 6.2]. Updates inside branches [FUT 6.3] and inner loops are saved where
//! they happen, in the same tape. An index is saved only if it cannot be computed again
//! from induction variables and values of outside.
//!
//! A return loop inside that puts the array back hands it on (`restore`).
//!
//! Invariant: the tape has a place for every execution of an update, so inner loops must
//! have bounds that do not change in the outer loop, and slices and scatters such sizes.

use std::collections::HashSet;

use ad_dialect::ir::{
    Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, ValueKey, i32_array, i64_array,
    tensor_type,
};
use melior::ir::{BlockLike, Type, ValueLike, operation::OperationLike};

use super::{
    from_last, iteration_number,
    remark::{Size, size_of},
};
use crate::support::{
    bounds::{induction_variable, trip_count},
    builder::{Builder, same_value},
    combinator::{constant_index, divides_integers},
    diag::Result,
    extent::{Extent, extent_of},
    region::{ValueMap, clone_op, renamed, values_inside, with_more, yield_more},
    update::Update,
};

/// Through more loops and branches than this, inner ones included, an array is not handed on.
///
/// One-shot bufferisation asks for the type of a carried buffer along every path through the
/// loops and branches that it goes through, and every return sweep triples their number, so
/// that a nest that is differentiated twice would take minutes to compile.
pub const MAX_NESTS: usize = 5;

/// A place where an array is updated.
pub enum Site<'c> {
    /// `tensor.insert`, `tensor.insert_slice`, or a result of `soac.scatter` or `soac.hist`.
    Update(Op<'c>, usize),
    /// A result of `scf.if`, with the updates in both branches.
    Branch(Op<'c>, usize, [Vec<Site<'c>>; 2]),
    /// A result of `scf.for`, with the updates in an iteration.
    Loop(Op<'c>, usize, Vec<Site<'c>>),
}

/// The updates that lead to a value of a block, first to last, and the argument of the
/// block or value of outside that they start from; none if the value is made otherwise.
pub fn trace<'c>(block: Blk<'c>, end: Val<'c>) -> Option<(Vec<Site<'c>>, Val<'c>)> {
    let (mut sites, mut value) = (vec![], end);
    while let Some(op) = value.defining_op().filter(|op| is_in(*op, block)) {
        let position = value.position();
        let yielded = |region| op.body(region)?.term()?.opnd(position);
        match op.op_name() {
            "tensor.insert" | "tensor.insert_slice" => {
                sites.push(Site::Update(op, 0));
                value = op.opnd(1)?;
            }
            "soac.scatter" | "soac.hist" => {
                sites.push(Site::Update(op, position));
                value = *Update::of(op).dests.get(position)?;
            }
            "scf.if" => {
                let (then, from) = trace(op.body(0)?, yielded(0)?)?;
                let (other, also_from) = trace(op.body(1)?, yielded(1)?)?;
                if !same_value(from, also_from) {
                    return None;
                }
                sites.push(Site::Branch(op, position, [then, other]));
                value = from;
            }
            "scf.for" if op.attr("unsignedCmp").is_none() => {
                let body = op.body(0)?;
                let (inner, from) = trace(body, yielded(0)?)?;
                if !same_value(from, *body.arg_list().get(position + 1)?) {
                    return None;
                }
                sites.push(Site::Loop(op, position, inner));
                value = op.opnd(position + 3)?;
            }
            _ => return None,
        }
    }
    sites.reverse();
    Some((sites, value))
}

/// Whether an operation updates an array at places that an array has.
fn is_scattered(op: Op<'_>) -> bool {
    matches!(op.op_name(), "soac.scatter" | "soac.hist")
}

/// Whether an operation is one of those of a block, not inside of one.
pub fn is_in(op: Op<'_>, block: Blk<'_>) -> bool {
    op.block().is_some_and(|found| found.to_raw().ptr == block.to_raw().ptr)
}

/// How many loops and branches an array goes through in updates, inner ones included.
pub fn nests(sites: &[Site<'_>]) -> usize {
    let nests_of = |site: &Site<'_>| match site {
        Site::Update(..) => 0,
        Site::Branch(_, _, [then, other]) => 1 + nests(then) + nests(other),
        Site::Loop(_, _, inner) => 1 + nests(inner),
    };
    sites.iter().map(nests_of).sum()
}

/// How the return sweep gets a value of the forward loop.
pub enum Saved<'c> {
    /// From the tape with this number.
    Tape(usize),
    /// Computed again.
    Again(Val<'c>),
}

/// A tape: one part per iteration of the loop and of the loops inside.
struct Tape<'c> {
    part: Type<'c>,
    /// The dynamic sizes of the part, known outside of the loop.
    sizes: Vec<Extent<'c>>,
    /// The bounds of the loops inside.
    loops: Vec<[Val<'c>; 3]>,
}

/// An update with all that undoes it.
///
/// Branches and loops are known by a block of theirs, because the operation is replaced
/// when it hands on a tape.
pub enum Planned<'c> {
    Update {
        op: Op<'c>,
        position: usize,
        old: usize,
        operands: Vec<Saved<'c>>,
    },
    Branch {
        then: Blk<'c>,
        condition: Saved<'c>,
        tapes: [usize; 2],
        chains: [Vec<Planned<'c>>; 2],
    },
    Loop {
        body: Blk<'c>,
        iv: Val<'c>,
        bounds: [Val<'c>; 3],
        tapes: [usize; 2],
        chain: Vec<Planned<'c>>,
    },
}

/// How to save what a loop overwrites in one array.
pub struct Plan<'c> {
    chain: Vec<Planned<'c>>,
    tapes: Vec<Tape<'c>>,
    iv: Val<'c>,
    inside: HashSet<ValueKey>,
}

impl<'c> Plan<'c> {
    /// A plan for the updates of an array in an iteration of a loop; none if the tape
    /// would have no fixed size or would be larger than a copy of the array.
    pub fn new(forward: Op<'c>, now: Val<'c>, sites: &[Site<'c>]) -> Option<Self> {
        let array = now.r#type();
        let iv = *forward.body(0)?.arg_list().first()?;
        let inside = values_inside(forward);
        let mut planner = Planner {
            inside: &inside,
            is_short: nests(sites) <= MAX_NESTS,
            init: forward.opnd(now.position() + 2)?,
            ivs: HashSet::from([iv.key()]),
            loops: vec![],
            tapes: vec![],
        };
        let chain = planner.chain(sites)?;
        let tapes = planner.tapes;
        let elements = |shape: &[i64]| {
            shape
                .iter()
                .map(|&n| if n == DYNAMIC { i64::MAX } else { n })
                .fold(1i64, i64::saturating_mul)
        };
        let saved = tapes
            .iter()
            .filter(|tape| tape.loops.is_empty())
            .fold(0i64, |sum, tape| sum.saturating_add(elements(&tape.part.shape())));
        (saved < elements(&array.shape()).max(2) || saved == i64::MAX).then_some(Self {
            chain,
            tapes,
            iv,
            inside,
        })
    }

    /// How many tapes there are.
    pub fn tape_count(&self) -> usize {
        self.tapes.len()
    }

    /// Empty tapes for so many iterations.
    pub fn empty_tapes(&self, b: &Builder<'c>, trips: Val<'c>) -> Vec<Val<'c>> {
        let empty = |tape: &Tape<'c>| {
            let mut shape = vec![DYNAMIC; 1 + tape.loops.len()];
            shape.extend(tape.part.shape());
            let mut sizes = vec![trips];
            let again = &mut ValueMap::new();
            for bounds in &tape.loops {
                let bounds = bounds.map(|bound| self.compute_again(b, bound, again));
                sizes.push(trip_count(b, &bounds));
            }
            sizes.extend(tape.sizes.iter().map(|&size| match size {
                Extent::Value(size) => self.compute_again(b, size, again),
                known => known.value(b),
            }));
            b.empty(tensor_type(&shape, tape.part.scalar()), &sizes)
        };
        self.tapes.iter().map(empty).collect()
    }

    /// Makes the forward loop fill the tapes in its iteration `k`.
    pub fn record(&self, b: &Builder<'c>, tapes: &mut [Val<'c>], k: Val<'c>) -> Result<()> {
        record(b, &self.chain, tapes, &[k])
    }

    /// Iteration `k`, whose induction variable is `iv`, to be taken back.
    pub fn iteration<'a>(
        &'a self,
        tapes: &'a [Val<'c>],
        (k, iv): (Val<'c>, Val<'c>),
    ) -> Iteration<'a, 'c> {
        let again = ValueMap::from([(self.iv.key(), iv)]);
        Iteration { plan: self, tapes, k, again }
    }

    /// The updates in an iteration, first to last.
    pub fn chain(&self) -> &[Planned<'c>] {
        &self.chain
    }

    /// What each tape takes in an iteration.
    pub fn sizes(&self) -> Vec<Size> {
        let size = |tape: &Tape<'c>| {
            let mut size = size_of(tape.part);
            size.unknown += &" * inner trips".repeat(tape.loops.len());
            size
        };
        self.tapes.iter().map(size).collect()
    }

    fn undo_chain(
        &self,
        b: &Builder<'c>,
        chain: &[Planned<'c>],
        tapes: &[Val<'c>],
        at: &[Val<'c>],
        again: &ValueMap<'c>,
        mut array: Val<'c>,
    ) -> Result<Val<'c>> {
        for planned in chain.iter().rev() {
            let mut again = again.clone();
            array = match planned {
                Planned::Update { op, old, operands, .. } => {
                    let mut all = vec![b.element(tapes[*old], at), array];
                    for operand in operands {
                        all.push(self.value(b, operand, tapes, at, &mut again));
                    }
                    if is_scattered(*op) {
                        b.scatter(&all[2..], &all[..1], &[array])[0]
                    } else {
                        like(b, *op, op.op_name(), &all, array.r#type())
                    }
                }
                Planned::Branch { condition, chains, .. } => {
                    let condition = self.value(b, condition, tapes, at, &mut again);
                    let new = b.if_else(condition, &[array.r#type()], |inner, taken| {
                        let chain = &chains[usize::from(!taken)];
                        Ok(vec![self.undo_chain(&inner, chain, tapes, at, &again, array)?])
                    })?;
                    new.res(0).unwrap_or(array)
                }
                Planned::Loop { iv, bounds, chain, .. } => {
                    let bounds = &bounds.map(|bound| self.compute_again(b, bound, &mut again));
                    let trips = trip_count(b, bounds);
                    let range = [b.index(0), trips, b.index(1)];
                    let new = b.for_loop(range, &[array], |inner, down, carried| {
                        let k = from_last(&inner, trips, down);
                        again.insert(iv.key(), induction_variable(&inner, bounds, k));
                        let at = [at, &[k]].concat();
                        Ok(vec![self.undo_chain(&inner, chain, tapes, &at, &again, carried[0])?])
                    })?;
                    new.res(0).unwrap_or(array)
                }
            };
        }
        Ok(array)
    }

    fn value(
        &self,
        b: &Builder<'c>,
        saved: &Saved<'c>,
        tapes: &[Val<'c>],
        at: &[Val<'c>],
        again: &mut ValueMap<'c>,
    ) -> Val<'c> {
        match saved {
            Saved::Tape(tape) => b.element(tapes[*tape], at),
            Saved::Again(value) => self.compute_again(b, *value, again),
        }
    }

    fn compute_again(&self, b: &Builder<'c>, value: Val<'c>, again: &mut ValueMap<'c>) -> Val<'c> {
        if let Some(&known) = again.get(&value.key()) {
            return known;
        }
        let Some(op) = value.defining_op().filter(|_| self.inside.contains(&value.key())) else {
            return value;
        };
        for operand in op.operand_list() {
            let new = self.compute_again(b, operand, again);
            again.insert(operand.key(), new);
        }
        clone_op(b, op, again);
        renamed(again, value)
    }
}

/// An iteration of the forward loop that the return loop takes back.
pub struct Iteration<'a, 'c> {
    plan: &'a Plan<'c>,
    tapes: &'a [Val<'c>],
    k: Val<'c>,
    again: ValueMap<'c>,
}

impl<'c> Iteration<'_, 'c> {
    /// Takes back updates that follow each other: the array as it was before them.
    pub fn undo(&self, b: &Builder<'c>, chain: &[Planned<'c>], array: Val<'c>) -> Result<Val<'c>> {
        self.plan.undo_chain(b, chain, self.tapes, &[self.k], &self.again, array)
    }
}

/// Makes a plan, from outside in.
struct Planner<'a, 'c> {
    inside: &'a HashSet<ValueKey>,
    /// Whether the array goes through few loops and branches.
    is_short: bool,
    /// The array at the entry of the loop.
    init: Val<'c>,
    ivs: HashSet<ValueKey>,
    loops: Vec<[Val<'c>; 3]>,
    tapes: Vec<Tape<'c>>,
}

impl<'c> Planner<'_, 'c> {
    fn chain(&mut self, sites: &[Site<'c>]) -> Option<Vec<Planned<'c>>> {
        sites.iter().map(|site| self.site(site)).collect()
    }

    fn site(&mut self, site: &Site<'c>) -> Option<Planned<'c>> {
        let first = self.tapes.len();
        match site {
            Site::Update(op, position) if is_scattered(*op) => self.scatter(*op, *position),
            Site::Update(op, _) => self.update(*op),
            Site::Branch(op, _, [then, other]) => {
                let condition = self.saved(op.opnd(0)?, vec![]);
                let chains = [self.chain(then)?, self.chain(other)?];
                let then = op.body(0)?;
                Some(Planned::Branch { then, condition, tapes: [first, self.tapes.len()], chains })
            }
            Site::Loop(op, _, inner) => {
                let bounds = [op.opnd(0)?, op.opnd(1)?, op.opnd(2)?];
                if !bounds.iter().all(|&bound| self.is_fixed(bound)) {
                    return None;
                }
                let body = op.body(0)?;
                let iv = *body.arg_list().first()?;
                self.ivs.insert(iv.key());
                self.loops.push(bounds);
                let chain = self.chain(inner)?;
                self.loops.pop();
                let tapes = [first, self.tapes.len()];
                Some(Planned::Loop { body, iv, bounds, tapes, chain })
            }
        }
    }

    /// Saves the old contents, and the operands after the new contents and the array.
    fn update(&mut self, op: Op<'c>) -> Option<Planned<'c>> {
        let part = op.opnd(0)?.r#type();
        let mut sizes = vec![];
        if op.op_name() == "tensor.insert_slice" {
            let segments = op.attr("operandSegmentSizes").and_then(i32_array)?;
            let first = 2 + *segments.get(2)? as usize;
            sizes = op.operand_list().get(first..first + *segments.get(3)? as usize)?.to_vec();
            if !sizes.iter().all(|&size| self.is_fixed(size)) {
                return None;
            }
        }
        let old = self.tape(part, sizes.into_iter().map(Extent::Value).collect());
        let operands = op.operand_list().split_off(2);
        let operands = operands.into_iter().map(|operand| self.saved(operand, vec![])).collect();
        Some(Planned::Update { op, position: 0, old, operands })
    }

    /// Saves the old contents, and the indices; their number must be known outside. A histogram often has more values than
    /// bins: it has to have a certain number.
    fn scatter(&mut self, op: Op<'c>, position: usize) -> Option<Planned<'c>> {
        let update = Update::of(op);
        let part = update.inputs.get(position)?.r#type();
        if op.op_name() == "soac.hist" && part.shape().first() == Some(&DYNAMIC) {
            return None;
        }
        let count =
            update.read().into_iter().map(|array| extent_of(array, 0)).find(
                |&count| match count {
                    Extent::Known(_) => true,
                    Extent::Value(value) => self.is_fixed(value),
                    Extent::Dim(array, _) => !self.inside.contains(&array.key()),
                },
            )?;
        let rows = (1..part.shape().len()).map(|d| Extent::Dim(self.init, update.at.len() + d - 1));
        let sizes = [count].into_iter().chain(rows).zip(part.shape());
        let dynamic = sizes.filter(|(_, size)| *size == DYNAMIC).map(|(size, _)| size);
        let old = self.tape(part, dynamic.collect());
        let operands = update.at.into_iter().map(|at| {
            let dynamic = at.r#type().shape()[0] == DYNAMIC;
            self.saved(at, if dynamic { vec![count] } else { vec![] })
        });
        let operands = operands.collect();
        Some(Planned::Update { op, position, old, operands })
    }

    fn tape(&mut self, part: Type<'c>, sizes: Vec<Extent<'c>>) -> usize {
        self.tapes.push(Tape { part, sizes, loops: self.loops.clone() });
        self.tapes.len() - 1
    }

    fn saved(&mut self, value: Val<'c>, sizes: Vec<Extent<'c>>) -> Saved<'c> {
        if self.is_computable(value) {
            Saved::Again(value)
        } else {
            Saved::Tape(self.tape(value.r#type(), sizes))
        }
    }

    /// Whether a value follows from induction variables and values of outside.
    fn is_computable(&self, value: Val<'c>) -> bool {
        self.follows(value, &self.ivs)
    }

    /// Whether a value follows from values of outside, and may be computed there even if
    /// the loop does not.
    fn is_fixed(&self, value: Val<'c>) -> bool {
        let follows = || self.follows(value, &HashSet::new()) && self.is_total(value);
        !self.inside.contains(&value.key()) || (self.is_short && follows())
    }

    /// Whether the operations inside that a value follows from divide by constants only.
    fn is_total(&self, value: Val<'c>) -> bool {
        let inside = self.inside.contains(&value.key());
        let Some(op) = value.defining_op().filter(|_| inside) else { return true };
        let operands = op.operand_list();
        let by_zero =
            || operands.get(1).and_then(|&by| constant_index(by)).is_none_or(|by| by == 0);
        !(divides_integers(op.op_name()) && by_zero())
            && operands.into_iter().all(|operand| self.is_total(operand))
    }

    fn follows(&self, value: Val<'c>, given: &HashSet<ValueKey>) -> bool {
        if !self.inside.contains(&value.key()) || given.contains(&value.key()) {
            return true;
        }
        let is_index = |op: &Op<'c>| {
            let name = op.op_name();
            (name.starts_with("arith.") || name == "soac.iota")
                && !value.r#type().scalar().is_float_type()
        };
        value.defining_op().filter(is_index).is_some_and(|op| {
            op.operand_list().into_iter().all(|operand| self.follows(operand, given))
        })
    }
}

/// Makes the code of a chain save what it overwrites, at the indices `at` of the tapes.
fn record<'c>(
    b: &Builder<'c>,
    chain: &[Planned<'c>],
    tapes: &mut [Val<'c>],
    at: &[Val<'c>],
) -> Result<()> {
    for planned in chain {
        match planned {
            Planned::Update { op, position, old, operands } if is_scattered(*op) => {
                let b = before(b, *op);
                let update = Update::of(*op);
                let part = update.inputs[*position].r#type();
                let part = b.gather(update.dests[*position], &update.at, part, None)?;
                tapes[*old] = b.replace_element(part, tapes[*old], at);
                for (saved, &operand) in operands.iter().zip(&update.at) {
                    save(&b, saved, operand, tapes, at);
                }
            }
            Planned::Update { op, old, operands, .. } => {
                let b = before(b, *op);
                let all = op.operand_list();
                let read = [&all[1..2], &all[2..]].concat();
                let part = like(&b, *op, "tensor.extract", &read, all[0].r#type());
                tapes[*old] = b.replace_element(part, tapes[*old], at);
                for (saved, &operand) in operands.iter().zip(&all[2..]) {
                    save(&b, saved, operand, tapes, at);
                }
            }
            Planned::Branch { then, condition, tapes: [first, last], chains } => {
                let Some(op) = then.parent_operation() else { continue };
                if let Some(value) = op.opnd(0) {
                    save(&before(b, op), condition, value, tapes, at);
                }
                let types: Vec<_> = tapes[*first..*last].iter().map(|t| t.r#type()).collect();
                let new = with_more(b.context(), op, &[], &types);
                for (block, chain) in new.blocks().into_iter().zip(chains) {
                    let mut own = tapes.to_vec();
                    record(b, chain, &mut own, at)?;
                    yield_more(block, &own[*first..*last]);
                }
                let results = new.result_list();
                tapes[*first..*last].copy_from_slice(&results[results.len() - types.len()..]);
            }
            Planned::Loop { body, iv, bounds, tapes: [first, last], chain } => {
                let Some(op) = body.parent_operation() else { continue };
                let passed = tapes[*first..*last].to_vec();
                let types: Vec<_> = passed.iter().map(|tape| tape.r#type()).collect();
                let new = with_more(b.context(), op, &passed, &types);
                let mut own = tapes.to_vec();
                own[*first..*last].copy_from_slice(&more_arguments(*body, &types, new));
                let k = iteration_number(&at_top(b, *body), *iv, bounds);
                record(b, chain, &mut own, &[at, &[k]].concat())?;
                yield_more(*body, &own[*first..*last]);
                let results = new.result_list();
                tapes[*first..*last].copy_from_slice(&results[results.len() - types.len()..]);
            }
        }
    }
    Ok(())
}

fn save<'c>(
    b: &Builder<'c>,
    saved: &Saved<'c>,
    value: Val<'c>,
    tapes: &mut [Val<'c>],
    at: &[Val<'c>],
) {
    if let Saved::Tape(tape) = saved {
        tapes[*tape] = b.replace_element(value, tapes[*tape], at);
    }
}

/// Reads or writes where an update does: `name` says which, with or without `_slice`.
fn like<'c>(
    b: &Builder<'c>,
    update: Op<'c>,
    name: &str,
    operands: &[Val<'c>],
    result: Type<'c>,
) -> Val<'c> {
    if update.op_name() == "tensor.insert" {
        return b.val(name, operands, result);
    }
    let array = |name| update.attr(name).and_then(i64_array).unwrap_or_default();
    let statics = [array("static_offsets"), array("static_sizes"), array("static_strides")];
    let mut segments = update.attr("operandSegmentSizes").and_then(i32_array).unwrap_or_default();
    if name == "tensor.insert_slice" {
        return b.slice_op(name, operands, result, &statics, &segments);
    }
    segments.remove(0);
    b.slice_op("tensor.extract_slice", operands, result, &statics, &segments)
}

/// Adds arguments to the block of a loop.
pub fn more_arguments<'c>(block: Blk<'c>, types: &[Type<'c>], at: Op<'c>) -> Vec<Val<'c>> {
    let before = block.argument_count();
    for r#type in types {
        block.add_argument(*r#type, at.location());
    }
    block.arg_list().split_off(before)
}

/// Builds in front of an operation.
fn before<'c>(b: &Builder<'c>, op: Op<'c>) -> Builder<'c> {
    Builder::before(b.context(), op, b.block())
}

/// Builds in front of the first operation of a block.
pub fn at_top<'c>(b: &Builder<'c>, block: Blk<'c>) -> Builder<'c> {
    match block.ops().first() {
        Some(first) => Builder::before(b.context(), *first, block).with_location(b.location()),
        None => b.into_block(block),
    }
}
