//! A loop behind a contraction whose iterations read the sums of a row in several bands of its columns, as the gates of an
//! LSTM do: whoever has these sums runs the iteration, so that nobody reads them again, and often nobody writes them.
//!
//! ```text
//! C[m, n] += A[m, k] B[k, n];  for all i, j < h:  D[i, j] = f(C[i, j], C[i, h + j], .., E[i, j])
//! ```

use std::collections::{HashMap, hash_map::Entry};

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, Val, ValExt};
use melior::{Context, ir::operation::OperationLike};

use super::{
    bands::Bands,
    follower::{clear_way, following, others_read},
    kernel::Start,
    shape::{Contraction, Sizes},
};
use crate::support::{
    bounds::of_parallel,
    builder::{Builder, CMP_EQ, CMP_SLE, same_value},
    combinator::constant_index,
    memory::{Strided, address, base, bytes_of, element, is_any_view, is_array, is_pure, rank},
    place::{Place, Sum},
    region::{ValueMap, clone_op, is_outside},
    roots::are_apart,
};

/// The bands that there may be.
const BANDS: [i64; 2] = [2, 4];

/// A parallel loop over rows, and over the columns of a band.
pub struct Consumer<'c> {
    pub op: Op<'c>,
    /// How many rows, and columns of a band, there are.
    counts: [Val<'c>; 2],
    /// The numbers of an iteration.
    numbers: [Val<'c>; 2],
    body: Blk<'c>,
    /// What reads sums, and of which band.
    reads: Vec<(Op<'c>, usize)>,
    /// How many bands there are.
    pub bands: i64,
    /// The array of the sums.
    sums: Val<'c>,
    /// Whether others read the sums, too.
    pub keeps_sums: bool,
}

impl<'c> Consumer<'c> {
    /// What comes right behind a contraction and is nothing but that. `start` is what the sums begin with.
    pub fn of(
        b: &Builder<'c>,
        contraction: &Contraction<'c>,
        start: Option<Op<'c>>,
    ) -> Option<Self> {
        let op = following(contraction.op)?;
        let is_plain = op.op_name() == "scf.forall" && op.result_count() == 0;
        let body = op.body(0).filter(|_| is_plain && op.attr("mapping").is_none())?;
        let [i, j] = body.arg_list()[..] else { return None };
        let sums = contraction.result();
        if rank(sums) != 2 || contraction.has_border() || !contraction.has_single_sides() {
            return None;
        }
        let of_sums = |array: Val<'c>| is_array(array) && base(array).key() == base(sums).key();
        let (counts, mut reads) = (counts(b, op)?, vec![]);
        let column = |band| Sum::of(j).plus(&Sum::of(counts[1]), band);
        let places = (0..BANDS[1]).map(|band| Place::new(sums, vec![Sum::of(i), column(band)]));
        let places: Vec<_> = places.collect();
        for inner in body.body_ops() {
            let is_view = is_any_view(inner.op_name());
            let array = inner.operand_list().into_iter().find(|operand| of_sums(*operand));
            match (inner.op_name(), array) {
                ("memref.load", Some(_)) => {
                    let at = inner.operand_list().into_iter().skip(1).map(Sum::of).collect();
                    let read = Place::new(inner.opnd(0)?, at);
                    reads.push((inner, places.iter().position(|place| place.is(&read))?));
                }
                ("memref.dim", Some(_)) => {}
                (_, Some(_)) if is_view => {}
                ("memref.load" | "memref.store", None) => {}
                (_, None) if is_pure(inner) && inner.op_name() != "memref.alloc" => {}
                _ => return None,
            }
        }
        let last = reads.iter().map(|(_, band)| *band as i64).max()?;
        let bands = BANDS.into_iter().find(|&count| last < count).filter(|_| last > 0)?;
        let keeps_sums = others_read(contraction, op, start);
        Some(Self { op, counts, numbers: [i, j], body, reads, bands, sums, keeps_sums })
    }

    /// Moves what is between the contraction and this in front of the contraction.
    pub fn clear_way(&self, context: &'c Context, contraction: Op<'c>) {
        clear_way(context, contraction, self.op);
    }

    /// Whether a contraction has the rows and columns that there are iterations for, and can run them, as far as that has to be
    /// asked when the program runs.
    pub fn fits(
        &self,
        b: &Builder<'c>,
        contraction: &Contraction<'c>,
        sizes: &Sizes<'c>,
        bands: Bands,
        start: Start<'c>,
    ) -> Option<Val<'c>> {
        let [rows, width] = self.counts;
        let columns = b.mul(width, b.index(bands.count));
        let left = b.same("arith.remsi", &[width, b.index(bands.run)]);
        let conditions = [
            b.compare(CMP_EQ, sizes.rows, rows),
            b.compare(CMP_EQ, sizes.columns, columns),
            b.compare(CMP_EQ, left, b.index(0)),
            self.is_apart(b, contraction, start)?,
        ];
        conditions.into_iter().reduce(|x, y| b.same("arith.andi", &[x, y]))
    }

    /// Whether what iterations write is not read by the contraction for others, and what they access is not where sums are,
    /// as far as that has to be asked when the program runs.
    fn is_apart(
        &self,
        b: &Builder<'c>,
        contraction: &Contraction<'c>,
        start: Start<'c>,
    ) -> Option<Val<'c>> {
        let (Start::Number(start) | Start::Array(start)) = start;
        let read = [contraction.op.operand_list(), vec![start, self.sums]].concat();
        let read: Vec<_> = read.into_iter().filter(|value| is_array(*value)).collect();
        let mut pairs: Vec<[Val<'c>; 2]> = vec![];
        for op in self.body.body_ops() {
            let is_write = op.op_name() == "memref.store";
            let array = op.opnd(usize::from(is_write));
            let array = array.filter(|_| is_write || op.op_name() == "memref.load");
            let Some(array) = array.map(|array| self.outer(array)) else { continue };
            if self.reads.iter().any(|(read, _)| read.key() == op.key()) {
                continue;
            }
            let others = if is_write { &read[..] } else { &[self.sums] };
            pairs.extend(others.iter().map(|&other| [array, other]));
        }
        if pairs.iter().any(|[x, y]| same_value(*x, *y)) {
            return None;
        }
        pairs.retain(|[x, y]| !are_apart(*x, *y));
        let mut extents = HashMap::new();
        for array in pairs.concat() {
            if let Entry::Vacant(new) = extents.entry(array.key()) {
                new.insert(extent(b, array)?);
            }
        }
        let mut apart = b.truth(true);
        for [x, y] in pairs {
            let [(first, end), (other_first, other_end)] = [x, y].map(|it| extents[&it.key()]);
            let before = b.compare(CMP_SLE, end, other_first);
            let behind = b.compare(CMP_SLE, other_end, first);
            let either = b.same("arith.ori", &[before, behind]);
            apart = b.same("arith.andi", &[apart, either]);
        }
        Some(apart)
    }

    /// The array outside of the loop that one is a part of.
    fn outer(&self, array: Val<'c>) -> Val<'c> {
        match array.defining_op().filter(|_| !is_outside(self.op, array)) {
            Some(view) => view.opnd(0).map_or(array, |whole| self.outer(whole)),
            None => array,
        }
    }

    /// Runs the iteration of a row and a column, of which there are these sums.
    pub fn run(&self, b: &Builder<'c>, at: [Val<'c>; 2], sums: &[Val<'c>]) {
        let reads: Vec<(OpKey, usize)> = self.reads.iter().map(|(op, k)| (op.key(), *k)).collect();
        let mut names: ValueMap<'c> = self.numbers.iter().map(ValExt::key).zip(at).collect();
        for op in self.body.body_ops() {
            match reads.iter().find(|(read, _)| *read == op.key()).zip(op.res(0)) {
                Some(((_, band), read)) => {
                    names.insert(read.key(), sums[*band]);
                }
                None => {
                    clone_op(b, op, &mut names);
                }
            }
        }
    }
}

/// How many iterations a loop of two dimensions has along each, where all are counted from 0, one after the other.
fn counts<'c>(b: &Builder<'c>, forall: Op<'c>) -> Option<[Val<'c>; 2]> {
    let bounds: [_; 2] = of_parallel(b, forall)?.try_into().ok()?;
    let is_plain = |[first, _, step]: [Val<'c>; 3]| {
        constant_index(first) == Some(0) && constant_index(step) == Some(1)
    };
    bounds.into_iter().all(is_plain).then(|| bounds.map(|[_, end, _]| end))
}

/// The addresses between which an array lies.
fn extent<'c>(b: &Builder<'c>, array: Val<'c>) -> Option<(Val<'c>, Val<'c>)> {
    let bytes = bytes_of(element(array)?)?;
    let first = address(b, array, &vec![b.index(0); rank(array)])?;
    let all = Strided::of(b, array)?;
    let (zero, one) = (b.index(0), b.index(1));
    let (mut before, mut behind) = (zero, one);
    for (&size, &stride) in all.sizes.iter().zip(&all.strides) {
        let last = b.mul(b.sub(size, one), stride);
        before = b.add(before, b.same("arith.minsi", &[last, zero]));
        behind = b.add(behind, b.same("arith.maxsi", &[last, zero]));
    }
    let at = |elements| b.add(first, b.mul(elements, b.index(bytes)));
    Some((at(before), at(behind)))
}
