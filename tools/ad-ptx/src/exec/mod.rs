//! How kernels run: blocks one after another, and the threads of a block each with a place of its own.
//!
//! `run` goes on with a thread until it waits, `block` chooses threads and lets those go on that have waited for each
//! other, `warp` and `matrix` do what threads of a warp do together, `access` and `atomic` use memory.

pub mod access;
pub mod atomic;
pub mod block;
pub mod matrix;
pub mod run;
pub mod thread;
pub mod warp;

use crate::{
    memory::Memory,
    program::{CLASSES, Program},
};

/// Threads of a warp.
pub const LANES: usize = 32;

/// What all threads of a launch share.
pub struct Machine<'a> {
    /// The module.
    pub program: &'a Program,
    /// Memory of the device.
    pub memory: &'a mut Memory,
    /// Shared memory of the block that runs.
    pub shared: Vec<u8>,
    /// First addresses and sizes of variables in shared memory.
    pub variables: Vec<(u64, u64)>,
    /// Instructions by class.
    pub counts: [u64; CLASSES.len()],
    /// Branches that the launch may still take.
    pub branches_left: u64,
}

impl Machine<'_> {
    /// Whether one variable in shared memory has all of these bytes.
    #[inline]
    pub fn has_shared(&self, offset: u64, bytes: u32) -> bool {
        self.variables.iter().any(|(first, size)| {
            offset >= *first && offset - first <= *size && size - (offset - first) >= bytes.into()
        })
    }

    /// What is wrong with an address, in words.
    pub fn explain_shared(&self, offset: u64) -> String {
        let before = self.variables.iter().filter(|(first, _)| *first <= offset).max();
        match before {
            Some((first, size)) => format!("byte {} of a variable of {size} bytes", offset - first),
            None => "no variable".to_owned(),
        }
    }
}
