//! Kernels become functions, and launches calls.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, i32_array, int_of, type_of};
use melior::{
    Context,
    ir::{
        Attribute, Type, ValueLike, attribute::StringAttribute, operation::OperationLike,
        r#type::FunctionType,
    },
};

use super::{BARRIERS, KERNEL};
use crate::{
    lower::declare::{declare, push},
    support::{
        builder::{Builder, same_value},
        diag::{Result, error, internal_error},
        memory::{address, allocate, base, bytes_of, element},
        region::move_body,
        symbol::{find, name_of, path_of},
    },
};

/// Lowers a module; returns how many kernels there are. With `races`, every access to memory that threads may share is
/// reported to the emulator.
pub fn lower<'c>(context: &'c Context, module: Op<'c>, races: bool) -> Result<u64> {
    let Some(top) = module.body(0) else { return Ok(0) };
    let mut launches = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "gpu.launch_func" {
            let kernel = op.attr("kernel").map(path_of).unwrap_or_default();
            launches.push((kernel, op));
        }
    });
    let mut kernels = 0;
    for modules in top.ops().into_iter().filter(|op| op.op_name() == "gpu.module") {
        let outer = name_of(modules).unwrap_or_default();
        // Functions that kernels call are in the module around, too, unless they came after outlining.
        let inside = modules.body(0).map(|body| body.ops()).unwrap_or_default();
        for &op in inside.iter().filter(|op| op.op_name() == "func.func") {
            if name_of(op).is_some_and(|name| find(top, &name).is_none()) {
                op.detach();
                top.push(op);
            }
        }
        for op in inside.into_iter().filter(|op| op.op_name() == "gpu.func") {
            let wanted = [outer.clone(), name_of(op).unwrap_or_default()];
            let own = launches.iter().filter(|(kernel, _)| *kernel == wanted);
            let own: Vec<_> = own.map(|(_, launch)| *launch).collect();
            let name = wanted.join(".");
            Kernel { context, top, op, name, races }.lower(&own)?;
            kernels += 1;
        }
        modules.erase();
    }
    module.remove_attr("gpu.container_module");
    Ok(kernels)
}

pub struct Kernel<'c> {
    context: &'c Context,
    top: Blk<'c>,
    op: Op<'c>,
    name: String,
    races: bool,
}

