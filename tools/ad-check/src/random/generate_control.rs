//! Random loops and branches.

use super::generate::element_type;
use super::generate::{Entry, Generator, Scope};
use super::generate_arrays::dims_of;
use super::ops::Promise;
use super::tree::{Body, Fold, Op, Ty, Var};

impl Generator {
    /// A loop or a branch.
    pub(super) fn control(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        match self.rng.below(11) {
            10 => self.recurrence(scope, depth),
            0..4 => self.counted(scope, depth),
            4 | 5 => self.branch(scope, depth),
            6 => self.switch(scope, depth),
            7 => self.conditional_loop(scope, depth),
            8 => self.parallel(scope, depth),
            _ => self.forall(scope, depth),
        }
    }

    fn counted(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let mut inits = Vec::new();
        for i in 0..1 + self.rng.below(3) {
            let other = i > 0 && self.rng.one_in(2);
            let ty = if other { self.carried_type(scope) } else { Ty::Float };
            let init = self.value(scope, &ty);
            inits.push(self.bounded(scope, init));
        }
        let mut inner = scope.inner();
        let mut params = vec![(self.fresh(), Ty::Index)];
        inner.add(params[0].0, Ty::Index, 4.0, false);
        for init in &inits {
            let var = self.fresh();
            inner.add(var, init.ty.clone(), 2.0, true);
            params.push((var, init.ty.clone()));
        }
        let types: Vec<Ty> = inits.iter().map(|e| e.ty.clone()).collect();
        let body = self.body(inner, params, depth, &types);
        let mut operands = Vec::new();
        if self.rng.one_in(3) {
            operands.extend(self.index_operands(scope, 1));
        }
        let mined = self.factors();
        let op = Op::For {
            lower: self.rng.below(2),
            upper: self.rng.below(if mined.is_empty() { 5 } else { 8 }),
            step: 1 + self.rng.below(2),
            carried: inits.len(),
            mined,
        };
        operands.extend(inits.into_iter().map(|e| (e.var, e.ty)));
        Some(self.emit_all(scope, op, operands, vec![body], types))
    }

    /// The factors of `ad.strip_mine`, mostly none.
    fn factors(&mut self) -> Vec<usize> {
        let count = if self.rng.one_in(4) { 1 + self.rng.below(2) } else { 0 };
        (0..count).map(|_| 1 + self.rng.below(4)).collect()
    }

    fn recurrence(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let a = self.filled_array(scope, None)?;
        let mut types = vec![a.ty.clone()];
        types.extend(vec![Ty::Float; self.rng.below(2)]);
        let mut operands = vec![self.bounded(scope, a.clone())];
        for ty in &types[1..] {
            let init = self.value(scope, ty);
            operands.push(self.bounded(scope, init));
        }
        let mut inner = scope.inner();
        let mut params = vec![(self.fresh(), Ty::Index)];
        inner.add(params[0].0, Ty::Index, 5.0, false);
        // The array itself is not in scope: reading it anywhere else would break the promise.
        let mut wanted = types.clone();
        wanted[0] = element_type(&dims_of(&a.ty));
        for ty in &wanted {
            let var = self.fresh();
            inner.add(var, ty.clone(), 2.0, true);
            params.push((var, ty.clone()));
        }
        let body = self.body(inner, params, depth, &wanted);
        let op = Op::Recurrence {
            distance: 1 + self.rng.below(2),
            backwards: self.rng.one_in(2),
            promise: *self.rng.pick(&[Promise::All, Promise::Listed, Promise::None]),
            mined: self.factors(),
        };
        let operands = operands.into_iter().map(|e| (e.var, e.ty)).collect();
        Some(self.emit_all(scope, op, operands, vec![body], types))
    }

    fn branch(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let (predicate, operands) = if self.rng.one_in(2) {
            (*self.rng.pick(&["ult", "eq", "uge"]), self.index_operands(scope, 2))
        } else {
            let pair = [self.float(scope), self.float(scope)].map(|e| (e.var, Ty::Float));
            (*self.rng.pick(&["olt", "oge", "one"]), pair.to_vec())
        };
        let mut types = vec![Ty::Float];
        if self.rng.one_in(3) {
            types.push(self.carried_type(scope));
        }
        let bodies = [(); 2].map(|()| self.body(scope.inner(), vec![], depth, &types));
        Some(self.emit_all(scope, Op::If(predicate), operands, bodies.into(), types))
    }

    fn switch(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let operands = self.index_operands(scope, 1);
        let mut types = vec![Ty::Float];
        if self.rng.one_in(3) {
            types.push(self.carried_type(scope));
        }
        let bodies = [(); 3].map(|()| self.body(scope.inner(), vec![], depth, &types));
        Some(self.emit_all(scope, Op::Switch, operands, bodies.into(), types))
    }

    fn conditional_loop(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let mut types = vec![Ty::Float];
        if self.rng.one_in(2) {
            types.push(self.carried_type(scope));
        }
        let operands = self.bounded_values(scope, &types);
        let mut inner = scope.inner();
        let mut params = vec![(self.fresh(), Ty::Index)];
        inner.add(params[0].0, Ty::Index, 4.0, false);
        for ty in &types {
            let var = self.fresh();
            inner.add(var, ty.clone(), 2.0, true);
            params.push((var, ty.clone()));
        }
        let body = self.body(inner, params, depth, &types);
        let limit = self.rng.below(4);
        let bound = self.rng.one_in(3).then(|| limit.max(1) + self.rng.below(2));
        let op = Op::While { limit, watches: self.rng.one_in(2), bound };
        Some(self.emit_all(scope, op, operands, vec![body], types))
    }

    /// A body that computes a number from an index.
    fn indexed_body(&mut self, scope: &Scope, depth: usize) -> Body {
        let mut inner = scope.inner();
        let params: Vec<(Var, Ty)> = vec![(self.fresh(), Ty::Index)];
        inner.add(params[0].0, Ty::Index, 4.0, false);
        self.body(inner, params, depth, &[Ty::Float])
    }

    fn parallel(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let init = self.bounded_values(scope, &[Ty::Float]);
        let body = self.indexed_body(scope, depth);
        let fold = *self.rng.pick(&[Fold::Add, Fold::Mul, Fold::Max]);
        let op = Op::Parallel { steps: self.rng.below(4), fold };
        Some(self.emit(scope, op, init, vec![body], Ty::Float, 32.0))
    }

    fn forall(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let ty = Ty::Array(vec![self.symbol()]);
        let body = self.indexed_body(scope, depth);
        Some(self.emit(scope, Op::Forall, vec![], vec![body], ty, 2.0))
    }
}
