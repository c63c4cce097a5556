//! `ad-reuse-buffers`: a result is first the storage of what is read before the result is written.
//!
//! ```text
//! for i < n:            p[i] = ...               for i < n:            r[i] = ...
//! for i = n - 1 .. 0:   r[i] = f p[i - 1]  ==>   for i = n - 1 .. 0:   r[i] = f r[i - 1]
//! ```
//! What a recurrence keeps for the way back is read there once, from the last to the first, while the cotangents of the
//! inputs are written in the same order. The two have as many rows, so that one buffer is enough: half the memory, which
//! is new at each call, and less to read and to write.
//!
//! Requires that the later loop is a recurrence, so that its iterations stay in order; that it only reads the one buffer
//! and only writes to rows of the other that no later iteration reads, after it has read; and that nothing else uses the
//! one after it, or the other before it.
//!
//! Run it after `ad-vectorize`, whose loops it leaves alone, and before buffers are freed.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    combinator::constant_index,
    memory,
    place::{Place, Sum},
    region::{beside, is_within, values_inside},
    row_major::position,
};

/// Runs the pass; returns how many buffers are gone.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut loops = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "scf.for" && op.result_count() > 0 {
            loops.push(op);
        }
    });
    let pairs = loops.into_iter().filter_map(Reader::of).filter_map(|reader| reader.pair());
    pairs.map(|pair| pair.merge(context).map_or(0, |()| 1)).sum()
}

/// A loop without loops in it, and what it does with memory, in order.
struct Reader<'c> {
    root: Op<'c>,
    body: Blk<'c>,
    accesses: Vec<Access<'c>>,
}

/// A load, or whatever else uses a buffer.
struct Access<'c> {
    op: Op<'c>,
    base: Val<'c>,
    /// The row of the buffer, if it is one.
    row: Option<Sum>,
    is_load: bool,
}

impl<'c> Reader<'c> {
    fn of(root: Op<'c>) -> Option<Self> {
        let body = root.body(0)?;
        let mut accesses = vec![];
        for op in body.body_ops() {
            if !op.blocks().is_empty() {
                return None;
            }
            if !memory::is_view(op.op_name()) {
                let arrays = op.operand_list().into_iter().filter(|value| memory::is_array(*value));
                accesses.extend(arrays.map(|array| Access::of(op, array)));
            }
        }
        Some(Self { root, body, accesses })
    }

    /// A buffer that it reads and one that it writes, which can be one.
    fn pair(&self) -> Option<Pair<'c>> {
        let candidates = |is_load: bool| {
            let mut seen = HashSet::new();
            let of_kind = self.accesses.iter().filter(move |access| access.is_load == is_load);
            of_kind.filter(move |access| seen.insert(access.base.key())).map(|access| access.base)
        };
        let mut pairs = candidates(false).filter_map(|result| Some((result, self.row_of(result)?)));
        pairs.find_map(|(result, row)| {
            let mut kept = candidates(true).filter(|kept| self.reads_in_time(*kept, result, &row));
            kept.find_map(|kept| Pair::of(self.root, kept, result))
        })
    }

    fn of_buffer(&self, base: Val<'c>) -> impl Iterator<Item = &Access<'c>> {
        self.accesses.iter().filter(move |access| access.base.key() == base.key())
    }

    /// The row of a result that an iteration uses: none if it uses several, or another may use it, too.
    fn row_of(&self, result: Val<'c>) -> Option<Sum> {
        let mut rows = self.of_buffer(result).map(|access| access.row.clone());
        let row = rows.next()??;
        rows.all(|other| other.as_ref() == Some(&row)).then_some(())?;
        let number = self.body.arg_list().first()?.key();
        let inside = values_inside(self.root);
        let is_fixed = row.values().all(|key| key == number || !inside.contains(&key));
        (is_fixed && row.times(number).abs() == 1).then_some(row)
    }

    /// Whether what is kept is only read, before the result is written, and at rows that no earlier iteration has written.
    fn reads_in_time(&self, kept: Val<'c>, result: Val<'c>, row: &Sum) -> bool {
        let Some(&number) = self.body.arg_list().first() else { return false };
        let direction = row.times(number.key());
        let is_free = |read: Sum| {
            let distance = read.plus(row, -1).as_constant();
            distance.is_some_and(|distance| distance * direction >= 0)
        };
        let first_write = self.of_buffer(result).next();
        self.of_buffer(kept).all(|access| {
            access.is_load
                && first_write.is_some_and(|write| access.op.is_before(write.op))
                && access.op.opnd(0).is_some_and(|array| array.key() == kept.key())
                && access.op.opnd(1).is_some_and(|index| choices(index).into_iter().all(is_free))
        })
    }
}

