//! Lowerings.

pub mod soac_to_loops;
