//! `ad-split-sweeps`: a function that runs both ways becomes two, one for each way.
//!
//! ```text
//! f_vjp(x, y_bar) { y = ..; z = ..; x_bar = g(x, z, y_bar); return y, x_bar }
//!         ==>
//! f_forward(x)            { y = ..; z = ..; return y, z }
//! f_backward(x, y, z, y_bar)              { return g(x, z, y_bar) }
//! ```
//! For programs that call the two at times of their own, as training frameworks do. The forward sweep is what the results
//! need. All else is the backward sweep, so that nothing is computed forwards for the sake of a derivative but the arrays
//! that loops keep for their way back.
//!
//! The backward sweep takes what the forward one took and gave: what is an argument or a result is not copied to be kept.
//! What costs nothing is computed again: constants, sizes, numbers of elements, zeros, and views of what is there.

use std::collections::HashSet;

use ad_dialect::ir::{
    Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey, is_public, text_of,
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::{add_function, pick};
use crate::support::{
    builder::Builder,
    diag::{Result, error},
    memory::effects_inside,
    region::{ValueMap, clone_op, reads, renamed},
    symbol::{attributes_at, find, is_marked, is_marked_result, name_of, set_attributes},
};

/// The attribute of a function to split; its value is what the names of the two begin with.
pub const SPLIT: &str = "ad.split";
/// The attribute of an argument that is a seed.
pub const SEED: &str = "ad.seed";
/// The attribute of a result that is a cotangent.
pub const COTANGENT: &str = "ad.cotangent";

/// Runs the pass; returns how many functions were split, and how many values are kept between the sweeps of all of them.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<(u64, u64)> {
    let Some(top) = module.body(0) else { return Ok((0, 0)) };
    let (mut functions, mut residuals) = (0, 0);
    for function in top.ops().into_iter().filter(|op| op.op_name() == "func.func") {
        let Some(name) = function.attr(SPLIT) else { continue };
        let Some(name) = text_of(name) else {
            return Err(error(function, &format!("needs a text as '{SPLIT}'")));
        };
        let sweeps = Sweeps::of(function)?;
        let names = [format!("{name}_forward"), format!("{name}_backward")];
        if let Some(taken) = names.iter().find(|name| find(top, name).is_some()) {
            return Err(error(
                function,
                &format!("is not split: there is a symbol '@{taken}' already"),
            ));
        }
        sweeps.make(context, module, &names);
        functions += 1;
        residuals += sweeps.residuals.len() as u64;
        if name_of(function).is_some_and(|name| is_named(module, &name)) {
            function.remove_attr(SPLIT);
        } else {
            function.erase();
        }
    }
    Ok((functions, residuals))
}

/// Whether an operation calls a function, asks for its derivative, or makes a value of it.
fn is_named(module: Op<'_>, name: &str) -> bool {
    let mut is_named = false;
    module.for_each(&mut |op| {
        let mut symbols =
            ["callee", "value"].into_iter().filter_map(|attribute| op.attr(attribute));
        is_named = is_named || symbols.any(|symbol| text_of(symbol).as_deref() == Some(name));
    });
    is_named
}

/// A function with both of its sweeps.
struct Sweeps<'c> {
    function: Op<'c>,
    block: Blk<'c>,
    /// Positions of arguments: those of the function that was differentiated, and seeds.
    arguments: [Vec<usize>; 2],
    /// Positions of results: those of the function that was differentiated, and cotangents.
    results: [Vec<usize>; 2],
    /// The operations of the forward sweep, and those of the other one, in order.
    forward: Vec<Op<'c>>,
    backward: Vec<Op<'c>>,
    /// What the forward sweep keeps for the other one beside its results, in order.
    residuals: Vec<Val<'c>>,
}

