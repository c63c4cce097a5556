//! Maps: one thread for each row of the results.

use std::collections::HashMap;

use ad_dialect::ir::{OpExt, OpKey, TyExt, Val, ValExt};
use melior::ir::ValueLike;

use super::Mapped;
use crate::{
    parallelize::{
        chunk::{Chunk, Group, Piece, forall, slice},
        rows::{empty_rows, row_sizes, width_of},
        size::Size,
    },
    support::{builder::Builder, combinator::strip_casts, region::copy_block},
};

/// The elements of arrays at one index, each made once: those of maps in the group are computed.
pub struct Elements<'a, 'c> {
    group: &'a Group<'c>,
    index: Val<'c>,
    made: HashMap<OpKey, Vec<Val<'c>>>,
}

impl<'a, 'c> Elements<'a, 'c> {
    pub fn new(group: &'a Group<'c>, index: Val<'c>) -> Self {
        Self { group, index, made: HashMap::new() }
    }

    /// The element of each array.
    pub fn of(&mut self, b: &Builder<'c>, arrays: &[Val<'c>]) -> Vec<Val<'c>> {
        arrays.iter().map(|&array| self.element(b, array)).collect()
    }

    fn element(&mut self, b: &Builder<'c>, array: Val<'c>) -> Val<'c> {
        let maker = strip_casts(array).defining_op();
        match maker {
            Some(op) if op.op_name() == "soac.iota" => {
                b.index_as(self.index, array.r#type().scalar())
            }
            Some(op) if op.op_name() == "soac.replicate" => {
                op.opnd(0).unwrap_or_else(|| b.row(array, self.index))
            }
            Some(map) if self.group.is_inside(array) => {
                if !self.made.contains_key(&map.key()) {
                    let inputs = self.of(b, &map.operand_list());
                    let rows = map.body(0).map_or(vec![], |body| copy_block(b, body, &inputs));
                    self.made.insert(map.key(), rows);
                }
                self.made[&map.key()][array.position()]
            }
            _ => b.row(array, self.index),
        }
    }
}

/// What an iteration puts into the row of number `i` of a shared array.
pub fn row_of<'c>(b: &Builder<'c>, shared: Val<'c>, value: Val<'c>, i: Val<'c>) -> Piece<'c> {
    let chunk = Chunk { offset: i, size: Size::Known(1) };
    if value.r#type().as_tensor().is_some() {
        return Piece::rows(value, chunk);
    }
    let row = slice(b, shared, &[0], chunk);
    Piece::rows(b.insert_element(value, row, &[b.index(0)]), chunk)
}

/// `soac.map`.
pub fn map<'c>(b: &Builder<'c>, group: &Group<'c>) -> Mapped<'c> {
    let op = group.op;
    let Some(body) = op.body(0) else { return Ok(None) };
    if row_sizes(group).is_none() {
        return Ok(None);
    }
    let Some(shared) = empty_rows(b, group, &op.result_list()) else { return Ok(None) };
    let width = width_of(b, group);
    let results = forall(b, width, &shared, |b, i, shared| {
        let elements = Elements::new(group, i).of(b, &op.operand_list());
        let rows = copy_block(b, body, &elements);
        let rows = rows.into_iter().zip(shared);
        Ok(rows.map(|(row, &shared)| row_of(b, shared, cast_row(b, row, shared), i)).collect())
    })?;
    Ok(Some(results))
}

/// A row whose type says what that of the array says of its sizes.
fn cast_row<'c>(b: &Builder<'c>, row: Val<'c>, array: Val<'c>) -> Val<'c> {
    let wanted = array.r#type().row();
    let is_other = wanted != row.r#type() && row.r#type().as_tensor().is_some();
    if is_other { b.cast(row, wanted) } else { row }
}
