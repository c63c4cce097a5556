//! Which sums of products are products of matrices.

/// Products of fewer multiplications than this stay loops, if their sizes are static.
pub const SMALL: i64 = 4096;

/// The indices of a sum of products of two factors, by number.
pub struct Shape<'a> {
    /// The indices of the result.
    pub kept: &'a [usize],
    /// The indices that are summed over.
    pub sums: &'a [usize],
    /// The indices that each factor depends on.
    pub factors: [&'a [usize]; 2],
}

impl Shape<'_> {
    /// Whether both factors are summed over together, the result has no further index, and each
    /// factor lacks an index of the result that the other one has: its elements are read many times.
    pub fn is_product_of_matrices(&self) -> bool {
        let [x, y] = self.factors;
        let is_own = |own: &[usize], other: &[usize]| {
            self.kept.iter().any(|index| own.contains(index) && !other.contains(index))
        };
        !self.sums.is_empty()
            && self.sums.iter().all(|index| x.contains(index) && y.contains(index))
            && self.kept.iter().all(|index| x.contains(index) || y.contains(index))
            && is_own(x, y)
            && is_own(y, x)
    }
}

/// Whether a product with these sizes, as far as they are known, is worth more than loops.
pub fn is_large(sizes: impl Iterator<Item = Option<i64>>) -> bool {
    let count =
        sizes.into_iter().try_fold(1_i64, |count, size| size.map(|n| count.saturating_mul(n)));
    count.is_none_or(|count| count > SMALL)
}
