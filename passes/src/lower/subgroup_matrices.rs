//! Matrices of subgroups become vectors, of the elements that each of its 32 lanes has.
//!
//! ```text
//! gpu.subgroup_mma_load_matrix %s[%i, %j]     =>  vector of memref.load %s[%i + row, %j + column], for each own place,
//!                                                 or what reads them at once
//! gpu.subgroup_mma_store_matrix               =>  memref.store for each own place
//! gpu.subgroup_mma_constant_matrix            =>  vector.broadcast
//! gpu.subgroup_mma_insert_thread_local        =>  vector.insert, and vector.extract for the other one
//! gpu.subgroup_mma_compute %a, %b, %c         =>  what multiplies vectors
//! ```
//! Loops and branches carry vectors then. A lane has what NVIDIA's `mma` gives it: its number divided by 4 is the row, or
//! the column of the second factor, in every 8 of them, and the remainder counts the summands, or the columns of sums, some
//! neighbours at a time (PTX ISA, "Matrix Fragments for mma").

use ad_dialect::ir::{DYNAMIC, Op, OpExt, Val, ValExt, int_of};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use crate::{
    lower::forall_to_gpu::LANES,
    support::{
        builder::Builder,
        diag::{Result, error},
        memory::{load, rank, store, strides},
        retype::change_types,
    },
};

/// A matrix of a subgroup.
#[derive(Clone, PartialEq, Eq)]
pub struct Matrix {
    /// The numbers of rows and of columns.
    pub sizes: [i64; 2],
    pub element: String,
    /// `AOp` for a factor with rows, `BOp` for one with columns, `COp` for sums.
    part: String,
}

impl Matrix {
    /// That of a type such as `!gpu.mma_matrix<16x8xf32, "AOp">`, if its elements can be shared out.
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

    /// The size in which a lane's number is counted in fours, and the other one: of a factor how many rows or columns it has, and
    /// how many summands.
    pub fn along(&self) -> [i64; 2] {
        let [rows, columns] = self.sizes;
        if self.part == "BOp" { [columns, rows] } else { [rows, columns] }
    }

    /// Whether it is a factor of a product.
    pub fn is_factor(&self) -> bool {
        self.part != "COp"
    }

    /// Whether it is the first factor.
    pub fn has_rows(&self) -> bool {
        self.part == "AOp"
    }

    /// Whether a factor that is read in some way lies in memory with its summands side by side.
    pub fn has_sums_in_lines(&self, is_transposed: bool) -> bool {
        self.has_rows() != is_transposed
    }

    /// The neighbours that a lane has.
    fn together(&self) -> i64 {
        if self.part == "COp" || self.element == "f16" { 2 } else { 1 }
    }

    /// The elements of a lane.
    pub fn count(&self) -> i64 {
        self.sizes[0] * self.sizes[1] / LANES
    }

    /// The type of these.
    fn vector<'c>(&self, context: &'c Context) -> Option<Type<'c>> {
        Type::parse(context, &format!("vector<{}x{}>", self.count(), self.element))
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

/// The row and column of each element that a lane has of a matrix, if its elements can be shared out.
pub fn places<'c>(b: &Builder<'c>, r#type: Type<'c>, lane: Val<'c>) -> Option<Vec<[Val<'c>; 2]>> {
    Matrix::of(r#type).map(|matrix| matrix.places(b, lane))
}

/// A product: the matrices of its factors and of its sums.
pub struct Product<'c> {
    pub op: Op<'c>,
    /// Its number in the function.
    pub number: i64,
    pub factors: [Matrix; 2],
    pub sums: Matrix,
}

