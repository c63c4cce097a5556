//! Benchmark data in, results out.
//!
//! Reading order: [`array`] is what flows in and out of `ad-opt run` (`.npy`); [`driver`] runs one
//! entry of a program; [`adbench`] reads the text files of the ADBench suite into arguments;
//! [`golden`] compares results with known ones. No differentiation happens here.

pub mod adbench;
pub mod array;
pub mod driver;
pub mod golden;
