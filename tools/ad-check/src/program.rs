//! A decoded program: the interpreter's own small tree, with no handle into the compiler.
//!
//! Every SSA value of a function has a slot in that function's frame; nested regions use the same frame.
//! Decoding resolves attributes, symbols and types, so that running does no look-up by name.

use crate::eval::atl::Atl;
use crate::eval::scalar::ops::{
    Cast, Complex, FloatBinary, FloatCompare, FloatTest, FloatUnary, IntBinary, IntCompare,
    IntUnary, Wide,
};
use crate::value::Value;
use ad_dialect::linalg::Expr;

/// A whole module.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub functions: Vec<Function>,
    /// Op names, referred to by `Op::name`.
    pub names: Vec<String>,
    /// Locations as printed, referred to by `Op::location`.
    pub locations: Vec<String>,
}

/// A function; `body` is `None` for a declaration.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub inputs: Vec<Type>,
    pub results: Vec<Type>,
    pub body: Option<Region>,
    /// Slots in a frame.
    pub slots: usize,
}

/// One block: its arguments, ops, and the operands of its terminator; or several.
#[derive(Clone, Debug, Default)]
pub struct Region {
    pub arguments: Vec<Slot>,
    pub argument_types: Vec<Type>,
    pub ops: Vec<Op>,
    pub yields: Vec<Operand>,
    /// Values that die on entry because only a sibling region uses them.
    pub dead_on_entry: Vec<Slot>,
    /// If there are several blocks, all of them, the entry first; the region itself then has no ops, and whichever block
    /// ends it moves what it yields to the slots of `yields`.
    pub graph: Vec<Block>,
}

/// One of several blocks of a region.
#[derive(Clone, Debug)]
pub struct Block {
    /// The block as a region, which yields all operands of its terminator.
    pub body: Region,
    pub end: End,
}

/// What happens at the end of a block.
#[derive(Clone, Debug)]
pub enum End {
    /// The region ends.
    Yield,
    /// Another block is next; what decides is the first operand.
    Branch(Pick, Vec<Edge>),
    /// What is never reached.
    Nowhere,
}

/// How an edge is chosen.
#[derive(Clone, Debug)]
pub enum Pick {
    /// There is one only.
    Only,
    /// The first if a bit is set, else the second.
    Bit,
    /// The one after the first whose number is given, else the first.
    Case(Vec<i64>),
}

/// A way to another block.
#[derive(Clone, Debug)]
pub struct Edge {
    pub to: usize,
    /// Which operands of the terminator the block gets.
    pub operands: std::ops::Range<usize>,
}

/// Where a value lives in the frame; `NOWHERE` for a value that nobody reads.
pub type Slot = u32;
pub const NOWHERE: Slot = u32::MAX;

