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

use std::iter::successors;

use ad_dialect::ir::{Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{BlockLike, operation::OperationLike},
};

use super::{
    analysis::{Scope, Site, path},
    place::{Nest, maker},
    split::split,
};
use crate::{
    contract::product::{Product, terms},
    support::{
        accumulator::origin, builder::Builder, diag::Result, hand_in::hand_in, region::is_outside,
    },
};

/// Stores the factors of an update that is a product of matrices, unless they are given.
pub fn store_factors<'c>(context: &'c Context, update: Op<'c>) -> Result<()> {
    while let Some(product) = MatrixProduct::of(update)
        && let Some(factor) = product.computed()
    {
        if !store(context, product.top, factor)? {
            break;
        }
    }
    Ok(())
}

/// An update by a product of matrices, or by several.
pub struct MatrixProduct<'c> {
    /// The outermost operation around the update that runs its body for each iteration, or once.
    top: Op<'c>,
    /// The maps around what is added, outermost first.
    maps: Vec<Op<'c>>,
    /// The maps whose iterations are indices of what is accumulated, or of what is around it.
    kept: Vec<usize>,
    /// The factors of each term.
    terms: Vec<[Val<'c>; 2]>,
}

impl<'c> MatrixProduct<'c> {
    /// Finds out whether an update is one.
    pub fn of(update: Op<'c>) -> Option<Self> {
        let root = origin(update.opnd(0)?)?.owner_block()?.parent_operation()?;
        let site = Site::new(root, update).ok()?;
        let mut scopes: Vec<_> = successors(update.parent(), OpExt::parent)
            .take_while(|op| ["soac.map", "soac.with_acc"].contains(&op.op_name()))
            .collect();
        scopes.reverse();
        let is_map = |op: &&Op<'c>| op.op_name() == "soac.map";
        let position = scopes.iter().position(|scope| scope.key() == root.key())?;
        let outer = scopes.iter().take(position).filter(is_map).count();
        let mut maps: Vec<_> = scopes.iter().filter(is_map).copied().collect();
        // Rows are made by further maps.
        let inner = maps.len();
        let (mut value, mut block) = (site.value, update.block()?);
        while let Some((op, body, yielded)) = maker(value, block) {
            maps.extend(is_map(&&op).then_some(op));
            (value, block) = (yielded, body);
        }
        if value.parent_block() != Some(block) {
            return None;
        }
        let indices = site.index_levels().into_iter().map(|level| outer + level);
        let kept = (0..outer).chain(indices).chain(inner..maps.len()).collect();
        let product = Self { top: *scopes.first()?, maps, kept, terms: terms(value)? };
        let is_product = product.products().all(|product| product.is_of_matrices());
        is_product.then_some(product)
    }

    fn products(&self) -> impl Iterator<Item = Product<'_, 'c>> {
        let Self { top, maps, kept, .. } = self;
        self.terms.iter().map(|&factors| Product { top: *top, maps, kept, factors })
    }

    /// A factor that is computed in the nest.
    fn computed(&self) -> Option<Val<'c>> {
        self.products().find_map(|product| product.computed().first().copied())
    }
}

/// Whether a value can be computed in a nest of its own in front of an operation around it.
pub fn can_store<'c>(top: Op<'c>, value: Val<'c>) -> bool {
    plan(top, value).is_some_and(|plan| plan.conditions.is_empty())
}

/// Computes a value for all iterations of the maps around it in front of an operation, and reads it
/// from there wherever it was used. Says whether that is possible.
pub fn store<'c>(context: &'c Context, top: Op<'c>, value: Val<'c>) -> Result<bool> {
    let plan = plan(top, value).filter(|plan| plan.conditions.is_empty());
    plan.map_or(Ok(false), |plan| plan.store(context, top, value))
}

/// The same, also for a value in branches of which it is known in front of the operation whether they run.
pub fn store_anyway<'c>(context: &'c Context, top: Op<'c>, value: Val<'c>) -> Result<bool> {
    plan(top, value).map_or(Ok(false), |plan| plan.store(context, top, value))
}

/// How a value is computed in front of an operation.
///
/// Invariant: where there are conditions, the sizes of what the nest makes are known there.
struct Plan<'c> {
    nest: Nest<'c>,
    /// The maps around it now.
    maps: Vec<Op<'c>>,
    /// What decides whether it is computed, and whether it has to be true.
    conditions: Vec<(Val<'c>, bool)>,
}

impl<'c> Plan<'c> {
    /// Does so, and reads the value from there.
    fn store(&self, context: &'c Context, top: Op<'c>, value: Val<'c>) -> Result<bool> {
        let Some(block) = top.block() else { return Ok(false) };
        let b = Builder::before(context, top, block).deriving(top);
        let array = match b.all_hold(&self.conditions) {
            None => split(&b, &self.nest, None)?,
            Some(runs) => {
                let (r#type, sizes) = self.nest.sizes(&b);
                let made = b.if_else(runs, &[r#type], |b, runs| {
                    Ok(vec![if runs {
                        split(&b, &self.nest, None)?
                    } else {
                        b.empty(r#type, &sizes)
                    }])
                })?;
                made.result_list()[0]
            }
        };
        let element = hand_in(context, &self.maps, array);
        if let Some(element) = element {
            value.replace_all_uses(element);
        }
        Ok(element.is_some())
    }
}

fn plan<'c>(top: Op<'c>, value: Val<'c>) -> Option<Plan<'c>> {
    let mut path = path(top.parent()?, value.defining_op()?).ok()?;
    let mut conditions = vec![];
    for scope in &mut path {
        if let Scope::Branch(op, branch) = *scope
            && let Some(condition) = op.opnd(0).filter(|&condition| is_outside(top, condition))
        {
            conditions.push((condition, branch == 0));
            *scope = Scope::Known(op, branch);
        }
    }
    let nest = Nest::natural(top, &path, value).ok()?;
    if !conditions.is_empty() && !nest.has_sizes(top) {
        return None;
    }
    let maps = path.iter().filter(|scope| matches!(scope, Scope::Map(_))).map(Scope::op).collect();
    Some(Plan { nest, maps, conditions })
}
