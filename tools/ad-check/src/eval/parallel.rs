//! Parallel loops: `scf.parallel` and `scf.forall`, in the order of the iterations.

use super::control::{set_arguments, set_results};
use super::soac::Span;
use super::{Frame, Machine};
use crate::fault::{Fault, fault};
use crate::program::{Extent, Op, SliceSpec, Slot};
use crate::value::{Tensor, Value};

/// The bounds and the step of a dimension.
type Range = (i64, i64, i64);

impl Machine<'_> {
    /// Operands are lower bounds, upper bounds, steps and initial values; regions are the body,
    /// which yields a value per result, and an operator per result.
    pub(super) fn parallel(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let body = &op.regions[0];
        let rank = body.arguments.len();
        let mut ranges = vec![];
        for d in 0..rank {
            let at = |column: usize| frame.get(op.operands[column * rank + d]).int();
            ranges.push((at(0)?, at(1)?, at(2)?));
        }
        let mut results = frame.take_all(&op.operands[3 * rank..]);
        let mut span = Span::start(self);
        for point in self.points(&ranges)? {
            self.counts.steps += 1;
            self.counts.int_ops += 1;
            set_arguments(frame, body, point.into_iter().map(Value::Int));
            self.run(frame, body)?;
            let values = frame.take_all(&body.yields);
            for ((result, value), operator) in results.iter_mut().zip(values).zip(&op.regions[1..])
            {
                set_arguments(frame, operator, [std::mem::take(result), value]);
                self.run(frame, operator)?;
                *result = frame.take_all(&operator.yields).pop().unwrap_or_default();
            }
            span.next(self);
        }
        span.finish(self, 1);
        set_results(frame, op, results);
        Ok(())
    }

    /// Operands are dynamic bounds and steps, then the outputs. The body reads the outputs as
    /// they were; what it inserts goes to the results.
    pub(super) fn forall(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        columns: &[Vec<Extent>; 3],
    ) -> Result<(), Fault> {
        let body = &op.regions[0];
        let rank = columns[0].len();
        let outputs = op.operands.len() - op.results.len();
        let mut dynamic = op.operands[..outputs].iter();
        let mut numbers = vec![];
        for column in columns {
            numbers.push(self.extents(frame, column, &mut dynamic)?);
        }
        let at = |column: usize, d: usize| numbers[column][d] as i64;
        let ranges: Vec<Range> = (0..rank).map(|d| (at(0, d), at(1, d), at(2, d))).collect();
        let originals = frame.take_all(&op.operands[outputs..]);
        let mut shared = vec![];
        for (&slot, value) in body.arguments[rank..].iter().zip(&originals) {
            shared.push((slot, value.clone().into_tensor()?));
        }
        self.shared.push(shared);
        let mut span = Span::start(self);
        for point in self.points(&ranges)? {
            self.counts.steps += 1;
            self.counts.int_ops += 1;
            let ivs = point.into_iter().map(Value::Int);
            set_arguments(frame, body, ivs.chain(originals.iter().cloned()));
            self.run(frame, body)?;
            span.next(self);
        }
        span.finish(self, 1);
        let shared = self.shared.pop().unwrap_or_default();
        set_results(frame, op, shared.into_iter().map(|(_, tensor)| Value::Tensor(tensor)));
        Ok(())
    }

    /// Inserts into the result that belongs to an argument of the loop.
    pub(super) fn parallel_insert(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        spec: &SliceSpec,
    ) -> Result<(), Fault> {
        let slot: Slot = op.operands[1].slot;
        let target =
            self.shared.last_mut().and_then(|all| all.iter_mut().find(|(s, _)| *s == slot));
        let Some((_, target)) = target else {
            return fault("inserts into what is no output of the loop around it");
        };
        let array = std::mem::replace(target, Tensor::from_floats(&[0], vec![]));
        let slice = self.slice(frame, op, spec, 2)?;
        let source = frame.take(op.operands[0]).into_tensor()?;
        let done = self.insert_into(array, &slice, source, spec)?;
        let target =
            self.shared.last_mut().and_then(|all| all.iter_mut().find(|(s, _)| *s == slot));
        if let Some((_, target)) = target {
            *target = done;
        }
        Ok(())
    }

    /// All points of an iteration space, the last dimension fastest.
    fn points(&self, ranges: &[Range]) -> Result<Vec<Vec<i64>>, Fault> {
        let mut points = vec![vec![]];
        for &(lower, upper, step) in ranges {
            if step <= 0 {
                return fault(format!("step {step} is not positive"));
            }
            let values = (lower..upper).step_by(step as usize);
            self.element_count(&[points.len(), values.size_hint().0])?;
            let extend = |point: &Vec<i64>| -> Vec<Vec<i64>> {
                values.clone().map(|value| [&point[..], &[value]].concat()).collect()
            };
            points = points.iter().flat_map(extend).collect();
        }
        Ok(points)
    }
}
