//! One run of the pass: what is known of the module, and what all rules use.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, text_of};
use melior::{
    Context,
    ir::{Type, operation::OperationLike},
};

use super::{Derivative, Mode, Options, Statistics, add_function, recursion, rules};
use crate::support::{
    builder::Builder,
    diag::{Reported, Result, error_with_notes, internal_error},
    symbol::name_of,
};

/// One run of the pass over one module.
pub struct Session<'c> {
    pub(super) context: &'c Context,
    /// What the user wants.
    pub options: Options,
    pub(super) module: Op<'c>,
    pub(super) names: HashMap<String, Op<'c>>,
    pub(super) derivatives: HashMap<(String, Derivative), String>,
    /// The functions of scalars that were added, by what they are.
    pub(super) scalar_functions: HashMap<String, String>,
    /// The derivatives that are being made, the innermost last.
    pub(super) making: Vec<(String, Derivative)>,
    /// How many of them were begun before the requests that are being answered: those need the answers.
    pub(super) waiting: usize,
    pub(super) answering: HashSet<String>,
    /// The functions whose requests have been seen to, and how that went.
    pub(super) answered: HashMap<String, Result<()>>,
    /// Raised copies of functions, which belong to no module.
    pub(super) raised: HashMap<(String, Mode), Op<'c>>,
    /// Derivatives in two halves, by the function that joins them: what they are derivatives of.
    pub(super) halved: HashMap<String, (String, Derivative)>,
    /// Other derivatives in reverse mode that keep buffers on tapes: what they are derivatives of.
    pub(super) keeping: HashMap<String, (String, Derivative)>,
    /// The groups of functions whose derivatives are made in halves, the innermost last.
    pub(super) groups: Vec<recursion::Group<'c>>,
    pub(super) requests: Vec<Op<'c>>,
    /// What the loops of the derivative that is being made save.
    pub loops: Vec<rules::LoopReport<'c>>,
    /// Counts for the user.
    pub statistics: Statistics,
}

impl<'c> Session<'c> {
    pub(super) fn new(context: &'c Context, module: Op<'c>, options: Options) -> Self {
        let names = module
            .body(0)
            .map(|body| body.ops())
            .unwrap_or_default()
            .into_iter()
            .filter_map(|op| Some((name_of(op)?, op)))
            .collect();
        Self {
            context,
            options,
            module,
            names,
            derivatives: HashMap::new(),
            scalar_functions: HashMap::new(),
            making: vec![],
            waiting: 0,
            answering: HashSet::new(),
            answered: HashMap::new(),
            raised: HashMap::new(),
            halved: HashMap::new(),
            keeping: HashMap::new(),
            groups: vec![],
            requests: vec![],
            loops: vec![],
            statistics: Statistics::default(),
        }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The functions of the module, in order.
    pub(super) fn functions(&self) -> Vec<(String, Op<'c>)> {
        let ops = self.module.body(0).map(|body| body.ops()).unwrap_or_default();
        ops.into_iter()
            .filter(|op| op.op_name() == "func.func")
            .filter_map(|op| Some((name_of(op)?, op)))
            .collect()
    }

    /// Reports that an operation has no rule, with a note at the request.
    pub fn no_rule(&self, op: Op<'c>, mode: &str) -> Reported {
        let reason = rules::without::refusal(op.op_name())
            .or_else(|| rules::linalg::refusal(op))
            .or_else(|| rules::bits::refusal(op))
            .or_else(|| rules::call::refusal(op))
            .or_else(|| rules::memory::refusal(op))
            .map_or_else(String::new, |reason| format!(": {reason}"));
        let message = format!(
            "has no {mode} rule{reason}; mark its operand with 'ad.stop_gradient' if no derivative is wanted"
        );
        self.refuse(op, &message)
    }

    /// Reports that an operation stands in the way, with a note at the request.
    pub fn refuse(&self, op: Op<'c>, message: &str) -> Reported {
        let notes: Vec<_> = self
            .requests
            .iter()
            .rev()
            .map(|&request| (request, "derivative requested here".to_owned()))
            .collect();
        error_with_notes(op, message, &notes)
    }

    /// Reports that a derivative is asked for that needs the answer.
    pub(super) fn refuse_cycle(&self, at: Op<'c>, callee: &str) -> Reported {
        let message =
            format!("asks for the derivative of '@{callee}', which contains the request itself");
        self.refuse(at, &message)
    }

    /// The name of the private function of scalars that `key` identifies. It is added
    /// on first demand, as `name` if no other function has it.
    pub fn scalar_function(
        &mut self,
        source: Op<'c>,
        (key, name): (&str, &str),
        inputs: &[Type<'c>],
        result: Type<'c>,
        body: impl FnOnce(&Builder<'c>, &[Val<'c>]) -> Option<Val<'c>>,
    ) -> Result<String> {
        if let Some(name) = self.scalar_functions.get(key) {
            return Ok(name.clone());
        }
        let name = self.unused_name(name);
        let private = Some("private");
        let function =
            add_function(self.context, self.module, source, &name, inputs, &[result], private);
        self.names.insert(name.clone(), function);
        self.scalar_functions.insert(key.to_owned(), name.clone());
        let block = function.body(0);
        let block = block.ok_or_else(|| internal_error(source, "a function without a body"))?;
        let b = Builder::at_end(self.context, block, source.location());
        let value = body(&b, &block.arg_list());
        let value = value.ok_or_else(|| internal_error(source, "a call without a result"))?;
        b.op("func.return", &[value], &[]);
        Ok(name)
    }

    /// A function whose body may stand in place of a call: it has one, does not call itself, and has no rule of its own.
    pub(super) fn inlinable(&self, name: &str) -> Option<Op<'c>> {
        let &callee = self.names.get(name)?;
        callee.body(0)?;
        let mut seen = HashSet::new();
        let is_free =
            self.custom_rule(name, Mode::Vjp).is_none() && !self.calls(name, name, &mut seen);
        is_free.then_some(callee)
    }

    /// Whether a function calls another one, be it through others.
    pub(super) fn calls(&self, caller: &str, callee: &str, seen: &mut HashSet<String>) -> bool {
        let Some(&function) = self.names.get(caller) else { return false };
        let mut called = vec![];
        function.for_each(&mut |op| called.extend(op.attr("callee").and_then(text_of)));
        called.into_iter().any(|name| {
            name == callee || seen.insert(name.clone()) && self.calls(&name, callee, seen)
        })
    }

    pub(super) fn unused_name(&self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 0;
        while self.names.contains_key(&name) {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        name
    }
}
