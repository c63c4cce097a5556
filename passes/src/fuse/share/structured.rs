//! What a structured operation computes of elements and a later one computes again of them is read from there.
//!
//! ```text
//! h[i, j] = tanh(p[i, j] + b[j]);  q = h w;  ...
//! d[i, j] = e[i, j] (1 - tanh(p[i, j] + b[j])^2)      =>  d[i, j] = e[i, j] (1 - h[i, j]^2)
//! s[j] += e[i, j] (1 - tanh(p[i, j] + b[j])^2)        =>  s[j] += d[i, j]
//! ```
//! That is what a derivative looks like: the return sweep of an operation begins with its body, and runs once for each kind
//! of input. It pays if what is read is an array anyway, as products of matrices need it, and if no more arrays of all
//! elements are read than before.

use std::collections::{BTreeSet, HashMap};

use ad_dialect::{
    ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, ValueKey},
    linalg::{Expr, Structured},
};
use melior::{
    Context,
    ir::{Attribute, operation::OperationLike},
};

use super::{Known, Numbers, Term};
use crate::{
    lower::contractions_to_gpu::Contraction,
    raise::linalg::is_reduction,
    support::{
        builder::Builder,
        diag::Result,
        elementwise::is_elementwise,
        region::{ValueMap, clone_op, erase_dead_ops, renamed_ends, replace},
        structured::{drop_unneeded, makes_elements},
    },
};

/// Shares values among the structured operations of a block; returns how many of them read more than before.
pub fn share_all<'c>(context: &'c Context, block: Blk<'c>) -> Result<u64> {
    let mut shared = 0;
    let mut made = Made::default();
    for op in block.ops() {
        let Some(s) = Structured::of(op).filter(|s| op.result_count() == s.inits.len()) else {
            continue;
        };
        let known = made.of_body(&s);
        let found = made.made_before(&s, &known);
        let yielded: Vec<_> =
            s.body.ends().iter().map(|value| known.get(&value.key()).copied()).collect();
        let last = if pays(&s, &found) {
            shared += 1;
            let b = Builder::before(context, op, block).with_location(op.location());
            read_instead(&b, op, &s, &found)?
        } else {
            op
        };
        made.add(last, &s, &yielded);
    }
    Ok(shared)
}

/// A value of a body that is the element of an array.
struct Found<'c> {
    value: Val<'c>,
    array: Val<'c>,
    map: Attribute<'c>,
}

/// What operations make, by the numbers of the values that they store.
#[derive(Default)]
struct Made<'c> {
    numbers: Numbers,
    /// The loops that values depend on.
    loops: HashMap<usize, BTreeSet<usize>>,
    /// The numbers of the elements of arrays.
    elements: HashMap<(ValueKey, Vec<Expr>), usize>,
    /// The arrays of elements, and the maps by which they were stored.
    stored: HashMap<usize, (Val<'c>, Attribute<'c>)>,
}

impl<'c> Made<'c> {
    /// The numbers of the values in a body, as far as they are arithmetic on elements.
    fn of_body(&mut self, s: &Structured<'c>) -> Known {
        let mut known = Known::new();
        for ((argument, array), map) in s.body.arg_list().iter().zip(&s.inputs).zip(&s.maps) {
            let made = self.elements.get(&(array.key(), map.clone())).copied();
            let element = || self.numbers.number(Term::Element(array.key(), map.clone()));
            let number = made.unwrap_or_else(element);
            let loops = Structured::plain_loops(map).into_iter().collect();
            self.loops.entry(number).or_insert(loops);
            known.insert(argument.key(), number);
        }
        for op in s.body.body_ops() {
            if let Some((number, operands)) = self.numbers.of_op(op, s.body, &mut known) {
                let of_operand = |operand| self.loops.get(operand).into_iter().flatten().copied();
                let loops = operands.iter().flat_map(of_operand).collect();
                self.loops.entry(number).or_insert(loops);
            }
        }
        known
    }

