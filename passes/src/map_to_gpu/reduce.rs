//! Reductions: each thread combines a part, then the threads of a block combine what they have, in registers and shared
//! memory, then one block combines what the blocks have.
//!
//! Neighbouring threads read neighbouring elements. An operator that is known to commute combines what each thread has
//! first; any other one what neighbours have (`tiles`), so that the order stays. One that takes long is applied as seldom
//! as possible: then threads combine neighbouring elements first.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{Attribute, ValueLike};

use super::{
    BLOCK, Mapped, alone,
    atomic::kinds,
    first_index::commuting,
    kernels,
    nest::{Nest, forall_nest, is_scalar_reduce, slot, with_light_maps},
    one_kernel,
    rows::{Elements, row_of},
    scan::{self, are_in_registers, is_scalar_scan},
    shared::Shared,
    subgroup::{LANES, STEPS, across, from_behind, has_shuffles},
    tiles::Tiles,
};
use crate::{
    ad::rules::operator::Operator,
    lower::forall_to_gpu::when,
    parallelize::{
        chunk::{Chunk, forall_on, inputs_and_rest, per_chunk},
        group::Group,
        rows::{empty_rows, reduce_in_chunks, width_of},
        size::Size,
    },
    support::{
        builder::{Builder, CMP_EQ, CMP_SGE, CMP_SLT},
        combinator::{cannot_fail, constant_index, is_quick},
        diag::{Result, internal_error},
        region::{ValueMap, clone_op, copy_block, renamed},
    },
};

/// The most blocks: enough for every multiprocessor to have several, few enough for one block to combine.
const BLOCKS: i64 = 1024;
/// How many elements a thread combines at least, if there are as many and loops make none of them.
const PER_THREAD: i64 = 4;

/// How many elements a thread reads at a time, if it combines each by so few operations.
pub const AHEAD: i64 = 4;
const SHORT: usize = 24;

/// From so many arrays on, threads combine chunks of them.
const MANY: i64 = 4096;
/// Into how many chunks arrays of a known number are cut at most, and how many arrays a chunk has at least.
const CHUNKS: [i64; 2] = [1024, 32];

/// `soac.reduce`.
pub fn reduce<'c>(b: &Builder<'c>, group: &Group<'c>) -> Mapped<'c> {
    let (inputs, neutrals) = inputs_and_rest(group.op);
    let Some(body) = group.op.body(0) else { return Ok(None) };
    let is_scalar = |value: &Val<'c>| value.r#type().as_tensor().is_none();
    if !group.has_operator() {
        return Ok(None);
    }
    if !neutrals.iter().all(is_scalar) {
        return arrays(b, group);
    }
    let (operator, found) = operator_of(b, group.op, body, &neutrals)?;
    let width = width_of(b, group);
    let all = match width {
        Size::Known(n) if n <= BLOCK * PER_THREAD => operator.by_one(b, group, &inputs, width)?,
        _ => {
            let per_thread = if group.maps.iter().any(has_loop) { 1 } else { PER_THREAD };
            let per_block = b.index(BLOCK * per_thread);
            let wanted = b.same("arith.ceildivsi", &[width.value(b), per_block]);
            let some = b.same("arith.maxsi", &[wanted, b.index(1)]);
            let count = Size::Value(b.same("arith.minsi", &[some, b.index(BLOCKS)]));
            let partial = operator.blocks(b, group, &inputs, width, count)?;
            operator.of_parts(b, group.op, &partial, count)?
        }
    };
    found.iter().for_each(OpExt::erase);
    Ok(Some(all))
}

/// Whether a map takes long for an element.
fn has_loop(map: &Op<'_>) -> bool {
    let mut found = false;
    map.for_each(&mut |op| {
        let is_inner = op.key() != map.key();
        let name = op.op_name();
        let is_loop = name.starts_with("soac.") && !op.blocks().is_empty()
            || matches!(name, "scf.for" | "scf.while");
        found |= is_inner && is_loop;
    });
    found
}

