//! What all passes share: building IR, reporting errors, looking into regions.

pub mod builder;
pub mod combinator;
pub mod diag;
pub mod elementwise;
pub mod extent;
pub mod extremum;
pub mod fastmath;
pub mod fold;
pub mod graph;
pub mod hand_in;
pub mod lowering;
pub mod memory;
pub mod place;
pub mod position;
pub mod presburger;
pub mod records;
pub mod region;
pub mod rest;
pub mod retype;
pub mod roots;
pub mod row_major;
pub mod slice;
pub mod structured;
pub mod symbol;
pub mod update;
pub mod weight;
