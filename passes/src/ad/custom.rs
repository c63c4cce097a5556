//! Custom derivative rules: the attributes `custom_jvp` and `custom_vjp` of a function
//! name functions that are used wherever the function is differentiated, by a request or
//! through a call.
//!
//! For `f: xs -> ys`, where `xs'` and `ys'` are the differentiable ones:
//! ```text
//! custom_jvp = @h               h: (xs, xs_dot')           -> (ys, ys_dot')
//! custom_vjp = @g               g: (xs, ys_bar')           -> (ys, xs_bar')
//! custom_vjp = [@fwd, @bwd]     fwd: xs                    -> (ys, residuals)
//!                               bwd: (residuals, ys_bar')  -> xs_bar'
//! ```
//! The residuals are any values; in the second form of `custom_vjp` a call's forward sweep is
//! the call of `fwd`, and the return sweep reads its residuals (checklist FP3).
//! A mode without a rule differentiates the body, if there is one.
//!
//! A derivative asks for some of the arguments and seeds some of the results only. So
//! each demand gets a function with the signature of any other derivative, which calls
//! the rule with zeros for the missing seeds and drops what is not wanted; inlining
//! removes it. It is ordinary code: a rule is differentiated again through its body, and may
//! ask for derivatives, but for none that needs the rule.
//!
//! Invariant: a rule is used after `verify` has accepted it only.
//! Tests: test/ad/custom.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, text_of};
use melior::{
    Context,
    ir::{
        Attribute, Type,
        attribute::{ArrayAttribute, FlatSymbolRefAttribute},
        operation::OperationLike,
        r#type::FunctionType,
    },
};

use super::{Derivative, Mode, Session, inverse, pick, rules, signature};
use crate::support::{
    builder::Builder,
    diag::{Result, error, internal_error},
    symbol::callees,
};

/// Marks functions whose `no_inline` is ours, for as long as requests are unanswered.
const LIFT: &str = "ad.lift_no_inline";

/// The attribute that names the rule of a mode.
fn attribute_of(mode: Mode) -> &'static str {
    match mode {
        Mode::Jvp => "custom_jvp",
        Mode::Vjp => "custom_vjp",
    }
}

/// A custom rule of one mode.
#[derive(Clone, Debug)]
pub enum Rule {
    /// One function for primal and derivative.
    Whole(String),
    /// A forward function that returns residuals, and a backward function that takes them.
    Split(String, String),
}

impl Rule {
    fn functions(self) -> Vec<String> {
        match self {
            Rule::Whole(rule) => vec![rule],
            Rule::Split(forward, backward) => vec![forward, backward],
        }
    }
}

/// Keeps functions with custom rules or inverses from being inlined until their requests are
/// answered; returns how many.
pub fn keep<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut kept = 0;
    for function in functions(module) {
        let has_rule = [Mode::Jvp, Mode::Vjp].map(|m| function.attr(attribute_of(m)).is_some());
        let is_kept = has_rule.contains(&true) || function.attr(inverse::ATTRIBUTE).is_some();
        if is_kept && function.attr("no_inline").is_none() {
            function.set_attr(context, "no_inline", Attribute::unit(context));
            function.set_attr(context, LIFT, Attribute::unit(context));
            kept += 1;
        }
    }
    Ok(kept)
}

/// Undoes `keep`.
pub fn lift(module: Op<'_>) {
    for function in functions(module) {
        if function.attr(LIFT).is_some() {
            function.remove_attr(LIFT);
            function.remove_attr("no_inline");
        }
    }
}

fn functions<'c>(module: Op<'c>) -> Vec<Op<'c>> {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    ops.into_iter().filter(|op| op.op_name() == "func.func").collect()
}

/// Refuses attributes that name no function, or one of the wrong type.
pub fn verify(session: &Session<'_>) -> Result<()> {
    session
        .functions()
        .into_iter()
        .flat_map(|(_, function)| [(function, Mode::Jvp), (function, Mode::Vjp)])
        .map(|(function, mode)| verify_one(session, function, mode))
        .fold(Ok(()), Result::and)
}

