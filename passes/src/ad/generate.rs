//! `ad-generate`: adds a derivative function to a module that has no request.

use std::ops::Range;

use ad_dialect::{
    capi::{Part, derivative_type},
    ir::{BlkExt, Op, OpExt, TyExt, Val},
};
use melior::{
    Context,
    ir::{
        Attribute, Type,
        attribute::{FlatSymbolRefAttribute, StringAttribute},
        operation::OperationLike,
    },
};

use super::{
    Statistics, add_function, differentiate, signature,
    split_sweeps::{COTANGENT, SEED, SPLIT},
};
use crate::support::{
    builder::Builder,
    diag::{Result, error},
    symbol::{attributes_at, find, mark_argument, mark_result, name_of, set_attributes},
};

/// The options of the pass.
#[derive(Debug)]
pub struct Options<'a> {
    /// The function to differentiate.
    pub function: &'a str,
    /// `vjp`, `jvp`, `gradient` or `split`.
    pub mode: &'a str,
    /// The name of the new function; empty for the default.
    pub name: &'a str,
    /// Positions of the arguments to differentiate; empty for all.
    pub wrt: &'a [i64],
}

/// The function to add.
struct Plan<'c> {
    source: Op<'c>,
    inputs: Vec<Type<'c>>,
    results: Vec<Type<'c>>,
    /// Types of the derivatives of results.
    differentiable: Vec<Type<'c>>,
    wrt: Vec<i64>,
}

/// Adds the function and answers the request that it consists of, unless it is going to be split.
pub fn generate<'c>(context: &'c Context, module: Op<'c>, options: &Options<'_>) -> Result<()> {
    let plan = plan(module, options)?;
    let name = match options.name {
        "" => format!("{}_{}", function_name(options), options.mode),
        name => name.to_owned(),
    };
    if module.body(0).and_then(|top| find(top, &name)).is_some() {
        return Err(error(module, &format!("already has a symbol '@{name}'")));
    }
    let wanted: Vec<_> = plan.wrt.iter().map(|&i| plan.inputs[i as usize]).collect();
    let [whole, values, shadows] =
        [Part::Whole, Part::Values, Part::Buffers].map(|part| derivative_types(&wanted, part));
    let (seeds, returned) = match options.mode {
        "jvp" => (whole, [&plan.results[..], &plan.differentiable].concat()),
        "vjp" | "split" => {
            let seeds = [&plan.differentiable[..], &shadows].concat();
            (seeds, [&plan.results[..], &values].concat())
        }
        _ => (vec![], values.clone()),
    };
    let inputs = [&plan.inputs[..], &seeds].concat();
    let function = add_function(context, module, plan.source, &name, &inputs, &returned, None);
    let given: Vec<_> = (0..plan.inputs.len()).collect();
    let promises = attributes_at(plan.source, "arg_attrs", &given);
    set_attributes(context, function, "arg_attrs", &promises, inputs.len());
    fill(context, function, &plan, options, &values);
    if options.mode == "split" {
        // Which is answered when functions are inlined, so that loops know what is dear to compute again.
        let name = if options.name.is_empty() { function_name(options) } else { options.name };
        let seeds = plan.inputs.len()..inputs.len();
        mark(context, function, name, seeds, plan.results.len()..returned.len());
        return Ok(());
    }
    let mut statistics = Statistics::default();
    differentiate(context, module, &super::Options::default(), &mut statistics)
        .inspect_err(|_| function.erase())
}

/// The name of the function to differentiate, which may be given with the @ of MLIR.
fn function_name<'a>(options: &Options<'a>) -> &'a str {
    options.function.strip_prefix('@').unwrap_or(options.function)
}

