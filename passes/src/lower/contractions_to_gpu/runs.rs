//! Numbers that lie side by side in memory, and that a thread reads or writes at once.

use ad_dialect::ir::{TyExt, Val, vector_type};
use melior::ir::{Attribute, Type, ValueLike};

use super::tile::WIDEST;
use crate::support::{
    builder::Builder,
    memory::{are_aligned, bytes_of, element},
};

/// How many numbers of a type a thread reads or writes at a time at most. There are no vectors of complex ones.
pub fn most_lanes(number: Type<'_>) -> i64 {
    if number.is_complex_type() { 1 } else { WIDEST / bytes_of(number).unwrap_or(WIDEST) }
}

/// Numbers of an array that are read or written several at a time.
pub struct Runs<'c> {
    array: Val<'c>,
    /// The place of the first one of each.
    firsts: Vec<Vec<Val<'c>>>,
    /// How many there are in each.
    lanes: i64,
    /// Whether all of them begin at multiples of their length in memory.
    pub are_aligned: Val<'c>,
}

impl<'c> Runs<'c> {
    /// Those that begin at some places; nothing if that is not known of their addresses.
    pub fn new(
        b: &Builder<'c>,
        array: Val<'c>,
        firsts: Vec<Vec<Val<'c>>>,
        lanes: i64,
    ) -> Option<Self> {
        let bytes = bytes_of(element(array)?)?;
        let are_aligned = are_aligned(b, array, &firsts, lanes * bytes)?;
        Some(Self { array, firsts, lanes, are_aligned })
    }

    /// Reads all of them, where they are aligned.
    pub fn read(&self, b: &Builder<'c>) -> Vec<Val<'c>> {
        self.firsts.iter().flat_map(|place| load_run(b, self.array, place, self.lanes)).collect()
    }

    /// Writes all of them, where they are aligned.
    pub fn write(&self, b: &Builder<'c>, values: &[Val<'c>]) {
        for (place, values) in self.firsts.iter().zip(values.chunks(self.lanes as usize)) {
            store_run(b, self.array, place, values);
        }
    }
}

/// Writes numbers to a place and those behind it, which is a multiple of their length in memory.
pub fn store_run<'c>(b: &Builder<'c>, array: Val<'c>, place: &[Val<'c>], values: &[Val<'c>]) {
    let (Some(first), lanes) = (values.first(), values.len() as i64) else { return };
    let r#type = vector_type(&[lanes], first.r#type());
    let attributes = [("alignment", length(b, first.r#type(), lanes))];
    let values = b.val("vector.from_elements", values, r#type);
    let operands = [&[values, array], place].concat();
    b.op_with("vector.store", &operands, &[], &attributes, &[]);
}

/// Reads so many numbers from a place on, which is a multiple of their length in memory.
pub fn load_run<'c>(
    b: &Builder<'c>,
    array: Val<'c>,
    place: &[Val<'c>],
    lanes: i64,
) -> Vec<Val<'c>> {
    let Some(scalar) = element(array) else { return vec![] };
    let attributes = [("alignment", length(b, scalar, lanes))];
    let operands = [&[array], place].concat();
    let vector = b.val_with("vector.load", &operands, vector_type(&[lanes], scalar), &attributes);
    let lane = |i| [("static_position", b.i64s_attr(&[i]))];
    (0..lanes).map(|i| b.val_with("vector.extract", &[vector], scalar, &lane(i))).collect()
}

/// How many bytes so many numbers have.
fn length<'c>(b: &Builder<'c>, scalar: Type<'c>, lanes: i64) -> Attribute<'c> {
    b.i64_attr(lanes * bytes_of(scalar).unwrap_or(1))
}
