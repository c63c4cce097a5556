//! Parts of tensors: slices, insertions, concatenations, and dimensions that are split or dropped.

use ad_dialect::{
    atl::{Affine, Comparison},
    ir::{DYNAMIC, Op, OpExt, TyExt, Val, i32_array, i64_array, int_of},
};
use melior::ir::{Attribute, ValueLike, attribute::ArrayAttribute};

use super::{
    site::{Raised, Site, from_outside, is_blank, number_of, plus, sum, total},
    truth::Truth,
};
use crate::support::builder::Builder;

/// The places that a slice has.
struct Slice<'c> {
    offsets: Vec<Affine<'c>>,
    sizes: Vec<Affine<'c>>,
    /// None where it is not known.
    strides: Vec<Option<i64>>,
    /// The dimensions that the part has, in order.
    kept: Vec<usize>,
}

impl<'c> Slice<'c> {
    /// That of an operation whose dynamic places are its last operands.
    fn of(op: Op<'c>, part: Val<'c>) -> Raised<Self> {
        let segments = op.attr("operandSegmentSizes").and_then(i32_array);
        let segments = segments.filter(|segments| segments.len() >= 3).ok_or("has no places")?;
        let count: i32 = segments[segments.len() - 3..].iter().sum();
        let operands = op.operand_list();
        let mut dynamic = operands[operands.len() - count as usize..].iter();
        let mut mixed = |name: &str| -> Raised<Vec<Affine<'c>>> {
            let statics = op.attr(name).and_then(i64_array).ok_or("has no places")?;
            let place = |place: i64| match place {
                DYNAMIC => {
                    let next = dynamic.next().map(|value| from_outside(*value));
                    next.ok_or_else(|| "has too few places".to_owned())
                }
                place => Ok(Affine::constant(place)),
            };
            statics.into_iter().map(place).collect()
        };
        let (offsets, sizes) = (mixed("static_offsets")?, mixed("static_sizes")?);
        let strides = mixed("static_strides")?;
        let strides = strides.iter().map(|s| s.terms.is_empty().then_some(s.constant)).collect();
        // As upstream does: a size of one is dropped unless the part has it at that place.
        let shape = part.r#type().shape();
        let mut kept = Vec::new();
        for (d, size) in sizes.iter().enumerate() {
            let is_one = size.terms.is_empty() && size.constant == 1;
            if !is_one || shape.get(kept.len()) == Some(&1) {
                kept.push(d);
            }
        }
        match kept.len() == shape.len() {
            true => Ok(Self { offsets, sizes, strides, kept }),
            false => Err("has a rank that does not follow from its sizes".to_owned()),
        }
    }

    fn stride(&self, dimension: usize) -> Raised<i64> {
        self.strides[dimension].ok_or_else(|| "has a stride that is not constant".to_owned())
    }
}

/// `tensor.extract_slice`: `x[offset + stride i]`.
pub fn extract_slice<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let (Some(source), Some(result)) = (site.root.opnd(0), site.root.res(0)) else {
        return Err("has no source".to_owned());
    };
    let slice = Slice::of(site.root, result)?;
    let of = result.r#type();
    number_of(of)?;
    let sizes =
        site.sizes(of, |d| Ok(super::generate::value(&site.outer, &slice.sizes[slice.kept[d]])))?;
    let made = site.generate(of, &sizes, |b, at| {
        let mut places = slice.offsets.clone();
        for (d, index) in slice.kept.iter().zip(at) {
            places[*d] = plus(&places[*d], index, slice.stride(*d)?)?;
        }
        site.access(b, source, &places)
    })?;
    Ok(vec![made])
}

