//! From a module as it is written to one that runs.
//!
//! `layout` gives variables their places, `names` knows what names mean in a function, and the others decode
//! instructions: `memory`, `warp` and `control`; what only computes is found by `ops`.

mod control;
mod layout;
mod memory;
mod names;
mod vectors;
mod warp;

use std::collections::HashMap;

use crate::{
    memory::Memory,
    ops::{self, Operation},
    poison::Poison,
    program::{ALWAYS, Action, Class, Instruction, Program, Special},
    syntax::{self, Module, Operand, Statement},
    types::{PRED, Refusal, Type},
    value::Slots,
};

pub use layout::place_variables;
use layout::{Layout, Signature};
use names::Names;

/// What all functions of a module see.
pub struct Context<'a> {
    /// Addresses of variables in memory of the device, by name.
    pub globals: HashMap<&'a str, u64>,
    /// Functions by name.
    signatures: HashMap<&'a str, Signature<'a>>,
}

/// Decodes a module; its variables are put into memory.
pub fn program(text: &str, memory: &mut Memory, poison: &mut Poison) -> Result<Program, Refusal> {
    let module = crate::parse::module(text)?;
    let globals = place_variables(&module, memory)?;
    let variables = globals.values().copied().collect();
    let decoded = functions(&module, globals, poison);
    match decoded {
        Ok((code, functions)) => Ok(Program { code, functions, variables, text: text.to_owned() }),
        Err(refusal) => {
            for address in variables {
                memory.free(address);
            }
            Err(refusal)
        }
    }
}

type Decoded = (Vec<Instruction>, Vec<crate::program::Function>);

fn functions(
    module: &Module,
    globals: HashMap<&str, u64>,
    poison: &mut Poison,
) -> Result<Decoded, Refusal> {
    let with_body = || module.functions.iter().filter(|function| function.body.is_some());
    let signatures = with_body()
        .enumerate()
        .map(|(number, function)| (function.name, Signature::new(number, function)))
        .collect();
    let context = Context { globals, signatures };
    let (mut code, mut functions) = (vec![], vec![]);
    for function in with_body() {
        let layout = Layout::new(module, function)?;
        let mut decoder = Decoder {
            context: &context,
            names: Names::new(&context, layout, poison),
            labels: HashMap::new(),
            targets: HashMap::new(),
            line: function.line,
            first: code.len() as u32,
            code: vec![],
        };
        decoder.names.parameters(function).map_err(|text| Refusal { line: function.line, text })?;
        decoder.function(function)?;
        let first = decoder.first;
        code.append(&mut decoder.code);
        functions.push(decoder.names.finish(function, first));
    }
    Ok((code, functions))
}

/// Decodes a function.
struct Decoder<'a, 'b> {
    context: &'b Context<'a>,
    names: Names<'a, 'b>,
    /// Numbers of instructions.
    labels: HashMap<&'a str, u32>,
    /// Lists of labels.
    targets: HashMap<&'a str, Vec<&'a str>>,
    line: u32,
    first: u32,
    code: Vec<Instruction>,
}

/// An instruction without its guard.
struct Body {
    action: Action,
    slots: Slots,
    class: Class,
}

/// A register for which nobody asks.
const SINK: u32 = Special::Sink as u32;