fn verify_one<'c>(session: &Session<'c>, function: Op<'c>, mode: Mode) -> Result<()> {
    let name = attribute_of(mode);
    let Some(attribute) = function.attr(name) else { return Ok(()) };
    let forms = match mode {
        Mode::Jvp => "'@rule'",
        Mode::Vjp => "'@rule' or '[@forward, @backward]'",
    };
    let Some(rule) =
        parse(attribute).filter(|rule| mode == Mode::Vjp || matches!(rule, Rule::Whole(_)))
    else {
        return Err(error(function, &format!("'{name}' must be {forms}")));
    };
    let types = Types::of(function)?;
    let check = |rule: &str, inputs: Vec<Type<'c>>, results: Vec<Type<'c>>| -> Result<()> {
        let found = session.rule_type(function, name, rule)?;
        if found == (inputs.clone(), results.clone()) {
            return Ok(());
        }
        let text = |(inputs, results): (Vec<Type<'c>>, Vec<Type<'c>>)| {
            FunctionType::new(session.context, &inputs, &results).to_string()
        };
        let (found, wanted) = (text(found), text((inputs, results)));
        Err(error(
            function,
            &format!("'{name}' rule '@{rule}' has type {found} but needs {wanted}"),
        ))
    };
    let join = |a: &[Type<'c>], b: &[Type<'c>]| [a, b].concat();
    match rule {
        Rule::Whole(rule) if mode == Mode::Jvp => check(
            &rule,
            join(&types.inputs, &types.inputs_with()),
            join(&types.results, &types.results_with()),
        ),
        Rule::Whole(rule) => check(
            &rule,
            join(&types.inputs, &types.results_with()),
            join(&types.results, &types.inputs_with()),
        ),
        Rule::Split(forward, backward) => {
            let (_, mut residuals) = session.rule_type(function, name, &forward)?;
            residuals = residuals.split_off(types.results.len().min(residuals.len()));
            check(&forward, types.inputs.clone(), join(&types.results, &residuals))?;
            check(&backward, join(&residuals, &types.results_with()), types.inputs_with())
        }
    }
}

fn parse(attribute: Attribute<'_>) -> Option<Rule> {
    let symbol = |a: Attribute<'_>| FlatSymbolRefAttribute::try_from(a).ok().and(text_of(a));
    if let Some(rule) = symbol(attribute) {
        return Some(Rule::Whole(rule));
    }
    let pair = ArrayAttribute::try_from(attribute).ok().filter(|pair| pair.len() == 2)?;
    let name = |i| pair.element(i).ok().and_then(symbol);
    Some(Rule::Split(name(0)?, name(1)?))
}

/// The types of a function, and which of them have derivatives.
struct Types<'c> {
    inputs: Vec<Type<'c>>,
    results: Vec<Type<'c>>,
}

impl<'c> Types<'c> {
    fn of(function: Op<'c>) -> Result<Self> {
        let Some((inputs, results)) = signature(function) else {
            return Err(internal_error(function, "function without type"));
        };
        Ok(Self { inputs, results })
    }

    fn inputs_with(&self) -> Vec<Type<'c>> {
        pick_types(&self.inputs)
    }

    fn results_with(&self) -> Vec<Type<'c>> {
        pick_types(&self.results)
    }
}

fn pick_types<'c>(types: &[Type<'c>]) -> Vec<Type<'c>> {
    differentiable(types).into_iter().map(|i| types[i]).collect()
}

/// Positions of the differentiable types.
fn differentiable(types: &[Type<'_>]) -> Vec<usize> {
    (0..types.len()).filter(|&i| types[i].is_differentiable()).collect()
}

/// Where `positions` are among the differentiable ones.
fn among(all: &[usize], positions: &[usize]) -> Vec<usize> {
    positions.iter().filter_map(|p| all.iter().position(|a| a == p)).collect()
}

/// A forward and a backward function, ready to be called.
pub struct Split<'c> {
    forward: String,
    backward: String,
    results: usize,
    forward_types: Vec<Type<'c>>,
    cotangents: Vec<Type<'c>>,
    inputs: Vec<usize>,
    seeded: Vec<usize>,
}

