//! Control flow: `scf.if`, `scf.for`, `scf.while`, calls, functions as values, `cf.assert`.

use super::scalar::integer::{unsigned, wrap};
use super::{Frame, Machine};
use crate::fault::{Fault, fault};
use crate::program::{Op, Opcode, Region};
use crate::value::Value;

impl Machine<'_> {
    pub(super) fn control(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        match &op.code {
            Opcode::If => self.branch(frame, op),
            Opcode::For { unsigned, width } => self.counted_loop(frame, op, *unsigned, *width),
            Opcode::While => self.while_loop(frame, op),
            Opcode::Execute => {
                self.run(frame, &op.regions[0])?;
                self.finish(frame, op, &op.regions[0]);
                Ok(())
            }
            Opcode::IndexSwitch(cases) => {
                let index = frame.get(op.operands[0]).int()?;
                let region = cases.iter().position(|&case| case == index).map_or(0, |k| k + 1);
                self.run(frame, &op.regions[region])?;
                self.finish(frame, op, &op.regions[region]);
                Ok(())
            }
            Opcode::Call(index) => {
                let inputs = frame.take_all(&op.operands);
                let results = self.call(*index, inputs)?;
                set_results(frame, op, results);
                Ok(())
            }
            Opcode::Closure(index) => {
                let captured = frame.take_all(&op.operands).into();
                frame.set(op.results[0], Value::Function(*index, captured));
                Ok(())
            }
            Opcode::CallValue => {
                let (index, mut inputs) = match frame.take(op.operands[0]) {
                    Value::Function(index, captured) => (index, captured.to_vec()),
                    other => return other.misfit("calls what should be a function"),
                };
                inputs.extend(frame.take_all(&op.operands[1..]));
                let results = self.call(index, inputs)?;
                set_results(frame, op, results);
                Ok(())
            }
            Opcode::Assert(message) => match frame.get(op.operands[0]).int()? {
                0 => fault(format!("assertion failed: {message}")),
                _ => Ok(()),
            },
            Opcode::Poison => {
                let cause = Fault::new("is used, although it is poison");
                frame.set(op.results[0], Value::Poison(self.locate(cause, op)));
                Ok(())
            }
            _ => fault("internal error: not a control-flow op"),
        }
    }

    /// Moves the yields of a region to the results of its op.
    fn finish(&mut self, frame: &mut Frame, op: &Op, region: &Region) {
        let results = frame.take_all(&region.yields);
        set_results(frame, op, results);
    }

    fn branch(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let index = usize::from(frame.get(op.operands[0]).int()? == 0);
        let Some(region) = op.regions.get(index) else { return Ok(()) };
        self.run(frame, region)?;
        self.finish(frame, op, region);
        Ok(())
    }

    fn counted_loop(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        is_unsigned: bool,
        width: u32,
    ) -> Result<(), Fault> {
        let bound = |i: usize| {
            let x = frame.get(op.operands[i]).int()?;
            Ok(if is_unsigned { i128::from(unsigned(x, width)) } else { i128::from(x) })
        };
        let (lower, upper, step) = (bound(0)?, bound(1)?, bound(2)?);
        if step <= 0 {
            return fault(format!("step {step} is not positive"));
        }
        let region = &op.regions[0];
        let mut carried = frame.take_all(&op.operands[3..]);
        let mut i = lower;
        while i < upper {
            frame.set(region.arguments[0], Value::Int(wrap(i as i64, width)));
            for (&slot, value) in region.arguments[1..].iter().zip(carried) {
                frame.set(slot, value);
            }
            self.run(frame, region)?;
            carried = frame.take_all(&region.yields);
            self.counts.steps += 1;
            self.counts.int_ops += 1;
            i += step;
        }
        set_results(frame, op, carried);
        Ok(())
    }

    /// The first yield of the condition region decides; the rest are the loop's values.
    fn while_loop(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let [condition, body] = &*op.regions else {
            return fault("internal error: a while loop has two regions");
        };
        let mut carried = frame.take_all(&op.operands);
        loop {
            self.counts.steps += 1;
            set_arguments(frame, condition, carried);
            self.run(frame, condition)?;
            let mut values = frame.take_all(&condition.yields).into_iter();
            let goes_on = values.next().unwrap_or_default().int()? != 0;
            if !goes_on {
                set_results(frame, op, values);
                return Ok(());
            }
            set_arguments(frame, body, values);
            self.run(frame, body)?;
            carried = frame.take_all(&body.yields);
        }
    }
}

pub(super) fn set_arguments(
    frame: &mut Frame,
    region: &Region,
    values: impl IntoIterator<Item = Value>,
) {
    for (&slot, value) in region.arguments.iter().zip(values) {
        frame.set(slot, value);
    }
}

pub(super) fn set_results(frame: &mut Frame, op: &Op, values: impl IntoIterator<Item = Value>) {
    for (&slot, value) in op.results.iter().zip(values) {
        frame.set(slot, value);
    }
}
