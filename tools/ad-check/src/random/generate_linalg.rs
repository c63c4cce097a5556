//! Random `linalg` operations: products, convolutions, windows, elementwise.

use super::generate::{Entry, Generator, Scope};
use super::generate_arrays::dims_of;
use super::ops::LinalgOp;
use super::tree::{Body, Fold, Op, Ty};
use super::vocabulary::NAMED;

impl Generator {
    pub(super) fn linalg_statement(&mut self, scope: &mut Scope) -> Option<Entry> {
        match self.rng.below(10) {
            0 | 1 => self.named(scope),
            2 => self.inner_product(scope),
            3 => self.batch(scope),
            4 => self.convolution(scope),
            5 => self.channels(scope),
            6 => self.pool(scope),
            7 => self.copies(scope),
            8 => self.elementwise(scope),
            _ => self.softmax(scope),
        }
    }

    /// A statement with bounded operands of given types.
    fn linalg(
        &mut self,
        scope: &mut Scope,
        op: LinalgOp,
        types: &[Ty],
        result: Ty,
        bound: f64,
    ) -> Option<Entry> {
        let operands = self.bounded_values(scope, types);
        Some(self.emit(scope, Op::Linalg(op), operands, vec![], result, bound))
    }

    /// A symbol of a size that is not zero, if one is found.
    fn filled_symbol(&mut self) -> Option<usize> {
        let symbol = self.symbol();
        (self.size(symbol) > 0).then_some(symbol)
    }

    fn named(&mut self, scope: &mut Scope) -> Option<Entry> {
        let ty = self.array(scope, |_| true)?.ty;
        let f = self.rng.below(NAMED.len());
        let types = vec![ty.clone(); NAMED[f].1.len()];
        self.linalg(scope, LinalgOp::Named(f), &types, ty, 5.0)
    }

    fn inner_product(&mut self, scope: &mut Scope) -> Option<Entry> {
        let dims = dims_of(&self.array(scope, |dims| dims.len() == 1)?.ty);
        let bound = 4.0 * self.size(dims[0]) as f64;
        let ty = Ty::Array(dims.clone());
        if self.size(dims[0]) > 0 && self.rng.one_in(2) {
            let columns = self.symbol();
            let types = [ty, Ty::Array(vec![dims[0], columns])];
            return self.linalg(scope, LinalgOp::Vecmat, &types, Ty::Array(vec![columns]), bound);
        }
        self.linalg(scope, LinalgOp::Dot, &[ty.clone(), ty], Ty::Float, bound)
    }

    fn batch(&mut self, scope: &mut Scope) -> Option<Entry> {
        let [batch, rows, inner] = [self.filled_symbol()?, self.filled_symbol()?, self.symbol()];
        let left = Ty::Array(vec![batch, rows, inner]);
        let bound = 4.0 * self.size(inner) as f64;
        let (mut right, mut to) = (vec![batch, inner], vec![batch, rows]);
        if self.size(inner) > 0 && self.rng.one_in(2) {
            let columns = self.symbol();
            right.push(columns);
            to.push(columns);
        }
        self.linalg(scope, LinalgOp::Batch, &[left, Ty::Array(right)], Ty::Array(to), bound)
    }

    fn convolution(&mut self, scope: &mut Scope) -> Option<Entry> {
        let image = self.filled_array(scope, None)?.ty;
        let (mut filter, mut to, mut count) = (Vec::new(), Vec::new(), 1);
        if dims_of(&image).len() > 2 {
            return None;
        }
        for &symbol in &dims_of(&image) {
            let n = self.size(symbol);
            let k = 1 + self.rng.below(n.min(3));
            count *= k;
            filter.push(self.local_symbol(k));
            to.push(self.local_symbol(n - k + 1));
        }
        let types = [image, Ty::Array(filter)];
        self.linalg(scope, LinalgOp::Conv, &types, Ty::Array(to), 4.0 * count as f64)
    }

