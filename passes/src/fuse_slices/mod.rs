//! `ad-fuse-slices`: an array that is put together from parts of others is made at once, element by element.
//!
//! ```text
//! v = insert_slice (a + b) into u[1]
//! w = insert_slice (extract_slice v[2] + c) into v[2]
//!   ==>  w = map (\i -> let v_i = if 0 <= i - 1 < |a| then a[i - 1] + b[i - 1] else u[i]
//!                       in  if 0 <= i - 2 < |c| then v_i + c[i - 2] else v_i)  (iota |u|)
//! ```
//! Stencils are written like this, and so are their derivatives: a kernel for each operation, all of which read and write
//! most of the array. Where a part is a small one of the array, its insertion in place moves less, and stays.
//!
//! What else reads an operation's result keeps it as it is, and its elements are read. An operation that is read at
//! several places is computed for each of them; if that gets much (`MOST`), it is made by itself.

mod element;
mod piece;

use std::collections::HashSet;

use ad_dialect::ir::{Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::{
    lower::forall_to_gpu::{for_each_on_host, is_outermost},
    support::{
        bounds::nest_of_maps,
        builder::Builder,
        diag::Result,
        extent::{Extent, Extents},
        region::{beside, free_values, is_there_before, replace},
        slice::Slice,
        sums::size,
    },
};
use element::Elements;
use piece::{Piece, is_most};

/// The most elements that are looked up for one of the result, for each operation that becomes part of it.
const MOST: usize = 12;

/// The most operations of a group.
const LARGEST: usize = 64;

/// Runs the pass; returns how many arrays are made at once that were made by several operations.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut found = vec![];
    for_each_on_host(module, &mut |op| {
        found.extend((Piece::of(op).is_some() && is_outermost(op)).then_some(op));
    });
    if !found.iter().any(|op| matches!(Piece::of(*op), Some(Piece::Insert { .. }))) {
        return Ok(0);
    }
    let mut gone = HashSet::new();
    let mut fused = 0;
    for root in found.into_iter().rev() {
        if gone.contains(&root.key()) {
            continue;
        }
        // If it gets too much to compute what is read at several places for each of them, that is made by itself.
        for once in [false, true] {
            let Some(group) = Group::of(root, once) else { break };
            if group.make_at_once(context)? {
                fused += group.roots.len() as u64;
                gone.extend(group.keys);
                break;
            }
        }
    }
    Ok(fused)
}

/// Operations that only the last of them need, which make arrays of the same sizes.
struct Group<'c> {
    /// Those that make what is needed.
    roots: Vec<Op<'c>>,
    /// All, each behind those that use it.
    ops: Vec<Op<'c>>,
    keys: HashSet<OpKey>,
}

impl<'c> Group<'c> {
    /// The group of an operation, if it is worth it to compute its elements one by one, of what is read at one place if
    /// `once` is set.
    fn of(root: Op<'c>, once: bool) -> Option<Self> {
        let alone = Self::of_roots(vec![root], once);
        let others = alike(root, alone.others());
        let with_others =
            (!others.is_empty()).then(|| Self::of_roots([&[root], &others[..]].concat(), once));
        let with_others = with_others.filter(Self::is_ready);
        with_others.into_iter().chain([alone]).find(Self::is_worth_it)
    }

    fn of_roots(roots: Vec<Op<'c>>, once: bool) -> Self {
        let keys = roots.iter().map(OpExt::key).collect();
        let mut group = Self { ops: roots.clone(), roots, keys };
        while group.ops.len() < LARGEST
            && let Some(next) = group
                .makers()
                .into_iter()
                .find(|&op| group.users(op).is_empty() && (!once || is_read_at_one_place(op)))
        {
            group.keys.insert(next.key());
            group.ops.push(next);
        }
        group
    }

