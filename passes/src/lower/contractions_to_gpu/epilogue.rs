//! What is made of each element of a contraction, such as a layer's activation: whoever has the sums of a tile makes it, so
//! that nobody reads them again, and often nobody writes them.
//!
//! ```text
//! C[m, n] += A[m, k] B[k, n];  D[m, n] = f(C[m, n], b[n], E[n, m])
//! ```

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, Val, ValExt, int_of},
    linalg::Structured,
};
use melior::{Context, ir::operation::OperationLike};

use super::{
    body::computes,
    follower::{clear_way, following, others_read},
    shape::Contraction,
};
use crate::{
    make_in_place::uses::{Use, uses_of},
    support::{
        builder::{Builder, same_value},
        memory::{base, is_array, load, store},
        region::{ValueMap, beside, clone_op, free_values, renamed_ends},
        structured::is_of_all_loops,
    },
};

/// An operation that makes elements of those of a contraction.
pub struct Epilogue<'c> {
    pub op: Op<'c>,
    s: Structured<'c>,
    /// The array of the sums.
    sums: Val<'c>,
    /// The loop of each of its dimensions.
    loops: Vec<usize>,
    /// Whether others read the sums, too.
    pub keeps_sums: bool,
}

/// An element that the body reads.
#[derive(Clone, Copy)]
pub enum Source<'c> {
    /// That of the sums.
    Sum,
    /// That of an array, whose number as an operand it is.
    Element(usize),
    /// The same number for all.
    Number(Val<'c>),
    /// Nobody reads it.
    Nothing,
}

impl<'c> Epilogue<'c> {
    /// What comes right behind a contraction and is nothing but that. `start` is what the sums begin with.
    pub fn of(contraction: &Contraction<'c>, start: Option<Op<'c>>) -> Option<Self> {
        let sums = contraction.result();
        let op = following(contraction.op)?;
        let s = Structured::of(op).filter(|s| op.result_count() == 0 && is_of_all_loops(s))?;
        let number = s.inputs.iter().chain(&s.inits).position(|&it| same_value(it, sums))?;
        let loops = Structured::plain_loops(&s.maps[number]);
        let writes_sums = s.inits.iter().any(|&output| same_value(output, sums));
        let keeps_sums = !writes_sums && others_read(contraction, op, start);
        let made = Self { op, s, sums, loops, keeps_sums };
        (!contraction.has_border() && made.is_plain() && made.is_apart(contraction, start))
            .then_some(made)
    }

    /// Whether the body computes numbers of elements, each of which is read at one place.
    fn is_plain(&self) -> bool {
        let Self { s, .. } = self;
        let is_permutation = |map: &[usize]| {
            let mut sorted = map.to_vec();
            sorted.sort_unstable();
            sorted.into_iter().eq(0..s.loops)
        };
        let mut operands = s.inputs.iter().chain(&s.inits).zip(&s.maps).enumerate();
        let is_read = |(k, (&array, map)): (usize, (&Val<'c>, &Vec<_>))| {
            let plain = Structured::plain_loops(map);
            let is_there = plain.len() == map.len();
            let is_of_sums = is_array(array) && base(array).key() == base(self.sums).key();
            let is_in_place = same_value(array, self.sums) && plain == self.loops;
            let is_unread = k < s.inputs.len() || s.body.arg_list()[k].users().is_empty();
            is_there && (!is_of_sums || is_in_place) && (is_unread || is_in_place)
        };
        is_permutation(&self.loops)
            && s.body.body_ops().iter().all(computes)
            && free_values(&[s.body]).iter().all(|value| !is_array(*value))
            && operands.all(is_read)
    }

    /// Whether nothing that the contraction, its start or the body reads is written, but for the sums themselves.
    fn is_apart(&self, contraction: &Contraction<'c>, start: Option<Op<'c>>) -> bool {
        let Self { s, op, .. } = self;
        let ops = [Some(contraction.op), start].into_iter().flatten();
        let read = ops.flat_map(|op| op.operand_list()).chain(s.inputs.iter().copied());
        let read: Vec<_> = read.collect();
        let others = read.into_iter().filter(|array| is_array(*array)).map(base);
        let others: Vec<_> = others.filter(|it| it.key() != base(self.sums).key()).collect();
        s.inits.iter().enumerate().all(|(j, &output)| {
            let own = base(output);
            let is_new = || is_only_name(own) || is_first_access(*op, own);
            let is_other = |array: &Val<'c>| array.key() == own.key();
            let is_once = s.inits[..j].iter().all(|before| base(*before).key() != own.key());
            is_once
                && (same_value(output, self.sums)
                    || !others.iter().any(is_other) && own.defining_op().is_some() && is_new())
        })
    }

    /// Moves what is between the contraction and this in front of the contraction, so that one operation can take the place of
    /// both.
    pub fn clear_way(&self, context: &'c Context, contraction: Op<'c>) {
        clear_way(context, contraction, self.op);
    }

    /// What the body reads, as many as there are arguments.
    pub fn sources(&self) -> Vec<Source<'c>> {
        let Self { s, .. } = self;
        let arguments = s.body.arg_list().into_iter().zip(s.inputs.iter().chain(&s.inits));
        let source = |(k, (argument, &operand)): (usize, (Val<'c>, &Val<'c>))| match operand {
            _ if argument.users().is_empty() => Source::Nothing,
            _ if same_value(operand, self.sums) => Source::Sum,
            _ if is_array(operand) => Source::Element(k),
            _ => Source::Number(operand),
        };
        arguments.enumerate().map(source).collect()
    }

