//! A CUDA driver whose device is an interpreter of PTX on the host.
//!
//! A compiled library launches its kernels through the driver that `AD_CUDA_DRIVER` names. With this one everything
//! that the library does is done as it is: its PTX is read and run, its parameters are unpacked, memory is copied.
//! Nothing is forgiven that the hardware or its reference does not allow: accesses outside allocations or off their
//! alignment, lanes that are waited for and never come, launches that are too large, instructions that do not exist.
//!
//! The environment says more: `AD_PTX_SEED` is the order in which threads run, and what nobody wrote (0 is in order,
//! and the same byte everywhere); `AD_PTX_REPORT` names a file for what kernels did, as JSON.
//!
//! In reading order: `calls` has the entry points, `device` what they work on; `lexer`, `parse` and `decode` make a
//! `program` of a text, with `ops` for what instructions compute; `launch` and `exec` run it, on `memory`.
//!
//! Invariant: threads run one at a time, and each access of memory takes effect at once.
//! Invariant: no panic leaves an entry point.

#[allow(unsafe_code, non_snake_case)]
pub mod calls;
mod decode;
pub mod device;
mod exec;
pub mod fault;
pub mod launch;
mod lexer;
#[allow(unsafe_code)]
pub mod memory;
mod ops;
mod parse;
pub mod poison;
mod program;
pub mod report;
mod syntax;
mod types;
mod value;