/// A use of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    pub slot: Slot,
    /// This is the last use: the value may be moved out of its slot.
    pub last: bool,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Op {
    pub code: Opcode,
    pub operands: Box<[Operand]>,
    pub results: Box<[Slot]>,
    pub result_types: Box<[Type]>,
    pub regions: Box<[Region]>,
    pub name: u32,
    pub location: u32,
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Scalar(Elem),
    Tensor(TensorType),
    Acc(TensorType),
    /// Also a tensor of pairs, as the tensors of their halves.
    Pair(Box<[Type; 2]>),
    /// Its fields.
    Record(Vec<Type>),
    /// The handle of a tape.
    Tape,
    /// A function, with what it captures.
    Function,
    /// A buffer; that of another type than numbers is one of indices here.
    Memory(TensorType),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorType {
    pub elem: Elem,
    /// `None` for a dynamic dimension.
    pub dims: Vec<Option<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elem {
    Float(FloatKind),
    /// A pair of floats.
    Complex(FloatKind),
    /// An integer of a width from 1 to 64.
    Int(u32),
    Index,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatKind {
    F16,
    Bf16,
    F32,
    F64,
}

/// What is done with records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordOp {
    Make,
    Get(usize),
    Set(usize),
}

/// What is done with a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TapeOp {
    Create,
    Push,
    Pop,
    Free,
}

/// What is done with buffers.
#[derive(Clone, Debug)]
pub enum MemoryOp {
    /// Until the function returns, or until it is freed.
    Alloc {
        on_stack: bool,
    },
    /// What is in a constant from the beginning, one for each run.
    Global(String, Option<Value>),
    Dealloc,
    Load,
    Store,
    /// Neighbours, as a vector.
    LoadVector,
    /// A vector over neighbours.
    StoreVector,
    Copy,
    /// The same elements under another type.
    Cast,
    Subview(SliceSpec),
    /// Offset, sizes and strides of an allocation.
    Reinterpret([Vec<Extent>; 3]),
    Expand(Vec<Extent>, Vec<Vec<usize>>),
    Collapse(Vec<Vec<usize>>),
    Transpose(Vec<usize>),
    /// The allocation, the offset, the sizes and the strides.
    Metadata,
    Dim,
    Rank,
    /// An element combined with a value by an operation, or by the region.
    Update(Option<Box<Opcode>>),
    /// The contents as a tensor.
    ToTensor,
    /// A new buffer with the contents of a tensor, or of a buffer.
    Clone,
    /// A tensor becomes the contents.
    Fill,
    /// Only advice.
    Nothing,
}

/// What an op does, with its attributes decoded.
#[derive(Clone, Debug)]
pub enum Opcode {
    Constant(Value),
    FloatUnary(FloatUnary, FloatKind),
    FloatBinary(FloatBinary, FloatKind),
    Fma(FloatKind),
    Clamp,
    /// A float to an integer power.
    FloatPower(FloatKind),
    SinCos(FloatKind),
    FloatTest(FloatTest, FloatKind),
    Complex(Complex, FloatKind),
    FloatCompare(FloatCompare),
    IntUnary(IntUnary, u32),
    IntBinary(IntBinary, u32),
    IntCompare(IntCompare, u32),
    Wide(Wide, u32),
    Cast(Cast),
    Select,
    /// Operands are the results: `ad.stop_gradient` and conversions that change only the static type.
    Identity,

    If,
    For {
        unsigned: bool,
        width: u32,
    },
    /// Regions are the condition and the body.
    While,
    /// Regions are the body and an operator per result.
    Parallel,
    /// Lower bounds, upper bounds and steps.
    Forall(Box<[Vec<Extent>; 3]>),
    /// Inserts a slice into a result of the `scf.forall` around.
    ParallelInsert(Box<SliceSpec>),
    /// Runs its region once.
    Execute,
    /// Runs the region of the case that its operand equals, or the first region.
    IndexSwitch(Vec<i64>),
    Call(usize),
    /// The function of a number, whose first arguments are the operands.
    Closure(usize),
    /// Calls its first operand.
    CallValue,
    Assert(String),
    /// Values that must not be used.
    Poison,

    Extract,
    Insert,
    ExtractSlice(Box<SliceSpec>),
    InsertSlice(Box<SliceSpec>),
    Dim,
    Rank,
    Empty,
    Splat,
    FromElements,
    Generate,
    /// Groups of dimensions of the larger shape.
    Collapse(Vec<Vec<usize>>),
    Expand(Vec<Extent>, Vec<Vec<usize>>),
    TensorCast,
    /// The shape is an operand.
    Reshape,
    /// The dimensions that coordinates are given for.
    GatherSlices(Vec<usize>),
    ScatterSlices(Vec<usize>),
    Concat(usize),
    Pad {
        low: Vec<Extent>,
        high: Vec<Extent>,
    },

    Vector(VectorOp),

    Fill,
    /// Any structured operation of `linalg`.
    Generic(Box<GenericSpec>),
    /// The iteration number of a loop of the structured operation around.
    PointIndex(usize),
    /// The dimension that is normalised.
    Softmax(usize, FloatKind),
    Relayout(Box<RelayoutSpec>),

    /// The number of array operands; the rest are accumulators.
    Map(usize),
    /// The number of arrays, which is also that of neutral elements.
    Reduce(usize),
    /// All prefixes, or all suffixes when reversed.
    Scan(ScanSpec),
    /// Values combined into bins.
    Hist(UpdateSpec),
    /// Elements overwritten.
    Scatter(UpdateSpec),
    Iota(u32),
    Replicate,
    /// The number of arrays that become accumulators.
    WithAcc,
    UpdateAcc,
    NullAcc,

    Atl(Box<Atl>),

    Record(RecordOp),
    Tape(TapeOp),
    Memory(Box<MemoryOp>),
}

/// Operations on vectors, which are arrays here.
#[derive(Clone, Debug)]
pub enum VectorOp {
    Broadcast,
    /// The leading indices.
    Extract(Vec<Extent>),
    Insert(Vec<Extent>),
    FromElements,
    ToElements,
    ShapeCast,
    Transpose(Vec<usize>),
    /// All numbers combined by a scalar operation, from an operand on if there is one.
    Reduce(Box<Opcode>),
}

/// How a scan goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanSpec {
    /// The number of arrays, which is also that of neutral elements.
    pub arrays: usize,
    /// Whether the element itself is left out.
    pub exclusive: bool,
    /// Whether suffixes are taken.
    pub reverse: bool,
}

