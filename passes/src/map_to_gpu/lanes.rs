//! Rows that a few neighbouring threads reduce together:
//!
//! ```text
//! ys = map (\xs -> f (reduce op e xs)) xss
//!         ==>
//! for each thread: i, lane = its number / LANES, its number mod LANES
//!   x = reduce op e of every LANESth element of xss[i], from `lane` on
//!   s = the xs of the threads of a row combined, which hand them to each other
//!   ys[i] = f s                                      -- by the first of them
//! ```
//! With a thread for each row, those of a subgroup ask for an element of 32 rows at a time, which lie apart: for each of
//! them the memory nearest to the processor is asked, of which there is one for a multiprocessor. Eight doubles that lie
//! side by side are two sectors.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, i64_array};
use melior::ir::ValueLike;

use super::{
    Mapped,
    nest::{Nest, Row, forall_rows, is_scalar_reduce, width_inside, with_light_maps},
    reduce::{Combine, commutes},
    subgroup::{LANES as ALL, has_shuffles},
};
use crate::{
    lower::forall_to_gpu::one_kernel,
    parallelize::{group::Group, rows::width_of},
    support::{
        builder::{Builder, CMP_EQ, CMP_SLT},
        combinator::inputs_and_rest,
        diag::Result,
        region::{ValueMap, clone_op, renamed},
        size::Size,
    },
};

/// How many threads reduce a row.
const LANES: i64 = 8;
/// From so many elements on, that is worth it.
const LONG: i64 = 32;

/// Whether the reductions in a nest are of rows that lie side by side in memory, of sizes that are known in front of the
/// nest, by operators that are applied in any order: the condition under which that is worth it, none if it is not.
pub fn are_worth_it<'c>(
    b: &Builder<'c>,
    nest: &Nest<'c>,
    reductions: &[Op<'c>],
) -> Option<Size<'c>> {
    let body = nest.body()?;
    let is_plain = |value: &Val<'c>| {
        let scalar = value.r#type();
        scalar.as_tensor().is_none() && !scalar.is_complex_type() && has_shuffles(scalar)
    };
    let fits = |&op: &Op<'c>| {
        op.body(0).is_some_and(|operator| commutes(op, operator))
            && op.result_list().iter().all(is_plain)
            && width_inside(op).is_some_and(|width| width.is_outside(nest.root()))
            && reads_rows(&with_light_maps(op), body)
    };
    if !nest.ends().iter().all(is_plain) || !reductions.iter().all(fits) {
        return None;
    }
    let width = width_inside(*reductions.first()?)?;
    Size::of_extent(b, width).at_least(b, Size::Known(LONG))
}

/// Whether what is reduced is made of rows that the body of a nest is given, element by element, and of nothing else that
/// is read.
fn reads_rows<'c>(group: &Group<'c>, body: Blk<'c>) -> bool {
    let is_row = |array: Val<'c>| body.arg_list().iter().any(|own| own.key() == array.key());
    let is_made = |array: Val<'c>| {
        array.defining_op().is_some_and(|op| group.maps.iter().any(|map| map.key() == op.key()))
    };
    let is_part = |array: Val<'c>| {
        let slice = array.defining_op().filter(|op| op.op_name() == "tensor.extract_slice");
        slice.is_some_and(|op| {
            let strides = op.attr("static_strides").and_then(i64_array);
            strides.as_deref() == Some(&[1]) && op.opnd(0).is_some_and(is_row)
        })
    };
    let ops = group.maps.iter().chain([&group.op]);
    let mut arrays = ops.clone().flat_map(|op| op.operand_list());
    let mut inner = ops.flat_map(|op| op.body(0)).flat_map(|body| body.body_ops());
    arrays.all(|array| {
        array.r#type().as_tensor().is_none() || is_row(array) || is_made(array) || is_part(array)
    }) && inner.all(|op| !op.op_name().starts_with("tensor."))
}

/// Makes a kernel of a nest.
pub fn rows<'c>(b: &Builder<'c>, group: Group<'c>) -> Mapped<'c> {
    let Some(nest) = Nest::of(group) else { return Ok(None) };
    let Some(body) = nest.body() else { return Ok(None) };
    let (ends, widths) = (nest.ends(), nest.widths(b));
    let results = nest.root().result_list();
    let shared = results.iter().map(|result| {
        let r#type = result.r#type();
        let sizes = r#type.shape().into_iter().zip(&widths);
        let sizes = sizes.filter(|(size, _)| *size < 0).map(|(_, width)| width.value(b));
        b.empty(r#type, &sizes.collect::<Vec<_>>())
    });
    let shared: Vec<_> = shared.collect();
    let count = widths.iter().fold(Size::Known(1), |all, &width| all.times(b, width)).value(b);
    // Whole subgroups, so that every thread has somebody to hand numbers to.
    let at_once = b.index(ALL / LANES);
    let subgroups = b.same("arith.ceildivsi", &[count, at_once]);
    let threads = Size::Value(b.mul(subgroups, b.index(ALL)));
    let made = forall_rows(b, &[threads], &shared, one_kernel(b), |b, number, outs| {
        let [row, lane] = b.divide(number[0], b.index(LANES));
        let is_row = b.compare(CMP_SLT, row, count);
        let last = b.sub(count, b.index(1));
        let mut rest = b.same("arith.minsi", &[row, last]);
        let mut indices = vec![];
        for width in widths[1..].iter().rev() {
            let [quotient, index] = b.divide(rest, width.value(b));
            indices.push(index);
            rest = quotient;
        }
        indices.push(rest);
        indices.reverse();
        let mut names = ValueMap::new();
        nest.enter(b, &indices, &mut names);
        for op in body.body_ops() {
            let copy = clone_op(b, op, &mut names);
            if is_scalar_reduce(op) {
                let inner = Builder::before(b.context(), copy, b.block());
                let values = by_lanes(&inner, copy, lane)?;
                names.extend(op.result_list().iter().map(ValExt::key).zip(values));
                copy.erase();
            }
        }
        let is_first = b.compare(CMP_EQ, lane, b.index(0));
        let writes = b.same("arith.andi", &[is_row, is_first]);
        let rows = ends.iter().zip(outs);
        rows.map(|(&end, &out)| Row::if_true(b, writes, renamed(&names, end), out, &indices))
            .collect()
    })?;
    Ok(Some(made))
}

/// What the threads of a row combine, for all of them.
fn by_lanes<'c>(b: &Builder<'c>, op: Op<'c>, lane: Val<'c>) -> Result<Vec<Val<'c>>> {
    let group = with_light_maps(op);
    let (inputs, neutrals) = inputs_and_rest(op);
    let Some(body) = op.body(0) else { return Ok(vec![]) };
    let operator = Combine { body, neutrals: &neutrals, commutes: true };
    let end = width_of(b, &group).value(b);
    let own = operator.in_steps(b, &group, &inputs, [lane, end, b.index(LANES)])?;
    operator.across(b, LANES, own)
}