    /// The values that earlier operations have made, of those that results need if they are there.
    fn made_before(&self, s: &Structured<'c>, known: &Known) -> Vec<Found<'c>> {
        let mut found: Vec<Found<'c>> = vec![];
        let (mut open, mut seen) = (s.body.ends(), BTreeSet::new());
        while let Some(value) = open.pop() {
            let Some(op) = value.defining_op().filter(|op| op.block() == Some(s.body)) else {
                continue;
            };
            if !seen.insert(value.key()) {
                continue;
            }
            let number = known.get(&value.key());
            match number.and_then(|number| self.stored.get(number)) {
                Some(&(array, map)) if !array.users().is_empty() => {
                    found.push(Found { value, array, map });
                }
                _ => open.extend(op.operand_list()),
            }
        }
        found
    }

    /// Notes what an operation makes of each point, where it is an array in any case. It yields values with these numbers.
    fn add(&mut self, op: Op<'c>, s: &Structured<'c>, yielded: &[Option<usize>]) {
        if !makes_elements(op) {
            return;
        }
        let of_results = s.map_attributes[s.inputs.len()..].iter().zip(s.output_maps());
        let results = op.result_list();
        for ((&array, number), (&attribute, map)) in results.iter().zip(yielded).zip(of_results) {
            let &Some(number) = number else { continue };
            self.elements.insert((array.key(), map.clone()), number);
            let is_whole = self.loops.get(&number).is_some_and(|loops| loops.len() == s.loops);
            if is_whole && array.users().into_iter().any(needs_array) {
                self.stored.entry(number).or_insert((array, attribute));
            }
        }
    }
}

/// Whether an operation reads an array that has to be there: it is not one whose elements can be computed where it reads them.
fn needs_array(user: Op<'_>) -> bool {
    let is_sum = is_reduction(user) && Contraction::of(user).is_none();
    !(makes_elements(user) || is_sum || is_elementwise(user) || user.op_name() == "tensor.dim")
}

/// Whether no more arrays with an element for each point are read than before.
fn pays<'c>(s: &Structured<'c>, found: &[Found<'c>]) -> bool {
    let (mut open, mut seen) = (s.body.ends(), BTreeSet::new());
    while let Some(value) = open.pop() {
        if !seen.insert(value.key()) || found.iter().any(|it| it.value.key() == value.key()) {
            continue;
        }
        open.extend(value.defining_op().into_iter().flat_map(|op| op.operand_list()));
    }
    let is_whole = |map: &Vec<Expr>| {
        Structured::plain_loops(map).into_iter().collect::<BTreeSet<_>>().len() == s.loops
    };
    let arguments = s.body.arg_list();
    let whole = s.inputs.iter().zip(&s.maps).zip(&arguments).filter(|((_, map), _)| is_whole(map));
    let dropped = whole.filter(|((array, _), argument)| {
        !seen.contains(&argument.key()) && !found.iter().any(|it| it.array.key() == array.key())
    });
    let is_new = |it: &&Found<'c>| s.inputs.iter().all(|input| input.key() != it.array.key());
    !found.is_empty() && found.iter().filter(is_new).count() <= dropped.count()
}

/// Puts an operation in the place of one that reads values in place of computing them.
fn read_instead<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    s: &Structured<'c>,
    found: &[Found<'c>],
) -> Result<Op<'c>> {
    let count = s.inputs.len();
    let inputs: Vec<_> = s.inputs.iter().copied().chain(found.iter().map(|it| it.array)).collect();
    let (ins, outs) = s.map_attributes.split_at(count);
    let read: Vec<_> = found.iter().map(|it| it.map).collect();
    let maps = [ins, &read, outs].concat();
    let new = b.generic(&maps, &s.written(), &inputs, &s.inits, |b, elements| {
        let (own, others) = elements.split_at(count);
        let (read, outs) = others.split_at(found.len());
        let arguments = s.body.arg_list();
        let mut names: ValueMap<'c> =
            arguments.iter().map(ValExt::key).zip(own.iter().chain(outs).copied()).collect();
        for inner in s.body.body_ops() {
            clone_op(&b, inner, &mut names);
            names.extend(found.iter().map(|it| it.value.key()).zip(read.iter().copied()));
        }
        Ok(renamed_ends(s.body, &names))
    })?;
    replace(op, &new.result_list());
    if let Some(body) = new.body(0) {
        erase_dead_ops(body);
    }
    Ok(drop_unneeded(b.context(), new, |_| true).unwrap_or(new))
}
