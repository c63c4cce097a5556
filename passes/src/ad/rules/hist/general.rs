//! Differentiates: `soac.hist` with any associative operator.
//!
//! Primal: `hs = hist (op) e is vs dest`; with `l_i` the destination's element and the
//! values of the bin before i, and `r_i` those after, `hs[b] = (l_i op v_i) op r_i`
//! Forward sweep: the hist itself; before it, the destination's elements that it
//! combines are read: `ds = gather dest is`
//! Return sweep:
//! ```text
//! ps, first, last = positions in range ordered by bin, where bins begin and end
//! ls = scan (segmented op) (map (\j -> if first[j] then ds[ps[j]] else vs[ps[j-1]]))
//! rs = reversed scan (segmented op) (map (\j -> if last[j] then e else vs[ps[j+1]]))
//! l_bars, v_bars = map (\p l r -> the two steps of reduce/general.rs at hs_bar[is[p]]) ps ls rs
//! vs_bar += scatter zeros ps v_bars
//! dest_bar += scatter hs_bar (where first: is[ps]) l_bars
//! ```
//! Source: [FUT 5.1.2], which leaves the implementation open; the contribution of one
//! element is that of [FUT 5.1].
//! Requires: the operator is associative, `e` its neutral element.
//! Ensures: O(m log bins) work and O(log m log bins) depth for m values, from the radix
//! sort, and nothing of the size of the destination.
//! Edge cases: an ignored value gets zero and takes no part in anything else; an empty
//! bin hands on its cotangent; e gets nothing, for the destination takes its place.
//! Tests: test/ad/jvp/hist-general.mlir, test/ad/vjp/hist-general.mlir,
//! test/ad/numeric/hist-general.mlir, test/ad/numeric/hist-nested.mlir.

use ad_dialect::ir::{Blk, DYNAMIC, Op, OpExt, TyExt, Val, array_of, tensor_type};
use melior::ir::{Type, ValueLike};

use super::{hist_flows, hist_jvp};
use crate::{
    ad::{
        activity::Flows,
        jvp::Jvp,
        rules::{
            Rule,
            reduce::general::{apply, contribution},
        },
        vjp::Vjp,
    },
    support::{
        builder::{Builder, CMP_EQ, Order},
        diag::{Result, internal_error},
        update::Update,
    },
};

/// The rule for any associative operator.
pub struct HistGeneral;

