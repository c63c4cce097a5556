//! `ad-specialize`: what is known of values, by one engine, and a copy of a function for each kind of its calls
//! [MYIA 4.2].
//!
//! Reading order: this page; `property`, what can be inferred; `constants` and `shapes`, which are; `engine`, which
//! finds what holds of every value in every *instance* of a function; `rewrite`, which makes functions of instances.
//!
//! An *instance* is a function together with its *signature*: what holds of its arguments. A function whose type leaves
//! sizes or ranks of tensors open has one instance for each signature with which it is called, or of which a derivative
//! is requested; every other function has one. Instances are shared by equal signatures.
//!
//! Recursion: a function that calls itself, be it through others, is inferred for what all these calls have in common,
//! from what it returns where it does not call itself. Where that leaves a rank open, or where it only calls itself, the
//! call is an error.
//!
//! Departure from the paper: the element type of a tensor is always written, because MLIR checks operations against it;
//! what is inferred are ranks, sizes and integers. The inferrer of the paper asks for properties by coroutines; here
//! functions of all properties are run until nothing changes, which serves recursion and loops alike.
//!
//! Tests: test/infer.

pub mod constants;
pub mod engine;
pub mod property;
mod rewrite;
pub mod shapes;
mod transfer;

use ad_dialect::ir::Op;
use melior::Context;

use crate::support::diag::Result;

pub use engine::Engine;

/// Specialises the functions of a module; gives the number of copies. With `unranked_only`, only functions with tensors
/// of unknown rank are specialised, and nothing happens where there is none.
pub fn specialize<'c>(context: &'c Context, module: Op<'c>, unranked_only: bool) -> Result<u64> {
    let mut engine = Engine::new(module);
    if unranked_only && !engine.has_unranked() {
        return Ok(0);
    }
    engine.only_unranked = unranked_only;
    engine.add(constants::Constants);
    engine.add(shapes::Shapes);
    engine.run()?;
    rewrite::rewrite(context, module, &engine)
}
