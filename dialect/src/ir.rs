//! IR handles with one lifetime, and the few operations on them that melior
//! does not wrap.
//!
//! Transformations hold many handles into one piece of IR that they themselves
//! grow, so all handles here live as long as the context (`'c`). That is as safe
//! as the C API underneath under one rule:
//!
//! Invariant: no handle is used after the operation that owns it was erased.

use melior::{
    Context,
    ir::{
        Attribute, BlockLike, BlockRef, Identifier, Location, Module, Operation, OperationRef,
        RegionRef, Type, TypeLike, Value, ValueLike,
        attribute::{
            AttributeLike, BoolAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
            IntegerAttribute, TypeAttribute,
        },
        operation::OperationLike,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use mlir_sys as sys;

/// An SSA value.
pub type Val<'c> = Value<'c, 'c>;
/// An operation.
pub type Op<'c> = OperationRef<'c, 'c>;
/// A block.
pub type Blk<'c> = BlockRef<'c, 'c>;
/// A region.
pub type Reg<'c> = RegionRef<'c, 'c>;

/// The size that stands for a dynamic dimension in tensor types.
pub const DYNAMIC: i64 = i64::MIN;

/// A handle with one lifetime; see the invariant of this module.
pub fn handle<'c>(op: OperationRef<'c, '_>) -> Op<'c> {
    // SAFETY: only the lifetime of the reference changes.
    unsafe { Op::from_raw(op.to_raw()) }
}

/// The identity of a value, for maps and sets.
pub type ValueKey = usize;
/// The identity of an operation, for maps and sets.
pub type OpKey = usize;
/// The identity of a block, for maps and sets.
pub type BlockKey = usize;

/// What melior's values lack.
pub trait ValExt<'c> {
    /// The identity of the value.
    fn key(&self) -> ValueKey;
    /// The operation that defines the value, if it is not a block argument.
    fn defining_op(&self) -> Option<Op<'c>>;
    /// The block that the value is an argument of, if it is one.
    fn owner_block(&self) -> Option<Blk<'c>>;
    /// The block that the value is defined in.
    fn parent_block(&self) -> Option<Blk<'c>>;
    /// The position among the results of the operation or the arguments of the block.
    fn position(&self) -> usize;
    /// The operations that use the value, each as often as it does.
    fn users(&self) -> Vec<Op<'c>>;
    /// The uses of the value: operations, and which of their operands it is.
    fn uses(&self) -> Vec<(Op<'c>, usize)>;
    /// Makes all uses of the value uses of another.
    fn replace_all_uses(&self, with: Val<'c>);
}

impl<'c> ValExt<'c> for Val<'c> {
    fn key(&self) -> ValueKey {
        self.to_raw().ptr as ValueKey
    }

    fn defining_op(&self) -> Option<Op<'c>> {
        // SAFETY: the value is valid, and an operation result has an owner.
        unsafe {
            sys::mlirValueIsAOpResult(self.to_raw())
                .then(|| Op::from_raw(sys::mlirOpResultGetOwner(self.to_raw())))
        }
    }

    fn owner_block(&self) -> Option<Blk<'c>> {
        // SAFETY: the value is valid, and a block argument has an owner.
        unsafe {
            sys::mlirValueIsABlockArgument(self.to_raw())
                .then(|| Blk::from_raw(sys::mlirBlockArgumentGetOwner(self.to_raw())))
        }
    }

    fn parent_block(&self) -> Option<Blk<'c>> {
        self.owner_block().or_else(|| self.defining_op().and_then(|op| op.block()))
    }

    fn position(&self) -> usize {
        // SAFETY: the value is valid and of the kind asked for.
        unsafe {
            if sys::mlirValueIsAOpResult(self.to_raw()) {
                sys::mlirOpResultGetResultNumber(self.to_raw()) as usize
            } else {
                sys::mlirBlockArgumentGetArgNumber(self.to_raw()) as usize
            }
        }
    }

    fn users(&self) -> Vec<Op<'c>> {
        self.uses().into_iter().map(|(user, _)| user).collect()
    }

    fn uses(&self) -> Vec<(Op<'c>, usize)> {
        let mut uses = vec![];
        // SAFETY: the use list is walked without changing it.
        unsafe {
            let mut operand = sys::mlirValueGetFirstUse(self.to_raw());
            while !sys::mlirOpOperandIsNull(operand) {
                let owner = Op::from_raw(sys::mlirOpOperandGetOwner(operand));
                uses.push((owner, sys::mlirOpOperandGetOperandNumber(operand) as usize));
                operand = sys::mlirOpOperandGetNextUse(operand);
            }
        }
        uses
    }

    fn replace_all_uses(&self, with: Val<'c>) {
        // SAFETY: both values are valid.
        unsafe { sys::mlirValueReplaceAllUsesOfWith(self.to_raw(), with.to_raw()) }
    }
}

