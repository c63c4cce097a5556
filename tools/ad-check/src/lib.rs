//! The reference interpreter, which defines what programs mean, and the numeric oracle for derivatives.
//!
//! Reading order: `program` (what is run), `decode` (from MLIR to it), `eval` (what each op does), `oracle` (the three
//! equations that a derivative must satisfy), `random` (programs to try it on).
//! Nothing here transforms IR, and nothing here shares code with the passes it checks, but that some of the random
//! programs are those of the calculus of the tensor language.

pub mod counts;
pub mod decode;
// Where docs are not asked for, the items are named after the ops and types they stand for.
#[allow(missing_docs)]
pub mod eval;
pub mod executor;
#[allow(missing_docs)]
pub mod fault;
pub mod fuzz;
mod liveness;
pub mod numbers;
pub mod oracle;
#[allow(missing_docs)]
pub mod program;
#[allow(missing_docs)]
pub mod random;
#[allow(missing_docs)]
pub mod value;

pub use counts::Counts;
pub use eval::{Limits, Outcome, run, run_limited};
pub use fault::Fault;
pub use program::Program;
pub use value::{Tensor, Value};
