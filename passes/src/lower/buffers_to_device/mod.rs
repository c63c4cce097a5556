//! `lower-buffers-to-device`: arrays move to the memory of the device, and entries copy between that and the host's.
//!
//! Kernels see the memory of the device only, and the host none of it. So what the host allocates for kernels is made
//! there, and the host copies what it needs to know:
//!
//! ```text
//! %a = memref.alloc(%n)               =>  %a = gpu.alloc(%n)
//! %x = memref.load %a[%i]             =>  mgpuMemcpy(&%slot, &%a[%i], ..);  %x = memref.load %slot[]
//! memref.reshape %a(%sizes)           =>  gpu.memcpy %here, %sizes;  memref.reshape %a(%here)
//! %c = memref.get_global @c           =>  %c = gpu.alloc();  gpu.memcpy %c, (memref.get_global @c)
//! func @f(%a) -> memref { .. }        =>  func @f(%a) -> memref { copies;  call @f.on_device;  copies }
//! ```
//!
//! Where users have arrays on the device, entries copy nothing but a result that is the same array as another one.
//!
//! The lists of buffers that upstream's deallocation makes stay on the host, which compares their addresses.
//!
//! In reading order: `host` (what is in functions), `entries`.

mod entries;
mod host;

pub use entries::UNCHANGED;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val};
use melior::{Context, ir::Type};

use crate::support::{
    builder::Builder,
    diag::{Result, error},
    symbol::name_of,
};
use entries::Arrays;

/// Lowers a module whose entries have their arrays on the `host` or on the `device`; returns how many buffers are made
/// on the device.
pub fn lower<'c>(context: &'c Context, module: Op<'c>, arrays: &str) -> Result<u64> {
    let arrays = Arrays::named(arrays).ok_or_else(|| {
        error(module, &format!("has no arrays on the '{arrays}'; there are host and device"))
    })?;
    let Some(top) = module.body(0) else { return Ok(0) };
    let mut count = 0;
    for function in top.ops() {
        let name = name_of(function).unwrap_or_default();
        let has_body = function.op_name() == "func.func" && function.body(0).is_some();
        if has_body && !is_of_deallocation(&name) {
            count += host::lower(context, top, function)?;
            entries::wrap(context, module, function, &name, arrays)?;
        }
    }
    Ok(count)
}

/// Whether a function is the one that upstream's deallocation calls to compare lists of buffers.
fn is_of_deallocation(name: &str) -> bool {
    name.starts_with("dealloc_helper")
}

/// A new buffer on the device, with the sizes that its type does not say.
fn make<'c>(b: &Builder<'c>, r#type: Type<'c>, sizes: &[Val<'c>]) -> Val<'c> {
    let segments = b.i32s_attr(&[0, sizes.len() as i32, 0]);
    b.val_with("gpu.alloc", sizes, r#type, &[("operandSegmentSizes", segments)])
}
