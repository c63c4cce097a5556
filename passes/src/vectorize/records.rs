//! Accesses to short pieces of rows, which differ from lane to lane.
//!
//! ```text
//! for 4 lanes l: a[i + l, 0] = v0[l]           v0 v1 v2 v3 transposed in registers,
//! ...                                  ==>     for 4 lanes l: a[i + l, 0 .. 4] = column l
//! for 4 lanes l: a[i + l, 3] = v3[l]
//! ```
//! A loop over records reads and writes every number of a record by itself. As vectors along the
//! records, and a transposition, that is a quarter of the accesses. The last piece of a row may overlap
//! the one before.
//!
//! All pieces of one record are written before those of the next one. Piece by piece, each record in turn, more
//! lines of the cache would be written in parts at a time than the processor can wait for.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey, float_width};
use melior::ir::{Attribute, Type, ValueLike};

use super::{
    emit::{Emitter, Lanes, malformed},
    plan::{Class, Facts, Index},
    transpose::transpose,
};
use crate::support::{
    builder::Builder,
    combinator::constant_index,
    diag::Result,
    memory,
    roots::{Root, roots},
};

/// Neighbouring elements of a row, with the loads or stores of them, in order.
#[derive(Clone)]
pub struct Piece<'c>(Vec<Op<'c>>);

/// The pieces of rows in a loop.
#[derive(Default)]
pub struct Records<'c> {
    /// By the operation in whose place they are accessed: the first of some loads, the last of stores.
    pieces: HashMap<OpKey, Vec<Piece<'c>>>,
    /// All accesses that are parts of pieces.
    members: HashSet<OpKey>,
}

impl<'c> Records<'c> {
    /// Whether an access is part of a piece.
    pub fn has(&self, op: Op<'_>) -> bool {
        self.members.contains(&op.key())
    }
}

/// How many lanes are transposed together, if any are.
pub fn side(lanes: usize) -> Option<usize> {
    match lanes {
        2 => Some(2),
        n if n % 4 == 0 => Some(4),
        _ => None,
    }
}

impl<'c> Facts<'c> {
    /// Finds the pieces of rows that a number of lanes access.
    pub(super) fn find_records(&mut self, lanes: usize) {
        let Some(side) = side(lanes) else { return };
        let mut blocks: Vec<Blk<'c>> = self.root.blocks();
        let (mut read, mut written) = (HashSet::new(), HashSet::new());
        self.root.for_each(&mut |op| match op.op_name() {
            "memref.load" => read.extend(op.opnd(0).into_iter().flat_map(roots)),
            "memref.store" => written.extend(op.opnd(1).into_iter().flat_map(roots)),
            _ => {}
        });
        let mut records = Records::default();
        while let Some(block) = blocks.pop() {
            for (name, others) in [("memref.load", &written), ("memref.store", &read)] {
                let groups = self.groups(block, name, others, side);
                for group in &groups {
                    let place = match name {
                        "memref.load" => group.ops[0].1,
                        _ => last_of_record(&groups, group),
                    };
                    records.add(place, group, side);
                }
            }
            blocks.extend(block.ops().into_iter().flat_map(|op| op.blocks()));
        }
        self.records = records;
    }

