//! Copies, fills and structured operations of buffers as loops.

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, Val, ValExt, int_of},
    linalg::{Expr, Structured},
};
use melior::{Context, ir::operation::OperationLike};

use crate::support::{
    builder::{Builder, same_value},
    combinator::constant_index,
    diag::Result,
    memory,
    region::{ValueMap, clone_op, renamed_ends},
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
    let every_loop = |s: &Structured<'c>| s.written().into_iter().all(|is_written| is_written);
    match Structured::of(op) {
        Some(s) if !every_loop(&s) => None,
        _ => with_outermost(context, op, 0),
    }
}

/// The same, also for a reduction; the loop of a number is the outermost one. What the innermost loops add up they carry.
pub fn with_outermost<'c>(
    context: &'c Context,
    op: Op<'c>,
    outer: usize,
) -> Option<Option<Op<'c>>> {
    let order = |loops: usize| {
        let others = (0..loops).filter(|&l| l != outer);
        (0..loops).filter(|&l| l == outer).chain(others).collect()
    };
    in_order(context, op, &order, Reads::Inside)
}

/// The same with the loops in an order, given for so many.
pub fn in_order<'c>(
    context: &'c Context,
    op: Op<'c>,
    order: &dyn Fn(usize) -> Vec<usize>,
    reads: Reads,
) -> Option<Option<Op<'c>>> {
    if op.op_name() == "memref.copy" && same_value(op.opnd(0)?, op.opnd(1)?) {
        op.erase();
        return Some(None);
    }
    let b = Builder::before(context, op, op.block()?);
    let nest = Nest::of(&b, op, order, reads)?;
    let mut place = Place { at: nest.sizes.clone(), read: vec![None; nest.operands.len()] };
    let outermost = nest.level(&b, 0, &mut place, &[]).ok()?.0;
    op.erase();
    Some(outermost)
}

/// Where elements of inputs are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// In the innermost loop, as what is written may be the same memory.
    Inside,
    /// Where it is known which.
    Early,
}

/// The loops of an operation.
struct Nest<'c> {
    /// What it is of, unless it is a copy.
    structured: Option<Structured<'c>>,
    /// The arrays, or numbers, that it reads or writes.
    operands: Vec<Val<'c>>,
    /// Where, by the number of each loop.
    maps: Vec<Vec<Expr>>,
    /// How many of the operands it only reads, which come first.
    inputs: usize,
    /// How many iterations each loop has.
    sizes: Vec<Val<'c>>,
    /// The loops from the outermost to the innermost one.
    order: Vec<usize>,
    /// How many of them are around what is carried by the others.
    around: usize,
    /// How many of them are around where each input is read.
    depths: Vec<usize>,
}

/// Where code is made.
struct Place<'c> {
    /// The number of the iteration of each loop.
    at: Vec<Val<'c>>,
    /// The elements of inputs that have been read.
    read: Vec<Option<Val<'c>>>,
}