impl<'c> Product<'c> {
    /// That of an operation whose operands are matrices, if their elements can be shared out.
    fn of(op: Op<'c>, number: i64) -> Option<Self> {
        let matrices: Vec<_> = op.operand_list().iter().map(|x| Matrix::of(x.r#type())).collect();
        let [x, y, sums]: [Option<Matrix>; 3] = matrices.try_into().ok()?;
        Some(Self { op, number, factors: [x?, y?], sums: sums? })
    }

    /// The rows, columns and summands.
    pub fn sizes(&self) -> [i64; 3] {
        let [x, y] = &self.factors;
        [x.sizes[0], y.sizes[1], x.sizes[1]]
    }

    /// Whether the factors and the sums have such elements, and these sizes.
    pub fn is_of(&self, factor: &str, sum: &str, sizes: [i64; 3]) -> bool {
        let are = self.factors.iter().all(|matrix| matrix.element == factor);
        are && self.sums.element == sum && self.sizes() == sizes
    }
}

/// What is said of other shapes and forms.
const NO_FORM: &str = "is of a form whose elements cannot be shared out";

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

/// Whether a function has matrices of subgroups.
pub fn has_any(function: Op<'_>) -> bool {
    let mut found = false;
    function.for_each(&mut |op| found |= is_of_matrices(op));
    found
}

/// Whether all products of a function are of some form.
pub fn all_products(function: Op<'_>, is_of_form: impl Fn(&Product<'_>) -> bool) -> bool {
    let mut are = true;
    function.for_each(&mut |op| {
        if op.op_name() == "gpu.subgroup_mma_compute" {
            are &= Product::of(op, 0).is_some_and(|product| is_of_form(&product));
        }
    });
    are
}

fn is_of_matrices(op: Op<'_>) -> bool {
    op.op_name().starts_with("gpu.subgroup_mma_")
}

/// Lowers what a function has of matrices, of which each lane gets its elements. `read` reads those of a lane from the array,
/// row and column of an operation at once, if it can. `multiply` makes the sums of a product for a lane, if it can; the
/// operands are vectors then. Returns how many products there are.
pub fn lower<'c>(
    context: &'c Context,
    function: Op<'c>,
    lane: Val<'c>,
    read: impl Fn(&Builder<'c>, Op<'c>, &Matrix) -> Option<Vec<Val<'c>>>,
    mut multiply: impl FnMut(&Builder<'c>, &Product<'c>) -> Result<Option<Vec<Val<'c>>>>,
) -> Result<i64> {
    let mut found: Vec<(Op<'c>, Vec<Matrix>)> = vec![];
    function.for_each(&mut |op| {
        if is_of_matrices(op) {
            let values = op.operand_list().into_iter().chain(op.result_list());
            found.push((op, values.filter_map(|value| Matrix::of(value.r#type())).collect()));
        }
    });
    if let Some((product, _)) = found.iter().find(|(op, _)| !has_factors_as_read(*op)) {
        return Err(error(*product, NO_FORM));
    }
    change_types(context, function, |r#type| {
        Matrix::of(r#type).and_then(|matrix| matrix.vector(context)).unwrap_or(r#type)
    });
    let mut number = 0;
    for (op, matrices) in found {
        let Some(block) = op.block() else { continue };
        let b = Builder::before(context, op, block).with_location(op.location());
        let done = match (op.op_name(), &matrices[..]) {
            ("gpu.subgroup_mma_load_matrix", [matrix]) => {
                let elements = read(&b, op, matrix);
                let elements = elements.or_else(|| read_each(&b, op, matrix, lane));
                elements.and_then(|elements| replace(&b, op, &elements))
            }
            ("gpu.subgroup_mma_store_matrix", [matrix]) => write(&b, op, matrix, lane),
            ("gpu.subgroup_mma_constant_matrix", [_]) => constant(&b, op),
            ("gpu.subgroup_mma_insert_thread_local", [_, _]) => own(&b, op, "vector.insert"),
            ("gpu.subgroup_mma_extract_thread_local", [_]) => own(&b, op, "vector.extract"),
            ("gpu.subgroup_mma_compute", [x, y, sums, _]) => {
                let factors = [x.clone(), y.clone()];
                let made = multiply(&b, &Product { op, number, factors, sums: sums.clone() })?;
                number += 1;
                made.and_then(|sums| replace(&b, op, &sums))
            }
            _ => None,
        };
        if done.is_none() {
            return Err(error(op, NO_FORM));
        }
        op.erase();
    }
    Ok(number)
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

/// Reads a lane's elements one after the other.
fn read_each<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    matrix: &Matrix,
    lane: Val<'c>,
) -> Option<Vec<Val<'c>>> {
    let place: [Val<'c>; 3] = op.operand_list().try_into().ok()?;
    let indices = indices(b, op, matrix, lane, place)?;
    Some(indices.iter().map(|at| load(b, place[0], at)).collect())
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

/// Reads or writes an element that a lane has, of a number.
fn own<'c>(b: &Builder<'c>, op: Op<'c>, name: &str) -> Option<()> {
    let (result, operands) = (op.res(0)?, op.operand_list());
    let has_one_number = operands.iter().filter(|x| x.r#type() == b.index_type()).count() == 1;
    let position = [("static_position", b.i64s_attr(&[DYNAMIC]))];
    has_one_number.then(|| {
        result.replace_all_uses(b.val_with(name, &operands, result.r#type(), &position));
    })
}
