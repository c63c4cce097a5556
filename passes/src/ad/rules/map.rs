//! Differentiates: `soac.map`.
//!
//! Primal: `xs = map (\a -> stms in x) as`
//! Forward sweep: the map itself; no iteration is saved, but in loops the values of dear functions.
//! Return sweep:
//! ```text
//! as_bar += map (\a x_bar -> stms; return sweep of stms in a_bar) as xs_bar
//! ```
//! where, of the body's free variables, scalars are bound per iteration and
//! summed afterwards, and arrays become accumulators for the extent of the map.
//! If all that has come to xs_bar are rows, as from a minimum, then for each row i
//! ```text
//! as_bar[i] += (stms; return sweep of stms in a_bar) at a = as[i], x_bar = xs_bar[i]
//! ```
//! and if they are given by an array `is` of indices, as from a hist with a minimum, then
//! ```text
//! as_bar[is[k]] += bars[k]            -- again by its rows
//! bars = map (\i x_bar -> if i in range then the same at i else 0) is xs_bar[is]
//! ```
//! Source: [FUT 5.4], [FUT 5.1.1] (sparse adjoints).
//! Requires: iterations are independent.
//! Ensures: work and depth of the primal; a gather's adjoint touches only what
//! was read; a sparse adjoint costs one iteration per row.
//! Edge cases: an empty map contributes zeros; accumulators among the operands
//! hand on their cotangent array unchanged.
//! Tests: test/ad/jvp/map.mlir, test/ad/vjp/map.mlir, test/ad/numeric/map.mlir,
//! test/ad/vjp/map-sparse.mlir, test/ad/numeric/map-sparse.mlir,
//! test/ad/vjp/hist-min-max.mlir, test/ad/numeric/hist-min-max-filled.mlir,
//! tools/ad-check/tests/reductions.rs.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, array_of};
use melior::ir::{Type, ValueLike};

use super::Rule;
use crate::{
    ad::{
        activity::Flows,
        cotangent::{Contribution, Piece, Point, Rows},
        jvp::Jvp,
        vjp::Vjp,
    },
    raise::dear,
    support::{builder::same_value, combinator::input_count, diag::Result},
};

/// The rule for `soac.map`.
pub struct Map;

