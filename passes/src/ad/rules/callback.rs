//! Rules in C and C++ (`tools/ad-plugin/include/ad-opt.h`, which says what the callbacks are given and give).
//!
//! A callback builds code in a block of its own, whose arguments stand for what it reads; the code is then moved to where
//! the derivative is made. So it can put nothing anywhere else, and need not know where it is.

use std::ffi::c_void;

use ad_dialect::ir::{
    Blk, BlkExt, Op, OpExt, OpParts, TyExt, Val, ValExt, create_op, handle, text_at,
};
use melior::ir::{BlockLike, ValueLike, operation::OperationLike};
use mlir_sys as sys;

use super::{Rule, register::register};
use crate::{
    ad::{jvp::Jvp, vjp::Vjp},
    support::{
        builder::Builder,
        diag::{Result, error, internal_error},
        region::{is_within, move_body},
    },
};

/// Whether a rule applies to an operation of its name.
pub type Applies = unsafe extern "C" fn(sys::MlirOperation, *mut c_void) -> bool;
/// Builds a derivative at the end of a block, and says what it is.
pub type Derive = unsafe extern "C" fn(
    sys::MlirOperation,
    sys::MlirBlock,
    *mut sys::MlirValue,
    *mut c_void,
) -> bool;

/// `AdRule` of `ad-opt.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AdRule {
    /// What the callbacks are given last.
    pub data: *mut c_void,
    /// Whether the rule applies; to all operations of its name, if there is none.
    pub applies: Option<Applies>,
    /// Forward mode.
    pub jvp: Option<Derive>,
    /// Reverse mode.
    pub vjp: Option<Derive>,
}

// SAFETY: the header demands callbacks and data that any thread may use.
unsafe impl Send for AdRule {}
// SAFETY: the same.
unsafe impl Sync for AdRule {}

/// For C and C++: registers a rule for the operations of a name; none for an empty one, which no operation has.
///
/// # Safety
///
/// The name and the rule are valid; the rule's data is so for as long as the process.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ad_register_rule(operation: sys::MlirStringRef, rule: *const AdRule) {
    // SAFETY: the caller vouches for both.
    let (name, rule) = unsafe { (text_at(operation), *rule) };
    if let Some(name) = name.filter(|name| !name.is_empty()) {
        register(name, rule);
    }
}

impl Rule for AdRule {
    fn applies(&self, op: Op<'_>) -> bool {
        // SAFETY: the operation is valid.
        self.applies.is_none_or(|applies| unsafe { applies(op.to_raw(), self.data) })
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let Some(derive) = self.jvp else { return Err(jvp.session.no_rule(op, "jvp")) };
        let copy = jvp.copy(op);
        let mut operands = [copy.operand_list(), copy.result_list()].concat();
        for operand in differentiable(&op.operand_list()) {
            operands.push(jvp.tangent_or_zero(operand));
        }
        let results = differentiable(&op.result_list());
        let dots = self.build(derive, op, &jvp.b, &operands, results.len())?;
        for (result, dot) in results.into_iter().zip(dots) {
            if let Some(dot) = fitting(op, result, dot)? {
                jvp.set_tangent(result, dot);
            }
        }
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(derive) = self.vjp else { return Err(vjp.session.no_rule(op, "vjp")) };
        let sources = op.operand_list();
        let mut operands = vjp.primal_list(&[&sources[..], &op.result_list()].concat());
        for result in differentiable(&op.result_list()) {
            operands.push(vjp.take_or_zero(result));
        }
        let sources = differentiable(&sources);
        let bars = self.build(derive, op, &vjp.b, &operands, sources.len())?;
        for (source, bar) in sources.into_iter().zip(bars) {
            if let Some(bar) = fitting(op, source, bar)? {
                vjp.add_dense(source, bar)?;
            }
        }
        Ok(())
    }
}

impl AdRule {
    /// Has a callback build a derivative with some operands, and moves it to where the builder is.
    fn build<'c>(
        &self,
        derive: Derive,
        op: Op<'c>,
        b: &Builder<'c>,
        operands: &[Val<'c>],
        count: usize,
    ) -> Result<Vec<Option<Val<'c>>>> {
        let parts = OpParts {
            name: "scf.execute_region",
            location: op.location(),
            operands: &[],
            results: &[],
            attributes: &[],
            regions: &[operands.iter().map(|operand| operand.r#type()).collect()],
            successors: &[],
        };
        let holder = create_op(b.context(), parts);
        let Some(block) = holder.body(0) else {
            return Err(internal_error(op, "region without block"));
        };
        let mut made = vec![sys::MlirValue { ptr: std::ptr::null() }; count];
        // SAFETY: the header says that the callback fills an array of this length with values of the block.
        let succeeded =
            unsafe { derive(op.to_raw(), block.to_raw(), made.as_mut_ptr(), self.data) };
        if !succeeded {
            holder.erase();
            return Err(error(op, "has a registered rule that failed"));
        }
        // The values that are yielded are renamed with the rest.
        let values = made.into_iter().map(|raw| {
            // SAFETY: a value that is not null is valid.
            (!raw.ptr.is_null()).then(|| unsafe { Val::from_raw(raw) })
        });
        let values: Vec<Option<Val<'c>>> = values.collect();
        let there: Vec<_> = values.iter().flatten().copied().collect();
        if let Err(reported) = check_contract(op, holder, block, &there) {
            holder.erase();
            return Err(reported);
        }
        Builder::at_end(b.context(), block, op.location()).op("scf.yield", &there, &[]);
        let mut moved = move_body(b, block, operands).into_iter();
        holder.erase();
        Ok(values.into_iter().map(|value| value.and_then(|_| moved.next())).collect())
    }
}

/// Refuses a block that a callback must not make; the header says what it may.
fn check_contract<'c>(op: Op<'c>, holder: Op<'c>, block: Blk<'c>, made: &[Val<'c>]) -> Result<()> {
    let refused = |what: &str| Err(error(op, &format!("has a registered rule that {what}")));
    let is_inside = |value: &Val<'c>| {
        let around = value.parent_block().and_then(|block| block.parent_operation().map(handle));
        around.is_some_and(|around| is_within(around, holder))
    };
    let ops = block.ops();
    if let Some(end) = block.term() {
        return refused(&format!("ends its block, with '{}'", end.op_name()));
    }
    if !made.iter().all(is_inside) {
        return refused("gives a derivative that is no value of its block");
    }
    let mut inside = vec![];
    ops.iter().for_each(|op| op.for_each(&mut |op| inside.push(op)));
    if let Some(user) = inside.iter().find(|op| !op.operand_list().iter().all(is_inside)) {
        let name = user.op_name();
        return refused(&format!("reads a value from outside of its block, in '{name}'"));
    }
    match ops.iter().find(|op| !op.verify()) {
        Some(wrong) => refused(&format!("makes a '{}' that is not valid", wrong.op_name())),
        None => Ok(()),
    }
}

fn differentiable<'c>(values: &[Val<'c>]) -> Vec<Val<'c>> {
    values.iter().copied().filter(|value| value.r#type().is_differentiable()).collect()
}

/// What a callback gives for a value, if it gives anything, must have the value's type.
fn fitting<'c>(op: Op<'c>, of: Val<'c>, made: Option<Val<'c>>) -> Result<Option<Val<'c>>> {
    match made {
        Some(made) if made.r#type() != of.r#type() => {
            let (found, wanted) = (made.r#type(), of.r#type());
            let text = "has a registered rule that gives a derivative of type";
            Err(error(op, &format!("{text} {found} for a value of type {wanted}")))
        }
        made => Ok(made),
    }
}
