//! Colours of the columns or rows of a matrix: those of one colour have no row, or column, in common.

use crate::{Pattern, Side};

/// The colours of all columns, or of all rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coloring {
    /// What is coloured.
    pub side: Side,
    /// The colour of each, from zero on.
    pub colors: Vec<usize>,
}

impl Coloring {
    /// A colouring of the side that needs fewer colours; of columns if both need as many.
    ///
    /// The other side is left where it cannot need fewer: columns need as many as the longest row has entries.
    pub fn new(pattern: &Pattern) -> Self {
        let transposed = pattern.transposed();
        let (columns, rows) = (pattern.longest(), transposed.longest());
        let [first, other] = match columns <= rows {
            true => [(Side::Columns, columns), (Side::Rows, rows)],
            false => [(Side::Rows, rows), (Side::Columns, columns)],
        };
        let found = Self::with_transposed(first.0, [pattern, &transposed]);
        if found.count() <= other.1 {
            return found;
        }
        let second = Self::with_transposed(other.0, [pattern, &transposed]);
        let is_better = second.count() < found.count()
            || second.count() == found.count() && second.side == Side::Columns;
        if is_better { second } else { found }
    }

    /// A colouring of one side.
    pub fn of(side: Side, pattern: &Pattern) -> Self {
        Self::with_transposed(side, [pattern, &pattern.transposed()])
    }

    fn with_transposed(side: Side, patterns: [&Pattern; 2]) -> Self {
        let [own, across] = side.along(patterns);
        Self { side, colors: greedy(across, own) }
    }

    /// How many colours there are.
    pub fn count(&self) -> usize {
        self.colors.iter().max().map_or(0, |most| most + 1)
    }

    /// Whether these are colours for a matrix, so that each of its entries is told from all others.
    pub fn fits(&self, pattern: &Pattern) -> bool {
        let by_row = match self.side {
            Side::Columns => pattern.clone(),
            Side::Rows => pattern.transposed(),
        };
        let [height, width] = by_row.shape();
        if width != self.colors.len() || self.count() > width {
            return false;
        }
        // The row in which a colour was last met.
        let mut last = vec![usize::MAX; self.count()];
        (0..height).all(|row| {
            let mut columns = by_row.row(row).iter();
            columns.all(|&column| std::mem::replace(&mut last[self.colors[column]], row) != row)
        })
    }

    /// The entries of each colour, with their positions in the pattern.
    pub fn entries(&self, pattern: &Pattern) -> Vec<Vec<(usize, [usize; 2])>> {
        let mut entries = vec![vec![]; self.count()];
        for (position, [row, column]) in pattern.entries().enumerate() {
            let [own, _] = self.side.along([row, column]);
            entries[self.colors[own]].push((position, [row, column]));
        }
        entries
    }
}

/// Colours columns, those with the most entries first: each gets the first colour that no other one of its rows has.
fn greedy(by_row: &Pattern, by_column: &Pattern) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let width = by_row.shape()[1];
    if by_row.longest() == width {
        return (0..width).collect();
    }
    let mut colors = vec![NONE; width];
    let mut order: Vec<_> = (0..width).collect();
    order.sort_by_key(|&column| std::cmp::Reverse(by_column.row(column).len()));
    // The column for which a colour was last found to be taken.
    let mut taken = vec![];
    for column in order {
        for &row in by_column.row(column) {
            for &other in by_row.row(row) {
                if colors[other] != NONE {
                    taken[colors[other]] = column;
                }
            }
        }
        let free = taken.iter().position(|&by| by != column).unwrap_or(taken.len());
        if free == taken.len() {
            taken.push(NONE);
        }
        colors[column] = free;
    }
    colors
}

#[cfg(test)]
mod tests {
    use ad_check::numbers::Rng;

    use super::*;

    fn banded(n: usize, reach: usize) -> Pattern {
        let near = |row: usize| row.saturating_sub(reach)..(row + reach + 1).min(n);
        let entries = (0..n).flat_map(|row| near(row).map(move |column| [row, column]));
        Pattern::new([n, n], entries.collect()).unwrap()
    }

    #[test]
    fn bands_need_as_many_colors_as_they_are_wide() {
        for (n, reach, count) in [(1, 1, 1), (2, 1, 2), (50, 1, 3), (50, 2, 5), (7, 0, 1)] {
            let coloring = Coloring::new(&banded(n, reach));
            assert_eq!((coloring.side, coloring.count()), (Side::Columns, count), "{n} {reach}");
            assert!(coloring.fits(&banded(n, reach)));
        }
    }

    #[test]
    fn the_better_side_is_colored() {
        // A full row and a diagonal below it: columns meet in the row, rows meet in pairs.
        let row = (0..9).map(|column| [0, column]);
        let entries = row.chain((0..9).map(|k| [k + 1, k])).collect();
        let wide = Pattern::new([10, 9], entries).unwrap();
        let coloring = Coloring::new(&wide);
        assert_eq!((coloring.side, coloring.count()), (Side::Rows, 2));
        let coloring = Coloring::new(&wide.transposed());
        assert_eq!((coloring.side, coloring.count()), (Side::Columns, 2));
    }

    #[test]
    fn empty_matrices_need_no_derivative() {
        for shape in [[0, 0], [0, 3], [3, 0]] {
            let pattern = Pattern::new(shape, vec![]).unwrap();
            let coloring = Coloring::new(&pattern);
            assert!(coloring.fits(&pattern));
            assert!(coloring.entries(&pattern).iter().all(Vec::is_empty));
        }
    }

    #[test]
    fn random_patterns_are_colored() {
        let mut rng = Rng::new(7);
        for _ in 0..200 {
            let [height, width] = [rng.below(12), rng.below(12)];
            let all = (0..height).flat_map(|row| (0..width).map(move |column| [row, column]));
            let entries: Vec<_> = all.filter(|_| rng.one_in(4)).collect();
            let pattern = Pattern::new([height, width], entries).unwrap();
            let coloring = Coloring::new(&pattern);
            assert!(coloring.fits(&pattern));
            let least = pattern.longest().min(pattern.transposed().longest());
            assert!(coloring.count() >= least);
        }
    }

    #[test]
    fn colors_that_do_not_tell_entries_apart_do_not_fit() {
        let pattern = banded(4, 1);
        for colors in
            [vec![0, 1, 0, 1], vec![0, 1, 2], vec![0, 0, 1, 2], vec![0, 1, 2, usize::MAX - 1]]
        {
            assert!(!Coloring { side: Side::Columns, colors }.fits(&pattern));
        }
        assert!(Coloring { side: Side::Rows, colors: vec![0, 1, 2, 0] }.fits(&pattern));
    }
}
