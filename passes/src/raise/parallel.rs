//! Raises `scf.parallel`.
//!
//! `scf.parallel` becomes one `soac.map` per dimension, with a `soac.reduce` of each
//! result where the operator has a known neutral element; with any other operator it
//! becomes a nest of `scf.for`, in the order of the iterations.
//!
//! ```text
//! r = parallel (i) = (lb) to (ub) step (s) init (r0): reduce v(i) with op
//!   becomes   r = op(r0, reduce op e (map (\\k -> v(lb + k s)) (iota n)))
//!   or        r = loop (r) = (r0) for i do op(r, v(i))
//! ```

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, Val, ValExt, array_of};
use melior::ir::ValueLike;

use crate::support::{
    bounds::{Bounds, induction_variable, nest_of_loops, trip_count},
    builder::Builder,
    diag::{Result, internal_error},
    region::{copy_block, is_of_values},
};

/// Builds maps and reductions, or loops, for an `scf.parallel`, before it; none for one
/// without results, which works by side effects.
pub fn parallel<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let Some(nest) = Parallel::new(op)?.filter(|nest| !nest.inits.is_empty()) else {
        return Ok(None);
    };
    let neutrals: Option<Vec<_>> = nest.operators.iter().map(|block| neutral(b, *block)).collect();
    let Some(neutrals) = neutrals else { return nest.in_order(b).map(Some) };
    let reduced = nest.reduced(b, &mut vec![], &neutrals)?;
    Ok(Some(nest.combine(b, &nest.inits, &reduced)))
}

/// Builds loops for an `scf.parallel`, before it. One-shot bufferisation does not know that
/// its body runs more than once, and would have all iterations write to one buffer.
pub fn in_order<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    Parallel::new(op)?.map(|nest| nest.in_order(b)).transpose()
}

/// Builds maps and reductions for an `scf.parallel` that is to become kernels, or an `scf.forall` if it has no results; none if
/// its iterations have effects beside their results, or operators without neutral elements.
pub fn in_kernels<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let Some(nest) = Parallel::new(op)? else { return Ok(None) };
    if !nest.inits.is_empty() {
        return if is_of_values(op) { parallel(b, op) } else { Ok(None) };
    }
    let rank = nest.bounds.len();
    let unknown = b.i64s_attr(&vec![DYNAMIC; rank]);
    let count = rank as i32;
    let attributes = [
        ("staticLowerBound", unknown),
        ("staticUpperBound", unknown),
        ("staticStep", unknown),
        ("operandSegmentSizes", b.i32s_attr(&[count, count, count, 0])),
    ];
    let arguments = vec![b.index_type(); rank];
    let made = b.op_with("scf.forall", &op.operand_list(), &[], &attributes, &[arguments]);
    let Some(body) = made.body(0) else { return Ok(None) };
    let inner = b.into_block(body);
    copy_block(&inner, nest.body, &body.arg_list());
    inner.op_with("scf.forall.in_parallel", &[], &[], &[], &[vec![]]);
    Ok(Some(vec![]))
}

/// The parts of an `scf.parallel`.
struct Parallel<'c> {
    body: Blk<'c>,
    bounds: Vec<Bounds<'c>>,
    inits: Vec<Val<'c>>,
    operators: Vec<Blk<'c>>,
}

impl<'c> Parallel<'c> {
    fn new(op: Op<'c>) -> Result<Option<Self>> {
        let (Some(body), operands) = (op.body(0), op.operand_list()) else { return Ok(None) };
        let rank = body.arg_list().len();
        let Some(reduce) = body.term() else {
            return Err(internal_error(op, "loop without terminator"));
        };
        if operands.len() != 3 * rank + op.result_list().len() {
            return Ok(None);
        }
        let bounds =
            (0..rank).map(|d| [operands[d], operands[rank + d], operands[2 * rank + d]]).collect();
        let inits = operands[3 * rank..].to_vec();
        Ok(Some(Self { body, bounds, inits, operators: reduce.blocks() }))
    }

    /// A nest of loops that carries the results.
    fn in_order(&self, b: &Builder<'c>) -> Result<Vec<Val<'c>>> {
        nest_of_loops(b, &self.bounds, &mut vec![], &self.inits, &mut |b, ivs, carried| {
            let values = copy_block(b, self.body, ivs);
            Ok(self.combine(b, carried, &values))
        })
    }

    /// The operators applied to two lists of values.
    fn combine(&self, b: &Builder<'c>, left: &[Val<'c>], right: &[Val<'c>]) -> Vec<Val<'c>> {
        let pairs = left.iter().zip(right);
        let apply = |(block, (&l, &r)): (&Blk<'c>, (&Val<'c>, &Val<'c>))| {
            copy_block(b, *block, &[l, r]).first().copied().unwrap_or(l)
        };
        self.operators.iter().zip(pairs).map(apply).collect()
    }

    /// The reductions over the dimensions from number `ivs.len()` on.
    fn reduced(
        &self,
        b: &Builder<'c>,
        ivs: &mut Vec<Val<'c>>,
        neutrals: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let Some(range) = self.bounds.get(ivs.len()) else {
            return Ok(copy_block(b, self.body, ivs));
        };
        let iota = b.iota(trip_count(b, range), DYNAMIC);
        let types: Vec<_> = neutrals.iter().map(|e| array_of(DYNAMIC, e.r#type())).collect();
        let arrays = b.map(&[iota], &[], &types, |b, arguments| {
            ivs.push(induction_variable(&b, range, arguments[0]));
            let values = self.reduced(&b, ivs, neutrals);
            ivs.pop();
            values
        })?;
        let mut results = vec![];
        for ((array, &neutral), operator) in
            arrays.iter().zip(neutrals).zip(self.operators.iter().copied())
        {
            results.extend(b.reduce(&[*array], &[neutral], |b, arguments| {
                Ok(copy_block(&b, operator, arguments))
            })?);
        }
        Ok(results)
    }
}

/// The neutral element of an operator that is one commutative operation.
fn neutral<'c>(b: &Builder<'c>, operator: Blk<'c>) -> Option<Val<'c>> {
    let ops = operator.body_ops();
    let ([op], arguments) = (&ops[..], operator.arg_list()) else { return None };
    let end = operator.term()?;
    let mut operands: Vec<_> = op.operand_list().iter().map(ValExt::key).collect();
    let mut both: Vec<_> = arguments.iter().map(ValExt::key).collect();
    operands.sort_unstable();
    both.sort_unstable();
    if operands != both || end.opnd(0)?.key() != op.res(0)?.key() {
        return None;
    }
    super::neutral::neutral(b, op.op_name(), arguments.first()?.r#type())
}