impl<'c> Split<'c> {
    /// Calls the forward function.
    pub fn forward(&self, b: &Builder<'c>, arguments: &[Val<'c>]) -> Vec<Val<'c>> {
        rules::call(b, &self.forward, arguments, &self.forward_types)
    }

    /// Calls the backward function: cotangents of the arguments in `wrt`, from those
    /// seeds of the results that there are and what the forward function returned.
    pub fn backward(
        &self,
        b: &Builder<'c>,
        outcome: &[Val<'c>],
        seeds: &[Option<Val<'c>>],
        wrt: &[usize],
    ) -> Vec<Val<'c>> {
        let mut operands = outcome[self.results.min(outcome.len())..].to_vec();
        operands.extend(
            self.seeded.iter().map(|&r| seeds[r].unwrap_or_else(|| b.zeros_like(outcome[r]))),
        );
        let bars = rules::call(b, &self.backward, &operands, &self.cotangents);
        pick(&bars, &among(&self.inputs, wrt))
    }
}

impl<'c> Session<'c> {
    /// The custom rule of a function, if it has one for the mode.
    pub fn custom_rule(&self, callee: &str, mode: Mode) -> Option<Rule> {
        self.names.get(callee)?.attr(attribute_of(mode)).and_then(parse)
    }

    /// Answers the requests in the functions of a custom rule and in all that they call, before the
    /// rule is used. `at` is the call or request.
    pub fn answer_rule(&mut self, at: Op<'c>, callee: &str, mode: Mode) -> Result<()> {
        let mut names = self.custom_rule(callee, mode).map(Rule::functions).unwrap_or_default();
        let mut number = 0;
        while let Some(name) = names.get(number).cloned() {
            number += 1;
            let Some(&function) = self.names.get(&name) else { continue };
            if self.answering.contains(&name) {
                return Err(self.refuse_cycle(at, callee));
            }
            self.answer_requests(&name, function)?;
            for called in callees(function) {
                if !names.contains(&called) {
                    names.push(called);
                }
            }
        }
        Ok(())
    }

    /// The custom rule with residuals of a function, if it has one.
    pub fn custom_split(&self, callee: &str) -> Result<Option<Split<'c>>> {
        let (Some(Rule::Split(forward, backward)), Some(&function)) =
            (self.custom_rule(callee, Mode::Vjp), self.names.get(callee))
        else {
            return Ok(None);
        };
        let types = Types::of(function)?;
        Ok(Some(Split {
            forward_types: self.rule_type(function, "custom_vjp", &forward)?.1,
            cotangents: types.inputs_with(),
            inputs: differentiable(&types.inputs),
            seeded: differentiable(&types.results),
            results: types.results.len(),
            forward,
            backward,
        }))
    }

    /// The type of the function that a rule names.
    #[allow(clippy::type_complexity)]
    fn rule_type(
        &self,
        function: Op<'c>,
        attribute: &str,
        rule: &str,
    ) -> Result<(Vec<Type<'c>>, Vec<Type<'c>>)> {
        let found = self.names.get(rule).filter(|op| op.op_name() == "func.func");
        found.and_then(|op| signature(*op)).ok_or_else(|| {
            let text = format!(
                "'{attribute}' refers to '@{rule}', which is not a function of this module"
            );
            error(function, &text)
        })
    }

    /// The name of a new function that computes a derivative by the custom rule.
    pub fn custom_derivative(
        &mut self,
        callee: &str,
        source: Op<'c>,
        derivative: &Derivative,
        rule: &Rule,
    ) -> Result<String> {
        let name = self.unused_name(&self.derivative_name(callee, derivative));
        let target = self.declare(source, &name, derivative)?;
        self.derivatives.insert((callee.to_owned(), derivative.clone()), name.clone());
        self.statistics.functions += 1;
        let Some(body) = target.body(0) else {
            return Err(internal_error(source, "derivative without body"));
        };
        let b = Builder::at_end(self.context, body, source.location());
        let types = Types::of(source)?;
        let (arguments, seeds) = (body.arg_list(), types.inputs.len());
        let (arguments, seeds) = arguments.split_at(seeds);
        let returned = match (rule, derivative.mode) {
            (Rule::Whole(rule), Mode::Jvp) => jvp(&b, rule, &types, derivative, arguments, seeds),
            (Rule::Whole(rule), Mode::Vjp) => {
                vjp(&b, rule, callee, &types, derivative, (arguments, seeds))
            }
            (Rule::Split(..), _) => {
                let Some(split) = self.custom_split(callee)? else {
                    return Err(internal_error(source, "rule without functions"));
                };
                let outcome = split.forward(&b, arguments);
                let seeds = spread(types.results.len(), &derivative.of, seeds);
                let bars = split.backward(&b, &outcome, &seeds, &derivative.wrt);
                [&outcome[..types.results.len()], &bars].concat()
            }
        };
        b.op("func.return", &returned, &[]);
        Ok(name)
    }
}

