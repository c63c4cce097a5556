//! Entries take and give arrays in memory of the host, or of the device.

use ad_dialect::ir::{BlkExt, Op, OpExt, OpParts, Val, ValExt, create_op, is_public, type_of};
use melior::{
    Context,
    ir::{
        TypeLike, ValueLike, attribute::StringAttribute, operation::OperationLike,
        r#type::FunctionType,
    },
};

use super::make;
use crate::{
    lower::forall_to_gpu::when,
    support::{
        builder::{Builder, CMP_NE, same_value},
        diag::{Result, internal_error},
        memory::{allocate, base, dynamic_dims, is_array},
        symbol::{is_marked, rename},
    },
};

/// What is said of arguments that nobody looks at after the call, and so are not copied back.
pub const UNCHANGED: &str = "ad.unchanged";

/// Where the arrays are that entries take and give.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Arrays {
    /// In memory of the host: they are copied to the device and back.
    Host,
    /// In memory of the device.
    Device,
}

impl Arrays {
    /// What a text means.
    pub fn named(text: &str) -> Option<Self> {
        match text {
            "host" => Some(Self::Host),
            "device" => Some(Self::Device),
            _ => None,
        }
    }
}

/// Makes a function that is seen from outside one of the host, which calls the one on the device.
pub fn wrap<'c>(
    context: &'c Context,
    module: Op<'c>,
    function: Op<'c>,
    name: &str,
    arrays: Arrays,
) -> Result<()> {
    let failed = || internal_error(function, "function has no type");
    let signature = function.attr("function_type").ok_or_else(failed)?;
    let types = type_of(signature).and_then(|ty| FunctionType::try_from(ty).ok());
    let types = types.ok_or_else(failed)?;
    let inputs: Vec<_> = (0..types.input_count()).filter_map(|i| types.input(i).ok()).collect();
    let results: Vec<_> = (0..types.result_count()).filter_map(|i| types.result(i).ok()).collect();
    let has_arrays = inputs.iter().chain(&results).any(|ty| ty.is_mem_ref());
    if !is_public(function) || !has_arrays {
        return Ok(());
    }
    let ends = Ends::of(function);
    let unchanged = unchanged(function);
    let inner = format!("{name}.on_device");
    rename(context, module, function, &inner);
    function.set_attr(context, "sym_visibility", StringAttribute::new(context, "private").into());
    let mut attributes = vec![
        ("sym_name", StringAttribute::new(context, name).into()),
        ("function_type", signature),
    ];
    if let Some(unit) = function.attr("llvm.emit_c_interface") {
        function.remove_attr("llvm.emit_c_interface");
        attributes.push(("llvm.emit_c_interface", unit));
    }
    let outer = create_op(
        context,
        OpParts {
            name: "func.func",
            location: function.location(),
            operands: &[],
            results: &[],
            attributes: &attributes,
            regions: &[inputs],
            successors: &[],
        },
    );
    function.block().ok_or_else(failed)?.insert_before(function, outer);
    let body = outer.body(0).ok_or_else(failed)?;
    let b = Builder::at_end(context, body, function.location());
    let arguments = body.arg_list();
    let call = |b: &Builder<'c>, given: &[Val<'c>]| {
        let callee = [("callee", b.symbol_attr(&inner))];
        b.op_with("func.call", given, &results, &callee, &[]).result_list()
    };
    let values = match arrays {
        Arrays::Device => apart(&b, &ends, &call(&b, &arguments))?,
        Arrays::Host => {
            let given: Vec<_> = arguments.iter().map(|&value| to_device(&b, value)).collect();
            let values = call(&b, &given);
            give_back(&b, &arguments, &given, &unchanged);
            let copies: Vec<_> = values.iter().map(|&value| to_host(&b, value)).collect();
            free_all(&b, &ends, &values)?;
            copies
        }
    };
    b.op("func.return", &values, &[]);
    Ok(())
}

