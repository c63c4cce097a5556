//! Fragments: the products of small matrices that the hardware has, and which contractions consist of them.

use ad_dialect::ir::{Op, OpExt, Val, ValExt};
use melior::ir::{Attribute, Type, ValueLike};

use super::{shape::Contraction, tile::WIDEST};
use crate::{
    lower::{forall_to_gpu::LANES, subgroup_matrices::places},
    support::{
        builder::{Builder, Is, same_value},
        memory::{bytes_of, static_size},
    },
};

/// A product of small matrices that the hardware has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// How users call it.
    pub name: &'static str,
    /// The type of the factors' elements.
    factor: &'static str,
    /// The type of the sums.
    sum: &'static str,
    /// Whether factors have the type of the sums in shared memory.
    pub widens: bool,
    /// Whether the hardware does not read all bits of the factors, so that they are rounded before.
    rounds: bool,
    /// The rows, columns and summands of a product.
    pub sizes: [i64; 3],
}

/// All of them. Numbers of bf16 are numbers of TF32, which the types of `gpu` have.
#[rustfmt::skip]
pub const FRAGMENTS: [Fragment; 4] = [
    Fragment { name: "f64", factor: "f64", sum: "f64", widens: false, rounds: false, sizes: [8, 8, 4] },
    Fragment { name: "tf32", factor: "f32", sum: "f32", widens: false, rounds: true, sizes: [16, 16, 8] },
    Fragment { name: "f16", factor: "f16", sum: "f32", widens: false, rounds: false, sizes: [16, 16, 16] },
    Fragment { name: "bf16", factor: "bf16", sum: "f32", widens: true, rounds: false, sizes: [16, 16, 8] },
];

impl Fragment {
    /// The one among some that makes a contraction. Where the border of a sum crosses a fragment, what is behind is
    /// multiplied by zero.
    pub fn of(contraction: &Contraction<'_>, wanted: &[Self]) -> Option<Self> {
        let types = [contraction.side(0), contraction.side(1)].map(|side| side.r#type());
        let [rows, columns] = types.map(|r#type| r#type.to_string());
        let sum = contraction.element.to_string();
        let fits = |f: &&Self| f.factor == rows && f.factor == columns && f.sum == sum;
        wanted.iter().find(fits).copied().filter(|_| is_product(contraction))
    }

    /// The type that factors have in shared memory.
    fn held(self) -> &'static str {
        if self.widens { self.sum } else { self.factor }
    }

    /// An element of a factor as the hardware reads it.
    pub fn read_as<'c>(self, b: &Builder<'c>, value: Val<'c>) -> Val<'c> {
        match Type::parse(b.context(), self.sum) {
            Some(wide) if self.widens => b.val("arith.extf", &[value], wide),
            _ if self.rounds => to_tf32(b, value),
            _ => value,
        }
    }

    /// The type of a part of a product.
    fn r#type<'c>(self, b: &Builder<'c>, part: Part) -> Option<Type<'c>> {
        let [rows, columns, depth] = self.sizes;
        let (sizes, element, name) = match part {
            Part::Rows => ([rows, depth], self.held(), "AOp"),
            Part::Columns => ([depth, columns], self.held(), "BOp"),
            Part::Sums => ([rows, columns], self.sum, "COp"),
        };
        let text = format!("!gpu.mma_matrix<{}x{}x{element}, \"{name}\">", sizes[0], sizes[1]);
        Type::parse(b.context(), &text)
    }

