//! Contractions whose columns are counted so that a thread has those of several bands: column `j` of one, and those as far
//! from the beginnings of the others.
//!
//! ```text
//! threads:    number = j * bands + band                                 so that a thread's columns side by side are those
//! fragments:  number = (j / 8 * bands + band) * 8 + j % 8               lanes have every eighth column, and the next ones
//! ```
//! The arrays are viewed as such that have a dimension for the bands. The rest of tiles is as for any contraction.

use ad_dialect::ir::Val;

use super::{
    consumer::Consumer,
    kernel::{Kernel, Start},
    shape::{Contraction, Indices, Sizes},
    tile::{Makers, Tile},
};
use crate::{
    lower::forall_to_gpu::when,
    support::{
        builder::Builder,
        diag::Result,
        memory::{Strided, has_lines, store},
    },
};

/// So many columns of a band are counted one after the other by those who have fragments: the least that these have.
pub const RUN: i64 = 8;

/// The rows and the columns that a tile has at least.
const LEAST: i64 = 64;

/// How columns are counted.
#[derive(Clone, Copy)]
pub struct Bands {
    /// How many bands there are.
    pub count: i64,
    /// How many columns of one are counted one after the other.
    pub run: i64,
}

impl Bands {
    /// Whether somebody has whole groups of the columns of all bands in a tile, and it is worth kernels of its own: where there
    /// are few rows or columns, sums are mostly split.
    pub fn are_in(self, tile: Tile) -> bool {
        let has_groups = match tile.makers {
            Makers::Threads([_, columns]) => self.run == 1 && columns % self.count == 0,
            Makers::Subgroups(_) => self.run == RUN,
        };
        has_groups && tile.sides.iter().all(|&side| side >= LEAST)
    }
}

impl<'c> Contraction<'c> {
    /// Whether rows and columns are one loop each, and there are no others but those of the sum.
    pub fn has_single_sides(&self) -> bool {
        self.rows.len() == 1 && self.columns.len() == 1 && self.batch.is_empty()
    }

    /// The same contraction, of which columns are counted by bands, how many iterations there are, and what sums begin with.
    pub fn in_bands(
        &self,
        b: &Builder<'c>,
        sizes: &Sizes<'c>,
        bands: Bands,
        start: Start<'c>,
    ) -> Option<(Self, Sizes<'c>, Start<'c>)> {
        let (column, band) = (*self.columns.first()?, sizes.loops.len());
        let (count, run) = (b.index(bands.count), b.index(bands.run));
        let width = b.same("arith.divui", &[sizes.columns, count]);
        let outer = b.same("arith.divui", &[width, run]);
        // In memory bands are one behind the other, and runs in a band.
        let mut parts = vec![(band, count, width), (column, outer, run)];
        let mut columns = vec![column, band];
        let mut all = [&sizes.loops[..], &[count]].concat();
        all[column] = outer;
        if bands.run > 1 {
            parts.push((band + 1, run, b.index(1)));
            columns.push(band + 1);
            all.push(run);
        }
        let view = |array: Val<'c>, d: usize| {
            let own = Strided::of(b, array)?;
            let split =
                |old: &[Val<'c>], new: Vec<Val<'c>>| [&old[..d], &new, &old[d + 1..]].concat();
            let steps = parts.iter().map(|&(_, _, step)| b.mul(step, own.strides[d])).collect();
            let strides = split(&own.strides, steps);
            let sizes = split(&own.sizes, parts.iter().map(|&(_, size, _)| size).collect());
            Strided { strides, sizes, ..own }.view(b, has_lines(array))
        };
        let (mut arrays, mut loops) = (self.arrays.clone(), self.loops.clone());
        let mut of_result = None;
        for (array, loops) in arrays.iter_mut().zip(&mut loops) {
            of_result = loops.iter().position(|&l| l == column);
            let Some(d) = of_result else { continue };
            *array = view(*array, d)?;
            loops.splice(d..=d, parts.iter().map(|&(l, _, _)| l));
        }
        let start = match start {
            Start::Array(array) => Start::Array(view(array, of_result?)?),
            number => number,
        };
        let made = Self { arrays, loops, columns, bands: Some(bands), ..self.clone() };
        Some((made, Sizes { loops: all, ..*sizes }, start))
    }
}

impl<'c> Kernel<'_, 'c> {
    /// Runs the iterations of a loop whose sums a thread has. Each list has the numbers of the elements of all bands.
    pub fn consume(
        &self,
        b: &Builder<'c>,
        consumer: &Consumer<'c>,
        groups: &[Vec<usize>],
        elements: &[Indices<'c>],
        sums: &[Val<'c>],
    ) -> Result<()> {
        for group in groups {
            let first = elements[group[0]];
            when(b, self.is_inside(b, first), |b| {
                let own: Vec<_> = group.iter().map(|&number| sums[number]).collect();
                if consumer.keeps_sums {
                    for (&number, &sum) in group.iter().zip(&own) {
                        let place = self.contraction.place(b, self.sizes, elements[number]);
                        store(b, sum, self.contraction.result(), &place);
                    }
                }
                let column = self.column_of_band(b, first);
                consumer.run(b, [first.row, column], &own);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Which column of its band an element is in.
    fn column_of_band(&self, b: &Builder<'c>, at: Indices<'c>) -> Val<'c> {
        let Contraction { columns, .. } = self.contraction;
        let all = self.sizes.apart(b, columns, at.column);
        let index = |l: usize| all.iter().find(|(own, _)| *own == l).map(|(_, index)| *index);
        let outer = index(columns[0]).unwrap_or(at.column);
        match columns.get(2).and_then(|&l| index(l)) {
            Some(inner) => b.add(b.mul(outer, b.index(RUN)), inner),
            None => outer,
        }
    }
}