    /// A window, a stride, a dilation and how often that fits into `n`.
    fn windows(&mut self, n: usize) -> [usize; 4] {
        let (stride, dilation) = (1 + self.rng.below(2), 1 + self.rng.below(2));
        let window = 1 + self.rng.below(((n - 1) / dilation + 1).min(3));
        [window, stride, dilation, (n - 1 - (window - 1) * dilation) / stride + 1]
    }

    fn channels(&mut self, scope: &mut Scope) -> Option<Entry> {
        let [images, width, from] =
            [self.filled_symbol()?, self.filled_symbol()?, self.filled_symbol()?];
        let [window, stride, dilation, count] = self.windows(self.size(width));
        let bound = 4.0 * (window * self.size(from)) as f64;
        let [window, count] = [window, count].map(|n| self.local_symbol(n));
        let to = self.symbol();
        let types = [vec![images, width, from], vec![window, from, to]].map(Ty::Array);
        let op = LinalgOp::ConvChannels { stride, dilation };
        self.linalg(scope, op, &types, Ty::Array(vec![images, count, to]), bound)
    }

    fn pool(&mut self, scope: &mut Scope) -> Option<Entry> {
        let [images, width, channels] =
            [self.filled_symbol()?, self.filled_symbol()?, self.symbol()];
        let [window, stride, dilation, count] = self.windows(self.size(width));
        let fold = *self.rng.pick(&[Fold::Add, Fold::Max, Fold::Min]);
        let op = LinalgOp::Pool { fold, window, stride, dilation };
        let count = self.local_symbol(count);
        let types = [Ty::Array(vec![images, width, channels])];
        let bound = 2.0 * window as f64;
        self.linalg(scope, op, &types, Ty::Array(vec![images, count, channels]), bound)
    }

    fn copies(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.filled_array(scope, None)?;
        let mut dims = dims_of(&a.ty);
        if dims.len() > 2 {
            return None;
        }
        let position = self.rng.below(dims.len() + 1);
        let symbol = self.filled_symbol()?;
        dims.insert(position, symbol);
        let op = Op::Linalg(LinalgOp::Broadcast(position));
        Some(self.emit(scope, op, vec![(a.var, a.ty)], vec![], Ty::Array(dims), a.bound))
    }

    fn elementwise(&mut self, scope: &mut Scope) -> Option<Entry> {
        let ty = self.array(scope, |_| true)?.ty;
        let types = vec![ty.clone(); 1 + self.rng.below(2)];
        let operands = self.bounded_values(scope, &types);
        let body = self.scalar_body(scope, &vec![2.0; operands.len()]);
        Some(self.emit(scope, Op::Linalg(LinalgOp::Map), operands, vec![body], ty, 2.0))
    }

    /// The body of a `linalg` operation, which is scalar code; gives a bounded number.
    pub(super) fn scalar_body(&mut self, scope: &Scope, bounds: &[f64]) -> Body {
        let mut inner = scope.inner();
        inner.entries.retain(|e| e.ty == Ty::Float);
        let mut params = Vec::new();
        for &bound in bounds {
            let var = self.fresh();
            inner.add(var, Ty::Float, bound, true);
            params.push((var, Ty::Float));
        }
        for _ in 0..1 + self.rng.below(3) {
            self.scalar_statement(&mut inner);
        }
        let value = self.float(&mut inner);
        let results = vec![(self.bounded(&mut inner, value).var, Ty::Float)];
        Body { params, stmts: inner.stmts, results }
    }

    fn softmax(&mut self, scope: &mut Scope) -> Option<Entry> {
        let ty = self.filled_array(scope, None)?.ty;
        let dim = self.rng.below(dims_of(&ty).len());
        self.linalg(scope, LinalgOp::Softmax(dim), std::slice::from_ref(&ty), ty.clone(), 2.0)
    }
}
