//! Relations whose tuples have numbers: lists, of which compressed ones say where
//! the tuples with each value in the first place begin.

use ad_calculus::{
    affine::{Affine, Index},
    predicate::{Predicate, Range, Relation},
};
use ad_dialect::ir::{DYNAMIC, OpExt, TyExt, Val, tensor_type};
use melior::ir::ValueLike;

use super::{super::fragment::RelationOf, Fold, Lower};
use crate::support::{
    builder::{Builder, CMP_EQ, CMP_ULT},
    diag::Result,
};

/// That the tuple with a number has values in its places.
#[derive(Clone)]
pub struct Numbered<'c> {
    /// One array for each place; the first of a compressed list says where the
    /// tuples of each value begin.
    pub tensors: Vec<Val<'c>>,
    /// Whether the list is compressed.
    pub is_compressed: bool,
    /// Whether the number is known to be that of a tuple.
    is_inside: bool,
    /// The values.
    pub places: Vec<Affine>,
    /// The number.
    pub number: Affine,
}

impl<'c> Numbered<'c> {
    /// The arrays of a compressed list: where tuples begin, and the others.
    pub fn compressed(&self) -> Option<(Val<'c>, &[Val<'c>])> {
        let (starts, columns) = self.tensors.split_first()?;
        self.is_compressed.then_some((*starts, columns))
    }

    /// Those of a compressed list whose tuples are known because their first place is.
    pub fn row(&self, is_open: impl Fn(Index) -> bool) -> Option<(Val<'c>, &[Val<'c>], &Affine)> {
        let (starts, columns) = self.compressed()?;
        let row = self.places.first()?;
        (!row.indices().any(is_open)).then_some((starts, columns, row))
    }
}

