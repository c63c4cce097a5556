//! `tensor.generate`, and `tensor.pad`, whose body says what is around the source.

use ad_dialect::{
    atl::Affine,
    ir::{Blk, BlkExt, DYNAMIC, OpExt, Val, ValExt, i64_array},
};
use melior::ir::{Type, ValueLike};

use super::{
    body::Body,
    site::{Raised, Site, from_outside, is_zero, number_of, plus},
    truth::Truth,
};
use crate::support::builder::Builder;

/// `tensor.generate`: the body is the element.
pub fn generate<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let (Some(result), Some(body)) = (site.root.res(0), site.root.body(0)) else {
        return Err("has no body".to_owned());
    };
    Body::refuse_effects(site.root)?;
    let of = result.r#type();
    let number = number_of(of)?;
    let mut dynamic = site.root.operand_list().into_iter();
    let sizes = site.sizes(of, |_| dynamic.next().ok_or_else(|| "has too few sizes".to_owned()))?;
    let made = site.generate(of, &sizes, |b, at| element(site, b, body, number, at))?;
    Ok(vec![made])
}

/// What a body yields at a place.
fn element<'c>(
    site: &Site<'c>,
    b: &Builder<'c>,
    block: Blk<'c>,
    number: Type<'c>,
    at: &[Affine<'c>],
) -> Raised<Val<'c>> {
    let mut body = Body::new(site, number);
    let arguments = block.arg_list().into_iter().map(|argument| argument.key());
    body.indices.extend(arguments.zip(at.iter().cloned()));
    let yielded = block.ends().first().copied();
    body.number(b, yielded.ok_or_else(|| "yields nothing".to_owned())?)
}

/// `tensor.pad`: `[low <= i < low + n] . x[i - low] + [not so] . padding`.
pub fn pad<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let op = site.root;
    let (Some(source), Some(result), Some(body)) = (op.opnd(0), op.res(0), op.body(0)) else {
        return Err("has no body".to_owned());
    };
    Body::refuse_effects(op)?;
    let of = result.r#type();
    let number = number_of(of)?;
    let mut rest = op.operand_list().into_iter().skip(1);
    let mut widths = |name: &str| -> Raised<Vec<Affine<'c>>> {
        let statics = op.attr(name).and_then(i64_array).ok_or("has no widths")?;
        let width = |size: i64| match size {
            DYNAMIC => rest.next().map(from_outside).ok_or_else(|| "has too few widths".to_owned()),
            size => Ok(Affine::constant(size)),
        };
        statics.into_iter().map(width).collect()
    };
    let (low, high) = (widths("static_low")?, widths("static_high")?);
    let extents: Vec<_> = (0..low.len()).map(|d| from_outside(site.size(source, d))).collect();
    let sizes = site.sizes(of, |d| {
        let all = plus(&plus(&low[d], &extents[d], 1)?, &high[d], 1)?;
        Ok(value(&site.outer, &all))
    })?;
    let made = site.generate(of, &sizes, |b, at| {
        let inside = (0..at.len()).map(|d| {
            let is_none = |width: &Affine<'c>| width.terms.is_empty() && width.constant == 0;
            Truth::between(&at[d], &low[d], &extents[d], is_none(&low[d]) && is_none(&high[d]))
        });
        let inside = Truth::and(inside.collect::<Raised<Vec<_>>>()?);
        let places = at.iter().zip(&low).map(|(at, low)| plus(at, low, -1));
        let places = places.collect::<Raised<Vec<_>>>()?;
        let mut then = |b: &Builder<'c>| site.access(b, source, &places);
        let mut other = |b: &Builder<'c>| element(site, b, body, number, at);
        let is_zero = body.ends().first().is_some_and(|padding| is_zero(*padding));
        let other: Option<&mut dyn FnMut(&Builder<'c>) -> _> =
            if is_zero { None } else { Some(&mut other) };
        site.choose(b, &inside, number, Some(&mut then), other)
    })?;
    Ok(vec![made])
}

/// The value of an affine expression over values from outside.
pub fn value<'c>(b: &Builder<'c>, of: &Affine<'c>) -> Val<'c> {
    let term = |(value, factor): &(Val<'c>, i64)| match factor {
        1 => *value,
        factor => b.mul(*value, b.index(*factor)),
    };
    let sum = of.terms.iter().map(term).reduce(|sum, term| b.add(sum, term));
    match (sum, of.constant) {
        (None, constant) => b.index(constant),
        (Some(sum), 0) => sum,
        (Some(sum), constant) => b.add(sum, b.index(constant)),
    }
}
