//! Lowerings.

pub mod addresses;
pub mod array_choices;
pub mod atomics;
pub mod buffers_to_device;
pub mod contractions;
pub mod contractions_to_gpu;
mod declare;
pub mod emulate;
pub mod expand_shape;
pub mod fast_math;
pub mod forall_to_gpu;
pub mod forall_to_openmp;
pub mod launch_bounds;
pub mod launches;
pub mod manual_deallocation;
pub mod math_ops;
pub mod math_to_calls;
pub mod own_destinations;
pub mod poison;
pub mod polynomials;
pub mod private_buffers;
pub mod soac_to_loops;
pub mod sum_order;
pub mod tapes;
pub mod vector_math;
mod views;
mod zeros;
