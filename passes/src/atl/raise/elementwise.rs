//! Operations on whole tensors that the tensor language has for numbers only: element by element
//! [ATL 4.1]. Constants and tensors of given elements, too.

use ad_dialect::{
    atl::{Affine, Comparison},
    ir::{DYNAMIC, OpExt, TyExt, Val},
};
use melior::ir::{
    Attribute, TypeLike, ValueLike,
    attribute::{DenseElementsAttribute, FloatAttribute},
};

use super::{
    site::{Raised, Site, is_zero, number_of, total},
    truth::Truth,
};
use crate::support::{builder::Builder, region::clone_with, row_major::position};

/// A tensor of more elements than that is no sum of its elements.
const MOST_ELEMENTS: i64 = 16;

/// An operation of `arith` or `math` on tensors.
pub fn elementwise<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let (op, operands) = (site.root, site.root.operand_list());
    let (Some(result), Some(first)) = (op.res(0), operands.last().copied()) else {
        return Err("has no operands".to_owned());
    };
    let of = result.r#type();
    let number = number_of(of)?;
    let is_select = op.op_name() == "arith.select";
    let numbers = if is_select { &operands[1..] } else { &operands[..] };
    if numbers.iter().any(|operand| operand.r#type() != of) {
        return Err("has operands of other types than its result".to_owned());
    }
    let sizes: Vec<_> = (0..of.shape().len()).map(|d| site.size(first, d)).collect();
    let made = site.generate(of, &sizes, |b, at| {
        if is_select {
            let truth = match operands[0].r#type().as_tensor() {
                None => Truth::Value(operands[0]),
                Some(_) if at.is_empty() => Truth::Value(site.outer.extract(operands[0], &[])),
                Some(_) => Truth::Member(operands[0], at.to_vec()),
            };
            let mut arms = [operands[1], operands[2]]
                .map(|arm| move |b: &Builder<'c>| site.access(b, arm, at));
            let is_there = [operands[1], operands[2]].map(|arm| !is_zero(arm));
            let [then, other] = &mut arms;
            let then: Option<&mut dyn FnMut(&Builder<'c>) -> _> =
                if is_there[0] { Some(then) } else { None };
            let other: Option<&mut dyn FnMut(&Builder<'c>) -> _> =
                if is_there[1] { Some(other) } else { None };
            return site.choose(b, &truth, number, then, other);
        }
        let elements = operands.iter().map(|operand| site.access(b, *operand, at));
        let elements = elements.collect::<Raised<Vec<_>>>()?;
        let copy = clone_with(b, op, &elements, &[number]);
        copy.res(0).ok_or_else(|| "has no result".to_owned())
    })?;
    Ok(vec![made])
}

/// `tensor.splat`, and constants whose elements are all the same, or few.
pub fn constant<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let result = site.root.res(0).ok_or("has no result")?;
    let of = result.r#type();
    let number = number_of(of)?;
    let dense =
        site.root.attr("value").and_then(|value| DenseElementsAttribute::try_from(value).ok());
    let dense = dense.ok_or("is a constant that is not written out")?;
    let constant = |b: &Builder<'c>, value: Attribute<'c>| {
        b.val_with("arith.constant", &[], number, &[("value", value)])
    };
    let sizes = site.sizes(of, |_| Err("has no sizes".to_owned()))?;
    if dense.is_splat() {
        let value = dense.splat_value();
        return Ok(vec![site.generate(of, &sizes, |b, _| Ok(constant(b, value)))?]);
    }
    let elements = (0..dense.len()).map(|position| {
        let value = match number.is_f64() {
            true => dense.f64_element(position),
            false => dense.f32_element(position).map(f64::from),
        };
        value.ok().map(|value| FloatAttribute::new(site.outer.context(), number, value).into())
    });
    refuse_many(dense.len() as i64)?;
    let elements = elements.collect::<Option<Vec<Attribute<'c>>>>().ok_or("has no elements")?;
    let elements = elements.into_iter();
    let made = given(
        site,
        of.shape(),
        elements.map(|value| move |b: &Builder<'c>| constant(b, value)).collect(),
    )?;
    Ok(vec![made])
}

/// `tensor.from_elements` of a tensor that has dimensions.
pub fn from_elements<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let result = site.root.res(0).ok_or("has no result")?;
    number_of(result.r#type())?;
    let elements = site.root.operand_list();
    refuse_many(elements.len() as i64)?;
    let elements = elements.into_iter().map(|value| move |_: &Builder<'c>| value);
    Ok(vec![given(site, result.r#type().shape(), elements.collect())?])
}

fn refuse_many(count: i64) -> Raised<()> {
    match count > MOST_ELEMENTS {
        true => Err(format!("has more than {MOST_ELEMENTS} elements of their own")),
        false => Ok(()),
    }
}

/// The tensor of given elements: the sum of each of them where it is.
fn given<'c>(
    site: &Site<'c>,
    shape: Vec<i64>,
    elements: Vec<impl FnOnce(&Builder<'c>) -> Val<'c>>,
) -> Raised<Val<'c>> {
    let result = site.root.res(0).ok_or("has no result")?;
    let of = result.r#type();
    let number = number_of(of)?;
    let sizes = site.sizes(of, |_| Err("has no sizes".to_owned()))?;
    site.generate(of, &sizes, |b, at| {
        let mut parts = Vec::new();
        for (nth, element) in elements.into_iter().enumerate() {
            let places = position(nth as i64, &shape);
            let here = at.iter().zip(&shape).zip(places).filter(|((_, size), _)| **size != 1);
            let here = here.map(|((index, _), place)| {
                Truth::Compare(Comparison::Equal, index.clone(), Affine::constant(place))
            });
            let here: Vec<_> = here.collect();
            parts.push(site.bracket(b, &Truth::and(here), number, |b| Ok(element(b)))?);
        }
        Ok(total(b, number, parts))
    })
}

/// `tensor.splat`
pub fn splat<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let operands = site.root.operand_list();
    let result = site.root.res(0).ok_or("has no result")?;
    let of = result.r#type();
    number_of(of)?;
    let mut dynamic = operands[1..].iter().copied();
    let sizes = site.sizes(of, |_| dynamic.next().ok_or_else(|| "has too few sizes".to_owned()))?;
    Ok(vec![site.generate(of, &sizes, |_, _| Ok(operands[0]))?])
}

/// `tensor.cast`: a copy in the other type.
pub fn cast<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let (Some(source), Some(result)) = (site.root.opnd(0), site.root.res(0)) else {
        return Err("has no source".to_owned());
    };
    if source.r#type().as_tensor().is_none() || result.r#type().as_tensor().is_none() {
        return Err("has no rank".to_owned());
    }
    let of = result.r#type();
    number_of(of)?;
    let (to, from) = (of.shape(), source.r#type().shape());
    let size = |d: usize| match (to[d], from[d]) {
        (DYNAMIC, DYNAMIC) => site.size(source, d),
        (DYNAMIC, size) | (size, _) => site.outer.index(size),
    };
    let sizes: Vec<_> = (0..to.len()).map(size).collect();
    Ok(vec![site.generate(of, &sizes, |b, at| site.access(b, source, at))?])
}