impl<'c> Sweeps<'c> {
    fn of(function: Op<'c>) -> Result<Self> {
        let [block] = function.blocks()[..] else {
            return Err(error(function, "is not split: it has no body"));
        };
        let separate = |count: usize, is_later: &dyn Fn(usize) -> bool| {
            let (later, sooner): (Vec<_>, Vec<_>) = (0..count).partition(|&i| is_later(i));
            [sooner, later]
        };
        let arguments = separate(block.arg_list().len(), &|i| is_marked(function, i, SEED));
        let results = separate(block.ends().len(), &|i| is_marked_result(function, i, COTANGENT));
        let mut sweeps = Self {
            function,
            block,
            arguments,
            results,
            forward: vec![],
            backward: vec![],
            residuals: vec![],
        };
        let late = sweeps.late();
        sweeps.find_forward(&late)?;
        sweeps.find_backward();
        sweeps.find_residuals();
        Ok(sweeps)
    }

    /// The operations that depend on a seed.
    fn late(&self) -> HashSet<OpKey> {
        let seeds = pick(&self.block.arg_list(), &self.arguments[1]);
        let mut values: HashSet<ValueKey> = seeds.iter().map(ValExt::key).collect();
        let mut late = HashSet::new();
        for op in self.block.body_ops() {
            if reads(op).iter().any(|value| values.contains(&value.key())) {
                late.insert(op.key());
                values.extend(op.result_list().iter().map(ValExt::key));
            }
        }
        late
    }

    /// Finds the forward sweep: what results need, and what is done to memory before a seed has to do with that.
    fn find_forward(&mut self, late: &HashSet<OpKey>) -> Result<()> {
        let ops = self.block.body_ops();
        let is_late_access = |op: &Op<'c>| late.contains(&op.key()) && touches_memory(*op);
        let turn = ops.iter().position(is_late_access).unwrap_or(ops.len());
        let mut values: HashSet<ValueKey> =
            pick(&self.block.ends(), &self.results[0]).iter().map(ValExt::key).collect();
        for (place, &op) in ops.iter().enumerate().rev() {
            let is_read = op.result_list().iter().any(|result| values.contains(&result.key()));
            let is_done = place < turn && does_something(op) && !late.contains(&op.key());
            if !is_read && !is_done {
                continue;
            }
            if late.contains(&op.key()) {
                return Err(error(
                    op,
                    "is needed for a result, and depends on a seed: the function cannot be split",
                ));
            }
            if place > turn && touches_memory(op) {
                let text = "is needed for a result, and reads or writes memory when the way back has begun to: the function \
                            cannot be split";
                return Err(error(op, text));
            }
            values.extend(reads(op).iter().map(ValExt::key));
            self.forward.push(op);
        }
        self.forward.reverse();
        Ok(())
    }

    /// Finds the other sweep: what cotangents need, and what else is done.
    fn find_backward(&mut self) {
        let forward: HashSet<OpKey> = self.forward.iter().map(OpExt::key).collect();
        let mut values: HashSet<ValueKey> =
            pick(&self.block.ends(), &self.results[1]).iter().map(ValExt::key).collect();
        for op in self.block.body_ops().into_iter().rev() {
            let is_read = op.result_list().iter().any(|result| values.contains(&result.key()));
            let is_done = does_something(op) && !forward.contains(&op.key());
            let is_again = is_read && (!forward.contains(&op.key()) || is_free(op));
            if is_done || is_again {
                values.extend(reads(op).iter().map(ValExt::key));
                self.backward.push(op);
            }
        }
        self.backward.reverse();
    }

