//! Random statements that give elements of arrays other places.

use super::generate::{Entry, Generator, Scope};
use super::generate_arrays::dims_of;
use super::ops::ShapeOp;
use super::tree::{Op, Ty};

impl Generator {
    pub(super) fn shape_statement(&mut self, scope: &mut Scope) -> Option<Entry> {
        match self.rng.below(7) {
            0 | 1 => self.expand(scope),
            2 => self.collapse(scope),
            3 => self.reshape(scope),
            4 | 5 => self.gather(scope),
            _ => self.scatter_parts(scope),
        }
    }

    fn shape(&mut self, scope: &mut Scope, op: ShapeOp, a: Entry, dims: Vec<usize>) -> Entry {
        self.emit(scope, Op::Shape(op), vec![(a.var, a.ty)], vec![], Ty::Array(dims), a.bound)
    }

    fn expand(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.filled_array(scope, Some(1))?;
        let symbol = dims_of(&a.ty)[0];
        let n = self.size(symbol);
        let dims = match self.rng.below(3) {
            0 => vec![symbol, self.local_symbol(1)],
            1 => vec![self.local_symbol(1), symbol],
            _ => {
                let factors: Vec<usize> = (1..=n).filter(|k| n.is_multiple_of(*k)).collect();
                let first = *self.rng.pick(&factors);
                vec![self.local_symbol(first), self.local_symbol(n / first)]
            }
        };
        Some(self.shape(scope, ShapeOp::Expand, a, dims))
    }

    fn collapse(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.array(scope, |dims| dims.len() >= 2)?;
        let dims = dims_of(&a.ty);
        let flat = self.local_symbol(self.size(dims[0]) * self.size(dims[1]));
        Some(self.shape(scope, ShapeOp::Collapse, a, [&[flat], &dims[2..]].concat()))
    }

    fn reshape(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.filled_array(scope, Some(2))?;
        let dims = dims_of(&a.ty);
        Some(self.shape(scope, ShapeOp::Reshape, a, vec![dims[1], dims[0]]))
    }

    fn gather(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.filled_array(scope, None)?;
        let mut dims = dims_of(&a.ty);
        let dim = self.rng.below(dims.len());
        let n = self.size(dims.remove(dim));
        let count = self.symbol();
        if self.size(count) == 0 && !dims.is_empty() {
            return None;
        }
        let (factor, offset) = (self.rng.below(3), self.rng.below(n));
        let unique = factor == 1 && self.size(count) <= n;
        let op = ShapeOp::Gather { dim, factor, offset, unique };
        Some(self.shape(scope, op, a, [&[count], &dims[..]].concat()))
    }

    fn scatter_parts(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.filled_array(scope, None)?;
        let mut dims = dims_of(&a.ty);
        let n = self.size(dims[0]);
        dims[0] = self.symbol();
        let least = usize::from(dims.len() > 1);
        if !(least..=n).contains(&self.size(dims[0])) {
            return None;
        }
        let parts = self.value(scope, &Ty::Array(dims));
        let op = Op::Shape(ShapeOp::Scatter { offset: self.rng.below(n) });
        let bound = a.bound.max(parts.bound);
        let operands = vec![(a.var, a.ty.clone()), (parts.var, parts.ty)];
        Some(self.emit(scope, op, operands, vec![], a.ty, bound))
    }
}
