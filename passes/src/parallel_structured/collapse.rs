//! Neighbouring loops over dimensions that all operands have side by side, as one.
//!
//! ```text
//! s[c] += x[n, h, w, c]     =>     s[c] += x'[k, c]          k counts n, h and w
//! ```

use ad_dialect::{
    ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt, tensor_type},
    linalg::{Expr, Structured, map_attribute},
};
use melior::ir::ValueLike;

use crate::support::{
    builder::Builder, diag::Result, region::copy_block, structured::asks_for_numbers,
};

/// The operation with fewer loops, and what its results were; nothing if there are no such loops.
pub fn collapse<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<(Op<'c>, Vec<Val<'c>>)>> {
    let Some(s) = Structured::of(op) else { return Ok(None) };
    let groups = groups(&s);
    let operands = s.inputs.iter().chain(&s.inits);
    // Slices of arrays would be copied.
    let is_slice = |array: &Val<'c>| {
        array.defining_op().is_some_and(|op| op.op_name() == "tensor.extract_slice")
    };
    if asks_for_numbers(op) || groups.len() == s.loops || operands.clone().any(is_slice) {
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
    let operands: Vec<_> = operands
        .zip(&s.maps)
        .map(|(&array, map)| collapsed(b, array, &dimensions(map, &groups)))
        .collect();
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
    Ok(Some((made, values)))
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
            Some((dimensions, last)) if *last == own && matches!(own, Expr::Loop(_)) => {
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
