//! Neighbouring loops over dimensions that all operands have side by side, as one.
//!
//! ```text
//! s[c] += x[n, h, w, c]     =>     s[c] += x'[k, c]          k counts n, h and w
//! ```

use ad_dialect::{
    ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt, tensor_type},
    linalg::{Expr, Structured, map_attribute},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    diag::Result,
    region::{copy_block, replace},
    structured::asks_for_numbers,
};

/// An operation with fewer loops.
pub struct Collapsed<'c> {
    pub op: Op<'c>,
    /// What its results were.
    pub values: Vec<Val<'c>>,
    /// Slices of which it takes the elements one after the other.
    pub slices: Vec<Val<'c>>,
}

/// The operation with fewer loops; nothing if there are no such loops.
pub fn collapse<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Collapsed<'c>>> {
    let Some(s) = Structured::of(op) else { return Ok(None) };
    let groups = groups(&s);
    let operands = s.inputs.iter().chain(&s.inits);
    let is_same = |array: Val<'c>, map: &Vec<Expr>| {
        dimensions(map, &groups).len() == array.r#type().shape().len()
    };
    let would_be_copied = |(&array, map): (&Val<'c>, &Vec<Expr>)| {
        is_slice(array) && !is_same(array, map) && dimensions(map, &groups).len() > 1
    };
    if asks_for_numbers(op)
        || groups.len() == s.loops
        || s.inits.iter().copied().any(is_slice)
        || operands.clone().zip(&s.maps).any(would_be_copied)
    {
        return Ok(None);
    }
    let written = s.written();
    let parallel: Vec<_> = groups.iter().map(|group| written[group[0]]).collect();
    let maps: Vec<_> = s
        .maps
        .iter()
        .filter_map(|map| {
            let indices: Vec<_> = dimensions(map, &groups).into_iter().map(|d| d.1).collect();
            map_attribute(b.context(), groups.len(), &indices)
        })
        .collect();
    let mut slices = vec![];
    let flat = |(&array, map): (&Val<'c>, &Vec<Expr>)| {
        if !is_slice(array) || is_same(array, map) {
            return Ok(collapsed(b, array, &dimensions(map, &groups)));
        }
        slices.push(numbered(b, array)?);
        Ok(slices[slices.len() - 1])
    };
    let operands: Vec<_> = operands.zip(&s.maps).map(flat).collect::<Result<_>>()?;
    let (inputs, inits) = operands.split_at(s.inputs.len());
    let made = b.generic(&maps, &parallel, inputs, inits, |b, elements| {
        Ok(copy_block(&b, s.body, elements))
    })?;
    let old = |((value, map), &init): ((Val<'c>, &Vec<Expr>), &Val<'c>)| {
        if value.r#type() == init.r#type() {
            return value;
        }
        let own: Vec<_> = dimensions(map, &groups).into_iter().map(|d| d.0).collect();
        b.expand(value, &own, init.r#type(), &b.dynamic_dims(init))
    };
    let values = made.result_list().into_iter().zip(s.output_maps()).zip(&s.inits);
    let values = values.map(old).collect();
    Ok(Some(Collapsed { op: made, values, slices }))
}

/// Whether an array is a slice of another one, whose elements are not side by side.
fn is_slice(array: Val<'_>) -> bool {
    array.defining_op().is_some_and(|op| op.op_name() == "tensor.extract_slice")
}

/// Loops that can be one, in order.
fn groups(s: &Structured<'_>) -> Vec<Vec<usize>> {
    let joins = |l: usize| {
        let [before, own] = [l - 1, l].map(Expr::Loop);
        s.maps.iter().all(|map| {
            let place = |wanted: &Expr| map.iter().position(|index| index == wanted);
            let uses = |index: &Expr| [l - 1, l].iter().any(|&l| index.mentions(l));
            match (place(&before), place(&own)) {
                (None, None) => !map.iter().any(uses),
                (Some(first), Some(second)) => {
                    second == first + 1 && map.iter().filter(|index| uses(index)).count() == 2
                }
                _ => false,
            }
        })
    };
    let mut groups: Vec<Vec<usize>> = vec![];
    for l in 0..s.loops {
        match groups.last_mut() {
            Some(last) if joins(l) => last.push(l),
            _ => groups.push(vec![l]),
        }
    }
    groups
}

