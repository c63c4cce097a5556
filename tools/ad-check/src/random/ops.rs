//! Groups of operations that a tree's statements name, one per dialect or subject.

use super::tree::Fold;

/// Operations on vectors of a fixed number of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanesOp {
    /// A number in every lane.
    Broadcast,
    FromElements,
    ToElements,
    /// Operands: vector, index (reduced to be in bounds).
    Extract,
    /// Operands: vector, number, index.
    Insert,
    /// Operands: vector, and perhaps a number that comes first.
    Reduction(Fold),
    /// As two rows, transposed and flat again.
    Shuffle,
    /// Operands: two vectors; a row of what two copies of one make with the other in the first row.
    Rows(usize),
}

/// Operations of `linalg` on whole arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinalgOp {
    Dot,
    /// An array by a matrix.
    Vecmat,
    /// Matrices by matrices or arrays.
    Batch,
    /// Without channels, of one or two dimensions.
    Conv,
    /// Operands: images of one dimension with channels, filters with channels.
    ConvChannels {
        stride: usize,
        dilation: usize,
    },
    /// Sums or extrema of windows of images with channels.
    Pool {
        fold: Fold,
        window: usize,
        stride: usize,
        dilation: usize,
    },
    /// Copies along a new dimension.
    Broadcast(usize),
    /// An entry of `vocabulary::NAMED`.
    Named(usize),
    /// The body gives an element from one of each operand.
    Map,
    /// Softmax along a dimension, times its operand.
    Softmax(usize),
}

/// Operations that give elements of arrays other places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeOp {
    /// One dimension as two.
    Expand,
    /// The first two dimensions as one.
    Collapse,
    /// A matrix of as many rows as it had columns, by `tensor.reshape`.
    Reshape,
    /// Part i is at `(i * factor + offset) mod n` of a dimension.
    Gather { dim: usize, factor: usize, offset: usize, unique: bool },
    /// Operands: array, parts; as for `Gather`, along the first dimension, with a factor of one.
    Scatter { offset: usize },
}

/// What `ad.no_false_dependencies` says of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Nothing: it has to be proven.
    None,
    /// It holds for all arrays that the loop carries.
    All,
    /// It holds for the array that it updates.
    Listed,
}
