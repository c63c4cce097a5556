//! Building IR at a position.
//!
//! `Builder` is a position and a location; it is cheap to copy. Functions that
//! make an operation with a body take a closure that fills it.

mod arrays;
mod branches;
mod combinators;
mod sort;
mod widths;

use ad_dialect::ir::{
    Blk, BlkExt, DYNAMIC, Op, OpExt, OpParts, TyExt, Val, ValExt, bool_like, create_op, part_type,
};
use melior::{
    Context,
    ir::{
        Attribute, Location, Type, ValueLike,
        attribute::{
            ArrayAttribute, DenseElementsAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
            FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute,
        },
        operation::OperationLike,
        r#type::IntegerType,
    },
};

use mlir_sys as sys;

use super::{diag::Result, fastmath::allows};

/// The predicates of `arith.cmpi` in use.
pub const CMP_EQ: i64 = 0;
/// Not equal.
pub const CMP_NE: i64 = 1;
/// Less, signed.
pub const CMP_SLT: i64 = 2;
/// Less or equal, signed.
pub const CMP_SLE: i64 = 3;
/// Greater, signed.
pub const CMP_SGT: i64 = 4;
/// Greater or equal, signed.
pub const CMP_SGE: i64 = 5;
/// Less, unsigned.
pub const CMP_ULT: i64 = 6;
/// Less or equal, unsigned.
pub const CMP_ULE: i64 = 7;

pub use branches::Edge;
pub use sort::Order;

/// A position in a block and the location for what is built there.
#[derive(Clone, Copy)]
pub struct Builder<'c> {
    context: &'c Context,
    block: Blk<'c>,
    before: Option<Op<'c>>,
    location: Location<'c>,
    fastmath: Option<Attribute<'c>>,
    source: Option<Op<'c>>,
}

/// Named attributes.
pub type Attrs<'a, 'c> = &'a [(&'a str, Attribute<'c>)];

impl<'c> Builder<'c> {
    /// Builds at the end of a block.
    pub fn at_end(context: &'c Context, block: Blk<'c>, location: Location<'c>) -> Self {
        Self { context, block, before: None, location, fastmath: None, source: None }
    }

    /// Builds in front of an operation, with its location.
    ///
    /// The operation must be linked into a block; without one the builder stays
    /// at the end of the block that `fallback` gives.
    pub fn before(context: &'c Context, op: Op<'c>, fallback: Blk<'c>) -> Self {
        let block = op.block().unwrap_or(fallback);
        let before = op.block().map(|_| op);
        Self { context, block, before, location: op.location(), fastmath: None, source: None }
    }

    /// Builds behind an operation of a block, with its location.
    pub fn after(context: &'c Context, op: Op<'c>, block: Blk<'c>) -> Self {
        match op.next() {
            Some(next) => Self::before(context, next, block).with_location(op.location()),
            None => Self::at_end(context, block, op.location()),
        }
    }

    /// The same position with another location.
    pub fn with_location(mut self, location: Location<'c>) -> Self {
        self.location = location;
        self
    }

    /// The same position, for what is derived from an operation: it gets its location,
    /// and derived combinators, loops and structured operations its discardable
    /// attributes (checklist FP8).
    pub fn deriving(self, op: Op<'c>) -> Self {
        Self { source: Some(op), ..self.with_location(op.location()) }
    }

    /// The same position; what is built derives from what the other builder derives from.
    pub fn deriving_as(self, other: Self) -> Self {
        Self { source: other.source, ..self }
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

    /// The same position; float arithmetic may be contracted if that of an operation may, and nothing else.
    pub fn contracting_as(mut self, op: Op<'c>) -> Self {
        let contract = || Attribute::parse(self.context, "#arith.fastmath<contract>");
        self.fastmath = allows(op, "contract").then(contract).flatten();
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
            OpParts { name, location, operands, results, attributes, regions, successors: &[] },
        );
        self.insert(op);
        self.carry_attributes(op);
        op
    }

    /// Attributes that are instructions to our own passes stay where they are: they may
    /// count operands, and what they promise holds of the source only.
    ///
    /// The source is not looked at for other operations: it may be gone when the end of a body that replaces it is made.
    fn carry_attributes(&self, op: Op<'c>) {
        let source = self.source.filter(|_| carries_attributes(op.op_name()));
        let Some(source) = source.filter(|source| carries_attributes(source.op_name())) else {
            return;
        };
        for (name, attribute) in source.discardable_attrs() {
            if !name.starts_with("ad.") && !name.starts_with("soac.") && op.attr(&name).is_none() {
                op.set_attr(self.context, &name, attribute);
            }
        }
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

    /// A list of `i64` attributes.
    pub fn list_attr(&self, values: &[i64]) -> Attribute<'c> {
        let values: Vec<_> = values.iter().map(|&value| self.i64_attr(value)).collect();
        ArrayAttribute::new(self.context, &values).into()
    }

