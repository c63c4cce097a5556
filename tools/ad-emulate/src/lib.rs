//! What kernels of a GPU call when they were compiled for the CPU: their blocks and threads, barriers and
//! shuffles, and a detector of races.
//!
//! Compiled code calls the functions of [`calls`], which [`SYMBOLS`] lists for a JIT.
//! The host says with [`configure`] in which order threads run and whether races are looked for,
//! and asks afterwards with [`take_errors`] and [`take_counters`].
//! A machine with a GPU shows few of the mistakes that this finds: there, a missing barrier often has no effect.
//!
//! In reading order: `launch` runs the blocks of a grid and checks its size, `block` the threads of a block,
//! each a fibre of `fibres` if the kernel has barriers or shuffles; `shuffle` exchanges values of a subgroup, and `matrix` makes
//! products that a subgroup makes together;
//! `shadow` remembers who accessed which byte, as far as `cell` needs it, and `race` puts what it finds into words;
//! `requests` counts what subgroups ask of memory; `memory` is that of the device; `order` has the orders, `state` what outlives a launch.
//!
//! Invariant: blocks run one after another, so whatever a finished block did lies before all that is still to come.
//! Invariant: no panic leaves a function that compiled code calls.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::todo,
    clippy::unimplemented,
    clippy::get_unwrap
)]

mod block;
#[allow(unsafe_code)]
pub mod calls;
mod cell;
#[allow(unsafe_code)]
mod fibres;
mod launch;
pub mod matrix;
#[allow(unsafe_code)]
pub mod memory;
mod order;
mod race;
pub mod requests;
mod shadow;
pub mod shuffle;
mod state;

pub use calls::SYMBOLS;
pub use launch::Ctx;
pub use requests::Requests;
pub use state::{Counters, Settings, configure, stacks, take_counters, take_errors, take_requests};
