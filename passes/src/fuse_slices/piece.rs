//! Operations on whole arrays of which one element can be computed by itself.

use std::collections::HashSet;

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt},
    linalg::Structured,
};
use melior::ir::{ValueLike, operation::OperationLike};

use crate::support::{
    combinator::input_count,
    elementwise::{by_element, is_elementwise},
    extent::{Extent, Extents},
    slice::Slice,
    sums::size,
};

/// How an operation makes an element.
pub enum Piece<'c> {
    /// It is one of an array, or of another one that is a part of it.
    Insert { from: Val<'c>, into: Val<'c>, offsets: Vec<Extent<'c>> },
    /// It is one of an array of which the result is a part.
    Extract { of: Val<'c>, offsets: Vec<Extent<'c>> },
    /// It is computed from elements of others: by arithmetic on arrays, or by a structured operation or a map that do
    /// nothing else.
    Each,
}

impl<'c> Piece<'c> {
    /// How an operation does, if each element can be computed by itself, those of several results together.
    pub fn of(op: Op<'c>) -> Option<Self> {
        let shape = op.res(0)?.r#type().shape();
        let rank = shape.len();
        let is_alike = |value: &Val<'c>| value.r#type().shape() == shape;
        if rank == 0 || !op.result_list().iter().all(is_alike) {
            return None;
        }
        let has_rank = |value: &Val<'c>| value.r#type().shape().len() == rank;
        match op.op_name() {
            "tensor.insert_slice" => {
                let (from, into) = (op.opnd(0)?, op.opnd(1)?);
                let offsets = Slice::of(op, 2, |value| value)?.dense_offsets()?;
                has_rank(&from).then_some(Self::Insert { from, into, offsets })
            }
            "tensor.extract_slice" => {
                let of = op.opnd(0).filter(has_rank)?;
                let offsets = Slice::of(op, 1, |value| value)?.dense_offsets()?;
                Some(Self::Extract { of, offsets })
            }
            _ if is_elementwise(op) || is_structured(op) || is_map(op, rank) => Some(Self::Each),
            _ => None,
        }
    }
}

/// Whether a structured operation computes all of its results' elements, each at its place, by arithmetic alone.
fn is_structured(op: Op<'_>) -> bool {
    let Some(s) = Structured::of(op).filter(|s| s.inits.len() == op.result_count()) else {
        return false;
    };
    let all: Vec<_> = (0..s.loops).collect();
    let is_number = |op: Op<'_>| {
        let name = op.op_name();
        let is_known =
            ["arith.", "math.", "complex."].iter().any(|dialect| name.starts_with(dialect));
        (is_known || name == "linalg.index") && op.blocks().is_empty()
    };
    let in_place = |map: &Vec<_>| map.len() == s.loops && Structured::plain_loops(map) == all;
    s.output_maps().iter().all(in_place) && s.body.body_ops().into_iter().all(is_number)
}

/// Whether a map, with maps in it, is arithmetic on numbers alone, on arrays with no more dimensions than it makes.
fn is_map(op: Op<'_>, rank: usize) -> bool {
    let is_narrow = |operand: &Val<'_>| operand.r#type().shape().len() <= rank;
    let is_map = op.op_name() == "soac.map"
        && input_count(op) == op.operand_count()
        && op.operand_list().iter().all(is_narrow);
    let body = op.body(0).filter(|_| is_map);
    body.is_some_and(|body| {
        let mut known: HashSet<_> = body.arg_list().iter().map(ValExt::key).collect();
        by_element(body, &mut known)
    })
}

/// Whether a part of an array that is inserted is all of it but a border, or at least half.
pub fn is_most<'c>(extents: &mut Extents<'c>, from: Val<'c>, into: Val<'c>) -> bool {
    let mut share = 1.0;
    for d in 0..into.r#type().shape().len() {
        let [part, all] = [from, into].map(|array| size(extents, array, d));
        match (part.as_constant(), all.as_constant()) {
            (Some(part), Some(all)) => share *= part as f64 / all.max(1) as f64,
            _ if all.plus(&part, -1).as_constant().is_some() => {}
            _ => return false,
        }
    }
    share >= 0.5
}