/// What melior's operations lack.
pub trait OpExt<'c> {
    /// The identity of the operation.
    fn key(&self) -> OpKey;
    /// The name, such as `arith.addf`.
    fn op_name(&self) -> &'c str;
    /// All operands.
    fn operand_list(&self) -> Vec<Val<'c>>;
    /// All results.
    fn result_list(&self) -> Vec<Val<'c>>;
    /// The operand at a position.
    fn opnd(&self, index: usize) -> Option<Val<'c>>;
    /// The result at a position.
    fn res(&self, index: usize) -> Option<Val<'c>>;
    /// The entry block of the region at a position, if it has one.
    fn body(&self, region: usize) -> Option<Blk<'c>>;
    /// All blocks of all regions.
    fn blocks(&self) -> Vec<Blk<'c>>;
    /// The attribute of the name, inherent or discardable.
    fn attr(&self, name: &str) -> Option<Attribute<'c>>;
    /// Sets a discardable or inherent attribute.
    fn set_attr(&self, context: &'c Context, name: &str, attribute: Attribute<'c>);
    /// The attributes that the operation's definition does not know, with their names.
    fn discardable_attrs(&self) -> Vec<(String, Attribute<'c>)>;
    /// Removes an attribute, if it is there.
    fn remove_attr(&self, name: &str);
    /// The operation around this one.
    fn parent(&self) -> Option<Op<'c>>;
    /// The operation behind this one in its block.
    fn next(&self) -> Option<Op<'c>>;
    /// Whether the operation comes before another one of its block. Costs no more than a comparison of numbers as long
    /// as the block does not change.
    fn is_before(&self, other: Op<'c>) -> bool;
    /// Replaces an operand.
    fn set_operand(&self, index: usize, value: Val<'c>);
    /// Replaces all operands.
    fn set_operands(&self, values: &[Val<'c>]);
    /// A detached copy with everything inside, operands as they are.
    fn clone_detached(&self) -> Op<'c>;
    /// Unlinks and destroys the operation; its results must have no uses.
    fn erase(&self);
    /// Unlinks the operation from its block; the caller links it in elsewhere.
    fn detach(&self);
    /// Whether all results are unused and nothing else would be lost without the operation.
    fn is_dead(&self) -> bool;
    /// Calls a function on this operation and every operation inside, outermost first.
    fn for_each(&self, visit: &mut dyn FnMut(Op<'c>));
}

impl<'c> OpExt<'c> for Op<'c> {
    fn key(&self) -> OpKey {
        self.to_raw().ptr as OpKey
    }

    fn op_name(&self) -> &'c str {
        // SAFETY: identifiers are interned in the context and live as long.
        unsafe {
            let name = sys::mlirIdentifierStr(sys::mlirOperationGetName(self.to_raw()));
            let bytes = std::slice::from_raw_parts(name.data as *const u8, name.length);
            std::str::from_utf8(bytes).unwrap_or("")
        }
    }

    fn operand_list(&self) -> Vec<Val<'c>> {
        let operand = |i| {
            // SAFETY: the index is in range.
            unsafe { Val::from_raw(sys::mlirOperationGetOperand(self.to_raw(), i as isize)) }
        };
        (0..self.operand_count()).map(operand).collect()
    }

    fn result_list(&self) -> Vec<Val<'c>> {
        let result = |i| {
            // SAFETY: the index is in range.
            unsafe { Val::from_raw(sys::mlirOperationGetResult(self.to_raw(), i as isize)) }
        };
        (0..self.result_count()).map(result).collect()
    }

    fn opnd(&self, index: usize) -> Option<Val<'c>> {
        // SAFETY: the index is in range.
        (index < self.operand_count()).then(|| unsafe {
            Val::from_raw(sys::mlirOperationGetOperand(self.to_raw(), index as isize))
        })
    }

    fn res(&self, index: usize) -> Option<Val<'c>> {
        // SAFETY: the index is in range.
        (index < self.result_count()).then(|| unsafe {
            Val::from_raw(sys::mlirOperationGetResult(self.to_raw(), index as isize))
        })
    }

    fn body(&self, region: usize) -> Option<Blk<'c>> {
        if region >= self.region_count() {
            return None;
        }
        // SAFETY: the index is in range; an empty region gives a null block.
        unsafe {
            let region = sys::mlirOperationGetRegion(self.to_raw(), region as isize);
            Blk::from_option_raw(sys::mlirRegionGetFirstBlock(region))
        }
    }

    fn blocks(&self) -> Vec<Blk<'c>> {
        let mut blocks = vec![];
        for region in 0..self.region_count() {
            let mut next = self.body(region);
            while let Some(block) = next {
                blocks.push(block);
                // SAFETY: the block is valid; the last one gives a null block.
                next =
                    unsafe { Blk::from_option_raw(sys::mlirBlockGetNextInRegion(block.to_raw())) };
            }
        }
        blocks
    }

    fn attr(&self, name: &str) -> Option<Attribute<'c>> {
        self.attribute(name).ok()
    }

    fn set_attr(&self, _context: &'c Context, name: &str, attribute: Attribute<'c>) {
        // SAFETY: the operation and the attribute are valid.
        unsafe {
            sys::mlirOperationSetAttributeByName(
                self.to_raw(),
                melior::StringRef::new(name).to_raw(),
                attribute.to_raw(),
            )
        }
    }

    fn discardable_attrs(&self) -> Vec<(String, Attribute<'c>)> {
        // SAFETY: the operation is valid, the positions are in range, and names and
        // attributes live as long as the context.
        unsafe {
            let count = sys::mlirOperationGetNumDiscardableAttributes(self.to_raw());
            (0..count)
                .map(|i| sys::mlirOperationGetDiscardableAttribute(self.to_raw(), i))
                .filter_map(|named| {
                    let name = text_at(sys::mlirIdentifierStr(named.name))?.to_owned();
                    Some((name, Attribute::from_raw(named.attribute)))
                })
                .collect()
        }
    }

    fn remove_attr(&self, name: &str) {
        // SAFETY: the operation is valid.
        unsafe {
            sys::mlirOperationRemoveAttributeByName(
                self.to_raw(),
                melior::StringRef::new(name).to_raw(),
            );
        }
    }

    fn next(&self) -> Option<Op<'c>> {
        // SAFETY: the last operation is followed by null.
        unsafe { Op::from_option_raw(sys::mlirOperationGetNextInBlock(self.to_raw())) }
    }

    fn is_before(&self, other: Op<'c>) -> bool {
        // SAFETY: both operations are valid and in one block.
        unsafe { sys::mlirOperationIsBeforeInBlock(self.to_raw(), other.to_raw()) }
    }

    fn parent(&self) -> Option<Op<'c>> {
        self.parent_operation()
    }

    fn set_operand(&self, index: usize, value: Val<'c>) {
        if index < self.operand_count() {
            // SAFETY: the index is in range.
            unsafe { sys::mlirOperationSetOperand(self.to_raw(), index as isize, value.to_raw()) }
        }
    }

    fn set_operands(&self, values: &[Val<'c>]) {
        let raw: Vec<_> = values.iter().map(ValueLike::to_raw).collect();
        // SAFETY: the array has the length that is given.
        unsafe { sys::mlirOperationSetOperands(self.to_raw(), raw.len() as isize, raw.as_ptr()) }
    }

    fn clone_detached(&self) -> Op<'c> {
        // SAFETY: the caller links the copy into a block, which then owns it.
        unsafe { Op::from_raw(sys::mlirOperationClone(self.to_raw())) }
    }

    fn erase(&self) {
        // SAFETY: see the invariant of this module.
        unsafe { sys::mlirOperationDestroy(self.to_raw()) }
    }

    fn detach(&self) {
        // SAFETY: the operation is valid.
        unsafe { sys::mlirOperationRemoveFromParent(self.to_raw()) }
    }

    fn is_dead(&self) -> bool {
        self.result_list().iter().all(|result| result.users().is_empty())
            && crate::capi::is_trivially_dead(*self)
    }

    fn for_each(&self, visit: &mut dyn FnMut(Op<'c>)) {
        visit(*self);
        for block in self.blocks() {
            for op in block.ops() {
                op.for_each(visit);
            }
        }
    }
}

