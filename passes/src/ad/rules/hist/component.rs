//! One component of a hist whose components do not touch each other, on scalars: what
//! the special rules work on.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, tensor_type};
use melior::ir::{Type, ValueLike};

use super::vectorized::{flatten, unflatten};
use crate::{
    ad::{cotangent::Contribution, vjp::Vjp},
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        update::Update,
    },
};

/// One component, in the new code; with rows as elements it is flattened.
pub struct Component<'c> {
    /// In front of the hist of the forward sweep.
    pub forward: Builder<'c>,
    /// The hist of the forward sweep.
    pub copy: Op<'c>,
    /// Which component of it.
    pub number: usize,
    /// Index arrays; with rows also those into the rows.
    pub at: Vec<Val<'c>>,
    /// The values.
    pub v: Val<'c>,
    /// Whether they are the elements of rows.
    pub is_flattened: bool,
    /// What they are combined into.
    pub dest: Val<'c>,
    /// The cotangent of the result.
    pub h_bar: Val<'c>,
}

/// What the values get, whole or, unless they are flattened, as rows; and, if it is wanted, the
/// cotangent of the destination.
pub type Bars<'c> = (Contribution<'c, 'c>, Option<Val<'c>>);

/// Applies a rule to each component that has a cotangent.
pub fn each_component<'c>(
    op: Op<'c>,
    vjp: &mut Vjp<'_, 'c>,
    rule: impl Fn(&mut Vjp<'_, 'c>, &Component<'c>, bool) -> Result<Bars<'c>>,
) -> Result<()> {
    let Some(copy) = vjp.copy_of(op) else {
        return Err(internal_error(op, "hist without forward sweep"));
    };
    let (source, update) = (Update::of(op), Update::of(copy));
    for (number, result) in op.result_list().into_iter().enumerate() {
        let Some(h_bar) = vjp.cotangents.take(result) else { continue };
        let (input, dest) = (source.inputs[number], source.dests[number]);
        let forward = Builder::before(vjp.b.context(), copy, vjp.b.block());
        let (at, v) = flatten(&forward, &update.at, update.inputs[number])?;
        let bins = update.dests[number];
        let is_flattened = at.len() > update.at.len();
        let component = Component { forward, copy, number, at, v, is_flattened, dest: bins, h_bar };
        let dest_wanted = vjp.is_active(dest);
        let (v_bar, dest_bar) = rule(vjp, &component, dest_wanted)?;
        let v_bar = match v_bar {
            Contribution::Dense(flat) => {
                Contribution::Dense(unflatten(&vjp.b, flat, update.inputs[number]))
            }
            rows => rows,
        };
        vjp.add(input, v_bar)?;
        if let Some(dest_bar) = dest_bar {
            vjp.add_dense(dest, dest_bar)?;
        }
    }
    Ok(())
}

impl<'c> Component<'c> {
    /// An array with an undefined element for each bin.
    pub fn scratch(&self, b: &Builder<'c>, scalar: Type<'c>) -> Val<'c> {
        let shape = self.dest.r#type().shape();
        let dynamic = (0..shape.len()).filter(|&d| shape[d] == DYNAMIC);
        let sizes: Vec<_> = dynamic.map(|d| b.dim(self.dest, d)).collect();
        b.empty(tensor_type(&shape, scalar), &sizes)
    }
}
