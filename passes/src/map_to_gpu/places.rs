//! Histograms of extrema and of the places of these, as derivatives of extrema have them.
//!
//! ```text
//! hs, ks = hist (max, first place) at (vs, iota n) into (hs0, ks0)
//!         ==>
//! ms = hist max at vs into hs0
//! ps = hist min at (i where ms[at i] is vs[i], and not hs0[at i] as well) into (infinity)
//! hs = ms;  ks = map (\m p h k -> if m is h then k else p) ms ps hs0 ks0
//! ```
//! Memory has updates for either histogram.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, tensor_type};
use melior::ir::{Attribute, Type, ValueLike, attribute::IntegerAttribute};

use super::{
    Mapped,
    atomic::{buffer, contents, kind, update},
    updates::{each, in_memory},
};
use crate::{
    ad::rules::operator::Operator,
    lower::{forall_to_gpu::when, soac_to_loops::decides},
    parallelize::group::Group,
    support::{
        atomic::{Kind, MIN_INTEGER},
        builder::{Builder, same_value},
        combinator::is_iota,
        diag::Result,
        region::{ValueMap, copy_ops, renamed},
        update::Update,
    },
};

/// An operator on values and their places.
struct Extremum<'c> {
    body: Blk<'c>,
    /// Which component is the value, and which one the place.
    value: usize,
    place: usize,
    kind: Kind,
    /// The condition that the right value is the extremum, and the left one not as well.
    wins: Val<'c>,
}

impl<'c> Extremum<'c> {
    fn of(op: Op<'c>, its: &Update<'c>) -> Option<Self> {
        let body = op.body(0)?;
        let (arguments, ends) = (body.arg_list(), body.ends());
        let place = (0..2).find(|&k| is_iota(its.inputs[k]))?;
        let value = 1 - place;
        let [l, r] = [arguments[value], *arguments.get(2 + value)?];
        let choice = ends[place].defining_op().filter(|op| op.op_name() == "arith.select")?;
        let [wins, new, old] = choice.operand_list()[..] else { return None };
        let chooses = same_value(new, arguments[2 + place]) && same_value(old, arguments[place]);
        let operator = Operator::components(body)[value]?;
        let kind = kind(ends[value], l, r)?;
        let fits = ends.len() == 2 && chooses && l.r#type().is_float_type();
        (fits && decides(wins, l, r, &operator)).then_some(Self { body, value, place, kind, wins })
    }

    /// Whether a value is better than another one.
    fn is_better(&self, b: &Builder<'c>, value: Val<'c>, than: Val<'c>) -> Val<'c> {
        let arguments = self.body.arg_list();
        let mut names = ValueMap::new();
        names.insert(arguments[self.value].key(), than);
        names.insert(arguments[2 + self.value].key(), value);
        let zero = b.index(0);
        for at in [self.place, 2 + self.place] {
            names.insert(arguments[at].key(), b.index_as(zero, arguments[at].r#type()));
        }
        copy_ops(b, self.body, &mut names);
        renamed(&names, self.wins)
    }
}

/// Such a histogram over bins in one dimension; none of another one.
pub fn hist<'c>(b: &Builder<'c>, group: &Group<'c>, its: &Update<'c>) -> Mapped<'c> {
    let is_vector = |dest: &Val<'c>| dest.r#type().shape().len() == 1;
    if its.inputs.len() != 2 || !its.dests.iter().all(is_vector) {
        return Ok(None);
    }
    let Some(operator) = Extremum::of(group.op, its) else { return Ok(None) };
    let Extremum { value, place, kind, .. } = operator;
    let values = Update {
        at: its.at.clone(),
        inputs: vec![its.inputs[value]],
        dests: vec![its.dests[value]],
        neutrals: vec![its.neutrals[value]],
    };
    let Some(best) = in_memory(b, group, &values, &[kind])?.and_then(|made| made.first().copied())
    else {
        return Ok(None);
    };
    let start = its.dests[value];
    let Some(found) = first_places(b, group, &values, &operator, best)? else { return Ok(None) };
    let inputs = [best, found, start, its.dests[place]];
    let places = b.map(&inputs, &[], &[its.dests[place].r#type()], |b, row| {
        let [best, found, start, place] = *row else { return Ok(vec![]) };
        let is_new = operator.is_better(&b, best, start);
        let found = b.index_as(b.as_index(found), place.r#type());
        Ok(vec![b.select(is_new, found, place)])
    })?;
    let Some(&places) = places.first() else { return Ok(None) };
    Ok(Some(if value == 0 { vec![best, places] } else { vec![places, best] }))
}

/// For each bin the first place of its extremum, where that is better than what the bin had.
fn first_places<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    values: &Update<'c>,
    operator: &Extremum<'c>,
    best: Val<'c>,
) -> Result<Option<Val<'c>>> {
    let Some(i64) = Type::parse(b.context(), "i64") else { return Ok(None) };
    let start = values.dests[0];
    let r#type = tensor_type(&start.r#type().shape(), i64);
    let last: Attribute<'c> = IntegerAttribute::new(i64, i64::MAX).into();
    let last = b.val_with("arith.constant", &[], i64, &[("value", last)]);
    let places = b.fill(last, b.empty(r#type, &b.dynamic_dims(start)));
    let Some(places) = buffer(b, places) else { return Ok(None) };
    each(b, group, values, |b, at, values, i| {
        let (best, start) = (b.extract(best, at), b.extract(start, at));
        let is_new = operator.is_better(b, best, start);
        let is_best = b.not(operator.is_better(b, best, values[0]));
        when(b, b.same("arith.andi", &[is_new, is_best]), |b| {
            update(b, MIN_INTEGER, places, at, b.val("arith.index_cast", &[i], i64))
        })
    })?;
    Ok(contents(b, places, r#type))
}
