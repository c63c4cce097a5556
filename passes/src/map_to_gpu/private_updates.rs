//! Sums of many threads in few places, made in shared memory first.
//!
//! The memory of a device adds to one place one number after the other. So where an accumulator turns out to be small, each
//! block has its own, and adds what is not zero in there to that of the device when all of its iterations are done:
//!
//! ```text
//! forall i < n:                    if s is small:  forall block b < blocks:
//!   ... atomic s[k] += v                             own = 0 ...
//!                            ==>                     forall thread t: for i = b * BLOCK + t .. n by blocks * BLOCK
//!                                                      ... atomic own[k] += v
//!                                                    forall thread: own[k] is not zero => atomic s[k] += own[k]
//!                                  else:           forall i < n: as before
//! ```
//! What is large among several accumulators of a kernel is updated as before in both.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt, int_of};
use melior::{
    Context,
    ir::{Type, operation::OperationLike},
};

use super::{
    BLOCK,
    atomic::{update, update_by},
    shared::{BYTES, shared_array},
};
use crate::{
    lower::forall_to_gpu::{Space, has_threads, of_threads, one_kernel},
    support::{
        atomic::{ADD_FLOAT, ADD_INTEGER, Kind},
        builder::{Builder, CMP_NE, CMP_SLE, same_value},
        chunk::forall_on,
        diag::Result,
        memory::{bytes_of, dim, element, load, rank, static_size, store},
        region::{ValueMap, all_of, copy_ops, is_within},
        size::Size,
    },
};

/// The most blocks.
const BLOCKS: i64 = 1024;
/// How many updates there are at least for each thread of a block, and for each place.
const PER_PLACE: i64 = 8;
/// How many updates an iteration is taken to make if it makes them in a loop.
const IN_LOOP: i64 = 8;

/// An accumulator of a kernel.
#[derive(Clone, Copy)]
struct Target<'c> {
    buffer: Val<'c>,
    kind: Kind,
}

/// Gives kernels that update some of the buffers another form, for when these are small.
pub fn make<'c>(context: &'c Context, buffers: &[Val<'c>]) -> Result<()> {
    for (kernel, targets) in kernels(buffers) {
        make_one(context, kernel, &targets)?;
    }
    Ok(())
}

/// The kernels that can have this form, with what they update.
fn kernels<'c>(buffers: &[Val<'c>]) -> Vec<(Op<'c>, Vec<Target<'c>>)> {
    let mut found: Vec<(Op<'c>, Vec<Target<'c>>)> = vec![];
    for &buffer in buffers {
        for op in buffer.users() {
            let Some((kernel, target)) = kernel_of(op, buffer) else { continue };
            let known = found.iter().position(|(other, _)| other.key() == kernel.key());
            let place = known.unwrap_or_else(|| {
                found.push((kernel, vec![]));
                found.len() - 1
            });
            let targets = &mut found[place].1;
            if !targets.iter().any(|other| same_value(other.buffer, buffer)) {
                targets.push(target);
            }
        }
    }
    // Who reads what others update, as scatters do, is not among them.
    found.retain(|(kernel, targets)| targets.iter().all(|target| only_updates(*kernel, target)));
    found
}

/// The kernel without blocks that an update of a buffer is in.
fn kernel_of<'c>(op: Op<'c>, buffer: Val<'c>) -> Option<(Op<'c>, Target<'c>)> {
    let kind = op.attr("kind").and_then(int_of).filter(|_| op.op_name() == "memref.atomic_rmw")?;
    let around = std::iter::successors(op.parent(), |op| op.parent());
    let kernel = around.filter(|op| op.op_name() == "scf.forall").last()?;
    let is_small = (0..rank(buffer)).all(|d| static_size(buffer, d).is_none_or(|n| n * 8 <= BYTES));
    let may_have = matches!(kind, ADD_FLOAT | ADD_INTEGER)
        && kernel.result_count() == 0
        && !has_threads(kernel)
        && rank(buffer) > 0
        && is_small;
    may_have.then_some((kernel, Target { buffer, kind }))
}