/// What melior's blocks lack.
pub trait BlkExt<'c> {
    /// The identity of the block.
    fn key(&self) -> BlockKey;
    /// All operations, the terminator last.
    fn ops(&self) -> Vec<Op<'c>>;
    /// All operations before the terminator.
    fn body_ops(&self) -> Vec<Op<'c>>;
    /// The terminator.
    fn term(&self) -> Option<Op<'c>>;
    /// What the terminator hands on.
    fn ends(&self) -> Vec<Val<'c>>;
    /// All arguments.
    fn arg_list(&self) -> Vec<Val<'c>>;
    /// Adds an argument in front of the one at a position; those from there on move up.
    fn insert_arg(&self, position: usize, r#type: Type<'c>, location: Location<'c>) -> Val<'c>;
    /// Links a detached operation in at the end.
    fn push(&self, op: Op<'c>);
    /// Links a detached operation in before another of the block.
    fn insert_before(&self, before: Op<'c>, op: Op<'c>);
}

impl<'c> BlkExt<'c> for Blk<'c> {
    fn key(&self) -> BlockKey {
        self.to_raw().ptr as BlockKey
    }

    fn ops(&self) -> Vec<Op<'c>> {
        let mut ops = vec![];
        // SAFETY: the block is valid; the last operation is followed by null.
        unsafe {
            let mut next = Op::from_option_raw(sys::mlirBlockGetFirstOperation(self.to_raw()));
            while let Some(op) = next {
                ops.push(op);
                next = Op::from_option_raw(sys::mlirOperationGetNextInBlock(op.to_raw()));
            }
        }
        ops
    }

    fn body_ops(&self) -> Vec<Op<'c>> {
        let mut ops = self.ops();
        if self.term().is_some() {
            ops.pop();
        }
        ops
    }

    fn term(&self) -> Option<Op<'c>> {
        // SAFETY: the block is valid; without a terminator the result is null.
        unsafe { Op::from_option_raw(sys::mlirBlockGetTerminator(self.to_raw())) }
    }

    fn ends(&self) -> Vec<Val<'c>> {
        self.term().map(|end| end.operand_list()).unwrap_or_default()
    }

    fn arg_list(&self) -> Vec<Val<'c>> {
        (0..self.argument_count())
            // SAFETY: the index is in range.
            .map(|i| unsafe { Val::from_raw(sys::mlirBlockGetArgument(self.to_raw(), i as isize)) })
            .collect()
    }

    fn insert_arg(&self, position: usize, r#type: Type<'c>, location: Location<'c>) -> Val<'c> {
        let position = position.min(self.argument_count()) as isize;
        // SAFETY: the position is at most the number of arguments.
        unsafe {
            Val::from_raw(sys::mlirBlockInsertArgument(
                self.to_raw(),
                position,
                r#type.to_raw(),
                location.to_raw(),
            ))
        }
    }

    fn push(&self, op: Op<'c>) {
        // SAFETY: the operation is detached; the block takes it over.
        unsafe { sys::mlirBlockAppendOwnedOperation(self.to_raw(), op.to_raw()) }
    }

    fn insert_before(&self, before: Op<'c>, op: Op<'c>) {
        // SAFETY: `before` is in the block; the block takes `op` over.
        unsafe {
            sys::mlirBlockInsertOwnedOperationBefore(self.to_raw(), before.to_raw(), op.to_raw())
        }
    }
}

