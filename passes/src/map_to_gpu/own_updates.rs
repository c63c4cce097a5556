//! Updates of elements that each are one thread's, and are updated once, are no atomic ones.
//!
//! ```text
//! s = 0;                            s[.., 2 m ..] = 0;
//! forall i < n, j < m:      ==>     forall i < n, j < m:
//!   atomic s[i, j] += x               s[i, j] = x
//!   atomic s[i, m + j] += y           s[i, m + j] = y
//! ```
//! The cotangent of a row that is read in parts, such as the gates of a recurrent network, is updated like this. What is left
//! of the array is filled with zeros: nothing, if the parts are all there is.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, int_of};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    atomic::{ADD_FLOAT, ADD_INTEGER},
    bounds::{Bounds, of_parallel},
    builder::{Builder, same_value},
    chunk::{Chunk, slice},
    combinator::constant_index,
    extent::{Extent, Extents},
    place::{Sum, Symbol},
    region::{all_of, beside, is_once, is_there_before, values_inside},
    size::Size,
    slice::Slice,
    sums::{of_extent, of_value, size},
    zero::is_zero,
};

/// Makes stores of updates in a function.
pub fn make<'c>(context: &'c Context, function: Op<'c>) {
    let mut buffers: Vec<Val<'c>> = vec![];
    for buffer in all_of(function, UPDATE).into_iter().filter_map(|update| update.opnd(1)) {
        if !buffers.iter().any(|known| same_value(*known, buffer)) {
            buffers.push(buffer);
        }
    }
    for own in buffers.into_iter().filter_map(|buffer| Own::of(context, buffer)) {
        own.become_stores(context);
    }
}

const UPDATE: &str = "memref.atomic_rmw";

/// An accumulator whose elements each are one thread's.
struct Own<'c> {
    buffer: Val<'c>,
    /// What fills it with zeros.
    fill: Op<'c>,
    updates: Vec<Op<'c>>,
    /// The dimension along which the updates are of parts that together begin with its first element, and how many elements each
    /// has, if they are all there is along the others.
    parts: Option<(usize, Extent<'c>)>,
}

