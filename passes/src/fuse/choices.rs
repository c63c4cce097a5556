//! A choice between an array that a map makes and one number everywhere is a choice of each element.
//!
//! ```text
//! ys = map f xs;  zs = select c ys (fill v)   =>   zs = map (\x -> select c (f x) v) xs
//! ```
//! So it is with adjoints that are zero where a value was not chosen.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::{
    simplify::constant::filled_with,
    support::{
        builder::Builder,
        combinator::array_result_count,
        extent::{Extents, common_extent},
        region::is_there_before,
    },
};

/// A choice that a map can make.
struct Choice<'c> {
    condition: Val<'c>,
    /// What the map makes.
    made: Val<'c>,
    /// Whether that is taken where the condition holds.
    if_true: bool,
    /// The number everywhere otherwise.
    number: Val<'c>,
}

/// Has maps of a block choose elements; returns how many choices of arrays are left out.
pub fn move_all<'c>(context: &'c Context, block: Blk<'c>) -> u64 {
    let mut moved = 0;
    for op in block.ops() {
        let Some(choice) = Choice::of(op) else { continue };
        if let (Some(map), Some(result)) = (choice.made.defining_op(), op.res(0)) {
            choice.make_in(context, map, choice.made.position());
            result.replace_all_uses(choice.made);
            op.erase();
            moved += 1;
        }
    }
    moved
}

impl<'c> Choice<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let [condition, yes, no] = op.operand_list()[..] else { return None };
        let is_choice = op.op_name() == "arith.select" && condition.r#type().shape().is_empty();
        if !is_choice || condition.r#type().as_tensor().is_some() || yes.r#type().shape().is_empty()
        {
            return None;
        }
        let choices = [(yes, no, true), (no, yes, false)];
        choices.into_iter().find_map(|(made, other, if_true)| {
            let number = filled_with(other).filter(|it| it.r#type() == other.r#type().scalar())?;
            let map = makes_elements(made)?;
            let mut extents = Extents::default();
            let has_sizes = (0..made.r#type().shape().len())
                .all(|d| common_extent(op, vec![made, other], d, &mut extents).is_some());
            let are_there = [condition, number].into_iter().all(|it| is_there_before(it, map));
            (map.block() == op.block() && are_there && has_sizes).then_some(Self {
                condition,
                made,
                if_true,
                number,
            })
        })
    }

    /// Has a map yield what is chosen, or a map in it that makes the rows.
    fn make_in(&self, context: &'c Context, map: Op<'c>, position: usize) {
        let Some(end) = map.body(0).and_then(|body| body.term()) else { return };
        let (Some(value), Some(body)) = (end.opnd(position), end.block()) else { return };
        if let Some(inner) = makes_elements(value) {
            return self.make_in(context, inner, value.position());
        }
        let b = Builder::before(context, end, body);
        let ways = if self.if_true { [value, self.number] } else { [self.number, value] };
        end.set_operand(position, b.select(self.condition, ways[0], ways[1]));
    }
}

/// The map that makes an array by elements, maps in maps for more dimensions, if nobody but one reads it.
fn makes_elements(array: Val<'_>) -> Option<Op<'_>> {
    let map = array.defining_op().filter(|op| op.op_name() == "soac.map")?;
    let is_made = array.position() < array_result_count(map) && array.uses().len() == 1;
    let yielded = map.body(0)?.term()?.opnd(array.position())?;
    let is_element = yielded.r#type().as_tensor().is_none();
    (is_made && (is_element || makes_elements(yielded).is_some())).then_some(map)
}
