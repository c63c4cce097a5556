//! Runs functions of modules as compiled code on real data.
//!
//! Reading order: `program` (a parsed module and the signatures of its functions), `inputs` and `npy` (from the
//! command line and files to arrays), `prepare` (from the program to the LLVM dialect), `compile` (to machine code in
//! this process), `call` (how a compiled function takes arrays and gives them back), `outputs` (arrays to text and
//! files), `library` (to machine code in files). `memory`, `runtime` and `openmp` are what compiled code calls; `guard` turns its
//! crashes into errors; `executor` lets the numeric oracle of `ad-check` use all this.
//!
//! Nothing here transforms programs: that is done by the pipelines of `ad-passes`.

mod array;
#[allow(unsafe_code)]
mod call;
#[allow(unsafe_code)]
mod compile;
mod device;
mod diagnostics;
mod element;
pub mod executor;
#[allow(unsafe_code)]
pub mod guard;
pub mod inputs;
#[allow(unsafe_code)]
mod kernels;
pub mod library;
#[allow(unsafe_code)]
mod memory;
pub mod npy;
#[allow(unsafe_code)]
mod openmp;
pub mod outputs;
#[allow(unsafe_code)]
mod prepare;
#[allow(unsafe_code)]
mod program;
#[allow(unsafe_code)]
mod runtime;
mod signature;
mod stack;
mod toolkit;

pub use array::Array;
pub use call::{Compiled, Outcome};
pub use compile::{FAST_MATH, Options, Target, compile};
pub use device::{Counters, find_cuda};
pub use diagnostics::{Diagnostics, Located};
pub use element::Element;
pub use prepare::keep_only;
pub use program::{link, parse_file, signature};
pub use signature::{Kind, Signature, Type};
pub use stack::on_large_stack;
