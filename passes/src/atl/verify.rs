//! Whether functions of the tensor language are in a normal form [ATL 5].
//!
//! What is wrong is an error at the operation, with the rule that would have
//! changed it. [`tensor_ssa`] has the last form.

mod tensor_ssa;

use ad_dialect::{
    capi,
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt},
};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::{Form, functions};
use crate::support::diag::{Reported, Result, error};

/// Verifies all functions of the language; returns how many.
pub fn verify(module: Op<'_>, form: &str) -> Result<u64> {
    let form = match form {
        "lets-lifted" => Form::LetsLifted,
        "pairs-eliminated" => Form::PairsEliminated,
        "gens-pushed-out" => Form::GensPushedOut,
        "tensor-ssa" => Form::TensorSsa,
        _ => {
            let text = format!(
                "no normal form is called '{form}'; there are lets-lifted, pairs-eliminated, \
                 gens-pushed-out and tensor-ssa"
            );
            return Err(error(module, &text));
        }
    };
    let functions = functions(module);
    let mut verifier = Verifier { form, failure: None };
    let mut failure = None;
    for function in &functions {
        if let Some(body) = function.body(0) {
            verifier.function(body);
            failure = verifier.failure.take().or(failure);
        }
    }
    match failure {
        Some(reported) => Err(reported),
        None => Ok(functions.len() as u64),
    }
}

struct Verifier {
    form: Form,
    failure: Option<Reported>,
}

impl Verifier {
    fn fail(&mut self, op: Op<'_>, message: &str) {
        self.failure = Some(error(op, message));
    }

    fn function(&mut self, body: Blk<'_>) {
        let mut failure = None;
        for op in body.body_ops() {
            op.for_each(&mut |inner| self.operation(inner));
            if self.form >= Form::TensorSsa && self.failure.is_none() {
                self.failure = tensor_ssa::binding(op).err();
            }
            failure = self.failure.take().or(failure);
        }
        self.failure = failure;
    }

    fn operation(&mut self, op: Op<'_>) {
        let Some(result) = op.res(0).filter(|result| is_value(result.r#type())) else {
            return;
        };
        if is_inside(op) {
            self.lets(op, result);
        }
        if self.form >= Form::PairsEliminated {
            self.pairs(op, result);
        }
        if self.form >= Form::GensPushedOut {
            self.gens(op);
        }
    }

    /// [ATL 5.1]
    fn lets(&mut self, op: Op<'_>, result: Val<'_>) {
        if is_part_of_name(result) {
            return;
        }
        let users = result.users();
        let own = result.parent_block();
        if users.iter().any(|user| user.block() != own) {
            self.fail(op, "binds what a deeper body uses: lets stand outermost [ATL 5.9]");
        } else if users.len() > 1 {
            self.fail(
                op,
                "binds in a body what is used more than once: lets stand outermost [ATL 5.6, 5.7]",
            );
        }
    }

    /// [ATL 5.2]
    fn pairs(&mut self, op: Op<'_>, result: Val<'_>) {
        match op.op_name() {
            "atl.project" if op.opnd(0).is_none_or(|pair| !is_part_of_input(pair)) => {
                self.fail(
                    op,
                    "projects what is no input: no value inside is a pair [ATL 5.11-5.17]",
                );
            }
            _ if has_pair(result.r#type()) && !is_part_of_input(result) && !is_output(op) => {
                self.fail(
                    op,
                    "makes pairs that are no output: tensors of halves are bound [ATL 5.18-5.20]",
                );
            }
            "atl.access" | "atl.pair" | "atl.gen" | "atl.project" => {}
            _ if op
                .parent()
                .and_then(|around| around.res(0))
                .is_some_and(|around| has_pair(around.r#type())) =>
            {
                self.fail(op, "computes a part of a pair: tensors of halves are bound [ATL 5.12]");
            }
            _ => {}
        }
    }

    /// [ATL 5.3]
    fn gens(&mut self, op: Op<'_>) {
        let is_within =
            |other: Op<'_>| other.parent().is_some_and(|parent| parent.key() == op.key());
        match op.op_name() {
            "atl.gen" if is_inside(op) && !is_output(op) => {
                let around = op.parent().filter(|around| around.op_name() == "atl.gen");
                let is_element = around.and_then(yielded).is_some_and(|end| end.key() == op.key());
                if !is_element {
                    self.fail(op, "is not outermost in what is bound [ATL 5.21, 5.23]");
                }
            }
            "atl.access"
                if op
                    .opnd(0)
                    .is_none_or(|tensor| !is_name(tensor) && !is_part_of_input(tensor)) =>
            {
                self.fail(op, "accesses what has no name [ATL 5.21, 5.22]");
            }
            "atl.bracket" => {
                let inner = yielded(op).filter(|inner| is_within(*inner));
                match inner.map(|inner| inner.op_name()) {
                    Some("atl.gen") => self.fail(op, "is around a generation [ATL 5.23]"),
                    Some("atl.bracket") => self.fail(op, "is around a bracket [ATL 5.24]"),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// What defines the value that a body yields.
fn yielded(op: Op<'_>) -> Option<Op<'_>> {
    op.body(0)?.ends().first()?.defining_op()
}

/// Whether values of a type are of the language: numbers, pairs, and tensors.
fn is_value(of: Type<'_>) -> bool {
    match of {
        of if capi::is_pair(of) => true,
        of if of.as_tensor().is_some() => is_value(of.scalar()),
        of => of.is_float_type(),
    }
}

fn has_pair(of: Type<'_>) -> bool {
    capi::is_pair(of) || of.as_tensor().is_some() && capi::is_pair(of.scalar())
}

/// Whether an operation is in a body of another operation of the function.
fn is_inside(op: Op<'_>) -> bool {
    op.parent().is_some_and(|parent| parent.op_name() != "func.func")
}

/// Whether a value is an input, a part of one, or what an operation outside of all
/// bodies gives.
fn is_name(value: Val<'_>) -> bool {
    value.defining_op().is_none_or(|op| {
        let is_half = op.op_name() == "atl.project" && op.opnd(0).is_some_and(is_name);
        !is_inside(op) || is_half
    })
}

/// Whether a value is a name, or a part of one, which costs nothing.
fn is_part_of_name(value: Val<'_>) -> bool {
    let Some(op) = value.defining_op().filter(|op| is_inside(*op)) else {
        return true;
    };
    match op.op_name() {
        "arith.constant" => true,
        "atl.access" | "atl.project" => op.opnd(0).is_some_and(is_part_of_name),
        _ => false,
    }
}

/// Whether a value is an input, or a half of one or of an element of one.
fn is_part_of_input(value: Val<'_>) -> bool {
    match value.defining_op() {
        None => true,
        Some(op) if matches!(op.op_name(), "atl.access" | "atl.project") => {
            op.opnd(0).is_some_and(is_part_of_input)
        }
        Some(_) => false,
    }
}

/// Whether only pairs and results use what an operation gives: it makes an output
/// of what is bound.
fn is_output(op: Op<'_>) -> bool {
    let uses = op.result_list().into_iter().flat_map(|result| result.users());
    uses.into_iter().all(|user| match user.op_name() {
        "func.return" => true,
        "atl.pair" | "tensor.cast" => is_output(user),
        "atl.yield" => user.parent().is_some_and(|around| {
            let is_of_pairs = around.res(0).is_some_and(|result| has_pair(result.r#type()));
            around.op_name() == "atl.gen" && is_of_pairs && is_output(around)
        }),
        _ => false,
    })
}