/// What an operation is made of.
pub struct OpParts<'a, 'c> {
    /// The name, such as `arith.addf`.
    pub name: &'a str,
    /// Where it comes from.
    pub location: Location<'c>,
    /// The operands.
    pub operands: &'a [Val<'c>],
    /// The result types.
    pub results: &'a [Type<'c>],
    /// The attributes, inherent ones included.
    pub attributes: &'a [(&'a str, Attribute<'c>)],
    /// For every region, the argument types of its one block.
    pub regions: &'a [Vec<Type<'c>>],
    /// The blocks that a terminator goes to.
    pub successors: &'a [Blk<'c>],
}

/// Creates a detached operation; each region gets one empty block.
pub fn create_op<'c>(context: &'c Context, parts: OpParts<'_, 'c>) -> Op<'c> {
    let operands: Vec<_> = parts.operands.iter().map(ValueLike::to_raw).collect();
    let results: Vec<_> = parts.results.iter().map(TypeLike::to_raw).collect();
    // SAFETY: all arrays have the lengths that are given; the state, and with it
    // the regions, are taken over by the new operation.
    unsafe {
        let mut state = sys::mlirOperationStateGet(
            melior::StringRef::new(parts.name).to_raw(),
            parts.location.to_raw(),
        );
        sys::mlirOperationStateAddOperands(&mut state, operands.len() as isize, operands.as_ptr());
        sys::mlirOperationStateAddResults(&mut state, results.len() as isize, results.as_ptr());
        let attributes: Vec<_> = parts
            .attributes
            .iter()
            .map(|(name, attribute)| {
                sys::mlirNamedAttributeGet(
                    Identifier::new(context, name).to_raw(),
                    attribute.to_raw(),
                )
            })
            .collect();
        sys::mlirOperationStateAddAttributes(
            &mut state,
            attributes.len() as isize,
            attributes.as_ptr(),
        );
        let regions: Vec<_> =
            parts.regions.iter().map(|types| region_with_block(parts.location, types)).collect();
        sys::mlirOperationStateAddOwnedRegions(
            &mut state,
            regions.len() as isize,
            regions.as_ptr(),
        );
        let successors: Vec<_> = parts.successors.iter().map(|block| block.to_raw()).collect();
        sys::mlirOperationStateAddSuccessors(
            &mut state,
            successors.len() as isize,
            successors.as_ptr(),
        );
        Op::from_raw(sys::mlirOperationCreate(&mut state))
    }
}

