//! What a tape is: a record of numbers and pointers.

use ad_dialect::{
    capi,
    ir::{DYNAMIC, OpExt, TyExt, Val},
};
use melior::{
    Context,
    ir::{Attribute, ShapedTypeLike, Type, attribute::TypeAttribute, r#type::MemRefType},
};

use crate::support::{builder::Builder, memory};

/// The field with the number of entries.
pub const COUNT: usize = 0;
/// The field with the number of entries that arrays have room for.
pub const ROOM: usize = 1;

/// Elements that the largest array has room for at first.
const FIRST: i64 = 128;

/// Who works on a tape.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    /// The host.
    Host,
    /// Threads of kernels.
    Kernel,
}

impl Place {
    /// The type of the handles of tapes.
    pub fn handle(self) -> &'static str {
        match self {
            Place::Host => "!llvm.ptr",
            Place::Kernel => "i64",
        }
    }

    /// The function that copies an array with so many bytes to a place with more.
    pub fn grow(self) -> &'static str {
        match self {
            Place::Host => "ad.grow_tape",
            Place::Kernel => "ad.grow_tape_on_device",
        }
    }
}

/// Which fields the record of a tape has.
#[derive(Clone)]
pub struct Layout<'c> {
    record: Type<'c>,
    pub components: Vec<Component<'c>>,
    /// All pointers to arrays.
    pub arrays: Vec<usize>,
}

/// What is kept of one value of an entry.
#[derive(Clone)]
pub struct Component<'c> {
    /// The type as the tape has it.
    r#type: Type<'c>,
    /// The type of sizes.
    size: Type<'c>,
    /// The first of its fields, which points to the array with something for each entry: the elements, or, where their
    /// number is different for each entry, the sizes. Then there are three more fields: the array of elements, how many
    /// there are, and how many there is room for.
    pub field: usize,
}

impl<'c> Layout<'c> {
    /// None if something has no place in memory.
    pub fn of(context: &'c Context, tape: Type<'c>) -> Option<Self> {
        let mut fields = vec!["i64", "i64"];
        let (mut components, mut arrays) = (vec![], vec![]);
        for r#type in capi::tape_components(tape) {
            let component = Component { r#type, size: Type::index(context), field: fields.len() };
            in_memory(context, component.element())?;
            arrays.push(fields.len());
            fields.push("ptr");
            if component.grows() {
                arrays.push(fields.len());
                fields.extend(["ptr", "i64", "i64"]);
            }
            components.push(component);
        }
        let record = format!("!llvm.struct<({})>", fields.join(", "));
        Some(Self { record: Type::parse(context, &record)?, components, arrays })
    }

    /// How many entries there is room for at first.
    pub fn first_room(&self) -> i64 {
        let numbers = self.components.iter().map(|component| component.per_entry().1);
        (FIRST / numbers.max().unwrap_or(1).max(1)).max(1)
    }
}

impl<'c> Component<'c> {
    pub fn is_array(&self) -> bool {
        self.r#type.as_tensor().is_some()
    }

    /// Whether the elements of an entry are as many as it says.
    pub fn grows(&self) -> bool {
        self.r#type.shape().contains(&DYNAMIC)
    }

    /// The type of elements.
    pub fn element(&self) -> Type<'c> {
        if self.is_array() { self.r#type.scalar() } else { self.r#type }
    }

    /// What the array with something for each entry holds for one, and how many of those.
    pub fn per_entry(&self) -> (Type<'c>, i64) {
        let shape = self.shape();
        if self.grows() {
            let unknown = shape.iter().filter(|&&size| size == DYNAMIC).count();
            return (self.size, unknown as i64);
        }
        (self.element(), shape.iter().product())
    }

    pub fn shape(&self) -> Vec<i64> {
        self.r#type.shape()
    }