/// Whether a kernel does nothing with a buffer but to add to it in one way.
fn only_updates(kernel: Op<'_>, target: &Target<'_>) -> bool {
    let users = target.buffer.users();
    users.into_iter().filter(|user| is_within(*user, kernel)).all(|user| match user.op_name() {
        // The accumulator was handed on; the buffer stands for whatever that became.
        "scf.for" | "scf.while" | "scf.condition" | "scf.yield" => true,
        _ => {
            user.op_name() == "memref.atomic_rmw"
                && user.attr("kind").and_then(int_of) == Some(target.kind)
                && user.res(0).is_some_and(|old| old.users().is_empty())
        }
    })
}

/// Whether an iteration of a kernel updates something in a loop.
fn are_in_loops(kernel: Op<'_>, targets: &[Target<'_>]) -> bool {
    let updates = targets.iter().flat_map(|target| target.buffer.users());
    updates.into_iter().filter(|op| is_within(*op, kernel)).any(|op| {
        let mut around = std::iter::successors(op.parent(), |op| op.parent());
        let mut inside = around.by_ref().take_while(|op| op.key() != kernel.key());
        inside.any(|op| op.op_name() != "scf.if")
    })
}

fn make_one<'c>(context: &'c Context, kernel: Op<'c>, targets: &[Target<'c>]) -> Result<()> {
    let Some(block) = kernel.block() else { return Ok(()) };
    let b = Builder::before(context, kernel, block);
    let space = Space::of(&b, kernel)?;
    let own: Vec<_> =
        targets.iter().filter_map(|target| Own::of(&b, target, targets.len())).collect();
    let (zero, several) =
        (b.index(0), b.index(if are_in_loops(kernel, targets) { IN_LOOP } else { 1 }));
    let most = own.iter().map(|own| own.used(&b));
    let Some(most) = most.reduce(|x, y| b.same("arith.maxsi", &[x, y])) else { return Ok(()) };
    // There is more to add than places, of which each costs an update of the device, too, and than a block has threads.
    let iterations = b.same("arith.ceildivsi", &[most, several]);
    let places = b.same("arith.maxsi", &[iterations, b.index(BLOCK)]);
    let least = b.mul(b.same("arith.maxsi", &[most, b.index(BLOCK)]), b.index(PER_PLACE));
    let is_wide = b.compare(CMP_SLE, least, b.mul(space.total, several));
    let is_some = b.compare(CMP_NE, most, zero);
    let branch = b.op_with(
        "scf.if",
        &[b.same("arith.andi", &[is_wide, is_some])],
        &[],
        &[],
        &[vec![], vec![]],
    );
    b.fill_body(branch, 0, "scf.yield", |b, _| {
        let wanted = b.same("arith.ceildivsi", &[space.total, places]);
        let blocks = b.same("arith.minsi", &[wanted, b.index(BLOCKS)]);
        in_blocks(&b, &space, &own, blocks)?;
        Ok(vec![])
    })?;
    b.fill_body(branch, 1, "scf.yield", |b, _| {
        kernel.detach();
        b.insert(kernel);
        Ok(vec![])
    })
}

/// The kernel whose blocks have accumulators of their own.
fn in_blocks<'c>(
    b: &Builder<'c>,
    space: &Space<'c>,
    own: &[Own<'c>],
    blocks: Val<'c>,
) -> Result<()> {
    forall_on(b, Size::Value(blocks), &[], one_kernel(b), |b, block, _| {
        let local = own.iter().filter_map(|own| shared_array(b, own.room, own.scalar));
        let local: Vec<_> = local.collect();
        let counts: Vec<_> = own.iter().map(|own| own.used(b)).collect();
        for ((own, &local), &count) in own.iter().zip(&local).zip(&counts) {
            forall_on(b, Size::Value(count), &[], of_threads(b), |b, k, _| {
                store(b, own.zero(b), local, &[k]);
                Ok(vec![])
            })?;
        }
        forall_on(b, Size::Known(BLOCK), &[], of_threads(b), |b, t, _| {
            let start = b.add(b.mul(block, b.index(BLOCK)), t);
            let step = b.mul(blocks, b.index(BLOCK));
            b.for_loop([start, space.total, step], &[], |b, i, _| {
                let indices = space.indices(&b, i);
                let mut map: ValueMap<'c> =
                    space.body.arg_list().iter().map(ValExt::key).zip(indices).collect();
                copy_ops(&b, space.body, &mut map);
                for (one, &local) in own.iter().zip(&local) {
                    one.redirect(&b, local, own.len() == 1)?;
                }
                Ok(vec![])
            })?;
            Ok(vec![])
        })?;
        for ((own, &local), &count) in own.iter().zip(&local).zip(&counts) {
            own.hand_over(b, local, count)?;
        }
        Ok(vec![])
    })?;
    Ok(())
}

