//! The operands of `soac.hist` and `soac.scatter` by name.

use ad_dialect::ir::{Op, OpExt, Val, ValExt, i32_array};

/// The operands of an operation that updates arrays at indices.
#[derive(Clone, Debug)]
pub struct Update<'c> {
    /// Index arrays, one per indexed dimension.
    pub at: Vec<Val<'c>>,
    /// Value arrays.
    pub inputs: Vec<Val<'c>>,
    /// The arrays that are updated.
    pub dests: Vec<Val<'c>>,
    /// The neutral elements; none for a scatter.
    pub neutrals: Vec<Val<'c>>,
}

impl<'c> Update<'c> {
    /// The operands of a `soac.hist` or `soac.scatter`.
    pub fn of(op: Op<'c>) -> Self {
        let segments = op.attr("operandSegmentSizes").and_then(i32_array).unwrap_or_default();
        let mut rest = op.operand_list();
        let mut groups = segments.into_iter().map(|size| {
            let tail = rest.split_off((size.max(0) as usize).min(rest.len()));
            std::mem::replace(&mut rest, tail)
        });
        let mut next = || groups.next().unwrap_or_default();
        Self { at: next(), inputs: next(), dests: next(), neutrals: next() }
    }

    /// Whether no place can occur twice: one of the index arrays is 0, 1, 2, ...
    pub fn has_distinct_places(&self) -> bool {
        self.at.iter().any(|&array| is_iota(array))
    }

    /// The operands that are read element by element: indices, then values.
    pub fn read(&self) -> Vec<Val<'c>> {
        [&self.at[..], &self.inputs[..]].concat()
    }
}

/// Whether an array is 0, 1, 2, ...
pub fn is_iota(array: Val<'_>) -> bool {
    array.defining_op().is_some_and(|op| op.op_name() == "soac.iota")
}
