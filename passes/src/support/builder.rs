//! Building IR at a position.
//!
//! `Builder` is a position and a location; it is cheap to copy. Functions that
//! make an operation with a body take a closure that fills it.

use ad_dialect::{
    capi,
    ir::{
        Blk, BlkExt, DYNAMIC, Op, OpExt, OpParts, TyExt, Val, ValExt, array_of, create_op,
        tensor_type,
    },
};
use melior::{
    Context,
    ir::{
        Attribute, Location, Type, ValueLike,
        attribute::{
            DenseElementsAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
            FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute,
        },
        operation::OperationLike,
    },
};

use super::diag::Result;

/// A position in a block and the location for what is built there.
#[derive(Clone, Copy)]
pub struct Builder<'c> {
    context: &'c Context,
    block: Blk<'c>,
    before: Option<Op<'c>>,
    location: Location<'c>,
    fastmath: Option<Attribute<'c>>,
}

/// Named attributes.
pub type Attrs<'a, 'c> = &'a [(&'a str, Attribute<'c>)];

impl<'c> Builder<'c> {
    /// Builds at the end of a block.
    pub fn at_end(context: &'c Context, block: Blk<'c>, location: Location<'c>) -> Self {
        Self { context, block, before: None, location, fastmath: None }
    }

    /// Builds in front of an operation, with its location.
    ///
    /// The operation must be linked into a block; without one the builder stays
    /// at the end of the block that `fallback` gives.
    pub fn before(context: &'c Context, op: Op<'c>, fallback: Blk<'c>) -> Self {
        let block = op.block().unwrap_or(fallback);
        let before = op.block().map(|_| op);
        Self { context, block, before, location: op.location(), fastmath: None }
    }

    /// The same position with another location.
    pub fn with_location(mut self, location: Location<'c>) -> Self {
        self.location = location;
        self
    }

    /// The same position; float arithmetic gets the fast-math flags of an operation
    /// except `nnan` and `ninf`, which say something about its own operands only.
    pub fn with_fastmath_of(mut self, op: Op<'c>) -> Self {
        self.fastmath = op.attr("fastmath").and_then(|flags| {
            let text = flags.to_string().replace("fast>", "reassoc,nsz,arcp,contract,afn>");
            let flags = text.split_once('<')?.1.trim_end_matches('>');
            let kept = |flag: &&str| !matches!(*flag, "none" | "nnan" | "ninf");
            let kept: Vec<_> = flags.split(',').map(str::trim).filter(kept).collect();
            let text = format!("#arith.fastmath<{}>", kept.join(","));
            (!kept.is_empty()).then(|| Attribute::parse(self.context, &text))?
        });
        self
    }

    /// Builds at the end of another block.
    pub fn into_block(self, block: Blk<'c>) -> Self {
        Self { block, before: None, ..self }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The location that new operations get.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// The block that is built into.
    pub fn block(&self) -> Blk<'c> {
        self.block
    }

    /// Links a detached operation in here.
    pub fn insert(&self, op: Op<'c>) {
        match self.before {
            Some(before) => self.block.insert_before(before, op),
            None => self.block.push(op),
        }
    }