/// An accumulator that blocks may have their own of.
struct Own<'c> {
    target: Target<'c>,
    scalar: Type<'c>,
    sizes: Vec<Val<'c>>,
    size: Val<'c>,
    /// How many places a block has for it.
    room: i64,
}

impl<'c> Own<'c> {
    /// That of a buffer, if there are so many of them.
    fn of(b: &Builder<'c>, target: &Target<'c>, count: usize) -> Option<Self> {
        let buffer = target.buffer;
        let scalar = element(buffer)?;
        let room = BYTES / count as i64 / bytes_of(scalar)?;
        let sizes: Vec<_> = (0..rank(buffer)).map(|d| dim(b, buffer, d)).collect();
        let size = sizes.iter().copied().reduce(|x, y| b.mul(x, y))?;
        Some(Self { target: *target, scalar, sizes, size, room })
    }

    fn fits(&self, b: &Builder<'c>) -> Val<'c> {
        b.compare(CMP_SLE, self.size, b.index(self.room))
    }

    /// How many places a block uses.
    fn used(&self, b: &Builder<'c>) -> Val<'c> {
        b.select(self.fits(b), self.size, b.index(0))
    }

    fn zero(&self, b: &Builder<'c>) -> Val<'c> {
        b.zero_scalar(self.scalar)
    }

    /// Lets the updates in the builder's block be those of the block's own accumulator, if it has one, as it surely does if
    /// that is the only one.
    fn redirect(&self, b: &Builder<'c>, local: Val<'c>, alone: bool) -> Result<()> {
        let all = b.block().ops();
        let updates = all.into_iter().flat_map(|op| all_of(op, "memref.atomic_rmw"));
        let is_of_this =
            |op: &Op<'c>| op.opnd(1).is_some_and(|buffer| same_value(buffer, self.target.buffer));
        for op in updates.filter(is_of_this).collect::<Vec<_>>() {
            let at = Builder::before(b.context(), op, b.block());
            let operands = op.operand_list();
            let privately = |b: &Builder<'c>| {
                let indices = operands[2..].iter().zip(&self.sizes);
                let zero = b.index(0);
                let place =
                    indices.fold(zero, |place, (&index, &size)| b.add(b.mul(place, size), index));
                update(b, self.target.kind, local, &[place], operands[0])
            };
            if alone {
                privately(&at)?;
                op.erase();
                continue;
            }
            let branch = at.op_with("scf.if", &[self.fits(&at)], &[], &[], &[vec![], vec![]]);
            at.fill_body(branch, 0, "scf.yield", |b, _| privately(&b).map(|()| vec![]))?;
            at.fill_body(branch, 1, "scf.yield", |b, _| {
                op.detach();
                b.insert(op);
                Ok(vec![])
            })?;
        }
        Ok(())
    }

    /// Adds what a block has.
    fn hand_over(&self, b: &Builder<'c>, local: Val<'c>, count: Val<'c>) -> Result<()> {
        forall_on(b, Size::Value(count), &[], of_threads(b), |b, k, _| {
            let sum = load(b, local, &[k]);
            update_by(b, self.target.kind, self.target.buffer, [sum, self.zero(b)], |b| {
                let mut rest = k;
                let mut indices = vec![];
                for (d, &size) in self.sizes.iter().enumerate().rev() {
                    let [others, own] = if d > 0 { b.divide(rest, size) } else { [rest, rest] };
                    indices.push(own);
                    rest = others;
                }
                indices.reverse();
                indices
            })?;
            Ok(vec![])
        })?;
        Ok(())
    }
}