    /// The numbers of the operands that are made.
    pub fn outputs(&self) -> std::ops::Range<usize> {
        self.s.inputs.len()..self.s.maps.len()
    }

    /// An operand.
    pub fn operand(&self, number: usize) -> Val<'c> {
        let inputs = self.s.inputs.len();
        number.checked_sub(inputs).map_or_else(|| self.s.inputs[number], |j| self.s.inits[j])
    }

    /// Where an operand has what belongs to an element of the sums.
    pub fn place(&self, number: usize, at: &[Val<'c>]) -> Vec<Val<'c>> {
        let loops = Structured::plain_loops(&self.s.maps[number]);
        let index = |l: &usize| at[self.loops.iter().position(|own| own == l).unwrap_or_default()];
        loops.iter().map(index).collect()
    }

    /// Whether an operand has its elements in the order of the sums.
    pub fn is_in_order(&self, number: usize) -> bool {
        Structured::plain_loops(&self.s.maps[number]) == self.loops
    }

    /// What is made of elements, at a place in the array of sums.
    pub fn make(&self, b: &Builder<'c>, at: &[Val<'c>], elements: &[Val<'c>]) -> Vec<Val<'c>> {
        let body = self.s.body;
        let arguments = body.arg_list();
        let mut names: ValueMap<'c> =
            arguments.iter().map(ValExt::key).zip(elements.iter().copied()).collect();
        for op in body.body_ops() {
            let number = op.attr("dim").filter(|_| op.op_name() == "linalg.index").and_then(int_of);
            let dimension = number.and_then(|l| self.loops.iter().position(|&own| own as i64 == l));
            match (dimension, op.res(0)) {
                (Some(d), Some(result)) => {
                    names.insert(result.key(), at[d]);
                }
                _ => {
                    clone_op(b, op, &mut names);
                }
            }
        }
        renamed_ends(body, &names)
    }

    /// Makes what there is of one sum.
    pub fn apply(&self, b: &Builder<'c>, at: &[Val<'c>], sum: Val<'c>) {
        let element = |source| match source {
            Source::Sum | Source::Nothing => sum,
            Source::Number(number) => number,
            Source::Element(k) => load(b, self.operand(k), &self.place(k, at)),
        };
        let elements: Vec<_> = self.sources().into_iter().map(element).collect();
        for (k, value) in self.outputs().zip(self.make(b, at, &elements)) {
            store(b, value, self.operand(k), &self.place(k, at));
        }
        if self.keeps_sums {
            store(b, sum, self.sums, at);
        }
    }
}

/// Whether the memory of an array has no names but those that are made of this one.
fn is_only_name(array: Val<'_>) -> bool {
    let alloc = array.defining_op().is_some_and(|op| op.op_name() == "memref.alloc");
    alloc && uses_of(array, |_| false).is_some()
}

/// Whether an array is allocated in the block of an operation, and nobody accesses it before that: what there is by another
/// name is other memory.
fn is_first_access<'c>(op: Op<'c>, array: Val<'c>) -> bool {
    let alloc = array.defining_op().filter(|alloc| alloc.op_name() == "memref.alloc");
    let Some(block) = op.block().filter(|own| alloc.and_then(|alloc| alloc.block()) == Some(*own))
    else {
        return false;
    };
    let is_later = |user: Op<'c>| beside(user, Some(block)).is_some_and(|at| !at.is_before(op));
    let uses = uses_of(array, |_| true).unwrap_or_default();
    uses.into_iter().filter(Use::is_access).all(|it| is_later(it.op))
}
