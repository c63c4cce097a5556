//! From an MLIR module to a `Program`.
//!
//! Only what can be reached from the wanted functions is decoded, so a module may hold functions the interpreter cannot run.
//! An op, type or attribute without a meaning here is a `Fault` that names the op and its location.

mod atl;
mod attributes;
mod blocks;
mod lambda;
mod memory;
mod opcode;
mod types;

use crate::fault::{Fault, fault};
use crate::liveness;
use crate::program::{Function, Op, Operand, Program, Slot, Type};
use crate::value::Value as Constant;
use melior::ir::attribute::TypeAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::FunctionType;
use melior::ir::{BlockLike, Module, RegionLike, Value, ValueLike};
use std::collections::HashMap;

/// An op of the module being decoded.
pub(crate) type Handle<'c, 'a> = OperationRef<'c, 'a>;

/// How to decode.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Compute narrow floats as `f64`: what the oracle does for its difference quotients.
    pub promote: bool,
}

/// Decodes `entry` and every function it can reach.
pub fn decode(module: &Module, entry: &str, options: Options) -> Result<Program, Fault> {
    let mut decoder = Decoder { options, ..Decoder::default() };
    let mut handles = HashMap::new();
    let mut next = module.body().first_operation();
    while let Some(op) = next {
        if let Some(name) =
            attributes::string(op, "sym_name").filter(|_| name_of(op) == "func.func")
        {
            handles.insert(name.to_string(), op);
        }
        decoder.global(op)?;
        next = op.next_in_block();
    }
    decoder.function_index(entry);
    // Decoding a function appends the functions it calls.
    while let Some(name) = decoder.wanted.get(decoder.program.functions.len()).cloned() {
        if let Some(lambda) = decoder.lambdas.remove(&decoder.program.functions.len()) {
            decoder.program.functions.push(lambda);
            continue;
        }
        let Some(&op) = handles.get(&name) else { return fault(format!("no function '{name}'")) };
        let function = decoder.function(op, &name).map_err(|f| located(f, op))?;
        decoder.program.functions.push(function);
    }
    Ok(decoder.program)
}

/// The names of the functions of a module, in order, with whether each has a body.
pub fn function_names(module: &Module) -> Vec<(String, bool)> {
    let mut names = Vec::new();
    let mut next = module.body().first_operation();
    while let Some(op) = next {
        if let Some(name) =
            attributes::string(op, "sym_name").filter(|_| name_of(op) == "func.func")
        {
            let has_body = op.region(0).is_ok_and(|r| r.first_block().is_some());
            names.push((name.to_string(), has_body));
        }
        next = op.next_in_block();
    }
    names
}

/// The argument and result types of a function, as the interpreter sees them.
pub fn signature(module: &Module, name: &str) -> Result<(Vec<Type>, Vec<Type>), Fault> {
    let mut next = module.body().first_operation();
    while let Some(op) = next {
        if name_of(op) == "func.func" && attributes::string(op, "sym_name") == Some(name) {
            return function_types(op, Options::default()).map_err(|f| located(f, op));
        }
        next = op.next_in_block();
    }
    fault(format!("no function '{name}'"))
}

fn name_of(op: Handle) -> String {
    op.name().as_string_ref().as_str().unwrap_or("?").to_string()
}

fn located(fault: Fault, op: Handle) -> Fault {
    fault.at(&name_of(op), &location_of(op))
}

/// A file location as compilers print it, any other as MLIR does.
fn location_of(op: Handle) -> String {
    let text = op.location().to_string();
    let inner = text
        .strip_prefix("loc(\"")
        .and_then(|t| t.strip_suffix(')'))
        .filter(|t| !t.contains("loc("));
    inner.map_or(text.clone(), |t| t.replacen('"', "", 1))
}

/// The state of decoding a module.
#[derive(Default)]
struct Decoder {
    options: Options,
    program: Program,
    /// Functions by index; those beyond `program.functions` are still to be decoded.
    wanted: Vec<String>,
    names: HashMap<String, u32>,
    /// Functions that were decoded where they are written, by index.
    lambdas: HashMap<usize, Function>,
    /// The values of the function being decoded.
    slots: HashMap<usize, Slot>,
    is_array: Vec<bool>,
    /// What constants of memory hold; none for one that is not set.
    globals: HashMap<String, Option<Constant>>,
}

