//! `ad-closure-specialize`: what is called with a known function is copied for it.
//!
//! A call of a function value that is known is a direct call. A function that is called with known ones gets a copy that
//! takes what they capture instead, and makes the same closures of it at its start; in the copy they are known in turn. A
//! recursive call in it that hands them on calls the copy itself. A private function that only its copies stand for is erased.
//!
//! Ensures: a copy for every way in which functions are known, and no more than `COPIES` of one function, copies of copies
//! among them.
//! Edge cases: recursion that wraps a closure in another one at each call ends where closures are `DEPTH` deep in each
//! other, or, where what is wrapped is copied for that, at so many copies; a function with a rule of its own is not copied.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt, is_public};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::{
    argument_count, callee_of,
    convert::unused,
    functions, inside, is_function, is_indirect_call, made, modules,
    signature::{replace_arguments, update},
};
use crate::{
    ad::signature,
    support::{builder::Builder, diag::Result, region::replace, symbol::name_of},
};

/// The most copies of a function.
const COPIES: usize = 64;

/// How deep closures that capture closures are followed.
const DEPTH: usize = 8;

/// What is known of a function value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shape {
    callee: String,
    /// For each captured value what is known of it, if it is a function.
    captured: Vec<Option<Shape>>,
}

impl Shape {
    fn of(value: Val<'_>, depth: usize) -> Option<Self> {
        let (callee, captured) = made(value.defining_op()?)?;
        if depth == DEPTH && captured.iter().any(|&value| is_function(value)) {
            return None;
        }
        let captured = captured.into_iter().map(|value| Shape::of(value, depth + 1)).collect();
        Some(Self { callee, captured })
    }

    /// The captured values that are not known functions, also those of captured functions.
    fn leaves<'c>(&self, value: Val<'c>, leaves: &mut Vec<Val<'c>>) {
        let captured = value.defining_op().and_then(made).map(|(_, captured)| captured);
        for (value, shape) in captured.unwrap_or_default().into_iter().zip(&self.captured) {
            match shape {
                Some(shape) => shape.leaves(value, leaves),
                None => leaves.push(value),
            }
        }
    }

    /// Makes the function value again, of other leaves.
    fn rebuild<'c>(
        &self,
        b: &Builder<'c>,
        like: Val<'c>,
        leaves: &mut impl Iterator<Item = Val<'c>>,
    ) -> Option<Val<'c>> {
        let op = like.defining_op()?;
        let (_, old) = made(op)?;
        let mut captured = vec![];
        for (value, shape) in old.into_iter().zip(&self.captured) {
            captured.push(match shape {
                Some(shape) => shape.rebuild(b, value, leaves)?,
                None => leaves.next()?,
            });
        }
        let copy = op.clone_detached();
        copy.set_operands(&captured);
        b.insert(copy);
        copy.res(0)
    }

    fn text(&self) -> String {
        let captured = self.captured.iter().flatten().map(|shape| format!("_{}", shape.text()));
        format!("{}{}", self.callee, captured.collect::<String>())
    }
}

/// Specialises a module; returns how many copies and direct calls there are.
pub fn specialize<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut changed = 0;
    for module in modules(module) {
        let functions = functions(module);
        let named = functions.iter().filter_map(|op| Some((name_of(*op)?, *op)));
        let mut specializer = Specializer {
            context,
            module,
            names: named.collect(),
            copies: HashMap::new(),
            origins: HashMap::new(),
            counts: HashMap::new(),
            todo: functions,
            changed: 0,
        };
        while let Some(function) = specializer.todo.pop() {
            specializer.function(function);
        }
        specializer.erase_unused();
        changed += specializer.changed;
    }
    Ok(changed)
}

/// What is known of each argument of a function, if it is a function value.
type Known = Vec<Option<Shape>>;

struct Specializer<'c> {
    context: &'c Context,
    module: Op<'c>,
    names: HashMap<String, Op<'c>>,
    copies: HashMap<(String, Known), String>,
    /// Which function of the program a copy is of.
    origins: HashMap<String, String>,
    /// How many copies a function of the program has.
    counts: HashMap<String, usize>,
    todo: Vec<Op<'c>>,
    changed: u64,
}

impl<'c> Specializer<'c> {
    /// Erases the private functions that have copies, and that nothing names any more.
    fn erase_unused(&self) {
        let copied: HashSet<&String> = self.copies.keys().map(|(name, _)| name).collect();
        let mut left: HashMap<&String, Op<'c>> = copied
            .into_iter()
            .filter_map(|name| Some((name, *self.names.get(name)?)))
            .filter(|(_, function)| !is_public(*function))
            .collect();
        loop {
            let (mut named, mut rules) = (HashSet::new(), String::new());
            self.module.for_each(&mut |op| {
                named.extend(callee_of(op).into_iter().chain(made(op).map(|(callee, _)| callee)));
                let attributes =
                    ["custom_jvp", "custom_vjp", "ad.inverse"].map(|name| op.attr(name));
                rules.extend(attributes.into_iter().flatten().map(|rule| format!("{rule} ")));
            });
            let before = left.len();
            left.retain(|name, function| {
                let is_used = named.contains(*name) || rules.contains(&format!("@{name}"));
                if !is_used {
                    function.erase();
                }
                is_used
            });
            if left.len() == before {
                return;
            }
        }
    }