/// A reduction of arrays: threads combine chunks, then fewer threads combine what these have, until one thread can.
fn arrays<'c>(b: &Builder<'c>, group: &Group<'c>) -> Mapped<'c> {
    let [most, least] = CHUNKS;
    let width = width_of(b, group);
    let width = match width {
        Size::Known(n) if n < 2 * least => return Ok(None),
        Size::Known(n) => {
            let chunks = Size::Known((n / least).min(most));
            return reduce_in_chunks(b, group, chunks);
        }
        Size::Value(width) => width,
    };
    let is_many = b.compare(CMP_SGE, width, b.index(MANY));
    let types: Vec<_> = group.op.result_list().iter().map(|result| result.r#type()).collect();
    let made = b.if_else(is_many, &types, |b, is_many| {
        let made = if is_many {
            reduce_in_chunks(&b, group, Size::Known(most))?
        } else {
            alone::alone(&b, group)?
        };
        made.ok_or_else(|| internal_error(group.op, "reduction of arrays of unknown sizes"))
    })?;
    Ok(Some(made.result_list()))
}

/// A nest of maps whose body has reductions or a scan of scalars, with a block for each iteration.
pub fn rows<'c>(b: &Builder<'c>, group: Group<'c>) -> Mapped<'c> {
    let Some(nest) = Nest::of(group) else { return Ok(None) };
    let results = nest.root().result_list();
    let shared = empty_rows(b, &nest.levels[0].group, &results);
    let Some((shared, body)) = shared.zip(nest.body()) else { return Ok(None) };
    let (ends, widths) = (nest.ends(), nest.widths(b));
    let results =
        forall_nest(b, &widths, &shared, kernels(b, widths.len()), |b, indices, outs| {
            let mut names = ValueMap::new();
            nest.enter(b, indices, &mut names);
            let mut made: Vec<Option<Val<'c>>> = vec![None; ends.len()];
            for op in body.body_ops() {
                let copy = clone_op(b, op, &mut names);
                let inner = Builder::before(b.context(), copy, b.block());
                if is_scalar_reduce(op) {
                    let values = by_block(&inner, copy)?;
                    names.extend(op.result_list().iter().map(ValExt::key).zip(values));
                    copy.erase();
                } else if is_scalar_scan(op) {
                    let is_own = |end: &Val<'c>| {
                        end.defining_op().is_some_and(|made| made.key() == op.key())
                    };
                    let own: Vec<_> = (0..ends.len()).filter(|&k| is_own(&ends[k])).collect();
                    let row = |&k: &usize| (ends[k].position(), slot(&inner, outs[k], indices));
                    let rows = scan::by_block(
                        &inner,
                        &with_light_maps(copy),
                        &own.iter().map(row).collect::<Vec<_>>(),
                    )?;
                    own.iter().zip(rows).for_each(|(&k, row)| made[k] = Some(row));
                    copy.erase();
                }
            }
            let ends = ends.iter().zip(made);
            Ok(ends.map(|(&end, made)| made.unwrap_or_else(|| renamed(&names, end))).collect())
        })?;
    Ok(Some(results))
}

/// Whether the lanes of a subgroup can combine elements as they come by: in any order, or so quickly that it does not matter how
/// often.
pub fn is_for_lanes(op: Op<'_>) -> bool {
    let is_quick = |body: Blk<'_>| body.body_ops().into_iter().all(|op| is_quick(op.op_name()));
    is_scalar_reduce(op)
        && are_in_registers(&inputs_and_rest(op).1)
        && op.body(0).is_some_and(|body| commutes(op, body) || is_quick(body))
}

/// A reduction of scalars that the threads of a block make together.
fn by_block<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Vec<Val<'c>>> {
    let group = with_light_maps(op);
    let (inputs, neutrals) = inputs_and_rest(op);
    let Some(body) = op.body(0) else { return Ok(vec![]) };
    let (operator, found) = operator_of(b, op, body, &neutrals)?;
    let width = width_of(b, &group);
    let threads = Size::Known(BLOCK);
    let own = operator.in_block(b, |b, t| operator.part(b, &group, &inputs, width, t, threads))?;
    found.iter().for_each(OpExt::erase);
    Ok(own)
}

/// The operator of a reduction, as one that commutes if there is such a form, and the reduction that has that form, which
/// is to be erased when the operator was used.
pub fn operator_of<'a, 'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    body: Blk<'c>,
    neutrals: &'a [Val<'c>],
) -> Result<(Combine<'a, 'c>, Option<Op<'c>>)> {
    let found = commuting(b, op)?;
    let body = found.and_then(|found| found.body(0)).unwrap_or(body);
    let commutes = found.is_some() || commutes(op, body);
    Ok((Combine { body, neutrals, commutes }, found))
}

/// Whether the order of the operands does not matter.
pub fn commutes(op: Op<'_>, body: Blk<'_>) -> bool {
    let is_one = |known: Option<Operator<'_>>| known.is_some_and(|known| known.is_one_operation());
    kinds(op).is_some() || Operator::components(body).into_iter().all(is_one)
}

/// An operator on tuples of scalars.
#[derive(Clone, Copy)]
pub struct Combine<'a, 'c> {
    pub body: Blk<'c>,
    pub neutrals: &'a [Val<'c>],
    pub commutes: bool,
}