    /// The operations in front of the group that make what it takes, element by element.
    fn makers(&self) -> Vec<Op<'c>> {
        let block = self.roots[0].block();
        let taken = self.ops.iter().flat_map(|op| op.operand_list());
        let makers = taken.filter_map(|value| value.defining_op());
        let is_new = |op: &Op<'c>| op.block() == block && !self.keys.contains(&op.key());
        makers.filter(|op| is_new(op) && Piece::of(*op).is_some()).collect()
    }

    /// What else uses what an operation makes and cannot use a part of the group's arrays in its place.
    fn users(&self, op: Op<'c>) -> Vec<Op<'c>> {
        let others = users(op).into_iter().filter(|user| !self.keys.contains(&user.key()));
        let is_part = op.result_count() == 1 && self.roots.iter().any(|&root| is_put_by(op, root));
        others.filter(|&user| !is_part || !is_behind(user, self.roots[0])).collect()
    }

    /// Other operations that make an array of what some operations in front of the group make, which is not needed before
    /// the group's array is.
    fn others(&self) -> Vec<Op<'c>> {
        let root = self.roots[0];
        let mut others: Vec<Op<'c>> = vec![];
        for user in self.makers().into_iter().flat_map(|op| self.users(op)) {
            let other = chain_end(user, root);
            let is_needed = users(other).into_iter().any(|next| !is_behind(next, root));
            let is_new = others.iter().all(|known| known.key() != other.key());
            if is_new && is_piece_beside(other, root) && other.result_count() == 1 && !is_needed {
                others.push(other);
            }
        }
        others
    }

    /// Whether all that is taken from elsewhere is there in front of the first of the roots that was found.
    fn is_ready(&self) -> bool {
        let place = self.roots[0];
        self.ops.iter().filter(|op| place.is_before(**op)).all(|op| {
            let inside = free_values(&op.blocks());
            op.operand_list().into_iter().chain(inside).all(|value| {
                let is_own = |op: Op<'c>| self.keys.contains(&op.key());
                value.defining_op().is_some_and(is_own) || is_there_before(value, place)
            })
        })
    }

    /// Whether there are several operations that move most of what the last one makes.
    fn is_worth_it(&self) -> bool {
        let pieces: Vec<_> = self.ops.iter().filter_map(|&op| Piece::of(op)).collect();
        let moves = pieces.iter().filter(|piece| !matches!(piece, Piece::Extract { .. })).count();
        let inserts = pieces.iter().any(|piece| matches!(piece, Piece::Insert { .. }));
        moves > self.roots.len() && inserts && self.roots.iter().all(|&root| self.makes_most(root))
    }

    /// Whether most of an array has to be written anyhow: nothing of it stays where it is, or little.
    fn makes_most(&self, root: Op<'c>) -> bool {
        let mut extents = Extents::default();
        let mut last = root;
        while let Some(Piece::Insert { from, into, .. }) = Piece::of(last) {
            let maker = into.defining_op().filter(|op| self.keys.contains(&op.key()));
            match maker {
                _ if is_most(&mut extents, from, into) => return true,
                Some(maker) => last = maker,
                None => return false,
            }
        }
        true
    }

    /// Whether a size is one of an array that will be gone.
    fn is_own(&self, size: Extent<'c>) -> bool {
        let Extent::Dim(array, _) = size else { return false };
        array.defining_op().is_some_and(|op| self.keys.contains(&op.key()))
    }

    /// Makes the arrays by a map; whether that is no more work than it was.
    fn make_at_once(&self, context: &'c Context) -> Result<bool> {
        // The others are in front of it.
        let root = self.roots[0];
        let (Some(block), Some(first)) = (root.block(), root.res(0)) else { return Ok(false) };
        let b = Builder::before(context, root, block).with_location(root.location());
        let mut extents = Extents::default();
        let rank = first.r#type().shape().len();
        let mut made = self.ops.iter().flat_map(|op| op.result_list());
        let dims = |array: Val<'c>| 0..array.r#type().shape().len();
        if made.any(|array| dims(array).any(|d| self.is_own(extents.of(array, d)))) {
            return Ok(false);
        }
        let sizes = (0..rank).map(|d| extents.of(first, d).value(&b)).collect::<Vec<_>>();
        let results: Vec<_> = self.roots.iter().flat_map(|root| root.result_list()).collect();
        let types: Vec<_> = results.iter().map(|result| result.r#type()).collect();
        let mut elements = Elements::new(&self.keys, extents, MOST * self.ops.len());
        let made = nest_of_maps(&b, &sizes, &mut vec![], &types, &mut |b, at, _| {
            results.iter().map(|&result| elements.of(b, result, at)).collect()
        })?;
        if elements.is_too_much() {
            made[0].defining_op().iter().for_each(OpExt::erase);
            return Ok(false);
        }
        let mut rest = &made[..];
        let mut results_of = |root: &Op<'c>| {
            let (own, others) = rest.split_at(root.result_count());
            rest = others;
            own
        };
        let made: Vec<_> = self.roots.iter().map(|root| (*root, results_of(root))).collect();
        for &(root, arrays) in &made {
            let part = self.ops.iter().find(|&&op| is_put_by(op, root)).and_then(|op| op.res(0));
            if let (Some(part), Some(slice)) = (part, Slice::of(root, 2, |value| value)) {
                part.replace_all_uses(slice.extract(&b, arrays[0], part.r#type()));
            }
        }
        made.into_iter().for_each(|(root, arrays)| replace(root, arrays));
        // What uses others comes first.
        self.ops[self.roots.len()..].iter().for_each(OpExt::erase);
        Ok(true)
    }
}

/// The last of a chain of operations, each of which is all that uses the one before, that ends in front of the root.
fn chain_end<'c>(mut op: Op<'c>, root: Op<'c>) -> Op<'c> {
    while let [next] = users(op)[..]
        && is_piece_beside(next, root)
        && next.key() != root.key()
    {
        op = next;
    }
    op
}

/// The operations of which the arrays have the type and the sizes of the root's.
fn alike<'c>(root: Op<'c>, ops: Vec<Op<'c>>) -> Vec<Op<'c>> {
    let mut extents = Extents::default();
    let mut shape = |op: Op<'c>| {
        let array = op.res(0)?;
        let shape = array.r#type().shape();
        let sizes: Vec<_> = (0..shape.len()).map(|d| size(&mut extents, array, d)).collect();
        Some((shape, sizes))
    };
    let own = shape(root);
    ops.into_iter().filter(|&op| shape(op) == own).collect()
}

