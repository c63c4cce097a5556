//! Inner loops along rows: of sums over the lanes, and of elements of the lanes' own.
//!
//! ```text
//! for j = ...                            for j = ... step W
//!   r[j] += the sum of v[j]'s lanes  ==>   r[j .. j + W] += the sums of W vectors' lanes
//!   ... = x[i, j] in lane i                W vectors = the columns of x[i .. i + W, j .. j + W]
//! ```
//! The sum of the lanes of one vector takes as many steps as it has halves, and fills less and less of
//! a register. W vectors with W lanes are summed like a matrix that is transposed: each step takes
//! halves of two vectors for one, and what is left at the end is one vector of sums. Lanes that read a
//! row each are read as rows and transposed.

use ad_dialect::ir::{BlkExt, Op, OpExt, OpKey, Val};
use melior::ir::{Attribute, Type, ValueLike};

use super::{
    cost,
    emit::Emitter,
    plan::{Addition, Class, Index, Place},
    transpose::{join, pieces, shuffle, transpose},
};
use crate::support::{
    builder::{Builder, same_value},
    memory,
    region::{is_outside, is_within},
    roots::{Root, allocations},
};

/// What is added to neighbouring elements.
pub(super) struct Row<'c> {
    store: OpKey,
    addition: Addition<'c>,
    array: Val<'c>,
    /// The place of the first one.
    at: Vec<Val<'c>>,
    /// For each of them a vector with as many lanes as a register.
    terms: Vec<Val<'c>>,
}

impl<'c> Emitter<'_, 'c> {
    /// Finds the rows along which an innermost loop goes, if it is small; whether there are any.
    pub(super) fn find_rows(&mut self, op: Op<'c>) -> bool {
        let body = op.body(0).map(|body| body.body_ops()).unwrap_or_default();
        let is_innermost = body.iter().all(|inner| inner.blocks().is_empty());
        if !is_innermost || !cost::is_small(op) {
            return false;
        }
        for &inner in &body {
            let operands = inner.operand_list();
            let place = |first: usize| {
                let place = self.facts.place(*operands.get(first)?, operands.get(first + 1..)?)?;
                (memory::has_rows(place.array) && is_along(op, &place.at)).then_some(place)
            };
            if let Some(addition) = self.facts.addition(inner)
                && let Some(place) = place(1)
                && self.facts.class_of_place(&place) == Class::Same
            {
                let (store, array) = (inner.key(), place.array);
                self.rows.push(Row { store, addition, array, at: vec![], terms: vec![] });
            }
            if inner.op_name() == "memref.load"
                && let Some(place) = place(0)
                && let Some((last, _)) = place.at.split_last()
                && self.facts.class_of_index(last) == Class::Same
                && self.facts.class_of_place(&place) == Class::Each
                && !is_written(place.array, &body)
            {
                self.columns.insert(inner.key(), vec![]);
            }
        }
        !self.rows.is_empty() || !self.columns.is_empty()
    }

    /// The element that a load reads in each lane; the first of several iterations reads those of all
    /// of them.
    pub(super) fn load_column(
        &mut self,
        b: &Builder<'c>,
        load: Op<'c>,
        place: &Place<'c>,
    ) -> Option<Val<'c>> {
        if self.columns.get(&load.key())?.is_empty() {
            let array = self.scalar(place.array);
            let row = Type::vector(&[self.register as u64], memory::element(array)?);
            let read = |lane| {
                let at = self.indices(b, &place.at, lane);
                b.val("vector.load", &[&[array], &at[..]].concat(), row)
            };
            let rows: Vec<_> = (0..self.lanes).map(read).collect();
            self.fetch_ahead(b, load, place);
            let parts: Vec<_> =
                rows.chunks(self.register).map(|rows| transpose(b, rows, 0)).collect();
            let column =
                |j: usize| join(b, parts.iter().map(|part| part[j]).collect(), self.register);
            let columns = (0..self.register).rev().map(column).collect();
            self.columns.insert(load.key(), columns);
        }
        self.columns.get_mut(&load.key())?.pop()
    }

    /// Has the rows fetched that the next iterations read. Where a loop reads them and others then
    /// compute with them for long, the processor does not see in time that there are more.
    fn fetch_ahead(&self, b: &Builder<'c>, load: Op<'c>, place: &Place<'c>) {
        let is_root = |op: Op<'c>| op.key() == self.facts.root.key();
        let is_read_once = load.parent().and_then(|op| op.parent()).is_some_and(is_root);
        let mut values = place.at.iter().flat_map(|index| &index.terms);
        let is_regular = values.all(|(value, _)| self.facts.class(*value) != Class::Each);
        if self.mask.is_some() || !is_read_once || !is_regular || !has_nest(self.facts.root) {
            return;
        }
        let array = self.scalar(place.array);
        let hints = [("isWrite", "false"), ("localityHint", "2 : i32"), ("isDataCache", "true")];
        let hints: Vec<_> = hints
            .into_iter()
            .filter_map(|(name, hint)| Some((name, Attribute::parse(b.context(), hint)?)))
            .collect();
        for lane in self.lanes..2 * self.lanes {
            let at = self.indices(b, &place.at, lane);
            b.op_with("memref.prefetch", &[&[array], &at[..]].concat(), &[], &hints, &[]);
        }
    }

    /// Keeps what is added to one element for later, if that can wait.
    pub(super) fn add_to_row(
        &mut self,
        b: &Builder<'c>,
        store: Op<'c>,
        at: &[Val<'c>],
        term: Val<'c>,
    ) -> bool {
        let (register, lanes) = (self.register, self.lanes);
        let Some(row) = self.rows.iter_mut().find(|row| row.store == store.key()) else {
            return false;
        };
        let b = b.with_fastmath_of(row.addition.sum);
        let part = |from: usize| shuffle(&b, term, term, (from..from + register).collect());
        // One after the other, each by a multiply-add where the terms are products.
        let parts = (0..lanes).step_by(register).map(part);
        let sum = parts.reduce(|x, y| b.float_op("arith.addf", &[x, y]));
        if row.terms.is_empty() {
            row.at = at.to_vec();
        }
        row.terms.extend(sum);
        true
    }

    /// Adds what was kept.
    pub(super) fn add_rows(&mut self, b: &Builder<'c>) {
        for row in self.rows.iter_mut().filter(|row| !row.terms.is_empty()) {
            let (array, terms) = (row.array, std::mem::take(&mut row.terms));
            let row_type = terms[0].r#type();
            let old = b.val("vector.load", &[&[array], &row.at[..]].concat(), row_type);
            let new = add_transposed(&b.with_fastmath_of(row.addition.sum), terms, old);
            b.op("vector.store", &[&[new, array], &row.at[..]].concat(), &[]);
        }
    }
}

