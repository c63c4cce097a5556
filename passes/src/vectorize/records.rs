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
                for group in self.groups(block, name, others) {
                    records.add(group, side, name == "memref.load");
                }
            }
            blocks.extend(block.ops().into_iter().flat_map(|op| op.blocks()));
        }
        self.records = records;
    }

    /// The accesses in a block, by rows, that nothing in the loop comes between: its other accesses to
    /// the same memory, of which `others` is a list, or, for stores, inner loops.
    fn groups(
        &self,
        block: Blk<'c>,
        name: &str,
        others: &HashSet<Root>,
    ) -> Vec<Vec<(i64, Op<'c>)>> {
        let first = if name == "memref.store" { 1 } else { 0 };
        let mut groups: Vec<(RowKey, Vec<(i64, Op<'c>)>)> = vec![];
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
            match groups[open..].iter_mut().find(|(other, _)| *other == row) {
                Some((_, group)) => group.push((column, op)),
                None => groups.push((row, vec![(column, op)])),
            }
        }
        groups.retain(|(row, group)| name == "memref.load" || self.is_apart(block, row, group));
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// Whether no other store of a block is to the elements that a group of stores is to.
    fn is_apart(&self, block: Blk<'c>, row: &RowKey, group: &[(i64, Op<'c>)]) -> bool {
        let own: HashSet<_> = group.iter().map(|(_, op)| op.key()).collect();
        let memory: HashSet<_> = group[0].1.opnd(1).into_iter().flat_map(roots).collect();
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
    /// Cuts accesses to a row into pieces.
    fn add(&mut self, mut group: Vec<(i64, Op<'c>)>, side: usize, are_loads: bool) {
        let (first, last) = (group[0].1, group[group.len() - 1].1);
        let place = if are_loads { first } else { last };
        group.sort_by_key(|(column, _)| *column);
        // The last of two stores counts; of two loads either does.
        if group.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return;
        }
        let mut rest = &group[..];
        while !rest.is_empty() {
            let next = |i: &usize| rest[i - 1].0 + 1 != rest[*i].0;
            let end = (1..rest.len()).find(next).unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            rest = after;
            if run.len() < side {
                continue;
            }
            let starts = (0..run.len() / side).map(|k| k * side);
            let overlapping = (run.len() % side != 0).then_some(run.len() - side);
            let pieces = self.pieces.entry(place.key()).or_default();
            for start in starts.chain(overlapping) {
                let ops = run[start..start + side].iter().map(|(_, op)| *op).collect();
                pieces.push(Piece(ops));
            }
            self.members.extend(run.iter().map(|(_, op)| op.key()));
        }
    }
}

impl<'c> Emitter<'_, 'c> {
    /// The accesses to pieces of rows in the place of one of them.
    pub(super) fn pieces(&mut self, b: &Builder<'c>, op: Op<'c>) -> Result<()> {
        let pieces = self.facts.records.pieces.get(&op.key()).cloned().unwrap_or_default();
        for Piece(ops) in pieces {
            match ops[0].op_name() {
                "memref.load" => self.load_piece(b, &ops)?,
                _ => self.store_piece(b, &ops)?,
            }
        }
        Ok(())
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

    fn store_piece(&mut self, b: &Builder<'c>, ops: &[Op<'c>]) -> Result<()> {
        let side = ops.len();
        let operands = ops[0].operand_list();
        let place = self.facts.place(operands[1], &operands[2..]);
        let place = place.ok_or_else(|| malformed(ops[0]))?;
        let array = self.scalar(place.array);
        let columns: Vec<_> =
            ops.iter().filter_map(|op| op.opnd(0)).map(|v| self.vector(b, v)).collect();
        for start in (0..self.lanes).step_by(side) {
            for (lane, row) in transpose(b, &columns, start).into_iter().enumerate() {
                let at = self.indices(b, &place.at, start + lane);
                b.op("vector.store", &[&[row, array], &at[..]].concat(), &[]);
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
