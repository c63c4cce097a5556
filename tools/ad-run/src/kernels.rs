//! Machine code of kernels, for as many at a time as there are processors.
//!
//! `gpu-module-to-binary` makes that of the modules of kernels in a module one after the other, which takes most of the time
//! to compile a program for a GPU. Passes run on modules in a module at the same time.

use ad_dialect::ir::{BlkExt, OpExt};
use ad_passes::pipeline;
use melior::{
    Context,
    ir::{BlockLike, Location, Module, operation::OperationLike},
};
use mlir_sys as sys;

use crate::program::top_level;

/// Runs passes on a module of its own for each module of kernels, whose place what is made of it takes. MLIR reports what is
/// wrong.
pub fn apart(context: &Context, module: &mut Module, passes: &str) -> Result<(), String> {
    let mut all = Module::new(Location::unknown(context));
    for kernels in top_level(module).into_iter().filter(|op| op.op_name() == "gpu.module") {
        kernels.detach();
        // SAFETY: the operation is in no block; each module takes over what is appended to it.
        unsafe {
            let own = sys::mlirModuleCreateEmpty(kernels.location().to_raw());
            sys::mlirBlockAppendOwnedOperation(sys::mlirModuleGetBody(own), kernels.to_raw());
            let own = sys::mlirModuleGetOperation(own);
            sys::mlirBlockAppendOwnedOperation(all.body().to_raw(), own);
        }
    }
    pipeline::run(context, &mut all, &format!("builtin.module({passes})"))?;
    for made in
        top_level(&all).into_iter().filter_map(|own| own.body(0)).flat_map(|body| body.ops())
    {
        made.detach();
        // SAFETY: the operation is in no block any more; the module takes it over.
        unsafe { sys::mlirBlockAppendOwnedOperation(module.body().to_raw(), made.to_raw()) }
    }
    Ok(())
}
