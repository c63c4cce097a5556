//! Loads, stores and atomic operations.

use super::{Body, Decoder, SINK, names::Meaning};
use crate::{
    exec::atomic,
    ops::Operation,
    program::{Access, Action, Class},
    syntax::Operand,
    types::{B64, Kind, Refusal, Space, Type},
};

/// Modifiers of accesses that change nothing where all accesses take effect in order.
const ORDERS: [&str; 19] = [
    "volatile", "relaxed", "acquire", "release", "acq_rel", "weak", "cta", "gpu", "sys", "nc",
    "ca", "cg", "cs", "cv", "lu", "wb", "wt", "v2", "v4",
];

impl<'a> Decoder<'a, '_> {
    /// An access; nothing for other operations.
    pub(super) fn memory(
        &mut self,
        op: &Operation,
        operands: &[Operand<'a>],
    ) -> Result<Option<Body>, Refusal> {
        match (op.name, operands) {
            ("ld" | "ldu", [values, Operand::Address(base, offset)]) => {
                self.plain(op, values, (*base, *offset), true).map(Some)
            }
            ("st", [Operand::Address(base, offset), values]) => {
                self.plain(op, values, (*base, *offset), false).map(Some)
            }
            ("atom", [result, Operand::Address(base, offset), values @ ..]) => {
                let result = Some(result);
                self.atomic(op, result, (*base, *offset), values).map(Some)
            }
            ("red", [Operand::Address(base, offset), values @ ..]) => {
                self.atomic(op, None, (*base, *offset), values).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The space of an access, the register of its address, and what is added.
    pub(super) fn address(
        &mut self,
        op: &Operation,
        (base, offset): (Option<&'a str>, i64),
    ) -> Result<(Space, u32, i64), Refusal> {
        let space = op.parts.iter().find_map(|part| Space::named(part)).unwrap_or(Space::Generic);
        let Some(name) = base else { return Ok((space, self.names.constant(0), offset)) };
        let slot = match self.names.meaning(name) {
            Some(Meaning::Param([first, size])) => {
                let is_inside = u64::try_from(offset).is_ok_and(|o| o < u64::from(size.max(1)));
                if space != Space::Param || !is_inside {
                    return self.refuse(format!("{name}+{offset} is not in a parameter"));
                }
                self.names.constant(u64::from(first))
            }
            Some(Meaning::Address(of, _))
                if space != Space::Generic
                    && space != of
                    && !(space == Space::Const && of == Space::Global) =>
            {
                return self.refuse(format!("'{name}' is not in this state space"));
            }
            _ => self.operand(&Operand::Name(name), B64, false)?,
        };
        Ok((space, slot, offset))
    }

    fn plain(
        &mut self,
        op: &Operation,
        values: &Operand<'a>,
        address: (Option<&'a str>, i64),
        is_load: bool,
    ) -> Result<Body, Refusal> {
        let spaces = ["global", "shared", "shared::cta", "local", "param", "const"];
        let known: Vec<&str> = ORDERS.into_iter().chain(spaces).collect();
        op.allow(&known).or_else(|text| self.refuse(text))?;
        let ty = op.ty().or_else(|text| self.refuse(text))?;
        let (space, slot, offset) = self.address(op, address)?;
        let one = std::slice::from_ref(values);
        let (values, count) = match values {
            Operand::Vector(values) => (values.as_slice(), if op.has("v4") { 4 } else { 2 }),
            _ => (one, 1),
        };
        let is_vector = op.has("v2") || op.has("v4");
        if values.len() != count || is_vector != (count > 1) || ty.bits < 8 {
            return self.refuse("the registers do not fit the vector");
        }
        if !is_load && matches!(space, Space::Const) {
            return self.refuse("constants are not written");
        }
        let mut slots = [SINK; 6];
        let mut extend = 0;
        for (place, value) in slots.iter_mut().zip(values) {
            // Registers may be wider than what is accessed.
            *place = match is_load {
                true => self.result(value, Type { kind: Kind::Bits, ..ty }, true)?,
                false => self.operand(value, ty, true)?,
            };
            if let (true, Kind::Signed, Operand::Name(name)) = (is_load, ty.kind, value) {
                extend = self.names.bits(name).max(ty.bits);
            }
        }
        slots[4] = slot;
        let access = Access { space, bytes: ty.bytes(), count: count as u32, extend, offset };
        let class = match (space, is_load) {
            (Space::Shared, true) => Class::SharedLoad,
            (Space::Shared, false) => Class::SharedStore,
            (Space::Local | Space::Param, _) => Class::Local,
            (_, true) => Class::GlobalLoad,
            (_, false) => Class::GlobalStore,
        };
        let action = if is_load { Action::Load(access) } else { Action::Store(access) };
        Ok(Body { action, slots, class })
    }

    fn atomic(
        &mut self,
        op: &Operation,
        result: Option<&Operand<'a>>,
        address: (Option<&'a str>, i64),
        values: &[Operand<'a>],
    ) -> Result<Body, Refusal> {
        const NAMES: [&str; 10] =
            ["add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"];
        let known: Vec<&str> =
            ORDERS.into_iter().chain(NAMES).chain(["global", "shared", "shared::cta"]).collect();
        op.allow(&known).or_else(|text| self.refuse(text))?;
        let ty = op.ty().or_else(|text| self.refuse(text))?;
        let name = op.parts.iter().find(|part| NAMES.contains(part)).copied().unwrap_or_default();
        let (space, slot, offset) = self.address(op, address)?;
        let Some(f) = atomic::named(op, name, ty) else {
            return self.refuse("the operation is not there for this type");
        };
        if values.len() != if name == "cas" { 2 } else { 1 } {
            return self.refuse("operands are too few or too many");
        }
        let mut slots = [SINK; 6];
        if let Some(result) = result {
            slots[0] = self.result(result, ty, false)?;
        }
        for (place, value) in slots[1..].iter_mut().zip(values) {
            *place = self.operand(value, ty, false)?;
        }
        slots[4] = slot;
        let access = Access { space, bytes: ty.bytes(), count: 1, extend: 0, offset };
        Ok(Body { action: Action::Atomic(access, f), slots, class: Class::Atomic })
    }
}
