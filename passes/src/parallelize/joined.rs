//! Structured operations, one after another, that make rows of the same rows: one parallel loop.
//!
//! ```text
//! a = generic x; s = reduce a; y = generic a, s  =>  forall t: a = generic x[chunk t]; s = reduce a; y[chunk t] = generic a, s
//! ```
//! Each of its own would store what the next one reads, and the threads would wait for each other in between; in one loop they
//! have rows to themselves, which `ad-fuse-loops` keeps in the nearest cache.
//!
//! What else reads a result, such as a sum of rows, comes behind the loop, where it can be moved there.

use std::collections::{HashMap, HashSet};

use ad_dialect::{
    capi::memory_effects,
    ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, ValueKey, tensor_type},
    linalg::Structured,
};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{
    Split,
    group::Group,
    rows::is_elementwise,
    structured::{distributable, places},
    work::work_of,
};
use crate::support::{
    builder::Builder,
    chunk::{Chunk, Piece, forall, operand, slice},
    diag::Result,
    extent::{Extent, extent_of},
    region::clone_with,
    size::Size,
};

/// Along which dimension each array of a loop has its rows.
type Rows = HashMap<ValueKey, usize>;

/// Where an operation has the rows of a loop.
struct Access {
    /// The dimensions of each operand, none of what is read as a whole.
    operands: Vec<Vec<usize>>,
    /// The dimension of each result.
    results: Vec<usize>,
}

impl Access {
    /// Along the first dimension along which it can be, of arrays of the loop along theirs.
    fn of(op: Op<'_>, rows: &Rows) -> Option<Self> {
        let operands = op.operand_list();
        let fits = |all: &[Vec<usize>]| {
            let known = operands.iter().zip(all);
            let mut known = known.filter_map(|(array, own)| Some((rows.get(&array.key())?, own)));
            known.all(|(row, own)| own[..] == [*row])
        };
        if is_elementwise(op) {
            let along = |d: usize| -> Vec<Vec<usize>> {
                let is_array = |value: &Val<'_>| value.r#type().as_tensor().is_some();
                operands.iter().map(|v| if is_array(v) { vec![d] } else { vec![] }).collect()
            };
            let rank = op.res(0)?.r#type().shape().len();
            let d = (0..rank).find(|&d| fits(&along(d)))?;
            return Some(Self { operands: along(d), results: vec![d] });
        }
        let s = structured(op)?;
        let along =
            |l: usize| -> Vec<Vec<usize>> { s.maps.iter().map(|map| places(map, l)).collect() };
        let l = distributable(op, &s).into_iter().find(|&l| fits(&along(l)))?;
        let results = s.output_maps().iter().map(|map| places(map, l)[0]).collect();
        Some(Self { operands: along(l), results })
    }
}

/// A structured operation on tensors that may be in the loop of others; filling is done where arrays begin.
fn structured(op: Op<'_>) -> Option<Structured<'_>> {
    let s = Structured::of(op).filter(|s| s.inits.len() == op.result_count());
    s.filter(|_| op.op_name() != "linalg.fill")
}

/// Operations that may be in one loop.
#[derive(Default)]
struct Run<'c> {
    members: Vec<Op<'c>>,
    rows: Rows,
    extent: Option<Extent<'c>>,
    /// What has to come behind the loop.
    later: Vec<Op<'c>>,
    late: HashSet<ValueKey>,
}

impl<'c> Run<'c> {
    /// Takes an operation, if it may be in the loop.
    fn takes(&mut self, op: Op<'c>) -> bool {
        let Some(access) = Access::of(op, &self.rows) else { return false };
        let starts = structured(op).map(|s| s.inits).unwrap_or_default();
        let (Some(result), Some(&row)) = (op.res(0), access.results.first()) else { return false };
        let extent = extent_of(starts.first().copied().unwrap_or(result), row);
        let reads = op.operand_list().iter().any(|value| self.rows.contains_key(&value.key()));
        let is_alike = reads || self.extent.is_none_or(|own| own == extent);
        if !is_alike || extent == Extent::Known(1) {
            return false;
        }
        self.extent = self.extent.or(Some(extent));
        let results = op.result_list().into_iter().zip(access.results);
        self.rows.extend(results.map(|(result, row)| (result.key(), row)));
        self.members.push(op);
        true
    }

    fn makes(&self, value: Val<'c>) -> bool {
        self.rows.contains_key(&value.key()) || self.late.contains(&value.key())
    }

