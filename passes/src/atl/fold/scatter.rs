//! Tensors to whose elements the tuples of a list add: histograms.

use ad_calculus::{
    affine::Affine,
    expr::{Expr, Node},
    predicate::{Predicate, Range},
};
use ad_dialect::{
    capi::{RemarkKind, emit_remark},
    ir::{DYNAMIC, Val, tensor_type},
};
use melior::ir::operation::OperationLike;

use super::{Fold, Lower, taken_apart, tuples::Numbered};
use crate::support::{builder::Builder, diag::Result};

/// What is added up over the tuples of a list.
struct Tuples<'c> {
    /// The position of the part that says so.
    part: usize,
    /// The index that is their number.
    range: Range,
    tuple: Numbered<'c>,
    /// For each dimension of the result the place that says where a tuple adds.
    bins: Vec<usize>,
}

impl<'c> Lower<'_, 'c> {
    /// A generation of sums over numbered tuples that determine all its indices:
    /// each tuple adds to one element.
    pub(super) fn scattered(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<Option<Val<'c>>> {
        let mut gens = Vec::new();
        let mut body = expr;
        while let Node::Gen(range, inner) = &**body {
            gens.push(range.clone());
            body = inner;
        }
        let (sums, mut parts, inner) = taken_apart(body);
        let Some(found) = self.tuples(&gens, &sums, &parts) else { return Ok(None) };
        let reason = "each tuple of a list adds to one element: to gather them would be to look \
                      through the list for every element";
        let entries = [("Reason", reason.to_owned())];
        let (kind, at) = (RemarkKind::Analysis, self.scope.fragment.function.location());
        emit_remark(at, kind, "lower-atl-to-soac", "histogram", &entries);
        let of = self.scope.mlir_type(expr);
        let number = self.scope.fragment.number;
        let rest: Vec<Range> = sums.into_iter().filter(|sum| *sum != found.range).collect();
        let all = [gens.clone(), rest].concat();
        let (first, extent, fixed) = self.numbers(b, &found, &all)?;
        if first.is_some() {
            let tuple = &found.tuple;
            let places = tuple.places[1..].to_vec();
            parts[found.part] = self.inside(&tuple.tensors[1..], places, tuple.number.clone());
        }
        let bins = self.bins(&found)?;
        let tuples = b.iota(extent, fixed);
        let index = tensor_type(&[fixed], b.index_type());
        let types = [vec![index; bins.len()], vec![tensor_type(&[fixed], number)]].concat();
        self.depth += 1;
        let made = b.map(&[tuples], &[], &types, |b, arguments| {
            let number = first.map_or(arguments[0], |first| b.add(first, arguments[0]));
            self.scope.set_index(found.range.index, number);
            // Where the list has no such tuple, nothing is added to some place. Its arrays are of one size.
            let list = (!found.tuple.is_compressed).then(|| found.tuple.tensors[0]);
            let places = bins.iter().map(|(bin, offset)| {
                let (at, inside) = b.in_range(&[number], list.unwrap_or(*bin));
                let place = b.as_index(b.guarded_element(inside, *bin, &at, |_| None)?);
                Ok(if *offset == 0 { place } else { b.add(place, b.index(*offset)) })
            });
            let places = places.collect::<Result<Vec<Val<'c>>>>()?;
            let value = self.fold(&b, all, parts, Fold::Sum(&inner))?;
            Ok([places, vec![value]].concat())
        })?;
        self.depth -= 1;
        let sizes = gens.iter().filter(|range| range.size.as_constant().is_none());
        let sizes =
            sizes.map(|range| self.scope.affine(b, &range.size)).collect::<Result<Vec<_>>>()?;
        let zeros = b.zeros(of, &sizes);
        let (value, places) = made.split_last().ok_or_else(|| self.scope.lost("a sum"))?;
        let zero = b.zero_scalar(number);
        let sums = b.hist(places, &[*value], &[zeros], &[zero], |b, args| {
            Ok(vec![b.add(args[0], args[1])])
        })?;
        Ok(Some(sums[0]))
    }

    /// The tuples that a sum goes over, if they determine all indices of generations.
    fn tuples(&self, gens: &[Range], sums: &[Range], parts: &[Predicate]) -> Option<Tuples<'c>> {
        parts.iter().enumerate().find_map(|(part, related)| {
            let tuple = self.numbered(related)?;
            let range = sums.iter().find(|sum| tuple.number.as_index() == Some(sum.index))?;
            let bins = gens.iter().map(|range| {
                let alone = |place: &Affine| place.as_index() == Some(range.index);
                tuple.places.iter().position(alone)
            });
            let bins = bins.collect::<Option<Vec<_>>>()?;
            // The tuples of a row are known where the row is: there is no need to scatter.
            let is_of_rows = tuple.is_compressed && bins.first() == Some(&0);
            (!is_of_rows).then(|| Tuples { part, range: range.clone(), tuple, bins })
        })
    }

    /// The numbers of the tuples: the first one if it is not zero, and how many.
    fn numbers(
        &self,
        b: &Builder<'c>,
        found: &Tuples<'c>,
        open: &[Range],
    ) -> Result<(Option<Val<'c>>, Val<'c>, i64)> {
        let size = &found.range.size;
        let extent = self.scope.affine(b, size)?;
        let is_open = |index| open.iter().any(|range| range.index == index);
        let Some((starts, columns, row)) = found.tuple.row(is_open) else {
            return Ok((None, extent, size.as_constant().unwrap_or(DYNAMIC)));
        };
        let row = self.scope.affine(b, row)?;
        let [first, end] = self.bounds_of_row(b, starts, columns, row)?;
        let end = b.same("arith.minsi", &[end, extent]);
        let count = b.same("arith.maxsi", &[b.sub(end, first), b.index(0)]);
        Ok((Some(first), count, DYNAMIC))
    }

    /// For each dimension of the result an array of the places of tuples, and what is
    /// to be added to them.
    fn bins(&mut self, found: &Tuples<'c>) -> Result<Vec<(Val<'c>, i64)>> {
        let tensors = &found.tuple.tensors;
        let of = |place: &usize| match (found.tuple.compressed(), place) {
            (Some((starts, columns)), 0) => Ok((self.rows_of_tuples(starts, columns)?, -1)),
            _ => Ok((tensors[*place], 0)),
        };
        found.bins.iter().map(of).collect()
    }
}
