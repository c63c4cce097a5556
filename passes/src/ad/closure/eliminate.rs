//! `ad-closure-eliminate`: function values become numbers and captured values, their calls switches of direct calls.
//!
//! ```text
//! %f = ad.closure @g(%a)          %f#0 = 1 (the number of @g),  %f#1 = %a
//! %y = ad.call %f(%x)             %y = scf.index_switch %f#0  case 0 { @h(%x) }  default { @g(%f#1, %x) }
//! ```
//! Everything that function values flow through, as blocks, loops and functions, carries these values instead. With one
//! function there is no number, and a call is a direct one.
//!
//! Requires: no `ad.lambda` (`convert`).
//! Ensures: no closure is left. Functions that take or return closures and that nobody calls go: nothing outside of the
//! module can call them.
//! Edge cases: function types of which the module does not know all functions stay as they are.

use std::collections::{HashMap, HashSet};

use ad_dialect::{
    blocks::{erase_argument, hand_on, handed_on, is_branch},
    capi::is_closure,
    ir::{BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey},
};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::{
    argument_count, callee_of,
    flow::Flow,
    functions, inside, is_function, is_indirect_call, is_request,
    layout::{Layout, Layouts, placeholder},
    made, modules,
    signature::{replace_arguments, update},
};
use crate::{
    ad::signature,
    support::{
        builder::Builder,
        diag::{Result, error, internal_error},
        region::with_results,
        symbol::name_of,
    },
};

/// Eliminates function values from a module; returns how many calls became direct ones.
pub fn eliminate<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut calls = 0;
    for module in modules(module) {
        drop_unused(module);
        let flow = Flow::of(module)?;
        let layouts = Layouts::new(context);
        let mut eliminator = Eliminator {
            context,
            flow,
            layouts,
            values: HashMap::new(),
            direct: HashMap::new(),
            gone: vec![],
            calls: 0,
        };
        let functions = functions(module);
        functions.iter().map(|&f| eliminator.check(f)).fold(Ok(()), Result::and)?;
        for &function in &functions {
            eliminator.arguments(function)?;
        }
        for &function in &functions {
            eliminator.results(function)?;
        }
        for &function in &functions {
            eliminator.operands(function)?;
        }
        for &function in &functions {
            eliminator.finish(function)?;
        }
        for op in eliminator.gone.drain(..) {
            op.erase();
        }
        calls += eliminator.calls;
    }
    Ok(calls)
}

/// Erases functions that take or return closures and that no other function needs.
fn drop_unused(module: Op<'_>) {
    let functions = functions(module);
    let has_closures = |function: &Op<'_>| {
        let (inputs, results) = signature(*function).unwrap_or_default();
        inputs.into_iter().chain(results).any(is_closure)
    };
    let named: HashMap<String, Op<'_>> =
        functions.iter().filter_map(|op| Some((name_of(*op)?, *op))).collect();
    let mut todo: Vec<Op<'_>> = functions.iter().copied().filter(|f| !has_closures(f)).collect();
    let mut needed: HashSet<OpKey> = todo.iter().map(OpExt::key).collect();
    while let Some(function) = todo.pop() {
        for op in inside(function) {
            let name = callee_of(op).or_else(|| made(op).map(|(name, _)| name));
            let callee = name.and_then(|name| named.get(&name).copied());
            todo.extend(callee.filter(|callee| needed.insert(callee.key())));
        }
    }
    for function in functions.into_iter().filter(|function| !needed.contains(&function.key())) {
        function.erase();
    }
}

/// Whether an operation that gives a function value is followed where that is used.
fn is_leaf(op: Op<'_>) -> bool {
    let is_choice = matches!(op.op_name(), "arith.select" | "ad.stop_gradient" | "ub.poison");
    made(op).is_some() || is_choice && op.result_list().into_iter().any(is_function)
}

struct Eliminator<'c> {
    context: &'c Context,
    flow: Flow<'c>,
    layouts: Layouts<'c>,
    /// What function values have become.
    values: HashMap<ValueKey, Vec<Val<'c>>>,
    /// Calls whose first operand is a function value of which the function has this number.
    direct: HashMap<OpKey, usize>,
    /// Operations that are replaced, but whose results are still used.
    gone: Vec<Op<'c>>,
    calls: u64,
}