/// The operations that use what an operation makes.
fn users(op: Op<'_>) -> Vec<Op<'_>> {
    op.result_list().iter().flat_map(ValExt::users).collect()
}

/// Whether an operation computes an array by element in the block of another one.
fn is_piece_beside<'c>(op: Op<'c>, other: Op<'c>) -> bool {
    op.block() == other.block() && Piece::of(op).is_some()
}

/// Whether an operation puts what another one makes, all of it, into an array.
fn is_put_by<'c>(op: Op<'c>, by: Op<'c>) -> bool {
    matches!(Piece::of(by), Some(Piece::Insert { from, .. }) if Some(from) == op.res(0))
}

/// Whether nothing reads what an operation makes at several places. What inserts something into it reads it at its own index.
fn is_read_at_one_place(op: Op<'_>) -> bool {
    let mut places = vec![];
    for user in users(op) {
        let place = match Piece::of(user) {
            Some(Piece::Insert { .. }) => continue,
            Some(Piece::Extract { offsets, .. }) => offsets,
            _ => vec![],
        };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places.len() <= 1
}

/// Whether an operation, or what it is in, comes after another one.
fn is_behind<'c>(op: Op<'c>, other: Op<'c>) -> bool {
    beside(op, other.block()).is_some_and(|op| other.is_before(op))
}
