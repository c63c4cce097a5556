//! `lower-subgroups-to-nvvm`: products of matrices that subgroups make become instructions of NVIDIA's processors.
//!
//! ```text
//! gpu.subgroup_mma_compute         =>   nvvm.mma.sync, one for each 8 columns (`subgroup_matrices` has the rest)
//! gpu.subgroup_mma_load_matrix     =>   nvgpu.ldmatrix, of factors in shared memory that it can read
//! ```
//! Upstream makes `wmma` of the matrices, which reads them from memory itself: each of its reads computes its addresses anew,
//! and a product in TF32 becomes twice as many instructions as one of `mma`.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, int_of, vector_type};
use melior::{
    Context,
    ir::{Attribute, Type, ValueLike, attribute::BoolAttribute},
};

use super::subgroup_matrices::{Matrix, Product, all_products, has_any, lower};
use crate::support::{
    builder::Builder,
    diag::Result,
    memory::{bytes_of, is_of_block},
};

/// The columns of a product that an instruction makes.
const COLUMNS: i64 = 8;

/// Lowers the products of a module; returns how many there were.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut kernels = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "gpu.func" && has_any(op) && has_instructions(op) {
            kernels.push(op);
        }
    });
    let mut products = 0;
    for kernel in kernels {
        let Some(entry) = kernel.body(0) else { continue };
        let Some(first) = entry.ops().into_iter().next() else { continue };
        let b = Builder::before(context, first, entry);
        let lane = b.val("gpu.lane_id", &[], b.index_type());
        let read = |b: &Builder<'c>, op: Op<'c>, matrix: &Matrix| read(b, op, matrix, lane);
        products += lower(context, kernel, lane, read, |b, product| Ok(multiply(b, product)))?;
    }
    Ok(products as u64)
}

/// Whether all matrices of a kernel are those of instructions; upstream may have others for the rest.
pub fn has_instructions(kernel: Op<'_>) -> bool {
    all_products(kernel, |product| KINDS.iter().any(|kind| kind.is_of(product)))
}

/// A product as the instructions take it.
struct Kind {
    /// The types of the elements of factors and of sums.
    factor: &'static str,
    sum: &'static str,
    sizes: [i64; 3],
    /// The type of a register of a factor, and what its elements are called.
    register: &'static str,
    name: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind { factor: "f64", sum: "f64", sizes: [8, 8, 4], register: "f64", name: "f64" },
    Kind { factor: "f32", sum: "f32", sizes: [16, 16, 8], register: "i32", name: "tf32" },
    Kind { factor: "f16", sum: "f32", sizes: [16, 16, 16], register: "vector<2xf16>", name: "f16" },
];

