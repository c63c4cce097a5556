//! Lowerings.

pub mod clamp;
pub mod soac_to_loops;