    fn function(&mut self, function: Op<'c>) {
        for op in inside(function) {
            let call = if is_indirect_call(op) { self.direct(op) } else { Some(op) };
            if let Some(call) = call.filter(|call| callee_of(*call).is_some()) {
                self.call(call);
            }
        }
        let is_unused = |op: &Op<'c>| made(*op).is_some() && op.is_dead();
        for op in inside(function).into_iter().rev().filter(|op| made(*op).is_some()) {
            if is_unused(&op) {
                op.erase();
            }
        }
    }

    /// A call of a known function as a direct call.
    fn direct(&mut self, op: Op<'c>) -> Option<Op<'c>> {
        let (callee, captured) = made(op.opnd(0)?.defining_op()?)?;
        let b = Builder::before(self.context, op, op.block()?);
        let operands = [&captured[..], &op.operand_list()[1..]].concat();
        let types: Vec<Type<'c>> = op.result_list().iter().map(|r| r.r#type()).collect();
        let results = [("callee", b.symbol_attr(&callee))];
        let new = b.op_with("func.call", &operands, &types, &results, &[]);
        replace(op, &new.result_list());
        self.changed += 1;
        Some(new)
    }

    /// Lets a call or a request with known functions call a copy.
    fn call(&mut self, op: Op<'c>) -> Option<()> {
        let callee = callee_of(op)?;
        let arguments = op.operand_list()[..argument_count(op)].to_vec();
        let known: Known = arguments.iter().map(|&argument| Shape::of(argument, 0)).collect();
        let source = *self.names.get(&callee)?;
        let has_rule = ["custom_jvp", "custom_vjp"].iter().any(|name| source.attr(name).is_some());
        if known.iter().all(Option::is_none) || has_rule || source.body(0).is_none() {
            return None;
        }
        let name = self.copy(source, &callee, &known, &arguments)?;
        let flat = arguments.iter().zip(&known).map(|(&argument, shape)| {
            let mut leaves = vec![];
            match shape {
                Some(shape) => shape.leaves(argument, &mut leaves),
                None => leaves.push(argument),
            }
            leaves
        });
        let flat: Vec<_> = flat.collect();
        replace_arguments(self.context, op, source, &flat);
        let b = Builder::before(self.context, op, op.block()?);
        op.set_attr(self.context, "callee", b.symbol_attr(&name));
        Some(())
    }

    /// The name of the copy of a function for known arguments.
    fn copy(
        &mut self,
        source: Op<'c>,
        callee: &str,
        known: &[Option<Shape>],
        arguments: &[Val<'c>],
    ) -> Option<String> {
        let key = (callee.to_owned(), known.to_vec());
        if let Some(name) = self.copies.get(&key) {
            return Some(name.clone());
        }
        let origin = self.origins.get(callee).map_or(callee, String::as_str).to_owned();
        let count = self.counts.entry(origin.clone()).or_default();
        *count += 1;
        if *count > COPIES {
            return None;
        }
        let list: Vec<_> = known.iter().flatten().map(Shape::text).collect();
        let mut names: HashSet<String> = self.names.keys().cloned().collect();
        let name = unused(&mut names, &format!("{callee}.with_{}", list.join("_")));
        let copy = source.clone_detached();
        self.module.body(0)?.push(copy);
        let b = Builder::before(self.context, copy, self.module.body(0)?);
        let text = |text: &str| melior::ir::attribute::StringAttribute::new(self.context, text);
        copy.set_attr(self.context, "sym_name", text(&name).into());
        copy.set_attr(self.context, "sym_visibility", text("private").into());
        self.take_captured(copy, known, arguments, b.location())?;
        self.names.insert(name.clone(), copy);
        self.origins.insert(name.clone(), origin);
        self.copies.insert(key, name.clone());
        self.todo.push(copy);
        self.changed += 1;
        Some(name)
    }

    /// Lets a copy take what known functions capture instead of them.
    fn take_captured(
        &self,
        copy: Op<'c>,
        known: &[Option<Shape>],
        arguments: &[Val<'c>],
        location: melior::ir::Location<'c>,
    ) -> Option<()> {
        let entry = copy.body(0)?;
        let first = *entry.ops().first()?;
        let b = Builder::before(self.context, first, entry).with_location(location);
        let mut counts = vec![1; known.len()];
        for (i, shape) in known.iter().enumerate().rev() {
            let Some(shape) = shape else { continue };
            let mut leaves = vec![];
            shape.leaves(arguments[i], &mut leaves);
            let new: Vec<_> = leaves
                .iter()
                .enumerate()
                .map(|(k, leaf)| entry.insert_arg(i + 1 + k, leaf.r#type(), location))
                .collect();
            counts[i] = new.len();
            let made = shape.rebuild(&b, arguments[i], &mut new.into_iter())?;
            entry.arg_list()[i].replace_all_uses(made);
            ad_dialect::blocks::erase_argument(entry, i);
        }
        let (_, results) = signature(copy)?;
        update(self.context, copy, &results, &counts);
        Some(())
    }
}
