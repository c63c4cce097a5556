//! One element of what a group of operations makes.

use std::collections::HashSet;

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey, int_of},
    linalg::Structured,
};
use melior::ir::{ValueLike, operation::OperationLike};

use super::piece::Piece;
use crate::support::{
    builder::{Builder, CMP_ULT},
    diag::Result,
    elementwise::{element, everywhere},
    extent::{Extent, Extents},
    place::Sum,
    region::{ValueMap, clone_op, clone_with, renamed},
    structured::index_at,
    sums::{of_extent, size},
};

/// The most elements that are looked at to find out whether one is read.
const SEEN: usize = 256;

/// The elements of arrays that are known where code is being written.
pub struct Elements<'a, 'c> {
    /// The operations that are computed; what others make is read.
    group: &'a HashSet<OpKey>,
    extents: Extents<'c>,
    /// What is known of arrays, by index.
    known: Vec<(ValueKey, Vec<Sum>, Val<'c>)>,
    /// How many more elements may be looked up.
    left: usize,
}

impl<'a, 'c> Elements<'a, 'c> {
    /// None yet.
    pub fn new(group: &'a HashSet<OpKey>, extents: Extents<'c>, most: usize) -> Self {
        Self { group, extents, known: vec![], left: most }
    }

    /// Whether more elements were looked up than may be: what was written is not what was asked for then.
    pub fn is_too_much(&self) -> bool {
        self.left == 0
    }

