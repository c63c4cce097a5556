//! Which functions touch memory, so that it matters who calls them.
//!
//! A function that the host calls has kernels, or gets some, for whatever it does with memory: a kernel cannot call it. One
//! that kernels call runs in the thread that calls it: the host cannot.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt};

use super::{is_parallel, rest::is_access, tapes::Tapes};
use crate::support::symbol::{callee_of, name_of, with_callees};

/// The functions of a module that touch memory, also by others that they call, and the tapes of the device.
pub struct Calls<'c> {
    /// Those for the host.
    host: HashSet<String>,
    /// Those for kernels.
    kernels: HashSet<String>,
    pub tapes: Tapes<'c>,
}

impl<'c> Calls<'c> {
    /// Those of a module, of whose functions kernels call some.
    pub fn of(top: Blk<'c>, inside: &HashSet<String>) -> Self {
        let mut calls = Self::with_tapes(top, inside, Tapes::default());
        loop {
            // A function that only works on tapes touches memory if they are on the device.
            let tapes = Tapes::of(top, inside, &calls);
            let is_all = tapes.count() == calls.tapes.count();
            calls = Self::with_tapes(top, inside, tapes);
            if is_all {
                return calls;
            }
        }
    }

    fn with_tapes(top: Blk<'c>, inside: &HashSet<String>, tapes: Tapes<'c>) -> Self {
        let touches = |function: &Op<'c>| {
            let mut touches = false;
            function.for_each(&mut |op| {
                let is_launch = matches!(op.op_name(), "gpu.launch" | "func.call_indirect");
                touches |= is_launch || is_access(op) || is_parallel(op) || tapes.is_on_device(op);
            });
            touches
        };
        let functions: Vec<_> =
            top.ops().into_iter().filter(|op| op.op_name() == "func.func").collect();
        let own: HashSet<_> =
            functions.iter().filter(|op| touches(op)).filter_map(|op| name_of(*op)).collect();
        let is_found = |name: &String| {
            with_callees(top, vec![name.clone()]).iter().any(|called| own.contains(called))
        };
        let found = functions.into_iter().filter_map(name_of).filter(is_found);
        let (kernels, host) = found.partition(|name| inside.contains(name));
        Self { host, kernels, tapes }
    }

    /// Whether the host has to make a call.
    pub fn is_of_host(&self, op: Op<'_>) -> bool {
        op.op_name() == "func.call_indirect"
            || callee_of(op).is_some_and(|name| self.host.contains(&name))
    }

    /// Whether a kernel has to make a call.
    pub fn is_of_kernels(&self, op: Op<'_>) -> bool {
        callee_of(op).is_some_and(|name| self.kernels.contains(&name))
    }
}
