//! What loops save for the return sweep: trading memory for time.

pub mod strip_mine;
