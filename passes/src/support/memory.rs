//! Buffers, views of them and places in them.

use ad_dialect::{
    capi::{MemoryEffects, memory_effects},
    ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt, float_width, i32_array, tensor_type},
    linalg::Structured,
};
use melior::{
    Context,
    ir::{
        Attribute, ShapedTypeLike, Type, TypeLike, ValueLike,
        r#type::{DimSize, MemRefType},
    },
};

use super::{
    builder::{Builder, CMP_EQ},
    slice::shown,
};

/// Whether a value is a buffer.
pub fn is_array(value: Val<'_>) -> bool {
    value.r#type().is_mem_ref()
}

/// The memory that the threads of a block share.
const OF_BLOCK: &str = "#gpu.address_space<workgroup>";

/// Whether a buffer is in the memory that the threads of a block share.
pub fn is_of_block(buffer: Val<'_>) -> bool {
    buffer.r#type().to_string().contains(OF_BLOCK)
}

/// The type of a buffer of static sizes there.
pub fn of_block<'c>(context: &'c Context, sizes: &[i64], element: Type<'c>) -> Option<Type<'c>> {
    let space = Attribute::parse(context, OF_BLOCK)?;
    Some(MemRefType::new(element, sizes, None, Some(space)).into())
}

/// The place so many elements behind another one, along the last dimension.
pub fn behind<'c>(b: &Builder<'c>, at: &[Val<'c>], count: i64) -> Vec<Val<'c>> {
    let mut behind = at.to_vec();
    if let Some(last) = behind.last_mut().filter(|_| count > 0) {
        *last = b.add(*last, b.index(count));
    }
    behind
}

/// What an operation, and all that is in it, does with memory.
pub fn effects_inside(op: Op<'_>) -> MemoryEffects {
    let mut all = MemoryEffects { reads: false, writes: false };
    op.for_each(&mut |inner| {
        let effects = memory_effects(inner);
        all.reads |= effects.reads;
        all.writes |= effects.writes;
    });
    all
}

/// Whether an operation is one on a tape.
pub fn is_tape_access(op: Op<'_>) -> bool {
    op.op_name().starts_with("ad.tape_")
}

/// Whether an operation touches no memory that is there.
pub fn is_pure(op: Op<'_>) -> bool {
    let name = op.op_name();
    is_arithmetic(op)
        || is_view(name)
        || matches!(name, "memref.dim" | "memref.alloc" | "memref.alloca")
}

/// Whether an operation computes scalars of scalars.
pub fn is_arithmetic(op: Op<'_>) -> bool {
    op.op_name().starts_with("arith.") || op.op_name().starts_with("math.")
}

/// The type of a buffer.
pub fn array_type<'c>(value: Val<'c>) -> Option<MemRefType<'c>> {
    is_array(value).then(|| MemRefType::try_from(value.r#type()).ok()).flatten()
}

/// The type of the elements of a buffer.
pub fn element<'c>(value: Val<'c>) -> Option<Type<'c>> {
    array_type(value).map(|array| array.element())
}

/// The type of what a buffer holds, as an array, if its elements can be those of arrays.
pub fn tensor_of<'c>(buffer: Type<'c>) -> Option<Type<'c>> {
    let buffer = MemRefType::try_from(buffer).ok()?;
    let size = |d| match buffer.dim_size(d) {
        Ok(DimSize::Static(size)) => size as i64,
        _ => DYNAMIC,
    };
    let (shape, element): (Vec<_>, Type<'c>) =
        ((0..buffer.rank()).map(size).collect(), buffer.element());
    bytes_of(element).map(|_| tensor_type(&shape, element))
}

/// Whether a buffer holds numbers, in memory of any kind that has no name.
pub fn has_numbers(buffer: Val<'_>) -> bool {
    let is_number =
        |ty: Type<'_>| ty.is_float_type() || ty.is_int_or_index_type() || ty.is_complex_type();
    let is_anywhere = array_type(buffer).is_some_and(|array| array.memory_space().is_none());
    is_anywhere && element(buffer).is_some_and(is_number)
}

/// What a buffer holds, which nobody writes to as long as this is read.
pub fn contents<'c>(b: &Builder<'c>, buffer: Val<'c>, array: Type<'c>) -> Val<'c> {
    b.val_with(
        "bufferization.to_tensor",
        &[buffer],
        array,
        &[("restrict", Attribute::unit(b.context()))],
    )
}