    /// Reads a fragment from shared memory, where its summands lie side by side or not. Its lines begin at multiples of 16 bytes.
    pub fn load<'c>(
        self,
        b: &Builder<'c>,
        (part, has_sums): (Part, bool),
        shared: Val<'c>,
        at: [Val<'c>; 2],
    ) -> Option<Val<'c>> {
        let mut attributes =
            vec![("leadDimension", width(b, shared)?), ("alignment", b.i64_attr(WIDEST))];
        if part.is_transposed(has_sums) {
            attributes.push(("transpose", Attribute::unit(b.context())));
        }
        let [row, column] = at;
        let r#type = self.r#type(b, part)?;
        let operands = [shared, row, column];
        Some(b.val_with("gpu.subgroup_mma_load_matrix", &operands, r#type, &attributes))
    }

    /// How many elements a lane has of a fragment of sums.
    pub fn count(self) -> usize {
        let [rows, columns, _] = self.sizes;
        (rows * columns / LANES) as usize
    }

    /// The row and column of each of them.
    pub fn places<'c>(self, b: &Builder<'c>, lane: Val<'c>) -> Option<Vec<[Val<'c>; 2]>> {
        places(b, self.r#type(b, Part::Sums)?, lane)
    }

    /// The fragment of sums of which the thread has these elements.
    pub fn sums<'c>(self, b: &Builder<'c>, elements: &[Val<'c>]) -> Option<Val<'c>> {
        let r#type = self.r#type(b, Part::Sums)?;
        let insert = |fragment, (i, &element)| {
            let operands = [element, fragment, b.index(i)];
            b.val("gpu.subgroup_mma_insert_thread_local", &operands, r#type)
        };
        Some((0..).zip(elements).fold(b.val("ub.poison", &[], r#type), insert))
    }

    /// The elements that the thread has of a fragment of sums.
    pub fn elements<'c>(self, b: &Builder<'c>, sums: Val<'c>) -> Option<Vec<Val<'c>>> {
        let scalar = Type::parse(b.context(), self.sum)?;
        let name = "gpu.subgroup_mma_extract_thread_local";
        let element = |i| b.val(name, &[sums, b.index(i)], scalar);
        Some((0..self.count() as i64).map(element).collect())
    }

    /// Adds a product to a fragment of sums. Which factors were read as transposes has to be said again.
    pub fn add_product<'c>(
        b: &Builder<'c>,
        [x, y]: [Val<'c>; 2],
        has_sums: [bool; 2],
        sum: Val<'c>,
    ) -> Val<'c> {
        let both = [(Part::Rows, "a_transpose"), (Part::Columns, "b_transpose")];
        let both = both.into_iter().zip(has_sums);
        let transposed = both.filter(|((part, _), has_sums)| part.is_transposed(*has_sums));
        let transposed: Vec<_> =
            transposed.map(|((_, name), _)| (name, Attribute::unit(b.context()))).collect();
        b.val_with("gpu.subgroup_mma_compute", &[x, y, sum], sum.r#type(), &transposed)
    }
}

/// A part of a product of fragments.
#[derive(Clone, Copy)]
pub enum Part {
    Rows,
    Columns,
    Sums,
}

impl Part {
    /// Whether it is transposed in memory, whose lines have summands or not.
    fn is_transposed(self, has_sums: bool) -> bool {
        has_sums == matches!(self, Self::Columns)
    }
}

/// By how many elements lines in shared memory are longer, which have the summands of a row or column side by side, or the rows
/// or columns of a summand: so many that the lanes of a subgroup read a fragment from different banks, or parts of 16 bytes
/// of lines with summands, and that lines begin at multiples of 16 bytes.
pub fn padding(element: Type<'_>, has_sums: bool) -> i64 {
    let bytes = bytes_of(element).unwrap_or(WIDEST);
    let is_wide = bytes == 8 || bytes == 4 && !has_sums;
    if is_wide { 2 * WIDEST / bytes } else { WIDEST / bytes }
}

/// How far rows in shared memory are apart.
fn width<'c>(b: &Builder<'c>, shared: Val<'c>) -> Option<Attribute<'c>> {
    Some(b.index_attr(static_size(shared, 1)?))
}

/// What becomes the nearest number with 10 bits of mantissa, the larger one of two, when the hardware cuts the others off. Numbers
/// that would become infinite are left to be cut off, and so are infinities and what is no number (but signals that it is none by
/// lower bits). (PTX has this as an instruction, but the hardware does not.)
fn to_tf32<'c>(b: &Builder<'c>, value: Val<'c>) -> Val<'c> {
    const CUT: i64 = 13;
    const INFINITE: i64 = 0x7f80_0000;
    let bits = b.val("arith.bitcast", &[value], b.i32(0).r#type());
    let next = b.add(bits, b.i32(1 << (CUT - 1)));
    let as_float = |bits| b.val("arith.bitcast", &[bits], value.r#type());
    let least = as_float(b.i32(INFINITE - (1 << (CUT - 1))));
    let is_small = b.compare_floats(Is::Less, b.same("math.absf", &[value]), least);
    b.select(is_small, as_float(next), value)
}

/// Whether what is added is the product of both sides, each as it is or made wider.
fn is_product(contraction: &Contraction<'_>) -> bool {
    let factors = operands(contraction.body.term, "arith.mulf").into_iter().map(|factor| {
        let narrow = operands(factor, "arith.extf");
        narrow.first().copied().unwrap_or(factor)
    });
    let sides = [contraction.side(0), contraction.side(1)];
    are(&factors.collect::<Vec<_>>(), sides)
}

/// What an operation of a name takes that makes a value.
fn operands<'c>(value: Val<'c>, name: &str) -> Vec<Val<'c>> {
    let op: Option<Op<'c>> = value.defining_op().filter(|op| op.op_name() == name);
    op.map(|op| op.operand_list()).unwrap_or_default()
}

/// Whether values are two others, in any order.
fn are(values: &[Val<'_>], [x, y]: [Val<'_>; 2]) -> bool {
    let [a, b] = values[..] else { return false };
    same_value(a, x) && same_value(b, y) || same_value(a, y) && same_value(b, x)
}
