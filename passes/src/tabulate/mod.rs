//! `ad-tabulate`: what a map computes of rows that it looks up is computed once for each row.
//!
//! ```text
//!                                       t  = map (\r -> sin xs[r]) (iota n)
//! map (\i y -> y * sin xs[i]) is ys ==> map (\i y -> y * t[i]) is ys
//! ```
//! Many iterations may look up the same row: the camera of an observation, the material of a cell. A
//! table has what is costly and depends on nothing but the number of the row, for the n rows that the
//! arrays which are read all have. Iterations read it beside the row, and compute what is cheap
//! themselves.
//!
//! A table is made for rows that nobody reads, too; where many of them may be, which is known when the
//! program runs, it is made for those that are read, as `ad-gather-first` does it.

mod cut;
mod fixed;

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, tensor_type};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use crate::{
    gather_first::{make_read_rows, reads::Slice},
    support::{
        builder::{Builder, same_value},
        diag::Result,
        region::{ValueMap, clone_op, is_outside, renamed},
    },
};
use fixed::Fixed;

/// Runs the pass; returns how many tables there are.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut maps = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "soac.map" && runs_once(op) {
            maps.push(op);
        }
    });
    let mut tables = 0;
    for map in maps {
        for index in looked_up(map) {
            if let Some(fixed) = Fixed::of(map, index) {
                tables += tabulate(context, map, index, &fixed)?;
            }
        }
    }
    Ok(tables)
}

/// Whether an operation is in no loop or map: a table in one would be made again and again.
fn runs_once(op: Op<'_>) -> bool {
    let mut around = std::iter::successors(op.parent(), |op| op.parent());
    around.all(|op| {
        matches!(op.op_name(), "func.func" | "builtin.module" | "scf.if" | "soac.with_acc")
    })
}

/// The numbers of rows that a map looks up, as far as they are data.
fn looked_up(map: Op<'_>) -> Vec<Val<'_>> {
    let mut found: Vec<Val<'_>> = vec![];
    for op in map.body(0).map(|body| body.body_ops()).unwrap_or_default() {
        let Some((array, index)) = op.opnd(0).zip(op.opnd(1)) else { continue };
        if op.op_name() == "tensor.extract"
            && is_outside(map, array)
            && !is_outside(map, index)
            && !found.iter().any(|other| same_value(*other, index))
            && Slice::of(map, &[index]).is_some()
        {
            found.push(index);
        }
    }
    found
}

/// Values of one type, the columns of a table.
struct Columns<'c> {
    r#type: Type<'c>,
    values: Vec<Val<'c>>,
}

impl<'c> Columns<'c> {
    /// Some values by their types.
    fn of(values: &[Val<'c>]) -> Vec<Self> {
        let mut all: Vec<Self> = vec![];
        for &value in values {
            match all.iter_mut().find(|columns| columns.r#type == value.r#type()) {
                Some(columns) => columns.values.push(value),
                None => all.push(Self { r#type: value.r#type(), values: vec![value] }),
            }
        }
        all
    }

    /// The type of a table of so many rows: of numbers, or of records.
    fn table(&self, rows: i64) -> Type<'c> {
        match self.values.len() {
            1 => tensor_type(&[rows], self.r#type),
            n => tensor_type(&[rows, n as i64], self.r#type),
        }
    }

    /// A row of a table, of copies of the values.
    fn row(&self, b: &Builder<'c>, copies: &ValueMap<'c>) -> Val<'c> {
        let row: Vec<_> = self.values.iter().map(|&value| renamed(copies, value)).collect();
        match row[..] {
            [number] => number,
            _ => {
                let record = tensor_type(&[row.len() as i64], self.r#type);
                b.val("tensor.from_elements", &row, record)
            }
        }
    }

    /// Has everything that reads the values read a row of the table instead.
    fn read(&self, b: &Builder<'c>, table: Val<'c>, row: Val<'c>) {
        for (column, value) in self.values.iter().enumerate() {
            let read = match self.values.len() {
                1 => b.extract(table, &[row]),
                _ => b.extract(table, &[row, b.index(column as i64)]),
            };
            value.replace_all_uses(read);
        }
    }
}

/// Makes tables in front of a map, one for each type of numbers; returns how many.
fn tabulate<'c>(
    context: &'c Context,
    map: Op<'c>,
    index: Val<'c>,
    fixed: &Fixed<'c>,
) -> Result<u64> {
    let (Some(block), Some(body)) = (map.block(), map.body(0)) else { return Ok(0) };
    let all = Columns::of(&fixed.stored);
    let b = Builder::before(context, map, block).deriving(map);
    let sizes = fixed.arrays.iter().map(|&array| b.dim(array, 0));
    let Some(count) = sizes.reduce(|x, y| b.same("arith.minsi", &[x, y])) else { return Ok(0) };
    // Less than any number is what stands for one that is not known.
    let sizes = fixed.arrays.iter().map(|array| array.r#type().shape()[0]);
    let width = sizes.min().unwrap_or(DYNAMIC);
    let types: Vec<_> = all.iter().map(|columns| columns.table(width)).collect();
    let tables = b.map(&[b.iota(count, width)], &[], &types, |b, row| {
        let mut copies = ValueMap::from([(index.key(), row[0])]);
        for &op in &fixed.ops {
            clone_op(&b, op, &mut copies);
        }
        Ok(all.iter().map(|columns| columns.row(&b, &copies)).collect())
    })?;
    let first = match index.defining_op() {
        Some(op) => op.next(),
        None => body.ops().first().copied(),
    };
    let Some(first) = first else { return Ok(0) };
    let b = Builder::before(context, first, body);
    for (columns, &table) in all.iter().zip(&tables) {
        columns.read(&b, table, index);
    }
    if let Some(maker) = tables.first().and_then(|table| table.defining_op()) {
        make_read_rows(context, maker)?;
    }
    Ok(tables.len() as u64)
}
