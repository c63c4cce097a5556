//! Rows of buffers, as views of bytes.

use ad_dialect::ir::{Op, OpExt, Val, ValExt, int_of};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    combinator::constant_index,
    extent::{Extent, extent_of_value},
    memory::{self, ALIGNMENT},
    place::Sum,
    slice::shown,
};

/// A row of a buffer.
pub struct Row<'c> {
    /// What makes the buffer: an allocation, or a view of the bytes of one.
    pub whole: Op<'c>,
    /// The sizes of the buffer.
    sizes: Vec<Extent<'c>>,
    /// The number of the row.
    pub number: Extent<'c>,
}

impl<'c> Row<'c> {
    /// What a view shows if it is one row of an allocation.
    pub fn of(view: Op<'c>) -> Option<Self> {
        let dimensions = shown(view).filter(|_| view.op_name() == "memref.subview")?;
        let whole = view.opnd(0)?.defining_op()?;
        let array = whole.res(0)?;
        let mut dynamic = match whole.op_name() {
            "memref.alloc" if is_plain(whole) => whole.operand_list().into_iter(),
            "memref.view" if is_all_bytes(whole) => whole.operand_list().split_off(2).into_iter(),
            _ => return None,
        };
        let size = |d| match memory::static_size(array, d) {
            Some(size) => Some(Extent::Known(size)),
            None => dynamic.next().map(extent_of_value),
        };
        let sizes: Vec<_> = (0..memory::rank(array)).map(size).collect::<Option<_>>()?;
        let number = |extent| match extent {
            Extent::Value(value) => extent_of_value(value),
            known => known,
        };
        let (first, others) = dimensions.split_first()?;
        let is_whole = others.iter().zip(&sizes[1..]).all(|(dimension, size)| {
            dimension.is_kept
                && number(dimension.size) == *size
                && number(dimension.offset) == Extent::Known(0)
        });
        let is_row =
            is_whole && !first.is_kept && dimensions.iter().all(|dimension| dimension.stride == 1);
        is_row.then_some(Self { whole, sizes, number: number(first.offset) })
    }

    /// Whether it is the same one as another.
    pub fn is(&self, other: &Self) -> bool {
        self.whole.key() == other.whole.key() && self.number == other.number
    }

    /// How many rows there are.
    pub fn count(&self) -> Sum {
        Sum::of_extent(self.sizes[0])
    }

    /// The sizes of a row.
    pub fn row_sizes(&self) -> &[Extent<'c>] {
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
        let b = Builder::before(context, self.whole, self.whole.block()?);
        let bytes = memory::allocate_bytes(&b, product(&b, self.width(), &self.sizes))?;
        self.whole = memory::become_part(&b, self.whole, bytes, b.index(0))?.defining_op()?;
        Some(bytes)
    }

    /// At which byte a row with a number begins.
    pub fn start(&self, b: &Builder<'c>, number: Val<'c>) -> Val<'c> {
        b.mul(product(b, self.width(), self.row_sizes()), number)
    }
}

fn product<'c>(b: &Builder<'c>, width: i64, sizes: &[Extent<'c>]) -> Val<'c> {
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
    let alignment = alloc.attr("alignment").and_then(int_of).unwrap_or(1);
    is_dense
        && is_own
        && alignment <= ALIGNMENT
        && element.is_some_and(|element| ELEMENTS.contains(&element.as_str()))
}

/// Whether a view shows bytes that were allocated for it, from the first on.
fn is_all_bytes(view: Op<'_>) -> bool {
    let made_by = |bytes: Val<'_>| bytes.defining_op().map(|op| op.op_name() == "memref.alloc");
    view.opnd(0).and_then(made_by) == Some(true) && view.opnd(1).and_then(constant_index) == Some(0)
}
