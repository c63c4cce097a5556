//! Which functions touch memory, so that it matters who calls them.
//!
//! A function that the host calls has kernels, or gets some, for whatever it does with memory: a kernel cannot call it. One
//! that kernels call runs in the thread that calls it: the host cannot.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, Op, OpExt};

use super::{is_parallel, rest::is_access};
use crate::support::symbol::{callee_of, name_of};

/// The functions of a module that touch memory, also by others that they call.
pub struct Calls {
    /// Those for the host.
    host: HashSet<String>,
    /// Those for kernels.
    kernels: HashSet<String>,
}

impl Calls {
    /// Those of a module, of whose functions kernels call some.
    pub fn of(module: Op<'_>, inside: &HashSet<String>) -> Self {
        let ops = module.body(0).map(|top| top.ops()).unwrap_or_default();
        let functions = ops.into_iter().filter(|op| op.op_name() == "func.func");
        let functions: Vec<_> = functions.filter_map(|op| Some((name_of(op)?, op))).collect();
        let mut found: HashSet<String> = HashSet::new();
        loop {
            let touches = |function: Op<'_>| {
                let mut touches = false;
                function.for_each(&mut |op| {
                    touches |= is_access(op)
                        || is_parallel(op)
                        || matches!(op.op_name(), "gpu.launch" | "func.call_indirect")
                        || callee_of(op).is_some_and(|name| found.contains(&name));
                });
                touches
            };
            let more: Vec<_> = functions
                .iter()
                .filter(|(name, op)| !found.contains(name) && touches(*op))
                .map(|(name, _)| name.clone())
                .collect();
            if more.is_empty() {
                break;
            }
            found.extend(more);
        }
        let (kernels, host) = found.into_iter().partition(|name| inside.contains(name));
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