impl Rule for HistGeneral {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        hist_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        hist_jvp(op, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(body), Some(copy)) = (op.body(0), vjp.copy_of(op)) else {
            return Err(internal_error(op, "hist without forward sweep"));
        };
        let (source, update) = (Update::of(op), Update::of(copy));
        let h_bars: Vec<_> = op.result_list().into_iter().map(|h| vjp.cotangents.take(h)).collect();
        let b = vjp.b;
        let held = held_elements(&Builder::before(b.context(), copy, b.block()), &update)?;
        let bins = Bins::of(&b, &update)?;
        let ls = bins.lefts(vjp, body, &update, &held)?;
        let rs = bins.rights(vjp, body, &update)?;
        let is_active = |list: &[Val<'c>], vjp: &Vjp<'_, 'c>| -> Vec<usize> {
            (0..list.len()).filter(|&k| vjp.is_active(list[k])).collect()
        };
        let (dests, inputs) = (is_active(&source.dests, vjp), is_active(&source.inputs, vjp));
        let types: Vec<Type<'c>> = (dests.iter().chain(&inputs))
            .map(|&k| array_of(DYNAMIC, update.neutrals[k].r#type()))
            .collect();
        let free = vjp.active_free_values(&[body]);
        let columns = [vec![bins.order.positions], ls, rs].concat();
        let bars = vjp.adjoint_map(&columns, &types, &free, |vjp, row| {
            let (l, r) = row[1..].split_at(update.inputs.len());
            let b = vjp.b;
            let a: Vec<_> = update.inputs.iter().map(|&array| b.row(array, row[0])).collect();
            let (indices, _) = b.in_range(&bins.indices_of(&b, row[0]), update.dests[0]);
            let element = |h_bar: Val<'c>| b.element(h_bar, &indices);
            let y_bars: Vec<_> = h_bars.iter().map(|bar| bar.map(element)).collect();
            Ok(contribution(vjp, body, [l, &a, r], &y_bars, &free, [&dests, &inputs])?.concat())
        })?;
        let (l_bars, v_bars) = bars.split_at(dests.len());
        for (k, &v_bar) in inputs.into_iter().zip(v_bars) {
            let zeros = b.zeros_like(update.inputs[k]);
            let all = b.scatter(&[bins.order.positions], &[v_bar], &[zeros]);
            vjp.add_dense(source.inputs[k], all[0])?;
        }
        let firsts = bins.indices_of_first(&b)?;
        for (k, &l_bar) in dests.into_iter().zip(l_bars) {
            let rest = h_bars[k].unwrap_or_else(|| b.zeros_like(update.dests[k]));
            let dest_bar = b.scatter(&firsts, &[l_bar], &[rest]);
            vjp.add_dense(source.dests[k], dest_bar[0])?;
        }
        Ok(())
    }
}

/// For each value, the element of the destination that it is combined with. Read in
/// the forward sweep: afterwards the destination may have been overwritten.
fn held_elements<'c>(b: &Builder<'c>, update: &Update<'c>) -> Result<Vec<Val<'c>>> {
    let pairs = update.dests.iter().zip(&update.inputs);
    pairs.map(|(&dest, input)| b.gather(dest, &update.at, input.r#type(), None)).collect()
}

/// The values that are in range, in the order of their bins.
struct Bins<'c> {
    at: Vec<Val<'c>>,
    order: Order<'c>,
    /// Whether a bin begins, and whether it ends, with each value.
    first: Val<'c>,
    last: Val<'c>,
}

impl<'c> Bins<'c> {
    fn of(b: &Builder<'c>, update: &Update<'c>) -> Result<Self> {
        let order = b.order_by_bin(&update.at, update.dests[0])?;
        let count = b.dim(order.bins, 0);
        let flags = tensor_type(&[DYNAMIC], b.bool_type());
        let numbers = b.iota(count, DYNAMIC);
        let ends = b.map(&[numbers, order.bins], &[], &[flags, flags], |b, args| {
            let [j, bin] = *args else { return Ok(vec![]) };
            // The neighbour of the value at either end is itself.
            let (before, after) = (b.index_before(j), b.index_after(j, count));
            let differs = |neighbour| {
                let other = b.row(order.bins, neighbour);
                let at_end = b.compare(CMP_EQ, neighbour, j);
                b.same("arith.ori", &[b.not(b.compare(CMP_EQ, other, bin)), at_end])
            };
            Ok(vec![differs(before), differs(after)])
        })?;
        Ok(Self { at: update.at.clone(), order, first: ends[0], last: ends[1] })
    }

    /// For each value, what is on its left in its bin.
    fn lefts(
        &self,
        vjp: &mut Vjp<'_, 'c>,
        body: Blk<'c>,
        update: &Update<'c>,
        held: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let b = vjp.b;
        let numbers = b.iota(b.dim(self.order.bins, 0), DYNAMIC);
        let inputs = [numbers, self.order.positions, self.first];
        let starts = b.map(&inputs, &[], &rows_of(update), |b, args| {
            let [j, position, first] = *args else { return Ok(vec![]) };
            let before = b.row(self.order.positions, b.index_before(j));
            let pairs = held.iter().zip(&update.inputs);
            let start = |(&held, &values): (&Val<'c>, &Val<'c>)| {
                b.select(first, b.row(held, position), b.row(values, before))
            };
            Ok(pairs.map(start).collect())
        })?;
        segmented_scan(vjp, body, self.first, &starts, &update.neutrals, &[])
    }

    /// For each value, what is on its right in its bin.
    fn rights(
        &self,
        vjp: &mut Vjp<'_, 'c>,
        body: Blk<'c>,
        update: &Update<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let b = vjp.b;
        let count = b.dim(self.order.bins, 0);
        let inputs = [b.iota(count, DYNAMIC), self.last];
        let starts = b.map(&inputs, &[], &rows_of(update), |b, args| {
            let [j, last] = *args else { return Ok(vec![]) };
            let after = b.row(self.order.positions, b.index_after(j, count));
            let pairs = update.neutrals.iter().zip(&update.inputs);
            Ok(pairs.map(|(&e, &values)| b.select(last, e, b.row(values, after))).collect())
        })?;
        segmented_scan(vjp, body, self.last, &starts, &update.neutrals, &["reverse"])
    }

    /// The indices of the value at a position before the sort.
    fn indices_of(&self, b: &Builder<'c>, position: Val<'c>) -> Vec<Val<'c>> {
        self.at.iter().map(|&array| b.row(array, position)).collect()
    }

    /// The indices of the first value of each bin; for the others, one that is out of
    /// range.
    fn indices_of_first(&self, b: &Builder<'c>) -> Result<Vec<Val<'c>>> {
        let types: Vec<_> =
            self.at.iter().map(|at| tensor_type(&[DYNAMIC], at.r#type().scalar())).collect();
        b.map(&[self.order.positions, self.first], &[], &types, |b, args| {
            let [position, first] = *args else { return Ok(vec![]) };
            let indices = self.indices_of(&b, position).into_iter();
            Ok(indices.map(|i| b.select(first, i, b.int_like(i, -1))).collect())
        })
    }
}

/// The types of arrays with one element of the operator's type per value in range.
fn rows_of<'c>(update: &Update<'c>) -> Vec<Type<'c>> {
    update.neutrals.iter().map(|e| array_of(DYNAMIC, e.r#type())).collect()
}

/// An inclusive scan that starts anew wherever a flag is set: the operator on pairs of
/// a flag and a tuple.
fn segmented_scan<'c>(
    vjp: &mut Vjp<'_, 'c>,
    body: Blk<'c>,
    flags: Val<'c>,
    arrays: &[Val<'c>],
    neutrals: &[Val<'c>],
    direction: &[&str],
) -> Result<Vec<Val<'c>>> {
    let b = vjp.b;
    let inputs = [&[flags], arrays].concat();
    let starts = [&[b.truth(false)], neutrals].concat();
    let scanned = b.scan(&inputs, &starts, direction, |inner, arguments| {
        let (x, y) = arguments.split_at(inputs.len());
        // The one that comes later in the direction of the scan.
        let late = if direction.is_empty() { y } else { x };
        let flag = inner.same("arith.ori", &[x[0], y[0]]);
        let types: Vec<_> = neutrals.iter().map(|e| e.r#type()).collect();
        let combined = inner.if_else(late[0], &types, |inner, begins| {
            if begins {
                return Ok(late[1..].to_vec());
            }
            vjp.at(inner, |vjp| apply(vjp, body, &x[1..], &y[1..]))
        })?;
        Ok([vec![flag], combined.result_list()].concat())
    })?;
    Ok(scanned[1..].to_vec())
}
