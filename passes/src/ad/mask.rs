//! Cotangents that are zero because a value was not chosen.
//!
//! A `select`, a branch, a min or a max gives an operand that it did not choose
//! the cotangent zero. Such a zero must not be multiplied: an infinite or undefined
//! partial derivative further up would make it NaN. So a cotangent may carry the
//! condition without which it is zero, and a product with it is masked again.

use std::collections::HashMap;

use ad_dialect::ir::{Val, ValExt, ValueKey};

/// The conditions of cotangents in the new code.
#[derive(Default)]
pub struct Masks<'c> {
    conditions: HashMap<ValueKey, Val<'c>>,
    /// The keys in the order in which they came.
    order: Vec<ValueKey>,
}

impl<'c> Masks<'c> {
    /// The condition without which the cotangent is zero, if there is one.
    pub fn get(&self, cotangent: Val<'c>) -> Option<Val<'c>> {
        self.conditions.get(&cotangent.key()).copied()
    }

    /// Says that the cotangent is zero unless the condition holds.
    pub fn set(&mut self, cotangent: Val<'c>, condition: Val<'c>) {
        self.conditions.insert(cotangent.key(), condition);
        self.order.push(cotangent.key());
    }

    /// A mark to forget back to.
    pub fn mark(&self) -> usize {
        self.order.len()
    }

    /// Forgets all that came after the mark: the code it speaks of may be erased.
    pub fn forget_since(&mut self, mark: usize) {
        for key in self.order.drain(mark.min(self.order.len())..) {
            self.conditions.remove(&key);
        }
    }

    /// Replaces values that are about to be erased where they are conditions.
    pub fn rename(&mut self, old: &[ValueKey], new: &[Val<'c>]) {
        for condition in self.conditions.values_mut() {
            let position = old.iter().position(|&key| key == condition.key());
            if let Some(new) = position.and_then(|position| new.get(position)) {
                *condition = *new;
            }
        }
    }
}
