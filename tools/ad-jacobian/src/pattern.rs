//! Where a matrix may have entries other than zero.

/// The places of entries, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Where the columns of each row begin, and where those of the last one end.
    starts: Vec<usize>,
    /// The columns of each row in ascending order.
    columns: Vec<usize>,
    width: usize,
}

impl Pattern {
    /// The pattern of a matrix of so many rows and columns with entries in any order.
    ///
    /// Fails where an entry is outside of the matrix.
    pub fn new([height, width]: [usize; 2], mut entries: Vec<[usize; 2]>) -> Result<Self, String> {
        let is_outside = |&&[row, column]: &&[usize; 2]| row >= height || column >= width;
        if let Some([row, column]) = entries.iter().find(is_outside) {
            return Err(format!(
                "there is no entry in row {row} and column {column} of {height} x {width}"
            ));
        }
        entries.sort_unstable();
        entries.dedup();
        let mut starts = vec![0; height + 1];
        for [row, _] in &entries {
            starts[row + 1] += 1;
        }
        for row in 0..height {
            starts[row + 1] += starts[row];
        }
        Ok(Self { starts, columns: entries.into_iter().map(|[_, column]| column).collect(), width })
    }

    /// How many rows and columns there are.
    pub fn shape(&self) -> [usize; 2] {
        [self.starts.len() - 1, self.width]
    }

    /// How many entries there are.
    pub fn count(&self) -> usize {
        self.columns.len()
    }

    /// The columns in which a row has entries.
    pub fn row(&self, row: usize) -> &[usize] {
        &self.columns[self.starts[row]..self.starts[row + 1]]
    }

    /// The row and the column of each entry, in ascending order.
    pub fn entries(&self) -> impl Iterator<Item = [usize; 2]> {
        let rows = 0..self.shape()[0];
        rows.flat_map(|row| self.row(row).iter().map(move |&column| [row, column]))
    }

    /// The most entries that a row has.
    pub fn longest(&self) -> usize {
        (0..self.shape()[0]).map(|row| self.row(row).len()).max().unwrap_or(0)
    }

    /// The pattern of the transpose.
    pub fn transposed(&self) -> Self {
        let [height, width] = self.shape();
        let mut starts = vec![0; width + 1];
        for &column in &self.columns {
            starts[column + 1] += 1;
        }
        for column in 0..width {
            starts[column + 1] += starts[column];
        }
        let (mut next, mut rows) = (starts.clone(), vec![0; self.count()]);
        for [row, column] in self.entries() {
            rows[next[column]] = row;
            next[column] += 1;
        }
        Self { starts, columns: rows, width: height }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_in_order_and_once() {
        let pattern = Pattern::new([3, 2], vec![[2, 1], [0, 1], [2, 0], [0, 1]]).unwrap();
        assert_eq!(pattern.entries().collect::<Vec<_>>(), [[0, 1], [2, 0], [2, 1]]);
        assert_eq!((pattern.shape(), pattern.count(), pattern.longest()), ([3, 2], 3, 2));
        let transposed = pattern.transposed();
        assert_eq!(transposed.entries().collect::<Vec<_>>(), [[0, 2], [1, 0], [1, 2]]);
        assert_eq!(transposed.shape(), [2, 3]);
        assert_eq!(transposed.transposed(), pattern);
    }

    #[test]
    fn entries_outside_are_refused() {
        let error = Pattern::new([2, 2], vec![[0, 0], [1, 2]]).unwrap_err();
        assert_eq!(error, "there is no entry in row 1 and column 2 of 2 x 2");
        assert_eq!(Pattern::new([0, 4], vec![]).unwrap().shape(), [0, 4]);
    }
}
