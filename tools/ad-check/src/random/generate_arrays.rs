//! Random array statements and constructs with bodies.

use super::generate::{Entry, Generator, Scope, element_type};
use super::tree::{Body, Op, Stmt, Ty, Var};

pub(super) fn dims_of(ty: &Ty) -> Vec<usize> {
    match ty {
        Ty::Array(dims) => dims.clone(),
        _ => Vec::new(),
    }
}

/// Variables of a body with their types.
pub(super) type Parameters = Vec<(Var, Ty)>;

impl Generator {
    pub(super) fn filled(&self, dims: &[usize]) -> bool {
        dims.iter().all(|&s| self.size(s) > 0)
    }

    /// An array in scope with no dimension of size zero.
    pub(super) fn filled_array(&mut self, scope: &Scope, rank: Option<usize>) -> Option<Entry> {
        let symbols = self.tree.symbols.clone();
        self.array(scope, |dims| {
            rank.is_none_or(|r| dims.len() == r) && dims.iter().all(|&s| symbols[s].size > 0)
        })
    }

    pub(super) fn index_operands(&mut self, scope: &mut Scope, count: usize) -> Vec<(Var, Ty)> {
        (0..count).map(|_| (self.value(scope, &Ty::Index).var, Ty::Index)).collect()
    }

    pub(super) fn array_statement(&mut self, scope: &mut Scope) {
        let made = match self.rng.below(21) {
            0..3 => self.extract(scope),
            3 => self.insert(scope),
            4 => self.row(scope),
            5 => self.set_row(scope),
            6 => self.slice(scope),
            7 => self.set_slice(scope),
            8 => self.collect_elements(scope),
            9 => self.cast_trip(scope),
            10..14 => self.whole_statement(scope),
            14..16 => self.linalg_statement(scope),
            16..18 => self.shape_statement(scope),
            18..20 => self.lanes_statement(scope),
            _ => {
                let ty = self.array_type();
                Some(self.value(scope, &ty))
            }
        };
        if made.is_none() {
            let ty = self.array_type();
            self.value(scope, &ty);
        }
    }

    fn extract(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.filled_array(scope, None)?;
        let mut operands = vec![(a.var, a.ty.clone())];
        operands.extend(self.index_operands(scope, dims_of(&a.ty).len()));
        Some(self.emit(scope, Op::Extract, operands, vec![], Ty::Float, a.bound))
    }

    fn insert(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.filled_array(scope, None)?;
        let x = self.float(scope);
        let mut operands = vec![(a.var, a.ty.clone()), (x.var, Ty::Float)];
        operands.extend(self.index_operands(scope, dims_of(&a.ty).len()));
        Some(self.emit(scope, Op::Insert, operands, vec![], a.ty, a.bound.max(x.bound)))
    }

    fn row(&mut self, scope: &mut Scope) -> Option<Entry> {
        let (a, dim, row) = self.row_of(scope)?;
        let mut operands = vec![(a.var, a.ty)];
        operands.extend(self.index_operands(scope, 1));
        Some(self.emit(scope, Op::Row(dim), operands, vec![], row, a.bound))
    }

    /// An array, a dimension, and the type of the part at an index of it.
    fn row_of(&mut self, scope: &Scope) -> Option<(Entry, usize, Ty)> {
        let symbols = self.tree.symbols.clone();
        let filled = |dims: &[usize]| dims.iter().all(|&s| symbols[s].size > 0);
        let a = self.array(scope, |dims| dims.len() >= 2 && filled(dims))?;
        let mut dims = dims_of(&a.ty);
        let dim = if self.rng.one_in(3) { self.rng.below(dims.len()) } else { 0 };
        dims.remove(dim);
        Some((a, dim, Ty::Array(dims)))
    }

    fn set_row(&mut self, scope: &mut Scope) -> Option<Entry> {
        let (a, dim, row) = self.row_of(scope)?;
        let row = self.value(scope, &row);
        let mut operands = vec![(a.var, a.ty.clone()), (row.var, row.ty)];
        operands.extend(self.index_operands(scope, 1));
        Some(self.emit(scope, Op::SetRow(dim), operands, vec![], a.ty, a.bound.max(row.bound)))
    }

    /// An offset, a stride and a size that fit an array of `n`.
    fn part(&mut self, n: usize) -> (usize, usize, usize) {
        let offset = self.rng.below(n);
        let stride = 1 + self.rng.below(2);
        let most = (n - offset).div_ceil(stride);
        (offset, stride, 1 + self.rng.below(most))
    }

