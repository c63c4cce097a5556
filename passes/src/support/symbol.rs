//! Names of functions and of other operations at the top of a module.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, text_of};
use melior::{
    Context, StringRef,
    ir::{
        Attribute,
        attribute::{AttributeLike, StringAttribute},
    },
};
use mlir_sys as sys;

/// The name of an operation.
pub fn name_of(op: Op<'_>) -> Option<String> {
    op.attr("sym_name").and_then(text_of)
}

/// The operation that an attribute such as `@name` refers to.
pub fn find<'c>(top: Blk<'c>, reference: &str) -> Option<Op<'c>> {
    let name = reference.trim_start_matches('@').trim_matches('"');
    top.ops().into_iter().find(|&op| name_of(op).as_deref() == Some(name))
}

/// Gives an operation of a module another name, where it is referred to, too.
pub fn rename<'c>(context: &'c Context, module: Op<'c>, op: Op<'c>, new: &str) {
    let Some(old) = name_of(op) else { return };
    // SAFETY: module and names are valid.
    unsafe {
        sys::mlirSymbolTableReplaceAllSymbolUses(
            StringRef::new(&old).to_raw(),
            StringRef::new(new).to_raw(),
            module.to_raw(),
        );
    }
    op.set_attr(context, "sym_name", StringAttribute::new(context, new).into());
}

/// Gives an argument of a function an attribute without a value.
pub fn mark_argument<'c>(context: &'c Context, function: Op<'c>, position: usize, name: &str) {
    // SAFETY: the function has the argument, and the name is copied.
    unsafe {
        sys::mlirFuncSetArgAttr(
            function.to_raw(),
            position as isize,
            StringRef::new(name).to_raw(),
            Attribute::unit(context).to_raw(),
        );
    }
}
