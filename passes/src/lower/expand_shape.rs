//! `lower-expand-shape`: buffers whose groups of dimensions have several dynamic sizes.
//!
//! Upstream's expansion of strided metadata crashes on `memref.expand_shape` with more
//! than one dynamic size in a group (LLVM 22). The sizes are all operands, so the new
//! strides are products of them:
//!
//! stride[last] = stride of the group; stride[k] = stride[k + 1] * size[k + 1].

use ad_dialect::ir::{Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    diag::Result,
    extent::Extent,
    memory::{self, Strided},
    region::all_of,
    reshape,
};

/// Runs the pass; returns how many operations were replaced.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut replaced = 0;
    for op in all_of(module, "memref.expand_shape") {
        let (Some(block), Some(result)) = (op.block(), op.res(0)) else { continue };
        if let Some(view) = reinterpret(&Builder::before(context, op, block), op) {
            result.replace_all_uses(view);
            op.erase();
            replaced += 1;
        }
    }
    Ok(replaced)
}

/// The same view by way of its strides, if upstream cannot do it.
fn reinterpret<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Val<'c>> {
    let (source, wanted) = (op.opnd(0)?, op.res(0)?.r#type());
    let (given, groups) = (reshape::expanded(op)?, reshape::groups(op)?);
    let dynamic = |d: &&usize| matches!(given.get(**d), Some(Extent::Value(_)));
    if groups.iter().all(|group| group.iter().filter(dynamic).count() < 2) {
        return None;
    }
    let sizes: Vec<_> = given.iter().map(|size| size.value(b)).collect();

    let all = Strided::of(b, source)?;
    let mut strides = vec![];
    for (group, &stride) in groups.iter().zip(&all.strides) {
        let mut stride = stride;
        let mut inner = vec![];
        for &d in group.iter().rev() {
            inner.push(stride);
            stride = b.mul(stride, *sizes.get(d)?);
        }
        strides.extend(inner.into_iter().rev());
    }
    // Vectors are read along the last dimension by its type.
    let is_line = memory::strides(op.res(0)?)?.last() == Some(&Some(1));
    let view = Strided { sizes, strides, ..all }.view(b, is_line)?;
    Some(b.val("memref.cast", &[view], wanted))
}
