//! What a run cost, by kind of operation: the basis of tests that compare the work of a derivative with that of its primal.

/// Operation counts of one run.
///
/// Taking a row of an array costs nothing, because a row is a view; its elements are counted when they are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Float arithmetic, comparisons and conversions, one per scalar.
    pub float_ops: u64,
    /// Calls of elementary functions (`exp`, `sin`, …), one per scalar; not part of `float_ops`.
    pub math_ops: u64,
    /// Integer and index arithmetic and comparisons, one per scalar.
    pub int_ops: u64,
    /// Array elements read.
    pub reads: u64,
    /// Array elements written.
    pub writes: u64,
    /// Array elements of fresh storage, copies included.
    pub allocations: u64,
    /// Accumulator updates, one per scalar.
    pub updates: u64,
    /// Executed operations of any kind, terminators excepted.
    pub steps: u64,
    /// Executed operations on the longest chain of dependences, where the iterations
    /// of a map do not depend on each other, and a reduction or scan of n elements is
    /// a tree of depth log2 n (a scan goes through it twice).
    pub span: u64,
    /// Array elements in the largest single allocation.
    pub largest_allocation: u64,
}

impl Counts {
    /// Records fresh storage of `elements`.
    pub fn allocated(&mut self, elements: usize) {
        self.allocations += elements as u64;
        self.largest_allocation = self.largest_allocation.max(elements as u64);
    }

    /// Arithmetic of every kind plus memory traffic: one figure for "work".
    pub fn work(&self) -> u64 {
        self.float_ops + self.math_ops + self.int_ops + self.updates + self.reads + self.writes
    }
}