/// Reads the elements that a lane has of a factor with 16 rows, or columns, in memory that the kernel has for a block: a register of
/// each lane at a time, for 8 lines of 16 bytes, each of which 4 lanes share (PTX ISA, `ldmatrix`). Lines have the summands of a
/// row or column, or, of f16, those of a summand. Whoever made the operation says that they begin at multiples of their length.
/// The registers of a factor that `mma` takes are side by side: all of the first one, and those of each 8 columns of the second one.
fn read<'c>(b: &Builder<'c>, op: Op<'c>, matrix: &Matrix, lane: Val<'c>) -> Option<Vec<Val<'c>>> {
    const ROWS: i64 = 16;
    const LINE: i64 = 16;
    const REGISTER: i64 = 4;
    let [array, row, column]: [Val<'c>; 3] = op.operand_list().try_into().ok()?;
    let scalar = Type::parse(b.context(), &matrix.element)?;
    let part = LINE / bytes_of(scalar)?;
    let is_shared = array.defining_op().is_none() && is_of_block(array);
    let is_aligned = op.attr("alignment").and_then(int_of).is_some_and(|it| it % LINE == 0);
    let has_sums = matrix.has_sums_in_lines(op.attr("transpose").is_some());
    let can_be_read = matrix.is_factor() && (has_sums || part == ROWS / 2);
    if matrix.along() != [ROWS, 2 * part] || !is_shared || !is_aligned || !can_be_read {
        return None;
    }
    // A lane says where one of the lines begins that a register has.
    let [number, own] = b.divide(lane, b.index(ROWS / 2));
    let [second, first] = b.divide(number, b.index(2));
    let [far, half] = if matrix.has_rows() { [first, second] } else { [second, first] };
    let [far, half] = [b.mul(far, b.index(ROWS / 2)), b.mul(half, b.index(part))];
    let before = if has_sums { [b.add(far, own), half] } else { [b.add(half, own), far] };
    let place = [b.add(row, before[0]), b.add(column, before[1])];
    let registers = matrix.count() * bytes_of(scalar)? / REGISTER;
    let own = matrix.count() / registers;
    let attributes = [
        ("transpose", BoolAttribute::new(b.context(), !has_sums).into()),
        ("numTiles", b.i32_attr(registers)),
    ];
    let r#type = vector_type(&[registers, own], scalar);
    let operands = [&[array], &place[..]].concat();
    let read = b.val_with("nvgpu.ldmatrix", &operands, r#type, &attributes);
    let element = |i: i64| {
        let (far, half) = (i / own % 2, i / own / 2);
        let register = if matrix.has_rows() { far + 2 * half } else { 2 * far + half };
        let position = [("static_position", b.i64s_attr(&[register, i % own]))];
        b.val_with("vector.extract", &[read], scalar, &position)
    };
    Some((0..matrix.count()).map(element).collect())
}

/// The sums of a lane.
fn multiply<'c>(b: &Builder<'c>, product: &Product<'c>) -> Option<Vec<Val<'c>>> {
    let kind = KINDS.into_iter().find(|kind| kind.is_of(product))?;
    let [rows, columns, depth] = kind.sizes;
    let [x, y, sums]: [Val<'c>; 3] = product.op.operand_list().try_into().ok()?;
    let (x, y) = (kind.registers(b, x)?, kind.registers(b, y)?);
    let sums = b.to_elements(sums);
    let halves = (columns / COLUMNS) as usize;
    let count = sums.len() / halves;
    let attribute = |text: String| Attribute::parse(b.context(), &text);
    let shape = format!("#nvvm.shape<m = {rows}, n = {COLUMNS}, k = {depth}>");
    let name = attribute(format!("#nvvm.mma_type<{}>", kind.name))?;
    let attributes = [
        ("shape", attribute(shape)?),
        ("multiplicandAPtxType", name),
        ("multiplicandBPtxType", name),
        ("layoutA", attribute("#nvvm.mma_layout<row>".into())?),
        ("layoutB", attribute("#nvvm.mma_layout<col>".into())?),
    ];
    let r#struct = format!("!llvm.struct<({})>", vec![kind.sum; count].join(", "));
    let r#struct = Type::parse(b.context(), &r#struct)?;
    let half = |half: usize| {
        // The columns of a half come by turns with those of the other.
        let y: Vec<_> = y.iter().copied().skip(half).step_by(halves).collect();
        let sums = &sums[half * count..(half + 1) * count];
        let segments = b.i32s_attr(&[x.len(), y.len(), count].map(|n| n as i32));
        let attributes = [&attributes[..], &[("operandSegmentSizes", segments)]].concat();
        let operands = [&x[..], &y, sums].concat();
        let made = b.val_with("nvvm.mma.sync", &operands, r#struct, &attributes);
        let element = move |i| {
            let place = [("position", b.i64s_attr(&[i]))];
            b.val_with("llvm.extractvalue", &[made], sums[0].r#type(), &place)
        };
        (0..count as i64).map(element).collect::<Vec<_>>()
    };
    Some((0..halves).flat_map(half).collect())
}

impl Kind {
    fn is_of(&self, product: &Product<'_>) -> bool {
        product.is_of(self.factor, self.sum, self.sizes)
    }

    /// What a lane has of a factor, in registers: several elements that are shorter than one.
    fn registers<'c>(&self, b: &Builder<'c>, factor: Val<'c>) -> Option<Vec<Val<'c>>> {
        let register = Type::parse(b.context(), self.register)?;
        let elements = b.to_elements(factor);
        let is_whole = |element: &Val<'c>| element.r#type() == register;
        let made = match register.lanes()[..] {
            [count] => {
                let pack = |own: &[Val<'c>]| b.val("vector.from_elements", own, register);
                elements.chunks(count as usize).map(pack).collect()
            }
            _ if elements.iter().all(is_whole) => elements,
            _ => elements.iter().map(|&x| b.val("arith.bitcast", &[x], register)).collect(),
        };
        Some(made)
    }
}
