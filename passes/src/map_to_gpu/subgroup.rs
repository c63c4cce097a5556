//! Numbers that threads of a subgroup hand to each other in registers.
//!
//! A subgroup is `LANES` neighbouring threads of a block. Devices whose subgroups are larger shuffle within parts of that
//! size.

use ad_dialect::ir::{OpExt, TyExt, Val, float_width, part_type};
use melior::ir::{Attribute, Type, TypeLike, ValueLike, r#type::IntegerType};

pub use crate::lower::forall_to_gpu::LANES;
use crate::support::builder::Builder;

/// The steps in which a subgroup combines what its threads have.
pub const STEPS: i64 = LANES.ilog2() as i64;

/// Whether numbers of a type can be handed on.
pub fn has_shuffles(scalar: Type<'_>) -> bool {
    if scalar.is_complex_type() {
        return has_shuffles(part_type(scalar));
    }
    bits(scalar).is_some_and(|bits| bits <= 64)
}

/// The bits of a number.
fn bits(scalar: Type<'_>) -> Option<u32> {
    if scalar.is_float_type() {
        return Some(float_width(scalar));
    }
    if scalar.is_index() {
        return Some(64);
    }
    IntegerType::try_from(scalar).ok().map(|integer| integer.width())
}

/// What the thread has that comes so many behind this one; beyond the last thread of the subgroup it may be anything.
pub fn from_behind<'c>(b: &Builder<'c>, value: Val<'c>, distance: Val<'c>) -> Val<'c> {
    Shuffle { mode: "down", distance: b.index_as(distance, integer(b, 32)) }.of(b, value)
}

/// The same for the thread that comes before this one, and the first thread.
pub fn from_before<'c>(b: &Builder<'c>, value: Val<'c>, distance: Val<'c>) -> Val<'c> {
    Shuffle { mode: "up", distance: b.index_as(distance, integer(b, 32)) }.of(b, value)
}

/// What the thread has whose number differs in one bit, that of a distance.
pub fn across<'c>(b: &Builder<'c>, value: Val<'c>, distance: Val<'c>) -> Val<'c> {
    Shuffle { mode: "xor", distance: b.index_as(distance, integer(b, 32)) }.of(b, value)
}

/// What a thread of the subgroup has, by its number.
pub fn of_lane<'c>(b: &Builder<'c>, value: Val<'c>, lane: i64) -> Val<'c> {
    Shuffle { mode: "idx", distance: b.i32(lane) }.of(b, value)
}

/// An exchange of numbers.
struct Shuffle<'c> {
    mode: &'static str,
    /// How far away the other thread is, or its number.
    distance: Val<'c>,
}

impl<'c> Shuffle<'c> {
    /// Registers move 32 or 64 bits at a time, which other numbers become.
    fn of(&self, b: &Builder<'c>, value: Val<'c>) -> Val<'c> {
        let scalar = value.r#type();
        if scalar.is_complex_type() {
            let part = |name| self.of(b, b.val(name, &[value], part_type(scalar)));
            return b.val("complex.create", &[part("complex.re"), part("complex.im")], scalar);
        }
        if scalar.is_index() {
            return b.as_index(self.exchange(b, b.index_as(value, integer(b, 64))));
        }
        let width = bits(scalar).unwrap_or(64);
        if width == 32 || width == 64 {
            return self.exchange(b, value);
        }
        let narrow = integer(b, width);
        let own = if scalar == narrow { value } else { b.val("arith.bitcast", &[value], narrow) };
        let wide = b.val("arith.extui", &[own], integer(b, if width < 32 { 32 } else { 64 }));
        let other = b.val("arith.trunci", &[self.exchange(b, wide)], narrow);
        if scalar == narrow { other } else { b.val("arith.bitcast", &[other], scalar) }
    }

    fn exchange(&self, b: &Builder<'c>, value: Val<'c>) -> Val<'c> {
        let mode = Attribute::parse(b.context(), &format!("#gpu<shuffle_mode {}>", self.mode));
        let mode: Vec<_> = mode.into_iter().map(|mode| ("mode", mode)).collect();
        let operands = [value, self.distance, b.i32(LANES)];
        let types = [value.r#type(), b.bool_type()];
        let op = b.op_with("gpu.shuffle", &operands, &types, &mode, &[]);
        op.res(0).unwrap_or(value)
    }
}

fn integer<'c>(b: &Builder<'c>, width: u32) -> Type<'c> {
    IntegerType::new(b.context(), width).into()
}