impl<'c> Lower<'_, 'c> {
    /// What a predicate says of a numbered tuple.
    pub(super) fn numbered(&self, part: &Predicate) -> Option<Numbered<'c>> {
        let Predicate::Related(relation, places) = part else { return None };
        let (number, places) = places.split_last()?;
        let known = self.scope.fragment.relations.len();
        let (tensors, is_compressed, is_inside) = match relation.0 as usize {
            at if at >= known => {
                let (tensors, is_compressed) = self.lists.get(at - known)?;
                (tensors, *is_compressed, !is_compressed)
            }
            at => match self.scope.fragment.relations.get(at)? {
                RelationOf::Member { tensors, at: true, compressed } => {
                    (tensors, *compressed, false)
                }
                _ => return None,
            },
        };
        let (tensors, places) = (tensors.clone(), places.to_vec());
        Some(Numbered { tensors, is_compressed, is_inside, places, number: number.clone() })
    }

    /// That tuple `number` of a list, which there is, has values in its places.
    pub(super) fn inside(
        &mut self,
        columns: &[Val<'c>],
        places: Vec<Affine>,
        number: Affine,
    ) -> Predicate {
        self.list((columns.to_vec(), false), places, number)
    }

    /// That tuple `number` of a list, which there is if it is not compressed, has values in
    /// its places.
    pub(super) fn list(
        &mut self,
        list: (Vec<Val<'c>>, bool),
        mut places: Vec<Affine>,
        number: Affine,
    ) -> Predicate {
        let known = self.scope.fragment.relations.len();
        let made = self.lists.iter().position(|made| *made == list);
        let made = made.unwrap_or_else(|| {
            self.lists.push(list);
            self.lists.len() - 1
        });
        places.push(number);
        Predicate::Related(Relation((known + made) as u32), places)
    }

    /// An index whose value is known.
    pub(super) fn known_index(&mut self, value: Val<'c>) -> Affine {
        let index = self.names.index();
        self.scope.set_index(index, value);
        Affine::index(index)
    }

    /// Goes on with the indices that a tuple of a list determines.
    pub(super) fn with_tuple(
        &mut self,
        b: &Builder<'c>,
        tuple: Numbered<'c>,
        open: Vec<Range>,
        mut rest: Vec<Predicate>,
        fold: Fold<'_>,
    ) -> Result<Val<'c>> {
        let at = self.scope.affine(b, &tuple.number)?;
        let Some((starts, columns)) = tuple.compressed() else {
            let columns = tuple.tensors.clone();
            let read = |lower: &mut Self, b: &Builder<'c>| {
                rest.extend(lower.read_tuple(b, &columns, at, &tuple.places));
                lower.fold(b, open, Predicate::and(rest).conjuncts().to_vec(), fold)
            };
            return match tuple.is_inside {
                true => read(self, b),
                false => {
                    let (_, is_there) = b.in_range(&[at], tuple.tensors[0]);
                    self.guarded(b, is_there, fold, read)
                }
            };
        };
        let rows = self.rows_of_tuples(starts, columns)?;
        let (_, is_there) = b.in_range(&[at], rows);
        self.guarded(b, is_there, fold, |lower, b| {
            let row = b.sub(b.extract(rows, &[at]), b.index(1));
            let is_row = b.compare(CMP_ULT, row, count_of_rows(b, starts));
            lower.guarded(b, is_row, fold, |lower, b| {
                let row = lower.known_index(row);
                rest.push(Predicate::equal(&row, &tuple.places[0]));
                rest.extend(lower.read_tuple(b, columns, at, &tuple.places[1..]));
                lower.fold(b, open, Predicate::and(rest).conjuncts().to_vec(), fold)
            })
        })
    }

    /// That what a tuple has is in its places, as equations.
    fn read_tuple(
        &mut self,
        b: &Builder<'c>,
        columns: &[Val<'c>],
        at: Val<'c>,
        places: &[Affine],
    ) -> Vec<Predicate> {
        let parts = columns.iter().zip(places).map(|(column, place)| {
            let entry = self.known_index(b.as_index(b.extract(*column, &[at])));
            Predicate::equal(&entry, place)
        });
        parts.collect()
    }

    /// That a number is one of the tuples of a compressed list that have a known value
    /// in their first place, and what is in the others.
    pub(super) fn in_row(
        &mut self,
        b: &Builder<'c>,
        tuple: &Numbered<'c>,
        (starts, columns, row): (Val<'c>, &[Val<'c>], &Affine),
    ) -> Result<Vec<Predicate>> {
        let row = self.scope.affine(b, row)?;
        let [start, end] = self.bounds_of_row(b, starts, columns, row)?;
        let [start, end] = [start, end].map(|bound| self.known_index(bound));
        let is_not_before = Predicate::not_negative(tuple.number.minus(&start));
        let mut parts = vec![is_not_before, Predicate::less(&tuple.number, &end)];
        if !columns.is_empty() {
            parts.push(self.inside(columns, tuple.places[1..].to_vec(), tuple.number.clone()));
        }
        Ok(parts)
    }

    /// The number of the first tuple of a row, and that behind the last one.
    pub(super) fn bounds_of_row(
        &self,
        b: &Builder<'c>,
        starts: Val<'c>,
        columns: &[Val<'c>],
        row: Val<'c>,
    ) -> Result<[Val<'c>; 2]> {
        let is_row = b.compare(CMP_ULT, row, count_of_rows(b, starts));
        let bounds = b.if_else(is_row, &[b.index_type(); 2], |b, is_row| {
            let zero = b.index(0);
            if !is_row {
                return Ok(vec![zero, zero]);
            }
            let next = b.add(row, b.index(1));
            let [start, end] = [row, next].map(|at| b.as_index(b.extract(starts, &[at])));
            let start = b.same("arith.maxsi", &[start, zero]);
            let end = columns
                .first()
                .map_or(end, |column| b.same("arith.minsi", &[end, b.dim(*column, 0)]));
            Ok(vec![start, end])
        })?;
        let bounds: Option<[Val<'c>; 2]> = bounds.result_list().try_into().ok();
        bounds.ok_or_else(|| self.scope.lost("a row"))
    }

    /// For each tuple of a compressed list one more than its first place: in how many
    /// places the array of starts has its number or one before it. Computed once, in
    /// front of everything that is made.
    pub(super) fn rows_of_tuples(
        &mut self,
        starts: Val<'c>,
        columns: &[Val<'c>],
    ) -> Result<Val<'c>> {
        let known = self.rows.iter().find(|(of, others, _)| *of == starts && others == columns);
        if let Some((.., rows)) = known {
            return Ok(*rows);
        }
        let b = &self.top();
        let count = match columns.first() {
            Some(column) => b.dim(*column, 0),
            None => self.end_of_last_row(b, starts)?,
        };
        let fixed = columns.first().map_or(DYNAMIC, |column| column.r#type().shape()[0]);
        let index = b.index_type();
        let (extent, given) = (b.dim(starts, 0), starts.r#type().shape()[0]);
        let numbers = tensor_type(&[given], index);
        let zero = b.index(0);
        let begins = b.map(&[starts], &[], &[numbers], |b, arguments| {
            Ok(vec![b.same("arith.maxsi", &[b.as_index(arguments[0]), zero])])
        })?;
        let ones = b.replicate(b.index(1), extent, given);
        let sizes = if fixed == DYNAMIC { vec![count] } else { vec![] };
        let none = b.zeros(tensor_type(&[fixed], index), &sizes);
        let plus = |b: Builder<'c>, args: &[Val<'c>]| Ok(vec![b.add(args[0], args[1])]);
        let begun = b.hist(&begins, &[ones], &[none], &[zero], plus)?;
        let rows = b.scan(&begun, &[zero], &[], plus)?[0];
        self.rows.push((starts, columns.to_vec(), rows));
        Ok(rows)
    }

    /// The number behind the last tuple, zero without any.
    fn end_of_last_row(&self, b: &Builder<'c>, starts: Val<'c>) -> Result<Val<'c>> {
        let rows = count_of_rows(b, starts);
        let (_, is_there) = b.in_range(&[rows], starts);
        let end = b.guarded_element(is_there, starts, &[rows], |_| None)?;
        Ok(b.same("arith.maxsi", &[b.as_index(end), b.index(0)]))
    }

    /// Whether a mask is true at a place, or a list has a tuple.
    pub(super) fn is_member(
        &mut self,
        b: &Builder<'c>,
        (tensors, is_compressed): (&[Val<'c>], bool),
        places: &[Affine],
    ) -> Result<Val<'c>> {
        let values = places.iter().map(|place| self.scope.affine(b, place));
        let at = values.collect::<Result<Vec<_>>>()?;
        if is_compressed {
            return self.is_in_row(b, tensors, places, at[0]);
        }
        let is_mask = tensors[0].r#type().scalar() == b.bool_type();
        if !is_mask && self.depth > 0 {
            let count = self.known_index(b.dim(tensors[0], 0));
            let range = self.names.range(&count);
            let tuple = self.inside(tensors, places.to_vec(), Affine::index(range.index));
            return self.fold(b, vec![range], vec![tuple], Fold::Exists);
        }
        if is_mask {
            let (at, inside) = b.in_range(&at, tensors[0]);
            return b.guarded_element(inside, tensors[0], &at, |_| None);
        }
        let fixed = tensors[0].r#type().shape()[0];
        let found = tensor_type(&[fixed], b.bool_type());
        let found = b.map(tensors, &[], &[found], |b, arguments| {
            let same = arguments
                .iter()
                .zip(at)
                .map(|(value, place)| b.compare(CMP_EQ, b.as_index(*value), place));
            let same = same.reduce(|left, right| b.same("arith.andi", &[left, right]));
            Ok(same.into_iter().collect())
        })?;
        let either = b.reduce(&found, &[b.truth(false)], |b, args| {
            Ok(vec![b.same("arith.ori", &[args[0], args[1]])])
        })?;
        Ok(either[0])
    }

    /// Whether a compressed list has a tuple: one of those with its first place.
    fn is_in_row(
        &mut self,
        b: &Builder<'c>,
        tensors: &[Val<'c>],
        places: &[Affine],
        row: Val<'c>,
    ) -> Result<Val<'c>> {
        let (starts, columns) = (tensors[0], &tensors[1..]);
        let [start, end] = self.bounds_of_row(b, starts, columns, row)?;
        let count = b.same("arith.maxsi", &[b.sub(end, start), b.index(0)]);
        let (start, count) = (self.known_index(start), self.known_index(count));
        let step = self.names.range(&count);
        let number = start.plus(&Affine::index(step.index));
        let parts = match columns {
            [] => vec![],
            _ => vec![self.inside(columns, places[1..].to_vec(), number)],
        };
        self.fold(b, vec![step], parts, Fold::Exists)
    }
}

/// How many rows a compressed list has.
pub fn count_of_rows<'c>(b: &Builder<'c>, starts: Val<'c>) -> Val<'c> {
    let rows = b.sub(b.dim(starts, 0), b.index(1));
    b.same("arith.maxsi", &[rows, b.index(0)])
}