    /// The accesses in a block to pieces, by rows in the order of their numbers, that nothing in the loop comes
    /// between: its other accesses to the same memory, of which `others` is a list, or, for stores, inner loops.
    fn groups(
        &self,
        block: Blk<'c>,
        name: &str,
        others: &HashSet<Root>,
        side: usize,
    ) -> Vec<Group<'c>> {
        let first = if name == "memref.store" { 1 } else { 0 };
        let mut groups: Vec<Group<'c>> = vec![];
        let mut open = 0;
        for op in block.body_ops() {
            if !op.blocks().is_empty() {
                open = groups.len();
            }
            let Some((row, column)) =
                (op.op_name() == name).then(|| self.scattered(op, first, others)).flatten()
            else {
                continue;
            };
            match groups[open..].iter_mut().find(|group| group.row == row) {
                Some(group) => group.ops.push((column, op)),
                None => groups.push(Group { row, since: open, ops: vec![(column, op)] }),
            }
        }
        groups.retain(|group| name == "memref.load" || self.is_apart(block, group));
        groups.iter_mut().for_each(|group| group.keep_runs(side));
        groups.retain(|group| !group.ops.is_empty());
        groups.sort_by_cached_key(|group| group.numbers());
        groups
    }

    /// Whether no other store of a block is to the elements that a group of stores is to.
    fn is_apart(&self, block: Blk<'c>, Group { row, ops, .. }: &Group<'c>) -> bool {
        let own: HashSet<_> = ops.iter().map(|(_, op)| op.key()).collect();
        let memory: HashSet<_> = ops[0].1.opnd(1).into_iter().flat_map(roots).collect();
        let nothing = HashSet::new();
        block.body_ops().into_iter().all(|op| {
            let is_other = op.op_name() == "memref.store"
                && !own.contains(&op.key())
                && op.opnd(1).is_some_and(|array| !roots(array).is_disjoint(&memory));
            !is_other
                || self.scattered(op, 1, &nothing).is_some_and(|(other, _)| {
                    let pairs = || row.1.iter().zip(&other.1);
                    other.0 == row.0
                        && pairs().all(|(a, b)| a.0 == b.0)
                        && pairs().any(|(a, b)| a.1 != b.1)
                })
        })
    }

    /// The row and the column of an access to another row in every lane, in memory whose last dimension
    /// is contiguous.
    fn scattered(&self, op: Op<'c>, first: usize, others: &HashSet<Root>) -> Option<(RowKey, i64)> {
        let operands = &op.operand_list()[first..];
        let (array, at) = (operands[0], &operands[1..]);
        let element = memory::element(array)?;
        let is_wide = element.is_float_type() && matches!(float_width(element), 32 | 64);
        let is_part = self.addition(op).is_some() || self.is_in_addition(op);
        let is_safe = |root: &Root| *root != Root::Unknown && !others.contains(root);
        if !is_wide || is_part || self.is_private(array) || !roots(array).iter().all(is_safe) {
            return None;
        }
        let place = self.place(array, at)?;
        if self.class_of_place(&place) != Class::Each || !memory::has_rows(place.array) {
            return None;
        }
        let mut indices: Vec<_> = place.at.iter().map(normal).collect();
        let column = std::mem::take(&mut indices.last_mut()?.1);
        Some(((place.array.key(), indices), column))
    }
}

/// Accesses to one row.
struct Group<'c> {
    row: RowKey,
    /// How many groups there were when the last inner loop or branch ended.
    since: usize,
    /// With their columns, in the order in which they run.
    ops: Vec<(i64, Op<'c>)>,
}

impl<'c> Group<'c> {
    /// Accesses to neighbouring columns, so many at least. The last of two stores to one element counts, so that all
    /// stay as they are then.
    fn runs(&self, side: usize) -> Vec<Vec<Op<'c>>> {
        let mut sorted = self.ops.clone();
        sorted.sort_by_key(|(column, _)| *column);
        if sorted.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return vec![];
        }
        let runs = sorted.chunk_by(|a, b| a.0 + 1 == b.0).filter(|run| run.len() >= side);
        runs.map(|run| run.iter().map(|(_, op)| *op).collect()).collect()
    }

    /// Leaves out what is in no run.
    fn keep_runs(&mut self, side: usize) {
        let kept: HashSet<_> = self.runs(side).iter().flatten().map(|op| op.key()).collect();
        self.ops.retain(|(_, op)| kept.contains(&op.key()));
    }

    /// The constants in the indices.
    fn numbers(&self) -> Vec<i64> {
        self.row.1.iter().map(|(_, number)| *number).collect()
    }

    /// Whether two rows are of one record: all that differs are constants.
    fn is_of_record(&self, other: &Self) -> bool {
        let mut pairs = self.row.1.iter().zip(&other.row.1);
        self.since == other.since && self.row.0 == other.row.0 && pairs.all(|(a, b)| a.0 == b.0)
    }
}

/// The last store to the record of which a group is a row.
fn last_of_record<'c>(groups: &[Group<'c>], group: &Group<'c>) -> Op<'c> {
    let of_record = groups.iter().filter(|other| other.is_of_record(group));
    let ends = of_record.map(|other| other.ops[other.ops.len() - 1].1);
    ends.fold(group.ops[0].1, |a, b| if a.is_before(b) { b } else { a })
}

/// An array and its indices, each as terms and a constant, of which that of the last one is left out.
pub(super) type RowKey = (ValueKey, Vec<(Vec<(ValueKey, i64)>, i64)>);

