//! Calls and requests: which instance they mean, and what they give.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, i64_array, text_of};
use melior::ir::Type;

use super::{Engine, MOST_INSTANCES, Walk};
use crate::infer::{
    property::Known,
    shapes::{Shape, Shapes},
};

impl<'c> Engine<'c> {
    /// A call, or a request for a derivative.
    pub(super) fn call(&mut self, walk: &mut Walk<'c>, op: Op<'c>) {
        let callee = op.attr("callee").and_then(text_of).unwrap_or_default();
        let Some(&function) = self.functions.get(&callee) else {
            return self.flow_types(walk, op, &op.result_list());
        };
        let inputs = self.inputs(function);
        let operands = op.operand_list();
        let mut arguments = self.of_types(&inputs);
        if self.is_generic(function) {
            for (i, (operand, r#type)) in operands.iter().zip(&inputs).enumerate() {
                let Some(known) = walk.facts.all(*operand).cloned() else { return };
                arguments[i] = self.refine(walk, op, &known, *r#type);
            }
        }
        let target = if function.body(0).is_some() {
            self.target(walk, op, function, arguments)
        } else {
            None
        };
        if let Some(target) = target {
            self.demand_ranks(walk, op, target);
        }
        let outputs = match target {
            Some(target) => self.instances[target].results.clone(),
            None => Some(self.of_types(&self.outputs(function))),
        };
        let Some(outputs) = outputs else {
            let text = "cannot be determined, because it returns nowhere but from a call of itself";
            return self.conflict(walk, op, format!("the type of what '@{callee}' returns {text}"));
        };
        let results = op.result_list();
        for (result, known) in results.iter().zip(&outputs) {
            self.flow(walk, op, *result, known);
        }
        if op.op_name() != "func.call" {
            self.derivatives(walk, op, function, &outputs);
        }
    }

    /// A function that calls itself with tensors of other ranks has no type.
    pub(super) fn demand_ranks(&mut self, walk: &mut Walk<'c>, op: Op<'c>, target: usize) {
        let instance = &self.instances[target];
        let arguments = instance.function.body(0).map(|entry| entry.arg_list()).unwrap_or_default();
        let is_open = arguments.iter().zip(op.operand_list()).any(|(argument, operand)| {
            instance.facts.get::<Shapes>(*argument) == Some(Shape::Unranked)
                && matches!(walk.facts.get::<Shapes>(operand), Some(Shape::Ranked(_)))
        });
        if is_open && instance.is_common {
            let text = "calls a function that calls itself with tensors of other ranks, so that their type cannot be determined";
            self.conflict(walk, op, text.to_owned());
        }
    }

    /// The instance that a call means. A function that calls itself, be it through others, is inferred for what all these
    /// calls have in common.
    pub(super) fn target(
        &mut self,
        walk: &mut Walk<'c>,
        op: Op<'c>,
        function: Op<'c>,
        mut arguments: Vec<Known>,
    ) -> Option<usize> {
        let of_function = self.instances.iter().filter(|i| i.function.key() == function.key());
        let is_full = of_function.count() >= MOST_INSTANCES;
        let is_general = is_full || !self.is_generic(function);
        if is_full {
            arguments = self.of_types(&self.inputs(function));
        }
        let mut around = Some(walk.number);
        let target = loop {
            let Some(number) = around.map(|number| self.current(number)) else {
                break self.instance(function, arguments, Some((walk.number, op)), is_general);
            };
            if self.instances[number].function.key() != function.key() {
                around = self.instances[number].asked.map(|(caller, _)| caller);
                continue;
            }
            let own = &self.instances[number].arguments;
            let common: Vec<Known> =
                own.iter().zip(&arguments).map(|(a, b)| self.join(a, b)).collect();
            if common.iter().zip(own).all(|(a, b)| self.is_same(a, b)) {
                break number;
            }
            let (asked, is_general) =
                (self.instances[number].asked, self.instances[number].is_general);
            if is_general {
                break number;
            }
            let target = self.instance(function, common, asked.or(Some((walk.number, op))), false);
            self.instances[target].is_common = true;
            if target != number {
                let readers = std::mem::take(&mut self.instances[number].readers);
                self.instances[number].replaced = Some(target);
                self.todo.extend(readers.iter().copied());
                self.instances[target].readers.extend(readers);
            }
            break target;
        };
        let own = &mut self.instances[target];
        if !own.readers.contains(&walk.number) {
            own.readers.push(walk.number);
        }
        self.instances[walk.number].calls.insert(op.key(), target);
        Some(target)
    }

    /// What a request gives beside what the function returns.
    pub(super) fn derivatives(
        &mut self,
        walk: &mut Walk<'c>,
        op: Op<'c>,
        function: Op<'c>,
        outputs: &[Known],
    ) {
        let (inputs, types) = (self.inputs(function), self.outputs(function));
        let of: Vec<(Known, Type<'c>)> = if op.op_name() == "ad.vjp" {
            let wrt = op.attr("wrt").and_then(i64_array);
            let positions: Vec<usize> = match wrt {
                Some(wrt) => wrt.into_iter().map(|i| i as usize).collect(),
                None => (0..inputs.len()).filter(|i| inputs[*i].is_differentiable()).collect(),
            };
            let operands = op.operand_list();
            let known =
                |i: usize| Some((walk.facts.all(*operands.get(i)?)?.clone(), *inputs.get(i)?));
            positions.into_iter().filter_map(known).collect()
        } else {
            let all = outputs.iter().cloned().zip(types);
            all.filter(|(_, r#type)| r#type.is_differentiable()).collect()
        };
        let results = op.result_list();
        for ((known, r#type), result) in of.into_iter().zip(results.into_iter().skip(outputs.len()))
        {
            let mut made = self.of_type(r#type);
            for (position, property) in self.properties.iter().enumerate() {
                if let Some(fact) = property.of_derivative(&known[position]) {
                    made[position] = fact;
                }
            }
            self.flow(walk, op, result, &made);
        }
    }
}
