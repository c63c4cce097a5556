//! What one iteration of the parallel loop sees of the arrays of a group.

use std::collections::HashMap;

use ad_dialect::ir::{Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey, array_of};
use melior::ir::{Type, ValueLike};

use super::group::Group;
use crate::support::{
    builder::Builder,
    chunk::{Chunk, operand, slice},
    combinator::input_count,
    diag::Result,
    region::clone_with,
};

/// The chunk of some arrays, each made once.
pub struct Parts<'a, 'c> {
    group: &'a Group<'c>,
    chunk: Chunk<'c>,
    maps: HashMap<OpKey, Op<'c>>,
    starts: HashMap<OpKey, Vec<Val<'c>>>,
    places: HashMap<ValueKey, Val<'c>>,
}

impl<'a, 'c> Parts<'a, 'c> {
    pub fn new(group: &'a Group<'c>, chunk: Chunk<'c>) -> Self {
        let (maps, starts, places) = Default::default();
        Self { group, chunk, maps, starts, places }
    }

    /// With what scans start from in the chunk.
    pub fn starting(mut self, starts: Vec<(Op<'c>, Vec<Val<'c>>)>) -> Self {
        self.starts = starts.into_iter().map(|(scan, start)| (scan.key(), start)).collect();
        self
    }

    /// With shared results that take the place of arrays, whose rows are there before they are written.
    pub fn reading_from(mut self, places: Vec<(Val<'c>, Val<'c>)>) -> Self {
        self.places = places.into_iter().map(|(array, place)| (array.key(), place)).collect();
        self
    }

    /// The operands of an operation for the chunk.
    pub fn operands(&mut self, b: &Builder<'c>, op: Op<'c>) -> Result<Vec<Val<'c>>> {
        let mut operands = op.operand_list();
        if let Some(start) = self.starts.get(&op.key()).cloned() {
            operands.truncate(input_count(op));
            return Ok([self.of(b, &operands)?, start].concat());
        }
        let part = |operand: Val<'c>| match operand.r#type().as_tensor() {
            Some(_) => self.part(b, operand),
            // An elementwise operation may have a scalar beside arrays.
            None => Ok(operand),
        };
        operands.into_iter().map(part).collect()
    }

    /// The chunk of each array.
    pub fn of(&mut self, b: &Builder<'c>, arrays: &[Val<'c>]) -> Result<Vec<Val<'c>>> {
        arrays.iter().map(|&array| self.part(b, array)).collect()
    }

    fn part(&mut self, b: &Builder<'c>, array: Val<'c>) -> Result<Val<'c>> {
        let size = self.chunk.size;
        match array.defining_op() {
            Some(op) if op.op_name() == "soac.iota" => {
                // A map that runs in the loop of its reader.
                let iota = b.val("soac.iota", &operand(b, size), self.type_of(array));
                let offset = self.chunk.offset;
                let shifted = b.map(&[iota], &[], &[iota.r#type()], |b, i| {
                    Ok(vec![b.add(i[0], b.index_as(offset, i[0].r#type()))])
                })?;
                Ok(shifted[0])
            }
            Some(op) if op.op_name() == "soac.replicate" => {
                let value: Vec<_> = op.opnd(0).into_iter().collect();
                let operands = [&value[..], &operand(b, size)].concat();
                Ok(b.val("soac.replicate", &operands, self.type_of(array)))
            }
            Some(map) if self.group.is_inside(array) => {
                if !self.maps.contains_key(&map.key()) {
                    let inputs = self.operands(b, map)?;
                    let types: Vec<_> =
                        map.result_list().iter().map(|&result| self.type_of(result)).collect();
                    self.maps.insert(map.key(), clone_with(b, map, &inputs, &types));
                }
                let copy = self.maps.get(&map.key()).and_then(|map| map.res(array.position()));
                Ok(copy.unwrap_or(array))
            }
            _ => {
                let place = self.places.get(&array.key()).copied().unwrap_or(array);
                Ok(slice(b, place, &[0], self.chunk))
            }
        }
    }

    /// The type of the chunk of an array.
    pub fn type_of(&self, array: Val<'c>) -> Type<'c> {
        array_of(self.chunk.size.in_type(), array.r#type().row())
    }
}
