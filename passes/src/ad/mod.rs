//! Derivatives: the engines and their rules.
//!
//! Reading order: this page; `jvp`, the forward engine, which is short; `vjp`, the
//! reverse engine; `cotangent` and `activity`, which it uses; then any file in
//! `rules`.
//!
//! Glossary. *Primal*: the original value or computation. *Tangent* (`x_dot`):
//! input or output of a jvp. *Cotangent* (`x_bar`): input or output of a vjp.
//! *Adjoint*: the accumulated cotangent of one variable. *Seed*: the tangent or
//! cotangent that a request starts from. *Active*: depends on an argument that is
//! differentiated and reaches a result. *Forward sweep* and *return sweep*: the two
//! halves of reverse mode. *Checkpoint*: loop state stored so that part of the
//! primal can be run again.
//!
//! A derivative is a function of its own: `@f.vjp_0_2` is the vjp of `@f` with
//! respect to arguments 0 and 2. A request becomes a call of it.

pub mod activity;
pub mod cfg;
pub mod closure;
pub mod cotangent;
pub mod custom;
mod effects;
pub mod generate;
pub mod inverse;
pub mod jvp;
pub mod mask;
pub mod memory;
pub mod options;
mod recursion;
pub mod rules;
pub mod vjp;

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{
    Blk, BlkExt, Op, OpExt, OpParts, TyExt, Val, create_op, i64_array, text_of, type_of,
};
use melior::{
    Context,
    ir::{
        Attribute, Location, Type, TypeLike, ValueLike,
        attribute::{StringAttribute, TypeAttribute},
        operation::OperationLike,
        r#type::FunctionType,
    },
};

use activity::{Activity, Flows};
pub use options::{Options, Residuals};

use crate::{
    atl, checkpoint, raise,
    simplify::zero::is_zero,
    support::{
        builder::Builder,
        diag::{Reported, Result, error, error_with_notes, internal_error},
        records,
        symbol::name_of,
    },
};

/// What `ad-differentiate` counts.
#[derive(Debug, Default)]
pub struct Statistics {
    /// Requests answered.
    pub requests: u64,
    /// Derivative functions generated.
    pub functions: u64,
    /// Values checkpointed by loops.
    pub checkpoints: u64,
}

/// Forward or reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Jacobian-vector products.
    Jvp,
    /// Vector-Jacobian products.
    Vjp,
}

impl Mode {
    /// The name of the mode, as in the request's name.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Jvp => "jvp",
            Mode::Vjp => "vjp",
        }
    }
}

/// Which derivative of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Derivative {
    /// Forward or reverse.
    pub mode: Mode,
    /// Positions of the arguments that are differentiated.
    pub wrt: Vec<usize>,
    /// Positions of the results whose derivative is seeded (vjp) or asked for (jvp).
    pub of: Vec<usize>,
}

/// Answers every request in the module; on failure the module is left as it was.
pub fn differentiate<'c>(
    context: &'c Context,
    module: Op<'c>,
    options: &Options,
    statistics: &mut Statistics,
) -> Result<()> {
    let copy = module.clone_detached();
    let result = records::split(copy)
        .and_then(|()| closure::prepare(context, copy))
        .and_then(|()| differentiate_in_place(context, copy, options, statistics));
    if result.is_ok()
        && let (Some(old), Some(new)) = (module.body(0), copy.body(0))
    {
        for op in old.ops() {
            op.erase();
        }
        for op in new.ops() {
            op.detach();
            old.push(op);
        }
    }
    copy.erase();
    result
}

fn differentiate_in_place<'c>(
    context: &'c Context,
    module: Op<'c>,
    options: &Options,
    statistics: &mut Statistics,
) -> Result<()> {
    let mut session = Session::new(context, module, *options);
    custom::verify(&session).and(session.verify_inverses())?;
    let mut result = Ok(());
    for (name, function) in session.functions() {
        result = session.answer_requests(&name, function).and(result);
    }
    // What was begun when an error was found may still use values of the raised copies or of other functions, so it goes
    // before them, and without operands; the whole module is a copy that goes then.
    if result.is_err() {
        let begun = module.body(0).map(|body| body.ops()).unwrap_or_default();
        begun.iter().for_each(|op| op.for_each(&mut |inner| inner.set_operands(&[])));
        begun.into_iter().for_each(|op| op.erase());
    }
    session.raised.drain().for_each(|(_, copy)| copy.erase());
    result?;
    statistics.requests += session.statistics.requests;
    statistics.functions += session.statistics.functions;
    statistics.checkpoints += session.statistics.checkpoints;
    remove_stop_gradients(module);
    custom::lift(module);
    for op in module.body(0).map(|body| body.ops()).unwrap_or_default() {
        if op.op_name() == "builtin.module" {
            differentiate_in_place(context, op, options, statistics)?;
        }
    }
    refuse_left_over(module)
}

