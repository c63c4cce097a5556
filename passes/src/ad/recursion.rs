//! Derivatives of functions that call themselves or each other, in time that is linear in that of the primal.
//!
//! The rule for calls runs a function again for its derivative; done at every level of a recursion, that multiplies
//! [ZYG 3: differentiating recursion]. So functions that call each other get derivatives in two halves (`cfg::halves`):
//! ```text
//! ys = f.forward(xs, tapes)         instead of  ys = f(xs)
//! xs_bar = f.pullback(ys_bar, tapes)  in the return sweep
//! f.vjp(xs, ys_bar):  tapes = create;  ys = f.forward(xs, tapes);  xs_bar = f.pullback(ys_bar, tapes);  free tapes
//! ```
//! All functions of a group, with all that is asked of them, share the tapes of all.
//!
//! Shadows of buffers go with the buffers: the first half takes those of arguments and returns those of results.
//! Functions that are on the way to a call of such a function with buffers belong to the group, because it cannot be run
//! again for them either.
//!
//! Ensures: every function of the group runs as often as in the primal, and no value is kept that is not read.
//! Edge cases: a recursive call inside of a combinator, a function that has a rule of its own: those are differentiated as
//! all other calls are. Halves hand tapes to each other, and so are not differentiated: the derivative of the derivative is the
//! one in halves of that in forward mode; where there are rules or arguments that are buffers, it is that of the form which
//! runs functions again, which is refused if they write to memory.
//! Tests: test/ad/vjp/call-recursive.mlir, test/ad/vjp/memory-recursive.mlir, test/ad/numeric/call-recursive.mlir,
//! test/ad/numeric/memory-recursive.mlir.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, text_of};
use melior::ir::{Type, TypeLike, ValueLike, operation::OperationLike};

use super::{
    Derivative, Mode, Session, Task,
    activity::Flows,
    add_function, cfg,
    memory::{self, is_buffer_type},
    rules, signature,
};
use crate::{
    atl, raise,
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        graph::Graph,
        symbol::callees,
    },
};

/// Functions that call each other, while their derivatives are made.
pub struct Group<'c> {
    functions: HashSet<String>,
    members: Vec<Member<'c>>,
}

