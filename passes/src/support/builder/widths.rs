//! Sums of short floating-point numbers, which are made in f32: of n numbers of 11 bits, one at a time, little more than 2048
//! would ever come.

use ad_dialect::ir::{OpExt, TyExt, Val, ValExt, float_width, tensor_type, with_scalar};
use melior::ir::{Type, ValueLike};

use super::Builder;

impl<'c> Builder<'c> {
    /// The type of a sum of values of a type: f32 in place of f16, bf16 and shorter ones, also in tensors.
    pub fn sum_type(&self, r#type: Type<'c>) -> Type<'c> {
        let scalar = r#type.scalar();
        let is_short = scalar.is_float_type() && float_width(scalar) < 32;
        if is_short { retyped(r#type, Type::float32(self.context)) } else { r#type }
    }

    /// A value as an element of a sum of some type. What was made short before is as it was.
    pub fn as_term(&self, value: Val<'c>, sum: Type<'c>) -> Val<'c> {
        let wide = retyped(value.r#type(), sum.scalar());
        if wide == value.r#type() {
            return value;
        }
        let is_short = self.sum_type(value.r#type()) == wide;
        let made = value.defining_op().filter(|op| is_short && op.op_name() == "arith.truncf");
        let before = made.and_then(|op| op.opnd(0)).filter(|before| before.r#type() == wide);
        before.unwrap_or_else(|| self.val("arith.extf", &[value], wide))
    }

    /// A sum as a value of a type.
    pub fn as_value(&self, sum: Val<'c>, r#type: Type<'c>) -> Val<'c> {
        if sum.r#type() == r#type { sum } else { self.val("arith.truncf", &[sum], r#type) }
    }
}

/// The type of as many numbers of another type.
fn retyped<'c>(like: Type<'c>, scalar: Type<'c>) -> Type<'c> {
    match like.as_tensor() {
        Some(_) => tensor_type(&like.shape(), scalar),
        None => with_scalar(like, scalar),
    }
}