/// Parses the text of top-level operations, such as declarations of functions; the caller
/// links them in. None if the text is wrong.
pub fn parse_ops<'c>(context: &'c Context, text: &str) -> Option<Vec<Op<'c>>> {
    let module = melior::ir::Module::parse(context, text)?;
    let mut found = vec![];
    // SAFETY: the module has a body; the operations are unlinked before the module goes.
    unsafe {
        let block = sys::mlirModuleGetBody(module.to_raw());
        while let Some(op) = Op::from_option_raw(sys::mlirBlockGetFirstOperation(block)) {
            op.detach();
            found.push(op);
        }
    }
    Some(found)
}

/// A region with one empty block.
///
/// # Safety
///
/// The caller hands the region to an operation.
unsafe fn region_with_block<'c>(location: Location<'c>, types: &[Type<'c>]) -> sys::MlirRegion {
    let types: Vec<_> = types.iter().map(TypeLike::to_raw).collect();
    let locations = vec![location.to_raw(); types.len()];
    // SAFETY: both arrays have the length that is given.
    unsafe {
        let region = sys::mlirRegionCreate();
        let block = sys::mlirBlockCreate(types.len() as isize, types.as_ptr(), locations.as_ptr());
        sys::mlirRegionAppendOwnedBlock(region, block);
        region
    }
}

