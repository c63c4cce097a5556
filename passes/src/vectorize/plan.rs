//! Whether a loop can be vectorised, and what that gains.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey, float_width};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{carried::AllCarried, cost, records::Records};
use crate::{
    lower::vector_math::InstructionSet,
    support::{
        builder::same_value,
        combinator::constant_index,
        extent::Extent,
        memory,
        region::is_outside,
        roots::{Root, roots},
        slice::shown,
    },
};

/// How a value differs between neighbouring iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// It does not.
    Same,
    /// It is an index that is one more in the next iteration.
    Next,
    /// Each iteration has a value of its own.
    Each,
}

/// What runs the iterations that no whole vector is left for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The loop as it was.
    Scalar,
    /// A vector of which they use a part.
    Masked,
    /// A vector with some iterations that have run, if there are so many.
    Overlaps,
}

/// A loop that can be vectorised.
pub struct Plan<'c> {
    /// The loop as it is.
    pub original: Op<'c>,
    /// A copy in front of it that has only loops, branches and scalars.
    pub copy: Op<'c>,
    /// What is known about the copy.
    pub facts: Facts<'c>,
    /// Iterations at once.
    pub lanes: usize,
    /// How many of them fit into a register.
    pub register: usize,
    /// What runs the iterations that are left.
    pub rest: Rest,
    /// Whether such a vector has no more registers than it needs, of which only the last one has a mask.
    pub is_split: bool,
    /// Whether, where all iterations are fewer than a register has lanes, they run one by one: LLVM adds up
    /// what each of them does with all lanes.
    pub is_for_many: bool,
    /// How many times as fast it is by the estimate.
    pub gain: f64,
    /// What is compared with other loops of the nest, see `cost`.
    pub gain_per_register: f64,
}

/// What is known about a loop.
pub struct Facts<'c> {
    /// The loop.
    pub(super) root: Op<'c>,
    /// The classes of values and, by what allocates them, of the elements of the loop's own arrays;
    /// what is not there is the same in all iterations.
    pub(super) classes: HashMap<ValueKey, Class>,
    /// What is allocated in the loop.
    own: HashSet<ValueKey>,
    /// How the values that it carries come about.
    pub(super) carried: AllCarried,
    /// The accesses to pieces of rows.
    pub(super) records: Records<'c>,
    /// Additions to arrays by their stores.
    pub(super) additions: HashMap<OpKey, Addition<'c>>,
}

/// `a[i] += v`, as a load, a sum that may be computed in any order, and a store.
#[derive(Clone, Copy)]
pub struct Addition<'c> {
    /// The load.
    pub load: Op<'c>,
    /// The sum.
    pub sum: Op<'c>,
    /// What is added.
    pub value: Val<'c>,
}

/// A place in an array that is the same array in all iterations.
pub struct Place<'c> {
    /// The array.
    pub array: Val<'c>,
    /// Its indices.
    pub at: Vec<Index<'c>>,
}

/// An index: a sum of `stride * value` and a constant.
#[derive(Clone)]
pub struct Index<'c> {
    /// The values, with what they are multiplied by.
    pub terms: Vec<(Val<'c>, i64)>,
    /// The constant.
    pub constant: i64,
}

/// Whether there is nothing in a loop that this pass cannot run for several iterations at once; a
/// quick test.
pub fn may_run_at_once(op: Op<'_>) -> bool {
    let mut is_known = op.attr("unsignedCmp").is_none()
        && op.opnd(2).is_some_and(|step| constant_index(step) == Some(1));
    op.for_each(&mut |inner| {
        let name = inner.op_name();
        let dialect = name.split('.').next().unwrap_or_default();
        is_known &= match dialect {
            "arith" => name != "arith.bitcast",
            "math" | "linalg" => true,
            _ => {
                memory::is_view(name)
                    || matches!(
                        name,
                        "scf.for"
                            | "scf.if"
                            | "scf.yield"
                            | "memref.load"
                            | "memref.store"
                            | "memref.copy"
                            | "memref.dim"
                            | "memref.alloc"
                            | "memref.alloca"
                            | "cf.assert"
                    )
            }
        };
    });
    is_known
}