impl Rule for Map {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        super::body_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let Some(body) = op.body(0) else { return Ok(()) };
        let (operands, arguments, results) = (op.operand_list(), body.arg_list(), op.result_list());
        let inputs = input_count(op);
        let arrays = results.len() - (operands.len() - inputs);
        let is_active = |list: &[Val<'c>], jvp: &Jvp<'_, 'c>| -> Vec<usize> {
            (0..list.len()).filter(|&i| jvp.is_active(list[i])).collect()
        };
        let active_in = is_active(&arguments[..inputs], jvp);
        let active_accs = is_active(&arguments[inputs..], jvp);
        let active_out = is_active(&results[..arrays], jvp);
        let pick = |list: &[Val<'c>], which: &[usize]| -> Vec<Val<'c>> {
            which.iter().map(|&i| list[i]).collect()
        };
        let ins = jvp.bundle(&operands[..inputs], &pick(&operands, &active_in));
        let accs = jvp.bundle(&operands[inputs..], &pick(&operands[inputs..], &active_accs));
        let mut types = Jvp::bundle_types(&results[..arrays], &pick(&results, &active_out));
        types.extend(accs.iter().map(|acc| acc.r#type()));
        let b = jvp.b;
        let new = b.map(&ins, &accs, &types, |inner, new| {
            let (elements, new_accs) = new.split_at(ins.len());
            jvp.unbundle(&arguments[..inputs], &pick(&arguments, &active_in), elements);
            let old_accs = &arguments[inputs..];
            jvp.unbundle(old_accs, &pick(old_accs, &active_accs), new_accs);
            jvp.block(inner, body, |jvp| {
                let yielded = body.ends();
                let (values, done) = yielded.split_at(arrays);
                let mut all = jvp.bundle(values, &pick(values, &active_out));
                all.extend(jvp.bundle(done, &pick(done, &active_accs)));
                Ok(all)
            })
        })?;
        let (values, done) = new.split_at(arrays + active_out.len());
        jvp.unbundle(&results[..arrays], &pick(&results, &active_out), values);
        let old_accs = &results[arrays..];
        jvp.unbundle(old_accs, &pick(old_accs, &active_accs), done);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(body) = op.body(0) else { return Ok(()) };
        let (operands, arguments, results) = (op.operand_list(), body.arg_list(), op.result_list());
        let inputs = input_count(op);
        let arrays = results.len() - (operands.len() - inputs);
        if is_sparse(&results, vjp) {
            return vjp_rows(op, body, vjp);
        }
        for &result in &results {
            vjp.settle(result)?;
        }
        let bars: Vec<_> = results.iter().map(|&r| vjp.cotangents.take(r)).collect();
        for (&acc, bar) in operands[inputs..].iter().zip(&bars[arrays..]) {
            if let Some(bar) = bar {
                vjp.add_dense(acc, *bar)?;
            }
        }
        let active: Vec<_> = (0..inputs).filter(|&i| vjp.is_active(arguments[i])).collect();
        let types: Vec<Type<'c>> = active.iter().map(|&i| operands[i].r#type()).collect();
        let mut ins = vjp.primal_list(&operands[..inputs]);
        ins.extend(bars[..arrays].iter().flatten());
        let given = ins.len();
        let known = known_values(op, body, vjp);
        ins.extend(known.iter().map(|(_, array)| *array));
        let free = vjp.active_free_values(&[body]);
        let new = vjp.adjoint_map(&ins, &types, &free, |vjp, elements| {
            vjp.set_primals(&arguments[..inputs], &elements[..inputs]);
            for &acc in &arguments[inputs..] {
                let null = vjp.b.val("soac.null_acc", &[], acc.r#type());
                vjp.set_primal(acc, null);
            }
            let mut element_bars = elements[inputs..].iter().copied();
            let mut seeds: Vec<_> =
                bars[..arrays].iter().map(|bar| bar.and_then(|_| element_bars.next())).collect();
            seeds.extend_from_slice(&bars[arrays..]);
            let rows = known.iter().zip(&elements[given..]).map(|((value, _), &row)| (*value, row));
            vjp.body_given(body, &seeds, &rows.collect::<Vec<_>>())?;
            for &acc in &arguments[inputs..] {
                vjp.cotangents.take(acc);
            }
            Ok(active.iter().map(|&i| vjp.take_or_zero(arguments[i])).collect())
        })?;
        for (i, bar) in active.into_iter().zip(new) {
            vjp.add_dense(operands[i], bar)?;
        }
        Ok(())
    }
}

/// The dear values that a map in a loop makes and yields, each with the array of them: the loop can save
/// it (`raise/dear.rs`).
fn known_values<'c>(op: Op<'c>, body: Blk<'c>, vjp: &Vjp<'_, 'c>) -> Vec<(Val<'c>, Val<'c>)> {
    if !vjp.is_in_loop {
        return vec![];
    }
    let ends = body.ends();
    let both = ends.into_iter().zip(op.result_list());
    both.filter(|(value, _)| value.parent_block() == Some(body) && dear::is_dear(*value))
        .map(|(value, result)| (value, vjp.primal(result)))
        .collect()
}

/// Whether all adjoints of the results are sparse or absent.
fn is_sparse(results: &[Val<'_>], vjp: &Vjp<'_, '_>) -> bool {
    results.iter().all(|&result| vjp.cotangents.get(result).is_none())
}

/// One iteration of the return sweep.
#[derive(Clone)]
struct Row<'c> {
    index: Val<'c>,
    guard: Option<Val<'c>>,
    /// The cotangents of what the iteration yields.
    seeds: Vec<Option<Val<'c>>>,
}

/// The return sweep of the iterations at the rows of sparse adjoints.
fn vjp_rows<'c>(op: Op<'c>, body: Blk<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
    let arguments = &body.arg_list()[..input_count(op)];
    let active: Vec<_> = (0..arguments.len()).filter(|&i| vjp.is_active(arguments[i])).collect();
    let free = vjp.active_free_values(&[body]);
    for (k, result) in op.result_list().into_iter().enumerate() {
        for piece in vjp.cotangents.take_pieces(result) {
            match piece {
                Piece::Row(Point { index, value, guard }) => {
                    let row = Row { index, guard, seeds: seeds_of(op, k, value) };
                    vjp_row(op, body, &row, &active, &free, vjp)?;
                }
                Piece::Rows(list) => vjp_list(op, body, (k, list), &active, &free, vjp)?,
            }
        }
    }
    Ok(())
}

/// The return sweep of one iteration.
fn vjp_row<'c>(
    op: Op<'c>,
    body: Blk<'c>,
    row: &Row<'c>,
    active: &[usize],
    free: &[Val<'c>],
    vjp: &mut Vjp<'_, 'c>,
) -> Result<()> {
    let inputs = &op.operand_list()[..input_count(op)];
    let Some(guard) = row.guard else {
        let bars = vjp_iteration(op, body, row, active, vjp)?;
        return add_rows(op, row, active, &bars, vjp);
    };
    // What has a whole adjoint receives its row where the row is computed.
    let is_carried = |&i: &usize, vjp: &Vjp<'_, 'c>| {
        vjp.cotangents.get(inputs[i]).is_some()
            || free.iter().any(|&value| same_value(value, inputs[i]))
    };
    let (inside, outside): (Vec<_>, Vec<_>) = active.iter().partition(|&i| is_carried(i, vjp));
    let mut carried = free.to_vec();
    for &i in &inside {
        if !carried.iter().any(|&value| same_value(value, inputs[i])) {
            carried.push(inputs[i]);
        }
    }
    let arrays: Vec<_> = outside.iter().map(|&i| vjp.primal(inputs[i])).collect();
    let bars = vjp.when(guard, &carried, &arrays, |vjp| {
        let order = [&inside[..], &outside[..]].concat();
        let mut bars = vjp_iteration(op, body, row, &order, vjp)?;
        let later = bars.split_off(inside.len());
        add_rows(op, &Row { guard: None, ..row.clone() }, &inside, &bars, vjp)?;
        Ok(later)
    })?;
    add_rows(op, row, &outside, &bars, vjp)
}

/// The cotangents of what an iteration yields if only one has any.
fn seeds_of<'c>(op: Op<'c>, k: usize, value: Val<'c>) -> Vec<Option<Val<'c>>> {
    (0..op.result_list().len()).map(|result| (result == k).then_some(value)).collect()
}

/// The return sweep of the iterations at listed rows of result k: a map over the list.
fn vjp_list<'c>(
    op: Op<'c>,
    body: Blk<'c>,
    (k, list): (usize, Rows<'c>),
    active: &[usize],
    free: &[Val<'c>],
    vjp: &mut Vjp<'_, 'c>,
) -> Result<()> {
    let inputs = vjp.primal_list(&op.operand_list()[..input_count(op)]);
    let arrays: Vec<_> = active.iter().map(|&i| inputs[i]).collect();
    let width = list.at.r#type().shape()[0];
    let types: Vec<_> = arrays.iter().map(|a| array_of(width, a.r#type().row())).collect();
    let bars = vjp.adjoint_map(&[list.at, list.values], &types, free, |vjp, element| {
        let (index, inside) = vjp.b.in_range(&element[..1], inputs[0]);
        let seeds = seeds_of(op, k, element[1]);
        let row = Row { index: index[0], guard: None, seeds };
        vjp.when(inside, free, &arrays, |vjp| vjp_iteration(op, body, &row, active, vjp))
    })?;
    for (&i, values) in active.iter().zip(bars) {
        let Some(input) = op.opnd(i) else { continue };
        vjp.add(input, Contribution::Piece(Piece::Rows(Rows { at: list.at, values })))?;
    }
    Ok(())
}

/// Both sweeps of one iteration; returns the cotangents of the elements of some inputs.
fn vjp_iteration<'c>(
    op: Op<'c>,
    body: Blk<'c>,
    row: &Row<'c>,
    wanted: &[usize],
    vjp: &mut Vjp<'_, 'c>,
) -> Result<Vec<Val<'c>>> {
    let (operands, arguments) = (op.operand_list(), body.arg_list());
    for (k, (&argument, &operand)) in arguments.iter().zip(&operands).enumerate() {
        let element = if k < input_count(op) {
            vjp.b.row(vjp.primal(operand), row.index)
        } else {
            vjp.b.val("soac.null_acc", &[], argument.r#type())
        };
        vjp.set_primal(argument, element);
    }
    vjp.body(body, &row.seeds)?;
    Ok(wanted.iter().map(|&i| vjp.take_or_zero(arguments[i])).collect())
}

/// Adds the cotangents of elements to the adjoints of the inputs.
fn add_rows<'c>(
    op: Op<'c>,
    row: &Row<'c>,
    active: &[usize],
    bars: &[Val<'c>],
    vjp: &mut Vjp<'_, 'c>,
) -> Result<()> {
    for (&i, &value) in active.iter().zip(bars) {
        let Some(input) = op.opnd(i) else { continue };
        let point = Point { index: row.index, value, guard: row.guard };
        vjp.add(input, Contribution::Piece(Piece::Row(point)))?;
    }
    Ok(())
}
