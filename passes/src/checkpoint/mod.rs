//! What loops save for the return sweep: trading memory for time.

pub mod budget;
pub mod strip_mine;
