//! `lower-kernel-names`: kernels get the names of their modules, so that each has its own.
//!
//! ```text
//! gpu.module @f_kernel_1 { gpu.func @f_kernel .. }     =>   gpu.module @f_kernel_1 { gpu.func @f_kernel_1 .. }
//! gpu.launch_func @f_kernel_1::@f_kernel                     gpu.launch_func @f_kernel_1::@f_kernel_1
//! ```
//!
//! Outlining names all kernels of a function alike and tells them apart by their modules, which profilers, debuggers and
//! error messages of the driver do not show.

use std::collections::HashMap;

use ad_dialect::ir::{BlkExt, Op, OpExt};
use melior::{
    Context,
    ir::{
        Attribute,
        attribute::{FlatSymbolRefAttribute, StringAttribute},
    },
};

use crate::support::symbol::name_of;

/// Renames the kernels of a module; returns how many have another name then.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let Some(top) = module.body(0) else { return 0 };
    let mut renamed = HashMap::new();
    for outer in top.ops().into_iter().filter(|op| op.op_name() == "gpu.module") {
        let inside = outer.body(0).map(|body| body.ops()).unwrap_or_default();
        let mut kernels = inside.iter().filter(|op| op.op_name() == "gpu.func");
        // Functions that a kernel calls would have that name, too.
        let (Some(&kernel), None) = (kernels.next(), kernels.next()) else { continue };
        let Some((old, new)) = name_of(kernel).zip(name_of(outer)) else { continue };
        if inside.iter().any(|&op| name_of(op).as_ref() == Some(&new)) {
            continue;
        }
        let path = |name: &str| {
            let [outer, inner] =
                [&new, name].map(|name| FlatSymbolRefAttribute::new(context, name));
            format!("{outer}::{inner}")
        };
        renamed.insert(path(&old), path(&new));
        kernel.set_attr(context, "sym_name", StringAttribute::new(context, &new).into());
    }
    module.for_each(&mut |op| {
        if op.op_name() == "gpu.launch_func"
            && let Some(kernel) = op.attr("kernel")
            && let Some(new) = renamed.get(&kernel.to_string())
            && let Some(new) = Attribute::parse(context, new)
        {
            op.set_attr(context, "kernel", new);
        }
    });
    renamed.len() as u64
}
