//! Raises structured operations of `linalg` whose bodies read what they write, other
//! than to add to it, or that read an array from outside.
//!
//! ```text
//! y[i, j] = y0[i, j] op (op over k, l of f(xs, i, j, k, l))
//!   => map (\i -> map (\j -> y0[i, j] op reduce op (map (\k -> reduce op (map f ..)))))
//! ```
//! for minimum, maximum, product and sum. Any other body becomes a loop over k, l in
//! that nest; and where the outputs are no nest of maps, the whole is a loop that
//! updates arrays.

use ad_dialect::{
    ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt},
    linalg::{Expr, Structured},
};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::neutral;
use crate::{
    ad::rules::linalg::{NAMES, is_regular},
    support::{
        builder::Builder,
        diag::Result,
        region::{ValueMap, clone_op, renamed},
        structured::{index_at, reached},
    },
};

/// Whether it is a structured operation on tensors without a rule of its own.
pub fn is_raised(op: Op<'_>) -> bool {
    op.result_count() > 0 && NAMES.contains(&op.op_name()) && !is_regular(op)
}

/// Raises a structured operation.
pub fn structured<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let Some(nest) = Nest::of(op) else { return Ok(None) };
    match nest.outer_loops() {
        Some(outer) => {
            let types: Vec<_> = nest.s.inits.iter().map(|init| init.r#type()).collect();
            let points = &mut vec![None; nest.s.loops];
            nest.maps(b, &outer, &types, points).map(Some)
        }
        None => {
            let starts = nest.s.inits.clone();
            let points = &mut vec![None; nest.s.loops];
            nest.updates(b, 0, starts, points).map(Some)
        }
    }
}

/// Whether an operation combines several terms by a known operator to each element of its result.
pub fn is_reduction(op: Op<'_>) -> bool {
    let Some(nest) = Nest::of(op) else { return false };
    let outer = nest.outer_loops();
    outer.is_some_and(|outer| outer.len() < nest.s.loops) && nest.operators().is_some()
}

/// The iteration numbers of the loops that are open.
type Points<'c> = Vec<Option<Val<'c>>>;

/// An associative operator with a neutral element.
struct Operator<'c> {
    op: Op<'c>,
    /// The term that is combined.
    term: Val<'c>,
    /// Whether the state is the first operand.
    state_first: bool,
}

struct Nest<'c> {
    s: Structured<'c>,
    /// Per loop an operand and the dimension of it that gives the size.
    sizes: Vec<(Val<'c>, usize)>,
}