impl<'c> Combine<'_, 'c> {
    pub fn apply(&self, b: &Builder<'c>, left: &[Val<'c>], right: &[Val<'c>]) -> Vec<Val<'c>> {
        copy_block(b, self.body, &[left, right].concat())
    }

    /// What another thread of a subgroup has, for the operator: where there is no such thread, the neutral elements, unless
    /// it may be anything because the operator cannot fail.
    pub fn operands(
        &self,
        b: &Builder<'c>,
        is_there: impl FnOnce() -> Val<'c>,
        others: Vec<Val<'c>>,
    ) -> Vec<Val<'c>> {
        if self.body.body_ops().into_iter().all(|op| cannot_fail(op.op_name())) {
            return others;
        }
        let is_there = is_there();
        let pairs = others.into_iter().zip(self.neutrals);
        pairs.map(|(other, &neutral)| b.select(is_there, other, neutral)).collect()
    }

    /// What is combined of the parts that some threads have.
    pub fn of_parts(
        &self,
        b: &Builder<'c>,
        op: Op<'c>,
        parts: &[Val<'c>],
        count: Size<'c>,
    ) -> Result<Vec<Val<'c>>> {
        self.by_one(b, &Group::only(op), parts, count)
    }

    /// What one block combines the arrays to.
    fn by_one(
        &self,
        b: &Builder<'c>,
        group: &Group<'c>,
        inputs: &[Val<'c>],
        width: Size<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let all = self.blocks(b, group, inputs, width, Size::Known(1))?;
        Ok(all.into_iter().map(|all| b.extract(all, &[b.index(0)])).collect())
    }

    /// What each of some blocks combines its part of the arrays to.
    fn blocks(
        &self,
        b: &Builder<'c>,
        group: &Group<'c>,
        inputs: &[Val<'c>],
        width: Size<'c>,
        count: Size<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let shared: Vec<_> = self.neutrals.iter().map(|&like| per_chunk(b, count, like)).collect();
        let threads = count.times(b, Size::Known(BLOCK));
        forall_on(b, count, &shared, one_kernel(b), |b, block, shared| {
            let first = b.mul(block, b.index(BLOCK));
            let sums = self
                .in_block(b, |b, t| self.part(b, group, inputs, width, b.add(first, t), threads))?;
            let sums = sums.into_iter().zip(shared);
            Ok(sums.map(|(sum, &shared)| row_of(b, shared, sum, block)).collect())
        })
    }

    /// Whether threads of a subgroup can hand to each other what they have.
    fn is_by_subgroups(&self) -> bool {
        self.neutrals.iter().all(|neutral| has_shuffles(neutral.r#type()))
    }

    /// What the threads of a block combine what each of them has to, as numbers.
    ///
    /// The first thread of each subgroup has what that combines, or each thread its own where there are no subgroups. One
    /// thread combines these.
    fn in_block(
        &self,
        b: &Builder<'c>,
        part: impl FnOnce(&Builder<'c>, Val<'c>) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let lanes = if self.is_by_subgroups() { LANES } else { 1 };
        let own = Shared::new(b, BLOCK / lanes, self.neutrals);
        let (zero, one) = (b.index(0), b.index(1));
        forall_on(b, Size::Known(BLOCK), &[], of_threads(b), |b, t, _| {
            let values = part(b, t)?;
            let lane = b.same("arith.remui", &[t, b.index(lanes)]);
            when(b, b.compare(CMP_EQ, lane, b.index(0)), |b| {
                own.write(b, b.same("arith.divui", &[t, b.index(lanes)]), &values);
                Ok(())
            })?;
            Ok(vec![])
        })?;
        forall_on(b, Size::Known(1), &[], of_threads(b), |b, _, _| {
            let bounds = [one, b.index(BLOCK / lanes), one];
            let all = b.for_loop(bounds, &own.read(b, zero), |b, i, sums| {
                Ok(self.apply(&b, sums, &own.read(&b, i)))
            })?;
            own.write(b, zero, &all.result_list());
            Ok(vec![])
        })?;
        Ok(own.read(b, zero))
    }

    /// What the threads of a subgroup combine what each of them has to, for the first one.
    fn in_subgroup(
        &self,
        b: &Builder<'c>,
        number: Val<'c>,
        own: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let bounds = [b.index(0), b.index(STEPS), b.index(1)];
        let all = b.for_loop(bounds, own, |b, k, own| {
            let distance = b.same("arith.shli", &[b.index(1), k]);
            let others = own.iter().map(|&value| from_behind(&b, value, distance)).collect();
            let is_there = || {
                let lane = b.same("arith.remui", &[number, b.index(LANES)]);
                b.compare(CMP_SLT, b.add(lane, distance), b.index(LANES))
            };
            Ok(self.apply(&b, own, &self.operands(&b, is_there, others)))
        })?;
        Ok(all.result_list())
    }

    /// What some neighbouring threads of a subgroup combine what each of them has to, for all of them.
    pub fn across(&self, b: &Builder<'c>, count: i64, own: Vec<Val<'c>>) -> Result<Vec<Val<'c>>> {
        let bounds = [b.index(0), b.index(count.ilog2().into()), b.index(1)];
        let all = b.for_loop(bounds, &own, |b, k, own| {
            let distance = b.same("arith.shli", &[b.index(1), k]);
            let others: Vec<_> = own.iter().map(|&value| across(&b, value, distance)).collect();
            Ok(self.apply(&b, own, &others))
        })?;
        Ok(all.result_list())
    }

    /// What a subgroup combines for its first thread: every so manieth element by each thread, then what these have, or
    /// neighbouring elements first. Where there are no subgroups, what one thread combines.
    fn part(
        &self,
        b: &Builder<'c>,
        group: &Group<'c>,
        inputs: &[Val<'c>],
        width: Size<'c>,
        number: Val<'c>,
        threads: Size<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let is_quick = |op: Op<'c>| is_quick(op.op_name());
        let is_light = self.is_by_subgroups() && self.body.body_ops().into_iter().all(is_quick);
        let end = width.value(b);
        if self.commutes || !is_light {
            let own = if self.commutes {
                self.in_steps(b, group, inputs, [number, end, threads.value(b)])?
            } else {
                self.over(b, group, inputs, Chunk::new(b, number, width, threads))?
            };
            return if self.is_by_subgroups() {
                self.in_subgroup(b, number, &own)
            } else {
                Ok(own)
            };
        }
        let own = b.divide(number, b.index(LANES));
        let tiles = Tiles::new(group, *self, inputs, end);
        tiles.total(b, &tiles.stretch(b, own, threads.divided_by(b, LANES)))
    }

    /// What the elements of a chunk combine to.
    fn over(
        &self,
        b: &Builder<'c>,
        group: &Group<'c>,
        inputs: &[Val<'c>],
        chunk: Chunk<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let end = b.add(chunk.offset, chunk.size.value(b));
        self.in_steps(b, group, inputs, [chunk.offset, end, b.index(1)])
    }

    /// What some elements combine to: from one to the end, in steps.
    pub fn in_steps(
        &self,
        b: &Builder<'c>,
        group: &Group<'c>,
        inputs: &[Val<'c>],
        bounds: [Val<'c>; 3],
    ) -> Result<Vec<Val<'c>>> {
        let [mut start, end, step] = bounds;
        let mut sums = self.neutrals.to_vec();
        let known = constant_index(end).zip(constant_index(step));
        if is_short(group, self.body) && known.is_none_or(|(end, step)| end > step * (AHEAD - 1)) {
            // Several elements are read before the first of them is waited for.
            let ahead = b.mul(step, b.index(AHEAD - 1));
            let full = [start, b.sub(end, ahead), b.mul(step, b.index(AHEAD))];
            let made = b.for_loop(full, &[&[start], &sums[..]].concat(), |b, i, carried| {
                let numbers = (0..AHEAD).map(|k| b.add(i, b.mul(step, b.index(k))));
                let elements: Vec<_> =
                    numbers.map(|i| Elements::new(group, i).of(&b, inputs)).collect();
                let next = b.add(i, b.mul(step, b.index(AHEAD)));
                let sums = elements
                    .iter()
                    .fold(carried[1..].to_vec(), |sums, element| self.apply(&b, &sums, element));
                Ok([vec![next], sums].concat())
            })?;
            (start, sums) = (made.result_list()[0], made.result_list()[1..].to_vec());
        }
        let sums = b.for_loop([start, end, step], &sums, |b, i, sums| {
            let elements = Elements::new(group, i).of(&b, inputs);
            Ok(self.apply(&b, sums, &elements))
        })?;
        Ok(sums.result_list())
    }
}

/// Whether an element is combined, by a body, in so short a time that memory is what takes it.
pub fn is_short<'c>(group: &Group<'c>, body: Blk<'c>) -> bool {
    let mut count = 0;
    let bodies = group.maps.iter().filter_map(|map| map.body(0)).chain([body]);
    for op in bodies.flat_map(|body| body.body_ops()) {
        op.for_each(&mut |_| count += 1);
    }
    count <= SHORT && !group.maps.iter().any(has_loop)
}

/// What a loop is mapped to whose iterations are threads of a block.
pub fn of_threads<'c>(b: &Builder<'c>) -> Option<Attribute<'c>> {
    Attribute::parse(b.context(), "[#gpu.thread<linear_dim_0>]")
}
