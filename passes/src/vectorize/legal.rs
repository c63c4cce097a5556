//! Whether the iterations of a loop can run at once.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, Val, ValExt, ValueKey};
use melior::ir::operation::OperationLike;

use super::{
    classes::is_free_sum,
    plan::{Addition, Class, Facts},
};
use crate::support::{
    builder::same_value,
    combinator::{constant_index, divides_integers},
    memory,
    place::{Place, Sum},
    region::values_inside,
    roots::{Root, is_whole, roots},
};

/// Accesses to one allocation from outside of the loop.
#[derive(Default)]
struct Accesses<'c> {
    /// The array that each access is to, and the dimensions whose index is the number of the iteration.
    places: Vec<(ValueKey, Vec<usize>)>,
    /// The places in the buffers that have the memory.
    whole: Vec<Place<'c>>,
    stores: Vec<Op<'c>>,
    /// Loads and stores.
    all: Vec<Op<'c>>,
    /// The branch that each of them is in, if its lanes take turns.
    turns: Vec<Option<OpKey>>,
}

impl<'c> Accesses<'c> {
    /// Whether each iteration has elements of its own; `sizes` says how many there are, if they count from 0 on.
    fn are_disjoint(&self, sizes: &[Sum]) -> bool {
        let Some((array, dimensions)) = self.places.first() else { return true };
        let is_own = |d: &usize| self.places.iter().all(|(a, all)| a == array && all.contains(d));
        dimensions.iter().any(is_own) || !sizes.is_empty() && self.are_apart(sizes)
    }

    /// Whether all are in one branch, whose lanes take turns.
    fn are_in_turn(&self) -> bool {
        self.turns.iter().all(|turn| turn.is_some() && *turn == self.turns[0])
    }

    /// Whether no iteration accesses what another one writes to, because of their places.
    fn are_apart(&self, sizes: &[Sum]) -> bool {
        let written = self.all.iter().zip(&self.whole);
        let mut written = written.filter(|(op, _)| op.op_name() == "memref.store");
        written.all(|(_, a)| self.whole.iter().all(|b| a.is_own(b) || a.is_apart_in(b, sizes)))
    }
}

impl<'c> Facts<'c> {
    /// Compares the accesses to what is outside of the loop; none if iterations depend on each other.
    pub fn find_additions(&mut self) -> Option<()> {
        let mut loads = vec![];
        let mut stores = vec![];
        self.root.for_each(&mut |op| match op.op_name() {
            "memref.load" => loads.push((op, op.opnd(0), 1)),
            "memref.store" => stores.push((op, op.opnd(1), 2)),
            _ => {}
        });
        let mut shared: HashMap<Root, Accesses<'c>> = HashMap::new();
        let mut reads_anything = false;
        let number = *self.root.body(0)?.arg_list().first()?;
        let (sizes, inside) = (self.sizes(), values_inside(self.root));
        for &(op, array, first) in stores.iter().chain(&loads) {
            let array = array?;
            if self.is_private(array) {
                continue;
            }
            let place = self.place(array, &op.operand_list()[first..])?;
            let is_iteration = |d: &usize| self.is_iteration(&place.at[*d]);
            let dimensions = (0..place.at.len()).filter(is_iteration).collect::<Vec<_>>();
            for root in roots(array) {
                // Nobody could say of which buffer the elements then differ.
                if first == 2 && matches!(root, Root::Allocated(key) if self.is_own(key)) {
                    return None;
                }
                if matches!(root, Root::Given | Root::Unknown) {
                    reads_anything |= root == Root::Unknown;
                    if first == 2 {
                        return None;
                    }
                    continue;
                }
                let array = match root {
                    Root::Allocated(key) | Root::Earlier(key) if is_whole(place.array) => key,
                    _ => place.array.key(),
                };
                let accesses = shared.entry(root).or_default();
                accesses.places.push((array, dimensions.clone()));
                let at = op.operand_list()[first..].iter().map(|&i| Sum::of(i)).collect();
                accesses.whole.push(Place::new(op.opnd(first - 1)?, at).in_loop(&inside, number));
                accesses.all.push(op);
                accesses.turns.push(self.turn(op));
                if first == 2 {
                    accesses.stores.push(op);
                }
            }
        }
        for accesses in shared.values().filter(|accesses| !accesses.stores.is_empty()) {
            if reads_anything {
                return None;
            }
            if accesses.are_disjoint(&sizes) || accesses.are_in_turn() {
                continue;
            }
            let additions: Vec<_> = accesses
                .stores
                .iter()
                .map(|&store| Some((store, addition(store)?)))
                .collect::<Option<_>>()?;
            // Whatever else is read would have to come before or after the additions.
            if accesses.all.len() != 2 * additions.len() {
                return None;
            }
            for (store, addition) in additions {
                self.additions.insert(store.key(), addition);
            }
        }
        Some(())
    }

    /// The branch that an operation is in, if its lanes take turns.
    fn turn(&self, op: Op<'c>) -> Option<OpKey> {
        let mut around = op.parent();
        while let Some(op) = around.filter(|around| around.key() != self.root.key()) {
            if self.is_in_turn(op) {
                return Some(op.key());
            }
            around = op.parent();
        }
        None
    }

    /// How many iterations there are, if they count from 0 on.
    pub(super) fn sizes(&self) -> Vec<Sum> {
        let counts_from_zero = self.root.opnd(0).and_then(constant_index) == Some(0);
        self.root.opnd(1).filter(|_| counts_from_zero).map(Sum::of).into_iter().collect()
    }

