//! The tensor language: functions over the `atl` dialect [ATL].
//!
//! `import` makes an expression of the calculus (crate `ad-calculus`) of a
//! function, `export` a function of an expression; what a pass does happens
//! between the two.

pub mod cost;
pub mod derive;
pub mod export;
mod fold;
pub mod fragment;
pub mod import;
pub mod lower;
pub mod presburger;
pub mod raise;
mod scope;
pub mod verify;

use ad_calculus::{
    convert::Builder as SsaBuilder,
    expand::expand_brackets,
    expr::{Expr, type_of_input},
    inline::optimise,
    let_lift::lift_lets,
    pairs::eliminate_pairs,
    push_out::push_out_gens,
    ssa::Ssa,
};
use ad_dialect::ir::{BlkExt, Op, OpExt};
use fragment::Fragment;
use melior::Context;
use presburger::Presburger;

use crate::support::diag::Result;

/// A normal form. Each has those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// Lets outermost [ATL 5.1].
    LetsLifted,
    /// No pairs inside [ATL 5.2].
    PairsEliminated,
    /// Generations outermost in lets [ATL 5.3].
    GensPushedOut,
    /// Tensor SSA [ATL 5.4].
    TensorSsa,
    /// Few tensors, sums only over what predicates leave open [ATL 2.1, 2.2].
    Simplified,
}

/// Brings all functions of the language to a normal form; returns how many.
pub fn normalise<'c>(context: &'c Context, module: Op<'c>, form: Form) -> Result<u64> {
    let functions = functions(module);
    for function in &functions {
        let mut fragment = import::import(*function)?;
        let body = match form {
            Form::TensorSsa => {
                let ssa = to_ssa(&mut fragment);
                ssa.to_expr(&mut fragment.names)
            }
            Form::Simplified => simplified(&mut fragment),
            form => steps(&mut fragment, form),
        };
        export::export(context, &mut fragment, &body)?;
    }
    Ok(functions.len() as u64)
}

/// Whether a function has no operations but those that an expression of the
/// language is made of.
pub fn is_pure(function: Op<'_>) -> bool {
    import::import_quietly(function).is_ok()
}

/// The functions that have operations of the dialect.
pub fn functions(module: Op<'_>) -> Vec<Op<'_>> {
    let all = module.body(0).map(|body| body.ops()).unwrap_or_default();
    all.into_iter().filter(|op| op.op_name() == "func.func" && is_of_language(*op)).collect()
}

/// Whether an operation has operations of the dialect in it.
pub fn is_of_language(op: Op<'_>) -> bool {
    let mut found = false;
    op.for_each(&mut |inner| found |= import::is_of_dialect(inner));
    found
}

fn steps(fragment: &mut Fragment<'_>, form: Form) -> Expr {
    let body = lift_lets(&fragment.body, &mut fragment.names);
    if form == Form::LetsLifted {
        return body;
    }
    let kind_of = |name| type_of_input(&fragment.inputs, name);
    let body = eliminate_pairs(&body, &kind_of, &mut fragment.names);
    match form {
        Form::PairsEliminated => body,
        _ => push_out_gens(&body, &mut fragment.names),
    }
}

/// What a function computes, with generations outermost, and simplified.
fn simplified(fragment: &mut Fragment<'_>) -> Expr {
    let body = steps(fragment, Form::GensPushedOut);
    let body = expand_brackets(&body, &fragment.inputs, &mut fragment.names);
    optimise(&body, &Presburger, &mut fragment.names)
}

/// A function in Tensor SSA.
pub fn to_ssa(fragment: &mut Fragment<'_>) -> Ssa {
    let body = steps(fragment, Form::GensPushedOut);
    let mut builder = SsaBuilder::new(fragment.inputs.clone(), fragment.names.clone());
    let results = builder.convert(&body);
    let (ssa, names) = builder.finish(results);
    fragment.names = names;
    ssa
}
