//! What operations do to memory.

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, Val, ValExt},
    linalg::Structured,
};

use crate::support::{
    memory::{self, is_arithmetic, is_pure},
    place::{Place, Sum},
    region::values_inside,
};

/// A place that is read or written.
#[derive(Clone)]
pub struct Access<'c> {
    /// The place.
    pub place: Place<'c>,
    /// Whether it is written.
    pub is_write: bool,
}

impl<'c> Access<'c> {
    /// Of a `memref.load` or `memref.store`.
    pub fn of(op: Op<'c>) -> Option<Self> {
        let is_write = op.op_name() == "memref.store";
        if !is_write && op.op_name() != "memref.load" {
            return None;
        }
        let operands = op.operand_list();
        let (&array, at) = operands.get(usize::from(is_write)..)?.split_first()?;
        let at = at.iter().map(|&index| Sum::of(index)).collect();
        Some(Self { place: Place::new(array, at), is_write })
    }

    /// Whether it matters which of two accesses comes first, if they may be to one place.
    pub fn is_ordered(&self, other: &Self) -> bool {
        self.is_write || other.is_write
    }
}

/// The arrays that a copy or structured operation reads and those that it writes.
pub fn arrays<'c>(op: Op<'c>) -> Option<(Vec<Val<'c>>, Vec<Val<'c>>)> {
    if op.op_name() == "memref.copy" {
        return Some((vec![op.opnd(0)?], vec![op.opnd(1)?]));
    }
    let s = Structured::of(op)?;
    let operands = op.operand_list().into_iter().zip(s.body.arg_list());
    let is_read = |(array, element): &(Val<'c>, Val<'c>)| {
        memory::is_array(*array) && !element.users().is_empty()
    };
    Some((operands.filter(is_read).map(|(array, _)| array).collect(), s.inits))
}

/// All that an operation does to memory; none if it may do more.
pub fn effects<'c>(op: Op<'c>) -> Option<Vec<Access<'c>>> {
    let inside = values_inside(op);
    let known = |access: Access<'c>| Access { place: access.place.outside(&inside), ..access };
    Some(accesses(op)?.into_iter().map(known).collect())
}

/// The same, at places that depend on what is inside.
pub fn accesses<'c>(op: Op<'c>) -> Option<Vec<Access<'c>>> {
    let mut all = vec![];
    let mut is_known = true;
    op.for_each(&mut |inner| {
        let anywhere = |is_write| move |array| Access { place: Place::anywhere(array), is_write };
        if let Some(access) = Access::of(inner) {
            all.push(access);
        } else if let Some((read, written)) = arrays(inner) {
            all.extend(read.into_iter().map(anywhere(false)));
            all.extend(written.into_iter().map(anywhere(true)));
        } else {
            is_known &= is_pure(inner) || is_control(inner);
        }
    });
    is_known.then_some(all)
}

fn is_control(op: Op<'_>) -> bool {
    matches!(op.op_name(), "scf.for" | "scf.if" | "scf.yield" | "linalg.yield" | "linalg.index")
}

/// Whether a block of an operation does nothing but access elements and compute.
pub fn is_simple(op: Op<'_>) -> bool {
    let is_plain = |inner: Op<'_>| is_arithmetic(inner) || Access::of(inner).is_some();
    op.body(0).is_some_and(|body| body.body_ops().into_iter().all(is_plain))
}
