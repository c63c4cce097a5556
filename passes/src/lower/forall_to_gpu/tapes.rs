//! Which tapes are on the device, and what is done with them there.
//!
//! A tape on which the host keeps arrays, or numbers beside what kernels do, is one of the host, and the arrays are copies on
//! the device: the host pushes and pops where they are. One that a loop over memory pushes numbers to, or a thread of a
//! parallel loop, is on the device. Tapes of one type are at one place, so that functions can hand them on.

use std::collections::HashSet;

use ad_dialect::{
    capi,
    ir::{Blk, BlkExt, Op, OpExt},
};
use melior::{
    Context,
    ir::{Type, TypeLike},
};

use super::{calls::Calls, host_blocks, is_parallel, rest};
use crate::{
    lower::tapes::{lower_in_kernels, operations, tape_of},
    support::{
        diag::{Result, error},
        memory::is_tape_access,
        symbol::name_of,
    },
};

/// The types of tapes on the device.
#[derive(Default)]
pub struct Tapes<'c> {
    on_device: Vec<Type<'c>>,
}

impl<'c> Tapes<'c> {
    /// Those of a module, of whose functions kernels call some.
    pub fn of(top: Blk<'c>, inside: &HashSet<String>, calls: &Calls<'c>) -> Self {
        let mut tapes = Self::default();
        for function in top.ops().into_iter().filter(|op| op.op_name() == "func.func") {
            if name_of(function).is_some_and(|name| inside.contains(&name)) {
                tapes.add(function);
            } else {
                function.blocks().into_iter().for_each(|block| tapes.add_all(block, calls));
            }
        }
        tapes
    }

    /// Those of which a block that runs on the host has accesses in kernels.
    fn add_all(&mut self, block: Blk<'c>, calls: &Calls<'c>) {
        for op in block.ops() {
            if is_parallel(op)
                || !keeps_arrays(op)
                    && !rest::has_launches(op, calls)
                    && rest::touches_memory(op, calls)
            {
                self.add(op);
            } else {
                host_blocks(op).into_iter().for_each(|inner| self.add_all(inner, calls));
            }
        }
    }

    fn add(&mut self, op: Op<'c>) {
        let new = operations(op).into_iter().filter_map(tape_of);
        new.for_each(|tape| {
            if !self.on_device.contains(&tape) {
                self.on_device.push(tape);
            }
        });
    }

    /// How many types there are.
    pub fn count(&self) -> usize {
        self.on_device.len()
    }

    /// Whether an operation is about a tape on the device.
    pub fn is_on_device(&self, op: Op<'c>) -> bool {
        is_tape_access(op) && tape_of(op).is_some_and(|tape| self.on_device.contains(&tape))
    }

    /// Whether an operation is about a tape of the host.
    pub fn is_of_host(&self, op: Op<'c>) -> bool {
        is_tape_access(op) && !self.is_on_device(op)
    }

    /// Lowers what threads of kernels do.
    pub fn lower(
        &self,
        context: &'c Context,
        module: Op<'c>,
        inside: &HashSet<String>,
    ) -> Result<()> {
        let ops = operations(module).into_iter().filter(|&op| self.is_on_device(op));
        let ops: Vec<_> = ops.collect();
        if let Some(op) = ops.iter().find(|op| !is_of_thread(**op, inside)) {
            let message = "is on a tape of the host, and threads of kernels have tapes of the type; compile for the CPU";
            return Err(error(*op, message));
        }
        if !ops.is_empty() {
            lower_in_kernels(context, module, ops)?;
        }
        Ok(())
    }
}

/// Whether an operation is about tapes with arrays on them.
fn keeps_arrays(op: Op<'_>) -> bool {
    let mut tapes = operations(op).into_iter().filter_map(tape_of);
    tapes.any(|tape| capi::tape_components(tape).iter().any(|part| part.is_mem_ref()))
}

/// Whether a thread of a kernel runs an operation.
fn is_of_thread(op: Op<'_>, inside: &HashSet<String>) -> bool {
    let around = std::iter::successors(op.parent(), |op| op.parent());
    let mut names = around.map(|op| (op.op_name() == "gpu.launch", name_of(op)));
    names.any(|(is_launch, name)| is_launch || name.is_some_and(|name| inside.contains(&name)))
}
