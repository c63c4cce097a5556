//! What a block copies to shared memory: a tile of one of the factors at a time.
//!
//! Neighbouring threads read neighbours in memory, whatever the order of the dimensions: a tile is counted along the
//! dimension of the array that comes last. In shared memory all tiles lie the same way, a row for each summand, so that
//! a thread finds what it needs of one side by side.

use ad_dialect::ir::{OpExt, Val};
use melior::ir::Type;

use super::{
    DEPTH, Tile,
    shape::{Contraction, Sizes, in_order},
};
use crate::{
    lower::forall_to_gpu::BLOCK,
    support::{
        builder::{Builder, CMP_SLT},
        diag::Result,
        memory::{element, load, store},
    },
};

/// The copies of one factor.
pub struct Copies<'c> {
    /// The factor.
    array: Val<'c>,
    /// The loop of each of its dimensions.
    loops: Vec<usize>,
    /// The loops of the sum.
    sum: Vec<usize>,
    /// Where a thread's elements of a tile are: the summand, and the row or column.
    own: Vec<Own<'c>>,
    /// The indices of loops that are the same for all elements.
    batch: Vec<(usize, Val<'c>)>,
    /// The tile in shared memory.
    pub shared: Val<'c>,
}

/// An element of a tile that a thread copies.
struct Own<'c> {
    /// The number of the summand in the tile.
    depth: Val<'c>,
    /// The number of the row or column in the tile.
    side: Val<'c>,
    /// Whether the array has the row or column.
    is_inside: Val<'c>,
    /// The indices of the row or column.
    indices: Vec<(usize, Val<'c>)>,
}

/// The type of a tile in shared memory.
pub fn in_shared<'c>(b: &Builder<'c>, array: Val<'c>, tile: Tile) -> Option<Type<'c>> {
    let element = element(array)?;
    let width = tile.side + tile.padding(element);
    let text = format!("memref<{DEPTH}x{width}x{element}, #gpu.address_space<workgroup>>");
    Type::parse(b.context(), &text)
}

/// Which of the rows and columns a factor has, and where those of a block begin.
pub struct Side<'a, 'c> {
    /// 0 for rows, 1 for columns.
    pub factor: usize,
    pub loops: &'a [usize],
    pub size: Val<'c>,
    pub first: Val<'c>,
}

impl<'c> Copies<'c> {
    pub fn new(
        b: &Builder<'c>,
        contraction: &Contraction<'c>,
        sizes: &Sizes<'c>,
        tile: Tile,
        side: &Side<'_, 'c>,
        [thread, batch, shared]: [Val<'c>; 3],
    ) -> Self {
        let input = contraction.factors[side.factor];
        let loops = contraction.loops[input].clone();
        let is_along_sum = loops.last().is_some_and(|l| contraction.sum.contains(l));
        // The extent of a tile along the dimension in which neighbours are counted.
        let fast = if is_along_sum { DEPTH } else { tile.side };
        let near = b.same("arith.remui", &[thread, b.index(fast)]);
        let far = b.same("arith.divui", &[thread, b.index(fast)]);
        let own = (0..tile.side * DEPTH / BLOCK).map(|i| {
            let far = b.add(far, b.index(i * (BLOCK / fast)));
            let (depth, number) = if is_along_sum { (near, far) } else { (far, near) };
            let row = b.add(side.first, number);
            let is_inside = b.compare(CMP_SLT, row, side.size);
            Own { depth, side: number, is_inside, indices: sizes.apart(b, side.loops, row) }
        });
        let own = own.collect();
        let batch = sizes.apart(b, &contraction.batch, batch);
        let array = contraction.arrays[input];
        Self { array, loops, sum: contraction.sum.clone(), own, batch, shared }
    }

    /// What a thread copies of the tile that begins at a summand, zero where there is nothing.
    pub fn read(
        &self,
        b: &Builder<'c>,
        sizes: &Sizes<'c>,
        first: Val<'c>,
        end: Val<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let Some(element) = element(self.array) else { return Ok(vec![]) };
        let mut values = vec![];
        for own in &self.own {
            let summand = b.add(first, own.depth);
            let is_summand = b.compare(CMP_SLT, summand, end);
            let is_inside = b.same("arith.andi", &[own.is_inside, is_summand]);
            let value = b.if_else(is_inside, &[element], |b, is_inside| {
                if !is_inside {
                    return Ok(vec![b.zero_scalar(element)]);
                }
                let mut indices = sizes.apart(&b, &self.sum, summand);
                indices.extend(self.batch.iter().chain(&own.indices));
                Ok(vec![load(&b, self.array, &in_order(&self.loops, &indices))])
            })?;
            values.extend(value.res(0));
        }
        Ok(values)
    }

    /// Puts what was read into shared memory.
    pub fn write(&self, b: &Builder<'c>, values: &[Val<'c>]) {
        for (own, &value) in self.own.iter().zip(values) {
            store(b, value, self.shared, &[own.depth, own.side]);
        }
    }

    /// What a thread needs of a tile for one summand: some neighbours from one of them on.
    pub fn neighbours(
        &self,
        b: &Builder<'c>,
        depth: Val<'c>,
        first: Val<'c>,
        count: i64,
    ) -> Vec<Val<'c>> {
        let at = |i| load(b, self.shared, &[depth, b.add(first, b.index(i))]);
        (0..count).map(at).collect()
    }
}
