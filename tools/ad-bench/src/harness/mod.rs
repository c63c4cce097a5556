//! `make bench`: times the programs of `bench/programs` beside their peers.
//!
//! Reading order: [`problem`] says what a problem is and [`problems`] lists them; [`arguments`] makes
//! their arguments; [`tool`] builds the programs and peers; [`worker`] is a process that runs one of
//! them; [`compare`] says how far results are apart; [`measure`] brings these together; [`report`],
//! [`table`] and [`plot`] write down what was measured, on the [`machine`], whose [`peaks`] tell how
//! much there is to gain. [`count`] measures what is the same on every machine and every run.
//!
//! Invariant: nothing is timed before all tools have given the same results.

pub mod arguments;
pub mod compare;
pub mod count;
pub mod machine;
pub mod measure;
mod numbers;
pub mod peaks;
pub mod plot;
pub mod problem;
pub mod problems;
pub mod report;
pub mod table;
pub mod tool;
pub mod worker;