/// The values at their positions among `count`.
fn spread<'c>(count: usize, positions: &[usize], values: &[Val<'c>]) -> Vec<Option<Val<'c>>> {
    let mut all = vec![None; count];
    for (&i, &value) in positions.iter().zip(values) {
        all[i] = Some(value);
    }
    all
}

/// Results and wanted tangents, by one call of the rule.
fn jvp<'c>(
    b: &Builder<'c>,
    rule: &str,
    types: &Types<'c>,
    derivative: &Derivative,
    arguments: &[Val<'c>],
    seeds: &[Val<'c>],
) -> Vec<Val<'c>> {
    let seeds = spread(arguments.len(), &derivative.wrt, seeds);
    let mut operands = arguments.to_vec();
    operands.extend(
        differentiable(&types.inputs)
            .into_iter()
            .map(|i| seeds[i].unwrap_or_else(|| b.zeros_like(arguments[i]))),
    );
    let all =
        rules::call(b, rule, &operands, &[&types.results[..], &types.results_with()].concat());
    let (results, dots) = all.split_at(types.results.len());
    let wanted = among(&differentiable(&types.results), &derivative.of);
    [results, &pick(dots, &wanted)].concat()
}

/// Results and wanted cotangents, by one call of the rule. A missing seed whose sizes
/// are known at run time only has them from a call of the function itself.
fn vjp<'c>(
    b: &Builder<'c>,
    rule: &str,
    callee: &str,
    types: &Types<'c>,
    derivative: &Derivative,
    (arguments, seeds): (&[Val<'c>], &[Val<'c>]),
) -> Vec<Val<'c>> {
    let seeds = spread(types.results.len(), &derivative.of, seeds);
    let seeded = differentiable(&types.results);
    let is_dynamic = |r: &usize| types.results[*r].shape().iter().any(|&size| size < 0);
    let primal = if seeded.iter().any(|r| seeds[*r].is_none() && is_dynamic(r)) {
        rules::call(b, callee, arguments, &types.results)
    } else {
        vec![]
    };
    let mut operands = arguments.to_vec();
    operands.extend(seeded.iter().map(|&r| {
        seeds[r].unwrap_or_else(|| match primal.get(r) {
            Some(&result) => b.zeros_like(result),
            None => b.zeros(types.results[r], &[]),
        })
    }));
    let all = rules::call(b, rule, &operands, &[&types.results[..], &types.inputs_with()].concat());
    let (results, bars) = all.split_at(types.results.len());
    let wanted = among(&differentiable(&types.inputs), &derivative.wrt);
    [results, &pick(bars, &wanted)].concat()
}