    /// An element of an array.
    pub fn of(&mut self, b: &Builder<'c>, array: Val<'c>, at: &[Val<'c>]) -> Result<Val<'c>> {
        self.left = self.left.saturating_sub(1);
        if let Some(number) = everywhere(array) {
            return Ok(number);
        }
        let place: Vec<_> = at.iter().map(|&index| Sum::of(index)).collect();
        let mut known = self.known.iter();
        if let Some((.., value)) = known.find(|(key, at, _)| *key == array.key() && *at == place) {
            return Ok(*value);
        }
        let op = array.defining_op().filter(|_| self.left > 0);
        let made = match op.and_then(|op| Some((op, Piece::of(op)?))) {
            Some((_, Piece::Extract { of, offsets })) => {
                let at: Vec<_> = at
                    .iter()
                    .zip(offsets)
                    .map(|(&index, offset)| moved(b, "arith.addi", index, offset))
                    .collect();
                self.of(b, of, &at)?
            }
            Some((op, piece)) if self.group.contains(&op.key()) => match piece {
                Piece::Insert { from, into, offsets } => {
                    self.inserted(b, from, into, &offsets, at)?
                }
                _ => {
                    let made = self.computed(b, op, at)?;
                    let results = op.result_list().into_iter().zip(&made);
                    self.known.extend(
                        results.map(|(result, &value)| (result.key(), place.clone(), value)),
                    );
                    return Ok(made[array.position()]);
                }
            },
            _ => b.extract(array, at),
        };
        self.known.push((array.key(), place, made));
        Ok(made)
    }

    /// An element of an array of which a part comes from another one.
    fn inserted(
        &mut self,
        b: &Builder<'c>,
        from: Val<'c>,
        into: Val<'c>,
        offsets: &[Extent<'c>],
        at: &[Val<'c>],
    ) -> Result<Val<'c>> {
        let mut own = vec![];
        let mut inside = vec![];
        for (d, (&index, &offset)) in at.iter().zip(offsets).enumerate() {
            let moved = moved(b, "arith.subi", index, offset);
            own.push(moved);
            let [part, all] = [from, into].map(|array| size(&mut self.extents, array, d));
            if offset != Extent::Known(0) || part != all {
                let size = self.extents.of(from, d).value(b);
                inside.push(b.compare(CMP_ULT, moved, size));
            }
        }
        let Some(inside) = inside.into_iter().reduce(|x, y| b.same("arith.andi", &[x, y])) else {
            return self.of(b, from, &own);
        };
        // What the part is computed of is there for both branches.
        let shift: Vec<_> =
            offsets.iter().map(|&offset| of_extent(&mut self.extents, offset)).collect();
        if self.reads(from, &shift, into, &mut vec![]) {
            self.of(b, into, at)?;
        }
        let chosen = b.if_else(inside, &[into.r#type().scalar()], |b, inside| {
            let before = self.known.len();
            let value = if inside { self.of(&b, from, &own) } else { self.of(&b, into, at) };
            self.known.truncate(before);
            Ok(vec![value?])
        })?;
        Ok(chosen.result_list()[0])
    }

    /// Whether an element of an array is computed of another array's, at the index plus a shift, as far as is seen when
    /// a number of elements were looked at, each once.
    fn reads(
        &mut self,
        array: Val<'c>,
        shift: &[Sum],
        other: Val<'c>,
        seen: &mut Vec<(ValueKey, Vec<Sum>)>,
    ) -> bool {
        if array == other {
            return shift.iter().all(|shift| shift.as_constant() == Some(0));
        }
        let is_seen = |(key, at): &(ValueKey, Vec<Sum>)| *key == array.key() && at == shift;
        if seen.len() == SEEN || seen.iter().any(is_seen) {
            return false;
        }
        seen.push((array.key(), shift.to_vec()));
        let Some(op) = array.defining_op() else { return false };
        match Piece::of(op) {
            // `shift` is where the part is in the other array, of which this is a part, too.
            Some(Piece::Extract { of, offsets }) => {
                let offsets =
                    offsets.into_iter().map(|offset| of_extent(&mut self.extents, offset));
                let shift = shift.iter().zip(offsets).map(|(all, one)| all.clone().plus(&one, -1));
                let shift: Vec<_> = shift.collect();
                self.reads(of, &shift, other, seen)
            }
            _ if !self.group.contains(&op.key()) => false,
            Some(Piece::Each) => {
                let rank = shift.len();
                let mut same = op.operand_list().into_iter();
                same.any(|value| {
                    value.r#type().shape().len() == rank && self.reads(value, shift, other, seen)
                })
            }
            _ => false,
        }
    }

    /// The elements that a group's operation computes of others.
    fn computed(&mut self, b: &Builder<'c>, op: Op<'c>, at: &[Val<'c>]) -> Result<Vec<Val<'c>>> {
        let b = &b.with_location(op.location());
        if let Some(s) = Structured::of(op) {
            return self.structured(b, &s, at);
        }
        let operands = op.operand_list();
        let elements = operands.into_iter().map(|operand| self.operand(b, operand, at));
        let elements = elements.collect::<Result<Vec<_>>>()?;
        Ok(match op.body(0) {
            Some(body) => {
                let keys = body.arg_list().into_iter().map(|argument| argument.key());
                element(b, body, &mut keys.zip(elements).collect())
            }
            None => {
                let types: Vec<_> = op.result_list().iter().map(|v| v.r#type().scalar()).collect();
                clone_with(b, op, &elements, &types).result_list()
            }
        })
    }

    /// The element of an operand that has the first dimensions of the result.
    fn operand(&mut self, b: &Builder<'c>, operand: Val<'c>, at: &[Val<'c>]) -> Result<Val<'c>> {
        match operand.r#type().as_tensor() {
            Some(_) => self.of(b, operand, &at[..operand.r#type().shape().len()]),
            None => Ok(operand),
        }
    }

    /// What a structured operation computes at some indices.
    fn structured(
        &mut self,
        b: &Builder<'c>,
        s: &Structured<'c>,
        at: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let points: Vec<_> = at.iter().map(|&index| Some(index)).collect();
        let mut names = ValueMap::new();
        let operands = s.inputs.iter().chain(&s.inits);
        for ((argument, &operand), map) in s.body.arg_list().into_iter().zip(operands).zip(&s.maps)
        {
            if argument.users().is_empty() {
                continue;
            }
            let value = match operand.r#type().as_tensor() {
                Some(_) => {
                    let indices: Vec<_> =
                        map.iter().map(|index| index_at(b, index, &points)).collect();
                    self.of(b, operand, &indices)?
                }
                None => operand,
            };
            names.insert(argument.key(), value);
        }
        for op in s.body.body_ops() {
            let number = op.attr("dim").filter(|_| op.op_name() == "linalg.index").and_then(int_of);
            match (number, op.res(0)) {
                (Some(loop_number), Some(result)) => {
                    names.insert(result.key(), at[loop_number as usize]);
                }
                _ => {
                    clone_op(b, op, &mut names);
                }
            }
        }
        Ok(s.body.ends().into_iter().map(|end| renamed(&names, end)).collect())
    }
}

/// An index plus or minus an offset.
fn moved<'c>(b: &Builder<'c>, name: &str, index: Val<'c>, offset: Extent<'c>) -> Val<'c> {
    match offset {
        Extent::Known(0) => index,
        offset => b.same(name, &[index, offset.value(b)]),
    }
}
