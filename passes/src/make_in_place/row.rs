//! Rows of buffers, as views of bytes.

use ad_dialect::ir::{Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, same_value},
    combinator::constant_index,
    memory::{self, Extent, Slice},
};

/// A row of a buffer.
pub struct Row<'c> {
    /// What makes the buffer: an allocation, or a view of the bytes of one.
    pub whole: Op<'c>,
    /// The sizes of the buffer.
    sizes: Vec<Size<'c>>,
    /// The number of the row.
    pub number: Number<'c>,
}

/// A size of a buffer, or the number of a row.
#[derive(Clone, Copy)]
pub enum Number<'c> {
    Known(i64),
    Value(Val<'c>),
}

type Size<'c> = Number<'c>;

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Known(one), Self::Known(other)) => one == other,
            (Self::Value(one), Self::Value(other)) => same_value(*one, *other),
            _ => false,
        }
    }
}

impl<'c> Number<'c> {
    pub fn of(value: Val<'c>) -> Self {
        constant_index(value).map_or(Self::Value(value), Self::Known)
    }

    /// As a value.
    pub fn value(self, b: &Builder<'c>) -> Val<'c> {
        match self {
            Self::Known(number) => b.index(number),
            Self::Value(value) => value,
        }
    }
}

impl<'c> Row<'c> {
    /// What a view shows if it is one row of an allocation.
    pub fn of(view: Op<'c>) -> Option<Self> {
        let slice = Slice::of(view).filter(|_| view.op_name() == "memref.subview")?;
        let whole = view.opnd(0)?.defining_op()?;
        let array = whole.res(0)?;
        let mut dynamic = match whole.op_name() {
            "memref.alloc" if is_plain(whole) => whole.operand_list().into_iter(),
            "memref.view" if is_all_bytes(whole) => whole.operand_list().split_off(2).into_iter(),
            _ => return None,
        };
        let size = |d| match memory::static_size(array, d) {
            Some(size) => Some(Size::Known(size)),
            None => dynamic.next().map(Size::of),
        };
        let sizes: Vec<_> = (0..memory::rank(array)).map(size).collect::<Option<_>>()?;
        let number = |extent| match extent {
            Extent::Static(number) => Some(Number::Known(number)),
            Extent::Operand(i) => view.opnd(i).map(Number::of),
        };
        let (first, others) = slice.dimensions.split_first()?;
        let is_whole = others.iter().zip(&sizes[1..]).all(|(dimension, size)| {
            dimension.is_kept
                && number(dimension.size) == Some(*size)
                && number(dimension.offset) == Some(Number::Known(0))
        });
        let is_row = is_whole
            && !first.is_kept
            && slice.dimensions.iter().all(|dimension| dimension.stride == 1);
        is_row.then_some(Self { whole, sizes, number: number(first.offset)? })
    }

    /// Whether it is the same one as another.
    pub fn is(&self, other: &Self) -> bool {
        self.whole.key() == other.whole.key() && self.number == other.number
    }

    /// The sizes of a row.
    pub fn row_sizes(&self) -> &[Number<'c>] {
        &self.sizes[1..]
    }

    fn width(&self) -> i64 {
        let element = self.whole.res(0).and_then(memory::element);
        element.and_then(memory::bytes_of).unwrap_or(1)
    }

    /// The bytes of the buffer, of which it becomes a view; the row is one of that.
    pub fn bytes(&mut self, context: &'c Context) -> Option<Val<'c>> {
        if self.whole.op_name() == "memref.view" {
            return self.whole.opnd(0);
        }
        let (old, block) = (self.whole.res(0)?, self.whole.block()?);
        let b = Builder::before(context, self.whole, block);
        let count = product(&b, self.width(), &self.sizes);
        let alignment = self.whole.attr("alignment").unwrap_or_else(|| b.i64_attr(64));
        let attributes = [("operandSegmentSizes", b.i32s_attr(&[1, 0])), ("alignment", alignment)];
        let raw = Type::parse(context, "memref<?xi8>")?;
        let bytes = b.val_with("memref.alloc", &[count], raw, &attributes);
        let operands = [&[bytes, b.index(0)], &self.whole.operand_list()[..]].concat();
        let view = b.val("memref.view", &operands, old.r#type());
        old.replace_all_uses(view);
        self.whole.erase();
        self.whole = view.defining_op()?;
        Some(bytes)
    }

    /// What an allocation allocates, in a row with a number.
    pub fn view(
        &self,
        b: &Builder<'c>,
        bytes: Val<'c>,
        number: Val<'c>,
        alloc: Op<'c>,
    ) -> Option<Val<'c>> {
        let start = b.mul(product(b, self.width(), self.row_sizes()), number);
        let operands = [&[bytes, start], &alloc.operand_list()[..]].concat();
        Some(b.val("memref.view", &operands, alloc.res(0)?.r#type()))
    }
}

fn product<'c>(b: &Builder<'c>, width: i64, sizes: &[Size<'c>]) -> Val<'c> {
    sizes.iter().fold(b.index(width), |product, size| b.mul(product, size.value(b)))
}

/// What lies in memory without bits or bytes between elements.
const ELEMENTS: [&str; 11] = [
    "f16",
    "bf16",
    "f32",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "index",
    "complex<f32>",
    "complex<f64>",
];

/// Whether an operation allocates numbers with the plain layout, for nobody who frees them himself.
pub fn is_plain(alloc: Op<'_>) -> bool {
    let Some(array) = alloc.res(0).filter(|_| alloc.op_name() == "memref.alloc") else {
        return false;
    };
    let is_dense = !array.r#type().to_string().contains(", ");
    let is_own = alloc.attr("bufferization.manual_deallocation").is_none();
    let element = memory::element(array).map(|element| element.to_string());
    is_dense && is_own && element.is_some_and(|element| ELEMENTS.contains(&element.as_str()))
}

/// Whether a view shows bytes that were allocated for it, from the first on.
fn is_all_bytes(view: Op<'_>) -> bool {
    let made_by = |bytes: Val<'_>| bytes.defining_op().map(|op| op.op_name() == "memref.alloc");
    view.opnd(0).and_then(made_by) == Some(true) && view.opnd(1).and_then(constant_index) == Some(0)
}
