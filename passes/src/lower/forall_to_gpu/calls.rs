//! Which functions touch memory, so that it matters who calls them.
//!
//! A function that the host calls has kernels, or gets some, for whatever it does with memory: a kernel cannot call it. One
//! that kernels call runs in the thread that calls it: the host cannot.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt};

use super::{is_parallel, rest::is_access};
use crate::support::symbol::{callee_of, name_of, with_callees};

/// The functions of a module that touch memory, also by others that they call.
pub struct Calls {
    /// Those for the host.
    host: HashSet<String>,
    /// Those for kernels.
    kernels: HashSet<String>,
}

impl Calls {
    /// Those of a module, of whose functions kernels call some.
    pub fn of(top: Blk<'_>, inside: &HashSet<String>) -> Self {
        let touches = |function: &Op<'_>| {
            let mut touches = false;
            function.for_each(&mut |op| {
                let is_launch = matches!(op.op_name(), "gpu.launch" | "func.call_indirect");
                touches |= is_launch || is_access(op) || is_parallel(op);
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
        Self { host, kernels }
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