impl<'c> Plan<'c> {
    /// The plan for a loop, given with an expanded copy.
    pub fn of(original: Op<'c>, copy: Op<'c>, set: InstructionSet) -> Option<Self> {
        let mut facts = Facts::new(copy);
        let register = set.bytes / width(copy)?;
        facts.find_classes()?;
        facts.find_additions()?;
        let registers = cost::registers(copy, &facts, register, set);
        let lanes = register * registers;
        let is_legal = facts.is_legal(copy.body(0)?);
        if !is_legal {
            return None;
        }
        facts.find_records(lanes);
        // With AVX2 a masked store costs several others. Before AVX there is none.
        let is_flat = copy.result_count() == 0 && !cost::has_loops(copy);
        let is_mask_cheap = set.bytes >= 64;
        let has_dear_rest = registers > 1
            || cost::has_calls(copy)
            || is_mask_cheap && is_flat && cost::is_wide(copy);
        let is_masked = set.bytes >= 32 && has_dear_rest && facts.may_be_masked();
        let is_guarded = !facts.guarded_sizes().is_empty();
        let rest = match () {
            () if is_guarded => Rest::Scalar,
            () if is_masked => Rest::Masked,
            () if cost::has_loops(copy) && facts.may_be_repeated() => Rest::Overlaps,
            () => Rest::Scalar,
        };
        let width = cost::Width { lanes, register };
        let gain = cost::gain(copy, &facts, width, is_masked)?;
        let gain_per_register = cost::gain_per_register(copy, &facts, width)?;
        // What is stored with a mask takes long until it can be read; on some processors the store does, too.
        let is_split = match registers {
            2 if is_flat => true,
            2..=cost::REGISTERS => cost::has_small_loops(copy),
            _ => false,
        };
        let is_for_many =
            rest == Rest::Masked && copy.result_count() == 0 && cost::sums_along_rows(copy);
        Some(Self {
            original,
            copy,
            facts,
            lanes,
            register,
            rest,
            is_split,
            is_for_many,
            gain,
            gain_per_register,
        })
    }
}