    /// Whether it does no harm to run iterations twice: each writes to places of its own what it computes
    /// from what the loop does not write to.
    pub fn may_be_repeated(&self) -> bool {
        let (mut read, mut written) = (HashSet::new(), HashSet::new());
        self.root.for_each(&mut |op| match op.op_name() {
            "memref.load" => read.extend(op.opnd(0).into_iter().flat_map(roots)),
            "memref.store" => written.extend(op.opnd(1).into_iter().flat_map(roots)),
            _ => {}
        });
        let is_own = |root: &Root| matches!(root, Root::Allocated(key) if self.is_own(*key));
        let is_apart = |root: &Root| is_own(root) || !read.contains(root);
        self.root.result_count() == 0 && self.additions.is_empty() && written.iter().all(is_apart)
    }

    /// Whether it does no harm to run the loop for more iterations than it has, if they read zeros
    /// where they would read neighbours and write nothing: its arrays are accessed at places that are
    /// the same or neighbours, and it cannot fail.
    pub fn may_be_masked(&self) -> bool {
        let mut may = true;
        self.root.for_each(&mut |op| {
            let operands = op.operand_list();
            may &= match op.op_name() {
                "memref.load" => self.is_within_reach(operands.split_first(), true),
                "memref.store" => self.is_within_reach(operands[1..].split_first(), false),
                "cf.assert" => false,
                "scf.if" => !self.is_in_turn(op),
                name => !divides_integers(name),
            };
        });
        may
    }

    /// Whether an access to an array at some indices is to the same place, which only loads may be
    /// unless it is the iteration's own, or to neighbours.
    fn is_within_reach(&self, access: Option<(&Val<'c>, &[Val<'c>])>, is_load: bool) -> bool {
        let Some((&array, at)) = access else { return false };
        if self.is_private(array) {
            return at.iter().all(|&i| self.class(i) == Class::Same);
        }
        let class = self.place(array, at).map(|place| self.class_of_place(&place));
        class == Some(Class::Next) || is_load && class == Some(Class::Same)
    }

    /// Whether every operation of a block can run for all iterations at once.
    pub fn is_legal(&self, block: Blk<'c>) -> bool {
        block.body_ops().into_iter().all(|op| self.may_run(op))
    }

    /// Whether it does no harm to run both sides of a branch.
    pub(super) fn is_harmless_branch(&self, op: Op<'c>) -> bool {
        let mut sides = op.blocks().into_iter();
        let may_read = sides.next().is_some_and(is_harmless) || self.guard(op).is_some();
        may_read && sides.all(is_harmless)
    }

    fn may_run(&self, op: Op<'c>) -> bool {
        let same = |value: &Val<'c>| self.class(*value) == Class::Same;
        let operands = op.operand_list();
        let inside = || op.blocks().into_iter().all(|block| self.is_legal(block));
        let has_arrays = op.result_list().into_iter().any(memory::is_array);
        match op.op_name() {
            "scf.for" => {
                op.attr("unsignedCmp").is_none()
                    && operands.iter().take(3).all(same)
                    && !has_arrays
                    && inside()
            }
            "scf.if" if operands.iter().all(same) => {
                let is_fit = |value: Val<'c>| {
                    !memory::is_array(value)
                        || self.is_private(value)
                        || self.elements(value) == Class::Same
                };
                op.result_list().into_iter().all(is_fit) && inside()
            }
            "scf.if" => !has_arrays && self.is_harmless_branch(op) || self.is_in_turn(op),
            "memref.alloc" | "memref.alloca" => operands.iter().all(same),
            // Other views are seen through.
            "memref.subview" => {
                !operands.first().is_some_and(|&array| self.is_private(array))
                    || operands.iter().skip(1).all(same)
            }
            "memref.dim" => {
                operands.first().is_some_and(|&a| self.is_private(a) || self.is_fixed(a))
            }
            _ => true,
        }
    }
}

/// Whether it does no harm to run a block although it should not be.
fn is_harmless(block: Blk<'_>) -> bool {
    block.body_ops().into_iter().all(|op| match op.op_name() {
        name if divides_integers(name) => false,
        "scf.if" => op.blocks().into_iter().all(is_harmless),
        name => name.starts_with("arith.") || name.starts_with("math."),
    })
}

/// The addition to an element that a store ends.
fn addition(store: Op<'_>) -> Option<Addition<'_>> {
    let stored = store.operand_list();
    let sum = stored.first()?.defining_op().filter(|&op| is_free_sum(op))?;
    let place = &stored[1..];
    let is_old = |value: &Val<'_>| {
        value.defining_op().is_some_and(|op| {
            let read = op.operand_list();
            op.op_name() == "memref.load"
                && read.len() == place.len()
                && read.iter().zip(place).all(|(a, b)| same_value(*a, *b))
                && value.users().len() == 1
                && op.block() == store.block()
        })
    };
    let terms = sum.operand_list();
    let at = terms.iter().position(is_old)?;
    let is_only_stored = sum.res(0)?.users().len() == 1 && sum.block() == store.block();
    let (load, value) = (terms[at].defining_op()?, *terms.get(1 - at)?);
    let between = store.block()?.body_ops().into_iter();
    let mut between = between.skip_while(|op| op.key() != load.key());
    let is_simple = |op: Op<'_>| op.op_name() != "memref.store" && op.blocks().is_empty();
    let is_whole = between.find(|op| !is_simple(*op)).is_some_and(|op| op.key() == store.key());
    (is_only_stored && is_whole).then_some(Addition { load, sum, value })
}
