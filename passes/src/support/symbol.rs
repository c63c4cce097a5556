//! Names of functions and of other operations at the top of a module.

use std::{
    collections::{HashMap, HashSet},
    iter::successors,
};

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, text_at, text_of};
use melior::{
    Context, StringRef,
    ir::{
        Attribute,
        attribute::{ArrayAttribute, AttributeLike, FlatSymbolRefAttribute, StringAttribute},
    },
};
use mlir_sys as sys;

use super::diag::{Result, error};

/// What upstream puts in front of the name of a function for the one that C calls in its place (`llvm.emit_c_interface`).
pub const C_INTERFACE: &str = "_mlir_ciface_";

/// The name of an operation.
pub fn name_of(op: Op<'_>) -> Option<String> {
    op.attr("sym_name").and_then(text_of)
}

/// Refuses names that are no text, or that C and the linker would take for another one.
pub fn check_names(module: Op<'_>) -> Result<()> {
    let mut result = Ok(());
    for op in module.body(0).map(|top| top.ops()).unwrap_or_default() {
        let Some(attribute) = op.attr("sym_name") else { continue };
        let what = match text_of(attribute) {
            None => "is not UTF-8",
            Some(name) if name.is_empty() => "is empty",
            Some(name) if name.contains('\0') => "has a zero byte",
            Some(_) => continue,
        };
        result = Err(error(op, &format!("has a name that {what}: rename it")));
    }
    result
}

/// The top of the module that an operation is in.
pub fn top_of(op: Op<'_>) -> Option<Blk<'_>> {
    successors(Some(op), |op| op.parent()).last()?.body(0)
}

/// The operation that an attribute such as `@name` refers to.
pub fn find<'c>(top: Blk<'c>, reference: &str) -> Option<Op<'c>> {
    let name = reference.trim_start_matches('@').trim_matches('"');
    top.ops().into_iter().find(|&op| name_of(op).as_deref() == Some(name))
}

/// The function that an operation calls.
pub fn callee_of(op: Op<'_>) -> Option<String> {
    op.attr("callee").filter(|_| op.op_name() == "func.call").and_then(text_of)
}

/// The functions that an operation, or one inside of it, calls.
pub fn callees(root: Op<'_>) -> Vec<String> {
    let mut names = vec![];
    root.for_each(&mut |op| names.extend(callee_of(op)));
    names
}

/// Functions of a module and all that these call, directly or not.
pub fn with_callees(top: Blk<'_>, mut names: Vec<String>) -> Vec<String> {
    let mut seen: HashSet<_> = names.iter().cloned().collect();
    let mut number = 0;
    while let Some(name) = names.get(number) {
        let called = find(top, name).map(callees).unwrap_or_default();
        names.extend(called.into_iter().filter(|name| seen.insert(name.clone())));
        number += 1;
    }
    names
}

/// The functions that operations call which may themselves run on several threads, also indirectly.
pub fn called_inside(module: Op<'_>) -> HashSet<String> {
    let mut names = vec![];
    module.for_each(&mut |op| {
        let is_loop = matches!(op.op_name(), "scf.forall" | "scf.parallel");
        if is_loop || op.op_name().starts_with("soac.") {
            names.extend(callees(op));
        }
    });
    module.body(0).map(|top| with_callees(top, names)).into_iter().flatten().collect()
}

/// Whether there is an operation of some kind in a function or in one that it calls, directly or not.
pub fn any_inside<'c>(top: Blk<'c>, name: String, is_it: impl Fn(Op<'c>) -> bool) -> bool {
    let mut found = false;
    for function in with_callees(top, vec![name]).iter().filter_map(|name| find(top, name)) {
        function.for_each(&mut |op| found = found || is_it(op));
    }
    found
}