/// Writes an array to a buffer.
pub fn materialize<'c>(b: &Builder<'c>, array: Val<'c>, buffer: Val<'c>) {
    let attributes = ["restrict", "writable"].map(|name| (name, Attribute::unit(b.context())));
    b.op_with("bufferization.materialize_in_destination", &[array, buffer], &[], &attributes, &[]);
}

/// The type of a buffer with other elements.
pub fn with_element<'c>(array: MemRefType<'c>, element: Type<'c>) -> Type<'c> {
    let sizes: Vec<i64> = (0..array.rank())
        .map(|d| match array.dim_size(d) {
            Ok(DimSize::Static(size)) => size as i64,
            _ => DYNAMIC,
        })
        .collect();
    // SAFETY: the type and its parts are valid.
    unsafe {
        Type::from_raw(mlir_sys::mlirMemRefTypeGet(
            element.to_raw(),
            sizes.len() as isize,
            sizes.as_ptr(),
            mlir_sys::mlirMemRefTypeGetLayout(array.to_raw()),
            mlir_sys::mlirMemRefTypeGetMemorySpace(array.to_raw()),
        ))
    }
}

/// The type of a buffer, of any strides and offset, for an array.
pub fn with_any_layout<'c>(b: &Builder<'c>, array: Type<'c>) -> Option<Type<'c>> {
    let sizes = array.shape().into_iter().map(|size| match size {
        DYNAMIC => "?x".to_owned(),
        size => format!("{size}x"),
    });
    let sizes: Vec<_> = sizes.collect();
    let (strides, element) = (vec!["?"; sizes.len()].join(", "), array.scalar());
    let sizes = sizes.concat();
    Type::parse(b.context(), &format!("memref<{sizes}{element}, strided<[{strides}], offset: ?>>"))
}

