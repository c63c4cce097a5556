//! Copies, fills and structured operations of buffers as loops.

use ad_dialect::{
    ir::{Op, OpExt, Val},
    linalg::{Expr, Structured},
};
use melior::{Context, ir::operation::OperationLike};

use crate::support::{
    builder::{Builder, same_value},
    diag::Result,
    memory,
    region::copy_block,
};

/// Expands everything in a loop; none if something has no loops or is a reduction, which is a
/// matter of its own.
pub fn all<'c>(context: &'c Context, root: Op<'c>) -> Option<()> {
    let mut found = vec![];
    root.for_each(&mut |op| {
        let name = op.op_name();
        if name == "memref.copy" || (name.starts_with("linalg.") && name != "linalg.yield") {
            found.push(op);
        }
    });
    found.into_iter().try_for_each(|op| one(context, op).map(drop))
}

/// Expands a copy or a structured operation, if it can be; returns the outermost loop, unless there is none.
pub fn one<'c>(context: &'c Context, op: Op<'c>) -> Option<Option<Op<'c>>> {
    let b = Builder::before(context, op, op.block()?);
    let mut outermost = None;
    if op.op_name() == "memref.copy" {
        let (from, to) = (op.opnd(0)?, op.opnd(1)?);
        if !same_value(from, to) {
            let sizes =
                (0..memory::rank(from)).map(|d| memory::dim(&b, from, d)).collect::<Vec<_>>();
            outermost = nest(b, &sizes, &mut vec![], &mut |b, at| {
                let value = memory::load(&b, from, at);
                memory::store(&b, value, to, at);
                Ok(())
            })
            .ok()?;
        }
    } else {
        outermost = structured(b, op)?;
    }
    op.erase();
    Some(outermost)
}

fn structured<'c>(b: Builder<'c>, op: Op<'c>) -> Option<Option<Op<'c>>> {
    let s = Structured::of(op)?;
    let plain = |e: &Expr| matches!(e, Expr::Loop(_) | Expr::Constant(_));
    let every_loop = |map: &Vec<Expr>| (0..s.loops).all(|l| map.contains(&Expr::Loop(l)));
    if !s.maps.iter().flatten().all(plain) || !s.output_maps().iter().all(every_loop) {
        return None;
    }
    let operands = op.operand_list();
    let is_array = |value: Val<'c>| memory::is_array(value);
    let mut sizes = vec![];
    for l in 0..s.loops {
        let of = operands.iter().zip(&s.maps).find_map(|(&operand, map)| {
            let dimension = map.iter().position(|e| *e == Expr::Loop(l))?;
            is_array(operand).then(|| memory::dim(&b, operand, dimension))
        });
        sizes.push(of?);
    }
    nest(b, &sizes, &mut vec![], &mut |b, at| {
        let place = |map: &Vec<Expr>| -> Vec<Val<'c>> {
            let index = |e: &Expr| match e {
                Expr::Loop(l) => at[*l],
                Expr::Constant(c) => b.index(*c),
                _ => at[0],
            };
            map.iter().map(index).collect()
        };
        let elements: Vec<_> = (operands.iter().zip(&s.maps))
            .map(|(&operand, map)| match is_array(operand) {
                true => memory::load(&b, operand, &place(map)),
                false => operand,
            })
            .collect();
        let results = copy_block(&b, s.body, &elements);
        for ((&array, map), value) in s.inits.iter().zip(s.output_maps()).zip(results) {
            memory::store(&b, value, array, &place(map));
        }
        Ok(())
    })
    .ok()
}

/// A nest of loops from 0 to each of the sizes; returns the outermost one.
fn nest<'c>(
    b: Builder<'c>,
    sizes: &[Val<'c>],
    at: &mut Vec<Val<'c>>,
    body: &mut dyn FnMut(Builder<'c>, &[Val<'c>]) -> Result<()>,
) -> Result<Option<Op<'c>>> {
    let Some((&size, rest)) = sizes.split_first() else { return body(b, at).map(|()| None) };
    let bounds = [b.index(0), size, b.index(1)];
    let outermost = b.for_loop(bounds, &[], |inner, i, _| {
        at.push(i);
        nest(inner, rest, at, body)?;
        at.pop();
        Ok(vec![])
    })?;
    Ok(Some(outermost))
}