    /// Finds what the other sweep reads of the forward one.
    fn find_residuals(&mut self) {
        let there = pick(&self.block.ends(), &self.results[0]);
        let made = |ops: &[Op<'c>]| ops.iter().flat_map(|op| op.result_list()).collect::<Vec<_>>();
        let again = made(&self.backward);
        let mut known: HashSet<ValueKey> = there.iter().chain(&again).map(ValExt::key).collect();
        let mut read: HashSet<ValueKey> =
            self.backward.iter().flat_map(|op| reads(*op)).map(|value| value.key()).collect();
        read.extend(pick(&self.block.ends(), &self.results[1]).iter().map(ValExt::key));
        for value in made(&self.forward) {
            if read.contains(&value.key()) && known.insert(value.key()) {
                self.residuals.push(value);
            }
        }
    }

    /// Adds the two functions.
    fn make(&self, context: &'c Context, module: Op<'c>, names: &[String; 2]) {
        let (arguments, ends) = (self.block.arg_list(), self.block.ends());
        let [given, seeds] = self.arguments.each_ref().map(|at| pick(&arguments, at));
        let [results, cotangents] = self.results.each_ref().map(|at| pick(&ends, at));
        let kept = [&results[..], &self.residuals].concat();
        let taken = [&given[..], &kept, &seeds].concat();
        let of_given = attributes_at(self.function, "arg_attrs", &self.arguments[0]);
        let of_results = attributes_at(self.function, "res_attrs", &self.results[0]);
        let forward = self.add(context, module, &names[0], (&given, &kept), &self.forward);
        set_attributes(context, forward, "arg_attrs", &of_given, given.len());
        set_attributes(context, forward, "res_attrs", &of_results, kept.len());
        let backward = self.add(context, module, &names[1], (&taken, &cotangents), &self.backward);
        set_attributes(context, backward, "arg_attrs", &of_given, taken.len());
    }

    /// Adds a function that does some of the operations with some of the values, and gives others.
    fn add(
        &self,
        context: &'c Context,
        module: Op<'c>,
        name: &str,
        (inputs, results): (&[Val<'c>], &[Val<'c>]),
        ops: &[Op<'c>],
    ) -> Op<'c> {
        let types =
            |values: &[Val<'c>]| values.iter().map(|value| value.r#type()).collect::<Vec<_>>();
        let visibility = (!is_public(self.function)).then_some("private");
        let made = add_function(
            context,
            module,
            self.function,
            name,
            &types(inputs),
            &types(results),
            visibility,
        );
        let Some(body) = made.body(0) else { return made };
        let mut map: ValueMap<'c> = inputs.iter().map(ValExt::key).zip(body.arg_list()).collect();
        let b = Builder::at_end(context, body, self.function.location());
        for &op in ops {
            clone_op(&b, op, &mut map);
        }
        let returned: Vec<_> = results.iter().map(|&value| renamed(&map, value)).collect();
        b.op("func.return", &returned, &[]);
        made
    }
}

/// Whether an operation, or one in it, reads or writes memory that is there.
fn touches_memory(op: Op<'_>) -> bool {
    let effects = effects_inside(op);
    effects.reads || effects.writes
}

/// Whether an operation does anything but give results.
fn does_something(op: Op<'_>) -> bool {
    let mut asserts = false;
    op.for_each(&mut |inner| asserts |= inner.op_name() == "cf.assert");
    asserts || touches_memory(op)
}

/// Whether it costs nothing to do an operation once more. What it reads is kept then, or made once more, too.
fn is_free(op: Op<'_>) -> bool {
    match op.op_name() {
        "arith.constant"
        | "tensor.empty"
        | "tensor.cast"
        | "tensor.extract_slice"
        | "tensor.collapse_shape"
        | "tensor.expand_shape"
        | "soac.iota"
        | "soac.replicate"
        | "linalg.fill" => true,
        "tensor.dim" => op.operand_list().into_iter().all(is_there),
        name => {
            let is_whole = |value: &Val<'_>| value.r#type().is_int_or_index_type();
            name.starts_with("arith.")
                && op.result_list().iter().all(is_whole)
                && op.operand_list().into_iter().all(is_there)
        }
    }
}

/// Whether a value is an argument, or made of arguments at no cost.
fn is_there(value: Val<'_>) -> bool {
    value.defining_op().is_none_or(|op| is_free(op) && op.operand_list().into_iter().all(is_there))
}