/// The operands of a hist or scatter: index arrays, value arrays, destinations, neutral elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpdateSpec {
    /// The number of index arrays.
    pub indices: usize,
    /// The number of value arrays, which is also that of destinations.
    pub arrays: usize,
}

/// A size, offset or stride that is static or the next dynamic operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Static(i64),
    Dynamic,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceSpec {
    pub offsets: Vec<Extent>,
    pub sizes: Vec<Extent>,
    pub strides: Vec<Extent>,
    /// Dimensions of the slice that the small type drops.
    pub dropped: Vec<bool>,
}

/// How `linalg.pack` and `linalg.unpack` tile an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayoutSpec {
    pub unpacks: bool,
    pub padded: bool,
    /// The plain dimension that each outer dimension runs along.
    pub order: Vec<usize>,
    /// The plain dimension of each tile.
    pub positions: Vec<usize>,
}

/// A structured operation: for each operand, the indices as functions of the loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenericSpec {
    pub inputs: usize,
    pub loops: usize,
    pub maps: Vec<Vec<Expr>>,
    /// The loops whose iterations do not depend on each other.
    pub parallel: Vec<usize>,
}

impl Elem {
    pub fn is_float(self) -> bool {
        matches!(self, Elem::Float(_))
    }

    pub fn is_complex(self) -> bool {
        matches!(self, Elem::Complex(_))
    }

    /// What its numbers are rounded to; integers are never rounded.
    pub fn float_kind(self) -> FloatKind {
        match self {
            Elem::Float(kind) | Elem::Complex(kind) => kind,
            _ => FloatKind::F64,
        }
    }

    /// The width in bits that integer arithmetic wraps to.
    pub fn int_width(self) -> u32 {
        match self {
            Elem::Int(width) => width,
            _ => 64,
        }
    }

    /// How MLIR writes it.
    pub fn text(self) -> String {
        match self {
            Elem::Float(FloatKind::F16) => "f16".into(),
            Elem::Float(FloatKind::Bf16) => "bf16".into(),
            Elem::Float(FloatKind::F32) => "f32".into(),
            Elem::Float(FloatKind::F64) => "f64".into(),
            Elem::Complex(kind) => format!("complex<{}>", Elem::Float(kind).text()),
            Elem::Int(width) => format!("i{width}"),
            Elem::Index => "index".into(),
        }
    }
}