/// The dimensions of an array that become one each, and the index of that in the new loops.
fn dimensions(map: &[Expr], groups: &[Vec<usize>]) -> Vec<(Vec<usize>, Expr)> {
    let mut found: Vec<(Vec<usize>, Expr)> = vec![];
    for (d, index) in map.iter().enumerate() {
        let own = renumbered(index, groups);
        match found.last_mut() {
            // The same loop twice is a diagonal.
            Some((dimensions, last))
                if *last == own && matches!(own, Expr::Loop(_)) && *index != map[d - 1] =>
            {
                dimensions.push(d);
            }
            _ => found.push((vec![d], own)),
        }
    }
    found
}

/// An index in the new loops.
fn renumbered(index: &Expr, groups: &[Vec<usize>]) -> Expr {
    let group = |l| groups.iter().position(|group| group.contains(&l)).unwrap_or_default();
    index.with_loops(&|l| Expr::Loop(group(l)))
}

/// An array with some of its dimensions made one each.
fn collapsed<'c>(b: &Builder<'c>, array: Val<'c>, all: &[(Vec<usize>, Expr)]) -> Val<'c> {
    let r#type = array.r#type();
    if r#type.as_tensor().is_none() || all.len() == r#type.shape().len() {
        return array;
    }
    let old = r#type.shape();
    let size = |(own, _): &(Vec<usize>, Expr)| {
        let sizes = own.iter().map(|&d| Some(old[d]).filter(|&size| size != DYNAMIC));
        sizes.product::<Option<i64>>().unwrap_or(DYNAMIC)
    };
    let shape: Vec<_> = all.iter().map(size).collect();
    let groups: Vec<_> = all.iter().map(|(own, _)| own.clone()).collect();
    b.collapse(array, &groups, tensor_type(&shape, r#type.scalar()))
}

/// The elements of a slice one after the other, by a map that reads what is there.
fn numbered<'c>(b: &Builder<'c>, array: Val<'c>) -> Result<Val<'c>> {
    let r#type = array.r#type();
    let shape = r#type.shape();
    let size = if shape.contains(&DYNAMIC) { DYNAMIC } else { shape.iter().product() };
    let sizes: Vec<_> = (0..shape.len()).map(|d| b.dim(array, d)).collect();
    let total = sizes.iter().copied().reduce(|x, y| b.mul(x, y)).unwrap_or(array);
    let result = tensor_type(&[size], r#type.scalar());
    let made = b.map(&[b.iota(total, size)], &[], &[result], |b, number| {
        let mut rest = number[0];
        let mut indices = vec![];
        for &size in sizes[1..].iter().rev() {
            indices.push(b.same("arith.remui", &[rest, size]));
            rest = b.same("arith.divui", &[rest, size]);
        }
        indices.push(rest);
        indices.reverse();
        Ok(vec![b.extract(array, &indices)])
    })?;
    Ok(made[0])
}

/// Reads the slices themselves where elements are read that maps over their numbers make.
pub fn read_slices<'c>(context: &'c Context, arrays: &[Val<'c>]) {
    for array in arrays {
        let Some(map) = array.defining_op() else { continue };
        for read in array.users() {
            let (Some(block), Some(number)) = (read.block(), read.opnd(1)) else { continue };
            if read.op_name() == "tensor.extract" {
                let b = Builder::before(context, read, block).with_location(read.location());
                let body = map.body(0);
                replace(read, &body.map_or(vec![], |body| copy_block(&b, body, &[number])));
            }
        }
    }
}
