//! Reductions of arrays by an operator that works element by element become maps of reductions of numbers:
//!
//! ```text
//! reduce (map2 op) es xss  ==>  map (\j e -> reduce op e (map (\xs -> xs[j]) xss)) [0, 1, ..] es
//! ```

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, array_of, tensor_type};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::atomic::everywhere;
use crate::{
    parallelize::{chunk::inputs_and_rest, group::Group},
    support::{
        builder::Builder,
        combinator::input_count,
        diag::Result,
        region::{ValueMap, clone_with, renamed, replace},
    },
};

/// Rewrites a reduction in a block if it is one.
pub fn rewrite<'c>(context: &'c Context, block: Blk<'c>, op: Op<'c>) -> Result<bool> {
    let Some(body) = op.body(0).filter(|_| op.op_name() == "soac.reduce") else {
        return Ok(false);
    };
    let (inputs, neutrals) = inputs_and_rest(op);
    let ranks: Vec<_> = neutrals.iter().map(|e| e.r#type().shape().len()).collect();
    let is_regular = ranks.iter().all(|&rank| rank > 0 && rank == ranks[0]);
    let mut known = body.arg_list().iter().map(ValExt::key).collect();
    let group = Group::only(op);
    if !is_regular || group.has_empty() || !group.has_operator() || !by_element(body, &mut known) {
        return Ok(false);
    }
    let b = Builder::before(context, op, block).deriving(op);
    let rows = Rows { inputs: &inputs, neutrals: &neutrals, body };
    let own: Vec<_> = neutrals.iter().copied().filter(|&e| everywhere(e).is_none()).collect();
    let results = elements(&b, &rows, &own, &mut vec![])?;
    let results = results.into_iter().zip(op.result_list());
    let cast = |(new, old): (Val<'c>, Val<'c>)| {
        if new.r#type() == old.r#type() { new } else { b.cast(new, old.r#type()) }
    };
    replace(op, &results.map(cast).collect::<Vec<_>>());
    Ok(true)
}

/// Whether all operations of an operator work element by element on arrays that are known to be of the operator.
pub fn by_element<'c>(block: Blk<'c>, known: &mut HashSet<ValueKey>) -> bool {
    let is_known = |known: &HashSet<ValueKey>, value: &Val<'c>| {
        value.r#type().as_tensor().is_none() || known.contains(&value.key())
    };
    for op in block.body_ops() {
        let name = op.op_name();
        let is_number = name.starts_with("arith.") || name.starts_with("math.");
        let fits = match op.body(0) {
            Some(body) if name == "soac.map" && input_count(op) == op.operand_count() => {
                known.extend(body.arg_list().iter().map(ValExt::key));
                by_element(body, known)
            }
            None => is_number && (op.operand_count() > 0 || op.result_list().iter().all(is_scalar)),
            _ => false,
        };
        if !fits || !op.operand_list().iter().all(|operand| is_known(known, operand)) {
            return false;
        }
        known.extend(op.result_list().iter().map(ValExt::key));
    }
    block.ends().iter().all(|end| is_known(known, end))
}

fn is_scalar(value: &Val<'_>) -> bool {
    value.r#type().as_tensor().is_none()
}

/// What is reduced.
struct Rows<'a, 'c> {
    inputs: &'a [Val<'c>],
    neutrals: &'a [Val<'c>],
    body: Blk<'c>,
}

/// The maps over the dimensions that are left, for one index of each of the others; `own` is what is there of the neutral
/// elements that are not one number everywhere.
fn elements<'c>(
    b: &Builder<'c>,
    rows: &Rows<'_, 'c>,
    own: &[Val<'c>],
    at: &mut Vec<Val<'c>>,
) -> Result<Vec<Val<'c>>> {
    let first = rows.neutrals[0];
    let d = at.len();
    let Some(&size) = first.r#type().shape().get(d) else { return column(b, rows, own, at) };
    let numbers = b.iota(b.dim(first, d), size);
    let r#type = |e: &Val<'c>| tensor_type(&e.r#type().shape()[d..], e.r#type().scalar());
    let types: Vec<_> = rows.neutrals.iter().map(r#type).collect();
    b.map(&[&[numbers], own].concat(), &[], &types, |b, arguments| {
        at.push(arguments[0]);
        elements(&b, rows, &arguments[1..], at)
    })
}

/// The reduction of one element of all arrays.
fn column<'c>(
    b: &Builder<'c>,
    rows: &Rows<'_, 'c>,
    own: &[Val<'c>],
    at: &[Val<'c>],
) -> Result<Vec<Val<'c>>> {
    let mut own = own.iter().copied();
    let neutrals = rows.neutrals.iter().filter_map(|&e| everywhere(e).or_else(|| own.next()));
    let neutrals: Vec<_> = neutrals.collect();
    let size = rows.inputs.first().map_or(0, |input| input.r#type().shape()[0]);
    let types: Vec<_> = neutrals.iter().map(|e| array_of(size, e.r#type())).collect();
    let columns = b.map(rows.inputs, &[], &types, |b, rows| {
        Ok(rows.iter().map(|&row| b.extract(row, at)).collect())
    })?;
    b.reduce(&columns, &neutrals, |b, arguments| {
        let own = rows.body.arg_list();
        let names = own.iter().map(ValExt::key).zip(arguments.iter().copied());
        let mut names = names.collect();
        Ok(element(&b, rows.body, &mut names))
    })
}

/// What an operator ends with for one element, where arrays are named by theirs.
pub fn element<'c>(b: &Builder<'c>, block: Blk<'c>, names: &mut ValueMap<'c>) -> Vec<Val<'c>> {
    for op in block.body_ops() {
        let operands: Vec<_> =
            op.operand_list().into_iter().map(|operand| renamed(names, operand)).collect();
        let results = match op.body(0) {
            Some(body) => {
                names.extend(body.arg_list().iter().map(ValExt::key).zip(operands));
                element(b, body, names)
            }
            None => {
                let results = op.result_list();
                let types: Vec<_> = results.iter().map(|result| result.r#type().scalar()).collect();
                clone_with(b, op, &operands, &types).result_list()
            }
        };
        names.extend(op.result_list().iter().map(ValExt::key).zip(results));
    }
    block.ends().into_iter().map(|end| renamed(names, end)).collect()
}
