//! Derivatives: the engines and their rules.
//!
//! Reading order: this page; `request` and `derivative`, from a request to the function that answers it;
//! `jvp`, the forward engine, which is short; `vjp`, the reverse engine; `cotangent` and `activity`, which it
//! uses; then any file in `rules`.
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
mod derivative;
mod effects;
mod exchange;
pub mod generate;
pub mod inverse;
pub mod jvp;
pub mod mask;
pub mod memory;
pub mod options;
mod recursion;
mod request;
pub mod rules;
mod session;
pub mod split_sweeps;
mod task;
pub mod vjp;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpParts, TyExt, Val, create_op, type_of};
use melior::{
    Context,
    ir::{
        Attribute, Type,
        attribute::{StringAttribute, TypeAttribute},
        operation::OperationLike,
        r#type::FunctionType,
    },
};

pub use options::{Options, Residuals};
pub(crate) use request::is_request;
pub use session::Session;
pub use task::Task;

use crate::support::{
    diag::{Result, error},
    records,
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
                Err(error(op, "is not in a function of the module: move the request into a 'func.func' at its top"));
        }
    });
    result
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

/// Whether values of the type have a derivative, be it in a shadow.
pub(crate) fn has_derivative(r#type: Type<'_>) -> bool {
    r#type.is_differentiable() || memory::is_buffer_type(r#type)
}

/// The values of a list at positions.
pub fn pick<'c>(list: &[Val<'c>], positions: &[usize]) -> Vec<Val<'c>> {
    positions.iter().filter_map(|&i| list.get(i).copied()).collect()
}