/// `tensor.insert_slice`: `[i is in the slice] . x[i - offset] + [it is not] . y[i]`. With a stride
/// it is a sum over the slice, and there must be nothing around it: that an index is between two
/// of the slice cannot be said without one.
pub fn insert_slice<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let (Some(part), Some(around), Some(result)) =
        (site.root.opnd(0), site.root.opnd(1), site.root.res(0))
    else {
        return Err("has no source".to_owned());
    };
    let slice = Slice::of(site.root, part)?;
    let of = result.r#type();
    let number = number_of(of)?;
    let rank = of.shape().len();
    let strides = (0..rank).map(|d| slice.stride(d)).collect::<Raised<Vec<_>>>()?;
    let is_far = |d: &usize| strides[*d] != 1 && slice.kept.contains(d);
    let far: Vec<usize> = (0..rank).filter(is_far).collect();
    if !far.is_empty() && !is_blank(around) {
        return Err("inserts with a stride into other elements than zeros".to_owned());
    }
    let sizes: Vec<_> = (0..rank).map(|d| site.size(around, d)).collect();
    let extents: Vec<_> =
        far.iter().map(|d| super::generate::value(&site.outer, &slice.sizes[*d])).collect();
    let made = site.generate(of, &sizes, |b, at| {
        let inside = (0..rank).filter(|d| !far.contains(d)).map(|d| {
            let whole = from_outside(site.size(around, d));
            let is_whole =
                whole.constant == slice.sizes[d].constant && whole.terms == slice.sizes[d].terms;
            Truth::between(&at[d], &slice.offsets[d], &slice.sizes[d], is_whole)
        });
        let inside = Truth::and(inside.collect::<Raised<Vec<_>>>()?);
        let places = |numbers: &[Affine<'c>]| -> Raised<Vec<Affine<'c>>> {
            let place = |d: &usize| match far.iter().position(|other| other == d) {
                Some(position) => Ok(numbers[position].clone()),
                None => plus(&at[*d], &slice.offsets[*d], -1),
            };
            slice.kept.iter().map(place).collect()
        };
        let mut then = |b: &Builder<'c>| {
            sum(b, number, &extents, |b, numbers| {
                let met = far.iter().zip(numbers).map(|(d, number)| {
                    let place = plus(&slice.offsets[*d], number, strides[*d])?;
                    Ok(Truth::Compare(Comparison::Equal, at[*d].clone(), place))
                });
                let met = Truth::and(met.collect::<Raised<Vec<_>>>()?);
                let places = places(numbers)?;
                site.bracket(b, &met, number, |b| site.access(b, part, &places))
            })
        };
        let mut other = |b: &Builder<'c>| site.access(b, around, at);
        let other: Option<&mut dyn FnMut(&Builder<'c>) -> _> =
            if is_blank(around) { None } else { Some(&mut other) };
        site.choose(b, &inside, number, Some(&mut then), other)
    })?;
    Ok(vec![made])
}

/// `tensor.insert`: one element is another.
pub fn insert<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let operands = site.root.operand_list();
    let [element, around, indices @ ..] = &operands[..] else {
        return Err("has no tensor".to_owned());
    };
    let of = around.r#type();
    let number = number_of(of)?;
    let sizes: Vec<_> = (0..indices.len()).map(|d| site.size(*around, d)).collect();
    let made = site.generate(of, &sizes, |b, at| {
        let here = at
            .iter()
            .zip(indices)
            .map(|(at, index)| Truth::Compare(Comparison::Equal, at.clone(), from_outside(*index)));
        let here = Truth::and(here.collect());
        let mut then = |_: &Builder<'c>| Ok(*element);
        let mut other = |b: &Builder<'c>| site.access(b, *around, at);
        let other: Option<&mut dyn FnMut(&Builder<'c>) -> _> =
            if is_blank(*around) { None } else { Some(&mut other) };
        site.choose(b, &here, number, Some(&mut then), other)
    })?;
    Ok(vec![made])
}

/// `tensor.concat`: the sum of the parts, each where it is.
pub fn concat<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let parts = site.root.operand_list();
    let along = site.root.attr("dim").and_then(int_of).and_then(|dim| usize::try_from(dim).ok());
    let (Some(along), Some(result)) = (along, site.root.res(0)) else {
        return Err("has no dimension".to_owned());
    };
    let of = result.r#type();
    let number = number_of(of)?;
    let mut starts = vec![Affine::default()];
    for part in &parts {
        let start = &starts[starts.len() - 1];
        starts.push(plus(start, &from_outside(site.size(*part, along)), 1)?);
    }
    let sizes = site.sizes(of, |d| {
        Ok(match d == along {
            true => super::generate::value(&site.outer, &starts[parts.len()]),
            false => site.size(parts[0], d),
        })
    })?;
    let made = site.generate(of, &sizes, |b, at| {
        let values = parts.iter().enumerate().map(|(number_of_part, part)| {
            let start = &starts[number_of_part];
            let after = Truth::Compare(Comparison::LessOrEqual, start.clone(), at[along].clone());
            let end = starts[number_of_part + 1].clone();
            let before = Truth::Compare(Comparison::Less, at[along].clone(), end);
            let is_first = number_of_part == 0;
            let is_last = number_of_part + 1 == parts.len();
            let here = Truth::and(vec![
                if is_first { Truth::Known(true) } else { after },
                if is_last { Truth::Known(true) } else { before },
            ]);
            let mut places = at.to_vec();
            places[along] = plus(&at[along], start, -1)?;
            site.bracket(b, &here, number, |b| site.access(b, *part, &places))
        });
        Ok(total(b, number, values.collect::<Raised<Vec<_>>>()?))
    })?;
    Ok(vec![made])
}