impl<'c> Own<'c> {
    fn of(context: &'c Context, buffer: Val<'c>) -> Option<Self> {
        let start = buffer.defining_op().filter(|op| op.op_name() == "bufferization.to_buffer")?;
        let filled = start.opnd(0).filter(|array| array.users().len() == 1)?;
        let fill = filled.defining_op().filter(|op| op.op_name() == "linalg.fill")?;
        let is_own = fill.opnd(1)?.defining_op()?.op_name() == "bufferization.alloc_tensor";
        let is_update = |op: &Op<'c>| op.op_name() == UPDATE;
        let (updates, others): (Vec<_>, Vec<_>) = buffer.users().into_iter().partition(is_update);
        let kernel = kernel_of(*updates.first()?)?;
        let block = start.block()?;
        let launch = beside(kernel, Some(block))?;
        let is_read_behind = |op: &Op<'c>| match op.op_name() {
            // The accumulator was handed on; the buffer stands for whatever that became.
            "scf.yield" | "scf.for" | "scf.while" | "scf.condition" => true,
            "bufferization.to_tensor" => {
                beside(*op, Some(block)).is_some_and(|at| launch.is_before(at))
            }
            _ => false,
        };
        let adds = updates.iter().all(|op| {
            kernel_of(*op).is_some_and(|own| own.key() == kernel.key())
                && matches!(op.attr("kind").and_then(int_of), Some(ADD_FLOAT | ADD_INTEGER))
                && op.res(0).is_some_and(|old| old.users().is_empty())
        });
        let is_plain = is_own
            && adds
            && (is_zero(filled) || fill.opnd(0).and_then(constant_index) == Some(0))
            && is_once(kernel, block)
            && others.iter().all(is_read_behind);
        if !is_plain {
            return None;
        }
        let places = Places::of(context, kernel, filled, &updates)?;
        let is_always =
            kernel.block() == Some(block) && updates.iter().all(|op| op.block() == kernel.body(0));
        let is_known = |(_, part): &(usize, Extent<'c>)| match part {
            Extent::Known(_) => true,
            Extent::Value(value) | Extent::Dim(value, _) => is_there_before(*value, fill),
        };
        let parts = places.parts().filter(is_known).filter(|_| is_always);
        Some(Self { buffer, fill, updates, parts })
    }

    fn become_stores(self, context: &'c Context) {
        for update in &self.updates {
            let Some(block) = update.block() else { continue };
            let b = Builder::before(context, *update, block);
            let mut operands = update.operand_list();
            // The sum of zeros of both signs is zero.
            if let Some(zero) = self.fill.opnd(0).filter(|zero| zero.r#type().is_float_type()) {
                operands[0] = b.same("arith.addf", &[zero, operands[0]]);
            }
            b.op("memref.store", &operands, &[]);
            update.erase();
        }
        let Some(block) = self.fill.block() else { return };
        let b = Builder::before(context, self.fill, block).with_location(self.fill.location());
        let array = self.parts.and_then(|(d, part)| self.without_parts(&b, d, part));
        if let Some((start, array)) = self.buffer.defining_op().zip(array) {
            start.set_operands(&[array]);
            self.fill.erase();
        }
    }

    /// The array with zeros behind the parts alone.
    fn without_parts(&self, b: &Builder<'c>, d: usize, part: Extent<'c>) -> Option<Val<'c>> {
        let (zero, array) = (self.fill.opnd(0)?, self.fill.opnd(1)?);
        let count = Size::Known(self.updates.len() as i64);
        let width = Size::of_value(b.dim(array, d));
        let chunk = match (Size::of_extent(b, part).times(b, count), width) {
            (Size::Known(end), Size::Known(width)) if end >= width => return Some(array),
            (Size::Known(end), Size::Known(width)) => {
                Chunk { offset: b.index(end), size: Size::Known(width - end) }
            }
            (end, width) => {
                let width = width.value(b);
                let offset = b.same("arith.minsi", &[end.value(b), width]);
                Chunk { offset, size: Size::Value(b.sub(width, offset)) }
            }
        };
        let rest = slice(b, array, &[d], chunk);
        let place = Slice::of(rest.defining_op()?, 1, |value| value)?;
        Some(place.insert(b, b.fill(zero, rest), array))
    }
}

