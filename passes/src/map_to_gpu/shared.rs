//! Tuples of numbers that the threads of a block share.

use ad_dialect::ir::{Val, array_of};
use melior::ir::{Type, ValueLike};

use super::atomic::buffer_type;
use crate::support::{builder::Builder, memory::allocate};

/// The shared memory that a block has for what it updates, in bytes: multiprocessors have room for as many blocks as they can
/// run.
pub const BYTES: i64 = 16 << 10;

/// An array in shared memory.
pub fn shared_array<'c>(b: &Builder<'c>, count: i64, scalar: Type<'c>) -> Option<Val<'c>> {
    Some(allocate(b, "memref.alloc", buffer_type(b, array_of(count, scalar))?, &[]))
}

/// An array in shared memory for each component.
pub struct Shared<'c> {
    arrays: Vec<(Val<'c>, Type<'c>)>,
}

impl<'c> Shared<'c> {
    /// Room for so many tuples that are like one.
    pub fn new(b: &Builder<'c>, count: i64, like: &[Val<'c>]) -> Self {
        let array = |value: &Val<'c>| {
            let scalar = value.r#type();
            Some((shared_array(b, count, scalar)?, scalar))
        };
        Self { arrays: like.iter().filter_map(array).collect() }
    }

    pub fn read(&self, b: &Builder<'c>, i: Val<'c>) -> Vec<Val<'c>> {
        self.arrays
            .iter()
            .map(|&(array, scalar)| b.val("memref.load", &[array, i], scalar))
            .collect()
    }

    pub fn write(&self, b: &Builder<'c>, i: Val<'c>, values: &[Val<'c>]) {
        for (&(array, _), &value) in self.arrays.iter().zip(values) {
            b.op("memref.store", &[value, array, i], &[]);
        }
    }
}
