//! The maps, reductions and accumulators that a loop becomes.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, array_of};
use melior::ir::{Type, ValueLike};

use super::{
    Iterations, Part, place,
    terms::{Copies, combine, operation},
};
use crate::{
    raise::{
        forall::{covers, is_dim},
        neutral::neutral,
    },
    support::{
        bounds::{induction_variable, trip_count},
        builder::Builder,
        combinator::BOUNDS,
        diag::Result,
        extent::Extent,
        fold::folded,
        region::renamed,
    },
};

impl<'c> Iterations<'c> {
    /// The results of the loop, built before it.
    pub fn build(&self, b: &Builder<'c>) -> Result<Vec<Val<'c>>> {
        let trips = trip_count(b, &self.bounds);
        let known = folded(trips);
        let (trips, fixed) = (known.map_or(trips, |n| b.index(n)), known.unwrap_or(DYNAMIC));
        let iota = b.iota(trips, fixed);
        let types: Vec<_> = self.rows().map(|row| array_of(fixed, row)).collect();
        let neutrals = self.neutrals(b);
        let starts: Vec<_> = self.updates().map(|(position, ..)| self.start(position)).collect();
        let made = if starts.is_empty() {
            b.map(&[iota], &[], &types, |b, number| Ok(self.iteration(&b, number, &neutrals)))?
        } else {
            let mut made = b.with_acc(&starts, &types, |b, accs| {
                let all = types.iter().copied().chain(accs.iter().map(|acc| acc.r#type()));
                let mut made = b.map(&[iota], accs, &all.collect::<Vec<_>>(), |b, arguments| {
                    Ok(self.iteration(&b, arguments, &neutrals))
                })?;
                made.rotate_right(accs.len());
                Ok(made)
            })?;
            made.rotate_left(starts.len());
            made
        };
        let (arrays, updated) = made.split_at(types.len());
        let (mut arrays, mut updated) = (arrays.iter(), updated.iter());
        let mut results = vec![];
        for (position, part) in self.parts.iter().enumerate() {
            let start = self.start(position);
            let array = match part {
                Part::Updated { .. } => updated.next(),
                _ => arrays.next(),
            };
            let Some(&array) = array else { continue };
            results.push(match part {
                Part::Combined(path) => combined(b, path.by, start, array)?,
                Part::Filled { insert, along } => {
                    self.fill(b, (*insert, *along), start, (trips, array))
                }
                Part::Updated { .. } => array,
            });
        }
        Ok(results)
    }

    /// What the loop carries at first.
    fn start(&self, position: usize) -> Val<'c> {
        self.op.operand_list()[BOUNDS + position]
    }

    /// The types of what one iteration has for each array that maps make.
    fn rows(&self) -> impl Iterator<Item = Type<'c>> {
        self.parts.iter().enumerate().filter_map(|(position, part)| match part {
            Part::Combined(_) => Some(self.start(position).r#type()),
            Part::Filled { insert, .. } => insert.opnd(0).map(|row| row.r#type()),
            Part::Updated { .. } => None,
        })
    }

    /// For each number that is combined with others, the one that leaves it as it is.
    fn neutrals(&self, b: &Builder<'c>) -> Vec<Val<'c>> {
        let neutral = |(position, part): (usize, &Part<'c>)| match part {
            Part::Combined(path) => neutral(b, operation(path.by), self.start(position).r#type()),
            _ => None,
        };
        self.parts.iter().enumerate().filter_map(neutral).collect()
    }

    /// What is added to elements, by the position of the array.
    fn updates(&self) -> impl Iterator<Item = (usize, Op<'c>, (Val<'c>, bool))> {
        self.parts.iter().enumerate().filter_map(|(position, part)| match part {
            Part::Updated { insert, term, .. } => Some((position, *insert, *term)),
            _ => None,
        })
    }

    /// One iteration, from its number and the accumulators: what arrays have of it, then the accumulators.
    fn iteration(
        &self,
        b: &Builder<'c>,
        arguments: &[Val<'c>],
        neutrals: &[Val<'c>],
    ) -> Vec<Val<'c>> {
        let number = induction_variable(b, &self.bounds, arguments[0]);
        // What is read of arrays is what no iteration has replaced.
        let starts = (0..self.parts.len()).map(|position| self.start(position));
        let old = self.body.arg_list();
        let new = [number].into_iter().chain(starts);
        let mut copies = Copies::default();
        copies.names.extend(old.iter().map(ValExt::key).zip(new));
        for op in self.body.body_ops() {
            match self.own.get(&op.key()) {
                // Copies of branches still read what was combined, for results that are replaced.
                Some(&position) => {
                    let results = op.result_list().into_iter();
                    copies.names.extend(results.map(|made| (made.key(), self.start(position))));
                }
                None => copies.copy(b, op),
            }
        }
        let mut neutrals = neutrals.iter();
        let mut row = |part: &Part<'c>| match part {
            Part::Combined(path) => neutrals.next().map(|&neutral| path.build(b, neutral, &copies)),
            Part::Filled { insert, .. } => insert.opnd(0).map(|row| renamed(&copies.names, row)),
            Part::Updated { .. } => None,
        };
        let mut made: Vec<_> = self.parts.iter().filter_map(&mut row).collect();
        made.extend(arguments[1..].iter().zip(self.updates()).map(|(&acc, (_, insert, term))| {
            let indices = insert.operand_list().split_off(2);
            let indices: Vec<_> =
                indices.iter().map(|&index| renamed(&copies.names, index)).collect();
            b.update_acc(acc, &indices, copies.term(b, term))
        }));
        made
    }

    /// What the loop starts from with the elements or rows of all iterations.
    fn fill(
        &self,
        b: &Builder<'c>,
        (insert, along): (Op<'c>, usize),
        start: Val<'c>,
        (trips, made): (Val<'c>, Val<'c>),
    ) -> Val<'c> {
        let Some(slice) = place(insert) else { return made };
        let shape = start.r#type().shape();
        let is_whole = |d: usize| {
            let [offset, size, stride] = slice.entries(d);
            let is_size = match size {
                Extent::Known(size) => size == shape[d],
                Extent::Value(size) => is_dim(size, start, d),
                Extent::Dim(..) => false,
            };
            matches!((offset, stride), (Extent::Known(0), Extent::Known(1))) && is_size
        };
        let others = (0..shape.len()).filter(|&d| d != along);
        if covers(self.bounds, start, along) && others.into_iter().all(is_whole) {
            return b.cast(made, start.r#type());
        }
        let [lower, _, step] = self.bounds.map(|bound| b.as_index(bound));
        slice.along(along, [lower, trips, step]).insert(b, made, start)
    }
}

/// What a loop starts from combined with the terms of all iterations.
fn combined<'c>(b: &Builder<'c>, by: Op<'c>, start: Val<'c>, array: Val<'c>) -> Result<Val<'c>> {
    let neutrals: Vec<_> = neutral(b, operation(by), start.r#type()).into_iter().collect();
    let all = b.reduce(&[array], &neutrals, |b, pair| Ok(vec![combine(&b, by, pair)]))?;
    Ok(combine(b, by, &[&[start], &all[..]].concat()))
}
