//! What a contraction is, and how its iterations are counted.

use ad_dialect::{
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt},
    linalg::Structured,
};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::Tile;
use crate::support::{
    builder::{Builder, same_value},
    memory::{dim, element, static_size},
    region::{copy_block, free_values},
};

/// A sum of what a body makes of two elements, of which each is used for several elements of the result.
pub struct Contraction<'c> {
    pub op: Op<'c>,
    /// The body: of an element of each input and the sum so far.
    pub body: Blk<'c>,
    /// The type of the sums.
    pub element: Type<'c>,
    /// The inputs and the result.
    pub arrays: [Val<'c>; 3],
    /// The loop of every dimension of each of them.
    pub loops: [Vec<usize>; 3],
    /// Which input has the rows of tiles, and which has the columns: neighbours in the result are in columns.
    pub factors: [usize; 2],
    /// The loops that all three have.
    pub batch: Vec<usize>,
    /// Those that the result has and only the first of the factors.
    pub rows: Vec<usize>,
    /// Those that the result has and only the second of the factors.
    pub columns: Vec<usize>,
    /// Those that both inputs have, and not the result.
    pub sum: Vec<usize>,
}

/// How many iterations there are.
pub struct Sizes<'c> {
    /// Of every loop.
    pub loops: Vec<Val<'c>>,
    /// Of all loops of a batch.
    pub batch: Val<'c>,
    /// Of all loops of rows.
    pub rows: Val<'c>,
    /// Of all loops of columns.
    pub columns: Val<'c>,
    /// Of all loops of the sum.
    pub sum: Val<'c>,
}

/// Where an element of the result is.
#[derive(Clone, Copy)]
pub struct Indices<'c> {
    pub batch: Val<'c>,
    pub row: Val<'c>,
    pub column: Val<'c>,
}

impl<'c> Contraction<'c> {
    /// That of a structured operation on buffers.
    pub fn of(op: Op<'c>) -> Option<Self> {
        let s = Structured::of(op).filter(|s| s.inputs.len() == 2 && s.inits.len() == 1)?;
        let arrays: [Val<'c>; 3] = op.operand_list().try_into().ok()?;
        let is_number = |array: &Val<'c>| {
            let scalar = element(*array);
            scalar.is_some_and(|e| {
                e.is_float_type() || e.is_int_or_index_type() && e.to_string() != "i1"
            })
        };
        if op.result_count() != 0 || !arrays.iter().all(is_number) || !adds_up(s.body) {
            return None;
        }
        let once = |map: &Vec<_>| {
            let loops = Structured::plain_loops(map);
            let is_once = |l: &usize| loops.iter().filter(|other| *other == l).count() == 1;
            (loops.len() == map.len() && loops.iter().all(is_once)).then_some(loops)
        };
        let loops: [Vec<usize>; 3] =
            s.maps.iter().map(once).collect::<Option<Vec<_>>>()?.try_into().ok()?;
        let with = |wanted: [bool; 3]| -> Vec<usize> {
            let fits = |l: &usize| (0..3).all(|i| loops[i].contains(l) == wanted[i]);
            (0..s.loops).filter(fits).collect()
        };
        let (batch, sum) = (with([true, true, true]), with([true, true, false]));
        let own = [with([true, false, true]), with([false, true, true])];
        let all = batch.len() + sum.len() + own[0].len() + own[1].len();
        if sum.is_empty() || all != s.loops {
            return None;
        }
        let is_first = loops[2].last().is_some_and(|last| own[0].contains(last));
        let factors = if is_first { [1, 0] } else { [0, 1] };
        let [rows, columns] = factors.map(|i| own[i].clone());
        let element = element(arrays[2])?;
        Some(Self { op, body: s.body, element, arrays, loops, factors, batch, rows, columns, sum })
    }

