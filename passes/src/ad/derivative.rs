//! Derivative functions, each of which is made once.

use std::cell::LazyCell;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val};
use melior::ir::{Type, TypeLike, ValueLike};

use super::{
    Derivative, Mode, Session, activity::Flows, add_function, cfg, effects::activity_of, jvp,
    memory, pick, rules, signature, task::Task, vjp,
};
use crate::{
    atl, checkpoint, raise,
    support::{
        diag::{Result, internal_error},
        lowering::{has_affine, lower_affine},
    },
};

impl<'c> Session<'c> {
    /// The name of a derivative function of `callee`, which is generated on first
    /// demand. `at` is the call or request.
    pub fn derivative(
        &mut self,
        at: Op<'c>,
        callee: &str,
        derivative: Derivative,
    ) -> Result<String> {
        let key = (callee.to_owned(), derivative.clone());
        if self.making.iter().take(self.waiting).any(|waiting| *waiting == key) {
            return Err(self.refuse_cycle(at, callee));
        }
        if let Some(name) = self.derivatives.get(&key) {
            return Ok(name.clone());
        }
        self.making.push(key);
        let name = self.make(at, callee, derivative);
        self.making.pop();
        name
    }

    fn make(&mut self, at: Op<'c>, callee: &str, derivative: Derivative) -> Result<String> {
        if let (Some(rule), Some(&source)) =
            (self.custom_rule(callee, derivative.mode), self.names.get(callee))
        {
            self.answer_rule(at, callee, derivative.mode)?;
            return self.custom_derivative(callee, source, &derivative, &rule);
        }
        let source = self.differentiable_body(at, callee, derivative.mode)?;
        if self.answering.contains(callee) {
            return Err(self.refuse_cycle(at, callee));
        }
        self.answer_requests(callee, source)?;
        if atl::is_of_language(source) && atl::is_pure(source) {
            return self.derivative_of_language(callee, source, derivative);
        }
        if let Some(name) = self.exchanged(at, callee, &derivative)? {
            return Ok(name);
        }
        if let Some(whole) = self.in_one(callee)? {
            return self.derivative(at, &whole, derivative);
        }
        if let Some(name) = self.derivative_in_halves(callee, &derivative)? {
            return Ok(name);
        }
        let name = self.derivative_name(callee, &derivative);
        let key = (callee.to_owned(), derivative.clone());
        self.derivative_in_one(callee, source, derivative, key, &name)
    }

    /// The derivative in one function, which gets a name.
    pub(super) fn derivative_in_one(
        &mut self,
        callee: &str,
        source: Op<'c>,
        derivative: Derivative,
        key: (String, Derivative),
        name: &str,
    ) -> Result<String> {
        let source = self.raised(callee, source, derivative.mode)?;
        self.refuse_unknown_ranks(source, derivative.mode)?;
        let flows = Flows::of(&source.blocks());
        self.refuse_escapes(source, &flows, &derivative)?;
        if derivative.mode == Mode::Vjp {
            rules::tape::refuse(self, source)?;
            self.refuse_repeated_effects(source, &flows, &derivative)?;
        }
        let name = self.unused_name(name);
        let target = self.declare(source, &name, &derivative)?;
        self.derivatives.insert(key, name.clone());
        self.statistics.functions += 1;
        let checkpoints = self.statistics.checkpoints;
        let mut loops = self.fill(source, target, &derivative, &flows)?;
        if let Some(budget) = self.options.memory_budget
            && checkpoint::budget::apply(self.context, &loops, budget)?
        {
            cfg::empty(target);
            self.statistics.checkpoints = checkpoints;
            loops = self.fill(source, target, &derivative, &Flows::of(&source.blocks()))?;
        }
        loops.iter().for_each(rules::LoopReport::emit);
        if derivative.mode == Mode::Vjp && keeps_buffers(target) {
            self.keeping.insert(name.clone(), (callee.to_owned(), derivative));
        }
        Ok(name)
    }

    /// The derivative of a function of the tensor language.
    fn derivative_of_language(
        &mut self,
        callee: &str,
        source: Op<'c>,
        derivative: Derivative,
    ) -> Result<String> {
        let name = self.unused_name(&self.derivative_name(callee, &derivative));
        let target = self.declare(source, &name, &derivative)?;
        atl::derive::fill(self, source, target, &derivative)?;
        self.derivatives.insert((callee.to_owned(), derivative), name.clone());
        self.statistics.functions += 1;
        Ok(name)
    }