    /// Lets an operation wait for the loop, if it may.
    fn defers(&mut self, op: Op<'c>) -> bool {
        let mut is_free = true;
        op.for_each(&mut |inner| {
            let effects = memory_effects(inner);
            is_free &= !effects.reads && !effects.writes && inner.op_name() != "cf.assert";
        });
        if is_free {
            self.late.extend(op.result_list().iter().map(ValExt::key));
            self.later.push(op);
        }
        is_free
    }

    /// The operations, if they are several whose sizes are known in front of them; what has to wait is behind them then.
    fn close(self) -> Option<Vec<Op<'c>>> {
        let last = *self.members.last().filter(|_| self.members.len() > 1)?;
        let is_known = |value: Val<'c>| {
            let own = |array: Val<'c>| self.makes(array);
            (0..value.r#type().shape().len()).all(|d| match extent_of(value, d) {
                Extent::Dim(array, _) | Extent::Value(array) => !own(array),
                Extent::Known(_) => true,
            })
        };
        let results = self.members.iter().filter(|op| is_elementwise(**op));
        if !results.flat_map(OpExt::result_list).all(is_known) {
            return None;
        }
        let block = last.block()?;
        for op in self.later.into_iter().filter(|op| op.is_before(last)).rev() {
            let next = last.next()?;
            op.detach();
            BlkExt::insert_before(&block, next, op);
        }
        Some(self.members)
    }
}

/// The runs of operations of a block that may be in one loop, each in order.
pub fn runs<'c>(block: Blk<'c>) -> Vec<Vec<Op<'c>>> {
    let mut open: Vec<Run<'c>> = vec![];
    let mut closed = vec![];
    for op in block.body_ops() {
        let mut read = vec![];
        op.for_each(&mut |inner| read.extend(inner.operand_list()));
        let uses = |run: &Run<'c>| read.iter().any(|&value| run.makes(value));
        let used: Vec<usize> = (0..open.len()).filter(|&i| uses(&open[i])).collect();
        if let [only] = used[..] {
            let run = &mut open[only];
            let is_late = read.iter().any(|value| run.late.contains(&value.key()));
            if !is_late && run.takes(op) || run.defers(op) {
                continue;
            }
        }
        for &i in used.iter().rev() {
            closed.extend(open.remove(i).close());
        }
        let mut fresh = Run::default();
        if !open.iter_mut().any(|run| run.takes(op)) && fresh.takes(op) {
            open.push(fresh);
        }
    }
    closed.extend(open.into_iter().filter_map(Run::close));
    closed
}

/// How to split operations that are in one loop.
pub fn split<'c>(b: &Builder<'c>, members: &[Op<'c>]) -> Option<Split<'c>> {
    let (&first, others) = members.split_first()?;
    let group = Group { riders: others.to_vec(), hides: true, ..Group::only(first) };
    let width = width_of(b, &group)?;
    let work = work_of(b, &group);
    Some(Split { group, width, work, private: None, build })
}

fn members<'c>(group: &Group<'c>) -> Vec<Op<'c>> {
    [&[group.op], &group.riders[..]].concat()
}

/// The number of rows.
fn width_of<'c>(b: &Builder<'c>, group: &Group<'c>) -> Option<Size<'c>> {
    let row = *Access::of(group.op, &Rows::new())?.results.first()?;
    let start = structured(group.op).and_then(|s| s.inits.first().copied());
    let array = start.or_else(|| group.op.res(0))?;
    Some(Size::of_extent(b, extent_of(array, row)))
}

/// The loop.
fn build<'c>(b: &Builder<'c>, group: &Group<'c>, count: Size<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let members = members(group);
    let Some(width) = width_of(b, group) else { return Ok(None) };
    let mut rows = Rows::new();
    let mut accesses = vec![];
    for &op in &members {
        let Some(access) = Access::of(op, &rows) else { return Ok(None) };
        rows.extend(op.result_list().iter().map(ValExt::key).zip(access.results.iter().copied()));
        accesses.push(access);
    }
    let shared = group.results();
    let first = |result: Val<'c>| {
        let before = |result: &Val<'c>| start(*result).filter(|v| rows.contains_key(&v.key()));
        std::iter::successors(Some(result), before).last().unwrap_or(result)
    };
    let starts: Vec<Val<'c>> = shared.iter().map(|&result| start_of(b, first(result))).collect();
    let made = forall(b, count, &starts, |b, t, arrays| {
        let chunk = Chunk::new(b, t, width, count);
        // What is changed in place begins where it ends, unless others read what it was.
        let own = shared.iter().map(ValExt::key).zip(arrays.iter().copied());
        let firsts = shared.iter().map(|&result| first(result).key()).zip(arrays.iter().copied());
        let places = firsts.chain(own).collect();
        let mut body = Body { chunk, places, parts: HashMap::new() };
        for (&op, access) in members.iter().zip(&accesses) {
            body.add(b, op, access);
        }
        let piece = |result: &Val<'c>| {
            let (&along, &value) = (rows.get(&result.key())?, body.part(*result)?);
            Some(Piece { value, along, chunk, step: 1 })
        };
        Ok(shared.iter().filter_map(piece).collect())
    })?;
    Ok(Some(made))
}

