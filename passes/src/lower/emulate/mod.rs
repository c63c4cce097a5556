//! `lower-gpu-to-emulation` and `lower-emulated-launches`: kernels become functions that run on the CPU.
//!
//! A kernel takes, before its own arguments, what knows about its thread; the functions `ad_emulate_*` of `ad-emulate`
//! tell numbers of threads and blocks, wait at barriers, exchange values and multiply matrices. Blocks run one after the other, so that one
//! buffer, which the launch is given, is the shared memory of all of them.
//!
//! ```text
//! gpu.launch_func @m::@k blocks in (%n, ..) threads in (%t, ..) args(%a)     =>  call @k.launch(%n, .., %t, .., %a)
//! gpu.func @k(%a) { .. gpu.thread_id x .. }     =>  func @k(%thread, %a) { .. call @ad_emulate_id(%thread, 0) .. }
//! ```
//! `launches` fills in `@k.launch`, when all is in the LLVM dialect: it puts the arguments into a structure and hands
//! that, with the address of the kernel, to `ad_emulate_launch`.

mod kernel;
mod launches;
mod matrices;

pub use kernel::lower;
pub use launches::lower_launches;

/// The attribute of a function that launches a kernel: the name of the kernel.
const KERNEL: &str = "ad.kernel";
/// The attribute of a function that launches a kernel with barriers, shuffles or products of matrices.
const BARRIERS: &str = "ad.barriers";