impl<'c> Nest<'c> {
    fn of(
        b: &Builder<'c>,
        op: Op<'c>,
        order: &dyn Fn(usize) -> Vec<usize>,
        reads: Reads,
    ) -> Option<Self> {
        let operands = op.operand_list();
        let (structured, maps, inputs, loops) = if op.op_name() == "memref.copy" {
            let rank = memory::rank(*operands.first()?);
            let own: Vec<_> = (0..rank).map(Expr::Loop).collect();
            (None, vec![own.clone(), own], 1, rank)
        } else {
            let s = Structured::of(op)?;
            let (maps, inputs, loops) = (s.maps.clone(), s.inputs.len(), s.loops);
            (Some(s), maps, inputs, loops)
        };
        let plain = |e: &Expr| matches!(e, Expr::Loop(_) | Expr::Constant(_));
        if !maps.iter().flatten().all(plain) {
            return None;
        }
        let size = |l: usize| {
            operands.iter().zip(&maps).find_map(|(&operand, map)| {
                let dimension = map.iter().position(|e| *e == Expr::Loop(l))?;
                memory::is_array(operand).then(|| memory::dim(b, operand, dimension))
            })
        };
        let sizes = (0..loops).map(size).collect::<Option<Vec<_>>>()?;
        let order = order(loops);
        let is_written = |l: &usize| maps[inputs..].iter().flatten().any(|e| *e == Expr::Loop(*l));
        let around = order.iter().rposition(is_written).map_or(0, |last| last + 1);
        // Unless all loops run, there may be no element at a constant place.
        let is_there = |array: Val<'c>, d: usize, e: &Expr| match e {
            Expr::Constant(c) => memory::static_size(array, d).is_some_and(|size| size > *c),
            _ => true,
        };
        let depth = |(&operand, map): (&Val<'c>, &Vec<Expr>)| {
            let last = order.iter().rposition(|l| map.contains(&Expr::Loop(*l)));
            let is_early = reads == Reads::Early
                && map.iter().enumerate().all(|(d, e)| is_there(operand, d, e));
            if is_early { last.map_or(0, |last| last + 1) } else { loops }
        };
        let depths = operands.iter().zip(&maps).take(inputs).map(depth).collect();
        Some(Self { structured, operands, maps, inputs, sizes, order, around, depths })
    }

    /// The loops from a level on, and in them the operation; returns the outermost one of them and what they carry.
    fn level(
        &self,
        b: &Builder<'c>,
        level: usize,
        place: &mut Place<'c>,
        carried: &[Val<'c>],
    ) -> Result<(Option<Op<'c>>, Vec<Val<'c>>)> {
        for k in (0..self.inputs).filter(|&k| self.depths[k] == level) {
            place.read[k] = Some(self.element(b, k, &place.at));
        }
        if level != self.around {
            return self.inside(b, level, place, carried);
        }
        let outputs: Vec<_> = (self.inputs..self.operands.len()).collect();
        let is_carried = |_: &&usize| self.around < self.order.len();
        let old = outputs.iter().filter(is_carried).map(|&k| self.element(b, k, &place.at));
        let (outermost, new) = self.inside(b, level, place, &old.collect::<Vec<_>>())?;
        for (&k, value) in outputs.iter().zip(new) {
            memory::store(b, value, self.operands[k], &self.indices(b, k, &place.at));
        }
        Ok((outermost, vec![]))
    }

    fn inside(
        &self,
        b: &Builder<'c>,
        level: usize,
        place: &mut Place<'c>,
        carried: &[Val<'c>],
    ) -> Result<(Option<Op<'c>>, Vec<Val<'c>>)> {
        let Some(&l) = self.order.get(level) else {
            return Ok((None, self.body(b, place, carried)));
        };
        if level > 0 && constant_index(self.sizes[l]) == Some(1) {
            place.at[l] = b.index(0);
            return self.level(b, level + 1, place, carried);
        }
        let bounds = [b.index(0), self.sizes[l], b.index(1)];
        let outermost = b.for_loop(bounds, carried, |inner, i, carried| {
            place.at[l] = i;
            Ok(self.level(&inner, level + 1, place, carried)?.1)
        })?;
        Ok((Some(outermost), outermost.result_list()))
    }

    /// What the operation makes of the elements at a place; those of its outputs are there, or carried.
    fn body(&self, b: &Builder<'c>, place: &Place<'c>, carried: &[Val<'c>]) -> Vec<Val<'c>> {
        let element = |k: usize| place.read[k].unwrap_or_else(|| self.element(b, k, &place.at));
        let Some(s) = &self.structured else { return vec![element(0)] };
        let mut map = ValueMap::new();
        for (k, argument) in s.body.arg_list().into_iter().enumerate() {
            let carried = k.checked_sub(self.inputs).and_then(|k| carried.get(k));
            match carried {
                Some(&value) => drop(map.insert(argument.key(), value)),
                None if argument.users().is_empty() => {}
                None => drop(map.insert(argument.key(), element(k))),
            }
        }
        for op in s.body.body_ops() {
            let number = op.attr("dim").and_then(int_of).filter(|_| op.op_name() == "linalg.index");
            match (number, op.res(0)) {
                (Some(l), Some(result)) => drop(map.insert(result.key(), place.at[l as usize])),
                _ => drop(clone_op(b, op, &mut map)),
            }
        }
        renamed_ends(s.body, &map)
    }

    /// An element of an operand, which may be a number itself.
    fn element(&self, b: &Builder<'c>, k: usize, at: &[Val<'c>]) -> Val<'c> {
        match memory::is_array(self.operands[k]) {
            true => memory::load(b, self.operands[k], &self.indices(b, k, at)),
            false => self.operands[k],
        }
    }

    fn indices(&self, b: &Builder<'c>, k: usize, at: &[Val<'c>]) -> Vec<Val<'c>> {
        let index = |e: &Expr| match e {
            Expr::Constant(c) => b.index(*c),
            Expr::Loop(l) => at[*l],
            _ => at[0],
        };
        self.maps[k].iter().map(index).collect()
    }
}