impl<'a> Decoder<'a, '_> {
    fn refuse<T>(&self, text: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal { line: self.line, text: text.into() })
    }

    fn function(&mut self, function: &syntax::Function<'a>) -> Result<(), Refusal> {
        let body = function.body.as_deref().unwrap_or_default();
        let mut place = self.first;
        for statement in body {
            match statement {
                Statement::Label(name) if self.labels.insert(name, place).is_some() => {
                    return self.refuse(format!("the label {name} is there twice"));
                }
                Statement::Targets(name, labels) => {
                    self.targets.insert(name, labels.clone());
                }
                Statement::Instruction(_) => place += 1,
                _ => {}
            }
        }
        for statement in body {
            self.statement(statement)?;
        }
        self.line = function.line;
        let slots = [SINK; 6];
        let body = Body { action: Action::Return, slots, class: Class::Branch };
        self.push(body, ALWAYS, false);
        Ok(())
    }

    fn push(&mut self, Body { action, slots, class }: Body, guard: u32, negated: bool) {
        self.code.push(Instruction { action, slots, guard, negated, class, line: self.line });
    }

    fn statement(&mut self, statement: &Statement<'a>) -> Result<(), Refusal> {
        let named =
            |line: u32, result: Result<(), String>| result.map_err(|text| Refusal { line, text });
        match statement {
            Statement::Open => self.names.open(),
            Statement::Close => self.names.close(),
            Statement::Label(_) | Statement::Targets(..) => {}
            Statement::Registers(ty, registers) => {
                for (name, count) in registers {
                    named(self.line, self.names.registers(*ty, name, *count))?;
                }
            }
            Statement::Variable(variable) => named(variable.line, self.names.variable(variable))?,
            Statement::Instruction(instruction) => {
                self.line = instruction.line;
                let (guard, negated) = match instruction.guard {
                    None => (ALWAYS, false),
                    Some((name, negated)) => {
                        (self.operand(&Operand::Name(name), PRED, false)?, negated)
                    }
                };
                let body = self.instruction(instruction).map_err(|refusal| Refusal {
                    text: format!("{}: {}", instruction.name, refusal.text),
                    ..refusal
                })?;
                self.push(body, guard, negated);
            }
        }
        Ok(())
    }

    fn instruction(&mut self, instruction: &syntax::Instruction<'a>) -> Result<Body, Refusal> {
        let operands = instruction.operands.as_slice();
        let result_bits = match operands.first() {
            Some(Operand::Name(name) | Operand::Pair(name, _)) => self.names.bits(name),
            _ => 0,
        };
        let operation = Operation::new(instruction.name, result_bits);
        if let Some(body) = self.control(&operation, operands)? {
            return Ok(body);
        }
        if let Some(body) = self.memory(&operation, operands)? {
            return Ok(body);
        }
        if let Some(body) = self.warp(&operation, operands)? {
            return Ok(body);
        }
        if let Some(body) = self.vector(&operation, operands)? {
            return Ok(body);
        }
        match ops::plan(&operation) {
            Ok(Some(plan)) => self.plan(plan, operands),
            Ok(None) => self.refuse("the instruction is not known"),
            Err(text) => self.refuse(text),
        }
    }

    /// Finds the registers of an instruction that computes.
    fn plan(&mut self, plan: ops::Plan, operands: &[Operand<'a>]) -> Result<Body, Refusal> {
        let mut slots = [SINK; 6];
        let results = plan.results.len();
        let mut compute = plan.compute;
        if operands.len() != 1 + plan.operands.len() {
            return self.refuse(format!("{} operands are too few or too many", operands.len()));
        }
        match &operands[0] {
            Operand::Pair(first, second) if results == 2 => {
                slots[0] = self.result(&Operand::Name(first), PRED, false)?;
                slots[1] = self.result(&Operand::Name(second), PRED, false)?;
            }
            operand => slots[0] = self.result(operand, plan.results[0], plan.is_loose)?,
        }
        for (position, (operand, ty)) in operands[1..].iter().zip(&plan.operands).enumerate() {
            let slot = results + position;
            if let Operand::Not(name) = operand {
                // A negated predicate: it is turned before and after.
                slots[slot] = self.operand(&Operand::Name(name), PRED, false)?;
                let inner = compute;
                compute = Box::new(move |frame, s| {
                    let place = s[slot] as usize;
                    let old = frame.slots[place];
                    frame.slots[place] = old ^ 1;
                    inner(frame, s);
                    if !s[..results].contains(&s[slot]) {
                        frame.slots[place] = old;
                    }
                });
                continue;
            }
            slots[slot] = self.operand(operand, *ty, plan.is_loose)?;
        }
        Ok(Body { action: Action::Compute(compute), slots, class: plan.class })
    }

    /// A register that takes a result.
    fn result(&mut self, operand: &Operand<'a>, ty: Type, loose: bool) -> Result<u32, Refusal> {
        match operand {
            Operand::Name("_") => Ok(SINK),
            Operand::Name(name) if self.names.is_register(name) => self.operand(operand, ty, loose),
            _ => self.refuse("a register is expected for the result"),
        }
    }

    /// A register that holds an operand: constants have one, too.
    fn operand(&mut self, operand: &Operand<'a>, ty: Type, loose: bool) -> Result<u32, Refusal> {
        self.names.operand(operand, ty, loose).or_else(|text| self.refuse(text))
    }
}
