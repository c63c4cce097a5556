//! Reductions of arrays by an operator that works element by element become maps of reductions of numbers:
//!
//! ```text
//! reduce (map2 op) es xss  ==>  map (\j e -> reduce op e (map (\xs -> xs[j]) xss)) [0, 1, ..] es
//! ```
//! Where there are many rows and few columns, and the order of rows does not matter, threads combine every S-th row first,
//! each in one column, so that there are enough of them, and neighbours read neighbours in memory:
//!
//! ```text
//! reduce (map2 op) es xss  ==>  reduce (map2 op) es (map (\s -> reduce (map2 op) es [xss[s], xss[s + S], ..]) [0 .. S - 1])
//! ```

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, array_of, tensor_type};
use melior::{Context, ir::ValueLike};

use super::{
    distribute::{THREADS, WHOLE, decide},
    reduce::commutes,
};
use crate::{
    parallelize::group::Group,
    support::{
        builder::{Builder, CMP_SGT},
        combinator::inputs_and_rest,
        diag::Result,
        elementwise::{by_element, element, everywhere},
        region::replace,
    },
};

/// So many threads are wanted for a reduction: two for each of a large GPU that can run at once.
const WANTED: i64 = 1 << 16;
/// How many rows a thread combines at least, where they are shared out.
const ROWS: i64 = 8;

/// Rewrites the reductions in a block that runs on the host.
pub fn rewrite<'c>(context: &'c Context, block: Blk<'c>) -> Result<()> {
    block.body_ops().into_iter().try_for_each(|op| become_maps(context, block, op, true))
}

/// Rewrites the reductions in the body of a map.
pub fn rewrite_inside<'c>(context: &'c Context, body: Blk<'c>) -> Result<()> {
    body.body_ops().into_iter().try_for_each(|op| become_maps(context, body, op, false))
}

/// Rewrites a reduction; `may_share` says whether its rows may be shared out.
fn become_maps<'c>(
    context: &'c Context,
    block: Blk<'c>,
    op: Op<'c>,
    may_share: bool,
) -> Result<()> {
    let Some(body) = op.body(0).filter(|_| op.op_name() == "soac.reduce") else {
        return Ok(());
    };
    let (inputs, neutrals) = inputs_and_rest(op);
    let ranks: Vec<_> = neutrals.iter().map(|e| e.r#type().shape().len()).collect();
    let is_regular = ranks.iter().all(|&rank| rank > 0 && rank == ranks[0]);
    let mut known = body.arg_list().iter().map(ValExt::key).collect();
    let group = Group::only(op);
    if !is_regular || group.has_empty() || !group.has_operator() || !by_element(body, &mut known) {
        return Ok(());
    }
    let b = Builder::before(context, op, block).deriving(op);
    let rows = Rows { inputs: &inputs, neutrals: &neutrals, body, every: None };
    // What is computed for the reduction alone is not to be stored.
    let is_stored = |input: &Val<'c>| {
        input
            .defining_op()
            .is_none_or(|made| made.op_name() != "soac.map" || input.users().len() > 1)
    };
    let results = if may_share && commutes(op, body) && inputs.iter().all(is_stored) {
        shared_out(&b, &rows)?
    } else {
        rows.reduce(&b)?
    };
    let results = results.into_iter().zip(op.result_list());
    let cast = |(new, old): (Val<'c>, Val<'c>)| {
        if new.r#type() == old.r#type() { new } else { b.cast(new, old.r#type()) }
    };
    replace(op, &results.map(cast).collect::<Vec<_>>());
    Ok(())
}

/// The reduction of rows that are shared out if that makes more threads.
fn shared_out<'c>(b: &Builder<'c>, rows: &Rows<'_, 'c>) -> Result<Vec<Val<'c>>> {
    let (first, like) = (rows.inputs[0], rows.neutrals[0]);
    let sizes = (0..like.r#type().shape().len()).map(|d| b.dim(like, d));
    let columns = sizes.fold(b.index(1), |product, size| b.mul(product, size));
    let wanted =
        b.same("arith.divui", &[b.index(WANTED), b.same("arith.maxsi", &[columns, b.index(1)])]);
    let possible = b.same("arith.divui", &[b.dim(first, 0), b.index(ROWS)]);
    let count = b.same("arith.minsi", &[wanted, possible]);
    let several = b.compare(CMP_SGT, count, b.index(1));
    let types: Vec<_> = rows.neutrals.iter().map(|e| e.r#type()).collect();
    // Neither few rows nor those of parts are many.
    let whole = |made: Vec<Val<'c>>| {
        decide(b.context(), &made, WHOLE);
        made
    };
    let made = b.if_else(several, &types, |b, several| {
        if !several {
            return Ok(whole(rows.reduce(&b)?));
        }
        let types: Vec<_> = types.iter().map(|&row| array_of(DYNAMIC, row)).collect();
        let parts = b.map(&[b.iota(count, DYNAMIC)], &[], &types, |b, number| {
            Rows { every: Some([number[0], count]), ..*rows }.reduce(&b)
        })?;
        decide(b.context(), &parts, THREADS);
        Ok(whole(Rows { inputs: &parts, ..*rows }.reduce(&b)?))
    })?;
    Ok(made.result_list())
}

/// What is reduced.
struct Rows<'a, 'c> {
    inputs: &'a [Val<'c>],
    neutrals: &'a [Val<'c>],
    body: Blk<'c>,
    /// The first row and the distance of the next one, if it is not all of them.
    every: Option<[Val<'c>; 2]>,
}

impl<'c> Rows<'_, 'c> {
    fn reduce(&self, b: &Builder<'c>) -> Result<Vec<Val<'c>>> {
        let own = self.neutrals.iter().copied().filter(|&e| everywhere(e).is_none());
        elements(b, self, &own.collect::<Vec<_>>(), &mut vec![])
    }
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
    let columns = match rows.every {
        None => {
            let size = rows.inputs.first().map_or(0, |input| input.r#type().shape()[0]);
            let types: Vec<_> = neutrals.iter().map(|e| array_of(size, e.r#type())).collect();
            b.map(rows.inputs, &[], &types, |b, rows| {
                Ok(rows.iter().map(|&row| b.extract(row, at)).collect())
            })?
        }
        Some([first, distance]) => {
            let left = b.sub(b.dim(rows.inputs[0], 0), first);
            let numbers = b.iota(b.same("arith.ceildivsi", &[left, distance]), DYNAMIC);
            let types: Vec<_> = neutrals.iter().map(|e| array_of(DYNAMIC, e.r#type())).collect();
            b.map(&[numbers], &[], &types, |b, number| {
                let row = b.add(first, b.mul(number[0], distance));
                let at = [&[row], at].concat();
                Ok(rows.inputs.iter().map(|&input| b.extract(input, &at)).collect())
            })?
        }
    };
    b.reduce(&columns, &neutrals, |b, arguments| {
        let own = rows.body.arg_list();
        let names = own.iter().map(ValExt::key).zip(arguments.iter().copied());
        let mut names = names.collect();
        Ok(element(&b, rows.body, &mut names))
    })
}
