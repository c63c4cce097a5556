//! The C interface of `dialect/cpp/CApi.h`, wrapped.

use std::ffi::c_void;

use melior::{
    Context, StringRef,
    dialect::DialectHandle,
    ir::{Attribute, Location, Type, TypeLike, attribute::AttributeLike},
};
use mlir_sys as sys;

use crate::ir::Op;

unsafe extern "C" {
    fn mlirGetDialectHandle__soac__() -> sys::MlirDialectHandle;
    fn mlirGetDialectHandle__atl__() -> sys::MlirDialectHandle;
    fn mlirGetDialectHandle__ad__() -> sys::MlirDialectHandle;
    fn adTypeIsAcc(r#type: sys::MlirType) -> bool;
    fn adAccTypeGet(array: sys::MlirType) -> sys::MlirType;
    fn adAccTypeGetArray(acc: sys::MlirType) -> sys::MlirType;
    fn adTypeIsPair(r#type: sys::MlirType) -> bool;
    fn adPairTypeGet(first: sys::MlirType, second: sys::MlirType) -> sys::MlirType;
    fn adPairTypeGetFirst(pair: sys::MlirType) -> sys::MlirType;
    fn adPairTypeGetSecond(pair: sys::MlirType) -> sys::MlirType;
    fn adTypeIsTape(r#type: sys::MlirType) -> bool;
    fn adTapeTypeGet(
        context: sys::MlirContext,
        count: isize,
        components: *const sys::MlirType,
    ) -> sys::MlirType;
    fn adTapeTypeGetNumComponents(tape: sys::MlirType) -> isize;
    fn adTapeTypeGetComponent(tape: sys::MlirType, position: isize) -> sys::MlirType;
    fn adTypeGetNumFields(r#type: sys::MlirType) -> isize;
    fn adTypeGetField(record: sys::MlirType, position: isize) -> sys::MlirType;
    fn adDerivativeType(r#type: sys::MlirType, values: bool, buffers: bool) -> sys::MlirType;
    fn adTypeIsClosure(r#type: sys::MlirType) -> bool;
    fn adClosureTypeGetFunction(closure: sys::MlirType) -> sys::MlirType;
    fn adClosureTypeGet(function: sys::MlirType) -> sys::MlirType;
    fn adElementBytes(attribute: sys::MlirAttribute) -> sys::MlirStringRef;
    fn adEmitError(
        location: sys::MlirLocation,
        message: sys::MlirStringRef,
        count: isize,
        note_locations: *const sys::MlirLocation,
        notes: *const sys::MlirStringRef,
    );
    fn adEmitRemark(
        location: sys::MlirLocation,
        missed: bool,
        category: sys::MlirStringRef,
        name: sys::MlirStringRef,
        count: isize,
        keys: *const sys::MlirStringRef,
        values: *const sys::MlirStringRef,
    );
    fn adOperationIsTriviallyDead(operation: sys::MlirOperation) -> bool;
    fn adOperationMemoryEffects(operation: sys::MlirOperation) -> i32;
    fn adForEachOperationName(
        context: sys::MlirContext,
        dialect: sys::MlirStringRef,
        callback: sys::MlirStringCallback,
        user_data: *mut c_void,
    );
}

/// The handles of our dialects.
pub fn dialects() -> [DialectHandle; 3] {
    // SAFETY: the functions return static handles.
    unsafe {
        [
            DialectHandle::from_raw(mlirGetDialectHandle__soac__()),
            DialectHandle::from_raw(mlirGetDialectHandle__atl__()),
            DialectHandle::from_raw(mlirGetDialectHandle__ad__()),
        ]
    }
}

/// Whether the type is `!soac.acc<...>`.
pub fn is_acc(r#type: Type<'_>) -> bool {
    // SAFETY: the type is valid.
    unsafe { adTypeIsAcc(r#type.to_raw()) }
}

/// The accumulator type of a ranked tensor type.
pub fn acc_type(array: Type<'_>) -> Type<'_> {
    // SAFETY: callers pass ranked tensor types.
    unsafe { Type::from_raw(adAccTypeGet(array.to_raw())) }
}

/// The ranked tensor type that an accumulator type is a view of.
pub fn acc_array(acc: Type<'_>) -> Type<'_> {
    // SAFETY: callers pass accumulator types.
    unsafe { Type::from_raw(adAccTypeGetArray(acc.to_raw())) }
}

/// Whether the type is `!atl.pair<...>`.
pub fn is_pair(r#type: Type<'_>) -> bool {
    // SAFETY: the type is valid.
    unsafe { adTypeIsPair(r#type.to_raw()) }
}

/// The pair of two types of values of the tensor language.
pub fn pair_type<'c>(first: Type<'c>, second: Type<'c>) -> Type<'c> {
    // SAFETY: callers pass types that pairs may be of.
    unsafe { Type::from_raw(adPairTypeGet(first.to_raw(), second.to_raw())) }
}

/// The two types that a pair type is of.
pub fn pair_types(pair: Type<'_>) -> (Type<'_>, Type<'_>) {
    // SAFETY: callers pass pair types.
    unsafe {
        let (first, second) =
            (adPairTypeGetFirst(pair.to_raw()), adPairTypeGetSecond(pair.to_raw()));
        (Type::from_raw(first), Type::from_raw(second))
    }
}

/// Whether the type is `!ad.tape<...>`.
pub fn is_tape(r#type: Type<'_>) -> bool {
    // SAFETY: the type is valid.
    unsafe { adTypeIsTape(r#type.to_raw()) }
}

/// The type of a tape that keeps values of these types.
pub fn tape_type<'c>(context: &'c Context, components: &[Type<'c>]) -> Type<'c> {
    let raw: Vec<_> = components.iter().map(|component| component.to_raw()).collect();
    // SAFETY: callers pass types that tapes may keep; the array has the length that is given.
    unsafe { Type::from_raw(adTapeTypeGet(context.to_raw(), raw.len() as isize, raw.as_ptr())) }
}

/// What a tape keeps.
pub fn tape_components(tape: Type<'_>) -> Vec<Type<'_>> {
    // SAFETY: callers pass the types of tapes; positions are below the number of components.
    unsafe {
        (0..adTapeTypeGetNumComponents(tape.to_raw()))
            .map(|position| Type::from_raw(adTapeTypeGetComponent(tape.to_raw(), position)))
            .collect()
    }
}

/// The types of the fields of a record or a tuple; none for other types.
pub fn field_types(r#type: Type<'_>) -> Option<Vec<Type<'_>>> {
    let raw = r#type.to_raw();
    // SAFETY: the type is valid, and positions are below the number of fields.
    unsafe {
        let count = adTypeGetNumFields(raw);
        (count >= 0).then(|| (0..count).map(|i| Type::from_raw(adTypeGetField(raw, i))).collect())
    }
}

/// What of a derivative is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// What is passed by value.
    Values,
    /// What is in buffers.
    Buffers,
}

/// The type of the derivative of a type, as requests have it, if it has one.
pub fn derivative_type(r#type: Type<'_>, part: Part) -> Option<Type<'_>> {
    let (values, buffers) = (part != Part::Buffers, part != Part::Values);
    // SAFETY: the type is valid, and so is what comes back unless it is null.
    unsafe {
        let raw = adDerivativeType(r#type.to_raw(), values, buffers);
        (!raw.ptr.is_null()).then(|| Type::from_raw(raw))
    }
}

/// Whether the type is `!ad.closure<...>`.
pub fn is_closure(r#type: Type<'_>) -> bool {
    // SAFETY: the type is valid.
    unsafe { adTypeIsClosure(r#type.to_raw()) }
}

/// The closure type of a function type.
pub fn closure_type(function: Type<'_>) -> Type<'_> {
    // SAFETY: callers pass function types.
    unsafe { Type::from_raw(adClosureTypeGet(function.to_raw())) }
}

/// What functions of a type that is `!ad.closure<...>` or a function type take and return; nothing for other types.
#[allow(clippy::type_complexity)]
pub fn function_types(r#type: Type<'_>) -> Option<(Vec<Type<'_>>, Vec<Type<'_>>)> {
    let raw = r#type.to_raw();
    // SAFETY: the types are valid, and positions are below the number of inputs and results.
    unsafe {
        let raw = if adTypeIsClosure(raw) { adClosureTypeGetFunction(raw) } else { raw };
        if !sys::mlirTypeIsAFunction(raw) {
            return None;
        }
        let inputs = 0..sys::mlirFunctionTypeGetNumInputs(raw);
        let results = 0..sys::mlirFunctionTypeGetNumResults(raw);
        Some((
            inputs.map(|i| Type::from_raw(sys::mlirFunctionTypeGetInput(raw, i))).collect(),
            results.map(|i| Type::from_raw(sys::mlirFunctionTypeGetResult(raw, i))).collect(),
        ))
    }
}

/// Reports an error with notes at locations of their own.
pub fn emit_error(location: Location<'_>, message: &str, notes: &[(Location<'_>, String)]) {
    let locations: Vec<_> = notes.iter().map(|(location, _)| location.to_raw()).collect();
    let texts: Vec<_> = notes.iter().map(|(_, text)| StringRef::new(text).to_raw()).collect();
    // SAFETY: both arrays have the length that is given and outlive the call.
    unsafe {
        adEmitError(
            location.to_raw(),
            StringRef::new(message).to_raw(),
            notes.len() as isize,
            locations.as_ptr(),
            texts.as_ptr(),
        )
    }
}

/// What a remark tells, and so which filter shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// That something was not optimised.
    Missed,
    /// What was found or decided.
    Analysis,
}

/// Emits a remark with keys and values, which the user sees if the category is asked for.
pub fn emit_remark(
    location: Location<'_>,
    kind: RemarkKind,
    category: &str,
    name: &str,
    entries: &[(&str, String)],
) {
    let keys: Vec<_> = entries.iter().map(|(key, _)| StringRef::new(key).to_raw()).collect();
    let values: Vec<_> = entries.iter().map(|(_, value)| StringRef::new(value).to_raw()).collect();
    // SAFETY: both arrays have the length that is given and outlive the call.
    unsafe {
        adEmitRemark(
            location.to_raw(),
            kind == RemarkKind::Missed,
            StringRef::new(category).to_raw(),
            StringRef::new(name).to_raw(),
            entries.len() as isize,
            keys.as_ptr(),
            values.as_ptr(),
        )
    }
}

/// The bytes of the elements of a dense attribute, or of a resource, one after the other, or of one if all are equal; those
/// of `i1` may be bits. None for others.
pub fn element_bytes(attribute: Attribute<'_>) -> Option<Vec<u8>> {
    // SAFETY: the attribute is valid, and so are its bytes, of which there are as many as it says.
    unsafe {
        let text = adElementBytes(attribute.to_raw());
        (!text.data.is_null())
            .then(|| std::slice::from_raw_parts(text.data.cast(), text.length).to_vec())
    }
}

/// Whether the operation could be erased without any effect, were its results unused.
pub fn is_trivially_dead(operation: Op<'_>) -> bool {
    // SAFETY: the operation is valid.
    unsafe { adOperationIsTriviallyDead(operation.to_raw()) }
}

/// What an operation does with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryEffects {
    /// Whether it may read.
    pub reads: bool,
    /// Whether it may write or free.
    pub writes: bool,
}

/// What an operation itself, not what is in its regions, does with memory. An assertion counts as
/// nothing; calls, and operations on buffers of which nothing is known, as both.
pub fn memory_effects(operation: Op<'_>) -> MemoryEffects {
    // SAFETY: the operation is valid.
    let found = unsafe { adOperationMemoryEffects(operation.to_raw()) };
    MemoryEffects { reads: found & 1 != 0, writes: found & 2 != 0 }
}

/// The names of all operations of a loaded dialect.
pub fn operation_names(context: &Context, dialect: &str) -> Vec<String> {
    unsafe extern "C" fn push(name: sys::MlirStringRef, names: *mut c_void) {
        // SAFETY: the name is valid during the call, and `names` is the list below.
        unsafe {
            let names = &mut *names.cast::<Vec<String>>();
            names.extend(StringRef::from_raw(name).as_str().map(str::to_owned));
        }
    }
    let mut names: Vec<String> = vec![];
    let list: *mut Vec<String> = &mut names;
    // SAFETY: the list outlives the call, which is the only one to use it.
    unsafe {
        adForEachOperationName(
            context.to_raw(),
            StringRef::new(dialect).to_raw(),
            Some(push),
            list.cast(),
        )
    }
    names
}