/// The type of a buffer of the same elements and sizes that is dense.
pub fn with_plain_layout(buffer: Type<'_>) -> Type<'_> {
    MemRefType::try_from(buffer).map_or(buffer, |array| dense(array, 0))
}

/// The type of a dense buffer for a row of another one.
pub fn row_of(array: MemRefType<'_>) -> Type<'_> {
    dense(array, 1)
}

/// The type of a dense buffer with the sizes of another one, from a dimension on.
fn dense(array: MemRefType<'_>, first: usize) -> Type<'_> {
    let sizes: Vec<i64> = (first..array.rank())
        .map(|d| match array.dim_size(d) {
            Ok(DimSize::Static(size)) => size as i64,
            _ => DYNAMIC,
        })
        .collect();
    // SAFETY: the type and its parts are valid.
    unsafe {
        Type::from_raw(mlir_sys::mlirMemRefTypeContiguousGet(
            array.element().to_raw(),
            sizes.len() as isize,
            sizes.as_ptr(),
            mlir_sys::mlirMemRefTypeGetMemorySpace(array.to_raw()),
        ))
    }
}

/// Whether neighbours along the last dimension of a buffer are neighbours in memory, as the lanes of
/// a vector are. Truth values are not: a buffer has bytes of them, a vector bits.
pub fn has_rows(array: Val<'_>) -> bool {
    let is_wide = element(array).is_some_and(|element| element.to_string() != "i1");
    is_wide && strides(array).is_some_and(|all| all.last().is_none_or(|&stride| stride == Some(1)))
}

/// Whether a dimension of a buffer and the next one are like one, as the rows of the latter follow each other.
pub fn are_one(array: Val<'_>, d: usize) -> bool {
    let is_plain = with_plain_layout(array.r#type()) == array.r#type();
    let strides = strides(array).unwrap_or_default();
    let known = |d: usize| strides.get(d).copied().flatten();
    let rows = || Some(known(d + 1)?.checked_mul(static_size(array, d + 1)?)? == known(d)?);
    is_plain || rows() == Some(true)
}

/// How far neighbours along each dimension of a buffer are apart, where that is static.
pub fn strides(array: Val<'_>) -> Option<Vec<Option<i64>>> {
    let array = array_type(array)?;
    let (mut strides, mut offset) = (vec![0; array.rank()], 0);
    // SAFETY: the type is valid, and there is room for a stride of each dimension.
    let known = unsafe {
        mlir_sys::mlirMemRefTypeGetStridesAndOffset(
            array.to_raw(),
            strides.as_mut_ptr(),
            &mut offset,
        )
    };
    let given = |stride| Some(stride).filter(|&stride| stride != DYNAMIC);
    (known.value != 0).then(|| strides.into_iter().map(given).collect())
}

/// The number of dimensions of a buffer.
pub fn rank(value: Val<'_>) -> usize {
    array_type(value).map_or(0, |array| array.rank())
}

/// The size of a buffer along a dimension, if it is static.
pub fn static_size(value: Val<'_>, dimension: usize) -> Option<i64> {
    match array_type(value)?.dim_size(dimension) {
        Ok(DimSize::Static(size)) => Some(size as i64),
        _ => None,
    }
}

/// The size of a buffer along a dimension, a constant where it is static; of a slice what it was
/// given.
pub fn dim<'c>(b: &Builder<'c>, array: Val<'c>, dimension: usize) -> Val<'c> {
    let slice = array.defining_op().filter(|op| op.op_name() == "memref.subview");
    let given = slice.and_then(|op| {
        let kept = shown(op)?.into_iter().filter(|d| d.is_kept).nth(dimension)?;
        Some(kept.size.value(b))
    });
    if let Some(size) = given {
        return size;
    }
    match static_size(array, dimension) {
        Some(size) => b.index(size),
        None => b.val("memref.dim", &[array, b.index(dimension as i64)], b.index_type()),
    }
}

/// Reads an element.
pub fn load<'c>(b: &Builder<'c>, array: Val<'c>, at: &[Val<'c>]) -> Val<'c> {
    let element = element(array).unwrap_or(array.r#type());
    b.val("memref.load", &[&[array], at].concat(), element)
}

/// Writes an element.
pub fn store<'c>(b: &Builder<'c>, value: Val<'c>, array: Val<'c>, at: &[Val<'c>]) {
    b.op("memref.store", &[&[value, array], at].concat(), &[]);
}

/// Reads an element, or a vector of neighbours that begins at a place.
pub fn read<'c>(b: &Builder<'c>, array: Val<'c>, at: &[Val<'c>], r#type: Type<'c>) -> Val<'c> {
    if element(array) == Some(r#type) {
        load(b, array, at)
    } else {
        b.val("vector.load", &[&[array], at].concat(), r#type)
    }
}

/// Writes an element, or a vector over neighbours.
pub fn write<'c>(b: &Builder<'c>, value: Val<'c>, array: Val<'c>, at: &[Val<'c>]) {
    if element(array) == Some(value.r#type()) {
        store(b, value, array, at);
    } else {
        b.op("vector.store", &[&[value, array], at].concat(), &[]);
    }
}

/// `memref.alloc` or `memref.alloca` with the sizes that the type does not say.
pub fn allocate<'c>(b: &Builder<'c>, name: &str, r#type: Type<'c>, sizes: &[Val<'c>]) -> Val<'c> {
    let segments = ("operandSegmentSizes", b.i32s_attr(&[sizes.len() as i32, 0]));
    b.val_with(name, sizes, r#type, &[segments])
}

/// What buffers of bytes are aligned to, in bytes: a cache line, or the widest register.
pub const ALIGNMENT: i64 = 64;

/// A buffer of so many bytes.
pub fn allocate_bytes<'c>(b: &Builder<'c>, bytes: Val<'c>) -> Option<Val<'c>> {
    let raw = Type::parse(b.context(), "memref<?xi8>")?;
    let attributes =
        [("operandSegmentSizes", b.i32s_attr(&[1, 0])), ("alignment", b.i64_attr(ALIGNMENT))];
    Some(b.val_with("memref.alloc", &[bytes], raw, &attributes))
}

/// What an allocation allocates, as the part of a buffer of bytes that begins at one of them.
pub fn part<'c>(b: &Builder<'c>, alloc: Op<'c>, bytes: Val<'c>, start: Val<'c>) -> Option<Val<'c>> {
    let operands = [&[bytes, start], &alloc.operand_list()[..]].concat();
    Some(b.val("memref.view", &operands, alloc.res(0)?.r#type()))
}

/// Makes an array such a part in place of an allocation, which goes.
pub fn become_part<'c>(
    b: &Builder<'c>,
    alloc: Op<'c>,
    bytes: Val<'c>,
    start: Val<'c>,
) -> Option<Val<'c>> {
    let made = part(b, alloc, bytes, start)?;
    alloc.res(0)?.replace_all_uses(made);
    alloc.erase();
    Some(made)
}

/// The sizes of a buffer that its type does not say.
pub fn dynamic_dims<'c>(b: &Builder<'c>, array: Val<'c>) -> Vec<Val<'c>> {
    let unknown = (0..rank(array)).filter(|&d| static_size(array, d).is_none());
    unknown.map(|d| dim(b, array, d)).collect()
}

/// Where the elements of a buffer are, in elements.
pub struct Strided<'c> {
    /// A buffer of one element, from which offsets count.
    pub base: Val<'c>,
    /// Of the first element.
    pub offset: Val<'c>,
    /// Of all dimensions.
    pub sizes: Vec<Val<'c>>,
    /// From an element to the next along each dimension.
    pub strides: Vec<Val<'c>>,
}

