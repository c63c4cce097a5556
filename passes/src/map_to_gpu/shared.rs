//! Tuples of numbers that the threads of a block share.

use ad_dialect::ir::{Val, array_of};
use melior::ir::{Type, ValueLike};

use super::atomic::buffer_type;
use crate::support::{builder::Builder, memory::allocate};

/// An array in shared memory for each component.
pub struct Shared<'c> {
    arrays: Vec<(Val<'c>, Type<'c>)>,
}

impl<'c> Shared<'c> {
    /// Room for so many tuples that are like one.
    pub fn new(b: &Builder<'c>, count: i64, like: &[Val<'c>]) -> Self {
        let array = |value: &Val<'c>| {
            let scalar = value.r#type();
            let r#type = buffer_type(b, array_of(count, scalar))?;
            Some((allocate(b, "memref.alloc", r#type, &[]), scalar))
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
