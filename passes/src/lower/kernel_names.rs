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
use melior::Context;

use crate::support::symbol::{kernel_path, launch_others, name_of, rename};

/// Renames the functions of kernels in a module; returns how many have another name then.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let Some(top) = module.body(0) else { return 0 };
    let modules: Vec<_> = top.ops().into_iter().filter(|op| op.op_name() == "gpu.module").collect();
    let mut changed = rename_callees(context, top.ops(), &modules);
    let mut paths = HashMap::new();
    for &outer in &modules {
        let inside = functions(outer);
        let kernels: Vec<_> = inside.iter().filter(|op| op.op_name() == "gpu.func").collect();
        let Some(module_name) = name_of(outer) else { continue };
        let mut taken: HashSet<String> = inside.iter().filter_map(|&op| name_of(op)).collect();
        for &&kernel in &kernels {
            let Some(old) = name_of(kernel) else { continue };
            // Functions that a kernel calls may have the name of the module, too.
            let wanted = portable(if kernels.len() == 1 { &module_name } else { &old });
            let new = match taken.contains(&wanted) {
                true => unused(&portable(&old), &old, &taken),
                false => wanted,
            };
            if new == old {
                continue;
            }
            let path = |name: &str| kernel_path(context, &module_name, name);
            paths.insert(path(&old), path(&new));
            rename(context, outer, kernel, &new);
            taken.insert(new);
            changed += 1;
        }
    }
    launch_others(context, module, &paths);
    changed
}

/// Renames the functions that kernels call: the copies of one alike in all modules, and as no other function is called.
fn rename_callees<'c>(context: &'c Context, top: Vec<Op<'c>>, modules: &[Op<'c>]) -> u64 {
    let inside = modules.iter().flat_map(|&outer| functions(outer));
    let mut taken: HashSet<String> = top.into_iter().chain(inside).filter_map(name_of).collect();
    let mut names: HashMap<String, String> = HashMap::new();
    let mut changed = 0;
    for &outer in modules {
        for op in functions(outer).into_iter().filter(|op| op.op_name() == "func.func") {
            let Some(old) = name_of(op).filter(|name| portable(name) != *name) else { continue };
            let new =
                names.entry(old).or_insert_with_key(|old| unused(&portable(old), old, &taken));
            taken.insert(new.clone());
            rename(context, outer, op, new);
            changed += 1;
        }
    }
    changed
}

/// The functions in a module of kernels.
fn functions<'c>(outer: Op<'c>) -> Vec<Op<'c>> {
    let inside = outer.body(0).map(|body| body.ops()).unwrap_or_default();
    inside.into_iter().filter(|op| matches!(op.op_name(), "gpu.func" | "func.func")).collect()
}

/// A name with `_` for characters that functions of a device cannot have in theirs, and in front of a digit.
fn portable(name: &str) -> String {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || "_$".contains(c);
    let start = name.starts_with(|c: char| c.is_ascii_digit()).then_some('_');
    start.into_iter().chain(name.chars().map(|c| if is_fine(c) { c } else { '_' })).collect()
}

/// A name, or a longer one that no other function has.
fn unused(name: &str, old: &str, taken: &HashSet<String>) -> String {
    let mut new = name.to_owned();
    while new != old && taken.contains(&new) {
        new.push('_');
    }
    new
}