impl Type {
    pub fn elem(&self) -> Elem {
        match self {
            Type::Scalar(elem) => *elem,
            Type::Tensor(t) | Type::Acc(t) | Type::Memory(t) => t.elem,
            Type::Pair(halves) => halves[0].elem(),
            Type::Record(_) | Type::Tape | Type::Function => Elem::Index,
        }
    }

    pub fn dims(&self) -> &[Option<usize>] {
        match self {
            Type::Scalar(_) | Type::Pair(_) | Type::Record(_) | Type::Tape | Type::Function => &[],
            Type::Tensor(t) | Type::Acc(t) | Type::Memory(t) => &t.dims,
        }
    }

    /// A float, a complex number, or a tensor of them: what has a derivative.
    pub fn is_differentiable(&self) -> bool {
        (self.elem().is_float() || self.elem().is_complex())
            && matches!(self, Type::Scalar(_) | Type::Tensor(_))
    }

    /// How MLIR writes it.
    pub fn text(&self) -> String {
        match self {
            Type::Scalar(elem) => elem.text(),
            Type::Tensor(t) => t.text(),
            Type::Acc(t) => format!("!soac.acc<{}>", t.text()),
            Type::Pair(halves) => format!("!atl.pair<{}, {}>", halves[0].text(), halves[1].text()),
            Type::Record(fields) => {
                let fields: Vec<String> = fields.iter().map(Type::text).collect();
                format!("a record of ({})", fields.join(", "))
            }
            Type::Tape => "!ad.tape".into(),
            Type::Function => "a function".into(),
            Type::Memory(t) => t.text().replacen("tensor", "memref", 1),
        }
    }
}

impl TensorType {
    pub fn text(&self) -> String {
        let dims: String =
            self.dims.iter().map(|d| d.map_or("?x".to_string(), |n| format!("{n}x"))).collect();
        format!("tensor<{dims}{}>", self.elem.text())
    }
}

impl FloatKind {
    /// Rounds to this type, ties to even.
    pub fn round(self, x: f64) -> f64 {
        match self {
            FloatKind::F64 => x,
            FloatKind::F32 => f64::from(x as f32),
            FloatKind::Bf16 => round_to_bits(x, 8, -126, 127),
            FloatKind::F16 => round_to_bits(x, 11, -14, 15),
        }
    }
}

/// Rounds to `precision` significant bits with exponents from `low` to `high`.
fn round_to_bits(x: f64, precision: i32, low: i32, high: i32) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let exponent = (((x.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(low);
    let unit = 2f64.powi(exponent - precision + 1);
    let rounded = (x / unit).round_ties_even() * unit;
    let largest = (2.0 - 2f64.powi(1 - precision)) * 2f64.powi(high);
    if rounded.abs() > largest { f64::INFINITY.copysign(x) } else { rounded }
}

impl Program {
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|f| f.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_floats_round_to_nearest_even() {
        assert_eq!(FloatKind::F32.round(0.1), f64::from(0.1f32));
        assert_eq!(FloatKind::F16.round(1.0 + 1.0 / 2048.0), 1.0);
        assert_eq!(FloatKind::F16.round(1.0 + 3.0 / 2048.0), 1.0 + 2.0 / 1024.0);
        assert_eq!(FloatKind::F16.round(65520.0), f64::INFINITY);
        assert_eq!(FloatKind::F16.round(65519.0), 65504.0);
        assert_eq!(FloatKind::F16.round(2f64.powi(-24)), 2f64.powi(-24));
        assert_eq!(FloatKind::Bf16.round(1.0 + 1.0 / 256.0), 1.0);
    }

    #[test]
    fn types_print_as_mlir_writes_them() {
        let t = TensorType { elem: Elem::Float(FloatKind::F32), dims: vec![None, Some(3)] };
        assert_eq!(Type::Tensor(t.clone()).text(), "tensor<?x3xf32>");
        assert_eq!(Type::Acc(t).text(), "!soac.acc<tensor<?x3xf32>>");
    }
}