/// An index as terms that are no constants, and a constant.
pub(super) fn normal(index: &Index<'_>) -> (Vec<(ValueKey, i64)>, i64) {
    let mut constant = index.constant;
    let mut terms = vec![];
    for (value, stride) in &index.terms {
        match constant_index(*value) {
            Some(number) => constant += number * stride,
            None => terms.push((value.key(), *stride)),
        }
    }
    (terms, constant)
}

impl<'c> Records<'c> {
    /// Cuts accesses to a row into pieces, which are accessed in a place.
    fn add(&mut self, place: Op<'c>, group: &Group<'c>, side: usize) {
        let pieces = self.pieces.entry(place.key()).or_default();
        for run in group.runs(side) {
            let starts = (0..run.len() / side).map(|k| k * side);
            let overlapping = (run.len() % side != 0).then_some(run.len() - side);
            for start in starts.chain(overlapping) {
                pieces.push(Piece(run[start..start + side].to_vec()));
            }
            self.members.extend(run.iter().map(|op| op.key()));
        }
    }
}

impl<'c> Emitter<'_, 'c> {
    /// The accesses to pieces of rows in the place of one of them.
    pub(super) fn pieces(&mut self, b: &Builder<'c>, op: Op<'c>) -> Result<()> {
        let pieces = self.facts.records.pieces.get(&op.key()).cloned().unwrap_or_default();
        match op.op_name() {
            "memref.load" => pieces.iter().try_for_each(|Piece(ops)| self.load_piece(b, ops)),
            _ => self.store_pieces(b, &pieces),
        }
    }

    fn load_piece(&mut self, b: &Builder<'c>, ops: &[Op<'c>]) -> Result<()> {
        let side = ops.len();
        let operands = ops[0].operand_list();
        let results: Vec<_> = ops.iter().filter_map(|op| op.res(0)).collect();
        let scalar = results.first().ok_or_else(|| malformed(ops[0]))?.r#type();
        let place = self.facts.place(operands[0], &operands[1..]);
        let place = place.ok_or_else(|| malformed(ops[0]))?;
        let array = self.scalar(place.array);
        let row_type = Type::vector(&[side as u64], scalar);
        let full = self.vector_type(scalar);
        let zero = b.zero_scalar(scalar);
        let mut columns = vec![b.val("vector.broadcast", &[zero], full); side];
        for start in (0..self.lanes).step_by(side) {
            let row = |lane: usize| {
                let at = self.indices(b, &place.at, start + lane);
                b.val("vector.load", &[&[array], &at[..]].concat(), row_type)
            };
            let rows: Vec<_> = (0..side).map(row).collect();
            for (column, part) in columns.iter_mut().zip(transpose(b, &rows, 0)) {
                *column = match side == self.lanes {
                    true => part,
                    false => insert(b, part, *column, start),
                };
            }
        }
        for (result, column) in results.into_iter().zip(columns) {
            self.set(result, Lanes::Each(column));
        }
        Ok(())
    }

    fn store_pieces(&mut self, b: &Builder<'c>, pieces: &[Piece<'c>]) -> Result<()> {
        let mut stores = vec![];
        for Piece(ops) in pieces {
            let operands = ops[0].operand_list();
            let place = self.facts.place(operands[1], &operands[2..]);
            let place = place.ok_or_else(|| malformed(ops[0]))?;
            let columns: Vec<_> =
                ops.iter().filter_map(|op| op.opnd(0)).map(|v| self.vector(b, v)).collect();
            stores.push((self.scalar(place.array), place.at, columns));
        }
        let side = pieces.first().map_or(self.lanes, |Piece(ops)| ops.len());
        for start in (0..self.lanes).step_by(side) {
            let rows: Vec<_> =
                stores.iter().map(|(_, _, columns)| transpose(b, columns, start)).collect();
            for lane in 0..side {
                for ((array, at, _), rows) in stores.iter().zip(&rows) {
                    let at = self.indices(b, at, start + lane);
                    b.op("vector.store", &[&[rows[lane], *array], &at[..]].concat(), &[]);
                }
            }
        }
        Ok(())
    }
}

/// A part of a vector replaced.
fn insert<'c>(b: &Builder<'c>, part: Val<'c>, into: Val<'c>, start: usize) -> Val<'c> {
    let attributes = [("offsets", format!("[{start} : i64]")), ("strides", "[1 : i64]".to_owned())];
    let attributes: Vec<_> = attributes
        .iter()
        .filter_map(|(name, text)| Some((*name, Attribute::parse(b.context(), text)?)))
        .collect();
    b.val_with("vector.insert_strided_slice", &[part, into], into.r#type(), &attributes)
}