impl<'c> Strided<'c> {
    /// Those of a buffer in the default memory space.
    pub fn of(b: &Builder<'c>, buffer: Val<'c>) -> Option<Self> {
        let (index, rank) = (b.index_type(), rank(buffer));
        let base = Type::parse(b.context(), &format!("memref<{}>", element(buffer)?))?;
        let types = [vec![base], vec![index; 1 + 2 * rank]].concat();
        let parts = b.op("memref.extract_strided_metadata", &[buffer], &types).result_list();
        let (sizes, strides) = parts.get(2..)?.split_at_checked(rank)?;
        let (sizes, strides) = (sizes.to_vec(), strides.to_vec());
        Some(Self { base: parts[0], offset: parts[1], sizes, strides })
    }

    /// The offset of an element.
    pub fn place(&self, b: &Builder<'c>, indices: &[Val<'c>]) -> Val<'c> {
        let steps = indices.iter().zip(&self.strides);
        steps.fold(self.offset, |offset, (&i, &stride)| b.add(offset, b.mul(i, stride)))
    }

    /// The buffer with these offset, sizes and strides; the last stride is known to be 1 or not.
    pub fn view(&self, b: &Builder<'c>, is_line: bool) -> Option<Val<'c>> {
        let rank = self.sizes.len();
        let known = usize::from(is_line);
        let unknown = rank.checked_sub(known)?;
        let sizes = vec!["?"; rank].join("x");
        let strides = [vec!["?"; unknown], vec!["1"; known]].concat().join(", ");
        let element = element(self.base)?;
        let text = format!("memref<{sizes}x{element}, strided<[{strides}], offset: ?>>");
        let r#type = Type::parse(b.context(), &text)?;
        let strides = [vec![DYNAMIC; unknown], vec![1; known]].concat();
        let statics = [vec![DYNAMIC], vec![DYNAMIC; rank], strides];
        let segments = [1, 1, rank as i32, unknown as i32];
        let strides = &self.strides[..unknown];
        let operands = [&[self.base, self.offset], &self.sizes[..], strides].concat();
        Some(b.slice_op("memref.reinterpret_cast", &operands, r#type, &statics, &segments))
    }
}

/// The elements of a buffer along two dimensions, from a place on; there need be none. Along no dimension it is the same
/// element again and again.
pub fn plane<'c>(
    b: &Builder<'c>,
    buffer: Val<'c>,
    at: &[Val<'c>],
    along: [Option<usize>; 2],
) -> Option<Val<'c>> {
    let all = Strided::of(b, buffer)?;
    let offset = all.place(b, at);
    let sizes = along.map(|d| d.map_or(b.index(1), |d| all.sizes[d])).to_vec();
    let steps = along.map(|d| d.map_or(b.index(0), |d| all.strides[d])).to_vec();
    let known = strides(buffer)?;
    let is_line = along[1].is_some_and(|d| known[d] == Some(1));
    Strided { offset, sizes, strides: steps, ..all }.view(b, is_line)
}

/// So many elements along a dimension of a buffer, from one of them on, as a buffer.
pub fn rows<'c>(
    b: &Builder<'c>,
    buffer: Val<'c>,
    dimension: usize,
    from: Val<'c>,
    count: Val<'c>,
) -> Option<Val<'c>> {
    let array = array_type(buffer).filter(|array| array.memory_space().is_none())?;
    let text = |number: Option<i64>| number.map_or("?".to_owned(), |number| number.to_string());
    let own = |d: usize| static_size(buffer, d).filter(|_| d != dimension);
    let sizes = (0..array.rank()).map(|d| text(own(d)) + "x").collect::<String>();
    let steps = strides(buffer)?.into_iter().map(text).collect::<Vec<_>>().join(", ");
    let element = array.element();
    let layout = format!("memref<{sizes}{element}, strided<[{steps}], offset: ?>>");
    let mut operands = vec![buffer, from];
    let mut statics = [vec![0; array.rank()], vec![DYNAMIC; array.rank()], vec![1; array.rank()]];
    statics[0][dimension] = DYNAMIC;
    for (d, size) in statics[1].iter_mut().enumerate() {
        match own(d) {
            Some(own) => *size = own,
            None if d == dimension => operands.push(count),
            None => operands.push(dim(b, buffer, d)),
        }
    }
    let segments = [1, 1, operands.len() as i32 - 2, 0];
    let r#type = Type::parse(b.context(), &layout)?;
    Some(b.slice_op("memref.subview", &operands, r#type, &statics, &segments))
}

/// What lies in memory from an element of a buffer on, by how far it is behind that.
pub fn from_place<'c>(b: &Builder<'c>, buffer: Val<'c>, at: &[Val<'c>]) -> Option<Val<'c>> {
    let all = Strided::of(b, buffer)?;
    let (offset, one) = (all.place(b, at), vec![b.index(1)]);
    Strided { offset, sizes: one.clone(), strides: one, ..all }.view(b, true)
}

