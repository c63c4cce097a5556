//! Matrices of subgroups become vectors, of the elements that each of its 32 lanes has.
//!
//! ```text
//! gpu.subgroup_mma_load_matrix %s[%i, %j]     =>  vector of memref.load %s[%i + row, %j + column], for each own place
//! gpu.subgroup_mma_store_matrix               =>  memref.store for each own place
//! gpu.subgroup_mma_constant_matrix            =>  vector.broadcast
//! gpu.subgroup_mma_compute %a, %b, %c         =>  call @ad_emulate_multiply, on arrays of the thread
//! ```
//! Loops and branches carry vectors then. Which places a lane has is also known to `matrix` of `ad-emulate`.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt, int_of};
use melior::ir::{Type, ValueLike};

use super::kernel::Kernel;
use crate::{
    lower::forall_to_gpu::LANES,
    support::{
        builder::Builder,
        diag::{Result, error, internal_error},
        memory::{allocate, load, rank, store, strides},
        retype::change_types,
    },
};

/// A matrix of a subgroup.
#[derive(Clone, PartialEq, Eq)]
struct Matrix {
    sizes: [i64; 2],
    element: String,
    /// `AOp` for a factor with rows, `BOp` for one with columns, `COp` for sums.
    part: String,
}

impl Matrix {
    /// That of a type such as `!gpu.mma_matrix<16x8xf32, "AOp">`, if it can be emulated.
    fn of(r#type: Type<'_>) -> Option<Self> {
        let text = r#type.to_string();
        let inner = text.strip_prefix("!gpu.mma_matrix<")?.strip_suffix("\">")?;
        let (shape, part) = inner.split_once(", \"")?;
        let mut parts = shape.splitn(3, 'x');
        let sizes = [parts.next()?.parse().ok()?, parts.next()?.parse().ok()?];
        let matrix = Self { sizes, element: parts.next()?.into(), part: part.into() };
        let [first, second] = matrix.along();
        let is_float = ["f16", "f32", "f64"].contains(&matrix.element.as_str());
        let is_whole = first % 8 == 0 && second % (4 * matrix.together()) == 0;
        Some(matrix).filter(|_| is_float && is_whole && first * second > 0)
    }

    /// The size in which a lane's number is counted in fours, and the other one.
    fn along(&self) -> [i64; 2] {
        let [rows, columns] = self.sizes;
        if self.part == "BOp" { [columns, rows] } else { [rows, columns] }
    }

    /// The neighbours that a lane has.
    fn together(&self) -> i64 {
        if self.part == "COp" || self.element == "f16" { 2 } else { 1 }
    }

    /// The elements of a lane.
    fn count(&self) -> i64 {
        self.sizes[0] * self.sizes[1] / LANES
    }

    /// The type of these.
    fn vector<'c>(&self, b: &Builder<'c>) -> Option<Type<'c>> {
        Type::parse(b.context(), &format!("vector<{}x{}>", self.count(), self.element))
    }

    /// The row and column of each element of a lane.
    fn places<'c>(&self, b: &Builder<'c>, lane: Val<'c>) -> Vec<[Val<'c>; 2]> {
        let (is_across, together) = (self.part == "BOp", self.together());
        let above = self.along()[0] / 8;
        let four = b.index(4);
        let first = b.same("arith.divui", &[lane, four]);
        let second = b.mul(b.same("arith.remui", &[lane, four]), b.index(together));
        let place = |i| {
            let (beside, i) = (i % together, i / together);
            let first = b.add(first, b.index(8 * (i % above)));
            let second = b.add(second, b.index(4 * together * (i / above) + beside));
            if is_across { [second, first] } else { [first, second] }
        };
        (0..self.count()).map(place).collect()
    }
}