impl<'c> Eliminator<'c> {
    fn layout(&mut self, value: Val<'c>) -> Result<Option<Layout<'c>>> {
        self.layouts.of(&mut self.flow, value)
    }

    /// The layout of a result of a function.
    fn result_layout(
        &mut self,
        function: Op<'c>,
        position: usize,
        r#type: Type<'c>,
    ) -> Result<Option<Layout<'c>>> {
        if !super::is_function_type(r#type) {
            return Ok(None);
        }
        let class = self.flow.result(&name_of(function).unwrap_or_default(), position);
        if self.flow.class(class).is_open {
            return Ok(None);
        }
        self.layouts.of_class(&mut self.flow, class).map(Some)
    }

    /// The types of values where function values are expanded.
    fn types(&mut self, values: &[Val<'c>]) -> Result<Vec<Type<'c>>> {
        let mut types = vec![];
        for &value in values {
            match self.layout(value)? {
                Some(layout) => types.extend(layout.types),
                None => types.push(value.r#type()),
            }
        }
        Ok(types)
    }

    /// Refuses what cannot be done, before anything is.
    fn check(&mut self, function: Op<'c>) -> Result<()> {
        let (inputs, results) = signature(function).unwrap_or_default();
        let has_rule =
            ["custom_jvp", "custom_vjp"].iter().any(|name| function.attr(name).is_some());
        let mut ends = inputs.into_iter().chain(results.iter().copied());
        if ends.any(is_closure) && (has_rule || function.body(0).is_none()) {
            let why = if has_rule { "has a rule of its own" } else { "has no body" };
            let message = format!("takes or returns closures, which it cannot: it {why}");
            return Err(error(function, &message));
        }
        let arguments = function.body(0).map(|body| body.arg_list()).unwrap_or_default();
        self.types(&arguments)?;
        inside(function).into_iter().map(|op| self.check_op(op)).fold(Ok(()), Result::and)
    }

    fn check_op(&mut self, op: Op<'c>) -> Result<()> {
        for block in op.blocks() {
            self.types(&block.arg_list())?;
        }
        for result in op.result_list() {
            if self.layout(result)?.is_none() && is_closure(result.r#type()) {
                return Err(error(op, "gives a closure to functions that are not known"));
            }
        }
        if is_indirect_call(op)
            && let Some(callee) = op.opnd(0)
            && self.layout(callee)?.is_some_and(|layout| layout.targets.is_empty())
        {
            return Err(error(op, "calls a function that is made nowhere"));
        }
        if is_request(op) && op.result_list().into_iter().any(is_function) {
            let message = "asks for the derivative of a function that returns functions; \
                           differentiate a function that calls what it returns";
            return Err(error(op, message));
        }
        Ok(())
    }

    /// Gives blocks arguments for the values that function values become.
    fn arguments(&mut self, function: Op<'c>) -> Result<()> {
        let mut blocks = function.blocks();
        blocks.extend(inside(function).into_iter().flat_map(|op| op.blocks()));
        for block in blocks {
            for (i, argument) in block.arg_list().into_iter().enumerate().rev() {
                let Some(layout) = self.layout(argument)? else { continue };
                let location = function.location();
                let types = layout.types.iter().enumerate();
                let new = types.map(|(k, ty)| block.insert_arg(i + 1 + k, *ty, location)).collect();
                self.values.insert(argument.key(), new);
            }
        }
        Ok(())
    }

    /// Replaces operations that give function values, and calls of function values.
    fn results(&mut self, function: Op<'c>) -> Result<()> {
        for op in inside(function) {
            let results = op.result_list();
            let is_call = is_indirect_call(op) && self.callee_layout(op)?.is_some();
            let mut has_functions = false;
            for &result in &results {
                has_functions |= self.layout(result)?.is_some();
            }
            if !is_call && (is_leaf(op) || !has_functions) {
                continue;
            }
            let types = self.types(&results)?;
            let new = match self.callee_layout(op)? {
                Some(layout) => self.switch(op, &layout, &types)?,
                None => with_results(self.context, op, &types),
            };
            let mut new = new.result_list().into_iter();
            for old in results {
                match self.layout(old)? {
                    Some(layout) => {
                        let values = new.by_ref().take(layout.types.len()).collect();
                        self.values.insert(old.key(), values);
                    }
                    None => new.next().into_iter().for_each(|new| old.replace_all_uses(new)),
                }
            }
            op.set_operands(&[]);
            op.detach();
            self.gone.push(op);
        }
        Ok(())
    }

    fn callee_layout(&mut self, op: Op<'c>) -> Result<Option<Layout<'c>>> {
        match op.opnd(0).filter(|_| is_indirect_call(op)) {
            Some(callee) => self.layout(callee),
            None => Ok(None),
        }
    }

    /// A call of each function that it may be; the operands are seen to later.
    fn switch(&mut self, op: Op<'c>, layout: &Layout<'c>, types: &[Type<'c>]) -> Result<Op<'c>> {
        let (Some(block), Some(callee)) = (op.block(), op.opnd(0)) else {
            return Err(internal_error(op, "call outside of a block"));
        };
        self.calls += 1;
        let operands = op.operand_list();
        let b = Builder::before(self.context, op, block);
        let mut call = |b: &Builder<'c>, number: usize| {
            let name = [("callee", b.symbol_attr(&layout.targets[number].callee))];
            let call = b.op_with("func.call", &operands, types, &name, &[]);
            self.direct.insert(call.key(), number);
            call
        };
        if !layout.has_number() {
            return Ok(call(&b, 0));
        }
        let last = layout.targets.len() - 1;
        let cases: Vec<i64> = (0..last as i64).collect();
        let cases = [("cases", b.i64s_attr(&cases))];
        let regions = vec![vec![]; last + 1];
        let new = b.op_with("scf.index_switch", &[callee], types, &cases, &regions);
        for (region, number) in [last].into_iter().chain(0..last).enumerate() {
            let fill = |b: Builder<'c>, _: &[Val<'c>]| Ok(call(&b, number).result_list());
            b.fill_body(new, region, "scf.yield", fill)?;
        }
        Ok(new)
    }

    /// Hands on what function values have become.
    fn operands(&mut self, function: Op<'c>) -> Result<()> {
        for op in inside(function) {
            let operands = op.operand_list();
            let mut is_affected = false;
            for &value in &operands {
                is_affected |= self.layout(value)?.is_some();
            }
            if !is_affected || is_leaf(op) {
                continue;
            }
            if let Some(number) = self.direct.get(&op.key()).copied() {
                let Some(layout) = self.layout(operands[0])? else { continue };
                let parts = self.parts(operands[0])?;
                let captured = layout.places[number].iter().map(|&k| parts[k]);
                let rest = self.expand(&operands[1..])?;
                op.set_operands(&captured.chain(rest.concat()).collect::<Vec<_>>());
            } else if op.op_name() == "scf.index_switch" {
                op.set_operand(0, self.parts(operands[0])?[0]);
            } else if is_branch(op) {
                let mut edges = vec![];
                for values in handed_on(op) {
                    edges.push(self.expand(&values)?.concat());
                }
                hand_on(self.context, op, &edges);
            } else if let Some(callee) = callee_of(op).and_then(|name| self.flow.function(&name)) {
                let arguments = self.expand(&operands[..argument_count(op)])?;
                replace_arguments(self.context, op, callee, &arguments);
            } else {
                op.set_operands(&self.expand(&operands)?.concat());
            }
        }
        Ok(())
    }

    fn expand(&mut self, values: &[Val<'c>]) -> Result<Vec<Vec<Val<'c>>>> {
        let mut expanded = vec![];
        for &value in values {
            expanded.push(match self.layout(value)? {
                Some(_) => self.parts(value)?,
                None => vec![value],
            });
        }
        Ok(expanded)
    }

    /// What a function value has become.
    fn parts(&mut self, value: Val<'c>) -> Result<Vec<Val<'c>>> {
        if let Some(parts) = self.values.get(&value.key()) {
            return Ok(parts.clone());
        }
        let (Some(op), Some(layout)) = (value.defining_op(), self.layout(value)?) else {
            return Ok(vec![value]);
        };
        let Some(block) = op.block() else {
            return Err(internal_error(op, "function value that is gone"));
        };
        let b = Builder::before(self.context, op, block);
        let parts = match op.op_name() {
            "arith.select" => {
                let operands = op.operand_list();
                let (yes, no) = (self.parts(operands[1])?, self.parts(operands[2])?);
                choose(&b, operands[0], &yes, &no, &layout.types)?
            }
            "ad.stop_gradient" => {
                let inner = self.parts(op.operand_list()[0])?;
                let stop = |v: Val<'c>| b.val("ad.stop_gradient", &[v], v.r#type());
                let differentiable = |v: &Val<'c>| v.r#type().is_differentiable();
                inner.into_iter().map(|v| if differentiable(&v) { stop(v) } else { v }).collect()
            }
            "ub.poison" => {
                layout.types.iter().map(|r#type| b.val("ub.poison", &[], *r#type)).collect()
            }
            _ => self.made(&b, op, &layout)?,
        };
        self.values.insert(value.key(), parts.clone());
        Ok(parts)
    }

    /// The number of a function and what it captures.
    fn made(&mut self, b: &Builder<'c>, op: Op<'c>, layout: &Layout<'c>) -> Result<Vec<Val<'c>>> {
        let number = made(op).and_then(|(name, captured)| layout.number(&name, captured.len()));
        let Some(number) = number else {
            return Err(internal_error(op, "function value of unknown origin"));
        };
        let captured = self.expand(&op.operand_list())?.concat();
        let mut parts = vec![];
        for (k, r#type) in layout.types.iter().enumerate() {
            let own = layout.places[number].iter().position(|&place| place == k);
            parts.push(match own {
                Some(own) => captured[own],
                None if k == 0 && layout.has_number() => b.index(number as i64),
                None => placeholder(b, *r#type),
            });
        }
        Ok(parts)
    }

    /// Erases what made function values, and gives the function its new type.
    fn finish(&mut self, function: Op<'c>) -> Result<()> {
        let mut dead = vec![];
        for op in inside(function) {
            if let Some(value) = op.res(0).filter(|_| is_leaf(op))
                && self.layout(value)?.is_some()
            {
                dead.push(op);
            }
        }
        dead.iter().for_each(|op| op.set_operands(&[]));
        dead.iter().for_each(|op| op.erase());
        let mut counts = vec![];
        let entry = function.body(0);
        let mut blocks = function.blocks();
        blocks.extend(inside(function).into_iter().flat_map(|op| op.blocks()));
        for block in blocks {
            let is_entry = Some(block) == entry;
            for (i, argument) in block.arg_list().into_iter().enumerate().rev() {
                match self.values.get(&argument.key()).filter(|_| is_function(argument)) {
                    Some(new) => {
                        if is_entry {
                            counts.truncate(counts.len().saturating_sub(new.len()));
                            counts.push(new.len());
                        }
                        erase_argument(block, i);
                    }
                    None if is_entry => counts.push(1),
                    None => {}
                }
            }
        }
        counts.reverse();
        let mut results = vec![];
        for (i, r#type) in signature(function).unwrap_or_default().1.into_iter().enumerate() {
            match self.result_layout(function, i, r#type)? {
                Some(layout) => results.extend(layout.types),
                None => results.push(r#type),
            }
        }
        update(self.context, function, &results, &counts);
        Ok(())
    }
}

/// One of two function values. Arrays that they capture may be of different sizes.
fn choose<'c>(
    b: &Builder<'c>,
    condition: Val<'c>,
    yes: &[Val<'c>],
    no: &[Val<'c>],
    types: &[Type<'c>],
) -> Result<Vec<Val<'c>>> {
    if types.iter().any(|r#type| r#type.as_tensor().is_some()) {
        let branch =
            |_: Builder<'c>, taken: bool| Ok(if taken { yes.to_vec() } else { no.to_vec() });
        return Ok(b.if_else(condition, types, branch)?.result_list());
    }
    Ok(yes.iter().zip(no).map(|(&yes, &no)| b.select(condition, yes, no)).collect())
}
