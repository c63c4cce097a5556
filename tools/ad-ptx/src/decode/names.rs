//! What names mean in a function, and which registers constants have.

use std::collections::HashMap;

use super::{
    Context,
    layout::{Layout, place_param},
};
use crate::{
    poison::Poison,
    program::{Function, SPECIALS, Special},
    syntax::{self, Operand, Variable},
    types::{B64, F16, F32, F64, Kind, PRED, Space, Type, U32},
};

/// What a name means.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// A register.
    Register(u32, Type),
    /// A variable with an address that is the same for all threads.
    Address(Space, u64),
    /// A variable in local memory: the register that has its address.
    Local(u32),
    /// A parameter: its first byte and its size.
    Param([u32; 2]),
}

/// Names of a function.
pub struct Names<'a, 'b> {
    context: &'b Context<'a>,
    layout: Layout<'a>,
    scopes: Vec<HashMap<String, Meaning>>,
    slots: Vec<u64>,
    constants: HashMap<u64, u32>,
    local_slots: Vec<(u32, u32)>,
    local_bytes: u32,
    param_bytes: u32,
    poison: &'b mut Poison,
}

impl<'a, 'b> Names<'a, 'b> {
    /// Special registers and no others.
    pub fn new(context: &'b Context<'a>, layout: Layout<'a>, poison: &'b mut Poison) -> Self {
        Self {
            context,
            layout,
            scopes: vec![HashMap::new()],
            slots: vec![0; SPECIALS],
            constants: HashMap::new(),
            local_slots: vec![],
            local_bytes: 0,
            param_bytes: 0,
            poison,
        }
    }

    /// Names that follow are those of a scope.
    pub fn open(&mut self) {
        self.scopes.push(HashMap::new());
    }

    /// They are no more.
    pub fn close(&mut self) {
        self.scopes.pop();
    }

    fn declare(&mut self, name: String, meaning: Meaning) -> Result<(), String> {
        let Some(scope) = self.scopes.last_mut() else { return Err("no scope".to_owned()) };
        match scope.insert(name.clone(), meaning) {
            None => Ok(()),
            Some(_) => Err(format!("{name} is declared twice")),
        }
    }

    fn slot(&mut self, value: u64) -> u32 {
        self.slots.push(value);
        self.slots.len() as u32 - 1
    }

    /// Declares registers, which hold poison.
    pub fn registers(&mut self, ty: Type, name: &str, count: Option<u32>) -> Result<(), String> {
        for number in 0..count.unwrap_or(1) {
            let poison = self.poison.word() & (u64::MAX >> (64 - ty.bits));
            let slot = self.slot(poison);
            let name = if count.is_some() { format!("{name}{number}") } else { name.to_owned() };
            self.declare(name, Meaning::Register(slot, ty))?;
        }
        Ok(())
    }

    /// Declares a variable of the function.
    pub fn variable(&mut self, variable: &Variable<'a>) -> Result<(), String> {
        let meaning = match variable.space {
            Space::Param => Meaning::Param(place_param(&mut self.param_bytes, variable)),
            Space::Local => {
                let first = self.local_bytes.next_multiple_of(variable.align);
                self.local_bytes = first + variable.bytes() as u32;
                let slot = self.slot(0);
                self.local_slots.push((slot, first));
                Meaning::Local(slot)
            }
            // The layout has it.
            _ => return Ok(()),
        };
        self.declare(variable.name.to_owned(), meaning)
    }