impl<'c> Access<'c> {
    fn of(op: Op<'c>, array: Val<'c>) -> Self {
        let is_load = op.op_name() == "memref.load";
        let first = if is_load { 1 } else { 2 };
        let place = if is_load || op.op_name() == "memref.store" {
            let indices = op.operand_list().into_iter().skip(first);
            Place::new(array, indices.map(Sum::of).collect())
        } else {
            Place::anywhere(array)
        };
        let row = place.at.into_iter().next().flatten();
        Self { op, base: place.base, row, is_load }
    }
}

/// What an index may be.
fn choices(index: Val<'_>) -> Vec<Sum> {
    match index.defining_op().filter(|op| op.op_name() == "arith.select") {
        Some(op) => op.operand_list().into_iter().skip(1).flat_map(choices).collect(),
        None => vec![Sum::of(index)],
    }
}

/// Two buffers that can be one.
struct Pair<'c> {
    kept: Op<'c>,
    result: Op<'c>,
    /// What reads and writes the former.
    users: Vec<Op<'c>>,
}

impl<'c> Pair<'c> {
    fn of(root: Op<'c>, kept: Val<'c>, result: Val<'c>) -> Option<Self> {
        let block = root.block()?;
        let allocation = |array: Val<'c>| {
            let op = array.defining_op().filter(|op| op.op_name() == "memref.alloc")?;
            (op.block() == Some(block)).then_some(op)
        };
        let pair =
            Self { kept: allocation(kept)?, result: allocation(result)?, users: kept.users() };
        let is_in_time = |op: &Op<'c>| is_within(*op, root) || comes_before(*op, root);
        let fits = pair.kept.is_before(pair.result)
            && pair.has_same_rows()
            && pair.users.iter().all(|user| is_in_time(user) && pair.indices(*user).is_some())
            && result
                .users()
                .iter()
                .all(|user| user.key() != root.key() && !comes_before(*user, root));
        fits.then_some(pair)
    }

    /// Whether both have as many rows, and as many elements in each, next to each other.
    fn has_same_rows(&self) -> bool {
        let keys = |op: Op<'c>| op.operand_list().iter().map(ValExt::key).collect::<Vec<_>>();
        let row = |op: Op<'c>| {
            let array = op.res(0)?;
            let is_dense = !array.r#type().to_string().contains(',');
            let sizes = (1..memory::rank(array)).map(|d| memory::static_size(array, d));
            let count: i64 = sizes.collect::<Option<Vec<_>>>()?.into_iter().product();
            is_dense.then_some((memory::element(array)?, memory::static_size(array, 0), count))
        };
        row(self.kept).is_some()
            && row(self.kept) == row(self.result)
            && keys(self.kept) == keys(self.result)
            && self.kept.attr("alignment") == self.result.attr("alignment")
    }

    /// The row that a load or store accesses, and the number of the element in it.
    fn indices(&self, user: Op<'c>) -> Option<(Val<'c>, i64)> {
        let operands = user.operand_list();
        let at = match user.op_name() {
            "memref.load" => &operands[1..],
            "memref.store" if operands[1].key() == self.kept.res(0)?.key() => &operands[2..],
            _ => return None,
        };
        let (&row, columns) = at.split_first()?;
        let array = self.kept.res(0)?;
        let number = columns.iter().zip(1..).try_fold(0, |number, (&column, d)| {
            Some(number * memory::static_size(array, d)? + constant_index(column)?)
        });
        Some((row, number?))
    }

    fn merge(&self, context: &'c Context) -> Option<()> {
        let result = self.result.res(0)?;
        let sizes = (1..memory::rank(result)).map(|d| memory::static_size(result, d));
        let sizes = sizes.collect::<Option<Vec<_>>>()?;
        for &user in &self.users {
            let (row, number) = self.indices(user)?;
            let b = Builder::before(context, user, user.block()?);
            let columns = position(number, &sizes).into_iter().map(|index| b.index(index));
            let at: Vec<_> = std::iter::once(row).chain(columns).collect();
            match user.res(0) {
                Some(value) => value.replace_all_uses(memory::load(&b, result, &at)),
                None => memory::store(&b, user.opnd(0)?, result, &at),
            }
            user.erase();
        }
        let b = Builder::before(context, self.kept, self.kept.block()?);
        self.result.detach();
        b.insert(self.result);
        self.kept.erase();
        Some(())
    }
}

/// Whether an operation comes before another one in its block, or is inside of one that does.
fn comes_before(op: Op<'_>, other: Op<'_>) -> bool {
    beside(op, other.block()).is_some_and(|op| op.is_before(other))
}
