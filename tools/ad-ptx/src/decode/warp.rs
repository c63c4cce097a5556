//! What threads of a warp do together.

use super::{Body, Decoder, SINK};
use crate::{
    exec::{
        matrix::{Fragment, Matrix, Part, Product, Transfer},
        warp::{Collective, Shuffle, Vote},
    },
    ops::Operation,
    program::{Action, Class},
    syntax::Operand,
    types::{B32, F32, Kind, PRED, Refusal, Type, U32},
};

impl<'a> Decoder<'a, '_> {
    /// A shuffle, a vote, a reduction or a product of matrices; nothing for other operations.
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
            ("wmma", ["load" | "store", ..], [first, second, stride @ ..]) => {
                self.transfer(op, [first, second], stride.first()).map(Some)
            }
            ("wmma", ["mma", "sync", "aligned", rest @ ..], [d, a, b, c]) => {
                self.product(rest, [a, b, c, d]).map(Some)
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

    fn transfer(
        &mut self,
        op: &Operation,
        operands: [&Operand<'a>; 2],
        stride: Option<&Operand<'a>>,
    ) -> Result<Body, Refusal> {
        let [what, part, "sync", "aligned", layout, shape, rest @ ..] = op.parts.as_slice() else {
            return self.refuse("modifiers are missing");
        };
        let is_load = *what == "load";
        let part = match *part {
            "a" if is_load => Part::A,
            "b" if is_load => Part::B,
            "c" if is_load => Part::C,
            "d" if !is_load => Part::C,
            _ => return self.refuse("the matrix is not known"),
        };
        let ty = op.ty().or_else(|text| self.refuse(text))?;
        let (Some(shape), Some(columns)) = (sizes(shape), by_columns(layout)) else {
            return self.refuse("the shape or the layout is not known");
        };
        if !matches!(rest, [_] | ["global" | "shared" | "shared::cta", _]) {
            return self.refuse("modifiers are too many");
        }
        let fragment = Fragment { part, ty, shape, columns };
        let [registers, address] = if is_load { operands } else { [operands[1], operands[0]] };
        let Operand::Address(base, offset) = address else {
            return self.refuse("an address is expected");
        };
        let (space, slot, offset) = self.address(op, (*base, *offset))?;
        let slots = self.fragment(&fragment, registers, is_load)?;
        let stride = stride.map(|operand| self.operand(operand, U32, false)).transpose()?;
        if is_load {
            for slot in &slots {
                self.loaded.insert(*slot, (fragment, self.line));
            }
        }
        let transfer = Transfer { fragment, space, address: (slot, offset), stride, slots };
        let matrix = if is_load { Matrix::Load(transfer) } else { Matrix::Store(transfer) };
        Ok(matrices(matrix))
    }

    /// Types are those of sums for f16, and of all four matrices for others.
    fn product(&mut self, parts: &[&str], operands: [&Operand<'a>; 4]) -> Result<Body, Refusal> {
        let [a, b, shape, types @ ..] = parts else { return self.refuse("modifiers are missing") };
        let named: Option<Vec<Type>> = types.iter().map(|ty| Type::named(ty)).collect();
        let types = match named.as_deref() {
            Some([d, c]) => [crate::types::F16, crate::types::F16, *c, *d],
            Some([d, a, b, c]) => [*a, *b, *c, *d],
            _ => return self.refuse("the types are not known"),
        };
        let (Some(shape), Some(a), Some(b)) = (sizes(shape), by_columns(a), by_columns(b)) else {
            return self.refuse("the shape or the layout is not known");
        };
        let fits = match types[0].bits {
            64 => types[2].bits == 64,
            16 if types[0].kind == Kind::Float => [16, 32].contains(&types[2].bits),
            _ => types[2] == F32,
        };
        if types[0] != types[1] || !fits {
            return self.refuse("there is no product of these types");
        }
        let of = |part, ty, columns| Fragment { part, ty, shape, columns };
        let fragments = [
            of(Part::A, types[0], a),
            of(Part::B, types[1], b),
            of(Part::C, types[2], false),
            of(Part::C, types[3], false),
        ];
        let mut slots: [Vec<u32>; 4] = Default::default();
        let mut mismatch = None;
        for (position, (fragment, operand)) in fragments.iter().zip(operands).enumerate() {
            slots[position] = self.fragment(fragment, operand, position == 3)?;
            if position < 2 && mismatch.is_none() {
                mismatch = self.mismatch(fragment, &slots[position]);
            }
        }
        Ok(matrices(Matrix::Multiply(Product { fragments, slots, mismatch })))
    }

    /// How the registers of a factor were loaded, if it was not as the product takes them.
    fn mismatch(&self, fragment: &Fragment, slots: &[u32]) -> Option<String> {
        let (loaded, line) = slots.iter().find_map(|slot| self.loaded.get(slot))?;
        (loaded != fragment)
            .then(|| format!("the product takes matrix {fragment}, but line {line} loads {loaded}"))
    }
}

fn collective(what: Collective, slots: [u32; 6], class: Class) -> Body {
    Body { action: Action::Collective(what), slots, class }
}

fn matrices(matrix: Matrix) -> Body {
    let action = Action::Matrix(Box::new(matrix));
    Body { action, slots: [SINK; 6], class: Class::Matrix }
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

fn by_columns(layout: &str) -> Option<bool> {
    match layout {
        "row" => Some(false),
        "col" => Some(true),
        _ => None,
    }
}

/// Rows, columns and summands: `m16n16k8`.
fn sizes(shape: &str) -> Option<[usize; 3]> {
    let (m, rest) = shape.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}
