//! `linalg.softmax`, `linalg.pack` and `linalg.unpack`.

use super::control::set_results;
use super::scalar::float;
use super::scalar::ops::{FloatBinary, FloatUnary};
use super::tensor::advance;
use super::{Frame, Machine};
use crate::fault::{Fault, fault};
use crate::program::{FloatKind, Op, RelayoutSpec};
use crate::value::{Builder, Tensor, Value};

impl Machine<'_> {
    /// exp (x - m) / sum of exp (x - m) along a dimension, with m the maximum.
    pub(super) fn softmax(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        along: usize,
        kind: FloatKind,
    ) -> Result<(), Fault> {
        let source = frame.take(op.operands[0]).into_tensor()?;
        let mut target = frame.take(op.operands[1]).into_tensor()?;
        let (Some(x), Some(&size)) = (source.floats(), source.shape().get(along)) else {
            return fault("has no floats along its dimension");
        };
        if target.shape() != source.shape() {
            return fault("has an output of another shape");
        }
        let stride: usize = source.shape()[along + 1..].iter().product();
        let binary = |f, a, b| float::binary(f, kind, a, b);
        let out = target.floats_mut(&mut self.counts)?;
        for row in (0..x.len()).filter(|i| size > 0 && (i / stride).is_multiple_of(size)) {
            let places = || (0..size).map(|k| row + k * stride);
            let max = |m, i: usize| binary(FloatBinary::MaxNum, m, x[i]);
            let m = places().fold(f64::NEG_INFINITY, max);
            for i in places() {
                let shifted = binary(FloatBinary::Sub, x[i], m);
                out[i] = float::unary(FloatUnary::Exp, kind, shifted);
            }
            let sum = places().fold(0.0, |sum, i| binary(FloatBinary::Add, sum, out[i]));
            for i in places() {
                out[i] = binary(FloatBinary::Div, out[i], sum);
            }
        }
        let n = x.len() as u64;
        self.counts.float_ops += 4 * n;
        self.counts.math_ops += n;
        self.counts.reads += n;
        self.counts.writes += n;
        set_results(frame, op, [Value::Tensor(target)]);
        Ok(())
    }

    /// Tiles an array, or puts it together from tiles.
    pub(super) fn relayout(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        spec: &RelayoutSpec,
    ) -> Result<(), Fault> {
        let source = frame.take(op.operands[0]).into_tensor()?;
        let shape = frame.take(op.operands[1]).into_tensor()?.shape().to_vec();
        let padding = op.operands.get(2).filter(|_| spec.padded).map(|&v| frame.get(v).clone());
        let packed = if spec.unpacks { source.shape() } else { &shape[..] };
        let Some(tiles) = packed.get(spec.order.len()..).map(<[usize]>::to_vec) else {
            return fault("has more dimensions than its tiled array");
        };
        let count = shape.iter().product();
        let mut builder = Builder::new(source.is_float(), count);
        let mut index = vec![0; shape.len()];
        for _ in 0..count {
            let from = if spec.unpacks {
                spec.tiled(&index, &tiles)
            } else {
                spec.untiled(&index, &tiles)
            };
            let inside = from.iter().zip(source.shape()).all(|(&i, &size)| i < size);
            match &padding {
                Some(padding) if !inside => builder.push(padding)?,
                _ => builder.push(&element(&source, &from)?)?,
            }
            advance(&mut index, &shape);
        }
        self.counts.reads += count as u64;
        let result = builder.finish(&[], &mut self.counts).reshaped(shape.into());
        set_results(frame, op, [Value::Tensor(result)]);
        Ok(())
    }
}

fn element(source: &Tensor, index: &[usize]) -> Result<Value, Fault> {
    Ok(source.element(source.position(index)?))
}

impl RelayoutSpec {
    fn tile_of(&self, dimension: usize) -> Option<usize> {
        self.positions.iter().position(|&d| d == dimension)
    }

    /// The index in the tiled array of an index in the plain one.
    fn tiled(&self, index: &[usize], tiles: &[usize]) -> Vec<usize> {
        let at = |d: usize| index.get(d).copied().unwrap_or(0);
        let tile = |k: usize| tiles.get(k).copied().unwrap_or(1).max(1);
        let outer = self.order.iter().map(|&d| at(d) / self.tile_of(d).map_or(1, tile));
        let inner = self.positions.iter().enumerate().map(|(k, &d)| at(d) % tile(k));
        outer.chain(inner).collect()
    }

    /// The index in the plain array of an index in the tiled one.
    fn untiled(&self, index: &[usize], tiles: &[usize]) -> Vec<usize> {
        let rank = self.order.len();
        let mut plain = vec![0; rank];
        for (&d, &outer) in self.order.iter().zip(index) {
            if let Some(place) = plain.get_mut(d) {
                *place = match self.tile_of(d) {
                    Some(k) => {
                        outer * tiles.get(k).unwrap_or(&1) + index.get(rank + k).unwrap_or(&0)
                    }
                    None => outer,
                };
            }
        }
        plain
    }
}