/// The array that a result of a structured operation starts from.
fn start(result: Val<'_>) -> Option<Val<'_>> {
    result.defining_op().and_then(structured)?.inits.get(result.position()).copied()
}

/// What an array of the loop starts from.
fn start_of<'c>(b: &Builder<'c>, result: Val<'c>) -> Val<'c> {
    match start(result) {
        Some(start) => start,
        None => {
            let shape = result.r#type().shape();
            let dynamic = (0..shape.len()).filter(|&d| shape[d] == DYNAMIC);
            let sizes = dynamic.map(|d| Size::of_extent(b, extent_of(result, d)).value(b));
            b.empty(result.r#type(), &sizes.collect::<Vec<_>>())
        }
    }
}

/// The body of the loop.
struct Body<'c> {
    chunk: Chunk<'c>,
    /// The array of the loop for each result that is read behind it.
    places: HashMap<ValueKey, Val<'c>>,
    /// The chunks of arrays.
    parts: HashMap<(ValueKey, Vec<usize>), Val<'c>>,
}

impl<'c> Body<'c> {
    /// The chunk of what an operation made.
    fn part(&self, result: Val<'c>) -> Option<&Val<'c>> {
        self.parts.get(&(result.key(), vec![]))
    }

    fn add(&mut self, b: &Builder<'c>, op: Op<'c>, access: &Access) {
        let inputs = op.operand_count() - structured(op).map_or(0, |s| s.inits.len());
        let mut operands = vec![];
        for (k, (array, along)) in op.operand_list().into_iter().zip(&access.operands).enumerate() {
            let result = k.checked_sub(inputs).and_then(|k| op.res(k));
            operands.push(match result {
                Some(result) => self.start(b, array, along, result),
                None => self.read(b, array, along),
            });
        }
        let types: Vec<_> = match op.result_count() {
            count if count + inputs == operands.len() => {
                operands[inputs..].iter().map(|start| start.r#type()).collect()
            }
            _ => {
                let part = |(result, &row): (Val<'c>, &usize)| {
                    let mut shape = result.r#type().shape();
                    shape[row] = self.chunk.size.in_type();
                    tensor_type(&shape, result.r#type().scalar())
                };
                op.result_list().into_iter().zip(&access.results).map(part).collect()
            }
        };
        let made = clone_with(b, op, &operands, &types).result_list();
        for (result, part) in op.result_list().into_iter().zip(made) {
            self.parts.insert((result.key(), vec![]), part);
        }
    }

    /// The chunk of an array that is read.
    fn read(&mut self, b: &Builder<'c>, array: Val<'c>, along: &[usize]) -> Val<'c> {
        if along.is_empty() {
            return array;
        }
        if let Some(&part) = self.part(array) {
            return part;
        }
        let chunk = self.chunk;
        let key = (array.key(), along.to_vec());
        *self.parts.entry(key).or_insert_with(|| slice(b, array, along, chunk))
    }

    /// What the chunk of a result starts from: its place in what the loop makes, or an array of its own.
    fn start(&self, b: &Builder<'c>, start: Val<'c>, along: &[usize], result: Val<'c>) -> Val<'c> {
        if let Some(&part) = self.part(start) {
            return part;
        }
        if let Some(&place) = self.places.get(&result.key()) {
            return slice(b, place, along, self.chunk);
        }
        let made = start.defining_op();
        match made.map(|op| (op, op.op_name())) {
            Some((_, "tensor.empty")) => self.empty(b, start, along),
            Some((op, "linalg.fill")) => {
                let empty = self.empty(b, start, along);
                op.opnd(0).map_or(empty, |value| b.fill(value, empty))
            }
            _ => slice(b, start, along, self.chunk),
        }
    }

    fn empty(&self, b: &Builder<'c>, like: Val<'c>, along: &[usize]) -> Val<'c> {
        let mut shape = like.r#type().shape();
        let mut sizes = vec![];
        for (d, size) in shape.iter_mut().enumerate() {
            if along.contains(&d) {
                *size = self.chunk.size.in_type();
                sizes.extend(operand(b, self.chunk.size));
            } else if *size == DYNAMIC {
                sizes.push(b.dim(like, d));
            }
        }
        b.empty(tensor_type(&shape, like.r#type().scalar()), &sizes)
    }
}