    /// Fills a derivative function; returns what its loops save.
    fn fill(
        &mut self,
        source: Op<'c>,
        target: Op<'c>,
        derivative: &Derivative,
        flows: &Flows,
    ) -> Result<Vec<rules::LoopReport<'c>>> {
        let outer = std::mem::take(&mut self.loops);
        let mode = derivative.mode;
        let task = Task::new(source, target, derivative.clone(), false, flows)?;
        let is_graph = source.blocks().len() > 1;
        let filled = match mode {
            Mode::Jvp if is_graph => cfg::jvp_function(self, source, task),
            Mode::Vjp if is_graph => cfg::vjp_function(self, source, task),
            Mode::Jvp => jvp::function(self, task),
            Mode::Vjp => vjp::function(self, task),
        };
        let loops = std::mem::replace(&mut self.loops, outer);
        filled.map(|()| loops)
    }

    /// The function in a form whose operations have rules: a raised copy if there is
    /// anything to raise, else the function itself.
    pub(super) fn raised(&mut self, name: &str, function: Op<'c>, mode: Mode) -> Result<Op<'c>> {
        let has_language = atl::is_of_language(function);
        let has_memory = memory::uses_memory(self, function);
        let is_graph = cfg::is_graph(function);
        let is_other = has_language || has_memory || is_graph || has_affine(function);
        if !is_other && !raise::is_wanted(function, &[mode.into()]) {
            return Ok(function);
        }
        let key = (name.to_owned(), mode);
        if let Some(&copy) = self.raised.get(&key) {
            return Ok(copy);
        }
        let copy = function.clone_detached();
        self.raised.insert(key, copy);
        lower_affine(copy)?;
        if has_memory {
            memory::mark(self, name, function, copy);
            memory::lower(self, copy, mode)?;
        }
        if cfg::is_graph(copy) {
            cfg::normalise(self, copy, mode.name())?;
        }
        if has_language {
            atl::lower::lower_roots(self.context, copy)?;
        }
        raise::raise(self.context, copy, &[mode.into()])?;
        Ok(copy)
    }

    /// Refuses tensors of unknown rank, of which no zero can be made.
    fn refuse_unknown_ranks(&self, source: Op<'c>, mode: Mode) -> Result<()> {
        let is_unknown = |value: &Val<'c>| value.r#type().is_unranked_tensor();
        let mut found = None;
        source.for_each(&mut |op| {
            let mut values = op.operand_list().into_iter().chain(op.result_list());
            found = found.or_else(|| values.any(|value| is_unknown(&value)).then_some(op));
        });
        let Some(op) = found else { return Ok(()) };
        let mode = mode.name();
        let remedy = "run 'ad-specialize' first, which infers it";
        Err(self
            .refuse(op, &format!("has no {mode} rule: the rank of a tensor is unknown; {remedy}")))
    }

    /// Refuses operations that would lose a derivative unnoticed, all at once.
    pub(super) fn refuse_escapes(
        &self,
        source: Op<'c>,
        flows: &Flows,
        derivative: &Derivative,
    ) -> Result<()> {
        let Some(body) = source.body(0) else { return Ok(()) };
        let sources = pick(&body.arg_list(), &derivative.wrt);
        let activity = LazyCell::new(|| activity_of(source, flows, derivative));
        let is_lost_in_call = |op: Op<'c>| {
            let is_active = |value| activity.is_active(value);
            op.op_name() == "func.call"
                && !op.result_list().into_iter().any(is_active)
                && !activity.is_on_shared(op)
                && self.hands_on_elsewhere(op, derivative.mode)
        };
        flows
            .escapes(&source.blocks(), &sources, is_lost_in_call)
            .into_iter()
            .map(|op| Err(self.no_rule(op, derivative.mode.name())))
            .fold(Ok(()), Result::and)
    }

    /// `f.vjp_0_2`, and `f.vjp_0_2_of_1` if only result 1 of several is meant.
    pub(super) fn derivative_name(&self, callee: &str, derivative: &Derivative) -> String {
        let list = |positions: &[usize]| -> String {
            positions.iter().map(|position| format!("_{position}")).collect()
        };
        let mut name = format!("{callee}.{}{}", derivative.mode.name(), list(&derivative.wrt));
        if derivative.of != self.differentiable_results(callee) {
            name += &format!("_of{}", list(&derivative.of));
        }
        name
    }

    /// The function, if its body can be differentiated.
    fn differentiable_body(&self, at: Op<'c>, callee: &str, mode: Mode) -> Result<Op<'c>> {
        let mode = mode.name();
        let Some(&source) = self.names.get(callee) else {
            return Err(
                self.refuse(at, &format!("refers to '@{callee}', which is not in the module"))
            );
        };
        if source.body(0).is_none() {
            return Err(self.refuse(
                at,
                &format!(
                    "has no {mode} rule: '@{callee}' has no body; give it one, or the attribute \
                          'custom_{mode}', or mark its arguments with 'ad.stop_gradient'"
                ),
            ));
        }
        Ok(source)
    }

    /// Adds the derivative function, private and with an empty block.
    pub(super) fn declare(
        &mut self,
        source: Op<'c>,
        name: &str,
        derivative: &Derivative,
    ) -> Result<Op<'c>> {
        let Some((inputs, results)) = signature(source) else {
            return Err(internal_error(source, "function without type"));
        };
        let at = |types: &[Type<'c>], positions: &[usize]| -> Vec<Type<'c>> {
            positions.iter().filter_map(|&i| types.get(i).copied()).collect()
        };
        let (wrt, of) = (at(&inputs, &derivative.wrt), at(&results, &derivative.of));
        let (shadows, values): (Vec<_>, Vec<_>) = wrt.iter().partition(|ty| ty.is_mem_ref());
        let (seeds, derivatives) = match derivative.mode {
            Mode::Jvp => (wrt, of),
            Mode::Vjp => ([of, shadows].concat(), values),
        };
        let inputs = [inputs, seeds].concat();
        let results = [results, derivatives].concat();
        let function = add_function(
            self.context,
            self.module,
            source,
            name,
            &inputs,
            &results,
            Some("private"),
        );
        self.names.insert(name.to_owned(), function);
        Ok(function)
    }
}

/// Whether a function puts buffers on tapes.
fn keeps_buffers(function: Op<'_>) -> bool {
    let mut found = false;
    function.for_each(&mut |op| {
        let is_push = op.op_name() == "ad.tape_push";
        found |= is_push && op.operand_list().iter().any(|value| value.r#type().is_mem_ref());
    });
    found
}
