//! `ad-loops-to-functions`: loops and branches as functions.
//!
//! ```text
//! y = for (x) = (x0), i = l .. u by s do body      f(i, x, u, s, fvs) = if i < u then f(i + s, body, u, s, fvs) else x
//!                                                  y = f(l, x0, u, s, fvs)
//! y = while (x) = (x0): (c, v) = before; after     f(x, fvs) = if c then f(after(v), fvs) else v,  (c, v) = before(x)
//! y = if c then a else b                           f(c, fvs) = if c then a else b
//! ```
//! `if` is a branch between blocks. Operations inside become functions before those around them. What has accumulators or
//! no result stays.

use std::collections::HashSet;

use ad_dialect::{
    blocks::{add_block, region_of},
    ir::{Blk, BlkExt, Op, OpExt, Val, ValExt},
};
use melior::{
    Context,
    ir::{Type, TypeLike, ValueLike, operation::OperationLike},
};

use crate::{
    ad::{add_function, rules::call},
    support::{
        builder::{Builder, CMP_SLT, CMP_ULT},
        diag::{Result, internal_error},
        region::{ValueMap, captured, clone_op, copy_ops, free_values, renamed_ends},
        symbol::name_of,
    },
};

/// Replaces the loops and branches of all functions of a module; gives the number of functions made.
pub fn to_functions<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let Some(top) = module.body(0) else { return Ok(0) };
    let mut names: HashSet<String> = top.ops().into_iter().filter_map(name_of).collect();
    let mut made = 0;
    for function in top.ops().into_iter().filter(|op| op.op_name() == "func.func") {
        let mut found = vec![];
        function.for_each(&mut |op| found.push(op));
        for op in found.into_iter().rev().filter(|op| can_be_function(*op)) {
            let kind = if op.op_name() == "scf.if" { "choice" } else { "loop" };
            let wanted = format!("{}.{kind}", name_of(function).unwrap_or_default());
            let mut number = 0;
            while !names.insert(format!("{wanted}_{number}")) {
                number += 1;
            }
            outline(context, module, op, &format!("{wanted}_{number}"))?;
            made += 1;
        }
    }
    Ok(made)
}

fn can_be_function(op: Op<'_>) -> bool {
    let is_value =
        |value: &Val<'_>| !value.r#type().is_mem_ref() && !ad_dialect::capi::is_acc(value.r#type());
    let read = free_values(&op.blocks());
    matches!(op.op_name(), "scf.for" | "scf.while" | "scf.if")
        && op.result_count() > 0
        && op.operand_list().iter().chain(&read).all(is_value)
}

/// Makes a function of an operation, which a call replaces.
fn outline<'c>(context: &'c Context, module: Op<'c>, op: Op<'c>, name: &str) -> Result<()> {
    let Some(block) = op.block() else { return Err(internal_error(op, "operation without block")) };
    let operands = op.operand_list();
    let own: Vec<Val<'c>> = match op.op_name() {
        // The number comes first, so that what changes comes before what does not.
        "scf.for" => [&operands[..1], &operands[3..], &operands[1..3]].concat(),
        _ => operands.clone(),
    };
    let (constants, captured) = captured(&op.blocks());
    let arguments = [&own[..], &captured].concat();
    let inputs: Vec<Type<'c>> = arguments.iter().map(|value| value.r#type()).collect();
    let results: Vec<Type<'c>> = op.result_list().iter().map(|value| value.r#type()).collect();
    let function = add_function(context, module, op, name, &inputs, &results, Some("private"));
    let Some(entry) = function.body(0) else {
        return Err(internal_error(op, "function without body"));
    };
    let b = Builder::at_end(context, entry, op.location());
    let parameters = entry.arg_list();
    let mut map = ValueMap::new();
    for constant in constants {
        clone_op(&b, constant, &mut map);
    }
    let (first, rest) = parameters.split_at(own.len());
    map.extend(captured.iter().map(ValExt::key).zip(rest.iter().copied()));
    let outlined = Outlined { b, name, function, entry, results: &results, captured: rest };
    match op.op_name() {
        "scf.for" => outlined.counted(op, first, &mut map)?,
        "scf.while" => outlined.conditional(op, first, &mut map)?,
        _ => outlined.choice(op, first[0], &mut map)?,
    }
    let b = Builder::before(context, op, block);
    let values = call(&b, name, &arguments, &results);
    for (old, new) in op.result_list().into_iter().zip(values) {
        old.replace_all_uses(new);
    }
    op.erase();
    Ok(())
}

