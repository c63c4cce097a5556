//! What a block copies to shared memory: a tile of one of the two sides of a contraction at a time, computed on the way.
//!
//! Neighbouring threads read neighbours in memory, whatever the order of the dimensions: a tile is counted along the
//! dimension of the array that comes last. In shared memory all tiles lie the same way, a row for each summand, so that
//! a thread finds what it needs of one side by side.
//!
//! Addresses along the sum are counted in a view of their own for each element that a thread copies, so that the loop over
//! the sum adds what is common to all of them.
//!
//! Behind the last row or column, that one is copied again: nobody writes what is made of it, and nothing has to be asked.
//!
//! Fragments are added whole. Where the sum of a row or column ends before that of others in its tile, there are zeros
//! in shared memory for what is behind.

use ad_dialect::ir::{OpExt, Val};
use melior::ir::{Type, ValueLike};

use super::{
    shape::{Contraction, Sizes, in_order},
    tile::{DEPTH, Makers, Tile},
};
use crate::{
    lower::forall_to_gpu::BLOCK,
    support::{
        builder::{Builder, CMP_SLT},
        diag::Result,
        memory::{element, line, load, store},
    },
};

/// The copies of one side.
pub struct Copies<'a, 'c> {
    contraction: &'a Contraction<'c>,
    /// 0 for rows, 1 for columns.
    side: usize,
    /// The inputs that the side is made of.
    inputs: Vec<usize>,
    /// Where a thread's elements of a tile are: the summand, and the row or column.
    own: Vec<Own<'c>>,
    /// The indices of loops that are the same for all elements.
    batch: Vec<(usize, Val<'c>)>,
    tile: Tile,
    /// The tile in shared memory.
    pub shared: Val<'c>,
    /// Whether an element of the side is made of its inputs when it is written to shared memory: whoever makes it when they
    /// are read waits for them there. Of many inputs it is made at once, so that they take no registers.
    is_made_late: bool,
}

/// Up to so many inputs are in registers until an element is made of them.
const FEW: usize = 2;

/// An element of a tile that a thread copies.
struct Own<'c> {
    /// The number of the summand in the tile.
    depth: Val<'c>,
    /// The number of the row or column in the tile.
    side: Val<'c>,
    /// The indices of the row or column, or of the last one there is.
    indices: Vec<(usize, Val<'c>)>,
    /// Each input along the sum, from the summand on, if the sum is one loop and the input has it.
    lines: Vec<Option<Val<'c>>>,
    /// Where its sum ends, if there are to be zeros behind.
    end: Option<Val<'c>>,
}

impl<'c> Own<'c> {
    /// Whether the sum has its summand, of the tile that begins at one.
    fn is_summand(&self, b: &Builder<'c>, first: Val<'c>, end: Val<'c>) -> Val<'c> {
        let end = self.end.map_or(end, |own| b.same("arith.minsi", &[own, end]));
        b.compare(CMP_SLT, self.depth, b.sub(end, first))
    }
}

/// The type of the tiles of rows, 0, or of columns, 1, in shared memory, one below the other.
pub fn in_shared<'c>(
    b: &Builder<'c>,
    contraction: &Contraction<'c>,
    tile: Tile,
    number: usize,
) -> Option<Type<'c>> {
    let element = contraction.side(number).r#type();
    let (rows, width) = (tile.stages(contraction) * DEPTH, tile.width(number, element));
    let text = format!("memref<{rows}x{width}x{element}, #gpu.address_space<workgroup>>");
    Type::parse(b.context(), &text)
}

/// The rows or the columns of a tile.
pub struct Side<'a, 'c> {
    /// 0 for rows, 1 for columns.
    pub number: usize,
    pub loops: &'a [usize],
    pub size: Val<'c>,
    pub first: Val<'c>,
}