/// The kinds of products of `ad_emulate_multiply`, by their factors: how `matrix` counts them, and the type of the numbers
/// that it gets.
const KINDS: [(&str, [i64; 3], i64, &str); 3] =
    [("f64", [8, 8, 4], 0, "f64"), ("f32", [16, 16, 8], 1, "f32"), ("f16", [16, 16, 16], 2, "f32")];

/// What is said of other shapes and forms.
const NO_FORM: &str = "is of a form that cannot be emulated";

/// Whether a product, if it is one, says of each factor whether it was read as a transpose: that decides how it lies in
/// the registers.
fn has_factors_as_read(op: Op<'_>) -> bool {
    let is_as_read = |(i, name): (usize, &str)| {
        let read = op.opnd(i).and_then(|factor| factor.defining_op());
        let read = read.filter(|read| read.op_name() == "gpu.subgroup_mma_load_matrix");
        read.is_none_or(|it| it.attr("transpose").is_some() == op.attr(name).is_some())
    };
    let is_product = op.op_name() == "gpu.subgroup_mma_compute";
    !is_product || [(0, "a_transpose"), (1, "b_transpose")].into_iter().all(is_as_read)
}

impl<'c> Kernel<'c> {
    /// Lowers what a function has of matrices; returns whether there are products, at which threads wait.
    pub fn matrices(&self, function: Op<'c>, thread: Val<'c>) -> Result<bool> {
        let mut found = vec![];
        function.for_each(&mut |op| {
            if op.op_name().starts_with("gpu.subgroup_mma_") {
                let values = op.operand_list().into_iter().chain(op.result_list());
                let matrices: Vec<_> =
                    values.filter_map(|value| Matrix::of(value.r#type())).collect();
                found.push((op, matrices));
            }
        });
        if let Some((product, _)) = found.iter().find(|(op, _)| !has_factors_as_read(*op)) {
            return Err(error(*product, NO_FORM));
        }
        let Some(entry) = function.body(0).filter(|_| !found.is_empty()) else { return Ok(false) };
        let Some(first) = entry.ops().into_iter().next() else { return Ok(false) };
        self.runtime("ad_emulate_lane", "(index) -> index")?;
        let b = Builder::before(self.context(), first, entry);
        let call = self.emit(&b, "ad_emulate_lane", &[thread], &[b.index_type()]);
        let Some(lane) = call.res(0) else { return Ok(false) };
        // What threads have for the whole function is made in front of the call, which stays.
        let top = Builder::before(self.context(), call, entry);
        change_types(self.context(), function, |r#type| {
            Matrix::of(r#type).and_then(|matrix| matrix.vector(&top)).unwrap_or(r#type)
        });
        let mut waits = false;
        for (number, (op, matrices)) in (0..).zip(found) {
            let b = Builder::before(self.context(), op, entry);
            let done = match (op.op_name(), &matrices[..]) {
                ("gpu.subgroup_mma_load_matrix", [matrix]) => read(&b, op, matrix, lane),
                ("gpu.subgroup_mma_store_matrix", [matrix]) => write(&b, op, matrix, lane),
                ("gpu.subgroup_mma_constant_matrix", [_]) => constant(&b, op),
                ("gpu.subgroup_mma_compute", [x, y, sum, _]) => {
                    waits = true;
                    self.multiply(&b, &top, op, [x, y, sum], thread, number)?
                }
                _ => None,
            };
            if done.is_none() {
                return Err(error(op, NO_FORM));
            }
            op.erase();
        }
        Ok(waits)
    }

    /// Hands what the thread has of a product to the emulator.
    fn multiply(
        &self,
        b: &Builder<'c>,
        top: &Builder<'c>,
        op: Op<'c>,
        [x, y, sum]: [&Matrix; 3],
        thread: Val<'c>,
        number: i64,
    ) -> Result<Option<()>> {
        let sizes = [x.sizes[0], y.sizes[1], x.sizes[1]];
        let fits = |&(element, shape, ..): &(&str, [i64; 3], i64, &str)| {
            x.element == element && y.element == element && shape == sizes
        };
        let kind = KINDS.into_iter().find(fits).filter(|kind| sum.element == kind.3);
        let Some((.., kind, wide)) = kind else { return Ok(None) };
        let failed = || internal_error(op, "product has no elements");
        let wide = Type::parse(b.context(), wide).ok_or_else(failed)?;
        let mut arrays = vec![];
        for (matrix, value) in [x, y, sum].into_iter().zip(op.operand_list()) {
            let r#type = format!("memref<{}x{wide}>", matrix.count());
            let r#type = Type::parse(b.context(), &r#type).ok_or_else(failed)?;
            let array = allocate(top, "memref.alloca", r#type, &[]);
            for (i, element) in (0..).zip(b.to_elements(value)) {
                let narrow = element.r#type() != wide;
                let element = if narrow { b.val("arith.extf", &[element], wide) } else { element };
                store(b, element, array, &[b.index(i)]);
            }
            arrays.push(array);
        }
        let address = "memref.extract_aligned_pointer_as_index";
        let mut operands = vec![thread];
        operands.extend(arrays.iter().map(|&array| b.val(address, &[array], b.index_type())));
        operands.extend([b.i32(kind), b.index(number)]);
        self.runtime("ad_emulate_multiply", "(index, index, index, index, i32, index)")?;
        self.emit(b, "ad_emulate_multiply", &operands, &[]);
        let sums = arrays.last().map(|&array| {
            let own: Vec<_> = (0..sum.count()).map(|i| load(b, array, &[b.index(i)])).collect();
            own
        });
        Ok(sums.and_then(|sums| replace(b, op, &sums)))
    }
}

/// Gives an operation's result other elements.
fn replace<'c>(b: &Builder<'c>, op: Op<'c>, elements: &[Val<'c>]) -> Option<()> {
    let result = op.res(0)?;
    result.replace_all_uses(b.val("vector.from_elements", elements, result.r#type()));
    Some(())
}

/// The indices of a lane's elements in memory.
fn indices<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    matrix: &Matrix,
    lane: Val<'c>,
    [array, row, column]: [Val<'c>; 3],
) -> Option<Vec<[Val<'c>; 2]>> {
    let width = op.attr("leadDimension").and_then(int_of)?;
    if rank(array) != 2 || strides(array)? != [Some(width), Some(1)] {
        return None;
    }
    let is_transposed = op.attr("transpose").is_some();
    let place = |[i, j]: [Val<'c>; 2]| {
        let [i, j] = if is_transposed { [j, i] } else { [i, j] };
        [b.add(row, i), b.add(column, j)]
    };
    Some(matrix.places(b, lane).into_iter().map(place).collect())
}

/// Reads a lane's elements.
fn read<'c>(b: &Builder<'c>, op: Op<'c>, matrix: &Matrix, lane: Val<'c>) -> Option<()> {
    let place: [Val<'c>; 3] = op.operand_list().try_into().ok()?;
    let indices = indices(b, op, matrix, lane, place)?;
    let elements: Vec<_> = indices.iter().map(|at| load(b, place[0], at)).collect();
    replace(b, op, &elements)
}

/// Writes a lane's elements.
fn write<'c>(b: &Builder<'c>, op: Op<'c>, matrix: &Matrix, lane: Val<'c>) -> Option<()> {
    let [value, place @ ..]: [Val<'c>; 4] = op.operand_list().try_into().ok()?;
    let indices = indices(b, op, matrix, lane, place)?;
    for (element, at) in b.to_elements(value).into_iter().zip(indices) {
        store(b, element, place[0], &at);
    }
    Some(())
}

/// Gives a lane's elements one value.
fn constant<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<()> {
    let result = op.res(0)?;
    result.replace_all_uses(b.val("vector.broadcast", &[op.opnd(0)?], result.r#type()));
    Some(())
}
