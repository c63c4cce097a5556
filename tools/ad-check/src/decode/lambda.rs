//! Functions that are written where they are made: each is a function of the program that takes what it captures first.

use super::{Decoder, Handle, key, types};
use crate::fault::{Fault, fault};
use crate::liveness;
use crate::program::{Function, Operand};
use ad_dialect::ir::{OpExt, ValExt, handle};
use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, RegionLike, Value, ValueLike};

impl Decoder {
    /// What the body of a lambda reads from the function around it, which has been decoded so far.
    pub(super) fn captured(&self, op: Handle) -> Vec<Operand> {
        self.free_values(op)
            .into_iter()
            .filter_map(|value| self.slots.get(&key(value)))
            .map(|&slot| Operand { slot, last: false })
            .collect()
    }

    fn free_values<'c>(&self, op: Handle<'c, '_>) -> Vec<Value<'c, 'c>> {
        let mut free: Vec<Value> = vec![];
        handle(op).for_each(&mut |inner| {
            for value in inner.operand_list() {
                let is_new = !free.iter().any(|other| other.key() == value.key());
                if is_new && self.slots.contains_key(&key(value)) {
                    free.push(value);
                }
            }
        });
        free
    }

    /// Decodes a lambda; returns the index of its function.
    pub(super) fn lambda(&mut self, op: Handle) -> Result<usize, Fault> {
        let Ok(region) = op.region(0) else { return fault("has no body") };
        let free = self.free_values(op);
        let name = format!("lambda {}", self.wanted.len());
        let index = self.function_index(&name);
        let slots = std::mem::take(&mut self.slots);
        let is_array = std::mem::take(&mut self.is_array);
        let (mut arguments, mut inputs) = (vec![], vec![]);
        for value in free {
            let ty = types::decode_type(value.r#type(), self.options.promote)?;
            arguments.push(self.define(value, &ty));
            inputs.push(ty);
        }
        let mut body = self.region(region)?;
        inputs.extend(body.argument_types.iter().cloned());
        body.argument_types.clone_from(&inputs);
        body.arguments.splice(..0, arguments);
        let mut results = vec![];
        for value in
            region.first_block().and_then(|b| b.terminator()).iter().flat_map(|end| end.operands())
        {
            results.push(types::decode_type(value.r#type(), self.options.promote)?);
        }
        let slot_count = self.is_array.len();
        let mut function = Function { name, inputs, results, body: Some(body), slots: slot_count };
        liveness::mark(&mut function, &self.is_array);
        self.slots = slots;
        self.is_array = is_array;
        self.lambdas.insert(index, function);
        Ok(index)
    }
}