/// An `ad.stop_gradient` has done its work when all requests are answered.
fn remove_stop_gradients(module: Op<'_>) {
    let mut found = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "ad.stop_gradient" {
            found.push(op);
        }
    });
    for op in found {
        if let (Some(result), Some(operand)) = (op.res(0), op.opnd(0)) {
            ad_dialect::ir::ValExt::replace_all_uses(&result, operand);
            op.erase();
        }
    }
}

/// Requests that are in no function of the module cannot be answered.
fn refuse_left_over(module: Op<'_>) -> Result<()> {
    let mut result = Ok(());
    module.for_each(&mut |op| {
        if is_request(op) {
            result =
                Err(error(op, "is not inside a function: move the request into a 'func.func'"));
        }
    });
    result
}

fn is_request(op: Op<'_>) -> bool {
    matches!(op.op_name(), "ad.vjp" | "ad.jvp")
}

/// One run of the pass over one module.
pub struct Session<'c> {
    context: &'c Context,
    /// What the user wants.
    pub options: Options,
    module: Op<'c>,
    names: HashMap<String, Op<'c>>,
    derivatives: HashMap<(String, Derivative), String>,
    /// The functions of scalars that were added, by what they are.
    scalar_functions: HashMap<String, String>,
    answering: HashSet<String>,
    /// The functions whose requests have been seen to, and how that went.
    answered: HashMap<String, Result<()>>,
    /// Raised copies of functions, which belong to no module.
    raised: HashMap<(String, Mode), Op<'c>>,
    /// Derivatives in two halves, by the function that joins them: what they are derivatives of.
    halved: HashMap<String, (String, Derivative)>,
    /// The groups of functions whose derivatives are made in halves, the innermost last.
    groups: Vec<recursion::Group<'c>>,
    requests: Vec<Op<'c>>,
    /// What the loops of the derivative that is being made save.
    pub loops: Vec<rules::LoopReport<'c>>,
    /// Counts for the user.
    pub statistics: Statistics,
}

