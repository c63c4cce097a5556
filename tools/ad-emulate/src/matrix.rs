//! `gpu.subgroup_mma_compute`: products of small matrices that the threads of a subgroup make together.
//!
//! Each of its 32 lanes has some elements of a factor with rows, of one with columns, and of the sums, to which the
//! product is added. Who has which is up to the hardware; here it is what NVIDIA's `mma` does, so that lanes read shared
//! memory at the same places as there: a lane's number divided by 4 is the row, or the column of the second factor, in
//! every 8 of them, and the remainder counts the summands, or the columns of sums, some neighbours at a time.
//!
//! Sums are made in order, rounded once for each product. The hardware adds several products at a time and may round
//! their sum otherwise.

use crate::{launch::Ctx, shuffle::LANES, state};

/// f64 factors and sums, 8 x 8 x 4.
pub const F64: i32 = 0;
/// f32 factors, of which 10 bits of mantissa are read, and f32 sums, 16 x 16 x 8.
pub const TF32: i32 = 1;
/// f16 factors, given as f32, and f32 sums, 16 x 16 x 16.
pub const F16: i32 = 2;

/// The most elements of a matrix that a lane has.
const OWN: usize = 8;
/// The most rows, columns and summands.
const SIDE: usize = 16;

/// The elements that a lane has of both factors and of the sums.
pub(crate) type Elements = [[f64; OWN]; 3];

/// A product that a thread takes part in: these are equal in a subgroup.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Product {
    pub(crate) kind: i32,
    /// The number of the operation in its kernel.
    pub(crate) site: i64,
}

/// How matrices are distributed.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// Rows, columns and summands.
    sizes: [usize; 3],
    /// The neighbouring summands that a lane has.
    neighbours: usize,
}

impl Shape {
    /// The shape of a kind of product.
    pub(crate) fn of(kind: i32) -> Option<Self> {
        match kind {
            F64 => Some(Self { sizes: [8, 8, 4], neighbours: 1 }),
            TF32 => Some(Self { sizes: [16, 16, 8], neighbours: 1 }),
            F16 => Some(Self { sizes: [16, 16, 16], neighbours: 2 }),
            _ => None,
        }
    }

    /// How many elements a lane has of both factors and of the sums.
    pub(crate) fn counts(self) -> [usize; 3] {
        let [rows, columns, depth] = self.sizes;
        [rows * depth, depth * columns, rows * columns].map(|elements| elements / LANES)
    }

    /// Where a lane's elements of both factors and of the sums are: row and summand, column and summand, row and column.
    fn places(self, lane: usize) -> [impl Iterator<Item = [usize; 2]>; 3] {
        let [rows, columns, _] = self.sizes;
        let counts = self.counts();
        let along = [rows, columns, rows];
        let neighbours = [self.neighbours, self.neighbours, 2];
        [0, 1, 2].map(|part| {
            let (above, together) = (along[part] / 8, neighbours[part]);
            (0..counts[part]).map(move |i| {
                let (beside, i) = (i % together, i / together);
                let first = lane / 4 + 8 * (i % above);
                let second = together * (lane % 4 + 4 * (i / above)) + beside;
                [first, second]
            })
        })
    }
}

/// Makes a product if all threads of a subgroup wait at the same one.
///
/// Returns whether there was one; `Err` after an error was recorded.
pub(crate) fn multiply(subgroup: &[Ctx<'_>]) -> Result<bool, ()> {
    let mut products = subgroup.iter().filter_map(Ctx::product);
    let Some(product) = products.next() else { return Ok(false) };
    let present = 1 + products.clone().count();
    let name = || subgroup.first().map_or("", |ctx| &ctx.launch.name);
    if present < LANES {
        state::record(format!(
            "product of matrices is not reached by all {LANES} threads of a subgroup of @{}",
            name()
        ));
        return Err(());
    }
    if products.any(|other| other != product) {
        state::record(format!("threads of a subgroup of @{} make different products", name()));
        return Err(());
    }
    let Some(shape) = Shape::of(product.kind) else { return Ok(true) };
    // Both factors and the sums, each by its places.
    let mut whole = [[[0.0; SIDE]; SIDE]; 3];
    for (lane, ctx) in subgroup.iter().enumerate() {
        let own = ctx.elements.get();
        for ((whole, own), places) in whole.iter_mut().zip(own).zip(shape.places(lane)) {
            for ([first, second], element) in places.zip(own) {
                whole[first][second] = element;
            }
        }
    }
    let [x, y, sums] = &mut whole;
    let [rows, columns, depth] = shape.sizes;
    for (x, sums) in x.iter().zip(sums.iter_mut()).take(rows) {
        for (y, sum) in y.iter().zip(sums).take(columns) {
            let factors = x.iter().zip(y).take(depth);
            *sum = factors.fold(*sum, |sum, (&x, &y)| add(product.kind, sum, [x, y]));
        }
    }
    for (lane, ctx) in subgroup.iter().enumerate() {
        let mut own = ctx.elements.get();
        let [_, _, places] = shape.places(lane);
        for ([row, column], element) in places.zip(&mut own[2]) {
            *element = whole[2][row][column];
        }
        ctx.elements.set(own);
    }
    Ok(true)
}

/// Adds a product to a sum.
fn add(kind: i32, sum: f64, [x, y]: [f64; 2]) -> f64 {
    let narrow = |x: f64| match kind {
        TF32 => f32::from_bits((x as f32).to_bits() & !0x1fff),
        _ => x as f32,
    };
    match kind {
        F64 => x.mul_add(y, sum),
        _ => narrow(x).mul_add(narrow(y), sum as f32).into(),
    }
}
