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
        region::{ValueMap, clone_op, is_outside},
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

/// Makes tables in front of a map, one for each type of numbers; returns how many.
fn tabulate<'c>(
    context: &'c Context,
    map: Op<'c>,
    index: Val<'c>,
    fixed: &Fixed<'c>,
) -> Result<u64> {
    let (Some(block), Some(body)) = (map.block(), map.body(0)) else { return Ok(0) };
    let mut types: Vec<Type<'c>> = vec![];
    for value in &fixed.stored {
        if !types.contains(&value.r#type()) {
            types.push(value.r#type());
        }
    }
    let columns: Vec<Vec<Val<'c>>> = types
        .iter()
        .map(|ty| fixed.stored.iter().copied().filter(|value| value.r#type() == *ty).collect())
        .collect();
    let b = Builder::before(context, map, block).deriving(map);
    let rows = |array: &Val<'c>| array.r#type().shape()[0];
    let known = fixed.arrays.iter().map(rows).min().filter(|&least| least != DYNAMIC);
    let known = known.filter(|_| fixed.arrays.iter().all(|array| rows(array) != DYNAMIC));
    let sizes = fixed.arrays.iter().map(|&array| b.dim(array, 0));
    let Some(count) = sizes.reduce(|x, y| b.same("arith.minsi", &[x, y])) else { return Ok(0) };
    let width = known.unwrap_or(DYNAMIC);
    let tables: Vec<_> = types
        .iter()
        .zip(&columns)
        .map(|(&ty, values)| match values.len() {
            1 => tensor_type(&[width], ty),
            n => tensor_type(&[width, n as i64], ty),
        })
        .collect();
    let made = b.map(&[b.iota(count, width)], &[], &tables, |b, row| {
        let mut copies = ValueMap::from([(index.key(), row[0])]);
        for &op in &fixed.ops {
            clone_op(&b, op, &mut copies);
        }
        let copied = |value: &Val<'c>| copies.get(&value.key()).copied().unwrap_or(*value);
        let row_of = |(ty, values): (&Type<'c>, &Vec<Val<'c>>)| match values.len() {
            1 => copied(&values[0]),
            n => {
                let all: Vec<_> = values.iter().map(copied).collect();
                b.val("tensor.from_elements", &all, tensor_type(&[n as i64], *ty))
            }
        };
        Ok(types.iter().zip(&columns).map(row_of).collect())
    })?;
    let first = match index.defining_op() {
        Some(op) => op.next(),
        None => body.ops().first().copied(),
    };
    let Some(first) = first else { return Ok(0) };
    let b = Builder::before(context, first, body);
    for (&table, values) in made.iter().zip(&columns) {
        for (column, value) in values.iter().enumerate() {
            let read = match values.len() {
                1 => b.extract(table, &[index]),
                _ => b.extract(table, &[index, b.index(column as i64)]),
            };
            value.replace_all_uses(read);
        }
    }
    if let Some(table) = made.first().and_then(|table| table.defining_op()) {
        make_read_rows(context, table)?;
    }
    Ok(made.len() as u64)
}
