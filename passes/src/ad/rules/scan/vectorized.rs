//! Turns `soac.scan` of an operator that combines rows element by element into a map of
//! scans over the columns, before it is differentiated in reverse mode.
//!
//! Differentiates: nothing by itself; the rules for maps and for scans of elements do.
//! Primal: `ys = scan (map (op)) es as`
//! Forward sweep and return sweep: those of
//! ```text
//! ys = transpose (map (\as e -> scan (op) e as) (transpose as) es)
//! ```
//! Source: [FUT 5.2], the rule for vectorised operators. Components that are not rows
//! (a flag, a factor that all columns share) are free in the map and scanned with every
//! column; a scan of their own gives their results.
//! Requires: the rows have one length.
//! Ensures: work of the primal, and span O(log n) where the scans of the columns have
//! it; rows of rank r take r steps. The sum is left to `add`, which needs no transpose.
//! Edge cases: no columns, no rows: nothing is read. Forward mode keeps the scan of rows.
//! Tests: test/ad/vjp/scan-vectorized.mlir, test/ad/numeric/scan-vectorized.mlir.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, array_of};
use melior::ir::ValueLike;

use super::{
    super::{
        elementwise::Elementwise,
        reduce::{inputs, neutrals},
    },
    flags, is_sum,
};
use crate::support::{builder::Builder, diag::Result};

/// The map of scans that a scan of rows stands for; none if it is not elementwise.
pub fn interchange<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    if is_sum(op) {
        return Ok(None);
    }
    let Some(operator) = op.body(0).and_then(Elementwise::of) else { return Ok(None) };
    let plan = Plan { op, operator, inputs: inputs(op), neutrals: neutrals(op) };
    let mut rows = plan.rows(b)?.into_iter();
    let mut others = plan.others(b)?.into_iter();
    let pick = plan.operator.is_row.iter();
    Ok(Some(pick.filter_map(|&row| if row { rows.next() } else { others.next() }).collect()))
}

/// The scan taken apart.
struct Plan<'c> {
    op: Op<'c>,
    operator: Elementwise<'c>,
    inputs: Vec<Val<'c>>,
    neutrals: Vec<Val<'c>>,
}

impl<'c> Plan<'c> {
    /// The components that are rows (or are not) among a list with one per component.
    fn pick(&self, list: &[Val<'c>], row: bool) -> Vec<Val<'c>> {
        let pairs = list.iter().zip(&self.operator.is_row);
        pairs.filter(|&(_, &is_row)| is_row == row).map(|(&value, _)| value).collect()
    }

    /// The results that are rows.
    fn rows(&self, b: &Builder<'c>) -> Result<Vec<Val<'c>>> {
        let rows = self.pick(&self.inputs, true);
        let (n, m) = (b.dim(rows[0], 0), b.dim(rows[0], 1));
        let columns = rows.iter().map(|&array| transpose(b, array, [n, m]));
        let columns: Vec<_> = columns.collect::<Result<_>>()?;
        let starts = self.pick(&self.neutrals, true);
        let types: Vec<_> = columns.iter().map(|array| array.r#type()).collect();
        let inputs = [&columns[..], &starts, &self.operator.outside].concat();
        let results = b.map(&inputs, &[], &types, |b, elements| {
            let (columns, elements) = elements.split_at(types.len());
            let (starts, outside) = elements.split_at(types.len());
            let inputs = self.merge(columns, &self.inputs);
            let neutrals = self.merge(starts, &self.neutrals);
            let scanned = b.scan(&inputs, &neutrals, &flags(self.op), |b, operands| {
                Ok(self.operator.apply(&b, operands, outside))
            })?;
            Ok(self.pick(&scanned, true))
        })?;
        results.into_iter().map(|array| transpose(b, array, [m, n])).collect()
    }

    /// A list with one value per component, from those of the rows and, for the others,
    /// those of the whole scan.
    fn merge(&self, rows: &[Val<'c>], all: &[Val<'c>]) -> Vec<Val<'c>> {
        let mut rows = rows.iter().copied();
        let pairs = all.iter().zip(&self.operator.is_row);
        pairs
            .filter_map(|(&value, &is_row)| if is_row { rows.next() } else { Some(value) })
            .collect()
    }

    /// The results that are not rows.
    fn others(&self, b: &Builder<'c>) -> Result<Vec<Val<'c>>> {
        let inputs = self.pick(&self.inputs, false);
        if inputs.is_empty() {
            return Ok(vec![]);
        }
        let neutrals = self.pick(&self.neutrals, false);
        b.scan(&inputs, &neutrals, &flags(self.op), |b, operands| {
            Ok(self.operator.apply_uniform(&b, operands))
        })
    }
}

/// The array of the given outer sizes with its two outer dimensions exchanged, as maps
/// that read elements: the adjoint adds elements, whatever the array is.
fn transpose<'c>(b: &Builder<'c>, array: Val<'c>, sizes: [Val<'c>; 2]) -> Result<Val<'c>> {
    let full = array.r#type();
    let (rows, columns, element) = (full.shape()[0], full.shape()[1], full.row().row());
    let column = array_of(rows, element);
    let outer = b.iota(sizes[1], columns);
    let inner = b.iota(sizes[0], rows);
    let results = b.map(&[outer], &[], &[array_of(columns, column)], |b, j| {
        b.map(&[inner], &[], &[column], |b, i| Ok(vec![element_at(&b, array, i[0], j[0])]))
    })?;
    Ok(results[0])
}

/// The element of an array at two indices, which may be an array.
fn element_at<'c>(b: &Builder<'c>, array: Val<'c>, i: Val<'c>, j: Val<'c>) -> Val<'c> {
    let full = array.r#type();
    let rank = full.shape().len();
    if rank == 2 {
        return b.extract(array, &[i, j]);
    }
    let mut offsets = vec![0; rank];
    let mut sizes = full.shape();
    (offsets[0], offsets[1]) = (DYNAMIC, DYNAMIC);
    (sizes[0], sizes[1]) = (1, 1);
    let dims = (2..rank).filter(|&k| sizes[k] == DYNAMIC).map(|k| b.dim(array, k));
    let dims: Vec<_> = dims.collect();
    let operands = [&[array, i, j], &dims[..]].concat();
    let segments = [1, 2, dims.len() as i32, 0];
    let statics = [offsets, sizes, vec![1; rank]];
    b.slice_op("tensor.extract_slice", &operands, full.row().row(), &statics, &segments)
}