    /// A part of an array: offsets with strides, and the type; sometimes it is of no elements.
    fn part_of(&mut self, a: &Entry) -> (Vec<(usize, usize)>, Ty) {
        let (mut places, mut dims) = (Vec::new(), Vec::new());
        for symbol in dims_of(&a.ty) {
            let (offset, stride, size) = self.part(self.size(symbol));
            places.push((offset, stride));
            dims.push(self.local_symbol(size));
        }
        if self.rng.one_in(12) {
            let none = self.local_symbol(0);
            dims.pop();
            dims.push(none);
        }
        (places, Ty::Array(dims))
    }

    fn slice(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.filled_array(scope, None)?;
        let (places, ty) = self.part_of(&a);
        Some(self.emit(scope, Op::Slice(places), vec![(a.var, a.ty)], vec![], ty, a.bound))
    }

    fn set_slice(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.filled_array(scope, None)?;
        let (places, ty) = self.part_of(&a);
        let part = self.value(scope, &ty);
        let operands = vec![(a.var, a.ty.clone()), (part.var, ty)];
        let bound = a.bound.max(part.bound);
        Some(self.emit(scope, Op::SetSlice(places), operands, vec![], a.ty, bound))
    }

    fn collect_elements(&mut self, scope: &mut Scope) -> Option<Entry> {
        let count = 1 + self.rng.below(3);
        let elements: Vec<Entry> = (0..count).map(|_| self.float(scope)).collect();
        let ty = Ty::Array(vec![self.local_symbol(count)]);
        let bound = elements.iter().map(|e| e.bound).fold(0.0, f64::max);
        let operands = elements.into_iter().map(|e| (e.var, e.ty)).collect();
        Some(self.emit(scope, Op::FromElements, operands, vec![], ty, bound))
    }

    fn cast_trip(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.array(scope, |_| true)?;
        Some(self.emit(scope, Op::CastTrip, vec![(a.var, a.ty.clone())], vec![], a.ty, a.bound))
    }

    /// A construct with bodies.
    pub(super) fn construct(&mut self, scope: &mut Scope, depth: usize) {
        let made = match self.rng.below(22) {
            0..5 => self.map(scope, depth),
            5..11 => self.fold(scope),
            11..16 => self.control(scope, depth),
            16 => self.generated(scope, depth),
            17 => self.with_acc(scope, depth),
            18 => self.flat(scope, depth),
            19 => self.contract(scope),
            _ => self.call(scope),
        };
        if made.is_none() {
            self.map(scope, depth);
        }
    }

    /// A parameter for each element of some arrays along one symbol.
    pub(super) fn columns(
        &mut self,
        scope: &mut Scope,
        inner: &mut Scope,
    ) -> (usize, Parameters, Parameters) {
        let first = match self.array(scope, |_| true) {
            Some(a) => a,
            None => {
                let ty = self.array_type();
                self.value(scope, &ty)
            }
        };
        let symbol = dims_of(&first.ty)[0];
        let mut arrays = vec![first];
        if self.rng.one_in(2)
            && let Some(other) = self.array(scope, |dims| dims[0] == symbol)
        {
            arrays.push(other);
        }
        if self.rng.one_in(3) {
            arrays.push(self.value(scope, &Ty::Indices(symbol)));
        }
        let mut params = Vec::new();
        for a in &arrays {
            let ty = match &a.ty {
                Ty::Array(dims) => element_type(dims),
                _ => Ty::Index,
            };
            let var = self.fresh();
            inner.add(var, ty.clone(), a.bound, a.active);
            params.push((var, ty));
        }
        (symbol, arrays.into_iter().map(|a| (a.var, a.ty)).collect(), params)
    }

    fn map(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let mut inner = Scope::default();
        let (symbol, operands, params) = self.columns(scope, &mut inner);
        inner.entries.splice(0..0, scope.entries.iter().cloned());
        let mut wanted = vec![Ty::Float];
        if self.size(symbol) > 0 && self.rng.one_in(4) {
            let inner_symbol = self.symbol();
            wanted.push(Ty::Array(vec![inner_symbol]));
        }
        if self.rng.one_in(3) {
            wanted.rotate_right(1);
        }
        let body = self.body(inner, params, depth, &wanted);
        let types =
            wanted.iter().map(|ty| Ty::Array([vec![symbol], dims_of(ty)].concat())).collect();
        Some(self.emit_all(scope, Op::Map, operands, vec![body], types))
    }

