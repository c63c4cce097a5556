//! What threads of a warp do together.

use super::{Body, Decoder, SINK};
use crate::{
    exec::{
        matrix::{Fragment, Part, Product, Rows},
        warp::{Collective, Shuffle, Vote},
    },
    ops::Operation,
    program::{Action, Class},
    syntax::Operand,
    types::{B32, Kind, PRED, Refusal, Type},
};

impl<'a> Decoder<'a, '_> {
    /// A shuffle, a vote, a reduction, a product of matrices or a read of them; nothing for other operations.
    pub(super) fn warp(
        &mut self,
        op: &Operation,
        operands: &[Operand<'a>],
    ) -> Result<Option<Body>, Refusal> {
        match (op.name, op.parts.as_slice(), operands) {
            ("shfl", ["sync", mode, "b32"], [results, value, lane, bounds, mask]) => {
                self.shuffle(mode, results, [value, lane, bounds, mask]).map(Some)
            }
            ("vote", ["sync", mode, ty], [result, vote, mask]) => {
                self.vote([mode, ty], result, vote, mask).map(Some)
            }
            ("redux", ["sync", name, ty], [result, value, mask]) => {
                let Some(f) = reduction(name, ty) else { return Ok(None) };
                let mut slots = [SINK; 6];
                slots[0] = self.result(result, B32, false)?;
                slots[2] = self.operand(value, B32, false)?;
                slots[5] = self.operand(mask, B32, false)?;
                Ok(Some(collective(Collective::Reduce(f), slots, Class::Shuffle)))
            }
            ("bar", ["warp", "sync"], [mask]) => {
                let mut slots = [SINK; 6];
                slots[5] = self.operand(mask, B32, false)?;
                Ok(Some(collective(Collective::Barrier, slots, Class::Barrier)))
            }
            ("activemask", ["b32"], [result]) => {
                let mut slots = [SINK; 6];
                slots[0] = self.result(result, B32, false)?;
                Ok(Some(collective(Collective::Present, slots, Class::Shuffle)))
            }
            ("mma", ["sync", "aligned", rest @ ..], [d, a, b, c]) => {
                self.product(rest, [a, b, c, d]).map(Some)
            }
            (
                "ldmatrix",
                ["sync", "aligned", "m8n8", count, rest @ .., "shared" | "shared::cta", "b16"],
                [Operand::Vector(registers), Operand::Address(base, offset)],
            ) if matches!(rest, [] | ["trans"]) => {
                let count = count.strip_prefix('x').and_then(|count| count.parse().ok());
                if ![1, 2, 4].contains(&registers.len()) || count != Some(registers.len()) {
                    return self.refuse("the registers do not fit the number of matrices");
                }
                let slots = registers.iter().map(|register| self.result(register, B32, false));
                let slots = slots.collect::<Result<_, _>>()?;
                let (space, address, offset) = self.address(op, (*base, *offset))?;
                let is_transposed = !rest.is_empty();
                let rows = Rows { space, address, offset, slots, is_transposed };
                let action = Action::Rows(Box::new(rows));
                Ok(Some(Body { action, slots: [SINK; 6], class: Class::SharedLoad }))
            }
            _ => Ok(None),
        }
    }

    fn shuffle(
        &mut self,
        mode: &str,
        results: &Operand<'a>,
        [value, lane, bounds, mask]: [&Operand<'a>; 4],
    ) -> Result<Body, Refusal> {
        let mode = match mode {
            "up" => Shuffle::Up,
            "down" => Shuffle::Down,
            "bfly" => Shuffle::Butterfly,
            "idx" => Shuffle::Index,
            _ => return self.refuse("the mode is not known"),
        };
        let mut slots = [SINK; 6];
        match results {
            Operand::Pair(value, is_within) => {
                slots[0] = self.result(&Operand::Name(value), B32, false)?;
                slots[1] = self.result(&Operand::Name(is_within), PRED, false)?;
            }
            result => slots[0] = self.result(result, B32, false)?,
        }
        for (slot, operand) in slots[2..].iter_mut().zip([value, lane, bounds, mask]) {
            *slot = self.operand(operand, B32, false)?;
        }
        Ok(collective(Collective::Shuffle(mode), slots, Class::Shuffle))
    }

    fn vote(
        &mut self,
        [mode, ty]: [&str; 2],
        result: &Operand<'a>,
        vote: &Operand<'a>,
        mask: &Operand<'a>,
    ) -> Result<Body, Refusal> {
        let (mode, ty) = match (mode, ty) {
            ("all", "pred") => (Vote::All, PRED),
            ("any", "pred") => (Vote::Any, PRED),
            ("uni", "pred") => (Vote::Uniform, PRED),
            ("ballot", "b32") => (Vote::Ballot, B32),
            _ => return self.refuse("the mode is not known"),
        };
        let (vote, negated) = match vote {
            Operand::Not(name) => (Operand::Name(name), true),
            other => (other.clone(), false),
        };
        let mut slots = [SINK; 6];
        slots[0] = self.result(result, ty, false)?;
        slots[2] = self.operand(&vote, PRED, false)?;
        slots[5] = self.operand(mask, B32, false)?;
        Ok(collective(Collective::Vote(mode, negated), slots, Class::Shuffle))
    }

    /// Registers of a fragment.
    fn fragment(
        &mut self,
        fragment: &Fragment,
        operand: &Operand<'a>,
        is_result: bool,
    ) -> Result<Vec<u32>, Refusal> {
        let Operand::Vector(registers) = operand else {
            return self.refuse("a vector of registers is expected");
        };
        let Some(count) = fragment.registers() else {
            return self.refuse(format!("there is no matrix {fragment}"));
        };
        if registers.len() != count {
            return self.refuse(format!("{} registers, not {count}", registers.len()));
        }
        let ty = Type { kind: Kind::Bits, bits: fragment.ty.bits.max(32) };
        let register = |operand| match is_result {
            true => self.result(operand, ty, false),
            false => self.operand(operand, ty, false),
        };
        registers.iter().map(register).collect()
    }

    /// Factors have rows of the first and columns of the second one in registers.
    fn product(&mut self, parts: &[&str], operands: [&Operand<'a>; 4]) -> Result<Body, Refusal> {
        let [shape, "row", "col", types @ ..] = parts else {
            return self.refuse("modifiers are missing, or the layout is not known");
        };
        let named: Option<Vec<Type>> = types.iter().map(|ty| Type::named(ty)).collect();
        let (Some(&[d, a, b, c]), Some(shape)) = (named.as_deref(), sizes(shape)) else {
            return self.refuse("the types or the shape are not known");
        };
        if a != b || c != d {
            return self.refuse("there is no product of these types");
        }
        let of = |part, ty| Fragment { part, ty, shape };
        let fragments = [of(Part::A, a), of(Part::B, b), of(Part::C, c), of(Part::C, d)];
        let mut slots: [Vec<u32>; 4] = Default::default();
        for (position, (fragment, operand)) in fragments.iter().zip(operands).enumerate() {
            slots[position] = self.fragment(fragment, operand, position == 3)?;
        }
        let action = Action::Product(Box::new(Product { fragments, slots }));
        Ok(Body { action, slots: [SINK; 6], class: Class::Product })
    }
}

fn collective(what: Collective, slots: [u32; 6], class: Class) -> Body {
    Body { action: Action::Collective(what), slots, class }
}

fn reduction(name: &str, ty: &str) -> Option<fn(u32, u32) -> u32> {
    Some(match (name, ty) {
        ("add", "u32" | "s32") => u32::wrapping_add,
        ("min", "u32") => u32::min,
        ("max", "u32") => u32::max,
        ("min", "s32") => |a, b| (a as i32).min(b as i32) as u32,
        ("max", "s32") => |a, b| (a as i32).max(b as i32) as u32,
        ("and", "b32") => |a, b| a & b,
        ("or", "b32") => |a, b| a | b,
        ("xor", "b32") => |a, b| a ^ b,
        _ => return None,
    })
}

/// Rows, columns and summands: `m16n8k8`.
fn sizes(shape: &str) -> Option<[usize; 3]> {
    let (m, rest) = shape.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}
