//! Tapes: stacks of entries that all values of one handle share.
//!
//! What a compiled program must not do is a fault here: to pop from an empty tape, to use one that is freed, and to leave
//! one that is not.

use super::control::set_results;
use super::{Frame, Machine};
use crate::fault::{Fault, fault};
use crate::program::{Op, TapeOp};
use crate::value::Value;

/// A tape, or what is left of it when it is freed.
pub(super) type Tape = Option<Vec<Vec<Value>>>;

impl Machine<'_> {
    /// A rehearsal leaves tapes alone: its results are zeros.
    pub(super) fn tape_op(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        code: TapeOp,
    ) -> Result<(), Fault> {
        if self.rehearses {
            return fault("tapes are not for rehearsals");
        }
        match code {
            TapeOp::Create => {
                frame.set(op.results[0], Value::Tape(self.tapes.len()));
                self.tapes.push(Some(vec![]));
            }
            TapeOp::Push => {
                let entry = frame.take_all(&op.operands[1..]);
                self.counts.writes += entry.iter().map(numbers).sum::<u64>();
                self.tape(frame, op)?.push(entry);
            }
            TapeOp::Pop => {
                let Some(entry) = self.tape(frame, op)?.pop() else {
                    return fault("takes an entry off a tape that is empty");
                };
                self.counts.reads += entry.iter().map(numbers).sum::<u64>();
                set_results(frame, op, entry);
            }
            TapeOp::Free => {
                self.tape(frame, op)?;
                let number = frame.get(op.operands[0]).tape()?;
                self.tapes[number] = None;
            }
        }
        Ok(())
    }

    fn tape(&mut self, frame: &Frame, op: &Op) -> Result<&mut Vec<Vec<Value>>, Fault> {
        let number = frame.get(op.operands[0]).tape()?;
        match self.tapes.get_mut(number) {
            Some(Some(entries)) => Ok(entries),
            _ => fault("uses a tape that is freed"),
        }
    }

    /// Whether every tape is freed.
    pub(super) fn check_tapes(&self) -> Result<(), Fault> {
        match self.tapes.iter().filter(|tape| tape.is_some()).count() {
            0 => Ok(()),
            1 => fault("a tape is never freed"),
            n => fault(format!("{n} tapes are never freed")),
        }
    }
}

fn numbers(value: &Value) -> u64 {
    value.tensor().map_or(1, |tensor| tensor.len() as u64)
}
