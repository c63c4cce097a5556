//! The part of the `linalg` dialect that programs here use: `fill`, `copy`, `transpose`, `map`, `generic` with projected maps.

use super::control::{set_arguments, set_results};
use super::tensor::advance;
use super::{Frame, Machine};
use crate::fault::{Fault, fault};
use crate::program::{GenericIndex, GenericSpec, Op, Opcode};
use crate::value::{Builder, Tensor, Value};

impl Machine<'_> {
    pub(super) fn linalg_op(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        match &op.code {
            Opcode::Fill => self.fill(frame, op),
            Opcode::Copy => self.copy(frame, op),
            Opcode::Transpose(permutation) => self.transpose(frame, op, permutation),
            Opcode::LinalgMap => self.linalg_map(frame, op),
            Opcode::Generic(spec) => self.generic(frame, op, spec),
            _ => fault("internal error: not a linalg op"),
        }
    }

    fn fill(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let value = frame.get(op.operands[0]).clone();
        let mut target = frame.take(op.operands[1]).into_tensor()?;
        self.counts.writes += target.len() as u64;
        match value {
            Value::Float(x) => target.floats_mut(&mut self.counts)?.fill(x),
            other => target.ints_mut(&mut self.counts)?.fill(other.int()?),
        }
        set_results(frame, op, [Value::Tensor(target)]);
        Ok(())
    }

    fn copy(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let source = frame.take(op.operands[0]).into_tensor()?;
        let target = frame.take(op.operands[1]).into_tensor()?;
        if source.shape() != target.shape() {
            return fault(format!(
                "copies shape {:?} to shape {:?}",
                source.shape(),
                target.shape()
            ));
        }
        self.counts.reads += source.len() as u64;
        self.counts.writes += source.len() as u64;
        set_results(frame, op, [Value::Tensor(source)]);
        Ok(())
    }

    fn transpose(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        permutation: &[usize],
    ) -> Result<(), Fault> {
        let source = frame.take(op.operands[0]).into_tensor()?;
        let valid =
            permutation.len() == source.rank() && permutation.iter().all(|&p| p < source.rank());
        if !valid {
            return fault(format!(
                "permutation {permutation:?} of a tensor of rank {}",
                source.rank()
            ));
        }
        let shape: Vec<usize> = permutation.iter().map(|&p| source.shape()[p]).collect();
        let mut builder = Builder::new(source.is_float(), source.len());
        let mut index = vec![0; shape.len()];
        let mut from = index.clone();
        for _ in 0..source.len() {
            permutation.iter().zip(&index).for_each(|(&p, &i)| from[p] = i);
            builder.push(&source.element(source.position(&from)?))?;
            advance(&mut index, &shape);
        }
        self.counts.reads += source.len() as u64;
        let result = builder.finish(&[], &mut self.counts).reshaped(shape.into());
        set_results(frame, op, [Value::Tensor(result)]);
        Ok(())
    }

    fn linalg_map(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let operands: Vec<Tensor> = frame
            .take_all(&op.operands)
            .into_iter()
            .map(Value::into_tensor)
            .collect::<Result<_, _>>()?;
        let Some(target) = operands.last() else { return fault("has no output") };
        let shape = target.shape();
        if operands.iter().any(|t| t.shape() != shape) {
            return fault("has operands of different shapes");
        }
        let region = &op.regions[0];
        let mut builder = Builder::new(target.is_float(), target.len());
        for i in 0..target.len() {
            set_arguments(frame, region, operands.iter().map(|t| t.element(i)));
            self.run(frame, region)?;
            builder.push(frame.get(region.yields[0]))?;
        }
        self.counts.reads += (target.len() * (operands.len() - 1)) as u64;
        let result = builder.finish(&[], &mut self.counts).reshaped(shape.into());
        set_results(frame, op, [Value::Tensor(result)]);
        Ok(())
    }

    /// Runs the body at every point of the iteration space, in order; outputs carry over from point to point.
    fn generic(&mut self, frame: &mut Frame, op: &Op, spec: &GenericSpec) -> Result<(), Fault> {
        let mut operands = frame.take_all(&op.operands);
        let bounds = loop_bounds(&operands, spec)?;
        let points: usize = bounds.iter().product();
        let region = &op.regions[0];
        let mut point = vec![0; bounds.len()];
        for _ in 0..points {
            for ((operand, map), &slot) in operands.iter().zip(&spec.maps).zip(&region.arguments) {
                let value = match operand {
                    Value::Tensor(t) => t.element(t.position(&coordinates(map, &point))?),
                    scalar => scalar.clone(),
                };
                self.counts.reads += 1;
                frame.set(slot, value);
            }
            self.run(frame, region)?;
            for (i, &result) in region.yields.iter().enumerate() {
                let value = frame.get(result).clone();
                let map = &spec.maps[spec.inputs + i];
                let Value::Tensor(target) = &mut operands[spec.inputs + i] else {
                    return fault("has an output that is no tensor");
                };
                let position = target.position(&coordinates(map, &point))?;
                target.set(position, &value, &mut self.counts)?;
            }
            advance(&mut point, &bounds);
        }
        set_results(frame, op, operands.into_iter().skip(spec.inputs));
        Ok(())
    }
}

fn coordinates(map: &[GenericIndex], point: &[usize]) -> Vec<usize> {
    let coordinate = |i: &GenericIndex| match *i {
        GenericIndex::Loop(l) => point[l],
        GenericIndex::Constant(c) => c,
    };
    map.iter().map(coordinate).collect()
}

fn loop_bounds(operands: &[Value], spec: &GenericSpec) -> Result<Vec<usize>, Fault> {
    let mut bounds = vec![None; spec.loops];
    for (operand, map) in operands.iter().zip(&spec.maps) {
        let shape = operand.tensor().map(Tensor::shape).unwrap_or_default();
        for (index, &size) in map.iter().zip(shape) {
            if let GenericIndex::Loop(l) = *index
                && *bounds[l].get_or_insert(size) != size
            {
                return fault(format!("loop {l} has different sizes in its operands"));
            }
        }
    }
    let bounds: Option<Vec<usize>> = bounds.into_iter().collect();
    bounds.map_or_else(|| fault("has a loop without a size"), Ok)
}
