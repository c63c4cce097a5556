//! What a map computes at some cost and a later one computes again is read from there.
//!
//! ```text
//! es = map (\x -> exp (x - m)) xs;  s = reduce (+) 0 es;  ys = map (\x -> exp (x - m) / s) xs
//!   =>  es = ...;  s = ...;  ys = map (\e -> e / s) es
//! ```
//! The later map depends on the reduction, so that the two cannot be one. The lowering runs the
//! reduction in the loop that stores the results of the first map.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::{Known, Numbers, Term};
use crate::{
    fuse::block::is_narrow,
    lower::soac_to_loops::only_reader,
    simplify::read_instead,
    support::{builder::Builder, combinator::input_count, diag::Result},
};

/// Shares values among the maps of a block; returns how many maps read more than before.
pub fn share_all<'c>(context: &'c Context, block: Blk<'c>) -> Result<u64> {
    let mut shared = 0;
    let mut numbers = Made::default();
    for op in block.ops() {
        if op.op_name() != "soac.map" {
            continue;
        }
        let body = numbers.of_body(op);
        let (values, arrays) = numbers.made_before(op, &body);
        let mut map = Some(op);
        if !values.is_empty() {
            let b = Builder::before(context, op, block).with_location(op.location());
            map = read_instead(&b, op, input_count(op), &values, &arrays);
            shared += 1;
        }
        map.into_iter().for_each(|map| numbers.add(map, block));
    }
    Ok(shared)
}

#[derive(Default)]
struct Made<'c> {
    numbers: Numbers,
    /// Those that are costly to compute.
    costly: HashSet<usize>,
    /// Those that depend on elements, so that only maps over as many elements have them.
    varying: HashSet<usize>,
    /// The numbers of the elements of arrays that maps make.
    elements: HashMap<ValueKey, usize>,
    /// The arrays of costly elements.
    stored: HashMap<usize, (Op<'c>, Val<'c>)>,
}

impl<'c> Made<'c> {
    /// The numbers of the values in the body of a map, as far as they are arithmetic on scalars.
    fn of_body(&mut self, map: Op<'c>) -> Known {
        let mut known = Known::new();
        let Some(body) = map.body(0) else { return known };
        for (argument, array) in body.arg_list().into_iter().zip(map.operand_list()) {
            let made = self.elements.get(&array.key()).copied();
            let made = made.filter(|number| self.varying.contains(number));
            let element = || self.numbers.number(Term::Element(array.key(), vec![]));
            let number = made.unwrap_or_else(element);
            self.varying.insert(number);
            known.insert(argument.key(), number);
        }
        for op in body.body_ops() {
            let Some((number, operands)) = self.numbers.of_op(op, body, &mut known) else {
                continue;
            };
            let is_costly = is_costly(op.op_name())
                || operands.iter().any(|operand| self.costly.contains(operand));
            let varies = operands.iter().any(|operand| self.varying.contains(operand));
            self.varying.extend(varies.then_some(number));
            self.costly.extend(is_costly.then_some(number));
        }
        known
    }

    /// The costly values of a map that earlier maps have made, and where.
    fn made_before(&self, map: Op<'c>, body: &Known) -> (Vec<Val<'c>>, Vec<Val<'c>>) {
        let ops = map.body(0).map(|body| body.body_ops()).unwrap_or_default();
        let made = ops.into_iter().filter_map(|op| {
            let value = op.res(0)?;
            let &(maker, array) = self.stored.get(body.get(&value.key())?)?;
            is_narrow(maker, map).then_some((value, array))
        });
        let made: Vec<_> = made.collect();
        let is_made = |value: Val<'c>| made.iter().any(|(other, _)| other.key() == value.key());
        // What only leads to other such values is not needed.
        let is_needed = |(value, _): &(Val<'c>, Val<'c>)| {
            value.users().iter().any(|user| !user.res(0).is_some_and(is_made))
        };
        made.iter().copied().filter(is_needed).unzip()
    }

    /// Notes what a map makes, if storing it costs no loop of its own.
    fn add(&mut self, map: Op<'c>, block: Blk<'c>) {
        let body = self.of_body(map);
        let reader = only_reader(map, block);
        let may_store = reader
            .is_none_or(|reader| reader.op_name() == "soac.reduce" && reader.result_count() == 1);
        let Some(end) = map.body(0).and_then(|body| body.term()) else { return };
        for (value, array) in end.operand_list().into_iter().zip(map.result_list()) {
            let Some(&number) = body.get(&value.key()) else { continue };
            self.elements.insert(array.key(), number);
            let is_shared = self.costly.contains(&number) && self.varying.contains(&number);
            if may_store && is_shared && array.r#type().shape().len() == 1 {
                self.stored.entry(number).or_insert((map, array));
            }
        }
    }
}

/// Whether an operation takes longer than reading its result.
fn is_costly(name: &str) -> bool {
    let cheap = ["absf", "absi", "ceil", "copysign", "floor", "fma", "round", "roundeven", "trunc"];
    name.strip_prefix("math.").is_some_and(|name| !cheap.contains(&name) && name != "sqrt")
}
