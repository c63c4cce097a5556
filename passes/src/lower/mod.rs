//! Lowerings.

pub mod clamp;
pub mod contractions;
mod declare;
pub mod expand_shape;
pub mod math_to_calls;
pub mod own_destinations;
pub mod soac_to_loops;
pub mod sum_order;
mod views;
