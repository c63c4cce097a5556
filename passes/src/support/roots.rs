//! What memory a buffer may lie in.
//!
//! A loop may carry buffers. One that was allocated in an earlier iteration is another one than the
//! one that is allocated now, by the same operation:
//! ```text
//! for ... iter_args(a = alloc) { b = alloc;  ...;  yield b }     -- a is never b
//! ```

use std::collections::HashSet;

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, Val, ValExt, ValueKey},
    linalg::Structured,
};
use melior::ir::BlockLike;

use super::memory::{is_any_view, is_view};
use super::{region::is_outside, symbol::is_marked};

/// The attribute of an argument that shares no memory with anything else.
pub const NO_ALIAS: &str = "llvm.noalias";

/// Memory that a buffer may lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// What an operation has allocated.
    Allocated(ValueKey),
    /// What an operation allocated in an earlier iteration of a loop around it.
    Earlier(ValueKey),
    /// An argument of the function that shares no memory with anything else, as it says.
    Own(ValueKey),
    /// Another argument, or a constant: nothing that is allocated.
    Given,
    /// Any memory.
    Unknown,
}

/// The memory that a buffer may lie in, seen through views, branches and loops.
pub fn roots(array: Val<'_>) -> HashSet<Root> {
    let mut search = Search::default();
    search.visit(array, &[]);
    search.found
}

/// The allocations that a buffer may be of, in whatever iteration of the loops around it.
pub fn allocations(array: Val<'_>) -> HashSet<Root> {
    let of_any_iteration = |root| match root {
        Root::Earlier(key) => Root::Allocated(key),
        other => other,
    };
    roots(array).into_iter().map(of_any_iteration).collect()
}

/// Whether two buffers share no memory, for all that is known of them.
pub fn are_apart(one: Val<'_>, other: Val<'_>) -> bool {
    let (one, other) = (allocations(one), allocations(other));
    let is_known = |roots: &HashSet<Root>| !roots.contains(&Root::Unknown);
    is_known(&one) && is_known(&other) && one.is_disjoint(&other)
}

/// Whether a buffer is all of what some operation allocates: two such in one allocation are one.
pub fn is_whole(array: Val<'_>) -> bool {
    let mut search = Search::default();
    search.visit(array, &[]);
    let is_allocated = |root: &Root| matches!(root, Root::Allocated(_) | Root::Earlier(_));
    !search.crosses_view && search.found.iter().all(is_allocated)
}

/// The memory that an operation and what is in it write to; none if it does something that is not known here, such as to
/// fail.
pub fn written(root: Op<'_>) -> Option<HashSet<Root>> {
    let mut all = HashSet::new();
    let mut is_known = true;
    root.for_each(&mut |op| match op.op_name() {
        "memref.store" | "memref.copy" | "vector.store" => {
            all.extend(op.opnd(1).into_iter().flat_map(allocations));
        }
        "memref.alloc" | "memref.alloca" | "linalg.yield" => {}
        name if name.starts_with("linalg.") => match Structured::of(op) {
            Some(s) => all.extend(s.inits.into_iter().flat_map(allocations)),
            None => is_known = false,
        },
        name => is_known &= computes(name),
    });
    is_known.then_some(all)
}

/// Whether operations of a name do nothing but compute and read.
pub fn computes(name: &str) -> bool {
    name.starts_with("arith.")
        || name.starts_with("math.")
        || is_view(name)
        || matches!(name, "scf.for" | "scf.if" | "scf.yield")
        || matches!(name, "memref.load" | "memref.dim" | "memref.prefetch")
        || matches!(
            name,
            "vector.load"
                | "vector.broadcast"
                | "vector.extract"
                | "vector.from_elements"
                | "vector.reduction"
                | "vector.shuffle"
                | "vector.step"
        )
}

#[derive(Default)]
struct Search {
    found: HashSet<Root>,
    /// Whether one of the buffers is a view.
    crosses_view: bool,
    /// The buffers that have been looked at, with the loops whose ends were crossed on the way.
    seen: HashSet<(ValueKey, Vec<ValueKey>)>,
}

impl Search {
    /// Goes on to what a buffer is made of; `ends` are the loops of which it is a value that an
    /// earlier iteration, or the last one, has yielded.
    fn visit<'c>(&mut self, array: Val<'c>, ends: &[Op<'c>]) {
        let crossed = ends.iter().filter_map(|end| Some(end.body(0)?.arg_list().first()?.key()));
        if !self.seen.insert((array.key(), crossed.collect())) {
            return;
        }
        let Some(op) = array.defining_op() else {
            let around = array.owner_block().and_then(|block| block.parent_operation());
            return match around {
                // What other blocks are given may be anything that is made in front of them.
                Some(op) if op.op_name() == "func.func" && array.owner_block() == op.body(0) => {
                    let is_own = is_marked(op, array.position(), NO_ALIAS);
                    self.found(if is_own { Root::Own(array.key()) } else { Root::Given });
                }
                Some(op) if op.op_name() == "scf.for" && array.position() > 0 => {
                    self.carried(op, array.position() - 1, ends);
                }
                _ => self.found(Root::Unknown),
            };
        };
        match op.op_name() {
            "memref.alloc" | "memref.alloca" => {
                let is_earlier = ends.iter().any(|end| !is_outside(*end, array));
                self.found(match is_earlier {
                    true => Root::Earlier(array.key()),
                    false => Root::Allocated(array.key()),
                });
            }
            "memref.get_global" => self.found(Root::Given),
            name if is_any_view(name) => {
                self.crosses_view = true;
                self.visit_all(&[op.opnd(0)], ends);
            }
            "scf.if" => {
                let branches = op.blocks();
                let yielded = branches.iter().map(|block| block.term()?.opnd(array.position()));
                self.visit_all(&yielded.collect::<Vec<_>>(), ends);
            }
            "scf.for" => self.carried(op, array.position(), ends),
            _ => self.found(Root::Unknown),
        }
    }

    /// A buffer that a loop carries.
    fn carried<'c>(&mut self, op: Op<'c>, position: usize, ends: &[Op<'c>]) {
        self.visit_all(&[op.opnd(3 + position)], ends);
        let yielded = op.body(0).and_then(|body| body.term()?.opnd(position));
        let mut crossed = ends.to_vec();
        crossed.extend(ends.iter().all(|end| end.key() != op.key()).then_some(op));
        self.visit_all(&[yielded], &crossed);
    }

    fn visit_all<'c>(&mut self, arrays: &[Option<Val<'c>>], ends: &[Op<'c>]) {
        for array in arrays {
            match array {
                Some(array) => self.visit(*array, ends),
                None => self.found(Root::Unknown),
            }
        }
    }

    fn found(&mut self, root: Root) {
        self.found.insert(root);
    }
}
