//! Operations that take values of the types that were found.

use ad_dialect::{
    blocks::{hand_on, handed_on, is_branch, successors},
    ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, i64_array, tensor_type},
};
use melior::ir::{Type, ValueLike, attribute::FlatSymbolRefAttribute, operation::OperationLike};

use super::{Rewriter, with_derivatives};
use crate::{
    ad::signature,
    infer::shapes::{Shape, shape},
    support::builder::Builder,
};

impl<'c> Rewriter<'_, 'c> {
    pub(super) fn call(&self, original: Op<'c>, copy: Op<'c>) {
        let Some(&target) = self.instance.calls.get(&original.key()) else {
            let operands = original.operand_list();
            operands.iter().enumerate().for_each(|(i, o)| self.cast_operand(copy, i, o.r#type()));
            return self.recast_results(copy);
        };
        let target = self.engine.current(target);
        let instance = self.engine.at(target);
        let Some((inputs, outputs)) = signature(instance.function) else { return };
        let name = FlatSymbolRefAttribute::new(self.context, &self.names[&target]);
        copy.set_attr(self.context, "callee", name.into());
        let arguments = instance.function.body(0).map(|entry| entry.arg_list()).unwrap_or_default();
        let found =
            |(argument, declared): (&Val<'c>, &Type<'c>)| match shape(*argument, &instance.facts) {
                Some(shape) if !instance.is_general => shape.r#type(*declared),
                _ => *declared,
            };
        let inputs: Vec<_> = arguments.iter().zip(&inputs).map(found).collect();
        let results = self.results_of(instance, &outputs);
        self.cast_operands(copy, &inputs);
        let wrt = || match original.attr("wrt").and_then(i64_array) {
            Some(wrt) => wrt.into_iter().filter_map(|i| inputs.get(i as usize).copied()).collect(),
            None => with_derivatives(&inputs),
        };
        let (seeds, derived): (Vec<_>, Vec<_>) = match original.op_name() {
            "ad.vjp" => (with_derivatives(&results), wrt()),
            "ad.jvp" => (wrt(), with_derivatives(&results)),
            _ => (vec![], vec![]),
        };
        for (i, r#type) in seeds.into_iter().enumerate() {
            self.cast_operand(copy, inputs.len() + i, r#type);
        }
        for (result, r#type) in
            copy.result_list().into_iter().zip(results.into_iter().chain(derived))
        {
            result.set_type(r#type);
        }
        self.recast_results(copy);
    }

    /// Structured control flow: what is handed on has the type of where it goes.
    pub(super) fn control(&mut self, original: Op<'c>, copy: Op<'c>, returned: &[Type<'c>]) {
        copy.result_list().into_iter().for_each(|result| self.settle(result));
        for block in copy.blocks() {
            block.arg_list().into_iter().for_each(|argument| self.settle(argument));
        }
        match (original.op_name(), copy.body(0)) {
            ("scf.for", Some(body)) => {
                for (i, argument) in body.arg_list().into_iter().enumerate().skip(1) {
                    self.cast_operand(copy, i + 2, argument.r#type());
                }
            }
            ("scf.while", Some(before)) => {
                let types: Vec<_> = before.arg_list().iter().map(|a| a.r#type()).collect();
                self.cast_operands(copy, &types);
            }
            _ => {}
        }
        for (from, to) in original.blocks().into_iter().zip(copy.blocks()) {
            self.block(original, from, to, returned);
            // Also where nothing gets to.
            to.term().into_iter().for_each(|end| self.end(original, end));
        }
    }

    /// What a yield hands on.
    pub(super) fn end(&self, around: Op<'c>, end: Op<'c>) {
        let Some(parent) = end.parent() else { return };
        let values = match (around.op_name(), end.op_name(), parent.body(0), parent.body(1)) {
            ("scf.for", ..) => parent.result_list(),
            ("scf.while", "scf.condition", _, Some(after)) => after.arg_list(),
            ("scf.while", "scf.yield", Some(before), _) => before.arg_list(),
            ("scf.if" | "scf.index_switch" | "scf.execute_region", ..) => parent.result_list(),
            _ => return,
        };
        let first = usize::from(end.op_name() == "scf.condition");
        for (i, value) in values.into_iter().enumerate() {
            self.cast_operand(end, first + i, value.r#type());
        }
    }

    pub(super) fn branch(&self, copy: Op<'c>) {
        let (Some(block), true) = (copy.block(), is_branch(copy)) else { return };
        let b = Builder::before(self.context, copy, block);
        let mut edges = handed_on(copy);
        for (to, values) in successors(copy).into_iter().zip(&mut edges) {
            for (argument, value) in to.arg_list().into_iter().zip(values) {
                *value = self.cast(&b, *value, self.found_for(argument));
            }
        }
        hand_on(self.context, copy, &edges);
    }

    pub(super) fn elementwise(&self, copy: Op<'c>) {
        copy.result_list().into_iter().for_each(|result| self.settle(result));
        let Some(result) = copy.res(0) else { return };
        let shape = Shape::of(result.r#type());
        for (i, operand) in copy.operand_list().into_iter().enumerate() {
            if Shape::of(operand.r#type()) != Shape::Scalar {
                let r#type = match &shape {
                    Shape::Ranked(_) => shape.r#type(operand.r#type()),
                    _ => self.of.get(&operand.key()).map_or(operand.r#type(), |o| o.r#type()),
                };
                self.cast_operand(copy, i, r#type);
            }
        }
    }

    pub(super) fn structured(&self, copy: Op<'c>) {
        let results = copy.result_list();
        let first = copy.operand_count() - results.len();
        for (i, result) in results.into_iter().enumerate() {
            self.settle(result);
            self.cast_operand(copy, first + i, result.r#type());
        }
    }

    pub(super) fn has_no_acc(&self, map: Op<'c>) -> bool {
        map.result_list().iter().all(|result| result.r#type().as_tensor().is_some())
            && map.operand_list().iter().all(|operand| operand.r#type().as_tensor().is_some())
    }

    /// A map whose arrays have one outer size, and whose body has rows of them.
    pub(super) fn map(&mut self, original: Op<'c>, copy: Op<'c>, returned: &[Type<'c>]) {
        copy.result_list().into_iter().for_each(|result| self.settle(result));
        let width = copy.res(0).and_then(|result| result.r#type().shape().first().copied());
        for (i, operand) in copy.operand_list().into_iter().enumerate() {
            let mut sizes = operand.r#type().shape();
            if let (Some(outer), Some(width)) = (sizes.first_mut(), width) {
                *outer = if width == DYNAMIC { *outer } else { width };
            }
            self.cast_operand(copy, i, tensor_type(&sizes, operand.r#type().scalar()));
        }
        for (from, to) in original.blocks().into_iter().zip(copy.blocks()) {
            to.arg_list().into_iter().for_each(|argument| self.settle(argument));
            self.block(original, from, to, returned);
            let results = copy.result_list();
            if let Some(end) = to.term() {
                let rows = results.iter().enumerate();
                rows.for_each(|(i, result)| self.cast_operand(end, i, result.r#type().row()));
            }
        }
    }
}