    /// Any operation; each region gets one block with the given argument types.
    pub fn op_with(
        &self,
        name: &str,
        operands: &[Val<'c>],
        results: &[Type<'c>],
        attributes: Attrs<'_, 'c>,
        regions: &[Vec<Type<'c>>],
    ) -> Op<'c> {
        let location = self.location;
        let op = create_op(
            self.context,
            OpParts { name, location, operands, results, attributes, regions },
        );
        self.insert(op);
        op
    }

    /// An operation without attributes and regions.
    pub fn op(&self, name: &str, operands: &[Val<'c>], results: &[Type<'c>]) -> Op<'c> {
        self.op_with(name, operands, results, &[], &[])
    }

    /// The result of an operation with one result.
    pub fn val(&self, name: &str, operands: &[Val<'c>], result: Type<'c>) -> Val<'c> {
        self.val_with(name, operands, result, &[])
    }

    /// The result of an operation with attributes and one result.
    pub fn val_with(
        &self,
        name: &str,
        operands: &[Val<'c>],
        result: Type<'c>,
        attributes: Attrs<'_, 'c>,
    ) -> Val<'c> {
        let op = self.op_with(name, operands, &[result], attributes, &[]);
        single(op)
    }

    /// An elementwise operation whose result has the type of its first operand.
    pub fn same(&self, name: &str, operands: &[Val<'c>]) -> Val<'c> {
        self.val(name, operands, operands[0].r#type())
    }

    // Attributes.

    /// An `i64` attribute.
    pub fn i64_attr(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(Type::parse(self.context, "i64").unwrap_or(self.index_type()), value)
            .into()
    }

    /// An `array<i64: ...>` attribute.
    pub fn i64s_attr(&self, values: &[i64]) -> Attribute<'c> {
        DenseI64ArrayAttribute::new(self.context, values).into()
    }

    /// An `array<i32: ...>` attribute.
    pub fn i32s_attr(&self, values: &[i32]) -> Attribute<'c> {
        DenseI32ArrayAttribute::new(self.context, values).into()
    }

    /// A reference to a symbol.
    pub fn symbol_attr(&self, name: &str) -> Attribute<'c> {
        FlatSymbolRefAttribute::new(self.context, name).into()
    }

    // Constants and arithmetic.

    /// The type `index`.
    pub fn index_type(&self) -> Type<'c> {
        Type::index(self.context)
    }

