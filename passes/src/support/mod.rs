//! What all passes share: building IR, reporting errors, looking into regions.

pub mod builder;
pub mod combinator;
pub mod diag;
pub mod extent;
pub mod hand_in;
pub mod region;
pub mod structured;
pub mod update;
