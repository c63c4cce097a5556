//! What the nests of a product of matrices would compute again is stored.
//!
//! ```text
//! map (\i -> map (\j -> let d = f i j in map (\k -> upd [k,j] (d * a[i,k]) acc)))
//!   =>  let ds = map (\i -> map (\j -> f i j))
//!       in map (\row -> map (\d -> map (\k -> upd [k,j] (d * a[i,k]) acc)) row) ds
//! ```
//! A nest of its own for an update repeats what the update depends on, and must not repeat what is
//! dear [FUT 6.1]. In a product of matrices a factor has no more elements than a matrix, and each is
//! used as often as another matrix has columns: stored, it costs little memory, and a nest reads it
//! as it reads any matrix. The paper needs none of this, because the adjoint of its product is given.

use std::{
    collections::{BTreeSet, HashSet},
    iter::successors,
};

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{BlockLike, ValueLike, operation::OperationLike},
};

use super::{
    analysis::{Scope, Site, is_iota, origin, path},
    place::Nest,
    split::split,
};
use crate::{
    contract::{
        argument,
        shape::{Shape, is_large},
    },
    support::{
        builder::Builder,
        combinator::{array_result_count, input_count},
        diag::Result,
        extent::{Extent, extent_of},
        hand_in::hand_in,
        region::{free_values, is_outside},
    },
};

/// Stores the factors of an update that is a product of matrices, unless they are elements of arrays
/// already.
pub fn store_factors<'c>(context: &'c Context, update: Op<'c>) -> Result<()> {
    let Some(product) = Product::of(update).filter(Product::is_worthwhile) else { return Ok(()) };
    for factor in product.factors {
        // What is made beside the product has as many elements as there are multiplications.
        let is_stored =
            |op: &Op<'c>| op.op_name() == "tensor.extract" || op.block() == Some(product.block);
        if let Some(op) = factor.defining_op().filter(|op| !is_stored(op)) {
            store(context, op, factor)?;
        }
    }
    Ok(())
}

/// Computes a value in a nest of its own, and reads it from there wherever it is used.
fn store<'c>(context: &'c Context, op: Op<'c>, value: Val<'c>) -> Result<()> {
    let scopes = around(op);
    let outside = scopes.first().and_then(|top| Some((*top, top.parent()?, top.block()?)));
    let Some((top, outside, block)) = outside else { return Ok(()) };
    let Ok(path) = path(outside, op) else { return Ok(()) };
    let Ok(nest) = Nest::natural(top, &path, value) else { return Ok(()) };
    let b = Builder::before(context, top, block).with_location(op.location());
    let array = split(&b, &nest)?;
    let maps: Vec<_> = path.iter().filter(|s| matches!(s, Scope::Map(_))).map(Scope::op).collect();
    if let Some(element) = hand_in(context, &maps, array) {
        value.replace_all_uses(element);
    }
    Ok(())
}

/// The maps and accumulations around an operation, outermost first, up to anything else.
fn around<'c>(op: Op<'c>) -> Vec<Op<'c>> {
    let mut scopes: Vec<_> = successors(op.parent(), OpExt::parent)
        .take_while(|op| ["soac.map", "soac.with_acc"].contains(&op.op_name()))
        .collect();
    scopes.reverse();
    scopes
}

/// An update by a product of two values.
struct Product<'c> {
    /// The maps around the product, outermost first.
    maps: Vec<Op<'c>>,
    /// Where the product is computed.
    block: Blk<'c>,
    /// The maps whose iterations are indices of what is accumulated, also in rows and further out.
    kept: Vec<usize>,
    factors: [Val<'c>; 2],
}

impl<'c> Product<'c> {
    fn of(update: Op<'c>) -> Option<Self> {
        let root = origin(update.opnd(0)?)?.owner_block()?.parent_operation()?;
        let site = Site::new(root, update).ok()?;
        let scopes = around(update);
        let position = scopes.iter().position(|scope| scope.key() == root.key())?;
        let is_map = |op: &&Op<'c>| op.op_name() == "soac.map";
        let outer = scopes.iter().take(position).filter(is_map).count();
        let mut maps: Vec<_> = scopes.iter().filter(is_map).copied().collect();
        let inner = maps.len();
        let (mut value, mut block) = (site.value, update.block()?);
        while let Some(map) = value.defining_op().filter(|op| op.op_name() == "soac.map")
            && value.position() < array_result_count(map)
            && map.block() == Some(block)
        {
            block = map.body(0)?;
            value = block.term()?.opnd(value.position())?;
            maps.push(map);
        }
        let product = value.defining_op().filter(|op| op.op_name() == "arith.mulf")?;
        if value.r#type().as_tensor().is_some() || product.block() != Some(block) {
            return None;
        }
        let indices = site.index_levels().into_iter().map(|level| outer + level);
        let kept = (0..outer).chain(indices).chain(inner..maps.len()).collect();
        Some(Self { maps, block, kept, factors: [product.opnd(0)?, product.opnd(1)?] })
    }

    fn is_worthwhile(&self) -> bool {
        let sums: Vec<_> =
            (0..self.maps.len()).filter(|level| !self.kept.contains(level)).collect();
        let [x, y] = self.factors.map(|factor| self.levels(factor));
        let shape = Shape { kept: &self.kept, sums: &sums, factors: [&x, &y] };
        shape.is_product_of_matrices() && is_large(self.maps.iter().map(|map| static_width(*map)))
    }

    /// The maps whose iteration a value depends on.
    fn levels(&self, value: Val<'c>) -> Vec<usize> {
        let (mut levels, mut seen, mut open) = (BTreeSet::new(), HashSet::new(), vec![value]);
        while let Some(value) = open.pop() {
            if self.maps.first().is_none_or(|outer| is_outside(*outer, value))
                || !seen.insert(value.key())
            {
                continue;
            }
            if let Some((level, input)) = argument(&self.maps, value) {
                levels.insert(level);
                open.extend((!is_iota(input)).then_some(input));
            } else if let Some(op) = value.defining_op() {
                open.extend(op.operand_list());
                open.extend(free_values(&op.blocks()));
            }
        }
        levels.into_iter().collect()
    }
}

/// How many iterations a map has, if that is known before the program runs.
fn static_width(map: Op<'_>) -> Option<i64> {
    let inputs = map.operand_list().into_iter().take(input_count(map));
    inputs.into_iter().find_map(|input| match extent_of(input, 0) {
        Extent::Known(size) => Some(size),
        _ => None,
    })
}
