//! Elements of arrays by their number in row-major order.

/// The indices of an element from its row-major number.
pub fn position(mut number: i64, shape: &[i64]) -> Vec<i64> {
    let mut indices: Vec<_> = shape
        .iter()
        .rev()
        .map(|&size| {
            let index = number % size.max(1);
            number /= size.max(1);
            index
        })
        .collect();
    indices.reverse();
    indices
}
