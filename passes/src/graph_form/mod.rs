//! The functional form of control flow, and back [MYIA 3, 4.1].
//!
//! In this form a program has functions, calls and choices between calls, and nothing else decides what runs: a loop is a
//! function that calls itself last, and a branch is a function that chooses what it returns. What the body of a loop or
//! branch reads of its surroundings are parameters of the function; constants are copied into it.
//!
//! `ad-loops-to-functions` (`to_functions`) brings structured control flow into this form, `ad-functions-to-loops`
//! (`to_loops`) goes back: functions that call themselves last, be it through others, become loops between blocks,
//! which upstream's `inline` and `lift-cf-to-scf` put where they were.
//!
//! Departure from the paper: functions have no free variables here; captured values are handed on as arguments.

pub mod to_functions;
pub mod to_loops;