impl Decoder {
    /// The index that a function has or will have.
    fn function_index(&mut self, name: &str) -> usize {
        self.wanted.iter().position(|n| n == name).unwrap_or_else(|| {
            self.wanted.push(name.to_string());
            self.wanted.len() - 1
        })
    }

    fn function(&mut self, op: Handle, name: &str) -> Result<Function, Fault> {
        self.slots.clear();
        self.is_array.clear();
        let (inputs, results) = function_types(op, self.options)?;
        let body = match op.region(0) {
            Ok(region) if region.first_block().is_some() => Some(self.region(region)?),
            _ => None,
        };
        let mut function =
            Function { name: name.to_string(), inputs, results, body, slots: self.is_array.len() };
        liveness::mark(&mut function, &self.is_array);
        Ok(function)
    }

    fn new_slot(&mut self, ty: &Type) -> Slot {
        self.is_array.push(!matches!(ty, Type::Scalar(_)));
        self.is_array.len() as Slot - 1
    }

    fn define(&mut self, value: Value, ty: &Type) -> Slot {
        let slot = self.new_slot(ty);
        self.slots.insert(key(value), slot);
        slot
    }

    fn operand(&self, value: Value) -> Result<Operand, Fault> {
        match self.slots.get(&key(value)) {
            Some(&slot) => Ok(Operand { slot, last: false }),
            None => fault("uses a value from outside its function"),
        }
    }

    fn operands(&self, op: Handle) -> Result<Vec<Operand>, Fault> {
        op.operands().map(|v| self.operand(v)).collect()
    }

    fn op(&mut self, op: Handle) -> Result<Op, Fault> {
        let name = name_of(op);
        let mut operands = self.operands(op)?;
        if name == "ad.lambda" {
            operands = self.captured(op);
        }
        let mut result_types = Vec::with_capacity(op.result_count());
        for result in op.results() {
            result_types.push(types::decode_type(result.r#type(), self.options.promote)?);
        }
        let code = self.opcode(op, &name, &result_types)?;
        let mut regions = Vec::new();
        if opcode::has_regions(&code) {
            for region in op.regions() {
                if region.first_block().is_some() {
                    regions.push(self.region(region)?);
                }
            }
        }
        if name == "scf.parallel" {
            // The operators are regions of the terminator.
            let body = op.region(0).ok().and_then(|region| region.first_block());
            if let Some(reduce) = body.and_then(|block| block.terminator()) {
                for region in reduce.regions() {
                    regions.push(self.region(region)?);
                }
            }
        }
        let results =
            op.results().zip(&result_types).map(|(r, ty)| self.define(r.into(), ty)).collect();
        let location = self.location(op);
        let name = self.name(&name);
        Ok(Op {
            code,
            operands: operands.into(),
            results,
            result_types: result_types.into(),
            regions: regions.into(),
            name,
            location,
        })
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(&index) = self.names.get(name) {
            return index;
        }
        let index = self.program.names.len() as u32;
        self.program.names.push(name.to_string());
        self.names.insert(name.to_string(), index);
        index
    }

    fn location(&mut self, op: Handle) -> u32 {
        self.program.locations.push(location_of(op));
        self.program.locations.len() as u32 - 1
    }
}

fn key(value: Value) -> usize {
    value.to_raw().ptr as usize
}

fn function_types(op: Handle, options: Options) -> Result<(Vec<Type>, Vec<Type>), Fault> {
    let attribute =
        op.attribute("function_type").ok().and_then(|a| TypeAttribute::try_from(a).ok());
    let Some(ty) = attribute.and_then(|a| FunctionType::try_from(a.value()).ok()) else {
        return fault("has no function type");
    };
    let decode = |t| types::decode_type(t, options.promote);
    let mut inputs = Vec::with_capacity(ty.input_count());
    for t in (0..ty.input_count()).filter_map(|i| ty.input(i).ok()) {
        inputs.push(decode(t)?);
    }
    let mut results = Vec::with_capacity(ty.result_count());
    for t in (0..ty.result_count()).filter_map(|i| ty.result(i).ok()) {
        results.push(decode(t)?);
    }
    Ok((inputs, results))
}
