//! What all passes share: building IR, reporting errors, looking into regions.

pub mod diag;
