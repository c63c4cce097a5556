//! `linalg`: structured operations by their definition, generic and named alike, and `fill`.

use super::control::set_results;
use super::soac::{Span, levels};
use super::tensor::advance;
use super::{Frame, Machine};
use crate::fault::{Fault, fault};
use crate::program::{GenericSpec, NOWHERE, Op, Opcode};
use crate::value::{Tensor, Value, View};
use ad_dialect::linalg::Expr;

impl Machine<'_> {
    pub(super) fn linalg_op(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        match &op.code {
            Opcode::Fill => self.fill(frame, op),
            Opcode::Generic(spec) => self.generic(frame, op, spec),
            Opcode::PointIndex(number) => self.point_index(frame, op, *number),
            _ => fault("internal error: not a linalg op"),
        }
    }

    fn fill(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let value = frame.get(op.operands[0]).clone();
        let target = frame.take(op.operands[1]);
        if let Value::Memory(view) = &target {
            return self.write_all(view, |_| Ok(value.clone()));
        }
        let mut target = target.into_tensor()?;
        self.counts.writes += target.len() as u64;
        match value {
            Value::Float(x) => target.floats_mut(&mut self.counts)?.fill(x),
            Value::Complex(x) => target.complexes_mut(&mut self.counts)?.fill(x),
            Value::Tensor(lanes) => {
                for start in (0..target.len()).step_by(lanes.len().max(1)) {
                    target.set(start, &Value::Tensor(lanes.clone()), &mut self.counts)?;
                }
            }
            other => target.ints_mut(&mut self.counts)?.fill(other.int()?),
        }
        set_results(frame, op, [Value::Tensor(target)]);
        Ok(())
    }

    /// Runs the body at every point of the iteration space, in order; outputs carry over from point to point.
    /// An element that the body does not use is not read.
    fn generic(&mut self, frame: &mut Frame, op: &Op, spec: &GenericSpec) -> Result<(), Fault> {
        let mut operands = frame.take_all(&op.operands);
        let buffers: Vec<Option<View>> = operands.iter().map(|o| o.view().ok().cloned()).collect();
        for (operand, buffer) in operands.iter_mut().zip(&buffers) {
            if let Some(buffer) = buffer {
                *operand = Value::Tensor(self.contents(buffer)?);
            }
        }
        let bounds = loop_bounds(&operands, spec)?;
        let points: usize = bounds.iter().product();
        let region = &op.regions[0];
        let outer = std::mem::replace(&mut self.point, vec![0; bounds.len()]);
        let mut span = Span::start(self);
        for _ in 0..points {
            span.next(self);
            for ((operand, map), &slot) in operands.iter().zip(&spec.maps).zip(&region.arguments) {
                if slot == NOWHERE {
                    continue;
                }
                let value = match operand {
                    Value::Tensor(t) => {
                        self.counts.reads += 1;
                        t.element(t.position(&coordinates(map, &self.point)?)?)
                    }
                    scalar => scalar.clone(),
                };
                frame.set(slot, value);
            }
            self.run(frame, region)?;
            for (i, &result) in region.yields.iter().enumerate() {
                let value = frame.get(result).clone();
                let map = &spec.maps[spec.inputs + i];
                let Value::Tensor(target) = &mut operands[spec.inputs + i] else {
                    return fault("has an output that is no tensor");
                };
                let position = target.position(&coordinates(map, &self.point)?)?;
                target.set(position, &value, &mut self.counts)?;
            }
            advance(&mut self.point, &bounds);
        }
        let reduced: usize =
            (0..spec.loops).filter(|l| !spec.parallel.contains(l)).map(|l| bounds[l]).product();
        span.finish(self, levels(reduced));
        self.point = outer;
        let outputs = operands.into_iter().zip(buffers).skip(spec.inputs);
        let mut results = vec![];
        for (output, buffer) in outputs {
            match buffer {
                Some(buffer) => self.fill_with(&buffer, &output)?,
                None => results.push(output),
            }
        }
        set_results(frame, op, results);
        Ok(())
    }

    /// The number of the iteration of a loop around the body that runs.
    fn point_index(&mut self, frame: &mut Frame, op: &Op, number: usize) -> Result<(), Fault> {
        let Some(&index) = self.point.get(number) else {
            return fault(format!("asks for loop {number}, which is not there"));
        };
        set_results(frame, op, [Value::Int(index as i64)]);
        Ok(())
    }
}

fn coordinates(map: &[Expr], point: &[usize]) -> Result<Vec<usize>, Fault> {
    map.iter()
        .map(|index| match index.at(point).and_then(|i| usize::try_from(i).ok()) {
            Some(index) => Ok(index),
            None => fault(format!("has an index that is negative or undefined at point {point:?}")),
        })
        .collect()
}

fn loop_bounds(operands: &[Value], spec: &GenericSpec) -> Result<Vec<usize>, Fault> {
    let mut bounds = vec![None; spec.loops];
    for (operand, map) in operands.iter().zip(&spec.maps) {
        let shape = operand.tensor().map(Tensor::shape).unwrap_or_default();
        for (index, &size) in map.iter().zip(shape) {
            if let Expr::Loop(l) = *index
                && *bounds[l].get_or_insert(size) != size
            {
                return fault(format!("loop {l} has different sizes in its operands"));
            }
        }
    }
    let bounds: Option<Vec<usize>> = bounds.into_iter().collect();
    bounds.map_or_else(|| fault("has a loop without a size"), Ok)
}
