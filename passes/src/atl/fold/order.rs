//! Lists in another order: by the values of one place, so that the tuples that have
//! a value there are found without looking through all, and with those marked that no
//! other equals, so that sums take each tuple once.

use ad_calculus::{
    affine::Affine,
    predicate::{Predicate, Range},
};
use ad_dialect::{
    capi::{RemarkKind, emit_remark},
    ir::{DYNAMIC, OpExt, TyExt, Val, tensor_type},
};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{super::fragment::RelationOf, Fold, Lower, bounds};
use crate::support::{
    builder::{Builder, CMP_EQ, CMP_NE, CMP_SLE, CMP_SLT},
    diag::Result,
};

/// An array in ascending order.
#[derive(Clone, Copy)]
pub struct Sorted<'c> {
    column: Val<'c>,
    /// How much more than the least the elements are.
    keys: Val<'c>,
    /// The positions that they had.
    positions: Val<'c>,
    least: Val<'c>,
}

impl<'c> Lower<'_, 'c> {
    /// Indices and parts with which a loop over all numbers of a list becomes one over
    /// those whose tuples have a value that is known in one of their places. Only in
    /// another loop: it pays if it is done more than once.
    pub(super) fn grouped(
        &mut self,
        b: &Builder<'c>,
        open: &mut Vec<Range>,
        parts: &mut Vec<Predicate>,
    ) -> Result<()> {
        if self.depth == 0 {
            return Ok(());
        }
        let is_open = |index| open.iter().any(|range: &Range| range.index == index);
        let found = parts.iter().find_map(|part| {
            let tuple = self.numbered(part)?;
            let number = tuple.number.as_index()?;
            let first = usize::from(tuple.is_compressed);
            // What no index is in is the same in all loops.
            let is_known =
                |place: &Affine| place.indices().next().is_some() && !place.indices().any(is_open);
            let places = tuple.places.iter().zip(&tuple.tensors).skip(first);
            let (place, column) = places.clone().find(|(place, _)| is_known(place))?;
            let is_bounded = !is_open(number) || parts.iter().any(|part| bounds(part, number));
            (!is_bounded).then(|| (tuple.number.clone(), place.clone(), *column))
        });
        let Some((number, place, column)) = found else { return Ok(()) };
        let sorted = self.sorted(column)?;
        let value = b.sub(self.scope.affine(b, &place)?, sorted.least);
        let first = self.first_not_below(b, sorted.keys, value)?;
        let end = self.first_not_below(b, sorted.keys, b.add(value, b.index(1)))?;
        let [first, end] = [first, end].map(|bound| self.known_index(bound));
        let range = self.names.range(&end);
        let at = Affine::index(range.index);
        parts.push(Predicate::not_negative(at.minus(&first)));
        parts.push(self.inside(&[sorted.positions], vec![number], at));
        open.push(range);
        Ok(())
    }

    /// An array in ascending order, made once, in front of everything.
    fn sorted(&mut self, column: Val<'c>) -> Result<Sorted<'c>> {
        if let Some(sorted) = self.sorted.iter().find(|sorted| sorted.column == column) {
            return Ok(*sorted);
        }
        let reason = "the tuples of a list that have a known value in one place are wanted for \
                      many values: sorting it is cheaper than looking through it for each";
        let entries = [("Reason", reason.to_owned())];
        let (kind, at) = (RemarkKind::Analysis, self.scope.fragment.function.location());
        emit_remark(at, kind, "lower-atl-to-soac", "sort", &entries);
        let b = &self.top();
        let positions = b.iota(b.dim(column, 0), column.r#type().shape()[0]);
        let (keys, least, positions) = in_order_of(b, column, positions)?;
        let sorted = Sorted { column, keys, positions, least };
        self.sorted.push(sorted);
        Ok(sorted)
    }

    /// The first position of an ascending array whose element is not below a value, as a
    /// number is searched that has one bit after the other.
    fn first_not_below(&self, b: &Builder<'c>, keys: Val<'c>, value: Val<'c>) -> Result<Val<'c>> {
        let count = b.dim(keys, 0);
        let [zero, one] = [0, 1].map(|number| b.index(number));
        let bits = b.bit_length(count);
        let search = b.for_loop([zero, bits, one], &[zero], |b, step, carried| {
            let bit = b.sub(b.sub(bits, b.index(1)), step);
            let next = b.add(carried[0], b.same("arith.shli", &[b.index(1), bit]));
            let before = b.sub(next, b.index(1));
            let (at, is_there) = b.in_range(&[before], keys);
            let is_below = b.if_else(is_there, &[b.bool_type()], |b, is_there| {
                Ok(vec![match is_there {
                    true => b.compare(CMP_SLT, b.extract(keys, &at), value),
                    false => b.truth(false),
                }])
            })?;
            Ok(vec![b.select(is_below.result_list()[0], next, carried[0])])
        })?;
        search.res(0).ok_or_else(|| self.scope.lost("a position"))
    }

    /// Indices and parts with which a list whose tuples have no numbers, and of which
    /// indices are wanted, is one whose tuples have, each of which counts once.
    pub(super) fn with_numbers(
        &mut self,
        b: &Builder<'c>,
        open: &mut Vec<Range>,
        parts: &mut [Predicate],
        fold: Fold<'_>,
    ) -> Result<()> {
        let is_open = |index| open.iter().any(|range: &Range| range.index == index);
        let found = parts.iter().enumerate().find_map(|(position, part)| {
            let Predicate::Related(relation, places) = part else { return None };
            let relation = self.scope.fragment.relations.get(relation.0 as usize)?;
            let RelationOf::Member { tensors, at: false, compressed } = relation else {
                return None;
            };
            let is_list = tensors[0].r#type().scalar() != b.bool_type();
            let columns = &tensors[usize::from(*compressed)..];
            let is_wanted = places.iter().any(|place| place.indices().any(is_open));
            let is_found = is_list && is_wanted && !columns.is_empty();
            is_found.then(|| (position, tensors.clone(), *compressed, places.clone()))
        });
        let Some((position, mut tensors, is_compressed, mut places)) = found else {
            return Ok(());
        };
        if let Fold::Sum(_) = fold {
            tensors.push(self.first_ones(&tensors, is_compressed)?);
            places.push(Affine::constant(1));
        }
        let column = tensors[usize::from(is_compressed)];
        let count = self.known_index(b.dim(column, 0));
        let range = self.names.range(&count);
        parts[position] = self.list((tensors, is_compressed), places, Affine::index(range.index));
        open.push(range);
        Ok(())
    }

    /// For each tuple of a list whether none before it is equal: one, and else zero. All
    /// places are sorted by, the last one first.
    fn first_ones(&mut self, tensors: &[Val<'c>], is_compressed: bool) -> Result<Val<'c>> {
        if let Some((.., ones)) = self.first_ones.iter().find(|(of, _)| of == tensors) {
            return Ok(*ones);
        }
        let reason = "the tuples of a list are sorted, because a sum takes equal ones once";
        let entries = [("Reason", reason.to_owned())];
        let (kind, at) = (RemarkKind::Analysis, self.scope.fragment.function.location());
        emit_remark(at, kind, "lower-atl-to-soac", "distinct", &entries);
        let mut columns = tensors.to_vec();
        if is_compressed {
            columns[0] = self.rows_of_tuples(tensors[0], &tensors[1..])?;
        }
        let b = &self.top();
        let last = columns[columns.len() - 1];
        let fixed = last.r#type().shape()[0];
        let mut order = b.iota(b.dim(last, 0), fixed);
        for column in columns.iter().rev() {
            order = in_order_of(b, *column, order)?.2;
        }
        let numbers = b.iota(b.dim(order, 0), DYNAMIC);
        let index = b.index_type();
        let ones = b.map(&[numbers, order], &[], &[numbers.r#type()], |b, arguments| {
            let zero = b.index(0);
            let before = b.extract(order, &[b.index_before(arguments[0])]);
            let is_first = b.compare(CMP_SLE, arguments[0], zero);
            let is_other = columns.iter().fold(is_first, |is_other, column| {
                let [own, other] = [arguments[1], before].map(|at| b.extract(*column, &[at]));
                b.same("arith.ori", &[is_other, b.compare(CMP_NE, own, other)])
            });
            Ok(vec![b.select(is_other, b.index(1), zero)])
        })?;
        let sizes = if fixed == DYNAMIC { vec![b.dim(last, 0)] } else { vec![] };
        let none = b.zeros(tensor_type(&[fixed], index), &sizes);
        let ones = b.scatter(&[order], &ones, &[none])[0];
        self.first_ones.push((tensors.to_vec(), ones));
        Ok(ones)
    }
}

/// Positions by what an array has there, in ascending order: how much more than the
/// least that is, the least, and the positions.
fn in_order_of<'c>(
    b: &Builder<'c>,
    column: Val<'c>,
    positions: Val<'c>,
) -> Result<(Val<'c>, Val<'c>, Val<'c>)> {
    let index = tensor_type(&positions.r#type().shape(), b.index_type());
    let values =
        b.map(&[positions], &[], &[index], |b, at| Ok(vec![b.as_index(b.extract(column, at))]))?;
    let [least, most] = [("arith.minsi", i64::MAX), ("arith.maxsi", i64::MIN)];
    let extreme = |(name, neutral): (&str, i64)| {
        b.reduce(&values, &[b.index(neutral)], |b, args| Ok(vec![b.same(name, args)]))
    };
    let (least, most) = (extreme(least)?[0], extreme(most)?[0]);
    let keys = b.map(&values, &[], &[index], |b, value| Ok(vec![b.sub(value[0], least)]))?;
    // Of nothing there is no least: there are no bins.
    let is_none = b.compare(CMP_EQ, b.dim(positions, 0), b.index(0));
    let bins = b.add(b.sub(most, least), b.index(1));
    let bins = b.select(is_none, b.index(0), bins);
    let bins = b.empty(tensor_type(&[DYNAMIC], b.index_type()), &[bins]);
    let order = b.order_by_bin(&keys, bins)?;
    let before = b.map(&[order.positions], &[], &[order.positions.r#type()], |b, at| {
        Ok(vec![b.extract(positions, at)])
    })?;
    Ok((order.bins, least, before[0]))
}
