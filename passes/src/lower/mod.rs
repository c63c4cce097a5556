//! Lowerings, in the order in which `pipeline.rs` uses them.

pub mod clamp;
pub mod soac_to_loops;

pub mod own_destinations;

pub mod math_to_calls;
