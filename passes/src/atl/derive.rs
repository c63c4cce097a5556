//! Derivatives of functions of the tensor language, which are in it again
//! [ATL 6].

use ad_calculus::{
    adjoint::differentiate_reverse,
    expr::{Function, Type as Kind, Var, type_of, type_of_input},
    forward::differentiate_forward,
    functions::Origin,
    inline::optimise,
    ssa::Request,
};
use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::ir::{Type, operation::OperationLike};

use super::{
    export::emit_all,
    fragment::{Fragment, FunctionOf, known_function},
    import::import,
    presburger::Presburger,
    scope::erase_unused,
    to_ssa,
};
use crate::{
    ad::{Derivative, Mode, Session},
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        region::{ValueMap, clone_op, renamed},
    },
};

/// Fills the derivative of a function: `target` takes the arguments of `source`
/// and the seeds, and returns the results and the derivatives.
pub fn fill<'c>(
    session: &mut Session<'c>,
    source: Op<'c>,
    target: Op<'c>,
    derivative: &Derivative,
) -> Result<()> {
    let (Some(from), Some(to)) = (source.body(0), target.body(0)) else {
        return Err(internal_error(source, "function without body"));
    };
    let arguments = to.arg_list();
    let count = copy_body(session, from, to, source);
    let mut fragment = import(target)?;
    know_derivatives(&mut fragment);
    let ssa = to_ssa(&mut fragment);
    let var_of = |value: Val<'c>| {
        let inputs = fragment.inputs.iter().zip(&fragment.values);
        let input = inputs.into_iter().find(|(_, other)| other.key() == value.key());
        input.map(|((name, _), _)| *name)
    };
    let wrt = derivative.wrt.iter().map(|position| var_of(arguments[*position]));
    let wrt = wrt.collect::<Option<Vec<_>>>();
    let wrt = wrt.ok_or_else(|| internal_error(source, "an argument is not of the language"))?;
    let request = Request { wrt: &wrt, count, of: &derivative.of };
    let wanted = kind_of_results(&fragment, request, derivative.mode);
    let names = fragment.names.clone();
    let functions = &mut fragment.functions;
    let (derived, names) = match derivative.mode {
        Mode::Jvp => differentiate_forward(&ssa, request, functions, names),
        Mode::Vjp => differentiate_reverse(&ssa, request, &Presburger, functions, names),
    };
    fragment.names = names;
    let seeds = &arguments[from.arg_list().len()..];
    for ((name, kind), value) in derived.inputs[fragment.inputs.len()..].iter().zip(seeds) {
        fragment.inputs.push((*name, kind.clone()));
        fragment.values.push(*value);
    }
    name_functions(session, source, &mut fragment)?;
    let body = derived.to_expr(&mut fragment.names);
    let body = optimise(&body, &Presburger, &mut fragment.names);
    let body = fragment.restored(&body, &wanted);
    let Some(end) = to.term() else {
        return Err(internal_error(source, "function without return"));
    };
    let b = Builder::before(session.context(), end, to).with_location(source.location());
    let types = target_types(target);
    let values = emit_all(&b, &fragment, &body, types.len())?;
    let values: Vec<Val<'c>> =
        values.iter().zip(types).map(|(value, wanted)| b.cast(*value, wanted)).collect();
    b.op("func.return", &values, &[]);
    end.erase();
    erase_unused(to);
    Ok(())
}

/// The types of a function's results.
fn target_types(function: Op<'_>) -> Vec<Type<'_>> {
    crate::ad::signature(function).map(|(_, results)| results).unwrap_or_default()
}

/// The types of the results and of their derivatives, as nested pairs.
fn kind_of_results(fragment: &Fragment<'_>, request: Request<'_>, mode: Mode) -> Kind {
    let input = |name: &Var| type_of_input(&fragment.inputs, *name);
    let whole = type_of(&fragment.body, &|name| input(&name));
    let mut kinds = whole.untuple(request.count);
    match mode {
        Mode::Jvp => {
            kinds.extend(request.of.iter().map(|of| kinds[*of].clone()).collect::<Vec<_>>())
        }
        Mode::Vjp => kinds.extend(request.wrt.iter().map(input)),
    }
    Kind::tuple(kinds)
}

/// Copies a function's operations with a return of its results; returns how many.
fn copy_body<'c>(session: &Session<'c>, from: Blk<'c>, to: Blk<'c>, source: Op<'c>) -> usize {
    let b = Builder::at_end(session.context(), to, source.location());
    let mut map = ValueMap::new();
    for (old, new) in from.arg_list().into_iter().zip(to.arg_list()) {
        map.insert(old.key(), new);
    }
    for op in from.body_ops() {
        clone_op(&b, op, &mut map);
    }
    let results: Vec<Val<'c>> = from.ends().iter().map(|end| renamed(&map, *end)).collect();
    b.op("func.return", &results, &[]);
    results.len()
}