/// A function that is made.
struct Outlined<'a, 'c> {
    b: Builder<'c>,
    name: &'a str,
    function: Op<'c>,
    entry: Blk<'c>,
    results: &'a [Type<'c>],
    captured: &'a [Val<'c>],
}

impl<'c> Outlined<'_, 'c> {
    fn block(&self, arguments: &[Type<'c>]) -> Result<(Blk<'c>, Builder<'c>)> {
        let Some(region) = region_of(self.entry) else {
            return Err(internal_error(self.function, "function without region"));
        };
        let block = add_block(region, arguments, self.b.location());
        Ok((block, self.b.into_block(block)))
    }

    /// Calls the function itself, as the last thing.
    fn again(&self, b: &Builder<'c>, arguments: &[Val<'c>]) {
        let values = call(b, self.name, &[arguments, self.captured].concat(), self.results);
        b.op("func.return", &values, &[]);
    }

    fn counted(&self, op: Op<'c>, own: &[Val<'c>], map: &mut ValueMap<'c>) -> Result<()> {
        let Some(body) = op.body(0) else { return Err(internal_error(op, "loop without body")) };
        let count = own.len() - 2;
        let (changing, bounds) = own.split_at(count);
        let (step, b) = self.block(&[])?;
        let (done, end) = self.block(&[])?;
        let is_unsigned = op.attr("unsignedCmp").is_some();
        let predicate = if is_unsigned { CMP_ULT } else { CMP_SLT };
        let goes_on = self.b.compare(predicate, changing[0], bounds[0]);
        self.b.cond_branch(goes_on, [&(step, vec![]), &(done, vec![])]);
        map.extend(body.arg_list().iter().map(ValExt::key).zip(changing.iter().copied()));
        let next = copy_ops(&b, body, map);
        let number = b.add(changing[0], bounds[1]);
        self.again(&b, &[&[number], &next[..], bounds].concat());
        end.op("func.return", &changing[1..], &[]);
        Ok(())
    }

    fn conditional(&self, op: Op<'c>, own: &[Val<'c>], map: &mut ValueMap<'c>) -> Result<()> {
        let (Some(before), Some(after)) = (op.body(0), op.body(1)) else {
            return Err(internal_error(op, "loop without body"));
        };
        map.extend(before.arg_list().iter().map(ValExt::key).zip(own.iter().copied()));
        let tested = copy_ops(&self.b, before, map);
        let (step, b) = self.block(&[])?;
        let (done, end) = self.block(&[])?;
        self.b.cond_branch(tested[0], [&(step, vec![]), &(done, vec![])]);
        map.extend(after.arg_list().iter().map(ValExt::key).zip(tested[1..].iter().copied()));
        let next = copy_ops(&b, after, map);
        self.again(&b, &next);
        end.op("func.return", &tested[1..], &[]);
        Ok(())
    }

    fn choice(&self, op: Op<'c>, condition: Val<'c>, map: &mut ValueMap<'c>) -> Result<()> {
        let mut edges = vec![];
        for region in 0..2 {
            let Some(body) = op.body(region) else {
                return Err(internal_error(op, "branch without body"));
            };
            let (block, b) = self.block(&[])?;
            copy_ops(&b, body, map);
            b.op("func.return", &renamed_ends(body, map), &[]);
            edges.push((block, vec![]));
        }
        if let [yes, no] = &edges[..] {
            self.b.cond_branch(condition, [yes, no]);
        }
        Ok(())
    }
}
