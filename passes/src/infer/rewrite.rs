//! Functions made of instances: copies in which values have the types that were found.
//!
//! An operation that takes any sizes gets operands and results of the types that were found. Every other one keeps its
//! own types, between `tensor.cast`s, which canonicalisation removes where upstream knows how.

mod ops;

use std::collections::{HashMap, HashSet};

use super::{
    constants::{Constants, known},
    engine::{Engine, Instance},
    property::Facts,
    shapes::{Shape, Shapes, shape},
    transfer::is_elementwise,
};
use crate::{
    ad::signature,
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        region::{ValueMap, free_values, rename_operands},
        symbol::name_of,
    },
};
use ad_dialect::{
    blocks::is_branch,
    capi::is_trivially_dead,
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, is_public, unranked_type},
    linalg::Structured,
};
use melior::{
    Context,
    ir::{
        Type, TypeLike, ValueLike,
        attribute::{IntegerAttribute, StringAttribute, TypeAttribute},
        operation::OperationLike,
        r#type::FunctionType,
    },
};

/// Makes functions of the instances that are used, and removes private functions that are not any more; gives the number
/// of copies.
pub fn rewrite<'c>(context: &'c Context, module: Op<'c>, engine: &Engine<'c>) -> Result<u64> {
    let Some(top) = module.body(0) else { return Ok(0) };
    let mut taken: HashSet<String> = top.ops().into_iter().filter_map(name_of).collect();
    let mut names = HashMap::new();
    let mut copies = 0;
    for (number, instance) in engine.instances() {
        let own = name_of(instance.function).unwrap_or_default();
        let name = if instance.is_general {
            own
        } else {
            copies += 1;
            unused(&mut taken, own + &suffix(instance))
        };
        names.insert(number, name);
    }
    let mut made = vec![];
    let mut gone = vec![];
    for (number, instance) in engine.instances() {
        let copy = instance.function.clone_detached();
        BlkExt::insert_before(&top, instance.function, copy);
        copy.set_attr(context, "sym_name", StringAttribute::new(context, &names[&number]).into());
        if instance.is_general {
            gone.push(instance.function);
        } else {
            let private = StringAttribute::new(context, "private").into();
            copy.set_attr(context, "sym_visibility", private);
        }
        made.push((copy, instance));
    }
    for (copy, instance) in made {
        let mut rewriter =
            Rewriter { context, engine, instance, names: &names, of: HashMap::new() };
        rewriter.function(copy)?;
    }
    let replaced: HashSet<_> = gone.iter().map(|function| function.key()).collect();
    let mut originals: Vec<Op<'c>> = vec![];
    for (_, instance) in engine.instances() {
        let function = instance.function;
        let is_new = !originals.iter().any(|other| other.key() == function.key());
        if !is_public(function) && is_new && !replaced.contains(&function.key()) {
            originals.push(function);
        }
    }
    gone.into_iter().for_each(|function| function.erase());
    erase_unused(top, originals);
    Ok(copies)
}

fn unused(taken: &mut HashSet<String>, wanted: String) -> String {
    let mut name = wanted.clone();
    let mut number = 0;
    while !taken.insert(name.clone()) {
        number += 1;
        name = format!("{wanted}_{number}");
    }
    name
}

/// What tells the arguments of an instance: `.of_3x4_n_5`.
fn suffix(instance: &Instance<'_>) -> String {
    let arguments = instance.function.body(0).map(|entry| entry.arg_list()).unwrap_or_default();
    let parts = arguments.into_iter().filter_map(|argument| {
        match (shape(argument, &instance.facts)?, known(argument, &instance.facts)) {
            (_, Some(number)) => Some(number.to_string().replace('-', "m")),
            (Shape::Scalar, None) => None,
            (Shape::Unranked, None) => Some("any".to_owned()),
            (Shape::Ranked(sizes), None) if sizes.is_empty() => Some("0d".to_owned()),
            (shape, None) => Some(shape.text().replace('?', "n")),
        }
    });
    let parts: Vec<_> = parts.collect();
    if parts.is_empty() { ".of_any".to_owned() } else { format!(".of_{}", parts.join("_")) }
}

