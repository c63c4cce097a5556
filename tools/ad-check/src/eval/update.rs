//! Hist and scatter: arrays updated at indices, in the order of the values.
//!
//! An index that is out of range for its dimension, also a negative one, is ignored.
//! Both count as parallel operations: a scatter of m values has m writes and the span of one, a hist of m values
//! that of a tree over all of them, since all may fall into one bin.

use super::control::{set_arguments, set_results};
use super::soac::{Columns, Span, levels};
use super::{Frame, Machine};
use crate::fault::{Fault, fault};
use crate::program::{Op, UpdateSpec};
use crate::value::{Tensor, Value};

/// The operands of an update taken apart.
struct Update {
    at: Columns,
    values: Columns,
    dests: Vec<Tensor>,
    neutrals: Vec<Value>,
}

impl Update {
    fn take(frame: &mut Frame, op: &Op, spec: UpdateSpec) -> Result<Update, Fault> {
        let mut groups = op.operands.split_at(spec.indices);
        let at = Columns::new(frame.take_all(groups.0))?;
        groups = groups.1.split_at(spec.arrays);
        let values = Columns::new(frame.take_all(groups.0))?;
        groups = groups.1.split_at(spec.arrays);
        let dests: Result<Vec<_>, _> =
            frame.take_all(groups.0).into_iter().map(Value::into_tensor).collect();
        let update = Update { at, values, dests: dests?, neutrals: frame.take_all(groups.1) };
        update.check(spec)?;
        Ok(update)
    }

    fn check(&self, spec: UpdateSpec) -> Result<(), Fault> {
        if self.at.length != self.values.length {
            return fault(format!("{} indices for {} values", self.at.length, self.values.length));
        }
        let bins = |dest: &Tensor| dest.shape().get(..spec.indices).map(<[usize]>::to_vec);
        if self.dests.iter().any(|dest| bins(dest) != bins(&self.dests[0])) {
            return fault("the destinations are indexed by different sizes");
        }
        Ok(())
    }

    /// The index of value `i`, if it is in range.
    fn index(&self, i: usize) -> Result<Option<Vec<usize>>, Fault> {
        let mut index = Vec::new();
        for (value, &size) in self.at.elements(i).zip(self.dests[0].shape()) {
            match usize::try_from(value.int()?) {
                Ok(k) if k < size => index.push(k),
                _ => return Ok(None),
            }
        }
        Ok(Some(index))
    }

    fn reads(&self) -> u64 {
        (self.at.scalars() + self.values.scalars()) * self.at.length as u64
    }
}

impl Machine<'_> {
    pub(super) fn scatter(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        spec: UpdateSpec,
    ) -> Result<(), Fault> {
        let mut update = Update::take(frame, op, spec)?;
        for i in 0..update.at.length {
            let Some(index) = update.index(i)? else { continue };
            for (dest, value) in update.dests.iter_mut().zip(update.values.elements(i)) {
                self.replace(dest, &index, &value)?;
            }
        }
        self.counts.reads += update.reads();
        set_results(frame, op, update.dests.into_iter().map(Value::Tensor));
        Ok(())
    }

    pub(super) fn hist(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        spec: UpdateSpec,
    ) -> Result<(), Fault> {
        let mut update = Update::take(frame, op, spec)?;
        let element =
            |neutral: &Value| neutral.tensor().map(Tensor::shape).unwrap_or_default().to_vec();
        let shapes: Vec<_> = update.neutrals.iter().map(element).collect();
        if shapes.iter().zip(&update.dests).any(|(e, d)| *e != d.shape()[spec.indices..]) {
            return fault("a neutral element has another shape than the destination's elements");
        }
        let region = &op.regions[0];
        let mut span = Span::start(self);
        for i in 0..update.at.length {
            span.next(self);
            let Some(index) = update.index(i)? else { continue };
            let mut held = Vec::with_capacity(spec.arrays);
            for dest in &update.dests {
                held.push(self.copy_of_element(dest, &index)?);
            }
            set_arguments(frame, region, held.into_iter().chain(update.values.elements(i)));
            self.run(frame, region)?;
            let new = frame.take_all(&region.yields);
            for (dest, value) in update.dests.iter_mut().zip(&new) {
                self.replace(dest, &index, value)?;
            }
        }
        span.finish(self, levels(update.at.length));
        self.counts.reads += update.reads();
        set_results(frame, op, update.dests.into_iter().map(Value::Tensor));
        Ok(())
    }

    /// The element at indices of the leading dimensions, sharing nothing with the array, so that the array can be
    /// updated in place.
    fn copy_of_element(&mut self, array: &Tensor, index: &[usize]) -> Result<Value, Fault> {
        let start = array.prefix_position(index)?;
        let shape = &array.shape()[index.len()..];
        if shape.is_empty() {
            self.counts.reads += 1;
            return Ok(array.element(start));
        }
        let row = array.window(start, shape.into());
        let copy = match (row.floats(), row.ints()) {
            (Some(x), _) => Tensor::from_floats(shape, x.to_vec()),
            (_, Some(x)) => Tensor::from_ints(shape, x.to_vec()),
            _ => return fault("internal error: a tensor without elements"),
        };
        Ok(Value::Tensor(copy))
    }

    /// Overwrites the element at indices of the leading dimensions.
    fn replace(&mut self, array: &mut Tensor, index: &[usize], new: &Value) -> Result<(), Fault> {
        let start = array.prefix_position(index)?;
        let Value::Tensor(new) = new else { return array.set(start, new, &mut self.counts) };
        if *new.shape() != array.shape()[index.len()..] {
            return fault(format!(
                "stores shape {:?} in an array of shape {:?}",
                new.shape(),
                array.shape()
            ));
        }
        let range = start..start + new.len();
        self.counts.writes += new.len() as u64;
        match (new.floats(), new.ints()) {
            (Some(x), _) => array.floats_mut(&mut self.counts)?[range].copy_from_slice(x),
            (_, Some(x)) => array.ints_mut(&mut self.counts)?[range].copy_from_slice(x),
            _ => return fault("internal error: a tensor without elements"),
        }
        Ok(())
    }
}
