//! Lowerings.

pub mod clamp;
pub mod contractions;
mod declare;
mod empty_slices;
pub mod expand_shape;
pub mod math_to_calls;
pub mod own_destinations;
pub mod soac_to_loops;
pub mod sum_order;
