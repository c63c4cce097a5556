//! Reductions: each thread combines a part, then the threads of a block combine what they have, in registers and shared
//! memory, then one block combines what the blocks have.
//!
//! Neighbouring threads read neighbouring elements. An operator that is known to commute combines what each thread has
//! first; any other one what neighbours have (`tiles`), so that the order stays. One that takes long is applied as seldom
//! as possible: then threads combine neighbouring elements first.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val};
use melior::ir::ValueLike;

use super::{
    BLOCK, Mapped, alone,
    atomic::kinds,
    first_index::{commuting, has_commuting},
    nest::is_scalar_reduce,
    one_kernel,
    rows::{Elements, row_of},
    scan::are_in_registers,
    shared::Shared,
    subgroup::{LANES, STEPS, across, from_behind, has_shuffles},
    tiles::Tiles,
};
use crate::{
    ad::rules::operator::Operator,
    lower::forall_to_gpu::{of_threads, when},
    parallelize::{
        group::Group,
        rows::{reduce_in_chunks, width_of},
    },
    support::{
        builder::{Builder, CMP_EQ, CMP_SGE, CMP_SLT},
        chunk::{Chunk, Piece, every, forall_on, per_chunk},
        combinator::{cannot_fail, constant_index, inputs_and_rest, is_quick},
        diag::{Result, internal_error},
        region::copy_block,
        size::Size,
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

/// Whether the lanes of a subgroup can combine elements as they come by: in any order, or so quickly that it does not matter how
/// often.
pub fn is_for_lanes(op: Op<'_>) -> bool {
    let is_quick = |body: Blk<'_>| body.body_ops().into_iter().all(|op| is_quick(op.op_name()));
    is_scalar_reduce(op)
        && are_in_registers(&inputs_and_rest(op).1)
        && op.body(0).is_some_and(|body| commutes(op, body) || is_quick(body))
}

/// A reduction of scalars that the threads of a block make together, and what is in each of some rows when elements of the
/// arrays are there that belong to them, which maps in the group make.
pub fn by_block<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    stored: &[(Val<'c>, Val<'c>)],
) -> Result<(Vec<Val<'c>>, Vec<Val<'c>>)> {
    let (inputs, neutrals) = inputs_and_rest(group.op);
    let Some(body) = group.op.body(0) else { return Ok((vec![], vec![])) };
    let (operator, found) = operator_of(b, group.op, body, &neutrals)?;
    let width = width_of(b, group);
    let (arrays, rows): (Vec<_>, Vec<_>) = stored.iter().copied().unzip();
    let made = operator.in_block(b, &rows, |b, t, rows| {
        if rows.is_empty() {
            let threads = Size::Known(BLOCK);
            return Ok((operator.part(b, group, &inputs, width, t, threads)?, vec![]));
        }
        operator.part_and_rows(b, group, [&inputs, &arrays], width, t, rows)
    })?;
    found.iter().for_each(OpExt::erase);
    Ok(made)
}

/// Whether the elements of a reduction are combined in any order.
pub fn is_in_any_order(op: Op<'_>) -> bool {
    has_commuting(op) || op.body(0).is_some_and(|body| commutes(op, body))
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
            let (sums, _) = self.in_block(b, &[], |b, t, _| {
                Ok((self.part(b, group, inputs, width, b.add(first, t), threads)?, vec![]))
            })?;
            let sums = sums.into_iter().zip(shared);
            Ok(sums.map(|(sum, &shared)| row_of(b, shared, sum, block)).collect())
        })
    }

    /// Whether threads of a subgroup can hand to each other what they have.
    fn is_by_subgroups(&self) -> bool {
        self.neutrals.iter().all(|neutral| has_shuffles(neutral.r#type()))
    }

    /// What the threads of a block combine what each of them has to, as numbers, and some rows with what they put there.
    ///
    /// The first thread of each subgroup has what that combines, or each thread its own where there are no subgroups. One
    /// thread combines these.
    fn in_block(
        &self,
        b: &Builder<'c>,
        rows: &[Val<'c>],
        part: impl FnOnce(&Builder<'c>, Val<'c>, &[Val<'c>]) -> Result<(Vec<Val<'c>>, Vec<Piece<'c>>)>,
    ) -> Result<(Vec<Val<'c>>, Vec<Val<'c>>)> {
        let lanes = if self.is_by_subgroups() { LANES } else { 1 };
        let own = Shared::new(b, BLOCK / lanes, self.neutrals);
        let (zero, one) = (b.index(0), b.index(1));
        let rows = forall_on(b, Size::Known(BLOCK), rows, of_threads(b), |b, t, rows| {
            let (values, pieces) = part(b, t, rows)?;
            let lane = b.same("arith.remui", &[t, b.index(lanes)]);
            when(b, b.compare(CMP_EQ, lane, b.index(0)), |b| {
                own.write(b, b.same("arith.divui", &[t, b.index(lanes)]), &values);
                Ok(())
            })?;
            Ok(pieces)
        })?;
        forall_on(b, Size::Known(1), &[], of_threads(b), |b, _, _| {
            let bounds = [one, b.index(BLOCK / lanes), one];
            let all = b.for_loop(bounds, &own.read(b, zero), |b, i, sums| {
                Ok(self.apply(&b, sums, &own.read(&b, i)))
            })?;
            own.write(b, zero, &all.result_list());
            Ok(vec![])
        })?;
        Ok((own.read(b, zero), rows))
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

    /// The same for a thread of a block, of an operator that commutes, and what the thread puts into some rows: its elements
    /// of arrays that are stored, which it makes once.
    fn part_and_rows(
        &self,
        b: &Builder<'c>,
        group: &Group<'c>,
        arrays: [&[Val<'c>]; 2],
        width: Size<'c>,
        t: Val<'c>,
        rows: &[Val<'c>],
    ) -> Result<(Vec<Val<'c>>, Vec<Piece<'c>>)> {
        let size = width.minus(b, Size::Value(t)).divided_by(b, BLOCK);
        let own = Chunk { offset: t, size };
        let parts: Vec<_> = rows.iter().map(|&row| every(b, row, own, BLOCK)).collect();
        let bounds = [t, width.value(b), b.index(BLOCK)];
        let (sums, parts) = self.storing(b, group, arrays, &parts, bounds)?;
        let sums = if self.is_by_subgroups() { self.in_subgroup(b, t, &sums)? } else { sums };
        let piece = |part| Piece { step: BLOCK, ..Piece::rows(part, own) };
        Ok((sums, parts.into_iter().map(piece).collect()))
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
        Ok(self.storing(b, group, [inputs, &[]], &[], bounds)?.0)
    }

    /// The same, and parts of arrays with the same elements of some others, where the first one is less than a step from
    /// the beginning.
    fn storing(
        &self,
        b: &Builder<'c>,
        group: &Group<'c>,
        [inputs, stored]: [&[Val<'c>]; 2],
        parts: &[Val<'c>],
        [mut start, end, step]: [Val<'c>; 3],
    ) -> Result<(Vec<Val<'c>>, Vec<Val<'c>>)> {
        let arrays = [inputs, stored].concat();
        let element = |b: &Builder<'c>, i| Elements::new(group, i).of(b, &arrays);
        let add = |b: &Builder<'c>, carried: &[Val<'c>], i, element: &[Val<'c>]| {
            let (sums, parts) = carried.split_at(inputs.len());
            let (own, stored) = element.split_at(inputs.len());
            let mut carried = self.apply(b, sums, own);
            if !parts.is_empty() {
                let at = b.same("arith.divui", &[i, step]);
                let pairs = stored.iter().zip(parts);
                carried.extend(pairs.map(|(&value, &part)| b.insert_element(value, part, &[at])));
            }
            carried
        };
        let mut carried = [self.neutrals, parts].concat();
        let known = constant_index(end).zip(constant_index(step));
        if is_short(group, self.body) && known.is_none_or(|(end, step)| end > step * (AHEAD - 1)) {
            // Several elements are read before the first of them is waited for.
            let ahead = b.mul(step, b.index(AHEAD - 1));
            let full = [start, b.sub(end, ahead), b.mul(step, b.index(AHEAD))];
            let made = b.for_loop(full, &[&[start], &carried[..]].concat(), |b, i, carried| {
                let numbers = (0..AHEAD).map(|k| b.add(i, b.mul(step, b.index(k))));
                let elements: Vec<_> = numbers.map(|i| (i, element(&b, i))).collect();
                let next = b.add(i, b.mul(step, b.index(AHEAD)));
                let first = carried[1..].to_vec();
                let all = elements.iter().fold(first, |all, (i, own)| add(&b, &all, *i, own));
                Ok([vec![next], all].concat())
            })?;
            (start, carried) = (made.result_list()[0], made.result_list()[1..].to_vec());
        }
        let made = b.for_loop([start, end, step], &carried, |b, i, carried| {
            let own = element(&b, i);
            Ok(add(&b, carried, i, &own))
        })?;
        let mut sums = made.result_list();
        let parts = sums.split_off(inputs.len());
        Ok((sums, parts))
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