    /// The type `i1`.
    pub fn bool_type(&self) -> Type<'c> {
        melior::ir::r#type::IntegerType::new(self.context, 1).into()
    }

    /// An `index` constant.
    pub fn index(&self, value: i64) -> Val<'c> {
        let attribute = IntegerAttribute::new(self.index_type(), value).into();
        self.val_with("arith.constant", &[], self.index_type(), &[("value", attribute)])
    }

    /// A constant of the type and sizes of `like`: a float, or a vector or tensor
    /// with every element the same.
    pub fn float_like(&self, like: Val<'c>, value: f64) -> Val<'c> {
        let scalar = like.r#type().scalar();
        self.splat_like(like, FloatAttribute::new(self.context, scalar, value).into())
    }

    /// An integer constant of the type and sizes of `like`.
    pub fn int_like(&self, like: Val<'c>, value: i64) -> Val<'c> {
        self.splat_like(like, IntegerAttribute::new(like.r#type().scalar(), value).into())
    }

    fn splat_like(&self, like: Val<'c>, attribute: Attribute<'c>) -> Val<'c> {
        let full = like.r#type();
        if full == full.scalar() {
            return self.val_with("arith.constant", &[], full, &[("value", attribute)]);
        }
        if !full.shape().contains(&DYNAMIC)
            && let Ok(dense) = DenseElementsAttribute::new(full, &[attribute])
        {
            return self.val_with("arith.constant", &[], full, &[("value", dense.into())]);
        }
        let scalar = self.val_with("arith.constant", &[], full.scalar(), &[("value", attribute)]);
        let mut operands = vec![scalar];
        operands.extend(self.dynamic_dims(like));
        self.val("tensor.splat", &operands, full)
    }

    /// The sum of two values of one type: floats, complex numbers, integers, or
    /// tensors and vectors of them.
    pub fn add(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.arithmetic("add", &[a, b])
    }

    /// The difference of two values, as for `add`.
    pub fn sub(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.arithmetic("sub", &[a, b])
    }

    /// The product of two values, as for `add`.
    pub fn mul(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.arithmetic("mul", &[a, b])
    }

    /// The quotient of two floats or complex numbers.
    pub fn div(&self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.arithmetic("div", &[a, b])
    }

    /// The negated float or complex number.
    pub fn neg(&self, a: Val<'c>) -> Val<'c> {
        self.arithmetic("neg", &[a])
    }

    /// An operation of `arith` or `complex` by the type of the operands.
    fn arithmetic(&self, name: &str, operands: &[Val<'c>]) -> Val<'c> {
        let scalar = operands[0].r#type().scalar();
        if scalar.is_float_type() {
            self.float_op(&format!("arith.{name}f"), operands)
        } else if scalar.is_complex_type() {
            self.float_op(&format!("complex.{name}"), operands)
        } else {
            self.same(&format!("arith.{name}i"), operands)
        }
    }

    /// A float or complex operation whose result has the type of its first operand.
    pub fn float_op(&self, name: &str, operands: &[Val<'c>]) -> Val<'c> {
        match self.fastmath {
            Some(flags) => {
                self.val_with(name, operands, operands[0].r#type(), &[("fastmath", flags)])
            }
            None => self.same(name, operands),
        }
    }

    /// The negation of an `i1`, or of a vector or tensor of them.
    pub fn not(&self, condition: Val<'c>) -> Val<'c> {
        self.same("arith.xori", &[condition, self.int_like(condition, 1)])
    }

    /// `condition ? a : b`; the condition is an `i1` or has the shape of the values.
    pub fn select(&self, condition: Val<'c>, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.val("arith.select", &[condition, a, b], a.r#type())
    }

    // Tensors.

    /// The size of a tensor along a dimension; a constant where it is static.
    pub fn dim(&self, tensor: Val<'c>, dimension: usize) -> Val<'c> {
        match tensor.r#type().shape().get(dimension) {
            Some(&size) if size != DYNAMIC => self.index(size),
            _ => {
                let dimension = self.index(dimension as i64);
                self.val("tensor.dim", &[tensor, dimension], self.index_type())
            }
        }
    }

    /// The dynamic sizes of a tensor, in order; none for a scalar.
    pub fn dynamic_dims(&self, tensor: Val<'c>) -> Vec<Val<'c>> {
        let shape = tensor.r#type().shape();
        (0..shape.len()).filter(|&i| shape[i] == DYNAMIC).map(|i| self.dim(tensor, i)).collect()
    }

    /// An uninitialised tensor with the given dynamic sizes.
    pub fn empty(&self, r#type: Type<'c>, sizes: &[Val<'c>]) -> Val<'c> {
        self.val("tensor.empty", sizes, r#type)
    }

    /// One of a float type.
    pub fn one(&self, float: Type<'c>) -> Val<'c> {
        let attribute = FloatAttribute::new(self.context, float, 1.0).into();
        self.val_with("arith.constant", &[], float, &[("value", attribute)])
    }

    /// Zero of a scalar type.
    pub fn zero_scalar(&self, scalar: Type<'c>) -> Val<'c> {
        let attribute: Attribute = if scalar.is_float_type() {
            FloatAttribute::new(self.context, scalar, 0.0).into()
        } else if scalar.is_complex_type() {
            return self.zero_complex(scalar);
        } else {
            IntegerAttribute::new(scalar, 0).into()
        };
        self.val_with("arith.constant", &[], scalar, &[("value", attribute)])
    }

    fn zero_complex(&self, complex: Type<'c>) -> Val<'c> {
        let element = complex.to_string();
        let part = element.trim_start_matches("complex<").trim_end_matches('>');
        let text = format!("[0.0 : {part}, 0.0 : {part}]");
        match Attribute::parse(self.context, &text) {
            Some(value) => self.val_with("complex.constant", &[], complex, &[("value", value)]),
            None => self.val("ub.poison", &[], complex),
        }
    }

    /// Zero with the type and the sizes of a value.
    pub fn zeros_like(&self, like: Val<'c>) -> Val<'c> {
        let full = like.r#type();
        if full.as_tensor().is_none() && full != full.scalar() {
            return self.float_like(like, 0.0);
        }
        self.zeros(full, &self.dynamic_dims(like))
    }

    /// Zero of a type with the given dynamic sizes.
    pub fn zeros(&self, full: Type<'c>, sizes: &[Val<'c>]) -> Val<'c> {
        let zero = self.zero_scalar(full.scalar());
        if full == full.scalar() {
            return zero;
        }
        let empty = self.empty(full, sizes);
        self.fill(zero, empty)
    }

    /// A tensor of the type and sizes of `target` with every element `value`.
    pub fn fill(&self, value: Val<'c>, target: Val<'c>) -> Val<'c> {
        let scalar = value.r#type();
        let op = self.op_with(
            "linalg.fill",
            &[value, target],
            &[target.r#type()],
            &[("operandSegmentSizes", self.i32s_attr(&[1, 1]))],
            &[vec![scalar, scalar]],
        );
        if let Some(body) = op.body(0) {
            let arguments = body.arg_list();
            self.into_block(body).op("linalg.yield", &arguments[..1], &[]);
        }
        single(op)
    }

    /// The element of a tensor at an index.
    pub fn extract(&self, tensor: Val<'c>, indices: &[Val<'c>]) -> Val<'c> {
        let mut operands = vec![tensor];
        operands.extend_from_slice(indices);
        self.val("tensor.extract", &operands, tensor.r#type().scalar())
    }

    /// The tensor with the element at an index replaced.
    pub fn insert_element(&self, value: Val<'c>, tensor: Val<'c>, indices: &[Val<'c>]) -> Val<'c> {
        let mut operands = vec![value, tensor];
        operands.extend_from_slice(indices);
        self.val("tensor.insert", &operands, tensor.r#type())
    }

    /// The tensor with another static shape.
    pub fn cast(&self, tensor: Val<'c>, wanted: Type<'c>) -> Val<'c> {
        if tensor.r#type() == wanted { tensor } else { self.val("tensor.cast", &[tensor], wanted) }
    }

    /// The row of an array at an index: an element, or a tensor of the trailing
    /// dimensions.
    pub fn row(&self, array: Val<'c>, index: Val<'c>) -> Val<'c> {
        if array.r#type().shape().len() == 1 {
            return self.extract(array, &[index]);
        }
        let (operands, attributes) = self.row_position(array, index, array);
        let mut all = vec![array];
        all.extend(operands);
        let segments = [1, 1, all.len() as i32 - 2, 0];
        self.slice_op("tensor.extract_slice", &all, array.r#type().row(), &attributes, &segments)
    }

    /// The array with the row at an index replaced.
    pub fn insert_row(&self, row: Val<'c>, array: Val<'c>, index: Val<'c>) -> Val<'c> {
        if array.r#type().shape().len() == 1 {
            return self.insert_element(row, array, &[index]);
        }
        let (operands, attributes) = self.row_position(array, index, array);
        let mut all = vec![row, array];
        all.extend(operands);
        let segments = [1, 1, 1, all.len() as i32 - 3, 0];
        self.slice_op("tensor.insert_slice", &all, array.r#type(), &attributes, &segments)
    }

    /// Operands and static attributes that select the row `index` of an array.
    fn row_position(
        &self,
        array: Val<'c>,
        index: Val<'c>,
        sizes_of: Val<'c>,
    ) -> (Vec<Val<'c>>, [Vec<i64>; 3]) {
        let shape = array.r#type().shape();
        let rank = shape.len();
        let mut offsets = vec![0; rank];
        offsets[0] = DYNAMIC;
        let mut sizes = shape.clone();
        sizes[0] = 1;
        let mut operands = vec![index];
        for (i, &size) in shape.iter().enumerate().skip(1) {
            if size == DYNAMIC {
                operands.push(self.dim(sizes_of, i));
            }
        }
        (operands, [offsets, sizes, vec![1; rank]])
    }

    /// `tensor.extract_slice` or `tensor.insert_slice` from its parts.
    pub fn slice_op(
        &self,
        name: &str,
        operands: &[Val<'c>],
        result: Type<'c>,
        statics: &[Vec<i64>; 3],
        segments: &[i32],
    ) -> Val<'c> {
        // Upstream refuses any offset in a dimension of static size zero; a slice of
        // nothing is nothing anyhow.
        let is_empty = |r#type: Type<'c>| r#type.shape().contains(&0);
        match (name, operands) {
            ("tensor.insert_slice", [_, array, ..]) if is_empty(array.r#type()) => return *array,
            ("tensor.extract_slice", _) if is_empty(result) => {
                let offsets = segments.get(1).copied().unwrap_or(0) as usize;
                let sizes = segments.get(2).copied().unwrap_or(0) as usize;
                let sizes = operands.get(1 + offsets..1 + offsets + sizes).unwrap_or_default();
                return self.empty(result, sizes);
            }
            _ => {}
        }
        self.val_with(
            name,
            operands,
            result,
            &[
                ("static_offsets", self.i64s_attr(&statics[0])),
                ("static_sizes", self.i64s_attr(&statics[1])),
                ("static_strides", self.i64s_attr(&statics[2])),
                ("operandSegmentSizes", self.i32s_attr(segments)),
            ],
        )
    }

    // Combinators.

    /// The array 0, 1, ..., n-1 of type `index`, with the static size if given.
    pub fn iota(&self, size: Val<'c>, static_size: i64) -> Val<'c> {
        let result = tensor_type(&[static_size], self.index_type());
        let operands = if static_size == DYNAMIC { vec![size] } else { vec![] };
        self.val("soac.iota", &operands, result)
    }

    /// The array with `size` copies of a value.
    pub fn replicate(&self, value: Val<'c>, size: Val<'c>, static_size: i64) -> Val<'c> {
        let result = array_of(static_size, value.r#type());
        let operands = if static_size == DYNAMIC { vec![value, size] } else { vec![value] };
        self.val("soac.replicate", &operands, result)
    }

    /// `soac.map` with result types as given; the closure fills the body and
    /// returns what it yields.
    pub fn map(
        &self,
        inputs: &[Val<'c>],
        accs: &[Val<'c>],
        results: &[Type<'c>],
        body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let mut arguments: Vec<_> = inputs.iter().map(|v| v.r#type().row()).collect();
        arguments.extend(accs.iter().map(|v| v.r#type()));
        let operands = [inputs, accs].concat();
        let segments = self.i32s_attr(&[inputs.len() as i32, accs.len() as i32]);
        let op = self.op_with(
            "soac.map",
            &operands,
            results,
            &[("operandSegmentSizes", segments)],
            &[arguments],
        );
        self.fill_body(op, 0, "soac.yield", body)?;
        Ok(op.result_list())
    }

    /// `soac.reduce`; the closure gets all left, then all right operands.
    pub fn reduce(
        &self,
        inputs: &[Val<'c>],
        neutrals: &[Val<'c>],
        body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let tuple: Vec<_> = neutrals.iter().map(|v| v.r#type()).collect();
        let segments = self.i32s_attr(&[inputs.len() as i32, neutrals.len() as i32]);
        let op = self.op_with(
            "soac.reduce",
            &[inputs, neutrals].concat(),
            &tuple,
            &[("operandSegmentSizes", segments)],
            &[[&tuple[..], &tuple[..]].concat()],
        );
        self.fill_body(op, 0, "soac.yield", body)?;
        Ok(op.result_list())
    }

    /// `soac.scan`, with `exclusive` and `reverse` as wanted; the closure gets all
    /// left, then all right operands.
    pub fn scan(
        &self,
        inputs: &[Val<'c>],
        neutrals: &[Val<'c>],
        flags: &[&str],
        body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let tuple: Vec<_> = neutrals.iter().map(|v| v.r#type()).collect();
        let results: Vec<_> = inputs.iter().map(|v| v.r#type()).collect();
        let segments = self.i32s_attr(&[inputs.len() as i32, neutrals.len() as i32]);
        let mut attributes = vec![("operandSegmentSizes", segments)];
        attributes.extend(flags.iter().map(|&flag| (flag, Attribute::unit(self.context))));
        let op = self.op_with(
            "soac.scan",
            &[inputs, neutrals].concat(),
            &results,
            &attributes,
            &[[&tuple[..], &tuple[..]].concat()],
        );
        self.fill_body(op, 0, "soac.yield", body)?;
        Ok(op.result_list())
    }

    /// The sum of an array along its outermost dimension.
    pub fn sum(&self, array: Val<'c>) -> Result<Val<'c>> {
        let row = array.r#type().row();
        let sizes: Vec<_> = (1..array.r#type().shape().len())
            .filter(|&i| array.r#type().shape()[i] == DYNAMIC)
            .map(|i| self.dim(array, i))
            .collect();
        let zero = self.zeros(row, &sizes);
        let sums = self.reduce(&[array], &[zero], |b, args| Ok(vec![b.add(args[0], args[1])]))?;
        Ok(sums[0])
    }

    /// The sum of all elements of a tensor of any rank.
    pub fn sum_all(&self, tensor: Val<'c>) -> Result<Val<'c>> {
        match tensor.r#type().shape().len() {
            0 if tensor.r#type().as_tensor().is_some() => Ok(self.extract(tensor, &[])),
            0 => Ok(tensor),
            1 => self.sum(tensor),
            _ => {
                let size = tensor.r#type().shape()[0];
                let sums = array_of(size, tensor.r#type().scalar());
                let rows =
                    self.map(&[tensor], &[], &[sums], |b, args| Ok(vec![b.sum_all(args[0])?]))?;
                self.sum(rows[0])
            }
        }
    }

    /// `soac.with_acc`; the closure gets the accumulators and returns them,
    /// then the further results.
    pub fn with_acc(
        &self,
        arrays: &[Val<'c>],
        extra: &[Type<'c>],
        body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let mut results: Vec<_> = arrays.iter().map(|v| v.r#type()).collect();
        let accs: Vec<_> = results.iter().map(|&array| capi::acc_type(array)).collect();
        results.extend_from_slice(extra);
        let op = self.op_with("soac.with_acc", arrays, &results, &[], &[accs]);
        self.fill_body(op, 0, "soac.yield", body)?;
        Ok(op.result_list())
    }

    /// The accumulator with a value added at an index.
    pub fn update_acc(&self, acc: Val<'c>, indices: &[Val<'c>], value: Val<'c>) -> Val<'c> {
        let operands = [&[acc], indices, &[value]].concat();
        self.val("soac.update_acc", &operands, acc.r#type())
    }

    // Control flow.

    /// `scf.for` with loop-carried values; the closure gets the induction
    /// variable and the carried values and returns the next ones.
    pub fn for_loop(
        &self,
        bounds: [Val<'c>; 3],
        inits: &[Val<'c>],
        body: impl FnOnce(Builder<'c>, Val<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Op<'c>> {
        let types: Vec<_> = inits.iter().map(|v| v.r#type()).collect();
        let mut arguments = vec![bounds[0].r#type()];
        arguments.extend_from_slice(&types);
        let op = self.op_with("scf.for", &[&bounds, inits].concat(), &types, &[], &[arguments]);
        self.fill_body(op, 0, "scf.yield", |b, args| body(b, args[0], &args[1..]))?;
        Ok(op)
    }

    /// `scf.if` with both branches.
    pub fn if_else(
        &self,
        condition: Val<'c>,
        types: &[Type<'c>],
        mut branch: impl FnMut(Builder<'c>, bool) -> Result<Vec<Val<'c>>>,
    ) -> Result<Op<'c>> {
        let op = self.op_with("scf.if", &[condition], types, &[], &[vec![], vec![]]);
        self.fill_body(op, 0, "scf.yield", |b, _| branch(b, true))?;
        self.fill_body(op, 1, "scf.yield", |b, _| branch(b, false))?;
        Ok(op)
    }

    /// Fills the body of a region and ends it with a terminator.
    pub fn fill_body(
        &self,
        op: Op<'c>,
        region: usize,
        terminator: &str,
        body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<()> {
        let Some(block) = op.body(region) else { return Ok(()) };
        let inner = self.into_block(block);
        let yielded = body(inner, &block.arg_list())?;
        inner.op(terminator, &yielded, &[]);
        Ok(())
    }
}

/// The one result of an operation.
///
/// Invariant: the builder gives this operations with a result only; an operation
/// without one would have been created by a caller's mistake, and then its first
/// operand stands in so that the verifier reports it.
fn single<'c>(op: Op<'c>) -> Val<'c> {
    match op.res(0).or_else(|| op.opnd(0)) {
        Some(value) => value,
        None => unreachable!("operation without result: {}", op.op_name()),
    }
}

/// Whether two values are the same SSA value.
pub fn same_value(a: Val<'_>, b: Val<'_>) -> bool {
    a.key() == b.key()
}
