//! What a contraction is, and how its iterations are counted.

use ad_dialect::{
    ir::{Op, OpExt, TyExt, Val},
    linalg::Structured,
};
use melior::ir::{Type, ValueLike};

use super::{
    bands::Bands,
    body::{Body, Border, Loops},
    tile::Tile,
};
use crate::{
    lower::window,
    support::{
        builder::{Builder, CMP_SLT},
        fold::folded,
        memory::element,
        structured::{Index, indices_of, loops_of},
    },
};

/// A sum of what a body makes of two values, of which each is used for several elements of the result.
#[derive(Clone)]
pub struct Contraction<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// What it adds.
    pub body: Body<'c>,
    /// The type of the sums.
    pub element: Type<'c>,
    /// The inputs, and the result at the end.
    pub arrays: Vec<Val<'c>>,
    /// Where each of them is read along each of its dimensions.
    pub indices: Vec<Vec<Index>>,
    /// Of a sum over several loops: for each of its summands, how far behind that of the first it is in each array that has some
    /// of these loops. It is empty while nobody has made it.
    pub offsets: Vec<Option<Val<'c>>>,
    /// The loop of every dimension of each of them, of which one that is read at sums of loops has more (`window`).
    pub loops: Vec<Vec<usize>>,
    /// Which side of the body has the rows of tiles, and which has the columns: neighbours in the result are in columns.
    pub sides: [usize; 2],
    /// The other loops that the result has: those of both sides or of none, for the most part.
    pub batch: Vec<usize>,
    /// Those that the result has and only the first of the sides.
    pub rows: Vec<usize>,
    /// Those that the result has and only the second of the sides.
    pub columns: Vec<usize>,
    /// Those that the result does not have.
    pub sum: Vec<usize>,
    /// How columns are counted, if not one after the other.
    pub bands: Option<Bands>,
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
    /// That of a structured operation on tensors or buffers.
    pub fn of(op: Op<'c>) -> Option<Self> {
        let s = Structured::of(op).filter(|s| s.inits.len() == 1)?;
        let (arrays, body) = (op.operand_list(), Body::of(&s)?);
        let is_number = |scalar: Type<'c>| {
            let is_integer = scalar.is_int_or_index_type() && scalar.to_string() != "i1";
            scalar.is_float_type() || scalar.is_complex_type() || is_integer
        };
        let elements = arrays.iter().map(|&array| element_of(array));
        let is_shared = |(value, _): &(Val<'c>, Loops)| is_number(value.r#type());
        if !elements.into_iter().all(|scalar| scalar.is_some_and(is_number))
            || !body.sides.iter().all(is_shared)
        {
            return None;
        }
        let indices: Vec<Vec<Index>> =
            s.maps.iter().map(|map| indices_of(map)).collect::<Option<_>>()?;
        if indices.last()?.iter().any(|index| index.plain().is_none()) {
            return None;
        }
        let loops: Vec<Vec<usize>> = indices.iter().map(|own| loops_of(own)).collect();
        let result: Loops = loops.last()?.iter().copied().collect();
        let all = |is: &dyn Fn(usize) -> bool| -> Vec<usize> {
            (0..s.loops).filter(|&l| is(l)).collect()
        };
        let has = |side: usize, l: usize| body.sides[side].1.contains(&l);
        let own = |side: usize| all(&|l| result.contains(&l) && has(side, l) && !has(1 - side, l));
        // A tile follows a border along one loop; the others of its side are then like those of a batch.
        let is_of_border =
            |l: &usize| body.borders.iter().any(|it| it.inner == *l || it.bound == *l);
        let own = [own(0), own(1)].map(|own| match own.iter().find(|l| is_of_border(l)) {
            Some(&l) => vec![l],
            None => own,
        });
        let batch = all(&|l| result.contains(&l) && own.iter().all(|own| !own.contains(&l)));
        let sum = all(&|l| !result.contains(&l));
        let is_first = loops.last()?.last().is_some_and(|last| own[0].contains(last));
        let sides = if is_first { [1, 0] } else { [0, 1] };
        let [rows, columns] = sides.map(|i| own[i].clone());
        if sum.is_empty() || rows.is_empty() || columns.is_empty() {
            return None;
        }
        let element = element_of(*arrays.last()?)?;
        let (offsets, bands) = (vec![], None);
        #[rustfmt::skip]
        let made = Self { op, body, element, arrays, indices, offsets, loops, sides, batch, rows, columns, sum, bands };
        made.borders_are_of_tiles().then_some(made)
    }

    /// The same of arrays, all of which have a dimension for each loop, and how many iterations there are, known to the host.
    pub fn on_views(&self, b: &Builder<'c>) -> Option<(Self, Sizes<'c>)> {
        let count = self.batch.len() + self.rows.len() + self.columns.len() + self.sum.len();
        let sizes = window::sizes(b, &self.arrays, &self.indices, count);
        let both = self.arrays.iter().zip(&self.indices);
        let arrays = both.map(|(&array, own)| window::view(b, array, own, &sizes));
        let arrays = arrays.collect::<Option<_>>()?;
        let sizes = self.sizes(b, sizes.into_iter().collect::<Option<_>>()?);
        Some((Self { arrays, ..self.clone() }, sizes))
    }

    /// Whether tiles can follow the borders: one may be between rows and columns, and one may end a sum by rows or
    /// columns, each of which is one loop.
    fn borders_are_of_tiles(&self) -> bool {
        let is = |own: &[usize], l: usize| own == [l];
        let is_side = |l| is(&self.rows, l) || is(&self.columns, l);
        let (mut of_result, mut of_sum) = (0, 0);
        self.body.borders.iter().all(|&Border { inner, bound, .. }| {
            of_result += usize::from(is_side(inner));
            of_sum += usize::from(is(&self.sum, inner));
            is_side(bound) && (is_side(inner) || is(&self.sum, inner))
        }) && of_result <= 1
            && of_sum <= 1
    }

    /// The border between rows and columns, or that of the sum.
    fn border(&self, of_sum: bool) -> Option<Border> {
        let mut borders = self.body.borders.iter().copied();
        borders.find(|border| self.sum.contains(&border.inner) == of_sum)
    }

    /// The result.
    pub fn result(&self) -> Val<'c> {
        self.arrays[self.arrays.len() - 1]
    }

    /// The value of the body that is of the rows, 0, or of the columns, 1.
    pub fn side(&self, number: usize) -> Val<'c> {
        self.body.sides[self.sides[number]].0
    }

    /// What is added, made of a value of the rows, one of the columns, and of what is fixed.
    pub fn term(&self, b: &Builder<'c>, values: [Val<'c>; 2], fixed: &[Val<'c>]) -> Val<'c> {
        self.body.make_term(b, self.sides.map(|side| values[side]), fixed)
    }

    /// How many iterations there are of several loops.
    fn sizes(&self, b: &Builder<'c>, loops: Vec<Val<'c>>) -> Sizes<'c> {
        let product = |own: &[usize]| {
            let sizes = own.iter().map(|&l| loops[l]);
            sizes.reduce(|x, y| b.mul(x, y)).unwrap_or_else(|| b.index(1))
        };
        let [batch, rows, columns, sum] =
            [&self.batch, &self.rows, &self.columns, &self.sum].map(|own| product(own));
        Sizes { batch, rows, columns, sum, loops }
    }

    /// The index of each loop that the result has, of an element of it.
    pub fn indices(
        &self,
        b: &Builder<'c>,
        sizes: &Sizes<'c>,
        at: Indices<'c>,
    ) -> Vec<(usize, Val<'c>)> {
        let groups = [(&self.batch, at.batch), (&self.rows, at.row), (&self.columns, at.column)];
        groups.into_iter().flat_map(|(own, number)| sizes.apart(b, own, number)).collect()
    }

    /// The indices of an element of the result, as it has them.
    pub fn place(&self, b: &Builder<'c>, sizes: &Sizes<'c>, at: Indices<'c>) -> Vec<Val<'c>> {
        let all = self.indices(b, sizes, at);
        in_order(&self.loops[self.loops.len() - 1], &all)
    }

    /// Whether the border lets an element of the result be other than what it was.
    pub fn is_within(&self, b: &Builder<'c>, at: Indices<'c>) -> Option<Val<'c>> {
        let border = self.border(false)?;
        let index = |l: usize| if self.rows == [l] { at.row } else { at.column };
        let end = b.add(index(border.bound), b.index(border.offset));
        Some(b.compare(CMP_SLT, index(border.inner), end))
    }

    /// Whether neighbours in memory of the rows, 0, or of the columns, 1, are neighbours of the sum. The largest of their inputs
    /// decides.
    pub fn is_along_sum(&self, side: usize) -> bool {
        let inputs = self.body.inputs_of(self.side(side)).into_iter();
        let largest = inputs.map(|input| &self.loops[input]).max_by_key(|loops| loops.len());
        largest.and_then(|loops| loops.last()).is_some_and(|last| self.sum.contains(last))
    }

    /// Whether some elements of the result are not to be changed.
    pub fn has_border(&self) -> bool {
        self.border(false).is_some()
    }

    /// Of a border between rows and columns, whether the columns are within up to the number of the row.
    pub fn rows_are_bound(&self) -> bool {
        self.border(false).is_some_and(|border| self.rows == [border.bound])
    }

    /// Whether the rows, 0, or the columns, 1, say where the sum ends, and how many summands there are more than the
    /// number of the row or column.
    pub fn end_of_sum(&self) -> Option<(usize, i64)> {
        let border = self.border(true)?;
        Some((usize::from(self.columns == [border.bound]), border.offset))
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
        let [rows, columns] = tile.sides.map(|side| b.index(side));
        let both = [(self.rows, rows), (self.columns, columns)];
        let both = both.map(|(size, side)| b.same("arith.ceildivsi", &[size, side]));
        (both, b.mul(self.batch, b.mul(both[0], both[1])))
    }

    /// Where the element of the result with a number is; columns are counted fastest.
    pub fn indices(&self, b: &Builder<'c>, number: Val<'c>) -> Indices<'c> {
        let [rest, column] = b.divide(number, self.columns);
        let [batch, row] = b.divide(rest, self.rows);
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
                // Numbers that are known are known where they are used.
                let size = folded(self.loops[l]).map_or(self.loops[l], |size| b.index(size));
                let [quotient, index] = b.divide(rest, size);
                rest = quotient;
                index
            };
            found.push((l, index));
        }
        found
    }
}

/// The type of the elements of a buffer or tensor.
fn element_of(array: Val<'_>) -> Option<Type<'_>> {
    let tensor = array.r#type().as_tensor();
    element(array).or_else(|| tensor.map(|_| array.r#type().scalar()))
}
