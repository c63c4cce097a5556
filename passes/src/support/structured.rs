//! Structured operations: generic ones without the operands and results that nobody needs, and sums.

use ad_dialect::{
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, int_of},
    linalg::{Expr, Structured},
};
use melior::{
    Context,
    ir::{Type, ValueLike, attribute::IntegerAttribute, operation::OperationLike},
};
use std::collections::HashSet;

use super::{
    builder::{Builder, same_value},
    region::{erase_dead_ops, free_values},
};

/// Rebuilds a `linalg.generic` on tensors without the results that are not wanted and
/// without the inputs that its body does not read, as long as the other operands
/// determine the sizes of all loops. None when everything is needed; otherwise the old
/// operation is gone.
pub fn drop_unneeded<'c>(
    context: &'c Context,
    op: Op<'c>,
    is_wanted: impl Fn(Val<'c>) -> bool,
) -> Option<Op<'c>> {
    let s = Structured::of(op)
        .filter(|s| op.op_name() == "linalg.generic" && s.inits.len() == op.result_count())?;
    let (body, block) = (s.body, op.block()?);
    let (arguments, end) = (body.arg_list(), body.term()?);
    let yielded = end.operand_list();
    let (ins, outs) = arguments.split_at(s.inputs.len());
    let mut results: Vec<_> =
        (0..outs.len()).filter(|&j| op.res(j).is_some_and(&is_wanted)).collect();
    let (kept_values, needed) = loop {
        let values: Vec<_> = results.iter().map(|&j| yielded[j]).collect();
        let needed = read_for(body, &values);
        // A wanted result may depend on the sum so far of another one.
        let more: Vec<_> = (0..outs.len())
            .filter(|j| results.contains(j) || needed.contains(&outs[*j].key()))
            .collect();
        if more == results {
            break (values, needed);
        }
        results = more;
    };
    let count = ins.len();
    let mut kept: Vec<usize> = (0..count).chain(results.iter().map(|j| count + j)).collect();
    for (i, input) in ins.iter().enumerate() {
        let rest: Vec<_> = kept.iter().copied().filter(|&k| k != i).collect();
        let known: HashSet<_> =
            rest.iter().flat_map(|&k| Structured::plain_loops(&s.maps[k])).collect();
        if !needed.contains(&input.key()) && known.len() == s.loops {
            kept = rest;
        }
    }
    if kept.len() == arguments.len() {
        return None;
    }
    let maps: Vec<_> = kept.iter().map(|&k| s.map_attributes[k]).collect();
    let (inputs, starts): (Vec<_>, Vec<_>) = kept.iter().partition(|&&k| k < count);
    let pick =
        |list: &[&usize]| -> Vec<Val<'c>> { list.iter().filter_map(|&&k| op.opnd(k)).collect() };
    let iterators = op.attr("iterator_types")?;
    let b = Builder::before(context, op, block);
    end.erase();
    let new = b
        .generic(&maps, &[], &pick(&inputs), &pick(&starts), |inner, elements| {
            for (&k, &element) in kept.iter().zip(elements) {
                arguments[k].replace_all_uses(element);
            }
            for statement in body.ops() {
                statement.detach();
                inner.insert(statement);
            }
            // An element may be yielded as it is.
            let renamed = kept_values.iter().map(|value| {
                let same =
                    kept.iter().zip(elements).find(|(k, _)| arguments[**k].key() == value.key());
                same.map_or(*value, |(_, new)| *new)
            });
            Ok(renamed.collect())
        })
        .ok()?;
    new.set_attr(context, "iterator_types", iterators);
    for (&j, result) in results.iter().zip(new.result_list()) {
        op.res(j)?.replace_all_uses(result);
    }
    // What reads an element that is gone is dead.
    if let Some(body) = new.body(0) {
        erase_dead_ops(body);
    }
    op.erase();
    Some(new)
}

/// Whether the body of a structured operation asks for the number of a loop.
pub fn asks_for_numbers(op: Op<'_>) -> bool {
    let mut asks = false;
    op.for_each(&mut |inner| asks |= inner.op_name() == "linalg.index");
    asks
}

/// Gives other numbers to the loops that operations in an operation ask for.
pub fn renumber<'c>(context: &'c Context, root: Op<'c>, place: &dyn Fn(usize) -> usize) {
    root.for_each(&mut |op| {
        let l = op.attr("dim").filter(|_| op.op_name() == "linalg.index").and_then(int_of);
        let new = l.and_then(|l| usize::try_from(l).ok()).map(place);
        let i64 = Type::parse(context, "i64");
        if let (Some(new), Some(i64)) = (new, i64) {
            op.set_attr(context, "dim", IntegerAttribute::new(i64, new as i64).into());
        }
    });
}

/// The values of a block that depend on others.
pub fn reached(block: Blk<'_>, from: &[Val<'_>]) -> HashSet<ValueKey> {
    let mut reached: HashSet<_> = from.iter().map(ValExt::key).collect();
    for op in block.body_ops() {
        let mut read = op.operand_list();
        read.extend(free_values(&op.blocks()));
        if read.iter().any(|value| reached.contains(&value.key())) {
            reached.extend(op.result_list().iter().map(ValExt::key));
        }
    }
    reached
}

/// The values of a block that others depend on, these included.
fn read_for(block: Blk<'_>, values: &[Val<'_>]) -> HashSet<ValueKey> {
    let mut needed: HashSet<_> = values.iter().map(ValExt::key).collect();
    for op in block.body_ops().into_iter().rev() {
        let is_needed = !ad_dialect::capi::is_trivially_dead(op)
            || op.result_list().iter().any(|result| needed.contains(&result.key()));
        if is_needed {
            needed.extend(op.operand_list().iter().map(ValExt::key));
            needed.extend(free_values(&op.blocks()).iter().map(ValExt::key));
        }
    }
    needed
}