/// Erases functions to which nothing refers, until there are none left of these.
fn erase_unused<'c>(top: Blk<'c>, mut functions: Vec<Op<'c>>) {
    loop {
        let mut referred = HashSet::new();
        for op in top.ops() {
            op.for_each(&mut |inner| {
                for (_, attribute) in inner.attributes() {
                    referred.extend(attribute.to_string().split('@').skip(1).map(name_at_start));
                }
            });
        }
        let is_unused = |op: &Op<'c>| name_of(*op).is_some_and(|name| !referred.contains(&name));
        let Some(position) = functions.iter().position(is_unused) else { return };
        functions.swap_remove(position).erase();
    }
}

/// The name that a text behind an `@` begins with.
fn name_at_start(text: &str) -> String {
    match text.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default().to_owned(),
        None => {
            let is_part = |c: char| c.is_alphanumeric() || "_$.-".contains(c);
            text.chars().take_while(|c| is_part(*c)).collect()
        }
    }
}

struct Rewriter<'a, 'c> {
    context: &'c Context,
    engine: &'a Engine<'c>,
    instance: &'a Instance<'c>,
    names: &'a HashMap<usize, String>,
    /// The values of the function that those of the copy stand for.
    of: HashMap<ValueKey, Val<'c>>,
}

impl<'c> Rewriter<'_, 'c> {
    fn facts(&self) -> &Facts<'c> {
        &self.instance.facts
    }

    fn function(&mut self, copy: Op<'c>) -> Result<()> {
        pair(self.instance.function, copy, &mut self.of);
        let Some((inputs, outputs)) = signature(copy) else {
            return Err(internal_error(copy, "function without type"));
        };
        let original = self.instance.function;
        let arguments = original.body(0).map(|entry| entry.arg_list()).unwrap_or_default();
        let types: (Vec<_>, Vec<_>) = if self.instance.is_general {
            (inputs, outputs)
        } else {
            let inputs = arguments.iter().map(|argument| self.found(*argument));
            (inputs.collect(), self.results_of(self.instance, &outputs))
        };
        let r#type = FunctionType::new(self.context, &types.0, &types.1);
        copy.set_attr(self.context, "function_type", TypeAttribute::new(r#type.into()).into());
        for (from, to) in original.blocks().into_iter().zip(copy.blocks()) {
            for argument in to.arg_list() {
                self.settle(argument);
            }
            self.block(original, from, to, &types.1);
        }
        self.constant_arguments(&arguments, copy);
        Ok(())
    }

    /// Replaces arguments that are known numbers.
    fn constant_arguments(&self, originals: &[Val<'c>], copy: Op<'c>) {
        let Some(entry) = copy.body(0) else { return };
        let Some(&first) = entry.ops().first() else { return };
        let b = Builder::before(self.context, first, entry);
        for (original, argument) in originals.iter().zip(entry.arg_list()) {
            if let Some(number) = known(*original, self.facts()) {
                argument.replace_all_uses(self.number(&b, argument.r#type(), number));
            }
        }
    }

    fn number(&self, b: &Builder<'c>, r#type: Type<'c>, number: i64) -> Val<'c> {
        let value = IntegerAttribute::new(r#type, number).into();
        b.val_with("arith.constant", &[], r#type, &[("value", value)])
    }

    /// The types that an instance returns.
    fn results_of(&self, instance: &Instance<'c>, declared: &[Type<'c>]) -> Vec<Type<'c>> {
        if instance.is_general {
            return declared.to_vec();
        }
        let Some(results) = &instance.results else { return declared.to_vec() };
        let position = self.engine.position::<Shapes>();
        let found = |(known, r#type): (&super::property::Known, &Type<'c>)| {
            let shape = position.and_then(|p| known.get(p)?.downcast_ref::<Shape>());
            shape.map_or(*r#type, |shape| shape.r#type(*r#type))
        };
        results.iter().zip(declared).map(found).collect()
    }

    /// The type that was found for a value of the function.
    fn found(&self, original: Val<'c>) -> Type<'c> {
        match shape(original, self.facts()) {
            Some(shape) => shape.r#type(original.r#type()),
            None => original.r#type(),
        }
    }

    /// The type that was found for a value of the copy; its own, if it is none of the function.
    fn found_for(&self, value: Val<'c>) -> Type<'c> {
        self.of.get(&value.key()).map_or(value.r#type(), |original| self.found(*original))
    }

    /// Gives a value of the copy the type that was found.
    fn settle(&self, value: Val<'c>) {
        let found = self.found_for(value);
        if found != value.r#type() {
            value.set_type(found);
        }
    }

    fn block(&mut self, around: Op<'c>, from: Blk<'c>, to: Blk<'c>, returned: &[Type<'c>]) {
        let pairs: Vec<_> = from.ops().into_iter().zip(to.ops()).collect();
        for (original, copy) in pairs {
            self.op(around, original, copy, returned);
        }
    }

    fn op(&mut self, around: Op<'c>, original: Op<'c>, copy: Op<'c>, returned: &[Type<'c>]) {
        let is_reached = original
            .block()
            .is_some_and(|block| self.facts().reached.contains(&block))
            && original.operand_list().into_iter().all(|value| self.facts().all(value).is_some());
        let declared: Vec<_> = original.operand_list().iter().map(|o| o.r#type()).collect();
        match original.op_name() {
            _ if !is_reached => return self.stiff(original, copy, returned),
            "func.return" => self.cast_operands(copy, returned),
            "func.call" | "ad.vjp" | "ad.jvp" => self.call(original, copy),
            "scf.if" | "scf.for" | "scf.while" | "scf.index_switch" | "scf.execute_region" => {
                return self.control(original, copy, returned);
            }
            "scf.yield" | "scf.condition" => self.end(around, copy),
            "tensor.cast" => return self.cast_op(copy),
            "tensor.dim" | "tensor.rank" | "tensor.extract" => {}
            "tensor.insert" => copy.result_list().into_iter().for_each(|r| self.settle(r)),
            "tensor.insert_slice" => {
                self.cast_operand(copy, 0, declared[0]);
                copy.result_list().into_iter().for_each(|r| self.settle(r));
            }
            name if name.starts_with("atl.") => self.sealed(original, copy),
            "soac.map" if self.has_no_acc(original) => return self.map(original, copy, returned),
            name if is_branch(original) || name == "cf.assert" => self.branch(copy),
            name if is_elementwise(name) => self.elementwise(copy),
            name if name.starts_with("linalg.") && Structured::of(original).is_some() => {
                self.structured(copy);
            }
            _ => return self.stiff(original, copy, returned),
        }
        self.constants(original, copy);
    }

    /// Replaces integers that are known.
    fn constants(&self, original: Op<'c>, copy: Op<'c>) {
        if original.op_name() == "arith.constant" || !is_trivially_dead(original) {
            return;
        }
        let Some(block) = copy.block() else { return };
        for (old, new) in original.result_list().into_iter().zip(copy.result_list()) {
            if let Some(Some(number)) = self.facts().get::<Constants>(old) {
                let b = Builder::before(self.context, copy, block);
                new.replace_all_uses(self.number(&b, new.r#type(), number));
            }
        }
    }

    /// Operands and results keep their types.
    fn stiff(&mut self, original: Op<'c>, copy: Op<'c>, returned: &[Type<'c>]) {
        if original.op_name() == "func.return" {
            return self.cast_operands(copy, returned);
        }
        for (i, operand) in original.operand_list().into_iter().enumerate() {
            self.cast_operand(copy, i, operand.r#type());
        }
        for (from, to) in original.blocks().into_iter().zip(copy.blocks()) {
            for argument in to.arg_list() {
                self.use_cast(argument, to.ops().first().copied());
            }
            self.block(original, from, to, returned);
            if let (Some(from), Some(to)) = (from.term(), to.term()) {
                for (i, operand) in from.operand_list().into_iter().enumerate() {
                    self.cast_operand(to, i, operand.r#type());
                }
            }
        }
        self.recast_results(copy);
    }

    /// Nothing is put into an operation, which reads what it did, also of its surroundings.
    fn sealed(&self, original: Op<'c>, copy: Op<'c>) {
        let (from, to) = (free_values(&original.blocks()), free_values(&copy.blocks()));
        let Some(block) = copy.block() else { return };
        let b = Builder::before(self.context, copy, block);
        let read = original.operand_list().into_iter().zip(copy.operand_list());
        let mut map = ValueMap::new();
        for (original, value) in read.chain(from.into_iter().zip(to)) {
            if value.r#type() != original.r#type() && !map.contains_key(&value.key()) {
                map.insert(value.key(), self.cast(&b, value, original.r#type()));
            }
        }
        rename_operands(copy, &map);
        self.recast_results(copy);
    }

    /// Lets everything else use a value as one of the type that was found.
    fn use_cast(&self, value: Val<'c>, before: Option<Op<'c>>) {
        let found = self.found_for(value);
        let Some(before) = before.filter(|_| found != value.r#type()) else { return };
        let Some(block) = before.block() else { return };
        let b = Builder::before(self.context, before, block);
        let uses = value.uses();
        let cast = self.cast(&b, value, found);
        for (user, position) in uses {
            user.set_operand(position, cast);
        }
    }

    fn recast_results(&self, copy: Op<'c>) {
        for result in copy.result_list() {
            self.use_cast(result, copy.next());
        }
    }

    /// A value as one of another type. What contradicts goes by way of any rank, which fails when it runs.
    fn cast(&self, b: &Builder<'c>, value: Val<'c>, to: Type<'c>) -> Val<'c> {
        let from = value.r#type();
        if from == to || !(to.as_tensor().is_some() || to.is_unranked_tensor()) {
            return value;
        }
        if Shape::of(from).meet(&Shape::of(to)).is_err() {
            let any = unranked_type(to.scalar());
            let value = b.val("tensor.cast", &[value], any);
            return b.val("tensor.cast", &[value], to);
        }
        b.val("tensor.cast", &[value], to)
    }

    fn cast_operand(&self, copy: Op<'c>, position: usize, to: Type<'c>) {
        let (Some(value), Some(block)) = (copy.opnd(position), copy.block()) else { return };
        if value.r#type() != to {
            let b = Builder::before(self.context, copy, block);
            copy.set_operand(position, self.cast(&b, value, to));
        }
    }

    fn cast_operands(&self, copy: Op<'c>, types: &[Type<'c>]) {
        types.iter().enumerate().for_each(|(i, r#type)| self.cast_operand(copy, i, *r#type));
    }

    /// A cast to what a value is known to be anyhow goes.
    fn cast_op(&self, copy: Op<'c>) {
        let (Some(operand), Some(result)) = (copy.opnd(0), copy.res(0)) else { return };
        self.settle(result);
        if operand.r#type() == result.r#type() {
            result.replace_all_uses(operand);
            copy.erase();
        }
    }
}

fn with_derivatives<'c>(types: &[Type<'c>]) -> Vec<Type<'c>> {
    types.iter().copied().filter(|r#type| r#type.is_differentiable()).collect()
}

/// Notes what the values of a copy stand for.
fn pair<'c>(original: Op<'c>, copy: Op<'c>, of: &mut HashMap<ValueKey, Val<'c>>) {
    let results = copy.result_list().into_iter().zip(original.result_list());
    of.extend(results.map(|(new, old)| (new.key(), old)));
    for (from, to) in original.blocks().into_iter().zip(copy.blocks()) {
        let arguments = to.arg_list().into_iter().zip(from.arg_list());
        of.extend(arguments.map(|(new, old)| (new.key(), old)));
        for (original, copy) in from.ops().into_iter().zip(to.ops()) {
            pair(original, copy, of);
        }
    }
}
