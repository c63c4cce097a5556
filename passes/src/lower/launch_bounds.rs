//! `lower-launch-bounds`: kernels no longer say how many threads a block has, but where their shared memory begins.
//!
//! Outlining notes it, and PTX gets it as `.maxntid`. NVIDIA's assembler then takes few registers, so that many blocks
//! run at a time, and spills the others, which costs more than it gains: of a derivative of GMM 40 registers and 192
//! bytes of stores in place of 70 registers (CUDA 12.9). Without it, a block of 256 threads fits, whatever the kernel
//! takes: there are 65,536 registers, and a thread has 255 at most.
//!
//! Where tensor cores make small tiles, a thread gets as many registers as let two blocks run at a time, which the assembler
//! would miss by a few: what takes long there is to wait for memory.
//!
//! LLVM takes any large array to begin at a multiple of 16 bytes and reads several elements of it at a time, but PTX says
//! of an array in shared memory only what its elements need, unless the kernel asks for more. Matrices of subgroups that are
//! left to upstream have to begin at multiples of 32 bytes.

use ad_dialect::ir::{BlkExt, Op, OpExt, int_of};
use melior::{Context, ir::Attribute};

use super::{forall_to_gpu::BLOCK, subgroups_to_nvvm::has_instructions};

/// The registers of a multiprocessor, and the most of a thread.
const REGISTERS: [i64; 2] = [65536, 255];
const _: () = assert!(BLOCK * REGISTERS[1] <= REGISTERS[0]);

/// Of so many, two blocks run at a time.
const HALF: i64 = REGISTERS[0] / BLOCK / 2;
/// A tile is small of which a thread has no more sums than this.
const FEW: i64 = 16;

/// Changes the kernels of a module; returns how many.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut count = 0;
    let modules = module.body(0).map(|top| top.ops()).unwrap_or_default();
    for outer in modules.into_iter().filter(|op| op.op_name() == "gpu.module") {
        let inside = outer.body(0).map(|body| body.ops()).unwrap_or_default();
        for kernel in inside.into_iter().filter(|op| op.op_name() == "gpu.func") {
            align(context, kernel);
            if (1..=FEW).contains(&sums_of_fragments(kernel))
                && let Some(most) = Attribute::parse(context, &format!("{HALF} : i32"))
            {
                kernel.set_attr(context, "nvvm.maxnreg", most);
            }
            if kernel.attr("known_block_size").is_some() {
                kernel.remove_attr("known_block_size");
                count += 1;
            }
        }
    }
    count
}

/// How many elements of fragments of sums a thread takes.
fn sums_of_fragments(kernel: Op<'_>) -> i64 {
    let mut count = 0;
    kernel.for_each(&mut |op| {
        count += i64::from(op.op_name() == "gpu.subgroup_mma_extract_thread_local");
    });
    count
}

/// Lets the arrays that a block shares begin at multiples of 16 bytes, or of 32.
fn align<'c>(context: &'c Context, kernel: Op<'c>) {
    let count = kernel.attr("workgroup_attributions").and_then(int_of).unwrap_or(0);
    let bytes = if has_instructions(kernel) { 16 } else { 32 };
    let each = vec![format!("{{llvm.align = {bytes} : i64}}"); count as usize].join(", ");
    if let Some(all) = Attribute::parse(context, &format!("[{each}]")).filter(|_| count > 0) {
        kernel.set_attr(context, "workgroup_attrib_attrs", all);
    }
}