    /// An `i32` attribute.
    pub fn i32_attr(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(IntegerType::new(self.context, 32).into(), value).into()
    }

    /// An `index` attribute.
    pub fn index_attr(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(self.index_type(), value).into()
    }

    /// An `array<i1: ...>` attribute.
    pub fn bools_attr(&self, values: &[bool]) -> Attribute<'c> {
        let values: Vec<i32> = values.iter().map(|&value| value.into()).collect();
        // SAFETY: the context is valid, and the values are copied.
        unsafe {
            Attribute::from_raw(sys::mlirDenseBoolArrayGet(
                self.context.to_raw(),
                values.len() as isize,
                values.as_ptr(),
            ))
        }
    }

    /// An `array<i32: ...>` attribute.
    pub fn i32s_attr(&self, values: &[i32]) -> Attribute<'c> {
        DenseI32ArrayAttribute::new(self.context, values).into()
    }

    /// A reference to a symbol.
    pub fn symbol_attr(&self, name: &str) -> Attribute<'c> {
        FlatSymbolRefAttribute::new(self.context, name).into()
    }

    /// A call in the LLVM dialect of a function with a name.
    pub fn llvm_call(&self, callee: &str, operands: &[Val<'c>], results: &[Type<'c>]) -> Op<'c> {
        let attributes = [
            ("callee", self.symbol_attr(callee)),
            ("operandSegmentSizes", self.i32s_attr(&[operands.len() as i32, 0])),
            ("op_bundle_sizes", self.i32s_attr(&[])),
        ];
        self.op_with("llvm.call", operands, results, &attributes, &[])
    }

    // Constants and arithmetic.

    /// The type `index`.
    pub fn index_type(&self) -> Type<'c> {
        Type::index(self.context)
    }

    /// The type `i1`.
    pub fn bool_type(&self) -> Type<'c> {
        IntegerType::new(self.context, 1).into()
    }

    /// An `i32` constant.
    pub fn i32(&self, value: i64) -> Val<'c> {
        let r#type = IntegerType::new(self.context, 32).into();
        self.val_with("arith.constant", &[], r#type, &[("value", self.i32_attr(value))])
    }

    /// An `index` constant.
    pub fn index(&self, value: i64) -> Val<'c> {
        let attribute = self.index_attr(value);
        self.val_with("arith.constant", &[], self.index_type(), &[("value", attribute)])
    }

    /// A constant of the type and sizes of `like`: a float or complex number, or a
    /// vector or tensor with every element the same.
    pub fn float_like(&self, like: Val<'c>, value: f64) -> Val<'c> {
        let (full, scalar) = (like.r#type(), like.r#type().scalar());
        if scalar.is_complex_type() || scalar.is_vector_type() {
            let number = self.number(scalar, value);
            if full == scalar {
                return number;
            }
            let operands = [&[number], &self.dynamic_dims(like)[..]].concat();
            return self.val("tensor.splat", &operands, full);
        }
        self.splat_like(like, FloatAttribute::new(self.context, scalar, value).into())
    }

    /// A constant of a float, complex or vector type.
    pub fn number(&self, r#type: Type<'c>, value: f64) -> Val<'c> {
        if r#type.is_complex_type() {
            let part = part_type(r#type);
            let parts = [value, 0.0].map(|x| FloatAttribute::new(self.context, part, x).into());
            let parts = ArrayAttribute::new(self.context, &parts).into();
            return self.val_with("complex.constant", &[], r#type, &[("value", parts)]);
        }
        if r#type.is_vector_type() && r#type.scalar().is_complex_type() {
            let number = self.number(r#type.scalar(), value);
            return self.val("vector.broadcast", &[number], r#type);
        }
        let scalar = FloatAttribute::new(self.context, r#type.scalar(), value).into();
        let attribute = match DenseElementsAttribute::new(r#type, &[scalar]) {
            Ok(lanes) if r#type.is_vector_type() => lanes.into(),
            _ => scalar,
        };
        self.val_with("arith.constant", &[], r#type, &[("value", attribute)])
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
        let (full, scalar) = (operands[0].r#type(), operands[0].r#type().scalar());
        let is_elementwise = scalar.is_float_type() || scalar.is_int_or_index_type();
        if full.as_tensor().is_some() && !is_elementwise {
            return self.each(operands, &|b, elements| b.arithmetic(name, elements));
        }
        if scalar.is_float_type() {
            self.float_op(&format!("arith.{name}f"), operands)
        } else if scalar.is_complex_type() {
            self.float_op(&format!("complex.{name}"), operands)
        } else {
            self.same(&format!("arith.{name}i"), operands)
        }
    }

    /// Applies an operation to each element of tensors of one shape, for operations
    /// that do not take tensors.
    fn each(&self, operands: &[Val<'c>], apply: &dyn Fn(&Self, &[Val<'c>]) -> Val<'c>) -> Val<'c> {
        let full = operands[0].r#type();
        if full.shape().is_empty() {
            let elements: Vec<_> = operands.iter().map(|&x| self.extract(x, &[])).collect();
            return self.val("tensor.from_elements", &[apply(self, &elements)], full);
        }
        let rows = self.map(operands, &[], &[full], |b, rows| {
            let is_array = rows[0].r#type().as_tensor().is_some();
            Ok(vec![if is_array { b.each(rows, apply) } else { apply(&b, rows) }])
        });
        rows.ok().and_then(|rows| rows.first().copied()).unwrap_or(operands[0])
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

    /// The real and the imaginary part of a complex number.
    pub fn both_parts(&self, number: Val<'c>) -> [Val<'c>; 2] {
        let part = part_type(number.r#type());
        ["complex.re", "complex.im"].map(|name| self.val(name, &[number], part))
    }

    /// A comparison of two floats, or of the elements of vectors or tensors of them.
    pub fn compare_floats(&self, is: Is, x: Val<'c>, y: Val<'c>) -> Val<'c> {
        let predicate = self.i64_attr(is as i64);
        self.val_with("arith.cmpf", &[x, y], bool_like(x.r#type()), &[("predicate", predicate)])
    }

    /// The negation of an `i1`, or of a vector or tensor of them.
    pub fn not(&self, condition: Val<'c>) -> Val<'c> {
        self.same("arith.xori", &[condition, self.int_like(condition, 1)])
    }

    /// The quotient and the remainder of integers without signs.
    pub fn divide(&self, number: Val<'c>, by: Val<'c>) -> [Val<'c>; 2] {
        ["arith.divui", "arith.remui"].map(|name| self.same(name, &[number, by]))
    }

    /// Whether all of some conditions are what is said with each; none if there are none.
    pub fn all_hold(&self, conditions: &[(Val<'c>, bool)]) -> Option<Val<'c>> {
        let each = conditions.iter().map(|&(condition, wanted)| match wanted {
            true => condition,
            false => self.not(condition),
        });
        each.reduce(|all, more| self.same("arith.andi", &[all, more]))
    }

    /// A truth value.
    pub fn truth(&self, value: bool) -> Val<'c> {
        let value = IntegerAttribute::new(self.bool_type(), i64::from(value)).into();
        self.val_with("arith.constant", &[], self.bool_type(), &[("value", value)])
    }

    /// A comparison of integers, or of the elements of vectors or tensors of them, with a
    /// predicate such as `CMP_SLT`.
    pub fn compare(&self, predicate: i64, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        let predicate = [("predicate", self.i64_attr(predicate))];
        self.val_with("arith.cmpi", &[a, b], bool_like(a.r#type()), &predicate)
    }

    /// `condition ? a : b`; the condition is an `i1` or has the shape of the values.
    pub fn select(&self, condition: Val<'c>, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        self.val("arith.select", &[condition, a, b], a.r#type())
    }
}

/// Predicates of `arith.cmpf` by number; the ordered ones are false for NaN, the
/// others are true.
#[derive(Clone, Copy)]
pub enum Is {
    /// Equal.
    Equal = 1,
    /// Greater.
    Greater = 2,
    /// Greater or equal.
    AtLeast = 3,
    /// Less.
    Less = 4,
    /// Less or equal.
    AtMost = 5,
    /// Neither is NaN.
    NotNan = 7,
    /// Equal, or NaN.
    EqualOrNan = 8,
    /// Greater, or NaN.
    GreaterOrNan = 9,
    /// Not less, or NaN.
    AtLeastOrNan = 10,
    /// Less, or NaN.
    LessOrNan = 11,
    /// Not greater, or NaN.
    AtMostOrNan = 12,
    /// Not equal, or NaN.
    NotEqual = 13,
    /// At least one is NaN.
    Nan = 14,
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

/// Whether an operation hands its discardable attributes to what is derived from it,
/// and takes those of what it is derived from.
fn carries_attributes(name: &str) -> bool {
    match name.split_once('.') {
        Some(("soac", op)) => matches!(op, "map" | "reduce" | "scan" | "hist" | "scatter"),
        Some(("scf", op)) => matches!(op, "for" | "while" | "if" | "parallel" | "forall"),
        Some(("linalg", op)) => !matches!(op, "fill" | "yield"),
        _ => false,
    }
}

/// Whether two values are the same SSA value.
pub fn same_value(a: Val<'_>, b: Val<'_>) -> bool {
    a.key() == b.key()
}