/// Says which functions are the derivatives of others.
fn know_derivatives(fragment: &mut Fragment<'_>) {
    for place in 0..fragment.known_functions.len() {
        let FunctionOf::Operation(name, attributes) = fragment.known_functions[place].clone()
        else {
            continue;
        };
        let derivative = match name.as_str() {
            "math.exp" => "math.exp",
            "math.sin" => "math.cos",
            "math.sinh" => "math.cosh",
            "math.cosh" => "math.sinh",
            _ => continue,
        };
        let derivative = FunctionOf::Operation(derivative.to_owned(), attributes);
        let (table, functions) = (&mut fragment.known_functions, &mut fragment.functions);
        let derivative = known_function(table, functions, derivative, 1);
        functions.set_derivative(Function(place as u32), derivative);
    }
}

/// Adds functions for the derivatives of black boxes, made by the rules of their
/// operations.
fn name_functions<'c>(
    session: &mut Session<'c>,
    source: Op<'c>,
    fragment: &mut Fragment<'c>,
) -> Result<()> {
    for place in fragment.known_functions.len()..fragment.functions.len() {
        let origin = fragment.functions.origin(Function(place as u32));
        let (of, mode) = match origin {
            Origin::Given => return Err(internal_error(source, "a function without a name")),
            Origin::Derivative(of) | Origin::Tangent(of) => (of, Mode::Jvp),
            Origin::Cotangent(of, _) => (of, Mode::Vjp),
        };
        let arity = fragment.functions.arity(of);
        let number = fragment.number;
        let inner = fragment.known_functions[of.0 as usize].clone();
        let inner = scalar_function(session, source, &inner, arity, number)?;
        let derivative = Derivative { mode, wrt: (0..arity).collect(), of: vec![0] };
        let derived = session.derivative(source, &inner, derivative)?;
        let (suffix, arguments, result) = match origin {
            Origin::Tangent(_) => ("tangent".to_owned(), 2 * arity, 1),
            Origin::Cotangent(_, argument) => {
                (format!("cotangent_{argument}"), arity + 1, 1 + argument)
            }
            _ => ("derivative".to_owned(), 1, 1),
        };
        let name = format!("{inner}.{suffix}");
        let has_seed = !matches!(origin, Origin::Derivative(_));
        let types = vec![number; arguments];
        let name =
            session.scalar_function(source, (&name, &name), &types, number, |b, arguments| {
                let mut arguments = arguments.to_vec();
                if !has_seed {
                    arguments.push(b.one(number));
                }
                let count = if mode == Mode::Jvp { 2 } else { 1 + arity };
                let callee = b.symbol_attr(&derived);
                let types = vec![number; count];
                let call = b.op_with("func.call", &arguments, &types, &[("callee", callee)], &[]);
                call.res(result)
            })?;
        fragment.known_functions.push(FunctionOf::Call(name));
    }
    Ok(())
}

/// The name of a function that does what a black box does.
fn scalar_function<'c>(
    session: &mut Session<'c>,
    source: Op<'c>,
    of: &FunctionOf<'c>,
    arity: usize,
    number: Type<'c>,
) -> Result<String> {
    match of {
        FunctionOf::Call(name) => Ok(name.clone()),
        FunctionOf::Operation(operation, attributes) => {
            let name = format!("{}_{number}", operation.replace('.', "_"));
            let key = format!("{name} {attributes:?}");
            let types = vec![number; arity];
            session.scalar_function(source, (&key, &name), &types, number, |b, arguments| {
                Some(of.emit(b, arguments, number))
            })
        }
    }
}
