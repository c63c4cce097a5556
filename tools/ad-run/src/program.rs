//! Modules and the functions in them.

use std::{collections::HashMap, path::Path};

use ad_dialect::ir::{Op, OpExt, Val, ValExt, copy_of, int_of, is_public, text_of};
use anyhow::{Context as _, Result, anyhow, bail, ensure};
use melior::{
    Context, StringRef,
    ir::{
        BlockLike, Location, Module, Operation, TypeLike, ValueLike,
        attribute::TypeAttribute,
        operation::OperationLike,
        r#type::{DimSize, FunctionType, MemRefType, RankedTensorType, ShapedTypeLike},
    },
};
use mlir_sys as sys;

use crate::{Element, Kind, Signature, Type, diagnostics::Located};

/// Parses and verifies a file, which holds text or bytecode and is the standard input if it is named `-`. MLIR reports what is wrong with it. Functions pass the
/// fields of records and the halves of pairs from then on: callers know arrays and numbers only.
pub fn parse_file<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>> {
    let shown = path.display();
    if path != Path::new("-") {
        let metadata = path.metadata().with_context(|| format!("cannot read {shown}"))?;
        ensure!(!metadata.is_dir(), "cannot read {shown}: it is a folder");
    }
    let Some(name) = path.to_str() else { bail!("cannot read {shown}: its name is not UTF-8") };
    // SAFETY: context and name outlive the call; a null module is not taken.
    let mut module = unsafe {
        let raw =
            sys::mlirModuleCreateParseFromFile(context.to_raw(), StringRef::new(name).to_raw());
        ensure!(!raw.ptr.is_null(), "{shown} is not a valid module");
        Module::from_raw(raw)
    };
    check_dimensions(&module)?;
    ad_passes::pipeline::run(context, &mut module, "ad-split-records,atl-split-pairs")
        .map_err(|_| anyhow!("{shown} has records or pairs that cannot be passed in parts"))?;
    Ok(module)
}

/// Refuses sizes of dimensions that an array does not have, on which passes of MLIR crash.
fn check_dimensions(module: &Module) -> Result<()> {
    let mut result = Ok(());
    for outer in top_level(module) {
        outer.for_each(&mut |op| {
            let is_size = matches!(op.op_name(), "tensor.dim" | "memref.dim");
            let Some([array, index]) = op.operand_list().first_chunk().copied() else { return };
            let known =
                index.defining_op().filter(|by| is_size && by.op_name() == "arith.constant");
            let Some(number) = known.and_then(|by| by.attr("value")).and_then(int_of) else {
                return;
            };
            let ty = array.r#type();
            let rank = RankedTensorType::try_from(ty).map(|ty| ty.rank());
            let Ok(rank) = rank.or_else(|_| MemRefType::try_from(ty).map(|ty| ty.rank())) else {
                return;
            };
            if result.is_ok() && usize::try_from(number).map_or(true, |d| d >= rank) {
                let message = format!("'{}' op {ty} has no dimension {number}", op.op_name());
                result = Err(error_at(op, &message, None));
            }
        });
    }
    result
}

/// A copy of a module.
pub(crate) fn copy<'c>(module: &Module<'c>) -> Result<Module<'c>> {
    copy_of(module).context("the copy of a module is no module")
}

/// Adds the operations of another module to a module. What the module only declares, the other must not declare too;
/// if it defines it, as a public function of that type, the definition takes the place of the declaration.
pub fn link(module: &Module, other: Module) -> Result<()> {
    let mut own: HashMap<String, Op> =
        top_level(module).into_iter().filter_map(|op| Some((symbol(op)?, op))).collect();
    let added = top_level(&other);
    for &operation in &added {
        let Some(name) = symbol(operation) else { continue };
        let Some(declaration) = own.remove(&name) else { continue };
        if has_body(declaration) || !has_body(operation) {
            return Err(error_at(operation, &format!("both modules have @{name}"), None));
        }
        if !is_public(operation) {
            return Err(error_at(operation, &format!("function @{name} is private"), None));
        }
        let (wanted, found) = (function_type(declaration), function_type(operation));
        if wanted.map(|ty| ty.to_string()) != found.map(|ty| ty.to_string()) {
            let message = format!("@{name} is declared with another type");
            return Err(error_at(operation, &message, None));
        }
        // SAFETY: the declaration is in the module and not used again.
        unsafe { sys::mlirOperationDestroy(declaration.to_raw()) };
    }
    for operation in added {
        // SAFETY: the operation leaves the other module, so that the new handle is its only owner.
        let operation = unsafe {
            sys::mlirOperationRemoveFromParent(operation.to_raw());
            Operation::from_raw(operation.to_raw())
        };
        module.body().append_operation(operation);
    }
    ensure!(module.as_operation().verify(), "the linked module is not valid");
    Ok(())
}

