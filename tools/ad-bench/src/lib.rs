//! Benchmark data in, results and times out.
//!
//! Reading order: [`array`] is what flows in and out of programs (`.npy`); [`driver`] runs one entry
//! of a program; [`adbench`] reads the text files of the ADBench suite into arguments; [`golden`]
//! compares results with known ones, [`agreement`] loops with kernels; [`harness`] is `make bench`. No differentiation
//! happens here.

pub mod adbench;
pub mod agreement;
pub mod array;
pub mod driver;
pub mod golden;
pub mod harness;
