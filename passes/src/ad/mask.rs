//! Cotangents that are zero because a value was not chosen.
//!
//! A `select`, a branch, a min or a max gives an operand that it did not choose
//! the cotangent zero. Such a zero must not be multiplied: an infinite or undefined
//! partial derivative further up would make it NaN. So a cotangent may carry the
//! condition without which it is zero, and a product with it is masked again.
//!
//! That is what rules of scalar operations do. What other operations hand on, of whose results none was chosen, is masked as
//! a whole where it leaves them.

use std::collections::HashMap;

use ad_dialect::ir::{Op, Val, ValExt, ValueKey};

use crate::support::region::is_outside;

/// The conditions of cotangents in the new code.
#[derive(Default)]
pub struct Masks<'c> {
    conditions: HashMap<ValueKey, Val<'c>>,
    /// The keys in the order in which they came.
    order: Vec<ValueKey>,
    /// The operations of the source that are being differentiated, none of whose results was chosen unless a condition holds,
    /// outermost first.
    unchosen: Vec<(Op<'c>, Val<'c>)>,
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

    /// Says that what an operation gives was not chosen unless the condition holds, while it is differentiated.
    pub fn enter(&mut self, op: Op<'c>, condition: Val<'c>) {
        self.unchosen.push((op, condition));
    }

    /// Ends what `enter` began.
    pub fn leave(&mut self) {
        self.unchosen.pop();
    }

    /// The conditions without which a value of the source gets nothing from the operations that are being differentiated:
    /// those of operations that it comes from outside of.
    pub fn of_contribution(&self, value: Val<'c>) -> Vec<Val<'c>> {
        let entered = self.unchosen.iter().filter(|(op, _)| is_outside(*op, value));
        entered.map(|(_, condition)| *condition).collect()
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
        let entered = self.unchosen.iter_mut().map(|(_, condition)| condition);
        for condition in self.conditions.values_mut().chain(entered) {
            let position = old.iter().position(|&key| key == condition.key());
            if let Some(new) = position.and_then(|position| new.get(position)) {
                *condition = *new;
            }
        }
    }
}