/// The names in an attribute such as `@module::@kernel`.
pub fn path_of(reference: Attribute<'_>) -> Vec<String> {
    // SAFETY: the name lives as long as the context.
    let text = |name: sys::MlirStringRef| unsafe { text_at(name) }.map(str::to_owned);
    // SAFETY: the attribute is valid, of the kind that is asked for, and has as many names as it says.
    let names = unsafe {
        let reference = reference.to_raw();
        if !sys::mlirAttributeIsASymbolRef(reference) {
            return vec![];
        }
        let nested = |i| sys::mlirSymbolRefAttrGetNestedReference(reference, i);
        let count = sys::mlirSymbolRefAttrGetNumNestedReferences(reference);
        let inner = (0..count).map(|i| text(sys::mlirFlatSymbolRefAttrGetValue(nested(i))));
        let root = text(sys::mlirSymbolRefAttrGetRootReference(reference));
        [root].into_iter().chain(inner).collect::<Option<Vec<_>>>()
    };
    names.unwrap_or_default()
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

/// The text of a reference to a kernel in a module.
pub fn kernel_path(context: &Context, outer: &str, kernel: &str) -> String {
    let [outer, kernel] = [outer, kernel].map(|name| FlatSymbolRefAttribute::new(context, name));
    format!("{outer}::{kernel}")
}

/// Launches other kernels, by the texts of references to them.
pub fn launch_others<'c>(context: &'c Context, module: Op<'c>, others: &HashMap<String, String>) {
    module.for_each(&mut |op| {
        if op.op_name() == "gpu.launch_func"
            && let Some(kernel) = op.attr("kernel")
            && let Some(other) = others.get(&kernel.to_string())
            && let Some(other) = Attribute::parse(context, other)
        {
            op.set_attr(context, "kernel", other);
        }
    });
}

/// Whether an argument of a function has an attribute.
pub fn is_marked(function: Op<'_>, position: usize, name: &str) -> bool {
    is_in(function, "arg_attrs", position, name)
}

/// Whether a result of a function has an attribute.
pub fn is_marked_result(function: Op<'_>, position: usize, name: &str) -> bool {
    is_in(function, "res_attrs", position, name)
}

/// Whether an attribute is among those at a position of a list.
fn is_in(function: Op<'_>, list: &str, position: usize, name: &str) -> bool {
    let all = function.attr(list).and_then(|all| ArrayAttribute::try_from(all).ok());
    let own = all.filter(|all| position < all.len()).and_then(|all| all.element(position).ok());
    // SAFETY: the attribute is valid, and of the kind that is asked for; the name is only read.
    own.is_some_and(|own| unsafe {
        let (own, name) = (own.to_raw(), StringRef::new(name).to_raw());
        sys::mlirAttributeIsADictionary(own)
            && !sys::mlirDictionaryAttrGetElementByName(own, name).ptr.is_null()
    })
}

/// Gives an argument of a function an attribute without a value.
pub fn mark_argument<'c>(context: &'c Context, function: Op<'c>, position: usize, name: &str) {
    mark(context, function, position, name, sys::mlirFuncSetArgAttr);
}

/// Gives a result of a function an attribute without a value.
pub fn mark_result<'c>(context: &'c Context, function: Op<'c>, position: usize, name: &str) {
    mark(context, function, position, name, sys::mlirFuncSetResultAttr);
}

/// What gives an argument or a result of a function an attribute.
type Set = unsafe extern "C" fn(sys::MlirOperation, isize, sys::MlirStringRef, sys::MlirAttribute);

fn mark<'c>(context: &'c Context, function: Op<'c>, position: usize, name: &str, set: Set) {
    // SAFETY: the function has the argument or result, and the name is copied.
    unsafe {
        set(
            function.to_raw(),
            position as isize,
            StringRef::new(name).to_raw(),
            Attribute::unit(context).to_raw(),
        );
    }
}

/// The attributes of some arguments or results of a function, which are in the list of a name, if any has some.
pub fn attributes_at<'c>(function: Op<'c>, list: &str, positions: &[usize]) -> Vec<Attribute<'c>> {
    let all = function.attr(list).and_then(|all| ArrayAttribute::try_from(all).ok());
    let own = |all: ArrayAttribute<'c>| positions.iter().map(|&i| all.element(i).ok()).collect();
    all.and_then(own).unwrap_or_default()
}

/// Gives the first arguments or results of a function, of so many, attributes.
pub fn set_attributes<'c>(
    context: &'c Context,
    function: Op<'c>,
    list: &str,
    first: &[Attribute<'c>],
    count: usize,
) {
    let Some(none) = Attribute::parse(context, "{}").filter(|_| !first.is_empty()) else { return };
    let mut all = first.to_vec();
    all.resize(count, none);
    function.set_attr(context, list, ArrayAttribute::new(context, &all).into());
}