    /// Adds a statement with several bounded results; gives the first.
    pub(super) fn emit_all(
        &mut self,
        scope: &mut Scope,
        op: Op,
        operands: Vec<(Var, Ty)>,
        bodies: Vec<Body>,
        types: Vec<Ty>,
    ) -> Entry {
        let results: Vec<(Var, Ty)> = types.into_iter().map(|ty| (self.fresh(), ty)).collect();
        let active = scope.is_active(&operands, &bodies);
        for (var, ty) in &results {
            scope.add(*var, ty.clone(), 2.0, active);
        }
        let (var, ty) = results[0].clone();
        scope.stmts.push(Stmt { results, op, operands, bodies });
        Entry { var, ty, bound: 2.0, active }
    }

    fn generated(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let ty = self.array_type();
        let mut inner = scope.inner();
        let mut params = Vec::new();
        for _ in dims_of(&ty) {
            let var = self.fresh();
            inner.add(var, Ty::Index, 5.0, false);
            params.push((var, Ty::Index));
        }
        let body = self.body(inner, params, depth, &[Ty::Float]);
        Some(self.emit(scope, Op::Generate, vec![], vec![body], ty, 2.0))
    }

    fn with_acc(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        if !self.settings.accumulators {
            return None;
        }
        let array = self.filled_array(scope, None)?;
        let array = self.bounded(scope, array);
        let dims = dims_of(&array.ty);
        let mut inner = Scope::default();
        let mut operands = vec![(array.var, array.ty.clone())];
        let looped = self.rng.one_in(3);
        let params = if looped {
            let var = self.fresh();
            inner.add(var, Ty::Index, 4.0, false);
            vec![(var, Ty::Index)]
        } else {
            let (_, columns, params) = self.columns(scope, &mut inner);
            operands.extend(columns);
            params
        };
        inner.entries.splice(0..0, scope.entries.iter().cloned());
        let rows = dims.len() == 2 && self.rng.one_in(2);
        let value = if rows { element_type(&dims) } else { Ty::Float };
        let mut wanted = vec![Ty::Index; if rows { 1 } else { dims.len() }];
        wanted.push(value);
        let body = self.body(inner, params, depth, &wanted);
        let op = if looped { Op::WithAccLoop(1 + self.rng.below(3)) } else { Op::WithAcc };
        Some(self.emit(scope, op, operands, vec![body], array.ty, 20.0))
    }

    fn flat(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let a = self.array(scope, |dims| dims.len() == 2)?;
        if !self.filled(&dims_of(&a.ty)) {
            return None;
        }
        let var = self.fresh();
        let mut inner = scope.inner();
        inner.add(var, Ty::Float, a.bound, a.active);
        let body = self.body(inner, vec![(var, Ty::Float)], depth, &[Ty::Float]);
        Some(self.emit(scope, Op::Flat, vec![(a.var, a.ty.clone())], vec![body], a.ty, 2.0))
    }

    /// A call of an earlier function, or a request for its derivatives.
    fn call(&mut self, scope: &mut Scope) -> Option<Entry> {
        if self.tree.functions.is_empty() {
            return None;
        }
        let f = self.rng.below(self.tree.functions.len());
        let (params, results) =
            (self.tree.functions[f].params.clone(), self.tree.functions[f].results.clone());
        let types = |list: &[(Var, Ty)]| list.iter().map(|p| p.1.clone()).collect::<Vec<Ty>>();
        let mut operands = self.bounded_values(scope, &types(&params));
        let mode = self.rng.below(3);
        if mode == 0 && self.settings.calls || !self.settings.requests {
            return Some(self.emit_all(scope, Op::Call(f), operands, vec![], types(&results)));
        }
        let (op, seeds, derivatives) = if mode == 1 {
            (Op::Vjp(f), types(&results), types(&params))
        } else {
            (Op::Jvp(f), types(&params), types(&results))
        };
        operands.extend(self.bounded_values(scope, &seeds));
        let primal = results.len();
        let all = [types(&results), derivatives].concat();
        let count = all.len();
        let entry = self.emit_all(scope, op, operands, vec![], all);
        let first = scope.entries.len() - count + primal;
        scope.entries[first..].iter_mut().for_each(|e| e.bound = 1e3);
        Some(entry)
    }

    pub(super) fn bounded_values(&mut self, scope: &mut Scope, types: &[Ty]) -> Vec<(Var, Ty)> {
        let mut list = Vec::new();
        for ty in types {
            let value = self.value(scope, ty);
            list.push((self.bounded(scope, value).var, ty.clone()));
        }
        list
    }
}