    /// The sizes, known to the host.
    pub fn sizes(&self, b: &Builder<'c>) -> Sizes<'c> {
        let count = self.batch.len() + self.rows.len() + self.columns.len() + self.sum.len();
        let size = |l: usize| {
            let place = |i: usize| Some((i, self.loops[i].iter().position(|&own| own == l)?));
            let places: Vec<_> = (0..3).filter_map(place).collect();
            let is_static = |&&(i, d): &&(usize, usize)| static_size(self.arrays[i], d).is_some();
            let best = places.iter().find(is_static).or(places.first());
            best.map_or_else(|| b.index(1), |&(i, d)| dim(b, self.arrays[i], d))
        };
        let loops: Vec<_> = (0..count).map(size).collect();
        let product = |own: &[usize]| {
            let sizes = own.iter().map(|&l| loops[l]);
            sizes.reduce(|x, y| b.mul(x, y)).unwrap_or_else(|| b.index(1))
        };
        let [batch, rows, columns, sum] =
            [&self.batch, &self.rows, &self.columns, &self.sum].map(|own| product(own));
        Sizes { batch, rows, columns, sum, loops }
    }

    /// What the body makes of an element of either factor and a sum so far.
    pub fn apply(&self, b: &Builder<'c>, factors: [Val<'c>; 2], sum: Val<'c>) -> Val<'c> {
        let [x, y] = self.factors.map(|i| factors[i]);
        let ends = copy_block(b, self.body, &[x, y, sum]);
        ends.first().copied().unwrap_or(sum)
    }

    /// The sum of two sums.
    pub fn add(&self, b: &Builder<'c>, x: Val<'c>, y: Val<'c>) -> Val<'c> {
        let last = self.body.ends().first().and_then(|end| end.defining_op());
        match last {
            Some(op) => b.with_fastmath_of(op).add(x, y),
            None => b.add(x, y),
        }
    }

    /// The indices of an element of the result.
    pub fn place(&self, b: &Builder<'c>, sizes: &Sizes<'c>, at: Indices<'c>) -> Vec<Val<'c>> {
        let mut all = vec![];
        let groups = [(&self.batch, at.batch), (&self.rows, at.row), (&self.columns, at.column)];
        for (own, number) in groups {
            all.extend(sizes.apart(b, own, number));
        }
        in_order(&self.loops[2], &all)
    }
}

/// The indices of loops in the order in which an array has them.
pub fn in_order<'c>(loops: &[usize], indices: &[(usize, Val<'c>)]) -> Vec<Val<'c>> {
    let find = |l: &usize| indices.iter().find(|(own, _)| own == l).map(|(_, index)| *index);
    loops.iter().filter_map(find).collect()
}

impl<'c> Sizes<'c> {
    /// How many elements the result has.
    pub fn outputs(&self, b: &Builder<'c>) -> Val<'c> {
        b.mul(self.batch, b.mul(self.rows, self.columns))
    }

    /// How many tiles lie over the rows and over the columns, and how many there are in all.
    pub fn tiles(&self, b: &Builder<'c>, tile: Tile) -> ([Val<'c>; 2], Val<'c>) {
        let count = |size| b.same("arith.ceildivsi", &[size, b.index(tile.side)]);
        let both = [self.rows, self.columns].map(count);
        (both, b.mul(self.batch, b.mul(both[0], both[1])))
    }

    /// Where the element of the result with a number is; columns are counted fastest.
    pub fn indices(&self, b: &Builder<'c>, number: Val<'c>) -> Indices<'c> {
        let [rest, column] = divide(b, number, self.columns);
        let [batch, row] = divide(b, rest, self.rows);
        Indices { batch, row, column }
    }

    /// The inverse of `indices`.
    pub fn number(&self, b: &Builder<'c>, at: &Indices<'c>) -> Val<'c> {
        let row = b.add(b.mul(at.batch, self.rows), at.row);
        b.add(b.mul(row, self.columns), at.column)
    }

    /// The index of each loop, of which a number counts all, the last one fastest.
    pub fn apart(
        &self,
        b: &Builder<'c>,
        loops: &[usize],
        number: Val<'c>,
    ) -> Vec<(usize, Val<'c>)> {
        let mut rest = number;
        let mut found = vec![];
        for (position, &l) in loops.iter().enumerate().rev() {
            let index = if position == 0 {
                rest
            } else {
                let [quotient, index] = divide(b, rest, self.loops[l]);
                rest = quotient;
                index
            };
            found.push((l, index));
        }
        found
    }
}

/// The quotient and the remainder.
pub fn divide<'c>(b: &Builder<'c>, number: Val<'c>, by: Val<'c>) -> [Val<'c>; 2] {
    ["arith.divui", "arith.remui"].map(|name| b.same(name, &[number, by]))
}

/// Whether a body adds to its last argument what it makes of the others, with nothing that has effects: where an array
/// has no element, it is given zero.
fn adds_up(body: Blk<'_>) -> bool {
    let arguments = body.arg_list();
    let [.., sum] = arguments[..] else { return false };
    let Some(end) = body.ends().first().and_then(|end| end.defining_op()) else { return false };
    let is_sum = matches!(end.op_name(), "arith.addf" | "arith.addi");
    let reads_sum = |op: &Op<'_>| op.operand_list().iter().filter(|x| same_value(**x, sum)).count();
    let is_plain = |op: &Op<'_>| {
        let name = op.op_name();
        let traps = ["div", "rem"].iter().any(|part| name.contains(part)) && !name.ends_with('f');
        name.starts_with("arith.") && !traps
    };
    arguments.len() == 3
        && is_sum
        && end.res(0).is_some_and(|all| all.r#type() == sum.r#type())
        && reads_sum(&end) == 1
        && body
            .body_ops()
            .iter()
            .all(|op| is_plain(op) && (op.key() == end.key() || reads_sum(op) == 0))
        && free_values(&[body]).is_empty()
}