/// What melior's types lack.
pub trait TyExt<'c> {
    /// Whether it is a float type of any width.
    fn is_float_type(&self) -> bool;
    /// Whether it is an integer type or `index`.
    fn is_int_or_index_type(&self) -> bool;
    /// Whether it is a complex type.
    fn is_complex_type(&self) -> bool;
    /// Whether it is a vector type.
    fn is_vector_type(&self) -> bool;
    /// The sizes of a vector.
    fn lanes(&self) -> Vec<i64>;
    /// The tensor type, if it is a ranked one.
    fn as_tensor(&self) -> Option<RankedTensorType<'c>>;
    /// The sizes of a ranked tensor, `DYNAMIC` where unknown; empty for scalars.
    fn shape(&self) -> Vec<i64>;
    /// The element type of a tensor or vector, else the type itself.
    fn scalar(&self) -> Type<'c>;
    /// Whether values of the type have derivatives: floats, complex numbers, pairs of
    /// the tensor language, and tensors and vectors of them.
    fn is_differentiable(&self) -> bool;

    /// Whether it is an accumulator.
    fn is_acc(&self) -> bool;
    /// The type of one element of an array along its outermost dimension.
    fn row(&self) -> Type<'c>;
}

impl<'c> TyExt<'c> for Type<'c> {
    fn is_float_type(&self) -> bool {
        // SAFETY: the type is valid.
        unsafe { sys::mlirTypeIsAFloat(self.to_raw()) }
    }

    fn is_int_or_index_type(&self) -> bool {
        // SAFETY: the type is valid.
        unsafe { sys::mlirTypeIsAInteger(self.to_raw()) || sys::mlirTypeIsAIndex(self.to_raw()) }
    }

    fn is_complex_type(&self) -> bool {
        // SAFETY: the type is valid.
        unsafe { sys::mlirTypeIsAComplex(self.to_raw()) }
    }

    fn is_vector_type(&self) -> bool {
        // SAFETY: the type is valid.
        unsafe { sys::mlirTypeIsAVector(self.to_raw()) }
    }

    fn lanes(&self) -> Vec<i64> {
        if !self.is_vector_type() {
            return vec![];
        }
        // SAFETY: the type is a vector, which has a rank and sizes.
        unsafe {
            let rank = sys::mlirShapedTypeGetRank(self.to_raw()) as isize;
            (0..rank).map(|i| sys::mlirShapedTypeGetDimSize(self.to_raw(), i)).collect()
        }
    }

    fn as_tensor(&self) -> Option<RankedTensorType<'c>> {
        // The error of another type would have its text, which takes longer than all else here.
        let is_tensor = self.is_ranked_tensor();
        is_tensor.then(|| RankedTensorType::try_from(*self).ok()).flatten()
    }

    fn shape(&self) -> Vec<i64> {
        let Some(tensor) = self.as_tensor() else { return vec![] };
        (0..tensor.rank())
            // SAFETY: the index is in range.
            .map(|i| unsafe { sys::mlirShapedTypeGetDimSize(self.to_raw(), i as isize) })
            .collect()
    }

    fn scalar(&self) -> Type<'c> {
        // SAFETY: a shaped type has an element type.
        unsafe {
            if sys::mlirTypeIsAShaped(self.to_raw()) {
                Type::from_raw(sys::mlirShapedTypeGetElementType(self.to_raw()))
            } else {
                *self
            }
        }
    }

    fn is_differentiable(&self) -> bool {
        // SAFETY: the type is valid.
        let shaped = unsafe { sys::mlirTypeIsAShaped(self.to_raw()) };
        let is_tensor = self.as_tensor().is_some() || self.is_unranked_tensor();
        let supported = !shaped || self.is_vector_type() || is_tensor;
        // The elements of a tensor may be vectors.
        let number = self.scalar().scalar();
        supported
            && (number.is_float_type() || number.is_complex_type() || crate::capi::is_pair(number))
    }

    fn is_acc(&self) -> bool {
        crate::capi::is_acc(*self)
    }

    fn row(&self) -> Type<'c> {
        let shape = self.shape();
        if shape.len() <= 1 { self.scalar() } else { tensor_type(&shape[1..], self.scalar()) }
    }
}