/// Whether a structured operation adds something to what is there.
pub fn adds_up(s: &Structured<'_>) -> bool {
    let arguments = s.body.arg_list();
    let (Some(&old), Some(new)) = (arguments.last(), s.body.term().and_then(|end| end.opnd(0)))
    else {
        return false;
    };
    let is_sum = new.defining_op().is_some_and(|op| {
        op.op_name() == "arith.addf" && op.operand_list().iter().any(|&term| same_value(term, old))
    });
    is_sum && old.users().len() == 1
}

/// Whether an operation on tensors computes each element of its results by itself.
pub fn makes_elements(op: Op<'_>) -> bool {
    Structured::of(op).is_some_and(|s| op.result_count() == s.inits.len() && is_of_all_loops(&s))
}

/// Whether each output has an element for each point of the iteration space.
pub fn is_of_all_loops(s: &Structured<'_>) -> bool {
    s.output_maps().iter().all(|map| {
        let plain: HashSet<_> = Structured::plain_loops(map).into_iter().collect();
        map.len() == s.loops && plain.len() == s.loops
    })
}

/// Whether a map goes through every element of an array of the shape exactly once.
pub fn covers_once(map: &[Expr], shape: &[i64], loops: usize) -> bool {
    let plain = Structured::plain_loops(map);
    let distinct: HashSet<_> = plain.iter().collect();
    let fixed = map.iter().zip(shape).all(|(index, &size)| match index {
        Expr::Loop(_) => true,
        Expr::Constant(0) => size == 1,
        _ => false,
    });
    fixed && plain.len() == loops && distinct.len() == loops
}

/// The outputs whose elements the body does not read, although some may stay what they are.
pub fn kept_unread(s: &Structured<'_>) -> Vec<usize> {
    let arguments = s.body.arg_list();
    let outs = arguments.iter().skip(s.inputs.len()).zip(s.output_maps()).zip(&s.inits);
    let is_kept = |((out, map), init): ((&Val<'_>, &Vec<Expr>), &Val<'_>)| {
        out.users().is_empty() && !covers_once(map, &init.r#type().shape(), s.loops)
    };
    outs.enumerate().filter_map(|(j, out)| is_kept(out).then_some(j)).collect()
}

/// The value of an index at points of loops; where there is none, at 0.
pub fn index_at<'c>(b: &Builder<'c>, index: &Expr, points: &[Option<Val<'c>>]) -> Val<'c> {
    let both = |name: &str, pair: &[Expr; 2]| {
        b.same(name, &[index_at(b, &pair[0], points), index_at(b, &pair[1], points)])
    };
    match index {
        Expr::Loop(l) => points.get(*l).copied().flatten().unwrap_or_else(|| b.index(0)),
        Expr::Constant(c) => b.index(*c),
        Expr::Add(pair) => both("arith.addi", pair),
        Expr::Mul(pair) => both("arith.muli", pair),
        Expr::Mod(pair) => both("arith.remsi", pair),
        Expr::FloorDiv(pair) => both("arith.floordivsi", pair),
        Expr::CeilDiv(pair) => both("arith.ceildivsi", pair),
    }
}

/// Where an array is read along a dimension: at the sum of loops, each of which is there once, times numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// The loops, and what each is multiplied by.
    pub terms: Vec<(usize, i64)>,
    /// What is added.
    pub first: i64,
}

impl Index {
    /// That which an expression is.
    pub fn of(index: &Expr) -> Option<Self> {
        let both = |pair: &[Expr; 2]| Some((Self::of(&pair[0])?, Self::of(&pair[1])?));
        match index {
            Expr::Loop(l) => Some(Self { terms: vec![(*l, 1)], first: 0 }),
            Expr::Constant(first) => Some(Self { terms: vec![], first: *first }),
            Expr::Add(pair) => {
                let (x, y) = both(pair)?;
                Some(Self { terms: [x.terms, y.terms].concat(), first: x.first + y.first })
            }
            Expr::Mul(pair) => {
                let (x, y) = both(pair)?;
                let (x, factor) = match (&x.terms[..], &y.terms[..]) {
                    (_, []) => (x, y.first),
                    ([], _) => (y, x.first),
                    _ => return None,
                };
                let terms = x.terms.iter().map(|&(l, by)| (l, by * factor)).collect();
                (factor > 0).then_some(Self { terms, first: x.first * factor })
            }
            _ => None,
        }
    }

    /// The loop that the index is, if it is one.
    pub fn plain(&self) -> Option<usize> {
        match self.terms[..] {
            [(l, 1)] if self.first == 0 => Some(l),
            _ => None,
        }
    }
}

/// The loops of the dimensions that an array has as one that is read at loops alone.
pub fn loops_of(indices: &[Index]) -> Vec<usize> {
    indices.iter().flat_map(|index| index.terms.iter().map(|(l, _)| *l)).collect()
}

/// The indices of a map, if each loop is in them at most once.
pub fn indices_of(map: &[Expr]) -> Option<Vec<Index>> {
    let indices: Vec<_> = map.iter().map(Index::of).collect::<Option<_>>()?;
    let loops = loops_of(&indices);
    let is_once = |l: &usize| loops.iter().filter(|other| *other == l).count() == 1;
    loops.iter().all(is_once).then_some(indices)
}
