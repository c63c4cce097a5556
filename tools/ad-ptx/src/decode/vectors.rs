//! Registers taken apart and put together, and addresses in other spaces.

use super::{Body, Decoder, SINK};
use crate::{
    memory::{LOCAL_WINDOW, SHARED_WINDOW, WINDOW},
    ops::Operation,
    program::{Action, Class},
    syntax::Operand,
    types::{B64, Kind, PRED, Refusal, Space, Type},
    value::{Compute, unary},
};

impl<'a> Decoder<'a, '_> {
    /// `mov` of vectors, `cvta` and `isspacep`; nothing for others.
    pub(super) fn vector(
        &mut self,
        op: &Operation,
        operands: &[Operand<'a>],
    ) -> Result<Option<Body>, Refusal> {
        match (op.name, operands) {
            ("mov", [result, Operand::Vector(parts)]) => self.pack(op, result, parts).map(Some),
            ("mov", [Operand::Vector(parts), whole]) => self.unpack(op, parts, whole).map(Some),
            ("cvta" | "isspacep", [result, operand]) => self.space(op, result, operand).map(Some),
            _ => Ok(None),
        }
    }

    /// The type of a whole, and that of its parts.
    fn parts(&self, op: &Operation, count: usize) -> Result<[Type; 2], Refusal> {
        let ty = op.ty().or_else(|text| self.refuse(text))?;
        let bits = ty.bits / count.max(1) as u32;
        if ty.kind != Kind::Bits || bits < 8 || bits * count as u32 != ty.bits {
            return self.refuse(format!("{count} registers are not {} bits", ty.bits));
        }
        Ok([ty, Type { kind: Kind::Bits, bits }])
    }

    fn pack(
        &mut self,
        op: &Operation,
        result: &Operand<'a>,
        parts: &[Operand<'a>],
    ) -> Result<Body, Refusal> {
        let [ty, part] = self.parts(op, parts.len())?;
        let mut slots = [SINK; 6];
        slots[0] = self.result(result, ty, false)?;
        for (slot, operand) in slots[1..].iter_mut().zip(parts) {
            *slot = self.operand(operand, part, part.bits == 8)?;
        }
        let (count, bits) = (parts.len(), part.bits);
        let compute: Compute = Box::new(move |frame, s| {
            let whole = (0..count).rev().fold(0u64, |whole, position| {
                whole << bits | frame.get::<u64>(s[1 + position]) & (u64::MAX >> (64 - bits))
            });
            frame.set(s[0], whole);
        });
        Ok(Body { action: Action::Compute(compute), slots, class: Class::Integer })
    }

    fn unpack(
        &mut self,
        op: &Operation,
        parts: &[Operand<'a>],
        whole: &Operand<'a>,
    ) -> Result<Body, Refusal> {
        let [ty, part] = self.parts(op, parts.len())?;
        let mut slots = [SINK; 6];
        for (slot, operand) in slots[1..].iter_mut().zip(parts) {
            *slot = self.result(operand, part, part.bits == 8)?;
        }
        slots[0] = self.operand(whole, ty, false)?;
        let (count, bits) = (parts.len(), part.bits);
        let compute: Compute = Box::new(move |frame, s| {
            let mut whole: u64 = frame.get(s[0]);
            for slot in &s[1..=count] {
                frame.set(*slot, whole & (u64::MAX >> (64 - bits)));
                whole = whole.checked_shr(bits).unwrap_or(0);
            }
        });
        Ok(Body { action: Action::Compute(compute), slots, class: Class::Integer })
    }

    /// Generic addresses are those of memory of the device, but for two windows.
    fn space(
        &mut self,
        op: &Operation,
        result: &Operand<'a>,
        operand: &Operand<'a>,
    ) -> Result<Body, Refusal> {
        let Some(space) = op.parts.iter().find_map(|part| Space::named(part)) else {
            return self.refuse("a state space is missing");
        };
        op.allow(&["to", "global", "shared", "shared::cta", "local", "const"])
            .or_else(|text| self.refuse(text))?;
        let window = match space {
            Space::Shared => Some(SHARED_WINDOW),
            Space::Local => Some(LOCAL_WINDOW),
            _ => None,
        };
        let is_test = op.name == "isspacep";
        let compute = match (is_test, window) {
            (true, Some(first)) => unary(move |a: u64| a.wrapping_sub(first) < WINDOW),
            (true, None) => unary(|a: u64| {
                [SHARED_WINDOW, LOCAL_WINDOW].iter().all(|first| a.wrapping_sub(*first) >= WINDOW)
            }),
            (false, None) => unary(|a: u64| a),
            (false, Some(first)) if op.has("to") => unary(move |a: u64| a.wrapping_sub(first)),
            (false, Some(first)) => unary(move |a: u64| a.wrapping_add(first)),
        };
        let mut slots = [SINK; 6];
        slots[0] = self.result(result, if is_test { PRED } else { B64 }, false)?;
        slots[1] = self.operand(operand, B64, false)?;
        Ok(Body { action: Action::Compute(compute), slots, class: Class::Integer })
    }
}