/// The elements of a buffer that lie one behind the other, in a row.
pub fn flat<'c>(b: &Builder<'c>, buffer: Val<'c>) -> Option<Val<'c>> {
    let rank = rank(buffer);
    if rank == 1 {
        return Some(buffer);
    }
    let sizes: Option<Vec<_>> = (0..rank).map(|d| static_size(buffer, d)).collect();
    let size = sizes.map_or("?".to_owned(), |sizes| sizes.iter().product::<i64>().to_string());
    let r#type = Type::parse(b.context(), &format!("memref<{size}x{}>", element(buffer)?))?;
    let all = (0..rank).map(|d| d.to_string()).collect::<Vec<_>>().join(", ");
    let groups = Attribute::parse(b.context(), &format!("[[{all}]]"))?;
    let attributes = [("reassociation", groups)];
    Some(b.val_with("memref.collapse_shape", &[buffer], r#type, &attributes))
}

/// The address of an element of a buffer, as a number.
pub fn address<'c>(b: &Builder<'c>, buffer: Val<'c>, indices: &[Val<'c>]) -> Option<Val<'c>> {
    let bytes = bytes_of(element(buffer)?)?;
    let start = b.val("memref.extract_aligned_pointer_as_index", &[buffer], b.index_type());
    let offset = Strided::of(b, buffer)?.place(b, indices);
    Some(b.add(start, b.mul(offset, b.index(bytes))))
}

/// Whether elements of a buffer begin at multiples of so many bytes, a power of two.
pub fn are_aligned<'c>(
    b: &Builder<'c>,
    buffer: Val<'c>,
    places: &[Vec<Val<'c>>],
    bytes: i64,
) -> Option<Val<'c>> {
    let addresses = places.iter().map(|place| address(b, buffer, place));
    let addresses = addresses.collect::<Option<Vec<_>>>()?.into_iter();
    let all = addresses.reduce(|x, y| b.same("arith.ori", &[x, y]))?;
    let behind = b.same("arith.andi", &[all, b.index(bytes - 1)]);
    Some(b.compare(CMP_EQ, behind, b.index(0)))
}

/// Whether numbers that are neighbours along the last dimension of a buffer are known to lie in memory as those of a vector
/// do, which has no room between numbers that are not of whole bytes.
pub fn has_lines(buffer: Val<'_>) -> bool {
    let is_whole = element(buffer).is_some_and(|scalar| bits_of(scalar).is_multiple_of(8));
    is_whole && strides(buffer).is_some_and(|strides| strides.last() == Some(&Some(1)))
}