/// Copies arguments back, but for unchanged ones, and frees their copies on the device.
fn give_back<'c>(b: &Builder<'c>, arguments: &[Val<'c>], given: &[Val<'c>], unchanged: &[usize]) {
    for (position, (&argument, &array)) in arguments.iter().zip(given).enumerate() {
        if !is_array(argument) {
            continue;
        }
        if !unchanged.contains(&position) {
            b.op("gpu.memcpy", &[argument, array], &[]);
        }
        b.op("gpu.dealloc", &[array], &[]);
    }
}

/// The positions of the arguments that are not copied back.
fn unchanged(function: Op<'_>) -> Vec<usize> {
    let count = function.body(0).map_or(0, |entry| entry.arg_list().len());
    (0..count).filter(|&position| is_marked(function, position, UNCHANGED)).collect()
}

/// A copy of an array on the device; numbers are what they are.
fn to_device<'c>(b: &Builder<'c>, value: Val<'c>) -> Val<'c> {
    if !is_array(value) {
        return value;
    }
    let copy = make(b, value.r#type(), &dynamic_dims(b, value));
    b.op("gpu.memcpy", &[copy, value], &[]);
    copy
}

/// The array in memory of the host in place of one on the device.
fn to_host<'c>(b: &Builder<'c>, value: Val<'c>) -> Val<'c> {
    if !is_array(value) {
        return value;
    }
    let copy = allocate(b, "memref.alloc", value.r#type(), &dynamic_dims(b, value));
    b.op("gpu.memcpy", &[copy, value], &[]);
    copy
}

/// Frees the arrays that the function on the device gave, each once: several results may be one array.
fn free_all<'c>(b: &Builder<'c>, ends: &Ends<'c>, results: &[Val<'c>]) -> Result<()> {
    for j in (0..results.len()).filter(|&j| is_array(results[j])) {
        match ends.is_new(b, results, j) {
            None => {
                b.op("gpu.dealloc", &[results[j]], &[]);
            }
            Some(is_new) => when(b, is_new, |b| {
                b.op("gpu.dealloc", &[results[j]], &[]);
                Ok(())
            })?,
        }
    }
    Ok(())
}

/// Results that are one array become several.
fn apart<'c>(b: &Builder<'c>, ends: &Ends<'c>, results: &[Val<'c>]) -> Result<Vec<Val<'c>>> {
    let mut own = results.to_vec();
    for j in (0..results.len()).filter(|&j| is_array(results[j])) {
        let Some(is_new) = ends.is_new(b, results, j) else { continue };
        let choice = b.if_else(is_new, &[results[j].r#type()], |b, is_new| {
            Ok(vec![if is_new { results[j] } else { to_device(&b, results[j]) }])
        })?;
        own[j] = choice.result_list()[0];
    }
    Ok(own)
}

/// What a function on the device returns.
struct Ends<'c> {
    values: Vec<Val<'c>>,
    /// Whether no other block returns something else.
    are_all: bool,
}

impl<'c> Ends<'c> {
    fn of(function: Op<'c>) -> Self {
        let values = function.body(0).map(|body| body.ends()).unwrap_or_default();
        Self { values, are_all: function.blocks().len() == 1 }
    }

    /// Whether a result is another array than those before it, decided when the program runs; `None` if it surely is.
    fn is_new(&self, b: &Builder<'c>, results: &[Val<'c>], j: usize) -> Option<Val<'c>> {
        let is_own = |i: usize| {
            let maker = self.values.get(i).and_then(|&end| base(end).defining_op());
            self.are_all && maker.is_some_and(|op| op.op_name() == "gpu.alloc")
        };
        let is_same = |i: usize| same_value(base(self.values[i]), base(self.values[j]));
        let may_be_same = |i: usize| !is_own(i) || !is_own(j) || is_same(i);
        let address = |i: usize| {
            b.val("memref.extract_aligned_pointer_as_index", &[results[i]], b.index_type())
        };
        let others = (0..j).filter(|&i| is_array(results[i]) && may_be_same(i));
        let differ = others.map(|i| b.compare(CMP_NE, address(i), address(j)));
        differ.reduce(|x, y| b.same("arith.andi", &[x, y]))
    }
}