/// The two halves of one derivative.
#[derive(Clone)]
struct Member<'c> {
    callee: String,
    derivative: Derivative,
    forward: (String, Op<'c>),
    pullback: (String, Op<'c>),
}

impl<'c> Session<'c> {
    /// The functions that a function calls and that call it, itself among them, and those on the way to functions that
    /// call themselves and use buffers; none if there is no such function, or if they cannot be differentiated in halves.
    /// Those that already are can be made in one.
    fn group_of(&self, callee: &str) -> HashSet<String> {
        let (names, calls) = self.calls_from(callee);
        let all: Vec<_> = (0..names.len()).collect();
        let cycles = calls.cycles(&all).concat();
        let uses_buffers = |name: &str| {
            let types = self.names.get(name).and_then(|op| signature(*op)).unwrap_or_default();
            types.0.into_iter().chain(types.1).any(is_buffer_type)
                || self.is_writing(name, &mut HashSet::new())
        };
        let mut with_buffers = cycles.clone();
        with_buffers.retain(|&number| uses_buffers(&names[number]));
        let is_needed = |number: &usize| {
            let reached = calls.reached(*number, None);
            reached[0]
                || with_buffers.contains(number)
                || with_buffers.iter().any(|&other| reached[other])
        };
        let found = all.into_iter().filter(|number| !cycles.is_empty() && is_needed(number));
        let group: HashSet<String> = found.map(|number| names[number].clone()).collect();
        let may_be_cut = |name: &String| {
            self.names.get(name).is_some_and(|&function| {
                self.custom_rule(name, Mode::Vjp).is_none()
                    && !atl::is_of_language(function)
                    && is_unnestable(function, &group)
            })
        };
        if group.iter().all(may_be_cut) { group } else { HashSet::new() }
    }

    /// The functions that a function calls, directly or not, after itself, and who calls whom. Derivatives in halves are not
    /// looked into.
    pub(super) fn calls_from(&self, callee: &str) -> (Vec<String>, Graph) {
        let mut names = vec![callee.to_owned()];
        let mut numbers = HashMap::from([(callee.to_owned(), 0)]);
        let mut next = vec![];
        while let Some(name) = names.get(next.len()).cloned() {
            let function = self.names.get(&name).filter(|_| !self.halved.contains_key(&name));
            let called = function.map(|op| callees(*op)).unwrap_or_default();
            let number = |name: String| match numbers.get(&name) {
                Some(&number) => number,
                None => {
                    names.push(name.clone());
                    numbers.insert(name, names.len() - 1);
                    names.len() - 1
                }
            };
            next.push(called.into_iter().map(number).collect());
        }
        (names, Graph::new(next))
    }

    /// Whether a call of the function is one of both halves of its derivative.
    pub(super) fn is_in_group(&self, callee: &str) -> bool {
        self.groups.last().is_some_and(|group| group.functions.contains(callee))
    }

    /// The derivative of a function in two halves, if it calls itself, directly or not.
    pub(super) fn derivative_in_halves(
        &mut self,
        callee: &str,
        derivative: &Derivative,
    ) -> Result<Option<String>> {
        if derivative.mode == Mode::Jvp {
            return Ok(None);
        }
        let functions = self.group_of(callee);
        if functions.is_empty() {
            return Ok(None);
        }
        let mut names: Vec<_> = functions.iter().cloned().collect();
        names.sort();
        for name in &names {
            if let Some(&function) = self.names.get(name) {
                self.answer_requests(name, function)?;
            }
        }
        let Some(&source) = self.names.get(callee) else { return Ok(None) };
        let name = self.unused_name(&self.derivative_name(callee, derivative));
        let whole = self.declare(source, &name, derivative)?;
        self.derivatives.insert((callee.to_owned(), derivative.clone()), name.clone());
        self.halved.insert(name.clone(), (callee.to_owned(), derivative.clone()));
        self.groups.push(Group { functions, members: vec![] });
        let filled = self.fill_group(callee, derivative);
        let Some(group) = self.groups.pop() else {
            return Err(internal_error(source, "derivatives in halves without a group"));
        };
        filled?;
        let mut tapes = vec![];
        for member in &group.members {
            let arguments = self.names.get(&member.callee).and_then(|op| signature(*op));
            let arguments = arguments.map_or(0, |(arguments, _)| arguments.len());
            let halves = (member.forward.1, member.pullback.1);
            tapes.push(cfg::halves::cut(self, halves, arguments)?);
        }
        let is_half = |name: &str| {
            group.members.iter().any(|member| member.forward.0 == name || member.pullback.0 == name)
        };
        let halves: Vec<_> =
            group.members.iter().map(|member| (member.forward.1, member.pullback.1)).collect();
        let types = cfg::halves::share(self.context, &halves, &tapes, &is_half);
        if let Some(member) = group.members.first() {
            self.join(whole, member, &types)?;
        }
        Ok(Some(name))
    }

    /// Makes the derivatives of a group, each with a mark where it is to be cut.
    fn fill_group(&mut self, callee: &str, derivative: &Derivative) -> Result<()> {
        self.half(callee, derivative)?;
        let mut number = 0;
        while let Some(member) = self.groups.last().and_then(|g| g.members.get(number)).cloned() {
            number += 1;
            let source = self.in_blocks(&member.callee)?;
            let flows = Flows::of(&source.blocks());
            self.refuse_escapes(source, &flows, &member.derivative)?;
            rules::tape::refuse(self, source)?;
            self.refuse_repeated_effects(source, &flows, &member.derivative)?;
            let outer = std::mem::take(&mut self.loops);
            let task = Task::new(source, member.forward.1, member.derivative, true, &flows)?;
            self.statistics.functions += 1;
            let filled = cfg::vjp_function(self, source, task);
            let loops = std::mem::replace(&mut self.loops, outer);
            filled?;
            loops.iter().for_each(rules::LoopReport::emit);
        }
        Ok(())
    }

    /// The names of both halves of a derivative, if the function belongs to the group whose derivatives are made.
    pub fn half(
        &mut self,
        callee: &str,
        derivative: &Derivative,
    ) -> Result<Option<(String, String)>> {
        let Some(group) = self.groups.last().filter(|_| self.is_in_group(callee)) else {
            return Ok(None);
        };
        let is_it = |m: &&Member<'c>| m.callee == callee && m.derivative == *derivative;
        if let Some(member) = group.members.iter().find(is_it) {
            return Ok(Some((member.forward.0.clone(), member.pullback.0.clone())));
        }
        let Some(&source) = self.names.get(callee) else { return Ok(None) };
        let name = self.derivative_name(callee, derivative);
        let positions = name.split_once(".vjp").map(|(_, list)| list.to_owned());
        let positions = positions.unwrap_or_default();
        let (inputs, results) = signature(source).unwrap_or_default();
        let at = |types: &[Type<'c>], positions: &[usize]| -> (Vec<_>, Vec<_>) {
            let types = positions.iter().filter_map(|&i| types.get(i).copied());
            types.partition(|ty| ty.is_mem_ref())
        };
        let (made, seeds) = at(&results, &derivative.of);
        let (shadows, bars) = at(&inputs, &derivative.wrt);
        let mut add = |name: &str, inputs: &[Type<'c>], results: &[Type<'c>]| {
            let name = self.unused_name(&format!("{callee}.{name}{positions}"));
            let (module, private) = (self.module, Some("private"));
            let added = add_function(self.context, module, source, &name, inputs, results, private);
            self.names.insert(name.clone(), added);
            (name, added)
        };
        let (inputs, results) =
            ([&inputs[..], &seeds, &shadows].concat(), [&results[..], &made, &bars].concat());
        let (forward, target) = add("forward", &inputs, &results);
        let (pullback, back) = add("pullback", &seeds, &bars);
        let names = (forward.clone(), pullback.clone());
        let member = Member {
            callee: callee.to_owned(),
            derivative: derivative.clone(),
            forward: (forward, target),
            pullback: (pullback, back),
        };
        if let Some(group) = self.groups.last_mut() {
            group.members.push(member);
        }
        Ok(Some(names))
    }

    /// A copy of a function in which the calls of the group are in no structured operation.
    fn in_blocks(&mut self, name: &str) -> Result<Op<'c>> {
        let (key, Some(&function)) =
            ((format!("{name} in blocks"), Mode::Vjp), self.names.get(name))
        else {
            return Err(internal_error(self.module, "a function that is gone"));
        };
        if let Some(&copy) = self.raised.get(&key) {
            return Ok(copy);
        }
        let functions = self.groups.last().map(|group| group.functions.clone()).unwrap_or_default();
        let copy = function.clone_detached();
        self.raised.insert(key, copy);
        if memory::uses_memory(self, copy) {
            memory::lower(self, copy, Mode::Vjp)?;
        }
        cfg::unnest(self.context, copy, &|op| is_call_of(op, &functions))?;
        cfg::normalise(self, copy, Mode::Vjp.name())?;
        raise::raise(self.context, copy, &[Mode::Vjp.into()])?;
        Ok(copy)
    }

    /// Both halves, one after the other; what is asked about buffers that are returned is in their shadows before the second.
    fn join(&self, whole: Op<'c>, member: &Member<'c>, types: &[Type<'c>]) -> Result<()> {
        let Some(body) = whole.body(0) else { return Ok(()) };
        let b = Builder::at_end(self.context, body, whole.location());
        let tapes: Vec<Val<'c>> =
            types.iter().map(|ty| b.val("ad.tape_create", &[], *ty)).collect();
        let mut seeds = body.arg_list();
        let primal = self.names.get(&member.callee).and_then(|op| signature(*op));
        let mut arguments = seeds.drain(..primal.unwrap_or_default().0.len()).collect::<Vec<_>>();
        arguments.extend(seeds.split_off(member.derivative.of.len()));
        let results = |op: Op<'c>| signature(op).unwrap_or_default().1;
        let forward = [&arguments[..], &tapes].concat();
        let mut ys = rules::call(&b, &member.forward.0, &forward, &results(member.forward.1));
        let (asked, seeds): (Vec<_>, Vec<_>) =
            seeds.into_iter().partition(|seed| seed.r#type().is_mem_ref());
        for (shadow, seed) in ys.split_off(ys.len() - asked.len()).into_iter().zip(asked) {
            memory::add(&b, shadow, seed)?;
        }
        let back = [&seeds[..], &tapes].concat();
        let bars = rules::call(&b, &member.pullback.0, &back, &results(member.pullback.1));
        for tape in tapes.into_iter().rev() {
            b.op("ad.tape_free", &[tape], &[]);
        }
        b.op("func.return", &[ys, bars].concat(), &[]);
        Ok(())
    }

    /// The same derivative in one function, which can be differentiated again.
    pub(super) fn in_one(&mut self, name: &str) -> Result<Option<String>> {
        let Some((callee, derivative)) = self.halved.get(name).cloned() else { return Ok(None) };
        let key = (format!("{name} in one"), derivative.clone());
        if let Some(whole) = self.derivatives.get(&key) {
            return Ok(Some(whole.clone()));
        }
        let Some(&source) = self.names.get(&callee) else { return Ok(None) };
        let wanted = format!("{name}.whole");
        self.derivative_in_one(&callee, source, derivative, key, &wanted).map(Some)
    }
}

fn is_call_of(op: Op<'_>, functions: &HashSet<String>) -> bool {
    let callee = || op.attr("callee").and_then(text_of).unwrap_or_default();
    op.op_name() == "func.call" && functions.contains(&callee())
}

/// Whether the calls of some functions are in nothing but structured control flow.
fn is_unnestable(function: Op<'_>, functions: &HashSet<String>) -> bool {
    let mut result = true;
    function.for_each(&mut |op| {
        if is_call_of(op, functions) {
            let around = std::iter::successors(op.parent(), |op| op.parent());
            let mut around = around.take_while(|op| op.key() != function.key());
            result &= around.all(|op| cfg::STRUCTURED.contains(&op.op_name()));
        }
    });
    result
}