/// The groups of dimensions of a `tensor.expand_shape` or `collapse_shape`.
fn groups(op: Op<'_>) -> Option<Vec<Vec<usize>>> {
    fn list(attribute: Attribute<'_>) -> Option<ArrayAttribute<'_>> {
        ArrayAttribute::try_from(attribute).ok()
    }
    let groups = list(op.attr("reassociation")?)?;
    let group = |position: usize| {
        let group = list(groups.element(position).ok()?)?;
        let dimension = |d: usize| usize::try_from(int_of(group.element(d).ok()?)?).ok();
        (0..group.len()).map(dimension).collect::<Option<Vec<_>>>()
    };
    (0..groups.len()).map(group).collect()
}

/// `tensor.expand_shape`: `x[m i + j]`, where m is constant.
pub fn expand_shape<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let (Some(source), Some(result)) = (site.root.opnd(0), site.root.res(0)) else {
        return Err("has no source".to_owned());
    };
    let of = result.r#type();
    number_of(of)?;
    let groups = groups(site.root).ok_or("has no groups")?;
    let shape = of.shape();
    let mut factors = vec![1; shape.len()];
    for group in &groups {
        let mut factor: Option<i64> = Some(1);
        for d in group.iter().rev() {
            factors[*d] = factor.ok_or("splits a dimension by sizes that are not constant")?;
            factor = match shape[*d] {
                1 => factor,
                DYNAMIC => None,
                size => factor.and_then(|factor| factor.checked_mul(size)),
            };
            // Nothing is left of it in front but dimensions of size one.
            if shape[*d] == DYNAMIC && group.iter().take_while(|f| *f != d).all(|f| shape[*f] == 1)
            {
                factor = Some(0);
            }
        }
    }
    let mut dynamic = site.root.operand_list().into_iter().skip(1);
    let sizes = site.sizes(of, |_| dynamic.next().ok_or_else(|| "has too few sizes".to_owned()))?;
    let made = site.generate(of, &sizes, |b, at| {
        let place = |group: &Vec<usize>| {
            group.iter().try_fold(Affine::default(), |sum, d| {
                plus(&sum, &at[*d], if shape[*d] == 1 { 0 } else { factors[*d] })
            })
        };
        let places = groups.iter().map(place).collect::<Raised<Vec<_>>>()?;
        site.access(b, source, &places)
    })?;
    Ok(vec![made])
}

/// `tensor.collapse_shape` of dimensions of which all but one have the size one: the place in
/// any other is a quotient and a remainder.
pub fn collapse_shape<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let (Some(source), Some(result)) = (site.root.opnd(0), site.root.res(0)) else {
        return Err("has no source".to_owned());
    };
    let of = result.r#type();
    number_of(of)?;
    let groups = groups(site.root).ok_or("has no groups")?;
    let shape = source.r#type().shape();
    let long = groups.iter().map(|group| {
        let mut long = group.iter().copied().filter(|d| shape[*d] != 1);
        match (long.next(), long.next()) {
            (long, None) => Ok(long),
            _ => Err("joins dimensions, so that places are quotients and remainders".to_owned()),
        }
    });
    let long = long.collect::<Raised<Vec<_>>>()?;
    let sizes = site
        .sizes(of, |d| Ok(long[d].map_or_else(|| site.outer.index(1), |l| site.size(source, l))))?;
    let made = site.generate(of, &sizes, |b, at| {
        let mut places = vec![Affine::default(); shape.len()];
        for (long, index) in long.iter().zip(at) {
            if let Some(long) = long {
                places[*long] = index.clone();
            }
        }
        site.access(b, source, &places)
    })?;
    Ok(vec![made])
}

/// `tensor.extract`: an access where nothing is around.
pub fn extract<'c>(site: &Site<'c>) -> Raised<Vec<Val<'c>>> {
    let operands = site.root.operand_list();
    number_of(operands[0].r#type())?;
    let at: Vec<_> = operands[1..].iter().map(|index| from_outside(*index)).collect();
    Ok(vec![site.access(&site.here, operands[0], &at)?])
}