/// A ranked tensor type; `DYNAMIC` marks unknown sizes.
pub fn tensor_type<'c>(shape: &[i64], element: Type<'c>) -> Type<'c> {
    let sizes: Vec<u64> = shape.iter().map(|&size| size as u64).collect();
    RankedTensorType::new(&sizes, element, None).into()
}

/// The type of tensors of any rank.
pub fn unranked_type(element: Type<'_>) -> Type<'_> {
    // SAFETY: callers pass types that tensors may be of.
    unsafe { Type::from_raw(sys::mlirUnrankedTensorTypeGet(element.to_raw())) }
}

/// The array type whose rows have the given type.
pub fn array_of<'c>(size: i64, row: Type<'c>) -> Type<'c> {
    let mut shape = vec![size];
    shape.extend(row.shape());
    tensor_type(&shape, if row.is_vector_type() { row } else { row.scalar() })
}

/// The scalars in an `array<i64: ...>` attribute.
pub fn i64_array(attribute: Attribute<'_>) -> Option<Vec<i64>> {
    let attribute = Some(attribute).filter(AttributeLike::is_dense_i64_array)?;
    let array = DenseI64ArrayAttribute::try_from(attribute).ok()?;
    (0..array.len()).map(|i| array.element(i).ok()).collect()
}

/// The scalars in an `array<i32: ...>` attribute.
pub fn i32_array(attribute: Attribute<'_>) -> Option<Vec<i32>> {
    let attribute = Some(attribute).filter(AttributeLike::is_dense_i32_array)?;
    let array = DenseI32ArrayAttribute::try_from(attribute).ok()?;
    (0..array.len()).map(|i| array.element(i).ok()).collect()
}

/// The truth values in an `array<i1: ...>` attribute.
pub fn bool_array(attribute: Attribute<'_>) -> Option<Vec<bool>> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is valid, and of this kind where it is read.
    unsafe {
        sys::mlirAttributeIsADenseBoolArray(raw).then(|| {
            let count = sys::mlirDenseArrayGetNumElements(raw);
            (0..count).map(|i| sys::mlirDenseBoolArrayGetElement(raw, i)).collect()
        })
    }
}

/// A copy of a module.
pub fn copy_of<'c>(module: &Module<'c>) -> Option<Module<'c>> {
    // SAFETY: the clone is an operation of its own, which the new module takes over.
    let clone =
        unsafe { Operation::from_raw(sys::mlirOperationClone(module.as_operation().to_raw())) };
    Module::from_operation(clone)
}

/// Whether other modules may use a symbol.
pub fn is_public(symbol: Op<'_>) -> bool {
    let visibility = symbol.attr("sym_visibility").and_then(text_of);
    visibility.is_none_or(|visibility| visibility == "public")
}

/// The text of a string or symbol attribute.
pub fn text_of(attribute: Attribute<'_>) -> Option<String> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is valid and of the kind whose text is read, and its text lives as long as the context.
    unsafe {
        if sys::mlirAttributeIsAString(raw) {
            return text_at(sys::mlirStringAttrGetValue(raw)).map(str::to_owned);
        }
        sys::mlirAttributeIsAFlatSymbolRef(raw)
            .then(|| text_at(sys::mlirFlatSymbolRefAttrGetValue(raw)))
            .flatten()
            .map(str::to_owned)
    }
}

/// A text as it is, if it is UTF-8: melior's `as_str` drops a zero at its end and cannot read an empty one.
///
/// # Safety
///
/// The text is valid for `'a`.
pub unsafe fn text_at<'a>(text: sys::MlirStringRef) -> Option<&'a str> {
    if text.length == 0 {
        return Some("");
    }
    // SAFETY: the caller vouches for the text.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) };
    std::str::from_utf8(bytes).ok()
}