/// The kernel of which an iteration makes an update, once at most.
fn kernel_of(update: Op<'_>) -> Option<Op<'_>> {
    let mut around = std::iter::successors(update.parent(), |op| op.parent());
    let kernel = around.find(|op| op.op_name() == "scf.forall")?;
    let is_outermost = around.all(|op| op.op_name() != "scf.forall");
    (is_outermost && is_once(update, kernel.body(0)?)).then_some(kernel)
}

/// Where the iterations of a kernel update an array: along each dimension at the number of one of its loops plus something,
/// where each loop has one dimension, which is the same for all updates.
struct Places<'c> {
    /// How many elements the array has along each dimension.
    sizes: Vec<Sum>,
    /// Along each dimension, how many iterations the loop has whose number is in the index, if one is.
    widths: Vec<Option<(Sum, Extent<'c>)>>,
    /// What the number is added to in the index of each update along each dimension.
    offsets: Vec<Vec<Sum>>,
}

impl<'c> Places<'c> {
    /// Those in an array, if no two iterations and no two updates have one in common.
    fn of(
        context: &'c Context,
        kernel: Op<'c>,
        array: Val<'c>,
        updates: &[Op<'c>],
    ) -> Option<Self> {
        let b = Builder::before(context, kernel, kernel.block()?);
        let numbers = kernel.body(0)?.arg_list();
        let from_zero = |&[lower, _, step]: &Bounds<'c>| {
            constant_index(lower) == Some(0) && constant_index(step) == Some(1)
        };
        let bounds = of_parallel(&b, kernel).filter(|all| all.iter().all(from_zero))?;
        let mut extents = Extents::default();
        let inside = values_inside(kernel);
        let (mut loops, mut offsets) = (vec![], vec![]);
        for update in updates {
            let indices = update.operand_list().split_off(2);
            let parts = indices.into_iter().map(|index| {
                let sum = of_value(&mut extents, index);
                split(sum, &numbers[..bounds.len()], &inside)
            });
            let (own, offset): (Vec<_>, Vec<_>) =
                parts.collect::<Option<Vec<_>>>()?.into_iter().unzip();
            loops.push(own);
            offsets.push(offset);
        }
        let own = loops.first().filter(|own| loops.iter().all(|other| other == *own))?;
        let is_of_one = |l: usize| own.iter().filter(|other| **other == Some(l)).count() == 1;
        let mut width = |l: usize| {
            let extent = extents.of_value(bounds[l][1]);
            (of_extent(&mut extents, extent), extent)
        };
        let widths = own.iter().map(|l| l.map(&mut width)).collect();
        let sizes = (0..own.len()).map(|d| size(&mut extents, array, d)).collect();
        let found = Self { sizes, widths, offsets };
        ((0..bounds.len()).all(is_of_one) && found.are_apart()).then_some(found)
    }

    /// Whether no two updates are of the same element, whatever iterations make them.
    fn are_apart(&self) -> bool {
        let are_apart = |one: &[Sum], other: &[Sum]| {
            let mut dimensions = self.widths.iter().zip(one.iter().zip(other));
            dimensions.any(|(width, (one, other))| match width {
                Some((width, _)) => {
                    let number = Sum::symbol(Symbol::Number);
                    let [one, other] = [one, other].map(|at| at.clone().plus(&number, 1));
                    let widths = [width.clone()];
                    one.is_behind(&other, &widths) || other.is_behind(&one, &widths)
                }
                None => one.is_behind(other, &[]) || other.is_behind(one, &[]),
            })
        };
        let pairs = self.offsets.iter().enumerate();
        pairs
            .into_iter()
            .all(|(k, one)| self.offsets[..k].iter().all(|other| are_apart(one, other)))
    }

    /// The dimension along which the updates are of parts that follow each other from the first element on, and how many
    /// elements each has, if they are of all elements along the others.
    fn parts(&self) -> Option<(usize, Extent<'c>)> {
        let is_first = |at: &Sum| at.as_constant() == Some(0);
        let is_whole = |d: usize| {
            let width = self.widths[d].as_ref();
            width.is_some_and(|(width, _)| *width == self.sizes[d])
                && self.offsets.iter().all(|at| is_first(&at[d]))
        };
        let along = (0..self.sizes.len()).filter(|&d| !is_whole(d)).collect::<Vec<_>>();
        let [d] = along[..] else { return None };
        let (width, size) = self.widths[d].as_ref()?;
        let follow = (0..self.offsets.len() as i64).all(|k| {
            let start = Sum::default().plus(width, k);
            self.offsets.iter().any(|at| at[d] == start)
        });
        follow.then_some((d, *size))
    }
}

/// Of an index in a kernel, the loop of which it has the number, if it has one, and what that is added to, which is known in
/// front of the kernel.
fn split(
    sum: Sum,
    numbers: &[Val<'_>],
    inside: &HashSet<ValueKey>,
) -> Option<(Option<usize>, Sum)> {
    let own = numbers.iter().position(|number| sum.times(number.key()) == 1);
    let rest = match own {
        Some(l) => sum.with(Symbol::Value(numbers[l].key()), &Sum::default()),
        None => sum,
    };
    let is_known = rest.values().all(|value| !inside.contains(&value));
    is_known.then_some((own, rest))
}