/// The bytes of the widest float in a loop, if it is f32 or f64.
fn width(root: Op<'_>) -> Option<usize> {
    let mut widest = 0;
    let mut is_known = true;
    root.for_each(&mut |op| {
        for value in op.operand_list().into_iter().chain(op.result_list()) {
            let ty = memory::element(value).unwrap_or(value.r#type());
            let bits = if ty.is_float_type() { float_width(ty) as usize } else { 0 };
            widest = widest.max(bits);
            is_known &=
                matches!(bits, 0 | 32 | 64) && !ty.is_vector_type() && !ty.is_complex_type();
        }
    });
    (is_known && widest != 0).then_some(widest / 8)
}

impl<'c> Facts<'c> {
    pub(super) fn new(root: Op<'c>) -> Self {
        let mut own = HashSet::new();
        root.for_each(&mut |op| {
            if matches!(op.op_name(), "memref.alloc" | "memref.alloca") {
                own.extend(op.res(0).map(|array| array.key()));
            }
        });
        let carried = AllCarried::default();
        Self {
            root,
            classes: HashMap::new(),
            own,
            carried,
            records: Records::default(),
            additions: HashMap::new(),
        }
    }

    /// The class of a scalar.
    pub fn class(&self, value: Val<'_>) -> Class {
        self.classes.get(&value.key()).copied().unwrap_or(Class::Same)
    }

    /// The class of the elements of an array of the loop's own.
    pub fn elements(&self, array: Val<'_>) -> Class {
        self.own_roots(array)
            .into_iter()
            .flatten()
            .map(|key| self.class_of(key))
            .max()
            .unwrap_or(Class::Same)
    }

    fn class_of(&self, key: ValueKey) -> Class {
        self.classes.get(&key).copied().unwrap_or(Class::Same)
    }

    /// The addition that a store ends.
    pub fn addition(&self, store: Op<'_>) -> Option<Addition<'c>> {
        self.additions.get(&store.key()).copied()
    }

    /// Whether an operation is part of an addition that its store stands for.
    pub fn is_in_addition(&self, op: Op<'_>) -> bool {
        let is_it = |a: &Addition<'_>| a.load.key() == op.key() || a.sum.key() == op.key();
        self.additions.values().any(is_it)
    }

    /// The allocations in the loop that a buffer may be a view of, if all its memory is such.
    pub(super) fn own_roots(&self, array: Val<'_>) -> Option<Vec<ValueKey>> {
        let own = |root: Root| match root {
            Root::Allocated(key) if self.is_own(key) => Some(key),
            _ => None,
        };
        roots(array).into_iter().map(own).collect()
    }

    pub(super) fn is_own(&self, key: ValueKey) -> bool {
        self.own.contains(&key)
    }

    /// Whether all memory of a buffer belongs to one iteration.
    pub fn is_private(&self, array: Val<'_>) -> bool {
        self.own_roots(array).is_some()
    }

    /// Whether a buffer is the same one in all iterations, where it belongs to none.
    pub fn is_fixed(&self, array: Val<'_>) -> bool {
        if is_outside(self.root, array) {
            return true;
        }
        let Some(op) = array.defining_op() else { return false };
        let same = |value: &Val<'_>| self.class(*value) == Class::Same;
        match op.op_name() {
            name if memory::is_view(name) => {
                let operands = op.operand_list();
                operands.iter().skip(1).all(same) && op.opnd(0).is_some_and(|a| self.is_fixed(a))
            }
            "scf.if" => {
                op.opnd(0).is_some_and(|c| same(&c))
                    && op.blocks().iter().all(|block| {
                        let end = block.term().and_then(|end| end.opnd(array.position()));
                        end.is_some_and(|a| self.is_fixed(a) || self.is_alike(a))
                    })
            }
            _ => false,
        }
    }

    /// Whether a buffer belongs to one iteration, but is like those of all others.
    fn is_alike(&self, array: Val<'_>) -> bool {
        self.is_private(array) && self.elements(array) == Class::Same
    }

    /// Where an access is, as a place in a buffer that is fixed.
    pub fn place(&self, array: Val<'c>, at: &[Val<'c>]) -> Option<Place<'c>> {
        let at = at.iter().map(|&i| Index { terms: vec![(i, 1)], constant: 0 }).collect();
        self.through_views(array, at)
    }

    fn through_views(&self, array: Val<'c>, at: Vec<Index<'c>>) -> Option<Place<'c>> {
        if self.is_fixed(array) {
            return Some(Place { array, at });
        }
        let op = array.defining_op()?;
        let source = op.opnd(0)?;
        match op.op_name() {
            "memref.cast" => self.through_views(source, at),
            "memref.subview" => {
                let mut given = at.into_iter();
                let mut all = vec![];
                for dimension in shown(op)? {
                    let mut index = Index { terms: vec![], constant: 0 };
                    match dimension.offset {
                        Extent::Known(offset) => index.constant = offset,
                        Extent::Value(offset) => index.terms.push((offset, 1)),
                        Extent::Dim(..) => return None,
                    }
                    if dimension.is_kept {
                        let inner = given.next()?;
                        index.constant += inner.constant * dimension.stride;
                        let scaled = inner.terms.iter().map(|(v, s)| (*v, s * dimension.stride));
                        index.terms.extend(scaled);
                    }
                    all.push(index);
                }
                self.through_views(source, all)
            }
            _ => None,
        }
    }

    /// The class of an index.
    pub fn class_of_index(&self, index: &Index<'_>) -> Class {
        let mut class = Class::Same;
        for (value, stride) in &index.terms {
            class = match (class, self.class(*value), stride) {
                (class, Class::Same, _) => class,
                (Class::Same, Class::Next, 1) => Class::Next,
                _ => Class::Each,
            };
        }
        class
    }

    /// Whether the iterations access one place, a row of neighbours, or places anywhere.
    pub fn class_of_place(&self, place: &Place<'c>) -> Class {
        let classes: Vec<_> = place.at.iter().map(|index| self.class_of_index(index)).collect();
        match classes.split_last() {
            None => Class::Same,
            Some((Class::Next, _)) if !memory::has_rows(place.array) => Class::Each,
            Some((&last, rest)) if rest.iter().all(|&class| class == Class::Same) => last,
            _ => Class::Each,
        }
    }

    /// Whether an index is the number of the iteration.
    pub(super) fn is_iteration(&self, index: &Index<'_>) -> bool {
        let number = self.root.body(0).and_then(|body| body.arg_list().first().copied());
        let mut varying = index.terms.iter().filter(|(v, _)| constant_index(*v) != Some(0));
        let first = varying.next();
        index.constant == 0
            && varying.next().is_none()
            && first.is_some_and(|(v, stride)| {
                *stride == 1 && number.is_some_and(|number| same_value(*v, number))
            })
    }
}