/// Checks the options.
fn plan<'c>(module: Op<'c>, options: &Options<'_>) -> Result<Plan<'c>> {
    if !["vjp", "jvp", "gradient", "split"].contains(&options.mode) {
        let text = format!("mode '{}' is not one of vjp, jvp, gradient, split", options.mode);
        return Err(error(module, &text));
    }
    let name = function_name(options);
    if name.is_empty() {
        return Err(error(module, "needs the name of a function: function=NAME"));
    }
    let Some(source) = module.body(0).and_then(|top| find(top, name)) else {
        return Err(error(module, &format!("has no function '@{name}'")));
    };
    let Some((inputs, results)) = signature(source).filter(|_| source.op_name() == "func.func")
    else {
        return Err(error(source, "is not a function"));
    };
    let is_wanted = |ty: Type<'c>| {
        // A gradient has no place for shadows.
        let is_possible =
            options.mode != "gradient" || derivative_type(ty, Part::Buffers).is_none();
        is_possible && derivative_type(ty, Part::Whole).is_some()
    };
    let all = (0..inputs.len() as i64).filter(|&i| is_wanted(inputs[i as usize]));
    let wrt = if options.wrt.is_empty() { all.collect() } else { options.wrt.to_vec() };
    check_wrt(source, &inputs, &wrt, is_wanted)?;
    let differentiable = derivative_types(&results, Part::Whole);
    if options.mode == "gradient"
        && (differentiable.len() != 1 || !differentiable[0].is_float_type())
    {
        return Err(error(source, "has no gradient: it must have one float result; use mode=vjp"));
    }
    Ok(Plan { source, inputs, results, differentiable, wrt })
}

/// The derivatives of those types that have any.
fn derivative_types<'c>(types: &[Type<'c>], part: Part) -> Vec<Type<'c>> {
    types.iter().filter_map(|&ty| derivative_type(ty, part)).collect()
}

fn check_wrt<'c>(
    source: Op<'c>,
    inputs: &[Type<'c>],
    wrt: &[i64],
    is_wanted: impl Fn(Type<'c>) -> bool,
) -> Result<()> {
    if wrt.is_empty() {
        return Err(error(source, "has no differentiable argument"));
    }
    for (i, position) in wrt.iter().enumerate() {
        let differentiable = usize::try_from(*position)
            .ok()
            .and_then(|position| inputs.get(position))
            .map(|ty| is_wanted(*ty));
        let problem = match differentiable {
            None => "is out of range",
            Some(false) => "is not a differentiable argument",
            Some(true) if wrt[..i].contains(position) => "is listed twice",
            Some(true) => continue,
        };
        return Err(error(source, &format!("'wrt' position {position} {problem}")));
    }
    Ok(())
}

/// Marks the function for `ad-split-sweeps`.
fn mark<'c>(
    context: &'c Context,
    function: Op<'c>,
    name: &str,
    seeds: Range<usize>,
    cotangents: Range<usize>,
) {
    function.set_attr(context, SPLIT, StringAttribute::new(context, name).into());
    seeds.for_each(|position| mark_argument(context, function, position, SEED));
    cotangents.for_each(|position| mark_result(context, function, position, COTANGENT));
}

/// Fills the function with a request and the return of what is wanted.
fn fill<'c>(
    context: &'c Context,
    function: Op<'c>,
    plan: &Plan<'c>,
    options: &Options<'_>,
    wanted: &[Type<'c>],
) {
    let Some(body) = function.body(0) else { return };
    let b = Builder::at_end(context, body, function.location());
    let mut operands: Vec<Val<'c>> = body.arg_list();
    if options.mode == "gradient" {
        operands.push(b.one(plan.differentiable[0]));
    }
    let seeds = operands.len() - plan.inputs.len();
    let (request, derivatives) = match options.mode {
        "jvp" => ("ad.jvp", &plan.differentiable[..]),
        _ => ("ad.vjp", wanted),
    };
    let callee = name_of(plan.source);
    let callee: Attribute<'c> =
        FlatSymbolRefAttribute::new(context, callee.as_deref().unwrap_or_default()).into();
    let attributes = [
        ("callee", callee),
        ("wrt", b.i64s_attr(&plan.wrt)),
        ("operandSegmentSizes", b.i32s_attr(&[plan.inputs.len() as i32, seeds as i32])),
    ];
    let types = [&plan.results[..], derivatives].concat();
    let mut results = b.op_with(request, &operands, &types, &attributes, &[]).result_list();
    if options.mode == "gradient" {
        results.drain(..plan.results.len());
    }
    b.op("func.return", &results, &[]);
}