/// Whether an inner loop goes along the last dimension: the last index is one more in each iteration,
/// and no other one changes.
pub(super) fn is_along<'c>(op: Op<'c>, at: &[Index<'c>]) -> bool {
    let number = op.body(0).and_then(|body| body.arg_list().first().copied());
    let is_fixed = |(value, _): &(Val<'c>, i64)| is_outside(op, *value);
    let is_number = |(value, stride): &&(Val<'c>, i64)| {
        *stride == 1 && number.is_some_and(|number| same_value(*value, number))
    };
    let Some((last, rest)) = at.split_last() else { return false };
    let numbers = last.terms.iter().filter(is_number).count();
    let fixed = last.terms.iter().filter(|term| is_fixed(term)).count();
    numbers == 1
        && numbers + fixed == last.terms.len()
        && rest.iter().all(|index| index.terms.iter().all(is_fixed))
}

/// Whether there are loops in loops in a loop.
fn has_nest(root: Op<'_>) -> bool {
    let mut has_nest = false;
    root.for_each(&mut |op| {
        let around = op.parent().filter(|around| is_within(*around, root));
        has_nest |= op.op_name() == "scf.for"
            && op.key() != root.key()
            && around.is_some_and(|o| o.op_name() == "scf.for" && o.key() != root.key());
    });
    has_nest
}

/// Whether some operations may write to what a buffer lies in.
fn is_written(array: Val<'_>, ops: &[Op<'_>]) -> bool {
    let read = allocations(array);
    let mut written =
        ops.iter().filter(|op| op.op_name() == "memref.store").filter_map(|op| op.opnd(1));
    read.contains(&Root::Unknown)
        || written.any(|array| {
            let roots = allocations(array);
            roots.contains(&Root::Unknown) || !roots.is_disjoint(&read)
        })
}

/// Adds the sums of the lanes of vectors to the elements of one; there are as many vectors as each has
/// lanes: a power of two.
fn add_transposed<'c>(b: &Builder<'c>, mut vectors: Vec<Val<'c>>, to: Val<'c>) -> Val<'c> {
    let lanes = vectors.len();
    let add = |x, y| b.float_op("arith.addf", &[x, y]);
    loop {
        let (first, second) = vectors.split_at(vectors.len() / 2);
        // So many neighbouring lanes are the partial sums of one vector. Those that stay where they
        // are cost least.
        let piece = first.len();
        let mut halves = first.iter().zip(second).map(|(&x, &y)| {
            [[0, piece], [piece, 0]].map(|from| pieces(b, [x, y], lanes, piece, from))
        });
        if piece == 1 {
            return halves.next().into_iter().flatten().fold(to, add);
        }
        vectors = halves.map(|[x, y]| add(x, y)).collect();
    }
}
