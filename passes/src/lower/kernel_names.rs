//! `lower-kernel-names`: kernels get the names of their modules, so that each has its own.
//!
//! ```text
//! gpu.module @f_kernel_1 { gpu.func @f_kernel .. }     =>   gpu.module @f_kernel_1 { gpu.func @f_kernel_1 .. }
//! gpu.launch_func @f_kernel_1::@f_kernel                     gpu.launch_func @f_kernel_1::@f_kernel_1
//! ```
//!
//! Outlining names all kernels of a function alike and tells them apart by their modules, which profilers, debuggers and
//! error messages of the driver do not show. Names of functions on a device have letters, digits, `_` and `$` only: LLVM
//! ends the process for others.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{BlkExt, Op, OpExt};
use melior::{
    Context,
    ir::{Attribute, attribute::FlatSymbolRefAttribute},
};

use crate::support::symbol::{name_of, rename};

/// Renames the functions of kernels in a module; returns how many have another name then.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let Some(top) = module.body(0) else { return 0 };
    let mut changed = 0;
    let mut paths = HashMap::new();
    for outer in top.ops().into_iter().filter(|op| op.op_name() == "gpu.module") {
        let inside = outer.body(0).map(|body| body.ops()).unwrap_or_default();
        let kernels: Vec<_> = inside.iter().filter(|op| op.op_name() == "gpu.func").collect();
        let Some(module_name) = name_of(outer) else { continue };
        let mut taken: HashSet<String> = inside.iter().filter_map(|&op| name_of(op)).collect();
        for &op in inside.iter().filter(|op| matches!(op.op_name(), "gpu.func" | "func.func")) {
            let Some(old) = name_of(op) else { continue };
            // Functions that a kernel calls may have the name of the module, too.
            let is_only = op.op_name() == "gpu.func" && kernels.len() == 1;
            let wanted = portable(if is_only { &module_name } else { &old });
            let new = match taken.contains(&wanted) {
                true => unused(&portable(&old), &old, &taken),
                false => wanted,
            };
            if new == old {
                continue;
            }
            let path = |name: &str| {
                let both =
                    [&module_name, name].map(|name| FlatSymbolRefAttribute::new(context, name));
                format!("{}::{}", both[0], both[1])
            };
            paths.insert(path(&old), path(&new));
            rename(context, outer, op, &new);
            taken.insert(new);
            changed += 1;
        }
    }
    module.for_each(&mut |op| {
        if op.op_name() == "gpu.launch_func"
            && let Some(kernel) = op.attr("kernel")
            && let Some(new) = paths.get(&kernel.to_string())
            && let Some(new) = Attribute::parse(context, new)
        {
            op.set_attr(context, "kernel", new);
        }
    });
    changed
}

/// A name with `_` for characters that functions of a device cannot have in theirs.
fn portable(name: &str) -> String {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || "_$".contains(c);
    name.chars().map(|c| if is_fine(c) { c } else { '_' }).collect()
}

/// A name, or a longer one that no other function has.
fn unused(name: &str, old: &str, taken: &HashSet<String>) -> String {
    let mut new = name.to_owned();
    while new != old && taken.contains(&new) {
        new.push('_');
    }
    new
}
