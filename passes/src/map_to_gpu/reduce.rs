//! Reductions: each thread combines a part, then the threads of a block combine what they have in shared memory, then
//! one block combines what the blocks have.
//!
//! An operator that is known to commute lets neighbouring threads read neighbouring elements; any other one combines
//! neighbouring elements first, so that their order stays.

use ad_dialect::ir::{Blk, Op, OpExt, TyExt, Val, array_of};
use melior::ir::{Attribute, ValueLike};

use super::{
    BLOCK, Mapped,
    atomic::kinds,
    one_kernel,
    rows::{Elements, row_of},
};
use crate::{
    ad::rules::operator::Operator,
    parallelize::{
        chunk::{Chunk, Group, forall_on, inputs_and_rest, per_chunk},
        rows::width_of,
        size::Size,
    },
    support::{builder::Builder, diag::Result, region::copy_block},
};

/// The most blocks: enough for every multiprocessor to have several, few enough for one block to combine.
const BLOCKS: i64 = 1024;
/// How many elements a thread combines at least, if there are as many.
const PER_THREAD: i64 = 4;

/// `soac.reduce` of scalars.
pub fn reduce<'c>(b: &Builder<'c>, group: &Group<'c>) -> Mapped<'c> {
    let (inputs, neutrals) = inputs_and_rest(group.op);
    let Some(body) = group.op.body(0) else { return Ok(None) };
    let is_scalar = |value: &Val<'c>| value.r#type().as_tensor().is_none();
    if !neutrals.iter().all(is_scalar) || !group.has_operator() {
        return Ok(None);
    }
    let operator = Combine { body, neutrals: &neutrals, commutes: commutes(group.op, body) };
    let width = width_of(b, group);
    let partial = match width {
        Size::Known(n) if n <= BLOCK * PER_THREAD => {
            operator.blocks(b, group, &inputs, width, Size::Known(1))?
        }
        _ => {
            let per_block = b.index(BLOCK * PER_THREAD);
            let wanted = b.same("arith.ceildivsi", &[width.value(b), per_block]);
            let some = b.same("arith.maxsi", &[wanted, b.index(1)]);
            let count = Size::Value(b.same("arith.minsi", &[some, b.index(BLOCKS)]));
            let partial = operator.blocks(b, group, &inputs, width, count)?;
            operator.blocks(b, &Group::only(group.op), &partial, count, Size::Known(1))?
        }
    };
    Ok(Some(partial.into_iter().map(|all| b.extract(all, &[b.index(0)])).collect()))
}

/// Whether the order of the operands does not matter.
fn commutes(op: Op<'_>, body: Blk<'_>) -> bool {
    let is_one = |known: Option<Operator<'_>>| known.is_some_and(|known| known.is_one_operation());
    kinds(op).is_some() || Operator::components(body).into_iter().all(is_one)
}

/// An operator on tuples of scalars.
struct Combine<'a, 'c> {
    body: Blk<'c>,
    neutrals: &'a [Val<'c>],
    commutes: bool,
}

impl<'c> Combine<'_, 'c> {
    fn apply(&self, b: &Builder<'c>, left: &[Val<'c>], right: &[Val<'c>]) -> Vec<Val<'c>> {
        copy_block(b, self.body, &[left, right].concat())
    }

    /// What each of some blocks combines its part of the arrays to.
    fn blocks(
        &self,
        b: &Builder<'c>,
        group: &Group<'c>,
        inputs: &[Val<'c>],
        width: Size<'c>,
        count: Size<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let shared: Vec<_> = self.neutrals.iter().map(|&like| per_chunk(b, count, like)).collect();
        let threads = count.times(b, Size::Known(BLOCK));
        forall_on(b, count, &shared, one_kernel(b), |b, block, shared| {
            let zero = b.index(0);
            let first = b.mul(block, b.index(BLOCK));
            let own: Vec<_> =
                self.neutrals.iter().map(|n| b.empty(array_of(BLOCK, n.r#type()), &[])).collect();
            let mut own = forall_on(b, Size::Known(BLOCK), &own, mapping(b), |b, t, own| {
                let number = b.add(first, t);
                let values = self.part(b, group, inputs, width, number, threads)?;
                Ok(values.into_iter().zip(own).map(|(v, &own)| row_of(b, own, v, t)).collect())
            })?;
            let mut half = BLOCK / 2;
            while half > 0 {
                let (step, distance) =
                    if self.commutes { (1, half) } else { (BLOCK / half, BLOCK / half / 2) };
                own = forall_on(b, Size::Known(half), &own, mapping(b), |b, t, own| {
                    let at = b.mul(t, b.index(step));
                    let other = b.add(at, b.index(distance));
                    let read = |i| own.iter().map(|&own| b.extract(own, &[i])).collect::<Vec<_>>();
                    let values = self.apply(b, &read(at), &read(other));
                    Ok(values.into_iter().zip(own).map(|(v, &own)| row_of(b, own, v, at)).collect())
                })?;
                half /= 2;
            }
            let sums = own.iter().map(|&own| b.extract(own, &[zero]));
            Ok(sums.zip(shared).map(|(sum, &shared)| row_of(b, shared, sum, block)).collect())
        })
    }

    /// What one thread combines: every so manieth element, or neighbours.
    fn part(
        &self,
        b: &Builder<'c>,
        group: &Group<'c>,
        inputs: &[Val<'c>],
        width: Size<'c>,
        number: Val<'c>,
        threads: Size<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let bounds = if self.commutes {
            [number, width.value(b), threads.value(b)]
        } else {
            let chunk = Chunk::new(b, number, width, threads);
            [chunk.offset, b.add(chunk.offset, chunk.size.value(b)), b.index(1)]
        };
        let sums = b.for_loop(bounds, self.neutrals, |b, i, sums| {
            let elements = Elements::new(group, i).of(&b, inputs);
            Ok(self.apply(&b, sums, &elements))
        })?;
        Ok(sums.result_list())
    }
}

/// The threads of a block.
fn mapping<'c>(b: &Builder<'c>) -> Option<Attribute<'c>> {
    Attribute::parse(b.context(), "[#gpu.thread<linear_dim_0>]")
}
