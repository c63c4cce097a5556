//! Scans. There is one rule so far:
//!
//! - `general`: any associative operator on any elements; the return sweep is a
//!   sequential loop with the work of the primal.

pub mod general;