/// What a buffer is a view of.
pub fn base(buffer: Val<'_>) -> Val<'_> {
    let view = buffer.defining_op().filter(|op| is_any_view(op.op_name()));
    view.and_then(|op| op.opnd(0)).map_or(buffer, base)
}

/// Lets nothing free a buffer, also as a view.
pub fn never_freed<'c>(b: &Builder<'c>, buffer: Val<'c>) {
    for (user, position) in buffer.uses() {
        match user.op_name() {
            "memref.dealloc" => user.erase(),
            // Its operands: arrays, whether they are freed, and arrays that are not to be freed.
            "bufferization.dealloc" => {
                let segments = user.attr("operandSegmentSizes").and_then(i32_array);
                let [count, _, retained] = segments.unwrap_or_default()[..] else { continue };
                if position >= count as usize {
                    continue;
                }
                let mut operands = user.operand_list();
                operands.remove(position + count as usize);
                operands.remove(position);
                if operands.is_empty() {
                    user.erase();
                    continue;
                }
                user.set_operands(&operands);
                let segments = b.i32s_attr(&[count - 1, count - 1, retained]);
                user.set_attr(b.context(), "operandSegmentSizes", segments);
            }
            name if is_any_view(name) => {
                user.result_list().into_iter().for_each(|view| never_freed(b, view));
            }
            _ => {}
        }
    }
}

/// The bytes from an element of a buffer to the next, if it is a number or a vector of numbers. LLVM gives vectors a
/// power of two.
pub fn bytes_of(element: Type<'_>) -> Option<i64> {
    let scalar = element.scalar();
    let is_number =
        scalar.is_float_type() || scalar.is_int_or_index_type() || scalar.is_complex_type();
    if !is_number {
        return None;
    }
    let bytes = scalar_bytes(scalar);
    match element.lanes()[..] {
        [] => Some(bytes as i64),
        _ if scalar.to_string() == "i1" || scalar.is_complex_type() => None,
        [ref outer @ .., lanes] => {
            let vector = (lanes as u64 * bytes).next_power_of_two() as i64;
            Some(vector * outer.iter().product::<i64>())
        }
    }
}

/// The bytes of a scalar.
pub fn scalar_bytes(scalar: Type<'_>) -> u64 {
    bits_of(scalar).div_ceil(8) * if scalar.is_complex_type() { 2 } else { 1 }
}

/// The bits of a number, or of a part of a complex one.
fn bits_of(scalar: Type<'_>) -> u64 {
    if scalar.is_float_type() {
        return u64::from(float_width(scalar));
    }
    let text = scalar.to_string();
    let bits: String = text.chars().filter(char::is_ascii_digit).collect();
    bits.parse().unwrap_or(64)
}

/// What LLVM's dialect makes of a buffer.
pub fn descriptor(context: &Context, rank: usize) -> Option<Type<'_>> {
    let lists = if rank == 0 { "" } else { &format!(", array<{rank} x i64>, array<{rank} x i64>") };
    Type::parse(context, &format!("!llvm.struct<(ptr, ptr, i64{lists})>"))
}

/// Whether a buffer is only read, for all that is known of those who use it.
pub fn is_only_read(buffer: Val<'_>) -> bool {
    let reads = |(user, position): (Op<'_>, usize)| match user.op_name() {
        "memref.load" | "memref.dim" | "vector.load" | "func.return" => true,
        "memref.copy" => position == 0,
        "bufferization.to_tensor" => user.attr("writable").is_none(),
        name if is_any_view(name) => user.result_list().into_iter().all(is_only_read),
        _ => Structured::of(user).is_some_and(|s| position < s.inputs.len()),
    };
    is_array(buffer) && buffer.uses().into_iter().all(reads)
}

/// Whether what an operation gives is in the memory of its first operand.
pub fn is_any_view(name: &str) -> bool {
    is_view(name)
        || matches!(
            name,
            "memref.collapse_shape"
                | "memref.expand_shape"
                | "memref.extract_strided_metadata"
                | "memref.memory_space_cast"
                | "memref.reinterpret_cast"
                | "memref.reshape"
                | "memref.transpose"
                | "memref.view"
        )
}

/// Whether an operation shows part of a buffer as another one.
pub fn is_view(name: &str) -> bool {
    matches!(name, "memref.subview" | "memref.cast")
}