impl<'c> Nest<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let s = Structured::of(op).filter(|s| s.inits.len() == op.result_count())?;
        let operands: Vec<_> = s.inits.iter().chain(&s.inputs).copied().collect();
        let count = s.inputs.len();
        let maps: Vec<_> = s.maps[count..].iter().chain(&s.maps[..count]).collect();
        let sizes = (0..s.loops)
            .map(|l| {
                operands.iter().zip(&maps).find_map(|(operand, map)| {
                    Some((*operand, map.iter().position(|index| *index == Expr::Loop(l))?))
                })
            })
            .collect::<Option<_>>()?;
        Some(Self { s, sizes })
    }

    /// The loops over the elements of the outputs, if these are a nest of maps.
    fn outer_loops(&self) -> Option<Vec<usize>> {
        let (first, others) = self.s.output_maps().split_first()?;
        let loops = Structured::plain_loops(first);
        let distinct: std::collections::HashSet<_> = loops.iter().collect();
        let is_nest = loops.len() == first.len()
            && distinct.len() == loops.len()
            && others.iter().all(|other| other == first);
        is_nest.then_some(loops)
    }

    /// The loops over one element of the outputs.
    fn inner_loops(&self, outer: &[usize]) -> Vec<usize> {
        (0..self.s.loops).filter(|l| !outer.contains(l)).collect()
    }

    fn iota(&self, b: &Builder<'c>, l: usize) -> Val<'c> {
        let (operand, dimension) = self.sizes[l];
        let size = operand.r#type().shape()[dimension];
        let dynamic = if size == DYNAMIC { b.dim(operand, dimension) } else { operand };
        b.iota(dynamic, size)
    }

    /// Maps over the outer loops that are not open yet.
    fn maps(
        &self,
        b: &Builder<'c>,
        outer: &[usize],
        types: &[Type<'c>],
        points: &mut Points<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let Some(&l) = outer.iter().find(|&&l| points[l].is_none()) else {
            let values = self.element(b, &self.inner_loops(outer), points)?;
            let wrap = |(value, r#type): (Val<'c>, &Type<'c>)| match r#type.as_tensor() {
                Some(_) => b.val("tensor.from_elements", &[value], *r#type),
                None => value,
            };
            return Ok(values.into_iter().zip(types).map(wrap).collect());
        };
        let iota = self.iota(b, l);
        let rows: Vec<_> = types.iter().map(Type::row).collect();
        b.map(&[iota], &[], types, |inner, index| {
            points[l] = Some(index[0]);
            let values = self.maps(&inner, outer, &rows, points);
            points[l] = None;
            values
        })
    }

    /// The elements of the outputs at the open outer loops.
    fn element(
        &self,
        b: &Builder<'c>,
        inner: &[usize],
        points: &mut Points<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let count = self.s.inputs.len();
        let starts: Vec<_> = (0..self.s.inits.len())
            .map(|j| self.read(b, self.s.inits[j], count + j, points))
            .collect();
        if inner.is_empty() {
            return Ok(self.body(b, &starts, points));
        }
        let Some(operators) = self.operators() else {
            return self.loops(b, inner, starts, points);
        };
        let reduced = self.reduce(b, &operators, inner, points)?;
        let all = operators.iter().zip(starts).zip(reduced);
        Ok(all.map(|((operator, start), reduced)| operator.apply(b, start, reduced)).collect())
    }

    /// The terms of the inner loops, combined, of each output.
    fn reduce(
        &self,
        b: &Builder<'c>,
        operators: &[Operator<'c>],
        inner: &[usize],
        points: &mut Points<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let Some((&l, rest)) = inner.split_first() else {
            return Ok(self.terms(b, operators, points));
        };
        let iota = self.iota(b, l);
        let size = iota.r#type().shape()[0];
        let types: Vec<_> = operators
            .iter()
            .map(|operator| ad_dialect::ir::array_of(size, operator.term.r#type()))
            .collect();
        let terms = b.map(&[iota], &[], &types, |within, index| {
            points[l] = Some(index[0]);
            let terms = self.reduce(&within, operators, rest, points);
            points[l] = None;
            terms
        })?;
        let neutral = |operator: &Operator<'c>| {
            neutral::neutral(b, operator.op.op_name(), operator.term.r#type())
        };
        let neutrals: Vec<_> = operators.iter().filter_map(neutral).collect();
        b.reduce(&terms, &neutrals, |within, arguments| {
            let (left, right) = arguments.split_at(operators.len());
            let pairs = operators.iter().zip(left.iter().zip(right));
            Ok(pairs.map(|(operator, (&x, &y))| operator.apply(&within, x, y)).collect())
        })
    }

    /// The loops over one element, with the elements of the outputs carried.
    fn loops(
        &self,
        b: &Builder<'c>,
        inner: &[usize],
        starts: Vec<Val<'c>>,
        points: &mut Points<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let Some((&l, rest)) = inner.split_first() else {
            return Ok(self.body(b, &starts, points));
        };
        let (operand, dimension) = self.sizes[l];
        let bounds = [b.index(0), b.dim(operand, dimension), b.index(1)];
        let new = b.for_loop(bounds, &starts, |within, index, carried| {
            points[l] = Some(index);
            let values = self.loops(&within, rest, carried.to_vec(), points);
            points[l] = None;
            values
        })?;
        Ok(new.result_list())
    }

    /// The loops from number l on, with the arrays of the outputs carried.
    fn updates(
        &self,
        b: &Builder<'c>,
        l: usize,
        arrays: Vec<Val<'c>>,
        points: &mut Points<'c>,
    ) -> Result<Vec<Val<'c>>> {
        if l == self.s.loops {
            let count = self.s.inputs.len();
            let starts: Vec<_> = arrays
                .iter()
                .enumerate()
                .map(|(j, &array)| self.read(b, array, count + j, points))
                .collect();
            let values = self.body(b, &starts, points);
            let write = |(j, (value, array))| {
                b.insert_element(value, array, &self.indices(b, count + j, points))
            };
            return Ok(values.into_iter().zip(arrays).enumerate().map(write).collect());
        }
        let (operand, dimension) = self.sizes[l];
        let bounds = [b.index(0), b.dim(operand, dimension), b.index(1)];
        let new = b.for_loop(bounds, &arrays, |within, index, carried| {
            points[l] = Some(index);
            let values = self.updates(&within, l + 1, carried.to_vec(), points);
            points[l] = None;
            values
        })?;
        Ok(new.result_list())
    }

    /// The element that an operand has at the open loops.
    fn read(&self, b: &Builder<'c>, array: Val<'c>, k: usize, points: &Points<'c>) -> Val<'c> {
        if array.r#type().as_tensor().is_none() {
            return array;
        }
        b.extract(array, &self.indices(b, k, points))
    }

    fn indices(&self, b: &Builder<'c>, k: usize, points: &Points<'c>) -> Vec<Val<'c>> {
        self.s.maps[k].iter().map(|index| index_at(b, index, points)).collect()
    }

    /// What the body yields at the open loops.
    fn body(&self, b: &Builder<'c>, starts: &[Val<'c>], points: &Points<'c>) -> Vec<Val<'c>> {
        let yielded = self.s.body.ends();
        self.values(b, starts, points, &yielded)
    }

    /// The terms at the open loops; no output is read.
    fn terms(
        &self,
        b: &Builder<'c>,
        operators: &[Operator<'c>],
        points: &Points<'c>,
    ) -> Vec<Val<'c>> {
        let terms: Vec<_> = operators.iter().map(|operator| operator.term).collect();
        self.values(b, &[], points, &terms)
    }

    /// Values of the body at the open loops, where outputs have the given elements.
    fn values(
        &self,
        b: &Builder<'c>,
        starts: &[Val<'c>],
        points: &Points<'c>,
        wanted: &[Val<'c>],
    ) -> Vec<Val<'c>> {
        let s = &self.s;
        let arguments = s.body.arg_list();
        let (ins, outs) = arguments.split_at(s.inputs.len());
        let mut map = ValueMap::new();
        for (k, (argument, &input)) in ins.iter().zip(&s.inputs).enumerate() {
            if !argument.users().is_empty() {
                map.insert(argument.key(), self.read(b, input, k, points));
            }
        }
        map.extend(outs.iter().map(ValExt::key).zip(starts.iter().copied()));
        let unread: &[Val<'c>] = if starts.is_empty() { outs } else { &[] };
        let skipped = reached(s.body, unread);
        for op in s.body.body_ops() {
            if op.result_list().iter().any(|result| skipped.contains(&result.key())) {
                continue;
            }
            let copy = clone_op(b, op, &mut map);
            for (position, number) in positions(copy) {
                let Some(point) = points.get(number).copied().flatten() else { continue };
                position.replace_all_uses(point);
                map.values_mut().filter(|v| v.key() == position.key()).for_each(|v| *v = point);
                if let Some(copy) = position.defining_op() {
                    copy.erase();
                }
            }
        }
        wanted.iter().map(|value| renamed(&map, *value)).collect()
    }

    /// The operators, if each output is combined with a term by a known one, and no term depends on outputs.
    fn operators(&self) -> Option<Vec<Operator<'c>>> {
        let s = &self.s;
        let (ends, outs) = (s.body.ends(), s.body.arg_list().split_off(s.inputs.len()));
        let dependent = reached(s.body, &outs);
        let operator = |(&value, out): (&Val<'c>, &Val<'c>)| {
            let op = value.defining_op().filter(|_| value.users().len() == 1)?;
            neutral::of_floats(op.op_name())?;
            let [first, second] = op.operand_list()[..] else { return None };
            let state_first = first.key() == out.key();
            let term = if state_first { second } else { first };
            let is_state = state_first || second.key() == out.key();
            let is_one = is_state && !dependent.contains(&term.key());
            is_one.then_some(Operator { op, term, state_first })
        };
        ends.iter().zip(&outs).map(operator).collect()
    }
}

impl<'c> Operator<'c> {
    /// The state combined with a term, with the attributes of the operation.
    fn apply(&self, b: &Builder<'c>, state: Val<'c>, term: Val<'c>) -> Val<'c> {
        let copy = self.op.clone_detached();
        let operands = if self.state_first { [state, term] } else { [term, state] };
        copy.set_operands(&operands);
        b.insert(copy);
        copy.res(0).unwrap_or(state)
    }
}

/// The results of the `linalg.index` operations in an operation, with the loops asked for.
fn positions<'c>(root: Op<'c>) -> Vec<(Val<'c>, usize)> {
    let mut found = vec![];
    root.for_each(&mut |op| {
        if op.op_name() == "linalg.index" {
            let number = op.attr("dim").and_then(ad_dialect::ir::int_of);
            found.extend(op.res(0).zip(number.and_then(|n| usize::try_from(n).ok())));
        }
    });
    found
}