impl<'c> Kernel<'c> {
    pub fn context(&self) -> &'c Context {
        self.context
    }

    fn lower(&self, launches: &[Op<'c>]) -> Result<()> {
        let failed = || internal_error(self.op, "kernel has no body");
        let body = self.op.body(0).ok_or_else(failed)?;
        let signature = self.op.attr("function_type").and_then(type_of);
        let signature =
            signature.and_then(|ty| FunctionType::try_from(ty).ok()).ok_or_else(failed)?;
        let arguments = body.arg_list();
        let (own, attributions) =
            arguments.split_at_checked(signature.input_count()).ok_or_else(failed)?;
        let count = self.op.attr("workgroup_attributions").and_then(int_of).unwrap_or(0) as usize;
        let (shared, private) = attributions.split_at_checked(count).ok_or_else(failed)?;
        let shared: Vec<_> = shared
            .iter()
            .map(|&buffer| self.plain(buffer))
            .collect::<Option<_>>()
            .ok_or_else(failed)?;
        let own: Vec<Type<'c>> = own.iter().map(|argument| argument.r#type()).collect();
        let types = [&own[..], &shared].concat();
        let has_barriers = self.function(body, &types, shared.len(), private)?;
        self.launcher(&types, has_barriers)?;
        for &launch in launches {
            self.call(launch, &shared)?;
        }
        Ok(())
    }

    /// The type of a buffer without its memory space.
    fn plain(&self, buffer: Val<'c>) -> Option<Type<'c>> {
        let text = buffer.r#type().to_string();
        let (before, _) = text.split_once(", #gpu.address_space")?;
        Type::parse(self.context, &format!("{before}>"))
    }

    /// The kernel as a function; returns whether it has barriers, shuffles or products of
    /// matrices.
    fn function(
        &self,
        body: Blk<'c>,
        types: &[Type<'c>],
        shared: usize,
        private: &[Val<'c>],
    ) -> Result<bool> {
        let name = &self.name;
        let list: String =
            types.iter().enumerate().map(|(i, ty)| format!(", %a{i}: {ty}")).collect();
        let text = format!("func.func private @\"{name}\"(%thread: index{list}) {{ return }}");
        let failed = || internal_error(self.op, "kernel makes no function");
        if !push(self.context, self.top, &text) {
            return Err(failed());
        }
        let function = self.top.ops().pop().ok_or_else(failed)?;
        let block = function.body(0).ok_or_else(failed)?;
        let end = block.term().ok_or_else(failed)?;
        let b = Builder::before(self.context, end, block).with_location(self.op.location());
        let mut values = block.arg_list();
        let thread = values.remove(0);
        let parameters = values.clone();
        let (given, of_block) = parameters.split_at(parameters.len() - shared);
        for buffer in private {
            let r#type = self.plain(*buffer).ok_or_else(failed)?;
            values.push(allocate(&b, "memref.alloca", r#type, &[]));
        }
        move_body(&b, body, &values);
        let mut has_barriers = self.matrices(function, thread)?;
        let mut ops = vec![];
        function.for_each(&mut |op| ops.push(op));
        for (number, op) in ops.into_iter().enumerate() {
            let Some(block) = op.block() else { continue };
            let b = Builder::before(self.context, op, block);
            match op.op_name() {
                "gpu.thread_id" => self.number(&b, op, thread, 0)?,
                "gpu.block_id" => self.number(&b, op, thread, 3)?,
                "gpu.block_dim" => self.number(&b, op, thread, 6)?,
                "gpu.grid_dim" => self.number(&b, op, thread, 9)?,
                "gpu.barrier" => {
                    has_barriers = true;
                    self.runtime("ad_emulate_barrier", "(index)")?;
                    self.emit(&b, "ad_emulate_barrier", &[thread], &[]);
                    op.erase();
                }
                "gpu.shuffle" => {
                    has_barriers = true;
                    self.shuffle(&b, op, thread)?;
                }
                // Two types that are the same without memory spaces.
                "memref.memory_space_cast" => {
                    if let Some((from, to)) = op.opnd(0).zip(op.res(0)) {
                        to.replace_all_uses(from);
                        op.erase();
                    }
                }
                "memref.load"
                | "memref.store"
                | "memref.atomic_rmw"
                | "memref.generic_atomic_rmw"
                | "vector.load"
                | "vector.store"
                    if self.races =>
                {
                    self.access(&b, op, number, thread, given, of_block)?;
                }
                name if name.starts_with("gpu.") => {
                    return Err(error(op, "cannot be emulated"));
                }
                _ => {}
            }
        }
        Ok(has_barriers)
    }

    /// Declares a function of the emulator.
    pub fn runtime(&self, name: &str, r#type: &str) -> Result<()> {
        let rest = if r#type.contains("->") {
            r#type.to_owned()
        } else {
            format!("{type} -> ()", type = r#type)
        };
        match declare(self.context, self.top, name, &rest) {
            true => Ok(()),
            false => Err(internal_error(self.op, &format!("@{name} is taken"))),
        }
    }

    /// Calls it.
    pub fn emit(
        &self,
        b: &Builder<'c>,
        name: &str,
        operands: &[Val<'c>],
        results: &[Type<'c>],
    ) -> Op<'c> {
        b.op_with("func.call", operands, results, &[("callee", b.symbol_attr(name))], &[])
    }

    /// A number of the thread: of one kind from `first` on, by dimension.
    fn number(&self, b: &Builder<'c>, op: Op<'c>, thread: Val<'c>, first: i64) -> Result<()> {
        self.runtime("ad_emulate_id", "(index, i32) -> index")?;
        let dimension = op.attr("dimension").map(|d| d.to_string()).unwrap_or_default();
        let offset = ["#gpu<dim x>", "#gpu<dim y>", "#gpu<dim z>"];
        let offset = offset.iter().position(|text| *text == dimension).unwrap_or(0);
        let kind = b.i32(first + offset as i64);
        let call = self.emit(b, "ad_emulate_id", &[thread, kind], &[b.index_type()]);
        if let Some((old, new)) = op.res(0).zip(call.res(0)) {
            old.replace_all_uses(new);
        }
        op.erase();
        Ok(())
    }

    fn shuffle(&self, b: &Builder<'c>, op: Op<'c>, thread: Val<'c>) -> Result<()> {
        let [value, offset, width] = op.operand_list()[..] else {
            return Err(internal_error(op, "shuffle has no width"));
        };
        let r#type = value.r#type();
        let text = r#type.to_string();
        if !["i32", "i64", "f32", "f64"].contains(&text.as_str()) {
            return Err(error(op, "exchanges values of a type that cannot be emulated"));
        }
        let mode = op.attr("mode").map(|mode| mode.to_string()).unwrap_or_default();
        let modes = ["xor", "up", "down", "idx"];
        let mode = modes.iter().position(|name| mode.contains(name)).unwrap_or(0);
        let mode = b.i32(mode as i64);
        let name = format!("ad_emulate_shuffle_{text}");
        self.runtime(&name, &format!("(index, {text}, i32, i32, i32) -> {text}"))?;
        self.runtime("ad_emulate_shuffle_valid", "(index, i32, i32, i32) -> i32")?;
        let new = self.emit(b, &name, &[thread, value, offset, width, mode], &[r#type]);
        let valid = self.emit(
            b,
            "ad_emulate_shuffle_valid",
            &[thread, offset, width, mode],
            &[offset.r#type()],
        );
        let (Some(new), Some(valid)) = (new.res(0), valid.res(0)) else { return Ok(()) };
        let is_valid = b.val("arith.trunci", &[valid], b.bool_type());
        for (old, new) in op.result_list().into_iter().zip([new, is_valid]) {
            old.replace_all_uses(new);
        }
        op.erase();
        Ok(())
    }

    /// Tells the emulator where an operation with a number reads or writes, unless that is local memory or a constant.
    /// The shared memory of a block is marked: all blocks have the same one; so are buffers that the kernel was given,
    /// which are the device's.
    fn access(
        &self,
        b: &Builder<'c>,
        op: Op<'c>,
        number: usize,
        thread: Val<'c>,
        given: &[Val<'c>],
        of_block: &[Val<'c>],
    ) -> Result<()> {
        const OF_BLOCK: i64 = 4;
        const OF_DEVICE: i64 = 8;
        let (first, kind) = match op.op_name() {
            "memref.load" | "vector.load" => (0, 0),
            "memref.store" | "vector.store" => (1, 1),
            "memref.generic_atomic_rmw" => (0, 2),
            _ => (1, 2),
        };
        let operands = op.operand_list();
        let Some((&buffer, indices)) = operands[first..].split_first() else { return Ok(()) };
        let whole = base(buffer);
        let is_own = |op: Op<'c>| {
            op.op_name().starts_with("memref.alloc") || op.op_name() == "memref.get_global"
        };
        if whole.defining_op().is_some_and(is_own) {
            return Ok(());
        }
        let is_shared = of_block.iter().any(|array| same_value(*array, whole));
        let is_given = given.iter().any(|array| same_value(*array, whole));
        let kind = match (is_shared, is_given) {
            (true, _) => kind + OF_BLOCK,
            (_, true) => kind + OF_DEVICE,
            _ => kind,
        };
        let Some(bytes) = element(buffer).and_then(bytes_of) else { return Ok(()) };
        let value = if first == 0 { op.res(0) } else { operands.first().copied() };
        let vector = value.filter(|_| op.op_name().starts_with("vector."));
        let lanes = vector.map_or(1, |vector| vector.r#type().lanes().iter().product());
        self.runtime("ad_emulate_access", "(index, index, index, i32, index)")?;
        let Some(address) = address(b, buffer, indices) else { return Ok(()) };
        let site = (number as i64 & i64::from(i32::MAX)) << 32 | line_of(op) & i64::from(u32::MAX);
        let (size, kind, site) = (b.index(bytes * lanes), b.i32(kind), b.index(site));
        self.emit(b, "ad_emulate_access", &[thread, address, size, kind, site], &[]);
        Ok(())
    }

    /// Declares the function that launches the kernel.
    fn launcher(&self, types: &[Type<'c>], has_barriers: bool) -> Result<()> {
        let list: String = types.iter().map(|ty| format!(", {ty}")).collect();
        let rest = format!("(index, index, index, index, index, index{list})");
        let name = format!("{}.launch", self.name);
        let text = format!("func.func private @\"{name}\"{rest}");
        if !push(self.context, self.top, &text) {
            return Err(internal_error(self.op, "kernel cannot be launched"));
        }
        let Some(function) = self.top.ops().pop() else { return Ok(()) };
        let kernel = StringAttribute::new(self.context, &self.name).into();
        function.set_attr(self.context, KERNEL, kernel);
        if has_barriers {
            function.set_attr(self.context, BARRIERS, Attribute::unit(self.context));
        }
        Ok(())
    }

    /// Calls it, with buffers for shared memory.
    fn call(&self, launch: Op<'c>, shared: &[Type<'c>]) -> Result<()> {
        let failed = || internal_error(launch, "launch is of an unknown form");
        let block = launch.block().ok_or_else(failed)?;
        let segments = launch.attr("operandSegmentSizes").and_then(i32_array).ok_or_else(failed)?;
        let [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, count, 0] = segments[..] else {
            return Err(error(
                launch,
                "waits for others, or has clusters or shared memory of unknown size, which cannot be emulated",
            ));
        };
        let b = Builder::before(self.context, launch, block);
        let mut operands = launch.operand_list();
        operands.truncate(6 + count as usize);
        let buffers: Vec<_> =
            shared.iter().map(|&ty| allocate(&b, "memref.alloc", ty, &[])).collect();
        operands.extend(&buffers);
        self.emit(&b, &format!("{}.launch", self.name), &operands, &[]);
        for buffer in buffers {
            b.op("memref.dealloc", &[buffer], &[]);
        }
        launch.erase();
        Ok(())
    }
}

/// The line that an operation comes from, or 0.
fn line_of(op: Op<'_>) -> i64 {
    let text = op.location().to_string();
    let mut parts = text.trim_end_matches(')').rsplit(':');
    let _column = parts.next();
    parts.next().and_then(|line| line.parse().ok()).unwrap_or(0)
}
