//! Functions that can be undone: the attribute `ad.inverse` names a function that finds arguments from results, so that
//! reverse mode need not keep them [ZYG 3.1, reversible computation].
//!
//! ```text
//! ad.inverse = @g      f: (xs, ws) -> ys,  g: (ys, ws) -> xs      for any number of arguments ws at the end
//! return sweep of ys = f(xs, ws):   xs = g(ys, ws);   f_vjp(xs, ws, ys_bar) as for any call
//! ```
//! It is used for calls in blocks of functions, which run once, or are come back to along the path that was taken
//! (`cfg/undo`); and for what an `scf.for` carries through a call (`rules/loops/undo`). In other scopes the call runs
//! again anyway, to find its results.
//!
//! Invariant: an inverse is used after `verify` has accepted its type only. That it undoes the function is a promise.
//! Tests: test/ad/vjp/inverse.mlir, test/ad/numeric/inverse.mlir, test/ad/invalid-inverse.mlir.

use ad_dialect::ir::{Op, OpExt, Val, ValExt, text_of};
use melior::ir::{Type, attribute::FlatSymbolRefAttribute, r#type::FunctionType};

use super::{Session, signature, vjp::Vjp};
use crate::support::{
    builder::Builder,
    diag::{Result, error, internal_error},
    region::renamed,
};

/// The attribute.
pub const ATTRIBUTE: &str = "ad.inverse";

/// What finds arguments of a function from its results.
pub struct Inverse<'c> {
    name: String,
    found: Vec<Type<'c>>,
}

impl<'c> Inverse<'c> {
    /// How many of the first arguments it finds.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// Calls it, given what the function returned and all of the arguments, of which it reads those that it does not find.
    pub fn call(&self, b: &Builder<'c>, results: &[Val<'c>], arguments: &[Val<'c>]) -> Op<'c> {
        let operands = [results, &arguments[self.count().min(arguments.len())..]].concat();
        b.op_with(
            "func.call",
            &operands,
            &self.found,
            &[("callee", b.symbol_attr(&self.name))],
            &[],
        )
    }
}

impl<'c> Session<'c> {
    /// The inverse of the function that a call calls, if it has one.
    pub fn inverse_of(&self, call: Op<'c>) -> Option<Inverse<'c>> {
        let callee = call.attr("callee").filter(|_| call.op_name() == "func.call")?;
        let function = self.names.get(&text_of(callee)?)?;
        let attribute = function.attr(ATTRIBUTE)?;
        let name = FlatSymbolRefAttribute::try_from(attribute).ok().and(text_of(attribute))?;
        let (_, found) = signature(*self.names.get(&name)?)?;
        Some(Inverse { name, found })
    }

    /// Refuses inverses that are no functions, or of the wrong type.
    pub fn verify_inverses(&self) -> Result<()> {
        let functions = self.functions().into_iter().map(|(_, function)| function);
        let marked = functions.filter_map(|function| Some((function, function.attr(ATTRIBUTE)?)));
        marked
            .map(|(function, attribute)| {
                let name = FlatSymbolRefAttribute::try_from(attribute).ok().and(text_of(attribute));
                let Some(name) = name else {
                    return Err(error(function, &format!("'{ATTRIBUTE}' must be '@inverse'")));
                };
                self.verify_inverse(function, &name)
            })
            .fold(Ok(()), Result::and)
    }

    fn verify_inverse(&self, function: Op<'c>, name: &str) -> Result<()> {
        let Some((inputs, results)) = signature(function) else {
            return Err(internal_error(function, "function without type"));
        };
        let found = self.names.get(name).filter(|op| op.op_name() == "func.func");
        let Some((takes, gives)) = found.and_then(|op| signature(*op)) else {
            let text = "which is not a function of this module";
            return Err(error(function, &format!("'{ATTRIBUTE}' refers to '@{name}', {text}")));
        };
        let count = gives.len().clamp(1, inputs.len().max(1)).min(inputs.len());
        let wanted = [&results[..], &inputs[count..]].concat();
        if takes == wanted && gives == inputs[..count] && count > 0 {
            return Ok(());
        }
        let text =
            |a: &[Type<'c>], b: &[Type<'c>]| FunctionType::new(self.context, a, b).to_string();
        let (found, wanted) = (text(&takes, &gives), text(&wanted, &inputs[..count]));
        Err(error(
            function,
            &format!("'{ATTRIBUTE}' '@{name}' has type {found} but needs {wanted}"),
        ))
    }
}

/// The arguments of a call in the return sweep: found again, if the function that is called has an inverse, and the call
/// is in a block of the function that is differentiated.
pub fn arguments<'c>(op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Vec<Val<'c>> {
    let sources = op.operand_list();
    let mut arguments = vjp.primal_list(&sources);
    let function = op.parent().filter(|around| around.op_name() == "func.func");
    let entry = function.and_then(|function| function.body(0));
    let Some(inverse) = vjp.session.inverse_of(op).filter(|_| entry.is_some()) else {
        return arguments;
    };
    let count = inverse.count();
    // Arguments of the function are there in any case.
    if sources.iter().take(count).all(|x| x.owner_block().is_some() && x.owner_block() == entry) {
        return arguments;
    }
    let known = |y: &Val<'c>| renamed(&vjp.found, vjp.primal(*y));
    let results: Vec<_> = op.result_list().iter().map(known).collect();
    let call = inverse.call(&vjp.b, &results, &arguments);
    for (&x, new) in sources.iter().zip(call.result_list()) {
        vjp.found.insert(vjp.primal(x).key(), new);
    }
    arguments.splice(..count, call.result_list());
    vjp.undone.push((op, call));
    arguments
}
