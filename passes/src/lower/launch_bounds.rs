//! `lower-launch-bounds`: kernels no longer say how many threads a block has.
//!
//! Outlining notes it, and PTX gets it as `.maxntid`. NVIDIA's assembler then takes few registers, so that many blocks
//! run at a time, and spills the others, which costs more than it gains: of a derivative of GMM 40 registers and 192
//! bytes of stores in place of 70 registers (CUDA 12.9). Without it, a block of 256 threads fits, whatever the kernel
//! takes: there are 65,536 registers, and a thread has 255 at most.

use ad_dialect::ir::{BlkExt, Op, OpExt};

use super::forall_to_gpu::BLOCK;

/// The registers of a multiprocessor, and the most of a thread.
const REGISTERS: [i64; 2] = [65536, 255];
const _: () = assert!(BLOCK * REGISTERS[1] <= REGISTERS[0]);

/// Changes the kernels of a module; returns how many.
pub fn drop_all(module: Op<'_>) -> u64 {
    let mut count = 0;
    let modules = module.body(0).map(|top| top.ops()).unwrap_or_default();
    for outer in modules.into_iter().filter(|op| op.op_name() == "gpu.module") {
        let inside = outer.body(0).map(|body| body.ops()).unwrap_or_default();
        for kernel in inside.into_iter().filter(|op| op.attr("known_block_size").is_some()) {
            kernel.remove_attr("known_block_size");
            count += 1;
        }
    }
    count
}
