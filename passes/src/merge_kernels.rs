//! `ad-merge-kernels`: of kernels that do the same, one is left, which is launched in the place of the others.
//!
//! ```text
//! gpu.module @f_kernel { gpu.func @f_kernel(%a) {S} }       gpu.module @f_kernel { gpu.func @f_kernel(%a) {S} }
//! gpu.module @g_kernel { gpu.func @g_kernel(%a) {S} }  =>
//! gpu.launch_func @f_kernel::@f_kernel args(%x)             gpu.launch_func @f_kernel::@f_kernel args(%x)
//! gpu.launch_func @g_kernel::@g_kernel args(%y)             gpu.launch_func @f_kernel::@f_kernel args(%y)
//! ```
//!
//! A derivative computes again what its primal does, products of matrices have kernels for tiles of every size, and arrays
//! are filled everywhere: of 405 kernels of GMM, 111 are different. Each takes time to compile, here and in the driver.
//!
//! Kernels are equal if their texts are, but for their names. What an assertion says where it is belongs to the text.

use std::collections::HashMap;

use ad_dialect::ir::{BlkExt, Op, OpExt};
use melior::{
    Context,
    ir::{
        attribute::FlatSymbolRefAttribute,
        operation::{OperationLike, OperationPrintingFlags},
    },
};

use crate::support::symbol::{kernel_path, launch_others, name_of};

/// Merges the modules of kernels at the top of a module; returns how many are gone.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut kept: HashMap<String, Vec<String>> = HashMap::new();
    let mut others = HashMap::new();
    let mut count = 0;
    let top = module.body(0).map(|top| top.ops()).unwrap_or_default();
    for outer in top.into_iter().filter(|op| op.op_name() == "gpu.module") {
        let Some((text, paths)) = describe(context, outer) else { continue };
        match kept.get(&text) {
            Some(equal) => {
                others.extend(paths.into_iter().zip(equal.iter().cloned()));
                outer.erase();
                count += 1;
            }
            None => drop(kept.insert(text, paths)),
        }
    }
    launch_others(context, module, &others);
    count
}

/// The text of a module without its name and those of its kernels, and the references to these.
fn describe<'c>(context: &'c Context, outer: Op<'c>) -> Option<(String, Vec<String>)> {
    let name = name_of(outer)?;
    let flags = OperationPrintingFlags::new().use_local_scope();
    let mut text = outer.to_string_with_flags(flags).ok()?;
    let mut forget = |what: &str, name: &str| {
        let name = FlatSymbolRefAttribute::new(context, name);
        text = text.replacen(&format!("{what} {name}"), what, 1);
    };
    forget("gpu.module", &name);
    let mut paths = vec![];
    for kernel in outer.body(0)?.ops().into_iter().filter(|op| op.op_name() == "gpu.func") {
        let own = name_of(kernel)?;
        forget("gpu.func", &own);
        paths.push(kernel_path(context, &name, &own));
    }
    outer.for_each(&mut |op| {
        if op.op_name() == "cf.assert" {
            text.push_str(&op.location().to_string());
        }
    });
    (!paths.is_empty()).then_some((text, paths))
}