impl<'a, 'c> Copies<'a, 'c> {
    pub fn new(
        b: &Builder<'c>,
        contraction: &'a Contraction<'c>,
        sizes: &Sizes<'c>,
        tile: Tile,
        side: &Side<'_, 'c>,
        [thread, batch, shared]: [Val<'c>; 3],
    ) -> Self {
        let inputs = contraction.body.inputs_of(contraction.side(side.number));
        // The largest of them decides in which order threads read.
        let largest = inputs.iter().map(|&input| &contraction.loops[input]).max_by_key(|l| l.len());
        let last = largest.and_then(|loops| loops.last());
        let is_along_sum = last.is_some_and(|l| contraction.sum.contains(l));
        let count = tile.sides[side.number];
        let border = match tile.makers {
            Makers::Threads(_) => None,
            Makers::Subgroups(_) => contraction.end_of_sum(),
        };
        let border = border.filter(|(bound, _)| *bound == side.number);
        // The extent of a tile along the dimension in which neighbours are counted.
        let fast = if is_along_sum { DEPTH } else { count };
        let near = b.same("arith.remui", &[thread, b.index(fast)]);
        let far = b.same("arith.divui", &[thread, b.index(fast)]);
        let batch = sizes.apart(b, &contraction.batch, batch);
        let last = b.sub(side.size, b.index(1));
        let own = (0..count * DEPTH / BLOCK).map(|i| {
            let far = b.add(far, b.index(i * (BLOCK / fast)));
            let (depth, number) = if is_along_sum { (near, far) } else { (far, near) };
            let row = b.same("arith.minsi", &[b.add(side.first, number), last]);
            let end = border.map(|(_, offset)| b.add(row, b.index(offset)));
            let indices = sizes.apart(b, side.loops, row);
            let lines = inputs.iter().map(|&input| {
                let [sum] = contraction.sum[..] else { return None };
                let loops = &contraction.loops[input];
                let along = loops.iter().position(|&l| l == sum)?;
                let from = [&indices[..], &batch, &[(sum, depth)]].concat();
                line(b, contraction.arrays[input], &in_order(loops, &from), along)
            });
            let lines = lines.collect();
            Own { depth, side: number, indices, lines, end }
        });
        let own = own.collect();
        let is_input = contraction.body.is_input(contraction.side(side.number));
        let is_made_late = !is_input && inputs.len() <= FEW;
        Self { contraction, side: side.number, inputs, own, batch, tile, shared, is_made_late }
    }

    /// What a thread copies of the tile that begins at a summand: elements of inputs, or what they make if that is less, and
    /// zero behind the end of the sum.
    pub fn read(
        &self,
        b: &Builder<'c>,
        sizes: &Sizes<'c>,
        first: Val<'c>,
        end: Val<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let Contraction { body, arrays, loops, sum, .. } = self.contraction;
        let side = self.contraction.side(self.side);
        let types: Vec<_> = match self.is_made_late {
            true => self.inputs.iter().filter_map(|&input| element(arrays[input])).collect(),
            false => vec![side.r#type()],
        };
        let mut values = vec![];
        for own in &self.own {
            let is_summand = own.is_summand(b, first, end);
            let read = b.if_else(is_summand, &types, |b, is_summand| {
                if !is_summand {
                    return Ok(types.iter().map(|&scalar| b.zero_scalar(scalar)).collect());
                }
                let mut indices = sizes.apart(&b, sum, b.add(first, own.depth));
                indices.extend(self.batch.iter().chain(&own.indices));
                let element = |(&i, line): (&usize, &Option<_>)| match line {
                    Some(line) => (i, load(&b, *line, &[first])),
                    None => (i, load(&b, arrays[i], &in_order(&loops[i], &indices))),
                };
                let elements = self.inputs.iter().zip(&own.lines).map(element);
                Ok(match self.is_made_late {
                    true => elements.map(|(_, element)| element).collect(),
                    false => vec![body.make(&b, side, elements)],
                })
            })?;
            values.extend(read.result_list());
        }
        Ok(values)
    }

    /// How many values a thread reads.
    pub fn count(&self) -> usize {
        self.own.len() * if self.is_made_late { self.inputs.len() } else { 1 }
    }

    /// Puts what was read of the tile that begins at a summand into shared memory, from a row on.
    pub fn write(
        &self,
        b: &Builder<'c>,
        row: Val<'c>,
        values: &[Val<'c>],
        [first, end]: [Val<'c>; 2],
    ) {
        let side = self.contraction.side(self.side);
        for (own, values) in self.own.iter().zip(values.chunks(values.len() / self.own.len())) {
            let value = if self.is_made_late {
                let elements = self.inputs.iter().copied().zip(values.iter().copied());
                let value = self.contraction.body.make(b, side, elements);
                b.select(own.is_summand(b, first, end), value, b.zero_scalar(side.r#type()))
            } else {
                values[0]
            };
            let value = self.tile.in_shared(b, value);
            store(b, value, self.shared, &[b.add(row, own.depth), own.side]);
        }
    }

    /// What a thread needs of a tile for the summand in a row of shared memory: some rows or columns behind one of them.
    pub fn some(
        &self,
        b: &Builder<'c>,
        row: Val<'c>,
        first: Val<'c>,
        places: &[i64],
    ) -> Vec<Val<'c>> {
        let at = |&i| load(b, self.shared, &[row, b.add(first, b.index(i))]);
        places.iter().map(at).collect()
    }
}