    /// What a name means.
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        if let Some(meaning) = self.scopes.iter().rev().find_map(|scope| scope.get(name)) {
            return Some(*meaning);
        }
        if let Some(slot) = special(name) {
            return Some(Meaning::Register(slot, U32));
        }
        if let Some(address) = self.layout.shared.get(name) {
            return Some(Meaning::Address(Space::Shared, *address));
        }
        let address = self.context.globals.get(name)?;
        Some(Meaning::Address(Space::Global, *address))
    }

    /// Whether a name is that of a register that may be written.
    pub fn is_register(&self, name: &str) -> bool {
        special(name).is_none() && matches!(self.meaning(name), Some(Meaning::Register(..)))
    }

    /// Bits of a register, or 0.
    pub fn bits(&self, name: &str) -> u32 {
        match self.meaning(name) {
            Some(Meaning::Register(_, ty)) => ty.bits,
            _ => 0,
        }
    }

    /// The register that holds a constant.
    pub fn constant(&mut self, value: u64) -> u32 {
        if let Some(slot) = self.constants.get(&value) {
            return *slot;
        }
        let slot = self.slot(value);
        self.constants.insert(value, slot);
        slot
    }

    /// The register that holds an operand of a type.
    pub fn operand(&mut self, operand: &Operand, ty: Type, loose: bool) -> Result<u32, String> {
        let mask = u64::MAX >> (64 - ty.bits);
        let wrong = |what: &str| Err(format!("{what} is no operand of {} bits", ty.bits));
        match operand {
            Operand::Integer(value) if !ty.is_float() => {
                // A predicate is -1 where it holds.
                let value = if ty == PRED { u64::from(*value != 0) } else { value & mask };
                Ok(self.constant(value))
            }
            Operand::Single(bits) if ty == F32 || ty.kind == Kind::Bits && ty.bits == 32 => {
                Ok(self.constant(u64::from(*bits)))
            }
            Operand::Double(bits) if ty == F64 || ty == B64 => Ok(self.constant(*bits)),
            Operand::Double(bits) if ty == F32 => {
                let rounded = f64::from_bits(*bits) as f32;
                Ok(self.constant(u64::from(rounded.to_bits())))
            }
            Operand::Integer(value) if ty == F16 => Ok(self.constant(value & mask)),
            Operand::Name(name) => match self.meaning(name) {
                None => Err(format!("'{name}' is not known")),
                Some(Meaning::Register(slot, register)) => {
                    let is_predicate = register == PRED;
                    let fits =
                        if loose { register.bits >= ty.bits } else { register.bits == ty.bits };
                    let of_kind = register.kind == Kind::Bits
                        || ty.kind == Kind::Bits
                        || register.is_float() == ty.is_float();
                    if is_predicate != (ty == PRED) || !fits || !of_kind {
                        return wrong(&format!("{name} of {} bits", register.bits));
                    }
                    Ok(slot)
                }
                Some(Meaning::Address(_, address)) if ty.bits == 64 => Ok(self.constant(address)),
                // Its address among parameters, as `ld.param` takes it.
                Some(Meaning::Param([first, _])) if ty.bits == 64 => {
                    Ok(self.constant(first.into()))
                }
                Some(Meaning::Local(slot)) if ty.bits == 64 => Ok(slot),
                Some(_) => wrong(name),
            },
            _ => wrong(&format!("{operand:?}")),
        }
    }

    /// Parameters of the function itself come first.
    pub fn parameters(&mut self, function: &syntax::Function<'a>) -> Result<(), String> {
        for variable in function.parameters.iter().chain(&function.results) {
            let place = place_param(&mut self.param_bytes, variable);
            self.declare(variable.name.to_owned(), Meaning::Param(place))?;
        }
        Ok(())
    }

    /// The function, with the number of its first instruction.
    pub fn finish(self, function: &syntax::Function<'a>, first: u32) -> Function {
        let mut bytes = 0;
        let place = |variable: &Variable| {
            let [first, size] = place_param(&mut bytes, variable);
            (first, size)
        };
        Function {
            name: function.name.to_owned(),
            is_kernel: function.is_kernel,
            first,
            slots: self.slots,
            local_slots: self.local_slots,
            local_bytes: self.local_bytes,
            param_bytes: self.param_bytes,
            parameters: function.parameters.iter().map(place).collect(),
            shared: self.layout.ranges,
            dynamic_shared: self.layout.dynamic,
            shared_bytes: self.layout.shared_bytes,
            most_threads: function.most_threads,
            required_threads: function.required_threads,
        }
    }
}

/// The slot of a special register.
fn special(name: &str) -> Option<u32> {
    let rest = name.strip_prefix('%');
    let Some(rest) = rest else {
        return (name == "WARP_SZ").then_some(Special::WarpSize as u32);
    };
    let (name, axis) = match rest.split_once('.') {
        Some((name, "x")) => (name, 0),
        Some((name, "y")) => (name, 1),
        Some((name, "z")) => (name, 2),
        Some(_) => return None,
        None => ("", 0),
    };
    let masks = Special::Masks as u32;
    Some(match (name, rest) {
        ("tid", _) => Special::Thread as u32 + axis,
        ("ntid", _) => Special::Block as u32 + axis,
        ("ctaid", _) => Special::BlockNumber as u32 + axis,
        ("nctaid", _) => Special::Grid as u32 + axis,
        (_, "laneid") => Special::Lane as u32,
        (_, "warpid") => Special::Warp as u32,
        (_, "nwarpid") => Special::Warps as u32,
        (_, "lanemask_eq") => masks,
        (_, "lanemask_lt") => masks + 1,
        (_, "lanemask_le") => masks + 2,
        (_, "lanemask_gt") => masks + 3,
        (_, "lanemask_ge") => masks + 4,
        (_, "dynamic_smem_size") => Special::DynamicShared as u32,
        (_, "total_smem_size") => Special::TotalShared as u32,
        _ => return None,
    })
}