    /// Of all sizes those that the type does not say.
    pub fn unknown(&self, sizes: &[Val<'c>]) -> Vec<Val<'c>> {
        let shape = self.shape().into_iter();
        shape.zip(sizes).filter(|(size, _)| *size == DYNAMIC).map(|(_, &size)| size).collect()
    }

    /// The type of a buffer for the elements of an entry.
    pub fn buffer(&self, context: &'c Context) -> Option<Type<'c>> {
        buffer_type(context, &self.r#type.shape(), self.element())
    }
}

/// A buffer with one element behind the other.
pub fn buffer_type<'c>(context: &'c Context, shape: &[i64], element: Type<'c>) -> Option<Type<'c>> {
    let size = |&n: &i64| if n == DYNAMIC { "?x".to_owned() } else { format!("{n}x") };
    let sizes: String = shape.iter().map(size).collect();
    Type::parse(context, &format!("memref<{sizes}{element}>"))
}

/// The type that elements have in memory, as LLVM's dialect has it.
fn in_memory<'c>(context: &'c Context, element: Type<'c>) -> Option<Type<'c>> {
    if let [outer @ .., lanes] = &element.lanes()[..] {
        let number = in_memory(context, element.scalar())?;
        let lanes = format!("vector<{lanes}x{number}>");
        let nested = outer.iter().rev().fold(lanes, |inner, n| format!("array<{n} x {inner}>"));
        let text = if outer.is_empty() { nested } else { format!("!llvm.{nested}") };
        return (!element.scalar().is_complex_type()).then(|| Type::parse(context, &text))?;
    }
    if let Ok(buffer) = MemRefType::try_from(element) {
        return memory::descriptor(context, buffer.rank());
    }
    let text = element.to_string();
    match text.strip_prefix("complex<").and_then(|part| part.strip_suffix('>')) {
        Some(part) => Type::parse(context, &format!("!llvm.struct<({part}, {part})>")),
        None if text == "index" => Type::parse(context, "i64"),
        None => Some(element),
    }
}

/// Code that works on the record of a tape.
pub struct Record<'a, 'c> {
    pub b: Builder<'c>,
    pub layout: &'a Layout<'c>,
    pub at: Val<'c>,
    pub place: Place,
    pointer: Type<'c>,
    number: Type<'c>,
}

impl<'a, 'c> Record<'a, 'c> {
    /// The record of which a value is the handle.
    pub fn new(b: Builder<'c>, layout: &'a Layout<'c>, at: Val<'c>, place: Place) -> Option<Self> {
        let context = b.context();
        let (pointer, number) = (Type::parse(context, "!llvm.ptr")?, Type::parse(context, "i64")?);
        Some(Self { b, layout, at, place, pointer, number })
    }

    /// Makes the address of what is a handle so far.
    pub fn find(&mut self) {
        if self.place == Place::Kernel {
            self.at = self.b.val("llvm.inttoptr", &[self.at], self.pointer);
        }
    }

    /// The handle.
    pub fn handle(&self) -> Val<'c> {
        match self.place {
            Place::Host => self.at,
            Place::Kernel => self.b.val("llvm.ptrtoint", &[self.at], self.number),
        }
    }

    /// The same record, at another place in the code.
    pub fn with(&self, b: Builder<'c>) -> Self {
        Self { b, ..*self }
    }

    /// What a field holds.
    pub fn get(&self, field: usize) -> Val<'c> {
        let is_array = self.layout.arrays.contains(&field);
        let r#type = if is_array { self.pointer } else { self.number };
        self.b.val("llvm.load", &[self.field(field)], r#type)
    }

    pub fn set(&self, field: usize, value: Val<'c>) {
        self.b.op("llvm.store", &[value, self.field(field)], &[]);
    }

    fn field(&self, field: usize) -> Val<'c> {
        let place = self.b.i32s_attr(&[0, field as i32]);
        self.place(self.at, &[], self.layout.record, place)
    }

    fn place(
        &self,
        base: Val<'c>,
        indices: &[Val<'c>],
        of: Type<'c>,
        constants: Attribute<'c>,
    ) -> Val<'c> {
        let attributes =
            [("elem_type", TypeAttribute::new(of).into()), ("rawConstantIndices", constants)];
        self.b.val_with(
            "llvm.getelementptr",
            &[&[base], indices].concat(),
            self.pointer,
            &attributes,
        )
    }

    /// The address of an element of an array.
    pub fn element(&self, array: Val<'c>, element: Type<'c>, index: Val<'c>) -> Option<Val<'c>> {
        let of = in_memory(self.b.context(), element)?;
        Some(self.place(array, &[index], of, self.b.i32s_attr(&[i32::MIN])))
    }

    /// The bytes of so many elements.
    pub fn bytes(&self, element: Type<'c>, count: Val<'c>) -> Option<Val<'c>> {
        let end = self.element(self.null(), element, count)?;
        Some(self.b.val("llvm.ptrtoint", &[end], self.number))
    }

    /// The bytes of a record.
    pub fn bytes_of_record(&self) -> Val<'c> {
        let end = self.place(self.null(), &[], self.layout.record, self.b.i32s_attr(&[1]));
        self.b.val("llvm.ptrtoint", &[end], self.number)
    }

    /// A record on the stack.
    pub fn on_stack(&self) -> Val<'c> {
        let of = [("elem_type", TypeAttribute::new(self.layout.record).into())];
        self.b.val_with("llvm.alloca", &[self.constant(1)], self.pointer, &of)
    }

