//! `lower-atl-to-soac`: functions of the tensor language as combinators.
//!
//! What expressions become is said in [`fold`](super::fold).

use ad_calculus::predicate::Predicate;
use ad_dialect::ir::{Op, OpExt, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::{
    fold::Lower,
    functions,
    import::{Refusal, has_pairs, import, import_root, import_truth, is_of_dialect},
    is_pure,
    scope::replace_results,
    simplified,
};
use crate::support::{
    builder::Builder,
    diag::{Result, error},
};

/// Lowers what there is of the language: functions that consist of it as a whole,
/// other operations one by one. Returns how many of both.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut lowered = 0;
    for function in functions(module) {
        if is_pure(function) {
            lower_function(context, function)?;
            lowered += 1;
        } else {
            lowered += lower_roots(context, function)?;
        }
    }
    Ok(lowered)
}

fn lower_function<'c>(context: &'c Context, function: Op<'c>) -> Result<()> {
    let mut fragment = import(function)?;
    let body = simplified(&mut fragment);
    replace_results(context, function, |b| Lower::new(b, &fragment).program(b, &body))
}

/// Lowers the operations of the language in an operation that has others, too.
pub fn lower_roots<'c>(context: &'c Context, within: Op<'c>) -> Result<u64> {
    let mut roots = Vec::new();
    within.for_each(&mut |op| {
        let is_root = op.parent().is_none_or(|parent| !is_of_dialect(parent));
        if is_of_dialect(op) && is_root {
            roots.push(op);
        }
    });
    let (pairs, roots): (Vec<_>, Vec<_>) = roots
        .into_iter()
        .partition(|root| root.res(0).is_some_and(|result| has_pairs(result.r#type())));
    for root in &roots {
        let (Some(result), Some(block)) = (root.res(0), root.block()) else { continue };
        let b = Builder::before(context, *root, block).with_location(root.location());
        let value = match result.r#type() == b.bool_type() {
            true => {
                let mut fragment = import_truth(*root).map_err(Refusal::report)?;
                let predicate = std::mem::replace(&mut fragment.1, Predicate::True);
                let mut lower = Lower::new(&b, &fragment.0);
                let truth = lower.predicate(&b, &predicate)?;
                lower.finish();
                truth
            }
            false => {
                let mut fragment = import_root(*root).map_err(Refusal::report)?;
                let body = simplified(&mut fragment);
                let values = Lower::new(&b, &fragment).program(&b, &body)?;
                b.cast(values[0], result.r#type())
            }
        };
        result.replace_all_uses(value);
        root.erase();
    }
    for pair in pairs.iter().rev() {
        // Calls in it have no effects: the language has none.
        if pair.res(0).is_some_and(|result| !result.users().is_empty()) {
            let text = "makes pairs for an operation that is none of the tensor language";
            return Err(error(*pair, text));
        }
        pair.erase();
    }
    Ok((pairs.len() + roots.len()) as u64)
}