/// The operations at the top of a module, with the lifetime of its context.
///
/// Invariant: they are not used after the module was dropped.
pub(crate) fn top_level<'c>(module: &Module<'c>) -> Vec<Op<'c>> {
    let mut operations = vec![];
    let mut next = module.body().first_operation().map(|operation| operation.to_raw());
    while let Some(raw) = next {
        // SAFETY: the module holds the operation; see the invariant.
        let operation = unsafe { Op::from_raw(raw) };
        next = operation.next_in_block().map(|operation| operation.to_raw());
        operations.push(operation);
    }
    operations
}

/// The name of a symbol.
pub(crate) fn symbol(operation: Op<'_>) -> Option<String> {
    operation.attr("sym_name").and_then(text_of)
}

/// Whether a function has a body.
pub(crate) fn has_body(function: Op<'_>) -> bool {
    function.body(0).is_some()
}

/// Where a value comes from, as MLIR prints locations.
pub(crate) fn location(value: Val<'_>) -> String {
    // SAFETY: the value is valid.
    unsafe { Location::from_raw(sys::mlirValueGetLocation(value.to_raw())) }.to_string()
}

/// An error at an operation.
pub(crate) fn error_at(operation: Op<'_>, message: &str, note: Option<&str>) -> anyhow::Error {
    Located::new(&operation.location().to_string(), message, note).into()
}

/// The signature of a public function with a body.
pub fn signature(module: &Module, entry: &str) -> Result<Signature> {
    let functions: Vec<Op> =
        top_level(module).into_iter().filter(|op| op.op_name() == "func.func").collect();
    let Some(&function) = functions.iter().find(|&&f| symbol(f).as_deref() == Some(entry)) else {
        bail!("there is no function @{entry}; {}", public(&functions));
    };
    if !is_public(function) {
        let message = format!("function @{entry} is private");
        return Err(error_at(function, &message, Some(&public(&functions))));
    }
    if !has_body(function) {
        let message = format!("function @{entry} has no body, so there is nothing to run");
        return Err(error_at(function, &message, None));
    }
    let Some(ty) = function_type(function) else { bail!("@{entry} has no function type") };
    let inputs = (0..ty.input_count()).filter_map(|i| ty.input(i).ok());
    let results = (0..ty.result_count()).filter_map(|i| ty.result(i).ok());
    let each = |what: &str, (position, ty): (usize, melior::ir::Type<'_>)| {
        describe(ty).filter(is_row_major).ok_or_else(|| {
            let message =
                format!("{what} {position} of @{entry} has type {ty}, which cannot be passed");
            let remedy = "numbers can, and ranked tensors and row-major memrefs of them";
            error_at(function, &message, Some(remedy))
        })
    };
    Ok(Signature {
        name: entry.into(),
        inputs: inputs.enumerate().map(|i| each("argument", i)).collect::<Result<_>>()?,
        results: results.enumerate().map(|r| each("result", r)).collect::<Result<_>>()?,
    })
}

/// The list of public functions, for messages.
fn public(functions: &[Op<'_>]) -> String {
    let lines: Vec<String> = functions
        .iter()
        .filter(|&&function| is_public(function) && has_body(function))
        .filter_map(|&function| {
            let ty = function_type(function)?.to_string();
            Some(format!("\n  @{}{ty}", symbol(function)?))
        })
        .collect();
    match lines.len() {
        0 => "the module has no public function".into(),
        _ => format!("the public functions are{}", lines.concat()),
    }
}

fn function_type<'c>(function: Op<'c>) -> Option<FunctionType<'c>> {
    let attribute = TypeAttribute::try_from(function.attr("function_type")?).ok()?;
    FunctionType::try_from(attribute.value()).ok()
}

/// How values of a type are passed, if they can be.
fn describe(ty: melior::ir::Type<'_>) -> Option<Type> {
    let text = ty.to_string();
    if ty.is_ranked_tensor() {
        let tensor = RankedTensorType::try_from(ty).ok()?;
        // An encoding says that the tensor is not dense.
        return array(text, &tensor).filter(|_| tensor.encoding().is_none());
    }
    if let Ok(memref) = MemRefType::try_from(ty) {
        return array(text, &memref).filter(|_| memref.memory_space().is_none());
    }
    let element = Element::from_mlir(&text)?;
    Some(Type { text, kind: Kind::Scalar, element, shape: vec![] })
}

/// MLIR prints no layout when it is row-major.
fn is_row_major(ty: &Type) -> bool {
    !ty.text.contains("strided<") && !ty.text.contains("affine_map<")
}

fn array<'c>(text: String, ty: &impl ShapedTypeLike<'c>) -> Option<Type> {
    let element = Element::from_mlir(&ty.element().to_string())?;
    let size = |index| match ty.dim_size(index) {
        Ok(DimSize::Static(size)) => Some(size as usize),
        _ => None,
    };
    Some(Type { text, kind: Kind::Array, element, shape: (0..ty.rank()).map(size).collect() })
}
