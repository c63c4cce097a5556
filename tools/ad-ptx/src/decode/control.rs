//! Branches, calls, barriers and fences.

use super::{Body, Decoder, SINK, names::Meaning};
use crate::{
    ops::Operation,
    program::{Action, Call, Class, Pass},
    syntax::Operand,
    types::{Refusal, U32},
};

impl<'a> Decoder<'a, '_> {
    /// What changes where a thread goes on; nothing for other operations.
    pub(super) fn control(
        &mut self,
        op: &Operation,
        operands: &[Operand<'a>],
    ) -> Result<Option<Body>, Refusal> {
        let mut slots = [SINK; 6];
        let (action, class) = match (op.name, op.parts.as_slice(), operands) {
            ("bra", [] | ["uni"], [Operand::Name(label)]) => {
                (Action::Jump(self.place_of(label)?), Class::Branch)
            }
            ("brx", ["idx"] | ["idx", "uni"], [number, Operand::Name(list)]) => {
                slots[0] = self.operand(number, U32, false)?;
                let Some(labels) = self.targets.get(list) else {
                    return self.refuse(format!("there is no list of labels {list}"));
                };
                let places = labels.iter().map(|label| self.place_of(label));
                (Action::Choose(places.collect::<Result<_, _>>()?), Class::Branch)
            }
            ("ret", [] | ["uni"], []) => (Action::Return, Class::Branch),
            ("exit", [], []) => (Action::Exit, Class::Branch),
            ("trap", [], []) => (Action::Trap, Class::Branch),
            ("call", [] | ["uni"], _) => (self.call(operands)?, Class::Branch),
            ("bar" | "barrier", parts, [number, rest @ ..])
                if rest.len() <= 1 && is_barrier(parts) =>
            {
                slots[0] = self.operand(number, U32, false)?;
                if let [count] = rest {
                    slots[1] = self.operand(count, U32, false)?;
                }
                (Action::Barrier, Class::Barrier)
            }
            ("membar" | "fence", ["cta" | "gl" | "sys"], []) => (Action::Nothing, Class::Barrier),
            ("fence", ["sc" | "acq_rel", "cta" | "gpu" | "sys"], []) => {
                (Action::Nothing, Class::Barrier)
            }
            ("nanosleep", ["u32"], [time]) => {
                self.operand(time, U32, false)?;
                (Action::Nothing, Class::Integer)
            }
            _ => return Ok(None),
        };
        Ok(Some(Body { action, slots, class }))
    }

    /// Where a label is.
    fn place_of(&self, label: &str) -> Result<u32, Refusal> {
        match self.labels.get(label) {
            Some(place) => Ok(*place),
            None => self.refuse(format!("there is no label {label}")),
        }
    }

    /// `(results), function, (arguments)`: all are variables among parameters.
    fn call(&mut self, operands: &[Operand<'a>]) -> Result<Action, Refusal> {
        let (results, rest) = match operands {
            [Operand::Group(results), rest @ ..] => (results.as_slice(), rest),
            rest => (&[][..], rest),
        };
        let (name, arguments) = match rest {
            [Operand::Name(name)] => (*name, &[][..]),
            [Operand::Name(name), Operand::Group(arguments)] => (*name, arguments.as_slice()),
            _ => return self.refuse("calls through registers are not supported"),
        };
        if !self.context.signatures.contains_key(name) {
            match name {
                "malloc" | "free" => return self.heap(name, arguments, results),
                "__assertfail" => return self.assertion(arguments),
                _ => {}
            }
        }
        let context = self.context;
        let Some(callee) = context.signatures.get(name).filter(|callee| !callee.is_kernel) else {
            return self.refuse(format!("there is no function {name}"));
        };
        let arguments = self.pass(arguments, &callee.parameters)?;
        let results = self.pass(results, &callee.results)?;
        Ok(Action::Call(Box::new(Call { function: callee.number, arguments, results })))
    }

    /// `malloc` and `free` are those of the driver.
    fn heap(
        &mut self,
        name: &str,
        arguments: &[Operand<'a>],
        results: &[Operand<'a>],
    ) -> Result<Action, Refusal> {
        let word = [("", [0, 8])];
        let given = self.pass(arguments, &word)?;
        let gives = if name == "malloc" { &word[..] } else { &[] };
        let result = self.pass(results, gives)?;
        Ok(match (given.as_slice(), result.as_slice()) {
            ([size], [address]) => Action::Allocate(size.outer, address.outer),
            ([address], _) => Action::Free(address.outer),
            _ => return self.refuse("arguments are missing"),
        })
    }

    /// `__assertfail` is the driver's, too: it takes the message, the file, the line, the function, and how many bytes
    /// a character has.
    fn assertion(&mut self, arguments: &[Operand<'a>]) -> Result<Action, Refusal> {
        let types = [8, 8, 4, 8, 8].map(|bytes| ("", [0, bytes]));
        let given = self.pass(arguments, &types)?;
        Ok(Action::Assert(given[0].outer))
    }

    fn pass(
        &mut self,
        operands: &[Operand<'a>],
        inner: &[(&str, [u32; 2])],
    ) -> Result<Vec<Pass>, Refusal> {
        if operands.len() != inner.len() {
            return self.refuse("arguments or results are too few or too many");
        }
        let mut passes = vec![];
        for (operand, (_, [place, size])) in operands.iter().zip(inner) {
            let meaning = match operand {
                Operand::Name(name) => self.names.meaning(name),
                _ => None,
            };
            let Some(Meaning::Param([outer, bytes])) = meaning else {
                return self.refuse("arguments and results are variables among parameters");
            };
            if bytes != *size {
                return self.refuse(format!("{bytes} bytes are passed for {size}"));
            }
            passes.push(Pass { outer, inner: *place, bytes });
        }
        Ok(passes)
    }
}

fn is_barrier(parts: &[&str]) -> bool {
    let parts = parts.strip_prefix(&["cta"]).unwrap_or(parts);
    matches!(parts, ["sync"] | ["sync", "aligned"])
}
