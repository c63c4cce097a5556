//! `keep-deallocations`: buffers that a program frees itself are not freed for it.
//!
//! Buffers that a program makes and frees, and the shadows that derivatives make and free, are marked for upstream's
//! deallocation, which leaves them alone then. Whatever else is allocated is freed for the program.
//!
//! A program that frees what it did not make in the same function, but got as an argument, as the result of a call or from a
//! tape, frees all that it allocates itself. For upstream, whoever calls a function owns what it returns, so private
//! functions hand out what LLVM makes of buffers instead:
//! ```text
//! return %m : memref<?xf64>    %d = cast %m to !llvm.struct<(ptr, ptr, i64, ..)>;  return %d
//! %m = call @f()               %d = call @f();  %m = cast %d to memref<?xf64>
//! ```
//! Edge case: a public function that returns a buffer which a function of the module frees is left as it is, and that program
//! stops where it frees the buffer.
//! Tests: test/lower/keep-deallocations*.mlir, test/ad/numeric/memory-recursive.mlir.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt, is_public, text_of};
use melior::{
    Context,
    ir::{
        Attribute, Type, TypeLike, ValueLike, attribute::TypeAttribute, operation::OperationLike,
        r#type::FunctionType,
    },
};

use crate::{
    ad::signature,
    support::{
        builder::Builder,
        diag::Result,
        memory::{descriptor, is_array, rank},
        roots::{Root, allocations},
        symbol::name_of,
    },
};

/// The attribute that upstream reads.
const MARK: &str = "bufferization.manual_deallocation";

/// Marks what frees buffers in an operation, and what allocates them; returns how many of the former there are.
pub fn run<'c>(context: &'c Context, root: Op<'c>) -> Result<u64> {
    let mut functions = vec![];
    root.for_each(&mut |op| {
        if op.op_name() == "func.func" {
            functions.push(op);
        }
    });
    let parts: Vec<_> = functions.iter().map(|function| Memory::of(*function)).collect();
    let frees_others = parts.iter().any(Memory::frees_others);
    if frees_others {
        functions.iter().for_each(|function| hand_out_descriptors(context, root, *function));
    }
    for part in &parts {
        let makes = part.makes.iter().filter(|op| frees_others || part.is_freed(**op));
        for op in part.frees.iter().chain(makes) {
            op.set_attr(context, MARK, Attribute::unit(context));
        }
    }
    Ok(parts.iter().map(|part| part.frees.len() as u64).sum())
}

/// What allocates and frees in a function.
struct Memory<'c> {
    makes: Vec<Op<'c>>,
    frees: Vec<Op<'c>>,
    /// What is freed.
    freed: HashSet<Root>,
}

impl<'c> Memory<'c> {
    fn of(function: Op<'c>) -> Self {
        let (mut makes, mut frees) = (vec![], vec![]);
        function.for_each(&mut |op| match op.op_name() {
            "memref.dealloc" => frees.push(op),
            "memref.alloc" => makes.push(op),
            _ => {}
        });
        let freed = frees.iter().filter_map(|op| op.opnd(0)).flat_map(allocations).collect();
        Self { makes, frees, freed }
    }

    fn is_freed(&self, op: Op<'c>) -> bool {
        op.res(0).is_some_and(|buffer| self.freed.contains(&Root::Allocated(buffer.key())))
    }

    /// Whether something may be freed that the function has not made.
    fn frees_others(&self) -> bool {
        self.freed.iter().any(|root| !matches!(root, Root::Allocated(_)))
    }
}

/// Lets a private function that is only called return what LLVM makes of buffers.
fn hand_out_descriptors<'c>(context: &'c Context, root: Op<'c>, function: Op<'c>) {
    let (Some(name), Some((inputs, results))) = (name_of(function), signature(function)) else {
        return;
    };
    if is_public(function)
        || function.body(0).is_none()
        || !results.iter().any(TypeLike::is_mem_ref)
    {
        return;
    }
    let (mut calls, mut is_only_called) = (vec![], true);
    root.for_each(&mut |op| {
        let is_it = |key| op.attr(key).and_then(text_of).as_deref() == Some(&name[..]);
        match op.op_name() {
            "func.call" if is_it("callee") => calls.push(op),
            "func.constant" => is_only_called &= !is_it("value"),
            _ => {}
        }
    });
    if !is_only_called {
        return;
    }
    for end in function.blocks().into_iter().filter_map(|block| block.term()) {
        let Some(block) = end.block().filter(|_| end.op_name() == "func.return") else { continue };
        let b = Builder::before(context, end, block);
        let values: Vec<_> =
            end.operand_list().into_iter().map(|value| as_descriptor(&b, value)).collect();
        end.set_operands(&values);
    }
    for call in calls {
        let (Some(next), Some(block)) = (call.next(), call.block()) else { continue };
        let b = Builder::before(context, next, block).with_location(call.location());
        for value in call.result_list().into_iter().filter(|value| is_array(*value)) {
            let (buffer, Some(new)) = (value.r#type(), descriptor(context, rank(value))) else {
                continue;
            };
            value.set_type(new);
            let cast = b.op(CAST, &[value], &[buffer]);
            cast.res(0).into_iter().for_each(|buffer| value.replace_all_uses(buffer));
            cast.set_operand(0, value);
        }
    }
    let results: Vec<Type<'c>> = function
        .blocks()
        .into_iter()
        .filter_map(|block| block.term())
        .find(|end| end.op_name() == "func.return")
        .map_or(results, |end| end.operand_list().iter().map(|value| value.r#type()).collect());
    let r#type = FunctionType::new(context, &inputs, &results).into();
    function.set_attr(context, "function_type", TypeAttribute::new(r#type).into());
}

const CAST: &str = "builtin.unrealized_conversion_cast";

fn as_descriptor<'c>(b: &Builder<'c>, value: Val<'c>) -> Val<'c> {
    let r#type = descriptor(b.context(), rank(value)).filter(|_| is_array(value));
    r#type.map_or(value, |ty| b.val(CAST, &[value], ty))
}