impl<'c> Session<'c> {
    fn new(context: &'c Context, module: Op<'c>, options: Options) -> Self {
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
            answering: HashSet::new(),
            answered: HashMap::new(),
            raised: HashMap::new(),
            halved: HashMap::new(),
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
    fn functions(&self) -> Vec<(String, Op<'c>)> {
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

    /// Replaces the requests in a function by calls.
    fn answer_requests(&mut self, name: &str, function: Op<'c>) -> Result<()> {
        if let Some(earlier) = self.answered.get(name) {
            return *earlier;
        }
        self.answered.insert(name.to_owned(), Ok(()));
        self.answering.insert(name.to_owned());
        let mut requests = vec![];
        function.for_each(&mut |op| {
            if is_request(op) {
                requests.push(op);
            }
        });
        let mut result = Ok(());
        for request in requests {
            self.requests.push(request);
            if let Err(reported) = self.answer(request) {
                result = Err(reported);
            }
            self.requests.pop();
        }
        self.answering.remove(name);
        self.answered.insert(name.to_owned(), result);
        result
    }

    fn answer(&mut self, request: Op<'c>) -> Result<()> {
        let Some(callee) = request.attr("callee").and_then(text_of) else {
            return Err(internal_error(request, "request without callee"));
        };
        let mode = if request.op_name() == "ad.vjp" { Mode::Vjp } else { Mode::Jvp };
        let mut wrt = match request.attr("wrt").and_then(i64_array) {
            Some(positions) => positions.iter().map(|&position| position as usize).collect(),
            None => self.differentiable_arguments(&callee),
        };
        let mut of = self.differentiable_results(&callee);
        let seeded = if mode == Mode::Vjp { &mut of } else { &mut wrt };
        let shadows = match mode {
            Mode::Vjp => self.buffers(&callee, request),
            Mode::Jvp => 0,
        };
        let operands = self.without_zero_seeds(request, seeded, shadows);
        let derivative = self.derivative(request, &callee, Derivative { mode, wrt, of })?;
        let Some(block) = request.block() else {
            return Err(internal_error(request, "request outside of a block"));
        };
        let b = Builder::before(self.context, request, block);
        let types: Vec<_> = request.result_list().iter().map(|r| r.r#type()).collect();
        let results = rules::call(&b, &derivative, &operands, &types);
        for (old, new) in request.result_list().into_iter().zip(results) {
            ad_dialect::ir::ValExt::replace_all_uses(&old, new);
        }
        request.erase();
        self.statistics.requests += 1;
        Ok(())
    }

    /// The operands of a request without seeds that are zero, as those of all other rows are where it
    /// asks for a row of a Jacobian; their positions go from those that are seeded. What they would
    /// reach is no more differentiated than what no seed reaches.
    fn without_zero_seeds(
        &self,
        request: Op<'c>,
        seeded: &mut Vec<usize>,
        shadows: usize,
    ) -> Vec<Val<'c>> {
        let mut operands = request.operand_list();
        let shadows = operands.split_off(operands.len() - shadows);
        if !self.options.plain_ieee {
            let seeds = operands.split_off(operands.len() - seeded.len());
            let kept: Vec<_> = seeds.iter().map(|&seed| !is_zero(seed)).collect();
            let mut keep = kept.iter().copied();
            seeded.retain(|_| keep.next().unwrap_or(true));
            operands.extend(seeds.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(s, _)| s));
        }
        operands.extend(shadows);
        operands
    }

    /// The number of buffers that a request is with respect to.
    fn buffers(&self, callee: &str, request: Op<'c>) -> usize {
        let Some((inputs, _)) = self.names.get(callee).and_then(|op| signature(*op)) else {
            return 0;
        };
        let wrt: Vec<usize> = match request.attr("wrt").and_then(i64_array) {
            Some(positions) => positions.iter().map(|&position| position as usize).collect(),
            None => self.differentiable_arguments(callee),
        };
        let is_buffer = |i: &usize| inputs.get(*i).is_some_and(|ty| memory::is_buffer_type(*ty));
        wrt.iter().filter(|i| is_buffer(i)).count()
    }

    fn differentiable_arguments(&self, callee: &str) -> Vec<usize> {
        let Some(signature) = self.names.get(callee).and_then(|op| signature(*op)) else {
            return vec![];
        };
        (0..signature.0.len()).filter(|&i| has_derivative(signature.0[i])).collect()
    }

    fn differentiable_results(&self, callee: &str) -> Vec<usize> {
        let Some(signature) = self.names.get(callee).and_then(|op| signature(*op)) else {
            return vec![];
        };
        (0..signature.1.len()).filter(|&i| has_derivative(signature.1[i])).collect()
    }

    /// The name of a derivative function of `callee`, which is generated on first
    /// demand. `at` is the call or request.
    pub fn derivative(
        &mut self,
        at: Op<'c>,
        callee: &str,
        derivative: Derivative,
    ) -> Result<String> {
        let key = (callee.to_owned(), derivative.clone());
        if let Some(name) = self.derivatives.get(&key) {
            return Ok(name.clone());
        }
        if let (Some(rule), Some(&source)) =
            (self.custom_rule(callee, derivative.mode), self.names.get(callee))
        {
            return self.custom_derivative(callee, source, &derivative, &rule);
        }
        let source = self.differentiable_body(at, callee, derivative.mode)?;
        if self.answering.contains(callee) {
            return Err(self.refuse(
                at,
                &format!(
                    "asks for the derivative of '@{callee}', which contains the request itself"
                ),
            ));
        }
        self.answer_requests(callee, source)?;
        if atl::is_of_language(source) && atl::is_pure(source) {
            return self.derivative_of_language(callee, source, derivative);
        }
        if let Some(whole) = self.in_one(callee)? {
            return self.derivative(at, &whole, derivative);
        }
        if let Some(name) = self.derivative_in_halves(callee, &derivative)? {
            return Ok(name);
        }
        let name = self.derivative_name(callee, &derivative);
        self.derivative_in_one(callee, source, derivative, key, &name)
    }

    /// The derivative in one function, which gets a name.
    fn derivative_in_one(
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
    fn raised(&mut self, name: &str, function: Op<'c>, mode: Mode) -> Result<Op<'c>> {
        let has_language = atl::is_of_language(function);
        let has_memory = memory::uses_memory(function);
        let is_graph = cfg::is_graph(function);
        if !has_language && !has_memory && !is_graph && !raise::is_wanted(function, &[mode.into()])
        {
            return Ok(function);
        }
        let key = (name.to_owned(), mode);
        if let Some(&copy) = self.raised.get(&key) {
            return Ok(copy);
        }
        let copy = function.clone_detached();
        self.raised.insert(key, copy);
        if has_memory {
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
    fn refuse_escapes(&self, source: Op<'c>, flows: &Flows, derivative: &Derivative) -> Result<()> {
        let Some(body) = source.body(0) else { return Ok(()) };
        let sources = pick(&body.arg_list(), &derivative.wrt);
        flows
            .escapes(&source.blocks(), &sources)
            .into_iter()
            .map(|op| Err(self.no_rule(op, derivative.mode.name())))
            .fold(Ok(()), Result::and)
    }

    /// `f.vjp_0_2`, and `f.vjp_0_2_of_1` if only result 1 of several is meant.
    fn derivative_name(&self, callee: &str, derivative: &Derivative) -> String {
        let list = |positions: &[usize]| -> String {
            positions.iter().map(|position| format!("_{position}")).collect()
        };
        let mut name = format!("{callee}.{}{}", derivative.mode.name(), list(&derivative.wrt));
        if derivative.of != self.differentiable_results(callee) {
            name += &format!("_of{}", list(&derivative.of));
        }
        name
    }

    /// A function whose body may stand in place of a call: it has one, does not call itself, and has no rule of its own.
    fn inlinable(&self, name: &str) -> Option<Op<'c>> {
        let &callee = self.names.get(name)?;
        callee.body(0)?;
        let mut seen = HashSet::new();
        let is_free =
            self.custom_rule(name, Mode::Vjp).is_none() && !self.calls(name, name, &mut seen);
        is_free.then_some(callee)
    }

    /// Whether a function calls another one, be it through others.
    fn calls(&self, caller: &str, callee: &str, seen: &mut HashSet<String>) -> bool {
        let Some(&function) = self.names.get(caller) else { return false };
        let mut called = vec![];
        function.for_each(&mut |op| called.extend(op.attr("callee").and_then(text_of)));
        called.into_iter().any(|name| {
            name == callee || seen.insert(name.clone()) && self.calls(&name, callee, seen)
        })
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

    fn unused_name(&self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 0;
        while self.names.contains_key(&name) {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        name
    }

    /// Adds the derivative function, private and with an empty block.
    fn declare(&mut self, source: Op<'c>, name: &str, derivative: &Derivative) -> Result<Op<'c>> {
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

/// The argument and result types of a function.
pub fn signature<'c>(function: Op<'c>) -> Option<(Vec<Type<'c>>, Vec<Type<'c>>)> {
    let function =
        FunctionType::try_from(function.attr("function_type").and_then(type_of)?).ok()?;
    let inputs =
        (0..function.input_count()).map(|i| function.input(i).ok()).collect::<Option<_>>()?;
    let results =
        (0..function.result_count()).map(|i| function.result(i).ok()).collect::<Option<_>>()?;
    Some((inputs, results))
}

/// Adds a function with an empty block at the end of the module.
pub(crate) fn add_function<'c>(
    context: &'c Context,
    module: Op<'c>,
    source: Op<'c>,
    name: &str,
    inputs: &[Type<'c>],
    results: &[Type<'c>],
    visibility: Option<&str>,
) -> Op<'c> {
    let r#type = FunctionType::new(context, inputs, results).into();
    let mut attributes: Vec<(&str, Attribute<'c>)> = vec![
        ("sym_name", StringAttribute::new(context, name).into()),
        ("function_type", TypeAttribute::new(r#type).into()),
    ];
    if let Some(visibility) = visibility {
        attributes.push(("sym_visibility", StringAttribute::new(context, visibility).into()));
    }
    let function = create_op(
        context,
        OpParts {
            name: "func.func",
            location: source.location(),
            operands: &[],
            results: &[],
            attributes: &attributes,
            regions: &[inputs.to_vec()],
            successors: &[],
        },
    );
    if let Some(body) = module.body(0) {
        Blk::push(&body, function);
    }
    function
}

/// A function and its derivative, taken apart for an engine.
pub struct Task<'c> {
    /// The body of the function.
    pub from: Blk<'c>,
    /// The body of the derivative, to be filled.
    pub to: Blk<'c>,
    /// The return of the function.
    pub terminator: Op<'c>,
    /// The arguments of the function.
    pub arguments: Vec<Val<'c>>,
    /// Those that are differentiated.
    pub wrt: Vec<Val<'c>>,
    /// What the function returns.
    pub results: Vec<Val<'c>>,
    /// Positions of the results whose derivative is seeded or asked for.
    pub of: Vec<usize>,
    /// What needs a derivative.
    pub activity: Activity,
    /// Whether the derivative is cut at its exit.
    pub is_cut: bool,
    /// Where the function is.
    pub location: Location<'c>,
}

impl<'c> Task<'c> {
    /// A function and its derivative, which is to be cut at its exit or not.
    fn new(
        source: Op<'c>,
        target: Op<'c>,
        derivative: Derivative,
        is_cut: bool,
        flows: &Flows,
    ) -> Result<Self> {
        let (Some(from), Some(to)) = (source.body(0), target.body(0)) else {
            return Err(internal_error(source, "function without body"));
        };
        let ends = source.blocks().into_iter().filter_map(|block| block.term());
        let Some(terminator) = ends.into_iter().find(|end| end.op_name() == "func.return") else {
            return Err(internal_error(source, "function without return"));
        };
        let (arguments, results) = (from.arg_list(), terminator.operand_list());
        let wrt = pick(&arguments, &derivative.wrt);
        let wanted = pick(&results, &derivative.of);
        let is_written_later = is_cut || derivative.mode == Mode::Jvp;
        let activity =
            flows.activity(&sources(&wrt, &wanted, is_written_later), &sinks(&wrt, wanted));
        let (of, location) = (derivative.of, source.location());
        Ok(Self { from, to, terminator, arguments, wrt, results, of, activity, is_cut, location })
    }
}

impl<'c> Task<'c> {
    /// The results that have a seed: where the derivative is cut, buffers have none, because whoever calls the halves has
    /// their shadows.
    pub fn seeded(&self) -> Vec<Val<'c>> {
        let mut seeded = pick(&self.results, &self.of);
        seeded.retain(|value| !self.is_cut || !activity::is_shared(*value));
        seeded
    }

    /// The results whose shadows are returned.
    pub fn handed_out(&self) -> Vec<Val<'c>> {
        let mut handed_out = pick(&self.results, &self.of);
        handed_out.retain(|value| self.is_cut && activity::is_shared(*value));
        handed_out
    }
}

/// What varies: what is differentiated, and buffers that are returned to a caller that has their shadows and may write to
/// them what varies.
fn sources<'c>(wrt: &[Val<'c>], results: &[Val<'c>], is_written_later: bool) -> Vec<Val<'c>> {
    let is_source = |value: &&Val<'c>| is_written_later && memory::is_buffer(**value);
    wrt.iter().chain(results.iter().filter(is_source)).copied().collect()
}

/// What a derivative is asked of: results, and the contents of buffers in the end.
fn sinks<'c>(wrt: &[Val<'c>], results: Vec<Val<'c>>) -> Vec<Val<'c>> {
    let buffers = wrt.iter().copied().filter(|value| memory::is_buffer(*value));
    results.into_iter().chain(buffers).collect()
}

/// Whether values of the type have a derivative, be it in a shadow.
fn has_derivative(r#type: Type<'_>) -> bool {
    r#type.is_differentiable() || memory::is_buffer_type(r#type)
}

/// The values of a list at positions.
pub fn pick<'c>(list: &[Val<'c>], positions: &[usize]) -> Vec<Val<'c>> {
    positions.iter().filter_map(|&i| list.get(i).copied()).collect()
}