    pub fn null(&self) -> Val<'c> {
        self.b.val("llvm.mlir.zero", &[], self.pointer)
    }

    pub fn constant(&self, value: i64) -> Val<'c> {
        let value = [("value", self.b.i64_attr(value))];
        self.b.val_with("arith.constant", &[], self.number, &value)
    }

    pub fn as_number(&self, index: Val<'c>) -> Val<'c> {
        self.b.val("arith.index_cast", &[index], self.number)
    }

    pub fn as_index(&self, number: Val<'c>) -> Val<'c> {
        self.b.val("arith.index_cast", &[number], self.b.index_type())
    }

    /// A call of a function of the C library, and the pointer that it returns.
    pub fn call(&self, name: &str, arguments: &[Val<'c>]) -> Option<Val<'c>> {
        let results = if name == "free" { vec![] } else { vec![self.pointer] };
        self.b.llvm_call(name, arguments, &results).result_list().pop()
    }

    /// The larger array in place of one: its address, the bytes that are used, and those that there will be.
    pub fn grow(&self, array: &[Val<'c>]) -> Option<Val<'c>> {
        let name = self.place.grow();
        match self.place {
            Place::Host => self.call(name, array),
            Place::Kernel => {
                let callee = [("callee", self.b.symbol_attr(name))];
                Some(self.b.val_with("func.call", array, self.pointer, &callee))
            }
        }
    }

    /// The buffer of this type, and these sizes, that begins at an address.
    pub fn buffer(&self, begin: Val<'c>, r#type: Type<'c>, sizes: &[Val<'c>]) -> Option<Val<'c>> {
        let b = &self.b;
        let descriptor = memory::descriptor(b.context(), sizes.len())?;
        let mut parts = vec![(vec![0], begin), (vec![1], begin), (vec![2], self.constant(0))];
        let mut stride = self.constant(1);
        for (d, &size) in sizes.iter().enumerate().rev() {
            parts.push((vec![3, d as i64], size));
            parts.push((vec![4, d as i64], stride));
            stride = b.mul(stride, size);
        }
        let mut value = b.val("llvm.mlir.poison", &[], descriptor);
        for (place, part) in parts {
            let place = [("position", b.i64s_attr(&place))];
            value = b.val_with("llvm.insertvalue", &[value, part], descriptor, &place);
        }
        Some(b.val("builtin.unrealized_conversion_cast", &[value], r#type))
    }

    /// The sizes of a buffer.
    pub fn sizes(&self, buffer: Val<'c>) -> Vec<Val<'c>> {
        let size = |d| self.as_number(memory::dim(&self.b, buffer, d));
        (0..memory::rank(buffer)).map(size).collect()
    }
}