/// The number in an integer or boolean attribute.
pub fn int_of(attribute: Attribute<'_>) -> Option<i64> {
    if attribute.is_bool() {
        return BoolAttribute::try_from(attribute).ok().map(|flag| flag.value().into());
    }
    let attribute = Some(attribute).filter(AttributeLike::is_integer)?;
    IntegerAttribute::try_from(attribute).ok().map(|number| number.value())
}

/// The type in a type attribute.
pub fn type_of(attribute: Attribute<'_>) -> Option<Type<'_>> {
    let attribute = Some(attribute).filter(AttributeLike::is_type)?;
    TypeAttribute::try_from(attribute).ok().map(|attribute| attribute.value())
}

/// A vector type.
pub fn vector_type<'c>(lanes: &[i64], element: Type<'c>) -> Type<'c> {
    // SAFETY: the element type is valid and the array has the length that is given.
    unsafe {
        let rank = lanes.len() as isize;
        Type::from_raw(sys::mlirVectorTypeGet(rank, lanes.as_ptr(), element.to_raw()))
    }
}

/// The type of a number, or of a vector of as many numbers as another one has.
pub fn with_scalar<'c>(like: Type<'c>, scalar: Type<'c>) -> Type<'c> {
    match like.lanes()[..] {
        [] => scalar,
        ref lanes => vector_type(lanes, scalar),
    }
}

/// The type with the same shape and `i1` elements.
pub fn bool_like(full: Type<'_>) -> Type<'_> {
    // SAFETY: the type is valid.
    let bit = unsafe {
        Type::from_raw(sys::mlirIntegerTypeGet(sys::mlirTypeGetContext(full.to_raw()), 1))
    };
    if full.as_tensor().is_some() {
        tensor_type(&full.shape(), bit)
    } else if full.is_vector_type() {
        vector_type(&full.lanes(), bit)
    } else {
        bit
    }
}

/// The type of the parts of a complex type.
pub fn part_type(complex: Type<'_>) -> Type<'_> {
    // SAFETY: callers pass complex types.
    unsafe { Type::from_raw(sys::mlirComplexTypeGetElementType(complex.to_raw())) }
}

/// The number of bits of a float type.
pub fn float_width(float: Type<'_>) -> u32 {
    // SAFETY: callers pass float types.
    unsafe { sys::mlirFloatTypeGetWidth(float.to_raw()) }
}

/// The name of the file and the line of a location; of several locations, those of the first one that has them, and of an
/// inlined call, those in the callee.
pub fn file_and_line(location: Location<'_>) -> Option<(String, i64)> {
    // SAFETY: the location is valid, and of the kind whose parts are read.
    let parts = unsafe {
        let raw = location.to_raw();
        if sys::mlirLocationIsAFileLineColRange(raw) {
            let name = sys::mlirIdentifierStr(sys::mlirLocationFileLineColRangeGetFilename(raw));
            let name = text_at(name)?.to_owned();
            return Some((name, sys::mlirLocationFileLineColRangeGetStartLine(raw).into()));
        }
        if sys::mlirLocationIsACallSite(raw) {
            vec![sys::mlirLocationCallSiteGetCallee(raw), sys::mlirLocationCallSiteGetCaller(raw)]
        } else if sys::mlirLocationIsAName(raw) {
            vec![sys::mlirLocationNameGetChildLoc(raw)]
        } else if sys::mlirLocationIsAFused(raw) {
            let mut parts = vec![raw; sys::mlirLocationFusedGetNumLocations(raw) as usize];
            sys::mlirLocationFusedGetLocations(raw, parts.as_mut_ptr());
            parts
        } else {
            vec![]
        }
    };
    // SAFETY: parts live as long as the context.
    parts.into_iter().find_map(|part| file_and_line(unsafe { Location::from_raw(part) }))
}
